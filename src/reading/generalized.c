/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `generalized`: one table, whose rows are records with cells instead of quasi values;
 * those with the same cells are a class.
 */
#include "reading/sentences.h"

/* ---- words ------------------------------------------------------------------------------- */

static bauta_status protect(bt_composer *c)
{
    bt_column_list quasi = bt_list_columns(c, bt_column_is_quasi);
    const char *what = c->manifest->persons ? "persons" : "rows";
    if (c->basis->least > 1)
        BT_TRY(
            bt_say(c,
                   "Whoever knows the quasi-identifiers of a person (%s) finds %s%lld %s that fit, "
                   "and cannot tell which of them %s.",
                   quasi.text, c->manifest->persons ? "the rows of at least " : "at least ",
                   (long long)c->basis->least, what,
                   c->manifest->persons ? "is the person" : "is the person's"));
    else
        BT_TRY(bt_say(c,
                      "Whoever knows the quasi-identifiers of a person (%s) finds the rows of a "
                      "class, which are not told apart but may be a single one.",
                      quasi.text));
    return bt_say_values(c, "class");
}

static bool is_tight(const bt_composer *c, size_t column, bool nodes)
{
    const bt_manifest_column *one = &c->manifest->columns[column];
    return bt_column_is_quasi(c, column) && bt_cells_are_tight(c->manifest, one) &&
           nodes == (one->hierarchy || one->partial);
}

/* Ranges and sets show who is at their ends. */
static bool has_tight_ranges(const bt_composer *c, size_t column)
{
    return is_tight(c, column, false);
}

static bool has_tight_nodes(const bt_composer *c, size_t column)
{
    return is_tight(c, column, true);
}

static bauta_status expose_presence(bt_composer *c)
{
    bt_column_list ranges = bt_list_columns(c, has_tight_ranges),
                   nodes = bt_list_columns(c, has_tight_nodes);
    BT_TRY(bt_say(c, "That a person is in the table is not hidden."));
    if (ranges.count > 0)
        BT_TRY(
            bt_say(c,
                   "Ranges and sets of %s are no wider than their records need: someone is at each "
                   "end of a range and has each value of a set, and whoever alone can be there is "
                   "in the table for certain.",
                   ranges.text));
    if (nodes.count == 0) return BAUTA_OK;
    return bt_say(
        c,
        "Nodes of %s are the lowest that cover their records: where only two parts of a "
        "node can have someone, both do, and whoever alone can be in one of them is in the "
        "table for certain.",
        nodes.text);
}

static bauta_status expose_categories(bt_composer *c)
{
    bt_column_list shown = bt_list_columns(c, bt_column_is_category);
    bool one = shown.count == 1;
    if (shown.count == 0) return BAUTA_OK;
    return bt_say(c,
                  "Of %s only the %s published: whoever knows %s of a person may find the "
                  "person's row by %s.",
                  shown.text, one ? "category is" : "categories are", one ? "it" : "them",
                  one ? "it" : "them");
}

static bauta_status expose(bt_composer *c)
{
    if (c->basis->least == 1)
        BT_TRY(bt_say(c, "Identity is not protected: a class may be a single row."));
    BT_TRY(bt_expose_values(c, "class"));
    BT_TRY(bt_expose_joint(c));
    BT_TRY(expose_categories(c));
    BT_TRY(bt_expose_columns(c, bt_column_is_raw));
    BT_TRY(expose_presence(c));
    BT_TRY(bt_expose_method(c));
    return bt_expose_counts(c);
}

static const char values_0[] =
    "whoever is known to be in the table shares a class with at least k-1 others, but sensitive "
    "and other columns are published as they are: a class whose records agree there tells it of "
    "everyone in the class";

static const char categories_0[] =
    "whoever is known to be in the table shares a class with at least k-1 others, but the "
    "categories of sensitive values and other columns are published as they are: a class whose "
    "records agree there tells it of everyone in the class";

static const char *expose_0(const bt_manifest *manifest, bt_arena *arena)
{
    bool categories = bt_form_says(manifest->form, "sensitive", "category");
    return bt_words_0_of_persons(manifest, categories ? categories_0 : values_0, arena);
}

const bt_reading_form bt_reading_generalized = {
    .name = "generalized",
    .files = {"data.csv"},
    .tables = 1,
    .class_values = true,
    .protects = protect,
    .exposes = expose,
    .exposes_0 = expose_0,
};
