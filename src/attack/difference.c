/* SPDX-License-Identifier: Apache-2.0
 *
 * Difference: two releases of a table that changed in between. Where their classes hold the same
 * people (changes.h), as with a fixed recoding, the rows of the one less those of the other are of
 * who came, or has another value now; and the other way round of who left. Whoever knows that a
 * person came or left finds the person's row and value among these, however large the class is.
 *
 *   came, left                  one of the rows that came, or left
 *   came: values, left: values  the most frequent value of these
 *
 * What k and requirements about values promise is asked of the rows that came as of a class, and of
 * those that left what the other release promised.
 *
 * Cost: linear in rows, and in the classes that may be people's.
 */
#include "attack/attribute.h"
#include "attack/changes.h"
#include "recipe/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct difference {
    bt_attack_job *job;
    bt_view other; /* of the same people */
    bt_secret here, there;
    uint32_t *value_there; /* per row of the other release: code of here, or one behind those */
    uint32_t values;
    bt_changes changes;
    const bt_secret *secrets[2];
    bt_promises promises[2];
    bt_secret_bounds bounds[2];
    bt_attack_result links[2], guesses[2]; /* who came, who left */
    int64_t parts[2], certain[2];
} difference;

/* ---- common codes, and classes of the same people ----------------------------------------- */

static bauta_status match_values(difference *d, bauta_error *error)
{
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    uint32_t *code = bt_array(d->there.values, sizeof *code);
    d->value_there = bt_array((size_t)d->there.rows, sizeof *d->value_there);
    if (!code || !d->value_there) status = bt_fail_memory(error);
    for (uint32_t v = 0; v < d->here.values && status == BAUTA_OK; v++)
        status = bt_names_add(&names, 0, d->here.text[v], v, &added, error);
    for (uint32_t v = 0; v < d->there.values && status == BAUTA_OK; v++)
        if (!bt_names_find(&names, 0, d->there.text[v], &code[v])) code[v] = d->here.values + v;
    for (int64_t row = 0; row < d->there.rows && status == BAUTA_OK; row++)
        d->value_there[row] = code[d->there.published[row]];
    d->values = d->here.values + d->there.values;
    bt_names_release(&names);
    free(code);
    return status;
}

/* Calls with each unit that may be a target's. */
static void link_target(difference *d, uint32_t here, uint32_t target_there)
{
    const bt_view *view = &d->other;
    for (size_t i = view->first[target_there]; i < view->first[target_there + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
            bt_changes_link(&d->changes, here, view->group_units[u].unit);
    }
}

static void link_people(difference *d)
{
    const bt_view *view = d->job->view;
    for (int64_t row = 0; row < view->people->rows; row++) {
        uint32_t target = view->target_of[row];
        for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
            uint32_t group = view->candidates[i];
            for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
                link_target(d, view->group_units[u].unit, d->other.target_of[row]);
        }
    }
}

/* ---- judging ------------------------------------------------------------------------------ */

static void judge_part(difference *d, const bt_change *list, size_t count)
{
    int side = list->side;
    const bt_secret_bounds *bounds = &d->bounds[side];
    bt_attack_result *link = &d->links[side], *guess = &d->guesses[side];
    const bt_change *top = list;
    double rows = 0;
    for (size_t i = 0; i < count; i++) {
        rows += list[i].count;
        if (list[i].count > top->count) top = &list[i];
    }
    d->parts[side]++;
    if (count == 1) d->certain[side] += (int64_t)rows;
    link->tried += (int64_t)rows;
    link->hits += 1;
    link->worst = fmax(link->worst, 1 / rows);
    guess->tried += (int64_t)rows;
    guess->hits += top->count;
    guess->worst = fmax(guess->worst, top->count / rows);
    for (size_t i = 0; i < count && bounds->any; i++) {
        uint32_t value = side == BT_HERE ? list[i].value : d->there.published[list[i].row];
        double allowed = fmin(bounds->share[value], fmax(0, 1 - bounds->distinct / rows));
        guess->allowed = fmax(guess->allowed, allowed);
        if (bt_attack_judge(list[i].count / rows, allowed) == BT_BROKEN) guess->outcome = BT_BROKEN;
    }
}

static void tell(difference *d, int side)
{
    const char *what = side == BT_HERE ? "came" : "left";
    bt_attack_result *link = &d->links[side], *guess = &d->guesses[side];
    int64_t k = d->promises[side].persons ? 0 : d->promises[side].k;
    link->allowed = k > 0 ? 1 / (double)k : BT_NO_RATE;
    link->outcome = bt_attack_judge(link->worst, link->allowed);
    uint32_t mode = bt_secret_mode(d->secrets[side]);
    guess->chance = bt_secret_prior(d->secrets[side], mode);
    if (link->tried > 0) {
        snprintf(link->detail, sizeof link->detail, "%lld row%s %s, in %lld class%s",
                 (long long)link->tried, link->tried == 1 ? "" : "s", what,
                 (long long)d->parts[side], d->parts[side] == 1 ? "" : "es");
        snprintf(guess->detail, sizeof guess->detail, "certain for %lld of %lld",
                 (long long)d->certain[side], (long long)guess->tried);
    }
    bt_attack_put(d->job, link);
    bt_attack_put(d->job, guess);
}

static bauta_status compare(difference *d, bauta_error *error)
{
    const bt_view *view = d->job->view;
    const bt_changes_side here = {view->units, d->here.rows, view->unit_of, d->here.published};
    const bt_changes_side there = {d->other.units, d->there.rows, d->other.unit_of, d->value_there};
    BT_TRY(bt_changes_open(&here, &there, &d->changes, error));
    link_people(d);
    BT_TRY(bt_changes_find(&d->changes, d->values, d->job->attacker->run, error));
    for (int side = BT_HERE; side <= BT_THERE; side++)
        if (d->bounds[side].any) d->guesses[side].outcome = BT_WITHIN;
    for (size_t i = 0, end; i < d->changes.count; i = end) {
        end = bt_changes_end(&d->changes, i);
        judge_part(d, &d->changes.list[i], end - i);
    }
    tell(d, BT_HERE);
    tell(d, BT_THERE);
    return BAUTA_OK;
}

static bauta_status open_other(difference *d, const bt_release_column *there, bauta_error *error)
{
    const bt_attacker *attacker = d->job->attacker;
    BT_TRY(bt_view_open(attacker->other, attacker->other_original, attacker->other_known,
                        attacker->run, &d->other, error));
    BT_TRY(bt_secret_open(&d->other, there, false, attacker->run, &d->there, error));
    bt_promises_open(&attacker->release->manifest, &d->promises[BT_HERE]);
    bt_promises_open(&attacker->other->manifest, &d->promises[BT_THERE]);
    BT_TRY(bt_promises_bound(&d->promises[BT_HERE], &d->here, &d->bounds[BT_HERE], error));
    BT_TRY(bt_promises_bound(&d->promises[BT_THERE], &d->there, &d->bounds[BT_THERE], error));
    return match_values(d, error);
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    static const char *const variants[2][2] = {{"came", "came: values"}, {"left", "left: values"}};
    static const char *const tries[2][2] = {
        {"to find the row of someone who came", "to guess the value of someone who came"},
        {"to find the row of someone who left", "to guess the value of someone who left"}};
    const char *name = secret->column->manifest->name;
    const bt_release_column *there = bt_secret_there(job->attacker->other, name);
    difference d = {.job = job, .here = *secret};
    (void)promises;
    if (!there) return BAUTA_OK;
    for (int side = BT_HERE; side <= BT_THERE; side++) {
        d.secrets[side] = side == BT_HERE ? &d.here : &d.there;
        d.links[side] = d.guesses[side] =
            (bt_attack_result){.variant = variants[side][0],
                               .column = name,
                               .knows = "quasi values of everyone, and who came and left between "
                                        "the two releases",
                               .tries = tries[side][0],
                               .chance = BT_NO_RATE,
                               .allowed = BT_NO_RATE};
        d.guesses[side].variant = variants[side][1];
        d.guesses[side].tries = tries[side][1];
    }
    bauta_status status = open_other(&d, there, error);
    if (status == BAUTA_OK) status = compare(&d, error);
    bt_changes_close(&d.changes);
    bt_promises_release(&d.promises[BT_HERE]);
    bt_promises_release(&d.promises[BT_THERE]);
    bt_secret_close(&d.there);
    bt_view_close(&d.other);
    free(d.value_there);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

static const char *excuse(const bt_attacker *attacker)
{
    const bt_release *release = attacker->release;
    if (!attacker->other) return "it needs another release of the same table";
    if (!release->form->class_values || !attacker->other->form->class_values)
        return "it compares the classes of two releases";
    for (size_t i = 0; i < release->column_count; i++)
        if (bt_secret_exists(&release->columns[i], false) &&
            bt_secret_there(attacker->other, release->columns[i].manifest->name))
            return NULL;
    return "no sensitive column is shown by both releases";
}

const bt_attack bt_attack_difference = {
    .name = "difference",
    .summary = "who came and who left between two releases of a table",
    .paper = "Fung, Wang, Fu and Pei 2008",
    .excuse = excuse,
    .run = run,
};
