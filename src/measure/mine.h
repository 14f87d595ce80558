/* SPDX-License-Identifier: Apache-2.0
 *
 * Associations q -> s between values of quasi columns and one value of a sensitive column (Yang and
 * Qiao 2010, definition 11). Only src/measure may include this.
 *
 * For each frequent s the values that are frequent among its records are put together column by
 * column, depth first; a combination that is not frequent has no frequent extension. Records are
 * bits, those with s numbered for themselves, so that most of the work is on short sets.
 *
 * Cost: for each combination that is looked at, records with s / 64; for each found, records / 64.
 */
#ifndef BT_MINE_H
#define BT_MINE_H

#include "base/rational.h"
#include "table/tuples.h"

enum { BT_NO_ITEM = UINT32_MAX, BT_RULES_MOST = 1 << 21 };

typedef struct bt_mine_job {
    const bt_codes *quasi;
    bool *const *left_out; /* per quasi column: per code, whether no rule may have it; NULL: all
                              may be in one. Per column likewise */
    size_t columns;
    int64_t rows;
    uint32_t values; /* codes of the sensitive column */
    /* either: that of each row */
    const uint32_t *sensitive;
    /* or: which of these shares it has of each value (two-tables, eq. 13) */
    const uint32_t *class_of;        /* per row */
    const double *share;             /* per class and value */
    bt_rational support, confidence; /* the least of both */
} bt_mine_job;

typedef struct bt_rules {
    size_t count, columns;
    uint32_t *items; /* per rule: the value s, then a code or BT_NO_ITEM for each quasi column;
                        ascending, each rule once */
    double *both;    /* per rule: rows with q and s */
    double *left;    /* per rule: rows with q */
    double *right;   /* per rule: rows with s */
    size_t capacity;
} bt_rules;

/* BAUTA_INVALID when there are more than BT_RULES_MOST. Released by the caller, also after a
 * failure. */
BT_MUST_USE bauta_status bt_mine(const bt_mine_job *job, bt_rules *out, bauta_error *error);
void bt_rules_release(bt_rules *rules);

static inline const uint32_t *bt_rule_items(const bt_rules *rules, size_t rule)
{
    return rules->items + rule * (rules->columns + 1);
}

/* Quasi values in a rule. */
size_t bt_rule_length(const bt_rules *rules, size_t rule);

/* Order of two rules of as many columns, -1, 0 or 1: that of their values one after the other, by
 * columns and codes; what another one begins with comes before it. */
int bt_rule_compare(const uint32_t *one, const uint32_t *other, size_t columns);

#endif
