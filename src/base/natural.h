/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole numbers of any fixed number of 64-bit words, least significant first: as much as comparing
 * products exactly needs. The caller sees to it that results fit; what does not is lost.
 */
#ifndef BT_NATURAL_H
#define BT_NATURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void bt_natural_set(uint64_t *out, size_t words, uint64_t value);
/* -1, 0, 1 */
int bt_natural_compare(const uint64_t *a, const uint64_t *b, size_t words);
void bt_natural_add(uint64_t *a, const uint64_t *b, size_t words);      /* a += b */
void bt_natural_subtract(uint64_t *a, const uint64_t *b, size_t words); /* a -= b, b <= a */
void bt_natural_multiply(uint64_t *a, uint64_t factor, size_t words);   /* a *= factor */
/* a /= divisor, which is not 0; returns the remainder. */
uint64_t bt_natural_divide(uint64_t *a, uint64_t divisor, size_t words);
/* The remainder alone. */
uint64_t bt_natural_remainder(const uint64_t *a, uint64_t divisor, size_t words);
/* Bits up to the highest that is set. */
size_t bt_natural_bits(const uint64_t *a, size_t words);
/* a / b for printing; b > 0. */
double bt_natural_ratio(const uint64_t *a, const uint64_t *b, size_t words);

uint64_t bt_common_divisor(uint64_t a, uint64_t b);

#endif
