/* SPDX-License-Identifier: Apache-2.0
 *
 * Position in two releases: whether their rows stand in step, as they do where one seed decided
 * both orders and nothing else did. Then they can be pasted side by side, and every row is known as
 * well as both releases together tell it.
 *
 * Rows of the two fit when some record may be both: by all quasi columns of each, which need not be
 * the same. Of `randomized` any row may be anyone's; there it is by as many columns, those with the
 * most values, as usually keep their values.
 *
 * Cost: linear in rows, and in the pairs of rows alike that some record fits.
 */
#include "attack/order.h"

#include "audit/step.h"
#include "reading/compared.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 25 };

typedef struct side { /* one of the releases */
    bt_view view;
    bt_step_table rows;
    bt_kinds kinds; /* randomized */
} side;

/* ---- both -------------------------------------------------------------------------------- */

static bauta_status open_redrawn(side *s, const bt_release *release, const bt_table *people,
                                 const bt_run *run, bauta_error *error)
{
    bt_compared compared = {0};
    bauta_status status = bt_compared_make(release, people, &compared, error);
    if (status == BAUTA_OK) status = bt_kinds_make(release, &compared, run, &s->kinds, error);
    bt_compared_release(&compared);
    s->rows.kind_of = s->kinds.row_kind;
    s->rows.kinds = s->kinds.count;
    return status;
}

static bauta_status open_side(side *s, const bt_release *release, const bt_table *people,
                              const bt_run *run, bauta_error *error)
{
    s->rows.rows = release->rows;
    if (release->form->redrawn) return open_redrawn(s, release, people, run, error);
    BT_TRY(bt_view_open(release, people, NULL, run, &s->view, error));
    s->rows.kind_of = s->view.group_of;
    s->rows.kinds = s->view.groups.count;
    return BAUTA_OK;
}

static void close_side(side *s)
{
    bt_view_close(&s->view);
    bt_kinds_release(&s->kinds);
}

/* The kinds of rows that may be a record's. */
static const uint32_t *kinds_of(const side *s, int64_t record, size_t *count)
{
    if (s->kinds.record_kind) {
        *count = s->kinds.record_kind[record] != BT_NOT_KNOWN;
        return &s->kinds.record_kind[record];
    }
    uint32_t target = s->view.target_of[record];
    *count = s->view.first[target + 1] - s->view.first[target];
    return s->view.candidates + s->view.first[target];
}

/* All pairs of kinds that some record may be; NULL: there are too many. */
static bauta_status list_pairs(const side sides[2], int64_t records, uint32_t *pairs[2],
                               int64_t *count, bauta_error *error)
{
    size_t first, second, all = 0;
    *count = 0;
    for (int64_t r = 0; r < records; r++) {
        (void)kinds_of(&sides[0], r, &first);
        (void)kinds_of(&sides[1], r, &second);
        all += first * second;
        if (first > MOST_PAIRS || second > MOST_PAIRS || all > MOST_PAIRS) return BAUTA_OK;
    }
    pairs[0] = bt_array(all, sizeof **pairs);
    pairs[1] = bt_array(all, sizeof **pairs);
    if (!pairs[0] || !pairs[1]) return bt_fail_memory(error);
    for (int64_t r = 0; r < records; r++) {
        const uint32_t *here = kinds_of(&sides[0], r, &first);
        const uint32_t *there = kinds_of(&sides[1], r, &second);
        for (size_t a = 0; a < first; a++)
            for (size_t b = 0; b < second; b++) {
                pairs[0][*count] = here[a];
                pairs[1][(*count)++] = there[b];
            }
    }
    return BAUTA_OK;
}

/* Whether one is a copy of the other: a release that was made again tells nothing new. */
static bool is_copy(const bt_release *one, const bt_release *other)
{
    if (strcmp(one->manifest.release, other->manifest.release) != 0 || one->rows != other->rows ||
        one->column_count != other->column_count || one->file_count != other->file_count)
        return false;
    for (size_t i = 0; i < one->column_count; i++) {
        const bt_release_column *a = &one->columns[i], *b = &other->columns[i];
        if (!a->codes != !b->codes || a->file != b->file) return false;
        for (int64_t row = 0; a->codes && row < one->files[a->file].rows; row++) {
            uint32_t x = bt_code_at(a->codes, a->width, row),
                     y = bt_code_at(b->codes, b->width, row);
            if (a->values->length[x] != b->values->length[y] ||
                memcmp(a->values->text[x], b->values->text[y], a->values->length[x]) != 0)
                return false;
        }
    }
    return true;
}

static void tell(bt_attack_job *job, const bt_steps *steps, bool copy)
{
    bt_attack_result result = {.variant = "other release",
                               .knows = "both releases, and the original",
                               .tries = "to pair row i of two releases, or rows some way off",
                               .chance = BT_NO_RATE,
                               .worst = BT_NO_RATE,
                               .allowed = BT_NO_RATE};
    if (!steps->told) {
        snprintf(result.detail, sizeof result.detail, "not tried: %s",
                 copy ? "it is the same release" : "too few rows, or cells too coarse, to tell");
        bt_attack_put(job, &result);
        return;
    }
    result.tried = steps->tried;
    result.hits = (double)steps->hits;
    result.chance = steps->expected / (double)steps->tried;
    result.allowed = steps->limit / (double)steps->tried;
    result.outcome = steps->in_step ? BT_BROKEN : BT_WITHIN;
    if (steps->in_step)
        snprintf(result.detail, sizeof result.detail, "rows of both stand in one order, %s",
                 steps->distance == 0 ? "side by side" : "a few rows off");
    bt_attack_put(job, &result);
}

static bauta_status compare(const bt_attacker *attacker, side sides[2], bt_steps *out,
                            bauta_error *error)
{
    uint32_t *pairs[2] = {NULL, NULL};
    int64_t count = 0, here = attacker->original->rows, there = attacker->other_original->rows;
    const bt_run *run = attacker->run;
    BT_TRY(open_side(&sides[0], attacker->release, attacker->original, run, error));
    BT_TRY(open_side(&sides[1], attacker->other, attacker->other_original, run, error));
    bauta_status status = list_pairs(sides, here < there ? here : there, pairs, &count, error);
    if (status == BAUTA_OK) {
        const bt_step_table tables[2] = {sides[0].rows, sides[1].rows};
        const bt_step_pairs fits = {{pairs[0], pairs[1]}, count, false};
        status = bt_steps_find(tables, &fits, run, out, error);
    }
    free(pairs[0]);
    free(pairs[1]);
    return status;
}

bauta_status bt_position_other(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    side sides[2] = {0};
    bt_steps steps = {0};
    bool copy = is_copy(attacker->release, attacker->other);
    bauta_status status = copy ? BAUTA_OK : compare(attacker, sides, &steps, error);
    if (status == BAUTA_OK) tell(job, &steps, copy);
    close_side(&sides[0]);
    close_side(&sides[1]);
    return status;
}
