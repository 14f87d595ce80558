/* SPDX-License-Identifier: Apache-2.0
 *
 * What the comparison with the original (match.c) found, in words: what several forms say of
 * whether their rows are original records, one each, and what orders tell.
 */
#include "audit/chance.h"
#include "audit/finding.h"

#include <stdio.h>
#include <string.h>

void bt_tell_quasi_rows(bt_audit_job *job)
{
    if (job->unmatched_quasi == 0)
        bt_finding_put(job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows of quasi.csv is an original record of its own",
                       (long long)job->release->rows);
    else
        bt_finding_put(job, "original records", BT_FAILS, job->unmatched_quasi_row,
                       "%lld of %lld rows of quasi.csv are no original record of their own, one of "
                       "them in this class",
                       (long long)job->unmatched_quasi, (long long)job->release->rows);
}

void bt_tell_too_many(bt_audit_job *job, const char *promise)
{
    bt_finding_put(
        job, promise, BT_UNVERIFIABLE, BT_NO_ROW,
        "so many cells contain the same records that which row is whose was not searched");
}

/* ---- orders ------------------------------------------------------------------------------ */

enum { LIST_BYTES = 512 };

size_t bt_links_list(const bt_release *release, const bt_links *links,
                     bt_link_text out[BT_LINKS_MOST])
{
    bool join = release->form->join, apart = bt_sensitive_apart(release);
    size_t count = 0;
    bt_link within = {0};
    for (size_t file = 0; file < release->file_count; file++) {
        bt_link_add(&within, links->within[file].told, links->within[file].broken);
        out[count++] = (bt_link_text){links->original[file], release->files[file].name};
    }
    if (!join || apart)
        out[count++] = (bt_link_text){within, join ? "rows of one group" : "rows of one class"};
    if (release->form->pair)
        out[count++] = (bt_link_text){links->step, "quasi.csv and sensitive.csv record by record"};
    if (join && apart)
        out[count++] = (bt_link_text){links->step, "data.csv and sensitive.csv record by record"};
    if (apart)
        out[count++] =
            (bt_link_text){links->numbers, join ? "numbers of groups" : "numbers of classes"};
    if (release->form->parts && bt_sensitive_rows(release) > release->rows)
        out[count++] = (bt_link_text){links->fakes, "where made-up values stand"};
    return count;
}

void bt_audit_linked(bt_audit_job *job)
{
    bt_link_text all[BT_LINKS_MOST];
    char held[LIST_BYTES] = "", open[LIST_BYTES] = "";
    if (!job->links.asked) return;
    size_t count = bt_links_list(job->release, &job->links, all);
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
