/* SPDX-License-Identifier: Apache-2.0
 *
 * Composing the words of the newest format, in sentences: what is protected and from whom, and what
 * is not. Where the manifest leaves open which of two sentences is true, the one that protects less
 * is said. What one form alone says is in its file. A word that changes needs a new format number,
 * and the old words a function of their own, as `exposes_0` is.
 */
#include "reading/sentences.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sentences ---------------------------------------------------------------------------- */

bauta_status bt_say(bt_composer *c, const char *format, ...)
{
    if (c->text.length > 0) BT_TRY(bt_buffer_add(&c->text, " ", 1, c->error));
    va_list arguments;
    va_start(arguments, format);
    bauta_status status = bt_buffer_vprint(&c->text, c->error, format, arguments);
    va_end(arguments);
    return status;
}

bt_column_list bt_list_columns(const bt_composer *c, bt_column_choice is_listed)
{
    enum { MOST_NAMES = 8 };
    bt_column_list list = {0};
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

bool bt_column_is_quasi(const bt_composer *c, size_t column)
{
    return c->manifest->columns[column].role == BT_ROLE_QUASI;
}

bool bt_column_is_sensitive(const bt_composer *c, size_t column)
{
    const bt_manifest_column *one = &c->manifest->columns[column];
    return one->role == BT_ROLE_SENSITIVE && !bt_is_companion(one);
}

static bool is_other(const bt_composer *c, size_t column)
{
    return c->manifest->columns[column].role == BT_ROLE_OTHER;
}

bool bt_column_is_raw(const bt_composer *c, size_t column)
{
    bool categories = bt_shows_categories(&c->manifest->columns[column]);
    return (bt_column_is_sensitive(c, column) && !categories) || is_other(c, column);
}

static bool is_mixed(const bt_composer *c, size_t column)
{
    return bt_column_is_sensitive(c, column) && c->basis->mixed[column];
}

static bool is_unmixed(const bt_composer *c, size_t column)
{
    return bt_column_is_sensitive(c, column) && !c->basis->mixed[column];
}

bool bt_column_is_category(const bt_composer *c, size_t column)
{
    return bt_shows_categories(&c->manifest->columns[column]);
}

/* ---- what several forms say ---------------------------------------------------------------- */

bauta_status bt_say_values(bt_composer *c, const char *where)
{
    if (!*c->basis->values) return BAUTA_OK;
    return bt_say(c, "The sensitive values of every %s satisfy %s.", where, c->basis->values);
}

bauta_status bt_expose_values(bt_composer *c, const char *where)
{
    bt_column_list unmixed = bt_list_columns(c, is_unmixed), mixed = bt_list_columns(c, is_mixed);
    bool categories = bt_list_columns(c, bt_column_is_category).count > 0;
    if (unmixed.count > 0)
        BT_TRY(bt_say(c, "A %s whose records agree in %s%s%s tells it of everyone in it.", where,
                      categories ? "the category of " : "", unmixed.count > 1 ? "one of " : "",
                      unmixed.text));
    if (mixed.count == 0) return BAUTA_OK;
    return bt_say(c,
                  "Whoever knows the %s of a person knows which %s of %s the person may have, and "
                  "how frequent each of them is.",
                  where, categories ? "categories" : "values", mixed.text);
}

bauta_status bt_expose_joint(bt_composer *c)
{
    bt_column_list sensitive = bt_list_columns(c, bt_column_is_sensitive);
    if (c->manifest->joint != BT_JOINT_NONE || sensitive.count < 2) return BAUTA_OK;
    return bt_say(
        c,
        "Whoever also knows %sone of %s of a person may learn the other%s: the promises were "
        "not judged given another sensitive value (joint: none).",
        bt_list_columns(c, bt_column_is_category).count > 0 ? "the category of " : "",
        sensitive.text, sensitive.count > 2 ? "s" : "");
}

bauta_status bt_expose_columns(bt_composer *c, bt_column_choice is_shown)
{
    bt_column_list raw = bt_list_columns(c, is_shown);
    if (raw.count == 0) return BAUTA_OK;
    bool one = raw.count == 1;
    return bt_say(
        c,
        "The %s %s %s published as %s: whoever knows %s of a person may find the person's "
        "row by %s.",
        one ? "column" : "columns", raw.text, one ? "is" : "are", one ? "it is" : "they are",
        one ? "it" : "them", one ? "it" : "them");
}

bauta_status bt_expose_method(bt_composer *c)
{
    const bt_named_method *method = &c->manifest->method;
    bool decides = !method->type || bt_decides_by_values(method->type);
    if (!decides || !c->basis->about_values || c->manifest->replayer == 1) return BAUTA_OK;
    if (c->manifest->replayer > 1)
        return bt_say(
            c,
            "Whoever knows the method and the quasi-identifiers of everyone, and tries out "
            "how classes could have been divided, may take a sensitive value of a person "
            "to be likelier or less likely than the class shows: its odds change by a "
            "factor of at most %u.",
            c->manifest->replayer);
    return bt_say(
        c, bt_method_retrace(method).coins
               ? "Whoever knows the method and tries out how classes could have been divided "
                 "may learn a little more of sensitive values."
               : "Whoever knows the method and tries out how classes could have been divided "
                 "may learn more of sensitive values than a reader; no bound on that is "
                 "stated.");
}

bauta_status bt_expose_counts(bt_composer *c)
{
    bt_counting persons = c->manifest->persons;
    if (persons == BT_COUNT_ROWS)
        return bt_say(c,
                      "Rows are counted, not persons: someone with several rows is not protected "
                      "as one person.");
    if (persons == BT_COUNT_TOGETHER)
        return bt_say(c, "All rows of a person are in one class, and the values of that class tell "
                         "more of someone with many rows.");
    return bt_say(c,
                  "A person may have rows in several classes, and whoever knows several rows of a "
                  "person may tell the person apart by these classes.");
}

bauta_status bt_expose_others(bt_composer *c)
{
    bt_column_list others = bt_list_columns(c, is_other);
    if (others.count == 0) return BAUTA_OK;
    BT_TRY(bt_expose_columns(c, is_other));
    return bt_say(c, "Where %s with %s, that tells it.",
                  others.count == 1 ? "this column goes" : "one of these columns goes",
                  bt_list_columns(c, bt_column_is_sensitive).text);
}

const char bt_everyone_is_seen[] = "Anyone can see who is in the table and what their "
                                   "quasi-identifiers are: presence and identity "
                                   "are not protected.";

/* ---- format 0 ----------------------------------------------------------------------------- */

static const char apart_0[] =
    "; a person may have rows in several classes, and whoever knows several rows of a person may "
    "tell the person apart by all of these classes";

static const char together_0[] =
    "; a person may have several rows, all of them in one class, and of someone with many rows the "
    "values of the class tell more";

const char *bt_words_0_of_persons(const bt_manifest *manifest, const char *form, bt_arena *arena)
{
    if (manifest->persons == BT_COUNT_ROWS) return form;
    bool together = manifest->persons == BT_COUNT_TOGETHER;
    return bt_arena_print(arena, "%s%s", form, together ? together_0 : apart_0);
}

/* ---- the remark -------------------------------------------------------------------------- */

/* Not to be lost with the field that says it: an experiment must not pass for a release. */
static const char of_experiment[] =
    "made for experiments, with an order of rows and numbers that can be repeated and so undone: "
    "not to be handed out";

static const char *remark_of_form(const bt_manifest *manifest)
{
    const bt_reading_form *form = bt_reading_find(manifest);
    return form && form->remark ? form->remark(manifest) : NULL;
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

static void composer_release(bt_composer *c)
{
    bt_buffer_release(&c->text);
}

static bauta_status compose(const bt_manifest *manifest, const bt_words_basis *basis,
                            bauta_status (*part)(bt_composer *), bt_arena *arena, const char **out,
                            bauta_error *error)
{
    BT_OWN(composer_release) bt_composer c = {.manifest = manifest, .basis = basis, .error = error};
    BT_TRY(part(&c));
    *out = bt_arena_copy(arena, c.text.bytes, c.text.length);
    return bt_arena_check(arena, error);
}

static bauta_status know_nothing(bt_composer *c)
{
    return bt_say(c, "Nothing is known of what this form protects.");
}

bauta_status bt_words_compose(const bt_manifest *manifest, const bt_words_basis *basis,
                              bt_arena *arena, bt_words *out, bauta_error *error)
{
    const bt_reading_form *form = bt_reading_find(manifest);
    *out = (bt_words){0};
    BT_TRY(compose_remark(manifest, arena, &out->remark, error));
    if (manifest->format == 0 && form && form->exposes_0) {
        out->not_protected = form->exposes_0(manifest, arena);
        return out->not_protected ? BAUTA_OK : bt_fail_memory(error);
    }
    BT_TRY(compose(manifest, basis, form ? form->protects : know_nothing, arena, &out->protects,
                   error));
    return compose(manifest, basis, form ? form->exposes : know_nothing, arena, &out->not_protected,
                   error);
}
