/* SPDX-License-Identifier: Apache-2.0
 *
 * Groupings: releasing them and uniting classes that are published alike.
 */
#include "class/grouping.h"

#include "base/hash.h"
#include "recipe/hierarchy.h"

void bt_grouping_release(bt_grouping *grouping)
{
    free(grouping->order);
    free(grouping->starts);
    free(grouping->boxes);
    *grouping = (bt_grouping){0};
}

/* The box as it is published: that of the covering node where there is a hierarchy. Two numbers
 * that do not depend on how the class came about. */
static bt_box published(const bt_column *column, bt_box box)
{
    if (box.lo == box.hi) return box;
    if (box.hi >= bt_domain_present(&column->domain)) return (bt_box){0, UINT32_MAX};
    if (!column->hierarchy) return box;
    uint32_t cover = bt_hierarchy_cover(column->hierarchy, box.lo, box.hi);
    if (cover == 0) return (bt_box){0, UINT32_MAX};
    return (bt_box){column->hierarchy->nodes[cover].lo, column->hierarchy->nodes[cover].hi};
}

static void publish_boxes(const bt_grouping *grouping, const bt_column *const *quasi,
                          uint32_t class_number, bt_box *out)
{
    const bt_box *box = bt_class_box(grouping, class_number);
    for (size_t c = 0; c < grouping->columns; c++)
        out[c] = published(quasi[c], box[c]);
}

typedef struct united { /* classes that look alike */
    uint32_t *slots;    /* class + 1; 0: free */
    size_t mask;
    uint32_t *target; /* class -> the first class that looks like it */
    uint32_t count;   /* of different ones */
} united;

static bauta_status find_alike(const bt_grouping *grouping, const bt_column *const *quasi,
                               united *out, bauta_error *error)
{
    size_t size = 16, bytes = grouping->columns * sizeof(bt_box);
    while (size < (size_t)grouping->classes * 2)
        size *= 2;
    out->mask = size - 1;
    out->slots = bt_array_zero(size, sizeof *out->slots);
    out->target = bt_array(grouping->classes, sizeof *out->target);
    bt_box *mine = bt_array(grouping->columns, sizeof *mine);
    bt_box *other = bt_array(grouping->columns, sizeof *other);
    bauta_status status =
        out->slots && out->target && mine && other ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; status == BAUTA_OK && i < grouping->classes; i++) {
        publish_boxes(grouping, quasi, i, mine);
        size_t slot = bt_hash(mine, bytes) & out->mask;
        for (;; slot = (slot + 1) & out->mask) {
            if (out->slots[slot] == 0) {
                out->slots[slot] = i + 1;
                out->target[i] = i;
                out->count++;
                break;
            }
            publish_boxes(grouping, quasi, out->slots[slot] - 1, other);
            if (memcmp(mine, other, bytes) == 0) {
                out->target[i] = out->slots[slot] - 1;
                break;
            }
        }
    }
    free(mine);
    free(other);
    return status;
}

static void widen(bt_box *box, const bt_box *more, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        if (more[c].lo < box[c].lo) box[c].lo = more[c].lo;
        if (more[c].hi > box[c].hi) box[c].hi = more[c].hi;
    }
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Writes the classes again, each with the rows of all that look like it. */
static bauta_status rearrange(bt_grouping *grouping, const united *alike, bauta_error *error)
{
    uint32_t classes = grouping->classes, *number = bt_array(classes, sizeof *number);
    bt_grouping made = {
        .rows = grouping->rows, .kept = grouping->kept, .columns = grouping->columns};
    made.classes = alike->count;
    made.order = bt_array((size_t)grouping->kept, sizeof *made.order);
    made.starts = bt_array_zero((size_t)alike->count + 2, sizeof *made.starts);
    made.boxes = bt_array((size_t)alike->count * grouping->columns, sizeof *made.boxes);
    if (!number || !made.order || !made.starts || !made.boxes) {
        free(number);
        bt_grouping_release(&made);
        return bt_fail_memory(error);
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < classes; i++) {
        bool first = alike->target[i] == i;
        number[i] = first ? next++ : number[alike->target[i]];
        bt_box *box = made.boxes + (size_t)number[i] * grouping->columns;
        const bt_box *mine = bt_class_box(grouping, i);
        if (first)
            memcpy(box, mine, grouping->columns * sizeof *box);
        else
            widen(box, mine, grouping->columns);
        made.starts[number[i] + 2] += (uint32_t)bt_class_size(grouping, i);
    }
    for (uint32_t i = 0; i < alike->count; i++)
        made.starts[i + 2] += made.starts[i + 1];
    for (uint32_t i = 0; i < classes; i++) {
        uint32_t size = (uint32_t)bt_class_size(grouping, i);
        memcpy(made.order + made.starts[number[i] + 1], grouping->order + grouping->starts[i],
               size * sizeof *made.order);
        made.starts[number[i] + 1] += size;
    }
    for (uint32_t i = 0; i < made.classes; i++)
        qsort(made.order + made.starts[i], (size_t)bt_class_size(&made, i), sizeof *made.order,
              compare_rows);
    free(number);
    bt_grouping_release(grouping);
    *grouping = made;
    return BAUTA_OK;
}

bauta_status bt_grouping_unite(bt_grouping *grouping, const bt_column *const *quasi,
                               bauta_error *error)
{
    united alike = {0};
    bauta_status status = find_alike(grouping, quasi, &alike, error);
    if (status == BAUTA_OK && alike.count < grouping->classes)
        status = rearrange(grouping, &alike, error);
    free(alike.slots);
    free(alike.target);
    return status;
}
