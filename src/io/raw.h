/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of bt_raw: codes as the workers made them, block by block. Only src/io includes
 * this.
 */
#ifndef BT_RAW_H
#define BT_RAW_H

#include "io/check.h"
#include "io/coder.h"
#include "io/input.h"
#include "io/watch.h"

typedef struct bt_raw_codes { /* one column of one block */
    void *codes;
    unsigned width;
} bt_raw_codes;

typedef struct bt_raw_block {
    int64_t first, rows;   /* first: number of rows before it */
    unsigned worker;       /* whose dictionaries the codes belong to */
    bt_raw_codes *columns; /* per coded column */
} bt_raw_block;

typedef struct bt_raw_worker {
    bt_coder *coders;     /* per coded column */
    bt_checker *checkers; /* per checked column */
    bt_watcher *watchers; /* per watched column */
    bt_sampler together;
} bt_raw_worker;

struct bt_raw {
    size_t columns; /* of the input */
    size_t *place;  /* input column -> place among the coded or the checked ones */
    size_t coded, checked, watched;
    size_t *coded_column, *checked_column,
        *watched_column; /* the input columns themselves, ascending */
    bt_watch_key watch_key;
    int64_t rows;
    bt_raw_block *blocks;
    size_t block_count;
    bt_raw_worker *workers;
    unsigned worker_count;
    /* after merging */
    bt_values *values;   /* per coded column */
    uint32_t ***global;  /* [coded column][worker]: worker's code -> place in values */
    int64_t **rows_of;   /* per coded column: rows of each value */
    bt_coder *merged;    /* per coded column: owns the arrays that `values` points at */
    bt_check *checks;    /* per checked column */
    bt_repeats *repeats; /* per watched column */
    int64_t unique_together;
    bt_arena texts; /* transcoded values */
};

BT_MUST_USE bauta_status bt_raw_new(const bt_use *uses, size_t columns, size_t blocks,
                                    unsigned workers, bt_raw **out, bauta_error *error);

/* Keeps a block's codes (rows codes of 32 bits per coded column, at most `highest`) in the
 * narrowest width. */
BT_MUST_USE bauta_status bt_raw_keep(bt_raw_block *block, size_t place, const uint32_t *codes,
                                     uint32_t highest, bauta_error *error);

/* Unites the workers' dictionaries and checks. */
BT_MUST_USE bauta_status bt_raw_merge(bt_raw *raw, const bt_input_options *options,
                                      const bt_run *run, bauta_error *error);

#endif
