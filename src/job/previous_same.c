/* SPDX-License-Identifier: Apache-2.0
 *
 * Releases with one id. Such are one release: the id follows from the seed, the table and the
 * recipe (streams.c). Where their contents differ, they were made before that was so, from one seed
 * file: then their rows may stand in the same places, and whoever lays them side by side undoes
 * both.
 */
#include "job/previous.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

/* Appends what is left of a file, CHUNK bytes at most. */
static bauta_status read_chunk(int descriptor, const char *path, bt_buffer *out, bauta_error *error)
{
    out->length = 0;
    BT_TRY(bt_buffer_reserve(out, CHUNK, error));
    while (out->length < CHUNK) {
        ssize_t got = read(descriptor, out->bytes + out->length, CHUNK - out->length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", path);
        if (got == 0) break;
        out->length += (size_t)got;
    }
    return BAUTA_OK;
}

static bauta_status compare_open(int one, int other, const char *path, bool *same,
                                 bauta_error *error)
{
    bt_buffer a = {0}, b = {0};
    bauta_status status = BAUTA_OK;
    *same = true;
    do {
        status = read_chunk(one, path, &a, error);
        if (status == BAUTA_OK) status = read_chunk(other, path, &b, error);
        *same = status == BAUTA_OK && a.length == b.length &&
                (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
    } while (*same && a.length > 0);
    bt_buffer_release(&a);
    bt_buffer_release(&b);
    return status;
}

static bauta_status compare_file(const char *one, const char *other, const char *name, bool *same,
                                 bauta_error *error)
{
    bt_arena arena = {0};
    const char *first = bt_arena_print(&arena, "%s/%s", one, name);
    const char *second = bt_arena_print(&arena, "%s/%s", other, name);
    int a = -1, b = -1;
    bauta_status status = first && second ? BAUTA_OK : bt_fail_memory(error);
    *same = false; /* also where the other has no such file */
    if (status == BAUTA_OK && (a = open(first, O_RDONLY | O_CLOEXEC)) < 0)
        status = bt_fail_errno(error, "cannot open", first);
    if (status == BAUTA_OK && (b = open(second, O_RDONLY | O_CLOEXEC)) < 0 && errno != ENOENT)
        status = bt_fail_errno(error, "cannot open", second);
    if (status == BAUTA_OK && b >= 0) status = compare_open(a, b, first, same, error);
    if (a >= 0) close(a);
    if (b >= 0) close(b);
    bt_arena_release(&arena);
    return status;
}

/* Whether all files of the one folder are in the other, byte by byte. */
static bauta_status compare_folders(const char *one, const char *other, bool *same,
                                    bauta_error *error)
{
    DIR *folder = opendir(one);
    if (!folder) return bt_fail_errno(error, "cannot open", one);
    bauta_status status = BAUTA_OK;
    *same = true;
    for (struct dirent *entry; *same && status == BAUTA_OK && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') status = compare_file(one, other, entry->d_name, same, error);
    closedir(folder);
    return status;
}

bauta_status bt_check_same_earlier(const char *one, const char *other, bauta_error *error)
{
    bool same;
    BT_TRY(compare_folders(one, other, &same, error));
    if (same) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "the earlier releases '%s' and '%s' have one id and different contents: made from "
                "one seed file, they may have their rows in the same places",
                one, other);
    bt_error_hint(error, "whoever has both can lay them side by side, and no further release of "
                         "these people is safe; 'bauta attack --other-release' shows it");
    return status;
}

/* The id is 32 random digits: they stand nowhere else. */
static bauta_status has_id(const char *folder, const char *id, bool *has, bauta_error *error)
{
    bt_arena arena = {0};
    bt_buffer text = {0};
    const char *path = bt_arena_print(&arena, "%s/manifest.json", folder);
    int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bauta_status status = !path            ? bt_fail_memory(error)
                          : descriptor < 0 ? bt_fail_errno(error, "cannot open", path)
                                           : read_chunk(descriptor, path, &text, error);
    if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error);
    *has = status == BAUTA_OK && strstr(text.bytes, id);
    if (descriptor >= 0) close(descriptor);
    bt_buffer_release(&text);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_check_same_id(const bauta_recipe *recipe, const char *id, const char *folder,
                              bauta_error *error)
{
    for (size_t i = 0; i < recipe->previous.count; i++) {
        const char *earlier = recipe->previous.items[i];
        bool same = false;
        BT_TRY(has_id(earlier, id, &same, error));
        if (!same) continue;
        BT_TRY(compare_folders(folder, earlier, &same, error));
        if (same) continue;
        bauta_status status =
            bt_fail(error, BAUTA_NO,
                    "an earlier release has the id of this one and other contents: their rows may "
                    "stand in the same places");
        bt_error_place(error, earlier, -1, NULL);
        bt_error_hint(error, "leave --seed-file out, or take another one");
        return status;
    }
    return BAUTA_OK;
}
