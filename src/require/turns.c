/* SPDX-License-Identifier: Apache-2.0
 *
 * Two levels of heaps. An entry in the heap of profiles becomes stale when another one is made for
 * its profile; it is recognized by its stamp when it comes up, and dropped.
 */
#include "require/turns.h"

#include <string.h>

bauta_status bt_turns_init(bt_turns *turns, uint32_t profiles, const uint32_t *weights,
                           bauta_error *error)
{
    *turns = (bt_turns){.profiles = profiles, .weights = weights};
    turns->heaps = bt_array_zero(profiles, sizeof *turns->heaps);
    turns->present = bt_array(profiles, sizeof *turns->present);
    return turns->heaps && turns->present ? BAUTA_OK : bt_fail_memory(error);
}

void bt_turns_release(bt_turns *turns)
{
    free(turns->heaps);
    free(turns->present);
    free(turns->members);
    free(turns->places);
    free(turns->turns);
    *turns = (bt_turns){0};
}

bauta_status bt_turns_lay_out(bt_turns *turns, const void *profile_of, size_t stride, size_t count,
                              bauta_error *error)
{
    uint32_t first = 0;
    bt_turns_clear(turns);
    turns->present_count = 0;
    BT_TRY(bt_array_grow(&turns->members, &turns->members_capacity, count, sizeof *turns->members,
                         error));
    BT_TRY(bt_array_grow(&turns->places, &turns->places_capacity, count, sizeof *turns->places,
                         error));
    for (size_t q = 0; q < count; q++) {
        uint32_t profile;
        memcpy(&profile, (const char *)profile_of + q * stride, sizeof profile);
        if (turns->heaps[profile].count++ == 0) turns->present[turns->present_count++] = profile;
    }
    for (uint32_t i = 0; i < turns->present_count; i++) {
        bt_turn_heap *heap = &turns->heaps[turns->present[i]];
        heap->first = first;
        first += heap->count;
        heap->count = 0;
    }
    return BAUTA_OK;
}

void bt_turns_clear(bt_turns *turns)
{
    for (uint32_t i = 0; i < turns->present_count; i++)
        turns->heaps[turns->present[i]].count = 0;
    turns->turn_count = 0;
}

/* ---- queues of one profile --------------------------------------------------------------- */

static void put_member(bt_turns *turns, bt_turn_heap *heap, uint32_t queue)
{
    uint32_t *members = turns->members + heap->first, at = heap->count++;
    const uint32_t *places = turns->places;
    for (; at > 0 && places[members[(at - 1) / 2]] < places[queue]; at = (at - 1) / 2)
        members[at] = members[(at - 1) / 2];
    members[at] = queue;
}

static uint32_t take_member(bt_turns *turns, bt_turn_heap *heap)
{
    uint32_t *members = turns->members + heap->first, count = --heap->count, at = 0, child;
    const uint32_t *places = turns->places;
    uint32_t top = members[0], last = members[count];
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && places[members[child + 1]] > places[members[child]]) child++;
        if (places[members[child]] <= places[last]) break;
        members[at] = members[child];
        at = child;
    }
    members[at] = last;
    return top;
}

/* ---- profiles ---------------------------------------------------------------------------- */

static bool goes_before(const bt_turn *a, const bt_turn *b)
{
    if (a->rarity != b->rarity) return a->rarity < b->rarity;
    if (a->weight != b->weight) return a->weight > b->weight;
    return a->place > b->place;
}

/* Makes the entry of a profile that counts, if it has queues. */
static bauta_status put_profile(bt_turns *turns, uint32_t profile, uint64_t rarity,
                                bauta_error *error)
{
    bt_turn_heap *heap = &turns->heaps[profile];
    heap->stamp++;
    if (heap->count == 0) return BAUTA_OK;
    const bt_turn made = {.rarity = rarity,
                          .weight = turns->weights ? turns->weights[profile] : 0,
                          .place = turns->places[turns->members[heap->first]],
                          .profile = profile,
                          .stamp = heap->stamp};
    BT_TRY(bt_array_grow(&turns->turns, &turns->turns_capacity, turns->turn_count + 1,
                         sizeof *turns->turns, error));
    bt_turn *all = turns->turns;
    size_t at = turns->turn_count++;
    for (; at > 0 && goes_before(&made, &all[(at - 1) / 2]); at = (at - 1) / 2)
        all[at] = all[(at - 1) / 2];
    all[at] = made;
    return BAUTA_OK;
}

static bt_turn take_profile(bt_turns *turns)
{
    bt_turn *all = turns->turns, top = all[0], last = all[--turns->turn_count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < turns->turn_count) {
        if (child + 1 < turns->turn_count && goes_before(&all[child + 1], &all[child])) child++;
        if (!goes_before(&all[child], &last)) break;
        all[at] = all[child];
        at = child;
    }
    all[at] = last;
    return top;
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_turns_put(bt_turns *turns, uint32_t queue, uint32_t profile, uint32_t place,
                          bt_rarity rarity, void *user, bauta_error *error)
{
    bt_turn_heap *heap = &turns->heaps[profile];
    turns->places[queue] = place;
    put_member(turns, heap, queue);
    /* Behind others of its profile it changes nothing for the profile. */
    if (turns->members[heap->first] != queue) return BAUTA_OK;
    return put_profile(turns, profile, rarity(user, profile), error);
}

bauta_status bt_turns_take(bt_turns *turns, bt_rarity rarity, void *user, uint32_t *queue,
                           bool *found, uint64_t *looks, bauta_error *error)
{
    *found = false;
    for (; turns->turn_count > 0; ++*looks) {
        bt_turn top = take_profile(turns);
        bt_turn_heap *heap = &turns->heaps[top.profile];
        if (top.stamp != heap->stamp) continue;
        uint64_t now = rarity(user, top.profile);
        *found = now == top.rarity;
        if (*found) *queue = take_member(turns, heap);
        BT_TRY(put_profile(turns, top.profile, now, error));
        if (*found) return BAUTA_OK;
    }
    return BAUTA_OK;
}
