/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a release: the store, the manifest, the tables, their cells and classes.
 */
#include "base/assert.h"
#include "reading/parts.h"
#include "reading/words.h"

#include <string.h>

/* ---- what the manifest must say ---------------------------------------------------------- */

/* What the form does not know stands in the manifest of no release of it. */
static bauta_status check_column(const bt_release *release, const bt_manifest_column *column,
                                 bauta_error *error)
{
    const bt_reading_form *form = release->form;
    bool quasi = column->role == BT_ROLE_QUASI;
    if (column->redrawn.bottom && !form->redrawn)
        return bt_fail(error, BAUTA_INVALID,
                       "column '%s' is drawn anew, but the form does not do that", column->name);
    if (form->values_shown && quasi && (column->hierarchy || column->partial))
        return bt_fail(error, BAUTA_INVALID,
                       "column '%s' has a hierarchy, but the form shows its values", column->name);
    return BAUTA_OK;
}

static bauta_status check_manifest(const bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const bt_reading_form *form = release->form;
    for (size_t i = 0; i < manifest->column_count; i++)
        BT_TRY(check_column(release, &manifest->columns[i], error));
    if (manifest->lambda && !form->redrawn)
        return bt_fail(error, BAUTA_INVALID, "the manifest has a lambda, but the form has none");
    if ((manifest->target_count > 0 || manifest->reference) && !form->parts)
        return bt_fail(error, BAUTA_INVALID, "the manifest has targets, but the form knows none");
    if (!bt_words_has_remark(manifest))
        return bt_fail(error, BAUTA_INVALID, "the manifest lacks the remark of %s",
                       form->join ? "a join" : form->name);
    return BAUTA_OK;
}

static bauta_status name_bags(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const char **names = bt_arena_array(&release->arena, manifest->column_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < manifest->column_count; i++)
        names[i] = manifest->columns[i].name;
    release->bags.name = release->form->bag_column(names, manifest->column_count, &release->arena);
    return release->bags.name ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status expect_columns(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    release->columns =
        bt_arena_array(&release->arena, manifest->column_count, sizeof *release->columns);
    if (!release->columns) return bt_fail_memory(error);
    release->column_count = manifest->column_count;
    for (size_t i = 0; i < release->column_count; i++) {
        release->columns[i].manifest = &manifest->columns[i];
        if (manifest->columns[i].role == BT_ROLE_SENSITIVE)
            release->columns[i].file = release->sensitive_file;
    }
    bauta_status status = check_manifest(release, error);
    if (status == BAUTA_OK && release->form->expect) status = release->form->expect(release, error);
    if (status == BAUTA_INVALID) bt_error_place(error, release->store->name, -1, NULL);
    return status == BAUTA_OK && release->form->bag_column ? name_bags(release, error) : status;
}

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status open_files(bt_release *release, const bt_run *run, bauta_error *error)
{
    const bt_values *bags[BT_RELEASE_FILES] = {NULL, NULL};
    for (size_t i = 0; i < release->file_count; i++)
        BT_TRY(bt_release_open_file(release, i, run, &bags[i], error));
    release->rows = release->files[0].rows;
    release->alone_together = bt_raw_alone_together(release->files[0].raw);
    for (size_t i = 0; i < release->column_count; i++)
        BT_TRY(bt_release_open_column(release, &release->columns[i], run, error));
    for (size_t i = 0; i < release->file_count; i++)
        BT_TRY(bt_release_find_shape(release, i, bags[i], error));
    BT_TRY(bt_release_read_cells(release, run, error));
    return release->bags.name ? bt_release_number_bags(release, bags, error) : BAUTA_OK;
}

/* What rows of a class have in common: their cells, and where there are bags beside classes their
 * bag. */
static bauta_status class_codes(const bt_release *release, bt_codes **out, size_t *count,
                                bauta_error *error)
{
    *count = 0;
    *out = bt_array(release->column_count + 1, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role == BT_ROLE_QUASI && column->values)
            (*out)[(*count)++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    if (release->bags.name)
        (*out)[(*count)++] = (bt_codes){release->files[0].bag_of, 4, release->bags.count};
    return BAUTA_OK;
}

static bauta_status group_rows(bt_release *release, const bt_run *run, bauta_error *error)
{
    BT_OWN(bt_free) bt_codes *quasi = NULL;
    size_t count;
    BT_TRY(class_codes(release, &quasi, &count, error));
    BT_TRY(bt_tuples_group(quasi, count, release->rows, run, &release->classes, error));
    return release->bags.name ? bt_release_bag_classes(release, error) : BAUTA_OK;
}

static bauta_status open_all(bt_release *out, const bt_run *run, bauta_error *error)
{
    BT_TRY(bt_release_read_manifest(out, error));
    BT_TRY(bt_release_check_files(out, error));
    BT_TRY(expect_columns(out, error));
    BT_TRY(open_files(out, run, error));
    if (out->form->read) BT_TRY(out->form->read(out, run, error));
    return out->form->pair ? bt_release_check_sql(out, error) : group_rows(out, run, error);
}

bauta_status bt_release_open(const char *name, const bt_run *run, bt_release *out,
                             bauta_error *error)
{
    *out = (bt_release){.store = &out->own_store};
    BT_TRY(bt_store_open(name, run, &out->own_store, error));
    return open_all(out, run, error);
}

bauta_status bt_release_open_store(const bt_store *store, const bt_run *run, bt_release *out,
                                   bauta_error *error)
{
    *out = (bt_release){.store = store};
    return open_all(out, run, error);
}

void bt_release_close(bt_release *release)
{
    for (size_t i = 0; i < release->column_count; i++)
        free(release->columns[i].codes);
    bt_tuples_release(&release->classes);
    for (size_t i = 0; i < BT_RELEASE_FILES; i++) {
        free(release->files[i].bag_of);
        bt_raw_free(release->files[i].raw);
        bt_raw_free(release->files[i].others);
        bt_input_close(release->files[i].input);
    }
    bt_arena_release(&release->arena);
    bt_store_close(&release->own_store);
    *release = (bt_release){0};
}

/* ---- asking ------------------------------------------------------------------------------ */

bauta_status bt_release_number(const bt_release *release, size_t number, const bt_run *run,
                               uint32_t **class_of, bauta_error *error)
{
    const bt_release_file *file = &release->files[number];
    BT_OWN(bt_tuples_release) bt_tuples classes = {0};
    BT_OWN(bt_free) bt_codes *quasi = NULL;
    BT_OWN(bt_free) uint32_t *made = bt_array((size_t)file->rows, sizeof *made);
    size_t count;
    *class_of = NULL;
    if (!made) return bt_fail_memory(error);
    if (release->form->pair) {
        memcpy(made, file->bag_of, (size_t)file->rows * sizeof *made);
    } else {
        BT_TRY(class_codes(release, &quasi, &count, error));
        BT_TRY(bt_tuples_number(quasi, count, release->rows, run, &classes, made, NULL, error));
        BT_ASSERT(classes.count == release->classes.count);
    }
    *class_of = made;
    made = NULL;
    return BAUTA_OK;
}

bauta_status bt_release_bags(const bt_release *release, const bt_run *run, uint32_t **bag_of,
                             uint32_t *count, bauta_error *error)
{
    const bt_release_file *file = &release->files[release->sensitive_file];
    *count = release->bags.name ? release->bags.count : release->classes.count;
    if (!release->bags.name)
        return bt_release_number(release, release->sensitive_file, run, bag_of, error);
    *bag_of = bt_array((size_t)file->rows, sizeof **bag_of);
    if (!*bag_of) return bt_fail_memory(error);
    memcpy(*bag_of, file->bag_of, (size_t)file->rows * sizeof **bag_of);
    return BAUTA_OK;
}

bauta_status bt_release_arrange(const bt_release *release, size_t file, const bt_run *run,
                                bt_class_rows *out, bauta_error *error)
{
    BT_OWN(bt_free) uint32_t *class_of = NULL;
    uint32_t classes = release->classes.count;
    int64_t rows = release->files[file].rows;
    *out = (bt_class_rows){.order = bt_array((size_t)rows, sizeof *out->order),
                           .starts = bt_array_zero((size_t)classes + 2, sizeof *out->starts)};
    if (!out->order || !out->starts) return bt_fail_memory(error);
    BT_TRY(bt_release_number(release, file, run, &class_of, error));
    /* starts[c + 1] walks through class c while it is filled, and ends where c + 1 starts. */
    for (int64_t row = 0; row < rows; row++)
        out->starts[(size_t)class_of[row] + 2]++;
    for (size_t c = 2; c <= (size_t)classes + 1; c++)
        out->starts[c] += out->starts[c - 1];
    for (int64_t row = 0; row < rows; row++)
        out->order[out->starts[(size_t)class_of[row] + 1]++] = (uint32_t)row;
    BT_ASSERT(out->starts[0] == 0 && out->starts[classes] == (size_t)rows);
    return BAUTA_OK;
}

void bt_class_rows_release(bt_class_rows *rows)
{
    free(rows->order);
    free(rows->starts);
    *rows = (bt_class_rows){0};
}
