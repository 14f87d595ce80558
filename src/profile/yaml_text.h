/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of any kind as YAML: scalars that are read back as they were, and comments that end
 * where they should.
 */
#ifndef BT_YAML_TEXT_H
#define BT_YAML_TEXT_H

#include "base/memory.h"

/* A scalar, in double quotes where it must be; fits keys, values and lists in brackets. `text` is
 * UTF-8 without zero bytes. */
BT_MUST_USE bauta_status bt_yaml_scalar(bt_buffer *out, const char *text, bauta_error *error);

/* "name:", or the long form "? name", line end, ":" for names that a short key cannot hold.
 * `indent` blanks come before it. */
BT_MUST_USE bauta_status bt_yaml_key(bt_buffer *out, int indent, const char *name,
                                     bauta_error *error);

/* Comment lines of at most some 90 characters, broken at blanks, each with `indent` blanks before
 * the sign. Characters that are not seen are written as escapes. */
BT_MUST_USE bauta_status bt_yaml_comment(bt_buffer *out, int indent, const char *text,
                                         bauta_error *error);

#endif
