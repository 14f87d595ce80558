/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading original records as a release describes them. Only src/api may include this.
 */
#ifndef BT_ORIGINAL_H
#define BT_ORIGINAL_H

#include "api/api.h"
#include "recipe/manifest.h"

/* Which columns are needed. */
typedef enum bt_original_need {
    BT_NEED_ALL,     /* all that the release has, derived hierarchies built anew */
    BT_NEED_DOMAINS, /* quasi columns without a hierarchy */
    BT_NEED_QUASI,   /* the quasi columns, derived hierarchies built anew: other people's records */
    BT_NEED_RECORDS, /* as BT_NEED_ALL, of a join without its public tables */
    BT_NEED_EARLIER, /* the same; the records are those of a later table */
    BT_NEED_JOINED,  /* as BT_NEED_QUASI, together with the recipe's public tables */
    BT_NEED_VALUES,  /* all that the release has, as values: no hierarchies */
} bt_original_need;

typedef struct bt_original {
    bauta_recipe *plan; /* which columns, and as what; the input borrows from it */
    bt_loaded loaded;
} bt_original;

/* Reads the inputs of `recipe` with the roles, types and derived hierarchies that the manifest
 * names; of the recipe only what is said about the input counts. No row is left out. Borrows
 * the manifest. `out` is released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_original_load(const bauta_recipe *recipe, const bt_manifest *manifest,
                                          bt_original_need need, const bt_run *run,
                                          bt_original *out, bauta_error *error);
void bt_original_release(bt_original *original);

/* Whether records of another table can be placed in the cells of a release: not if a hierarchy was
 * made from its data, since nobody can tell which values a node of it had. */
BT_MUST_USE bauta_status bt_original_fits(const bt_manifest *manifest, const char *folder,
                                          bauta_error *error);

#endif
