/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian: strict multidimensional recoding by recursive cuts (LeFevre, DeWitt and
 * Ramakrishnan 2006; order=round-robin is the variant of paper 5).
 *
 * A part is a run of rows. Its quasi codes are held column by column in the order of the
 * rows, so that looking at a part and cutting it are sequential passes over narrow arrays; a
 * cut partitions every column stably. Among the cuts of a column whose sides both satisfy
 * the requirements the one nearest to the middle is taken (ties: the smaller left side).
 *
 *   order=widest       the column whose cell loses most, the next one only if it has no cut
 *   order=gain         of the three widest columns with a cut the one whose cut saves most loss,
 *                      counted over all columns; parts that can make more than 16 classes take
 *                      the widest, since a cut of many rows hardly narrows the other columns
 *   order=round-robin  the next column in turn after the one cut before
 *   cuts=hierarchy     a column with a hierarchy is cut between children of the covering node
 *   cuts=order         … anywhere
 *   minimal=no         a part that could be cut may stay as it is (more.c)
 *
 * Losses are weighed (class/steer.h); values that min-level does not tell apart are never cut.
 * A column in which a part mixes missing and present values is cut between these first.
 *
 * Time O(n * columns * depth); memory: a copy of the quasi codes, the row numbers, and
 * buffers of up to 9 bytes per row. Parts are independent and cut in parallel; the result
 * does not depend on the order, since classes are numbered by their place.
 */
#include "base/bitset.h"
#include "base/sort.h"
#include "class/steer.h"
#include "group/method.h"
#include "require/sides.h"

#include <stdatomic.h>
#include <string.h>

enum { OPTION_ORDER, OPTION_CUTS, OPTION_MINIMAL };
enum { ORDER_GAIN, ORDER_WIDEST, ORDER_ROUND_ROBIN };
enum { CUTS_HIERARCHY, CUTS_ORDER };
enum { LOCAL_ROWS = 1 << 14 }; /* smaller parts stay with the worker that made them */
enum { GAIN_COLUMNS = 3, GAIN_CLASSES = 16 };
enum { NO_CUT = UINT32_MAX, ALL_PARTS = UINT32_MAX };

typedef struct part {
    uint32_t start, end;
    uint32_t turn; /* order=round-robin: the column to begin with; ALL_PARTS: not yet divided into
                      the parts that the job begins with */
} part;

/* The distinct codes of one column in a part, ascending, and how many rows have each. */
typedef struct code_counts {
    uint32_t *codes, *counts;
    uint32_t distinct;
} code_counts;

typedef struct cut {
    uint32_t column;
    uint32_t code; /* rows with at least this code go right; NO_CUT: none */
    uint32_t left; /* rows that go left */
} cut;

typedef struct worker {
    uint32_t *counts; /* as many as the largest domain has codes; all zero between uses */
    code_counts view;
    bt_box *ranges; /* order=widest: per column */
    uint64_t *widths;
    uint8_t *goes_right; /* per row: 0 or 0xff */
    uint32_t *places;    /* of the rows of both sides within the part */
    uint32_t *moved;     /* room for any column's codes that go right */
    size_t goes_capacity, places_capacity, moved_capacity;
    /* when requirements ask for more than sizes */
    bt_sides *sides;
    uint32_t *borders, *border_places; /* of the column in view */
    uint32_t *sorted;                  /* profiles of the part in its order, or rows */
    size_t sorted_capacity;
    uint32_t *ranked; /* codes of a part, and room to sort them */
    size_t ranked_capacity;
    part *stack;
    size_t stack_count, stack_capacity;
} worker;

typedef struct mondrian {
    const bt_method_job *job;
    size_t columns;
    const bt_column **quasi;
    void **codes; /* per column, in the order of `rows` */
    uint32_t *rows;
    uint32_t *profiles;       /* in the order of `rows`; NULL when only sizes matter */
    bool by_row;              /* persons are counted by rows, not by profiles */
    _Atomic uint64_t *starts; /* a bit per row: a class begins here */
    int64_t least;            /* size of the smallest class that satisfies the requirements */
    worker *workers;
    unsigned worker_count;
} mondrian;

/* ---- looking at a part ------------------------------------------------------------------- */

#define FIND_RANGE(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)m->codes[column] + p->start;                             \
        type least = codes[0], most = codes[0];                                                    \
        for (uint32_t i = 1; i < size; i++) {                                                      \
            least = codes[i] < least ? codes[i] : least;                                           \
            most = codes[i] > most ? codes[i] : most;                                              \
        }                                                                                          \
        range.lo = least;                                                                          \
        range.hi = most;                                                                           \
    } while (0)

static bt_box find_range(const mondrian *m, const part *p, size_t column)
{
    uint32_t size = p->end - p->start;
    bt_box range;
    switch (m->quasi[column]->width) {
    case 1: FIND_RANGE(uint8_t); break;
    case 2: FIND_RANGE(uint16_t); break;
    default: FIND_RANGE(uint32_t); break;
    }
    return range;
}

#define COUNT_CODES(type)                                                                          \
    do {                                                                                           \
        const type *codes = (const type *)m->codes[column] + p->start;                             \
        for (uint32_t i = 0; i < size; i++)                                                        \
            counts[codes[i]]++;                                                                    \
    } while (0)

/* Few rows over a wide range: sorting the codes is cheaper than walking the range. */
static void view_by_sorting(const mondrian *m, const part *p, size_t column, code_counts *view)
{
    view->distinct = 0;
    for (uint32_t row = p->start; row < p->end; row++) {
        uint32_t code = bt_code_at(m->codes[column], m->quasi[column]->width, row);
        uint32_t place = view->distinct;
        while (place > 0 && view->codes[place - 1] > code)
            place--;
        if (place > 0 && view->codes[place - 1] == code) {
            view->counts[place - 1]++;
            continue;
        }
        for (uint32_t i = view->distinct++; i > place; i--) {
            view->codes[i] = view->codes[i - 1];
            view->counts[i] = view->counts[i - 1];
        }
        view->codes[place] = code;
        view->counts[place] = 1;
    }
}

static void view_by_counting(const mondrian *m, const part *p, size_t column, bt_box range,
                             uint32_t *counts, code_counts *view)
{
    uint32_t size = p->end - p->start;
    switch (m->quasi[column]->width) {
    case 1: COUNT_CODES(uint8_t); break;
    case 2: COUNT_CODES(uint16_t); break;
    default: COUNT_CODES(uint32_t); break;
    }
    view->distinct = 0;
    for (uint32_t code = range.lo;; code++) {
        if (counts[code]) {
            view->codes[view->distinct] = code;
            view->counts[view->distinct++] = counts[code];
            counts[code] = 0;
        }
        if (code == range.hi) break;
    }
}

/* The same for more rows: codes are sorted by their bytes. */
static bauta_status view_by_bytes(const mondrian *m, const part *p, size_t column, bt_box range,
                                  worker *w, bauta_error *error)
{
    uint32_t size = p->end - p->start;
    code_counts *view = &w->view;
    BT_TRY(
        bt_array_grow(&w->ranked, &w->ranked_capacity, (size_t)size * 2, sizeof *w->ranked, error));
    for (uint32_t i = 0; i < size; i++)
        w->ranked[i] =
            bt_code_at(m->codes[column], m->quasi[column]->width, p->start + i) - range.lo;
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

static bauta_status look(const mondrian *m, const part *p, size_t column, bt_box range, worker *w,
                         bauta_error *error)
{
    uint32_t size = p->end - p->start, span = range.hi - range.lo;
    if (size <= 64 && span > 4 * size)
        view_by_sorting(m, p, column, &w->view);
    else if (span / 16 > size)
        return view_by_bytes(m, p, column, range, w, error);
    else
        view_by_counting(m, p, column, range, w->counts, &w->view);
    return BAUTA_OK;
}

/* ---- choosing a cut ---------------------------------------------------------------------- */

/* The first code of the covering node's child that holds `code`. */
static uint32_t child_begin(const bt_hierarchy *hierarchy, uint32_t cover, uint32_t code)
{
    const bt_node *node = &hierarchy->nodes[cover];
    uint32_t first = node->first, last = node->first + node->children;
    while (last - first > 1) {
        uint32_t middle = first + (last - first) / 2;
        if (hierarchy->nodes[middle].lo <= code)
            first = middle;
        else
            last = middle;
    }
    return hierarchy->nodes[first].lo;
}

/* Lists the places (in w->borders: rows left of each; in w->border_places: distinct codes left of
 * each) where the column in view may be cut, sizes permitting. */
static uint32_t list_borders(const mondrian *m, const bt_hierarchy *tree, uint32_t size, worker *w)
{
    const code_counts *view = &w->view;
    uint32_t last = view->codes[view->distinct - 1], before = 0, count = 0;
    uint32_t cover = tree ? bt_hierarchy_cover(tree, view->codes[0], last) : 0;
    for (uint32_t i = 1; i < view->distinct; i++) {
        before += view->counts[i - 1];
        if ((int64_t)before < m->least || (int64_t)(size - before) < m->least) continue;
        if (tree && child_begin(tree, cover, view->codes[i]) <= view->codes[i - 1]) continue;
        w->borders[count] = before;
        w->border_places[count++] = i;
    }
    return count;
}

/* Puts the profiles of a part, or its rows, into w->sorted, in the order of the column in view. */
static bauta_status sort_profiles(const mondrian *m, const part *p, size_t column, worker *w,
                                  bauta_error *error)
{
    uint32_t next = 0;
    const uint32_t *records = m->by_row ? m->rows : m->profiles;
    BT_TRY(bt_array_grow(&w->sorted, &w->sorted_capacity, p->end - p->start, sizeof *w->sorted,
                         error));
    for (uint32_t i = 0; i < w->view.distinct; i++) {
        w->counts[w->view.codes[i]] = next;
        next += w->view.counts[i];
    }
    for (uint32_t row = p->start; row < p->end; row++)
        w->sorted[w->counts[bt_code_at(m->codes[column], m->quasi[column]->width, row)]++] =
            records[row];
    for (uint32_t i = 0; i < w->view.distinct; i++)
        w->counts[w->view.codes[i]] = 0;
    return BAUTA_OK;
}

/* As best_place, when requirements ask for more than sizes. */
static bauta_status best_judged(const mondrian *m, const part *p, size_t column, worker *w,
                                uint32_t *place, uint32_t *left, bauta_error *error)
{
    const bt_column *quasi = m->quasi[column];
    const code_counts *view = &w->view;
    uint32_t size = p->end - p->start, present = bt_domain_present(&quasi->domain), best;
    bool hierarchical = m->job->options[OPTION_CUTS].integer == CUTS_HIERARCHY;
    uint32_t count = list_borders(m, hierarchical ? quasi->hierarchy : NULL, size, w);
    *place = 0;
    if (count == 0) return BAUTA_OK;
    BT_TRY(sort_profiles(m, p, column, w, error));
    /* Missing against present is the last border there can be, and is tried first. */
    bool missing = view->codes[view->distinct - 1] >= present &&
                   w->border_places[count - 1] == view->distinct - 1;
    const bt_sides_job all = {m->job->requirements, w->sorted, size, w->borders, count};
    const bt_sides_job last = {m->job->requirements, w->sorted, size, &w->borders[count - 1], 1};
    bool found = false;
    if (missing) BT_TRY(bt_sides_best(w->sides, &last, &found, &best, error));
    if (found)
        best = count - 1;
    else
        BT_TRY(bt_sides_best(w->sides, &all, &found, &best, error));
    if (!found) return BAUTA_OK;
    *place = w->border_places[best];
    *left = w->borders[best];
    return BAUTA_OK;
}

/* The number of distinct codes left of the best cut of the column in view, or 0. */
static uint32_t best_place(const mondrian *m, size_t column, const code_counts *view, uint32_t size,
                           uint32_t *left)
{
    const bt_column *quasi = m->quasi[column];
    const bt_hierarchy *tree =
        m->job->options[OPTION_CUTS].integer == CUTS_HIERARCHY ? quasi->hierarchy : NULL;
    uint32_t last = view->codes[view->distinct - 1], present = bt_domain_present(&quasi->domain);
    uint32_t missing = last >= present ? view->counts[view->distinct - 1] : 0;
    if (missing >= m->least && size - missing >= m->least) {
        *left = size - missing;
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
        if (tree && child_begin(tree, cover, view->codes[i]) <= view->codes[i - 1]) continue;
        best = i;
        best_distance = distance;
        *left = (uint32_t)before;
    }
    return best;
}

/* The best cut of a column; its code is NO_CUT when there is none. */
static bauta_status find_cut(const mondrian *m, const part *p, size_t column, bt_box range,
                             worker *w, cut *out, bauta_error *error)
{
    uint32_t place;
    *out = (cut){.column = (uint32_t)column, .code = NO_CUT};
    BT_TRY(look(m, p, column, range, w, error));
    if (m->profiles)
        BT_TRY(best_judged(m, p, column, w, &place, &out->left, error));
    else
        place = best_place(m, column, &w->view, p->end - p->start, &out->left);
    if (place > 0) out->code = w->view.codes[place];
    return BAUTA_OK;
}

static bauta_status choose_in_turn(const mondrian *m, const part *p, worker *w, cut *out,
                                   bauta_error *error)
{
    for (size_t i = 0; i < m->columns && out->code == NO_CUT; i++) {
        size_t c = (p->turn + i) % m->columns;
        if (w->ranges[c].lo != w->ranges[c].hi)
            BT_TRY(find_cut(m, p, c, w->ranges[c], w, out, error));
    }
    return BAUTA_OK;
}

static bool is_set(const bt_column *column)
{
    return !column->hierarchy && column->domain.reading.type == BT_TEXT;
}

static bauta_status count_distinct(const mondrian *m, const part *p, size_t column, bt_box range,
                                   worker *w, uint32_t *out, bauta_error *error)
{
    if (m->quasi[column]->domain.size > 64) {
        BT_TRY(look(m, p, column, range, w, error));
        *out = w->view.distinct;
        return BAUTA_OK;
    }
    const uint8_t *codes = m->codes[column];
    uint64_t members = 0;
    for (uint32_t row = p->start; row < p->end; row++)
        members |= (uint64_t)1 << codes[row];
    *out = (uint32_t)__builtin_popcountll(members);
    return BAUTA_OK;
}

static bauta_status measure_widths(const mondrian *m, const part *p, worker *w, bauta_error *error)
{
    for (size_t c = 0; c < m->columns; c++) {
        bt_box range = w->ranges[c];
        w->widths[c] = 0;
        if (range.lo == range.hi) continue;
        uint32_t distinct = 0;
        if (is_set(m->quasi[c])) BT_TRY(count_distinct(m, p, c, range, w, &distinct, error));
        /* Never 0: a column that can be cut is told from one that cannot. */
        w->widths[c] = 1 + (uint64_t)bt_cell_loss(m->quasi[c], range.lo, range.hi, distinct);
    }
    return BAUTA_OK;
}

/* The cut of the widest column that has one and was not returned before. */
static bauta_status next_widest(const mondrian *m, const part *p, worker *w, cut *out,
                                bauta_error *error)
{
    for (out->code = NO_CUT; out->code == NO_CUT;) {
        size_t widest = 0;
        for (size_t c = 1; c < m->columns; c++)
            if (w->widths[c] > w->widths[widest]) widest = c;
        if (w->widths[widest] == 0) return BAUTA_OK;
        w->widths[widest] = 0;
        BT_TRY(find_cut(m, p, widest, w->ranges[widest], w, out, error));
    }
    return BAUTA_OK;
}

/* ---- order=gain: what a cut leaves ------------------------------------------------------- */

#define MARK_RIGHT(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)m->codes[chosen->column] + p->start;                     \
        for (uint32_t i = 0; i < size; i++)                                                        \
            w->goes_right[i] = codes[i] >= chosen->code ? 0xff : 0;                                \
    } while (0)

static bauta_status mark_right(const mondrian *m, const part *p, const cut *chosen, worker *w,
                               bauta_error *error)
{
    uint32_t size = p->end - p->start;
    BT_TRY(bt_array_grow(&w->goes_right, &w->goes_capacity, size, 1, error));
    switch (m->quasi[chosen->column]->width) {
    case 1: MARK_RIGHT(uint8_t); break;
    case 2: MARK_RIGHT(uint16_t); break;
    default: MARK_RIGHT(uint32_t); break;
    }
    return BAUTA_OK;
}

typedef struct sides {
    bt_box left, right;
    uint32_t left_distinct, right_distinct; /* sets only */
} sides;

/* Rows of the other side are turned into codes that change neither minimum nor maximum, so the
 * loop has no branches and the compiler can make it wide. */
#define FIND_SIDES(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)m->codes[column] + p->start;                             \
        type left_lo = (type)-1, left_hi = 0, right_lo = (type)-1, right_hi = 0;                   \
        for (uint32_t i = 0; i < size; i++) {                                                      \
            type right = (type)(int8_t)w->goes_right[i], left = (type)~right;                      \
            type a = (type)(codes[i] | right), b = (type)(codes[i] & left);                        \
            type c = (type)(codes[i] | left), d = (type)(codes[i] & right);                        \
            left_lo = a < left_lo ? a : left_lo;                                                   \
            left_hi = b > left_hi ? b : left_hi;                                                   \
            right_lo = c < right_lo ? c : right_lo;                                                \
            right_hi = d > right_hi ? d : right_hi;                                                \
        }                                                                                          \
        found.left = (bt_box){left_lo, left_hi};                                                   \
        found.right = (bt_box){right_lo, right_hi};                                                \
    } while (0)

/* How many different codes each side of a set has. Up to 64 fit into one word. */
static void count_members(const mondrian *m, const part *p, size_t column, worker *w, sides *found)
{
    const void *codes = m->codes[column];
    unsigned width = m->quasi[column]->width;
    if (m->quasi[column]->domain.size <= 64) {
        uint64_t members[2] = {0, 0};
        for (uint32_t row = p->start; row < p->end; row++)
            members[w->goes_right[row - p->start] & 1] |= (uint64_t)1
                                                          << ((const uint8_t *)codes)[row];
        found->left_distinct = (uint32_t)__builtin_popcountll(members[0]);
        found->right_distinct = (uint32_t)__builtin_popcountll(members[1]);
        return;
    }
    for (uint32_t row = p->start; row < p->end; row++) {
        uint32_t *seen = &w->counts[bt_code_at(codes, width, row)];
        uint32_t side = 1 + (w->goes_right[row - p->start] & 1);
        found->left_distinct += side == 1 && !(*seen & 1);
        found->right_distinct += side == 2 && !(*seen & 2);
        *seen |= side;
    }
    for (uint32_t row = p->start; row < p->end; row++)
        w->counts[bt_code_at(codes, width, row)] = 0;
}

static sides find_sides(const mondrian *m, const part *p, size_t column, worker *w)
{
    uint32_t size = p->end - p->start;
    sides found = {0};
    switch (m->quasi[column]->width) {
    case 1: FIND_SIDES(uint8_t); break;
    case 2: FIND_SIDES(uint16_t); break;
    default: FIND_SIDES(uint32_t); break;
    }
    if (is_set(m->quasi[column])) count_members(m, p, column, w, &found);
    return found;
}

/* The loss of all cells of a part after a cut, in 1/BT_LOSS_ONE of a cell; when it is not less
 * than `enough`, some number that is not either. */
static bauta_status loss_after(const mondrian *m, const part *p, const cut *chosen, worker *w,
                               uint64_t enough, uint64_t *out, bauta_error *error)
{
    uint64_t left = chosen->left, right = p->end - p->start - left;
    BT_TRY(mark_right(m, p, chosen, w, error));
    *out = 0;
    for (size_t c = 0; c < m->columns && *out < enough; c++) {
        const bt_column *quasi = m->quasi[c];
        if (w->ranges[c].lo == w->ranges[c].hi) continue;
        sides found = find_sides(m, p, c, w);
        *out += left * bt_cell_loss(quasi, found.left.lo, found.left.hi, found.left_distinct) +
                right * bt_cell_loss(quasi, found.right.lo, found.right.hi, found.right_distinct);
    }
    return BAUTA_OK;
}

static bauta_status choose_by_gain(const mondrian *m, const part *p, worker *w, cut *out,
                                   bauta_error *error)
{
    uint64_t least = UINT64_MAX, loss;
    out->code = NO_CUT;
    for (int i = 0; i < GAIN_COLUMNS; i++) {
        cut found;
        BT_TRY(next_widest(m, p, w, &found, error));
        if (found.code == NO_CUT) break;
        BT_TRY(loss_after(m, p, &found, w, least, &loss, error));
        if (loss < least) {
            least = loss;
            *out = found;
        }
    }
    return BAUTA_OK;
}

static bauta_status choose(const mondrian *m, const part *p, worker *w, cut *out,
                           bauta_error *error)
{
    uint32_t size = p->end - p->start;
    int64_t order = m->job->options[OPTION_ORDER].integer;
    *out = (cut){.code = NO_CUT};
    if ((int64_t)size < 2 * m->least) return BAUTA_OK;
    if (m->job->options[OPTION_MINIMAL].integer == BT_MINIMAL_NO &&
        bt_part_stays(m->job, m->least, p->start, p->end))
        return BAUTA_OK;
    for (size_t c = 0; c < m->columns; c++)
        w->ranges[c] = find_range(m, p, c);
    if (order == ORDER_ROUND_ROBIN) return choose_in_turn(m, p, w, out, error);
    BT_TRY(measure_widths(m, p, w, error));
    if (order == ORDER_GAIN && size < GAIN_CLASSES * m->least)
        return choose_by_gain(m, p, w, out, error);
    return next_widest(m, p, w, out, error);
}

/* ---- cutting ----------------------------------------------------------------------------- */

/* Where the rows of the two sides stand: left ones from w->places on, right ones after a gap of
 * one. Without branches: every place is written to both sides, and one of them counts. */
static bauta_status find_places(const mondrian *m, const part *p, const cut *chosen, worker *w,
                                bauta_error *error)
{
    uint32_t size = p->end - p->start, l = 0, r = 0;
    BT_TRY(mark_right(m, p, chosen, w, error));
    BT_TRY(
        bt_array_grow(&w->places, &w->places_capacity, (size_t)size + 2, sizeof *w->places, error));
    uint32_t *left = w->places, *right = w->places + chosen->left + 1;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t goes = w->goes_right[i] & 1;
        left[l] = i;
        right[r] = i;
        r += goes;
        l += 1 - goes;
    }
    return BAUTA_OK;
}

/* Stable: left rows move down in place after the right ones were set aside. */
#define MOVE(type, array)                                                                          \
    do {                                                                                           \
        type *codes = (type *)(array) + p->start, *aside = (type *)w->moved;                       \
        const uint32_t *left = w->places, *right = w->places + chosen->left + 1;                   \
        for (uint32_t i = 0; i < rest; i++)                                                        \
            aside[i] = codes[right[i]];                                                            \
        for (uint32_t i = 0; i < chosen->left; i++)                                                \
            codes[i] = codes[left[i]];                                                             \
        memcpy(codes + chosen->left, aside, rest * sizeof *codes);                                 \
    } while (0)

static bauta_status apply(const mondrian *m, const part *p, const cut *chosen, worker *w,
                          bauta_error *error)
{
    uint32_t rest = p->end - p->start - chosen->left;
    BT_TRY(find_places(m, p, chosen, w, error));
    BT_TRY(bt_array_grow(&w->moved, &w->moved_capacity, rest, sizeof *w->moved, error));
    for (size_t c = 0; c < m->columns; c++) {
        if (w->ranges[c].lo == w->ranges[c].hi) continue; /* all codes are the same */
        switch (m->quasi[c]->width) {
        case 1: MOVE(uint8_t, m->codes[c]); break;
        case 2: MOVE(uint16_t, m->codes[c]); break;
        default: MOVE(uint32_t, m->codes[c]); break;
        }
    }
    MOVE(uint32_t, m->rows);
    if (m->profiles) MOVE(uint32_t, m->profiles);
    return BAUTA_OK;
}

/* Classes are numbered by their places, whoever finishes them. */
static void finish_class(mondrian *m, const part *p)
{
    atomic_fetch_or_explicit(&m->starts[p->start / 64], (uint64_t)1 << (p->start % 64),
                             memory_order_relaxed);
}

static bauta_status keep_for_later(worker *w, const part *p, bauta_error *error)
{
    BT_TRY(
        bt_array_grow(&w->stack, &w->stack_capacity, w->stack_count + 1, sizeof *w->stack, error));
    w->stack[w->stack_count++] = *p;
    return BAUTA_OK;
}

static bauta_status hand_out(bt_worklist *list, worker *w, const part *p, bauta_error *error)
{
    if (p->end - p->start > LOCAL_ROWS) return bt_worklist_push(list, p, error);
    return keep_for_later(w, p, error);
}

static bauta_status hand_out_parts(const bt_parts *parts, bt_worklist *list, worker *w,
                                   bauta_error *error)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        part p = {.start = parts->starts[i], .end = parts->starts[i + 1]};
        BT_TRY(hand_out(list, w, &p, error));
    }
    return BAUTA_OK;
}

/* Cuts a part and all that comes of it; large right sides are handed to other workers. */
static bauta_status visit(void *user, bt_worklist *list, const void *item, unsigned number,
                          bauta_error *error)
{
    mondrian *m = user;
    worker *w = &m->workers[number];
    part p;
    memcpy(&p, item, sizeof p);
    if (p.turn == ALL_PARTS) {
        BT_TRY(hand_out_parts(m->job->parts, list, w, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
    for (;;) {
        cut chosen;
        BT_TRY(choose(m, &p, w, &chosen, error));
        if (chosen.code != NO_CUT) {
            BT_TRY(apply(m, &p, &chosen, w, error));
            uint32_t turn = (uint32_t)((chosen.column + 1) % m->columns);
            part right = {p.start + chosen.left, p.end, turn};
            p = (part){p.start, right.start, turn};
            BT_TRY(hand_out(list, w, &right, error));
            continue;
        }
        finish_class(m, &p);
        BT_TRY(
            bt_run_progress(m->job->run, number, "grouping", p.start, m->job->table->rows, error));
        if (w->stack_count == 0) return BAUTA_OK;
        p = w->stack[--w->stack_count];
    }
}

/* ---- the method -------------------------------------------------------------------------- */

static bauta_status make_worker(const mondrian *m, worker *w, bauta_error *error)
{
    uint32_t largest = 1;
    for (size_t c = 0; c < m->columns; c++)
        if (m->quasi[c]->domain.size > largest) largest = m->quasi[c]->domain.size;
    w->counts = bt_array_zero(largest, sizeof *w->counts);
    w->view.codes = bt_array(largest, sizeof *w->view.codes);
    w->view.counts = bt_array(largest, sizeof *w->view.counts);
    w->ranges = bt_array(m->columns, sizeof *w->ranges);
    w->widths = bt_array(m->columns, sizeof *w->widths);
    w->borders = bt_array(largest, sizeof *w->borders);
    w->border_places = bt_array(largest, sizeof *w->border_places);
    if (!w->counts || !w->view.codes || !w->view.counts || !w->ranges || !w->widths ||
        !w->borders || !w->border_places)
        return bt_fail_memory(error);
    return m->profiles ? bt_sides_new(m->job->requirements->people, &w->sides, error) : BAUTA_OK;
}

static void free_worker(worker *w)
{
    free(w->counts);
    free(w->view.codes);
    free(w->view.counts);
    free(w->ranges);
    free(w->widths);
    free(w->goes_right);
    free(w->places);
    free(w->moved);
    bt_sides_free(w->sides);
    free(w->borders);
    free(w->border_places);
    free(w->sorted);
    free(w->ranked);
    free(w->stack);
}

static void copy_codes(const mondrian *m, size_t column, size_t rows)
{
    unsigned width = m->quasi[column]->width;
    const char *from = m->quasi[column]->codes;
    char *to = m->codes[column];
    if (!m->job->parts) {
        memcpy(to, from, rows * width);
        return;
    }
    for (size_t i = 0; i < rows; i++)
        memcpy(to + i * width, from + (size_t)m->rows[i] * width, width);
}

static bauta_status prepare(mondrian *m, bauta_error *error)
{
    size_t rows = (size_t)m->job->table->rows;
    m->codes = bt_array_zero(m->columns, sizeof *m->codes);
    m->rows = bt_array(rows, sizeof *m->rows);
    m->starts = bt_array_zero(bt_bitset_words(rows), sizeof *m->starts);
    m->workers = bt_array_zero(m->worker_count, sizeof *m->workers);
    if (!m->codes || !m->rows || !m->starts || !m->workers) return bt_fail_memory(error);
    for (size_t i = 0; i < rows; i++)
        m->rows[i] = m->job->parts ? m->job->parts->order[i] : (uint32_t)i;
    const bt_people *people = m->job->requirements->people;
    m->by_row = bt_people_by_row(people);
    if (people->profile_of) {
        m->profiles = bt_array(rows, sizeof *m->profiles);
        if (!m->profiles) return bt_fail_memory(error);
        for (size_t i = 0; i < rows; i++)
            m->profiles[i] = people->profile_of[m->rows[i]];
    }
    for (size_t c = 0; c < m->columns; c++) {
        m->codes[c] = bt_array(rows, m->quasi[c]->width);
        if (!m->codes[c]) return bt_fail_memory(error);
        copy_codes(m, c, rows);
        BT_TRY(bt_raise_codes(m->quasi[c], m->codes[c], m->job->table->rows, error));
    }
    for (unsigned i = 0; i < m->worker_count; i++)
        BT_TRY(make_worker(m, &m->workers[i], error));
    return BAUTA_OK;
}

typedef struct gatherer {
    const mondrian *m;
    bt_grouping *out;
} gatherer;

enum { GATHERED_AT_ONCE = 4096 };

static bauta_status gather_boxes(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    (void)error;
    const gatherer *g = user;
    size_t columns = g->m->columns, from = task * GATHERED_AT_ONCE, to = from + GATHERED_AT_ONCE;
    if (to > g->out->classes) to = g->out->classes;
    for (size_t i = from; i < to; i++) {
        part p = {.start = g->out->starts[i], .end = g->out->starts[i + 1]};
        for (size_t c = 0; c < columns; c++)
            g->out->boxes[i * columns + c] = find_range(g->m, &p, c);
    }
    return BAUTA_OK;
}

static bauta_status gather(mondrian *m, bt_grouping *out, bauta_error *error)
{
    size_t words = bt_bitset_words((size_t)m->job->table->rows), classes = 0, next = 0;
    for (size_t i = 0; i < words; i++)
        classes += (size_t)__builtin_popcountll(m->starts[i]);
    *out = (bt_grouping){.rows = m->job->table->rows,
                         .kept = m->job->table->rows,
                         .order = m->rows,
                         .classes = (uint32_t)classes,
                         .columns = m->columns};
    m->rows = NULL;
    out->starts = bt_array(classes + 1, sizeof *out->starts);
    out->boxes = bt_array(classes * m->columns, sizeof *out->boxes);
    if (!out->starts || !out->boxes) return bt_fail_memory(error);
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = m->starts[i]; left != 0; left &= left - 1)
            out->starts[next++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(left));
    out->starts[next] = (uint32_t)out->kept;
    gatherer g = {m, out};
    return bt_pool_run(m->job->run->pool, (classes + GATHERED_AT_ONCE - 1) / GATHERED_AT_ONCE,
                       gather_boxes, &g, error);
}

static bool any_hierarchy(const mondrian *m)
{
    for (size_t c = 0; c < m->columns; c++)
        if (m->quasi[c]->hierarchy) return true;
    return false;
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    mondrian m = {.job = job,
                  .least = bt_requirements_least_size(job->requirements),
                  .worker_count = bt_pool_size(job->run->pool)};
    *out = (bt_grouping){0};
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &m.quasi, &m.columns, error));
    bauta_status status = prepare(&m, error);
    part whole = {.end = (uint32_t)job->table->rows, .turn = job->parts ? ALL_PARTS : 0};
    if (status == BAUTA_OK)
        status = bt_worklist_run(job->run->pool, &whole, sizeof whole, visit, &m, error);
    if (status == BAUTA_OK) status = gather(&m, out, error);
    if (status == BAUTA_OK) status = bt_grouping_floors(out, m.quasi, error);
    if (status == BAUTA_OK) bt_grouping_tighten(out, m.quasi);
    if (status == BAUTA_OK && any_hierarchy(&m))
        status = bt_grouping_unite(out, m.quasi, job->run, error);
    for (unsigned i = 0; m.workers && i < m.worker_count; i++)
        free_worker(&m.workers[i]);
    for (size_t c = 0; m.codes && c < m.columns; c++)
        free(m.codes[c]);
    free(m.workers);
    free(m.codes);
    free(m.rows);
    free(m.profiles);
    free(m.starts);
    free(m.quasi);
    return status;
}

static const bt_param params[] = {
    [OPTION_ORDER] = {.name = "order",
                      .type = BT_PARAM_CHOICE,
                      .choices = "gain|widest|round-robin",
                      .fallback = "gain",
                      .help =
                          "which column is cut: the one that saves most loss, the widest, or the "
                          "next in turn"},
    [OPTION_CUTS] = {.name = "cuts",
                     .type = BT_PARAM_CHOICE,
                     .choices = "hierarchy|order",
                     .fallback = "hierarchy",
                     .help = "where a column with a hierarchy is cut: between children of a node, "
                             "or anywhere"},
    [OPTION_MINIMAL] = BT_PARAM_MINIMAL,
};

const bt_method bt_method_mondrian = {
    .name = "mondrian",
    .summary = "multidimensional recoding: cuts the table in two, again and again",
    .paper = "LeFevre, DeWitt and Ramakrishnan 2006; paper 5",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .divides = true,
    .joins = true,
    .minimal = 1 + OPTION_MINIMAL,
    .group = group,
};
