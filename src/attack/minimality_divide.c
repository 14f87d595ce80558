/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality of methods that divide classes: a class would have been divided if both parts had
 * satisfied. Divisions are those that the method of the manifest looks at: between the children of
 * the covering node, or one child and the rest (top-down); between any two values where a column
 * has no hierarchy. One is considered when both parts are large enough, for classes of at most
 * BT_MEMBERS_MOST, in at most CLASSES classes that are spread over the release.
 *
 * Parts whose cells are published alike are one class again. So where both parts of a division
 * would be published as the class itself is, the method may have made it, and nothing is concluded.
 */
#include "attack/minimality.h"

#include <math.h>
#include <string.h>

enum { CLASSES = 400, ENOUGH = 200, MOST_DIVISIONS = 400 };

typedef struct span {
    uint32_t lo, hi;
} span;

typedef struct division { /* members whose code in the column is in from..to-1 against the rest */
    uint32_t column, from, to;
} division;

typedef struct divisions {
    bt_minimality *m;
    bool one_child; /* top-down */
    bool any_cut;   /* cuts=order: hierarchies do not matter */
    int64_t least;  /* members of a part */
    double stays;   /* minimal=no: the chance that a class stays that could be divided */
    division items[MOST_DIVISIONS]; /* of the class at hand */
    size_t count;
    bool hidden; /* one of them may have been made */
} divisions;

/* ---- divisions --------------------------------------------------------------------------- */

static bool is_inside(const divisions *d, const division *one, uint32_t member)
{
    uint32_t code = bt_minimality_code(d->m, one->column, member);
    return code >= one->from && code < one->to;
}

/* The codes in a column of the members of one side, or with `one` NULL of all. */
static span range_of(const divisions *d, uint32_t column, const division *one, bool inside)
{
    span range = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < d->m->size; i++) {
        uint32_t code = bt_minimality_code(d->m, column, i);
        if (one && is_inside(d, one, i) != inside) continue;
        if (code < range.lo) range.lo = code;
        if (code > range.hi) range.hi = code;
    }
    return range;
}

/* Whether one side would be published as the class is. */
static bool is_alike(const divisions *d, const division *one, bool inside)
{
    for (uint32_t c = 0; c < d->m->job->view->columns; c++) {
        const bt_hierarchy *tree = d->m->layouts[c].tree;
        span all = range_of(d, c, NULL, false), part = range_of(d, c, one, inside);
        if (tree &&
            bt_hierarchy_cover(tree, all.lo, all.hi) != bt_hierarchy_cover(tree, part.lo, part.hi))
            return false;
        if (!tree && (all.lo != part.lo || all.hi != part.hi)) return false;
    }
    return true;
}

/* Keeps a division whose parts are both large enough. */
static void add_division(divisions *d, division one)
{
    int64_t inside = 0;
    for (uint32_t i = 0; i < d->m->size; i++)
        inside += is_inside(d, &one, i);
    if (inside < d->least || d->m->size - inside < d->least || d->count == MOST_DIVISIONS) return;
    d->items[d->count++] = one;
    d->hidden = d->hidden || (is_alike(d, &one, true) && is_alike(d, &one, false));
}

static void divide_by_tree(divisions *d, uint32_t column, const bt_hierarchy *tree, uint32_t lo,
                           uint32_t hi)
{
    const bt_node *node = &tree->nodes[bt_hierarchy_cover(tree, lo, hi)];
    for (uint32_t c = 0; c < node->children; c++) {
        const bt_node *child = &tree->nodes[node->first + c];
        add_division(d, (division){column, d->one_child ? child->lo : node->lo, child->hi});
    }
}

/* Where a column has no tree: after each value that a member has. */
static void divide_by_order(divisions *d, uint32_t column)
{
    for (uint32_t i = 0; i < d->m->size; i++) {
        uint32_t code = bt_minimality_code(d->m, column, i);
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = bt_minimality_code(d->m, column, j) == code;
        if (!seen) add_division(d, (division){column, 0, code + 1});
    }
}

static void find_divisions(divisions *d)
{
    d->count = 0;
    d->hidden = false;
    for (uint32_t c = 0; c < d->m->job->view->columns; c++) {
        const bt_hierarchy *tree = d->any_cut ? NULL : d->m->layouts[c].tree;
        span range = range_of(d, c, NULL, false);
        if (range.lo == range.hi) continue;
        if (tree)
            divide_by_tree(d, c, tree, range.lo, range.hi);
        else
            divide_by_order(d, c);
    }
}

/* ---- worlds ------------------------------------------------------------------------------ */

static bauta_status satisfies(divisions *d, const division *one, bool inside, bool *out,
                              bauta_error *error)
{
    bt_minimality *m = d->m;
    bt_tally_clear(m->tally);
    for (uint32_t i = 0; i < m->size; i++)
        if (is_inside(d, one, i) == inside)
            BT_TRY(bt_tally_add_row(m->tally, m->published[m->world[i]], error));
    *out = bt_requirements_check(&m->requirements, m->tally, NULL);
    return BAUTA_OK;
}

/* Whether the method could have come to the class: no division satisfies on both sides. */
static bauta_status is_possible(divisions *d, bool *out, bauta_error *error)
{
    *out = true;
    for (size_t i = 0; i < d->count && *out; i++) {
        bool left, right = false;
        BT_TRY(satisfies(d, &d->items[i], true, &left, error));
        if (left) BT_TRY(satisfies(d, &d->items[i], false, &right, error));
        *out = !(left && right);
    }
    return BAUTA_OK;
}

static bauta_status attack_class(divisions *d, uint32_t unit, bauta_error *error)
{
    bt_minimality *m = d->m;
    bt_minimality_take(m, unit, unit);
    d->stays = m->retrace.coins ? fmin(1, (double)d->least / m->size) : 0;
    find_divisions(d);
    if (d->count == 0 || d->hidden) return BAUTA_OK; /* sizes alone forbid: nothing is learnt */
    bool whole = bt_minimality_first(m), more = true;
    for (int w = 0; more && (whole || (w < BT_WORLDS && m->weights < ENOUGH)); w++) {
        bool possible;
        if (!whole) bt_minimality_draw(m);
        BT_TRY(is_possible(d, &possible, error));
        if (possible || d->stays > 0) bt_minimality_believe(m, possible ? 1 : d->stays);
        if (whole) more = bt_minimality_next(m);
    }
    bt_minimality_guess(m, unit);
    return BAUTA_OK;
}

static bool is_fit(const bt_minimality *m, uint32_t unit)
{
    uint32_t size = m->job->view->unit_size[unit];
    return m->members.settled[unit] && size > 0 && size <= BT_MEMBERS_MOST;
}

bauta_status bt_minimality_divide(bt_minimality *m, bauta_error *error)
{
    const bt_view *view = m->job->view;
    divisions d = {.m = m,
                   .one_child = m->retrace.one_child,
                   .any_cut = m->retrace.any_cut,
                   .least = bt_requirements_least_size(&m->requirements)};
    uint32_t fit = 0, number = 0;
    for (uint32_t unit = 0; unit < view->units; unit++)
        fit += is_fit(m, unit);
    uint32_t step = fit > CLASSES ? fit / CLASSES : 1;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        if (!is_fit(m, unit) || number++ % step != 0) continue;
        BT_TRY(bt_run_progress(m->job->attacker->run, 0, "minimality", unit, view->units, error));
        BT_TRY(attack_class(&d, unit, error));
    }
    return BAUTA_OK;
}
