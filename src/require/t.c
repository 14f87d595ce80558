/* SPDX-License-Identifier: Apache-2.0
 *
 * t-closeness: the distribution of the sensitive values in every class is at most t away from
 * that in the whole table (Li, Li and Venkatasubramanian 2007), by the earth mover's distance:
 * what it costs to move the one distribution onto the other. Moving everything from one value to
 * another costs
 *   equal         1;
 *   ordered       the steps between the two over the steps between the first and the last;
 *   hierarchical  the level of their lowest common ancestor over the level of the root.
 * Only values that occur in the table are ranked, so that the published table shows all that is
 * needed to check the promise; numbers and dates rank by size, the missing value last.
 *
 * With the class's counts b (their sum B) and the table's counts a (sum A), all distances are whole
 * numbers over a multiple of A * B and are compared exactly. Sums stay below 2^106: counts are
 * below 2^32, ranks below 2^32, levels at most 1000.
 *
 * Cost: linear in the values that occur in the class for equal; for the others as well, times
 * a logarithm, unless so many occur that a pass over all values is cheaper.
 */
#include "base/natural.h"
#include "base/sort.h"
#include "class/belief.h"
#include "recipe/hierarchy.h"
#include "require/requirement.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { EQUAL, ORDERED, HIERARCHICAL };

static const bt_param params[] = {
    {.name = "t",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "1",
     .help = "greatest distance between a class and the whole table"},
    {.name = "distance",
     .type = BT_PARAM_CHOICE,
     .choices = "equal|ordered|hierarchical",
     .fallback = "equal",
     .help = "what it costs to move from one value to another; ordered, if not given, for numbers "
             "and dates"},
};

typedef struct reference { /* what is kept for a column */
    /* ordered */
    uint32_t ranks;    /* values that occur in the table */
    uint32_t *code_at; /* per rank */
    uint32_t *rank_of; /* per code; for codes that do not occur without meaning */
    uint64_t *up_to;   /* per rank: persons in the table with this rank or a lower one */
    uint64_t *sums;    /* per rank: the sum of up_to over all lower ranks; ranks + 1 entries */
    /* hierarchical */
    uint64_t *under; /* per node: persons in the table */
} reference;

typedef struct fraction {
    wide top, bottom;
} fraction;

/* ---- preparing ---- */

typedef struct ranked {
    int64_t number;
    uint32_t code;
} ranked;

static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return (a->code > b->code) - (a->code < b->code);
}

/* Numbers need not be in code order when a hierarchy lays the codes out. */
static bauta_status rank_numbers(const bt_sensitive *column, reference *kept, bauta_error *error)
{
    ranked *order = bt_array(kept->ranks, sizeof *order);
    if (!order) return bt_fail_memory(error);
    for (uint32_t rank = 0; rank < kept->ranks; rank++) {
        uint32_t code = kept->code_at[rank];
        bool missing = column->text[code][0] == '\0';
        order[rank] = (ranked){missing ? INT64_MAX : column->number[code], code};
    }
    qsort(order, kept->ranks, sizeof *order, compare_ranked);
    for (uint32_t rank = 0; rank < kept->ranks; rank++)
        kept->code_at[rank] = order[rank].code;
    free(order);
    return BAUTA_OK;
}

static bauta_status prepare_ordered(const bt_sensitive *column, bt_arena *arena, reference *kept,
                                    bauta_error *error)
{
    if (!column->number && (!column->hierarchy || !column->hierarchy->given)) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the values of the column have no order");
        bt_error_hint(error, "give it a hierarchy in a file or in the recipe, whose order is then "
                             "used, or take t=…:equal");
        return status;
    }
    kept->code_at = bt_arena_array(arena, column->size, sizeof *kept->code_at);
    kept->rank_of = bt_arena_array(arena, column->size, sizeof *kept->rank_of);
    kept->up_to = bt_arena_array(arena, column->size, sizeof *kept->up_to);
    kept->sums = bt_arena_array(arena, (size_t)column->size + 1, sizeof *kept->sums);
    if (!kept->code_at || !kept->rank_of || !kept->up_to || !kept->sums)
        return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->size; code++)
        if (column->counts[code] > 0) kept->code_at[kept->ranks++] = code;
    if (column->number) BT_TRY(rank_numbers(column, kept, error));
    uint64_t persons = 0;
    for (uint32_t rank = 0; rank < kept->ranks; rank++) {
        kept->rank_of[kept->code_at[rank]] = rank;
        kept->up_to[rank] = persons += (uint64_t)column->counts[kept->code_at[rank]];
        kept->sums[rank + 1] = kept->sums[rank] + persons;
    }
    return BAUTA_OK;
}

static bauta_status prepare_tree(const bt_sensitive *column, bt_arena *arena, reference *kept,
                                 bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    if (!tree || !tree->leaf_node || !tree->given) {
        /* A derived tree is not published, since it would show values that are not. */
        bauta_status status = bt_fail(error, BAUTA_INVALID, "%s",
                                      tree ? "distances need a hierarchy that is given, not derived"
                                           : "the column has no hierarchy to measure distances in");
        bt_error_hint(error, tree
                                 ? "'bauta hierarchy -o FILE' writes it to a file that can be given"
                                 : "give it one, or take t=…:equal");
        return status;
    }
    kept->under = bt_arena_array(arena, tree->count, sizeof *kept->under);
    if (!kept->under) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->size; code++)
        kept->under[tree->leaf_node[code]] = (uint64_t)column->counts[code];
    for (uint32_t node = tree->count; node-- > 1;) /* parents stand before their children */
        kept->under[tree->nodes[node].parent] += kept->under[node];
    return BAUTA_OK;
}

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    reference *kept = *prepared = bt_arena_array(arena, 1, sizeof *kept);
    if (!kept) return bt_fail_memory(error);
    switch (instance->values[1].integer) {
    case ORDERED: return prepare_ordered(column, arena, kept, error);
    case HIERARCHICAL: return prepare_tree(column, arena, kept, error);
    default: return BAUTA_OK;
    }
}

/* ---- the places (codes or ranks) that occur in a bag, ascending ---- */

enum { SORTED_MOST = 250, SCAN_FACTOR = 16 };

typedef struct ascent {
    const bt_bag *bag;
    const uint32_t *code_at; /* per place; NULL: places are codes */
    uint32_t places, next;
    uint32_t count; /* of `sorted`; 0: all places are looked at in turn */
    uint32_t sorted[SORTED_MOST];
} ascent;

static void start(ascent *a, const bt_bag *bag, uint32_t places, const uint32_t *code_at,
                  const uint32_t *place_of)
{
    a->bag = bag;
    a->code_at = code_at;
    a->places = places;
    a->next = a->count = 0;
    if (bag->distinct > SORTED_MOST || places / SCAN_FACTOR <= bag->distinct) return;
    a->count = bag->distinct;
    for (uint32_t i = 0; i < a->count; i++)
        a->sorted[i] = place_of ? place_of[bag->codes[i]] : bag->codes[i];
    qsort(a->sorted, a->count, sizeof *a->sorted, bt_compare_uint32);
}

static uint64_t count_at(const ascent *a, uint32_t place)
{
    return a->bag->counts[a->code_at ? a->code_at[place] : place];
}

static bool step(ascent *a, uint32_t *place)
{
    if (a->count > 0) {
        if (a->next == a->count) return false;
        *place = a->sorted[a->next++];
        return true;
    }
    while (a->next < a->places && count_at(a, a->next) == 0)
        a->next++;
    *place = a->next++;
    return *place < a->places;
}

/* ---- distances ---- */

/* Half the sum of absolute differences is the sum of the positive ones. */
static fraction equal_distance(const bt_bag *bag)
{
    const int64_t *table = bag->of->counts;
    uint64_t ours = (uint64_t)bag->total, all = (uint64_t)bag->of->total;
    wide sum = 0;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint32_t code = bag->codes[i];
        wide here = (wide)bag->counts[code] * all, there = (wide)(uint64_t)table[code] * ours;
        if (here > there) sum += here - there;
    }
    return (fraction){sum, (wide)ours * all};
}

/* The first of ranks from..to-1 with more than `bound` persons up to it, or `to`. */
static uint32_t first_above(const reference *kept, uint32_t from, uint32_t to, wide bound)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (kept->up_to[middle] > bound)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* The sum over ranks from..to-1 of |A * (b up to there) - B * (a up to there)|, where b up to there
 * is the same for all of them: `reached`. */
static wide stretch(const reference *kept, const bt_bag *bag, uint32_t from, uint32_t to,
                    uint64_t reached)
{
    uint64_t ours = (uint64_t)bag->total, all = (uint64_t)bag->of->total;
    wide level = (wide)all * reached;
    uint32_t turn = first_above(kept, from, to, level / ours);
    wide before = level * (turn - from) - (wide)(kept->sums[turn] - kept->sums[from]) * ours;
    return before + (wide)(kept->sums[to] - kept->sums[turn]) * ours - level * (to - turn);
}

/* The sum of the absolute differences between the cumulated distributions. The last rank has
 * none: both have reached 1 there. */
static fraction ordered_distance(const reference *kept, const bt_bag *bag)
{
    ascent a;
    uint32_t from = 0, rank;
    uint64_t reached = 0;
    wide sum = 0;
    if (kept->ranks < 2) return (fraction){0, 1};
    start(&a, bag, kept->ranks, kept->code_at, kept->rank_of);
    while (step(&a, &rank)) {
        sum += stretch(kept, bag, from, rank, reached);
        reached += count_at(&a, rank);
        from = rank;
    }
    sum += stretch(kept, bag, from, kept->ranks, reached);
    return (fraction){sum,
                      (wide)(uint64_t)bag->total * (uint64_t)bag->of->total * (kept->ranks - 1)};
}

typedef struct path { /* the nodes from below the root down to the leaf in view */
    uint32_t length;
    uint32_t node[BT_LEVELS_MOST];
    uint64_t persons[BT_LEVELS_MOST]; /* of the bag, seen so far under each */
} path;

/* Leaves the lowest node of the path. */
static wide leave(path *p, const reference *kept, const bt_bag *bag)
{
    const bt_node *nodes = bag->of->hierarchy->nodes;
    uint32_t node = p->node[--p->length];
    uint64_t persons = p->persons[p->length];
    if (p->length > 0) p->persons[p->length - 1] += persons;
    wide here = (wide)persons * (uint64_t)bag->of->total;
    wide there = (wide)kept->under[node] * (uint64_t)bag->total;
    return (here < there ? here : there) * (nodes[nodes[node].parent].level - nodes[node].level);
}

/* Goes down to a leaf; the path holds only nodes above it. */
static void descend(path *p, const bt_hierarchy *tree, uint32_t code, uint64_t persons)
{
    uint32_t top = p->length > 0 ? p->node[p->length - 1] : 0, length = p->length;
    for (uint32_t node = tree->leaf_node[code]; node != top; node = tree->nodes[node].parent)
        p->length++;
    uint32_t place = p->length;
    for (uint32_t node = tree->leaf_node[code]; place > length; node = tree->nodes[node].parent) {
        p->node[--place] = node;
        p->persons[place] = 0;
    }
    if (p->length > 0) p->persons[p->length - 1] = persons;
}

/* A way up from a leaf to its ancestor of level h and down again has length 2h when an edge is as
 * long as the levels it spans, so this is half the earth mover's distance of a tree: half the sum
 * over all edges of their length times |A b - B a| below them. As |x - y| = x + y - 2 min(x, y) and
 * all ways from the root to a leaf are H long, that is H A B minus the sum of the lengths
 * times min(A b, B a), to which only nodes with persons of the bag contribute. */
static fraction tree_distance(const reference *kept, const bt_bag *bag)
{
    const bt_hierarchy *tree = bag->of->hierarchy;
    path p;
    ascent a;
    uint32_t code, height = tree->nodes[0].level;
    wide whole = (wide)(uint64_t)bag->total * (uint64_t)bag->of->total * height, common = 0;
    if (height == 0) return (fraction){0, 1};
    p.length = 0;
    start(&a, bag, bag->of->size, NULL, NULL);
    while (step(&a, &code)) {
        while (p.length > 0 && tree->nodes[p.node[p.length - 1]].hi <= code)
            common += leave(&p, kept, bag);
        descend(&p, tree, code, count_at(&a, code));
    }
    while (p.length > 0)
        common += leave(&p, kept, bag);
    return (fraction){whole - common, whole};
}

static fraction distance(const bt_requirement_instance *instance, const reference *kept,
                         const bt_bag *bag)
{
    switch (instance->values[1].integer) {
    case ORDERED: return ordered_distance(kept, bag);
    case HIERARCHICAL: return tree_distance(kept, bag);
    default: return equal_distance(bag);
    }
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    bt_rational most = instance->values[0].rational;
    if (bag->total == 0) return false;
    fraction d = distance(instance, prepared, bag);
    return bt_fraction_compare(d.top, d.bottom, (wide)most.top, (wide)most.bottom) <= 0;
}

/* One change of n moves 1/n of the class by a distance of 1 at most: floor(n t - n d). */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    bt_rational most = instance->values[0].rational;
    if (!check(instance, prepared, bag)) return -1;
    fraction d = distance(instance, prepared, bag);
    wide moved = (wide)(uint64_t)most.top * (uint64_t)bag->total, top = (wide)(uint64_t)most.bottom;
    wide bottom = d.top == 0 ? 1 : d.bottom / (uint64_t)bag->total;
    bool less = bt_fraction_compare(moved % top, top, d.top % bottom, bottom) < 0;
    return (int64_t)(moved / top) - (int64_t)(d.top / bottom) - less;
}

/* ---- the same between two distributions over one total ---- */

/* sum += factor * |a - b|, or with `positive` factor * max(a - b, 0) */
static void add_difference(uint64_t *sum, const uint64_t *a, const uint64_t *b, uint64_t factor,
                           bool positive, size_t words)
{
    uint64_t difference[BT_SHARES_ROOM];
    bool less = bt_natural_compare(a, b, words) < 0;
    if (less && positive) return;
    memcpy(difference, less ? b : a, words * sizeof *difference);
    bt_natural_subtract(difference, less ? a : b, words);
    bt_natural_multiply(difference, factor, words);
    bt_natural_add(sum, difference, words);
}

static void believe_equal(const bt_belief *belief, uint64_t *sum)
{
    for (uint32_t code = 0; code < belief->shares->codes; code++)
        add_difference(sum, bt_share(belief->shares, code), bt_share(belief->reference, code), 1,
                       true, belief->shares->words);
}

/* Returns what the sum is over, beside the total: the steps between the first rank and the last. */
static uint64_t believe_ordered(const reference *kept, const bt_belief *belief, uint64_t *sum)
{
    size_t words = belief->shares->words;
    uint64_t ours[BT_SHARES_ROOM], theirs[BT_SHARES_ROOM];
    bt_natural_set(ours, words, 0);
    bt_natural_set(theirs, words, 0);
    for (uint32_t rank = 0; rank + 1 < kept->ranks; rank++) {
        bt_natural_add(ours, bt_share(belief->shares, kept->code_at[rank]), words);
        bt_natural_add(theirs, bt_share(belief->reference, kept->code_at[rank]), words);
        add_difference(sum, ours, theirs, 1, false, words);
    }
    return kept->ranks > 1 ? kept->ranks - 1 : 1;
}

/* Half the sum over all edges of their length times the difference below them: see tree_distance.
 * Returns what it is over: twice the height. */
static bauta_status believe_tree(const bt_belief *belief, uint64_t *sum, uint64_t *over,
                                 bauta_error *error)
{
    const bt_hierarchy *tree = belief->of->hierarchy;
    size_t words = belief->shares->words;
    uint64_t *below = bt_array_zero(tree->count, 2 * words * sizeof *below);
    if (!below) return bt_fail_memory(error);
    for (uint32_t code = 0; code < belief->shares->codes; code++) {
        uint64_t *leaf = below + (size_t)tree->leaf_node[code] * 2 * words;
        memcpy(leaf, bt_share(belief->shares, code), words * sizeof *leaf);
        memcpy(leaf + words, bt_share(belief->reference, code), words * sizeof *leaf);
    }
    for (uint32_t node = tree->count; node-- > 1;) {
        const bt_node *here = &tree->nodes[node];
        uint64_t *own = below + (size_t)node * 2 * words;
        uint64_t *above = below + (size_t)here->parent * 2 * words;
        add_difference(sum, own, own + words, tree->nodes[here->parent].level - here->level, false,
                       words);
        bt_natural_add(above, own, words);
        bt_natural_add(above + words, own + words, words);
    }
    free(below);
    *over = 2 * (uint64_t)(tree->nodes[0].level > 0 ? tree->nodes[0].level : 1);
    return BAUTA_OK;
}

static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    bt_rational most = instance->values[0].rational;
    size_t words = belief->shares->words;
    uint64_t sum[BT_SHARES_ROOM], bound[BT_SHARES_ROOM], over = 1;
    bt_natural_set(sum, words, 0);
    memcpy(bound, belief->shares->total, words * sizeof *bound);
    switch (instance->values[1].integer) {
    case ORDERED: over = believe_ordered(prepared, belief, sum); break;
    case HIERARCHICAL: BT_TRY(believe_tree(belief, sum, &over, error)); break;
    default: believe_equal(belief, sum); break;
    }
    bt_natural_multiply(sum, (uint64_t)most.bottom, words);
    bt_natural_multiply(bound, over, words);
    bt_natural_multiply(bound, (uint64_t)most.top, words);
    *holds = bt_natural_compare(sum, bound, words) <= 0;
    return BAUTA_OK;
}

/* What the table has of values that do not occur must be moved. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    (void)prepared;
    int64_t others = bag->of->total;
    if (instance->values[1].integer != EQUAL) return false;
    for (uint32_t i = 0; i < bag->distinct; i++)
        others -= bag->of->counts[bag->codes[i]];
    return bt_ratio_compare(others, bag->of->total, instance->values[0].rational) > 0;
}

static const char *usual(bt_type type)
{
    return type == BT_TEXT ? "equal" : "ordered";
}

/* The share in the table and t; ordered, t times the number of steps. What a hierarchy allows
 * depends on its tree. */
static bauta_status bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error)
{
    (void)arena;
    (void)error;
    double gain = bt_rational_double(instance->values[0].rational);
    int64_t metric = instance->values[1].integer;
    if (metric == ORDERED && ceiling->values > 1) gain *= ceiling->values - 1;
    if (metric > ORDERED) return BAUTA_OK;
    if (metric == ORDERED)
        ceiling->moved = fmin(ceiling->moved, gain);
    else
        ceiling->set_gain = fmin(ceiling->set_gain, gain);
    for (uint32_t v = 0; v < ceiling->values; v++)
        ceiling->share[v] = fmin(ceiling->share[v], ceiling->table[v] + gain);
    ceiling->gain = fmin(ceiling->gain, gain);
    ceiling->any = true;
    return BAUTA_OK;
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return bt_ratio_compare(1, 1, instance->values[0].rational) <= 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    fraction d = {1, 1};
    if (bag->total > 0) d = distance(instance, prepared, bag);
    bt_error_hint(error, "the distance from the whole table is %.6g, t is %s",
                  (double)d.top / (double)d.bottom, instance->values[0].text);
}

const bt_requirement bt_requirement_t = {
    .name = "t",
    .summary =
        "sensitive values are distributed in every class as in the table, up to a distance t",
    .paper = "Li, Li and Venkatasubramanian 2007",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .scope = BT_SCOPE_RELEASE,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .usual = usual,
    .check = check,
    .slack = slack,
    .hopeless = hopeless,
    .believe = believe,
    .bound = bound,
    .explain = explain,
};
