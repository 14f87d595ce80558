/* SPDX-License-Identifier: Apache-2.0
 *
 * The output folder: working folders, sync, rename, clean-up.
 */
#include "publish/folder.h"

#include "publish/shuffle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char working_prefix[] = ".publish-";

/* Files that go to a folder inside OUT/private wait under names that begin so. */
static const char tree_prefix[] = "hierarchies=", tree_folder[] = "hierarchies";

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = bt_array(length, 1);
    if (path) snprintf(path, length, "%s/%s", folder, name);
    return path;
}

/* ---- removing ---------------------------------------------------------------------------- */

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The folder itself, never what a link of its name leads to. */
static DIR *open_folder(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    DIR *list = fdopendir(descriptor);
    if (!list) {
        int reason = errno;
        close(descriptor);
        errno = reason;
    }
    return list;
}

/* A release is flat: no recursion is needed to empty one. */
static void empty_folder(DIR *list)
{
    rewinddir(list);
    for (struct dirent *entry; (entry = readdir(list));)
        if (!is_dots(entry->d_name)) unlinkat(dirfd(list), entry->d_name, 0);
}

static void remove_folder(const char *path)
{
    DIR *list = open_folder(path);
    if (list) {
        empty_folder(list);
        closedir(list);
    }
    rmdir(path);
}

/* Working folders whose lock nobody holds were left by a killed run. */
static void remove_abandoned(const char *parent)
{
    DIR *list = opendir(parent);
    if (!list) return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strncmp(entry->d_name, working_prefix, sizeof working_prefix - 1) != 0) continue;
        char *path = join(parent, entry->d_name);
        DIR *found = path ? open_folder(path) : NULL;
        if (found && flock(dirfd(found), LOCK_EX | LOCK_NB) == 0) {
            empty_folder(found);
            rmdir(path);
        }
        if (found) closedir(found);
        free(path);
    }
    closedir(list);
}

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status make_folder(const char *path, mode_t mode, bool *made, bauta_error *error)
{
    *made = mkdir(path, mode) == 0;
    if (*made) return BAUTA_OK;
    if (errno != EEXIST) return bt_fail_errno(error, "cannot make the folder", path);
    struct stat facts;
    if (stat(path, &facts) != 0) return bt_fail_errno(error, "cannot look at", path);
    if (S_ISDIR(facts.st_mode)) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists and is not a folder", path);
    bt_error_hint(error, "name another output folder");
    return status;
}

/* A hidden folder of our own, 0700. The lock tells the next run that ours is alive; where the
 * file system has no locks, nobody will take the folder for abandoned either. */
static bauta_status make_working(char *path, int *lock, bauta_error *error)
{
    if (!mkdtemp(path)) return bt_fail_errno(error, "cannot make a folder as", path);
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool taken = *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (*lock >= 0 && !taken) return BAUTA_OK;
    bauta_status status = bt_fail_errno(error, "cannot lock", path);
    rmdir(path);
    return status;
}

static bauta_status refuse_existing(const bt_folder *folder, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists", folder->publish);
    bt_error_hint(error, "choose another output folder, or replace the release with --force");
    return status;
}

/* Plain files, manifest.json among them; or nothing at all. */
static bool is_release(DIR *list)
{
    size_t entries = 0;
    bool manifest = false;
    for (struct dirent *entry; (entry = readdir(list));) {
        struct stat facts;
        if (is_dots(entry->d_name)) continue;
        if (fstatat(dirfd(list), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return false;
        if (!S_ISREG(facts.st_mode)) return false;
        manifest = manifest || strcmp(entry->d_name, "manifest.json") == 0;
        entries++;
    }
    return manifest || entries == 0;
}

/* Keeps what is to be replaced open, so that removing it later cannot fail for want of anything. */
static bauta_status look_at_publish(bt_folder *folder, bool force, bauta_error *error)
{
    struct stat facts;
    if (lstat(folder->publish, &facts) != 0) {
        if (errno == ENOENT) return BAUTA_OK;
        return bt_fail_errno(error, "cannot look at", folder->publish);
    }
    if (!force) return refuse_existing(folder, error);
    if (S_ISDIR(facts.st_mode)) {
        folder->replaced = open_folder(folder->publish);
        if (!folder->replaced) return bt_fail_errno(error, "cannot open", folder->publish);
        if (is_release(folder->replaced)) return BAUTA_OK;
    }
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' exists and is not a release", folder->publish);
    bt_error_hint(error, "choose another output folder: only a release is replaced");
    return status;
}

static bauta_status open_paths(const char *out, bt_folder *folder, bauta_error *error)
{
    folder->out = join(out, "");
    folder->publish = join(out, "publish");
    folder->private_dir = join(out, "private");
    folder->working = join(out, ".publish-XXXXXX");
    if (folder->private_dir) folder->staging = join(folder->private_dir, ".publish-XXXXXX");
    bool complete = folder->out && folder->publish && folder->working && folder->staging;
    return complete ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status open_folders(const char *out, bool force, bt_folder *folder, bauta_error *error)
{
    BT_TRY(open_paths(out, folder, error));
    BT_TRY(make_folder(out, 0755, &folder->made_out, error));
    BT_TRY(look_at_publish(folder, force, error));
    remove_abandoned(out);
    BT_TRY(make_working(folder->working, &folder->working_lock, error));
    BT_TRY(make_folder(folder->private_dir, 0700, &folder->made_private, error));
    remove_abandoned(folder->private_dir);
    return make_working(folder->staging, &folder->staging_lock, error);
}

bauta_status bt_folder_open(const char *out, bool force, bt_folder *folder, bauta_error *error)
{
    *folder = BT_FOLDER_NONE;
    bauta_status status = open_folders(out, force, folder, error);
    if (status != BAUTA_OK) bt_folder_close(folder);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------- */

static bauta_status create(const char *path, mode_t mode, int *descriptor, bauta_error *error)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    return *descriptor >= 0 ? BAUTA_OK : bt_fail_errno(error, "cannot create", path);
}

bauta_status bt_create_file(const char *folder, const char *name, bt_arena *arena,
                            const char **path, int *descriptor, bauta_error *error)
{
    *path = bt_arena_print(arena, "%s/%s", folder, name);
    return *path ? create(*path, 0644, descriptor, error) : bt_fail_memory(error);
}

static bauta_status write_file(const char *path, mode_t mode, const char *bytes, size_t length,
                               bauta_error *error)
{
    int descriptor;
    BT_TRY(create(path, mode, &descriptor, error));
    bauta_status status = bt_write_at(descriptor, path, 0, bytes, length, error);
    if (status == BAUTA_OK && fsync(descriptor) != 0)
        status = bt_fail_errno(error, "cannot sync", path);
    if (close(descriptor) != 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot close", path);
    return status;
}

bauta_status bt_folder_write(const bt_folder *folder, bool publish, const char *name,
                             const char *bytes, size_t length, bauta_error *error)
{
    char *path = join(publish ? folder->working : folder->staging, name);
    if (!path) return bt_fail_memory(error);
    bauta_status status = write_file(path, publish ? 0644 : 0600, bytes, length, error);
    free(path);
    return status;
}

bauta_status bt_folder_write_tree(const bt_folder *folder, const char *name, const char *bytes,
                                  size_t length, bauta_error *error)
{
    char *waiting = bt_array(sizeof tree_prefix + strlen(name), 1);
    if (!waiting) return bt_fail_memory(error);
    snprintf(waiting, sizeof tree_prefix + strlen(name), "%s%s", tree_prefix, name);
    bauta_status status = bt_folder_write(folder, false, waiting, bytes, length, error);
    free(waiting);
    return status;
}

/* ---- committing -------------------------------------------------------------------------- */

/* Some file systems cannot sync a folder by itself: there is nothing more to be done then. */
static bauta_status sync_descriptor(int descriptor, const char *path, bauta_error *error)
{
    if (fsync(descriptor) == 0 || errno == EINVAL) return BAUTA_OK;
    return bt_fail_errno(error, "cannot sync", path);
}

static bauta_status sync_path(const char *path, int flags, bauta_error *error)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open", path);
    bauta_status status = sync_descriptor(descriptor, path, error);
    close(descriptor);
    return status;
}

static bauta_status finish_file(const char *path, const struct timespec times[2],
                                bauta_error *error)
{
    if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) != 0)
        return bt_fail_errno(error, "cannot set the time of", path);
    return sync_path(path, O_RDONLY, error);
}

typedef bauta_status (*visit_file)(const bt_folder *folder, const char *name, const void *user,
                                   bauta_error *error);

static bauta_status each_file(const bt_folder *folder, const char *path, visit_file visit,
                              const void *user, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    DIR *list = open_folder(path);
    if (!list) return bt_fail_errno(error, "cannot read", path);
    while (status == BAUTA_OK) {
        errno = 0;
        struct dirent *entry = readdir(list);
        if (!entry && errno != 0) status = bt_fail_errno(error, "cannot read", path);
        if (!entry) break;
        if (!is_dots(entry->d_name)) status = visit(folder, entry->d_name, user, error);
    }
    closedir(list);
    return status;
}

static bauta_status finish_published(const bt_folder *folder, const char *name, const void *user,
                                     bauta_error *error)
{
    char *path = join(folder->working, name);
    if (!path) return bt_fail_memory(error);
    bauta_status status = finish_file(path, user, error);
    free(path);
    return status;
}

/* All files and the folder get the same time, so that times tell nothing. */
static bauta_status finish_files(const bt_folder *folder, bauta_error *error)
{
    struct timespec now[2] = {{.tv_sec = time(NULL)}, {0}};
    now[1] = now[0];
    BT_TRY(each_file(folder, folder->working, finish_published, now, error));
    if (fchmod(folder->working_lock, 0755) != 0)
        return bt_fail_errno(error, "cannot set the mode of", folder->working);
    if (futimens(folder->working_lock, now) != 0)
        return bt_fail_errno(error, "cannot set the time of", folder->working);
    return sync_descriptor(folder->working_lock, folder->working, error);
}

static bauta_status exchange(const bt_folder *folder, bauta_error *error)
{
    if (renameat2(AT_FDCWD, folder->working, AT_FDCWD, folder->publish, RENAME_EXCHANGE) == 0)
        return BAUTA_OK;
    bool unable = errno == EINVAL || errno == ENOSYS;
    bauta_status status = bt_fail_errno(error, "cannot replace", folder->publish);
    if (unable)
        bt_error_hint(error, "this file system cannot exchange folders: choose another output "
                             "folder");
    return status;
}

/* A file system that does not know RENAME_NOREPLACE still refuses to rename a folder over one
 * that holds anything. */
static bauta_status appear(const bt_folder *folder, bauta_error *error)
{
    if (renameat2(AT_FDCWD, folder->working, AT_FDCWD, folder->publish, RENAME_NOREPLACE) == 0)
        return BAUTA_OK;
    if ((errno == EINVAL || errno == ENOSYS) && rename(folder->working, folder->publish) == 0)
        return BAUTA_OK;
    if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
        return refuse_existing(folder, error);
    return bt_fail_errno(error, "cannot rename to", folder->publish);
}

static bauta_status move_private(const bt_folder *folder, const char *name, const void *user,
                                 bauta_error *error)
{
    (void)user;
    bool tree = strncmp(name, tree_prefix, sizeof tree_prefix - 1) == 0, made;
    char *trees = join(folder->private_dir, tree_folder), *from = join(folder->staging, name);
    char *to = tree && trees ? join(trees, name + sizeof tree_prefix - 1)
                             : join(folder->private_dir, name);
    bauta_status status = trees && from && to ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && tree) status = make_folder(trees, 0700, &made, error);
    if (status == BAUTA_OK && rename(from, to) != 0)
        status = bt_fail_errno(error, "cannot rename to", to);
    free(trees);
    free(from);
    free(to);
    return status;
}

bauta_status bt_folder_keep(const bt_folder *folder, const char *name, const char *bytes,
                            size_t length, bauta_error *error)
{
    BT_TRY(bt_folder_write(folder, false, name, bytes, length, error));
    return move_private(folder, name, NULL, error);
}

/* What was only asked for with the release that is gone now. */
static void remove_outdated(const bt_folder *folder)
{
    static const char *const names[] = {"mapping.csv", "report.html", "conflicts.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = join(folder->private_dir, names[i]);
        bool fresh = faccessat(folder->staging_lock, names[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        if (path && !fresh) unlink(path);
        free(path);
    }
    char *trees = join(folder->private_dir, tree_folder);
    if (trees) remove_folder(trees);
    free(trees);
}

/* The owner's files follow the release: until it is there they must not speak of it. */
bauta_status bt_folder_commit(bt_folder *folder, bauta_error *error)
{
    BT_TRY(finish_files(folder, error));
    BT_TRY(folder->replaced ? exchange(folder, error) : appear(folder, error));
    folder->published = true;
    if (folder->replaced) remove_outdated(folder);
    BT_TRY(each_file(folder, folder->staging, move_private, NULL, error));
    BT_TRY(sync_path(folder->private_dir, O_RDONLY | O_DIRECTORY, error));
    return sync_path(folder->out, O_RDONLY | O_DIRECTORY, error);
}

/* ---- closing ----------------------------------------------------------------------------- */

void bt_folder_close(bt_folder *folder)
{
    if (folder->published && folder->replaced) {
        empty_folder(folder->replaced); /* it is called `working` since the exchange */
        rmdir(folder->working);
    } else if (folder->working_lock >= 0 && !folder->published) {
        remove_folder(folder->working);
    }
    if (folder->staging_lock >= 0) remove_folder(folder->staging);
    /* These fail, rightly, when something is there. */
    if (folder->made_private && !folder->published) rmdir(folder->private_dir);
    if (folder->made_out && !folder->published) rmdir(folder->out);
    if (folder->replaced) closedir(folder->replaced);
    if (folder->working_lock >= 0) close(folder->working_lock);
    if (folder->staging_lock >= 0) close(folder->staging_lock);
    free(folder->out);
    free(folder->publish);
    free(folder->private_dir);
    free(folder->working);
    free(folder->staging);
    *folder = BT_FOLDER_NONE;
}
