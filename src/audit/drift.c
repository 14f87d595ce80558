/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders with rows of others between.
 */
#include "audit/drift.h"

#include <math.h>

static const double turn_variance = 0.5; /* of the cosine of a random place */

/* ---- places and headings ----------------------------------------------------------------- */

static void set_place(bt_walk *walk)
{
    const double whole = 2 * 3.14159265358979323846;
    double share = ((double)walk->at + 0.5) / (double)walk->count;
    walk->place = (bt_heading){share - 0.5, {cos(whole * share), sin(whole * share)}, 1};
}

bt_walk bt_walk_begin(int64_t count)
{
    bt_walk walk = {.at = 1, .count = count};
    set_place(&walk);
    double second[2] = {walk.place.turn[0], walk.place.turn[1]};
    walk.at = 0;
    set_place(&walk);
    const double *first = walk.place.turn;
    walk.step[0] = first[0] * second[0] + first[1] * second[1];
    walk.step[1] = first[0] * second[1] - first[1] * second[0];
    return walk;
}

/* Turned from place to place; anew from time to time, so that no rounding adds up. */
void bt_walk_next(bt_walk *walk)
{
    enum { ANEW = 1 << 12 };
    bt_heading *place = &walk->place;
    walk->at++;
    if (walk->at % ANEW == 0) {
        set_place(walk);
        return;
    }
    double across = place->turn[0], up = place->turn[1];
    place->line += 1 / (double)walk->count;
    place->turn[0] = across * walk->step[0] - up * walk->step[1];
    place->turn[1] = across * walk->step[1] + up * walk->step[0];
}

void bt_heading_add(bt_heading *sum, const bt_heading *other)
{
    sum->line += other->line;
    sum->turn[0] += other->turn[0];
    sum->turn[1] += other->turn[1];
    sum->count += other->count;
}

void bt_headings_mean(bt_heading *headings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bt_heading *one = &headings[i];
        if (one->count <= 0) continue;
        one->line /= one->count;
        one->turn[0] /= one->count;
        one->turn[1] /= one->count;
    }
}

void bt_headings_of_rows(const bt_step_table *rows, bt_heading *headings)
{
    bt_walk walk = bt_walk_begin(rows->rows);
    for (uint32_t k = 0; k < rows->kinds; k++)
        headings[k] = (bt_heading){0};
    for (; walk.at < rows->rows; bt_walk_next(&walk))
        if (rows->kind_of[walk.at] != BT_NO_KIND)
            bt_heading_add(&headings[rows->kind_of[walk.at]], &walk.place);
}

/* ---- units ------------------------------------------------------------------------------- */

typedef struct unit {
    const bt_heading *headings;
    const uint32_t *kind_of;
    int64_t rows;
} unit;

/* The heading of the next row, from `*at` on, of which something is known. */
static const bt_heading *next_known(const unit *u, int64_t *at)
{
    for (; *at < u->rows; ++*at) {
        uint32_t kind = u->kind_of[*at];
        if (kind != BT_NO_KIND && u->headings[kind].count > 0) {
            ++*at;
            return &u->headings[kind];
        }
    }
    return NULL;
}

/* The mean heading of the first `known` rows of which something is known. */
static bt_heading find_mean(const unit *u, int64_t known)
{
    bt_heading mean = {0};
    int64_t at = 0;
    for (int64_t i = 0; i < known; i++) {
        bt_heading one = *next_known(u, &at);
        one.count = 1;
        bt_heading_add(&mean, &one);
    }
    bt_headings_mean(&mean, 1);
    return mean;
}

static void add_line(bt_drift *all, const unit *u, int64_t known)
{
    bt_heading mean = find_mean(u, known);
    double squares = 0, count = (double)known;
    int64_t at = 0;
    for (int64_t i = 0; i < known; i++) {
        double away = next_known(u, &at)->line - mean.line;
        all->sum[0] += (((double)i + 0.5) / count - 0.5) * away;
        squares += away * away;
    }
    all->kept += squares;
    all->spread[0] += squares * (count * count - 1) / (12 * count * count);
}

static void add_circle(bt_drift *all, const unit *u, int64_t known)
{
    bt_heading mean = find_mean(u, known);
    double *sum = all->sum + 1, *spread = all->spread + 1;
    bt_walk walk = bt_walk_begin(known);
    for (int64_t at = 0; walk.at < known; bt_walk_next(&walk)) {
        const bt_heading *wanted = next_known(u, &at);
        for (int way = 0; way < 2; way++) {
            double away = wanted->turn[way] - mean.turn[way];
            for (int own = 0; own < 2; own++) {
                sum[2 * way + own] += walk.place.turn[own] * away;
                spread[2 * way + own] += turn_variance * away * away;
            }
        }
    }
}

void bt_drift_add(bt_drift *all, const bt_heading *headings, const uint32_t *kind_of, int64_t rows,
                  bool circular)
{
    enum { CIRCLE_LEAST = 4 };
    const unit u = {headings, kind_of, rows};
    int64_t known = 0, at = 0;
    while (next_known(&u, &at))
        known++;
    if (known < 2) return;
    add_line(all, &u, known);
    all->circular |= circular;
    if (circular && known >= CIRCLE_LEAST) add_circle(all, &u, known - known % 2);
}

/* ---- judgement --------------------------------------------------------------------------- */

static double judge_sum(double sum, double spread)
{
    return spread > 0 ? fmin(0, log(2) - sum * sum / (4 * spread)) : 0;
}

bt_order bt_drift_judge(const bt_drift *all)
{
    const double deviations = 3;
    int questions = all->circular ? BT_DRIFT_QUESTIONS : 1;
    double asked = log(questions) + log(BT_DRIFTS);
    double chance = 0, kept = fmax(0, all->kept - deviations * sqrt(all->spread[0]));
    for (int i = 0; i < questions; i++)
        chance = fmin(chance, judge_sum(all->sum[i], all->spread[i]));
    return (bt_order){chance + asked, judge_sum(kept, all->spread[0]) + asked};
}

/* Of a long table every second, third, … row is looked at, so that some 2^16 are: in a random order
 * these are in random order, too. */
bauta_status bt_drift_tables(const bt_step_table tables[2], bt_order *out, bauta_error *error)
{
    enum { ENOUGH = 1 << 16 };
    int64_t step = tables[1].rows / ENOUGH + 1, rows = (tables[1].rows + step - 1) / step;
    bt_drift all = {0};
    bt_heading *headings = bt_array(tables[0].kinds, sizeof *headings);
    uint32_t *kind_of = bt_array((size_t)rows, sizeof *kind_of);
    bool made = headings && kind_of;
    if (made) {
        bt_headings_of_rows(&tables[0], headings);
        bt_headings_mean(headings, tables[0].kinds);
        for (int64_t i = 0; i < rows; i++)
            kind_of[i] = tables[1].kind_of[i * step];
        bt_drift_add(&all, headings, kind_of, rows, true);
        *out = bt_drift_judge(&all);
    }
    free(headings);
    free(kind_of);
    return made ? BAUTA_OK : bt_fail_memory(error);
}
