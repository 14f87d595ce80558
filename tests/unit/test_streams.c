/* SPDX-License-Identifier: Apache-2.0
 *
 * What random streams are keyed by: the digest of values in their order, which is the same however
 * they are written down and read; and which parts of a table and a recipe make other streams.
 */
#include "attacks.h"
#include "jobs.h"

#include "base/digest.h"
#include "io/chain.h"
#include "io/input.h"
#include "recipe/recipe.h"

/* ---- sums modulo 2^127 - 1 ---- */

static bt_chain_key key_of(const char *hex)
{
    bt_seed seed;
    bt_chain_key key;
    assert_true(bt_seed_parse(hex, &seed));
    bt_chain_key_make(&seed, &key);
    return key;
}

/* By doubling and adding, one bit at a time. */
static bt_element slow_product(bt_element a, bt_element b)
{
    const bt_element prime = ((bt_element)1 << 127) - 1;
    bt_element product = 0;
    for (a %= prime, b %= prime; b > 0; b >>= 1) {
        if (b & 1) product = (product + a) % prime;
        a = (a + a) % prime;
    }
    return product;
}

static void assert_element(bt_element found, bt_element expected)
{
    unsigned char a[16], b[16];
    bt_element_write(found, a);
    bt_element_write(expected, b);
    assert_memory_equal(a, b, sizeof a);
}

static void a_digest_is_a_polynomial(void **state)
{
    (void)state;
    const bt_element prime = ((bt_element)1 << 127) - 1, most = ((bt_element)1 << 125) - 1;
    uint64_t random = 9;
    for (int trial = 0; trial < 50; trial++) {
        char hex[32];
        snprintf(hex, sizeof hex, "%x", trial + 1);
        bt_chain_key key = key_of(hex);
        if (trial == 0) key.place = ((bt_element)1 << 124) - 1; /* the greatest there is */
        bt_element found = 0, expected = 0;
        for (int i = 0; i < 100; i++) {
            bt_element value = (bt_element)test_random(&random) << 61 ^ test_random(&random);
            value = trial < 2 ? most : value & most;
            found = bt_chain_step(&key, found, value);
            expected = (slow_product(expected, key.place) + value) % prime;
            assert_element(found, expected);
        }
    }
}

static void parts_are_joined(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    bt_chain_key key = key_of("77");
    bt_element values[COUNT], whole = 0;
    for (int i = 0; i < COUNT; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%d and %s", i, i % 2 ? "so on and so on" : "");
        values[i] = bt_element_of(&key, text, (size_t)length);
        whole = bt_chain_step(&key, whole, values[i]);
    }
    for (int cut = 0; cut <= COUNT; cut++) {
        bt_element parts[2] = {0, 0};
        for (int i = 0; i < COUNT; i++)
            parts[i >= cut] = bt_chain_step(&key, parts[i >= cut], values[i]);
        assert_element(bt_chain_join(&key, parts[0], parts[1], COUNT - cut), whole);
    }
}

static void texts_are_told_apart(void **state)
{
    (void)state;
    bt_chain_key key = key_of("5");
    static const char bytes[40] = "abcdefghijklmnopqrstuvwxyz";
    bt_element seen[2 * sizeof bytes];
    size_t count = 0;
    for (size_t length = 0; length < sizeof bytes; length++) /* with zeros behind the letters */
        seen[count++] = bt_element_of(&key, bytes, length);
    for (size_t length = 1; length < sizeof bytes; length++)
        seen[count++] = bt_element_of(&key, bytes + 1, length);
    for (size_t i = 0; i < count; i++) {
        assert_true(seen[i] >> 125 == 0);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
    }
}

/* ---- what was read ---- */

typedef struct source {
    const char *text;
    bt_encoding encoding;
    bool decimal_comma;
} source;

/* The digests of the two columns of a table, which are checked and only read. */
static void digests_of(const source *from, unsigned threads, size_t block,
                       unsigned char found[2][BT_CHAIN_BYTES])
{
    static const char *const missing[] = {"NA", "?"};
    const char *file = scratch_text("table.csv", from->text);
    const bt_chain_key key = key_of("1234");
    const bt_use uses[] = {BT_USE_CHECK, BT_USE_READ};
    bt_run with = {.memory = 1 << 20, .tmp = "/tmp"};
    bauta_error error;
    bt_input *input;
    bt_raw *raw;
    const bt_input_options options = {.files = &file,
                                      .count = 1,
                                      .encoding = from->encoding,
                                      .decimal_comma = from->decimal_comma,
                                      .missing = {.tokens = missing, .count = 2},
                                      .chain = &key,
                                      .block_bytes = block};
    assert_ok(bt_pool_new(threads, &with.pool, &error), &error);
    assert_ok(bt_input_open(&options, &with, &input, &error), &error);
    assert_ok(bt_input_read(input, uses, &with, &raw, &error), &error);
    for (size_t c = 0; c < 2; c++) {
        const bt_check *check = bt_raw_check(raw, c);
        bt_reading reading =
            bt_reading_of(check->forms, from->decimal_comma, check->missing < bt_raw_rows(raw));
        bt_raw_chain(raw, input, c, &reading, found[c]);
    }
    bt_raw_free(raw);
    bt_input_close(input);
    bt_pool_free(with.pool);
}

static bool same_digests(const source *one, const source *other)
{
    unsigned char a[2][BT_CHAIN_BYTES], b[2][BT_CHAIN_BYTES], again[2][BT_CHAIN_BYTES];
    digests_of(one, 1, 0, a);
    digests_of(other, 1, 0, b);
    for (size_t block = 1; block < 40; block += 6) {
        digests_of(other, 1 + (unsigned)block % 3, block, again);
        assert_memory_equal(b, again, sizeof b);
    }
    return memcmp(a, b, sizeof a) == 0;
}

static void the_same_values_have_the_same_digest(void **state)
{
    (void)state;
    static const source numbers[] = {
        {"a,b\n1.5,7\n-2,x\n,\n1000,é\n", BT_UTF8, false},
        {"a,b\r\n\"1.50\",7\r\n-2.0,\"x\"\r\nNA,?\r\n1e3,é\r\n", BT_UTF8, false},
        {"a;b\n1,5;7\n-2;x\n;NA\n1000,0;\xe9\n", BT_LATIN1, true},
        {"a\tb\n+1.5\t7\n-2\tx\n?\t\n1000\t\xe9\n", BT_WINDOWS1252, false},
    };
    for (size_t i = 1; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(same_digests(&numbers[0], &numbers[i]));
    static const source dates[] = {
        {"a,b\n2024-03-01,5\n2024-12-31,6\n", BT_UTF8, false},
        {"a,b\n01.03.2024,+5\n31.12.2024,6\n", BT_UTF8, false},
        {"a,b\n03/01/2024,5\n12/31/2024,6\n", BT_UTF8, false},
        {"a,b\n1/3/2024,5\n31/12/2024,6\n", BT_UTF8, false},
        {"a,b\n2024/03/01,5\n2024-12-31,6\n", BT_UTF8, false},
    };
    for (size_t i = 1; i < sizeof dates / sizeof *dates; i++)
        assert_true(same_digests(&dates[0], &dates[i]));
}

static void other_values_have_another_digest(void **state)
{
    (void)state;
    static const source plain = {"a,b\n1.5,7\n2,8\n3,8\n", BT_UTF8, false};
    static const source others[] = {
        {"a,b\n1.5,7\n3,8\n2,8\n", BT_UTF8, false},      /* another order */
        {"a,b\n1.5,7\n2,8\n3,9\n", BT_UTF8, false},      /* of the column that is not published */
        {"a,b\n1.5,7\n2,8\n3,8\n3,8\n", BT_UTF8, false}, /* a row more */
        {"a,b\n15,7\n2,8\n3,8\n", BT_UTF8, false},       /* the point is no ornament */
        {"a,b\n1.50,7\n2,8\nthree,8\n", BT_UTF8, false}, /* zeros in text are no ornament */
        {"a,b\n1.5,7\n2,8\nthree,8\n", BT_UTF8, false},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(same_digests(&plain, &others[i]));
        for (size_t j = 0; j < i; j++)
            assert_false(same_digests(&others[i], &others[j]));
    }
}

/* ---- releases ---- */

static const char people[] = "name,age,zip,job,ill,pay\nAnn,21,101,x,flu,10\nBob,24,102,y,flu,11\n"
                             "Cid,33,101,x,cold,12\nDan,38,104,z,none,10\nEve,41,103,y,flu,11\n"
                             "Fay,47,102,x,cold,10\nGus,52,104,z,none,12\nHal,58,101,y,cold,12\n";

#define ROLES(...)                                                                                 \
    SETTINGS({"identifier", "name"}, {"quasi", "age,zip"}, {"sensitive", "ill"}, {"other", "pay"}, \
             {"drop", "job"}, __VA_ARGS__)

/* The id of a release, which follows from the streams. */
static const char *id_of(const char *text, const setting *settings)
{
    static char ids[64][40];
    static size_t next;
    char path[400];
    bauta_error error;
    json_error_t ignored;
    use_new_folder(NULL);
    assert_ok(run(scratch_text("people.csv", text), settings, NULL, &error), &error);
    snprintf(path, sizeof path, "%s/manifest.json", publish);
    json_t *manifest = json_load_file(path, 0, &ignored);
    assert_non_null(manifest);
    char *id = ids[next++ % 64];
    snprintf(id, 40, "%s", json_string_value(json_object_get(manifest, "release")));
    json_decref(manifest);
    return id;
}

/* `from` replaced by `to` in the table. */
static const char *changed(const char *from, const char *to)
{
    static char text[2000];
    const char *at = strstr(people, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - people), people, to, at + strlen(from));
    return text;
}

static void what_is_published_makes_the_streams(void **state)
{
    (void)state;
    const char *ids[64];
    size_t count = 0;
    char spec[300];
    snprintf(spec, sizeof spec, "zip=%s", scratch_text("tree.csv", "101;1\n102;1\n103;2\n104;2\n"));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}));
    ids[count++] = id_of(people, ROLES({"require", "k=3"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2,l=2"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"group", "cluster"}));
    ids[count++] =
        id_of(people, ROLES({"require", "k=2"}, {"group", "mondrian:order=round-robin"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"publish", "two-tables"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"suppress", "0.1"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"missing", "drop"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"joint", "none"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"spreadsheet-safe", "yes"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"weight", "age=2"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"type", "zip=text"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"subject", "name"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"hierarchy", "age=intervals:10"}));
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"hierarchy", spec}));
    scratch_text("tree.csv", "101;1\n102;1\n103;2\n104;3\n");
    ids[count++] = id_of(people, ROLES({"require", "k=2"}, {"hierarchy", spec}));
    ids[count++] =
        id_of(people, SETTINGS({"identifier", "name"}, {"quasi", "age,zip"}, {"sensitive", "ill"},
                               {"drop", "job,pay"}, {"require", "k=2"}));
    for (int dropped = 0; dropped < 2; dropped++) /* a record more, which is not published */
        ids[count++] = id_of(changed("Hal", dropped ? "Ida,,101,x,flu,10\nHal" : "Hal"),
                             SETTINGS({"quasi", "age,zip"}, {"sensitive", "ill"}, {"drop", "rest"},
                                      {"missing", "drop"}, {"require", "k=2"}));
    static const char *const changes[][2] = {
        {"Ann", "Ana"},       {"21,101", "22,101"}, {"x,flu,10", "x,cold,10"},
        {"flu,10", "flu,11"}, {"pay\n", "wages\n"}, {"Hal,58,101,y,cold,12\n", ""}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bool named = strncmp(changes[i][1], "wages", 5) == 0;
        const char *text = changed(changes[i][0], changes[i][1]);
        ids[count++] = named ? id_of(text, SETTINGS({"identifier", "name"}, {"quasi", "age,zip"},
                                                    {"sensitive", "ill"}, {"other", "wages"},
                                                    {"drop", "job"}, {"require", "k=2"}))
                             : id_of(text, ROLES({"require", "k=2"}));
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(ids[i], ids[j]) == 0) fail_msg("%zu and %zu have one id", j, i);
}

static void nothing_else_does(void **state)
{
    (void)state;
    const char *id = id_of(people, ROLES({"require", "k=2"}));
    assert_string_equal(id_of(people, ROLES({"require", "k=2"})), id);
    assert_string_equal(id_of(people, ROLES({"require", " k=2 "}, {"threads", "3"})), id);
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"memory", "1M"})), id);
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"keep-mapping", "yes"})), id);
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"unique-limit", "0.9"})), id);
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"accept-other", "pay"})), id);
    assert_string_equal(id_of(changed("x,flu", "w,flu"), ROLES({"require", "k=2"})), id);
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"group", "mondrian"})), id);
    id = id_of(people, ROLES({"require", "k=2,t=0.9:equal"}));
    assert_string_equal(id_of(people, ROLES({"require", "k=2,t=0.9"})), id);
    assert_string_not_equal(id_of(people, ROLES({"require", "k=2,t=0.8"})), id);
}

/* By what they say, not by where they are. */
static void files_count_by_their_contents(void **state)
{
    (void)state;
    static const char weights[] = "flu,4\ncold,3\nnone,2\n";
    char first[300], second[300];
    snprintf(first, sizeof first, "distribution:target=%s", scratch_text("one.csv", weights));
    snprintf(second, sizeof second, "distribution:target=%s", scratch_text("two.csv", weights));
    const char *id = id_of(people, ROLES({"require", "l=2"}, {"publish", first}));
    assert_string_equal(id_of(people, ROLES({"require", "l=2"}, {"publish", second})), id);
    scratch_text("two.csv", "flu,4\ncold,4\nnone,2\n");
    assert_string_not_equal(id_of(people, ROLES({"require", "l=2"}, {"publish", second})), id);
    snprintf(first, sizeof first, "zip=%s", scratch_text("a.csv", "101;1\n102;1\n103;2\n104;2\n"));
    snprintf(second, sizeof second, "zip=%s",
             scratch_text("b.csv", "101,1\n102,1\n103,2\n104,2\n"));
    id = id_of(people, ROLES({"require", "k=2"}, {"hierarchy", first}));
    assert_string_equal(id_of(people, ROLES({"require", "k=2"}, {"hierarchy", second})), id);
}

static void public_tables_count(void **state)
{
    (void)state;
    char public[300];
    snprintf(public, sizeof public, "%s",
             scratch_text("public.csv", "name,age,zip\nIda,22,101\nJim,40,104\n"));
#define PLAIN                                                                                      \
    SETTINGS({"identifier", "name"}, {"quasi", "age,zip"}, {"sensitive", "ill"},                   \
             {"drop", "job,pay"}, {"require", "k=2"}, {"public", public}, {"key", "name"})
    const char *id = id_of(people, PLAIN);
    assert_string_equal(id_of(people, PLAIN), id);
    scratch_text("public.csv", "name,age,zip\nIda,22,101\nJim,41,104\n");
    assert_string_not_equal(id_of(people, PLAIN), id);
    scratch_text("public.csv", "name,age,zip\nIda,22,101\nJan,40,104\n");
    assert_string_not_equal(id_of(people, PLAIN), id);
}

/* ---- two releases of one table ---- */

/* Made-up people, one record or `rows` of them. */
static const char *town(int64_t rows)
{
    bauta_error error;
    bt_buffer text = {0};
    uint64_t random = 8;
    assert_ok(bt_buffer_print(&text, &error, "age,zip,ill\n"), &error);
    for (int64_t i = 0; i < rows; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%d,%s\n", 20 + (int)test_below(&random, 60),
                                  100 + (int)test_below(&random, 90),
                                  test_below(&random, 3) ? "flu" : "cold"),
                  &error);
    const char *file = scratch_write("town.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void publish_town(int64_t rows, const setting *settings, const bt_seed *streams,
                         char *folder)
{
    bauta_error error;
    bauta_recipe *recipe = make_recipe(town(rows), settings);
    recipe->fixed_streams = streams;
    use_new_folder(NULL);
    assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
    snprintf(folder, 300, "%s", publish);
    bauta_recipe_free(recipe);
}

/* Whether `attack --other-release` finds them in one order. */
static void compare_orders(const char *one, const char *other, bool holds)
{
    char argument[400];
    snprintf(argument, sizeof argument, "other-release=%s", other);
    bauta_report *report =
        try_attacks(one, town(600), ARGUMENTS(argument, "attack=position"), holds);
    assert_int_equal(outcome_of(find_result(report, "position", "other release")), holds);
    bauta_report_free(report);
}

#define TOWN(...) SETTINGS({"sensitive", "ill"}, __VA_ARGS__)

static void one_seed_makes_unrelated_orders(void **state)
{
    (void)state;
    static const bt_seed same = {{9}};
    for (int keyed = 0; keyed < 2; keyed++) {
        const bt_seed *streams = keyed ? NULL : &same; /* NULL: as they are keyed; else as of old */
        char five[300], ten[300], age[300], zip[300], pair[300], drawn[300], fewer[300];
        publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=5"}), streams, five);
        publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=10"}), streams, ten);
        publish_town(600, TOWN({"quasi", "age"}, {"drop", "zip"}, {"require", "k=2"}), streams,
                     age);
        publish_town(600, TOWN({"quasi", "zip"}, {"drop", "age"}, {"require", "k=2"}), streams,
                     zip);
        publish_town(600, TOWN({"quasi", "age,zip"}, {"publish", "randomized"}), streams, drawn);
        publish_town(599, TOWN({"quasi", "age,zip"}, {"require", "k=5"}), streams, fewer);
        publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=3"}, {"publish", "two-tables"}),
                     streams, pair);
        compare_orders(five, ten, keyed);
        compare_orders(ten, five, keyed);
        compare_orders(age, zip, keyed);
        compare_orders(five, drawn, keyed);
        compare_orders(five, fewer, keyed);
        compare_orders(pair, five, true); /* the files of other forms always had other streams */
    }
}

/* What tests fix is the seed itself: another one makes another order. */
static void other_fixed_streams_make_another_order(void **state)
{
    (void)state;
    static const bt_seed seeds[2] = {{{9}}, {{10}}};
    char one[300], other[300];
    publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=5"}), &seeds[0], one);
    publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=10"}), &seeds[1], other);
    compare_orders(one, other, true);
}

static void a_copy_is_not_compared(void **state)
{
    (void)state;
    char one[300], again[300];
    publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=5"}), NULL, one);
    publish_town(600, TOWN({"quasi", "age,zip"}, {"require", "k=5"}), NULL, again);
    char argument[400];
    snprintf(argument, sizeof argument, "other-release=%s", again);
    bauta_report *report =
        try_attacks(one, town(600), ARGUMENTS(argument, "attack=position"), true);
    const json_t *result = find_result(report, "position", "other release");
    assert_true(json_is_null(json_object_get(result, "holds")));
    assert_non_null(strstr(json_string_value(json_object_get(result, "detail")), "same release"));
    bauta_report_free(report);
}

/* A record that is dropped moves no random number of those that are published. */
static void dropped_records_do_not_move_others(void **state)
{
    (void)state;
    static const bt_seed streams = {{4}};
    static const char whole[] = "age,ill\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,a\n4,b\n";
    static const char gaps[] =
        "age,ill\n,x\n1,a\n1,b\n2,a\nNA,y\n,z\n2,b\n3,a\n3,b\n4,a\n?,a\n4,b\n";
    static const struct {
        const char *form, *file;
        setting require;
    } tries[] = {{"generalized", "data.csv", {"require", "k=2"}},
                 {"two-tables", "quasi.csv", {"require", "k=2"}},
                 {"two-tables", "sensitive.csv", {"require", "k=2"}},
                 {"distribution", "quasi.csv", {"require", "l=2"}},
                 {"randomized", "data.csv", {"threads", "2"}}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char bytes[2][4000] = {{0}};
        for (int t = 0; t < 2; t++) {
            bauta_error error;
            char path[400];
            bauta_recipe *recipe =
                make_recipe(scratch_text("t.csv", t ? gaps : whole),
                            SETTINGS({"quasi", "age"}, {"sensitive", "ill"}, {"missing", "drop"},
                                     {"publish", tries[i].form}, tries[i].require));
            recipe->fixed_streams = &streams;
            use_new_folder(NULL);
            assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
            bauta_recipe_free(recipe);
            snprintf(path, sizeof path, "%s/%s", publish, tries[i].file);
            FILE *file = fopen(path, "r");
            assert_non_null(file);
            assert_true(fread(bytes[t], 1, sizeof bytes[t] - 1, file) > 0);
            fclose(file);
        }
        assert_string_equal(bytes[0], bytes[1]);
    }
}

/* A key that is added belongs into src/api/streams.c, if it changes what is published, or here. */
static void every_key_is_accounted_for(void **state)
{
    (void)state;
    static const char *const in_streams[] = {"quasi",
                                             "sensitive",
                                             "identifier",
                                             "other",
                                             "drop",
                                             "hierarchy",
                                             "type",
                                             "categories",
                                             "weight",
                                             "min-level",
                                             "max-level",
                                             "levels",
                                             "cut-points",
                                             "subject",
                                             "subject-rows",
                                             "require",
                                             "joint",
                                             "group",
                                             "publish",
                                             "public",
                                             "key",
                                             "join",
                                             "on-conflict",
                                             "suppress",
                                             "nodes",
                                             "plan",
                                             "missing",
                                             "public-hierarchy",
                                             "spreadsheet-safe"};
    static const char *const not_published[] = {"input",
                                                "delimiter",
                                                "encoding",
                                                "decimal",
                                                "header",
                                                "missing-values",
                                                "time",
                                                "accept",
                                                "accept-other",
                                                "unique-limit",
                                                "previous",
                                                "save-plan",
                                                "seed-file",
                                                "seed",
                                                "keep-mapping",
                                                "force",
                                                "allow-experiment",
                                                "similarity",
                                                "associations",
                                                "pairs",
                                                "workload",
                                                "queries",
                                                "explain",
                                                "estimator",
                                                "risk",
                                                "risk-threshold",
                                                "sampling-fraction",
                                                "threads",
                                                "memory",
                                                "tmp"};
    for (size_t i = 0; i < bt_recipe_key_count; i++) {
        const char *name = bt_recipe_keys[i].key.name;
        int found = 0;
        for (size_t k = 0; k < sizeof in_streams / sizeof *in_streams; k++)
            found += strcmp(name, in_streams[k]) == 0;
        for (size_t k = 0; k < sizeof not_published / sizeof *not_published; k++)
            found += strcmp(name, not_published[k]) == 0;
        if (found != 1) fail_msg("does '%s' change what is published?", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_a_polynomial),
        cmocka_unit_test(parts_are_joined),
        cmocka_unit_test(texts_are_told_apart),
        cmocka_unit_test(the_same_values_have_the_same_digest),
        cmocka_unit_test(other_values_have_another_digest),
        cmocka_unit_test(what_is_published_makes_the_streams),
        cmocka_unit_test(nothing_else_does),
        cmocka_unit_test(files_count_by_their_contents),
        cmocka_unit_test(public_tables_count),
        cmocka_unit_test(one_seed_makes_unrelated_orders),
        cmocka_unit_test(other_fixed_streams_make_another_order),
        cmocka_unit_test(a_copy_is_not_compared),
        cmocka_unit_test(dropped_records_do_not_move_others),
        cmocka_unit_test(every_key_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
