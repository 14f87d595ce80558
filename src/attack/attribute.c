/* SPDX-License-Identifier: Apache-2.0
 *
 * Column by column, and guesses against the original.
 */
#include "attack/attribute.h"

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
    bt_promises promises = {0};
    bauta_status status = bt_promises_read(&release->manifest, &promises, error);
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
