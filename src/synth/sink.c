/* SPDX-License-Identifier: Apache-2.0
 *
 * Output that appears whole or not at all: written to a file without a name (or, where the
 * file system has none, under a working name beside the target), and renamed after a checked
 * close. A run that is killed leaves nothing behind where unnamed files exist.
 */
#include "synth/synth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ATTEMPTS = 1000 };

static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    size_t length = !slash || slash == file ? 1 : (size_t)(slash - file);
    char *folder = bt_array(length + 1, 1);
    if (!folder) return NULL;
    memcpy(folder, slash ? file : ".", length);
    folder[length] = '\0';
    return folder;
}

/* Room for the folder, "/.bauta-" and two numbers. */
static void working_name(bt_sink *sink, unsigned attempt)
{
    snprintf(sink->temporary, strlen(sink->folder) + 64, "%s/.bauta-%ld-%u", sink->folder,
             (long)getpid(), attempt);
}

static bool is_standard_output(const bt_sink *sink)
{
    return strcmp(sink->file, "-") == 0;
}

/* Standard output, and what is there already but is not a plain file. */
static bool goes_direct(const bt_sink *sink)
{
    struct stat facts;
    if (is_standard_output(sink)) return true;
    return stat(sink->file, &facts) == 0 && !S_ISREG(facts.st_mode);
}

static bauta_status open_direct(bt_sink *sink, bauta_error *error)
{
    sink->descriptor =
        is_standard_output(sink) ? STDOUT_FILENO : open(sink->file, O_WRONLY | O_CLOEXEC);
    return sink->descriptor < 0 ? bt_fail_errno(error, "cannot write to", sink->file) : BAUTA_OK;
}

static bauta_status open_named(bt_sink *sink, bauta_error *error)
{
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        working_name(sink, attempt);
        sink->descriptor = open(sink->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (sink->descriptor >= 0 || errno != EEXIST) break;
    }
    if (sink->descriptor < 0) return bt_fail_errno(error, "cannot create", sink->file);
    sink->state = BT_SINK_NAMED;
    return BAUTA_OK;
}

/* An unnamed file gets its name through /proc. */
static bool open_unnamed(bt_sink *sink)
{
    if (access("/proc/self/fd", X_OK) != 0) return false;
    sink->descriptor = open(sink->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (sink->descriptor < 0) return false;
    sink->state = BT_SINK_UNNAMED;
    return true;
}

bauta_status bt_sink_open(bt_sink *sink, const char *file, bauta_error *error)
{
    *sink = (bt_sink){.file = file, .descriptor = -1};
    if (goes_direct(sink)) return open_direct(sink, error);
    sink->folder = folder_of(file);
    sink->temporary = sink->folder ? bt_array(strlen(sink->folder) + 64, 1) : NULL;
    bauta_status status = BAUTA_OK;
    if (!sink->temporary)
        status = bt_fail_memory(error);
    else if (!open_unnamed(sink))
        status = open_named(sink, error);
    if (status != BAUTA_OK) bt_sink_discard(sink);
    return status;
}

bauta_status bt_sink_write(bt_sink *sink, const void *bytes, size_t length, bauta_error *error)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(sink->descriptor, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return bt_fail_errno(error, "cannot write to",
                                 is_standard_output(sink) ? "standard output" : sink->file);
        at += written;
        length -= (size_t)written;
    }
    return BAUTA_OK;
}

static bauta_status give_working_name(bt_sink *sink, bauta_error *error)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", sink->descriptor);
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        working_name(sink, attempt);
        if (linkat(AT_FDCWD, link, AT_FDCWD, sink->temporary, AT_SYMLINK_FOLLOW) == 0) {
            sink->state = BT_SINK_NAMED;
            return BAUTA_OK;
        }
        if (errno != EEXIST) break;
    }
    return bt_fail_errno(error, "cannot create", sink->file);
}

bauta_status bt_sink_finish(bt_sink *sink, bauta_error *error)
{
    if (is_standard_output(sink)) return BAUTA_OK;
    if (sink->state == BT_SINK_UNNAMED) BT_TRY(give_working_name(sink, error));
    int descriptor = sink->descriptor;
    sink->descriptor = -1;
    bool fine = close(descriptor) == 0;
    if (fine && sink->state == BT_SINK_NAMED) fine = rename(sink->temporary, sink->file) == 0;
    bauta_status status = fine ? BAUTA_OK : bt_fail_errno(error, "cannot write to", sink->file);
    if (fine) sink->state = BT_SINK_DIRECT; /* the working name is gone */
    bt_sink_discard(sink);
    return status;
}

void bt_sink_discard(bt_sink *sink)
{
    if (sink->descriptor >= 0 && !is_standard_output(sink)) close(sink->descriptor);
    if (sink->state == BT_SINK_NAMED && sink->temporary) unlink(sink->temporary);
    sink->descriptor = -1;
    sink->state = BT_SINK_DIRECT;
    free(sink->temporary);
    free(sink->folder);
    sink->temporary = sink->folder = NULL;
}

bauta_status bt_sink_put(const char *file, const bt_buffer *text, bauta_error *error)
{
    bt_sink sink;
    BT_TRY(bt_sink_open(&sink, file, error));
    bauta_status status = bt_sink_write(&sink, text->bytes, text->length, error);
    if (status == BAUTA_OK) status = bt_sink_finish(&sink, error);
    bt_sink_discard(&sink);
    return status;
}
