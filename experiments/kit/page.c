/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people: safe characters, and tables that line up.
 */
#include "kit/kit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

size_t ex_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

void ex_print_text(ex_buffer *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p < ' ' || *p == 0x7F)
            ex_print(out, "\\x%02x", *p);
        else if (*p == 0xC2 && p[1] >= 0x80 && p[1] < 0xA0) /* the second half of the controls */
            ex_print(out, "\\x%02x", *++p);
        else
            ex_add(out, p, 1);
    }
}

/* ---- tables ---- */

void ex_grid_text(ex_grid *grid, const char *text)
{
    ex_print_text(&grid->cells, text);
    ex_add(&grid->cells, "", 1);
}

static void put_count(ex_grid *grid, int64_t count)
{
    char plain[24], grouped[32], *out = grouped;
    int length = snprintf(plain, sizeof plain, "%" PRId64, count);
    for (int i = 0; i < length; i++) {
        if (i > (count < 0) && (length - i) % 3 == 0) *out++ = ',';
        *out++ = plain[i];
    }
    *out = '\0';
    ex_grid_text(grid, grouped);
}

static void put_number(ex_grid *grid, double number)
{
    char text[64];
    if (number == floor(number) && fabs(number) < 1e15) {
        put_count(grid, (int64_t)number);
        return;
    }
    snprintf(text, sizeof text, fabs(number) >= 1000 ? "%.1f" : "%.4g", number);
    ex_grid_text(grid, text);
}

void ex_grid_value(ex_grid *grid, const json_t *value)
{
    if (json_is_integer(value))
        put_count(grid, json_integer_value(value));
    else if (json_is_real(value))
        put_number(grid, json_real_value(value));
    else
        ex_grid_text(grid, json_is_string(value) ? json_string_value(value) : "-");
}

void ex_grid_close(ex_grid *grid, size_t indent, ex_buffer *out)
{
    size_t widths[EX_GRID_COLUMNS] = {0}, known = strlen(grid->align), i = 0;
    const char *cell = grid->cells.bytes, *end = cell ? cell + grid->cells.length : NULL;
    out->failed |= grid->cells.failed;
    for (; !out->failed && cell < end; cell += strlen(cell) + 1, i++) {
        size_t width = ex_width(cell), *most = &widths[i % grid->columns];
        if (width > *most) *most = width;
    }
    for (cell = grid->cells.bytes, i = 0; !out->failed && cell < end;
         cell += strlen(cell) + 1, i++) {
        size_t column = i % grid->columns, fill = widths[column] - ex_width(cell);
        bool right = grid->align[column < known ? column : known - 1] == 'r';
        ex_print(out, "%*s%s", (int)((column ? 2 : indent) + (right ? fill : 0)), "", cell);
        if (!right) ex_print(out, "%*s", (int)fill, "");
        if (column + 1 < grid->columns) continue;
        while (out->length && out->bytes[out->length - 1] == ' ')
            out->length--;
        ex_print(out, "\n");
    }
    ex_buffer_release(&grid->cells);
}
