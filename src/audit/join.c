/* SPDX-License-Identifier: Apache-2.0
 *
 * A join: what its files show of sensitive groups. That every box holds at least k rows (definition
 * 6 of paper 5) and every sensitive group satisfies what was promised is in promises.c.
 *
 * Cost: linear in classes and groups.
 */
#include "audit/finding.h"

/* ---- groups ---- */

/* Each class has a record of the original at least: others are not published. */
static bauta_status count_classes(const bt_release *release, uint32_t **out, bauta_error *error)
{
    *out = bt_array_zero(release->bags.count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (uint32_t c = 0; c < release->classes.count; c++)
        (*out)[release->bags.of_class[c]]++;
    return BAUTA_OK;
}

static bauta_status check_groups(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    uint32_t wrong = 0, first = 0, *classes;
    BT_TRY(count_classes(release, &classes, error));
    for (uint32_t g = bags->count; g-- > 0;) {
        bool whole =
            bags->values[g] <= bags->rows[g] && bags->values[g] >= classes[g] && bags->rows[g] > 0;
        if (bt_records_hidden(release)) whole = bags->rows[g] > 0;
        if (!bt_is_refined(&release->manifest)) whole &= classes[g] == 1;
        if (whole) continue;
        wrong++;
        first = g;
    }
    if (wrong > 0)
        bt_finding_put(job, "sensitive groups", BT_FAILS, bt_bag_place(release, first),
                       "%u of %u sensitive groups have more rows in sensitive.csv than in "
                       "data.csv, fewer than boxes, or with 'direct' several boxes; this one has "
                       "%u, %u and %u",
                       wrong, bags->count, bags->values[first], bags->rows[first], classes[first]);
    else
        bt_finding_put(job, "sensitive groups", BT_HOLDS, BT_NO_ROW,
                       bt_records_hidden(release)
                           ? "%u sensitive groups, of which nothing is published"
                           : "each of %u sensitive groups has a record for each of its boxes at "
                             "least, and no more than rows",
                       bags->count);
    free(classes);
    return BAUTA_OK;
}

/* ---- presence ---- */

/* Whoever has a row in a group without external persons is in the table: nobody promised to hide
 * it, but it must be known. */
static void check_presence(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    uint32_t alone = 0, first = 0;
    int64_t records = 0;
    for (uint32_t g = bags->count; g-- > 0;) {
        if (bags->rows[g] == 0 || bags->values[g] < bags->rows[g]) continue;
        alone++;
        records += bags->values[g];
        first = g;
    }
    if (bt_records_hidden(release))
        bt_finding_put(job, "presence", BT_UNVERIFIABLE, BT_NO_ROW,
                       "how many rows of a box are records of the original is not published");
    else if (alone > 0)
        bt_finding_put(job, "presence", BT_HOLDS, bt_bag_place(release, first),
                       "%u of %u sensitive groups have no external person, this one among them: "
                       "they disclose that their %lld persons are in the table",
                       alone, bags->count, (long long)records);
    else
        bt_finding_put(job, "presence", BT_HOLDS, BT_NO_ROW,
                       "each of %u sensitive groups has external persons among its rows",
                       bags->count);
}

static bauta_status audit_promises(bt_audit_job *job, bauta_error *error)
{
    BT_TRY(bt_audit_promises(job, error));
    BT_TRY(check_groups(job, error));
    BT_TRY(bt_audit_numbers(job, error));
    if (bt_sensitive_apart(job->release)) BT_TRY(bt_audit_order(job, error));
    check_presence(job);
    return BAUTA_OK;
}

/* ---- with the original ---- */

static void tell_matched(bt_audit_job *job)
{
    long long rows = (long long)bt_release_records(job->release);
    if (bt_records_hidden(job->release)) return; /* sensitive.csv is what was matched */
    if (job->too_many)
        bt_tell_too_many(job, "original records");
    else if (job->unmatched == 0)
        bt_finding_put(job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows of sensitive.csv has an original record of its own "
                       "that lies in a box of its sensitive group",
                       rows);
    else
        bt_finding_put(job, "original records", BT_FAILS, job->unmatched_row,
                       "%lld of %lld rows of sensitive.csv have no original record of their own "
                       "in the boxes of their sensitive group, one of them in this one",
                       (long long)job->unmatched, rows);
}

const bt_audit_form bt_audit_form_join = {
    .promises = audit_promises,
    .options = bt_audit_cell_options,
    .matched = tell_matched,
    .original = bt_audit_joined,
};
