/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that stand in step. Cost: one search for each row and distance; of long tables only so many
 * rows are looked at that there are at most MOST_LOOKS.
 */
#include "attack/step.h"

#include <math.h>

enum { BAND = 64, MOST_BAND = 1024, MOST_LOOKS = 1 << 26 };

static const double unlikely = -20.7232658369464; /* ln 10^-9 */

typedef struct step_job {
    bt_step_table tables[2]; /* the shorter one, and the longer one */
    bt_tuple_index *fits;
    double *partners; /* per kind of the shorter table: rows of the longer that fit it */
    int64_t rows;     /* of the shorter table that are looked at */
    int64_t band;
} step_job;

double bt_steps_chance(double x, double expected, int64_t rows)
{
    double m = (double)rows, off = x - expected;
    if (off <= 0) return 0;
    if (expected <= 0 || x > m) return -INFINITY;
    double sets = x * (log(expected) + log(m)) - lgamma(x + 1) + lgamma(m - x + 1) - lgamma(m + 1);
    double spread = log(2) - off * off / (2 * expected + 2 * x);
    return fmin(0, fmin(sets, spread));
}

/* P(X >= x) is also bounded by what bounds P(X >= y) for a lower y. */
static double least_chance(int64_t x, double expected, int64_t rows)
{
    double least = 0;
    for (int64_t y = (int64_t)expected; y <= x; y += 1 + (x - y) / 64)
        least = fmin(least, bt_steps_chance((double)y, expected, rows));
    return least;
}

/* The most hits of `tried` that chance may bring about at one of the distances. */
static int64_t find_limit(const step_job *job, double expected, int64_t tried)
{
    double allowed = unlikely - log(2 * (double)job->band + 1);
    int64_t low = 0, high = tried + 1; /* low: not told; high: told, or more than there are */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (least_chance(middle, expected, job->tables[1].rows) <= allowed)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static bool fits(const step_job *job, int64_t first, int64_t second)
{
    const uint32_t codes[] = {job->tables[0].kind_of[first], job->tables[1].kind_of[second]};
    return bt_tuple_index_find(job->fits, codes) != BT_TUPLE_NONE;
}

/* Counts at one distance; keeps it if it is the farthest above its limit, or nearest below. */
static void look(const step_job *job, int64_t distance, bt_steps *out)
{
    bt_steps here = {.distance = distance};
    int64_t n = job->tables[0].rows, m = job->tables[1].rows; /* both below 2^32 */
    for (int64_t row = 0; row < job->rows; row++) {
        int64_t beside = (int64_t)((uint64_t)row * (uint64_t)m / (uint64_t)n) + distance;
        if (beside < 0 || beside >= m) continue;
        here.tried++;
        here.hits += fits(job, row, beside);
        here.expected += job->partners[job->tables[0].kind_of[row]];
    }
    here.expected /= (double)m;
    int64_t limit = find_limit(job, here.expected, here.tried);
    here.limit = (double)limit;
    here.in_step = here.hits > limit;
    here.told = out->told || limit < here.tried;
    bool first = out->tried == 0;
    if (first || (double)here.hits - here.limit > (double)out->hits - out->limit) *out = here;
    out->told = here.told;
}

static bauta_status count_partners(step_job *job, const uint32_t *const pairs[2],
                                   const bt_tuples *tuples, bauta_error *error)
{
    const bt_step_table *second = &job->tables[1];
    int64_t *rows = bt_array_zero(second->kinds, sizeof *rows);
    job->partners = bt_array_zero(job->tables[0].kinds, sizeof *job->partners);
    bauta_status status = rows && job->partners ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < second->rows; row++)
        rows[second->kind_of[row]]++;
    for (uint32_t i = 0; status == BAUTA_OK && i < tuples->count; i++)
        job->partners[pairs[0][tuples->row[i]]] += (double)rows[pairs[1][tuples->row[i]]];
    free(rows);
    return status;
}

bauta_status bt_steps_find(const bt_step_table tables[2], const uint32_t *const pairs[2],
                           int64_t count, const bt_run *run, bt_steps *out, bauta_error *error)
{
    size_t shorter = tables[1].rows < tables[0].rows, longer = 1 - shorter;
    step_job job = {.tables = {tables[shorter], tables[longer]}, .rows = tables[shorter].rows};
    const uint32_t *const fitting[] = {pairs[shorter], pairs[longer]};
    int64_t apart = tables[longer].rows - tables[shorter].rows;
    bt_tuples tuples = {0};
    const bt_codes codes[] = {{fitting[0], 4, job.tables[0].kinds},
                              {fitting[1], 4, job.tables[1].kinds}};
    *out = (bt_steps){0};
    if (job.rows == 0 || count == 0) return BAUTA_OK;
    job.band = BAND + (int64_t)(2 * sqrt((double)apart));
    if (job.band > MOST_BAND) job.band = MOST_BAND;
    if (job.rows > MOST_LOOKS / (2 * job.band + 1)) job.rows = MOST_LOOKS / (2 * job.band + 1);
    bauta_status status = bt_tuples_group(codes, 2, count, run, &tuples, error);
    if (status == BAUTA_OK) status = bt_tuple_index_new(codes, 2, &tuples, run, &job.fits, error);
    if (status == BAUTA_OK) status = count_partners(&job, fitting, &tuples, error);
    for (int64_t d = -job.band; d <= job.band && status == BAUTA_OK; d++) {
        look(&job, d, out);
        status = bt_run_progress(run, 0, "comparing orders", d + job.band, 2 * job.band + 1, error);
    }
    bt_tuple_index_free(job.fits);
    bt_tuples_release(&tuples);
    free(job.partners);
    return status;
}
