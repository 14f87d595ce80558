/* SPDX-License-Identifier: Apache-2.0
 *
 * Crowds for tests: small random tables of sensitive values with everything that a requirement may
 * ask of a column (numbers, a ragged tree, categories), as people and as plain arrays, so that
 * naive counting needs none of the code that is tested.
 */
#ifndef BT_TEST_CROWD_H
#define BT_TEST_CROWD_H

#include "support.h"

#include "class/people.h"
#include "recipe/hierarchy.h"

#include <string.h>

enum { CROWD_COLUMNS = 4, CROWD_VALUES = 12, CROWD_ROWS = 400, CROWD_LEVELS = 4 };

typedef struct crowd_shape {
    uint32_t rows, columns, values; /* values: the most that a column has */
    uint32_t subjects;              /* 0: every record is a person */
    bool missing;                   /* the last value of every column is the missing one */
} crowd_shape;

typedef struct crowd_column {
    uint32_t size;
    uint8_t codes[CROWD_ROWS];
    const char *text[CROWD_VALUES];
    int64_t number[CROWD_VALUES];
    const char *labels[CROWD_VALUES][CROWD_LEVELS]; /* [0]: the value; "": the level is skipped */
    bt_hierarchy *tree;
    uint32_t category_of[CROWD_VALUES];
    bt_categories categories;
} crowd_column;

typedef struct crowd {
    crowd_shape shape;
    crowd_column columns[CROWD_COLUMNS];
    uint32_t subject_of[CROWD_ROWS]; /* the row itself when every record is a person */
    bt_people people;
    bt_arena arena;
} crowd;

/* Distinct numbers in no order, as a tree may lay codes out. */
static inline void crowd_number(crowd_column *column, uint64_t *random)
{
    for (uint32_t i = 0; i < column->size; i++)
        column->number[i] = (int64_t)i * 10 - 30;
    for (uint32_t i = column->size; i > 1; i--) {
        uint32_t j = (uint32_t)test_below(random, i);
        int64_t swap = column->number[i - 1];
        column->number[i - 1] = column->number[j];
        column->number[j] = swap;
    }
}

/* Nested runs of codes; a run may skip its level as a whole. */
static inline void crowd_tree(crowd *c, crowd_column *column, uint64_t *random)
{
    bauta_error error;
    const char *const *paths[CROWD_VALUES];
    size_t lengths[CROWD_VALUES];
    uint32_t run[CROWD_VALUES]; /* where the run of each code begins */
    for (uint32_t i = 0; i < column->size; i++) {
        run[i] = i;
        column->labels[i][0] = column->text[i];
    }
    for (size_t level = 1; level < CROWD_LEVELS; level++) {
        for (uint32_t i = 1; i < column->size; i++)
            if (run[i] == i && test_below(random, 2)) run[i] = i - 1; /* joins the one before */
        for (uint32_t i = 1; i < column->size; i++)
            run[i] = run[run[i]];
        for (uint32_t i = 0; i < column->size; i++)
            column->labels[i][level] =
                run[i] != i ? column->labels[run[i]][level]
                : test_below(random, 4) == 0
                    ? ""
                    : bt_arena_print(&c->arena, "%zu-%u", level, (unsigned)i);
    }
    for (uint32_t i = 0; i < column->size; i++) {
        paths[i] = column->labels[i];
        lengths[i] = column->text[i][0] ? CROWD_LEVELS : 1;
    }
    assert_ok(bt_hierarchy_from_paths(paths, lengths, column->size, "tree", "column", &c->arena,
                                      &column->tree, &error),
              &error);
    assert_int_equal(column->tree->leaves, column->size);
}

static inline void crowd_fill(crowd *c, crowd_column *column, uint64_t *random)
{
    column->size = 2 + (uint32_t)test_below(random, c->shape.values - 1);
    for (uint32_t i = 0; i < column->size; i++)
        column->text[i] = bt_arena_print(&c->arena, "v%u", (unsigned)i);
    if (c->shape.missing) column->text[column->size - 1] = "";
    uint64_t skew = 1 + test_below(random, 3); /* the least of several draws favours low codes */
    for (uint32_t row = 0; row < c->shape.rows; row++) {
        uint64_t code = column->size;
        for (uint64_t draw = 0; draw < skew; draw++) {
            uint64_t other = test_below(random, column->size);
            if (other < code) code = other;
        }
        column->codes[row] = (uint8_t)code;
    }
    crowd_number(column, random);
    crowd_tree(c, column, random);
    column->categories.count = 2 + (uint32_t)test_below(random, 4);
    column->categories.of_code = column->category_of;
    for (uint32_t i = 0; i < column->size; i++)
        column->category_of[i] = (uint32_t)test_below(random, column->categories.count);
}

static inline void crowd_make(crowd *c, crowd_shape shape, uint64_t *random)
{
    static const char *const names[CROWD_COLUMNS] = {"disease", "income", "faith", "debt"};
    bauta_error error;
    bt_sensitive described[CROWD_COLUMNS];
    const void *codes[CROWD_COLUMNS];
    unsigned widths[CROWD_COLUMNS];
    *c = (crowd){.shape = shape};
    for (uint32_t i = 0; i < shape.columns; i++) {
        crowd_column *column = &c->columns[i];
        crowd_fill(c, column, random);
        described[i] = (bt_sensitive){.name = names[i],
                                      .size = column->size,
                                      .text = column->text,
                                      .type = BT_INTEGER,
                                      .number = column->number,
                                      .hierarchy = column->tree,
                                      .categories = &column->categories};
        codes[i] = column->codes;
        widths[i] = 1;
    }
    for (uint32_t row = 0; row < shape.rows; row++)
        c->subject_of[row] = shape.subjects ? (uint32_t)test_below(random, shape.subjects) : row;
    assert_ok(bt_people_make(described, codes, widths, shape.columns, shape.rows,
                             shape.subjects ? c->subject_of : NULL, shape.subjects, &c->people,
                             &error),
              &error);
}

static inline void crowd_release(crowd *c)
{
    bt_people_release(&c->people);
    bt_arena_release(&c->arena);
}

/* ---- a class is a set of rows ---- */

typedef struct crowd_class {
    bool has[CROWD_ROWS];
} crowd_class;

/* Each row of the crowd with probability in/of. */
static inline crowd_class crowd_draw(const crowd *c, uint64_t in, uint64_t of, uint64_t *random)
{
    crowd_class class_rows = {{false}};
    for (uint32_t row = 0; row < c->shape.rows; row++)
        class_rows.has[row] = test_below(random, of) < in;
    return class_rows;
}

static inline void crowd_tally(const crowd *c, const crowd_class *rows, bt_tally *tally)
{
    bauta_error error;
    bt_tally_clear(tally);
    for (uint32_t row = 0; row < c->shape.rows; row++)
        if (rows->has[row]) assert_ok(bt_tally_add_row(tally, row, &error), &error);
}

/* ---- naive counting ---- */

typedef struct naive_bag {
    int64_t size, total;
    int64_t counts[CROWD_VALUES];
} naive_bag;

/* `known` < 0: all rows of the class; else those with `code` in that column. */
static inline naive_bag naive_count(const crowd *c, const crowd_class *rows, size_t column,
                                    int known, uint32_t code)
{
    static bool person[CROWD_ROWS], has[CROWD_ROWS][CROWD_VALUES];
    naive_bag bag = {0};
    memset(person, 0, sizeof person);
    memset(has, 0, sizeof has);
    for (uint32_t row = 0; row < c->shape.rows; row++) {
        if (!rows->has[row]) continue;
        if (known >= 0 && c->columns[known].codes[row] != code) continue;
        person[c->subject_of[row]] = true;
        has[c->subject_of[row]][c->columns[column].codes[row]] = true;
    }
    for (uint32_t i = 0; i < CROWD_ROWS; i++) {
        bag.size += person[i];
        for (uint32_t v = 0; v < CROWD_VALUES; v++) {
            bag.counts[v] += has[i][v];
            bag.total += has[i][v];
        }
    }
    return bag;
}

#endif
