/* SPDX-License-Identifier: Apache-2.0
 *
 * Dividing records in two, as TopDown does (Xu et al. 2006).
 *
 * The two ends are the most distant pair. Of many records it is looked for in a few rounds, each of
 * which goes to the record most distant from the last one. The other records go, in their order, to
 * the end where the loss of all records of that end grows least (equal: to the one with fewer).
 *
 * What a record adds to an end is nothing for most of them once the ends have filled their boxes,
 * so the work is a comparison of coordinates; O(records * axes).
 */
#include "group/cluster.h"

#include "base/bitset.h"

#include <string.h>

enum { ALL_PAIRS = 64, ROUNDS = 3 }; /* up to so many records all pairs are looked at */

typedef struct side {
    uint64_t count, loss;
    bt_box *extent;     /* per axis */
    uint32_t *losses;   /* per axis */
    uint64_t **members; /* per set: a bit for each code */
    uint32_t *counts;   /* per set: members */
    bool *missing;      /* per set: the missing value is one of them */
} side;

typedef struct lean { /* how much nearer a record is to the first end */
    int64_t key;
    uint32_t place;
} lean;

struct bt_splitter {
    const bt_cluster *cluster;
    side sides[2];
    uint8_t *goes; /* per record: to which side */
    uint32_t *aside;
    lean *leans;
    size_t goes_capacity, aside_capacity, leans_capacity;
};

static const uint32_t *point_at(const bt_cluster *cluster, uint32_t place)
{
    return cluster->points + (size_t)place * cluster->space.axes;
}

/* ---- ends -------------------------------------------------------------------------------- */

static uint64_t farthest_from(const bt_cluster *cluster, uint32_t start, uint32_t end,
                              uint32_t from, uint32_t *out)
{
    uint64_t most = 0;
    const uint32_t *origin = point_at(cluster, from);
    *out = from;
    for (uint32_t i = start; i < end; i++) {
        uint64_t distance = bt_cluster_distance(&cluster->space, origin, point_at(cluster, i));
        if (distance <= most) continue;
        most = distance;
        *out = i;
    }
    return most;
}

static uint64_t farthest_pair(const bt_cluster *cluster, uint32_t start, uint32_t end, uint32_t *a,
                              uint32_t *b)
{
    uint64_t most = 0;
    for (uint32_t i = start; i < end; i++)
        for (uint32_t j = i + 1; j < end; j++) {
            uint64_t distance =
                bt_cluster_distance(&cluster->space, point_at(cluster, i), point_at(cluster, j));
            if (distance <= most) continue;
            most = distance;
            *a = i;
            *b = j;
        }
    return most;
}

/* The distance of the two ends; 0: all records are alike. */
static uint64_t find_ends(const bt_cluster *cluster, uint32_t start, uint32_t end, uint32_t *a,
                          uint32_t *b)
{
    if (end - start <= ALL_PAIRS) return farthest_pair(cluster, start, end, a, b);
    uint64_t distance = farthest_from(cluster, start, end, start, b);
    *a = start;
    for (int i = 0; i < ROUNDS && distance > 0; i++) {
        uint32_t other;
        uint64_t next = farthest_from(cluster, start, end, *b, &other);
        if (next <= distance && i > 0) break;
        distance = next;
        *a = *b;
        *b = other;
    }
    return distance;
}

/* ---- sides ------------------------------------------------------------------------------- */

static void clear_side(const bt_cluster_space *space, side *s)
{
    for (size_t c = 0; c < space->axes; c++) {
        const bt_cluster_axis *axis = &space->axis[c];
        if (axis->kind == BT_AXIS_SET)
            memset(s->members[axis->set], 0,
                   bt_bitset_words(axis->column->domain.size) * sizeof **s->members);
    }
    memset(s->losses, 0, space->axes * sizeof *s->losses);
    memset(s->counts, 0, space->sets * sizeof *s->counts);
    memset(s->missing, 0, space->sets * sizeof *s->missing);
    s->count = s->loss = 0;
}

static void begin_side(const bt_cluster_space *space, side *s, const uint32_t *point)
{
    clear_side(space, s);
    bt_cluster_extent(space, point, s->extent);
    s->count = 1;
    for (size_t c = 0; c < space->axes; c++) {
        const bt_cluster_axis *axis = &space->axis[c];
        if (axis->kind == BT_AXIS_TREE) {
            s->losses[c] = bt_cluster_node_loss(axis, s->extent[c].lo);
            s->loss += s->losses[c];
        } else if (axis->kind == BT_AXIS_SET) {
            bt_bitset_add(s->members[axis->set], point[c]);
            s->counts[axis->set] = 1;
            s->missing[axis->set] = point[c] >= axis->present;
        }
    }
}

static uint32_t loss_with(const bt_cluster_axis *axis, const side *s, size_t c, uint32_t at)
{
    bt_box extent = s->extent[c];
    switch (axis->kind) {
    case BT_AXIS_NUMBER:
        if (at >= extent.lo && at <= extent.hi) return s->losses[c];
        if (at < extent.lo) extent.lo = at;
        if (at > extent.hi) extent.hi = at;
        return bt_cluster_number_loss(axis, extent);
    case BT_AXIS_TREE: {
        uint32_t node = bt_cluster_node_over(axis, extent.lo, at);
        return node == extent.lo ? s->losses[c] : bt_cluster_node_loss(axis, node);
    }
    default:
        if (bt_bitset_has(s->members[axis->set], at)) return s->losses[c];
        return bt_cluster_members_loss(axis, s->counts[axis->set] + 1,
                                       s->missing[axis->set] || at >= axis->present);
    }
}

/* By how much the loss of all records of the side grows. */
static unsigned __int128 growth(const bt_cluster_space *space, const side *s, const uint32_t *point)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < space->axes; c++)
        loss += loss_with(&space->axis[c], s, c, point[c]);
    return (unsigned __int128)s->count * (loss - s->loss) + loss;
}

static void add_point(const bt_cluster_space *space, side *s, const uint32_t *point)
{
    s->count++;
    for (size_t c = 0; c < space->axes; c++) {
        const bt_cluster_axis *axis = &space->axis[c];
        uint32_t at = point[c], loss = loss_with(axis, s, c, at);
        s->loss += loss - s->losses[c];
        s->losses[c] = loss;
        if (axis->kind == BT_AXIS_NUMBER) {
            if (at < s->extent[c].lo) s->extent[c].lo = at;
            if (at > s->extent[c].hi) s->extent[c].hi = at;
        } else if (axis->kind == BT_AXIS_TREE) {
            s->extent[c].lo = bt_cluster_node_over(axis, s->extent[c].lo, at);
        } else if (!bt_bitset_has(s->members[axis->set], at)) {
            bt_bitset_add(s->members[axis->set], at);
            s->counts[axis->set]++;
            s->missing[axis->set] |= at >= axis->present;
        }
    }
}

/* ---- dividing ---------------------------------------------------------------------------- */

static void assign(bt_splitter *p, uint32_t start, uint32_t end, uint32_t a, uint32_t b)
{
    const bt_cluster *cluster = p->cluster;
    side *s = p->sides;
    begin_side(&cluster->space, &s[0], point_at(cluster, a));
    begin_side(&cluster->space, &s[1], point_at(cluster, b));
    p->goes[a - start] = 0;
    p->goes[b - start] = 1;
    for (uint32_t i = start; i < end; i++) {
        if (i == a || i == b) continue;
        const uint32_t *point = point_at(cluster, i);
        unsigned __int128 first = growth(&cluster->space, &s[0], point);
        unsigned __int128 second = growth(&cluster->space, &s[1], point);
        unsigned to = first != second ? second < first : s[1].count < s[0].count;
        add_point(&cluster->space, &s[to], point);
        p->goes[i - start] = (uint8_t)to;
    }
}

static int compare_leans(const void *left, const void *right)
{
    const lean *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* One half is nearer to the first end than the other half is. */
static bauta_status assign_halves(bt_splitter *p, uint32_t start, uint32_t end, uint32_t a,
                                  uint32_t b, bauta_error *error)
{
    const bt_cluster *cluster = p->cluster;
    uint32_t count = end - start;
    BT_TRY(bt_array_grow(&p->leans, &p->leans_capacity, count, sizeof *p->leans, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *point = point_at(cluster, start + i);
        int64_t near = (int64_t)bt_cluster_distance(&cluster->space, point_at(cluster, a), point);
        int64_t far = (int64_t)bt_cluster_distance(&cluster->space, point_at(cluster, b), point);
        p->leans[i] = (lean){near - far, i};
    }
    qsort(p->leans, count, sizeof *p->leans, compare_leans);
    for (uint32_t i = 0; i < count; i++)
        p->goes[p->leans[i].place] = i >= count / 2;
    return BAUTA_OK;
}

/* Moves the rows of the first side to the front; each side keeps its order. */
static bauta_status arrange(bt_splitter *p, uint32_t start, uint32_t end, uint32_t *left,
                            bauta_error *error)
{
    size_t axes = p->cluster->space.axes, unit = axes + 1;
    uint32_t *points = p->cluster->points, *rows = p->cluster->rows, next = start, later = 0;
    uint32_t right = 0;
    for (uint32_t i = 0; i < end - start; i++)
        right += p->goes[i];
    BT_TRY(bt_array_grow(&p->aside, &p->aside_capacity, right * unit, sizeof *p->aside, error));
    for (uint32_t i = start; i < end; i++) {
        const uint32_t *point = points + (size_t)i * axes;
        if (p->goes[i - start]) {
            uint32_t *kept = p->aside + later++ * unit;
            kept[0] = rows[i];
            memcpy(kept + 1, point, axes * sizeof *point);
        } else {
            rows[next] = rows[i];
            if (next != i) memcpy(points + (size_t)next * axes, point, axes * sizeof *point);
            next++;
        }
    }
    *left = next - start;
    for (uint32_t i = 0; i < right; i++, next++) {
        const uint32_t *kept = p->aside + i * unit;
        rows[next] = kept[0];
        memcpy(points + (size_t)next * axes, kept + 1, axes * sizeof *points);
    }
    return BAUTA_OK;
}

bauta_status bt_cluster_split(bt_splitter *splitter, uint32_t start, uint32_t end, bool halve,
                              uint32_t *left, bauta_error *error)
{
    uint32_t a = start, b = start;
    *left = 0;
    if (find_ends(splitter->cluster, start, end, &a, &b) == 0) return BAUTA_OK;
    BT_TRY(bt_array_grow(&splitter->goes, &splitter->goes_capacity, end - start, 1, error));
    if (halve)
        BT_TRY(assign_halves(splitter, start, end, a, b, error));
    else
        assign(splitter, start, end, a, b);
    return arrange(splitter, start, end, left, error);
}

/* ---- making ------------------------------------------------------------------------------ */

static bauta_status make_side(const bt_cluster_space *space, side *out, bauta_error *error)
{
    out->extent = bt_array(space->axes, sizeof *out->extent);
    out->losses = bt_array(space->axes, sizeof *out->losses);
    out->members = bt_array_zero(space->sets, sizeof *out->members);
    out->counts = bt_array(space->sets, sizeof *out->counts);
    out->missing = bt_array(space->sets, sizeof *out->missing);
    if (!out->extent || !out->losses || !out->members || !out->counts || !out->missing)
        return bt_fail_memory(error);
    for (size_t c = 0; c < space->axes; c++) {
        const bt_cluster_axis *axis = &space->axis[c];
        if (axis->kind != BT_AXIS_SET) continue;
        uint64_t *bits = bt_array(bt_bitset_words(axis->column->domain.size), sizeof *bits);
        if (!bits) return bt_fail_memory(error);
        out->members[axis->set] = bits;
    }
    return BAUTA_OK;
}

static void free_side(const bt_cluster_space *space, side *s)
{
    for (size_t i = 0; s->members && i < space->sets; i++)
        free(s->members[i]);
    free(s->members);
    free(s->extent);
    free(s->losses);
    free(s->counts);
    free(s->missing);
}

bauta_status bt_splitter_new(const bt_cluster *cluster, bt_splitter **out, bauta_error *error)
{
    bt_splitter *p = *out = calloc(1, sizeof *p);
    if (!p) return bt_fail_memory(error);
    p->cluster = cluster;
    BT_TRY(make_side(&cluster->space, &p->sides[0], error));
    return make_side(&cluster->space, &p->sides[1], error);
}

void bt_splitter_free(bt_splitter *p)
{
    if (!p) return;
    free_side(&p->cluster->space, &p->sides[0]);
    free_side(&p->cluster->space, &p->sides[1]);
    free(p->goes);
    free(p->aside);
    free(p->leans);
    free(p);
}
