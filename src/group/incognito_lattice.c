/* SPDX-License-Identifier: Apache-2.0
 *
 * The lattice: which levels a node may have, where a code goes at each of them, and what is lost
 * there.
 *
 * A column without a hierarchy has two levels, the value and "*". Trees may be ragged: at a level
 * that the path of a value skips it keeps the highest node below.
 *
 * Cost: linear in rows times columns, and in the sizes of domains times levels.
 */
#include "class/steer.h"
#include "group/incognito.h"

enum { COUNTED_AT_ONCE = 1 << 16 };

/* ---- how often each code occurs ---------------------------------------------------------- */

typedef struct counter {
    const bt_lattice *lattice;
    const uint64_t *times; /* per row: how many records it stands for; NULL: one */
    uint64_t **partial;    /* worker * columns: by code; made when needed */
    size_t tasks;          /* of a column */
} counter;

#define COUNT_CODES(type)                                                                          \
    do {                                                                                           \
        const type *codes = column->codes;                                                         \
        for (int64_t row = from; row < to; row++)                                                  \
            counts[codes[row]] += times ? times[row] : 1;                                          \
    } while (0)

static bauta_status count_codes(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const counter *c = user;
    const uint64_t *times = c->times;
    size_t place = task / c->tasks;
    const bt_column *column = c->lattice->quasi[place];
    uint64_t **counts_at = &c->partial[worker * c->lattice->columns + place];
    if (!*counts_at) *counts_at = bt_array_zero(column->domain.size, sizeof **counts_at);
    uint64_t *counts = *counts_at;
    if (!counts) return bt_fail_memory(error);
    int64_t from = (int64_t)(task % c->tasks) * COUNTED_AT_ONCE, to = from + COUNTED_AT_ONCE;
    if (to > c->lattice->rows) to = c->lattice->rows;
    switch (column->width) {
    case 1: COUNT_CODES(uint8_t); break;
    case 2: COUNT_CODES(uint16_t); break;
    default: COUNT_CODES(uint32_t); break;
    }
    return BAUTA_OK;
}

static bauta_status count_columns(const bt_lattice *lattice, const bt_people *people,
                                  const bt_run *run, bauta_error *error)
{
    unsigned workers = bt_pool_size(run->pool);
    size_t columns = lattice->columns;
    counter c = {.lattice = lattice,
                 .times = people->counts,
                 .tasks = (size_t)((lattice->rows + COUNTED_AT_ONCE - 1) / COUNTED_AT_ONCE),
                 .partial = bt_array_zero(workers * columns, sizeof *c.partial)};
    bauta_status status = c.partial ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_pool_run(run->pool, c.tasks * columns, count_codes, &c, error);
    for (size_t i = 0; c.partial && i < workers * columns; i++) {
        uint64_t *counts = lattice->scales[i % columns].counts;
        uint32_t size = c.partial[i] ? lattice->quasi[i % columns]->domain.size : 0;
        for (uint32_t code = 0; code < size; code++)
            counts[code] += c.partial[i][code];
        free(c.partial[i]);
    }
    free(c.partial);
    return status;
}

/* ---- levels ------------------------------------------------------------------------------ */

bt_cell_at bt_cell_of(const bt_scale *scale, uint32_t code, uint32_t level)
{
    const bt_hierarchy *tree = scale->column->hierarchy;
    if (!tree) return (bt_cell_at){level ? 0 : code, level, level};
    uint32_t place = bt_node_at(scale->column, code, level);
    const bt_node *node = &tree->nodes[place];
    /* NCP, as bt_node_loss has it: a value is not a loss however few there are. */
    uint32_t leaves = place == 0 ? tree->leaves : node->level == 0 ? 0 : node->hi - node->lo;
    return (bt_cell_at){node->lo, leaves, node->level};
}

static uint32_t cost_of(bt_goal goal, bt_cell_at at, uint32_t level)
{
    return goal == BT_GOAL_NCP ? at.leaves : goal == BT_GOAL_DISTORTION ? at.height : level;
}

static bauta_status make_rung(bt_lattice *lattice, bt_scale *scale, uint32_t level, bt_rung *out,
                              bauta_error *error)
{
    uint32_t size = scale->column->domain.size, most = 0;
    uint32_t *lift = bt_arena_array(&lattice->arena, size, sizeof *lift), *cost = NULL;
    bool moves = false, separable = lattice->separable;
    if (separable) cost = bt_arena_array(&lattice->arena, size, sizeof *cost);
    if (!lift || (separable && !cost)) return bt_fail_memory(error);
    uint64_t absent = (uint64_t)(lattice->records - lattice->kept);
    *out = (bt_rung){.cost = cost,
                     .top = true,
                     .total = absent * scale->full,
                     .leaves = absent * scale->leaves,
                     .height = absent * scale->root};
    uint32_t last = UINT32_MAX;
    for (uint32_t code = 0; code < size; code++) {
        bt_cell_at at = bt_cell_of(scale, code, level);
        lift[code] = code ^ at.first;
        moves = moves || at.first != code;
        out->top = out->top && at.first == 0;
        uint64_t records = scale->counts[code];
        if (separable) cost[code] = cost_of(lattice->goal, at, level);
        if (records == 0) continue;
        /* Nodes are runs of codes, so a node that was seen is the last one. */
        out->nodes += at.first != last;
        last = at.first;
        if (separable && cost[code] > most) most = cost[code];
        if (separable) out->total += records * cost[code];
        out->leaves += records * at.leaves;
        out->height += records * at.height;
    }
    if (moves && !out->top) out->lift = lift;
    if (!separable) return BAUTA_OK;
    out->near = bt_near(out->total, scale->top, scale->bottom);
    out->spare = bt_near(scale->full - most, scale->top, scale->bottom);
    return BAUTA_OK;
}

static bauta_status make_scale(bt_lattice *lattice, bt_scale *scale, bauta_error *error)
{
    const bt_column *column = scale->column;
    const bt_hierarchy *tree = column->hierarchy;
    const bt_rational *weight = &column->steering.weight;
    uint32_t root = tree ? tree->levels - 1 : 1;
    scale->lowest = bt_lowest_level(column);
    scale->highest = bt_highest_level(column);
    scale->leaves = tree ? tree->leaves : 1;
    scale->root = root;
    scale->full = lattice->goal == BT_GOAL_NCP ? scale->leaves : root;
    scale->top = 1;
    scale->bottom = 1;
    if (lattice->goal == BT_GOAL_NCP) {
        bool weighed = weight->top != weight->bottom;
        scale->top = weighed ? (uint64_t)weight->top : 1;
        scale->bottom = (bt_wide)scale->leaves * (weighed ? (uint64_t)weight->bottom : 1);
    }
    size_t levels = (size_t)scale->highest - scale->lowest + 1;
    scale->rungs = bt_arena_array(&lattice->arena, levels, sizeof *scale->rungs);
    if (!scale->rungs) return bt_fail_memory(error);
    for (uint32_t level = scale->lowest; level <= scale->highest; level++)
        BT_TRY(make_rung(lattice, scale, level, &scale->rungs[level - scale->lowest], error));
    if (__builtin_mul_overflow(lattice->nodes, (int64_t)levels, &lattice->nodes))
        lattice->nodes = INT64_MAX;
    return BAUTA_OK;
}

/* ---- keys -------------------------------------------------------------------------------- */

static unsigned bits_of(uint32_t size)
{
    unsigned bits = 1;
    while (bits < 32 && size > (uint32_t)1 << bits)
        bits++;
    return bits;
}

/* Gives each column its field; none goes over from one word to the next. */
static void lay_out_keys(bt_lattice *lattice)
{
    unsigned used = 0;
    lattice->words = 1;
    for (size_t c = 0; c < lattice->columns; c++) {
        bt_scale *scale = &lattice->scales[c];
        unsigned bits = bits_of(scale->column->domain.size);
        if (used + bits > 64) {
            lattice->words++;
            used = 0;
        }
        scale->word = lattice->words - 1;
        scale->shift = used;
        scale->mask = ((uint64_t)1 << bits) - 1;
        used += bits;
    }
}

bauta_status bt_lattice_make(const bt_method_job *job, bt_goal goal, bt_lattice *out,
                             bauta_error *error)
{
    const bt_people *people = job->requirements->people;
    *out = (bt_lattice){.goal = goal,
                        .rows = job->table->rows,
                        .kept = people->counts ? people->persons : job->table->rows,
                        .records = job->records,
                        .nodes = 1};
    if (out->records < out->kept) out->records = out->kept;
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &out->quasi, &out->columns, error));
    out->stride = (out->columns + 3) / 4 * 4;
    out->separable = goal == BT_GOAL_NCP || goal == BT_GOAL_DISTORTION || goal == BT_GOAL_HEIGHT;
    out->terms = out->separable ? out->columns : 1;
    out->scales = bt_arena_array(&out->arena, out->columns, sizeof *out->scales);
    if (!out->scales) return bt_fail_memory(error);
    for (size_t c = 0; c < out->columns; c++) {
        bt_scale *scale = &out->scales[c];
        scale->column = out->quasi[c];
        scale->counts =
            bt_arena_array(&out->arena, scale->column->domain.size, sizeof *scale->counts);
        if (!scale->counts) return bt_fail_memory(error);
    }
    BT_TRY(count_columns(out, people, job->run, error));
    for (size_t c = 0; c < out->columns; c++)
        BT_TRY(make_scale(out, &out->scales[c], error));
    lay_out_keys(out);
    return BAUTA_OK;
}

void bt_lattice_release(bt_lattice *lattice)
{
    free(lattice->quasi);
    bt_arena_release(&lattice->arena);
    *lattice = (bt_lattice){0};
}
