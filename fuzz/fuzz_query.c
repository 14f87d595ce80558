/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as a query: refused with the place where it goes wrong, or answered over a small release
 * of each form, always alike, with an estimate inside an interval that is not empty (but that of a
 * randomized release may be outside what a count can be).
 */
#include "fuzz.h"

#include "query/query.h"
#include "spec/sql.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "{\"release\":\"0123456789abcdef0123456789abcdef\",\"version\":\"0\",\"method\":\"m\","        \
    "\"experiment\":false,\"dropped_rows\":1,\"promises\":[],\"not_protected\":\"\","

#define OTHERS                                                                                     \
    "{\"name\":\"n\",\"role\":\"other\",\"type\":\"decimal\",\"scale\":1},"                        \
    "{\"name\":\"s\",\"role\":\"sensitive\",\"type\":\"text\"}]}"

static const char generalized[] = HEAD
    "\"form\":\"generalized\",\"columns\":["
    "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\"},"
    "{\"name\":\"t\",\"role\":\"quasi\",\"type\":\"text\"},"
    "{\"name\":\"d\",\"role\":\"quasi\",\"type\":\"date\",\"hierarchy\":{\"spec\":\"date\","
    "\"leaves\":9,\"levels\":5,\"nodes\":[{\"label\":\"2000-01\",\"level\":1,\"leaves\":2}]}},"
    "{\"name\":\"m\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":{\"spec\":\"mask\","
    "\"leaves\":9,\"levels\":4,\"nodes\":[{\"label\":\"1**\",\"level\":2,\"leaves\":3}]}}," OTHERS;

static const char data[] = "a,t,d,m,n,s\n\"[1,5]\",{x|y},2000-01,1**,0.5,p\n"
                           "\"[1,5]\",{x|y},2000-01,1**,-2,q\n*,x,*,*,,\n";

static const char *const pair_format =
    HEAD "\"form\":\"two-tables\",\"remark\":\"%s\",\"columns\":["
         "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\"},"
         "{\"name\":\"t\",\"role\":\"quasi\",\"type\":\"text\"}," OTHERS;

static const char quasi[] = "a,t,n,class\n1,x,0.5,1\n2,y,1,2\n3,,,1\n,x,-2,2\n5,y,0,1\n";
static const char sensitive[] = "class,s\n2,p\n1,p\n1,q\n2,\n1,q\n";

static const char randomized[] =
    HEAD "\"form\":\"randomized\",\"lambda\":1,\"columns\":["
         "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\",\"redrawn\":\"1/2\"},"
         "{\"name\":\"t\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"1/3\"},"
         "{\"name\":\"d\",\"role\":\"quasi\",\"type\":\"date\",\"redrawn\":\"1/6\"}," OTHERS;

static const char rows[] = "a,t,d,n,s\n1,x,2000-01-01,0.5,p\n2,y,2000-01-02,1,p\n3,,,,q\n"
                           ",x,2000-02-01,-2,\n5,y,2000-01-01,0,q\n";

static const char *const join_format =
    HEAD "\"form\":\"generalized\",\"join\":\"refine\",\"remark\":\"%s\",\"columns\":["
         "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\"},"
         "{\"name\":\"t\",\"role\":\"quasi\",\"type\":\"text\"},"
         "{\"name\":\"n\",\"role\":\"sensitive\",\"type\":\"decimal\",\"scale\":1},"
         "{\"name\":\"s\",\"role\":\"sensitive\",\"type\":\"text\"}]}";

static const char joined[] = "a,t,sensitive_group\n\"[1,5]\",{x|y},1\n\"[1,5]\",{x|y},1\n"
                             "3,x,1\n*,x,2\n*,x,2\n\"[1,5]\",{x|y},2\n";
static const char bags[] = "sensitive_group,n,s\n1,0.5,p\n1,-2,q\n2,,\n2,7,p\n";

/* ---- releases, made once ---- */

enum { RELEASES = 4 };

typedef struct opened {
    bt_release release;
    bt_queryable *queryable;
} opened;

static char folder[] = "/tmp/bauta-fuzz-XXXXXX";

static void write_file(const char *name, const char *bytes, size_t length)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    fuzz_check(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "writing");
}

static void remove_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void open_release(opened *out, const bt_run *run)
{
    fuzz_check(bt_release_open(folder, run, &out->release, NULL) == BAUTA_OK, "opening");
    fuzz_check(bt_release_code_others(&out->release, run, NULL) == BAUTA_OK, "opening");
    fuzz_check(bt_queryable_open(&out->release, run, &out->queryable, NULL) == BAUTA_OK, "opening");
}

static void write_pair(void)
{
    char manifest[4096];
    bt_arena arena = {0};
    bt_manifest read;
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    const bt_manifest pair = {.form = "two-tables"};
    int length =
        snprintf(manifest, sizeof manifest, pair_format, bt_reading_find(&pair)->remark(&pair));
    write_file("manifest.json", manifest, (size_t)length);
    write_file("quasi.csv", quasi, sizeof quasi - 1);
    write_file("sensitive.csv", sensitive, sizeof sensitive - 1);
    fuzz_check(bt_manifest_read(manifest, (size_t)length, &arena, &read, NULL) == BAUTA_OK, "read");
    fuzz_check(bt_sql_write(&read, texts, NULL) == BAUTA_OK, "memory");
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        write_file(bt_sql_names[i], texts[i].bytes, texts[i].length);
        bt_buffer_release(&texts[i]);
    }
    bt_arena_release(&arena);
}

static void write_join(void)
{
    char manifest[4096];
    const bt_manifest join = {.form = "generalized", .join.kind = BT_JOIN_REFINE};
    int length =
        snprintf(manifest, sizeof manifest, join_format, bt_reading_find(&join)->remark(&join));
    write_file("manifest.json", manifest, (size_t)length);
    write_file("data.csv", joined, sizeof joined - 1);
    write_file("sensitive.csv", bags, sizeof bags - 1);
}

static const opened *open_releases(void)
{
    static opened releases[RELEASES];
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    if (releases[0].queryable) return releases;
    fuzz_check(mkdtemp(folder), "folder");
    fuzz_check(bt_pool_new(1, &run.pool, NULL) == BAUTA_OK, "memory");
    write_file("manifest.json", generalized, sizeof generalized - 1);
    write_file("data.csv", data, sizeof data - 1);
    open_release(&releases[0], &run);
    remove_file("data.csv");
    write_pair();
    open_release(&releases[1], &run);
    for (size_t i = 0; i < BT_SQL_FILES; i++)
        remove_file(bt_sql_names[i]);
    remove_file("quasi.csv");
    write_join();
    open_release(&releases[2], &run);
    remove_file("data.csv");
    remove_file("sensitive.csv");
    write_file("manifest.json", randomized, sizeof randomized - 1);
    write_file("data.csv", rows, sizeof rows - 1);
    open_release(&releases[3], &run);
    remove_file("data.csv");
    remove_file("manifest.json");
    rmdir(folder);
    bt_pool_free(run.pool);
    return releases;
}

/* ---- questions ---- */

static void check_answer(const bt_answer *answer)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    if (low->open || high->open) return;
    fuzz_check(low->top * high->bottom <= high->top * low->bottom, "an empty interval");
    if (!answer->has_estimate || (answer->statistics.used && !answer->tight)) return;
    fuzz_check(answer->estimate >= bt_bound_round(low, answer->scale, false) &&
                   answer->estimate <= bt_bound_round(high, answer->scale, true),
               "an estimate outside");
}

static void ask(const bt_queryable *queryable, const char *text)
{
    static const bt_query_options options = {.explain = true};
    bt_answer first, second;
    bauta_error error;
    bauta_status status = bt_query(queryable, text, &options, &first, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "fails oddly");
    fuzz_check(status == BAUTA_OK || error.message[0], "fails without a word");
    if (status == BAUTA_OK) {
        check_answer(&first);
        fuzz_check(bt_query(queryable, text, &options, &second, NULL) == BAUTA_OK, "fails later");
        fuzz_check(first.lower.top == second.lower.top && first.upper.top == second.upper.top &&
                       first.tight == second.tight,
                   "answers differ");
        bt_answer_release(&second);
    }
    bt_answer_release(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data_in, size_t size)
{
    const opened *releases = open_releases();
    char *text = malloc(size + 1);
    fuzz_check(text, "memory");
    memcpy(text, data_in, size);
    text[size] = '\0';
    for (size_t i = 0; i < RELEASES; i++)
        ask(releases[i].queryable, text);
    free(text);
    return 0;
}
