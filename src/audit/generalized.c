/* SPDX-License-Identifier: Apache-2.0
 *
 * generalized: what its options say of its columns, and whether its rows are original records.
 */
#include "audit/finding.h"

/* sensitive=value|category|both, box=tight|grid. */
bauta_status bt_audit_cell_options(bt_audit_job *job, bauta_error *error)
{
    (void)error;
    const bt_manifest *manifest = &job->release->manifest;
    bool category = bt_form_says(manifest->form, "sensitive", "category");
    bool both = bt_form_says(manifest->form, "sensitive", "both");
    bool grid = bt_form_says(manifest->form, "box", "grid");
    size_t sensitive = 0, shown = 0, companions = 0, loose = 0;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        bool companion = bt_is_companion(column);
        companions += companion;
        sensitive += column->role == BT_ROLE_SENSITIVE && !companion;
        shown += bt_shows_categories(column);
        bool quasi = column->role == BT_ROLE_QUASI && !column->hierarchy && !column->partial;
        loose += quasi && grid != (column->cuts != NULL);
    }
    if (shown != (category ? sensitive : 0) || companions != (both ? sensitive : 0))
        bt_manifest_wrong(
            job, "the form says something else of what is published of sensitive columns than the "
                 "columns do");
    if (loose > 0)
        bt_manifest_wrong(job, grid ? "the form puts cells on cut points, but a column has none"
                                    : "a column has cut points, but the form does not use them");
    return BAUTA_OK;
}

static void tell_matched(bt_audit_job *job)
{
    long long rows = (long long)job->release->rows;
    if (job->too_many)
        bt_tell_too_many(job, "original records");
    else if (job->unmatched == 0)
        bt_finding_put(job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows has an original record of its own that its cells "
                       "contain",
                       rows);
    else
        bt_finding_put(job, "original records", BT_FAILS, job->unmatched_row,
                       "%lld of %lld rows have no original record of their own, one of them in "
                       "this class",
                       (long long)job->unmatched, rows);
}

const bt_audit_form bt_audit_form_generalized = {
    .promises = bt_audit_promises,
    .options = bt_audit_cell_options,
    .matched = tell_matched,
};
