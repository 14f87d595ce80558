/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph is renumbered breadth first, so that neighbours are near each other in memory and
 * parts that do not touch are apart. Each part is solved by Dinic's algorithm after a greedy
 * start in the manner of Karp and Sipser (1981): a supply with one demand left, or a demand
 * with one supply left, has no choice, and settling those first leaves little or nothing to
 * repair. Layers grow from demands that lack something: a demand reaches every supply that can
 * serve it; a supply with nothing left reaches the demands that it serves now, which may have to
 * look elsewhere. A phase touches only what its layers reach.
 */
#include "audit/flow.h"

#include "base/memory.h"

#include <string.h>

enum { NO_LAYER = UINT32_MAX, NO_NUMBER = UINT32_MAX, PART_EDGES = 1 << 16 };

/* ---- the graph --------------------------------------------------------------------------- */

typedef struct flow_graph { /* edges are numbered supply by supply */
    uint32_t demands, supplies;
    size_t edges;
    size_t *first;        /* supplies + 1: a supply's edges */
    uint32_t *demand;     /* per edge */
    uint32_t *supply;     /* per edge */
    size_t *demand_first; /* demands + 1: a demand's place in demand_edge */
    size_t *demand_edge;  /* its edges */
} flow_graph;

static void graph_release(flow_graph *graph)
{
    free(graph->first);
    free(graph->demand);
    free(graph->supply);
    free(graph->demand_first);
    free(graph->demand_edge);
}

static bauta_status graph_allocate(flow_graph *graph, bauta_error *error)
{
    graph->first = bt_array_zero((size_t)graph->supplies + 1, sizeof *graph->first);
    graph->demand = bt_array(graph->edges, sizeof *graph->demand);
    graph->supply = bt_array(graph->edges, sizeof *graph->supply);
    graph->demand_first = bt_array_zero((size_t)graph->demands + 2, sizeof *graph->demand_first);
    graph->demand_edge = bt_array(graph->edges, sizeof *graph->demand_edge);
    bool memory =
        graph->first && graph->demand && graph->supply && graph->demand_first && graph->demand_edge;
    return memory ? BAUTA_OK : bt_fail_memory(error);
}

/* The edges of each demand, by counting; `first` and `demand` are there. */
static void turn_around(flow_graph *graph)
{
    size_t *first = graph->demand_first;
    for (size_t e = 0; e < graph->edges; e++)
        first[(size_t)graph->demand[e] + 2]++;
    for (size_t d = 0; d < graph->demands; d++)
        first[d + 2] += first[d + 1];
    for (uint32_t s = 0; s < graph->supplies; s++)
        for (size_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
            graph->supply[e] = s;
            graph->demand_edge[first[(size_t)graph->demand[e] + 1]++] = e;
        }
}

/* ---- renumbering ------------------------------------------------------------------------- */

typedef struct flow_part { /* where it begins; it ends where the next one does */
    uint32_t demand, supply;
} flow_part;

typedef struct flow_order {
    uint32_t *demand, *supply; /* new number -> old */
    uint32_t *new_demand, *new_supply;
    uint32_t demands, supplies; /* numbered so far */
    flow_part *parts;           /* one more than there are */
    size_t part_count, part_capacity;
} flow_order;

static void order_release(flow_order *order)
{
    free(order->demand);
    free(order->supply);
    free(order->new_demand);
    free(order->new_supply);
    free(order->parts);
}

static void number_supply(flow_order *order, uint32_t s)
{
    if (order->new_supply[s] != NO_NUMBER) return;
    order->new_supply[s] = order->supplies;
    order->supply[order->supplies++] = s;
}

/* Numbers all that can be reached from supply `s`; returns the number of edges seen. */
static size_t number_component(const flow_graph *graph, flow_order *order, uint32_t s)
{
    size_t edges = 0;
    uint32_t head = order->supplies;
    for (number_supply(order, s); head < order->supplies; head++) {
        uint32_t from = order->supply[head];
        for (size_t e = graph->first[from]; e < graph->first[from + 1]; e++, edges++) {
            uint32_t d = graph->demand[e];
            if (order->new_demand[d] != NO_NUMBER) continue;
            order->new_demand[d] = order->demands;
            order->demand[order->demands++] = d;
            for (size_t i = graph->demand_first[d]; i < graph->demand_first[d + 1]; i++)
                number_supply(order, graph->supply[graph->demand_edge[i]]);
        }
    }
    return edges;
}

static bauta_status end_part(flow_order *order, bauta_error *error)
{
    BT_TRY(bt_array_grow(&order->parts, &order->part_capacity, order->part_count + 1,
                         sizeof *order->parts, error));
    order->parts[order->part_count++] = (flow_part){order->demands, order->supplies};
    return BAUTA_OK;
}

/* Small components share a part. */
static bauta_status number_all(const flow_graph *graph, flow_order *order, bauta_error *error)
{
    size_t edges = 0;
    memset(order->new_demand, 0xff, graph->demands * sizeof *order->new_demand);
    memset(order->new_supply, 0xff, graph->supplies * sizeof *order->new_supply);
    BT_TRY(end_part(order, error));
    for (uint32_t s = 0; s < graph->supplies; s++) {
        if (order->new_supply[s] != NO_NUMBER) continue;
        edges += number_component(graph, order, s);
        if (edges < PART_EDGES) continue;
        BT_TRY(end_part(order, error));
        edges = 0;
    }
    /* Demands that nothing can serve. */
    for (uint32_t d = 0; d < graph->demands; d++)
        if (order->new_demand[d] == NO_NUMBER) order->demand[order->demands++] = d;
    return end_part(order, error);
}

static void renumber(const flow_graph *old, const flow_order *order, flow_graph *graph)
{
    size_t e = 0;
    for (uint32_t s = 0; s < graph->supplies; s++) {
        uint32_t from = order->supply[s];
        for (size_t i = old->first[from]; i < old->first[from + 1]; i++)
            graph->demand[e++] = order->new_demand[old->demand[i]];
        graph->first[s + 1] = e;
    }
    turn_around(graph);
}

/* ---- solving a part ---------------------------------------------------------------------- */

/* Arrays over the whole graph, of which a part uses its stretch; `demands_seen`,
 * `supplies_seen`, `wanting` and `path` begin with it. */
typedef struct flow_state {
    const flow_graph *graph;
    uint32_t *given;   /* per edge */
    uint32_t *lacking; /* per demand */
    uint32_t *left;    /* per supply */
    /* the greedy start: neighbours that have or lack something; later NO_LAYER or a layer */
    uint32_t *demand_layer, *supply_layer;
    size_t *demand_next, *supply_next;      /* the edge that a search tries next */
    uint32_t *demands_seen, *supplies_seen; /* stacks, or the queue of a phase */
    size_t demand_count, supply_count;      /* in them */
    uint32_t *wanting;                      /* demands that lack something after the start */
    size_t wanting_count;
    size_t *path; /* edges of a search: to a supply, back to a demand, … */
} flow_state;

/* While the start runs, the layers count neighbours. */
static void count_neighbours(flow_state *state, flow_part from, flow_part to)
{
    const flow_graph *graph = state->graph;
    for (uint32_t s = from.supply; s < to.supply; s++) {
        state->supply_layer[s] = (uint32_t)(graph->first[s + 1] - graph->first[s]);
        if (state->supply_layer[s] == 1) state->supplies_seen[state->supply_count++] = s;
    }
    for (uint32_t d = from.demand; d < to.demand; d++) {
        state->demand_layer[d] = (uint32_t)(graph->demand_first[d + 1] - graph->demand_first[d]);
        if (state->demand_layer[d] == 1) state->demands_seen[state->demand_count++] = d;
    }
}

/* Gives what edge `e` allows; neighbours that have only one choice now are put aside. A count
 * passes 1 once, so nobody is put aside twice. */
static void give(flow_state *state, size_t e)
{
    const flow_graph *graph = state->graph;
    uint32_t s = graph->supply[e], d = graph->demand[e];
    uint32_t amount = state->lacking[d] < state->left[s] ? state->lacking[d] : state->left[s];
    state->given[e] += amount;
    state->lacking[d] -= amount;
    state->left[s] -= amount;
    for (size_t i = graph->first[s]; state->left[s] == 0 && i < graph->first[s + 1]; i++)
        if (--state->demand_layer[graph->demand[i]] == 1)
            state->demands_seen[state->demand_count++] = graph->demand[i];
    size_t end = state->lacking[d] == 0 ? graph->demand_first[d + 1] : 0;
    for (size_t i = graph->demand_first[d]; i < end; i++) {
        uint32_t other = graph->supply[graph->demand_edge[i]];
        if (--state->supply_layer[other] == 1) state->supplies_seen[state->supply_count++] = other;
    }
}

/* The edge of supply `s` to the demand with the fewest other choices; SIZE_MAX: none lacks. */
static size_t choose_demand(const flow_state *state, uint32_t s)
{
    const flow_graph *graph = state->graph;
    size_t best = SIZE_MAX;
    uint32_t fewest = UINT32_MAX;
    for (size_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
        uint32_t d = graph->demand[e];
        if (state->lacking[d] == 0 || state->demand_layer[d] >= fewest) continue;
        fewest = state->demand_layer[d];
        best = e;
    }
    return best;
}

static size_t choose_supply(const flow_state *state, uint32_t d)
{
    const flow_graph *graph = state->graph;
    for (size_t i = graph->demand_first[d]; i < graph->demand_first[d + 1]; i++)
        if (state->left[graph->supply[graph->demand_edge[i]]] > 0) return graph->demand_edge[i];
    return SIZE_MAX;
}

/* Settles all that have no choice. */
static void settle(flow_state *state)
{
    while (state->supply_count > 0 || state->demand_count > 0) {
        size_t e = SIZE_MAX;
        if (state->supply_count > 0) {
            uint32_t s = state->supplies_seen[--state->supply_count];
            if (state->left[s] > 0) e = choose_demand(state, s);
        } else {
            uint32_t d = state->demands_seen[--state->demand_count];
            if (state->lacking[d] > 0) e = choose_supply(state, d);
        }
        if (e != SIZE_MAX) give(state, e);
    }
}

static void start_greedily(flow_state *state, flow_part from, flow_part to)
{
    count_neighbours(state, from, to);
    settle(state);
    for (uint32_t s = from.supply; s < to.supply; s++) {
        size_t e;
        while (state->left[s] > 0 && (e = choose_demand(state, s)) != SIZE_MAX) {
            give(state, e);
            settle(state);
        }
    }
    for (uint32_t s = from.supply; s < to.supply; s++)
        state->supply_layer[s] = NO_LAYER;
    for (uint32_t d = from.demand; d < to.demand; d++) {
        if (state->lacking[d] > 0) state->wanting[state->wanting_count++] = d;
        state->demand_layer[d] = NO_LAYER;
    }
}

/* ---- phases ---- */

static void reach_demand(flow_state *state, uint32_t d, uint32_t layer)
{
    state->demand_layer[d] = layer;
    state->demand_next[d] = state->graph->demand_first[d];
    state->demands_seen[state->demand_count++] = d;
}

/* Puts supply `s` into `layer`, and behind it the demands that it serves; true when it has
 * something left. */
static bool reach_supply(flow_state *state, uint32_t s, uint32_t layer)
{
    const flow_graph *graph = state->graph;
    state->supply_layer[s] = layer;
    state->supply_next[s] = graph->first[s];
    state->supplies_seen[state->supply_count++] = s;
    if (state->left[s] > 0) return true;
    for (size_t e = graph->first[s]; e < graph->first[s + 1]; e++)
        if (state->given[e] > 0 && state->demand_layer[graph->demand[e]] == NO_LAYER)
            reach_demand(state, graph->demand[e], layer + 1);
    return false;
}

/* Forgets the layers of the phase before. */
static void clear_layers(flow_state *state)
{
    while (state->demand_count > 0)
        state->demand_layer[state->demands_seen[--state->demand_count]] = NO_LAYER;
    while (state->supply_count > 0)
        state->supply_layer[state->supplies_seen[--state->supply_count]] = NO_LAYER;
}

/* Layers up to the first that has a supply with something left; false: there is none. */
static bool make_layers(flow_state *state)
{
    const flow_graph *graph = state->graph;
    uint32_t last = NO_LAYER;
    clear_layers(state);
    for (size_t i = 0; i < state->wanting_count; i++)
        if (state->lacking[state->wanting[i]] > 0) reach_demand(state, state->wanting[i], 0);
    for (size_t head = 0; head < state->demand_count; head++) {
        uint32_t d = state->demands_seen[head], layer = state->demand_layer[d];
        if (layer > last) break;
        for (size_t i = graph->demand_first[d]; i < graph->demand_first[d + 1]; i++) {
            uint32_t s = graph->supply[graph->demand_edge[i]];
            if (state->supply_layer[s] != NO_LAYER) continue;
            if (reach_supply(state, s, layer)) last = layer;
        }
    }
    return last != NO_LAYER;
}

/* The edge from demand `d` to a supply of its layer; SIZE_MAX when none is left to try. */
static size_t step_to_supply(flow_state *state, uint32_t d)
{
    const flow_graph *graph = state->graph;
    for (; state->demand_next[d] < graph->demand_first[d + 1]; state->demand_next[d]++) {
        size_t e = graph->demand_edge[state->demand_next[d]];
        if (state->supply_layer[graph->supply[e]] == state->demand_layer[d]) return e;
    }
    return SIZE_MAX;
}

/* The edge from supply `s` to a demand of the next layer that it serves, or SIZE_MAX. */
static size_t step_to_demand(flow_state *state, uint32_t s)
{
    const flow_graph *graph = state->graph;
    for (; state->supply_next[s] < graph->first[s + 1]; state->supply_next[s]++) {
        size_t e = state->supply_next[s];
        if (state->given[e] > 0 &&
            state->demand_layer[graph->demand[e]] == state->supply_layer[s] + 1)
            return e;
    }
    return SIZE_MAX;
}

/* Moves as much as the path allows: even places give, odd ones take back. */
static void push(flow_state *state, uint32_t demand, size_t length)
{
    uint32_t last = state->graph->supply[state->path[length - 1]];
    uint32_t amount =
        state->lacking[demand] < state->left[last] ? state->lacking[demand] : state->left[last];
    for (size_t i = 1; i < length; i += 2)
        if (state->given[state->path[i]] < amount) amount = state->given[state->path[i]];
    for (size_t i = 0; i < length; i++) {
        if (i % 2 == 0)
            state->given[state->path[i]] += amount;
        else
            state->given[state->path[i]] -= amount;
    }
    state->lacking[demand] -= amount;
    state->left[last] -= amount;
}

/* One search through the layers; false: nothing more for this demand in this phase. The path
 * ends at a demand when its length is even, else at a supply. Who leads to a dead end tries its
 * next edge and does not come back to this one. */
static bool search(flow_state *state, uint32_t demand)
{
    const flow_graph *graph = state->graph;
    size_t *path = state->path, length = 0;
    for (;;) {
        if (length % 2 == 0) {
            uint32_t d = length > 0 ? graph->demand[path[length - 1]] : demand;
            path[length] = step_to_supply(state, d);
            if (path[length] != SIZE_MAX) {
                length++;
                continue;
            }
            if (length == 0) return false;
            length--;
            state->supply_next[graph->supply[path[length]]]++;
        } else {
            uint32_t s = graph->supply[path[length - 1]];
            if (state->left[s] > 0) {
                push(state, demand, length);
                return true;
            }
            path[length] = step_to_demand(state, s);
            if (path[length] != SIZE_MAX) {
                length++;
                continue;
            }
            length--;
            state->demand_next[length > 0 ? graph->demand[path[length - 1]] : demand]++;
        }
    }
}

/* ---- all parts --------------------------------------------------------------------------- */

typedef struct flow_job {
    const bt_run *run;
    const flow_part *parts;
    flow_state state;
} flow_job;

static bauta_status solve_part(void *user, size_t part, unsigned worker, bauta_error *error)
{
    const flow_job *job = user;
    flow_part from = job->parts[part], to = job->parts[part + 1];
    flow_state state = job->state;
    state.demands_seen += from.demand;
    state.supplies_seen += from.supply;
    state.wanting += from.demand;
    state.path += 2 * ((size_t)from.demand + part); /* two more than twice the demands */
    start_greedily(&state, from, to);
    while (make_layers(&state)) {
        BT_TRY(bt_run_progress(job->run, worker, "match", 0, 0, error));
        for (size_t i = 0; i < state.wanting_count; i++)
            while (state.lacking[state.wanting[i]] > 0 && search(&state, state.wanting[i]))
                ;
    }
    return BAUTA_OK;
}

static void state_release(flow_state *state)
{
    free(state->given);
    free(state->lacking);
    free(state->left);
    free(state->demand_layer);
    free(state->supply_layer);
    free(state->demand_next);
    free(state->supply_next);
    free(state->demands_seen);
    free(state->supplies_seen);
    free(state->wanting);
    free(state->path);
}

static bauta_status state_allocate(flow_state *state, size_t parts, bauta_error *error)
{
    size_t demands = state->graph->demands, supplies = state->graph->supplies;
    state->given = bt_array_zero(state->graph->edges, sizeof *state->given);
    state->lacking = bt_array(demands, sizeof *state->lacking);
    state->left = bt_array(supplies, sizeof *state->left);
    state->demand_layer = bt_array(demands, sizeof *state->demand_layer);
    state->supply_layer = bt_array(supplies, sizeof *state->supply_layer);
    state->demand_next = bt_array(demands, sizeof *state->demand_next);
    state->supply_next = bt_array(supplies, sizeof *state->supply_next);
    state->demands_seen = bt_array(demands, sizeof *state->demands_seen);
    state->supplies_seen = bt_array(supplies, sizeof *state->supplies_seen);
    state->wanting = bt_array(demands, sizeof *state->wanting);
    state->path = bt_array(2 * (demands + parts), sizeof *state->path);
    bool memory = state->given && state->lacking && state->left && state->demand_layer &&
                  state->supply_layer && state->demand_next && state->supply_next &&
                  state->demands_seen && state->supplies_seen && state->wanting && state->path;
    return memory ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status solve(const bt_flow *flow, const flow_graph *graph, const flow_order *order,
                          const bt_run *run, uint32_t *lacking, bauta_error *error)
{
    flow_job job = {.run = run, .parts = order->parts, .state = {.graph = graph}};
    size_t parts = order->part_count - 1;
    bauta_status status = state_allocate(&job.state, parts, error);
    if (status == BAUTA_OK) {
        for (uint32_t d = 0; d < graph->demands; d++)
            job.state.lacking[d] = flow->wanted[order->demand[d]];
        for (uint32_t s = 0; s < graph->supplies; s++)
            job.state.left[s] = flow->there[order->supply[s]];
        status = bt_pool_run(run->pool, parts, solve_part, &job, error);
    }
    for (uint32_t d = 0; d < graph->demands && status == BAUTA_OK; d++)
        lacking[order->demand[d]] = job.state.lacking[d];
    state_release(&job.state);
    return status;
}

/* The renumbered graph; that in the numbers of `flow` is needed no longer than this. */
static bauta_status make_graph(const bt_flow *flow, flow_order *order, flow_graph *graph,
                               bauta_error *error)
{
    flow_graph old = *graph;
    order->demand = bt_array(graph->demands, sizeof *order->demand);
    order->supply = bt_array(graph->supplies, sizeof *order->supply);
    order->new_demand = bt_array(graph->demands, sizeof *order->new_demand);
    order->new_supply = bt_array(graph->supplies, sizeof *order->new_supply);
    bauta_status status = graph_allocate(&old, error);
    if (status == BAUTA_OK &&
        (!order->demand || !order->supply || !order->new_demand || !order->new_supply))
        status = bt_fail_memory(error);
    if (status == BAUTA_OK) {
        memcpy(old.first, flow->first, ((size_t)old.supplies + 1) * sizeof *old.first);
        if (old.edges) memcpy(old.demand, flow->demand, old.edges * sizeof *old.demand);
        turn_around(&old);
        status = number_all(&old, order, error);
    }
    if (status == BAUTA_OK) status = graph_allocate(graph, error);
    if (status == BAUTA_OK) renumber(&old, order, graph);
    graph_release(&old);
    return status;
}

bauta_status bt_flow_run(const bt_flow *flow, const bt_run *run, uint32_t *lacking,
                         bauta_error *error)
{
    flow_graph graph = {
        .demands = flow->demands, .supplies = flow->supplies, .edges = flow->first[flow->supplies]};
    flow_order order = {0};
    bauta_status status = make_graph(flow, &order, &graph, error);
    if (status == BAUTA_OK) status = solve(flow, &graph, &order, run, lacking, error);
    graph_release(&graph);
    order_release(&order);
    return status;
}
