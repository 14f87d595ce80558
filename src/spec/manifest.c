/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a manifest, and the texts and names that several forms put into one.
 */
#include "spec/manifest.h"

#include <string.h>

const char *const bt_joint_names[] = {"", "pairwise", "none"};
const char *const bt_counting_names[] = {"", "apart", "together"};

bool bt_form_is(const char *form, const char *name)
{
    size_t length = strlen(name);
    return form && strncmp(form, name, length) == 0 &&
           (form[length] == '\0' || form[length] == ':');
}

/* `word`, or if that is taken `word`_2, … */
static const char *free_name(const char *word, const char *const *names, size_t count,
                             bt_arena *arena)
{
    const char *name = word;
    for (size_t number = 2;; number++) {
        size_t i = 0;
        while (i < count && strcmp(names[i], name) != 0)
            i++;
        if (i == count) return name;
        name = bt_arena_print(arena, "%s_%zu", word, number);
        if (!name) return NULL;
    }
}

const char *bt_class_name(const char *const *names, size_t count, bt_arena *arena)
{
    return free_name("class", names, count, arena);
}

const char *bt_group_name(const char *const *names, size_t count, bt_arena *arena)
{
    return free_name("group", names, count, arena);
}

const char *bt_sensitive_group_name(const char *const *names, size_t count, bt_arena *arena)
{
    return free_name("sensitive_group", names, count, arena);
}

bool bt_join_has_table(const bt_manifest *manifest)
{
    bool sensitive = false;
    for (size_t i = 0; i < manifest->column_count; i++)
        sensitive |= manifest->columns[i].role == BT_ROLE_SENSITIVE;
    return manifest->join.kind && (sensitive || bt_is_refined(manifest));
}

bauta_status bt_mechanism_of(const bt_manifest *manifest, bt_arena *arena, bt_mechanism *out,
                             bauta_error *error)
{
    size_t count = 0;
    bt_rational *redrawn = bt_arena_array(arena, manifest->column_count, sizeof *redrawn);
    *out = (bt_mechanism){0};
    if (!redrawn) return bt_fail_memory(error);
    for (size_t i = 0; i < manifest->column_count; i++)
        if (manifest->columns[i].role == BT_ROLE_QUASI)
            redrawn[count++] = manifest->columns[i].redrawn;
    return bt_mechanism_make(manifest->lambda, redrawn, count, arena, out, error);
}
