/* SPDX-License-Identifier: Apache-2.0
 *
 * Cluster against its brute-force twin: the same rules written down as plainly as possible, with
 * every loss counted anew from the records and every pair of groups looked at, on thousands of
 * small random tables, for both ways to merge and any number of threads; with requirements of
 * sizes alone and of sensitive values too.
 */
#define SCRATCH_IN_MEMORY
#include "twins.h"

/* ---- the twin ---- */

typedef struct rows {
    int row[ROWS_MOST];
    int count;
} rows;

typedef struct twin {
    twin_needs needs;
    bool borrow;
    rows groups[ROWS_MOST];
    int count;
} twin;

static uint32_t code(const twin *t, size_t column, int row)
{
    return twin_code(&t->needs, column, row);
}

static bool satisfies(const twin *t, const rows *r)
{
    return twin_satisfies(&t->needs, r->row, r->count);
}

/* Where a number lies between the least and the greatest, in units of 2^-30. */
static uint64_t place(const bt_domain *domain, uint32_t at)
{
    uint64_t range = (uint64_t)(domain->number[bt_domain_present(domain) - 1] - domain->number[0]);
    return range ? ((uint64_t)(domain->number[at] - domain->number[0]) << 30) / range : 0;
}

/* NCP of the cell of some rows, in units of 2^-30. */
static uint64_t cell_loss(const twin *t, size_t column, const rows *r)
{
    const bt_column *c = &t->needs.table->columns[column];
    const twin_extent e = twin_extent_of(&t->needs, column, r->row, r->count);
    uint32_t present = bt_domain_present(&c->domain);
    if (e.different == 1) return 0;
    if (e.hi >= present) return 1 << 30;
    if (!c->hierarchy && c->domain.reading.type == BT_TEXT)
        return ((uint64_t)(e.different - 1) << 30) / (present - 1);
    if (!c->hierarchy) return place(&c->domain, e.hi) - place(&c->domain, e.lo);
    return ((uint64_t)twin_leaves(c->hierarchy, e.lo, e.hi) << 30) / c->hierarchy->leaves;
}

static uint64_t loss(const twin *t, const rows *r)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < t->needs.columns; c++)
        sum += cell_loss(t, c, r);
    return sum;
}

static rows with(const rows *a, const rows *b)
{
    rows both = *a;
    for (int i = 0; i < b->count; i++)
        both.row[both.count++] = b->row[i];
    return both;
}

static rows one(int row)
{
    return (rows){.row = {row}, .count = 1};
}

/* By how much the loss of all rows grows when two groups become one. */
static uint64_t merging_cost(const twin *t, const rows *a, const rows *b)
{
    rows both = with(a, b);
    return (uint64_t)both.count * loss(t, &both) - (uint64_t)a->count * loss(t, a) -
           (uint64_t)b->count * loss(t, b);
}

static void split(twin *t, const rows *r)
{
    uint64_t most = 0;
    int ends[2] = {0, 0};
    for (int i = 0; i < r->count; i++)
        for (int j = i + 1; j < r->count; j++) {
            rows a = one(r->row[i]), b = one(r->row[j]), pair = with(&a, &b);
            uint64_t distance = loss(t, &pair);
            if (distance <= most) continue;
            most = distance;
            ends[0] = i;
            ends[1] = j;
        }
    if (r->count <= t->needs.least || !satisfies(t, r) || most == 0) {
        t->groups[t->count++] = *r;
        return;
    }
    rows grown[2] = {one(r->row[ends[0]]), one(r->row[ends[1]])};
    bool right[ROWS_MOST] = {false};
    right[ends[1]] = true;
    for (int i = 0; i < r->count; i++) {
        if (i == ends[0] || i == ends[1]) continue;
        rows more = one(r->row[i]);
        uint64_t first = merging_cost(t, &grown[0], &more);
        uint64_t second = merging_cost(t, &grown[1], &more);
        right[i] = first != second ? second < first : grown[1].count < grown[0].count;
        grown[right[i]] = with(&grown[right[i]], &more);
    }
    rows sides[2] = {{.count = 0}, {.count = 0}}; /* in their order */
    for (int i = 0; i < r->count; i++)
        sides[right[i]].row[sides[right[i]].count++] = r->row[i];
    split(t, &sides[0]);
    split(t, &sides[1]);
}

/* Takes the records that `to` lacks from `from`, the nearest first. */
static void borrow(const twin *t, rows *to, rows *from)
{
    while (to->count < t->needs.least) {
        int best = 0;
        uint64_t least = UINT64_MAX;
        for (int i = 0; i < from->count; i++) {
            rows more = one(from->row[i]), both = with(to, &more);
            uint64_t after = loss(t, &both);
            if (after >= least) continue;
            least = after;
            best = i;
        }
        to->row[to->count++] = from->row[best];
        from->count--;
        for (int i = best; i < from->count; i++)
            from->row[i] = from->row[i + 1];
    }
}

static void unite_two(twin *t, int from, int to)
{
    t->groups[to] = with(&t->groups[to], &t->groups[from]);
    t->groups[from].count = 0;
}

static void merge(twin *t)
{
    for (;;) {
        int smallest = -1, nearest = -1;
        uint64_t least = UINT64_MAX;
        for (int i = 0; i < t->count; i++)
            if (t->groups[i].count > 0 && !satisfies(t, &t->groups[i]) &&
                (smallest < 0 || t->groups[i].count < t->groups[smallest].count))
                smallest = i;
        if (smallest < 0) return;
        for (int i = 0; i < t->count; i++) {
            if (i == smallest || t->groups[i].count == 0) continue;
            uint64_t cost = merging_cost(t, &t->groups[smallest], &t->groups[i]);
            if (cost >= least) continue;
            least = cost;
            nearest = i;
        }
        assert_true(nearest >= 0);
        rows a = t->groups[smallest], b = t->groups[nearest];
        if (t->borrow && t->needs.distinct == 0 && a.count + b.count >= 2 * t->needs.least) {
            uint64_t before = (uint64_t)a.count * loss(t, &a) + (uint64_t)b.count * loss(t, &b);
            borrow(t, &a, &b);
            t->groups[smallest] = a;
            t->groups[nearest] = b;
            uint64_t after = (uint64_t)a.count * loss(t, &a) + (uint64_t)b.count * loss(t, &b);
            if (after < before + least) continue;
        }
        unite_two(t, smallest, nearest);
    }
}

/* ---- classes that look alike ---- */

static void look_of(const twin *t, size_t column, const rows *r, uint32_t *lo, uint32_t *hi)
{
    const bt_column *c = &t->needs.table->columns[column];
    *lo = UINT32_MAX;
    *hi = 0;
    for (int i = 0; i < r->count; i++) {
        uint32_t mine = code(t, column, r->row[i]);
        *lo = mine < *lo ? mine : *lo;
        *hi = mine > *hi ? mine : *hi;
    }
    if (c->hierarchy) {
        *lo = bt_hierarchy_cover(c->hierarchy, *lo, *hi);
        *hi = UINT32_MAX;
    } else if (*lo != *hi && *hi >= bt_domain_present(&c->domain)) {
        *lo = 0;
    }
}

static void unite_alike(twin *t)
{
    rows first[ROWS_MOST]; /* as they were: what is united may look otherwise */
    memcpy(first, t->groups, sizeof first);
    for (int i = 0; i < t->count; i++)
        for (int j = 0; j < i && t->groups[i].count > 0; j++) {
            bool alike = t->groups[j].count > 0;
            for (size_t c = 0; alike && c < t->needs.columns; c++) {
                uint32_t a[2], b[2];
                look_of(t, c, &first[i], &a[0], &a[1]);
                look_of(t, c, &first[j], &b[0], &b[1]);
                alike = a[0] == b[0] && a[1] == b[1];
            }
            if (alike) unite_two(t, i, j);
        }
}

/* ---- comparing ---- */

static void compare(const twin *t, const bt_grouping *g)
{
    uint32_t class_of[ROWS_MOST], classes = 0;
    assert_int_equal(g->kept, t->needs.table->rows);
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            class_of[g->order[i]] = c;
        }
    for (int i = 0; i < t->count; i++) {
        const rows *r = &t->groups[i];
        if (r->count == 0) continue;
        classes++;
        assert_true(satisfies(t, r));
        assert_int_equal(bt_class_size(g, class_of[r->row[0]]), r->count);
        for (int j = 1; j < r->count; j++)
            assert_int_equal(class_of[r->row[j]], class_of[r->row[0]]);
    }
    assert_int_equal(g->classes, classes);
    for (uint32_t c = 0; c < g->classes; c++)
        for (size_t q = 0; q < t->needs.columns; q++) {
            bt_box tight = bt_tight_box(g, &t->needs.table->columns[q], c);
            assert_int_equal(bt_class_box(g, c)[q].lo, tight.lo);
            assert_int_equal(bt_class_box(g, c)[q].hi, tight.hi);
        }
}

/* Nothing to compare where not even all records satisfy. */
static bool can_be_met(const twin *t)
{
    rows all = {.count = (int)t->needs.table->rows};
    for (int i = 0; i < all.count; i++)
        all.row[i] = i;
    return satisfies(t, &all);
}

static void check_setting(const bt_loaded *loaded, const bt_run *run, int setting, uint64_t *state)
{
    static twin t;
    bt_grouping grouping;
    t = (twin){.needs = twin_draw_needs(&loaded->table, state), .borrow = setting % 2};
    if (!can_be_met(&t)) return;
    twin_group(loaded, run, t.needs.text, t.borrow ? "cluster:merge=borrow" : "cluster", &grouping);
    rows all = {.count = (int)loaded->table.rows};
    uint32_t order[ROWS_MOST];
    bt_stream stream;
    bt_stream_init(&stream, &run->seed, "cluster", 0);
    bt_stream_permutation(&stream, order, (uint32_t)all.count);
    for (int i = 0; i < all.count; i++)
        all.row[i] = (int)order[i];
    split(&t, &all);
    merge(&t);
    unite_alike(&t);
    compare(&t, &grouping);
    bt_grouping_release(&grouping);
}

static void equals_the_twin(void **unused)
{
    (void)unused;
    static const char *const specs[] = {NULL, NULL, "balanced:2", "balanced:3", "flat"};
    const twin_hierarchies trees = {specs, 5, 5};
    twin_tables(500, 4, &trees, check_setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_twin)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
