/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a release for questions: its columns are built, and its form arranges them.
 */
#include "query/form.h"

#include <string.h>

#define BT_QUERY_FORM(name)                                                                        \
    extern const bt_query_form bt_query_##name;                                                    \
    extern const bt_reading_form bt_reading_##name;
#include "query/forms.def"
#undef BT_QUERY_FORM

static const bt_query_form *find_form(const bt_reading_form *form)
{
    static const struct {
        const bt_reading_form *form;
        const bt_query_form *answers;
    } forms[] = {
#define BT_QUERY_FORM(name) {&bt_reading_##name, &bt_query_##name},
#include "query/forms.def"
#undef BT_QUERY_FORM
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].form == form) return forms[i].answers;
    return NULL;
}

bauta_status bt_column_take(bt_queryable *queryable, size_t number, const uint32_t *order,
                            size_t count, bauta_error *error)
{
    bt_query_column *column = &queryable->columns.items[number];
    const bt_release_column *from = &queryable->release->columns[number];
    column->width = from->width;
    column->codes = bt_arena_array(&queryable->arena, count, from->width);
    BT_TRY(bt_arena_check(&queryable->arena, error));
    for (size_t i = 0; i < count; i++)
        memcpy((char *)column->codes + i * from->width,
               (const char *)from->codes + (order ? order[i] : i) * from->width, from->width);
    return BAUTA_OK;
}

bauta_status bt_queryable_take(bt_queryable *queryable, size_t file, const bt_run *run,
                               bauta_error *error)
{
    const bt_release *release = queryable->release;
    bool left = file == BT_QUASI_FILE;
    BT_OWN(bt_class_rows_release) bt_class_rows rows = {0};
    BT_TRY(bt_release_arrange(release, file, run, &rows, error));
    size_t count = (size_t)queryable->classes + 1;
    size_t *starts = bt_arena_array(&queryable->arena, count, sizeof *starts);
    BT_TRY(bt_arena_check(&queryable->arena, error));
    memcpy(starts, rows.starts, count * sizeof *starts);
    *(left ? &queryable->left_starts : &queryable->right_starts) = starts;
    for (size_t i = 0; i < release->column_count; i++) {
        if (release->columns[i].file != file) continue;
        queryable->columns.items[i].side = left ? BT_LEFT : BT_RIGHT;
        BT_TRY(bt_column_take(queryable, i, rows.order, (size_t)release->files[file].rows, error));
    }
    return BAUTA_OK;
}

/* distribution: the sensitive column is built of the leaves of its hierarchy, in their order. */
static bauta_status build_leaves(const bt_release_column *from, bt_arena *arena,
                                 bt_query_column *out, bauta_error *error)
{
    const bt_hierarchy *tree = from->manifest->hierarchy;
    bt_release_column leaves = {.manifest = from->manifest};
    bt_values *values = bt_arena_array(arena, 1, sizeof *values);
    if (!values) return bt_fail_memory(error);
    values->count = tree->leaves;
    values->text = bt_arena_array(arena, tree->leaves, sizeof *values->text);
    values->length = bt_arena_array(arena, tree->leaves, sizeof *values->length);
    if (!values->text || !values->length) return bt_fail_memory(error);
    for (uint32_t code = 0; code < tree->leaves; code++) {
        values->text[code] = tree->nodes[tree->leaf_node[code]].name;
        values->length[code] = (uint32_t)strlen(values->text[code]);
    }
    leaves.values = values;
    return bt_query_column_build(&leaves, false, arena, out, error);
}

static bauta_status build_columns(bt_queryable *queryable, bauta_error *error)
{
    const bt_release *release = queryable->release;
    bt_query_columns *columns = &queryable->columns;
    columns->items =
        bt_arena_array(&queryable->arena, release->column_count, sizeof *columns->items);
    if (!columns->items) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *from = &release->columns[i];
        bool cells = from->manifest->role == BT_ROLE_QUASI && !from->values_shown, added;
        columns->count++;
        BT_TRY(
            from == release->distribution.sensitive
                ? build_leaves(from, &queryable->arena, &columns->items[i], error)
                : bt_query_column_build(from, cells, &queryable->arena, &columns->items[i], error));
        BT_TRY(
            bt_names_add(&columns->names, 0, columns->items[i].name, (uint32_t)i, &added, error));
    }
    return BAUTA_OK;
}

bauta_status bt_queryable_open(const bt_release *release, const bt_run *run, bt_queryable **out,
                               bauta_error *error)
{
    bt_queryable *queryable = *out = bt_array_zero(1, sizeof *queryable);
    if (!queryable) return bt_fail_memory(error);
    queryable->release = release;
    queryable->form = find_form(release->form);
    if (!queryable->form)
        return bt_fail(error, BAUTA_INVALID, "this version has no answers for the form '%s'",
                       release->manifest.form);
    BT_TRY(build_columns(queryable, error));
    return queryable->form->open(queryable, run, error);
}

void bt_queryable_close(bt_queryable *queryable)
{
    if (!queryable) return;
    if (queryable->form && queryable->form->close) queryable->form->close(queryable);
    bt_names_release(&queryable->columns.names);
    bt_arena_release(&queryable->arena);
    free(queryable);
}

bauta_status bt_steps_make(bt_question *question, size_t first, bt_step **out, bauta_error *error)
{
    bt_predicate *predicate = &question->predicate;
    const bt_diagram *diagram = &question->diagram;
    uint32_t *signatures = NULL;
    *out = bt_arena_array(&predicate->arena, diagram->count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    /* Nodes of one slot stand together. */
    for (uint32_t node = BT_ALWAYS + 1; node < diagram->count; node++) {
        const bt_slot *slot = &predicate->slots[diagram->slot[node]];
        if (diagram->slot[node] < first) break;
        if (diagram->slot[node] != diagram->slot[node - 1])
            BT_TRY(bt_chances_exact(slot, &predicate->arena, &signatures, error));
        (*out)[node] = (bt_step){slot->column->codes, slot->column->width, signatures,
                                 diagram->edges + diagram->first[node]};
    }
    return BAUTA_OK;
}

bauta_status bt_contribute(bt_evaluation *evaluation, const bt_queryable *queryable,
                           uint32_t class_number, bt_contribution what, bauta_error *error)
{
    bt_evaluation *e = evaluation;
    const uint32_t *numbers = queryable->release->bags.number;
    e->bounds.must += what.must;
    e->bounds.may += what.may;
    e->expected += what.expected;
    if (!e->explain || what.may == 0) return BAUTA_OK;
    BT_TRY(bt_array_grow(&e->contributions, &e->contribution_capacity, e->contribution_count + 1,
                         sizeof *e->contributions, error));
    what.class_number = numbers ? numbers[class_number] : 0;
    what.row = queryable->first_row[class_number] + 1;
    e->contributions[e->contribution_count++] = what;
    return BAUTA_OK;
}
