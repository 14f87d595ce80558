/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a release: what their texts mean.
 */
#include "base/bitset.h"
#include "reading/parts.h"
#include "recipe/names.h"

#include <string.h>

enum { CELL_TASK = 4096 };

/* ---- sensitive columns ------------------------------------------------------------------- */

/* The numbers under which `names` has the values of a column. */
static bauta_status look_up(bt_release *release, const bt_release_column *column,
                            const bt_names *names, uint32_t **out, bauta_error *error)
{
    const bt_values *values = column->values;
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    *out = bt_arena_array(&release->arena, values->count, sizeof **out);
    BT_TRY(bt_arena_check(&release->arena, error));
    for (uint32_t i = 0; i < values->count; i++) {
        text.length = 0;
        BT_TRY(bt_buffer_add(&text, values->text[i], values->length[i], error));
        BT_TRY(bt_buffer_add(&text, "", 1, error));
        if (!bt_names_find(names, 0, text.bytes, &(*out)[i])) (*out)[i] = BT_NOT_KNOWN;
    }
    return BAUTA_OK;
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
    BT_OWN(bt_names_release) bt_names names = {0};
    bool added;
    if (!from) return BAUTA_OK;
    column->categories = from->categories;
    column->category_count = from->category_count;
    for (uint32_t c = 0; c < from->category_count; c++) {
        const bt_category *category = &from->categories[c];
        if (column->manifest->category_of)
            BT_TRY(bt_names_add(&names, 0, category->name, c, &added, error));
        else
            for (size_t i = 0; i < category->count; i++)
                BT_TRY(bt_names_add(&names, 0, category->values[i], c, &added, error));
    }
    return look_up(release, column, &names, &column->category, error);
}

static bauta_status find_leaf_of(bt_release *release, bt_release_column *column, bauta_error *error)
{
    const bt_hierarchy *tree = column->manifest->hierarchy;
    BT_OWN(bt_names_release) bt_names names = {0};
    bool added;
    if (!tree) return BAUTA_OK;
    for (uint32_t code = 0; code < tree->leaves; code++)
        BT_TRY(
            bt_names_add(&names, 0, tree->nodes[tree->leaf_node[code]].name, code, &added, error));
    return look_up(release, column, &names, &column->leaf, error);
}

/* ---- decimals ---------------------------------------------------------------------------- */

enum { MOST_PLACES = 18 };

/* The most digits behind a point in a value, or in the values that a cell consists of. */
static int places_in(const char *text, uint32_t length)
{
    int most = 0, here = -1;
    for (uint32_t i = 0; i < length; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        here = text[i] == '.' ? 0 : digit && here >= 0 ? here + 1 : -1;
        if (here > most) most = here;
    }
    return most;
}

bauta_status bt_release_find_scale(bt_release *release, const bt_release_column *column,
                                   bauta_error *error)
{
    bt_manifest_column *manifest = &release->manifest.columns[column - release->columns];
    bool shown = !manifest->category_of && !manifest->partial && !manifest->hierarchy;
    int scale = manifest->scale;
    if (release->manifest.format == 0 || manifest->type != BT_DECIMAL || !shown) return BAUTA_OK;
    for (uint32_t i = 0; i < column->values->count; i++) {
        int own = places_in(column->values->text[i], column->values->length[i]);
        if (own > scale && own <= MOST_PLACES) scale = own;
    }
    if (manifest->cuts && scale > manifest->scale) {
        bt_cuts *cuts = bt_arena_array(&release->arena, 1, sizeof *cuts);
        int64_t *numbers = bt_arena_array(&release->arena, manifest->cuts->count, sizeof *numbers);
        if (!cuts || !numbers) return bt_fail_memory(error);
        *cuts = (bt_cuts){.count = manifest->cuts->count, .number = numbers};
        for (size_t i = 0; i < cuts->count; i++) {
            numbers[i] = manifest->cuts->number[i];
            for (int place = manifest->scale; place < scale; place++)
                if (__builtin_mul_overflow(numbers[i], (int64_t)10, &numbers[i]))
                    return bt_fail(error, BAUTA_INVALID,
                                   "the cut points of column '%s' do not fit its cells",
                                   manifest->name);
        }
        manifest->cuts = cuts;
    }
    manifest->scale = scale;
    return BAUTA_OK;
}

bauta_status bt_release_encode(bt_raw *raw, size_t place, const bt_run *run, bt_column *out,
                               bauta_error *error)
{
    uint32_t count = bt_raw_values(raw, place)->count;
    BT_OWN(bt_free) uint32_t *same = bt_array(count, sizeof *same);
    *out = (bt_column){.domain = {.size = count}};
    if (!same) return bt_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        same[i] = i;
    return bt_raw_encode(raw, place, same, run, out, error);
}

bauta_status bt_release_open_column(bt_release *release, bt_release_column *column,
                                    const bt_run *run, bauta_error *error)
{
    const bt_manifest_column *manifest = column->manifest;
    bt_raw *raw = release->files[column->file].raw;
    bt_column coded;
    if (column == release->distribution.sensitive) return BAUTA_OK;
    if (!bt_is_coded(manifest)) {
        column->check = bt_raw_check(raw, column->place);
        column->alone = bt_raw_alone_in(raw, column->place);
        return BAUTA_OK;
    }
    column->values = bt_raw_values(raw, column->place);
    column->well_formed =
        bt_arena_array(&release->arena, column->values->count, sizeof *column->well_formed);
    if (!column->well_formed) return bt_fail_memory(error);
    bauta_status status = bt_release_encode(raw, column->place, run, &coded, error);
    column->codes = coded.codes;
    column->width = coded.width;
    BT_TRY(status);
    BT_TRY(bt_release_find_scale(release, column, error));
    column->fine = release->manifest.format > 0;
    if (manifest->role == BT_ROLE_SENSITIVE) {
        BT_TRY(find_category_of(release, column, error));
        return find_leaf_of(release, column, error);
    }
    column->values_shown = release->form->values_shown;
    column->format = (bt_cell_format){manifest->type, manifest->scale, manifest->hierarchy};
    if (manifest->partial) {
        bt_hierarchy *shown;
        BT_TRY(bt_hierarchy_from_nodes(manifest->nodes, manifest->node_count,
                                       manifest->partial_leaves, manifest->partial_levels,
                                       manifest->partial, manifest->name, &release->arena, &shown,
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

bool bt_release_is_canonical(const bt_manifest_column *column, const char *text, size_t length,
                             int64_t *number)
{
    bt_reading reading = bt_release_reading(column);
    char printed[BT_NUMBER_TEXT];
    if (column->type == BT_TEXT || column->category_of || length == 0) return true;
    if (!bt_value_number(&reading, text, length, column->scale, number)) return false;
    return bt_number_print(column->type, column->scale, *number, printed) == length &&
           memcmp(printed, text, length) == 0;
}

/* A quasi value as it is. */
static bool read_value(const bt_manifest_column *column, const char *text, size_t length,
                       bt_cell *out)
{
    int64_t number = 0;
    bool canonical = bt_release_is_canonical(column, text, length, &number);
    *out = (bt_cell){.kind = length == 0 ? BT_CELL_MISSING : BT_CELL_VALUE,
                     .lo = number,
                     .hi = number,
                     .count = column->type == BT_TEXT && length > 0};
    return canonical;
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
    BT_OWN(bt_arena_release) bt_arena members = {0};
    for (uint32_t i = task->from; i < task->to && !memory; i++) {
        const char *text = column->values->text[i];
        uint32_t length = column->values->length[i];
        int64_t value;
        if (quasi && column->values_shown) {
            column->well_formed[i] = read_value(column->manifest, text, length, &column->cells[i]);
        } else if (quasi) {
            column->well_formed[i] =
                bt_cell_read(&column->format, text, length, &members, &column->cells[i], &memory);
            column->cells[i].text = NULL;
        } else {
            column->well_formed[i] =
                bt_release_is_canonical(column->manifest, text, length, &value) &&
                is_known(column, i);
        }
    }
    return memory ? bt_fail_memory(error) : BAUTA_OK;
}

bauta_status bt_release_read_cells(bt_release *release, const bt_run *run, bauta_error *error)
{
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < release->column_count; i++)
        if (release->columns[i].values)
            capacity += release->columns[i].values->count / CELL_TASK + 1;
    BT_OWN(bt_free) cell_task *tasks = bt_array(capacity, sizeof *tasks);
    if (!tasks) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        bt_release_column *column = &release->columns[i];
        uint32_t all = column->values ? column->values->count : 0;
        for (uint32_t from = 0; from < all; from += CELL_TASK)
            tasks[count++] =
                (cell_task){column, from, all - from < CELL_TASK ? all : from + CELL_TASK};
    }
    return bt_pool_run(run->pool, count, read_cells, tasks, error);
}

bauta_status bt_release_cell(const bt_release_column *column, uint32_t code, bt_arena *arena,
                             bt_cell *out, bauta_error *error)
{
    const char *text = column->values->text[code];
    uint32_t length = column->values->length[code];
    bool memory = false;
    *out = column->cells[code];
    if (!column->well_formed[code]) return BAUTA_OK;
    if (column->values_shown && out->count > 0) {
        out->text = bt_arena_array(arena, 1, sizeof *out->text);
        if (out->text) out->text[0] = bt_arena_copy(arena, text, length);
        return out->text && out->text[0] ? BAUTA_OK : bt_fail_memory(error);
    }
    if (column->values_shown) return BAUTA_OK;
    if (!bt_cell_read(&column->format, text, length, arena, out, &memory) && memory)
        return bt_fail_memory(error);
    return BAUTA_OK;
}

/* ---- hierarchies from elsewhere ---------------------------------------------------------- */

bool bt_release_lacks_tree(const bt_release_column *column)
{
    return column->manifest->role == BT_ROLE_QUASI && column->manifest->partial &&
           !column->values_shown;
}

bool bt_release_lacks_categories(const bt_release_column *column)
{
    size_t listed = 0;
    for (uint32_t i = 0; i < column->category_count; i++)
        listed += column->categories[i].count;
    return bt_shows_categories(column->manifest) && listed == 0;
}

bauta_status bt_release_complete(bt_release *release, size_t number, const bt_hierarchy *tree,
                                 bauta_error *error)
{
    bt_release_column *column = &release->columns[number];
    bt_manifest_column *manifest = &release->manifest.columns[number];
    const bt_cell_format format = {manifest->type, manifest->scale, tree};
    bt_cell *cells = bt_arena_array(&release->arena, column->values->count, sizeof *cells);
    BT_OWN(bt_arena_release) bt_arena members = {0};
    bool memory = !cells, fits = true;
    for (uint32_t i = 0; !memory && i < column->values->count; i++) {
        bool read = bt_cell_read(&format, column->values->text[i], column->values->length[i],
                                 &members, &cells[i], &memory);
        fits = fits && (read || !column->well_formed[i]);
    }
    if (memory) return bt_fail_memory(error);
    if (!fits) {
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "the hierarchy lacks nodes that stand in cells: it is not "
                                      "the one that the release was made with");
        bt_error_place(error, NULL, -1, manifest->name);
        return status;
    }
    column->cells = cells;
    column->format = format;
    manifest->hierarchy = tree;
    manifest->partial = NULL;
    return BAUTA_OK;
}

bauta_status bt_release_complete_categories(bt_release *release, size_t number,
                                            const bt_column *original, bauta_error *error)
{
    bt_release_column *column = &release->columns[number];
    const bt_manifest_column *manifest = column->manifest;
    const bt_domain *domain = &original->domain;
    bt_category *found, *items;
    size_t words = bt_bitset_words(domain->size);
    uint64_t *all = bt_arena_array(&release->arena, words, sizeof *all);
    items = bt_arena_array(&release->arena, manifest->category_count, sizeof *items);
    if (!all || !items) return bt_fail_memory(error);
    memset(all, 0xff, words * sizeof *all);
    BT_TRY(bt_categories_list(original->categories, domain, all, &release->arena, &found, error));
    for (uint32_t i = 0; i < manifest->category_count; i++) {
        items[i] = manifest->categories[i];
        for (uint32_t c = 0; c < original->categories->count; c++)
            if (strcmp(found[c].name, items[i].name) == 0) items[i] = found[c];
    }
    column->categories = items;
    return BAUTA_OK;
}
