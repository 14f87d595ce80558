/* SPDX-License-Identifier: Apache-2.0
 *
 * The search: from the top of the lattice down, one layer after the other; a layer holds the nodes
 * whose levels add up to the same.
 *
 * A node is only looked at if all nodes right above it are alive. Above it are also the nodes with
 * some columns at the top, that is, with those columns left out: this is the pruning by subsets of
 * columns of Incognito (LeFevre, DeWitt and Ramakrishnan 2005), and by all other generalizations
 * at once.
 *
 * Without dropping records all satisfying nodes are found, and of them those with no satisfying
 * one below: the minimal nodes. Where merging classes keeps requirements, a node that fails is
 * dead; else only one with a group of which no part satisfies.
 *
 * With dropping records the node of least price is found. A node is not tried if what is lost
 * by generalizing alone, and by dropping what every node above it shows must be dropped, is too
 * much already; it is dead if the latter is too much by itself. Both are bounds, no estimates.
 *
 * Nodes of a layer are tried in batches of a fixed size, several at a time, the most promising ones
 * first. What is found in one batch prunes the next, so neither result nor number of tries depends
 * on the number of threads.
 */
#include "group/incognito.h"

enum { BATCH = 8, AHEAD = 128 }; /* nodes that are tried, and that are made ready for, at once */
enum { LARGE_LATTICE = 1 << 14, MANY_WANTED = 256, DIVES = 8 };
enum { LAYER_MOST = 1 << 21 }; /* nodes; what is beyond is not searched */
enum { CHECKED_EVERY = 1024 }; /* nodes: the time */
static const bt_wide NO_LIMIT = ~(bt_wide)0;

typedef struct layer {
    uint16_t *levels;
    bt_wide *beneath; /* what is lost at least by dropping records */
    bool *dead;
    size_t count, levels_room, beneath_room, dead_room;
    uint32_t *slots; /* node + 1; 0: free */
    size_t slots_room, mask;
} layer;

typedef struct wanted { /* a node of the layer that is to be tried */
    bt_wide bound;
    size_t place;
} wanted;

typedef struct sweep {
    bt_search *search;
    const bt_lattice *lattice;
    layer here, next;
    bool collects; /* all satisfying nodes are wanted, not the best one alone */
    bool stopped;  /* the budget is used up */
    bool cut;      /* a layer was too large */
    bt_wide limit; /* what costs as much is not wanted */
    bt_trial *trials;
    uint64_t *terms; /* of each trial, and of one more price */
    uint16_t *known; /* nodes that satisfy, so that all above them do */
    size_t known_count, known_room;
    wanted *wanted;
    size_t wanted_count, wanted_room;
    const uint16_t *nodes[AHEAD];
    uint16_t *child, *parent, *below; /* scratch; `below`: for a batch */
} sweep;

/* ---- layers ------------------------------------------------------------------------------ */

static uint16_t *levels_of(const sweep *s, const layer *l, size_t node)
{
    return l->levels + node * s->lattice->stride;
}

static bauta_status add_node(sweep *s, layer *l, const uint16_t *levels, bt_wide beneath,
                             bauta_error *error)
{
    size_t stride = s->lattice->stride, need = l->count + 1;
    s->cut = s->cut || l->count == LAYER_MOST;
    if (l->count == LAYER_MOST) return BAUTA_OK;
    BT_TRY(bt_array_grow(&l->levels, &l->levels_room, need * stride, sizeof *l->levels, error));
    BT_TRY(bt_array_grow(&l->beneath, &l->beneath_room, need, sizeof *l->beneath, error));
    BT_TRY(bt_array_grow(&l->dead, &l->dead_room, need, sizeof *l->dead, error));
    memcpy(levels_of(s, l, l->count), levels, stride * sizeof *levels);
    l->beneath[l->count] = beneath;
    l->dead[l->count++] = false;
    return BAUTA_OK;
}

static size_t hash_node(const sweep *s, const uint16_t *levels)
{
    return (size_t)bt_hash(levels, s->lattice->stride * sizeof *levels);
}

/* Leaves only what is alive, where it can be found. */
static bauta_status bury(const sweep *s, layer *l, bauta_error *error)
{
    size_t kept = 0, size = 16, stride = s->lattice->stride;
    for (size_t i = 0; i < l->count; i++) {
        if (l->dead[i] || l->beneath[i] + s->search->judge->bottom >= s->limit) continue;
        memmove(levels_of(s, l, kept), levels_of(s, l, i), stride * sizeof *l->levels);
        l->beneath[kept++] = l->beneath[i];
    }
    l->count = kept;
    while (size < 2 * kept)
        size *= 2;
    BT_TRY(bt_array_grow(&l->slots, &l->slots_room, size, sizeof *l->slots, error));
    memset(l->slots, 0, size * sizeof *l->slots);
    l->mask = size - 1;
    for (size_t i = 0; i < kept; i++) {
        size_t slot = hash_node(s, levels_of(s, l, i)) & l->mask;
        while (l->slots[slot] != 0)
            slot = (slot + 1) & l->mask;
        l->slots[slot] = (uint32_t)i + 1;
    }
    return BAUTA_OK;
}

static bool find_node(const sweep *s, const layer *l, const uint16_t *levels, size_t *out)
{
    size_t slot = hash_node(s, levels) & l->mask;
    for (; l->slots[slot] != 0; slot = (slot + 1) & l->mask) {
        *out = l->slots[slot] - 1;
        if (bt_is_same(s->lattice, levels_of(s, l, *out), levels)) return true;
    }
    return false;
}

/* Whether all nodes right above s->child are alive, and the greatest of their bounds. */
static bool all_above_alive(sweep *s, bt_wide *beneath)
{
    const bt_lattice *lattice = s->lattice;
    memcpy(s->parent, s->child, lattice->stride * sizeof *s->parent);
    for (size_t c = 0; c < lattice->columns; c++) {
        size_t place;
        if (s->child[c] == lattice->scales[c].highest) continue;
        s->parent[c]++;
        if (!find_node(s, &s->here, s->parent, &place)) return false;
        if (s->here.beneath[place] > *beneath) *beneath = s->here.beneath[place];
        s->parent[c]--;
    }
    return true;
}

/* The next layer. Each node is reached from the one above it in its last lowered column. */
static bauta_status descend(sweep *s, bauta_error *error)
{
    const bt_lattice *lattice = s->lattice;
    const uint16_t *floors = s->search->judge->floors;
    double deadline = s->search->budget.deadline;
    s->next.count = 0;
    for (size_t i = 0; i < s->here.count && !s->stopped; i++) {
        size_t last = lattice->columns;
        s->stopped = deadline > 0 && i % CHECKED_EVERY == 0 && bt_seconds() >= deadline;
        memcpy(s->child, levels_of(s, &s->here, i), lattice->stride * sizeof *s->child);
        while (last > 0 && s->child[last - 1] == lattice->scales[last - 1].highest)
            last--;
        for (size_t c = last > 0 ? last - 1 : 0; c < lattice->columns; c++) {
            bt_wide beneath = s->here.beneath[i];
            if (s->child[c] == floors[c]) continue;
            s->child[c]--;
            if (all_above_alive(s, &beneath))
                BT_TRY(add_node(s, &s->next, s->child, beneath, error));
            s->child[c]++;
        }
    }
    layer swap = s->here;
    s->here = s->next;
    s->next = swap;
    return BAUTA_OK;
}

static void free_layer(layer *l)
{
    free(l->levels);
    free(l->beneath);
    free(l->dead);
    free(l->slots);
}

/* ---- trying nodes ------------------------------------------------------------------------ */

/* Keeps what is found; true: it is the best node, or one of those that are wanted. */
static bauta_status note(sweep *s, const uint16_t *levels, const bt_trial *trial,
                         bauta_error *error)
{
    bool kept;
    if (trial->dead && s->collects) BT_TRY(bt_search_bury(s->search, levels, error));
    if (!trial->satisfies) return BAUTA_OK;
    BT_TRY(bt_search_keep(s->search, levels, trial, s->collects, &kept, error));
    if (kept && !s->collects) s->limit = trial->price.near + s->lattice->terms;
    return BAUTA_OK;
}

/* Tries the nodes that s->nodes points at, as far as the budget goes. */
static bauta_status try_nodes(sweep *s, size_t count, size_t *done, bauta_error *error)
{
    bt_search *search = s->search;
    int64_t left = search->budget.nodes - search->tried;
    size_t asked = (int64_t)count < left ? count : (size_t)left;
    for (size_t i = 0; i < asked; i++)
        s->trials[i].price.terms = s->terms + i * s->lattice->terms;
    BT_TRY(bt_run_progress(search->judge->count.run, 0, "searching", search->tried,
                           s->lattice->nodes, error));
    BT_TRY(bt_steps_try(search->steps, s->nodes, asked, s->limit, search->budget.deadline,
                        s->trials, done, error));
    search->tried += (int64_t)*done;
    s->stopped = *done < count;
    for (size_t i = 0; i < *done; i++)
        BT_TRY(note(s, s->nodes[i], &s->trials[i], error));
    return BAUTA_OK;
}

/* ---- straight down ----------------------------------------------------------------------- */

/* Whether a node satisfies since one below it does. */
static bool is_known(const sweep *s, const uint16_t *levels)
{
    for (size_t i = 0; i < s->known_count; i++)
        if (bt_is_above(s->lattice, levels, s->known + i * s->lattice->stride)) return true;
    return false;
}

/* The best of the nodes right below s->child that satisfy, in s->parent. */
static bauta_status best_below(sweep *s, bool *found, bauta_error *error)
{
    const bt_lattice *lattice = s->lattice;
    size_t stride = lattice->stride, done = BATCH;
    bt_price best = {.terms = s->terms + BATCH * lattice->terms};
    *found = false;
    for (size_t c = 0; c < lattice->columns && done == BATCH && !s->stopped;) {
        size_t count = 0;
        for (; c < lattice->columns && count < BATCH; c++) {
            if (s->child[c] == s->search->judge->floors[c]) continue;
            uint16_t *below = s->below + count * stride;
            memcpy(below, s->child, stride * sizeof *below);
            below[c]--;
            s->nodes[count++] = below;
        }
        if (count == 0) break;
        BT_TRY(bt_steps_prepare(s->search->steps, s->nodes, count, error));
        BT_TRY(try_nodes(s, count, &done, error));
        for (size_t i = 0; i < done; i++) {
            const bt_price *price = &s->trials[i].price;
            if (!s->trials[i].satisfies) continue;
            if (*found && bt_price_compare(lattice, price, &best, s->search->scratch) >= 0)
                continue;
            memcpy(best.terms, price->terms, lattice->terms * sizeof *best.terms);
            best.near = price->near;
            memcpy(s->parent, s->nodes[i], stride * sizeof *s->parent);
            *found = true;
        }
        if (done == count) done = BATCH;
    }
    return BAUTA_OK;
}

/* Goes down from a node as long as there is a better one right below. A large lattice is easier to
 * search when something good is known. */
static bauta_status dive(sweep *s, const uint16_t *from, bauta_error *error)
{
    const bt_lattice *lattice = s->lattice;
    size_t stride = lattice->stride;
    bool found = true, any = false;
    memcpy(s->child, from, stride * sizeof *from);
    while (found && !s->stopped) {
        bt_wide before = s->limit;
        BT_TRY(best_below(s, &found, error));
        found = found && (s->collects || s->limit < before);
        if (!found) break;
        any = true;
        memcpy(s->child, s->parent, stride * sizeof *s->child);
    }
    if (!any || !s->search->judge->final) return BAUTA_OK;
    BT_TRY(bt_array_grow(&s->known, &s->known_room, (s->known_count + 1) * stride, sizeof *s->known,
                         error));
    memcpy(s->known + s->known_count++ * stride, s->child, stride * sizeof *s->child);
    return BAUTA_OK;
}

/* ---- the sweep --------------------------------------------------------------------------- */

/* Points at the nodes of s->wanted from `first` on. */
static void point_at(sweep *s, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s->nodes[i] = levels_of(s, &s->here, s->wanted[first + i].place);
}

static bauta_status try_batch(sweep *s, size_t first, size_t count, bauta_error *error)
{
    size_t done;
    point_at(s, first, count);
    BT_TRY(try_nodes(s, count, &done, error));
    for (size_t i = 0; i < done; i++) {
        size_t place = s->wanted[first + i].place;
        const bt_trial *trial = &s->trials[i];
        if (trial->dead) s->here.dead[place] = true;
        if (trial->beneath > s->here.beneath[place]) s->here.beneath[place] = trial->beneath;
    }
    return BAUTA_OK;
}

static int compare_wanted(const void *a, const void *b)
{
    const wanted *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Lists the nodes of the layer that are to be tried, the most promising first. */
static bauta_status list_wanted(sweep *s, bauta_error *error)
{
    const bt_judge *judge = s->search->judge;
    s->wanted_count = 0;
    for (size_t i = 0; i < s->here.count; i++) {
        bt_wide bound = s->here.beneath[i] +
                        bt_near_at_least(s->lattice, levels_of(s, &s->here, i), judge->least);
        if (!s->collects && bound >= s->limit) continue;
        if (is_known(s, levels_of(s, &s->here, i))) continue;
        BT_TRY(bt_array_grow(&s->wanted, &s->wanted_room, s->wanted_count + 1, sizeof *s->wanted,
                             error));
        s->wanted[s->wanted_count++] = (wanted){bound, i};
    }
    if (!s->collects && s->wanted_count > 1)
        qsort(s->wanted, s->wanted_count, sizeof *s->wanted, compare_wanted);
    return BAUTA_OK;
}

static bool is_wanted(const sweep *s, size_t number)
{
    return number < s->wanted_count && (s->collects || s->wanted[number].bound < s->limit);
}

/* Lists what is to be tried; where that is much, some of it is found out by going straight down. */
static bauta_status plan_layer(sweep *s, bauta_error *error)
{
    BT_TRY(list_wanted(s, error));
    for (int i = 0; i < DIVES && s->search->judge->final && !s->stopped; i++) {
        if (s->wanted_count < MANY_WANTED) break;
        BT_TRY(dive(s, levels_of(s, &s->here, s->wanted[0].place), error));
        BT_TRY(list_wanted(s, error));
    }
    return BAUTA_OK;
}

static bauta_status try_layer(sweep *s, bauta_error *error)
{
    BT_TRY(plan_layer(s, error));
    for (size_t next = 0, ready = 0; is_wanted(s, next) && !s->stopped;) {
        size_t count = 0;
        for (; next == ready && count < AHEAD && is_wanted(s, next + count); count++)
            continue;
        if (count > 0) {
            point_at(s, next, count);
            BT_TRY(bt_steps_prepare(s->search->steps, s->nodes, count, error));
            ready = next + count;
        }
        for (count = 0; count < BATCH && next + count < ready && is_wanted(s, next + count);)
            count++;
        BT_TRY(try_batch(s, next, count, error));
        next += count;
    }
    return BAUTA_OK;
}

static bauta_status prepare(sweep *s, bauta_error *error)
{
    const bt_lattice *lattice = s->lattice;
    s->trials = bt_array_zero(BATCH, sizeof *s->trials);
    s->terms = bt_array((BATCH + 1) * lattice->terms, sizeof *s->terms);
    s->child = bt_array_zero(lattice->stride, sizeof *s->child);
    s->parent = bt_array_zero(lattice->stride, sizeof *s->parent);
    s->below = bt_array_zero(BATCH * lattice->stride, sizeof *s->below);
    s->search->scratch =
        bt_arena_array(&s->search->arena, 2 * lattice->terms, sizeof *s->search->scratch);
    bool made = s->trials && s->terms && s->child && s->parent && s->below && s->search->scratch;
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status run(sweep *s, bauta_error *error)
{
    const bt_lattice *lattice = s->lattice;
    BT_TRY(prepare(s, error));
    for (size_t c = 0; c < lattice->columns; c++)
        s->child[c] = (uint16_t)lattice->scales[c].highest;
    BT_TRY(add_node(s, &s->here, s->child, 0, error));
    for (bool first = true; s->here.count > 0 && !s->stopped; first = false) {
        BT_TRY(try_layer(s, error));
        if (first && lattice->nodes > LARGE_LATTICE && !s->stopped)
            BT_TRY(dive(s, levels_of(s, &s->here, 0), error));
        if (s->stopped) break;
        BT_TRY(bury(s, &s->here, error));
        BT_TRY(descend(s, error));
    }
    s->search->proven = !s->stopped && !s->cut;
    return s->collects ? bt_search_keep_minimal(s->search, error) : BAUTA_OK;
}

bauta_status bt_search_run(bt_search *search, bauta_error *error)
{
    sweep s = {.search = search,
               .lattice = search->judge->count.lattice,
               .collects = search->judge->allowed == 0,
               .limit = NO_LIMIT};
    bauta_status status = run(&s, error);
    free_layer(&s.here);
    free_layer(&s.next);
    free(s.known);
    free(s.below);
    free(s.wanted);
    free(s.trials);
    free(s.terms);
    free(s.child);
    free(s.parent);
    return status;
}
