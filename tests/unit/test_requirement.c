/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjunctions of requirements, and k at its boundary.
 */
#include "support.h"

#include "require/requirement.h"

#include <string.h>

static void k_at_its_boundary(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    static const int64_t values[] = {1, 2, 5, 1000, 4294967295};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        bt_requirements requirements;
        char *text = bt_arena_print(&arena, "k=%lld", (long long)values[i]);
        assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
        assert_true(requirements.size_only);
        assert_string_equal(requirements.items[0].text, text);
        bt_class_view below = {.size = values[i] - 1}, at = {.size = values[i]},
                      above = {.size = values[i] + 1};
        assert_false(bt_requirements_check(&requirements, &below));
        assert_true(bt_requirements_check(&requirements, &at));
        assert_true(bt_requirements_check(&requirements, &above));
        assert_int_equal(bt_requirements_least_size(&requirements), values[i]);
    }
    bt_arena_release(&arena);
}

static void an_infeasible_table_is_explained(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    assert_ok(bt_requirements_parse("k=5", &arena, &requirements, &error), &error);
    bt_class_view table = {.size = 4};
    assert_fails(bt_requirements_feasible(&requirements, &table, &error), BAUTA_NO, &error,
                 "'k=5'");
    assert_string_equal(error.hint, "the table has 4 records, k is 5");
    table.size = 5;
    assert_ok(bt_requirements_feasible(&requirements, &table, &error), &error);
    bt_arena_release(&arena);
}

static void faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"k", "requirement 'k' needs a value"},
        {"k=", "'k'"},
        {"k=0", "must be at least 1"},
        {"k=-3", "must be at least 1"},
        {"k=4294967296", "must be at most 4294967295"},
        {"k=five", "must be a whole number"},
        {"k=2.5", "must be a whole number"},
        {"k=5:6", "at most 1 value"},
        {"k=5,k=6", "'k' is given twice"},
        {"kk=5", "there is no requirement 'kk'"},
        {"temperature=5", "there is no requirement 'temperature'"},
        {"k=5,", "needs a value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_arena arena = {0};
        bt_requirements requirements;
        assert_fails(bt_requirements_parse(cases[i].text, &arena, &requirements, &error),
                     BAUTA_INVALID, &error, cases[i].message);
        bt_arena_release(&arena);
    }
}

static void nothing_required_is_always_met(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    assert_ok(bt_requirements_parse("", &arena, &requirements, &error), &error);
    assert_int_equal(requirements.count, 0);
    bt_class_view view = {.size = 1};
    assert_true(bt_requirements_check(&requirements, &view));
    bt_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_at_its_boundary),
        cmocka_unit_test(an_infeasible_table_is_explained),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(nothing_required_is_always_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
