/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting numbers in linear time, by their bytes from the lowest up, and the orders that qsort and
 * bsearch are given most.
 */
#ifndef BT_SORT_H
#define BT_SORT_H

#include <stdint.h>

/* Sorts `count` numbers, none above `most`; `spare` has room for as many. Bytes that are zero in
 * `most` and above cost nothing. */
void bt_sort_numbers(uint32_t *numbers, uint32_t *spare, uint32_t count, uint32_t most);

/* Ascending order of what stands at the two places, or at the beginning of a struct there. */
int bt_compare_uint32(const void *left, const void *right);
int bt_compare_int64(const void *left, const void *right);
int bt_compare_texts(const void *left, const void *right); /* pointers to them, by their bytes */

#endif
