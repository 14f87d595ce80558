/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain words of a manifest: what a release protects and what it does not, and how its files
 * are to be read. They follow wholly from its other fields, so that an audit can compose them again
 * and see whether someone made them milder.
 */
#ifndef BT_READING_WORDS_H
#define BT_READING_WORDS_H

#include "reading/reading.h"
#include "spec/words.h"

typedef struct bt_words {
    const char *protects;      /* NULL in format 0 */
    const char *not_protected; /* never NULL */
    const char *remark;        /* NULL: nothing needs saying */
} bt_words;

/* The words that follow, from the arena. */
BT_MUST_USE bauta_status bt_words_compose(const bt_manifest *manifest, const bt_words_basis *basis,
                                          bt_arena *arena, bt_words *out, bauta_error *error);

/* Whether a manifest has the remark that its form needs; there may be more of it. */
bool bt_words_has_remark(const bt_manifest *manifest);

#endif
