/* SPDX-License-Identifier: Apache-2.0
 *
 * From rows and people to groups, units, targets and candidates.
 */
#include "attack/view.h"

#include "recipe/names.h"

#include <string.h>

enum { TASK_TARGETS = 4096 };

/* ---- columns ----------------------------------------------------------------------------- */

/* Where values themselves are published: the code under which each stands. */
static bauta_status place_values(bt_view *view, const bt_release_column *published,
                                 const bt_column *known, bt_placing *out, bauta_error *error)
{
    const bt_values *values = published->values;
    const bt_domain *domain = &known->domain;
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    uint32_t *code = bt_arena_array(&view->arena, domain->size, sizeof *code);
    if (!code) return bt_fail_memory(error);
    for (uint32_t i = 0; i < domain->size; i++)
        code[i] = BT_TUPLE_NONE;
    for (uint32_t i = 0; i < values->count && status == BAUTA_OK; i++) {
        const char *text = bt_arena_copy(&view->arena, values->text[i], values->length[i]);
        status = text ? bt_names_add(&names, 0, text, i, &added, error) : bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < domain->size && status == BAUTA_OK; i++)
        (void)bt_names_find(&names, 0, domain->text[i], &code[i]);
    bt_names_release(&names);
    *out = (bt_placing){.of_code = code};
    return status;
}

/* Values beside cells: each is a place of its own, and one more stands for all that are not
 * published. */
static bauta_status mix_values(bt_view *view, size_t column, bauta_error *error)
{
    bt_placing *placing = &view->placings[column];
    uint32_t count = view->published[column]->values->count;
    uint32_t size = view->known[column]->domain.size;
    uint32_t *code = bt_arena_array(&view->arena, size, sizeof *code);
    placing->sides = bt_arena_array(&view->arena, count, sizeof *placing->sides);
    if (!code || !placing->sides) return bt_fail_memory(error);
    for (uint32_t i = 0; i < size; i++)
        code[i] = placing->of_code[i] == BT_TUPLE_NONE ? count : placing->of_code[i];
    for (uint32_t i = 0; i < count; i++)
        placing->sides[i] = (bt_side){i, i + 1, NULL, 0};
    placing->positions = count + 1;
    placing->of_code = code;
    return BAUTA_OK;
}

static bauta_status choose_columns(bt_view *view, const bool *known, bauta_error *error)
{
    size_t all = view->release->column_count;
    view->published = bt_arena_array(&view->arena, all, sizeof *view->published);
    view->known = bt_arena_array(&view->arena, all, sizeof *view->known);
    view->placings = bt_arena_array(&view->arena, all, sizeof *view->placings);
    if (!view->published || !view->known || !view->placings) return bt_fail_memory(error);
    for (size_t i = 0; i < all; i++) {
        const bt_release_column *column = &view->release->columns[i];
        if (known ? !known[i] : column->manifest->role != BT_ROLE_QUASI) continue;
        const bt_column *theirs = bt_table_find(view->people, column->manifest->name);
        if (!theirs)
            return bt_fail(error, BAUTA_INVALID, "the table of people has no column '%s'",
                           column->manifest->name);
        size_t place = view->columns++;
        view->published[place] = column;
        view->known[place] = theirs;
        BT_TRY(column->values_shown
                   ? place_values(view, column, theirs, &view->placings[place], error)
                   : bt_placing_make(column, theirs, &view->arena, &view->placings[place], error));
        view->boxes = view->boxes || !column->values_shown;
    }
    for (size_t i = 0; view->boxes && i < view->columns; i++)
        if (view->published[i]->values_shown) BT_TRY(mix_values(view, i, error));
    return BAUTA_OK;
}

/* ---- groups and units -------------------------------------------------------------------- */

/* Numbers rows by their codes; both outputs belong to the caller. */
static bauta_status number_rows(const bt_codes *codes, size_t count, int64_t rows,
                                const bt_run *run, bt_tuples *tuples, uint32_t **tuple_of,
                                bt_tuple_index **index, bauta_error *error)
{
    *tuple_of = bt_array((size_t)rows, sizeof **tuple_of);
    if (!*tuple_of) return bt_fail_memory(error);
    return bt_tuples_number(codes, count, rows, run, tuples, *tuple_of, index, error);
}

/* Where bags are not numbered a group is a unit. */
static bauta_status units_are_groups(bt_view *view, bauta_error *error)
{
    uint32_t groups = view->groups.count;
    view->units = groups;
    view->unit_of = view->group_of;
    view->unit_size = view->groups.size;
    view->unit_first = bt_arena_array(&view->arena, (size_t)groups + 1, sizeof *view->unit_first);
    view->group_units = bt_arena_array(&view->arena, groups, sizeof *view->group_units);
    if (!view->unit_first || !view->group_units) return bt_fail_memory(error);
    for (uint32_t g = 0; g < groups; g++) {
        view->unit_first[g + 1] = g + 1;
        view->group_units[g] = (bt_candidate){g, view->groups.size[g]};
    }
    return BAUTA_OK;
}

/* Where bags are numbered they are the units. The records of two tables are those of classes; of a
 * join that hides them nobody knows how many of a bag's rows they are. */
static bauta_status units_are_bags(bt_view *view, const bt_run *run, bauta_error *error)
{
    const bt_release *release = view->release;
    const bt_bags *bags = &release->bags;
    const uint32_t *bag_of = release->files[BT_QUASI_FILE].bag_of;
    view->units = bags->count;
    view->unit_of = release->files[release->sensitive_file].bag_of;
    view->unit_size = release->form->pair          ? release->classes.size
                      : bt_records_hidden(release) ? bags->rows
                                                   : bags->values;
    uint32_t groups = view->groups.count;
    bt_tuples pairs = {0};
    const bt_codes codes[] = {{view->group_of, 4, groups}, {bag_of, 4, view->units}};
    bauta_status status = bt_tuples_group(codes, 2, release->rows, run, &pairs, error);
    view->unit_first = bt_arena_array(&view->arena, (size_t)groups + 1, sizeof *view->unit_first);
    view->group_units = bt_arena_array(&view->arena, pairs.count, sizeof *view->group_units);
    size_t *next = bt_array_zero((size_t)groups + 1, sizeof *next);
    if (status == BAUTA_OK && (!view->unit_first || !view->group_units || !next))
        status = bt_fail_memory(error);
    if (status == BAUTA_OK) {
        for (uint32_t p = 0; p < pairs.count; p++) /* without records a unit has no target */
            view->unit_first[view->group_of[pairs.row[p]] + 1] +=
                view->unit_size[bag_of[pairs.row[p]]] > 0;
        for (uint32_t g = 0; g < groups; g++)
            next[g + 1] = view->unit_first[g + 1] += view->unit_first[g];
        for (uint32_t p = 0; p < pairs.count; p++) {
            uint32_t row = pairs.row[p];
            if (view->unit_size[bag_of[row]] == 0) continue;
            view->group_units[next[view->group_of[row]]++] =
                (bt_candidate){bag_of[row], pairs.size[p]};
        }
    }
    free(next);
    bt_tuples_release(&pairs);
    return status;
}

/* ---- candidates -------------------------------------------------------------------------- */

typedef struct group_list { /* what a task found: groups, target by target */
    uint32_t *groups;
    size_t count, capacity;
} group_list;

typedef struct search {
    bt_view *view;
    const bt_run *run;
    const bt_boxes *boxes;       /* boxes of the groups, where cells are published */
    const bt_tuple_index *index; /* values of the groups, where those are published */
    group_list *lists;           /* per task */
} search;

static bauta_status found_group(void *user, uint32_t group, bauta_error *error)
{
    group_list *list = user;
    BT_TRY(bt_array_grow(&list->groups, &list->capacity, list->count + 1, sizeof *list->groups,
                         error));
    list->groups[list->count++] = group;
    return BAUTA_OK;
}

static bauta_status find_groups(const search *s, const uint32_t *point, group_list *list,
                                bauta_error *error)
{
    if (s->boxes) return bt_boxes_at(s->boxes, point, found_group, list, error);
    uint32_t group = bt_tuple_index_find(s->index, point);
    return group == BT_TUPLE_NONE ? BAUTA_OK : found_group(list, group, error);
}

static bauta_status find_candidates(void *user, size_t task, unsigned worker, bauta_error *error)
{
    search *s = user;
    bt_view *view = s->view;
    group_list *list = &s->lists[task];
    uint32_t *point = bt_array(view->columns, sizeof *point);
    bauta_status status = point ? BAUTA_OK : bt_fail_memory(error);
    size_t end = (task + 1) * TASK_TARGETS;
    if (end > view->targets.count) end = view->targets.count;
    for (size_t t = task * TASK_TARGETS; t < end && status == BAUTA_OK; t++) {
        size_t before = list->count;
        for (size_t i = 0; i < view->columns; i++)
            point[i] = bt_placing_position(&view->placings[i],
                                           bt_column_code(view->known[i], view->targets.row[t]));
        status = find_groups(s, point, list, error);
        view->first[t + 1] = list->count - before;
    }
    free(point);
    if (status != BAUTA_OK) return status;
    return bt_run_progress(s->run, worker, "match", (int64_t)end, view->targets.count, error);
}

static bauta_status run_search(search *s, bauta_error *error)
{
    bt_view *view = s->view;
    size_t tasks = (view->targets.count + TASK_TARGETS - 1) / TASK_TARGETS, count = 0;
    view->first =
        bt_arena_array(&view->arena, (size_t)view->targets.count + 1, sizeof *view->first);
    s->lists = bt_array_zero(tasks, sizeof *s->lists);
    bauta_status status = view->first && s->lists ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_pool_run(s->run->pool, tasks, find_candidates, s, error);
    if (status == BAUTA_OK) {
        for (uint32_t t = 0; t < view->targets.count; t++)
            view->first[t + 1] += view->first[t];
        view->candidates = bt_array(view->first[view->targets.count], sizeof *view->candidates);
        if (!view->candidates) status = bt_fail_memory(error);
    }
    for (size_t i = 0; s->lists && i < tasks; i++) {
        if (status == BAUTA_OK && s->lists[i].count > 0)
            memcpy(view->candidates + count, s->lists[i].groups,
                   s->lists[i].count * sizeof *view->candidates);
        count += s->lists[i].count;
        free(s->lists[i].groups);
    }
    free(s->lists);
    return status;
}

/* The place of each group in the sides of each known column: the cell of its first row. */
static bauta_status make_boxes(bt_view *view, bt_boxes **out, bauta_error *error)
{
    uint32_t groups = view->groups.count;
    uint32_t **place = bt_arena_array(&view->arena, view->columns, sizeof *place);
    const bt_side **sides = bt_arena_array(&view->arena, view->columns, sizeof *sides);
    uint32_t *positions = bt_arena_array(&view->arena, view->columns, sizeof *positions);
    if (!place || !sides || !positions) return bt_fail_memory(error);
    for (size_t i = 0; i < view->columns; i++) {
        const bt_release_column *column = view->published[i];
        place[i] = bt_arena_array(&view->arena, groups, sizeof **place);
        if (!place[i]) return bt_fail_memory(error);
        for (uint32_t g = 0; g < groups; g++)
            place[i][g] = bt_code_at(column->codes, column->width, view->groups.row[g]);
        sides[i] = view->placings[i].sides;
        positions[i] = view->placings[i].positions;
    }
    return bt_boxes_new(sides, place, positions, view->columns, groups, out, error);
}

static bauta_status find_targets(bt_view *view, const bt_run *run, bauta_error *error)
{
    bt_tuple_index *index = NULL;
    bt_codes *codes = bt_arena_array(&view->arena, view->columns, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < view->columns; i++)
        codes[i] =
            (bt_codes){view->known[i]->codes, view->known[i]->width, view->known[i]->domain.size};
    bauta_status status = number_rows(codes, view->columns, view->people->rows, run, &view->targets,
                                      &view->target_of, &index, error);
    bt_tuple_index_free(index);
    return status;
}

static bauta_status find_all(bt_view *view, const bt_run *run, bauta_error *error)
{
    bt_tuple_index *index = NULL;
    bt_boxes *boxes = NULL;
    bt_codes *codes = bt_arena_array(&view->arena, view->columns, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < view->columns; i++) {
        const bt_release_column *column = view->published[i];
        codes[i] = (bt_codes){column->codes, column->width, column->values->count};
    }
    bauta_status status = number_rows(codes, view->columns, view->release->rows, run, &view->groups,
                                      &view->group_of, &index, error);
    if (view->release->form->redrawn) {
        bt_tuple_index_free(index);
        if (status == BAUTA_OK) status = find_targets(view, run, error);
        return status == BAUTA_OK ? bt_view_redraw(view, run, error) : status;
    }
    if (status == BAUTA_OK)
        status = view->release->bags.name ? units_are_bags(view, run, error)
                                          : units_are_groups(view, error);
    if (status == BAUTA_OK && view->boxes) status = make_boxes(view, &boxes, error);
    if (status == BAUTA_OK) status = find_targets(view, run, error);
    search s = {.view = view, .run = run, .boxes = boxes, .index = index};
    if (status == BAUTA_OK) status = run_search(&s, error);
    bt_tuple_index_free(index);
    bt_boxes_free(boxes);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_view_open(const bt_release *release, const bt_table *people, const bool *known,
                          const bt_run *run, bt_view *out, bauta_error *error)
{
    *out = (bt_view){.release = release, .people = people};
    BT_TRY(choose_columns(out, known, error));
    if (out->columns == 0)
        return bt_fail(error, BAUTA_INVALID, "the attacker knows no quasi column of the release");
    return find_all(out, run, error);
}

void bt_view_close(bt_view *view)
{
    bt_tuples_release(&view->groups);
    bt_tuples_release(&view->targets);
    free(view->group_of);
    free(view->target_of);
    free(view->candidates);
    if (view->redrawn) bt_redrawn_close(view->redrawn);
    bt_arena_release(&view->arena);
    *view = (bt_view){0};
}

int64_t bt_view_rows(const bt_view *view, uint32_t target)
{
    int64_t rows = 0;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++)
        rows += view->groups.size[view->candidates[i]];
    return rows;
}

/* ---- narrow cells ------------------------------------------------------------------------ */

/* The combinations of values that the cells of a group hold. */
static double volume_of(const bt_view *view, uint32_t group)
{
    double volume = 1;
    for (size_t i = 0; i < view->columns; i++) {
        const bt_release_column *column = view->published[i];
        uint32_t code = bt_code_at(column->codes, column->width, view->groups.row[group]);
        const bt_side *side = &view->placings[i].sides[code];
        volume *= side->members ? side->count : side->to - side->from;
    }
    return volume;
}

bauta_status bt_view_narrow(const bt_view *view, bt_view *out, bool *narrower, bauta_error *error)
{
    uint32_t targets = view->targets.count;
    *out = *view;
    out->first = bt_array_zero((size_t)targets + 1, sizeof *out->first);
    out->candidates = bt_array(view->first[targets], sizeof *out->candidates);
    double *volume = bt_array(view->groups.count, sizeof *volume);
    bool made = out->first && out->candidates && volume;
    for (uint32_t g = 0; made && g < view->groups.count; g++)
        volume[g] = volume_of(view, g);
    for (uint32_t t = 0; made && t < targets; t++) {
        size_t from = view->first[t], to = view->first[t + 1], next = out->first[t];
        double least = from < to ? volume[view->candidates[from]] : 0;
        for (size_t i = from; i < to; i++)
            if (volume[view->candidates[i]] < least) least = volume[view->candidates[i]];
        for (size_t i = from; i < to; i++)
            if (volume[view->candidates[i]] <= least) out->candidates[next++] = view->candidates[i];
        out->first[t + 1] = next;
    }
    *narrower = made && out->first[targets] < view->first[targets];
    free(volume);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

void bt_view_widen(bt_view *narrow)
{
    free(narrow->first);
    free(narrow->candidates);
    *narrow = (bt_view){0};
}
