/* SPDX-License-Identifier: Apache-2.0
 *
 * The output folder: working folders, sync, rename, clean-up.
 */
#include "publish/folder.h"

#include "io/source.h"
#include "publish/shuffle.h"
#include "spec/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Working folders are called so; beside each is a file of its name with an ending, the mark that it
 * is one of ours. */
static const char working_prefix[] = ".publish-", mark_ending[] = ".bauta";
enum { WORKING_LETTERS = 6 };
static const char mark_text[] =
    "Bauta works in the folder of this name. When no run is on, both may be deleted.\n";

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

/* Whether it is the name of a mark. */
static bool is_mark(const char *name)
{
    size_t prefix = sizeof working_prefix - 1;
    return strlen(name) == prefix + WORKING_LETTERS + sizeof mark_ending - 1 &&
           strncmp(name, working_prefix, prefix) == 0 &&
           strcmp(name + prefix + WORKING_LETTERS, mark_ending) == 0;
}

/* With its mark, which goes last. */
static void remove_working(char *folder, const char *mark)
{
    remove_folder(folder);
    unlink(mark);
}

/* Working folders of killed runs. Whoever holds the lock of OUT knows that no other run is on. */
static void remove_abandoned(const char *parent)
{
    DIR *list = opendir(parent);
    if (!list) return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (!is_mark(entry->d_name)) continue;
        char *mark = join(parent, entry->d_name), *folder = mark ? strdup(mark) : NULL;
        if (folder) {
            folder[strlen(folder) - (sizeof mark_ending - 1)] = '\0';
            remove_working(folder, mark);
        }
        free(folder);
        free(mark);
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

/* A hidden folder of our own, 0700. Its mark is there first: a folder without one is not ours. */
static bauta_status make_working(bt_working *working, bauta_error *error)
{
    size_t ending = sizeof mark_ending - 1, length = strlen(working->mark);
    int mark = mkostemps(working->mark, (int)ending, O_CLOEXEC);
    if (mark < 0) return bt_fail_errno(error, "cannot make a folder as", working->path);
    memcpy(working->path, working->mark, length - ending);
    bauta_status status =
        bt_write_at(mark, working->mark, 0, mark_text, sizeof mark_text - 1, error);
    close(mark);
    if (status == BAUTA_OK && mkdir(working->path, 0700) != 0)
        status = bt_fail_errno(error, "cannot make a folder as", working->path);
    if (status != BAUTA_OK) {
        unlink(working->mark);
        return status;
    }
    working->folder = open(working->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (working->folder >= 0) return BAUTA_OK;
    status = bt_fail_errno(error, "cannot open", working->path);
    remove_working(working->path, working->mark);
    return status;
}

/* One run at a time writes to OUT. A file system without locks lets all pass, and then nobody may
 * take a working folder for abandoned. */
static bauta_status lock_out(bt_folder *folder, const char *out, bool *locked, bauta_error *error)
{
    folder->lock = open(folder->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0) return bt_fail_errno(error, "cannot open", folder->out);
    *locked = flock(folder->lock, LOCK_EX | LOCK_NB) == 0;
    if (*locked || errno != EWOULDBLOCK) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_USAGE, "another run writes to '%s'", out);
    bt_error_hint(error, "wait until it is done, or choose another output folder");
    return status;
}

static bauta_status refuse_existing(const bt_folder *folder, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists", folder->publish);
    bt_error_hint(error, "choose another output folder, or replace the release with --force");
    return status;
}

/* All files that releases have. */
static bool is_release_file(const char *name)
{
    static const char *const names[] = {"manifest.json", "data.csv",   "quasi.csv",
                                        "sensitive.csv", "bounds.csv", "query.sql",
                                        "load.sqlite",   "load.psql"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Whether the manifest in a folder is one; fails when the system does. */
static bauta_status find_manifest(DIR *list, bool *found, bauta_error *error)
{
    static const char name[] = "manifest.json";
    struct stat facts;
    bt_buffer text = {0};
    bt_arena arena = {0};
    bt_manifest manifest;
    size_t got = 0;
    bauta_status status = BAUTA_OK;
    *found = false;
    int descriptor = openat(dirfd(list), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? BAUTA_OK : bt_fail_errno(error, "cannot open", name);
    if (fstat(descriptor, &facts) != 0) status = bt_fail_errno(error, "cannot look at", name);
    if (status == BAUTA_OK && facts.st_size <= BT_MANIFEST_MOST) {
        size_t size = (size_t)facts.st_size;
        status = bt_buffer_reserve(&text, size, error);
        if (status == BAUTA_OK)
            status = bt_read_at(descriptor, name, 0, text.bytes, size, &got, error);
        if (status == BAUTA_OK)
            status = bt_manifest_read(text.bytes, got, &arena, &manifest, error);
        *found = status == BAUTA_OK;
    }
    close(descriptor);
    bt_arena_release(&arena);
    bt_buffer_release(&text);
    return bt_is_stop(status) ? status : BAUTA_OK;
}

/* Plain files that releases have, a manifest among them; or nothing at all. */
static bauta_status find_release(DIR *list, bool *found, bauta_error *error)
{
    size_t entries = 0;
    *found = false;
    for (struct dirent *entry; (entry = readdir(list));) {
        struct stat facts;
        if (is_dots(entry->d_name)) continue;
        if (fstatat(dirfd(list), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return BAUTA_OK;
        if (!S_ISREG(facts.st_mode) || !is_release_file(entry->d_name)) return BAUTA_OK;
        entries++;
    }
    *found = true;
    return entries == 0 ? BAUTA_OK : find_manifest(list, found, error);
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
        bool found;
        BT_TRY(find_release(folder->replaced, &found, error));
        if (found) return BAUTA_OK;
    }
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' exists and is not a release", folder->publish);
    bt_error_hint(error, "choose another output folder: only a release is replaced");
    return status;
}

static bauta_status name_working(const char *parent, bt_working *working, bauta_error *error)
{
    working->path = join(parent, ".publish-XXXXXX");
    working->mark = join(parent, ".publish-XXXXXX.bauta");
    return working->path && working->mark ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status open_paths(const char *out, bt_folder *folder, bauta_error *error)
{
    folder->out = join(out, "");
    folder->publish = join(out, "publish");
    folder->private_dir = join(out, "private");
    if (!folder->out || !folder->publish || !folder->private_dir) return bt_fail_memory(error);
    BT_TRY(name_working(out, &folder->publishing, error));
    return name_working(folder->private_dir, &folder->keeping, error);
}

/* What is for the owner alone is for nobody else to read, whoever made the folder. */
static bauta_status tighten(const char *path, bauta_error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0) return bt_fail_errno(error, "cannot look at", path);
    if ((facts.st_mode & 0077) == 0 || chmod(path, facts.st_mode & 07700) == 0) return BAUTA_OK;
    return bt_fail_errno(error, "cannot keep others out of", path);
}

static bauta_status open_folders(const char *out, bool force, bt_folder *folder, bauta_error *error)
{
    BT_TRY(open_paths(out, folder, error));
    bool locked;
    BT_TRY(make_folder(out, 0755, &folder->made_out, error));
    BT_TRY(lock_out(folder, out, &locked, error));
    BT_TRY(look_at_publish(folder, force, error));
    if (locked) remove_abandoned(out);
    BT_TRY(make_working(&folder->publishing, error));
    BT_TRY(make_folder(folder->private_dir, 0700, &folder->made_private, error));
    BT_TRY(tighten(folder->private_dir, error));
    if (locked) remove_abandoned(folder->private_dir);
    return make_working(&folder->keeping, error);
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
    char *path = join(publish ? folder->publishing.path : folder->keeping.path, name);
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
    char *path = join(folder->publishing.path, name);
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
    BT_TRY(each_file(folder, folder->publishing.path, finish_published, now, error));
    if (fchmod(folder->publishing.folder, 0755) != 0)
        return bt_fail_errno(error, "cannot set the mode of", folder->publishing.path);
    if (futimens(folder->publishing.folder, now) != 0)
        return bt_fail_errno(error, "cannot set the time of", folder->publishing.path);
    return sync_descriptor(folder->publishing.folder, folder->publishing.path, error);
}

static bauta_status exchange(const bt_folder *folder, bauta_error *error)
{
    if (renameat2(AT_FDCWD, folder->publishing.path, AT_FDCWD, folder->publish, RENAME_EXCHANGE) ==
        0)
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
    if (renameat2(AT_FDCWD, folder->publishing.path, AT_FDCWD, folder->publish, RENAME_NOREPLACE) ==
        0)
        return BAUTA_OK;
    if ((errno == EINVAL || errno == ENOSYS) &&
        rename(folder->publishing.path, folder->publish) == 0)
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
    char *trees = join(folder->private_dir, tree_folder), *from = join(folder->keeping.path, name);
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
        bool fresh = faccessat(folder->keeping.folder, names[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0;
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
    BT_TRY(each_file(folder, folder->keeping.path, move_private, NULL, error));
    BT_TRY(sync_path(folder->private_dir, O_RDONLY | O_DIRECTORY, error));
    return sync_path(folder->out, O_RDONLY | O_DIRECTORY, error);
}

/* ---- closing ----------------------------------------------------------------------------- */

static void close_working(bt_working *working)
{
    if (working->folder >= 0) {
        close(working->folder);
        remove_working(working->path, working->mark);
    }
    free(working->path);
    free(working->mark);
}

/* Once a release has replaced another one, that one has the name of the working folder. */
void bt_folder_close(bt_folder *folder)
{
    if (folder->published && folder->replaced) empty_folder(folder->replaced);
    if (folder->replaced) closedir(folder->replaced);
    close_working(&folder->publishing);
    close_working(&folder->keeping);
    /* These fail, rightly, when something is there. */
    if (folder->made_private && !folder->published) rmdir(folder->private_dir);
    if (folder->made_out && !folder->published) rmdir(folder->out);
    if (folder->lock >= 0) close(folder->lock);
    free(folder->out);
    free(folder->publish);
    free(folder->private_dir);
    *folder = BT_FOLDER_NONE;
}
