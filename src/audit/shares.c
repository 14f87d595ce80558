/* SPDX-License-Identifier: Apache-2.0
 *
 * Probabilities by entropy once more.
 */
#include "audit/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVES_MOST = 12 };
static const double near_half = 1e-6; /* in parts */

typedef struct shares {
    size_t columns;
    int64_t bottom;
    double *parts;  /* per column: its part before rounding */
    int64_t *tops;  /* per column: its part after rounding, over `bottom` */
    size_t *halves; /* columns that may be rounded either way */
    size_t half_count;
} shares;

static double diversity(const int64_t *held, uint32_t size, int64_t records)
{
    double entropy = 0;
    for (uint32_t code = 0; code < size; code++) {
        double share = (double)held[code] / (double)records;
        if (held[code] > 0) entropy -= share * log2(share);
    }
    return exp2(entropy);
}

static bauta_status find_parts(const bt_compared *compared, shares *s, bauta_error *error)
{
    double sum = 0;
    for (size_t i = 0; i < s->columns; i++) {
        const bt_compared_column *column = &compared->columns[i];
        int64_t *held = bt_array_zero(column->size, sizeof *held);
        if (!held) return bt_fail_memory(error);
        for (int64_t r = 0; r < compared->record_count; r++)
            held[bt_compared_record(column, r)]++;
        s->parts[i] = diversity(held, column->size, compared->record_count);
        sum += s->parts[i];
        free(held);
    }
    for (size_t i = 0; i < s->columns; i++) {
        s->parts[i] *= (double)s->bottom / sum;
        if (fabs(s->parts[i] - floor(s->parts[i]) - 0.5) < near_half)
            s->halves[s->half_count++] = i;
    }
    return BAUTA_OK;
}

/* Rounds; of the halves those go upwards that a bit of `ways` is set for. */
static void round_parts(shares *s, uint32_t ways)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->columns; i++)
        s->tops[i] = (int64_t)floor(s->parts[i] + 0.5);
    for (size_t h = 0; h < s->half_count; h++)
        s->tops[s->halves[h]] = (int64_t)floor(s->parts[s->halves[h]]) + (ways >> h & 1);
    for (size_t i = 0; i < s->columns; i++) {
        if (s->tops[i] < 1) s->tops[i] = 1;
        sum += s->tops[i];
    }
    while (sum != s->bottom) {
        size_t most = 0;
        int64_t step = sum < s->bottom ? 1 : -1;
        for (size_t i = 1; i < s->columns; i++)
            if (s->tops[i] > s->tops[most]) most = i;
        s->tops[most] += step;
        sum += step;
    }
}

static bool are_stated(const shares *s, const bt_mechanism *mechanism)
{
    for (size_t i = 0; i < s->columns; i++)
        if (bt_ratio_compare(s->tops[i], s->bottom, mechanism->redrawn[i]) != 0) return false;
    return true;
}

static bt_shares_verdict try_ways(shares *s, const bt_mechanism *mechanism)
{
    if (s->half_count > HALVES_MOST) return BT_SHARES_TOO_NEAR;
    for (uint32_t ways = 0; ways < (uint32_t)1 << s->half_count; ways++) {
        round_parts(s, ways);
        if (are_stated(s, mechanism)) return BT_SHARES_FOLLOW;
    }
    return BT_SHARES_DIFFER;
}

bauta_status bt_shares_check(const bt_compared *compared, const bt_mechanism *mechanism,
                             bt_shares_verdict *out, bauta_error *error)
{
    size_t columns = mechanism->columns;
    shares s = {.columns = columns,
                .bottom = columns > 10 ? 10 * (int64_t)columns : 100,
                .parts = bt_array(columns, sizeof *s.parts),
                .tops = bt_array(columns, sizeof *s.tops),
                .halves = bt_array(columns, sizeof *s.halves)};
    bauta_status status =
        s.parts && s.tops && s.halves ? find_parts(compared, &s, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) *out = try_ways(&s, mechanism);
    free(s.parts);
    free(s.tops);
    free(s.halves);
    return status;
}
