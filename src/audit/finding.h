/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the audit share. Only src/audit may include this.
 */
#ifndef BT_FINDING_H
#define BT_FINDING_H

#include "audit/audit.h"
#include "audit/persons.h"

typedef enum bt_verdict { BT_HOLDS, BT_FAILS, BT_UNVERIFIABLE } bt_verdict;

typedef struct bt_audit_job {
    const bt_release *release;
    const bt_audit_options *options;
    bt_facts *facts;
    json_t *findings;
    bool holds;
    /* after bt_audit_match */
    int64_t unmatched;       /* rows without an original record of their own */
    int64_t unmatched_row;   /* the place of the class of one of them */
    int64_t unmatched_quasi; /* two-tables: rows of quasi.csv without one; `unmatched` counts those
                                of sensitive.csv */
    int64_t unmatched_quasi_row;
    bt_row_persons persons; /* whose the rows are, when the release counts persons */
} bt_audit_job;

enum { BT_NO_ROW = -1 };

/* Where a finding says a class is: its first row, from 0; in two-tables its number less 1. */
int64_t bt_class_place(const bt_release *release, uint32_t class_number);
/* … a row of a file: itself; in two-tables its class. */
int64_t bt_row_place(const bt_release *release, size_t file, int64_t row);

/* Adds a finding; `row` is the place of a class, or BT_NO_ROW. */
void bt_finding_put(bt_audit_job *job, const char *promise, bt_verdict verdict, int64_t row,
                    const char *detail, ...) BT_PRINTF(5, 6);

/* Every requirement that the manifest names holds for every class. */
BT_MUST_USE bauta_status bt_audit_promises(bt_audit_job *job, bauta_error *error);

/* Cells and sensitive values are well formed, and no source formatting shows. */
void bt_audit_cells(bt_audit_job *job);

/* Where a column shows the categories of another one, they are those of its values. */
void bt_audit_categories(bt_audit_job *job);

/* What the other columns single out. */
BT_MUST_USE bauta_status bt_audit_other(bt_audit_job *job, bauta_error *error);

/* two-tables: whether classes are the same in both files, and nothing but them links the two. */
BT_MUST_USE bauta_status bt_audit_pair(bt_audit_job *job, bauta_error *error);

/* Matches the rows with the original records. The caller frees job->persons, also after a failure.
 * bt_audit_matched then tells whether the rows are those records, one each. */
BT_MUST_USE bauta_status bt_audit_match(bt_audit_job *job, bauta_error *error);
void bt_audit_matched(bt_audit_job *job);

#endif
