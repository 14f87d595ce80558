/* SPDX-License-Identifier: Apache-2.0
 *
 * The store of the command: a folder OUT, in which a release appears whole or not at all.
 *
 * Files are written to hidden working folders, those to be published inside OUT, those of the
 * owner inside OUT/private. After the audit they are synced and what is published gets its name
 * by one rename (with `force`, by one exchange with the release that is there); then the owner's
 * files get theirs. A run locks OUT; another one that wants it is refused. Working folders that a
 * killed run left behind are removed by the next one, which knows them by the marks beside them.
 *
 * Only what is a release is replaced: a folder of plain files that releases have, with a manifest
 * that can be read, or an empty one.
 */
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct workplace {
    char *path;
    char *mark; /* a file that says that the folder is ours, there as long as it is */
    int folder; /* open; -1: it is not there */
} workplace;

typedef struct folder_state {
    char *given;                 /* OUT as it was named; NULL: a release is only read */
    char *out;                   /* OUT with a slash, so that a link is followed */
    char *publish;               /* OUT/publish, or what else holds a release */
    char *private_dir;           /* OUT/private */
    workplace publishing;        /* OUT/.publish-XXXXXX: becomes OUT/publish */
    workplace keeping;           /* OUT/private/.publish-XXXXXX: its files go to OUT/private */
    int lock;                    /* OUT, open and locked while the run lives; or -1 */
    bool made_out, made_private; /* OUT, OUT/private did not exist */
    DIR *replaced;               /* `force`: the release that was there; NULL: there was none */
} folder_state;

/* Working folders are called so; beside each is a file of its name with an ending, the mark that it
 * is one of ours. */
static const char working_prefix[] = ".publish-", mark_ending[] = ".bauta";
enum { WORKING_LETTERS = 6 };
static const char mark_text[] =
    "Bauta works in the folder of this name. When no run is on, both may be deleted.\n";

/* Files that go to a folder inside OUT/private wait under names that begin so. */
static const char tree_prefix[] = "hierarchies=", tree_folder[] = "hierarchies/";

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
static bauta_status make_working(workplace *working, bauta_error *error)
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
static bauta_status lock_out(folder_state *folder, const char *out, bool *locked,
                             bauta_error *error)
{
    folder->lock = open(folder->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0) return bt_fail_errno(error, "cannot open", folder->out);
    *locked = flock(folder->lock, LOCK_EX | LOCK_NB) == 0;
    if (*locked || errno != EWOULDBLOCK) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_USAGE, "another run writes to '%s'", out);
    bt_error_hint(error, "wait until it is done, or choose another output folder");
    return status;
}

static bauta_status refuse_existing(const folder_state *folder, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists", folder->publish);
    bt_error_hint(error, "choose another output folder, or replace the release with --force");
    return status;
}

static bool is_release_file(const char *name)
{
    for (size_t i = 0; bt_published_names[i]; i++)
        if (strcmp(name, bt_published_names[i]) == 0) return true;
    return false;
}

/* Whether the manifest in a folder is one; fails when the system does. */
static bauta_status find_manifest(DIR *list, const bt_store_wish *wish, bool *found,
                                  bauta_error *error)
{
    static const char name[] = "manifest.json";
    struct stat facts;
    bt_buffer text = {0};
    size_t got = 0;
    bauta_status status = BAUTA_OK;
    *found = false;
    int descriptor = openat(dirfd(list), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? BAUTA_OK : bt_fail_errno(error, "cannot open", name);
    if (fstat(descriptor, &facts) != 0) status = bt_fail_errno(error, "cannot look at", name);
    if (status == BAUTA_OK && facts.st_size <= wish->manifest_most) {
        size_t size = (size_t)facts.st_size;
        status = bt_buffer_reserve(&text, size, error);
        if (status == BAUTA_OK)
            status = bt_read_at(descriptor, name, 0, text.bytes, size, &got, error);
        if (status == BAUTA_OK) status = wish->is_manifest(text.bytes, got, found, error);
    }
    close(descriptor);
    bt_buffer_release(&text);
    return status;
}

/* Plain files that releases have, a manifest among them; or nothing at all. */
static bauta_status find_release(DIR *list, const bt_store_wish *wish, bool *found,
                                 bauta_error *error)
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
    return entries == 0 ? BAUTA_OK : find_manifest(list, wish, found, error);
}

/* Keeps what is to be replaced open, so that removing it later cannot fail for want of anything. */
static bauta_status look_at_publish(folder_state *folder, const bt_store_wish *wish,
                                    bauta_error *error)
{
    struct stat facts;
    if (lstat(folder->publish, &facts) != 0) {
        if (errno == ENOENT) return BAUTA_OK;
        return bt_fail_errno(error, "cannot look at", folder->publish);
    }
    if (!wish->force) return refuse_existing(folder, error);
    if (S_ISDIR(facts.st_mode)) {
        folder->replaced = open_folder(folder->publish);
        if (!folder->replaced) return bt_fail_errno(error, "cannot open", folder->publish);
        bool found;
        BT_TRY(find_release(folder->replaced, wish, &found, error));
        if (found) return BAUTA_OK;
    }
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' exists and is not a release", folder->publish);
    bt_error_hint(error, "choose another output folder: only a release is replaced");
    return status;
}

static bauta_status name_working(const char *parent, workplace *working, bauta_error *error)
{
    working->path = join(parent, ".publish-XXXXXX");
    working->mark = join(parent, ".publish-XXXXXX.bauta");
    return working->path && working->mark ? BAUTA_OK : bt_fail_memory(error);
}

/* To read from the folder that holds a release. */
static bauta_status of_release(const char *path, bt_store *store, bauta_error *error)
{
    folder_state *folder = store->state;
    folder->publish = strdup(path);
    folder->private_dir = join(path, "../private");
    store->name = strdup(path);
    return folder->publish && folder->private_dir && store->name ? BAUTA_OK : bt_fail_memory(error);
}

/* To write to OUT. */
static bauta_status of_out(const char *out, bt_store *store, bauta_error *error)
{
    folder_state *folder = store->state;
    folder->given = strdup(out);
    folder->out = join(out, "");
    folder->publish = join(out, "publish");
    folder->private_dir = join(out, "private");
    store->name = join(out, "publish");
    if (!folder->given || !folder->out || !folder->publish || !folder->private_dir || !store->name)
        return bt_fail_memory(error);
    BT_TRY(name_working(out, &folder->publishing, error));
    return name_working(folder->private_dir, &folder->keeping, error);
}

static bauta_status folder_open(bt_store *store, const char *name, bauta_error *error)
{
    folder_state *folder = store->state = bt_array_zero(1, sizeof *folder);
    if (!folder) return bt_fail_memory(error);
    folder->publishing.folder = folder->keeping.folder = folder->lock = -1;
    return store->writing ? of_out(name, store, error) : of_release(name, store, error);
}

/* What is for the owner alone is for nobody else to read, whoever made the folder. */
static bauta_status tighten(const char *path, bauta_error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0) return bt_fail_errno(error, "cannot look at", path);
    if ((facts.st_mode & 0077) == 0 || chmod(path, facts.st_mode & 07700) == 0) return BAUTA_OK;
    return bt_fail_errno(error, "cannot keep others out of", path);
}

static bauta_status folder_begin(bt_store *store, const bt_store_wish *wish, bauta_error *error)
{
    folder_state *folder = store->state;
    const char *out = folder->given;
    bool locked;
    BT_TRY(make_folder(out, 0755, &folder->made_out, error));
    BT_TRY(lock_out(folder, out, &locked, error));
    BT_TRY(look_at_publish(folder, wish, error));
    if (locked) remove_abandoned(out);
    BT_TRY(make_working(&folder->publishing, error));
    BT_TRY(make_folder(folder->private_dir, 0700, &folder->made_private, error));
    BT_TRY(tighten(folder->private_dir, error));
    if (locked) remove_abandoned(folder->private_dir);
    return make_working(&folder->keeping, error);
}

/* ---- where a file is --------------------------------------------------------------------- */

/* The path of a file: while a release is written that in a working folder. NULL: out of memory. */
static char *path_of(const bt_store *store, bt_shelf shelf, const char *name)
{
    const folder_state *folder = store->state;
    char *waiting, *path;
    if (shelf == BT_SHELF_PUBLISH)
        return join(store->writing ? folder->publishing.path : folder->publish, name);
    if (shelf == BT_SHELF_PRIVATE)
        return join(store->writing ? folder->keeping.path : folder->private_dir, name);
    size_t length = sizeof tree_folder + sizeof tree_prefix + strlen(name);
    waiting = bt_array(length, 1);
    if (!waiting) return NULL;
    snprintf(waiting, length, "%s%s", store->writing ? tree_prefix : tree_folder, name);
    path = join(store->writing ? folder->keeping.path : folder->private_dir, waiting);
    free(waiting);
    return path;
}

/* ---- writing ----------------------------------------------------------------------------- */

static bauta_status folder_create(bt_store *store, bt_shelf shelf, const char *name,
                                  bt_store_file *out, bauta_error *error)
{
    out->path = path_of(store, shelf, name);
    if (!out->path) return bt_fail_memory(error);
    out->descriptor = open(out->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                           shelf == BT_SHELF_PUBLISH ? 0644 : 0600);
    return out->descriptor >= 0 ? BAUTA_OK : bt_fail_errno(error, "cannot create", out->path);
}

static bauta_status folder_write(const bt_store_file *file, int64_t offset, const char *bytes,
                                 size_t length, bauta_error *error)
{
    return bt_write_at(file->descriptor, file->path, offset, bytes, length, error);
}

static bauta_status folder_finish(bt_store_file *file, bauta_error *error)
{
    if (file->descriptor < 0 || close(file->descriptor) == 0) return BAUTA_OK;
    return bt_fail_errno(error, "cannot close", file->path);
}

static bauta_status folder_rename(bt_store *store, const char *from, const char *to,
                                  bauta_error *error)
{
    char *old = path_of(store, BT_SHELF_PUBLISH, from),
         *path = path_of(store, BT_SHELF_PUBLISH, to);
    bauta_status status = old && path ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && rename(old, path) != 0)
        status = bt_fail_errno(error, "cannot rename to", path);
    free(old);
    free(path);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* A link is no file of a release. What is the owner's may be out of sight for others. */
static bauta_status folder_read(const bt_store *store, bt_shelf shelf, const char *name,
                                bt_bytes **out, bauta_error *error)
{
    bool own = shelf != BT_SHELF_PUBLISH, plain = false;
    bauta_status status = BAUTA_OK;
    struct stat about;
    char *path = path_of(store, shelf, name);
    if (!path) return bt_fail_memory(error);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (own ? 0 : O_NOFOLLOW));
    bool absent = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || (own && errno == EACCES);
    if (descriptor < 0 && !absent) status = bt_fail_errno(error, "cannot open", path);
    if (descriptor >= 0 && fstat(descriptor, &about) != 0)
        status = bt_fail_errno(error, "cannot look at", path);
    else if (descriptor >= 0)
        plain = S_ISREG(about.st_mode);
    if (plain)
        status = bt_bytes_take(descriptor, path, out, error);
    else if (descriptor >= 0)
        close(descriptor);
    free(path);
    return status;
}

static bauta_status visit_entries(DIR *entries, const char *path, bt_store_visit visit, void *user,
                                  bauta_error *error)
{
    for (;;) {
        struct stat about;
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (!entry) return errno == 0 ? BAUTA_OK : bt_fail_errno(error, "cannot list", path);
        if (is_dots(entry->d_name)) continue;
        if (fstatat(dirfd(entries), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            return bt_fail_errno(error, "cannot look at", entry->d_name);
        BT_TRY(visit(user, entry->d_name, S_ISREG(about.st_mode), error));
    }
}

static bauta_status folder_each(const bt_store *store, bt_store_visit visit, void *user,
                                bauta_error *error)
{
    const folder_state *folder = store->state;
    const char *path = store->writing ? folder->publishing.path : folder->publish;
    DIR *entries = opendir(path);
    if (!entries) return bt_fail_errno(error, "cannot open", path);
    bauta_status status = visit_entries(entries, path, visit, user, error);
    closedir(entries);
    return status;
}

static bool folder_changed(const bt_store *store, const char *name, struct timespec *out)
{
    struct stat about;
    char *path = path_of(store, BT_SHELF_PUBLISH, name);
    bool known = path && stat(path, &about) == 0;
    if (known) *out = about.st_mtim;
    free(path);
    return known;
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
static bauta_status folder_explain(const bt_store *store, bauta_status status, bauta_error *error)
{
    const char *path = ((const folder_state *)store->state)->publish;
    struct stat about;
    size_t length = strlen(path);
    if (stat(path, &about) != 0) {
        status = bt_fail(error, BAUTA_INVALID, "there is no such folder");
    } else if (S_ISDIR(about.st_mode)) {
        while (length > 1 && path[length - 1] == '/')
            length--;
        if (length < PATH_MAX && is_file(path, length, "/publish/manifest.json"))
            bt_error_hint(error, "did you mean '%.*s/publish'?", (int)length, path);
    } else {
        const char *slash = strrchr(path, '/');
        length = slash ? (size_t)(slash - path) : 0;
        status = bt_fail(error, BAUTA_INVALID, "this is a file, and a release is a folder");
        if (length > 0 && length < PATH_MAX && is_file(path, length, "/manifest.json"))
            bt_error_hint(error, "did you mean '%.*s'?", (int)length, path);
    }
    bt_error_place(error, path, -1, NULL);
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

typedef bauta_status (*visit_file)(const folder_state *folder, const char *name, const void *user,
                                   bauta_error *error);

static bauta_status each_file(const folder_state *folder, const char *path, visit_file visit,
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

static bauta_status finish_published(const folder_state *folder, const char *name, const void *user,
                                     bauta_error *error)
{
    char *path = join(folder->publishing.path, name);
    if (!path) return bt_fail_memory(error);
    bauta_status status = finish_file(path, user, error);
    free(path);
    return status;
}

/* All files and the folder get the same time, so that times tell nothing. */
static bauta_status finish_files(const folder_state *folder, bauta_error *error)
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

static bauta_status exchange(const folder_state *folder, bauta_error *error)
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
static bauta_status appear(const folder_state *folder, bauta_error *error)
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

static bauta_status move_private(const folder_state *folder, const char *name, const void *user,
                                 bauta_error *error)
{
    (void)user;
    size_t prefix = sizeof tree_prefix - 1;
    bool tree = strncmp(name, tree_prefix, prefix) == 0, made;
    char *trees = join(folder->private_dir, tree_folder);
    char *from = join(folder->keeping.path, name);
    char *to = tree && trees ? join(trees, name + prefix) : join(folder->private_dir, name);
    bauta_status status = trees && from && to ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = sync_path(from, O_RDONLY, error);
    if (status == BAUTA_OK && tree) status = make_folder(trees, 0700, &made, error);
    if (status == BAUTA_OK && rename(from, to) != 0)
        status = bt_fail_errno(error, "cannot rename to", to);
    free(trees);
    free(from);
    free(to);
    return status;
}

static bauta_status folder_keep(bt_store *store, const char *name, bauta_error *error)
{
    return move_private(store->state, name, NULL, error);
}

/* What was only asked for with the release that is gone now. */
static void remove_outdated(const folder_state *folder)
{
    static const char *const names[] = {"mapping.csv", "report.html", "conflicts.csv",
                                        "lattice.csv"};
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
static bauta_status folder_commit(bt_store *store, bauta_error *error)
{
    folder_state *folder = store->state;
    BT_TRY(finish_files(folder, error));
    BT_TRY(folder->replaced ? exchange(folder, error) : appear(folder, error));
    store->committed = true;
    if (folder->replaced) remove_outdated(folder);
    BT_TRY(each_file(folder, folder->keeping.path, move_private, NULL, error));
    BT_TRY(sync_path(folder->private_dir, O_RDONLY | O_DIRECTORY, error));
    return sync_path(folder->out, O_RDONLY | O_DIRECTORY, error);
}

/* ---- closing ----------------------------------------------------------------------------- */

static void close_working(workplace *working)
{
    if (working->folder >= 0) {
        close(working->folder);
        remove_working(working->path, working->mark);
    }
    free(working->path);
    free(working->mark);
}

/* Once a release has replaced another one, that one has the name of the working folder. */
static void folder_close(bt_store *store)
{
    folder_state *folder = store->state;
    if (!folder) return;
    if (store->committed && folder->replaced) empty_folder(folder->replaced);
    if (folder->replaced) closedir(folder->replaced);
    close_working(&folder->publishing);
    close_working(&folder->keeping);
    /* Removing a folder fails, rightly, when something is there. */
    if (folder->made_private && !store->committed) rmdir(folder->private_dir);
    if (folder->made_out && !store->committed) rmdir(folder->out);
    if (folder->lock >= 0) close(folder->lock);
    free(folder->given);
    free(folder->out);
    free(folder->publish);
    free(folder->private_dir);
    free(folder);
}

const bt_store_type bt_store_folder = {
    .name = "folder",
    .place = "folder",
    .summary = "a folder that holds publish/, which appears by one rename, and private/",
    .open = folder_open,
    .begin = folder_begin,
    .create = folder_create,
    .write = folder_write,
    .finish = folder_finish,
    .rename = folder_rename,
    .keep = folder_keep,
    .commit = folder_commit,
    .read = folder_read,
    .each = folder_each,
    .changed = folder_changed,
    .explain = folder_explain,
    .close = folder_close,
};
