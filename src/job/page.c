/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page about a release shows: what its manifest says, what an audit finds now, and, with
 * the original records, what was lost and what attackers find out. Without them the losses are
 * those that were kept when the release was made.
 */
#include "job/commands.h"

#include <string.h>

/* Copies some keys of an object in a file. A file that is not there has none. */
static bauta_status copy_keys(const char *out, const char *file, const char *const *keys,
                              bt_facts *facts, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *path = bt_arena_print(&scratch, "%s/%s", out, file);
    json_error_t fault;
    if (!path) return bt_fail_memory(error);
    json_t *from = json_load_file(path, JSON_REJECT_DUPLICATES, &fault);
    if (!from && json_error_code(&fault) != json_error_cannot_open_file) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "the file cannot be read as JSON");
        bt_error_place(error, path, -1, NULL);
        return status;
    }
    for (; *keys; keys++)
        if (json_object_get(from, *keys))
            bt_put_json(facts, facts->root, *keys, json_deep_copy(json_object_get(from, *keys)));
    json_decref(from);
    return BAUTA_OK;
}

/* The answer of a command becomes a part of the page. */
static void take(bt_facts *facts, const char *key, bt_facts *part)
{
    facts->failed |= part->failed;
    bt_put_json(facts, facts->root, key, part->root);
    *part = (bt_facts){0};
}

static bauta_status add_audit(const char *publish, const bauta_recipe *recipe, bt_facts *facts,
                              bool *holds, bauta_error *error)
{
    BT_OWN(bt_facts_release) bt_facts part;
    bt_facts_init(&part);
    BT_TRY(bt_do_audit(publish, recipe, &part, holds, error));
    take(facts, "audit", &part);
    return BAUTA_OK;
}

static bauta_status add_losses(const char *publish, const bauta_recipe *recipe, bt_facts *facts,
                               bauta_error *error)
{
    BT_OWN(bt_facts_release) bt_facts part;
    bt_facts_init(&part);
    BT_TRY(bt_do_measure(&publish, 1, recipe, &part, error));
    take(facts, "measures", &part);
    return BAUTA_OK;
}

static bauta_status add_attacks(const char *publish, const bauta_recipe *recipe, bt_facts *facts,
                                bool *broken, bauta_error *error)
{
    BT_OWN(bt_facts_release) bt_facts part;
    bt_facts_init_array(&part);
    BT_TRY(bt_do_attack(publish, recipe, NULL, 0, &part, broken, error));
    take(facts, "attacks", &part);
    return BAUTA_OK;
}

bauta_status bt_do_page(const char *out, const bauta_recipe *recipe, bt_facts *facts, bool *good,
                        bauta_error *error)
{
    static const char *const said[] = {"protected", "not_protected", "form", "method", "id", NULL};
    static const char *const kept[] = {"rows",     "published",      "suppressed",   "classes",
                                       "measures", "smallest_class", "requirements", NULL};
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *publish = bt_arena_print(&scratch, "%s/publish", out);
    if (!publish) return bt_fail_memory(error);
    BT_TRY(add_audit(publish, recipe, facts, good, error));
    BT_TRY(copy_keys(out, "publish/manifest.json", said, facts, error));
    BT_TRY(copy_keys(out, "private/summary.json", kept, facts, error));
    if (recipe->inputs.count == 0) return BAUTA_OK;
    BT_TRY(add_losses(publish, recipe, facts, error));
    bool broken;
    BT_TRY(add_attacks(publish, recipe, facts, &broken, error));
    *good = *good && !broken;
    return BAUTA_OK;
}
