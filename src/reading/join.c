/* SPDX-License-Identifier: Apache-2.0
 *
 * The sensitive groups of a join: what stands in data.csv and in sensitive.csv under the same
 * number belongs together. Rows of data.csv are told apart by their cells and by this number.
 *
 * Cost: linear in rows.
 */
#include "reading/parts.h"
#include "recipe/names.h"
#include "spec/words.h"

bauta_status bt_release_expect_join(bt_release *release, const char *folder, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    bauta_status status = BAUTA_OK;
    const char **names = bt_arena_array(&release->arena, manifest->column_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        names[i] = column->name;
        if (column->role == BT_ROLE_SENSITIVE) release->columns[i].file = BT_SENSITIVE_FILE;
        if (column->role == BT_ROLE_OTHER)
            status = bt_fail(error, BAUTA_INVALID,
                             "column '%s' is published as it is, which cannot be with a public "
                             "table: external persons have nothing there",
                             column->name);
    }
    if (manifest->persons)
        status = bt_fail(error, BAUTA_INVALID, "a join has one row for each person");
    if (!bt_words_has_remark(manifest))
        status = bt_fail(error, BAUTA_INVALID, "the manifest lacks the remark of a join");
    if (status != BAUTA_OK) bt_error_place(error, folder, -1, NULL);
    release->join.group_name =
        bt_sensitive_group_name(names, manifest->column_count, &release->arena);
    return status != BAUTA_OK || release->join.group_name ? status : bt_fail_memory(error);
}

/* ---- groups ---- */

/* The group of a text that occurs in a file for the first time. */
static bauta_status find_group(bt_release *release, bt_names *names, const bt_values *texts,
                               uint32_t code, uint32_t *out, bauta_error *error)
{
    bool added;
    const char *text = bt_arena_copy(&release->arena, texts->text[code], texts->length[code]);
    if (!text) return bt_fail_memory(error);
    if (bt_names_find(names, 0, text, out)) return BAUTA_OK;
    *out = release->join.groups++;
    release->join.number[*out] = bt_release_read_number(text);
    return bt_names_add(names, 0, text, *out, &added, error);
}

/* Numbers the groups of a file in the order of its rows, and counts those. */
static bauta_status number_file(bt_release *release, size_t number, bt_names *names,
                                const bt_values *texts, uint32_t *counts, bauta_error *error)
{
    bt_release_file *file = &release->files[number];
    uint32_t *known = bt_array(texts->count, sizeof *known);
    bauta_status status = known ? BAUTA_OK : bt_fail_memory(error);
    file->group_of = file->class_of;
    file->class_of = NULL;
    for (uint32_t i = 0; status == BAUTA_OK && i < texts->count; i++)
        known[i] = BT_NOT_KNOWN;
    for (int64_t row = 0; row < file->rows && status == BAUTA_OK; row++) {
        uint32_t code = file->group_of[row];
        if (known[code] == BT_NOT_KNOWN)
            status = find_group(release, names, texts, code, &known[code], error);
        if (status != BAUTA_OK) break;
        file->group_of[row] = known[code];
        counts[known[code]]++;
    }
    free(known);
    return status;
}

bauta_status bt_release_join_groups(bt_release *release, const bt_values *const *texts,
                                    bauta_error *error)
{
    bt_release_join *join = &release->join;
    bt_names names = {0};
    size_t room = texts[0]->count;
    if (texts[1] && !bt_size_add(room, texts[1]->count, &room)) return bt_fail_memory(error);
    if (room >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "the release has more than 2^32 sensitive groups");
    join->number = bt_arena_array(&release->arena, room, sizeof *join->number);
    join->rows = bt_arena_array(&release->arena, room, sizeof *join->rows);
    join->records = bt_arena_array(&release->arena, room, sizeof *join->records);
    if (!join->number || !join->rows || !join->records) return bt_fail_memory(error);
    bauta_status status = number_file(release, 0, &names, texts[0], join->rows, error);
    if (status == BAUTA_OK && texts[1])
        status = number_file(release, BT_SENSITIVE_FILE, &names, texts[1], join->records, error);
    bt_names_release(&names);
    return status;
}

bauta_status bt_release_join_classes(bt_release *release, bauta_error *error)
{
    const bt_tuples *classes = &release->classes;
    uint32_t *group_of = bt_arena_array(&release->arena, classes->count, sizeof *group_of);
    if (!group_of) return bt_fail_memory(error);
    for (uint32_t c = 0; c < classes->count; c++)
        group_of[c] = release->files[0].group_of[classes->row[c]];
    release->join.group_of = group_of;
    return BAUTA_OK;
}
