/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of the rows of each unit of a randomized release, with the chances of the rows. Only
 * src/attack and src/job may include this.
 */
#ifndef BT_REDRAWN_BAGS_H
#define BT_REDRAWN_BAGS_H

#include "attack/redrawn.h"

typedef struct bt_redrawn_entry {
    uint32_t value;
    uint32_t ties; /* rows that have the largest chance */
    double sum;  /* of the probabilities that just the set's columns were drawn and gave the row */
    double best; /* the largest chance of a row that differs in all of them */
    double credit; /* chance times weight of the rows that have it */
} bt_redrawn_entry;

typedef struct bt_redrawn_bags {
    size_t *base;  /* per set: the bag of its unit u is base[set] + u */
    size_t *first; /* bags + 1: that of bag b is entries[first[b]..first[b + 1]) */
    bt_redrawn_entry *entries;
} bt_redrawn_bags;

typedef struct bt_redrawn_items { /* rows that are alike in combination and value */
    uint32_t count;
    const uint32_t *row;    /* the combination, */
    const uint32_t *value;  /* value, */
    const uint32_t *size;   /* rows, */
    const double *weight;   /* weight of each; NULL: only sums are wanted */
    uint32_t values;        /* are below */
    const double *discount; /* per item: what chances are divided by, but not sums and credits;
                               NULL: nothing */
} bt_redrawn_items;

/* Released by the caller, also after a failure. Without weights sets that cannot be what was drawn
 * have empty bags. */
BT_MUST_USE bauta_status bt_redrawn_bags_make(const bt_redrawn *redrawn,
                                              const bt_redrawn_items *items, bt_redrawn_bags *out,
                                              bauta_error *error);
void bt_redrawn_bags_release(bt_redrawn_bags *bags);

/* Bags of rows one by one; `group_of` is the combination of each row. */
BT_MUST_USE bauta_status bt_redrawn_bags_of_rows(const bt_redrawn *redrawn,
                                                 const uint32_t *group_of, const uint32_t *value_of,
                                                 uint32_t values, int64_t rows, const bt_run *run,
                                                 bt_redrawn_bags *out, bauta_error *error);

#endif
