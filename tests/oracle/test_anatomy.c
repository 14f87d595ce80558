/* SPDX-License-Identifier: Apache-2.0
 *
 * Anatomy against its brute-force twin on thousands of random tables: which values each class has
 * follows from the numbers of records per value alone, and the twin finds it by looking at all
 * buckets each time. Where the residue goes is random: it must be every class that may have it, and
 * each about as often.
 */
#include "support.h"

#include "group/method.h"

#include <string.h>

enum { ROWS_MOST = 200, VALUES_MOST = 9 };

typedef struct table_of {
    uint8_t codes[ROWS_MOST], quasi[ROWS_MOST];
    const char *texts[VALUES_MOST];
    bt_column columns[2];
    bt_table table;
    bt_people people;
    bt_requirements requirements;
    bt_arena arena;
} table_of;

static void make_table(table_of *t, uint64_t *random, uint32_t rows, uint32_t values)
{
    static const char *const names[VALUES_MOST] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    bauta_error error;
    *t = (table_of){0};
    memcpy(t->texts, names, sizeof names);
    uint64_t skew = 1 + test_below(random, 3);
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t code = values;
        for (uint64_t draw = 0; draw < skew; draw++) {
            uint64_t other = test_below(random, values);
            if (other < code) code = other;
        }
        t->codes[row] = (uint8_t)code;
        t->quasi[row] = (uint8_t)test_below(random, 5);
    }
    t->columns[0] = (bt_column){.name = "q",
                                .role = BT_ROLE_QUASI,
                                .domain = {.size = 5, .text = t->texts},
                                .width = 1,
                                .codes = t->quasi};
    t->columns[1] = (bt_column){.name = "s",
                                .role = BT_ROLE_SENSITIVE,
                                .domain = {.size = values, .text = t->texts},
                                .width = 1,
                                .codes = t->codes};
    t->table = (bt_table){.rows = rows, .count = 2, .columns = t->columns};
    assert_ok(bt_people_of_table(&t->table, &t->people, &error), &error);
    assert_ok(bt_requirements_parse("k=1", &t->arena, &t->requirements, &error), &error);
    assert_ok(bt_requirements_bind(&t->requirements, &t->people, &t->arena, &error), &error);
}

static void free_table(table_of *t)
{
    bt_people_release(&t->people);
    bt_arena_release(&t->arena);
}

static bauta_status group(const table_of *t, uint32_t l, const bt_run *run, bt_grouping *out,
                          bauta_error *error)
{
    bt_arena arena = {0};
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    char text[32];
    snprintf(text, sizeof text, "anatomy:l=%u", l);
    assert_ok(bt_method_parse(text, &arena, &method, &options, &canonical, error), error);
    assert_string_equal(text, canonical);
    bt_method_job job = {.table = &t->table,
                         .requirements = &t->requirements,
                         .options = options,
                         .records = t->table.rows,
                         .run = run};
    bauta_status status = bt_group(method, &job, out, error);
    bt_arena_release(&arena);
    return status;
}

/* ---- the twin ---- */

typedef struct twin {
    uint32_t classes;
    uint16_t values[ROWS_MOST]; /* per class: a bit for each value, the residue left out */
    uint16_t residue;           /* values that have a record left */
    bool possible;
} twin;

static uint32_t bits(uint16_t set)
{
    return (uint32_t)__builtin_popcount(set);
}

static void find_twin(const table_of *t, uint32_t l, twin *out)
{
    uint32_t left[VALUES_MOST] = {0}, values = t->columns[1].domain.size;
    *out = (twin){.possible = true};
    for (int64_t row = 0; row < t->table.rows; row++)
        left[t->codes[row]]++;
    for (uint32_t v = 0; v < values; v++)
        out->possible &= (int64_t)left[v] * l <= t->table.rows;
    for (bool more = out->possible; more;) {
        uint16_t taken = 0;
        for (uint32_t i = 0; i < l; i++) {
            uint32_t best = values;
            for (uint32_t v = 0; v < values; v++)
                if (!(taken >> v & 1) && left[v] > 0 && (best == values || left[v] > left[best]))
                    best = v;
            if (best == values) break;
            taken |= (uint16_t)(1u << best);
        }
        more = bits(taken) == l;
        for (uint32_t v = 0; v < values && more; v++)
            left[v] -= taken >> v & 1;
        if (more) out->values[out->classes++] = taken;
    }
    for (uint32_t v = 0; v < values && out->possible; v++) {
        assert_true(left[v] <= 1);
        if (left[v]) out->residue |= (uint16_t)(1u << v);
    }
}

/* The classes are those of the twin, and each value of the residue is in one that lacks it. */
static void compare(const table_of *t, const bt_grouping *g, const twin *expected, uint32_t l)
{
    bool seen[ROWS_MOST] = {false};
    uint16_t residue = 0;
    assert_int_equal(g->classes, t->table.rows / l);
    assert_int_equal(g->classes, expected->classes);
    assert_int_equal(g->kept, t->table.rows);
    for (uint32_t c = 0; c < g->classes; c++) {
        uint16_t have = 0;
        bt_box box = {UINT32_MAX, 0};
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            uint32_t row = g->order[i];
            assert_false(seen[row]);
            seen[row] = true;
            assert_true(i == g->starts[c] || g->order[i - 1] < row);
            assert_false(have >> t->codes[row] & 1);
            have |= (uint16_t)(1u << t->codes[row]);
            if (t->quasi[row] < box.lo) box.lo = t->quasi[row];
            if (t->quasi[row] > box.hi) box.hi = t->quasi[row];
        }
        assert_int_equal(have & expected->values[c], expected->values[c]);
        uint16_t more = (uint16_t)(have & ~expected->values[c]);
        assert_int_equal(residue & more, 0);
        residue |= more;
        assert_memory_equal(bt_class_box(g, c), &box, sizeof box);
    }
    assert_int_equal(residue, expected->residue);
}

static void classes_are_those_of_the_twin(void **state)
{
    (void)state;
    uint64_t random = 11;
    uint32_t refused = 0, with_residue = 0;
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    bauta_error error;
    assert_ok(bt_pool_new(1, &run.pool, &error), &error);
    for (int round = 0; round < 6000; round++) {
        table_of t;
        twin expected;
        bt_grouping g = {0};
        uint32_t values = 2 + (uint32_t)test_below(&random, VALUES_MOST - 1);
        make_table(&t, &random, 1 + (uint32_t)test_below(&random, ROWS_MOST), values);
        uint32_t l = 2 + (uint32_t)test_below(&random, 5);
        run.seed.bytes[0] = (unsigned char)round;
        find_twin(&t, l, &expected);
        if (expected.possible) {
            assert_ok(group(&t, l, &run, &g, &error), &error);
            compare(&t, &g, &expected, l);
            with_residue += expected.residue != 0;
        } else {
            assert_fails(group(&t, l, &run, &g, &error), BAUTA_NO, &error, "too frequent");
            refused++;
        }
        bt_grouping_release(&g);
        free_table(&t);
    }
    bt_pool_free(run.pool);
    assert_true(refused > 500 && with_residue > 500);
}

/* Of 13 records of four values with l=3, one is left: it may go to three of the four classes. And
 * of the records of one value each must be in each class equally often. */
static void choices_are_random(void **state)
{
    (void)state;
    enum { SEEDS = 6000, RECORDS = 13 };
    static const uint8_t codes[RECORDS] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    static const uint32_t first[] = {0, 4, 7, 10, 13};
    uint64_t random = 3;
    table_of t;
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    bauta_error error;
    uint32_t found[RECORDS][4] = {{0}};
    make_table(&t, &random, RECORDS, 4);
    bt_people_release(&t.people);
    memcpy(t.codes, codes, sizeof codes);
    assert_ok(bt_people_of_table(&t.table, &t.people, &error), &error);
    assert_ok(bt_pool_new(1, &run.pool, &error), &error);
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        bt_grouping g;
        memcpy(run.seed.bytes, &seed, sizeof seed);
        assert_ok(group(&t, 3, &run, &g, &error), &error);
        assert_int_equal(g.classes, 4);
        for (uint32_t c = 0; c < 4; c++)
            for (uint32_t i = g.starts[c]; i < g.starts[c + 1]; i++)
                found[g.order[i]][c]++;
        bt_grouping_release(&g);
    }
    for (uint32_t v = 0; v < 4; v++)
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t sum = 0;
            for (uint32_t row = first[v]; row < first[v + 1]; row++)
                sum += found[row][c];
            double mean = (double)sum / (first[v + 1] - first[v]);
            for (uint32_t row = first[v]; row < first[v + 1]; row++) {
                double off = (double)found[row][c] - mean;
                assert_true(off * off < 36 * (mean + 1));
            }
        }
    bt_pool_free(run.pool);
    free_table(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_twin),
        cmocka_unit_test(choices_are_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
