/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of format 0, as version 0.1.0 wrote them. They never change: an audit composes them
 * again for every release of that format. tests/formats has such releases.
 */
#include "spec/words_0.h"

#include <string.h>

static const char of_generalized[] =
    "whoever is known to be in the table shares a class with at least k-1 others, but sensitive "
    "and other columns are published as they are: a class whose records agree there tells it of "
    "everyone in the class";

static const char of_categories[] =
    "whoever is known to be in the table shares a class with at least k-1 others, but the "
    "categories of sensitive values and other columns are published as they are: a class whose "
    "records agree there tells it of everyone in the class";

static const char of_join[] =
    "whoever is known to be in the table shares a box with at least k-1 others, but whoever knows "
    "that some of those are not in it has fewer left; a sensitive group whose records agree in a "
    "value tells it of everyone in it, and one without external persons tells who is in the table";

static const char of_join_alone[] =
    "whoever is known to be in the table shares a box with at least k-1 others, but whoever knows "
    "that some of those are not in it has fewer left; where there is no box, nobody of the table "
    "is";

static const char of_two_tables[] =
    "anyone can see who is in this table and what their quasi values are: presence and identity "
    "are not protected; only which sensitive values of a class are whose is hidden, and a class "
    "whose records agree there tells it of everyone in the class; other columns are published as "
    "they are";

static const char of_distribution[] =
    "anyone can see who is in this table and what their quasi values are: presence and identity "
    "are not protected; what is hidden is where in a group's parts of the domain a person's value "
    "lies, and whoever knows the values of others in the group knows more; the target "
    "distributions are published, and where they were made from the data they tell of it; other "
    "columns are published as they are";

static const char of_optimal[] =
    "; the allocation is the paper's own, with the least sum of ranges: whoever knows the method "
    "may read more from it than the target says";

static const char of_best[] =
    "; the number of made-up values was chosen from the data, which is the paper's mode and tells "
    "more";

static const char of_randomized[] =
    "nobody is hidden among others: but for the few that were drawn anew all quasi values of a "
    "record are true, so whoever knows those of a person may well find the person's own row; "
    "sensitive and other columns are published as they are; and a second randomized version of "
    "the same table would undo the first";

static const char of_unknown[] = "nothing is known of what this form protects";

static const char of_persons_apart[] =
    "; a person may have rows in several classes, and whoever knows several rows of a person may "
    "tell the person apart by all of these classes";

static const char of_persons_together[] =
    "; a person may have several rows, all of them in one class, and of someone with many rows the "
    "values of the class tell more";

/* Whether the number of made-up values was given, not chosen from the data. */
static bool is_fake_given(const char *form)
{
    size_t length = 0;
    const char *fake = bt_form_option(form, "fake", &length);
    return fake && length > 0 && strncmp(fake, "best", length < 4 ? length : 4) != 0;
}

static const char *words_of_form(const bt_manifest *manifest)
{
    if (manifest->join) return bt_join_has_table(manifest) ? of_join : of_join_alone;
    if (bt_form_is(manifest->form, "two-tables")) return of_two_tables;
    if (bt_form_is(manifest->form, "distribution")) return of_distribution;
    if (bt_form_is(manifest->form, "randomized")) return of_randomized;
    if (!bt_form_is(manifest->form, "generalized")) return of_unknown;
    return bt_form_says(manifest->form, "sensitive", "category") ? of_categories : of_generalized;
}

const char *bt_words_0_not_protected(const bt_manifest *manifest, bt_arena *arena)
{
    const char *form = manifest->form;
    bool distribution = bt_form_is(form, "distribution");
    bool optimal = distribution && !bt_form_says(form, "allocation", "random");
    bool best = distribution && !is_fake_given(form);
    bool together = manifest->persons == BT_COUNT_TOGETHER;
    bool apart = manifest->persons && !together;
    return bt_arena_print(arena, "%s%s%s%s%s", words_of_form(manifest), optimal ? of_optimal : "",
                          best ? of_best : "", apart ? of_persons_apart : "",
                          together ? of_persons_together : "");
}
