/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines: points in order, joined, with a band around them; or points apart. Names stand at the ends
 * of the lines, pushed apart where they would cover each other, so that no legend is needed.
 */
#include "base/assert.h"
#include "chart/draw.h"

#include <math.h>

enum { LEFT = 62, RIGHT = 150, PLOT = 230, TOP = 34, NAME = 15, NAME_CHARACTERS = 22 };

/* The extent of all points and bands; zero is part of the scale that goes up. */
typedef struct extent {
    double left, right, low, high;
} extent;

static extent extent_of(const bt_chart_line *lines, size_t count)
{
    extent e = {INFINITY, -INFINITY, 0, 0};
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < lines[i].count; p++) {
            e.left = fmin(e.left, lines[i].x[p]);
            e.right = fmax(e.right, lines[i].x[p]);
            e.low = fmin(e.low, lines[i].low ? lines[i].low[p] : lines[i].y[p]);
            e.high = fmax(e.high, lines[i].high ? lines[i].high[p] : lines[i].y[p]);
        }
    if (e.left > e.right) e.left = e.right = 0; /* no points at all */
    return e;
}

static void draw_line(bt_drawing *drawing, const bt_chart_line *line, const bt_scale *across,
                      const bt_scale *up)
{
    if (line->low && line->high && line->count > 1) {
        bt_draw_print(drawing, "<path class=\"bc-band\" d=\"");
        for (size_t p = 0; p < line->count; p++)
            bt_draw_print(drawing, "%c%.1f %.1f", p ? 'L' : 'M', bt_scale_at(across, line->x[p]),
                          bt_scale_at(up, line->high[p]));
        for (size_t p = line->count; p-- > 0;)
            bt_draw_print(drawing, "L%.1f %.1f", bt_scale_at(across, line->x[p]),
                          bt_scale_at(up, line->low[p]));
        bt_draw_print(drawing, "Z\"/>\n");
    }
    if (!line->apart && line->count > 1) {
        bt_draw_print(drawing, "<path class=\"bc-line\" d=\"");
        for (size_t p = 0; p < line->count; p++)
            bt_draw_print(drawing, "%c%.1f %.1f", p ? 'L' : 'M', bt_scale_at(across, line->x[p]),
                          bt_scale_at(up, line->y[p]));
        bt_draw_print(drawing, "\"/>\n");
    }
    for (size_t p = 0; p < line->count; p++) {
        double x = bt_scale_at(across, line->x[p]), y = bt_scale_at(up, line->y[p]);
        if (line->apart)
            bt_draw_print(drawing, "<path class=\"bc-cross\" d=\"M%.1f %.1fl8 8m0 -8l-8 8\"/>",
                          x - 4, y - 4);
        else
            bt_draw_print(drawing, "<circle class=\"bc-fill\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", x,
                          y);
    }
}

/* Where the names of lines stand: at the heights of their last points, from the top to the bottom,
 * and at least NAME apart. */
static void place_names(const bt_chart_line *lines, size_t count, const bt_scale *up, double *at)
{
    size_t order[BT_CHART_SERIES];
    for (size_t i = 0; i < count; i++) {
        at[i] = lines[i].count ? bt_scale_at(up, lines[i].y[lines[i].count - 1]) : up->end;
        size_t to = i;
        for (; to > 0 && at[order[to - 1]] > at[i]; to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
    for (size_t i = 1; i < count; i++)
        at[order[i]] = fmax(at[order[i]], at[order[i - 1]] + NAME);
}

bauta_status bt_chart_lines(const bt_chart_head *head, const bt_chart_axis *across,
                            const bt_chart_axis *up, const bt_chart_line *lines, size_t count,
                            bt_buffer *out, bauta_error *error)
{
    BT_ASSERT(count <= BT_CHART_SERIES);
    bt_drawing drawing = {.out = out};
    double bottom = TOP + PLOT, names[BT_CHART_SERIES];
    extent e = extent_of(lines, count);
    bt_scale along = bt_scale_over(across, e.left, e.right, 6, LEFT, BT_DRAW_WIDTH - RIGHT);
    bt_scale scale = bt_scale_over(up, e.low, e.high, 5, bottom, TOP);
    bt_draw_open(&drawing, head, bottom + 42);
    bt_draw_left(&drawing, &scale, LEFT, BT_DRAW_WIDTH - RIGHT);
    bt_draw_below(&drawing, &along, bottom, TOP);
    place_names(lines, count, &scale, names);
    for (size_t i = 0; i < count; i++) {
        bt_draw_print(&drawing, "<g class=\"bc-%zu\">\n", i + 1);
        draw_line(&drawing, &lines[i], &along, &scale);
        double end = lines[i].count ? bt_scale_at(&along, lines[i].x[lines[i].count - 1]) : LEFT;
        bt_draw_print(&drawing, "<text class=\"bc-name\" x=\"%.1f\" y=\"%.1f\">", end + 9,
                      names[i] + 4);
        bt_draw_text(&drawing, lines[i].name, NAME_CHARACTERS);
        bt_draw_print(&drawing, "</text></g>\n");
    }
    bt_draw_table(&drawing);
    bt_draw_print(&drawing, "<tr><th></th>");
    bt_draw_name(&drawing, "th", across->title);
    bt_draw_name(&drawing, "th", up->title);
    bt_draw_print(&drawing, "</tr>\n");
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < lines[i].count; p++) {
            bt_draw_print(&drawing, "<tr>");
            bt_draw_name(&drawing, "th", lines[i].name);
            bt_draw_number(&drawing, across, lines[i].x[p]);
            bt_draw_number(&drawing, up, lines[i].y[p]);
            bt_draw_print(&drawing, "</tr>\n");
        }
    bt_draw_close(&drawing);
    return drawing.failed ? bt_fail_memory(error) : BAUTA_OK;
}
