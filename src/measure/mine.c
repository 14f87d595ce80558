/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding associations.
 */
#include "measure/mine.h"

#include "base/bitset.h"

#include <string.h>

static const double near = 1e-9; /* relative: expected counts are not whole */

typedef struct item {
    uint32_t column, code;
    uint64_t *all;  /* rows that have it */
    uint64_t *some; /* rows with s that have it, numbered among those with s; shares: NULL */
} item;

typedef struct miner {
    const bt_mine_job *job;
    bt_rules *rules;
    size_t words; /* of a set of rows */
    /* for one value s */
    uint32_t value;
    double value_rows;
    uint32_t *rows; /* rows with s; shares: all rows */
    size_t row_count, some_words;
    double *weight; /* shares: per row, that of s */
    item *items;    /* column by column; there is room for all codes */
    size_t item_count;
    /* the combination that is looked at, value by value */
    size_t *chosen;       /* items */
    uint64_t *all, *some; /* a set for each depth */
} miner;

/* ---- thresholds -------------------------------------------------------------------------- */

static bool reaches(double count, double total, bt_rational least)
{
    return count * (double)least.bottom >= (double)least.top * total * (1 - near) && count > 0;
}

static bool is_frequent(const miner *m, double count)
{
    return reaches(count, (double)m->job->rows, m->job->support);
}

/* ---- one value s ------------------------------------------------------------------------- */

static double weight_of(const bt_mine_job *job, uint32_t value, int64_t row)
{
    if (job->sensitive) return job->sensitive[row] == value;
    return job->share[(size_t)job->class_of[row] * job->values + value];
}

static void list_rows(miner *m)
{
    const bt_mine_job *job = m->job;
    m->row_count = 0;
    for (int64_t row = 0; row < job->rows; row++) {
        double weight = weight_of(job, m->value, row);
        if (m->weight) m->weight[row] = weight;
        if (weight > 0) m->rows[m->row_count++] = (uint32_t)row;
    }
    m->some_words = m->weight ? 0 : bt_bitset_words(m->row_count);
}

/* Puts the rows into the sets of their items; item_of is per code, from 1. */
static void fill_items(miner *m, const bt_codes *column, const uint32_t *item_of)
{
    for (int64_t row = 0; row < m->job->rows; row++) {
        uint32_t number = item_of[bt_code_at(column->codes, column->width, row)];
        if (number > 0) bt_bitset_add(m->items[number - 1].all, (size_t)row);
    }
    for (size_t i = 0; i < m->row_count && !m->weight; i++) {
        uint32_t number = item_of[bt_code_at(column->codes, column->width, m->rows[i])];
        if (number > 0) bt_bitset_add(m->items[number - 1].some, i);
    }
}

/* The values of a column that are frequent among the rows with s. */
static bauta_status list_column(miner *m, uint32_t number, bt_arena *sets, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_codes *column = &m->job->quasi[number];
    const bool *left_out = m->job->left_out ? m->job->left_out[number] : NULL;
    double *held = bt_arena_array(&scratch, column->count, sizeof *held);
    uint32_t *item_of = bt_arena_array(&scratch, column->count, sizeof *item_of);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < m->row_count; i++)
        held[bt_code_at(column->codes, column->width, m->rows[i])] +=
            m->weight ? m->weight[m->rows[i]] : 1;
    for (uint32_t code = 0; code < column->count; code++) {
        if (!is_frequent(m, held[code]) || (left_out && left_out[code])) continue;
        item *made = &m->items[m->item_count++];
        *made = (item){.column = number, .code = code};
        made->all = bt_arena_array(sets, m->words, sizeof *made->all);
        if (!m->weight) made->some = bt_arena_array(sets, m->some_words, sizeof *made->some);
        BT_TRY(bt_arena_check(sets, error));
        item_of[code] = (uint32_t)m->item_count;
    }
    fill_items(m, column, item_of);
    return BAUTA_OK;
}

/* ---- combinations ------------------------------------------------------------------------ */

static size_t intersect(uint64_t *out, const uint64_t *one, const uint64_t *other, size_t words)
{
    size_t count = 0;
    for (size_t i = 0; i < words; i++) {
        out[i] = one[i] & other[i];
        count += (size_t)__builtin_popcountll(out[i]);
    }
    return count;
}

static double sum_weights(const miner *m, const uint64_t *rows)
{
    double sum = 0;
    for (size_t i = 0; i < m->words; i++)
        for (uint64_t word = rows[i]; word; word &= word - 1)
            sum += m->weight[i * 64 + (size_t)__builtin_ctzll(word)];
    return sum;
}

static bauta_status grow_rules(bt_rules *rules, bauta_error *error)
{
    size_t width = rules->columns + 1, capacity = rules->capacity;
    if (rules->count == BT_RULES_MOST) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "there are more than %d associations", BT_RULES_MOST);
        bt_error_hint(error, "ask for more support or confidence");
        return status;
    }
    if (rules->count < rules->capacity) return BAUTA_OK;
    BT_TRY(bt_array_grow(&rules->both, &capacity, rules->count + 1, sizeof *rules->both, error));
    size_t same = rules->capacity;
    BT_TRY(bt_array_grow(&rules->left, &same, capacity, sizeof *rules->left, error));
    same = rules->capacity;
    BT_TRY(bt_array_grow(&rules->right, &same, capacity, sizeof *rules->right, error));
    same = rules->capacity;
    BT_TRY(bt_array_grow(&rules->items, &same, capacity, width * sizeof *rules->items, error));
    rules->capacity = capacity;
    return BAUTA_OK;
}

static bauta_status add_rule(miner *m, size_t depth, double both, double left, bauta_error *error)
{
    bt_rules *rules = m->rules;
    if (!reaches(both, left, m->job->confidence)) return BAUTA_OK;
    BT_TRY(grow_rules(rules, error));
    uint32_t *items = rules->items + rules->count * (rules->columns + 1);
    memset(items, 0xff, (rules->columns + 1) * sizeof *items);
    items[0] = m->value;
    for (size_t i = 0; i < depth; i++) {
        const item *chosen = &m->items[m->chosen[i]];
        items[chosen->column + 1] = chosen->code;
    }
    rules->both[rules->count] = both;
    rules->left[rules->count] = left;
    rules->right[rules->count++] = m->value_rows;
    return BAUTA_OK;
}

/* Looks at the combination whose last value, number `depth` - 1, was just chosen. */
static bauta_status look(miner *m, size_t depth, bool *frequent, bauta_error *error)
{
    const item *last = &m->items[m->chosen[depth - 1]];
    uint64_t *all = m->all + depth * m->words, *some = m->some + depth * m->some_words;
    double both, left;
    if (m->weight) {
        left = (double)intersect(all, all - m->words, last->all, m->words);
        both = is_frequent(m, left) ? sum_weights(m, all) : 0;
        *frequent = is_frequent(m, both);
    } else {
        both = (double)intersect(some, some - m->some_words, last->some, m->some_words);
        *frequent = is_frequent(m, both);
        if (!*frequent) return BAUTA_OK;
        left = (double)intersect(all, all - m->words, last->all, m->words);
    }
    return *frequent ? add_rule(m, depth, both, left, error) : BAUTA_OK;
}

/* Depth first: chosen[0..depth-1] are ascending, each of another column. */
static bauta_status combine(miner *m, bauta_error *error)
{
    size_t depth = 0, next = 0;
    for (;;) {
        while (depth > 0 && next < m->item_count &&
               m->items[next].column == m->items[m->chosen[depth - 1]].column)
            next++;
        if (next == m->item_count) {
            if (depth == 0) return BAUTA_OK;
            next = m->chosen[--depth] + 1;
            continue;
        }
        bool frequent;
        m->chosen[depth] = next++;
        BT_TRY(look(m, depth + 1, &frequent, error));
        if (frequent) depth++;
    }
}

static bauta_status mine_value(miner *m, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena sets = {0};
    size_t depths = m->job->columns + 1;
    list_rows(m);
    m->item_count = 0;
    for (uint32_t c = 0; c < m->job->columns; c++)
        BT_TRY(list_column(m, c, &sets, error));
    m->some = bt_arena_array(&sets, m->some_words * depths, sizeof *m->some);
    BT_TRY(bt_arena_check(&sets, error));
    memset(m->some, 0xff, m->some_words * sizeof *m->some);
    return combine(m, error);
}

/* ---- all values -------------------------------------------------------------------------- */

bauta_status bt_mine(const bt_mine_job *job, bt_rules *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t depths = job->columns + 1, rows = (size_t)job->rows, codes = 0;
    for (size_t c = 0; c < job->columns; c++)
        codes += job->quasi[c].count;
    *out = (bt_rules){.columns = job->columns};
    miner m = {.job = job, .rules = out, .words = bt_bitset_words(rows)};
    m.rows = bt_arena_array(&scratch, rows, sizeof *m.rows);
    m.items = bt_arena_array(&scratch, codes, sizeof *m.items);
    m.chosen = bt_arena_array(&scratch, depths, sizeof *m.chosen);
    m.all = bt_arena_array(&scratch, m.words * depths, sizeof *m.all);
    if (!job->sensitive) m.weight = bt_arena_array(&scratch, rows, sizeof *m.weight);
    double *held = bt_arena_array(&scratch, job->values, sizeof *held);
    BT_TRY(bt_arena_check(&scratch, error));
    memset(m.all, 0xff, m.words * sizeof *m.all); /* of nothing: all rows */
    for (int64_t row = 0; row < job->rows; row++) {
        if (job->sensitive)
            held[job->sensitive[row]]++;
        else
            for (uint32_t value = 0; value < job->values; value++)
                held[value] += weight_of(job, value, row);
    }
    for (m.value = 0; m.value < job->values; m.value++) {
        m.value_rows = held[m.value];
        if (is_frequent(&m, m.value_rows)) BT_TRY(mine_value(&m, error));
    }
    return BAUTA_OK;
}

void bt_rules_release(bt_rules *rules)
{
    free(rules->items);
    free(rules->both);
    free(rules->left);
    free(rules->right);
    *rules = (bt_rules){0};
}

size_t bt_rule_length(const bt_rules *rules, size_t rule)
{
    const uint32_t *items = bt_rule_items(rules, rule);
    size_t length = 0;
    for (size_t i = 1; i <= rules->columns; i++)
        length += items[i] != BT_NO_ITEM;
    return length;
}

static bool ends_before(const uint32_t *items, size_t from, size_t columns)
{
    for (size_t i = from; i <= columns; i++)
        if (items[i] != BT_NO_ITEM) return false;
    return true;
}

int bt_rule_compare(const uint32_t *one, const uint32_t *other, size_t columns)
{
    size_t i = 0;
    while (i <= columns && one[i] == other[i])
        i++;
    if (i > columns) return 0;
    if (one[i] == BT_NO_ITEM) return ends_before(one, i, columns) ? -1 : 1;
    if (other[i] == BT_NO_ITEM) return ends_before(other, i, columns) ? 1 : -1;
    return one[i] < other[i] ? -1 : 1;
}
