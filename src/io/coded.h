/* SPDX-License-Identifier: Apache-2.0
 *
 * A table that is held in memory column by column: what a store in memory has of a table of a
 * release, in place of the CSV file that it stands for.
 *
 * A column is codes and the texts that they stand for, or the texts of its rows. The table is cut
 * into parts, each of which one thread fills; once all are there, it is read any number of times as
 * a source (bt_source_coded), or printed as the file: quoted only where it must be, so that there
 * is one such file.
 */
#ifndef BT_CODED_H
#define BT_CODED_H

#include "io/batch.h"

typedef struct bt_coded_column {
    const char *name;
    bool coded;
    bt_dictionary dictionary; /* of a coded one */
} bt_coded_column;

typedef struct bt_coded_cells { /* of one column in one part */
    void *codes;                /* of a coded one */
    unsigned width;             /* bytes of a code */
    size_t *ends;               /* else: of the texts in `bytes` */
    char *bytes;
} bt_coded_cells;

typedef struct bt_coded_part {
    size_t rows;
    bt_coded_cells *cells; /* per column */
} bt_coded_part;

typedef struct bt_coded_table {
    bt_arena arena; /* names and dictionaries */
    bt_coded_column *columns;
    size_t column_count;
    bt_coded_part *parts;
    size_t part_count;
} bt_coded_table;

BT_MUST_USE bauta_status bt_coded_new(size_t columns, size_t parts, bt_coded_table **out,
                                      bauta_error *error);
void bt_coded_free(bt_coded_table *table);

/* Makes a column one of codes from 0 to count - 1, of which each text is to be set. */
BT_MUST_USE bauta_status bt_coded_reserve(bt_coded_table *table, size_t column, uint32_t count,
                                          bauta_error *error);
BT_MUST_USE bauta_status bt_coded_set_text(bt_coded_table *table, size_t column, uint32_t code,
                                           const char *bytes, size_t length, bauta_error *error);

/* Makes room for the rows of a part: for codes, and for texts of text_bytes[column] bytes. */
BT_MUST_USE bauta_status bt_coded_open_part(bt_coded_table *table, size_t part, size_t rows,
                                            const size_t *text_bytes, bauta_error *error);

/* Appends the line of names, and the rows of a part, as they stand in the file. */
BT_MUST_USE bauta_status bt_coded_print_names(const bt_coded_table *table, bt_buffer *out,
                                              bauta_error *error);
BT_MUST_USE bauta_status bt_coded_print(const bt_coded_table *table, size_t part, bt_buffer *out,
                                        bauta_error *error);

#endif
