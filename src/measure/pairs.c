/* SPDX-License-Identifier: Apache-2.0
 *
 * Chi-square over the number of records, for each pair of columns: 0 when they are independent, at
 * most the smaller number of values less 1.
 *
 * It is the sum of o^2 / (r c) over the cells of the contingency table, less 1: o, r and c being
 * the shares of cell, row and column, so that empty cells need not be looked at. Between the two
 * files of two-tables a cell is what is expected there: within a class every record is as likely as
 * any other to have a sensitive value.
 *
 * Cost: linear in rows for each pair; between two files, classes times values.
 */
#include "measure/knowledge.h"

#include <math.h>

enum { MOST_CELLS = 1 << 26 };

/* What rounding leaves of nothing is nothing. */
static double settle(double number)
{
    return fabs(number) < 1e-9 ? 0 : number;
}

static void count_codes(const bt_codes *column, int64_t rows, double *held)
{
    for (int64_t row = 0; row < rows; row++)
        held[bt_code_at(column->codes, column->width, row)]++;
}

static bauta_status find_chi(const bt_codes *pair, int64_t rows, const bt_run *run, double *out,
                             bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(bt_tuples_release) bt_tuples cells = {0};
    double *ones = bt_arena_array(&scratch, pair[0].count, sizeof *ones);
    double *others = bt_arena_array(&scratch, pair[1].count, sizeof *others);
    double sum = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_tuples_group(pair, 2, rows, run, &cells, error));
    count_codes(&pair[0], rows, ones);
    count_codes(&pair[1], rows, others);
    for (uint32_t t = 0; t < cells.count; t++) {
        double here = cells.size[t];
        uint32_t one = bt_code_at(pair[0].codes, pair[0].width, cells.row[t]);
        uint32_t other = bt_code_at(pair[1].codes, pair[1].width, cells.row[t]);
        sum += here * here / (ones[one] * others[other]);
    }
    *out = settle(sum - 1);
    return BAUTA_OK;
}

/* Adds to the expected table what a row of quasi.csv may have. */
static void expect_cells(const bt_release *release, const bt_codes *quasi,
                         const bt_codes *sensitive, const double *bags, double *table)
{
    const uint32_t *class_of = release->files[BT_QUASI_FILE].bag_of;
    for (int64_t row = 0; row < release->rows; row++) {
        uint32_t class_number = class_of[row];
        const double *bag = bags + (size_t)class_number * sensitive->count;
        double *to = table + (size_t)bt_code_at(quasi->codes, quasi->width, row) * sensitive->count;
        double size = release->classes.size[class_number];
        for (uint32_t value = 0; value < sensitive->count && size > 0; value++)
            to[value] += bag[value] / size;
    }
}

static double sum_cells(const double *table, uint32_t rows, uint32_t columns,
                        const double *row_sums, const double *column_sums)
{
    double sum = 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            double here = table[(size_t)i * columns + j];
            if (here > 0) sum += here * here / (row_sums[i] * column_sums[j]);
        }
    return sum;
}

/* two-tables: the rows of sensitive.csv with each value are counted class by class. */
static bauta_status expect_chi(const bt_release *release, const bt_codes *quasi,
                               const bt_codes *sensitive, double *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    size_t in_bags, in_table;
    if (!bt_size_mul(release->classes.count, sensitive->count, &in_bags) || in_bags > MOST_CELLS)
        return bt_fail(error, BAUTA_INVALID,
                       "there are too many classes and sensitive values to put together");
    if (!bt_size_mul(quasi->count, sensitive->count, &in_table) || in_table > MOST_CELLS)
        return bt_fail_memory(error);
    double *bags = bt_arena_array(&scratch, in_bags, sizeof *bags);
    double *table = bt_arena_array(&scratch, in_table, sizeof *table);
    double *rows = bt_arena_array(&scratch, quasi->count, sizeof *rows);
    double *columns = bt_arena_array(&scratch, sensitive->count, sizeof *columns);
    BT_TRY(bt_arena_check(&scratch, error));
    for (int64_t row = 0; row < file->rows; row++)
        bags[(size_t)file->bag_of[row] * sensitive->count +
             bt_code_at(sensitive->codes, sensitive->width, row)]++;
    count_codes(quasi, release->rows, rows);
    count_codes(sensitive, bt_sensitive_rows(release), columns);
    expect_cells(release, quasi, sensitive, bags, table);
    *out = settle(sum_cells(table, quasi->count, sensitive->count, rows, columns) - 1);
    return BAUTA_OK;
}

static bauta_status put_pair(const bt_knowledge_job *job, size_t one, size_t other,
                             json_t *released, json_t *original, double *difference,
                             bauta_error *error)
{
    bt_compared *compared = job->compared;
    const bt_compared_column *columns = compared->columns;
    double after, before;
    bt_codes pair[2], records[2];
    const size_t places[2] = {one, other};
    for (size_t i = 0; i < 2; i++) {
        const bt_compared_column *column = &columns[places[i]];
        pair[i] = (bt_codes){column->rows, 4, column->size};
        records[i] = (bt_codes){column->original->codes, column->original->width, column->size};
    }
    bool apart = columns[one].published->file != columns[other].published->file;
    BT_TRY(find_chi(records, compared->record_count, job->run, &before, error));
    BT_TRY(apart ? expect_chi(job->release, &pair[0], &pair[1], &after, error)
                 : find_chi(pair, job->release->files[columns[one].published->file].rows, job->run,
                            &after, error));
    const char *name =
        bt_arena_print(&compared->arena, "%s, %s", columns[one].published->manifest->name,
                       columns[other].published->manifest->name);
    if (!name) return bt_fail_memory(error);
    bt_put_real(job->facts, released, name, after);
    bt_put_real(job->facts, original, name, before);
    *difference += settle(fabs(after - before));
    return BAUTA_OK;
}

bauta_status bt_measure_pairs(const bt_knowledge_job *job, bauta_error *error)
{
    size_t count = job->compared->count;
    double difference = 0;
    if (count < 2 || job->release->rows == 0) return BAUTA_OK;
    json_t *released = bt_put_object(job->facts, job->at, "pairs");
    json_t *original = bt_put_object(job->facts, job->at, "pairs_original");
    for (size_t one = 0; one < count; one++)
        for (size_t other = one + 1; other < count; other++)
            BT_TRY(put_pair(job, one, other, released, original, &difference, error));
    bt_put_real(job->facts, job->at, "pairs_difference",
                difference / ((double)count * (double)(count - 1) / 2));
    return BAUTA_OK;
}
