/* SPDX-License-Identifier: Apache-2.0
 *
 * The risk of a table as it stands: attackers, uniqueness, columns.
 *
 * The prosecutor knows that a person is in the table: the risk of a record is 1/f, f being the
 * size of its class. The journalist only knows that the person is in the population: 1/F, which
 * the sampling fraction makes an estimate of. The marketer wants as many matches as possible,
 * whoever they are: the mean of the journalist's risk over the records. Only the threshold
 * decides anything, and for the prosecutor that is exact.
 */
#include "job/risk.h"

#include "profile/population.h"

#include <stdlib.h>

typedef struct job {
    const bauta_recipe *recipe;
    const bt_column *const *quasi;
    size_t count;
    int64_t rows;
    const bt_run *run;
    bt_facts *facts;
    json_t *notes;
    bt_size_counts sizes;
    bool sampled; /* the table is part of a population */
    double fraction;
    bt_population population;
} job;

static double share_of(int64_t part, int64_t rows)
{
    return rows ? (double)part / (double)rows : 0;
}

/* ---- attackers ---- */

static void put_attacker(job *j, json_t *at, const char *name, const double *risks, bool exact)
{
    double highest = 0, sum = 0;
    int64_t above = 0;
    bt_rational threshold = j->recipe->risk_threshold;
    for (size_t i = 0; i < j->sizes.count; i++) {
        int64_t records = (int64_t)j->sizes.size[i] * j->sizes.classes_of[i];
        bool over = exact ? bt_ratio_compare(1, j->sizes.size[i], threshold) > 0
                          : risks[i] > bt_rational_double(threshold);
        if (risks[i] > highest) highest = risks[i];
        sum += (double)records * risks[i];
        if (over) above += records;
    }
    json_t *to = bt_put_object(j->facts, at, name);
    bt_put_real(j->facts, to, "highest", highest);
    bt_put_real(j->facts, to, "average", j->rows ? sum / (double)j->rows : 0);
    bt_put_int(j->facts, to, "records_above", above);
    bt_put_real(j->facts, to, "share_above", share_of(above, j->rows));
}

static bauta_status put_attackers(job *j, json_t *at, bauta_error *error)
{
    bt_facts *facts = j->facts;
    double *risks = bt_array(j->sizes.count, sizeof *risks);
    if (!risks) return bt_fail_memory(error);
    for (size_t i = 0; i < j->sizes.count; i++)
        risks[i] = 1.0 / j->sizes.size[i];
    put_attacker(j, at, "prosecutor", risks, true);
    if (j->sampled) bt_population_risks(&j->sizes, &j->population, risks);
    put_attacker(j, at, "journalist", risks, !j->sampled);
    free(risks);
    const json_t *journalist = json_object_get(at, "journalist");
    json_t *marketer = bt_put_object(facts, at, "marketer");
    bt_put_real(facts, marketer, "average",
                json_number_value(json_object_get(journalist, "average")));
    return BAUTA_OK;
}

/* ---- the population ---- */

static void put_population(job *j, json_t *at)
{
    bt_facts *facts = j->facts;
    const bt_population *population = &j->population;
    if (!j->sampled) return;
    bool few = bt_rational_compare(j->recipe->sampling_fraction, (bt_rational){1, 10}) <= 0;
    json_t *to = bt_put_object(facts, at, "population");
    bt_put_real(facts, to, "size", population->size);
    bt_put_real(facts, to, "unique_zayatz", population->zayatz);
    bt_put_real(facts, to, "unique_pitman", population->pitman.share);
    bt_put_text(facts, to, "model", few ? "pitman" : "zayatz");
    if (population->unbounded) {
        bt_put_text(facts, j->notes, NULL,
                    "every record is unique: nothing in the table tells how alike people are, and "
                    "the share of the population that is unique may be anything up to 100 %");
        return;
    }
    json_t *pitman = bt_put_object(facts, to, "pitman");
    bt_put_real(facts, pitman, "alpha", population->pitman.alpha);
    bt_put_real(facts, pitman, "theta", population->pitman.theta);
    bt_put_real(facts, pitman, "expected_unique", population->pitman.uniques);
    bt_put_real(facts, pitman, "expected_pairs", population->pitman.pairs);
    bt_put_bool(facts, pitman, "fits", population->pitman.fits);
    if (!population->pitman.fits)
        bt_put_text(facts, j->notes, NULL,
                    "Pitman's model does not fit this table: it expects other numbers of classes "
                    "of one and of two records than there are");
}

/* ---- columns ---- */

typedef struct contribution {
    size_t column;
    int64_t without; /* unique records when the column is not known */
} contribution;

static int by_contribution(const void *a, const void *b)
{
    const contribution *one = a, *two = b;
    if (one->without != two->without) return one->without < two->without ? -1 : 1;
    return one->column < two->column ? -1 : 1;
}

static bauta_status put_columns(job *j, json_t *at, bauta_error *error)
{
    bt_facts *facts = j->facts;
    int64_t unique = bt_size_counts_of(&j->sizes, 1);
    contribution *list = bt_array(j->count, sizeof *list);
    bauta_status status = list ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < j->count && status == BAUTA_OK; i++) {
        bt_size_counts left;
        status = bt_size_counts_make(j->quasi, j->count, i, j->rows, j->run, &left, error);
        if (status != BAUTA_OK) break;
        list[i] = (contribution){i, bt_size_counts_of(&left, 1)};
        bt_size_counts_release(&left);
    }
    if (status == BAUTA_OK) {
        qsort(list, j->count, sizeof *list, by_contribution);
        json_t *columns = bt_put_array(facts, at, "columns");
        for (size_t i = 0; i < j->count; i++) {
            json_t *to = bt_put_object(facts, columns, NULL);
            bt_put_text(facts, to, "name", j->quasi[list[i].column]->name);
            bt_put_int(facts, to, "unique_without", list[i].without);
            bt_put_int(facts, to, "contribution", unique - list[i].without);
            bt_put_real(facts, to, "share", share_of(unique - list[i].without, unique));
        }
    }
    free(list);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

/* What of the table is in the figures and may surprise. */
static void note_missing(const job *j)
{
    size_t lacking = 0, empty = 0;
    for (size_t i = 0; i < j->count; i++) {
        lacking += j->quasi[i]->domain.has_missing;
        empty += bt_domain_present(&j->quasi[i]->domain) == 0;
    }
    if (j->rows > 0 && empty == j->count)
        bt_put_text(j->facts, j->notes, NULL,
                    "all values of the quasi columns are missing: they tell nobody apart");
    else if (lacking > 0 && j->recipe->missing_drop)
        bt_put_text(j->facts, j->notes, NULL,
                    "the risk is that of all records, also of those that lack a value");
}

static bauta_status put_all(job *j, bauta_error *error)
{
    bt_facts *facts = j->facts;
    int64_t unique = bt_size_counts_of(&j->sizes, 1);
    json_t *at = bt_put_object(facts, facts->root, "risk");
    bt_put_real(facts, at, "threshold", bt_rational_double(j->recipe->risk_threshold));
    if (j->recipe->sampling_fraction.bottom)
        bt_put_real(facts, at, "sampling_fraction", j->fraction);
    if (j->sampled) bt_population_estimate(&j->sizes, j->fraction, &j->population);
    BT_TRY(put_attackers(j, at, error));
    bt_put_int(facts, at, "unique", unique);
    bt_put_real(facts, at, "share_unique", share_of(unique, j->rows));
    put_population(j, at);
    BT_TRY(put_columns(j, at, error));
    if (!j->recipe->sampling_fraction.bottom)
        bt_put_text(facts, j->notes, NULL,
                    "without --sampling-fraction the table is taken for the whole population");
    note_missing(j);
    if (j->recipe->subject.count > 0)
        bt_put_text(facts, j->notes, NULL, "the risk is that of records, not of persons");
    return BAUTA_OK;
}

bauta_status bt_put_table_risk(const bauta_recipe *recipe, const bt_column *const *quasi,
                               size_t count, int64_t rows, const bt_run *run, bt_facts *facts,
                               json_t *notes, bauta_error *error)
{
    bt_rational fraction = recipe->sampling_fraction;
    if (count == 0) {
        bt_put_text(facts, notes, NULL, "without quasi columns there is no risk to tell");
        return BAUTA_OK;
    }
    job j = {.recipe = recipe,
             .quasi = quasi,
             .count = count,
             .rows = rows,
             .run = run,
             .facts = facts,
             .notes = notes,
             .sampled = rows > 0 && fraction.bottom && fraction.top < fraction.bottom,
             .fraction = fraction.bottom ? bt_rational_double(fraction) : 1};
    BT_TRY(bt_size_counts_make(quasi, count, SIZE_MAX, rows, run, &j.sizes, error));
    bauta_status status = put_all(&j, error);
    bt_size_counts_release(&j.sizes);
    return status;
}
