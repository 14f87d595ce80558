/* SPDX-License-Identifier: Apache-2.0
 *
 * Which record of the microdata, and which external person, went into which class of a join.
 */
#include "job/joined.h"

#include "base/text.h"
#include "publish/form.h"

#include <string.h>

static const char *const header[] = {"table", "row", "class", "sensitive_group"};
enum { TABLE, ROW, CLASS, GROUP, FIELDS };

/* ---- writing ----------------------------------------------------------------------------- */

static bauta_status spell_row(const bt_loaded *loaded, uint32_t row, uint32_t number,
                              uint32_t group, bt_buffer *out, bauta_error *error)
{
    const bt_join *join = loaded->join;
    if (row < join->microdata)
        return bt_buffer_print(out, error, "microdata,%lld,%u,%u\n",
                               (long long)(loaded->row_map ? loaded->row_map[row] : row) + 1,
                               number, group);
    const bt_join_origin *from = &join->origin[row - join->microdata];
    return bt_buffer_print(out, error, "%s%.0u,%u,%u,%u\n", "public",
                           loaded->public_count > 1 ? from->table + 1 : 0, from->row + 1, number,
                           group);
}

bauta_status bt_joined_mapping(const bt_loaded *loaded, const bt_run *run, bt_buffer *out,
                               bauta_error *error)
{
    const bt_join *join = loaded->join;
    const bt_grouping *grouping = &join->grouping;
    uint32_t *place = NULL, *numbers = NULL;
    bauta_status status = bt_form_join_places(run, join, &place, error);
    if (status == BAUTA_OK) status = bt_form_numbers(run, &join->sensitive, &numbers, error);
    if (status == BAUTA_OK)
        status = bt_buffer_print(out, error, "%s,%s,%s,%s\n", header[TABLE], header[ROW],
                                 header[CLASS], header[GROUP]);
    for (uint32_t c = 0; c < grouping->classes && status == BAUTA_OK; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            status = spell_row(loaded, grouping->order[i], place[c] + 1, numbers[join->group_of[c]],
                               out, error);
            if (status != BAUTA_OK) break;
        }
    free(place);
    free(numbers);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct counting {
    const bt_release *release;
    uint32_t *records; /* per class */
    int64_t total;
} counting;

static bauta_status foreign(bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "mapping.csv is not the one of this release");
    bt_error_hint(error, "delete it, or make the release anew with --keep-mapping");
    return status;
}

static bauta_status count_row(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                              size_t at, bauta_error *error)
{
    (void)worker;
    (void)row;
    counting *c = user;
    char text[BT_NUMBER_TEXT];
    int64_t number;
    bt_span class_number, table;
    BT_TRY(bt_batch_text(batch, CLASS, at, &class_number, error));
    if (class_number.length == 0 || class_number.length >= sizeof text) return foreign(error);
    memcpy(text, class_number.bytes, class_number.length);
    text[class_number.length] = '\0';
    if (!bt_text_integer(text, &number) || number < 1 || number > c->release->classes.count)
        return foreign(error);
    BT_TRY(bt_batch_text(batch, TABLE, at, &table, error));
    if (table.length != strlen("microdata") || memcmp(table.bytes, "microdata", table.length) != 0)
        return BAUTA_OK;
    __atomic_fetch_add(&c->records[number - 1], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->total, 1, __ATOMIC_RELAXED);
    return BAUTA_OK;
}

static bauta_status check_header(const bt_input *input, bauta_error *error)
{
    const char *const *names = bt_input_names(input);
    if (bt_input_columns(input) != FIELDS) return foreign(error);
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(names[i], header[i]) != 0) return foreign(error);
    return BAUTA_OK;
}

/* Each class has records of the microdata, no more than rows, and all together are those that the
 * release has. */
static bauta_status check_counts(const counting *c, bauta_error *error)
{
    const bt_release *release = c->release;
    for (uint32_t i = 0; i < release->classes.count; i++)
        if (c->records[i] < 1 || c->records[i] > release->classes.size[i]) return foreign(error);
    return !bt_records_hidden(release) && c->total != bt_release_records(release) ? foreign(error)
                                                                                  : BAUTA_OK;
}

static bauta_status count_rows(const char *path, bt_bytes *bytes, counting *c, const bt_run *run,
                               bauta_error *error)
{
    bt_input *input = NULL;
    bt_raw *raw = NULL;
    const bt_use uses[FIELDS] = {BT_USE_SKIP, BT_USE_SKIP, BT_USE_SKIP, BT_USE_SKIP};
    bt_input_options options = {
        .files = &path, .count = 1, .bytes = bytes, .delimiter = ',', .encoding = BT_UTF8};
    bauta_status status = bt_input_open(&options, run, &input, error);
    if (status == BAUTA_OK) status = check_header(input, error);
    if (status == BAUTA_OK) status = bt_input_read(input, uses, run, &raw, error);
    if (status == BAUTA_OK)
        status = bt_input_scan(input, NULL, run, "mapping", count_row, c, error);
    if (status == BAUTA_OK) status = check_counts(c, error);
    if (status == BAUTA_INVALID) bt_error_place(error, path, -1, NULL);
    bt_raw_free(raw);
    bt_input_close(input);
    return status;
}

bauta_status bt_joined_records(const bt_release *release, const bt_run *run, uint32_t **out,
                               bauta_error *error)
{
    static const char name[] = "mapping.csv";
    bt_arena arena = {0};
    counting c = {.release = release};
    bt_bytes *bytes;
    *out = NULL;
    BT_TRY(bt_store_read(release->store, BT_SHELF_PRIVATE, name, &bytes, error));
    if (!bytes) return BAUTA_OK; /* others than the owner have no such file, or may not see it */
    const char *path = bt_store_path(release->store, BT_SHELF_PRIVATE, name, &arena);
    c.records = bt_array_zero(release->classes.count, sizeof *c.records);
    if (!path || !c.records) bt_bytes_close(bytes);
    bauta_status status =
        path && c.records ? count_rows(path, bytes, &c, run, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        *out = c.records;
    else
        free(c.records);
    bt_arena_release(&arena);
    return status;
}

/* ---- the microdata alone ----------------------------------------------------------------- */

bauta_status bt_joined_ranges(const bt_table *table, bt_arena *arena,
                              const bt_original_column **out, bauta_error *error)
{
    bt_original_column *ranges = bt_arena_array(arena, table->count, sizeof *ranges);
    size_t count = 0;
    if (!ranges) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        const bt_column *column = &table->columns[i];
        if (column->role != BT_ROLE_QUASI) continue;
        BT_TRY(bt_own_extent(column, table->rows, &ranges[count++], error));
    }
    *out = ranges;
    return BAUTA_OK;
}
