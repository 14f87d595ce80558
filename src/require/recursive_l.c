/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursive (c,l)-diversity: in every class the most frequent sensitive value is rarer than c
 * times all but the l-1 most frequent ones together (Machanavajjhala, Gehrke and Kifer 2006):
 * r1 < c * (r_l + r_(l+1) + …) with the counts r in descending order.
 *
 * Cost: linear in the values that occur in the class, times the bits of the greatest count.
 */
#include "base/natural.h"
#include "class/belief.h"
#include "require/distinct.h"

#include <string.h>

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "the place from which on values count against the most frequent one"},
    {.name = "c",
     .type = BT_PARAM_RATIONAL,
     .above = true,
     .minimum = "0",
     .help = "how many times their sum the most frequent value may nearly reach"},
};

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    int64_t rest = bt_bag_rest(bag, (uint32_t)instance->values[0].integer - 1);
    return rest > 0 &&
           bt_ratio_compare((int64_t)bt_bag_greatest(bag), rest, instance->values[1].rational) < 0;
}

/* One change moves the most frequent value and the sum by one at most, so c times the one less the
 * other by 1 + c. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    bt_rational c = instance->values[1].rational;
    int64_t rest = bt_bag_rest(bag, (uint32_t)instance->values[0].integer - 1);
    if (!check(instance, prepared, bag)) return -1;
    unsigned __int128 step = (unsigned __int128)c.top + (unsigned __int128)c.bottom;
    unsigned __int128 spare = (unsigned __int128)c.top * (unsigned __int128)rest -
                              (unsigned __int128)c.bottom * bt_bag_greatest(bag);
    return (int64_t)((spare - 1) / step);
}

/* There are no values from number l on. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    (void)prepared;
    return bag->distinct < instance->values[0].integer;
}

typedef struct ranked {
    const uint64_t *share;
    size_t words;
} ranked;

static int by_share(const void *left, const void *right) /* descending */
{
    const ranked *a = left, *b = right;
    return bt_natural_compare(b->share, a->share, a->words);
}

/* greatest * bottom < top * the sum from number l on */
static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)prepared;
    const bt_shares *shares = belief->shares;
    bt_rational c = instance->values[1].rational;
    size_t words = shares->words;
    uint64_t greatest_share[BT_SHARES_ROOM], rest[BT_SHARES_ROOM];
    ranked *order = bt_array(shares->codes, sizeof *order);
    if (!order) return bt_fail_memory(error);
    for (uint32_t code = 0; code < shares->codes; code++)
        order[code] = (ranked){bt_share(shares, code), words};
    qsort(order, shares->codes, sizeof *order, by_share);
    memcpy(greatest_share, order[0].share, words * sizeof *rest);
    bt_natural_set(rest, words, 0);
    for (int64_t i = instance->values[0].integer - 1; i < (int64_t)shares->codes; i++)
        bt_natural_add(rest, order[i].share, words);
    free(order);
    bt_natural_multiply(greatest_share, (uint64_t)c.bottom, words);
    bt_natural_multiply(rest, (uint64_t)c.top, words);
    *holds = bt_natural_compare(greatest_share, rest, words) < 0;
    return BAUTA_OK;
}

/* From l = 2 on the most frequent value is not among those it is compared with: it has less than c
 * times the rest. */
static bauta_status bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error)
{
    (void)arena;
    (void)error;
    double c = bt_rational_double(instance->values[1].rational);
    bt_ceiling_lower(ceiling, instance->values[0].integer > 1 ? c / (1 + c) : c);
    return BAUTA_OK;
}

/* The most frequent value is rarer than more than all: it always is. */
static bool asks_nothing(const bt_requirement_instance *instance)
{
    return instance->values[0].integer <= 1 &&
           bt_ratio_compare(1, 1, instance->values[1].rational) < 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    long long l = instance->values[0].integer;
    bt_error_hint(error,
                  "the most frequent value is that of %llu persons, those from number %lld on "
                  "together that of %lld, c is %s",
                  (unsigned long long)bt_bag_greatest(bag), l,
                  (long long)bt_bag_rest(bag, (uint32_t)l - 1), instance->values[1].text);
}

static bool mixes(const bt_requirement_instance *instance)
{
    return instance->values[0].integer > 1;
}

const bt_requirement bt_requirement_recursive_l = {
    .name = "recursive-l",
    .summary = "the most frequent value is rarer than c times all from the l-th most frequent on",
    .paper = "Machanavajjhala, Gehrke and Kifer 2006",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .hopeless = hopeless,
    .believe = believe,
    .bound = bound,
    .mixes = mixes,
    .explain = explain,
};
