/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns that two versions have in common, and their rows under common codes.
 */
#include "attack/redrawn_versions.h"

#include "attack/secret.h"
#include "recipe/names.h"

#include <string.h>

static bool has_role(const bt_release_column *column, bt_role role)
{
    return role == BT_ROLE_QUASI ? column->manifest->role == BT_ROLE_QUASI
                                 : bt_secret_exists(column, false);
}

static void find_common(bt_redrawn_versions *v, bt_role role)
{
    const bt_release *here = v->attacker->release, *there = v->attacker->other;
    for (size_t i = 0; i < here->column_count; i++) {
        if (!has_role(&here->columns[i], role)) continue;
        for (size_t k = 0; k < there->column_count; k++) {
            if (!has_role(&there->columns[k], role) ||
                strcmp(there->columns[k].manifest->name, here->columns[i].manifest->name) != 0)
                continue;
            v->here[v->count] = &here->columns[i];
            v->there[v->count++] = &there->columns[k];
        }
    }
}

/* Codes of the first release for the texts of the other; BT_TUPLE_NONE: it has none. */
static bauta_status translate(bt_redrawn_versions *v, size_t place, bauta_error *error)
{
    const bt_values *here = v->here[place]->values, *there = v->there[place]->values;
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    uint32_t *code = v->code_here[place] = bt_arena_array(&v->arena, there->count, sizeof *code);
    if (!code) return bt_fail_memory(error);
    for (uint32_t i = 0; i < here->count && status == BAUTA_OK; i++) {
        const char *text = bt_arena_copy(&v->arena, here->text[i], here->length[i]);
        status = text ? bt_names_add(&names, 0, text, i, &added, error) : bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < there->count && status == BAUTA_OK; i++) {
        const char *text = bt_arena_copy(&v->arena, there->text[i], there->length[i]);
        if (!text) status = bt_fail_memory(error);
        if (text && !bt_names_find(&names, 0, text, &code[i])) code[i] = BT_TUPLE_NONE;
    }
    bt_names_release(&names);
    return status;
}

/* Rows that are alike in the common columns, under the codes of the first release. */
static bauta_status make_side(bt_redrawn_versions *v, bool first, bt_tuples *tuples,
                              bt_redrawn_side *out, bauta_error *error)
{
    const bt_release_column **columns = first ? v->here : v->there;
    const bt_release *release = first ? v->attacker->release : v->attacker->other;
    bt_codes *codes = bt_arena_array(&v->arena, v->count, sizeof *codes);
    bt_codes *compact = bt_arena_array(&v->arena, v->count, sizeof *compact);
    if (!codes || !compact) return bt_fail_memory(error);
    for (size_t c = 0; c < v->count; c++)
        codes[c] = (bt_codes){columns[c]->codes, columns[c]->width, columns[c]->values->count};
    if (first) v->row_kind = bt_array((size_t)release->rows, sizeof *v->row_kind);
    if (first && !v->row_kind) return bt_fail_memory(error);
    BT_TRY(bt_tuples_number(codes, v->count, release->rows, v->attacker->run, tuples,
                            first ? v->row_kind : NULL, NULL, error));
    for (size_t c = 0; c < v->count; c++) {
        uint32_t *to = bt_arena_array(&v->arena, tuples->count, sizeof *to);
        if (!to) return bt_fail_memory(error);
        for (uint32_t k = 0; k < tuples->count; k++) {
            uint32_t code = bt_code_at(codes[c].codes, codes[c].width, tuples->row[k]);
            to[k] = first ? code : v->code_here[c][code];
        }
        compact[c] = (bt_codes){to, 4, v->here[c]->values->count};
    }
    *out = (bt_redrawn_side){tuples->count, tuples->size, compact};
    return BAUTA_OK;
}

/* In how many columns rows of one record may differ, as far as so many sets can be looked at. */
static uint32_t most_apart(const bt_redrawn_versions *v)
{
    enum { SETS = 1000 };
    uint32_t apart = v->attacker->release->mechanism.lambda + v->attacker->other->mechanism.lambda;
    double sets = 1, ways = 1;
    for (uint32_t size = 1; size <= apart; size++) {
        ways = ways * ((double)v->quasi - size + 1) / size;
        sets += ways;
        if (size > v->quasi || sets > SETS) return size > 1 ? size - 1 : 1;
    }
    return apart;
}

static bauta_status match_rows(bt_redrawn_versions *v, bauta_error *error)
{
    double **share = bt_arena_array(&v->arena, v->quasi, sizeof *share);
    double *redrawn = bt_arena_array(&v->arena, v->quasi, sizeof *redrawn);
    double rows = (double)v->attacker->release->rows;
    bt_redrawn_plan plan = {.columns = v->count,
                            .drawn = v->quasi,
                            .lambda = most_apart(v),
                            .all = v->quasi + 1, /* both may have drawn a column: fewer differ */
                            .redrawn = redrawn,
                            .share = share};
    if (!share || !redrawn) return bt_fail_memory(error);
    for (size_t c = 0; c < v->quasi; c++) {
        const bt_values *values = v->here[c]->values;
        share[c] = bt_arena_array(&v->arena, values->count, sizeof **share);
        if (!share[c]) return bt_fail_memory(error);
        for (uint32_t i = 0; i < values->count; i++)
            share[c][i] = (double)values->rows[i] / rows;
        redrawn[c] = 1 / (double)(v->quasi + 1);
    }
    BT_TRY(make_side(v, true, &v->rows, &plan.rows, error));
    BT_TRY(make_side(v, false, &v->others, &plan.people, error));
    return bt_redrawn_open(&plan, v->attacker->run, &v->redrawn, error);
}

bauta_status bt_redrawn_versions_open(const bt_attacker *attacker, bt_redrawn_versions *out,
                                      bauta_error *error)
{
    size_t columns = attacker->release->column_count;
    *out = (bt_redrawn_versions){.attacker = attacker};
    out->here = bt_arena_array(&out->arena, columns, sizeof *out->here);
    out->there = bt_arena_array(&out->arena, columns, sizeof *out->there);
    out->code_here = bt_arena_array(&out->arena, columns, sizeof *out->code_here);
    if (!out->here || !out->there || !out->code_here) return bt_fail_memory(error);
    find_common(out, BT_ROLE_QUASI);
    out->quasi = out->count;
    if (out->quasi > BT_REDRAWN_MOST) out->quasi = 0;
    if (out->quasi == 0) return BAUTA_OK;
    find_common(out, BT_ROLE_SENSITIVE);
    for (size_t c = 0; c < out->count; c++)
        BT_TRY(translate(out, c, error));
    return match_rows(out, error);
}

void bt_redrawn_versions_close(bt_redrawn_versions *versions)
{
    bt_redrawn_close(&versions->redrawn);
    bt_tuples_release(&versions->rows);
    bt_tuples_release(&versions->others);
    free(versions->row_kind);
    bt_arena_release(&versions->arena);
    *versions = (bt_redrawn_versions){0};
}
