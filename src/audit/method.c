/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and options of grouping methods.
 */
#include "audit/method.h"

#include <string.h>

typedef struct known_option {
    const char *name;
    const char *values; /* "a|b"; "N": a number from 2 on; "COL": quasi columns with levels */
} known_option;

typedef struct known_method {
    const char *name;
    known_option options[4]; /* ends with one that has no name */
} known_method;

static const known_method methods[] = {
    {"mondrian",
     {{"order", "gain|widest|round-robin"},
      {"cuts", "hierarchy|order"},
      {"minimal", "yes|no"},
      {NULL, NULL}}},
    {"top-down",
     {{"attribute", "most-specialized|ncp"}, {"minimal", "yes|no"}, {NULL, NULL}, {NULL, NULL}}},
    {"anatomy", {{"l", "N"}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
    {"incognito",
     {{"objective", "ncp|discernibility|distortion|height|classes"},
      {"local", "no|yes"},
      {"minimal", "yes|no"},
      {NULL, NULL}}},
    {"cluster", {{"merge", "nearest|borrow"}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
    {"whole", {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
    {"columns", {{"by", "COL"}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
    {"identical", {{"within", "COL"}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
    {"levels", {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}}},
};

static bool is_text(const char *text, size_t length, const char *wanted, size_t wanted_length)
{
    return length == wanted_length && memcmp(text, wanted, length) == 0;
}

static bool is_listed(const char *text, size_t length, const char *list)
{
    for (;;) {
        size_t item = strcspn(list, "|");
        if (is_text(text, length, list, item)) return true;
        if (list[item] == '\0') return false;
        list += item + 1;
    }
}

static bool is_number(const char *text, size_t length)
{
    if (length == 0 || length > 10 || text[0] == '0' || (length == 1 && text[0] == '1'))
        return false;
    return strspn(text, "0123456789") >= length;
}

/* "age@2": a level may follow the name. */
static bool is_column(const bt_manifest *manifest, const char *item, size_t length)
{
    size_t name = length;
    while (name > 0 && item[name - 1] != '@')
        name--;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        size_t wanted = strlen(column->name);
        if (column->role != BT_ROLE_QUASI) continue;
        if (is_text(item, length, column->name, wanted)) return true;
        if (name > 0 && is_text(item, name - 1, column->name, wanted)) return true;
    }
    return false;
}

/* "age@2,sex", or none. Names with a backslash before what separates are not taken apart. */
static bool are_columns(const bt_manifest *manifest, const char *text, size_t length)
{
    if (length == 0 || memchr(text, '\\', length)) return true;
    for (size_t at = 0, item; at <= length; at += item + 1) {
        item = strcspn(text + at, ",");
        if (!is_column(manifest, text + at, item)) return false;
    }
    return true;
}

static bool fits(const bt_manifest *manifest, const known_option *option, const char *text,
                 size_t length)
{
    if (strcmp(option->values, "N") == 0) return is_number(text, length);
    if (strcmp(option->values, "COL") == 0) return are_columns(manifest, text, length);
    return is_listed(text, length, option->values);
}

const char *bt_method_fault(const bt_manifest *manifest)
{
    const char *text = manifest->method;
    size_t name = strcspn(text, ":"), count = sizeof methods / sizeof *methods, m = 0, used = 0;
    while (m < count && !is_text(text, name, methods[m].name, strlen(methods[m].name)))
        m++;
    if (m == count) return "it names a grouping method that there is not";
    for (const char *at = text + name; *at;) {
        at++;
        const known_option *option = methods[m].options + used;
        while (option->name && !is_text(at, strcspn(at, "="), option->name, strlen(option->name)))
            option++; /* they stand in their order, each once */
        if (!option->name) return "it names an option that the grouping method does not have";
        at += strlen(option->name) + 1;
        bool last = strcmp(option->values, "COL") == 0; /* commas stand between columns, too */
        size_t length = last ? strlen(at) : strcspn(at, ",");
        if (!fits(manifest, option, at, length))
            return "an option of the grouping method has a value that it cannot have";
        used = (size_t)(option - methods[m].options) + 1;
        at += length;
    }
    return NULL;
}
