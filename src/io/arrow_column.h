/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns in the layouts of the Arrow columnar format: what a format string means, and what is
 * yielded of some rows of an array. Only src/io may include this.
 *
 * The C data interface has no sizes of buffers, so that these cannot be checked; all else that an
 * array says is taken for hostile: lengths, offsets, missing buffers, codes, bytes that are no
 * text.
 */
#ifndef BT_ARROW_COLUMN_H
#define BT_ARROW_COLUMN_H

#include "io/batch.h"
#include "io/zone.h"

/* How a column lies in memory. */
typedef enum bt_layout {
    BT_LAYOUT_FOREIGN, /* not read: such a column can be dropped only */
    BT_LAYOUT_NULL,
    BT_LAYOUT_BOOLEAN,
    BT_LAYOUT_SIGNED, /* integers; also dates and timestamps */
    BT_LAYOUT_UNSIGNED,
    BT_LAYOUT_FLOAT,
    BT_LAYOUT_DOUBLE,
    BT_LAYOUT_DECIMAL,
    BT_LAYOUT_TEXT, /* offsets of `width` bytes */
    BT_LAYOUT_VIEW,
} bt_layout;

typedef struct bt_arrow_type {
    bt_layout layout;
    bt_yield yields;
    unsigned width;      /* bytes of a value, or of an offset of text */
    int64_t part;        /* of dates: so much is a day */
    const bt_zone *zone; /* of timestamps: on whose clocks; NULL: those of UTC, or no matter */
    int scale;           /* of decimals */
    const char *foreign; /* BT_LAYOUT_FOREIGN: what it is, in words */
    struct bt_arrow_type
        *value; /* of dictionaries, whose codes the above is: the values'; or NULL */
} bt_arrow_type;

/* What a column is. The type of a dictionary's values, and zones, are allocated from the arena. */
BT_MUST_USE bauta_status bt_arrow_type_read(const struct ArrowSchema *schema, bt_arena *arena,
                                            bt_arrow_type *out, bauta_error *error);

/* What is wrong with an array that must have `rows` rows; NULL: nothing that can be seen without
 * its values. */
const char *bt_arrow_fault(const bt_arrow_type *type, const struct ArrowArray *array, int64_t rows);

typedef struct bt_arrow_part { /* rows of an array that has no such fault */
    const bt_arrow_type *type;
    const struct ArrowArray *array;
    int64_t first; /* place of the first row in the buffers */
    size_t rows;
    bool comma;                      /* decimals that are written out have one */
    const bt_dictionary *dictionary; /* of a type that has one */
    /* after a failure */
    size_t fault; /* a row */
    const char *message;
} bt_arrow_part;

/* What is yielded of the rows; vector->room has room for them. False: a value cannot be. */
bool bt_arrow_decode(bt_arrow_part *part, bt_vector *vector);

#endif
