/* SPDX-License-Identifier: Apache-2.0
 *
 * Which class of the microdata an external person is inside of.
 *
 * Inside means inside the published cells: under the node of a column with a hierarchy, among the
 * values of a set, between the ends of a range, or anywhere for "*". So what a class is refined
 * to never shows more than the class did.
 *
 * Classes are the leaves of a tree of boxes, in their own order, in which neighbours are near each
 * other for any method that divides. A question visits the boxes that hold the person: as many as
 * the tree is deep when classes do not overlap. Time O(persons * columns * log(classes)) then.
 */
#include "base/bitset.h"
#include "base/sort.h"
#include "class/class_loss.h"
#include "group/join.h"
#include "recipe/hierarchy.h"

typedef struct members { /* the values of each class in a column whose cells are sets */
    size_t *starts;      /* per class, and one more; NULL: cells are no sets */
    uint32_t *codes;     /* ascending within a class */
} members;

typedef struct finder {
    const bt_join *join;
    const bt_grouping *grouping;
    const bt_column **quasi; /* of the microdata: the same domains as those of the join */
    const bt_column **joined;
    size_t columns;
    size_t leaves;  /* a power of two; node 1 is the root, leaf c is node leaves + c */
    bt_box *boxes;  /* columns for each node; lo > hi: nothing is there */
    uint64_t *loss; /* per class */
    members *sets;  /* per column */
    uint32_t *class_of;
} finder;

enum { FOUND_AT_ONCE = 1 << 14, DEEPEST = 64 };

/* ---- making ------------------------------------------------------------------------------ */

static bool is_set(const bt_column *column)
{
    return !column->hierarchy && column->domain.reading.type == BT_TEXT;
}

/* The codes that a cell may stand for, as an interval. */
static bt_box reach(const finder *f, size_t column, uint32_t class_number)
{
    const bt_column *quasi = f->quasi[column];
    if (quasi->hierarchy) {
        uint32_t node = bt_published_node(f->grouping, quasi, column, class_number);
        return (bt_box){quasi->hierarchy->nodes[node].lo, quasi->hierarchy->nodes[node].hi - 1};
    }
    bt_box box = bt_published_box(f->grouping, quasi, column, class_number);
    bool all = box.lo != box.hi && box.hi >= bt_domain_present(&quasi->domain);
    return all ? (bt_box){0, UINT32_MAX} : box;
}

static void fill_boxes(finder *f)
{
    size_t columns = f->columns;
    for (size_t i = 0; i < 2 * f->leaves * columns; i++)
        f->boxes[i] = (bt_box){UINT32_MAX, 0};
    for (uint32_t k = 0; k < f->grouping->classes; k++)
        for (size_t c = 0; c < columns; c++)
            f->boxes[(f->leaves + k) * columns + c] = reach(f, c, k);
    for (size_t node = f->leaves - 1; node > 0; node--)
        for (size_t c = 0; c < columns; c++) {
            bt_box left = f->boxes[2 * node * columns + c];
            bt_box right = f->boxes[(2 * node + 1) * columns + c];
            f->boxes[node * columns + c] = (bt_box){left.lo < right.lo ? left.lo : right.lo,
                                                    left.hi > right.hi ? left.hi : right.hi};
        }
}

/* Lists the codes of each class in a column, each once. */
static bauta_status list_members(const finder *f, size_t column, members *out, bauta_error *error)
{
    const bt_grouping *g = f->grouping;
    size_t next = 0;
    out->starts = bt_array((size_t)g->classes + 1, sizeof *out->starts);
    out->codes = bt_array((size_t)g->kept, sizeof *out->codes);
    if (!out->starts || !out->codes) return bt_fail_memory(error);
    for (uint32_t k = 0; k < g->classes; k++) {
        size_t first = out->starts[k] = next, count = (size_t)bt_class_size(g, k);
        uint32_t *codes = out->codes + first;
        for (size_t i = 0; i < count; i++)
            codes[i] = bt_column_code(f->quasi[column], g->order[g->starts[k] + i]);
        qsort(codes, count, sizeof *codes, bt_compare_uint32);
        for (size_t i = 0; i < count; i++)
            if (next == first || codes[i] != out->codes[next - 1]) out->codes[next++] = codes[i];
    }
    out->starts[g->classes] = next;
    return BAUTA_OK;
}

static bauta_status measure_classes(finder *f, bauta_error *error)
{
    uint32_t largest = 1;
    for (size_t c = 0; c < f->columns; c++)
        if (f->quasi[c]->domain.size > largest) largest = f->quasi[c]->domain.size;
    uint64_t *seen = bt_array_zero(bt_bitset_words(largest), sizeof *seen);
    if (!seen) return bt_fail_memory(error);
    for (uint32_t k = 0; k < f->grouping->classes; k++)
        f->loss[k] = bt_class_loss(f->grouping, f->quasi, k, seen);
    free(seen);
    return BAUTA_OK;
}

static bauta_status make_finder(finder *f, bauta_error *error)
{
    for (f->leaves = 1; f->leaves < f->grouping->classes;)
        f->leaves *= 2;
    f->boxes = bt_array(2 * f->leaves * f->columns, sizeof *f->boxes);
    f->loss = bt_array(f->grouping->classes, sizeof *f->loss);
    f->sets = bt_array_zero(f->columns, sizeof *f->sets);
    if (!f->boxes || !f->loss || !f->sets) return bt_fail_memory(error);
    fill_boxes(f);
    for (size_t c = 0; c < f->columns; c++)
        if (is_set(f->quasi[c])) BT_TRY(list_members(f, c, &f->sets[c], error));
    return measure_classes(f, error);
}

static void release_finder(finder *f)
{
    for (size_t c = 0; f->sets && c < f->columns; c++) {
        free(f->sets[c].starts);
        free(f->sets[c].codes);
    }
    free(f->sets);
    free(f->boxes);
    free(f->loss);
    free(f->quasi);
    free(f->joined);
}

/* ---- finding ----------------------------------------------------------------------------- */

static bool holds(const finder *f, size_t node, const uint32_t *point)
{
    const bt_box *box = f->boxes + node * f->columns;
    for (size_t c = 0; c < f->columns; c++)
        if (point[c] < box[c].lo || point[c] > box[c].hi) return false;
    return true;
}

/* Whether the sets of a class have the person's values too. */
static bool has_values(const finder *f, uint32_t class_number, const uint32_t *point)
{
    for (size_t c = 0; c < f->columns; c++) {
        const members *set = &f->sets[c];
        if (!set->starts) continue;
        if (f->boxes[(f->leaves + class_number) * f->columns + c].hi == UINT32_MAX) continue;
        size_t first = set->starts[class_number], count = set->starts[class_number + 1] - first;
        if (!bsearch(&point[c], set->codes + first, count, sizeof point[c], bt_compare_uint32))
            return false;
    }
    return true;
}

static uint32_t find(const finder *f, const uint32_t *point)
{
    size_t stack[DEEPEST], count = 0;
    uint32_t best = UINT32_MAX;
    if (holds(f, 1, point)) stack[count++] = 1;
    while (count > 0) {
        size_t node = stack[--count];
        if (node < f->leaves) {
            if (holds(f, 2 * node + 1, point)) stack[count++] = 2 * node + 1;
            if (holds(f, 2 * node, point)) stack[count++] = 2 * node;
            continue;
        }
        uint32_t number = (uint32_t)(node - f->leaves);
        if (best != UINT32_MAX && f->loss[number] >= f->loss[best]) continue;
        if (has_values(f, number, point)) best = number;
    }
    return best;
}

static bauta_status find_some(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const finder *f = user;
    int64_t from = (int64_t)task * FOUND_AT_ONCE, to = from + FOUND_AT_ONCE;
    if (to > f->join->counts.external) to = f->join->counts.external;
    uint32_t *point = bt_array(f->columns, sizeof *point);
    if (!point) return bt_fail_memory(error);
    for (int64_t i = from; i < to; i++) {
        for (size_t c = 0; c < f->columns; c++)
            point[c] = bt_column_code(f->joined[c], f->join->microdata + i);
        f->class_of[i] = find(f, point);
    }
    free(point);
    return BAUTA_OK;
}

bauta_status bt_join_inside(const bt_join *join, const bt_grouping *grouping,
                            const bt_table *microdata, const bt_run *run, uint32_t *class_of,
                            bauta_error *error)
{
    finder f = {.join = join, .grouping = grouping, .class_of = class_of};
    size_t tasks = ((size_t)join->counts.external + FOUND_AT_ONCE - 1) / FOUND_AT_ONCE;
    bauta_status status = bt_table_select(microdata, BT_ROLE_QUASI, &f.quasi, &f.columns, error);
    if (status == BAUTA_OK)
        status = bt_table_select(&join->table, BT_ROLE_QUASI, &f.joined, &f.columns, error);
    if (status == BAUTA_OK) status = make_finder(&f, error);
    if (status == BAUTA_OK) status = bt_pool_run(run->pool, tasks, find_some, &f, error);
    release_finder(&f);
    return status;
}
