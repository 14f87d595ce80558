/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left of an earlier release's classes.
 *
 * Cost of a question: the different values of the classes that may be the target's, and their rows
 * if some of these are not possible.
 */
#include "api/previous_pledge.h"

#include "audit/people.h"
#include "require/targets.h"

#include <string.h>

/* ---- opening ----------------------------------------------------------------------------- */

/* Leaves only what can be judged by the rows with sensitive values. */
static void choose_promises(bt_pledge *pledge)
{
    const bt_release *release = pledge->view->release;
    bool sized = !bt_is_join(release) || !bt_is_refined(&release->manifest);
    size_t kept = 0;
    for (size_t i = 0; i < pledge->requirements.count; i++)
        if (sized || !pledge->requirements.items[i].type->size_only)
            pledge->requirements.items[kept++] = pledge->requirements.items[i];
    pledge->requirements.count = kept;
}

static bauta_status bind(bt_pledge *pledge, bauta_error *error)
{
    const bt_release *release = pledge->view->release;
    const bt_row_persons nobody = {0};
    const char *joint = release->manifest.joint;
    BT_TRY(bt_requirements_of_records(&pledge->promises.requirements, &pledge->arena,
                                      &pledge->requirements, error));
    choose_promises(pledge);
    pledge->requirements.joint = !joint || strcmp(joint, "none") != 0;
    BT_TRY(bt_audit_people(release, &nobody, &pledge->arena, &pledge->people, error));
    BT_TRY(bt_requirements_bind(&pledge->requirements, &pledge->people, &pledge->arena, error));
    return bt_tally_new(&pledge->people, &pledge->tally, error);
}

static bauta_status sort_rows(bt_pledge *pledge, bauta_error *error)
{
    const bt_view *view = pledge->view;
    int64_t rows = bt_sensitive_rows(view->release);
    pledge->starts = bt_array_zero((size_t)view->units + 2, sizeof *pledge->starts);
    pledge->rows = bt_array((size_t)rows, sizeof *pledge->rows);
    if (!pledge->starts || !pledge->rows) return bt_fail_memory(error);
    size_t *next = pledge->starts + 1; /* ends up as the starts of what follows */
    for (int64_t row = 0; row < rows; row++)
        next[view->unit_of[row] + 1]++;
    for (uint32_t u = 0; u < view->units; u++)
        next[u + 1] += next[u];
    for (int64_t row = 0; row < rows; row++)
        pledge->rows[next[view->unit_of[row]]++] = (uint32_t)row;
    return BAUTA_OK;
}

static bauta_status bind_targets(bt_pledge *pledge, bauta_error *error)
{
    pledge->possible =
        bt_arena_array(&pledge->arena, pledge->secrets[0].values, sizeof *pledge->possible);
    if (!pledge->possible) return bt_fail_memory(error);
    return bt_audit_believed(pledge->view->release, &pledge->arena, &pledge->people,
                             &pledge->requirements, error);
}

static bauta_status make_room(bt_pledge *pledge, bauta_error *error)
{
    uint32_t units = pledge->view->units;
    pledge->seen = bt_arena_array(&pledge->arena, units, sizeof *pledge->seen);
    pledge->now = bt_arena_array(&pledge->arena, pledge->secret_count, sizeof *pledge->now);
    if (!pledge->seen || !pledge->now) return bt_fail_memory(error);
    memset(pledge->seen, 0, units * sizeof *pledge->seen);
    for (size_t s = 0; s < pledge->secret_count; s++) {
        size_t size = pledge->secrets[s].values * sizeof **pledge->now;
        pledge->now[s] =
            bt_arena_array(&pledge->arena, pledge->secrets[s].values, sizeof **pledge->now);
        if (!pledge->now[s]) return bt_fail_memory(error);
        memset(pledge->now[s], 0, size);
    }
    return BAUTA_OK;
}

bauta_status bt_pledge_open(const bt_view *view, const bt_secret *secrets, size_t count,
                            bt_pledge *out, bauta_error *error)
{
    *out = (bt_pledge){.view = view, .secrets = secrets, .secret_count = count};
    if (count == 0) return BAUTA_OK;
    BT_TRY(bt_promises_read(&view->release->manifest, &out->promises, error));
    BT_TRY(make_room(out, error));
    if (secrets[0].spread) return bind_targets(out, error);
    BT_TRY(bind(out, error));
    return sort_rows(out, error);
}

void bt_pledge_close(bt_pledge *pledge)
{
    bt_tally_free(pledge->tally);
    bt_people_release(&pledge->people);
    free(pledge->starts);
    free(pledge->rows);
    bt_promises_release(&pledge->promises);
    bt_arena_release(&pledge->arena);
}

/* ---- judging ----------------------------------------------------------------------------- */

void bt_pledge_begin(bt_pledge *pledge)
{
    pledge->stamp++;
    pledge->asked = BT_NOT_KNOWN;
}

static bool is_row_left(const bt_pledge *pledge, uint32_t row)
{
    for (size_t s = 0; s < pledge->secret_count; s++)
        if (pledge->now[s][pledge->secrets[s].published[row]] != pledge->stamp) return false;
    return true;
}

/* Whether some value of a unit is not possible. */
static bool is_narrowed(const bt_pledge *pledge, uint32_t unit)
{
    for (size_t s = 0; s < pledge->secret_count; s++) {
        const bt_secret *secret = &pledge->secrets[s];
        for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
            if (pledge->now[s][secret->value[i]] != pledge->stamp) return true;
    }
    return false;
}

static bauta_status count_left(bt_pledge *pledge, uint32_t unit, bauta_error *error)
{
    for (size_t i = pledge->starts[unit]; i < pledge->starts[unit + 1]; i++)
        if (is_row_left(pledge, pledge->rows[i]))
            BT_TRY(bt_tally_add_row(pledge->tally, pledge->rows[i], error));
    return BAUTA_OK;
}

/* What is left of a distribution's target; nothing, and the record is not there. */
static bauta_status judge_target(bt_pledge *pledge, uint32_t unit, bauta_error *error)
{
    const bt_spread *spread = pledge->secrets[0].spread;
    uint32_t of = spread->belief_of[unit];
    bool less = false, any = false;
    for (uint32_t v = 0; v < pledge->secrets[0].values; v++)
        pledge->possible[v] = pledge->now[0][v] == pledge->stamp;
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++) {
        any = any || pledge->possible[spread->value[i]];
        less = less || !pledge->possible[spread->value[i]];
    }
    if (!less || !any) return BAUTA_OK;
    pledge->narrowed = true;
    if (pledge->failed) return BAUTA_OK;
    return bt_target_judge_within(&pledge->requirements, bt_spread_target(spread, unit),
                                  pledge->possible, &pledge->failed, error);
}

typedef bauta_status (*unit_visit)(bt_pledge *pledge, uint32_t unit, bauta_error *error);

static bauta_status look(bt_pledge *pledge, uint32_t unit, bauta_error *error)
{
    (void)error;
    pledge->narrowed = pledge->narrowed || is_narrowed(pledge, unit);
    return BAUTA_OK;
}

/* Every unit that may be the target's, once. */
static bauta_status visit_units(bt_pledge *pledge, uint32_t target, unit_visit visit,
                                bauta_error *error)
{
    const bt_view *view = pledge->view;
    uint64_t question = ++pledge->question;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            uint32_t unit = view->group_units[u].unit;
            if (pledge->seen[unit] == question) continue;
            pledge->seen[unit] = question;
            BT_TRY(visit(pledge, unit, error));
        }
    }
    return BAUTA_OK;
}

static bauta_status judge(bt_pledge *pledge, uint32_t target, bauta_error *error)
{
    if (pledge->secrets[0].spread) return visit_units(pledge, target, judge_target, error);
    BT_TRY(visit_units(pledge, target, look, error));
    if (!pledge->narrowed) return BAUTA_OK;
    bt_tally_clear(pledge->tally);
    BT_TRY(visit_units(pledge, target, count_left, error));
    (void)bt_requirements_check(&pledge->requirements, pledge->tally, &pledge->failed);
    return BAUTA_OK;
}

bauta_status bt_pledge_judge(bt_pledge *pledge, uint32_t target, bool *narrowed,
                             const bt_requirement_instance **failed, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (target != pledge->asked) {
        pledge->narrowed = false;
        pledge->failed = NULL;
        if (pledge->secret_count > 0) status = judge(pledge, target, error);
        pledge->asked = target;
    }
    *narrowed = pledge->narrowed;
    *failed = pledge->failed;
    return status;
}
