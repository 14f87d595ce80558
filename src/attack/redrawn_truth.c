/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of rows and people, and their balance.
 */
#include "attack/redrawn_truth.h"

/* ---- marks: numbers for the sensitive values of rows and people -------------------------- */

typedef struct marking {
    bt_secret *secrets; /* of all sensitive columns */
    size_t count;
    bt_codes *codes; /* of rows */
    uint32_t *point;
    bt_tuples tuples;
    bt_tuple_index *index;
} marking;

static bauta_status open_secrets(const bt_view *view, const bt_run *run, marking *m,
                                 bauta_error *error)
{
    const bt_release *release = view->release;
    m->secrets = bt_array_zero(release->column_count, sizeof *m->secrets);
    m->codes = bt_array(release->column_count, sizeof *m->codes);
    m->point = bt_array(release->column_count, sizeof *m->point);
    if (!m->secrets || !m->codes || !m->point) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (!bt_secret_exists(column, false)) continue;
        bt_secret *secret = &m->secrets[m->count++];
        BT_TRY(bt_secret_open(view, column, false, run, secret, error));
        m->codes[m->count - 1] = (bt_codes){secret->published, 4, secret->values};
    }
    return BAUTA_OK;
}

static void close_marking(marking *m)
{
    for (size_t i = 0; m->secrets && i < m->count; i++)
        bt_secret_close(&m->secrets[i]);
    free(m->secrets);
    free(m->codes);
    free(m->point);
    bt_tuple_index_free(m->index);
    bt_tuples_release(&m->tuples);
}

/* Numbers rows and people; both arrays belong to the caller. */
static bauta_status mark(const bt_view *view, const bt_run *run, marking *m, uint32_t *of_row,
                         uint32_t *of_person, bauta_error *error)
{
    int64_t rows = view->release->rows, people = view->people->rows;
    BT_TRY(open_secrets(view, run, m, error));
    BT_TRY(bt_tuples_number(m->codes, m->count, rows, run, &m->tuples, of_row, &m->index, error));
    if (m->count == 0) return BAUTA_OK; /* all are alike: 0 */
    for (int64_t row = 0; row < people; row++) {
        for (size_t i = 0; i < m->count; i++)
            m->point[i] = m->secrets[i].actual[row];
        of_person[row] = bt_tuple_index_find(m->index, m->point);
    }
    return BAUTA_OK;
}

/* ---- kinds ------------------------------------------------------------------------------- */

/* Numbers rows by two columns; both outputs belong to the caller. */
static bauta_status number(const bt_codes codes[2], int64_t rows, const bt_run *run,
                           bt_tuples *tuples, uint32_t **tuple_of, bauta_error *error)
{
    *tuple_of = bt_array((size_t)rows, sizeof **tuple_of);
    if (!*tuple_of) return bt_fail_memory(error);
    return bt_tuples_number(codes, 2, rows, run, tuples, *tuple_of, NULL, error);
}

static bauta_status find_kinds(const bt_view *view, const bt_run *run, bt_redrawn_truth *truth,
                               uint32_t *of_person, bauta_error *error)
{
    int64_t people = view->people->rows;
    uint32_t none = truth->marks;
    for (int64_t row = 0; row < people; row++)
        if (of_person[row] == BT_TUPLE_NONE) of_person[row] = none;
    const bt_codes rows[] = {{view->group_of, 4, view->groups.count},
                             {truth->mark_of, 4, truth->marks}};
    const bt_codes persons[] = {{view->target_of, 4, view->targets.count},
                                {of_person, 4, none + 1}};
    BT_TRY(number(rows, view->release->rows, run, &truth->rows, &truth->row_kind, error));
    BT_TRY(number(persons, people, run, &truth->people, &truth->person_kind, error));
    truth->row_group = bt_arena_array(&truth->arena, truth->rows.count, sizeof(uint32_t));
    truth->row_mark = bt_arena_array(&truth->arena, truth->rows.count, sizeof(uint32_t));
    truth->target = bt_arena_array(&truth->arena, truth->people.count, sizeof(uint32_t));
    truth->person_mark = bt_arena_array(&truth->arena, truth->people.count, sizeof(uint32_t));
    if (!truth->row_group || !truth->row_mark || !truth->target || !truth->person_mark)
        return bt_fail_memory(error);
    for (uint32_t k = 0; k < truth->rows.count; k++) {
        truth->row_group[k] = view->group_of[truth->rows.row[k]];
        truth->row_mark[k] = truth->mark_of[truth->rows.row[k]];
    }
    for (uint32_t k = 0; k < truth->people.count; k++) {
        uint32_t row = truth->people.row[k];
        truth->target[k] = view->target_of[row];
        truth->person_mark[k] = of_person[row] == none ? BT_TUPLE_NONE : of_person[row];
    }
    return BAUTA_OK;
}

/* The codes of combinations for kinds, which are finer. */
static uint32_t *spread(bt_arena *arena, const uint32_t *codes, const uint32_t *of, uint32_t count)
{
    uint32_t *out = bt_arena_array(arena, count, sizeof *out);
    for (uint32_t k = 0; out && k < count; k++)
        out[k] = codes[of[k]];
    return out;
}

/* As the view, with the number of the sensitive values as one more column. */
static bauta_status open_redrawn(const bt_view *view, const bt_run *run, bt_redrawn_truth *truth,
                                 bauta_error *error)
{
    bt_redrawn_plan plan = view->redrawn->plan;
    bt_codes *rows = bt_arena_array(&truth->arena, plan.drawn + 1, sizeof *rows);
    bt_codes *people = bt_arena_array(&truth->arena, plan.drawn + 1, sizeof *people);
    if (!rows || !people) return bt_fail_memory(error);
    for (size_t c = 0; c < plan.drawn; c++) {
        rows[c] = plan.rows.codes[c];
        people[c] = plan.people.codes[c];
        rows[c].codes = spread(&truth->arena, rows[c].codes, truth->row_group, truth->rows.count);
        people[c].codes =
            spread(&truth->arena, people[c].codes, truth->target, truth->people.count);
        if (!rows[c].codes || !people[c].codes) return bt_fail_memory(error);
    }
    rows[plan.drawn] = (bt_codes){truth->row_mark, 4, truth->marks};
    people[plan.drawn] = (bt_codes){truth->person_mark, 4, truth->marks};
    plan.rows = (bt_redrawn_side){truth->rows.count, truth->rows.size, rows};
    plan.people = (bt_redrawn_side){truth->people.count, truth->people.size, people};
    plan.columns = plan.drawn + 1;
    return bt_redrawn_open(&plan, run, &truth->redrawn, error);
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_redrawn_truth_open(const bt_view *view, const bt_run *run, bt_redrawn_truth *out,
                                   bauta_error *error)
{
    int64_t rows = view->release->rows, people = view->people->rows;
    marking m = {0};
    *out = (bt_redrawn_truth){.mark_of = bt_array_zero((size_t)rows, sizeof *out->mark_of)};
    uint32_t *of_person = bt_array_zero((size_t)people, sizeof *of_person);
    bauta_status status = out->mark_of && of_person ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = mark(view, run, &m, out->mark_of, of_person, error);
    out->marks = m.tuples.count;
    close_marking(&m);
    if (status == BAUTA_OK) status = find_kinds(view, run, out, of_person, error);
    free(of_person);
    return status == BAUTA_OK ? open_redrawn(view, run, out, error) : status;
}

/* Each row is somebody's; each person has one row, or where there are more people than rows at most
 * one. */
bauta_status bt_redrawn_truth_balance(bt_redrawn_truth *truth, const bt_view *view,
                                      bauta_error *error)
{
    enum { ROUNDS = 12 };
    bool everyone = view->people->rows <= view->release->rows;
    uint32_t rows = truth->rows.count, people = truth->people.count;
    double *a = truth->person_weight = bt_arena_array(&truth->arena, people, sizeof *a);
    double *b = truth->row_weight = bt_arena_array(&truth->arena, rows, sizeof *b);
    double *sum = bt_array(rows > people ? rows : people, sizeof *sum);
    bauta_status status = a && b && sum ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t k = 0; k < people && status == BAUTA_OK; k++)
        a[k] = 1;
    for (int round = 0; round < ROUNDS && status == BAUTA_OK; round++) {
        status = bt_redrawn_sum_people(&truth->redrawn, a, sum, error);
        for (uint32_t k = 0; k < rows && status == BAUTA_OK; k++)
            b[k] = sum[k] > 0 ? 1 / sum[k] : 0;
        if (status == BAUTA_OK) status = bt_redrawn_sum_rows(&truth->redrawn, b, sum, error);
        for (uint32_t k = 0; k < people && status == BAUTA_OK; k++) {
            double found = a[k] * sum[k]; /* rows that are this person's */
            if (found > 0 && (everyone || found > 1)) a[k] /= found;
        }
    }
    free(sum);
    return status == BAUTA_OK ? bt_redrawn_truth_pair(truth, everyone, error) : status;
}

void bt_redrawn_truth_close(bt_redrawn_truth *truth)
{
    bt_redrawn_close(&truth->redrawn);
    bt_tuples_release(&truth->rows);
    bt_tuples_release(&truth->people);
    free(truth->pairs);
    free(truth->pair_first);
    free(truth->mark_of);
    free(truth->row_kind);
    free(truth->person_kind);
    bt_arena_release(&truth->arena);
    *truth = (bt_redrawn_truth){0};
}
