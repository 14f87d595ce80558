/* SPDX-License-Identifier: Apache-2.0
 *
 * What two tables give away whose rows carry numbers in common: those of classes, or with a public
 * table those of sensitive groups. Both are called units here.
 *
 * Cost: linear in rows and columns, and in the candidates of everyone.
 */
#include "attack/order.h"
#include "attack/secret.h"

#include <math.h>

bauta_status bt_position_tables(bt_attack_job *job, const bt_numbered *units, bauta_error *error)
{
    const bt_release_file *files = job->attacker->release->files;
    int64_t first = files[0].rows, second = files[BT_SENSITIVE_FILE].rows;
    double expected = 0, longer = (double)(first > second ? first : second);
    bt_attack_result result = {.variant = "tables",
                               .knows = "the files alone",
                               .tries = "to pair row i of the tables",
                               .tried = first < second ? first : second};
    for (int64_t row = 0; row < result.tried; row++)
        result.hits += units->unit_of[0][row] == units->unit_of[1][row];
    for (uint32_t u = 0; u < units->count; u++)
        expected += (double)units->rows[0][u] * units->rows[1][u] / longer;
    const bt_step_table tables[2] = {{first, units->unit_of[0], units->count},
                                     {second, units->unit_of[1], units->count}};
    return bt_position_steps(job, &result, expected, tables, NULL, error);
}

/* ---- the n-th rows of a unit ------------------------------------------------------------- */

typedef struct pairing {
    const bt_view *view;
    const bt_secret *secret;
    const bt_numbered *units;
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
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, 2, (int64_t)next, run, &tuples, NULL, &p->records, error);
    bt_tuples_release(&tuples);
    free(group);
    free(value);
    return status;
}

/* The rows of a table unit by unit, ascending in each: those of u are order[first[u]..first[u +
 * 1]). False: out of memory. */
static bool arrange(const pairing *p, size_t table, size_t **first, uint32_t **order)
{
    const bt_numbered *units = p->units;
    int64_t rows = p->view->release->files[table].rows;
    *first = bt_array_zero((size_t)units->count + 2, sizeof **first);
    *order = bt_array((size_t)rows, sizeof **order);
    if (!*first || !*order) return false;
    size_t *next = *first + 1; /* walks through its unit, and ends where the next one begins */
    for (uint32_t u = 0; u < units->count; u++)
        next[u + 1] = next[u] + units->rows[table][u];
    for (int64_t row = 0; row < rows; row++)
        (*order)[next[units->unit_of[table][row]]++] = (uint32_t)row;
    return true;
}

static bauta_status count_records(const pairing *p, bt_attack_result *result, bauta_error *error)
{
    const bt_numbered *units = p->units;
    size_t *first = NULL, *second = NULL;
    uint32_t *rows = NULL, *values = NULL;
    bool made = arrange(p, 0, &first, &rows) && arrange(p, BT_SENSITIVE_FILE, &second, &values);
    for (uint32_t u = 0; made && u < units->count; u++)
        for (uint32_t i = 0; i < units->rows[0][u] && i < units->rows[1][u]; i++) {
            uint32_t value = p->secret->published[values[second[u] + i]];
            result->tried++;
            result->hits += is_record(p, p->view->group_of[rows[first[u] + i]], value);
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
    double expected = 0;
    for (uint32_t group = 0; group < view->groups.count; group++)
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            double longer = fmax(p->units->rows[0][one->unit], p->units->rows[1][one->unit]);
            double share = 0;
            for (size_t i = p->secret->first[one->unit]; i < p->secret->first[one->unit + 1]; i++)
                if (is_record(p, group, p->secret->value[i])) share += p->secret->count[i];
            expected += one->rows * share / longer;
        }
    return expected;
}

bauta_status bt_position_within(bt_attack_job *job, const bt_numbered *units, const char *variant,
                                const char *tries, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_run *run = job->attacker->run;
    for (size_t i = 0; i < release->column_count; i++) {
        if (!bt_secret_exists(&release->columns[i], false)) continue;
        bt_secret secret = {0};
        pairing p = {.view = job->view, .secret = &secret, .units = units};
        bt_attack_result result = {.variant = variant,
                                   .column = release->columns[i].manifest->name,
                                   .knows = "the files alone",
                                   .tries = tries};
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

/* ---- numbers ----------------------------------------------------------------------------- */

/* The correlation of numbers with the units' means of something; the sums are cleared. */
static double correlate(const bt_numbered *units, double *sums)
{
    bt_moments moments = {0};
    for (uint32_t u = 0; u < units->count; u++) {
        if (units->rows[0][u] > 0)
            bt_moments_add(&moments, units->number[u], sums[u] / units->rows[0][u]);
        sums[u] = 0;
    }
    return fabs(bt_moments_correlation(&moments));
}

static bauta_status correlate_columns(const bt_release *release, const bt_numbered *units,
                                      double *sums, double *strongest, bauta_error *error)
{
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        double *rank = NULL;
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        BT_TRY(bt_order_ranks(column, &rank, error));
        for (int64_t row = 0; row < release->rows; row++)
            sums[units->unit_of[0][row]] += rank[bt_code_at(column->codes, column->width, row)];
        free(rank);
        *strongest = fmax(*strongest, correlate(units, sums));
    }
    return BAUTA_OK;
}

bauta_status bt_position_numbers(bt_attack_job *job, const bt_numbered *units, const double *place,
                                 double *sums, bt_attack_result *result, bauta_error *error)
{
    const bt_view *view = job->view;
    double strongest = correlate(units, sums);
    for (int64_t row = 0; row < view->release->rows; row++)
        sums[units->unit_of[0][row]] += place[view->group_of[row]];
    strongest = fmax(strongest, correlate(units, sums));
    BT_TRY(correlate_columns(view->release, units, sums, &strongest, error));
    bt_position_correlation(job, result, strongest, units->count);
    return BAUTA_OK;
}
