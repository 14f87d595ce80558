/* SPDX-License-Identifier: Apache-2.0
 *
 * Guessing from its first bytes a CSV file's delimiter and encoding, and whether it is one.
 */
#ifndef BT_SNIFF_H
#define BT_SNIFF_H

#include "base/csv.h"
#include "base/text.h"

/* The delimiter among , ; tab | that splits the first records into the same number of fields,
 * most fields first; comma when none does. `head` is followed by BT_CSV_PADDING readable bytes;
 * `whole` says that it is the whole file, not a beginning that may be cut within a record. */
char bt_sniff_delimiter(const char *head, size_t length, bool whole);

/* UTF-8 if the bytes are valid UTF-8 (but for a last character that may be cut), else
 * Windows-1252 if they use its special range, else Latin-1. */
bt_encoding bt_sniff_encoding(const char *bytes, size_t length);

/* Refuses what is no text in this encoding at all, by the first bytes of a file. */
BT_MUST_USE bauta_status bt_sniff_text(const char *name, const char *bytes, size_t length,
                                       bt_encoding encoding, bauta_error *error);

#endif
