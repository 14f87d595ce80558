/* SPDX-License-Identifier: Apache-2.0
 *
 * Values and cells on one line. A cell that is not well formed, or names what the original does
 * not have, contains nothing.
 */
#include "audit/placing.h"

#include "base/sort.h"

#include "recipe/names.h"

#include <string.h>

typedef struct placing_job {
    const bt_release_column *published;
    const bt_column *original;
    bt_arena *arena;
    bt_placing *out;
    uint32_t missing; /* position of the missing value; UINT32_MAX: there is none */
    bt_names codes;   /* text columns: value -> code of the original */
} placing_job;

static const bt_side nothing = {0, 0, NULL, 0};

static bt_side interval(uint32_t from, uint32_t to)
{
    return (bt_side){from, to, NULL, 0};
}

/* ---- hierarchies ---- */

/* Without the tree a node may hold any value that is present, unless it is one itself. */
static bt_side place_unknown(const placing_job *job, uint32_t code)
{
    const bt_values *values = job->published->values;
    const bt_domain *domain = &job->original->domain;
    uint32_t present = bt_domain_present(domain);
    if (job->published->cells[code].kind == BT_CELL_NODE)
        return present > 0 ? interval(0, present) : nothing;
    for (uint32_t i = 0; i < present; i++)
        if (strlen(domain->text[i]) == values->length[code] &&
            memcmp(domain->text[i], values->text[code], values->length[code]) == 0)
            return interval(i, i + 1);
    return nothing;
}

static bt_side place_node(const placing_job *job, uint32_t code)
{
    const bt_release_column *published = job->published;
    const bt_hierarchy *tree = published->manifest->hierarchy;
    uint32_t node = published->cells[code].node;
    if (!tree && !job->original->hierarchy) return place_unknown(job, code);
    if (!tree) {
        tree = job->original->hierarchy;
        node =
            bt_hierarchy_find(tree, published->values->text[code], published->values->length[code]);
    }
    return node == UINT32_MAX ? nothing : interval(tree->nodes[node].lo, tree->nodes[node].hi);
}

/* Behind the leaves stand two more positions: a value that is no leaf, and the missing value
 * when the tree does not have it. */
static bauta_status place_leaves(placing_job *job, bauta_error *error)
{
    const bt_hierarchy *tree = job->published->manifest->hierarchy;
    const bt_domain *domain = &job->original->domain;
    uint32_t *position = bt_arena_array(job->arena, domain->size, sizeof *position);
    if (!position) return bt_fail_memory(error);
    uint32_t leaves = tree->leaves, present = bt_domain_present(domain);
    for (uint32_t code = 0; code < present; code++) {
        uint32_t node = bt_hierarchy_find(tree, domain->text[code], strlen(domain->text[code]));
        bool leaf = node != UINT32_MAX && tree->nodes[node].level == 0;
        position[code] = leaf ? tree->nodes[node].lo : leaves;
    }
    uint32_t node = bt_hierarchy_find(tree, "", 0);
    job->missing = node != UINT32_MAX ? tree->nodes[node].lo : leaves + 1;
    if (domain->has_missing) position[present] = job->missing;
    job->out->of_code = position;
    job->out->positions = leaves + 2;
    return BAUTA_OK;
}

/* ---- numbers and dates ---- */

static __int128 power_of_ten(int exponent)
{
    __int128 power = 1;
    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

/* How many of the original's numbers are below `bound` (or equal to it, with `equal`). Both may
 * have a scale of their own, of at most 18 places: 128 bits hold them at the finer one. */
static uint32_t count_below(const placing_job *job, int64_t bound, bool equal)
{
    const bt_domain *domain = &job->original->domain;
    int own = domain->scale, other = job->published->manifest->scale;
    int finer = own > other ? own : other;
    __int128 own_power = power_of_ten(finer - own);
    __int128 limit = bound * power_of_ten(finer - other);
    uint32_t low = 0, high = bt_domain_present(domain);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        __int128 number = domain->number[middle] * own_power;
        if (number < limit || (equal && number == limit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bt_side place_range(const placing_job *job, const bt_cell *cell)
{
    if (!job->original->domain.number) return nothing;
    uint32_t from = count_below(job, cell->lo, false), to = count_below(job, cell->hi, true);
    return from < to ? interval(from, to) : nothing;
}

/* ---- text ---- */

static bauta_status index_texts(placing_job *job, bauta_error *error)
{
    const bt_domain *domain = &job->original->domain;
    bool added;
    for (uint32_t code = 0; code < bt_domain_present(domain); code++)
        BT_TRY(bt_names_add(&job->codes, 0, domain->text[code], code, &added, error));
    return BAUTA_OK;
}

static bauta_status place_set(const placing_job *job, uint32_t code, bt_arena *scratch,
                              bt_side *out, bauta_error *error)
{
    bt_cell cell;
    uint32_t count = 0;
    *out = nothing;
    BT_TRY(bt_release_cell(job->published, code, scratch, &cell, error));
    uint32_t *codes = bt_arena_array(scratch, cell.count, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < cell.count; i++)
        if (bt_names_find(&job->codes, 0, cell.text[i], &codes[count])) count++;
    if (count == 0) return BAUTA_OK;
    qsort(codes, count, sizeof *codes, bt_compare_uint32);
    *out = interval(codes[0], codes[count - 1] + 1);
    if (out->to - out->from == count) return BAUTA_OK;
    uint32_t *members = bt_arena_array(job->arena, count, sizeof *members);
    if (!members) return bt_fail_memory(error);
    memcpy(members, codes, count * sizeof *members);
    out->members = members;
    out->count = count;
    return BAUTA_OK;
}

/* ---- all kinds ---- */

static bauta_status place_cell(const placing_job *job, uint32_t code, bt_arena *scratch,
                               bt_side *out, bauta_error *error)
{
    const bt_release_column *published = job->published;
    const bt_cell *cell = &published->cells[code];
    *out = nothing;
    if (!published->well_formed[code]) return BAUTA_OK;
    if (cell->kind == BT_CELL_ALL) {
        *out = interval(0, job->out->positions);
    } else if (cell->kind == BT_CELL_MISSING) {
        if (job->missing != UINT32_MAX) *out = interval(job->missing, job->missing + 1);
    } else if (published->format.hierarchy) {
        *out = place_node(job, code);
    } else if (published->manifest->type != BT_TEXT) {
        *out = place_range(job, cell);
    } else {
        return place_set(job, code, scratch, out, error);
    }
    return BAUTA_OK;
}

static bauta_status place_values(placing_job *job, bauta_error *error)
{
    const bt_manifest_column *manifest = job->published->manifest;
    const bt_domain *domain = &job->original->domain;
    job->out->positions = domain->size ? domain->size : 1;
    job->missing = domain->has_missing ? domain->size - 1 : UINT32_MAX;
    if (manifest->hierarchy) return place_leaves(job, error);
    if (!manifest->partial && manifest->type == BT_TEXT) return index_texts(job, error);
    return BAUTA_OK;
}

bauta_status bt_placing_make(const bt_release_column *published, const bt_column *original,
                             bt_arena *arena, bt_placing *out, bauta_error *error)
{
    placing_job job = {.published = published, .original = original, .arena = arena, .out = out};
    bt_arena scratch = {0};
    uint32_t count = published->values->count;
    *out = (bt_placing){.sides = bt_arena_array(arena, count, sizeof *out->sides)};
    bauta_status status = out->sides ? place_values(&job, error) : bt_fail_memory(error);
    for (uint32_t code = 0; code < count && status == BAUTA_OK; code++) {
        status = place_cell(&job, code, &scratch, &out->sides[code], error);
        if (scratch.blocks) bt_arena_release(&scratch);
    }
    bt_arena_release(&scratch);
    bt_names_release(&job.codes);
    return status;
}
