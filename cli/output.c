/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors, answers, and files written whole.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- errors ---- */

static bauta_status fill(bauta_error *error, bauta_status status, const char *format,
                         va_list arguments)
{
    *error = (bauta_error){.status = status, .row = -1};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    return status;
}

bauta_status usage_error(bauta_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bauta_status status = fill(error, BAUTA_USAGE, format, arguments);
    va_end(arguments);
    return status;
}

void usage_hint(bauta_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}

bauta_status memory_error(bauta_error *error)
{
    *error = (bauta_error){.status = BAUTA_SYSTEM, .row = -1, .message = "out of memory"};
    return BAUTA_SYSTEM;
}

bauta_status system_error(bauta_error *error, const char *what, const char *file)
{
    char scratch[128];
    *error = (bauta_error){.status = BAUTA_SYSTEM, .row = -1};
    snprintf(error->message, sizeof error->message, "%s '%s': %s", what, file,
             strerror_r(errno, scratch, sizeof scratch));
    return BAUTA_SYSTEM;
}

/* Bytes of the character at `p` that must not reach a terminal: controls, and marks that turn
 * the writing direction; 0 when it may. */
static size_t hidden_bytes(const unsigned char *p)
{
    if (p[0] < 0x20 || p[0] == 0x7F) return 1;
    if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) return 2;
    if (p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0xA8 && p[2] <= 0xAE) return 3;
    if (p[0] == 0xE2 && p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9) return 3;
    return 0;
}

/* Names of files and columns come from outside: a name must not write to the terminal. */
static void put_safe(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t hidden = hidden_bytes(p);
        if (hidden == 0) fputc(*p++, stderr);
        for (; hidden > 0; hidden--)
            fprintf(stderr, "\\x%02x", *p++);
    }
}

void print_error(const bauta_error *error)
{
    char quoted[sizeof error->file + 2];
    snprintf(quoted, sizeof quoted, "'%s'", error->file);
    fprintf(stderr, "bauta: ");
    if (error->file[0] && !strstr(error->message, quoted)) {
        put_safe(error->file);
        fprintf(stderr, ": ");
    }
    if (error->row == 0)
        fprintf(stderr, "header%s", error->column[0] ? ", " : ": ");
    else if (error->row > 0)
        fprintf(stderr, "row %" PRId64 "%s", error->row, error->column[0] ? ", " : ": ");
    if (error->column[0]) {
        fprintf(stderr, "column \"");
        put_safe(error->column);
        fprintf(stderr, "\": ");
    }
    put_safe(error->message);
    fprintf(stderr, "\n");
    if (!error->hint[0]) return;
    fprintf(stderr, "hint: ");
    put_safe(error->hint);
    fprintf(stderr, "\n");
}

/* ---- answers ---- */

void print_text(const char *text)
{
    fputs(text, stdout);
}

bauta_status finish_output(bauta_error *error)
{
    bool failed = ferror(stdout) != 0;
    errno = failed ? EIO : 0;
    if (fclose(stdout) != 0 || failed)
        return system_error(error, "cannot write to", "standard output");
    return BAUTA_OK;
}

/* ---- files ---- */

static bauta_status write_all(int descriptor, const char *file, const char *text,
                              bauta_error *error)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t written = write(descriptor, text, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return system_error(error, "cannot write", file);
        text += written;
        left -= (size_t)written;
    }
    return fsync(descriptor) == 0 ? BAUTA_OK : system_error(error, "cannot write", file);
}

/* Gives the finished file its name. Without force a link does, since it fails when the name is
 * taken. */
static bauta_status give_name(const char *temporary, const char *file, int force,
                              bauta_error *error)
{
    if (force ? rename(temporary, file) == 0 : link(temporary, file) == 0) return BAUTA_OK;
    if (errno != EEXIST) return system_error(error, "cannot write", file);
    bauta_status status = usage_error(error, "'%s' exists", file);
    usage_hint(error, "--force replaces it");
    return status;
}

bauta_status refuse_input(const char *file, const char *input, bauta_error *error)
{
    struct stat out, in;
    /* Of SCHEME:FILE?… the file. */
    size_t scheme = strspn(input, "abcdefghijklmnopqrstuvwxyz");
    const char *name = input[scheme] == ':' ? input + scheme + 1 : input;
    char *inside = strndup(name, strcspn(name, "?"));
    if (!inside) return memory_error(error);
    bool same = stat(file, &out) == 0 && S_ISREG(out.st_mode) &&
                (stat(input, &in) == 0 || stat(inside, &in) == 0) && out.st_dev == in.st_dev &&
                out.st_ino == in.st_ino;
    free(inside);
    if (!same) return BAUTA_OK;
    bauta_status status = usage_error(error, "'%s' is read, and would be written over", input);
    usage_hint(error, "name another output");
    return status;
}

bauta_status write_file(const char *file, const char *text, int force, bauta_error *error)
{
    size_t room = strlen(file) + sizeof ".XXXXXX";
    char *temporary = malloc(room);
    if (!temporary) return memory_error(error);
    snprintf(temporary, room, "%s.XXXXXX", file);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    bauta_status status = BAUTA_OK;
    if (descriptor < 0) {
        status = system_error(error, "cannot write", file);
        free(temporary);
        return status;
    }
    status = write_all(descriptor, file, text, error);
    mode_t mask = umask(0);
    umask(mask);
    if (status == BAUTA_OK && fchmod(descriptor, 0666 & ~mask) != 0)
        status = system_error(error, "cannot write", file);
    if (close(descriptor) != 0 && status == BAUTA_OK)
        status = system_error(error, "cannot write", file);
    if (status == BAUTA_OK) status = give_name(temporary, file, force, error);
    unlink(temporary); /* gone already when it was renamed */
    free(temporary);
    return status;
}
