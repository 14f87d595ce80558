/* SPDX-License-Identifier: Apache-2.0
 *
 * Categories that a recipe writes down.
 */
#ifndef BT_INLINE_CATEGORIES_H
#define BT_INLINE_CATEGORIES_H

#include "recipe/categories.h"
#include "recipe/yaml.h"

/* A list of lists of values, or a map of names to such lists, the most sensitive first; one
 * value may stand without a list. Without names the categories are called 1, 2, 3 …  Arrays from
 * the arena; the texts are those of `node`. */
BT_MUST_USE bauta_status bt_inline_categories(const bt_yaml *node, bt_arena *arena,
                                              bt_categories_source *out, bauta_error *error);

#endif
