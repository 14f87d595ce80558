/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables whose columns line up. Cells are kept as one run of zero-terminated texts; widths are
 * found when the table is closed.
 */
#include "report/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bt_grid_open(bt_grid *grid, size_t columns, const char *align)
{
    *grid =
        (bt_grid){.columns = columns < BT_GRID_COLUMNS ? columns : BT_GRID_COLUMNS, .align = align};
}

void bt_grid_text(bt_grid *grid, const char *text)
{
    bt_page cell = {.text = grid->text, .failed = grid->failed};
    bt_page_text(&cell, text);
    grid->text = cell.text;
    grid->failed = cell.failed || bt_buffer_add(&grid->text, "", 1, NULL) != BAUTA_OK;
    grid->cells++;
}

void bt_grid_page(bt_grid *grid, bt_page *text)
{
    bool whole = !text->failed && bt_buffer_add(&text->text, "", 1, NULL) == BAUTA_OK;
    bt_grid_text(grid, whole ? text->text.bytes : "");
    grid->failed = grid->failed || !whole;
    bt_buffer_release(&text->text);
}

void bt_grid_name(bt_grid *grid, const char *name)
{
    enum { MOST_WIDTH = 40, ROOM = 4 * MOST_WIDTH + 8 };
    char cut[ROOM];
    size_t width = 0, used = 0;
    while (name[used]) {
        bt_rune rune = bt_rune_at(name + used);
        if (width + rune.width > MOST_WIDTH || used + rune.bytes + 4 > sizeof cut) break;
        width += rune.width;
        used += rune.bytes;
    }
    snprintf(cut, sizeof cut, "%.*s%s", (int)used, name, name[used] ? "..." : "");
    bt_grid_text(grid, cut);
}

void bt_grid_count(bt_grid *grid, int64_t count)
{
    char text[BT_GROUPED];
    bt_number_group(count, text);
    bt_grid_text(grid, text);
}

void bt_grid_share(bt_grid *grid, double share)
{
    char text[32];
    bt_share_print(share, text, sizeof text);
    bt_grid_text(grid, text);
}

void bt_grid_number(bt_grid *grid, double number)
{
    char text[64];
    if (number == floor(number) && fabs(number) < 1e15) {
        bt_grid_count(grid, (int64_t)number);
        return;
    }
    snprintf(text, sizeof text, fabs(number) >= 1000 ? "%.1f" : "%.4g", number);
    bt_grid_text(grid, text);
}

void bt_grid_value(bt_grid *grid, const json_t *value)
{
    if (json_is_integer(value))
        bt_grid_count(grid, json_integer_value(value));
    else if (json_is_real(value))
        bt_grid_number(grid, json_real_value(value));
    else if (json_is_boolean(value))
        bt_grid_text(grid, json_is_true(value) ? "yes" : "no");
    else
        bt_grid_text(grid, json_is_string(value) ? json_string_value(value) : "-");
}

static char alignment(const bt_grid *grid, size_t column)
{
    size_t known = strlen(grid->align);
    return grid->align[column < known ? column : known - 1];
}

static void measure_columns(const bt_grid *grid, size_t *widths)
{
    const char *cell = grid->text.bytes;
    memset(widths, 0, BT_GRID_COLUMNS * sizeof *widths);
    for (size_t i = 0; i < grid->cells; i++, cell += strlen(cell) + 1) {
        size_t width = bt_text_width(cell);
        if (width > widths[i % grid->columns]) widths[i % grid->columns] = width;
    }
}

static void end_row(bt_page *page)
{
    while (page->text.length && page->text.bytes[page->text.length - 1] == ' ')
        page->text.length--;
    bt_page_print(page, "\n");
}

static void print_rows(const bt_grid *grid, size_t indent, const size_t *widths, bt_page *page)
{
    const char *cell = grid->text.bytes;
    for (size_t i = 0; i < grid->cells; i++, cell += strlen(cell) + 1) {
        size_t column = i % grid->columns, fill = widths[column] - bt_text_width(cell);
        bool right = alignment(grid, column) == 'r';
        bt_page_print(page, "%*s", (int)((column ? 2 : indent) + (right ? fill : 0)), "");
        bt_page_text(page, cell);
        if (column + 1 == grid->columns)
            end_row(page);
        else if (!right)
            bt_page_print(page, "%*s", (int)fill, "");
    }
}

void bt_grid_close(bt_grid *grid, size_t indent, bt_page *page)
{
    size_t widths[BT_GRID_COLUMNS];
    if (grid->failed)
        page->failed = true;
    else if (grid->cells) {
        measure_columns(grid, widths);
        print_rows(grid, indent, widths, page);
    }
    bt_buffer_release(&grid->text);
}
