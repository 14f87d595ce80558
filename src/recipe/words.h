/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain words of a manifest: what a release does not protect, and how its files are to be read.
 * They follow wholly from its other fields, so that an audit can compose them again and see whether
 * someone made them milder.
 */
#ifndef BT_WORDS_H
#define BT_WORDS_H

#include "recipe/manifest.h"

/* not_protected, from the arena; NULL: out of memory. */
const char *bt_words_not_protected(const bt_manifest *manifest, bt_arena *arena);

/* The remark, from the arena; *out is NULL when nothing needs saying. */
BT_MUST_USE bauta_status bt_words_remark(const bt_manifest *manifest, bt_arena *arena,
                                         const char **out, bauta_error *error);

/* Whether a manifest has the remark that its form needs; there may be more of it. */
bool bt_words_has_remark(const bt_manifest *manifest);

/* The value of an option of a form, "grid" of "box" in "generalized:sensitive=value,box=grid", and
 * its length; NULL: the form does not have it. */
const char *bt_form_option(const char *form, const char *name, size_t *length);

/* Whether a form has an option with this value. */
bool bt_form_says(const char *form, const char *name, const char *value);

/* The whole number that an option is; 0: it is none, or the form does not have it. */
uint64_t bt_form_number(const char *form, const char *name);

#endif
