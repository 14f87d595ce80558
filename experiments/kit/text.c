/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, lists and the nearest of some names.
 */
#include "kit/kit.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool ex_integer(const char *text, int64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)text[*text == '-' || *text == '+'])) return false;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0';
}

/* ---- lists ---- */

/* Whether a backslash stands before text[at] and is not itself behind one. */
static bool is_kept(const char *text, size_t at)
{
    size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\')
        backslashes++;
    return backslashes % 2 == 1;
}

static char *trimmed(char *part)
{
    part += strspn(part, " \t");
    size_t length = strlen(part);
    while (length > 0 && strchr(" \t", part[length - 1]) && !is_kept(part, length - 1))
        length--;
    part[length] = '\0';
    return part;
}

bauta_status ex_split(ex_arena *arena, const char *text, char separator, char ***parts,
                      size_t *count, bauta_error *error)
{
    size_t length = strlen(text);
    char *copy = ex_arena_array(arena, length + 1, 1), *out = copy, *start = copy;
    *count = 0;
    *parts = ex_arena_array(arena, length + 1, sizeof **parts);
    if (!*parts || !copy) return ex_fail_memory(error);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == separator) {
            *out++ = '\0';
            (*parts)[(*count)++] = trimmed(start);
            start = out;
            continue;
        }
        if (text[i] == '\\' && i + 1 < length) {
            if (text[i + 1] != separator) *out++ = text[i];
            i++;
        }
        *out++ = text[i];
    }
    if (length > 0) (*parts)[(*count)++] = trimmed(start);
    return BAUTA_OK;
}

/* ---- the nearest name ---- */

enum { NAME_LIMIT = 64 }; /* longer names are compared by their first bytes */

static size_t edit_distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, NAME_LIMIT), columns = strnlen(b, NAME_LIMIT), row[NAME_LIMIT + 1];
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            bool differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            size_t best = diagonal + differ;
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[columns];
}

void ex_compare(ex_nearest *nearest, const char *name)
{
    size_t distance = edit_distance(nearest->wanted, name);
    size_t limit = nearest->best ? nearest->distance : strnlen(nearest->wanted, NAME_LIMIT) / 3 + 2;
    if (distance >= limit) return;
    nearest->best = name;
    nearest->distance = distance;
}

void ex_hint_nearest(const ex_nearest *nearest, const char *otherwise, bauta_error *error)
{
    if (nearest->best)
        ex_error_hint(error, "did you mean '%s'?", nearest->best);
    else
        ex_error_hint(error, "%s", otherwise);
}
