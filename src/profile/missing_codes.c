/* SPDX-License-Identifier: Apache-2.0
 *
 * A number is looked at if it is one of those that surveys use (9, 98, 999, -1) and stands at an
 * end of the column. It is taken as a code if it stands apart: beyond a gap that is wider than all
 * the other values lie from each other, or beyond a gap with more records than its neighbours have.
 * One that could also be a value is doubtful: the owner decides.
 */
#include "profile/missing_codes.h"

#include "profile/lexicon.h"

#include <string.h>

enum {
    FEW_ROWS = 20,  /* of a table: below, contents say little */
    NEIGHBOURS = 5, /* values that a code is compared with */
    LONG_GAP = 366, /* days between a date that stands for none and the first one */
    WIDE = 9999,    /* larger codes may as well be the largest number that a field can hold */
    LEAST_CODE_ROWS = 2
};

typedef struct search {
    const bt_column_profile *profile;
    bool nominal;
    uint32_t *codes; /* of the values that occur, ascending */
    uint32_t count;
    bt_missing_codes *out;
} search;

static const char *text_of(const search *s, uint32_t place)
{
    return s->profile->domain->text[s->codes[place]];
}

static int64_t number_of(const search *s, uint32_t place)
{
    return s->profile->domain->number[s->codes[place]];
}

static int64_t rows_of(const search *s, uint32_t place)
{
    return s->profile->counts[s->codes[place]];
}

static void take(search *s, uint32_t place)
{
    s->out->taken[s->out->taken_count++] = text_of(s, place);
}

static void doubt(search *s, uint32_t place)
{
    s->out->doubtful[s->out->doubtful_count++] = text_of(s, place);
}

/* The most records that a value has among those next to a border, on one side of it. */
static int64_t most_rows(const search *s, uint32_t first, uint32_t count)
{
    int64_t most = 0;
    for (uint32_t i = first; i < first + count; i++)
        if (rows_of(s, i) > most) most = rows_of(s, i);
    return most;
}

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* 7, 8, 9, 77, 88, 97, 98, 99, 777, …: the digits of one code, whatever its sign. */
static bool has_code_digits(int64_t number)
{
    int64_t power = 10;
    while (power <= number)
        if (__builtin_mul_overflow(power, (int64_t)10, &power)) return false;
    int64_t ones = (power - 1) / 9;
    return number >= power - 3 || number == 7 * ones || number == 8 * ones;
}

/* The whole number that a value is; false: it has decimal places. */
static bool whole_number(const search *s, uint32_t place, int64_t *out)
{
    int64_t number = number_of(s, place);
    for (int scale = s->profile->domain->scale; scale > 0; scale--) {
        if (number % 10 != 0) return false;
        number /= 10;
    }
    *out = number;
    return true;
}

static bool is_code(const search *s, uint32_t place, bool negative)
{
    int64_t number;
    if (!whole_number(s, place, &number) || number == INT64_MIN || (number < 0) != negative)
        return false;
    if (number == -1) return true;
    return has_code_digits(number < 0 ? -number : number);
}

static bool same_digits(int64_t a, int64_t b)
{
    for (; a > 0 && b > 0; b /= 10)
        a /= 10;
    return a == 0 && b == 0;
}

static bool have_same_digits(const search *s, uint32_t a, uint32_t b)
{
    int64_t one, other;
    return whole_number(s, a, &one) && whole_number(s, b, &other) && same_digits(one, other);
}

/* What is known of the values from `start` on, against those below. */
typedef struct tail {
    bool gap;    /* more than one step lies between them and the values below */
    bool far;    /* the gap is wider than all values below span */
    bool beyond; /* the gap is more than twice as wide as any between the last values below */
    bool spike;  /* there are more records than any of the last values below has */
    int64_t rows;
} tail;

static bool look_at_tail(const search *s, uint32_t start, tail *out)
{
    uint32_t last = fewer(start, NEIGHBOURS);
    int64_t gap, range, step, widest = 0, one = 1;
    for (int scale = s->profile->domain->scale; scale > 0; scale--)
        one *= 10;
    if (__builtin_sub_overflow(number_of(s, start), number_of(s, start - 1), &gap) ||
        __builtin_sub_overflow(number_of(s, start - 1), number_of(s, 0), &range))
        return false;
    for (uint32_t i = start - last + 1; i < start; i++) {
        step = number_of(s, i) - number_of(s, i - 1);
        if (step > widest) widest = step;
    }
    *out = (tail){.gap = gap > one, .far = gap > range, .beyond = gap / 2 > widest};
    for (uint32_t i = start; i < s->count; i++)
        out->rows += rows_of(s, i);
    out->spike = out->rows > most_rows(s, start - last, last);
    return true;
}

static bool stands_apart(const search *s, const tail *t, int64_t greatest)
{
    if (!t->gap || t->rows < LEAST_CODE_ROWS || greatest > WIDE) return false;
    if (greatest < 10) return t->far ? s->nominal || t->spike : t->beyond && t->spike;
    return t->far || (t->beyond && t->spike);
}

/* Not apart, but not plainly a value either. */
static bool is_odd(const search *s, const tail *t, uint32_t start, int64_t greatest)
{
    if (t->gap) return greatest < 10 || t->far || t->spike;
    int64_t below = rows_of(s, start - 1);
    if (greatest < 10) return t->rows > below;
    return t->spike &&
           t->rows / 2 > most_rows(s, start - fewer(start, NEIGHBOURS), fewer(start, NEIGHBOURS));
}

/* At the upper end. Values that do not stand apart with what is above them are taken for values,
 * one after the other. */
static void look_above(search *s, uint32_t least)
{
    uint32_t start = s->count;
    int64_t greatest;
    tail found = {0};
    while (start > 0 && is_code(s, start - 1, false) &&
           have_same_digits(s, start - 1, s->count - 1))
        start--;
    if (start == s->count || !whole_number(s, s->count - 1, &greatest)) return;
    for (; start < s->count; start++) {
        if (start < least || !look_at_tail(s, start, &found)) continue;
        if (!stands_apart(s, &found, greatest)) continue;
        for (uint32_t i = start; i < s->count; i++)
            take(s, i);
        return;
    }
    start = s->count - 1;
    if (start >= least && look_at_tail(s, start, &found) && is_odd(s, &found, start, greatest))
        doubt(s, start);
}

/* At the lower end: negative numbers where all others are none. */
static void look_below(search *s, uint32_t least)
{
    uint32_t negative = 0;
    int64_t rows = 0, one = 1;
    for (int scale = s->profile->domain->scale; scale > 0; scale--)
        one *= 10;
    for (; negative < s->count && number_of(s, negative) < 0; negative++) {
        if (!is_code(s, negative, true)) return;
        rows += rows_of(s, negative);
    }
    if (negative == 0 || s->count - negative < least) return;
    bool gap = number_of(s, negative) > number_of(s, negative - 1) + one;
    for (uint32_t i = 0; i < negative; i++)
        (gap && rows >= LEAST_CODE_ROWS ? take : doubt)(s, i);
}

/* ---- dates ------------------------------------------------------------------------------- */

static bool is_listed(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, list[i]) == 0) return true;
    return false;
}

/* Dates that nothing happened on, and those that programs fill in, if no other is near. */
static void look_at_dates(search *s)
{
    static const char *const never[] = {"9999-12-31", "9999-01-01", "9999-09-09",
                                        "2999-12-31", "1111-11-11", "0001-01-01"};
    static const char *const filled[] = {"1900-01-01", "1899-12-30", "1899-12-31", "1800-01-01",
                                         "1970-01-01"};
    uint32_t first = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (is_listed(text_of(s, i), never, sizeof never / sizeof *never)) {
            take(s, i);
            first += first == i;
        }
    if (first + 1 >= s->count || s->out->taken_count == s->count) return;
    if (!is_listed(text_of(s, first), filled, sizeof filled / sizeof *filled)) return;
    if (number_of(s, first + 1) - number_of(s, first) < LONG_GAP) return;
    int64_t others = most_rows(s, first + 1, fewer(s->count - first - 1, NEIGHBOURS));
    bool many = rows_of(s, first) >= LEAST_CODE_ROWS && rows_of(s, first) > others;
    (many ? take : doubt)(s, first);
}

/* ---- any column -------------------------------------------------------------------------- */

static void look_at_texts(search *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (bt_lexicon_means_missing(text_of(s, i))) take(s, i);
    if (s->count - s->out->taken_count < 2) s->out->taken_count = 0;
}

static void look(search *s, uint32_t least)
{
    bool unique = (int64_t)s->count * 10 >= bt_profile_present(s->profile) * 7;
    switch (s->profile->domain->reading.type) {
    case BT_TEXT: look_at_texts(s); break;
    case BT_DATE: look_at_dates(s); break;
    case BT_INTEGER:
    case BT_DECIMAL:
        if (unique) break; /* numbers of persons, or measured ones */
        look_above(s, least);
        look_below(s, least);
    }
}

bauta_status bt_missing_codes_find(const bt_column_profile *profile, bool nominal, bt_arena *arena,
                                   bt_missing_codes *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_domain *domain = profile->domain;
    uint32_t least = nominal ? 2 : 3, present = bt_domain_present(domain);
    *out = (bt_missing_codes){.taken = bt_arena_array(arena, profile->distinct, sizeof *out->taken),
                              .doubtful =
                                  bt_arena_array(arena, profile->distinct, sizeof *out->doubtful)};
    search s = {.profile = profile,
                .nominal = nominal,
                .codes = bt_arena_array(&scratch, profile->distinct, sizeof *s.codes),
                .out = out};
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t code = 0; code < present; code++)
        if (profile->counts[code] > 0) s.codes[s.count++] = code;
    if (profile->rows >= FEW_ROWS && s.count > least) look(&s, least);
    return BAUTA_OK;
}
