/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: how often each value of a column occurs, against what drawing anew makes of the
 * original: neither too different nor too alike.
 *
 * The number of rows that hold a value is a sum of independent terms, one for each record: a record
 * that holds it keeps it unless the column is drawn and another value comes; any other gets it when
 * the column is drawn and it comes. Mean and variance are exact.
 *
 * A column that was never drawn anew has the very counts of the original. How likely counts are to
 * come out so close to that, chance.h bounds: column by column, and for all of them at once, since
 * what is drawn in one says nothing of what is drawn in another.
 *
 * Cost: linear in rows times columns.
 */
#include "audit/chance.h"
#include "audit/drawing.h"

#include <math.h>

typedef struct marginals {
    bt_audit_job *job;
    const bt_compared *compared;
    const bt_mechanism *mechanism;
    double alarm;       /* of a value */
    double close_alarm; /* of a column, and of all */
    bt_counts all;      /* the columns so far */
    int64_t distance;
    bool failed;
} marginals;

/* Values that the original does not have, or that are far more or less common than drawing makes
 * them. */
static int64_t count_odd(const marginals *m, size_t place, const int64_t *held, const int64_t *seen)
{
    double redrawn = bt_rational_double(m->mechanism->redrawn[place]);
    double records = (double)m->compared->record_count;
    int64_t odd = 0;
    for (uint32_t code = 0; code < m->compared->columns[place].size; code++) {
        double share = (double)held[code] / records;
        double stays = 1 - redrawn * (1 - share), comes = redrawn * share;
        const bt_sum sum = {
            .mean = (double)held[code],
            .variance = records * (share * stays * (1 - stays) + (1 - share) * comes * (1 - comes)),
            .most = 1};
        odd += held[code] == 0
                   ? seen[code] > 0
                   : fabs((double)(seen[code] - held[code])) > bt_sum_reach(&sum, m->alarm);
    }
    return odd;
}

/* Half of the chance that may fail is for how many records were chosen, which all columns share. */
static void judge_column(marginals *m, size_t place, const int64_t *held, const int64_t *seen)
{
    const bt_compared_column *column = &m->compared->columns[place];
    const char *name = column->published->manifest->name;
    double redrawn = bt_rational_double(m->mechanism->redrawn[place]);
    bt_counts own = bt_counts_bound(held, column->size, redrawn,
                                    m->close_alarm + log(2 * (double)m->compared->quasi));
    int64_t odd = count_odd(m, place, held, seen), distance = 0;
    for (uint32_t code = 0; code < column->size; code++)
        distance += seen[code] > held[code] ? seen[code] - held[code] : held[code] - seen[code];
    m->all.likeliest += own.likeliest;
    m->all.free += own.free;
    m->distance += distance;
    bool close = bt_counts_near(&own, distance) < -m->close_alarm - log(2);
    m->failed |= odd > 0 || close;
    if (odd > 0)
        bt_finding_put(m->job, "distributions", BT_FAILS, BT_NO_ROW,
                       "column '%s': %lld values are not in the original, or far more or less "
                       "common than there",
                       name, (long long)odd);
    if (close)
        bt_finding_put(m->job, "distributions", BT_FAILS, BT_NO_ROW,
                       "column '%s': its values are as common as in the original, or so nearly "
                       "that they were not drawn anew",
                       name);
}

static bauta_status check_column(marginals *m, size_t place, bauta_error *error)
{
    const bt_compared_column *column = &m->compared->columns[place];
    int64_t *held = bt_array_zero(column->size, sizeof *held);
    int64_t *seen = bt_array_zero(column->size, sizeof *seen);
    bauta_status status = held && seen ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; row < m->compared->record_count && status == BAUTA_OK; row++) {
        held[bt_compared_record(column, row)]++;
        seen[column->rows[row]]++; /* there are as many */
    }
    if (status == BAUTA_OK) judge_column(m, place, held, seen);
    free(held);
    free(seen);
    return status;
}

bauta_status bt_audit_marginals(bt_audit_job *job, const bt_compared *compared, bauta_error *error)
{
    marginals m = {.job = job,
                   .compared = compared,
                   .mechanism = &job->release->mechanism,
                   .close_alarm = bt_alarm_log(compared->quasi + 1)};
    size_t tests = 0;
    for (size_t i = 0; i < compared->quasi; i++)
        tests += 2 * (size_t)compared->columns[i].size;
    m.alarm = bt_alarm_log(tests);
    for (size_t i = 0; i < compared->quasi; i++)
        BT_TRY(check_column(&m, i, error));
    bool close = bt_counts_near(&m.all, m.distance) < -m.close_alarm - log(2);
    if (close && !m.failed)
        bt_finding_put(job, "distributions", BT_FAILS, BT_NO_ROW,
                       "the values of %zu quasi columns are as common as in the original, or so "
                       "nearly that they were not drawn anew",
                       compared->quasi);
    if (close || m.failed)
        bt_finding_put(job, "distributions", BT_FAILS, BT_NO_ROW, "%s", bt_chance_hint);
    else
        bt_finding_put(job, "distributions", BT_HOLDS, BT_NO_ROW,
                       "the values of %zu quasi columns are as common as in the original, within "
                       "what chance allows",
                       compared->quasi);
    return BAUTA_OK;
}
