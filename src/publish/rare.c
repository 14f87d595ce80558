/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging and dropping rare values.
 *
 * Cost: linear in rows and columns for each round; another round follows only where records were
 * dropped.
 */
#include "publish/rare.h"

#include "base/bitset.h"
#include "recipe/hierarchy.h"

enum { DROP = UINT32_MAX };

typedef struct rare_column {
    const bt_column *column;
    int64_t least;
    int64_t *held;    /* per code: records that hold it, after merging */
    uint32_t *target; /* per code: what it becomes, or DROP */
} rare_column;

static inline void put_code(bt_column *column, int64_t row, uint32_t code)
{
    switch (column->width) {
    case 1: ((uint8_t *)column->codes)[row] = (uint8_t)code; break;
    case 2: ((uint16_t *)column->codes)[row] = (uint16_t)code; break;
    default: ((uint32_t *)column->codes)[row] = code; break;
    }
}

/* ---- one column -------------------------------------------------------------------------- */

static bool is_rare(const rare_column *rare, uint32_t code)
{
    return rare->held[code] > 0 && rare->held[code] < rare->least;
}

static uint32_t commonest(const rare_column *rare, uint32_t from, uint32_t to)
{
    uint32_t best = from;
    for (uint32_t code = from; code < to; code++)
        if (rare->held[code] > rare->held[best]) best = code;
    return best;
}

static void merge(rare_column *rare, uint32_t code, uint32_t into)
{
    rare->held[into] += rare->held[code];
    rare->held[code] = 0;
    rare->target[code] = into;
}

/* Per node of a tree. */
typedef struct rare_node {
    int64_t held;       /* records under it */
    uint32_t commonest; /* code */
} rare_node;

static void sum_nodes(const rare_column *rare, rare_node *nodes)
{
    const bt_hierarchy *tree = rare->column->hierarchy;
    for (uint32_t i = 0; i < tree->count; i++)
        nodes[i] = (rare_node){0, tree->nodes[i].lo};
    for (uint32_t code = 0; code < tree->leaves; code++)
        nodes[tree->leaf_node[code]] = (rare_node){rare->held[code], code};
    for (uint32_t i = tree->count; i-- > 1;) { /* children come after their parents */
        rare_node *up = &nodes[tree->nodes[i].parent];
        up->held += nodes[i].held;
        if (rare->held[nodes[i].commonest] >= rare->held[up->commonest])
            up->commonest = nodes[i].commonest;
    }
}

/* What a rare value becomes: the commonest under the lowest node, short of the root, that enough
 * records are under; itself if there is none. Of equally common ones the first, so that what it
 * becomes does not become something else in the same round. */
static uint32_t find_target(const rare_column *rare, const rare_node *nodes, uint32_t code)
{
    const bt_hierarchy *tree = rare->column->hierarchy;
    uint32_t node = tree->leaf_node[code];
    while (node != 0 && nodes[node].held < rare->least)
        node = tree->nodes[node].parent;
    return node == 0 ? code : nodes[node].commonest;
}

/* The commonest value of a node may stay rare while values beside it went to lower nodes: another
 * round then takes it to one of those. */
static bauta_status merge_in_tree(rare_column *rare, bauta_error *error)
{
    const bt_hierarchy *tree = rare->column->hierarchy;
    BT_OWN(bt_free) rare_node *nodes = bt_array(tree->count, sizeof *nodes);
    if (!nodes) return bt_fail_memory(error);
    for (bool merged = true; merged;) {
        merged = false;
        sum_nodes(rare, nodes);
        for (uint32_t code = 0; code < tree->leaves; code++) {
            if (rare->target[code] != code || !is_rare(rare, code)) continue;
            uint32_t into = find_target(rare, nodes, code);
            if (into == code) continue;
            merge(rare, code, into);
            merged = true;
        }
    }
    return BAUTA_OK;
}

/* Rare values from..to-1 become the commonest value there. */
static void merge_run(rare_column *rare, uint32_t from, uint32_t to)
{
    uint32_t into = commonest(rare, from, to);
    for (uint32_t code = from; code < to; code++)
        if (code != into && is_rare(rare, code)) merge(rare, code, into);
}

static void merge_neighbours(rare_column *rare)
{
    uint32_t present = bt_domain_present(&rare->column->domain), start = 0, last = 0;
    int64_t sum = 0;
    for (uint32_t code = 0; code < present; code++) {
        sum += rare->held[code];
        if (sum < rare->least) continue;
        merge_run(rare, start, code + 1);
        last = start;
        start = code + 1;
        sum = 0;
    }
    if (sum > 0 && start > 0) merge_run(rare, last, present);
}

bt_merging bt_rare_merging(const bt_column *column)
{
    if (column->hierarchy) return BT_MERGED_HIERARCHY;
    return column->domain.number ? BT_MERGED_NEIGHBOURS : BT_MERGED_NONE;
}

/* Says what becomes of each value; *quiet: all stay as they are. */
static bauta_status decide(rare_column *rare, bool *quiet, bauta_error *error)
{
    const bt_domain *domain = &rare->column->domain;
    *quiet = true;
    for (uint32_t code = 0; code < domain->size; code++) {
        rare->target[code] = code;
        *quiet &= !is_rare(rare, code);
    }
    if (*quiet) return BAUTA_OK;
    switch (bt_rare_merging(rare->column)) {
    case BT_MERGED_HIERARCHY: BT_TRY(merge_in_tree(rare, error)); break;
    case BT_MERGED_NEIGHBOURS: merge_neighbours(rare); break;
    case BT_MERGED_NONE: break;
    }
    for (uint32_t code = 0; code < domain->size; code++)
        if (is_rare(rare, code)) rare->target[code] = DROP;
    for (uint32_t code = 0; code < domain->size; code++) { /* a target may have been merged too */
        uint32_t to = rare->target[code];
        while (to != DROP && rare->target[to] != to)
            to = rare->target[to];
        rare->target[code] = to;
    }
    return BAUTA_OK;
}

static void apply(bt_column *column, const rare_column *rare, int64_t rows, uint64_t *dropped,
                  bt_rare *out)
{
    for (int64_t row = 0; row < rows; row++) {
        uint32_t code = bt_column_code(column, row), to = rare->target[code];
        if (to == code || bt_bitset_has(dropped, (size_t)row)) continue;
        if (to == DROP) {
            bt_bitset_add(dropped, (size_t)row);
            out->dropped++;
        } else {
            put_code(column, row, to);
            out->merged++;
        }
    }
}

static bauta_status treat_column(bt_column *column, int64_t rows, int64_t least, uint64_t *dropped,
                                 bt_rare *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t size = column->domain.size;
    rare_column rare = {.column = column,
                        .least = least,
                        .held = bt_arena_array(&scratch, size, sizeof *rare.held),
                        .target = bt_arena_array(&scratch, size, sizeof *rare.target)};
    bool quiet = true;
    BT_TRY(bt_arena_check(&scratch, error));
    for (int64_t row = 0; row < rows; row++)
        rare.held[bt_column_code(column, row)] += !bt_bitset_has(dropped, (size_t)row);
    BT_TRY(decide(&rare, &quiet, error));
    if (!quiet) apply(column, &rare, rows, dropped, out);
    return BAUTA_OK;
}

/* ---- all columns ------------------------------------------------------------------------- */

bauta_status bt_rare_remove(bt_column *const *columns, size_t count, int64_t rows, int64_t least,
                            uint64_t *dropped, bt_rare *out, bauta_error *error)
{
    int64_t before;
    *out = (bt_rare){0};
    do {
        before = out->dropped;
        for (size_t i = 0; i < count; i++)
            BT_TRY(treat_column(columns[i], rows, least, dropped, out, error));
    } while (out->dropped > before);
    if (out->dropped < rows) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "every record has a value that fewer than %lld hold",
                (long long)least);
    bt_error_hint(error, "give hierarchies under which rare values are merged, or a lower 'rare'");
    return status;
}
