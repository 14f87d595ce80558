/* SPDX-License-Identifier: Apache-2.0
 *
 * Persons in a release that counts them (--subject). The release does not say whose its rows are;
 * the original does, as far as it is certain which of its records a row is. Only src/audit may
 * include this.
 */
#ifndef BT_AUDIT_PERSONS_H
#define BT_AUDIT_PERSONS_H

#include "require/judge.h"

typedef struct bt_row_persons {
    uint32_t *subject_of; /* per published row; NULL: the original was not asked. Rows that are not
                             known have numbers of their own */
    uint32_t subjects;
    bool *known; /* per published row */
} bt_row_persons;

typedef struct bt_assignment {  /* records to rows; all numbers are those of match.c */
    const uint32_t *demand_of;  /* per supply: see settle.h */
    const uint32_t *supply_of;  /* per original record */
    const uint32_t *subject_of; /* per original record */
    uint32_t subjects;
    int64_t records;
    const uint32_t *wanting; /* per published row: its demand */
    uint32_t demands;
    int64_t rows;
} bt_assignment;

/* Rows of one demand are alike, so it does not matter which of them is which of the records. */
BT_MUST_USE bauta_status bt_persons_assign(const bt_assignment *from, bt_row_persons *out,
                                           bauta_error *error);
void bt_row_persons_release(bt_row_persons *persons);

typedef struct bt_person_verdict { /* on one requirement */
    bt_shortfall fails;            /* classes that do not satisfy it for certain */
    uint32_t open;                 /* classes of which it cannot be said */
} bt_person_verdict;

/* Judges every class by its persons. The requirements are bound to people with these subjects.
 * *smallest: persons in the class that has fewest, of those that are known. */
BT_MUST_USE bauta_status bt_persons_judge(const bt_requirements *requirements,
                                          const bt_judged_classes *classes,
                                          const bt_row_persons *persons, bt_person_verdict *out,
                                          int64_t *smallest, bauta_error *error);

/* How many persons are known to have rows in two classes; *row is one of the rows, or -1. */
BT_MUST_USE bauta_status bt_persons_torn(const uint32_t *class_of, int64_t rows,
                                         const bt_row_persons *persons, int64_t *torn, int64_t *row,
                                         bauta_error *error);

#endif
