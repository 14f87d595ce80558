/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: distinct rows and distinct records, and those of them that agree in all columns
 * outside of a set of quasi columns. Only src/audit may include this.
 *
 * Cost: linear in the distinct tuples times columns.
 */
#ifndef BT_BUCKETS_H
#define BT_BUCKETS_H

#include "class/mechanism.h"
#include "reading/compared.h"

typedef struct bt_distinct { /* the rows of a release, or the records of the original */
    bt_tuples tuples;        /* in all columns of bt_compared */
    bt_codes *columns;       /* per column: the codes of the tuples, 4 bytes each */
    size_t quasi, count;     /* columns */
} bt_distinct;

/* `codes` are the columns of all rows (NULL: out of memory). The caller releases out->tuples, also
 * after a failure; the rest is the arena's. */
BT_MUST_USE bauta_status bt_distinct_take(const bt_compared *compared, const bt_codes *codes,
                                          int64_t rows, const bt_run *run, bt_arena *arena,
                                          bt_distinct *out, bauta_error *error);

static inline uint32_t bt_distinct_code(const bt_distinct *side, size_t column, uint32_t tuple)
{
    return ((const uint32_t *)side->columns[column].codes)[tuple];
}

/* ---- sets of quasi columns, as bits ---- */

static inline uint64_t bt_set_first(const bt_mechanism *mechanism)
{
    return mechanism->lambda < 64 ? ((uint64_t)1 << mechanism->lambda) - 1 : ~(uint64_t)0;
}

/* The next larger set that has as many columns; 0: there is none. No set is empty. */
static inline uint64_t bt_set_next(uint64_t set, const bt_mechanism *mechanism)
{
    uint64_t lowest = set & (0 - set), carried = set + lowest;
    uint64_t next = carried | (set ^ carried) >> __builtin_ctzll(set) >> 2;
    return carried == 0 || (mechanism->columns < 64 && next >> mechanism->columns) ? 0 : next;
}

/* ---- buckets ---- */

typedef struct bt_buckets {
    bt_tuples tuples; /* one for each bucket */
    uint32_t *of;     /* per tuple of the side: its bucket */
    bt_tuple_index *index;
} bt_buckets;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_buckets_make(const bt_distinct *side, uint64_t set, const bt_run *run,
                                         bt_buckets *out, bauta_error *error);
void bt_buckets_release(bt_buckets *buckets);

/* The bucket of a tuple of either side; BT_TUPLE_NONE: no tuple of this side is in it. `codes` has
 * room for all columns. */
uint32_t bt_buckets_find(const bt_buckets *buckets, const bt_distinct *from, uint64_t set,
                         uint32_t tuple, uint32_t *codes);

#endif
