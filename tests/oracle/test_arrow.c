/* SPDX-License-Identifier: Apache-2.0
 *
 * The same table as a CSV file and as Arrow batches, of types and layouts drawn at random: with one
 * recipe and seed every form publishes the same bytes. The text of a value is written by the test
 * itself.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

#include "arrows.h"

#include "recipe/recipe.h"

#include <dirent.h>

enum { COLUMNS = 7, ROWS = 90, TABLES = 12 };

typedef struct kind { /* of a column: Arrow types that can hold the same values */
    const char *formats[8];
    int first, values;
} kind;

/* Ages, dates, words; diseases; amounts, shares, booleans. */
static const kind kinds[COLUMNS] = {
    {{"c", "C", "s", "i", "l", "L", "d:5,0", "g"}, 20, 30},
    {{"tdD", "tdm", "tss:", "tsu:UTC", "tsn:+02:00", "tsn:Africa/Tripoli"}, 10000, 12},
    {{"u", "U", "vu"}, 0, 6},
    {{"u", "U", "vu"}, 6, 5},
    {{"d:9,2", "d:9,2,32", "d:20,2", "d:18,2,64", "g"}, 0, 5},
    {{"g", "f"}, 0, 4},
    {{"b"}, 0, 2},
};
static const char *const names[COLUMNS] = {"age",    "born",  "city",  "disease",
                                           "amount", "share", "smoker"};
static const char *const words[] = {"Oslo",
                                    "R\xc3\xb8ros, north",
                                    "a \"quoted\" name of a town",
                                    "007",
                                    "NA",
                                    "Bergen",
                                    "flu",
                                    "HIV",
                                    "back pain, chronic and long",
                                    "cough",
                                    "gastritis"};

typedef struct table {
    bt_buffer csv;
    arrow_feed *feed;
} table;

static void put_csv(bt_buffer *csv, const char *text)
{
    bauta_error error;
    assert_ok(bt_buffer_add(csv, "\"", 1, &error), &error);
    for (; *text; text++)
        assert_ok(bt_buffer_add(csv, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1, &error),
                  &error);
    assert_ok(bt_buffer_add(csv, "\"", 1, &error), &error);
}

/* One value, as text and as what the column's type has for it. */
static void put_value(arrow_column *to, size_t column, int value, char *text, size_t room)
{
    static const char *const shares[] = {"0.1", "-2.25", "1000000", "0.0000125"};
    static const char *const amounts[] = {"0", "0.5", "12.34", "-7", "1.05"};
    static const int cents[] = {0, 50, 1234, -700, 105};
    const char *format = to->format;
    int number = kinds[column].first + value;
    int64_t day = 86400;
    switch (column) {
    case 0:
        snprintf(text, room, "%d", number);
        if (format[0] == 'g')
            arrow_put_float(to, number);
        else
            arrow_put_number(to, number);
        break;
    case 1:             /* from 1997-05-19 on */
        text[0] = '\0'; /* later ones are missing */
        if (value < 13) snprintf(text, room, "1997-05-%02d", 19 + value);
        if (strcmp(format, "tdD") == 0)
            day = 1;
        else if (strcmp(format, "tdm") == 0)
            day *= 1000;
        else if (format[2] == 'u')
            day *= 1000000;
        else if (format[2] == 'n')
            day *= 1000000000;
        /* In a zone of +02:00 the day begins two hours earlier. */
        arrow_put_number(to, number * day + (format[2] == 'n' ? -day / 12 : day > 1 ? day / 3 : 0));
        break;
    case 2:
    case 3:
        snprintf(text, room, "%s", words[number]);
        arrow_put_text(to, words[number]);
        break;
    case 4:
        snprintf(text, room, "%s", amounts[value]);
        if (format[0] == 'g')
            arrow_put_float(to, cents[value] / 100.0);
        else
            arrow_put_number(to, cents[value]);
        break;
    case 5:
        snprintf(text, room, "%s", shares[value]);
        arrow_put_float(to, strtod(shares[value], NULL));
        break;
    default: snprintf(text, room, "%s", value ? "true" : "false"); arrow_put_number(to, value);
    }
}

typedef struct layout { /* of a table */
    const char *format[COLUMNS];
    const char *codes[COLUMNS]; /* the format of a dictionary's codes; NULL: there is none */
    bool gaps[COLUMNS];
} layout;

/* A column that is held as codes has all its values in the dictionary, in some order. */
static arrow_column begin(const layout *l, size_t column, uint64_t *state, int *code_of)
{
    char text[64];
    if (!l->codes[column]) return arrow_new(names[column], l->format[column]);
    arrow_column made = arrow_new_dictionary(names[column], l->codes[column], l->format[column]);
    int from = (int)test_below(state, (uint64_t)kinds[column].values);
    for (int i = 0; i < kinds[column].values; i++) {
        int value = (from + i) % kinds[column].values;
        code_of[value] = i;
        put_value(made.dictionary, column, value, text, sizeof text);
    }
    return made;
}

/* Fills a batch, and as many lines of the CSV file; the first `skipped` rows are not part of it. */
static void add_batch(table *t, const layout *l, int rows, int skipped, uint64_t *state)
{
    arrow_column columns[COLUMNS];
    int code_of[COLUMNS][40];
    bauta_error error;
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = begin(l, c, state, code_of[c]);
    for (int r = 0; r < rows + skipped; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            char text[64] = "";
            int value = (int)test_below(state, (uint64_t)kinds[c].values);
            if (l->gaps[c] && test_below(state, 8) == 0) {
                arrow_put_null(&columns[c]);
            } else if (l->codes[c]) {
                arrow_column unused = arrow_new("", l->format[c]);
                put_value(&unused, c, value, text, sizeof text);
                arrow_release_column(&unused);
                arrow_put_number(&columns[c], code_of[c][value]);
            } else {
                put_value(&columns[c], c, value, text, sizeof text);
            }
            if (r < skipped) continue;
            put_csv(&t->csv, text);
            assert_ok(bt_buffer_add(&t->csv, c + 1 < COLUMNS ? "," : "\n", 1, &error), &error);
        }
    int before = skipped / 2; /* in the columns' own offset; the rest in that of the batch */
    arrow_feed_add(t->feed, columns, COLUMNS, before, skipped - before);
    for (size_t c = 0; c < COLUMNS; c++)
        arrow_release_column(&columns[c]);
}

static table make_table(uint64_t *state)
{
    table made = {.feed = arrow_feed_new()};
    layout l = {0};
    bauta_error error;
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t formats = 0;
        while (formats < 8 && kinds[c].formats[formats])
            formats++;
        l.format[c] = kinds[c].formats[test_below(state, formats)];
        if (test_below(state, 3) == 0)
            l.codes[c] = (const char *const[]){"c", "S", "i", "L"}[test_below(state, 4)];
        l.gaps[c] = test_below(state, 3) == 0;
        assert_ok(bt_buffer_print(&made.csv, &error, "%s%s", c ? "," : "", names[c]), &error);
    }
    assert_ok(bt_buffer_add(&made.csv, "\n", 1, &error), &error);
    for (int left = ROWS; left > 0;) {
        int rows = 1 + (int)test_below(state, 60);
        if (rows > left || made.feed->count == ARROW_BATCHES - 1) rows = left;
        add_batch(&made, &l, rows, (int)test_below(state, 12), state);
        left -= rows;
    }
    return made;
}

/* ---- releases ---- */

static const setting forms[][SETTINGS_MOST] = {
    {{"publish", "generalized"}, {"group", "mondrian"}, {"require", "k=3"}},
    {{"publish", "generalized"}, {"group", "top-down"}, {"require", "k=3"}},
    {{"publish", "generalized"}, {"group", "mondrian"}, {"require", "k=3"}, {"missing", "drop"}},
    {{"publish", "two-tables"}, {"group", "top-down"}, {"require", "k=3"}},
    {{"publish", "distribution:target=uniform"}, {"group", "whole"}, {"require", "alpha=0.6"}},
    {{"publish", "randomized:p=uniform"}},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* `others`: the role of columns that are neither quasi nor sensitive. */
static bauta_recipe *recipe_for(const setting *form, const char *others)
{
    bauta_recipe *recipe = make_recipe(NULL, form);
    set(recipe, "quasi", "age,born,city");
    set(recipe, "sensitive", "disease");
    set(recipe, others, "amount,share,smoker");
    set(recipe, "accept", "amount,share,smoker");
    set(recipe, "subject", "none");
    set(recipe, "seed-file", seed_file);
    return recipe;
}

/* All files of a folder, with their names; *out is the caller's. */
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

/* The same release in memory, saved to a folder, has the same bytes. */
static void check_memory(bauta_recipe *recipe, const bt_buffer *expected)
{
    static int stores;
    char name[32], place[40];
    bt_buffer saved = {0};
    bauta_store *store;
    bauta_error error;
    snprintf(name, sizeof name, "memory%d", stores++);
    snprintf(place, sizeof place, "store:%s", name);
    assert_ok(bauta_store_memory(&store, &error), &error);
    assert_ok(bauta_recipe_add_store(recipe, name, store, &error), &error);
    assert_ok(bauta_anonymize(recipe, place, NULL, &error), &error);
    use_new_folder(NULL);
    assert_ok(bauta_store_save(store, out, 0, &error), &error);
    read_all(publish, &saved);
    assert_string_equal(saved.bytes, expected->bytes);
    bt_buffer_release(&saved);
    bauta_store_free(store);
}

/* What comes of a recipe: the release, or the message. */
static bauta_status publish_with(bauta_recipe *recipe, bt_buffer *files)
{
    bauta_error error;
    use_new_folder(NULL);
    files->length = 0;
    bauta_status status = bauta_anonymize(recipe, out, NULL, &error);
    if (status == BAUTA_OK) {
        read_all(publish, files);
        check_memory(recipe, files);
    } else
        assert_ok(bt_buffer_print(files, &error, "%s (%s, %lld)", error.message, error.column,
                                  (long long)error.row),
                  &error);
    return status;
}

static void forms_are_the_same(void **state)
{
    (void)state;
    bt_buffer from_csv = {0}, from_arrow = {0};
    bauta_error error;
    int published[FORMS] = {0};
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        uint64_t random = seed * 7919 + 3;
        table t = make_table(&random);
        struct ArrowArrayStream stream = arrow_stream(t.feed);
        bauta_recipe *held = NULL; /* has the stream, and is given one form after the other */
        for (size_t f = 0; f < FORMS; f++) {
            bauta_recipe *recipe = recipe_for(forms[f], "other");
            set(recipe, "input", scratch_write("table.csv", t.csv.bytes, t.csv.length));
            set(recipe, "threads", seed % 2 ? "1" : "3");
            bauta_status expected = publish_with(recipe, &from_csv);
            bauta_recipe_free(recipe);
            published[f] += expected == BAUTA_OK;
            recipe = recipe_for(forms[f], "other");
            if (!held) assert_ok(bauta_recipe_add_stream(recipe, "t", &stream, &error), &error);
            if (held) {
                recipe->streams = held->streams;
                recipe->streams_borrowed = true;
            }
            set(recipe, "input", "arrow:t");
            set(recipe, "threads", seed % 3 ? "2" : "1");
            if (publish_with(recipe, &from_arrow) != expected)
                fail_msg("form %zu: '%s', not '%.80s'", f, from_arrow.bytes, from_csv.bytes);
            assert_string_equal(from_arrow.bytes, from_csv.bytes);
            /* The release is of the stream's records. */
            if (expected == BAUTA_OK) assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
            if (held) {
                recipe->streams = NULL; /* they stay; the store goes */
                recipe->streams_borrowed = false;
                bauta_recipe_free(recipe);
            } else {
                held = recipe;
            }
        }
        bauta_recipe_free(held);
        assert_int_equal(arrow_living, 0);
        bt_buffer_release(&t.csv);
    }
    for (size_t f = 0; f < FORMS; f++)
        if (published[f] == 0) fail_msg("form %zu was never published", f);
    bt_buffer_release(&from_csv);
    bt_buffer_release(&from_arrow);
}

/* Persons of a public table fill classes up, from either kind of table. */
static void public_tables_are_the_same(void **state)
{
    (void)state;
    static const setting joined[SETTINGS_MOST] = {
        {"group", "mondrian"}, {"require", "k=3"}, {"key", "none"}};
    bt_buffer from_csv = {0}, from_arrow = {0};
    bauta_error error;
    int published = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        uint64_t random = seed * 104729 + 11;
        table own = make_table(&random), other = make_table(&random);
        struct ArrowArrayStream streams[] = {arrow_stream(own.feed), arrow_stream(other.feed)};
        bauta_recipe *recipe = recipe_for(joined, "drop");
        set(recipe, "input", scratch_write("own.csv", own.csv.bytes, own.csv.length));
        set(recipe, "public", scratch_write("other.csv", other.csv.bytes, other.csv.length));
        bauta_status expected = publish_with(recipe, &from_csv);
        bauta_recipe_free(recipe);
        published += expected == BAUTA_OK;
        recipe = recipe_for(joined, "drop");
        assert_ok(bauta_recipe_add_stream(recipe, "own", &streams[0], &error), &error);
        assert_ok(bauta_recipe_add_stream(recipe, "other", &streams[1], &error), &error);
        set(recipe, "input", "arrow:own");
        set(recipe, "public", "arrow:other");
        if (publish_with(recipe, &from_arrow) != expected)
            fail_msg("'%s', not '%.80s'", from_arrow.bytes, from_csv.bytes);
        if (expected == BAUTA_OK) assert_string_equal(from_arrow.bytes, from_csv.bytes);
        bauta_recipe_free(recipe);
        assert_int_equal(arrow_living, 0);
        bt_buffer_release(&own.csv);
        bt_buffer_release(&other.csv);
    }
    if (published == 0) fail_msg("%s", from_csv.bytes);
    bt_buffer_release(&from_csv);
    bt_buffer_release(&from_arrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_the_same),
        cmocka_unit_test(public_tables_are_the_same),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
