/* SPDX-License-Identifier: Apache-2.0
 *
 * Every requirement keeps what its entry declares: on random classes the flags that pruning
 * relies on are challenged (a challenge can refute, not prove).
 */
#include "support.h"

#include "require/requirement.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 2000, LARGEST = 60 };

/* A value of a parameter near the sizes of the classes made here. */
static void make_value(const bt_param *param, uint64_t *random, char *out, size_t size)
{
    switch (param->type) {
    case BT_PARAM_INTEGER:
        snprintf(out, size, "%u", 1 + (unsigned)test_below(random, LARGEST / 2));
        break;
    case BT_PARAM_RATIONAL:
        snprintf(out, size, "%u/%u", 1 + (unsigned)test_below(random, 9), 10u);
        break;
    case BT_PARAM_CHOICE:
    case BT_PARAM_TEXT: snprintf(out, size, "%s", param->fallback ? param->fallback : ""); break;
    }
}

/* An instance of a requirement with random values. */
static bt_requirement_instance make_instance(const bt_requirement *type, uint64_t *random,
                                             bt_arena *arena)
{
    bauta_error error;
    char text[500];
    size_t length = (size_t)snprintf(text, sizeof text, "%s=", type->name);
    for (size_t i = 0; i < type->param_count; i++) {
        char value[64];
        make_value(&type->params[i], random, value, sizeof value);
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? ":" : "", value);
    }
    bt_requirements requirements;
    assert_ok(bt_requirements_parse(text, arena, &requirements, &error), &error);
    assert_int_equal(requirements.count, 1);
    assert_ptr_equal(requirements.items[0].type, type);
    return requirements.items[0];
}

static bt_class_view make_class(uint64_t *random)
{
    return (bt_class_view){.size = 1 + (int64_t)test_below(random, LARGEST)};
}

static bt_class_view merge(bt_class_view a, bt_class_view b)
{
    return (bt_class_view){.size = a.size + b.size};
}

static void required_parts_are_there(void **state)
{
    (void)state;
    assert_true(bt_requirement_registry_count > 0);
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        assert_non_null(type->check);
        assert_non_null(type->explain);
        assert_true(type->param_count >= 1); /* the value after '=' */
        assert_null(type->params[0].fallback);
    }
}

static void merging_is_monotone_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 21;
        bt_arena arena = {0};
        for (int round = 0; round < ROUNDS && type->monotone_merging; round++) {
            bt_requirement_instance instance = make_instance(type, &random, &arena);
            bt_class_view a = make_class(&random), b = make_class(&random), both = merge(a, b);
            if (type->check(&instance, &a) && type->check(&instance, &b) &&
                !type->check(&instance, &both))
                fail_msg("'%s' is not monotone under merging", instance.text);
        }
        bt_arena_release(&arena);
    }
}

static void suppression_is_monotone_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 22;
        bt_arena arena = {0};
        for (int round = 0; round < ROUNDS && type->monotone_suppression; round++) {
            bt_requirement_instance instance = make_instance(type, &random, &arena);
            bt_class_view rest = make_class(&random), whole = merge(rest, make_class(&random));
            if (type->check(&instance, &whole) && !type->check(&instance, &rest))
                fail_msg("'%s' is not monotone under suppression", instance.text);
        }
        bt_arena_release(&arena);
    }
}

/* size_only: from some size on the verdict is yes, and bt_requirements_least_size finds it. */
static void size_alone_decides_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 23;
        bt_arena arena = {0};
        for (int round = 0; round < 200 && type->size_only; round++) {
            bt_requirement_instance instance = make_instance(type, &random, &arena);
            bt_requirements one = {.items = &instance, .count = 1, .size_only = true};
            int64_t least = bt_requirements_least_size(&one);
            for (int64_t size = 1; size <= 2 * LARGEST; size++) {
                bt_class_view view = {.size = size};
                assert_int_equal(type->check(&instance, &view), size >= least);
            }
        }
        bt_arena_release(&arena);
    }
}

/* A class that does not satisfy is explained, and the explanation is a hint. */
static void refusals_are_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        uint64_t random = 24;
        bt_arena arena = {0};
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            bauta_error error;
            bt_requirement_instance instance =
                make_instance(bt_requirement_registry[i], &random, &arena);
            bt_requirements one = {.items = &instance, .count = 1};
            bt_class_view view = make_class(&random);
            bool satisfied = bt_requirements_check(&one, &view);
            bauta_status status = bt_requirements_feasible(&one, &view, &error);
            assert_int_equal(status, satisfied ? BAUTA_OK : BAUTA_NO);
            if (satisfied) continue;
            refused++;
            assert_non_null(strstr(error.message, instance.text));
            assert_true(strlen(error.hint) > 0);
        }
        assert_true(refused > 0);
        bt_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required_parts_are_there),
        cmocka_unit_test(merging_is_monotone_where_declared),
        cmocka_unit_test(suppression_is_monotone_where_declared),
        cmocka_unit_test(size_alone_decides_where_declared),
        cmocka_unit_test(refusals_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
