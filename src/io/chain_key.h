/* SPDX-License-Identifier: Apache-2.0
 *
 * What digests of columns (chain.h) are made with.
 */
#ifndef BT_CHAIN_KEY_H
#define BT_CHAIN_KEY_H

#include "base/random.h"

typedef unsigned __int128 bt_element; /* modulo 2^127 - 1 */

typedef struct bt_chain_key {
    bt_element place; /* r */
    unsigned char text[16];
} bt_chain_key;

void bt_chain_key_make(const bt_seed *seed, bt_chain_key *out);

#endif
