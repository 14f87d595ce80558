/* SPDX-License-Identifier: Apache-2.0
 *
 * A join compared with the original and the public table: is there a way to give each row of
 * data.csv a person of its own who lies in its box, so that all records of the original have a row
 * and each box has one of them? And do the boxes of a sensitive group lie inside the one that its
 * records have?
 *
 * A row for every record, a record for every box and a person for every row are three matchings.
 * That each is possible by itself makes all possible at once: what one matching covers on the one
 * side and another on the other, a third covers on both (Mendelsohn and Dulmage 1958). Which
 * records are in which sensitive group is another question (match.c). Both are necessary; that the
 * same matching answers both would have to be found in three dimensions, for which no fast way is
 * known.
 *
 * The unrefined box of a sensitive group is that of its records. They are among those that lie in
 * one of its boxes, whose common box is at least as large; where boxes are disjoint it is the same.
 *
 * Cost: linear in rows, plus the index (boxes.h) and the flow (flow.h).
 */
#include "audit/finding.h"
#include "audit/flow.h"
#include "audit/placing.h"
#include "reading/compared.h"

#include <stdatomic.h>
#include <string.h>

enum { TASK_TUPLES = 4096 };

typedef struct edges {   /* from distinct combinations of values to classes whose box holds them */
    int64_t rows;        /* of a table */
    bt_tuples tuples;    /* of these */
    uint32_t *tuple_of;  /* per row */
    uint32_t *positions; /* per tuple and column */
    size_t *first;       /* tuples + 1 */
    uint32_t *class_of;  /* per edge */
    _Atomic size_t found;
    bool too_many; /* they are not listed: the rest is not there */
} edges;

typedef struct edge_list {
    uint32_t *classes;
    size_t count, capacity;
} edge_list;

typedef struct joined {
    bt_audit_job *job;
    const bt_release *release;
    const bt_run *run;
    bt_arena arena;
    size_t columns;
    const bt_release_column **published;
    const bt_column **original;
    bt_placing *placings;
    uint32_t **place; /* per column and class: its cell */
    bt_boxes *boxes;
    edges records, persons; /* of the original; of both tables */
} joined;

/* Trees of schemes follow from the values of both tables. */
bool bt_join_needs_public(const bt_audit_job *job)
{
    if (!job->release->form->join || job->options->joined) return false;
    for (size_t i = 0; i < job->release->column_count; i++)
        if (bt_release_lacks_tree(&job->release->columns[i]) &&
            bt_hierarchy_is_derived(job->release->columns[i].manifest->partial))
            return true;
    return false;
}

/* Whether a tree is at hand nowhere: audit.c says so. */
static bool lacks_tree(const bt_audit_job *job)
{
    for (size_t i = 0; i < job->release->column_count; i++)
        if (bt_audit_lacks_tree(job, &job->release->columns[i])) return true;
    return false;
}

/* ---- columns and boxes -------------------------------------------------------------------- */

static bauta_status join_column(joined *j, const bt_release_column *column, bauta_error *error)
{
    const bt_tuples *classes = &j->release->classes;
    size_t at = j->columns++;
    j->published[at] = column;
    BT_TRY(bt_original_find(j->job->options->original->table, column->manifest->name,
                            &j->original[at], error));
    j->place[at] = bt_arena_array(&j->arena, classes->count, sizeof **j->place);
    if (!j->place[at]) return bt_fail_memory(error);
    for (uint32_t c = 0; c < classes->count; c++)
        j->place[at][c] = bt_code_at(column->codes, column->width, classes->row[c]);
    return bt_placing_make(column, j->original[at], &j->arena, &j->placings[at], error);
}

static bauta_status make_boxes(joined *j, bauta_error *error)
{
    size_t all = j->release->column_count;
    j->published = bt_arena_array(&j->arena, all, sizeof *j->published);
    j->original = bt_arena_array(&j->arena, all, sizeof *j->original);
    j->placings = bt_arena_array(&j->arena, all, sizeof *j->placings);
    j->place = bt_arena_array(&j->arena, all, sizeof *j->place);
    const bt_side **sides = bt_arena_array(&j->arena, all, sizeof *sides);
    uint32_t *positions = bt_arena_array(&j->arena, all, sizeof *positions);
    if (!j->published || !j->original || !j->placings || !j->place || !sides || !positions)
        return bt_fail_memory(error);
    for (size_t i = 0; i < all; i++)
        if (j->release->columns[i].manifest->role == BT_ROLE_QUASI)
            BT_TRY(join_column(j, &j->release->columns[i], error));
    for (size_t i = 0; i < j->columns; i++) {
        sides[i] = j->placings[i].sides;
        positions[i] = j->placings[i].positions;
    }
    return bt_boxes_new(sides, j->place, positions, j->columns, j->release->classes.count,
                        &j->boxes, error);
}

/* ---- edges -------------------------------------------------------------------------------- */

typedef struct search {
    const joined *j;
    edges *out;
    edge_list *lists;
    size_t most;
} search;

static bauta_status found_class(void *user, uint32_t class_number, bauta_error *error)
{
    edge_list *list = user;
    BT_TRY(bt_array_grow(&list->classes, &list->capacity, list->count + 1, sizeof *list->classes,
                         error));
    list->classes[list->count++] = class_number;
    return BAUTA_OK;
}

/* first[t + 1] becomes the number of edges of tuple t. */
static bauta_status find_edges(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const search *s = user;
    edges *out = s->out;
    size_t end = (task + 1) * TASK_TUPLES;
    if (end > out->tuples.count) end = out->tuples.count;
    for (size_t t = task * TASK_TUPLES; t < end; t++) {
        size_t before = s->lists[task].count;
        BT_TRY(bt_boxes_at(s->j->boxes, out->positions + t * s->j->columns, found_class,
                           &s->lists[task], error));
        size_t found = s->lists[task].count - before;
        out->first[t + 1] = found;
        if (atomic_fetch_add(&out->found, found) + found > s->most) return BAUTA_OK;
    }
    return bt_run_progress(s->j->run, worker, "match", (int64_t)end, out->tuples.count, error);
}

/* Distinct combinations of values of a table, and where they lie. */
static bauta_status place_rows(const joined *j, const bt_table *table, edges *out,
                               bauta_error *error)
{
    bt_codes *codes = bt_array(j->columns, sizeof *codes);
    const bt_column **columns = bt_array(j->columns, sizeof *columns);
    out->rows = table->rows;
    out->tuple_of = bt_array((size_t)table->rows, sizeof *out->tuple_of);
    bauta_status status = codes && columns && out->tuple_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < j->columns && status == BAUTA_OK; i++) {
        columns[i] = bt_table_find(table, j->original[i]->name);
        if (!columns[i])
            status = bt_fail(error, BAUTA_INTERNAL, "the joined table lacks a column");
        else
            codes[i] = (bt_codes){columns[i]->codes, columns[i]->width, columns[i]->domain.size};
    }
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, j->columns, table->rows, j->run, &out->tuples,
                                  out->tuple_of, NULL, error);
    size_t count = out->tuples.count, room;
    if (status == BAUTA_OK && bt_size_mul(count, j->columns, &room))
        out->positions = bt_array(room, sizeof *out->positions);
    if (status == BAUTA_OK && !out->positions) status = bt_fail_memory(error);
    for (size_t t = 0; t < count && status == BAUTA_OK; t++)
        for (size_t i = 0; i < j->columns; i++)
            out->positions[t * j->columns + i] = bt_placing_position(
                &j->placings[i], bt_column_code(columns[i], out->tuples.row[t]));
    free(codes);
    free(columns);
    return status;
}

static bauta_status gather(search *s, size_t tasks, bauta_error *error)
{
    edges *out = s->out;
    size_t at = 0;
    for (uint32_t t = 0; t < out->tuples.count; t++)
        out->first[t + 1] += out->first[t];
    out->class_of = bt_array(out->first[out->tuples.count], sizeof *out->class_of);
    if (!out->class_of) return bt_fail_memory(error);
    for (size_t i = 0; i < tasks; i++) {
        if (s->lists[i].count > 0)
            memcpy(out->class_of + at, s->lists[i].classes,
                   s->lists[i].count * sizeof *out->class_of);
        at += s->lists[i].count;
    }
    return BAUTA_OK;
}

static bauta_status make_edges(joined *j, const bt_table *table, edges *out, bauta_error *error)
{
    BT_TRY(place_rows(j, table, out, error));
    size_t tasks = ((size_t)out->tuples.count + TASK_TUPLES - 1) / TASK_TUPLES;
    search s = {j, out, bt_array_zero(tasks, sizeof *s.lists),
                bt_flow_most(out->tuples.count, j->release->classes.count)};
    out->first = bt_array_zero((size_t)out->tuples.count + 1, sizeof *out->first);
    bauta_status status = s.lists && out->first ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_pool_run(j->run->pool, tasks, find_edges, &s, error);
    out->too_many = atomic_load(&out->found) > s.most;
    if (status == BAUTA_OK && !out->too_many) status = gather(&s, tasks, error);
    for (size_t i = 0; s.lists && i < tasks; i++)
        free(s.lists[i].classes);
    free(s.lists);
    return status;
}

static void release_edges(edges *from)
{
    bt_tuples_release(&from->tuples);
    free(from->tuple_of);
    free(from->positions);
    free(from->first);
    free(from->class_of);
}

/* ---- matchings ---------------------------------------------------------------------------- */

typedef struct shortage {
    int64_t lacking;
    uint32_t first; /* a demand that lacks something */
} shortage;

static bauta_status match(const joined *j, const bt_flow *flow, shortage *out, bauta_error *error)
{
    uint32_t *lacking = bt_array(flow->demands, sizeof *lacking);
    bauta_status status =
        lacking ? bt_flow_run(flow, j->run, lacking, error) : bt_fail_memory(error);
    *out = (shortage){0};
    for (uint32_t d = flow->demands; status == BAUTA_OK && d-- > 0;) {
        out->lacking += lacking[d];
        if (lacking[d] > 0) out->first = d;
    }
    free(lacking);
    return status;
}

/* Classes want so many of the rows behind the tuples. */
static bauta_status fill_classes(const joined *j, const edges *from, const uint32_t *wanted,
                                 shortage *out, bauta_error *error)
{
    const bt_flow flow = {j->release->classes.count, from->tuples.count, wanted,
                          from->tuples.size,         from->first,        from->class_of};
    return match(j, &flow, out, error);
}

/* All rows behind the tuples want a row in a class, of which each has room for some. */
static bauta_status place_all(const joined *j, const edges *from, const uint32_t *room,
                              shortage *out, bauta_error *error)
{
    const bt_tuples *classes = &j->release->classes;
    size_t count = from->first[from->tuples.count];
    size_t *first = bt_array_zero((size_t)classes->count + 2, sizeof *first);
    uint32_t *tuple_of = bt_array(count, sizeof *tuple_of);
    bauta_status status = first && tuple_of ? BAUTA_OK : bt_fail_memory(error);
    /* first[c + 1] walks through class c while it is filled, and ends where c + 1 starts. */
    for (size_t e = 0; status == BAUTA_OK && e < count; e++)
        first[(size_t)from->class_of[e] + 2]++;
    for (size_t c = 2; status == BAUTA_OK && c <= (size_t)classes->count + 1; c++)
        first[c] += first[c - 1];
    for (uint32_t t = 0; status == BAUTA_OK && t < from->tuples.count; t++)
        for (size_t e = from->first[t]; e < from->first[t + 1]; e++)
            tuple_of[first[(size_t)from->class_of[e] + 1]++] = t;
    if (status == BAUTA_OK) {
        const bt_flow flow = {
            from->tuples.count, classes->count, from->tuples.size, room, first, tuple_of};
        status = match(j, &flow, out, error);
    }
    free(first);
    free(tuple_of);
    return status;
}

static bauta_status tell_too_many(bt_audit_job *job, const char *promise)
{
    bt_finding_put(job, promise, BT_UNVERIFIABLE, BT_NO_ROW,
                   "so many boxes hold the same persons that who is in which was not searched");
    return BAUTA_OK;
}

static bauta_status check_records(joined *j, bauta_error *error)
{
    bt_audit_job *job = j->job;
    const bt_tuples *classes = &j->release->classes;
    shortage homeless, empty;
    if (j->records.too_many) return tell_too_many(job, "boxes of records");
    uint32_t *one = bt_array(classes->count, sizeof *one);
    uint32_t *room = bt_array(classes->count, sizeof *room);
    bauta_status status = one && room ? BAUTA_OK : bt_fail_memory(error);
    bool bounded = status == BAUTA_OK && bt_presence_room(j->release, room);
    for (uint32_t c = 0; status == BAUTA_OK && c < classes->count; c++)
        one[c] = 1;
    if (status == BAUTA_OK) status = place_all(j, &j->records, room, &homeless, error);
    if (status == BAUTA_OK) status = fill_classes(j, &j->records, one, &empty, error);
    free(one);
    free(room);
    if (status != BAUTA_OK) return status;
    int64_t allowed = j->release->manifest.dropped_rows;
    if (homeless.lacking > allowed)
        bt_finding_put(job, "boxes of records", BT_FAILS, BT_NO_ROW,
                       "%lld original records have no row of their own whose box they lie in%s, "
                       "%lld are said to be dropped",
                       (long long)homeless.lacking,
                       bounded ? ", of as many as 'presence' allows" : "", (long long)allowed);
    else if (empty.lacking > 0)
        bt_finding_put(job, "boxes of records", BT_FAILS, classes->row[empty.first],
                       "%lld of %u boxes have no original record of their own, this one among "
                       "them",
                       (long long)empty.lacking, classes->count);
    else
        bt_finding_put(job, "boxes of records", BT_HOLDS, BT_NO_ROW,
                       "each original record%s lies in the box of a row of its own%s, and each of "
                       "%u boxes has one",
                       allowed > 0 ? " that is not dropped" : "",
                       bounded ? ", of as many as 'presence' allows" : "", classes->count);
    return BAUTA_OK;
}

static bauta_status check_persons(joined *j, bauta_error *error)
{
    bt_audit_job *job = j->job;
    shortage nobody;
    if (!job->options->joined) {
        bt_finding_put(job, "persons", BT_UNVERIFIABLE, BT_NO_ROW,
                       "only the public table can show that each row is a person of its own "
                       "(--public)");
        return BAUTA_OK;
    }
    if (j->persons.too_many) return tell_too_many(job, "persons");
    BT_TRY(fill_classes(j, &j->persons, j->release->classes.size, &nobody, error));
    if (nobody.lacking > 0)
        bt_finding_put(job, "persons", BT_FAILS, j->release->classes.row[nobody.first],
                       "%lld of %lld rows are nobody of the two tables, or one of them for the "
                       "second time, some of them in this class",
                       (long long)nobody.lacking, (long long)j->release->rows);
    else
        bt_finding_put(job, "persons", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld rows has a person of its own, of the %lld in the two "
                       "tables, who lies in its box",
                       (long long)j->release->rows, (long long)job->options->joined->rows);
    return BAUTA_OK;
}

/* ---- refined boxes ------------------------------------------------------------------------ */

typedef struct span { /* positions that records of a sensitive group may have; least > greatest:
                         none */
    uint32_t least, greatest;
    bool missing, present;
} span;

typedef struct seat { /* a position that one of them may have */
    uint32_t group, position;
} seat;

static int compare_seats(const void *left, const void *right)
{
    const seat *a = left, *b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

/* The tree over the positions of a column, or NULL. */
static const bt_hierarchy *tree_of(const joined *j, size_t column)
{
    const bt_manifest_column *manifest = j->published[column]->manifest;
    if (manifest->hierarchy) return manifest->hierarchy;
    return manifest->partial ? j->original[column]->hierarchy : NULL;
}

/* The node of a cell in the tree of its column; 0, the root, where it has none. */
static uint32_t node_of(const bt_release_column *column, const bt_hierarchy *tree, uint32_t code)
{
    if (tree == column->manifest->hierarchy) {
        const bt_cell *cell = &column->cells[code];
        if (cell->kind == BT_CELL_NODE) return cell->node;
    }
    uint32_t node =
        bt_hierarchy_find(tree, column->values->text[code], column->values->length[code]);
    return node == UINT32_MAX ? 0 : node;
}

/* A level that no cell of a column is below; with min-level none can be below that. Where a path
 * skips levels a node stands for those up to its parent. Without a tree 0, or UINT32_MAX when all
 * cells are "*". */
static uint32_t least_level(const bt_release_column *column, const bt_hierarchy *tree)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < column->values->count; i++) {
        if (!column->well_formed[i] || column->cells[i].kind == BT_CELL_ALL) continue;
        uint32_t node = tree ? node_of(column, tree, i) : 0;
        uint32_t level = node ? tree->nodes[tree->nodes[node].parent].level - 1 : 0;
        if (tree && node == 0) continue;
        if (level < least) least = level;
    }
    return least;
}

typedef struct refinement { /* one column */
    const joined *j;
    size_t column;
    span *spans; /* per group */
    seat *seats; /* of a column of sets: sorted; else NULL */
    size_t seat_count;
    uint32_t level;   /* of its cells, at least */
    bool *stands;     /* per node of a tree: it is the lowest cell of a value whose path has no node
                         between it and `level`, and so of all values under it; else NULL */
    uint32_t missing; /* position of the missing value; UINT32_MAX: there is none */
    bool open;        /* all cells are "*" */
} refinement;

static bauta_status find_standing(refinement *r, const bt_hierarchy *tree, bauta_error *error)
{
    if (!tree) return BAUTA_OK;
    r->stands = bt_array_zero(tree->count, sizeof *r->stands);
    if (!r->stands) return bt_fail_memory(error);
    for (uint32_t node = 1; node < tree->count; node++) {
        uint32_t parent = tree->nodes[node].parent;
        bool below = tree->nodes[node].level < r->level;
        if (parent != 0 && below && tree->nodes[parent].level >= r->level) r->stands[parent] = true;
    }
    return BAUTA_OK;
}

/* Whether a side lies in the lowest node over a span that may be a cell. */
static bool in_node(const refinement *r, const bt_hierarchy *tree, const span *over,
                    const bt_side *side)
{
    if (over->greatest >= tree->leaves) return true; /* a value that is no leaf: "*" */
    uint32_t node = bt_hierarchy_cover(tree, over->least, over->greatest);
    while (node != 0 && tree->nodes[node].level < r->level)
        node = tree->nodes[node].parent;
    for (uint32_t above = node; above != 0; above = tree->nodes[above].parent)
        if (r->stands[above]) node = above;
    return node == 0 || (side->from >= tree->nodes[node].lo && side->to <= tree->nodes[node].hi);
}

/* Where records may be that lie in a box of each group. */
static bauta_status take_spans(refinement *r, bauta_error *error)
{
    const joined *j = r->j;
    const edges *from = &j->records;
    size_t seats = 0, capacity = 0;
    for (uint32_t g = 0; g < j->release->bags.count; g++)
        r->spans[g] = (span){.least = UINT32_MAX};
    bool sets = j->published[r->column]->manifest->type == BT_TEXT && !tree_of(j, r->column);
    for (uint32_t t = 0; t < from->tuples.count; t++)
        for (size_t e = from->first[t]; e < from->first[t + 1]; e++) {
            uint32_t group = j->release->bags.of_class[from->class_of[e]];
            uint32_t position = from->positions[t * j->columns + r->column];
            span *over = &r->spans[group];
            if (position < over->least) over->least = position;
            if (position > over->greatest) over->greatest = position;
            over->missing |= position == r->missing;
            over->present |= position != r->missing;
            if (!sets) continue;
            BT_TRY(bt_array_grow(&r->seats, &capacity, seats + 1, sizeof *r->seats, error));
            r->seats[seats++] = (seat){group, position};
        }
    if (seats > 0) qsort(r->seats, seats, sizeof *r->seats, compare_seats);
    r->seat_count = seats;
    return BAUTA_OK;
}

static bool has_seat(const refinement *r, uint32_t group, uint32_t position)
{
    const seat wanted = {group, position};
    return r->seat_count > 0 &&
           bsearch(&wanted, r->seats, r->seat_count, sizeof *r->seats, compare_seats) != NULL;
}

static bool set_inside(const refinement *r, uint32_t group, const bt_side *side)
{
    if (side->members) {
        for (uint32_t i = 0; i < side->count; i++)
            if (!has_seat(r, group, side->members[i])) return false;
        return true;
    }
    for (uint32_t position = side->from; position < side->to; position++)
        if (!has_seat(r, group, position)) return false;
    return true;
}

static bool is_inside(const refinement *r, uint32_t class_number)
{
    const joined *j = r->j;
    uint32_t group = j->release->bags.of_class[class_number];
    uint32_t code = j->place[r->column][class_number];
    const span *over = &r->spans[group];
    const bt_side *side = &j->placings[r->column].sides[code];
    const bt_hierarchy *tree = tree_of(j, r->column);
    bool all = j->published[r->column]->cells[code].kind == BT_CELL_ALL;
    if (r->open || side->from == side->to) return true; /* nothing to compare */
    if (over->least > over->greatest) return false;
    if (over->missing && over->present) return true; /* "*" */
    if (tree) return in_node(r, tree, over, side);
    if (all || r->seats) return !all && set_inside(r, group, side);
    return side->from >= over->least && side->to <= over->greatest + 1;
}

static bauta_status compare_column(const joined *j, size_t column, bool *outside,
                                   bauta_error *error)
{
    const bt_release_column *published = j->published[column];
    const bt_domain *domain = &j->original[column]->domain;
    uint32_t groups = j->release->bags.count;
    refinement r = {.j = j,
                    .column = column,
                    .spans = bt_array(groups, sizeof *r.spans),
                    .level = least_level(published, tree_of(j, column)),
                    .missing = UINT32_MAX};
    if (domain->has_missing)
        r.missing = bt_placing_position(&j->placings[column], domain->size - 1);
    r.open = r.level == UINT32_MAX;
    bauta_status status = r.spans ? take_spans(&r, error) : bt_fail_memory(error);
    if (status == BAUTA_OK && !r.open) status = find_standing(&r, tree_of(j, column), error);
    for (uint32_t c = 0; status == BAUTA_OK && c < j->release->classes.count; c++)
        outside[c] |= !is_inside(&r, c);
    free(r.spans);
    free(r.seats);
    free(r.stands);
    return status;
}

static bauta_status check_refined(joined *j, bauta_error *error)
{
    const bt_tuples *classes = &j->release->classes;
    uint32_t wrong = 0, first = 0;
    if (!bt_is_refined(&j->release->manifest)) return BAUTA_OK;
    /* With `presence` the first boxes were those of persons of both tables. */
    const bt_manifest *manifest = &j->release->manifest;
    if (manifest->unread || bt_requirements_public(&manifest->promises)) return BAUTA_OK;
    if (j->records.too_many) return tell_too_many(j->job, "refined boxes");
    bool *outside = bt_array_zero(classes->count, sizeof *outside);
    bauta_status status = outside ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < j->columns && status == BAUTA_OK; i++)
        status = compare_column(j, i, outside, error);
    for (uint32_t c = classes->count; status == BAUTA_OK && c-- > 0;) {
        wrong += outside[c];
        if (outside[c]) first = c;
    }
    free(outside);
    if (status != BAUTA_OK) return status;
    if (wrong > 0)
        bt_finding_put(j->job, "refined boxes", BT_FAILS, classes->row[first],
                       "%u of %u boxes reach outside the one that the original records of their "
                       "sensitive group can have, this one among them",
                       wrong, classes->count);
    else
        bt_finding_put(j->job, "refined boxes", BT_HOLDS, BT_NO_ROW,
                       "each of %u boxes lies inside the one that the original records of its "
                       "sensitive group have",
                       classes->count);
    return BAUTA_OK;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Whether the rows of data.csv are in the order of a table. */
static bauta_status check_order(joined *j, const edges *from, bauta_error *error)
{
    const bt_boxed table = {.rows = from->rows,
                            .tuple_of = from->tuple_of,
                            .tuples = from->tuples.count,
                            .first = from->first,
                            .class_of = from->class_of};
    if (from->too_many) return BAUTA_OK; /* who is in which box is not known */
    j->job->links.asked = true;
    return bt_links_boxed(j->release, j->run, &table, &j->job->links.original[0], error);
}

static bauta_status compare(joined *j, bauta_error *error)
{
    BT_TRY(make_boxes(j, error));
    BT_TRY(make_edges(j, j->job->options->original->table, &j->records, error));
    BT_TRY(check_records(j, error));
    BT_TRY(check_refined(j, error));
    BT_TRY(check_order(j, &j->records, error));
    if (!j->job->options->joined) return check_persons(j, error);
    BT_TRY(make_edges(j, j->job->options->joined, &j->persons, error));
    BT_TRY(check_order(j, &j->persons, error));
    return check_persons(j, error);
}

bauta_status bt_audit_joined(bt_audit_job *job, bauta_error *error)
{
    joined j = {.job = job, .release = job->release, .run = job->options->run};
    if (bt_join_needs_public(job)) {
        bt_finding_put(job, "original records", BT_UNVERIFIABLE, BT_NO_ROW,
                       "hierarchies were derived from the values of both tables: the public one is "
                       "needed too (--public)");
        return BAUTA_OK;
    }
    if (lacks_tree(job)) return BAUTA_OK;
    bauta_status status = compare(&j, error);
    release_edges(&j.records);
    release_edges(&j.persons);
    bt_boxes_free(j.boxes);
    bt_arena_release(&j.arena);
    return status;
}
