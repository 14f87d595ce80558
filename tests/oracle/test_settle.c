/* SPDX-License-Identifier: Apache-2.0
 *
 * Supplies without a choice against all matchings of small random graphs.
 */
#include "support.h"

#include "audit/settle.h"
#include "base/memory.h"

#include <string.h>

enum { MOST = 5, EDGES = MOST * MOST, ROUNDS = 20000 };

typedef struct graph {
    uint32_t demands, supplies, wanted[MOST], there[MOST];
    size_t first[MOST + 1];
    uint32_t demand[EDGES];
    bool all_used;
    /* found by trying everything */
    bool matched;                /* there is a matching */
    uint32_t serves[MOST][MOST]; /* the least that a supply gives to a demand */
} graph;

/* Made around a matching, so that there is one. */
static void make_graph(graph *g, uint64_t *random)
{
    bool edge[MOST][MOST] = {{false}};
    *g = (graph){.demands = 1 + (uint32_t)test_below(random, MOST),
                 .supplies = 1 + (uint32_t)test_below(random, MOST),
                 .all_used = test_below(random, 2)};
    for (uint32_t s = 0; s < g->supplies; s++) {
        for (uint64_t i = test_below(random, 4); i > 0; i--) {
            uint32_t d = (uint32_t)test_below(random, g->demands);
            g->there[s]++;
            g->wanted[d]++;
            edge[s][d] = true;
        }
        if (!g->all_used) g->there[s] += (uint32_t)(test_below(random, 4) == 0);
        for (uint32_t d = 0; d < g->demands; d++)
            edge[s][d] = edge[s][d] || test_below(random, 4) == 0;
    }
    size_t count = 0;
    for (uint32_t s = 0; s < g->supplies; s++) {
        for (uint32_t d = 0; d < g->demands; d++)
            if (edge[s][d]) g->demand[count++] = d;
        g->first[s + 1] = count;
    }
}

/* Gives what is left of a supply to its demands from edge `e` on, in every way. */
static void give(graph *g, uint32_t supply, size_t e, uint32_t left, uint32_t *need,
                 uint32_t given[MOST][MOST])
{
    if (supply == g->supplies) {
        for (uint32_t d = 0; d < g->demands; d++)
            if (need[d] > 0) return;
        for (uint32_t s = 0; s < g->supplies; s++)
            for (uint32_t d = 0; d < g->demands; d++)
                if (!g->matched || given[s][d] < g->serves[s][d]) g->serves[s][d] = given[s][d];
        g->matched = true;
        return;
    }
    if (e == g->first[supply + 1]) {
        if (left > 0 && g->all_used) return;
        uint32_t next = supply + 1 < g->supplies ? g->there[supply + 1] : 0;
        give(g, supply + 1, e, next, need, given);
        return;
    }
    uint32_t d = g->demand[e];
    for (uint32_t amount = 0; amount <= left && amount <= need[d]; amount++) {
        need[d] -= amount;
        given[supply][d] = amount;
        give(g, supply, e + 1, left - amount, need, given);
        need[d] += amount;
        given[supply][d] = 0;
    }
}

static void what_is_settled_is_so_in_every_matching(void **unused)
{
    (void)unused;
    uint64_t random = 71;
    int settled = 0, forced = 0;
    for (int round = 0; round < ROUNDS; round++) {
        graph g;
        bauta_error error;
        uint32_t demand_of[MOST], need[MOST], given[MOST][MOST] = {{0}};
        make_graph(&g, &random);
        memcpy(need, g.wanted, sizeof need);
        give(&g, 0, 0, g.there[0], need, given);
        assert_true(g.matched);
        const bt_flow flow = {g.demands, g.supplies, g.wanted, g.there, g.first, g.demand};
        assert_ok(bt_settle(&flow, g.all_used, demand_of, &error), &error);
        for (uint32_t s = 0; s < g.supplies; s++) {
            if (g.there[s] == 0) continue;
            for (uint32_t d = 0; d < g.demands; d++)
                forced += g.serves[s][d] == g.there[s];
            settled += demand_of[s] != BT_UNSETTLED;
            if (demand_of[s] != BT_UNSETTLED)
                assert_int_equal(g.serves[s][demand_of[s]], g.there[s]);
        }
    }
    /* And most of it is found. */
    assert_true(settled > forced * 9 / 10);
}

/* A supply that fits two demands, one of which others fill. */
static void a_full_demand_leaves_one_choice(void **unused)
{
    (void)unused;
    bauta_error error;
    static const uint32_t wanted[] = {2, 1}, there[] = {1, 2}, demand[] = {0, 1, 0};
    static const size_t first[] = {0, 2, 3};
    const bt_flow flow = {2, 2, wanted, there, first, demand};
    uint32_t demand_of[2];
    assert_ok(bt_settle(&flow, true, demand_of, &error), &error);
    assert_int_equal(demand_of[0], 1);
    assert_int_equal(demand_of[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_settled_is_so_in_every_matching),
        cmocka_unit_test(a_full_demand_leaves_one_choice),
    };
    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
