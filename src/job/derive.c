/* SPDX-License-Identifier: Apache-2.0
 *
 * Hierarchies for columns that have none, where the method goes along hierarchies: as bauta_init
 * would write them into the recipe. From there on they are as if the recipe had named them.
 *
 * The spec is published (manifest.json). So it is not derived where records may be suppressed, and
 * nothing but a coarse fact goes into it: a kind ("date", "mask"), or widths of 1, 2 or 5 times a
 * power of ten by the span of the middle 38 fortieths of the records. No bound, no count and no
 * value can be read from it, and a few records at either end do not move it, as they would the
 * least or greatest value. docs/hierarchies.md says so; a recipe that names the spec avoids it.
 */
#include "job/load.h"
#include "profile/guess.h"

#include <string.h>

/* Whether the recipe leaves open how a column is generalized. */
static bool is_open(const bt_column_recipe *plan)
{
    return plan->role == BT_ROLE_QUASI && !plan->has_hierarchy && !plan->cut_points &&
           plan->steers[BT_STEER_MIN_LEVEL].bottom == 0 &&
           plan->steers[BT_STEER_MAX_LEVEL].bottom == 0 && plan->steers[BT_STEER_LEVEL].bottom == 0;
}

static bauta_status derive(bt_loaded *loaded, size_t column, bt_arena *scratch, bauta_error *error)
{
    const bt_input_options *input = bt_input_settings(loaded->input);
    bt_column_recipe *plan = &loaded->plan[column];
    const bt_domain_options options = {.missing = bt_input_missing(input, column),
                                       .decimal_comma = input->decimal_comma,
                                       .has_type = plan->has_type,
                                       .type = plan->type,
                                       .column = plan->name};
    bt_column_profile profile;
    bt_guess guess = {0};
    BT_TRY(bt_profile_values(bt_raw_values(loaded->raw, column), &options, loaded->records, scratch,
                             &profile, error));
    BT_TRY(bt_guess_hierarchy(&profile, true, scratch, &guess, error));
    /* Values and "*" alone are what the method has of a column without a hierarchy. */
    if (!guess.hierarchy || strcmp(guess.hierarchy, "flat") == 0) return BAUTA_OK;
    if (guess.has_type && plan->has_type && plan->type != guess.type) return BAUTA_OK;
    const char *spec = bt_arena_copy(&loaded->arena, guess.hierarchy, strlen(guess.hierarchy));
    if (!spec) return bt_fail_memory(error);
    if (guess.has_type) {
        plan->has_type = true;
        plan->type = guess.type;
    }
    plan->has_hierarchy = true;
    plan->hierarchy = (bt_hierarchy_source){.spec = spec};
    loaded->derived[column] = true;
    return BAUTA_OK;
}

bauta_status bt_derive_hierarchies(bt_loaded *loaded, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    loaded->derived = bt_arena_array(&loaded->arena, loaded->columns, sizeof *loaded->derived);
    if (!loaded->derived) return bt_fail_memory(error);
    for (size_t i = 0; i < loaded->columns && status == BAUTA_OK; i++) {
        bt_arena scratch = {0};
        if (is_open(&loaded->plan[i])) status = derive(loaded, i, &scratch, error);
        bt_arena_release(&scratch);
    }
    return status;
}
