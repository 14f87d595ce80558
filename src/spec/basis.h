/* SPDX-License-Identifier: Apache-2.0
 *
 * What the promises of a manifest say of classes, for the words that follow from them.
 */
#ifndef BT_BASIS_H
#define BT_BASIS_H

#include "spec/words.h"

/* Promises that are not known say nothing; the audit reports them. Memory from the arena. */
BT_MUST_USE bauta_status bt_words_basis_of(const bt_manifest *manifest, bt_arena *arena,
                                           bt_words_basis *out, bauta_error *error);

#endif
