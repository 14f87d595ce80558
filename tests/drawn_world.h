/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up tables, and randomized releases of them that are drawn as they should be, or not: an own,
 * plain drawing, so that what the audit says of it does not rest on the library's.
 */
#ifndef BT_TEST_DRAWN_WORLD_H
#define BT_TEST_DRAWN_WORLD_H

#include "release_files.h"

enum { WORLD_COLUMNS = 8 };

typedef struct world {
    size_t rows, columns; /* quasi columns; a sensitive one follows */
    unsigned lambda;
    unsigned values[WORLD_COLUMNS + 1]; /* per column */
    unsigned together;                  /* of 100 records, so many go by what they have in common */
    unsigned *records;                  /* rows times (columns + 1) */
    unsigned *drawn;
    uint64_t random;
} world;

typedef enum world_fault {
    WORLD_HONEST,
    WORLD_UNTOUCHED,
    WORLD_SAME_COLUMNS, /* always the first */
    WORLD_TENTH,        /* of the rows is left as it was */
    WORLD_VALUE,        /* a record with value 0 in column 0 keeps it */
    WORLD_SENSITIVE,    /* a record with sensitive value 0 is left as it was */
    WORLD_TWICE,        /* one column more than stated */
    WORLD_FLAT,         /* all values of a domain are drawn alike */
} world_fault;

/* Columns of a record follow a hidden number, as far as they go together; low values are the more
 * common. */
static inline void world_fill(world *w)
{
    size_t width = w->columns + 1;
    w->records = bt_array(w->rows * width, sizeof *w->records);
    w->drawn = bt_array(w->rows * width, sizeof *w->drawn);
    assert_true(w->records && w->drawn);
    for (size_t r = 0; r < w->rows; r++) {
        uint64_t hidden = test_below(&w->random, 1000);
        for (size_t c = 0; c < width; c++) {
            uint64_t own = test_below(&w->random, 1000);
            if (test_below(&w->random, 100) < w->together) own = hidden;
            w->records[r * width + c] = (unsigned)(own * own * w->values[c] / 1000000);
        }
    }
}

static inline void world_free(world *w)
{
    free(w->records);
    free(w->drawn);
}

static inline void world_draw_value(world *w, unsigned *row, size_t column, world_fault fault)
{
    size_t from = test_below(&w->random, w->rows);
    if (fault == WORLD_VALUE && column == 0 && row[0] == 0) return;
    row[column] = fault == WORLD_FLAT ? (unsigned)test_below(&w->random, w->values[column])
                                      : w->records[from * (w->columns + 1) + column];
}

static inline void world_draw_row(world *w, unsigned *row, world_fault fault)
{
    size_t left = w->lambda + (fault == WORLD_TWICE);
    uint64_t tenth = test_below(&w->random, 10);
    if (fault == WORLD_UNTOUCHED || (fault == WORLD_TENTH && tenth == 0) ||
        (fault == WORLD_SENSITIVE && row[w->columns] == 0))
        return;
    for (size_t c = 0; c < w->columns; c++) {
        bool chosen = fault == WORLD_SAME_COLUMNS ? c < w->lambda
                                                  : test_below(&w->random, w->columns - c) < left;
        if (!chosen) continue;
        world_draw_value(w, row, c, fault);
        left--;
    }
}

/* Draws every record anew, and shuffles the rows. */
static inline void world_draw(world *w, world_fault fault)
{
    size_t width = w->columns + 1;
    for (size_t r = 0; r < w->rows; r++) {
        size_t place = test_below(&w->random, r + 1);
        unsigned *row = &w->drawn[r * width], *other = &w->drawn[place * width];
        memmove(row, other, width * sizeof *row);
        memcpy(other, &w->records[r * width], width * sizeof *other);
        world_draw_row(w, other, fault);
    }
}

static inline void world_print(const world *w, const unsigned *rows, bt_buffer *out)
{
    size_t width = w->columns + 1;
    bauta_error error;
    for (size_t c = 0; c < width; c++)
        assert_ok(bt_buffer_print(out, &error, "c%zu%s", c, c < w->columns ? "," : "\n"), &error);
    for (size_t i = 0; i < w->rows * width; i++)
        assert_ok(bt_buffer_print(out, &error, "v%u%s", rows[i], (i + 1) % width ? "," : "\n"),
                  &error);
    assert_ok(bt_buffer_add(out, "", 1, &error), &error);
}

/* What the audit says of the drawn rows, with the original beside them. The caller frees the
 * report. */
static inline const json_t *world_audit(const world *w, bauta_report **report)
{
    bt_buffer columns = {0}, data = {0}, original = {0};
    bauta_error error;
    for (size_t c = 0; c < w->columns; c++)
        assert_ok(bt_buffer_print(&columns, &error,
                                  "{\"name\":\"c%zu\",\"role\":\"quasi\",\"type\":\"text\","
                                  "\"redrawn\":\"%u/%zu\"},",
                                  c, w->lambda, w->columns),
                  &error);
    assert_ok(bt_buffer_print(&columns, &error,
                              "{\"name\":\"c%zu\",\"role\":\"sensitive\",\"type\":\"text\"}%c",
                              w->columns, '\0'),
              &error);
    world_print(w, w->drawn, &data);
    world_print(w, w->records, &original);
    const test_release release = {.form = "randomized",
                                  .promises = "",
                                  .lambda = w->lambda,
                                  .columns = columns.bytes,
                                  .data = data.bytes};
    bauta_recipe *recipe = test_original(scratch_text("original.csv", original.bytes), "2");
    bauta_status status =
        bauta_audit(test_release_write("drawn", &release), recipe, report, &error);
    bauta_recipe_free(recipe);
    bt_buffer_release(&columns);
    bt_buffer_release(&data);
    bt_buffer_release(&original);
    if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
    return (*report)->facts.root;
}

#endif
