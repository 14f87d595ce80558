/* SPDX-License-Identifier: Apache-2.0
 *
 * What an earlier release promised of its classes, when a new release leaves only some of their
 * values possible.
 *
 * Of the rows of a class there those are left whose sensitive values are left of the person's class
 * in the new release. What is left must still satisfy what was promised then, as a class of its
 * own; of a distribution, what is left of its target. Where cells overlap, or quasi values stand in
 * several classes, nobody knows which class is the person's: one of them must satisfy it. Where
 * persons were counted, rows are. Of a release that was refined with a public table only what is
 * about values is judged: its sizes are those of boxes with other people in them.
 *
 * Cost of a question: the different sensitive values of the classes that may be the person's,
 * unless the same was left of the new class before; then one look at each class.
 */
#include "job/previous_release.h"

#include "audit/people.h"
#include "require/targets.h"

#include <string.h>

typedef struct remains { /* of a unit */
    bool whole;
    const bt_requirement_instance *failed;
} remains;

/* What is left of a unit does not depend on whose class it may be, but on what is left of the new
 * class and on the witnesses that hold: these are the same as long as the question's number is. */
typedef struct bt_unit_memory {
    uint64_t met;    /* the question in which it was met last */
    uint64_t judged; /* the number for which the rest was found; 0: none */
    remains left;
} bt_unit_memory;

/* ---- opening ----------------------------------------------------------------------------- */

/* Leaves only what can be judged by the rows with sensitive values. */
static void choose_promises(bt_earlier *one)
{
    bool sized = !bt_is_refined(&one->release.manifest);
    size_t kept = 0;
    for (size_t i = 0; i < one->requirements.count; i++)
        if (sized || !one->requirements.items[i].type->size_only)
            one->requirements.items[kept++] = one->requirements.items[i];
    one->requirements.count = kept;
}

static bauta_status bind_classes(bt_earlier *one, bauta_error *error)
{
    const bt_manifest *manifest = &one->release.manifest;
    const bt_row_persons nobody = {0};
    if (manifest->unread) return BAUTA_INVALID;
    BT_TRY(bt_requirements_of_records(&manifest->promises, &one->arena, &one->requirements, error));
    choose_promises(one);
    BT_TRY(bt_audit_people(&one->release, &nobody, &one->arena, &one->people, error));
    BT_TRY(bt_requirements_bind(&one->requirements, &one->people, &one->arena, error));
    return bt_tally_new(&one->people, &one->tally, error);
}

/* Rows of a unit that have the same sensitive values. */
static bauta_status divide_units(bt_earlier *one, const bt_run *run, bauta_error *error)
{
    const bt_view *view = &one->view;
    const bt_codes codes[] = {{view->unit_of, 4, view->units},
                              {one->people.profile_of, 4, one->people.profiles}};
    BT_TRY(bt_tuples_group(codes, 2, bt_sensitive_rows(&one->release), run, &one->parts, error));
    one->part_first = bt_arena_array(&one->arena, (size_t)view->units + 2, sizeof *one->part_first);
    one->part_list = bt_arena_array(&one->arena, one->parts.count, sizeof *one->part_list);
    if (!one->part_first || !one->part_list) return bt_fail_memory(error);
    bt_tuples_gather(&one->parts, view->unit_of, view->units, one->part_first, one->part_list);
    return BAUTA_OK;
}

static bauta_status bind_targets(bt_earlier *one, bauta_error *error)
{
    one->possible = bt_arena_array(&one->arena, one->witnesses[0].values, sizeof *one->possible);
    if (!one->possible) return bt_fail_memory(error);
    return bt_audit_believed(&one->release, &one->arena, &one->people, &one->requirements, error);
}

static bauta_status bind(bt_earlier *one, const bt_run *run, bauta_error *error)
{
    uint32_t units = one->view.units;
    one->memory = bt_arena_array(&one->arena, units, sizeof *one->memory);
    if (!one->memory) return bt_fail_memory(error);
    memset(one->memory, 0, units * sizeof *one->memory);
    if (one->release.form->parts) return bind_targets(one, error);
    BT_TRY(bind_classes(one, error));
    return divide_units(one, run, error);
}

bauta_status bt_earlier_bind(bt_earlier *earlier, const bt_run *run, bauta_error *error)
{
    if (earlier->witness_count == 0) return BAUTA_OK; /* nothing is ever narrowed */
    bauta_status status = bind(earlier, run, error);
    if (status == BAUTA_OK || bt_is_stop(status)) return status;
    status = bt_fail(error, BAUTA_INVALID, "the promises of the earlier release cannot be judged");
    bt_error_place(error, earlier->folder, -1, NULL);
    bt_error_hint(error,
                  "'bauta audit' says whether they hold, and whether this version knows them");
    return status;
}

/* ---- judging ----------------------------------------------------------------------------- */

static bool has_value(const bt_witness *witness, uint32_t unit, uint32_t value)
{
    uint32_t bag = witness->bag_of ? witness->bag_of[unit] : unit;
    for (size_t i = witness->first[bag]; i < witness->first[bag + 1]; i++)
        if (witness->value[i] == value) return true;
    return false;
}

/* Whether a unit has the person's own values. */
static bool may_hold(const bt_earlier *one, const bt_pledge_case *person, uint32_t unit)
{
    for (size_t w = 0; w < one->witness_count; w++)
        if (person->holds[w] &&
            !has_value(&one->witnesses[w], unit, one->witnesses[w].own[person->row]))
            return false;
    return true;
}

static bool is_left(const bt_earlier *one, const bt_pledge_case *person, uint32_t row)
{
    for (size_t w = 0; w < one->witness_count; w++) {
        const bt_witness *witness = &one->witnesses[w];
        if (person->holds[w] && witness->now[witness->published[row]] != person->number)
            return false;
    }
    return true;
}

static void judge_class(bt_earlier *one, const bt_pledge_case *person, uint32_t unit, remains *out)
{
    *out = (remains){.whole = true};
    bt_tally_clear(one->tally);
    for (size_t i = one->part_first[unit]; i < one->part_first[unit + 1]; i++) {
        uint32_t part = one->part_list[i], row = one->parts.row[part];
        if (is_left(one, person, row))
            bt_tally_add(one->tally, one->people.profile_of[row], one->parts.size[part]);
        else
            out->whole = false;
    }
    if (!out->whole) (void)bt_requirements_check(&one->requirements, one->tally, &out->failed);
}

static bauta_status judge_target(bt_earlier *one, const bt_pledge_case *person, uint32_t unit,
                                 remains *out, bauta_error *error)
{
    const bt_witness *witness = &one->witnesses[0];
    uint32_t bag = witness->bag_of[unit];
    *out = (remains){.whole = true};
    for (uint32_t v = 0; v < witness->values; v++)
        one->possible[v] = witness->now[v] == person->number;
    for (size_t i = witness->first[bag]; i < witness->first[bag + 1]; i++)
        if (!one->possible[witness->value[i]]) out->whole = false;
    if (out->whole) return BAUTA_OK;
    return bt_target_judge_within(&one->requirements,
                                  bt_spread_target(one->secrets[0].spread, unit), one->possible,
                                  &out->failed, error);
}

static bauta_status judge_unit(bt_earlier *one, const bt_pledge_case *person, uint32_t unit,
                               bauta_error *error)
{
    bt_unit_memory *memory = &one->memory[unit];
    if (memory->judged == person->number) return BAUTA_OK;
    if (one->release.form->parts)
        BT_TRY(judge_target(one, person, unit, &memory->left, error));
    else
        judge_class(one, person, unit, &memory->left);
    memory->judged = person->number;
    return BAUTA_OK;
}

/* Adds a unit to the answer, which is that of the unit of which most is left. `alone`: there is no
 * other, so that it has the values by which witnesses hold. */
static bauta_status add_unit(bt_earlier *one, bt_pledge_case *person, uint32_t unit, bool alone,
                             bool *any, bauta_error *error)
{
    const remains *left = &one->memory[unit].left;
    if (!alone && !may_hold(one, person, unit)) return BAUTA_OK;
    BT_TRY(judge_unit(one, person, unit, error));
    person->narrowed = *any ? person->narrowed && !left->whole : !left->whole;
    person->failed = *any && !person->failed ? NULL : left->failed;
    *any = true;
    return BAUTA_OK;
}

static bool is_alone(const bt_view *view, uint32_t target)
{
    size_t first = view->first[target];
    if (view->first[target + 1] - first != 1) return false;
    uint32_t group = view->candidates[first];
    return view->unit_first[group + 1] - view->unit_first[group] == 1;
}

bauta_status bt_earlier_judge(bt_earlier *earlier, bt_pledge_case *person, bauta_error *error)
{
    const bt_view *view = &earlier->view;
    uint32_t target = view->target_of[person->row];
    uint64_t asked = ++earlier->questions;
    bool any = false, alone = is_alone(view, target);
    person->narrowed = false;
    person->failed = NULL;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            uint32_t unit = view->group_units[u].unit;
            if (earlier->memory[unit].met == asked) continue;
            earlier->memory[unit].met = asked;
            BT_TRY(add_unit(earlier, person, unit, alone, &any, error));
            if (any && !person->narrowed) return BAUTA_OK;
        }
    }
    return BAUTA_OK;
}
