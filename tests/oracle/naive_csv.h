/* SPDX-License-Identifier: Apache-2.0
 *
 * A CSV parser that goes byte by byte, in the words of base/csv.h: the twin that the scanner is
 * compared with, by the tests on random text and by the fuzz target on any text.
 */
#ifndef BT_NAIVE_CSV_H
#define BT_NAIVE_CSV_H

#include "base/csv.h"

#include <stdio.h>
#include <string.h>

typedef struct naive_csv {
    const char *bytes;
    size_t length, at, columns;
    char delimiter;
    bt_csv_fault fault;
    size_t fault_column, fault_at;
} naive_csv;

typedef struct naive_field {
    size_t from, length; /* in the block */
    bool doubled;
} naive_field;

static inline bool naive_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool naive_fail(naive_csv *csv, bt_csv_fault fault, size_t column, size_t at)
{
    csv->fault = fault;
    csv->fault_column = column;
    csv->fault_at = at;
    return false;
}

static inline bool naive_quoted(naive_csv *csv, size_t quote, size_t column, size_t *end,
                                naive_field *field)
{
    size_t i = quote + 1;
    field->from = i;
    for (;; i++) {
        if (i >= csv->length) return naive_fail(csv, BT_CSV_UNCLOSED, column, quote);
        if (csv->bytes[i] != '"') continue;
        if (i + 1 >= csv->length || csv->bytes[i + 1] != '"') break;
        field->doubled = true;
        i++;
    }
    field->length = i - field->from;
    for (i++; i < csv->length; i++) {
        if (csv->bytes[i] == csv->delimiter || csv->bytes[i] == '\n') break;
        if (!naive_blank(csv->bytes[i])) return naive_fail(csv, BT_CSV_STRAY, column, i);
    }
    *end = i;
    return true;
}

/* One field from csv->at; *end is the place of the delimiter or line end, or the length. */
static inline bool naive_one(naive_csv *csv, size_t column, size_t *end, naive_field *field)
{
    size_t i = csv->at;
    *field = (naive_field){0, 0, false};
    while (i < csv->length && naive_blank(csv->bytes[i]) && csv->bytes[i] != csv->delimiter)
        i++;
    if (i < csv->length && csv->bytes[i] == '"') return naive_quoted(csv, i, column, end, field);
    field->from = i;
    for (; i < csv->length; i++) {
        if (csv->bytes[i] == csv->delimiter || csv->bytes[i] == '\n') break;
        if (csv->bytes[i] == '"') return naive_fail(csv, BT_CSV_STRAY, column, i);
    }
    *end = i;
    while (i > field->from && naive_blank(csv->bytes[i - 1]))
        i--;
    field->length = i - field->from;
    return true;
}

/* One record into fields[0..columns-1]; false at the end or on a fault. */
static inline bool naive_next(naive_csv *csv, naive_field *fields)
{
    while (csv->columns > 1 && csv->at < csv->length) {
        if (csv->bytes[csv->at] == '\n')
            csv->at++;
        else if (csv->bytes[csv->at] == '\r' && csv->at + 1 < csv->length &&
                 csv->bytes[csv->at + 1] == '\n')
            csv->at += 2;
        else
            break;
    }
    if (csv->at >= csv->length) return false;
    for (size_t column = 0;; column++) {
        size_t end = 0;
        if (!naive_one(csv, column, &end, &fields[column])) return false;
        bool last = end == csv->length || csv->bytes[end] == '\n';
        if (last && column + 1 < csv->columns) return naive_fail(csv, BT_CSV_FEW, column, end);
        if (!last && column + 1 == csv->columns) return naive_fail(csv, BT_CSV_MANY, column, end);
        csv->at = end + (end < csv->length);
        if (last) return true;
    }
}

/* Compares scanner and twin over a whole block that is followed by BT_CSV_PADDING readable
 * bytes. NULL: they agree; otherwise what they differ in. */
static inline const char *naive_compare(const char *bytes, size_t length, char delimiter,
                                        size_t columns)
{
    enum { MOST = 32 };
    bt_span spans[MOST];
    naive_field fields[MOST];
    bt_csv csv;
    naive_csv twin = {.bytes = bytes, .length = length, .columns = columns, .delimiter = delimiter};
    if (columns == 0 || columns > MOST) return "columns";
    bt_csv_open(&csv, bytes, length, delimiter, columns);
    for (;;) {
        bool more = bt_csv_next(&csv, spans), naive_more = naive_next(&twin, fields);
        if (more != naive_more) return "number of records";
        if (!more) break;
        if (csv.at != bytes + twin.at) return "end of a record";
        for (size_t i = 0; i < columns; i++) {
            if (spans[i].length != fields[i].length) return "length of a field";
            if (spans[i].bytes != bytes + fields[i].from && spans[i].length > 0)
                return "place of a field";
            if (spans[i].doubled != fields[i].doubled) return "doubled quotes";
        }
    }
    if (csv.fault != twin.fault) return "kind of fault";
    if (csv.fault == BT_CSV_FINE) return NULL;
    if (csv.fault_column != twin.fault_column) return "column of a fault";
    if (csv.fault_byte != bytes + twin.fault_at) return "place of a fault";
    return NULL;
}

#endif
