/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole jobs of tests: from settings to a release in a folder of its own, and what is in it.
 */
#ifndef BT_TEST_JOBS_H
#define BT_TEST_JOBS_H

#include "scratch.h"

#include "base/memory.h"

#include <bauta.h>
#include <jansson.h>

/* ---- jobs ---- */

typedef struct setting {
    const char *key, *value;
} setting;

enum { SETTINGS_MOST = 16 };

static char out[256], publish[300], seed_file[256];

static inline int job_prepare(void **state)
{
    if (scratch_make(state) != 0) return -1;
    char bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + 1);
    snprintf(seed_file, sizeof seed_file, "%s", scratch_write("seed", bytes, sizeof bytes));
    return 0;
}

static inline void use_folder(const char *name)
{
    snprintf(out, sizeof out, "%s/%s", scratch_path, name);
    snprintf(publish, sizeof publish, "%s/publish", out);
}

static inline int use_new_folder(void **state)
{
    static int number;
    char name[32];
    (void)state;
    snprintf(name, sizeof name, "out%d", ++number);
    use_folder(name);
    return 0;
}

static inline void set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static inline void set_all(bauta_recipe *recipe, const setting *settings)
{
    for (size_t i = 0; i < SETTINGS_MOST && settings[i].key; i++)
        set(recipe, settings[i].key, settings[i].value);
}

/* Tables of tests are so small that hardly any value is not rare: what may be published of them as
 * it is, a test says that is about it. */
static inline bauta_recipe *make_recipe(const char *input, const setting *settings)
{
    bauta_recipe *recipe;
    bauta_error error;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    if (input) assert_ok(bauta_recipe_set(recipe, "input", input, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "tmp", scratch_path, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "unique-limit", "1", &error), &error);
    set_all(recipe, settings);
    return recipe;
}

/* The facts of a report, which is freed. */
static inline json_t *take_facts(bauta_report *report)
{
    char *text;
    bauta_error error;
    assert_ok(bauta_report_json(report, &text, &error), &error);
    json_t *facts = json_loads(text, 0, NULL);
    assert_non_null(facts);
    bauta_text_free(text);
    bauta_report_free(report);
    return facts;
}

static inline bauta_status run(const char *input, const setting *settings, json_t **facts,
                               bauta_error *error)
{
    bauta_recipe *recipe = make_recipe(input, settings);
    bauta_report *report = NULL;
    bauta_status status = bauta_anonymize(recipe, out, facts ? &report : NULL, error);
    if (facts) *facts = status == BAUTA_OK ? take_facts(report) : NULL;
    bauta_recipe_free(recipe);
    return status;
}

#define SETTINGS(...) ((const setting[SETTINGS_MOST]){{"seed-file", seed_file}, __VA_ARGS__})

/* Anonymizes into a folder of its own, audits with the original, and gives the facts. */
static inline json_t *anonymize(const char *input, const setting *settings)
{
    bauta_error error;
    json_t *facts;
    assert_ok(run(input, settings, &facts, &error), &error);
    bauta_recipe *recipe = make_recipe(input, settings);
    assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
    bauta_recipe_free(recipe);
    return facts;
}

static inline void assert_nothing_there(void)
{
    assert_int_not_equal(access(out, F_OK), 0);
}

#define assert_refused(input, settings, status, error, text)                                       \
    do {                                                                                           \
        assert_fails(run((input), (settings), NULL, (error)), (status), (error), (text));          \
        assert_nothing_there();                                                                    \
    } while (0)

/* ---- files ---- */

static inline void read_file(const char *folder, const char *name, bt_buffer *text)
{
    char path[1024];
    bauta_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("there is no %s", path);
    text->length = 0;
    for (size_t got = 1; got > 0; text->length += got) {
        assert_ok(bt_buffer_reserve(text, 65536, &error), &error);
        got = fread(text->bytes + text->length, 1, 65535, file);
    }
    text->bytes[text->length] = '\0';
    fclose(file);
}

static inline json_t *load_json(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *root = json_load_file(path, 0, NULL);
    if (!root) fail_msg("%s is no JSON", path);
    return root;
}

static inline int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text, cut in place; records without line ends inside, so lines are records. */
static inline char **split_lines(bt_buffer *text, size_t *count)
{
    char **lines = bt_array(text->length + 1, sizeof *lines), *rest = text->bytes;
    *count = 0;
    for (char *end; (end = strchr(rest, '\n')); rest = end + 1) {
        *end = '\0';
        lines[(*count)++] = rest;
    }
    assert_string_equal(rest, "");
    return lines;
}

/* data.csv is the header and then, in some order, these rows, which are given sorted. */
static inline void assert_published(const char *header, const char *const *rows, size_t count)
{
    bt_buffer text = {0};
    size_t found;
    read_file(publish, "data.csv", &text);
    char **lines = split_lines(&text, &found);
    assert_int_equal(found, count + 1);
    assert_string_equal(lines[0], header);
    qsort(lines + 1, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(lines[i + 1], rows[i]);
    free(lines);
    bt_buffer_release(&text);
}

#define assert_rows(header, ...)                                                                   \
    do {                                                                                           \
        const char *const rows_[] = {__VA_ARGS__};                                                 \
        assert_published((header), rows_, sizeof rows_ / sizeof *rows_);                           \
    } while (0)

static inline int64_t whole(const json_t *facts, const char *key)
{
    const json_t *value = json_object_get(facts, key);
    if (!json_is_integer(value)) fail_msg("no whole number '%s'", key);
    return json_integer_value(value);
}

static inline double real(const json_t *facts, const char *key)
{
    const json_t *value = json_object_get(facts, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static inline const char *two_rows(void)
{
    return scratch_text("two.csv", "age,id,visits,s\n20,x1,1,a\n30,x2,1,b\n");
}

/* ---- a table of some size: id, age, zip, city, visits, disease ---- */

static const char census_header[] = "id,age,zip,city,visits,disease\n";

/* Writes records `from` to `to`-1 into a file. */
static inline const char *make_census(const char *name, uint64_t seed, int from, int to,
                                      bt_buffer *text)
{
    bauta_error error;
    text->length = 0;
    assert_ok(bt_buffer_print(text, &error, "%s", census_header), &error);
    for (int i = from; i < to; i++) {
        unsigned city = (unsigned)test_below(&seed, 40);
        assert_ok(bt_buffer_print(text, &error, "person number %d,%d,%05d,%s%u,%d.%d0,\"d, %d\"\n",
                                  i, (int)test_below(&seed, 90), (int)test_below(&seed, 300) * 7,
                                  city % 7 ? "city of " : "{*|", city, (int)test_below(&seed, 20),
                                  (int)test_below(&seed, 10), (int)test_below(&seed, 12)),
                  &error);
    }
    return scratch_write(name, text->bytes, text->length);
}

#define CENSUS_ROLES                                                                               \
    {"quasi", "age,zip,city"}, {"sensitive", "disease"}, {"identifier", "id"},                     \
        {"other", "visits"},                                                                       \
    {                                                                                              \
        "hierarchy", "zip=mask"                                                                    \
    }

#endif
