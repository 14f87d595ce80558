/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations, fakes and bounds against enumeration: Algorithm 1 against all multisets of nodes
 * that Definitions 3.1 and 3.2 allow, Algorithm 2 against all sets of fakes and of values left out,
 * bounds against all ways to give nodes to records.
 */
#include "allocations.h"
#include "trees.h"

#include "class/fakes.h"
#include "class/privacy.h"
#include "class/subdomains.h"

#include <math.h>
#include <string.h>

enum { LEAVES = 5, VALUES = 7, NODES = 2 * LEAVES };

typedef struct sample { /* a tree and a group */
    bt_arena arena;
    bt_target target;
    bt_allocator *allocator;
    uint32_t count[LEAVES]; /* of each value */
    uint32_t size;
} sample;

static void sample_make(sample *s, uint64_t *random)
{
    bauta_error error = {0};
    tree_shape shape;
    *s = (sample){0};
    uint32_t leaves = 1 + (uint32_t)test_below(random, LEAVES);
    tree_random(random, leaves, 1 + test_below(random, 3), &shape);
    tree_restore(&shape, leaves, test_below(random, 3) > 0, &s->arena, &s->target);
    s->size = (uint32_t)test_below(random, VALUES + 1);
    for (uint32_t i = 0; i < s->size; i++)
        s->count[test_below(random, leaves)]++;
    assert_ok(bt_allocator_new(s->target.count, leaves, &s->allocator, &error), &error);
}

static void sample_release(sample *s)
{
    bt_allocator_free(s->allocator);
    bt_arena_release(&s->arena);
}

static size_t hold(const uint32_t *count, bt_held *held)
{
    size_t distinct = 0;
    for (uint32_t code = 0; code < LEAVES; code++)
        if (count[code] > 0) held[distinct++] = (bt_held){code, count[code]};
    return distinct;
}

static uint64_t allocated_cost(const sample *s, const uint32_t *count)
{
    bauta_error error = {0};
    bt_held held[LEAVES];
    bt_allocation made = {0};
    size_t distinct = hold(count, held);
    assert_ok(bt_allocate(&s->target, s->allocator, held, distinct, NULL, &made, &error), &error);
    uint64_t cost = parts_cost(&s->target, made.items, made.count);
    bt_allocation_release(&made);
    return cost;
}

/* ---- the definitions ---- */

/* Definition 3.2 as it stands. */
static bool is_private(const bt_target *target, const uint32_t *copies, uint32_t size)
{
    double chance[NODES];
    bt_target_chances(target, chance);
    for (uint32_t code = 0; code < target->leaves; code++) {
        double sum = 0;
        uint32_t leaf = target->leaf_of[code];
        for (uint32_t node = 0; node < target->count; node++)
            if (target->nodes[node].low <= code && code <= target->nodes[node].high)
                sum += copies[node] * chance[leaf] / chance[node];
        if (fabs(sum / size - chance[leaf]) > 1e-9) return false;
    }
    return true;
}

/* Definition 3.1: gives the values from `code` on nodes of their own, in every way. */
static bool is_generalization(const bt_target *target, uint32_t *copies, uint32_t *count,
                              uint32_t code)
{
    if (code == target->leaves) return true;
    if (count[code] == 0) return is_generalization(target, copies, count, code + 1);
    for (uint32_t node = 0; node < target->count; node++) {
        const bt_target_node *here = &target->nodes[node];
        if (copies[node] == 0 || code < here->low || code > here->high) continue;
        copies[node]--;
        count[code]--;
        bool found = is_generalization(target, copies, count, code);
        copies[node]++;
        count[code]++;
        if (found) return true;
    }
    return false;
}

typedef struct best {
    sample *s;
    uint32_t copies[NODES];
    uint64_t cost;
    bool found;
} best;

/* Tries all multisets of nodes from `node` on with `left` members. */
static void try_all(best *b, uint32_t node, uint32_t left)
{
    const bt_target *target = &b->s->target;
    if (node < target->count) {
        for (uint32_t copies = 0; copies <= left; copies++) {
            b->copies[node] = copies;
            try_all(b, node + 1, left - copies);
        }
        b->copies[node] = 0;
        return;
    }
    if (left > 0 || !is_private(target, b->copies, b->s->size)) return;
    if (!is_generalization(target, b->copies, b->s->count, 0)) return;
    uint64_t cost = 0;
    for (uint32_t i = 0; i < target->count; i++)
        cost += b->copies[i] * target->nodes[i].range;
    if (!b->found || cost < b->cost) b->cost = cost;
    b->found = true;
}

static void test_least_sum_of_ranges(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 1500; round++) {
        sample s;
        sample_make(&s, &random);
        best b = {.s = &s};
        if (s.size > 0) {
            try_all(&b, 0, s.size);
            assert_true(b.found);
            assert_int_equal(allocated_cost(&s, s.count), b.cost);
        }
        sample_release(&s);
    }
}

/* Whatever is allocated, at its best or at random, is private and a generalization. */
static void check_allocation(sample *s, bt_stream *stream, uint64_t least)
{
    bauta_error error = {0};
    bt_held held[LEAVES];
    bt_allocation made = {0};
    bt_privacy privacy;
    uint32_t copies[NODES] = {0}, node;
    size_t distinct = hold(s->count, held);
    assert_ok(bt_privacy_init(&privacy, s->target.count, &error), &error);
    assert_ok(bt_allocate(&s->target, s->allocator, held, distinct, stream, &made, &error), &error);
    for (size_t i = 0; i < made.count; i++)
        copies[made.items[i].node] += made.items[i].copies;
    assert_int_equal(made.total, s->size);
    assert_true(parts_cost(&s->target, made.items, made.count) >= least);
    if (s->size > 0) assert_true(is_private(&s->target, copies, s->size));
    assert_true(is_generalization(&s->target, copies, s->count, 0));
    assert_true(bt_privacy_check(&privacy, &s->target, made.items, made.count, &node));
    assert_true(parts_cover(&s->target, made.items, made.count, held, distinct));
    bt_allocation_release(&made);
    bt_privacy_release(&privacy);
}

static void test_random_allocations(void **state)
{
    (void)state;
    uint64_t random = 2, more = 0;
    bt_seed seed = {{7}};
    bt_stream stream;
    bt_stream_init(&stream, &seed, "test", 0);
    for (int round = 0; round < 3000; round++) {
        sample s;
        sample_make(&s, &random);
        uint64_t least = allocated_cost(&s, s.count);
        check_allocation(&s, NULL, least);
        check_allocation(&s, &stream, least);
        more += s.size;
        sample_release(&s);
    }
    assert_true(more > 3000);
}

/* The cheap tests are the definitions, also for what no algorithm would publish. */
static void test_privacy_is_the_definition(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 3, held_often = 0, covered_often = 0;
    for (int round = 0; round < 20000; round++) {
        sample s;
        bt_part parts[VALUES + 2];
        bt_privacy privacy;
        bt_held held[LEAVES];
        uint32_t copies[NODES] = {0}, node;
        sample_make(&s, &random);
        uint32_t size = s.size + (uint32_t)test_below(&random, 3);
        for (uint32_t i = 0; i < size; i++) {
            uint32_t reach = test_below(&random, 2) ? 1 : s.target.count;
            parts[i] = (bt_part){(uint32_t)test_below(&random, reach), 1};
            copies[parts[i].node]++;
        }
        assert_ok(bt_privacy_init(&privacy, s.target.count, &error), &error);
        bool holds = bt_privacy_check(&privacy, &s.target, parts, size, &node);
        if (size > 0) assert_int_equal(holds, is_private(&s.target, copies, size));
        size_t distinct = hold(s.count, held);
        bool covers = parts_cover(&s.target, parts, size, held, distinct);
        assert_int_equal(covers, is_generalization(&s.target, copies, s.count, 0));
        held_often += holds;
        covered_often += covers;
        bt_privacy_release(&privacy);
        sample_release(&s);
    }
    assert_in_range(held_often, 1000, 19000);
    assert_in_range(covered_often, 1000, 19000);
}

/* ---- fakes ---- */

typedef struct faking {
    const sample *s;
    uint32_t count[NODES]; /* room that a compiler which unrolls recursion does not doubt */
    uint64_t cost;
    bool found;
} faking;

/* Leaves out `left` values from `code` on, in every way. */
static void leave_out(faking *f, uint32_t code, uint32_t left)
{
    if (code == f->s->target.leaves) {
        if (left > 0) return;
        uint64_t cost = allocated_cost(f->s, f->count);
        if (!f->found || cost < f->cost) f->cost = cost;
        f->found = true;
        return;
    }
    uint32_t there = f->count[code];
    for (uint32_t out = 0; out <= left && out <= there; out++) {
        f->count[code] = there - out;
        leave_out(f, code + 1, left - out);
    }
    f->count[code] = there;
}

/* Adds `left` fakes from `code` on, in every way. */
static void add_fakes(faking *f, uint32_t code, uint32_t left, uint32_t leave)
{
    if (code + 1 == f->s->target.leaves) {
        f->count[code] += left;
        leave_out(f, 0, leave);
        f->count[code] -= left;
        return;
    }
    for (uint32_t here = 0; here <= left; here++) {
        f->count[code] += here;
        add_fakes(f, code + 1, left - here, leave);
        f->count[code] -= here;
    }
}

static faking enumerate(const sample *s, uint32_t fakes, uint32_t leave)
{
    faking f = {.s = s};
    memcpy(f.count, s->count, sizeof s->count);
    add_fakes(&f, 0, fakes, leave);
    return f;
}

static void check_exactly(const sample *s, uint32_t fakes, uint32_t leave)
{
    bauta_error error = {0};
    bt_held held[LEAVES];
    bt_fakes made = {0};
    bt_fakes_wish wish = {.most = fakes, .exactly = true, .leave = leave};
    size_t distinct = hold(s->count, held);
    faking expected = enumerate(s, fakes, leave);
    if (!expected.found) {
        assert_fails(bt_fakes_best(&s->target, held, distinct, &wish, &made, &error), BAUTA_INVALID,
                     &error, "left out");
        bt_fakes_release(&made);
        return;
    }
    assert_ok(bt_fakes_best(&s->target, held, distinct, &wish, &made, &error), &error);
    assert_int_equal(made.cost, expected.cost);
    assert_int_equal(made.total, fakes);
    faking chosen = {.s = s}; /* these very fakes reach it */
    memcpy(chosen.count, s->count, sizeof s->count);
    for (size_t i = 0; i < made.count; i++)
        chosen.count[made.items[i].code] += made.items[i].count;
    leave_out(&chosen, 0, leave);
    assert_int_equal(chosen.cost, expected.cost);
    bt_fakes_release(&made);
}

static void check_best(const sample *s, uint32_t most, uint32_t leave)
{
    bauta_error error = {0};
    bt_held held[LEAVES];
    bt_fakes made = {0};
    bt_fakes_wish wish = {.most = most, .leave = leave};
    size_t distinct = hold(s->count, held);
    faking expected = {0};
    uint32_t fewest = 0;
    for (uint32_t fakes = 0; fakes <= most; fakes++) {
        faking here = enumerate(s, fakes, leave);
        if (!here.found || (expected.found && here.cost >= expected.cost)) continue;
        expected = here;
        fewest = fakes;
    }
    if (!expected.found) return;
    assert_ok(bt_fakes_best(&s->target, held, distinct, &wish, &made, &error), &error);
    assert_int_equal(made.cost, expected.cost);
    assert_int_equal(made.total, fewest);
    bt_fakes_release(&made);
}

static void test_fakes(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < 1200; round++) {
        sample s;
        sample_make(&s, &random);
        uint32_t fakes = (uint32_t)test_below(&random, 5);
        check_exactly(&s, fakes, 0);
        check_exactly(&s, fakes, (uint32_t)test_below(&random, 4));
        check_best(&s, fakes, 0);
        if (round % 4 == 0) check_best(&s, fakes, (uint32_t)test_below(&random, 3));
        sample_release(&s);
    }
}

/* Larger groups against the recurrence as it stands in the paper, but for its slips: every number
 * of fakes, of nodes inside and of steps. */
enum { WIDE_LEAVES = 8, WIDE_NODES = 16, WIDE_VALUES = 60, WIDE_FAKES = 6, WIDE_SUM = 67 };

typedef struct recurrence {
    uint64_t cost[WIDE_NODES][WIDE_FAKES + 1][WIDE_SUM];
    uint64_t under[WIDE_NODES];
} recurrence;

static const uint64_t impossible = UINT64_MAX / 4;

/* The best for k fakes when every child gets its weight `steps` times. */
static uint64_t children_cost(const recurrence *r, const bt_target *target, uint32_t node,
                              uint64_t steps, uint32_t child, uint32_t k)
{
    const bt_target_node *here = &target->nodes[node];
    if (child == here->children) return k == 0 ? 0 : impossible;
    uint64_t least = impossible;
    uint32_t place = here->first + child;
    uint64_t inside = steps * target->nodes[place].weight;
    if (inside >= WIDE_SUM) return impossible;
    for (uint32_t x = child + 1 == here->children ? k : 0; x <= k; x++) {
        uint64_t cost = r->cost[place][x][inside];
        if (cost < impossible) cost += children_cost(r, target, node, steps, child + 1, k - x);
        if (cost < least) least = cost;
    }
    return least;
}

static void solve_node(recurrence *r, const bt_target *target, uint32_t node)
{
    const bt_target_node *here = &target->nodes[node];
    for (uint32_t k = 0; k <= WIDE_FAKES; k++)
        for (uint64_t inside = 0; inside < WIDE_SUM; inside++) {
            uint64_t *cost = &r->cost[node][k][inside];
            *cost = impossible;
            if (inside > r->under[node] + k) continue;
            *cost = inside * here->range;
            for (uint64_t n = 1; here->sum > 0 && n * here->sum <= inside; n++) {
                uint64_t below = children_cost(r, target, node, n, 0, k);
                if (below >= impossible) continue;
                below += (inside - n * here->sum) * here->range;
                if (below < *cost) *cost = below;
            }
        }
}

static void test_fakes_of_larger_groups(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 8;
    recurrence *r = malloc(sizeof *r);
    assert_non_null(r);
    for (int round = 0; round < 60; round++) {
        bt_arena arena = {0};
        bt_target target;
        tree_shape shape;
        bt_held held[WIDE_LEAVES];
        bt_fakes made = {0};
        uint32_t leaves = 2 + (uint32_t)test_below(&random, WIDE_LEAVES - 1);
        tree_random(&random, leaves, 1 + test_below(&random, 4), &shape);
        tree_restore(&shape, leaves, true, &arena, &target);
        memset(r, 0, sizeof *r);
        for (uint32_t code = 0; code < leaves; code++) {
            held[code] = (bt_held){code, 1 + (uint32_t)test_below(&random, WIDE_VALUES / leaves)};
            r->under[target.leaf_of[code]] = held[code].count;
        }
        for (uint32_t node = target.count; node-- > 0;) {
            if (node > 0) r->under[target.nodes[node].parent] += r->under[node];
            solve_node(r, &target, node);
        }
        for (uint32_t fakes = 0; fakes <= WIDE_FAKES; fakes++)
            for (uint32_t leave = 0; leave < 3; leave++) {
                bt_fakes_wish wish = {fakes, true, leave};
                assert_ok(bt_fakes_best(&target, held, leaves, &wish, &made, &error), &error);
                uint64_t inside = r->under[0] + fakes - leave;
                assert_int_equal(made.cost, r->cost[0][fakes][inside]);
                assert_int_equal(made.total, fakes);
            }
        bt_fakes_release(&made);
        bt_arena_release(&arena);
    }
    free(r);
}

/* ---- bounds ---- */

typedef struct extremes {
    int64_t sum_low, sum_high, min_low, min_high, max_low, max_high;
    bool found;
} extremes;

static void note(extremes *e, int64_t sum, int64_t least, int64_t greatest)
{
    if (!e->found) *e = (extremes){sum, sum, least, least, greatest, greatest, true};
    if (sum < e->sum_low) e->sum_low = sum;
    if (sum > e->sum_high) e->sum_high = sum;
    if (least < e->min_low) e->min_low = least;
    if (least > e->min_high) e->min_high = least;
    if (greatest < e->max_low) e->max_low = greatest;
    if (greatest > e->max_high) e->max_high = greatest;
}

/* Gives the selected records nodes from `i` on, and each the least or the greatest of its values.
 */
static void select_all(const bt_subdomain *items, size_t count, size_t i, uint64_t left,
                       int64_t sum, int64_t least, int64_t greatest, extremes *e)
{
    if (left == 0) note(e, sum, least, greatest);
    if (i == count || left == 0) return;
    select_all(items, count, i + 1, left, sum, least, greatest, e);
    for (int end = 0; end < 2; end++) {
        int64_t value = end ? items[i].high : items[i].low;
        select_all(items, count, i + 1, left - 1, sum + value, value < least ? value : least,
                   value > greatest ? value : greatest, e);
    }
}

static void test_bounds(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 5;
    for (int round = 0; round < 4000; round++) {
        bt_arena arena = {0};
        bt_subdomain items[6], sorted[6];
        bt_subdomains group;
        size_t count = 1 + test_below(&random, 6);
        for (size_t i = 0; i < count; i++) {
            items[i].low = (int64_t)test_below(&random, 8) - 4;
            items[i].high = items[i].low + (int64_t)test_below(&random, 5);
            items[i].copies = 1;
        }
        memcpy(sorted, items, sizeof items);
        assert_ok(bt_subdomains_make(sorted, count, &arena, &group, &error), &error);
        assert_int_equal(group.total, count);
        for (uint64_t selected = 1; selected <= count; selected++) {
            extremes e = {0};
            select_all(items, count, 0, selected, 0, INT64_MAX, INT64_MIN, &e);
            bt_aggregates made = bt_subdomains_select(&group, selected);
            assert_int_equal((int64_t)made.sum_low, e.sum_low);
            assert_int_equal((int64_t)made.sum_high, e.sum_high);
            assert_int_equal(made.min_low, e.min_low);
            assert_int_equal(made.min_high, e.min_high);
            assert_int_equal(made.max_low, e.max_low);
            assert_int_equal(made.max_high, e.max_high);
        }
        bt_arena_release(&arena);
    }
}

/* Runs of equal nodes say the same as the nodes one by one. */
static void test_runs(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 6;
    for (int round = 0; round < 500; round++) {
        bt_arena arena = {0};
        bt_subdomain runs[4], single[40];
        bt_subdomains short_group, long_group;
        size_t count = 1 + test_below(&random, 4), total = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t low = (int64_t)test_below(&random, 5);
            runs[i] = (bt_subdomain){low, low + (int64_t)test_below(&random, 4),
                                     1 + test_below(&random, 10)};
            for (uint64_t c = 0; c < runs[i].copies; c++)
                single[total++] = (bt_subdomain){runs[i].low, runs[i].high, 1};
        }
        assert_ok(bt_subdomains_make(runs, count, &arena, &short_group, &error), &error);
        assert_ok(bt_subdomains_make(single, total, &arena, &long_group, &error), &error);
        for (uint64_t selected = 1; selected <= total; selected++) {
            bt_aggregates a = bt_subdomains_select(&short_group, selected);
            bt_aggregates b = bt_subdomains_select(&long_group, selected);
            assert_true(a.sum_low == b.sum_low && a.sum_high == b.sum_high);
            assert_true(a.min_high == b.min_high && a.max_low == b.max_low);
        }
        bt_arena_release(&arena);
    }
}

/* Two groups together are the extremes of all pairs of answers. */
static void test_together(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 500; round++) {
        bt_aggregates sides[2], both = {0};
        for (int i = 0; i < 2; i++) {
            int64_t low = (int64_t)test_below(&random, 9),
                    high = low + (int64_t)test_below(&random, 9);
            sides[i] = (bt_aggregates){.selected = 1,
                                       .sum_low = low,
                                       .sum_high = high,
                                       .min_low = low,
                                       .min_high = high,
                                       .max_low = low,
                                       .max_high = high};
            aggregates_add(&both, &sides[i]);
        }
        extremes e = {0};
        for (int i = 0; i < 4; i++) {
            int64_t a = i & 1 ? sides[0].min_high : sides[0].min_low;
            int64_t b = i & 2 ? sides[1].min_high : sides[1].min_low;
            note(&e, a + b, a < b ? a : b, a > b ? a : b);
        }
        assert_int_equal(both.selected, 2);
        assert_true(both.sum_low == e.sum_low && both.sum_high == e.sum_high);
        assert_true(both.min_low == e.min_low && both.min_high == e.min_high);
        assert_true(both.max_low == e.max_low && both.max_high == e.max_high);
    }
}

/* The selected records that satisfy a condition, when may_satisfy of a group's nodes have a value
 * that satisfies it and may_fail have one that does not. */
static void count_bounds(uint64_t selected, uint64_t may_satisfy, uint64_t may_fail,
                         uint64_t *lower, uint64_t *upper)
{
    *lower = selected > may_fail ? selected - may_fail : 0;
    *upper = selected < may_satisfy ? selected : may_satisfy;
}

/* COUNT: nodes are in the condition, outside or both, and records get any of them. */
static void test_counts(void **state)
{
    (void)state;
    for (uint64_t in = 0; in < 4; in++)
        for (uint64_t out = 0; out < 4; out++)
            for (uint64_t either = 0; either < 4; either++)
                for (uint64_t selected = 0; selected <= in + out + either; selected++) {
                    uint64_t least = UINT64_MAX, most = 0, lower, upper;
                    for (uint64_t i = 0; i <= in && i <= selected; i++)
                        for (uint64_t o = 0; o <= out && i + o <= selected; o++) {
                            uint64_t rest = selected - i - o;
                            if (rest > either) continue;
                            if (i < least) least = i;
                            if (i + rest > most) most = i + rest;
                        }
                    count_bounds(selected, in + either, out + either, &lower, &upper);
                    assert_int_equal(lower, least);
                    assert_int_equal(upper, most);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_sum_of_ranges),
        cmocka_unit_test(test_random_allocations),
        cmocka_unit_test(test_privacy_is_the_definition),
        cmocka_unit_test(test_fakes),
        cmocka_unit_test(test_fakes_of_larger_groups),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
