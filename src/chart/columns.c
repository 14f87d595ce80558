/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns over bins: a histogram, or a distribution before and after, side by side. Names of bins
 * that would run into each other are left out at even distances; the table has them all.
 */
#include "chart/draw.h"

#include <math.h>

enum { LEFT = 62, RIGHT = 12, PLOT = 190, TOP = 34, LEGEND = 20 };

static void draw_legend(bt_drawing *drawing, const bt_chart_columns *columns)
{
    double x = LEFT;
    for (size_t s = 0; s < columns->series_count; s++) {
        bt_draw_print(drawing,
                      "<g class=\"bc-%zu\"><rect class=\"bc-fill\" x=\"%.1f\" y=\"3\" width=\"12\" "
                      "height=\"12\"/><text x=\"%.1f\" y=\"13\">",
                      s + 1, x, x + 17);
        bt_draw_text(drawing, columns->series[s], 0);
        bt_draw_print(drawing, "</text></g>\n");
        x += 34 + bt_draw_width(columns->series[s]);
    }
}

/* Every how many bins a name fits below. */
static size_t names_apart(const bt_chart_columns *columns, double room)
{
    double widest = 0;
    for (size_t b = 0; b < columns->bin_count; b++)
        widest = fmax(widest, bt_draw_width(columns->bins[b]) + 8);
    size_t apart = (size_t)ceil(widest / room);
    return apart > 0 ? apart : 1;
}

bauta_status bt_chart_histogram(const bt_chart_head *head, const bt_chart_axis *across,
                                const bt_chart_axis *up, const bt_chart_columns *columns,
                                bt_buffer *out, bauta_error *error)
{
    bt_drawing drawing = {.out = out};
    size_t bins = columns->bin_count, series = columns->series_count;
    double high = 0, room = (BT_DRAW_WIDTH - LEFT - RIGHT) / fmax((double)bins, 1);
    for (size_t i = 0; i < bins * series; i++)
        high = fmax(high, columns->values[i]);
    double top = TOP + (series > 1 ? LEGEND : 0), bottom = top + PLOT;
    double wide = fmin(room * 0.86, 46.0 * (double)series) / (double)series;
    bt_scale scale = bt_scale_over(up, 0, high, 5, bottom, top);
    bt_draw_open(&drawing, head, bottom + 42);
    if (series > 1) draw_legend(&drawing, columns);
    bt_draw_left(&drawing, &scale, LEFT, BT_DRAW_WIDTH - RIGHT);
    for (size_t s = 0; s < series; s++) {
        bt_draw_print(&drawing, "<g class=\"bc-%zu\">", s + 1);
        for (size_t b = 0; b < bins; b++) {
            double y = bt_scale_at(&scale, columns->values[s * bins + b]);
            double x = LEFT + ((double)b + 0.5) * room + ((double)s - (double)series / 2) * wide;
            bt_draw_print(&drawing,
                          "<rect class=\"bc-fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"%.1f\"/>",
                          x, y, fmax(wide - 1, 0.5), bottom - y);
        }
        bt_draw_print(&drawing, "</g>\n");
    }
    size_t apart = names_apart(columns, room);
    for (size_t b = 0; b < bins; b += apart) {
        bt_draw_print(&drawing, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                      LEFT + ((double)b + 0.5) * room, bottom + 16);
        bt_draw_text(&drawing, columns->bins[b], 0);
        bt_draw_print(&drawing, "</text>\n");
    }
    bt_draw_print(&drawing, "<text class=\"bc-axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                  (LEFT + BT_DRAW_WIDTH - RIGHT) / 2.0, bottom + 34);
    bt_draw_text(&drawing, across->title, 0);
    bt_draw_print(&drawing, "</text>\n");
    bt_draw_table(&drawing);
    bt_draw_print(&drawing, "<tr>");
    bt_draw_name(&drawing, "th", across->title);
    for (size_t s = 0; s < series; s++)
        bt_draw_name(&drawing, "th", series > 1 ? columns->series[s] : up->title);
    bt_draw_print(&drawing, "</tr>\n");
    for (size_t b = 0; b < bins; b++) {
        bt_draw_print(&drawing, "<tr>");
        bt_draw_name(&drawing, "th", columns->bins[b]);
        for (size_t s = 0; s < series; s++)
            bt_draw_number(&drawing, up, columns->values[s * bins + b]);
        bt_draw_print(&drawing, "</tr>\n");
    }
    bt_draw_close(&drawing);
    return drawing.failed ? bt_fail_memory(error) : BAUTA_OK;
}
