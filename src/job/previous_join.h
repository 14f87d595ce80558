/* SPDX-License-Identifier: Apache-2.0
 *
 * Earlier releases beside a new one with a public table: people who cannot be in an earlier release
 * do not hide someone who is. Only src/job may include this.
 */
#ifndef BT_PREVIOUS_JOIN_H
#define BT_PREVIOUS_JOIN_H

#include "job/load.h"
#include "reading/release.h"

/* Adds `bit` for each row of the joined table whose quasi values a box of the release contains. */
BT_MUST_USE bauta_status bt_previous_mark(const bauta_recipe *recipe, const bt_loaded *loaded,
                                          bt_release *release, const bt_run *run, uint64_t bit,
                                          uint64_t *boxes_of, bauta_error *error);

/* Records of whose class fewer than `least` people may be in all the earlier releases that the
 * record may be in: masks, per record. */
int64_t bt_previous_exposed(const bt_join *join, const uint64_t *boxes_of, const uint64_t *masks,
                            int64_t least);

#endif
