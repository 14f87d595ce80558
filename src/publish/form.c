/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of forms, and the numbers of classes.
 */
#include "publish/form.h"

#include "base/entry.h"

#define BT_FORM(name) extern const bt_form bt_form_##name;
#include "publish/forms.def"
#undef BT_FORM

const bt_form *const bt_form_registry[] = {
#define BT_FORM(name) &bt_form_##name,
#include "publish/forms.def"
#undef BT_FORM
};
const size_t bt_form_registry_count = sizeof bt_form_registry / sizeof *bt_form_registry;

static bt_entry entry_of(const void *const *registry, size_t i)
{
    const bt_form *form = ((const bt_form *const *)registry)[i];
    return (bt_entry){form->name, form->params, form->param_count};
}

bauta_status bt_form_parse(const char *text, bt_arena *arena, const bt_form **out,
                           bt_value **options, const char **canonical, bauta_error *error)
{
    size_t found;
    BT_TRY(bt_entry_parse("form", text, (const void *const *)bt_form_registry,
                          bt_form_registry_count, entry_of, arena, &found, options, canonical,
                          error));
    *out = bt_form_registry[found];
    return BAUTA_OK;
}

bauta_status bt_form_numbers(const bt_run *run, const bt_grouping *grouping, uint32_t **out,
                             bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_stream stream;
    uint32_t classes = grouping->classes, next = 0;
    uint32_t *drawn = bt_arena_array(&scratch, classes, sizeof *drawn);
    uint32_t *begins =
        bt_arena_array(&scratch, (size_t)grouping->rows, sizeof *begins); /* per row: class + 1 */
    *out = NULL;
    BT_TRY(bt_arena_check(&scratch, error));
    *out = bt_array(classes, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    bt_stream_init(&stream, &run->seed, "class numbers", 0);
    bt_stream_permutation(&stream, drawn, classes);
    for (uint32_t c = 0; c < classes; c++)
        begins[grouping->order[grouping->starts[c]]] = c + 1;
    for (int64_t row = 0; row < grouping->rows; row++)
        if (begins[row]) (*out)[begins[row] - 1] = drawn[next++] + 1;
    return BAUTA_OK;
}
