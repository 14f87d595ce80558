/* SPDX-License-Identifier: Apache-2.0
 *
 * What two tables give away whose rows carry numbers in common: those of classes, or with a public
 * table those of sensitive groups. Both are called units here.
 *
 * Cost: linear in rows and columns, and in the candidates of everyone.
 */
#include "attack/order.h"
#include "attack/rate.h"
#include "attack/secret.h"
#include "audit/drift.h"

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
    bt_order drift;
    BT_TRY(bt_drift_tables(tables, &drift, error));
    if (!bt_order_broken(drift) || bt_rate_above_chance(result.hits, expected))
        return bt_position_steps(job, &result, expected, tables, NULL, 1, error);
    bt_position_drift(job, &result, expected);
    return BAUTA_OK;
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

/* Rows of the one table that rows of the other may be of one record with. */
typedef struct partners {
    struct of_group {
        uint32_t unit;  /* + 1: the one that this is known of */
        uint32_t rows;  /* with a value that fits the group */
    } * of_group;       /* per group of the view */
    uint32_t *of_value; /* per value and unit (secret->first): rows with a group that it fits */
    uint32_t *value_at; /* per value: its place in of_value, for the unit at hand */
    bt_fit *fits;
} partners;

static bool count_partners(const pairing *p, partners *out)
{
    const bt_view *view = p->view;
    const bt_secret *secret = p->secret;
    size_t most = 0;
    for (uint32_t u = 0; u < p->units->count; u++)
        for (size_t table = 0; table < 2; table++)
            if (p->units->rows[table][u] > most) most = p->units->rows[table][u];
    out->of_group = bt_array_zero(view->groups.count, sizeof *out->of_group);
    out->of_value = bt_array_zero(secret->first[p->units->count], sizeof *out->of_value);
    out->value_at = bt_array_zero(secret->values, sizeof *out->value_at);
    out->fits = bt_array(most, sizeof *out->fits);
    if (!out->of_group || !out->of_value || !out->value_at || !out->fits) return false;
    for (uint32_t group = 0; group < view->groups.count; group++)
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            for (size_t i = secret->first[one->unit]; i < secret->first[one->unit + 1]; i++)
                if (is_record(p, group, secret->value[i])) out->of_value[i] += one->rows;
        }
    return true;
}

static uint32_t partners_of_group(const pairing *p, const partners *all, uint32_t group,
                                  uint32_t unit)
{
    const bt_secret *secret = p->secret;
    struct of_group *known = &all->of_group[group];
    if (known->unit == unit + 1) return known->rows;
    *known = (struct of_group){unit + 1, 0};
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
        if (is_record(p, group, secret->value[i])) known->rows += secret->count[i];
    return known->rows;
}

/* The n-th row of a unit in the shorter table against the rows of the longer one. */
static void fit_unit(const pairing *p, uint32_t unit, const uint32_t *rows, const uint32_t *values,
                     partners *all, bt_fits *out)
{
    const bt_secret *secret = p->secret;
    uint32_t own = p->units->rows[0][unit], others = p->units->rows[1][unit];
    uint32_t count = own > others ? own : others, both = own > others ? others : own;
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
        all->value_at[secret->value[i]] = (uint32_t)i;
    for (uint32_t n = 0; n < count; n++) {
        all->fits[n] = (bt_fit){0};
        if (n >= both) continue;
        uint32_t group = p->view->group_of[rows[n]], value = secret->published[values[n]];
        uint32_t far = count - 1 - n;
        bt_fit *fit = &all->fits[n];
        fit->partners = own > others ? all->of_value[all->value_at[value]]
                                     : partners_of_group(p, all, group, unit);
        fit->ways = fit->partners;
        fit->forwards = is_record(p, group, value);
        fit->backwards = own > others ? is_record(p, p->view->group_of[rows[far]], value)
                                      : is_record(p, group, secret->published[values[far]]);
    }
    bt_fits_add(out, all->fits, count);
}

static bauta_status fit_units(const pairing *p, int64_t *tried, bt_fits *out, bauta_error *error)
{
    const bt_numbered *units = p->units;
    size_t *first = NULL, *second = NULL;
    uint32_t *rows = NULL, *values = NULL;
    partners all = {0};
    bool made = count_partners(p, &all) && arrange(p, 0, &first, &rows) &&
                arrange(p, BT_SENSITIVE_FILE, &second, &values);
    for (uint32_t u = 0; made && u < units->count; u++) {
        fit_unit(p, u, rows + first[u], values + second[u], &all, out);
        *tried += units->rows[units->rows[0][u] > units->rows[1][u]][u];
    }
    free(first);
    free(second);
    free(rows);
    free(values);
    free(all.of_group);
    free(all.of_value);
    free(all.value_at);
    free(all.fits);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_position_within(bt_attack_job *job, const bt_numbered *units, const char *variant,
                                const char *tries, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_run *run = job->attacker->run;
    for (size_t i = 0; i < release->column_count; i++) {
        if (!bt_secret_exists(&release->columns[i], false)) continue;
        bt_secret secret = {0};
        bt_fits fits = {0};
        pairing p = {.view = job->view, .secret = &secret, .units = units};
        bt_attack_result result = {.variant = variant,
                                   .column = release->columns[i].manifest->name,
                                   .knows = "the files alone",
                                   .tries = tries};
        bauta_status status =
            bt_secret_open(job->view, &release->columns[i], false, run, &secret, error);
        if (status == BAUTA_OK) status = index_records(&p, run, error);
        if (status == BAUTA_OK) status = fit_units(&p, &result.tried, &fits, error);
        if (status == BAUTA_OK) bt_position_fits(job, &result, &fits);
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
        BT_TRY(bt_trend_ranks(column, &rank, error));
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
