/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads: many random COUNT queries over the columns of the original, as papers define them,
 * and how well a release answers them.
 *
 *   paper1:qd=4,s=0.05  qd quasi columns and a sensitive one; of each with |A| values
 *                       ceil(|A| s^(1/(qd+1))) are asked for
 *   paper4:j=5          j quasi columns and a sensitive one, a random number of values of each
 *   paper5:range=0.1    a box over all quasi columns with this share of their space: a range of
 *                       numbers or dates; of texts, which have no order, as many random ones
 *
 * Columns, values and ranges are drawn with equal chances from those that the original has, the
 * missing value left out, with a seed that is told: everyone can repeat it. A query that no record
 * of the original satisfies has no relative error: it is drawn again, and counted.
 */
#ifndef BT_WORKLOAD_H
#define BT_WORKLOAD_H

#include "query/query.h"
#include "table/table.h"

typedef struct bt_workload {
    const char *name; /* with all options */
    const char *seed; /* NULL: no workload */
    size_t count;
    const char **texts;
    int64_t *answers; /* over the original; above 0 */
    int64_t empty;    /* queries that were drawn again */
    bt_arena arena;
} bt_workload;

typedef struct bt_workload_wish {
    const char *name; /* "paper1:qd=4,s=0.05" */
    const char *seed; /* hexadecimal */
    size_t count;
} bt_workload_wish;

/* Whether a name and its options are right. */
BT_MUST_USE bauta_status bt_workload_check(const char *name, bauta_error *error);

/* Draws from a table with quasi and sensitive columns. BAUTA_INVALID when it has too few of them,
 * or when hardly any query has an answer. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_workload_draw(const bt_workload_wish *wish, const bt_table *table,
                                          const bt_run *run, bt_workload *out, bauta_error *error);
void bt_workload_release(bt_workload *workload);

/* Asks everything and puts `workload` into `at`: queries, empty, mean_error and median_error
 * (relative to the true answer), contained (share of the intervals that hold it; where there is
 * none it does) and mean_width (of the intervals, relative too; null when some query has none). Of
 * a form that can be asked directly too, `direct` has the errors of that. */
BT_MUST_USE bauta_status bt_workload_ask(const bt_workload *workload, const bt_queryable *queryable,
                                         const bt_run *run, bt_facts *facts, json_t *at,
                                         bauta_error *error);

#endif
