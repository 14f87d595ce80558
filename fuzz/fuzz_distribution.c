/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the targets and sensitive.csv of a release of the form `distribution`: it is not
 * one, or the audit says what it thinks of it; and where that finds nothing wrong with groups and
 * targets, questions have answers that are intervals.
 *
 * The first seven bytes are weights, the rest is the file.
 */
#include "fuzz.h"

#include "audit/audit.h"
#include "query/query.h"
#include "reading/words.h"
#include "spec/sql.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WEIGHTS = 7 };

static char folder[64];

static void write_file(const char *name, const void *bytes, size_t length)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    fuzz_check(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "writing");
}

static void write_manifest(const uint8_t *weights)
{
    bt_buffer text = {0}, sql[BT_SQL_FILES] = {{0}};
    bt_arena arena = {0};
    bt_manifest manifest = {.form = "distribution"};
    bt_words words;
    fuzz_check(bt_words_compose(&manifest, NULL, &arena, &words, NULL) == BAUTA_OK, "memory");
    bauta_status status = bt_buffer_print(
        &text, NULL,
        "{\"release\":\"0123456789abcdef0123456789abcdef\",\"version\":\"0.1.0\","
        "\"form\":\"distribution\",\"method\":\"whole\",\"experiment\":false,\"dropped_rows\":0,"
        "\"promises\":[{\"name\":\"alpha\",\"value\":\"0.7\"}],\"not_protected\":\"%s\","
        "\"remark\":\"%s\",\"columns\":[{\"name\":\"age\",\"role\":\"quasi\",\"type\":\"integer\"},"
        "{\"name\":\"pay\",\"role\":\"sensitive\",\"type\":\"integer\",\"hierarchy\":{\"spec\":"
        "\"balanced:2\",\"paths\":[[\"1\",\"1..2\"],[\"2\",\"1..2\"],[\"3\",\"3..4\"],[\"4\","
        "\"3..4\"]]}}],\"targets\":[{\"weights\":[%u,%u,%u,%u,%u,%u,%u]}]}\n",
        words.not_protected, words.remark, weights[0], weights[1], weights[2], weights[3],
        weights[4], weights[5], weights[6]);
    fuzz_check(status == BAUTA_OK, "memory");
    fuzz_check(bt_manifest_read(text.bytes, text.length, &arena, &manifest, NULL) == BAUTA_OK,
               "the manifest");
    fuzz_check(bt_sql_write(&manifest, sql, NULL) == BAUTA_OK, "the SQL");
    write_file("manifest.json", text.bytes, text.length);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        write_file(bt_sql_names[i], sql[i].bytes, sql[i].length);
        bt_buffer_release(&sql[i]);
    }
    bt_buffer_release(&text);
    bt_arena_release(&arena);
}

static void ask(const bt_release *release, const bt_run *run, bool sound)
{
    static const char *const questions[] = {"SELECT SUM(pay) WHERE age < 3 AND pay > 1",
                                            "SELECT COUNT(*) WHERE pay = 2 OR age = 1",
                                            "SELECT AVG(age) WHERE pay <> 4"};
    bt_queryable *queryable;
    bauta_status status = bt_queryable_open(release, run, &queryable, NULL);
    fuzz_check(status == BAUTA_OK || (status == BAUTA_INVALID && !sound), "opening fails oddly");
    for (size_t i = 0; i < 3 && status == BAUTA_OK; i++) {
        const bt_query_options options = {0};
        bt_answer answer;
        fuzz_check(bt_query(queryable, questions[i], &options, &answer, NULL) == BAUTA_OK,
                   "asking");
        fuzz_check(answer.lower.open || answer.upper.open ||
                       answer.lower.top * answer.upper.bottom <=
                           answer.upper.top * answer.lower.bottom,
                   "not an interval");
        bt_answer_release(&answer);
    }
    bt_queryable_close(queryable);
}

static void open_release(const bt_run *run)
{
    bt_release release;
    bt_facts facts;
    bool holds;
    const bt_audit_options options = {.run = run};
    bauta_status status = bt_release_open(folder, run, &release, NULL);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "opening fails oddly");
    bt_facts_init(&facts);
    if (status == BAUTA_OK) {
        fuzz_check(bt_audit(&release, &options, &facts, &holds, NULL) == BAUTA_OK, "auditing");
        ask(&release, run, holds);
    }
    bt_facts_release(&facts);
    bt_release_close(&release);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char quasi[] = "age,group\n1,1\n2,1\n3,1\n4,1\n";
    static const char bounds[] = "group,selected,until,sum_low,sum_high,min_low,min_high,max_low,"
                                 "max_high\n1,1,4,1,4,1,4,1,4\n";
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    if (size < WEIGHTS) return 0;
    snprintf(folder, sizeof folder, "/tmp/bauta-fuzz-XXXXXX");
    fuzz_check(mkdtemp(folder) != NULL, "no folder");
    fuzz_check(bt_pool_new(1, &run.pool, NULL) == BAUTA_OK, "memory");
    write_manifest(data);
    write_file("quasi.csv", quasi, strlen(quasi));
    write_file("bounds.csv", bounds, strlen(bounds));
    write_file("sensitive.csv", data + WEIGHTS, size - WEIGHTS);
    open_release(&run);
    bt_pool_free(run.pool);
    static const char *const files[] = {"manifest.json", "quasi.csv", "sensitive.csv",
                                        "bounds.csv",    "query.sql", "load.sqlite",
                                        "load.psql"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        remove(path);
    }
    rmdir(folder);
    return 0;
}
