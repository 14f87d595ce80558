/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole command `anonymize`, from the bytes of its files to an audited release. An input is cut
 * into files: `settings` (lines KEY VALUE), `table.csv`, and those that settings may name: a tree,
 * categories, weights of a target, two public tables. Whatever they are, there is a release that an
 * audit with the original accepts, or an error with words and no release.
 */
#include "files.h"

#include "bauta.h"

#include <stdbool.h>

static const char *const names[] = {"settings",   "table.csv",  "tree.csv",   "categories.csv",
                                    "target.csv", "public.csv", "second.csv", NULL};
enum { NAMED = 2 }; /* from here on settings may name them */

/* Keys that name no place outside the folder. */
static const char *const keys[] = {
    "quasi",        "sensitive",    "identifier", "other",        "drop",     "require",
    "group",        "publish",      "suppress",   "hierarchy",    "missing",  "subject",
    "weight",       "delimiter",    "nodes",      "decimal",      "encoding", "max-level",
    "min-level",    "subject-rows", "public",     "key",          "join",     "on-conflict",
    "categories",   "cut-points",   "levels",     "type",         "joint",    "missing-values",
    "accept-other", "unique-limit", "header",     "keep-mapping",
};
/* Keys that an audit is told, too. */
static const char *const audited[] = {"public", "key", "on-conflict"};

static bool is_among(const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, list[i]) == 0) return true;
    return false;
}

/* A name of a file at the end of a value stands for the one in the folder. */
static void set_line(bauta_recipe *recipe, const char *key, const char *value)
{
    char text[700];
    size_t length = strlen(value);
    bool names_file = false;
    if (strchr(value, '/')) return;
    for (size_t i = NAMED; names[i] && !names_file; i++) {
        size_t tail = strlen(names[i]);
        names_file = length >= tail && strcmp(value + length - tail, names[i]) == 0;
        if (!names_file) continue;
        snprintf(text, sizeof text, "%.*s%s", (int)(length - tail), value, fuzz_path(names[i]));
        value = text;
    }
    if (strcmp(key, "public") == 0 && !names_file) return;
    (void)!bauta_recipe_set(recipe, key, value, NULL);
}

static void set_all(bauta_recipe *recipe, const char *const *list, size_t count)
{
    char line[512];
    FILE *file = fopen(fuzz_path("settings"), "rb");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *value = strchr(line, ' ');
        if (!value) continue;
        *value++ = '\0';
        if (is_among(line, list, count)) set_line(recipe, line, value);
    }
    if (file) fclose(file);
}

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    fuzz_check(bauta_recipe_set(recipe, key, value, NULL) == BAUTA_OK, key);
}

static bauta_recipe *make_recipe(void)
{
    bauta_recipe *recipe;
    fuzz_check(bauta_recipe_new(&recipe, NULL) == BAUTA_OK, "memory");
    set(recipe, "input", fuzz_path("table.csv"));
    set(recipe, "threads", "1");
    set(recipe, "tmp", fuzz_folder);
    return recipe;
}

static void check_release(void)
{
    bauta_error error;
    bauta_recipe *original = make_recipe();
    set_all(original, audited, sizeof audited / sizeof *audited);
    bauta_status status = bauta_audit(fuzz_path("out/publish"), original, NULL, &error);
    /* How the table is to be read may be among the settings, which an audit is not told. */
    if (status != BAUTA_OK && status != BAUTA_INVALID) fprintf(stderr, "%s\n", error.message);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "the audit says no");
    fuzz_check(bauta_audit(fuzz_path("out/publish"), NULL, NULL, NULL) == BAUTA_OK,
               "the audit says no");
    bauta_recipe_free(original);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bauta_error error = {0};
    fuzz_fresh_folder();
    fuzz_write_files(data, size, names);
    if (access(fuzz_path("table.csv"), R_OK) != 0) return 0;
    bauta_recipe *recipe = make_recipe();
    set_all(recipe, keys, sizeof keys / sizeof *keys);
    bauta_status status = bauta_anonymize(recipe, fuzz_path("out"), NULL, &error);
    bauta_recipe_free(recipe);
    bool absent = status == BAUTA_SYSTEM && strstr(error.message, "cannot open"); /* a file */
    if (status >= BAUTA_SYSTEM && !absent) fprintf(stderr, "%s\n", error.message);
    fuzz_check(status < BAUTA_SYSTEM || absent, "fails oddly");
    if (status == BAUTA_OK) {
        check_release();
    } else {
        fuzz_check(error.message[0], "fails without a word");
        fuzz_check(access(fuzz_path("out/publish"), F_OK) != 0, "a release after a failure");
    }
    return 0;
}
