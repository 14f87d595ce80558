/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting many nodes, each from the fewest groups that it can be rolled up from.
 *
 * Nodes are searched from the top down, so what was counted before lies above what is counted
 * next, and is of no use to it. What helps are steps: nodes below those that are asked for, as low
 * as they can be without having too many groups, so that they serve many. A step is counted from
 * the records, or from a step below it; few records are counted at the lowest node at once. Steps
 * are kept as long as there is room, since the next nodes need most of them again.
 *
 * How many groups a node has is not known before it is counted; at most, it is the product of the
 * numbers of nodes in its columns. Nothing but time depends on any of this.
 */
#include "group/incognito.h"

enum {
    FEW_RECORDS = 1 << 17, /* are counted at the lowest node at once */
    /* Groups that a step from the records may seem to have: one for so many of these, at most and
     * at least, and between as many as make counting easy. After so many steps there are more. */
    STEP_SHARE = 4,
    STEP_SHARE_LEAST = 64,
    STEP_GROUPS = 1 << 18,
    STEPS_FIRST = 40,
    /* A source with so few groups, or not so many times as many as the node, needs no step
     * between; else there is one with so many times fewer than the source, and so on. */
    FEW_GROUPS = 1024,
    MANY_TIMES = 16,
    LESS = 8,
    STAGES = 4,
    /* Steps that are kept: bytes, or bytes for each record. */
    KEPT_BYTES = 8 << 20,
    KEPT_SHARE = 4,
};

typedef struct step {
    bt_counts counts;
    uint64_t used; /* in which batch last */
} step;

struct bt_steps {
    const bt_judge *judge;
    const bt_lattice *lattice;
    step **kept;
    size_t count, room, bytes;
    uint64_t share;        /* groups that a step from the records may seem to have */
    unsigned from_records; /* steps that were */
    uint64_t batch;
    unsigned workers;
    bt_roller *rollers;
    bt_juror *jurors;
    bt_counts *scratch; /* per worker */
    uint16_t *wanted;   /* levels of steps to be made */
    size_t wanted_count, wanted_room;
    const bt_counts **sources; /* of what is rolled up in a batch */
    size_t sources_room;
};

/* ---- making and dropping them ------------------------------------------------------------ */

/* How many groups a step from the records may seem to have at first. */
static uint64_t share_of_groups(const bt_judge *judge)
{
    uint64_t rows = (uint64_t)judge->count.lattice->rows, most = STEP_GROUPS;
    if (rows < FEW_RECORDS) return UINT64_MAX;
    if (judge->count.counted == BT_COUNT_PROFILES)
        most = BT_CELLS_MOST / judge->count.people->profiles;
    if (most < rows / STEP_SHARE_LEAST) most = rows / STEP_SHARE_LEAST;
    return most < rows / STEP_SHARE ? most : rows / STEP_SHARE;
}

bauta_status bt_steps_new(const bt_judge *judge, bt_steps **out, bauta_error *error)
{
    bt_steps *s = *out = bt_array_zero(1, sizeof *s);
    if (!s) return bt_fail_memory(error);
    s->judge = judge;
    s->lattice = judge->count.lattice;
    s->workers = bt_pool_size(judge->count.run->pool);
    s->share = share_of_groups(judge);
    s->rollers = bt_array_zero(s->workers, sizeof *s->rollers);
    s->jurors = bt_array_zero(s->workers, sizeof *s->jurors);
    s->scratch = bt_array_zero(s->workers, sizeof *s->scratch);
    bauta_status status = s->rollers && s->jurors && s->scratch ? BAUTA_OK : bt_fail_memory(error);
    for (unsigned i = 0; i < s->workers && status == BAUTA_OK; i++)
        status = bt_juror_make(judge, &s->jurors[i], error);
    if (status == BAUTA_OK) return BAUTA_OK;
    bt_steps_free(s);
    *out = NULL;
    return status;
}

static void free_step(step *one)
{
    bt_counts_release(&one->counts);
    free(one);
}

void bt_steps_free(bt_steps *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        free_step(s->kept[i]);
    for (unsigned i = 0; i < s->workers; i++) {
        if (s->rollers) bt_roller_release(&s->rollers[i]);
        if (s->jurors) bt_juror_release(&s->jurors[i]);
        if (s->scratch) bt_counts_release(&s->scratch[i]);
    }
    free(s->kept);
    free(s->rollers);
    free(s->jurors);
    free(s->scratch);
    free(s->wanted);
    free(s->sources);
    free(s);
}

/* Forgets steps that this batch does not need when there are too many. */
static void forget(bt_steps *s)
{
    size_t most = KEPT_SHARE * (size_t)s->lattice->rows, kept = 0;
    if (most < KEPT_BYTES) most = KEPT_BYTES;
    for (size_t i = 0; i < s->count; i++) {
        step *one = s->kept[i];
        if (s->bytes <= most || one->used == s->batch) {
            s->kept[kept++] = one;
            continue;
        }
        s->bytes -= bt_counts_bytes(&one->counts);
        free_step(one);
    }
    s->count = kept;
}

/* The fewest groups that a node can be rolled up from; NULL: there are none. */
static const bt_counts *source_of(bt_steps *s, const uint16_t *levels)
{
    step *best = NULL;
    for (size_t i = 0; i < s->count; i++) {
        step *one = s->kept[i];
        if (best && one->counts.groups >= best->counts.groups) continue;
        if (bt_is_above(s->lattice, levels, one->counts.levels)) best = one;
    }
    if (!best) return NULL;
    best->used = s->batch;
    return &best->counts;
}

/* ---- choosing steps ---------------------------------------------------------------------- */

static uint64_t nodes_at(const bt_lattice *lattice, size_t column, uint32_t level)
{
    return bt_rung_at(&lattice->scales[column], level)->nodes;
}

/* How many groups a node has at most; saturates. */
static uint64_t product_at(const bt_lattice *lattice, const uint16_t *levels)
{
    uint64_t product = 1;
    for (size_t c = 0; c < lattice->columns; c++)
        if (__builtin_mul_overflow(product, nodes_at(lattice, c, levels[c]), &product))
            return UINT64_MAX;
    return product;
}

/* The column that can be lowered at the least price in groups, while there are at most `most`. */
static bool next_to_lower(const bt_lattice *lattice, const uint16_t *bottom, const uint16_t *levels,
                          uint64_t groups, uint64_t most, size_t *column)
{
    uint64_t best_more = 0, best_now = 0;
    for (size_t c = 0; c < lattice->columns; c++) {
        if (levels[c] == bottom[c]) continue;
        uint64_t now = nodes_at(lattice, c, levels[c]);
        uint64_t more = nodes_at(lattice, c, levels[c] - 1u);
        if ((bt_wide)groups * more > (bt_wide)most * now) continue;
        if (best_now > 0 && (bt_wide)more * best_now >= (bt_wide)best_more * now) continue;
        best_more = more;
        best_now = now;
        *column = c;
    }
    return best_now > 0;
}

/* Lowers a node, not below `bottom`, as long as it has at most so many groups. */
static void lower(const bt_lattice *lattice, const uint16_t *bottom, uint16_t *levels,
                  uint64_t most)
{
    size_t c;
    if (most == UINT64_MAX) {
        memcpy(levels, bottom, lattice->stride * sizeof *levels);
        return;
    }
    while (next_to_lower(lattice, bottom, levels, product_at(lattice, levels), most, &c))
        levels[c]--;
}

static bauta_status want_more(bt_steps *s, size_t more, bauta_error *error)
{
    return bt_array_grow(&s->wanted, &s->wanted_room, (s->wanted_count + more) * s->lattice->stride,
                         sizeof *s->wanted, error);
}

/* The step that serves whatever `a` and `b` do. */
static void meet(const bt_lattice *lattice, const uint16_t *a, const uint16_t *b, uint16_t *out)
{
    for (size_t c = 0; c < lattice->stride; c++)
        out[c] = a[c] < b[c] ? a[c] : b[c];
}

/* Plans a step from the records for a node: the planned one that becomes least by serving it
 * too, or a new one. */
static bauta_status plan(bt_steps *s, const uint16_t *node, bauta_error *error)
{
    size_t stride = s->lattice->stride, best = s->wanted_count;
    uint64_t least = s->share;
    BT_TRY(want_more(s, 2, error));
    uint16_t *met = s->wanted + (s->wanted_count + 1) * stride;
    for (size_t i = 0; i < s->wanted_count; i++) {
        meet(s->lattice, s->wanted + i * stride, node, met);
        uint64_t product = product_at(s->lattice, met);
        if (product > least) continue;
        least = product;
        best = i;
    }
    uint16_t *chosen = s->wanted + best * stride;
    if (best < s->wanted_count)
        meet(s->lattice, chosen, node, chosen);
    else
        memcpy(chosen, node, stride * sizeof *node);
    s->wanted_count += best == s->wanted_count;
    return BAUTA_OK;
}

/* Plans a step between a node and its source, unless one is planned that serves it. */
static bauta_status plan_between(bt_steps *s, const uint16_t *node, const bt_counts *source,
                                 bauta_error *error)
{
    size_t stride = s->lattice->stride;
    for (size_t i = 0; i < s->wanted_count; i++)
        if (bt_is_above(s->lattice, node, s->wanted + i * stride)) return BAUTA_OK;
    BT_TRY(want_more(s, 1, error));
    uint16_t *levels = s->wanted + s->wanted_count++ * stride;
    memcpy(levels, node, stride * sizeof *levels);
    lower(s->lattice, source->levels, levels, source->groups / LESS);
    return BAUTA_OK;
}

/* ---- making steps ------------------------------------------------------------------------ */

static bauta_status add_steps(bt_steps *s, size_t count, bauta_error *error)
{
    BT_TRY(bt_array_grow(&s->kept, &s->room, s->count + count, sizeof *s->kept, error));
    BT_TRY(bt_array_grow(&s->sources, &s->sources_room, count, sizeof *s->sources, error));
    for (size_t i = 0; i < count; i++) {
        step *one = bt_array_zero(1, sizeof *one);
        if (!one) return bt_fail_memory(error);
        one->used = s->batch;
        s->kept[s->count++] = one;
    }
    return BAUTA_OK;
}

/* Counts the nodes that there is nothing to roll up from. When this comes up often, more groups are
 * taken into the bargain, up to all there are. */
static bauta_status count_records(bt_steps *s, const uint16_t *const *nodes, size_t count,
                                  bauta_error *error)
{
    s->wanted_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!source_of(s, nodes[i])) BT_TRY(plan(s, nodes[i], error));
    for (size_t i = 0; i < s->wanted_count; i++) {
        bt_counts made = {0};
        uint16_t *levels = s->wanted + i * s->lattice->stride;
        if (source_of(s, levels)) continue;
        lower(s->lattice, s->judge->floors, levels, s->share);
        bauta_status status = bt_counts_make(&s->judge->count, levels, &made, error);
        if (status == BAUTA_OK) status = add_steps(s, 1, error);
        if (status != BAUTA_OK) {
            bt_counts_release(&made);
            return status;
        }
        s->kept[s->count - 1]->counts = made;
        s->bytes += bt_counts_bytes(&made);
        if (++s->from_records >= STEPS_FIRST && __builtin_mul_overflow(s->share, 2, &s->share))
            s->share = UINT64_MAX;
    }
    return BAUTA_OK;
}

static bauta_status make_step(void *user, size_t task, unsigned worker, bauta_error *error)
{
    bt_steps *s = user;
    bt_counts *scratch = &s->scratch[worker];
    BT_TRY(bt_counts_roll(&s->judge->count, s->sources[task], s->wanted + task * s->lattice->stride,
                          &s->rollers[worker], scratch, error));
    step *one = s->kept[s->count - s->wanted_count + task];
    return bt_counts_copy(&s->judge->count, scratch, &one->counts, error);
}

/* Counts nodes between wanted nodes and sources that have many times as many groups; *more: there
 * were any. */
static bauta_status count_steps(bt_steps *s, const uint16_t *const *nodes, size_t count, bool *more,
                                bauta_error *error)
{
    s->wanted_count = 0;
    for (size_t i = 0; i < count; i++) {
        const bt_counts *source = source_of(s, nodes[i]);
        uint64_t groups = product_at(s->lattice, nodes[i]);
        if (source->groups > FEW_GROUPS && source->groups / MANY_TIMES > groups)
            BT_TRY(plan_between(s, nodes[i], source, error));
    }
    *more = s->wanted_count > 0;
    if (!*more) return BAUTA_OK;
    BT_TRY(
        bt_array_grow(&s->sources, &s->sources_room, s->wanted_count, sizeof *s->sources, error));
    for (size_t i = 0; i < s->wanted_count; i++)
        s->sources[i] = source_of(s, s->wanted + i * s->lattice->stride);
    BT_TRY(add_steps(s, s->wanted_count, error));
    BT_TRY(bt_pool_run(s->judge->count.run->pool, s->wanted_count, make_step, s, error));
    for (size_t i = s->count - s->wanted_count; i < s->count; i++)
        s->bytes += bt_counts_bytes(&s->kept[i]->counts);
    return BAUTA_OK;
}

bauta_status bt_steps_prepare(bt_steps *s, const uint16_t *const *nodes, size_t count,
                              bauta_error *error)
{
    bool more = true;
    s->batch++;
    BT_TRY(count_records(s, nodes, count, error));
    for (int i = 0; i < STAGES && more; i++)
        BT_TRY(count_steps(s, nodes, count, &more, error));
    forget(s);
    return BAUTA_OK;
}

/* ---- nodes of a batch -------------------------------------------------------------------- */

typedef struct batch {
    bt_steps *steps;
    const uint16_t *const *nodes;
    bt_wide limit;
    double deadline;
    bt_trial *out;
    bool *done;
} batch;

static bauta_status try_node(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const batch *b = user;
    bt_steps *s = b->steps;
    bt_counts *counts = &s->scratch[worker];
    b->done[task] = b->deadline == 0 || bt_seconds() < b->deadline;
    if (!b->done[task]) return BAUTA_OK;
    BT_TRY(bt_counts_roll(&s->judge->count, s->sources[task], b->nodes[task], &s->rollers[worker],
                          counts, error));
    return bt_try(s->judge, counts, b->limit, &s->jurors[worker], &b->out[task], error);
}

static bauta_status find_sources(bt_steps *s, const uint16_t *const *nodes, size_t count,
                                 bauta_error *error)
{
    BT_TRY(count_records(s, nodes, count, error));
    BT_TRY(bt_array_grow(&s->sources, &s->sources_room, count, sizeof *s->sources, error));
    for (size_t i = 0; i < count; i++)
        s->sources[i] = source_of(s, nodes[i]);
    return BAUTA_OK;
}

bauta_status bt_steps_try(bt_steps *s, const uint16_t *const *nodes, size_t count, bt_wide limit,
                          double deadline, bt_trial *out, size_t *done, bauta_error *error)
{
    batch b = {s, nodes, limit, deadline, out, bt_array_zero(count, sizeof *b.done)};
    if (!b.done) return bt_fail_memory(error);
    bauta_status status = find_sources(s, nodes, count, error);
    if (status == BAUTA_OK)
        status = bt_pool_run(s->judge->count.run->pool, count, try_node, &b, error);
    for (*done = 0; *done < count && b.done[*done];)
        ++*done;
    free(b.done);
    return status;
}

bauta_status bt_steps_roll(bt_steps *s, const uint16_t *levels, bt_counts *out, bauta_error *error)
{
    const uint16_t *const nodes[] = {levels};
    BT_TRY(find_sources(s, nodes, 1, error));
    return bt_counts_roll(&s->judge->count, s->sources[0], levels, &s->rollers[0], out, error);
}
