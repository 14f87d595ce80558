/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts: the same bytes for the same numbers, compared with the pictures in tests/charts, which a
 * person has looked at; axes with round ticks around all values; text that cannot break out of its
 * place; nothing but figures in the charts of reports.
 *
 *     BAUTA_UPDATE=1 build/tests/test_unit_chart     writes the pictures anew: look at them
 */
#include "support.h"

#include "api/api.h"
#include "base/text.h"
#include "chart/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bauta_error error;

/* ---- pictures that were looked at ---- */

static void compare(const char *name, const bt_buffer *drawn)
{
    char path[512], kept[1 << 16];
    snprintf(path, sizeof path, "%s/tests/charts/%s.html", getenv("BAUTA_SOURCE"), name);
    bool update = getenv("BAUTA_UPDATE") != NULL;
    FILE *file = fopen(path, update ? "w" : "r");
    assert_non_null(file);
    if (update) assert_int_equal(fwrite(drawn->bytes, 1, drawn->length, file), drawn->length);
    size_t length = update ? 0 : fread(kept, 1, sizeof kept, file);
    assert_int_equal(fclose(file), 0);
    if (update) return;
    assert_int_equal(length, drawn->length);
    assert_memory_equal(kept, drawn->bytes, length);
}

static const bt_chart_axis loss = {.title = "loss (NCP)", .share = true};
static const bt_chart_axis records = {.title = "records", .whole = true};

static void bars_of_columns(void **state)
{
    (void)state;
    const bt_chart_head head = {"Information lost in each column", "One bar for each column."};
    const bt_chart_bar bars[] = {{"age", 0.189, -1},
                                 {"sex <b>&\"\x01\xff", 0, -1},
                                 {"a_very_long_name_of_a_column_that_does_not_fit", 0.297, -1},
                                 {"\xe5\x9c\xb0\xe5\x9f\x9f", 0.25, -1}};
    bt_buffer out = {0};
    assert_ok(bt_chart_bars(&head, &loss, bars, 4, NULL, &out, &error), &error);
    compare("bars", &out);
    bt_buffer_release(&out);
}

static void bars_with_marks(void **state)
{
    (void)state;
    const bt_chart_head head = {"How often each attack succeeds", NULL};
    const bt_chart_bar bars[] = {{"re-identification", 0.136, 0.2},
                                 {"homogeneity", 0, 0.5},
                                 {"presence", 0.62, 0.6},
                                 {"certainty", 0.01, -1}};
    bt_buffer out = {0};
    assert_ok(bt_chart_bars(&head, &loss, bars, 4, "allowed", &out, &error), &error);
    compare("marks", &out);
    bt_buffer_release(&out);
}

static void columns_side_by_side(void **state)
{
    (void)state;
    const bt_chart_head head = {"Ages before and after", NULL};
    const bt_chart_axis age = {.title = "age", .whole = true};
    const char *const bins[] = {"0\xe2\x80\x93"
                                "19",
                                "20\xe2\x80\x93"
                                "39",
                                "40\xe2\x80\x93"
                                "59",
                                "60\xe2\x80\x93"};
    const char *const series[] = {"before", "after"};
    const double values[] = {1200, 800, 600, 200, 1100, 950, 500, 250};
    const bt_chart_columns columns = {bins, 4, series, 2, values};
    bt_buffer out = {0};
    assert_ok(bt_chart_histogram(&head, &age, &records, &columns, &out, &error), &error);
    compare("columns", &out);
    bt_buffer_release(&out);
}

static void lines_with_bands_and_points(void **state)
{
    (void)state;
    const bt_chart_head head = {"Loss against k", NULL};
    const bt_chart_axis k = {.title = "k", .whole = true};
    const double x[] = {2, 5, 10, 20}, y[] = {.04, .08, .12, .2}, low[] = {.03, .07, .1, .16},
                 high[] = {.05, .09, .15, .26}, other[] = {.05, .1, .14, .201},
                 theirs[] = {.02, .05, .11, .19};
    const bt_chart_line lines[] = {{"mondrian", x, y, low, high, 4, false},
                                   {"incognito", x, other, NULL, NULL, 4, false},
                                   {"the paper", x, theirs, NULL, NULL, 4, true}};
    bt_buffer out = {0};
    assert_ok(bt_chart_lines(&head, &k, &loss, lines, 3, &out, &error), &error);
    compare("lines", &out);
    bt_buffer_release(&out);
}

/* ---- axes ---- */

static void ticks_are_round_and_around_all_values(void **state)
{
    (void)state;
    for (int power = -6; power <= 9; power++)
        for (int low = -30; low <= 30; low += 7)
            for (int size = 0; size <= 90; size += 3)
                for (int kind = 0; kind < 3; kind++) {
                    const bt_chart_axis axis = {
                        .title = "", .share = kind == 1, .whole = kind == 2};
                    double from = low * pow(10, power), to = (low + size) * pow(10, power);
                    bt_scale scale = bt_scale_over(&axis, from, to, 5, 0, 100);
                    int ticks = bt_scale_ticks(&scale);
                    assert_true(ticks >= 2 && ticks <= 8);
                    double slack = 1e-6 * scale.step / (axis.share ? 100 : 1);
                    assert_true(bt_scale_tick(&scale, 0) <= from + slack);
                    assert_true(bt_scale_tick(&scale, ticks - 1) >= to - slack);
                    if (axis.whole) assert_true(scale.step >= 1);
                    double exponent = floor(log10(scale.step) + 1e-9);
                    double mantissa = scale.step / pow(10, exponent);
                    assert_true(fabs(mantissa - 1) < 1e-9 || fabs(mantissa - 2) < 1e-9 ||
                                fabs(mantissa - 5) < 1e-9);
                }
}

static void labels_say_the_number(void **state)
{
    (void)state;
    const bt_chart_axis plain = {.title = ""}, share = {.title = "", .share = true};
    const struct {
        const bt_chart_axis *axis;
        double high, value;
        const char *label;
    } cases[] = {
        {&plain, 1, 0.2, "0.2"},
        {&plain, 20000, 12000,
         "12\xe2\x80\x89"
         "000"},
        {&plain, 2000, 1200, "1200"},
        {&share, 1, 0.4, "40 %"},
        {&share, 0.001, 0.0004, "0.04 %"},
        {&plain, 4e13, 2e13, "2e+13"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char label[BT_TICK_TEXT];
        bt_scale scale = bt_scale_over(cases[i].axis, 0, cases[i].high, 5, 0, 100);
        bt_scale_label(&scale, cases[i].value, label);
        assert_string_equal(label, cases[i].label);
    }
}

/* ---- text from outside ---- */

static void every_byte_is_escaped_or_plain(void **state)
{
    (void)state;
    for (int first = 1; first < 256; first++)
        for (int second = 1; second < 256; second++) {
            const char text[] = {(char)first, (char)second, 'x', '\0'};
            bt_buffer out = {0};
            bt_drawing drawing = {.out = &out};
            bt_draw_text(&drawing, text, 0);
            assert_false(drawing.failed);
            assert_int_equal(bt_utf8_valid_prefix(out.bytes, out.length), out.length);
            for (size_t i = 0; i < out.length; i++)
                assert_true(!strchr("<>\"", out.bytes[i]) && (unsigned char)out.bytes[i] >= ' ');
            assert_int_equal(out.bytes[out.length - 1], 'x');
            bt_buffer_release(&out);
        }
}

/* ---- the charts of reports ---- */

static char *charts_of(bt_report_kind kind, const char *json)
{
    bt_facts facts = {.root = json_loads(json, 0, NULL)};
    bauta_report *report = NULL;
    char *text = NULL;
    assert_non_null(facts.root);
    assert_ok(bt_report_give(kind, &facts, &report, &error), &error);
    assert_ok(bauta_report_charts(report, &text, &error), &error);
    bauta_report_free(report);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void reports_have_their_charts(void **state)
{
    (void)state;
    static const struct {
        bt_report_kind kind;
        const char *json;
        size_t figures;
        const char *shown;
    } cases[] = {
        {BT_REPORT_ANONYMIZE,
         "{\"measures\": {\"ncp_by_column\": {\"age\": 0.5, \"zip\": 0}, \"class_histogram\": "
         "[{\"from\": 5, \"to\": 7, \"classes\": 3}, {\"from\": 8, \"to\": 15, \"classes\": 1}]}}",
         2,
         "8\xe2\x80\x93"
         "15"},
        {BT_REPORT_MEASURE, "{\"ncp_by_column\": {\"age\": 0.5}}", 1, "50.0 %"},
        {BT_REPORT_PREVIEW,
         "{\"tries\": [{\"require\": \"k=3\", \"measures\": {\"ncp\": 0.11}},"
         " {\"require\": \"k=5\", \"refused\": \"no\"}]}",
         1, "k=3"},
        {BT_REPORT_ATTACK,
         "[{\"attack\": \"presence\", \"column\": \"sex\", \"success\": 0.25, \"allowed\": 0.5},"
         " {\"attack\": \"other\", \"success\": null}]",
         1, "presence: sex"},
        {BT_REPORT_DESCRIBE, "{\"columns\": [{\"name\": \"a<b\", \"share_unique\": 1}]}", 1,
         "a&lt;b"},
        {BT_REPORT_ANONYMIZE, "{}", 0, ""},
        {BT_REPORT_ATTACK, "[]", 0, ""},
        {BT_REPORT_LIST, "{}", 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = charts_of(cases[i].kind, cases[i].json);
        assert_int_equal(count_of(text, "<figure"), cases[i].figures);
        assert_int_equal(count_of(text, "</figure>"), cases[i].figures);
        assert_int_equal(count_of(text, "<style>"), cases[i].figures > 0);
        assert_non_null(strstr(text, cases[i].shown));
        assert_null(strstr(text, "<script"));
        if (cases[i].figures == 0) assert_string_equal(text, "");
        bauta_text_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_of_columns),
        cmocka_unit_test(bars_with_marks),
        cmocka_unit_test(columns_side_by_side),
        cmocka_unit_test(lines_with_bands_and_points),
        cmocka_unit_test(ticks_are_round_and_around_all_values),
        cmocka_unit_test(labels_say_the_number),
        cmocka_unit_test(every_byte_is_escaped_or_plain),
        cmocka_unit_test(reports_have_their_charts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
