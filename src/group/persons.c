/* SPDX-License-Identifier: Apache-2.0
 *
 * Persons whose rows stay in one class (--subject-rows together).
 *
 * Each person becomes one record for the method, with all its sensitive values. Its place in a
 * quasi column is the middle one of the codes of its rows; for a method that divides it is two
 * columns, the least and the greatest of them, so that those who differ much are found together
 * and do not widen the cells of others. The classes of persons that come back are those of their
 * rows, with boxes over all of them, and what is published covers these. That is exact whatever
 * the method: a class is judged with all rows of its persons, and no person is ever in two.
 * Merging the classes that a person links, afterwards, would be as exact, but where many persons
 * have several rows nearly all classes hang together and little more than one would be left.
 *
 * Boxes may overlap.
 *
 * Cost: linear in rows times columns, with sorting of each person's codes.
 */
#include "base/sort.h"
#include "group/method.h"
#include "recipe/hierarchy.h"

typedef enum person_code { CODE_LEAST, CODE_MIDDLE, CODE_GREATEST } person_code;

static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i - 1] > numbers[i]) {
            qsort(numbers, count, sizeof *numbers, bt_compare_uint32);
            return;
        }
}

/* ---- to persons -------------------------------------------------------------------------- */

static bauta_status list_rows(const bt_table *table, bt_persons *out, bauta_error *error)
{
    size_t persons = table->subjects;
    out->rows = bt_array((size_t)table->rows, sizeof *out->rows);
    out->starts = bt_array_zero(persons + 2, sizeof *out->starts);
    if (!out->rows || !out->starts) return bt_fail_memory(error);
    /* starts[p + 1] walks through the rows of p while they are filled in. */
    for (int64_t row = 0; row < table->rows; row++)
        out->starts[table->subject_of[row] + 2]++;
    for (size_t p = 2; p <= persons; p++)
        out->starts[p] += out->starts[p - 1];
    for (int64_t row = 0; row < table->rows; row++)
        out->rows[out->starts[table->subject_of[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

/* The codes that a person is grouped by: the least or the greatest one of its rows, or the middle
 * one, of two the lower. `codes` has room for all of them. */
static uint32_t choose_code(const bt_column *column, const uint32_t *rows, uint32_t count,
                            person_code which, uint32_t *codes)
{
    for (uint32_t i = 0; i < count; i++)
        codes[i] = bt_column_code(column, rows[i]);
    sort_numbers(codes, count);
    return codes[which == CODE_LEAST ? 0 : which == CODE_MIDDLE ? (count - 1) / 2 : count - 1];
}

static bauta_status make_column(const bt_persons *persons, const bt_column *from, person_code which,
                                uint32_t *scratch, bt_column *to, bauta_error *error)
{
    uint32_t count = (uint32_t)persons->table.rows;
    *to = *from;
    to->codes = bt_array(count, from->width);
    if (!to->codes) return bt_fail_memory(error);
    for (uint32_t p = 0; p < count; p++) {
        uint32_t first = persons->starts[p], rows = persons->starts[p + 1] - first;
        uint32_t code = choose_code(from, persons->rows + first, rows, which, scratch);
        switch (from->width) {
        case 1: ((uint8_t *)to->codes)[p] = (uint8_t)code; break;
        case 2: ((uint16_t *)to->codes)[p] = (uint16_t)code; break;
        default: ((uint32_t *)to->codes)[p] = code; break;
        }
    }
    return BAUTA_OK;
}

/* Whether any person has two codes in a column. */
static bool differs(const bt_persons *persons, const bt_column *column)
{
    for (int64_t p = 0; p < persons->table.rows; p++)
        for (uint32_t i = persons->starts[p] + 1; i < persons->starts[p + 1]; i++)
            if (bt_column_code(column, persons->rows[i]) !=
                bt_column_code(column, persons->rows[i - 1]))
                return true;
    return false;
}

static bauta_status make_columns(const bt_table *table, bool both, uint32_t *scratch,
                                 bt_persons *out, bauta_error *error)
{
    bt_table *made = &out->table;
    size_t quasi = 0;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role != BT_ROLE_QUASI) continue;
        int columns = both && differs(out, column) ? 2 : 1;
        person_code first = both ? CODE_LEAST : CODE_MIDDLE;
        for (int i = 0; i < columns; i++) {
            out->quasi[made->count] = quasi;
            BT_TRY(make_column(out, column, i ? CODE_GREATEST : first, scratch,
                               &made->columns[made->count++], error));
        }
        quasi++;
    }
    return BAUTA_OK;
}

bauta_status bt_persons_make(const bt_table *table, const bt_people *people, bool both,
                             bt_persons *out, bauta_error *error)
{
    *out = (bt_persons){.table = {.rows = table->subjects}};
    BT_TRY(list_rows(table, out, error));
    BT_TRY(bt_people_whole(people, &out->people, error));
    bt_table *made = &out->table;
    made->columns = bt_arena_array(&made->arena, 2 * table->count, sizeof *made->columns);
    out->quasi = bt_arena_array(&made->arena, 2 * table->count, sizeof *out->quasi);
    uint32_t *scratch = bt_array((size_t)table->rows, sizeof *scratch);
    bauta_status status = made->columns && out->quasi && scratch
                              ? make_columns(table, both, scratch, out, error)
                              : bt_fail_memory(error);
    free(scratch);
    return status;
}

void bt_persons_release(bt_persons *persons)
{
    bt_table_release(&persons->table);
    bt_people_release(&persons->people);
    free(persons->rows);
    free(persons->starts);
    *persons = (bt_persons){0};
}

/* ---- back to rows ------------------------------------------------------------------------ */

static bauta_status expand_order(const bt_persons *persons, bt_grouping *grouping,
                                 bauta_error *error)
{
    uint32_t *order = bt_array(persons->starts[persons->table.rows], sizeof *order), kept = 0;
    if (!order) return bt_fail_memory(error);
    for (uint32_t i = 0; i < grouping->classes; i++) {
        uint32_t first = grouping->starts[i], last = grouping->starts[i + 1], begin = kept;
        for (uint32_t at = first; at < last; at++) {
            uint32_t person = grouping->order[at];
            for (uint32_t r = persons->starts[person]; r < persons->starts[person + 1]; r++)
                order[kept++] = persons->rows[r];
        }
        sort_numbers(order + begin, kept - begin);
        /* Only `last` of this class is still needed, and that is the next one's first. */
        grouping->starts[i] = begin;
        if (i + 1 == grouping->classes) grouping->starts[i + 1] = kept;
    }
    free(grouping->order);
    grouping->order = order;
    grouping->kept = kept;
    return BAUTA_OK;
}

/* The lowest node at or above `node` that covers a box. */
static uint32_t raise_node(const bt_hierarchy *tree, uint32_t node, bt_box box)
{
    while (tree->nodes[node].lo > box.lo || tree->nodes[node].hi <= box.hi)
        node = tree->nodes[node].parent;
    return node;
}

/* What is published of a class must be at least as general as the method said of either column
 * that stands for one of the table. */
static uint32_t expand_node(const bt_persons *persons, const bt_grouping *old, uint32_t number,
                            size_t place, const bt_hierarchy *tree, bt_box box)
{
    for (size_t c = 0; c < old->columns; c++) {
        if (persons->quasi[c] != place) continue;
        const bt_node *node = &tree->nodes[old->nodes[(size_t)number * old->columns + c]];
        if (node->lo < box.lo) box.lo = node->lo;
        if (node->hi > box.hi) box.hi = node->hi - 1;
    }
    return raise_node(tree, tree->leaf_node[box.lo], box);
}

static bauta_status expand_cells(const bt_persons *persons, const bt_column *const *quasi,
                                 size_t columns, bt_grouping *grouping, bauta_error *error)
{
    size_t cells = (size_t)grouping->classes * columns;
    bt_grouping made = *grouping;
    made.columns = columns;
    made.boxes = bt_array(cells, sizeof *made.boxes);
    made.nodes = grouping->nodes ? bt_array(cells, sizeof *made.nodes) : NULL;
    if (!made.boxes || (grouping->nodes && !made.nodes)) {
        free(made.boxes);
        free(made.nodes);
        return bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < made.classes; i++)
        for (size_t c = 0; c < columns; c++) {
            size_t at = (size_t)i * columns + c;
            made.boxes[at] = bt_tight_box(&made, quasi[c], i);
            if (made.nodes && quasi[c]->hierarchy)
                made.nodes[at] =
                    expand_node(persons, grouping, i, c, quasi[c]->hierarchy, made.boxes[at]);
            else if (made.nodes)
                made.nodes[at] = 0;
        }
    for (size_t c = 0; made.floors && c < grouping->columns; c++)
        made.floors[persons->quasi[c]] = made.floors[c]; /* both columns of one have the same */
    free(grouping->boxes);
    free(grouping->nodes);
    *grouping = made;
    return BAUTA_OK;
}

bauta_status bt_persons_expand(const bt_persons *persons, const bt_table *table, const bt_run *run,
                               bt_grouping *grouping, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, &count, error));
    bauta_status status = expand_order(persons, grouping, error);
    grouping->rows = table->rows;
    if (status == BAUTA_OK) status = expand_cells(persons, quasi, count, grouping, error);
    if (status == BAUTA_OK) status = bt_grouping_unite(grouping, quasi, run, error);
    free(quasi);
    return status;
}
