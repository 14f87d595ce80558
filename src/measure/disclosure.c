/* SPDX-License-Identifier: Apache-2.0
 *
 * What a row of a randomized release tells of the record behind it.
 */
#include "class/diversity.h"
#include "class/linkage.h"
#include "measure/associations.h"

/* How common each value is among the records, and how diverse the column is. */
static bauta_status find_chances(bt_compared *compared, size_t place, double **chance,
                                 double *diversity, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_compared_column *column = &compared->columns[place];
    int64_t *held = bt_arena_array(&scratch, column->size, sizeof *held);
    *chance = bt_arena_array(&compared->arena, column->size, sizeof **chance);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(&compared->arena, error));
    for (int64_t row = 0; row < compared->record_count; row++)
        held[bt_compared_record(column, row)]++;
    for (uint32_t code = 0; code < column->size; code++)
        (*chance)[code] = (double)held[code] / (double)compared->record_count;
    *diversity = bt_diversity(held, column->size);
    return BAUTA_OK;
}

static void put_posterior(const bt_knowledge_job *job, const bt_posterior *found)
{
    json_t *to = bt_put_object(job->facts, job->at, "posterior");
    bt_put_real(job->facts, to, "worst", found->worst);
    bt_put_real(job->facts, to, "mean", found->mean);
    bt_put_real(job->facts, job->at, "amplification", found->amplification);
    bt_put_real(job->facts, job->at, "excluded", found->excluded);
}

bauta_status bt_measure_disclosure(const bt_knowledge_job *job, bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    bt_compared *compared = job->compared;
    size_t columns = compared->quasi;
    if (!bt_supports_apply(job)) return BAUTA_OK;
    double **chance = bt_arena_array(&compared->arena, columns, sizeof *chance);
    double *diversity = bt_arena_array(&compared->arena, columns, sizeof *diversity);
    bt_codes *records = bt_compared_records(compared, 0, columns);
    bt_codes *rows = bt_compared_rows(compared, 0, columns);
    BT_TRY(bt_arena_check(&compared->arena, error));
    for (size_t i = 0; i < columns; i++)
        BT_TRY(find_chances(compared, i, &chance[i], &diversity[i], error));
    bt_put_real(job->facts, job->at, "probabilistic_anonymity",
                bt_probabilistic_anonymity(mechanism, diversity));
    if (mechanism->lambda == 1)
        bt_put_real(job->facts, job->at, "probabilistic_anonymity_best",
                    bt_probabilistic_anonymity_best(diversity, columns));
    if (!bt_linkage_feasible(mechanism, job->release->rows)) return BAUTA_OK;
    const bt_linkage_job asked = {.mechanism = mechanism,
                                  .records = records,
                                  .rows = rows,
                                  .record_count = compared->record_count,
                                  .row_count = job->release->rows,
                                  .chance = chance,
                                  .run = job->run};
    bt_posterior found;
    BT_TRY(bt_posterior_find(&asked, &found, error));
    put_posterior(job, &found);
    return BAUTA_OK;
}
