/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page about a release shows: what its manifest says, what an audit finds now, and, with
 * the original records, what was lost and what attackers find out.
 */
#include "job/commands.h"
#include "job/load.h"
#include "reading/release.h"

static bauta_status add_release(const char *publish, const bauta_recipe *recipe, bt_facts *facts,
                                bauta_error *error)
{
    bt_run run = {0};
    bt_release release = {0};
    bauta_status status = bt_run_open(recipe, &run, error);
    if (status == BAUTA_OK) status = bt_release_open(publish, &run, &release, error);
    if (status == BAUTA_OK) {
        const bt_manifest *manifest = &release.manifest;
        if (manifest->protects) bt_put_text(facts, facts->root, "protected", manifest->protects);
        if (manifest->not_protected)
            bt_put_text(facts, facts->root, "not_protected", manifest->not_protected);
        if (manifest->method.text) bt_put_text(facts, facts->root, "method", manifest->method.text);
        bt_put_text(facts, facts->root, "form", manifest->form);
        bt_put_int(facts, facts->root, "published", release.rows);
        bt_put_int(facts, facts->root, "suppressed", manifest->dropped_rows);
        bt_put_text(facts, facts->root, "id", manifest->release);
    }
    bt_release_close(&release);
    bt_run_close(&run);
    return status;
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
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *publish = bt_arena_print(&scratch, "%s/publish", out);
    if (!publish) return bt_fail_memory(error);
    BT_TRY(add_audit(publish, recipe, facts, good, error));
    BT_TRY(add_release(publish, recipe, facts, error));
    if (recipe->inputs.count == 0) return BAUTA_OK;
    BT_TRY(add_losses(publish, recipe, facts, error));
    bool broken;
    BT_TRY(add_attacks(publish, recipe, facts, &broken, error));
    *good = *good && !broken;
    return BAUTA_OK;
}
