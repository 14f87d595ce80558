/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsing typed parameters from their table.
 */
#include "base/params.h"

#include "base/text.h"

#include <string.h>

static bauta_status check_bounds(const bt_param *param, const char *owner, bt_rational value,
                                 bauta_error *error)
{
    bt_rational bound;
    if (param->minimum && bt_rational_parse(param->minimum, &bound) &&
        bt_rational_compare(value, bound) < param->above)
        return bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be %s %s", param->name, owner,
                       param->above ? "more than" : "at least", param->minimum);
    if (param->maximum && bt_rational_parse(param->maximum, &bound) &&
        bt_rational_compare(value, bound) > 0)
        return bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be at most %s", param->name, owner,
                       param->maximum);
    return BAUTA_OK;
}

/* Whether a text is one of the words that stand for a number, and for which. */
static bauta_status parse_word(const bt_param *param, const char *text, bt_arena *arena,
                               bt_value *out, bool *found, bauta_error *error)
{
    char **words;
    size_t count;
    *found = false;
    if (!param->choices) return BAUTA_OK;
    BT_TRY(bt_text_split(arena, param->choices, '|', &words, &count, error));
    for (size_t i = 0; i < count && !*found; i++) {
        *found = strcmp(words[i], text) == 0;
        if (*found) out->integer = (int64_t)i;
    }
    return BAUTA_OK;
}

static bauta_status parse_integer(const bt_param *param, const char *owner, const char *text,
                                  bt_arena *arena, bt_value *out, bauta_error *error)
{
    bool is_word;
    BT_TRY(parse_word(param, text, arena, out, &is_word, error));
    if (!is_word && !bt_text_integer(text, &out->integer))
        return param->choices
                   ? bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be a whole number, or %s",
                             param->name, owner, param->choices)
                   : bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be a whole number",
                             param->name, owner);
    out->rational = (bt_rational){out->integer, 1};
    return is_word ? BAUTA_OK : check_bounds(param, owner, out->rational, error);
}

static bauta_status parse_choice(const bt_param *param, const char *owner, const char *text,
                                 bt_arena *arena, bt_value *out, bauta_error *error)
{
    char **choices;
    size_t count;
    BT_TRY(bt_text_split(arena, param->choices, '|', &choices, &count, error));
    for (size_t i = 0; i < count; i++)
        if (strcmp(choices[i], text) == 0) {
            out->integer = (int64_t)i;
            return BAUTA_OK;
        }
    bauta_status status = bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be one of %s",
                                  param->name, owner, param->choices);
    const char *near = bt_text_nearest(text, (const char *const *)choices, count);
    if (near) bt_error_hint(error, "did you mean '%s'?", near);
    return status;
}

bauta_status bt_param_parse(const bt_param *param, const char *owner, const char *text,
                            bt_arena *arena, bt_value *out, bauta_error *error)
{
    *out = (bt_value){0};
    out->text = bt_arena_copy(arena, text, strlen(text));
    if (!out->text) return bt_fail_memory(error);
    switch (param->type) {
    case BT_PARAM_INTEGER: return parse_integer(param, owner, text, arena, out, error);
    case BT_PARAM_RATIONAL:
        if (!bt_rational_parse(text, &out->rational))
            return bt_fail(error, BAUTA_INVALID, "'%s' of '%s' must be a number", param->name,
                           owner);
        return check_bounds(param, owner, out->rational, error);
    case BT_PARAM_CHOICE: return parse_choice(param, owner, text, arena, out, error);
    case BT_PARAM_TEXT: return BAUTA_OK;
    }
    return bt_fail(error, BAUTA_INTERNAL, "parameter '%s' has no type", param->name);
}

static bauta_status unknown_parameter(const bt_param *params, size_t count, const char *owner,
                                      const char *name, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "'%s' has no option '%s'", owner, name);
    const char *names[32];
    size_t known = 0;
    for (; known < count && known < sizeof names / sizeof *names; known++)
        names[known] = params[known].name;
    const char *near = bt_text_nearest(name, names, known);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else if (count == 0)
        bt_error_hint(error, "'%s' takes no options", owner);
    return status;
}

/* Adds an item to the text of a list. */
static bauta_status add_item(const char *item, bt_arena *arena, bt_value *value, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    if (value->text) BT_TRY(bt_buffer_print(&text, error, "%s,", value->text));
    for (const char *comma; (comma = strchr(item, ',')); item = comma + 1)
        BT_TRY(bt_buffer_print(&text, error, "%.*s\\,", (int)(comma - item), item));
    BT_TRY(bt_buffer_print(&text, error, "%s", item));
    value->text = bt_arena_copy(arena, text.bytes, text.length);
    return bt_arena_check(arena, error);
}

/* *open is the parameter that an item without a name belongs to; `count`: none. */
static bauta_status parse_pair(const bt_param *params, size_t count, const char *owner, char *pair,
                               bt_arena *arena, bt_value *values, size_t *open, bauta_error *error)
{
    char *equals = strchr(pair, '=');
    if (!equals && *open < count) return add_item(pair, arena, &values[*open], error);
    if (!equals)
        return bt_fail(error, BAUTA_INVALID, "option '%s' of '%s' needs '=value'", pair, owner);
    *equals = '\0';
    for (size_t i = 0; i < count; i++)
        if (strcmp(params[i].name, pair) == 0) {
            if (values[i].text)
                return bt_fail(error, BAUTA_INVALID, "option '%s' of '%s' is given twice", pair,
                               owner);
            *open = params[i].list ? i : count;
            if (params[i].list) return add_item(equals + 1, arena, &values[i], error);
            return bt_param_parse(&params[i], owner, equals + 1, arena, &values[i], error);
        }
    return unknown_parameter(params, count, owner, pair, error);
}

bauta_status bt_params_parse(const bt_param *params, size_t count, const char *owner,
                             const char *text, bt_arena *arena, bt_value **values,
                             bauta_error *error)
{
    *values = bt_arena_array(arena, count, sizeof **values);
    if (!*values) return bt_fail_memory(error);
    char **pairs;
    size_t given, open = count > 0 && params[0].list ? 0 : count;
    BT_TRY(bt_text_split(arena, text ? text : "", ',', &pairs, &given, error));
    for (size_t i = 0; i < given; i++)
        BT_TRY(parse_pair(params, count, owner, pairs[i], arena, *values, &open, error));
    for (size_t i = 0; i < count; i++) {
        if ((*values)[i].text) continue;
        if (!params[i].fallback)
            return bt_fail(error, BAUTA_INVALID, "'%s' needs the option '%s'", owner,
                           params[i].name);
        BT_TRY(bt_param_parse(&params[i], owner, params[i].fallback, arena, &(*values)[i], error));
    }
    return BAUTA_OK;
}
