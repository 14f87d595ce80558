/* SPDX-License-Identifier: Apache-2.0
 *
 * What a release's promises say to an attacker: how likely anything may seem at most. Only
 * src/attack may include this.
 *
 * Each requirement says it of its own (`bound` of require/requirement.h): alpha the share of a
 * value, t what it may gain over its share in the table, l that other values occur too.
 *
 * In a distribution all of it is said of the targets: l different values each have the smallest
 * weight at least.
 *
 * Where persons have several rows, what counts persons says nothing about shares of rows.
 */
#ifndef BT_PROMISES_H
#define BT_PROMISES_H

#include "attack/secret.h"
#include "require/requirement.h"

typedef struct bt_promises {
    bt_requirements requirements;
    int64_t k;    /* bt_promised_k */
    bool persons; /* counts persons, not rows */
    bt_arena arena;
} bt_promises;

/* How many persons or rows a class has at least; 0: nothing is promised of it. */
int64_t bt_promised_k(const bt_manifest *manifest);

/* Borrows what the manifest promises; released by the caller. A promise that is not known is
 * none. */
void bt_promises_open(const bt_manifest *manifest, bt_promises *out);
void bt_promises_release(bt_promises *promises);

typedef struct bt_secret_bounds {
    bool any;        /* something is promised */
    double *share;   /* per value: at most this of a class */
    double distinct; /* values that each class has at least, less 1 */
    double gain;     /* over the table's share, at most; above 1: not promised */
    double set_gain; /* of any set of values; infinite: not promised */
    double moved;    /* bt_ceiling.moved; infinite: not promised */
    double least;    /* distribution: what each of the others has at least; else 0 */
} bt_secret_bounds;

/* Memory from the promises' arena. */
BT_MUST_USE bauta_status bt_promises_bound(bt_promises *promises, const bt_secret *secret,
                                           bt_secret_bounds *out, bauta_error *error);

/* What is left of the rows of a class for one value when there are `distinct` others, averaged over
 * the candidates of a target. */
double bt_bounds_distinct(const bt_secret_bounds *bounds, const bt_view *view, uint32_t target);

#endif
