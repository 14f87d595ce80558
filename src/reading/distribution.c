/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a release of the form `distribution`: the parts of the domain in sensitive.csv, and which
 * target each group has. Whether a part is one of its group's target is for the audit to say.
 *
 * Cost: linear in rows.
 */
#include "reading/parts.h"
#include "spec/words.h"

#include <string.h>

/* ---- the manifest ------------------------------------------------------------------------ */

static const char *find_fault(const bt_release *release, size_t *sensitive)
{
    const bt_manifest *manifest = &release->manifest;
    size_t count = 0;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        if (column->role == BT_ROLE_QUASI && (column->hierarchy || column->partial))
            return "a quasi column has a hierarchy, but the form shows its values";
        if (column->role != BT_ROLE_SENSITIVE) continue;
        *sensitive = i;
        count++;
    }
    if (count != 1) return "a distribution has exactly one sensitive column";
    if (!manifest->columns[*sensitive].hierarchy || manifest->columns[*sensitive].category_of)
        return "the sensitive column has no hierarchy to distribute its values over";
    if (!bt_words_has_remark(manifest)) return "the manifest lacks the remark of distribution";
    if (manifest->target_count == 0) return "the manifest has no target";
    if (manifest->persons) return "a distribution does not count persons";
    for (size_t i = 0; i < manifest->target_count; i++)
        if (!manifest->targets[i].groups && manifest->target_count > 1)
            return "a target does not say which groups it is for";
    if (manifest->reference && manifest->reference->groups)
        return "the reference names groups, but it is for all";
    return NULL;
}

bauta_status bt_release_expect_distribution(bt_release *release, const char *folder,
                                            bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    size_t sensitive = 0;
    const char *fault = find_fault(release, &sensitive);
    if (fault) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", fault);
        bt_error_place(error, folder, -1, NULL);
        return status;
    }
    const char **names = bt_arena_array(&release->arena, manifest->column_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < manifest->column_count; i++)
        names[i] = manifest->columns[i].name;
    release->columns[sensitive].file = BT_SENSITIVE_FILE;
    release->distribution.sensitive = &release->columns[sensitive];
    release->pair.class_name = bt_group_name(names, manifest->column_count, &release->arena);
    if (!release->pair.class_name) return bt_fail_memory(error);
    if (manifest->columns[sensitive].type == BT_TEXT) return BAUTA_OK;
    release->distribution.bounds = bt_arena_print(&release->arena, "%s/bounds.csv", folder);
    return release->distribution.bounds ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- parts ------------------------------------------------------------------------------- */

/* The codes of a column's texts, which keep the numbers they have. */
static bauta_status take_codes(bt_release_file *file, size_t place, const bt_run *run,
                               bt_codes *out, bauta_error *error)
{
    const bt_values *values = bt_raw_values(file->raw, place);
    uint32_t *same = bt_array(values->count, sizeof *same);
    bt_column coded = {.domain = {.size = values->count}};
    bauta_status status = same ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; status == BAUTA_OK && i < values->count; i++)
        same[i] = i;
    if (status == BAUTA_OK) status = bt_raw_encode(file->raw, place, same, run, &coded, error);
    free(same);
    *out = (bt_codes){coded.codes, coded.width, values->count};
    return status;
}

/* Whether a text is the canonical one of a number. */
static bool read_end(const bt_manifest_column *column, const bt_values *values, uint32_t code,
                     int64_t *out)
{
    bt_reading reading = bt_release_reading(column);
    char printed[BT_NUMBER_TEXT];
    const char *text = values->text[code];
    size_t length = values->length[code];
    if (length == 0 || !bt_value_number(&reading, text, length, column->scale, out)) return false;
    return bt_number_print(column->type, column->scale, *out, printed) == length &&
           memcmp(printed, text, length) == 0;
}

static void read_part(const bt_release *release, const bt_codes *codes, int64_t row,
                      bt_shown_part *out)
{
    const bt_release_column *sensitive = release->distribution.sensitive;
    const bt_manifest_column *column = sensitive->manifest;
    const bt_raw *raw = release->files[BT_SENSITIVE_FILE].raw;
    const bt_values *first = bt_raw_values(raw, sensitive->place);
    uint32_t code = bt_code_at(codes[0].codes, codes[0].width, row);
    *out = (bt_shown_part){.node = BT_NOT_KNOWN};
    if (column->type == BT_TEXT) {
        out->node = bt_hierarchy_find(column->hierarchy, first->text[code], first->length[code]);
        out->well_formed = out->node != UINT32_MAX;
        return;
    }
    const bt_values *second = bt_raw_values(raw, sensitive->place + 1);
    out->well_formed =
        read_end(column, first, code, &out->least) &&
        read_end(column, second, bt_code_at(codes[1].codes, codes[1].width, row), &out->greatest) &&
        out->least <= out->greatest;
}

static bauta_status number_parts(bt_release *release, const bt_codes *codes, size_t count,
                                 const bt_run *run, bauta_error *error)
{
    bt_release_distribution *all = &release->distribution;
    int64_t rows = release->files[BT_SENSITIVE_FILE].rows;
    bt_tuples tuples = {0};
    all->part_of = bt_array((size_t)rows, sizeof *all->part_of);
    bauta_status status = all->part_of ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, count, rows, run, &tuples, all->part_of, NULL, error);
    all->parts = bt_arena_array(&release->arena, tuples.count, sizeof *all->parts);
    if (!all->parts && status == BAUTA_OK) status = bt_fail_memory(error);
    for (uint32_t i = 0; status == BAUTA_OK && i < tuples.count; i++)
        read_part(release, codes, tuples.row[i], &all->parts[i]);
    all->part_count = tuples.count;
    bt_tuples_release(&tuples);
    return status;
}

static size_t part_columns(const bt_release *release)
{
    return release->distribution.sensitive->manifest->type == BT_TEXT ? 1 : 2;
}

bauta_status bt_release_read_parts(bt_release *release, const bt_run *run, bauta_error *error)
{
    bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    size_t count = part_columns(release), place = release->distribution.sensitive->place;
    bt_codes codes[2] = {{0}};
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < count && status == BAUTA_OK; i++)
        status = take_codes(file, place + i, run, &codes[i], error);
    if (status == BAUTA_OK) status = number_parts(release, codes, count, run, error);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)codes[i].codes);
    return status;
}

int64_t bt_release_part_bytes(const bt_release *release)
{
    static const char *const ends[] = {"low", "high"};
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    const bt_release_column *sensitive = release->distribution.sensitive;
    int64_t total = 0;
    for (size_t i = 0; i < part_columns(release); i++) {
        const bt_values *values = bt_raw_values(file->raw, sensitive->place + i);
        const char *name = part_columns(release) == 1 ? sensitive->manifest->name : ends[i];
        total += bt_release_field_bytes(release, name, strlen(name)) + 1 + file->rows;
        for (uint32_t v = 0; v < values->count; v++)
            total += values->rows[v] *
                     bt_release_field_bytes(release, values->text[v], values->length[v]);
    }
    return total;
}

/* ---- targets ----------------------------------------------------------------------------- */

static const uint32_t no_target_yet = UINT32_MAX - 1;

static void give_target(uint32_t *target_of, uint32_t target)
{
    *target_of = *target_of == no_target_yet ? target : BT_NOT_KNOWN;
}

/* Classes by their numbers; those that are not from 1 to C have none. */
static bauta_status index_classes(const bt_release *release, uint32_t *class_of, bauta_error *error)
{
    uint32_t count = release->classes.count;
    if (!class_of) return bt_fail_memory(error);
    for (uint32_t i = 0; i <= count; i++)
        class_of[i] = BT_NOT_KNOWN;
    for (uint32_t c = 0; c < count; c++)
        if (release->pair.number[c] <= count) class_of[release->pair.number[c]] = c;
    return BAUTA_OK;
}

bauta_status bt_release_find_targets(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    uint32_t count = release->classes.count;
    uint32_t *class_of = bt_array((size_t)count + 1, sizeof *class_of);
    uint32_t *target_of = release->distribution.target_of =
        bt_arena_array(&release->arena, count, sizeof *target_of);
    bauta_status status =
        target_of ? index_classes(release, class_of, error) : bt_fail_memory(error);
    for (uint32_t c = 0; status == BAUTA_OK && c < count; c++)
        target_of[c] = manifest->targets[0].groups ? no_target_yet : 0;
    for (size_t t = 0; status == BAUTA_OK && t < manifest->target_count; t++)
        for (size_t i = 0; manifest->targets[t].groups && i < manifest->targets[t].group_count;
             i++) {
            uint32_t number = manifest->targets[t].groups[i];
            uint32_t class_number = number <= count ? class_of[number] : BT_NOT_KNOWN;
            if (class_number != BT_NOT_KNOWN) give_target(&target_of[class_number], (uint32_t)t);
        }
    for (uint32_t c = 0; status == BAUTA_OK && c < count; c++)
        if (target_of[c] >= manifest->target_count) target_of[c] = BT_NOT_KNOWN;
    free(class_of);
    return status;
}
