/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition bound to the columns of a release.
 *
 * The values that a query names cut the domain of a column into segments: the values below the
 * first, the first itself, those up to the second, and so on; the missing value is a segment of its
 * own. Every comparison is a set of segments, so that whatever is said of one column in one place
 * becomes a single set (a leaf), and two values in the same segment cannot be told apart.
 *
 * Negations are pushed down to the comparisons, where SQL's third truth value is settled: a
 * comparison with a missing value is neither true nor false, so neither it nor its negation is
 * true. What is left is a tree of AND and OR over leaves that are true or not.
 */
#ifndef BT_PREDICATE_H
#define BT_PREDICATE_H

#include "query/column.h"
#include "query/intervals.h"
#include "query/select.h"

enum { BT_LEAVES_MOST = 1024 };

/* A column that the query uses. */
typedef struct bt_slot {
    const bt_query_column *column;
    int64_t *numbers;   /* the values that cut its domain, ascending: numbers and dates, */
    const char **texts; /* or texts */
    uint32_t cuts;
    bool ordered; /* values are compared by their order, not only for being equal */
    /* Segments: 2i + 1 is cut i, 2i what lies before it, 2 * cuts what lies behind the last, and
     * 2 * cuts + 1 the missing value. Those that all leaves treat alike have one signature. */
    uint32_t *signature;
    uint32_t signatures;
} bt_slot;

static inline uint32_t bt_slot_last(const bt_slot *slot)
{
    return 2 * slot->cuts;
}

static inline uint32_t bt_slot_missing(const bt_slot *slot)
{
    return 2 * slot->cuts + 1;
}

typedef struct bt_leaf {
    uint32_t slot, junction;
    bt_intervals segments; /* segments for which it is true */
    bool missing;          /* true for the missing value */
    bool *truth;           /* per signature */
} bt_leaf;

typedef struct bt_junction { /* AND or OR of its leaves and of the junctions under it */
    bool all;                /* AND */
    uint32_t parent;         /* a smaller number; the root 0 is its own */
} bt_junction;

typedef struct bt_predicate {
    bt_slot *slots; /* left ones first, the target before the others */
    size_t slot_count, left_count;
    size_t target; /* slot of the aggregate's column; slot_count: there is none */
    bt_leaf *leaves;
    size_t leaf_count;
    bt_junction *junctions;
    size_t junction_count;
    bt_arena arena;
} bt_predicate;

/* With a target, only records in which it is present count. BAUTA_INVALID with the column of the
 * query. `out` must be released also after a failure. */
BT_MUST_USE bauta_status bt_predicate_bind(const bt_select *select, const bt_query_columns *columns,
                                           bt_predicate *out, bauta_error *error);
void bt_predicate_release(bt_predicate *predicate);

/* ---- comparisons, for the above: atoms.c ---- */

typedef struct bt_bound_literal { /* as the column's type reads it */
    int64_t number;               /* rounded down to the column's scale */
    const char *text;
    bool exact; /* false: no value of the column is equal to it */
    int beyond; /* -1, 1: below or above every number */
    uint32_t cut;
} bt_bound_literal;

typedef struct bt_bound_atoms {
    uint32_t *slots;            /* per atom */
    bt_bound_literal *literals; /* per literal */
} bt_bound_atoms;

/* Finds the columns, makes the slots and their cuts. */
BT_MUST_USE bauta_status bt_atoms_bind(const bt_select *select, const bt_query_columns *columns,
                                       bt_predicate *predicate, bt_bound_atoms *out,
                                       bauta_error *error);

/* The segments for which an atom, or its negation, is true, and whether the missing value is. */
BT_MUST_USE bauta_status bt_atom_segments(const bt_select *select, const bt_bound_atoms *atoms,
                                          size_t number, bool negate, bt_predicate *predicate,
                                          bt_leaf *out, bauta_error *error);

#endif
