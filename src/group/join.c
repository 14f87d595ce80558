/* SPDX-License-Identifier: Apache-2.0
 *
 * k-join-anonymity (Sacharidis, Mouratidis and Papadias 2010, paper 5): classes are filled up with
 * persons of a public database, so that they need less room for the same number of persons.
 *
 *   direct   the method groups the joined table; classes without microdata are dropped
 *   refine   the method groups the microdata, then each class together with the external persons
 *            inside its cells, beginning anew. Sensitive values are those of the first grouping, so
 *            whoever looks for them learns what that one tells and no more; and as every class lies
 *            inside one of the first grouping, nothing is lost that was not lost there
 *
 * An external person may be inside several classes of a method whose classes overlap; it is given
 * to one (paper 5 read literally gives it to each, against its Definition 5).
 *
 * The second grouping of refine is one run of the method on what is inside, with the first classes
 * as the parts to begin with, so that it costs what direct does and runs in parallel. A last column
 * with the number of the first class keeps classes apart that would look alike.
 *
 * Where `presence` is required, records must be few among the persons of every class. The first
 * grouping then is of both tables, so that it knows the external persons: it satisfies all
 * requirements, sizes and values counting records. The second asks for `presence` again, as any
 * class may be divided so that records and others part; direct does too. Each class satisfies by
 * itself, so dropping those without microdata breaks nothing.
 */
#include "group/join.h"

#include <string.h>

/* ---- requirements of persons ------------------------------------------------------------- */

typedef struct persons {  /* rows of a joined table, and what is required of them */
    const uint32_t *rows; /* NULL: all */
    int64_t count;
    bool values; /* all requirements, of which only `presence` sees external persons; else those
                    that are not about values, and sizes count all persons */
    bt_requirements requirements;
    bt_people people;
    bt_arena arena;
} persons;

static bauta_status count_persons(const bt_requirements *asked, const bt_join *join, persons *of,
                                  bauta_error *error)
{
    const bt_people *values = of->values ? asked->people : NULL;
    bt_requirements *r = &of->requirements;
    *r = *asked;
    r->count = 0;
    r->size_only = !bt_requirements_public(asked);
    r->items = bt_arena_array(&of->arena, asked->count, sizeof *r->items);
    if (!r->items) return bt_fail_memory(error);
    for (size_t i = 0; i < asked->count; i++)
        if (of->values || !bt_is_about_values(asked->items[i].type))
            r->items[r->count++] = asked->items[i];
    if (r->size_only)
        of->people = bt_people_plain(of->count);
    else
        BT_TRY(bt_people_joined(values, join->microdata, of->rows, of->count, &of->people, error));
    return bt_requirements_bind(r, &of->people, &of->arena, error);
}

static void release_persons(persons *s)
{
    bt_people_release(&s->people);
    bt_arena_release(&s->arena);
}

/* ---- what is left of the classes --------------------------------------------------------- */

/* Drops classes without microdata, trims the others and unites those that trimming made alike.
 * `table` has the columns of the grouping. */
static bauta_status tidy(bt_join *join, const bt_table *table, const bt_method_job *job,
                         bt_trim trim, bauta_error *error)
{
    const bt_column **quasi;
    size_t columns;
    bt_join_drop(join);
    if (trim == BT_TRIM_NONE || join->counts.external == 0) return BAUTA_OK;
    int64_t least = bt_requirements_least_size(job->requirements);
    BT_TRY(bt_join_trim(join, trim, least, job->run, error));
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, &columns, error));
    bauta_status status = bt_grouping_unite(&join->grouping, quasi, job->run, error);
    free(quasi);
    return status;
}

/* ---- both tables at once ----------------------------------------------------------------- */

/* External persons whom max-level keeps apart from all microdata are of no use, and may be too few
 * to make a class. Puts the other rows into `rows`, ascending. */
static bauta_status list_useful(const bt_join *join, const bt_run *run, uint32_t *rows,
                                int64_t *count, bauta_error *error)
{
    bt_parts parts = {0};
    bool *useless = bt_array_zero((size_t)join->table.rows, sizeof *useless);
    bauta_status status = useless ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && bt_parts_needed(&join->table))
        status = bt_parts_make(&join->table, run, &parts, error);
    for (uint32_t p = 0; status == BAUTA_OK && p < parts.count; p++) {
        bool none = parts.order[parts.starts[p]] >= join->microdata; /* they ascend */
        for (uint32_t i = parts.starts[p]; none && i < parts.starts[p + 1]; i++)
            useless[parts.order[i]] = true;
    }
    *count = 0;
    for (int64_t row = 0; status == BAUTA_OK && row < join->table.rows; row++)
        if (!useless[row]) rows[(*count)++] = (uint32_t)row;
    bt_parts_release(&parts);
    free(useless);
    return status;
}

static void rename_rows(bt_grouping *grouping, const uint32_t *rows, int64_t of)
{
    for (int64_t i = 0; i < grouping->kept; i++)
        grouping->order[i] = rows[grouping->order[i]];
    grouping->rows = of;
}

static bauta_status group_all(const bt_method *method, const bt_method_job *job,
                              const bt_table *table, persons *of, bt_join *join, bauta_error *error)
{
    bt_method_job asked = *job;
    of->count = table->rows;
    bauta_status status = count_persons(job->requirements, join, of, error);
    if (status == BAUTA_OK) status = bt_requirements_feasible(&of->requirements, error);
    asked.table = table;
    asked.in_place = true;
    asked.requirements = &of->requirements;
    asked.records = table->rows;
    if (status == BAUTA_OK) status = bt_group(method, &asked, &join->grouping, error);
    release_persons(of);
    return status;
}

static bauta_status group_both(const bt_method *method, const bt_method_job *job, bool values,
                               bt_join *join, bauta_error *error)
{
    bt_table useful = {0};
    persons of = {.values = values};
    int64_t count = join->table.rows;
    if (!bt_parts_needed(&join->table))
        return group_all(method, job, &join->table, &of, join, error);
    uint32_t *rows = bt_array((size_t)count, sizeof *rows);
    bauta_status status =
        rows ? list_useful(join, job->run, rows, &count, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_table_pick(&join->table, rows, count, &useful, error);
    of.rows = rows;
    if (status == BAUTA_OK) status = group_all(method, job, &useful, &of, join, error);
    if (status == BAUTA_OK) rename_rows(&join->grouping, rows, join->table.rows);
    bt_table_release(&useful);
    free(rows);
    return status;
}

/* ---- refine ------------------------------------------------------------------------------ */

typedef struct inside {       /* the microdata and the external persons who are inside a class */
    const uint32_t *class_of; /* per external person; UINT32_MAX: none */
    uint32_t *rows;           /* of the joined table, ascending */
    int64_t count;
    bt_table table; /* of those rows, with a last column: the number of the class */
    bt_parts parts; /* the classes */
} inside;

static void release_inside(inside *in)
{
    free(in->rows);
    bt_table_release(&in->table);
    bt_parts_release(&in->parts);
}

/* Appends the column that keeps classes apart. Within a class it has one value. */
static bauta_status add_column(inside *in, uint32_t classes, const uint32_t *class_of_row,
                               bauta_error *error)
{
    bt_table *table = &in->table;
    bt_column *columns = bt_arena_array(&table->arena, table->count + 1, sizeof *columns);
    int64_t *numbers = bt_arena_array(&table->arena, classes, sizeof *numbers);
    uint32_t *codes = bt_array((size_t)in->count, sizeof *codes);
    if (!columns || !numbers || !codes) {
        free(codes);
        return bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < classes; i++)
        numbers[i] = i;
    memcpy(codes, class_of_row, (size_t)in->count * sizeof *codes);
    memcpy(columns, table->columns, table->count * sizeof *columns);
    columns[table->count] =
        (bt_column){.name = "class",
                    .role = BT_ROLE_QUASI,
                    .domain = {.reading = {.type = BT_INTEGER}, .size = classes, .number = numbers},
                    .width = sizeof *codes,
                    .codes = codes};
    table->columns = columns;
    table->count++;
    return BAUTA_OK;
}

/* The classes as parts; class_of_row is per row of in->table. */
static bauta_status make_parts(inside *in, uint32_t classes, const uint32_t *class_of_row,
                               bauta_error *error)
{
    bt_parts *parts = &in->parts;
    uint32_t *next = bt_array_zero((size_t)classes + 1, sizeof *next);
    parts->count = classes;
    parts->order = bt_array((size_t)in->count, sizeof *parts->order);
    parts->starts = bt_array_zero((size_t)classes + 1, sizeof *parts->starts);
    bool made = next && parts->order && parts->starts;
    for (int64_t i = 0; made && i < in->count; i++)
        next[class_of_row[i] + 1]++;
    for (uint32_t c = 0; made && c < classes; c++)
        parts->starts[c + 1] = next[c + 1] += next[c];
    for (int64_t i = 0; made && i < in->count; i++)
        parts->order[next[class_of_row[i]]++] = (uint32_t)i;
    free(next);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status take_inside(const bt_join *join, inside *in, bauta_error *error)
{
    const bt_grouping *first = &join->sensitive;
    in->rows = bt_array((size_t)join->table.rows, sizeof *in->rows);
    uint32_t *class_of_row = bt_array((size_t)join->table.rows, sizeof *class_of_row);
    bauta_status status = in->rows && class_of_row ? BAUTA_OK : bt_fail_memory(error);
    if (status != BAUTA_OK) goto out;
    for (; in->count < join->microdata; in->count++)
        in->rows[in->count] = (uint32_t)in->count;
    for (uint32_t c = 0; c < first->classes; c++)
        for (uint32_t i = first->starts[c]; i < first->starts[c + 1]; i++)
            class_of_row[first->order[i]] = c;
    for (int64_t i = 0; i < join->counts.external; i++) {
        if (in->class_of[i] == UINT32_MAX) continue;
        class_of_row[in->count] = in->class_of[i];
        in->rows[in->count++] = (uint32_t)(join->microdata + i);
    }
    status = bt_table_pick(&join->table, in->rows, in->count, &in->table, error);
    if (status == BAUTA_OK) status = add_column(in, first->classes, class_of_row, error);
    if (status == BAUTA_OK) status = make_parts(in, first->classes, class_of_row, error);
out:
    free(class_of_row);
    return status;
}

/* Reads the sensitive groups of classes off their last column, and takes it away. */
static bauta_status take_groups(bt_join *join, bauta_error *error)
{
    bt_grouping *g = &join->grouping;
    size_t columns = g->columns - 1;
    join->group_of = bt_array(g->classes, sizeof *join->group_of);
    if (!join->group_of) return bt_fail_memory(error);
    for (uint32_t c = 0; c < g->classes; c++) {
        const bt_box *box = bt_class_box(g, c);
        join->group_of[c] = box[columns].lo;
        memmove(g->boxes + c * columns, box, columns * sizeof *box);
    }
    g->columns = columns;
    return BAUTA_OK;
}

static bauta_status refine_inside(const bt_method *method, const bt_method_job *job, bt_trim trim,
                                  const uint32_t *class_of, bt_join *join, bauta_error *error)
{
    inside in = {.class_of = class_of};
    persons of = {0};
    bt_method_job asked = *job;
    bauta_status status = take_inside(join, &in, error);
    of.rows = in.rows;
    of.count = in.count;
    if (status == BAUTA_OK) status = count_persons(job->requirements, join, &of, error);
    asked.table = &in.table;
    asked.requirements = &of.requirements;
    asked.records = in.count;
    asked.parts = &in.parts;
    asked.notes = NULL;
    if (status == BAUTA_OK) status = method->group(&asked, &join->grouping, error);
    if (status == BAUTA_OK) {
        rename_rows(&join->grouping, in.rows, join->table.rows);
        status = tidy(join, &in.table, job, trim, error);
    }
    if (status == BAUTA_OK) status = take_groups(join, error);
    release_persons(&of);
    release_inside(&in);
    return status;
}

/* Without external persons the classes are those of the microdata. */
static bauta_status keep_first(bt_join *join, bauta_error *error)
{
    const bt_grouping *first = &join->sensitive;
    bt_grouping *g = &join->grouping;
    size_t sides = (size_t)first->classes * first->columns;
    *g = *first;
    g->order = bt_array((size_t)first->kept, sizeof *g->order);
    g->starts = bt_array((size_t)first->classes + 1, sizeof *g->starts);
    g->boxes = bt_array(sides, sizeof *g->boxes);
    g->floors = first->floors ? bt_array(first->columns, sizeof *g->floors) : NULL;
    g->nodes = NULL;
    join->group_of = bt_array(first->classes, sizeof *join->group_of);
    if (!g->order || !g->starts || !g->boxes || (first->floors && !g->floors) || !join->group_of)
        return bt_fail_memory(error);
    memcpy(g->order, first->order, (size_t)first->kept * sizeof *g->order);
    memcpy(g->starts, first->starts, ((size_t)first->classes + 1) * sizeof *g->starts);
    memcpy(g->boxes, first->boxes, sides * sizeof *g->boxes);
    if (g->floors) memcpy(g->floors, first->floors, first->columns * sizeof *g->floors);
    for (uint32_t c = 0; c < first->classes; c++)
        join->group_of[c] = c;
    return BAUTA_OK;
}

/* The grouping that the microdata get without a public table. */
static bauta_status group_first(const bt_method *method, const bt_method_job *job, bt_grouping *out,
                                bauta_error *error)
{
    bt_own_domains own;
    bt_method_job asked = *job;
    bauta_status status = bt_own_domains_make(job->table, &own, error);
    asked.table = &own.table;
    if (status == BAUTA_OK) status = bt_group(method, &asked, out, error);
    if (status == BAUTA_OK) bt_own_domains_restore(&own, out);
    bt_own_domains_release(&own);
    return status;
}

/* A grouping of both tables that knows of `presence`: join->sensitive are the records of its
 * classes. Tells in which of these each external person is. */
static bauta_status group_first_both(const bt_method *method, const bt_method_job *job,
                                     bt_join *join, uint32_t *class_of, bauta_error *error)
{
    const bt_grouping *g = &join->grouping;
    BT_TRY(group_both(method, job, true, join, error));
    BT_TRY(bt_join_settle(join, error));
    for (int64_t i = 0; i < join->counts.external; i++)
        class_of[i] = UINT32_MAX;
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++)
            if (g->order[i] >= join->microdata) class_of[g->order[i] - join->microdata] = c;
    bt_join_unrefine(join);
    return BAUTA_OK;
}

static bauta_status refine(const bt_method *method, const bt_method_job *job, bt_trim trim,
                           uint32_t *class_of, bt_join *join, bauta_error *error)
{
    if (bt_requirements_public(job->requirements)) {
        BT_TRY(group_first_both(method, job, join, class_of, error));
    } else {
        BT_TRY(group_first(method, job, &join->sensitive, error));
        if (join->counts.external > 0)
            BT_TRY(bt_join_inside(join, &join->sensitive, job->table, job->run, class_of, error));
    }
    return join->counts.external == 0 ? keep_first(join, error)
                                      : refine_inside(method, job, trim, class_of, join, error);
}

bauta_status bt_join_group(const bt_method *method, const bt_method_job *job,
                           const bt_join_choice *choice, bt_join *join, bauta_error *error)
{
    bt_join_ungroup(join);
    join->kind = choice->kind;
    if (choice->kind == BT_JOIN_DIRECT) {
        BT_TRY(group_both(method, job, false, join, error));
        BT_TRY(tidy(join, &join->table, job, choice->trim, error));
        return bt_join_settle(join, error);
    }
    uint32_t *class_of = bt_array((size_t)join->counts.external, sizeof *class_of);
    if (!class_of) return bt_fail_memory(error);
    bauta_status status = refine(method, job, choice->trim, class_of, join, error);
    free(class_of);
    return status == BAUTA_OK ? bt_join_settle(join, error) : status;
}
