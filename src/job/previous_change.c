/* SPDX-License-Identifier: Apache-2.0
 *
 * Who came and who left since an earlier release (attack/changes.h). Where classes of both hold the
 * same people, as with a fixed recoding, the rows of the new class less those of the earlier one
 * are of who came: they must satisfy the requirements as a class of their own. Those that left must
 * satisfy what was promised then.
 *
 * Cost: linear in rows, and in the classes that may be people's.
 */
#include "job/previous_change.h"

#include "attack/changes.h"

typedef struct comparison {
    const bt_beside *of;
    bt_earlier *one;
    const bt_witness *witness; /* all sensitive columns that both have */
    uint32_t *class_of, *value_here;
    uint32_t values;
    bt_changes changes;
    bt_tally *tally; /* of the new table; NULL: only sizes matter */
    bool whole[2];   /* the releases have no other sensitive columns; else only sizes are judged */
} comparison;

static size_t count_sensitive(const bt_manifest *manifest)
{
    size_t count = 0;
    for (size_t i = 0; i < manifest->column_count; i++)
        count += manifest->columns[i].role == BT_ROLE_SENSITIVE &&
                 !bt_is_companion(&manifest->columns[i]);
    return count;
}

static size_t count_sensitive_now(const bt_loaded *loaded)
{
    size_t count = 0;
    for (size_t i = 0; i < loaded->columns; i++)
        count += loaded->roles[i] == BT_ROLE_SENSITIVE;
    return count;
}

/* Values that the earlier release does not have stand behind those that it has. */
static bauta_status number_rows(comparison *c, bauta_error *error)
{
    const bt_grouping *grouping = c->of->grouping;
    const bt_people *people = c->of->kept->requirements.people;
    c->class_of = bt_array((size_t)grouping->kept, sizeof *c->class_of);
    c->value_here = bt_array((size_t)grouping->kept, sizeof *c->value_here);
    if (!c->class_of || !c->value_here) return bt_fail_memory(error);
    c->values = c->witness->values + (people->profile_of ? people->profiles : 1);
    for (uint32_t k = 0; k < grouping->classes; k++)
        for (uint32_t i = grouping->starts[k]; i < grouping->starts[k + 1]; i++) {
            uint32_t own = c->witness->own[bt_beside_row(c->of, i)];
            uint32_t profile = people->profile_of ? people->profile_of[c->of->kept->order[i]] : 0;
            c->class_of[i] = k;
            c->value_here[i] = own == BT_NOT_KNOWN ? c->witness->values + profile : own;
        }
    return BAUTA_OK;
}

static void link_people(comparison *c)
{
    const bt_view *view = &c->one->view;
    for (int64_t i = 0; i < c->of->grouping->kept; i++) {
        uint32_t target = view->target_of[bt_beside_row(c->of, (uint32_t)i)];
        for (size_t n = view->first[target]; n < view->first[target + 1]; n++) {
            uint32_t group = view->candidates[n];
            for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
                bt_changes_link(&c->changes, c->class_of[i], view->group_units[u].unit);
        }
    }
}

/* What rows that came, or left, do not satisfy. */
static bauta_status judge_part(const comparison *c, const bt_change *list, size_t count,
                               const bt_requirement_instance **failed, bauta_error *error)
{
    bool here = list->side == BT_HERE;
    const bt_requirements *asked = here ? &c->of->kept->requirements : &c->one->requirements;
    const bt_people *people = asked->people;
    bt_tally *tally = c->whole[list->side] ? here ? c->tally : c->one->tally : NULL;
    int64_t rows = 0;
    *failed = NULL;
    if (tally) bt_tally_clear(tally);
    for (size_t i = 0; i < count; i++) {
        uint32_t record = here ? c->of->kept->order[list[i].row] : list[i].row;
        rows += list[i].count;
        if (tally && bt_people_by_row(people))
            BT_TRY(bt_tally_add_row(tally, record, error));
        else if (tally)
            bt_tally_add(tally, people->profile_of[record], list[i].count);
    }
    if (tally)
        (void)bt_requirements_check(asked, tally, failed);
    else if (rows < bt_requirements_least_size(asked))
        *failed = &asked->items[0];
    return BAUTA_OK;
}

static bauta_status refuse(const comparison *c, const bt_change *list, int64_t rows,
                           const bt_requirement_instance *failed, bauta_error *error)
{
    bool came = list->side == BT_HERE;
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "beside the earlier release '%s', whoever knows who %s can read it off: %lld row%s "
                "%s a class "
                "that both have, which do%s not satisfy '%s' by %s",
                c->one->folder, came ? "came since" : "left since", (long long)rows,
                rows == 1 ? "" : "s", came ? "came to" : "left", rows == 1 ? "es" : "",
                failed->text, rows == 1 ? "itself" : "themselves");
    bt_error_hint(error, "publish when enough have come to and left each class, or none; leave out "
                         "who came, or publish them as a release of their own");
    return status;
}

static bauta_status judge_all(const comparison *c, bauta_error *error)
{
    for (size_t i = 0, end; i < c->changes.count; i = end) {
        const bt_change *list = &c->changes.list[i];
        const bt_requirement_instance *failed;
        int64_t rows = 0;
        end = bt_changes_end(&c->changes, i);
        for (size_t n = i; n < end; n++)
            rows += c->changes.list[n].count;
        BT_TRY(judge_part(c, list, end - i, &failed, error));
        if (failed) return refuse(c, list, rows, failed, error);
    }
    return BAUTA_OK;
}

static bauta_status compare(comparison *c, bauta_error *error)
{
    const bt_earlier *one = c->one;
    BT_TRY(number_rows(c, error));
    const bt_changes_side here = {c->of->grouping->classes, c->of->grouping->kept, c->class_of,
                                  c->value_here};
    const bt_changes_side there = {one->view.units, bt_sensitive_rows(&one->release),
                                   one->view.unit_of, c->witness->published};
    BT_TRY(bt_changes_open(&here, &there, &c->changes, error));
    link_people(c);
    BT_TRY(bt_changes_find(&c->changes, c->values, c->of->run, error));
    return judge_all(c, error);
}

bauta_status bt_check_changes(const bt_beside *of, bt_earlier *one, bt_tally *tally,
                              bauta_error *error)
{
    bool classes = one->release.form->class_values && !of->loaded->join;
    if (one->witness_count == 0 || !classes) return BAUTA_OK;
    comparison c = {.of = of,
                    .one = one,
                    .witness = &one->witnesses[one->witness_count - 1],
                    .tally = tally,
                    .whole = {count_sensitive_now(of->loaded) == one->secret_count,
                              count_sensitive(&one->release.manifest) == one->secret_count}};
    bauta_status status = compare(&c, error);
    bt_changes_close(&c.changes);
    free(c.class_of);
    free(c.value_here);
    return status;
}
