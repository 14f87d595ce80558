/* SPDX-License-Identifier: Apache-2.0
 *
 * Top-down: in which column a part is specialized, and what becomes of it there.
 */
#include "class/loss.h"
#include "class/steer.h"
#include "group/top_down.h"

#include <string.h>

/* ---- the children of a part in a column -------------------------------------------------- */

static void look(const bt_top_down *t, const bt_top_down_part *p, size_t column,
                 bt_top_down_worker *w)
{
    bt_runs_count(&t->runs, column, p->start, p->end, w->zeros, &w->view);
}

/* What a record is worth that goes from the covering node to a child. */
static uint64_t gain_of(const bt_top_down *t, const bt_column *column, const bt_code_counts *view,
                        uint32_t cover, uint32_t child)
{
    const bt_hierarchy *tree = column->hierarchy;
    uint32_t lo = view->codes[0], hi = view->codes[view->distinct - 1];
    if (!t->by_ncp) return bt_weighed(column, BT_LOSS_ONE);
    if (tree) return bt_weighed(column, bt_node_loss(tree, cover) - bt_node_loss(tree, child));
    return bt_weighed(column, bt_loss(column, lo, hi, view->distinct));
}

/* Lists the children that hold records of the part in the column in view, which has several
 * codes. */
static bauta_status list_branches(const bt_top_down *t, size_t column, bt_top_down_worker *w,
                                  bt_top_down_plan *out, bauta_error *error)
{
    const bt_code_counts *view = &w->view;
    const bt_hierarchy *tree = t->quasi[column]->hierarchy;
    uint32_t cover = 0, child = 0, begin = 0;
    uint64_t end = 0; /* of the codes of the child */
    BT_TRY(bt_array_grow(&out->branches, &out->branches_capacity, view->distinct,
                         sizeof *out->branches, error));
    if (tree) cover = bt_hierarchy_cover(tree, view->codes[0], view->codes[view->distinct - 1]);
    out->column = column;
    out->branch_count = 0;
    for (uint32_t i = 0; i < view->distinct; i++) {
        uint32_t code = view->codes[i];
        if (code >= end) {
            if (tree) child = bt_hierarchy_child(tree, cover, code);
            end = tree ? tree->nodes[child].hi : (uint64_t)code + 1;
            out->branches[out->branch_count++] = (bt_branch){
                .start = begin, .gain = gain_of(t, t->quasi[column], view, cover, child)};
        }
        out->branch_of[code] = out->branch_count - 1;
        out->branches[out->branch_count - 1].size += (uint32_t)view->counts[i];
        begin += (uint32_t)view->counts[i];
    }
    return BAUTA_OK;
}

/* At best all children that are large enough satisfy, and what goes back does with as few
 * records as can be. */
static bt_top_down_prospect best_case(const bt_top_down *t, const bt_top_down_plan *p,
                                      uint32_t size)
{
    bt_top_down_prospect out = {0};
    uint32_t down = 0;
    for (uint32_t i = 0; i < p->branch_count; i++) {
        const bt_branch *branch = &p->branches[i];
        if ((int64_t)branch->size < t->least) continue;
        out.branches++;
        out.worth += branch->size * branch->gain;
        down += branch->size;
    }
    /* most-specialized: all records of a column are worth the same. */
    uint64_t most = (size - (uint64_t)t->least) * (p->branch_count ? p->branches[0].gain : 0);
    if (!t->by_ncp && down < size && out.worth > most) out.worth = most;
    return out;
}

/* Fills w->ranges and w->prospects. */
static bauta_status look_ahead(const bt_top_down *t, const bt_top_down_part *p,
                               bt_top_down_worker *w, bauta_error *error)
{
    for (size_t c = 0; c < t->columns; c++) {
        look(t, p, c, w);
        w->ranges[c] = (bt_box){w->view.codes[0], w->view.codes[w->view.distinct - 1]};
        w->prospects[c] = (bt_top_down_prospect){0};
        if (w->view.distinct == 1) continue;
        BT_TRY(list_branches(t, c, w, w->tried, error));
        w->prospects[c] = best_case(t, w->tried, p->end - p->start);
    }
    return BAUTA_OK;
}

/* ---- choosing a specialization ----------------------------------------------------------- */

#define SORT_RECORDS(type)                                                                         \
    do {                                                                                           \
        const type *codes = (const type *)t->runs.codes[tried->column] + p->start;                 \
        for (uint32_t i = 0; i < size; i++)                                                        \
            w->order[tried->branches[tried->branch_of[codes[i]]].start++] = i;                     \
    } while (0)

/* Puts the records of a part into w->order by branch. */
static bauta_status sort_records(const bt_top_down *t, const bt_top_down_part *p,
                                 const bt_top_down_plan *tried, bt_top_down_worker *w,
                                 bauta_error *error)
{
    uint32_t size = p->end - p->start;
    BT_TRY(bt_array_grow(&w->order, &w->order_capacity, size, sizeof *w->order, error));
    switch (t->quasi[tried->column]->width) {
    case 1: SORT_RECORDS(uint8_t); break;
    case 2: SORT_RECORDS(uint16_t); break;
    default: SORT_RECORDS(uint32_t); break;
    }
    for (uint32_t i = 0; i < tried->branch_count; i++)
        tried->branches[i].start -= tried->branches[i].size;
    return BAUTA_OK;
}

/* Keeps what a division says of the records that went back alone. */
static bauta_status keep_returned(const bt_division *d, bt_top_down_plan *out, bauta_error *error)
{
    out->returned_count = d->returned_count;
    if (d->returned_count == 0) return BAUTA_OK;
    BT_TRY(bt_array_grow(&out->returned, &out->returned_capacity, d->returned_count,
                         sizeof *out->returned, error));
    memcpy(out->returned, d->returned, d->returned_count * sizeof *out->returned);
    return BAUTA_OK;
}

/* Works out the specialization of a column; out->grown is 0 when it is worth less than `enough`
 * or there is none. */
static bauta_status try_column(const bt_top_down *t, const bt_top_down_part *p, size_t column,
                               uint64_t enough, bt_top_down_worker *w, bt_top_down_plan *out,
                               bauta_error *error)
{
    look(t, p, column, w);
    BT_TRY(list_branches(t, column, w, out, error));
    BT_TRY(sort_records(t, p, out, w, error));
    bt_division d = {.rows = t->runs.rows + p->start,
                     .profiles = t->runs.profiles ? t->runs.profiles + p->start : NULL,
                     .order = w->order,
                     .branches = out->branches,
                     .count = out->branch_count,
                     .enough = enough};
    BT_TRY(bt_branches_divide(w->judge, &d, error));
    out->grown = 0;
    out->worth = d.worth;
    out->left = d.left;
    for (uint32_t i = 0; d.worth >= enough && i < d.count; i++)
        out->grown += d.branches[i].grows;
    return keep_returned(&d, out, error);
}

/* Whether worth and branches of column `a` are preferred to those of column `b`. */
static bool is_better(const bt_top_down *t, uint64_t worth_a, uint32_t branches_a, size_t a,
                      uint64_t worth_b, uint32_t branches_b, size_t b)
{
    if (worth_a != worth_b) return worth_a > worth_b;
    if (!t->by_ncp && branches_a != branches_b) return branches_a < branches_b;
    return a < b;
}

/* The column with the best prospect that was not looked into. */
static bool next_prospect(const bt_top_down *t, const bt_top_down_worker *w, size_t *column)
{
    bool found = false;
    for (size_t c = 0; c < t->columns; c++) {
        const bt_top_down_prospect *mine = &w->prospects[c], *best = &w->prospects[*column];
        if (mine->branches == 0) continue;
        if (!found ||
            is_better(t, mine->worth, mine->branches, c, best->worth, best->branches, *column))
            *column = c;
        found = true;
    }
    return found;
}

bauta_status bt_top_down_choose(const bt_top_down *t, const bt_top_down_part *p,
                                bt_top_down_worker *w, bauta_error *error)
{
    bt_top_down_plan *best = w->best;
    best->grown = 0;
    if ((int64_t)p->end - p->start < 2 * t->least) return BAUTA_OK;
    if (t->job->options[BT_TOP_DOWN_MINIMAL].integer == BT_MINIMAL_NO &&
        bt_part_stays(t->job, (uint64_t)t->least, p->end - p->start, p->start, p->end))
        return BAUTA_OK;
    BT_TRY(look_ahead(t, p, w, error));
    for (size_t column = 0; next_prospect(t, w, &column);) {
        bt_top_down_prospect *at_best = &w->prospects[column];
        if (best->grown && !is_better(t, at_best->worth, at_best->branches, column, best->worth,
                                      best->grown, best->column))
            return BAUTA_OK;
        at_best->branches = 0;
        BT_TRY(try_column(t, p, column, best->grown ? best->worth : 0, w, w->tried, error));
        bt_top_down_plan *tried = w->tried;
        if (tried->grown && (!best->grown || is_better(t, tried->worth, tried->grown, column,
                                                       best->worth, best->grown, best->column))) {
            w->best = tried;
            w->tried = best;
            best = tried;
        }
    }
    return BAUTA_OK;
}
