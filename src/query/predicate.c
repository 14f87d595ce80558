/* SPDX-License-Identifier: Apache-2.0
 *
 * From the terms of a query to a tree of AND and OR over leaves, each column at most once in a
 * junction. Every step walks arrays in which parents and children have known order: no recursion.
 */
#include "query/predicate.h"

#include "base/assert.h"

#include <string.h>

enum { NONE = UINT32_MAX };

/* The tree while it is made. Leaves of a junction are a chain. */
typedef struct tree {
    const bt_select *select;
    const bt_bound_atoms *atoms;
    bt_predicate *out;
    bt_leaf *leaves;
    uint32_t *next; /* leaf -> the next one of its junction */
    size_t leaf_count;
    bt_junction *junctions;
    uint32_t *head;  /* junction -> its first leaf */
    uint32_t *under; /* junction -> junctions directly under it */
    size_t junction_count;
    bt_arena scratch;
    bauta_error *error;
} tree;

/* ---- negations pushed down, equal connectives joined ---- */

static void chain(tree *t, uint32_t leaf, uint32_t junction)
{
    t->leaves[leaf].junction = junction;
    t->next[leaf] = t->head[junction];
    t->head[junction] = leaf;
}

static uint32_t open_junction(tree *t, uint32_t parent, bool all)
{
    uint32_t junction = (uint32_t)t->junction_count++;
    t->junctions[junction] = (bt_junction){all, parent};
    t->head[junction] = NONE;
    if (junction != parent) t->under[parent]++;
    return junction;
}

static bauta_status add_atom(tree *t, uint32_t atom, bool negate, uint32_t junction)
{
    uint32_t leaf = (uint32_t)t->leaf_count++;
    BT_TRY(bt_atom_segments(t->select, t->atoms, atom, negate, t->out, &t->leaves[leaf], t->error));
    chain(t, leaf, junction);
    return BAUTA_OK;
}

typedef struct placing { /* of a term: where it goes and whether it is negated */
    uint32_t junction;
    bool negate;
} placing;

static bauta_status grow_terms(tree *t, placing *places)
{
    const bt_select *select = t->select;
    places[select->term_count - 1] = (placing){0, false};
    for (size_t i = select->term_count; i-- > 0;) {
        const bt_term *term = &select->terms[i];
        placing place = places[i];
        if (term->kind == BT_ATOM) {
            BT_TRY(add_atom(t, term->left, place.negate, place.junction));
        } else if (term->kind == BT_NOT) {
            places[term->left] = (placing){place.junction, !place.negate};
        } else {
            bool all = (term->kind == BT_AND) != place.negate;
            if (t->junctions[place.junction].all != all)
                place.junction = open_junction(t, place.junction, all);
            places[term->left] = places[term->right] = place;
        }
    }
    return BAUTA_OK;
}

/* Only records count in which the aggregate's column is present. */
static bauta_status add_target(tree *t)
{
    const bt_predicate *out = t->out;
    uint32_t leaf = (uint32_t)t->leaf_count++;
    bt_interval *items = bt_arena_array(&t->out->arena, 1, sizeof *items);
    if (!items) return bt_fail_memory(t->error);
    items[0] = (bt_interval){0, bt_slot_last(&out->slots[out->target])};
    t->leaves[leaf] = (bt_leaf){.slot = (uint32_t)out->target, .segments = {items, 1}};
    chain(t, leaf, 0);
    return BAUTA_OK;
}

/* ---- one leaf per column and junction ---- */

static int compare_slots(const void *left, const void *right)
{
    const bt_leaf *a = *(bt_leaf *const *)left, *b = *(bt_leaf *const *)right;
    if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
    return (a > b) - (a < b);
}

/* Unites leaves of one column; the first of them is what they become. */
static bauta_status unite(tree *t, bt_leaf *const *leaves, size_t count, bool all)
{
    const bt_slot *slot = &t->out->slots[leaves[0]->slot];
    const bt_intervals **sets = bt_arena_array(&t->scratch, count, sizeof *sets);
    BT_TRY(bt_arena_check(&t->scratch, t->error));
    bool missing = all;
    for (size_t i = 0; i < count; i++) {
        sets[i] = &leaves[i]->segments;
        missing = all ? missing && leaves[i]->missing : missing || leaves[i]->missing;
    }
    bt_intervals united = leaves[0]->segments;
    if (count > 1)
        BT_TRY(bt_intervals_combine(sets, count, all, bt_slot_last(slot), &t->out->arena, &united,
                                    t->error));
    leaves[0]->segments = united;
    leaves[0]->missing = missing;
    return BAUTA_OK;
}

static bauta_status settle_leaves(tree *t, uint32_t junction, bt_leaf **leaves, size_t count)
{
    qsort(leaves, count, sizeof *leaves, compare_slots);
    t->head[junction] = NONE;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && leaves[to]->slot == leaves[from]->slot;)
            to++;
        BT_TRY(unite(t, leaves + from, to - from, t->junctions[junction].all));
        chain(t, (uint32_t)(leaves[from] - t->leaves), junction);
    }
    return BAUTA_OK;
}

/* A junction that is down to one leaf gives it to the junction above. */
static void lift(tree *t, uint32_t junction)
{
    uint32_t leaf = t->head[junction], parent = t->junctions[junction].parent;
    if (junction == 0 || t->under[junction] > 0 || leaf == NONE || t->next[leaf] != NONE) return;
    chain(t, leaf, parent);
    t->head[junction] = NONE;
    t->under[parent]--;
}

/* ---- what is left ---- */

static bauta_status too_long(bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the condition names columns in more than %d places that cannot "
                                  "be united",
                                  BT_LEAVES_MOST);
    bt_error_hint(error, "use IN, or ask several queries");
    return status;
}

/* Groups keep their order, so parents still have smaller numbers. */
static bauta_status keep_tree(tree *t)
{
    bt_predicate *out = t->out;
    uint32_t *number = bt_arena_array(&t->scratch, t->junction_count, sizeof *number);
    size_t most = t->leaf_count < BT_LEAVES_MOST ? t->leaf_count : BT_LEAVES_MOST;
    out->junctions = bt_arena_array(&out->arena, t->junction_count, sizeof *out->junctions);
    out->leaves = bt_arena_array(&out->arena, most, sizeof *out->leaves);
    BT_TRY(bt_arena_check(&t->scratch, t->error));
    BT_TRY(bt_arena_check(&out->arena, t->error));
    for (size_t g = 0; g < t->junction_count; g++) {
        if (g > 0 && t->under[g] == 0 && t->head[g] == NONE) continue;
        BT_ASSERT(g == 0 || t->junctions[g].parent < g);
        number[g] = (uint32_t)out->junction_count;
        out->junctions[out->junction_count++] =
            (bt_junction){t->junctions[g].all, g ? number[t->junctions[g].parent] : 0};
        for (uint32_t leaf = t->head[g]; leaf != NONE; leaf = t->next[leaf]) {
            if (out->leaf_count == BT_LEAVES_MOST) return too_long(t->error);
            out->leaves[out->leaf_count] = t->leaves[leaf];
            out->leaves[out->leaf_count++].junction = number[g];
        }
    }
    return BAUTA_OK;
}

static bauta_status make_tree(tree *t)
{
    placing *places = bt_arena_array(&t->scratch, t->select->term_count, sizeof *places);
    BT_TRY(bt_arena_check(&t->scratch, t->error));
    open_junction(t, 0, true);
    if (t->select->term_count > 0) BT_TRY(grow_terms(t, places));
    if (t->out->target < t->out->slot_count) BT_TRY(add_target(t));
    bt_leaf **leaves = bt_arena_array(&t->scratch, t->leaf_count, sizeof *leaves);
    BT_TRY(bt_arena_check(&t->scratch, t->error));
    for (size_t g = t->junction_count; g-- > 0;) {
        size_t count = 0;
        for (uint32_t leaf = t->head[g]; leaf != NONE; leaf = t->next[leaf])
            leaves[count++] = &t->leaves[leaf];
        BT_TRY(settle_leaves(t, (uint32_t)g, leaves, count));
        lift(t, (uint32_t)g);
    }
    return keep_tree(t);
}

/* ---- signatures ---- */

static void mark(const bt_leaf *leaf, uint32_t missing, bool *marks)
{
    memset(marks, 0, ((size_t)missing + 1) * sizeof *marks);
    for (size_t i = 0; i < leaf->segments.count; i++)
        for (uint32_t s = leaf->segments.items[i].from; s <= leaf->segments.items[i].to; s++)
            marks[s] = true;
    marks[missing] = leaf->missing;
}

/* Refines the signatures by one leaf: those that it splits become two. */
static void refine(bt_slot *slot, const bool *marks, uint32_t *renamed)
{
    uint32_t segments = bt_slot_missing(slot) + 1, count = 0;
    for (uint32_t i = 0; i < 2 * slot->signatures; i++)
        renamed[i] = NONE;
    for (uint32_t s = 0; s < segments; s++) {
        uint32_t *name = &renamed[2 * slot->signature[s] + marks[s]];
        if (*name == NONE) *name = count++;
        slot->signature[s] = *name;
    }
    slot->signatures = count;
}

static bauta_status sign_slot(bt_predicate *predicate, uint32_t number, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_arena *arena = &predicate->arena;
    bt_slot *slot = &predicate->slots[number];
    size_t segments = (size_t)bt_slot_missing(slot) + 1;
    bool *marks = bt_arena_array(&scratch, segments, sizeof *marks);
    uint32_t *renamed = bt_arena_array(&scratch, 2 * segments, sizeof *renamed);
    slot->signature = bt_arena_array(arena, segments, sizeof *slot->signature);
    slot->signatures = 1;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < predicate->leaf_count; i++) {
        if (predicate->leaves[i].slot != number) continue;
        mark(&predicate->leaves[i], bt_slot_missing(slot), marks);
        refine(slot, marks, renamed);
    }
    for (size_t i = 0; i < predicate->leaf_count; i++) {
        bt_leaf *leaf = &predicate->leaves[i];
        if (leaf->slot != number) continue;
        leaf->truth = bt_arena_array(arena, slot->signatures, sizeof *leaf->truth);
        BT_TRY(bt_arena_check(arena, error));
        mark(leaf, bt_slot_missing(slot), marks);
        for (size_t s = 0; s < segments; s++)
            leaf->truth[slot->signature[s]] = marks[s];
    }
    return BAUTA_OK;
}

static void tree_release(tree *t)
{
    bt_arena_release(&t->scratch);
}

bauta_status bt_predicate_bind(const bt_select *select, const bt_query_columns *columns,
                               bt_predicate *out, bauta_error *error)
{
    bt_bound_atoms atoms;
    *out = (bt_predicate){0};
    BT_TRY(bt_atoms_bind(select, columns, out, &atoms, error));
    size_t leaves = select->atom_count + 1, junctions = select->term_count + 1;
    BT_OWN(tree_release) tree t = {.select = select, .atoms = &atoms, .out = out, .error = error};
    t.leaves = bt_arena_array(&t.scratch, leaves, sizeof *t.leaves);
    t.next = bt_arena_array(&t.scratch, leaves, sizeof *t.next);
    t.junctions = bt_arena_array(&t.scratch, junctions, sizeof *t.junctions);
    t.head = bt_arena_array(&t.scratch, junctions, sizeof *t.head);
    t.under = bt_arena_array(&t.scratch, junctions, sizeof *t.under);
    BT_TRY(bt_arena_check(&t.scratch, error));
    BT_TRY(make_tree(&t));
    for (uint32_t s = 0; s < out->slot_count; s++)
        BT_TRY(sign_slot(out, s, error));
    return BAUTA_OK;
}

void bt_predicate_release(bt_predicate *predicate)
{
    bt_arena_release(&predicate->arena);
    *predicate = (bt_predicate){0};
}
