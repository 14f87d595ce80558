/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a grouping: for every class and quasi column the text that is published, each
 * different text held once.
 */
#ifndef BT_CELLS_H
#define BT_CELLS_H

#include "base/run.h"
#include "class/grouping.h"

enum { BT_CELL_SLACK = 16 }; /* readable bytes after the last text: short ones are copied whole */

typedef struct bt_cell_texts { /* of one column */
    bt_buffer bytes;           /* quoted for CSV where needed */
    size_t *ends;              /* text i is bytes[ends[i-1]..ends[i]) */
    uint32_t count;
    size_t ends_capacity;
    uint32_t *nodes; /* with a hierarchy: the node of text i */
    size_t nodes_capacity;
    size_t longest; /* length of the longest text */
} bt_cell_texts;

/* Appends a text; BT_CELL_SLACK bytes stay readable behind it. */
BT_MUST_USE bauta_status bt_cell_texts_add(bt_cell_texts *texts, const char *bytes, size_t length,
                                           bauta_error *error);
void bt_cell_texts_release(bt_cell_texts *texts);

static inline size_t bt_cell_text_length(const bt_cell_texts *texts, uint32_t number)
{
    return texts->ends[number] - (number ? texts->ends[number - 1] : 0);
}

typedef struct bt_cells {
    size_t columns;
    bt_cell_texts *texts; /* per quasi column */
    uint32_t *ids;        /* classes * columns, class by class: so a row touches one line */
    size_t *lengths;      /* per class: bytes of its texts together */
} bt_cells;

/* Gives the nodes that will be cells the labels that they may have (narrow.c): before cells are
 * made. The labels live in the arena. */
BT_MUST_USE bauta_status bt_cells_narrow(const bt_grouping *grouping, const bt_column *const *quasi,
                                         bt_arena *arena, bauta_error *error);

BT_MUST_USE bauta_status bt_cells_make(const bt_grouping *grouping, const bt_column *const *quasi,
                                       const bt_run *run, bt_cells *out, bauta_error *error);
void bt_cells_release(bt_cells *cells);

#endif
