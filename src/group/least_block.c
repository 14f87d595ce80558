/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of the method `least`: its records, their nearest neighbours, boxes and losses, and
 * trials that are taken back when they do not pay.
 *
 * Records stand in the order of their coordinates and profiles, so that ties are broken by codes:
 * records that are alike in both may be exchanged without anybody seeing it.
 *
 * Cost: m records of a block take m^2 distances for the lists; a trial takes the members of the
 * classes that it touches.
 */
#include "group/least.h"

#include <string.h>

enum { NEAREST = 64, OTHERS = 32 }; /* neighbours in a list, and those with other values */
enum { PLACE_BITS = 20 };           /* of a record in a key */

/* ---- boxes ------------------------------------------------------------------------------- */

static inline uint64_t number_word(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}

void bt_least_box(const bt_least_block *block, uint32_t record, uint64_t *box)
{
    memset(box, 0, block->words * sizeof *box);
    for (size_t c = 0; c < block->axes; c++) {
        const bt_least_view *view = &block->views[c];
        uint64_t *own = box + view->at;
        uint32_t place = view->place[record];
        switch (view->axis->kind) {
        case BT_AXIS_NUMBER: *own = number_word(place, place); break;
        case BT_AXIS_TREE: *own = bt_lowest_node(view->axis->column, place); break;
        default: bt_least_widen(block, box, record); return; /* sets are the last axes */
        }
    }
}

void bt_least_widen(const bt_least_block *block, uint64_t *box, uint32_t record)
{
    for (size_t c = 0; c < block->axes; c++) {
        const bt_least_view *view = &block->views[c];
        uint64_t *own = box + view->at;
        uint32_t place = view->place[record];
        if (view->axis->kind == BT_AXIS_NUMBER) {
            uint32_t lo = (uint32_t)*own, hi = (uint32_t)(*own >> 32);
            *own = number_word(place < lo ? place : lo, place > hi ? place : hi);
        } else if (view->axis->kind == BT_AXIS_TREE) {
            *own = bt_cluster_node_over(view->axis, (uint32_t)*own, place);
        } else {
            uint32_t value = view->local[record];
            uint64_t bit = (uint64_t)1 << (value % 64), *word = own + 1 + value / 64;
            if (*word & bit) continue;
            *word |= bit;
            own[0] += 1 + (value == view->missing ? (uint64_t)1 << 32 : 0);
        }
    }
}

void bt_least_unite(const bt_least_block *block, uint64_t *box, const uint64_t *other)
{
    for (size_t c = 0; c < block->axes; c++) {
        const bt_least_view *view = &block->views[c];
        uint64_t *own = box + view->at;
        const uint64_t *its = other + view->at;
        if (view->axis->kind == BT_AXIS_NUMBER) {
            uint32_t lo = (uint32_t)*own, hi = (uint32_t)(*own >> 32);
            uint32_t its_lo = (uint32_t)*its, its_hi = (uint32_t)(*its >> 32);
            *own = number_word(its_lo < lo ? its_lo : lo, its_hi > hi ? its_hi : hi);
        } else if (view->axis->kind == BT_AXIS_TREE) {
            *own = bt_cluster_node_with(view->axis, (uint32_t)*own, (uint32_t)*its);
        } else {
            uint64_t members = 0;
            for (size_t i = 1; i < view->words; i++) {
                own[i] |= its[i];
                members += (uint64_t)__builtin_popcountll(own[i]);
            }
            own[0] = members | ((own[0] | its[0]) & (uint64_t)1 << 32);
        }
    }
}

static inline uint32_t set_loss(const bt_least_view *view, uint64_t word)
{
    uint32_t members = (uint32_t)word;
    if (members <= 1) return 0;
    return word >> 32 || members > BT_SET_MOST ? view->axis->all : view->loss_of[members];
}

static inline uint32_t number_loss(const bt_least_view *view, uint32_t lo, uint32_t hi)
{
    return bt_cluster_number_loss(view->axis, (bt_box){lo, hi});
}

uint64_t bt_least_loss(const bt_least_block *block, const uint64_t *box)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < block->axes; c++) {
        const bt_least_view *view = &block->views[c];
        uint64_t word = box[view->at];
        switch (view->axis->kind) {
        case BT_AXIS_NUMBER:
            loss += number_loss(view, (uint32_t)word, (uint32_t)(word >> 32));
            break;
        case BT_AXIS_TREE: loss += view->node_loss[word]; break;
        default: loss += set_loss(view, word);
        }
    }
    return loss;
}

uint64_t bt_least_loss_with(const bt_least_block *block, const uint64_t *box, uint32_t record,
                            uint64_t limit)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < block->axes && loss <= limit; c++) {
        const bt_least_view *view = &block->views[c];
        const uint64_t *own = box + view->at;
        uint32_t place = view->place[record];
        if (view->axis->kind == BT_AXIS_NUMBER) {
            uint32_t lo = (uint32_t)*own, hi = (uint32_t)(*own >> 32);
            loss += number_loss(view, place < lo ? place : lo, place > hi ? place : hi);
        } else if (view->axis->kind == BT_AXIS_TREE) {
            loss += view->node_loss[bt_cluster_node_over(view->axis, (uint32_t)*own, place)];
        } else {
            uint32_t value = view->local[record];
            bool has = own[1 + value / 64] >> (value % 64) & 1;
            uint64_t more = 1 + (value == view->missing ? (uint64_t)1 << 32 : 0);
            loss += set_loss(view, has ? own[0] : own[0] + more);
        }
    }
    return loss;
}

/* ---- trials ------------------------------------------------------------------------------ */

void bt_least_begin(bt_least_block *block)
{
    block->stamp++;
    block->touched_count = 0;
    block->moved_count = 0;
}

static void touch(bt_least_block *block, uint32_t slot)
{
    if (block->touched_in[slot] == block->stamp) return;
    uint32_t place = block->touched_count++;
    block->touched_in[slot] = block->stamp;
    block->touched[place] = slot;
    block->old_sizes[place] = block->sizes[slot];
    block->old_losses[place] = block->losses[slot];
    memcpy(block->old_boxes + place * block->words, bt_least_box_of(block, slot),
           block->words * sizeof *block->boxes);
    block->dirty[slot] = false;
}

static void chain(bt_least_block *block, uint32_t record, uint32_t slot)
{
    uint32_t old = block->class_of[record], next = block->next[record];
    if (old != BT_LEAST_NONE) {
        if (next != BT_LEAST_NONE) block->before[next] = block->before[record];
        if (block->heads[old] == record)
            block->heads[old] = next;
        else
            block->next[block->before[record]] = next;
        block->sizes[old]--;
    }
    block->class_of[record] = slot;
    if (slot == BT_LEAST_NONE) return;
    uint32_t first = block->sizes[slot] > 0 ? block->heads[slot] : BT_LEAST_NONE;
    if (first != BT_LEAST_NONE) block->before[first] = record;
    block->next[record] = first;
    block->heads[slot] = record;
    block->sizes[slot]++;
}

bauta_status bt_least_move(bt_least_block *block, uint32_t record, uint32_t slot,
                           bauta_error *error)
{
    uint32_t old = block->class_of[record];
    if (block->moved_count == block->moved_room)
        return bt_fail(error, BAUTA_INTERNAL, "a trial moved more records than it has room for");
    touch(block, slot);
    if (old != BT_LEAST_NONE) {
        touch(block, old);
        block->dirty[old] = true;
    }
    block->moved[block->moved_count] = record;
    block->moved_from[block->moved_count++] = old;
    uint64_t *box = bt_least_box_of(block, slot);
    if (block->sizes[slot] == 0)
        bt_least_box(block, record, box);
    else
        bt_least_widen(block, box, record);
    chain(block, record, slot);
    block->losses[slot] = bt_least_loss(block, box);
    return BAUTA_OK;
}

int64_t bt_least_settle(bt_least_block *block)
{
    int64_t change = 0;
    for (uint32_t i = 0; i < block->touched_count; i++) {
        uint32_t slot = block->touched[i];
        uint64_t *box = bt_least_box_of(block, slot);
        if (block->dirty[slot] && block->sizes[slot] > 0) {
            uint32_t record = block->heads[slot];
            bt_least_box(block, record, box);
            while ((record = block->next[record]) != BT_LEAST_NONE)
                bt_least_widen(block, box, record);
            block->losses[slot] = bt_least_loss(block, box);
        }
        block->dirty[slot] = false;
        change += (int64_t)(block->sizes[slot] * block->losses[slot]) -
                  (int64_t)(block->old_sizes[i] * block->old_losses[i]);
    }
    return change;
}

bauta_status bt_least_satisfies(bt_least_block *block, uint32_t slot, bool *out, bauta_error *error)
{
    *out = block->sizes[slot] >= block->least->least;
    if (!*out || !block->tally) return BAUTA_OK;
    bt_tally_clear(block->tally);
    for (uint32_t record = block->heads[slot]; record != BT_LEAST_NONE;
         record = block->next[record])
        BT_TRY(bt_tally_add_row(block->tally, block->rows[record], error));
    *out = bt_requirements_check(block->least->job->requirements, block->tally, NULL);
    return BAUTA_OK;
}

bauta_status bt_least_holds(bt_least_block *block, bool *holds, bauta_error *error)
{
    *holds = true;
    for (uint32_t i = 0; i < block->touched_count && *holds; i++)
        if (block->sizes[block->touched[i]] > 0)
            BT_TRY(bt_least_satisfies(block, block->touched[i], holds, error));
    return BAUTA_OK;
}

void bt_least_undo(bt_least_block *block)
{
    for (size_t i = block->moved_count; i-- > 0;)
        chain(block, block->moved[i], block->moved_from[i]);
    for (uint32_t i = 0; i < block->touched_count; i++) {
        uint32_t slot = block->touched[i];
        block->losses[slot] = block->old_losses[i];
        memcpy(bt_least_box_of(block, slot), block->old_boxes + i * block->words,
               block->words * sizeof *block->boxes);
        BT_ASSERT(block->sizes[slot] == block->old_sizes[i]);
    }
    block->moved_count = 0;
    block->touched_count = 0;
}

uint32_t bt_least_empty_slot(const bt_least_block *block)
{
    uint32_t slot = 0;
    while (block->sizes[slot] > 0)
        slot++;
    BT_ASSERT(slot < block->slots);
    return slot;
}

static void compare_cost(bt_least_block *block, uint32_t record, uint32_t slot, uint32_t *best,
                         int64_t *cost)
{
    uint64_t size = block->sizes[slot], own = size * block->losses[slot];
    /* (size + 1) * loss - own < cost, so loss is at most this where it matters */
    uint64_t limit = *best == BT_LEAST_NONE ? UINT64_MAX : (own + (uint64_t)*cost) / (size + 1);
    uint64_t loss = bt_least_loss_with(block, bt_least_box_of(block, slot), record, limit);
    if (loss > limit) return;
    int64_t found = (int64_t)((size + 1) * loss - own);
    if (*best != BT_LEAST_NONE && (found > *cost || (found == *cost && slot > *best))) return;
    *best = slot;
    *cost = found;
}

uint32_t bt_least_cheapest(bt_least_block *block, uint32_t record, uint32_t own, bool everywhere,
                           int64_t *cost)
{
    uint32_t best = BT_LEAST_NONE;
    const uint32_t *list = block->list + (size_t)record * block->listed;
    block->search++;
    for (uint32_t i = 0; i < block->listed && !everywhere; i++) {
        uint32_t slot = block->class_of[list[i]];
        if (slot == BT_LEAST_NONE || slot == own || block->seen_in[slot] == block->search) continue;
        block->seen_in[slot] = block->search;
        compare_cost(block, record, slot, &best, cost);
    }
    for (uint32_t slot = 0; slot < block->slots && everywhere; slot++)
        if (slot != own && block->sizes[slot] > 0) compare_cost(block, record, slot, &best, cost);
    return best;
}

/* ---- neighbours -------------------------------------------------------------------------- */

/* Adds what records lose beside `record` in one column to the sums of all, less the `shift` lowest
 * bits. Without branches, so that the compiler makes vector instructions of it. */
static void add_distances(const bt_least_block *block, const bt_least_view *view, uint32_t record,
                          unsigned shift, uint32_t *sums)
{
    const bt_cluster_axis *axis = view->axis;
    const uint32_t *place = view->place, own = place[record], count = block->count;
    uint32_t all = axis->all >> shift, present = axis->present;
    if (axis->kind == BT_AXIS_TREE) {
        const uint32_t lowest = bt_lowest_node(axis->column, own);
        uint32_t before = own, loss = view->node_loss[lowest] >> shift;
        for (uint32_t i = 0; i < count; i++) {
            if (place[i] != before)
                loss = view->node_loss[bt_cluster_node_over(axis, lowest, place[i])] >> shift;
            before = place[i];
            sums[i] += loss;
        }
    } else if (axis->kind == BT_AXIS_SET ? own >= present : own == BT_NOWHERE) {
        for (uint32_t i = 0; i < count; i++)
            sums[i] += place[i] == own ? 0 : all;
    } else if (axis->kind == BT_AXIS_SET) {
        uint32_t apart = view->loss_of[2] >> shift;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t loss = place[i] == own ? 0 : apart;
            sums[i] += place[i] >= present ? all : loss;
        }
    } else {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t up = place[i] - own, down = own - place[i];
            uint32_t loss = (up < down ? up : down) >> shift;
            sums[i] += place[i] == BT_NOWHERE ? all : loss;
        }
    }
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

/* Puts the `wanted` least keys in front, in order. */
static void select_least(uint64_t *keys, size_t count, size_t wanted)
{
    size_t lo = 0, hi = count;
    while (hi - lo > 32 && wanted < count) { /* the border lies between lo and hi */
        uint64_t a = keys[lo], b = keys[lo + (hi - lo) / 2], c = keys[hi - 1];
        uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        size_t i = lo, j = hi - 1;
        for (;;) {
            while (keys[i] < pivot)
                i++;
            while (keys[j] > pivot)
                j--;
            if (i >= j) break;
            uint64_t kept = keys[i];
            keys[i++] = keys[j];
            keys[j--] = kept;
        }
        if (wanted <= j)
            hi = j + 1;
        else
            lo = j + 1;
    }
    if (wanted < count && hi > lo) qsort(keys + lo, hi - lo, sizeof *keys, compare_keys);
    qsort(keys, wanted, sizeof *keys, compare_keys);
}

static bauta_status make_lists(bt_least_block *block, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t count = block->count;
    const uint32_t *profile_of = block->least->profile_of;
    uint32_t *sums = bt_arena_array(&scratch, count, sizeof *sums);
    uint64_t *keys = bt_arena_array(&scratch, count, sizeof *keys);
    uint32_t near = block->listed, others = 0;
    unsigned shift = 0; /* so that the sum of all columns fits 32 bits */
    while ((block->axes >> shift) > 3)
        shift++;
    if (profile_of && block->listed > OTHERS * 2) {
        others = OTHERS;
        near -= OTHERS;
    }
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t r = 0; r < count; r++) {
        uint32_t *list = block->list + (size_t)r * block->listed;
        size_t found = 0;
        memset(sums, 0, count * sizeof *sums);
        for (size_t c = 0; c < block->axes; c++)
            add_distances(block, &block->views[c], r, shift, sums);
        for (uint32_t i = 0; i < count; i++)
            if (i != r) keys[found++] = (uint64_t)sums[i] << PLACE_BITS | i;
        select_least(keys, found, near);
        for (uint32_t i = 0; i < near; i++)
            list[i] = keys[i] & ((1U << PLACE_BITS) - 1);
        if (block->least->least > 1)
            block->bounds[r] = keys[block->least->least - 2] >> PLACE_BITS << shift;
        if (others == 0) continue;
        size_t rest = 0;
        for (size_t i = near; i < found; i++)
            if (profile_of[block->rows[keys[i] & ((1U << PLACE_BITS) - 1)]] !=
                profile_of[block->rows[r]])
                keys[rest++] = keys[i];
        select_least(keys, rest, others < rest ? others : rest);
        /* Where fewer have other values, the last neighbour stands more than once. */
        for (uint32_t i = 0; i < others; i++)
            list[near + i] =
                i < rest ? (uint32_t)(keys[i] & ((1U << PLACE_BITS) - 1)) : list[near + i - 1];
    }
    return BAUTA_OK;
}

/* ---- a block ----------------------------------------------------------------------------- */

typedef struct sorter { /* of the records of a block */
    const uint32_t *points;
    const uint32_t *rows;
    const uint32_t *profile_of;
    size_t axes;
} sorter;

/* By coordinates, then by profile; rows that are alike in both are told apart by nothing else. */
static int compare_records(const void *left, const void *right, void *user)
{
    const sorter *s = user;
    uint32_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    const uint32_t *x = s->points + a * s->axes, *y = s->points + b * s->axes;
    for (size_t c = 0; c < s->axes; c++)
        if (x[c] != y[c]) return x[c] < y[c] ? -1 : 1;
    uint32_t p = s->profile_of ? s->profile_of[s->rows[a]] : 0;
    uint32_t q = s->profile_of ? s->profile_of[s->rows[b]] : 0;
    if (p != q) return p < q ? -1 : 1;
    return (s->rows[a] > s->rows[b]) - (s->rows[a] < s->rows[b]);
}

static bauta_status number_values(bt_least_block *block, bt_least_view *view, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint64_t *keys = bt_arena_array(&scratch, block->count, sizeof *keys);
    uint32_t values = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t i = 0; i < block->count; i++)
        keys[i] = (uint64_t)view->place[i] << 32 | i;
    qsort(keys, block->count, sizeof *keys, compare_keys);
    view->missing = BT_LEAST_NONE;
    for (uint32_t i = 0; i < block->count; i++) {
        if (i > 0 && keys[i] >> 32 != keys[i - 1] >> 32) values++;
        view->local[(uint32_t)keys[i]] = values;
        if (keys[i] >> 32 >= view->axis->present) view->missing = values;
    }
    view->words = 2 + values / 64;
    for (uint32_t i = 0; i <= BT_SET_MOST && i <= view->axis->present; i++)
        view->loss_of[i] = bt_cluster_members_loss(view->axis, i, false);
    return BAUTA_OK;
}

/* Numbers and trees first, then sets. */
static bauta_status make_views(bt_least_block *block, const uint32_t *points, const uint32_t *order,
                               bauta_error *error)
{
    const bt_least *least = block->least;
    size_t next = 0;
    block->axes = least->space.axes;
    block->views = bt_arena_array(&block->arena, block->axes, sizeof *block->views);
    BT_TRY(bt_arena_check(&block->arena, error));
    for (int sets = 0; sets < 2; sets++)
        for (size_t c = 0; c < block->axes; c++) {
            const bt_cluster_axis *axis = &least->space.axis[c];
            if ((axis->kind == BT_AXIS_SET) != (sets == 1)) continue;
            bt_least_view *view = &block->views[next++];
            *view = (bt_least_view){.axis = axis, .node_loss = least->node_loss[c], .words = 1};
            view->place = bt_arena_array(&block->arena, block->count, sizeof *view->place);
            if (sets)
                view->local = bt_arena_array(&block->arena, block->count, sizeof *view->local);
            BT_TRY(bt_arena_check(&block->arena, error));
            for (uint32_t i = 0; i < block->count; i++)
                view->place[i] = points[order[i] * block->axes + c];
            if (sets) BT_TRY(number_values(block, view, error));
            view->at = block->words;
            block->words += view->words;
        }
    return BAUTA_OK;
}

/* How often a value may occur in a class of the least size, as far as requirements say a share. */
static void find_caps(bt_least_block *block)
{
    const bt_requirements *requirements = block->least->job->requirements;
    for (size_t c = 0; c < requirements->people->columns; c++)
        block->caps[c] = block->least->least;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        if (!item->type->most || !item->applies) continue;
        bt_rational most = item->type->most(item);
        uint32_t cap = (uint32_t)((unsigned __int128)block->least->least * (uint64_t)most.top /
                                  (uint64_t)most.bottom);
        for (size_t c = 0; c < requirements->people->columns; c++)
            if (item->applies[c] && cap < block->caps[c]) block->caps[c] = cap;
    }
}

static bauta_status make_room(bt_least_block *block, bauta_error *error)
{
    bt_arena *arena = &block->arena;
    uint32_t count = block->count, least = block->least->least > 0 ? block->least->least : 1;
    block->listed = NEAREST > 2 * least ? NEAREST : 2 * least;
    if (block->least->profile_of) block->listed += OTHERS;
    if (block->listed > count - 1) block->listed = count - 1;
    block->slots = count / least + 2;
    block->moved_room = 4 * (size_t)count;
    block->list = bt_arena_array(arena, (size_t)count * block->listed, sizeof *block->list);
    block->bounds = bt_arena_array(arena, count, sizeof *block->bounds);
    block->class_of = bt_arena_array(arena, count, sizeof *block->class_of);
    block->next = bt_arena_array(arena, count, sizeof *block->next);
    block->before = bt_arena_array(arena, count, sizeof *block->before);
    block->heads = bt_arena_array(arena, block->slots, sizeof *block->heads);
    block->sizes = bt_arena_array(arena, block->slots, sizeof *block->sizes);
    block->losses = bt_arena_array(arena, block->slots, sizeof *block->losses);
    block->boxes = bt_arena_array(arena, block->slots * block->words, sizeof *block->boxes);
    block->touched_in = bt_arena_array(arena, block->slots, sizeof *block->touched_in);
    block->touched = bt_arena_array(arena, block->slots, sizeof *block->touched);
    block->old_sizes = bt_arena_array(arena, block->slots, sizeof *block->old_sizes);
    block->dirty = bt_arena_array(arena, block->slots, sizeof *block->dirty);
    block->old_boxes = bt_arena_array(arena, block->slots * block->words, sizeof *block->boxes);
    block->old_losses = bt_arena_array(arena, block->slots, sizeof *block->old_losses);
    block->moved = bt_arena_array(arena, block->moved_room, sizeof *block->moved);
    block->moved_from = bt_arena_array(arena, block->moved_room, sizeof *block->moved_from);
    block->seen_in = bt_arena_array(arena, block->slots, sizeof *block->seen_in);
    block->spare = bt_arena_array(arena, 2 * block->words, sizeof *block->spare);
    block->candidates = bt_arena_array(arena, block->listed, sizeof *block->candidates);
    if (block->tally)
        block->caps = bt_arena_array(arena, block->least->job->requirements->people->columns + 1,
                                     sizeof *block->caps);
    return bt_arena_check(arena, error);
}

static void release_block(bt_least_block *block)
{
    bt_arena_release(&block->arena);
}

static uint64_t trials_of(const bt_least_block *block)
{
    return block->least->effort == 0 ? 0
                                     : (uint64_t)block->count << (2 * (block->least->effort - 1));
}

bauta_status bt_least_solve(const bt_least *least, uint32_t start, uint32_t end, bt_tally *tally,
                            uint32_t *sizes, uint32_t *classes, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(release_block)
    bt_least_block block = {.least = least, .count = end - start, .tally = tally};
    uint32_t count = block.count;
    const uint32_t *points = least->points + start * least->space.axes;
    uint32_t *order = bt_arena_array(&scratch, count, sizeof *order);
    uint32_t *rows = bt_arena_array(&scratch, count, sizeof *rows);
    sorter s = {points, least->rows + start, least->profile_of, least->space.axes};
    sizes[0] = count;
    *classes = 1;
    if (count < 2 * least->least || count < 2) return BAUTA_OK;
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare_records, &s);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = least->rows[start + order[i]];
    block.rows = rows;
    BT_TRY(make_views(&block, points, order, error));
    BT_TRY(make_room(&block, error));
    if (tally) find_caps(&block);
    for (uint32_t i = 0; i < count; i++)
        block.class_of[i] = BT_LEAST_NONE;
    BT_TRY(make_lists(&block, error));
    BT_TRY(bt_least_start(&block, error));
    bt_stream stream;
    bt_stream_init(&stream, &least->job->run->seed, "least", start);
    BT_TRY(bt_least_improve(&block, &stream, trials_of(&block), error));
    uint32_t next = start;
    *classes = 0;
    for (uint32_t slot = 0; slot < block.slots; slot++) {
        if (block.sizes[slot] == 0) continue;
        sizes[(*classes)++] = block.sizes[slot];
        for (uint32_t r = block.heads[slot]; r != BT_LEAST_NONE; r = block.next[r])
            least->rows[next++] = rows[r];
    }
    BT_ASSERT(next == end);
    return BAUTA_OK;
}
