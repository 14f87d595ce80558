/* SPDX-License-Identifier: Apache-2.0
 *
 * Perimeters, for all rows of a release and for records of the microdata. Only src/measure may
 * include this.
 */
#ifndef BT_PERIMETER_H
#define BT_PERIMETER_H

#include "measure/measure.h"

typedef struct bt_perimeter {
    unsigned __int128 whole;
    double real;
    bool exact; /* `whole` is the sum */
} bt_perimeter;

#define BT_PERIMETER_NONE ((bt_perimeter){.exact = true})

/* Whether all quasi columns are numbers or dates in ranges. */
bool bt_has_perimeter(const bt_release *release);

/* The length of a side, in the column's scale. */
uint64_t bt_cell_length(const bt_release_column *column, uint32_t code,
                        const bt_original_column *original);

/* Adds lengths of one column, both ways round. */
void bt_perimeter_add(bt_perimeter *sum, int scale, unsigned __int128 length);
void bt_perimeter_put(const bt_perimeter *sum, bt_facts *facts, json_t *at);

#endif
