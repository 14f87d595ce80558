/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan in the codes of a table, and the classes that it makes of the records.
 *
 * Every code of a column gets a place among the values of the plan: an even one where it is one of
 * them, an odd one between two numbers. A cell of the plan becomes the codes that it stands for
 * here. No record is ever put into a class whose cells do not stand for its values, whatever the
 * plan says.
 *
 * Cost: linear in rows times columns; for each different record a search in a tree of boxes.
 */
#include "base/sort.h"
#include "class/locate.h"
#include "class/steer.h"
#include "group/plan.h"
#include "recipe/cell.h"
#include "recipe/names.h"
#include "table/order.h"

#include <string.h>

typedef struct cell {        /* codes that a cell of the plan stands for here */
    uint32_t lo, hi;         /* lo > hi: none */
    const uint32_t *members; /* of a set, ascending; NULL: all of lo..hi */
    uint32_t member_count;
    uint32_t node; /* columns with a hierarchy */
} cell;

typedef struct bound_column {
    const bt_column *column;
    const bt_plan_column *plan;
    uint32_t *place;   /* per code: twice the code in the plan, one more if it lies behind that
                          value; BT_NOWHERE: nowhere */
    uint32_t *node_of; /* BT_PLAN_LEVELS: per code the node of its level, or what stands for it */
    cell *cells;
} bound_column;

struct bt_bound_plan {
    const bt_plan *plan;
    size_t columns;
    const bt_column **quasi;
    bound_column *bound;
    bt_box *boxes, *cell_boxes; /* per class and column: places; codes */
    uint32_t *target;           /* per class: the first one that has its cells */
    bt_locator *by_box, *by_cell;
    bt_arena arena;
};

enum { LEVEL_ALL, LEVEL_VALUE }; /* what stands for nodes in a column without a hierarchy */

/* ---- values ------------------------------------------------------------------------------ */

typedef struct numbers { /* values of the plan and of the table at one scale */
    int scale;
    int64_t *of_plan, *of_codes;
    bool ascend; /* those of the plan */
} numbers;

static bauta_status refuse_digits(const bt_column *column, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the numbers of plan and table need too many digits");
    bt_error_place(error, NULL, -1, column->name);
    return status;
}

static bauta_status read_numbers(bound_column *b, bt_arena *arena, numbers *out, bauta_error *error)
{
    const bt_domain *domain = &b->column->domain;
    const bt_reading reading = {.type = b->plan->type, .date_form = BT_FORM_YMD};
    uint32_t present = bt_domain_present(domain);
    int64_t by = 1;
    out->scale = domain->scale;
    for (uint32_t i = 0; reading.type == BT_DECIMAL && i < b->plan->value_count; i++) {
        int own = bt_value_scale(b->plan->values[i], strlen(b->plan->values[i]), false);
        if (own > out->scale) out->scale = own;
    }
    out->of_plan = bt_arena_array(arena, b->plan->value_count, sizeof *out->of_plan);
    out->of_codes = bt_arena_array(arena, present, sizeof *out->of_codes);
    BT_TRY(bt_arena_check(arena, error));
    out->ascend = true;
    for (uint32_t i = 0; i < b->plan->value_count; i++) {
        const char *text = b->plan->values[i];
        if (!bt_value_number(&reading, text, strlen(text), out->scale, &out->of_plan[i]))
            return refuse_digits(b->column, error);
        if (i > 0 && out->of_plan[i] <= out->of_plan[i - 1]) out->ascend = false;
    }
    for (int i = domain->scale; i < out->scale; i++)
        by *= 10;
    for (uint32_t code = 0; code < present; code++)
        if (__builtin_mul_overflow(domain->number[code], by, &out->of_codes[code]))
            return refuse_digits(b->column, error);
    return BAUTA_OK;
}

/* The last of `count` ascending numbers that is not above one; `count`: none is. */
static uint32_t find_below(const int64_t *sorted, uint32_t count, int64_t number)
{
    uint32_t from = 0, to = count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (sorted[middle] <= number)
            from = middle + 1;
        else
            to = middle;
    }
    return from == 0 ? count : from - 1;
}

/* Where the numbers of the table lie among those of the plan. A given tree knows its leaves and
 * nothing between them. */
static void place_numbers(bound_column *b, const numbers *n)
{
    uint32_t present = bt_domain_present(&b->column->domain), count = b->plan->value_count;
    for (uint32_t code = 0; code < present; code++) {
        uint32_t below = find_below(n->of_plan, count, n->of_codes[code]);
        if (below == count) continue;
        bool same = n->of_plan[below] == n->of_codes[code];
        if (same || (below + 1 < count && !b->plan->paths))
            b->place[code] = 2 * below + (same ? 0 : 1);
    }
}

static bauta_status place_texts(bound_column *b, bauta_error *error)
{
    uint32_t present = bt_domain_present(&b->column->domain), at;
    bt_names known = {0};
    bauta_status status = BAUTA_OK;
    for (uint32_t i = 0; i < b->plan->value_count && status == BAUTA_OK; i++) {
        bool added;
        status = bt_names_add(&known, 0, b->plan->values[i], i, &added, error);
    }
    for (uint32_t code = 0; code < present && status == BAUTA_OK; code++)
        if (bt_names_find(&known, 0, b->column->domain.text[code], &at)) b->place[code] = 2 * at;
    bt_names_release(&known);
    return status;
}

static bauta_status find_places(bound_column *b, bt_arena *arena, numbers *n, bauta_error *error)
{
    const bt_domain *domain = &b->column->domain;
    b->place = bt_arena_array(arena, domain->size, sizeof *b->place);
    if (!b->place) return bt_fail_memory(error);
    for (uint32_t code = 0; code < domain->size; code++)
        b->place[code] = BT_NOWHERE;
    if (domain->has_missing && b->plan->has_missing)
        b->place[domain->size - 1] = 2 * b->plan->value_count;
    if (b->plan->type != BT_TEXT) BT_TRY(read_numbers(b, arena, n, error));
    if (b->plan->type == BT_TEXT || !n->ascend) return place_texts(b, error);
    place_numbers(b, n);
    return BAUTA_OK;
}

/* ---- cells ------------------------------------------------------------------------------- */

static bauta_status wrong_cell(const bound_column *b, const char *what, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, NULL, -1, b->column->name);
    bt_error_hint(error, "make a new plan with --save-plan");
    return status;
}

static bauta_status bind_node(const bound_column *b, const char *label, cell *out,
                              bauta_error *error)
{
    const bt_hierarchy *tree = b->column->hierarchy;
    uint32_t node = bt_hierarchy_find(tree, label, strlen(label));
    if (node == UINT32_MAX) return BAUTA_OK; /* no value of this table is under it */
    const bt_node *found = &tree->nodes[node];
    *out = (cell){.lo = found->lo, .hi = found->hi - 1, .node = node};
    bool missing = found->children == 0 && found->label[0] == '\0';
    if (!missing && (found->level > bt_highest_level(b->column) ||
                     found->level < tree->nodes[bt_lowest_node(b->column, found->lo)].level))
        return wrong_cell(b, "the plan has cells that 'min-level' or 'max-level' does not allow",
                          error);
    return BAUTA_OK;
}

/* The codes of a range. Numbers of a domain without a tree ascend. */
static void bind_range(const bound_column *b, const numbers *n, int64_t lo, int64_t hi, cell *out)
{
    uint32_t present = bt_domain_present(&b->column->domain);
    uint32_t last = find_below(n->of_codes, present, hi);
    uint32_t before = lo == INT64_MIN ? present : find_below(n->of_codes, present, lo - 1);
    if (last == present) return;
    out->lo = before == present ? 0 : before + 1;
    out->hi = last;
}

static bauta_status bind_texts(const bt_names *codes, const bt_cell *read, bt_arena *arena,
                               cell *out, bauta_error *error)
{
    uint32_t *members = bt_arena_array(arena, read->count, sizeof *members), count = 0, code;
    if (!members) return bt_fail_memory(error);
    for (size_t i = 0; i < read->count; i++)
        if (bt_names_find(codes, 0, read->text[i], &code)) members[count++] = code;
    if (count == 0) return BAUTA_OK;
    qsort(members, count, sizeof *members, bt_compare_uint32);
    *out = (cell){
        .lo = members[0], .hi = members[count - 1], .members = members, .member_count = count};
    return BAUTA_OK;
}

static bauta_status bind_cell(const bound_column *b, const numbers *n, const bt_names *codes,
                              const char *text, bt_arena *arena, cell *out, bauta_error *error)
{
    const bt_domain *domain = &b->column->domain;
    const bt_cell_format format = {.type = b->plan->type, .scale = n->scale};
    bt_cell read;
    bool memory = false;
    *out = (cell){.lo = 1, .hi = 0};
    if (b->column->hierarchy) return bind_node(b, text, out, error);
    if (!bt_cell_read(&format, text, strlen(text), arena, &read, &memory))
        return memory ? bt_fail_memory(error)
                      : wrong_cell(b, "the plan has a cell that is none of this column", error);
    switch (read.kind) {
    case BT_CELL_ALL: *out = (cell){.lo = 0, .hi = domain->size - 1}; break;
    case BT_CELL_MISSING:
        if (domain->has_missing) *out = (cell){.lo = domain->size - 1, .hi = domain->size - 1};
        break;
    default:
        if (b->plan->type == BT_TEXT) return bind_texts(codes, &read, arena, out, error);
        bind_range(b, n, read.lo, read.kind == BT_CELL_RANGE ? read.hi : read.lo, out);
    }
    return BAUTA_OK;
}

static bauta_status bind_cells(bound_column *b, const numbers *n, bt_arena *arena,
                               bauta_error *error)
{
    const bt_domain *domain = &b->column->domain;
    bt_names codes = {0};
    bauta_status status = BAUTA_OK;
    bool sets = b->plan->type == BT_TEXT && !b->column->hierarchy;
    b->cells = bt_arena_array(arena, b->plan->cell_count, sizeof *b->cells);
    if (!b->cells) return bt_fail_memory(error);
    for (uint32_t i = 0; sets && i < bt_domain_present(domain) && status == BAUTA_OK; i++) {
        bool added;
        status = bt_names_add(&codes, 0, domain->text[i], i, &added, error);
    }
    for (uint32_t i = 0; i < b->plan->cell_count && status == BAUTA_OK; i++)
        status = bind_cell(b, n, &codes, b->plan->cells[i], arena, &b->cells[i], error);
    bt_names_release(&codes);
    return status;
}

static bool covers(const cell *of, uint32_t code)
{
    if (code < of->lo || code > of->hi) return false;
    return !of->members ||
           bsearch(&code, of->members, of->member_count, sizeof code, bt_compare_uint32);
}

/* ---- levels ------------------------------------------------------------------------------ */

/* The node that the level makes of each code. A value that a given tree has not is in no class
 * below the top. */
static bauta_status bind_level(bound_column *b, bt_arena *arena, bauta_error *error)
{
    const bt_column *column = b->column;
    const bt_hierarchy *tree = column->hierarchy;
    uint32_t level = b->plan->level, top = tree ? tree->levels - 1 : 1;
    bool within = level <= bt_highest_level(column) && level >= bt_lowest_level(column);
    if (level > top) return wrong_cell(b, "the plan has a level that is above the highest", error);
    if (!within)
        return wrong_cell(b, "the plan has a level that 'min-level' or 'max-level' does not allow",
                          error);
    b->node_of = bt_arena_array(arena, column->domain.size, sizeof *b->node_of);
    if (!b->node_of) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->domain.size; code++) {
        bool known = !b->plan->paths || level == top ||
                     code >= bt_domain_present(&column->domain) || b->place[code] != BT_NOWHERE;
        if (!known)
            b->node_of[code] = BT_NOWHERE;
        else if (tree)
            b->node_of[code] = bt_node_at(column, code, level);
        else
            b->node_of[code] = level > 0 ? LEVEL_ALL : LEVEL_VALUE + code;
    }
    return BAUTA_OK;
}

/* ---- binding ----------------------------------------------------------------------------- */

static bauta_status find_column(const bt_plan *plan, const bt_column *column,
                                const bt_plan_column **out, bauta_error *error)
{
    for (size_t i = 0; i < plan->column_count; i++)
        if (strcmp(plan->columns[i].name, column->name) == 0) {
            *out = &plan->columns[i];
            bool same = (*out)->type == column->domain.reading.type &&
                        ((*out)->spec != NULL) == (column->hierarchy != NULL);
            if (same) return BAUTA_OK;
        }
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the column is not as the plan has it");
    bt_error_place(error, NULL, -1, column->name);
    return status;
}

/* Which classes have the same cells. */
static bauta_status find_targets(bt_bound_plan *p, bool values_shown, const bt_run *run,
                                 bauta_error *error)
{
    const bt_plan *plan = p->plan;
    bt_tuples tuples = {0};
    uint32_t *tuple_of = bt_arena_array(&p->arena, plan->class_count, sizeof *tuple_of);
    bt_codes *codes = bt_arena_array(&p->arena, plan->column_count, sizeof *codes);
    p->target = bt_arena_array(&p->arena, plan->class_count, sizeof *p->target);
    for (size_t c = 0; codes && c < plan->column_count; c++) {
        uint32_t *column = bt_arena_array(&p->arena, plan->class_count, sizeof *column);
        for (uint32_t i = 0; column && i < plan->class_count; i++)
            column[i] = plan->cells[i * plan->column_count + c];
        codes[c] = (bt_codes){column, sizeof *column, plan->columns[c].cell_count};
    }
    BT_TRY(bt_arena_check(&p->arena, error));
    bauta_status status = bt_tuples_number(codes, plan->column_count, plan->class_count, run,
                                           &tuples, tuple_of, NULL, error);
    for (uint32_t i = 0; status == BAUTA_OK && i < plan->class_count; i++)
        p->target[i] = values_shown ? i : tuples.row[tuple_of[i]];
    bt_tuples_release(&tuples);
    return status;
}

static bauta_status bind_classes(bt_bound_plan *p, bool values_shown, const bt_run *run,
                                 bauta_error *error)
{
    const bt_plan *plan = p->plan;
    size_t sides = plan->class_count * p->columns;
    p->boxes = bt_arena_array(&p->arena, sides, sizeof *p->boxes);
    p->cell_boxes = bt_arena_array(&p->arena, sides, sizeof *p->cell_boxes);
    BT_TRY(bt_arena_check(&p->arena, error));
    for (uint32_t i = 0; i < plan->class_count; i++)
        for (size_t c = 0; c < p->columns; c++) {
            size_t from = i * p->columns + (size_t)(p->bound[c].plan - plan->columns);
            const cell *shown = &p->bound[c].cells[plan->cells[from]];
            bt_box box = plan->boxes[from];
            p->boxes[i * p->columns + c] = (bt_box){2 * box.lo, 2 * box.hi};
            p->cell_boxes[i * p->columns + c] = (bt_box){shown->lo, shown->hi};
        }
    BT_TRY(find_targets(p, values_shown, run, error));
    BT_TRY(bt_locator_make(p->boxes, plan->class_count, p->columns, &p->by_box, error));
    return bt_locator_make(p->cell_boxes, plan->class_count, p->columns, &p->by_cell, error);
}

static bauta_status bind(bt_bound_plan *p, const bt_table *table, bool values_shown,
                         const bt_run *run, bauta_error *error)
{
    const bt_plan *plan = p->plan;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &p->quasi, &p->columns, error));
    if (p->columns != plan->column_count)
        return bt_fail(error, BAUTA_INVALID, "the plan has %zu quasi columns, and the table %zu",
                       plan->column_count, p->columns);
    p->bound = bt_arena_array(&p->arena, p->columns, sizeof *p->bound);
    if (!p->bound) return bt_fail_memory(error);
    for (size_t c = 0; c < p->columns; c++) {
        bound_column *b = &p->bound[c];
        numbers n = {0};
        b->column = p->quasi[c];
        BT_TRY(find_column(plan, b->column, &b->plan, error));
        BT_TRY(find_places(b, &p->arena, &n, error));
        BT_TRY(plan->kind == BT_PLAN_LEVELS ? bind_level(b, &p->arena, error)
                                            : bind_cells(b, &n, &p->arena, error));
    }
    return plan->kind == BT_PLAN_LEVELS ? BAUTA_OK : bind_classes(p, values_shown, run, error);
}

bauta_status bt_plan_bind(const bt_plan *plan, const bt_table *table, bool values_shown,
                          const bt_run *run, bt_bound_plan **out, bauta_error *error)
{
    *out = NULL;
    bt_bound_plan *made = bt_array_zero(1, sizeof *made);
    if (!made) return bt_fail_memory(error);
    made->plan = plan;
    bauta_status status = bind(made, table, values_shown, run, error);
    if (status == BAUTA_OK)
        *out = made;
    else
        bt_bound_plan_free(made);
    return status;
}

void bt_bound_plan_free(bt_bound_plan *plan)
{
    if (!plan) return;
    bt_locator_free(plan->by_box);
    bt_locator_free(plan->by_cell);
    free(plan->quasi);
    bt_arena_release(&plan->arena);
    free(plan);
}

/* ---- records ----------------------------------------------------------------------------- */

typedef struct record {
    const bt_bound_plan *plan;
    const uint32_t *codes;
} record;

static bool cells_cover(const void *user, uint32_t class_number)
{
    const record *r = user;
    const bt_plan *plan = r->plan->plan;
    for (size_t c = 0; c < r->plan->columns; c++) {
        const bound_column *b = &r->plan->bound[c];
        size_t at = class_number * r->plan->columns + (size_t)(b->plan - plan->columns);
        if (!covers(&b->cells[plan->cells[at]], r->codes[c])) return false;
    }
    return true;
}

static int compare_tuples(const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (a[c] != b[c]) return a[c] < b[c] ? -1 : 1;
    return 0;
}

/* The class that the plan names for these values. */
static uint32_t find_tuple(const bt_plan *plan, const uint32_t *tuple)
{
    uint32_t from = 0, to = plan->tuple_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        int order = compare_tuples(plan->tuples + (size_t)middle * plan->column_count, tuple,
                                   plan->column_count);
        if (order == 0) return plan->class_of[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return BT_NOWHERE;
}

/* `room` is for two points. */
static uint32_t class_of_record(const bt_bound_plan *p, const uint32_t *codes, uint32_t *room)
{
    const record asked = {p, codes};
    uint32_t *places = room, *tuple = room + p->columns, found = BT_NOWHERE;
    bool known = true;
    for (size_t c = 0; c < p->columns; c++) {
        places[c] = p->bound[c].place[codes[c]];
        known = known && places[c] % 2 == 0;
        tuple[p->bound[c].plan - p->plan->columns] = places[c] / 2;
    }
    if (known) found = find_tuple(p->plan, tuple);
    if (found == BT_NOWHERE || !cells_cover(&asked, found))
        found = bt_locate(p->by_box, places, cells_cover, &asked);
    if (found == BT_NOWHERE) found = bt_locate(p->by_cell, codes, cells_cover, &asked);
    return found == BT_NOWHERE ? found : p->target[found];
}

typedef struct sorting { /* of records into parts */
    const bt_bound_plan *plan;
    const bt_column **quasi;
    bt_codes *codes;
    bt_tuples tuples;
    uint32_t *tuple_of;      /* per row */
    uint32_t *part_of_tuple; /* BT_NOWHERE: none */
    uint32_t *class_of_part; /* boxes */
    uint32_t parts;
    bt_arena arena;
} sorting;

/* What records are told apart by: their codes, or the nodes of the levels. */
static bauta_status choose_codes(sorting *s, int64_t rows, bauta_error *error)
{
    size_t columns = s->plan->columns;
    s->codes = bt_arena_array(&s->arena, columns, sizeof *s->codes);
    if (!s->codes) return bt_fail_memory(error);
    for (size_t c = 0; c < columns; c++) {
        const bt_column *column = s->quasi[c];
        const bound_column *b = &s->plan->bound[c];
        s->codes[c] = (bt_codes){column->codes, column->width, column->domain.size};
        if (s->plan->plan->kind == BT_PLAN_BOXES) continue;
        uint32_t *nodes = bt_arena_array(&s->arena, (size_t)rows, sizeof *nodes);
        uint32_t count =
            column->hierarchy ? column->hierarchy->count : LEVEL_VALUE + column->domain.size;
        if (!nodes) return bt_fail_memory(error);
        for (int64_t row = 0; row < rows; row++) {
            uint32_t node = b->node_of[bt_column_code(column, row)];
            nodes[row] = node == BT_NOWHERE ? count : node;
        }
        s->codes[c] = (bt_codes){nodes, sizeof *nodes, count + 1};
    }
    return BAUTA_OK;
}

/* Every tuple of nodes is a part, in the order of the nodes. */
static bauta_status part_by_levels(sorting *s, bauta_error *error)
{
    uint32_t *order = bt_arena_array(&s->arena, s->tuples.count, sizeof *order);
    if (!order) return bt_fail_memory(error);
    BT_TRY(bt_order_rows(s->codes, s->plan->columns, s->tuples.row, s->tuples.count, order, error));
    for (uint32_t i = 0; i < s->tuples.count; i++) {
        bool inside = true;
        for (size_t c = 0; c < s->plan->columns; c++)
            inside = inside &&
                     bt_code_at(s->codes[c].codes, s->codes[c].width, s->tuples.row[order[i]]) + 1 <
                         s->codes[c].count;
        s->part_of_tuple[order[i]] = inside ? s->parts++ : BT_NOWHERE;
    }
    return BAUTA_OK;
}

static bauta_status part_by_boxes(sorting *s, bauta_error *error)
{
    const bt_bound_plan *p = s->plan;
    uint32_t classes = p->plan->class_count;
    uint32_t *part_of_class = bt_arena_array(&s->arena, classes, sizeof *part_of_class);
    uint32_t *room = bt_arena_array(&s->arena, 3 * p->columns, sizeof *room);
    s->class_of_part = bt_arena_array(&s->arena, classes, sizeof *s->class_of_part);
    BT_TRY(bt_arena_check(&s->arena, error));
    for (uint32_t t = 0; t < s->tuples.count; t++) {
        for (size_t c = 0; c < p->columns; c++)
            room[c] = bt_column_code(s->quasi[c], s->tuples.row[t]);
        uint32_t found = class_of_record(p, room, room + p->columns);
        s->part_of_tuple[t] = found;
        if (found != BT_NOWHERE) part_of_class[found] = 1;
    }
    for (uint32_t i = 0; i < classes; i++) {
        if (part_of_class[i] == 0) continue;
        part_of_class[i] = s->parts;
        s->class_of_part[s->parts++] = i;
    }
    for (uint32_t t = 0; t < s->tuples.count; t++)
        if (s->part_of_tuple[t] != BT_NOWHERE)
            s->part_of_tuple[t] = part_of_class[s->part_of_tuple[t]];
    return BAUTA_OK;
}

static bauta_status arrange(const sorting *s, int64_t rows, bt_parts *out, bauta_error *error)
{
    out->count = s->parts;
    out->order = bt_array((size_t)rows, sizeof *out->order);
    out->starts = bt_array_zero((size_t)s->parts + 2, sizeof *out->starts);
    if (!out->order || !out->starts) return bt_fail_memory(error);
    if (s->class_of_part) {
        out->of = bt_array(s->parts, sizeof *out->of);
        if (!out->of) return bt_fail_memory(error);
        memcpy(out->of, s->class_of_part, s->parts * sizeof *out->of);
    }
    /* starts[p + 1] walks through part p while it is filled, and ends where p + 1 starts. */
    for (int64_t row = 0; row < rows; row++) {
        uint32_t part = s->part_of_tuple[s->tuple_of[row]];
        if (part != BT_NOWHERE) out->starts[(size_t)part + 2]++;
    }
    for (size_t p = 2; p <= s->parts; p++)
        out->starts[p] += out->starts[p - 1];
    for (int64_t row = 0; row < rows; row++) {
        uint32_t part = s->part_of_tuple[s->tuple_of[row]];
        if (part != BT_NOWHERE) out->order[out->starts[(size_t)part + 1]++] = (uint32_t)row;
    }
    return BAUTA_OK;
}

static bauta_status sort_records(sorting *s, int64_t rows, const bt_run *run, bt_parts *out,
                                 bauta_error *error)
{
    BT_TRY(choose_codes(s, rows, error));
    s->tuple_of = bt_arena_array(&s->arena, (size_t)rows, sizeof *s->tuple_of);
    if (!s->tuple_of) return bt_fail_memory(error);
    BT_TRY(bt_tuples_number(s->codes, s->plan->columns, rows, run, &s->tuples, s->tuple_of, NULL,
                            error));
    s->part_of_tuple = bt_arena_array(&s->arena, s->tuples.count, sizeof *s->part_of_tuple);
    if (!s->part_of_tuple) return bt_fail_memory(error);
    BT_TRY(s->plan->plan->kind == BT_PLAN_BOXES ? part_by_boxes(s, error)
                                                : part_by_levels(s, error));
    return arrange(s, rows, out, error);
}

bauta_status bt_plan_parts(const bt_bound_plan *plan, const bt_table *table, const bt_run *run,
                           bt_parts *out, bauta_error *error)
{
    sorting s = {.plan = plan};
    size_t columns;
    *out = (bt_parts){0};
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &s.quasi, &columns, error));
    bauta_status status = sort_records(&s, table->rows, run, out, error);
    bt_tuples_release(&s.tuples);
    bt_arena_release(&s.arena);
    free(s.quasi);
    return status;
}

/* ---- what is published ------------------------------------------------------------------- */

/* Cells of levels follow from any record of a class. */
static bauta_status set_levels(const bt_bound_plan *p, bt_grouping *grouping, bauta_error *error)
{
    grouping->floors = bt_array_zero(p->columns, sizeof *grouping->floors);
    if (!grouping->floors) return bt_fail_memory(error);
    for (size_t c = 0; c < p->columns; c++) {
        const bound_column *b = &p->bound[c];
        grouping->floors[c] = b->plan->level;
        for (uint32_t i = 0; b->column->hierarchy && i < grouping->classes; i++)
            grouping->nodes[i * p->columns + c] = b->node_of[bt_class_box(grouping, i)[c].lo];
    }
    return BAUTA_OK;
}

bauta_status bt_plan_cells(const bt_bound_plan *p, const bt_parts *parts, bt_grouping *grouping,
                           bauta_error *error)
{
    const bt_plan *plan = p->plan;
    size_t sides = (size_t)grouping->classes * p->columns;
    grouping->nodes = bt_array_zero(sides, sizeof *grouping->nodes);
    if (!grouping->nodes) return bt_fail_memory(error);
    if (plan->kind == BT_PLAN_LEVELS) return set_levels(p, grouping, error);
    grouping->texts = bt_array_zero(sides, sizeof *grouping->texts);
    if (!grouping->texts) return bt_fail_memory(error);
    for (uint32_t i = 0; i < grouping->classes; i++)
        for (size_t c = 0; c < p->columns; c++) {
            const bound_column *b = &p->bound[c];
            uint32_t number =
                plan->cells[parts->of[i] * p->columns + (size_t)(b->plan - plan->columns)];
            grouping->nodes[i * p->columns + c] = b->cells[number].node;
            if (!b->column->hierarchy) grouping->texts[i * p->columns + c] = b->plan->cells[number];
        }
    return BAUTA_OK;
}
