/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a table cannot be read as a release describes it. Only src/job may include this.
 */
#ifndef BT_MISFIT_H
#define BT_MISFIT_H

#include "job/original.h"

/* After bt_load of `original` failed: when a column is not there or has values of another type,
 * tells which table and which release that is about, and what helps. Other failures stay as they
 * are. `need` is that with which the original was loaded. Is BAUTA_INVALID. */
bauta_status bt_explain_misfit(const bt_manifest *manifest, bt_original_need need,
                               const bt_original *original, bauta_error *error);

#endif
