/* SPDX-License-Identifier: Apache-2.0
 *
 * An inline hierarchy of a recipe as paths from each leaf upwards.
 */
#ifndef BT_INLINE_TREE_H
#define BT_INLINE_TREE_H

#include "recipe/hierarchy.h"
#include "recipe/yaml.h"

/* Maps are inner nodes, list items and keys without a value are leaves; `tree` itself is "*".
 * Arrays from the arena; the labels are those of `tree`. */
BT_MUST_USE bauta_status bt_inline_tree(const bt_yaml *tree, bt_arena *arena,
                                        bt_hierarchy_source *out, bauta_error *error);

#endif
