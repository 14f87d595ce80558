/* SPDX-License-Identifier: Apache-2.0
 *
 * Listing the parts by the values that they hold.
 */
#include "audit/holding.h"

typedef struct ranked { /* a leaf, in the order of numbers; of text in that of codes */
    int64_t number;
    uint32_t leaf;
} ranked;

static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static uint32_t first_from(const ranked *leaves, uint32_t count, int64_t number)
{
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (leaves[middle].number < number)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Counts each part at its leaves; with `fill` puts it there. */
static void visit(const bt_release *release, const ranked *leaves, bool text, bool fill,
                  bt_holding *out)
{
    const bt_release_distribution *shown = &release->distribution;
    const bt_hierarchy *tree = shown->sensitive->manifest->hierarchy;
    for (uint32_t i = 0; i < shown->part_count; i++) {
        const bt_shown_part *part = &shown->parts[i];
        if (!part->well_formed) continue;
        int64_t from = text ? tree->nodes[part->node].lo : part->least;
        int64_t to = text ? (int64_t)tree->nodes[part->node].hi - 1 : part->greatest;
        for (uint32_t at = first_from(leaves, tree->leaves, from);
             at < tree->leaves && leaves[at].number <= to; at++) {
            size_t *place = &out->starts[(size_t)leaves[at].leaf + (fill ? 1 : 2)];
            if (fill) out->parts[*place] = i;
            ++*place;
        }
    }
}

bauta_status bt_holding_make(const bt_release *release, const int64_t *numbers, bt_holding *out,
                             bauta_error *error)
{
    uint32_t count = release->distribution.sensitive->manifest->hierarchy->leaves;
    ranked *leaves = bt_array(count, sizeof *leaves);
    *out = (bt_holding){.starts = bt_array_zero((size_t)count + 2, sizeof *out->starts)};
    bauta_status status = leaves && out->starts ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t leaf = 0; status == BAUTA_OK && leaf < count; leaf++)
        leaves[leaf] = (ranked){numbers ? numbers[leaf] : leaf, leaf};
    if (status == BAUTA_OK) {
        qsort(leaves, count, sizeof *leaves, compare_ranked);
        visit(release, leaves, !numbers, false, out);
        /* starts[l + 1] walks through the parts of leaf l while they are put there. */
        for (size_t i = 2; i <= (size_t)count + 1; i++)
            out->starts[i] += out->starts[i - 1];
        out->parts = bt_array(out->starts[count + 1], sizeof *out->parts);
        if (!out->parts) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) visit(release, leaves, !numbers, true, out);
    free(leaves);
    return status;
}

void bt_holding_release(bt_holding *holding)
{
    free(holding->starts);
    free(holding->parts);
    *holding = (bt_holding){0};
}
