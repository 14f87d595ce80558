/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging classes that do not satisfy.
 *
 * Classes that share persons do not add up: of two persons with two rows each, {flu, cough} and
 * {cough, flu}, every class may be half flu, and both together are all flu. So when two classes
 * that satisfy are published alike, and therefore are one, that one has to be judged again. One
 * that fails is merged with its neighbour in the order of classes, which is near it since parts
 * were divided in that order; then classes are united that look alike, and all is judged again.
 * What max-level keeps apart is never merged. It ends: each part as a whole satisfies.
 *
 * Cost: linear in rows for each round; a round at least halves the classes that fail or makes them
 * larger, and most often there is none.
 */
#include "class/steer.h"
#include "group/method.h"

typedef struct repair {
    const bt_method_job *job;
    const bt_column **quasi;
    size_t columns;
    bt_grouping *grouping;
    bool *fails;      /* per class */
    uint32_t *target; /* per class: the class whose number it gets */
} repair;

enum { JUDGED_AT_ONCE = 1024 };

static bauta_status judge_classes(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const repair *r = user;
    const bt_requirements *requirements = r->job->requirements;
    size_t from = task * JUDGED_AT_ONCE, to = from + JUDGED_AT_ONCE;
    if (to > r->grouping->classes) to = r->grouping->classes;
    bt_tally *tally;
    BT_TRY(bt_tally_new(requirements->people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (size_t c = from; c < to && status == BAUTA_OK; c++) {
        bt_tally_clear(tally);
        for (uint32_t i = r->grouping->starts[c]; i < r->grouping->starts[c + 1]; i++)
            if (status == BAUTA_OK) status = bt_tally_add_row(tally, r->grouping->order[i], error);
        r->fails[c] = status == BAUTA_OK && !bt_requirements_check(requirements, tally, NULL);
    }
    bt_tally_free(tally);
    return status;
}

/* Whether max-level allows two classes to become one. */
static bool may_merge(const repair *r, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < r->columns; c++) {
        const bt_column *column = r->quasi[c];
        if (bt_is_limited(column) &&
            bt_highest_node(column, bt_class_box(r->grouping, a)[c].lo) !=
                bt_highest_node(column, bt_class_box(r->grouping, b)[c].lo))
            return false;
    }
    return true;
}

static uint32_t root_of(uint32_t *target, uint32_t number)
{
    while (target[number] != number)
        number = target[number] = target[target[number]];
    return number;
}

/* The nearest class before or behind that it may be merged with. */
static bool find_neighbour(const repair *r, uint32_t number, uint32_t *out)
{
    uint32_t classes = r->grouping->classes;
    for (uint32_t away = 1; away < classes; away++) {
        if (away <= number && may_merge(r, number, number - away)) {
            *out = number - away;
            return true;
        }
        if (away < classes - number && may_merge(r, number, number + away)) {
            *out = number + away;
            return true;
        }
    }
    return false;
}

/* Decides which classes become one; *merged is how many are fewer. */
static bauta_status choose_merges(repair *r, uint32_t *merged, bauta_error *error)
{
    uint32_t classes = r->grouping->classes;
    *merged = 0;
    for (uint32_t i = 0; i < classes; i++)
        r->target[i] = i;
    for (uint32_t i = 0; i < classes; i++) {
        uint32_t other = i;
        if (!r->fails[i]) continue;
        if (!find_neighbour(r, i, &other))
            return bt_fail(error, BAUTA_INTERNAL,
                           "a class satisfies neither alone nor with others");
        uint32_t a = root_of(r->target, i), b = root_of(r->target, other);
        *merged += a != b;
        r->target[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t i = 0; i < classes; i++)
        r->target[i] = root_of(r->target, i);
    return BAUTA_OK;
}

static bauta_status round_of(repair *r, uint32_t *merged, bauta_error *error)
{
    size_t classes = r->grouping->classes;
    r->fails = bt_array_zero(classes, sizeof *r->fails);
    r->target = bt_array(classes, sizeof *r->target);
    bauta_status status = r->fails && r->target ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_pool_run(r->job->run->pool, (classes + JUDGED_AT_ONCE - 1) / JUDGED_AT_ONCE,
                             judge_classes, r, error);
    if (status == BAUTA_OK) status = choose_merges(r, merged, error);
    if (status == BAUTA_OK && *merged > 0)
        status = bt_grouping_merge(r->grouping, r->target, r->grouping->classes - *merged, error);
    if (status == BAUTA_OK && *merged > 0)
        status = bt_grouping_unite(r->grouping, r->quasi, r->job->run, error);
    free(r->fails);
    free(r->target);
    return status;
}

bauta_status bt_classes_repair(const bt_method_job *job, bt_grouping *grouping, bauta_error *error)
{
    repair r = {.job = job, .grouping = grouping};
    uint32_t merged = 1;
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &r.quasi, &r.columns, error));
    bauta_status status = BAUTA_OK;
    while (status == BAUTA_OK && merged > 0)
        status = round_of(&r, &merged, error);
    free(r.quasi);
    return status;
}
