/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `randomized`: one table of records, of each of which some quasi values were drawn anew.
 * The mechanism stands in the manifest.
 */
#include "reading/parts.h"
#include "reading/sentences.h"
#include "spec/words.h"

static bauta_status expect(bt_release *release, bauta_error *error)
{
    return bt_mechanism_of(&release->manifest, &release->arena, &release->mechanism, error);
}

/* ---- words ------------------------------------------------------------------------------- */

static bauta_status protect(bt_composer *c)
{
    bt_column_list quasi = bt_list_columns(c, bt_column_is_quasi);
    return bt_say(
        c,
        "In every row %u of the %zu quasi-identifiers (%s) %s drawn anew, and it is not said "
        "which.",
        c->manifest->lambda, quasi.count, quasi.text, c->manifest->lambda == 1 ? "was" : "were");
}

static bauta_status expose(bt_composer *c)
{
    BT_TRY(bt_say(
        c, "Nobody is hidden among others: the other quasi-identifiers of a row are true, so "
           "that whoever knows a person may well find the person's own row."));
    BT_TRY(bt_expose_columns(c, bt_column_is_raw));
    if (bt_form_says(c->manifest->form, "p", "entropy"))
        BT_TRY(bt_say(c, "How likely each quasi-identifier was to be drawn anew follows from how "
                         "common the values of the table are, and stands in the manifest."));
    BT_TRY(bt_say(c, "A second randomized version of the same table would undo this one."));
    return bt_expose_counts(c);
}

static const char randomized_0[] =
    "nobody is hidden among others: but for the few that were drawn anew all quasi values of a "
    "record are true, so whoever knows those of a person may well find the person's own row; "
    "sensitive and other columns are published as they are; and a second randomized version of "
    "the same table would undo the first";

static const char *expose_0(const bt_manifest *manifest, bt_arena *arena)
{
    return bt_words_0_of_persons(manifest, randomized_0, arena);
}

const bt_reading_form bt_reading_randomized = {
    .name = "randomized",
    .files = {"data.csv"},
    .tables = 1,
    .values_shown = true,
    .redrawn = true,
    .expect = expect,
    .protects = protect,
    .exposes = expose,
    .exposes_0 = expose_0,
};
