/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of roles, and what belongs to a table as a whole.
 */
#include "table/table.h"

#include "base/assert.h"

#include <string.h>

const char *bt_role_name(bt_role role)
{
    static const char *const names[] = {
        [BT_ROLE_NONE] = "none",   [BT_ROLE_IDENTIFIER] = "identifier",
        [BT_ROLE_QUASI] = "quasi", [BT_ROLE_SENSITIVE] = "sensitive",
        [BT_ROLE_OTHER] = "other", [BT_ROLE_DROPPED] = "dropped"};
    return names[role];
}

void bt_table_release(bt_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->columns[i].codes);
    free(table->subject_of);
    bt_arena_release(&table->arena);
    *table = (bt_table){0};
}

void bt_table_keep(bt_table *table, const int64_t *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        BT_ASSERT(rows[i] < table->rows && rows[i] >= (i > 0 ? rows[i - 1] + 1 : 0));
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        char *codes = column->codes;
        for (int64_t i = 0; i < count; i++)
            memmove(codes + i * column->width, codes + rows[i] * column->width, column->width);
    }
    for (int64_t i = 0; table->subject_of && i < count; i++)
        table->subject_of[i] = table->subject_of[rows[i]];
    table->rows = count;
}

bauta_status bt_table_number_subjects(bt_table *table, bauta_error *error)
{
    if (!table->subject_of) return BAUTA_OK;
    /* + 1; 0: not seen */
    BT_OWN(bt_free) uint32_t *number = bt_array_zero(table->subjects, sizeof *number);
    if (!number) return bt_fail_memory(error);
    table->subjects = 0;
    for (int64_t row = 0; row < table->rows; row++) {
        uint32_t *mine = &number[table->subject_of[row]];
        if (*mine == 0) *mine = ++table->subjects;
        table->subject_of[row] = *mine - 1;
    }
    return BAUTA_OK;
}

#define PICK(type)                                                                                 \
    do {                                                                                           \
        for (int64_t i = 0; i < count; i++)                                                        \
            ((type *)to->codes)[i] = ((const type *)from->codes)[rows[i]];                         \
    } while (0)

bauta_status bt_table_pick(const bt_table *table, const uint32_t *rows, int64_t count,
                           bt_table *out, bauta_error *error)
{
    *out = (bt_table){.rows = count, .subjects = table->subjects};
    out->columns = bt_arena_array(&out->arena, table->count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    for (; out->count < table->count; out->count++) {
        const bt_column *from = &table->columns[out->count];
        bt_column *to = &out->columns[out->count];
        *to = *from;
        to->codes = bt_array((size_t)count, from->width);
        if (!to->codes) return bt_fail_memory(error);
        switch (from->width) {
        case 1: PICK(uint8_t); break;
        case 2: PICK(uint16_t); break;
        default: PICK(uint32_t); break;
        }
    }
    if (!table->subject_of) return BAUTA_OK;
    out->subject_of = bt_array((size_t)count, sizeof *out->subject_of);
    if (!out->subject_of) return bt_fail_memory(error);
    for (int64_t i = 0; i < count; i++)
        out->subject_of[i] = table->subject_of[rows[i]];
    return bt_table_number_subjects(out, error);
}

const bt_column *bt_table_find(const bt_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
    return NULL;
}

bauta_status bt_table_select(const bt_table *table, bt_role role, const bt_column ***out,
                             size_t *count, bauta_error *error)
{
    *count = 0;
    *out = bt_array(table->count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].role == role) (*out)[(*count)++] = &table->columns[i];
    return BAUTA_OK;
}
