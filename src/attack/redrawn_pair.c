/* SPDX-License-Identifier: Apache-2.0
 *
 * Intersection with a randomized release: the row that is most likely the target's given both
 * releases. A row counts by the chance that the target's record became it, times how likely its
 * sensitive value is given the other release. Where that is another version it also says who else
 * there is: a row counts the less the likelier it is to be of one record with any row of the other.
 *
 * Cost: for each target linear in the different sensitive values of the rows that may be theirs.
 */
#include "attack/redrawn_attacks.h"
#include "attack/redrawn_versions.h"

#include <math.h>

struct bt_redrawn_pair {
    const bt_view *view;
    bool first; /* of the sensitive columns */
    bt_redrawn_truth truth;
    bt_redrawn_bags bags;         /* of the view's units: rows by all their sensitive values */
    uint32_t *value_of;           /* of the secret: per number of these */
    double *discount;             /* per kind of rows; NULL: the other release is of another form */
    bt_redrawn_versions versions; /* if it is not, and they have quasi columns in common */
};

/* Per kind of rows: the chances that it is of one record with each row of the other version. */
static bauta_status find_discount(const bt_attacker *attacker, bt_redrawn_pair *pair,
                                  bauta_error *error)
{
    const bt_redrawn_truth *truth = &pair->truth;
    bt_redrawn_versions *versions = &pair->versions;
    if (!attacker->other->form->redrawn) return BAUTA_OK;
    BT_TRY(bt_redrawn_versions_open(attacker, versions, error));
    if (versions->quasi == 0) return BAUTA_OK;
    double *sum = bt_array(versions->rows.count, sizeof *sum);
    pair->discount = bt_array(truth->rows.count, sizeof *pair->discount);
    bauta_status status = sum && pair->discount
                              ? bt_redrawn_sum_people(&versions->redrawn, NULL, sum, error)
                              : bt_fail_memory(error);
    for (uint32_t k = 0; k < truth->rows.count && status == BAUTA_OK; k++) {
        double all = sum[versions->row_kind[truth->rows.row[k]]];
        pair->discount[k] = all > 0 ? all : HUGE_VAL; /* of nobody who is in both */
    }
    free(sum);
    return status;
}

static bool is_first(const bt_release *release, const bt_secret *secret)
{
    const bt_release_column *column = release->columns;
    while (column != secret->column && !bt_secret_exists(column, false))
        column++;
    return column == secret->column;
}

bauta_status bt_redrawn_pair_open(const bt_attack_job *job, const bt_secret *secret,
                                  bt_redrawn_pair **out, bauta_error *error)
{
    const bt_view *view = job->view;
    bt_redrawn_pair *pair = *out = bt_array_zero(1, sizeof *pair);
    if (!pair) return bt_fail_memory(error);
    pair->view = view;
    pair->first = is_first(view->release, secret);
    bt_redrawn_truth *truth = &pair->truth;
    BT_TRY(bt_redrawn_truth_open(view, job->attacker->run, truth, error));
    BT_TRY(bt_redrawn_truth_balance(truth, view, error));
    BT_TRY(find_discount(job->attacker, pair, error));
    pair->value_of = bt_array(truth->marks, sizeof *pair->value_of);
    if (!pair->value_of) return bt_fail_memory(error);
    for (int64_t row = 0; row < view->release->rows; row++)
        pair->value_of[truth->mark_of[row]] = secret->published[row];
    const bt_redrawn_items items = {.count = truth->rows.count,
                                    .row = truth->row_group,
                                    .value = truth->row_mark,
                                    .size = truth->rows.size,
                                    .weight = truth->row_weight,
                                    .values = truth->marks,
                                    .discount = pair->discount};
    return bt_redrawn_bags_make(view->redrawn, &items, &pair->bags, error);
}

void bt_redrawn_pair_free(bt_redrawn_pair *pair)
{
    if (!pair) return;
    bt_redrawn_truth_close(&pair->truth);
    bt_redrawn_versions_close(&pair->versions);
    bt_redrawn_bags_release(&pair->bags);
    free(pair->value_of);
    free(pair->discount);
    free(pair);
}

typedef struct pick { /* the likeliest rows of a person, given both */
    double best, ties;
    double credit; /* credit of the rows that have the person's sensitive values */
} pick;

static void look_at_bag(const bt_redrawn_pair *pair, size_t bag, uint32_t mark,
                        bt_redrawn_likely likely, const void *user, pick *out)
{
    for (size_t e = pair->bags.first[bag]; e < pair->bags.first[bag + 1]; e++) {
        const bt_redrawn_entry *entry = &pair->bags.entries[e];
        double score = entry->best * likely(user, pair->value_of[entry->value]);
        if (score <= 0 || score < out->best * (1 - bt_redrawn_tie)) continue;
        if (score > out->best * (1 + bt_redrawn_tie)) *out = (pick){.best = score};
        out->ties += entry->ties;
        if (entry->value == mark) out->credit += entry->credit;
    }
}

/* The credit of a kind by pairs: the person's own rows have one sensitive value. */
static double paired_credit(const bt_redrawn_pair *pair, uint32_t kind, double likely, double best)
{
    const bt_redrawn_truth *truth = &pair->truth;
    double credit = 0;
    for (size_t e = truth->pair_first[kind]; e < truth->pair_first[kind + 1]; e++) {
        const bt_redrawn_match *match = &truth->pairs[e];
        double score = match->chance * likely / (pair->discount ? pair->discount[match->row] : 1);
        if (score >= best * (1 - bt_redrawn_tie))
            credit += truth->rows.size[match->row] * match->own;
    }
    return credit;
}

double bt_redrawn_pair_link(const bt_redrawn_pair *pair, int64_t row, bt_redrawn_likely likely,
                            const void *user)
{
    const bt_redrawn_truth *truth = &pair->truth;
    const bt_redrawn *redrawn = pair->view->redrawn;
    uint32_t kind = truth->person_kind[row], mark = truth->person_mark[kind];
    pick found = {0};
    for (size_t i = 0; i < redrawn->set_count; i++) {
        uint32_t unit = redrawn->sets[i].of_person[truth->target[kind]];
        if (unit == BT_TUPLE_NONE) continue;
        look_at_bag(pair, pair->bags.base[i] + unit, mark, likely, user, &found);
    }
    if (found.ties <= 0 || mark == BT_TUPLE_NONE) return 0;
    double credit = truth->pairs
                        ? paired_credit(pair, kind, likely(user, pair->value_of[mark]), found.best)
                        : truth->person_weight[kind] * found.credit;
    return fmin(credit / found.ties, 1);
}

bauta_status bt_redrawn_pair_restore(const bt_redrawn_pair *pair, bt_attack_job *job,
                                     bauta_error *error)
{
    enum { SETS_MOST = 1000 };
    size_t sets = pair->truth.redrawn.set_count;
    if (!pair->first || pair->versions.quasi == 0 || sets == 1 || sets > SETS_MOST) return BAUTA_OK;
    return bt_redrawn_restore(job, &pair->truth, &pair->versions, error);
}
