/* SPDX-License-Identifier: Apache-2.0
 *
 * Two versions of a randomized table, row against row: the chance that a row of the one and a row
 * of the other are of one record. Only src/attack may include this.
 *
 * Whoever has both needs no original to tell who else a row may be of. Rows of one record have the
 * same sensitive values, and differ in no more quasi columns than both versions together drew anew;
 * a row of the other version is taken for a person here (redrawn.h).
 */
#ifndef BT_REDRAWN_VERSIONS_H
#define BT_REDRAWN_VERSIONS_H

#include "attack/attack.h"

typedef struct bt_redrawn_versions {
    const bt_attacker *attacker;
    const bt_release_column **here, **there; /* columns of both: quasi, then sensitive ones */
    size_t quasi, count;
    uint32_t **code_here; /* per column and code of the other: that of the first */
    bt_tuples rows, others;
    uint32_t *row_kind; /* per row of the first release: its number among `rows` */
    bt_redrawn redrawn; /* rows, and as people those of the other version */
    bt_arena arena;
} bt_redrawn_versions;

/* Both are randomized. *out has no quasi columns where they have none in common, or too many.
 * Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_redrawn_versions_open(const bt_attacker *attacker,
                                                  bt_redrawn_versions *out, bauta_error *error);
void bt_redrawn_versions_close(bt_redrawn_versions *versions);

#endif
