/* SPDX-License-Identifier: Apache-2.0
 *
 * A table that is being divided: its quasi codes column by column, in an order of the records in
 * which every part is a run. Looking at a part and dividing it are sequential passes over
 * narrow arrays.
 */
#ifndef BT_RUNS_H
#define BT_RUNS_H

#include "class/grouping.h"

typedef struct bt_runs {
    size_t columns;
    const bt_column *const *quasi; /* borrowed */
    void **codes;                  /* per column, of its width */
    uint32_t *rows;                /* of the table; a block of its own, which may be taken over */
    uint32_t *profiles;            /* NULL: not needed */
    uint64_t *times;               /* how many records each place stands for; NULL: one */
    bt_arena arena;
} bt_runs;

/* The distinct codes of a column in a part, ascending, and how many records have each. */
typedef struct bt_code_counts {
    uint32_t *codes; /* room for the largest domain */
    uint64_t *counts;
    uint32_t distinct;
} bt_code_counts;

/* All records in the order of the table. `profile_of` and `counts` (how many records a row stands
 * for) are copied; they may be NULL. */
BT_MUST_USE bauta_status bt_runs_make(int64_t rows, const bt_column *const *quasi, size_t columns,
                                      const uint32_t *profile_of, const uint64_t *counts,
                                      bt_runs *out, bauta_error *error);
void bt_runs_release(bt_runs *runs);

static inline uint32_t bt_runs_code(const bt_runs *runs, size_t column, uint32_t place)
{
    return bt_code_at(runs->codes[column], runs->quasi[column]->width, place);
}

/* The least and the greatest code of a column in places from..to-1. */
bt_box bt_runs_range(const bt_runs *runs, size_t column, uint32_t from, uint32_t to);

/* Counts the codes of a column in places from..to-1. `zeros` has a place for each code of the
 * domain; they are zero before and after. */
void bt_runs_count(const bt_runs *runs, size_t column, uint32_t from, uint32_t to, uint64_t *zeros,
                   bt_code_counts *out);

/* bt_runs_count for a caller who knows the range: walks over it, which is fast where it is not much
 * wider than there are places. */
void bt_runs_count_range(const bt_runs *runs, size_t column, uint32_t from, uint32_t to,
                         bt_box range, uint64_t *zeros, bt_code_counts *out);

/* What stands at place from+order[i] moves to place from+i, for all i below `count`. `aside` has
 * room for `count` numbers of 32 bits; of 64 where places stand for several records. */
void bt_runs_arrange(const bt_runs *runs, uint32_t from, uint32_t count, const uint32_t *order,
                     void *aside);

#endif
