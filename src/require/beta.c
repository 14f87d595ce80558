/* SPDX-License-Identifier: Apache-2.0
 *
 * beta-likeness: in every class the share q of a sensitive value exceeds its share p among all
 * published records by at most beta times p (Cao and Karras 2012). Enhanced, by at most p times the
 * smaller of beta and -ln p, so that a value of nearly everybody may not become one of everybody.
 *
 * Unlike t it bounds the gain of each value in proportion to how rare the value is. A value that is
 * rarer in a class than in the table is no matter: there is no lower bound. Shares are compared
 * exactly; where persons have several values they are shares of all values, as those of t.
 *
 * q is at most p (1 - ln p) if and only if e^(q/p - 1) is at most 1/p. The power of e is summed up
 * in fixed point, between proven bounds, with more and more words until these tell it from 1/p:
 * some do, since a power of e with a rational exponent other than 0 is irrational.
 *
 * Two classes that satisfy do so together, since the share of a value lies between its two.
 *
 * Cost: linear in the values that occur in the class; enhanced, more for a value within 10^-9 of
 * its bound.
 */
#include "base/assert.h"
#include "base/natural.h"
#include "class/belief.h"
#include "require/requirement.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { BASIC, ENHANCED };

static const bt_param params[] = {
    {.name = "beta",
     .type = BT_PARAM_RATIONAL,
     .above = true,
     .minimum = "0",
     .maximum = "1000000000",
     .help = "greatest growth of the share of a value, as a multiple of its share in the table"},
    {.name = "kind",
     .type = BT_PARAM_CHOICE,
     .choices = "basic|enhanced",
     .fallback = "basic",
     .help = "beta for all values; or, for frequent ones, less: -ln of their share"},
};

/* ---- powers of e ---- */

enum {
    WORDS_MOST = 64,    /* of the fraction; nothing is known to need more than four */
    WHOLE_WORDS = 3,    /* in front of it: what follows multiplies by numbers of 64 bits */
    EXPONENT_MOST = 23, /* e^23 is more than 2^33 */
};

/* The power e^(top/bottom), which lies between *low and *low + *off units of the last place; the
 * exponent is at most EXPONENT_MOST.
 *
 * Each term of the series, x^k / k!, is cut to whole units. What is cut off a term is less than
 * what was cut off the one before, times x / k, and 1; so it is less than e^x, which is less than
 * 2^34. The series ends with a term of no units where the next ones halve: these come to less than
 * two times as much. */
static void power_of_e(uint64_t top, uint64_t bottom, size_t words, uint64_t *low, wide *off)
{
    uint64_t term[WORDS_MOST + WHOLE_WORDS] = {0}, k = 1;
    const uint64_t none[WORDS_MOST + WHOLE_WORDS] = {0};
    size_t room = words + WHOLE_WORDS;
    memset(low, 0, room * sizeof *low);
    term[words] = 1;
    for (; k <= 2 * EXPONENT_MOST || bt_natural_compare(term, none, room) > 0; k++) {
        bt_natural_add(low, term, room);
        bt_natural_multiply(term, top, room);
        (void)bt_natural_divide(term, bottom, room);
        (void)bt_natural_divide(term, k, room);
    }
    *off = (wide)(k + 2) << 34;
}

/* Whether e^(top/bottom) <= all/some; they differ. */
static bool power_is_below(uint64_t top, uint64_t bottom, uint64_t all, uint64_t some)
{
    if (top / bottom >= EXPONENT_MOST) return false; /* all/some is less than 2^33 */
    for (size_t words = 2; words <= WORDS_MOST; words *= 2) {
        uint64_t low[WORDS_MOST + WHOLE_WORDS],
            high[WORDS_MOST + WHOLE_WORDS] = {0}, bound[WORDS_MOST + WHOLE_WORDS] = {0};
        size_t room = words + WHOLE_WORDS;
        wide off;
        power_of_e(top, bottom, words, low, &off);
        high[0] = (uint64_t)off;
        high[1] = (uint64_t)(off >> 64);
        bt_natural_add(high, low, room);
        bound[words] = all;
        bt_natural_multiply(low, some, room);
        bt_natural_multiply(high, some, room);
        if (bt_natural_compare(high, bound, room) <= 0) return true;
        if (bt_natural_compare(low, bound, room) > 0) return false;
    }
    return false; /* nobody knows: it does not count as satisfied */
}

/* ---- classes ---- */

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    (void)instance;
    (void)arena;
    (void)error;
    *prepared = (void *)(uintptr_t)column; /* its counts are those of the table */
    return BAUTA_OK;
}

/* (q - p) / p <= beta: own / size <= (1 + beta) all / total. */
static bool grows_little(bt_rational beta, uint64_t own, uint64_t size, uint64_t all,
                         uint64_t total)
{
    wide factor = (wide)beta.bottom + (wide)beta.top; /* less than 2^64 */
    if (total <= UINT32_MAX)
        return (wide)own * total * (wide)beta.bottom <= (wide)all * size * factor;
    return bt_fraction_compare((wide)own * total, (wide)all * size, factor, (wide)beta.bottom) <= 0;
}

/* (q - p) / p <= -ln p. Doubles decide what is not close; of what is close, a table with more than
 * 2^32 records does not satisfy: its shares are too long for what decides it else. */
static bool stays_below(uint64_t own, uint64_t size, uint64_t all, uint64_t total)
{
    wide left = (wide)own * total, right = (wide)all * size;
    if (left <= right) return true; /* q <= p */
    if (all == total) return false;
    double growth = (double)(left - right) / (double)right;
    double most = log((double)total / (double)all);
    if (fabs(growth - most) > 1e-9 * (1 + most)) return growth < most;
    if (total > (uint64_t)UINT32_MAX + 1) return false;
    return power_is_below((uint64_t)(left - right), (uint64_t)right, total, all);
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    const bt_sensitive *table = prepared;
    bt_rational beta = instance->values[0].rational;
    bool enhanced = instance->values[1].integer == ENHANCED;
    uint64_t size = (uint64_t)bag->total, total = (uint64_t)table->total;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint64_t own = bag->counts[bag->codes[i]], all = (uint64_t)table->counts[bag->codes[i]];
        if (!grows_little(beta, own, size, all, total)) return false;
        if (enhanced && !stays_below(own, size, all, total)) return false;
    }
    return true;
}

/* The greatest number of `size` persons who may have a value: none may always. */
static uint64_t most_persons(const bt_requirement_instance *instance, uint64_t size, uint64_t all,
                             uint64_t total)
{
    bool enhanced = instance->values[1].integer == ENHANCED;
    uint64_t may = 0, beyond = size + 1;
    while (beyond - may > 1) {
        uint64_t own = may + (beyond - may) / 2;
        if (grows_little(instance->values[0].rational, own, size, all, total) &&
            (!enhanced || stays_below(own, size, all, total)))
            may = own;
        else
            beyond = own;
    }
    return may;
}

/* Also of values that nobody in the class has: one of them may come into it. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    const bt_sensitive *table = prepared;
    int64_t least = INT64_MAX;
    for (uint32_t code = 0; code < table->size && least >= 0; code++) {
        if (table->counts[code] == 0) continue;
        uint64_t may = most_persons(instance, (uint64_t)bag->total, (uint64_t)table->counts[code],
                                    (uint64_t)table->total);
        int64_t spare = (int64_t)may - (int64_t)bag->counts[code];
        if (spare < least) least = spare < 0 ? -1 : spare;
    }
    return least;
}

/* The values that there are can together not make up a class. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    const bt_sensitive *table = prepared;
    bt_rational beta = instance->values[0].rational;
    uint64_t all = 0;
    for (uint32_t i = 0; i < bag->distinct; i++)
        all += (uint64_t)table->counts[bag->codes[i]];
    return bag->distinct > 0 && !grows_little(beta, 1, 1, all, (uint64_t)table->total);
}

/* ---- distributions ---- */

/* Shares that may have many words are compared with -ln p in doubles; what is too close to tell
 * does not satisfy. */
static bool believed_below(const uint64_t *own, const uint64_t *all, const uint64_t *total,
                           size_t words)
{
    if (bt_natural_compare(own, all, words) <= 0) return true;
    double growth = bt_natural_ratio(own, all, words) - 1;
    double most = log(bt_natural_ratio(total, all, words));
    return growth < most - 1e-9 * (1 + most);
}

static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)prepared;
    (void)error;
    const bt_shares *shares = belief->shares;
    bt_rational beta = instance->values[0].rational;
    bool enhanced = instance->values[1].integer == ENHANCED;
    uint64_t own[BT_SHARES_ROOM], most[BT_SHARES_ROOM];
    size_t bytes = shares->words * sizeof *own;
    *holds = true;
    for (uint32_t code = 0; code < shares->codes && *holds; code++) {
        const uint64_t *share = bt_share(shares, code), *all = bt_share(belief->reference, code);
        memcpy(own, share, bytes);
        memcpy(most, all, bytes);
        bt_natural_multiply(own, (uint64_t)beta.bottom, shares->words);
        bt_natural_multiply(most, (uint64_t)beta.bottom + (uint64_t)beta.top, shares->words);
        *holds = bt_natural_compare(own, most, shares->words) <= 0 &&
                 (!enhanced || believed_below(share, all, shares->total, shares->words));
    }
    return BAUTA_OK;
}

/* ---- what others ask ---- */

/* (1 + beta) p; enhanced also (1 - ln p) p. */
static bauta_status bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error)
{
    (void)arena;
    (void)error;
    for (uint32_t v = 0; v < ceiling->values; v++) {
        double p = ceiling->table[v], beta = bt_rational_double(instance->values[0].rational);
        if (instance->values[1].integer == ENHANCED && p > 0) beta = fmin(beta, -log(p));
        ceiling->share[v] = fmin(ceiling->share[v], (1 + beta) * p);
    }
    ceiling->any = true;
    return BAUTA_OK;
}

/* Any beta asks for something of a table with rare enough values. */
static bool asks_nothing(const bt_requirement_instance *instance)
{
    (void)instance;
    return false;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    const bt_sensitive *table = prepared;
    double most = 0;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint32_t code = bag->codes[i];
        double q = (double)bag->counts[code] / (double)bag->total;
        double p = (double)table->counts[code] / (double)table->total;
        most = fmax(most, (q - p) / p);
    }
    bt_error_hint(error,
                  "the share of a value grows by up to %.6g times that in the table, beta is %s",
                  most, instance->values[0].text);
}

const bt_requirement bt_requirement_beta = {
    .name = "beta",
    .summary = "in no class is the share of a value more than beta times above that in the table",
    .paper = "Cao and Karras 2012",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .scope = BT_SCOPE_RELEASE,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .hopeless = hopeless,
    .believe = believe,
    .bound = bound,
    .explain = explain,
};
