/* SPDX-License-Identifier: Apache-2.0
 *
 * The chance of each pair of a record and a row that may be its own, by passing messages between
 * both sides (Huang and Jebara 2009: the Bethe approximation of a permanent): a record tells each
 * of its rows how likely its other rows are, and a row each of its records how likely others are.
 * Of kinds of records and rows one member counts less in what is told to itself.
 */
#include "attack/redrawn_truth.h"

#include <math.h>
#include <string.h>

enum { PAIRS_MOST = 4 << 20, LOOKS_MOST = 1 << 28, ROUNDS = 20 };
static const double least = 1e-12; /* of a sum: what is left without a sure one */

/* ---- which pairs ------------------------------------------------------------------------- */

typedef struct unit_rows { /* kinds of rows unit by unit of a set */
    uint32_t *start, *row;
} unit_rows;

static void lay_out(const bt_redrawn *redrawn, const bt_redrawn_set *set, unit_rows *of)
{
    uint32_t *next = of->start + 1; /* becomes `start` as places are taken */
    memset(of->start, 0, ((size_t)set->units + 2) * sizeof *of->start);
    for (uint32_t row = 0; row < redrawn->rows.count; row++)
        next[set->of_row[row] + 1]++;
    for (uint32_t u = 0; u < set->units; u++)
        next[u + 1] += next[u];
    for (uint32_t row = 0; row < redrawn->rows.count; row++)
        of->row[next[set->of_row[row]]++] = row;
}

/* Whether both differ in all columns of the set, so that no smaller one has the pair. */
static bool differ_in_all(const bt_redrawn *redrawn, const bt_redrawn_set *set, uint32_t person,
                          uint32_t row)
{
    for (uint64_t left = set->columns; left; left &= left - 1) {
        size_t c = (size_t)__builtin_ctzll(left);
        const uint32_t *people = redrawn->people.codes[c].codes;
        const uint32_t *rows = redrawn->rows.codes[c].codes;
        if (people[person] == rows[row]) return false;
    }
    return true;
}

typedef struct choosing {
    bt_redrawn_truth *truth;
    unit_rows of;
    double *chance; /* per kind of rows, for the set that is looked at */
    double likely;  /* pairs that the factors make at least as likely are taken */
    bool put;       /* else counted */
} choosing;

/* Where all columns are drawn anew there is one set, in which all may be anyone's. */
static void pass_set(const choosing *c, const bt_redrawn_set *set)
{
    bt_redrawn_truth *truth = c->truth;
    const bt_redrawn *redrawn = &truth->redrawn;
    bool only = redrawn->set_count == 1;
    for (uint32_t p = 0; p < redrawn->people.count; p++) {
        uint32_t unit = set->of_person[p];
        if (unit == BT_TUPLE_NONE) continue;
        for (uint32_t i = c->of.start[unit]; i < c->of.start[unit + 1]; i++) {
            uint32_t row = c->of.row[i];
            double chance = c->chance[row];
            if (chance <= 0) continue; /* a product of very many shares */
            if (chance * truth->row_weight[row] * truth->person_weight[p] < c->likely) continue;
            if (!only && !differ_in_all(redrawn, set, p, row)) continue;
            if (c->put) truth->pairs[truth->pair_first[p]] = (bt_redrawn_match){row, 0, chance};
            truth->pair_first[p]++;
        }
    }
}

static void pass_all(choosing *c)
{
    const bt_redrawn *redrawn = &c->truth->redrawn;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        for (uint32_t row = 0; row < redrawn->rows.count; row++)
            c->chance[row] = bt_redrawn_chance(redrawn, set, row);
        lay_out(redrawn, set, &c->of);
        pass_set(c, set);
    }
}

/* How many rows are looked at for all people. */
static double count_looks(choosing *c)
{
    const bt_redrawn *redrawn = &c->truth->redrawn;
    double count = 0;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        lay_out(redrawn, set, &c->of);
        for (uint32_t p = 0; p < redrawn->people.count; p++)
            if (set->of_person[p] != BT_TUPLE_NONE)
                count += c->of.start[set->of_person[p] + 1] - c->of.start[set->of_person[p]];
    }
    return count;
}

/* Counts pairs, leaving out less and less likely ones until they are few enough; false: they are
 * not. */
static bool count_pairs(choosing *c, size_t *out)
{
    static const double likely[] = {0, 1.0 / 512, 1.0 / 64};
    double looks = count_looks(c);
    uint32_t people = c->truth->people.count;
    if (looks > (double)LOOKS_MOST) return false;
    for (size_t i = looks > (double)PAIRS_MOST ? 1 : 0; i < sizeof likely / sizeof *likely; i++) {
        size_t count = 0;
        memset(c->truth->pair_first, 0, people * sizeof *c->truth->pair_first);
        c->likely = likely[i];
        pass_all(c);
        for (uint32_t p = 0; p < people; p++)
            count += c->truth->pair_first[p];
        *out = count;
        if (count <= PAIRS_MOST) return true;
    }
    return false;
}

static bauta_status make_pairs(choosing *c, bauta_error *error)
{
    bt_redrawn_truth *truth = c->truth;
    uint32_t people = truth->people.count;
    size_t count = 0, here = 0;
    if (!count_pairs(c, &count)) return BAUTA_OK; /* what the factors say is close */
    truth->pairs = bt_array(count, sizeof *truth->pairs);
    if (!truth->pairs) return bt_fail_memory(error);
    count = 0;
    for (uint32_t p = 0; p < people; p++) { /* counts become places */
        here = truth->pair_first[p];
        truth->pair_first[p] = count;
        count += here;
    }
    c->put = true;
    pass_all(c);
    memmove(truth->pair_first + 1, truth->pair_first, people * sizeof *truth->pair_first);
    truth->pair_first[0] = 0;
    return BAUTA_OK;
}

/* ---- messages ---------------------------------------------------------------------------- */

typedef struct messages {
    double *to_row, *to_person;     /* per pair */
    double *sum;                    /* per kind of rows */
    double *row_rest, *person_rest; /* per kind: what the pairs that are left out add up to */
} messages;

/* People to rows: 1 over what a person's other rows add up to. */
static void tell_rows(const bt_redrawn_truth *truth, const messages *m)
{
    memcpy(m->sum, m->row_rest, truth->rows.count * sizeof *m->sum);
    for (uint32_t p = 0; p < truth->people.count; p++) {
        double all = m->person_rest[p];
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++)
            all += truth->rows.size[truth->pairs[e].row] * truth->pairs[e].chance * m->to_person[e];
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++) {
            const bt_redrawn_match *pair = &truth->pairs[e];
            m->to_row[e] = 1 / fmax(all - pair->chance * m->to_person[e], least * all);
            m->sum[pair->row] += truth->people.size[p] * pair->chance * m->to_row[e];
        }
    }
}

static void tell_people(const bt_redrawn_truth *truth, const messages *m)
{
    for (size_t e = 0; e < truth->pair_first[truth->people.count]; e++) {
        const bt_redrawn_match *pair = &truth->pairs[e];
        double all = m->sum[pair->row];
        m->to_person[e] = 1 / fmax(all - pair->chance * m->to_row[e], least * all);
    }
}

static void conclude(bt_redrawn_truth *truth, const messages *m)
{
    for (uint32_t p = 0; p < truth->people.count; p++) {
        double all = m->person_rest[p];
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++)
            all += truth->rows.size[truth->pairs[e].row] * truth->pairs[e].chance * m->to_person[e];
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++)
            truth->pairs[e].own = truth->pairs[e].chance * m->to_person[e] / all;
    }
}

/* What is left of the factors' sums without the pairs. A person who may have no row at all has that
 * left, too. */
static bauta_status find_rests(const bt_redrawn_truth *truth, messages *m, bool everyone,
                               bauta_error *error)
{
    const double *a = truth->person_weight, *b = truth->row_weight;
    BT_TRY(bt_redrawn_sum_people(&truth->redrawn, a, m->row_rest, error));
    BT_TRY(bt_redrawn_sum_rows(&truth->redrawn, b, m->person_rest, error));
    for (uint32_t p = 0; p < truth->people.count; p++) {
        double all = m->person_rest[p];
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++) {
            const bt_redrawn_match *pair = &truth->pairs[e];
            m->to_person[e] = b[pair->row];
            m->person_rest[p] -= truth->rows.size[pair->row] * pair->chance * b[pair->row];
            m->row_rest[pair->row] -= truth->people.size[p] * pair->chance * a[p];
        }
        m->person_rest[p] = m->person_rest[p] > 1e-9 * all ? m->person_rest[p] : 0;
        if (!everyone && a[p] * all < 1) m->person_rest[p] += 1 / a[p] - all;
    }
    for (uint32_t row = 0; row < truth->rows.count; row++)
        m->row_rest[row] = b[row] * m->row_rest[row] > 1e-9 ? m->row_rest[row] : 0;
    return BAUTA_OK;
}

static bauta_status pass_messages(bt_redrawn_truth *truth, bool everyone, bauta_error *error)
{
    size_t count = truth->pair_first[truth->people.count];
    messages m = {.to_row = bt_array(count, sizeof *m.to_row),
                  .to_person = bt_array(count, sizeof *m.to_person),
                  .sum = bt_array(truth->rows.count, sizeof *m.sum),
                  .row_rest = bt_array(truth->rows.count, sizeof *m.row_rest),
                  .person_rest = bt_array(truth->people.count, sizeof *m.person_rest)};
    bauta_status status = m.to_row && m.to_person && m.sum && m.row_rest && m.person_rest
                              ? find_rests(truth, &m, everyone, error)
                              : bt_fail_memory(error);
    for (int round = 0; round < ROUNDS && status == BAUTA_OK; round++) {
        tell_rows(truth, &m);
        tell_people(truth, &m);
    }
    if (status == BAUTA_OK) conclude(truth, &m);
    free(m.to_row);
    free(m.to_person);
    free(m.sum);
    free(m.row_rest);
    free(m.person_rest);
    return status;
}

bauta_status bt_redrawn_truth_pair(bt_redrawn_truth *truth, bool everyone, bauta_error *error)
{
    uint32_t rows = truth->rows.count;
    choosing c = {.truth = truth,
                  .of = {.start = bt_array((size_t)rows + 2, sizeof *c.of.start),
                         .row = bt_array(rows, sizeof *c.of.row)},
                  .chance = bt_array(rows, sizeof *c.chance)};
    truth->pair_first = bt_array_zero((size_t)truth->people.count + 2, sizeof *truth->pair_first);
    bauta_status status = c.of.start && c.of.row && c.chance && truth->pair_first
                              ? make_pairs(&c, error)
                              : bt_fail_memory(error);
    free(c.of.start);
    free(c.of.row);
    free(c.chance);
    return status == BAUTA_OK && truth->pairs ? pass_messages(truth, everyone, error) : status;
}
