/* SPDX-License-Identifier: Apache-2.0
 *
 * Digits of wide and of floating point numbers. No result depends on the locale.
 */
#include "table/print.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t bt_print_scaled(unsigned __int128 magnitude, bool negative, int scale, bool comma, char *out)
{
    char digits[BT_PRINT_DIGITS + 4], *end = digits + sizeof digits, *first = end, *p = out;
    for (; scale > 0 && magnitude % 10 == 0; scale--)
        magnitude /= 10;
    for (; magnitude > 0 || end - first <= scale; magnitude /= 10)
        *--first = (char)('0' + (int)(magnitude % 10));
    size_t whole = (size_t)(end - first) - (size_t)scale;
    if (negative) *p++ = '-';
    memcpy(p, first, whole);
    p += whole;
    if (scale == 0) return (size_t)(p - out);
    *p++ = comma ? ',' : '.';
    memcpy(p, first + whole, (size_t)scale);
    return (size_t)(p - out) + (size_t)scale;
}

/* Most numbers are decimals of few digits: n / 10^s with the fewest places s. Both are exact, and a
 * quotient is rounded once, so that it is the number that the text reads back as. A float has fewer
 * digits, at which rounding twice makes no difference. */
static bool print_short(double value, bool single, bool comma, char *out, size_t *length)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};
    double magnitude = fabs(value), most = single ? 1e6 : 1e15;
    size_t places = single ? 7 : 11;
    for (size_t s = 0; s < places; s++) {
        double scaled = nearbyint(magnitude * powers[s]);
        if (scaled >= most) return false;
        double back = scaled / powers[s];
        if (single ? (float)back != (float)magnitude : back != magnitude) continue;
        *length = bt_print_scaled((unsigned __int128)scaled, value < 0, (int)s, comma, out);
        return true;
    }
    return false;
}

/* Fifteen digits of a double, or six of a float, are all it was written with, if it reads back the
 * same; two, or three, more always do. The point of the locale, whatever it is, is no digit. */
static size_t print_long(double value, bool single, bool comma, char *out)
{
    char text[64], digits[32] = {0};
    bool tiny = fabs(value) < (single ? (double)FLT_MIN : DBL_MIN); /* and of fewer digits */
    int least = tiny ? 1 : single ? 6 : 15, most = single ? 9 : 17, count = 0;
    for (int precision = least; precision <= most; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, fabs(value));
        if (single ? strtof(text, NULL) == (float)fabs(value) : strtod(text, NULL) == fabs(value))
            break;
    }
    char *exponent = strchr(text, 'e');
    for (char *p = text; p < exponent; p++)
        if (*p >= '0' && *p <= '9') digits[count++] = *p;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    int power = (int)strtol(exponent + 1, NULL, 10), places = count - 1 - power;
    if (power < -20 || power > 20) /* as text: this is no decimal here */
        return (size_t)snprintf(out, BT_PRINT_TEXT, "%s%c%s%.*se%d", value < 0 ? "-" : "",
                                digits[0], count > 1 ? "." : "", count - 1, digits + 1, power);
    unsigned __int128 magnitude = 0;
    for (int i = 0; i < count; i++)
        magnitude = magnitude * 10 + (unsigned __int128)(digits[i] - '0');
    for (; places < 0; places++)
        magnitude *= 10;
    return bt_print_scaled(magnitude, value < 0, places, comma, out);
}

size_t bt_print_float(double value, bool single, bool comma, char *out)
{
    size_t length;
    if (isinf(value)) return (size_t)snprintf(out, BT_PRINT_TEXT, value < 0 ? "-inf" : "inf");
    return print_short(value, single, comma, out, &length) ? length
                                                           : print_long(value, single, comma, out);
}
