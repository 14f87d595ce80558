/* SPDX-License-Identifier: Apache-2.0
 *
 * alpha: in every class no sensitive value, or none of those listed, is held by more than a share
 * alpha of the persons (Wong, Li, Fu and Wang 2006). With k it is (alpha,k)-anonymity.
 *
 * The share is a count over a size and is compared exactly: 1/3 is more than 0.33. A person with
 * several values counts for each of them.
 *
 * Cost: linear in the values that occur in the class, or in those listed.
 */
#include "base/natural.h"
#include "base/sort.h"
#include "base/text.h"
#include "class/belief.h"
#include "require/requirement.h"

#include <string.h>

static const bt_param params[] = {
    {.name = "alpha",
     .type = BT_PARAM_RATIONAL,
     .above = true,
     .minimum = "0",
     .maximum = "1",
     .help = "greatest share of a class that may have one value"},
    {.name = "values",
     .type = BT_PARAM_TEXT,
     .fallback = "",
     .help = "the values that are bounded, separated by '|'; all when not given. '|' alone is the "
             "missing one"},
};

typedef struct listed { /* what is kept for a column */
    uint32_t count;
    uint32_t *codes; /* NULL: every value is bounded */
} listed;

static size_t drop_duplicates(char **texts, size_t count)
{
    size_t kept = 0;
    qsort(texts, count, sizeof *texts, bt_compare_texts);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(texts[kept - 1], texts[i]) != 0) texts[kept++] = texts[i];
    return kept;
}

/* Finds the codes of the listed texts; there are at most `count` of them. */
static void find_codes(char *const *texts, size_t count, const bt_sensitive *column, listed *out)
{
    for (uint32_t code = 0; code < column->size && out->count < count; code++)
        if (bsearch(&column->text[code], texts, count, sizeof *texts, bt_compare_texts))
            out->codes[out->count++] = code;
}

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    char **texts;
    size_t count;
    listed *kept = *prepared = bt_arena_array(arena, 1, sizeof *kept);
    if (!kept) return bt_fail_memory(error);
    BT_TRY(bt_text_split(arena, instance->values[1].text, '|', &texts, &count, error));
    if (count == 0) return BAUTA_OK;
    for (size_t i = 0; i < count; i++)
        bt_text_unescape(texts[i]);
    count = drop_duplicates(texts, count);
    kept->codes = bt_arena_array(arena, count, sizeof *kept->codes);
    if (!kept->codes) return bt_fail_memory(error);
    find_codes(texts, count, column, kept);
    if (kept->count == count || column->published) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "'alpha' lists values that the column does not have: %zu of %zu",
                                  count - kept->count, count);
    bt_error_hint(error, "write numbers and dates as they are published (7, 1.5, 2024-02-29), and "
                         "the missing value as the empty text");
    return status;
}

/* The greatest number of persons that have one value. */
static int64_t greatest(const listed *only, const bt_bag *bag)
{
    uint64_t most = 0;
    const uint32_t *codes = only->codes ? only->codes : bag->codes;
    uint32_t count = only->codes ? only->count : bag->distinct;
    for (uint32_t i = 0; i < count; i++)
        if (bag->counts[codes[i]] > most) most = bag->counts[codes[i]];
    return (int64_t)most;
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    return bt_ratio_compare(greatest(prepared, bag), bag->size, instance->values[0].rational) <= 0;
}

/* One change moves the greatest number by one at most. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    int64_t most = bt_rational_floor_times(instance->values[0].rational, bag->size);
    int64_t own = (int64_t)greatest(prepared, bag);
    return own > most ? -1 : most - own;
}

/* Hopeless: there are so few values that one of them is too frequent in any case. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    const listed *only = prepared;
    return !only->codes && bag->distinct > 0 &&
           bt_ratio_compare(1, bag->distinct, instance->values[0].rational) > 0;
}

/* The most probable value that is bounded: share * bottom <= top * total. */
static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)error;
    const listed *only = prepared;
    const bt_shares *shares = belief->shares;
    bt_rational most = instance->values[0].rational;
    uint64_t bound[BT_SHARES_ROOM], share[BT_SHARES_ROOM];
    size_t bytes = shares->words * sizeof *share;
    uint32_t count = only->codes ? only->count : shares->codes;
    memcpy(bound, shares->total, bytes);
    bt_natural_multiply(bound, (uint64_t)most.top, shares->words);
    *holds = true;
    for (uint32_t i = 0; i < count && *holds; i++) {
        memcpy(share, bt_share(shares, only->codes ? only->codes[i] : i), bytes);
        bt_natural_multiply(share, (uint64_t)most.bottom, shares->words);
        *holds = bt_natural_compare(share, bound, shares->words) <= 0;
    }
    return BAUTA_OK;
}

/* The share of each value, or of those listed. */
static bauta_status bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error)
{
    double alpha = bt_rational_double(instance->values[0].rational);
    char **texts;
    size_t count;
    BT_TRY(bt_text_split(arena, instance->values[1].text, '|', &texts, &count, error));
    if (count == 0) bt_ceiling_lower(ceiling, alpha);
    for (size_t i = 0; i < count; i++) {
        bt_text_unescape(texts[i]);
        for (uint32_t v = 0; v < ceiling->values; v++)
            if (strcmp(ceiling->text[v], texts[i]) == 0 && ceiling->share[v] > alpha)
                ceiling->share[v] = alpha;
    }
    ceiling->any = true;
    return BAUTA_OK;
}

static bt_rational most(const bt_requirement_instance *instance)
{
    bool all = instance->values[1].text[0] == '\0';
    return all ? instance->values[0].rational : (bt_rational){1, 1};
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return bt_ratio_compare(1, 1, instance->values[0].rational) <= 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    const listed *only = prepared;
    int64_t most = greatest(only, bag);
    bt_error_hint(error,
                  "the most frequent%s value is that of %lld of %lld persons (%.4g), alpha is %s",
                  only->codes ? " listed" : "", (long long)most, (long long)bag->size,
                  bag->size > 0 ? (double)most / (double)bag->size : 0.0, instance->values[0].text);
}

static bool mixes(const bt_requirement_instance *instance)
{
    bt_rational alpha = instance->values[0].rational;
    return alpha.top < alpha.bottom && !*instance->values[1].text; /* else some values are free */
}

const bt_requirement bt_requirement_alpha = {
    .name = "alpha",
    .summary = "no sensitive value, or none of those listed, has more than a share alpha",
    .paper = "Wong, Li, Fu and Wang 2006",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .hopeless = hopeless,
    .believe = believe,
    .bound = bound,
    .bounds_persons = true,
    .most = most,
    .mixes = mixes,
    .explain = explain,
};
