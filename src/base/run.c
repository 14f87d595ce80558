/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress, cancellation, temporary files and the clock.
 */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bauta_status bt_run_progress(const bt_run *run, unsigned worker, const char *stage, int64_t done,
                             int64_t total, bauta_error *error)
{
    if (worker != 0 || !run->progress) return BAUTA_OK;
    if (run->progress(run->progress_user, stage, done, total) == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_SYSTEM, "cancelled");
}

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
