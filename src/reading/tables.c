/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of a release, from the codes and the distinct texts that opening it left.
 *
 * A stream says what the file says: a text that is not what the manifest says of its column makes
 * the whole column one of texts.
 *
 * Cost: linear in rows.
 */
#include "reading/tables.h"

#include "reading/parts.h"
#include "table/arrow_out.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"data", "quasi", "sensitive", "bounds"};

size_t bt_tables_count(const bt_release *release)
{
    return release->file_count + release->distribution.bounds;
}

const char *bt_table_name(const bt_release *release, size_t number)
{
    const char *file = number < release->file_count ? release->files[number].name : "bounds.csv";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(file, names[i], length) == 0 && file[length] == '.') return names[i];
    }
    return NULL;
}

/* ---- columns of the manifest ------------------------------------------------------------- */

/* Whether a column shows the values of its type. */
static bool shows_values(const bt_release_column *column)
{
    const bt_manifest_column *manifest = column->manifest;
    return manifest->type != BT_TEXT && !manifest->category_of &&
           (manifest->role != BT_ROLE_QUASI || column->values_shown);
}

/* The number behind each text; *all: every text is a value of the type, or missing. */
static bauta_status read_numbers(const bt_manifest_column *manifest, const bt_values *values,
                                 bt_arena *scratch, bt_arrow_numbers *out, bool *all,
                                 bauta_error *error)
{
    int64_t *numbers = bt_arena_array(scratch, values->count, sizeof *numbers);
    bool *present = bt_arena_array(scratch, values->count, sizeof *present);
    BT_TRY(bt_arena_check(scratch, error));
    *all = true;
    for (uint32_t i = 0; i < values->count; i++) {
        present[i] = values->length[i] > 0;
        *all = *all &&
               bt_release_is_canonical(manifest, values->text[i], values->length[i], &numbers[i]);
    }
    *out = (bt_arrow_numbers){
        .type = manifest->type, .scale = manifest->scale, .numbers = numbers, .present = present};
    return BAUTA_OK;
}

static bauta_status add_values(const bt_release_column *column, bt_arrow_table *to,
                               bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_arrow_texts texts = {column->values, column->codes, column->width};
    bt_arrow_numbers numbers;
    bool typed = shows_values(column);
    if (typed)
        BT_TRY(read_numbers(column->manifest, column->values, &scratch, &numbers, &typed, error));
    if (!typed) return bt_arrow_add_texts(to, column->manifest->name, &texts, error);
    numbers.codes = column->codes;
    numbers.width = column->width;
    return bt_arrow_add_numbers(to, column->manifest->name, &numbers, error);
}

/* ---- least and greatest values of cells -------------------------------------------------- */

/* Whether the cells of a column say from where to where their values may be. */
static bool has_ranges(const bt_release_column *column)
{
    return column->manifest->role == BT_ROLE_QUASI && column->manifest->type != BT_TEXT &&
           !column->values_shown && !column->format.hierarchy;
}

/* A name that no column of the manifest has: more is put behind it until that is so. */
static const char *free_name(const bt_release *release, const char *name, const char *ending,
                             bt_arena *arena)
{
    const char *found = bt_arena_print(arena, "%s%s", name, ending);
    for (size_t i = 0; found && i < release->column_count; i++)
        if (strcmp(release->columns[i].manifest->name, found) == 0) {
            found = bt_arena_print(arena, "%s_", found);
            i = SIZE_MAX; /* from the first column on */
        }
    return found;
}

static bauta_status add_ranges(const bt_release *release, const bt_release_column *column,
                               bt_arrow_table *to, bauta_error *error)
{
    static const char *const endings[] = {"_lo", "_hi"};
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t count = column->values->count;
    int64_t *ends = bt_arena_array(&scratch, count, sizeof *ends);
    bool *present = bt_arena_array(&scratch, count, sizeof *present);
    for (size_t e = 0; e < 2; e++) {
        const char *name = free_name(release, column->manifest->name, endings[e], &scratch);
        BT_TRY(bt_arena_check(&scratch, error));
        for (uint32_t i = 0; i < count; i++) {
            const bt_cell *cell = &column->cells[i];
            present[i] = column->well_formed[i] &&
                         (cell->kind == BT_CELL_VALUE || cell->kind == BT_CELL_RANGE);
            ends[i] = e == 0 ? cell->lo : cell->hi;
        }
        const bt_arrow_numbers numbers = {.type = column->manifest->type,
                                          .scale = column->manifest->scale,
                                          .numbers = ends,
                                          .present = present,
                                          .codes = column->codes,
                                          .width = column->width};
        BT_TRY(bt_arrow_add_numbers(to, name, &numbers, error));
    }
    return BAUTA_OK;
}

/* ---- columns of their own ---------------------------------------------------------------- */

static bauta_status not_well_formed(const bt_release_file *file, const char *column,
                                    bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the release is not well formed");
    bt_error_place(error, file->name, -1, column);
    bt_error_hint(error, "bauta audit says more");
    return status;
}

/* The column that numbers bags. */
static bauta_status add_bags(const bt_release *release, const bt_release_file *file,
                             bt_arrow_table *to, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_bags *bags = &release->bags;
    int64_t *numbers = bt_arena_array(&scratch, bags->count, sizeof *numbers);
    bool *present = bt_arena_array(&scratch, bags->count, sizeof *present);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t i = 0; i < bags->count; i++) {
        numbers[i] = bags->number[i];
        present[i] = true;
        if (bags->number[i] == 0) return not_well_formed(file, bags->name, error);
    }
    const bt_arrow_numbers column = {.type = BT_INTEGER,
                                     .numbers = numbers,
                                     .present = present,
                                     .codes = file->bag_of,
                                     .width = sizeof *file->bag_of};
    return bt_arrow_add_numbers(to, bags->name, &column, error);
}

static bauta_status add_part_texts(const bt_release_distribution *all, bt_arena *scratch,
                                   bt_arrow_table *to, bauta_error *error)
{
    const bt_hierarchy *tree = all->sensitive->manifest->hierarchy;
    bt_values labels = {.count = all->part_count,
                        .text = bt_arena_array(scratch, all->part_count, sizeof *labels.text),
                        .length = bt_arena_array(scratch, all->part_count, sizeof *labels.length)};
    BT_TRY(bt_arena_check(scratch, error));
    for (uint32_t i = 0; i < all->part_count; i++) {
        labels.text[i] = tree->nodes[all->parts[i].node].label;
        labels.length[i] = (uint32_t)strlen(labels.text[i]);
    }
    const bt_arrow_texts texts = {&labels, all->part_of, sizeof *all->part_of};
    return bt_arrow_add_texts(to, all->sensitive->manifest->name, &texts, error);
}

/* The parts of the domain that stand for sensitive values: a label, or low and high. */
static bauta_status add_parts(const bt_release *release, bt_arrow_table *to, bauta_error *error)
{
    static const char *const ends[] = {"low", "high"};
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_release_distribution *all = &release->distribution;
    const bt_manifest_column *manifest = all->sensitive->manifest;
    int64_t *numbers = bt_arena_array(&scratch, all->part_count, sizeof *numbers);
    bool *present = bt_arena_array(&scratch, all->part_count, sizeof *present);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t i = 0; i < all->part_count; i++) {
        present[i] = all->parts[i].well_formed;
        if (!present[i])
            return not_well_formed(&release->files[BT_SENSITIVE_FILE], manifest->name, error);
    }
    if (manifest->type == BT_TEXT) return add_part_texts(all, &scratch, to, error);
    for (size_t e = 0; e < 2; e++) {
        for (uint32_t i = 0; i < all->part_count; i++)
            numbers[i] = e == 0 ? all->parts[i].least : all->parts[i].greatest;
        const bt_arrow_numbers column = {.type = manifest->type,
                                         .scale = manifest->scale,
                                         .numbers = numbers,
                                         .present = present,
                                         .codes = all->part_of,
                                         .width = sizeof *all->part_of};
        BT_TRY(bt_arrow_add_numbers(to, ends[e], &column, error));
    }
    return BAUTA_OK;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* In the order of the file: what numbers bags is last in the first file, and first in the second.
 */
static bauta_status add_file(const bt_release *release, size_t number, bool ranges,
                             bt_arrow_table *to, bauta_error *error)
{
    const bt_release_file *file = &release->files[number];
    if (release->bags.name && number == BT_SENSITIVE_FILE)
        BT_TRY(add_bags(release, file, to, error));
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->file != number) continue;
        BT_TRY(column == release->distribution.sensitive ? add_parts(release, to, error)
                                                         : add_values(column, to, error));
        if (ranges && has_ranges(column)) BT_TRY(add_ranges(release, column, to, error));
    }
    return release->bags.name && number == BT_QUASI_FILE ? add_bags(release, file, to, error)
                                                         : BAUTA_OK;
}

typedef struct opened { /* bounds.csv, while its stream is made */
    bt_run run;
    bt_input *input;
    bt_raw *raw;
} opened;

static void close_bounds(opened *o)
{
    bt_raw_free(o->raw);
    bt_input_close(o->input);
    bt_pool_free(o->run.pool);
}

static bauta_status add_bound(opened *o, size_t place, bt_arrow_table *to, bauta_error *error)
{
    const bt_values *values = bt_raw_values(o->raw, place);
    unsigned types = BT_TYPES_ANY;
    bt_column coded;
    bt_manifest_column manifest = {.name = bt_input_names(o->input)[place]};
    for (uint32_t i = 0; i < values->count; i++) {
        int places = bt_value_scale(values->text[i], values->length[i], false);
        if (values->length[i] == 0) continue;
        types &= bt_canonical_types(values->text[i], values->length[i]);
        if (places > manifest.scale) manifest.scale = places;
    }
    manifest.type = bt_type_of(types);
    bauta_status status = bt_release_encode(o->raw, place, &o->run, &coded, error);
    const bt_release_column column = {
        .manifest = &manifest, .values = values, .codes = coded.codes, .width = coded.width};
    if (status == BAUTA_OK) status = add_values(&column, to, error);
    free(coded.codes);
    return status;
}

static bauta_status read_bounds(const bt_buffer *text, opened *o, bauta_error *error)
{
    static const char *const name = "bounds.csv";
    bt_input_options options = {
        .files = &name, .count = 1, .delimiter = ',', .encoding = BT_UTF8, .plain = true};
    o->run = (bt_run){.memory = text->length, .tmp = "/tmp"};
    BT_TRY(bt_pool_new(1, &o->run.pool, error));
    BT_TRY(bt_bytes_in_memory(text->bytes, text->length, NULL, name, &options.bytes, error));
    BT_TRY(bt_input_open(&options, &o->run, &o->input, error));
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_use *uses = bt_arena_array(&scratch, bt_input_columns(o->input), sizeof *uses);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < bt_input_columns(o->input); i++)
        uses[i] = BT_USE_CODE;
    return bt_input_read(o->input, uses, &o->run, &o->raw, error);
}

static bauta_status stream_bounds(const bt_buffer *text, struct ArrowArrayStream *out,
                                  bauta_error *error)
{
    BT_OWN(close_bounds) opened o = {.input = NULL};
    BT_OWN(bt_arrow_free) bt_arrow_table *table = NULL;
    BT_TRY(read_bounds(text, &o, error));
    BT_TRY(bt_arrow_new(bt_input_columns(o.input), bt_raw_rows(o.raw), &table, error));
    for (size_t i = 0; i < bt_input_columns(o.input); i++)
        BT_TRY(add_bound(&o, i, table, error));
    bt_arrow_hand_out(&table, out);
    return BAUTA_OK;
}

bauta_status bt_table_stream(const bt_release *release, size_t number, bool ranges,
                             const bt_buffer *bounds, struct ArrowArrayStream *out,
                             bauta_error *error)
{
    BT_OWN(bt_arrow_free) bt_arrow_table *table = NULL;
    if (number == release->file_count) return stream_bounds(bounds, out, error);
    /* Each column, two ends of its cells or of its parts, and what numbers bags. */
    size_t most = 3 * release->column_count + 1;
    BT_TRY(bt_arrow_new(most, release->files[number].rows, &table, error));
    BT_TRY(add_file(release, number, ranges, table, error));
    bt_arrow_hand_out(&table, out);
    return BAUTA_OK;
}
