/* SPDX-License-Identifier: Apache-2.0
 *
 * Naming a join: in a recipe, where mistakes are explained, and in a manifest, where they are
 * findings.
 */
#include "recipe/join.h"

#include "base/entry.h"

#include <string.h>

enum { OPTION_TRIM };

static const bt_param params[] = {
    [OPTION_TRIM] = {.name = "trim",
                     .type = BT_PARAM_CHOICE,
                     .choices = "none|safe|paper",
                     .fallback = "none",
                     .help = "external persons who widen cells are left out: none, some, or all"},
};

static const bt_entry entries[] = {{"refine", params, 1}, {"direct", params, 1}};
static const bt_join_kind kinds[] = {BT_JOIN_REFINE, BT_JOIN_DIRECT};

static bt_entry entry_of(const void *const *registry, size_t number)
{
    (void)registry;
    return entries[number];
}

bauta_status bt_join_parse(const char *text, bt_arena *arena, bt_join_choice *out,
                           bauta_error *error)
{
    size_t found;
    bt_value *options;
    BT_TRY(bt_entry_parse("kind of join", text, NULL, sizeof entries / sizeof *entries, entry_of,
                          arena, &found, &options, &out->text, error));
    out->kind = kinds[found];
    out->trim = (bt_trim)options[OPTION_TRIM].integer;
    out->fault = NULL;
    return BAUTA_OK;
}

bauta_status bt_join_read(const char *text, bt_arena *arena, bt_join_choice *out,
                          bauta_error *error)
{
    size_t name = strcspn(text, ":");
    const bt_value *options;
    bt_entry_fault fault;
    *out = (bt_join_choice){.text = text};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!bt_entry_is(&entries[i], text, name)) continue;
        BT_TRY(bt_entry_read(&entries[i], text + name, arena, &options, &fault, error));
        out->kind = kinds[i];
        out->trim = (bt_trim)options[OPTION_TRIM].integer;
        if (fault == BT_ENTRY_NO_OPTION)
            out->fault = "it names an option that a join does not have";
        if (fault == BT_ENTRY_NO_VALUE)
            out->fault = "an option of the join has a value that it cannot have";
    }
    return BAUTA_OK;
}
