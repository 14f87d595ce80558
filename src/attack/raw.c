/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns that are published as they are: `other` ones, and sensitive ones beside the cells.
 * Nothing is promised about them, and whoever knows them of a person needs no quasi-identifiers.
 *
 *   alone         rows that no other row equals in these columns
 *   beside cells  … in these columns and the cells (two-tables: the quasi values) together
 *   recomputed    records whose value behind a cell a column tells, or the sum or difference of
 * two, learned from some records and tried on others: profile/giveaway.h, which the caller asks,
 * since it needs the whole records
 *
 * Cost: linear in rows.
 */
#include "attack/attack.h"

#include <stdio.h>
#include <string.h>

static bool is_raw(const bt_release *release, const bt_release_column *column)
{
    bt_role role = column->manifest->role;
    bool sensitive = role == BT_ROLE_SENSITIVE && !release->form->redrawn;
    return column->file == 0 && column->values && (role == BT_ROLE_OTHER || sensitive);
}

static const char *excuse(const bt_attacker *attacker)
{
    for (size_t i = 0; i < attacker->release->column_count; i++)
        if (is_raw(attacker->release, &attacker->release->columns[i])) return NULL;
    return "no column is published as it is beside the quasi columns";
}

/* Rows of the first file that no other equals in the chosen columns. */
static bauta_status count_alone(bt_attack_job *job, bool cells, bt_attack_result *result,
                                bauta_error *error)
{
    const bt_release *release = job->attacker->release;
    bt_codes *codes = bt_array(release->column_count, sizeof *codes);
    bt_tuples tuples = {0};
    size_t count = 0;
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        bool quasi = column->manifest->role == BT_ROLE_QUASI;
        if (!is_raw(release, column) && !(cells && quasi)) continue;
        codes[count++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    bauta_status status =
        bt_tuples_group(codes, count, release->files[0].rows, job->attacker->run, &tuples, error);
    for (uint32_t t = 0; status == BAUTA_OK && t < tuples.count; t++)
        result->hits += tuples.size[t] == 1;
    result->tried = release->files[0].rows;
    result->worst = result->hits > 0 ? 1 : BT_NO_RATE;
    bt_tuples_release(&tuples);
    free(codes);
    return status;
}

/* The columns in words: "income, visits and 3 more". */
static void name_columns(const bt_release *release, char *out, size_t room)
{
    enum { NAMED = 4 };
    size_t all = 0, named = 0, used = 0;
    for (size_t i = 0; i < release->column_count; i++)
        all += is_raw(release, &release->columns[i]);
    for (size_t i = 0; i < release->column_count && used + 1 < room && named < NAMED; i++) {
        if (!is_raw(release, &release->columns[i])) continue;
        int length = snprintf(out + used, room - used, "%s%.40s", named ? ", " : "by ",
                              release->columns[i].manifest->name);
        used += length > 0 ? (size_t)length : 0;
        named++;
    }
    if (all > named && used < room) snprintf(out + used, room - used, " and %zu more", all - named);
}

static bauta_status single_out(bt_attack_job *job, bool cells, bauta_error *error)
{
    bt_attack_result result = {
        .variant = cells ? "beside cells" : "alone",
        .knows = cells ? "what is published as it is of the target, and the target's quasi values"
                       : "what is published as it is of the target",
        .tries = "to find the one row that has it",
        .chance = BT_NO_RATE,
        .allowed = BT_NO_RATE};
    name_columns(job->attacker->release, result.detail, sizeof result.detail);
    BT_TRY(count_alone(job, cells, &result, error));
    bt_attack_put(job, &result);
    return BAUTA_OK;
}

static void recompute(bt_attack_job *job, const bt_revealed *one)
{
    bt_attack_result result = {.variant = "recomputed",
                               .column = one->column,
                               .knows = "some whole records, and what is published as it is",
                               .tries = "to tell the value behind the target's cell",
                               .tried = one->tried,
                               .hits = (double)one->told,
                               .chance = BT_NO_RATE,
                               .worst = BT_NO_RATE,
                               .allowed = BT_NO_RATE};
    snprintf(result.detail, sizeof result.detail, "by %.60s%s%.60s, in a sample", one->by,
             one->sign > 0   ? " plus "
             : one->sign < 0 ? " less "
                             : "",
             one->sign ? one->other : "");
    bt_attack_put(job, &result);
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    BT_TRY(single_out(job, false, error));
    BT_TRY(single_out(job, true, error));
    for (size_t i = 0; i < job->attacker->revealed_count; i++)
        recompute(job, &job->attacker->revealed[i]);
    return BAUTA_OK;
}

const bt_attack bt_attack_raw = {
    .name = "raw",
    .summary = "rows that columns published as they are single out, and cells they tell",
    .paper = "Sweeney 2000",
    .excuse = excuse,
    .run = run,
};
