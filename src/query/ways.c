/* SPDX-License-Identifier: Apache-2.0
 *
 * Following a diagram over cells.
 */
#include "query/ways.h"

/* A node of the diagram on the left, with what it needs. */
struct bt_left_step {
    const void *codes;
    unsigned width;
    uint32_t signatures;
    const double *share;
    const bool *can;
    const uint32_t *edges;
    const char *name;    /* of the column */
    bool blank;          /* the column shows nothing */
    const bool *guessed; /* per code, whether it does not say which values are likelier; or NULL */
};

static bauta_status open_left(bt_walker *w, bt_question *question)
{
    const bt_diagram *diagram = &question->diagram;
    w->left = bt_arena_array(&question->predicate.arena, diagram->count, sizeof *w->left);
    if (!w->left) return bt_fail_memory(w->error);
    for (uint32_t node = w->ends; node < diagram->count; node++) {
        const bt_query_column *column = question->predicate.slots[diagram->slot[node]].column;
        const bt_chances *chances = &w->chances[diagram->slot[node]];
        w->left[node] = (struct bt_left_step){
            column->codes,  column->width, chances->signatures,
            chances->share, chances->can,  diagram->edges + diagram->first[node],
            column->name,   column->blank, chances->guessed};
    }
    return BAUTA_OK;
}

bauta_status bt_walker_open(bt_walker *w, bt_question *question)
{
    bt_predicate *predicate = &question->predicate;
    bt_arena *arena = &predicate->arena;
    uint32_t nodes = question->diagram.count;
    w->chances = bt_arena_array(arena, predicate->slot_count, sizeof *w->chances);
    w->reach = bt_arena_array(arena, nodes, sizeof *w->reach);
    w->reached = bt_arena_array(arena, nodes, sizeof *w->reached);
    if (!w->chances || !w->reach || !w->reached) return bt_fail_memory(w->error);
    w->left_target = predicate->target < predicate->left_count;
    w->right_target = !w->left_target && bt_has_target(question);
    while (w->ends < nodes && question->diagram.slot[w->ends] >= predicate->left_count)
        w->ends++;
    for (size_t s = 0; s < predicate->left_count; s++) {
        BT_TRY(bt_chances_make(&predicate->slots[s], s == predicate->target, arena, &w->chances[s],
                               w->error));
        if (w->chances[s].loose) w->out->tight = false;
    }
    if (w->right_target)
        BT_TRY(
            bt_chances_exact(&predicate->slots[predicate->target], arena, &w->target_of, w->error));
    BT_TRY(bt_steps_make(question, predicate->left_count, &w->steps, w->error));
    return open_left(w, question);
}

static uint32_t code_of(const bt_walker *w, size_t slot, size_t place)
{
    const bt_query_column *column = w->question->predicate.slots[slot].column;
    return bt_code_at(column->codes, column->width, (int64_t)place);
}

/* Follows all ways from a node over the cells of a left part and adds where they end. */
static bauta_status follow(bt_walker *w, size_t left, uint32_t from, bt_way first)
{
    double *reach = w->reach;
    bool *reached = w->reached;
    reach[from] = first.share;
    reached[from] = true;
    for (uint32_t node = from; node >= w->ends; node--) {
        const struct bt_left_step *step = &w->left[node];
        if (!reached[node]) continue;
        uint32_t code = bt_code_at(step->codes, step->width, (int64_t)left);
        if (step->blank || (step->guessed && step->guessed[code])) w->out->blank = step->name;
        size_t at = (size_t)code * step->signatures;
        for (uint32_t s = 0; s < step->signatures; s++) {
            if (!step->can[at + s]) continue;
            uint32_t next = step->edges[s];
            reach[next] += reach[node] * step->share[at + s];
            reached[next] = true;
        }
        reach[node] = 0;
        reached[node] = false;
    }
    BT_TRY(bt_array_grow(&w->ways, &w->way_capacity, w->way_count + w->ends, sizeof *w->ways,
                         w->error));
    for (uint32_t node = 0; node < w->ends; node++) {
        if (!reached[node]) continue;
        w->ways[w->way_count++] = (bt_way){node, first.signature, reach[node]};
        reach[node] = 0;
        reached[node] = false;
    }
    return BAUTA_OK;
}

bauta_status bt_walker_follow(bt_walker *w, size_t left)
{
    const bt_diagram *diagram = &w->question->diagram;
    w->way_count = 0;
    if (!w->left_target || diagram->root < w->ends)
        return follow(w, left, diagram->root, (bt_way){.share = 1});
    const bt_chances *target = &w->chances[0];
    const bt_query_column *column = w->question->predicate.slots[0].column;
    uint32_t code = code_of(w, 0, left);
    if (column->blank || (target->guessed && target->guessed[code])) w->out->blank = column->name;
    size_t at = (size_t)code * target->signatures;
    for (uint32_t s = 0; s < target->signatures; s++) {
        if (!target->can[at + s]) continue;
        bt_way first = {.signature = s, .share = target->share[at + s]};
        BT_TRY(follow(w, left, bt_diagram_step(diagram, diagram->root, s), first));
    }
    return BAUTA_OK;
}

static bool ends_well(const bt_walker *w, uint32_t node, const bt_judged *records)
{
    if (records->settled && node > BT_ALWAYS) return records->matches;
    return bt_walk(w->steps, node, records->place, BT_ALWAYS + 1) == BT_ALWAYS;
}

bt_judgement bt_walker_judge(const bt_walker *w, size_t left, const bt_judged *records)
{
    double count = records->weight;
    bt_judgement found = {.must = true, .lo = BT_HIGHEST, .hi = BT_LOWEST};
    const bt_chances *target = w->chances;
    size_t at = w->left_target ? (size_t)code_of(w, 0, left) * target->signatures : 0;
    for (size_t i = 0; i < w->way_count; i++) {
        const bt_way *one = &w->ways[i];
        if (!ends_well(w, one->node, records)) {
            found.must = false;
            continue;
        }
        found.may = true;
        found.expected += one->share;
        if (!w->left_target) continue;
        size_t here = at + one->signature;
        w->out->weights[here] += one->share * count;
        if (target->lo[here] < found.lo) found.lo = target->lo[here];
        if (target->hi[here] > found.hi) found.hi = target->hi[here];
    }
    found.must &= found.may;
    if (w->right_target && found.may) {
        size_t target_slot = w->question->predicate.target;
        const bt_slot *slot = &w->question->predicate.slots[target_slot];
        uint32_t code = code_of(w, target_slot, records->place);
        at = (size_t)code * slot->signatures + w->target_of[code];
        w->out->weights[at] += found.expected * count;
        found.lo = found.hi = bt_column_number(slot->column, code);
    }
    return found;
}

uint32_t bt_walker_open_node(const bt_walker *w)
{
    uint32_t open = BT_NEVER;
    if (w->right_target) return BT_ALWAYS;
    for (size_t i = 0; i < w->way_count; i++) {
        uint32_t node = w->ways[i].node;
        if (node <= BT_ALWAYS || node == open) continue;
        if (open != BT_NEVER) return BT_ALWAYS;
        open = node;
    }
    return open;
}

void bt_walker_close(bt_walker *w)
{
    free(w->ways);
}
