/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized:rare=N, with the original: the records that values were drawn from. Only src/audit may
 * include this.
 *
 * A twin of what src/publish does, written for itself. Quasi columns are gone through in their
 * order, and again as long as records were dropped in between. A value that fewer than N of the
 * records that are left hold becomes another one of its column, as the manifest says:
 *   hierarchy    in rounds: the commonest value under the lowest node, "*" excepted, that N records
 *                were under when the round began. Values are taken in the order of their codes, and
 *                one that others became before its turn, so that N records hold it, stays; there is
 *                another round while values become others;
 *   neighbours   ascending values are taken into runs of N records or more, what is left over at
 *                the end into the last one: the commonest value of the run.
 * Of equally common values the first one counts. Records whose value is still rare are dropped.
 *
 * Cost: linear in rows times columns each time that they are gone through, and in the values of a
 * column times the levels of its tree for each round.
 */
#ifndef BT_AUDIT_MERGING_H
#define BT_AUDIT_MERGING_H

#include "reading/compared.h"

/* The first column whose rare values became others by a hierarchy that is not at hand; NULL: there
 * is none. */
const char *bt_merging_lacks(const bt_compared *compared);

/* Changes `compared` so that its records are those that values were drawn from, `least` being N.
 * Memory from its arena. */
BT_MUST_USE bauta_status bt_merging_replay(bt_compared *compared, int64_t least,
                                           bauta_error *error);

#endif
