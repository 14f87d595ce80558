/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding: releasing classes.
 *
 * Of all groups that satisfy at any node the one whose records lose least goes first. Nodes wait in
 * a queue by the least price of a group that they may have; a node is counted when its turn comes,
 * releases what costs no more than that, and queues again with the next price. A node without a
 * group that satisfies is done with, since groups only lose records. At first nodes wait with what
 * they cost all records on average; they come into the queue when one below them is taken out.
 *
 * A group that fails may borrow records (incognito_borrow.c). Its price is then what all its
 * records lose more than before, for each one that was left; at least it must have two fifths of
 * the records that it needs.
 *
 * Several nodes at the head of the queue are looked at in parallel, whether they have anything to
 * release; what is released comes strictly in the order of prices. A node that had nothing has
 * nothing later either, or next to nothing, as more records can be lent. So the result does not
 * depend on the number of threads.
 *
 * Cost: nodes times units that are left when their turn comes.
 */
#include "base/bitset.h"
#include "group/incognito.h"

enum { BATCH = 16, FEW_UNITS = 1024 }; /* units looked at together; alone when so few are left */
enum { BORROW_TOP = 2, BORROW_BOTTOM = 5 }; /* share of what is needed that a group must have */
enum { AGAIN = 64 };                        /* a node waits until prices are a share higher */
enum {
    CREDIT = 1 << 18,
    VALUES_ASKED = 16
};                              /* questions to the lender; so many for one on values */
enum { VISITS_MOST = 1 << 21 }; /* of a lattice that has no end in sight */

typedef enum turn_state {
    TURN_FRESH,  /* not looked at, and the nodes above it are not in the queue */
    TURN_UNSEEN, /* not looked at for this price */
    TURN_EMPTY,  /* nothing to release for this price */
    TURN_HIT,    /* something */
} turn_state;

typedef struct turn {
    uint64_t price;
    uint64_t next; /* TURN_EMPTY: the price of what may be released later; UINT64_MAX: nothing */
    uint32_t node;
    uint32_t asked; /* the lender, so often */
    turn_state state;
} turn;

typedef struct worker {
    bt_roller roller;
    bt_counts counts;
    bt_juror juror;
    uint64_t *lent; /* room for the lender */
} worker;

typedef struct release {
    bt_local *local;
    const bt_lattice *lattice;
    const bt_judge *judge;
    bt_lender *lender;
    int64_t credit; /* how often the lender may still be asked */
    turn *queue;
    size_t queued, queue_room;
    uint16_t *nodes; /* levels of all nodes that were queued */
    size_t node_count, nodes_room;
    bt_counts left;     /* units that are in no class */
    uint32_t *left_of;  /* numbers of the units that are left */
    bool *keep;         /* scratch, per unit that is left */
    uint32_t *group_at; /* scratch: units by group */
    size_t group_room;
    worker *workers;
    unsigned worker_count;
    turn ahead[BATCH];
} release;

/* ---- the queue --------------------------------------------------------------------------- */

static bool comes_first(const turn *a, const turn *b)
{
    if (a->price != b->price) return a->price < b->price;
    return a->node < b->node;
}

static bauta_status enqueue(release *r, turn t, bauta_error *error)
{
    BT_TRY(bt_array_grow(&r->queue, &r->queue_room, r->queued + 1, sizeof *r->queue, error));
    size_t at = r->queued++;
    for (; at > 0 && comes_first(&t, &r->queue[(at - 1) / 2]); at = (at - 1) / 2)
        r->queue[at] = r->queue[(at - 1) / 2];
    r->queue[at] = t;
    return BAUTA_OK;
}

static turn dequeue(release *r)
{
    turn first = r->queue[0], last = r->queue[--r->queued];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < r->queued; at = child) {
        if (child + 1 < r->queued && comes_first(&r->queue[child + 1], &r->queue[child])) child++;
        if (comes_first(&last, &r->queue[child])) break;
        r->queue[at] = r->queue[child];
    }
    r->queue[at] = last;
    return first;
}

static uint16_t *levels_of(const release *r, uint32_t node)
{
    return r->nodes + (size_t)node * r->lattice->stride;
}

/* Queues a node for the first time: the one right above another in a column, or itself. */
static bauta_status queue_node(release *r, uint32_t from, size_t column, bauta_error *error)
{
    size_t stride = r->lattice->stride;
    uint64_t mean = 0;
    BT_TRY(bt_array_grow(&r->nodes, &r->nodes_room, (r->node_count + 1) * stride, sizeof *r->nodes,
                         error));
    uint16_t *levels = levels_of(r, (uint32_t)r->node_count);
    memmove(levels, levels_of(r, from), stride * sizeof *levels);
    if (column < r->lattice->columns) levels[column]++;
    for (size_t c = 0; c < r->lattice->columns; c++)
        mean += r->local->mean[c][levels[c] - r->lattice->scales[c].lowest];
    return enqueue(r, (turn){.price = mean, .node = (uint32_t)r->node_count++}, error);
}

/* Queues the nodes right above one. Each is reached from the one below it in its last column. */
static bauta_status queue_above(release *r, uint32_t node, bauta_error *error)
{
    const bt_lattice *lattice = r->lattice;
    size_t last = lattice->columns;
    while (last > 0 && levels_of(r, node)[last - 1] == lattice->scales[last - 1].lowest)
        last--;
    for (size_t c = last > 0 ? last - 1 : 0; c < lattice->columns; c++)
        if (levels_of(r, node)[c] < lattice->scales[c].highest)
            BT_TRY(queue_node(r, node, c, error));
    return BAUTA_OK;
}

/* ---- looking at a node ------------------------------------------------------------------- */

typedef struct offer { /* a group that may be released */
    bool good;         /* as it is; else it must borrow */
    uint64_t loss, price;
} offer;

/* Whether a group is worth looking at: it satisfies, or is too small and may borrow. */
static bauta_status judge_group(const release *r, const bt_counts *counts, uint32_t group,
                                const uint16_t *levels, bt_juror *juror, offer *out,
                                bool *counts_for, bauta_error *error)
{
    int64_t size = (int64_t)counts->sizes[group], least = r->judge->least;
    *out = (offer){0};
    if (size >= least)
        BT_TRY(bt_try_together(r->judge, counts, &group, 1, juror, &out->good, error));
    *counts_for =
        out->good || (r->credit > 0 && size < least && size * BORROW_BOTTOM >= least * BORROW_TOP);
    if (!*counts_for) return BAUTA_OK;
    const uint64_t *key = counts->keys + group * r->lattice->words;
    out->price = out->loss = bt_local_loss(r->local, key, levels);
    if (!out->good) out->price = out->loss * (uint64_t)least / (uint64_t)size;
    /* What costs more than to be dropped had better join another class, or be dropped. */
    *counts_for = out->price <= r->local->full;
    return BAUTA_OK;
}

static bauta_status look(void *user, size_t task, unsigned number, bauta_error *error)
{
    release *r = user;
    turn *t = &r->ahead[task];
    worker *w = &r->workers[number];
    const uint16_t *levels = levels_of(r, t->node);
    uint32_t least = (uint32_t)r->judge->least;
    if (t->state != TURN_UNSEEN) return BAUTA_OK;
    t->state = TURN_EMPTY;
    t->next = UINT64_MAX;
    t->asked = 0;
    BT_TRY(bt_counts_roll(&r->judge->count, &r->left, levels, &w->roller, &w->counts, error));
    for (uint32_t g = 0; g < w->counts.groups && t->state != TURN_HIT; g++) {
        const uint64_t *key = w->counts.keys + g * r->lattice->words;
        offer o;
        bool counts_for;
        BT_TRY(judge_group(r, &w->counts, g, levels, &w->juror, &o, &counts_for, error));
        if (!counts_for) continue;
        if (o.price > t->price) {
            if (o.price < t->next) t->next = o.price;
        } else {
            uint32_t needed = least - (uint32_t)w->counts.sizes[g];
            t->asked += !o.good;
            if (o.good || bt_lender_has(r->lender, key, levels, needed, w->lent))
                t->state = TURN_HIT;
        }
    }
    return BAUTA_OK;
}

/* ---- releasing --------------------------------------------------------------------------- */

/* Puts the units that are left into r->group_at, by group; starts are in the counts of worker 0. */
static bauta_status sort_units(release *r, uint32_t **starts, bauta_error *error)
{
    const worker *w = &r->workers[0];
    uint32_t groups = w->counts.groups;
    BT_TRY(bt_array_grow(&r->group_at, &r->group_room, (size_t)r->left.groups + groups + 2,
                         sizeof *r->group_at, error));
    uint32_t *start = r->group_at + r->left.groups;
    memset(start, 0, ((size_t)groups + 2) * sizeof *start);
    for (uint32_t i = 0; i < r->left.groups; i++)
        start[w->roller.target[i] + 2]++;
    for (uint32_t g = 0; g < groups; g++)
        start[g + 2] += start[g + 1];
    for (uint32_t i = 0; i < r->left.groups; i++)
        r->group_at[start[w->roller.target[i] + 1]++] = i;
    *starts = start;
    return BAUTA_OK;
}

/* Makes a class of units (places among those that are left) if it can be had for the price. */
static bauta_status release_group(release *r, const uint32_t *places, uint32_t count, const turn *t,
                                  const offer *o, bool *done, bauta_error *error)
{
    bt_local *local = r->local;
    const uint16_t *levels = levels_of(r, t->node);
    *done = o->good;
    for (uint32_t i = 0; i < count; i++)
        local->list[i] = r->left_of[places[i]];
    if (o->good) {
        uint32_t made;
        BT_TRY(bt_local_add(local, levels, o->loss, &made, error));
        for (uint32_t i = 0; i < count; i++)
            bt_local_put(local, made, local->list[i]);
        if (r->lender) bt_lender_update(r->lender, made);
    } else {
        r->credit -= r->judge->count.counted == BT_COUNT_SIZES ? 1 : VALUES_ASKED;
        BT_TRY(bt_borrow(local, r->lender, count, levels, o->loss, t->price, done, error));
    }
    for (uint32_t i = 0; *done && i < count; i++)
        r->keep[places[i]] = false;
    return BAUTA_OK;
}

/* Releases what a node has for its price, and finds its next one. */
static bauta_status release_node(release *r, turn *t, bauta_error *error)
{
    worker *w = &r->workers[0];
    const uint16_t *levels = levels_of(r, t->node);
    uint32_t *starts;
    bool any = false;
    BT_TRY(bt_counts_roll(&r->judge->count, &r->left, levels, &w->roller, &w->counts, error));
    BT_TRY(sort_units(r, &starts, error));
    memset(r->keep, true, r->left.groups * sizeof *r->keep);
    t->next = UINT64_MAX;
    for (uint32_t g = 0; g < w->counts.groups; g++) {
        offer o;
        bool counts_for, done = false;
        BT_TRY(judge_group(r, &w->counts, g, levels, &w->juror, &o, &counts_for, error));
        if (!counts_for) continue;
        if (o.price > t->price) {
            if (o.price < t->next) t->next = o.price;
            continue;
        }
        BT_TRY(release_group(r, r->group_at + starts[g], starts[g + 1] - starts[g], t, &o, &done,
                             error));
        any = any || done;
    }
    if (any) bt_counts_keep(&r->judge->count, &r->left, r->keep, r->left_of);
    return BAUTA_OK;
}

/* Looks at the first nodes of the queue, which go back to it. */
static bauta_status look_ahead(release *r, bauta_error *error)
{
    size_t count = 0;
    while (count < BATCH && r->queued > 0)
        r->ahead[count++] = dequeue(r);
    for (size_t i = 0; i < count; i++) {
        if (r->ahead[i].state != TURN_FRESH) continue;
        BT_TRY(queue_above(r, r->ahead[i].node, error));
        r->ahead[i].state = TURN_UNSEEN;
    }
    if (r->left.groups < FEW_UNITS)
        for (size_t i = 0; i < count; i++)
            BT_TRY(look(r, i, 0, error));
    else
        BT_TRY(bt_pool_run(r->judge->count.run->pool, count, look, r, error));
    for (size_t i = 0; i < count; i++) {
        r->credit -= r->ahead[i].asked;
        r->ahead[i].asked = 0;
        BT_TRY(enqueue(r, r->ahead[i], error));
    }
    return BAUTA_OK;
}

static bauta_status serve(release *r, bauta_error *error)
{
    if (r->queue[0].state == TURN_FRESH || r->queue[0].state == TURN_UNSEEN)
        BT_TRY(look_ahead(r, error));
    turn first = dequeue(r);
    /* What was put into the queue meanwhile may come first. */
    if (first.state == TURN_FRESH || first.state == TURN_UNSEEN) return enqueue(r, first, error);
    r->local->visited++;
    if (first.state == TURN_HIT) BT_TRY(release_node(r, &first, error));
    if (first.next == UINT64_MAX) return BAUTA_OK;
    first.price += first.price / AGAIN;
    if (first.price < first.next) first.price = first.next;
    first.state = TURN_UNSEEN;
    return enqueue(r, first, error);
}

/* Whether what is left can be released at all. */
static bool is_worth_it(const release *r)
{
    int64_t records = 0;
    for (uint32_t i = 0; i < r->left.groups && records < r->judge->least; i++)
        records += r->left.sizes[i];
    return records >= r->judge->least ||
           (r->credit > 0 && records * BORROW_BOTTOM >= r->judge->least * BORROW_TOP);
}

static bauta_status run(release *r, const bt_budget *budget, bauta_error *error)
{
    bt_local *local = r->local;
    int64_t most = budget->nodes < VISITS_MOST ? budget->nodes : VISITS_MOST;
    BT_TRY(
        bt_array_grow(&r->nodes, &r->nodes_room, 2 * r->lattice->stride, sizeof *r->nodes, error));
    memcpy(r->nodes, local->units.levels, r->lattice->stride * sizeof *r->nodes);
    BT_TRY(queue_node(r, 0, SIZE_MAX, error));
    while (r->queued > 0 && r->left.groups > 0 && is_worth_it(r)) {
        BT_TRY(bt_run_progress(r->judge->count.run, 0, "grouping",
                               (int64_t)(local->units.groups - r->left.groups), local->units.groups,
                               error));
        local->stopped =
            local->visited >= most || (budget->deadline > 0 && bt_seconds() >= budget->deadline);
        if (local->stopped) return BAUTA_OK;
        BT_TRY(serve(r, error));
    }
    return BAUTA_OK;
}

static bauta_status prepare(release *r, bauta_error *error)
{
    const bt_local *local = r->local;
    uint32_t units = local->units.groups;
    r->worker_count = bt_pool_size(r->judge->count.run->pool);
    r->workers = bt_array_zero(r->worker_count, sizeof *r->workers);
    r->left_of = bt_array(units, sizeof *r->left_of);
    r->keep = bt_array(units, sizeof *r->keep);
    if (!r->workers || !r->left_of || !r->keep) return bt_fail_memory(error);
    for (uint32_t i = 0; i < units; i++)
        r->left_of[i] = i;
    for (unsigned i = 0; i < r->worker_count; i++) {
        BT_TRY(bt_juror_make(r->judge, &r->workers[i].juror, error));
        r->workers[i].lent = bt_array(bt_bitset_words(units), sizeof(uint64_t));
        if (!r->workers[i].lent) return bt_fail_memory(error);
    }
    /* A small group is hardly ever like the whole table; to try would take long. */
    if (!r->judge->relative) BT_TRY(bt_lender_new(local, &r->lender, error));
    r->credit = r->lender ? CREDIT : 0;
    return bt_counts_copy(&r->judge->count, &local->units, &r->left, error);
}

bauta_status bt_local_release(bt_local *local, const bt_budget *budget, bauta_error *error)
{
    release r = {.local = local, .lattice = local->lattice, .judge = local->judge};
    bauta_status status = prepare(&r, error);
    if (status == BAUTA_OK) status = run(&r, budget, error);
    for (unsigned i = 0; r.workers && i < r.worker_count; i++) {
        bt_roller_release(&r.workers[i].roller);
        bt_counts_release(&r.workers[i].counts);
        bt_juror_release(&r.workers[i].juror);
        free(r.workers[i].lent);
    }
    bt_lender_free(r.lender);
    bt_counts_release(&r.left);
    free(r.workers);
    free(r.queue);
    free(r.nodes);
    free(r.left_of);
    free(r.keep);
    free(r.group_at);
    return status;
}
