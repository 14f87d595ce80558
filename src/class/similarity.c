/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting similar classes. Linear in the categories that occur in a class. Sums are exact whole
 * numbers; only the divisions at the end round.
 */
#include "class/similarity.h"

#include "base/assert.h"

static void add_figure(double figure, bool first, double *sum, double *least)
{
    *sum += figure;
    if (first || figure < *least) *least = figure;
}

void bt_similarity_add(bt_similarity *similarity, const bt_category_count *counts, size_t count)
{
    uint64_t records = 0, below = 0;
    unsigned __int128 weight = 0, distance = 0;
    bool first = similarity->classes++ == 0;
    for (size_t i = 0; i < count; i++) {
        records += counts[i].records;
        weight += (uint64_t)counts[i].category * counts[i].records;
    }
    /* Each step from one category to the next counts one in the distance of two records on
     * different sides of it. */
    for (size_t i = 0; i + 1 < count; i++) {
        BT_ASSERT(counts[i].category < counts[i + 1].category);
        below += counts[i].records;
        distance += (unsigned __int128)below * (records - below) *
                    (counts[i + 1].category - counts[i].category);
    }
    if (count == 1) {
        similarity->similar_classes++;
        similarity->similar_records += (int64_t)records;
    }
    if (similarity->categories < 2 || records == 0) return;
    double steps = similarity->categories - 1.0, all = (double)records;
    double pairs = records > 1 ? all * (all - 1) / 2 : 1;
    add_figure((double)distance / (pairs * steps), first, &similarity->distance_sum,
               &similarity->distance_least);
    add_figure((double)weight / steps, first, &similarity->weight_sum, &similarity->weight_least);
    add_figure((double)weight / (steps * all), first, &similarity->share_sum,
               &similarity->share_least);
}
