/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of rows by their codes, column after column: the one order of a table that says nothing
 * of where its rows stand.
 *
 * Cost: linear in rows times columns; columns whose domains have few codes are taken together.
 * Memory: 10 bytes a row meanwhile.
 */
#ifndef BT_ORDER_H
#define BT_ORDER_H

#include "table/tuples.h"

/* Fills order[0..count) with 0..count-1 so that the codes of rows[order[i]] ascend, the first
 * column before the next; equal ones keep their places. `rows` NULL: row i is i. */
BT_MUST_USE bauta_status bt_order_rows(const bt_codes *columns, size_t column_count,
                                       const uint32_t *rows, uint32_t count, uint32_t *order,
                                       bauta_error *error);

#endif
