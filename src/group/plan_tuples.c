/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of counted tuples: a table in which each row is a different combination of codes, with the
 * number of records that have it. So a table can be planned that is held elsewhere, and is larger
 * than one machine.
 *
 * Classes do not depend on the order of records (bt_method.by_place), so that a method that knows
 * counts makes the same ones of tuples. Other methods tell equal records apart, and are given every
 * record by itself.
 *
 * Cost: that of the method on as many rows as there are tuples; else on the records.
 */
#include "group/plan.h"

typedef struct counted {
    bt_table records; /* every record by itself, where the method needs that */
    bt_people people;
    bt_requirements requirements;
    bt_grouping grouping;
    bt_arena arena;
} counted;

/* The number of records, which sums of sizes and their doubles have room for. */
static bauta_status count_records(const bt_tuple_job *job, int64_t *out, bauta_error *error)
{
    *out = job->counts ? 0 : job->table->rows;
    for (int64_t row = 0; job->counts && row < job->table->rows; row++) {
        int64_t count = (int64_t)job->counts[row];
        if (count <= 0 || __builtin_add_overflow(*out, count, out) || *out > INT64_MAX / 4)
            return bt_fail(error, BAUTA_INVALID,
                           "the numbers of records are at least 1, and 2^61 together at most");
    }
    return BAUTA_OK;
}

/* Every record as a row. */
static bauta_status list_records(const bt_tuple_job *job, int64_t records, bt_table *out,
                                 bauta_error *error)
{
    if (records >= UINT32_MAX) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID,
                    "method '%s' looks at every record by itself, and there are more than %u",
                    job->method->name, UINT32_MAX - 1);
        bt_error_hint(error, "'mondrian', 'incognito' and 'levels' look at different records only");
        return status;
    }
    uint32_t *rows = bt_array((size_t)records, sizeof *rows);
    size_t next = 0;
    if (!rows) return bt_fail_memory(error);
    for (int64_t row = 0; row < job->table->rows; row++)
        for (uint64_t i = 0; i < job->counts[row]; i++)
            rows[next++] = (uint32_t)row;
    bauta_status status = bt_table_pick(job->table, rows, records, out, error);
    free(rows);
    return status;
}

static bauta_status group(const bt_tuple_job *job, counted *c, const bt_table **table,
                          bauta_error *error)
{
    bool sizes = job->requirements->size_only || job->unchecked;
    bool by_place = job->method->by_place && job->method->by_place(job->options);
    int64_t records;
    BT_TRY(count_records(job, &records, error));
    *table = job->table;
    if (job->counts && job->method->tuples && !by_place) {
        BT_TRY(bt_people_of_tuples(*table, job->counts, sizes, &c->people, error));
    } else {
        if (job->counts) {
            BT_TRY(list_records(job, records, &c->records, error));
            *table = &c->records;
        }
        BT_TRY(sizes ? bt_people_counted(*table, &c->people, error)
                     : bt_people_of_table(*table, &c->people, error));
    }
    BT_TRY(bt_requirements_copy(job->requirements, &c->arena, &c->requirements, error));
    c->requirements.people = &c->people;
    if (!job->unchecked)
        BT_TRY(bt_requirements_bind(&c->requirements, &c->people, &c->arena, error));
    /* A method that drops classes may find some that satisfy what the whole table does not. */
    if (!job->unchecked && (job->method->divides || job->suppress.top == 0))
        BT_TRY(bt_requirements_feasible(&c->requirements, error));
    const bt_method_job asked = {.table = *table,
                                 .requirements = &c->requirements,
                                 .options = job->options,
                                 .suppress = job->suppress,
                                 .records = records,
                                 .nodes = job->nodes,
                                 .unchecked = job->unchecked,
                                 .values_shown = job->values_shown,
                                 .run = job->run};
    BT_TRY(bt_group(job->method, &asked, &c->grouping, error));
    if (!job->method->overlaps || job->values_shown) return BAUTA_OK;
    BT_OWN(bt_free) const bt_column **quasi = NULL; /* classes that look alike are one */
    size_t count;
    BT_TRY(bt_table_select(*table, BT_ROLE_QUASI, &quasi, &count, error));
    return bt_grouping_unite(&c->grouping, quasi, job->run, error);
}

bauta_status bt_plan_of_tuples(const bt_tuple_job *job, bt_arena *arena, bt_plan *out,
                               bauta_error *error)
{
    counted c = {0};
    const bt_table *table;
    *out = (bt_plan){0};
    BT_TRY(bt_plan_admit(job->method, error));
    bauta_status status = group(job, &c, &table, error);
    if (status == BAUTA_OK) {
        const bt_plan_source source = {.table = table,
                                       .grouping = &c.grouping,
                                       .method = job->method,
                                       .method_text = job->method_text,
                                       .requirements = &c.requirements,
                                       .cut_points = job->cut_points,
                                       .run = job->run};
        status = bt_plan_make(&source, arena, out, error);
    }
    bt_grouping_release(&c.grouping);
    bt_people_release(&c.people);
    bt_table_release(&c.records);
    bt_arena_release(&c.arena);
    return status;
}
