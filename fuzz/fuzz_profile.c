/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that look at a table before there is a release: `init`, `describe` with the risk,
 * and `hierarchy`. Any bytes are a table; each command says what it finds or refuses it with words,
 * and what `init` writes is a recipe that can be read, and is about this table.
 *
 * The first byte chooses how the table is read and the hierarchy of its first column.
 */
#include "files.h"

#include "bauta.h"

#include <stdbool.h>

static const char *const schemes[] = {"=mask", "=flat", "=balanced:2", "=date", "=intervals:5,10"};

static bauta_recipe *make_recipe(unsigned settings)
{
    static const char *const encodings[] = {"utf-8", "latin-1", "windows-1252"};
    bauta_recipe *recipe;
    const char *const given[][2] = {
        {"input", fuzz_path("table.csv")},
        {"threads", "1"},
        {"tmp", fuzz_folder},
        {"encoding", encodings[settings % 3]},
        {"decimal", settings / 3 % 2 ? "comma" : "point"},
        {"header", settings / 6 % 4 == 3 ? "no" : "yes"},
    };
    fuzz_check(bauta_recipe_new(&recipe, NULL) == BAUTA_OK, "memory");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        fuzz_check(bauta_recipe_set(recipe, given[i][0], given[i][1], NULL) == BAUTA_OK,
                   given[i][0]);
    return recipe;
}

/* The text of a report, which the caller frees; NULL: the command refused. */
static char *text_of(bauta_status status, bauta_report *report, const bauta_error *error)
{
    char *text = NULL, *json;
    if (status >= BAUTA_SYSTEM) fprintf(stderr, "%s\n", error->message);
    fuzz_check(status < BAUTA_SYSTEM, "fails oddly");
    fuzz_check(status == BAUTA_OK || error->message[0], "fails without a word");
    if (!report) return NULL;
    fuzz_check(bauta_report_json(report, &json, NULL) == BAUTA_OK, "no JSON");
    bauta_text_free(json);
    fuzz_check(bauta_report_text(report, &text, NULL) == BAUTA_OK, "no text");
    bauta_report_free(report);
    return text;
}

static void init(unsigned settings)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(settings), *again;
    bauta_status status = bauta_init(recipe, &report, &error);
    char *text = text_of(status, report, &error);
    if (text) {
        fuzz_write("recipe.yaml", text, strlen(text));
        fuzz_check(bauta_recipe_new(&again, NULL) == BAUTA_OK, "memory");
        status = bauta_recipe_load(again, fuzz_path("recipe.yaml"), &error);
        if (status != BAUTA_OK) fprintf(stderr, "%s\n", error.message);
        fuzz_check(status == BAUTA_OK, "a recipe that cannot be read");
        bauta_recipe_free(again);
    }
    bauta_text_free(text);
    bauta_recipe_free(recipe);
}

static void describe(unsigned settings)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(settings);
    fuzz_check(bauta_recipe_set(recipe, "risk", "yes", NULL) == BAUTA_OK, "risk");
    fuzz_check(bauta_recipe_set(recipe, "sampling-fraction", "1/10", NULL) == BAUTA_OK, "fraction");
    bauta_status status = bauta_describe(recipe, &report, &error);
    bauta_text_free(text_of(status, report, &error));
    bauta_recipe_free(recipe);
}

/* The first column is called `a`, or there is none of that name. */
static void show_hierarchy(unsigned settings)
{
    bauta_error error = {0};
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(settings);
    char given[32];
    snprintf(given, sizeof given, "a%s", schemes[settings % 5]);
    fuzz_check(bauta_recipe_set(recipe, "hierarchy", given, NULL) == BAUTA_OK, "hierarchy");
    bauta_status status = bauta_hierarchy(recipe, "a", NULL, &report, &error);
    bauta_text_free(text_of(status, report, &error));
    bauta_recipe_free(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    fuzz_fresh_folder();
    fuzz_write("table.csv", (const char *)data + 1, size - 1);
    init(data[0]);
    describe(data[0]);
    show_hierarchy(data[0]);
    return 0;
}
