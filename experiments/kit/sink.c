/* SPDX-License-Identifier: Apache-2.0
 *
 * Output that appears whole or not at all: written to a file without a name (or, where the
 * file system has none, under a working name beside the target), and renamed after a checked
 * close. A run that is killed leaves nothing behind where unnamed files exist.
 */
#include "kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ATTEMPTS = 1000, LONGEST_NAME = 64 };

static void working_name(ex_sink *sink, unsigned attempt)
{
    snprintf(sink->temporary + sink->folder, sizeof sink->temporary - sink->folder, ".bauta-%ld-%u",
             (long)getpid(), attempt);
}

static bool is_standard_output(const ex_sink *sink)
{
    return strcmp(sink->file, "-") == 0;
}

/* Standard output, and what is there already but is not a plain file. */
static bool goes_direct(const ex_sink *sink)
{
    struct stat facts;
    if (is_standard_output(sink)) return true;
    return stat(sink->file, &facts) == 0 && !S_ISREG(facts.st_mode);
}

static bauta_status open_direct(ex_sink *sink, bauta_error *error)
{
    sink->descriptor =
        is_standard_output(sink) ? STDOUT_FILENO : open(sink->file, O_WRONLY | O_CLOEXEC);
    return sink->descriptor < 0 ? ex_fail_errno(error, "cannot write to", sink->file) : BAUTA_OK;
}

static bauta_status open_named(ex_sink *sink, bauta_error *error)
{
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        working_name(sink, attempt);
        sink->descriptor = open(sink->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (sink->descriptor >= 0 || errno != EEXIST) break;
    }
    if (sink->descriptor < 0) return ex_fail_errno(error, "cannot create", sink->file);
    sink->state = EX_SINK_NAMED;
    return BAUTA_OK;
}

/* An unnamed file gets its name through /proc. */
static bool open_unnamed(ex_sink *sink)
{
    if (access("/proc/self/fd", X_OK) != 0) return false;
    sink->descriptor = open(sink->temporary, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (sink->descriptor < 0) return false;
    sink->state = EX_SINK_UNNAMED;
    return true;
}

bauta_status ex_sink_open(ex_sink *sink, const char *file, bauta_error *error)
{
    *sink = (ex_sink){.file = file, .descriptor = -1};
    if (goes_direct(sink)) return open_direct(sink, error);
    const char *slash = strrchr(file, '/');
    sink->folder = slash ? (size_t)(slash + 1 - file) : 2;
    if (sink->folder + LONGEST_NAME >= sizeof sink->temporary) {
        errno = ENAMETOOLONG;
        return ex_fail_errno(error, "cannot create", file);
    }
    memcpy(sink->temporary, slash ? file : "./", sink->folder);
    return open_unnamed(sink) ? BAUTA_OK : open_named(sink, error);
}

bauta_status ex_sink_write(ex_sink *sink, const void *bytes, size_t length, bauta_error *error)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(sink->descriptor, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return ex_fail_errno(error, "cannot write to",
                                 is_standard_output(sink) ? "standard output" : sink->file);
        at += written;
        length -= (size_t)written;
    }
    return BAUTA_OK;
}

static bauta_status give_working_name(ex_sink *sink, bauta_error *error)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", sink->descriptor);
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        working_name(sink, attempt);
        if (linkat(AT_FDCWD, link, AT_FDCWD, sink->temporary, AT_SYMLINK_FOLLOW) == 0) {
            sink->state = EX_SINK_NAMED;
            return BAUTA_OK;
        }
        if (errno != EEXIST) break;
    }
    return ex_fail_errno(error, "cannot create", sink->file);
}

bauta_status ex_sink_finish(ex_sink *sink, bauta_error *error)
{
    if (is_standard_output(sink)) return BAUTA_OK;
    if (sink->state == EX_SINK_UNNAMED) EX_TRY(give_working_name(sink, error));
    int descriptor = sink->descriptor;
    sink->descriptor = -1;
    bool fine = close(descriptor) == 0;
    if (fine && sink->state == EX_SINK_NAMED) fine = rename(sink->temporary, sink->file) == 0;
    bauta_status status = fine ? BAUTA_OK : ex_fail_errno(error, "cannot write to", sink->file);
    if (fine) sink->state = EX_SINK_DIRECT; /* the working name is gone */
    ex_sink_discard(sink);
    return status;
}

void ex_sink_discard(ex_sink *sink)
{
    if (sink->descriptor >= 0 && !is_standard_output(sink)) close(sink->descriptor);
    if (sink->state == EX_SINK_NAMED) unlink(sink->temporary);
    sink->descriptor = -1;
    sink->state = EX_SINK_DIRECT;
}

bauta_status ex_file_write(const char *file, const char *bytes, size_t length, bauta_error *error)
{
    ex_sink sink;
    if (!file) return ex_fail_memory(error);
    EX_TRY(ex_sink_open(&sink, file, error));
    bauta_status status = ex_sink_write(&sink, bytes, length, error);
    if (status == BAUTA_OK) status = ex_sink_finish(&sink, error);
    ex_sink_discard(&sink);
    return status;
}

bauta_status ex_file_put(const char *file, const ex_buffer *text, bauta_error *error)
{
    EX_TRY(ex_buffer_check(text, error));
    return ex_file_write(file, text->bytes, text->length, error);
}
