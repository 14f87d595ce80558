/* SPDX-License-Identifier: Apache-2.0
 *
 * A release opened again from its publish folder: all that the audit, measures, queries and
 * attacks may see of it. Nothing here knows how the release was made.
 */
#ifndef BT_RELEASE_H
#define BT_RELEASE_H

#include "base/run.h"
#include "io/input.h"
#include "recipe/cell.h"
#include "recipe/manifest.h"

typedef struct bt_release_column {
    const bt_manifest_column *manifest;
    bt_cell_format format; /* quasi columns; derived hierarchies: only the published nodes */
    uint32_t count;        /* quasi, sensitive: distinct texts */
    const char **text;     /* the texts, zero-terminated */
    bt_cell *cells;        /* quasi: parsed, parallel to text */
    bool *well_formed;     /* quasi: false where the text is not a cell */
    void *codes;           /* quasi, sensitive: per row, index into text */
    unsigned width;
    const bt_check *check; /* other columns */
} bt_release_column;

typedef struct bt_release {
    bt_manifest manifest;
    int64_t rows;
    bt_release_column *columns; /* in the order of data.csv */
    size_t column_count;
    /* rows regrouped by their quasi texts */
    uint32_t classes;
    uint32_t *class_of; /* per row, numbered in order of first appearance */
    uint32_t *class_size;
    uint32_t *class_row;     /* a row of each class: its cells are the class's */
    int64_t unique_together; /* over all other columns */
    bt_arena arena;
    bt_raw *raw;
    bt_input *input;
} bt_release;

/* Opens `folder` cold. BAUTA_INVALID when it is not a release (a file is missing, extra,
 * unreadable, or the manifest is malformed). Cells that are not well formed are marked, not
 * refused: the audit reports them. */
BT_MUST_USE bauta_status bt_release_open(const char *folder, const bt_run *run, bt_release *out,
                                         bauta_error *error);
void bt_release_close(bt_release *release);

#endif
