/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of attacks, trying them, and telling what came of it.
 */
#include "attack/attack.h"

#include "attack/rate.h"
#include "base/text.h"
#include "spec/words.h"

#include <math.h>
#include <string.h>

#define BT_ATTACK(name) extern const bt_attack bt_attack_##name;
#include "attack/attacks.def"
#undef BT_ATTACK

const bt_attack *const bt_attack_registry[] = {
#define BT_ATTACK(name) &bt_attack_##name,
#include "attack/attacks.def"
#undef BT_ATTACK
};
const size_t bt_attack_registry_count = sizeof bt_attack_registry / sizeof *bt_attack_registry;

void bt_worst_add(bt_worst *worst, double probability, int64_t row)
{
    size_t at = worst->count;
    while (at > 0 && worst->probabilities[at - 1] < probability)
        at--;
    if (at == BT_WORST_MOST) return;
    if (worst->count < BT_WORST_MOST) worst->count++;
    for (size_t i = worst->count - 1; i > at; i--) {
        worst->rows[i] = worst->rows[i - 1];
        worst->probabilities[i] = worst->probabilities[i - 1];
    }
    worst->rows[at] = row;
    worst->probabilities[at] = probability;
}

bt_outcome bt_attack_judge(double worst, double allowed)
{
    const double rounding = 1e-12; /* of sums of shares */
    if (allowed < 0) return BT_NOT_PROMISED;
    return worst > allowed + rounding ? BT_BROKEN : BT_WITHIN;
}

bauta_status bt_attack_step(const bt_attack_job *job, uint32_t done, uint32_t total,
                            bauta_error *error)
{
    enum { OFTEN = 1 << 12 };
    if (done % OFTEN != 0) return BAUTA_OK;
    return bt_run_progress(job->attacker->run, 0, job->attack->name, done, total, error);
}

bauta_status bt_attack_crowd(const bt_attack_job *job, const bt_view **out, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    *out = job->crowd;
    if (job->crowd->release) return BAUTA_OK;
    bauta_status status = bt_view_open(attacker->release, attacker->crowd, attacker->known,
                                       attacker->run, job->crowd, error);
    if (status != BAUTA_OK) bt_view_close(job->crowd);
    return status;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void put_rate(bt_facts *facts, json_t *at, const char *key, double rate)
{
    if (rate >= 0)
        bt_put_real(facts, at, key, rate);
    else
        bt_put_null(facts, at, key);
}

static void put_worst(bt_facts *facts, json_t *at, const bt_worst *worst)
{
    json_t *list = bt_put_array(facts, at, "worst_records");
    for (size_t i = 0; i < worst->count; i++) {
        json_t *one = bt_put_object(facts, list, NULL);
        bt_put_int(facts, one, "row", worst->rows[i]);
        bt_put_real(facts, one, "probability", worst->probabilities[i]);
    }
}

static void put_success(bt_facts *facts, json_t *at, const bt_attack_result *result)
{
    bt_confidence interval = result->is_coefficient
                                 ? bt_rate_correlation_interval(result->hits, result->tried)
                                 : bt_rate_interval(result->hits, result->tried);
    double less = result->is_gain ? result->chance : 0;
    double rate = result->tried > 0 ? result->hits / (double)result->tried : 0;
    bt_put_int(facts, at, "tried", result->tried);
    put_rate(facts, at, "success", result->tried > 0 ? fmax(0, rate - less) : BT_NO_RATE);
    json_t *ends = bt_put_array(facts, at, "interval");
    bt_put_real(facts, ends, NULL, fmax(0, interval.low - less));
    bt_put_real(facts, ends, NULL, fmax(0, interval.high - less));
}

/* A promise holds when it was tried, more than chance could have been seen, and nobody is hit worse
 * than it allows. */
static void put_outcome(bt_facts *facts, json_t *at, const bt_attack_result *result)
{
    bool within = result->outcome == BT_WITHIN, by_chance = result->worst < 0;
    bool above = within && bt_attack_judge(result->worst, result->allowed) == BT_BROKEN;
    bool untold = result->outcome == BT_UNTOLD || (within && by_chance && result->allowed >= 1);
    if (result->outcome == BT_BROKEN)
        bt_put_bool(facts, at, "holds", false);
    else if (within && result->tried > 0 && !above && !untold)
        bt_put_bool(facts, at, "holds", true);
    else
        bt_put_null(facts, at, "holds");
    if (above) bt_put_bool(facts, at, "above", true);
    if (untold) bt_put_bool(facts, at, "told", false);
}

void bt_attack_put(bt_attack_job *job, const bt_attack_result *result)
{
    bt_facts *facts = job->facts;
    json_t *at = bt_put_object(facts, facts->root, NULL);
    bt_put_text(facts, at, "attack", job->attack->name);
    if (result->variant) bt_put_text(facts, at, "variant", result->variant);
    if (result->column) bt_put_text(facts, at, "column", result->column);
    bt_put_text(facts, at, "knows", result->knows);
    bt_put_text(facts, at, "tries", result->tries);
    put_success(facts, at, result);
    put_rate(facts, at, "chance", result->chance);
    put_rate(facts, at, "worst",
             result->tried > 0 || result->worst > 0 ? result->worst : BT_NO_RATE);
    put_rate(facts, at, "allowed", result->allowed);
    put_outcome(facts, at, result);
    if (result->unjudged) bt_put_bool(facts, at, "judged", false);
    put_worst(facts, at, &result->hit);
    if (result->detail[0])
        bt_put_text(facts, at, "detail", result->detail);
    else if (result->tried == 0)
        bt_put_text(facts, at, "detail", "nobody to try");
    job->broken = job->broken || result->outcome == BT_BROKEN;
}

static void put_excuse(const bt_attack *attack, const char *excuse, bt_facts *facts)
{
    json_t *at = bt_put_object(facts, facts->root, NULL);
    bt_put_text(facts, at, "attack", attack->name);
    bt_put_text(facts, at, "skipped", excuse);
}

/* ---- trying ------------------------------------------------------------------------------ */

/* randomized: values are drawn from those of the original. */
static bool has_common_value(const bt_redrawn_plan *plan, size_t column)
{
    const bt_codes *people = &plan->people.codes[column], *rows = &plan->rows.codes[column];
    for (uint32_t t = 0; t < plan->people.count; t++)
        if (bt_code_at(people->codes, people->width, t) < rows->count) return true;
    return false;
}

/* Whether some row of the release may be someone's; of an empty one nobody asks. */
static bool holds_anyone(const bt_view *view)
{
    const bt_redrawn *redrawn = view->redrawn;
    if (view->release->rows == 0) return true;
    if (!redrawn) return view->first[view->targets.count] > 0;
    for (size_t c = 0; c < redrawn->plan.columns; c++)
        if (!has_common_value(&redrawn->plan, c)) return false;
    if (bt_form_number(view->release->manifest.form, "rare") > 1)
        return true; /* values were merged before any was drawn */
    for (size_t i = 0; i < redrawn->set_count; i++)
        for (uint32_t t = 0; t < view->targets.count; t++)
            if (redrawn->sets[i].of_person[t] != BT_TUPLE_NONE) return true;
    return false;
}

/* Attacks on nobody never succeed, and that must not look like protection. */
static bauta_status check_people(const bt_attacker *attacker, const bt_view *view,
                                 bauta_error *error)
{
    if (holds_anyone(view)) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "none of the original records can be in the release");
    bt_error_place(error, attacker->folder, -1, NULL);
    bt_error_hint(error, "is this the original of that release?");
    return status;
}

static bool is_wanted(const bt_attack_wish *wish, const bt_attack *attack)
{
    for (size_t i = 0; i < wish->only_count; i++)
        if (strcmp(wish->only[i], attack->name) == 0) return true;
    return wish->only_count == 0;
}

static bauta_status check_names(const bt_attack_wish *wish, bauta_error *error)
{
    const char *names[sizeof bt_attack_registry / sizeof *bt_attack_registry];
    for (size_t i = 0; i < bt_attack_registry_count; i++)
        names[i] = bt_attack_registry[i]->name;
    for (size_t w = 0; w < wish->only_count; w++) {
        size_t i = 0;
        while (i < bt_attack_registry_count && strcmp(names[i], wish->only[w]) != 0)
            i++;
        if (i < bt_attack_registry_count) continue;
        bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no attack '%s'", wish->only[w]);
        const char *near = bt_text_nearest(wish->only[w], names, bt_attack_registry_count);
        if (near)
            bt_error_hint(error, "did you mean '%s'?", near);
        else
            bt_error_hint(error, "'bauta list attacks' names them");
        return status;
    }
    return BAUTA_OK;
}

static bauta_status try_one(const bt_attack *attack, const bt_attack_wish *wish, bt_attack_job *job,
                            bauta_error *error)
{
    if (!is_wanted(wish, attack)) return BAUTA_OK;
    const char *excuse = attack->excuse ? attack->excuse(job->attacker) : NULL;
    if (!excuse) {
        job->attack = attack;
        return attack->run(job, error);
    }
    if (wish->only_count > 0)
        return bt_fail(error, BAUTA_USAGE, "the attack '%s' does not apply: %s", attack->name,
                       excuse);
    if (wish->excuses) put_excuse(attack, excuse, job->facts);
    return BAUTA_OK;
}

bauta_status bt_attack_all(const bt_attacker *attacker, const bt_attack_wish *wish, bt_facts *facts,
                           bool *broken, bauta_error *error)
{
    bt_view view = {0}, crowd = {0};
    bt_attack_job job = {.attacker = attacker, .view = &view, .crowd = &crowd, .facts = facts};
    BT_TRY(check_names(wish, error));
    bauta_status status = bt_view_open(attacker->release, attacker->original, attacker->known,
                                       attacker->run, &view, error);
    for (size_t i = 0; i < bt_attack_registry_count && status == BAUTA_OK; i++)
        status = try_one(bt_attack_registry[i], wish, &job, error);
    if (status == BAUTA_OK && !job.broken) status = check_people(attacker, &view, error);
    bt_view_close(&view);
    bt_view_close(&crowd);
    *broken = job.broken;
    return status == BAUTA_OK ? bt_facts_check(facts, error) : status;
}
