/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: released combinations against what the mechanism makes of the original's.
 *
 * Given the original, every row is drawn for itself: so a sum over the rows of whatever number
 * their combination is given has a mean and a variance that follow from the original's counts, and
 * is near its mean as Bernstein's inequality says (chance.h). Three families of such sums are
 * looked at, all over combinations c that records have, with n(c) of them; E(c) is how many
 * rows with c are expected, the sum over sets S of lambda columns of
 *     P(S) * (records that agree with c outside of S) * (product over S of the shares of c's
 * values).
 *
 *   all rows     h(c) = n(c) / E(c), at most `cap`: what tells rows that were left as they were
 * from others best. The mean and variance are exact; too high is too close to the original, too low
 * is drawn anew more than stated. per column   the part of E(c) for which the column was drawn,
 * over E(c), less the probability that the manifest states for it. per value    the first, of the
 * rows that hold the value, in quasi and sensitive columns.
 *
 * For the last two a bound on the variance is used: per column the mean of squares, per value that
 * less the squares of the means of the records that hold it and keep it.
 *
 * Few records hold a rare value, and Bernstein's inequality says little of few. Whether the rows of
 * a value are too close to the original is therefore asked by another bound, which knows more of
 * the distribution than its variance. The product of 1 + t h(c) over the rows that hold the value
 * has a mean of at most exp(t M - sum of (t m - ln(1 + t m))), where M is the sum of E(c) h(c) over
 * its combinations, m the mean of h over what a record that holds it becomes while it keeps it, and
 * the sum is over these records: rows are drawn for themselves, and ln(1 + x + y) is at most
 * ln(1 + x) + y. By Markov's inequality the product is e^a times its mean with a chance of at most
 * e^-a. So is the average over several t, which stand for shares of records left as they were.
 *
 * What would be noticed is known before: that all records of a value were left as they were shows
 * where n(c) rows of each of its combinations make the product as large as that.
 *
 * `cap` is chosen, from the original alone, so that the smallest share of rows left as they were
 * that would be noticed is as small as can be.
 *
 * Cost: twice for each set of lambda columns linear in the distinct records.
 */
#include "audit/drawing.h"

#include "audit/chance.h"

#include <math.h>
#include <string.h>

enum { CAPS = 17, SHARE_MOST_PERCENT = 25 };
static const double single = 1e-6;  /* what numbers of single precision are off, with room */
static const double sure_log = 4.6; /* a fault that is said to be noticed is, 99 times in 100 */

typedef struct drawing {
    bt_audit_job *job;
    const bt_compared *compared;
    const bt_mechanism *mechanism;
    const bt_run *run;
    const bt_distinct *rows, *records;
    double **share;   /* per quasi column and code: of the records */
    int64_t *seen;    /* per distinct record: rows that equal it */
    double *expected; /* per distinct record: E, the rows expected to equal it */
    double *value;    /* per distinct record: what a row that equals it counts for */
    double *given; /* per distinct record: the mean of `value` over what a record like it becomes */
    float **drawn; /* per quasi column and distinct record: the part of E for which the column is
                      among those drawn; then that of `given` */
    double cap;
    bt_arena arena;
} drawing;

/* What came out, and what was to be expected. */
typedef struct outcome {
    double seen;
    bt_sum sum;
} outcome;

typedef struct finding {
    double share; /* the smallest share of rows left as they were that would be noticed */
    double left;  /* the share that seems to have been */
    int off;      /* 1: too close to the original; -1: too far from it; 0: neither */
    int64_t equal;
    double expected;
} finding;

/* ---- sets of columns --------------------------------------------------------------------- */

/* The probability that exactly these columns are drawn anew. */
static double chance_of(const bt_mechanism *mechanism, uint64_t set)
{
    if (mechanism->lambda == 1) return bt_rational_double(mechanism->redrawn[__builtin_ctzll(set)]);
    double chance = 1;
    for (uint32_t i = 0; i < mechanism->lambda; i++)
        chance *= (i + 1) / (double)(mechanism->columns - i);
    return chance;
}

/* The chance to draw the values that a record has in these columns. */
static double chance_of_values(const drawing *d, uint64_t set, uint32_t record)
{
    double chance = 1;
    for (uint64_t left = set; left; left &= left - 1) {
        size_t i = (size_t)__builtin_ctzll(left);
        chance *= d->share[i][bt_distinct_code(d->records, i, record)];
    }
    return chance;
}

/* What a set of columns adds to E, when `expecting`; else to `given`. */
static bauta_status look_at_set(drawing *d, uint64_t set, bool expecting, bauta_error *error)
{
    const bt_tuples *records = &d->records->tuples;
    bt_buckets b;
    double *sum = NULL, chance = chance_of(d->mechanism, set);
    bauta_status status = bt_buckets_make(d->records, set, d->run, &b, error);
    if (status == BAUTA_OK) sum = bt_array_zero(b.tuples.count, sizeof *sum);
    if (status == BAUTA_OK && !sum) status = bt_fail_memory(error);
    for (uint32_t t = 0; status == BAUTA_OK && t < records->count; t++)
        sum[b.of[t]] += expecting ? records->size[t] : chance_of_values(d, set, t) * d->value[t];
    for (uint32_t t = 0; status == BAUTA_OK && t < records->count; t++) {
        double part = chance * sum[b.of[t]] * (expecting ? chance_of_values(d, set, t) : 1);
        (expecting ? d->expected : d->given)[t] += part;
        for (uint64_t left = set; left; left &= left - 1)
            d->drawn[__builtin_ctzll(left)][t] += (float)part;
    }
    bt_buckets_release(&b);
    free(sum);
    return status;
}

static bauta_status look_at_sets(drawing *d, bool expecting, bauta_error *error)
{
    for (size_t i = 0; i < d->compared->quasi; i++)
        memset(d->drawn[i], 0, d->records->tuples.count * sizeof *d->drawn[i]);
    for (uint64_t set = bt_set_first(d->mechanism); set; set = bt_set_next(set, d->mechanism))
        BT_TRY(look_at_set(d, set, expecting, error));
    return BAUTA_OK;
}

static bauta_status take_shares(drawing *d, bauta_error *error)
{
    const bt_tuples *records = &d->records->tuples;
    double all = (double)d->compared->record_count;
    for (size_t i = 0; i < d->compared->quasi; i++) {
        d->share[i] = bt_arena_array(&d->arena, d->compared->columns[i].size, sizeof **d->share);
        d->drawn[i] = bt_arena_array(&d->arena, records->count, sizeof **d->drawn);
        if (!d->share[i] || !d->drawn[i]) return bt_fail_memory(error);
        for (uint32_t t = 0; t < records->count; t++)
            d->share[i][bt_distinct_code(d->records, i, t)] += records->size[t] / all;
    }
    return BAUTA_OK;
}

static bauta_status count_equal(drawing *d, bauta_error *error)
{
    bt_buckets b; /* of no column: one for each distinct record */
    uint32_t *codes = bt_arena_array(&d->arena, d->compared->count, sizeof *codes);
    int64_t *seen = NULL;
    if (!codes) return bt_fail_memory(error);
    bauta_status status = bt_buckets_make(d->records, 0, d->run, &b, error);
    if (status == BAUTA_OK) seen = bt_array_zero(b.tuples.count, sizeof *seen);
    if (status == BAUTA_OK && !seen) status = bt_fail_memory(error);
    for (uint32_t t = 0; status == BAUTA_OK && t < d->rows->tuples.count; t++) {
        uint32_t found = bt_buckets_find(&b, d->rows, 0, t, codes);
        if (found != BT_TUPLE_NONE) seen[found] += d->rows->tuples.size[t];
    }
    for (uint32_t t = 0; status == BAUTA_OK && t < d->records->tuples.count; t++)
        d->seen[t] = seen[b.of[t]];
    bt_buckets_release(&b);
    free(seen);
    return status;
}

/* ---- all rows ---------------------------------------------------------------------------- */

static double capped(const drawing *d, uint32_t record, double cap)
{
    return fmin(d->records->tuples.size[record] / d->expected[record], cap);
}

/* The smallest share of rows, drawn at random, that is noticed when they are left as they were. */
static double find_share(const bt_sum *sum, double untouched, double alarm)
{
    double far = bt_sum_reach(sum, alarm) + bt_sum_reach(sum, sure_log);
    return untouched > sum->mean ? far / (untouched - sum->mean) : INFINITY;
}

/* The share that find_share finds with this cap, by a bound on the variance: the mean of squares
 * about 1. */
static double try_cap(const drawing *d, double cap, double alarm)
{
    bt_sum sum = {.variance = (double)d->compared->record_count, .most = cap};
    double untouched = 0;
    for (uint32_t t = 0; t < d->records->tuples.count; t++) {
        double value = capped(d, t, cap), expected = d->expected[t];
        sum.mean += expected * value;
        sum.variance += expected * ((value - 1) * (value - 1) - 1);
        untouched += d->records->tuples.size[t] * value;
    }
    sum.variance = fmax(sum.variance, 0);
    return find_share(&sum, untouched, alarm);
}

static void choose_cap(drawing *d, double alarm)
{
    double best = INFINITY;
    d->cap = 1;
    for (int i = 0; i < CAPS; i++) {
        double cap = ldexp(1, i), share = try_cap(d, cap, alarm);
        if (share >= best) continue;
        best = share;
        d->cap = cap;
    }
    for (uint32_t t = 0; t < d->records->tuples.count; t++)
        d->value[t] = capped(d, t, d->cap);
}

static int is_off(const outcome *o, double alarm)
{
    double off = o->seen - o->sum.mean, reach = bt_sum_reach(&o->sum, alarm);
    return (off > reach) - (off < -reach);
}

static void judge_all(const drawing *d, double alarm, finding *out)
{
    outcome o = {.sum = {.most = d->cap}};
    double untouched = 0;
    for (uint32_t t = 0; t < d->records->tuples.count; t++) {
        double value = d->value[t], size = d->records->tuples.size[t];
        o.seen += (double)d->seen[t] * value;
        o.sum.mean += d->expected[t] * value;
        o.sum.variance += d->expected[t] * value * value - size * d->given[t] * d->given[t];
        untouched += size * value;
        out->equal += d->seen[t];
        out->expected += d->expected[t];
    }
    o.sum.variance = fmax(o.sum.variance, 0);
    out->off = is_off(&o, alarm);
    out->share = find_share(&o.sum, untouched, alarm);
    out->left = (o.seen - o.sum.mean) / (untouched - o.sum.mean);
}

/* ---- columns ----------------------------------------------------------------------------- */

static int judge_column(const drawing *d, size_t column, double alarm)
{
    double stated = bt_rational_double(d->mechanism->redrawn[column]);
    outcome o = {.sum = {.most = 1}};
    for (uint32_t t = 0; t < d->records->tuples.count; t++) {
        double value = d->drawn[column][t] / d->expected[t] - stated;
        o.seen += (double)d->seen[t] * value;
        o.sum.mean += d->expected[t] * value;
        o.sum.variance += d->expected[t] * value * value;
    }
    return is_off(&o, alarm);
}

/* The mean of what a record counts for its value in a column, or less: where the column is drawn
 * it is only looked at whether the value comes again, alone. */
static double mean_of_value(const drawing *d, size_t column, uint32_t record)
{
    if (column >= d->compared->quasi) return d->given[record];
    double kept = fmax(d->given[record] - (1 + single) * d->drawn[column][record], 0);
    if (d->mechanism->lambda > 1) return kept;
    return kept + bt_rational_double(d->mechanism->redrawn[column]) *
                      chance_of_values(d, (uint64_t)1 << column, record) * d->value[record];
}

/* ---- values ------------------------------------------------------------------------------ */

enum { SHARES = 5 };
static const double left_shares[SHARES] = {1, 1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256};

typedef struct value_test {
    outcome all;
    int64_t records;         /* that hold it */
    double evidence[SHARES]; /* ln of the product over its mean */
    double left[SHARES];     /* what that would be, had all of them been left as they were */
} value_test;

/* A column, and what was found of its values. */
typedef struct value_tests {
    value_test *of;
    int64_t near, far; /* too close to the original, and too far from it */
    int64_t values;    /* that records hold */
    int64_t untold;    /* values that would not be noticed when all their records were left */
    int64_t most;      /* records that hold the most common of these */
} value_tests;

static void add_records(const drawing *d, size_t column, value_test *values)
{
    for (uint32_t t = 0; t < d->records->tuples.count; t++) {
        value_test *one = &values[bt_distinct_code(d->records, column, t)];
        double value = d->value[t], mean = mean_of_value(d, column, t);
        double size = d->records->tuples.size[t];
        one->records += d->records->tuples.size[t];
        one->all.seen += (double)d->seen[t] * value;
        one->all.sum.mean += d->expected[t] * value;
        one->all.sum.variance += d->expected[t] * value * value - size * mean * mean;
        for (int i = 0; i < SHARES; i++)
            one->evidence[i] += size * bt_beyond_log(left_shares[i] * mean);
    }
}

/* `weight` has room for all distinct records. */
static void add_evidence(const drawing *d, const value_tests *columns, int share, double *weight)
{
    const bt_tuples *records = &d->records->tuples;
    for (uint32_t t = 0; t < records->count; t++)
        weight[t] = log1p(left_shares[share] * d->value[t]);
    for (size_t column = 0; column < d->compared->count; column++)
        for (uint32_t t = 0; t < records->count; t++) {
            value_test *one = &columns[column].of[bt_distinct_code(d->records, column, t)];
            one->evidence[share] += (double)d->seen[t] * weight[t];
            one->left[share] += ((double)records->size[t] - (double)d->seen[t]) * weight[t];
        }
    for (size_t column = 0; column < d->compared->count; column++)
        for (uint32_t code = 0; code < d->compared->columns[column].size; code++) {
            value_test *one = &columns[column].of[code];
            double mean = left_shares[share] * one->all.sum.mean;
            one->evidence[share] -= mean + single * single * (mean + fabs(one->evidence[share]));
            one->left[share] += one->evidence[share];
        }
}

static void judge_values(const drawing *d, size_t column, double alarm, value_tests *out)
{
    for (uint32_t code = 0; code < d->compared->columns[column].size; code++) {
        value_test *one = &out->of[code];
        if (one->records == 0) continue;
        one->all.sum.most = d->cap;
        one->all.sum.variance = fmax(one->all.sum.variance, 0);
        out->values++;
        out->near += bt_average_logs(one->evidence, SHARES) > alarm;
        out->far += is_off(&one->all, alarm) < 0;
        if (bt_average_logs(one->left, SHARES) > alarm) continue;
        out->untold++;
        if (one->records > out->most) out->most = one->records;
    }
}

static bauta_status test_values(drawing *d, value_tests *out, bauta_error *error)
{
    size_t tests = 0;
    double *weight = bt_arena_array(&d->arena, d->records->tuples.count, sizeof *weight);
    if (!weight) return bt_fail_memory(error);
    for (size_t i = 0; i < d->compared->count; i++) {
        uint32_t size = d->compared->columns[i].size;
        tests += 2 * (size_t)size;
        out[i].of = bt_arena_array(&d->arena, size, sizeof *out[i].of);
        if (!out[i].of) return bt_fail_memory(error);
        add_records(d, i, out[i].of);
    }
    for (int share = 0; share < SHARES; share++)
        add_evidence(d, out, share, weight);
    for (size_t i = 0; i < d->compared->count; i++)
        judge_values(d, i, bt_alarm_log(tests), &out[i]);
    return BAUTA_OK;
}

/* ---- findings ---------------------------------------------------------------------------- */

static void tell_column(const drawing *d, size_t column, int off, int64_t near, int64_t far)
{
    const char *name = d->compared->columns[column].published->manifest->name;
    if (off != 0)
        bt_finding_put(d->job, "drawing", BT_FAILS, BT_NO_ROW,
                       "column '%s' was drawn anew %s often than the manifest says", name,
                       off > 0 ? "more" : "less");
    if (near + far > 0)
        bt_finding_put(d->job, "drawing", BT_FAILS, BT_NO_ROW,
                       "column '%s': the rows of %lld values are closer to the original, and those "
                       "of %lld farther from it, than drawing anew makes them",
                       name, (long long)near, (long long)far);
}

static void tell_values(const drawing *d, const value_tests *all)
{
    long long values = 0, untold = 0, most = 0;
    for (size_t i = 0; i < d->compared->count; i++) {
        values += all[i].values;
        untold += all[i].untold;
        if (all[i].most > most) most = all[i].most;
    }
    if (untold == 0)
        bt_finding_put(d->job, "drawing by value", BT_HOLDS, BT_NO_ROW,
                       "that all records with one value were left as they were would be noticed "
                       "for each of %lld values",
                       values);
    else
        bt_finding_put(d->job, "drawing by value", BT_UNVERIFIABLE, BT_NO_ROW,
                       "that all records with one value were left as they were would be noticed "
                       "for %lld of %lld values, and not for the others, of which at most %lld "
                       "records each hold one: there only rows drawn again from the seed show it",
                       values - untold, values, most);
}

static bauta_status tell_columns(drawing *d, const int *off, bool *failed, bauta_error *error)
{
    value_tests *all = bt_arena_array(&d->arena, d->compared->count, sizeof *all);
    if (!all) return bt_fail_memory(error);
    BT_TRY(test_values(d, all, error));
    for (size_t i = 0; i < d->compared->count; i++) {
        tell_column(d, i, off[i], all[i].near, all[i].far);
        *failed |= off[i] != 0 || all[i].near + all[i].far > 0;
    }
    if (!*failed && !d->job->options->key) tell_values(d, all);
    return BAUTA_OK;
}

static void tell_all(const drawing *d, const finding *found, bool failed)
{
    long long equal = (long long)found->equal, rows = (long long)d->compared->record_count;
    if (found->off > 0)
        bt_finding_put(d->job, "drawing", BT_FAILS, BT_NO_ROW,
                       "the rows are closer to the original than drawing anew leaves them, as if "
                       "%.1f %% of them had been left as they were (%lld of %lld rows equal an "
                       "original record, %.1f are expected)",
                       100 * found->left, equal, rows, found->expected);
    else if (found->off < 0)
        bt_finding_put(d->job, "drawing", BT_FAILS, BT_NO_ROW,
                       "the rows are farther from the original than the mechanism makes them (%lld "
                       "of %lld rows equal an original record, %.1f are expected)",
                       equal, rows, found->expected);
    if (found->off != 0 || failed)
        bt_finding_put(d->job, "drawing", BT_FAILS, BT_NO_ROW, "%s", bt_chance_hint);
    else if (found->share * 100 > SHARE_MOST_PERCENT)
        bt_finding_put(d->job, "drawing", BT_UNVERIFIABLE, BT_NO_ROW,
                       "%lld of %lld rows equal an original record, %.1f are expected; but too few "
                       "rows, or too little that goes together in them, to notice when %d %% of "
                       "them are left as they were",
                       equal, rows, found->expected, SHARE_MOST_PERCENT);
    else
        bt_finding_put(d->job, "drawing", BT_HOLDS, BT_NO_ROW,
                       "%lld of %lld rows equal an original record, as chance has it when values "
                       "are drawn anew: %.1f are expected; that %.1f %% of the rows were left as "
                       "they were would be noticed",
                       equal, rows, found->expected, 100 * found->share);
}

static bauta_status run_all(drawing *d, bauta_error *error)
{
    uint32_t records = d->records->tuples.count;
    double alarm = bt_alarm_log(2 + 2 * d->compared->quasi);
    finding found = {0};
    bool failed = false;
    d->share = bt_arena_array(&d->arena, d->compared->quasi, sizeof *d->share);
    d->drawn = bt_arena_array(&d->arena, d->compared->quasi, sizeof *d->drawn);
    d->seen = bt_arena_array(&d->arena, records, sizeof *d->seen);
    d->expected = bt_arena_array(&d->arena, records, sizeof *d->expected);
    d->value = bt_arena_array(&d->arena, records, sizeof *d->value);
    d->given = bt_arena_array(&d->arena, records, sizeof *d->given);
    int *off = bt_arena_array(&d->arena, d->compared->count, sizeof *off);
    if (!d->share || !d->drawn || !d->seen || !d->expected || !d->value || !d->given || !off)
        return bt_fail_memory(error);
    BT_TRY(take_shares(d, error));
    BT_TRY(count_equal(d, error));
    BT_TRY(look_at_sets(d, true, error));
    for (size_t i = 0; i < d->compared->quasi; i++)
        off[i] = judge_column(d, i, alarm);
    choose_cap(d, alarm);
    BT_TRY(look_at_sets(d, false, error));
    judge_all(d, alarm, &found);
    BT_TRY(tell_columns(d, off, &failed, error));
    tell_all(d, &found, failed);
    return BAUTA_OK;
}

bauta_status bt_audit_drawing(bt_audit_job *job, const bt_compared *compared,
                              const bt_distinct *rows, const bt_distinct *records,
                              bauta_error *error)
{
    drawing d = {.job = job,
                 .compared = compared,
                 .mechanism = &job->release->mechanism,
                 .run = job->options->run,
                 .rows = rows,
                 .records = records};
    bauta_status status = run_all(&d, error);
    bt_arena_release(&d.arena);
    return status;
}
