/* SPDX-License-Identifier: Apache-2.0
 *
 * A hierarchy for a column by its values: intervals for quantities, masks for codes, calendar
 * units for dates. A column with few values needs none: cells then list the values of a class.
 *
 * Widths of intervals follow the bulk of the values (all but the outer fortieths), so that a
 * few large ones do not make every interval too wide.
 */
#include "profile/guess.h"
#include "profile/lexicon.h"

enum {
    FEW_NUMBERS = 10,   /* up to so many different numbers are not put into intervals, */
    SMALL_RANGE = 20,   /* nor those whose bulk lies within so many steps */
    FEW_TEXTS = 100,    /* up to so many different texts are listed in cells */
    MANY_CODES = 20,    /* codes of equal length are masked from here on */
    LONGEST_CODE = 12,  /* characters */
    MOST_INTERVALS = 20 /* of the narrowest kind over the bulk of the values */
};

/* ---- intervals --------------------------------------------------------------------------- */

/* The number below which `part` fortieths of the present rows lie. */
static int64_t quantile(const bt_column_profile *profile, int64_t part)
{
    const bt_domain *domain = profile->domain;
    uint32_t present = bt_domain_present(domain), code = 0;
    int64_t all = bt_profile_present(profile), before = 0;
    int64_t wanted = all / 40 * part + all % 40 * part / 40;
    for (; code + 1 < present; code++) {
        before += profile->counts[code];
        if (before > wanted) break;
    }
    return domain->number[code];
}

/* 1, 2, 5, 10, 20, 50, … */
static bool next_step(int64_t *step)
{
    int64_t first = *step;
    while (first >= 10)
        first /= 10;
    return !(first == 2 ? __builtin_mul_overflow(*step / 2, (int64_t)5, step)
                        : __builtin_mul_overflow(*step, (int64_t)2, step));
}

/* The next of these that is a multiple: 2 or 5 times as wide. */
static bool next_width(int64_t *width)
{
    int64_t first = *width;
    while (first >= 10)
        first /= 10;
    return !__builtin_mul_overflow(*width, (int64_t)(first == 2 ? 5 : 2), width);
}

/* "intervals:5,10,20" for a range; widths are at the scale of the column. */
static bauta_status choose_widths(const bt_domain *domain, int64_t range, bt_buffer *out,
                                  bauta_error *error)
{
    bool decimal = domain->reading.type == BT_DECIMAL;
    int64_t width = decimal ? 1 : 2;
    const char *separator = "intervals:";
    while (range / width > MOST_INTERVALS)
        if (!next_step(&width)) return BAUTA_OK;
    do {
        char text[BT_NUMBER_TEXT];
        size_t length =
            bt_number_print(decimal ? BT_DECIMAL : BT_INTEGER, domain->scale, width, text);
        BT_TRY(bt_buffer_print(out, error, "%s%.*s", separator, (int)length, text));
        separator = ",";
    } while (next_width(&width) && width <= range / 2);
    return BAUTA_OK;
}

static bauta_status guess_intervals(const bt_column_profile *profile, bool bulk, bt_arena *arena,
                                    bt_guess *out, bauta_error *error)
{
    int64_t range;
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    if (profile->distinct <= FEW_NUMBERS) return BAUTA_OK;
    if (__builtin_sub_overflow(quantile(profile, 39), quantile(profile, 1), &range))
        return BAUTA_OK;
    if (range <= 0 && !bulk &&
        __builtin_sub_overflow(quantile(profile, 40), quantile(profile, 0), &range))
        return BAUTA_OK;
    if (range < SMALL_RANGE) return BAUTA_OK;
    BT_TRY(choose_widths(profile->domain, range, &text, error));
    if (text.length > 0) out->hierarchy = bt_arena_copy(arena, text.bytes, text.length);
    return bt_arena_check(arena, error);
}

/* ---- codes and texts --------------------------------------------------------------------- */

static void guess_text(const bt_column_profile *profile, bool postcode, bt_guess *out)
{
    bool equal = profile->shortest == profile->longest && profile->shortest >= 3;
    bool codes = profile->codes && profile->longest <= LONGEST_CODE;
    if ((codes && equal && profile->distinct > MANY_CODES) ||
        (postcode && profile->longest <= LONGEST_CODE))
        out->hierarchy = "mask";
    else if (profile->distinct > FEW_TEXTS)
        out->hierarchy = "flat";
}

/* Whether the tree can be built: a scheme has limits of its own. */
static bauta_status check_hierarchy(const bt_column_profile *profile, bt_guess *out,
                                    bauta_error *error)
{
    if (!out->hierarchy || out->has_type) return BAUTA_OK;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_hierarchy_source source = {.spec = out->hierarchy};
    bt_domain domain = *profile->domain;
    bt_hierarchy *built;
    uint32_t *new_code = bt_arena_array(&scratch, domain.size, sizeof *new_code);
    BT_TRY(bt_arena_check(&scratch, error));
    bauta_status status =
        bt_hierarchy_build(&source, profile->name, &domain, new_code, &scratch, &built, error);
    if (status != BAUTA_INVALID) return status;
    out->hierarchy = NULL;
    bt_error_clear(error);
    return BAUTA_OK;
}

bauta_status bt_guess_hierarchy(const bt_column_profile *profile, bool bulk, bt_arena *arena,
                                bt_guess *out, bauta_error *error)
{
    bt_meaning meaning = bt_lexicon_look_up(profile->name);
    out->hierarchy = NULL;
    if (profile->distinct == 0) return BAUTA_OK;
    switch (profile->domain->reading.type) {
    case BT_DATE: out->hierarchy = "date"; break;
    case BT_DECIMAL:
    case BT_INTEGER:
        if (meaning.nominal) {
            out->has_type = true; /* numbers that stand for things are no quantities */
            out->type = BT_TEXT;
            guess_text(profile, meaning.postcode, out);
        } else {
            BT_TRY(guess_intervals(profile, bulk, arena, out, error));
        }
        break;
    case BT_TEXT: guess_text(profile, meaning.postcode, out); break;
    }
    return check_hierarchy(profile, out, error);
}
