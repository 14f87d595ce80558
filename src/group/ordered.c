/* SPDX-License-Identifier: Apache-2.0
 *
 * Records in an order that says nothing of where they stand in the table: by their quasi codes.
 * Those that are alike in all of them stand at random where requirements look at sizes alone: by
 * their sensitive codes they would come into classes by what is to be hidden. Where requirements
 * look at sensitive values, these follow. A method that breaks ties by the places of records, or
 * draws some of them, is given them so (bt_method.by_place); then the same records make the same
 * classes however they were ordered. Persons whose rows stay together and who are alike in all
 * quasi columns keep the order of their first rows.
 *
 * Cost: linear in rows times columns; a copy of the codes.
 */
#include "group/method.h"
#include "table/order.h"

bool bt_always_by_place(const bt_value *options)
{
    (void)options;
    return true;
}

typedef struct ordered {
    uint32_t *rows; /* of the table of the job, in their order */
    bt_table table; /* those rows */
    bt_people people;
    bt_parts parts;
    bt_requirements requirements;
} ordered;

/* Part by part where there are parts. */
static bauta_status find_order(const bt_method_job *job, ordered *out, bauta_error *error)
{
    const bt_table *table = job->table;
    uint32_t rows = (uint32_t)table->rows, count = 0;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_codes *keys = bt_arena_array(&scratch, table->count + 1, sizeof *keys);
    out->rows = bt_array(rows, sizeof *out->rows);
    bool sizes = job->requirements->size_only;
    uint32_t *shuffled = sizes ? bt_arena_array(&scratch, rows, sizeof *shuffled) : NULL;
    uint32_t *part_of = job->parts ? bt_arena_array(&scratch, rows, sizeof *part_of) : NULL;
    BT_TRY(bt_arena_check(&scratch, error));
    if (!out->rows) return bt_fail_memory(error);
    for (uint32_t p = 0; part_of && p < job->parts->count; p++)
        for (uint32_t i = job->parts->starts[p]; i < job->parts->starts[p + 1]; i++)
            part_of[job->parts->order[i]] = p;
    if (part_of) keys[count++] = (bt_codes){part_of, sizeof *part_of, job->parts->count};
    for (int sensitive = 0; sensitive < (sizes ? 1 : 2); sensitive++)
        for (size_t c = 0; c < table->count; c++) {
            const bt_column *column = &table->columns[c];
            if ((column->role == BT_ROLE_SENSITIVE) != sensitive) continue;
            keys[count++] = (bt_codes){column->codes, column->width, column->domain.size};
        }
    if (!sizes) return bt_order_rows(keys, count, NULL, rows, out->rows, error);
    bt_stream stream;
    bt_stream_init(&stream, &job->run->seed, "alike", 0);
    bt_stream_permutation(&stream, shuffled, rows);
    BT_TRY(bt_order_rows(keys, count, shuffled, rows, out->rows, error));
    for (uint32_t i = 0; i < rows; i++)
        out->rows[i] = shuffled[out->rows[i]];
    return BAUTA_OK;
}

/* Numbers profiles by their first records, whose order they had before. */
static bauta_status number_profiles(bt_people *people, size_t rows, bauta_error *error)
{
    const uint32_t *values = people->profile_values;
    size_t columns = people->columns;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t *number = bt_arena_array(&scratch, people->profiles, sizeof *number), next = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    people->profile_values =
        bt_array((size_t)people->profiles * columns + 1, sizeof *people->profile_values);
    if (!people->profile_values) return bt_fail_memory(error);
    for (size_t i = 0; i < rows; i++) {
        uint32_t *profile = &people->profile_of[i];
        if (number[*profile] == 0) {
            memcpy(people->profile_values + next * columns, values + *profile * columns,
                   columns * sizeof *values);
            number[*profile] = ++next;
        }
        *profile = number[*profile] - 1;
    }
    BT_ASSERT(next == people->profiles);
    return BAUTA_OK;
}

/* The same people, in the order of the rows; what is not per row is borrowed. */
static bauta_status order_people(const bt_people *people, ordered *out, bauta_error *error)
{
    size_t rows = (size_t)out->table.rows;
    bt_people *to = &out->people;
    *to = *people;
    to->arena = (bt_arena){0};
    to->profile_of = NULL;
    to->unit_starts = NULL;
    to->unit_profiles = NULL;
    if (people->subject_of) to->subject_of = out->table.subject_of;
    if (people->profile_of) {
        to->profile_of = bt_array(rows, sizeof *to->profile_of);
        if (!to->profile_of) return bt_fail_memory(error);
        for (size_t i = 0; i < rows; i++)
            to->profile_of[i] = people->profile_of[out->rows[i]];
    }
    if (people->profile_of && !people->unit_starts && !people->pair_of && !people->joined)
        BT_TRY(number_profiles(to, rows, error));
    if (!people->unit_starts) return BAUTA_OK;
    to->unit_starts = bt_array_zero(rows + 1, sizeof *to->unit_starts);
    to->unit_profiles = bt_array(people->unit_starts[rows], sizeof *to->unit_profiles);
    if (!to->unit_starts || !to->unit_profiles) return bt_fail_memory(error);
    for (size_t i = 0; i < rows; i++) {
        size_t from = people->unit_starts[out->rows[i]];
        size_t count = people->unit_starts[out->rows[i] + 1] - from;
        memcpy(to->unit_profiles + to->unit_starts[i], people->unit_profiles + from,
               count * sizeof *to->unit_profiles);
        to->unit_starts[i + 1] = to->unit_starts[i] + count;
    }
    return BAUTA_OK;
}

static bauta_status order_parts(const bt_parts *parts, uint32_t rows, bt_parts *out,
                                bauta_error *error)
{
    *out = (bt_parts){.count = parts->count, .starts = parts->starts};
    out->order = bt_array(rows, sizeof *out->order);
    if (!out->order) return bt_fail_memory(error);
    for (uint32_t i = 0; i < rows; i++)
        out->order[i] = i;
    return BAUTA_OK;
}

static bauta_status make(const bt_method_job *job, ordered *out, bauta_error *error)
{
    BT_TRY(find_order(job, out, error));
    BT_TRY(bt_table_pick(job->table, out->rows, job->table->rows, &out->table, error));
    BT_TRY(order_people(job->requirements->people, out, error));
    out->requirements = *job->requirements;
    out->requirements.people = &out->people;
    if (!job->parts) return BAUTA_OK;
    return order_parts(job->parts, (uint32_t)job->table->rows, &out->parts, error);
}

/* Names the rows of classes as the job does, ascending again: by their classes, not by sorting. */
static bauta_status rename_rows(const uint32_t *rows, bt_grouping *grouping, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t *class_of = bt_arena_array(&scratch, (size_t)grouping->rows, sizeof *class_of);
    uint32_t *next = bt_arena_array(&scratch, grouping->classes, sizeof *next);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t c = 0; c < grouping->classes; c++) {
        next[c] = grouping->starts[c];
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            class_of[rows[grouping->order[i]]] = c + 1; /* 0: dropped */
    }
    for (int64_t row = 0; row < grouping->rows; row++)
        if (class_of[row] > 0) grouping->order[next[class_of[row] - 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

bauta_status bt_method_run(const bt_method *method, const bt_method_job *job, bt_grouping *out,
                           bauta_error *error)
{
    ordered o = {0};
    if (job->in_place || !method->by_place || !method->by_place(job->options))
        return method->group(job, out, error);
    bauta_status status = make(job, &o, error);
    if (status == BAUTA_OK) {
        bt_method_job asked = *job;
        asked.table = &o.table;
        asked.requirements = &o.requirements;
        asked.parts = job->parts ? &o.parts : NULL;
        status = method->group(&asked, out, error);
    }
    if (status == BAUTA_OK) status = rename_rows(o.rows, out, error);
    bt_table_release(&o.table);
    if (o.people.profile_values != job->requirements->people->profile_values)
        free(o.people.profile_values);
    free(o.people.profile_of);
    free(o.people.unit_starts);
    free(o.people.unit_profiles);
    free(o.parts.order);
    free(o.rows);
    return status;
}
