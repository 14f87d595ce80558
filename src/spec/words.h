/* SPDX-License-Identifier: Apache-2.0
 *
 * What the plain words of a manifest rest on beside its fields (reading/words.h composes them), and
 * what the options of forms and methods say.
 */
#ifndef BT_WORDS_H
#define BT_WORDS_H

#include "spec/manifest.h"

/* What the requirements behind the promises say; require/basis.h finds it out. */
typedef struct bt_words_basis {
    int64_t least;      /* rows or persons of a class, at least; 1: nothing is promised of it */
    bool about_values;  /* some promise is about sensitive values */
    const char *values; /* the promises about values: "l=3 and alpha(disease)=0.5"; "": none */
    const bool *mixed;  /* per column of the manifest: no class shows only one value of it, or only
                           one category where it shows those */
} bt_words_basis;

/* The value of an option of a form, "grid" of "box" in "generalized:sensitive=value,box=grid", and
 * its length; NULL: the form does not have it. */
const char *bt_form_option(const char *form, const char *name, size_t *length);

/* Whether a form has an option with this value. */
bool bt_form_says(const char *form, const char *name, const char *value);

/* The whole number that an option is; 0: it is none, or the form does not have it. */
uint64_t bt_form_number(const char *form, const char *name);

/* Whether the cells of a quasi column of `generalized` are no wider than their records need:
 * someone has the value at each end of a range and each value of a set, and is under each of two
 * children of a node. */
bool bt_cells_are_tight(const bt_manifest *manifest, const bt_manifest_column *column);

#endif
