/* SPDX-License-Identifier: Apache-2.0
 *
 * Bars: a value for each of some names. Names stand on the left, as long as they are up to a third
 * of the picture; values at the ends of the bars.
 */
#include "chart/draw.h"

#include <math.h>

enum { ROW = 24, THICK = 15, NAME_CHARACTERS = 30, TOP = 8, LEGEND = 22 };

static void draw_bar(bt_drawing *drawing, const bt_scale *scale, const bt_chart_bar *bar,
                     double top)
{
    double end = bt_scale_at(scale, bar->value), middle = top + ROW / 2.0;
    char label[BT_TICK_TEXT];
    bt_scale finer = *scale; /* values have a digit more than the ticks */
    finer.digits = scale->axis->whole ? 0 : scale->digits + 1;
    bt_scale_label(&finer, bar->value, label);
    bt_draw_print(drawing, "<g class=\"bc-1\"><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                  scale->start - 8, middle + 4);
    bt_draw_text(drawing, bar->name, NAME_CHARACTERS);
    bt_draw_print(drawing,
                  "</text><rect class=\"bc-fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                  "height=\"%d\"/>",
                  scale->start, middle - THICK / 2.0, fmax(end - scale->start, 0), THICK);
    double after = end;
    if (bar->allowed >= 0) {
        double mark = bt_scale_at(scale, bar->allowed);
        bt_draw_print(drawing, "<path class=\"bc-mark\" d=\"M%.1f %.1fv%d\"/>", mark,
                      middle - THICK / 2.0 - 3, THICK + 6);
        if (mark >= end - 2 && mark < end + bt_draw_width(label) + 10) after = mark;
    }
    bt_draw_print(drawing, "<text x=\"%.1f\" y=\"%.1f\">%s</text></g>\n", after + 6, middle + 4,
                  label);
}

bauta_status bt_chart_bars(const bt_chart_head *head, const bt_chart_axis *axis,
                           const bt_chart_bar *bars, size_t count, const char *marked,
                           bt_buffer *out, bauta_error *error)
{
    bt_drawing drawing = {.out = out};
    double high = 0, left = 40;
    for (size_t i = 0; i < count; i++) {
        high = fmax(high, fmax(bars[i].value, bars[i].allowed));
        left = fmax(left, fmin(bt_draw_width(bars[i].name), NAME_CHARACTERS * 7.0) + 12);
    }
    double top = TOP + (marked ? LEGEND : 0), bottom = top + (double)count * ROW;
    bt_scale scale = bt_scale_over(axis, 0, high, 5, left, BT_DRAW_WIDTH - 60);
    bt_draw_open(&drawing, head, bottom + 42);
    bt_draw_below(&drawing, &scale, bottom, top);
    if (marked) {
        bt_draw_print(&drawing,
                      "<path class=\"bc-mark\" d=\"M%.1f 4v16\"/><text x=\"%.1f\" y=\"16\">", left,
                      left + 8);
        bt_draw_text(&drawing, marked, 0);
        bt_draw_print(&drawing, "</text>\n");
    }
    for (size_t i = 0; i < count; i++)
        draw_bar(&drawing, &scale, &bars[i], top + (double)i * ROW);
    bt_draw_table(&drawing);
    bt_draw_print(&drawing, "<tr><th></th>");
    bt_draw_name(&drawing, "th", axis->title);
    if (marked) bt_draw_name(&drawing, "th", marked);
    bt_draw_print(&drawing, "</tr>\n");
    for (size_t i = 0; i < count; i++) {
        bt_draw_print(&drawing, "<tr>");
        bt_draw_name(&drawing, "th", bars[i].name);
        bt_draw_number(&drawing, axis, bars[i].value);
        if (marked && bars[i].allowed >= 0) bt_draw_number(&drawing, axis, bars[i].allowed);
        bt_draw_print(&drawing, "</tr>\n");
    }
    bt_draw_close(&drawing);
    return drawing.failed ? bt_fail_memory(error) : BAUTA_OK;
}
