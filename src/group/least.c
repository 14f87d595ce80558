/* SPDX-License-Identifier: Apache-2.0
 *
 * Least: local recoding by search for the least loss.
 *
 * The table is cut into blocks of near records (least_cut.c). In each block, classes are grown
 * around records, the cheapest first (least_grow.c), and then changed as long as the loss of all
 * records falls (least_improve.c). Every step keeps every requirement, and boxes may overlap.
 *
 *   effort=0   classes are dissolved and exchange records until nothing is gained
 *   effort=e   4^(e-1) times as many new classes as there are records are tried, too, and blocks
 * are larger
 *
 * The effort is a number of steps, never a time: the same table, recipe and seed give the same
 * classes for any number of threads, and so does any order of the records.
 *
 * Time: blocks have a bounded number of records, so it is linear in these. Memory: 4 bytes for each
 * quasi cell and 5 for each record, and some megabytes for each worker. Blocks are grouped in
 * parallel.
 */
#include "group/least.h"

#include "base/bitset.h"

#include <stdatomic.h>
#include <string.h>

enum { OPTION_EFFORT };
enum { BLOCK = 1000, DOUBLED = 2, CLASSES_OF_BLOCK = 20 }; /* each effort up to that doubles it */
enum { HOPELESS_BLOCKS = 8 }; /* what is so many times too large and cannot be cut is one class */

typedef struct part {
    uint32_t start, end; /* both 0: all that the job begins with */
} part;

typedef struct worker {
    bt_least_cutter *cutter;
    bt_tally *tally; /* NULL: only sizes matter */
    uint32_t *sizes; /* of the classes of a block */
    size_t sizes_capacity;
} worker;

typedef struct search {
    bt_least base;
    bt_parts whole; /* when the job has no parts */
    const bt_parts *parts;
    _Atomic uint64_t *starts; /* a bit per record: a class begins here */
    worker *workers;
    unsigned worker_count;
} search;

static void mark(const search *s, uint32_t place)
{
    atomic_fetch_or_explicit(&s->starts[place / 64], (uint64_t)1 << (place % 64),
                             memory_order_relaxed);
}

static bauta_status solve(search *s, const part *p, worker *w, bauta_error *error)
{
    uint32_t classes, at = p->start, count = p->end - p->start;
    if (count / HOPELESS_BLOCKS >= s->base.most) {
        mark(s, at);
        return BAUTA_OK;
    }
    BT_TRY(bt_array_grow(&w->sizes, &w->sizes_capacity, count, sizeof *w->sizes, error));
    BT_TRY(bt_least_solve(&s->base, p->start, p->end, w->tally, w->sizes, &classes, error));
    for (uint32_t i = 0; i < classes; i++) {
        mark(s, at);
        at += w->sizes[i];
    }
    return BAUTA_OK;
}

static bauta_status visit(void *user, bt_worklist *list, const void *item, unsigned number,
                          bauta_error *error)
{
    search *s = user;
    worker *w = &s->workers[number];
    part p;
    memcpy(&p, item, sizeof p);
    if (p.end == 0) {
        for (uint32_t i = 0; i < s->parts->count; i++) {
            const part one = {s->parts->starts[i], s->parts->starts[i + 1]};
            BT_TRY(bt_worklist_push(list, &one, error));
        }
        return BAUTA_OK;
    }
    while (p.end - p.start > s->base.most) {
        uint32_t left;
        BT_TRY(bt_least_cut(w->cutter, p.start, p.end, &left, error));
        if (left == 0) break;
        const part right = {p.start + left, p.end};
        p.end = right.start;
        BT_TRY(bt_worklist_push(list, &right, error));
        BT_TRY(bt_run_progress(s->base.job->run, number, "grouping", p.start,
                               s->base.job->table->rows, error));
    }
    return solve(s, &p, w, error);
}

/* ---- the classes ------------------------------------------------------------------------- */

static bauta_status gather(search *s, bt_grouping *out, bauta_error *error)
{
    int64_t rows = s->base.job->table->rows;
    size_t words = bt_bitset_words((size_t)rows);
    uint32_t classes = 0, next = 0;
    for (size_t i = 0; i < words; i++)
        classes += (uint32_t)__builtin_popcountll(s->starts[i]);
    *out = (bt_grouping){
        .rows = rows, .kept = rows, .classes = classes, .columns = s->base.space.axes};
    out->starts = bt_array((size_t)classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)classes * out->columns, sizeof *out->boxes);
    out->order = s->base.rows;
    s->base.rows = NULL;
    if (!out->starts || !out->boxes) return bt_fail_memory(error);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = s->starts[i]; left != 0; left &= left - 1)
            out->starts[next++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(left));
    out->starts[next] = (uint32_t)rows;
    return bt_cluster_boxes(&s->base.space, s->base.job->run, out, error);
}

/* ---- the method -------------------------------------------------------------------------- */

static bauta_status prepare_losses(bt_least *least, bauta_error *error)
{
    least->node_loss = bt_array_zero(least->space.axes, sizeof *least->node_loss);
    if (!least->node_loss) return bt_fail_memory(error);
    for (size_t c = 0; c < least->space.axes; c++) {
        const bt_cluster_axis *axis = &least->space.axis[c];
        if (axis->kind != BT_AXIS_TREE) continue;
        uint32_t nodes = axis->column->hierarchy->count;
        least->node_loss[c] = bt_array(nodes, sizeof **least->node_loss);
        if (!least->node_loss[c]) return bt_fail_memory(error);
        for (uint32_t node = 0; node < nodes; node++)
            least->node_loss[c][node] = bt_cluster_node_loss(axis, node);
    }
    return BAUTA_OK;
}

static bauta_status prepare(search *s, bauta_error *error)
{
    bt_least *least = &s->base;
    const bt_parts *given = least->job->parts;
    size_t rows = (size_t)least->job->table->rows, cells;
    if (!bt_size_mul(rows, least->space.axes, &cells)) return bt_fail_memory(error);
    BT_TRY(prepare_losses(least, error));
    least->rows = bt_array(rows, sizeof *least->rows);
    least->points = bt_array(cells, sizeof *least->points);
    s->starts = bt_array_zero(bt_bitset_words(rows), sizeof *s->starts);
    s->workers = bt_array_zero(s->worker_count, sizeof *s->workers);
    if (!least->rows || !least->points || !s->starts || !s->workers) return bt_fail_memory(error);
    for (size_t i = 0; i < rows; i++)
        least->rows[i] = given ? given->order[i] : (uint32_t)i;
    for (size_t c = 0; c < least->space.axes; c++) {
        const bt_cluster_axis *axis = &least->space.axis[c];
        for (size_t i = 0; i < rows; i++)
            least->points[i * least->space.axes + c] =
                axis->place[bt_column_code(axis->column, least->rows[i])];
    }
    for (unsigned i = 0; i < s->worker_count; i++) {
        BT_TRY(bt_least_cutter_new(least, &s->workers[i].cutter, error));
        if (least->counted)
            BT_TRY(bt_tally_new(least->job->requirements->people, &s->workers[i].tally, error));
    }
    return BAUTA_OK;
}

static void release(search *s)
{
    for (unsigned i = 0; s->workers && i < s->worker_count; i++) {
        bt_least_cutter_free(s->workers[i].cutter);
        bt_tally_free(s->workers[i].tally);
        free(s->workers[i].sizes);
    }
    for (size_t c = 0; s->base.node_loss && c < s->base.space.axes; c++)
        free(s->base.node_loss[c]);
    free(s->base.node_loss);
    free(s->workers);
    free(s->starts);
    free(s->base.points);
    free(s->base.rows);
    bt_cluster_space_release(&s->base.space);
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    uint32_t ends[2] = {0, (uint32_t)job->table->rows};
    int64_t least = bt_requirements_least_size(job->requirements);
    const bt_people *people = job->requirements->people;
    bool by_values = people->profile_of && !job->requirements->size_only;
    uint32_t effort = (uint32_t)job->options[OPTION_EFFORT].integer;
    uint32_t most = BLOCK << (by_values + (effort < DOUBLED ? effort : DOUBLED));
    BT_OWN(release)
    search s = {.whole = {.count = 1, .starts = ends},
                .worker_count = bt_pool_size(job->run->pool)};
    const part all = {0};
    *out = (bt_grouping){0};
    s.base =
        (bt_least){.job = job,
                   .least = least < job->table->rows ? (uint32_t)least : (uint32_t)job->table->rows,
                   .effort = effort,
                   .counted = by_values || bt_people_by_row(people),
                   .profile_of = by_values ? people->profile_of : NULL};
    if (s.base.least == 0) s.base.least = 1;
    s.base.most = s.base.least > most / CLASSES_OF_BLOCK ? s.base.least * CLASSES_OF_BLOCK : most;
    s.parts = job->parts ? job->parts : &s.whole;
    BT_TRY(bt_cluster_space_make(job->table, &s.base.space, error));
    BT_TRY(prepare(&s, error));
    BT_TRY(bt_worklist_run(job->run->pool, &all, sizeof all, visit, &s, error));
    BT_TRY(gather(&s, out, error));
    BT_TRY(bt_grouping_floors(out, s.base.space.quasi, error));
    return bt_grouping_unite(out, s.base.space.quasi, job->run, error);
}

static const bt_param params[] = {
    [OPTION_EFFORT] = {.name = "effort",
                       .type = BT_PARAM_INTEGER,
                       .minimum = "0",
                       .maximum = "5",
                       .fallback = "1",
                       .help = "how long to look for classes that lose less"},
};

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.why = "its search is not replayed"};
}

const bt_method bt_method_least = {
    .name = "least",
    .summary = "local recoding: searches for the classes that lose least",
    .paper = "ours",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .divides = true,
    .lowest = true,
    .by_place = bt_always_by_place,
    .retrace = retrace,
    .group = group,
};
