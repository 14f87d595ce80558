/* SPDX-License-Identifier: Apache-2.0
 *
 * Cluster: local recoding by clustering from the top down (TopDown; Xu, Wang, Pei, Wang, Shi and Fu
 * 2006; paper 5).
 *
 * A part is divided in two around its most distant pair (cluster_split.c), again and again, as long
 * as it satisfies the requirements and has more records than the smallest class may have. What is
 * left is too small, or does not satisfy, most often; so groups are then merged with near ones
 * (cluster_merge.c) until all satisfy. Boxes may overlap.
 *
 *   merge=nearest  a group that does not satisfy is merged with the one where that loses least
 *   merge=borrow   … or takes records that another one can spare, where that loses less
 *
 * Records are considered in a random order: they are shuffled once, and each part keeps the order.
 * A part of which four times in a row almost nothing was split off is cut in halves instead, so
 * that single far values do not cost a pass over all records each.
 *
 * Time O(n * columns * depth) for dividing; merging see there. Memory: 4 bytes for each quasi cell
 * and 12 for each record. Parts are divided in parallel, and merged in parallel where max-level or
 * a first grouping keeps them apart; the result does not depend on the order.
 */
#include "group/cluster.h"

#include "base/bitset.h"

#include <stdatomic.h>
#include <string.h>

enum { OPTION_MERGE };
enum { MERGE_NEAREST, MERGE_BORROW };
enum { LOCAL_RECORDS = 1 << 14 }; /* smaller parts stay with the worker that made them */
enum { UNEVEN = 32, UNEVEN_MOST = 4, UNEVEN_FROM = 1024 };

typedef struct part {
    uint32_t start, end; /* both 0: all that the job begins with */
    uint32_t uneven;     /* how many times in a row less than 1/UNEVEN was split off */
} part;

typedef struct worker {
    bt_splitter *splitter;
    bt_tally *tally; /* NULL: only sizes matter */
    part *stack;
    size_t stack_count, stack_capacity;
} worker;

typedef struct cluster {
    bt_cluster base;
    const bt_method_job *job;
    bt_parts whole; /* when the job has no parts */
    const bt_parts *parts;
    _Atomic uint64_t *starts; /* a bit per record: a group begins here */
    worker *workers;
    unsigned worker_count;
    /* merging */
    uint32_t groups;
    uint32_t *group_starts; /* and one more */
    uint32_t *first_group;  /* per part, and one more */
    uint32_t *next, *heads; /* as merging says */
} cluster;

/* ---- dividing ---------------------------------------------------------------------------- */

static bauta_status keep_for_later(worker *w, const part *p, bauta_error *error)
{
    BT_TRY(
        bt_array_grow(&w->stack, &w->stack_capacity, w->stack_count + 1, sizeof *w->stack, error));
    w->stack[w->stack_count++] = *p;
    return BAUTA_OK;
}

static bauta_status hand_out(bt_worklist *list, worker *w, const part *p, bauta_error *error)
{
    if (p->end - p->start > LOCAL_RECORDS) return bt_worklist_push(list, p, error);
    return keep_for_later(w, p, error);
}

static bauta_status satisfies(const cluster *c, const part *p, worker *w, bool *out,
                              bauta_error *error)
{
    *out = true;
    if (!w->tally) return BAUTA_OK;
    bt_tally_clear(w->tally);
    for (uint32_t i = p->start; i < p->end; i++)
        BT_TRY(bt_tally_add_row(w->tally, c->base.rows[i], error));
    *out = bt_requirements_check(c->job->requirements, w->tally, NULL);
    return BAUTA_OK;
}

/* *left: how many records went to the first side; 0: it was not divided. */
static bauta_status divide(const cluster *c, const part *p, worker *w, uint32_t *left,
                           bauta_error *error)
{
    bool divisible;
    *left = 0;
    if ((int64_t)(p->end - p->start) <= c->base.least) return BAUTA_OK;
    BT_TRY(satisfies(c, p, w, &divisible, error));
    if (!divisible) return BAUTA_OK;
    return bt_cluster_split(w->splitter, p->start, p->end, p->uneven >= UNEVEN_MOST, left, error);
}

static uint32_t count_uneven(const part *p, uint32_t left)
{
    uint32_t size = p->end - p->start, less = left < size - left ? left : size - left;
    return size >= UNEVEN_FROM && less < size / UNEVEN ? p->uneven + 1 : 0;
}

static bauta_status hand_out_parts(const cluster *c, bt_worklist *list, worker *w,
                                   bauta_error *error)
{
    for (uint32_t i = 0; i < c->parts->count; i++) {
        part p = {.start = c->parts->starts[i], .end = c->parts->starts[i + 1]};
        BT_TRY(hand_out(list, w, &p, error));
    }
    return BAUTA_OK;
}

/* Divides a part and all that comes of it; large second sides are handed to other workers. */
static bauta_status visit(void *user, bt_worklist *list, const void *item, unsigned number,
                          bauta_error *error)
{
    cluster *c = user;
    worker *w = &c->workers[number];
    part p;
    memcpy(&p, item, sizeof p);
    if (p.end == 0) {
        BT_TRY(hand_out_parts(c, list, w, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
    for (;;) {
        uint32_t left;
        BT_TRY(divide(c, &p, w, &left, error));
        if (left > 0) {
            uint32_t uneven = count_uneven(&p, left);
            part right = {p.start + left, p.end, uneven};
            p = (part){p.start, right.start, uneven};
            BT_TRY(hand_out(list, w, &right, error));
            continue;
        }
        /* Groups are numbered by their places, whoever finishes them. */
        atomic_fetch_or_explicit(&c->starts[p.start / 64], (uint64_t)1 << (p.start % 64),
                                 memory_order_relaxed);
        BT_TRY(
            bt_run_progress(c->job->run, number, "grouping", p.start, c->job->table->rows, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
}

/* ---- merging ----------------------------------------------------------------------------- */

static bauta_status list_groups(cluster *c, bauta_error *error)
{
    size_t rows = (size_t)c->job->table->rows, words = bt_bitset_words(rows);
    uint32_t part_number = 0, next = 0;
    for (size_t i = 0; i < words; i++)
        c->groups += (uint32_t)__builtin_popcountll(c->starts[i]);
    c->group_starts = bt_array((size_t)c->groups + 1, sizeof *c->group_starts);
    c->first_group = bt_array((size_t)c->parts->count + 1, sizeof *c->first_group);
    c->next = bt_array(rows, sizeof *c->next);
    c->heads = bt_array(c->groups, sizeof *c->heads);
    if (!c->group_starts || !c->first_group || !c->next || !c->heads) return bt_fail_memory(error);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = c->starts[i]; left != 0; left &= left - 1) {
            uint32_t start = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(left));
            if (start == c->parts->starts[part_number]) c->first_group[part_number++] = next;
            c->group_starts[next++] = start;
        }
    c->group_starts[next] = (uint32_t)rows;
    c->first_group[part_number] = next;
    return BAUTA_OK;
}

static bauta_status merge_part(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    const cluster *c = user;
    uint32_t first = c->first_group[task];
    const bt_merge_job asked = {.cluster = &c->base,
                                .starts = c->group_starts + first,
                                .count = c->first_group[task + 1] - first,
                                .borrow = c->job->options[OPTION_MERGE].integer == MERGE_BORROW,
                                .next = c->next,
                                .heads = c->heads + first};
    return bt_cluster_merge(&asked, error);
}

/* ---- the classes ------------------------------------------------------------------------- */

static bauta_status gather(cluster *c, bt_grouping *out, bauta_error *error)
{
    int64_t rows = c->job->table->rows;
    uint32_t classes = 0, next = 0, number = 0;
    for (uint32_t i = 0; i < c->groups; i++)
        classes += c->heads[i] != UINT32_MAX;
    *out = (bt_grouping){
        .rows = rows, .kept = rows, .classes = classes, .columns = c->base.space.axes};
    out->order = bt_array((size_t)rows, sizeof *out->order);
    out->starts = bt_array((size_t)classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)classes * out->columns, sizeof *out->boxes);
    if (!out->order || !out->starts || !out->boxes) return bt_fail_memory(error);
    for (uint32_t i = 0; i < c->groups; i++) {
        if (c->heads[i] == UINT32_MAX) continue;
        out->starts[number++] = next;
        for (uint32_t at = c->heads[i]; at != UINT32_MAX; at = c->next[at])
            out->order[next++] = c->base.rows[at];
    }
    out->starts[number] = next;
    return bt_cluster_boxes(&c->base.space, c->job->run, out, error);
}

/* ---- the method -------------------------------------------------------------------------- */

/* Shuffles the rows of each part. */
static void shuffle(const cluster *c)
{
    for (uint32_t p = 0; p < c->parts->count; p++) {
        uint32_t start = c->parts->starts[p], count = c->parts->starts[p + 1] - start;
        bt_stream stream;
        bt_stream_init(&stream, &c->job->run->seed, "cluster", p);
        bt_stream_permutation(&stream, c->base.rows + start, count);
        for (uint32_t i = start; i < start + count; i++) {
            uint32_t place = start + c->base.rows[i];
            c->base.rows[i] = c->job->parts ? c->parts->order[place] : place;
        }
    }
}

static bauta_status make_worker(const cluster *c, worker *w, bauta_error *error)
{
    BT_TRY(bt_splitter_new(&c->base, &w->splitter, error));
    return c->base.size_only ? BAUTA_OK
                             : bt_tally_new(c->job->requirements->people, &w->tally, error);
}

static bauta_status prepare(cluster *c, bauta_error *error)
{
    const bt_cluster_space *space = &c->base.space;
    size_t rows = (size_t)c->job->table->rows, cells;
    if (!bt_size_mul(rows, space->axes, &cells)) return bt_fail_memory(error);
    c->base.rows = bt_array(rows, sizeof *c->base.rows);
    c->base.points = bt_array(cells, sizeof *c->base.points);
    c->starts = bt_array_zero(bt_bitset_words(rows), sizeof *c->starts);
    c->workers = bt_array_zero(c->worker_count, sizeof *c->workers);
    if (!c->base.rows || !c->base.points || !c->starts || !c->workers) return bt_fail_memory(error);
    shuffle(c);
    for (size_t k = 0; k < space->axes; k++) {
        const bt_cluster_axis *axis = &space->axis[k];
        for (size_t i = 0; i < rows; i++)
            c->base.points[i * space->axes + k] =
                axis->place[bt_column_code(axis->column, c->base.rows[i])];
    }
    for (unsigned i = 0; i < c->worker_count; i++)
        BT_TRY(make_worker(c, &c->workers[i], error));
    return BAUTA_OK;
}

static void release(cluster *c)
{
    for (unsigned i = 0; c->workers && i < c->worker_count; i++) {
        bt_splitter_free(c->workers[i].splitter);
        bt_tally_free(c->workers[i].tally);
        free(c->workers[i].stack);
    }
    free(c->workers);
    free(c->starts);
    free(c->base.points);
    free(c->base.rows);
    free(c->group_starts);
    free(c->first_group);
    free(c->next);
    free(c->heads);
    bt_cluster_space_release(&c->base.space);
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    uint32_t ends[2] = {0, (uint32_t)job->table->rows};
    cluster c = {.job = job,
                 .base = {.job = job,
                          .least = bt_requirements_least_size(job->requirements),
                          .size_only = !job->requirements->people->profile_of},
                 .whole = {.count = 1, .starts = ends},
                 .worker_count = bt_pool_size(job->run->pool)};
    const part all = {0};
    *out = (bt_grouping){0};
    c.parts = job->parts ? job->parts : &c.whole;
    bauta_status status = bt_cluster_space_make(job->table, &c.base.space, error);
    if (status == BAUTA_OK) status = prepare(&c, error);
    if (status == BAUTA_OK)
        status = bt_worklist_run(job->run->pool, &all, sizeof all, visit, &c, error);
    if (status == BAUTA_OK) status = list_groups(&c, error);
    if (status == BAUTA_OK)
        status = bt_pool_run(job->run->pool, c.parts->count, merge_part, &c, error);
    if (status == BAUTA_OK) status = gather(&c, out, error);
    if (status == BAUTA_OK) status = bt_grouping_floors(out, c.base.space.quasi, error);
    if (status == BAUTA_OK) status = bt_grouping_unite(out, c.base.space.quasi, job->run, error);
    release(&c);
    return status;
}

static const bt_param params[] = {
    [OPTION_MERGE] =
        {.name = "merge",
         .type = BT_PARAM_CHOICE,
         .choices = "nearest|borrow",
         .fallback = "nearest",
         .help = "what becomes of groups that are too small: merged, or filled up from others"},
};

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.why = "the method divides around random records, and nobody knows where"};
}

const bt_method bt_method_cluster = {
    .name = "cluster",
    .summary = "local recoding: divides around distant records, then merges small groups",
    .paper = "Xu, Wang, Pei, Wang, Shi and Fu 2006 (TopDown); paper 5",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .divides = true,
    .joins = true,
    .lowest = true,
    .by_place = bt_always_by_place,
    .retrace = retrace,
    .group = group,
};
