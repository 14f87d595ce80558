/* SPDX-License-Identifier: Apache-2.0
 *
 * Which supplies of a matching (flow.h) have no choice: in every matching that serves all demands
 * they serve one and the same demand with all they have. Only src/audit may include this.
 *
 * What is said is certain; that a supply has a choice is not, since only direct consequences are
 * drawn: a demand that takes all that could serve it, a demand that has what it wants, and, where
 * everything is used, a supply that can serve nothing else. Linear in the edges.
 */
#ifndef BT_SETTLE_H
#define BT_SETTLE_H

#include "audit/flow.h"

enum { BT_UNSETTLED = UINT32_MAX };

/* `all_used`: every supply is used up. demand_of[s] becomes the demand that supply s serves, or
 * BT_UNSETTLED. When no matching serves all demands nothing need be true of the result. */
BT_MUST_USE bauta_status bt_settle(const bt_flow *flow, bool all_used, uint32_t *demand_of,
                                   bauta_error *error);

#endif
