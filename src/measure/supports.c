/* SPDX-License-Identifier: Apache-2.0
 *
 * Bias and variance of supports.
 *
 * Cost: for each combination linear in records, and 2^length * length.
 */
#include "measure/associations.h"
#include "spec/words.h"

#include <math.h>
#include <string.h>

/* ---- by the mechanism -------------------------------------------------------------------- */

static double choose(size_t of, size_t take)
{
    double count = 1;
    if (take > of) return 0;
    for (size_t i = 0; i < take; i++)
        count = count * (double)(of - i) / (double)(i + 1);
    return count;
}

/* The probability that of the columns of the combination just `drawn` are drawn anew. */
static double draws(const bt_mechanism *mechanism, const size_t *columns, size_t count,
                    uint32_t drawn)
{
    size_t size = (size_t)__builtin_popcount(drawn), others = mechanism->columns - count;
    double sum = 0;
    if (size > mechanism->lambda) return 0;
    if (mechanism->lambda > 1)
        return choose(others, mechanism->lambda - size) /
               choose(mechanism->columns, mechanism->lambda);
    for (size_t i = 0; i < count; i++)
        if (drawn == 0 || drawn >> i & 1)
            sum += (double)mechanism->weight[columns[i]] / (double)mechanism->total;
    return drawn == 0 ? 1 - sum : sum;
}

double bt_becomes(const bt_mechanism *mechanism, const size_t *columns, const double *chance,
                  size_t count, uint32_t differs)
{
    uint32_t all = ((uint32_t)1 << count) - 1, rest = all & ~differs, more = rest;
    double sum = 0;
    for (;; more = (more - 1) & rest) { /* all sets that contain `differs` */
        uint32_t drawn = differs | more;
        double product = draws(mechanism, columns, count, drawn);
        for (size_t i = 0; i < count; i++)
            if (drawn >> i & 1) product *= chance[i];
        sum += product;
        if (more == 0) return sum;
    }
}

/* ---- in the release ---------------------------------------------------------------------- */

typedef struct combination {
    size_t count;
    size_t columns[BT_SUPPORT_COLUMNS_MOST];
    uint32_t codes[BT_SUPPORT_COLUMNS_MOST];
    double chance[BT_SUPPORT_COLUMNS_MOST];
    uint32_t value; /* sensitive */
} combination;

bool bt_supports_apply(const bt_knowledge_job *job)
{
    bool merged = bt_form_number(job->release->manifest.form, "rare") > 1;
    return !merged && job->release->rows == job->compared->record_count && job->release->rows > 0;
}

static double share_of(const bt_compared *compared, size_t column, uint32_t code)
{
    int64_t count = 0;
    for (int64_t row = 0; row < compared->record_count; row++)
        count += bt_compared_record(&compared->columns[column], row) == code;
    return (double)count / (double)compared->record_count;
}

static void read_rule(const bt_compared *compared, const bt_rules *rules, size_t rule,
                      combination *out)
{
    const uint32_t *items = bt_rule_items(rules, rule);
    *out = (combination){.value = items[0]};
    for (size_t i = 0; i < rules->columns; i++) {
        if (items[i + 1] == BT_NO_ITEM) continue;
        out->columns[out->count] = i;
        out->codes[out->count] = items[i + 1];
        out->chance[out->count++] = share_of(compared, i, items[i + 1]);
    }
}

/* Records with the sensitive value, by the columns in which they differ. */
static void count_records(const bt_compared *compared, const bt_compared_column *sensitive,
                          const combination *q, double *held)
{
    memset(held, 0, sizeof *held << q->count);
    for (int64_t row = 0; row < compared->record_count; row++) {
        uint32_t differs = 0;
        if (bt_compared_record(sensitive, row) != q->value) continue;
        for (size_t i = 0; i < q->count; i++)
            differs |= (uint32_t)(bt_compared_record(&compared->columns[q->columns[i]], row) !=
                                  q->codes[i])
                       << i;
        held[differs]++;
    }
}

static double count_rows(const bt_knowledge_job *job, const bt_compared_column *sensitive,
                         const combination *q)
{
    double count = 0;
    for (int64_t row = 0; row < job->release->rows; row++) {
        bool same = sensitive->rows[row] == q->value;
        for (size_t i = 0; i < q->count && same; i++)
            same = job->compared->columns[q->columns[i]].rows[row] == q->codes[i];
        count += same;
    }
    return count;
}

static void add_one(const bt_knowledge_job *job, const bt_compared_column *sensitive,
                    const combination *q, double *held, bt_support_sums *sums)
{
    double expected = 0, variance = 0;
    count_records(job->compared, sensitive, q, held);
    for (uint32_t differs = 0; differs < (uint32_t)1 << q->count; differs++) {
        if (held[differs] == 0) continue;
        double chance =
            bt_becomes(&job->release->mechanism, q->columns, q->chance, q->count, differs);
        expected += held[differs] * chance;
        variance += held[differs] * chance * (1 - chance);
    }
    double was = held[0], is = count_rows(job, sensitive, q); /* rules have records */
    double bias = (expected - was) / was, off = (is - expected) / was;
    sums->count++;
    sums->bias += bias;
    sums->variance += variance / (was * was);
    sums->difference += (is - was) / was;
    sums->deviation += off * off;
    sums->within += off * off * was * was <= 4 * variance + 1e-9;
}

bauta_status bt_supports_add(const bt_knowledge_job *job, const bt_compared_column *sensitive,
                             const bt_rules *rules, bt_support_sums *sums, bauta_error *error)
{
    size_t step = rules->count / BT_SUPPORTS_MOST + 1;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    double *held = bt_arena_array(&scratch, (size_t)1 << BT_SUPPORT_COLUMNS_MOST, sizeof *held);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t rule = 0; rule < rules->count; rule += step) {
        combination q;
        if (bt_rule_length(rules, rule) > BT_SUPPORT_COLUMNS_MOST) continue;
        read_rule(job->compared, rules, rule, &q);
        add_one(job, sensitive, &q, held, sums);
    }
    return BAUTA_OK;
}

void bt_supports_put(const bt_support_sums *sums, bt_facts *facts, json_t *at)
{
    json_t *to = bt_put_object(facts, at, "supports");
    double count = (double)sums->count;
    bt_put_int(facts, to, "combinations", sums->count);
    if (sums->count == 0) return;
    bt_put_real(facts, to, "predicted_bias", sums->bias / count);
    bt_put_real(facts, to, "observed_bias", sums->difference / count);
    bt_put_real(facts, to, "predicted_deviation", sqrt(sums->variance / count));
    bt_put_real(facts, to, "observed_deviation", sqrt(sums->deviation / count));
    bt_put_real(facts, to, "within_two_deviations", (double)sums->within / count);
}
