/* SPDX-License-Identifier: Apache-2.0
 *
 * Trouble for a whole command, to be loaded before everything else (LD_PRELOAD): the calls of the C
 * library that touch files are counted, and at the one whose number was asked for something
 * happens.
 *
 *   BAUTA_TROUBLE=KIND:NUMBER
 *     kill      the process is killed before that call
 *     full      that write fails, and all after it, as when the disk is full
 *     read      that read fails, as when the disk is broken
 *     shrink    before that read of BAUTA_TROUBLE_FILE the file is cut to a half
 *     change    … it is overwritten with the bytes of BAUTA_TROUBLE_FROM
 *   BAUTA_TROUBLE_COUNT=FILE
 *     at the end writes there how many calls of the kind there were
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum trouble { NONE, KILL, FULL, READ, SHRINK, CHANGE } trouble;

static trouble kind;
static long wanted;
static atomic_long calls;

__attribute__((constructor)) static void prepare(void)
{
    static const char *const names[] = {"", "kill", "full", "read", "shrink", "change"};
    const char *text = getenv("BAUTA_TROUBLE"), *colon = text ? strchr(text, ':') : NULL;
    for (int i = 1; colon && i < 6; i++)
        if (strlen(names[i]) == (size_t)(colon - text) &&
            strncmp(names[i], text, (size_t)(colon - text)) == 0)
            kind = (trouble)i;
    if (colon) wanted = strtol(colon + 1, NULL, 10);
}

__attribute__((destructor)) static void finish(void)
{
    const char *name = getenv("BAUTA_TROUBLE_COUNT");
    char text[32];
    if (!name || kind == NONE) return;
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)!syscall(SYS_write, file, text, (size_t)length);
    syscall(SYS_close, file);
}

/* ---- what happens ---- */

static void shrink(const char *name)
{
    struct stat facts;
    if (stat(name, &facts) == 0) (void)!syscall(SYS_truncate, name, facts.st_size / 2);
}

static void overwrite(const char *name, const char *from)
{
    char bytes[4096];
    int in = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY);
    int out = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY);
    for (long got; (got = syscall(SYS_read, in, bytes, sizeof bytes)) > 0;)
        (void)!syscall(SYS_write, out, bytes, (size_t)got);
    syscall(SYS_close, in);
    syscall(SYS_close, out);
}

static bool is_file(int descriptor, const char *name)
{
    struct stat one, other;
    return name && fstat(descriptor, &one) == 0 && stat(name, &other) == 0 &&
           one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

/* Counts a call that does something with files. */
static void touch(void)
{
    if (kind == KILL && atomic_fetch_add(&calls, 1) + 1 == wanted) kill(getpid(), SIGKILL);
}

/* True: the read fails. */
static bool spoil_read(int descriptor)
{
    const char *name = getenv("BAUTA_TROUBLE_FILE"), *from = getenv("BAUTA_TROUBLE_FROM");
    touch();
    if (kind == READ && atomic_fetch_add(&calls, 1) + 1 == wanted) {
        errno = EIO;
        return true;
    }
    if ((kind != SHRINK && kind != CHANGE) || !is_file(descriptor, name)) return false;
    if (atomic_fetch_add(&calls, 1) + 1 != wanted) return false;
    if (kind == SHRINK) shrink(name);
    if (kind == CHANGE && from) overwrite(name, from);
    return false;
}

/* True: the write fails. */
static bool spoil_write(int descriptor)
{
    struct stat facts;
    touch();
    if (kind != FULL || fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
    if (atomic_fetch_add(&calls, 1) + 1 < wanted) return false;
    errno = ENOSPC;
    return true;
}

/* ---- the calls ---- */

/* The call that this one stands before. */
static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

#define PASS(type, name, parameters, arguments, spoiled)                                           \
    type name parameters;                                                                          \
    type name parameters                                                                           \
    {                                                                                              \
        static _Atomic(void *) found;                                                              \
        if (!found) found = next(#name);                                                           \
        if (spoiled) return -1;                                                                    \
        return ((type(*) parameters)(uintptr_t)found)arguments;                                    \
    }

PASS(ssize_t, read, (int d, void *p, size_t n), (d, p, n), spoil_read(d))
PASS(ssize_t, pread64, (int d, void *p, size_t n, off_t o), (d, p, n, o), spoil_read(d))
PASS(ssize_t, write, (int d, const void *p, size_t n), (d, p, n), spoil_write(d))
PASS(ssize_t, pwrite64, (int d, const void *p, size_t n, off_t o), (d, p, n, o), spoil_write(d))
PASS(int, ftruncate64, (int d, off_t n), (d, n), spoil_write(d))
PASS(int, fsync, (int d), (d), (touch(), false))
PASS(int, rename, (const char *a, const char *b), (a, b), (touch(), false))
PASS(int, renameat, (int c, const char *a, int d, const char *b), (c, a, d, b), (touch(), false))
PASS(int, renameat2, (int c, const char *a, int d, const char *b, unsigned f), (c, a, d, b, f),
     (touch(), false))
PASS(int, linkat, (int c, const char *a, int d, const char *b, int f), (c, a, d, b, f),
     (touch(), false))
PASS(int, mkdir, (const char *a, mode_t m), (a, m), (touch(), false))
PASS(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m), (touch(), false))
PASS(int, unlink, (const char *a), (a), (touch(), false))
PASS(int, unlinkat, (int d, const char *a, int f), (d, a, f), (touch(), false))
PASS(int, rmdir, (const char *a), (a), (touch(), false))
