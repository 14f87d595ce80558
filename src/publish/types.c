/* SPDX-License-Identifier: Apache-2.0
 *
 * The type that the manifest gives a column: the one that the recipe names, or else that of the
 * texts that are published. The type that the table was read with follows from all values, also
 * from those that cells hide and from those of dropped records: it is not published. Where the
 * texts look like another type than the values behind them are of, a reader would be misled, and
 * the recipe has to name the type.
 *
 * Cost: linear in rows and distinct texts.
 */
#include "publish/describe.h"

#include "recipe/cuts.h"
#include "recipe/hierarchy.h"

#include <string.h>

typedef struct span {
    const char *text;
    size_t length;
} span;

/* Values that can be seen in the texts of a column: alone, or as ends of a range. */
typedef struct seen {
    span *spans;
    size_t count, capacity;
    unsigned types; /* types that everything seen so far may be of */
    bool any;
} seen;

static bool is_intervals(const bt_hierarchy *tree)
{
    return strncmp(tree->spec, "intervals:", 10) == 0;
}

/* ---- from texts to a type ---------------------------------------------------------------- */

static bauta_status see(seen *s, const char *text, size_t length, bauta_error *error)
{
    if (length == 0 || s->types == 0) return BAUTA_OK;
    BT_TRY(bt_array_grow(&s->spans, &s->capacity, s->count + 1, sizeof *s->spans, error));
    s->spans[s->count++] = (span){text, length};
    s->types &= bt_canonical_types(text, length);
    s->any = true;
    return BAUTA_OK;
}

/* Whether decimals fit 64 bits at the scale that all of them need, as a reader wants them. */
static bool fit_together(const seen *s)
{
    const bt_reading reading = {.type = BT_DECIMAL};
    int64_t number;
    int scale = 0;
    for (size_t i = 0; i < s->count; i++) {
        int own = bt_value_scale(s->spans[i].text, s->spans[i].length, false);
        if (own > scale) scale = own;
    }
    for (size_t i = 0; i < s->count; i++)
        if (!bt_value_number(&reading, s->spans[i].text, s->spans[i].length, scale, &number))
            return false;
    return true;
}

static bt_type type_seen(const seen *s)
{
    bt_type type = s->any ? bt_type_of(s->types) : BT_TEXT;
    return type == BT_DECIMAL && !fit_together(s) ? BT_TEXT : type;
}

/* ---- values ------------------------------------------------------------------------------ */

static bauta_status see_values(const bt_domain *domain, const bool *shown, seen *s,
                               bauta_error *error)
{
    for (uint32_t code = 0; code < domain->size; code++)
        if (!shown || shown[code])
            BT_TRY(see(s, domain->text[code], strlen(domain->text[code]), error));
    return BAUTA_OK;
}

static void free_spans(seen *s)
{
    free(s->spans);
}

static bauta_status type_of_values(const bt_domain *domain, const bool *shown, bt_type *out,
                                   bauta_error *error)
{
    BT_OWN(free_spans) seen s = {.types = BT_TYPES_ANY};
    BT_TRY(see_values(domain, shown, &s, error));
    *out = type_seen(&s);
    return BAUTA_OK;
}

/* ---- cells ------------------------------------------------------------------------------- */

/* The two ends of "LO-HI" and the like. A separator is not the first byte: that is a sign. */
static bauta_status see_range(seen *s, const char *text, size_t length, const char *separator,
                              bauta_error *error)
{
    const char *at = length > 1 ? memmem(text + 1, length - 1, separator, strlen(separator)) : NULL;
    if (!at) {
        s->types = 0;
        s->any = true;
        return BAUTA_OK;
    }
    const char *second = at + strlen(separator);
    BT_TRY(see(s, text, (size_t)(at - text), error));
    return see(s, second, (size_t)(text + length - second), error);
}

/* A cell without a hierarchy: a value, "[LO,HI]", a set, or "*". In quotes where CSV needs them;
 * what has quotes in it is text. */
static bauta_status see_plain(seen *s, const char *text, size_t length, bauta_error *error)
{
    if (length > 1 && text[0] == '"') text++, length -= 2;
    if (length == 1 && text[0] == '*') return BAUTA_OK;
    if (length > 1 && text[0] == '[') return see_range(s, text + 1, length - 2, ",", error);
    return see(s, text, length, error);
}

/* A node above the values: "LO-HI", "LO..HI" or, of decimals and below zero, "[LO,HI)"; months and
 * years are of dates, and others of text. A level may stand behind a label. */
static bauta_status see_node(seen *s, const bt_hierarchy *tree, const char *label,
                             bauta_error *error)
{
    size_t length = strcspn(label, "@");
    bool dots = memmem(label, length, "..", 2) != NULL;
    if (bt_spec_shows_values(tree->spec)) return see_range(s, label, length, "..", error);
    if (!is_intervals(tree)) {
        s->types &= strcmp(tree->spec, "date") == 0 ? 1U << BT_DATE : 0;
        s->any = true;
        return BAUTA_OK;
    }
    if (label[0] != '[') return see_range(s, label, length, dots ? ".." : "-", error);
    if (label[1] != '-') s->types &= ~(1U << BT_INTEGER);
    return see_range(s, label + 1, length - 2, ",", error);
}

static bauta_status see_cells(const bt_column *column, const bt_cell_texts *texts, seen *s,
                              bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    for (uint32_t i = 0; i < texts->count; i++) {
        const bt_node *node = tree ? &tree->nodes[texts->nodes[i]] : NULL;
        size_t length = bt_cell_text_length(texts, i);
        if (!tree)
            BT_TRY(see_plain(s, texts->bytes.bytes + texts->ends[i] - length, length, error));
        else if (node->children == 0)
            BT_TRY(see(s, node->name, strlen(node->name), error));
        else if (node != tree->nodes)
            BT_TRY(see_node(s, tree, node->label, error));
    }
    return BAUTA_OK;
}

/* Where cells may end: the recipe says it. */
static bauta_status see_cuts(const bt_column *column, bt_arena *arena, seen *s, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    char text[BT_NUMBER_TEXT];
    for (size_t i = 0; column->cuts && i < column->cuts->count; i++) {
        size_t length =
            bt_number_print(domain->reading.type, domain->scale, column->cuts->number[i], text);
        const char *copy = bt_arena_copy(arena, text, length);
        if (!copy) return bt_fail_memory(error);
        BT_TRY(see(s, copy, length, error));
    }
    return BAUTA_OK;
}

static bauta_status refuse(const bt_column *column, bauta_error *error)
{
    const char *type = bt_type_name(column->domain.reading.type);
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "what is published of the column does not show that it is of "
                                  "type %s: to say so would tell of hidden values",
                                  type);
    bt_error_place(error, NULL, -1, column->name);
    bt_error_hint(error, "if everyone may know the type, name it: --type %s=%s", column->name,
                  type);
    return status;
}

/* What a scheme that the recipe names is for, where no cell shows more. */
static bt_type type_of_scheme(const bt_hierarchy *tree)
{
    if (!tree || tree->chosen) return BT_TEXT;
    if (strcmp(tree->spec, "date") == 0) return BT_DATE;
    return is_intervals(tree) ? BT_DECIMAL : BT_TEXT;
}

/* ---- what forms ask ---------------------------------------------------------------------- */

bauta_status bt_codes_shown(const bt_form_job *job, const bt_column *column, bool **out,
                            bauta_error *error)
{
    const bt_grouping *grouping = job->grouping;
    *out = bt_arena_array(job->arena, column->domain.size, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (int64_t i = 0; i < grouping->kept; i++)
        (*out)[bt_column_code(column, grouping->order[i])] = true;
    return BAUTA_OK;
}

/* Whether a type says nothing that would be wrong of any value of the column. */
static bool is_wide(const bt_column *column, bt_type type)
{
    bt_type found = column->domain.reading.type;
    return column->domain.reading.said || type == BT_TEXT || type == found ||
           (type == BT_DECIMAL && found == BT_INTEGER);
}

/* Whether the codes that are marked are all of a type that the column was not read as. Labels of
 * intervals and cut points go with the type that it was read as. */
static bauta_status check_behind(const bt_column *column, const bool *behind, bt_type type,
                                 bauta_error *error)
{
    bt_type own = type;
    bool bound = column->cuts || (column->hierarchy && is_intervals(column->hierarchy));
    if (!bound) BT_TRY(type_of_values(&column->domain, behind, &own, error));
    return bound || own != type ? refuse(column, error) : BAUTA_OK;
}

bauta_status bt_type_check(const bt_form_job *job, const bt_column *column, bt_type type,
                           bauta_error *error)
{
    bool *kept;
    if (is_wide(column, type)) return BAUTA_OK;
    BT_TRY(bt_codes_shown(job, column, &kept, error));
    return check_behind(column, kept, type, error);
}

/* Whether what is promised of a sensitive column follows from whether it is text. */
static bool rests_on_type(const bt_form_job *job, const bt_column *column)
{
    bool rests = false;
    for (size_t i = 0; i < job->requirements->count; i++)
        rests |= job->requirements->items[i].type->usual != NULL;
    return rests && column->role == BT_ROLE_SENSITIVE;
}

bauta_status bt_type_of_values(const bt_form_job *job, const bt_column *column, const bool *shown,
                               bt_type *out, bauta_error *error)
{
    bt_type found = column->domain.reading.type;
    *out = found;
    if (column->domain.reading.said) return BAUTA_OK;
    BT_TRY(type_of_values(&column->domain, shown, out, error));
    bool apart = (*out == BT_TEXT) != (found == BT_TEXT);
    return apart && rests_on_type(job, column) ? refuse(column, error) : BAUTA_OK;
}

bauta_status bt_type_of_listed(const bt_form_job *job, const bt_column *column,
                               const bt_domain *domain, const bool *listed, bt_type *out,
                               bauta_error *error)
{
    *out = column->domain.reading.type;
    if (column->domain.reading.said) return BAUTA_OK;
    BT_TRY(type_of_values(domain, listed, out, error));
    return bt_type_check(job, column, *out, error);
}

/* Marks the codes in classes whose cell is not "*": of those nothing is said. */
static bauta_status find_behind(const bt_form_job *job, const bt_column *column, size_t place,
                                const bt_cells *cells, bool **out, bauta_error *error)
{
    const bt_grouping *grouping = job->grouping;
    const bt_cell_texts *texts = &cells->texts[place];
    *out = bt_arena_array(job->arena, column->domain.size, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (uint32_t c = 0; c < grouping->classes; c++) {
        uint32_t id = cells->ids[(size_t)c * cells->columns + place];
        if (bt_cell_text_length(texts, id) == 1 && texts->bytes.bytes[texts->ends[id] - 1] == '*')
            continue;
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            (*out)[bt_column_code(column, grouping->order[i])] = true;
    }
    return BAUTA_OK;
}

bauta_status bt_type_of_cells(const bt_form_job *job, const bt_column *column, size_t place,
                              const bt_cells *cells, bt_type *out, bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    BT_OWN(free_spans) seen s = {.types = BT_TYPES_ANY};
    bool *behind;
    *out = column->domain.reading.type;
    if (column->domain.reading.said) return BAUTA_OK;
    if (tree && tree->given) return type_of_values(&column->domain, NULL, out, error);
    BT_TRY(see_cells(column, &cells->texts[place], &s, error));
    BT_TRY(see_cuts(column, job->arena, &s, error));
    *out = s.any ? type_seen(&s) : type_of_scheme(tree);
    if (is_wide(column, *out)) return BAUTA_OK;
    BT_TRY(find_behind(job, column, place, cells, &behind, error));
    return check_behind(column, behind, *out, error);
}
