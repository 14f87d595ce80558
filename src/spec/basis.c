/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the promises as requirements, and asking each of them what it keeps from happening.
 */
#include "spec/basis.h"

#include "require/requirement.h"

#include <string.h>

static void mark_mixed(const bt_manifest *manifest, const bt_requirement_instance *item,
                       bool *mixed)
{
    if (!item->type->mixes || !item->type->mixes(item)) return;
    for (size_t i = 0; i < manifest->column_count; i++)
        if (!item->column || strcmp(item->column, manifest->columns[i].name) == 0) mixed[i] = true;
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
    bt_requirements requirements = {0};
    bt_buffer text = {0}, values = {0};
    bool *mixed = bt_arena_array(arena, manifest->column_count, sizeof *mixed);
    bauta_status status =
        mixed ? bt_manifest_promises(manifest, &text, error) : bt_fail_memory(error);
    if (status == BAUTA_OK && manifest->promise_count > 0) {
        status = bt_requirements_parse(text.bytes, arena, &requirements, error);
        if (status == BAUTA_INVALID || status == BAUTA_USAGE) {
            requirements = (bt_requirements){0};
            status = BAUTA_OK;
        }
    }
    if (status == BAUTA_OK) status = list_values(&requirements, &values, error);
    if (status == BAUTA_OK) {
        memset(mixed, 0, manifest->column_count * sizeof *mixed);
        *out = (bt_words_basis){.least = bt_requirements_least_size(&requirements),
                                .values = bt_arena_copy(arena, values.bytes, values.length - 1),
                                .mixed = mixed};
        for (size_t i = 0; i < requirements.count; i++) {
            out->about_values |= bt_is_about_values(requirements.items[i].type);
            mark_mixed(manifest, &requirements.items[i], mixed);
        }
        for (size_t i = 0; i < manifest->column_count && !manifest->persons; i++)
            if (mixed[i] && out->least == 1) out->least = 2; /* two values are of two rows */
        if (!out->values) status = bt_fail_memory(error);
    }
    bt_buffer_release(&text);
    bt_buffer_release(&values);
    return status;
}
