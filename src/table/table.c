/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of roles, and what belongs to a table as a whole.
 */
#include "table/table.h"

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
    bt_arena_release(&table->arena);
    *table = (bt_table){0};
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
