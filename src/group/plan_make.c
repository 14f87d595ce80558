/* SPDX-License-Identifier: Apache-2.0
 *
 * From a grouping to its plan. Classes are ordered by their boxes, so that a plan does not tell in
 * which order its records stood, and its boxes are the tight ones. Where boxes overlap, the records
 * whose class is not the first that holds them are named by their values.
 *
 * Cost: linear in rows times columns, and n log n in classes and different records.
 */
#include "base/bitset.h"
#include "class/locate.h"
#include "class/steer.h"
#include "group/plan.h"
#include "recipe/cell.h"
#include "recipe/names.h"
#include "table/order.h"

#include <string.h>

typedef struct maker {
    const bt_plan_source *source;
    const bt_grouping *grouping;
    const bt_column **quasi;
    size_t columns;
    bt_arena *arena; /* of the plan */
    bt_arena scratch;
    uint32_t *order; /* classes of the grouping, in the order of the plan */
    uint32_t *place; /* the place of each class of the grouping in that order */
    bt_plan *plan;
} maker;

static bauta_status refuse(const char *why, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "no plan can be saved: %s", why);
    bt_error_hint(error, "'mondrian', 'incognito' and 'levels' make classes that a plan can say");
    return status;
}

/* ---- columns ----------------------------------------------------------------------------- */

static const char *copy(bt_arena *arena, const char *text)
{
    return bt_arena_copy(arena, text, strlen(text));
}

static bauta_status copy_paths(maker *m, const bt_column *column, bt_plan_column *out,
                               bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    size_t leaves = bt_domain_present(&column->domain);
    const char *names[BT_LEVELS_MOST];
    const char *const **paths = bt_arena_array(m->arena, leaves, sizeof *paths);
    out->path_lengths = bt_arena_array(m->arena, leaves, sizeof *out->path_lengths);
    if (!paths || !out->path_lengths) return bt_fail_memory(error);
    for (size_t i = 0; i < leaves; i++) {
        size_t count = bt_hierarchy_path(tree, (uint32_t)i, names);
        const char **path = bt_arena_array(m->arena, count, sizeof *path);
        if (!path) return bt_fail_memory(error);
        for (size_t k = 0; k < count; k++)
            path[k] = copy(m->arena, names[k]);
        paths[i] = path;
        out->path_lengths[i] = count;
    }
    out->paths = paths;
    out->path_count = leaves;
    return bt_arena_check(m->arena, error);
}

static bauta_status make_column(maker *m, size_t place, bt_plan_column *out, bauta_error *error)
{
    const bt_column *column = m->quasi[place];
    const bt_domain *domain = &column->domain;
    const bt_hierarchy *tree = column->hierarchy;
    const char *cuts = m->source->cut_points ? m->source->cut_points[place] : NULL;
    out->name = copy(m->arena, column->name);
    out->type = domain->reading.type;
    out->has_missing = domain->has_missing;
    if (tree) {
        out->spec = copy(m->arena, tree->spec);
        out->is_public = tree->is_public;
        if (tree->given || bt_spec_shows_values(tree->spec))
            BT_TRY(copy_paths(m, column, out, error));
    }
    if (cuts) out->cut_points = copy(m->arena, cuts);
    if (m->plan->kind == BT_PLAN_LEVELS && !out->paths) return bt_arena_check(m->arena, error);
    out->value_count = bt_domain_present(domain);
    const char **values = bt_arena_array(m->arena, out->value_count, sizeof *values);
    for (uint32_t i = 0; values && i < out->value_count; i++)
        values[i] = copy(m->arena, domain->text[i]);
    out->values = values;
    return bt_arena_check(m->arena, error);
}

/* ---- levels ------------------------------------------------------------------------------ */

static uint32_t floor_of(const bt_grouping *grouping, size_t place)
{
    return grouping->floors ? grouping->floors[place] : 0;
}

/* Whether every cell is what its column's level makes of a value. */
static bool has_levels(const maker *m)
{
    const bt_grouping *grouping = m->grouping;
    if (!m->source->method->full_domain || grouping->nodes) return false;
    for (size_t c = 0; c < m->columns; c++) {
        const bt_column *column = m->quasi[c];
        uint32_t level = floor_of(grouping, c);
        if (column->cuts) return false;
        for (uint32_t i = 0; i < grouping->classes; i++) {
            bt_box box = bt_class_box(grouping, i)[c];
            bool same = column->hierarchy ? bt_published_node(grouping, column, c, i) ==
                                                    bt_node_at(column, box.lo, level) &&
                                                bt_node_at(column, box.hi, level) ==
                                                    bt_node_at(column, box.lo, level)
                                          : level > 0 || box.lo == box.hi;
            if (!same) return false;
        }
    }
    return true;
}

/* ---- boxes ------------------------------------------------------------------------------- */

/* Orders classes by their boxes. */
static bauta_status order_classes(maker *m, bt_box *tight, bauta_error *error)
{
    uint32_t classes = m->grouping->classes;
    bt_codes *keys = bt_arena_array(&m->scratch, 2 * m->columns, sizeof *keys);
    m->order = bt_arena_array(&m->scratch, classes, sizeof *m->order);
    m->place = bt_arena_array(&m->scratch, classes, sizeof *m->place);
    for (size_t k = 0; keys && k < 2 * m->columns; k++) {
        uint32_t *ends = bt_arena_array(&m->scratch, classes, sizeof *ends);
        const bt_column *column = m->quasi[k / 2];
        for (uint32_t i = 0; ends && i < classes; i++) {
            const bt_box *box = &tight[(size_t)i * m->columns + k / 2];
            ends[i] = k % 2 ? box->hi : box->lo;
        }
        keys[k] = (bt_codes){ends, sizeof *ends, column->domain.size};
    }
    BT_TRY(bt_arena_check(&m->scratch, error));
    BT_TRY(bt_order_rows(keys, 2 * m->columns, NULL, classes, m->order, error));
    for (uint32_t i = 0; i < classes; i++)
        m->place[m->order[i]] = i;
    return BAUTA_OK;
}

/* The text of a class's cell. */
static bauta_status spell_cell(const maker *m, size_t place, uint32_t class_number,
                               uint64_t *present, bt_buffer *out, bauta_error *error)
{
    const bt_grouping *grouping = m->grouping;
    const bt_column *column = m->quasi[place];
    out->length = 0;
    if (column->hierarchy) {
        uint32_t node = bt_published_node(grouping, column, place, class_number);
        return bt_buffer_print(out, error, "%s", column->hierarchy->nodes[node].label);
    }
    bt_box box = bt_published_box(grouping, column, place, class_number);
    uint32_t last = bt_domain_present(&column->domain);
    if (box.lo != box.hi && box.hi >= last) return bt_buffer_print(out, error, "*");
    for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1]; i++)
        bt_bitset_add(present, bt_column_code(column, grouping->order[i]));
    bauta_status status = bt_cell_write(column, box.lo, box.hi, present, out, error);
    for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1]; i++)
        present[bt_column_code(column, grouping->order[i]) / 64] = 0;
    return status;
}

/* Numbers the different cells of a column in the order of classes. */
static bauta_status number_cells(maker *m, size_t place, bauta_error *error)
{
    bt_plan_column *to = &m->plan->columns[place];
    uint32_t classes = m->grouping->classes;
    const char **cells = bt_arena_array(m->arena, classes, sizeof *cells);
    uint64_t *present =
        bt_arena_array(&m->scratch, bt_bitset_words(m->quasi[place]->domain.size), sizeof *present);
    bt_buffer text = {0};
    bt_names known = {0};
    bauta_status status = cells && present ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; i < classes && status == BAUTA_OK; i++) {
        uint32_t number = to->cell_count;
        status = spell_cell(m, place, m->order[i], present, &text, error);
        if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error); /* ends the text */
        if (status != BAUTA_OK) break;
        if (!bt_names_find(&known, 0, text.bytes, &number)) {
            bool added;
            const char *kept = bt_arena_copy(m->arena, text.bytes, text.length - 1);
            status =
                kept ? bt_names_add(&known, 0, kept, number, &added, error) : bt_fail_memory(error);
            if (status == BAUTA_OK) cells[to->cell_count++] = kept;
        }
        m->plan->cells[(size_t)i * m->columns + place] = number;
    }
    to->cells = cells;
    bt_names_release(&known);
    bt_buffer_release(&text);
    return status;
}

/* The class of each different record; refused where two have it. */
static bauta_status classes_of_tuples(maker *m, bt_tuples *tuples, uint32_t *class_of,
                                      bauta_error *error)
{
    const bt_grouping *grouping = m->grouping;
    int64_t rows = m->source->table->rows;
    bt_codes *codes = bt_arena_array(&m->scratch, m->columns, sizeof *codes);
    uint32_t *tuple_of = bt_arena_array(&m->scratch, (size_t)rows, sizeof *tuple_of), split = 0;
    BT_TRY(bt_arena_check(&m->scratch, error));
    for (size_t c = 0; c < m->columns; c++)
        codes[c] = (bt_codes){m->quasi[c]->codes, m->quasi[c]->width, m->quasi[c]->domain.size};
    BT_TRY(
        bt_tuples_number(codes, m->columns, rows, m->source->run, tuples, tuple_of, NULL, error));
    for (uint32_t t = 0; t < tuples->count; t++)
        class_of[t] = BT_NOWHERE; /* all its records were dropped */
    for (uint32_t c = 0; c < grouping->classes; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            uint32_t *of = &class_of[tuple_of[grouping->order[i]]];
            split += *of != BT_NOWHERE && *of != m->place[c];
            *of = m->place[c];
        }
    if (split == 0) return BAUTA_OK;
    return refuse("records with the same quasi values are in several classes", error);
}

/* Lists the records that a box before that of their class holds. */
static bauta_status list_tuples(maker *m, const bt_tuples *tuples, const uint32_t *class_of,
                                bauta_error *error)
{
    bt_plan *plan = m->plan;
    bt_codes *codes = bt_arena_array(&m->scratch, m->columns, sizeof *codes);
    uint32_t *order = bt_arena_array(&m->scratch, tuples->count, sizeof *order);
    uint32_t *listed = bt_arena_array(&m->scratch, tuples->count, sizeof *listed);
    uint32_t *point = bt_arena_array(&m->scratch, m->columns, sizeof *point);
    bt_locator *locator = NULL;
    BT_TRY(bt_arena_check(&m->scratch, error));
    for (size_t c = 0; c < m->columns; c++)
        codes[c] = (bt_codes){m->quasi[c]->codes, m->quasi[c]->width, m->quasi[c]->domain.size};
    BT_TRY(bt_order_rows(codes, m->columns, tuples->row, tuples->count, order, error));
    BT_TRY(bt_locator_make(plan->boxes, plan->class_count, m->columns, &locator, error));
    for (uint32_t i = 0; i < tuples->count; i++) {
        uint32_t tuple = order[i];
        for (size_t c = 0; c < m->columns; c++)
            point[c] = bt_column_code(m->quasi[c], tuples->row[tuple]);
        if (class_of[tuple] != BT_NOWHERE &&
            bt_locate(locator, point, NULL, NULL) != class_of[tuple])
            listed[plan->tuple_count++] = tuple;
    }
    bt_locator_free(locator);
    size_t count = plan->tuple_count;
    plan->tuples = bt_arena_array(m->arena, count * m->columns, sizeof *plan->tuples);
    plan->class_of = bt_arena_array(m->arena, count, sizeof *plan->class_of);
    BT_TRY(bt_arena_check(m->arena, error));
    for (size_t i = 0; i < count; i++) {
        plan->class_of[i] = class_of[listed[i]];
        for (size_t c = 0; c < m->columns; c++)
            plan->tuples[i * m->columns + c] = bt_column_code(m->quasi[c], tuples->row[listed[i]]);
    }
    return BAUTA_OK;
}

static bauta_status make_boxes(maker *m, bauta_error *error)
{
    const bt_grouping *grouping = m->grouping;
    bt_plan *plan = m->plan;
    size_t sides = (size_t)grouping->classes * m->columns;
    bt_box *tight = bt_arena_array(&m->scratch, sides, sizeof *tight);
    plan->class_count = grouping->classes;
    plan->boxes = bt_arena_array(m->arena, sides, sizeof *plan->boxes);
    plan->cells = bt_arena_array(m->arena, sides, sizeof *plan->cells);
    plan->sizes = bt_arena_array(m->arena, grouping->classes, sizeof *plan->sizes);
    if (!tight || bt_arena_check(m->arena, error) != BAUTA_OK) return bt_fail_memory(error);
    for (uint32_t i = 0; i < grouping->classes; i++)
        for (size_t c = 0; c < m->columns; c++)
            tight[(size_t)i * m->columns + c] = bt_tight_box(grouping, m->quasi[c], i);
    BT_TRY(order_classes(m, tight, error));
    for (uint32_t i = 0; i < grouping->classes; i++) {
        plan->sizes[i] =
            (uint64_t)bt_class_records(grouping, m->source->requirements->people, m->order[i]);
        memcpy(plan->boxes + (size_t)i * m->columns, tight + (size_t)m->order[i] * m->columns,
               m->columns * sizeof *tight);
    }
    for (size_t c = 0; c < m->columns; c++)
        BT_TRY(number_cells(m, c, error));
    bt_tuples tuples = {0};
    uint32_t *class_of =
        bt_arena_array(&m->scratch, (size_t)m->source->table->rows, sizeof *class_of);
    bauta_status status =
        class_of ? classes_of_tuples(m, &tuples, class_of, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = list_tuples(m, &tuples, class_of, error);
    bt_tuples_release(&tuples);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* What each requirement saw: of the table as one class. */
static bauta_status note_requirements(maker *m, bauta_error *error)
{
    const bt_requirements *asked = m->source->requirements;
    bt_figure *figures = NULL;
    size_t count = 0;
    bt_plan *plan = m->plan;
    const char **texts = bt_arena_array(m->arena, asked->count, sizeof *texts);
    const char **saw = bt_arena_array(m->arena, asked->count, sizeof *saw);
    BT_TRY(bt_arena_check(m->arena, error));
    BT_TRY(bt_requirements_figures(asked, &m->scratch, &figures, &count, error));
    for (size_t i = 0; i < asked->count; i++) {
        texts[i] = copy(m->arena, asked->items[i].text);
        saw[i] = copy(m->arena, "");
        for (size_t k = 0; k < count && saw[i]; k++)
            if (figures[k].item == &asked->items[i])
                saw[i] = bt_arena_print(m->arena, "%s%s%s", saw[i], *saw[i] ? "; " : "",
                                        figures[k].text);
    }
    plan->requirements = texts;
    plan->saw = saw;
    plan->requirement_count = asked->count;
    return bt_arena_check(m->arena, error);
}

static int64_t count_kept(const bt_plan_source *source)
{
    const bt_people *people = source->requirements->people;
    uint64_t records = 0;
    if (!people->counts) return source->grouping->kept;
    for (int64_t i = 0; i < source->grouping->kept; i++)
        records += people->counts[source->grouping->order[i]];
    return (int64_t)records;
}

static bauta_status make(maker *m, bauta_error *error)
{
    const bt_plan_source *source = m->source;
    bt_plan *plan = m->plan;
    BT_TRY(bt_table_select(source->table, BT_ROLE_QUASI, &m->quasi, &m->columns, error));
    plan->kind = has_levels(m) ? BT_PLAN_LEVELS : BT_PLAN_BOXES;
    plan->method = copy(m->arena, source->method_text);
    plan->records = count_kept(source);
    plan->column_count = m->columns;
    plan->columns = bt_arena_array(m->arena, m->columns, sizeof *plan->columns);
    BT_TRY(bt_arena_check(m->arena, error));
    for (size_t c = 0; c < m->columns; c++) {
        BT_TRY(make_column(m, c, &plan->columns[c], error));
        plan->columns[c].level = floor_of(m->grouping, c);
    }
    BT_TRY(note_requirements(m, error));
    return plan->kind == BT_PLAN_BOXES ? make_boxes(m, error) : BAUTA_OK;
}

bauta_status bt_plan_admit(const bt_method *method, bauta_error *error)
{
    return method->no_plan ? refuse(method->no_plan, error) : BAUTA_OK;
}

bauta_status bt_plan_make(const bt_plan_source *source, bt_arena *arena, bt_plan *out,
                          bauta_error *error)
{
    maker m = {.source = source, .grouping = source->grouping, .arena = arena, .plan = out};
    *out = (bt_plan){0};
    BT_TRY(bt_plan_admit(source->method, error));
    if (source->requirements->people->together)
        return refuse("the rows of persons stay together, so that their classes do not follow from "
                      "their quasi values",
                      error);
    if (source->grouping->wider_of && source->grouping->wider > 1)
        return refuse("classes are parts of wider groups, which a plan does not have", error);
    bauta_status status = make(&m, error);
    free(m.quasi);
    bt_arena_release(&m.scratch);
    return status;
}
