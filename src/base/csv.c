/* SPDX-License-Identifier: Apache-2.0
 *
 * The record scanner. The hot loop walks the set bits of a 64-bit mask of structural bytes
 * (delimiter, LF, quote); only fields that begin with a quote leave it.
 */
#include "base/csv.h"

#include <string.h>

typedef struct window { /* of 64 bytes */
    uint64_t mask;      /* structural bytes */
    bool blank;         /* there are other bytes up to the blank: perhaps something to trim */
} window;

#if defined(__SSE2__)
#include <emmintrin.h>

static inline window look(const char *p, char delimiter)
{
    const __m128i d = _mm_set1_epi8(delimiter), n = _mm_set1_epi8('\n'), q = _mm_set1_epi8('"');
    const __m128i blank = _mm_set1_epi8(' ');
    __m128i blanks = _mm_setzero_si128();
    window found = {0, false};
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, d), _mm_cmpeq_epi8(v, n)),
                                   _mm_cmpeq_epi8(v, q));
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, blank), v);
        blanks = _mm_or_si128(blanks, _mm_andnot_si128(hit, low));
        found.mask |= (uint64_t)(unsigned)_mm_movemask_epi8(hit) << (16 * i);
    }
    found.blank = _mm_movemask_epi8(blanks) != 0;
    return found;
}
#else
static inline window look(const char *p, char delimiter)
{
    window found = {0, false};
    for (int i = 0; i < 64; i++) {
        bool hit = p[i] == delimiter || p[i] == '\n' || p[i] == '"';
        found.mask |= (uint64_t)hit << i;
        found.blank |= !hit && (unsigned char)p[i] <= ' ';
    }
    return found;
}
#endif

/* The 64 bytes from p on, structural ones behind `end` left out. */
static inline window look_until(const char *p, const char *end, char delimiter)
{
    if (p >= end) return (window){0, false};
    window found = look(p, delimiter);
    if (end - p < 64) found.mask &= ~(~(uint64_t)0 << (end - p));
    return found;
}

/* Makes the 64 bytes from p on the current ones. */
static inline void move_window(bt_csv *csv, const char *p)
{
    window found = look_until(p, csv->end, csv->delimiter);
    csv->window = p;
    csv->mask = found.mask;
    csv->blank = found.blank;
}

void bt_csv_open(bt_csv *csv, const char *bytes, size_t length, char delimiter, size_t columns)
{
    *csv = (bt_csv){.at = bytes, .end = bytes + length, .delimiter = delimiter, .columns = columns};
    move_window(csv, bytes);
}

/* Continues the window at `p`, forgetting structural bytes before it. */
static inline void seek(bt_csv *csv, const char *p)
{
    size_t offset = (size_t)(p - csv->window);
    if (offset >= 64)
        move_window(csv, p);
    else
        csv->mask &= ~(uint64_t)0 << offset;
}

/* The next structural byte at or after the current place, or csv->end. */
static inline const char *next_structural(bt_csv *csv)
{
    while (csv->mask == 0) {
        if (csv->end - csv->window <= 64) {
            csv->window = csv->end;
            return csv->end;
        }
        move_window(csv, csv->window + 64);
    }
    const char *p = csv->window + __builtin_ctzll(csv->mask);
    csv->mask &= csv->mask - 1;
    return p;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bt_span trimmed(const char *from, const char *to)
{
    while (from < to && is_blank(to[-1]))
        to--;
    while (from < to && is_blank(*from))
        from++;
    return (bt_span){from, (uint32_t)(to - from), false, false};
}

static bool fail(bt_csv *csv, bt_csv_fault fault, size_t column, const char *byte)
{
    csv->fault = fault;
    csv->fault_column = column;
    csv->fault_byte = byte;
    return false;
}

/* A field whose first byte (after blanks) is the quote at `quote`. Puts its span and returns
 * the structural byte that ends it, or NULL after a fault. */
static const char *quoted_field(bt_csv *csv, const char *quote, size_t column, bt_span *field)
{
    const char *p = quote + 1;
    bool doubled = false;
    for (;;) {
        p = memchr(p, '"', (size_t)(csv->end - p));
        if (!p) return fail(csv, BT_CSV_UNCLOSED, column, quote), NULL;
        if (p + 1 >= csv->end || p[1] != '"') break;
        doubled = true;
        p += 2;
    }
    if (p - quote > UINT32_MAX) return fail(csv, BT_CSV_LONG, column, quote), NULL;
    *field = (bt_span){quote + 1, (uint32_t)(p - quote - 1), doubled, true};
    for (p++; p < csv->end && is_blank(*p) && *p != csv->delimiter; p++)
        ;
    if (p < csv->end && *p != csv->delimiter && *p != '\n')
        return fail(csv, BT_CSV_STRAY, column, p), NULL;
    seek(csv, p < csv->end ? p + 1 : p);
    return p;
}

/* One field from `start`; returns the structural byte that ends it, or NULL after a fault. */
static inline const char *field_end(bt_csv *csv, const char *start, size_t column, bt_span *field)
{
    const char *p = next_structural(csv);
    if (__builtin_expect(p < csv->end && *p == '"', 0)) {
        for (const char *b = start; b < p; b++)
            if (!is_blank(*b)) return fail(csv, BT_CSV_STRAY, column, p), NULL;
        return quoted_field(csv, p, column, field);
    }
    if (__builtin_expect(p - start > UINT32_MAX, 0))
        return fail(csv, BT_CSV_LONG, column, start), NULL;
    *field = trimmed(start, p);
    return p;
}

static inline bool at_blank_line(const bt_csv *csv)
{
    const char *p = csv->at;
    return *p == '\n' || (*p == '\r' && p + 1 < csv->end && p[1] == '\n');
}

static void skip_blank_lines(bt_csv *csv)
{
    while (csv->at < csv->end && at_blank_line(csv))
        csv->at += *csv->at == '\r' ? 2 : 1;
    seek(csv, csv->at);
}

/* Where plain_record is; a copy, so that a record that is not usual can be read again the
 * careful way. */
typedef struct place {
    const char *window;
    uint64_t mask;
    bool blank; /* in any window since the record began */
} place;

/* Finds the next structural byte; false at the end of the block. */
static inline bool plain_next(place *at, const char *end, char delimiter, const char **out)
{
    while (at->mask == 0) {
        at->window += 64;
        if (at->window >= end) return false;
        window found = look_until(at->window, end, delimiter);
        at->mask = found.mask;
        at->blank |= found.blank;
    }
    *out = at->window + __builtin_ctzll(at->mask);
    at->mask &= at->mask - 1;
    return true;
}

/* The usual record: no quotes, every field there, a line end. White space is looked for in whole
 * windows, since most records have none. */
static inline bool plain_record(bt_csv *csv, bt_span *fields)
{
    const char *start = csv->at, *const end = csv->end, *p;
    const char delimiter = csv->delimiter;
    place at = {csv->window, csv->mask, csv->blank};
    bt_span *const last = fields + csv->columns - 1;
    for (bt_span *field = fields; field < last; field++) {
        if (!plain_next(&at, end, delimiter, &p) || *p != delimiter) return false;
        *field = (bt_span){start, (uint32_t)(p - start), false, false};
        start = p + 1;
    }
    if (!plain_next(&at, end, delimiter, &p) || *p != '\n') return false;
    *last = (bt_span){start, (uint32_t)(p - start), false, false};
    if (p - csv->at > UINT32_MAX) return false;
    if (at.blank) {
        for (bt_span *field = fields; field <= last; field++)
            *field = trimmed(field->bytes, field->bytes + field->length);
        at.blank = look(at.window, delimiter).blank;
    }
    csv->window = at.window;
    csv->mask = at.mask;
    csv->blank = at.blank;
    csv->at = p + 1;
    return true;
}

static bool careful_record(bt_csv *csv, bt_span *fields)
{
    if (__builtin_expect(csv->columns > 1 && at_blank_line(csv), 0)) {
        skip_blank_lines(csv);
        if (csv->at >= csv->end) return false;
    }
    const char *start = csv->at;
    size_t last = csv->columns - 1;
    for (size_t column = 0;; column++) {
        const char *p = field_end(csv, start, column, &fields[column]);
        if (!p) return false;
        bool ends = p == csv->end || *p == '\n';
        if (column == last) {
            if (!ends) return fail(csv, BT_CSV_MANY, column, p);
            csv->at = p == csv->end ? p : p + 1;
            return true;
        }
        if (ends) return fail(csv, BT_CSV_FEW, column, p);
        start = p + 1;
    }
}

bool bt_csv_next(bt_csv *csv, bt_span *fields)
{
    return bt_csv_batch(csv, fields, 1) == 1;
}

size_t bt_csv_batch(bt_csv *csv, bt_span *fields, size_t most)
{
    size_t rows = 0;
    for (; rows < most && csv->at < csv->end; rows++, fields += csv->columns)
        if (!plain_record(csv, fields) && !careful_record(csv, fields)) break;
    return rows;
}

size_t bt_csv_any(bt_csv *csv, bt_span *fields, size_t most)
{
    if (csv->at >= csv->end) return 0;
    const char *start = csv->at;
    for (size_t column = 0;; column++) {
        bt_span field;
        const char *p = field_end(csv, start, column, &field);
        if (!p) return 0;
        if (column < most) fields[column] = field;
        if (p == csv->end || *p == '\n') {
            csv->at = p == csv->end ? p : p + 1;
            return column + 1;
        }
        start = p + 1;
    }
}

bauta_status bt_span_text(bt_span *span, bt_buffer *scratch, bauta_error *error)
{
    if (!span->doubled) return BAUTA_OK;
    scratch->length = 0;
    BT_TRY(bt_buffer_reserve(scratch, (size_t)span->length + BT_CSV_PADDING, error));
    for (uint32_t i = 0; i < span->length; i++) {
        scratch->bytes[scratch->length++] = span->bytes[i];
        if (span->bytes[i] == '"') i++;
    }
    *span = (bt_span){scratch->bytes, (uint32_t)scratch->length, false, true};
    return BAUTA_OK;
}

const char *bt_csv_fault_text(bt_csv_fault fault)
{
    switch (fault) {
    case BT_CSV_FINE: return "no fault";
    case BT_CSV_FEW: return "the record has fewer fields than the header";
    case BT_CSV_MANY: return "the record has more fields than the header";
    case BT_CSV_UNCLOSED: return "a quoted field is not closed";
    case BT_CSV_STRAY:
        return "a quote stands inside an unquoted field or text follows a closing quote";
    case BT_CSV_LONG: return "a field is longer than 4 GiB";
    }
    return "unknown fault";
}

bt_csv_census bt_csv_survey(const char *bytes, size_t length)
{
    bt_csv_census census = {0, false, false};
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), zero = _mm_setzero_si128();
    __m128i quotes = zero, nul = zero, high = zero;
    for (; i + 16 <= length; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        /* A byte that is a quote counts -1; the sums of absolute values add eight at a time. */
        quotes =
            _mm_add_epi64(quotes, _mm_sad_epu8(_mm_sub_epi8(zero, _mm_cmpeq_epi8(v, quote)), zero));
        nul = _mm_or_si128(nul, _mm_cmpeq_epi8(v, zero));
        high = _mm_or_si128(high, v);
    }
    uint64_t sums[2];
    memcpy(sums, &quotes, sizeof sums);
    census.quotes = (size_t)(sums[0] + sums[1]);
    census.nul = _mm_movemask_epi8(nul) != 0;
    census.high = _mm_movemask_epi8(high) != 0;
#endif
    for (; i < length; i++) {
        census.quotes += bytes[i] == '"';
        census.nul |= bytes[i] == 0;
        census.high |= (unsigned char)bytes[i] >= 0x80;
    }
    return census;
}

/* Whether a field must be quoted, and how many quotes it holds. */
static bool must_quote(const char *bytes, size_t length, size_t *doubled)
{
    bool quote = length > 0 && (is_blank(bytes[0]) || is_blank(bytes[length - 1]));
    *doubled = 0;
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        quote |= c == ',' || c == '\n' || c == '\r' || c == '"';
        *doubled += c == '"';
    }
    return quote;
}

/* -12 or -0.5, as numbers are printed. */
static bool is_number(const char *bytes, size_t length)
{
    size_t digits = 0, points = 0, i = length > 0 && bytes[0] == '-';
    for (; i < length; i++) {
        points += bytes[i] == '.';
        digits += bytes[i] >= '0' && bytes[i] <= '9';
    }
    return digits > 0 && points <= 1 && digits + points + (bytes[0] == '-') == length;
}

bool bt_csv_tempts(const char *bytes, size_t length)
{
    return length > 0 && bytes[0] != '\0' && strchr("=+-@\t\r\n'", bytes[0]) &&
           !is_number(bytes, length);
}

size_t bt_csv_size(const char *bytes, size_t length)
{
    size_t doubled;
    bool quote = must_quote(bytes, length, &doubled);
    return length + doubled + (quote ? 2 : 0);
}

bauta_status bt_csv_put(bt_buffer *out, const char *bytes, size_t length, bauta_error *error)
{
    size_t doubled;
    bool quote = must_quote(bytes, length, &doubled);
    BT_TRY(bt_buffer_reserve(out, length + doubled + 2, error));
    if (!quote) {
        if (length) memcpy(out->bytes + out->length, bytes, length);
        out->length += length;
        return BAUTA_OK;
    }
    char *p = out->bytes + out->length;
    *p++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '"') *p++ = '"';
        *p++ = bytes[i];
    }
    *p++ = '"';
    out->length = (size_t)(p - out->bytes);
    return BAUTA_OK;
}
