/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose turn it is, against looking at all queues.
 */
#include "support.h"

#include "require/turns.h"

enum { QUEUES = 40, PROFILES = 7, ROUNDS = 400, STEPS = 120, OUT = -1 };

typedef struct line {
    uint32_t profile_of[QUEUES];
    int64_t place[QUEUES]; /* OUT: does not stand in line */
    uint64_t rarity[PROFILES];
    uint32_t weights[PROFILES];
} line;

static uint64_t rarity_of(void *user, uint32_t profile)
{
    return ((line *)user)->rarity[profile];
}

static bool goes_before(const line *l, uint32_t a, uint32_t b)
{
    uint32_t p = l->profile_of[a], q = l->profile_of[b];
    if (l->rarity[p] != l->rarity[q]) return l->rarity[p] < l->rarity[q];
    if (l->weights[p] != l->weights[q]) return l->weights[p] > l->weights[q];
    return l->place[a] > l->place[b];
}

static int find_next(const line *l)
{
    int best = OUT;
    for (uint32_t q = 0; q < QUEUES; q++)
        if (l->place[q] != OUT && (best == OUT || goes_before(l, q, (uint32_t)best))) best = (int)q;
    return best;
}

/* Places differ, as those of records do. */
static void put(line *l, bt_turns *turns, uint32_t queue, uint64_t *random)
{
    bauta_error error;
    l->place[queue] = (int64_t)(test_below(random, 50) * QUEUES + queue);
    assert_ok(bt_turns_put(turns, queue, l->profile_of[queue], (uint32_t)l->place[queue], rarity_of,
                           l, &error),
              &error);
}

static void take(line *l, bt_turns *turns)
{
    bauta_error error;
    uint32_t queue;
    bool found;
    uint64_t looks = 0;
    int expected = find_next(l);
    assert_ok(bt_turns_take(turns, rarity_of, l, &queue, &found, &looks, &error), &error);
    assert_int_equal(found, expected != OUT);
    if (!found) return;
    assert_int_equal(queue, expected);
    l->place[queue] = OUT;
}

static void the_right_queue_comes_next(void **unused)
{
    (void)unused;
    bauta_error error;
    uint64_t random = 81;
    for (int round = 0; round < ROUNDS; round++) {
        line l = {.place = {0}};
        bt_turns turns;
        for (uint32_t p = 0; p < PROFILES; p++)
            l.weights[p] = (uint32_t)test_below(&random, 3);
        assert_ok(bt_turns_init(&turns, PROFILES, l.weights, &error), &error);
        for (int again = 0; again < 2; again++) {
            for (uint32_t q = 0; q < QUEUES; q++) {
                l.profile_of[q] = (uint32_t)test_below(&random, PROFILES);
                l.place[q] = OUT;
            }
            assert_ok(bt_turns_lay_out(&turns, l.profile_of, sizeof *l.profile_of, QUEUES, &error),
                      &error);
            for (int step = 0; step < STEPS; step++) {
                uint32_t queue = (uint32_t)test_below(&random, QUEUES);
                if (l.place[queue] == OUT && test_below(&random, 3))
                    put(&l, &turns, queue, &random);
                if (test_below(&random, 2)) l.rarity[test_below(&random, PROFILES)]++;
                if (test_below(&random, 2)) take(&l, &turns);
            }
            if (again == 0) bt_turns_clear(&turns);
        }
        for (int q = 0; q <= QUEUES; q++)
            take(&l, &turns);
        assert_int_equal(find_next(&l), OUT);
        bt_turns_release(&turns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_right_queue_comes_next)};
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
