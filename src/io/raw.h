/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of bt_raw: codes as the workers made them, block by block. Only src/io includes
 * this.
 */
#ifndef BT_RAW_H
#define BT_RAW_H

#include "base/singles.h"
#include "io/chain.h"
#include "io/check.h"
#include "io/excerpt.h"
#include "io/input.h"
#include "io/relay.h"
#include "io/watch.h"

typedef struct bt_raw_codes { /* one column of one block */
    void *codes;
    unsigned width;
} bt_raw_codes;

typedef struct bt_raw_block {
    int64_t first, rows;   /* first: number of rows before it */
    unsigned worker;       /* whose dictionaries the codes belong to */
    bt_raw_codes *columns; /* per coded column */
    bt_chain *chains;      /* per checked column; NULL: not wanted */
} bt_raw_block;

typedef struct bt_raw_worker {
    bt_coder *coders;     /* per coded column */
    bt_relay *relays;     /* what feeds them */
    bt_checker *checkers; /* per checked column */
    bt_watcher *watchers; /* see bt_raw.watchers */
    bt_lately *lately;    /* rows, in the columns that are counted together */
    bt_words *row;        /* its texts in the columns of a set */
    bt_excerpt excerpt;
} bt_raw_worker;

typedef struct bt_raw_set { /* columns whose texts are looked at together */
    size_t count;
    size_t *columns;     /* of the input */
    bt_singles *singles; /* while reading; NULL: a single coded column is counted without */
    int64_t alone;       /* after merging */
} bt_raw_set;

struct bt_raw {
    size_t columns;                 /* of the input */
    size_t *place;                  /* input column -> place among the coded or the checked ones */
    size_t coded, checked, watched; /* checked: with those that are only read */
    size_t *lone; /* per checked column: its watcher, where rows alone are counted; or SIZE_MAX */
    size_t watchers; /* of the watched columns, of the lone ones, of the latter together */
    size_t together; /* that last one; SIZE_MAX: there is none */
    size_t *coded_column, *checked_column,
        *watched_column; /* the input columns themselves, ascending */
    bt_raw_set sets[BT_USE_SETS];
    size_t *excerpted; /* the checked columns of the sets, in the input: their texts are kept for
                          some rows */
    size_t excerpted_count;
    bt_excerpt excerpt; /* after merging; its texts are the workers' */
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
    bt_repeats *repeats; /* per watcher */
    bt_arena texts;      /* transcoded values */
};

BT_MUST_USE bauta_status bt_raw_new(const bt_use *uses, size_t columns, size_t blocks,
                                    const bt_run *run, bt_raw **out, bauta_error *error);

/* Keeps a block's codes (rows codes of 32 bits per coded column, at most `highest`) in the
 * narrowest width. */
BT_MUST_USE bauta_status bt_raw_keep(bt_raw_block *block, size_t place, const uint32_t *codes,
                                     uint32_t highest, bauta_error *error);

/* Unites the workers' dictionaries and checks. */
BT_MUST_USE bauta_status bt_raw_merge(bt_raw *raw, const bt_input_options *options,
                                      const bt_run *run, bauta_error *error);

#endif
