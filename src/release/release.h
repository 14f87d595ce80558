/* SPDX-License-Identifier: Apache-2.0
 *
 * A release opened again from its publish folder: all that the audit, measures, queries and
 * attacks may see of it. Nothing here knows how the release was made.
 *
 * Distinct texts are numbered as they were read, in no fixed order; classes are numbered in the
 * order of their first rows, so what is reported about them never depends on threads.
 */
#ifndef BT_RELEASE_H
#define BT_RELEASE_H

#include "base/run.h"
#include "io/input.h"
#include "recipe/cell.h"
#include "recipe/manifest.h"
#include "table/tuples.h"

enum { BT_NOT_KNOWN = UINT32_MAX };

typedef struct bt_release_column {
    const bt_manifest_column *manifest;
    /* quasi and sensitive columns */
    const bt_values *values; /* distinct texts, and the rows of each */
    void *codes;             /* per row: index into values */
    unsigned width;          /* bytes per code */
    bool *well_formed;       /* false: not a cell (quasi), not canonical (sensitive), or not in the
                                hierarchy or the categories that the manifest has for it */
    /* quasi columns */
    bt_cell_format format; /* derived hierarchies: the published nodes under the root */
    bt_cell *cells;        /* parallel to values; members of sets are left out (text is
                              NULL): bt_release_cell gives them */
    /* sensitive columns, parallel to values; BT_NOT_KNOWN: the manifest does not have it */
    uint32_t *category;            /* with categories, own or of the column it stands beside */
    const bt_category *categories; /* those */
    uint32_t category_count;
    uint32_t *leaf; /* with a hierarchy: the code there */
    /* other columns */
    const bt_check *check;
} bt_release_column;

/* Whether data.csv is written as a release must be: no needless quotes, blanks, carriage
 * returns or empty lines through which the source's formatting could show. */
typedef struct bt_release_shape {
    int64_t bytes;     /* of the file */
    int64_t canonical; /* that its values take in canonical form */
    bool ends_well;    /* with one line end */
} bt_release_shape;

typedef struct bt_release {
    bt_manifest manifest;
    int64_t rows;               /* at most UINT32_MAX */
    bt_release_column *columns; /* in the order of data.csv */
    size_t column_count;
    bt_tuples classes;       /* rows regrouped by their quasi texts: size and first row */
    int64_t unique_together; /* rows, over all other columns */
    bt_release_shape shape;
    bt_arena arena;
    bt_raw *raw;
    bt_input *input;
} bt_release;

/* Opens `folder` cold. BAUTA_INVALID when it is not a release (a file is missing, extra,
 * unreadable, or the manifest is malformed). Cells that are not well formed are marked, not
 * refused: the audit reports them. `out` must be closed also after a failure. */
BT_MUST_USE bauta_status bt_release_open(const char *folder, const bt_run *run, bt_release *out,
                                         bauta_error *error);
void bt_release_close(bt_release *release);

/* The class of each row; the array is the caller's to free. */
BT_MUST_USE bauta_status bt_release_number(const bt_release *release, const bt_run *run,
                                           uint32_t **class_of, bauta_error *error);

/* The cell of value `code` of a quasi column with all its members, from the arena. */
BT_MUST_USE bauta_status bt_release_cell(const bt_release_column *column, uint32_t code,
                                         bt_arena *arena, bt_cell *out, bauta_error *error);

/* The columns of one role as tuples see them; the array is the caller's to free. */
BT_MUST_USE bauta_status bt_release_codes(const bt_release *release, bt_role role, bt_codes **out,
                                          size_t *count, bauta_error *error);

/* How the texts of a column are read: the canonical forms of its type. */
bt_reading bt_release_reading(const bt_manifest_column *column);

#endif
