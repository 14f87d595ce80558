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
    int64_t unmatched;      /* rows without an original record of their own */
    int64_t unmatched_row;  /* the first row of the class of one of them */
    bt_row_persons persons; /* whose the rows are, when the release counts persons */
} bt_audit_job;

enum { BT_NO_ROW = -1 };

/* Adds a finding; `row` is the first row of a class, from 0, or BT_NO_ROW. */
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

/* Matches the rows with the original records. The caller frees job->persons, also after a failure.
 * bt_audit_matched then tells whether the rows are those records, one each. */
BT_MUST_USE bauta_status bt_audit_match(bt_audit_job *job, bauta_error *error);
void bt_audit_matched(bt_audit_job *job);

#endif
