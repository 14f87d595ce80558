/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: whether the rows look as if values had been drawn anew as the mechanism says, given
 * the original. Only src/audit may include this.
 */
#ifndef BT_DRAWING_H
#define BT_DRAWING_H

#include "audit/buckets.h"
#include "audit/finding.h"

/* Combinations of values: adds the findings "drawing". There are as many rows as records. */
BT_MUST_USE bauta_status bt_audit_drawing(bt_audit_job *job, const bt_compared *compared,
                                          const bt_distinct *rows, const bt_distinct *records,
                                          bauta_error *error);

/* Values alone: adds the findings "distributions". There are as many rows as records. */
BT_MUST_USE bauta_status bt_audit_marginals(bt_audit_job *job, const bt_compared *compared,
                                            bauta_error *error);

#endif
