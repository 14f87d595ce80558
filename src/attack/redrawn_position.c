/* SPDX-License-Identifier: Apache-2.0
 *
 * Position in a randomized release: rows may be those of records that have the same sensitive
 * values and differ in no more quasi values than were drawn anew.
 */
#include "attack/order.h"
#include "attack/redrawn_attacks.h"
#include "reading/compared.h"

/* Whether row i may be that of record i. */
static bool may_be(const bt_view *view, const bt_redrawn_truth *truth, int64_t i)
{
    const bt_redrawn_plan *plan = &view->redrawn->plan;
    uint32_t differ = 0, target = view->target_of[i], group = view->group_of[i];
    if (truth->person_mark[truth->person_kind[i]] != truth->mark_of[i]) return false;
    for (size_t c = 0; c < plan->drawn; c++)
        differ += bt_code_at(plan->people.codes[c].codes, 4, target) !=
                  bt_code_at(plan->rows.codes[c].codes, 4, group);
    return differ <= view->redrawn->most;
}

/* Rows some way off, or backwards, by what they mostly keep. */
static bauta_status tell_rows(bt_attack_job *job, bt_attack_result *result, double expected,
                              bauta_error *error)
{
    const bt_view *view = job->view;
    const bt_run *run = job->attacker->run;
    BT_OWN(bt_compared_release) bt_compared compared = {0};
    BT_OWN(bt_kinds_release) bt_kinds kinds = {0};
    BT_TRY(bt_compared_make(view->release, view->people, &compared, error));
    BT_TRY(bt_kinds_make(view->release, &compared, run, &kinds, error));
    const bt_step_table tables[2] = {{view->release->rows, kinds.row_kind, kinds.count},
                                     {view->people->rows, kinds.record_kind, kinds.count}};
    return bt_position_steps(job, result, expected, tables, NULL, kinds.kept, error);
}

static bauta_status pair_rows(bt_attack_job *job, const bt_redrawn_truth *truth, const char *knows,
                              bauta_error *error)
{
    const bt_view *view = job->view;
    int64_t rows = view->release->rows, people = view->people->rows;
    double expected = 0, *reach = bt_array(truth->people.count, sizeof *reach);
    bt_attack_result result = {.variant = "rows",
                               .knows = knows,
                               .tries = "to pair row i with record i",
                               .tried = rows < people ? rows : people};
    bauta_status status =
        reach ? bt_redrawn_reach(&truth->redrawn, reach, error) : bt_fail_memory(error);
    for (int64_t i = 0; i < result.tried && status == BAUTA_OK; i++) {
        result.hits += may_be(view, truth, i);
        expected += reach[truth->person_kind[i]] / (double)rows;
    }
    if (status == BAUTA_OK) status = tell_rows(job, &result, expected, error);
    free(reach);
    return status;
}

/* Where the records that a row may be of stand in the original, by their chances. */
static bauta_status find_places(const bt_view *view, const bt_redrawn_truth *truth, double *place,
                                bauta_error *error)
{
    int64_t people = view->people->rows;
    double *mean = bt_array_zero(truth->people.count, sizeof *mean);
    double *sum = bt_array(truth->rows.count, sizeof *sum);
    bauta_status status = mean && sum ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; row < people && status == BAUTA_OK; row++)
        mean[truth->person_kind[row]] +=
            (double)row / (double)truth->people.size[truth->person_kind[row]];
    if (status == BAUTA_OK) status = bt_redrawn_sum_people(&truth->redrawn, mean, place, error);
    if (status == BAUTA_OK) status = bt_redrawn_sum_people(&truth->redrawn, NULL, sum, error);
    for (uint32_t k = 0; k < truth->rows.count && status == BAUTA_OK; k++)
        place[k] = sum[k] > 0 ? place[k] / sum[k] : (double)people / 2;
    free(mean);
    free(sum);
    return status;
}

static bauta_status compare_order(bt_attack_job *job, const bt_redrawn_truth *truth,
                                  const char *knows, bauta_error *error)
{
    const bt_view *view = job->view;
    double *place = bt_array(truth->rows.count, sizeof *place);
    bt_moments moments = {0};
    bt_attack_result result = {
        .variant = "order", .knows = knows, .tries = "to find earlier records in earlier rows"};
    bauta_status status = place ? find_places(view, truth, place, error) : bt_fail_memory(error);
    for (int64_t row = 0; row < view->release->rows && status == BAUTA_OK; row++)
        bt_moments_add(&moments, (double)row, place[truth->row_kind[row]]);
    if (status == BAUTA_OK)
        bt_position_correlation(job, &result, bt_moments_correlation(&moments),
                                view->release->rows);
    free(place);
    return status;
}

bauta_status bt_redrawn_position(bt_attack_job *job, const char *knows, bauta_error *error)
{
    bt_redrawn_truth truth = {0};
    bauta_status status = bt_redrawn_truth_open(job->view, job->attacker->run, &truth, error);
    if (status == BAUTA_OK) status = pair_rows(job, &truth, knows, error);
    if (status == BAUTA_OK) status = compare_order(job, &truth, knows, error);
    bt_redrawn_truth_close(&truth);
    return status;
}
