/* SPDX-License-Identifier: Apache-2.0
 *
 * two-tables: what the two files show beside the classes themselves. Every person is linked to the
 * bag of a class, so bags must be shared. That nothing but the class links a row of the one file to
 * a row of the other is in tables.c.
 *
 * Cost: linear in rows and sensitive columns.
 */
#include "audit/finding.h"

#include "base/rational.h"

/* ---- classes ---- */

static void check_classes(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    uint32_t first = bags->first_unequal;
    if (bags->unequal > 0)
        bt_finding_put(job, "classes", BT_FAILS, bt_class_place(release, first),
                       "%u of %u classes have not as many rows in quasi.csv as in sensitive.csv; "
                       "this one has %u and %u",
                       bags->unequal, release->classes.count, bags->rows[first],
                       release->classes.size[first]);
    else
        bt_finding_put(job, "classes", BT_HOLDS, BT_NO_ROW,
                       "each of %u classes has as many rows in quasi.csv as in sensitive.csv",
                       release->classes.count);
}

/* ---- linkage ---- */

/* The value that takes the largest share of a bag. */
typedef struct dominant {
    const char *column;
    uint32_t class_number, rows;
} dominant;

static void consider(const bt_release *release, const char *column, uint32_t class_number,
                     uint32_t rows, dominant *most)
{
    const uint32_t *sizes = release->classes.size;
    if (most->column &&
        bt_fraction_compare(rows, sizes[class_number], most->rows, sizes[most->class_number]) <= 0)
        return;
    *most = (dominant){column, class_number, rows};
}

static bauta_status find_dominant(const bt_release *release, const bt_run *run, dominant *most,
                                  bauta_error *error)
{
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    *most = (dominant){0};
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_SENSITIVE) continue;
        const bt_codes codes[] = {{file->bag_of, 4, release->classes.count},
                                  {column->codes, column->width, column->values->count}};
        bt_tuples parts = {0};
        bauta_status status = bt_tuples_group(codes, 2, file->rows, run, &parts, error);
        for (uint32_t t = 0; t < parts.count && status == BAUTA_OK; t++)
            consider(release, column->manifest->name, file->bag_of[parts.row[t]], parts.size[t],
                     most);
        bt_tuples_release(&parts);
        if (status != BAUTA_OK) return status;
    }
    return BAUTA_OK;
}

static bauta_status check_linkage(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_tuples *classes = &release->classes;
    uint32_t alone = 0, first = 0, smallest = UINT32_MAX;
    dominant most;
    for (uint32_t c = classes->count; c-- > 0;) {
        uint32_t quasi = release->bags.rows[c];
        uint32_t size = classes->size[c] < quasi ? classes->size[c] : quasi;
        if (size < smallest) smallest = size;
        if (size > 1) continue;
        alone++;
        first = c;
    }
    BT_TRY(find_dominant(release, job->options->run, &most, error));
    if (alone > 0)
        bt_finding_put(job, "linkage", BT_FAILS, bt_class_place(release, first),
                       "%u classes have a single row: it is linked to its sensitive values", alone);
    else if (most.column)
        bt_finding_put(job, "linkage", BT_HOLDS, BT_NO_ROW,
                       "each row of quasi.csv is linked to a bag that at least %u share; no value "
                       "takes more of a bag than one of '%s' does: %u of %u",
                       smallest, most.column, most.rows, classes->size[most.class_number]);
    else
        bt_finding_put(job, "linkage", BT_HOLDS, BT_NO_ROW, "there are no rows");
    return BAUTA_OK;
}

/* ---- SQL ---- */

void bt_audit_sql(bt_audit_job *job)
{
    const char *foreign = job->release->foreign;
    if (foreign)
        bt_finding_put(job, "query files", BT_FAILS, BT_NO_ROW,
                       "%s holds something else than what follows from the manifest", foreign);
    else
        bt_finding_put(job, "query files", BT_HOLDS, BT_NO_ROW,
                       "query.sql, load.sqlite and load.psql follow from the manifest");
}

static bauta_status audit_promises(bt_audit_job *job, bauta_error *error)
{
    BT_TRY(bt_audit_promises(job, error));
    check_classes(job);
    BT_TRY(bt_audit_numbers(job, error));
    BT_TRY(check_linkage(job, error));
    BT_TRY(bt_audit_order(job, error));
    bt_audit_sql(job);
    return BAUTA_OK;
}

/* ---- with the original ---- */

static void tell_matched(bt_audit_job *job)
{
    const bt_release *release = job->release;
    if (job->too_many) bt_tell_too_many(job, "original bags");
    bt_tell_quasi_rows(job);
    if (job->too_many) return;
    if (job->unmatched == 0)
        bt_finding_put(job, "original bags", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows of sensitive.csv has an original record of its own "
                       "whose quasi values are in its class",
                       (long long)bt_sensitive_rows(release));
    else
        bt_finding_put(job, "original bags", BT_FAILS, job->unmatched_row,
                       "%lld of %lld rows of sensitive.csv have no original record of their own "
                       "whose quasi values are in their class, one of them in this class",
                       (long long)job->unmatched, (long long)bt_sensitive_rows(release));
}

const bt_audit_form bt_audit_form_two_tables = {
    .promises = audit_promises,
    .matched = tell_matched,
};
