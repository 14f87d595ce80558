/* SPDX-License-Identifier: Apache-2.0
 *
 * What a released value may have been before rare ones were merged (randomized:rare=N). Only
 * src/query may include this.
 *
 * A value that fewer than N records held is in no row any more: it became one that is. So a value
 * that a row shows may have been itself or one that no row shows. Of numbers and dates without a
 * hierarchy it then lay between the shown values next to it on both sides, since all values in
 * between went the same way; under a hierarchy, which the manifest does not have, it may have been
 * any. And each value that no row shows had N-1 records at most.
 *
 * Text without a hierarchy, and the missing value, never became another one: their records were
 * dropped, and are part of no answer.
 */
#ifndef BT_MERGED_H
#define BT_MERGED_H

#include "query/chances.h"

enum { BT_MERGED_SIGNATURES = 64 }; /* at most, where values were merged */

typedef struct bt_merged { /* of the codes of a slot whose column is exact */
    uint32_t kinds;        /* codes of one kind have one signature, and may have been the same */
    uint32_t *kind;        /* per code */
    uint32_t *own;         /* per kind: the signature of what is shown */
    uint64_t *may;         /* per kind: the set of signatures that it may have had, its own with it;
                              NULL: nothing was merged, and kinds are signatures */
    double *unshown;       /* per signature: how many values no row shows; may be INFINITY */
} bt_merged;

/* BAUTA_INVALID: there are too many signatures. Memory from the arena. */
BT_MUST_USE bauta_status bt_merged_make(const bt_slot *slot, bt_merging merging, bt_arena *arena,
                                        bt_merged *out, bauta_error *error);

#endif
