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

typedef struct united { /* classes that look alike */
    const bt_grouping *grouping;
    const bt_column *const *quasi;
    uint64_t *hashes; /* of what each class looks like */
    uint32_t *slots;  /* class + 1; 0: free */
    size_t mask;
    uint32_t *target; /* class -> the first class that looks like it */
    uint32_t count;   /* of different ones */
} united;

enum { HASHED_AT_ONCE = 4096 };

static uint64_t hash_of(const united *alike, uint32_t class_number)
{
    const bt_box *box = bt_class_box(alike->grouping, class_number);
    uint64_t hash = 0;
    for (size_t c = 0; c < alike->grouping->columns; c++) {
        bt_box seen = published(alike->quasi[c], box[c]);
        hash = bt_hash_mix(hash, (uint64_t)seen.lo << 32 | seen.hi);
    }
    return hash;
}

static bauta_status hash_classes(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    united *alike = user;
    size_t from = task * HASHED_AT_ONCE, to = from + HASHED_AT_ONCE;
    if (to > alike->grouping->classes) to = alike->grouping->classes;
    for (size_t i = from; i < to; i++)
        alike->hashes[i] = hash_of(alike, (uint32_t)i);
    return BAUTA_OK;
}

static bool look_alike(const united *alike, uint32_t a, uint32_t b)
{
    const bt_box *mine = bt_class_box(alike->grouping, a),
                 *other = bt_class_box(alike->grouping, b);
    for (size_t c = 0; c < alike->grouping->columns; c++) {
        bt_box x = published(alike->quasi[c], mine[c]), y = published(alike->quasi[c], other[c]);
        if (x.lo != y.lo || x.hi != y.hi) return false;
    }
    return true;
}

static void place_class(united *alike, uint32_t number)
{
    size_t slot = alike->hashes[number] & alike->mask;
    for (; alike->slots[slot] != 0; slot = (slot + 1) & alike->mask) {
        uint32_t other = alike->slots[slot] - 1;
        if (alike->hashes[other] != alike->hashes[number] || !look_alike(alike, number, other))
            continue;
        alike->target[number] = other;
        return;
    }
    alike->slots[slot] = number + 1;
    alike->target[number] = number;
    alike->count++;
}

static bauta_status find_alike(united *alike, const bt_run *run, bauta_error *error)
{
    uint32_t classes = alike->grouping->classes;
    size_t size = 16;
    while (size < (size_t)classes * 2)
        size *= 2;
    alike->mask = size - 1;
    alike->slots = bt_array_zero(size, sizeof *alike->slots);
    alike->target = bt_array(classes, sizeof *alike->target);
    alike->hashes = bt_array(classes, sizeof *alike->hashes);
    if (!alike->slots || !alike->target || !alike->hashes) return bt_fail_memory(error);
    size_t tasks = ((size_t)classes + HASHED_AT_ONCE - 1) / HASHED_AT_ONCE;
    BT_TRY(bt_pool_run(run->pool, tasks, hash_classes, alike, error));
    for (uint32_t i = 0; i < classes; i++)
        place_class(alike, i);
    return BAUTA_OK;
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

static bool ascending(const uint32_t *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (rows[i - 1] > rows[i]) return false;
    return true;
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
    for (uint32_t i = 0; i < made.classes; i++) {
        uint32_t *rows = made.order + made.starts[i];
        size_t size = (size_t)bt_class_size(&made, i);
        if (!ascending(rows, size)) qsort(rows, size, sizeof *rows, compare_rows);
    }
    free(number);
    bt_grouping_release(grouping);
    *grouping = made;
    return BAUTA_OK;
}

bauta_status bt_grouping_unite(bt_grouping *grouping, const bt_column *const *quasi,
                               const bt_run *run, bauta_error *error)
{
    united alike = {.grouping = grouping, .quasi = quasi};
    bauta_status status = find_alike(&alike, run, error);
    if (status == BAUTA_OK && alike.count < grouping->classes)
        status = rearrange(grouping, &alike, error);
    free(alike.slots);
    free(alike.target);
    free(alike.hashes);
    return status;
}
