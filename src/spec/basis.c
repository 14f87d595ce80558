/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking each promise what it keeps from happening.
 */
#include "spec/basis.h"

#include <string.h>

/* Whether a promise keeps every class from having one value only of some column. Two values may be
 * of one category, so that a column that shows categories is mixed by promises about those alone.
 */
static bool mark_mixed(const bt_manifest *manifest, const bt_requirement_instance *item,
                       bool *mixed)
{
    bool any = false;
    if (!item->type->mixes || !item->type->mixes(item)) return false;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        if (item->column && strcmp(item->column, column->name) != 0) continue;
        mixed[i] |= !bt_shows_categories(column) || item->type->needs_categories;
        any = true;
    }
    return any;
}

/* "l=3", "l=3 and t=0.2:ordered", "l=3, p=2 and t=0.2:ordered". */
static bauta_status list_values(const bt_requirements *requirements, bt_buffer *out,
                                bauta_error *error)
{
    size_t left = 0;
    for (size_t i = 0; i < requirements->count; i++)
        left += bt_is_about_values(requirements->items[i].type);
    for (size_t i = 0; i < requirements->count; i++) {
        if (!bt_is_about_values(requirements->items[i].type)) continue;
        const char *before = out->length == 0 ? "" : left == 1 ? " and " : ", ";
        BT_TRY(bt_buffer_print(out, error, "%s%s", before, requirements->items[i].text));
        left--;
    }
    return bt_buffer_add(out, "", 1, error);
}

bauta_status bt_words_basis_of(const bt_manifest *manifest, bt_arena *arena, bt_words_basis *out,
                               bauta_error *error)
{
    const bt_requirements *promises = &manifest->promises;
    BT_OWN(bt_buffer_release) bt_buffer values = {0};
    bool *mixed = bt_arena_array(arena, manifest->column_count, sizeof *mixed);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(list_values(promises, &values, error));
    *out = (bt_words_basis){.least = bt_requirements_least_size(promises),
                            .values = bt_arena_copy(arena, values.bytes, values.length - 1),
                            .mixed = mixed};
    BT_TRY(bt_arena_check(arena, error));
    bool any = false;
    for (size_t i = 0; i < promises->count; i++) {
        out->about_values |= bt_is_about_values(promises->items[i].type);
        any |= mark_mixed(manifest, &promises->items[i], mixed);
    }
    /* Two values are of two rows. */
    if (any && !manifest->persons && out->least == 1) out->least = 2;
    return BAUTA_OK;
}
