/* SPDX-License-Identifier: Apache-2.0
 *
 * People of a made-up town, with every kind of column and hierarchy, for tests that go the whole
 * way: from a random table to a release to answers that must hold the truth.
 */
#ifndef BT_TEST_TOWN_H
#define BT_TEST_TOWN_H

#include "jobs.h"
#include "questions.h"

static const char *const town_zips[] = {"01000", "01001", "01010", "01100",
                                        "02000", "11",    "12",    "0100"};
static const char *const town_cities[] = {"Bonn", "Kiel", "Ulm", "{x|", "a..b"};
static const char *const town_days[] = {"1999-12-31", "2000-01-01", "2000-01-31",
                                        "2000-02-01", "2001-05-05", "2010-10-10"};
static const char *const town_diseases[] = {"flu", "cold", "gout", "hiv"};

#define TOWN_AGE                                                                                   \
    {                                                                                              \
        .name = "age", .least = -3, .most = 25                                                     \
    }
#define TOWN_PAY                                                                                   \
    {                                                                                              \
        .name = "pay", .least = -3, .most = 5                                                      \
    }
#define TOWN_ZIP                                                                                   \
    {                                                                                              \
        .name = "zip", .texts = town_zips, .text_count = 8                                         \
    }
#define TOWN_CITY                                                                                  \
    {                                                                                              \
        .name = "\"ci ty\"", .texts = town_cities, .text_count = 5                                 \
    }
#define TOWN_DAY                                                                                   \
    {                                                                                              \
        .name = "day", .texts = town_days, .text_count = 6                                         \
    }
#define TOWN_DISEASE                                                                               \
    {                                                                                              \
        .name = "disease", .texts = town_diseases, .text_count = 4                                 \
    }

/* Every `missing`-th value is missing; 0: none. */
static inline void town_record(test_value *record, const test_field *fields, size_t count,
                               uint64_t missing, uint64_t *random)
{
    for (size_t f = 0; f < count; f++) {
        record[f] = test_literal(&fields[f], random);
        if (missing && test_below(random, missing) == 0) record[f] = (test_value){.missing = true};
    }
}

/* ---- recipes ---- */

/* What every job of the town has in common. */
static inline bauta_recipe *town_recipe(const char *table, const char *threads)
{
    bauta_recipe *recipe;
    bauta_error error;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", table);
    set(recipe, "quasi", "age,zip,ci ty,day");
    set(recipe, "type", "zip=text");
    set(recipe, "seed-file", seed_file);
    set(recipe, "threads", threads);
    set(recipe, "tmp", scratch_path);
    set(recipe, "unique-limit", "1");
    return recipe;
}

enum { TOWN_QUASI = 4 };
static const char *const town_quasi[TOWN_QUASI] = {"age", "zip", "ci ty", "day"};

/* A hierarchy for a quasi column, derived or of a file. */
static inline void town_hierarchy(bauta_recipe *recipe, size_t column, uint64_t *random)
{
    static const char *const specs[TOWN_QUASI][4] = {
        {"intervals:5,10", "balanced:2", "flat", "mask"},
        {"mask", "balanced:3", "mask", "balanced:2"},
        {"balanced:2", NULL, NULL, "flat"},
        {"date", "intervals:30", "balanced:2", "date"},
    };
    const char *spec = specs[column][test_below(random, 4)];
    char given[300];
    if (!spec) spec = scratch_text("cities.csv", "Bonn;N\nKiel;N\nUlm;S\n{x|;S\na..b;T\n");
    snprintf(given, sizeof given, "%s=%s", town_quasi[column], spec);
    set(recipe, "hierarchy", given);
    /* What masks hide, and dates behind "*" alone, are of a type that only the recipe can name. */
    if (column == 0) set(recipe, "type", "age=integer");
    if (column == 3) set(recipe, "type", "day=date");
}

/* ---- answers ---- */

static inline double town_number(const json_t *answer, const char *key, double none)
{
    const json_t *value = json_object_get(answer, key);
    return json_is_number(value) ? json_number_value(value) : none;
}

/* The answer is about the published records, and nobody knows which were dropped: a count over all
 * may be more than it says by as many as these. Then it is what the answer says at most. */
static inline double town_published(double count, const json_t *answer)
{
    double upper = town_number(answer, "upper", 0);
    double dropped = town_number(json_object_get(answer, "population"), "dropped", 0);
    return count > upper && count <= upper + dropped ? upper : count;
}

/* The interval holds the truth, and the estimate lies in it; over all the space of an `exact`
 * release there is nothing else in it. */
static inline void town_check(const test_question *question, double truth, const json_t *answer,
                              bool exact)
{
    double lower = town_number(answer, "lower", -1e9), upper = town_number(answer, "upper", 1e9);
    if (lower > truth + 1e-9 || upper < truth - 1e-9) test_complain(question, "not contained");
    double estimate = town_number(answer, "estimate", truth);
    if (estimate < lower - 1e-9 || estimate > upper + 1e-9)
        test_complain(question, "the estimate is outside");
    if (exact && question->always && question->star && (lower != truth || upper != truth))
        test_complain(question, "not exact over all the space");
}

/* The answer of a release to a question; the caller frees it. */
static inline json_t *town_ask(bauta_release *release, const test_question *question)
{
    bauta_report *report = NULL;
    bauta_error error;
    if (bauta_release_query(release, question->text.bytes, &report, &error) != BAUTA_OK)
        test_complain(question, error.message);
    return take_facts(report);
}

#endif
