/* SPDX-License-Identifier: Apache-2.0
 *
 * How many of very many rows of texts occur once.
 *
 * A text of up to 16 bytes is two words, a longer one its SipHash-2-4 of 128 bits. A row is known
 * by two hashes of its words with keys of their own, 127 bits together: the sum of products that is
 * NH (Black, Halevi, Krawczyk, Krovetz and Rogaway, UMAC, 1999), made 64 bits by a multilinear hash
 * (Lemire and Kaser, Strongly universal string hashing is fast, 2014). Two different rows have the
 * same hash with a chance of at most 2^-125, whatever they are: the keys are drawn for each count
 * and never leave it, so that nobody can make up rows that collide. Of n rows any two collide with
 * less than n^2 / 2^126: the count is exact, and the same whatever the keys are.
 *
 * Cost: two multiplications per text, 16 bytes per row, in parts that are counted one by one;
 * beyond the memory of the run they go to a temporary file. Any number of workers add at once.
 */
#ifndef BT_SINGLES_H
#define BT_SINGLES_H

#include "base/hash.h"
#include "base/run.h"

typedef struct bt_singles bt_singles;

/* Rows have `texts` texts. For all workers of the run's pool. */
BT_MUST_USE bauta_status bt_singles_new(const bt_run *run, size_t texts, bt_singles **out,
                                        bauta_error *error);
void bt_singles_free(bt_singles *singles);

/* A text as the rows have it. It holds no NUL byte, and BT_WORDS bytes are readable at it whatever
 * the length. */
bt_words bt_singles_long(const bt_singles *singles, const char *text, size_t length);
static inline bt_words bt_singles_text(const bt_singles *singles, const char *text, size_t length)
{
    return length > BT_WORDS ? bt_singles_long(singles, text, length) : bt_words_of(text, length);
}

BT_MUST_USE bauta_status bt_singles_add(bt_singles *singles, unsigned worker, const bt_words *row,
                                        bauta_error *error);

/* After the last row: how many rows no other one equals. */
BT_MUST_USE bauta_status bt_singles_count(bt_singles *singles, int64_t *out, bauta_error *error);

#endif
