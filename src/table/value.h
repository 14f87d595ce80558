/* SPDX-License-Identifier: Apache-2.0
 *
 * Values as text: which types a text can be read as, and the canonical text of each.
 *
 * Integers with leading zeros (postcodes) are text. Decimals have at most 18 significant
 * digits, before the point and after it, and are exact: a scaled integer, never floating point.
 * Dates are year-month-day, day.month.year, day/month/year or month/day/year (which of the last
 * two is decided from the whole column; a column that allows both stays text). A time of day may
 * follow ("T12:30:00Z", " 12:30", " 1:30 PM"): the value is the day, as it is written, in whatever
 * zone. Canonical texts: "-12", "3.5", "2024-02-29"; text is itself. The missing value is the empty
 * text.
 */
#ifndef BT_VALUE_H
#define BT_VALUE_H

#include "base/memory.h"

#include <string.h>

typedef enum bt_type { BT_TEXT, BT_INTEGER, BT_DECIMAL, BT_DATE } bt_type;

const char *bt_type_name(bt_type type); /* "text", "integer", "decimal", "date" */
bool bt_type_parse(const char *name, bt_type *out);

/* The forms a text fits; a column's forms are those that fit all its values. */
enum {
    BT_FORM_INTEGER = 1,
    BT_FORM_DECIMAL = 2, /* also set for integers */
    BT_FORM_YMD = 4,
    BT_FORM_DMY = 8,
    BT_FORM_MDY = 16,
    BT_FORM_DAY = 32, /* a date that no time of day follows */
    BT_FORM_ANY = 63,
};
unsigned bt_value_forms(const char *bytes, size_t length, bool decimal_comma);

/* The forms of which a value has one that is of the type; of text, which all are: 0. */
static inline unsigned bt_type_forms(bt_type type)
{
    return type == BT_INTEGER   ? BT_FORM_INTEGER
           : type == BT_DECIMAL ? BT_FORM_DECIMAL
           : type == BT_DATE    ? BT_FORM_YMD | BT_FORM_DMY | BT_FORM_MDY
                                : 0;
}

/* How the texts of a column are read. */
typedef struct bt_reading {
    bt_type type;
    unsigned date_form; /* BT_DATE: one BT_FORM_?M? */
    bool timed;         /* BT_DATE: a time of day may stand after the date, and is cut off */
    bool decimal_comma;
    bool whole; /* BT_INTEGER: also whole numbers that are written as decimals, "1.0" */
    bool said;  /* the recipe names the type; else it was found from all values */
} bt_reading;

/* The type that `forms` lead to: integer, decimal, date, or text when nothing fits or the date
 * order is ambiguous. `forms` of a column without values is BT_FORM_ANY: text. */
bt_reading bt_reading_of(unsigned forms, bool decimal_comma, bool any_value);

enum { BT_NUMBER_TEXT = 40 };                           /* room for any canonical number or date */
enum { BT_FIRST_DAY = -719162, BT_LAST_DAY = 2932896 }; /* 0001-01-01 and 9999-12-31 as numbers */

/* The number behind a text that fits the reading: integers and dates (days since 1970-01-01)
 * themselves, decimals times 10^scale. False: does not fit the reading or 64 bits. Leading
 * zeros are accepted here (a column whose type was asked for, a leaf of a hierarchy). */
bool bt_value_number(const bt_reading *reading, const char *bytes, size_t length, int scale,
                     int64_t *out);
/* Decimal places of a decimal text, trailing zeros not counted; at most 18. */
int bt_value_scale(const char *bytes, size_t length, bool decimal_comma);

/* Canonical text of a number; returns its length. `out` has room for BT_NUMBER_TEXT. */
size_t bt_number_print(bt_type type, int scale, int64_t number, char *out);

/* The types that a text is canonical of, 1 << type each; text itself is not among them. */
enum { BT_TYPES_ANY = 1 << BT_INTEGER | 1 << BT_DECIMAL | 1 << BT_DATE };
unsigned bt_canonical_types(const char *bytes, size_t length);
/* The type of a column of which all texts are canonical of these types. */
bt_type bt_type_of(unsigned types);

/* Canonical text of a value of a column that is read as `reading`: points at `bytes` itself
 * for text, at `out` (room for BT_NUMBER_TEXT) otherwise. */
const char *bt_value_canonical(const bt_reading *reading, const char *bytes, size_t length,
                               char *out, size_t *out_length);

/* The tokens that mean "missing"; the empty text always does. */
typedef struct bt_missing {
    const char *const *tokens;
    size_t count;
    size_t typed; /* the last so many also mean the same number or date: 99.0, 31.12.9999 */
    bool decimal_comma;
} bt_missing;

bool bt_is_missing_typed(const bt_missing *missing, const char *bytes, size_t length);

/* Inline: it is asked of every field that is read or written. */
static inline bool bt_is_missing(const bt_missing *missing, const char *bytes, size_t length)
{
    if (length == 0) return true;
    for (size_t i = 0; i < missing->count; i++) {
        const char *token = missing->tokens[i];
        if (token[0] == bytes[0] && strlen(token) == length && memcmp(token, bytes, length) == 0)
            return true;
    }
    return missing->typed > 0 && bt_is_missing_typed(missing, bytes, length);
}

#endif
