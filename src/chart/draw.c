/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of every chart: escaped text, the figure with its table, axes.
 *
 * Written by hand because a figure must be small, without script, and the same to the byte on every
 * machine; charting libraries in C draw pixels, and those for pages bring a program with them.
 */
#include "chart/draw.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(bt_drawing *drawing, const char *bytes, size_t length)
{
    drawing->failed =
        drawing->failed || bt_buffer_add(drawing->out, bytes, length, NULL) != BAUTA_OK;
}

void bt_draw_print(bt_drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    drawing->failed =
        drawing->failed || bt_buffer_vprint(drawing->out, NULL, format, arguments) != BAUTA_OK;
    va_end(arguments);
}

/* Bytes of the character that begins here; a byte that begins none stands alone. */
static size_t character(const char *text)
{
    size_t rest = strnlen(text, 4), most = rest;
    while (most > 1 && bt_utf8_valid_prefix(text, most) != most)
        most--;
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return length <= most ? length : 1;
}

/* Whether a character may stand in XML as it is: no control character, and valid. */
static bool is_plain(const char *text, size_t bytes)
{
    unsigned char first = (unsigned char)*text;
    return bytes > 1 || (first >= ' ' && first < 0x7f);
}

void bt_draw_text(bt_drawing *drawing, const char *text, size_t most)
{
    for (size_t written = 0; *text; written++) {
        size_t bytes = character(text);
        if (most && written + 1 >= most && text[bytes]) {
            add(drawing, "\xe2\x80\xa6", 3); /* an ellipsis */
            return;
        }
        if (*text == '&')
            add(drawing, "&amp;", 5);
        else if (*text == '<')
            add(drawing, "&lt;", 4);
        else if (*text == '>')
            add(drawing, "&gt;", 4);
        else if (*text == '"')
            add(drawing, "&quot;", 6);
        else if (is_plain(text, bytes))
            add(drawing, text, bytes);
        else
            add(drawing, "\xef\xbf\xbd", 3); /* the sign for what cannot be shown */
        text += bytes;
    }
}

bauta_status bt_chart_text(const char *text, bt_buffer *out, bauta_error *error)
{
    bt_drawing drawing = {.out = out};
    bt_draw_text(&drawing, text, 0);
    return drawing.failed ? bt_fail_memory(error) : BAUTA_OK;
}

double bt_draw_width(const char *text)
{
    double width = 0;
    for (; *text; text += character(text))
        width += (unsigned char)*text < 0xe0 ? 7 : 12.5; /* scripts of the far east are wide */
    return width;
}

void bt_draw_open(bt_drawing *drawing, const bt_chart_head *head, double height)
{
    bt_draw_print(drawing, "<figure class=\"bauta-chart\">\n<figcaption>");
    bt_draw_text(drawing, head->title, 0);
    bt_draw_print(drawing,
                  "</figcaption>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                  "viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\">\n<title>",
                  BT_DRAW_WIDTH, height, BT_DRAW_WIDTH, height);
    bt_draw_text(drawing, head->title, 0);
    bt_draw_print(drawing, "</title>\n");
    if (head->about) {
        bt_draw_print(drawing, "<desc>");
        bt_draw_text(drawing, head->about, 0);
        bt_draw_print(drawing, "</desc>\n");
    }
}

void bt_draw_table(bt_drawing *drawing)
{
    bt_draw_print(drawing, "</svg>\n<details><summary>The numbers</summary>\n<table>\n");
}

void bt_draw_close(bt_drawing *drawing)
{
    bt_draw_print(drawing, "</table></details>\n</figure>\n");
}

void bt_draw_name(bt_drawing *drawing, const char *tag, const char *text)
{
    bt_draw_print(drawing, "<%s>", tag);
    bt_draw_text(drawing, text, 0);
    bt_draw_print(drawing, "</%s>", tag);
}

void bt_draw_number(bt_drawing *drawing, const bt_chart_axis *axis, double value)
{
    char text[BT_SHARE_TEXT];
    if (axis->share)
        bt_share_print(value, text, sizeof text);
    else
        snprintf(text, sizeof text, axis->whole ? "%.0f" : "%.6g", value);
    bt_draw_print(drawing, "<td>%s</td>", text);
}

/* ---- scales ---- */

bt_scale bt_scale_over(const bt_chart_axis *axis, double low, double high, int ticks, double start,
                       double end)
{
    bt_scale scale = {.axis = axis, .start = start, .end = end};
    double unit = axis->share ? 100 : 1;
    low *= unit;
    high *= unit;
    if (!(high > low)) high = low + 1; /* one value, or none: an axis all the same */
    double rough = (high - low) / ticks;
    int power = (int)floor(log10(rough));
    double size = rough / pow(10, power);
    double mantissa = size <= 1 ? 1 : size <= 2 ? 2 : size <= 5 ? 5 : 10;
    if (mantissa == 10) {
        mantissa = 1;
        power++;
    }
    if (axis->whole && power < 0) {
        mantissa = 1;
        power = 0;
    }
    scale.step = mantissa * pow(10, power);
    scale.digits = power < 0 ? -power : 0;
    scale.low = floor(low / scale.step + 1e-9) * scale.step;
    scale.high = ceil(high / scale.step - 1e-9) * scale.step;
    return scale;
}

double bt_scale_at(const bt_scale *scale, double value)
{
    double unit = scale->axis->share ? 100 : 1;
    return scale->start +
           (value * unit - scale->low) / (scale->high - scale->low) * (scale->end - scale->start);
}

int bt_scale_ticks(const bt_scale *scale)
{
    return (int)lround((scale->high - scale->low) / scale->step) + 1;
}

double bt_scale_tick(const bt_scale *scale, int number)
{
    return (scale->low + number * scale->step) / (scale->axis->share ? 100 : 1);
}

/* "1200", "0.25", "25 %"; thousands are set apart by a thin space. */
void bt_scale_label(const bt_scale *scale, double value, char *out)
{
    char plain[BT_TICK_TEXT / 2];
    double shown = scale->axis->share ? value * 100 : value;
    if (fabs(shown) >= 1e12) {
        snprintf(out, BT_TICK_TEXT, "%.3g%s", shown, scale->axis->share ? " %" : "");
        return;
    }
    snprintf(plain, sizeof plain, "%.*f", scale->digits < 6 ? scale->digits : 6, shown);
    size_t whole = strcspn(plain, "."), used = 0, sign = plain[0] == '-';
    for (size_t i = 0; plain[i]; i++) {
        if (i > sign && i < whole && (whole - i) % 3 == 0 && whole - sign > 4) {
            used += (size_t)snprintf(out + used, BT_TICK_TEXT - used, "\xe2\x80\x89");
        }
        out[used++] = plain[i];
    }
    snprintf(out + used, BT_TICK_TEXT - used, "%s", scale->axis->share ? " %" : "");
}

void bt_draw_below(bt_drawing *drawing, const bt_scale *scale, double at, double other)
{
    for (int i = 0; i < bt_scale_ticks(scale); i++) {
        char label[BT_TICK_TEXT];
        double x = bt_scale_at(scale, bt_scale_tick(scale, i));
        bt_scale_label(scale, bt_scale_tick(scale, i), label);
        bt_draw_print(drawing,
                      "<path class=\"bc-grid\" d=\"M%.1f %.1fV%.1f\"/>"
                      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                      x, at, other, x, at + 16, label);
    }
    bt_draw_print(drawing, "<text class=\"bc-axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                  (scale->start + scale->end) / 2, at + 34);
    bt_draw_text(drawing, scale->axis->title, 0);
    bt_draw_print(drawing, "</text>\n");
}

/* The title stands above the axis, where it is read without turning one's head. */
void bt_draw_left(bt_drawing *drawing, const bt_scale *scale, double at, double other)
{
    for (int i = 0; i < bt_scale_ticks(scale); i++) {
        char label[BT_TICK_TEXT];
        double y = bt_scale_at(scale, bt_scale_tick(scale, i));
        bt_scale_label(scale, bt_scale_tick(scale, i), label);
        bt_draw_print(drawing,
                      "<path class=\"bc-grid\" d=\"M%.1f %.1fH%.1f\"/>"
                      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                      at, y, other, at - 6, y + 4, label);
    }
    bt_draw_print(drawing, "<text class=\"bc-axis\" x=\"4\" y=\"%.1f\">", scale->end - 12);
    bt_draw_text(drawing, scale->axis->title, 0);
    bt_draw_print(drawing, "</text>\n");
}

bauta_status bt_chart_style(bt_buffer *out, bauta_error *error)
{
    static const char style[] =
        "<style>\n"
        ".bauta-chart{--i:var(--bauta-ink,#222);--g:var(--bauta-grid,#ddd);"
        "--c1:var(--bauta-1,#0072b2);--c2:var(--bauta-2,#d55e00);--c3:var(--bauta-3,#007d5a);"
        "--c4:var(--bauta-4,#a8497f);color:var(--i);max-width:640px;margin:1em 0;"
        "font:12px/1.4 system-ui,sans-serif;break-inside:avoid}\n"
        "@media(prefers-color-scheme:dark){.bauta-chart{--i:var(--bauta-ink,#ddd);"
        "--g:var(--bauta-grid,#444);--c1:var(--bauta-1,#56b4e9);--c2:var(--bauta-2,#e69f00);"
        "--c3:var(--bauta-3,#4cc9a0);--c4:var(--bauta-4,#e0a0c8)}}\n"
        ".bauta-chart figcaption{font-weight:600;font-size:14px}\n"
        ".bauta-chart svg{max-width:100%;height:auto;overflow:visible}\n"
        ".bauta-chart text{fill:var(--i);font:12px system-ui,sans-serif}\n"
        ".bauta-chart .bc-axis{font-style:italic}\n"
        ".bauta-chart .bc-grid{stroke:var(--g);stroke-width:1;fill:none}\n"
        ".bauta-chart .bc-mark{stroke:var(--i);stroke-width:2.5;fill:none}\n"
        ".bauta-chart .bc-1{--c:var(--c1)}.bauta-chart .bc-2{--c:var(--c2)}"
        ".bauta-chart .bc-3{--c:var(--c3)}.bauta-chart .bc-4{--c:var(--c4)}\n"
        ".bauta-chart .bc-fill{fill:var(--c)}.bauta-chart .bc-band{fill:var(--c);opacity:.18}\n"
        ".bauta-chart .bc-line{stroke:var(--c);stroke-width:2;fill:none}\n"
        ".bauta-chart .bc-cross{stroke:var(--c);stroke-width:2;fill:none}"
        ".bauta-chart .bc-name{fill:var(--c);font-weight:600}\n"
        ".bauta-chart .bc-2 .bc-line{stroke-dasharray:7 4}"
        ".bauta-chart .bc-3 .bc-line{stroke-dasharray:2 3}"
        ".bauta-chart .bc-4 .bc-line{stroke-dasharray:9 3 2 3}\n"
        ".bauta-chart .bc-2 rect{stroke:var(--c);stroke-width:1.5;fill-opacity:.35}\n"
        ".bauta-chart details{font-size:12px}\n"
        ".bauta-chart table{border-collapse:collapse}\n"
        ".bauta-chart td,.bauta-chart th{padding:.1em .8em .1em 0;text-align:left}\n"
        ".bauta-chart td{text-align:right;font-variant-numeric:tabular-nums}\n"
        "@media print{.bauta-chart details{display:none}}\n"
        "</style>\n";
    return bt_buffer_add(out, style, sizeof style - 1, error);
}
