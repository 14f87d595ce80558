/* SPDX-License-Identifier: Apache-2.0
 *
 * Two tables whose rows carry numbers in common, those of classes or with a public table of
 * sensitive groups (both are called units here): nothing but the number may link a row of the one
 * to a row of the other, and the numbers may tell nothing of the units.
 *
 * Cost: linear in rows (step.h, links.h).
 */
#include "audit/chance.h"
#include "audit/finding.h"

typedef struct units {
    const char *promise, *what;
    uint32_t count;
    const uint32_t *number;                    /* as published */
    const uint32_t *unit_of[BT_RELEASE_FILES]; /* per row of each file */
} units;

static units units_of(const bt_release *release)
{
    const bt_release_file *files = release->files;
    if (bt_is_join(release))
        return (units){"group numbers",
                       "sensitive groups",
                       release->join.groups,
                       release->join.number,
                       {files[0].group_of, files[1].group_of}};
    return (units){"class numbers",
                   "classes",
                   release->classes.count,
                   release->pair.number,
                   {files[0].class_of, files[1].class_of}};
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Numbers other than 1 to their number could tell something, and so could numbers in the order in
 * which they first appear. */
bauta_status bt_audit_numbers(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const units all = units_of(release);
    uint32_t wrong = 0;
    for (uint32_t u = 0; u < all.count; u++)
        wrong += all.number[u] < 1 || all.number[u] > all.count;
    if (wrong > 0) {
        bt_finding_put(job, all.promise, BT_FAILS, BT_NO_ROW,
                       "%u of %u %s have something else than a number from 1 to %u", wrong,
                       all.count, all.what, all.count);
        return BAUTA_OK;
    }
    bool told = false;
    for (size_t file = 0; file < release->file_count; file++) {
        bt_link link = {0};
        BT_TRY(bt_links_numbers(all.number, all.count, all.unit_of[file], release->files[file].rows,
                                &link, error));
        told |= link.told;
        if (link.broken)
            bt_finding_put(job, all.promise, BT_FAILS, BT_NO_ROW,
                           "the %s are numbered in the order in which %s names them first; "
                           "%s",
                           all.what, release->files[file].name, bt_chance_hint);
    }
    bt_finding_put(job, all.promise, BT_HOLDS, BT_NO_ROW, "the %s are numbered from 1 to %u%s",
                   all.what, all.count,
                   told ? ", not in the order in which they first appear"
                        : "; they are too few to tell an order from a random one");
    return BAUTA_OK;
}

/* ---- order ------------------------------------------------------------------------------- */

static bool is_sorted(const units *all, size_t file, int64_t rows)
{
    const uint32_t *unit_of = all->unit_of[file];
    bool up = true, down = true;
    for (int64_t i = 1; i < rows; i++) {
        up &= all->number[unit_of[i - 1]] <= all->number[unit_of[i]];
        down &= all->number[unit_of[i - 1]] >= all->number[unit_of[i]];
    }
    return (up || down) && rows > 2;
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

static bool is_same(const units *all, int64_t rows, bool backwards)
{
    for (int64_t i = 0; i < rows; i++)
        if (all->unit_of[0][i] != all->unit_of[1][backwards ? rows - 1 - i : i]) return false;
    return true;
}

/* Tables of two-tables and distribution are never sorted or alike, not even by chance: there
 * another order is drawn. */
static bool is_plain(bt_audit_job *job, const units *all)
{
    const bt_release *release = job->release;
    const bt_release_file *files = release->files;
    bool sorted = false;
    if (bt_is_join(release)) return false;
    for (size_t i = 0; i < 2; i++) {
        if (!is_sorted(all, i, files[i].rows)) continue;
        sorted = true;
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW, "%s is sorted by class", files[i].name);
    }
    if (files[0].rows != files[1].rows || !has_choice(release)) return sorted;
    bool forward = is_same(all, files[0].rows, false), back = is_same(all, files[0].rows, true);
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
    const units all = units_of(release);
    bt_steps steps;
    if (all.count < 2) {
        bt_finding_put(job, "order", BT_HOLDS, BT_NO_ROW,
                       "with one class the order of rows cannot tell which is in which");
        return BAUTA_OK;
    }
    if (is_plain(job, &all)) return BAUTA_OK;
    const bt_step_table tables[2] = {{files[0].rows, all.unit_of[0], all.count},
                                     {files[1].rows, all.unit_of[1], all.count}};
    BT_TRY(bt_steps_find(tables, NULL, job->options->run, &steps, error));
    if (steps.in_step)
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "the rows of both files stand in step%s%s: %lld of %lld lines have the same "
                       "class, where chance has at most %lld; %s",
                       steps.distance ? ", some lines off" : "",
                       steps.backwards ? ", backwards" : "", (long long)steps.hits,
                       (long long)steps.tried, (long long)steps.limit, bt_chance_hint);
    else if (steps.told)
        bt_finding_put(
            job, "order", BT_HOLDS, BT_NO_ROW,
            "at no rotation, forwards or backwards, do lines of both files have the same "
            "class more often than chance has it");
    else
        bt_finding_put(job, "order", BT_UNVERIFIABLE, BT_NO_ROW,
                       "there are too few rows, or classes are too large, to tell lines in step "
                       "from random orders");
    return BAUTA_OK;
}
