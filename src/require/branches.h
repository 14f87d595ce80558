/* SPDX-License-Identifier: Apache-2.0
 *
 * Dividing a class into branches so that each of them, and the trunk of records that go into
 * none, satisfies the requirements.
 *
 * A branch that does not satisfy goes back to the trunk whole. If the trunk then has records and
 * does not satisfy, single records follow out of the other branches, as long as those satisfy
 * without them: the one whose sensitive value is rarest in the trunk first (with several
 * sensitive columns: the sum of its values' counts), then the one of larger category weight, then
 * the later one. If that is not enough these return to their branches, the smallest branch goes
 * back whole (of equal ones the first), and all is tried again.
 *
 * A search that has taken long for the number of its records becomes hasty, so that the time of any
 * division is nearly linear: then two branches go back, four, eight and so on until the trunk
 * satisfies, and a record that its branch would not give up is not asked for again in that round.
 */
#ifndef BT_BRANCHES_H
#define BT_BRANCHES_H

#include "require/requirement.h"

typedef struct bt_branch {
    uint32_t start, size; /* its records are order[start..start+size) */
    uint64_t gain;        /* what a record in this branch is worth */
    bool grows;           /* out: it satisfies; its records are those, without `returned` */
} bt_branch;

typedef struct bt_division {
    const uint32_t *rows;     /* per record of the class: its row in the table, ascending */
    const uint32_t *profiles; /* per record; NULL: only numbers of records matter */
    const uint32_t *order;    /* records by branch, ascending within one */
    bt_branch *branches;
    uint32_t count;
    uint64_t enough; /* no division is wanted that is worth less */
    /* out */
    uint64_t worth;     /* sum of gains; less than `enough`: given up, the rest means nothing */
    uint32_t left;      /* records in the trunk */
    uint32_t *returned; /* records of growing branches that went back; valid until the next use */
    uint32_t returned_count;
} bt_division;

typedef struct bt_branches bt_branches; /* one per worker */

BT_MUST_USE bauta_status bt_branches_new(const bt_requirements *requirements, bt_branches **out,
                                         bauta_error *error);
void bt_branches_free(bt_branches *branches);

/* The class as a whole satisfies the requirements. */
BT_MUST_USE bauta_status bt_branches_divide(bt_branches *branches, bt_division *division,
                                            bauta_error *error);

#endif
