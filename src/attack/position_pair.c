/* SPDX-License-Identifier: Apache-2.0
 *
 * What the orders of two tables and the numbers of their classes give away: Tables 5 and 6 of
 * paper 1 as they are printed are in the same order, and row i with row i restores every record.
 */
#include "attack/order.h"
#include "attack/secret.h"

#include <math.h>

/* ---- row i and row i --------------------------------------------------------------------- */

static void pair_tables(bt_attack_job *job)
{
    const bt_release *release = job->attacker->release;
    const bt_release_file *quasi = &release->files[BT_QUASI_FILE];
    const bt_release_file *sensitive = &release->files[BT_SENSITIVE_FILE];
    double expected = 0;
    bt_attack_result result = {.variant = "tables",
                               .knows = "the files alone",
                               .tries = "to pair row i of the tables",
                               .tried =
                                   quasi->rows < sensitive->rows ? quasi->rows : sensitive->rows};
    for (int64_t row = 0; row < result.tried; row++)
        result.hits += quasi->class_of[row] == sensitive->class_of[row];
    for (uint32_t c = 0; c < release->classes.count; c++)
        expected += (double)release->pair.quasi_size[c] * bt_sensitive_sizes(release)[c] /
                    (double)sensitive->rows;
    bt_position_hits(job, &result, expected);
}

/* ---- within classes ---------------------------------------------------------------------- */

typedef struct pairing {
    const bt_view *view;
    const bt_secret *secret;
    uint32_t *target_of_group; /* BT_NOT_KNOWN: no record has these values */
    bt_tuple_index *records;   /* of the original: target and value */
} pairing;

static bool is_record(const pairing *p, uint32_t group, uint32_t value)
{
    const uint32_t codes[] = {p->target_of_group[group], value};
    return codes[0] != BT_NOT_KNOWN && bt_tuple_index_find(p->records, codes) != BT_TUPLE_NONE;
}

/* Pairs in which any order would be as good. */
static double expected_records(const pairing *p)
{
    const bt_view *view = p->view;
    double expected = 0;
    for (uint32_t group = 0; group < view->groups.count; group++)
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            double share = 0;
            for (size_t i = p->secret->first[one->unit]; i < p->secret->first[one->unit + 1]; i++)
                if (is_record(p, group, p->secret->value[i])) share += p->secret->count[i];
            expected += one->rows * share / view->unit_size[one->unit];
        }
    return expected;
}

static bauta_status count_records(const pairing *p, const bt_run *run, bt_attack_result *result,
                                  bauta_error *error)
{
    const bt_release *release = p->view->release;
    bt_class_rows quasi = {0}, sensitive = {0};
    bauta_status status = bt_release_arrange(release, BT_QUASI_FILE, run, &quasi, error);
    if (status == BAUTA_OK)
        status = bt_release_arrange(release, BT_SENSITIVE_FILE, run, &sensitive, error);
    for (uint32_t c = 0; status == BAUTA_OK && c < release->classes.count; c++) {
        size_t size = quasi.starts[c + 1] - quasi.starts[c];
        size_t other = sensitive.starts[c + 1] - sensitive.starts[c];
        for (size_t i = 0; i < size && i < other; i++) {
            uint32_t group = p->view->group_of[quasi.order[quasi.starts[c] + i]];
            uint32_t value = p->secret->published[sensitive.order[sensitive.starts[c] + i]];
            result->tried++;
            result->hits += is_record(p, group, value);
        }
    }
    bt_class_rows_release(&quasi);
    bt_class_rows_release(&sensitive);
    return status;
}

static bauta_status index_records(pairing *p, const bt_run *run, bauta_error *error)
{
    const bt_view *view = p->view;
    bt_tuples records = {0};
    uint32_t values = p->secret->values;
    /* what is not published gets a code of its own */
    uint32_t *actual = bt_array((size_t)view->people->rows, sizeof *actual);
    p->target_of_group = bt_array(view->groups.count, sizeof *p->target_of_group);
    bauta_status status = actual && p->target_of_group ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < view->people->rows; row++)
        actual[row] = p->secret->actual[row] == BT_NOT_KNOWN ? values : p->secret->actual[row];
    const bt_codes codes[] = {{view->target_of, 4, view->targets.count}, {actual, 4, values + 1}};
    if (status == BAUTA_OK)
        status = bt_tuples_group(codes, 2, view->people->rows, run, &records, error);
    if (status == BAUTA_OK)
        status = bt_tuple_index_new(codes, 2, &records, run, &p->records, error);
    for (uint32_t g = 0; status == BAUTA_OK && g < view->groups.count; g++)
        p->target_of_group[g] = BT_NOT_KNOWN;
    for (uint32_t t = 0; status == BAUTA_OK && t < view->targets.count; t++)
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            p->target_of_group[view->candidates[i]] = t;
    bt_tuples_release(&records);
    free(actual);
    return status;
}

static bauta_status pair_within(bt_attack_job *job, bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    const bt_run *run = job->attacker->run;
    for (size_t i = 0; i < release->column_count; i++) {
        if (!bt_secret_exists(&release->columns[i], false)) continue;
        bt_secret secret = {0};
        pairing p = {.view = job->view, .secret = &secret};
        bt_attack_result result = {.variant = "within classes",
                                   .column = release->columns[i].manifest->name,
                                   .knows = "the files alone",
                                   .tries = "to pair the n-th rows of a class in both tables"};
        bauta_status status =
            bt_secret_open(job->view, &release->columns[i], false, run, &secret, error);
        if (status == BAUTA_OK) status = index_records(&p, run, error);
        if (status == BAUTA_OK) status = count_records(&p, run, &result, error);
        if (status == BAUTA_OK) bt_position_hits(job, &result, expected_records(&p));
        bt_tuple_index_free(p.records);
        free(p.target_of_group);
        bt_secret_close(&secret);
        BT_TRY(status);
    }
    return BAUTA_OK;
}

/* ---- class numbers ----------------------------------------------------------------------- */

/* The correlation of class numbers with the classes' means of something. */
static double correlate(const bt_release *release, const double *sums)
{
    bt_moments moments = {0};
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (release->pair.quasi_size[c] > 0)
            bt_moments_add(&moments, release->pair.number[c],
                           sums[c] / release->pair.quasi_size[c]);
    return fabs(bt_moments_correlation(&moments));
}

static void sum_records(const bt_view *view, const double *place, double *sums)
{
    const uint32_t *class_of = view->release->files[BT_QUASI_FILE].class_of;
    for (int64_t row = 0; row < view->release->rows; row++)
        sums[class_of[row]] += place[view->group_of[row]];
}

/* Where each group's records begin in the original. */
static void find_places(const bt_view *view, double *place)
{
    for (uint32_t t = 0; t < view->targets.count; t++)
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            place[view->candidates[i]] = view->targets.row[t];
}

static bauta_status correlate_columns(const bt_release *release, double *sums, double *strongest,
                                      bauta_error *error)
{
    const bt_release_file *file = &release->files[BT_QUASI_FILE];
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        double *rank = NULL;
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        BT_TRY(bt_order_ranks(column, &rank, error));
        for (uint32_t c = 0; c < release->classes.count; c++)
            sums[c] = 0;
        for (int64_t row = 0; row < file->rows; row++)
            sums[file->class_of[row]] += rank[bt_code_at(column->codes, column->width, row)];
        free(rank);
        *strongest = fmax(*strongest, correlate(release, sums));
    }
    return BAUTA_OK;
}

static bauta_status compare_numbers(bt_attack_job *job, bauta_error *error)
{
    const bt_view *view = job->view;
    const bt_release *release = view->release;
    uint32_t classes = release->classes.count;
    double *place = bt_array_zero(view->groups.count, sizeof *place);
    double *sums = bt_array_zero(classes, sizeof *sums), strongest = 0;
    bt_attack_result result = {.variant = "class numbers",
                               .knows = "the original in its order",
                               .tries = "to find classes numbered by records, rows or values"};
    bauta_status status = place && sums ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        find_places(view, place);
        sum_records(view, place, sums);
        strongest = correlate(release, sums);
        for (uint32_t c = 0; c < classes; c++)
            sums[c] = (double)release->classes.row[c] * release->pair.quasi_size[c];
        strongest = fmax(strongest, correlate(release, sums));
        status = correlate_columns(release, sums, &strongest, error);
    }
    if (status == BAUTA_OK) bt_position_correlation(job, &result, strongest, classes);
    free(place);
    free(sums);
    return status;
}

bauta_status bt_position_pair(bt_attack_job *job, bauta_error *error)
{
    pair_tables(job);
    BT_TRY(bt_is_distribution(job->attacker->release) ? bt_position_within_parts(job, error)
                                                      : pair_within(job, error));
    return compare_numbers(job, error);
}
