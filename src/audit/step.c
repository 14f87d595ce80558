/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that stand in step: for each of the first rows of the shorter table, every row of the longer
 * one that fits it votes for a rotation.
 */
#include "audit/step.h"

#include "base/gamma.h"

#include <math.h>
#include <string.h>

enum {
    FIRST_LOOK = 64, /* rows; then LOOK_FACTOR times as many, … */
    LOOK_FACTOR = 16,
    SURE_ROWS = 512, /* are looked at, however much fits them, where fewer do not tell */
    LOOKS = 1,       /* for each row of the longer table, and LEAST_LOOKS */
    LEAST_LOOKS = 1 << 20,
    DENSE = 8,    /* a kind is dense that more than one in so many rows have */
    WAITING = 64, /* such votes are counted together */
};

typedef struct step_job {
    bt_step_table tables[2]; /* the shorter one, and the longer one */
    size_t *first;      /* kinds of the shorter + 1: where those that fit each begin in `fitting` */
    uint32_t *fitting;  /* kinds of the longer that fit kind k: fitting[first[k]..first[k + 1]);
                           NULL: k itself */
    size_t *starts;     /* kinds of the longer + 2: where the rows of each begin in `order` */
    uint32_t *order;    /* rows of the longer of kind k: order[starts[k]..starts[k + 1]) */
    uint32_t *votes[2]; /* per rotation: rows that fit, forwards and backwards */
    double *partners;   /* per kind of the shorter table: rows of the longer that fit it */
    double all_alike;   /* ln of the probability that all rows fit; 0: not known */
    double asked;       /* ln of how many rotations are tried in all */
    double kept;        /* the share of rows that fit when they stand in step */
    size_t waiting;     /* votes for rows of dense kinds that are not counted yet */
    uint32_t dense[WAITING];
    int64_t beside[WAITING];
} step_job;

double bt_steps_chance(double x, double expected, int64_t tried, int64_t rows)
{
    double m = (double)rows, w = (double)tried, off = x - expected;
    if (off <= 0) return 0;
    if (expected <= 0 || x > w) return -INFINITY;
    double sets = x * (log(expected) + log(m)) - bt_log_gamma(x + 1) + bt_log_gamma(m - x + 1) -
                  bt_log_gamma(m + 1);
    double spread = log(2) - off * off / (2 * expected + 2 * x);
    double miss = x < w ? (w - x) * log((w - x) / (w - expected)) : 0;
    double crowd = w * log(m) - bt_log_gamma(m + 1) + bt_log_gamma(m - w + 1);
    double apart = crowd - x * log(x / expected) - miss;
    return fmin(0, fmin(apart, fmin(sets, spread)));
}

/* P(X >= x) is also bounded by what bounds P(X >= y) for a lower y. */
static double least_chance(int64_t x, double expected, int64_t tried, int64_t rows)
{
    double least = 0;
    for (int64_t y = (int64_t)expected; y <= x; y += 1 + (x - y) / 64)
        least = fmin(least, bt_steps_chance((double)y, expected, tried, rows));
    return least;
}

int64_t bt_steps_limit(double expected, int64_t tried, int64_t rows, double chance)
{
    int64_t low = 0, high = tried + 1; /* low: not told; high: told, or more than there are */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (least_chance(middle, expected, tried, rows) <= chance)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* The most hits of `tried` that chance may bring about at one of the rotations. */
static int64_t find_limit(const step_job *job, double expected, int64_t tried)
{
    double allowed = BT_ORDER_CHANCE - job->asked;
    int64_t low = bt_steps_limit(expected, tried, job->tables[1].rows, allowed);
    if (low == tried && tried == job->tables[1].rows && job->all_alike <= allowed) low--;
    return low;
}

/* votes[d] for from <= d < to: whether row d + off, around the end, has the kind. */
static void vote_block(uint32_t *votes, const uint32_t *kind_of, int64_t rows, int64_t from,
                       int64_t to, int64_t off, uint32_t kind)
{
    int64_t turn = rows - off; /* there row 0 comes */
    if (turn < from) turn = from;
    if (turn > to) turn = to;
    for (int64_t d = from; d < turn; d++)
        votes[d] += kind_of[d + off] == kind;
    for (int64_t d = turn; d < to; d++)
        votes[d] += kind_of[d + off - rows] == kind;
}

/* Rows of dense kinds vote block by block: that is faster than a list. */
static void vote_dense(step_job *job)
{
    enum { BLOCK = 4096 };
    const uint32_t *kind_of = job->tables[1].kind_of;
    int64_t m = job->tables[1].rows;
    for (int64_t from = 0; from < m; from += BLOCK) {
        int64_t to = from + BLOCK < m ? from + BLOCK : m;
        for (size_t i = 0; i < job->waiting; i++) {
            int64_t beside = job->beside[i];
            vote_block(job->votes[0], kind_of, m, from, to, beside, job->dense[i]);
            vote_block(job->votes[1], kind_of, m, from, to, beside ? m - beside : 0, job->dense[i]);
        }
    }
    job->waiting = 0;
}

/* A row of the shorter table stands at `beside` in the longer one. */
static void vote(step_job *job, uint32_t kind, int64_t beside)
{
    int64_t m = job->tables[1].rows;
    size_t from = job->fitting ? job->first[kind] : kind;
    size_t to = job->fitting ? job->first[kind + 1] : (size_t)kind + 1;
    for (size_t f = from; f < to; f++) {
        uint32_t other = job->fitting ? job->fitting[f] : kind;
        if (job->starts[other + 1] - job->starts[other] > (size_t)m / DENSE) {
            if (job->waiting == WAITING) vote_dense(job);
            job->dense[job->waiting] = other;
            job->beside[job->waiting++] = beside;
            continue;
        }
        for (size_t i = job->starts[other]; i < job->starts[other + 1]; i++) {
            int64_t row = job->order[i], ahead = row - beside, back = row + beside;
            job->votes[0][ahead < 0 ? ahead + m : ahead]++;
            job->votes[1][back >= m ? back - m : back]++;
        }
    }
}

/* Keeps what was seen if it is the farthest above its limit, or nearest below. */
static void keep(step_job *job, int64_t tried, double expected, bt_steps *out)
{
    int64_t limit = find_limit(job, expected, tried), m = job->tables[1].rows;
    vote_dense(job);
    out->told |= (double)limit < job->kept * (double)tried + (1 - job->kept) * expected;
    for (int way = 0; way < 2; way++) {
        int64_t best = 0;
        for (int64_t d = 1; d < m; d++)
            if (job->votes[way][d] > job->votes[way][best]) best = d;
        int64_t hits = job->votes[way][best];
        if (out->tried > 0 && (double)(hits - limit) <= (double)out->hits - out->limit) continue;
        out->tried = tried;
        out->hits = hits;
        out->expected = expected;
        out->limit = (double)limit;
        out->distance = way == 0 ? best : (best + 1) % m;
        if (out->distance > m / 2) out->distance -= m;
        out->backwards = way == 1;
        out->in_step |= hits > limit;
    }
}

/* `scaled`: row i * m / n + d is beside row i. */
static bauta_status look(step_job *job, bool scaled, const bt_run *run, bt_steps *out,
                         bauta_error *error)
{
    const bt_step_table *shorter = &job->tables[0];
    int64_t n = shorter->rows, m = job->tables[1].rows, tried = 0, stop = FIRST_LOOK;
    double expected = 0, most = LOOKS + LEAST_LOOKS / (double)m;
    for (int way = 0; way < 2; way++)
        memset(job->votes[way], 0, (size_t)m * sizeof *job->votes[way]);
    for (int64_t row = 0; row < n; row++) {
        uint32_t kind = shorter->kind_of[row];
        if (kind == BT_NO_KIND || job->partners[kind] == 0) continue;
        double more = expected + job->partners[kind] / (double)m;
        if (more > most && (out->told || tried >= SURE_ROWS)) break;
        /* both are below 2^32 */
        vote(job, kind, scaled ? (int64_t)((uint64_t)row * (uint64_t)m / (uint64_t)n) : row);
        expected = more;
        if (++tried < stop) continue;
        keep(job, tried, expected, out);
        stop *= LOOK_FACTOR;
        BT_TRY(bt_run_progress(run, 0, "comparing orders", row, n, error));
    }
    if (tried > stop / LOOK_FACTOR || stop == FIRST_LOOK) keep(job, tried, expected, out);
    return BAUTA_OK;
}

/* How often the rows of the longer table have each kind, and where. */
static bauta_status arrange(step_job *job, bauta_error *error)
{
    const bt_step_table *longer = &job->tables[1];
    job->starts = bt_array_zero((size_t)longer->kinds + 2, sizeof *job->starts);
    job->order = bt_array((size_t)longer->rows, sizeof *job->order);
    for (int way = 0; way < 2; way++)
        job->votes[way] = bt_array((size_t)longer->rows, sizeof *job->votes[way]);
    job->partners = bt_array_zero(job->tables[0].kinds, sizeof *job->partners);
    if (!job->starts || !job->order || !job->votes[0] || !job->votes[1] || !job->partners)
        return bt_fail_memory(error);
    /* starts[k + 1] walks through kind k while it is filled, and ends where k + 1 starts. */
    for (int64_t row = 0; row < longer->rows; row++)
        if (longer->kind_of[row] != BT_NO_KIND) job->starts[(size_t)longer->kind_of[row] + 2]++;
    for (size_t k = 2; k <= (size_t)longer->kinds + 1; k++)
        job->starts[k] += job->starts[k - 1];
    for (int64_t row = 0; row < longer->rows; row++)
        if (longer->kind_of[row] != BT_NO_KIND)
            job->order[job->starts[(size_t)longer->kind_of[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

/* Which kinds fit which, each pair once: kinds[0][row[i]] and kinds[1][row[i]]; without `row` it is
 * i itself. */
static bauta_status list_pairs(step_job *job, const uint32_t *const kinds[2], const uint32_t *row,
                               int64_t count, bauta_error *error)
{
    job->first = bt_array_zero((size_t)job->tables[0].kinds + 2, sizeof *job->first);
    job->fitting = bt_array((size_t)count, sizeof *job->fitting);
    if (!job->first || !job->fitting) return bt_fail_memory(error);
    for (int64_t i = 0; i < count; i++)
        job->first[(size_t)kinds[0][row ? row[i] : i] + 2]++;
    for (size_t k = 2; k <= (size_t)job->tables[0].kinds + 1; k++)
        job->first[k] += job->first[k - 1];
    for (int64_t i = 0; i < count; i++) {
        uint32_t kind = kinds[0][row ? row[i] : i], other = kinds[1][row ? row[i] : i];
        job->fitting[job->first[(size_t)kind + 1]++] = other;
        job->partners[kind] += (double)(job->starts[other + 1] - job->starts[other]);
    }
    return BAUTA_OK;
}

static bauta_status list_fitting(step_job *job, const bt_step_pairs *pairs, size_t shorter,
                                 const bt_run *run, bauta_error *error)
{
    const uint32_t *const kinds[2] = {pairs->kinds[shorter], pairs->kinds[1 - shorter]};
    const bt_codes codes[] = {{kinds[0], 4, job->tables[0].kinds},
                              {kinds[1], 4, job->tables[1].kinds}};
    bt_tuples tuples = {0};
    if (pairs->distinct) return list_pairs(job, kinds, NULL, pairs->count, error);
    BT_TRY(bt_tuples_group(codes, 2, pairs->count, run, &tuples, error));
    bauta_status status = list_pairs(job, kinds, tuples.row, tuples.count, error);
    bt_tuples_release(&tuples);
    return status;
}

/* Without pairs, in tables alike: the number of different orders of the rows. */
static bauta_status count_orders(step_job *job, bauta_error *error)
{
    const bt_step_table *shorter = &job->tables[0];
    uint32_t kinds = shorter->kinds;
    uint32_t *rows = bt_array_zero(kinds, sizeof *rows);
    if (!rows) return bt_fail_memory(error);
    bool alike = shorter->rows == job->tables[1].rows;
    for (int64_t row = 0; row < shorter->rows; row++)
        if (shorter->kind_of[row] == BT_NO_KIND)
            alike = false;
        else
            rows[shorter->kind_of[row]]++;
    for (uint32_t k = 0; k < kinds; k++) {
        size_t there = job->starts[(size_t)k + 1] - job->starts[k];
        job->partners[k] = (double)there;
        alike &= there == rows[k];
        job->all_alike += bt_log_gamma((double)there + 1);
    }
    free(rows);
    job->all_alike = alike ? job->all_alike - bt_log_gamma((double)shorter->rows + 1) : 0;
    return BAUTA_OK;
}

bauta_status bt_steps_find(const bt_step_table tables[2], const bt_step_pairs *pairs,
                           const bt_run *run, bt_steps *out, bauta_error *error)
{
    return bt_steps_find_kept(tables, pairs, 1, run, out, error);
}

bauta_status bt_steps_find_kept(const bt_step_table tables[2], const bt_step_pairs *pairs,
                                double kept, const bt_run *run, bt_steps *out, bauta_error *error)
{
    size_t shorter = tables[1].rows < tables[0].rows, longer = 1 - shorter;
    step_job job = {.tables = {tables[shorter], tables[longer]}, .kept = kept};
    bool even = tables[0].rows == tables[1].rows;
    *out = (bt_steps){0};
    if (tables[shorter].rows == 0 || (pairs && pairs->count == 0)) return BAUTA_OK;
    double looks = 1 + ceil(log((double)tables[shorter].rows) / log(LOOK_FACTOR));
    job.asked = log(2 * (even ? 1 : 2) * looks * (double)tables[longer].rows);
    bauta_status status = arrange(&job, error);
    if (status == BAUTA_OK)
        status = pairs ? list_fitting(&job, pairs, shorter, run, error) : count_orders(&job, error);
    if (status == BAUTA_OK) status = look(&job, false, run, out, error);
    if (status == BAUTA_OK && !even) status = look(&job, true, run, out, error);
    free(job.first);
    free(job.fitting);
    free(job.starts);
    free(job.order);
    free(job.votes[0]);
    free(job.votes[1]);
    free(job.partners);
    return status;
}
