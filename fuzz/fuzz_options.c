/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as a setting with options ("name:option=value,…"): methods, forms, joins, workloads,
 * associations, wanted distributions, and every key of a recipe. It is refused with words, or its
 * spelled-out form reads back as itself.
 *
 * The first byte chooses what it is read as.
 */
#include "fuzz.h"

#include "group/join.h"
#include "measure/knowledge.h"
#include "publish/form.h"
#include "query/workload.h"
#include "recipe/recipe.h"
#include "require/targets.h"

#include <string.h>

typedef bauta_status (*reader)(const char *text, bt_arena *arena, const char **canonical,
                               bauta_error *error);

static bauta_status read_method(const char *text, bt_arena *arena, const char **canonical,
                                bauta_error *error)
{
    const bt_method *method;
    bt_value *options;
    return bt_method_parse(text, arena, &method, &options, canonical, error);
}

static bauta_status read_form(const char *text, bt_arena *arena, const char **canonical,
                              bauta_error *error)
{
    const bt_form *form;
    bt_value *options;
    return bt_form_parse(text, arena, &form, &options, canonical, error);
}

static bauta_status read_join(const char *text, bt_arena *arena, const char **canonical,
                              bauta_error *error)
{
    bt_join_choice choice;
    bauta_status status = bt_join_parse(text, arena, &choice, error);
    *canonical = status == BAUTA_OK ? choice.text : NULL;
    return status;
}

static bauta_status read_wanted(const char *text, bt_arena *arena, const char **canonical,
                                bauta_error *error)
{
    bt_wanted wanted;
    (void)canonical;
    return bt_wanted_parse(text, arena, &wanted, error);
}

static bauta_status read_workload(const char *text, bt_arena *arena, const char **canonical,
                                  bauta_error *error)
{
    (void)arena;
    (void)canonical;
    return bt_workload_check(text, error);
}

static bauta_status read_associations(const char *text, bt_arena *arena, const char **canonical,
                                      bauta_error *error)
{
    (void)arena;
    (void)canonical;
    return bt_associations_check(text, error);
}

static const reader readers[] = {read_method, read_form,     read_join,
                                 read_wanted, read_workload, read_associations};
enum { READERS = sizeof readers / sizeof *readers };

/* What it is when spelled out is the same. */
static void check_again(reader read, const char *canonical, bt_arena *arena)
{
    const char *again = NULL;
    fuzz_check(read(canonical, arena, &again, NULL) == BAUTA_OK, "not read back");
    fuzz_check(again && strcmp(again, canonical) == 0, "reads differently");
}

static void set_key(const bauta_key *key, const char *text)
{
    bauta_recipe *recipe;
    bauta_error error = {0};
    fuzz_check(bauta_recipe_new(&recipe, NULL) == BAUTA_OK, "memory");
    bauta_status status = bauta_recipe_set(recipe, key->name, text, &error);
    fuzz_check(status == BAUTA_OK ||
                   ((status == BAUTA_USAGE || status == BAUTA_INVALID) && error.message[0]),
               key->name);
    bauta_recipe_free(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char *text = malloc(size);
    fuzz_check(text, "memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] < READERS) {
        bt_arena arena = {0};
        bauta_error error = {0};
        const char *canonical = NULL;
        bauta_status status = readers[data[0]](text, &arena, &canonical, &error);
        fuzz_check(status == BAUTA_OK ||
                       ((status == BAUTA_USAGE || status == BAUTA_INVALID) && error.message[0]),
                   "parsing fails oddly");
        if (status == BAUTA_OK && canonical) check_again(readers[data[0]], canonical, &arena);
        bt_arena_release(&arena);
    } else if (bauta_recipe_key((size_t)data[0] - READERS)) {
        set_key(bauta_recipe_key((size_t)data[0] - READERS), text);
    }
    free(text);
    return 0;
}
