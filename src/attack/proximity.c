/* SPDX-License-Identifier: Apache-2.0
 *
 * Proximity: numbers that differ may still be close. Where most rows that may be the target's have
 * values in a narrow range, whoever names the middle of it is hardly wrong (Li, Tao and Xiao 2008,
 * who ask with (epsilon, m)-anonymity that at most 1/m of a class is within epsilon of any value in
 * it). The guess is the number with most belief within a tolerance of it: 1 % and 5 % of the range
 * of the column, which is from the least published value to the greatest. Of equals it is the
 * lowest. Dates are numbers of days.
 *
 * Hardly a requirement promises anything here: that values differ does not keep them apart. What
 * follows from a promise about a range of values: the values of a range have together at most what
 * they may have each; any set of them gains at most t over its share of the table, where distances
 * are `equal`; where they are `ordered`, a range can only gain what is moved into it, the nearest
 * first, until t is used up; and of l different values those outside the range are left. Where that
 * leaves a range everything, nothing is promised about it.
 *
 * Beliefs are mixtures of classes. All these bounds hold for the mixture if they hold for each.
 *
 * Cost: for each target a sort of the values that may be the target's, and a pass over them; once
 * for a belief that many targets share.
 */
#include "attack/attribute.h"
#include "base/sort.h"
#include "reading/compared.h"

#include <math.h>
#include <string.h>

typedef __int128 wide;

enum { TOLERANCES = 2 };
static const struct {
    const char *variant, *tries;
    int percent; /* of the column's range, to either side of the guess */
} tolerances[TOLERANCES] = {
    {"within 1 %", "to guess the target's number, 1 % of the column's range more or less", 1},
    {"within 5 %", "to guess the target's number, 5 % of the column's range more or less", 5},
};

typedef struct proximity {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_attack_belief belief;
    bt_arena arena;
    uint32_t count;    /* values that are numbers */
    uint32_t *at_rank; /* per rank: the value; numbers ascend, what is no number comes last */
    uint32_t *rank_of; /* per value */
    int64_t *number;   /* per rank below `count` */
    bool *has_number;  /* per code of the original's column */
    int64_t *actual;   /* per code of the original's column: its number, if it has one */
    const bt_column *theirs;
    int percent;
    uint32_t *ranks; /* of the belief in view, ascending */
    uint32_t last;   /* the range of the belief in view, and its share */
    double last_share;
    uint32_t *low; /* per target: the first rank of the range; BT_NOT_KNOWN: no guess */
} proximity;

/* ---- numbers ----------------------------------------------------------------------------- */

static bool is_number(const bt_release_column *column)
{
    return column->manifest->type != BT_TEXT && bt_secret_exists(column, false);
}

typedef struct ranked {
    int64_t number;
    uint32_t value;
    bool known;
} ranked;

static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->known != b->known) return a->known ? -1 : 1;
    if (a->known && a->number != b->number) return a->number < b->number ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* So many decimal places that all texts have room. */
static void raise_scale(const char *const *texts, uint32_t count, int *scale)
{
    for (uint32_t i = 0; i < count; i++) {
        int own = bt_value_scale(texts[i], strlen(texts[i]), false);
        *scale = own > *scale ? own : *scale;
    }
}

/* Values and those of the original as numbers of one scale. */
static bauta_status rank_values(proximity *p, bauta_error *error)
{
    const bt_secret *secret = p->secret;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_TRY(
        bt_original_find(p->job->view->people, secret->column->manifest->name, &p->theirs, error));
    const bt_domain *domain = &p->theirs->domain;
    const bt_reading reading = {
        .type = secret->column->manifest->type, .date_form = BT_FORM_YMD, .whole = true};
    int scale = 0;
    ranked *order = bt_arena_array(&scratch, secret->values, sizeof *order);
    p->at_rank = bt_arena_array(&p->arena, secret->values, sizeof *p->at_rank);
    p->rank_of = bt_arena_array(&p->arena, secret->values, sizeof *p->rank_of);
    p->number = bt_arena_array(&p->arena, secret->values, sizeof *p->number);
    p->ranks = bt_arena_array(&p->arena, secret->values, sizeof *p->ranks);
    p->has_number = bt_arena_array(&p->arena, domain->size, sizeof *p->has_number);
    p->actual = bt_arena_array(&p->arena, domain->size, sizeof *p->actual);
    p->low = bt_arena_array(&p->arena, p->job->view->targets.count, sizeof *p->low);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(&p->arena, error));
    if (reading.type == BT_DECIMAL) {
        raise_scale(secret->text, secret->values, &scale);
        raise_scale(domain->text, domain->size, &scale);
    }
    for (uint32_t v = 0; v < secret->values; v++) {
        order[v].value = v;
        order[v].known = bt_value_number(&reading, secret->text[v], strlen(secret->text[v]), scale,
                                         &order[v].number);
    }
    for (uint32_t i = 0; i < domain->size; i++)
        p->has_number[i] = bt_value_number(&reading, domain->text[i], strlen(domain->text[i]),
                                           scale, &p->actual[i]);
    qsort(order, secret->values, sizeof *order, compare_ranked);
    for (uint32_t r = 0; r < secret->values; r++) {
        p->at_rank[r] = order[r].value;
        p->rank_of[order[r].value] = r;
        p->number[r] = order[r].number;
        p->count += order[r].known;
    }
    return BAUTA_OK;
}

/* Whether a number is in the range that begins at a rank: as wide as the tolerance to both sides.
 */
static bool is_within(const proximity *p, uint32_t low, int64_t number)
{
    wide whole = (wide)p->number[p->count - 1] - p->number[0];
    wide above = (wide)number - p->number[low];
    return above >= 0 && above * 100 <= whole * 2 * p->percent;
}

/* ---- guesses ----------------------------------------------------------------------------- */

/* The range with most of the shares of `count` ascending ranks, which are numbers; of equals the
 * lowest. */
static double best_range(const proximity *p, const uint32_t *ranks, uint32_t count,
                         const double *shares, uint32_t *low)
{
    double best = -1, sum = 0;
    for (uint32_t from = 0, to = 0; from < count; from++) {
        for (; to < count && is_within(p, ranks[from], p->number[ranks[to]]); to++)
            sum += shares[p->at_rank[ranks[to]]];
        if (sum > best + 1e-12) {
            best = sum;
            *low = ranks[from];
        }
        sum -= shares[p->at_rank[ranks[from]]];
    }
    return best;
}

/* The share of the next value that occurs in the table, downwards or upwards; 0: there is none. */
static double take_below(const proximity *p, uint32_t *rank)
{
    double share = 0;
    while (*rank > 0 && share == 0)
        share = bt_secret_prior(p->secret, p->at_rank[--*rank]);
    return share;
}

static double take_above(const proximity *p, uint32_t *rank)
{
    double share = 0;
    while (*rank < p->secret->values && share == 0)
        share = bt_secret_prior(p->secret, p->at_rank[(*rank)++]);
    return share;
}

/* What can be in the ranks from..to-1 when shares of the table are moved there, the nearest
 * first, as far as `moved` allows. */
static double fill_range(const proximity *p, uint32_t from, uint32_t to, double share)
{
    double left = p->bounds.moved;
    for (uint32_t step = 1; left > 0; step++) {
        double near = take_below(p, &from) + take_above(p, &to);
        if (near == 0) break;
        double taken = fmin(near, left / step);
        share += taken;
        left -= taken * step;
    }
    return share;
}

/* What the promises allow for the range that begins at a rank; 1: anything. */
static double allowed_for(const proximity *p, uint32_t target, uint32_t low)
{
    double each = 0, share = 0;
    uint32_t to = low;
    for (; to < p->count && is_within(p, low, p->number[to]); to++) {
        each += p->bounds.share[p->at_rank[to]];
        share += bt_secret_prior(p->secret, p->at_rank[to]);
    }
    bt_secret_bounds others = p->bounds;
    others.distinct = fmax(0, others.distinct + 1 - (to - low));
    double allowed = fmin(fmin(1, each), share + p->bounds.set_gain);
    if (isfinite(p->bounds.moved)) allowed = fmin(allowed, fill_range(p, low, to, share));
    return fmin(allowed, bt_bounds_distinct(&others, p->job->view, target));
}

static void guess_target(proximity *p, uint32_t target, bt_attack_result *result, double *most)
{
    const bt_view *view = p->job->view;
    bt_attack_belief *belief = &p->belief;
    uint32_t count = 0;
    p->low[target] = BT_NOT_KNOWN;
    bt_attack_belief_form(belief, view, p->secret, target);
    if (belief->rows == 0) return;
    if (!belief->same) p->last = BT_NOT_KNOWN;
    for (uint32_t i = 0; i < belief->count && !belief->same; i++)
        if (p->rank_of[belief->seen[i]] < p->count) p->ranks[count++] = p->rank_of[belief->seen[i]];
    qsort(p->ranks, count, sizeof *p->ranks, bt_compare_uint32);
    if (!belief->same) p->last_share = best_range(p, p->ranks, count, belief->share, &p->last);
    uint32_t low = p->low[target] = p->last;
    double best = p->last_share;
    if (low == BT_NOT_KNOWN) return;
    if (best > result->worst) result->worst = best;
    bt_worst_add(&result->hit, best, (int64_t)view->targets.row[target] + 1);
    if (!p->bounds.any) return;
    double allowed = allowed_for(p, target, low);
    *most = fmax(*most, allowed);
    if (bt_attack_judge(best, allowed) == BT_BROKEN) result->outcome = BT_BROKEN;
}

static bool is_hit(const proximity *p, int64_t row, uint32_t low)
{
    uint32_t code = bt_column_code(p->theirs, row);
    return p->has_number[code] && is_within(p, low, p->actual[code]);
}

/* Guesses against the original, and what one guess for all would come to. */
static bauta_status count_hits(proximity *p, bt_attack_result *result, bauta_error *error)
{
    const bt_view *view = p->job->view;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    double *shares = bt_arena_array(&scratch, p->secret->values, sizeof *shares);
    BT_TRY(bt_arena_check(&scratch, error));
    uint32_t common = 0;
    int64_t right = 0;
    for (uint32_t v = 0; v < p->secret->values; v++)
        shares[v] = bt_secret_prior(p->secret, v);
    for (uint32_t r = 0; r < p->count; r++)
        p->ranks[r] = r;
    best_range(p, p->ranks, p->count, shares, &common);
    for (int64_t row = 0; row < view->people->rows; row++) {
        uint32_t low = p->low[view->target_of[row]];
        right += is_hit(p, row, common);
        result->tried += low != BT_NOT_KNOWN;
        result->hits += low != BT_NOT_KNOWN && is_hit(p, row, low);
    }
    result->chance = view->people->rows ? (double)right / (double)view->people->rows : 0;
    return BAUTA_OK;
}

static bauta_status try_tolerance(proximity *p, size_t tolerance, bt_promises *promises,
                                  bauta_error *error)
{
    uint32_t targets = p->job->view->targets.count;
    double most = 0;
    bt_attack_result result = {
        .variant = tolerances[tolerance].variant,
        .column = p->secret->column->manifest->name,
        .knows = "quasi values of the target, and that the target is in the table",
        .tries = tolerances[tolerance].tries,
        .allowed = BT_NO_RATE,
    };
    p->percent = tolerances[tolerance].percent;
    for (uint32_t t = 0; t < targets; t++) {
        guess_target(p, t, &result, &most);
        BT_TRY(bt_attack_step(p->job, t, targets, error));
    }
    BT_TRY(count_hits(p, &result, error));
    const double rounding = 1e-9; /* of sums of shares */
    /* Where more is allowed for a range, nothing is promised about it. */
    if (p->bounds.any && most < 1 - rounding) {
        result.allowed = most;
        if (result.outcome != BT_BROKEN) result.outcome = BT_WITHIN;
    }
    BT_TRY(bt_attribute_of_rows(promises, p->secret, &result, error));
    bt_attack_put(p->job, &result);
    return BAUTA_OK;
}

static bauta_status try_numbers(proximity *p, bt_promises *promises, bauta_error *error)
{
    BT_TRY(rank_values(p, error));
    if (p->count == 0) return BAUTA_OK; /* all values are missing */
    BT_TRY(bt_promises_bound(promises, p->secret, &p->bounds, error));
    BT_TRY(bt_attack_belief_new(&p->belief, p->secret->values, error));
    for (size_t i = 0; i < TOLERANCES; i++) {
        p->belief.of = BT_NOT_KNOWN;
        BT_TRY(try_tolerance(p, i, promises, error));
    }
    return BAUTA_OK;
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    if (!is_number(secret->column)) return BAUTA_OK;
    proximity p = {.job = job, .secret = secret};
    bauta_status status = try_numbers(&p, promises, error);
    bt_attack_belief_free(&p.belief);
    bt_arena_release(&p.arena);
    return status;
}

static const char *excuse(const bt_attacker *attacker)
{
    for (size_t i = 0; i < attacker->release->column_count; i++)
        if (is_number(&attacker->release->columns[i])) return NULL;
    return "the release shows no sensitive numbers or dates";
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

const bt_attack bt_attack_proximity = {
    .name = "proximity",
    .summary = "the sensitive number is nearly known",
    .paper = "Li, Tao and Xiao 2008",
    .excuse = excuse,
    .run = run,
};
