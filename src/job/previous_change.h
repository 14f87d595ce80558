/* SPDX-License-Identifier: Apache-2.0
 *
 * Who came and who left between an earlier release and a new one. Only src/job may include this.
 */
#ifndef BT_PREVIOUS_CHANGE_H
#define BT_PREVIOUS_CHANGE_H

#include "job/previous_alike.h"

/* BAUTA_NO when the rows that came to a class which both releases have, or that left it, do not
 * satisfy what is required of a class. `tally` is of the new table; NULL: only sizes matter. */
BT_MUST_USE bauta_status bt_check_changes(const bt_beside *of, bt_earlier *one, bt_tally *tally,
                                          bauta_error *error);

#endif
