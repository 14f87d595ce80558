/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing consequences until there are no more. Every demand is closed once and every supply
 * settled once, each at the cost of its edges.
 */
#include "audit/settle.h"

#include "base/memory.h"

typedef struct settling {
    const bt_flow *flow;
    bool all_used;
    uint32_t *demand_of;
    size_t *demand_first; /* demands + 1: places in `supply` */
    uint32_t *supply;     /* those that can serve each demand */
    int64_t *need;        /* per demand: what it still wants */
    int64_t *able;        /* per demand: what unsettled supplies have for it */
    bool *closed;         /* per demand: it has all it wants */
    size_t *open;         /* per supply: demands that are not closed */
    uint32_t *demands;    /* to be looked at, each as often as it changed */
    uint32_t *supplies;
    size_t demand_count, supply_count;
    size_t demands_capacity, supplies_capacity;
} settling;

static bauta_status look_at_demand(settling *s, uint32_t demand, bauta_error *error)
{
    BT_TRY(bt_array_grow(&s->demands, &s->demands_capacity, s->demand_count + 1, sizeof *s->demands,
                         error));
    s->demands[s->demand_count++] = demand;
    return BAUTA_OK;
}

static bauta_status look_at_supply(settling *s, uint32_t supply, bauta_error *error)
{
    BT_TRY(bt_array_grow(&s->supplies, &s->supplies_capacity, s->supply_count + 1,
                         sizeof *s->supplies, error));
    s->supplies[s->supply_count++] = supply;
    return BAUTA_OK;
}

static bool make(settling *s)
{
    const bt_flow *flow = s->flow;
    size_t edges = flow->first[flow->supplies];
    s->demand_first = bt_array_zero((size_t)flow->demands + 2, sizeof *s->demand_first);
    s->supply = bt_array(edges, sizeof *s->supply);
    s->need = bt_array(flow->demands, sizeof *s->need);
    s->able = bt_array_zero(flow->demands, sizeof *s->able);
    s->closed = bt_array_zero(flow->demands, sizeof *s->closed);
    s->open = bt_array(flow->supplies, sizeof *s->open);
    if (!s->demand_first || !s->supply || !s->need || !s->able || !s->closed || !s->open)
        return false;
    for (size_t e = 0; e < edges; e++)
        s->demand_first[(size_t)flow->demand[e] + 2]++;
    for (size_t d = 0; d < flow->demands; d++)
        s->demand_first[d + 2] += s->demand_first[d + 1];
    for (uint32_t i = 0; i < flow->supplies; i++) {
        s->demand_of[i] = BT_UNSETTLED;
        s->open[i] = flow->first[i + 1] - flow->first[i];
        for (size_t e = flow->first[i]; e < flow->first[i + 1]; e++) {
            s->supply[s->demand_first[(size_t)flow->demand[e] + 1]++] = i;
            s->able[flow->demand[e]] += flow->there[i];
        }
    }
    for (uint32_t d = 0; d < flow->demands; d++)
        s->need[d] = flow->wanted[d];
    return true;
}

static void release(settling *s)
{
    free(s->demand_first);
    free(s->supply);
    free(s->need);
    free(s->able);
    free(s->closed);
    free(s->open);
    free(s->demands);
    free(s->supplies);
}

/* A supply serves this demand with all it has, and no other. */
static bauta_status settle_supply(settling *s, uint32_t supply, uint32_t demand, bauta_error *error)
{
    const bt_flow *flow = s->flow;
    s->demand_of[supply] = demand;
    s->need[demand] -= flow->there[supply];
    for (size_t e = flow->first[supply]; e < flow->first[supply + 1]; e++) {
        uint32_t other = flow->demand[e];
        s->able[other] -= flow->there[supply];
        if (!s->closed[other]) BT_TRY(look_at_demand(s, other, error));
    }
    return BAUTA_OK;
}

static bauta_status close_demand(settling *s, uint32_t demand, bauta_error *error)
{
    s->closed[demand] = true;
    for (size_t i = s->demand_first[demand]; i < s->demand_first[demand + 1]; i++) {
        uint32_t supply = s->supply[i];
        if (s->demand_of[supply] != BT_UNSETTLED) continue;
        s->open[supply]--;
        if (s->open[supply] == 1 && s->all_used) BT_TRY(look_at_supply(s, supply, error));
    }
    return BAUTA_OK;
}

static bauta_status visit_demand(settling *s, uint32_t demand, bauta_error *error)
{
    if (s->closed[demand]) return BAUTA_OK;
    if (s->need[demand] <= 0) return close_demand(s, demand, error);
    if (s->able[demand] > s->need[demand]) return BAUTA_OK;
    for (size_t i = s->demand_first[demand]; i < s->demand_first[demand + 1]; i++)
        if (s->demand_of[s->supply[i]] == BT_UNSETTLED)
            BT_TRY(settle_supply(s, s->supply[i], demand, error));
    return BAUTA_OK;
}

/* Everything is used: what can serve only one demand does. */
static bauta_status visit_supply(settling *s, uint32_t supply, bauta_error *error)
{
    const bt_flow *flow = s->flow;
    if (s->demand_of[supply] != BT_UNSETTLED) return BAUTA_OK;
    for (size_t e = flow->first[supply]; e < flow->first[supply + 1]; e++)
        if (!s->closed[flow->demand[e]]) return settle_supply(s, supply, flow->demand[e], error);
    return BAUTA_OK;
}

static bauta_status run(settling *s, bauta_error *error)
{
    for (uint32_t d = 0; d < s->flow->demands; d++)
        BT_TRY(look_at_demand(s, d, error));
    for (uint32_t i = 0; s->all_used && i < s->flow->supplies; i++)
        if (s->open[i] == 1) BT_TRY(look_at_supply(s, i, error));
    while (s->demand_count > 0 || s->supply_count > 0) {
        if (s->supply_count > 0)
            BT_TRY(visit_supply(s, s->supplies[--s->supply_count], error));
        else
            BT_TRY(visit_demand(s, s->demands[--s->demand_count], error));
    }
    return BAUTA_OK;
}

bauta_status bt_settle(const bt_flow *flow, bool all_used, uint32_t *demand_of, bauta_error *error)
{
    settling s = {.flow = flow, .all_used = all_used, .demand_of = demand_of};
    bauta_status status = make(&s) ? run(&s, error) : bt_fail_memory(error);
    release(&s);
    return status;
}
