/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a recipe: read or refused with a place in the file, twice alike, and what was
 * read meets an input without harm.
 */
#include "fuzz.h"

#include "recipe/recipe.h"

#include <string.h>

static bauta_status load(const uint8_t *data, size_t size, bauta_recipe **recipe,
                         bauta_error *error)
{
    fuzz_check(bauta_recipe_new(recipe, error) == BAUTA_OK, "memory");
    return bt_recipe_load_text(*recipe, "folder/recipe.yaml", (const char *)data, size, error);
}

static void check_resolve(const bauta_recipe *recipe)
{
    static const char *const names[] = {"age", "zip", "disease"};
    bt_arena arena = {0};
    bauta_error error;
    bt_column_recipe *plan;
    bauta_status status = bt_recipe_resolve(recipe, names, 3, &arena, &plan, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "resolving fails oddly");
    for (size_t i = 0; status == BAUTA_OK && i < 3; i++)
        fuzz_check(plan[i].role != BT_ROLE_NONE, "a column without a role");
    bt_arena_release(&arena);
}

static void check_trees(const bauta_recipe *recipe)
{
    for (size_t i = 0; i < recipe->column_count; i++) {
        const bt_hierarchy_source *tree = &recipe->columns[i].hierarchy;
        for (size_t j = 0; j < tree->path_count; j++) {
            fuzz_check(tree->path_lengths[j] > 0, "a path without a leaf");
            for (size_t k = 0; k < tree->path_lengths[j]; k++)
                fuzz_check(tree->paths[j][k], "a label that is missing");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bauta_recipe *recipe, *again;
    bauta_error error, second;
    bauta_status status = load(data, size, &recipe, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "loading fails oddly");
    if (status == BAUTA_OK) {
        check_resolve(recipe);
        check_trees(recipe);
    } else {
        fuzz_check(strncmp(error.message, "line ", 5) == 0 || size > 1 << 20,
                   "an error without a place");
        fuzz_check(strcmp(error.file, "folder/recipe.yaml") == 0, "an error without a file");
    }
    fuzz_check(load(data, size, &again, &second) == status, "the second time differs");
    bauta_recipe_free(recipe);
    bauta_recipe_free(again);
    return 0;
}
