/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized, row by row and record by record: whether each row may be a record of its own in which
 * at most lambda quasi values were drawn anew. Only src/audit may include this.
 *
 * Cost: linear in rows for each set of lambda columns, and in the pairs of rows and records that go
 * together (flow.h); where these are too many it is left out.
 */
#ifndef BT_DRAWN_H
#define BT_DRAWN_H

#include "audit/buckets.h"

typedef struct bt_drawn {
    bool matched;    /* the two below are known */
    int64_t lacking; /* rows that are left without a record of their own, at least */
    int64_t first;   /* one of them */
} bt_drawn;

BT_MUST_USE bauta_status bt_drawn_find(const bt_distinct *rows, const bt_distinct *records,
                                       const bt_mechanism *mechanism, const bt_run *run,
                                       bt_drawn *out, bauta_error *error);

#endif
