/* SPDX-License-Identifier: Apache-2.0
 *
 * Ordering rows by counting: from the last key to the first, each time stably. A key holds the
 * codes of as many neighbouring columns as fit 16 bits, or half of the bits of one that does not.
 */
#include "table/order.h"

enum { KEYS_MOST = 1 << 16 };

typedef struct ordering {
    const uint32_t *rows;
    uint32_t count;
    uint32_t *order, *spare;
    uint16_t *keys;   /* per place */
    uint32_t *counts; /* per key, and one more */
} ordering;

static void sort_by_keys(ordering *o, uint32_t keys)
{
    for (uint32_t key = 0; key <= keys; key++)
        o->counts[key] = 0;
    for (uint32_t i = 0; i < o->count; i++)
        o->counts[o->keys[i] + 1]++;
    for (uint32_t key = 0; key < keys; key++)
        o->counts[key + 1] += o->counts[key];
    for (uint32_t i = 0; i < o->count; i++)
        o->spare[o->counts[o->keys[o->order[i]]]++] = o->order[i];
    uint32_t *sorted = o->spare;
    o->spare = o->order;
    o->order = sorted;
}

static uint32_t code_of(const ordering *o, const bt_codes *column, uint32_t place)
{
    return bt_code_at(column->codes, column->width, o->rows ? o->rows[place] : place);
}

/* A column with more codes than a key has room for: its low bits, then its high ones. */
static void sort_by_halves(ordering *o, const bt_codes *column)
{
    for (unsigned shift = 0; shift < 32; shift += 16) {
        for (uint32_t i = 0; i < o->count; i++)
            o->keys[i] = (uint16_t)(code_of(o, column, i) >> shift);
        sort_by_keys(o, shift ? ((column->count - 1) >> shift) + 1 : KEYS_MOST);
    }
}

static void sort_by_columns(ordering *o, const bt_codes *columns, size_t count)
{
    for (size_t end = count, first; end > 0; end = first) {
        uint32_t keys = 1;
        for (first = end; first > 0 && columns[first - 1].count <= KEYS_MOST / keys; first--)
            keys *= columns[first - 1].count;
        if (first == end) {
            sort_by_halves(o, &columns[--first]);
            continue;
        }
        for (uint32_t i = 0; i < o->count; i++) {
            uint32_t key = 0;
            for (size_t c = first; c < end; c++)
                key = key * columns[c].count + code_of(o, &columns[c], i);
            o->keys[i] = (uint16_t)key;
        }
        sort_by_keys(o, keys);
    }
}

bauta_status bt_order_rows(const bt_codes *columns, size_t column_count, const uint32_t *rows,
                           uint32_t count, uint32_t *order, bauta_error *error)
{
    uint32_t *spare = bt_array(count, sizeof *spare);
    ordering o = {.rows = rows, .count = count, .order = order, .spare = spare};
    o.keys = bt_array(count, sizeof *o.keys);
    o.counts = bt_array(KEYS_MOST + 1, sizeof *o.counts);
    bool made = spare && o.keys && o.counts;
    for (uint32_t i = 0; made && i < count; i++)
        order[i] = i;
    if (made) sort_by_columns(&o, columns, column_count);
    if (made && o.order != order) memcpy(order, o.order, count * sizeof *order);
    free(spare);
    free(o.keys);
    free(o.counts);
    return made ? BAUTA_OK : bt_fail_memory(error);
}
