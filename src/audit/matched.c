/* SPDX-License-Identifier: Apache-2.0
 *
 * What the comparison with the original (match.c) found, in words: for each form whether its rows
 * are original records, one each.
 */
#include "audit/chance.h"
#include "audit/finding.h"

#include <stdio.h>
#include <string.h>

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

/* ---- orders ------------------------------------------------------------------------------ */

enum { MOST_LINKS = 6, LIST_BYTES = 512 };

typedef struct link_text {
    bt_link link;
    const char *what; /* is asked */
} link_text;

static size_t list_links(const bt_audit_job *job, link_text out[MOST_LINKS])
{
    const bt_release *release = job->release;
    const bt_links *links = &job->links;
    bool join = bt_is_join(release);
    size_t count = 0;
    bt_link within = {0};
    for (size_t file = 0; file < release->file_count; file++) {
        bt_link_add(&within, links->within[file].told, links->within[file].broken);
        out[count++] = (link_text){links->original[file], release->files[file].name};
    }
    if (!join || release->file_count == 2)
        out[count++] = (link_text){within, join ? "rows of one group" : "rows of one class"};
    if (bt_is_two_tables(release))
        out[count++] = (link_text){links->step, "quasi.csv and sensitive.csv record by record"};
    if (release->file_count == 2)
        out[count++] =
            (link_text){links->numbers, join ? "numbers of groups" : "numbers of classes"};
    if (bt_is_distribution(release) && bt_sensitive_rows(release) > release->rows)
        out[count++] = (link_text){links->fakes, "where made-up values stand"};
    return count;
}

void bt_audit_linked(bt_audit_job *job)
{
    link_text all[MOST_LINKS];
    char held[LIST_BYTES] = "", open[LIST_BYTES] = "";
    if (!job->links.asked) return;
    size_t count = list_links(job, all);
    for (size_t i = 0; i < count; i++) {
        if (all[i].link.broken) {
            bt_finding_put(job, "original order", BT_FAILS, BT_NO_ROW,
                           "an order shows that tells whose rows are whose: %s; %s", all[i].what,
                           bt_chance_hint);
            continue;
        }
        char *list = all[i].link.told ? held : open;
        size_t length = strlen(list);
        snprintf(list + length, LIST_BYTES - length, "%s%s", length ? ", " : "", all[i].what);
    }
    if (*held)
        bt_finding_put(job, "original order", BT_HOLDS, BT_NO_ROW,
                       "no order shows beyond chance that tells whose rows are whose: %s%s%s", held,
                       *open ? "; unverifiable, since too few can be told apart: " : "", open);
    else if (*open)
        bt_finding_put(job, "original order", BT_UNVERIFIABLE, BT_NO_ROW,
                       "too few can be told apart to tell an order from a random one: %s", open);
}
