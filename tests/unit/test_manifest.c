/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest survives writing and reading, is canonical, and nothing malformed is read.
 */
#include "support.h"

#include "spec/manifest.h"

#include <stdio.h>
#include <string.h>

static bauta_error error;

typedef struct fixture {
    bt_arena arena;
    bt_manifest manifest;
    bt_manifest_column columns[4];
    bt_manifest_node nodes[2];
} fixture;

static const char *const flu[] = {"Flu", "Infectious"}, *const hiv[] = {"HIV", "Infectious"},
                         *const heart[] = {"Infarct", "", "Heart"}, *const missing[] = {""};

static int make_manifest(void **state)
{
    static fixture f;
    static const char *const *const paths[] = {flu, hiv, heart, missing};
    static const size_t lengths[] = {2, 2, 3, 1};
    f = (fixture){0};
    bt_hierarchy *tree;
    if (bt_hierarchy_from_paths(paths, lengths, 4, "tree", "diag", &f.arena, &tree, &error) !=
        BAUTA_OK)
        return -1;
    tree->is_public = true;
    f.nodes[0] = (bt_manifest_node){.label = "20-29", .leaves = 10, .level = 1};
    f.nodes[1] = (bt_manifest_node){.label = "25", .leaves = 1, .parent = "20-29"};
    f.columns[0] = (bt_manifest_column){.name = "age \"\xC3\xA9\n\"",
                                        .role = BT_ROLE_QUASI,
                                        .type = BT_INTEGER,
                                        .partial = "intervals:10",
                                        .nodes = f.nodes,
                                        .node_count = 2};
    f.columns[1] = (bt_manifest_column){
        .name = "diag", .role = BT_ROLE_QUASI, .type = BT_TEXT, .hierarchy = tree};
    f.columns[2] =
        (bt_manifest_column){.name = "income", .role = BT_ROLE_SENSITIVE, .type = BT_DECIMAL};
    f.columns[3] = (bt_manifest_column){.name = "", .role = BT_ROLE_OTHER, .type = BT_DATE};
    f.manifest = (bt_manifest){.format = 1,
                               .release = "0123456789abcdef0123456789abcdef",
                               .version = "0.2.0",
                               .form = "generalized",
                               .experiment = true,
                               .spreadsheet_safe = true,
                               .dropped_rows = 7,
                               .replayer = 24,
                               .protects = "which row is whose",
                               .not_protected = "who is in the table",
                               .columns = f.columns,
                               .column_count = 4};
    *state = &f;
    if (bt_method_read("mondrian:order=gain", &f.arena, &f.manifest.method, &error) != BAUTA_OK)
        return -1;
    if (bt_requirements_parse("k=5", &f.arena, &f.manifest.promises, &error) != BAUTA_OK) return -1;
    return 0;
}

static int free_manifest(void **state)
{
    fixture *f = *state;
    bt_arena_release(&f->arena);
    return 0;
}

static void assert_same_tree(const bt_hierarchy *a, const bt_hierarchy *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->leaves, b->leaves);
    assert_int_equal(a->levels, b->levels);
    assert_string_equal(a->spec, b->spec);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_string_equal(a->nodes[i].label, b->nodes[i].label);
        assert_int_equal(a->nodes[i].lo, b->nodes[i].lo);
        assert_int_equal(a->nodes[i].hi, b->nodes[i].hi);
        assert_int_equal(a->nodes[i].level, b->nodes[i].level);
        assert_int_equal(a->nodes[i].parent, b->nodes[i].parent);
    }
}

static void what_is_written_is_read_again(void **state)
{
    fixture *f = *state;
    bt_buffer text = {0}, again = {0};
    bt_manifest read;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_manifest_read(text.bytes, text.length, &f->arena, &read, &error), &error);
    assert_string_equal(read.release, f->manifest.release);
    assert_string_equal(read.version, "0.2.0");
    assert_int_equal(read.format, 1);
    assert_string_equal(read.form, "generalized");
    assert_string_equal(read.method.text, "mondrian:order=gain");
    assert_string_equal(read.method.type->name, "mondrian");
    assert_null(read.method.fault);
    assert_int_equal(bt_method_retrace(&read.method).kind, BT_RETRACE_DIVISIONS);
    assert_false(bt_method_retrace(&read.method).coins);
    assert_true(read.experiment);
    assert_true(read.spreadsheet_safe);
    assert_int_equal(read.dropped_rows, 7);
    assert_int_equal(read.replayer, 24);
    assert_null(read.unread);
    assert_int_equal(read.promises.count, 1);
    assert_string_equal(read.promises.items[0].type->name, "k");
    assert_int_equal(read.promises.items[0].values[0].integer, 5);
    assert_int_equal(read.joint, BT_JOINT_UNSAID);
    assert_int_equal(read.persons, BT_COUNT_ROWS);
    assert_string_equal(read.protects, "which row is whose");
    assert_string_equal(read.not_protected, "who is in the table");
    assert_int_equal(read.column_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(read.columns[i].name, f->columns[i].name);
        assert_int_equal(read.columns[i].role, f->columns[i].role);
        assert_int_equal(read.columns[i].type, f->columns[i].type);
        assert_int_equal(read.columns[i].scale, f->columns[i].scale);
    }
    assert_string_equal(read.columns[0].partial, "intervals:10");
    assert_int_equal(read.columns[0].partial_leaves, 0);
    assert_int_equal(read.columns[0].partial_levels, 0);
    assert_int_equal(read.columns[0].node_count, 2);
    assert_string_equal(read.columns[0].nodes[0].label, "20-29");
    assert_int_equal(read.columns[0].nodes[0].leaves, 0);
    assert_int_equal(read.columns[0].nodes[0].level, 1);
    assert_null(read.columns[0].nodes[0].parent);
    assert_string_equal(read.columns[0].nodes[1].parent, "20-29");
    assert_same_tree(read.columns[1].hierarchy, f->columns[1].hierarchy);
    assert_true(read.columns[1].hierarchy->is_public);
    assert_ok(bt_manifest_write(&read, &again, &error), &error);
    assert_int_equal(text.length, again.length);
    assert_memory_equal(text.bytes, again.bytes, text.length);
    bt_buffer_release(&text);
    bt_buffer_release(&again);
}

static void format_0_says_what_it_said(void **state)
{
    fixture *f = *state;
    bt_buffer text = {0};
    bt_manifest read;
    f->manifest.format = 0;
    f->manifest.spreadsheet_safe = false;
    f->manifest.replayer = 0;
    f->columns[0].partial_leaves = 73;
    f->columns[0].partial_levels = 3;
    f->columns[2].scale = 2;
    f->nodes[1].parent = NULL;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_manifest_read(text.bytes, text.length, &f->arena, &read, &error), &error);
    assert_int_equal(read.columns[0].partial_leaves, 73);
    assert_int_equal(read.columns[0].partial_levels, 3);
    assert_int_equal(read.columns[0].nodes[0].leaves, 10);
    assert_int_equal(read.columns[2].scale, 2);
    assert_false(read.columns[1].hierarchy->is_public);
    bt_buffer_release(&text);
}

/* What a tree was before it was cut down to the leaves that a release shows. */
static void a_sensitive_tree_keeps_its_height(void **state)
{
    fixture *f = *state;
    bt_buffer text = {0};
    bt_manifest read;
    const bool kept[] = {true, false, false, false};
    bt_hierarchy *pruned;
    const bt_hierarchy *tree = f->columns[1].hierarchy;
    assert_ok(bt_hierarchy_prune(tree, kept, "diag", &f->arena, &pruned, &error), &error);
    assert_int_equal(pruned->leaves, 1);
    f->columns[1].role = BT_ROLE_SENSITIVE;
    f->columns[1].hierarchy = pruned;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    assert_null(strstr(text.bytes, "HIV"));
    assert_null(strstr(text.bytes, "Heart"));
    assert_ok(bt_manifest_read(text.bytes, text.length - 1, &f->arena, &read, &error), &error);
    assert_int_equal(read.columns[1].hierarchy->levels, tree->levels);
    assert_int_equal(read.columns[1].hierarchy->nodes[0].level, tree->nodes[0].level);
    bt_buffer_release(&text);
}

static void the_text_is_as_documented(void **state)
{
    fixture *f = *state;
    static const char expected[] = "{\n"
                                   "  \"format\": 1,\n"
                                   "  \"release\": \"0123456789abcdef0123456789abcdef\",\n"
                                   "  \"version\": \"0.2.0\",\n"
                                   "  \"form\": \"generalized\",\n"
                                   "  \"method\": \"mondrian:order=gain\",\n"
                                   "  \"experiment\": false,\n"
                                   "  \"dropped_rows\": 0,\n"
                                   "  \"promises\": [\n"
                                   "    {\n"
                                   "      \"name\": \"k\",\n"
                                   "      \"value\": \"5\"\n"
                                   "    }\n"
                                   "  ],\n"
                                   "  \"counts\": \"rows\",\n"
                                   "  \"protected\": \"which row is whose\",\n"
                                   "  \"not_protected\": \"who is in the table\",\n"
                                   "  \"columns\": [\n"
                                   "    {\n"
                                   "      \"name\": \"income\",\n"
                                   "      \"role\": \"sensitive\",\n"
                                   "      \"type\": \"decimal\"\n"
                                   "    }\n"
                                   "  ]\n"
                                   "}\n";
    bt_buffer text = {0};
    f->manifest.experiment = false;
    f->manifest.spreadsheet_safe = false;
    f->manifest.replayer = 0;
    f->manifest.dropped_rows = 0;
    f->manifest.columns = &f->columns[2];
    f->manifest.column_count = 1;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    assert_string_equal(text.bytes, expected);
    bt_buffer_release(&text);
}

/* Promises are read into what they ask for, with the column and the parameters of each, and written
 * from that; a name may hold what separates. */
static void promises_are_read_once(void **state)
{
    fixture *f = *state;
    static const char asked[] = "k=5,alpha(a=b)=0.5:HIV|x\\,y,t(c\\,d)=1/3:ordered";
    bt_buffer text = {0}, again = {0};
    bt_manifest read;
    assert_ok(bt_requirements_parse(asked, &f->arena, &f->manifest.promises, &error), &error);
    f->manifest.joint = BT_JOINT_NONE;
    f->manifest.persons = BT_COUNT_TOGETHER;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_manifest_read(text.bytes, text.length, &f->arena, &read, &error), &error);
    const bt_requirement_instance *items = read.promises.items;
    assert_int_equal(read.promises.count, 3);
    assert_false(read.promises.joint);
    assert_int_equal(read.persons, BT_COUNT_TOGETHER);
    assert_null(items[0].column);
    assert_string_equal(items[1].type->name, "alpha");
    assert_string_equal(items[1].column, "a=b");
    assert_int_equal(items[1].values[0].rational.bottom, 2);
    assert_string_equal(items[2].column, "c,d");
    assert_int_equal(items[2].values[1].integer, 1); /* ordered */
    assert_ok(bt_manifest_write(&read, &again, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&again, "", 1, &error), &error);
    assert_string_equal(text.bytes, again.bytes);
    assert_non_null(strstr(text.bytes, "\"alpha(a=b)\""));
    bt_buffer_release(&text);
    bt_buffer_release(&again);
}

/* ---- reading what nobody should write ---- */

#define HEAD                                                                                       \
    "\"release\":\"0123456789abcdef0123456789abcdef\",\"version\":\"1\",\"form\":\"f\","           \
    "\"method\":\"m\",\"experiment\":false,\"not_protected\":\"\",\"dropped_rows\":0"
#define ODDS(odds)                                                                                 \
    "{\"format\":1,\"protected\":\"\",\"odds\":" odds "," HEAD ",\"promises\":[],\"columns\":[]}"
#define WHOLE(promises, columns) "{" HEAD ",\"promises\":" promises ",\"columns\":" columns "}"

/* One promise that is not known leaves all of them unread, and nothing like it is written. */
static void unknown_promises_are_not_half_read(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {
        "[{\"name\":\"k\",\"value\":\"5\"},{\"name\":\"luck\",\"value\":\"7\"}]",
        "[{\"name\":\"k\",\"value\":\"5,k=1\"}]", "[{\"name\":\"k\",\"value\":\"-1\"}]"};
    static const char *const unread[] = {"k=5,luck=7", "k=5,k=1", "k=-1"};
    for (size_t i = 0; i < 3; i++) {
        char text[600];
        bt_manifest read;
        bt_buffer out = {0};
        snprintf(text, sizeof text, WHOLE("%s", "[]"), texts[i]);
        assert_ok(bt_manifest_read(text, strlen(text), &f->arena, &read, &error), &error);
        assert_int_equal(read.promises.count, 0);
        assert_string_equal(read.unread, unread[i]);
        assert_fails(bt_manifest_write(&read, &out, &error), BAUTA_INVALID, &error, "not known");
        bt_buffer_release(&out);
    }
}

#define COLUMN(rest) WHOLE("[]", "[{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"text\"" rest "}]")

#define NEWER(rest)                                                                                \
    "{\"format\":1,\"protected\":\"\"," HEAD                                                       \
    ",\"promises\":[],\"columns\":[{\"name\":\"a\",\"role\":\"quasi\","                            \
    "\"type\":\"text\",\"hierarchy\":{\"spec\":\"file\"" rest "}}]}"

#define NUMBERS(cuts)                                                                              \
    WHOLE("[]",                                                                                    \
          "[{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\",\"cut_points\":" cuts "}]")

static void cut_points_are_read_back(void **state)
{
    fixture *f = *state;
    static const int64_t numbers[] = {-500, 0, 1255};
    const bt_cuts cuts = {.count = 3, .number = numbers};
    bt_manifest_column column = {
        .name = "a", .role = BT_ROLE_QUASI, .type = BT_DECIMAL, .scale = 2, .cuts = &cuts};
    bt_manifest read;
    bt_buffer text = {0};
    f->manifest.columns = &column;
    f->manifest.column_count = 1;
    assert_ok(bt_manifest_write(&f->manifest, &text, &error), &error);
    assert_ok(bt_manifest_read(text.bytes, text.length, &f->arena, &read, &error), &error);
    assert_int_equal(read.columns[0].cuts->count, 3);
    assert_memory_equal(read.columns[0].cuts->number, numbers, sizeof numbers);
    bt_buffer_release(&text);
}

static void a_manifest_without_a_number_has_format_0(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_manifest read;
    static const char text[] = WHOLE("[]", "[]");
    assert_ok(bt_manifest_read(text, strlen(text), &arena, &read, &error), &error);
    assert_int_equal(read.format, 0);
    bt_arena_release(&arena);
}

static void a_later_format_is_refused_with_what_helps(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_manifest read;
    static const char text[] = "{\"format\":1000,\"all\":\"new\"}";
    assert_int_equal(bt_manifest_read(text, strlen(text), &arena, &read, &error), BAUTA_INVALID);
    assert_non_null(strstr(error.message, "format 1000"));
    assert_non_null(strstr(error.hint, "later"));
    bt_arena_release(&arena);
}

static void malformed_manifests_are_refused(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "line 1, column 0: not a manifest"},
        {"[]", "the manifest is not an object"},
        {"{\"release\": 1}", "field 'version' of the manifest is missing"},
        {"{" HEAD "}", "is missing"},
        {"{" HEAD ",\"promises\":[],\"columns\":[],\"seed\":\"00\"}",
         "field 'seed' of the manifest is not known"},
        {"{" HEAD ",\"form\":\"g\",\"promises\":[],\"columns\":[]}", "duplicate object key"},
        {WHOLE("[]", "[]") "x", "not a manifest"},
        {WHOLE("{}", "[]"), "field 'promises' of the manifest is not a list"},
        {WHOLE("[1]", "[]"), "a promise is not an object"},
        {"{\"format\":1,\"protected\":\"\"," HEAD
         ",\"promises\":[{\"name\":\"k\",\"value\":\"5\"}],\"columns\":[]}",
         "field 'counts' of the manifest is missing"},
        {"{\"format\":1,\"protected\":\"\",\"counts\":\"persons\"," HEAD
         ",\"promises\":[{\"name\":\"k\",\"value\":\"5\"}],\"columns\":[]}",
         "field 'counts' of the manifest does not agree with 'persons'"},
        {"{\"format\":1,\"protected\":\"\",\"spreadsheet_safe\":false," HEAD
         ",\"promises\":[],\"columns\":[]}",
         "field 'spreadsheet_safe' of the manifest is something else than true"},
        {"{\"spreadsheet_safe\":true," HEAD ",\"promises\":[],\"columns\":[]}",
         "field 'spreadsheet_safe' of the manifest is not known"},
        {"{\"odds\":{\"reader\":1,\"replayer\":2}," HEAD ",\"promises\":[],\"columns\":[]}",
         "field 'odds' of the manifest is not known"},
        {ODDS("{\"reader\":1}"), "field 'replayer' of the manifest is missing"},
        {ODDS("{\"reader\":2,\"replayer\":2}"),
         "'reader' of the manifest is something else than 1"},
        {ODDS("{\"reader\":1,\"replayer\":0}"), "field 'replayer' of the manifest is 0"},
        {ODDS("{\"reader\":1,\"replayer\":\"2\"}"), "field 'replayer' of the manifest"},
        {ODDS("3"), "the manifest is not an object"},
        {"{\"counts\":\"rows\"," HEAD
         ",\"promises\":[{\"name\":\"k\",\"value\":\"5\"}],\"columns\":[]}",
         "field 'counts' of the manifest is not known"},
        {WHOLE("[{\"name\":\"k\"}]", "[]"), "field 'value' of a promise is missing"},
        {WHOLE("[{\"name\":\"k\",\"value\":5}]", "[]"), "field 'value' of a promise is not text"},
        {WHOLE("[]", "{}"), "field 'columns' of the manifest is not a list"},
        {WHOLE("[]", "[[]]"), "a column is not an object"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"identifier\",\"type\":\"text\"}]"),
         "field 'role' of a column is not"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":7,\"type\":\"text\"}]"), "field 'role'"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"float\"}]"), "field 'type'"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"decimal\"}]"),
         "field 'scale' of a column goes with decimals"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"decimal\",\"scale\":19}]"),
         "field 'scale' of a column is not a whole number"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"other\",\"type\":\"text\",\"hierarchy\":{}}]"),
         "does not go with the role 'other'"},
        {WHOLE("[]", "[{\"name\":\"a\",\"role\":\"other\",\"type\":\"text\"},"
                     "{\"name\":\"a\",\"role\":\"other\",\"type\":\"text\"}]"),
         "column 'a' is listed twice"},
        {COLUMN(",\"scale\":1"), "goes with decimals"},
        {COLUMN(",\"hierarchy\":[]"), "a hierarchy is not an object"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"tree\",\"paths\":1}"), "'paths' of a hierarchy"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"tree\",\"paths\":[1]}"), "not a list"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"tree\",\"paths\":[[1]]}"), "a name that is not text"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"tree\",\"paths\":[],\"x\":1}"), "is not known"},
        {COLUMN(",\"cut_points\":[\"0\",\"9\"]"), "'cut_points' of a column does not go with"},
        {NUMBERS("7"), "holds something that is not a list"},
        {NUMBERS("[0,9]"), "holds a name that is not text"},
        {NUMBERS("[\"0\"]"), "is not a list of ascending values"},
        {NUMBERS("[\"0\",\"0\"]"), "is not a list of ascending values"},
        {NUMBERS("[\"0\",\"9.5\"]"), "is not a list of ascending values"},
        {NUMBERS("[\"0\",\"9\"],\"hierarchy\":{}"), "does not go with"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"mask\",\"leaves\":-1,\"levels\":1,\"nodes\":[]}"),
         "field 'leaves' of a hierarchy is not a whole number"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"mask\",\"leaves\":4294967296,\"levels\":1,"
                "\"nodes\":[]}"),
         "field 'leaves' of a hierarchy is not a whole number"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"mask\",\"leaves\":1,\"levels\":1,\"nodes\":[{}]}"),
         "field 'label' of a hierarchy is missing"},
        {COLUMN(",\"hierarchy\":{\"spec\":\"mask\",\"leaves\":0,\"levels\":2,\"nodes\":[]}"),
         "field 'leaves' of a hierarchy is 0"},
        {NEWER(",\"leaves\":3,\"levels\":2,\"nodes\":[]"),
         "field 'leaves' of a hierarchy is not known"},
        {NEWER(",\"nodes\":[{\"label\":\"a\",\"level\":1,\"leaves\":2}]"), "is not known"},
        {NEWER(",\"nodes\":[{\"label\":\"a\",\"level\":1,\"parent\":2}]"), "is not text"},
        {NEWER(",\"paths\":[[\"a\"]]"), "goes with a public hierarchy only"},
        {NEWER(",\"paths\":[[\"a\"]],\"public\":false"), "'public' of a hierarchy is not true"},
        {NEWER(",\"paths\":[[\"a\"]],\"public\":true,\"levels\":2"),
         "'levels' of a hierarchy must"},
        {"{\"format\":1,\"protected\":\"\"," HEAD
         ",\"promises\":[],\"columns\":[{\"name\":\"a\",\"role\":\"quasi\","
         "\"type\":\"decimal\",\"scale\":2}]}",
         "'scale' of a column goes with decimals of format 0"},
        {"{\"release\":\"xyz\",\"version\":\"1\",\"form\":\"f\",\"method\":\"m\",\"experiment\":0,"
         "\"not_protected\":\"\",\"dropped_rows\":0,\"promises\":[],\"columns\":[]}",
         "is not 32 hexadecimal digits"},
        {"{\"release\":\"\\u0000\"}", "not a manifest"},
    };
    bt_manifest read;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(
            bt_manifest_read(cases[i].text, strlen(cases[i].text), &f->arena, &read, &error),
            BAUTA_INVALID, &error, cases[i].message);
    static const char good[] = WHOLE("[]", "[]");
    assert_ok(bt_manifest_read(good, sizeof good - 1, &f->arena, &read, &error), &error);
}

/* jansson quotes what it stumbles over; a label or a name must not reach the message. */
static void parse_errors_quote_nothing(void **state)
{
    fixture *f = *state;
    bt_manifest read;
    static const char text[] = "{\"release\": secret}";
    assert_fails(bt_manifest_read(text, sizeof text - 1, &f->arena, &read, &error), BAUTA_INVALID,
                 &error, "line 1, column");
    assert_null(strstr(error.message, "secret"));
}

static void deep_nesting_is_no_danger(void **state)
{
    fixture *f = *state;
    enum { DEEP = 200000 };
    static char text[DEEP];
    bt_manifest read;
    memset(text, '[', sizeof text);
    assert_fails(bt_manifest_read(text, sizeof text, &f->arena, &read, &error), BAUTA_INVALID,
                 &error, "not a manifest");
}

#define with_manifest(test) cmocka_unit_test_setup_teardown(test, make_manifest, free_manifest)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_manifest(what_is_written_is_read_again),
        with_manifest(format_0_says_what_it_said),
        with_manifest(a_sensitive_tree_keeps_its_height),
        with_manifest(the_text_is_as_documented),
        with_manifest(promises_are_read_once),
        with_manifest(unknown_promises_are_not_half_read),
        with_manifest(cut_points_are_read_back),
        cmocka_unit_test(a_manifest_without_a_number_has_format_0),
        cmocka_unit_test(a_later_format_is_refused_with_what_helps),
        with_manifest(malformed_manifests_are_refused),
        with_manifest(parse_errors_quote_nothing),
        with_manifest(deep_nesting_is_no_danger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
