/* SPDX-License-Identifier: Apache-2.0
 *
 * What the orders of data.csv and sensitive.csv and the numbers of sensitive groups give away,
 * where a release was made with a public table.
 */
#include "attack/order.h"
#include "attack/secret.h"

#include <math.h>

/* ---- groups in the files ----------------------------------------------------------------- */

static void compare_groups(bt_attack_job *job)
{
    const bt_release *release = job->attacker->release;
    const bt_release_file *data = &release->files[0];
    double same = 0;
    bt_attack_result result = {.variant = "groups",
                               .knows = "the files alone",
                               .tries = "to find rows of one sensitive group next to each other",
                               .tried = data->rows > 0 ? data->rows - 1 : 0};
    for (uint32_t g = 0; g < release->join.groups; g++)
        same += (double)release->join.rows[g] * (release->join.rows[g] - 1.0);
    for (int64_t row = 1; row < data->rows; row++)
        result.hits += data->group_of[row] == data->group_of[row - 1];
    if (data->rows > 1) bt_position_hits(job, &result, same / (double)data->rows);
}

static void pair_tables(bt_attack_job *job)
{
    const bt_release *release = job->attacker->release;
    const bt_release_file *data = &release->files[0];
    const bt_release_file *sensitive = &release->files[BT_SENSITIVE_FILE];
    double expected = 0,
           longer = (double)(data->rows > sensitive->rows ? data->rows : sensitive->rows);
    bt_attack_result result = {.variant = "tables",
                               .knows = "the files alone",
                               .tries = "to pair row i of the tables",
                               .tried =
                                   data->rows < sensitive->rows ? data->rows : sensitive->rows};
    for (int64_t row = 0; row < result.tried; row++)
        result.hits += data->group_of[row] == sensitive->group_of[row];
    for (uint32_t g = 0; g < release->join.groups; g++)
        expected += (double)release->join.rows[g] * release->join.records[g] / longer;
    bt_position_hits(job, &result, expected);
}

/* ---- within groups ----------------------------------------------------------------------- */

typedef struct pairing {
    const bt_view *view;
    const bt_secret *secret;
    bt_tuple_index *records; /* group of the view and value that a record may have together */
} pairing;

static bool is_record(const pairing *p, uint32_t group, uint32_t value)
{
    const uint32_t codes[] = {group, value};
    return bt_tuple_index_find(p->records, codes) != BT_TUPLE_NONE;
}

static bauta_status index_records(pairing *p, const bt_run *run, bauta_error *error)
{
    const bt_view *view = p->view;
    bt_tuples tuples = {0};
    size_t count = 0, next = 0;
    for (uint32_t t = 0; t < view->targets.count; t++)
        count += (view->first[t + 1] - view->first[t]) * view->targets.size[t];
    uint32_t *group = bt_array(count, sizeof *group), *value = bt_array(count, sizeof *value);
    bauta_status status = group && value ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < view->people->rows; row++) {
        uint32_t t = view->target_of[row], actual = p->secret->actual[row];
        for (size_t i = view->first[t]; actual != BT_NOT_KNOWN && i < view->first[t + 1]; i++) {
            group[next] = view->candidates[i];
            value[next++] = actual;
        }
    }
    const bt_codes codes[] = {{group, 4, view->groups.count}, {value, 4, p->secret->values}};
    if (status == BAUTA_OK) status = bt_tuples_group(codes, 2, (int64_t)next, run, &tuples, error);
    if (status == BAUTA_OK) status = bt_tuple_index_new(codes, 2, &tuples, run, &p->records, error);
    bt_tuples_release(&tuples);
    free(group);
    free(value);
    return status;
}

/* The rows of a file group by group, ascending in each: those of g from next[g] - size on, once all
 * are placed. */
static void arrange(const bt_release_file *file, const uint32_t *sizes, uint32_t groups,
                    size_t *first, uint32_t *order)
{
    size_t *next = first + 1;
    for (uint32_t g = 0; g < groups; g++)
        next[g + 1] = next[g] + sizes[g];
    for (int64_t row = 0; row < file->rows; row++)
        order[next[file->group_of[row]]++] = (uint32_t)row;
}

static bauta_status count_records(const pairing *p, bt_attack_result *result, bauta_error *error)
{
    const bt_release *release = p->view->release;
    const bt_release_join *join = &release->join;
    const bt_release_file *data = &release->files[0], *other = &release->files[BT_SENSITIVE_FILE];
    size_t *first = bt_array_zero((size_t)join->groups + 2, sizeof *first);
    size_t *second = bt_array_zero((size_t)join->groups + 2, sizeof *second);
    uint32_t *rows = bt_array((size_t)data->rows, sizeof *rows);
    uint32_t *values = bt_array((size_t)other->rows, sizeof *values);
    bool made = first && second && rows && values;
    if (made) {
        arrange(data, join->rows, join->groups, first, rows);
        arrange(other, join->records, join->groups, second, values);
    }
    for (uint32_t g = 0; made && g < join->groups; g++)
        for (uint32_t i = 0; i < join->rows[g] && i < join->records[g]; i++) {
            uint32_t value = p->secret->published[values[second[g] + i]];
            result->tried++;
            result->hits += is_record(p, p->view->group_of[rows[first[g] + i]], value);
        }
    free(first);
    free(second);
    free(rows);
    free(values);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* Pairs in which any order would be as good. */
static double expected_records(const pairing *p)
{
    const bt_view *view = p->view;
    const bt_release_join *join = &view->release->join;
    double expected = 0;
    for (uint32_t group = 0; group < view->groups.count; group++)
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            double rows = join->rows[one->unit], records = join->records[one->unit], share = 0;
            for (size_t i = p->secret->first[one->unit]; i < p->secret->first[one->unit + 1]; i++)
                if (is_record(p, group, p->secret->value[i])) share += p->secret->count[i];
            expected += one->rows * share / fmax(rows, records);
        }
    return expected;
}

static bauta_status pair_within(bt_attack_job *job, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_run *run = job->attacker->run;
    for (size_t i = 0; i < release->column_count; i++) {
        if (!bt_secret_exists(&release->columns[i], false)) continue;
        bt_secret secret = {0};
        pairing p = {.view = job->view, .secret = &secret};
        bt_attack_result result = {.variant = "within groups",
                                   .column = release->columns[i].manifest->name,
                                   .knows = "the files alone",
                                   .tries = "to pair the n-th rows of a group in both tables"};
        bauta_status status =
            bt_secret_open(job->view, &release->columns[i], false, run, &secret, error);
        if (status == BAUTA_OK) status = index_records(&p, run, error);
        if (status == BAUTA_OK) status = count_records(&p, &result, error);
        if (status == BAUTA_OK) bt_position_hits(job, &result, expected_records(&p));
        bt_tuple_index_free(p.records);
        bt_secret_close(&secret);
        BT_TRY(status);
    }
    return BAUTA_OK;
}

/* ---- numbers of groups ------------------------------------------------------------------- */

/* The correlation of group numbers with the groups' means of something; the sums are cleared. */
static double correlate(const bt_release_join *join, double *sums)
{
    bt_moments moments = {0};
    for (uint32_t g = 0; g < join->groups; g++) {
        if (join->rows[g] > 0) bt_moments_add(&moments, join->number[g], sums[g] / join->rows[g]);
        sums[g] = 0;
    }
    return fabs(bt_moments_correlation(&moments));
}

static bauta_status correlate_columns(const bt_release *release, double *sums, double *strongest,
                                      bauta_error *error)
{
    const bt_release_file *data = &release->files[0];
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        double *rank = NULL;
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        BT_TRY(bt_order_ranks(column, &rank, error));
        for (int64_t row = 0; row < data->rows; row++)
            sums[data->group_of[row]] += rank[bt_code_at(column->codes, column->width, row)];
        free(rank);
        *strongest = fmax(*strongest, correlate(&release->join, sums));
    }
    return BAUTA_OK;
}

static bauta_status compare_numbers(bt_attack_job *job, bauta_error *error)
{
    const bt_view *view = job->view;
    const bt_release *release = view->release;
    const bt_release_file *data = &release->files[0];
    double *sums = bt_array_zero(release->join.groups, sizeof *sums), *place = NULL, strongest = 0;
    bt_attack_result result = {.variant = "group numbers",
                               .knows = "the original in its order",
                               .tries = "to find groups numbered by records, rows or values"};
    bauta_status status = sums ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_position_places(view, &place, error);
    if (status == BAUTA_OK) {
        for (int64_t row = 0; row < data->rows; row++)
            sums[data->group_of[row]] += place[view->group_of[row]];
        strongest = correlate(&release->join, sums);
        for (int64_t row = 0; row < data->rows; row++)
            sums[data->group_of[row]] += (double)row;
        strongest = fmax(strongest, correlate(&release->join, sums));
        status = correlate_columns(release, sums, &strongest, error);
    }
    if (status == BAUTA_OK) bt_position_correlation(job, &result, strongest, release->join.groups);
    free(sums);
    free(place);
    return status;
}

/* ---- the public table -------------------------------------------------------------------- */

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
    compare_groups(job);
    if (job->attacker->release->file_count == 2) {
        pair_tables(job);
        if (!job->attacker->known) BT_TRY(pair_within(job, error));
    }
    BT_TRY(compare_numbers(job, error));
    return job->attacker->joined ? compare_public(job, error) : BAUTA_OK;
}
