/* SPDX-License-Identifier: Apache-2.0
 *
 * Composing the words. Where the manifest leaves open which of two sentences is true, the one that
 * protects less is said.
 */
#include "recipe/words.h"

#include <string.h>

/* ---- options of a form ------------------------------------------------------------------- */

const char *bt_form_option(const char *form, const char *name, size_t *length)
{
    size_t wanted = strlen(name);
    const char *at = strchr(form, ':');
    while (at) {
        at++;
        size_t item = strcspn(at, ",");
        if (item > wanted && strncmp(at, name, wanted) == 0 && at[wanted] == '=') {
            *length = item - wanted - 1;
            return at + wanted + 1;
        }
        at = at[item] == ',' ? at + item : NULL;
    }
    return NULL;
}

bool bt_form_says(const char *form, const char *name, const char *value)
{
    size_t length = 0;
    const char *found = bt_form_option(form, name, &length);
    return found && length == strlen(value) && strncmp(found, value, length) == 0;
}

uint64_t bt_form_number(const char *form, const char *name)
{
    size_t length = 0;
    uint64_t number = 0;
    const char *text = bt_form_option(form, name, &length);
    for (size_t i = 0; i < length && text[i] >= '0' && text[i] <= '9' && number < UINT32_MAX; i++)
        number = 10 * number + (uint64_t)(text[i] - '0');
    return number;
}

/* ---- what is not protected --------------------------------------------------------------- */

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

const char *bt_words_not_protected(const bt_manifest *manifest, bt_arena *arena)
{
    const char *form = manifest->form;
    bool distribution = bt_form_is(form, "distribution");
    bool optimal = distribution && !bt_form_says(form, "allocation", "random");
    bool best = distribution && !is_fake_given(form);
    bool together = manifest->persons && strcmp(manifest->persons, "together") == 0;
    bool apart = manifest->persons && !together;
    return bt_arena_print(arena, "%s%s%s%s%s", words_of_form(manifest), optimal ? of_optimal : "",
                          best ? of_best : "", apart ? of_persons_apart : "",
                          together ? of_persons_together : "");
}

/* ---- the remark -------------------------------------------------------------------------- */

/* Not to be lost with the field that says it: an experiment must not pass for a release. */
static const char of_experiment[] =
    "made for experiments, with an order of rows and numbers that can be repeated and so undone: "
    "not to be handed out";

static const char *remark_of_form(const bt_manifest *manifest)
{
    if (manifest->join) return bt_join_has_table(manifest) ? bt_join_remark : bt_join_alone_remark;
    if (bt_form_is(manifest->form, "two-tables")) return bt_two_tables_remark;
    return bt_form_is(manifest->form, "distribution") ? bt_distribution_remark : NULL;
}

bauta_status bt_words_remark(const bt_manifest *manifest, bt_arena *arena, const char **out,
                             bauta_error *error)
{
    const char *form = *out = remark_of_form(manifest);
    if (!manifest->experiment) return BAUTA_OK;
    *out = bt_arena_print(arena, "%s%s%s", form ? form : "", form ? "; " : "", of_experiment);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

bool bt_words_has_remark(const bt_manifest *manifest)
{
    const char *form = remark_of_form(manifest);
    return !form || (manifest->remark && strncmp(manifest->remark, form, strlen(form)) == 0);
}
