/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian against its brute-force twin: the same rules written down as plainly as possible,
 * on thousands of small random tables, for every order, every kind of cut, any number of
 * threads; with requirements of sizes alone and of sensitive values too. So with minimal=FACTOR,
 * whose cuts the twin draws itself.
 */
#define SCRATCH_IN_MEMORY
#include "twins.h"

#include "base/hash.h"

#include <math.h>

/* ---- the twin ---- */

typedef struct twin {
    twin_needs needs;
    int64_t order, cuts;
    uint64_t factor; /* 0: minimal=yes, or sizes alone */
    const bt_seed *seed;
    int class_of[ROWS_MOST];
    int classes;
} twin;

static uint32_t code(const twin *t, size_t column, int row)
{
    return twin_code(&t->needs, column, row);
}

static bool satisfies(const twin *t, const int *rows, int count)
{
    return twin_satisfies(&t->needs, rows, count);
}

typedef struct cut { /* codes at..last go right */
    bool is;
    uint32_t at, last;
} cut;

/* NCP of the cell of some rows, in units of 2^-30, rounded down. */
static uint64_t loss(const twin *t, size_t column, const int *rows, int count)
{
    const bt_column *c = &t->needs.table->columns[column];
    const twin_extent e = twin_extent_of(&t->needs, column, rows, count);
    uint32_t present = bt_domain_present(&c->domain);
    uint64_t top, bottom;
    if (e.different == 1) return 0;
    if (e.hi >= present) return 1 << 30;
    if (c->hierarchy) {
        top = twin_leaves(c->hierarchy, e.lo, e.hi);
        bottom = c->hierarchy->leaves;
    } else if (c->domain.reading.type == BT_TEXT) {
        top = e.different - 1;
        bottom = present - 1;
    } else {
        top = (uint64_t)(c->domain.number[e.hi] - c->domain.number[e.lo]);
        bottom = (uint64_t)(c->domain.number[present - 1] - c->domain.number[0]);
    }
    return (top << 30) / bottom;
}

/* Whether a cut before `at` may be made in a part whose codes lie in lo..hi. */
static bool may_cut(const twin *t, size_t column, uint32_t lo, uint32_t hi, uint32_t before,
                    uint32_t at)
{
    const bt_hierarchy *tree = t->needs.table->columns[column].hierarchy;
    if (!tree || t->cuts == 1) return true;
    /* The lowest node over all; a child of it must begin after `before` and at or before `at`. */
    uint32_t cover = 0;
    for (uint32_t n = 0; n < tree->count; n++)
        if (tree->nodes[n].lo <= lo && hi < tree->nodes[n].hi &&
            (tree->nodes[n].hi - tree->nodes[n].lo <
                 tree->nodes[cover].hi - tree->nodes[cover].lo ||
             (tree->nodes[n].hi - tree->nodes[n].lo ==
                  tree->nodes[cover].hi - tree->nodes[cover].lo &&
              n > cover)))
            cover = n;
    for (uint32_t n = 0; n < tree->count; n++)
        if (n != cover && tree->nodes[n].parent == cover && tree->nodes[n].lo > before &&
            tree->nodes[n].lo <= at)
            return true;
    return false;
}

static void divide(const twin *t, size_t column, cut at, const int *rows, int count, int *left,
                   int *left_count, int *right, int *right_count)
{
    *left_count = *right_count = 0;
    for (int i = 0; i < count; i++) {
        uint32_t mine = code(t, column, rows[i]);
        if (mine < at.at || mine > at.last)
            left[(*left_count)++] = rows[i];
        else
            right[(*right_count)++] = rows[i];
    }
}

/* Whether a cut can be: with a factor sizes alone say so. */
static bool can_be(const twin *t, const int *left, int l, const int *right, int r)
{
    if (t->factor) return l >= t->needs.least && r >= t->needs.least;
    return satisfies(t, left, l) && satisfies(t, right, r);
}

/* With a factor and a hierarchy: the child nearest to half of the part against all others. */
static cut best_child(const twin *t, size_t column, const int *rows, int count)
{
    const bt_hierarchy *tree = t->needs.table->columns[column].hierarchy;
    const twin_extent e = twin_extent_of(&t->needs, column, rows, count);
    cut best = {0};
    int best_distance = INT32_MAX;
    for (uint32_t at = e.lo; at <= e.hi; at++) {
        /* The largest node that begins with this code and is not over all: a child of the cover. */
        cut one = {0};
        for (uint32_t n = 0; n < tree->count; n++) {
            const bt_node *node = &tree->nodes[n];
            bool all = node->lo <= e.lo && e.hi < node->hi;
            if (!all && node->lo <= at && at < node->hi && (!one.is || node->hi - 1 > one.last))
                one = (cut){true, node->lo, node->hi - 1};
            if (!all && node->lo <= at && at < node->hi && node->lo < one.at)
                one = (cut){true, node->lo, node->hi - 1};
        }
        int left[ROWS_MOST], right[ROWS_MOST], l, r;
        if (!one.is) continue;
        divide(t, column, one, rows, count, left, &l, right, &r);
        int distance = abs(2 * r - count);
        if (!can_be(t, left, l, right, r) || distance >= best_distance) continue;
        best = one;
        best_distance = distance;
    }
    return best;
}

static cut best_cut(const twin *t, size_t column, const int *rows, int count)
{
    const bt_column *c = &t->needs.table->columns[column];
    uint32_t lo = UINT32_MAX, hi = 0, present = bt_domain_present(&c->domain);
    for (int i = 0; i < count; i++) {
        uint32_t mine = code(t, column, rows[i]);
        lo = mine < lo ? mine : lo;
        hi = mine > hi ? mine : hi;
    }
    cut best = {0};
    int best_distance = INT32_MAX;
    if (t->factor && c->hierarchy && t->cuts == 0) return best_child(t, column, rows, count);
    for (uint32_t at = lo + 1; at <= hi; at++) {
        const cut one = {true, at, UINT32_MAX};
        int left[ROWS_MOST], right[ROWS_MOST], l, r;
        uint32_t before = lo;
        bool occurs = false;
        for (int i = 0; i < count; i++) {
            uint32_t mine = code(t, column, rows[i]);
            occurs = occurs || mine == at;
            if (mine < at && mine > before) before = mine;
        }
        divide(t, column, one, rows, count, left, &l, right, &r);
        if (!occurs || !can_be(t, left, l, right, r)) continue;
        if (at == present && !t->factor) return one; /* missing against present goes first */
        int distance = abs(2 * l - count);
        if (distance >= best_distance || !may_cut(t, column, lo, hi, before, at)) continue;
        best = one;
        best_distance = distance;
    }
    return best;
}

static uint64_t loss_after(const twin *t, size_t column, cut at, const int *rows, int count)
{
    int left[ROWS_MOST], right[ROWS_MOST], l, r;
    uint64_t total = 0;
    divide(t, column, at, rows, count, left, &l, right, &r);
    for (size_t c = 0; c < t->needs.columns; c++)
        total += (uint64_t)l * loss(t, c, left, l) + (uint64_t)r * loss(t, c, right, r);
    return total;
}

static bool varies(const twin *t, size_t column, const int *rows, int count)
{
    for (int i = 1; i < count; i++)
        if (code(t, column, rows[i]) != code(t, column, rows[0])) return true;
    return false;
}

/* What a column that varies is worth to be cut: what it loses, and with a factor by the fourth
 * power of what the sides of its last cut above had in common, in 1/65536. */
static uint64_t width(const twin *t, size_t column, const int *rows, int count,
                      const uint64_t *apart)
{
    uint64_t wide = loss(t, column, rows, count), common = 65536 - apart[column];
    if (!t->factor) return wide;
    common = common * common / 65536;
    common = common * common / 65536;
    return wide * common / 65536;
}

typedef struct proposal {
    size_t column;
    cut at;
} proposal;

/* The cuts of all columns that have one, in the order in which they are looked at. */
static size_t list_cuts(const twin *t, size_t turn, const int *rows, int count,
                        const uint64_t *apart, proposal *out)
{
    size_t columns = t->needs.columns, found = 0;
    bool tried[COLUMNS_MOST] = {false};
    for (size_t round = 0; round < columns; round++) {
        size_t next = columns;
        if (t->order == 2) {
            next = (turn + round) % columns;
        } else {
            for (size_t c = 0; c < columns; c++)
                if (!tried[c] && varies(t, c, rows, count) &&
                    (next == columns ||
                     width(t, c, rows, count, apart) > width(t, next, rows, count, apart)))
                    next = c;
            if (next == columns) break;
            tried[next] = true;
        }
        if (!varies(t, next, rows, count)) continue;
        out[found] = (proposal){next, best_cut(t, next, rows, count)};
        found += out[found].at.is;
    }
    if (t->order != 0 || count >= 16 * t->needs.least) return found;
    /* The first three by what they leave, ties as they were. */
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 1; i < found && i < 3; i++)
            if (loss_after(t, out[i].column, out[i].at, rows, count) <
                loss_after(t, out[i - 1].column, out[i - 1].at, rows, count)) {
                proposal swap = out[i];
                out[i] = out[i - 1];
                out[i - 1] = swap;
            }
    return found;
}

/* How far apart the sensitive values of two sides are, beyond chance, in 1/65536. */
static uint64_t apart_of(const twin *t, const int *left, int l, const int *right, int r)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < 8; v++) {
        int64_t here = 0, there = 0;
        for (int i = 0; i < l; i++)
            here += code(t, t->needs.columns, left[i]) == v;
        for (int i = 0; i < r; i++)
            there += code(t, t->needs.columns, right[i]) == v;
        int64_t differ = llabs(here * r - there * l);
        int64_t chance = (int64_t)(0.8 * sqrt((double)(here + there) * (double)l * (double)r));
        if (differ > chance) sum += (uint64_t)(differ - chance);
    }
    return (sum << 16) / (2 * (uint64_t)l * (uint64_t)r);
}

/* In so many records any others may be, one fewer than it takes to make the rows not satisfy; -1:
 * they do not now. */
static int64_t slack(const twin *t, const int *rows, int count)
{
    int counts[8] = {0}, greatest = 0;
    int64_t least = INT64_MAX;
    if (!satisfies(t, rows, count)) return -1;
    for (int i = 0; i < count; i++)
        counts[code(t, t->needs.columns, rows[i])]++;
    for (int v = 0; v < 8; v++)
        greatest = counts[v] > greatest ? counts[v] : greatest;
    if (t->needs.tenths) least = t->needs.tenths * count / 10 - greatest;
    if (t->needs.distinct) {
        /* The rarest values go, until too few are left. */
        int values = 0;
        int64_t gone = 0;
        for (int v = 0; v < 8; v++)
            values += counts[v] > 0;
        for (; values >= t->needs.distinct; values--) {
            int rarest = -1;
            for (int v = 0; v < 8; v++)
                if (counts[v] > 0 && (rarest < 0 || counts[v] < counts[rarest])) rarest = v;
            gone += counts[rarest];
            counts[rarest] = 0;
        }
        least = gone - 1 < least ? gone - 1 : least;
    }
    return least;
}

/* Which of some proposals is made, `count` if none is: with chances of w (G - 1) / Z, where G is
 * (1 + x)^(slack + 1) and at most 4096. */
static size_t draw(const twin *t, const int *rows, int size, const proposal *all, size_t count,
                   double x, int round)
{
    uint32_t box[2 * COLUMNS_MOST];
    double grown[COLUMNS_MOST], weights[COLUMNS_MOST], sum = 0, so_far = 0;
    bt_stream stream;
    for (size_t i = 0; i < count; i++) {
        int left[ROWS_MOST], right[ROWS_MOST], l, r;
        divide(t, all[i].column, all[i].at, rows, size, left, &l, right, &r);
        int64_t a = slack(t, left, l), b = slack(t, right, r);
        grown[i] = fmin(4096, pow(1 + x, (double)(1 + (a < b ? a : b))));
        weights[i] = pow(0.5, (double)(i + 1 < count ? i + 1 : i));
        sum += weights[i] * grown[i];
    }
    for (size_t c = 0; c < t->needs.columns; c++) {
        const twin_extent e = twin_extent_of(&t->needs, c, rows, size);
        box[2 * c] = e.lo;
        box[2 * c + 1] = e.hi;
    }
    bt_stream_init(&stream, t->seed, "cut of a part",
                   bt_hash_fixed(box, 2 * t->needs.columns * sizeof *box));
    bt_stream_seek(&stream, 2 * (uint64_t)size + (uint64_t)round);
    double drawn = ldexp((double)(bt_stream_next(&stream) >> 11), -53);
    for (size_t i = 0; i < count; i++) {
        so_far += weights[i] * (grown[i] - 1);
        if (drawn < so_far / sum) return i;
    }
    return count;
}

/* The cut of a part, false if there is none; *factor becomes what is left of it. */
static bool choose(const twin *t, size_t turn, const int *rows, int count, const uint64_t *apart,
                   double *factor, proposal *out)
{
    proposal all[COLUMNS_MOST + 1];
    if (count < 2 * t->needs.least) return false;
    size_t found = list_cuts(t, turn, rows, count, apart, all), made = 0;
    double enough = 200.0 * (double)t->needs.least / count;
    if (found > 0 && t->factor) {
        double x = fmin(0.75 * (*factor - 1), enough);
        made = draw(t, rows, count, all, 1, x, 0);
        if (made == 1) {
            *factor /= 1 + x;
            x = fmin(*factor - 1, enough);
            made += draw(t, rows, count, all + 1, found - 1, x, 1);
            *factor /= 1 + x;
        }
    }
    if (made < found) *out = all[made];
    return made < found;
}

static void split(twin *t, size_t turn, const int *rows, int count, double factor,
                  const uint64_t *apart)
{
    proposal made;
    int left[ROWS_MOST], right[ROWS_MOST], l, r;
    uint64_t below[COLUMNS_MOST];
    if (!choose(t, turn, rows, count, apart, &factor, &made)) {
        for (int i = 0; i < count; i++)
            t->class_of[rows[i]] = t->classes;
        t->classes++;
        return;
    }
    divide(t, made.column, made.at, rows, count, left, &l, right, &r);
    memcpy(below, apart, sizeof below);
    below[made.column] = apart_of(t, left, l, right, r);
    split(t, (made.column + 1) % t->needs.columns, left, l, factor, below);
    split(t, (made.column + 1) % t->needs.columns, right, r, factor, below);
}

/* ---- comparing ---- */

/* Without hierarchies the classes are the twin's; with them some may have been united. */
static void compare(const twin *t, const bt_grouping *g, bool exact)
{
    int seen = 0, united[ROWS_MOST];
    for (int i = 0; i < t->classes; i++)
        united[i] = -1;
    for (uint32_t c = 0; c < g->classes; c++) {
        int members[ROWS_MOST], size = 0;
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            int row = (int)g->order[i], of = t->class_of[row];
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            assert_true(united[of] == -1 || united[of] == (int)c);
            united[of] = (int)c;
            members[size++] = row;
            seen++;
        }
        if (g->classes > 1) assert_true(satisfies(t, members, size));
    }
    assert_int_equal(seen, t->needs.table->rows);
    if (exact) assert_int_equal(g->classes, t->classes);
}

static void check_boxes(const bt_table *table, size_t columns, const bt_grouping *g)
{
    for (uint32_t c = 0; c < g->classes; c++)
        for (size_t q = 0; q < columns; q++) {
            uint32_t lo = UINT32_MAX, hi = 0;
            for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
                uint32_t mine = bt_column_code(&table->columns[q], g->order[i]);
                lo = mine < lo ? mine : lo;
                hi = mine > hi ? mine : hi;
            }
            assert_int_equal(bt_class_box(g, c)[q].lo, lo);
            assert_int_equal(bt_class_box(g, c)[q].hi, hi);
        }
}

static void check_setting(const bt_loaded *loaded, const bt_run *run, int setting, uint64_t *state)
{
    static const char *const orders[] = {"gain", "widest", "round-robin"};
    char text[96], minimal[32] = "yes";
    bt_grouping grouping;
    int rows[ROWS_MOST];
    bool exact = true;
    const uint64_t apart[COLUMNS_MOST] = {0};
    twin t = {.needs = twin_draw_needs(&loaded->table, state),
              .order = setting % 3,
              .cuts = setting / 3 % 2,
              .seed = &run->seed};
    if (setting >= 6) {
        uint64_t factor = 2 + test_below(state, 60);
        snprintf(minimal, sizeof minimal, "%d", (int)factor);
        if (t.needs.distinct || t.needs.tenths) t.factor = factor;
    }
    for (size_t c = 0; c < t.needs.columns; c++)
        exact = exact && !loaded->table.columns[c].hierarchy;
    snprintf(text, sizeof text, "mondrian:order=%s,cuts=%s,minimal=%s", orders[t.order],
             t.cuts ? "order" : "hierarchy", minimal);
    twin_group(loaded, run, t.needs.text, text, &grouping);
    for (int i = 0; i < loaded->table.rows; i++)
        rows[i] = i;
    split(&t, 0, rows, (int)loaded->table.rows, (double)t.factor * (1 - ldexp(1, -30)), apart);
    /* With a factor cuts at children leave no two classes alike. */
    compare(&t, &grouping, exact || (t.factor && t.cuts == 0));
    check_boxes(&loaded->table, t.needs.columns, &grouping);
    bt_grouping_release(&grouping);
}

static void equals_the_twin(void **unused)
{
    (void)unused;
    static const char *const specs[] = {NULL, "balanced:2", "balanced:3", "flat", "mask"};
    const twin_hierarchies trees = {specs, 5, 4};
    twin_tables(1200, 12, &trees, check_setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_twin)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
