/* SPDX-License-Identifier: Apache-2.0
 *
 * The requirement `presence` against plain counting: small random tables are published with a
 * public table, by both methods and both joins, and every box and every sensitive group is counted
 * from the owner's mapping. What is refused cannot be reached by any grouping. Then rows are taken
 * out of data.csv, and the audit must say what counting says.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

enum { ROUNDS = 400, PEOPLE = 80, DISEASES = 3, TAKEN_MOST = 12 };

typedef struct share {
    const char *text;
    int64_t top, bottom;
} share;

static const share shares[] = {{"1/2", 1, 2}, {"1/3", 1, 3},  {"0.4", 2, 5},
                               {"2/7", 2, 7}, {"0.75", 3, 4}, {"0.6", 3, 5}};

typedef struct world {
    int records, all; /* the first are the microdata */
    int age[PEOPLE], zip[PEOPLE], disease[PEOPLE];
    const share *most;
    int k;
    bool refined, diverse; /* `diverse`: with p=2 */
    bool limited;          /* persons of different zips stay apart */
    char require[64], microdata[300], voters[300];
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

static void write_tables(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "id,age,zip,disease\n"), &error);
    for (int i = 0; i < w->records; i++)
        assert_ok(bt_buffer_print(&text, &error, "p%d,%d,z%d,d%d\n", i, w->age[i], w->zip[i],
                                  w->disease[i]),
                  &error);
    snprintf(w->microdata, sizeof w->microdata, "%s",
             scratch_write("microdata.csv", text.bytes, text.length));
    text.length = 0;
    assert_ok(bt_buffer_print(&text, &error, "id,age,zip\n"), &error);
    for (int i = w->all; i-- > 0;)
        if (i >= w->records || below(w, 5))
            assert_ok(bt_buffer_print(&text, &error, "p%d,%d,z%d\n", i, w->age[i], w->zip[i]),
                      &error);
    snprintf(w->voters, sizeof w->voters, "%s",
             scratch_write("voters.csv", text.bytes, text.length));
    bt_buffer_release(&text);
}

static void draw(world *w)
{
    int ages = 2 + below(w, 40);
    w->records = 4 + below(w, 20);
    w->all = w->records + below(w, PEOPLE - w->records);
    for (int i = 0; i < w->all; i++) {
        w->age[i] = below(w, ages);
        w->zip[i] = i < 4 ? i : below(w, 4); /* the microdata have all texts there are */
        w->disease[i] = below(w, DISEASES);
    }
    w->most = &shares[below(w, sizeof shares / sizeof *shares)];
    w->k = 1 + below(w, 5);
    w->refined = below(w, 3) > 0;
    w->diverse = w->refined && below(w, 2);
    w->limited = below(w, 4) == 0;
    snprintf(w->require, sizeof w->require, "k=%d,presence=%s%s", w->k, w->most->text,
             w->diverse ? ",p=2" : "");
    write_tables(w);
}

static bauta_status publish_world(world *w, bauta_error *error)
{
    static const char *const methods[] = {"mondrian", "mondrian:order=round-robin", "cluster",
                                          "cluster:merge=borrow"};
    static const char *const threads[] = {"1", "2", "5"};
    return run(w->microdata,
               SETTINGS({"public", w->voters}, {"key", "id"}, {"quasi", "age,zip"},
                        {w->refined ? "sensitive" : "drop", "disease"}, {"require", w->require},
                        {"join", w->refined ? "refine" : "direct"}, {"keep-mapping", "yes"},
                        {"hierarchy", w->limited || below(w, 2) ? "zip=flat" : "zip=mask"},
                        {"group", methods[below(w, 4)]}, {"threads", threads[below(w, 3)]},
                        {w->limited ? "max-level" : NULL, "zip=0"}),
               NULL, error);
}

/* Whether all persons, or all of a zip, would do as one class. */
static bool would_do(const world *w, int zip)
{
    int distinct = 0, records = 0, all = 0;
    bool met[DISEASES] = {false};
    for (int i = 0; i < w->all; i++) {
        if (zip >= 0 && w->zip[i] != zip) continue;
        all++;
        if (i >= w->records) continue;
        records++;
        distinct += !met[w->disease[i]];
        met[w->disease[i]] = true;
    }
    return records == 0 || (records * w->most->bottom <= all * w->most->top &&
                            (w->refined ? records : all) >= w->k && (!w->diverse || distinct >= 2));
}

static bool is_possible(const world *w)
{
    bool each = true;
    for (int zip = 0; zip < 4 && w->limited; zip++)
        each = each && would_do(w, zip);
    return each && would_do(w, -1);
}

/* ---- what the mapping says ---- */

typedef struct count { /* of a class or a sensitive group */
    int records, all;
    bool has[DISEASES];
} count;

static void check_counts(const world *w, const count *counts, bool groups)
{
    for (int i = 1; i <= PEOPLE && counts[i].all > 0; i++) {
        const count *c = &counts[i];
        assert_true(c->records >= 1);
        assert_true(c->all >= w->k);
        assert_true(c->records * w->most->bottom <= c->all * w->most->top);
        if (groups && w->refined) assert_true(c->records >= w->k);
        if (groups && w->diverse) assert_true(c->has[0] + c->has[1] + c->has[2] >= 2);
    }
}

static void check_mapping(const world *w)
{
    count classes[PEOPLE + 1] = {{0}}, groups[PEOPLE + 1] = {{0}};
    bt_buffer text = {0};
    char folder[400], table[20];
    size_t lines;
    int records = 0, row, class_number, group;
    snprintf(folder, sizeof folder, "%s/private", out);
    read_file(folder, "mapping.csv", &text);
    char **line = split_lines(&text, &lines);
    for (size_t i = 1; i < lines; i++) {
        assert_int_equal(sscanf(line[i], "%19[a-z],%d,%d,%d", table, &row, &class_number, &group),
                         4);
        bool own = strcmp(table, "microdata") == 0;
        records += own;
        classes[class_number].all++;
        groups[group].all++;
        classes[class_number].records += own;
        groups[group].records += own;
        if (own) groups[group].has[w->disease[row - 1]] = true;
    }
    assert_int_equal(records, w->records);
    check_counts(w, classes, false);
    check_counts(w, groups, true);
    free(line);
    bt_buffer_release(&text);
}

/* ---- what the files say, after rows are gone ---- */

/* The verdict of the audit on a promise: "true", "false" or "unverifiable". */
static const char *verdict_of(const char *promise)
{
    bauta_error error;
    bauta_report *report = NULL;
    const char *found = "nothing";
    bauta_recipe *recipe = make_recipe(NULL, (const setting[SETTINGS_MOST]){{0}});
    bauta_status status = bauta_audit(publish, recipe, &report, &error);
    assert_true(status == BAUTA_OK || status == BAUTA_NO);
    json_t *facts = take_facts(report);
    const json_t *findings = json_object_get(facts, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i), *holds;
        if (strcmp(json_string_value(json_object_get(finding, "promise")), promise) != 0) continue;
        holds = json_object_get(finding, "holds");
        found = json_is_true(holds) ? "true" : json_is_false(holds) ? "false" : "unverifiable";
        if (json_is_false(holds)) assert_int_equal(status, BAUTA_NO);
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
    return found;
}

/* data.csv, sorted after the header, so that boxes are runs of equal lines. */
typedef struct rows {
    bt_buffer text;
    char **lines;
    size_t count;
} rows;

static void take_rows(rows *r, const char *name)
{
    read_file(publish, name, &r->text);
    r->lines = split_lines(&r->text, &r->count);
    qsort(r->lines + 1, r->count - 1, sizeof *r->lines, compare_lines);
}

static void write_rows(const rows *r)
{
    char path[400];
    snprintf(path, sizeof path, "%s/data.csv", publish);
    assert_int_equal(remove(path), 0);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < r->count; i++)
        fprintf(file, "%s\n", r->lines[i]);
    fclose(file);
}

static int group_of(const char *line)
{
    const char *comma = strrchr(line, ',');
    return (int)strtol(comma ? comma + 1 : line, NULL, 10);
}

static const char *expected_verdict(const world *w, const rows *data, const rows *sensitive)
{
    int64_t room[PEOPLE + 1] = {0}, records[PEOPLE + 1] = {0};
    bool broken = false;
    for (size_t from = 1, to; from < data->count; from = to) {
        for (to = from; to < data->count && strcmp(data->lines[from], data->lines[to]) == 0;)
            to++;
        int64_t most = (int64_t)(to - from) * w->most->top / w->most->bottom;
        room[group_of(data->lines[from])] += most;
        broken = broken || most == 0;
    }
    for (size_t i = 1; w->refined && i < sensitive->count; i++)
        records[strtol(sensitive->lines[i], NULL, 10)]++;
    for (int g = 0; g <= PEOPLE; g++)
        broken = broken || (w->refined && records[g] > room[g]);
    return broken ? "false" : w->refined ? "true" : "unverifiable";
}

static int check_tampered(world *w)
{
    rows data = {0}, sensitive = {0};
    int broken = 0;
    take_rows(&data, "data.csv");
    if (w->refined) take_rows(&sensitive, "sensitive.csv");
    for (int taken = 0; taken < TAKEN_MOST && data.count > 2; taken++) {
        char promise[32];
        snprintf(promise, sizeof promise, "presence=%s", w->most->text);
        const char *expected = expected_verdict(w, &data, &sensitive);
        assert_string_equal(verdict_of(promise), expected);
        broken += strcmp(expected, "false") == 0;
        if (taken == 0) assert_int_equal(broken, 0);
        size_t gone = 1 + (size_t)below(w, (int)data.count - 1);
        memmove(data.lines + gone, data.lines + gone + 1,
                (data.count - gone - 1) * sizeof *data.lines);
        data.count--;
        write_rows(&data);
    }
    free(data.lines);
    free(sensitive.lines);
    bt_buffer_release(&data.text);
    bt_buffer_release(&sensitive.text);
    return broken;
}

static void nobody_is_believed_to_be_there_with_more(void **state)
{
    world w = {.random = 5};
    int made = 0, refused = 0, broken = 0;
    for (int round = 0; round < ROUNDS; round++) {
        bauta_error error;
        draw(&w);
        use_new_folder(state);
        bauta_status status = publish_world(&w, &error);
        if (status != (is_possible(&w) ? BAUTA_OK : BAUTA_NO))
            fail_msg("round %d: %s (%s)", round, error.message, error.hint);
        refused += status == BAUTA_NO;
        if (status != BAUTA_OK) continue;
        made++;
        check_mapping(&w);
        if (round % 4 == 0) broken += check_tampered(&w);
    }
    assert_true(made > ROUNDS / 4);
    assert_true(refused > ROUNDS / 20);
    assert_true(broken > ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_believed_to_be_there_with_more),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
