/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a decision diagram, layer by layer.
 *
 * A state is what is still open: the set of leaves that can still matter, which is enough to say
 * how the condition goes on. Deciding a slot settles its leaves; what follows from that settles
 * junctions, and whatever stands under or beside a settled thing no longer matters. Then the layers
 * are joined from the last to the first, equal nodes becoming one.
 *
 * Cost: states times signatures times leaves.
 */
#include "query/diagram.h"

#include "base/bitset.h"
#include "base/hash.h"

#include <string.h>

enum { STATES_MOST = 1 << 15, EDGES_MOST = 1 << 19 };
enum { ENDS = 2 };

/* ---- a list of different things of one size ---- */

typedef struct distinct {
    char *items;
    size_t size, count, capacity;
    uint32_t *table; /* place + 1; 0: free */
    size_t places;   /* a power of two */
} distinct;

static void distinct_release(distinct *list)
{
    free(list->items);
    free(list->table);
    *list = (distinct){.size = list->size};
}

static size_t find_place(const distinct *list, const void *item)
{
    size_t at = bt_hash(item, list->size) & (list->places - 1);
    while (list->table[at] &&
           memcmp(list->items + (list->table[at] - 1) * list->size, item, list->size) != 0)
        at = (at + 1) & (list->places - 1);
    return at;
}

static bauta_status widen(distinct *list, bauta_error *error)
{
    size_t places = list->places ? list->places * 2 : 16;
    uint32_t *table = bt_array_zero(places, sizeof *table);
    if (!table) return bt_fail_memory(error);
    free(list->table);
    list->table = table;
    list->places = places;
    for (size_t i = 0; i < list->count; i++)
        table[find_place(list, list->items + i * list->size)] = (uint32_t)i + 1;
    return BAUTA_OK;
}

/* The number of an item, new or not. */
static bauta_status distinct_number(distinct *list, const void *item, uint32_t *out,
                                    bauta_error *error)
{
    if (2 * (list->count + 1) > list->places) BT_TRY(widen(list, error));
    size_t at = find_place(list, item);
    if (list->table[at] == 0) {
        BT_TRY(bt_array_grow(&list->items, &list->capacity, list->count + 1, list->size, error));
        memcpy(list->items + list->count * list->size, item, list->size);
        list->table[at] = (uint32_t)++list->count;
    }
    *out = list->table[at] - 1;
    return BAUTA_OK;
}

/* ---- settling ---- */

typedef struct maker {
    bt_predicate *predicate;
    size_t words;     /* of a state */
    uint64_t *state;  /* the next one */
    uint8_t *seen;    /* per junction: what its members are */
    distinct *layers; /* per slot and one more: states */
    uint32_t **ways;  /* per slot: state times signature -> end, or ENDS + state of the next */
    size_t states, edges;
    bt_arena arena; /* of all these but what is in the layers */
    bauta_error *error;
} maker;

enum { SEEN_OPEN = 1, SEEN_DECISIVE = 2, SEEN_OTHER = 4, KEPT = 8 };

static void note(const bt_predicate *predicate, uint8_t *seen, uint32_t junction, bool truth)
{
    seen[junction] |= truth != predicate->junctions[junction].all ? SEEN_DECISIVE : SEEN_OTHER;
}

/* Settles the leaves of `slot` by a signature; BT_NEVER or BT_ALWAYS when that settles all, else
 * ENDS, and m->state is what is left. */
static uint32_t settle(maker *m, const uint64_t *live, uint32_t slot, uint32_t signature)
{
    const bt_predicate *predicate = m->predicate;
    uint8_t *seen = m->seen;
    memset(seen, 0, predicate->junction_count);
    for (size_t i = 0; i < predicate->leaf_count; i++) {
        const bt_leaf *leaf = &predicate->leaves[i];
        if (!bt_bitset_has(live, i)) continue;
        if (leaf->slot == slot)
            note(predicate, seen, leaf->junction, leaf->truth[signature]);
        else
            seen[leaf->junction] |= SEEN_OPEN;
    }
    for (size_t g = predicate->junction_count; g-- > 0;) {
        const bt_junction *junction = &predicate->junctions[g];
        bool decisive = seen[g] & SEEN_DECISIVE, open = !decisive && seen[g] & SEEN_OPEN;
        if (open) seen[g] |= KEPT;
        if (g == 0) return open ? ENDS : (decisive != junction->all ? BT_ALWAYS : BT_NEVER);
        if (open)
            seen[junction->parent] |= SEEN_OPEN;
        else if (seen[g])
            note(predicate, seen, junction->parent, decisive != junction->all);
    }
    return ENDS;
}

/* A junction is kept when it is open and so are all above it. */
static void keep_open(maker *m, const uint64_t *live, uint32_t slot)
{
    const bt_predicate *predicate = m->predicate;
    for (size_t g = 1; g < predicate->junction_count; g++)
        if (!(m->seen[predicate->junctions[g].parent] & KEPT)) m->seen[g] &= (uint8_t)~KEPT;
    memset(m->state, 0, m->words * sizeof *m->state);
    for (size_t i = 0; i < predicate->leaf_count; i++) {
        const bt_leaf *leaf = &predicate->leaves[i];
        if (bt_bitset_has(live, i) && leaf->slot != slot && m->seen[leaf->junction] & KEPT)
            bt_bitset_add(m->state, i);
    }
}

/* ---- layers ---- */

static bauta_status too_entangled(bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the condition ties too many columns together in too many ways");
    bt_error_hint(error, "ask several queries, one for each part of the condition");
    return status;
}

static bauta_status expand_state(maker *m, uint32_t slot, size_t number)
{
    uint32_t signatures = m->predicate->slots[slot].signatures;
    distinct *next = &m->layers[slot + 1];
    for (uint32_t signature = 0; signature < signatures; signature++) {
        const uint64_t *live = (const uint64_t *)(const void *)m->layers[slot].items;
        live += number * m->words;
        uint32_t way = settle(m, live, slot, signature);
        if (way == ENDS) {
            keep_open(m, live, slot);
            BT_TRY(distinct_number(next, m->state, &way, m->error));
            way += ENDS;
        }
        m->ways[slot][number * signatures + signature] = way;
    }
    return BAUTA_OK;
}

static bauta_status expand_layer(maker *m, uint32_t slot)
{
    size_t states = m->layers[slot].count, signatures = m->predicate->slots[slot].signatures;
    m->states += states;
    m->edges += states * signatures;
    if (m->states > STATES_MOST || m->edges > EDGES_MOST) return too_entangled(m->error);
    m->ways[slot] = bt_arena_array(&m->arena, states * signatures, sizeof **m->ways);
    BT_TRY(bt_arena_check(&m->arena, m->error));
    for (size_t i = 0; i < states; i++)
        BT_TRY(expand_state(m, slot, i));
    return BAUTA_OK;
}

/* ---- joining ---- */

typedef struct joiner {
    maker *m;
    bt_diagram *out;
    uint32_t *names, *next_names; /* state of a layer -> node */
    uint32_t edge_count;
} joiner;

static bool all_alike(const uint32_t *edges, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (edges[i] != edges[0]) return false;
    return true;
}

static void add_node(joiner *j, uint32_t slot, const uint32_t *edges, size_t count)
{
    bt_diagram *out = j->out;
    out->slot[out->count] = slot;
    out->first[out->count++] = j->edge_count;
    memcpy(out->edges + j->edge_count, edges, count * sizeof *edges);
    j->edge_count += (uint32_t)count;
}

static bauta_status join_layer(joiner *j, uint32_t slot, bauta_error *error)
{
    const maker *m = j->m;
    size_t signatures = m->predicate->slots[slot].signatures;
    BT_OWN(distinct_release) distinct nodes = {.size = signatures * sizeof(uint32_t)};
    uint32_t first = j->out->count;
    for (size_t i = 0; i < m->layers[slot].count; i++) {
        uint32_t *ways = m->ways[slot] + i * signatures, found;
        for (size_t s = 0; s < signatures; s++)
            if (ways[s] >= ENDS) ways[s] = j->next_names[ways[s] - ENDS];
        if (all_alike(ways, signatures)) {
            j->names[i] = ways[0];
            continue;
        }
        BT_TRY(distinct_number(&nodes, ways, &found, error));
        if (first + found == j->out->count) add_node(j, slot, ways, signatures);
        j->names[i] = first + found;
    }
    return BAUTA_OK;
}

static bauta_status join_layers(maker *m, bt_diagram *out, bauta_error *error)
{
    bt_arena *arena = &m->predicate->arena;
    uint32_t slots = (uint32_t)m->predicate->slot_count;
    joiner j = {.m = m, .out = out};
    out->slot = bt_arena_array(arena, m->states + ENDS, sizeof *out->slot);
    out->first = bt_arena_array(arena, m->states + ENDS, sizeof *out->first);
    out->edges = bt_arena_array(arena, m->edges, sizeof *out->edges);
    j.names = bt_arena_array(&m->arena, m->states + 1, sizeof *j.names);
    j.next_names = bt_arena_array(&m->arena, m->states + 1, sizeof *j.next_names);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(bt_arena_check(&m->arena, error));
    out->slot[BT_NEVER] = out->slot[BT_ALWAYS] = slots;
    out->count = ENDS;
    for (uint32_t slot = slots; slot-- > 0;) {
        BT_TRY(join_layer(&j, slot, error));
        uint32_t *swap = j.names;
        j.names = j.next_names;
        j.next_names = swap;
    }
    out->root = slots > 0 ? j.next_names[0] : BT_ALWAYS;
    return BAUTA_OK;
}

static void maker_release(maker *m)
{
    for (size_t i = 0; m->layers && i <= m->predicate->slot_count; i++)
        distinct_release(&m->layers[i]);
    bt_arena_release(&m->arena);
}

bauta_status bt_diagram_make(bt_predicate *predicate, bt_diagram *out, bauta_error *error)
{
    size_t slots = predicate->slot_count, words = bt_bitset_words(predicate->leaf_count + 1);
    uint32_t first;
    BT_OWN(maker_release) maker m = {.predicate = predicate, .words = words, .error = error};
    m.state = bt_arena_array(&m.arena, words, sizeof *m.state);
    m.seen = bt_arena_array(&m.arena, predicate->junction_count, 1);
    m.ways = bt_arena_array(&m.arena, slots + 1, sizeof *m.ways);
    m.layers = bt_arena_array(&m.arena, slots + 1, sizeof *m.layers);
    *out = (bt_diagram){0};
    BT_TRY(bt_arena_check(&m.arena, error));
    for (size_t i = 0; i <= slots; i++)
        m.layers[i].size = words * sizeof(uint64_t);
    for (size_t i = 0; i < predicate->leaf_count; i++)
        bt_bitset_add(m.state, i);
    BT_TRY(distinct_number(&m.layers[0], m.state, &first, error));
    for (uint32_t slot = 0; slot < slots; slot++)
        BT_TRY(expand_layer(&m, slot));
    return join_layers(&m, out, error);
}
