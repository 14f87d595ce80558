/* SPDX-License-Identifier: Apache-2.0
 *
 * A join, which is `generalized` with a public table: rows of data.csv are persons, told apart by
 * their cells and by their sensitive group; the rows of sensitive.csv, where there is one, are the
 * records of these groups.
 */
#include "reading/parts.h"
#include "reading/sentences.h"

static bool lacks_table(const bt_manifest *manifest)
{
    return !bt_join_has_table(manifest);
}

static bauta_status expect(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    for (size_t i = 0; i < manifest->column_count; i++)
        if (manifest->columns[i].role == BT_ROLE_OTHER)
            return bt_fail(error, BAUTA_INVALID,
                           "column '%s' is published as it is, which cannot be with a public "
                           "table: external persons have nothing there",
                           manifest->columns[i].name);
    if (manifest->persons)
        return bt_fail(error, BAUTA_INVALID, "a join has one row for each person");
    return BAUTA_OK;
}

/* ---- words ------------------------------------------------------------------------------- */

static const char with_table[] =
    "rows of data.csv are persons, of whom only some are records of the original: each row of "
    "sensitive.csv is one record of the original, and its quasi values are in one of the boxes "
    "of its sensitive group";

static const char without_table[] =
    "rows of data.csv are persons, of whom only some are records of the original: how many they "
    "are is not published, so that records cannot be counted";

static const char *remark(const bt_manifest *manifest)
{
    return bt_join_has_table(manifest) ? with_table : without_table;
}

static bauta_status protect(bt_composer *c)
{
    const bt_requirement_instance *presence = bt_requirements_public(&c->manifest->promises);
    BT_TRY(bt_say(
        c,
        "Whoever knows the quasi-identifiers of a person (%s) finds at least %lld persons of "
        "the table and the public one who fit, and cannot tell which of them is the person.",
        bt_list_columns(c, bt_column_is_quasi).text, (long long)c->basis->least));
    if (presence)
        BT_TRY(
            bt_say(c,
                   "Of the persons of a box at most a share of %s is in the table, so that nobody "
                   "is believed to be in it with more.",
                   presence->values[0].text));
    return bt_say_values(c, "sensitive group");
}

static bauta_status expose(bt_composer *c)
{
    BT_TRY(bt_say(c,
                  "Whoever knows that some of the persons who fit are not in the table has fewer "
                  "left."));
    if (!bt_join_has_table(c->manifest))
        return bt_say(c, "Where there is no box, nobody of the table is.");
    BT_TRY(bt_expose_values(c, "sensitive group"));
    BT_TRY(bt_expose_joint(c));
    if (!bt_requirements_public(&c->manifest->promises))
        BT_TRY(bt_say(c,
                      "Some persons are certain to be in the table: all of a sensitive group that "
                      "has no one else in it, and whoever stands alone at an edge of a group."));
    return bt_expose_method(c);
}

static const char with_table_0[] =
    "whoever is known to be in the table shares a box with at least k-1 others, but whoever knows "
    "that some of those are not in it has fewer left; a sensitive group whose records agree in a "
    "value tells it of everyone in it, and one without external persons tells who is in the table";

static const char without_table_0[] =
    "whoever is known to be in the table shares a box with at least k-1 others, but whoever knows "
    "that some of those are not in it has fewer left; where there is no box, nobody of the table "
    "is";

static const char *expose_0(const bt_manifest *manifest, bt_arena *arena)
{
    return bt_words_0_of_persons(
        manifest, bt_join_has_table(manifest) ? with_table_0 : without_table_0, arena);
}

const bt_reading_form bt_reading_join = {
    .name = "generalized",
    .join = true,
    .files = {"data.csv", "sensitive.csv"},
    .tables = 2,
    .lacks_last = lacks_table,
    .bag_column = bt_sensitive_group_name,
    .expect = expect,
    .remark = remark,
    .protects = protect,
    .exposes = expose,
    .exposes_0 = expose_0,
};
