/* SPDX-License-Identifier: Apache-2.0
 *
 * Rehearsing a recipe. A refusal is what is asked for here; only what has nothing to do with the
 * recipe (memory, a file that went away, a caller who has enough) is a failure.
 */
#include "job/rehearse.h"

#include "job/job.h"

#include <string.h>

/* ---- running ----------------------------------------------------------------------------- */

static bauta_status run(bt_job *j, bool whole, bt_facts *facts, bauta_error *error)
{
    BT_TRY(bt_request_parse(j->recipe, j->recipe->require, &j->arena, &j->request, error));
    if (!whole) return BAUTA_OK;
    j->notes = (bt_method_notes){.facts = facts, .at = facts->root};
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_job_load(j, error));
    if (j->request.form->ungrouped) return BAUTA_OK;
    BT_TRY(bt_job_key(j, error));
    BT_TRY(bt_job_group(j, error));
    return bt_job_plan(j, facts, facts->root, error);
}

/* As if the recipe had dropped it. */
static void drop(bt_loaded *loaded, size_t column)
{
    loaded->roles[column] = BT_ROLE_DROPPED;
    for (size_t i = 0; i < loaded->table.count; i++)
        if (loaded->table.columns[i].source == column)
            loaded->table.columns[i].role = BT_ROLE_DROPPED;
}

/* Drops what gives cells away, the worst column first, until nothing does. */
static bauta_status drop_revealing(bt_job *j, bauta_status status, bt_arena *arena,
                                   bt_rehearsal *out, bauta_error *error)
{
    bt_giveaway *list = bt_arena_array(arena, j->loaded.columns, sizeof *list);
    if (!list) return bt_fail_memory(error);
    while (status == BAUTA_INVALID && j->revealed.given > 0) {
        list[out->drop_count++] = j->revealed;
        drop(&j->loaded, j->revealed.clue);
        j->revealed.given = 0;
        status = bt_job_check_revealed(j, error);
    }
    out->drop = list;
    return status;
}

static bauta_status rehearse(bt_job *j, bool whole, bt_arena *arena, bt_rehearsal *out,
                             bauta_error *error)
{
    bt_facts facts;
    bt_facts_init(&facts);
    bauta_status status = run(j, whole, &facts, error);
    if (status == BAUTA_INVALID && j->revealed.given > 0)
        status = drop_revealing(j, status, arena, out, error);
    bt_facts_release(&facts);
    return status;
}

bauta_status bt_rehearse(const bauta_recipe *asked, const bt_buffer *text, const char *form,
                         bool whole, bt_arena *arena, bt_rehearsal *out, bauta_error *error)
{
    bt_job j = {.start = bt_seconds()};
    bauta_recipe *recipe = NULL;
    bauta_error reason;
    *out = (bt_rehearsal){0};
    bt_error_clear(&reason);
    bauta_status status = bt_recipe_copy(asked, &recipe, &reason);
    if (status == BAUTA_OK) {
        recipe->notice = NULL; /* what it would notice is told when it is run */
        status = bt_recipe_load_text(recipe, "recipe", text->bytes, text->length, &reason);
    }
    if (status == BAUTA_OK && form) status = bt_recipe_replace(recipe, "publish", form, &reason);
    j.recipe = recipe;
    if (status == BAUTA_OK) status = rehearse(&j, whole, arena, out, &reason);
    bt_job_release(&j);
    bauta_recipe_free(recipe);
    if (status == BAUTA_NO || status == BAUTA_INVALID) {
        out->refused = bt_arena_copy(arena, reason.message, strlen(reason.message));
        return out->refused ? BAUTA_OK : bt_fail_memory(error);
    }
    if (status != BAUTA_OK && error) *error = reason;
    return status;
}
