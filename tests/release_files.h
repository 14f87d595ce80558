/* SPDX-License-Identifier: Apache-2.0
 *
 * Small releases written by hand into the scratch folder, and what an audit or the measures say
 * of them.
 */
#ifndef BT_TEST_RELEASE_FILES_H
#define BT_TEST_RELEASE_FILES_H

#include "scratch.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/run.h"
#include "reading/words.h"
#include "report/report.h"
#include "spec/basis.h"
#include "spec/sql.h"

/* Columns of a manifest, for test_manifest. */
#define TEST_QUASI_INTEGER(name) "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"integer\"}"
#define TEST_QUASI_TEXT(name) "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"text\"}"
#define TEST_SENSITIVE(name) "{\"name\":\"" name "\",\"role\":\"sensitive\",\"type\":\"text\"}"
#define TEST_OTHER(name, type) "{\"name\":\"" name "\",\"role\":\"other\",\"type\":\"" type "\"}"

typedef struct test_release {
    unsigned format;             /* 0: that of version 0.1.0 */
    const char *form, *promises; /* NULL: generalized or two-tables, k=2 */
    bool experiment;
    long long dropped;
    const char *columns; /* comma-separated objects */
    const char *data;
    const char *quasi, *sensitive; /* two-tables, instead of data */
    const char *remark;            /* NULL: the one that the form has */
    const char *not_protected;     /* NULL: the words that follow from the rest */
    unsigned lambda;               /* randomized; 0: other forms */
    const char *join;              /* with a public table: data, and perhaps sensitive */
} test_release;

/* Writes the SQL files that follow from a manifest. */
static inline void test_sql_write(const char *name, const bt_buffer *manifest)
{
    bt_arena arena = {0};
    bt_manifest read;
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_error error;
    char file[128];
    assert_ok(bt_manifest_read(manifest->bytes, manifest->length, &arena, &read, &error), &error);
    assert_ok(bt_sql_write(&read, texts, &error), &error);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        snprintf(file, sizeof file, "%s/%s", name, bt_sql_names[i]);
        scratch_write(file, texts[i].bytes, texts[i].length);
        bt_buffer_release(&texts[i]);
    }
    bt_arena_release(&arena);
}

/* The words that follow from a manifest. */
static inline bt_words test_words(const bt_manifest *manifest, bt_arena *arena)
{
    bt_words_basis basis;
    bt_words words;
    bauta_error error;
    assert_ok(bt_words_basis_of(manifest, arena, &basis, &error), &error);
    assert_ok(bt_words_compose(manifest, &basis, arena, &words, &error), &error);
    return words;
}

/* Prints the manifest; fields that are NULL are left out, or are those of the form. */
static inline void test_manifest_print(bt_buffer *text, const test_release *release,
                                       const char *not_protected, const char *remark)
{
    bauta_error error;
    const char *form = release->form    ? release->form
                       : release->quasi ? "two-tables"
                                        : "generalized";
    char lambda[32] = "", format[64] = "";
    if (release->lambda) snprintf(lambda, sizeof lambda, "\"lambda\":%u,", release->lambda);
    if (release->format)
        snprintf(format, sizeof format, "\"format\":%u,\"counts\":\"rows\",\"protected\":\"\",",
                 release->format);
    assert_ok(
        bt_buffer_print(text, &error,
                        "{%s\"release\":\"0123456789abcdef0123456789abcdef\",\"version\":\"0.1.0\","
                        "\"form\":\"%s\",\"method\":\"%s\",\"experiment\":%s,"
                        "\"dropped_rows\":%lld,\"promises\":[%s],\"not_protected\":\"%s\","
                        "%s%s%s%s%s%s%s\"columns\":[%s]}\n",
                        format, form, release->lambda ? "none" : "mondrian",
                        release->experiment ? "true" : "false", release->dropped,
                        release->promises ? release->promises : "{\"name\":\"k\",\"value\":\"2\"}",
                        not_protected, release->join ? "\"join\":\"" : "",
                        release->join ? release->join : "", release->join ? "\"," : "",
                        remark ? "\"remark\":\"" : "", remark ? remark : "", remark ? "\"," : "",
                        lambda, release->columns),
        &error);
}

/* The manifest with the words that follow from it, where the release has no others. A manifest that
 * is malformed has none. */
static inline void test_manifest_make(bt_buffer *text, const test_release *release)
{
    bt_arena arena = {0};
    bt_buffer wordless = {0};
    bt_manifest read;
    bt_words words = {.not_protected = ""};
    test_manifest_print(&wordless, release, "", NULL);
    if (bt_manifest_read(wordless.bytes, wordless.length, &arena, &read, NULL) == BAUTA_OK)
        words = test_words(&read, &arena);
    test_manifest_print(text, release,
                        release->not_protected ? release->not_protected : words.not_protected,
                        release->remark ? release->remark : words.remark);
    bt_buffer_release(&wordless);
    bt_arena_release(&arena);
}

/* Writes NAME/manifest.json and NAME/data.csv, or the files of two-tables; returns the folder. */
static inline const char *test_release_write(const char *name, const test_release *release)
{
    static char folder[256];
    char file[128];
    bt_buffer text = {0};
    snprintf(folder, sizeof folder, "%s/%s", scratch_path, name);
    mkdir(folder, 0700);
    test_manifest_make(&text, release);
    snprintf(file, sizeof file, "%s/manifest.json", name);
    scratch_write(file, text.bytes, text.length);
    if (release->quasi) test_sql_write(name, &text);
    bt_buffer_release(&text);
    snprintf(file, sizeof file, "%s/%s", name, release->quasi ? "quasi.csv" : "data.csv");
    scratch_text(file, release->quasi ? release->quasi : release->data);
    snprintf(file, sizeof file, "%s/sensitive.csv", name);
    if (release->sensitive) scratch_text(file, release->sensitive);
    return folder;
}

static inline void test_run_open(bt_run *run, unsigned threads)
{
    bauta_error error;
    *run = (bt_run){.memory = 1 << 20, .tmp = "/tmp"};
    assert_ok(bt_seed_fresh(&run->seed, &error), &error);
    assert_ok(bt_pool_new(threads, &run->pool, &error), &error);
}

/* A recipe that names the original. */
static inline bauta_recipe *test_original(const char *file, const char *threads)
{
    bauta_recipe *recipe;
    bauta_error error;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    if (file) assert_ok(bauta_recipe_set(recipe, "input", file, &error), &error);
    return recipe;
}

/* The finding of a promise, NULL when there is none. */
static inline const json_t *test_finding(const json_t *facts, const char *promise)
{
    const json_t *findings = json_object_get(facts, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        const char *name = json_string_value(json_object_get(finding, "promise"));
        if (name && strcmp(name, promise) == 0) return finding;
    }
    return NULL;
}

/* 1: holds, 0: does not, -1: unverifiable, -2: there is no such finding. */
static inline int test_verdict(const json_t *facts, const char *promise)
{
    const json_t *finding = test_finding(facts, promise);
    if (!finding) return -2;
    const json_t *holds = json_object_get(finding, "holds");
    return json_is_string(holds) ? -1 : json_is_true(holds);
}

#endif
