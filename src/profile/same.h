/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns that say the same as another one, or less: birth date, age, age class.
 *
 * A column follows from another if all records with the same value there have the same value here,
 * and if that is no accident. Values that occur once determine everything, so what counts is how
 * often a value that was seen before foretold this column; and in columns that are ordered, whether
 * each value here is one range there.
 */
#ifndef BT_SAME_H
#define BT_SAME_H

#include "table/table.h"

typedef struct bt_follows { /* column `of` follows from column `from` */
    size_t from, of;        /* places in the table */
    bool back;              /* and the other way round: they say the same */
    bool ranges;            /* each value of `of` is one range of `from` */
} bt_follows;

/* Looks at the columns with considered[i], at most BT_MOST_COMPARED of them. A pair that says the
 * same is listed once, from the earlier column to the later. Memory from the arena. */
enum { BT_MOST_COMPARED = 256 };
BT_MUST_USE bauta_status bt_same_find(const bt_table *table, const bool *considered,
                                      bt_arena *arena, bt_follows **out, size_t *count,
                                      bauta_error *error);

#endif
