/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of a job: reading one that the recipe names, and saving the one that a release was made by.
 */
#ifndef BT_JOB_PLAN_H
#define BT_JOB_PLAN_H

#include "group/plan.h"
#include "recipe/recipe.h"

struct bt_job;

/* Reads the plan that the recipe names; *out is NULL when it names none. Refuses what does not go
 * with a plan, and with saving one. */
BT_MUST_USE bauta_status bt_plan_open(const bauta_recipe *recipe, bt_arena *arena,
                                      const bt_plan **out, bauta_error *error);

/* The recipe, with the quasi columns as the plan has them; refuses those that it has otherwise.
 * Borrows both; freed by bauta_recipe_free. */
BT_MUST_USE bauta_status bt_plan_recipe(const bauta_recipe *recipe, const bt_plan *plan,
                                        bauta_recipe **out, bauta_error *error);

/* Refuses a file for the plan that would be handed out with a release, or that is there. Before
 * anything is read. */
BT_MUST_USE bauta_status bt_plan_check_file(const bauta_recipe *recipe, bauta_error *error);

/* Spells the plan of the grouping, if the recipe wants it: once the form has published, since only
 * then cells are what they are. */
BT_MUST_USE bauta_status bt_plan_spell(struct bt_job *j, bauta_error *error);

/* The plan of a recipe's table, of which nothing is published: of records, or of counted tuples
 * (recipe->count). Random decisions follow from the seed and the method alone, so that both have
 * the same plan. */
BT_MUST_USE bauta_status bt_plan_alone(const bauta_recipe *recipe, bt_buffer *out,
                                       bauta_error *error);

/* Records by the classes of a plan. */
typedef struct bt_recoded {
    bt_arena arena;
    int64_t rows;
    int64_t *class_of; /* per row: 0..classes-1; -1: no class holds it */
    uint32_t classes;
    size_t columns;
    const char **names; /* of the quasi columns */
    const char **cells; /* classes * columns */
} bt_recoded;

/* Recodes the recipe's table. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_plan_batch(const bt_plan *plan, const bauta_recipe *recipe,
                                       bt_recoded *out, bauta_error *error);
void bt_recoded_release(bt_recoded *batch);

/* Writes what was spelt to its file, for its owner alone (mode 0600). */
BT_MUST_USE bauta_status bt_plan_save(const struct bt_job *j, bauta_error *error);

#endif
