/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `generalized` releases.
 *
 * Left parts are the cells that records of a class share, right parts the columns that are
 * published as they are. Records are independent of each other: each may have any values that its
 * cells allow. So the diagram is followed once per class over the cells, by all ways that they
 * leave open, and from where that ends once per record.
 *
 * Exact for every condition and aggregate, and therefore tight, but where a cell's meaning is not
 * known exactly. Cost: classes times nodes of the diagram, and records times columns on the right.
 */
#include "query/form.h"

#include <string.h>

/* ---- opening ---- */

static bool is_left(const bt_release_column *column)
{
    return column->manifest->role == BT_ROLE_QUASI || bt_shows_categories(column->manifest);
}

/* Rows by the texts that they have on the left. */
typedef struct arrangement {
    bt_codes *codes;
    size_t count;
    bt_tuples classes;
    bt_tuple_index *index;
    uint32_t *class_of, *order;
} arrangement;

static bauta_status group_rows(const bt_release *release, const bt_run *run, arrangement *a,
                               bauta_error *error)
{
    a->codes = bt_array(release->column_count, sizeof *a->codes);
    a->class_of = bt_array((size_t)release->rows, sizeof *a->class_of);
    a->order = bt_array((size_t)release->rows, sizeof *a->order);
    if (!a->codes || !a->class_of || !a->order) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (is_left(column))
            a->codes[a->count++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    BT_TRY(bt_tuples_group(a->codes, a->count, release->rows, run, &a->classes, error));
    BT_TRY(bt_tuple_index_new(a->codes, a->count, &a->classes, run, &a->index, error));
    return bt_tuple_index_number(a->index, a->codes, release->rows, run, a->class_of, error);
}

/* Sorts rows by class, by counting. */
static bauta_status order_rows(bt_queryable *queryable, arrangement *a, bauta_error *error)
{
    size_t rows = (size_t)queryable->release->rows, classes = a->classes.count;
    size_t *starts = bt_arena_array(&queryable->arena, classes + 1, sizeof *starts);
    size_t *at = bt_array(classes, sizeof *at);
    queryable->first_row = bt_arena_array(&queryable->arena, classes, sizeof *queryable->first_row);
    if (!starts || !at || !queryable->first_row) {
        free(at);
        return bt_fail_memory(error);
    }
    for (size_t c = 0; c < classes; c++) {
        at[c] = starts[c];
        starts[c + 1] = starts[c] + a->classes.size[c];
        queryable->first_row[c] = a->classes.row[c];
    }
    for (size_t row = 0; row < rows; row++)
        a->order[at[a->class_of[row]]++] = (uint32_t)row;
    queryable->classes = (uint32_t)classes;
    queryable->right_starts = starts;
    free(at);
    return BAUTA_OK;
}

static bauta_status take_columns(bt_queryable *queryable, const arrangement *a, bauta_error *error)
{
    const bt_release *release = queryable->release;
    for (size_t i = 0; i < release->column_count; i++) {
        bt_query_column *column = &queryable->columns.items[i];
        const bt_release_column *from = &release->columns[i];
        column->side = is_left(from) ? BT_LEFT : BT_RIGHT;
        if (column->side == BT_LEFT)
            BT_TRY(bt_column_take(column, from, queryable->first_row, queryable->classes, error));
        else
            BT_TRY(bt_column_take(column, from, a->order, (size_t)release->rows, error));
    }
    return BAUTA_OK;
}

static bauta_status open_generalized(bt_queryable *queryable, const bt_run *run, bauta_error *error)
{
    arrangement a = {0};
    bauta_status status = group_rows(queryable->release, run, &a, error);
    if (status == BAUTA_OK) status = order_rows(queryable, &a, error);
    if (status == BAUTA_OK) status = take_columns(queryable, &a, error);
    bt_tuple_index_free(a.index);
    bt_tuples_release(&a.classes);
    free(a.codes);
    free(a.class_of);
    free(a.order);
    return status;
}

/* ---- the left side of a class ---- */

/* A way through the cells of a class: where in the diagram it ends, and how likely it is. */
typedef struct way {
    uint32_t node;
    uint32_t signature; /* of the target, when it is on the left */
    double share;
} way;

/* A node of the diagram on the left, with what it needs. */
typedef struct left_step {
    const void *codes;
    unsigned width;
    uint32_t signatures;
    const double *share;
    const bool *can;
    const uint32_t *edges;
} left_step;

typedef struct walker {
    const bt_queryable *queryable;
    const bt_question *question;
    bt_evaluation *out;
    bt_chances *chances; /* per left slot */
    left_step *left;     /* of the nodes on the left */
    bt_step *steps;      /* of the nodes on the right */
    uint32_t *target_of; /* right target: signatures of its codes */
    uint32_t ends;       /* nodes below this are decided on the right, or ends */
    double *reach;       /* per node */
    bool *reached;
    way *ways;
    size_t way_count, way_capacity;
    bool left_target, right_target;
    bauta_error *error;
} walker;

static bauta_status open_left(walker *w, bt_question *question)
{
    const bt_diagram *diagram = &question->diagram;
    w->left = bt_arena_array(&question->predicate.arena, diagram->count, sizeof *w->left);
    if (!w->left) return bt_fail_memory(w->error);
    for (uint32_t node = w->ends; node < diagram->count; node++) {
        const bt_query_column *column = question->predicate.slots[diagram->slot[node]].column;
        const bt_chances *chances = &w->chances[diagram->slot[node]];
        w->left[node] =
            (left_step){column->codes,  column->width, chances->signatures,
                        chances->share, chances->can,  diagram->edges + diagram->first[node]};
    }
    return BAUTA_OK;
}

static bauta_status open_walker(walker *w, bt_question *question)
{
    bt_predicate *predicate = &question->predicate;
    bt_arena *arena = &predicate->arena;
    uint32_t nodes = question->diagram.count;
    w->chances = bt_arena_array(arena, predicate->slot_count, sizeof *w->chances);
    w->reach = bt_arena_array(arena, nodes, sizeof *w->reach);
    w->reached = bt_arena_array(arena, nodes, sizeof *w->reached);
    if (!w->chances || !w->reach || !w->reached) return bt_fail_memory(w->error);
    w->left_target = predicate->target < predicate->left_count;
    w->right_target = !w->left_target && bt_has_target(question);
    while (w->ends < nodes && question->diagram.slot[w->ends] >= predicate->left_count)
        w->ends++;
    for (size_t s = 0; s < predicate->left_count; s++) {
        BT_TRY(bt_chances_make(&predicate->slots[s], s == predicate->target, arena, &w->chances[s],
                               w->error));
        if (w->chances[s].loose) w->out->tight = false;
    }
    if (w->right_target)
        BT_TRY(
            bt_chances_exact(&predicate->slots[predicate->target], arena, &w->target_of, w->error));
    BT_TRY(bt_steps_make(question, predicate->left_count, &w->steps, w->error));
    return open_left(w, question);
}

static uint32_t code_of(const walker *w, size_t slot, size_t place)
{
    const bt_query_column *column = w->question->predicate.slots[slot].column;
    return bt_code_at(column->codes, column->width, (int64_t)place);
}

/* Follows all ways from a node over the cells of a class and adds where they end. */
static bauta_status follow(walker *w, uint32_t class_number, uint32_t from, way first)
{
    double *reach = w->reach;
    bool *reached = w->reached;
    reach[from] = first.share;
    reached[from] = true;
    for (uint32_t node = from; node >= w->ends; node--) {
        const left_step *step = &w->left[node];
        if (!reached[node]) continue;
        size_t at = (size_t)bt_code_at(step->codes, step->width, class_number) * step->signatures;
        for (uint32_t s = 0; s < step->signatures; s++) {
            if (!step->can[at + s]) continue;
            uint32_t next = step->edges[s];
            reach[next] += reach[node] * step->share[at + s];
            reached[next] = true;
        }
        reach[node] = 0;
        reached[node] = false;
    }
    BT_TRY(bt_array_grow(&w->ways, &w->way_capacity, w->way_count + w->ends, sizeof *w->ways,
                         w->error));
    for (uint32_t node = 0; node < w->ends; node++) {
        if (!reached[node]) continue;
        w->ways[w->way_count++] = (way){node, first.signature, reach[node]};
        reach[node] = 0;
        reached[node] = false;
    }
    return BAUTA_OK;
}

/* All ways of a class; with a target among the cells, apart for each of its signatures. */
static bauta_status follow_class(walker *w, uint32_t class_number)
{
    const bt_diagram *diagram = &w->question->diagram;
    w->way_count = 0;
    if (!w->left_target || diagram->root < w->ends)
        return follow(w, class_number, diagram->root, (way){.share = 1});
    const bt_chances *target = &w->chances[0];
    size_t at = (size_t)code_of(w, 0, class_number) * target->signatures;
    for (uint32_t s = 0; s < target->signatures; s++) {
        if (!target->can[at + s]) continue;
        way first = {.signature = s, .share = target->share[at + s]};
        BT_TRY(follow(w, class_number, bt_diagram_step(diagram, diagram->root, s), first));
    }
    return BAUTA_OK;
}

/* ---- records ---- */

typedef struct verdict {
    bool must, may;
    double expected;
    int64_t lo, hi; /* of the target */
} verdict;

/* Records that are judged at once: the one at `place`, or so many like it. */
typedef struct batch {
    size_t place, count;
    bool settled, matches; /* settled: all that is open on the right is, and it matches or not */
} batch;

static bool ends_well(const walker *w, uint32_t node, const batch *records)
{
    if (records->settled && node > BT_ALWAYS) return records->matches;
    return bt_walk(w->steps, node, records->place, BT_ALWAYS + 1) == BT_ALWAYS;
}

/* What is to be said of each of some records, which add to the weights of the target. */
static verdict judge(const walker *w, uint32_t class_number, const batch *records)
{
    double count = (double)records->count;
    verdict found = {.must = true, .lo = BT_HIGHEST, .hi = BT_LOWEST};
    const bt_chances *target = w->chances;
    size_t at = w->left_target ? (size_t)code_of(w, 0, class_number) * target->signatures : 0;
    for (size_t i = 0; i < w->way_count; i++) {
        const way *one = &w->ways[i];
        if (!ends_well(w, one->node, records)) {
            found.must = false;
            continue;
        }
        found.may = true;
        found.expected += one->share;
        if (!w->left_target) continue;
        size_t here = at + one->signature;
        w->out->weights[here] += one->share * count;
        if (target->lo[here] < found.lo) found.lo = target->lo[here];
        if (target->hi[here] > found.hi) found.hi = target->hi[here];
    }
    found.must &= found.may;
    if (w->right_target && found.may) {
        size_t target_slot = w->question->predicate.target;
        const bt_slot *slot = &w->question->predicate.slots[target_slot];
        uint32_t code = code_of(w, target_slot, records->place);
        at = (size_t)code * slot->signatures + w->target_of[code];
        w->out->weights[at] += found.expected * count;
        found.lo = found.hi = bt_column_number(slot->column, code);
    }
    return found;
}

static bauta_status add_records(walker *w, uint32_t class_number, const batch *records,
                                bt_contribution *sum)
{
    bt_bounds *bounds = &w->out->bounds;
    int64_t count = (int64_t)records->count;
    if (count == 0) return BAUTA_OK;
    verdict found = judge(w, class_number, records);
    if (!found.may) return BAUTA_OK;
    sum->may += count;
    sum->must += found.must ? count : 0;
    sum->expected += found.expected * (double)count;
    if (bounds->aggregate == BT_COUNT) return BAUTA_OK;
    BT_TRY(bt_bounds_low(bounds, found.lo, count, found.must, w->error));
    return bt_bounds_high(bounds, found.hi, count, found.must, w->error);
}

/* The one node that the ways of a class leave open on the right; BT_NEVER: there is none, and all
 * records are alike; BT_ALWAYS: there are several, or records differ in the target. */
static uint32_t find_open(const walker *w)
{
    uint32_t open = BT_NEVER;
    if (w->right_target) return BT_ALWAYS;
    for (size_t i = 0; i < w->way_count; i++) {
        uint32_t node = w->ways[i].node;
        if (node <= BT_ALWAYS || node == open) continue;
        if (open != BT_NEVER) return BT_ALWAYS;
        open = node;
    }
    return open;
}

/* Records that satisfy the open node, and those that do not, are judged once each. */
static bauta_status add_two_batches(walker *w, uint32_t class_number, uint32_t open, size_t from,
                                    size_t to, bt_contribution *sum)
{
    batch records[2] = {{.settled = true}, {.settled = true, .matches = true}};
    for (size_t place = from; open != BT_NEVER && place < to; place++)
        records[1].count += bt_walk(w->steps, open, place, BT_ALWAYS + 1);
    records[0].count = to - from - records[1].count;
    BT_TRY(add_records(w, class_number, &records[0], sum));
    return add_records(w, class_number, &records[1], sum);
}

static bauta_status evaluate_class(walker *w, uint32_t class_number)
{
    const size_t *starts = w->queryable->right_starts;
    size_t from = starts[class_number], to = starts[class_number + 1];
    bt_contribution sum = {.records = (int64_t)(to - from)};
    BT_TRY(follow_class(w, class_number));
    if (w->way_count == 1 && w->ways[0].node == BT_NEVER) return BAUTA_OK;
    uint32_t open = find_open(w);
    if (open != BT_ALWAYS) {
        BT_TRY(add_two_batches(w, class_number, open, from, to, &sum));
    } else {
        for (size_t place = from; place < to; place++) {
            const batch record = {.place = place, .count = 1};
            BT_TRY(add_records(w, class_number, &record, &sum));
        }
    }
    return bt_contribute(w->out, w->queryable, class_number, sum, w->error);
}

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    walker w = {.queryable = queryable, .question = question, .out = out, .error = error};
    out->tight = true;
    bauta_status status = open_walker(&w, question);
    for (uint32_t c = 0; c < queryable->classes && status == BAUTA_OK; c++)
        status = evaluate_class(&w, c);
    free(w.ways);
    return status;
}

static const char *const assumptions[] = {
    "the interval is over all records that the cells of their rows allow, each independent of the "
    "others",
    "the estimate spreads values evenly over the numbers of a range, the leaves of a node and the "
    "members of a set, and takes columns as independent within a class",
    NULL,
};

const bt_query_form bt_query_generalized = {
    .name = "generalized",
    .assumptions = assumptions,
    .open = open_generalized,
    .evaluate = evaluate,
};
