/* SPDX-License-Identifier: Apache-2.0
 *
 * Correlations and ranks.
 */
#include "attack/order.h"

#include "attack/rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bt_moments_add(bt_moments *moments, double x, double y)
{
    double n = ++moments->count, dx = x - moments->x, dy = y - moments->y;
    moments->x += dx / n;
    moments->y += dy / n;
    moments->xx += dx * (x - moments->x);
    moments->yy += dy * (y - moments->y);
    moments->xy += dx * (y - moments->y);
}

double bt_moments_correlation(const bt_moments *moments)
{
    double product = moments->xx * moments->yy;
    return product > 0 ? moments->xy / sqrt(product) : 0;
}

/* ---- ranks ---- */

typedef struct ranked {
    const char *text;
    int64_t number;
    uint32_t length, code;
    bool is_number;
} ranked;

/* Numbers and dates, of a range the lower end, come before what is none. */
static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->is_number != b->is_number) return a->is_number ? -1 : 1;
    if (a->is_number && a->number != b->number) return a->number < b->number ? -1 : 1;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static ranked rank_text(const bt_release_column *column, uint32_t code)
{
    const bt_manifest_column *manifest = column->manifest;
    ranked one = {column->values->text[code], 0, column->values->length[code], code, false};
    if (manifest->type == BT_TEXT || bt_shows_categories(manifest)) return one;
    bt_reading reading = bt_release_reading(manifest);
    if (column->cells && !column->values_shown && !column->format.hierarchy &&
        column->cells[code].kind == BT_CELL_RANGE) {
        one.is_number = true;
        one.number = column->cells[code].lo;
    } else {
        one.is_number =
            bt_value_number(&reading, one.text, one.length, manifest->scale, &one.number);
    }
    return one;
}

bauta_status bt_order_ranks(const bt_release_column *column, double **out, bauta_error *error)
{
    uint32_t count = column->values->count;
    ranked *order = bt_array(count, sizeof *order);
    *out = bt_array(count, sizeof **out);
    if (!order || !*out) {
        free(order);
        free(*out);
        *out = NULL;
        return bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = rank_text(column, i);
    qsort(order, count, sizeof *order, compare_ranked);
    for (uint32_t i = 0; i < count; i++)
        (*out)[order[i].code] = i;
    free(order);
    return BAUTA_OK;
}

/* ---- telling ---- */

void bt_position_hits(bt_attack_job *job, bt_attack_result *result, double expected)
{
    double limit = bt_rate_chance_limit(expected), tried = (double)result->tried;
    if (result->tried == 0) return;
    result->chance = fmin(1, expected / tried); /* rounding */
    result->allowed = fmin(1, limit / tried);
    result->worst = BT_NO_RATE;
    result->outcome = bt_rate_above_chance(result->hits, expected) ? BT_BROKEN : BT_WITHIN;
    bt_attack_put(job, result);
}

bauta_status bt_position_steps(bt_attack_job *job, bt_attack_result *result, double expected,
                               const bt_step_table tables[2], const bt_step_pairs *pairs,
                               bauta_error *error)
{
    bt_steps steps;
    BT_TRY(bt_steps_find(tables, pairs, job->attacker->run, &steps, error));
    if (!steps.in_step || bt_rate_above_chance(result->hits, expected)) {
        bt_position_hits(job, result, expected);
        return BAUTA_OK;
    }
    result->tried = steps.tried;
    result->hits = (double)steps.hits;
    result->chance = steps.expected / (double)steps.tried;
    result->allowed = steps.limit / (double)steps.tried;
    result->worst = BT_NO_RATE;
    result->outcome = BT_BROKEN;
    snprintf(result->detail, sizeof result->detail, "%s%s",
             steps.backwards ? "backwards" : "forwards", steps.distance ? ", some rows off" : "");
    bt_attack_put(job, result);
    return BAUTA_OK;
}

void bt_position_correlation(bt_attack_job *job, bt_attack_result *result, double coefficient,
                             int64_t pairs)
{
    if (pairs < 3) return;
    result->tried = pairs;
    result->hits = fabs(coefficient) * (double)pairs;
    result->is_coefficient = true;
    result->chance = 0;
    result->worst = BT_NO_RATE;
    result->allowed = bt_rate_correlation_limit(pairs);
    result->outcome = fabs(coefficient) > result->allowed ? BT_BROKEN : BT_WITHIN;
    bt_attack_put(job, result);
}
