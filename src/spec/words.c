/* SPDX-License-Identifier: Apache-2.0
 *
 * Composing the words of the newest format, in sentences: what is protected and from whom, and what
 * is not. Where the manifest leaves open which of two sentences is true, the one that protects less
 * is said. A word that changes here needs a new format number, and the old words a file of their
 * own, as words_0.c is.
 */
#include "spec/words.h"

#include "spec/words_0.h"

#include <stdarg.h>
#include <stdio.h>
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

/* ---- cells ------------------------------------------------------------------------------- */

/* Of these methods a node is the lowest that covers its class. */
bool bt_cells_are_tight(const bt_manifest *manifest, const bt_manifest_column *column)
{
    static const char *const lowest[] = {"mondrian", "top-down", "cluster"};
    if (column->cuts) return manifest->format == 0;
    if (!column->hierarchy && !column->partial) return true;
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest; i++)
        if (bt_form_is(manifest->method, lowest[i]))
            return !bt_form_says(manifest->method, "minimal", "no");
    return false;
}

/* ---- sentences ---------------------------------------------------------------------------- */

typedef struct composer {
    const bt_manifest *manifest;
    const bt_words_basis *basis;
    bt_buffer text;
    bauta_error *error;
} composer;

/* Adds a sentence; a space goes before it if it is not the first. */
static bauta_status say(composer *c, const char *format, ...) BT_PRINTF(2, 3);

static bauta_status say(composer *c, const char *format, ...)
{
    if (c->text.length > 0) BT_TRY(bt_buffer_add(&c->text, " ", 1, c->error));
    va_list arguments;
    va_start(arguments, format);
    bauta_status status = bt_buffer_vprint(&c->text, c->error, format, arguments);
    va_end(arguments);
    return status;
}

/* The columns that a sentence is about: "age, sex and zip". Long lists end in "and 7 more". */
typedef struct column_list {
    size_t count;
    char text[400];
} column_list;

static column_list list_columns(const composer *c, bool (*is_listed)(const composer *, size_t))
{
    enum { MOST_NAMES = 8 };
    column_list list = {0};
    size_t total = 0, length = 0, named = 0;
    for (size_t i = 0; i < c->manifest->column_count; i++)
        total += is_listed(c, i);
    for (size_t i = 0; i < c->manifest->column_count; i++) {
        const char *name = c->manifest->columns[i].name;
        if (!is_listed(c, i)) continue;
        bool fits = named < MOST_NAMES && length + strlen(name) + 40 < sizeof list.text;
        const char *before = named == 0 ? "" : named + 1 == total || !fits ? " and " : ", ";
        if (fits)
            length += (size_t)snprintf(list.text + length, sizeof list.text - length, "%s%s",
                                       before, name);
        else
            snprintf(list.text + length, sizeof list.text - length, "%s%zu %s", before,
                     total - named,
                     named > 0   ? "more"
                     : total > 1 ? "columns"
                                 : "column");
        named++;
        if (!fits) break;
    }
    list.count = total;
    return list;
}

static bool is_quasi(const composer *c, size_t column)
{
    return c->manifest->columns[column].role == BT_ROLE_QUASI;
}

static bool is_sensitive(const composer *c, size_t column)
{
    const bt_manifest_column *one = &c->manifest->columns[column];
    return one->role == BT_ROLE_SENSITIVE && !bt_is_companion(one);
}

static bool is_other(const composer *c, size_t column)
{
    return c->manifest->columns[column].role == BT_ROLE_OTHER;
}

static bool is_raw(const composer *c, size_t column)
{
    return is_sensitive(c, column) || is_other(c, column);
}

static bool is_tight(const composer *c, size_t column, bool nodes)
{
    const bt_manifest_column *one = &c->manifest->columns[column];
    return is_quasi(c, column) && bt_cells_are_tight(c->manifest, one) &&
           nodes == (one->hierarchy || one->partial);
}

/* Ranges and sets show who is at their ends. */
static bool has_tight_ranges(const composer *c, size_t column)
{
    return is_tight(c, column, false);
}

static bool has_tight_nodes(const composer *c, size_t column)
{
    return is_tight(c, column, true);
}

static bool is_mixed(const composer *c, size_t column)
{
    return is_sensitive(c, column) && c->basis->mixed[column];
}

static bool is_unmixed(const composer *c, size_t column)
{
    return is_sensitive(c, column) && !c->basis->mixed[column];
}

/* ---- what is protected, and from whom ------------------------------------------------------- */

static bauta_status say_values(composer *c, const char *where)
{
    if (!*c->basis->values) return BAUTA_OK;
    return say(c, "The sensitive values of every %s satisfy %s.", where, c->basis->values);
}

static bauta_status protect_generalized(composer *c)
{
    column_list quasi = list_columns(c, is_quasi);
    const char *what = c->manifest->persons ? "persons" : "rows";
    if (c->basis->least > 1)
        BT_TRY(say(c,
                   "Whoever knows the quasi-identifiers of a person (%s) finds %s%lld %s that fit, "
                   "and cannot tell which of them %s.",
                   quasi.text, c->manifest->persons ? "the rows of at least " : "at least ",
                   (long long)c->basis->least, what,
                   c->manifest->persons ? "is the person" : "is the person's"));
    else
        BT_TRY(say(c,
                   "Whoever knows the quasi-identifiers of a person (%s) finds the rows of a "
                   "class, which are not told apart but may be a single one.",
                   quasi.text));
    return say_values(c, "class");
}

static bauta_status protect_join(composer *c)
{
    const bt_requirement_instance *presence = bt_requirements_public(&c->manifest->promises);
    BT_TRY(
        say(c,
            "Whoever knows the quasi-identifiers of a person (%s) finds at least %lld persons of "
            "the table and the public one who fit, and cannot tell which of them is the person.",
            list_columns(c, is_quasi).text, (long long)c->basis->least));
    if (presence)
        BT_TRY(say(c,
                   "Of the persons of a box at most a share of %s is in the table, so that nobody "
                   "is believed to be in it with more.",
                   presence->values[0].text));
    return say_values(c, "sensitive group");
}

static bauta_status protect_two_tables(composer *c)
{
    const char *what = c->manifest->persons ? "persons" : "rows";
    column_list sensitive = list_columns(c, is_sensitive);
    if (c->basis->least > 1)
        BT_TRY(say(c,
                   "Whoever finds a person in quasi.csv learns of %s only the values that a class "
                   "of at least %lld %s has, and not which of them is the person's.",
                   sensitive.text, (long long)c->basis->least, what));
    else
        BT_TRY(say(c,
                   "Whoever finds a person in quasi.csv learns of %s only the values that the "
                   "person's class has, and not which of them is the person's.",
                   sensitive.text));
    return say_values(c, "class");
}

static bauta_status protect_distribution(composer *c)
{
    return say(
        c,
        "Whoever finds a person in quasi.csv learns of %s only that it lies in one of the "
        "parts that the person's group has: values seem to follow a target distribution%s%s.",
        list_columns(c, is_sensitive).text, *c->basis->values ? ", which satisfies " : "",
        c->basis->values);
}

static bauta_status protect_randomized(composer *c)
{
    column_list quasi = list_columns(c, is_quasi);
    return say(
        c,
        "In every row %u of the %zu quasi-identifiers (%s) %s drawn anew, and it is not said "
        "which.",
        c->manifest->lambda, quasi.count, quasi.text, c->manifest->lambda == 1 ? "was" : "were");
}

static bauta_status protect(composer *c)
{
    const char *form = c->manifest->form;
    if (c->manifest->join) return protect_join(c);
    if (bt_form_is(form, "two-tables")) return protect_two_tables(c);
    if (bt_form_is(form, "distribution")) return protect_distribution(c);
    if (bt_form_is(form, "randomized")) return protect_randomized(c);
    if (bt_form_is(form, "generalized")) return protect_generalized(c);
    return say(c, "Nothing is known of what this form protects.");
}

/* ---- what is not protected ------------------------------------------------------------------ */

/* What the values of a class, or of a sensitive group, tell of everyone in it. */
static bauta_status expose_values(composer *c, const char *where)
{
    column_list unmixed = list_columns(c, is_unmixed), mixed = list_columns(c, is_mixed);
    if (unmixed.count > 0)
        BT_TRY(say(c, "A %s whose records agree in %s%s tells it of everyone in it.", where,
                   unmixed.count > 1 ? "one of " : "", unmixed.text));
    if (mixed.count == 0) return BAUTA_OK;
    return say(c,
               "Whoever knows the %s of a person knows which values of %s the person may have, and "
               "how frequent each of them is.",
               where, mixed.text);
}

/* The promises may be judged of each sensitive column by itself. */
static bauta_status expose_joint(composer *c)
{
    column_list sensitive = list_columns(c, is_sensitive);
    if (c->manifest->joint != BT_JOINT_NONE || sensitive.count < 2) return BAUTA_OK;
    return say(c,
               "Whoever also knows one of %s of a person may learn the other%s: the promises were "
               "not judged given another sensitive value (joint: none).",
               sensitive.text, sensitive.count > 2 ? "s" : "");
}

static bauta_status expose_columns(composer *c, bool (*is_shown)(const composer *, size_t))
{
    column_list raw = list_columns(c, is_shown);
    if (raw.count == 0) return BAUTA_OK;
    bool one = raw.count == 1;
    return say(c,
               "The %s %s %s published as %s: whoever knows %s of a person may find the person's "
               "row by %s.",
               one ? "column" : "columns", raw.text, one ? "is" : "are", one ? "it is" : "they are",
               one ? "it" : "them", one ? "it" : "them");
}

/* Methods that take classes as they are decide nothing by sensitive values. */
static bool decides_by_values(const composer *c)
{
    static const char *const as_given[] = {"whole", "columns", "identical", "levels", "none"};
    for (size_t i = 0; i < sizeof as_given / sizeof *as_given; i++)
        if (bt_form_is(c->manifest->method, as_given[i])) return false;
    return c->basis->about_values;
}

static bauta_status expose_method(composer *c)
{
    if (!decides_by_values(c)) return BAUTA_OK;
    return say(c,
               bt_form_says(c->manifest->method, "minimal", "no")
                   ? "Whoever knows the method and tries out how classes could have been divided "
                     "may learn a little more of sensitive values."
                   : "Whoever knows the method and tries out how classes could have been divided "
                     "may learn more of sensitive values than a reader.");
}

static bauta_status expose_counts(composer *c)
{
    bt_counting persons = c->manifest->persons;
    if (persons == BT_COUNT_ROWS)
        return say(c, "Rows are counted, not persons: someone with several rows is not protected "
                      "as one person.");
    if (persons == BT_COUNT_TOGETHER)
        return say(c, "All rows of a person are in one class, and the values of that class tell "
                      "more of someone with many rows.");
    return say(c, "A person may have rows in several classes, and whoever knows several rows of a "
                  "person may tell the person apart by these classes.");
}

static bauta_status expose_join(composer *c)
{
    BT_TRY(say(c, "Whoever knows that some of the persons who fit are not in the table has fewer "
                  "left."));
    if (!bt_join_has_table(c->manifest))
        return say(c, "Where there is no box, nobody of the table is.");
    BT_TRY(expose_values(c, "sensitive group"));
    BT_TRY(expose_joint(c));
    if (!bt_requirements_public(&c->manifest->promises))
        BT_TRY(say(c, "Some persons are certain to be in the table: all of a sensitive group that "
                      "has no one else in it, and whoever stands alone at an edge of a group."));
    return expose_method(c);
}

/* Forms that cut the link to sensitive values publish other columns beside quasi values. */
static bauta_status expose_others(composer *c)
{
    column_list others = list_columns(c, is_other);
    if (others.count == 0) return BAUTA_OK;
    BT_TRY(expose_columns(c, is_other));
    return say(c, "Where %s with %s, that tells it.",
               others.count == 1 ? "this column goes" : "one of these columns goes",
               list_columns(c, is_sensitive).text);
}

static const char everyone_is_seen[] = "Anyone can see who is in the table and what their "
                                       "quasi-identifiers are: presence and identity "
                                       "are not protected.";

/* Whether the number of made-up values was given, not chosen from the data. */
static bool is_fake_given(const char *form)
{
    size_t length = 0;
    const char *fake = bt_form_option(form, "fake", &length);
    return fake && length > 0 && strncmp(fake, "best", length < 4 ? length : 4) != 0;
}

static bauta_status expose_distribution(composer *c)
{
    const char *form = c->manifest->form;
    BT_TRY(say(c, "%s", everyone_is_seen));
    BT_TRY(say(c, "Whoever knows the values of others in a group knows more of the rest."));
    BT_TRY(say(c, "The target distributions are published, and where they were made from the data "
                  "they tell of it."));
    if (!bt_form_says(form, "allocation", "random"))
        BT_TRY(say(c, "The parts are allocated with the least sum of ranges: whoever knows the "
                      "method may read more from them than the target says."));
    if (!is_fake_given(form))
        BT_TRY(say(c, "The number of made-up values was chosen from the data, which tells more of "
                      "it."));
    BT_TRY(expose_others(c));
    return expose_counts(c);
}

static bauta_status expose_randomized(composer *c)
{
    BT_TRY(say(c,
               "Nobody is hidden among others: the other quasi-identifiers of a row are true, so "
               "that whoever knows a person may well find the person's own row."));
    BT_TRY(expose_columns(c, is_raw));
    BT_TRY(say(c, "A second randomized version of the same table would undo this one."));
    return expose_counts(c);
}

static bauta_status expose_presence(composer *c)
{
    column_list ranges = list_columns(c, has_tight_ranges),
                nodes = list_columns(c, has_tight_nodes);
    BT_TRY(say(c, "That a person is in the table is not hidden."));
    if (ranges.count > 0)
        BT_TRY(say(c,
                   "Ranges and sets of %s are no wider than their records need: someone is at each "
                   "end of a range and has each value of a set, and whoever alone can be there is "
                   "in the table for certain.",
                   ranges.text));
    if (nodes.count == 0) return BAUTA_OK;
    return say(c,
               "Nodes of %s are the lowest that cover their records: where only two parts of a "
               "node can have someone, both do, and whoever alone can be in one of them is in the "
               "table for certain.",
               nodes.text);
}

static bauta_status expose(composer *c)
{
    const char *form = c->manifest->form;
    if (c->manifest->join) return expose_join(c);
    if (bt_form_is(form, "distribution")) return expose_distribution(c);
    if (bt_form_is(form, "randomized")) return expose_randomized(c);
    bool pair = bt_form_is(form, "two-tables");
    if (pair) BT_TRY(say(c, "%s", everyone_is_seen));
    if (!pair && c->basis->least == 1)
        BT_TRY(say(c, "Identity is not protected: a class may be a single row."));
    BT_TRY(expose_values(c, "class"));
    BT_TRY(expose_joint(c));
    BT_TRY(pair ? expose_others(c) : expose_columns(c, is_raw));
    if (!pair) BT_TRY(expose_presence(c));
    BT_TRY(expose_method(c));
    return expose_counts(c);
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

static bauta_status compose_remark(const bt_manifest *manifest, bt_arena *arena, const char **out,
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

/* ---- all of them ---------------------------------------------------------------------------- */

static bauta_status compose(const bt_manifest *manifest, const bt_words_basis *basis,
                            bauta_status (*part)(composer *), bt_arena *arena, const char **out,
                            bauta_error *error)
{
    composer c = {.manifest = manifest, .basis = basis, .error = error};
    bauta_status status = part(&c);
    if (status == BAUTA_OK) {
        *out = bt_arena_copy(arena, c.text.bytes, c.text.length);
        if (!*out) status = bt_fail_memory(error);
    }
    bt_buffer_release(&c.text);
    return status;
}

bauta_status bt_words_compose(const bt_manifest *manifest, const bt_words_basis *basis,
                              bt_arena *arena, bt_words *out, bauta_error *error)
{
    *out = (bt_words){0};
    BT_TRY(compose_remark(manifest, arena, &out->remark, error));
    if (manifest->format == 0) {
        out->not_protected = bt_words_0_not_protected(manifest, arena);
        return out->not_protected ? BAUTA_OK : bt_fail_memory(error);
    }
    BT_TRY(compose(manifest, basis, protect, arena, &out->protects, error));
    return compose(manifest, basis, expose, arena, &out->not_protected, error);
}
