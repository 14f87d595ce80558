/* SPDX-License-Identifier: Apache-2.0
 *
 * Position and numbering: what the order of rows, the numbers of classes and the form of the files
 * give away. Whoever has the original in its order pairs row i with row i; of two tables rows with
 * the same number; rows that stand together may belong together; classes may be numbered as they
 * came. None of it may be above chance: the limit is one in a billion.
 *
 *   rows            row i of the release and record i of the original, or rows some way off
 *   order           … or earlier rows and earlier records
 *   neighbours      rows that follow each other are of one class
 *   sorted          rows stand in the order of some column
 *   tables          two tables: row i of quasi.csv and row i of sensitive.csv are of one class, or
 *                   rows some way off
 *   within classes  … and the n-th row of a class in the one and the n-th in the other are of one
 *                   record
 *   class numbers   … and classes are numbered in the order of records, rows or values
 *   groups          with a public table: rows that follow each other are of one sensitive group
 *   tables          … row i of data.csv and row i of sensitive.csv are of one sensitive group
 *   within groups   … and the n-th row of a group in the one and the n-th in the other may be of
 *                   one record
 *   group numbers   … and sensitive groups are numbered in the order of records, rows or values
 *   public order    … and earlier rows are of people who come earlier in the public table
 *   other release   row i of the release and row i of another one of the same table, or rows some
 *                   way off, are of one record
 *   links           every order that the audit tests: each file against the original, its rows
 * class by class, two tables record by record, numbers against first appearances, places of made-up
 * values files           sizes beyond what the values take, texts that are not canonical, sets out
 * of order
 *
 * What rows show is counted by the code that the audit has for it (audit/step.h, trend.h, orders.h,
 * links.h). It also judges what stands in step, and links; of the rest the limits here are those of
 * attack/rate.h, which tell more in small tables than what the audit can prove.
 *
 * Cost: linear in rows and columns.
 */
#include "attack/order.h"
#include "attack/redrawn_attacks.h"
#include "audit/links.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char knows_files[] = "the files alone";
static const char knows_order[] = "the original in its order";

/* ---- against the original ---------------------------------------------------------------- */

static bool is_candidate(const bt_view *view, uint32_t target, uint32_t group)
{
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++)
        if (view->candidates[i] == group) return true;
    return false;
}

/* Every pair of a target and a group that may be its, as a list. */
static bauta_status list_pairs(const bt_view *view, uint32_t **targets, bauta_error *error)
{
    *targets = bt_array(view->first[view->targets.count], sizeof **targets);
    if (!*targets) return bt_fail_memory(error);
    for (uint32_t t = 0; t < view->targets.count; t++)
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            (*targets)[i] = t;
    return BAUTA_OK;
}

static bauta_status pair_rows(bt_attack_job *job, bauta_error *error)
{
    const bt_view *view = job->view;
    int64_t rows = view->release->rows, people = view->people->rows;
    double expected = 0;
    bt_attack_result result = {.variant = "rows",
                               .knows = knows_order,
                               .tries = "to pair row i with record i",
                               .tried = rows < people ? rows : people};
    for (int64_t i = 0; i < result.tried; i++) {
        uint32_t target = view->target_of[i];
        result.hits += is_candidate(view, target, view->group_of[i]);
        expected += (double)bt_view_rows(view, target) / (double)rows;
    }
    uint32_t *targets = NULL;
    const bt_step_table tables[2] = {{rows, view->group_of, view->groups.count},
                                     {people, view->target_of, view->targets.count}};
    bauta_status status = list_pairs(view, &targets, error);
    const bt_step_pairs pairs = {
        {view->candidates, targets}, (int64_t)view->first[view->targets.count], true};
    if (status == BAUTA_OK)
        status = bt_position_steps(job, &result, expected, tables, &pairs, 1, error);
    free(targets);
    return status;
}

/* Where the records that a group may be of stand in the original, on average. */
bauta_status bt_position_places(const bt_view *view, double **out, bauta_error *error)
{
    uint32_t groups = view->groups.count;
    double *sum = *out = bt_array_zero(groups, sizeof *sum);
    int64_t *count = bt_array_zero(groups, sizeof *count);
    bauta_status status = sum && count ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < view->people->rows; row++) {
        uint32_t target = view->target_of[row];
        for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
            sum[view->candidates[i]] += (double)row;
            count[view->candidates[i]]++;
        }
    }
    for (uint32_t g = 0; status == BAUTA_OK && g < groups; g++)
        sum[g] = count[g] ? sum[g] / (double)count[g] : (double)view->people->rows / 2;
    free(count);
    return status;
}

static bauta_status compare_order(bt_attack_job *job, bauta_error *error)
{
    const bt_view *view = job->view;
    double *place = NULL;
    bt_attack_result result = {.variant = "order",
                               .knows = knows_order,
                               .tries = "to find earlier records in earlier rows"};
    bauta_status status = bt_position_places(view, &place, error);
    if (status == BAUTA_OK) {
        bt_moments moments = {0};
        for (int64_t row = 0; row < view->release->rows; row++)
            bt_moments_add(&moments, (double)row, place[view->group_of[row]]);
        bt_position_correlation(job, &result, bt_moments_correlation(&moments),
                                view->release->rows);
    }
    free(place);
    return status;
}

/* What the audit would refuse: by its code, and by its limits. */
static bauta_status find_links(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    const bt_audit_original records = {attacker->original->rows, attacker->original, NULL, NULL};
    const bt_audit_options options = {.run = attacker->run, .original = &records};
    bt_link_text all[BT_LINKS_MOST];
    bt_links links;
    bt_attack_result result = {.variant = "links",
                               .knows = knows_order,
                               .tries = "to find rows or numbers in the order of records or rows",
                               .worst = BT_NO_RATE,
                               .outcome = BT_UNTOLD};
    BT_TRY(bt_links_of(attacker->release, &options, &links, error));
    size_t count = bt_links_list(attacker->release, &links, all);
    for (size_t i = 0; i < count; i++) {
        result.tried += all[i].link.told;
        if (all[i].link.told && result.outcome == BT_UNTOLD) result.outcome = BT_WITHIN;
        if (!all[i].link.broken) continue;
        size_t length = strlen(result.detail);
        snprintf(result.detail + length, sizeof result.detail - length, "%s%s",
                 length ? ", " : "in order: ", all[i].what);
        result.hits++;
        result.outcome = BT_BROKEN;
    }
    if (result.tried == 0)
        snprintf(result.detail, sizeof result.detail, "too few rows that can be told apart");
    bt_attack_put(job, &result);
    return BAUTA_OK;
}

/* ---- within a file ----------------------------------------------------------------------- */

static bauta_status compare_neighbours(bt_attack_job *job, size_t file, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    bt_neighbours found;
    bt_attack_result result = {.variant = "neighbours",
                               .knows = knows_files,
                               .tries = "to find rows of one class next to each other"};
    BT_TRY(bt_neighbours_of(release, file, job->attacker->run, &found, error));
    snprintf(result.detail, sizeof result.detail, "%s", release->files[file].name);
    bt_position_neighbours(job, &result, &found);
    return BAUTA_OK;
}

static bauta_status compare_columns(bt_attack_job *job, size_t file, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    bt_trend found;
    bt_attack_result result = {.variant = "sorted",
                               .knows = knows_files,
                               .tries = "to find rows in the order of some column"};
    BT_TRY(bt_trend_find(release, file, &found, error));
    snprintf(result.detail, sizeof result.detail, "%s", release->files[file].name);
    bt_position_correlation(job, &result, found.strongest, bt_order_rows(release, file));
    return BAUTA_OK;
}

/* ---- what the files look like ------------------------------------------------------------ */

static void look_at_files(bt_attack_job *job)
{
    const bt_release *release = job->attacker->release;
    bt_attack_result result = {.variant = "files",
                               .knows = knows_files,
                               .tries = "to find traces of the source in sizes and texts",
                               .worst = BT_NO_RATE};
    for (size_t i = 0; i < release->file_count; i++) {
        const bt_release_shape *shape = &release->files[i].shape;
        result.tried++;
        result.hits += shape->bytes != shape->canonical || !shape->ends_well;
    }
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        for (uint32_t v = 0; column->well_formed && column->values && v < column->values->count;
             v++) {
            result.tried++;
            result.hits += !column->well_formed[v];
        }
    }
    for (uint32_t p = 0; p < release->distribution.part_count; p++) {
        result.tried++;
        result.hits += !release->distribution.parts[p].well_formed;
    }
    snprintf(result.detail, sizeof result.detail, "%s",
             bt_release_times_differ(release) ? "the files have different times, as after copying"
                                              : "the files have one time");
    result.outcome = result.hits > 0 ? BT_BROKEN : BT_WITHIN;
    bt_attack_put(job, &result);
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    if (job->view->redrawn) {
        BT_TRY(bt_redrawn_position(job, knows_order, error));
    } else {
        BT_TRY(pair_rows(job, error));
        BT_TRY(compare_order(job, error));
    }
    if (!job->view->redrawn && !job->attacker->known) BT_TRY(find_links(job, error));
    for (size_t file = 0; file < job->attacker->release->file_count; file++) {
        BT_TRY(compare_neighbours(job, file, error));
        BT_TRY(compare_columns(job, file, error));
    }
    if (job->attacker->release->form->pair) BT_TRY(bt_position_pair(job, error));
    if (job->attacker->release->form->join) BT_TRY(bt_position_join(job, error));
    if (job->attacker->other) BT_TRY(bt_position_other(job, error));
    look_at_files(job);
    return BAUTA_OK;
}

const bt_attack bt_attack_position = {
    .name = "position",
    .summary = "what the order of rows, class numbers and the files themselves give away",
    .paper = "Wong, Liu, Yin, Huang, Yang and Pei 2007",
    .run = run,
};
