/* SPDX-License-Identifier: Apache-2.0
 *
 * Spaces: from a column, or from a file of values and weights.
 */
#include "class/space.h"

#include "base/text.h"
#include "recipe/csv_file.h"

#include <string.h>

#define SPEC_FALLBACK "balanced:2"

/* ---- what every space must be ---- */

static bauta_status refuse(const bt_space *space, const char *what, const char *hint,
                           bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, NULL, -1, space->column);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status check_space(const bt_space *space, bauta_error *error)
{
    const int64_t *number = space->domain.number;
    if (space->domain.size == 0)
        return refuse(space, "the sensitive column has no values", "give a table with rows", error);
    if (!number) return BAUTA_OK;
    if (space->domain.has_missing)
        return refuse(space, "a target needs a number in every record, but some are missing",
                      "leave these records out with --missing drop", error);
    for (uint32_t code = 1; code < space->domain.size; code++)
        if (number[code] <= number[code - 1])
            return refuse(space,
                          "the hierarchy of the sensitive column does not keep the order of "
                          "its numbers",
                          "give one whose nodes are ranges, or take balanced:2", error);
    return BAUTA_OK;
}

/* A tree over a domain in natural order, which is replaced. */
static bauta_status build_tree(bt_space *space, const char *spec, uint32_t *new_code,
                               bt_arena *arena, bauta_error *error)
{
    bt_hierarchy_source source = {.spec = spec};
    bt_hierarchy *made;
    BT_TRY(
        bt_hierarchy_build(&source, space->column, &space->domain, new_code, arena, &made, error));
    space->hierarchy = made;
    return BAUTA_OK;
}

bauta_status bt_space_make(const bt_column *column, bt_arena *arena, bt_space *out,
                           bauta_error *error)
{
    uint32_t size = column->domain.size;
    *out = (bt_space){.column = column->name,
                      .domain = column->domain,
                      .hierarchy = column->hierarchy,
                      .source = size};
    out->code_of = bt_arena_array(arena, size, sizeof *out->code_of);
    if (!out->code_of) return bt_fail_memory(error);
    for (uint32_t code = 0; code < size; code++)
        out->code_of[code] = code;
    if (!column->hierarchy && size > 0)
        BT_TRY(build_tree(out, SPEC_FALLBACK, out->code_of, arena, error));
    return check_space(out, error);
}

/* ---- the rows of a file ---- */

typedef struct listed { /* values with their weights, as read */
    const char **text;  /* canonical */
    uint32_t *length;
    int64_t *weight;
    size_t text_room, length_room, weight_room;
    uint32_t count;
    const bt_column *column;
    bt_arena *arena;
} listed;

static bool is_head(const bt_csv_rows *rows, const bt_span *fields)
{
    return rows->row == 1 && fields[0].length == 5 && memcmp(fields[0].bytes, "value", 5) == 0 &&
           fields[1].length == 6 && memcmp(fields[1].bytes, "weight", 6) == 0;
}

static bool read_weight(const bt_span *field, int64_t *out)
{
    char digits[24];
    if (field->length == 0 || field->length >= sizeof digits) return false;
    memcpy(digits, field->bytes, field->length);
    digits[field->length] = '\0';
    return bt_text_integer(digits, out) && *out >= 1;
}

static bauta_status keep(listed *l, const char *text, size_t length, int64_t weight,
                         bauta_error *error)
{
    size_t need = (size_t)l->count + 1;
    if (need >= BT_NO_NODE) return bt_fail(error, BAUTA_INVALID, "the target has too many values");
    BT_TRY(bt_array_grow(&l->text, &l->text_room, need, sizeof *l->text, error));
    BT_TRY(bt_array_grow(&l->length, &l->length_room, need, sizeof *l->length, error));
    BT_TRY(bt_array_grow(&l->weight, &l->weight_room, need, sizeof *l->weight, error));
    l->text[l->count] = bt_arena_copy(l->arena, text, length);
    if (!l->text[l->count]) return bt_fail_memory(error);
    l->length[l->count] = (uint32_t)length;
    l->weight[l->count++] = weight;
    return BAUTA_OK;
}

static bauta_status put_row(void *user, const bt_csv_rows *rows, const bt_span *fields,
                            bauta_error *error)
{
    listed *l = user;
    char canonical[BT_NUMBER_TEXT];
    const char *text = fields[0].bytes;
    size_t length = fields[0].length;
    int64_t weight;
    if (is_head(rows, fields)) return BAUTA_OK;
    if (!read_weight(&fields[1], &weight))
        return bt_csv_rows_fail(rows, "the weight of this row is not a whole number from 1 on",
                                "leave out values that shall have probability 0", error);
    if (length > 0 && !bt_domain_canonical(&l->column->domain, &text, &length, canonical))
        return bt_csv_rows_fail(rows, "the value of this row is not of the column's type", NULL,
                                error);
    return keep(l, text, length, weight, error);
}

/* ---- finding values by their canonical texts ---- */

typedef struct place { /* by its text: a value of a domain, or of a list */
    const char *text;
    uint32_t code;
} place;

static int compare_places(const void *left, const void *right)
{
    return strcmp(((const place *)left)->text, ((const place *)right)->text);
}

static uint32_t find_code(const place *places, uint32_t count, const char *text)
{
    const place wanted = {text, 0};
    const place *found = bsearch(&wanted, places, count, sizeof *places, compare_places);
    return found ? found->code : BT_NO_NODE;
}

static bauta_status wrong_file(const char *file, const char *column, const char *what,
                               bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, file, -1, column);
    return status;
}

/* Sorts texts with their places; the caller's to free. */
static bauta_status sort_places(const char *const *texts, uint32_t count, place **out,
                                bauta_error *error)
{
    place *places = *out = bt_array(count, sizeof *places);
    if (!places) return bt_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        places[i] = (place){texts[i], i};
    qsort(places, count, sizeof *places, compare_places);
    return BAUTA_OK;
}

static bauta_status check_twins(const listed *l, const char *file, bauta_error *error)
{
    BT_OWN(bt_free) place *places = NULL;
    BT_TRY(sort_places(l->text, l->count, &places, error));
    for (uint32_t i = 1; i < l->count; i++)
        if (strcmp(places[i - 1].text, places[i].text) == 0)
            return wrong_file(file, l->column->name, "a value of the target is listed twice",
                              error);
    return BAUTA_OK;
}

/* The domain of the listed values, of the column's type. */
static bauta_status build_domain(const listed *l, bt_space *space, bt_arena *arena,
                                 bauta_error *error)
{
    static const bt_missing none = {0};
    const bt_hierarchy *own = l->column->hierarchy;
    bt_values values = {l->count, l->text, l->length, l->weight};
    bt_domain_options options = {.missing = &none,
                                 .has_type = true,
                                 .type = l->column->domain.reading.type,
                                 .column = space->column};
    BT_OWN(bt_free) uint32_t *code_of = bt_array(l->count, sizeof *code_of);
    if (!code_of) return bt_fail_memory(error);
    BT_TRY(bt_domain_build(&values, &options, arena, &space->domain, code_of, error));
    return build_tree(space, own ? own->spec : SPEC_FALLBACK, code_of, arena, error);
}

/* Puts the listed weights to the codes of the space, and connects the codes of the column. */
static bauta_status connect(const listed *l, const char *file, bt_arena *arena, bt_space *space,
                            uint64_t **weights, bauta_error *error)
{
    BT_OWN(bt_free) place *places = NULL;
    uint32_t size = space->domain.size;
    *weights = bt_arena_array(arena, size, sizeof **weights);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(sort_places((const char *const *)space->domain.text, size, &places, error));
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t code = find_code(places, size, l->text[i]);
        if (code == BT_NO_NODE)
            return wrong_file(file, space->column, "a value of the target is not in the hierarchy",
                              error);
        (*weights)[code] = (uint64_t)l->weight[i];
    }
    for (uint32_t code = 0; code < space->source; code++) {
        uint32_t here = find_code(places, size, l->column->domain.text[code]);
        bool absent = here == BT_NO_NODE || (*weights)[here] == 0;
        space->code_of[code] = absent ? BT_NO_NODE : here;
    }
    return BAUTA_OK;
}

static void listed_release(listed *l)
{
    free(l->text);
    free(l->length);
    free(l->weight);
}

bauta_status bt_space_from_csv(const bt_column *column, const char *file, const char *bytes,
                               size_t length, bt_arena *arena, bt_space *out, uint64_t **weights,
                               bauta_error *error)
{
    BT_OWN(listed_release) listed l = {.column = column, .arena = arena};
    bt_csv_rows rows;
    *out = (bt_space){.column = column->name, .source = column->domain.size};
    bt_csv_rows_open(&rows, bytes, length, file, column->name);
    BT_TRY(
        bt_csv_rows_pairs(&rows, "each row is a value and its weight: 1000,3", put_row, &l, error));
    if (l.count == 0) return bt_csv_rows_fail(&rows, "the target lists no values", NULL, error);
    BT_TRY(check_twins(&l, file, error));
    out->code_of = bt_arena_array(arena, column->domain.size, sizeof *out->code_of);
    BT_TRY(bt_arena_check(arena, error));
    if (column->hierarchy && column->hierarchy->given) {
        out->domain = column->domain;
        out->hierarchy = column->hierarchy;
    } else {
        BT_TRY(build_domain(&l, out, arena, error));
    }
    BT_TRY(connect(&l, file, arena, out, weights, error));
    return check_space(out, error);
}

bauta_status bt_space_from_file(const bt_column *column, const char *file, bt_arena *arena,
                                bt_space *out, uint64_t **weights, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    bool absent;
    bauta_status status = bt_csv_file_read(file, "target", &text, &absent, error);
    if (status != BAUTA_OK && absent)
        bt_error_hint(error, "a target is source, closest, uniform, normal:MEAN,SD, zipf:S or a "
                             "file of values and weights");
    BT_TRY(status);
    return bt_space_from_csv(column, file, text.bytes, text.length, arena, out, weights, error);
}
