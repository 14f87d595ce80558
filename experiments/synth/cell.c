/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells and numbers as text, by hand: formatting is most of the work of making a table.
 */
#include "synth/synth.h"

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

bool ex_synth_cell_make(ex_synth_cell *cell, const char *text, char after)
{
    size_t length = strlen(text);
    *cell = (ex_synth_cell){.length = (unsigned char)(length + 1)};
    if (length >= sizeof cell->bytes) return false;
    memcpy(cell->bytes, text, length);
    cell->bytes[length] = after;
    return true;
}

/* The digits of `number`, right-aligned before `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t number)
{
    while (number >= 100) {
        end -= 2;
        memcpy(end, pairs + number % 100 * 2, 2);
        number /= 100;
    }
    if (number >= 10) {
        end -= 2;
        memcpy(end, pairs + number * 2, 2);
    } else {
        *--end = (char)('0' + number);
    }
    return end;
}

char *ex_number_put(char *out, uint64_t number)
{
    char digits[24], *end = digits + sizeof digits, *from = digits_before(end, number);
    size_t length = (size_t)(end - from);
    memcpy(out, from, length);
    return out + length;
}

char *ex_decimal_put(char *out, int64_t number, unsigned digits)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, unit = 1;
    for (unsigned i = 0; i < digits; i++)
        unit *= 10;
    if (number < 0) *out++ = '-';
    out = ex_number_put(out, size / unit);
    if (digits == 0) return out;
    *out++ = '.';
    uint64_t part = size % unit;
    for (unsigned i = digits; i > 0; i--, part /= 10)
        out[i - 1] = (char)('0' + part % 10);
    return out + digits;
}
