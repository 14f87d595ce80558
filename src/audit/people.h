/* SPDX-License-Identifier: Apache-2.0
 *
 * The published records as requirements see them, with the categories and trees of the manifest.
 * Only src/audit, src/attack and src/job may include this.
 */
#ifndef BT_AUDIT_PEOPLE_H
#define BT_AUDIT_PEOPLE_H

#include "audit/persons.h"
#include "reading/release.h"

/* Rows are those of the file with the sensitive columns. `persons` are borrowed; memory is from the
 * arena, but `out` is released by the caller, also after a failure. BAUTA_INVALID when a column has
 * values that the manifest does not list. */
BT_MUST_USE bauta_status bt_audit_people(const bt_release *release, const bt_row_persons *persons,
                                         bt_arena *arena, bt_people *out, bauta_error *error);

/* distribution: the promises as what targets must satisfy, over every value of the domain.
 * `people` is released by the caller, also after a failure; the rest is from the arena.
 * BAUTA_INVALID when they do not fit. */
BT_MUST_USE bauta_status bt_audit_believed(const bt_release *release, bt_arena *arena,
                                           bt_people *people, bt_requirements *out,
                                           bauta_error *error);

#endif
