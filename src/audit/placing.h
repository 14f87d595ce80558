/* SPDX-License-Identifier: Apache-2.0
 *
 * How the values of an original quasi column and the cells of the published one meet: both are
 * put on one line of positions, where a value is a place and a cell an interval, or some of
 * the places in it. Only src/audit and src/attack may include this.
 *
 *   whole hierarchy      the leaves in the manifest's order
 *   scheme               the codes of the original, for which the tree was built anew
 *   no hierarchy at hand the codes of the original: a node may hold any value that is present
 *   numbers and dates    the codes of the original: ranks
 *   text                 the codes of the original
 */
#ifndef BT_PLACING_H
#define BT_PLACING_H

#include "audit/boxes.h"
#include "reading/release.h"

typedef struct bt_placing {
    uint32_t positions;
    const uint32_t *of_code; /* code of the original -> position; NULL: the same */
    bt_side *sides;          /* per distinct cell of the published column */
} bt_placing;

/* Memory from the arena. */
BT_MUST_USE bauta_status bt_placing_make(const bt_release_column *published,
                                         const bt_column *original, bt_arena *arena,
                                         bt_placing *out, bauta_error *error);

static inline uint32_t bt_placing_position(const bt_placing *placing, uint32_t code)
{
    return placing->of_code ? placing->of_code[code] : code;
}

#endif
