/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search has found: the best node, or all that satisfy and of these the minimal ones.
 */
#include "group/incognito.h"

static uint32_t height_of(const bt_lattice *lattice, const uint16_t *levels)
{
    uint32_t height = 0;
    for (size_t c = 0; c < lattice->columns; c++)
        height += levels[c];
    return height;
}

/* By price, then height, then levels. */
static bool is_better(const bt_search *search, const bt_price *price, const uint16_t *levels,
                      const bt_found *than)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    int order = bt_price_compare(lattice, price, &than->trial.price, search->scratch);
    uint32_t height = height_of(lattice, levels), other = height_of(lattice, than->levels);
    if (order != 0) return order < 0;
    if (height != other) return height < other;
    for (size_t c = 0; c < lattice->columns; c++)
        if (levels[c] != than->levels[c]) return levels[c] < than->levels[c];
    return false;
}

static bauta_status put(bt_search *search, size_t at, const uint16_t *levels, const bt_trial *trial,
                        bauta_error *error)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    size_t stride = lattice->stride, terms = lattice->terms;
    BT_TRY(bt_array_grow(&search->found, &search->room, at + 1, sizeof *search->found, error));
    bt_found *found = &search->found[at];
    if (at == search->count) {
        search->count++;
        found->minimal = false; /* until it is proven */
        found->levels = bt_arena_alloc(&search->arena, stride * sizeof *found->levels);
        found->trial.price.terms = bt_arena_alloc(&search->arena, terms * sizeof(uint64_t));
    }
    uint64_t *kept = found->trial.price.terms;
    if (!found->levels || !kept) return bt_fail_memory(error);
    memcpy(found->levels, levels, stride * sizeof *levels);
    memcpy(kept, trial->price.terms, terms * sizeof *kept);
    found->trial = *trial;
    found->trial.price.terms = kept;
    return BAUTA_OK;
}

bauta_status bt_search_keep(bt_search *search, const uint16_t *levels, const bt_trial *trial,
                            bool all, bool *kept, bauta_error *error)
{
    *kept =
        all || search->count == 0 || is_better(search, &trial->price, levels, &search->found[0]);
    return *kept ? put(search, all ? search->count : 0, levels, trial, error) : BAUTA_OK;
}

bauta_status bt_search_bury(bt_search *search, const uint16_t *levels, bauta_error *error)
{
    size_t stride = search->judge->count.lattice->stride;
    BT_TRY(bt_array_grow(&search->dead, &search->dead_room, (search->dead_count + 1) * stride,
                         sizeof *search->dead, error));
    memcpy(search->dead + search->dead_count++ * stride, levels, stride * sizeof *levels);
    return BAUTA_OK;
}

/* ---- minimal nodes ---- */

static bool is_buried(const bt_search *search, const uint16_t *levels)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    for (size_t i = 0; i < search->dead_count; i++)
        if (bt_is_above(lattice, search->dead + i * lattice->stride, levels)) return true;
    return false;
}

/* Whether none of the nodes right below can satisfy. `below` is scratch. */
static bool is_minimal(const bt_search *search, const uint16_t *levels, uint16_t *below)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    memcpy(below, levels, lattice->stride * sizeof *below);
    for (size_t c = 0; c < lattice->columns; c++) {
        if (levels[c] == search->judge->floors[c]) continue;
        below[c]--;
        if (!is_buried(search, below)) return false;
        below[c]++;
    }
    return true;
}

/* A search that was not cut has looked below all of them. One that was proves what it can, unless
 * that takes as long as searching. */
static bauta_status prove(bt_search *search, bauta_error *error)
{
    enum { STEPS_MOST = 1 << 28 };
    const bt_lattice *lattice = search->judge->count.lattice;
    uint16_t *below = bt_array_zero(lattice->stride, sizeof *below);
    if (!below) return bt_fail_memory(error);
    bool can = search->dead_count * lattice->columns * search->count < STEPS_MOST;
    for (size_t i = 0; i < search->count; i++) {
        bt_found *found = &search->found[i];
        found->minimal = search->proven || (can && is_minimal(search, found->levels, below));
    }
    free(below);
    return BAUTA_OK;
}

typedef struct ranked {
    uint32_t height;
    size_t place;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->height != y->height) return x->height < y->height ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* From the lowest nodes up; one that is above a minimal node is none. */
static void choose(bt_search *search, const ranked *order, bt_found *minimal)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    size_t count = 0;
    for (size_t i = 0; i < search->count; i++) {
        const bt_found *found = &search->found[order[i].place];
        bool above = false;
        for (size_t m = 0; m < count && !above; m++)
            above = bt_is_above(lattice, found->levels, minimal[m].levels);
        if (!above) minimal[count++] = *found;
    }
    search->count = count;
    if (count > 0) memcpy(search->found, minimal, count * sizeof *minimal);
    for (size_t i = 1; i < count; i++)
        if (is_better(search, &minimal[i].trial.price, minimal[i].levels, &minimal[search->best]))
            search->best = i;
}

bauta_status bt_search_keep_minimal(bt_search *search, bauta_error *error)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    size_t count = search->count;
    ranked *order = bt_array(count, sizeof *order);
    bt_found *minimal = bt_array(count, sizeof *minimal);
    bool made = order && minimal;
    for (size_t i = 0; made && i < count; i++)
        order[i] = (ranked){height_of(lattice, search->found[i].levels), i};
    if (made && count > 1) qsort(order, count, sizeof *order, compare_ranked);
    if (made) choose(search, order, minimal);
    free(order);
    free(minimal);
    return made ? prove(search, error) : bt_fail_memory(error);
}

void bt_search_release(bt_search *search)
{
    free(search->found);
    free(search->dead);
    bt_arena_release(&search->arena);
    search->found = NULL;
    search->dead = NULL;
    search->dead_count = search->dead_room = 0;
    search->count = search->room = 0;
}
