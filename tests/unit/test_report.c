/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports: facts as JSON and as text that lines up, says the conclusion last, and cannot be
 * made to write to a terminal by a hostile name.
 */
#include "support.h"

#include "api/api.h"
#include "report/render.h"

#include <string.h>

static bauta_error error;

/* A report of `kind` from JSON. */
static bauta_report *report_of(bt_report_kind kind, const char *json)
{
    bt_facts facts = {0};
    json_error_t fault;
    bauta_report *report = NULL;
    facts.root = json_loads(json, 0, &fault);
    if (!facts.root) fail_msg("%s in %s", fault.text, json);
    assert_ok(bt_report_give(kind, &facts, &report, &error), &error);
    return report;
}

static void assert_text(bt_report_kind kind, const char *json, const char *expected)
{
    bauta_report *report = report_of(kind, json);
    char *text;
    assert_ok(bauta_report_text(report, &text, &error), &error);
    assert_string_equal(text, expected);
    bauta_text_free(text);
    bauta_report_free(report);
}

/* Shares may be negative; nothing is "-0". */
static void shares_have_a_sign_only_where_they_are_not_zero(void **state)
{
    (void)state;
    static const struct {
        double share;
        const char *text;
    } cases[] = {
        {0, "0 %"},           {-0.0, "0 %"},         {1, "100 %"},        {-1, "-100 %"},
        {1e-6, "<0.01 %"},    {-1e-6, ">-0.01 %"},   {1e-4, "0.01 %"},    {-1e-4, "-0.01 %"},
        {0.05, "5.00 %"},     {-0.05, "-5.00 %"},    {0.123, "12.3 %"},   {-0.123, "-12.3 %"},
        {-1e-17, ">-0.01 %"}, {0.09994, "9.99 %"},   {0.09996, "10.0 %"}, {0.9994, "99.9 %"},
        {0.99951, ">99.9 %"}, {-0.9999, "<-99.9 %"}, {1.5, "150.0 %"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        bt_share_print(cases[i].share, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

#define COUNTS                                                                                     \
    "\"rows\":12345,\"published\":12300,\"suppressed\":45,\"classes\":1000,\"smallest_class\":5,"  \
    "\"measures\":{\"ncp\":0.0508,\"distortion_ratio\":0.25}"

static void anonymize_ends_with_what_is_not_protected(void **state)
{
    (void)state;
    assert_text(
        BT_REPORT_ANONYMIZE,
        "{" COUNTS ",\"seconds\":{\"read\":0.1,\"group\":0.2,\"publish\":0.3,"
        "\"audit\":0.4,\"total\":1.05},\"requirements\":[\"k=5\",\"l=2\"],"
        "\"method\":\"mondrian:order=gain\",\"form\":\"generalized\","
        "\"publish\":\"out/publish\",\"experiment\":true,"
        "\"protected\":\"which row is whose\",\"not_protected\":\"who is in the table\","
        "\"next\":\"bauta attack out/publish --original t.csv\"}",
        "rows      12,345 read, 12,300 published, 45 suppressed\n"
        "classes   1,000 classes, the smallest of 5 records, on average 12.3\n"
        "promises  k=5 and l=2 in every class, counting rows\n"
        "made by   mondrian:order=gain, published as generalized\n"
        "loss      5.08 % of the quasi columns' information (NCP), distortion ratio 25.0 %\n"
        "time      1.05 s in all: read 0.10 s, group 0.20 s, publish 0.30 s, audit 0.40 s\n"
        "written   out/publish: audited\n"
        "beware    made with a seed on the command line: an experiment, not to be handed "
        "out\n"
        "protected: which row is whose\n"
        "not protected: who is in the table\n"
        "next: bauta attack out/publish --original t.csv tries what others could find out\n");
}

static void missing_facts_are_left_out(void **state)
{
    (void)state;
    assert_text(BT_REPORT_ANONYMIZE,
                "{\"rows\":1,\"published\":1,\"suppressed\":0,\"missing_dropped\":2,"
                "\"classes\":1,\"smallest_class\":1,\"form\":\"generalized\",\"publish\":\"o\"}",
                "rows      1 read, 1 published, 2 with missing values dropped\n"
                "classes   1 class, the smallest of 1 record, on average 1.0\n"
                "made by   generalized\n"
                "written   o: audited\n");
    assert_text(BT_REPORT_ANONYMIZE, "{}", "rows      0 read\n");
}

static void previews_stand_side_by_side(void **state)
{
    (void)state;
    assert_text(
        BT_REPORT_PREVIEW,
        "{\"tries\":[{\"require\":\"k=5\",\"risk\":0.2," COUNTS "},"
        "{\"require\":\"k=99999\",\"refused\":\"too few records\"}]}",
        "require  classes  smallest  average  suppressed     NCP  distortion    risk\n"
        "k=5        1,000         5     12.3          45  5.08 %      25.0 %  20.0 %\n"
        "k=99999        -         -        -           -       -           -       -  too few "
        "records\n"
        "nothing was written\n");
    assert_text(
        BT_REPORT_PREVIEW,
        "{\"tries\":[{\"require\":\"k=5\"," COUNTS ",\"seconds\":{\"read\":1}}]}",
        "rows      12,345 read, 12,300 published, 45 suppressed\n"
        "classes   1,000 classes, the smallest of 5 records, on average 12.3\n"
        "loss      5.08 % of the quasi columns' information (NCP), distortion ratio 25.0 %\n"
        "time      read 1.00 s\n"
        "nothing was written\n");
    assert_text(BT_REPORT_PREVIEW, "{\"tries\":[{\"require\":\"k=9\",\"refused\":\"too few\"}]}",
                "k=9 cannot be met: too few\n"
                "nothing was written\n");
}

static void audits_begin_with_what_is_not_protected(void **state)
{
    (void)state;
    assert_text(BT_REPORT_AUDIT,
                "{\"not_protected\":\"presence\",\"holds\":true,\"findings\":["
                "{\"promise\":\"k=5\",\"holds\":true,\"class\":null,\"detail\":\"12 classes\"},"
                "{\"promise\":\"cells\",\"holds\":true,\"detail\":\"\"}]}",
                "not protected: presence\n"
                "checked  verdict\n"
                "k=5      holds    12 classes\n"
                "cells    holds\n"
                "every promise holds\n");
    assert_text(BT_REPORT_AUDIT,
                "{\"holds\":false,\"findings\":["
                "{\"promise\":\"k=5\",\"holds\":false,\"class\":17,\"detail\":\"4 rows\"},"
                "{\"promise\":\"rows\",\"holds\":\"unverifiable\",\"detail\":\"no original\"}]}",
                "checked  verdict\n"
                "k=5      BROKEN        4 rows (row 17 of data.csv)\n"
                "rows     unverifiable  no original\n"
                "1 promise cannot be verified from the published files\n"
                "1 promise does NOT hold: do not hand this release out\n");
    assert_text(BT_REPORT_AUDIT,
                "{\"holds\":true,\"findings\":[{\"promise\":\"rows\",\"holds\":\"unverifiable\","
                "\"detail\":\"no original\"}]}",
                "checked  verdict\n"
                "rows     unverifiable  no original\n"
                "1 promise cannot be verified from the published files\n"
                "everything else holds\n");
}

static void measures_stand_side_by_side(void **state)
{
    (void)state;
    assert_text(BT_REPORT_MEASURE,
                "{\"releases\":["
                "{\"release\":\"a/publish\",\"ncp\":0.5,\"ncp_by_column\":{\"age\":0.00001},"
                "\"discernibility\":1234567},"
                "{\"release\":\"b/publish\",\"ncp\":1,\"ncp_by_column\":{\"age\":0},"
                "\"discernibility\":1.5}]}",
                "                a/publish  b/publish\n"
                "ncp                50.0 %      100 %\n"
                "ncp_by_column\n"
                "  age             <0.01 %        0 %\n"
                "discernibility  1,234,567        1.5\n");
    assert_text(BT_REPORT_MEASURE, "{\"release\":\"x\",\"rows\":3,\"odd\":null,\"big\":123456.78}",
                "             x\n"
                "rows         3\n"
                "odd          -\n"
                "big   123456.8\n");
    assert_text(BT_REPORT_MEASURE, "{\"releases\":[]}", "");
}

static void describe_shows_columns_and_risk(void **state)
{
    (void)state;
    assert_text(
        BT_REPORT_DESCRIBE,
        "{\"rows\":1000,\"columns\":["
        "{\"name\":\"age\",\"type\":\"integer\",\"role\":\"quasi\",\"distinct\":73,"
        "\"missing\":2,\"unique\":5,\"share_unique\":0.005},"
        "{\"name\":\"\xE5\x90\x8D\xE5\x89\x8D\",\"type\":\"text\",\"role\":\"none\",\"guess\":"
        "\"identifier\","
        "\"distinct\":1000,\"missing\":0,\"unique\":1000,\"share_unique\":1}],"
        "\"quasi\":{\"columns\":[\"age\",\"zip\",\"sex\"],\"classes\":800,\"unique\":700,"
        "\"share_unique\":0.7,\"smallest_class\":1},"
        "\"singling_out\":[{\"columns\":[\"age\",\"zip\"],\"unique\":650,\"share_unique\":0.65}],"
        "\"notes\":[\"look out\"]}",
        "1,000 rows, 2 columns\n\n"
        "  column  type     role         distinct  missing  unique rows\n"
        "  age     integer  quasi              73        2            5  0.50 %\n"
        "  \xE5\x90\x8D\xE5\x89\x8D    text     identifier?     1,000        0        1,000   100 "
        "%\n"
        "\nfew columns are enough to single people out:\n"
        "  unique rows          columns\n"
        "          650  65.0 %  age and zip\n"
        "\nto someone who knows age, zip and sex:\n"
        "  700 of 1,000 records are unique (70.0 %)\n"
        "  800 classes of equal records, the smallest of 1 record\n"
        "\nnote: look out\n");
}

static void init_is_the_recipe_itself(void **state)
{
    (void)state;
    assert_text(BT_REPORT_INIT, "{\"recipe\":\"# hello\\n\\trequire: k=5\\n\",\"notes\":[]}",
                "# hello\n\trequire: k=5\n");
}

static void hierarchies_show_their_levels(void **state)
{
    (void)state;
    assert_text(BT_REPORT_HIERARCHY,
                "{\"column\":\"diag\",\"hierarchy\":\"tree\",\"notes\":[\"a\",\"b\"],\"levels\":2,"
                "\"leaves\":1,\"nodes\":3,\"per_level\":["
                "{\"level\":0,\"nodes\":2,\"examples\":[\"Flu\"]},"
                "{\"level\":1,\"nodes\":1,\"examples\":[\"*\"]},{\"level\":2,\"nodes\":0}],"
                "\"text\":\"* \\u001b[31m\\n  Flu\",\"written\":\"diag.csv\"}",
                "column diag, hierarchy tree: 1 leaf, 3 nodes, 2 levels\n\n"
                "  level  nodes\n"
                "      0      2  Flu, ...\n"
                "      1      1  *\n"
                "      2      0\n"
                "\n* \\x1b[31m\n  Flu\n"
                "\nnote: a\nnote: b\n"
                "\nwritten to diag.csv\n");
}

static void lists_show_options(void **state)
{
    (void)state;
    assert_text(BT_REPORT_LIST,
                "{\"registry\":\"methods\",\"entries\":["
                "{\"name\":\"a\",\"summary\":\"does a\",\"paper\":\"A 1999\",\"parameters\":["
                "{\"name\":\"order\",\"bounds\":\"x|y\",\"default\":\"x\",\"help\":\"which\"},"
                "{\"name\":\"l\",\"bounds\":\"1 to 9\",\"default\":null,\"help\":\"how many\"},"
                "{\"name\":\"f\",\"bounds\":\"text\",\"default\":\"\",\"help\":\"file\"}]},"
                "{\"name\":\"b\",\"summary\":\"does b\"}]}",
                "a: does a\n"
                "    A 1999\n"
                "    order  x|y     default x      which\n"
                "    l      1 to 9  must be given  how many\n"
                "    f      text    optional       file\n"
                "\nb: does b\n");
    assert_text(BT_REPORT_LIST,
                "{\"registry\":\"formats\",\"entries\":[{\"name\":\"csv\",\"summary\":\"RFC "
                "4180\"},{\"name\":\"other\",\"argument\":\"X\",\"summary\":\"more\"}]}",
                "csv       RFC 4180\n"
                "other  X  more\n");
}

/* ---- hostile text ---- */

static void names_cannot_write_to_the_terminal(void **state)
{
    (void)state;
    bt_page page = {0};
    bt_page_text(&page, "a\x1b[2J\n\t\x7f\xC2\x9B\xE2\x80\xAE\xC3\xA9\xff");
    bt_page_print(&page, "%c", 0);
    assert_false(page.failed);
    assert_string_equal(page.text.bytes, "a\\x1b[2J\\n\\t\\x7f\\x9b\\u202e\xC3\xA9\\xff");
    bt_buffer_release(&page.text);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char name[600];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    bt_page page = {0};
    bt_grid grid;
    bt_grid_open(&grid, 2, "lr");
    bt_grid_name(&grid, name);
    bt_grid_count(&grid, -1234567);
    bt_grid_close(&grid, 1, &page);
    bt_page_print(&page, "%c", 0);
    assert_string_equal(page.text.bytes,
                        " xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...  -1,234,567\n");
    bt_buffer_release(&page.text);
}

static void widths_follow_the_terminal(void **state)
{
    (void)state;
    assert_int_equal(bt_text_width(""), 0);
    assert_int_equal(bt_text_width("abc"), 3);
    assert_int_equal(bt_text_width("\xC3\xA9"), 1);
    assert_int_equal(bt_text_width("e\xCC\x81"), 1);
    assert_int_equal(bt_text_width("\xE5\x90\x8D"), 2);
    assert_int_equal(bt_text_width("\xF0\x9F\x98\x80"), 2);
    assert_int_equal(bt_text_width("\xE5\x90"), 2); /* cut: each byte shows */
}

/* ---- JSON and lists ---- */

static void json_keeps_order_and_six_digits(void **state)
{
    (void)state;
    bauta_report *report =
        report_of(BT_REPORT_MEASURE, "{\"z\":1,\"a\":0.123456789,\"m\":[true,null]}");
    char *text;
    assert_ok(bauta_report_json(report, &text, &error), &error);
    assert_string_equal(text, "{\n  \"z\": 1,\n  \"a\": 0.123457,\n  \"m\": [\n    true,\n    "
                              "null\n  ]\n}\n");
    bauta_text_free(text);
    bauta_report_free(report);
    assert_fails(bauta_report_json(NULL, &text, &error), BAUTA_USAGE, &error, "report");
    assert_fails(bauta_report_text(NULL, &text, &error), BAUTA_USAGE, &error, "report");
    bauta_report_free(NULL);
    bauta_text_free(NULL);
}

static void names_of_files_may_be_any_bytes(void **state)
{
    (void)state;
    bt_facts facts;
    bauta_report *report;
    char *text;
    bt_facts_init(&facts);
    bt_put_text(&facts, facts.root, "file", "a\xff\xC3\xA9\xC3");
    assert_ok(bt_report_give(BT_REPORT_LIST, &facts, &report, &error), &error);
    assert_ok(bauta_report_json(report, &text, &error), &error);
    assert_string_equal(text, "{\n  \"file\": \"a?\xC3\xA9?\"\n}\n");
    bauta_text_free(text);
    bauta_report_free(report);
}

static void reports_may_be_unwanted(void **state)
{
    (void)state;
    bt_facts facts;
    bt_facts_init(&facts);
    assert_ok(bt_report_give(BT_REPORT_LIST, &facts, NULL, &error), &error);
    assert_null(facts.root);
    bt_facts_init(&facts);
    facts.failed = true;
    bauta_report *report = NULL;
    assert_fails(bt_report_give(BT_REPORT_LIST, &facts, &report, &error), BAUTA_SYSTEM, &error,
                 "out of memory");
    assert_null(report);
}

static void every_list_can_be_shown(void **state)
{
    (void)state;
    static const char *const lists[] = {"requirements", "methods",    "forms",
                                        "measures",     "stores",     "sources",
                                        "keys",         "registries", "requirements/k"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        bauta_report *report;
        char *text;
        assert_ok(bauta_list(lists[i], &report, &error), &error);
        assert_true(json_array_size(json_object_get(report->facts.root, "entries")) > 0);
        assert_ok(bauta_report_text(report, &text, &error), &error);
        assert_true(strlen(text) > 10);
        bauta_text_free(text);
        bauta_report_free(report);
    }
    assert_fails(bauta_list("mthods", NULL, &error), BAUTA_USAGE, &error, "no list 'mthods'");
    assert_string_equal(error.hint, "did you mean 'methods'?");
    assert_fails(bauta_list("unheard of", NULL, &error), BAUTA_USAGE, &error, "no list");
    assert_string_equal(error.hint, "'bauta list registries' names them");
    assert_fails(bauta_list("keys/qasi", NULL, &error), BAUTA_USAGE, &error, "no entry 'qasi'");
    assert_string_equal(error.hint, "did you mean 'quasi'?");
    assert_fails(bauta_list("keys/unheard of", NULL, &error), BAUTA_USAGE, &error, "no entry");
    assert_string_equal(error.hint, "'bauta list keys' names them");
    assert_fails(bauta_list(NULL, NULL, &error), BAUTA_USAGE, &error, "needed");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", BAUTA_VERSION_MAJOR, BAUTA_VERSION_MINOR,
             BAUTA_VERSION_PATCH);
    assert_string_equal(bauta_version(), version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_a_sign_only_where_they_are_not_zero),
        cmocka_unit_test(anonymize_ends_with_what_is_not_protected),
        cmocka_unit_test(missing_facts_are_left_out),
        cmocka_unit_test(previews_stand_side_by_side),
        cmocka_unit_test(audits_begin_with_what_is_not_protected),
        cmocka_unit_test(measures_stand_side_by_side),
        cmocka_unit_test(describe_shows_columns_and_risk),
        cmocka_unit_test(init_is_the_recipe_itself),
        cmocka_unit_test(hierarchies_show_their_levels),
        cmocka_unit_test(lists_show_options),
        cmocka_unit_test(names_cannot_write_to_the_terminal),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(widths_follow_the_terminal),
        cmocka_unit_test(json_keeps_order_and_six_digits),
        cmocka_unit_test(names_of_files_may_be_any_bytes),
        cmocka_unit_test(reports_may_be_unwanted),
        cmocka_unit_test(every_list_can_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
