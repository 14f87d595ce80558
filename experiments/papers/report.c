/* SPDX-License-Identifier: Apache-2.0
 *
 * An experiment: what was done, tables of any shape, and a verdict on each claim.
 */
#include "papers/experiment.h"

#include <string.h>

enum { WIDTH = 96 }; /* of running text */

/* Words of a text, wrapped; `indent` blanks before every line but the first. */
static void print_wrapped(const char *text, size_t at, size_t indent, ex_buffer *out)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)(length < 255 ? length : 255), text);
        size_t width = ex_width(word);
        if (at > indent && at + 1 + width > WIDTH) {
            ex_print(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            ex_print(out, " ");
            at++;
        }
        ex_print_text(out, word);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    ex_print(out, "\n");
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
static void add_groups(const json_t *row, ex_grid *grid)
{
    const char *key;
    json_t *value;
    if (count_columns(row) == json_object_size(row)) return;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        size_t parts = json_is_object(value) ? json_object_size(value) : 0;
        ex_grid_text(grid, parts ? key : "");
        for (size_t i = 1; i < parts; i++)
            ex_grid_text(grid, "");
    }
}

static void add_heads(const json_t *row, ex_grid *grid)
{
    const char *key, *part;
    json_t *value, *detail;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        if (!json_is_object(value)) ex_grid_text(grid, key);
        json_object_foreach(value, part, detail)
        {
            ex_grid_text(grid, part);
        }
    }
}

static void add_row(const json_t *row, ex_grid *grid)
{
    const char *key, *part;
    json_t *value, *detail;
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        if (!json_is_object(value)) ex_grid_value(grid, value);
        json_object_foreach(value, part, detail)
        {
            ex_grid_value(grid, detail);
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

static void print_table(const json_t *table, ex_buffer *out)
{
    const json_t *rows = json_object_get(table, "rows"), *first = json_array_get(rows, 0);
    size_t columns = count_columns(first);
    ex_print(out, "\n");
    print_wrapped(ex_text_at(table, "title"), 0, 0, out);
    if (columns == 0 || columns > EX_GRID_COLUMNS) return;
    ex_grid grid = {.columns = columns, .align = alignment_of(first)};
    add_groups(first, &grid);
    add_heads(first, &grid);
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_row(json_array_get(rows, i), &grid);
    ex_grid_close(&grid, 2, out);
}

/* ---- the page ---- */

static void print_claims(const json_t *claims, ex_buffer *out)
{
    enum { INDENT = 4 };
    ex_print(out, "\nClaims, and what was found:\n");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *one = json_array_get(claims, i);
        ex_print(out, "  ");
        print_wrapped(ex_text_at(one, "claim"), 2, 2, out);
        ex_print(out, "%*s", INDENT, "");
        ex_buffer text = {0};
        ex_print(&text, "%s: %s.", ex_text_at(one, "verdict"), ex_text_at(one, "finding"));
        out->failed |= text.failed;
        if (!text.failed) print_wrapped(text.bytes, INDENT, INDENT, out);
        ex_buffer_release(&text);
    }
}

void ex_print_report(const json_t *facts, ex_buffer *out)
{
    const json_t *notes = json_object_get(facts, "notes");
    const json_t *tables = json_object_get(facts, "tables");
    ex_print(out, "%s: %s\n\n", ex_text_at(facts, "experiment"), ex_text_at(facts, "paper"));
    for (size_t i = 0; i < json_array_size(notes); i++)
        print_wrapped(json_string_value(json_array_get(notes, i)), 0, 0, out);
    for (size_t i = 0; i < json_array_size(tables); i++)
        print_table(json_array_get(tables, i), out);
    print_claims(json_object_get(facts, "claims"), out);
}
