/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written is never what is read: outputs are compared with the files that a recipe names,
 * by device and inode, so that no link hides that they are one.
 */
#include "base/text.h"
#include "job/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static bool is_it(const struct stat *out, const char *file)
{
    struct stat facts;
    return stat(file, &facts) == 0 && facts.st_dev == out->st_dev && facts.st_ino == out->st_ino;
}

static bauta_status compare(const struct stat *out, const char *file, bauta_error *error)
{
    if (!file) return BAUTA_OK;
    /* A database's file stands between its scheme and its table: SCHEME:FILE?table=NAME. */
    const char *colon = strchr(file, ':'), *name = colon ? colon + 1 : file;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *inside = bt_arena_print(&scratch, "%.*s", (int)strcspn(name, "?"), name);
    if (!inside) return bt_fail_memory(error);
    if (!is_it(out, file) && !is_it(out, inside)) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' is read, and would be written over", file);
    bt_error_hint(error, "name another output");
    return status;
}

static bauta_status compare_list(const struct stat *out, const bt_list *files, bauta_error *error)
{
    for (size_t i = 0; i < files->count; i++)
        BT_TRY(compare(out, files->items[i], error));
    return BAUTA_OK;
}

/* An option of the form may name a file, as target= of `distribution` does; one that does not names
 * none that is here. */
static bauta_status compare_options(const struct stat *out, const char *form, bauta_error *error)
{
    const char *options = form ? strchr(form, ':') : NULL;
    bt_arena arena = {0};
    char **items = NULL;
    size_t count = 0;
    bauta_status status =
        options ? bt_text_split(&arena, options + 1, ',', &items, &count, error) : BAUTA_OK;
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        char *value = strchr(items[i], '=');
        value = value ? value + 1 : items[i];
        bt_text_unescape(value);
        status = compare(out, value, error);
    }
    bt_arena_release(&arena);
    return status;
}

static bauta_status compare_all(const struct stat *out, const bauta_recipe *recipe,
                                bauta_error *error)
{
    if (!S_ISREG(out->st_mode)) return BAUTA_OK; /* a terminal may be both */
    BT_TRY(compare_list(out, &recipe->inputs, error));
    BT_TRY(compare_list(out, &recipe->publics, error));
    BT_TRY(compare(out, recipe->file, error));
    BT_TRY(compare(out, recipe->seed_file, error));
    BT_TRY(compare(out, recipe->plan, error));
    BT_TRY(compare_options(out, recipe->publish, error));
    for (size_t i = 0; i < recipe->column_count; i++) {
        BT_TRY(compare(out, recipe->columns[i].hierarchy.spec, error));
        BT_TRY(compare(out, recipe->columns[i].categories.file, error));
    }
    return BAUTA_OK;
}

bauta_status bt_check_output(const bauta_recipe *recipe, const char *file, bauta_error *error)
{
    struct stat out;
    return stat(file, &out) == 0 ? compare_all(&out, recipe, error) : BAUTA_OK;
}

static bool is_in(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Files of OUT/`folder`: of these names (NULL: all). */
static bauta_status check_folder(const bauta_recipe *recipe, const char *out, const char *folder,
                                 const char *const *names, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    bt_arena arena = {0};
    const char *path = bt_arena_print(&arena, "%s/%s", out, folder);
    DIR *list = path ? opendir(path) : NULL;
    if (!path)
        status = bt_fail_memory(error);
    else if (!list && errno != ENOENT && errno != ENOTDIR)
        status = bt_fail_errno(error, "cannot open", path);
    for (struct dirent *entry; list && status == BAUTA_OK && (entry = readdir(list));) {
        struct stat found;
        if ((!names || is_in(entry->d_name, names)) &&
            fstatat(dirfd(list), entry->d_name, &found, 0) == 0)
            status = compare_all(&found, recipe, error);
    }
    if (list) closedir(list);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_check_output_folder(const bauta_recipe *recipe, const char *out, bauta_error *error)
{
    static const char *const replaced[] = {"summary.json",  "mapping.csv", "report.html",
                                           "conflicts.csv", "lattice.csv", NULL};
    BT_TRY(check_folder(recipe, out, "publish", NULL, error));
    BT_TRY(check_folder(recipe, out, "private", replaced, error));
    return check_folder(recipe, out, "private/hierarchies", NULL, error);
}
