/* SPDX-License-Identifier: Apache-2.0
 *
 * Groupings: releasing them and uniting classes that are published alike.
 */
#include "class/grouping.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/sort.h"
#include "class/steer.h"
#include "recipe/cell.h"
#include "recipe/cuts.h"
#include "recipe/hierarchy.h"

void bt_grouping_release(bt_grouping *grouping)
{
    free(grouping->order);
    free(grouping->starts);
    free(grouping->boxes);
    free(grouping->floors);
    free(grouping->nodes);
    free(grouping->texts);
    free(grouping->wider_of);
    *grouping = (bt_grouping){0};
}

bool bt_grouping_is_sound(const bt_grouping *grouping)
{
    if (!bt_starts_fit(grouping->starts, grouping->classes, (uint64_t)grouping->kept)) return false;
    for (uint32_t c = 0; c < grouping->classes; c++) {
        const uint32_t *rows = grouping->order + grouping->starts[c];
        int64_t size = bt_class_size(grouping, c);
        if (size == 0 || !bt_ascend(rows, (size_t)size) || rows[size - 1] >= grouping->rows)
            return false;
        for (size_t i = 0; i < grouping->columns; i++)
            if (bt_class_box(grouping, c)[i].lo > bt_class_box(grouping, c)[i].hi) return false;
    }
    return true;
}

bt_box bt_tight_box(const bt_grouping *grouping, const bt_column *column, uint32_t class_number)
{
    bt_box box = {UINT32_MAX, 0};
    uint32_t end = grouping->starts[class_number + 1];
    for (uint32_t i = grouping->starts[class_number]; i < end; i++) {
        uint32_t code = bt_column_code(column, grouping->order[i]);
        if (code >= box.lo && code <= box.hi) continue;
        if (code < box.lo) box.lo = code;
        if (code > box.hi) box.hi = code;
        if (box.lo == 0 && box.hi + 1 == column->domain.size) break; /* there is no more */
    }
    BT_ASSERT(box.lo <= box.hi && box.hi < column->domain.size);
    return box;
}

uint32_t bt_published_node(const bt_grouping *grouping, const bt_column *column, size_t place,
                           uint32_t class_number)
{
    const bt_hierarchy *hierarchy = column->hierarchy;
    if (grouping->nodes) return grouping->nodes[(size_t)class_number * grouping->columns + place];
    bt_box box = bt_class_box(grouping, class_number)[place];
    uint32_t cover = bt_hierarchy_cover(hierarchy, box.lo, box.hi);
    if (!grouping->floors) return cover;
    uint32_t at = bt_node_at(column, box.lo, grouping->floors[place]);
    return hierarchy->nodes[at].level > hierarchy->nodes[cover].level ? at : cover;
}

/* Codes in a small table on the stack: it is left as soon as there are too many. */
bool bt_set_is_wide(const bt_grouping *grouping, const bt_column *column, size_t place,
                    uint32_t class_number)
{
    enum { SLOTS = 4 * BT_SET_MOST };
    bt_box box = bt_class_box(grouping, class_number)[place];
    if (grouping->texts || column->hierarchy || column->cuts ||
        column->domain.reading.type != BT_TEXT || box.hi - box.lo < BT_SET_MOST ||
        bt_class_size(grouping, class_number) <= BT_SET_MOST)
        return false;
    uint32_t codes[SLOTS], count = 0, end = grouping->starts[class_number + 1];
    bool used[SLOTS] = {false};
    for (uint32_t i = grouping->starts[class_number]; i < end; i++) {
        uint32_t code = bt_column_code(column, grouping->order[i]), slot = code % SLOTS;
        while (used[slot] && codes[slot] != code)
            slot = (slot + 1) % SLOTS;
        if (used[slot]) continue;
        if (++count > BT_SET_MOST) return true;
        used[slot] = true;
        codes[slot] = code;
    }
    return false;
}

bt_box bt_published_box(const bt_grouping *grouping, const bt_column *column, size_t place,
                        uint32_t class_number)
{
    bool all = (grouping->floors && grouping->floors[place] > 0) ||
               bt_set_is_wide(grouping, column, place, class_number);
    return all ? (bt_box){0, bt_domain_present(&column->domain)}
               : bt_class_box(grouping, class_number)[place];
}

bool bt_grouping_widen(bt_grouping *grouping, const bt_column *const *quasi)
{
    bool any = false;
    for (size_t c = 0; c < grouping->columns; c++) {
        if (!quasi[c]->cuts) continue;
        any = true;
        uint32_t present = bt_domain_present(&quasi[c]->domain);
        for (uint32_t i = 0; i < grouping->classes; i++) {
            bt_box *box = &grouping->boxes[(size_t)i * grouping->columns + c];
            if (box->hi < present) bt_cuts_widen(quasi[c], &box->lo, &box->hi);
        }
    }
    return any;
}

/* The box as it is published: a node where there is a hierarchy. Two numbers that do not depend
 * on how the class came about. */
static bt_box published(const bt_grouping *grouping, const bt_column *column, size_t place,
                        uint32_t class_number)
{
    if (column->hierarchy) {
        uint32_t node = bt_published_node(grouping, column, place, class_number);
        return (bt_box){node, UINT32_MAX};
    }
    bt_box box = bt_published_box(grouping, column, place, class_number);
    if (box.lo != box.hi && box.hi >= bt_domain_present(&column->domain))
        return (bt_box){0, UINT32_MAX};
    return box;
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
    uint64_t hash = 0;
    for (size_t c = 0; c < alike->grouping->columns; c++) {
        bt_box seen = published(alike->grouping, alike->quasi[c], c, class_number);
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
    for (size_t c = 0; c < alike->grouping->columns; c++) {
        bt_box x = published(alike->grouping, alike->quasi[c], c, a);
        bt_box y = published(alike->grouping, alike->quasi[c], c, b);
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

static void widen(bt_box *box, const bt_box *more, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        if (more[c].lo < box[c].lo) box[c].lo = more[c].lo;
        if (more[c].hi > box[c].hi) box[c].hi = more[c].hi;
    }
}

static bool ascending(const uint32_t *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (rows[i - 1] > rows[i]) return false;
    return true;
}

/* The boxes of what classes are merged to, and the sizes: starts[c + 2] is that of class c. */
static void merge_boxes(const bt_grouping *grouping, const uint32_t *target, uint32_t *number,
                        bt_grouping *made)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < grouping->classes; i++) {
        bool first = target[i] == i;
        number[i] = first ? next++ : number[target[i]];
        bt_box *box = made->boxes + (size_t)number[i] * grouping->columns;
        const bt_box *mine = bt_class_box(grouping, i);
        if (first)
            memcpy(box, mine, grouping->columns * sizeof *box);
        else
            widen(box, mine, grouping->columns);
        if (first && made->nodes)
            memcpy(made->nodes + (size_t)number[i] * grouping->columns,
                   grouping->nodes + (size_t)i * grouping->columns,
                   grouping->columns * sizeof *made->nodes);
        made->starts[number[i] + 2] += (uint32_t)bt_class_size(grouping, i);
    }
}

static void merge_rows(const bt_grouping *grouping, const uint32_t *number, bt_grouping *made)
{
    for (uint32_t i = 0; i < made->classes; i++)
        made->starts[i + 2] += made->starts[i + 1];
    for (uint32_t i = 0; i < grouping->classes; i++) {
        uint32_t size = (uint32_t)bt_class_size(grouping, i);
        memcpy(made->order + made->starts[number[i] + 1], grouping->order + grouping->starts[i],
               size * sizeof *made->order);
        made->starts[number[i] + 1] += size;
    }
    for (uint32_t i = 0; i < made->classes; i++) {
        uint32_t *rows = made->order + made->starts[i];
        size_t size = (size_t)bt_class_size(made, i);
        if (!ascending(rows, size)) qsort(rows, size, sizeof *rows, bt_compare_uint32);
    }
}

bauta_status bt_grouping_merge(bt_grouping *grouping, const uint32_t *target, uint32_t count,
                               bauta_error *error)
{
    BT_OWN(bt_free) uint32_t *number = bt_array(grouping->classes, sizeof *number);
    BT_OWN(bt_grouping_release)
    bt_grouping made = {.rows = grouping->rows,
                        .kept = grouping->kept,
                        .columns = grouping->columns,
                        .classes = count,
                        .merged = grouping->merged || count < grouping->classes};
    size_t boxes = (size_t)count * grouping->columns;
    made.order = bt_array((size_t)grouping->kept, sizeof *made.order);
    made.starts = bt_array_zero((size_t)count + 2, sizeof *made.starts);
    made.boxes = bt_array(boxes, sizeof *made.boxes);
    if (grouping->nodes) made.nodes = bt_array(boxes, sizeof *made.nodes);
    if (!number || !made.order || !made.starts || !made.boxes || (grouping->nodes && !made.nodes))
        return bt_fail_memory(error);
    merge_boxes(grouping, target, number, &made);
    merge_rows(grouping, number, &made);
    made.floors = grouping->floors;
    grouping->floors = NULL;
    bt_grouping_release(grouping);
    *grouping = made;
    made = (bt_grouping){0};
    return BAUTA_OK;
}

/* One round: what is united may have a set too wide to be published, and look like others again. */
static bauta_status unite_once(bt_grouping *grouping, const bt_column *const *quasi,
                               const bt_run *run, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t classes = grouping->classes;
    size_t size = 16, tasks = ((size_t)classes + HASHED_AT_ONCE - 1) / HASHED_AT_ONCE;
    while (size < (size_t)classes * 2)
        size *= 2;
    united alike = {.grouping = grouping,
                    .quasi = quasi,
                    .hashes = bt_arena_array(&scratch, classes, sizeof *alike.hashes),
                    .slots = bt_arena_array(&scratch, size, sizeof *alike.slots),
                    .mask = size - 1,
                    .target = bt_arena_array(&scratch, classes, sizeof *alike.target)};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_pool_run(run->pool, tasks, hash_classes, &alike, error));
    for (uint32_t i = 0; i < classes; i++)
        place_class(&alike, i);
    return alike.count < classes ? bt_grouping_merge(grouping, alike.target, alike.count, error)
                                 : BAUTA_OK;
}

bauta_status bt_grouping_unite(bt_grouping *grouping, const bt_column *const *quasi,
                               const bt_run *run, bauta_error *error)
{
    uint32_t before;
    do {
        before = grouping->classes;
        BT_TRY(unite_once(grouping, quasi, run, error));
    } while (grouping->classes < before);
    return BAUTA_OK;
}
