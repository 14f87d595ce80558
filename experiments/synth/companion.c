/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes with a table: hierarchy files in the usual form (leaf;level1;…;*) and a recipe that
 * names both. File names in the recipe are relative to its folder where they lie inside it, so
 * that the whole can be moved, and absolute otherwise.
 */
#include "synth/synth.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static void put_hierarchy(const ex_synth_column *column, ex_buffer *text)
{
    text->length = 0;
    for (size_t i = 0; i < column->label_count; i++) {
        const ex_synth_label *label = &column->labels[i];
        const char *between = label->path[0] ? ";" : "";
        ex_print(text, "%s;%s%s*\n", label->text, label->path, between);
    }
}

bauta_status ex_synth_hierarchies(const char *folder, const ex_synth_column *columns, size_t count,
                                  bauta_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ex_fail_errno(error, "cannot create folder", folder);
    bauta_status status = BAUTA_OK;
    ex_buffer text = {0}, file = {0};
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        if (!columns[i].labels) continue;
        file.length = 0;
        ex_print(&file, "%s/%s.csv", folder, columns[i].name);
        put_hierarchy(&columns[i], &text);
        status = ex_buffer_check(&file, error);
        if (status == BAUTA_OK) status = ex_file_put(file.bytes, &text, error);
    }
    ex_buffer_release(&text);
    ex_buffer_release(&file);
    return status;
}

/* ---- names in a recipe ---- */

/* The real path of the folder that holds `file`, with a slash at the end, and the last part of
 * its name. */
static bauta_status locate(const char *file, char folder[PATH_MAX + 1], const char **name,
                           bauta_error *error)
{
    const char *slash = strrchr(file, '/');
    *name = slash ? slash + 1 : file;
    char given[PATH_MAX];
    size_t length = slash ? (size_t)(slash - file) + 1 : 0;
    if (length + 1 >= sizeof given)
        return ex_fail(error, BAUTA_USAGE, "the name of a file is too long");
    memcpy(given, file, length);
    memcpy(given + length, ".", 2);
    if (!realpath(given, folder)) return ex_fail_errno(error, "cannot find the folder of", file);
    length = strlen(folder);
    if (folder[length - 1] != '/') memcpy(folder + length, "/", 2);
    return BAUTA_OK;
}

/* A text as YAML writes it between double quotes. */
static void put_quoted(ex_buffer *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            ex_print(out, "\\%c", *p);
        else if ((unsigned char)*p < ' ')
            ex_print(out, "\\x%02x", (unsigned)*p);
        else
            ex_add(out, p, 1);
    }
}

/* `file` as the recipe in `home` names it. */
static bauta_status put_file(ex_buffer *out, const char *home, const char *file, bauta_error *error)
{
    char folder[PATH_MAX + 1];
    const char *name;
    EX_TRY(locate(file, folder, &name, error));
    size_t common = strncmp(folder, home, strlen(home)) == 0 ? strlen(home) : 0;
    put_quoted(out, folder + common);
    put_quoted(out, name);
    return BAUTA_OK;
}

static bauta_status put_column(ex_buffer *out, const ex_synth_column *column, const char *home,
                               const char *folder, bauta_error *error)
{
    ex_print(out, "  %s: {role: %s", column->name, column->role);
    if (column->hierarchy) {
        ex_print(out, ", hierarchy: \"%s\"", column->hierarchy);
    } else if (column->labels && folder) {
        char file[PATH_MAX];
        int length = snprintf(file, sizeof file, "%s/%s.csv", folder, column->name);
        if (length < 0 || (size_t)length >= sizeof file)
            return ex_fail(error, BAUTA_USAGE, "the name of a file is too long");
        ex_print(out, ", hierarchy: \"");
        EX_TRY(put_file(out, home, file, error));
        ex_print(out, "\"");
    }
    ex_print(out, "}\n");
    return BAUTA_OK;
}

/* With few records what is published as it is singles people out, which stops a release. */
static void put_acceptance(ex_buffer *text, const ex_synth_column *columns, size_t count)
{
    ex_print(text, "# So few records are singled out by what is published as it is; these "
                   "people are invented.\naccept: [");
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].role, "other") != 0 && strcmp(columns[i].role, "sensitive") != 0)
            continue;
        ex_print(text, "%s%s", between, columns[i].name);
        between = ", ";
    }
    ex_print(text, "]\n");
}

static bauta_status recipe_text(const ex_synth_recipe_job *job, const char *home, ex_buffer *text,
                                bauta_error *error)
{
    ex_print(text, "# What each column is, and what every class must satisfy.\n"
                   "input: \"");
    if (strcmp(job->table, "-") == 0)
        ex_print(text, "-");
    else
        EX_TRY(put_file(text, home, job->table, error));
    ex_print(text, "\"\n# %s\ncolumns:\n", job->remark);
    for (size_t i = 0; i < job->count; i++)
        EX_TRY(put_column(text, &job->columns[i], home, job->folder, error));
    if (job->few) put_acceptance(text, job->columns, job->count);
    ex_print(text, "require: k=10,l=3\ngroup: mondrian\n");
    return BAUTA_OK;
}

bauta_status ex_synth_recipe(const ex_synth_recipe_job *job, bauta_error *error)
{
    char home[PATH_MAX + 1];
    const char *name;
    EX_TRY(locate(job->file, home, &name, error));
    ex_buffer text = {0};
    bauta_status status = recipe_text(job, home, &text, error);
    if (status == BAUTA_OK) status = ex_file_put(job->file, &text, error);
    ex_buffer_release(&text);
    return status;
}
