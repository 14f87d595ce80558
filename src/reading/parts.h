/* SPDX-License-Identifier: Apache-2.0
 *
 * What opening a release is made of. Only src/reading may include this.
 */
#ifndef BT_RELEASE_PARTS_H
#define BT_RELEASE_PARTS_H

#include "reading/release.h"

/* Reads manifest.json. */
BT_MUST_USE bauta_status bt_release_read_manifest(bt_release *release, bauta_error *error);

/* Whether the store has exactly the files of the form, all of them plain files; names the tables
 * among them in release->files. */
BT_MUST_USE bauta_status bt_release_check_files(bt_release *release, bauta_error *error);

/* Codes of a column whose texts keep the numbers they have; the caller frees out->codes, also after
 * a failure. */
BT_MUST_USE bauta_status bt_release_encode(bt_raw *raw, size_t place, const bt_run *run,
                                           bt_column *out, bauta_error *error);

/* From format 1 on decimals have the places that their texts need: those that the manifest lists,
 * and those of the rows. Of a column with a hierarchy the manifest lists all. */
BT_MUST_USE bauta_status bt_release_find_scale(bt_release *release, const bt_release_column *column,
                                               bauta_error *error);

/* Whether a text is the canonical one of its column's type; *number is what it stands for. */
bool bt_release_is_canonical(const bt_manifest_column *column, const char *text, size_t length,
                             int64_t *number);

/* What a text takes in a file of the release. */
int64_t bt_release_field_bytes(const bt_release *release, const char *text, size_t length);

/* Whether the SQL files of two tables are those that follow from the manifest. */
BT_MUST_USE bauta_status bt_release_check_sql(bt_release *release, bauta_error *error);

/* Opens a file whose columns are those of release->columns that say so, and the one that numbers
 * bags. Puts the codes of the latter into file->bag_of, and its texts into *bags. */
BT_MUST_USE bauta_status bt_release_open_file(bt_release *release, size_t file, const bt_run *run,
                                              const bt_values **bags, bauta_error *error);

/* Whether a file is as long as its values take. `bags`: texts of the bags, or NULL. */
BT_MUST_USE bauta_status bt_release_find_shape(bt_release *release, size_t file,
                                               const bt_values *bags, bauta_error *error);

/* What a column of an open file means: its cells are read later, by bt_release_read_cells. */
BT_MUST_USE bauta_status bt_release_open_column(bt_release *release, bt_release_column *column,
                                                const bt_run *run, bauta_error *error);
BT_MUST_USE bauta_status bt_release_read_cells(bt_release *release, const bt_run *run,
                                               bauta_error *error);

/* Numbers the bags; in two tables they are the classes. `texts` are what stands for them in each
 * file. */
BT_MUST_USE bauta_status bt_release_number_bags(bt_release *release, const bt_values *const *texts,
                                                bauta_error *error);

/* Finds the bags of the classes, once these are there. */
BT_MUST_USE bauta_status bt_release_bag_classes(bt_release *release, bauta_error *error);

/* How many bytes the parts take in sensitive.csv. */
int64_t bt_release_part_bytes(const bt_release *release);

static inline bool bt_is_coded(const bt_manifest_column *column)
{
    return column->role == BT_ROLE_QUASI || column->role == BT_ROLE_SENSITIVE;
}

#endif
