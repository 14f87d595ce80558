/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of an open release as Arrow streams: each row of a file as it stands there, values in
 * their types.
 */
#ifndef BT_TABLES_H
#define BT_TABLES_H

#include "reading/release.h"

/* How many tables a release has, and how they are called: "data" for data.csv. */
enum { BT_TABLES_MOST = BT_RELEASE_FILES + 1 };
size_t bt_tables_count(const bt_release *release);
const char *bt_table_name(const bt_release *release, size_t number);

/* Makes the stream of one of them; the release must have its `other` columns coded. `ranges`: cells
 * of numbers and dates also have columns for their least and greatest values. `bounds`: the text of
 * bounds.csv, where the release has one. From any number of threads at once. */
BT_MUST_USE bauta_status bt_table_stream(const bt_release *release, size_t number, bool ranges,
                                         const bt_buffer *bounds, struct ArrowArrayStream *out,
                                         bauta_error *error);

#endif
