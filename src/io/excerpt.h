/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts of a fixed number of rows, chosen while all are read: those whose places in the file
 * come first when the places are hashed. So the choice follows from the file alone, whoever reads
 * which part of it, and does not follow its order.
 */
#ifndef BT_EXCERPT_H
#define BT_EXCERPT_H

#include "io/batch.h"

enum { BT_EXCERPT_ROWS = 8192 };

typedef struct bt_excerpt_text {
    const char *bytes;
    uint32_t length;
} bt_excerpt_text;

typedef struct bt_excerpt_row {
    uint64_t rank;
    size_t block;
    int64_t row;                  /* in the block, and once all blocks are read, in the table */
    const bt_excerpt_text *texts; /* one per column that is kept */
} bt_excerpt_row;

typedef struct bt_excerpt { /* zeroed: empty */
    bt_excerpt_row *rows;
    size_t count, capacity;
    bool full; /* there are enough: rows ranked above `last` are not wanted */
    uint64_t last;
    bt_arena arena; /* texts */
} bt_excerpt;

static inline uint64_t bt_excerpt_rank(size_t block, int64_t row)
{
    uint64_t h = ((uint64_t)block << 32) + (uint64_t)row + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

static inline bool bt_excerpt_wants(const bt_excerpt *excerpt, uint64_t rank)
{
    return !excerpt->full || rank <= excerpt->last;
}

/* Takes a row that is wanted, number `at` of a batch; its texts in `columns` are kept. */
BT_MUST_USE bauta_status bt_excerpt_add(bt_excerpt *excerpt, size_t block, int64_t row,
                                        const bt_batch *batch, size_t at, const size_t *columns,
                                        size_t count, bauta_error *error);

/* Takes the rows of another excerpt, whose texts stay there. */
BT_MUST_USE bauta_status bt_excerpt_merge(bt_excerpt *into, const bt_excerpt *from,
                                          bauta_error *error);

/* Leaves the rows that come first, by rank. */
void bt_excerpt_settle(bt_excerpt *excerpt);

void bt_excerpt_release(bt_excerpt *excerpt);

#endif
