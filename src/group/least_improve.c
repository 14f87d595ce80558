/* SPDX-License-Identifier: Apache-2.0
 *
 * How a block of the method `least` loses less, step by step; every step is a trial that is kept
 * only when the loss of all records falls and every class still satisfies.
 *
 *   dissolve   a class is given up, and each of its records goes where that costs least
 *   exchange   of two classes that are near each other, the best move of one record or swap of two
 *   grow       a new class around a random record takes its records from others; classes that it
 *              leaves too small are dissolved
 */
#include "group/least.h"

#include <string.h>

enum { PASSES = 6 };         /* over all classes, as long as something changes */
enum { NEAR_CLASSES = 8 };   /* that a class is compared with */
enum { NEAR_RECORDS = 16 };  /* of each record, whose classes are near */
enum { KEPT_EXCHANGES = 4 }; /* that are tried until one satisfies */
enum { AFTER_TRIALS = 4 };   /* parts of the trials; the other steps follow each */

typedef struct improver {
    bt_least_block *block;
    uint32_t *members, *its_members; /* of a class */
    uint64_t *without, *its_without; /* per member: the box of the others */
    uint32_t *votes;                 /* per slot: pairs of near records */
    uint32_t *near;                  /* slots */
    uint32_t *changed_in;            /* per slot: the pass in which it changed last */
    uint32_t pass;
    uint64_t *order; /* keys of slots */
} improver;

static uint32_t list_members(const bt_least_block *block, uint32_t slot, uint32_t *out)
{
    uint32_t count = 0;
    if (block->sizes[slot] == 0) return 0;
    for (uint32_t r = block->heads[slot]; r != BT_LEAST_NONE; r = block->next[r])
        out[count++] = r;
    return count;
}

static void note_changes(improver *m)
{
    for (uint32_t i = 0; i < m->block->touched_count; i++)
        m->changed_in[m->block->touched[i]] = m->pass;
}

/* Ends a trial: kept when it pays and everything satisfies. */
static bauta_status decide(improver *m, bool *kept, bauta_error *error)
{
    *kept = bt_least_settle(m->block) < 0;
    if (*kept) BT_TRY(bt_least_holds(m->block, kept, error));
    if (*kept)
        note_changes(m);
    else
        bt_least_undo(m->block);
    return BAUTA_OK;
}

/* Moves all records of a class elsewhere. *cost is by how much other classes lose more; beyond
 * `most`, or when a record has nowhere to go, *done is false. */
static bauta_status empty(improver *m, uint32_t slot, int64_t most, int64_t *cost, bool *done,
                          bauta_error *error)
{
    bt_least_block *block = m->block;
    uint32_t count = list_members(block, slot, m->members);
    *done = false;
    for (uint32_t i = 0; i < count; i++) {
        int64_t more;
        uint32_t to = bt_least_cheapest(block, m->members[i], slot, false, &more);
        if (to == BT_LEAST_NONE) return BAUTA_OK;
        *cost += more;
        if (*cost >= most) return BAUTA_OK;
        BT_TRY(bt_least_move(block, m->members[i], to, error));
    }
    *done = true;
    return BAUTA_OK;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

static bauta_status dissolve_all(improver *m, bool *any, bauta_error *error)
{
    bt_least_block *block = m->block;
    uint32_t classes = 0;
    enum { SLOT_BITS = 20 };
    for (uint32_t slot = 0; slot < block->slots; slot++)
        if (block->sizes[slot] > 0) /* those that lose most first */
            m->order[classes++] =
                ((UINT64_MAX >> SLOT_BITS) - block->losses[slot]) << SLOT_BITS | slot;
    qsort(m->order, classes, sizeof *m->order, compare_keys);
    for (uint32_t i = 0; i < classes; i++) {
        uint32_t slot = m->order[i] & ((1U << SLOT_BITS) - 1);
        int64_t gain = (int64_t)(block->sizes[slot] * block->losses[slot]), cost = 0;
        bool done, kept;
        bt_least_begin(block);
        BT_TRY(empty(m, slot, gain, &cost, &done, error));
        if (!done) {
            bt_least_undo(block);
            continue;
        }
        BT_TRY(decide(m, &kept, error));
        *any |= kept;
    }
    return BAUTA_OK;
}

/* ---- exchanging ---------------------------------------------------------------------------- */

typedef struct exchange {
    uint64_t total;    /* loss of both classes */
    uint32_t from, to; /* records; BT_LEAST_NONE: none goes that way */
} exchange;

/* Boxes of a class without each of its members: unions of those before and those behind. */
static void leave_out(const bt_least_block *block, const uint32_t *members, uint32_t count,
                      uint64_t *out)
{
    size_t words = block->words;
    uint64_t *run = block->spare;
    for (uint32_t i = 1; i < count; i++) { /* those before */
        if (i == 1)
            bt_least_box(block, members[0], run);
        else
            bt_least_widen(block, run, members[i - 1]);
        memcpy(out + i * words, run, words * sizeof *run);
    }
    for (uint32_t i = count - 1; i-- > 0;) { /* and those behind */
        if (i == count - 2)
            bt_least_box(block, members[count - 1], run);
        else
            bt_least_widen(block, run, members[i + 1]);
        if (i == 0)
            memcpy(out, run, words * sizeof *run);
        else
            bt_least_unite(block, out + i * words, run);
    }
}

static void keep_exchange(exchange *best, uint32_t *count, exchange one)
{
    uint32_t at = *count < KEPT_EXCHANGES ? (*count)++ : KEPT_EXCHANGES;
    while (at > 0 && best[at - 1].total > one.total) {
        if (at < KEPT_EXCHANGES) best[at] = best[at - 1];
        at--;
    }
    if (at < KEPT_EXCHANGES) best[at] = one;
}

/* Moves of a record from the one class to the other. */
static void find_moves(const improver *m, const uint32_t *members, uint32_t count,
                       const uint64_t *without, uint32_t other, bool forwards, uint64_t now,
                       exchange *best, uint32_t *kept)
{
    const bt_least_block *block = m->block;
    uint64_t size = block->sizes[other];
    if (count <= block->least->least || count < 2) return;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t total = (count - 1) * bt_least_loss(block, without + i * block->words);
        if (total >= now) continue;
        uint64_t limit = (now - total) / (size + 1);
        uint64_t loss = bt_least_loss_with(block, bt_least_box_of(block, other), members[i], limit);
        total += (size + 1) * loss;
        if (total >= now) continue;
        keep_exchange(best, kept,
                      forwards ? (exchange){total, members[i], BT_LEAST_NONE}
                               : (exchange){total, BT_LEAST_NONE, members[i]});
    }
}

static bauta_status exchange_two(improver *m, uint32_t a, uint32_t b, bool *any, bauta_error *error)
{
    bt_least_block *block = m->block;
    uint32_t count = list_members(block, a, m->members);
    uint32_t its_count = list_members(block, b, m->its_members);
    uint64_t now = count * block->losses[a] + its_count * block->losses[b];
    exchange best[KEPT_EXCHANGES];
    uint32_t kept = 0;
    if (count < 2 || its_count < 2) return BAUTA_OK;
    leave_out(block, m->members, count, m->without);
    leave_out(block, m->its_members, its_count, m->its_without);
    find_moves(m, m->members, count, m->without, b, true, now, best, &kept);
    find_moves(m, m->its_members, its_count, m->its_without, a, false, now, best, &kept);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *box = m->without + i * block->words;
        if (count * bt_least_loss(block, box) >= now) continue;
        for (uint32_t j = 0; j < its_count; j++) {
            uint64_t total = count * bt_least_loss_with(block, box, m->its_members[j], now / count);
            if (total >= now) continue;
            total += its_count * bt_least_loss_with(block, m->its_without + j * block->words,
                                                    m->members[i], (now - total) / its_count);
            if (total >= now) continue;
            keep_exchange(best, &kept, (exchange){total, m->members[i], m->its_members[j]});
        }
    }
    for (uint32_t i = 0; i < kept; i++) {
        bool good;
        bt_least_begin(block);
        if (best[i].from != BT_LEAST_NONE) BT_TRY(bt_least_move(block, best[i].from, b, error));
        if (best[i].to != BT_LEAST_NONE) BT_TRY(bt_least_move(block, best[i].to, a, error));
        BT_TRY(decide(m, &good, error));
        if (!good) continue;
        *any = true;
        break;
    }
    return BAUTA_OK;
}

/* The classes with most records near those of a class. */
static uint32_t find_near(improver *m, uint32_t slot)
{
    bt_least_block *block = m->block;
    uint32_t found = 0, most = block->listed < NEAR_RECORDS ? block->listed : NEAR_RECORDS;
    uint32_t best[NEAR_CLASSES] = {0}, kept = 0;
    for (uint32_t r = block->heads[slot]; r != BT_LEAST_NONE; r = block->next[r])
        for (uint32_t i = 0; i < most; i++) {
            uint32_t other = block->class_of[block->list[(size_t)r * block->listed + i]];
            if (other == slot) continue;
            if (m->votes[other]++ == 0) m->near[found++] = other;
        }
    for (uint32_t i = 0; i < found; i++) {
        uint32_t at = kept < NEAR_CLASSES ? kept++ : NEAR_CLASSES;
        uint32_t other = m->near[i];
        while (at > 0 && (m->votes[best[at - 1]] < m->votes[other] ||
                          (m->votes[best[at - 1]] == m->votes[other] && best[at - 1] > other))) {
            if (at < NEAR_CLASSES) best[at] = best[at - 1];
            at--;
        }
        if (at < NEAR_CLASSES) best[at] = other;
    }
    for (uint32_t i = 0; i < found; i++)
        m->votes[m->near[i]] = 0;
    memcpy(m->near, best, kept * sizeof *best);
    return kept;
}

static bauta_status exchange_all(improver *m, bool *any, bauta_error *error)
{
    bt_least_block *block = m->block;
    for (uint32_t slot = 0; slot < block->slots; slot++) {
        if (block->sizes[slot] == 0) continue;
        uint32_t near = find_near(m, slot);
        for (uint32_t i = 0; i < near; i++) {
            uint32_t other = m->near[i];
            bool fresh = m->changed_in[slot] + 1 >= m->pass || m->changed_in[other] + 1 >= m->pass;
            if (fresh && block->sizes[slot] > 0 && block->sizes[other] > 0)
                BT_TRY(exchange_two(m, slot, other, any, error));
        }
    }
    return BAUTA_OK;
}

static bauta_status polish(improver *m, bauta_error *error)
{
    bool any = true;
    for (uint32_t i = 0; i < m->block->slots; i++)
        m->changed_in[i] = m->pass;
    for (int pass = 0; pass < PASSES && any; pass++) {
        any = false;
        m->pass++;
        BT_TRY(dissolve_all(m, &any, error));
        BT_TRY(exchange_all(m, &any, error));
    }
    return BAUTA_OK;
}

/* ---- growing again ------------------------------------------------------------------------- */

/* Among the classes that a trial took records from, the one with fewest left that does not satisfy
 * any more; BT_LEAST_NONE: all satisfy. The first `hurt` of what the trial touched are looked at.
 * *others is what the other small ones lose, which is gained when they are dissolved, too. */
static bauta_status find_hurt(improver *m, uint32_t hurt, uint32_t *out, int64_t *others,
                              bauta_error *error)
{
    bt_least_block *block = m->block;
    *out = BT_LEAST_NONE;
    *others = 0;
    for (uint32_t i = 0; i < hurt; i++) {
        uint32_t slot = block->touched[i];
        bool good;
        if (block->sizes[slot] == 0) continue;
        if (block->sizes[slot] < block->least->least)
            *others += (int64_t)(block->sizes[slot] * block->losses[slot]);
        if (*out != BT_LEAST_NONE && block->sizes[slot] >= block->sizes[*out]) continue;
        BT_TRY(bt_least_satisfies(block, slot, &good, error));
        if (!good) *out = slot;
    }
    if (*out != BT_LEAST_NONE && block->sizes[*out] < block->least->least)
        *others -= (int64_t)(block->sizes[*out] * block->losses[*out]);
    return BAUTA_OK;
}

/* Classes that are left too small give their records to near ones, the smallest first; so larger
 * ones are filled up again. */
static bauta_status grow_one(improver *m, uint32_t record, bauta_error *error)
{
    bt_least_block *block = m->block;
    uint32_t count, smallest;
    uint64_t loss;
    int64_t others;
    bool kept = true;
    BT_TRY(bt_least_grow(block, record, false, m->members, &count, &loss, error));
    if (count == 0) return BAUTA_OK;
    uint32_t slot = bt_least_empty_slot(block);
    bt_least_begin(block);
    for (uint32_t i = 0; i < count; i++)
        BT_TRY(bt_least_move(block, m->members[i], slot, error));
    int64_t cost = bt_least_settle(block);
    uint32_t hurt = block->touched_count;
    for (;;) {
        BT_TRY(find_hurt(m, hurt, &smallest, &others, error));
        if (smallest == BT_LEAST_NONE) break;
        cost -= (int64_t)(block->sizes[smallest] * block->losses[smallest]);
        BT_TRY(empty(m, smallest, others, &cost, &kept, error));
        if (!kept) {
            bt_least_undo(block);
            return BAUTA_OK;
        }
    }
    return decide(m, &kept, error);
}

bauta_status bt_least_improve(bt_least_block *block, bt_stream *stream, uint64_t trials,
                              bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t count = block->count, boxes = count * block->words;
    improver m = {.block = block,
                  .members = bt_arena_array(&scratch, count + 1, sizeof *m.members),
                  .its_members = bt_arena_array(&scratch, count, sizeof *m.its_members),
                  .without = bt_arena_array(&scratch, boxes, sizeof *m.without),
                  .its_without = bt_arena_array(&scratch, boxes, sizeof *m.its_without),
                  .votes = bt_arena_array(&scratch, block->slots, sizeof *m.votes),
                  .near = bt_arena_array(&scratch, block->slots, sizeof *m.near),
                  .changed_in = bt_arena_array(&scratch, block->slots, sizeof *m.changed_in),
                  .order = bt_arena_array(&scratch, block->slots, sizeof *m.order)};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(polish(&m, error));
    for (uint64_t part = 0; part < AFTER_TRIALS && trials > 0; part++) {
        for (uint64_t i = trials * part / AFTER_TRIALS; i < trials * (part + 1) / AFTER_TRIALS; i++)
            BT_TRY(grow_one(&m, (uint32_t)bt_stream_below(stream, block->count), error));
        BT_TRY(polish(&m, error));
    }
    return BAUTA_OK;
}
