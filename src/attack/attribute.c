/* SPDX-License-Identifier: Apache-2.0
 *
 * Column by column, and guesses against the original.
 */
#include "attack/attribute.h"

#include "attack/rate.h"

#include <stdio.h>
#include <string.h>

const char *bt_attribute_excuse(const bt_attacker *attacker)
{
    for (size_t i = 0; i < attacker->release->column_count; i++)
        if (bt_secret_exists(&attacker->release->columns[i], false)) return NULL;
    return "the release shows no values of sensitive columns";
}

bauta_status bt_attribute_each(bt_attack_job *job, bool categories, bt_attribute_try attempt,
                               bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    bt_promises promises;
    bauta_status status = BAUTA_OK;
    bt_promises_open(&release->manifest, &promises);
    for (size_t i = 0; i < release->column_count && status == BAUTA_OK; i++) {
        bt_secret secret = {0};
        if (!bt_secret_exists(&release->columns[i], categories)) continue;
        status = bt_secret_open(job->view, &release->columns[i], categories, job->attacker->run,
                                &secret, error);
        if (status == BAUTA_OK) status = attempt(job, &secret, &promises, error);
        bt_secret_close(&secret);
    }
    bt_promises_release(&promises);
    return status;
}

int64_t bt_attribute_hits(const bt_view *view, const uint32_t *actual, const uint32_t *guess,
                          int64_t *tried)
{
    int64_t hits = 0;
    *tried = 0;
    for (int64_t row = 0; row < view->people->rows; row++) {
        uint32_t value = guess[view->target_of[row]];
        *tried += value != BT_NOT_KNOWN;
        hits += value != BT_NOT_KNOWN && value == actual[row];
    }
    return hits;
}

double bt_attribute_chance(const bt_view *view, const bt_secret *secret)
{
    uint32_t mode = bt_secret_mode(secret);
    int64_t rows = view->people->rows, hits = 0;
    for (int64_t row = 0; row < rows; row++)
        hits += secret->actual[row] == mode;
    return rows ? (double)hits / (double)rows : 0;
}

/* Adds a clause to the detail of a result. */
static void add_detail(bt_attack_result *result, const char *text)
{
    size_t used = strlen(result->detail);
    snprintf(result->detail + used, sizeof result->detail - used, "%s%s", used ? "; " : "", text);
}

void bt_attribute_judge(const bt_claims *claims, bt_attack_result *result)
{
    char text[120];
    bool broken = bt_rate_above_sum((double)claims->right, claims->made, claims->allowed);
    if (broken) result->outcome = BT_BROKEN;
    snprintf(text, sizeof text, "%lld claims beyond what is allowed, %lld of them true%s",
             (long long)claims->made, (long long)claims->right,
             claims->made == 0 || broken ? "" : ", which may be chance");
    add_detail(result, text);
}

bauta_status bt_attribute_of_rows(bt_promises *promises, const bt_secret *secret,
                                  bt_attack_result *result, bauta_error *error)
{
    bt_secret_bounds bounds;
    if (!promises->persons) return BAUTA_OK;
    promises->persons = false; /* what would be promised if each had one row */
    bauta_status status = bt_promises_bound(promises, secret, &bounds, error);
    promises->persons = true;
    if (status != BAUTA_OK) return status;
    result->unjudged = result->is_gain ? bounds.gain <= 1 : bounds.any;
    if (result->unjudged)
        add_detail(result, "these are shares of rows, the promises count persons");
    return BAUTA_OK;
}
