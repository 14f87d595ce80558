/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons: names become columns, values are read as the column's type has it, and each
 * comparison becomes a set of segments.
 */
#include "base/text.h"
#include "query/predicate.h"
#include "query/token.h"

#include <string.h>
#include <strings.h>

/* ---- columns ---- */

static bauta_status no_such_column(const bt_query_columns *columns, const bt_name_use *name,
                                   bool several, bauta_error *error)
{
    BT_OWN(bt_free) const char **names = bt_array(columns->count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < columns->count; i++)
        names[i] = columns->items[i].name;
    bauta_status status =
        bt_query_fail(error, name->column, "the release has no column '%.200s'", name->text);
    const char *near = bt_text_nearest(name->text, names, columns->count);
    if (several)
        bt_error_hint(error, "several differ from it only in case: write it in double quotes");
    else if (near)
        bt_error_hint(error, "did you mean \"%.200s\"?", near);
    return status;
}

/* As written; without quotes also in another case, if only one column is meant. */
static bauta_status find_column(const bt_query_columns *columns, const bt_name_use *name,
                                uint32_t *out, bauta_error *error)
{
    size_t found = 0;
    if (bt_names_find(&columns->names, 0, name->text, out)) return BAUTA_OK;
    for (size_t i = 0; !name->quoted && i < columns->count; i++)
        if (strcasecmp(columns->items[i].name, name->text) == 0) {
            *out = (uint32_t)i;
            found++;
        }
    return found == 1 ? BAUTA_OK : no_such_column(columns, name, found > 1, error);
}

/* ---- slots ---- */

/* Numbers the columns that are used: left ones first, each side in the order of first use. */
static bauta_status make_slots(const bt_query_columns *columns, const uint32_t *used, size_t count,
                               bt_predicate *predicate, uint32_t *slot_of, bauta_error *error)
{
    BT_OWN(bt_free) bool *seen = bt_array_zero(columns->count, sizeof *seen);
    predicate->slots = bt_arena_array(&predicate->arena, count, sizeof *predicate->slots);
    if (!seen || !predicate->slots) return bt_fail_memory(error);
    for (int side = BT_LEFT; side <= BT_RIGHT; side++) {
        for (size_t i = 0; i < count; i++) {
            const bt_query_column *column = &columns->items[used[i]];
            if ((int)column->side != side || seen[used[i]]) continue;
            seen[used[i]] = true;
            slot_of[used[i]] = (uint32_t)predicate->slot_count;
            predicate->slots[predicate->slot_count++].column = column;
        }
        if (side == BT_LEFT) predicate->left_count = predicate->slot_count;
    }
    return BAUTA_OK;
}

static bauta_status check_target(const bt_select *select, const bt_query_column *column,
                                 bauta_error *error)
{
    bt_aggregate aggregate = select->aggregate;
    bool ordered = aggregate == BT_MIN || aggregate == BT_MAX;
    if (aggregate == BT_COUNT || (column->type == BT_TEXT && column->unseen)) return BAUTA_OK;
    if (column->type != BT_TEXT && (ordered || column->type != BT_DATE)) return BAUTA_OK;
    return bt_query_fail(error, select->target.column,
                         "%s needs a column of numbers%s, and "
                         "this one is of type %s",
                         bt_aggregate_name(aggregate), ordered ? " or dates" : "",
                         bt_type_name(column->type));
}

static bauta_status find_columns(const bt_select *select, const bt_query_columns *columns,
                                 bt_predicate *predicate, uint32_t *slots, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t targets = !select->star, count = select->atom_count + targets;
    uint32_t *used = bt_arena_array(&scratch, count, sizeof *used);
    uint32_t *slot_of = bt_arena_array(&scratch, columns->count, sizeof *slot_of);
    BT_TRY(bt_arena_check(&scratch, error));
    if (!select->star) {
        BT_TRY(find_column(columns, &select->target, &used[0], error));
        BT_TRY(check_target(select, &columns->items[used[0]], error));
    }
    for (size_t i = 0; i < select->atom_count; i++)
        BT_TRY(find_column(columns, &select->atoms[i].name, &used[i + targets], error));
    BT_TRY(make_slots(columns, used, count, predicate, slot_of, error));
    predicate->target = select->star ? predicate->slot_count : slot_of[used[0]];
    for (size_t i = 0; i < select->atom_count; i++)
        slots[i] = slot_of[used[i + targets]];
    return BAUTA_OK;
}

/* ---- values ---- */

static bauta_status wrong_value(const bt_query_column *column, const bt_literal *literal,
                                bauta_error *error)
{
    static const char *const wanted[] = {[BT_TEXT] = "text",
                                         [BT_INTEGER] = "a number",
                                         [BT_DECIMAL] = "a number",
                                         [BT_DATE] = "a date, as '2024-02-29'"};
    return bt_query_fail(error, literal->column, "column '%.200s' is compared with %s",
                         column->name, wanted[column->type]);
}

static bauta_status read_number(const bt_query_column *column, const bt_literal *literal,
                                bt_bound_literal *out, bauta_error *error)
{
    bt_rational value;
    if (strspn(literal->text, "+-.0123456789eE") != strlen(literal->text))
        return wrong_value(column, literal, error);
    if (!bt_rational_parse(literal->text, &value))
        return bt_query_fail(error, literal->column,
                             "this is not a number, or has more than 18 digits");
    __int128 top = value.top;
    for (int i = 0; i < column->scale; i++)
        top *= 10;
    __int128 rest = top % value.bottom, number = top / value.bottom - (rest < 0);
    out->exact = rest == 0;
    out->beyond = number >= INT64_MAX ? 1 : number <= INT64_MIN ? -1 : 0;
    if (!out->beyond) out->number = (int64_t)number;
    return BAUTA_OK;
}

static bauta_status read_literal(const bt_query_column *column, const bt_literal *literal,
                                 bt_bound_literal *out, bauta_error *error)
{
    const bt_reading date = {.type = BT_DATE, .date_form = BT_FORM_YMD};
    *out = (bt_bound_literal){.text = literal->text, .exact = true};
    if (literal->date && column->type != BT_DATE && !(column->type == BT_TEXT && column->unseen))
        return wrong_value(column, literal, error);
    switch (column->type) {
    case BT_TEXT: return BAUTA_OK;
    case BT_DATE:
        if (!literal->number &&
            bt_value_number(&date, literal->text, strlen(literal->text), 0, &out->number))
            return BAUTA_OK;
        return wrong_value(column, literal, error);
    default: return read_number(column, literal, out, error);
    }
}

/* ---- cuts ---- */

static int compare_numbers(const void *left, const void *right)
{
    const bt_bound_literal *a = *(bt_bound_literal *const *)left,
                           *b = *(bt_bound_literal *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp((*(bt_bound_literal *const *)left)->text,
                  (*(bt_bound_literal *const *)right)->text);
}

/* Sorts the values of one column and numbers them, equal ones alike. */
static bauta_status make_cuts(bt_slot *slot, bt_bound_literal **values, size_t count,
                              bt_arena *arena, bauta_error *error)
{
    bool text = slot->column->type == BT_TEXT;
    const char **texts = bt_arena_array(arena, text ? count : 0, sizeof *texts);
    int64_t *numbers = bt_arena_array(arena, text ? 0 : count, sizeof *numbers);
    if (!texts || !numbers) return bt_fail_memory(error);
    slot->texts = texts;
    slot->numbers = numbers;
    qsort(values, count, sizeof *values, text ? compare_texts : compare_numbers);
    for (size_t i = 0; i < count; i++) {
        bool same =
            i > 0 && (text ? compare_texts : compare_numbers)(&values[i - 1], &values[i]) == 0;
        slot->cuts += !same;
        values[i]->cut = slot->cuts - 1;
        if (text)
            texts[slot->cuts - 1] = values[i]->text;
        else
            numbers[slot->cuts - 1] = values[i]->number;
    }
    return BAUTA_OK;
}

/* The values of each slot, one after the other: by counting. */
static bauta_status cut_slots(const bt_select *select, bt_predicate *predicate,
                              const bt_bound_atoms *atoms, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t slots = predicate->slot_count;
    size_t *starts = bt_arena_array(&scratch, slots + 2, sizeof *starts);
    bt_bound_literal **values = bt_arena_array(&scratch, select->literal_count, sizeof *values);
    BT_TRY(bt_arena_check(&scratch, error));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < select->atom_count; i++) {
            const bt_atom *atom = &select->atoms[i];
            for (size_t j = atom->first; j < atom->first + atom->count; j++) {
                if (atoms->literals[j].beyond) continue;
                if (pass == 0)
                    starts[atoms->slots[i] + 2]++;
                else
                    values[starts[atoms->slots[i] + 1]++] = &atoms->literals[j];
            }
        }
        for (size_t s = 0; pass == 0 && s < slots; s++)
            starts[s + 2] += starts[s + 1];
    }
    for (size_t s = 0; s < slots; s++)
        BT_TRY(make_cuts(&predicate->slots[s], values + starts[s], starts[s + 1] - starts[s],
                         &predicate->arena, error));
    return BAUTA_OK;
}

/* Decimal places that 18 digits leave for numbers as large as a text. */
static int places_beside(const char *text)
{
    size_t sign = strspn(text, "+-"), whole = strspn(text + sign, "0123456789");
    return whole < 1 ? 17 : whole < 18 ? 18 - (int)whole : 0;
}

/* A column that shows no value has the type that the question gives it: numbers are compared as
 * numbers, at a scale at which all of them fit, and what stands in quotes as text, which orders
 * dates as well. */
static bauta_status choose_type(const bt_select *select, const uint32_t *slots, uint32_t number,
                                bt_predicate *predicate, bauta_error *error)
{
    bt_slot *slot = &predicate->slots[number];
    bool texts = false, numbers = false;
    bool target = select->aggregate != BT_COUNT && predicate->target == number;
    int scale = 17;
    size_t place = 0;
    if (!slot->column->unseen || slot->column->type == BT_DATE) return BAUTA_OK;
    for (size_t i = 0; i < select->atom_count; i++) {
        const bt_atom *atom = &select->atoms[i];
        for (size_t j = atom->first; j < atom->first + atom->count && slots[i] == number; j++) {
            int places = places_beside(select->literals[j].text);
            numbers |= select->literals[j].number;
            texts |= !select->literals[j].number;
            place = select->literals[j].column;
            if (places < scale) scale = places;
        }
    }
    bool typed = slot->column->type != BT_TEXT;
    if (numbers && texts && !typed)
        return bt_query_fail(error, place,
                             "column '%.200s', which shows no value, is compared with numbers and "
                             "with texts",
                             slot->column->name);
    if (slot->column->type == BT_INTEGER || (!typed && !numbers && (texts || !target)))
        return BAUTA_OK;
    bt_query_column *own = bt_arena_alloc(&predicate->arena, sizeof *own);
    if (!own) return bt_fail_memory(error);
    *own = *slot->column;
    own->type = BT_DECIMAL;
    own->scale = scale;
    slot->column = own;
    return BAUTA_OK;
}

bauta_status bt_atoms_bind(const bt_select *select, const bt_query_columns *columns,
                           bt_predicate *predicate, bt_bound_atoms *out, bauta_error *error)
{
    bt_arena *arena = &predicate->arena;
    out->slots = bt_arena_array(arena, select->atom_count, sizeof *out->slots);
    out->literals = bt_arena_array(arena, select->literal_count, sizeof *out->literals);
    if (!out->slots || !out->literals) return bt_fail_memory(error);
    BT_TRY(find_columns(select, columns, predicate, out->slots, error));
    for (uint32_t s = 0; s < predicate->slot_count; s++)
        BT_TRY(choose_type(select, out->slots, s, predicate, error));
    for (size_t i = 0; i < select->atom_count; i++) {
        const bt_atom *atom = &select->atoms[i];
        bt_slot *slot = &predicate->slots[out->slots[i]];
        slot->ordered |= atom->comparison >= BT_LESS && atom->comparison <= BT_BETWEEN;
        for (size_t j = atom->first; j < atom->first + atom->count; j++)
            BT_TRY(read_literal(slot->column, &select->literals[j], &out->literals[j], error));
    }
    return cut_slots(select, predicate, out, error);
}

/* ---- segments ---- */

/* Segments at most, and at least, a value: the ends of what a comparison lets through. A value
 * between two numbers is at the lower one, which is then below it. */
static int64_t end_below(const bt_bound_literal *value, bool included, int64_t last)
{
    if (value->beyond) return value->beyond < 0 ? -1 : last;
    return 2 * (int64_t)value->cut + (included || !value->exact);
}

static int64_t end_above(const bt_bound_literal *value, bool included, int64_t last)
{
    if (value->beyond) return value->beyond < 0 ? 0 : last + 1;
    return 2 * (int64_t)value->cut + (included && value->exact ? 1 : 2);
}

static bt_interval *put(bt_interval *at, int64_t from, int64_t to)
{
    if (from > to) return at;
    *at = (bt_interval){(uint32_t)from, (uint32_t)to};
    return at + 1;
}

static bt_interval *put_equal(bt_interval *at, const bt_bound_literal *value)
{
    int64_t segment = 2 * (int64_t)value->cut + 1;
    return value->beyond || !value->exact ? at : put(at, segment, segment);
}

static bt_interval *put_comparison(bt_comparison comparison, const bt_bound_literal *values,
                                   size_t count, int64_t last, bt_interval *at)
{
    switch (comparison) {
    case BT_LESS: return put(at, 0, end_below(values, false, last));
    case BT_AT_MOST: return put(at, 0, end_below(values, true, last));
    case BT_GREATER: return put(at, end_above(values, false, last), last);
    case BT_AT_LEAST: return put(at, end_above(values, true, last), last);
    case BT_BETWEEN:
        return put(at, end_above(&values[0], true, last), end_below(&values[1], true, last));
    default: break;
    }
    for (size_t i = 0; i < count; i++)
        at = put_equal(at, &values[i]);
    return at;
}

bauta_status bt_atom_segments(const bt_select *select, const bt_bound_atoms *atoms, size_t number,
                              bool negate, bt_predicate *predicate, bt_leaf *out,
                              bauta_error *error)
{
    const bt_atom *atom = &select->atoms[number];
    const bt_slot *slot = &predicate->slots[atoms->slots[number]];
    bt_interval *items = bt_arena_array(&predicate->arena, atom->count + 1, sizeof *items);
    if (!items) return bt_fail_memory(error);
    const bt_interval *end = put_comparison(atom->comparison, &atoms->literals[atom->first],
                                            atom->count, bt_slot_last(slot), items);
    negate ^= atom->negated ^ (atom->comparison == BT_UNEQUAL);
    *out = (bt_leaf){.slot = atoms->slots[number], .segments = {items, (size_t)(end - items)}};
    out->missing = atom->comparison == BT_IS_NULL && !negate;
    bt_intervals_settle(&out->segments);
    if (!negate) return BAUTA_OK;
    bt_intervals straight = out->segments;
    return bt_intervals_complement(&straight, bt_slot_last(slot), &predicate->arena, &out->segments,
                                   error);
}
