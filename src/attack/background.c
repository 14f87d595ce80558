/* SPDX-License-Identifier: Apache-2.0
 *
 * Background knowledge: the attacker knows the sensitive values of m other members of the target's
 * class, strikes them out and guesses the likeliest of what is left. The m are drawn at random;
 * the target who is hit worst has those known who help the attacker most. Of a class that has no m
 * others all are known, and with them the value that is left.
 *
 * What the promises allow follows from them: of s rows at most alpha * s have a value, and of the
 * s - m that are left they may all be; of l different values l - m are left.
 *
 * Cost: linear in rows; guesses are made for at most TRIES people, fewer where m are many.
 */
#include "attack/attribute.h"
#include "attack/members.h"
#include "attack/parts_attacks.h"

#include <math.h>
#include <stdio.h>

enum { TRIES = 100000, WORK = 1 << 30 };

typedef struct background {
    bt_attack_job *job;
    const bt_secret *secret;
    int64_t members;
    bool fewer;     /* a class of someone tried has no so many others */
    uint32_t *left; /* per value: rows of the class that are not struck out */
    bt_stream stream;
} background;

/* Others that are known of a class of so many rows. */
static int64_t known_of(const background *b, int64_t size)
{
    return b->members < size ? b->members : size - 1;
}

/* ---- the worst case ---------------------------------------------------------------------- */

static double allowed_of(const bt_secret_bounds *bounds, uint32_t value, double size, double known)
{
    double rest = size - known, others = bounds->distinct - known;
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
    if (unit == BT_NOT_KNOWN || view->unit_size[unit] == 0) return;
    double size = view->unit_size[unit], known = (double)known_of(b, view->unit_size[unit]);
    for (size_t i = b->secret->first[unit]; i < b->secret->first[unit + 1]; i++) {
        double share = fmin(1, b->secret->count[i] / (size - known));
        double allowed = allowed_of(bounds, b->secret->value[i], size, known);
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

/* The class of a person; BT_NOT_KNOWN: nobody can tell, or the class has not the person's value. */
static uint32_t class_of(const background *b, int64_t row)
{
    const bt_secret *secret = b->secret;
    uint32_t unit = bt_view_unit(b->job->view, b->job->view->target_of[row]);
    if (unit == BT_NOT_KNOWN || secret->actual[row] == BT_NOT_KNOWN) return BT_NOT_KNOWN;
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
        if (secret->value[i] == secret->actual[row]) return unit;
    return BT_NOT_KNOWN; /* dropped */
}

/* Whether the guess about a person of a class is right. */
static bool guess_person(background *b, uint32_t unit, uint32_t own)
{
    const bt_secret *secret = b->secret;
    int64_t size = b->job->view->unit_size[unit], known = known_of(b, size);
    uint32_t top = own;
    if (known < b->members) b->fewer = true;
    if (known == size - 1) return true; /* one value is left */
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++)
        b->left[secret->value[i]] = secret->count[i];
    for (int64_t m = 0; m < known; m++)
        strike_out(b, unit, own, size - m);
    for (size_t i = secret->first[unit]; i < secret->first[unit + 1]; i++) {
        uint32_t value = secret->value[i];
        if (b->left[value] > b->left[top] || (value < top && b->left[value] == b->left[top]))
            top = value;
    }
    return top == own;
}

/* Every how many-th person is tried: fewer where striking out takes longer. */
static int64_t choose_step(const background *b)
{
    const bt_view *view = b->job->view;
    int64_t rows = view->people->rows, step = rows > TRIES ? rows / TRIES : 1;
    double work = 0;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        double size = view->unit_size[unit], known = (double)known_of(b, view->unit_size[unit]);
        if (known < size - 1)
            work += size * known * (double)(b->secret->first[unit + 1] - b->secret->first[unit]);
    }
    work /= (double)step * WORK;
    return work > 1 ? (int64_t)ceil(work * (double)step) : step;
}

static bauta_status guess_all(background *b, bt_attack_result *result, bauta_error *error)
{
    int64_t rows = b->job->view->people->rows, step = choose_step(b), common = 0;
    uint32_t mode = bt_secret_mode(b->secret);
    for (int64_t row = 0; row < rows; row += step) {
        uint32_t unit = class_of(b, row);
        BT_TRY(bt_attack_step(b->job, (uint32_t)row, (uint32_t)rows, error));
        if (unit == BT_NOT_KNOWN) continue;
        result->hits += guess_person(b, unit, b->secret->actual[row]);
        common += b->secret->actual[row] == mode;
        result->tried++;
    }
    result->chance = result->tried ? (double)common / (double)result->tried : BT_NO_RATE;
    return BAUTA_OK;
}

static void tell(const background *b, bt_attack_result *result)
{
    char few[80] = "";
    int64_t people = b->job->view->people->rows;
    if (result->tried * 2 < (people < TRIES ? people : TRIES))
        snprintf(few, sizeof few, "; %lld people tried", (long long)result->tried);
    if (result->tried == 0)
        snprintf(result->detail, sizeof result->detail,
                 "nobody to try: everyone may be of several classes, or of none");
    else
        snprintf(result->detail, sizeof result->detail, "%lld other%s known%s%s",
                 (long long)b->members, b->members == 1 ? "" : "s",
                 b->fewer ? ", in smaller classes all others: one value is left" : "", few);
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
        status = guess_all(&b, &result, error);
    }
    if (status == BAUTA_OK) {
        tell(&b, &result);
        status = bt_attribute_of_rows(promises, secret, &result, error);
    }
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    free(b.left);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

static const char *excuse(const bt_attacker *attacker)
{
    if (attacker->release->form->redrawn)
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
