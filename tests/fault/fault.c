/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrappers. Names are those that the linker sees: with 64-bit file offsets `open` is
 * `open64`. The list in tests/meson.build must name every wrapper.
 */
#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_bool armed;
static atomic_int armed_kind;
static atomic_size_t countdown;
static _Atomic(const char *) failed_call;
static atomic_size_t shortened, interruptions;

void fault_arm(fault_kind kind, size_t n)
{
    failed_call = NULL;
    armed_kind = (int)kind;
    countdown = n;
    armed = true;
}

bool fault_disarm(const char **name)
{
    armed = false;
    *name = failed_call;
    return *name != NULL;
}

void fault_shorten(size_t most)
{
    shortened = most;
}

/* ---- the list of calls ---- */

enum { MOST_LISTED = 1 << 16, DEEPEST = 48 };
static atomic_bool listing;
static atomic_size_t listed;
static _Thread_local bool inside;    /* backtrace allocates, the first time */
static uint64_t chains[MOST_LISTED]; /* of each listed call, a hash of its return addresses */

void fault_list(fault_kind kind)
{
    armed_kind = (int)kind;
    listed = 0;
    listing = true;
}

size_t fault_listed(void)
{
    listing = false;
    if (listed > MOST_LISTED) abort();
    return listed;
}

bool fault_is_last(size_t n)
{
    for (size_t i = n; i < listed; i++)
        if (chains[i] == chains[n - 1]) return false;
    return true;
}

static void list_call(void)
{
    void *addresses[DEEPEST];
    uint64_t chain = 0;
    inside = true;
    int depth = backtrace(addresses, DEEPEST);
    for (int i = 0; i < depth; i++)
        chain = (chain ^ (uintptr_t)addresses[i]) * 0x9e3779b97f4a7c15u;
    size_t at = atomic_fetch_add(&listed, 1);
    if (at < MOST_LISTED) chains[at] = chain;
    inside = false;
}

/* Whether this call is the one that fails. */
static bool fails(fault_kind kind, const char *name)
{
    if (listing && !inside && armed_kind == (int)kind) list_call();
    if (!armed || armed_kind != (int)kind) return false;
    if (atomic_fetch_sub(&countdown, 1) != 1) return false;
    failed_call = name;
    armed = false;
    return true;
}

/* ---- memory: a table of live blocks, so that a leak shows at the call that made it ---- */

enum { TABLE = 1 << 20 };
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static const void *table[TABLE];
static size_t live;
static const char removed; /* its address marks a place whose block was freed */

static size_t place_of(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 44) % TABLE;
}

static void *remember(void *block)
{
    if (!block) return NULL;
    pthread_mutex_lock(&table_lock);
    size_t at = place_of(block);
    while (table[at] && table[at] != &removed)
        at = (at + 1) % TABLE;
    table[at] = block;
    live++;
    pthread_mutex_unlock(&table_lock);
    return block;
}

/* Blocks that others allocated (getline, jansson before it was watched) are not in the table. */
static void forget(const void *block)
{
    if (!block) return;
    pthread_mutex_lock(&table_lock);
    for (size_t at = place_of(block); table[at]; at = (at + 1) % TABLE) {
        if (table[at] != block) continue;
        table[at] = table[(at + 1) % TABLE] ? &removed : NULL; /* chains stay short */
        live--;
        break;
    }
    pthread_mutex_unlock(&table_lock);
}

size_t fault_live_blocks(void)
{
    return live;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    if (fails(FAULT_MEMORY, "malloc")) return errno = ENOMEM, NULL;
    return remember(__real_malloc(size));
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    if (fails(FAULT_MEMORY, "calloc")) return errno = ENOMEM, NULL;
    return remember(__real_calloc(count, size));
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    if (fails(FAULT_MEMORY, "realloc")) return errno = ENOMEM, NULL;
    void *grown = __real_realloc(block, size);
    if (!grown) return NULL;
    if (grown != block) forget(block);
    if (grown != block || !block) remember(grown);
    return grown;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    if (fails(FAULT_MEMORY, "strdup")) return errno = ENOMEM, NULL;
    return remember(__real_strdup(text));
}

static void *json_allocate(size_t size)
{
    if (fails(FAULT_MEMORY, "malloc of jansson")) return NULL;
    return remember(__real_malloc(size));
}

void fault_watch_jansson(void)
{
    json_set_alloc_funcs(json_allocate, __wrap_free);
}

/* ---- files ---- */

/* One call asks about all of them: this is done twice a round. */
size_t fault_open_descriptors(void)
{
    enum { MOST = 256 };
    struct pollfd descriptors[MOST];
    size_t count = 0;
    for (int i = 0; i < MOST; i++)
        descriptors[i] = (struct pollfd){.fd = i};
    if (poll(descriptors, MOST, 0) < 0) abort();
    for (int i = 0; i < MOST; i++)
        count += !(descriptors[i].revents & POLLNVAL);
    return count;
}

/* A wrapper that fails with `code`, or makes the call. */
#define WRAP(type, name, parameters, arguments, failure, code)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (fails(FAULT_FILES, #name)) {                                                           \
            errno = code;                                                                          \
            return failure;                                                                        \
        }                                                                                          \
        return __real_##name arguments;                                                            \
    }

WRAP(FILE *, fopen64, (const char *a, const char *m), (a, m), NULL, EMFILE)
WRAP(ssize_t, getdelim, (char **l, size_t *n, int c, FILE *f), (l, n, c, f), -1, ENOMEM)
WRAP(int, fsync, (int d), (d), -1, EIO)
WRAP(int, fdatasync, (int d), (d), -1, EIO)
WRAP(int, rename, (const char *a, const char *b), (a, b), -1, EIO)
WRAP(int, renameat, (int da, const char *a, int db, const char *b), (da, a, db, b), -1, EIO)
WRAP(int, renameat2, (int da, const char *a, int db, const char *b, unsigned f), (da, a, db, b, f),
     -1, EIO)
WRAP(int, linkat, (int da, const char *a, int db, const char *b, int f), (da, a, db, b, f), -1, EIO)
WRAP(int, mkdir, (const char *a, mode_t m), (a, m), -1, ENOSPC)
WRAP(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m), -1, ENOSPC)
WRAP(int, fstat64, (int d, struct stat64 *s), (d, s), -1, EIO)
WRAP(int, ftruncate64, (int d, off_t n), (d, n), -1, ENOSPC)
WRAP(int, mkostemp64, (char *a, int f), (a, f), -1, ENOSPC)
WRAP(int, mkostemps64, (char *a, int n, int f), (a, n, f), -1, ENOSPC)
WRAP(char *, mkdtemp, (char *a), (a), NULL, ENOSPC)
WRAP(int, dup, (int d), (d), -1, EMFILE)
WRAP(off_t, lseek64, (int d, off_t o, int w), (d, o, w), -1, EIO)
WRAP(DIR *, opendir, (const char *a), (a), NULL, EMFILE)
WRAP(DIR *, fdopendir, (int d), (d), NULL, ENOMEM)
WRAP(void *, mmap64, (void *a, size_t n, int p, int f, int d, off_t o), (a, n, p, f, d, o),
     MAP_FAILED, ENOMEM)

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (fails(FAULT_FILES, "open")) return errno = EMFILE, -1;
    return __real_open64(path, flags, mode);
}

int __real_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (fails(FAULT_FILES, "openat")) return errno = EMFILE, -1;
    return __real_openat64(folder, path, flags, mode);
}

/* The descriptor is gone even when closing reports a late failure, as on Linux. */
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __wrap_close(int descriptor)
{
    int result = __real_close(descriptor);
    if (fails(FAULT_FILES, "close")) return errno = EIO, -1;
    return result;
}

int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u)
{
    if (fails(FAULT_FILES, "pthread_create")) return EAGAIN;
    return __real_pthread_create(t, a, f, u);
}

/* Reads and writes can also move less than was asked for, or be interrupted. */
#define WRAP_MOVE(name, parameters, arguments, bytes, code)                                        \
    ssize_t __real_##name parameters;                                                              \
    ssize_t __wrap_##name parameters;                                                              \
    ssize_t __wrap_##name parameters                                                               \
    {                                                                                              \
        if (fails(FAULT_FILES, #name)) return errno = code, -1;                                    \
        if (shortened) {                                                                           \
            if (atomic_fetch_add(&interruptions, 1) % 3 == 0) return errno = EINTR, -1;            \
            if (bytes > shortened) bytes = shortened;                                              \
        }                                                                                          \
        return __real_##name arguments;                                                            \
    }

WRAP_MOVE(read, (int d, void *p, size_t n), (d, p, n), n, EIO)
WRAP_MOVE(pread64, (int d, void *p, size_t n, off_t o), (d, p, n, o), n, EIO)
WRAP_MOVE(write, (int d, const void *p, size_t n), (d, p, n), n, ENOSPC)
WRAP_MOVE(pwrite64, (int d, const void *p, size_t n, off_t o), (d, p, n, o), n, ENOSPC)
