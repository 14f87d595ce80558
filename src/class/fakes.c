/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 2, corrected and from the leaves up.
 *
 * Let F(D, k, s) be the least sum of ranges of s published nodes inside D when k fakes are added to
 * the values under D; infinite when s is more than these and the fakes together. With n steps at D
 * (every child i gets w_i records n times, W in all) the other s - n W nodes are D itself, so
 *   F(D, k, s) = min over n <= s / W of (s - n W) * range(D) + C(D, n, k)
 *   C(D, n, k) = min over x_1 + … = k of the sum of F(D_i, x_i, n w_i)
 * C does not depend on s, so the table of a node has one row per number of steps, which holds
 * B(D, n, k) = the minimum over all numbers of steps up to n of C(D, n, k) - n W range(D), and
 * F(D, k, s) = s * range(D) + B(D, s / W, k). Values need no table: their ranges are 0.
 *
 * A step more is never worse as long as it is possible, since no range is greater than that of the
 * node above. So with N steps possible without fakes and M with all of them, only min(s / W, N) up
 * to min(s / W, M) need rows; M - N is at most the number of fakes. The rows of a node therefore
 * are at most as many as those of its parent and t + 1 more. More fakes under D than nodes are
 * published inside it are of no use, so rows are no longer than that either.
 */
#include "class/fakes.h"

#include "base/assert.h"

#include <string.h>

#define NEVER (INT64_C(1) << 61)
#define COST_LIMIT (UINT64_C(1) << 60)

typedef struct search {
    const bt_target *target;
    uint32_t most;   /* fakes */
    uint64_t *under; /* per node: values of the group */
    size_t *first;   /* per node: its first row; one more at the end */
    size_t *width;   /* per node: entries of its rows */
    size_t *place;   /* per node: where its first row is in the table */
    uint64_t *steps; /* per row: the number of steps, ascending within a node */
    size_t step_room;
    int64_t *table;
    size_t entries;      /* of the table */
    int64_t *sum, *next; /* rows of the table, of most + 1 entries */
    int64_t *child;      /* the row of a child, of most + 1 entries */
    size_t summed;       /* entries of `sum` */
    int64_t *stages;     /* tracing: a row of most + 1 and its size for the children of a node */
    size_t *stage_size;
    size_t stage_room;
    uint32_t *given;  /* tracing, per node: fakes */
    uint64_t *inside; /* tracing, per node: nodes published inside it */
    bt_arena *arena;  /* of all these but `steps` */
} search;

void bt_fakes_release(bt_fakes *fakes)
{
    free(fakes->items);
    *fakes = (bt_fakes){0};
}

static void free_steps(search *q)
{
    free(q->steps);
}

static bauta_status count_under(search *q, const bt_held *held, size_t distinct, bauta_error *error)
{
    const bt_target *target = q->target;
    for (size_t i = 0; i < distinct; i++) {
        uint32_t leaf = target->leaf_of[held[i].code];
        if (leaf == BT_NO_NODE)
            return bt_fail(error, BAUTA_INVALID,
                           "the target gives a value of the group probability 0");
        q->under[leaf] += held[i].count;
    }
    for (uint32_t node = target->count; node-- > 1;)
        q->under[target->nodes[node].parent] += q->under[node];
    bt_wide cost = (bt_wide)(q->under[0] + q->most) * target->nodes[0].range;
    if (cost < COST_LIMIT) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "the ranges of the values are too large for fakes");
}

/* ---- which numbers of steps need rows ---- */

/* How often every child can get its weight when each has `more` fakes. */
static uint64_t possible_steps(const search *q, uint32_t node, uint32_t more)
{
    const bt_target_node *above = &q->target->nodes[node];
    uint64_t steps = UINT64_MAX;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        uint64_t here = (q->under[i] + more) / q->target->nodes[i].weight;
        if (here < steps) steps = here;
    }
    return steps;
}

typedef struct range { /* of numbers of steps at a node: without fakes, and with all */
    uint64_t surely, perhaps;
} range;

static bauta_status add_steps(search *q, size_t *rows, uint64_t from, uint64_t to,
                              bauta_error *error)
{
    for (uint64_t n = from; n <= to; n++) {
        if (*rows == q->step_room)
            BT_TRY(bt_array_grow(&q->steps, &q->step_room, *rows + 1, sizeof *q->steps, error));
        q->steps[(*rows)++] = n;
    }
    return BAUTA_OK;
}

/* The rows that are needed when `inside` nodes are published inside this one; called with ascending
 * numbers. */
static bauta_status need_rows(search *q, uint32_t node, uint64_t inside, range can, size_t *rows,
                              bauta_error *error)
{
    uint64_t reach = inside / q->target->nodes[node].sum;
    uint64_t from = reach < can.surely ? reach : can.surely;
    uint64_t to = reach < can.perhaps ? reach : can.perhaps;
    if (*rows > q->first[node] && q->steps[*rows - 1] >= from) from = q->steps[*rows - 1] + 1;
    q->width[node] = (inside < q->most ? (size_t)inside : q->most) + 1;
    return add_steps(q, rows, from, to, error);
}

static bauta_status need_root_rows(search *q, const bt_fakes_wish *wish, range can, size_t *rows,
                                   bauta_error *error)
{
    for (uint32_t k = wish->exactly ? wish->most : 0; k <= wish->most; k++)
        if (q->under[0] + k >= wish->leave)
            BT_TRY(need_rows(q, 0, q->under[0] + k - wish->leave, can, rows, error));
    return BAUTA_OK;
}

static bool fits(size_t entries)
{
    return entries <= BT_FAKES_BYTES_MOST / sizeof(int64_t);
}

static bauta_status find_rows(search *q, const bt_fakes_wish *wish, bauta_error *error)
{
    const bt_target *target = q->target;
    size_t rows = 0;
    BT_TRY(bt_array_grow(&q->steps, &q->step_room, target->count, sizeof *q->steps, error));
    for (uint32_t node = 0; node < target->count && fits(q->entries); node++) {
        const bt_target_node *here = &target->nodes[node];
        q->first[node] = rows;
        if (here->children == 0) continue;
        range can = {possible_steps(q, node, 0), possible_steps(q, node, q->most)};
        if (node == 0) BT_TRY(need_root_rows(q, wish, can, &rows, error));
        for (size_t i = q->first[here->parent]; node > 0 && i < q->first[here->parent + 1]; i++)
            BT_TRY(need_rows(q, node, q->steps[i] * here->weight, can, &rows, error));
        q->place[node] = q->entries;
        q->entries += (rows - q->first[node]) * q->width[node];
    }
    q->first[target->count] = rows;
    return BAUTA_OK;
}

/* The entries of a row when the next child's are combined with it. */
static size_t combined(size_t a, size_t b, size_t limit)
{
    return a + b - 1 < limit ? a + b - 1 : limit;
}

static bauta_status too_much(bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "so many fakes in so large a group are too much work");
    bt_error_hint(error, "give a smaller number of fakes, or make smaller groups");
    return status;
}

/* Steps of work at a node, and its inner children. */
static bt_wide work_at(const search *q, uint32_t node, size_t *inner)
{
    const bt_target_node *above = &q->target->nodes[node];
    size_t size = 0;
    bt_wide work = 0;
    *inner = 0;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        if (q->target->nodes[i].children == 0) continue;
        if ((*inner)++ > 0) work += (bt_wide)size * q->width[i];
        size = *inner == 1 ? q->width[i] : combined(size, q->width[i], q->width[node]);
    }
    return work * (q->first[node + 1] - q->first[node]);
}

static bauta_status make_table(search *q, bauta_error *error)
{
    const bt_target *target = q->target;
    bt_wide work = 0;
    size_t inner;
    for (uint32_t node = 0; fits(q->entries) && node < target->count; node++) {
        work += work_at(q, node, &inner);
        if (inner > q->stage_room) q->stage_room = inner;
    }
    size_t row = (size_t)q->most + 1;
    if (!fits(q->entries) || work > BT_FAKES_WORK_MOST || q->stage_room > SIZE_MAX / 16 / row ||
        !fits(q->stage_room * row))
        return too_much(error);
    q->table = bt_arena_array(q->arena, q->entries, sizeof *q->table);
    q->stages = bt_arena_array(q->arena, q->stage_room + 1, row * sizeof *q->stages);
    q->stage_size = bt_arena_array(q->arena, q->stage_room + 1, sizeof *q->stage_size);
    return bt_arena_check(q->arena, error);
}

/* ---- filling the table ---- */

static int64_t *row_at(const search *q, uint32_t node, size_t row)
{
    return q->table + q->place[node] + (row - q->first[node]) * q->width[node];
}

/* The last row of a node with at most so many steps. */
static size_t find_row(const search *q, uint32_t node, uint64_t steps)
{
    size_t from = q->first[node], count = q->first[node + 1] - from;
    while (count > 1) {
        size_t half = count / 2;
        if (q->steps[from + half] <= steps) {
            from += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return from;
}

/* F(node, k, inside) of an inner node, for all k below the width of its rows. */
static void cost_of(const search *q, uint32_t node, uint64_t inside, int64_t *out)
{
    const bt_target_node *here = &q->target->nodes[node];
    const int64_t *row = row_at(q, node, find_row(q, node, inside / here->sum));
    int64_t whole = (int64_t)(inside * here->range);
    uint64_t need = inside > q->under[node] ? inside - q->under[node] : 0;
    for (uint64_t k = 0; k < q->width[node]; k++)
        out[k] = k < need || row[k] >= NEVER ? NEVER : row[k] + whole;
}

/* out(k) = min over x of a(x) + b(k - x), for k < size */
static void convolve(const int64_t *restrict a, size_t a_size, const int64_t *restrict b,
                     size_t b_size, int64_t *restrict out, size_t size)
{
    size_t begin = 0;
    for (size_t k = 0; k < size; k++)
        out[k] = NEVER;
    while (begin < b_size && b[begin] >= NEVER)
        begin++;
    for (size_t x = 0; x < a_size && x < size; x++) {
        if (a[x] >= NEVER) continue;
        int64_t here = a[x];
        int64_t *to = out + x;
        size_t end = b_size < size - x ? b_size : size - x;
        for (size_t k = begin; k < end; k++) {
            int64_t both = here + b[k];
            to[k] = both < to[k] ? both : to[k];
        }
    }
}

/* Fakes that the children without children need at least. */
static uint64_t leaves_need(const search *q, uint32_t node, uint64_t steps)
{
    const bt_target_node *above = &q->target->nodes[node];
    uint64_t need = 0;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        const bt_target_node *child = &q->target->nodes[i];
        uint64_t inside = steps * child->weight;
        if (child->children == 0 && inside > q->under[i]) need += inside - q->under[i];
    }
    return need;
}

/* What the inner children cost together: q->sum, whose last entry is that of any more fakes. */
static void combine(search *q, uint32_t node, uint64_t steps)
{
    const bt_target_node *above = &q->target->nodes[node];
    q->summed = 0;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        const bt_target_node *child = &q->target->nodes[i];
        if (child->children == 0) continue;
        if (q->summed == 0) {
            cost_of(q, i, steps * child->weight, q->sum);
            q->summed = q->width[i];
            continue;
        }
        size_t size = combined(q->summed, q->width[i], q->width[node]);
        cost_of(q, i, steps * child->weight, q->child);
        convolve(q->sum, q->summed, q->child, q->width[i], q->next, size);
        int64_t *swap = q->sum;
        q->sum = q->next;
        q->next = swap;
        q->summed = size;
    }
    if (q->summed == 0) q->sum[q->summed++] = 0;
}

static void fill_row(search *q, uint32_t node, size_t row)
{
    const bt_target_node *here = &q->target->nodes[node];
    uint64_t steps = q->steps[row], need = leaves_need(q, node, steps);
    int64_t saved = (int64_t)(steps * here->sum * here->range), *out = row_at(q, node, row);
    const int64_t *before = row > q->first[node] ? out - q->width[node] : NULL;
    combine(q, node, steps);
    for (uint64_t k = 0; k < q->width[node]; k++) {
        int64_t cost = k < need ? NEVER : q->sum[k - need < q->summed ? k - need : q->summed - 1];
        out[k] = cost >= NEVER ? NEVER : cost - saved;
        if (before && before[k] < out[k]) out[k] = before[k];
    }
}

/* ---- the fakes behind the best cost ---- */

/* Costs of the first inner children together, one row more for each of them. */
static size_t fill_stages(search *q, uint32_t node, uint64_t steps)
{
    const bt_target_node *above = &q->target->nodes[node];
    size_t row = (size_t)q->most + 1, stages = 0;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        if (q->target->nodes[i].children == 0) continue;
        int64_t *here = q->stages + stages * row;
        cost_of(q, i, steps * q->target->nodes[i].weight, q->child);
        if (stages == 0) {
            q->stage_size[0] = q->width[i];
            memcpy(here, q->child, q->width[i] * sizeof *here);
        } else {
            size_t before = q->stage_size[stages - 1];
            q->stage_size[stages] = combined(before, q->width[i], q->width[node]);
            convolve(here - row, before, q->child, q->width[i], here, q->stage_size[stages]);
        }
        stages++;
    }
    return stages;
}

/* Divides fakes among the inner children of a node, so that the first have as few as possible. */
static void divide_inner(search *q, uint32_t node, uint64_t steps, uint64_t fakes)
{
    const bt_target_node *above = &q->target->nodes[node];
    size_t row = (size_t)q->most + 1, stage = fill_stages(q, node, steps);
    for (uint32_t i = above->first + above->children; i-- > above->first && stage > 0;) {
        if (q->target->nodes[i].children == 0) continue;
        uint64_t own = fakes, idle = 0;
        if (--stage > 0) {
            const int64_t *here = q->stages + stage * row, *before = here - row;
            size_t most = q->stage_size[stage] - 1, first = q->stage_size[stage - 1] - 1;
            idle = fakes > most ? fakes - most : 0; /* more than are of use */
            fakes -= idle;
            cost_of(q, i, steps * q->target->nodes[i].weight, q->child);
            own = fakes < q->width[i] ? fakes : q->width[i] - 1;
            while (fakes - own > first || q->child[own] + before[fakes - own] != here[fakes])
                own--;
        }
        q->given[i] = (uint32_t)(own + idle);
        fakes -= own;
    }
}

/* What is left after all have what they need goes to the last value among the children, or among
 * the inner ones when there is none. */
static void divide(search *q, uint32_t node, uint64_t steps)
{
    const bt_target_node *above = &q->target->nodes[node];
    uint64_t left = q->given[node] - leaves_need(q, node, steps);
    uint32_t last = BT_NO_NODE;
    for (uint32_t i = above->first; i < above->first + above->children; i++) {
        uint64_t inside = q->inside[i] = steps * q->target->nodes[i].weight;
        if (q->target->nodes[i].children > 0) continue;
        q->given[i] = inside > q->under[i] ? (uint32_t)(inside - q->under[i]) : 0;
        last = i;
    }
    combine(q, node, steps);
    uint64_t inner = left;
    if (last != BT_NO_NODE) {
        if (inner >= q->summed) inner = q->summed - 1;
        while (inner > 0 && q->sum[inner - 1] == q->sum[inner])
            inner--;
        q->given[last] += (uint32_t)(left - inner);
    }
    divide_inner(q, node, steps, inner);
}

static void trace(search *q, uint32_t fakes, uint64_t inside)
{
    const bt_target *target = q->target;
    q->given[0] = fakes;
    q->inside[0] = inside;
    for (uint32_t node = 0; node < target->count; node++) {
        const bt_target_node *here = &target->nodes[node];
        if (here->children == 0) continue;
        size_t k = q->given[node] < q->width[node] ? q->given[node] : q->width[node] - 1;
        size_t row = find_row(q, node, q->inside[node] / here->sum);
        while (row > q->first[node] && row_at(q, node, row - 1)[k] == row_at(q, node, row)[k])
            row--;
        divide(q, node, q->steps[row]);
    }
}

/* The cost of the best for exactly k fakes at the root. */
static int64_t root_cost(search *q, uint32_t k, uint32_t leave)
{
    if (q->under[0] + k < leave) return NEVER;
    uint64_t inside = q->under[0] + k - leave;
    if (q->target->nodes[0].children == 0) return 0;
    cost_of(q, 0, inside, q->sum);
    return q->sum[k < q->width[0] ? k : q->width[0] - 1];
}

static bauta_status choose(search *q, const bt_fakes_wish *wish, bt_fakes *out, bauta_error *error)
{
    const bt_target *target = q->target;
    int64_t best = NEVER;
    uint32_t fakes = 0;
    for (uint32_t k = wish->exactly ? wish->most : 0; k <= wish->most; k++) {
        int64_t cost = root_cost(q, k, wish->leave);
        if (cost >= best) continue;
        best = cost;
        fakes = k;
    }
    if (best >= NEVER)
        return bt_fail(error, BAUTA_INVALID, "more values are left out than there are");
    out->cost = (uint64_t)best;
    trace(q, fakes, q->under[0] + fakes - wish->leave);
    for (uint32_t code = 0; code < target->codes; code++) {
        uint32_t leaf = target->leaf_of[code];
        if (leaf == BT_NO_NODE || q->given[leaf] == 0) continue;
        BT_TRY(
            bt_array_grow(&out->items, &out->capacity, out->count + 1, sizeof *out->items, error));
        out->items[out->count++] = (bt_held){code, q->given[leaf]};
        out->total += q->given[leaf];
    }
    return BAUTA_OK;
}

bauta_status bt_fakes_best(const bt_target *target, const bt_held *held, size_t distinct,
                           const bt_fakes_wish *wish, bt_fakes *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t nodes = target->count, row = (size_t)wish->most + 1;
    BT_OWN(free_steps)
    search q = {.target = target,
                .most = wish->most,
                .under = bt_arena_array(&scratch, nodes, sizeof *q.under),
                .first = bt_arena_array(&scratch, nodes + 1, sizeof *q.first),
                .width = bt_arena_array(&scratch, nodes, sizeof *q.width),
                .place = bt_arena_array(&scratch, nodes, sizeof *q.place),
                .sum = bt_arena_array(&scratch, row, sizeof *q.sum),
                .next = bt_arena_array(&scratch, row, sizeof *q.next),
                .child = bt_arena_array(&scratch, row, sizeof *q.child),
                .given = bt_arena_array(&scratch, nodes, sizeof *q.given),
                .inside = bt_arena_array(&scratch, nodes, sizeof *q.inside),
                .arena = &scratch};
    out->count = 0;
    out->total = 0;
    out->cost = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(count_under(&q, held, distinct, error));
    BT_TRY(find_rows(&q, wish, error));
    BT_TRY(make_table(&q, error));
    for (uint32_t node = target->count; node-- > 0;)
        for (size_t i = q.first[node]; i < q.first[node + 1]; i++)
            fill_row(&q, node, i);
    return choose(&q, wish, out, error);
}

/* ---- fakes that say nothing ---- */

static uint32_t draw_leaf(const bt_target *target, bt_stream *stream)
{
    uint32_t node = 0;
    while (target->nodes[node].children > 0) {
        uint64_t place = bt_stream_below(stream, target->nodes[node].sum);
        uint32_t child = target->nodes[node].first;
        while (place >= target->nodes[child].weight)
            place -= target->nodes[child++].weight;
        node = child;
    }
    return target->nodes[node].low;
}

static int compare_codes(const void *left, const void *right)
{
    const bt_held *a = left, *b = right;
    return (a->code > b->code) - (a->code < b->code);
}

bauta_status bt_fakes_draw(const bt_target *target, uint32_t number, bt_stream *stream,
                           bt_fakes *out, bauta_error *error)
{
    size_t kept = 0;
    out->count = 0;
    out->cost = 0;
    out->total = number;
    if (number > BT_FAKES_BYTES_MOST / sizeof *out->items) return too_much(error);
    BT_TRY(
        bt_array_grow(&out->items, &out->capacity, (size_t)number + 1, sizeof *out->items, error));
    for (uint32_t i = 0; i < number; i++)
        out->items[i] = (bt_held){draw_leaf(target, stream), 1};
    qsort(out->items, number, sizeof *out->items, compare_codes);
    for (uint32_t i = 0; i < number; i++)
        if (kept > 0 && out->items[kept - 1].code == out->items[i].code)
            out->items[kept - 1].count++;
        else
            out->items[kept++] = out->items[i];
    out->count = kept;
    return BAUTA_OK;
}

size_t bt_fakes_add(const bt_fakes *fakes, bt_held *held, size_t distinct)
{
    size_t count = distinct + fakes->count;
    if (fakes->count == 0) return distinct;
    memcpy(held + distinct, fakes->items, fakes->count * sizeof *held);
    qsort(held, count, sizeof *held, compare_codes);
    distinct = 0;
    for (size_t i = 0; i < count; i++)
        if (distinct > 0 && held[distinct - 1].code == held[i].code)
            held[distinct - 1].count += held[i].count;
        else
            held[distinct++] = held[i];
    for (size_t i = 1; i < distinct; i++)
        BT_ASSERT(held[i - 1].code < held[i].code);
    return distinct;
}
