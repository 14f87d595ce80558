/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading cut points, and widening intervals of codes to them.
 */
#include "recipe/cuts.h"

#include "base/text.h"

#include <string.h>

/* ---- reading ---- */

static bauta_status wrong(const bt_column *column, bauta_error *error, const char *what,
                          const char *hint)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, NULL, -1, column->name);
    if (hint) bt_error_hint(error, "%s", hint);
    return status;
}

static bool read_number(const bt_domain *domain, const char *text, int64_t *out)
{
    char room[BT_NUMBER_TEXT];
    size_t length = strlen(text);
    const bt_reading canonical = {.type = domain->reading.type, .date_form = BT_FORM_YMD};
    return bt_domain_canonical(domain, &text, &length, room) &&
           bt_value_number(&canonical, text, length, domain->scale, out);
}

static bauta_status read_list(const bt_column *column, char *const *parts, size_t count,
                              int64_t *out, bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!read_number(&column->domain, parts[i], &out[i]))
            return wrong(column, error,
                         "a cut point is not of the column's type, or finer than its values", NULL);
        if (i > 0 && out[i] <= out[i - 1])
            return wrong(column, error, "the cut points do not ascend", NULL);
    }
    return BAUTA_OK;
}

/* "0:120:10": from, to and step. */
static bauta_status read_steps(const bt_column *column, char *const *parts, bt_arena *arena,
                               int64_t **numbers, size_t *count, bauta_error *error)
{
    int64_t from, to, step;
    if (column->domain.reading.type == BT_DATE || !read_number(&column->domain, parts[0], &from) ||
        !read_number(&column->domain, parts[1], &to) ||
        !read_number(&column->domain, parts[2], &step))
        return wrong(column, error, "a cut point or step is not a number of the column's type",
                     NULL);
    uint64_t span = (uint64_t)to - (uint64_t)from;
    if (to <= from || step <= 0 || span % (uint64_t)step != 0)
        return wrong(column, error, "the cut points do not go up to their end in whole steps",
                     "write FROM:TO:STEP as in 0:120:10");
    if (span / (uint64_t)step >= BT_CUTS_MOST)
        return wrong(column, error, "there are too many cut points", NULL);
    *count = (size_t)(span / (uint64_t)step) + 1;
    *numbers = bt_arena_array(arena, *count, sizeof **numbers);
    if (!*numbers) return bt_fail_memory(error);
    for (size_t i = 0; i < *count; i++)
        (*numbers)[i] = from + (int64_t)i * step;
    return BAUTA_OK;
}

static bauta_status read_cuts(const char *text, const bt_column *column, bt_arena *arena,
                              int64_t **numbers, size_t *count, bauta_error *error)
{
    char **parts;
    BT_TRY(bt_text_split(arena, text, ':', &parts, count, error));
    if (*count == 3) return read_steps(column, parts, arena, numbers, count, error);
    BT_TRY(bt_text_split(arena, text, ',', &parts, count, error));
    if (*count < 2 || *count > BT_CUTS_MOST)
        return wrong(column, error, "there must be at least two cut points",
                     "the first is below all values, the last above");
    *numbers = bt_arena_array(arena, *count, sizeof **numbers);
    if (!*numbers) return bt_fail_memory(error);
    return read_list(column, parts, *count, *numbers, error);
}

/* ---- the grid and the domain ---- */

/* How many present codes are below a number. */
static uint32_t count_below(const bt_domain *domain, int64_t number)
{
    uint32_t low = 0, high = bt_domain_present(domain);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domain->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bauta_status refuse_outside(const bt_column *column, uint32_t below, uint32_t above,
                                   bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "%u different values are below the first cut point, and %u not below the last",
                below, above);
    bt_error_place(error, NULL, -1, column->name);
    bt_error_hint(error, "declare cut points around all values that there may be");
    return status;
}

bauta_status bt_cuts_build(const char *text, const bt_column *column, bt_arena *arena,
                           bt_cuts **out, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    int64_t *numbers;
    size_t count;
    if (domain->reading.type == BT_TEXT)
        return wrong(column, error, "a column of text has no cut points",
                     "give it a hierarchy: with 'flat' a cell is a value or '*'");
    BT_TRY(read_cuts(text, column, arena, &numbers, &count, error));
    uint32_t *first = bt_arena_array(arena, count, sizeof *first);
    *out = bt_arena_alloc(arena, sizeof **out);
    if (!*out || !first) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        first[i] = count_below(domain, numbers[i]);
    uint32_t above = bt_domain_present(domain) - first[count - 1];
    if (first[0] > 0 || above > 0) return refuse_outside(column, first[0], above, error);
    **out = (bt_cuts){.count = count, .number = numbers, .first = first};
    return BAUTA_OK;
}

/* ---- using ---- */

size_t bt_cuts_find(const bt_cuts *cuts, int64_t number)
{
    size_t low = 0, high = cuts->count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (cuts->number[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void bt_cuts_widen(const bt_column *column, uint32_t *lo, uint32_t *hi)
{
    const bt_cuts *cuts = column->cuts;
    *lo = cuts->first[bt_cuts_find(cuts, column->domain.number[*lo])];
    *hi = cuts->first[bt_cuts_find(cuts, column->domain.number[*hi]) + 1] - 1;
}

void bt_cuts_range(const bt_column *column, uint32_t lo, uint32_t hi, int64_t *least,
                   int64_t *greatest)
{
    const bt_cuts *cuts = column->cuts;
    *least = cuts->number[bt_cuts_find(cuts, column->domain.number[lo])];
    *greatest = cuts->number[bt_cuts_find(cuts, column->domain.number[hi]) + 1] - 1;
}
