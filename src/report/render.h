/* SPDX-License-Identifier: Apache-2.0
 *
 * What the renderers of src/report share: sentences and tables. Only this folder includes it.
 *
 * Failure is sticky, as with facts: a bt_page remembers that memory ran out, and the caller asks
 * once at the end. Text from the outside (column names, labels) passes through here, where
 * control characters are made visible so that a name cannot write to the terminal.
 */
#ifndef BT_RENDER_H
#define BT_RENDER_H

#include "base/facts.h"
#include "base/memory.h"
#include "base/text.h"

/* ---- a page: text that grows ---- */

typedef struct bt_page {
    bt_buffer text;
    bool failed;
} bt_page;

void bt_page_print(bt_page *page, const char *format, ...) BT_PRINTF(2, 3);
void bt_page_text(bt_page *page, const char *text); /* from outside: made safe */

/* "1 class", "2,345 classes" */
void bt_page_count(bt_page *page, int64_t count, const char *one, const char *many);
/* Texts of an array: "age, zip and sex". */
void bt_page_names(bt_page *page, const json_t *names);
/* Texts of an array, each on a line of its own after an empty one. */
void bt_page_notes(bt_page *page, const json_t *notes);

/* ---- characters and numbers ---- */

typedef struct bt_rune {
    uint32_t code;
    size_t bytes; /* at least 1 */
    size_t width; /* on a terminal */
    bool visible; /* false: a control or direction character, or not UTF-8 */
} bt_rune;
bt_rune bt_rune_at(const char *text);

/* Columns that a text takes on a terminal. */
size_t bt_text_width(const char *text);

enum { BT_GROUPED = 32 };
size_t bt_number_group(int64_t number, char *out); /* "1,234"; room for BT_GROUPED */

/* ---- a table whose columns line up ---- */

enum { BT_GRID_COLUMNS = 32 };

typedef struct bt_grid {
    size_t columns;
    const char *align; /* 'l' or 'r' for each column; the last of it goes on */
    bt_buffer text;    /* cells, each with a zero byte */
    size_t cells;
    bool failed;
} bt_grid;

/* Cells fill the table row by row. */
void bt_grid_open(bt_grid *grid, size_t columns, const char *align);
void bt_grid_text(bt_grid *grid, const char *text);
void bt_grid_name(bt_grid *grid, const char *name); /* cut when it is very long */
void bt_grid_page(bt_grid *grid, bt_page *text);    /* takes and releases it */
void bt_grid_count(bt_grid *grid, int64_t count);
void bt_grid_share(bt_grid *grid, double share);        /* "12.3 %" */
void bt_grid_number(bt_grid *grid, double number);      /* "1,234.5", "0.0123" */
void bt_grid_value(bt_grid *grid, const json_t *value); /* "-": nothing */
/* Prints with `indent` blanks before each row and releases the grid. */
void bt_grid_close(bt_grid *grid, size_t indent, bt_page *page);

/* ---- facts, with a value for what is missing ---- */

int64_t bt_fact_int(const json_t *object, const char *key);      /* 0 */
double bt_fact_real(const json_t *object, const char *key);      /* 0; integers too */
const char *bt_fact_text(const json_t *object, const char *key); /* "" */

/* ---- one renderer per kind ---- */

void bt_render_anonymize(const json_t *facts, bt_page *page);
void bt_render_preview(const json_t *facts, bt_page *page);
void bt_render_audit(const json_t *facts, bt_page *page);
void bt_render_measure(const json_t *facts, bt_page *page);
void bt_render_describe(const json_t *facts, bt_page *page);
void bt_render_init(const json_t *facts, bt_page *page);
void bt_render_hierarchy(const json_t *facts, bt_page *page);
void bt_render_query(const json_t *facts, bt_page *page);
void bt_render_list(const json_t *facts, bt_page *page);

void bt_render_risk(const json_t *risk, bt_page *page); /* a part of `describe`; NULL: nothing */
void bt_render_attack(const json_t *facts, bt_page *page);
void bt_render_page(const json_t *facts, bt_page *page); /* of HTML */

/* ---- figures for pages of HTML, whose style the page has ---- */

void bt_picture_measures(const json_t *measures, bt_page *page);
void bt_picture_attacks(const json_t *results, bt_page *page);

#endif
