/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells: the text of a published quasi value, and reading it back.
 *
 *   column with a hierarchy   the node's label (unique per column, so nothing is escaped)
 *   number or date            the value, or [lo,hi]
 *   text                      the value, or {a|b|c} in the order of their bytes, of at most 64
 *                             values
 *   anything                  * when nothing is left, empty for the missing value
 *
 * In a column without a hierarchy a value that begins with one of * [ { \ gets a backslash
 * before it; inside a set a backslash stands before | } and \. Reading is the exact inverse.
 */
#ifndef BT_CELL_H
#define BT_CELL_H

#include "recipe/hierarchy.h"

/* A class with more texts than this in a column publishes "*" there. The set is written in every
 * row of the class, so that without a bound a release grows with the square of the table; and
 * nobody reads a longer one. Which cells become "*" follows from the classes and the sets that
 * would have been shown in their place, and from nothing else: it is a rule of generalization like
 * any other, and tells no more than that there were more values than this. */
enum { BT_SET_MOST = 64 };

/* ---- writing, from codes ---- */

/* Appends the cell of a class whose codes in this column are those set in `present` (a bitset
 * over the domain), the least being `lo` and the greatest `hi`. For hierarchies and numbers
 * only lo and hi matter and `present` may be NULL. A class that mixes missing and present
 * values gives "*". */
BT_MUST_USE bauta_status bt_cell_write(const bt_column *column, uint32_t lo, uint32_t hi,
                                       const uint64_t *present, bt_buffer *out, bauta_error *error);

/* ---- reading, from the release ---- */

typedef enum bt_cell_kind {
    BT_CELL_ALL,     /* * */
    BT_CELL_MISSING, /* empty */
    BT_CELL_VALUE,   /* a single value */
    BT_CELL_RANGE,   /* [lo,hi] */
    BT_CELL_SET,     /* {a|b} */
    BT_CELL_NODE,    /* a node above level 0 */
} bt_cell_kind;

typedef struct bt_cell {
    bt_cell_kind kind;
    int64_t lo, hi;    /* numbers and dates: VALUE and RANGE, in the column's scale */
    const char **text; /* VALUE and SET of text: members, unescaped */
    size_t count;
    uint32_t node; /* columns with a hierarchy: VALUE and NODE */
} bt_cell;

/* How the release's manifest describes a quasi column. */
typedef struct bt_cell_format {
    bt_type type;
    int scale;
    const bt_hierarchy *hierarchy; /* NULL: none; derived ones may hold only some nodes */
} bt_cell_format;

/* False: the text is not a well-formed cell of this column (also when it is not canonical:
 * lo >= hi, a set of one, an unneeded backslash). Memory from the arena; *memory is set when
 * false means out of memory. */
bool bt_cell_read(const bt_cell_format *format, const char *bytes, size_t length, bt_arena *arena,
                  bt_cell *out, bool *memory);

#endif
