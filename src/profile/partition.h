/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows parted by what they have in common, one column after the other.
 *
 * Rows that have become unique leave the partition: no further column can give them company.
 * So each step costs only what is left, and counting what a step would do needs no writing.
 */
#ifndef BT_PARTITION_H
#define BT_PARTITION_H

#include "base/memory.h"
#include "table/tuples.h"

typedef struct bt_partition_slot { /* what the group at hand holds of a code */
    uint64_t stamp;                /* of the group; any other: nothing */
    uint32_t count, place;
} bt_partition_slot;

typedef struct bt_partition {
    int64_t all;                 /* rows of the table */
    int64_t unique;              /* rows that stand alone so far */
    uint32_t groups;             /* groups of two rows and more */
    uint32_t *rows, *starts;     /* group g: rows[starts[g]] up to rows[starts[g + 1] - 1] */
    uint32_t *next, *next_start; /* the same while a step is made */
    bt_partition_slot *slots;    /* per code */
    uint32_t *seen;              /* codes of the group at hand */
    uint64_t stamp;
    bt_arena arena;
} bt_partition;

/* `codes`: the largest count of any column that will come. At most UINT32_MAX rows. */
BT_MUST_USE bauta_status bt_partition_init(bt_partition *partition, int64_t rows, uint32_t codes,
                                           bauta_error *error);
void bt_partition_release(bt_partition *partition);

/* All rows together again. */
void bt_partition_reset(bt_partition *partition);

/* Parts every group by the codes of a column. */
void bt_partition_split(bt_partition *partition, const bt_codes *column);

/* What a split would come to: rows alone, and classes with these among them. */
typedef struct bt_partition_count {
    int64_t unique, classes;
} bt_partition_count;
bt_partition_count bt_partition_look(bt_partition *partition, const bt_codes *column);

#endif
