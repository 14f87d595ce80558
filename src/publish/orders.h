/* SPDX-License-Identifier: Apache-2.0
 *
 * The random orders of two files whose rows show their classes: neither is sorted by class, and
 * they are not alike. In small tables chance alone may sort a file or make both alike; another
 * order is drawn then. Only src/publish may include this.
 */
#ifndef BT_ORDERS_H
#define BT_ORDERS_H

#include "base/memory.h"
#include "base/run.h"

typedef struct bt_order_rows { /* the rows of a file */
    const char *file;          /* its name: that of its random stream, if that is fine */
    const uint32_t *numbers;   /* per row: that of its class */
    int64_t count;
} bt_order_rows;

/* In larger files no two orders are ever alike by chance. */
enum { BT_SMALL_FILE = 1 << 16 };

/* Names the streams of both files, `labels`, from the arena. With one class, or for files of more
 * than BT_SMALL_FILE rows, this need not be asked: the names of the files are fine. `alike`: the
 * orders may be, since there are classes of one row and too few rows for another order; two rows
 * are always sorted. */
BT_MUST_USE bauta_status bt_orders_choose(const bt_run *run, const bt_order_rows rows[2],
                                          bool alike, bt_arena *arena, const char *labels[2],
                                          bauta_error *error);
enum { BT_TINY_FILE = 5 }; /* fewer rows are too few */

#endif
