/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells that a grouping would publish, class by class, so that it is measured as its release
 * will be.
 *
 * Cost: one step per class and column, and of text without a hierarchy one per row, to count the
 * members of sets.
 */
#include "measure/grouping.h"

#include "base/bitset.h"
#include "recipe/cuts.h"

/* How many codes of a column occur in a class. */
static size_t count_members(const bt_grouping_cells *cells, const bt_column *column,
                            uint32_t number)
{
    const uint32_t *rows = cells->grouping->order + cells->grouping->starts[number];
    int64_t size = bt_class_size(cells->grouping, number);
    size_t members = 0;
    for (int64_t i = 0; i < size; i++) {
        uint32_t code = bt_column_code(column, rows[i]);
        members += !bt_bitset_has(cells->seen, code);
        bt_bitset_add(cells->seen, code);
    }
    for (int64_t i = 0; i < size; i++)
        cells->seen[bt_column_code(column, rows[i]) / 64] = 0;
    return members;
}

static bt_cell node_cell(const bt_hierarchy *hierarchy, uint32_t node)
{
    if (node == 0) return (bt_cell){.kind = BT_CELL_ALL};
    bool leaf = hierarchy->nodes[node].level == 0;
    return (bt_cell){.kind = leaf ? BT_CELL_VALUE : BT_CELL_NODE, .node = node};
}

static bt_cell box_cell(const bt_grouping_cells *cells, const bt_column *column, bt_box box,
                        uint32_t number)
{
    const bt_domain *domain = &column->domain;
    bt_cell cell = {.kind = BT_CELL_VALUE};
    if (box.hi >= bt_domain_present(domain)) {
        cell.kind = box.lo == box.hi ? BT_CELL_MISSING : BT_CELL_ALL;
    } else if (column->cuts) {
        bt_cuts_range(column, box.lo, box.hi, &cell.lo, &cell.hi);
        if (cell.lo != cell.hi) cell.kind = BT_CELL_RANGE;
    } else if (box.lo != box.hi && domain->reading.type == BT_TEXT) {
        cell.kind = BT_CELL_SET;
        cell.count = box.hi - box.lo == 1 ? 2 : count_members(cells, column, number);
    } else if (box.lo != box.hi) {
        cell.kind = BT_CELL_RANGE;
        cell.lo = domain->number[box.lo];
        cell.hi = domain->number[box.hi];
    }
    return cell;
}

/* The cell that a plan gave, which is well formed: it was read before. */
static bt_cell given_cell(const bt_column *column, const char *text)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_cell_format format = {.type = column->domain.reading.type,
                                   .scale = column->domain.scale};
    bt_cell cell;
    bool memory = false;
    if (!bt_cell_read(&format, text, strlen(text), &scratch, &cell, &memory))
        return (bt_cell){.kind = BT_CELL_ALL};
    cell.text = NULL; /* the number of members says enough */
    return cell;
}

static int64_t cell_of_class(const bt_measure_column *column, uint32_t number, bt_cell *out)
{
    const bt_grouping_cells *cells = column->source;
    const bt_grouping *grouping = cells->grouping;
    const bt_column *of = cells->quasi[column->place];
    if (column->values_shown)
        *out = (bt_cell){.kind = BT_CELL_VALUE};
    else if (of->hierarchy)
        *out = node_cell(of->hierarchy, bt_published_node(grouping, of, column->place, number));
    else if (grouping->texts)
        *out = given_cell(of, grouping->texts[number * grouping->columns + column->place]);
    else
        *out = box_cell(cells, of, bt_published_box(grouping, of, column->place, number), number);
    return cells->rows[number];
}

/* What the values of a domain say of the original. */
static bt_original_column extent_of(const bt_column *column)
{
    const bt_domain *domain = &column->domain;
    uint32_t present = bt_domain_present(domain);
    bool numbers = domain->number && !column->hierarchy && present > 0;
    return (bt_original_column){.values = present,
                                .least = numbers ? domain->number[0] : 0,
                                .greatest = numbers ? domain->number[present - 1] : 0,
                                .scale = domain->scale,
                                .weight = column->steering.weight};
}

bauta_status bt_grouping_show(bt_grouping_cells *cells, bt_arena *arena, bauta_error *error)
{
    uint32_t largest = 1;
    size_t count = cells->grouping->columns;
    for (size_t c = 0; c < count; c++)
        if (cells->quasi[c]->domain.size > largest) largest = cells->quasi[c]->domain.size;
    cells->columns = bt_arena_array(arena, count, sizeof *cells->columns);
    cells->seen = bt_arena_array(arena, bt_bitset_words(largest), sizeof *cells->seen);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t c = 0; c < count; c++) {
        const bt_column *column = cells->quasi[c];
        cells->columns[c] = (bt_measure_column){.name = column->name,
                                                .hierarchy = column->hierarchy,
                                                .type = column->domain.reading.type,
                                                .scale = column->domain.scale,
                                                .original = extent_of(column),
                                                .cells = cells->grouping->classes,
                                                .cell = cell_of_class,
                                                .source = cells,
                                                .place = c};
    }
    return BAUTA_OK;
}

bauta_status bt_measure_grouping(const bt_measured_grouping *asked, bt_facts *facts, json_t *at,
                                 bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_grouping *grouping = asked->grouping;
    uint32_t *sizes = bt_arena_array(&scratch, grouping->classes, sizeof *sizes);
    bt_grouping_cells cells = {.grouping = grouping, .quasi = asked->quasi, .rows = sizes};
    BT_TRY(bt_grouping_show(&cells, &scratch, error));
    for (uint32_t i = 0; i < grouping->classes; i++)
        sizes[i] = (uint32_t)bt_class_size(grouping, i);
    for (size_t c = 0; c < grouping->columns; c++)
        cells.columns[c].values_shown = asked->values_shown;
    const bt_measure_job job = {.columns = cells.columns,
                                .column_count = grouping->columns,
                                .sizes = sizes,
                                .classes = grouping->classes,
                                .rows = asked->records,
                                .dropped = asked->records - grouping->kept,
                                .least = asked->least};
    for (size_t i = 0; i < bt_measure_registry_count; i++)
        if (bt_measure_registry[i]->of_grouping) bt_measure_registry[i]->compute(&job, facts, at);
    bt_weighted_put(&job, facts, at);
    return bt_facts_check(facts, error);
}
