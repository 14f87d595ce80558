/* SPDX-License-Identifier: Apache-2.0
 *
 * Telling files that are no text at all, such as workbooks, from text with a fault in it.
 */
#ifndef BT_FOREIGN_H
#define BT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* What a file is that begins with these bytes, as in "the file is …, not text"; NULL: text, or at
 * least something near it. Only files that cannot be read anyway are found to be anything else:
 * with a NUL byte, or with `utf8` what is not UTF-8. */
const char *bt_foreign_content(const char *bytes, size_t length, bool utf8);

/* What to do about it. */
extern const char bt_foreign_hint[];

#endif
