/* SPDX-License-Identifier: Apache-2.0
 *
 * A run with a public table: what goes with it, and what is told of it.
 */
#include "job/join.h"

static bauta_status refuse(const char *what, const char *name, const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s '%s'", what, name);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status check_alone(const bauta_recipe *recipe, const bt_requirements *requirements,
                                bauta_error *error)
{
    const bt_requirement_instance *item = bt_requirements_public(requirements);
    const char *name = recipe->join                      ? "join"
                       : recipe->key || recipe->key_none ? "key"
                       : recipe->exclude_public          ? "on-conflict"
                       : item                            ? item->text
                                                         : NULL;
    if (!name) return BAUTA_OK;
    return refuse("a public table is needed for", name, "name it with --public", error);
}

/* Whoever holds a side of a trimmed box, or is next in line, is believed to be in the table with
 * more than the share of records. */
static bauta_status check_trim(const bt_join_choice *choice, const bt_requirements *requirements,
                               bauta_error *error)
{
    const bt_requirement_instance *item = bt_requirements_public(requirements);
    if (!item || choice->trim == BT_TRIM_NONE) return BAUTA_OK;
    return refuse("trimming tells of some persons whether they are in the table, and does not go "
                  "with",
                  item->text, "leave 'trim' out", error);
}

bauta_status bt_join_request(const bauta_recipe *recipe, const bt_requirements *requirements,
                             const bt_method *method, const bt_form *form, bt_arena *arena,
                             bt_join_choice *out, bauta_error *error)
{
    bool sized = false;
    *out = (bt_join_choice){0};
    if (recipe->publics.count == 0) return check_alone(recipe, requirements, error);
    BT_TRY(bt_join_parse(recipe->join, arena, out, error));
    if (!method->joins)
        return refuse("a public table cannot be grouped by method", method->name,
                      "mondrian and cluster can (--group)", error);
    if (!form->joins)
        return refuse("a public table cannot be published in the form", form->name,
                      "generalized can (--publish)", error);
    if (recipe->suppress.top > 0)
        return refuse("a public table does not go with", "suppress",
                      "every record of the table is published then", error);
    for (size_t i = 0; i < requirements->count; i++)
        sized = sized || requirements->items[i].type->size_only;
    if (sized) return check_trim(out, requirements, error);
    return refuse("a public table needs the requirement", "k", "say for example --require k=5",
                  error);
}

void bt_join_put(const bt_join *join, const bt_join_choice *choice, const bt_join_score *score,
                 bt_facts *facts, json_t *at)
{
    const bt_join_counts *counts = &join->counts;
    json_t *to = bt_put_object(facts, at, "join");
    bt_put_text(facts, to, "kind", choice->text);
    bt_put_int(facts, to, "public", counts->public_rows);
    bt_put_int(facts, to, "shared", counts->shared);
    bt_put_int(facts, to, "external", counts->external);
    bt_put_int(facts, to, "used", counts->used);
    if (counts->excluded) bt_put_int(facts, to, "excluded", counts->excluded);
    if (counts->disagreed) bt_put_int(facts, to, "disagreed", counts->disagreed);
    if (counts->missing) bt_put_int(facts, to, "missing_dropped", counts->missing);
    bt_put_int(facts, to, "groups", join->sensitive.classes);
    bt_put_real(facts, to, "ncp", score->ncp);
    bt_put_int(facts, to, "discernibility", score->discernibility);
}
