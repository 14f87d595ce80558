/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading one table of a release.
 */
#include "reading/parts.h"

#include <string.h>

/* The columns that a file must have: a name each, and how it is read. */
typedef struct expected {
    const char **names;
    bt_use *uses;
    size_t count;
    size_t bag_place; /* where the bag stands; `count`: nowhere */
} expected;

static void expect(expected *all, const char *name, bool coded)
{
    all->names[all->count] = name;
    all->uses[all->count++] = coded ? BT_USE_CODE : BT_USE_CHECK | BT_USE_ALONE;
}

/* What numbers bags stands last in the first file, and first in the second. */
static bauta_status expect_columns(bt_release *release, size_t file, expected *out,
                                   bauta_error *error)
{
    const char *bag_name = release->bags.name;
    size_t room = release->column_count + 2, bag_place = SIZE_MAX;
    *out = (expected){.names = bt_arena_array(&release->arena, room, sizeof *out->names),
                      .uses = bt_arena_array(&release->arena, room, sizeof *out->uses)};
    if (!out->names || !out->uses) return bt_fail_memory(error);
    if (bag_name && file == BT_SENSITIVE_FILE) {
        bag_place = 0;
        expect(out, bag_name, true);
    }
    for (size_t i = 0; i < release->column_count; i++) {
        bt_release_column *column = &release->columns[i];
        if (column->file != file) continue;
        column->place = out->count;
        if (column == release->distribution.sensitive && column->manifest->type != BT_TEXT) {
            expect(out, "low", true);
            expect(out, "high", true);
            continue;
        }
        expect(out, column->manifest->name, bt_is_coded(column->manifest));
    }
    if (bag_name && file == BT_QUASI_FILE) {
        bag_place = out->count;
        expect(out, bag_name, true);
    }
    out->bag_place = bag_place == SIZE_MAX ? out->count : bag_place;
    return BAUTA_OK;
}

static bauta_status check_header(const bt_input *input, const expected *wanted, const char *file,
                                 bauta_error *error)
{
    const char *const *names = bt_input_names(input);
    bool same = bt_input_columns(input) == wanted->count;
    size_t i = 0;
    while (same && i < wanted->count && strcmp(names[i], wanted->names[i]) == 0)
        i++;
    if (same && i == wanted->count) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the header is not the manifest's list of columns");
    bt_error_place(error, file, 0, same ? wanted->names[i] : NULL);
    return status;
}

static void free_codes(bt_column *column)
{
    free(column->codes);
}

static bauta_status read_bags(bt_release_file *file, size_t place, const bt_run *run,
                              const bt_values **texts, bauta_error *error)
{
    BT_OWN(free_codes) bt_column coded = {0};
    BT_TRY(bt_release_encode(file->raw, place, run, &coded, error));
    file->bag_of = bt_array((size_t)file->rows, sizeof *file->bag_of);
    if (!file->bag_of) return bt_fail_memory(error);
    for (int64_t row = 0; row < file->rows; row++)
        file->bag_of[row] = bt_column_code(&coded, row);
    *texts = bt_raw_values(file->raw, place);
    return BAUTA_OK;
}

bauta_status bt_release_open_file(bt_release *release, size_t number, const bt_run *run,
                                  const bt_values **bags, bauta_error *error)
{
    bt_release_file *file = &release->files[number];
    const char **path = bt_arena_array(&release->arena, 1, sizeof *path);
    bt_bytes *bytes = NULL;
    expected wanted;
    if (!path) return bt_fail_memory(error);
    *path = bt_store_path(release->store, BT_SHELF_PUBLISH, file->name, &release->arena);
    if (!*path) return bt_fail_memory(error);
    BT_TRY(expect_columns(release, number, &wanted, error));
    file->held = bt_store_held(release->store, file->name);
    if (!file->held) BT_TRY(bt_store_need(release->store, file->name, &bytes, error));
    bt_input_options options = {.files = path,
                                .count = 1,
                                .bytes = bytes,
                                .coded = file->held,
                                .delimiter = ',',
                                .encoding = BT_UTF8,
                                .plain = true,
                                .guarded = release->manifest.spreadsheet_safe};
    BT_TRY(bt_input_open(&options, run, &file->input, error));
    BT_TRY(check_header(file->input, &wanted, *path, error));
    BT_TRY(bt_input_read(file->input, wanted.uses, run, &file->raw, error));
    file->rows = bt_raw_rows(file->raw);
    if (file->rows > UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "the release has more than 2^32 rows");
    if (wanted.bag_place == wanted.count) return BAUTA_OK;
    return read_bags(file, wanted.bag_place, run, bags, error);
}

/* ---- shape ------------------------------------------------------------------------------- */

static bauta_status ends_with_line(const bt_release *release, const bt_release_file *file,
                                   bool *out, bauta_error *error)
{
    char last = 0;
    size_t got = 0;
    bt_bytes *bytes;
    BT_TRY(bt_store_need(release->store, file->name, &bytes, error));
    bauta_status status = BAUTA_OK;
    if (file->shape.bytes > 0)
        status = bt_bytes_read_at(bytes, file->shape.bytes - 1, &last, 1, &got, error);
    bt_bytes_close(bytes);
    *out = got == 1 && last == '\n';
    return status;
}

int64_t bt_release_field_bytes(const bt_release *release, const char *text, size_t length)
{
    bool guarded = release->manifest.spreadsheet_safe && bt_csv_tempts(text, length);
    return (int64_t)bt_csv_size(text, length) + guarded;
}

static int64_t bytes_of(const bt_release *release, const char *name, const bt_values *values,
                        int64_t rows)
{
    int64_t total = bt_release_field_bytes(release, name, strlen(name)) + 1 + rows;
    for (uint32_t v = 0; values && v < values->count; v++)
        total +=
            values->rows[v] * bt_release_field_bytes(release, values->text[v], values->length[v]);
    return total;
}

/* Every text has one canonical way to be written, and it is the shortest; so the file is
 * canonical exactly when it is as long as its values take and its last line is ended. */
bauta_status bt_release_find_shape(bt_release *release, size_t number, const bt_values *bags,
                                   bauta_error *error)
{
    bt_release_file *file = &release->files[number];
    int64_t total = 0;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->file != number) continue;
        if (column == release->distribution.sensitive) {
            total += bt_release_part_bytes(release);
            continue;
        }
        total += bytes_of(release, column->manifest->name, column->values, file->rows);
        if (column->check) total += column->check->bytes;
    }
    if (bags) total += bytes_of(release, release->bags.name, bags, file->rows);
    if (file->held) { /* its file is written by its values, in one way */
        file->shape = (bt_release_shape){total, total, true};
        return BAUTA_OK;
    }
    file->shape.bytes = bt_input_bytes(file->input);
    file->shape.canonical = total;
    return ends_with_line(release, file, &file->shape.ends_well, error);
}
