/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking at the first record of a table.
 */
#include "io/header.h"

#include "table/value.h"

#include <string.h>

/* ---- names or values --------------------------------------------------------------------- */

static bool is_letter(unsigned char c)
{
    return c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* A number, a date, a time, a telephone number, a code of digits: digits and no letter. Or a mail
 * address, or what stands for a missing value. */
static bool is_value(const bt_span *name)
{
    bool digit = false, letter = false;
    for (uint32_t i = 0; i < name->length; i++) {
        unsigned char c = (unsigned char)name->bytes[i];
        if (c == '@' && i > 0 && i + 1 < name->length) return true;
        letter = letter || is_letter(c);
        digit = digit || (c >= '0' && c <= '9');
    }
    return !letter &&
           (digit || (name->length == 1 && (*name->bytes == '?' || *name->bytes == '-')));
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

/* What a text looks like: its letters as one 'a', its digits as one '9', the rest as it is. So
 * "12 Jan 1990" is "9 a 9", and "A12.3" is "a9.9". */
typedef struct shape {
    size_t length; /* 0: it has no digit, or nothing else but letters, as in "q1"; or is long */
    char marks[24];
} shape;

static shape shape_of(const bt_span *text)
{
    shape made = {0};
    bool digit = false, sign = false;
    for (uint32_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        char mark = (char)(is_letter(c) || c == '_' ? 'a' : c >= '0' && c <= '9' ? '9' : c);
        digit = digit || mark == '9';
        sign = sign || (mark != '9' && mark != 'a');
        if (made.length > 0 && made.marks[made.length - 1] == mark && (mark == 'a' || mark == '9'))
            continue;
        if (made.length == sizeof made.marks) return (shape){0};
        made.marks[made.length++] = mark;
    }
    return digit && sign ? made : (shape){0};
}

static bool is_alike(const shape *name, const bt_span *value)
{
    if (name->length == 0) return false;
    shape other = shape_of(value);
    return other.length == name->length && memcmp(other.marks, name->marks, name->length) == 0;
}

typedef struct seen { /* of a column */
    shape name;
    size_t alike; /* values that look like the name */
    size_t words; /* values that are neither numbers nor dates */
} seen;

static int compare_spans(const void *left, const void *right)
{
    const bt_span *a = *(const bt_span *const *)left, *b = *(const bt_span *const *)right;
    uint32_t length = a->length < b->length ? a->length : b->length;
    int order = length > 0 ? memcmp(a->bytes, b->bytes, length) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Whether two columns of words have the same name, as two values of a record may be the same. Over
 * a column of numbers it is a name. */
static bool repeats(const bt_header_look *look, const seen *columns, size_t rows,
                    const bt_span **names)
{
    size_t count = 0;
    for (size_t i = 0; i < look->count; i++)
        if (columns[i].words > 0 && 2 * columns[i].words >= rows) names[count++] = &look->fields[i];
    if (count > 0) qsort(names, count, sizeof *names, compare_spans);
    for (size_t i = 1; i < count; i++)
        if (is_same(names[i - 1], names[i])) return true;
    return false;
}

static bool is_word(const bt_header_look *look, const bt_span *value)
{
    return value->length > 0 && !is_value(value) &&
           !bt_value_forms(value->bytes, value->length, look->decimal_comma);
}

/* Compares the names with the values that follow: is one of them a value of its own column, or does
 * it look like half of them? */
static bool is_among_values(const bt_header_look *look, bt_span *fields, seen *columns,
                            size_t *rows)
{
    bt_csv csv;
    *rows = 0;
    for (size_t i = 0; i < look->count; i++)
        columns[i] = (seen){.name = shape_of(&look->fields[i])};
    bt_csv_open(&csv, look->rest, look->length, look->delimiter, look->count);
    for (; bt_csv_next(&csv, fields); ++*rows) {
        if (csv.at >= csv.end && !look->whole) break; /* it may be cut */
        for (size_t i = 0; i < look->count; i++) {
            if (is_same(&look->fields[i], &fields[i])) return true;
            columns[i].alike += is_alike(&columns[i].name, &fields[i]);
            columns[i].words += is_word(look, &fields[i]);
        }
    }
    for (size_t i = 0; i < look->count; i++)
        if (columns[i].alike > 0 && 2 * columns[i].alike >= *rows) return true;
    return false;
}

bauta_status bt_header_is_record(const bt_header_look *look, bool *out, bauta_error *error)
{
    *out = has_value_as_name(look);
    if (*out) return BAUTA_OK;
    size_t rows;
    bt_span *fields = bt_array(look->count, sizeof *fields);
    seen *columns = bt_array(look->count, sizeof *columns);
    const bt_span **names = bt_array(look->count, sizeof *names);
    bauta_status status = fields && columns && names ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        *out = is_among_values(look, fields, columns, &rows) || repeats(look, columns, rows, names);
    free(fields);
    free(columns);
    free(names);
    return status;
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
