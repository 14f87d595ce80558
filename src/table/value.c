/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading numbers and dates from text, and printing them. Every form is parsed by hand: the C
 * library's readers depend on the locale, take white space and hexadecimal, and round.
 */
#include "table/value.h"

#include <string.h>

enum { MOST_DIGITS = 18 }; /* significant digits of a number: always fits 64 bits */

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* ---- types ---- */

static const char *const type_names[] = {
    [BT_TEXT] = "text", [BT_INTEGER] = "integer", [BT_DECIMAL] = "decimal", [BT_DATE] = "date"};

const char *bt_type_name(bt_type type)
{
    return type_names[type];
}

bool bt_type_parse(const char *name, bt_type *out)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strcmp(type_names[i], name) == 0) {
            *out = (bt_type)i;
            return true;
        }
    return false;
}

/* ---- integers ---- */

/* Leading zeros are read here, but are no integer form: a column that holds them is one only
 * when its type was asked for. */
static bool read_integer(const char *bytes, size_t length, int64_t *out)
{
    const char *p = bytes, *end = bytes + length;
    bool negative = length > 0 && *p == '-';
    if (length > 0 && (*p == '-' || *p == '+')) p++;
    if (p == end) return false;
    while (end - p > 1 && *p == '0')
        p++;
    if (end - p > MOST_DIGITS) return false;
    int64_t value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p)) return false;
        value = value * 10 + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

/* ---- decimals ---- */

/* A decimal is mantissa * 10^exponent; the mantissa does not end in 0 unless it is 0. */
typedef struct decimal {
    int64_t mantissa;
    int exponent;
} decimal;

/* Digits so far. Zeros are held back until another digit follows them, so that neither leading
 * nor trailing zeros count as significant. */
typedef struct digits {
    int64_t mantissa;
    size_t count, held;
} digits;

static bool take_digit(digits *so_far, char c)
{
    if (c == '0') {
        so_far->held += so_far->mantissa != 0;
        return true;
    }
    if (so_far->held >= MOST_DIGITS || so_far->count + so_far->held >= MOST_DIGITS) return false;
    so_far->count += so_far->held + 1;
    for (; so_far->held > 0; so_far->held--)
        so_far->mantissa *= 10;
    so_far->mantissa = so_far->mantissa * 10 + (c - '0');
    return true;
}

/* "e5", "E-12": from `p` up to the end. */
static bool read_exponent(const char *p, const char *end, int *out)
{
    p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || end - p > 4) return false;
    int value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p)) return false;
        value = value * 10 + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

static bool finish_decimal(const digits *all, size_t places, int exponent, bool negative,
                           decimal *out)
{
    *out = (decimal){0, 0};
    if (all->mantissa == 0) return true;
    /* Both counts are bounded by the length of a field, 2^32. */
    int64_t power = (int64_t)all->held - (int64_t)places + exponent;
    if (power < -MOST_DIGITS || power + (int64_t)all->count > MOST_DIGITS) return false;
    *out = (decimal){negative ? -all->mantissa : all->mantissa, (int)power};
    return true;
}

static bool read_decimal(const char *bytes, size_t length, bool decimal_comma, decimal *out)
{
    const char *p = bytes, *end = bytes + length, mark = decimal_comma ? ',' : '.';
    bool negative = length > 0 && *p == '-';
    if (length > 0 && (*p == '-' || *p == '+')) p++;
    digits all = {0, 0, 0};
    const char *start = p;
    for (; p < end && is_digit(*p); p++)
        if (!take_digit(&all, *p)) return false;
    size_t whole = (size_t)(p - start), places = 0;
    if (p < end && *p == mark) {
        start = ++p;
        for (; p < end && is_digit(*p); p++)
            if (!take_digit(&all, *p)) return false;
        places = (size_t)(p - start);
    }
    int exponent = 0;
    if (whole + places == 0) return false;
    if (p < end && ((*p != 'e' && *p != 'E') || !read_exponent(p, end, &exponent))) return false;
    return finish_decimal(&all, places, exponent, negative, out);
}

int bt_value_scale(const char *bytes, size_t length, bool decimal_comma)
{
    decimal value;
    if (!read_decimal(bytes, length, decimal_comma, &value)) return 0;
    return value.exponent < 0 ? -value.exponent : 0;
}

static bool scale_decimal(decimal value, int scale, int64_t *out)
{
    int64_t number = value.mantissa;
    int power = value.exponent + scale;
    if (number == 0) power = 0;
    if (power < 0) return false;
    for (; power > 0; power--)
        if (__builtin_mul_overflow(number, (int64_t)10, &number)) return false;
    *out = number;
    return true;
}

/* ---- dates: proleptic Gregorian, years 1..9999 ---- */

typedef struct date {
    int year, month, day;
} date;

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

static bool is_date(date d)
{
    return d.year >= 1 && d.year <= 9999 && d.month >= 1 && d.month <= 12 && d.day >= 1 &&
           d.day <= month_days(d.year, d.month);
}

/* Years are counted from March, so that the leap day is the last of its year. */
static int64_t days_of(date d)
{
    int year = d.month <= 2 ? d.year - 1 : d.year, month = d.month <= 2 ? d.month + 9 : d.month - 3;
    int century = year / 100, in_century = year % 100;
    return (int64_t)century * 146097 / 4 + in_century * 1461 / 4 + (153 * month + 2) / 5 + d.day -
           1 - 719468;
}

static date date_of(int64_t days)
{
    int64_t since = days + 719468; /* since 0000-03-01; not negative from year 1 on */
    int64_t era = since / 146097, in_era = since % 146097;
    int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * in_year + 2) / 153;
    date d = {.year = (int)(era * 400 + year), .day = (int)(in_year - (153 * month + 2) / 5 + 1)};
    d.month = (int)(month < 10 ? month + 3 : month - 9);
    if (d.month <= 2) d.year++;
    return d;
}

/* One number of a date, of `least` to `most` digits; NULL: there is none. */
static const char *date_part(const char *p, const char *end, int least, int most, int *out)
{
    int count = 0, value = 0;
    for (; p < end && count < most && is_digit(*p); p++, count++)
        value = value * 10 + (*p - '0');
    *out = value;
    return count < least ? NULL : p;
}

/* Three numbers and two equal separators. */
static bool date_numbers(const char *bytes, size_t length, bool year_first, int parts[3],
                         char *separator)
{
    const char *p = bytes, *end = bytes + length;
    if (length > 10) return false;
    p = date_part(p, end, year_first ? 4 : 1, year_first ? 4 : 2, &parts[0]);
    if (!p || p == end) return false;
    *separator = *p++;
    p = date_part(p, end, year_first ? 2 : 1, 2, &parts[1]);
    if (!p || p == end || *p++ != *separator) return false;
    p = date_part(p, end, year_first ? 2 : 4, year_first ? 2 : 4, &parts[2]);
    return p == end;
}

/* Nothing, or after a blank or at once: half of the day, zone, or offset of the zone. */
static bool is_zone(const char *p, const char *end)
{
    static const char *const words[] = {"Z", "UTC", "GMT", "AM", "PM", "am", "pm"};
    int hours, minutes;
    if (p == end) return true;
    if (*p == ' ') p++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - p) == strlen(words[i]) && memcmp(p, words[i], strlen(words[i])) == 0)
            return true;
    if (p == end || (*p != '+' && *p != '-')) return false;
    p = date_part(p + 1, end, 2, 2, &hours);
    if (!p || p == end) return p != NULL;
    if (*p == ':') p++;
    return date_part(p, end, 2, 2, &minutes) == end && minutes < 60;
}

/* "T12:30:15.250+02:00", " 12:30", " 1:30 PM": all that follows a day. */
static bool is_time(const char *p, const char *end)
{
    int hour, minute, second = 0;
    p = date_part(p + 1, end, 1, 2, &hour);
    if (!p || p == end || *p != ':') return false;
    p = date_part(p + 1, end, 2, 2, &minute);
    if (p && p < end && *p == ':') p = date_part(p + 1, end, 2, 2, &second);
    if (!p) return false;
    if (end - p > 1 && (*p == '.' || *p == ',') && is_digit(p[1]))
        for (p++; p < end && is_digit(*p);)
            p++;
    return hour < 24 && minute < 60 && second <= 60 && is_zone(p, end);
}

/* Where the day of a date ends and a time begins; 0: what follows is no time. */
static size_t day_length(const char *bytes, size_t length)
{
    size_t day = 0;
    while (day < length && day < 11 && bytes[day] != 'T' && bytes[day] != ' ')
        day++;
    return day == length || (day < 11 && is_time(bytes + day, bytes + length)) ? day : 0;
}

static bool has_year_first(const char *bytes, size_t length)
{
    return length == 10 && !is_digit(bytes[4]);
}

/* Which of the three orders the numbers of a date allow. */
static unsigned fitting_orders(const int n[3], char separator, bool year_first)
{
    unsigned forms = 0;
    bool slash = separator == '/';
    if (year_first)
        return (separator == '-' || slash) && is_date((date){n[0], n[1], n[2]}) ? BT_FORM_YMD : 0;
    if ((separator == '.' || slash) && is_date((date){n[2], n[1], n[0]})) forms |= BT_FORM_DMY;
    if (slash && is_date((date){n[2], n[0], n[1]})) forms |= BT_FORM_MDY;
    return forms;
}

static bool read_date(const char *bytes, size_t length, const bt_reading *reading, int64_t *out)
{
    int n[3];
    char separator;
    unsigned form = reading->date_form;
    size_t day = reading->timed ? day_length(bytes, length) : length;
    bool year_first = has_year_first(bytes, day);
    if (!date_numbers(bytes, day, year_first, n, &separator) ||
        !(fitting_orders(n, separator, year_first) & form))
        return false;
    date d = {n[2], n[1], n[0]};
    if (form == BT_FORM_YMD) d = (date){n[0], n[1], n[2]};
    if (form == BT_FORM_MDY) d = (date){n[2], n[0], n[1]};
    *out = days_of(d);
    return true;
}

static unsigned date_forms(const char *bytes, size_t length)
{
    int n[3];
    char separator;
    size_t day = day_length(bytes, length);
    bool year_first = has_year_first(bytes, day);
    if (!date_numbers(bytes, day, year_first, n, &separator)) return 0;
    unsigned orders = fitting_orders(n, separator, year_first);
    return orders && day == length ? orders | BT_FORM_DAY : orders;
}

/* ---- forms ---- */

/* Digits first: most fields of a pass-through column are settled by this loop or by their first
 * byte. */
unsigned bt_value_forms(const char *bytes, size_t length, bool decimal_comma)
{
    const char *p = bytes, *end = bytes + length;
    if (length == 0) return 0;
    bool sign = *p == '-' || *p == '+';
    p += sign;
    const char *start = p;
    while (p < end && is_digit(*p))
        p++;
    size_t count = (size_t)(p - start);
    bool padded = count > 1 && *start == '0';
    if (p == end) {
        bool fits = count > 0 && count <= MOST_DIGITS && !padded;
        return fits ? BT_FORM_INTEGER | BT_FORM_DECIMAL : 0;
    }
    switch (*p) {
    case '.':
    case ',':
    case 'e':
    case 'E': {
        decimal ignored;
        if (!padded && read_decimal(bytes, length, decimal_comma, &ignored)) return BT_FORM_DECIMAL;
        return *p == '.' && !sign ? date_forms(bytes, length) : 0;
    }
    case '-':
    case '/': return sign ? 0 : date_forms(bytes, length);
    default: return 0;
    }
}

bt_reading bt_reading_of(unsigned forms, bool decimal_comma, bool any_value)
{
    bt_reading reading = {.type = BT_TEXT, .decimal_comma = decimal_comma};
    unsigned dates = forms & (BT_FORM_YMD | BT_FORM_DMY | BT_FORM_MDY);
    if (!any_value) return reading;
    if (forms & BT_FORM_INTEGER) {
        reading.type = BT_INTEGER;
    } else if (forms & BT_FORM_DECIMAL) {
        reading.type = BT_DECIMAL;
    } else if (dates != 0 && (dates & (dates - 1)) == 0) {
        reading.type = BT_DATE;
        reading.date_form = dates;
        reading.timed = !(forms & BT_FORM_DAY);
    }
    return reading;
}

/* ---- numbers ---- */

bool bt_value_number(const bt_reading *reading, const char *bytes, size_t length, int scale,
                     int64_t *out)
{
    decimal value;
    switch (reading->type) {
    case BT_INTEGER:
        return read_integer(bytes, length, out) ||
               (reading->whole && read_decimal(bytes, length, reading->decimal_comma, &value) &&
                scale_decimal(value, 0, out));
    case BT_DECIMAL:
        return read_decimal(bytes, length, reading->decimal_comma, &value) &&
               scale_decimal(value, scale, out);
    case BT_DATE: return read_date(bytes, length, reading, out);
    case BT_TEXT: break;
    }
    return false;
}

/* Digits of `number` without its sign, right-aligned before `end`; returns the first. */
static char *print_digits(uint64_t number, char *end)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

static size_t print_decimal(int64_t number, int scale, char *out)
{
    char buffer[BT_NUMBER_TEXT], *end = buffer + sizeof buffer, *p = out;
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    for (; scale > 0 && magnitude % 10 == 0; scale--)
        magnitude /= 10;
    char *first = print_digits(magnitude, end);
    while (end - first <= scale)
        *--first = '0';
    size_t whole = (size_t)(end - first) - (size_t)scale;
    if (number < 0) *p++ = '-';
    memcpy(p, first, whole);
    p += whole;
    if (scale > 0) {
        *p++ = '.';
        memcpy(p, first + whole, (size_t)scale);
        p += scale;
    }
    return (size_t)(p - out);
}

static void print_padded(char *out, int width, int value)
{
    for (int i = width - 1; i >= 0; i--) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
}

static size_t print_date(int64_t days, char *out)
{
    date d = date_of(days);
    print_padded(out, 4, d.year);
    out[4] = '-';
    print_padded(out + 5, 2, d.month);
    out[7] = '-';
    print_padded(out + 8, 2, d.day);
    return 10;
}

size_t bt_number_print(bt_type type, int scale, int64_t number, char *out)
{
    /* Only dates that were read are dates: any other number stays visible as one. */
    if (type == BT_DATE && number >= BT_FIRST_DAY && number <= BT_LAST_DAY)
        return print_date(number, out);
    return print_decimal(number, type == BT_DECIMAL ? scale : 0, out);
}

unsigned bt_canonical_types(const char *bytes, size_t length)
{
    unsigned types = 0;
    int64_t number;
    char printed[BT_NUMBER_TEXT];
    for (bt_type type = BT_INTEGER; type <= BT_DATE; type++) {
        const bt_reading reading = {.type = type, .date_form = BT_FORM_YMD};
        int scale = type == BT_DECIMAL ? bt_value_scale(bytes, length, false) : 0;
        if (bt_value_number(&reading, bytes, length, scale, &number) &&
            bt_number_print(type, scale, number, printed) == length &&
            memcmp(printed, bytes, length) == 0)
            types |= 1U << type;
    }
    return types;
}

bt_type bt_type_of(unsigned types)
{
    return types & 1U << BT_INTEGER   ? BT_INTEGER
           : types & 1U << BT_DECIMAL ? BT_DECIMAL
           : types & 1U << BT_DATE    ? BT_DATE
                                      : BT_TEXT;
}

const char *bt_value_canonical(const bt_reading *reading, const char *bytes, size_t length,
                               char *out, size_t *out_length)
{
    int64_t number;
    int scale =
        reading->type == BT_DECIMAL ? bt_value_scale(bytes, length, reading->decimal_comma) : 0;
    *out_length = length;
    if (!bt_value_number(reading, bytes, length, scale, &number)) return bytes;
    *out_length = bt_number_print(reading->type, scale, number, out);
    return out;
}

/* ---- missing ---- */

/* Whether a token, written with a point or the year first, is this number or date. */
static bool is_same(const char *token, const char *bytes, size_t length, unsigned forms,
                    bool decimal_comma)
{
    decimal code, value;
    int64_t never, day;
    size_t token_length = strlen(token);
    unsigned token_forms = bt_value_forms(token, token_length, false);
    bt_reading reading = {.type = BT_DATE, .date_form = BT_FORM_YMD, .timed = true};
    if (forms & token_forms & BT_FORM_DECIMAL)
        return read_decimal(token, token_length, false, &code) &&
               read_decimal(bytes, length, decimal_comma, &value) &&
               code.mantissa == value.mantissa && code.exponent == value.exponent;
    if (!(token_forms & BT_FORM_YMD) || !read_date(token, token_length, &reading, &never))
        return false;
    for (unsigned form = BT_FORM_YMD; form <= BT_FORM_MDY; form <<= 1) {
        reading.date_form = form;
        if ((forms & form) && read_date(bytes, length, &reading, &day) && day == never) return true;
    }
    return false;
}

bool bt_is_missing_typed(const bt_missing *missing, const char *bytes, size_t length)
{
    unsigned forms = bt_value_forms(bytes, length, missing->decimal_comma);
    for (size_t i = missing->count - missing->typed; forms && i < missing->count; i++)
        if (is_same(missing->tokens[i], bytes, length, forms, missing->decimal_comma)) return true;
    return false;
}
