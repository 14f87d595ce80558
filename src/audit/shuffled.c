/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the rows of each file were shuffled, as far as the files alone show it: rows that stand
 * in the order of a column, or class by class, were not. What holds goes without saying: no order
 * of rows proves that it was drawn at random.
 *
 * Cost: linear in columns; of rows the first BT_ORDER_ROWS are looked at.
 */
#include "audit/chance.h"
#include "audit/finding.h"
#include "audit/trend.h"

static bauta_status check_file(bt_audit_job *job, size_t file, bauta_error *error)
{
    const bt_release *release = job->release;
    const char *name = release->files[file].name;
    bool groups = release->form->join && file == BT_SENSITIVE_FILE;
    bt_neighbours found;
    bt_trend trend;
    BT_TRY(bt_neighbours_of(release, file, job->options->run, &found, error));
    if (found.hits > found.limit)
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "rows of one %s stand together in %s: %lld of %lld are next to one, where "
                       "chance has at most %lld; %s",
                       groups ? "sensitive group" : "class", name, (long long)found.hits,
                       (long long)found.tried, (long long)found.limit, bt_chance_hint);
    BT_TRY(bt_trend_find(release, file, &trend, error));
    double limit = bt_trend_limit(bt_order_rows(release, file), trend.questions);
    if (trend.strongest > limit)
        bt_finding_put(
            job, "order", BT_FAILS, BT_NO_ROW,
            "the rows of %s stand nearly in the order of column '%s': the coefficient of "
            "correlation is %.3f, where chance has at most %.3f; %s",
            name, trend.column, trend.strongest, limit, bt_chance_hint);
    return BAUTA_OK;
}

bauta_status bt_audit_shuffled(bt_audit_job *job, bauta_error *error)
{
    for (size_t file = 0; file < job->release->file_count; file++)
        BT_TRY(check_file(job, file, error));
    return BAUTA_OK;
}
