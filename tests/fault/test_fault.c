/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation, read, write … of small whole jobs is made to fail in turn. Whatever fails,
 * the call returns BAUTA_SYSTEM (or succeeds, where the failing call does not matter), frees
 * and closes everything, and leaves a whole release or none.
 */
#define SCRATCH_IN_MEMORY
#include "../scratch.h"

#include "../own_store.h"
#include "fault.h"
#include "stream.h"

#include <bauta.h>
#include <dirent.h>
#include <experiments.h>

enum { ROWS = 40 };

/* ---- the jobs ---- */

static char input[256], packed[256], hierarchy[256], recipe_file[256], out[256], publish[512];
static const char *lines; /* a table of JSON Lines, in the scratch folder */
static char categories[256], diseases[256], wrong_table[256];
static const char *const *more; /* keys and values to add; NULL after the last */
static bool plain_age;          /* without a hierarchy */
static const char *counting;  /* apart or together: persons are counted, and columns are steered */
static const char *demanding; /* a method: every requirement is asked for, with all they need */
static const char *apart;     /* a method: published in two tables */
static const char *randomizing; /* the form randomized with its options: requires nothing */
static const char *learning;    /* measure: associations, and pairs of columns */
static char people[256], voters[2][256];
static const char *joined; /* a kind of join: with two public tables, by `cluster` too */
static const char *joins_by;
static const char *hiding;  /* a join with a requirement that needs a public table */
static const char *spread;  /* a form: distribution, of equal values within groups */
static bool spread_numbers; /* the distribution is of numbers */

static bauta_status demand(bauta_recipe *recipe, bauta_error *error)
{
    char given[2][512];
    snprintf(given[0], sizeof given[0], "disease=%s", categories);
    snprintf(given[1], sizeof given[1], "disease=%s", diseases);
    const char *settings[][2] = {
        {"categories", given[0]},
        {"hierarchy", given[1]},
        {"require", "alpha=0.6,alpha(disease)=1/2:d\"1,p=2,l=2,p-categories=2,weight=1"},
        {"require", "entropy-l=2,recursive-l=2:2,t=0.7:ordered,t(disease)=0.8:hierarchical"},
        {"group", demanding},
        {"publish", "generalized:sensitive=both"},
    };
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(recipe, settings[i][0], settings[i][1], error);
    return status;
}

static bauta_status count_persons(bauta_recipe *recipe, bauta_error *error)
{
    const char *settings[][2] = {
        {"subject-rows", counting}, {"require", "alpha=0.6,t=0.7"},
        {"max-level", "zip=1"},     {"min-level", "age=1"},
        {"weight", "age=2"},        {"suppress", "0.5"},
    };
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(recipe, settings[i][0], settings[i][1], error);
    return status;
}

/* A table of its own, whose persons have one record each, and two public ones. */
static bauta_status make_join(bauta_recipe **recipe, bauta_error *error)
{
    const char *settings[][2] = {
        {"input", people},     {"quasi", "age,zip"},      {"key", "name"},
        {"public", voters[0]}, {"public", voters[1]},     {"on-conflict", "exclude-public"},
        {"join", joined},      {"require", "k=3"},        {"group", joins_by},
        {"seed", "5"},         {"hierarchy", "zip=mask"}, {"keep-mapping", "yes"},
        {"threads", "1"},      {"unique-limit", "1"},
    };
    bool direct = strncmp(joined, "direct", 6) == 0;
    bauta_status status = bauta_recipe_new(recipe, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(*recipe, settings[i][0], settings[i][1], error);
    if (status == BAUTA_OK)
        status = bauta_recipe_set(*recipe, direct ? "drop" : "sensitive", "disease", error);
    if (status == BAUTA_OK && !direct) status = bauta_recipe_set(*recipe, "require", "p=2", error);
    if (status == BAUTA_OK && hiding) status = bauta_recipe_set(*recipe, "require", hiding, error);
    return status;
}

static bauta_status make_recipe(const char *file, bauta_recipe **recipe, bauta_error *error)
{
    if (joined) return make_join(recipe, error);
    const char *settings[][2] = {
        {"input", file},
        {"quasi", spread_numbers ? "disease,zip" : "age,zip"},
        {"sensitive", spread_numbers ? "age" : "disease"},
        {"identifier", "name"},
        {"other", "note"},
        {"hierarchy", NULL},
        {"hierarchy", "age=intervals:10,20"},
        {"require", spread ? "alpha=0.9,t=0.9" : "k=3"},
        {"seed", "5"},
        {"threads", "1"},
        {"unique-limit", "1"},
        {"subject", counting ? "name" : "none"},
    };
    char given[512];
    snprintf(given, sizeof given, "zip=%s", hierarchy);
    bauta_status status = bauta_recipe_new(recipe, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++) {
        if (randomizing && strcmp(settings[i][0], "require") == 0) continue;
        if (plain_age && settings[i][1] && strncmp(settings[i][1], "age=", 4) == 0) continue;
        status = bauta_recipe_set(*recipe, settings[i][0], settings[i][1] ? settings[i][1] : given,
                                  error);
    }
    if (status == BAUTA_OK && randomizing)
        status = bauta_recipe_set(*recipe, "publish", randomizing, error);
    if (status == BAUTA_OK && demanding) status = demand(*recipe, error);
    if (status == BAUTA_OK && apart) status = bauta_recipe_set(*recipe, "group", apart, error);
    if (status == BAUTA_OK && apart)
        status = bauta_recipe_set(*recipe, "publish", "two-tables", error);
    if (status == BAUTA_OK && learning)
        status = bauta_recipe_set(*recipe, "associations", learning, error);
    if (status == BAUTA_OK && learning) status = bauta_recipe_set(*recipe, "pairs", "yes", error);
    if (status == BAUTA_OK && spread)
        status = bauta_recipe_set(*recipe, "group", "identical:zip@1", error);
    if (status == BAUTA_OK && spread) status = bauta_recipe_set(*recipe, "publish", spread, error);
    if (status == BAUTA_OK && counting) status = count_persons(*recipe, error);
    for (size_t i = 0; more && more[i] && status == BAUTA_OK; i += 2)
        status = bauta_recipe_set(*recipe, more[i], more[i + 1], error);
    return status;
}

static bauta_status anonymize_file(const char *file, const char *key, const char *value,
                                   bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    char *text = NULL;
    bauta_status status = make_recipe(file, &recipe, error);
    if (status == BAUTA_OK && key) status = bauta_recipe_set(recipe, key, value, error);
    if (status == BAUTA_OK) status = bauta_anonymize(recipe, out, &report, error);
    if (status == BAUTA_OK) status = bauta_report_json(report, &text, error);
    bauta_text_free(text);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_status anonymize(bauta_error *error)
{
    return anonymize_file(input, NULL, NULL, error);
}

static bauta_status anonymize_two_threads(bauta_error *error)
{
    return anonymize_file(input, "threads", "2", error);
}

static bauta_status anonymize_dropping(bauta_error *error)
{
    return anonymize_file(input, "suppress", "0.3", error);
}

static bauta_status anonymize_packed(bauta_error *error)
{
    return anonymize_file(packed, "keep-mapping", "yes", error);
}

/* Little memory: the shuffle goes through temporary files. */
static bauta_status anonymize_tight(bauta_error *error)
{
    return anonymize_file(input, "memory", "1", error);
}

static bauta_status replace(bauta_error *error)
{
    return anonymize_file(input, "force", "yes", error);
}

typedef bauta_status (*inspection)(const bauta_recipe *recipe, bauta_report **report,
                                   bauta_error *error);

static bauta_status inspect(inspection call, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    char *text = NULL, *charts = NULL;
    bauta_status status = make_recipe(input, &recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "allow-experiment", "yes", error);
    if (status == BAUTA_OK) status = call(recipe, &report, error);
    if (status == BAUTA_OK) status = bauta_report_text(report, &text, error);
    if (status == BAUTA_OK) status = bauta_report_charts(report, &charts, error);
    bauta_text_free(text);
    bauta_text_free(charts);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_status call_audit(const bauta_recipe *recipe, bauta_report **report,
                               bauta_error *error)
{
    return bauta_audit(publish, recipe, report, error);
}

static bauta_status call_measure(const bauta_recipe *recipe, bauta_report **report,
                                 bauta_error *error)
{
    const char *releases[] = {publish};
    return bauta_measure(releases, 1, recipe, report, error);
}

/* Forty records are few: what an attack finds does not matter here. */
static bauta_status call_attack(const bauta_recipe *recipe, bauta_report **report,
                                bauta_error *error)
{
    char crowd[300], other[600];
    snprintf(crowd, sizeof crowd, "public=%s", input);
    snprintf(other, sizeof other, "other-release=%s", publish);
    /* A join has its own public table: the recipe names it. */
    const char *const arguments[] = {"all=yes", other, crowd};
    bauta_status status = bauta_attack(publish, recipe, arguments, joined ? 2 : 3, report, error);
    return status == BAUTA_NO && *report ? BAUTA_OK : status;
}

static bauta_status call_preview(const bauta_recipe *recipe, bauta_report **report,
                                 bauta_error *error)
{
    return bauta_preview(recipe, randomizing ? NULL : "k=2,5", report, error);
}

static bauta_status call_hierarchy(const bauta_recipe *recipe, bauta_report **report,
                                   bauta_error *error)
{
    return bauta_hierarchy(recipe, "zip", NULL, report, error);
}

static bauta_status call_query(const bauta_recipe *recipe, bauta_report **report,
                               bauta_error *error)
{
    /* The first asks for a column that a join does not publish, the last is refused where values
     * are drawn anew. */
    static const char *const queries[] = {
        "SELECT AVG(age) WHERE (note = '1' AND age > 25) OR (age IN (30, 31) AND note <> '2')",
        "SELECT COUNT(*) WHERE age < 40 AND NOT (disease = 'd\"1' OR zip IN ('30121', 30122))",
        "SELECT MIN(age)",
    };
    return bauta_query(publish, joined ? queries + 1 : queries, randomizing || joined ? 2 : 3,
                       recipe, report, error);
}

static bauta_status query(bauta_error *error)
{
    return inspect(call_query, error);
}

static bauta_status audit(bauta_error *error)
{
    return inspect(call_audit, error);
}

/* A table that the release was not made from is refused, and that is as it should be. */
static bauta_status audit_wrong_table(bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_status status = bauta_recipe_new(&recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "input", wrong_table, error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "threads", "1", error);
    if (status == BAUTA_OK) status = bauta_audit(publish, recipe, NULL, error);
    bauta_recipe_free(recipe);
    bool refused = status == BAUTA_INVALID && strstr(error->hint, "was made from") != NULL;
    return refused ? BAUTA_OK : status;
}

static bauta_status measure(bauta_error *error)
{
    return inspect(call_measure, error);
}

static bauta_status attack(bauta_error *error)
{
    return inspect(call_attack, error);
}

static bauta_status call_page(const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    return bauta_page(out, recipe, report, error);
}

static bauta_status show_page(bauta_error *error)
{
    return inspect(call_page, error);
}

static bauta_status preview(bauta_error *error)
{
    return inspect(call_preview, error);
}

static bauta_status show_hierarchy(bauta_error *error)
{
    return inspect(call_hierarchy, error);
}

static bauta_status init(bauta_error *error)
{
    return inspect(bauta_init, error);
}

static bauta_status describe(bauta_error *error)
{
    return inspect(bauta_describe, error);
}

/* A table, a recipe and a hierarchy of which none is a file. */
static bauta_status describe_stream(bauta_error *error)
{
    static const char yaml[] = "input: arrow:table\ncolumns: {age: quasi}\nthreads: 1\n";
    static const char tree[] = "7;odd\n-7;odd\n";
    int batches = 2;
    struct ArrowArrayStream stream = stream_of(&batches);
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    bauta_status status = bauta_recipe_new(&recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_add_stream(recipe, "table", &stream, error);
    if (status == BAUTA_OK)
        status = bauta_recipe_set_text(recipe, "hierarchy", "word", tree, strlen(tree), error);
    if (status == BAUTA_OK)
        status = bauta_recipe_load_text(recipe, yaml, strlen(yaml), NULL, error);
    if (status == BAUTA_OK) status = bauta_describe(recipe, &report, error);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}

/* Every table of a release as a stream, which is read. */
static bauta_status read_tables(const bauta_release *release, bauta_error *error)
{
    const char *name;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; status == BAUTA_OK && (name = bauta_release_table_name(release, i)); i++) {
        struct ArrowArrayStream stream;
        struct ArrowSchema schema = {.release = NULL};
        struct ArrowArray batch = {.release = NULL};
        status = bauta_release_table(release, name, BAUTA_TABLE_RANGES, &stream, error);
        if (status != BAUTA_OK) break;
        if (stream.get_schema(&stream, &schema) != 0 || stream.get_next(&stream, &batch) != 0)
            status = bt_fail_memory(error); /* ENOMEM: the one thing that it can run out of */
        stream.release(&stream);
        if (schema.release) schema.release(&schema);
        if (batch.release) batch.release(&batch);
    }
    return status;
}

/* A release in a store, opened and audited there. */
static bauta_status use_store(bauta_store *store, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_release *release = NULL;
    bauta_status status = make_recipe(input, &recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "allow-experiment", "yes", error);
    if (status == BAUTA_OK) status = bauta_recipe_add_store(recipe, "here", store, error);
    if (status == BAUTA_OK) status = bauta_anonymize(recipe, "store:here", NULL, error);
    if (status == BAUTA_OK) status = bauta_audit("store:here", recipe, NULL, error);
    if (status == BAUTA_OK) status = bauta_release_open("store:here", recipe, &release, error);
    if (status == BAUTA_OK) status = read_tables(release, error);
    bauta_release_free(release);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_status use_memory(bauta_error *error)
{
    bauta_store *store = NULL;
    bauta_status status = bauta_store_memory(&store, error);
    if (status == BAUTA_OK) status = use_store(store, error);
    if (status == BAUTA_OK) status = bauta_store_save(store, out, 1, error);
    bauta_store_free(store);
    return status;
}

static bauta_status use_own(bauta_error *error)
{
    static char room[1 << 20];
    own_store files = {.room = room, .room_left = sizeof room};
    bauta_store *store = NULL;
    bauta_status status = bauta_store_own(&own_calls, &files, &store, error);
    if (status == BAUTA_OK) status = use_store(store, error);
    bauta_store_free(store);
    if (files.commits == 0 && files.shelves[0].count + files.shelves[1].count > 0)
        return bt_fail(error, BAUTA_INTERNAL, "files are left over");
    return status;
}

static bauta_status open_tables(bauta_error *error)
{
    bauta_release *release = NULL;
    bauta_status status = bauta_release_open(publish, NULL, &release, error);
    if (status == BAUTA_OK) status = read_tables(release, error);
    bauta_release_free(release);
    return status;
}

static bauta_status list(bauta_error *error)
{
    bauta_report *report = NULL;
    char *text = NULL;
    bauta_status status = bauta_list("methods", &report, error);
    if (status == BAUTA_OK) status = bauta_report_text(report, &text, error);
    bauta_text_free(text);
    bauta_report_free(report);
    return status;
}

static bauta_status synth(bauta_error *error)
{
    const char *arguments[] = {"rows=50", "seed=1", "threads=1"};
    return ex_synth("zipf", arguments, 3, scratch_name("synth.csv"), error);
}

/* The smallest experiment there is, of people that it makes up. */
static bauta_status reproduce(bauta_error *error)
{
    char tmp[300];
    snprintf(tmp, sizeof tmp, "tmp=%s", scratch_path);
    const char *arguments[] = {"microdata=20", "most=1",           "runs=1",
                               "queries=1",    "methods=mondrian", tmp};
    char *text = NULL;
    bauta_status status = ex_reproduce("P5", arguments, 6, NULL, NULL, true, &text, error);
    free(text);
    return status;
}

static bauta_status load_recipe(bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_status status = bauta_recipe_new(&recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_load(recipe, recipe_file, error);
    bauta_recipe_free(recipe);
    return status;
}

/* ---- files ---- */

static void remove_tree(const char *path)
{
    if (access(path, F_OK) == 0)
        assert_int_equal(nftw(path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void copy_path(char *to, const char *from)
{
    snprintf(to, 256, "%s", from);
}

static int prepare(void **state)
{
    if (scratch_make(state) != 0) return -1;
    char text[8000];
    size_t length = (size_t)snprintf(text, sizeof text, "name,age,zip,note,disease\n");
    for (int i = 0; i < ROWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "\"P, %d\",%d,%s,%d,\"d\"\"%d\"\n", i / 2, 20 + i * 7 % 50,
                                   i % 3   ? "30121"
                                   : i % 2 ? "30122"
                                           : "30133",
                                   i % 4, i % 5);
    copy_path(input, scratch_write("table.csv", text, length));
    copy_path(hierarchy, scratch_text("zip.csv", "30121;3012*;*\n30122;3012*;*\n30133;3013*;*\n"));
    copy_path(categories, scratch_text("categories.csv", "\"d\"\"0\";grave\n\"d\"\"1\";grave\n"
                                                         "\"d\"\"2\";minor\n\"d\"\"3\";minor\n"
                                                         "\"d\"\"4\";none\n"));
    copy_path(diseases,
              scratch_text("diseases.csv", "\"d\"\"0\";a;*\n\"d\"\"1\";a;*\n\"d\"\"2\";a;*\n"
                                           "\"d\"\"3\";b;*\n\"d\"\"4\";b;*\n"));
    copy_path(recipe_file, scratch_text("recipe.yaml",
                                        "input: table.csv\nrequire: {k: 3, alpha: [1/2, [a, b]]}\n"
                                        "columns:\n"
                                        "  age: {role: quasi, hierarchy: mask}\n"
                                        "  disease: {role: sensitive, categories: [[a], [b]]}\n"
                                        "  zip: quasi\nother: [note]\n"));
    length = (size_t)snprintf(text, sizeof text, "name,age,zip,disease\n");
    for (int i = 0; i < ROWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%d,301%02d,d%d\n", i,
                                   20 + i * 7 % 50, 20 + i % 3, i % 5);
    copy_path(people, scratch_write("people.csv", text, length));
    for (int file = 0; file < 2; file++) {
        length = (size_t)snprintf(text, sizeof text, "zip,name,age,phone\n");
        for (int i = 20 * file; i < ROWS + 40; i++) /* one differs from people.csv, one from both */
            length += (size_t)snprintf(text + length, sizeof text - length, "301%02d,%d,%d,%d\n",
                                       20 + i % 3, i, 20 + i * 7 % 50 + (i == 30 + 20 * file), i);
        copy_path(voters[file], scratch_write(file ? "second.csv" : "first.csv", text, length));
    }
    copy_path(out, scratch_name("out"));
    snprintf(publish, sizeof publish, "%s/publish", out);
    char command[600];
    snprintf(command, sizeof command, "gzip -k %s", input);
    if (system(command) != 0) return -1;
    snprintf(packed, sizeof packed, "%.240s.gz", input);
    fault_watch_jansson();
    return 0;
}

/* ---- the rounds ---- */

/* A release is there only if it is whole: its audit passes. Nothing else is left in OUT, but
 * when cleaning up itself failed; then the next run does it. */
static void check_whole(const char *title, const char *name, size_t n)
{
    DIR *folder = opendir(out);
    if (!folder) return;
    bool cleaning = strcmp(name, "opendir") == 0;
    for (struct dirent *entry; !cleaning && (entry = readdir(folder));)
        if (entry->d_name[0] == '.' && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0)
            fail_msg("%s: %s number %zu fails: '%s' is left over", title, name, n, entry->d_name);
    closedir(folder);
    if (access(publish, F_OK) != 0) return;
    bauta_error error;
    if (audit(&error) != BAUTA_OK)
        fail_msg("%s: %s number %zu fails: the release is not whole: %s", title, name, n,
                 error.message);
}

typedef bauta_status (*job)(bauta_error *error);

/* jansson takes running out of memory in the middle of a text for a fault of the text, or goes on
 * without one of its bytes: then the manifest that was read is not the one that was written, which
 * an audit notices. */
static void check_status(const char *title, fault_kind kind, const char *name, size_t n,
                         bauta_status status, const bauta_error *error)
{
    if (status == BAUTA_OK) return;
    /* BAUTA_USAGE: what is to be replaced is then no release. */
    bool noticed = status == BAUTA_INVALID || status == BAUTA_NO || status == BAUTA_INTERNAL ||
                   status == BAUTA_USAGE;
    bool jansson = strcmp(name, "malloc of jansson") == 0 && noticed;
    if (status != BAUTA_SYSTEM && !jansson)
        fail_msg("%s: %s number %zu fails: status %d, '%s'", title, name, n, (int)status,
                 error->message);
    if (error->status != status || error->message[0] == '\0')
        fail_msg("%s: %s number %zu fails: no error is filled", title, name, n);
    if (kind == FAULT_MEMORY && !jansson && strcmp(error->message, "out of memory") != 0)
        fail_msg("%s: %s number %zu fails: '%s'", title, name, n, error->message);
}

/* One round: the n-th call fails. False: the job made fewer calls. */
static bool round_of(const char *title, job work, fault_kind kind, size_t n, bool writes)
{
    const char *name;
    size_t blocks = fault_live_blocks(), descriptors = fault_open_descriptors();
    bauta_error error;
    bt_error_clear(&error);
    fault_arm(kind, n);
    bauta_status status = work(&error);
    if (!fault_disarm(&name)) {
        if (status != BAUTA_OK) fail_msg("%s: %s", title, error.message);
        return false;
    }
    check_status(title, kind, name, n, status, &error);
    if (fault_live_blocks() != blocks)
        fail_msg("%s: %s number %zu fails: %zd blocks leak", title, name, n,
                 (ssize_t)(fault_live_blocks() - blocks));
    if (fault_open_descriptors() != descriptors)
        fail_msg("%s: %s number %zu fails: a descriptor leaks", title, name, n);
    if (writes) check_whole(title, name, n);
    return true;
}

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED __has_feature(address_sanitizer)
#endif

/* Every call fails in turn. Under sanitizers, where a round takes ten times as long, a chain of
 * functions that makes many calls of one kind has its last one fail, when there is most to clean
 * up: the others go the same way, and the plain build tries them all. */
static void all_rounds(const char *title, job work, bool writes, bool keep)
{
    static const fault_kind kinds[] = {FAULT_MEMORY, FAULT_FILES};
    for (size_t k = 0; k < 2; k++) {
        if (SANITIZED) {
            bauta_error error;
            if (writes && !keep) remove_tree(out);
            fault_list(kinds[k]);
            bauta_status status = work(&error);
            size_t calls = fault_listed();
            assert_ok(status, &error);
            assert_true(calls > 0);
        }
        size_t rounds = 0;
        for (size_t n = 1;; n++) {
            if (SANITIZED && n <= fault_listed() && !fault_is_last(n)) continue;
            if (writes && !keep) remove_tree(out);
            if (!round_of(title, work, kinds[k], n, writes)) break;
            rounds++;
        }
        print_message("# %s: %zu calls of kind %zu made to fail\n", title, rounds, k);
        assert_true(rounds > 0);
    }
}

static void publish_once(void)
{
    bauta_error error;
    remove_tree(out);
    assert_ok(anonymize(&error), &error);
}

static void anonymizing(void **state)
{
    (void)state;
    all_rounds("anonymize", anonymize, true, false);
}

static void anonymizing_with_every_requirement(void **state)
{
    (void)state;
    demanding = "mondrian";
    all_rounds("anonymize with every requirement", anonymize, true, false);
    demanding = "cluster";
    all_rounds("anonymize by cluster", anonymize, true, false);
    demanding = "top-down";
    all_rounds("anonymize top-down", anonymize, true, false);
    demanding = "incognito";
    all_rounds("anonymize incognito", anonymize, true, false);
    all_rounds("anonymize incognito with dropping", anonymize_dropping, true, false);
    demanding = "incognito:local=yes";
    all_rounds("anonymize incognito locally", anonymize, true, false);
    demanding = "top-down";
    publish_once();
    all_rounds("audit of every requirement", audit, false, true);
    all_rounds("measure with categories", measure, false, true);
    all_rounds("attack on every requirement", attack, false, true);
    demanding = "incognito";
    publish_once();
    all_rounds("attack on levels", attack, false, true);
    all_rounds("describe with every requirement", describe, false, true);
    demanding = NULL;
}

static void publishing_two_tables(void **state)
{
    (void)state;
    apart = "anatomy:l=3";
    all_rounds("anatomy in two tables", anonymize, true, false);
    apart = "mondrian";
    all_rounds("two tables", anonymize_packed, true, false);
    all_rounds("two tables with little memory", anonymize_tight, true, false);
    all_rounds("audit of two tables", audit, false, true);
    all_rounds("measure of two tables", measure, false, true);
    all_rounds("query of two tables", query, false, true);
    all_rounds("attack on two tables", attack, false, true);
    learning = "support=0.1,confidence=0.1";
    all_rounds("associations of two tables", measure, false, true);
    learning = "support=0.1,confidence=0.1,from=permuted-sample";
    all_rounds("associations of a permuted sample", measure, false, true);
    apart = learning = NULL;
}

static void publishing_randomized(void **state)
{
    (void)state;
    randomizing = "randomized:p=entropy,rare=2";
    all_rounds("randomized without rare values", anonymize, true, false);
    randomizing = "randomized";
    all_rounds("randomized", anonymize, true, false);
    all_rounds("randomized with little memory", anonymize_tight, true, false);
    all_rounds("audit of randomized", audit, false, true);
    all_rounds("measure of randomized", measure, false, true);
    all_rounds("query of randomized", query, false, true);
    all_rounds("attack on randomized", attack, false, true);
    all_rounds("preview of randomized", preview, false, true);
    learning = "support=0.1,confidence=0.1";
    all_rounds("associations of randomized", measure, false, true);
    randomizing = learning = NULL;
}

static void joining_a_public_table(void **state)
{
    static const char *const kinds[] = {"refine", "refine:trim=paper", "direct:trim=safe"};
    static char before[600];
    static const char *const again[] = {"previous", before, NULL};
    (void)state;
    joins_by = "mondrian";
    joined = kinds[1];
    publish_once();
    all_rounds("attack on a trimmed join", attack, false, true);
    snprintf(before, sizeof before, "%s.before", out);
    remove_tree(before);
    assert_int_equal(rename(publish, before), 0);
    more = again;
    all_rounds("join beside an earlier release", anonymize, true, false);
    more = NULL;
    remove_tree(before);
    joined = kinds[0];
    all_rounds("join by mondrian", anonymize, true, false);
    all_rounds("audit of a join", audit, false, true);
    all_rounds("measure of a join", measure, false, true);
    all_rounds("query of a join", query, false, true);
    joins_by = "cluster:merge=borrow";
    for (size_t i = 0; i < 3; i++) {
        joined = kinds[i];
        all_rounds("join by cluster", anonymize, true, false);
    }
    all_rounds("attack on a direct join", attack, false, true);
    all_rounds("preview of a join", preview, false, true);
    hiding = "presence=0.9";
    joins_by = "mondrian";
    joined = kinds[0];
    all_rounds("join that hides who is there", anonymize, true, false);
    all_rounds("audit of a join that hides who is there", audit, false, true);
    joined = hiding = NULL;
}

static void publishing_distributions(void **state)
{
    (void)state;
    static char before[600];
    static const char *const again[] = {"previous", before, NULL};
    spread = "distribution:target=closest,fake=best:2,allocation=optimal";
    all_rounds("distribution", anonymize, true, false);
    spread_numbers = true;
    spread = "distribution:target=uniform,fake=1,allocation=random";
    all_rounds("distribution of numbers", anonymize, true, false);
    all_rounds("audit of a distribution", audit, false, true);
    all_rounds("measure of a distribution", measure, false, true);
    all_rounds("query of a distribution", query, false, true);
    spread =
        "distribution:target=uniform,fake=best:50%,allocation=optimal"; /* some groups have none,
                                                                           some are chosen */
    publish_once();
    all_rounds("attack on a distribution", attack, false, true);
    snprintf(before, sizeof before, "%s.before", out);
    remove_tree(before);
    assert_int_equal(rename(publish, before), 0);
    more = again;
    all_rounds("a distribution beside an earlier one", anonymize, true, false);
    more = NULL;
    remove_tree(before);
    spread = NULL;
    spread_numbers = false;
}

static void stores_without_files(void **state)
{
    (void)state;
    static const char *const safe[] = {"spreadsheet-safe", "yes", "keep-mapping", "yes", NULL};
    more = safe;
    plain_age = true;
    all_rounds("a store in memory", use_memory, true, false);
    all_rounds("a store of the caller's own", use_own, false, true);
    more = NULL;
    plain_age = false;
    apart = "mondrian";
    publish_once();
    all_rounds("tables of two tables", open_tables, false, true);
    apart = NULL;
    spread_numbers = true;
    spread = "distribution:target=uniform,fake=1,allocation=random";
    publish_once();
    all_rounds("tables of a distribution", open_tables, false, true);
    spread = NULL;
    spread_numbers = false;
}

/* The options of docs/mitigations.md. */
/* A plan of boxes, over numbers without a hierarchy too, and one of levels. */
static void saving_and_applying_plans(void **state)
{
    (void)state;
    static char plan[600];
    static const char *const saved[] = {"save-plan", plan, "force", "yes", NULL};
    static const char *const levels[] = {"save-plan", plan,        "force", "yes",
                                         "group",     "incognito", NULL};
    static const char *const applied[] = {"plan", plan, "previous", "none", NULL};
    snprintf(plan, sizeof plan, "%s.plan", out);
    for (int round = 0; round < 2; round++) {
        plain_age = round == 0;
        more = round == 0 ? saved : levels;
        all_rounds("anonymize and save a plan", anonymize, true, false);
        publish_once();
        more = applied;
        all_rounds("anonymize by a plan", anonymize, true, false);
        all_rounds("preview of a plan", preview, false, true);
        unlink(plan);
    }
    plain_age = false;
    more = NULL;
}

static void closing_what_attacks_find(void **state)
{
    (void)state;
    static char before[600];
    static const char *const grid[] = {
        "publish", "generalized:box=grid", "cut-points", "age=0:200:20",
        "group",   "mondrian:minimal=no",  NULL};
    static const char *const factor[] = {"group", "mondrian:minimal=9", NULL};
    static const char *const higher[] = {"group", "incognito:minimal=no", NULL};
    static const char *const levels[] = {"levels",   "age=3", "levels", "zip=1",
                                         "suppress", "0.9",   NULL};
    static const char *const again[] = {"previous", before, NULL};
    plain_age = true;
    more = grid;
    all_rounds("anonymize on a grid", anonymize, true, false);
    all_rounds("audit of a grid", audit, false, true);
    plain_age = false;
    more = factor;
    all_rounds("anonymize with a factor", anonymize, true, false);
    more = higher;
    all_rounds("anonymize at a higher level", anonymize, true, false);
    more = levels;
    all_rounds("anonymize at given levels", anonymize, true, false);
    more = NULL;
    publish_once();
    snprintf(before, sizeof before, "%s.before", out);
    remove_tree(before);
    assert_int_equal(rename(publish, before), 0);
    more = again;
    all_rounds("anonymize beside an earlier release", anonymize, true, false);
    more = NULL;
    remove_tree(before);
}

static void anonymizing_persons(void **state)
{
    (void)state;
    counting = "apart";
    all_rounds("anonymize persons", anonymize, true, false);
    all_rounds("audit of persons", audit, false, true);
    all_rounds("attack on persons", attack, false, true);
    all_rounds("describe persons", describe, false, true);
    counting = "together";
    all_rounds("anonymize persons together", anonymize, true, false);
    all_rounds("audit of persons together", audit, false, true);
    counting = NULL;
}

static void anonymizing_with_two_threads(void **state)
{
    (void)state;
    all_rounds("anonymize with two threads", anonymize_two_threads, true, false);
}

static void anonymizing_a_compressed_table(void **state)
{
    (void)state;
    all_rounds("anonymize gzip", anonymize_packed, true, false);
    more = (const char *const[]){"spreadsheet-safe", "yes", NULL};
    all_rounds("anonymize for spreadsheets", anonymize, true, false);
    more = NULL;
}

/* A table of JSON Lines with more columns than its table of names has room for at first. */
static bauta_status describe_lines(bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    bauta_status status = bauta_recipe_new(&recipe, error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "input", scratch_name(lines), error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "quasi", "c1,c40", error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "drop", "rest", error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "threads", "1", error);
    if (status == BAUTA_OK) status = bauta_recipe_set(recipe, "tmp", scratch_path, error);
    if (status == BAUTA_OK) status = bauta_describe(recipe, &report, error);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}

static void reading_json_lines(void **state)
{
    (void)state;
    char text[4000], command[600];
    size_t used = 0;
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 40; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\"c%d\":\"\\u00e9%d\"",
                                     i ? "," : "{", i + 1, i % (row + 1));
        used += (size_t)snprintf(text + used, sizeof text - used, "}\n");
    }
    const char *file = scratch_write("lines.jsonl", text, used);
    snprintf(command, sizeof command, "gzip -kf '%s'", file);
    assert_int_equal(system(command), 0);
    lines = "lines.jsonl";
    all_rounds("describe JSON Lines", describe_lines, false, true);
    lines = "lines.jsonl.gz";
    all_rounds("describe compressed JSON Lines", describe_lines, false, true);
}

static void anonymizing_with_little_memory(void **state)
{
    (void)state;
    all_rounds("anonymize with little memory", anonymize_tight, true, false);
}

/* A release that is there stays whole, the old one or the new one. */
static void replacing_a_release(void **state)
{
    (void)state;
    publish_once();
    all_rounds("replace", replace, true, true);
    assert_int_equal(access(publish, F_OK), 0);
}

static void auditing(void **state)
{
    (void)state;
    publish_once();
    all_rounds("audit", audit, false, true);
    copy_path(wrong_table, scratch_text("halves.csv", "age,zip,note,disease\n20.5,30121,1,d\n"));
    all_rounds("audit by a table of another type", audit_wrong_table, false, true);
    copy_path(wrong_table, scratch_text("narrow.csv", "age,note,disease\n20,1,d\n"));
    all_rounds("audit by a table without a column", audit_wrong_table, false, true);
}

static void measuring(void **state)
{
    (void)state;
    publish_once();
    all_rounds("measure", measure, false, true);
    /* A page is made of an audit, of measures and of attacks, whose calls fail elsewhere. */
    for (size_t n = 1; round_of("show a page", show_page, FAULT_MEMORY, n, false); n += 1 + n / 8)
        ;
    for (size_t n = 1; round_of("show a page", show_page, FAULT_FILES, n, false); n += 1 + n / 8)
        ;
}

static void querying(void **state)
{
    (void)state;
    publish_once();
    all_rounds("query", query, false, true);
}

static void looking_at_a_table(void **state)
{
    (void)state;
    all_rounds("init", init, false, true);
    all_rounds("describe", describe, false, true);
    more = (const char *const[]){"risk", "yes", "sampling-fraction", "0.3", NULL};
    all_rounds("describe the risk", describe, false, true);
    more = NULL;
    all_rounds("preview", preview, false, true);
    all_rounds("hierarchy", show_hierarchy, false, true);
}

/* Allocations only: what the first two do with files is their standard output or a library's, and
 * the third does nothing with files. */
static void small_calls(void **state)
{
    (void)state;
    for (size_t n = 1; round_of("list", list, FAULT_MEMORY, n, false); n++)
        ;
    for (size_t n = 1; round_of("recipe", load_recipe, FAULT_MEMORY, n, false); n++)
        ;
    for (size_t n = 1; round_of("describe a stream", describe_stream, FAULT_MEMORY, n, false); n++)
        ;
    all_rounds("synth", synth, false, true);
}

/* Many releases are made and measured, whose own calls fail above: of the calls here fewer fail,
 * the later they come. */
static void reproducing(void **state)
{
    (void)state;
    size_t rounds = 0;
    for (size_t n = 1; round_of("reproduce", reproduce, FAULT_MEMORY, n, false); n += 1 + n / 8)
        rounds++;
    for (size_t n = 1; round_of("reproduce", reproduce, FAULT_FILES, n, false); n += 1 + n / 8)
        rounds++;
    print_message("# reproduce: %zu calls made to fail\n", rounds);
    assert_true(rounds > 20);
}

/* Reads and writes that move a few bytes or are interrupted change nothing. */
static void short_reads_and_writes(void **state)
{
    (void)state;
    char whole[600], shortened[600], command[1400];
    bauta_error error;
    publish_once();
    snprintf(whole, sizeof whole, "%s/whole", scratch_path);
    snprintf(shortened, sizeof shortened, "%s/publish", out);
    assert_int_equal(rename(publish, whole), 0);
    remove_tree(out);
    fault_shorten(5);
    bauta_status status = anonymize(&error);
    fault_shorten(0);
    assert_ok(status, &error);
    snprintf(command, sizeof command, "diff -r %s %s", whole, shortened);
    assert_int_equal(system(command), 0);
    fault_shorten(7);
    status = audit(&error);
    fault_shorten(0);
    assert_ok(status, &error);
}

/* With "2/6" only the second of six parts, so that processors can share the work. */
int main(int count, char **arguments)
{
    size_t part = 1, parts = 1, chosen = 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anonymizing),
        cmocka_unit_test(anonymizing_with_every_requirement),
        cmocka_unit_test(publishing_two_tables),
        cmocka_unit_test(publishing_randomized),
        cmocka_unit_test(joining_a_public_table),
        cmocka_unit_test(publishing_distributions),
        cmocka_unit_test(saving_and_applying_plans),
        cmocka_unit_test(closing_what_attacks_find),
        cmocka_unit_test(stores_without_files),
        cmocka_unit_test(anonymizing_persons),
        cmocka_unit_test(anonymizing_with_two_threads),
        cmocka_unit_test(anonymizing_a_compressed_table),
        cmocka_unit_test(reading_json_lines),
        cmocka_unit_test(anonymizing_with_little_memory),
        cmocka_unit_test(replacing_a_release),
        cmocka_unit_test(auditing),
        cmocka_unit_test(measuring),
        cmocka_unit_test(querying),
        cmocka_unit_test(looking_at_a_table),
        cmocka_unit_test(small_calls),
        cmocka_unit_test(reproducing),
        cmocka_unit_test(short_reads_and_writes),
    };
    struct CMUnitTest mine[sizeof tests / sizeof *tests];
    if (count > 1 && (sscanf(arguments[1], "%zu/%zu", &part, &parts) != 2 || part - 1 >= parts))
        return 2;
    for (size_t i = part - 1; i < sizeof tests / sizeof *tests; i += parts)
        mine[chosen++] = tests[i];
    return _cmocka_run_group_tests("tests", mine, chosen, prepare, scratch_empty);
}
