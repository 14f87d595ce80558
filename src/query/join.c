/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to a join: how many records of the original match, not how many rows of data.csv.
 *
 * A class here is a sensitive group. Its left parts are its boxes, each with its rows in data.csv;
 * its right parts are its rows in sensitive.csv, which are the records. Which box a record is in is
 * not published, only that a box has no more records than rows. That it has one at least is not
 * used: of a release alone nobody can check it.
 *
 * Estimate: rows of a group are records with equal chances, so that each weighs n/N, its records
 * over its rows (paper 5, R3 of the notes).
 *
 * Interval of a COUNT: records flow into boxes, and no more of them match than the smallest cut of
 * that flow lets through. A cut is by some of the records: those of them in boxes where one of them
 * may match, no more than these have rows, and all others that may match anywhere. Cuts by all, by
 * none, and by those that do and do not satisfy what the boxes leave open on the right are tried.
 * The same for records that need not match gives the least. Both ends are attained when boxes leave
 * the same condition open, if any: then there are no other cuts. Otherwise they are safe, but
 * perhaps not tight. Of other aggregates each record is taken by itself, in any of the boxes of its
 * group.
 *
 * Cost: rows of sensitive.csv times boxes of their groups, where the question asks for what stands
 * there; else boxes.
 */
#include "query/ways.h"

#include <string.h>

/* ---- opening ---- */

/* Sorts classes by their groups, and rows of sensitive.csv likewise. */
static void sort_by_group(const uint32_t *group_of, size_t count, const size_t *starts,
                          uint32_t groups, size_t *at, uint32_t *order)
{
    memcpy(at, starts, groups * sizeof *at);
    for (size_t i = 0; i < count; i++)
        order[at[group_of[i]]++] = (uint32_t)i;
}

static bauta_status make_starts(bt_queryable *queryable, bauta_error *error)
{
    const bt_release *release = queryable->release;
    const bt_bags *bags = &release->bags;
    size_t groups = bags->count;
    size_t *left = bt_arena_array(&queryable->arena, groups + 1, sizeof *left);
    size_t *right = bt_arena_array(&queryable->arena, groups + 1, sizeof *right);
    if (!left || !right) return bt_fail_memory(error);
    for (uint32_t c = 0; c < release->classes.count; c++)
        left[bags->of_class[c] + 1]++;
    for (size_t g = 0; g < groups; g++) {
        left[g + 1] += left[g];
        right[g + 1] = right[g] + bags->values[g];
    }
    queryable->classes = bags->count;
    queryable->left_starts = left;
    queryable->right_starts = right;
    return BAUTA_OK;
}

static bauta_status take_columns(bt_queryable *queryable, const uint32_t *boxes,
                                 const uint32_t *records, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_release *release = queryable->release;
    size_t classes = release->classes.count, rows = (size_t)bt_release_records(release);
    uint32_t *first = bt_arena_array(&scratch, classes, sizeof *first);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < classes; i++)
        first[i] = release->classes.row[boxes[i]];
    for (size_t i = 0; i < release->column_count; i++) {
        bool left = release->columns[i].manifest->role == BT_ROLE_QUASI;
        queryable->columns.items[i].side = left ? BT_LEFT : BT_RIGHT;
        BT_TRY(bt_column_take(queryable, i, left ? first : records, left ? classes : rows, error));
    }
    return BAUTA_OK;
}

static bauta_status describe_boxes(bt_queryable *queryable, const uint32_t *boxes,
                                   bauta_error *error)
{
    const bt_tuples *classes = &queryable->release->classes;
    uint32_t groups = queryable->classes;
    uint32_t *sizes = bt_arena_array(&queryable->arena, classes->count, sizeof *sizes);
    queryable->first_row = bt_arena_array(&queryable->arena, groups, sizeof *queryable->first_row);
    if (!sizes || !queryable->first_row) return bt_fail_memory(error);
    for (size_t i = 0; i < classes->count; i++)
        sizes[i] = classes->size[boxes[i]];
    for (uint32_t g = 0; g < groups; g++)
        if (queryable->left_starts[g] < queryable->left_starts[g + 1])
            queryable->first_row[g] = classes->row[boxes[queryable->left_starts[g]]];
    queryable->left_sizes = sizes;
    return BAUTA_OK;
}

static bauta_status open_join(bt_queryable *queryable, const bt_run *run, bauta_error *error)
{
    (void)run;
    const bt_release *release = queryable->release;
    if (bt_records_hidden(release)) {
        bauta_status no = bt_fail(error, BAUTA_NO,
                                  "the release does not say how many of its rows are records of "
                                  "the original, so that they cannot be counted");
        bt_error_hint(error, "a join made with --join refine, or one with sensitive columns, can "
                             "be asked");
        return no;
    }
    BT_TRY(make_starts(queryable, error));
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    uint32_t groups = queryable->classes, classes = release->classes.count;
    size_t rows = (size_t)file->rows, *at = bt_arena_array(&scratch, groups, sizeof *at);
    uint32_t *boxes = bt_arena_array(&scratch, classes, sizeof *boxes);
    uint32_t *records = bt_arena_array(&scratch, rows, sizeof *records);
    BT_TRY(bt_arena_check(&scratch, error));
    sort_by_group(release->bags.of_class, classes, queryable->left_starts, groups, at, boxes);
    sort_by_group(file->bag_of, rows, queryable->right_starts, groups, at, records);
    BT_TRY(describe_boxes(queryable, boxes, error));
    return take_columns(queryable, boxes, records, error);
}

/* ---- a group ---- */

typedef struct group {
    size_t from, to;  /* boxes */
    size_t first;     /* place of the first record */
    size_t records;   /* n */
    double rows;      /* N */
    size_t batches;   /* 1 when all records are alike, else as many as records */
    bt_judgement *of; /* per batch: over all boxes */
    uint8_t *kind;    /* per batch: whether it satisfies what boxes leave open, 0 or 1 */
    uint8_t *may;     /* per box: bit k: some batch of kind k may match there */
    uint8_t *fail;    /* per box: bit k: some batch of kind k need not match there */
} group;

typedef struct asker {
    bt_walker walker;
    group group;   /* the one at hand */
    bool alike;    /* the question is about boxes alone */
    uint32_t open; /* the condition that boxes leave open on the right: the first node there */
} asker;

static bauta_status open_asker(asker *a, bt_question *question, bauta_error *error)
{
    const bt_queryable *queryable = a->walker.queryable;
    bt_arena *arena = &question->predicate.arena;
    size_t boxes = 1, records = 1;
    for (uint32_t g = 0; g < queryable->classes; g++) {
        size_t left = queryable->left_starts[g + 1] - queryable->left_starts[g];
        size_t right = queryable->right_starts[g + 1] - queryable->right_starts[g];
        if (left > boxes) boxes = left;
        if (right > records) records = right;
    }
    BT_TRY(bt_walker_open(&a->walker, question));
    a->alike = a->walker.ends == BT_ALWAYS + 1 && !a->walker.right_target;
    a->open = a->walker.ends - 1;
    size_t batches = a->alike ? 1 : records;
    a->group.of = bt_arena_array(arena, batches, sizeof *a->group.of);
    a->group.kind = bt_arena_array(arena, batches, sizeof *a->group.kind);
    a->group.may = bt_arena_array(arena, boxes, sizeof *a->group.may);
    a->group.fail = bt_arena_array(arena, boxes, sizeof *a->group.fail);
    bool room = a->group.of && a->group.kind && a->group.may && a->group.fail;
    return room ? BAUTA_OK : bt_fail_memory(error);
}

static void enter(asker *a, uint32_t number)
{
    const bt_queryable *queryable = a->walker.queryable;
    group *g = &a->group;
    g->from = queryable->left_starts[number];
    g->to = queryable->left_starts[number + 1];
    g->first = queryable->right_starts[number];
    g->records = queryable->right_starts[number + 1] - g->first;
    g->batches = a->alike ? 1 : g->records;
    g->rows = 0;
    for (size_t i = g->from; i < g->to; i++) {
        g->rows += queryable->left_sizes[i];
        g->may[i - g->from] = g->fail[i - g->from] = 0;
    }
    for (size_t b = 0; b < g->batches; b++) {
        g->of[b] = (bt_judgement){.must = true, .lo = BT_HIGHEST, .hi = BT_LOWEST};
        if (a->open > BT_ALWAYS)
            g->kind[b] =
                bt_walk(a->walker.steps, a->open, g->first + b, BT_ALWAYS + 1) == BT_ALWAYS;
    }
}

/* What the records of a group do in one of its boxes. */
static bauta_status try_box(asker *a, size_t box)
{
    bt_walker *w = &a->walker;
    group *g = &a->group;
    size_t here = box - g->from;
    double share = w->queryable->left_sizes[box] / g->rows;
    BT_TRY(bt_walker_follow(w, box));
    uint32_t open = bt_walker_open_node(w);
    if (open != BT_NEVER && open != a->open) w->out->tight = false;
    for (size_t b = 0; b < g->batches; b++) {
        size_t count = a->alike ? g->records : 1;
        const bt_judged batch = {
            .place = g->first + b, .count = count, .weight = share * (double)count};
        bt_judgement found = bt_walker_judge(w, box, &batch), *all = &g->of[b];
        all->must &= found.must;
        all->may |= found.may;
        all->expected += found.expected * batch.weight;
        if (found.may && found.lo < all->lo) all->lo = found.lo;
        if (found.may && found.hi > all->hi) all->hi = found.hi;
        g->may[here] |= (uint8_t)(found.may << g->kind[b]);
        g->fail[here] |= (uint8_t)(!found.must << g->kind[b]);
    }
    return BAUTA_OK;
}

/* Records of each kind that can, and boxes where some of a kind can: what flows through. */
static int64_t smallest_cut(const asker *a, const int64_t can[2], const uint8_t *here)
{
    const group *g = &a->group;
    const uint32_t *sizes = a->walker.queryable->left_sizes;
    int64_t least = INT64_MAX;
    for (unsigned by = 0; by < 4; by++) { /* bit k: by the records of kind k */
        int64_t cut = (by & 1 ? 0 : can[0]) + (by & 2 ? 0 : can[1]);
        for (size_t i = g->from; i < g->to; i++)
            if (here[i - g->from] & by) cut += sizes[i];
        if (cut < least) least = cut;
    }
    return least;
}

/* The least and the greatest number of records that match; `sum` has those that must and may when
 * each is taken by itself. */
static void tighten(const asker *a, bt_contribution *sum)
{
    const group *g = &a->group;
    int64_t count = a->alike ? (int64_t)g->records : 1, may[2] = {0}, fail[2] = {0};
    for (size_t b = 0; b < g->batches; b++) {
        may[g->kind[b]] += g->of[b].may ? count : 0;
        fail[g->kind[b]] += g->of[b].must ? 0 : count;
    }
    sum->may = smallest_cut(a, may, g->may);
    sum->must = (int64_t)g->records - smallest_cut(a, fail, g->fail);
    if (sum->must < 0) sum->must = 0; /* only where there are more records than rows */
    if (sum->may < sum->must) sum->may = sum->must;
}

static bauta_status add_records(asker *a, bt_contribution *sum)
{
    const group *g = &a->group;
    bt_bounds *bounds = &a->walker.out->bounds;
    int64_t count = a->alike ? (int64_t)g->records : 1;
    for (size_t b = 0; b < g->batches; b++) {
        const bt_judgement *found = &g->of[b];
        sum->expected += found->expected;
        if (!found->may) continue;
        sum->may += count;
        sum->must += found->must ? count : 0;
        if (bounds->aggregate == BT_COUNT) continue;
        BT_TRY(bt_bounds_low(bounds, found->lo, count, found->must, a->walker.error));
        BT_TRY(bt_bounds_high(bounds, found->hi, count, found->must, a->walker.error));
    }
    return BAUTA_OK;
}

static bauta_status evaluate_group(asker *a, uint32_t number)
{
    bt_evaluation *out = a->walker.out;
    group *g = &a->group;
    enter(a, number);
    bt_contribution sum = {.records = (int64_t)g->records};
    if (g->records == 0) return BAUTA_OK;
    for (size_t box = g->from; box < g->to; box++)
        BT_TRY(try_box(a, box));
    BT_TRY(add_records(a, &sum));
    if (out->bounds.aggregate == BT_COUNT)
        tighten(a, &sum);
    else if (sum.may > 0 && g->to - g->from > 1)
        out->tight = false;
    return bt_contribute(out, a->walker.queryable, number, sum, a->walker.error);
}

/* Refuses a question about a column that shows categories: a right part does not have its value. */
static bauta_status check_columns(const bt_question *question, bauta_error *error)
{
    const bt_predicate *predicate = &question->predicate;
    for (size_t s = predicate->left_count; s < predicate->slot_count; s++) {
        const bt_query_column *column = predicate->slots[s].column;
        if (column->exact) continue;
        return bt_fail(error, BAUTA_INVALID,
                       "of column '%s' only categories are published: a join does not answer "
                       "questions about its values",
                       column->name);
    }
    return BAUTA_OK;
}

static void asker_release(asker *a)
{
    bt_walker_close(&a->walker);
}

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    BT_OWN(asker_release)
    asker a = {
        .walker = {.queryable = queryable, .question = question, .out = out, .error = error}};
    out->tight = true;
    BT_TRY(check_columns(question, error));
    BT_TRY(open_asker(&a, question, error));
    for (uint32_t g = 0; g < queryable->classes; g++)
        BT_TRY(evaluate_group(&a, g));
    return BAUTA_OK;
}

static const char *const assumptions[] = {
    "the interval is over all tables of records that the cells allow, of which each box has no "
    "more "
    "than rows, and each sensitive group as many as sensitive.csv says",
    "the estimate takes each row of a sensitive group as a record with the same chance, and "
    "spreads "
    "values evenly over the numbers of a range, the leaves of a node and the members of a set",
    NULL,
};

const bt_query_form bt_query_join = {
    .name = "generalized with a public table",
    .assumptions = assumptions,
    .open = open_join,
    .evaluate = evaluate,
};
