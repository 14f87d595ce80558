/* SPDX-License-Identifier: Apache-2.0
 *
 * What changed between two releases of one table: where the classes of both hold the same people,
 * the rows of the one less those of the other are of who came, left, or has another value now. Only
 * src/attack and src/job may include this.
 *
 * Classes of which someone's values lie in both are linked; a part is all that are linked, on
 * either side. With a fixed recoding a part is one class of each release.
 *
 * Cost: linear in people, rows, and the classes that may be people's.
 */
#ifndef BT_CHANGES_H
#define BT_CHANGES_H

#include "base/run.h"
#include "table/tuples.h"

enum { BT_HERE, BT_THERE };

typedef struct bt_changes_side { /* a release */
    uint32_t units;
    int64_t rows;            /* with sensitive values */
    const uint32_t *unit_of; /* per row */
    const uint32_t *value;   /* per row: codes that both releases share */
} bt_changes_side;

typedef struct bt_change { /* rows of a part with a value, if both releases do not have as many */
    uint32_t part, value;
    uint32_t row;   /* one of those rows, of the release that has more */
    uint32_t count; /* how many more rows that release has */
    int side;       /* which release has more: BT_HERE, records came; BT_THERE, they left */
} bt_change;

typedef struct bt_changes {
    bt_changes_side sides[2];
    uint32_t *parent; /* per unit here, then there: of the same part; the root is its own */
    bt_change *list;  /* by part, then side */
    size_t count;
} bt_changes;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_changes_open(const bt_changes_side *here, const bt_changes_side *there,
                                         bt_changes *out, bauta_error *error);
void bt_changes_close(bt_changes *changes);

/* Someone's values lie in a unit of either. */
void bt_changes_link(bt_changes *changes, uint32_t here, uint32_t there);

/* Finds the list, when all links are made. Parts that have units of one release only are left out:
 * all their rows came, or left. Values are below `values`. */
BT_MUST_USE bauta_status bt_changes_find(bt_changes *changes, uint32_t values, const bt_run *run,
                                         bauta_error *error);

/* The end of what is in the list from `from` on of one part and side. */
size_t bt_changes_end(const bt_changes *changes, size_t from);

#endif
