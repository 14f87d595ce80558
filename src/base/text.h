/* SPDX-License-Identifier: Apache-2.0
 *
 * Small text helpers: nearest names for hints, lists, UTF-8 and single-byte encodings.
 */
#ifndef BT_TEXT_H
#define BT_TEXT_H

#include "base/memory.h"

/* The name among `names` that is nearest to `wanted` by edit distance, or NULL when none is
 * near enough to be worth suggesting. */
const char *bt_text_nearest(const char *wanted, const char *const *names, size_t count);

/* Splits at `separator`; a backslash keeps the next character. Parts are trimmed and owned by
 * the arena; "" gives no parts. */
BT_MUST_USE bauta_status bt_text_split(bt_arena *arena, const char *text, char separator,
                                       char ***parts, size_t *count, bauta_error *error);

/* Whether a backslash keeps the character at `at`, which may be the end. */
bool bt_text_is_kept(const char *text, size_t at);

/* Drops the backslashes that bt_text_split keeps: to be called on the parts of the innermost list.
 */
void bt_text_unescape(char *text);

/* Whole numbers in decimal; false on anything else or overflow. */
bool bt_text_integer(const char *text, int64_t *out);

/* Length of the longest valid UTF-8 prefix of `bytes`; equals `length` when all is valid. */
size_t bt_utf8_valid_prefix(const char *bytes, size_t length);

typedef enum bt_encoding { BT_UTF8, BT_LATIN1, BT_WINDOWS1252 } bt_encoding;

/* Writes `bytes` as UTF-8 to `out` (room for 3 * length bytes) and returns the length. Total:
 * the five undefined bytes of Windows-1252 become the control characters of the same number. */
size_t bt_encoding_to_utf8(bt_encoding encoding, const char *bytes, size_t length, char *out);

/* A share as everyone reads it, "12.3 %": two decimals below 10 %, one from there on, rounded; but
 * 0 % and 100 % are nothing and all. */
enum { BT_SHARE_TEXT = 32 };
void bt_share_print(double share, char *out, size_t room);

#endif
