/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kinds of charts share: text that grows, axes with round ticks, the table behind a
 * picture. Only src/chart includes it.
 */
#ifndef BT_DRAW_H
#define BT_DRAW_H

#include "chart/chart.h"

/* Failure sticks: a drawing remembers that memory ran out, and is asked once at the end. */
typedef struct bt_drawing {
    bt_buffer *out;
    bool failed;
} bt_drawing;

void bt_draw_print(bt_drawing *drawing, const char *format, ...) BT_PRINTF(2, 3);
/* Text from outside, escaped, at most `most` characters of it and then an ellipsis; 0: all. */
void bt_draw_text(bt_drawing *drawing, const char *text, size_t most);

/* How wide a text of the charts' size is about, in pixels. */
double bt_draw_width(const char *text);

/* <figure> and <svg> of a height, with the title; and their ends, with the table between them,
 * which the caller writes. */
enum { BT_DRAW_WIDTH = 640 };
void bt_draw_open(bt_drawing *drawing, const bt_chart_head *head, double height);
void bt_draw_table(bt_drawing *drawing); /* ends the picture, begins its table */
void bt_draw_close(bt_drawing *drawing);
/* One cell of the table: a name, or a number. */
void bt_draw_name(bt_drawing *drawing, const char *tag, const char *text);
void bt_draw_number(bt_drawing *drawing, const bt_chart_axis *axis, double value);

/* ---- scales: from numbers to pixels, with ticks at 1, 2 or 5 times a power of ten ---- */

typedef struct bt_scale {
    const bt_chart_axis *axis;
    double low, high;  /* of the numbers: round, and ticks */
    double step;       /* between ticks */
    int digits;        /* after the point, in the labels of ticks */
    double start, end; /* in pixels */
} bt_scale;

/* A scale over [low, high] with about `ticks` ticks, between two places in pixels. */
bt_scale bt_scale_over(const bt_chart_axis *axis, double low, double high, int ticks, double start,
                       double end);
double bt_scale_at(const bt_scale *scale, double value);
/* The number of ticks, and the value of one of them. */
int bt_scale_ticks(const bt_scale *scale);
double bt_scale_tick(const bt_scale *scale, int number);
enum { BT_TICK_TEXT = 40 };
void bt_scale_label(const bt_scale *scale, double value, char *out);

/* Lines and labels of ticks, and the title: below (`at` is the bottom, `other` the top of the
 * lines) or on the left (`at` is the left end, `other` the right one). */
void bt_draw_below(bt_drawing *drawing, const bt_scale *scale, double at, double other);
void bt_draw_left(bt_drawing *drawing, const bt_scale *scale, double at, double other);

#endif
