/* SPDX-License-Identifier: Apache-2.0
 *
 * Calling an entry: its name, and arguments that are parsed from the table of its parameters.
 */
#include "kit/kit.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- values ---- */

/* Digits with at most one point, as an integer and the power of ten below it. */
static bool read_digits(const char **at, ex_rational *out)
{
    const char *start = *at, *point = NULL;
    *out = (ex_rational){0, 1};
    for (; isdigit((unsigned char)**at) || (**at == '.' && !point); ++*at) {
        if (**at == '.') {
            point = *at;
            continue;
        }
        if (__builtin_mul_overflow(out->top, (int64_t)10, &out->top) ||
            __builtin_add_overflow(out->top, (int64_t)(**at - '0'), &out->top) ||
            (point && __builtin_mul_overflow(out->bottom, (int64_t)10, &out->bottom)))
            return false;
    }
    return *at - start > (point ? 1 : 0);
}

/* "0.1", "1/3", "-2". */
static bool read_rational(const char *text, ex_rational *out)
{
    bool negative = *text == '-';
    ex_rational below = {1, 1};
    text += *text == '-' || *text == '+';
    if (!read_digits(&text, out)) return false;
    if (*text == '/' && (text++, !read_digits(&text, &below) || below.top == 0)) return false;
    if (*text != '\0' || __builtin_mul_overflow(out->top, below.bottom, &out->top) ||
        __builtin_mul_overflow(out->bottom, below.top, &out->bottom))
        return false;
    if (negative) out->top = -out->top;
    return true;
}

static int compare_rationals(ex_rational a, ex_rational b)
{
    __int128 left = (__int128)a.top * b.bottom, right = (__int128)b.top * a.bottom;
    return (left > right) - (left < right);
}

static bauta_status check_bounds(const ex_entry *entry, const ex_param *param, ex_rational value,
                                 bauta_error *error)
{
    ex_rational bound;
    if (param->minimum && read_rational(param->minimum, &bound) &&
        compare_rationals(value, bound) < 0)
        return ex_fail(error, BAUTA_USAGE, "'%s' of '%s' must be at least %s", param->name,
                       entry->name, param->minimum);
    if (param->maximum && read_rational(param->maximum, &bound) &&
        compare_rationals(value, bound) > 0)
        return ex_fail(error, BAUTA_USAGE, "'%s' of '%s' must be at most %s", param->name,
                       entry->name, param->maximum);
    return BAUTA_OK;
}

static bauta_status read_choice(const ex_entry *entry, const ex_param *param, const char *text,
                                ex_arena *arena, int64_t *out, bauta_error *error)
{
    char **choices;
    size_t count;
    ex_nearest nearest = {.wanted = text};
    EX_TRY(ex_split(arena, param->choices, '|', &choices, &count, error));
    for (size_t i = 0; i < count; i++) {
        *out = (int64_t)i;
        if (strcmp(choices[i], text) == 0) return BAUTA_OK;
        ex_compare(&nearest, choices[i]);
    }
    ex_error_set(error, BAUTA_USAGE, "'%s' of '%s' must be one of %s", param->name, entry->name,
                 param->choices);
    ex_hint_nearest(&nearest, "", error);
    return BAUTA_USAGE;
}

static bauta_status read_value(const ex_entry *entry, const ex_param *param, const char *text,
                               ex_arena *arena, ex_value *out, bauta_error *error)
{
    out->text = ex_arena_print(arena, "%s", text);
    if (!out->text) return ex_fail_memory(error);
    switch (param->type) {
    case EX_PARAM_INTEGER:
        if (!ex_integer(text, &out->integer))
            return ex_fail(error, BAUTA_USAGE, "'%s' of '%s' must be a whole number", param->name,
                           entry->name);
        return check_bounds(entry, param, (ex_rational){out->integer, 1}, error);
    case EX_PARAM_RATIONAL:
        if (!read_rational(text, &out->rational))
            return ex_fail(error, BAUTA_USAGE, "'%s' of '%s' must be a number", param->name,
                           entry->name);
        return check_bounds(entry, param, out->rational, error);
    case EX_PARAM_CHOICE: return read_choice(entry, param, text, arena, &out->integer, error);
    default: return BAUTA_OK;
    }
}

/* ---- arguments ---- */

static bauta_status find(const ex_registry *registry, const char *name, const ex_entry **out,
                         bauta_error *error)
{
    char list[64];
    ex_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < registry->count; i++) {
        *out = registry->entries[i];
        if (strcasecmp((*out)->name, name) == 0) return BAUTA_OK;
        ex_compare(&nearest, (*out)->name);
    }
    ex_error_set(error, BAUTA_USAGE, "there is no %s '%s'", registry->kind, name);
    snprintf(list, sizeof list, "'bauta list %s' names them", registry->name);
    ex_hint_nearest(&nearest, list, error);
    return BAUTA_USAGE;
}

static bauta_status read_argument(const ex_registry *registry, const ex_entry *entry,
                                  const char *argument, ex_arena *arena, ex_value *values,
                                  bauta_error *error)
{
    const char *equals = strchr(argument, '=');
    if (!equals)
        return ex_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' needs '=value'", argument,
                       entry->name);
    const char *name = ex_arena_print(arena, "%.*s", (int)(equals - argument), argument);
    if (!name) return ex_fail_memory(error);
    ex_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < entry->param_count; i++) {
        ex_compare(&nearest, entry->params[i].name);
        if (strcmp(entry->params[i].name, name) != 0) continue;
        if (values[i].text)
            return ex_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' is given twice", name,
                           entry->name);
        return read_value(entry, &entry->params[i], equals + 1, arena, &values[i], error);
    }
    char list[128];
    ex_error_set(error, BAUTA_USAGE, "'%s' has no parameter '%s'", entry->name, name);
    snprintf(list, sizeof list, "'bauta %s %s --help' lists them", registry->command, entry->name);
    ex_hint_nearest(&nearest, list, error);
    return BAUTA_USAGE;
}

bauta_status ex_entry_call(const ex_registry *registry, const char *name,
                           const char *const *arguments, size_t count, ex_arena *arena,
                           const ex_entry **out, const ex_value **values, bauta_error *error)
{
    EX_TRY(find(registry, name, out, error));
    const ex_entry *entry = *out;
    ex_value *read = ex_arena_array(arena, entry->param_count, sizeof *read);
    if (!read) return ex_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        EX_TRY(read_argument(registry, entry, arguments[i], arena, read, error));
    for (size_t i = 0; i < entry->param_count; i++) {
        const ex_param *param = &entry->params[i];
        if (read[i].text) continue;
        if (!param->fallback)
            return ex_fail(error, BAUTA_USAGE, "'%s' needs the parameter '%s'", entry->name,
                           param->name);
        EX_TRY(read_value(entry, param, param->fallback, arena, &read[i], error));
    }
    *values = read;
    return BAUTA_OK;
}
