/* SPDX-License-Identifier: Apache-2.0
 *
 * Every requirement against a naive twin: records counted one by one, fractions in 128 bits,
 * entropies as whole powers, distances by solving the transport problem.
 */
#include "crowd.h"

#include "require/requirement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- whole numbers of any size we need ---- */

enum { LIMBS = 512 };

typedef struct big {
    uint32_t limbs[LIMBS]; /* least significant first */
    size_t used;
} big;

static void big_times(big *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < n->used; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_true(n->used < LIMBS);
    if (carry) n->limbs[n->used++] = (uint32_t)carry;
}

static void big_times_power(big *n, int64_t base, int64_t exponent)
{
    for (int64_t i = 0; i < exponent; i++)
        big_times(n, (uint32_t)base);
}

static int big_compare(const big *a, const big *b)
{
    if (a->used != b->used) return a->used > b->used ? 1 : -1;
    for (size_t i = a->used; i-- > 0;)
        if (a->limbs[i] != b->limbs[i]) return a->limbs[i] > b->limbs[i] ? 1 : -1;
    return 0;
}

/* ---- transport: the least cost of moving `supply` onto `demand` ---- */

typedef struct transport {
    uint32_t count;
    int64_t supply[CROWD_VALUES], demand[CROWD_VALUES]; /* equal sums */
    int64_t cost[CROWD_VALUES][CROWD_VALUES];
    int64_t flow[CROWD_VALUES][CROWD_VALUES];
} transport;

/* The cheapest way from a source with supply left to each sink, over flows that may be undone;
 * nodes 0..count-1 are sources, count..2*count-1 sinks. */
static void find_ways(const transport *t, int64_t *distance, int *from)
{
    int n = (int)t->count;
    for (int i = 0; i < 2 * n; i++) {
        distance[i] = i < n && t->supply[i] > 0 ? 0 : INT64_MAX / 4;
        from[i] = -1;
    }
    for (int round = 0; round < 2 * n; round++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (distance[i] + t->cost[i][j] < distance[n + j]) {
                    distance[n + j] = distance[i] + t->cost[i][j];
                    from[n + j] = i;
                }
                if (t->flow[i][j] > 0 && distance[n + j] - t->cost[i][j] < distance[i]) {
                    distance[i] = distance[n + j] - t->cost[i][j];
                    from[i] = n + j;
                }
            }
}

static int64_t solve(transport *t)
{
    int n = (int)t->count;
    int64_t total = 0;
    for (;;) {
        int64_t distance[2 * CROWD_VALUES], most;
        int from[2 * CROWD_VALUES], sink = -1, start;
        find_ways(t, distance, from);
        for (int j = 0; j < n; j++)
            if (t->demand[j] > 0 && (sink < 0 || distance[n + j] < distance[n + sink])) sink = j;
        if (sink < 0) return total;
        most = t->demand[sink];
        for (start = n + sink; from[start] >= 0; start = from[start])
            if (start < n && t->flow[start][from[start] - n] < most)
                most = t->flow[start][from[start] - n];
        if (t->supply[start] < most) most = t->supply[start];
        for (int at = n + sink; from[at] >= 0; at = from[at]) {
            if (at >= n)
                t->flow[from[at]][at - n] += most;
            else
                t->flow[at][from[at] - n] -= most;
        }
        t->supply[start] -= most;
        t->demand[sink] -= most;
        total += most * distance[n + sink];
    }
}

/* ---- distances ---- */

/* The place of a value among those that occur, by number, the missing value last. */
static int64_t rank_of(const crowd_column *column, const naive_bag *table, uint32_t code)
{
    int64_t rank = 0;
    bool missing = column->text[code][0] == '\0';
    for (uint32_t i = 0; i < column->size; i++)
        rank += table->counts[i] > 0 && i != code && column->text[i][0] != '\0' &&
                (missing || column->number[i] < column->number[code]);
    return rank;
}

/* The level of the lowest label that two leaves share. */
static int64_t common_level(const crowd_column *column, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    for (uint32_t level = 1; level < CROWD_LEVELS; level++) {
        const char *left = column->labels[a][level], *right = column->labels[b][level];
        if (column->text[a][0] && column->text[b][0] && left[0] && strcmp(left, right) == 0)
            return level;
    }
    return column->tree->levels - 1;
}

typedef struct fraction {
    int64_t top, bottom;
} fraction;

static fraction naive_distance(const crowd_column *column, const naive_bag *bag,
                               const naive_bag *table, int64_t kind)
{
    transport t = {.count = column->size};
    int64_t whole = 1, occurring = 0;
    for (uint32_t i = 0; i < column->size; i++) {
        t.supply[i] = bag->counts[i] * table->total;
        t.demand[i] = table->counts[i] * bag->total;
        occurring += table->counts[i] > 0;
        for (uint32_t j = 0; j < column->size; j++) {
            int64_t steps = rank_of(column, table, i) - rank_of(column, table, j);
            t.cost[i][j] = kind == 0   ? i != j
                           : kind == 1 ? (steps < 0 ? -steps : steps)
                                       : common_level(column, i, j);
        }
    }
    if (kind == 1 && occurring > 1) whole = occurring - 1;
    if (kind == 2) whole = column->tree->levels - 1;
    return (fraction){solve(&t), bag->total * table->total * whole};
}

/* ---- twins ---- */

typedef struct question {
    const crowd_column *column;
    const naive_bag *bag, *table;
    const bt_value *values;
} question;

static bool twin_k(const question *q)
{
    return q->bag->size >= q->values[0].integer;
}

static bool twin_alpha(const question *q)
{
    bt_rational most = q->values[0].rational;
    for (uint32_t i = 0; i < q->column->size; i++) {
        if (q->values[1].text[0] && strcmp(q->values[1].text, q->column->text[i]) != 0) continue;
        if ((__int128)q->bag->counts[i] * most.bottom > (__int128)most.top * q->bag->size)
            return false;
    }
    return true;
}

static bool twin_distinct(const question *q)
{
    int64_t distinct = 0;
    for (uint32_t i = 0; i < q->column->size; i++)
        distinct += q->bag->counts[i] > 0;
    return distinct >= q->values[0].integer;
}

static bool twin_categories(const question *q)
{
    int64_t distinct = 0;
    for (uint32_t category = 0; category < q->column->categories.count; category++) {
        bool occurs = false;
        for (uint32_t i = 0; i < q->column->size; i++)
            occurs |= q->bag->counts[i] > 0 && q->column->category_of[i] == category;
        distinct += occurs;
    }
    return distinct >= q->values[0].integer;
}

static fraction weight_of(const question *q)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < q->column->size; i++)
        sum += q->bag->counts[i] * q->column->category_of[i];
    return (fraction){sum, (int64_t)q->column->categories.count - 1};
}

static bool twin_weight(const question *q)
{
    fraction weight = weight_of(q);
    bt_rational least = q->values[0].rational;
    return (__int128)weight.top * least.bottom >= (__int128)least.top * weight.bottom;
}

static bool twin_entropy(const question *q)
{
    bt_rational least = q->values[0].rational;
    int64_t n = q->bag->total;
    big left = {{1}, 1}, right = {{1}, 1};
    big_times_power(&left, n, n);
    big_times_power(&left, least.bottom, n);
    big_times_power(&right, least.top, n);
    for (uint32_t i = 0; i < q->column->size; i++)
        big_times_power(&right, q->bag->counts[i], q->bag->counts[i]);
    return big_compare(&left, &right) >= 0;
}

/* The most frequent value, over the sum from the l-th most frequent on. */
static fraction recursive_ratio(const question *q)
{
    int64_t sorted[CROWD_VALUES] = {0}, rest = 0;
    for (uint32_t i = 0; i < q->column->size; i++) {
        uint32_t place = i;
        for (; place > 0 && sorted[place - 1] < q->bag->counts[i]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = q->bag->counts[i];
    }
    for (int64_t i = q->values[0].integer - 1; i < q->column->size; i++)
        rest += sorted[i];
    return (fraction){sorted[0], rest};
}

static bool twin_recursive(const question *q)
{
    fraction ratio = recursive_ratio(q);
    bt_rational c = q->values[1].rational;
    return (__int128)ratio.top * c.bottom < (__int128)c.top * ratio.bottom;
}

static bool twin_closeness(const question *q)
{
    fraction d = naive_distance(q->column, q->bag, q->table, q->values[1].integer);
    bt_rational most = q->values[0].rational;
    return (__int128)d.top * most.bottom <= (__int128)most.top * d.bottom;
}

/* The growth (q - p) / p of a value. */
static fraction growth_of(const question *q, uint32_t code)
{
    int64_t before = q->table->counts[code] * q->bag->total;
    return (fraction){q->bag->counts[code] * q->table->total - before, before};
}

/* -ln p by a long logarithm: at counts this small none comes closer than 10^-12. */
static bool twin_likeness(const question *q)
{
    bt_rational beta = q->values[0].rational;
    for (uint32_t i = 0; i < q->column->size; i++) {
        if (q->bag->counts[i] == 0) continue;
        fraction growth = growth_of(q, i);
        if ((__int128)growth.top * beta.bottom > (__int128)beta.top * growth.bottom) return false;
        if (q->values[1].integer == 0 || growth.top <= 0) continue;
        long double left = (long double)growth.top / (long double)growth.bottom;
        long double right =
            logl((long double)q->table->total) - logl((long double)q->table->counts[i]);
        assert_true(fabsl(left - right) > 1e-12L);
        if (left > right) return false;
    }
    return true;
}

/* ---- random questions, most of them right at the boundary or next to it ---- */

static const char *const distances[] = {"equal", "ordered", "hierarchical"};

/* top/bottom, or a little more or less. */
static void print_near(fraction f, uint64_t *random, char *out, size_t size)
{
    int64_t shift = (int64_t)test_below(random, 3) - 1, scale = 1000003;
    if (f.top == 0 && shift < 0) shift = 0;
    snprintf(out, size, "%lld/%lld", (long long)(f.top * scale + shift),
             (long long)(f.bottom * scale));
}

static void ask_integer(const question *q, const char *name, uint64_t *random, char *out,
                        size_t size)
{
    snprintf(out, size, "%s=%llu", name,
             1 + (unsigned long long)test_below(random, q->column->size + 2));
}

static void ask_alpha(const question *q, uint64_t *random, char *out, size_t size)
{
    char share[80];
    uint32_t code = (uint32_t)test_below(random, q->column->size);
    bool listed = test_below(random, 2) && q->column->text[code][0];
    fraction most = {listed ? q->bag->counts[code] : 0, q->bag->size};
    for (uint32_t i = 0; i < q->column->size && !listed; i++)
        if (q->bag->counts[i] > most.top) most.top = q->bag->counts[i];
    if (most.top == 0 || most.top == most.bottom) most = (fraction){1, 2};
    print_near(most, random, share, sizeof share);
    snprintf(out, size, "alpha=%s:%s", share, listed ? q->column->text[code] : "");
}

static void ask_weight(const question *q, uint64_t *random, char *out, size_t size)
{
    char near[80];
    print_near(weight_of(q), random, near, sizeof near);
    snprintf(out, size, "weight=%s", near);
}

static void ask_entropy(const question *q, uint64_t *random, char *out, size_t size)
{
    uint64_t bottom = 1 + test_below(random, test_below(random, 2) ? 1 : 1000);
    uint64_t top = bottom + 1 + test_below(random, bottom * q->column->size);
    snprintf(out, size, "entropy-l=%llu/%llu", (unsigned long long)top, (unsigned long long)bottom);
}

static void ask_recursive(const question *q, uint64_t *random, char *out, size_t size)
{
    char near[80];
    bt_value l = {.integer = 1 + (int64_t)test_below(random, q->column->size)};
    question with_l = *q;
    with_l.values = &l;
    fraction ratio = recursive_ratio(&with_l);
    if (ratio.bottom == 0) ratio.bottom = 1;
    print_near(ratio, random, near, sizeof near);
    snprintf(out, size, "recursive-l=%lld:%s", (long long)l.integer, near);
}

static void ask_closeness(const question *q, uint64_t *random, char *out, size_t size)
{
    char near[80];
    int64_t kind = (int64_t)test_below(random, 3);
    fraction d = naive_distance(q->column, q->bag, q->table, kind);
    if (d.top == d.bottom) d = (fraction){1, 2};
    print_near(d, random, near, sizeof near);
    snprintf(out, size, "t=%s:%s", near, distances[kind]);
}

static void ask_likeness(const question *q, uint64_t *random, char *out, size_t size)
{
    char near[80];
    fraction most = {0, 1};
    for (uint32_t i = 0; i < q->column->size; i++) {
        if (q->bag->counts[i] == 0) continue;
        fraction growth = growth_of(q, i);
        if ((__int128)growth.top * most.bottom > (__int128)most.top * growth.bottom) most = growth;
    }
    if (most.top == 0 || test_below(random, 3) == 0) most = (fraction){3, 2};
    print_near(most, random, near, sizeof near);
    snprintf(out, size, "beta=%s%s", near, test_below(random, 2) ? ":enhanced" : "");
}

static void ask_size(const question *q, uint64_t *random, char *out, size_t size)
{
    snprintf(out, size, "k=%lld", (long long)(q->bag->size + (int64_t)test_below(random, 3)));
}

static void ask_p(const question *q, uint64_t *random, char *out, size_t size)
{
    ask_integer(q, "p", random, out, size);
}

static void ask_l(const question *q, uint64_t *random, char *out, size_t size)
{
    ask_integer(q, "l", random, out, size);
}

static void ask_categories(const question *q, uint64_t *random, char *out, size_t size)
{
    ask_integer(q, "p-categories", random, out, size);
}

static const struct {
    const char *name;
    void (*ask)(const question *q, uint64_t *random, char *out, size_t size);
    bool (*twin)(const question *q);
} twins[] = {
    {"k", ask_size, twin_k},
    {"alpha", ask_alpha, twin_alpha},
    {"p", ask_p, twin_distinct},
    {"l", ask_l, twin_distinct},
    {"p-categories", ask_categories, twin_categories},
    {"weight", ask_weight, twin_weight},
    {"entropy-l", ask_entropy, twin_entropy},
    {"recursive-l", ask_recursive, twin_recursive},
    {"t", ask_closeness, twin_closeness},
    {"beta", ask_likeness, twin_likeness},
};
enum { TWINS = sizeof twins / sizeof *twins };

/* ---- the tests ---- */

static crowd_shape random_shape(uint64_t *random, uint32_t columns)
{
    uint32_t subjects = test_below(random, 3) == 0 ? 2 + (uint32_t)test_below(random, 30) : 0;
    return (crowd_shape){.rows = 1 + (uint32_t)test_below(random, 60),
                         .columns = columns,
                         .values = 2 + (uint32_t)test_below(random, CROWD_VALUES - 1),
                         .subjects = subjects,
                         .missing = test_below(random, 2)};
}

static void every_requirement_has_a_twin(void **state)
{
    (void)state;
    assert_int_equal(bt_requirement_registry_count, TWINS + 1);
    for (size_t i = 0; i < TWINS; i++)
        assert_string_equal(bt_requirement_registry[i]->name, twins[i].name);
    assert_true(bt_requirement_registry[TWINS]->most_records); /* external_persons_count_alone */
}

/* ---- with a public table ---- */

static bool check_rows(const bt_people *people, const char *text, bool joint,
                       const crowd_class *rows)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_tally *tally;
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    requirements.joint = joint;
    assert_ok(bt_requirements_bind(&requirements, people, &arena, &error), &error);
    assert_ok(bt_tally_new(people, &tally, &error), &error);
    for (uint32_t row = 0; row < people->rows; row++) /* all come, some go again */
        assert_ok(bt_tally_add_row(tally, row, &error), &error);
    for (uint32_t row = 0; row < people->rows; row++)
        if (!rows->has[row]) bt_tally_remove_row(tally, row);
    bool holds = bt_requirements_check(&requirements, tally, NULL);
    bt_tally_free(tally);
    bt_arena_release(&arena);
    return holds;
}

/* `presence` counts records among all; for what is about values, and for sizes unless these count
 * all, external persons are not there. */
static void external_persons_count_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {"k=3", "alpha=0.6", "p=2,k=2", "t=0.4", "entropy-l=1.5"};
    uint64_t random = 91;
    int yes = 0;
    for (int round = 0; round < 2000; round++) {
        crowd c;
        bauta_error error;
        bt_people own, all;
        char near[80], text[120];
        uint32_t columns = 1 + (uint32_t)test_below(&random, 3);
        crowd_shape shape = random_shape(&random, columns);
        shape.subjects = 0;
        crowd_make(&c, shape, &random);
        uint32_t records = (uint32_t)test_below(&random, shape.rows + 1);
        assert_ok(bt_people_joined(&c.people, records, NULL, shape.rows, &own, &error), &error);
        assert_ok(bt_people_joined(NULL, records, NULL, shape.rows, &all, &error), &error);
        crowd_class rows = crowd_draw(&c, 1, 2, &random), left = rows;
        rows.has[0] = left.has[0] = true;
        int64_t in = 0, size = 0;
        for (uint32_t row = 0; row < shape.rows; row++) {
            size += rows.has[row];
            in += rows.has[row] && row < records;
            left.has[row] = rows.has[row] && row < records;
        }
        fraction share = in == 0 || in == size ? (fraction){1, 2} : (fraction){in, size};
        print_near(share, &random, near, sizeof near);
        bt_rational most;
        assert_true(bt_rational_parse(near, &most));
        bool expected = (__int128)in * most.bottom <= (__int128)most.top * size;
        snprintf(text, sizeof text, "presence=%s", near);
        assert_int_equal(check_rows(&own, text, true, &rows), expected);
        snprintf(text, sizeof text, "k=%lld,presence=%s", (long long)size, near);
        assert_int_equal(check_rows(&all, text, true, &rows), expected);
        snprintf(text, sizeof text, "presence=1,k=%lld", (long long)size + 1);
        assert_false(check_rows(&all, text, true, &rows));
        yes += expected;
        const char *values = texts[test_below(&random, 5)];
        bool joint = test_below(&random, 2);
        if (in > 0)
            assert_int_equal(check_rows(&own, values, joint, &rows),
                             check_rows(&c.people, values, joint, &left));
        else
            assert_false(check_rows(&own, values, joint, &rows));
        bt_people_release(&own);
        bt_people_release(&all);
        crowd_release(&c);
    }
    assert_in_range(yes, 200, 1800);
}

static void assert_answer(const crowd *c, size_t which, const crowd_class *rows, bt_tally *tally,
                          uint64_t *random, int *yes)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    crowd_class all = crowd_draw(c, 1, 1, random);
    naive_bag bag = naive_count(c, rows, 0, -1, 0), table = naive_count(c, &all, 0, -1, 0);
    question q = {.column = &c->columns[0], .bag = &bag, .table = &table};
    char text[300];
    twins[which].ask(&q, random, text, sizeof text);
    bauta_status status = bt_requirements_parse(text, &arena, &requirements, &error);
    if (status == BAUTA_OK)
        status = bt_requirements_bind(&requirements, &c->people, &arena, &error);
    assert_ok(status, &error);
    q.values = requirements.items[0].values;
    bool expected = twins[which].twin(&q);
    if (bt_requirements_check(&requirements, tally, NULL) != expected)
        fail_msg("'%s' should be %s", text, expected ? "satisfied" : "refused");
    *yes += expected;
    bt_arena_release(&arena);
}

static void verdicts_agree(void **state)
{
    (void)state;
    bauta_error error;
    enum { TABLES = 500 };
    for (size_t which = 0; which < TWINS; which++) {
        uint64_t random = 71 + which;
        int yes = 0, asked = 0;
        for (int table = 0; table < TABLES; table++) {
            crowd c;
            bt_tally *tally;
            crowd_make(&c, random_shape(&random, 1), &random);
            assert_ok(bt_tally_new(&c.people, &tally, &error), &error);
            for (int round = 0; round < 3; round++) {
                crowd_class rows = crowd_draw(&c, 1, 1 + test_below(&random, 4), &random);
                rows.has[test_below(&random, c.shape.rows)] = true;
                crowd_tally(&c, &rows, tally);
                for (int ask = 0; ask < 3; ask++, asked++)
                    assert_answer(&c, which, &rows, tally, &random, &yes);
            }
            bt_tally_free(tally);
            crowd_release(&c);
        }
        assert_true(yes > asked / 20);
        assert_true(yes < asked - asked / 20);
    }
}

/* A conjunction holds when each of its parts holds in each column it is for, in the whole class
 * and, with `joint`, in what any one value of another column selects. */
static bool naive_conjunction(const crowd *c, const bt_requirements *requirements,
                              const size_t *which, const crowd_class *rows)
{
    crowd_class all = {{false}};
    for (uint32_t row = 0; row < c->shape.rows; row++)
        all.has[row] = true;
    for (size_t i = 0; i < requirements->count; i++)
        for (uint32_t column = 0; column < c->shape.columns; column++) {
            const bt_requirement_instance *item = &requirements->items[i];
            if (item->column && strcmp(item->column, c->people.sensitive[column].name) != 0)
                continue;
            naive_bag table = naive_count(c, &all, column, -1, 0);
            naive_bag bag = naive_count(c, rows, column, -1, 0);
            question q = {&c->columns[column], &bag, &table, item->values};
            if (!twins[which[i]].twin(&q)) return false;
            for (uint32_t known = 0; known < c->shape.columns && requirements->joint; known++)
                for (uint32_t code = 0; code < c->columns[known].size; code++) {
                    bag = naive_count(c, rows, column, (int)known, code);
                    if (known == column || bag.size == 0 || which[i] == 0) continue;
                    if (!twins[which[i]].twin(&q)) return false;
                }
        }
    return true;
}

static void conjunctions_agree(void **state)
{
    (void)state;
    bauta_error error;
    static const char *const texts[] = {"k=3",
                                        "alpha=0.8",
                                        "p=2",
                                        "l(income)=2",
                                        "p-categories(disease)=2",
                                        "weight=1/2",
                                        "entropy-l=1.3",
                                        "recursive-l=2:2.5",
                                        "t=0.7:hierarchical",
                                        "beta=2:enhanced"};
    uint64_t random = 81;
    int yes = 0, no = 0;
    for (int table = 0; table < 2000; table++) {
        crowd c;
        bt_tally *tally;
        bt_requirements requirements;
        crowd_shape shape = random_shape(&random, 2 + (uint32_t)test_below(&random, 2));
        shape.values = 2 + (uint32_t)test_below(&random, 2);
        crowd_make(&c, shape, &random);
        size_t which[2] = {(size_t)test_below(&random, TWINS), 0};
        which[1] = (which[0] + 1 + (size_t)test_below(&random, TWINS - 1)) % TWINS;
        char *text = bt_arena_print(&c.arena, "%s,%s", texts[which[0]], texts[which[1]]);
        assert_ok(bt_requirements_parse(text, &c.arena, &requirements, &error), &error);
        requirements.joint = test_below(&random, 2);
        assert_ok(bt_requirements_bind(&requirements, &c.people, &c.arena, &error), &error);
        assert_ok(bt_tally_new(&c.people, &tally, &error), &error);
        for (int round = 0; round < 3; round++) {
            crowd_class rows = crowd_draw(&c, 1, 1 + test_below(&random, 3), &random);
            rows.has[test_below(&random, shape.rows)] = true;
            crowd_tally(&c, &rows, tally);
            bool expected = naive_conjunction(&c, &requirements, which, &rows);
            if (bt_requirements_check(&requirements, tally, NULL) != expected)
                fail_msg("'%s' should be %s", text, expected ? "satisfied" : "refused");
            yes += expected;
            no += !expected;
        }
        bt_tally_free(tally);
        crowd_release(&c);
    }
    assert_true(yes > 500);
    assert_true(no > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_requirement_has_a_twin),
        cmocka_unit_test(external_persons_count_alone),
        cmocka_unit_test(verdicts_agree),
        cmocka_unit_test(conjunctions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
