/* SPDX-License-Identifier: Apache-2.0
 *
 * For targets that take whole files: an input is cut at lines "=== NAME" into files, which are
 * written into a folder of the target's own, in memory where the system has such a place. Names
 * that are not those of the target are left out, so that nothing is written elsewhere.
 */
#ifndef BT_FUZZ_FILES_H
#define BT_FUZZ_FILES_H

#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUZZ_MARK "=== "

static char fuzz_folder[64];

/* Removes what is in a folder, two levels deep, and keeps the folder. */
static void fuzz_empty(const char *path, int depth)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) == 0 || depth == 0) continue;
        fuzz_empty(name, depth - 1);
        rmdir(name);
    }
    closedir(folder);
}

static void fuzz_remove_folder(void)
{
    fuzz_empty(fuzz_folder, 3);
    rmdir(fuzz_folder);
}

/* The target's folder, empty. It is removed when the program ends. */
static void fuzz_fresh_folder(void)
{
    if (fuzz_folder[0]) {
        fuzz_empty(fuzz_folder, 3);
        return;
    }
    snprintf(fuzz_folder, sizeof fuzz_folder, "%s/bauta-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    fuzz_check(mkdtemp(fuzz_folder), "a folder");
    atexit(fuzz_remove_folder);
}

static const char *fuzz_path(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder, name);
    return path;
}

static void fuzz_write(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(fuzz_path(name), "wb");
    fuzz_check(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "writing");
}

/* Where the next line "=== …" begins, or the end. */
static const char *fuzz_next_mark(const char *from, const char *end)
{
    for (const char *at = from; at < end; at++) {
        if ((size_t)(end - at) >= strlen(FUZZ_MARK) && memcmp(at, FUZZ_MARK, 4) == 0) return at;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at) break;
    }
    return end;
}

/* Writes the files of an input whose names are among `names` (the last is NULL). */
static inline void fuzz_write_files(const uint8_t *data, size_t size, const char *const *names)
{
    const char *end = (const char *)data + size, *at = fuzz_next_mark((const char *)data, end);
    while (at < end) {
        const char *name = at + strlen(FUZZ_MARK);
        const char *line = memchr(name, '\n', (size_t)(end - name));
        if (!line) return;
        at = fuzz_next_mark(line + 1, end);
        for (size_t i = 0; names[i]; i++)
            if (strlen(names[i]) == (size_t)(line - name) &&
                memcmp(names[i], name, (size_t)(line - name)) == 0)
                fuzz_write(names[i], line + 1, (size_t)(at - line - 1));
    }
}

#endif
