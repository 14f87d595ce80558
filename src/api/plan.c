/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_plan_… and bauta_batch_…: plans by themselves, and rows that are recoded by them.
 */
#include "job/plan.h"

#include "recipe/recipe.h"

#include <string.h>

struct bauta_plan {
    bt_buffer text;
    bt_plan plan;
    bt_arena arena;
};

struct bauta_batch {
    bt_recoded batch;
};

/* Reads the text that the plan holds. */
static bauta_status finish(bauta_plan *plan, bauta_status status, bauta_plan **out,
                           bauta_error *error)
{
    if (status == BAUTA_OK)
        status = bt_plan_read("plan", plan->text.bytes, plan->text.length, &plan->arena,
                              &plan->plan, error);
    if (status == BAUTA_OK)
        *out = plan;
    else
        bauta_plan_free(plan);
    return status;
}

bauta_status bauta_plan_make(const bauta_recipe *recipe, const bauta_plan_options *options,
                             bauta_plan **out, bauta_error *error)
{
    bt_error_clear(error);
    if (!recipe || !out) return bt_fail(error, BAUTA_USAGE, "a recipe and a place are needed");
    *out = NULL;
    if (options && options->size < sizeof *options)
        return bt_fail(error, BAUTA_USAGE, "the options of a plan are %zu bytes, not %zu",
                       sizeof *options, options->size);
    bauta_plan *plan = bt_array_zero(1, sizeof *plan);
    bauta_recipe *counted = NULL;
    bauta_status status = plan ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && options && options->count) {
        bt_column_recipe *column;
        status = bt_recipe_copy(recipe, &counted, error);
        if (status == BAUTA_OK) status = bt_recipe_column(counted, options->count, &column, error);
        if (status == BAUTA_OK && column->role != BT_ROLE_NONE)
            status =
                bt_fail(error, BAUTA_USAGE, "the column '%s' of counts has a role", options->count);
        if (status == BAUTA_OK) {
            column->role = BT_ROLE_DROPPED;
            counted->count = options->count;
        }
    }
    if (status == BAUTA_OK) status = bt_plan_alone(counted ? counted : recipe, &plan->text, error);
    bauta_recipe_free(counted);
    return finish(plan, status, out, error);
}

bauta_status bauta_plan_load(const char *text, size_t length, bauta_plan **out, bauta_error *error)
{
    bt_error_clear(error);
    if (!text || !out) return bt_fail(error, BAUTA_USAGE, "a text and a place are needed");
    *out = NULL;
    bauta_plan *plan = bt_array_zero(1, sizeof *plan);
    bauta_status status =
        plan ? bt_buffer_add(&plan->text, text, length, error) : bt_fail_memory(error);
    return finish(plan, status, out, error);
}

const char *bauta_plan_text(const bauta_plan *plan, size_t *length)
{
    if (length) *length = plan ? plan->text.length : 0;
    return plan ? plan->text.bytes : NULL;
}

void bauta_plan_free(bauta_plan *plan)
{
    if (!plan) return;
    bt_buffer_release(&plan->text);
    bt_arena_release(&plan->arena);
    free(plan);
}

bauta_status bauta_plan_apply(const bauta_plan *plan, const bauta_recipe *recipe, bauta_batch **out,
                              bauta_error *error)
{
    bt_error_clear(error);
    if (!plan || !recipe || !out)
        return bt_fail(error, BAUTA_USAGE, "a plan, a recipe and a place are needed");
    *out = NULL;
    bauta_batch *batch = bt_array_zero(1, sizeof *batch);
    if (!batch) return bt_fail_memory(error);
    bauta_status status = bt_plan_batch(&plan->plan, recipe, &batch->batch, error);
    if (status == BAUTA_OK)
        *out = batch;
    else
        bauta_batch_free(batch);
    return status;
}

int64_t bauta_batch_rows(const bauta_batch *batch)
{
    return batch ? batch->batch.rows : 0;
}

const int64_t *bauta_batch_classes(const bauta_batch *batch)
{
    return batch ? batch->batch.class_of : NULL;
}

const char *bauta_batch_cell(const bauta_batch *batch, int64_t class_number, const char *column)
{
    if (!batch || !column || class_number < 0 || class_number >= batch->batch.classes) return NULL;
    for (size_t c = 0; c < batch->batch.columns; c++)
        if (strcmp(batch->batch.names[c], column) == 0)
            return batch->batch.cells[(size_t)class_number * batch->batch.columns + c];
    return NULL;
}

void bauta_batch_free(bauta_batch *batch)
{
    if (!batch) return;
    bt_recoded_release(&batch->batch);
    free(batch);
}
