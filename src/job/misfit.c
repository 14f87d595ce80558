/* SPDX-License-Identifier: Apache-2.0
 *
 * A table and a release that do not go together, in words that name both.
 */
#include "job/misfit.h"

#include "recipe/names.h"

#include <string.h>

/* What is known when a table could not be read. */
typedef struct misfit {
    const bt_manifest *manifest;
    const char *file;
    bool people;  /* the table is a public one */
    bool earlier; /* the release is one that was made from another table before */
} misfit;

/* Where a column stands in the table; loaded->columns: nowhere. */
static size_t find_place(const bt_loaded *loaded, const char *name)
{
    const char *const *names = bt_input_names(loaded->input);
    size_t place = 0;
    while (place < loaded->columns && strcmp(names[place], name) != 0)
        place++;
    return place;
}

static bauta_status explain_absence(const misfit *m, const char *column, bauta_error *error)
{
    const char *folder = m->manifest->folder;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the table has no column '%s'", column);
    bt_error_place(error, m->file, -1, NULL);
    if (m->people)
        bt_error_hint(error, "it must have all quasi columns of the release in %s, by their names",
                      folder);
    else if (m->earlier)
        bt_error_hint(error,
                      "the earlier release in %s has this column: only a table with all of its "
                      "columns can be compared with it",
                      folder);
    else
        bt_error_hint(error,
                      "the release in %s has this column: name the table that it was made from",
                      folder);
    return status;
}

/* The type that the values of a column have by themselves; *out stays when there are none. */
static bauta_status find_type(const bt_loaded *loaded, size_t place, bt_type *out,
                              bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(loaded->input);
    const bt_domain_options any = {.missing = bt_input_missing(options, place),
                                   .decimal_comma = options->decimal_comma,
                                   .column = loaded->plan[place].name};
    if (loaded->roles[place] == BT_ROLE_OTHER) {
        *out = loaded->readings[place].type;
        return BAUTA_OK;
    }
    const bt_values *values = bt_raw_values(loaded->raw, place);
    bt_arena arena = {0};
    bt_domain domain;
    uint32_t *code_of = bt_array(values->count, sizeof *code_of);
    bauta_status status = code_of ? bt_domain_build(values, &any, &arena, &domain, code_of, error)
                                  : bt_fail_memory(error);
    if (status == BAUTA_OK && bt_domain_present(&domain) > 0) *out = domain.reading.type;
    bt_arena_release(&arena);
    free(code_of);
    return status;
}

/* Whether a reading as dates fits all values: then it is not the type that is wrong. */
static bool are_dates(const bt_loaded *loaded, size_t place)
{
    const bt_input_options *options = bt_input_settings(loaded->input);
    unsigned forms = BT_FORM_YMD | BT_FORM_DMY | BT_FORM_MDY;
    if (loaded->roles[place] == BT_ROLE_OTHER)
        return (bt_raw_check(loaded->raw, place)->forms & forms) != 0;
    const bt_values *values = bt_raw_values(loaded->raw, place);
    for (uint32_t i = 0; i < values->count && forms != 0; i++)
        if (!bt_is_missing(bt_input_missing(options, place), values->text[i], values->length[i]))
            forms &= bt_value_forms(values->text[i], values->length[i], options->decimal_comma);
    return forms != 0;
}

static bool is_read(const bt_loaded *loaded, size_t place)
{
    if (!loaded->roles || !loaded->raw || place == loaded->columns) return false;
    bt_role role = loaded->roles[place];
    return role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE || role == BT_ROLE_OTHER;
}

static bauta_status explain_type(const misfit *m, const bt_manifest_column *column, bt_type found,
                                 bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "the values are of type %s, and in the release in %s of type %s",
        bt_type_name(found), m->manifest->folder, bt_type_name(column->type));
    bt_error_place(error, m->file, -1, column->name);
    const char *other = m->people || m->earlier ? "write them as those of the release"
                                                : "name the table that the release was made from";
    if (found == BT_TEXT)
        bt_error_hint(error,
                      "if some of them mean that a value is missing, name these "
                      "(--missing-values); if numbers have a decimal comma, say --decimal comma; "
                      "else %s",
                      other);
    else
        bt_error_hint(error,
                      "%s; the release can be compared with this one if it is made with '--type "
                      "%s=%s'",
                      other, column->name,
                      bt_type_name(found == BT_DECIMAL ? BT_DECIMAL : BT_TEXT));
    return status;
}

/* The column of the manifest that an error is about; NULL: none. */
static const bt_manifest_column *find_column(const bt_manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->column_count; i++)
        if (strcmp(manifest->columns[i].name, name) == 0) return &manifest->columns[i];
    return NULL;
}

/* The first column of the plan that the table has not; NULL: none. */
static bauta_status find_absent(const bauta_recipe *plan, const bt_loaded *loaded, const char **out,
                                bauta_error *error)
{
    const char *const *names = bt_input_names(loaded->input);
    bt_names index = {0};
    bauta_status status = BAUTA_OK;
    uint32_t place;
    bool added;
    *out = NULL;
    for (size_t i = 0; i < loaded->columns && status == BAUTA_OK; i++)
        status = bt_names_add(&index, 0, names[i], (uint32_t)i, &added, error);
    for (size_t i = 0; i < plan->column_count && status == BAUTA_OK && !*out; i++)
        if (!bt_names_find(&index, 0, plan->columns[i].name, &place)) *out = plan->columns[i].name;
    bt_names_release(&index);
    return status;
}

bauta_status bt_explain_misfit(const bt_manifest *manifest, bt_original_need need,
                               const bt_original *original, bauta_error *error)
{
    const bt_loaded *loaded = &original->loaded;
    const char *absent = NULL;
    if (!error || !loaded->input || !manifest->folder) return BAUTA_INVALID;
    const misfit m = {.manifest = manifest,
                      .file = bt_input_name(loaded->input),
                      .people = need == BT_NEED_QUASI,
                      .earlier = need == BT_NEED_EARLIER};
    if (!loaded->roles) BT_TRY(find_absent(original->plan, loaded, &absent, error));
    if (absent && find_column(manifest, absent)) return explain_absence(&m, absent, error);
    const bt_manifest_column *column = find_column(manifest, error->column);
    size_t place = column ? find_place(loaded, column->name) : loaded->columns;
    if (error->file[0] || !is_read(loaded, place)) return BAUTA_INVALID;
    bt_type found = column->type;
    BT_TRY(find_type(loaded, place, &found, error));
    bool fits = found == column->type || column->type == BT_TEXT ||
                (found == BT_INTEGER && column->type == BT_DECIMAL) ||
                (column->type == BT_DATE && are_dates(loaded, place));
    if (!fits) return explain_type(&m, column, found, error);
    bt_error_place(error, m.file, error->row, NULL);
    return BAUTA_INVALID;
}
