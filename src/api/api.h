/* SPDX-License-Identifier: Apache-2.0
 *
 * Handing out reports: shared by the files that implement bauta.h. Only src/api may include this.
 */
#ifndef BT_API_H
#define BT_API_H

#include "report/report.h"

/* Gives `facts` (stolen, also on failure) to a new report of `kind`; `out` may be NULL. */
BT_MUST_USE bauta_status bt_report_give(bt_report_kind kind, bt_facts *facts, bauta_report **out,
                                        bauta_error *error);

#endif
