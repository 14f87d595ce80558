/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress, cancellation, the seed, temporary files and the clock.
 */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bauta_status bt_run_progress(const bt_run *run, unsigned worker, const char *stage, int64_t done,
                             int64_t total, bauta_error *error)
{
    if (worker != 0 || !run->progress) return BAUTA_OK;
    if (run->progress(run->progress_user, stage, done, total) == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_CANCELLED, "cancelled by the caller");
}

bauta_status bt_run_await(const bt_run *run, int descriptor, const char *name, bauta_error *error)
{
    enum { PATIENCE = 100 }; /* milliseconds */
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    for (;;) {
        int ready = poll(&waiting, 1, PATIENCE);
        if (ready > 0) return BAUTA_OK;
        if (ready < 0 && errno != EINTR) return bt_fail_errno(error, "cannot read", name);
        BT_TRY(bt_run_progress(run, 0, "reading", 0, 0, error));
    }
}

/* ---- the seed ---------------------------------------------------------------------------- */

static bauta_status check_secret(int descriptor, const char *file, bauta_error *error)
{
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) return bt_fail_errno(error, "cannot look at", file);
    if (!S_ISREG(facts.st_mode) || !(facts.st_mode & (S_IRGRP | S_IROTH))) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "others can read the seed: it is no secret");
    bt_error_place(error, file, -1, NULL);
    bt_error_hint(error, "chmod 600 FILE, if nobody has read it; else make another one");
    return status;
}

/* Up to BT_SEED_BYTES + 1 bytes. */
static bauta_status read_seed(const bt_run *run, int descriptor, const char *file,
                              unsigned char *bytes, size_t *have, bauta_error *error)
{
    while (*have <= BT_SEED_BYTES) {
        BT_TRY(bt_run_await(run, descriptor, file, error));
        ssize_t got = read(descriptor, bytes + *have, BT_SEED_BYTES + 1 - *have);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read seed file", file);
        if (got == 0) break;
        *have += (size_t)got;
    }
    if (*have == BT_SEED_BYTES) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "a seed file holds exactly 32 bytes");
    bt_error_place(error, file, -1, NULL);
    bt_error_hint(error, "make one with: (umask 077; head -c 32 /dev/urandom >FILE)");
    return status;
}

bauta_status bt_run_load_seed(bt_run *run, const char *file, bauta_error *error)
{
    unsigned char bytes[BT_SEED_BYTES + 1];
    size_t have = 0;
    if (sodium_init() < 0) return bt_fail(error, BAUTA_SYSTEM, "no source of randomness");
    /* Without O_NONBLOCK a pipe that nobody writes to yet would be waited for here. */
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open seed file", file);
    bauta_status status = check_secret(descriptor, file, error);
    if (status == BAUTA_OK) status = read_seed(run, descriptor, file, bytes, &have, error);
    if (status == BAUTA_OK) memcpy(run->seed.bytes, bytes, BT_SEED_BYTES);
    sodium_memzero(bytes, sizeof bytes);
    close(descriptor);
    return status;
}

/* ---- files and time ---------------------------------------------------------------------- */

bauta_status bt_run_temporary(const bt_run *run, int *descriptor, bauta_error *error)
{
    *descriptor = open(run->tmp, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*descriptor >= 0) return BAUTA_OK;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
        return bt_fail_errno(error, "cannot make a temporary file in", run->tmp);
    /* A file system without O_TMPFILE: make one and unlink it at once. */
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/bauta-XXXXXX", run->tmp);
    if (length < 0 || (size_t)length >= sizeof path)
        return bt_fail(error, BAUTA_USAGE,
                       "the name of the folder for temporary files is too long");
    *descriptor = mkostemp(path, O_CLOEXEC);
    if (*descriptor < 0) return bt_fail_errno(error, "cannot make a temporary file in", run->tmp);
    unlink(path);
    return BAUTA_OK;
}

double bt_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
