/* SPDX-License-Identifier: Apache-2.0
 *
 * A join on its owner's side: private/mapping.csv, and what the microdata alone have of columns
 * that they share with a public table. Only src/job may include this.
 */
#ifndef BT_JOB_JOINED_H
#define BT_JOB_JOINED_H

#include "job/load.h"
#include "measure/measure.h"

/* private/mapping.csv of a join: `table` ("microdata" or "public"), `row` (of that table, from 1),
 * `class` (in the order in which classes first occur in data.csv, from 1) and `sensitive_group` (as
 * published). */
BT_MUST_USE bauta_status bt_joined_mapping(const bt_loaded *loaded, const bt_run *run,
                                           bt_buffer *out, bauta_error *error);

/* How many records of the microdata each class of a release has, from the mapping.csv that
 * its owner keeps; the array is the caller's to free. *out is NULL when there is no such
 * file. BAUTA_INVALID when it is not that of this release. */
BT_MUST_USE bauta_status bt_joined_records(const bt_release *release, const bt_run *run,
                                           uint32_t **out, bauta_error *error);

/* What measures ask of quasi columns, of the values that rows of the table have: its domains may
 * have others. Memory from the arena. */
BT_MUST_USE bauta_status bt_joined_ranges(const bt_table *table, bt_arena *arena,
                                          const bt_original_column **out, bauta_error *error);

#endif
