/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of quasi.csv (two-tables) as the original sees them: which classes have a row with given
 * values, and how many rows have them. Only src/audit may include this.
 *
 * Cost: linear in rows and columns to make; a lookup and one step per class to ask.
 */
#ifndef BT_AUDIT_ROWS_H
#define BT_AUDIT_ROWS_H

#include "audit/boxes.h"
#include "reading/release.h"

typedef struct bt_rows bt_rows;

/* Combinations of the quasi columns in their order and, where given, of `texts` (per row, below
 * text_count). */
BT_MUST_USE bauta_status bt_rows_new(const bt_release *release, const uint32_t *texts,
                                     uint32_t text_count, const bt_run *run, bt_rows **out,
                                     bauta_error *error);
void bt_rows_free(bt_rows *rows);

/* The numbers of at most BT_TUPLES_AT_ONCE combinations of codes (and text), which follow each
 * other; BT_TUPLE_NONE: no row has it. */
void bt_rows_find(const bt_rows *rows, const uint32_t *codes, size_t count, uint32_t *numbers);

/* Calls `found` for every class that has such a row, in the order of classes' first rows with it.
 * Several threads may ask at once. */
BT_MUST_USE bauta_status bt_rows_at(const bt_rows *rows, uint32_t number, bt_box_found found,
                                    void *user, bauta_error *error);

/* All combinations, with their rows; and the combination of each row. */
const bt_tuples *bt_rows_all(const bt_rows *rows);
const uint32_t *bt_rows_numbers(const bt_rows *rows);

#endif
