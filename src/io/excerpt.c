/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeping the rows that come first in the order of hashed places.
 */
#include "io/excerpt.h"

#include <string.h>

static int compare_ranks(const void *a, const void *b)
{
    const bt_excerpt_row *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

void bt_excerpt_settle(bt_excerpt *excerpt)
{
    if (excerpt->count == 0) return;
    qsort(excerpt->rows, excerpt->count, sizeof *excerpt->rows, compare_ranks);
    if (excerpt->count < BT_EXCERPT_ROWS) return;
    excerpt->count = BT_EXCERPT_ROWS;
    excerpt->full = true;
    excerpt->last = excerpt->rows[BT_EXCERPT_ROWS - 1].rank;
}

static bauta_status append(bt_excerpt *excerpt, const bt_excerpt_row *row, bauta_error *error)
{
    if (excerpt->count == 2 * BT_EXCERPT_ROWS) bt_excerpt_settle(excerpt);
    BT_TRY(bt_array_grow(&excerpt->rows, &excerpt->capacity, excerpt->count + 1,
                         sizeof *excerpt->rows, error));
    excerpt->rows[excerpt->count++] = *row;
    return BAUTA_OK;
}

bauta_status bt_excerpt_add(bt_excerpt *excerpt, size_t block, int64_t row, const bt_batch *batch,
                            size_t at, const size_t *columns, size_t count, bauta_error *error)
{
    bt_excerpt_text *texts = bt_arena_array(&excerpt->arena, count, sizeof *texts);
    if (!texts) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_span field;
        BT_TRY(bt_batch_text(batch, columns[i], at, &field, error));
        const char *copy = bt_arena_copy(&excerpt->arena, field.bytes, field.length);
        if (!copy) return bt_fail_memory(error);
        texts[i] = (bt_excerpt_text){copy, field.length};
    }
    const bt_excerpt_row kept = {bt_excerpt_rank(block, row), block, row, texts};
    return append(excerpt, &kept, error);
}

bauta_status bt_excerpt_merge(bt_excerpt *into, const bt_excerpt *from, bauta_error *error)
{
    for (size_t i = 0; i < from->count; i++)
        if (bt_excerpt_wants(into, from->rows[i].rank)) BT_TRY(append(into, &from->rows[i], error));
    bt_excerpt_settle(into);
    return BAUTA_OK;
}

void bt_excerpt_release(bt_excerpt *excerpt)
{
    free(excerpt->rows);
    bt_arena_release(&excerpt->arena);
    *excerpt = (bt_excerpt){0};
}
