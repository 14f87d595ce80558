/* SPDX-License-Identifier: Apache-2.0
 *
 * The similarity attack as paper 3 counts it: a class whose sensitive values all fall within one
 * category tells that category of everyone in it, however many values there are. With it, how far
 * apart the categories in a class are: |i-j|/(m-1) for two records of categories i and j of m, and
 * the weight (i-1)/(m-1) of a record of category i.
 */
#ifndef BT_SIMILARITY_H
#define BT_SIMILARITY_H

#include "base/status.h"

typedef struct bt_category_count {
    uint32_t category; /* from 0, the most sensitive */
    uint32_t records;  /* of the class that have it, at least 1 */
} bt_category_count;

typedef struct bt_similarity { /* over all classes that were added */
    uint32_t categories;       /* m */
    uint32_t classes;
    uint32_t similar_classes; /* within one category */
    int64_t similar_records;  /* records in similar classes */
    /* Sum and least over the classes: mean distance between two records, weight, and weight per
     * record; without meaning when there is one category. A class of one record has distance 0. */
    double distance_sum, distance_least;
    double weight_sum, weight_least;
    double share_sum, share_least;
} bt_similarity;

/* Adds a class: its categories in ascending order. */
void bt_similarity_add(bt_similarity *similarity, const bt_category_count *counts, size_t count);

#endif
