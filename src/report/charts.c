/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures of a report: what a person would rather see than read. A report without numbers to
 * draw has none.
 */
#include "chart/chart.h"
#include "report/render.h"
#include "report/report.h"

#include <string.h>

enum { MOST_BARS = 60 }; /* beyond this a picture is longer than a screen or two */

/* ---- what was lost ---- */

static bauta_status draw_losses(const json_t *measures, bt_buffer *out, bauta_error *error)
{
    const bt_chart_head head = {"Information lost in each quasi-identifier",
                                "One bar for each column: 0 % when its cells are the original "
                                "values, 100 % when nothing is left of them."};
    const bt_chart_axis axis = {.title = "loss (NCP)", .share = true};
    bt_chart_bar bars[MOST_BARS];
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(measures, "ncp_by_column"), name, value)
    {
        if (count < MOST_BARS) bars[count++] = (bt_chart_bar){name, json_number_value(value), -1};
    }
    return count ? bt_chart_bars(&head, &axis, bars, count, NULL, out, error) : BAUTA_OK;
}

/* "5", "8-15" */
static const char *size_text(bt_arena *arena, const json_t *bin)
{
    char from[BT_GROUPED], to[BT_GROUPED];
    int64_t first = bt_fact_int(bin, "from"), last = bt_fact_int(bin, "to");
    bt_number_group(first, from);
    bt_number_group(last, to);
    return first == last ? bt_arena_print(arena, "%s", from)
                         : bt_arena_print(arena, "%s\u2013%s", from, to);
}

static bauta_status draw_sizes(const json_t *measures, bt_buffer *out, bauta_error *error)
{
    const json_t *bins = json_object_get(measures, "class_histogram");
    size_t count = json_array_size(bins);
    if (count == 0) return BAUTA_OK;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char **names = bt_arena_array(&scratch, count, sizeof *names);
    double *values = bt_arena_array(&scratch, count, sizeof *values);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < count; i++) {
        names[i] = size_text(&scratch, json_array_get(bins, i));
        values[i] = (double)bt_fact_int(json_array_get(bins, i), "classes");
    }
    BT_TRY(bt_arena_check(&scratch, error));
    const bt_chart_head head = {"How many records share an equivalence class",
                                "One column for each size of a class, as high as there are "
                                "classes of that size."};
    const bt_chart_axis across = {.title = "records in the class", .whole = true};
    const bt_chart_axis up = {.title = "equivalence classes", .whole = true};
    const bt_chart_columns columns = {
        .bins = names, .bin_count = count, .series_count = 1, .values = values};
    return bt_chart_histogram(&head, &across, &up, &columns, out, error);
}

static bauta_status draw_measures(const json_t *measures, bt_buffer *out, bauta_error *error)
{
    BT_TRY(draw_losses(measures, out, error));
    return draw_sizes(measures, out, error);
}

static bauta_status draw_anonymize(const json_t *facts, bt_buffer *out, bauta_error *error)
{
    return draw_measures(json_object_get(facts, "measures"), out, error);
}

/* ---- settings side by side ---- */

static bauta_status draw_preview(const json_t *facts, bt_buffer *out, bauta_error *error)
{
    const bt_chart_head head = {"Information lost with each setting",
                                "One bar for each setting that can be met; lower keeps more of "
                                "the data."};
    const bt_chart_axis axis = {.title = "loss (NCP)", .share = true};
    bt_chart_bar bars[MOST_BARS];
    size_t count = 0, at;
    json_t *try;
    json_array_foreach(json_object_get(facts, "tries"), at, try)
    {
        const json_t *measures = json_object_get(try, "measures");
        const char *name = bt_fact_text(try, "require");
        if (measures && count < MOST_BARS)
            bars[count++] = (bt_chart_bar){name, bt_fact_real(measures, "ncp"), -1};
    }
    return count ? bt_chart_bars(&head, &axis, bars, count, NULL, out, error) : BAUTA_OK;
}

/* ---- attacks ---- */

static bauta_status draw_attacks(const json_t *facts, bt_buffer *out, bauta_error *error)
{
    const bt_chart_head head = {"How often each attack succeeds",
                                "One bar for each attack that was tried; a mark where the release "
                                "states how often it may succeed."};
    const bt_chart_axis axis = {.title = "share of the records for which it succeeds",
                                .share = true};
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_chart_bar bars[MOST_BARS];
    size_t count = 0, at;
    bool marked = false;
    json_t *result;
    json_array_foreach(facts, at, result)
    {
        const json_t *allowed = json_object_get(result, "allowed");
        if (!json_is_number(json_object_get(result, "success")) || count == MOST_BARS) continue;
        const char *variant = bt_fact_text(result, "variant");
        const char *column = bt_fact_text(result, "column");
        const char *name =
            bt_arena_print(&scratch, "%s%s%s%s%s", bt_fact_text(result, "attack"),
                           *variant ? " " : "", variant, *column ? ": " : "", column);
        BT_TRY(bt_arena_check(&scratch, error));
        bars[count++] = (bt_chart_bar){name, bt_fact_real(result, "success"),
                                       json_is_number(allowed) ? json_number_value(allowed) : -1};
        marked |= json_is_number(allowed);
    }
    if (count == 0) return BAUTA_OK;
    return bt_chart_bars(&head, &axis, bars, count, marked ? "allowed by the release" : NULL, out,
                         error);
}

/* ---- the table as it stands ---- */

static bauta_status draw_describe(const json_t *facts, bt_buffer *out, bauta_error *error)
{
    const bt_chart_head head = {"Rows that one column singles out",
                                "One bar for each column: the share of rows whose value occurs "
                                "in no other row."};
    const bt_chart_axis axis = {.title = "share of rows with a value of their own", .share = true};
    bt_chart_bar bars[MOST_BARS];
    size_t count = 0, at;
    json_t *column;
    json_array_foreach(json_object_get(facts, "columns"), at, column)
    {
        if (count < MOST_BARS)
            bars[count++] = (bt_chart_bar){bt_fact_text(column, "name"),
                                           bt_fact_real(column, "share_unique"), -1};
    }
    return count ? bt_chart_bars(&head, &axis, bars, count, NULL, out, error) : BAUTA_OK;
}

void bt_picture_measures(const json_t *measures, bt_page *page)
{
    page->failed = page->failed || draw_measures(measures, &page->text, NULL) != BAUTA_OK;
}

void bt_picture_attacks(const json_t *results, bt_page *page)
{
    page->failed = page->failed || draw_attacks(results, &page->text, NULL) != BAUTA_OK;
}

bauta_status bt_report_charts(const bauta_report *report, bt_buffer *out, bauta_error *error)
{
    static bauta_status (*const drawers[])(const json_t *, bt_buffer *, bauta_error *) = {
        [BT_REPORT_ANONYMIZE] = draw_anonymize, [BT_REPORT_PREVIEW] = draw_preview,
        [BT_REPORT_MEASURE] = draw_measures,    [BT_REPORT_DESCRIBE] = draw_describe,
        [BT_REPORT_ATTACK] = draw_attacks,
    };
    size_t kind = (size_t)report->kind;
    if (kind >= sizeof drawers / sizeof *drawers || !drawers[kind]) return BAUTA_OK;
    size_t before = out->length;
    BT_TRY(bt_chart_style(out, error));
    size_t styled = out->length;
    BT_TRY(drawers[kind](report->facts.root, out, error));
    if (out->length == styled) out->length = before; /* nothing was drawn */
    return BAUTA_OK;
}
