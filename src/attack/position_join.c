/* SPDX-License-Identifier: Apache-2.0
 *
 * What the orders of data.csv and sensitive.csv and the numbers of sensitive groups give away,
 * where a release was made with a public table.
 */
#include "attack/order.h"

static bauta_status compare_groups(bt_attack_job *job, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_step_table rows = {release->rows, release->files[0].bag_of, release->bags.count};
    bt_neighbours found;
    bt_attack_result result = {.variant = "groups",
                               .knows = "the files alone",
                               .tries = "to find rows of one sensitive group next to each other"};
    BT_TRY(bt_neighbours_find(&rows, &found, error));
    bt_position_neighbours(job, &result, &found);
    return BAUTA_OK;
}

static bauta_status compare_numbers(bt_attack_job *job, const bt_numbered *groups,
                                    bauta_error *error)
{
    double *rows = bt_array_zero(groups->count, sizeof *rows), *place = NULL;
    bt_attack_result result = {.variant = "group numbers",
                               .knows = "the original in its order",
                               .tries = "to find groups numbered by records, rows or values"};
    bauta_status status = rows ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_position_places(job->view, &place, error);
    for (int64_t row = 0; status == BAUTA_OK && row < job->view->release->rows; row++)
        rows[groups->unit_of[0][row]] += (double)row;
    if (status == BAUTA_OK) status = bt_position_numbers(job, groups, place, rows, &result, error);
    free(rows);
    free(place);
    return status;
}

static bauta_status compare_public(bt_attack_job *job, bauta_error *error)
{
    const bt_view *crowd;
    double *place = NULL;
    bt_moments moments = {0};
    bt_attack_result result = {.variant = "public order",
                               .knows = "both tables in their order",
                               .tries = "to find earlier people in earlier rows"};
    BT_TRY(bt_attack_crowd(job, &crowd, error));
    bauta_status status = bt_position_places(crowd, &place, error);
    for (int64_t row = 0; status == BAUTA_OK && row < crowd->release->rows; row++)
        bt_moments_add(&moments, (double)row, place[crowd->group_of[row]]);
    if (status == BAUTA_OK)
        bt_position_correlation(job, &result, bt_moments_correlation(&moments),
                                crowd->release->rows);
    free(place);
    return status;
}

bauta_status bt_position_join(bt_attack_job *job, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_numbered groups = {
        .count = release->bags.count,
        .number = release->bags.number,
        .unit_of = {release->files[0].bag_of, release->files[BT_SENSITIVE_FILE].bag_of},
        .rows = {release->bags.rows, release->bags.values}};
    BT_TRY(compare_groups(job, error));
    if (bt_sensitive_apart(release)) {
        BT_TRY(bt_position_tables(job, &groups, error));
        if (!job->attacker->known)
            BT_TRY(bt_position_within(job, &groups, "within groups",
                                      "to pair the n-th rows of a group in both tables", error));
    }
    BT_TRY(compare_numbers(job, &groups, error));
    return job->attacker->joined ? compare_public(job, error) : BAUTA_OK;
}
