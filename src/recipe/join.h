/* SPDX-License-Identifier: Apache-2.0
 *
 * How microdata are joined with a public table, as a recipe asks for it and a manifest names it.
 * src/group does it; whoever reads a release sees this of it and nothing else.
 */
#ifndef BT_RECIPE_JOIN_H
#define BT_RECIPE_JOIN_H

#include "base/params.h"

typedef enum bt_join_kind {
    BT_JOIN_NONE,
    BT_JOIN_DIRECT, /* the joined table is grouped */
    BT_JOIN_REFINE, /* the microdata are grouped, then each class together with the external
                       persons inside its cells */
} bt_join_kind;

/* What is done about external persons without whom a class would have smaller cells and still be
 * large enough. */
typedef enum bt_trim {
    BT_TRIM_NONE,  /* nothing */
    BT_TRIM_SAFE,  /* some are left out, so that nobody can be sure of anybody else */
    BT_TRIM_PAPER, /* all are left out (paper 5); whoever alone holds a side of a class of more than
                      k is then known to be in the microdata */
} bt_trim;

typedef struct bt_join_choice {
    bt_join_kind kind;
    bt_trim trim;
    const char *text;  /* "refine:trim=none"; NULL: there is no public table */
    const char *fault; /* what is wrong with its options in a manifest; NULL: nothing */
} bt_join_choice;

/* "refine:trim=none"; NULL: the default. out->text spells all options out. */
BT_MUST_USE bauta_status bt_join_parse(const char *text, bt_arena *arena, bt_join_choice *out,
                                       bauta_error *error);

/* The join that a manifest names, as anybody may have written it. `text` is borrowed. Kind
 * BT_JOIN_NONE: it is not one that there is. BAUTA_SYSTEM alone fails. */
BT_MUST_USE bauta_status bt_join_read(const char *text, bt_arena *arena, bt_join_choice *out,
                                      bauta_error *error);

#endif
