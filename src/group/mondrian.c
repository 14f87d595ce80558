/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian: strict multidimensional recoding by recursive cuts (LeFevre, DeWitt and
 * Ramakrishnan 2006; order=round-robin is the variant of paper 5).
 *
 * A part is a run of places, each a row, or a tuple that several rows have. Its quasi codes are
 * held column by column in the order of the rows, so that looking at a part and cutting it are
 * sequential passes over narrow arrays; a cut partitions every column stably. Among the cuts of a
 * column whose sides both satisfy the requirements the one nearest to the middle is taken (ties:
 * the smaller left side).
 *
 *   order=widest       the column whose cell loses most, the next one only if it has no cut
 *   order=gain         of the three widest columns with a cut the one whose cut saves most loss,
 *                      counted over all columns; parts that can make more than 16 classes take
 *                      the widest, since a cut of many rows hardly narrows the other columns
 *   order=round-robin  the next column in turn after the one cut before
 *   cuts=hierarchy     a column with a hierarchy is cut between children of the covering node
 *   cuts=order         … anywhere
 *   minimal=no         a part that could be cut may stay as it is (more.c)
 *   minimal=FACTOR     one of the cuts that quasi values propose is drawn, with chances that hardly
 *                      depend on any one sensitive value, or none (mondrian_draw.c)
 *
 * Which column is cut stands in mondrian_choose.c, and where in mondrian_column.c. Losses are
 * weighed (class/steer.h); values that min-level does not tell apart are never cut.
 * A column in which a part mixes missing and present values is cut between these first.
 *
 * Time O(n * columns * depth); memory: a copy of the quasi codes, the row numbers, and
 * buffers of up to 9 bytes per row. Parts are independent and cut in parallel; the result
 * does not depend on the order, since classes are numbered by their place.
 */
#include "group/mondrian.h"
#include "base/bitset.h"
#include "class/steer.h"

#include <string.h>

enum { LOCAL_ROWS = 1 << 14 }; /* smaller parts stay with the worker that made them */
/* The turn of what is not yet divided into the parts that the job begins with. */
enum { ALL_PARTS = UINT32_MAX };

/* ---- cutting ----------------------------------------------------------------------------- */

/* Where the rows of the two sides stand: left ones from w->places on, right ones after a gap of
 * one. Without branches: every place is written to both sides, and one of them counts. */
static bauta_status find_places(const bt_mondrian *m, const bt_mondrian_part *p,
                                const bt_mondrian_cut *chosen, bt_mondrian_worker *w,
                                bauta_error *error)
{
    uint32_t size = p->end - p->start, l = 0, r = 0;
    BT_TRY(bt_mondrian_mark_right(m, p, chosen, w, error));
    BT_TRY(
        bt_array_grow(&w->places, &w->places_capacity, (size_t)size + 2, sizeof *w->places, error));
    uint32_t *left = w->places, *right = w->places + chosen->left + 1;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t goes = w->goes_right[i] & 1;
        left[l] = i;
        right[r] = i;
        r += goes;
        l += 1 - goes;
    }
    return BAUTA_OK;
}

/* Stable: left rows move down in place after the right ones were set aside. */
#define MOVE(type, array)                                                                          \
    do {                                                                                           \
        type *codes = (type *)(array) + p->start, *aside = (type *)w->moved;                       \
        const uint32_t *left = w->places, *right = w->places + chosen->left + 1;                   \
        for (uint32_t i = 0; i < rest; i++)                                                        \
            aside[i] = codes[right[i]];                                                            \
        for (uint32_t i = 0; i < chosen->left; i++)                                                \
            codes[i] = codes[left[i]];                                                             \
        memcpy(codes + chosen->left, aside, rest * sizeof *codes);                                 \
    } while (0)

static bauta_status apply(const bt_mondrian *m, const bt_mondrian_part *p,
                          const bt_mondrian_cut *chosen, bt_mondrian_worker *w, bauta_error *error)
{
    uint32_t rest = p->end - p->start - chosen->left;
    BT_TRY(find_places(m, p, chosen, w, error));
    size_t words = m->runs.times ? rest : ((size_t)rest + 1) / 2;
    BT_TRY(bt_array_grow(&w->moved, &w->moved_capacity, words, sizeof *w->moved, error));
    for (size_t c = 0; c < m->columns; c++) {
        if (w->ranges[c].lo == w->ranges[c].hi) continue; /* all codes are the same */
        switch (m->quasi[c]->width) {
        case 1: MOVE(uint8_t, m->runs.codes[c]); break;
        case 2: MOVE(uint16_t, m->runs.codes[c]); break;
        default: MOVE(uint32_t, m->runs.codes[c]); break;
        }
    }
    MOVE(uint32_t, m->runs.rows);
    if (m->runs.profiles) MOVE(uint32_t, m->runs.profiles);
    if (m->runs.times) MOVE(uint64_t, m->runs.times);
    return BAUTA_OK;
}

/* Classes are numbered by their places, whoever finishes them. */
static void finish_class(bt_mondrian *m, const bt_mondrian_part *p)
{
    __atomic_fetch_or(&m->starts[p->start / 64], (uint64_t)1 << (p->start % 64), __ATOMIC_RELAXED);
}

static bauta_status keep_for_later(bt_mondrian_worker *w, const bt_mondrian_part *p,
                                   bauta_error *error)
{
    BT_TRY(
        bt_array_grow(&w->stack, &w->stack_capacity, w->stack_count + 1, sizeof *w->stack, error));
    w->stack[w->stack_count++] = *p;
    return BAUTA_OK;
}

static bauta_status hand_out(bt_worklist *list, bt_mondrian_worker *w, const bt_mondrian_part *p,
                             bauta_error *error)
{
    if (p->end - p->start > LOCAL_ROWS) return bt_worklist_push(list, p, error);
    return keep_for_later(w, p, error);
}

/* How many records stand at places from..to-1. */
static uint64_t count_records(const bt_mondrian *m, uint32_t from, uint32_t to)
{
    uint64_t records = 0;
    if (!m->runs.times) return to - from;
    for (uint32_t i = from; i < to; i++)
        records += m->runs.times[i];
    return records;
}

static bauta_status hand_out_parts(const bt_mondrian *m, bt_worklist *list, bt_mondrian_worker *w,
                                   bauta_error *error)
{
    const bt_parts *parts = m->job->parts;
    uint64_t first = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        bt_mondrian_part p = {.start = parts->starts[i],
                              .end = parts->starts[i + 1],
                              .left = bt_mondrian_factor(m->factor)};
        p.first = first;
        p.size = count_records(m, p.start, p.end);
        first += p.size;
        BT_TRY(hand_out(list, w, &p, error));
    }
    return BAUTA_OK;
}

/* Cuts a part and all that comes of it; large right sides are handed to other workers. */
static bauta_status visit(void *user, bt_worklist *list, const void *item, unsigned number,
                          bauta_error *error)
{
    bt_mondrian *m = user;
    bt_mondrian_worker *w = &m->workers[number];
    bt_mondrian_part p;
    memcpy(&p, item, sizeof p);
    if (p.turn == ALL_PARTS) {
        BT_TRY(hand_out_parts(m, list, w, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
    for (;;) {
        bt_mondrian_cut chosen;
        BT_TRY(m->factor ? bt_mondrian_draw(m, &p, w, &chosen, error)
                         : bt_mondrian_choose(m, &p, w, &chosen, error));
        if (chosen.code != BT_NO_CUT) {
            BT_TRY(apply(m, &p, &chosen, w, error));
            p.turn = (uint32_t)((chosen.column + 1) % m->columns);
            bt_mondrian_part right = p;
            p.end = right.start = p.start + chosen.left;
            p.size = chosen.records;
            right.first += chosen.records;
            right.size -= chosen.records;
            BT_TRY(hand_out(list, w, &right, error));
            continue;
        }
        finish_class(m, &p);
        BT_TRY(
            bt_run_progress(m->job->run, number, "grouping", p.start, m->job->table->rows, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
}

/* ---- the method -------------------------------------------------------------------------- */

static bauta_status make_worker(const bt_mondrian *m, bt_mondrian_worker *w, bauta_error *error)
{
    uint32_t largest = 1;
    for (size_t c = 0; c < m->columns; c++)
        if (m->quasi[c]->domain.size > largest) largest = m->quasi[c]->domain.size;
    w->counts = bt_array_zero(largest, sizeof *w->counts);
    w->view.codes = bt_array(largest, sizeof *w->view.codes);
    w->view.counts = bt_array(largest, sizeof *w->view.counts);
    w->ranges = bt_array(m->columns, sizeof *w->ranges);
    w->widths = bt_array(m->columns, sizeof *w->widths);
    w->borders = bt_array(largest, sizeof *w->borders);
    w->border_codes = bt_array(largest, sizeof *w->border_codes);
    w->border_sizes = bt_array(largest, sizeof *w->border_sizes);
    if (!w->counts || !w->view.codes || !w->view.counts || !w->ranges || !w->widths ||
        !w->borders || !w->border_codes || !w->border_sizes)
        return bt_fail_memory(error);
    if (!m->runs.profiles) return BAUTA_OK;
    if (m->factor) {
        w->tallied =
            bt_array_zero(2 * (size_t)m->job->requirements->people->profiles, sizeof *w->tallied);
        w->proposals = bt_array(m->columns, sizeof *w->proposals);
        w->grown = bt_array(m->columns, sizeof *w->grown);
        if (!w->tallied || !w->proposals || !w->grown) return bt_fail_memory(error);
    }
    return bt_sides_new(m->job->requirements->people, &w->sides, error);
}

static void free_worker(bt_mondrian_worker *w)
{
    free(w->counts);
    free(w->view.codes);
    free(w->view.counts);
    free(w->ranges);
    free(w->widths);
    free(w->goes_right);
    free(w->places);
    free(w->moved);
    bt_sides_free(w->sides);
    free(w->borders);
    free(w->border_codes);
    free(w->border_sizes);
    free(w->sorted);
    free(w->sorted_times);
    free(w->tallied);
    bt_arena_release(&w->told);
    free(w->proposals);
    free(w->grown);
    free(w->ranked);
    free(w->stack);
}

static bauta_status refuse_factor(const bt_mondrian *m, bauta_error *error)
{
    bool persons = bt_people_by_row(m->job->requirements->people);
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "'mondrian:minimal=FACTOR' cannot bound anything %s",
                persons ? "where persons have several rows"
                        : "where requirements also hold given another sensitive value");
    bt_error_hint(error, persons ? "take minimal=yes, which states no bound"
                                 : "take minimal=yes, which states no bound, or joint: none");
    return status;
}

static bauta_status prepare(bt_mondrian *m, bauta_error *error)
{
    size_t rows = (size_t)m->job->table->rows;
    m->starts = bt_array_zero(bt_bitset_words(rows), sizeof *m->starts);
    m->workers = bt_array_zero(m->worker_count, sizeof *m->workers);
    if (!m->starts || !m->workers) return bt_fail_memory(error);
    m->by_row = bt_people_by_row(m->job->requirements->people);
    BT_TRY(bt_parts_runs(m->job, m->quasi, m->columns, &m->runs, error));
    int64_t minimal = m->job->options[BT_MONDRIAN_MINIMAL].integer;
    if (m->runs.profiles && minimal >= BT_MINIMAL_FACTOR) m->factor = (uint64_t)minimal;
    if (m->factor && !bt_requirements_have_slack(m->job->requirements))
        return refuse_factor(m, error);
    for (unsigned i = 0; i < m->worker_count; i++)
        BT_TRY(make_worker(m, &m->workers[i], error));
    return BAUTA_OK;
}

typedef struct gatherer {
    const bt_mondrian *m;
    bt_grouping *out;
} gatherer;

enum { GATHERED_AT_ONCE = 4096 };

static bauta_status gather_boxes(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    (void)error;
    const gatherer *g = user;
    size_t columns = g->m->columns, from = task * GATHERED_AT_ONCE, to = from + GATHERED_AT_ONCE;
    if (to > g->out->classes) to = g->out->classes;
    for (size_t i = from; i < to; i++) {
        bt_mondrian_part p = {.start = g->out->starts[i], .end = g->out->starts[i + 1]};
        for (size_t c = 0; c < columns; c++)
            g->out->boxes[i * columns + c] = bt_runs_range(&g->m->runs, c, p.start, p.end);
    }
    return BAUTA_OK;
}

static bauta_status gather(bt_mondrian *m, bt_grouping *out, bauta_error *error)
{
    size_t words = bt_bitset_words((size_t)m->job->table->rows), classes = 0, next = 0;
    for (size_t i = 0; i < words; i++)
        classes += (size_t)__builtin_popcountll(m->starts[i]);
    *out = (bt_grouping){.rows = m->job->table->rows,
                         .kept = m->job->table->rows,
                         .order = m->runs.rows,
                         .classes = (uint32_t)classes,
                         .columns = m->columns};
    m->runs.rows = NULL;
    out->starts = bt_array(classes + 1, sizeof *out->starts);
    out->boxes = bt_array(classes * m->columns, sizeof *out->boxes);
    if (!out->starts || !out->boxes) return bt_fail_memory(error);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = m->starts[i]; left != 0; left &= left - 1)
            out->starts[next++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(left));
    out->starts[next] = (uint32_t)out->kept;
    gatherer g = {m, out};
    return bt_pool_run(m->job->run->pool, (classes + GATHERED_AT_ONCE - 1) / GATHERED_AT_ONCE,
                       gather_boxes, &g, error);
}

static bool any_hierarchy(const bt_mondrian *m)
{
    for (size_t c = 0; c < m->columns; c++)
        if (m->quasi[c]->hierarchy) return true;
    return false;
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    bt_mondrian m = {.job = job,
                     .least = bt_requirements_least_size(job->requirements),
                     .worker_count = bt_pool_size(job->run->pool)};
    *out = (bt_grouping){0};
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &m.quasi, &m.columns, error));
    bauta_status status = prepare(&m, error);
    bt_mondrian_part whole = {.end = (uint32_t)job->table->rows,
                              .turn = job->parts ? ALL_PARTS : 0};
    if (status == BAUTA_OK) whole.size = count_records(&m, 0, whole.end);
    whole.left = bt_mondrian_factor(m.factor);
    if (status == BAUTA_OK)
        status = bt_worklist_run(job->run->pool, &whole, sizeof whole, visit, &m, error);
    if (status == BAUTA_OK) status = gather(&m, out, error);
    if (status == BAUTA_OK) status = bt_grouping_floors(out, m.quasi, error);
    if (status == BAUTA_OK) bt_grouping_tighten(out, m.quasi);
    if (status == BAUTA_OK && any_hierarchy(&m))
        status = bt_grouping_unite(out, m.quasi, job->run, error);
    for (unsigned i = 0; m.workers && i < m.worker_count; i++)
        free_worker(&m.workers[i]);
    free(m.workers);
    bt_runs_release(&m.runs);
    free(m.starts);
    free(m.quasi);
    return status;
}

static const bt_param params[] = {
    [BT_MONDRIAN_ORDER] =
        {.name = "order",
         .type = BT_PARAM_CHOICE,
         .choices = "gain|widest|round-robin",
         .fallback = "gain",
         .help = "which column is cut: the one that saves most loss, the widest, or the "
                 "next in turn"},
    [BT_MONDRIAN_CUTS] = {.name = "cuts",
                          .type = BT_PARAM_CHOICE,
                          .choices = "hierarchy|order",
                          .fallback = "hierarchy",
                          .help =
                              "where a column with a hierarchy is cut: between children of a node, "
                              "or anywhere"},
    [BT_MONDRIAN_MINIMAL] = BT_PARAM_MINIMAL_FACTOR,
};

static bt_retrace retrace(const bt_value *options)
{
    int64_t minimal = options[BT_MONDRIAN_MINIMAL].integer;
    if (minimal >= BT_MINIMAL_FACTOR)
        return (bt_retrace){.factor = (uint32_t)minimal,
                            .why = "which cut is made is drawn, with chances that hardly depend on "
                                   "any one value: what that may tell is bounded"};
    return (bt_retrace){.kind = BT_RETRACE_DIVISIONS,
                        .any_cut = options[BT_MONDRIAN_CUTS].integer == BT_CUTS_ORDER,
                        .coins = minimal == BT_MINIMAL_NO};
}

const bt_method bt_method_mondrian = {
    .name = "mondrian",
    .summary = "multidimensional recoding: cuts the table in two, again and again",
    .paper = "LeFevre, DeWitt and Ramakrishnan 2006; paper 5",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .divides = true,
    .joins = true,
    .minimal = 1 + BT_MONDRIAN_MINIMAL,
    .bounded = "minimal=4",
    .lowest = true,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
