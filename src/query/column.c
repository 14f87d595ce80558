/* SPDX-License-Identifier: Apache-2.0
 *
 * Building the columns of queries: every published text is read once, when the release is opened.
 *
 * Cost: linear in the distinct texts and their members, and sorting the values that are listed.
 */
#include "query/column.h"

#include "base/assert.h"

#include <string.h>

typedef struct builder {
    const bt_release_column *from;
    const bt_manifest_column *manifest; /* with the scale of the query's column */
    bt_query_column *out;
    bt_arena *arena;
    const char **texts; /* parallel to the members: their values */
    int64_t *numbers;
    uint32_t *members;
    size_t count, capacity[3];
    bool listed; /* the manifest lists the values of categories */
    bauta_error *error;
} builder;

/* ---- listed values ---- */

static bauta_status add_member(builder *b, const char *text, int64_t number)
{
    size_t need = b->count + 1;
    if (need >= UINT32_MAX) return bt_fail_memory(b->error);
    BT_TRY(bt_array_grow(&b->texts, &b->capacity[0], need, sizeof *b->texts, b->error));
    BT_TRY(bt_array_grow(&b->numbers, &b->capacity[1], need, sizeof *b->numbers, b->error));
    BT_TRY(bt_array_grow(&b->members, &b->capacity[2], need, sizeof *b->members, b->error));
    b->texts[b->count] = text;
    b->numbers[b->count] = number;
    b->members[b->count++] = 0;
    return BAUTA_OK;
}

/* A value as it stands in a manifest or a file; the empty text is the missing one. */
static bauta_status add_value(builder *b, const char *text)
{
    bt_reading reading = bt_release_reading(b->manifest);
    int64_t number = 0;
    if (text[0] == '\0') return add_member(b, NULL, 0);
    if (reading.type != BT_TEXT &&
        !bt_value_number(&reading, text, strlen(text), b->manifest->scale, &number)) {
        bauta_status status =
            bt_fail(b->error, BAUTA_INVALID, "a value that the manifest lists is not of its type");
        bt_error_place(b->error, NULL, -1, b->manifest->name);
        return status;
    }
    return add_member(b, text, number);
}

static int compare_texts(const void *left, const void *right, void *user)
{
    const char *const *texts = user;
    const char *a = texts[*(const uint32_t *)left], *b = texts[*(const uint32_t *)right];
    return a && b ? strcmp(a, b) : (b == NULL) - (a == NULL);
}

static int compare_numbers(const void *left, const void *right, void *user)
{
    const builder *b = user;
    uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    if (!b->texts[i] || !b->texts[j]) return (b->texts[j] != NULL) - (b->texts[i] != NULL);
    return (b->numbers[i] > b->numbers[j]) - (b->numbers[i] < b->numbers[j]);
}

/* Numbers the values in their order, equal ones alike; missing ones have no number. */
static bauta_status sort_members(builder *b)
{
    bt_query_column *out = b->out;
    bool text = out->type == BT_TEXT;
    BT_OWN(bt_free) uint32_t *order = bt_array(b->count, sizeof *order);
    out->members = bt_arena_array(b->arena, b->count, sizeof *out->members);
    if (text)
        out->texts = bt_arena_array(b->arena, b->count, sizeof *out->texts);
    else
        out->numbers = bt_arena_array(b->arena, b->count, sizeof *out->numbers);
    if (!order || b->arena->failed) return bt_fail_memory(b->error);
    for (uint32_t i = 0; i < b->count; i++)
        order[i] = i;
    if (text)
        qsort_r(order, b->count, sizeof *order, compare_texts, b->texts);
    else
        qsort_r(order, b->count, sizeof *order, compare_numbers, b);
    uint32_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t at = order[i];
        bool present = b->texts[at] != NULL;
        bool same = count > 0 && present &&
                    (text ? strcmp(out->texts[count - 1], b->texts[at]) == 0
                          : out->numbers[count - 1] == b->numbers[at]);
        if (present && !same && text) out->texts[count] = b->texts[at];
        if (present && !same && !text) out->numbers[count] = b->numbers[at];
        BT_ASSERT(!present || same || text || count == 0 ||
                  out->numbers[count - 1] < out->numbers[count]);
        count += present && !same;
        out->members[at] = present ? count - 1 : BT_MEMBER_MISSING;
    }
    out->value_count = count;
    return BAUTA_OK;
}

/* ---- cells ---- */

static bauta_status list_one(builder *b, const char *text, bt_meaning *out)
{
    *out = (bt_meaning){.kind = BT_MEANING_LISTED, .first = (uint32_t)b->count, .count = 1};
    return add_value(b, text);
}

/* Numbers need no list. */
static bauta_status be_value(builder *b, const char *text, bt_meaning *out)
{
    bt_reading reading = bt_release_reading(b->manifest);
    *out = (bt_meaning){.kind = BT_MEANING_MISSING};
    if (text[0] == '\0') return BAUTA_OK;
    if (reading.type == BT_TEXT) return list_one(b, text, out);
    out->kind = BT_MEANING_NUMBERS;
    if (bt_value_number(&reading, text, strlen(text), b->manifest->scale, &out->lo)) {
        out->hi = out->lo;
        return BAUTA_OK;
    }
    bauta_status status = bt_fail(b->error, BAUTA_INVALID, "a value is not of its column's type");
    bt_error_place(b->error, NULL, -1, b->manifest->name);
    return status;
}

/* The leaves of a given tree are the first members, in the order of their codes. */
static bauta_status list_leaves(builder *b, const bt_hierarchy *tree)
{
    for (uint32_t code = 0; code < tree->leaves; code++)
        BT_TRY(add_value(b, tree->nodes[tree->leaf_node[code]].name));
    return BAUTA_OK;
}

static bauta_status be_node(builder *b, const bt_cell *cell, bt_meaning *out)
{
    const bt_hierarchy *given = b->manifest->hierarchy, *shown = b->from->format.hierarchy;
    const bt_node *node = &shown->nodes[cell->node];
    if (given) {
        *out = (bt_meaning){
            .kind = BT_MEANING_LISTED, .first = node->lo, .count = node->hi - node->lo};
        return BAUTA_OK;
    }
    if (cell->kind == BT_CELL_VALUE) /* the label "*" is that of the top */
        return be_value(b, strcmp(node->label, "*@0") == 0 ? "*" : node->label, out);
    if (bt_hierarchy_is_derived(b->manifest->partial))
        return bt_label_meaning(b->manifest, node, b->arena, out, b->error);
    *out = (bt_meaning){.kind = BT_MEANING_ANY, .loose = true, .node = cell->node};
    b->out->tree = shown;
    b->out->unknown = true;
    return BAUTA_OK;
}

static bauta_status be_set(builder *b, const bt_cell *cell, bt_meaning *out)
{
    *out = (bt_meaning){
        .kind = BT_MEANING_LISTED, .first = (uint32_t)b->count, .count = (uint32_t)cell->count};
    for (size_t i = 0; i < cell->count; i++)
        BT_TRY(add_value(b, cell->text[i]));
    return BAUTA_OK;
}

static void be_anything(const builder *b, bt_meaning *out)
{
    const bt_hierarchy *given = b->manifest->hierarchy;
    if (given)
        *out = (bt_meaning){.kind = BT_MEANING_LISTED, .count = given->leaves};
    else
        *out = (bt_meaning){.kind = BT_MEANING_ANY, .missing = true};
}

static bauta_status read_cell(builder *b, uint32_t code, bt_meaning *out)
{
    bt_cell cell;
    BT_TRY(bt_release_cell(b->from, code, b->arena, &cell, b->error));
    b->out->blank &= cell.kind == BT_CELL_ALL;
    switch (cell.kind) {
    case BT_CELL_ALL: be_anything(b, out); return BAUTA_OK;
    case BT_CELL_MISSING: *out = (bt_meaning){.kind = BT_MEANING_MISSING}; return BAUTA_OK;
    case BT_CELL_SET: return be_set(b, &cell, out);
    case BT_CELL_NODE: return be_node(b, &cell, out);
    default: break;
    }
    if (b->from->format.hierarchy) return be_node(b, &cell, out);
    if (cell.count == 1) return list_one(b, cell.text[0], out);
    *out = (bt_meaning){.kind = BT_MEANING_NUMBERS, .lo = cell.lo, .hi = cell.hi};
    for (int i = b->from->manifest->scale; i < b->manifest->scale; i++) {
        out->lo *= 10;
        out->hi *= 10;
    }
    return BAUTA_OK;
}

/* ---- values and categories ---- */

static bauta_status read_category(builder *b, uint32_t code, bt_meaning *out)
{
    const bt_category *category = &b->from->categories[b->from->category[code]];
    if (category->count == 0 && !b->listed) {
        *out = (bt_meaning){.kind = BT_MEANING_ANY, .missing = true, .loose = true};
        b->out->unknown = true;
        return BAUTA_OK;
    }
    *out = (bt_meaning){
        .kind = BT_MEANING_LISTED, .first = (uint32_t)b->count, .count = (uint32_t)category->count};
    for (size_t i = 0; i < category->count; i++)
        BT_TRY(add_value(b, category->values[i]));
    return BAUTA_OK;
}

static bauta_status read_text(builder *b, uint32_t code, bt_meaning *out)
{
    const bt_values *values = b->from->values;
    const char *text = bt_arena_copy(b->arena, values->text[code], values->length[code]);
    return text ? be_value(b, text, out) : bt_fail_memory(b->error);
}

static bauta_status not_well_formed(const builder *b)
{
    bauta_status status = bt_fail(b->error, BAUTA_INVALID,
                                  "the release holds a text that cannot stand in its column");
    bt_error_place(b->error, NULL, -1, b->manifest->name);
    bt_error_hint(b->error, "'bauta audit' says where");
    return status;
}

/* ---- the whole ---- */

/* Ends of ranges are listed as well, so that a query finds all of them in one pass. */
static bauta_status add_ends(builder *b, bt_meaning *out)
{
    out->first = (uint32_t)b->count;
    BT_TRY(add_member(b, "", out->lo));
    return add_member(b, "", out->hi);
}

static bool is_one_value(const bt_meaning *meaning)
{
    return meaning->kind == BT_MEANING_MISSING ||
           (meaning->kind == BT_MEANING_NUMBERS && meaning->lo == meaning->hi) ||
           (meaning->kind == BT_MEANING_LISTED && meaning->count == 1);
}

static bauta_status read_all(builder *b, bool cells)
{
    const bt_release_column *from = b->from;
    bool categories = bt_shows_categories(b->manifest);
    if (cells && b->manifest->hierarchy) BT_TRY(list_leaves(b, b->manifest->hierarchy));
    for (uint32_t code = 0; code < from->values->count; code++) {
        bt_meaning *out = &b->out->meanings[code];
        if (from->well_formed && !from->well_formed[code]) return not_well_formed(b);
        if (cells)
            BT_TRY(read_cell(b, code, out));
        else if (categories && from->values->length[code] > 0)
            BT_TRY(read_category(b, code, out));
        else
            BT_TRY(read_text(b, code, out));
        if (out->kind == BT_MEANING_LISTED && out->count == 0) return not_well_formed(b);
        if (out->kind == BT_MEANING_NUMBERS) BT_TRY(add_ends(b, out));
        b->out->exact &= is_one_value(out);
    }
    return sort_members(b);
}

/* ---- decimals ---- */

enum { MOST_DIGITS = 18 };
enum { UNSEEN_DIGITS = 9 }; /* before the point, of values that no text shows anything of */

/* The most digits before a point in a number of a text. */
static int whole_digits(const char *text, size_t length)
{
    int most = 0, here = 0;
    bool behind = false;
    for (size_t i = 0; i < length; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        here = digit && !behind ? here + 1 : 0;
        behind = text[i] == '.' || (digit && behind);
        if (here > most) most = here;
    }
    return most;
}

/* Where a text stands for several values, these may have more decimals than the release shows. They
 * have 18 digits at most: with all those that numbers in sight leave, none is missed. */
static int fine_scale(const bt_release_column *column, bool cells)
{
    const bt_manifest_column *manifest = column->manifest;
    const bt_hierarchy *tree = manifest->hierarchy;
    int digits = 1, scale = manifest->scale;
    bool single = !manifest->category_of;
    for (uint32_t i = 0; i < column->values->count; i++) {
        int own = whole_digits(column->values->text[i], column->values->length[i]);
        if (own > digits) digits = own;
        single = single && (!cells || column->cells[i].kind == BT_CELL_VALUE ||
                            column->cells[i].kind == BT_CELL_MISSING);
        if (digits < UNSEEN_DIGITS && cells && column->cells[i].kind == BT_CELL_ALL)
            digits = UNSEEN_DIGITS;
    }
    for (uint32_t code = 0; tree && code < tree->leaves; code++) {
        const char *name = tree->nodes[tree->leaf_node[code]].name;
        int own = whole_digits(name, strlen(name));
        if (own > digits) digits = own;
    }
    return single || MOST_DIGITS - digits < scale ? scale : MOST_DIGITS - digits;
}

/* ---- columns that show no value ---- */

static bool is_unseen(const bt_query_column *column)
{
    bool hides = false, shows = column->tree != NULL;
    for (uint32_t i = 0; i < column->meaning_count; i++) {
        hides |= column->meanings[i].kind == BT_MEANING_ANY;
        shows |= column->meanings[i].kind != BT_MEANING_ANY &&
                 column->meanings[i].kind != BT_MEANING_MISSING;
    }
    return hides && !shows;
}

static void builder_release(builder *b)
{
    free(b->texts);
    free(b->numbers);
    free(b->members);
}

bauta_status bt_query_column_build(const bt_release_column *column, bool cells, bt_arena *arena,
                                   bt_query_column *out, bauta_error *error)
{
    const bt_manifest_column *manifest = column->manifest;
    bt_manifest_column fine = *manifest;
    BT_OWN(builder_release)
    builder b = {.from = column, .manifest = &fine, .out = out, .arena = arena, .error = error};
    for (uint32_t i = 0; i < column->category_count; i++)
        b.listed |= column->categories[i].count > 0;
    if (manifest->type == BT_DECIMAL && column->fine) fine.scale = fine_scale(column, cells);
    *out = (bt_query_column){.name = manifest->name, .type = manifest->type, .scale = fine.scale};
    out->exact = true;
    out->blank = cells && column->values->count > 0;
    out->meaning_count = column->values->count;
    out->meanings = bt_arena_array(arena, out->meaning_count, sizeof *out->meanings);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(read_all(&b, cells));
    out->unseen = column->fine && is_unseen(out);
    return BAUTA_OK;
}
