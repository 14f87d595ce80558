/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes with a table: hierarchy files in the usual form (leaf;level1;…;*) and a recipe that
 * names both. File names in the recipe are relative to its folder where they lie inside it, so
 * that the whole can be moved, and absolute otherwise.
 */
#include "synth/synth.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

static bauta_status hierarchy_text(const bt_synth_column *column, bt_buffer *text,
                                   bauta_error *error)
{
    text->length = 0;
    for (size_t i = 0; i < column->label_count; i++) {
        const bt_synth_label *label = &column->labels[i];
        const char *between = label->path[0] ? ";" : "";
        BT_TRY(bt_buffer_print(text, error, "%s;%s%s*\n", label->text, label->path, between));
    }
    return BAUTA_OK;
}

bauta_status bt_synth_hierarchies(const char *folder, const bt_synth_column *columns, size_t count,
                                  bauta_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return bt_fail_errno(error, "cannot create folder", folder);
    bauta_status status = BAUTA_OK;
    bt_buffer text = {0}, file = {0};
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        if (!columns[i].labels) continue;
        file.length = 0;
        status = bt_buffer_print(&file, error, "%s/%s.csv", folder, columns[i].name);
        if (status == BAUTA_OK) status = hierarchy_text(&columns[i], &text, error);
        if (status == BAUTA_OK) status = bt_sink_put(file.bytes, &text, error);
    }
    bt_buffer_release(&text);
    bt_buffer_release(&file);
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
        return bt_fail(error, BAUTA_USAGE, "the name of a file is too long");
    memcpy(given, file, length);
    memcpy(given + length, ".", 2);
    if (!realpath(given, folder)) return bt_fail_errno(error, "cannot find the folder of", file);
    length = strlen(folder);
    if (folder[length - 1] != '/') memcpy(folder + length, "/", 2);
    return BAUTA_OK;
}

/* A text as YAML writes it between double quotes. */
static bauta_status put_quoted(bt_buffer *out, const char *text, bauta_error *error)
{
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            BT_TRY(bt_buffer_print(out, error, "\\%c", *p));
        else if ((unsigned char)*p < ' ')
            BT_TRY(bt_buffer_print(out, error, "\\x%02x", (unsigned)*p));
        else
            BT_TRY(bt_buffer_add(out, p, 1, error));
    }
    return BAUTA_OK;
}

/* `file` as the recipe in `home` names it. */
static bauta_status put_file(bt_buffer *out, const char *home, const char *file, bauta_error *error)
{
    char folder[PATH_MAX + 1];
    const char *name;
    BT_TRY(locate(file, folder, &name, error));
    size_t common = strncmp(folder, home, strlen(home)) == 0 ? strlen(home) : 0;
    BT_TRY(put_quoted(out, folder + common, error));
    return put_quoted(out, name, error);
}

static bauta_status put_column(bt_buffer *out, const bt_synth_column *column, const char *home,
                               const char *folder, bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "  %s: {role: %s", column->name, column->role));
    if (column->hierarchy) {
        BT_TRY(bt_buffer_print(out, error, ", hierarchy: \"%s\"", column->hierarchy));
    } else if (column->labels && folder) {
        char file[PATH_MAX];
        int length = snprintf(file, sizeof file, "%s/%s.csv", folder, column->name);
        if (length < 0 || (size_t)length >= sizeof file)
            return bt_fail(error, BAUTA_USAGE, "the name of a file is too long");
        BT_TRY(bt_buffer_print(out, error, ", hierarchy: \""));
        BT_TRY(put_file(out, home, file, error));
        BT_TRY(bt_buffer_print(out, error, "\""));
    }
    return bt_buffer_print(out, error, "}\n");
}

/* With few records what is published as it is singles people out, which stops a release. */
static bauta_status put_acceptance(bt_buffer *text, const bt_synth_column *columns, size_t count,
                                   bauta_error *error)
{
    BT_TRY(bt_buffer_print(text, error,
                           "# So few records are singled out by what is published as it is; these "
                           "people are invented.\naccept: ["));
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].role, "other") != 0 && strcmp(columns[i].role, "sensitive") != 0)
            continue;
        BT_TRY(bt_buffer_print(text, error, "%s%s", between, columns[i].name));
        between = ", ";
    }
    return bt_buffer_print(text, error, "]\n");
}

static bauta_status recipe_text(const bt_synth_recipe_job *job, const char *home, bt_buffer *text,
                                bauta_error *error)
{
    BT_TRY(bt_buffer_print(text, error,
                           "# What each column is, and what every class must satisfy.\n"
                           "input: \""));
    if (strcmp(job->table, "-") == 0)
        BT_TRY(bt_buffer_print(text, error, "-"));
    else
        BT_TRY(put_file(text, home, job->table, error));
    BT_TRY(bt_buffer_print(text, error, "\"\n# %s\ncolumns:\n", job->remark));
    for (size_t i = 0; i < job->count; i++)
        BT_TRY(put_column(text, &job->columns[i], home, job->folder, error));
    if (job->few) BT_TRY(put_acceptance(text, job->columns, job->count, error));
    return bt_buffer_print(text, error, "require: k=10,l=3\ngroup: mondrian\n");
}

bauta_status bt_synth_recipe(const bt_synth_recipe_job *job, bauta_error *error)
{
    char home[PATH_MAX + 1];
    const char *name;
    BT_TRY(locate(job->file, home, &name, error));
    bt_buffer text = {0};
    bauta_status status = recipe_text(job, home, &text, error);
    if (status == BAUTA_OK) status = bt_sink_put(job->file, &text, error);
    bt_buffer_release(&text);
    return status;
}
