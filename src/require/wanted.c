/* SPDX-License-Identifier: Apache-2.0
 *
 * Distributions that are wanted: parsed, and computed over the values of a space. Floating point
 * makes weights here; what is published and judged are the whole numbers.
 */
#include "require/wanted.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- parsing ---- */

static bauta_status wrong(const char *what, const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bool parse_number(const char *text, double *out)
{
    bt_rational number;
    if (!bt_rational_parse(text, &number)) return false;
    *out = bt_rational_double(number);
    return true;
}

static bauta_status parse_normal(const char *text, bt_arena *arena, bt_wanted *out,
                                 bauta_error *error)
{
    char **parts;
    size_t count;
    char *copy = bt_arena_copy(arena, text, strlen(text));
    if (!copy) return bt_fail_memory(error);
    bt_text_unescape(copy);
    BT_TRY(bt_text_split(arena, copy, ',', &parts, &count, error));
    if (count == 2 && parse_number(parts[0], &out->first) && parse_number(parts[1], &out->second) &&
        out->second > 0)
        return BAUTA_OK;
    return wrong("'normal' takes a mean and a standard deviation above 0",
                 "write it as target=normal:2000,300", error);
}

bauta_status bt_wanted_parse(const char *text, bt_arena *arena, bt_wanted *out, bauta_error *error)
{
    *out = (bt_wanted){0};
    if (strcmp(text, "source") == 0) {
        out->kind = BT_WANTED_SOURCE;
    } else if (strcmp(text, "closest") == 0) {
        out->kind = BT_WANTED_CLOSEST;
    } else if (strcmp(text, "uniform") == 0) {
        out->kind = BT_WANTED_UNIFORM;
    } else if (strncmp(text, "normal:", 7) == 0) {
        out->kind = BT_WANTED_NORMAL;
        return parse_normal(text + 7, arena, out, error);
    } else if (strncmp(text, "zipf:", 5) == 0) {
        out->kind = BT_WANTED_ZIPF;
        if (!parse_number(text + 5, &out->first) || out->first < 0)
            return wrong("'zipf' takes a number from 0 on", "write it as target=zipf:0.5", error);
    } else {
        out->kind = BT_WANTED_FILE;
        char *file = bt_arena_copy(arena, text, strlen(text));
        if (!file) return bt_fail_memory(error);
        bt_text_unescape(file);
        out->file = file;
    }
    return BAUTA_OK;
}

/* ---- weights ---- */

void bt_wanted_scaled(const double *chance, uint32_t codes, uint64_t *weights)
{
    double most = 0;
    for (uint32_t code = 0; code < codes; code++)
        if (chance[code] > most) most = chance[code];
    for (uint32_t code = 0; code < codes; code++) {
        double share = most > 0 ? chance[code] / most * BT_WANTED_SCALE : 0;
        weights[code] = chance[code] > 0 && share < 1 ? 1 : (uint64_t)share;
    }
}

static double density(const bt_wanted *wanted, const bt_space *space, double unit, uint32_t code)
{
    if (wanted->kind == BT_WANTED_ZIPF) return pow(1.0 / ((double)code + 1), wanted->first);
    double off = ((double)space->domain.number[code] / unit - wanted->first) / wanted->second;
    return exp(-off * off / 2);
}

/* Whether a value lies where a normal distribution has its mass. Where none does, all densities
 * would be rounded to the same least one, and the target would be uniform. */
static bauta_status check_normal(const bt_wanted *wanted, const bt_space *space, double unit,
                                 bauta_error *error)
{
    enum { MOST_DEVIATIONS = 6 }; /* one value in 500 million lies farther from the mean */
    for (uint32_t code = 0; code < space->domain.size; code++) {
        double off = (double)space->domain.number[code] / unit - wanted->first;
        if (fabs(off) <= MOST_DEVIATIONS * wanted->second) return BAUTA_OK;
    }
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "the normal distribution that is wanted is far from the data: no value lies within "
                "%d standard deviations of its mean",
                MOST_DEVIATIONS);
    bt_error_place(error, NULL, -1, space->column);
    bt_error_hint(error, "take a mean and a standard deviation that fit the values, or "
                         "target=source or uniform");
    return status;
}

/* However improbable a value is, it may be in the data. */
static double at_least_something(double chance)
{
    return chance > 0x1p-200 ? chance : 0x1p-200;
}

bauta_status bt_wanted_weights(const bt_wanted *wanted, const bt_space *space, uint64_t *weights,
                               bauta_error *error)
{
    uint32_t codes = space->domain.size;
    if (wanted->kind == BT_WANTED_UNIFORM) {
        for (uint32_t code = 0; code < codes; code++)
            weights[code] = 1;
        return BAUTA_OK;
    }
    bt_type type = space->domain.reading.type;
    if (wanted->kind == BT_WANTED_NORMAL && type != BT_INTEGER && type != BT_DECIMAL)
        return wrong("a normal distribution is for numbers, and the sensitive column has none",
                     "take source, closest, uniform, zipf or a file", error);
    double unit = pow(10, space->domain.scale);
    if (wanted->kind == BT_WANTED_NORMAL) BT_TRY(check_normal(wanted, space, unit, error));
    double *chance = bt_array(codes, sizeof *chance);
    if (!chance) return bt_fail_memory(error);
    for (uint32_t code = 0; code < codes; code++)
        chance[code] = at_least_something(density(wanted, space, unit, code));
    bt_wanted_scaled(chance, codes, weights);
    free(chance);
    return BAUTA_OK;
}
