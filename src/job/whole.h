/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole hierarchies: a release names the nodes that occur in its cells, and the owner keeps the
 * trees in private/hierarchies, a file for each column. And the key of its random streams, which
 * the owner keeps beside them. Only src/job may include this.
 */
#ifndef BT_WHOLE_H
#define BT_WHOLE_H

#include "reading/release.h"
#include "recipe/recipe.h"

/* Where the trees of a release are looked for, seen from it. */
extern const char bt_whole_folder[];

/* Writes the trees of a table's columns, for private/hierarchies. */
BT_MUST_USE bauta_status bt_whole_keep(const bt_table *table, bt_store *store, bauta_error *error);

/* Takes the trees that a release lacks from what its owner keeps in its store: with `all` every
 * one, else only those that do not follow from the values of a table and the scheme that the
 * manifest names.
 */
BT_MUST_USE bauta_status bt_whole_find(bt_release *release, bool all, bauta_error *error);

/* Whether the nodes of a column for any value follow from the scheme that the manifest names. */
bool bt_whole_follows(const bt_manifest *manifest, const bt_manifest_column *column);

/* Whether a recipe has any hierarchy for a column. */
bool bt_recipe_has_tree(const bauta_recipe *recipe, const char *column);

/* The tree, file or inline, that a recipe has for a column; NULL: none. */
const bt_hierarchy_source *bt_whole_given(const bauta_recipe *recipe, const char *column);

/* What is kept of a column: the name of the file, for errors, and what it holds; NULL: there is
 * none. They live as long as the release. */
typedef struct bt_whole_file {
    const char *name, *text;
    size_t length;
} bt_whole_file;

/* The tree of a column, and the categories of one that shows nothing else. */
BT_MUST_USE bauta_status bt_whole_tree(bt_release *release, const char *column, bt_whole_file *out,
                                       bauta_error *error);
BT_MUST_USE bauta_status bt_whole_categories(bt_release *release, const char *column,
                                             bt_whole_file *out, bauta_error *error);

/* The key of the random streams that a release was made with, which its owner keeps in
 * private/summary.json. */
BT_MUST_USE bauta_status bt_whole_key(bt_release *release, bt_seed *out, bool *found,
                                      bauta_error *error);
/* Whether private/summary.json of a release says that records were dropped for what is missing in
 * them. */
BT_MUST_USE bauta_status bt_whole_drops_missing(bt_release *release, bool *out, bauta_error *error);

/* Whether the tree of a column is nowhere: neither has the release got it, nor the table that was
 * read to be compared with it. */
bool bt_whole_absent(const bt_release_column *column, const bt_table *table);

/* Says that a tree is needed and where it was looked for: BAUTA_INVALID. `what` needs it. */
BT_MUST_USE bauta_status bt_whole_lacking(const bt_release *release, const char *column,
                                          const char *what, bauta_error *error);

#endif
