/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed parameters: a registry entry describes its options in a table that drives parsing,
 * bounds, help and listings alike.
 */
#ifndef BT_PARAMS_H
#define BT_PARAMS_H

#include "base/memory.h"
#include "base/rational.h"

typedef enum bt_param_type {
    BT_PARAM_INTEGER,
    BT_PARAM_RATIONAL,
    BT_PARAM_CHOICE, /* one of `choices`, separated by '|' */
    BT_PARAM_TEXT,
} bt_param_type;

typedef struct bt_param {
    const char *name;
    bt_param_type type;
    bool list;  /* BT_PARAM_TEXT: may hold commas. What follows without '=' belongs to it; the first
                   parameter of an entry may then be given without its name. In its text a backslash
                   stands before a comma that is part of an item */
    bool quiet; /* where all options are spelled out, this one is only if it is not what a release
                   means that does not name it */
    bool above; /* a value must be more than the minimum */
    const char *minimum, *maximum; /* numbers as text; NULL: unbounded */
    const char *choices;           /* BT_PARAM_CHOICE; BT_PARAM_INTEGER: words that may stand for a
                                      number, NULL: none. The first stands for 0, the next for 1 …,
                                      all of them below the minimum */
    const char *fallback;          /* default as text; NULL: must be given */
    const char *unsaid;            /* what a release means that does not name the option; NULL: the
                                      default */
    const char *help;              /* one line */
} bt_param;

typedef struct bt_value {
    int64_t integer; /* BT_PARAM_INTEGER; of a choice, or a word for a number: its index */
    bt_rational rational;
    const char *text; /* as given, owned by the arena */
} bt_value;

/* Parses one value. `owner` names the entry in errors ("mondrian", "k"). */
BT_MUST_USE bauta_status bt_param_parse(const bt_param *param, const char *owner, const char *text,
                                        bt_arena *arena, bt_value *out, bauta_error *error);

/* Parses "name=value,name=value" (NULL or "": all defaults) into *values, parallel to `params`
 * and owned by the arena. */
BT_MUST_USE bauta_status bt_params_parse(const bt_param *params, size_t count, const char *owner,
                                         const char *text, bt_arena *arena, bt_value **values,
                                         bauta_error *error);

#endif
