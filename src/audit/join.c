/* SPDX-License-Identifier: Apache-2.0
 *
 * A join: what its files show of sensitive groups. That every box holds at least k rows (definition
 * 6 of paper 5) and every sensitive group satisfies what was promised is in promises.c.
 *
 * Cost: linear in classes and groups.
 */
#include "audit/finding.h"

int64_t bt_group_place(const bt_release *release, uint32_t group)
{
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (release->join.group_of[c] == group) return release->classes.row[c];
    return BT_NO_ROW;
}

/* ---- groups ---- */

/* Each class has a record of the original at least: others are not published. */
static bauta_status count_classes(const bt_release *release, uint32_t **out, bauta_error *error)
{
    *out = bt_array_zero(release->join.groups, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (uint32_t c = 0; c < release->classes.count; c++)
        (*out)[release->join.group_of[c]]++;
    return BAUTA_OK;
}

static bauta_status check_groups(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_release_join *join = &release->join;
    uint32_t wrong = 0, first = 0, *classes;
    BT_TRY(count_classes(release, &classes, error));
    for (uint32_t g = join->groups; g-- > 0;) {
        bool whole = join->records[g] <= join->rows[g] && join->records[g] >= classes[g] &&
                     join->rows[g] > 0;
        if (release->file_count == 1) whole = join->rows[g] > 0;
        if (!bt_is_refined(&release->manifest)) whole &= classes[g] == 1;
        if (whole) continue;
        wrong++;
        first = g;
    }
    if (wrong > 0)
        bt_finding_put(job, "sensitive groups", BT_FAILS, bt_group_place(release, first),
                       "%u of %u sensitive groups have more rows in sensitive.csv than in "
                       "data.csv, fewer than boxes, or with 'direct' several boxes; this one has "
                       "%u, %u and %u",
                       wrong, join->groups, join->records[first], join->rows[first],
                       classes[first]);
    else
        bt_finding_put(job, "sensitive groups", BT_HOLDS, BT_NO_ROW,
                       release->file_count == 1
                           ? "%u sensitive groups, of which nothing is published"
                           : "each of %u sensitive groups has a record for each of its boxes at "
                             "least, and no more than rows",
                       join->groups);
    free(classes);
    return BAUTA_OK;
}

/* ---- presence ---- */

/* Whoever has a row in a group without external persons is in the table: nobody promised to hide
 * it, but it must be known. */
static void check_presence(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_release_join *join = &release->join;
    uint32_t alone = 0, first = 0;
    int64_t records = 0;
    for (uint32_t g = join->groups; g-- > 0;) {
        if (join->rows[g] == 0 || join->records[g] < join->rows[g]) continue;
        alone++;
        records += join->records[g];
        first = g;
    }
    if (release->file_count == 1)
        bt_finding_put(job, "presence", BT_UNVERIFIABLE, BT_NO_ROW,
                       "how many rows of a box are records of the original is not published");
    else if (alone > 0)
        bt_finding_put(job, "presence", BT_HOLDS, bt_group_place(release, first),
                       "%u of %u sensitive groups have no external person, this one among them: "
                       "they disclose that their %lld persons are in the table",
                       alone, join->groups, (long long)records);
    else
        bt_finding_put(job, "presence", BT_HOLDS, BT_NO_ROW,
                       "each of %u sensitive groups has external persons among its rows",
                       join->groups);
}

bauta_status bt_audit_join(bt_audit_job *job, bauta_error *error)
{
    BT_TRY(check_groups(job, error));
    BT_TRY(bt_audit_numbers(job, error));
    if (job->release->file_count == 2) BT_TRY(bt_audit_order(job, error));
    check_presence(job);
    return BAUTA_OK;
}
