/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking at the first record of a table.
 */
#include "io/header.h"

#include "table/value.h"

#include <string.h>

/* ---- names or values --------------------------------------------------------------------- */

/* A number, a date, a time, a telephone number, a code of digits: digits and no letter. */
static bool is_value(const bt_span *name)
{
    bool digit = false;
    for (uint32_t i = 0; i < name->length; i++) {
        unsigned char c = (unsigned char)name->bytes[i];
        if (c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) return false;
        digit = digit || (c >= '0' && c <= '9');
    }
    return digit;
}

static bool has_value_as_name(const bt_header_look *look)
{
    for (size_t i = 0; i < look->count; i++) {
        const bt_span *name = &look->fields[i];
        if (is_value(name) || bt_value_forms(name->bytes, name->length, look->decimal_comma))
            return true;
    }
    return false;
}

static bool is_same(const bt_span *name, const bt_span *value)
{
    return name->length > 0 && name->length == value->length && name->doubled == value->doubled &&
           memcmp(name->bytes, value->bytes, name->length) == 0;
}

bauta_status bt_header_is_record(const bt_header_look *look, bool *out, bauta_error *error)
{
    bt_csv csv;
    *out = has_value_as_name(look);
    if (*out) return BAUTA_OK;
    bt_span *fields = bt_array(look->count, sizeof *fields);
    if (!fields) return bt_fail_memory(error);
    bt_csv_open(&csv, look->rest, look->length, look->delimiter, look->count);
    while (!*out && bt_csv_next(&csv, fields)) {
        if (csv.at >= csv.end && !look->whole) break; /* it may be cut */
        for (size_t i = 0; i < look->count && !*out; i++)
            *out = is_same(&look->fields[i], &fields[i]);
    }
    free(fields);
    return BAUTA_OK;
}

/* ---- names that occur twice -------------------------------------------------------------- */

typedef struct named {
    const char *name;
    size_t column;
} named;

static int compare_named(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->column > b->column) - (a->column < b->column);
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, ((const named *)entry)->name);
}

/* The next number of a name that no column has in the file. Names made of two different ones are
 * never the same, since what is before the last number is the name itself. */
static char *number_name(const named *sorted, size_t count, const char *name, size_t *number,
                         bt_arena *arena)
{
    char *made;
    do
        made = bt_arena_print(arena, "%s_%zu", name, ++*number);
    while (made && bsearch(made, sorted, count, sizeof *sorted, compare_name));
    return made;
}

bauta_status bt_header_rename(char **names, size_t count, bt_arena *arena, size_t *first,
                              size_t *renamed, bauta_error *error)
{
    named *sorted = bt_array(count, sizeof *sorted);
    bauta_status status = sorted ? BAUTA_OK : bt_fail_memory(error);
    *first = count;
    *renamed = 0;
    for (size_t i = 0; i < count && sorted; i++)
        sorted[i] = (named){names[i], i};
    if (sorted) qsort(sorted, count, sizeof *sorted, compare_named);
    for (size_t i = 1, number = 1; i < count && status == BAUTA_OK; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0) {
            number = 1;
            continue;
        }
        char *made = number_name(sorted, count, sorted[i].name, &number, arena);
        if (!made) status = bt_fail_memory(error);
        names[sorted[i].column] = made;
        if (sorted[i].column < *first) *first = sorted[i].column;
        ++*renamed;
    }
    free(sorted);
    return status;
}
