/* SPDX-License-Identifier: Apache-2.0
 *
 * Every pair of columns, in one pass over the rows that ends at the first contradiction: most pairs
 * end after a few rows. Memory: 12 bytes for each value of the largest column.
 */
#include "profile/same.h"

#include <string.h>

enum { LEAST_PROOFS = 10 }; /* records, or values, that are not of the most frequent value */

typedef struct search {
    const bt_table *table;
    size_t *columns; /* columns that are looked at */
    size_t count;
    uint32_t *most; /* of each of these: the code with most rows */
    uint32_t *seen; /* per code of the column looked from: the number of the pair it was seen in, */
    uint32_t *value; /* and the code of the other column then */
    uint32_t *last;  /* per code of the other column: the number of the pair in which a run ended */
    uint32_t pair;
} search;

static uint32_t most_frequent(const bt_column *column, int64_t rows, uint32_t *room)
{
    uint32_t most = 0;
    memset(room, 0, (size_t)column->domain.size * sizeof *room);
    for (int64_t row = 0; row < rows; row++)
        room[bt_column_code(column, row)]++;
    for (uint32_t code = 1; code < column->domain.size; code++)
        if (room[code] > room[most]) most = code;
    return most;
}

/* Whether each value of `to` is one range of `from`, or both rise or fall together. */
static bool has_ranges(search *s, const bt_column *from, const bt_column *to, uint32_t most)
{
    uint32_t present = bt_domain_present(&from->domain), values = 0, runs = 0, proofs = 0;
    bool once = true, rises = to->domain.number != NULL, falls = rises;
    uint32_t before = UINT32_MAX;
    if (from->domain.reading.type == BT_TEXT) return false;
    for (uint32_t code = 0; code < present; code++) {
        if (s->seen[code] != s->pair) continue;
        uint32_t value = s->value[code];
        values++;
        proofs += value != most;
        if (value == before) continue;
        runs++;
        once = once && s->last[value] != s->pair;
        s->last[value] = s->pair;
        if (before != UINT32_MAX && rises)
            rises = to->domain.number[value] > to->domain.number[before];
        if (before != UINT32_MAX && falls)
            falls = to->domain.number[value] < to->domain.number[before];
        before = value;
    }
    return proofs >= LEAST_PROOFS && (rises || falls || (once && values / 2 >= runs));
}

/* Whether column `of` follows from column `from`; both are places in s->columns. */
static bool follows(search *s, size_t from, size_t of, bool *ranges)
{
    const bt_column *a = &s->table->columns[s->columns[from]];
    const bt_column *b = &s->table->columns[s->columns[of]];
    uint32_t present_a = bt_domain_present(&a->domain), present_b = bt_domain_present(&b->domain);
    int64_t proofs = 0;
    s->pair++;
    for (int64_t row = 0; row < s->table->rows; row++) {
        uint32_t x = bt_column_code(a, row), y = bt_column_code(b, row);
        if (x >= present_a || y >= present_b) continue;
        if (s->seen[x] != s->pair) {
            s->seen[x] = s->pair;
            s->value[x] = y;
        } else if (s->value[x] != y) {
            return false;
        } else {
            proofs += y != s->most[of];
        }
    }
    *ranges = has_ranges(s, a, b, s->most[of]);
    return *ranges || proofs >= LEAST_PROOFS;
}

static bauta_status compare_all(search *s, bt_arena *arena, bt_follows **out, size_t *count,
                                bauta_error *error)
{
    BT_OWN(bt_free) bt_follows *found = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = i + 1; k < s->count; k++) {
            bool ranges = false, back_ranges = false;
            bool there = follows(s, i, k, &ranges), back = follows(s, k, i, &back_ranges);
            if (!there && !back) continue;
            BT_TRY(bt_array_grow(&found, &capacity, *count + 1, sizeof *found, error));
            found[(*count)++] = (bt_follows){.from = s->columns[there ? i : k],
                                             .of = s->columns[there ? k : i],
                                             .back = there && back,
                                             .ranges = there ? ranges : back_ranges};
        }
    *out = bt_arena_array(arena, *count, sizeof **out);
    BT_TRY(bt_arena_check(arena, error));
    if (*count > 0) memcpy(*out, found, *count * sizeof *found);
    return BAUTA_OK;
}

bauta_status bt_same_find(const bt_table *table, const bool *considered, bt_arena *arena,
                          bt_follows **out, size_t *count, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t most_codes = 1;
    search s = {.table = table, .columns = bt_arena_array(arena, table->count, sizeof *s.columns)};
    if (!s.columns) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count && s.count < BT_MOST_COMPARED; i++) {
        if (!considered[i] || bt_domain_present(&table->columns[i].domain) < 2) continue;
        s.columns[s.count++] = i;
        if (table->columns[i].domain.size > most_codes) most_codes = table->columns[i].domain.size;
    }
    s.most = bt_arena_array(&scratch, s.count, sizeof *s.most);
    s.seen = bt_arena_array(&scratch, most_codes, sizeof *s.seen);
    s.value = bt_arena_array(&scratch, most_codes, sizeof *s.value);
    s.last = bt_arena_array(&scratch, most_codes, sizeof *s.last);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < s.count; i++)
        s.most[i] = most_frequent(&table->columns[s.columns[i]], table->rows, s.value);
    return compare_all(&s, arena, out, count, error);
}
