/* SPDX-License-Identifier: Apache-2.0
 *
 * An experiment: what was done, tables of any shape, and a verdict on each claim.
 */
#include "report/render.h"

#include <string.h>

enum { WIDTH = 96 }; /* of running text */

/* Words of a text, wrapped; `indent` blanks before every line but the first. */
static void print_wrapped(const char *text, size_t at, size_t indent, bt_page *page)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)(length < 255 ? length : 255), text);
        size_t width = bt_text_width(word);
        if (at > indent && at + 1 + width > WIDTH) {
            bt_page_print(page, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            bt_page_print(page, " ");
            at++;
        }
        bt_page_text(page, word);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    bt_page_print(page, "\n");
}

/* ---- tables: the first row says which columns there are; an object is a group of them ---- */

static size_t count_columns(const json_t *row)
{
    size_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        count += json_is_object(value) ? json_object_size(value) : 1;
    }
    return count;
}

/* Names of groups, each over the first of its columns. */
static void add_groups(const json_t *row, bt_grid *grid)
{
    const char *key;
    json_t *value;
    if (count_columns(row) == json_object_size(row)) return;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        size_t parts = json_is_object(value) ? json_object_size(value) : 0;
        bt_grid_text(grid, parts ? key : "");
        for (size_t i = 1; i < parts; i++)
            bt_grid_text(grid, "");
    }
}

static void add_heads(const json_t *row, bt_grid *grid)
{
    const char *key, *part;
    json_t *value, *detail;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        if (!json_is_object(value)) bt_grid_text(grid, key);
        json_object_foreach(value, part, detail)
        {
            bt_grid_text(grid, part);
        }
    }
}

static void add_row(const json_t *row, bt_grid *grid)
{
    const char *key, *part;
    json_t *value, *detail;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        if (!json_is_object(value)) bt_grid_value(grid, value);
        json_object_foreach(value, part, detail)
        {
            bt_grid_value(grid, detail);
        }
    }
}

/* Texts stand first in a row, if there are any, and to the left. */
static const char *alignment_of(const json_t *row)
{
    size_t texts = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        texts += json_is_string(value);
    }
    return texts == 0 ? "r" : texts == 1 ? "lr" : "llr";
}

static void print_table(const json_t *table, bt_page *page)
{
    const json_t *rows = json_object_get(table, "rows"), *first = json_array_get(rows, 0);
    size_t columns = count_columns(first);
    bt_page_print(page, "\n");
    print_wrapped(bt_fact_text(table, "title"), 0, 0, page);
    if (columns == 0 || columns > BT_GRID_COLUMNS) return;
    bt_grid grid;
    bt_grid_open(&grid, columns, alignment_of(first));
    add_groups(first, &grid);
    add_heads(first, &grid);
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_row(json_array_get(rows, i), &grid);
    bt_grid_close(&grid, 2, page);
}

/* ---- the page ---- */

static void print_claims(const json_t *claims, bt_page *page)
{
    enum { INDENT = 4 };
    bt_page_print(page, "\nClaims, and what was found:\n");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *one = json_array_get(claims, i);
        bt_page_print(page, "  ");
        print_wrapped(bt_fact_text(one, "claim"), 2, 2, page);
        bt_page_print(page, "%*s", INDENT, "");
        bt_page text = {0};
        bt_page_print(&text, "%s: %s.", bt_fact_text(one, "verdict"), bt_fact_text(one, "finding"));
        if (text.failed || bt_buffer_add(&text.text, "", 1, NULL) != BAUTA_OK)
            page->failed = true;
        else
            print_wrapped(text.text.bytes, INDENT, INDENT, page);
        bt_buffer_release(&text.text);
    }
}

void bt_render_reproduce(const json_t *facts, bt_page *page)
{
    const json_t *notes = json_object_get(facts, "notes");
    const json_t *tables = json_object_get(facts, "tables");
    bt_page_print(page, "%s: %s\n\n", bt_fact_text(facts, "experiment"),
                  bt_fact_text(facts, "paper"));
    for (size_t i = 0; i < json_array_size(notes); i++)
        print_wrapped(json_string_value(json_array_get(notes, i)), 0, 0, page);
    for (size_t i = 0; i < json_array_size(tables); i++)
        print_table(json_array_get(tables, i), page);
    print_claims(json_object_get(facts, "claims"), page);
}
