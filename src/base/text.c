/* SPDX-License-Identifier: Apache-2.0
 *
 * Nearest names, lists, numbers and encodings.
 */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 64 }; /* longer names are compared by their first bytes */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t columns = least(strlen(b), NAME_LIMIT), rows = least(strlen(a), NAME_LIMIT);
    size_t row[NAME_LIMIT + 1];
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            char x = a[i - 1], y = b[j - 1];
            if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
            if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
            size_t best = least(least(row[j], row[j - 1]) + 1, diagonal + (x != y));
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[columns];
}

const char *bt_text_nearest(const char *wanted, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = least(strlen(wanted), NAME_LIMIT) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(wanted, names[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

bool bt_text_is_kept(const char *text, size_t at)
{
    size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\')
        backslashes++;
    return backslashes % 2 == 1;
}

static void trim_part(char *part)
{
    size_t length = strlen(part), start = strspn(part, " \t");
    while (length > start && (part[length - 1] == ' ' || part[length - 1] == '\t') &&
           !bt_text_is_kept(part, length - 1))
        length--;
    memmove(part, part + start, length - start);
    part[length - start] = '\0';
}

bauta_status bt_text_split(bt_arena *arena, const char *text, char separator, char ***parts,
                           size_t *count, bauta_error *error)
{
    size_t length = strlen(text), most = 1;
    for (size_t i = 0; i < length; i++)
        most += text[i] == separator;
    *count = 0;
    *parts = bt_arena_array(arena, most, sizeof **parts);
    char *copy = bt_arena_alloc(arena, length + 1);
    if (!*parts || !copy) return bt_fail_memory(error);
    if (length == 0) return BAUTA_OK;
    char *out = copy, *start = copy;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length) {
            /* Kept for separators of an inner list, dropped before our own. */
            if (text[i + 1] != separator) *out++ = text[i];
            *out++ = text[++i];
        } else if (text[i] == separator) {
            *out++ = '\0';
            (*parts)[(*count)++] = start;
            start = out;
        } else {
            *out++ = text[i];
        }
    }
    *out = '\0';
    (*parts)[(*count)++] = start;
    for (size_t i = 0; i < *count; i++)
        trim_part((*parts)[i]);
    return BAUTA_OK;
}

void bt_text_unescape(char *text)
{
    char *out = text;
    for (const char *p = text; *p; p++) {
        if (*p == '\\' && p[1] != '\0') p++;
        *out++ = *p;
    }
    *out = '\0';
}

bool bt_text_integer(const char *text, int64_t *out)
{
    bool negative = *text == '-';
    const char *p = text + (*text == '-' || *text == '+');
    if (*p == '\0') return false;
    int64_t value = 0;
    for (; *p; p++) {
        if (*p < '0' || *p > '9') return false;
        int digit = *p - '0';
        if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_sub_overflow(value, (int64_t)digit, &value))
            return false;
    }
    if (!negative && value == INT64_MIN) return false;
    *out = negative ? value : -value;
    return true;
}

/* Length of the valid UTF-8 sequence at p, or 0. */
static size_t utf8_sequence(const unsigned char *p, size_t left)
{
    unsigned char lead = p[0], low = 0x80, high = 0xBF;
    size_t length;
    if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if ((lead & 0xF0) == 0xE0)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    else
        return 0;
    if (left < length) return 0;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F; /* no surrogates */
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    return length;
}

size_t bt_utf8_valid_prefix(const char *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t i = 0;
    while (i < length) {
        uint64_t word;
        if (i + 8 <= length && (memcpy(&word, p + i, 8), (word & 0x8080808080808080u) == 0)) {
            i += 8;
        } else if (p[i] < 0x80) {
            i++;
        } else {
            size_t sequence = utf8_sequence(p + i, length - i);
            if (sequence == 0) return i;
            i += sequence;
        }
    }
    return length;
}

static size_t put_utf8(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

size_t bt_encoding_to_utf8(bt_encoding encoding, const char *bytes, size_t length, char *out)
{
    static const uint16_t high[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    if (encoding == BT_UTF8) {
        memcpy(out, bytes, length);
        return length;
    }
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned code = (unsigned char)bytes[i];
        if (encoding == BT_WINDOWS1252 && code >= 0x80 && code < 0xA0) code = high[code - 0x80];
        written += put_utf8(code, out + written);
    }
    return written;
}

/* ---- shares ---- */

void bt_share_print(double share, char *out, size_t room)
{
    double percent = fabs(share * 100);
    const char *sign = share < 0 ? "-" : ""; /* by itself: 0 has none */
    if (percent == 0 || percent == 100)
        snprintf(out, room, "%s%.0f %%", sign, percent);
    else if (percent < 0.01)
        snprintf(out, room, share < 0 ? ">-0.01 %%" : "<0.01 %%");
    else if (percent >= 99.95 && percent < 100)
        snprintf(out, room, share < 0 ? "<-99.9 %%" : ">99.9 %%");
    else
        snprintf(out, room, percent < 9.995 ? "%s%.2f %%" : "%s%.1f %%", sign, percent);
}
