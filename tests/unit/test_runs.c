/* SPDX-License-Identifier: Apache-2.0
 *
 * How jobs run: the same seed gives the same bytes however the input comes and the work is done,
 * a job that is stopped leaves nothing behind, and a preview says what a release will be.
 */
#include "../jobs.h"

#include <fcntl.h>
#include <pthread.h>
#include <zlib.h>
#include <zstd.h>

/* ---- seeds ---- */

static void compare_releases(const char *first, const char *second)
{
    bt_buffer a = {0}, b = {0};
    static const char *const names[] = {"data.csv", "manifest.json"};
    for (size_t i = 0; i < 2; i++) {
        read_file(first, names[i], &a);
        read_file(second, names[i], &b);
        assert_int_equal(a.length, b.length);
        assert_memory_equal(a.bytes, b.bytes, a.length);
    }
    bt_buffer_release(&a);
    bt_buffer_release(&b);
}

static bool same_file(const char *first, const char *second, const char *name)
{
    bt_buffer a = {0}, b = {0};
    read_file(first, name, &a);
    read_file(second, name, &b);
    bool same = a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
    bt_buffer_release(&a);
    bt_buffer_release(&b);
    return same;
}

static const setting seeds[][2] = {
    {{"seed", "abc"}}, {{"seed", "abd"}}, {{"seed-file", seed_file}}, {{"threads", "1"}}};

/* Publishes with the n-th of the seeds (the last: a fresh one) into the folder `name`. */
static json_t *publish_with(const char *name, size_t seed, const char *input)
{
    bauta_error error;
    json_t *facts;
    const setting settings[SETTINGS_MOST] = {
        seeds[seed][0], CENSUS_ROLES, {"require", "k=5"}, {"keep-mapping", "yes"}};
    use_folder(name);
    assert_ok(run(input, settings, &facts, &error), &error);
    return facts;
}

static void seeds_decide_the_bytes(void **state)
{
    (void)state;
    bt_buffer text = {0};
    char first[300];
    const char *input = make_census("seeds.csv", 3, 0, 500, &text);
    for (size_t i = 0; i < 4; i++) {
        json_decref(publish_with(i == 0 ? "s0" : i == 1 ? "s1" : i == 2 ? "s2" : "s3", i, input));
        snprintf(first, sizeof first, "%s", publish);
        json_decref(publish_with(i == 0 ? "t0" : i == 1 ? "t1" : i == 2 ? "t2" : "t3", i, input));
        if (i < 3)
            compare_releases(first, publish);
        else
            assert_false(same_file(first, publish, "data.csv"));
        if (i == 3) assert_false(same_file(first, publish, "manifest.json"));
        if (i > 0) {
            snprintf(first, sizeof first, "%s/s0/publish", scratch_path);
            assert_false(same_file(first, publish, "data.csv"));
        }
    }
    bt_buffer_release(&text);
}

static bool mentions(const char *folder, const char *name, const char *text)
{
    bt_buffer file = {0};
    read_file(folder, name, &file);
    bool found = strstr(file.bytes, text) != NULL;
    bt_buffer_release(&file);
    return found;
}

static void seeds_stay_private(void **state)
{
    (void)state;
    static const char seed[] = "feedfacecafebeef1234567890abcdef";
    bauta_error error;
    json_t *facts;
    char folder[300];
    const setting settings[SETTINGS_MOST] = {
        {"quasi", "age"}, {"sensitive", "s"}, {"drop", "rest"}, {"require", "k=2"}, {"seed", seed}};
    const char *input = two_rows();
    assert_ok(run(input, settings, &facts, &error), &error);
    char *text = json_dumps(facts, 0);
    assert_null(strstr(text, seed));
    free(text);
    json_decref(facts);
    assert_false(mentions(publish, "manifest.json", seed));
    snprintf(folder, sizeof folder, "%s/private", out);
    assert_true(mentions(folder, "summary.json", seed));
    /* The release is an experiment, and says so. */
    json_t *manifest = load_json(publish, "manifest.json");
    assert_true(json_is_true(json_object_get(manifest, "experiment")));
    json_decref(manifest);
    assert_fails(bauta_audit(publish, NULL, NULL, &error), BAUTA_NO, &error, "does not keep");
    bauta_recipe *recipe =
        make_recipe(input, (const setting[SETTINGS_MOST]){{"allow-experiment", "yes"}});
    assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
    bauta_recipe_free(recipe);
    assert_fails(
        run(input, SETTINGS({"quasi", "age"}, {"drop", "rest"}, {"require", "k=2"}), NULL, &error),
        BAUTA_USAGE, &error, "exists");
}

/* ---- the same bytes however the work is done ---- */

static void threads_and_memory(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "7"};
    static const char *const memory[] = {"1G", "1", "100k"};
    bt_buffer text = {0};
    const char *input = make_census("census.csv", 1, 0, 25000, &text);
    char first[300] = "";
    bauta_error error;
    for (size_t t = 0; t < 3; t++) {
        use_new_folder(state);
        assert_ok(run(input,
                      SETTINGS(CENSUS_ROLES, {"require", "k=8"}, {"threads", threads[t]},
                               {"memory", memory[t]}),
                      NULL, &error),
                  &error);
        if (*first)
            compare_releases(first, publish);
        else
            snprintf(first, sizeof first, "%s", publish);
    }
    bt_buffer_release(&text);
}

typedef struct pipe_end {
    const char *name;
    const bt_buffer *text;
} pipe_end;

static void *write_pipe(void *user)
{
    const pipe_end *end = user;
    FILE *file = fopen(end->name, "w");
    if (!file) return NULL;
    bool wrote = fwrite(end->text->bytes, 1, end->text->length, file) == end->text->length;
    return fclose(file) == 0 && wrote ? user : NULL;
}

static void publish_input(void **state, const char *const *inputs, size_t count)
{
    bauta_error error;
    use_new_folder(state);
    bauta_recipe *recipe =
        make_recipe(NULL, SETTINGS(CENSUS_ROLES, {"require", "k=6"}, {"threads", "2"}));
    for (size_t i = 0; i < count; i++)
        assert_ok(bauta_recipe_set(recipe, "input", inputs[i], &error), &error);
    assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
    bauta_recipe_free(recipe);
}

static void compressed_piped_and_several_inputs(void **state)
{
    enum { ROWS = 4000 };
    char first[300], path[4][256];
    bt_buffer text = {0}, part = {0};
    const char *input = path[0];
    snprintf(path[0], sizeof path[0], "%s", make_census("plain.csv", 11, 0, ROWS, &text));
    publish_input(state, &input, 1);
    snprintf(first, sizeof first, "%s", publish);

    snprintf(path[0], sizeof path[0], "%s", scratch_name("packed.gz"));
    gzFile packed = gzopen(path[0], "wb");
    assert_int_equal(gzwrite(packed, text.bytes, (unsigned)text.length), text.length);
    assert_int_equal(gzclose(packed), Z_OK);
    publish_input(state, &input, 1);
    compare_releases(first, publish);

    size_t room = ZSTD_compressBound(text.length);
    char *squeezed = bt_array(room, 1);
    size_t length = ZSTD_compress(squeezed, room, text.bytes, text.length, 1);
    assert_false(ZSTD_isError(length));
    snprintf(path[0], sizeof path[0], "%s", scratch_write("squeezed", squeezed, length));
    free(squeezed);
    publish_input(state, &input, 1);
    compare_releases(first, publish);

    snprintf(path[0], sizeof path[0], "%s", scratch_name("pipe"));
    assert_int_equal(mkfifo(path[0], 0600), 0);
    pipe_end end = {path[0], &text};
    pthread_t writer;
    void *wrote;
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, &end), 0);
    publish_input(state, &input, 1);
    pthread_join(writer, &wrote);
    assert_non_null(wrote);
    compare_releases(first, publish);

    /* The same records in three files, one of them without records. */
    const char *second = strstr(text.bytes, "person number 1500,");
    bauta_error error;
    snprintf(path[0], sizeof path[0], "%s",
             scratch_write("part0", text.bytes, (size_t)(second - text.bytes)));
    snprintf(path[1], sizeof path[1], "%s", scratch_text("part1", census_header));
    assert_ok(bt_buffer_print(&part, &error, "%s%s", census_header, second), &error);
    snprintf(path[2], sizeof path[2], "%s", scratch_write("part2", part.bytes, part.length));
    publish_input(state, (const char *const[]){path[0], path[1], path[2]}, 3);
    compare_releases(first, publish);
    bt_buffer_release(&text);
    bt_buffer_release(&part);
}

/* A comma is nothing special in the second file. */
static void files_with_different_delimiters(void **state)
{
    (void)state;
    bauta_error error;
    char first[256];
    snprintf(first, sizeof first, "%s", scratch_text("comma.csv", "q,note\n1,x\n1,\"y,z\"\n"));
    bauta_recipe *recipe = make_recipe(
        first,
        SETTINGS({"quasi", "q"}, {"other", "note"}, {"require", "k=4"}, {"unique-limit", "1"},
                 {"input", scratch_text("semicolon.csv", "q;note\n1;a,b\n1;c\n")}));
    assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
    assert_rows("q,note", "1,\"a,b\"", "1,\"y,z\"", "1,c", "1,x");
    bauta_recipe_free(recipe);
}

/* ---- stopping ---- */

typedef struct stop {
    int calls, at; /* at 0: never */
} stop;

static int count_calls(void *user, const char *stage, int64_t done, int64_t total)
{
    stop *when = user;
    assert_true(stage[0] != '\0' && done >= 0 && total >= 0);
    return ++when->calls == when->at;
}

static bauta_status run_until(const char *input, const char *force, stop *when, bauta_error *error)
{
    bauta_recipe *recipe = make_recipe(
        input, SETTINGS(CENSUS_ROLES, {"require", "k=4"}, {"threads", "2"}, {"force", force}));
    when->calls = 0;
    bauta_recipe_on_progress(recipe, count_calls, when);
    bauta_status status = bauta_anonymize(recipe, out, NULL, error);
    bauta_recipe_free(recipe);
    return status;
}

static int count_entries(const char *path)
{
    char command[600];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", path);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static void cancelling(void **state)
{
    (void)state;
    bt_buffer text = {0}, before = {0}, after = {0};
    bauta_error error;
    stop when = {0};
    const char *input = make_census("cancel.csv", 13, 0, 400, &text);
    for (when.at = 1; when.at < 200; when.at += when.at / 4 + 1) {
        if (run_until(input, "no", &when, &error) == BAUTA_OK) break;
        assert_int_equal(error.status, BAUTA_CANCELLED);
        assert_string_equal(error.message, "cancelled by the caller");
        assert_nothing_there();
    }
    assert_true(when.at > 3);
    /* A release that is there stays as it is. */
    if (access(publish, F_OK) != 0) assert_ok(run_until(input, "no", &(stop){0}, &error), &error);
    read_file(publish, "manifest.json", &before);
    when.at = 3;
    assert_int_equal(run_until(input, "yes", &when, &error), BAUTA_CANCELLED);
    read_file(publish, "manifest.json", &after);
    assert_string_equal(before.bytes, after.bytes);
    assert_int_equal(count_entries(out), 2);
    bt_buffer_release(&text);
    bt_buffer_release(&before);
    bt_buffer_release(&after);
}

/* Somebody makes two records of one after the table was read, and hides the traces. */
static int change_input(void *user, const char *stage, int64_t done, int64_t total)
{
    (void)done;
    (void)total;
    struct stat facts;
    const char *path = user;
    if (strcmp(stage, "grouping") != 0) return 0;
    assert_int_equal(stat(path, &facts), 0);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_true(fputs("q,o\n10,a\n10,aa\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    struct timespec times[2] = {facts.st_atim, facts.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    return 0;
}

static void input_that_changes(void **state)
{
    (void)state;
    bauta_error error;
    char path[256];
    snprintf(path, sizeof path, "%s", scratch_text("changing.csv", "q,o\n10,aaaaaaa\n11,b\n"));
    bauta_recipe *recipe =
        make_recipe(path, SETTINGS({"quasi", "q"}, {"other", "o"}, {"unique-limit", "1"},
                                   {"require", "k=2"}, {"threads", "1"}));
    bauta_recipe_on_progress(recipe, change_input, path);
    assert_fails(bauta_anonymize(recipe, out, NULL, &error), BAUTA_INVALID, &error,
                 "changed while it was read");
    assert_nothing_there();
    bauta_recipe_free(recipe);
}

/* ---- previews ---- */

static json_t *preview(const char *input, const setting *settings, const char *tries)
{
    bauta_recipe *recipe = make_recipe(input, settings);
    bauta_report *report;
    bauta_error error;
    assert_ok(bauta_preview(recipe, tries, &report, &error), &error);
    bauta_recipe_free(recipe);
    return take_facts(report);
}

static void assert_same_numbers(const json_t *tried, const json_t *made)
{
    static const char *const counts[] = {
        "rows", "published", "suppressed", "missing_dropped", "classes", "smallest_class"};
    static const char *const measures[] = {"ncp", "discernibility", "average_class",
                                           "distortion_ratio"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(whole(tried, counts[i]), whole(made, counts[i]));
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        double a = real(json_object_get(tried, "measures"), measures[i]);
        double b = real(json_object_get(made, "measures"), measures[i]);
        if (a - b > 1e-5 || b - a > 1e-5) fail_msg("%s: %.9g is not %.9g", measures[i], a, b);
    }
}

static void previews_say_what_will_be(void **state)
{
    bauta_error error;
    bt_buffer text = {0};
    make_census("preview.csv", 17, 0, 900, &text);
    assert_ok(bt_buffer_print(&text, &error, "x,NA,00001,a,1,s\ny,3,00001,,1,s\n"), &error);
    const char *input = scratch_write("preview.csv", text.bytes, text.length);
    int files = count_entries(scratch_path);
    const setting settings[SETTINGS_MOST] = {{"seed-file", seed_file},
                                             CENSUS_ROLES,
                                             {"hierarchy", "age=intervals:5,20"},
                                             {"missing", "drop"},
                                             {"require", "k=9"}};
    json_t *facts = preview(input, settings, "k=2,5,1000");
    json_t *tries = json_object_get(facts, "tries");
    assert_int_equal(json_array_size(tries), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(tries, 1), "require")),
                        "k=5");
    assert_non_null(json_object_get(json_array_get(tries, 2), "refused"));
    json_t *alone = preview(input, settings, NULL);
    assert_int_equal(count_entries(scratch_path), files);
    for (size_t i = 0; i < 3; i++) {
        static const char *const k[] = {"k=2", "k=5", "k=9"};
        setting real_settings[SETTINGS_MOST];
        memcpy(real_settings, settings, sizeof real_settings);
        for (size_t s = 0; s < SETTINGS_MOST; s++)
            if (real_settings[s].key && strcmp(real_settings[s].key, "require") == 0)
                real_settings[s].value = k[i];
        use_new_folder(state);
        json_t *made = anonymize(input, real_settings);
        const json_t *tried =
            i < 2 ? json_array_get(tries, i) : json_array_get(json_object_get(alone, "tries"), 0);
        assert_same_numbers(tried, made);
        json_decref(made);
    }
    json_decref(facts);
    json_decref(alone);
    bt_buffer_release(&text);
}

static void previews_that_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "k", "=3", "k="};
    bauta_error error;
    const char *input = two_rows();
    bauta_recipe *recipe =
        make_recipe(input, SETTINGS({"quasi", "age"}, {"drop", "rest"}, {"require", "k=3"}));
    bauta_report *report;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(bauta_preview(recipe, wrong[i], &report, &error), BAUTA_USAGE, &error,
                     "a try needs a requirement or a key, and values");
    assert_fails(bauta_preview(recipe, "k=2,x", &report, &error), BAUTA_INVALID, &error,
                 "must be a whole number");
    assert_fails(bauta_preview(recipe, "q=2", &report, &error), BAUTA_INVALID, &error,
                 "there is no requirement 'q'");
    /* What the release would not hold, the preview of it alone does not either. */
    assert_fails(bauta_preview(recipe, NULL, &report, &error), BAUTA_NO, &error,
                 "does not satisfy 'k=3'");
    assert_fails(bauta_preview(NULL, NULL, &report, &error), BAUTA_USAGE, &error, "a recipe");
    assert_null(report);
    bauta_recipe_free(recipe);
    recipe = make_recipe(input, SETTINGS({"quasi", "age"}, {"drop", "rest"}));
    assert_fails(bauta_preview(recipe, NULL, &report, &error), BAUTA_INVALID, &error,
                 "nothing is required");
    assert_ok(bauta_preview(recipe, "k=2", NULL, &error), &error);
    bauta_recipe_free(recipe);
}

int main(void)
{
#define JOB_TEST(name) cmocka_unit_test_setup(name, use_new_folder)
    const struct CMUnitTest tests[] = {
        JOB_TEST(seeds_decide_the_bytes),
        JOB_TEST(seeds_stay_private),
        JOB_TEST(threads_and_memory),
        JOB_TEST(compressed_piped_and_several_inputs),
        JOB_TEST(files_with_different_delimiters),
        JOB_TEST(cancelling),
        JOB_TEST(input_that_changes),
        JOB_TEST(previews_say_what_will_be),
        JOB_TEST(previews_that_are_refused),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
