/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a column that are codes for a missing one: 99 among ages, 9999-12-31 among dates,
 * "unknown" among texts.
 */
#ifndef BT_MISSING_CODES_H
#define BT_MISSING_CODES_H

#include "profile/column.h"

typedef struct bt_missing_codes {
    const char **taken; /* texts taken as codes: they stand apart from the other values */
    const char **doubtful;
    size_t taken_count, doubtful_count;
} bt_missing_codes;

/* `nominal`: whole numbers in the column stand for things. Memory from the arena; texts are those
 * of the domain. */
BT_MUST_USE bauta_status bt_missing_codes_find(const bt_column_profile *profile, bool nominal,
                                               bt_arena *arena, bt_missing_codes *out,
                                               bauta_error *error);

#endif
