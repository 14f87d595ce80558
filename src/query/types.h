/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of left parts, for the forms whose records have a left and a right part that nobody can
 * join: the diagram is followed over each left part to a node, its type, which is a condition on
 * the right part alone. Only src/query may include this.
 */
#ifndef BT_QUERY_TYPES_H
#define BT_QUERY_TYPES_H

#include "query/form.h"

enum { BT_TYPES_MOST = 10 }; /* of a class, for bounds that are tight */

typedef struct bt_types {
    bt_step *steps;    /* per node of the diagram */
    uint32_t ends;     /* nodes below this are types, or ends */
    uint32_t *type_of; /* per left part, of all classes */
} bt_types;

/* Memory from the predicate's arena. */
BT_MUST_USE bauta_status bt_types_make(const bt_queryable *queryable, bt_question *question,
                                       bt_types *out, bauta_error *error);

/* The most left parts that can be matched, counts[t] of each of `types` types, when by_set[S] of
 * `rights` right parts satisfy exactly the types of S (Hall's theorem). Changes by_set, which has
 * room for 2^types. */
int64_t bt_types_match(const int64_t *counts, size_t types, int64_t rights, int64_t *by_set);

#endif
