/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping judged once more, by code that no method uses. Linear in rows.
 */
#include "job/check.h"

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

/* What is left as a table of its own. */
static bauta_status bind_rest(const bt_table *table, const bt_grouping *grouping,
                              const bt_requirements *asked, bt_kept *out, bauta_error *error)
{
    uint32_t *rows = bt_array((size_t)grouping->kept, sizeof *rows);
    out->numbered = bt_array((size_t)grouping->kept, sizeof *out->numbered);
    out->order = out->numbered;
    out->requirements.items =
        bt_arena_array(&out->arena, asked->count, sizeof *out->requirements.items);
    bauta_status status = rows && out->numbered && out->requirements.items
                              ? number_rows(grouping, rows, out->numbered, error)
                              : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        memcpy(out->requirements.items, asked->items,
               asked->count * sizeof *out->requirements.items);
        status = bt_table_pick(table, rows, grouping->kept, &out->rest, error);
    }
    if (status == BAUTA_OK)
        status = asked->size_only ? bt_people_counted(&out->rest, &out->people, error)
                                  : bt_people_of_table(&out->rest, &out->people, error);
    if (status == BAUTA_OK)
        status = bt_requirements_bind(&out->requirements, &out->people, &out->arena, error);
    free(rows);
    return status;
}

bauta_status bt_kept_bind(const bt_table *table, const bt_grouping *grouping,
                          const bt_requirements *asked, bt_kept *out, bauta_error *error)
{
    *out = (bt_kept){.requirements = *asked, .order = grouping->order};
    if (!asked->people->profile_of || grouping->kept == table->rows) return BAUTA_OK;
    return bind_rest(table, grouping, asked, out, error);
}

void bt_kept_release(bt_kept *kept)
{
    free(kept->numbered);
    bt_people_release(&kept->people);
    bt_table_release(&kept->rest);
    bt_arena_release(&kept->arena);
}

bauta_status bt_check_presence(const bt_join *join, const bt_requirements *requirements,
                               bauta_error *error)
{
    const bt_requirement_instance *item = bt_requirements_public(requirements);
    for (uint32_t i = 0; item && i < join->grouping.classes; i++) {
        const bt_bag box = {.size = join->records[i],
                            .external = bt_class_size(&join->grouping, i) - join->records[i]};
        if (!item->type->check(item, NULL, &box)) return unsatisfied(error);
    }
    return BAUTA_OK;
}

bauta_status bt_check_grouping(const bt_table *table, const bt_grouping *grouping,
                               const bt_requirements *requirements, const bt_run *run,
                               bauta_error *error)
{
    if (requirements->people->profile_of) {
        bt_kept kept;
        bauta_status status = bt_kept_bind(table, grouping, requirements, &kept, error);
        checking c = {grouping, kept.order, &kept.requirements};
        if (status == BAUTA_OK) status = check_all(&c, run, error);
        bt_kept_release(&kept);
        return status;
    }
    int64_t least = bt_requirements_least_size(requirements);
    for (uint32_t i = 0; i < grouping->classes; i++)
        if (bt_class_size(grouping, i) < least) return unsatisfied(error);
    return BAUTA_OK;
}
