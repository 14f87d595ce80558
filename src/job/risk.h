/* SPDX-License-Identifier: Apache-2.0
 *
 * The risk of a table as it stands, for bauta_describe. Only src/job may include this.
 */
#ifndef BT_JOB_RISK_H
#define BT_JOB_RISK_H

#include "job/load.h"

/* Puts "risk" into the facts and what needs saying into `notes`: what someone who knows these
 * columns, at least one of them, would find out about whom. */
BT_MUST_USE bauta_status bt_put_table_risk(const bauta_recipe *recipe,
                                           const bt_column *const *quasi, size_t count,
                                           int64_t rows, const bt_run *run, bt_facts *facts,
                                           json_t *notes, bauta_error *error);

#endif
