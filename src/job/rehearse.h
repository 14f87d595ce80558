/* SPDX-License-Identifier: Apache-2.0
 *
 * A recipe run up to what would be published, and no further: whether it runs as it is. Only
 * src/job may include this.
 */
#ifndef BT_JOB_REHEARSE_H
#define BT_JOB_REHEARSE_H

#include "job/load.h"
#include "profile/giveaway.h"

typedef struct bt_rehearsal {
    const char *refused;     /* why it does not run; NULL: it does, as far as was tried */
    const bt_giveaway *drop; /* it runs when `clue` of each is dropped, the worst first; columns are
                                numbers in the input */
    size_t drop_count;       /* 0: dropping does not help, or is not needed */
} bt_rehearsal;

/* Tries `text`, a recipe file, beside what was said before (`asked`), with another form if `form`
 * is not NULL. With `whole` the table is read and grouped, else only what goes together is looked
 * at. What is found out lives in the arena. */
BT_MUST_USE bauta_status bt_rehearse(const bauta_recipe *asked, const bt_buffer *text,
                                     const char *form, bool whole, bt_arena *arena,
                                     bt_rehearsal *out, bauta_error *error);

#endif
