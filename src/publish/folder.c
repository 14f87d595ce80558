/* SPDX-License-Identifier: Apache-2.0
 *
 * The output folder: working folder, sync, rename, clean-up.
 */
#include "publish/folder.h"

#include "publish/shuffle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char working_prefix[] = ".publish-";

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = bt_array(length, 1);
    if (path) snprintf(path, length, "%s/%s", folder, name);
    return path;
}

/* A release is flat: no recursion is needed to remove one. */
static void remove_folder(const char *path)
{
    DIR *list = opendir(path);
    if (list) {
        for (struct dirent *entry; (entry = readdir(list));)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                unlinkat(dirfd(list), entry->d_name, 0);
        closedir(list);
    }
    rmdir(path);
}

/* Working folders whose lock nobody holds were left by a killed run. */
static void remove_abandoned(const char *out)
{
    DIR *list = opendir(out);
    if (!list) return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strncmp(entry->d_name, working_prefix, sizeof working_prefix - 1) != 0) continue;
        char *path = join(out, entry->d_name);
        int lock = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) remove_folder(path);
        if (lock >= 0) close(lock);
        free(path);
    }
    closedir(list);
}

static bauta_status make_out(const char *out, bt_folder *folder, bauta_error *error)
{
    if (mkdir(out, 0755) == 0) {
        folder->made_out = true;
        return BAUTA_OK;
    }
    if (errno != EEXIST) return bt_fail_errno(error, "cannot make the folder", out);
    struct stat facts;
    if (stat(out, &facts) != 0) return bt_fail_errno(error, "cannot look at", out);
    if (!S_ISDIR(facts.st_mode)) {
        bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists and is not a folder", out);
        bt_error_hint(error, "name another output folder");
        return status;
    }
    return BAUTA_OK;
}

static bauta_status make_working(bt_folder *folder, bauta_error *error)
{
    if (!mkdtemp(folder->working))
        return bt_fail_errno(error, "cannot make a folder in", folder->out);
    folder->lock = open(folder->working, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0 || flock(folder->lock, LOCK_EX | LOCK_NB) != 0)
        return bt_fail_errno(error, "cannot lock", folder->working);
    return BAUTA_OK;
}

static bauta_status refuse_existing(const bt_folder *folder, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists", folder->publish);
    bt_error_hint(error, "choose another output folder, or replace the release with --force");
    return status;
}

bauta_status bt_folder_open(const char *out, bool force, bt_folder *folder, bauta_error *error)
{
    *folder = (bt_folder){.lock = -1};
    folder->out = join(out, "");
    folder->publish = join(out, "publish");
    folder->private_dir = join(out, "private");
    folder->working = join(out, ".publish-XXXXXX");
    bool complete = folder->out && folder->publish && folder->private_dir && folder->working;
    bauta_status status = complete ? make_out(out, folder, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        struct stat facts;
        folder->replace = lstat(folder->publish, &facts) == 0;
        if (folder->replace && !force) status = refuse_existing(folder, error);
    }
    if (status == BAUTA_OK) {
        remove_abandoned(out);
        status = make_working(folder, error);
    }
    if (status != BAUTA_OK) bt_folder_close(folder);
    return status;
}

static bauta_status sync_path(const char *path, int flags, bauta_error *error)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open", path);
    bauta_status status = BAUTA_OK;
    if (fsync(descriptor) != 0) status = bt_fail_errno(error, "cannot sync", path);
    close(descriptor);
    return status;
}

static bauta_status write_file(const char *path, mode_t mode, const char *bytes, size_t length,
                               bauta_error *error)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (descriptor < 0) return bt_fail_errno(error, "cannot create", path);
    bauta_status status = bt_write_at(descriptor, path, 0, bytes, length, error);
    if (status == BAUTA_OK && fsync(descriptor) != 0)
        status = bt_fail_errno(error, "cannot sync", path);
    if (close(descriptor) != 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot close", path);
    return status;
}

/* Under a hidden name; bt_folder_commit gives it its own once the release is there. */
static bauta_status write_private(const bt_folder *folder, const char *name, const char *bytes,
                                  size_t length, bauta_error *error)
{
    if (mkdir(folder->private_dir, 0700) != 0 && errno != EEXIST)
        return bt_fail_errno(error, "cannot make the folder", folder->private_dir);
    bt_arena arena = {0};
    const char *hidden = bt_arena_print(&arena, "%s/.%s", folder->private_dir, name);
    bauta_status status =
        hidden ? write_file(hidden, 0600, bytes, length, error) : bt_fail_memory(error);
    bt_arena_release(&arena);
    return status;
}

/* Visits the hidden files of OUT/private: gives them their names, or removes them. */
static bauta_status settle_private(const bt_folder *folder, bool keep, bauta_error *error)
{
    DIR *list = opendir(folder->private_dir);
    if (!list) return BAUTA_OK; /* nothing private was written */
    bauta_status status = BAUTA_OK;
    for (struct dirent *entry; (entry = readdir(list));) {
        const char *name = entry->d_name;
        if (name[0] != '.' || name[1] == '\0' || strcmp(name, "..") == 0) continue;
        if (!keep)
            unlinkat(dirfd(list), name, 0);
        else if (renameat(dirfd(list), name, dirfd(list), name + 1) != 0 && status == BAUTA_OK)
            status = bt_fail_errno(error, "cannot finish", folder->private_dir);
    }
    closedir(list);
    if (!keep) rmdir(folder->private_dir); /* fails, rightly, when older files are there */
    return status;
}

bauta_status bt_folder_write(const bt_folder *folder, bool publish, const char *name,
                             const char *bytes, size_t length, bauta_error *error)
{
    if (!publish) return write_private(folder, name, bytes, length, error);
    char *path = join(folder->working, name);
    if (!path) return bt_fail_memory(error);
    bauta_status status = write_file(path, 0644, bytes, length, error);
    free(path);
    return status;
}

/* Every file gets the same modification time, so that times tell nothing. */
static bauta_status finish_files(const bt_folder *folder, bauta_error *error)
{
    struct timespec now[2] = {{.tv_sec = time(NULL)}, {0}};
    now[1] = now[0];
    DIR *list = opendir(folder->working);
    if (!list) return bt_fail_errno(error, "cannot read", folder->working);
    bauta_status status = BAUTA_OK;
    for (struct dirent *entry; status == BAUTA_OK && (entry = readdir(list));) {
        if (entry->d_name[0] == '.') continue;
        char *path = join(folder->working, entry->d_name);
        status = path ? BAUTA_OK : bt_fail_memory(error);
        if (status == BAUTA_OK && utimensat(AT_FDCWD, path, now, 0) != 0)
            status = bt_fail_errno(error, "cannot set the time of", path);
        if (status == BAUTA_OK) status = sync_path(path, O_RDONLY, error);
        free(path);
    }
    closedir(list);
    if (status == BAUTA_OK && chmod(folder->working, 0755) != 0)
        status = bt_fail_errno(error, "cannot set the mode of", folder->working);
    if (status == BAUTA_OK) status = sync_path(folder->working, O_RDONLY | O_DIRECTORY, error);
    return status;
}

static bauta_status exchange(bt_folder *folder, bauta_error *error)
{
    if (renameat2(AT_FDCWD, folder->working, AT_FDCWD, folder->publish, RENAME_EXCHANGE) == 0)
        return BAUTA_OK;
    bauta_status status = bt_fail_errno(error, "cannot replace", folder->publish);
    bt_error_hint(error, "this file system cannot exchange folders: choose another output folder");
    return status;
}

bauta_status bt_folder_commit(bt_folder *folder, bauta_error *error)
{
    BT_TRY(finish_files(folder, error));
    if (folder->replace) {
        BT_TRY(exchange(folder, error));
        folder->published = true;
        remove_folder(folder->working); /* now the release that was there before */
    } else {
        if (renameat2(AT_FDCWD, folder->working, AT_FDCWD, folder->publish, RENAME_NOREPLACE) != 0)
            return bt_fail_errno(error, "cannot rename to", folder->publish);
        folder->published = true;
    }
    BT_TRY(settle_private(folder, true, error));
    return sync_path(folder->out, O_RDONLY | O_DIRECTORY, error);
}

void bt_folder_close(bt_folder *folder)
{
    if (folder->lock >= 0) {
        if (!folder->published) {
            remove_folder(folder->working);
            (void)!settle_private(folder, false, NULL);
        }
        close(folder->lock);
    }
    if (folder->made_out && !folder->published) rmdir(folder->out);
    free(folder->out);
    free(folder->working);
    free(folder->publish);
    free(folder->private_dir);
    *folder = (bt_folder){.lock = -1};
}

bauta_status bt_create_file(const char *folder, const char *name, bt_arena *arena,
                            const char **path, int *descriptor, bauta_error *error)
{
    *path = bt_arena_print(arena, "%s/%s", folder, name);
    if (!*path) return bt_fail_memory(error);
    *descriptor = open(*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (*descriptor < 0) return bt_fail_errno(error, "cannot create", *path);
    return BAUTA_OK;
}
