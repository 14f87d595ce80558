/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts as SVG: the one set of pictures that reports, pages and notebooks show.
 *
 * A chart is a figure of HTML: the picture, and behind it the table of its numbers, for those who
 * cannot see it or want to copy it. It holds no script and asks nothing of the network. The same
 * numbers give the same bytes. Colours are told apart by people who do not see red and green, are
 * never the only sign, and follow the reader's wish for a dark page; a page that has colours of its
 * own sets the variables --bauta-ink, --bauta-grid and --bauta-1 to --bauta-4.
 *
 * Texts come from outside (names of columns, labels) and are escaped here.
 */
#ifndef BT_CHART_H
#define BT_CHART_H

#include "base/memory.h"

enum { BT_CHART_SERIES = 4 }; /* as many as there are colours */

/* How numbers along an axis are written: a share of 0.25 is 25 % */
typedef struct bt_chart_axis {
    const char *title; /* what is measured, with its unit */
    bool share;
    bool whole; /* numbers of things: no ticks between whole numbers */
} bt_chart_axis;

typedef struct bt_chart_head {
    const char *title; /* what is to be seen, in a sentence */
    const char *about; /* for a reader who does not see it; NULL: the title says enough */
} bt_chart_head;

/* ---- bars: a value for each of some names, from the top to the bottom ---- */

typedef struct bt_chart_bar {
    const char *name;
    double value;   /* not negative */
    double allowed; /* a mark on the bar that it should not pass; negative: none */
} bt_chart_bar;

/* `marked`: what `allowed` means, for the legend; NULL when no bar has one. */
BT_MUST_USE bauta_status bt_chart_bars(const bt_chart_head *head, const bt_chart_axis *axis,
                                       const bt_chart_bar *bars, size_t count, const char *marked,
                                       bt_buffer *out, bauta_error *error);

/* ---- columns: numbers of things in bins that follow on each other, of one or more series ---- */

typedef struct bt_chart_columns {
    const char *const *bins; /* what stands below each */
    size_t bin_count;
    const char *const *series; /* their names */
    size_t series_count;       /* at most BT_CHART_SERIES */
    const double *values;      /* of series s in bin b: values[s * bin_count + b] */
} bt_chart_columns;

BT_MUST_USE bauta_status bt_chart_histogram(const bt_chart_head *head, const bt_chart_axis *across,
                                            const bt_chart_axis *up,
                                            const bt_chart_columns *columns, bt_buffer *out,
                                            bauta_error *error);

/* ---- lines: points in order, joined or not, with a band around them or not ---- */

typedef struct bt_chart_line {
    const char *name;
    const double *x, *y;
    const double *low, *high; /* the band; NULL: none */
    size_t count;
    bool apart; /* points that are not joined, as those of a paper beside our curve */
} bt_chart_line;

BT_MUST_USE bauta_status bt_chart_lines(const bt_chart_head *head, const bt_chart_axis *across,
                                        const bt_chart_axis *up, const bt_chart_line *lines,
                                        size_t count, bt_buffer *out, bauta_error *error);

/* Text from outside as HTML shows it. */
BT_MUST_USE bauta_status bt_chart_text(const char *text, bt_buffer *out, bauta_error *error);

/* The style of all figures, once for each page: an element <style>. */
BT_MUST_USE bauta_status bt_chart_style(bt_buffer *out, bauta_error *error);

#endif
