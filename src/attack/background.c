/* SPDX-License-Identifier: Apache-2.0
 *
 * Background knowledge: the attacker knows the sensitive values of m other members of the target's
 * class, strikes them out and guesses the likeliest of what is left. The m are drawn at random;
 * the target who is hit worst has those known who help the attacker most.
 *
 * What the promises allow follows from them: of s rows at most alpha * s have a value, and of the
 * s - m that are left they may all be; of l different values l - m are left.
 *
 * Cost: linear in rows; guesses are made for at most TRIES people.
 */
#include "attack/attribute.h"
#include "attack/members.h"
#include "attack/parts_attacks.h"

#include <math.h>
#include <stdio.h>

enum { TRIES = 100000 };

typedef struct background {
    bt_attack_job *job;
    const bt_secret *secret;
    int64_t members;
    uint32_t *left; /* per value: rows of the class that are not struck out */
    bt_stream stream;
} background;

/* ---- the worst case ---------------------------------------------------------------------- */

static double allowed_of(const background *b, const bt_secret_bounds *bounds, uint32_t value,
                         double size)
{
    double rest = size - (double)b->members, others = bounds->distinct - (double)b->members;
    if (rest < 1) return 1;
    double by_share = floor(bounds->share[value] * size + 1e-9) / rest;
    double by_distinct = others > 0 ? fmax(0, 1 - others / rest) : 1;
    return fmin(1, fmin(by_share, by_distinct));
}

static void weigh_target(const background *b, const bt_secret_bounds *bounds, uint32_t target,
                         bt_attack_result *result)
{
    const bt_view *view = b->job->view;
    uint32_t unit = bt_view_unit(view, target);
    double worst = 0;
    if (unit == BT_NOT_KNOWN || view->unit_size[unit] <= b->members) return;
    double size = view->unit_size[unit];
    for (size_t i = b->secret->first[unit]; i < b->secret->first[unit + 1]; i++) {
        double share = fmin(1, b->secret->count[i] / (size - (double)b->members));
        double allowed = allowed_of(b, bounds, b->secret->value[i], size);
        if (share > worst) worst = share;
        if (!bounds->any) continue;
        if (allowed > result->allowed) result->allowed = allowed;
        if (bt_attack_judge(share, allowed) == BT_BROKEN) result->outcome = BT_BROKEN;
    }
    if (worst > result->worst) result->worst = worst;
    bt_worst_add(&result->hit, worst, (int64_t)view->targets.row[target] + 1);
}

/* ---- guesses ----------------------------------------------------------------------------- */

/* Strikes out a random one of the `rows` that are left, but not the target's own. */
static void strike_out(background *b, uint32_t unit, uint32_t own, int64_t rows)
{
    uint64_t chosen = bt_stream_below(&b->stream, (uint64_t)rows - 1);
    for (size_t i = b->secret->first[unit]; i < b->secret->first[unit + 1]; i++) {
        uint32_t value = b->secret->value[i];
        uint64_t others = b->left[value] - (value == own);
        if (chosen < others) {
            b->left[value]--;
            return;
        }
        chosen -= others;
    }
}

/* Whether the guess about a person is right; false also when there is none to be made. */
static bool guess_person(background *b, int64_t row, bool *tried)
{
    const bt_secret *secret = b->secret;
    uint32_t unit = bt_view_unit(b->job->view, b->job->view->target_of[row]);
    uint32_t own = secret->actual[row], top = BT_NOT_KNOWN;
    *tried = false;
    if (unit == BT_NOT_KNOWN || own == BT_NOT_KNOWN) return false;
    int64_t size = b->job->view->unit_size[unit];
    b->left[own] = 0;
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
        b->left[secret->value[i]] = secret->count[i];
    if (size <= b->members || b->left[own] == 0) return false; /* dropped, or too few others */
    for (int64_t m = 0; m < b->members; m++)
        strike_out(b, unit, own, size - m);
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++) {
        uint32_t value = secret->value[i];
        if (top == BT_NOT_KNOWN || b->left[value] > b->left[top] ||
            (value < top && b->left[value] == b->left[top]))
            top = value;
    }
    *tried = true;
    return top == own;
}

static void guess_all(background *b, bt_attack_result *result)
{
    int64_t rows = b->job->view->people->rows;
    int64_t step = rows > TRIES ? rows / TRIES : 1;
    bool tried;
    for (int64_t row = 0; row < rows; row += step) {
        result->hits += guess_person(b, row, &tried);
        result->tried += tried;
    }
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    if (secret->spread) return bt_background_parts(job, secret, error);
    const bt_seed seed = {{0}}; /* a run can be repeated: nothing here is secret */
    bt_secret_bounds bounds;
    bt_attack_result result = {
        .column = secret->column->manifest->name,
        .knows = "quasi values of the target, and the values of others of the same class",
        .tries = "to guess the target's value among those that are left",
        .chance = bt_attribute_chance(job->view, secret),
        .allowed = BT_NO_RATE,
    };
    background b = {.job = job,
                    .secret = secret,
                    .members = job->attacker->members,
                    .left = bt_array_zero(secret->values, sizeof *b.left)};
    bauta_status status = b.left ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_promises_bound(promises, secret, &bounds, error);
    if (status == BAUTA_OK && bounds.any) result.outcome = BT_WITHIN;
    for (uint32_t t = 0; t < job->view->targets.count && status == BAUTA_OK; t++) {
        weigh_target(&b, &bounds, t, &result);
        status = bt_attack_step(job, t, job->view->targets.count, error);
    }
    if (status == BAUTA_OK) {
        bt_stream_init(&b.stream, &seed, "background", 0);
        guess_all(&b, &result);
        snprintf(result.detail, sizeof result.detail, "%lld other%s known", (long long)b.members,
                 b.members == 1 ? "" : "s");
        bt_attack_put(job, &result);
    }
    free(b.left);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

static const char *excuse(const bt_attacker *attacker)
{
    if (bt_is_randomized(attacker->release))
        return "rows stand alone: there are no classes with other members";
    return bt_attribute_excuse(attacker);
}

const bt_attack bt_attack_background = {
    .name = "background",
    .summary = "the values of some other members of the class are known",
    .paper = "Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam 2006",
    .excuse = excuse,
    .run = run,
};
