/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition as a decision diagram: slots are decided one after the other, and a node says for
 * each signature of its slot where to go on. Two nodes that decide the same are one.
 *
 * With it, every record that a release allows is judged exactly, however a condition is put
 * together: following all ways that a cell leaves open tells whether a record may and whether it
 * must match, and adding up the shares along them how likely it does. The price is the size, which
 * is that of the query where each column is named once, and may grow fast where columns are named
 * again and again across AND and OR: beyond a limit the query is refused.
 */
#ifndef BT_DIAGRAM_H
#define BT_DIAGRAM_H

#include "query/predicate.h"

enum { BT_NEVER = 0, BT_ALWAYS = 1 }; /* the nodes at the ends */

typedef struct bt_diagram {
    uint32_t *slot;  /* per node; of the ends: the number of slots. Those that a node leads to have
                        smaller numbers and later slots */
    uint32_t *first; /* per node: its edges, one per signature of the slot */
    uint32_t *edges; /* nodes */
    uint32_t count;
    uint32_t root;
} bt_diagram;

/* Memory from the predicate's arena. */
BT_MUST_USE bauta_status bt_diagram_make(bt_predicate *predicate, bt_diagram *out,
                                         bauta_error *error);

static inline uint32_t bt_diagram_step(const bt_diagram *diagram, uint32_t node, uint32_t signature)
{
    return diagram->edges[diagram->first[node] + signature];
}

#endif
