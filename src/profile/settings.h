/* SPDX-License-Identifier: Apache-2.0
 *
 * How a file is to be read, from a first reading with the usual settings: decimal commas, and
 * texts that mean a missing value.
 */
#ifndef BT_SETTINGS_H
#define BT_SETTINGS_H

#include "table/table.h"

typedef struct bt_settings_asked {
    const bt_missing *missing; /* in use; looked for beyond them unless `missing_given` */
    bool missing_given;
    bool decimal_comma; /* in use; not questioned when `decimal_given` */
    bool decimal_given;
} bt_settings_asked;

typedef struct bt_settings {
    bool decimal_comma;  /* numbers are written with a comma */
    bool decimal_mixed;  /* some columns have a comma, others a point: nothing is changed */
    bool thousands;      /* the comma may part thousands: nothing is changed */
    const char **tokens; /* tokens that mean missing: those in use, then those found */
    size_t token_count;
    size_t found;  /* of the tokens, the last so many are new */
    bool *changed; /* per column: its values are to be read again */
} bt_settings;

/* Memory from the arena. */
BT_MUST_USE bauta_status bt_settings_guess(const bt_column *columns, size_t count,
                                           const bt_settings_asked *asked, bt_arena *arena,
                                           bt_settings *out, bauta_error *error);

#endif
