/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing orders as a shuffle would, until they tell nothing.
 */
#include "publish/orders.h"

enum { MOST_DRAWS = 1000 };

typedef struct placed {
    uint64_t key;
    uint32_t number; /* of the class */
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

/* The class numbers of the rows in the order that a stream gives them. */
static void draw(const bt_run *run, const bt_order_rows *rows, const char *label, placed *out)
{
    bt_stream stream;
    bt_stream_init(&stream, &run->seed, label, 0);
    for (int64_t row = 0; row < rows->count; row++)
        out[row] = (placed){bt_stream_next(&stream), rows->numbers[row]};
    qsort(out, (size_t)rows->count, sizeof *out, compare_placed);
}

static bool is_sorted(const placed *rows, int64_t count)
{
    bool up = true, down = true;
    for (int64_t i = 1; i < count; i++) {
        up &= rows[i - 1].number <= rows[i].number;
        down &= rows[i - 1].number >= rows[i].number;
    }
    return (up || down) && count > 2;
}

static bool is_same(const placed *one, const placed *other, int64_t count)
{
    bool forward = true, backward = true;
    for (int64_t i = 0; i < count; i++) {
        forward &= one[i].number == other[i].number;
        backward &= one[i].number == other[count - 1 - i].number;
    }
    return forward || backward;
}

/* Names a stream for a file whose order is neither sorted by class nor that of `other` rows. */
static bauta_status draw_order(const bt_run *run, const bt_order_rows *rows, const placed *other,
                               int64_t other_count, placed *out, bt_arena *arena,
                               const char **label, bauta_error *error)
{
    *label = rows->file;
    for (int tried = 1; tried <= MOST_DRAWS; tried++) {
        draw(run, rows, *label, out);
        bool same = other && other_count == rows->count && is_same(out, other, rows->count);
        if (!is_sorted(out, rows->count) && !same) return BAUTA_OK;
        *label = bt_arena_print(arena, "%s %d", rows->file, tried);
        if (!*label) return bt_fail_memory(error);
    }
    return bt_fail(error, BAUTA_INTERNAL,
                   "no order was found that hides which rows belong together");
}

bauta_status bt_orders_choose(const bt_run *run, const bt_order_rows rows[2], bool alike,
                              bt_arena *arena, const char *labels[2], bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    placed *first = bt_arena_array(&scratch, (size_t)rows[0].count, sizeof *first);
    placed *second = bt_arena_array(&scratch, (size_t)rows[1].count, sizeof *second);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(draw_order(run, &rows[0], NULL, 0, first, arena, &labels[0], error));
    return draw_order(run, &rows[1], alike ? NULL : first, rows[0].count, second, arena, &labels[1],
                      error);
}
