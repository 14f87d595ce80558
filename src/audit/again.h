/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized, for the owner: whoever has the key of the random streams draws once more from the
 * original, and has the very rows of the release, each in its place. Only src/audit may include
 * this.
 *
 * A twin of what src/publish does, written for itself, so that a fault there does not repeat here.
 * The streams (base/random.h) and what is drawn from them are:
 *   "release id" 0  the id of the release: the lowest byte of each of 16 words;
 *   "randomized" i  the records 2^14 i to 2^14 (i + 1) - 1, one after the other. With lambda = 1 a
 *                   number below the common denominator of the columns' probabilities says which
 *                   column, their parts lying side by side in the order of columns; else lambda
 *                   columns are dealt from a pack that is in their order at first and stays as it
 *                   lies: for each, a number says which of the cards that are left comes next, and
 *                   the two change places. After each column a number below records times values
 *                   says which value it gets (see `deck`);
 *   "data.csv" 0    a word for each record; rows are in the order of their words.
 *
 * Cost: linear in rows times columns, and the sorting of the words; 16 bytes a row.
 */
#ifndef BT_AGAIN_H
#define BT_AGAIN_H

#include "class/mechanism.h"
#include "reading/compared.h"

typedef struct bt_again {
    bool same_id;      /* the key is that of a release with this id */
    int64_t different; /* rows that are not what was drawn for their place */
    int64_t first;     /* the first of them */
} bt_again;

/* There are as many rows as records, and the codes of the original are in the order that they had
 * when values were drawn. */
BT_MUST_USE bauta_status bt_drawn_again(const bt_release *release, const bt_compared *compared,
                                        const bt_seed *key, const bt_run *run, bt_again *out,
                                        bauta_error *error);

#endif
