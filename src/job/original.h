/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading original records as a release describes them. Only src/job may include this.
 */
#ifndef BT_ORIGINAL_H
#define BT_ORIGINAL_H

#include "job/load.h"
#include "reading/release.h"

/* Which columns are needed. */
typedef enum bt_original_need {
    BT_NEED_ALL,     /* all that the release has, with hierarchies that follow from values */
    BT_NEED_DOMAINS, /* quasi columns without a hierarchy */
    BT_NEED_QUASI,   /* the quasi columns, with such hierarchies: other people's records */
    BT_NEED_RECORDS, /* as BT_NEED_ALL, of a join without its public tables */
    BT_NEED_EARLIER, /* as BT_NEED_RECORDS; the records are those of a later table */
    BT_NEED_JOINED,  /* as BT_NEED_QUASI, together with the recipe's public tables */
    BT_NEED_VALUES,  /* all that the release has, as values: no hierarchies */
    BT_NEED_CODED,   /* as BT_NEED_VALUES, and `other` columns as values too */
    BT_NEED_TREES,   /* all that the release has, with the hierarchies that it lacks, as the recipe
                        or the manifest says; rows are left out where the recipe does */
} bt_original_need;

typedef struct bt_original {
    bauta_recipe *plan; /* which columns, and as what; the input borrows from it */
    bt_loaded loaded;
} bt_original;

/* Reads the inputs of `recipe` with the roles and types that the manifest names. A hierarchy that
 * follows from the values and the scheme that the manifest names is built anew; the release is
 * given those that do not follow from the folder beside it, or else from the recipe, of which
 * nothing else counts but what is said about the input. No row is left out, but those of randomized
 * with BT_NEED_ALL that it dropped for what is missing. Borrows the release,
 * which may borrow hierarchies from `out`. `out` is released by the caller, also after a failure.
 */
BT_MUST_USE bauta_status bt_original_load(const bauta_recipe *recipe, bt_release *release,
                                          bt_original_need need, const bt_run *run,
                                          bt_original *out, bauta_error *error);
void bt_original_release(bt_original *original);

/* Whether records of another table can be placed in the cells of a release: not if a hierarchy was
 * made from its data, since nobody can tell which values a node of it had. */
BT_MUST_USE bauta_status bt_original_fits(const bt_manifest *manifest, const char *folder,
                                          bauta_error *error);

#endif
