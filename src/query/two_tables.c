/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `two-tables` releases (paper 1).
 *
 * Left parts are the rows of quasi.csv, right parts those of sensitive.csv. Within a class every
 * assignment of right parts to left parts may be the original one, and nothing else is unknown.
 * The diagram is followed over each left part to a node, its type, which is a condition on the
 * right part alone; n_t left parts have type t, and m_t of the n right parts satisfy it.
 *
 * The estimate is the mean over all assignments: n_t * m_t / n (proportional). The counts that
 * assignments can reach are those of bipartite matchings between types and right parts: the most
 * that can be matched is, by Hall's theorem,
 *
 *     min over sets A of types of (left parts whose type is not in A + right parts that satisfy
 *     some type in A)
 *
 * and the fewest follow from what is most left unsatisfied. One type is the usual case, a
 * condition on quasi columns AND one on sensitive columns: from max(0, n_t + m_t - n) to
 * min(n_t, m_t). Any choice of so many left parts, and of so many right parts, can then be the
 * matching one, so that the bounds of other aggregates are tight as well. With several types these
 * are found for each type alone: valid, but perhaps not tight.
 *
 * Paper 1's own SQL counts every right part of a class that satisfies the condition as soon as one
 * left part does; with estimator=paper that is the estimate.
 *
 * Cost: records times columns, and for t types in a class 2^t.
 */
#include "base/sort.h"
#include "query/token.h"
#include "query/types.h"

#include <string.h>

/* ---- opening ---- */

static bauta_status check_whole(const bt_queryable *queryable, bauta_error *error)
{
    bauta_status status;
    if (queryable->release->bags.unequal > 0) {
        status = bt_fail(error, BAUTA_INVALID, "the two tables have not the same records");
        bt_error_hint(error, "'bauta audit' says more");
        return status;
    }
    for (size_t i = 0; i < queryable->columns.count; i++) {
        if (queryable->columns.items[i].exact) continue;
        status = bt_fail(error, BAUTA_INVALID, "a column of two-tables does not show its values");
        bt_error_place(error, NULL, -1, queryable->columns.items[i].name);
        return status;
    }
    return BAUTA_OK;
}

static bauta_status open_two_tables(bt_queryable *queryable, const bt_run *run, bauta_error *error)
{
    queryable->classes = queryable->release->classes.count;
    queryable->first_row = queryable->release->classes.row;
    BT_TRY(check_whole(queryable, error));
    BT_TRY(bt_queryable_take(queryable, BT_QUASI_FILE, run, error));
    return bt_queryable_take(queryable, BT_SENSITIVE_FILE, run, error);
}

/* ---- a class ---- */

typedef struct pairing {
    const bt_queryable *queryable;
    const bt_question *question;
    bt_evaluation *out;
    bt_types found;
    uint32_t *target_of;      /* signatures of the target's codes */
    size_t left, right, size; /* first places of the class, and its records */
    uint32_t *types;          /* the different ones, in the order of first use */
    size_t type_count;
    int64_t *counts; /* per node: left parts there */
    int64_t *fits;   /* per node: right parts that satisfy it */
    int64_t *values; /* room for a class */
    int64_t *by_set; /* right parts by the set of types that they satisfy; 2^BT_TYPES_MOST */
    bauta_error *error;
} pairing;

static bauta_status open_pairing(pairing *p, bt_question *question)
{
    bt_predicate *predicate = &question->predicate;
    bt_arena *arena = &predicate->arena;
    const bt_queryable *queryable = p->queryable;
    size_t nodes = question->diagram.count, largest = 0;
    for (uint32_t c = 0; c < queryable->classes; c++) {
        size_t size = queryable->left_starts[c + 1] - queryable->left_starts[c];
        if (size > largest) largest = size;
    }
    p->types = bt_arena_array(arena, nodes, sizeof *p->types);
    p->counts = bt_arena_array(arena, nodes, sizeof *p->counts);
    p->fits = bt_arena_array(arena, nodes, sizeof *p->fits);
    p->values = bt_arena_array(arena, largest, sizeof *p->values);
    p->by_set = bt_arena_array(arena, (size_t)1 << BT_TYPES_MOST, sizeof *p->by_set);
    if (!p->types || !p->counts || !p->fits || !p->values || !p->by_set)
        return bt_fail_memory(p->error);
    if (bt_has_target(question))
        BT_TRY(
            bt_chances_exact(&predicate->slots[predicate->target], arena, &p->target_of, p->error));
    return bt_types_make(queryable, question, &p->found, p->error);
}

static bool satisfies(const pairing *p, uint32_t type, size_t right)
{
    return bt_walk(p->found.steps, type, p->right + right, BT_ALWAYS + 1) == BT_ALWAYS;
}

static void enter_class(pairing *p, uint32_t class_number)
{
    const bt_queryable *queryable = p->queryable;
    p->left = queryable->left_starts[class_number];
    p->right = queryable->right_starts[class_number];
    p->size = queryable->left_starts[class_number + 1] - p->left;
    for (size_t i = 0; i < p->type_count; i++)
        p->counts[p->types[i]] = p->fits[p->types[i]] = 0;
    p->counts[BT_NEVER] = p->counts[BT_ALWAYS] = 0;
    p->type_count = 0;
    for (size_t i = 0; i < p->size; i++) {
        uint32_t type = p->found.type_of[p->left + i];
        if (p->counts[type]++ == 0 && type > BT_ALWAYS) p->types[p->type_count++] = type;
    }
    for (size_t t = 0; t < p->type_count; t++)
        for (size_t i = 0; i < p->size; i++)
            p->fits[p->types[t]] += satisfies(p, p->types[t], i);
}

/* How many left parts of a type are satisfied at least and at most. */
static void range_of_type(const pairing *p, uint32_t type, int64_t *least, int64_t *most)
{
    int64_t n = p->counts[type], m = p->fits[type], size = (int64_t)p->size;
    *least = n + m > size ? n + m - size : 0;
    *most = n < m ? n : m;
}

/* ---- counts ---- */

static int64_t match(pairing *p, bool satisfied)
{
    int64_t counts[BT_TYPES_MOST];
    for (size_t t = 0; t < p->type_count; t++)
        counts[t] = p->counts[p->types[t]];
    memset(p->by_set, 0, sizeof *p->by_set << p->type_count);
    for (size_t i = 0; i < p->size; i++) {
        size_t set = 0;
        for (size_t t = 0; t < p->type_count; t++)
            set |= (size_t)(satisfies(p, p->types[t], i) == satisfied) << t;
        p->by_set[set]++;
    }
    return bt_types_match(counts, p->type_count, (int64_t)p->size, p->by_set);
}

/* Matching records of the class: what must, may, and is expected. */
static bt_contribution count_class(pairing *p)
{
    bt_contribution sum = {.records = (int64_t)p->size,
                           .must = p->counts[BT_ALWAYS],
                           .may = p->counts[BT_ALWAYS],
                           .expected = (double)p->counts[BT_ALWAYS]};
    int64_t open = 0, least = 0, most = 0;
    for (size_t t = 0; t < p->type_count; t++) {
        uint32_t type = p->types[t];
        int64_t low, high;
        range_of_type(p, type, &low, &high);
        open += p->counts[type];
        least += low;
        most += high;
        sum.expected += (double)p->counts[type] * (double)p->fits[type] / (double)p->size;
    }
    if (p->type_count > 1 && p->type_count <= BT_TYPES_MOST) {
        least = open - match(p, false);
        most = match(p, true);
    } else if (p->type_count > 1) {
        p->out->tight = false;
    }
    sum.must += least;
    sum.may += most;
    return sum;
}

/* ---- values ---- */

/* Adds a selection of `least` to `most` of `count` values: the smallest for the low end, the
 * largest for the high one. */
static bauta_status add_selection(pairing *p, size_t count, int64_t least, int64_t most)
{
    bt_bounds *bounds = &p->out->bounds;
    qsort(p->values, count, sizeof *p->values, bt_compare_int64);
    for (int64_t i = 0; i < most; i++) {
        BT_TRY(bt_bounds_low(bounds, p->values[i], 1, i < least, p->error));
        BT_TRY(bt_bounds_high(bounds, p->values[(int64_t)count - 1 - i], 1, i < least, p->error));
    }
    return BAUTA_OK;
}

/* The number of the target at a place, which adds `weight` to what is expected there. */
static int64_t weigh(const pairing *p, size_t place, double weight)
{
    size_t target = p->question->predicate.target;
    const bt_slot *slot = &p->question->predicate.slots[target];
    uint32_t code = bt_code_at(slot->column->codes, slot->column->width, (int64_t)place);
    p->out->weights[(size_t)code * slot->signatures + p->target_of[code]] += weight;
    return bt_column_number(slot->column, code);
}

/* The target is on the left: the values of the left parts of a type. */
static bauta_status select_left(pairing *p, uint32_t type)
{
    int64_t least = p->counts[type], most = p->counts[type];
    double share = 1;
    size_t count = 0;
    if (type != BT_ALWAYS) {
        range_of_type(p, type, &least, &most);
        share = (double)p->fits[type] / (double)p->size;
    }
    for (size_t i = 0; i < p->size; i++)
        if (p->found.type_of[p->left + i] == type)
            p->values[count++] = weigh(p, p->left + i, share);
    return add_selection(p, count, least, most);
}

/* The target is on the right: the values of the right parts that satisfy a type. */
static bauta_status select_right(pairing *p, uint32_t type)
{
    int64_t least, most;
    double share = (double)p->counts[type] / (double)p->size;
    size_t count = 0;
    range_of_type(p, type, &least, &most);
    for (size_t i = 0; i < p->size; i++)
        if (satisfies(p, type, i)) p->values[count++] = weigh(p, p->right + i, share);
    return add_selection(p, count, least, most);
}

static bauta_status select_values(pairing *p)
{
    const bt_predicate *predicate = &p->question->predicate;
    bool left = predicate->target < predicate->left_count;
    if (!bt_has_target(p->question) || p->out->bounds.aggregate == BT_COUNT) return BAUTA_OK;
    if (p->type_count > 1) p->out->tight = false;
    if (left && p->counts[BT_ALWAYS] > 0) BT_TRY(select_left(p, BT_ALWAYS));
    for (size_t t = 0; t < p->type_count; t++)
        BT_TRY(left ? select_left(p, p->types[t]) : select_right(p, p->types[t]));
    return BAUTA_OK;
}

/* ---- paper 1 ---- */

/* The SQL of paper 1 has a condition on the one table and one on the other. */
static bauta_status check_paper(const bt_question *question, bauta_error *error)
{
    const bt_predicate *predicate = &question->predicate;
    bool apart = true;
    /* bits of what stands below */
    BT_OWN(bt_free) uint8_t *sides = bt_array_zero(predicate->junction_count, 1);
    if (!sides) return bt_fail_memory(error);
    for (size_t i = 0; i < predicate->leaf_count; i++) {
        const bt_leaf *leaf = &predicate->leaves[i];
        sides[leaf->junction] |= leaf->slot < predicate->left_count ? 1 : 2;
    }
    for (size_t g = predicate->junction_count; g-- > 1;) {
        apart &= sides[g] != 3;
        if (predicate->junctions[g].parent != 0) sides[predicate->junctions[g].parent] |= sides[g];
    }
    if (question->select.aggregate != BT_COUNT)
        return bt_query_fail(error, (size_t)1, "the estimator 'paper' answers COUNT only");
    if (apart) return BAUTA_OK;
    return bt_query_fail(error, (size_t)1,
                         "the estimator 'paper' takes a condition on quasi columns AND one on "
                         "sensitive columns");
}

/* Then all left parts that match have one type. */
static double count_paper(const pairing *p)
{
    if (p->counts[BT_ALWAYS] > 0) return (double)p->size;
    return p->type_count > 0 ? (double)p->fits[p->types[0]] : 0;
}

/* ---- the whole ---- */

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    pairing p = {.queryable = queryable, .question = question, .out = out, .error = error};
    bool as_paper = question->options.estimator == BT_ESTIMATE_PAPER;
    if (as_paper) BT_TRY(check_paper(question, error));
    BT_TRY(open_pairing(&p, question));
    out->tight = true;
    for (uint32_t c = 0; c < queryable->classes; c++) {
        enter_class(&p, c);
        if (p.counts[BT_NEVER] == (int64_t)p.size) continue;
        bt_contribution sum = count_class(&p);
        if (as_paper) sum.expected = count_paper(&p);
        BT_TRY(select_values(&p));
        BT_TRY(bt_contribute(out, queryable, c, sum, error));
    }
    return BAUTA_OK;
}

static const char every_assignment[] =
    "the interval is over all assignments of the sensitive rows of a class to its quasi rows";

static const char *const assumptions[] = {
    every_assignment,
    "the estimate is the mean over these: matching quasi rows times matching sensitive rows over "
    "the size of the class",
    NULL,
};

static const char *const paper[] = {
    every_assignment,
    "the estimate counts all matching sensitive rows of a class as soon as one of its quasi rows "
    "matches",
    NULL,
};

const bt_query_form bt_query_two_tables = {
    .name = "two-tables",
    .assumptions = assumptions,
    .open = open_two_tables,
    .evaluate = evaluate,
    .paper = paper,
};
