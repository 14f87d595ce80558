/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging the groups that dividing left too small, as TopDown does (Xu et al. 2006).
 *
 * The smallest group that does not satisfy (equal: the first) is merged with the one where the loss
 * of all records of both grows least (equal: the first), until all satisfy. With merge=borrow a
 * group that lacks records takes them from that one instead, the nearest first, if it can spare
 * them and that costs less; only where nothing but the size matters.
 *
 * Groups are the leaves of a balanced tree in the order in which dividing left them, so that
 * neighbours are near. A node knows a box around its groups, the size of the smallest and the
 * greatest loss; from these follows what merging with any of them costs at least, and what cannot
 * be best is not looked at. Looking begins beside the group and ends after LOOKS_MOST nodes: with
 * few columns the result is that of looking at all groups; with many, whose boxes overlap more, it
 * is the best of a wide neighbourhood. So a merge costs at most that, and the logarithm of the
 * number of groups.
 */
#include "group/cluster.h"

#include "base/sort.h"

#include <string.h>

enum { LOOKS_MOST = 512 }; /* so many nodes are opened for a group */

typedef unsigned __int128 cost;

typedef struct member_list { /* codes of a set, ascending */
    uint32_t *codes;
    uint32_t count;
} member_list;

typedef struct group {
    uint32_t size; /* 0: it is in another one */
    uint32_t head, tail;
    uint64_t loss;     /* of the cells of one record */
    bt_box *extent;    /* per axis */
    member_list *sets; /* per set */
} group;

typedef struct waiting { /* a group that did not satisfy when it had this size */
    uint32_t size, number;
} waiting;

typedef struct merger {
    const bt_merge_job *job;
    const bt_cluster *cluster;
    const bt_cluster_space *space;
    group *groups;
    size_t leaves;      /* a power of two; node 1 is the root, group g is node leaves + g */
    bt_box *boxes;      /* axes for each node; of trees .lo is the node that covers */
    uint32_t *smallest; /* per node; 0: there is no group */
    uint64_t *greatest; /* per node: loss */
    waiting *heap;
    size_t heap_count, heap_capacity;
    bt_tally *tally; /* NULL: only sizes matter */
    bt_arena arena;  /* extents and lists */
    group single;    /* one record */
} merger;

/* ---- losses ------------------------------------------------------------------------------ */

static bool has_missing(const bt_cluster_axis *axis, const member_list *list)
{
    return list->count > 0 && list->codes[list->count - 1] >= axis->present;
}

/* How many codes two lists have, each once; `out` (or NULL) gets them. */
static uint32_t unite_lists(const member_list *a, const member_list *b, uint32_t *out)
{
    uint32_t i = 0, j = 0, count = 0;
    while (i < a->count || j < b->count) {
        bool first = j == b->count || (i < a->count && a->codes[i] <= b->codes[j]);
        bool both = i < a->count && j < b->count && a->codes[i] == b->codes[j];
        if (out) out[count] = first ? a->codes[i] : b->codes[j];
        count++;
        i += first;
        j += both || !first;
    }
    return count;
}

/* What a cell loses that holds both groups. */
static uint32_t loss_of_both(const bt_cluster_axis *axis, const group *a, const group *b, size_t c)
{
    bt_box x = a->extent[c], y = b->extent[c];
    switch (axis->kind) {
    case BT_AXIS_NUMBER:
        return bt_cluster_number_loss(
            axis, (bt_box){x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi});
    case BT_AXIS_TREE: return bt_cluster_node_loss(axis, bt_cluster_node_with(axis, x.lo, y.lo));
    default: {
        const member_list *m = &a->sets[axis->set], *n = &b->sets[axis->set];
        return bt_cluster_members_loss(axis, unite_lists(m, n, NULL),
                                       has_missing(axis, m) || has_missing(axis, n));
    }
    }
}

static uint64_t loss_together(const bt_cluster_space *space, const group *a, const group *b)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < space->axes; c++)
        loss += loss_of_both(&space->axis[c], a, b, c);
    return loss;
}

/* By how much the loss of all records grows when two groups become one. */
static cost merging_cost(const bt_cluster_space *space, const group *a, const group *b)
{
    uint64_t loss = loss_together(space, a, b);
    return (cost)a->size * (loss - a->loss) + (cost)b->size * (loss - b->loss);
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* What a cell loses at least that holds the group and any group of a node. */
static uint32_t loss_reaching(const merger *m, const group *g, size_t c, size_t node)
{
    const bt_cluster_axis *axis = &m->space->axis[c];
    bt_box own = g->extent[c], box = m->boxes[node * m->space->axes + c];
    if (axis->kind == BT_AXIS_NUMBER) {
        if (box.hi < own.lo) own.lo = box.hi;
        if (box.lo > own.hi) own.hi = box.lo;
        return bt_cluster_number_loss(axis, own);
    }
    if (axis->kind == BT_AXIS_SET) {
        const member_list *list = &g->sets[axis->set];
        return bt_cluster_members_loss(axis, list->count, has_missing(axis, list));
    }
    const bt_node *nodes = axis->column->hierarchy->nodes;
    bool apart = nodes[box.lo].hi <= nodes[own.lo].lo || nodes[box.lo].lo >= nodes[own.lo].hi;
    return bt_cluster_node_loss(axis, apart ? bt_cluster_node_with(axis, own.lo, box.lo) : own.lo);
}

/* What merging with any group of a node costs at least. */
static cost least_cost(const merger *m, const group *g, size_t node)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < m->space->axes; c++)
        loss += loss_reaching(m, g, c, node);
    cost least = (cost)g->size * (loss - g->loss);
    if (loss > m->greatest[node]) least += (cost)m->smallest[node] * (loss - m->greatest[node]);
    return least;
}

static void sum_up(merger *m, size_t node)
{
    size_t axes = m->space->axes, left = 2 * node, right = left + 1;
    bool first = m->smallest[left] > 0, second = m->smallest[right] > 0;
    if (!first || !second) {
        size_t only = first ? left : right;
        m->smallest[node] = m->smallest[only];
        m->greatest[node] = m->greatest[only];
        memcpy(m->boxes + node * axes, m->boxes + only * axes, axes * sizeof *m->boxes);
        return;
    }
    m->smallest[node] =
        m->smallest[left] < m->smallest[right] ? m->smallest[left] : m->smallest[right];
    m->greatest[node] =
        m->greatest[left] > m->greatest[right] ? m->greatest[left] : m->greatest[right];
    for (size_t c = 0; c < axes; c++) {
        bt_box x = m->boxes[left * axes + c], y = m->boxes[right * axes + c];
        const bt_cluster_axis *axis = &m->space->axis[c];
        m->boxes[node * axes + c] =
            axis->kind == BT_AXIS_TREE
                ? (bt_box){bt_cluster_node_with(axis, x.lo, y.lo), 0}
                : (bt_box){x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi};
    }
}

static void put_leaf(merger *m, uint32_t number)
{
    const group *g = &m->groups[number];
    size_t node = m->leaves + number;
    m->smallest[node] = g->size;
    m->greatest[node] = g->loss;
    memcpy(m->boxes + node * m->space->axes, g->extent, m->space->axes * sizeof *m->boxes);
}

static void update(merger *m, uint32_t number)
{
    put_leaf(m, number);
    for (size_t node = (m->leaves + number) / 2; node > 0; node /= 2)
        sum_up(m, node);
}

typedef struct choice {
    cost least;
    uint32_t number; /* UINT32_MAX: none yet */
} choice;

static size_t first_group_of(const merger *m, size_t node)
{
    while (node < m->leaves)
        node *= 2;
    return node - m->leaves;
}

static bool may_be_better(const merger *m, size_t node, cost least, const choice *best)
{
    if (best->number == UINT32_MAX || least < best->least) return true;
    return least == best->least && first_group_of(m, node) < best->number;
}

typedef struct branch {
    size_t node;
    cost least;
} branch;

/* What merging with a group of a node costs at least; with a leaf, what it costs. */
static cost look_at(const merger *m, const group *g, size_t node)
{
    return node < m->leaves ? least_cost(m, g, node)
                            : merging_cost(m->space, g, &m->groups[node - m->leaves]);
}

/* Puts the two halves of a node on the stack, the one that promises more on top. */
static void open_node(const merger *m, const group *g, size_t node, branch *stack, size_t *count)
{
    branch halves[2];
    size_t top = 0;
    for (size_t i = 0; i < 2; i++) {
        size_t half = 2 * node + i;
        halves[i] = (branch){m->smallest[half] == 0 ? 0 : half, 0};
        if (halves[i].node != 0) halves[i].least = look_at(m, g, half);
    }
    if (halves[0].node == 0 || (halves[1].node != 0 && halves[1].least < halves[0].least)) top = 1;
    if (halves[1 - top].node != 0) stack[(*count)++] = halves[1 - top];
    if (halves[top].node != 0) stack[(*count)++] = halves[top];
}

/* The group with which merging costs least; of several the first. UINT32_MAX: there is no other. */
static uint32_t find_nearest(const merger *m, uint32_t number)
{
    const group *g = &m->groups[number];
    branch stack[128];
    size_t count = 0;
    int looks = 0;
    choice best = {0, UINT32_MAX};
    /* The halves beside its own path, so that the nearest of them is on top. */
    for (size_t shift = 0; (m->leaves + number) >> shift > 1; shift++) {
        size_t beside = (m->leaves + number) >> shift ^ 1;
        if (m->smallest[beside] == 0) continue;
        for (size_t i = count++; i > 0; i--)
            stack[i] = stack[i - 1];
        stack[0] = (branch){beside, look_at(m, g, beside)};
    }
    while (count > 0) {
        branch at = stack[--count];
        if (!may_be_better(m, at.node, at.least, &best)) continue;
        if (at.node >= m->leaves)
            best = (choice){at.least, (uint32_t)(at.node - m->leaves)};
        else if (looks++ < LOOKS_MOST || best.number == UINT32_MAX)
            open_node(m, g, at.node, stack, &count);
    }
    return best.number;
}

/* ---- the waiting ------------------------------------------------------------------------- */

static bool comes_before(const waiting *a, const waiting *b)
{
    return a->size != b->size ? a->size < b->size : a->number < b->number;
}

static bauta_status push(merger *m, uint32_t number, bauta_error *error)
{
    BT_TRY(bt_array_grow(&m->heap, &m->heap_capacity, m->heap_count + 1, sizeof *m->heap, error));
    waiting item = {m->groups[number].size, number};
    size_t at = m->heap_count++;
    for (; at > 0 && comes_before(&item, &m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        m->heap[at] = m->heap[(at - 1) / 2];
    m->heap[at] = item;
    return BAUTA_OK;
}

static waiting pop(merger *m)
{
    waiting first = m->heap[0], item = m->heap[--m->heap_count];
    size_t at = 0;
    for (size_t child = 1; child < m->heap_count; at = child, child = 2 * child + 1) {
        if (child + 1 < m->heap_count && comes_before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!comes_before(&m->heap[child], &item)) break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = item;
    return first;
}

/* ---- groups ------------------------------------------------------------------------------ */

static const uint32_t *point_at(const merger *m, uint32_t place)
{
    return m->cluster->points + (size_t)place * m->space->axes;
}

static bauta_status satisfies(merger *m, const group *g, bool *out, bauta_error *error)
{
    *out = (int64_t)g->size >= m->cluster->least;
    if (!m->tally || !*out) return BAUTA_OK;
    bt_tally_clear(m->tally);
    for (uint32_t at = g->head; at != UINT32_MAX; at = m->job->next[at])
        BT_TRY(bt_tally_add_row(m->tally, m->cluster->rows[at], error));
    *out = bt_requirements_check(m->cluster->job->requirements, m->tally, NULL);
    return BAUTA_OK;
}

/* Lists the codes of a group on an axis that is a set. */
static bauta_status list_members(merger *m, const group *g, size_t c, member_list *out,
                                 bauta_error *error)
{
    uint32_t count = 0;
    out->codes = bt_arena_array(&m->arena, g->size, sizeof *out->codes);
    if (!out->codes) return bt_fail_memory(error);
    for (uint32_t at = g->head; at != UINT32_MAX; at = m->job->next[at])
        out->codes[count++] = point_at(m, at)[c];
    qsort(out->codes, count, sizeof *out->codes, bt_compare_uint32);
    out->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || out->codes[i] != out->codes[i - 1]) out->codes[out->count++] = out->codes[i];
    return BAUTA_OK;
}

/* Makes extent, lists and loss from the records of a group. */
static bauta_status measure(merger *m, group *g, bauta_error *error)
{
    bt_cluster_extent(m->space, point_at(m, g->head), g->extent);
    g->loss = 0;
    for (size_t c = 0; c < m->space->axes; c++) {
        const bt_cluster_axis *axis = &m->space->axis[c];
        bt_box *box = &g->extent[c];
        if (axis->kind == BT_AXIS_SET) {
            member_list *list = &g->sets[axis->set];
            BT_TRY(list_members(m, g, c, list, error));
            g->loss += bt_cluster_members_loss(axis, list->count, has_missing(axis, list));
            continue;
        }
        for (uint32_t at = g->head; at != UINT32_MAX; at = m->job->next[at]) {
            uint32_t place = point_at(m, at)[c];
            if (axis->kind == BT_AXIS_TREE) {
                box->lo = bt_cluster_node_over(axis, box->lo, place);
            } else {
                if (place < box->lo) box->lo = place;
                if (place > box->hi) box->hi = place;
            }
        }
        g->loss += axis->kind == BT_AXIS_TREE ? bt_cluster_node_loss(axis, box->lo)
                                              : bt_cluster_number_loss(axis, *box);
    }
    return BAUTA_OK;
}

/* ---- merging ----------------------------------------------------------------------------- */

static bauta_status widen(merger *m, group *to, const group *from, bauta_error *error)
{
    uint64_t loss = loss_together(m->space, to, from);
    for (size_t c = 0; c < m->space->axes; c++) {
        const bt_cluster_axis *axis = &m->space->axis[c];
        bt_box *x = &to->extent[c], y = from->extent[c];
        if (axis->kind == BT_AXIS_TREE) {
            x->lo = bt_cluster_node_with(axis, x->lo, y.lo);
        } else if (axis->kind == BT_AXIS_NUMBER) {
            if (y.lo < x->lo) x->lo = y.lo;
            if (y.hi > x->hi) x->hi = y.hi;
        } else {
            member_list *a = &to->sets[axis->set];
            const member_list *b = &from->sets[axis->set];
            uint32_t *codes = bt_arena_array(&m->arena, (size_t)a->count + b->count, sizeof *codes);
            if (!codes) return bt_fail_memory(error);
            a->count = unite_lists(a, b, codes);
            a->codes = codes;
        }
    }
    to->loss = loss;
    return BAUTA_OK;
}

static bauta_status merge_into(merger *m, uint32_t number, uint32_t other, bauta_error *error)
{
    group *from = &m->groups[number], *to = &m->groups[other];
    bool done;
    BT_TRY(widen(m, to, from, error));
    m->job->next[to->tail] = from->head;
    to->tail = from->tail;
    to->size += from->size;
    from->size = 0;
    update(m, number);
    update(m, other);
    BT_TRY(satisfies(m, to, &done, error));
    return done ? BAUTA_OK : push(m, other, error);
}

/* ---- borrowing --------------------------------------------------------------------------- */

/* A record as a group of its own, in m->single. */
static void make_single(merger *m, uint32_t place)
{
    const uint32_t *point = point_at(m, place);
    group *g = &m->single;
    g->size = 1;
    g->head = g->tail = place;
    bt_cluster_extent(m->space, point, g->extent);
    for (size_t c = 0; c < m->space->axes; c++) {
        const bt_cluster_axis *axis = &m->space->axis[c];
        if (axis->kind != BT_AXIS_SET) continue;
        g->sets[axis->set].codes[0] = point[c];
        g->sets[axis->set].count = 1;
    }
}

/* The record of `from` with which the cells of `to` lose least, and the place before it. */
static uint32_t nearest_record(merger *m, const group *to, const group *from, uint32_t *before)
{
    uint32_t best = UINT32_MAX, last = UINT32_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t at = from->head; at != UINT32_MAX; last = at, at = m->job->next[at]) {
        make_single(m, at);
        uint64_t loss = loss_together(m->space, to, &m->single);
        if (loss >= least) continue;
        least = loss;
        best = at;
        *before = last;
    }
    return best;
}

static bauta_status move_nearest(merger *m, group *to, group *from, bauta_error *error)
{
    uint32_t before = UINT32_MAX, *next = m->job->next;
    uint32_t place = nearest_record(m, to, from, &before);
    if (before == UINT32_MAX)
        from->head = next[place];
    else
        next[before] = next[place];
    if (from->tail == place) from->tail = before;
    next[place] = UINT32_MAX;
    next[to->tail] = place;
    to->tail = place;
    to->size++;
    from->size--;
    make_single(m, place);
    return widen(m, to, &m->single, error);
}

/* Takes from the other group what this one lacks. Where that costs more than merging the two, and
 * would be done in vain, they are merged. */
static bauta_status borrow_from(merger *m, uint32_t number, uint32_t other, bauta_error *error)
{
    group *to = &m->groups[number], *from = &m->groups[other];
    cost before = (cost)to->size * to->loss + (cost)from->size * from->loss;
    cost merged = merging_cost(m->space, to, from);
    while ((int64_t)to->size < m->cluster->least)
        BT_TRY(move_nearest(m, to, from, error));
    BT_TRY(measure(m, from, error));
    cost after = (cost)to->size * to->loss + (cost)from->size * from->loss;
    update(m, number);
    update(m, other);
    return after < before + merged ? BAUTA_OK : merge_into(m, number, other, error);
}

/* ---- all of it --------------------------------------------------------------------------- */

static bauta_status begin_group(merger *m, uint32_t number, bauta_error *error)
{
    group *g = &m->groups[number];
    uint32_t start = m->job->starts[number], end = m->job->starts[number + 1];
    *g = (group){.size = end - start, .head = start, .tail = end - 1};
    for (uint32_t i = start; i < end; i++)
        m->job->next[i] = i + 1 < end ? i + 1 : UINT32_MAX;
    g->extent = bt_arena_array(&m->arena, m->space->axes, sizeof *g->extent);
    g->sets = bt_arena_array(&m->arena, m->space->sets, sizeof *g->sets);
    if (!g->extent || !g->sets) return bt_fail_memory(error);
    BT_TRY(measure(m, g, error));
    put_leaf(m, number);
    bool done;
    BT_TRY(satisfies(m, g, &done, error));
    return done ? BAUTA_OK : push(m, number, error);
}

static bauta_status prepare(merger *m, bauta_error *error)
{
    size_t axes = m->space->axes;
    for (m->leaves = 1; m->leaves < m->job->count;)
        m->leaves *= 2;
    m->groups = bt_array_zero(m->job->count, sizeof *m->groups);
    m->boxes = bt_array(2 * m->leaves * axes, sizeof *m->boxes);
    m->smallest = bt_array_zero(2 * m->leaves, sizeof *m->smallest);
    m->greatest = bt_array_zero(2 * m->leaves, sizeof *m->greatest);
    m->single.extent = bt_arena_array(&m->arena, axes, sizeof *m->single.extent);
    m->single.sets = bt_arena_array(&m->arena, m->space->sets, sizeof *m->single.sets);
    if (!m->groups || !m->boxes || !m->smallest || !m->greatest || !m->single.extent ||
        !m->single.sets)
        return bt_fail_memory(error);
    for (size_t i = 0; i < m->space->sets; i++) {
        m->single.sets[i].codes = bt_arena_array(&m->arena, 1, sizeof(uint32_t));
        if (!m->single.sets[i].codes) return bt_fail_memory(error);
    }
    if (!m->cluster->size_only)
        BT_TRY(bt_tally_new(m->cluster->job->requirements->people, &m->tally, error));
    for (uint32_t i = 0; i < m->job->count; i++)
        BT_TRY(begin_group(m, i, error));
    for (size_t node = m->leaves - 1; node > 0; node--)
        sum_up(m, node);
    return BAUTA_OK;
}

static bauta_status merge_all(merger *m, bauta_error *error)
{
    while (m->heap_count > 0) {
        waiting item = pop(m);
        const group *g = &m->groups[item.number];
        if (g->size != item.size) continue; /* it was merged since */
        uint32_t other = find_nearest(m, item.number);
        if (other == UINT32_MAX)
            return bt_fail(error, BAUTA_INTERNAL, "a part does not satisfy the requirements");
        int64_t both = (int64_t)g->size + m->groups[other].size;
        bool spare = m->job->borrow && m->cluster->size_only && both >= 2 * m->cluster->least;
        BT_TRY((spare ? borrow_from : merge_into)(m, item.number, other, error));
    }
    return BAUTA_OK;
}

bauta_status bt_cluster_merge(const bt_merge_job *job, bauta_error *error)
{
    merger m = {.job = job, .cluster = job->cluster, .space = &job->cluster->space};
    bauta_status status = prepare(&m, error);
    if (status == BAUTA_OK) status = merge_all(&m, error);
    for (uint32_t i = 0; status == BAUTA_OK && i < job->count; i++)
        job->heads[i] = m.groups[i].size > 0 ? m.groups[i].head : UINT32_MAX;
    free(m.groups);
    free(m.boxes);
    free(m.smallest);
    free(m.greatest);
    free(m.heap);
    bt_tally_free(m.tally);
    bt_arena_release(&m.arena);
    return status;
}
