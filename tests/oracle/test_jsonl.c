/* SPDX-License-Identifier: Apache-2.0
 *
 * The same table as a CSV file and as JSON Lines, with members in any order and values written in
 * any way: with one recipe and seed every form publishes the same bytes. And lines that are
 * damaged at random are read as jansson reads them, or refused where it refuses them.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

#include "naive_jsonl.h"

#include <dirent.h>

enum { COLUMNS = 6, ROWS = 90, TABLES = 10 };

static const char *const names[COLUMNS] = {"age",     "born",   "city \"x\"",
                                           "disease", "amount", "smoker"};
/* Of the first, the fifth and the last column JSON has other values than strings. */
static const char *const values[COLUMNS][6] = {
    {"20", "21", "22", "30", "31", "0"},
    {"1997-05-19", "1997-05-20", "1997-06-01", "1998-01-01", "1999-12-31", "1997-05-21"},
    {"Oslo", "R\xc3\xb8ros, north", "a \"quoted\" town", "007", "two\nlines\t", "\xf0\x9f\x98\x80"},
    {"flu", "HIV", "back pain, chronic and long", "cough", "gastritis", "a\\b"},
    {"0", "0.5", "12.34", "-7", "1.05", "1e5"},
    {"true", "false", "true", "false", "true", "false"},
};
static const bool bare[COLUMNS] = {true, false, false, false, true, true};

static void put_csv(bt_buffer *csv, const char *text)
{
    bauta_error error;
    assert_ok(bt_buffer_add(csv, "\"", 1, &error), &error);
    for (; *text; text++)
        assert_ok(bt_buffer_add(csv, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1, &error),
                  &error);
    assert_ok(bt_buffer_add(csv, "\"", 1, &error), &error);
}

/* Escapes what must be, and of what may be some. */
static void put_string(bt_buffer *to, const char *text, uint64_t *random)
{
    bauta_error error;
    assert_ok(bt_buffer_add(to, "\"", 1, &error), &error);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x80 && (c < 0x20 || test_below(random, 5) == 0))
            assert_ok(bt_buffer_print(to, &error, "\\u%04x", c), &error);
        else
            assert_ok(bt_buffer_print(to, &error, "%s%c", c == '"' || c == '\\' ? "\\" : "", c),
                      &error);
    }
    assert_ok(bt_buffer_add(to, "\"", 1, &error), &error);
}

/* One row in both forms; a value below 0 is missing. */
static void put_row(bt_buffer *csv, bt_buffer *lines, const int *row, uint64_t *random)
{
    static const char *const gaps[] = {"", " ", "\t"};
    bauta_error error;
    size_t from = test_below(random, 3) ? 0 : test_below(random, COLUMNS);
    bool any = false;
    assert_ok(bt_buffer_print(lines, &error, "{"), &error);
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t c = (from + i) % COLUMNS;
        if (i > 0) assert_ok(bt_buffer_add(csv, ",", 1, &error), &error);
        if (row[i] >= 0) put_csv(csv, values[i][row[i]]);
        if (row[c] < 0 && test_below(random, 2)) continue;
        assert_ok(
            bt_buffer_print(lines, &error, "%s%s", any ? "," : "", gaps[test_below(random, 3)]),
            &error);
        any = true;
        put_string(lines, names[c], random);
        assert_ok(bt_buffer_print(lines, &error, ":%s", gaps[test_below(random, 3)]), &error);
        if (row[c] < 0)
            assert_ok(bt_buffer_print(lines, &error, "null"), &error);
        else if (bare[c])
            assert_ok(bt_buffer_print(lines, &error, "%s", values[c][row[c]]), &error);
        else
            put_string(lines, values[c][row[c]], random);
    }
    assert_ok(bt_buffer_add(csv, "\n", 1, &error), &error);
    assert_ok(bt_buffer_print(lines, &error, "}%s\n", test_below(random, 9) ? "" : "\r\n"), &error);
}

static void make_table(bt_buffer *csv, bt_buffer *lines, uint64_t *random)
{
    bauta_error error;
    csv->length = lines->length = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        if (c > 0) assert_ok(bt_buffer_add(csv, ",", 1, &error), &error);
        put_csv(csv, names[c]);
    }
    assert_ok(bt_buffer_add(csv, "\n", 1, &error), &error);
    /* The first line has all columns in order, some of them null. */
    assert_ok(bt_buffer_add(lines, "{", 1, &error), &error);
    int row[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++) {
        if (c > 0) {
            assert_ok(bt_buffer_add(lines, ",", 1, &error), &error);
            assert_ok(bt_buffer_add(csv, ",", 1, &error), &error);
        }
        put_csv(csv, bare[c] ? "" : values[c][0]);
        put_string(lines, names[c], random);
        assert_ok(bt_buffer_add(lines, ":", 1, &error), &error);
        if (bare[c])
            assert_ok(bt_buffer_print(lines, &error, "null"), &error);
        else
            put_string(lines, values[c][0], random);
    }
    assert_ok(bt_buffer_add(csv, "\n", 1, &error), &error);
    assert_ok(bt_buffer_add(lines, "}\n", 2, &error), &error);
    for (int i = 0; i < ROWS; i++) {
        for (size_t c = 0; c < COLUMNS; c++)
            row[c] = test_below(random, 12) ? (int)test_below(random, 6) : -1;
        put_row(csv, lines, row, random);
    }
}

/* ---- releases ---- */

static const setting forms[][SETTINGS_MOST] = {
    {{"publish", "generalized"}, {"group", "mondrian"}, {"require", "k=3"}},
    {{"publish", "generalized"}, {"group", "mondrian"}, {"require", "k=3"}, {"missing", "drop"}},
    {{"publish", "two-tables"}, {"group", "top-down"}, {"require", "k=3"}},
    {{"publish", "distribution:target=uniform"}, {"group", "whole"}, {"require", "alpha=0.6"}},
    {{"publish", "randomized:p=uniform"}},
};
enum { FORMS = sizeof forms / sizeof *forms };

static void read_all(const char *folder, bt_buffer *to)
{
    struct dirent **list;
    bt_buffer text = {0};
    bauta_error error;
    int count = scandir(folder, &list, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (list[i]->d_name[0] != '.') {
            read_file(folder, list[i]->d_name, &text);
            assert_ok(bt_buffer_print(to, &error, "== %s\n", list[i]->d_name), &error);
            assert_ok(bt_buffer_add(to, text.bytes, text.length, &error), &error);
        }
        free(list[i]);
    }
    if (count >= 0) free(list);
    assert_ok(bt_buffer_add(to, "", 1, &error), &error);
    bt_buffer_release(&text);
}

/* What comes of a table: the release, or the message. */
static bauta_status publish_table(const char *input, const setting *form, const char *threads,
                                  bt_buffer *files)
{
    bauta_error error;
    bauta_recipe *recipe = make_recipe(input, form);
    set(recipe, "quasi", "age,born,city \"x\"");
    set(recipe, "sensitive", "disease");
    set(recipe, "other", "amount,smoker");
    set(recipe, "accept", "amount,smoker");
    set(recipe, "subject", "none");
    set(recipe, "seed-file", seed_file);
    set(recipe, "threads", threads);
    use_new_folder(NULL);
    files->length = 0;
    bauta_status status = bauta_anonymize(recipe, out, NULL, &error);
    if (status == BAUTA_OK) {
        read_all(publish, files);
        assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
    } else {
        assert_ok(bt_buffer_print(files, &error, "%s (%s, %lld)", error.message, error.column,
                                  (long long)error.row),
                  &error);
    }
    bauta_recipe_free(recipe);
    return status;
}

static void forms_are_the_same(void **state)
{
    (void)state;
    bt_buffer csv = {0}, lines = {0}, from_csv = {0}, from_lines = {0};
    int published[FORMS] = {0};
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        uint64_t random = seed * 7919 + 5;
        make_table(&csv, &lines, &random);
        const char *table = scratch_write("table.csv", csv.bytes, csv.length);
        const char *same = scratch_write("table.jsonl", lines.bytes, lines.length);
        for (size_t f = 0; f < FORMS; f++) {
            bauta_status expected = publish_table(table, forms[f], seed % 2 ? "1" : "3", &from_csv);
            published[f] += expected == BAUTA_OK;
            if (publish_table(same, forms[f], seed % 3 ? "2" : "1", &from_lines) != expected)
                fail_msg("form %zu: '%s', not '%.80s'", f, from_lines.bytes, from_csv.bytes);
            assert_string_equal(from_lines.bytes, from_csv.bytes);
        }
    }
    for (size_t f = 0; f < FORMS; f++)
        if (published[f] == 0) fail_msg("form %zu was never published: %s", f, from_csv.bytes);
    bt_buffer_release(&csv);
    bt_buffer_release(&lines);
    bt_buffer_release(&from_csv);
    bt_buffer_release(&from_lines);
}

/* ---- damaged lines ---- */

/* Changes, takes out or puts in some bytes behind the first two. */
static void damage(bt_buffer *text, uint64_t *random)
{
    static const char likely[] = "{}[]\",:\\/u0019aeEdD-+. \t\r\n\"\"\\tfn\x01\x7f\xc3\xa9\xff";
    for (uint64_t left = test_below(random, 4); left > 0 && text->length > 4; left--) {
        size_t at = 2 + test_below(random, text->length - 3);
        char *here = text->bytes + at;
        switch (test_below(random, 3)) {
        case 0: *here = likely[test_below(random, sizeof likely)]; break;
        case 1:
            memmove(here, here + 1, text->length - at - 1);
            text->length--;
            break;
        default:
            memmove(here + 1, here, text->length - at - 1);
            *here = likely[test_below(random, sizeof likely)];
        }
    }
}

static void damaged_lines_are_read_alike(void **state)
{
    (void)state;
    enum { TRIES = 3000 };
    bt_buffer csv = {0}, lines = {0};
    bt_pool *pools[2];
    bauta_error error;
    int valid = 0;
    assert_ok(bt_pool_new(1, &pools[0], &error), &error);
    assert_ok(bt_pool_new(3, &pools[1], &error), &error);
    uint64_t random = 11;
    for (int i = 0; i < TRIES; i++) {
        if (i % 50 == 0) make_table(&csv, &lines, &random);
        bt_buffer some = {0};
        size_t length = 100 + test_below(&random, 400);
        assert_ok(bt_buffer_add(&some, lines.bytes, length, &error), &error);
        size_t end = length;
        while (end > 0 && some.bytes[end - 1] != '\n')
            end--;
        if (end > 0 && test_below(&random, 4)) some.length = end; /* whole lines */
        damage(&some, &random);
        const char *file = scratch_write("damaged.jsonl", some.bytes, some.length);
        const char *difference = naive_compare_jsonl(
            some.bytes, some.length, file, i % 2 ? 1 + test_below(&random, 90) : 0, pools[i % 2]);
        if (difference) fail_msg("%s: %.*s", difference, (int)some.length, some.bytes);
        naive_table table = naive_read(some.bytes, some.length);
        valid += table.valid;
        json_decref(table.columns);
        json_decref(table.rows);
        bt_buffer_release(&some);
    }
    /* Neither all nor none of them are damaged beyond reading. */
    assert_in_range(valid, TRIES / 10, TRIES * 9 / 10);
    bt_pool_free(pools[0]);
    bt_pool_free(pools[1]);
    bt_buffer_release(&csv);
    bt_buffer_release(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_the_same),
        cmocka_unit_test(damaged_lines_are_read_alike),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
