/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact probabilities: every value's share of a target as a whole number over a common total.
 *
 * The total is divisible by every product of sums of weights along a path, which may take more than
 * 64 bits, so the numbers are as many 64-bit words as are needed (least significant first).
 */
#ifndef BT_SHARES_H
#define BT_SHARES_H

#include "class/target.h"

enum {
    BT_SHARES_WORDS_MOST = 1024,               /* of a total */
    BT_SHARES_ROOM = BT_SHARES_WORDS_MOST + 2, /* words of a number at most */
};

typedef struct bt_shares {
    uint32_t codes;        /* of the domain */
    size_t words;          /* of each number; two more than the total needs */
    const uint64_t *total; /* words */
    const uint64_t *share; /* codes * words: of each code, 0 for those not in the tree */
} bt_shares;

/* The shares of `count` targets over the same domain (one or two: a target and a reference), all
 * over one total. Owned by the arena. BAUTA_INVALID when BT_SHARES_WORDS_MOST do not suffice. */
BT_MUST_USE bauta_status bt_shares_make(const bt_target *const *targets, size_t count,
                                        bt_arena *arena, bt_shares *out, bauta_error *error);

static inline const uint64_t *bt_share(const bt_shares *shares, uint32_t code)
{
    return shares->share + (size_t)code * shares->words;
}

#endif
