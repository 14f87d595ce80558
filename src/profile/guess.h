/* SPDX-License-Identifier: Apache-2.0
 *
 * What the columns of a table may be: a role, a type and a hierarchy for each, with the reason.
 *
 * A guess leans to the safe side. Only a column that is the same in every record is published
 * as it is; whatever is not understood is dropped, and the reason says so.
 */
#ifndef BT_GUESS_H
#define BT_GUESS_H

#include "profile/column.h"
#include "profile/lexicon.h"
#include "recipe/recipe.h"

typedef struct bt_guess {
    bt_role role;
    bool given;    /* the role was said, not guessed */
    bool has_type; /* `type` is to be written down */
    bt_type type;
    const char *hierarchy;      /* NULL: none */
    const char *const *missing; /* codes that mean missing in it alone */
    size_t missing_count;
    const char *reason; /* for a person to read: sentences without line ends */
} bt_guess;

/* `profiles`, `table->columns` and `plan` are parallel; of the table only the codes are looked at.
 * Memory from the arena. */
BT_MUST_USE bauta_status bt_guess_columns(const bt_column_profile *profiles, const bt_table *table,
                                          const bt_column_recipe *plan, bt_arena *arena,
                                          bt_guess **out, bauta_error *error);

/* Type and hierarchy of a column that is generalized. With `bulk` the few records at either end
 * have no part in the widths of intervals, even if all others have one value: there are none then.
 */
BT_MUST_USE bauta_status bt_guess_hierarchy(const bt_column_profile *profile, bool bulk,
                                            bt_arena *arena, bt_guess *out, bauta_error *error);

/* Whether a column with so many present and different values names persons, if its name says that
 * it may. */
bool bt_guess_names_someone(const bt_meaning *meaning, int64_t present, int64_t distinct);

/* "1,234"; room for BT_COUNT_TEXT. */
enum { BT_COUNT_TEXT = 32 };
const char *bt_count_text(int64_t count, char *out);
const char *bt_percent_text(int64_t count, int64_t all, char *out); /* "12.3 %" */

#endif
