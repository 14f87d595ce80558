/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian, one column of a part: which codes it has, and where it is best cut.
 */
#include "base/sort.h"
#include "group/mondrian.h"
#include "recipe/hierarchy.h"

/* ---- looking at a part ------------------------------------------------------------------- */

/* Few rows over a wide range: sorting the codes is cheaper than walking the range. */
static void view_by_sorting(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                            bt_code_counts *view)
{
    view->distinct = 0;
    for (uint32_t row = p->start; row < p->end; row++) {
        uint32_t code = bt_runs_code(&m->runs, column, row);
        uint64_t times = m->runs.times ? m->runs.times[row] : 1;
        uint32_t place = view->distinct;
        while (place > 0 && view->codes[place - 1] > code)
            place--;
        if (place > 0 && view->codes[place - 1] == code) {
            view->counts[place - 1] += times;
            continue;
        }
        for (uint32_t i = view->distinct++; i > place; i--) {
            view->codes[i] = view->codes[i - 1];
            view->counts[i] = view->counts[i - 1];
        }
        view->codes[place] = code;
        view->counts[place] = times;
    }
}

/* Views a column of a part with more rows: codes are sorted by their bytes. */
static bauta_status view_by_bytes(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                                  bt_box range, bt_mondrian_worker *w, bauta_error *error)
{
    uint32_t size = p->end - p->start;
    bt_code_counts *view = &w->view;
    BT_TRY(
        bt_array_grow(&w->ranked, &w->ranked_capacity, (size_t)size * 2, sizeof *w->ranked, error));
    for (uint32_t i = 0; i < size; i++)
        w->ranked[i] = bt_runs_code(&m->runs, column, p->start + i) - range.lo;
    bt_sort_numbers(w->ranked, w->ranked + size, size, range.hi - range.lo);
    view->distinct = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (i > 0 && w->ranked[i] == w->ranked[i - 1]) {
            view->counts[view->distinct - 1]++;
            continue;
        }
        view->codes[view->distinct] = range.lo + w->ranked[i];
        view->counts[view->distinct++] = 1;
    }
    return BAUTA_OK;
}

bauta_status bt_mondrian_look(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                              bt_box range, bt_mondrian_worker *w, bauta_error *error)
{
    uint32_t size = p->end - p->start, span = range.hi - range.lo;
    if (size <= 64 && span > 4 * size)
        view_by_sorting(m, p, column, &w->view);
    else if (span / 16 > size && !m->runs.times)
        return view_by_bytes(m, p, column, range, w, error);
    else if (m->runs.times)
        bt_runs_count(&m->runs, column, p->start, p->end, w->counts, &w->view);
    else
        bt_runs_count_range(&m->runs, column, p->start, p->end, range, w->counts, &w->view);
    return BAUTA_OK;
}

/* ---- the best cut ------------------------------------------------------------------------ */

/* Whether the codes on both sides of a place belong to different children of the covering node. */
static bool is_border(const bt_hierarchy *tree, uint32_t cover, uint32_t before, uint32_t code)
{
    return tree->nodes[bt_hierarchy_child(tree, cover, code)].lo > before;
}

/* Lists where the column in view may be cut, sizes permitting: in w->border_sizes the records left
 * of each border, in w->border_codes the different codes. */
static uint32_t list_borders(const bt_mondrian *m, const bt_hierarchy *tree, uint64_t size,
                             bt_mondrian_worker *w)
{
    const bt_code_counts *view = &w->view;
    uint32_t last = view->codes[view->distinct - 1], count = 0;
    uint64_t before = 0;
    uint32_t cover = tree ? bt_hierarchy_cover(tree, view->codes[0], last) : 0;
    for (uint32_t i = 1; i < view->distinct; i++) {
        before += view->counts[i - 1];
        if ((int64_t)before < m->least || (int64_t)(size - before) < m->least) continue;
        if (tree && !is_border(tree, cover, view->codes[i - 1], view->codes[i])) continue;
        w->border_sizes[count] = before;
        w->border_codes[count++] = i;
    }
    return count;
}

/* Puts the profiles of a part, or its rows, into w->sorted, in the order of the column in view, and
 * the places left of each border into w->borders. */
static bauta_status sort_profiles(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                                  uint32_t border_count, bt_mondrian_worker *w, bauta_error *error)
{
    uint32_t next = 0, border = 0, size = p->end - p->start;
    const uint32_t *records = m->by_row ? m->runs.rows : m->runs.profiles;
    const uint64_t *times = m->runs.times;
    BT_TRY(bt_array_grow(&w->sorted, &w->sorted_capacity, size, sizeof *w->sorted, error));
    if (times)
        BT_TRY(bt_array_grow(&w->sorted_times, &w->sorted_times_capacity, size,
                             sizeof *w->sorted_times, error));
    for (uint32_t row = p->start; times && row < p->end; row++)
        w->counts[bt_runs_code(&m->runs, column, row)]++;
    for (uint32_t i = 0; i < w->view.distinct; i++) {
        uint64_t *counter = &w->counts[w->view.codes[i]];
        uint32_t places = (uint32_t)(times ? *counter : w->view.counts[i]);
        if (border < border_count && w->border_codes[border] == i) w->borders[border++] = next;
        *counter = next;
        next += places;
    }
    for (uint32_t row = p->start; row < p->end; row++) {
        uint64_t place = w->counts[bt_runs_code(&m->runs, column, row)]++;
        w->sorted[place] = records[row];
        if (times) w->sorted_times[place] = times[row];
    }
    for (uint32_t i = 0; i < w->view.distinct; i++)
        w->counts[w->view.codes[i]] = 0;
    return BAUTA_OK;
}

/* As best_place, when requirements ask for more than sizes. */
static bauta_status best_judged(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                                bt_mondrian_worker *w, uint32_t *place, uint64_t *left,
                                bauta_error *error)
{
    const bt_column *quasi = m->quasi[column];
    const bt_code_counts *view = &w->view;
    uint32_t present = bt_domain_present(&quasi->domain), best;
    bool hierarchical = m->job->options[BT_MONDRIAN_CUTS].integer == BT_CUTS_HIERARCHY;
    uint32_t count = list_borders(m, hierarchical ? quasi->hierarchy : NULL, p->size, w);
    *place = 0;
    if (count == 0) return BAUTA_OK;
    BT_TRY(sort_profiles(m, p, column, count, w, error));
    /* Missing against present is the last border there can be, and is tried first. */
    bool missing = view->codes[view->distinct - 1] >= present &&
                   w->border_codes[count - 1] == view->distinct - 1;
    const bt_sides_job all = {.requirements = m->job->requirements,
                              .records = w->sorted,
                              .times = m->runs.times ? w->sorted_times : NULL,
                              .count = p->end - p->start,
                              .size = p->size,
                              .borders = w->borders,
                              .left = w->border_sizes,
                              .border_count = count};
    bt_sides_job last = all;
    last.borders += count - 1;
    last.left += count - 1;
    last.border_count = 1;
    bool found = false;
    if (missing) BT_TRY(bt_sides_best(w->sides, &last, &found, &best, error));
    if (found)
        best = count - 1;
    else
        BT_TRY(bt_sides_best(w->sides, &all, &found, &best, error));
    if (!found) return BAUTA_OK;
    *place = w->border_codes[best];
    *left = w->border_sizes[best];
    return BAUTA_OK;
}

/* The number of distinct codes left of the best cut of the column in view, or 0. */
static uint32_t best_place(const bt_mondrian *m, size_t column, const bt_code_counts *view,
                           uint64_t size, uint64_t *left)
{
    const bt_column *quasi = m->quasi[column];
    const bt_hierarchy *tree =
        m->job->options[BT_MONDRIAN_CUTS].integer == BT_CUTS_HIERARCHY ? quasi->hierarchy : NULL;
    uint32_t last = view->codes[view->distinct - 1], present = bt_domain_present(&quasi->domain);
    int64_t missing = last >= present ? (int64_t)view->counts[view->distinct - 1] : 0;
    if (!m->factor && missing >= m->least && (int64_t)size - missing >= m->least) {
        *left = size - (uint64_t)missing;
        return view->distinct - 1;
    }
    uint32_t cover = tree ? bt_hierarchy_cover(tree, view->codes[0], last) : 0;
    uint32_t best = 0;
    uint64_t before = 0, best_distance = UINT64_MAX;
    for (uint32_t i = 1; i < view->distinct; i++) {
        before += view->counts[i - 1];
        if ((int64_t)(size - before) < m->least) break;
        if ((int64_t)before < m->least) continue;
        uint64_t distance = before > size - before ? 2 * before - size : size - 2 * before;
        if (distance >= best_distance) {
            if (before > size / 2) break;
            continue;
        }
        if (tree && !is_border(tree, cover, view->codes[i - 1], view->codes[i])) continue;
        best = i;
        best_distance = distance;
        *left = before;
    }
    return best;
}

/* minimal=FACTOR, a column with a hierarchy: the child of the covering node that is nearest to half
 * of the part, against all others. So no two parts get the same node, and nothing is united. */
static void best_child(const bt_mondrian *m, const bt_hierarchy *tree, const bt_code_counts *view,
                       uint64_t size, bt_mondrian_cut *out)
{
    uint32_t cover = bt_hierarchy_cover(tree, view->codes[0], view->codes[view->distinct - 1]);
    uint64_t best_distance = UINT64_MAX;
    for (uint32_t i = 0; i < view->distinct;) {
        const bt_node *child = &tree->nodes[bt_hierarchy_child(tree, cover, view->codes[i])];
        uint64_t inside = 0;
        while (i < view->distinct && view->codes[i] < child->hi)
            inside += view->counts[i++];
        uint64_t twice = 2 * inside, distance = twice > size ? twice - size : size - twice;
        if ((int64_t)inside < m->least || (int64_t)(size - inside) < m->least) continue;
        if (distance >= best_distance) continue;
        best_distance = distance;
        out->code = child->lo;
        out->last = child->hi - 1;
        out->records = size - inside;
    }
}

/* How many places a cut leaves on the left: those of counted tuples are not as many as records. */
static uint32_t count_left(const bt_mondrian *m, const bt_mondrian_part *p,
                           const bt_mondrian_cut *cut)
{
    uint32_t right = 0;
    if (!m->runs.times) return (uint32_t)cut->records;
    for (uint32_t row = p->start; row < p->end; row++) {
        uint32_t code = bt_runs_code(&m->runs, cut->column, row);
        right += code >= cut->code && code <= cut->last;
    }
    return p->end - p->start - right;
}

bauta_status bt_mondrian_find_cut(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                                  bt_box range, bt_mondrian_worker *w, bt_mondrian_cut *out,
                                  bauta_error *error)
{
    uint32_t place = 0;
    const bt_hierarchy *tree = m->job->options[BT_MONDRIAN_CUTS].integer == BT_CUTS_HIERARCHY
                                   ? m->quasi[column]->hierarchy
                                   : NULL;
    *out = (bt_mondrian_cut){.column = (uint32_t)column, .code = BT_NO_CUT, .last = UINT32_MAX};
    BT_TRY(bt_mondrian_look(m, p, column, range, w, error));
    if (m->factor && tree)
        best_child(m, tree, &w->view, p->size, out);
    else if (m->runs.profiles && !m->factor)
        BT_TRY(best_judged(m, p, column, w, &place, &out->records, error));
    else
        place = best_place(m, column, &w->view, p->size, &out->records);
    if (place > 0) out->code = w->view.codes[place];
    if (out->code != BT_NO_CUT) out->left = count_left(m, p, out);
    return BAUTA_OK;
}
