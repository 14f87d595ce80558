/* SPDX-License-Identifier: Apache-2.0
 *
 * The space of a target: the values of a sensitive column, or of a file that lists them with
 * weights, and the tree over them.
 */
#ifndef BT_SPACE_H
#define BT_SPACE_H

#include "class/target.h"

/* The space of the column's own values: its hierarchy, or `balanced:2` if none. BAUTA_INVALID for
 * numbers and dates when some are missing or the hierarchy does not keep their order. Owned by the
 * arena, but for what it shares with the column. */
BT_MUST_USE bauta_status bt_space_make(const bt_column *column, bt_arena *arena, bt_space *out,
                                       bauta_error *error);

/* The space of the values of a file, one `value,weight` per row (a first row with these two words
 * is skipped): *weights is per code of the space. A hierarchy that is given stays as it is and must
 * have them as leaves; one that is derived, or `balanced:2`, is made anew. A value of the column
 * that the file does not have gets the code BT_NO_NODE. */
BT_MUST_USE bauta_status bt_space_from_file(const bt_column *column, const char *file,
                                            bt_arena *arena, bt_space *out, uint64_t **weights,
                                            bauta_error *error);

/* bt_space_from_file from the text of the file, with BT_CSV_PADDING readable bytes behind it. */
BT_MUST_USE bauta_status bt_space_from_csv(const bt_column *column, const char *file,
                                           const char *bytes, size_t length, bt_arena *arena,
                                           bt_space *out, uint64_t **weights, bauta_error *error);

#endif
