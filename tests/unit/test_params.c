/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed parameters and facts.
 */
#include "support.h"

#include "base/facts.h"
#include "base/params.h"

#include <stdlib.h>
#include <string.h>

static const bt_param params[] = {
    {.name = "order", .type = BT_PARAM_CHOICE, .choices = "widest|gain", .fallback = "gain"},
    {.name = "depth", .type = BT_PARAM_INTEGER, .minimum = "1", .maximum = "9", .fallback = "3"},
    {.name = "share", .type = BT_PARAM_RATIONAL, .minimum = "0", .maximum = "1", .fallback = "5%"},
    {.name = "file", .type = BT_PARAM_TEXT, .fallback = ""},
    {.name = "most",
     .type = BT_PARAM_INTEGER,
     .minimum = "2",
     .maximum = "9",
     .choices = "all|none",
     .fallback = "all"},
};
enum { COUNT = sizeof params / sizeof *params };

static bauta_status parse(const char *text, bt_arena *arena, bt_value **values, bauta_error *error)
{
    return bt_params_parse(params, COUNT, "method", text, arena, values, error);
}

static void defaults_fill_what_is_not_given(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *values;
    assert_ok(parse(NULL, &arena, &values, &error), &error);
    assert_int_equal(values[0].integer, 1);
    assert_string_equal(values[0].text, "gain");
    assert_int_equal(values[1].integer, 3);
    assert_int_equal(values[2].rational.bottom, 20);
    assert_string_equal(values[3].text, "");
    assert_ok(parse("", &arena, &values, &error), &error);
    assert_int_equal(values[1].integer, 3);
    bt_arena_release(&arena);
}

static void given_values_are_typed(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *values;
    assert_ok(parse("share=1/3, order=widest ,file=a\\,b=c,depth=9", &arena, &values, &error),
              &error);
    assert_int_equal(values[0].integer, 0);
    assert_int_equal(values[1].integer, 9);
    assert_int_equal(values[1].rational.top, 9);
    assert_int_equal(values[2].rational.top, 1);
    assert_int_equal(values[2].rational.bottom, 3);
    assert_string_equal(values[3].text, "a,b=c");
    bt_arena_release(&arena);
}

static void words_stand_for_numbers(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *values;
    static const struct {
        const char *text;
        int64_t number;
    } good[] = {{"", 0}, {"most=all", 0}, {"most=none", 1}, {"most=2", 2}, {"most=9", 9}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_ok(parse(good[i].text, &arena, &values, &error), &error);
        assert_int_equal(values[4].integer, good[i].number);
    }
    static const char *const bad[] = {"most=1", "most=0", "most=10", "most=some", "most="};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(parse(bad[i], &arena, &values, &error), BAUTA_INVALID);
    assert_int_equal(parse("most=some", &arena, &values, &error), BAUTA_INVALID);
    assert_string_equal(error.message, "'most' of 'method' must be a whole number, or all|none");
    bt_arena_release(&arena);
}

static void faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {
        {"depth=0", "'depth' of 'method' must be at least 1", ""},
        {"depth=10", "'depth' of 'method' must be at most 9", ""},
        {"depth=x", "'depth' of 'method' must be a whole number", ""},
        {"depth=1.5", "'depth' of 'method' must be a whole number", ""},
        {"share=-0.1", "'share' of 'method' must be at least 0", ""},
        {"share=101%", "'share' of 'method' must be at most 1", ""},
        {"share=much", "'share' of 'method' must be a number", ""},
        {"order=widst", "'order' of 'method' must be one of widest|gain", "did you mean 'widest'?"},
        {"order=sideways", "must be one of", ""},
        {"ordr=gain", "'method' has no option 'ordr'", "did you mean 'order'?"},
        {"sideways=1", "'method' has no option 'sideways'", ""},
        {"order", "option 'order' of 'method' needs '=value'", ""},
        {"depth=1,depth=2", "option 'depth' of 'method' is given twice", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_arena arena = {0};
        bt_value *values;
        assert_fails(parse(cases[i].text, &arena, &values, &error), BAUTA_INVALID, &error,
                     cases[i].message);
        assert_string_equal(error.hint, cases[i].hint);
        bt_arena_release(&arena);
    }
}

static void missing_and_needless_options(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *values;
    static const bt_param needed[] = {{.name = "l", .type = BT_PARAM_INTEGER}};
    assert_fails(bt_params_parse(needed, 1, "anatomy", "", &arena, &values, &error), BAUTA_INVALID,
                 &error, "'anatomy' needs the option 'l'");
    assert_fails(bt_params_parse(NULL, 0, "whole", "l=3", &arena, &values, &error), BAUTA_INVALID,
                 &error, "'whole' has no option 'l'");
    assert_string_equal(error.hint, "'whole' takes no options");
    static const bt_param broken[] = {{.name = "x", .type = (bt_param_type)99}};
    assert_fails(bt_params_parse(broken, 1, "m", "x=1", &arena, &values, &error), BAUTA_INTERNAL,
                 &error, "has no type");
    bt_arena_release(&arena);
}

/* A list takes what follows without a name; as the first parameter it needs none itself. */
static void lists_take_what_follows(void **state)
{
    (void)state;
    static const bt_param listing[] = {
        {.name = "by", .type = BT_PARAM_TEXT, .fallback = "", .list = true, .help = "columns"},
        {.name = "cap", .type = BT_PARAM_INTEGER, .fallback = "3", .help = "a number"},
        {.name = "more", .type = BT_PARAM_TEXT, .fallback = "m", .list = true, .help = "others"},
    };
    static const struct {
        const char *text, *by, *more;
        int cap;
    } cases[] = {
        {"", "", "m", 3},
        {"age@2,sex", "age@2,sex", "m", 3},
        {"by=age@2,sex,cap=7", "age@2,sex", "m", 7},
        {"a\\,b,c", "a\\,b,c", "m", 3},
        {"more=normal:1,2,by=x=y,z", "x=y,z", "normal:1,2", 3},
    };
    bauta_error error;
    bt_arena arena = {0};
    bt_value *values;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(bt_params_parse(listing, 3, "it", cases[i].text, &arena, &values, &error),
                  &error);
        assert_string_equal(values[0].text, cases[i].by);
        assert_int_equal(values[1].integer, cases[i].cap);
        assert_string_equal(values[2].text, cases[i].more);
    }
    assert_fails(bt_params_parse(listing, 3, "it", "cap=1,age", &arena, &values, &error),
                 BAUTA_INVALID, &error, "option 'age' of 'it' needs '=value'");
    assert_fails(bt_params_parse(listing, 3, "it", "by=a,by=b", &arena, &values, &error),
                 BAUTA_INVALID, &error, "is given twice");
    assert_fails(bt_params_parse(listing, 3, "it", "a,by=b", &arena, &values, &error),
                 BAUTA_INVALID, &error, "is given twice");
    bt_arena_release(&arena);
}

static void facts_make_a_tree(void **state)
{
    (void)state;
    bauta_error error;
    bt_facts facts;
    bt_facts_init(&facts);
    bt_put_int(&facts, facts.root, "rows", INT64_MAX);
    bt_put_real(&facts, facts.root, "ncp", 0.5);
    bt_put_bool(&facts, facts.root, "holds", true);
    bt_put_text(&facts, facts.root, "name", "a\"b");
    bt_put_null(&facts, facts.root, "none");
    bt_put_json(&facts, facts.root, "made", json_integer(4));
    json_t *list = bt_put_array(&facts, facts.root, "list");
    bt_put_int(&facts, list, NULL, 1);
    json_t *inner = bt_put_object(&facts, list, NULL);
    bt_put_text(&facts, inner, "k", "5");
    assert_ok(bt_facts_check(&facts, &error), &error);
    char *text = json_dumps(facts.root, JSON_COMPACT);
    assert_string_equal(text, "{\"rows\":9223372036854775807,\"ncp\":0.5,\"holds\":true,"
                              "\"name\":\"a\\\"b\",\"none\":null,\"made\":4,"
                              "\"list\":[1,{\"k\":\"5\"}]}");
    free(text);
    bt_facts_release(&facts);
    bt_facts_init_array(&facts);
    bt_put_int(&facts, facts.root, NULL, 3);
    assert_int_equal(json_array_size(facts.root), 1);
    bt_facts_release(&facts);
    assert_null(facts.root);
}

static void a_failed_put_is_remembered(void **state)
{
    (void)state;
    bauta_error error;
    bt_facts facts;
    bt_facts_init(&facts);
    bt_put_json(&facts, facts.root, "x", NULL); /* as when jansson has no memory */
    bt_put_int(&facts, facts.root, "y", 1);
    assert_null(bt_put_object(&facts, facts.root, "z"));
    bt_put_int(&facts, NULL, "w", 1);
    assert_fails(bt_facts_check(&facts, &error), BAUTA_SYSTEM, &error, "out of memory");
    bt_facts_release(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_what_is_not_given),
        cmocka_unit_test(given_values_are_typed),
        cmocka_unit_test(words_stand_for_numbers),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(missing_and_needless_options),
        cmocka_unit_test(lists_take_what_follows),
        cmocka_unit_test(facts_make_a_tree),
        cmocka_unit_test(a_failed_put_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
