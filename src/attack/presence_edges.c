/* SPDX-License-Identifier: Apache-2.0
 *
 * What the edges of sensitive groups give away of who is in the original. With `refine` the cells
 * of a sensitive group are those of its records alone: at either end of its ranges, and for each
 * value of its sets, there is a record. Whoever of everyone in the boxes is alone there is in the
 * original, surely; of several one at least is.
 *
 * Where a column has a hierarchy, the records of a group are under two children at least of the
 * node that covers them: if its people are under two, there is a record under each. Declared cut
 * points say nothing.
 *
 * Only where nothing is promised of presence: else the cells of groups are those of both tables.
 *
 * Cost: linear in people and the boxes they may be in, times columns.
 */
#include "attack/presence.h"

#include <math.h>
#include <stdio.h>

/* What a column says of a sensitive group. */
typedef struct span {
    uint32_t lo, hi; /* of the people in its boxes */
    uint32_t node;   /* with a tree: that covers them */
    uint32_t parts;  /* different codes that they have */
    uint32_t people; /* in its boxes */
    bool loose;      /* its cell may be larger than its records ask for */
} span;

typedef struct edges {
    bt_attack_job *job;
    const bt_view *crowd;
    uint32_t *unit, *row; /* people and the sensitive groups in whose boxes they are */
    size_t count;
    uint32_t *code; /* per pair: of the column in hand */
    span *spans;    /* per unit */
    double *prior;  /* per person: the belief, from the edges too */
    double *base;   /* per person: the belief without the edges */
    bt_attack_result result;
} edges;

/* ---- who is in which group --------------------------------------------------------------- */

/* Calls for each group of a target once; returns how many there are. */
static size_t list_units(const bt_view *view, uint32_t target, uint32_t *out)
{
    size_t count = 0;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            uint32_t unit = view->group_units[u].unit;
            bool seen = false;
            for (size_t n = 0; n < count && !seen; n++)
                seen = out[n] == unit;
            if (!seen) out[count++] = unit;
        }
    }
    return count;
}

static size_t most_units(const bt_view *view, size_t *all)
{
    size_t most = 1;
    *all = 0;
    for (uint32_t t = 0; t < view->targets.count; t++) {
        size_t count = 0;
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++) {
            uint32_t group = view->candidates[i];
            count += view->unit_first[group + 1] - view->unit_first[group];
        }
        if (count > most) most = count;
        *all += count * view->targets.size[t];
    }
    return most;
}

static bauta_status list_people(edges *e, bauta_error *error)
{
    const bt_view *view = e->crowd;
    size_t all, most = most_units(view, &all);
    uint32_t *units = bt_array(most, sizeof *units);
    e->unit = bt_array(all, sizeof *e->unit);
    e->row = bt_array(all, sizeof *e->row);
    e->code = bt_array(all, sizeof *e->code);
    e->prior = bt_array_zero((size_t)view->people->rows, sizeof *e->prior);
    e->base = bt_array_zero((size_t)view->people->rows, sizeof *e->base);
    e->spans = bt_array(view->units, sizeof *e->spans);
    bool made = units && e->unit && e->row && e->code && e->spans && e->prior && e->base;
    for (int64_t row = 0; made && row < view->people->rows; row++) {
        size_t count = list_units(view, view->target_of[row], units);
        for (size_t i = 0; i < count; i++) {
            e->unit[e->count] = units[i];
            e->row[e->count++] = (uint32_t)row;
        }
    }
    free(units);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- edges ------------------------------------------------------------------------------- */

/* How likely someone in the boxes of a group is a record. */
static double share_of(const edges *e, uint32_t unit)
{
    const bt_bags *bags = &e->crowd->release->bags;
    return fmin(1, bags->values[unit] / fmax(bags->rows[unit], e->spans[unit].people));
}

/* How likely someone at an edge is a record, where at least one of the `count` people there is. */
static double share_at_edge(const edges *e, uint32_t unit, uint32_t count)
{
    const double nothing = 1e-9;
    const bt_bags *bags = &e->crowd->release->bags;
    double people = fmax(bags->rows[unit], e->spans[unit].people);
    double others = people - bags->values[unit], missed = 1; /* none of those seen so far is */
    for (uint32_t i = 0; i < count && i < people && missed > nothing; i++)
        missed *= fmax(0, others - i) / (people - i);
    return count == 1 ? 1 : fmin(1, share_of(e, unit) / (1 - missed));
}

/* Codes and spans of a column. Of a group with missing values the cell may be "*". */
static void read_column(edges *e, size_t column, const bt_hierarchy *tree)
{
    const bt_view *view = e->crowd;
    uint32_t present = bt_domain_present(&view->known[column]->domain);
    for (uint32_t u = 0; u < view->units; u++)
        e->spans[u] = (span){.lo = UINT32_MAX};
    for (size_t i = 0; i < e->count; i++) {
        span *one = &e->spans[e->unit[i]];
        uint32_t code = bt_column_code(view->known[column], e->row[i]);
        one->people++;
        uint32_t position = e->code[i] = bt_placing_position(&view->placings[column], code);
        one->loose = one->loose || code >= present || (tree && position >= tree->leaves);
        if (position < one->lo) one->lo = position;
        if (position > one->hi) one->hi = position;
    }
}

uint32_t bt_presence_lowest(const bt_view *view, size_t column, const bt_hierarchy *tree)
{
    const bt_values *values = view->published[column]->values;
    uint32_t lowest = tree->levels;
    for (uint32_t i = 0; i < values->count; i++) {
        uint32_t node = bt_hierarchy_find(tree, values->text[i], values->length[i]);
        if (values->length[i] == 0) continue; /* missing: nothing can be made of it */
        if (node != UINT32_MAX && tree->nodes[node].level < lowest)
            lowest = tree->nodes[node].level;
    }
    return lowest;
}

/* The number of the child of a node that a code is under. */
static uint32_t child_of(const bt_hierarchy *tree, const bt_node *node, uint32_t code)
{
    uint32_t from = 0, to = node->children;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (tree->nodes[node->first + middle].lo <= code)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* With a tree the records of a group are under two children at least of the node that covers
 * them. */
static void read_children(edges *e, size_t column, const bt_hierarchy *tree)
{
    uint32_t lowest = bt_presence_lowest(e->crowd, column, tree);
    for (uint32_t u = 0; u < e->crowd->units; u++) {
        span *one = &e->spans[u];
        if (one->loose || one->lo > one->hi) continue;
        one->node = bt_hierarchy_cover(tree, one->lo, one->hi);
        uint32_t level = tree->nodes[one->node].level;
        one->loose = level == 0 || (lowest > 0 && level <= lowest);
    }
    for (size_t i = 0; i < e->count; i++) {
        const span *one = &e->spans[e->unit[i]];
        e->code[i] = one->loose ? 0 : child_of(tree, &tree->nodes[one->node], e->code[i]);
    }
}

static bool is_edge(const edges *e, size_t pair, bool tree, bool set)
{
    const span *one = &e->spans[e->unit[pair]];
    if (one->loose) return false;
    if (tree) return one->parts == 2;
    return set || e->code[pair] == one->lo || e->code[pair] == one->hi;
}

/* Believes more of everyone at an edge; `places` are groups and codes. */
static bauta_status raise_people(edges *e, const bt_tuples *places, const uint32_t *place_of,
                                 bool tree, bool set, bauta_error *error)
{
    double *raised = bt_array_zero(places->count, sizeof *raised);
    if (!raised) return bt_fail_memory(error);
    for (uint32_t p = 0; p < places->count; p++)
        e->spans[e->unit[places->row[p]]].parts++;
    for (uint32_t p = 0; p < places->count; p++)
        if (is_edge(e, places->row[p], tree, set))
            raised[p] = share_at_edge(e, e->unit[places->row[p]], places->size[p]);
    for (size_t i = 0; i < e->count; i++) {
        if (raised[place_of[i]] <= e->prior[e->row[i]]) continue;
        e->prior[e->row[i]] = raised[place_of[i]];
        e->base[e->row[i]] = share_of(e, e->unit[i]);
    }
    free(raised);
    return BAUTA_OK;
}

static bauta_status raise_column(edges *e, size_t column, bool tree, bauta_error *error)
{
    const bt_run *run = e->job->attacker->run;
    uint32_t positions = e->crowd->placings[column].positions;
    bool set = e->crowd->known[column]->domain.reading.type == BT_TEXT;
    const bt_codes codes[] = {{e->unit, 4, e->crowd->units}, {e->code, 4, positions}};
    uint32_t *tuple_of = bt_array(e->count, sizeof *tuple_of);
    bt_tuples tuples = {0};
    bauta_status status = tuple_of ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, 2, (int64_t)e->count, run, &tuples, tuple_of, NULL, error);
    if (status == BAUTA_OK) status = raise_people(e, &tuples, tuple_of, tree, set, error);
    bt_tuples_release(&tuples);
    free(tuple_of);
    return status;
}

static bauta_status look_at_columns(edges *e, bauta_error *error)
{
    const bt_view *view = e->crowd;
    for (size_t c = 0; c < view->columns; c++) {
        const bt_manifest_column *manifest = view->published[c]->manifest;
        const bt_hierarchy *tree = manifest->hierarchy ? manifest->hierarchy
                                   : manifest->partial ? view->known[c]->hierarchy
                                                       : NULL;
        if (manifest->cuts) continue;
        read_column(e, c, tree);
        if (tree) read_children(e, c, tree);
        BT_TRY(raise_column(e, c, tree != NULL, error));
    }
    return BAUTA_OK;
}

/* Certain claims are compared with the truth. */
static void tell(edges *e)
{
    int64_t records = e->job->attacker->original->rows;
    double before = 0;
    for (int64_t row = 0; row < e->crowd->people->rows; row++) {
        if (e->prior[row] > e->result.worst) e->result.worst = e->prior[row];
        if (e->prior[row] < 1) continue;
        e->result.tried++;
        e->result.hits += row < records;
        before += e->base[row];
        if (row < records) bt_worst_add(&e->result.hit, 1, row + 1);
    }
    e->result.chance = e->result.tried ? before / (double)e->result.tried : BT_NO_RATE;
    snprintf(e->result.detail, sizeof e->result.detail,
             "certain of %lld people, who are alone at an end of a sensitive group",
             (long long)e->result.tried);
    bt_attack_put(e->job, &e->result);
}

bauta_status bt_presence_edges(bt_attack_job *job, const bt_view *crowd, double **prior,
                               bauta_error *error)
{
    edges e = {.job = job,
               .crowd = crowd,
               .result = {.variant = "edges",
                          .knows = "everyone of both tables with their quasi values",
                          .tries = "to find who alone can hold an end of a sensitive group",
                          .allowed = BT_NO_RATE}};
    bauta_status status = list_people(&e, error);
    if (status == BAUTA_OK) status = look_at_columns(&e, error);
    if (status == BAUTA_OK) tell(&e);
    free(e.unit);
    free(e.row);
    free(e.code);
    free(e.spans);
    free(e.base);
    *prior = e.prior;
    return status;
}
