/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a table into blocks for the method `least`: where a cut separates few records from their
 * nearest neighbours.
 *
 * A sample of distinct points stands for the records, each with its nearest others. A cut is
 * between two values of a number, between a value of a set and the others or between its most
 * frequent values and the rest, or between a child of the lowest common node of a tree and the
 * rest. The best one separates fewest pairs of neighbours, by what the two sides have. Where no cut
 * is left, or none whose sides both satisfy, records are dealt out in turn by their values.
 *
 * The sample are the points with the least hashes, whatever the order of records: a hash that is
 * the same everywhere, since it decides where cuts are.
 *
 * Cost of a division: one pass over its records, and the square of the sample.
 */
#include "group/least.h"

#include "base/sort.h"

#include <string.h>

enum { SAMPLE = 160, NEIGHBOURS = 8, KEPT_CUTS = 8 };

typedef struct cut {
    uint64_t score; /* the least is best */
    size_t axis;
    uint32_t from, to; /* coordinates of the first side */
} cut;

typedef struct drawn { /* a point of the sample */
    uint64_t hash;
    uint32_t at; /* place of the record */
} drawn;

struct bt_least_cutter {
    const bt_least *least;
    bt_tally *tally; /* NULL: only sizes matter */
    drawn sample[SAMPLE];
    uint32_t count;
    uint32_t near[SAMPLE][NEIGHBOURS];
    uint32_t neighbours;
    cut cuts[KEPT_CUTS];
    uint32_t cut_count;
};

bauta_status bt_least_cutter_new(const bt_least *least, bt_least_cutter **out, bauta_error *error)
{
    *out = bt_array_zero(1, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    (*out)->least = least;
    return least->counted ? bt_tally_new(least->job->requirements->people, &(*out)->tally, error)
                          : BAUTA_OK;
}

void bt_least_cutter_free(bt_least_cutter *cutter)
{
    if (!cutter) return;
    bt_tally_free(cutter->tally);
    free(cutter);
}

static const uint32_t *point_at(const bt_least *least, uint32_t at)
{
    return least->points + at * least->space.axes;
}

/* ---- the sample -------------------------------------------------------------------------- */

static uint64_t hash_of(const uint32_t *point, size_t axes)
{
    uint64_t hash = 0x9E3779B97F4A7C15U;
    for (size_t c = 0; c < axes; c++) {
        hash = (hash ^ point[c]) * 0xD6E8FEB86659FD93U;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool is_above(const bt_least *least, const drawn *a, const drawn *b)
{
    if (a->hash != b->hash) return a->hash > b->hash;
    return memcmp(point_at(least, a->at), point_at(least, b->at),
                  least->space.axes * sizeof *least->points) > 0;
}

/* The points with the least hashes, as a heap with the greatest of them first. */
static void draw(bt_least_cutter *w, uint32_t start, uint32_t end)
{
    const bt_least *least = w->least;
    drawn *heap = w->sample;
    w->count = 0;
    for (uint32_t at = start; at < end; at++) {
        drawn one = {hash_of(point_at(least, at), least->space.axes), at};
        if (w->count == SAMPLE && one.hash > heap[0].hash) continue;
        bool there = false;
        for (uint32_t i = 0; i < w->count && !there; i++)
            there =
                heap[i].hash == one.hash && memcmp(point_at(least, heap[i].at), point_at(least, at),
                                                   least->space.axes * sizeof *least->points) == 0;
        if (there) continue;
        uint32_t place;
        if (w->count < SAMPLE) {
            place = w->count++;
            while (place > 0 && is_above(least, &one, &heap[(place - 1) / 2])) {
                heap[place] = heap[(place - 1) / 2];
                place = (place - 1) / 2;
            }
        } else {
            if (!is_above(least, &heap[0], &one)) continue;
            place = 0;
            for (uint32_t child = 1; child < SAMPLE; child = 2 * place + 1) {
                if (child + 1 < SAMPLE && is_above(least, &heap[child + 1], &heap[child])) child++;
                if (!is_above(least, &heap[child], &one)) break;
                heap[place] = heap[child];
                place = child;
            }
        }
        heap[place] = one;
    }
    for (uint32_t i = 1; i < w->count; i++) { /* in order, which the heap's is not */
        drawn one = heap[i];
        uint32_t place = i;
        while (place > 0 && is_above(least, &heap[place - 1], &one)) {
            heap[place] = heap[place - 1];
            place--;
        }
        heap[place] = one;
    }
}

static void find_neighbours(bt_least_cutter *w)
{
    const bt_least *least = w->least;
    w->neighbours = w->count - 1 < NEIGHBOURS ? w->count - 1 : NEIGHBOURS;
    for (uint32_t i = 0; i < w->count; i++) {
        uint64_t nearest[NEIGHBOURS];
        uint32_t found = 0;
        for (uint32_t j = 0; j < w->count; j++) {
            if (i == j) continue;
            uint64_t distance = bt_cluster_distance(&least->space, point_at(least, w->sample[i].at),
                                                    point_at(least, w->sample[j].at));
            uint32_t place = found < w->neighbours ? found++ : w->neighbours;
            while (place > 0 && nearest[place - 1] > distance) {
                if (place < w->neighbours) {
                    nearest[place] = nearest[place - 1];
                    w->near[i][place] = w->near[i][place - 1];
                }
                place--;
            }
            if (place == w->neighbours) continue;
            nearest[place] = distance;
            w->near[i][place] = j;
        }
    }
}

/* ---- cuts -------------------------------------------------------------------------------- */

static void try_cut(bt_least_cutter *w, size_t axis, uint32_t from, uint32_t to)
{
    bool inside[SAMPLE];
    uint64_t first = 0, separated = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t place = point_at(w->least, w->sample[i].at)[axis];
        inside[i] = place >= from && place <= to;
        first += inside[i];
    }
    uint64_t other = w->count - first;
    if (first * 8 < w->count || other * 8 < w->count) return;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t j = 0; j < w->neighbours; j++)
            separated += inside[i] != inside[w->near[i][j]];
    cut one = {(separated << 32) / (first * other), axis, from, to};
    uint32_t at = w->cut_count < KEPT_CUTS ? w->cut_count++ : KEPT_CUTS;
    while (at > 0 && w->cuts[at - 1].score > one.score) {
        if (at < KEPT_CUTS) w->cuts[at] = w->cuts[at - 1];
        at--;
    }
    if (at < KEPT_CUTS) w->cuts[at] = one;
}

static void try_axis(bt_least_cutter *w, size_t c)
{
    const bt_cluster_axis *axis = &w->least->space.axis[c];
    uint32_t places[SAMPLE] = {0}, distinct = 0;
    for (uint32_t i = 0; i < w->count; i++)
        places[i] = point_at(w->least, w->sample[i].at)[c];
    qsort(places, w->count, sizeof *places, bt_compare_uint32);
    for (uint32_t i = 0; i < w->count; i++)
        if (i == 0 || places[i] != places[distinct - 1]) places[distinct++] = places[i];
    if (distinct < 2) return;
    if (axis->kind == BT_AXIS_TREE) {
        const bt_node *nodes = axis->column->hierarchy->nodes;
        uint32_t top = bt_cover_node(axis->column, places[0], places[distinct - 1]);
        for (uint32_t i = 0; i < distinct;) {
            uint32_t child = bt_lowest_node(axis->column, places[i]);
            while (child != top && nodes[child].parent != top)
                child = nodes[child].parent;
            if (child == top) break;
            try_cut(w, c, nodes[child].lo, nodes[child].hi - 1);
            while (i < distinct && places[i] < nodes[child].hi)
                i++;
        }
        return;
    }
    for (uint32_t i = 0; i + 1 < distinct; i++)
        try_cut(w, c, 0, places[i]);
    for (uint32_t i = 1; i < distinct && axis->kind == BT_AXIS_SET; i++)
        try_cut(w, c, places[i], places[i]);
}

/* ---- dividing ---------------------------------------------------------------------------- */

static void swap_records(const bt_least *least, uint32_t a, uint32_t b)
{
    size_t axes = least->space.axes;
    uint32_t *x = least->points + a * axes, *y = least->points + b * axes, kept;
    for (size_t c = 0; c < axes; c++) {
        kept = x[c];
        x[c] = y[c];
        y[c] = kept;
    }
    kept = least->rows[a];
    least->rows[a] = least->rows[b];
    least->rows[b] = kept;
}

static bauta_status sides_hold(bt_least_cutter *w, uint32_t start, uint32_t middle, uint32_t end,
                               bool *out, bauta_error *error)
{
    const bt_least *least = w->least;
    *out = middle - start >= least->least && end - middle >= least->least;
    for (int side = 0; side < 2 && *out && w->tally; side++) {
        bt_tally_clear(w->tally);
        for (uint32_t at = side ? middle : start; at < (side ? end : middle); at++)
            BT_TRY(bt_tally_add_row(w->tally, least->rows[at], error));
        *out = bt_requirements_check(least->job->requirements, w->tally, NULL);
    }
    return BAUTA_OK;
}

/* Records of the first side go to the front; returns where the second begins. */
static uint32_t arrange(const bt_least *least, const cut *one, uint32_t start, uint32_t end)
{
    uint32_t middle = start;
    for (uint32_t at = start; at < end; at++) {
        uint32_t place = point_at(least, at)[one->axis];
        if (place < one->from || place > one->to) continue;
        if (at != middle) swap_records(least, at, middle);
        middle++;
    }
    return middle;
}

typedef struct dealer {
    const bt_least *least;
    const uint32_t *profile_of;
    uint32_t start;
} dealer;

static int compare_dealt(const void *left, const void *right, void *user)
{
    const dealer *d = user;
    uint32_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    uint32_t row = d->least->rows[d->start + a], other = d->least->rows[d->start + b];
    uint32_t p = d->profile_of ? d->profile_of[row] : 0,
             q = d->profile_of ? d->profile_of[other] : 0;
    if (p != q) return p < q ? -1 : 1;
    int order = memcmp(point_at(d->least, d->start + a), point_at(d->least, d->start + b),
                       d->least->space.axes * sizeof *d->least->points);
    return order != 0 ? order : (row > other) - (row < other);
}

/* Deals the records out in turn, by their sensitive values and then by their codes. */
static bauta_status deal(bt_least_cutter *w, uint32_t start, uint32_t end, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_least *least = w->least;
    uint32_t count = end - start;
    size_t axes = least->space.axes;
    uint32_t *order = bt_arena_array(&scratch, count, sizeof *order);
    uint32_t *rows = bt_arena_array(&scratch, count, sizeof *rows);
    uint32_t *points = bt_arena_array(&scratch, count * axes, sizeof *points);
    BT_TRY(bt_arena_check(&scratch, error));
    dealer d = {least, least->profile_of, start};
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare_dealt, &d);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = i % 2 ? (count + 1) / 2 + i / 2 : i / 2;
        rows[to] = least->rows[start + order[i]];
        memcpy(points + to * axes, point_at(least, start + order[i]), axes * sizeof *points);
    }
    memcpy(least->rows + start, rows, count * sizeof *rows);
    memcpy(least->points + start * axes, points, count * axes * sizeof *points);
    return BAUTA_OK;
}

bauta_status bt_least_cut(bt_least_cutter *cutter, uint32_t start, uint32_t end, uint32_t *left,
                          bauta_error *error)
{
    const bt_least *least = cutter->least;
    bool good = false;
    cutter->cut_count = 0;
    draw(cutter, start, end);
    if (cutter->count > 1) find_neighbours(cutter);
    for (size_t c = 0; c < least->space.axes && cutter->count > 1; c++)
        try_axis(cutter, c);
    for (uint32_t i = 0; i < cutter->cut_count && !good; i++) {
        uint32_t middle = arrange(least, &cutter->cuts[i], start, end);
        BT_TRY(sides_hold(cutter, start, middle, end, &good, error));
        *left = middle - start;
    }
    if (good) return BAUTA_OK;
    uint32_t middle = start + (end - start + 1) / 2;
    BT_TRY(deal(cutter, start, end, error));
    BT_TRY(sides_hold(cutter, start, middle, end, &good, error));
    *left = good ? middle - start : 0;
    return BAUTA_OK;
}
