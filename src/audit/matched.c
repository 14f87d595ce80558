/* SPDX-License-Identifier: Apache-2.0
 *
 * What the comparison with the original (match.c) found, in words: for each form whether its rows
 * are original records, one each.
 */
#include "audit/finding.h"

/* Where in a group a part is without a record is not known: it may be one of the made-up. */
static void tell_parts(bt_audit_job *job)
{
    long long rows = (long long)job->release->rows;
    if (!job->targets)
        bt_finding_put(job, "original parts", BT_FAILS, BT_NO_ROW,
                       "without targets nothing can be said of the parts of the domain");
    else if (job->unmatched == 0)
        bt_finding_put(job, "original parts", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld records has a part of the domain of its own in its group "
                       "that holds its value",
                       rows);
    else
        bt_finding_put(
            job, "original parts", BT_FAILS, BT_NO_ROW,
            "%lld of %lld records have no part of the domain of their own in their group "
            "that holds their value",
            (long long)job->unmatched, rows);
}

static void tell_pair(bt_audit_job *job)
{
    const bt_release *release = job->release;
    if (job->unmatched_quasi == 0)
        bt_finding_put(job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows of quasi.csv is an original record of its own",
                       (long long)release->rows);
    else
        bt_finding_put(job, "original records", BT_FAILS, job->unmatched_quasi_row,
                       "%lld of %lld rows of quasi.csv are no original record of their own, one of "
                       "them in this class",
                       (long long)job->unmatched_quasi, (long long)release->rows);
    if (job->too_many) return;
    if (bt_is_distribution(release))
        tell_parts(job);
    else if (job->unmatched == 0)
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

static void tell_join(bt_audit_job *job)
{
    long long rows = (long long)bt_release_records(job->release);
    if (job->release->file_count == 1) return; /* sensitive.csv is what was matched */
    if (job->unmatched == 0)
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

/* What was not compared; in two-tables that is the bags. */
static void tell_too_many(bt_audit_job *job)
{
    bt_finding_put(
        job, bt_is_two_tables(job->release) ? "original bags" : "original records", BT_UNVERIFIABLE,
        BT_NO_ROW,
        "so many cells contain the same records that which row is whose was not searched");
}

void bt_audit_matched(bt_audit_job *job)
{
    if (job->too_many) tell_too_many(job);
    if (job->too_many && !bt_is_two_tables(job->release)) return;
    long long rows = (long long)job->release->rows;
    if (bt_is_two_tables(job->release))
        tell_pair(job);
    else if (bt_is_join(job->release))
        tell_join(job);
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
