/* SPDX-License-Identifier: Apache-2.0
 *
 * A hierarchy as an indented text, shortened where it is long.
 */
#ifndef BT_TREE_TEXT_H
#define BT_TREE_TEXT_H

#include "recipe/hierarchy.h"

enum { BT_TREE_LINES = 40 };

/* At most `lines` lines: of long rows of children only the first are shown, then how many were
 * left out. Line ends inside labels are written \n. */
BT_MUST_USE bauta_status bt_tree_text(const bt_hierarchy *hierarchy, size_t lines, bt_buffer *out,
                                      bauta_error *error);

#endif
