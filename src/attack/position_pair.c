/* SPDX-License-Identifier: Apache-2.0
 *
 * What the orders of two tables and the numbers of their classes give away: Tables 5 and 6 of
 * paper 1 as they are printed are in the same order, and row i with row i restores every record.
 */
#include "attack/order.h"

static bauta_status compare_numbers(bt_attack_job *job, const bt_numbered *classes,
                                    bauta_error *error)
{
    const bt_view *view = job->view;
    double *place = bt_array_zero(view->groups.count, sizeof *place);
    double *rows = bt_array(classes->count, sizeof *rows);
    bt_attack_result result = {.variant = "class numbers",
                               .knows = "the original in its order",
                               .tries = "to find classes numbered by records, rows or values"};
    bauta_status status = place && rows ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        for (uint32_t t = 0; t < view->targets.count; t++) /* where its records begin */
            for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
                place[view->candidates[i]] = view->targets.row[t];
        for (uint32_t c = 0; c < classes->count; c++)
            rows[c] = (double)view->release->classes.row[c] * classes->rows[0][c];
        status = bt_position_numbers(job, classes, place, rows, &result, error);
    }
    free(place);
    free(rows);
    return status;
}

bauta_status bt_position_pair(bt_attack_job *job, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_numbered classes = {
        .count = release->classes.count,
        .number = release->bags.number,
        .unit_of = {release->files[0].bag_of, release->files[BT_SENSITIVE_FILE].bag_of},
        .rows = {release->bags.rows, release->bags.values}};
    BT_TRY(bt_position_tables(job, &classes, error));
    BT_TRY(release->form->parts
               ? bt_position_within_parts(job, error)
               : bt_position_within(job, &classes, "within classes",
                                    "to pair the n-th rows of a class in both tables", error));
    return compare_numbers(job, &classes, error);
}
