/* SPDX-License-Identifier: Apache-2.0
 *
 * A scratch folder for tests that need files: made on first use, emptied at the end. A test that
 * writes small files thousands of times defines SCRATCH_IN_MEMORY, so that syncing costs nothing.
 */
#ifndef BT_TEST_SCRATCH_H
#define BT_TEST_SCRATCH_H

#include "support.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_path[64];

static inline int scratch_make(void **state)
{
    (void)state;
    const char *place = "/tmp";
#ifdef SCRATCH_IN_MEMORY
    if (access("/dev/shm", W_OK | X_OK) == 0) place = "/dev/shm";
#endif
    snprintf(scratch_path, sizeof scratch_path, "%s/bauta-test-XXXXXX", place);
    return mkdtemp(scratch_path) ? 0 : -1;
}

static inline int scratch_remove_one(const char *path, const struct stat *facts, int kind,
                                     struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline int scratch_empty(void **state)
{
    (void)state;
    return nftw(scratch_path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of a file in the scratch folder; at most eight are valid at a time. */
static inline const char *scratch_name(const char *name)
{
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_path, name);
    return path;
}

static inline const char *scratch_write(const char *name, const void *bytes, size_t length)
{
    const char *path = scratch_name(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fchmod(fileno(file), 0600), 0); /* as a seed must be */
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_text(const char *name, const char *text)
{
    return scratch_write(name, text, strlen(text));
}

#endif
