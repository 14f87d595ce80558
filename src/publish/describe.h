/* SPDX-License-Identifier: Apache-2.0
 *
 * What forms write into the manifest alike. Only src/publish may include this.
 */
#ifndef BT_DESCRIBE_FORM_H
#define BT_DESCRIBE_FORM_H

#include "publish/sheet.h"

/* The requirements as promises. */
void bt_describe_promises(const bt_form_job *job, bt_manifest *manifest);

/* Name, role, type and scale of a column of a sheet that shows values or texts; of a sensitive one
 * also its given hierarchy and its categories, with the values that published rows have. */
BT_MUST_USE bauta_status bt_describe_column(const bt_form_job *job, const bt_sheet_column *from,
                                            bt_manifest_column *to, bauta_error *error);

/* Name, role and type of a column of a sheet that shows cells, and its hierarchy: unless it is
 * public only the nodes that occur, and those above. */
BT_MUST_USE bauta_status bt_describe_cells(const bt_form_job *job, const bt_sheet_column *from,
                                           bt_cells *cells, bt_manifest_column *to,
                                           bauta_error *error);

/* Which codes published rows have, in the job's arena. */
BT_MUST_USE bauta_status bt_codes_shown(const bt_form_job *job, const bt_column *column, bool **out,
                                        bauta_error *error);

/* The type that is published of a column (types.c): that of the recipe, or of what can be seen: of
 * the values `shown`, of those that a target lists, or of cells. They fail when hidden values or a
 * promise go with another type, which only the recipe can say. */
BT_MUST_USE bauta_status bt_type_of_values(const bt_form_job *job, const bt_column *column,
                                           const bool *shown, bt_type *out, bauta_error *error);
BT_MUST_USE bauta_status bt_type_of_listed(const bt_form_job *job, const bt_column *column,
                                           const bt_domain *domain, const bool *listed,
                                           bt_type *out, bauta_error *error);
BT_MUST_USE bauta_status bt_type_of_cells(const bt_form_job *job, const bt_column *column,
                                          size_t place, const bt_cells *cells, bt_type *out,
                                          bauta_error *error);

/* Whether all values of published records are of the type that is published; text all are. */
BT_MUST_USE bauta_status bt_type_check(const bt_form_job *job, const bt_column *column,
                                       bt_type type, bauta_error *error);

/* The types of `other` columns, once a sheet is written. */
void bt_describe_others(const bt_sheet *sheet, bt_manifest *manifest);

/* What `generalized` publishes of sensitive columns. */
enum { BT_PUBLISH_VALUE, BT_PUBLISH_CATEGORY, BT_PUBLISH_BOTH };

/* The name of the column with the categories of another; NULL: out of memory. */
const char *bt_companion_name(const char *column, bt_arena *arena);

/* Adds a sensitive column: values, categories, or both. */
BT_MUST_USE bauta_status bt_sheet_add_sensitive(bt_sheet *sheet, const bt_column *column,
                                                int64_t show, bauta_error *error);

/* `generalized` with a public table (join.c): data.csv and, where it may be, sensitive.csv. The
 * first says whether it may, before anything is written. */
BT_MUST_USE bauta_status bt_join_check(const bt_form_job *job, bauta_error *error);
BT_MUST_USE bauta_status bt_join_publish(const bt_form_job *job, bt_manifest *manifest,
                                         bauta_error *error);
/* The name of the column that holds the class: `choose` is bt_class_name or bt_group_name. */
BT_MUST_USE bauta_status bt_describe_class(const bt_form_job *job,
                                           const char *(*choose)(const char *const *names,
                                                                 size_t count, bt_arena *arena),
                                           const char **out, bauta_error *error);

/* Writes query.sql, load.sqlite and load.psql, which follow from the manifest. */
BT_MUST_USE bauta_status bt_sql_publish(const bt_form_job *job, const bt_manifest *manifest,
                                        bauta_error *error);

#endif
