/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading CSV line by line. A record ends with the first line behind which the number of quotes is
 * even: whatever stands in quotes, or is wrong with them, is found when its fields are taken apart.
 */
#include "kit/kit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *shown_name(const ex_csv *csv)
{
    return strcmp(csv->name, "-") == 0 ? "standard input" : csv->name;
}

static bauta_status fail_record(const ex_csv *csv, const char *what, bauta_error *error)
{
    bauta_status status = ex_fail(error, BAUTA_INVALID, "%s", what);
    ex_error_place(error, shown_name(csv), csv->row, NULL);
    return status;
}

static bauta_status grow(void *items, size_t *room, size_t need, size_t size, bauta_error *error)
{
    if (need <= *room) return BAUTA_OK;
    size_t wanted = need > *room * 2 ? need : *room * 2, bytes;
    void *grown =
        __builtin_mul_overflow(wanted, size, &bytes) ? NULL : realloc(*(void **)items, bytes);
    if (!grown) return ex_fail_memory(error);
    *(void **)items = grown;
    *room = wanted;
    return BAUTA_OK;
}

/* Adds a line to csv->text; *got is false at the end of the file. */
static bauta_status read_line(ex_csv *csv, char **line, size_t *line_room, bool *got,
                              bauta_error *error)
{
    errno = 0;
    ssize_t length = getdelim(line, line_room, '\n', csv->file);
    *got = length > 0;
    if (length < 0 && ferror(csv->file))
        return ex_fail_errno(error, "cannot read", shown_name(csv));
    if (length < 0 && errno == ENOMEM) return ex_fail_memory(error);
    if (!*got) return BAUTA_OK;
    EX_TRY(grow(&csv->text, &csv->room, csv->length + (size_t)length + 1, 1, error));
    memcpy(csv->text + csv->length, *line, (size_t)length);
    csv->length += (size_t)length;
    csv->text[csv->length] = '\0';
    return BAUTA_OK;
}

/* Reads the next record with what stands before it; *start is where it begins, the end of the text
 * when there is none. */
static bauta_status read_record(ex_csv *csv, size_t *start, bauta_error *error)
{
    char *line = NULL;
    size_t room = 0;
    bool quoted = false, got = true;
    bauta_status status = BAUTA_OK;
    csv->length = *start = 0;
    while (status == BAUTA_OK) {
        size_t from = csv->length;
        status = read_line(csv, &line, &room, &got, error);
        if (status != BAUTA_OK || !got) break;
        const char *text = csv->text + from;
        if (!quoted && csv->columns > 1 && (*text == '\n' || strcmp(text, "\r\n") == 0)) {
            *start = csv->length;
            continue;
        }
        for (size_t i = from; i < csv->length; i++)
            quoted ^= csv->text[i] == '"';
        if (!quoted) break;
    }
    free(line);
    return status;
}

/* ---- fields ---- */

/* Ends the field in quotes that begins at `quote`, with doubled quotes undone; returns what is
 * behind it and behind blanks, or NULL: it is not closed. */
static char *close_quotes(char *quote, char *end, char delimiter)
{
    char *out = quote, *p = quote + 1;
    for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
        p += *p == '"';
        *out++ = *p;
    }
    if (p == end) return NULL;
    for (p++; p < end && is_blank(*p) && *p != delimiter;)
        p++;
    *out = '\0';
    return p;
}

/* Takes the record apart that ends at `end`; NULL, or what is wrong with it. `known`: its fields
 * must be as many as the columns. */
static const char *take_apart(ex_csv *csv, char *p, char *end, bool known, size_t *count)
{
    for (*count = 0;; p++) {
        while (p < end && is_blank(*p) && *p != csv->delimiter)
            p++;
        char *field = p, *stop = NULL;
        csv->fields[(*count)++] = field;
        if (p < end && *p == '"') {
            p = close_quotes(p, end, csv->delimiter);
            if (!p) return "a quoted field is not closed";
        } else {
            while (p < end && *p != csv->delimiter && *p != '"')
                p++;
            for (stop = p; stop > field && is_blank(stop[-1]);)
                stop--;
        }
        bool last = p == end;
        if (!last && *p != csv->delimiter)
            return "a quote stands inside an unquoted field or text follows a closing quote";
        if (stop) *stop = '\0';
        if (known && last && *count < csv->columns)
            return "the record has fewer fields than the header";
        if (known && !last && *count == csv->columns)
            return "the record has more fields than the header";
        if (last) return NULL;
    }
}

/* The fields of the record that begins at csv->text[start]. */
static bauta_status split_record(ex_csv *csv, size_t start, bool known, size_t *count,
                                 bauta_error *error)
{
    size_t length = csv->length - start, most = 1;
    for (size_t i = start; i < csv->length; i++)
        most += csv->text[i] == csv->delimiter;
    EX_TRY(grow(&csv->copy, &csv->copy_room, length + 1, 1, error));
    EX_TRY(grow(&csv->fields, &csv->field_room, most, sizeof *csv->fields, error));
    memcpy(csv->copy, csv->text + start, length);
    if (csv->copy[length - 1] == '\n') length--;
    csv->copy[length] = '\0';
    const char *fault = take_apart(csv, csv->copy, csv->copy + length, known, count);
    return fault ? fail_record(csv, fault, error) : BAUTA_OK;
}

/* ---- the table ---- */

/* The byte of these that occurs most often outside quotes; comma wins a tie. */
static char sniff(const char *text)
{
    static const char delimiters[] = {',', ';', '\t', '|'};
    size_t counts[sizeof delimiters] = {0}, best = 0;
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        for (size_t d = 0; d < sizeof delimiters && !quoted; d++)
            counts[d] += *text == delimiters[d];
    }
    for (size_t d = 1; d < sizeof delimiters; d++)
        if (counts[d] > counts[best]) best = d;
    return delimiters[best];
}

bauta_status ex_csv_open(ex_csv *csv, const char *file, char delimiter, bauta_error *error)
{
    size_t start;
    *csv = (ex_csv){.name = file, .delimiter = delimiter};
    if (!file) return ex_fail_memory(error);
    csv->file = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
    if (!csv->file) return ex_fail_errno(error, "cannot open", shown_name(csv));
    EX_TRY(read_record(csv, &start, error));
    if (csv->length >= 3 && memcmp(csv->text, "\xEF\xBB\xBF", 3) == 0) start = 3;
    if (start == csv->length) {
        bauta_status status = fail_record(csv, "the table is empty", error);
        ex_error_place(error, NULL, -1, NULL);
        return status;
    }
    if (!delimiter) csv->delimiter = sniff(csv->text + start);
    return split_record(csv, start, false, &csv->columns, error);
}

bauta_status ex_csv_next(ex_csv *csv, bool *more, bauta_error *error)
{
    size_t start, count;
    EX_TRY(read_record(csv, &start, error));
    *more = start < csv->length;
    if (!*more) return BAUTA_OK;
    csv->row++;
    return split_record(csv, start, true, &count, error);
}

void ex_csv_close(ex_csv *csv)
{
    if (csv->file && csv->file != stdin) fclose(csv->file);
    free(csv->text);
    free(csv->copy);
    free(csv->fields);
    *csv = (ex_csv){0};
}

size_t ex_csv_column(const ex_csv *csv, const char *name)
{
    size_t column = 0;
    while (column < csv->columns && strcmp(csv->fields[column], name) != 0)
        column++;
    return column;
}

void ex_csv_put(ex_buffer *out, const char *text, const char *special)
{
    size_t length = strlen(text);
    bool quote = strpbrk(text, special) || strpbrk(text, "\"\r\n") ||
                 (length > 0 && (is_blank(text[0]) || is_blank(text[length - 1])));
    if (quote) ex_add(out, "\"", 1);
    for (const char *p = text; *p; p++)
        ex_add(out, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
    if (quote) ex_add(out, "\"", 1);
}
