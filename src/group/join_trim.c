/* SPDX-License-Identifier: Apache-2.0
 *
 * Trimming: leaving external persons out of classes that have more persons than they need.
 *
 * The sides of a class are the ends of its ranges and nodes and the values of its sets. Whoever is
 * alone at a side supports it: without that person the cells are smaller. The supporter without
 * whom they lose least is next in line; of several the one whose codes come first, column by
 * column.
 *
 *   paper  external persons are left out in turn until there are `least` or none supports a side
 *          (R5 of the notes on paper 5). Then whoever supports a side of a larger class cannot be
 *          external: anyone who has the public database reads off who is in the microdata
 *   safe   the line is made of all persons, not only external ones, so that it tells nothing of who
 *          is who; and before each step a coin decides whether to stop. It ends with the first
 *          record of the microdata in the line. So a class that could go on says of one person, the
 *          next in line, that the coin fell or that the person is in the microdata: the odds of
 * that are at most twice what they were, and of nobody else they changed
 *
 * Time O(size * columns) for each person left out.
 */
#include "class/steer.h"
#include "group/join.h"

#include <string.h>

typedef struct worker {
    uint32_t *counts; /* as many as the largest domain has codes; all zero between uses */
    uint64_t *gains;  /* per row of the class in hand: what is saved without it */
    size_t capacity;
} worker;

typedef struct trimmer {
    bt_join *join;
    const bt_run *run;
    const bt_column **quasi;
    size_t columns; /* of the microdata; the grouping may have more */
    bt_trim how;
    int64_t least;
    uint32_t *left; /* per class: rows that it keeps, at the front of its place in `order` */
    worker *workers;
    unsigned worker_count;
} trimmer;

/* ---- who supports a side ----------------------------------------------------------------- */

typedef struct ends { /* of the codes of a column in a class */
    uint32_t lo, hi;
    uint32_t next_lo, next_hi;   /* the ones after these; lo > hi of a class with one code only */
    uint32_t lo_count, hi_count; /* how many have the code lo, and hi */
    uint32_t distinct;           /* sets only */
} ends;

static bool is_set(const bt_column *column)
{
    return !column->hierarchy && column->domain.reading.type == BT_TEXT;
}

static void see_code(ends *e, uint32_t code)
{
    if (code < e->lo) {
        e->next_lo = e->lo;
        e->lo = code;
        e->lo_count = 0;
    } else if (code > e->lo && code < e->next_lo) {
        e->next_lo = code;
    }
    if (code > e->hi || e->hi_count == 0) {
        e->next_hi = e->hi;
        e->hi = code;
        e->hi_count = 0;
    } else if (code < e->hi && code > e->next_hi) {
        e->next_hi = code;
    }
    e->lo_count += code == e->lo;
    e->hi_count += code == e->hi;
}

/* What is saved in a column without the only one who has `code`. */
static uint32_t saved(const bt_column *column, const ends *e, uint32_t code)
{
    uint32_t lo = code == e->lo ? e->next_lo : e->lo;
    uint32_t hi = code == e->hi ? e->next_hi : e->hi;
    uint32_t before = bt_cell_loss(column, e->lo, e->hi, e->distinct);
    uint32_t after = bt_cell_loss(column, lo, hi, e->distinct - 1);
    return before > after ? before - after : 0;
}

/* Adds to w->gains[i] what is saved in a column when row i is left out. */
static void add_gains(const bt_column *column, const uint32_t *rows, uint32_t size, worker *w)
{
    ends e = {.lo = UINT32_MAX, .next_lo = UINT32_MAX};
    bool set = is_set(column);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t code = bt_column_code(column, rows[i]);
        see_code(&e, code);
        if (set) e.distinct += w->counts[code]++ == 0;
    }
    for (uint32_t i = 0; e.lo != e.hi && i < size; i++) {
        uint32_t code = bt_column_code(column, rows[i]);
        bool alone = set ? w->counts[code] == 1
                         : (code == e.lo && e.lo_count == 1) || (code == e.hi && e.hi_count == 1);
        if (alone) w->gains[i] += saved(column, &e, code);
    }
    for (uint32_t i = 0; set && i < size; i++)
        w->counts[bt_column_code(column, rows[i])] = 0;
}

/* Whether the codes of row a come before those of row b. */
static bool comes_before(const trimmer *t, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < t->columns; c++) {
        uint32_t x = bt_column_code(t->quasi[c], a), y = bt_column_code(t->quasi[c], b);
        if (x != y) return x < y;
    }
    return false;
}

/* Who is next in line; `size`: nobody. The line of `paper` has external persons only. */
static uint32_t next_in_line(const trimmer *t, const uint32_t *rows, uint32_t size, worker *w)
{
    uint32_t best = size;
    memset(w->gains, 0, size * sizeof *w->gains);
    for (size_t c = 0; c < t->columns; c++)
        add_gains(t->quasi[c], rows, size, w);
    for (uint32_t i = 0; i < size; i++) {
        if (w->gains[i] == 0) continue;
        if (t->how == BT_TRIM_PAPER && rows[i] < t->join->microdata) continue;
        if (best < size &&
            (w->gains[i] < w->gains[best] ||
             (w->gains[i] == w->gains[best] && !comes_before(t, rows[i], rows[best]))))
            continue;
        best = i;
    }
    return best;
}

/* ---- trimming ---------------------------------------------------------------------------- */

static bauta_status trim_class(const trimmer *t, uint32_t number, worker *w, bauta_error *error)
{
    const bt_grouping *g = &t->join->grouping;
    uint32_t *rows = g->order + g->starts[number], size = (uint32_t)bt_class_size(g, number);
    bt_stream coins;
    bt_stream_init(&coins, &t->run->seed, "trim", number);
    BT_TRY(bt_array_grow(&w->gains, &w->capacity, size, sizeof *w->gains, error));
    while (size > t->least) {
        uint32_t next = next_in_line(t, rows, size, w);
        if (next == size) break;
        if (t->how == BT_TRIM_SAFE && bt_stream_below(&coins, 2) == 0) break;
        if (rows[next] < t->join->microdata) break;
        memmove(rows + next, rows + next + 1, (size - next - 1) * sizeof *rows);
        size--;
    }
    t->left[number] = size;
    return BAUTA_OK;
}

enum { TRIMMED_AT_ONCE = 64 };

static bauta_status trim_some(void *user, size_t task, unsigned number, bauta_error *error)
{
    const trimmer *t = user;
    size_t from = task * TRIMMED_AT_ONCE, to = from + TRIMMED_AT_ONCE;
    if (to > t->join->grouping.classes) to = t->join->grouping.classes;
    for (size_t c = from; c < to; c++)
        BT_TRY(trim_class(t, (uint32_t)c, &t->workers[number], error));
    return BAUTA_OK;
}

/* Moves what the classes keep together, and makes their boxes tight again. */
static void close_up(const trimmer *t)
{
    bt_grouping *g = &t->join->grouping;
    uint32_t end = 0;
    for (uint32_t k = 0; k < g->classes; k++) {
        memmove(g->order + end, g->order + g->starts[k], t->left[k] * sizeof *g->order);
        g->starts[k] = end;
        end += t->left[k];
    }
    g->starts[g->classes] = end;
    g->kept = end;
    for (uint32_t k = 0; k < g->classes; k++)
        for (size_t c = 0; c < t->columns; c++)
            g->boxes[(size_t)k * g->columns + c] = bt_tight_box(g, t->quasi[c], k);
}

static bauta_status make_workers(trimmer *t, bauta_error *error)
{
    uint32_t largest = 1;
    for (size_t c = 0; c < t->columns; c++)
        if (t->quasi[c]->domain.size > largest) largest = t->quasi[c]->domain.size;
    for (unsigned i = 0; i < t->worker_count; i++) {
        t->workers[i].counts = bt_array_zero(largest, sizeof *t->workers[i].counts);
        if (!t->workers[i].counts) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

bauta_status bt_join_trim(bt_join *join, bt_trim how, int64_t least, const bt_run *run,
                          bauta_error *error)
{
    trimmer t = {.join = join,
                 .run = run,
                 .how = how,
                 .least = least,
                 .worker_count = bt_pool_size(run->pool)};
    size_t classes = join->grouping.classes;
    BT_TRY(bt_table_select(&join->table, BT_ROLE_QUASI, &t.quasi, &t.columns, error));
    t.left = bt_array(classes, sizeof *t.left);
    t.workers = bt_array_zero(t.worker_count, sizeof *t.workers);
    bauta_status status = t.left && t.workers ? make_workers(&t, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_pool_run(run->pool, (classes + TRIMMED_AT_ONCE - 1) / TRIMMED_AT_ONCE,
                             trim_some, &t, error);
    if (status == BAUTA_OK) close_up(&t);
    for (unsigned i = 0; t.workers && i < t.worker_count; i++) {
        free(t.workers[i].counts);
        free(t.workers[i].gains);
    }
    free(t.workers);
    free(t.left);
    free(t.quasi);
    return status;
}
