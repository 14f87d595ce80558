/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparison with the original: is there a way to give each published row an original
 * record of its own that its cells contain and whose sensitive and other values are the same?
 *
 * Exact. Published rows that are alike in everything are one demand, original records alike in
 * everything one supply. A supply can serve the demands whose class's box contains it (an index
 * over the boxes finds those classes) and whose values agree (a lookup). Where boxes are
 * disjoint a supply serves at most one demand and the answer is counting; where they overlap it
 * is a largest flow.
 *
 * In two-tables there are two questions. Whether the rows of quasi.csv are records, one each, is
 * counting. Whether the rows of sensitive.csv are those of records of their classes is the flow
 * above, where a supply can serve the classes that have its quasi values. Both together are exact
 * where no record was dropped and no quasi values are in two classes. Else it would have to be
 * known which records are in which class: a matching in three dimensions, for which no fast way is
 * known. What is asked of the bags is then necessary, and no record is used twice.
 *
 * In a join what is matched are the rows of sensitive.csv, with the records that lie in a box of
 * their sensitive group; whether those of data.csv are persons is asked in join.c.
 * In a distribution the rows of quasi.csv are counted as well, and a record may have any row of
 * sensitive.csv in its group that holds its value: the flow must serve as many as there are
 * records.
 *
 * Cost: linear in rows, plus the index (boxes.h, rows.h) and the flow (flow.h), for which no more
 * pairs are listed than a multiple of the rows: beyond that nothing is said.
 */
#include "audit/boxes.h"
#include "audit/finding.h"
#include "audit/flow.h"
#include "audit/holding.h"
#include "audit/placing.h"
#include "audit/rows.h"
#include "audit/settle.h"
#include "audit/texts.h"
#include "base/sort.h"
#include "reading/compared.h"
#include "recipe/names.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TASK_SUPPLIES = 4096 };

typedef struct exact_column { /* a sensitive column of both; or its categories in the one */
    const bt_release_column *published;
    const bt_column *original;
    uint32_t *code; /* code of the original -> of the published; BT_TUPLE_NONE: not there */
} exact_column;

typedef struct edge_list { /* what a task found: demands, supply by supply */
    uint32_t *demands;
    size_t count, capacity;
} edge_list;

typedef struct match {
    const bt_release *release;
    const bt_audit_original *original;
    const bt_run *run;
    bool two_tables;
    /* distribution */
    const bt_weighted *targets; /* NULL: another form, or they cannot be read */
    bool distribution;
    bt_holding holding;
    bt_arena arena;
    /* quasi columns */
    size_t quasi_count;
    const bt_column **quasi; /* of the original */
    bt_placing *placings;    /* two-tables: positions are codes of the published column */
    bt_boxes *boxes;
    bt_rows *rows; /* two-tables, instead of boxes */
    /* columns that must be equal */
    size_t exact_count;
    exact_column *exact;
    bool has_texts;                               /* there are other columns, and their input */
    uint32_t *texts, *original_texts, text_count; /* per row: number of their texts */
    /* demands and supplies */
    uint32_t *class_of;  /* per row of the file with the sensitive columns; join: its group */
    uint32_t bags;       /* of these */
    size_t demand_width; /* class, sensitive columns, texts */
    bt_tuples demands, supplies;
    uint32_t *demand_of, *supply_of; /* per row, and per record */
    bt_tuple_index *demand_index;
    uint32_t *quasi_of; /* two-tables: per supply, its combination in quasi.csv */
    edge_list *lists;
    size_t *first;
    size_t most; /* edges */
    _Atomic size_t edges;
} match;

/* ---- columns ----------------------------------------------------------------------------- */

/* Where only categories are published: the code under which that of each value stands. */
static bauta_status join_categories(match *m, exact_column *column, bauta_error *error)
{
    const bt_release_column *published = column->published;
    const bt_domain *domain = &column->original->domain;
    bt_names category_of = {0};
    bool added;
    uint32_t category;
    bauta_status status = BAUTA_OK;
    uint32_t *code_of = bt_arena_array(&m->arena, published->category_count, sizeof *code_of);
    column->code = bt_arena_array(&m->arena, domain->size, sizeof *column->code);
    if (!code_of || !column->code) return bt_fail_memory(error);
    for (uint32_t c = 0; c < published->category_count; c++)
        code_of[c] = BT_TUPLE_NONE;
    for (uint32_t i = 0; i < published->values->count; i++)
        if (published->category[i] != BT_NOT_KNOWN) code_of[published->category[i]] = i;
    for (uint32_t c = 0; c < published->category_count; c++)
        for (size_t i = 0; i < published->categories[c].count && status == BAUTA_OK; i++)
            status =
                bt_names_add(&category_of, 0, published->categories[c].values[i], c, &added, error);
    for (uint32_t i = 0; i < domain->size; i++)
        column->code[i] = bt_names_find(&category_of, 0, domain->text[i], &category)
                              ? code_of[category]
                              : BT_TUPLE_NONE;
    bt_names_release(&category_of);
    return status;
}

/* Where values are published: the code under which each value of the original stands. */
static bauta_status join_values(match *m, exact_column *column, bauta_error *error)
{
    const bt_values *values = column->published->values;
    const bt_domain *domain = &column->original->domain;
    bt_names names = {0};
    bt_buffer text = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    column->code = bt_arena_array(&m->arena, domain->size, sizeof *column->code);
    if (!column->code) return bt_fail_memory(error);
    for (uint32_t i = 0; i < domain->size && status == BAUTA_OK; i++) {
        column->code[i] = BT_TUPLE_NONE;
        status = bt_names_add(&names, 0, domain->text[i], i, &added, error);
    }
    for (uint32_t i = 0; i < values->count && status == BAUTA_OK; i++) {
        uint32_t code;
        text.length = 0;
        status = bt_buffer_add(&text, values->text[i], values->length[i], error);
        if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error);
        if (status == BAUTA_OK && bt_names_find(&names, 0, text.bytes, &code))
            column->code[code] = i;
    }
    bt_names_release(&names);
    bt_buffer_release(&text);
    return status;
}

/* distribution: the leaf of the hierarchy that each value is. */
static bauta_status join_leaves(match *m, exact_column *column, bauta_error *error)
{
    const bt_hierarchy *tree = column->published->manifest->hierarchy;
    const bt_domain *domain = &column->original->domain;
    column->code = bt_arena_array(&m->arena, domain->size, sizeof *column->code);
    if (!column->code) return bt_fail_memory(error);
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    for (uint32_t leaf = 0; leaf < tree->leaves && status == BAUTA_OK; leaf++)
        status =
            bt_names_add(&names, 0, tree->nodes[tree->leaf_node[leaf]].name, leaf, &added, error);
    for (uint32_t i = 0; i < domain->size && status == BAUTA_OK; i++)
        if (!bt_names_find(&names, 0, domain->text[i], &column->code[i]))
            column->code[i] = BT_TUPLE_NONE;
    bt_names_release(&names);
    return status;
}

static bauta_status join_sensitive(match *m, exact_column *column, bauta_error *error)
{
    if (m->distribution) return join_leaves(m, column, error);
    return bt_shows_categories(column->published->manifest) ? join_categories(m, column, error)
                                                            : join_values(m, column, error);
}

static bauta_status join_quasi(match *m, const bt_release_column *published,
                               const bt_column *original, bauta_error *error)
{
    size_t place = m->quasi_count++;
    exact_column values = {.published = published, .original = original};
    m->quasi[place] = original;
    if (!published->values_shown)
        return bt_placing_make(published, original, &m->arena, &m->placings[place], error);
    BT_TRY(join_values(m, &values, error));
    m->placings[place] = (bt_placing){.of_code = values.code};
    return BAUTA_OK;
}

static bauta_status join_columns(match *m, bauta_error *error)
{
    size_t all = m->release->column_count;
    m->quasi = bt_arena_array(&m->arena, all, sizeof *m->quasi);
    m->placings = bt_arena_array(&m->arena, all, sizeof *m->placings);
    m->exact = bt_arena_array(&m->arena, all, sizeof *m->exact);
    if (!m->quasi || !m->placings || !m->exact) return bt_fail_memory(error);
    for (size_t i = 0; i < all; i++) {
        const bt_release_column *column = &m->release->columns[i];
        const bt_column *original = NULL;
        if (column->manifest->role == BT_ROLE_OTHER) {
            m->has_texts = m->original->input != NULL;
            continue;
        }
        if (bt_is_companion(column->manifest)) continue;   /* follows from the column beside it */
        if (bt_release_lacks_categories(column)) continue; /* which value has which is not known */
        BT_TRY(bt_original_find(m->original->table, column->manifest->name, &original, error));
        if (column->manifest->role == BT_ROLE_QUASI) {
            BT_TRY(join_quasi(m, column, original, error));
        } else {
            exact_column *exact = &m->exact[m->exact_count++];
            *exact = (exact_column){.published = column, .original = original};
            BT_TRY(join_sensitive(m, exact, error));
        }
    }
    return BAUTA_OK;
}

/* ---- other columns ----------------------------------------------------------------------- */

static bauta_status find_input_column(const match *m, const char *name, size_t *out,
                                      bauta_error *error)
{
    const char *const *names = bt_input_names(m->original->input);
    for (size_t i = 0; i < bt_input_columns(m->original->input); i++)
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return BAUTA_OK;
        }
    return bt_fail(error, BAUTA_INVALID, "the original has no column '%s'", name);
}

static bauta_status join_texts(match *m, bauta_error *error)
{
    size_t all = m->release->column_count, count = 0;
    size_t *here = bt_arena_array(&m->arena, all, sizeof *here);
    size_t *there = bt_arena_array(&m->arena, all, sizeof *there);
    bt_reading *readings = bt_arena_array(&m->arena, all, sizeof *readings);
    if (!here || !there || !readings) return bt_fail_memory(error);
    for (size_t i = 0; i < all; i++) {
        const bt_manifest_column *column = m->release->columns[i].manifest;
        if (column->role != BT_ROLE_OTHER) continue;
        size_t place = m->release->columns[i].place;
        readings[place] = bt_release_reading(column);
        here[count] = place;
        BT_TRY(find_input_column(m, column->name, &there[count++], error));
    }
    bt_texts published = {m->release->files[0].input, m->release->rows, here, count, readings};
    bt_texts original = {m->original->input, m->original->table->rows, there, count,
                         m->original->readings};
    return bt_texts_number(&published, &original, m->run, &m->texts, &m->original_texts,
                           &m->text_count, error);
}

/* ---- demands and supplies ---------------------------------------------------------------- */

static bauta_status group_demands(match *m, bauta_error *error)
{
    bt_codes *codes = bt_arena_array(&m->arena, m->exact_count + 2, sizeof *codes);
    size_t width = 0;
    int64_t rows = bt_sensitive_rows(m->release);
    m->demand_of = bt_array((size_t)rows, sizeof *m->demand_of);
    if (!codes || !m->demand_of) return bt_fail_memory(error);
    BT_TRY(bt_release_bags(m->release, m->run, &m->class_of, &m->bags, error));
    codes[width++] = (bt_codes){m->class_of, 4, m->bags};
    for (size_t i = 0; i < m->exact_count; i++) {
        const bt_release_column *column = m->exact[i].published;
        const bt_release_distribution *shown = &m->release->distribution;
        codes[width++] = m->distribution
                             ? (bt_codes){shown->part_of, 4, shown->part_count}
                             : (bt_codes){column->codes, column->width, column->values->count};
    }
    if (m->has_texts && !m->two_tables) codes[width++] = (bt_codes){m->texts, 4, m->text_count};
    m->demand_width = width;
    return bt_tuples_number(codes, width, rows, m->run, &m->demands, m->demand_of, &m->demand_index,
                            error);
}

static bauta_status group_supplies(match *m, bauta_error *error)
{
    size_t width = 0;
    int64_t rows = m->original->table->rows;
    bt_codes *codes = bt_arena_array(&m->arena, m->quasi_count + m->exact_count + 1, sizeof *codes);
    m->supply_of = bt_array((size_t)rows, sizeof *m->supply_of);
    if (!codes || !m->supply_of) return bt_fail_memory(error);
    for (size_t i = 0; i < m->quasi_count + m->exact_count; i++) {
        const bt_column *column =
            i < m->quasi_count ? m->quasi[i] : m->exact[i - m->quasi_count].original;
        codes[width++] = (bt_codes){column->codes, column->width, column->domain.size};
    }
    if (m->has_texts) codes[width++] = (bt_codes){m->original_texts, 4, m->text_count};
    return bt_tuples_number(codes, width, rows, m->run, &m->supplies, m->supply_of, NULL, error);
}

/* The place of each class in the sides of each column: the cell of its first row. */
static bauta_status make_boxes(match *m, bauta_error *error)
{
    const bt_tuples *classes = &m->release->classes;
    uint32_t **place = bt_arena_array(&m->arena, m->quasi_count, sizeof *place);
    const bt_side **sides = bt_arena_array(&m->arena, m->quasi_count, sizeof *sides);
    uint32_t *positions = bt_arena_array(&m->arena, m->quasi_count, sizeof *positions);
    if (!place || !sides || !positions) return bt_fail_memory(error);
    size_t at = 0;
    for (size_t i = 0; i < m->release->column_count; i++) {
        const bt_release_column *column = &m->release->columns[i];
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        place[at] = bt_arena_array(&m->arena, classes->count, sizeof **place);
        if (!place[at]) return bt_fail_memory(error);
        for (uint32_t c = 0; c < classes->count; c++)
            place[at][c] = bt_code_at(column->codes, column->width, classes->row[c]);
        sides[at] = m->placings[at].sides;
        positions[at] = m->placings[at].positions;
        at++;
    }
    return bt_boxes_new(sides, place, positions, m->quasi_count, classes->count, &m->boxes, error);
}

/* ---- edges ------------------------------------------------------------------------------- */

typedef struct supply_search {
    match *m;
    edge_list *list;
    uint32_t *point; /* positions in the quasi columns */
    uint32_t *tuple; /* of a demand: class first */
    uint32_t *bags;  /* bags that a record of the supply may be in */
    size_t bag_count, bag_room;
    uint32_t *tuples; /* of demands that are looked up together */
    uint32_t supply_of[BT_TUPLES_AT_ONCE];
    size_t waiting;
} supply_search;

/* The positions of a record in the quasi columns; two-tables: then its text. */
static void take_point(const match *m, int64_t row, uint32_t *point)
{
    for (size_t i = 0; i < m->quasi_count; i++)
        point[i] = bt_placing_position(&m->placings[i], bt_column_code(m->quasi[i], row));
    if (m->has_texts && m->two_tables) point[m->quasi_count] = m->original_texts[row];
}

/* The rest of it, as a demand has it. False: such values do not occur in the release at all. */
static bool take_values(const match *m, int64_t row, uint32_t *tuple)
{
    size_t width = 1;
    for (size_t i = 0; i < m->exact_count; i++, width++) {
        tuple[width] = m->exact[i].code[bt_column_code(m->exact[i].original, row)];
        if (tuple[width] == BT_TUPLE_NONE) return false;
    }
    if (m->has_texts && !m->two_tables) tuple[width] = m->original_texts[row];
    return true;
}

static bauta_status look_up(supply_search *search, bauta_error *error)
{
    match *m = search->m;
    edge_list *list = search->list;
    uint32_t demands[BT_TUPLES_AT_ONCE];
    size_t before = list->count;
    bt_tuple_index_find_all(m->demand_index, search->tuples, search->waiting, demands);
    BT_TRY(bt_array_grow(&list->demands, &list->capacity, before + search->waiting,
                         sizeof *list->demands, error));
    for (size_t i = 0; i < search->waiting; i++) {
        if (demands[i] == BT_TUPLE_NONE) continue;
        list->demands[list->count++] = demands[i];
        m->first[(size_t)search->supply_of[i] + 1]++;
    }
    search->waiting = 0;
    atomic_fetch_add(&m->edges, list->count - before);
    return BAUTA_OK;
}

static bauta_status add_demand(supply_search *search, uint32_t supply, bauta_error *error)
{
    size_t width = search->m->demand_width;
    memcpy(search->tuples + search->waiting * width, search->tuple, width * sizeof *search->tuple);
    search->supply_of[search->waiting++] = supply;
    return search->waiting == BT_TUPLES_AT_ONCE ? look_up(search, error) : BAUTA_OK;
}

/* distribution: a value may be in any part of its group that holds it, if the group's target knows
 * it at all. */
static bauta_status add_parts(supply_search *search, uint32_t supply, bauta_error *error)
{
    const match *m = search->m;
    uint32_t leaf = search->tuple[1], target = m->release->distribution.target_of[search->tuple[0]];
    bauta_status status = BAUTA_OK;
    if (target == BT_NOT_KNOWN || m->targets[target].target.leaf_of[leaf] == BT_NO_NODE)
        return BAUTA_OK;
    for (size_t i = m->holding.starts[leaf]; i < m->holding.starts[leaf + 1]; i++) {
        search->tuple[1] = m->holding.parts[i];
        if (status == BAUTA_OK) status = add_demand(search, supply, error);
    }
    search->tuple[1] = leaf;
    return status;
}

static bauta_status found_class(void *user, uint32_t class_number, bauta_error *error)
{
    supply_search *search = user;
    const bt_release *release = search->m->release;
    BT_TRY(bt_array_grow(&search->bags, &search->bag_room, search->bag_count + 1,
                         sizeof *search->bags, error));
    search->bags[search->bag_count++] =
        release->bags.of_class ? release->bags.of_class[class_number] : class_number;
    return BAUTA_OK;
}

/* Several classes of a group may hold a record: the group is one bag. */
static void unite_bags(supply_search *search)
{
    size_t count = 0;
    qsort(search->bags, search->bag_count, sizeof *search->bags, bt_compare_uint32);
    for (size_t i = 0; i < search->bag_count; i++)
        if (i == 0 || search->bags[i] != search->bags[i - 1])
            search->bags[count++] = search->bags[i];
    search->bag_count = count;
}

static bauta_status find_demands(supply_search *search, uint32_t supply, bauta_error *error)
{
    const match *m = search->m;
    int64_t row = m->supplies.row[supply];
    bauta_status status = BAUTA_OK;
    search->bag_count = 0;
    if (!take_values(m, row, search->tuple)) return BAUTA_OK;
    if (m->rows) {
        if (m->quasi_of[supply] != BT_TUPLE_NONE)
            status = bt_rows_at(m->rows, m->quasi_of[supply], found_class, search, error);
    } else {
        take_point(m, row, search->point);
        status = bt_boxes_at(m->boxes, search->point, found_class, search, error);
    }
    if (m->release->bags.of_class && search->bag_count > 1) unite_bags(search);
    for (size_t i = 0; i < search->bag_count && status == BAUTA_OK; i++) {
        search->tuple[0] = search->bags[i];
        status =
            m->distribution ? add_parts(search, supply, error) : add_demand(search, supply, error);
    }
    return status;
}

/* Finds the demands that the supplies of a task can serve; first[s + 1] becomes their number. */
static bauta_status find_edges(void *user, size_t task, unsigned worker, bauta_error *error)
{
    match *m = user;
    bt_arena scratch = {0};
    supply_search search = {.m = m, .list = &m->lists[task]};
    search.point = bt_arena_array(&scratch, m->quasi_count, sizeof *search.point);
    search.tuple = bt_arena_array(&scratch, m->demand_width, sizeof *search.tuple);
    search.tuples =
        bt_arena_array(&scratch, m->demand_width, BT_TUPLES_AT_ONCE * sizeof *search.tuples);
    bauta_status status =
        search.point && search.tuple && search.tuples ? BAUTA_OK : bt_fail_memory(error);
    size_t end = (task + 1) * TASK_SUPPLIES;
    if (end > m->supplies.count) end = m->supplies.count;
    for (size_t s = task * TASK_SUPPLIES;
         s < end && status == BAUTA_OK && atomic_load(&m->edges) <= m->most; s++)
        status = find_demands(&search, (uint32_t)s, error);
    if (status == BAUTA_OK) status = look_up(&search, error);
    bt_arena_release(&scratch);
    free(search.bags);
    if (status != BAUTA_OK) return status;
    return bt_run_progress(m->run, worker, "match", (int64_t)end, m->supplies.count, error);
}

/* ---- the answer -------------------------------------------------------------------------- */

static void keep_answer(bt_audit_job *job, const match *m, const uint32_t *lacking)
{
    uint32_t first = 0;
    job->unmatched = 0;
    for (uint32_t d = m->demands.count; d-- > 0;) {
        job->unmatched += lacking[d];
        if (lacking[d] > 0) first = d;
    }
    if (m->distribution) { /* what is more than records stands for made-up values */
        job->unmatched -= bt_sensitive_rows(m->release) - m->release->rows;
        if (job->unmatched < 0) job->unmatched = 0;
    }
    if (job->unmatched == 0) return;
    uint32_t number = m->class_of[m->demands.row[first]];
    job->unmatched_row = bt_bag_place(m->release, number);
}

/* Looks up the rows of quasi.csv that are like the supplies of a task. */
static bauta_status find_rows(void *user, size_t task, unsigned worker, bauta_error *error)
{
    match *m = user;
    size_t width = m->quasi_count + m->has_texts, end = (task + 1) * TASK_SUPPLIES, count;
    uint32_t *points = bt_array(width, BT_TUPLES_AT_ONCE * sizeof *points);
    if (!points) return bt_fail_memory(error);
    if (end > m->supplies.count) end = m->supplies.count;
    for (size_t s = task * TASK_SUPPLIES; s < end; s += count) {
        count = end - s < BT_TUPLES_AT_ONCE ? end - s : BT_TUPLES_AT_ONCE;
        for (size_t i = 0; i < count; i++)
            take_point(m, m->supplies.row[s + i], points + i * width);
        bt_rows_find(m->rows, points, count, m->quasi_of + s);
    }
    free(points);
    return bt_run_progress(m->run, worker, "match", (int64_t)end, m->supplies.count, error);
}

/* Counts the rows of quasi.csv that no original record is. */
static bauta_status count_rows(bt_audit_job *job, match *m, size_t tasks, bauta_error *error)
{
    const bt_tuples *all = bt_rows_all(m->rows);
    int64_t *there = bt_array_zero(all->count, sizeof *there);
    m->quasi_of = bt_array(m->supplies.count, sizeof *m->quasi_of);
    bauta_status status = there && m->quasi_of
                              ? bt_pool_run(m->run->pool, tasks, find_rows, m, error)
                              : bt_fail_memory(error);
    for (uint32_t s = 0; status == BAUTA_OK && s < m->supplies.count; s++)
        if (m->quasi_of[s] != BT_TUPLE_NONE) there[m->quasi_of[s]] += m->supplies.size[s];
    for (uint32_t i = all->count; status == BAUTA_OK && i-- > 0;) {
        if (all->size[i] <= there[i]) continue;
        job->unmatched_quasi += all->size[i] - there[i];
        job->unmatched_quasi_row = bt_row_place(m->release, BT_QUASI_FILE, all->row[i]);
    }
    free(there);
    return status;
}

/* Finds out whose the rows are, where that is certain. */
static bauta_status find_persons(bt_audit_job *job, const match *m, const bt_flow *flow,
                                 bauta_error *error)
{
    const bt_table *table = m->original->table;
    int64_t rows = bt_sensitive_rows(m->release);
    uint32_t *demand_of = bt_array(m->supplies.count, sizeof *demand_of);
    bauta_status status =
        demand_of ? bt_settle(flow, table->rows == rows, demand_of, error) : bt_fail_memory(error);
    const bt_assignment from = {.demand_of = demand_of,
                                .supply_of = m->supply_of,
                                .subject_of = table->subject_of,
                                .subjects = table->subjects,
                                .records = table->rows,
                                .wanting = m->demand_of,
                                .demands = m->demands.count,
                                .rows = rows};
    if (status == BAUTA_OK) status = bt_persons_assign(&from, &job->persons, error);
    free(demand_of);
    return status;
}

/* A join: which classes and demands some record may be in both of. */
typedef struct pair_search {
    supply_search search;
    bt_paired found;
    size_t room[2];
    bool many;
} pair_search;

static bauta_status found_pair(void *user, uint32_t class_number, bauta_error *error)
{
    pair_search *p = user;
    const match *m = p->search.m;
    size_t need = (size_t)p->found.pair_count + 1;
    p->search.tuple[0] = m->release->bags.of_class[class_number];
    uint32_t demand = bt_tuple_index_find(m->demand_index, p->search.tuple);
    p->many |= need > m->most;
    if (demand == BT_TUPLE_NONE || p->many) return BAUTA_OK;
    for (size_t i = 0; i < 2; i++)
        BT_TRY(
            bt_array_grow(&p->found.pairs[i], &p->room[i], need, sizeof **p->found.pairs, error));
    p->found.pairs[0][p->found.pair_count] = class_number;
    p->found.pairs[1][p->found.pair_count++] = demand;
    return BAUTA_OK;
}

/* Finds out whether the n-th rows of groups in both files are of one record. */
static bauta_status pair_files(bt_audit_job *job, match *m, bauta_error *error)
{
    bt_arena scratch = {0};
    pair_search p = {.search = {.m = m},
                     .found = {.release = m->release,
                               .run = m->run,
                               .demands = &m->demands,
                               .demand_of = m->demand_of}};
    p.search.point = bt_arena_array(&scratch, m->quasi_count + 1, sizeof *p.search.point);
    p.search.tuple = bt_arena_array(&scratch, m->demand_width, sizeof *p.search.tuple);
    bool made = p.search.point && p.search.tuple;
    bauta_status status = made ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t s = 0; s < m->supplies.count && status == BAUTA_OK && !p.many; s++) {
        int64_t row = m->supplies.row[s];
        if (!take_values(m, row, p.search.tuple)) continue;
        take_point(m, row, p.search.point);
        status = bt_boxes_at(m->boxes, p.search.point, found_pair, &p, error);
    }
    if (status == BAUTA_OK && !p.many && p.found.pair_count > 0)
        status = bt_links_paired(&p.found, &job->links.step, error);
    free(p.found.pairs[0]);
    free(p.found.pairs[1]);
    bt_arena_release(&scratch);
    return status;
}

/* Finds out what the orders of rows and records tell. */
static bauta_status find_links(bt_audit_job *job, match *m, const bt_flow *flow, bauta_error *error)
{
    const bt_matched from = {.release = m->release,
                             .run = m->run,
                             .records = m->original->table->rows,
                             .demands = &m->demands,
                             .supplies = &m->supplies,
                             .first = flow->first,
                             .demand = flow->demand,
                             .unit_of = m->class_of,
                             .units = m->bags,
                             .rows = m->rows,
                             .quasi_of = m->quasi_of,
                             .demand_of = m->demand_of,
                             .supply_of = m->supply_of};
    BT_TRY(bt_links_find(&from, &job->links, error));
    return m->release->bags.of_class ? pair_files(job, m, error) : BAUTA_OK;
}

static bauta_status serve(bt_audit_job *job, match *m, size_t tasks, bauta_error *error)
{
    uint32_t *lacking = bt_array(m->demands.count, sizeof *lacking);
    for (uint32_t s = 0; s < m->supplies.count; s++)
        m->first[s + 1] += m->first[s];
    size_t edges = m->first[m->supplies.count], at = 0;
    uint32_t *demand = bt_array(edges, sizeof *demand);
    bauta_status status = lacking && demand ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < tasks && status == BAUTA_OK; i++) {
        if (m->lists[i].count)
            memcpy(demand + at, m->lists[i].demands, m->lists[i].count * sizeof *demand);
        at += m->lists[i].count;
        free(m->lists[i].demands);
        m->lists[i].demands = NULL;
    }
    const bt_flow flow = {m->demands.count, m->supplies.count, m->demands.size,
                          m->supplies.size, m->first,          demand};
    if (status == BAUTA_OK) status = bt_flow_run(&flow, m->run, lacking, error);
    if (status == BAUTA_OK) keep_answer(job, m, lacking);
    bool matched = job->unmatched == 0 && job->unmatched_quasi == 0;
    if (status == BAUTA_OK && m->original->table->subject_of && matched)
        status = find_persons(job, m, &flow, error);
    if (status == BAUTA_OK && matched) status = find_links(job, m, &flow, error);
    free(demand);
    free(lacking);
    return status;
}

static bauta_status run_match(bt_audit_job *job, match *m, bauta_error *error)
{
    BT_TRY(join_columns(m, error));
    if (m->has_texts) BT_TRY(join_texts(m, error));
    if (m->distribution) BT_TRY(bt_holding_make(m->release, job->numbers, &m->holding, error));
    BT_TRY(group_demands(m, error));
    BT_TRY(group_supplies(m, error));
    BT_TRY(m->two_tables ? bt_rows_new(m->release, m->texts, m->text_count, m->run, &m->rows, error)
                         : make_boxes(m, error));
    size_t tasks = ((size_t)m->supplies.count + TASK_SUPPLIES - 1) / TASK_SUPPLIES;
    if (m->two_tables) BT_TRY(count_rows(job, m, tasks, error));
    m->lists = bt_arena_array(&m->arena, tasks, sizeof *m->lists);
    m->first = bt_array_zero((size_t)m->supplies.count + 1, sizeof *m->first);
    if (!m->lists || !m->first) return bt_fail_memory(error);
    m->most = bt_flow_most(m->demands.count, m->supplies.count);
    bauta_status status = bt_pool_run(m->run->pool, tasks, find_edges, m, error);
    job->too_many = atomic_load(&m->edges) > m->most;
    if (status == BAUTA_OK && !job->too_many) status = serve(job, m, tasks, error);
    for (size_t i = 0; i < tasks; i++)
        free(m->lists[i].demands);
    return status;
}

bauta_status bt_audit_match(bt_audit_job *job, bauta_error *error)
{
    if (bt_records_hidden(job->release)) return BAUTA_OK;
    match m = {.release = job->release,
               .original = job->options->original,
               .run = job->options->run,
               .two_tables = job->release->form->pair,
               .distribution = job->release->form->parts,
               .targets = job->targets};
    if (m.distribution && !m.targets) return BAUTA_OK;
    bauta_status status = run_match(job, &m, error);
    free(m.texts);
    free(m.original_texts);
    free(m.class_of);
    bt_holding_release(&m.holding);
    free(m.first);
    free(m.quasi_of);
    free(m.demand_of);
    free(m.supply_of);
    bt_tuples_release(&m.demands);
    bt_tuples_release(&m.supplies);
    bt_tuple_index_free(m.demand_index);
    bt_boxes_free(m.boxes);
    bt_rows_free(m.rows);
    bt_arena_release(&m.arena);
    return status;
}
