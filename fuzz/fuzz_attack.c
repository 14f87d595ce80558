/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that compare a release with its original, from the bytes of their files: `audit`,
 * `attack` and `measure`. An input is cut into files: those of the release in `publish/`, those of
 * another one in `other/`, `original.csv`, `public.csv`, and `arguments` (lines NAME=VALUE).
 * Whatever they are, there is a report whose rates are rates, or an error with words.
 */
#include "files.h"

#include "bauta.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

#define FILES_OF(folder)                                                                           \
    folder "/manifest.json", folder "/data.csv", folder "/quasi.csv", folder "/sensitive.csv",     \
        folder "/bounds.csv", folder "/query.sql", folder "/load.sqlite", folder "/load.psql"

static const char *const names[] = {
    "arguments", "original.csv", "public.csv", FILES_OF("publish"), FILES_OF("other"), NULL,
};

enum { ARGUMENTS = 8, ARGUMENT = 256 };

typedef struct arguments {
    char text[ARGUMENTS][ARGUMENT];
    const char *list[ARGUMENTS];
    size_t count;
} arguments;

static void add_argument(arguments *given, const char *name, const char *value)
{
    char *text = given->text[given->count];
    snprintf(text, ARGUMENT, "%s%s", name, value);
    given->list[given->count++] = text;
}

/* What names no place outside the folder. */
static void read_arguments(arguments *given)
{
    static const char *const known[] = {"know=", "members=", "attack=", "all="};
    char line[ARGUMENT];
    if (access(fuzz_path("public.csv"), F_OK) == 0)
        add_argument(given, "public=", fuzz_path("public.csv"));
    if (access(fuzz_path("other/manifest.json"), F_OK) == 0)
        add_argument(given, "other-release=", fuzz_path("other"));
    FILE *file = fopen(fuzz_path("arguments"), "rb");
    while (file && given->count < ARGUMENTS && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strncmp(line, known[i], strlen(known[i])) == 0) {
                add_argument(given, line, "");
                break;
            }
    }
    if (file) fclose(file);
}

/* The original; a join is compared with its public table, whose key is `name`. */
static bauta_recipe *make_recipe(bool joined)
{
    bauta_recipe *recipe;
    const char *settings[][2] = {
        {"input", fuzz_path("original.csv")}, {"threads", "1"}, {"tmp", fuzz_folder},
        {"public", fuzz_path("public.csv")},  {"key", "name"},
    };
    fuzz_check(bauta_recipe_new(&recipe, NULL) == BAUTA_OK, "memory");
    for (size_t i = 0; i < (joined ? 5 : 3); i++)
        fuzz_check(bauta_recipe_set(recipe, settings[i][0], settings[i][1], NULL) == BAUTA_OK,
                   settings[i][0]);
    return recipe;
}

static void check_status(bauta_status status, const bauta_error *error)
{
    bool absent = status == BAUTA_SYSTEM && strncmp(error->message, "cannot open", 11) == 0;
    if (status >= BAUTA_SYSTEM && !absent) fprintf(stderr, "%s\n", error->message);
    fuzz_check(status < BAUTA_SYSTEM || absent, "fails oddly");
    fuzz_check(status == BAUTA_OK || error->message[0], "fails without a word");
}

/* The facts of a report, which is freed; it can also be shown as text and drawn. */
static json_t *take_facts(bauta_report *report)
{
    char *text;
    fuzz_check(bauta_report_text(report, &text, NULL) == BAUTA_OK, "no text");
    bauta_text_free(text);
    fuzz_check(bauta_report_charts(report, &text, NULL) == BAUTA_OK, "no charts");
    bauta_text_free(text);
    fuzz_check(bauta_report_json(report, &text, NULL) == BAUTA_OK, "no JSON");
    json_t *facts = json_loads(text, JSON_DECODE_ANY, NULL);
    fuzz_check(facts, "not JSON");
    bauta_text_free(text);
    bauta_report_free(report);
    return facts;
}

static void check_rate(const json_t *value, const char *text)
{
    if (!json_is_number(value)) return;
    double rate = json_number_value(value);
    fuzz_check(isfinite(rate) && rate >= 0 && rate <= 1 + 1e-9, text);
}

static void check_results(const json_t *results)
{
    fuzz_check(json_is_array(results), "not a list");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const json_t *interval = json_object_get(result, "interval");
        static const char *const rates[] = {"success", "chance", "worst", "allowed"};
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
            check_rate(json_object_get(result, rates[r]), rates[r]);
        for (size_t end = 0; end < json_array_size(interval); end++)
            check_rate(json_array_get(interval, end), "interval");
        if (json_array_size(interval) == 2)
            fuzz_check(json_number_value(json_array_get(interval, 0)) <=
                           json_number_value(json_array_get(interval, 1)),
                       "not an interval");
        if (json_integer_value(json_object_get(result, "tried")) > 0) continue;
        fuzz_check(!json_is_true(json_object_get(result, "holds")),
                   "holds though nobody was tried");
        fuzz_check(!json_is_number(json_object_get(result, "success")), "a success with nobody");
    }
}

static void audit(bool joined)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(joined);
    bauta_status status = bauta_audit(fuzz_path("publish"), recipe, &report, &error);
    check_status(status, &error);
    if (report) json_decref(take_facts(report));
    bauta_recipe_free(recipe);
}

static void attack(void)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(false);
    arguments given = {.count = 0};
    read_arguments(&given);
    bauta_status status =
        bauta_attack(fuzz_path("publish"), recipe, given.list, given.count, &report, &error);
    check_status(status, &error);
    fuzz_check(status > BAUTA_NO || report, "an answer without a report");
    if (report) {
        json_t *results = take_facts(report);
        check_results(results);
        json_decref(results);
    }
    bauta_recipe_free(recipe);
}

static void measure(void)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(false);
    const char *releases[] = {fuzz_path("publish")};
    fuzz_check(bauta_recipe_set(recipe, "similarity", "yes", NULL) == BAUTA_OK, "similarity");
    bauta_status status = bauta_measure(releases, 1, recipe, &report, &error);
    check_status(status, &error);
    if (report) json_decref(take_facts(report));
    bauta_recipe_free(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_fresh_folder();
    fuzz_check(mkdir(fuzz_path("publish"), 0700) == 0 && mkdir(fuzz_path("other"), 0700) == 0,
               "folders");
    fuzz_write_files(data, size, names);
    if (access(fuzz_path("original.csv"), R_OK) != 0) return 0;
    audit(false);
    if (access(fuzz_path("public.csv"), R_OK) == 0) audit(true);
    attack();
    measure();
    return 0;
}
