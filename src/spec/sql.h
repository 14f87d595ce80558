/* SPDX-License-Identifier: Apache-2.0
 *
 * The SQL files of a release in two tables, or of one of the form distribution. They follow from
 * the manifest alone, so that an audit can tell that nothing else is in them.
 *
 *   query.sql    table definitions, views, and queries that answer COUNT with an estimate and with
 *                guaranteed bounds; runs in SQLite and in PostgreSQL
 *   load.sqlite  loads the tables, for the shell of SQLite
 *   load.psql    loads the tables, for psql
 *
 * Identifiers are quoted. A name that one of the databases would refuse or take for another one
 * gets the place of the column behind it: SQLite knows no upper and lower case, PostgreSQL cuts
 * names after 63 bytes and has columns of its own.
 */
#ifndef BT_SQL_H
#define BT_SQL_H

#include "spec/manifest.h"

enum { BT_SQL_FILES = 3 };
extern const char *const bt_sql_names[BT_SQL_FILES];

/* Appends the text of each file to out[i]. */
BT_MUST_USE bauta_status bt_sql_write(const bt_manifest *manifest, bt_buffer out[BT_SQL_FILES],
                                      bauta_error *error);

/* ---- distribution: templates, in which $c is the group, $q the first quasi column, $s the
 * sensitive column and $d the number of dropped rows ---- */

extern const char bt_sql_head_of_distribution[];
extern const char bt_sql_views_of_numbers[], bt_sql_views_of_dates[], bt_sql_views_of_texts[];

#endif
