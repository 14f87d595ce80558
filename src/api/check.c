/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping judged once more, by code that no method uses. Linear in rows.
 */
#include "api/check.h"

enum { CLASSES_PER_CHECK = 4096 };

typedef struct checking {
    const bt_grouping *grouping;
    const uint32_t *order; /* as that of the grouping, but records are numbered as people are */
    const bt_requirements *requirements;
} checking;

static bauta_status unsatisfied(bauta_error *error)
{
    return bt_fail(error, BAUTA_INTERNAL, "the grouping does not satisfy the requirements");
}

static bauta_status check_classes(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const checking *c = user;
    size_t from = task * CLASSES_PER_CHECK, to = from + CLASSES_PER_CHECK;
    if (to > c->grouping->classes) to = c->grouping->classes;
    bt_tally *tally;
    BT_TRY(bt_tally_new(c->requirements->people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (size_t i = from; i < to && status == BAUTA_OK; i++) {
        bt_tally_clear(tally);
        for (uint32_t at = c->grouping->starts[i]; at < c->grouping->starts[i + 1]; at++)
            if (status == BAUTA_OK) status = bt_tally_add_row(tally, c->order[at], error);
        if (status == BAUTA_OK && !bt_requirements_check(c->requirements, tally, NULL))
            status = unsatisfied(error);
    }
    bt_tally_free(tally);
    return status;
}

static bauta_status check_all(checking *c, const bt_run *run, bauta_error *error)
{
    size_t classes = c->grouping->classes;
    return bt_pool_run(run->pool, (classes + CLASSES_PER_CHECK - 1) / CLASSES_PER_CHECK,
                       check_classes, c, error);
}

/* Lists the rows that are in a class, and numbers those of `order` by their places among them. */
static bauta_status number_rows(const bt_grouping *grouping, uint32_t *rows, uint32_t *order,
                                bauta_error *error)
{
    uint32_t *number = bt_array_zero((size_t)grouping->rows, sizeof *number), next = 0;
    if (!number) return bt_fail_memory(error);
    for (int64_t i = 0; i < grouping->kept; i++)
        number[grouping->order[i]] = 1;
    for (int64_t row = 0; row < grouping->rows; row++) {
        if (!number[row]) continue;
        number[row] = next;
        rows[next++] = (uint32_t)row;
    }
    for (int64_t i = 0; i < grouping->kept; i++)
        order[i] = number[grouping->order[i]];
    free(number);
    return BAUTA_OK;
}

/* Requirements are bound anew to the records that are left: what a class is compared with is what
 * is published. */
static bauta_status check_rest(const bt_table *table, const bt_grouping *grouping,
                               const bt_requirements *asked, const bt_run *run, bauta_error *error)
{
    bt_arena arena = {0};
    bt_table rest = {0};
    bt_people people = {0};
    bt_requirements requirements = *asked;
    uint32_t *rows = bt_array((size_t)grouping->kept, sizeof *rows);
    uint32_t *order = bt_array((size_t)grouping->kept, sizeof *order);
    requirements.items = bt_arena_array(&arena, asked->count, sizeof *requirements.items);
    bauta_status status = rows && order && requirements.items
                              ? number_rows(grouping, rows, order, error)
                              : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        memcpy(requirements.items, asked->items, asked->count * sizeof *requirements.items);
        status = bt_table_pick(table, rows, grouping->kept, &rest, error);
    }
    if (status == BAUTA_OK)
        status = asked->size_only ? bt_people_counted(&rest, &people, error)
                                  : bt_people_of_table(&rest, &people, error);
    if (status == BAUTA_OK) status = bt_requirements_bind(&requirements, &people, &arena, error);
    checking c = {grouping, order, &requirements};
    if (status == BAUTA_OK) status = check_all(&c, run, error);
    free(rows);
    free(order);
    bt_people_release(&people);
    bt_table_release(&rest);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_check_grouping(const bt_table *table, const bt_grouping *grouping,
                               const bt_requirements *requirements, const bt_run *run,
                               bauta_error *error)
{
    checking c = {grouping, grouping->order, requirements};
    if (requirements->people->profile_of && grouping->kept < table->rows)
        return check_rest(table, grouping, requirements, run, error);
    if (requirements->people->profile_of) return check_all(&c, run, error);
    int64_t least = bt_requirements_least_size(requirements);
    for (uint32_t i = 0; i < grouping->classes; i++)
        if (bt_class_size(grouping, i) < least) return unsatisfied(error);
    return BAUTA_OK;
}
