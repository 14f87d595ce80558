/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks of tests: on a folder, with what the attacker has, and what came of them.
 */
#ifndef BT_TEST_ATTACKS_H
#define BT_TEST_ATTACKS_H

#include "scratch.h"

#include "report/report.h"

#include <bauta.h>

/* "name=value" arguments of bauta_attack; the last is NULL. */
#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The report of attacks; `expected` is whether every promise holds. */
static inline bauta_report *try_attacks(const char *folder, const char *original,
                                        const char *const *arguments, bool expected)
{
    bauta_recipe *recipe;
    bauta_report *report = NULL;
    bauta_error error;
    size_t count = 0;
    while (arguments && arguments[count])
        count++;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", "2", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", original, &error), &error);
    bauta_status status = bauta_attack(folder, recipe, arguments, count, &report, &error);
    bauta_recipe_free(recipe);
    if (!report) fail_msg("%s (%s)", error.message, error.hint);
    if (status != (expected ? BAUTA_OK : BAUTA_NO)) {
        char *text;
        assert_ok(bauta_report_text(report, &text, &error), &error);
        fail_msg("%s", text);
    }
    return report;
}

/* The result of an attack and variant (NULL: any); fails when there is none. */
static inline const json_t *find_result(const bauta_report *report, const char *attack,
                                        const char *variant)
{
    const json_t *list = report->facts.root;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *other = json_string_value(json_object_get(one, "variant"));
        if (strcmp(json_string_value(json_object_get(one, "attack")), attack) == 0 &&
            (!variant || (other && strcmp(other, variant) == 0)))
            return one;
    }
    fail_msg("there is no result of %s, %s", attack, variant ? variant : "");
    return NULL;
}

static inline double rate_of(const json_t *result, const char *key)
{
    const json_t *value = json_object_get(result, key);
    if (!json_is_number(value)) fail_msg("no rate '%s'", key);
    return json_number_value(value);
}

#define assert_rate(result, key, expected)                                                         \
    do {                                                                                           \
        double rate_ = rate_of((result), (key)), expected_ = (expected);                           \
        if (rate_ < expected_ - 1e-9 || rate_ > expected_ + 1e-9)                                  \
            fail_msg("%s is %.12g, not %.12g", (key), rate_, expected_);                           \
    } while (0)

/* 1: holds, 0: broken, -1: nothing is promised. */
static inline int outcome_of(const json_t *result)
{
    const json_t *holds = json_object_get(result, "holds");
    return json_is_null(holds) ? -1 : json_is_true(holds);
}

#endif
