/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose turn it is: queues of records, each of one profile and with a place, in the order of least
 * rarity of the profile, then greatest weight of it, then greatest place. Rarities change while
 * queues are taken, but never become less. Only src/require may include this.
 *
 * Queues of one profile stand in a heap of their own, by place, and one heap of profiles says which
 * of these is next. So a rarity that changes concerns one entry for each profile, however many
 * queues there are. Each operation takes logarithmic time.
 */
#ifndef BT_TURNS_H
#define BT_TURNS_H

#include "base/memory.h"

typedef struct bt_turn { /* of a profile, in the heap of profiles */
    uint64_t rarity;
    uint32_t weight, place; /* of the first queue of the profile */
    uint32_t profile, stamp;
} bt_turn;

typedef struct bt_turn_heap { /* of one profile */
    uint32_t first, count;    /* its queues are members[first..first+count) */
    uint32_t stamp;           /* of its entry in the heap of profiles that counts */
} bt_turn_heap;

typedef struct bt_turns {
    uint32_t profiles;
    const uint32_t *weights; /* per profile; NULL: all alike */
    bt_turn_heap *heaps;     /* per profile */
    uint32_t *present;       /* profiles of the queues that there are */
    uint32_t present_count;
    uint32_t *members, *places; /* queues by profile; the place of each queue */
    bt_turn *turns;
    size_t turn_count, members_capacity, places_capacity, turns_capacity;
} bt_turns;

/* How rare a profile is now. */
typedef uint64_t (*bt_rarity)(void *user, uint32_t profile);

/* `weights` is borrowed. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_turns_init(bt_turns *turns, uint32_t profiles, const uint32_t *weights,
                                       bauta_error *error);
void bt_turns_release(bt_turns *turns);

/* Makes room for queues 0..count-1; none of them stands in line yet. The profile of queue q is at
 * profile_of + q * stride bytes. */
BT_MUST_USE bauta_status bt_turns_lay_out(bt_turns *turns, const void *profile_of, size_t stride,
                                          size_t count, bauta_error *error);

/* Nobody stands in line. */
void bt_turns_clear(bt_turns *turns);

/* Puts a queue in line that does not stand there. */
BT_MUST_USE bauta_status bt_turns_put(bt_turns *turns, uint32_t queue, uint32_t profile,
                                      uint32_t place, bt_rarity rarity, void *user,
                                      bauta_error *error);

/* Takes out the queue whose turn it is; false: nobody stands in line. *looks grows by the number of
 * entries that were looked at. */
BT_MUST_USE bauta_status bt_turns_take(bt_turns *turns, bt_rarity rarity, void *user,
                                       uint32_t *queue, bool *found, uint64_t *looks,
                                       bauta_error *error);

#endif
