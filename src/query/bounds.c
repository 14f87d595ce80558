/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, averages, minima and maxima over records that must or may count.
 */
#include "query/bounds.h"

#include <stdio.h>

void bt_bounds_open(bt_bounds *bounds, bt_aggregate aggregate)
{
    *bounds = (bt_bounds){.aggregate = aggregate};
}

void bt_bounds_release(bt_bounds *bounds)
{
    free(bounds->low.items);
    free(bounds->high.items);
    *bounds = (bt_bounds){0};
}

/* ---- adding ---- */

static void stretch(int64_t value, bool any, int64_t *least, int64_t *greatest)
{
    if (!any || value < *least) *least = value;
    if (!any || value > *greatest) *greatest = value;
}

static bauta_status add(bt_end *end, bool average, bt_item item, int64_t boundless,
                        bauta_error *error)
{
    if (item.count == 0) return BAUTA_OK;
    stretch(item.value, end->any, &end->least, &end->greatest);
    end->any = true;
    if (item.must) {
        stretch(item.value, end->any_must, &end->must_least, &end->must_greatest);
        end->any_must = true;
    }
    if (item.value == boundless) {
        end->open = true;
        return BAUTA_OK;
    }
    bool helps = boundless == INT64_MIN ? item.value < 0 : item.value > 0;
    if (item.must || helps) end->sum += (__int128)item.value * item.count;
    if (!average) return BAUTA_OK;
    bt_item *last = end->count ? &end->items[end->count - 1] : NULL;
    if (last && last->value == item.value && last->must == item.must) {
        last->count += item.count;
        return BAUTA_OK;
    }
    BT_TRY(bt_array_grow(&end->items, &end->capacity, end->count + 1, sizeof *end->items, error));
    end->items[end->count++] = item;
    return BAUTA_OK;
}

bauta_status bt_bounds_low(bt_bounds *bounds, int64_t value, int64_t count, bool must,
                           bauta_error *error)
{
    return add(&bounds->low, bounds->aggregate == BT_AVG, (bt_item){value, count, must}, INT64_MIN,
               error);
}

bauta_status bt_bounds_high(bt_bounds *bounds, int64_t value, int64_t count, bool must,
                            bauta_error *error)
{
    return add(&bounds->high, bounds->aggregate == BT_AVG, (bt_item){value, count, must}, INT64_MAX,
               error);
}

/* ---- closing ---- */

static bt_bound whole(__int128 number)
{
    return (bt_bound){.top = number, .bottom = 1};
}

static bt_bound number_or_open(int64_t number, bool open)
{
    return (bt_bound){.open = open, .top = open ? 0 : number, .bottom = 1};
}

/* One step: the sum and number of all that must, and of the others that are on the right side of
 * the average so far. */
static bt_bound improve(const bt_end *end, const bt_bound *average, int sign)
{
    bt_bound sum = {0};
    for (size_t i = 0; i < end->count; i++) {
        const bt_item *item = &end->items[i];
        bool better =
            average && ((__int128)item->value * average->bottom - average->top) * sign < 0;
        if (!item->must && !better) continue;
        sum.top += (__int128)item->value * item->count;
        sum.bottom += item->count;
    }
    return sum;
}

/* sign 1: the least average, -1: the greatest. */
static bt_bound average(const bt_end *end, int sign)
{
    if (!end->any || end->open) return (bt_bound){.open = true, .bottom = 1};
    if (!end->any_must) return whole(sign > 0 ? end->least : end->greatest);
    bt_bound now = improve(end, NULL, sign), next = improve(end, &now, sign);
    while (next.bottom != now.bottom) {
        now = next;
        next = improve(end, &now, sign);
    }
    return now;
}

void bt_bounds_close(const bt_bounds *bounds, bt_bound *lower, bt_bound *upper)
{
    const bt_end *low = &bounds->low, *high = &bounds->high;
    bool none = !low->any || !high->any;
    switch (bounds->aggregate) {
    case BT_COUNT:
        *lower = whole(bounds->must);
        *upper = whole(bounds->may);
        break;
    case BT_SUM:
        *lower = (bt_bound){low->open, low->sum, 1};
        *upper = (bt_bound){high->open, high->sum, 1};
        break;
    case BT_AVG:
        *lower = average(low, 1);
        *upper = average(high, -1);
        break;
    case BT_MIN: {
        int64_t most = high->any_must ? high->must_least : high->greatest;
        *lower = number_or_open(low->least, none || low->open);
        *upper = number_or_open(most, none || most == INT64_MAX);
        break;
    }
    case BT_MAX: {
        int64_t least = low->any_must ? low->must_greatest : low->least;
        *lower = number_or_open(least, none || least == INT64_MIN);
        *upper = number_or_open(high->greatest, none || high->open);
        break;
    }
    }
}

/* ---- decimal ---- */

static __int128 divisor_of(const bt_bound *bound, int scale)
{
    __int128 divisor = bound->bottom;
    for (int i = 0; i < scale; i++)
        divisor *= 10;
    return divisor;
}

bool bt_bound_is_whole(const bt_bound *bound, int scale, int64_t *out)
{
    __int128 divisor = divisor_of(bound, scale), quotient = bound->top / divisor;
    if (bound->top % divisor != 0 || quotient > INT64_MAX || quotient < INT64_MIN) return false;
    *out = (int64_t)quotient;
    return true;
}

double bt_bound_round(const bt_bound *bound, int scale, bool up)
{
    enum { DIGITS = 15 };
    static const int64_t limit = 1000000000000000; /* 10^DIGITS */
    bool negative = bound->top < 0, inexact = false;
    __int128 divisor = divisor_of(bound, scale), top = negative ? -bound->top : bound->top;
    __int128 kept = top / divisor, rest = top % divisor;
    int exponent = 0;
    char text[64];
    for (; kept >= limit; kept /= 10, exponent++)
        inexact |= kept % 10 != 0;
    for (; exponent <= 0 && rest != 0 && kept < limit / 10 && exponent > -60; exponent--) {
        rest *= 10;
        kept = kept * 10 + rest / divisor;
        rest %= divisor;
    }
    inexact |= rest != 0;
    if (inexact && up != negative) kept++;
    snprintf(text, sizeof text, "%s%llde%d", negative ? "-" : "", (long long)kept, exponent);
    return strtod(text, NULL);
}
