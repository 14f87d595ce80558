/* SPDX-License-Identifier: Apache-2.0
 *
 * How a block of the method `least` begins: classes grow around records, the cheapest first.
 *
 * A class grows by the listed record that makes its box wider by least, until it is large enough
 * and satisfies. A heap holds what the class of each record would lose at least; the first
 * is grown from what is free, and taken unless it loses more than was thought. What is left joins
 * the class where that costs least, the most expensive first.
 */
#include "group/least.h"

#include <string.h>

enum { TRIED = 8 }; /* candidates that are tried for what requirements ask beside the size */

/* Whether a new class may have one more record with the values of this one. */
static bool fits_caps(bt_least_block *block, uint32_t record)
{
    const bt_people *people = block->least->job->requirements->people;
    if (!block->least->profile_of || people->unit_starts || !people->profile_values) return true;
    const uint32_t *values =
        people->profile_values + (size_t)people->profile_of[block->rows[record]] * people->columns;
    for (size_t c = 0; c < people->columns; c++) {
        bt_bag bag = bt_tally_bag(block->tally, c);
        if (bag.counts[values[c]] >= block->caps[c]) return false;
    }
    return true;
}

static bauta_status take(bt_least_block *block, bt_least_candidate *candidates, uint32_t *left,
                         uint32_t at, uint64_t *box, uint32_t *members, uint32_t *count,
                         bauta_error *error)
{
    uint32_t record = candidates[at].record;
    members[(*count)++] = record;
    if (*count == 1)
        bt_least_box(block, record, box);
    else
        bt_least_widen(block, box, record);
    if (*left > 0)
        memmove(candidates + at, candidates + at + 1, (--*left - at) * sizeof *candidates);
    return block->tally ? bt_tally_add_row(block->tally, block->rows[record], error) : BAUTA_OK;
}

/* The large class that does not satisfy yet: the cheapest of a few records after which it does,
 * else the cheapest. */
static bauta_status choose_for_values(bt_least_block *block, const bt_least_candidate *candidates,
                                      uint32_t left, uint32_t *out, bauta_error *error)
{
    const bt_requirements *requirements = block->least->job->requirements;
    uint64_t floor = 0;
    uint32_t after = BT_LEAST_NONE; /* of those with the loss `floor`, up to this one were tried */
    *out = BT_LEAST_NONE;
    uint32_t cheapest = BT_LEAST_NONE;
    for (uint32_t tries = 0; tries < TRIED; tries++) {
        uint32_t best = BT_LEAST_NONE;
        for (uint32_t i = 0; i < left; i++) {
            bool behind = candidates[i].loss > floor ||
                          (candidates[i].loss == floor && (after == BT_LEAST_NONE || i > after));
            if (behind && (best == BT_LEAST_NONE || candidates[i].loss < candidates[best].loss))
                best = i;
        }
        if (best == BT_LEAST_NONE) break;
        if (cheapest == BT_LEAST_NONE) cheapest = best;
        floor = candidates[best].loss;
        after = best;
        uint32_t row = block->rows[candidates[best].record];
        BT_TRY(bt_tally_add_row(block->tally, row, error));
        bool good = bt_requirements_check(requirements, block->tally, NULL);
        bt_tally_remove_row(block->tally, row);
        if (!good) continue;
        *out = best;
        return BAUTA_OK;
    }
    *out = cheapest;
    return BAUTA_OK;
}

bauta_status bt_least_grow(bt_least_block *block, uint32_t record, bool free_only,
                           uint32_t *members, uint32_t *count, uint64_t *loss, bauta_error *error)
{
    const bt_least *least = block->least;
    bt_least_candidate *candidates = block->candidates;
    const uint32_t *list = block->list + (size_t)record * block->listed;
    uint64_t *box = block->spare;
    uint32_t left = 0, none = 0;
    *count = 0;
    if (block->tally) bt_tally_clear(block->tally);
    for (uint32_t i = 0; i < block->listed; i++) {
        if (i > 0 && list[i] == list[i - 1]) continue;
        if (!free_only || block->class_of[list[i]] == BT_LEAST_NONE)
            candidates[left++] = (bt_least_candidate){0, list[i]};
    }
    bt_least_candidate first = {0, record};
    BT_TRY(take(block, &first, &none, 0, box, members, count, error));
    *loss = 0;
    for (bool good = false; !good;) {
        uint32_t best = BT_LEAST_NONE;
        bool large = *count >= least->least;
        if (large) {
            good = !block->tally ||
                   bt_requirements_check(least->job->requirements, block->tally, NULL);
            if (good) break;
        }
        uint64_t limit = UINT64_MAX;
        for (uint32_t i = 0; i < left; i++) {
            candidates[i].loss =
                bt_least_loss_with(block, box, candidates[i].record, large ? UINT64_MAX : limit);
            if (large || candidates[i].loss >= limit || !fits_caps(block, candidates[i].record))
                continue;
            best = i;
            limit = candidates[i].loss;
        }
        if (large || (best == BT_LEAST_NONE && block->tally))
            BT_TRY(choose_for_values(block, candidates, left, &best, error));
        if (best == BT_LEAST_NONE) {
            *count = 0; /* too few are left */
            return BAUTA_OK;
        }
        BT_TRY(take(block, candidates, &left, best, box, members, count, error));
    }
    *loss = bt_least_loss(block, box);
    return BAUTA_OK;
}

/* ---- the heap of what could be grown ------------------------------------------------------ */

typedef struct seedling {
    uint64_t loss;
    uint32_t record;
} seedling;

typedef struct nursery {
    seedling *heap;
    uint32_t count;
} nursery;

static bool is_before(const seedling *a, const seedling *b)
{
    return a->loss != b->loss ? a->loss < b->loss : a->record < b->record;
}

static void sink(nursery *n, uint32_t at)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= n->count) return;
        if (child + 1 < n->count && is_before(&n->heap[child + 1], &n->heap[child])) child++;
        if (!is_before(&n->heap[child], &n->heap[at])) return;
        seedling kept = n->heap[at];
        n->heap[at] = n->heap[child];
        n->heap[child] = kept;
        at = child;
    }
}

static bauta_status plant(bt_least_block *block, const uint32_t *members, uint32_t count,
                          bauta_error *error)
{
    uint32_t slot = bt_least_empty_slot(block);
    bt_least_begin(block);
    for (uint32_t i = 0; i < count; i++)
        BT_TRY(bt_least_move(block, members[i], slot, error));
    return BAUTA_OK;
}

static bauta_status grow_all(bt_least_block *block, uint32_t *members, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    nursery n = {.heap = bt_arena_array(&scratch, block->count, sizeof *n.heap)};
    uint32_t count;
    uint64_t loss;
    /* Large classes take long to grow, and many records would grow the same. */
    uint32_t step = 1 + block->least->least / 32;
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t r = 0; r < block->count; r += step)
        n.heap[n.count++] = (seedling){block->bounds[r], r};
    for (uint32_t i = n.count / 2; i-- > 0;)
        sink(&n, i);
    while (n.count > 0) {
        seedling first = n.heap[0];
        count = 0;
        if (block->class_of[first.record] == BT_LEAST_NONE)
            BT_TRY(bt_least_grow(block, first.record, true, members, &count, &loss, error));
        if (count > 0 && loss <= first.loss) BT_TRY(plant(block, members, count, error));
        if (count > 0 && loss > first.loss)
            n.heap[0].loss = loss;
        else
            n.heap[0] = n.heap[--n.count];
        sink(&n, 0);
    }
    return BAUTA_OK;
}

/* ---- what is left ------------------------------------------------------------------------- */

static int compare_falling(const void *left, const void *right)
{
    const seedling *a = left, *b = right;
    return is_before(b, a) ? -1 : is_before(a, b);
}

/* Puts a record where it costs least and its class still satisfies; *done is false when there is no
 * such class. */
static bauta_status place(bt_least_block *block, uint32_t record, bool *done, bauta_error *error)
{
    int64_t cost;
    *done = false;
    for (int everywhere = 0; everywhere < 2 && !*done; everywhere++) {
        uint32_t slot = bt_least_cheapest(block, record, BT_LEAST_NONE, everywhere, &cost);
        if (slot == BT_LEAST_NONE) continue;
        bt_least_begin(block);
        BT_TRY(bt_least_move(block, record, slot, error));
        BT_TRY(bt_least_holds(block, done, error));
        if (!*done) bt_least_undo(block);
    }
    for (uint32_t slot = 0; slot < block->slots && !*done && block->tally; slot++) {
        if (block->sizes[slot] == 0) continue;
        bt_least_begin(block);
        BT_TRY(bt_least_move(block, record, slot, error));
        BT_TRY(bt_least_holds(block, done, error));
        if (!*done) bt_least_undo(block);
    }
    return BAUTA_OK;
}

/* One more class of what could be placed nowhere; classes join it until it satisfies. That ends,
 * since all records together do. */
static bauta_status gather_rest(bt_least_block *block, bauta_error *error)
{
    uint32_t rest = bt_least_empty_slot(block);
    bool good;
    bt_least_begin(block);
    for (uint32_t r = 0; r < block->count; r++)
        if (block->class_of[r] == BT_LEAST_NONE) BT_TRY(bt_least_move(block, r, rest, error));
    if (block->sizes[rest] == 0) return BAUTA_OK;
    for (;;) {
        BT_TRY(bt_least_satisfies(block, rest, &good, error));
        if (good) return BAUTA_OK;
        uint32_t best = BT_LEAST_NONE;
        uint64_t least = 0;
        for (uint32_t slot = 0; slot < block->slots; slot++) {
            if (slot == rest || block->sizes[slot] == 0) continue;
            memcpy(block->spare, bt_least_box_of(block, rest), block->words * sizeof *block->spare);
            bt_least_unite(block, block->spare, bt_least_box_of(block, slot));
            uint64_t loss = bt_least_loss(block, block->spare);
            if (best != BT_LEAST_NONE && loss >= least) continue;
            best = slot;
            least = loss;
        }
        if (best == BT_LEAST_NONE)
            return bt_fail(error, BAUTA_INTERNAL, "a block does not satisfy what is required");
        bt_least_begin(block);
        while (block->sizes[best] > 0)
            BT_TRY(bt_least_move(block, block->heads[best], rest, error));
    }
}

bauta_status bt_least_start(bt_least_block *block, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t *members = bt_arena_array(&scratch, (size_t)block->listed + 1, sizeof *members);
    seedling *left = bt_arena_array(&scratch, block->count, sizeof *left);
    uint32_t count = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(grow_all(block, members, error));
    for (uint32_t r = 0; r < block->count; r++) {
        int64_t cost = 0;
        if (block->class_of[r] != BT_LEAST_NONE) continue;
        uint32_t slot = bt_least_cheapest(block, r, BT_LEAST_NONE, false, &cost);
        left[count++] = (seedling){slot == BT_LEAST_NONE ? UINT64_MAX : (uint64_t)cost, r};
    }
    qsort(left, count, sizeof *left, compare_falling);
    for (uint32_t i = 0; i < count; i++) {
        bool done;
        BT_TRY(place(block, left[i].record, &done, error));
    }
    return gather_rest(block, error);
}
