/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole jobs without files: the bytes of a release are the same in a folder, in memory and in a
 * store of the caller's own; everything that reads a release reads it there; its tables come out as
 * Arrow streams; and a store that fails or lies leads to an error and to no release.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "own_store.h"
#include "recipe/recipe.h"
#include "store/store.h"
#include "table/value.h"

#include <pthread.h>
#include <sys/stat.h>

/* ---- a table ---- */

static char table[256];

static void make_table(void)
{
    static const char *const illnesses[] = {"flu", "cold", "hiv", "gout", "asthma"};
    static const char *const cities[] = {"Bern", "Köln", "=Rom", "Wien"};
    uint64_t seed = 7;
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,pay,day,city,visits,note,salary,illness\n"),
              &error);
    for (int i = 0; i < 120; i++) {
        unsigned cents = (unsigned)test_below(&seed, 4);
        assert_ok(bt_buffer_print(&text, &error, "%d,%u.%s,2024-0%u-1%u,%s,%u,%s%d,%u,%s\n",
                                  20 + (int)test_below(&seed, 40), (unsigned)test_below(&seed, 9),
                                  (const char *const[]){"25", "5", "75", "125"}[cents],
                                  1 + (unsigned)test_below(&seed, 3),
                                  (unsigned)test_below(&seed, 3), cities[test_below(&seed, 4)],
                                  (unsigned)test_below(&seed, 3), i % 9 ? "n" : "-", i % 60,
                                  10 * (1 + (unsigned)test_below(&seed, 8)),
                                  i % 11 ? illnesses[test_below(&seed, 5)] : ""),
                  &error);
    }
    snprintf(table, sizeof table, "%s", scratch_write("table.csv", text.bytes, text.length));
    bt_buffer_release(&text);
}

static int prepare(void **state)
{
    if (job_prepare(state) != 0) return -1;
    make_table();
    return 0;
}

#define COLUMNS                                                                                    \
    {"quasi", "age,pay,day,city"}, {"other", "visits,note"}, {"hierarchy", "city=mask"},           \
        {"subject", "none"},                                                                       \
    {                                                                                              \
        "accept", "note"                                                                           \
    }

#define GENERALIZED                                                                                \
    SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"}, {"require", "k=4"},            \
             {"keep-mapping", "yes"}, {"threads", "2"})
#define TWO_TABLES                                                                                 \
    SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"}, {"require", "k=4,l=2"},        \
             {"publish", "two-tables"}, {"threads", "2"})
#define DISTRIBUTION                                                                               \
    SETTINGS(COLUMNS, {"sensitive", "salary"}, {"drop", "illness"}, {"require", "alpha=0.9"},      \
             {"publish", "distribution"}, {"group", "whole"})
#define DISTRIBUTION_OF_TEXT                                                                       \
    SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"}, {"require", "alpha=0.9"},      \
             {"publish", "distribution"}, {"group", "whole"}, {"missing", "drop"})
#define RANDOMIZED                                                                                 \
    SETTINGS({"quasi", "age,pay,day,city"}, {"other", "visits,note"}, {"subject", "none"},         \
             {"accept", "note"}, {"sensitive", "illness"}, {"drop", "salary"},                     \
             {"publish", "randomized"})
#define SAFE                                                                                       \
    SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"}, {"require", "k=4"},            \
             {"spreadsheet-safe", "yes"})

/* ---- stores ---- */

typedef struct world { /* a recipe with a store of each kind: memory and own */
    bauta_recipe *recipe;
    bauta_store *memory, *own;
    own_store files;
} world;

static void open_world(world *w, const setting *settings)
{
    bauta_error error;
    *w = (world){.recipe = make_recipe(table, settings)};
    assert_ok(bauta_store_memory(&w->memory, &error), &error);
    assert_ok(bauta_store_own(&own_calls, &w->files, &w->own, &error), &error);
    assert_ok(bauta_recipe_add_store(w->recipe, "memory", w->memory, &error), &error);
    assert_ok(bauta_recipe_add_store(w->recipe, "own", w->own, &error), &error);
}

static void close_world(world *w)
{
    bauta_store_free(w->memory);
    bauta_store_free(w->own);
    assert_int_equal(w->files.frees, !w->recipe); /* the recipe still has it */
    bauta_recipe_free(w->recipe);
    assert_int_equal(w->files.frees, 1);
}

static void publish_everywhere(world *w)
{
    bauta_error error;
    use_new_folder(NULL);
    assert_ok(bauta_anonymize(w->recipe, out, NULL, &error), &error);
    assert_ok(bauta_anonymize(w->recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_anonymize(w->recipe, "store:own", NULL, &error), &error);
}

/* The bytes of a file are those of the folder; those of the summary, with its times, are not. */
static void is_as_in_folder(const char *name, const void *bytes, size_t length)
{
    bt_buffer text = {0};
    read_file(out, name, &text);
    if (strcmp(name, "private/summary.json") != 0) {
        assert_int_equal(length, text.length);
        if (length > 0) assert_memory_equal(bytes, text.bytes, length);
    }
    bt_buffer_release(&text);
}

static size_t count_files(const char *folder)
{
    char command[700];
    unsigned count = 0;
    snprintf(command, sizeof command, "find '%s' -type f | wc -l", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

static void same_bytes_of(const setting *settings)
{
    world w;
    bauta_error error;
    const char *name, *before = "";
    size_t count = 0;
    open_world(&w, settings);
    publish_everywhere(&w);
    for (; (name = bauta_store_file(w.memory, count)); count++, before = name) {
        const void *bytes;
        size_t length;
        assert_true(strcmp(before, name) < 0);
        assert_ok(bauta_store_bytes(w.memory, name, &bytes, &length, &error), &error);
        is_as_in_folder(name, bytes, length);
    }
    assert_int_equal(count, count_files(out));
    assert_int_equal(w.files.shelves[0].count, count);
    for (size_t i = 0; i < count; i++)
        is_as_in_folder(w.files.shelves[0].files[i].name, w.files.shelves[0].files[i].bytes,
                        (size_t)w.files.shelves[0].files[i].length);
    assert_int_equal(w.files.commits, 1);
    assert_int_equal(w.files.cancels, 0);
    close_world(&w);
}

static void same_bytes(void **state)
{
    (void)state;
    same_bytes_of(GENERALIZED);
    same_bytes_of(TWO_TABLES);
    same_bytes_of(DISTRIBUTION);
    same_bytes_of(DISTRIBUTION_OF_TEXT);
    same_bytes_of(RANDOMIZED);
    same_bytes_of(SAFE);
}

/* ---- saving ---- */

static mode_t mode_of(const char *folder, const char *name)
{
    char path[600];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(stat(path, &facts), 0);
    return facts.st_mode & 0777;
}

static void saving(void **state)
{
    (void)state;
    world w;
    bauta_error error;
    char saved[300], command[900];
    open_world(&w, GENERALIZED);
    snprintf(saved, sizeof saved, "%s/saved", scratch_path);
    assert_fails(bauta_store_save(w.memory, saved, 0, &error), BAUTA_USAGE, &error, "no release");
    publish_everywhere(&w);
    assert_fails(bauta_store_save(w.own, saved, 0, &error), BAUTA_USAGE, &error, "no release");
    assert_int_not_equal(access(saved, F_OK), 0);
    assert_ok(bauta_store_save(w.memory, saved, 0, &error), &error);
    snprintf(command, sizeof command, "diff -r -x summary.json '%s' '%s'", out, saved);
    assert_int_equal(system(command), 0);
    assert_int_equal(mode_of(saved, "publish"), 0755);
    assert_int_equal(mode_of(saved, "publish/data.csv"), mode_of(out, "publish/data.csv"));
    assert_int_equal(mode_of(saved, "private"), 0700);
    assert_int_equal(mode_of(saved, "private/summary.json"), 0600);
    assert_int_equal(mode_of(saved, "private/hierarchies/city.csv"), 0600);
    assert_fails(bauta_store_save(w.memory, saved, 0, &error), BAUTA_USAGE, &error, "exists");
    assert_ok(bauta_store_save(w.memory, saved, 1, &error), &error);
    snprintf(publish, sizeof publish, "%.200s/publish", saved);
    assert_ok(bauta_audit(publish, w.recipe, NULL, &error), &error);
    close_world(&w);
}

/* ---- reading ---- */

static json_t *without_names(bauta_report *report)
{
    json_t *facts = take_facts(report), *first = json_array_get(facts, 0);
    json_object_del(facts, "publish");
    json_object_del(facts, "folder");
    json_object_del(first ? first : facts, "release");
    return facts;
}

typedef bauta_report *(*command)(const world *w, const char *release);

static bauta_report *audit_it(const world *w, const char *release)
{
    bauta_error error;
    bauta_report *report;
    assert_ok(bauta_audit(release, w->recipe, &report, &error), &error);
    return report;
}

static bauta_report *query_it(const world *w, const char *release)
{
    static const char *const queries[] = {"SELECT COUNT(*) WHERE age < 40",
                                          "SELECT COUNT(*) WHERE illness = 'flu'"};
    bauta_error error;
    bauta_report *report;
    assert_ok(bauta_query(release, queries, 2, w->recipe, &report, &error), &error);
    return report;
}

static bauta_report *measure_it(const world *w, const char *release)
{
    bauta_error error;
    bauta_report *report;
    assert_ok(bauta_measure(&release, 1, w->recipe, &report, &error), &error);
    return report;
}

static bauta_report *attack_it(const world *w, const char *release)
{
    char other[400];
    const char *arguments[] = {"know=age,city", "all=yes", other};
    bauta_error error;
    bauta_report *report;
    snprintf(other, sizeof other, "other-release=%s", release);
    bauta_status status = bauta_attack(release, w->recipe, arguments, 3, &report, &error);
    if (status != BAUTA_NO) assert_ok(status, &error);
    return report;
}

static void same_answers(const world *w, command ask)
{
    json_t *folder = without_names(ask(w, publish));
    json_t *memory = without_names(ask(w, "store:memory"));
    json_t *own = without_names(ask(w, "store:own"));
    if (!json_equal(folder, memory) || !json_equal(folder, own))
        fail_msg("%s\n%s", json_dumps(folder, 0), json_dumps(memory, 0));
    json_decref(folder);
    json_decref(memory);
    json_decref(own);
}

static void reading(void **state)
{
    (void)state;
    world w;
    open_world(&w, GENERALIZED);
    publish_everywhere(&w);
    w.files.at_a_time = 1000;
    same_answers(&w, audit_it);
    same_answers(&w, query_it);
    same_answers(&w, measure_it);
    same_answers(&w, attack_it);
    close_world(&w);
}

/* An earlier release is found wherever it is, also in the store that is written to. */
static void earlier_releases(void **state)
{
    (void)state;
    bauta_error error;
    static const char *const earlier[] = {"store:memory", "store:own"};
    for (size_t i = 0; i < 2; i++) {
        world w, later;
        bauta_report *report;
        open_world(&w, GENERALIZED);
        publish_everywhere(&w);
        open_world(&later, GENERALIZED);
        assert_ok(bauta_recipe_add_store(later.recipe, "before", i == 0 ? w.memory : w.own, &error),
                  &error);
        set(later.recipe, "previous", "store:before");
        assert_ok(bauta_anonymize(later.recipe, "store:memory", &report, &error), &error);
        json_t *facts = take_facts(report);
        assert_non_null(json_object_get(facts, "previous"));
        json_decref(facts);
        /* The one who is given up is still there for others. */
        assert_ok(bauta_audit("store:before", later.recipe, NULL, &error), &error);
        set(w.recipe, "previous", earlier[i]);
        set(w.recipe, "force", "yes");
        assert_ok(bauta_anonymize(w.recipe, earlier[i], &report, &error), &error);
        facts = take_facts(report);
        assert_non_null(json_object_get(facts, "previous"));
        json_decref(facts);
        assert_ok(bauta_audit(earlier[i], w.recipe, NULL, &error), &error);
        bauta_recipe_free(later.recipe); /* which holds a store of the other one */
        later.recipe = NULL;
        close_world(&w);
        close_world(&later);
    }
}

static void in_the_way(void **state)
{
    (void)state;
    bauta_error error;
    static const char *const names[] = {"store:memory", "store:own"};
    world w;
    open_world(&w, GENERALIZED);
    for (size_t i = 0; i < 2; i++)
        assert_fails(bauta_audit(names[i], w.recipe, NULL, &error), BAUTA_INVALID, &error,
                     "the store is not a release");
    publish_everywhere(&w);
    for (size_t i = 0; i < 2; i++)
        assert_fails(bauta_anonymize(w.recipe, names[i], NULL, &error), BAUTA_USAGE, &error,
                     "holds a release");
    set(w.recipe, "force", "yes");
    for (size_t i = 0; i < 2; i++) {
        assert_ok(bauta_anonymize(w.recipe, names[i], NULL, &error), &error);
        assert_ok(bauta_audit(names[i], w.recipe, NULL, &error), &error);
    }
    assert_fails(bauta_anonymize(w.recipe, "store:nowhere", NULL, &error), BAUTA_USAGE, &error,
                 "the recipe has no store of the name 'store:nowhere'");
    assert_int_not_equal(access("store:nowhere", F_OK), 0);
    close_world(&w);
}

/* A job that fails leaves nothing, whatever it was. */
static void nothing_is_left(void **state)
{
    (void)state;
    bauta_error error;
    world w;
    open_world(&w, SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"},
                            {"require", "k=4,alpha=0.001"}));
    assert_int_equal(bauta_anonymize(w.recipe, "store:memory", NULL, &error), BAUTA_NO);
    assert_int_equal(bauta_anonymize(w.recipe, "store:own", NULL, &error), BAUTA_NO);
    assert_null(bauta_store_file(w.memory, 0));
    assert_int_equal(w.files.shelves[0].count + w.files.shelves[1].count, 0);
    close_world(&w);
}

/* ---- troubles ---- */

static void failing_calls(void **state)
{
    (void)state;
    bauta_error error;
    world w;
    int rounds = 0;
    open_world(&w, SETTINGS(COLUMNS, {"sensitive", "illness"}, {"drop", "salary"},
                            {"require", "k=4"}, {"spreadsheet-safe", "yes"}, {"threads", "1"}));
    for (bauta_status status = BAUTA_SYSTEM; status != BAUTA_OK; rounds++) {
        w.files.fail_in = rounds + 1;
        w.files.failed = 0;
        status = bauta_anonymize(w.recipe, "store:own", NULL, &error);
        if (status == BAUTA_OK) break;
        assert_int_equal(status, BAUTA_SYSTEM);
        assert_non_null(strstr(error.message, "'store:own' failed to "));
        assert_non_null(strstr(error.message, "(77)"));
        assert_int_equal(w.files.failed, 1);
        assert_int_equal(w.files.shelves[0].count + w.files.shelves[1].count, 0);
    }
    assert_true(rounds > 20);
    assert_int_equal(w.files.commits, 1);
    for (rounds = 1; rounds < 1000; rounds++) { /* calls that read fail in turn, too */
        w.files.fail_in = rounds;
        bauta_status status = bauta_audit("store:own", w.recipe, NULL, &error);
        if (status == BAUTA_OK) break;
        assert_int_equal(status, BAUTA_SYSTEM);
    }
    assert_in_range(rounds, 5, 999);
    close_world(&w);
}

static void lying_calls(void **state)
{
    (void)state;
    bauta_error error;
    world w;
    open_world(&w, GENERALIZED);
    w.files.at_a_time = 3; /* little at a time is no lie */
    assert_ok(bauta_anonymize(w.recipe, "store:own", NULL, &error), &error);
    set(w.recipe, "force", "yes");
    w.files.fail_commits = true;
    assert_fails(bauta_anonymize(w.recipe, "store:own", NULL, &error), BAUTA_SYSTEM, &error,
                 "failed to commit");
    assert_int_equal(w.files.cancels, 1);
    w.files.fail_commits = false;
    assert_ok(bauta_audit("store:own", w.recipe, NULL, &error), &error); /* the old one is there */
    w.files.too_long = 5;
    assert_fails(bauta_audit("store:own", w.recipe, NULL, &error), BAUTA_SYSTEM, &error,
                 "gave fewer bytes of 'publish/");
    w.files.too_long = INT64_MAX / 2;
    assert_int_not_equal(bauta_audit("store:own", w.recipe, NULL, &error), BAUTA_OK);
    w.files.too_long = -1;
    assert_int_not_equal(bauta_audit("store:own", w.recipe, NULL, &error), BAUTA_OK);
    w.files.too_long = 0;
    w.files.too_much = true;
    w.files.at_a_time = 0;
    assert_fails(bauta_audit("store:own", w.recipe, NULL, &error), BAUTA_SYSTEM, &error,
                 "gave more bytes of 'publish/");
    w.files.too_much = false;
    /* One byte is another one. */
    for (int i = 0; i < w.files.shelves[0].count; i++)
        if (strcmp(w.files.shelves[0].files[i].name, "publish/data.csv") == 0)
            w.files.shelves[0].files[i].bytes[40] ^= 1;
    assert_int_not_equal(bauta_audit("store:own", w.recipe, NULL, &error), BAUTA_OK);
    close_world(&w);
}

/* The audit of a release in memory looks at every text and code of the tables that are held. */
static void held_tables(void **state)
{
    (void)state;
    world w;
    bauta_error error;
    bt_store store;
    open_world(&w, GENERALIZED);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    const bt_run run = {.stores = w.recipe->stores};
    assert_ok(bt_store_open("store:memory", &run, &store, &error), &error);
    assert_null(bt_store_held(&store, "manifest.json"));
    assert_null(bt_store_held(&store, "quasi.csv"));
    const bt_coded_table *held = bt_store_held(&store, "data.csv");
    assert_non_null(held);
    assert_int_equal(held->column_count, 7);
    char *text = (char *)(uintptr_t)held->columns[0].dictionary.texts[0].bytes;
    *text ^= 64; /* no digit and no bracket any more */
    assert_int_not_equal(bauta_audit("store:memory", w.recipe, NULL, &error), BAUTA_OK);
    *text ^= 64;
    assert_ok(bauta_audit("store:memory", w.recipe, NULL, &error), &error);
    /* One row of the first class is moved into another. */
    uint8_t *codes = held->parts[0].cells[0].codes;
    assert_int_equal(held->parts[0].cells[0].width, 1);
    uint8_t before = codes[0];
    codes[0] = before == 0 ? 1 : 0;
    assert_int_not_equal(bauta_audit("store:memory", w.recipe, NULL, &error), BAUTA_OK);
    codes[0] = before;
    assert_ok(bauta_audit("store:memory", w.recipe, NULL, &error), &error);
    bt_store_close(&store);
    close_world(&w);
}

static void calls_that_are_missing(void **state)
{
    (void)state;
    bauta_error error;
    own_store files = {0};
    bauta_store *store;
    bauta_store_calls calls = own_calls;
    calls.size = sizeof calls - 1;
    assert_fails(bauta_store_own(&calls, &files, &store, &error), BAUTA_USAGE, &error,
                 "bytes, not");
    calls = own_calls;
    calls.read = NULL;
    assert_fails(bauta_store_own(&calls, &files, &store, &error), BAUTA_USAGE, &error, "needs all");
    assert_null(store);
    assert_fails(bauta_store_own(NULL, &files, &store, &error), BAUTA_USAGE, &error, "are needed");
    assert_int_equal(files.frees, 0);
    calls = own_calls;
    calls.rename = NULL;
    calls.free = NULL;
    assert_ok(bauta_store_own(&calls, &files, &store, &error), &error);
    bauta_recipe *recipe = make_recipe(table, SAFE);
    assert_ok(bauta_recipe_add_store(recipe, "own", store, &error), &error);
    assert_fails(bauta_anonymize(recipe, "store:own", NULL, &error), BAUTA_USAGE, &error,
                 "cannot rename files");
    bauta_recipe_free(recipe);
    bauta_store_free(store);
    bauta_store_free(NULL);
    own_free(&files);
}

/* ---- tables ---- */

/* What a value of an Arrow array is as text: as in the file. */
static void spell(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t row,
                  char *to, size_t room)
{
    const uint8_t *valid = array->buffers[0];
    const char *format = schema->format;
    to[0] = '\0';
    if (valid && !(valid[row / 8] >> row % 8 & 1)) return;
    if (schema->dictionary) {
        spell(schema->dictionary, array->dictionary, ((const int32_t *)array->buffers[1])[row], to,
              room);
    } else if (strcmp(format, "u") == 0) {
        const int32_t *offsets = array->buffers[1];
        snprintf(to, room, "%.*s", (int)(offsets[row + 1] - offsets[row]),
                 (const char *)array->buffers[2] + offsets[row]);
    } else if (strcmp(format, "l") == 0) {
        snprintf(to, room, "%lld", (long long)((const int64_t *)array->buffers[1])[row]);
    } else if (strcmp(format, "tdD") == 0) {
        bt_number_print(BT_DATE, 0, ((const int32_t *)array->buffers[1])[row], to);
        to[10] = '\0';
    } else {
        int scale;
        const int64_t *halves = (const int64_t *)array->buffers[1] + 2 * row;
        assert_int_equal(sscanf(format, "d:19,%d", &scale), 1);
        assert_int_equal(halves[1], halves[0] < 0 ? -1 : 0);
        to[bt_number_print(BT_DECIMAL, scale, halves[0], to)] = '\0';
    }
}

/* A dictionary holds what occurs, each once, in the order of first rows. */
static void check_dictionary(const struct ArrowArray *array)
{
    int32_t next = 0;
    const uint8_t *valid = array->buffers[0];
    for (int64_t row = 0; row < array->length; row++) {
        int32_t code = ((const int32_t *)array->buffers[1])[row];
        if (valid && !(valid[row / 8] >> row % 8 & 1)) continue;
        assert_in_range(code, 0, next);
        next += code == next;
    }
    assert_int_equal(array->dictionary->length, next);
}

static void check_schema(const struct ArrowSchema *schema, const char *formats)
{
    char all[200] = "";
    assert_string_equal(schema->format, "+s");
    assert_null(schema->metadata);
    for (int64_t i = 0; i < schema->n_children; i++) {
        const struct ArrowSchema *child = schema->children[i];
        assert_null(child->metadata);
        assert_int_equal(child->flags, ARROW_FLAG_NULLABLE);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s:%s", i ? " " : "", child->name,
                 child->dictionary ? child->dictionary->format : child->format);
    }
    assert_string_equal(all, formats);
}

/* The stream holds the table as the file has it; columns that were added to it are left out. */
static void compare_table(struct ArrowArrayStream *stream, const char *csv, size_t length,
                          const char *formats)
{
    struct ArrowSchema schema;
    struct ArrowArray batch, end;
    bauta_error error;
    bt_buffer text = {0};
    size_t lines;
    assert_int_equal(stream->get_schema(stream, &schema), 0);
    assert_int_equal(stream->get_next(stream, &batch), 0);
    assert_int_equal(stream->get_next(stream, &end), 0);
    assert_null(end.release);
    assert_null(stream->get_last_error(stream));
    stream->release(stream);
    check_schema(&schema, formats);
    assert_ok(bt_buffer_add(&text, csv, length, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    char **line = split_lines(&text, &lines);
    assert_int_equal(batch.length, lines - 1);
    for (int64_t i = 0; i < batch.n_children; i++)
        if (batch.children[i]->dictionary) check_dictionary(batch.children[i]);
    for (int64_t row = -1; row < batch.length; row++) {
        char made[500] = "", value[100];
        for (int64_t i = 0; i < batch.n_children; i++) {
            if (row >= 0)
                spell(schema.children[i], batch.children[i], row, value, sizeof value);
            else
                snprintf(value, sizeof value, "%s", schema.children[i]->name);
            bool quoted = strchr(value, ',') != NULL;
            snprintf(made + strlen(made), sizeof made - strlen(made), "%s%s%s%s", i ? "," : "",
                     quoted ? "\"" : "", value, quoted ? "\"" : "");
        }
        assert_string_equal(made, line[row + 1]);
    }
    free(line);
    bt_buffer_release(&text);
    schema.release(&schema);
    batch.release(&batch);
}

static void check_tables(const setting *settings, const char *const expected[][2])
{
    world w;
    bauta_error error;
    bauta_release *release;
    size_t count = 0;
    open_world(&w, settings);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_release_open("store:memory", w.recipe, &release, &error), &error);
    for (; expected[count][0]; count++) {
        struct ArrowArrayStream stream;
        char file[64];
        const void *bytes;
        size_t length;
        assert_string_equal(bauta_release_table_name(release, count), expected[count][0]);
        snprintf(file, sizeof file, "publish/%s.csv", expected[count][0]);
        assert_ok(bauta_store_bytes(w.memory, file, &bytes, &length, &error), &error);
        assert_ok(bauta_release_table(release, expected[count][0], 0, &stream, &error), &error);
        compare_table(&stream, bytes, length, expected[count][1]);
    }
    assert_null(bauta_release_table_name(release, count));
    bauta_release_free(release);
    close_world(&w);
}

static void tables(void **state)
{
    (void)state;
    check_tables(GENERALIZED, (const char *const[][2]){{"data", "age:u pay:u day:u city:u visits:l "
                                                                "note:u illness:u"},
                                                       {NULL, NULL}});
    check_tables(TWO_TABLES,
                 (const char *const[][2]){
                     {"quasi", "age:l pay:d:19,3 day:tdD city:u visits:l note:u class:l"},
                     {"sensitive", "class:l illness:u"},
                     {NULL, NULL}});
    check_tables(DISTRIBUTION,
                 (const char *const[][2]){
                     {"quasi", "age:l pay:d:19,3 day:tdD city:u visits:l note:u group:l"},
                     {"sensitive", "group:l low:l high:l"},
                     {"bounds", "group:l selected:l until:l sum_low:l sum_high:l min_low:l "
                                "min_high:l max_low:l max_high:l"},
                     {NULL, NULL}});
    check_tables(DISTRIBUTION_OF_TEXT,
                 (const char *const[][2]){
                     {"quasi", "age:l pay:d:19,3 day:tdD city:u visits:l note:u group:l"},
                     {"sensitive", "group:l illness:u"},
                     {NULL, NULL}});
    check_tables(RANDOMIZED, (const char *const[][2]){{"data", "age:l pay:d:19,3 day:tdD city:u "
                                                               "visits:l note:u illness:u"},
                                                      {NULL, NULL}});
}

/* The ends of cells are those that stand in them. */
static void ranges(void **state)
{
    (void)state;
    world w;
    bauta_error error;
    bauta_release *release;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    open_world(&w, GENERALIZED);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_release_open("store:memory", w.recipe, &release, &error), &error);
    assert_ok(bauta_release_table(release, "data", BAUTA_TABLE_RANGES, &stream, &error), &error);
    bauta_release_free(release); /* the stream lives on */
    close_world(&w);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    stream.release(&stream);
    check_schema(&schema, "age:u age_lo:l age_hi:l pay:u pay_lo:d:19,3 pay_hi:d:19,3 day:u "
                          "day_lo:tdD day_hi:tdD city:u visits:l note:u illness:u");
    int64_t known = 0;
    for (int64_t row = 0; row < batch.length; row++)
        for (int c = 0; c < 9; c += 3) {
            char cell[100], lo[100], hi[100], again[210];
            spell(schema.children[c], batch.children[c], row, cell, sizeof cell);
            spell(schema.children[c + 1], batch.children[c + 1], row, lo, sizeof lo);
            spell(schema.children[c + 2], batch.children[c + 2], row, hi, sizeof hi);
            snprintf(again, sizeof again, "[%s,%s]", lo, hi);
            assert_string_equal(cell, strcmp(cell, "*") == 0 ? "*"
                                      : strcmp(lo, hi) == 0  ? lo
                                                             : again);
            known += lo[0] != '\0';
        }
    assert_true(known > 100);
    schema.release(&schema);
    batch.release(&batch);
}

/* Parts of an array may be moved elsewhere and outlive the rest. */
static void moved_parts(void **state)
{
    (void)state;
    world w;
    bauta_error error;
    bauta_release *release;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema, city_schema;
    struct ArrowArray batch, city;
    char text[100];
    open_world(&w, TWO_TABLES);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_release_open("store:memory", w.recipe, &release, &error), &error);
    assert_fails(bauta_release_table(release, "data", 0, &stream, &error), BAUTA_USAGE, &error,
                 "no table 'data'");
    assert_fails(bauta_release_table(release, "quasi", 8, &stream, &error), BAUTA_USAGE, &error,
                 "no such options");
    assert_null(stream.release);
    assert_ok(bauta_release_table(release, "quasi", 0, &stream, &error), &error);
    bauta_release_free(release);
    close_world(&w);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    stream.release(&stream);
    city = *batch.children[3];
    batch.children[3]->release = NULL;
    city_schema = *schema.children[3];
    schema.children[3]->release = NULL;
    batch.release(&batch);
    schema.release(&schema);
    spell(&city_schema, &city, 0, text, sizeof text);
    assert_true(strlen(text) >= 4);
    city.release(&city);
    city_schema.release(&city_schema);
}

/* What came out of one release goes into another recipe. */
static void out_and_in(void **state)
{
    (void)state;
    world w;
    bauta_error error;
    bauta_release *release;
    bauta_report *report;
    struct ArrowArrayStream stream;
    open_world(&w, TWO_TABLES);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_release_open("store:memory", w.recipe, &release, &error), &error);
    assert_ok(bauta_release_table(release, "quasi", 0, &stream, &error), &error);
    bauta_release_free(release);
    bauta_recipe *next = make_recipe("arrow:quasi", SETTINGS({"quasi", "age,pay"}, {NULL, NULL}));
    assert_ok(bauta_recipe_add_stream(next, "quasi", &stream, &error), &error);
    assert_ok(bauta_describe(next, &report, &error), &error);
    json_t *facts = take_facts(report);
    assert_int_equal(whole(facts, "rows"), 120);
    json_decref(facts);
    bauta_recipe_free(next);
    close_world(&w);
}

/* ---- several threads ---- */

enum { ASKERS = 4, QUESTIONS = 20 };

typedef struct asker {
    bauta_release *release;
    char *answers[QUESTIONS];
    int64_t rows;
    pthread_t thread;
} asker;

static void *ask(void *user)
{
    asker *a = user;
    for (int i = 0; i < QUESTIONS; i++) {
        char query[80];
        bauta_error error;
        bauta_report *report = NULL;
        struct ArrowArrayStream stream;
        struct ArrowArray batch;
        snprintf(query, sizeof query, "SELECT COUNT(*) WHERE age < %d AND visits = 1", 20 + 2 * i);
        if (bauta_release_query(a->release, query, &report, &error) != BAUTA_OK) return NULL;
        if (bauta_report_json(report, &a->answers[i], &error) != BAUTA_OK) return NULL;
        bauta_report_free(report);
        if (i % 5 > 0) continue;
        if (bauta_release_table(a->release, bauta_release_table_name(a->release, 0), 0, &stream,
                                &error) != BAUTA_OK)
            return NULL;
        if (stream.get_next(&stream, &batch) == 0) a->rows += batch.length;
        batch.release(&batch);
        stream.release(&stream);
    }
    return a;
}

static void many_askers(const setting *settings)
{
    world w;
    bauta_error error;
    bauta_release *release;
    asker askers[ASKERS] = {{0}};
    open_world(&w, settings);
    assert_ok(bauta_anonymize(w.recipe, "store:memory", NULL, &error), &error);
    assert_ok(bauta_release_open("store:memory", w.recipe, &release, &error), &error);
    for (int i = 0; i < ASKERS; i++) {
        askers[i].release = release;
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < ASKERS; i++) {
        void *done;
        assert_int_equal(pthread_join(askers[i].thread, &done), 0);
        assert_ptr_equal(done, &askers[i]);
        assert_int_equal(askers[i].rows, 4 * 120);
    }
    for (int q = 0; q < QUESTIONS; q++)
        for (int i = 0; i < ASKERS; i++)
            assert_string_equal(askers[i].answers[q], askers[0].answers[q]);
    for (int q = 0; q < QUESTIONS; q++)
        for (int i = 0; i < ASKERS; i++)
            bauta_text_free(askers[i].answers[q]);
    bauta_release_free(release);
    close_world(&w);
}

static void asked_by_many(void **state)
{
    (void)state;
    many_askers(GENERALIZED);
    many_askers(TWO_TABLES);
    many_askers(DISTRIBUTION);
    many_askers(RANDOMIZED);
}

/* Several recipes write to stores of their own, and read one, at the same time. */
static void *publish_alone(void *user)
{
    world *w = user;
    bauta_error error;
    for (int i = 0; i < 3; i++)
        if (bauta_anonymize(w->recipe, "store:memory", NULL, &error) != BAUTA_OK ||
            bauta_audit("store:shared", w->recipe, NULL, &error) != BAUTA_OK)
            return NULL;
    return w;
}

static void written_by_many(void **state)
{
    (void)state;
    enum { WORLDS = 3 };
    world first, w[WORLDS];
    pthread_t threads[WORLDS];
    bauta_error error;
    open_world(&first, GENERALIZED);
    assert_ok(bauta_anonymize(first.recipe, "store:memory", NULL, &error), &error);
    for (int i = 0; i < WORLDS; i++) {
        open_world(&w[i], GENERALIZED);
        set(w[i].recipe, "force", "yes");
        assert_ok(bauta_recipe_add_store(w[i].recipe, "shared", first.memory, &error), &error);
    }
    close_world(&first);
    for (int i = 0; i < WORLDS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, publish_alone, &w[i]), 0);
    for (int i = 0; i < WORLDS; i++) {
        void *done;
        assert_int_equal(pthread_join(threads[i], &done), 0);
        assert_ptr_equal(done, &w[i]);
        close_world(&w[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),    cmocka_unit_test(saving),
        cmocka_unit_test(reading),       cmocka_unit_test(earlier_releases),
        cmocka_unit_test(in_the_way),    cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(failing_calls), cmocka_unit_test(lying_calls),
        cmocka_unit_test(held_tables),   cmocka_unit_test(calls_that_are_missing),
        cmocka_unit_test(tables),        cmocka_unit_test(ranges),
        cmocka_unit_test(moved_parts),   cmocka_unit_test(out_and_in),
        cmocka_unit_test(asked_by_many), cmocka_unit_test(written_by_many),
    };
    return cmocka_run_group_tests_name("stores", tests, prepare, scratch_empty);
}
