/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that the key table (keys.c) names: each takes the value of a key into the recipe.
 */
#ifndef BT_SETTERS_H
#define BT_SETTERS_H

#include "recipe/recipe.h"

typedef bauta_status bt_setter(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error);

/* For any field of their type: a text, the name of a file, names of files, names of tables, yes or
 * no, the second of two words that the key's argument names ("stop|exclude-public"), a share from 0
 * to 1. */
bt_setter bt_set_text, bt_set_path, bt_set_paths, bt_set_tables, bt_set_switch, bt_set_second,
    bt_set_share;

/* A file of a column, given as text that lives as long as the recipe. */
typedef bauta_status bt_text_setter(bauta_recipe *recipe, const char *column, const char *name,
                                    const char *text, size_t length, bauta_error *error);
bt_text_setter bt_set_hierarchy_text, bt_set_categories_text;

/* For one key, or a few. */
bt_setter bt_set_role, bt_set_hierarchy, bt_set_categories, bt_set_type, bt_set_weight,
    bt_set_min_level, bt_set_max_level, bt_set_levels, bt_set_cut_points, bt_set_subject,
    bt_set_previous, bt_set_require, bt_set_key, bt_set_nodes, bt_set_time, bt_set_missing_values,
    bt_set_encoding, bt_set_delimiter, bt_set_header, bt_set_seed_file, bt_set_seed, bt_set_threads,
    bt_set_memory, bt_set_accept, bt_set_public_hierarchy, bt_set_queries, bt_set_estimator,
    bt_set_sampling_fraction;

#endif
