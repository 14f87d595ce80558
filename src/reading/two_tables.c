/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `two-tables`: quasi values as they are in one table and sensitive values in another,
 * linked by the number of the class alone. bags.c reads these.
 */
#include "reading/sentences.h"

static const char two_tables_remark[] =
    "each row of quasi.csv and each row of sensitive.csv is one record of the original; which rows "
    "of a class belong together is not published, so a join of the two files is not the original "
    "and must not be used as if it were";

static const char *remark(const bt_manifest *manifest)
{
    (void)manifest;
    return two_tables_remark;
}

static bauta_status protect(bt_composer *c)
{
    const char *what = c->manifest->persons ? "persons" : "rows";
    bt_column_list sensitive = bt_list_columns(c, bt_column_is_sensitive);
    if (c->basis->least > 1)
        BT_TRY(
            bt_say(c,
                   "Whoever finds a person in quasi.csv learns of %s only the values that a class "
                   "of at least %lld %s has, and not which of them is the person's.",
                   sensitive.text, (long long)c->basis->least, what));
    else
        BT_TRY(bt_say(c,
                      "Whoever finds a person in quasi.csv learns of %s only the values that the "
                      "person's class has, and not which of them is the person's.",
                      sensitive.text));
    return bt_say_values(c, "class");
}

static bauta_status expose(bt_composer *c)
{
    BT_TRY(bt_say(c, "%s", bt_everyone_is_seen));
    BT_TRY(bt_expose_values(c, "class"));
    BT_TRY(bt_expose_joint(c));
    BT_TRY(bt_expose_others(c));
    BT_TRY(bt_expose_method(c));
    return bt_expose_counts(c);
}

static const char two_tables_0[] =
    "anyone can see who is in this table and what their quasi values are: presence and identity "
    "are not protected; only which sensitive values of a class are whose is hidden, and a class "
    "whose records agree there tells it of everyone in the class; other columns are published as "
    "they are";

static const char *expose_0(const bt_manifest *manifest, bt_arena *arena)
{
    return bt_words_0_of_persons(manifest, two_tables_0, arena);
}

const bt_reading_form bt_reading_two_tables = {
    .name = "two-tables",
    .files = {"quasi.csv", "sensitive.csv", "query.sql", "load.sqlite", "load.psql"},
    .tables = 2,
    .bag_column = bt_class_name,
    .values_shown = true,
    .pair = true,
    .class_values = true,
    .remark = remark,
    .protects = protect,
    .exposes = expose,
    .exposes_0 = expose_0,
};
