/* SPDX-License-Identifier: Apache-2.0
 *
 * A query as it was written: an aggregate and a condition, nothing bound to a release yet.
 *
 *   SELECT COUNT(*) | COUNT(c) | SUM(c) | AVG(c) | MIN(c) | MAX(c)  [WHERE condition] [;]
 *
 *   condition  c = v, <>, !=, <, <=, >, >= (also with the value first), c [NOT] IN (v, …),
 *              c [NOT] BETWEEN v AND v, c IS [NOT] NULL, and NOT, AND, OR, parentheses
 *   value      'text', number, DATE 'text'
 */
#ifndef BT_SELECT_H
#define BT_SELECT_H

#include "base/memory.h"

enum { BT_QUERY_MOST = 1 << 20 }; /* bytes of a query */

typedef enum bt_aggregate { BT_COUNT, BT_SUM, BT_AVG, BT_MIN, BT_MAX } bt_aggregate;

const char *bt_aggregate_name(bt_aggregate aggregate); /* "COUNT", … */

typedef struct bt_name_use { /* a column as a query names it */
    const char *text;
    bool quoted;   /* then case matters */
    size_t column; /* where in the query */
} bt_name_use;

typedef struct bt_literal {
    const char *text; /* of a number with its sign */
    bool number;      /* written without quotes */
    bool date;        /* written with DATE */
    size_t column;
} bt_literal;

typedef enum bt_comparison {
    BT_EQUAL,
    BT_UNEQUAL,
    BT_LESS,
    BT_AT_MOST,
    BT_GREATER,
    BT_AT_LEAST,
    BT_BETWEEN, /* two literals */
    BT_IN,      /* one or more */
    BT_IS_NULL, /* none */
} bt_comparison;

typedef struct bt_atom {
    bt_name_use name;
    bt_comparison comparison;
    bool negated;        /* NOT IN, NOT BETWEEN, IS NOT NULL */
    size_t first, count; /* its literals */
} bt_atom;

typedef enum bt_connective { BT_ATOM, BT_NOT, BT_AND, BT_OR } bt_connective;

/* A node of the condition; its parts stand before it, so that no walk needs recursion. */
typedef struct bt_term {
    bt_connective kind;
    uint32_t left, right; /* BT_ATOM: left is the atom; BT_NOT: left */
} bt_term;

typedef struct bt_select {
    bt_aggregate aggregate;
    bool star;          /* COUNT(*) */
    bt_name_use target; /* the column of the aggregate, unless star */
    bt_term *terms;     /* the last is the whole condition; count 0: none */
    size_t term_count, term_capacity;
    bt_atom *atoms;
    size_t atom_count, atom_capacity;
    bt_literal *literals;
    size_t literal_count, literal_capacity;
    bt_arena arena;
} bt_select;

/* BAUTA_INVALID with the column of the query where it went wrong. `out` must be released also
 * after a failure. */
BT_MUST_USE bauta_status bt_select_parse(const char *text, bt_select *out, bauta_error *error);
void bt_select_release(bt_select *select);

#endif
