/* SPDX-License-Identifier: Apache-2.0
 *
 * A sheet: one CSV file of a release, from the columns that a form puts into it to the rows on
 * disk, in an order of their own. Only src/publish may include this.
 *
 * Rows are packed in input order into a shuffle, which puts them into random order and has them
 * written out. A packed row is numbers, and the texts of `other` columns; every text is canonical,
 * so that no source formatting shines through.
 */
#ifndef BT_SHEET_H
#define BT_SHEET_H

#include "publish/cells.h"
#include "publish/form.h"

/* Which class each record is in. */
typedef struct bt_row_map {
    uint32_t *class_of;  /* table row -> class, UINT32_MAX: suppressed */
    uint32_t *table_row; /* input row -> table row when some were dropped, else NULL */
    uint32_t *place; /* table row -> its place among the published ones, which is what its random
                        number is drawn by; NULL: all rows are */
} bt_row_map;

BT_MUST_USE bauta_status bt_row_map_make(const bt_form_job *job, bt_row_map *out,
                                         bauta_error *error);
void bt_row_map_release(bt_row_map *map);

typedef enum bt_shown {
    BT_SHOW_CELL,  /* a quasi column: the cell of the class */
    BT_SHOW_VALUE, /* a quasi or sensitive column: the value, or its category */
    BT_SHOW_CLASS, /* the number of the class */
    BT_SHOW_TEXT,  /* an `other` column: what stands in the input */
} bt_shown;

typedef struct bt_sheet_column {
    const char *name;
    bt_shown shown;
    size_t place;            /* CELL: among the quasi columns */
    const bt_column *column; /* CELL, VALUE */
    bool category;           /* VALUE: its category */
    bt_cell_texts texts;     /* VALUE: for each code; CLASS: for each class */
    size_t source;           /* TEXT: place in the input */
    const bt_reading *reading;
    bt_type type;    /* TEXT: of what is written, and known when it is */
    bool watched;    /* TEXT: it is found from what is written, and else the reading's */
    bool verbatim;   /* TEXT: what stands in the source is canonical */
    bool coded;      /* TEXT, in a store that holds columns: the source has it as codes */
    size_t number;   /* there: its place among the numbers of a packed row; 0: it has none */
    size_t together; /* TEXT: columns from here on that are copied at once */
    const struct bt_sheet_column *packed_next; /* the next that is packed */
} bt_sheet_column;

typedef struct bt_sheet {
    const bt_form_job *job;
    const bt_row_map *map;
    const bt_cells *cells; /* NULL: no column shows cells */
    bt_sheet_column *columns;
    size_t column_count, capacity;
    /* while it is written */
    const bt_sheet_column *packed;      /* the first column that is packed */
    const bt_sheet_column *class_shown; /* the column that shows the class, or NULL */
    size_t separators;                  /* in a row, those within joined columns left out */
    size_t room;                        /* for the numbers of a packed row */
    struct bt_shuffle *shuffle;
    struct bt_sheet_worker *workers;
    /* for a store that holds columns (sheet_columns.c) */
    size_t numbers;                      /* of a packed row */
    bool texts;                          /* some follow them */
    struct bt_sheet_texts *dictionaries; /* of `other` columns that are codes */
    bt_coded_table *table;
} bt_sheet;

typedef struct bt_sheet_codes { /* of an `other` column, and one worker */
    const bt_dictionary *dictionary;
    uint32_t *code_of; /* per code there: the table's + 1; 0: not asked for yet */
} bt_sheet_codes;

typedef struct bt_sheet_worker {
    bt_buffer packed, others, utf8, plain;
    unsigned *types; /* per column that is watched: of all texts so far */
    /* for a store that holds columns */
    bt_sheet_codes *codes; /* per column */
    size_t *text_bytes;    /* per column */
    uint32_t *classes;     /* of the rows of a part */
    size_t classes_capacity;
} bt_sheet_worker;

/* Columns appear in the order in which they are added; names are borrowed. All is borrowed but
 * the columns, which bt_sheet_release frees, also after a failure. */
BT_MUST_USE bauta_status bt_sheet_add_cell(bt_sheet *sheet, const bt_column *column, size_t place,
                                           bauta_error *error);
BT_MUST_USE bauta_status bt_sheet_add_value(bt_sheet *sheet, const bt_column *column,
                                            const char *name, bool category, bauta_error *error);
/* `numbers[c]` is what stands for class c. */
BT_MUST_USE bauta_status bt_sheet_add_class(bt_sheet *sheet, const char *name,
                                            const uint32_t *numbers, bauta_error *error);
BT_MUST_USE bauta_status bt_sheet_add_text(bt_sheet *sheet, size_t source, bauta_error *error);
void bt_sheet_release(bt_sheet *sheet);

/* Writes `file` into the job's store. `stream` names the random stream of its order. */
BT_MUST_USE bauta_status bt_sheet_write(bt_sheet *sheet, const char *file, const char *stream,
                                        bauta_error *error);

/* The text of an `other` column that is published, as it is: UTF-8, canonical, missing as the empty
 * text. Leaves it in worker->plain. */
BT_MUST_USE bauta_status bt_sheet_make_other(const bt_sheet *sheet, const bt_sheet_column *column,
                                             const bt_batch *batch, size_t at,
                                             bt_sheet_worker *worker, bauta_error *error);

/* For a store that holds columns: packing a row into worker->packed, and making the table of the
 * rows in the shuffle. What was begun is ended also after a failure. */
BT_MUST_USE bauta_status bt_sheet_begin_columns(bt_sheet *sheet, bauta_error *error);
void bt_sheet_end_columns(bt_sheet *sheet);
BT_MUST_USE bauta_status bt_sheet_pack_columns(bt_sheet *sheet, int64_t table_row,
                                               const bt_batch *batch, size_t at,
                                               bt_sheet_worker *worker, bauta_error *error);
BT_MUST_USE bauta_status bt_sheet_write_columns(bt_sheet *sheet, const char *file,
                                                bauta_error *error);

/* Writes the tables of a release once more, with an apostrophe before each text that a spreadsheet
 * may take for a formula (guard.c). */
BT_MUST_USE bauta_status bt_guard_tables(bt_store *store, bauta_error *error);

#endif
