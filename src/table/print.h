/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that a column of text cannot hold as 64-bit integers, written as the texts that they are:
 * wide integers and decimals, and floating point numbers as the shortest decimal that reads back
 * the same.
 */
#ifndef BT_PRINT_H
#define BT_PRINT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    BT_PRINT_DIGITS = 38, /* of a magnitude, and of a scale */
    BT_PRINT_TEXT = 48,   /* room for any text below */
};

/* A magnitude over 10^scale, without zeros at the end; returns the length. `comma`: that is its
 * decimal point. */
size_t bt_print_scaled(unsigned __int128 magnitude, bool negative, int scale, bool comma,
                       char *out);

/* A float (`single`) or a double, no NaN: digits and a point from 10^-20 to 10^21, else in powers
 * of ten, which is text and no decimal of a table; infinite ones are inf and -inf. */
size_t bt_print_float(double value, bool single, bool comma, char *out);

#endif
