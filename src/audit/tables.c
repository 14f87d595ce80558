/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables whose rows carry the numbers of bags, which are classes or with a public table sensitive
 * groups: nothing but the number may link a row of the one to a row of the other, and the numbers
 * may tell nothing of the bags.
 *
 * Cost: linear in rows (step.h, links.h).
 */
#include "audit/chance.h"
#include "audit/drift.h"
#include "audit/finding.h"

/* ---- numbers ----------------------------------------------------------------------------- */

/* Numbers other than 1 to their number could tell something, and so could numbers in the order in
 * which they first appear. */
bauta_status bt_audit_numbers(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    const char *promise = bags->of_class ? "group numbers" : "class numbers";
    const char *what = bags->of_class ? "sensitive groups" : "classes";
    uint32_t wrong = 0;
    for (uint32_t b = 0; b < bags->count; b++)
        wrong += bags->number[b] < 1 || bags->number[b] > bags->count;
    if (wrong > 0) {
        bt_finding_put(job, promise, BT_FAILS, BT_NO_ROW,
                       "%u of %u %s have something else than a number from 1 to %u", wrong,
                       bags->count, what, bags->count);
        return BAUTA_OK;
    }
    bool told = false;
    for (size_t file = 0; file < release->file_count; file++) {
        bt_link link = {0};
        BT_TRY(bt_links_numbers(bags->number, bags->count, release->files[file].bag_of,
                                release->files[file].rows, &link, error));
        told |= link.told;
        if (link.broken)
            bt_finding_put(job, promise, BT_FAILS, BT_NO_ROW,
                           "the %s are numbered in the order in which %s names them first; "
                           "%s",
                           what, release->files[file].name, bt_chance_hint);
    }
    bt_finding_put(job, promise, BT_HOLDS, BT_NO_ROW, "the %s are numbered from 1 to %u%s", what,
                   bags->count,
                   told ? ", not in the order in which they first appear"
                        : "; they are too few to tell an order from a random one");
    return BAUTA_OK;
}

/* ---- order ------------------------------------------------------------------------------- */

static bool is_sorted(const bt_bags *bags, const bt_release_file *file)
{
    bool up = true, down = true;
    for (int64_t i = 1; i < file->rows; i++) {
        uint32_t before = bags->number[file->bag_of[i - 1]], here = bags->number[file->bag_of[i]];
        up &= before <= here;
        down &= before >= here;
    }
    return (up || down) && file->rows > 2;
}

/* With classes of one row (in a distribution) a few rows may have no other order. */
static bool has_choice(const bt_release *release)
{
    enum { FEW = 5 };
    bool single = false;
    for (uint32_t c = 0; c < release->classes.count; c++)
        single |= release->classes.size[c] == 1;
    return release->rows >= FEW || !single;
}

static bool is_same(const bt_release_file *files, bool backwards)
{
    int64_t rows = files[0].rows;
    for (int64_t i = 0; i < rows; i++)
        if (files[0].bag_of[i] != files[1].bag_of[backwards ? rows - 1 - i : i]) return false;
    return true;
}

/* A pair of tables is never sorted or alike, not even by chance: another order is drawn then. */
static bool is_plain(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_release_file *files = release->files;
    bool sorted = false;
    if (!release->form->pair) return false;
    for (size_t i = 0; i < 2; i++) {
        if (!is_sorted(&release->bags, &files[i])) continue;
        sorted = true;
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW, "%s is sorted by class", files[i].name);
    }
    if (files[0].rows != files[1].rows || !has_choice(release)) return sorted;
    bool forward = is_same(files, false), back = is_same(files, true);
    if (forward || back)
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "the rows of both files are in the same order of classes%s: line by line "
                       "they may be the original records",
                       back ? ", forwards or backwards" : "");
    return sorted || forward || back;
}

bauta_status bt_audit_order(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_release_file *files = release->files;
    uint32_t bags = release->bags.count;
    bt_steps steps;
    bt_order drift;
    if (bags < 2) {
        bt_finding_put(job, "order", BT_HOLDS, BT_NO_ROW,
                       "with one class the order of rows cannot tell which is in which");
        return BAUTA_OK;
    }
    if (is_plain(job)) return BAUTA_OK;
    const bt_step_table tables[2] = {{files[0].rows, files[0].bag_of, bags},
                                     {files[1].rows, files[1].bag_of, bags}};
    BT_TRY(bt_steps_find(tables, NULL, job->options->run, &steps, error));
    BT_TRY(bt_drift_tables(tables, &drift, error));
    if (steps.in_step)
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "the rows of both files stand in step%s%s: %lld of %lld lines have the same "
                       "class, where chance has at most %lld; %s",
                       steps.distance ? ", some lines off" : "",
                       steps.backwards ? ", backwards" : "", (long long)steps.hits,
                       (long long)steps.tried, (long long)steps.limit, bt_chance_hint);
    else if (bt_order_broken(drift))
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "the rows of %s follow those of %s by their classes, with rows of others "
                       "between; %s",
                       files[1].name, files[0].name, bt_chance_hint);
    else if (steps.told)
        bt_finding_put(
            job, "order", BT_HOLDS, BT_NO_ROW,
            "at no rotation, forwards or backwards, do lines of both files have the same "
            "class more often than chance has it");
    else if (bt_order_told(drift))
        bt_finding_put(job, "order", BT_HOLDS, BT_NO_ROW,
                       "the rows of both files do not follow each other by their classes beyond "
                       "what chance has");
    else
        bt_finding_put(job, "order", BT_UNVERIFIABLE, BT_NO_ROW,
                       "there are too few rows, or classes are too large, to tell lines in step "
                       "from random orders");
    return BAUTA_OK;
}
