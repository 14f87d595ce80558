/* SPDX-License-Identifier: Apache-2.0
 *
 * What a manifest of format 0 says of what is not protected. Only words.c may include this.
 */
#ifndef BT_WORDS_0_H
#define BT_WORDS_0_H

#include "spec/words.h"

/* From the arena; NULL: out of memory. */
const char *bt_words_0_not_protected(const bt_manifest *manifest, bt_arena *arena);

#endif
