/* SPDX-License-Identifier: Apache-2.0
 *
 * BT_ASSERT stops where something does not hold, and in a release build is not even evaluated.
 */
#include "../support.h"

#include "base/assert.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a program that asserts something ends by itself. */
static bool survives(int number)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(2);
        signal(SIGILL, SIG_DFL); /* not the test's, which would go on with the next one */
        signal(SIGTRAP, SIG_DFL);
        BT_ASSERT(number == 1);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

static void it_stops_where_it_is_active(void **state)
{
    (void)state;
    assert_true(survives(1));
    assert_int_equal(survives(2), !BT_ASSERTIONS);
}

static int evaluated;

static bool evaluate(void)
{
    evaluated++;
    return true;
}

static void it_costs_nothing_where_it_is_not(void **state)
{
    (void)state;
    evaluated = 0;
    BT_ASSERT(evaluate());
    assert_int_equal(evaluated, BT_ASSERTIONS);
#ifdef NDEBUG
    assert_false(BT_ASSERTIONS);
#else
    assert_true(BT_ASSERTIONS);
#endif
}

static void what_ascends(void **state)
{
    (void)state;
    static const uint32_t up[] = {0, 2, 7}, same[] = {0, 2, 2}, down[] = {3, 1};
    assert_true(bt_ascend(up, 0));
    assert_true(bt_ascend(up, 3));
    assert_false(bt_ascend(same, 3));
    assert_false(bt_ascend(down, 2));
    assert_true(bt_starts_fit(up, 2, 7));
    assert_true(bt_starts_fit(same, 2, 2)); /* a run may be empty */
    assert_false(bt_starts_fit(up, 2, 8));
    assert_false(bt_starts_fit(up + 1, 1, 7));
    assert_false(bt_starts_fit((const uint32_t[]){0, 3, 1}, 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_where_it_is_active),
        cmocka_unit_test(it_costs_nothing_where_it_is_not),
        cmocka_unit_test(what_ascends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
