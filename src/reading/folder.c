/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder of a release and its manifest.
 */
#include "io/source.h"
#include "reading/parts.h"
#include "spec/sql.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t manifest_limit = (int64_t)1 << 30;

/* ---- folder ------------------------------------------------------------------------------ */

static bauta_status not_a_release(bauta_error *error, const char *folder, const char *why,
                                  const char *what)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the folder is not a release: %s '%s'", why, what);
    bt_error_place(error, folder, -1, NULL);
    return status;
}

static bool belongs(const char *const *files, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i], name) == 0) return true;
    return strcmp(name, "manifest.json") == 0;
}

static bauta_status check_entries(const bt_reading_form *form, size_t count, const char *folder,
                                  DIR *entries, bauta_error *error)
{
    size_t found = 0;
    for (;;) {
        struct stat about;
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (!entry) break;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (!belongs(form->files, count, name))
            return not_a_release(error, folder, "it also holds", name);
        if (fstatat(dirfd(entries), name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            return bt_fail_errno(error, "cannot look at", name);
        if (!S_ISREG(about.st_mode))
            return not_a_release(error, folder, "this is not a plain file:", name);
        found++;
    }
    if (errno != 0) return bt_fail_errno(error, "cannot list", folder);
    if (found == count + 1) return BAUTA_OK;
    return not_a_release(error, folder, "files are missing for the form", form->name);
}

/* The name of a form that is known, but not with a public table; NULL: it is not known at all. */
static const char *without_join(const bt_manifest *manifest)
{
    bt_manifest alone = *manifest;
    alone.join = (bt_join_choice){0};
    const bt_reading_form *form = bt_reading_find(&alone);
    return form ? form->name : NULL;
}

bauta_status bt_release_check_folder(bt_release *release, const char *folder, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const bt_reading_form *form = release->form = bt_reading_find(manifest);
    const char *known = form ? NULL : without_join(manifest);
    size_t count = 0;
    if (known) return not_a_release(error, folder, "there are no joins in the form", known);
    if (!form)
        return not_a_release(error, folder, "this version does not know the form", manifest->form);
    while (count < BT_FORM_FILES && form->files[count])
        count++;
    if (form->lacks_last && form->lacks_last(manifest)) count--;
    release->file_count = form->tables < count ? form->tables : count;
    release->sensitive_file = release->file_count - 1;
    for (size_t i = 0; i < release->file_count; i++)
        release->files[i].name = form->files[i];
    DIR *entries = opendir(folder);
    if (!entries) return bt_fail_errno(error, "cannot open", folder);
    bauta_status status = check_entries(form, count, folder, entries, error);
    closedir(entries);
    return status;
}

/* ---- manifest ---------------------------------------------------------------------------- */

static bauta_status read_all(int descriptor, const char *file, bt_buffer *out, bauta_error *error)
{
    for (;;) {
        BT_TRY(bt_buffer_reserve(out, 1 << 16, error));
        ssize_t got = read(descriptor, out->bytes + out->length, 1 << 16);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", file);
        if (got == 0) return BAUTA_OK;
        out->length += (size_t)got;
        if ((int64_t)out->length > manifest_limit)
            return bt_fail(error, BAUTA_INVALID, "'%s' is longer than 1 GiB", file);
    }
}

/* Whether the first `length` bytes of a path, followed by `rest`, name a plain file. */
static bool is_file(const char *path, size_t length, const char *rest)
{
    char name[PATH_MAX];
    struct stat about;
    int written = snprintf(name, sizeof name, "%.*s%s", (int)length, path, rest);
    return written > 0 && (size_t)written < sizeof name && lstat(name, &about) == 0 &&
           S_ISREG(about.st_mode);
}

/* Someone who names what is around a release, or what is in it, is told where it is. */
static bauta_status no_manifest(const char *folder, bauta_error *error)
{
    struct stat about;
    bauta_status status;
    size_t length = strlen(folder);
    if (stat(folder, &about) != 0) {
        status = bt_fail(error, BAUTA_INVALID, "there is no such folder");
        bt_error_place(error, folder, -1, NULL);
        return status;
    }
    if (S_ISDIR(about.st_mode)) {
        while (length > 1 && folder[length - 1] == '/')
            length--;
        status = not_a_release(error, folder, "cannot open", "manifest.json");
        if (length < PATH_MAX && is_file(folder, length, "/publish/manifest.json"))
            bt_error_hint(error, "did you mean '%.*s/publish'?", (int)length, folder);
        return status;
    }
    status = bt_fail(error, BAUTA_INVALID, "this is a file, and a release is a folder");
    bt_error_place(error, folder, -1, NULL);
    const char *slash = strrchr(folder, '/');
    length = slash ? (size_t)(slash - folder) : 0;
    if (length > 0 && length < PATH_MAX && is_file(folder, length, "/manifest.json"))
        bt_error_hint(error, "did you mean '%.*s'?", (int)length, folder);
    return status;
}

bauta_status bt_release_read_manifest(bt_release *release, const char *folder, bauta_error *error)
{
    bt_buffer text = {0};
    const char *file = bt_arena_print(&release->arena, "%s/manifest.json", folder);
    if (!file) return bt_fail_memory(error);
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
            return no_manifest(folder, error);
        return bt_fail_errno(error, "cannot open", file);
    }
    bauta_status status = read_all(descriptor, file, &text, error);
    close(descriptor);
    if (status == BAUTA_OK)
        status =
            bt_manifest_read(text.bytes, text.length, &release->arena, &release->manifest, error);
    if (status == BAUTA_INVALID && error && error->file[0] == '\0')
        bt_error_place(error, file, error->row, NULL);
    bt_buffer_release(&text);
    if (status != BAUTA_OK) return status;
    release->manifest.folder = bt_arena_print(&release->arena, "%s", folder);
    return release->manifest.folder ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- files that follow from the manifest ------------------------------------------------- */

bauta_status bt_release_holds(const char *path, const bt_buffer *text, bool *out,
                              bauta_error *error)
{
    bt_buffer found = {0};
    size_t got = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open", path);
    bauta_status status = bt_buffer_reserve(&found, text->length + 1, error);
    if (status == BAUTA_OK)
        status = bt_read_at(descriptor, path, 0, found.bytes, text->length + 1, &got, error);
    *out = status == BAUTA_OK && got == text->length &&
           memcmp(found.bytes, text->bytes, text->length) == 0;
    bt_buffer_release(&found);
    close(descriptor);
    return status;
}

bauta_status bt_release_check_sql(bt_release *release, const char *folder, bauta_error *error)
{
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_status status = bt_sql_write(&release->manifest, texts, error);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        bool same = true;
        const char *path = bt_arena_print(&release->arena, "%s/%s", folder, bt_sql_names[i]);
        if (!path && status == BAUTA_OK) status = bt_fail_memory(error);
        if (status == BAUTA_OK) status = bt_release_holds(path, &texts[i], &same, error);
        if (!same && !release->foreign) release->foreign = bt_sql_names[i];
        bt_buffer_release(&texts[i]);
    }
    return status;
}
