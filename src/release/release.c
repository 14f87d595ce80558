/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a release: the folder, the manifest, data.csv, its cells and its classes.
 */
#include "release/release.h"

#include "io/source.h"
#include "recipe/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELL_TASK = 4096, MOST_FILES = 8 };
static const int64_t manifest_limit = (int64_t)1 << 30;

/* ---- folder ------------------------------------------------------------------------------ */

/* The files of each form, beside manifest.json. */
static const struct form_files {
    const char *form;
    const char *files[MOST_FILES];
} form_files[] = {
    {"generalized", {"data.csv"}},
};

static bauta_status not_a_release(bauta_error *error, const char *folder, const char *why,
                                  const char *what)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the folder is not a release: %s '%s'", why, what);
    bt_error_place(error, folder, -1, NULL);
    return status;
}

static const struct form_files *files_of(const char *form)
{
    size_t length = strcspn(form, ":");
    for (size_t i = 0; i < sizeof form_files / sizeof *form_files; i++)
        if (strlen(form_files[i].form) == length && strncmp(form_files[i].form, form, length) == 0)
            return &form_files[i];
    return NULL;
}

static bool belongs(const struct form_files *form, const char *name)
{
    if (strcmp(name, "manifest.json") == 0) return true;
    for (size_t i = 0; i < MOST_FILES && form->files[i]; i++)
        if (strcmp(form->files[i], name) == 0) return true;
    return false;
}

static bauta_status check_entries(const char *folder, DIR *entries, const struct form_files *form,
                                  bauta_error *error)
{
    size_t found = 0, wanted = 1;
    while (wanted <= MOST_FILES && form->files[wanted - 1])
        wanted++;
    for (;;) {
        struct stat about;
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (!entry) break;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (!belongs(form, name)) return not_a_release(error, folder, "it also holds", name);
        if (fstatat(dirfd(entries), name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            return bt_fail_errno(error, "cannot look at", name);
        if (!S_ISREG(about.st_mode))
            return not_a_release(error, folder, "this is not a plain file:", name);
        found++;
    }
    if (errno != 0) return bt_fail_errno(error, "cannot list", folder);
    if (found == wanted) return BAUTA_OK;
    return not_a_release(error, folder, "files are missing for the form", form->form);
}

/* Exactly the files that the form has, all of them plain files. */
static bauta_status check_folder(const char *folder, const char *form_text, bauta_error *error)
{
    const struct form_files *form = files_of(form_text);
    if (!form)
        return not_a_release(error, folder, "this version does not know the form", form_text);
    DIR *entries = opendir(folder);
    if (!entries) return bt_fail_errno(error, "cannot open", folder);
    bauta_status status = check_entries(folder, entries, form, error);
    closedir(entries);
    return status;
}

/* ---- manifest ---------------------------------------------------------------------------- */

static bauta_status read_all(int descriptor, const char *file, bt_buffer *out, bauta_error *error)
{
    for (;;) {
        BT_TRY(bt_buffer_reserve(out, 1 << 16, error));
        ssize_t got = read(descriptor, out->bytes + out->length, 1 << 16);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", file);
        if (got == 0) return BAUTA_OK;
        out->length += (size_t)got;
        if ((int64_t)out->length > manifest_limit)
            return bt_fail(error, BAUTA_INVALID, "'%s' is longer than 1 GiB", file);
    }
}

static bauta_status read_manifest(bt_release *release, const char *folder, bauta_error *error)
{
    bt_buffer text = {0};
    const char *file = bt_arena_print(&release->arena, "%s/manifest.json", folder);
    if (!file) return bt_fail_memory(error);
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        bauta_status missing = bt_fail_errno(error, "cannot open", file);
        if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
            return not_a_release(error, folder, "cannot open", "manifest.json");
        return missing;
    }
    bauta_status status = read_all(descriptor, file, &text, error);
    close(descriptor);
    if (status == BAUTA_OK)
        status =
            bt_manifest_read(text.bytes, text.length, &release->arena, &release->manifest, error);
    if (status == BAUTA_INVALID && error && error->file[0] == '\0')
        bt_error_place(error, file, error->row, error->column);
    bt_buffer_release(&text);
    return status;
}

/* ---- data -------------------------------------------------------------------------------- */

static bool is_coded(const bt_manifest_column *column)
{
    return column->role == BT_ROLE_QUASI || column->role == BT_ROLE_SENSITIVE;
}

static bauta_status check_header(const bt_release *release, const char *file, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const char *const *names = bt_input_names(release->input);
    bool same = bt_input_columns(release->input) == manifest->column_count;
    size_t i = 0;
    while (same && i < manifest->column_count && strcmp(names[i], manifest->columns[i].name) == 0)
        i++;
    if (same && i == manifest->column_count) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the header is not the manifest's list of columns");
    bt_error_place(error, file, 0, same ? manifest->columns[i].name : NULL);
    return status;
}

static bauta_status read_rows(bt_release *release, const bt_run *run, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    bt_use *uses = bt_arena_array(&release->arena, manifest->column_count, sizeof *uses);
    if (!uses) return bt_fail_memory(error);
    for (size_t i = 0; i < manifest->column_count; i++)
        uses[i] = is_coded(&manifest->columns[i]) ? BT_USE_CODE : BT_USE_CHECK;
    BT_TRY(bt_input_read(release->input, uses, run, &release->raw, error));
    release->rows = bt_raw_rows(release->raw);
    release->unique_together = bt_raw_unique_together(release->raw);
    if (release->rows <= UINT32_MAX) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "the release has more than 2^32 rows");
}

/* Values keep the numbers they have. */
static bauta_status encode(bt_release *release, size_t place, const bt_run *run, bauta_error *error)
{
    bt_release_column *column = &release->columns[place];
    uint32_t count = column->values->count;
    uint32_t *same = bt_array(count, sizeof *same);
    if (!same) return bt_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        same[i] = i;
    bt_column coded = {.domain = {.size = count}};
    bauta_status status = bt_raw_encode(release->raw, place, same, run, &coded, error);
    column->codes = coded.codes;
    column->width = coded.width;
    free(same);
    return status;
}

/* ---- sensitive columns ------------------------------------------------------------------- */

/* The numbers under which `names` has the values of a column. */
static bauta_status look_up(bt_release *release, const bt_release_column *column,
                            const bt_names *names, uint32_t **out, bauta_error *error)
{
    const bt_values *values = column->values;
    bt_buffer text = {0};
    bauta_status status = BAUTA_OK;
    *out = bt_arena_array(&release->arena, values->count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (uint32_t i = 0; i < values->count && status == BAUTA_OK; i++) {
        text.length = 0;
        status = bt_buffer_add(&text, values->text[i], values->length[i], error);
        if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error);
        if (status == BAUTA_OK && !bt_names_find(names, 0, text.bytes, &(*out)[i]))
            (*out)[i] = BT_NOT_KNOWN;
    }
    bt_buffer_release(&text);
    return status;
}

/* The column whose categories a column has or shows, or NULL. */
static const bt_manifest_column *find_categories(const bt_manifest *manifest,
                                                 const bt_manifest_column *column)
{
    if (!bt_is_companion(column)) return column->categories ? column : NULL;
    size_t i = 0;
    while (strcmp(manifest->columns[i].name, column->category_of) != 0)
        i++;
    return &manifest->columns[i];
}

static bauta_status find_category_of(bt_release *release, bt_release_column *column,
                                     bauta_error *error)
{
    const bt_manifest_column *from = find_categories(&release->manifest, column->manifest);
    bt_names names = {0};
    bauta_status status = BAUTA_OK;
    bool added;
    if (!from) return BAUTA_OK;
    column->categories = from->categories;
    column->category_count = from->category_count;
    for (uint32_t c = 0; c < from->category_count && status == BAUTA_OK; c++) {
        const bt_category *category = &from->categories[c];
        if (column->manifest->category_of)
            status = bt_names_add(&names, 0, category->name, c, &added, error);
        else
            for (size_t i = 0; i < category->count && status == BAUTA_OK; i++)
                status = bt_names_add(&names, 0, category->values[i], c, &added, error);
    }
    if (status == BAUTA_OK) status = look_up(release, column, &names, &column->category, error);
    bt_names_release(&names);
    return status;
}

static bauta_status find_leaf_of(bt_release *release, bt_release_column *column, bauta_error *error)
{
    const bt_hierarchy *tree = column->manifest->hierarchy;
    bt_names names = {0};
    bauta_status status = BAUTA_OK;
    bool added;
    if (!tree) return BAUTA_OK;
    for (uint32_t code = 0; code < tree->leaves && status == BAUTA_OK; code++)
        status =
            bt_names_add(&names, 0, tree->nodes[tree->leaf_node[code]].name, code, &added, error);
    if (status == BAUTA_OK) status = look_up(release, column, &names, &column->leaf, error);
    bt_names_release(&names);
    return status;
}

static bauta_status open_column(bt_release *release, size_t place, const bt_run *run,
                                bauta_error *error)
{
    bt_release_column *column = &release->columns[place];
    const bt_manifest_column *manifest = column->manifest;
    if (!is_coded(manifest)) {
        column->check = bt_raw_check(release->raw, place);
        return BAUTA_OK;
    }
    column->values = bt_raw_values(release->raw, place);
    column->well_formed =
        bt_arena_array(&release->arena, column->values->count, sizeof *column->well_formed);
    if (!column->well_formed) return bt_fail_memory(error);
    BT_TRY(encode(release, place, run, error));
    if (manifest->role == BT_ROLE_SENSITIVE) {
        BT_TRY(find_category_of(release, column, error));
        return find_leaf_of(release, column, error);
    }
    column->format = (bt_cell_format){manifest->type, manifest->scale, manifest->hierarchy};
    if (manifest->derived) {
        bt_hierarchy *shown;
        BT_TRY(bt_hierarchy_from_nodes(manifest->nodes, manifest->node_count,
                                       manifest->derived_leaves, manifest->derived_levels,
                                       manifest->derived, manifest->name, &release->arena, &shown,
                                       error));
        column->format.hierarchy = shown;
    }
    column->cells = bt_arena_array(&release->arena, column->values->count, sizeof *column->cells);
    return column->cells ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- cells ------------------------------------------------------------------------------- */

bt_reading bt_release_reading(const bt_manifest_column *column)
{
    return (bt_reading){.type = column->type, .date_form = BT_FORM_YMD};
}

/* Whether a sensitive text is the canonical one of its type. */
static bool is_canonical(const bt_manifest_column *column, const char *text, size_t length)
{
    bt_reading reading = bt_release_reading(column);
    char printed[BT_NUMBER_TEXT];
    int64_t number;
    if (column->type == BT_TEXT || column->category_of || length == 0) return true;
    if (!bt_value_number(&reading, text, length, column->scale, &number)) return false;
    return bt_number_print(column->type, column->scale, number, printed) == length &&
           memcmp(printed, text, length) == 0;
}

static bool is_known(const bt_release_column *column, uint32_t code)
{
    return (!column->category || column->category[code] != BT_NOT_KNOWN) &&
           (!column->leaf || column->leaf[code] != BT_NOT_KNOWN);
}

typedef struct cell_task {
    bt_release_column *column;
    uint32_t from, to;
} cell_task;

static bauta_status read_cells(void *user, size_t number, unsigned worker, bauta_error *error)
{
    (void)worker;
    const cell_task *task = (const cell_task *)user + number;
    bt_release_column *column = task->column;
    bool quasi = column->manifest->role == BT_ROLE_QUASI, memory = false;
    bt_arena members = {0};
    for (uint32_t i = task->from; i < task->to && !memory; i++) {
        const char *text = column->values->text[i];
        uint32_t length = column->values->length[i];
        if (quasi) {
            column->well_formed[i] =
                bt_cell_read(&column->format, text, length, &members, &column->cells[i], &memory);
            column->cells[i].text = NULL;
        } else {
            column->well_formed[i] =
                is_canonical(column->manifest, text, length) && is_known(column, i);
        }
    }
    bt_arena_release(&members);
    return memory ? bt_fail_memory(error) : BAUTA_OK;
}

static bauta_status read_all_cells(bt_release *release, const bt_run *run, bauta_error *error)
{
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < release->column_count; i++)
        if (release->columns[i].values)
            capacity += release->columns[i].values->count / CELL_TASK + 1;
    cell_task *tasks = bt_array(capacity, sizeof *tasks);
    if (!tasks) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        bt_release_column *column = &release->columns[i];
        uint32_t all = column->values ? column->values->count : 0;
        for (uint32_t from = 0; from < all; from += CELL_TASK)
            tasks[count++] =
                (cell_task){column, from, all - from < CELL_TASK ? all : from + CELL_TASK};
    }
    bauta_status status = bt_pool_run(run->pool, count, read_cells, tasks, error);
    free(tasks);
    return status;
}

bauta_status bt_release_cell(const bt_release_column *column, uint32_t code, bt_arena *arena,
                             bt_cell *out, bauta_error *error)
{
    bool memory = false;
    *out = column->cells[code];
    if (!column->well_formed[code]) return BAUTA_OK;
    if (!bt_cell_read(&column->format, column->values->text[code], column->values->length[code],
                      arena, out, &memory) &&
        memory)
        return bt_fail_memory(error);
    return BAUTA_OK;
}

/* ---- shape ------------------------------------------------------------------------------- */

static bauta_status ends_with_line(const char *file, int64_t bytes, bool *out, bauta_error *error)
{
    char last = 0;
    size_t got = 0;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open", file);
    bauta_status status = BAUTA_OK;
    if (bytes > 0) status = bt_read_at(descriptor, file, bytes - 1, &last, 1, &got, error);
    close(descriptor);
    *out = got == 1 && last == '\n';
    return status;
}

/* Every text has one canonical way to be written, and it is the shortest; so the file is
 * canonical exactly when it is as long as its values take and its last line is ended. */
static bauta_status find_shape(bt_release *release, const char *file, bauta_error *error)
{
    int64_t total = 0;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        const char *name = column->manifest->name;
        total += (int64_t)bt_csv_size(name, strlen(name)) + 1 + release->rows;
        for (uint32_t v = 0; column->values && v < column->values->count; v++)
            total += column->values->rows[v] *
                     (int64_t)bt_csv_size(column->values->text[v], column->values->length[v]);
        if (column->check) total += column->check->bytes;
    }
    release->shape.bytes = bt_input_bytes(release->input);
    release->shape.canonical = total;
    return ends_with_line(file, release->shape.bytes, &release->shape.ends_well, error);
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status open_data(bt_release *release, const char *folder, const bt_run *run,
                              bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const char **file = bt_arena_array(&release->arena, 1, sizeof *file);
    release->columns =
        bt_arena_array(&release->arena, manifest->column_count, sizeof *release->columns);
    if (!file || !release->columns) return bt_fail_memory(error);
    *file = bt_arena_print(&release->arena, "%s/data.csv", folder);
    if (!*file) return bt_fail_memory(error);
    bt_input_options options = {.files = file, .count = 1, .delimiter = ',', .encoding = BT_UTF8};
    BT_TRY(bt_input_open(&options, run, &release->input, error));
    BT_TRY(check_header(release, *file, error));
    BT_TRY(read_rows(release, run, error));
    release->column_count = manifest->column_count;
    for (size_t i = 0; i < release->column_count; i++)
        release->columns[i].manifest = &manifest->columns[i];
    for (size_t i = 0; i < release->column_count; i++)
        BT_TRY(open_column(release, i, run, error));
    BT_TRY(find_shape(release, *file, error));
    return read_all_cells(release, run, error);
}

bauta_status bt_release_codes(const bt_release *release, bt_role role, bt_codes **out,
                              size_t *count, bauta_error *error)
{
    *count = 0;
    *out = bt_array(release->column_count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role == role && column->values)
            (*out)[(*count)++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    return BAUTA_OK;
}

bauta_status bt_release_open(const char *folder, const bt_run *run, bt_release *out,
                             bauta_error *error)
{
    bt_codes *quasi = NULL;
    size_t count;
    *out = (bt_release){0};
    BT_TRY(read_manifest(out, folder, error));
    BT_TRY(check_folder(folder, out->manifest.form, error));
    BT_TRY(open_data(out, folder, run, error));
    BT_TRY(bt_release_codes(out, BT_ROLE_QUASI, &quasi, &count, error));
    bauta_status status = bt_tuples_group(quasi, count, out->rows, run, &out->classes, error);
    free(quasi);
    return status;
}

bauta_status bt_release_number(const bt_release *release, const bt_run *run, uint32_t **class_of,
                               bauta_error *error)
{
    bt_codes *quasi = NULL;
    bt_tuple_index *index = NULL;
    size_t count;
    *class_of = NULL;
    bauta_status status = bt_release_codes(release, BT_ROLE_QUASI, &quasi, &count, error);
    if (status != BAUTA_OK) goto out;
    status = bt_tuple_index_new(quasi, count, &release->classes, run, &index, error);
    if (status != BAUTA_OK) goto out;
    *class_of = bt_array((size_t)release->rows, sizeof **class_of);
    if (*class_of)
        status = bt_tuple_index_number(index, quasi, release->rows, run, *class_of, error);
    else
        status = bt_fail_memory(error);
    if (status != BAUTA_OK) {
        free(*class_of);
        *class_of = NULL;
    }
out:
    bt_tuple_index_free(index);
    free(quasi);
    return status;
}

void bt_release_close(bt_release *release)
{
    for (size_t i = 0; i < release->column_count; i++)
        free(release->columns[i].codes);
    bt_tuples_release(&release->classes);
    bt_raw_free(release->raw);
    bt_input_close(release->input);
    bt_arena_release(&release->arena);
    *release = (bt_release){0};
}
