/* SPDX-License-Identifier: Apache-2.0
 *
 * Top-down: local recoding by specialization (Wong, Li, Fu and Wang 2006; Algorithm 1 of papers
 * 1 and 3, for any number of quasi columns and any requirements).
 *
 * All records begin as one part whose node in every column is the root. A part is specialized
 * in one column: its records go to the children of its node. Children that do not satisfy the
 * requirements go back, and so do single records of others where what went back would not
 * satisfy by itself; require/branches.h has the rules. Children become parts of their own. What
 * went back is a class, published with the nodes of the part, and is not specialized again.
 *
 *   attribute=most-specialized  the column in which most records go down (times its weight), of
 *                               those the one with the fewest children, of those the first
 *   attribute=ncp               the column in which the records that go down save most NCP (times
 *                               its weight), of those the first
 *
 * A child that holds all records of a part is gone to before anything else: it satisfies, it
 * costs nothing, and most-specialized prefers it anyway. So the nodes of a part are the lowest
 * ones that cover it. A column without a hierarchy is a flat tree, a value or everything; its
 * cells are ranges and sets as with any method. A value ends at its leaf, at whatever depth, so
 * no record stays above when its siblings go down.
 *
 * No two classes have the same cells: where they parted they went to different children, or
 * one stayed with records of several. Nothing is suppressed; none of it would be needed.
 *
 * The result is minimal, so whoever knows the method learns from each class that it could not
 * be divided (Wong, Fu, Wang and Pei 2007). With minimal=no a part that could be specialized may
 * stay as it is, and cells are raised (more.c).
 *
 * Which column is best is known from sizes alone as long as requirements do not object, so a
 * column's records are judged only if nothing better was found. Time O(n * columns * depth);
 * memory: a copy of the quasi codes, row numbers and profiles, and 8 bytes per record for
 * moving them (12 when single records go back). Parts are independent and specialized in
 * parallel; classes are numbered by their places, so the result does not depend on the order.
 */
#include "group/top_down.h"
#include "base/bitset.h"
#include "class/steer.h"

#include <string.h>

enum { ATTRIBUTE_MOST_SPECIALIZED, ATTRIBUTE_NCP };
enum { LOCAL_RECORDS = 1 << 14 }; /* smaller parts stay with the worker that made them */

/* ---- specializing ------------------------------------------------------------------------ */

/* Finds where the records of each branch go: behind those that are left, branch by branch. */
static bauta_status place_branches(const bt_top_down *t, const bt_top_down_part *p,
                                   bt_top_down_plan *chosen, bt_top_down_worker *w,
                                   bauta_error *error)
{
    size_t words = bt_bitset_words(p->end - p->start), before = w->returned_capacity;
    BT_TRY(bt_array_grow(&w->group, &w->group_capacity, chosen->branch_count, sizeof *w->group,
                         error));
    BT_TRY(bt_array_grow(&w->next, &w->next_capacity, (size_t)chosen->grown + 1, sizeof *w->next,
                         error));
    BT_TRY(bt_array_grow(&w->returned, &w->returned_capacity, words, sizeof *w->returned, error));
    memset(w->returned + before, 0, (w->returned_capacity - before) * sizeof *w->returned);
    for (uint32_t i = 0; i < chosen->returned_count; i++) {
        uint32_t code = bt_runs_code(&t->runs, chosen->column, p->start + chosen->returned[i]);
        chosen->branches[chosen->branch_of[code]].size--;
        bt_bitset_add(w->returned, chosen->returned[i]);
    }
    uint32_t groups = 0, place = chosen->left;
    w->next[0] = 0;
    for (uint32_t i = 0; i < chosen->branch_count; i++) {
        w->group[i] = chosen->branches[i].grows ? ++groups : 0;
        if (!chosen->branches[i].grows) continue;
        w->next[groups] = place;
        place += chosen->branches[i].size;
    }
    return BAUTA_OK;
}

#define ORDER_RECORDS(type)                                                                        \
    do {                                                                                           \
        const type *codes = (const type *)t->runs.codes[chosen->column] + p->start;                \
        for (uint32_t i = 0; i < size; i++) {                                                      \
            uint32_t stays = bt_bitset_has(w->returned, i);                                        \
            w->order[w->next[w->group[chosen->branch_of[codes[i]]] & (stays - 1)]++] = i;          \
        }                                                                                          \
    } while (0)

static bauta_status move_records(const bt_top_down *t, const bt_top_down_part *p,
                                 const bt_top_down_plan *chosen, bt_top_down_worker *w,
                                 bauta_error *error)
{
    uint32_t size = p->end - p->start;
    BT_TRY(bt_array_grow(&w->order, &w->order_capacity, size, sizeof *w->order, error));
    BT_TRY(bt_array_grow(&w->aside, &w->aside_capacity, size, sizeof *w->aside, error));
    switch (t->quasi[chosen->column]->width) {
    case 1: ORDER_RECORDS(uint8_t); break;
    case 2: ORDER_RECORDS(uint16_t); break;
    default: ORDER_RECORDS(uint32_t); break;
    }
    for (uint32_t i = 0; i < chosen->returned_count; i++)
        w->returned[chosen->returned[i] / 64] = 0;
    bt_runs_arrange(&t->runs, p->start, size, w->order, w->aside);
    return BAUTA_OK;
}

/* Classes are numbered by their places, whoever finishes them. */
static void finish_class(bt_top_down *t, uint32_t start)
{
    __atomic_fetch_or(&t->starts[start / 64], (uint64_t)1 << (start % 64), __ATOMIC_RELAXED);
}

/* What was left of a part is a class with the nodes of the part. */
static bauta_status finish_rest(bt_top_down *t, const bt_top_down_part *p, bt_top_down_worker *w,
                                bauta_error *error)
{
    finish_class(t, p->start);
    BT_TRY(bt_array_grow(&w->kept, &w->kept_capacity, w->kept_count + 1 + t->columns,
                         sizeof *w->kept, error));
    w->kept[w->kept_count++] = p->start;
    for (size_t c = 0; c < t->columns; c++) {
        const bt_hierarchy *tree = t->quasi[c]->hierarchy;
        w->kept[w->kept_count++] =
            tree ? bt_cover_node(t->quasi[c], w->ranges[c].lo, w->ranges[c].hi) : 0;
    }
    return BAUTA_OK;
}

/* Large parts go to whichever worker is free. */
static bauta_status hand_out(bt_worklist *list, bt_top_down_worker *w, const bt_top_down_part *p,
                             bauta_error *error)
{
    if (p->end - p->start > LOCAL_RECORDS) return bt_worklist_push(list, p, error);
    BT_TRY(
        bt_array_grow(&w->stack, &w->stack_capacity, w->stack_count + 1, sizeof *w->stack, error));
    w->stack[w->stack_count++] = *p;
    return BAUTA_OK;
}

/* Moves the records of a part to its children, which are handed to other workers when large. */
static bauta_status specialize(bt_top_down *t, const bt_top_down_part *p, bt_top_down_worker *w,
                               bt_worklist *list, bauta_error *error)
{
    bt_top_down_plan *chosen = w->best;
    BT_TRY(place_branches(t, p, chosen, w, error));
    BT_TRY(move_records(t, p, chosen, w, error));
    if (chosen->left > 0) BT_TRY(finish_rest(t, p, w, error));
    uint32_t place = p->start + chosen->left;
    for (uint32_t i = 0; i < chosen->branch_count; i++) {
        if (!chosen->branches[i].grows) continue;
        bt_top_down_part child = {place, place + chosen->branches[i].size};
        place = child.end;
        BT_TRY(hand_out(list, w, &child, error));
    }
    return BAUTA_OK;
}

static bauta_status hand_out_parts(const bt_parts *parts, bt_worklist *list, bt_top_down_worker *w,
                                   bauta_error *error)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        bt_top_down_part p = {parts->starts[i], parts->starts[i + 1]};
        BT_TRY(hand_out(list, w, &p, error));
    }
    return BAUTA_OK;
}

/* Specializes a part and the small ones that come of it. */
static bauta_status visit(void *user, bt_worklist *list, const void *item, unsigned number,
                          bauta_error *error)
{
    bt_top_down *t = user;
    bt_top_down_worker *w = &t->workers[number];
    bt_top_down_part p;
    memcpy(&p, item, sizeof p);
    if (p.end == 0) {
        BT_TRY(hand_out_parts(t->job->parts, list, w, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
    for (;;) {
        BT_TRY(bt_top_down_choose(t, &p, w, error));
        if (w->best->grown)
            BT_TRY(specialize(t, &p, w, list, error));
        else
            finish_class(t, p.start);
        BT_TRY(
            bt_run_progress(t->job->run, number, "grouping", p.start, t->job->table->rows, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
}

/* ---- the classes ------------------------------------------------------------------------- */

typedef struct gatherer {
    const bt_top_down *t;
    bt_grouping *out;
} gatherer;

enum { GATHERED_AT_ONCE = 4096 };

static bauta_status gather_classes(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    (void)error;
    const gatherer *g = user;
    const bt_grouping *out = g->out;
    size_t columns = out->columns, from = task * GATHERED_AT_ONCE, to = from + GATHERED_AT_ONCE;
    if (to > out->classes) to = out->classes;
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < columns; c++) {
            bt_box box = bt_runs_range(&g->t->runs, c, out->starts[i], out->starts[i + 1]);
            const bt_hierarchy *tree = g->t->quasi[c]->hierarchy;
            out->boxes[i * columns + c] = box;
            out->nodes[i * columns + c] = tree ? bt_cover_node(g->t->quasi[c], box.lo, box.hi) : 0;
        }
    return BAUTA_OK;
}

static uint32_t class_at(const bt_grouping *grouping, uint32_t start)
{
    uint32_t first = 0, last = grouping->classes;
    while (last - first > 1) {
        uint32_t middle = first + (last - first) / 2;
        if (grouping->starts[middle] <= start)
            first = middle;
        else
            last = middle;
    }
    return first;
}

/* Gives the classes that were left the nodes of their parts. */
static void gather_kept(const bt_top_down_worker *w, bt_grouping *out)
{
    for (size_t i = 0; i < w->kept_count; i += 1 + out->columns)
        memcpy(out->nodes + class_at(out, w->kept[i]) * out->columns, w->kept + i + 1,
               out->columns * sizeof *out->nodes);
}

static bauta_status gather(bt_top_down *t, bt_grouping *out, bauta_error *error)
{
    size_t words = bt_bitset_words((size_t)t->job->table->rows), classes = 0, next = 0;
    for (size_t i = 0; i < words; i++)
        classes += (size_t)__builtin_popcountll(t->starts[i]);
    *out = (bt_grouping){.rows = t->job->table->rows,
                         .kept = t->job->table->rows,
                         .order = t->runs.rows,
                         .classes = (uint32_t)classes,
                         .columns = t->columns};
    t->runs.rows = NULL;
    out->starts = bt_array(classes + 1, sizeof *out->starts);
    out->boxes = bt_array(classes * t->columns, sizeof *out->boxes);
    out->nodes = bt_array(classes * t->columns, sizeof *out->nodes);
    if (!out->starts || !out->boxes || !out->nodes) return bt_fail_memory(error);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = t->starts[i]; left != 0; left &= left - 1)
            out->starts[next++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(left));
    out->starts[next] = (uint32_t)out->kept;
    gatherer g = {t, out};
    BT_TRY(bt_pool_run(t->job->run->pool, (classes + GATHERED_AT_ONCE - 1) / GATHERED_AT_ONCE,
                       gather_classes, &g, error));
    for (unsigned i = 0; i < t->worker_count; i++)
        gather_kept(&t->workers[i], out);
    return BAUTA_OK;
}

/* ---- the method -------------------------------------------------------------------------- */

static bauta_status make_worker(const bt_top_down *t, bt_top_down_worker *w, bauta_error *error)
{
    uint32_t largest = 1;
    for (size_t c = 0; c < t->columns; c++)
        if (t->quasi[c]->domain.size > largest) largest = t->quasi[c]->domain.size;
    w->best = &w->plans[0];
    w->tried = &w->plans[1];
    w->zeros = bt_array_zero(largest, sizeof *w->zeros);
    w->view.codes = bt_array(largest, sizeof *w->view.codes);
    w->view.counts = bt_array(largest, sizeof *w->view.counts);
    w->best->branch_of = bt_array(largest, sizeof *w->best->branch_of);
    w->tried->branch_of = bt_array(largest, sizeof *w->tried->branch_of);
    w->ranges = bt_array(t->columns, sizeof *w->ranges);
    w->prospects = bt_array(t->columns, sizeof *w->prospects);
    if (!w->zeros || !w->view.codes || !w->view.counts || !w->best->branch_of ||
        !w->tried->branch_of || !w->ranges || !w->prospects)
        return bt_fail_memory(error);
    return bt_branches_new(t->job->requirements, &w->judge, error);
}

static void free_worker(bt_top_down_worker *w)
{
    for (size_t i = 0; i < 2; i++) {
        free(w->plans[i].branches);
        free(w->plans[i].branch_of);
        free(w->plans[i].returned);
    }
    bt_branches_free(w->judge);
    free(w->zeros);
    free(w->view.codes);
    free(w->view.counts);
    free(w->ranges);
    free(w->prospects);
    free(w->order);
    free(w->aside);
    free(w->returned);
    free(w->group);
    free(w->next);
    free(w->kept);
    free(w->stack);
}

/* Puts the records into the order of the parts to begin with. */
static bauta_status prepare(bt_top_down *t, bauta_error *error)
{
    size_t rows = (size_t)t->job->table->rows;
    t->starts = bt_array_zero(bt_bitset_words(rows), sizeof *t->starts);
    t->workers = bt_array_zero(t->worker_count, sizeof *t->workers);
    if (!t->starts || !t->workers) return bt_fail_memory(error);
    BT_TRY(bt_parts_runs(t->job, t->quasi, t->columns, &t->runs, error));
    for (unsigned i = 0; i < t->worker_count; i++)
        BT_TRY(make_worker(t, &t->workers[i], error));
    return BAUTA_OK;
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    bt_top_down t = {.job = job,
                     .by_ncp = job->options[BT_TOP_DOWN_ATTRIBUTE].integer == ATTRIBUTE_NCP,
                     .least = bt_requirements_least_size(job->requirements),
                     .worker_count = bt_pool_size(job->run->pool)};
    *out = (bt_grouping){0};
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &t.quasi, &t.columns, error));
    bauta_status status = prepare(&t, error);
    bt_top_down_part whole = {.end = job->parts ? 0 : (uint32_t)job->table->rows};
    if (status == BAUTA_OK)
        status = bt_worklist_run(job->run->pool, &whole, sizeof whole, visit, &t, error);
    if (status == BAUTA_OK) status = gather(&t, out, error);
    if (status == BAUTA_OK) bt_grouping_tighten(out, t.quasi);
    for (unsigned i = 0; t.workers && i < t.worker_count; i++)
        free_worker(&t.workers[i]);
    bt_runs_release(&t.runs);
    free(t.workers);
    free(t.starts);
    free(t.quasi);
    return status;
}

static const bt_param params[] = {
    [BT_TOP_DOWN_ATTRIBUTE] = {.name = "attribute",
                               .type = BT_PARAM_CHOICE,
                               .choices = "most-specialized|ncp",
                               .fallback = "most-specialized",
                               .help =
                                   "which column is specialized: the one that takes most records "
                                   "down, or the one that saves most loss"},
    [BT_TOP_DOWN_MINIMAL] = BT_PARAM_MINIMAL,
};

static bt_retrace retrace(const bt_value *options)
{
    return (bt_retrace){.kind = BT_RETRACE_DIVISIONS,
                        .one_child = true,
                        .coins = options[BT_TOP_DOWN_MINIMAL].integer == BT_MINIMAL_NO};
}

const bt_method bt_method_top_down = {
    .name = "top-down",
    .summary = "local recoding: goes down the hierarchies as far as each class allows",
    .paper = "Wong, Li, Fu and Wang 2006; papers 1 and 3",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .divides = true,
    .trees = true,
    .minimal = 1 + BT_TOP_DOWN_MINIMAL,
    .lowest = true,
    .by_place = bt_always_by_place,
    .retrace = retrace,
    .group = group,
};
