/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds for random orders.
 */
#include "audit/orders.h"

#include "base/gamma.h"

#include <math.h>

/* ---- events ------------------------------------------------------------------------------ */

/* The unlikelier an event the heavier: -ln of its probability is its weight. `means` are ln of the
 * mean of exp(t * weight of those that happen), t = step, 2 step, …; `weight` and `most` are the
 * sum and the greatest of those that happened, `full` and `heaviest` those if all had. */
static const double step = 0.15;

/* `chance` is ln of a bound on the probability. */
static void add_event(bt_events *all, double chance, bool happened)
{
    if (chance >= 0) return;
    double p = exp(chance), factor = exp(-step * chance), power = factor;
    for (int i = 0; i < BT_EVENT_STEPS; i++) {
        all->means[i] += log1p(p * (power - 1));
        power *= factor;
    }
    all->count++;
    all->full -= chance;
    all->heaviest = fmax(all->heaviest, -chance);
    if (!happened) return;
    all->weight -= chance;
    all->most = fmax(all->most, -chance);
}

/* Two questions: the heaviest event by itself, and all together. */
static double judge_events(const bt_events *all, double weight, double most)
{
    double least = most > 0 ? log(all->count) - most : 0;
    for (int i = 0; i < BT_EVENT_STEPS; i++)
        least = fmin(least, all->means[i] - step * (i + 1) * weight);
    return least + log(2);
}

/* ---- sums -------------------------------------------------------------------------------- */

/* So many of `count` neighbours are in order, forwards or backwards. */
static double judge_neighbours(double ascents, double count)
{
    double more = fmax(ascents, count - ascents), fewer = count - more;
    if (count <= 0 || more <= count / 2) return 0;
    double miss = fewer > 0 ? fewer * log(2 * fewer / count) : 0;
    return fmin(0, log(2) - more * log(2 * more / count) - miss);
}

/* `marked` of `rows` rows are marked, of the first `early` ones `drawn`: as far off in either
 * direction. */
static double judge_half(double rows, double early, double marked, double drawn)
{
    double mean = marked * early / rows;
    if (drawn < mean) { /* then more than usual are among the others */
        drawn = marked - drawn;
        early = rows - early;
        mean = marked - mean;
    }
    if (drawn <= mean + 1 || rows < 2) return 0;
    double others = rows - early, rest = marked - drawn;
    if (drawn > early || rest < 0 || rest > others) return 0;
    double term =
        bt_log_gamma(early + 1) - bt_log_gamma(drawn + 1) - bt_log_gamma(early - drawn + 1) +
        bt_log_gamma(others + 1) - bt_log_gamma(rest + 1) - bt_log_gamma(others - rest + 1) -
        (bt_log_gamma(rows + 1) - bt_log_gamma(marked + 1) - bt_log_gamma(rows - marked + 1));
    /* Terms fall off at least as fast as the first two do. */
    double ratio = (early - drawn) * rest / ((drawn + 1) * (others - rest + 1));
    return ratio < 1 ? fmin(0, log(2) + term - log1p(-ratio)) : 0;
}

/* ---- permutations ------------------------------------------------------------------------ */

typedef struct turns {
    bt_events sorted[2], rotated; /* forwards and backwards; either */
    double ascents, neighbours;
} turns;

static void add_unit(turns *all, const uint32_t *place, size_t count)
{
    size_t ascents = 0;
    if (count < 2) return;
    for (size_t i = 1; i < count; i++)
        ascents += place[i] > place[i - 1];
    size_t around = ascents + (place[0] > place[count - 1]);
    all->ascents += (double)ascents;
    all->neighbours += (double)count - 1;
    add_event(&all->sorted[0], -bt_log_gamma((double)count + 1), ascents == count - 1);
    add_event(&all->sorted[1], -bt_log_gamma((double)count + 1), ascents == 0);
    add_event(&all->rotated, log(2) - bt_log_gamma((double)count),
              around == 1 || around == count - 1);
}

static bt_order judge_turns(const turns *all)
{
    const bt_events *sorted = all->sorted, *rotated = &all->rotated;
    const double asked = log(4);
    double chance = judge_neighbours(all->ascents, all->neighbours);
    double least = judge_neighbours(all->neighbours, all->neighbours);
    for (int way = 0; way < 2; way++)
        chance = fmin(chance, judge_events(&sorted[way], sorted[way].weight, sorted[way].most));
    chance = fmin(chance, judge_events(rotated, rotated->weight, rotated->most));
    least = fmin(least, judge_events(&sorted[0], sorted[0].full, sorted[0].heaviest));
    return (bt_order){chance + asked, least + asked};
}

bt_order bt_orders_within(const uint32_t *place, const size_t *first, uint32_t units)
{
    turns all = {0};
    for (uint32_t u = 0; u < units; u++)
        add_unit(&all, place + first[u], first[u + 1] - first[u]);
    return judge_turns(&all);
}

/* The most rows that are at one distance from their places, around the ends, in either direction.
 */
static bauta_status find_distance(const uint32_t *place, uint32_t count, uint32_t *most,
                                  bauta_error *error)
{
    uint32_t *ahead = bt_array_zero(count, sizeof *ahead),
             *back = bt_array_zero(count, sizeof *back);
    bauta_status status = ahead && back ? BAUTA_OK : bt_fail_memory(error);
    *most = 0;
    for (uint32_t i = 0; status == BAUTA_OK && i < count; i++) {
        ahead[place[i] >= i ? place[i] - i : place[i] + (count - i)]++;
        back[place[i] >= count - i ? place[i] - (count - i) : place[i] + i]++;
    }
    for (uint32_t i = 0; status == BAUTA_OK && i < count; i++) {
        if (ahead[i] > *most) *most = ahead[i];
        if (back[i] > *most) *most = back[i];
    }
    free(ahead);
    free(back);
    return status;
}

bauta_status bt_orders_whole(const uint32_t *place, uint32_t count, bt_order *out,
                             bauta_error *error)
{
    turns all = {0};
    uint32_t half = count / 2, early = 0, most;
    const double asked = log(3);
    *out = (bt_order){0};
    if (count < 2) return BAUTA_OK;
    BT_TRY(find_distance(place, count, &most, error));
    add_unit(&all, place, count);
    for (uint32_t i = 0; i < half; i++)
        early += place[i] < half;
    bt_order turned = judge_turns(&all);
    double distance = log(2 * (double)count) - bt_log_gamma((double)most + 1);
    double halves = judge_half(count, half, half, early);
    *out = (bt_order){fmin(turned.chance, fmin(distance, halves)) + asked, turned.least + asked};
    return BAUTA_OK;
}

/* ---- rows that fit ----------------------------------------------------------------------- */

/* ln of the geometric mean of 1 to n. */
static double log_mean(double n)
{
    return bt_log_gamma(n + 1) / n;
}

/* All known rows fit in at most the product of their ways, of all places that they may have; and
 * the orders in which all fit are a permanent, which is at most the product of the geometric means
 * of 1 to the partners of each row (Bregman 1973). The first is sharp where rows are alike, the
 * second where each fits many that are not. */
void bt_fits_add(bt_fits *all, const bt_fit *rows, size_t count)
{
    size_t known = 0, hits[2] = {0, 0};
    uint32_t last = 0;
    double chance = 0, permanent = 0, mean = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].partners == 0) continue;
        if (rows[i].partners != last) mean = log_mean(rows[i].partners);
        last = rows[i].partners;
        permanent += mean;
        chance += log((double)(rows[i].ways ? rows[i].ways : 1) / (double)(count - known++));
        all->expected += (double)rows[i].partners / (double)count;
        hits[0] += rows[i].forwards;
        hits[1] += rows[i].backwards;
    }
    if (known == 0) return;
    all->known += (double)known;
    chance = fmin(chance, permanent - (double)known * log_mean((double)count));
    for (int way = 0; way < 2; way++) {
        add_event(&all->whole[way], chance, hits[way] == known);
        all->hits[way] += (double)hits[way];
    }
}

void bt_fits_add_unit(bt_fits *all, double chance, bool forwards, bool backwards)
{
    add_event(&all->whole[0], chance, forwards);
    add_event(&all->whole[1], chance, backwards);
}

/* Chatterjee's bound (step.h), forwards and backwards. His proof bounds the logarithm of the moment
 * generating function by the mean: both add up over independent permutations. */
static double judge_hits(double hits, double expected)
{
    double off = hits - expected;
    return off > 0 ? fmin(0, log(4) - off * off / (2 * expected + 2 * hits)) : 0;
}

static const double fit_questions = 3;

double bt_fits_limit(const bt_fits *all)
{
    double far = log(4) + log(fit_questions) - BT_ORDER_CHANCE;
    return all->expected + far + sqrt(far * (far + 4 * all->expected));
}

bt_order bt_fits_judge(const bt_fits *all)
{
    const bt_events *whole = all->whole;
    const double asked = log(fit_questions);
    double least = judge_events(&whole[0], whole[0].full, whole[0].heaviest);
    double chance = fmin(judge_events(&whole[0], whole[0].weight, whole[0].most),
                         judge_events(&whole[1], whole[1].weight, whole[1].most));
    chance = fmin(chance, judge_hits(fmax(all->hits[0], all->hits[1]), all->expected));
    least = fmin(least, judge_hits(all->known, all->expected));
    return (bt_order){chance + asked, least + asked};
}

/* ---- marks ------------------------------------------------------------------------------- */

bt_order bt_orders_marked(const uint32_t *rows, const uint32_t *marks, const bool *together,
                          uint32_t units, int64_t early)
{
    bt_events all = {0};
    double count = 0, marked = 0;
    const double asked = log(2);
    for (uint32_t u = 0; u < units; u++) {
        double size = rows[u], some = marks[u];
        count += size;
        marked += some;
        if (some == 0 || some == size) continue;
        add_event(&all,
                  log(2) - bt_log_gamma(size + 1) + bt_log_gamma(some + 1) +
                      bt_log_gamma(size - some + 1),
                  together[u]);
    }
    double half = floor(count / 2), most = fmin(half, marked);
    double chance = judge_events(&all, all.weight, all.most);
    double least = judge_events(&all, all.full, all.heaviest);
    chance = fmin(chance, judge_half(count, half, marked, (double)early));
    least = fmin(least, judge_half(count, half, marked, most));
    return (bt_order){chance + asked, least + asked};
}
