/* SPDX-License-Identifier: Apache-2.0
 *
 * The views of releases of the form `distribution`: bounds of SUM, AVG, MIN and MAX by a join on
 * bounds.csv, and of COUNT with a condition on the sensitive value. sql.h says what $c and others
 * stand for.
 */
#include "spec/sql.h"

const char bt_sql_head_of_distribution[] =
    "-- A release of the form \"distribution\", for SQLite and PostgreSQL. Load it first, in its "
    "folder:\n"
    "--   sqlite3 release.db < load.sqlite     then  sqlite3 release.db < query.sql\n"
    "--   psql -f load.psql                    then  psql -f query.sql\n"
    "--\n"
    "-- Each row of \"quasi\" is one record of the original. Each record's sensitive value lies in "
    "one of\n"
    "-- the parts of the domain that \"sensitive\" lists for its group; which one is not "
    "published.\n"
    "\n";

/* What is the same for numbers and dates: the selection, and counts with a condition on values. */
#define SELECTION                                                                                  \
    "-- What an earlier run has left.\n"                                                           \
    "DROP VIEW IF EXISTS \"count_answer\";\n"                                                      \
    "DROP VIEW IF EXISTS \"may_fail\";\n"                                                          \
    "DROP VIEW IF EXISTS \"may_satisfy\";\n"                                                       \
    "DROP VIEW IF EXISTS \"answer\";\n"                                                            \
    "DROP VIEW IF EXISTS \"matching_bounds\";\n"                                                   \
    "DROP VIEW IF EXISTS \"matching\";\n"                                                          \
    "\n"                                                                                           \
    "-- A query selects records by a condition on quasi and other columns. Put your own in the "   \
    "place of\n"                                                                                   \
    "-- this one, which asks for the most frequent value.\n"                                       \
    "CREATE VIEW \"matching\" AS\n"                                                                \
    "SELECT $c, COUNT(*) AS \"selected\" FROM \"quasi\"\n"                                         \
    "WHERE $q IN (\n"                                                                              \
    "    SELECT $q FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q\n"                              \
    "    HAVING COUNT(*) = (SELECT MAX(\"n\") FROM (\n"                                            \
    "        SELECT COUNT(*) AS \"n\" FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q) AS "        \
    "\"t\"))\n"                                                                                    \
    "GROUP BY $c;\n"                                                                               \
    "\n"

#define COUNTS                                                                                     \
    "-- How many of the selected records also satisfy a condition on the sensitive value. Say in " \
    "the\n"                                                                                        \
    "-- place of these which parts may hold a value that satisfies it, and which one that does "   \
    "not; here:\n"                                                                                 \
    "-- at least the greatest \"low\" that there is.\n"                                            \
    "CREATE VIEW \"may_satisfy\" AS\n"                                                             \
    "SELECT $c, COUNT(*) AS \"parts\" FROM \"sensitive\"\n"                                        \
    "WHERE \"high\" >= (SELECT MAX(\"low\") FROM \"sensitive\") GROUP BY $c;\n"                    \
    "\n"                                                                                           \
    "CREATE VIEW \"may_fail\" AS\n"                                                                \
    "SELECT $c, COUNT(*) AS \"parts\" FROM \"sensitive\"\n"                                        \
    "WHERE \"low\" < (SELECT MAX(\"low\") FROM \"sensitive\") GROUP BY $c;\n"                      \
    "\n"                                                                                           \
    "-- Of c records, at least those satisfy it for which no part is left that may fail, and at "  \
    "most as\n"                                                                                    \
    "-- many as there are parts that may satisfy it. $n\n"                                         \
    "CREATE VIEW \"count_answer\" AS\n"                                                            \
    "SELECT\n"                                                                                     \
    "    COALESCE(SUM(CASE WHEN \"m\".\"selected\" > COALESCE(\"f\".\"parts\", 0)\n"               \
    "        THEN \"m\".\"selected\" - COALESCE(\"f\".\"parts\", 0) ELSE 0 END), 0) AS "           \
    "\"lower\",\n"                                                                                 \
    "    COALESCE(SUM(CASE WHEN \"m\".\"selected\" < COALESCE(\"s\".\"parts\", 0)\n"               \
    "        THEN \"m\".\"selected\" ELSE COALESCE(\"s\".\"parts\", 0) END), 0)$u AS "             \
    "\"upper\"\n"                                                                                  \
    "FROM \"matching\" AS \"m\"\n"                                                                 \
    "LEFT JOIN \"may_satisfy\" AS \"s\" ON \"s\".$c = \"m\".$c\n"                                  \
    "LEFT JOIN \"may_fail\" AS \"f\" ON \"f\".$c = \"m\".$c;\n"                                    \
    "\n"

const char bt_sql_views_of_numbers[] = SELECTION
    "-- The bounds for so many records of each group. A row of \"bounds\" is for all numbers of "
    "records\n"
    "-- from \"selected\" to \"until\": with each further record the lower bound of the sum grows "
    "by\n"
    "-- \"max_low\" and the upper one by \"min_high\", and the others stay.\n"
    "CREATE VIEW \"matching_bounds\" AS\n"
    "SELECT \"m\".$c, \"m\".\"selected\",\n"
    "    \"b\".\"sum_low\" + (\"m\".\"selected\" - \"b\".\"selected\") * \"b\".\"max_low\" AS "
    "\"sum_low\",\n"
    "    \"b\".\"sum_high\" + (\"m\".\"selected\" - \"b\".\"selected\") * \"b\".\"min_high\" AS "
    "\"sum_high\",\n"
    "    \"b\".\"min_low\", \"b\".\"min_high\", \"b\".\"max_low\", \"b\".\"max_high\"\n"
    "FROM \"matching\" AS \"m\"\n"
    "JOIN \"bounds\" AS \"b\" ON \"b\".$c = \"m\".$c AND \"m\".\"selected\" BETWEEN "
    "\"b\".\"selected\" AND \"b\".\"until\";\n"
    "\n"
    "-- The answers: over the selected records of all groups the true ones lie between these.\n"
    "CREATE VIEW \"answer\" AS\n"
    "SELECT COALESCE(SUM(\"selected\"), 0) AS \"records\",\n"
    "    SUM(\"sum_low\") AS \"sum_low\", SUM(\"sum_high\") AS \"sum_high\",\n"
    "    CAST(SUM(\"sum_low\") AS DOUBLE PRECISION) / SUM(\"selected\") AS \"avg_low\",\n"
    "    CAST(SUM(\"sum_high\") AS DOUBLE PRECISION) / SUM(\"selected\") AS \"avg_high\",\n"
    "    MIN(\"min_low\") AS \"min_low\", MIN(\"min_high\") AS \"min_high\",\n"
    "    MAX(\"max_low\") AS \"max_low\", MAX(\"max_high\") AS \"max_high\"\n"
    "FROM \"matching_bounds\";\n"
    "\n" COUNTS
    "SELECT \"records\", \"sum_low\", \"sum_high\", \"avg_low\", \"avg_high\", \"min_low\", "
    "\"min_high\", \"max_low\",\n"
    "    \"max_high\" FROM \"answer\";\n"
    "\n"
    "SELECT \"lower\", \"upper\" FROM \"count_answer\";\n";

const char bt_sql_views_of_dates[] = SELECTION
    "-- The bounds for so many records of each group. A row of \"bounds\" is for all numbers of "
    "records\n"
    "-- from \"selected\" to \"until\".\n"
    "CREATE VIEW \"matching_bounds\" AS\n"
    "SELECT \"m\".$c, \"m\".\"selected\", \"b\".\"min_low\", \"b\".\"min_high\", "
    "\"b\".\"max_low\", \"b\".\"max_high\"\n"
    "FROM \"matching\" AS \"m\"\n"
    "JOIN \"bounds\" AS \"b\" ON \"b\".$c = \"m\".$c AND \"m\".\"selected\" BETWEEN "
    "\"b\".\"selected\" AND \"b\".\"until\";\n"
    "\n"
    "-- The answers: over the selected records of all groups the true ones lie between these.\n"
    "CREATE VIEW \"answer\" AS\n"
    "SELECT COALESCE(SUM(\"selected\"), 0) AS \"records\",\n"
    "    MIN(\"min_low\") AS \"min_low\", MIN(\"min_high\") AS \"min_high\",\n"
    "    MAX(\"max_low\") AS \"max_low\", MAX(\"max_high\") AS \"max_high\"\n"
    "FROM \"matching_bounds\";\n"
    "\n" COUNTS
    "SELECT \"records\", \"min_low\", \"min_high\", \"max_low\", \"max_high\" FROM \"answer\";\n"
    "\n"
    "SELECT \"lower\", \"upper\" FROM \"count_answer\";\n";

const char bt_sql_views_of_texts[] =
    "-- What an earlier run has left.\n"
    "DROP VIEW IF EXISTS \"count_answer\";\n"
    "DROP VIEW IF EXISTS \"may_fail\";\n"
    "DROP VIEW IF EXISTS \"may_satisfy\";\n"
    "DROP VIEW IF EXISTS \"matching\";\n"
    "\n"
    "-- A query selects records by a condition on quasi and other columns. Put your own in the "
    "place of\n"
    "-- this one, which asks for the most frequent value.\n"
    "CREATE VIEW \"matching\" AS\n"
    "SELECT $c, COUNT(*) AS \"selected\" FROM \"quasi\"\n"
    "WHERE $q IN (\n"
    "    SELECT $q FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q\n"
    "    HAVING COUNT(*) = (SELECT MAX(\"n\") FROM (\n"
    "        SELECT COUNT(*) AS \"n\" FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q) AS \"t\"))\n"
    "GROUP BY $c;\n"
    "\n"
    "-- How many of the selected records also satisfy a condition on the sensitive value. Say in "
    "the\n"
    "-- place of these which labels stand for values that satisfy it, and which for values that do "
    "not;\n"
    "-- the manifest has the tree. These know nothing of it, and so leave everything open.\n"
    "CREATE VIEW \"may_satisfy\" AS\n"
    "SELECT $c, COUNT(*) AS \"parts\" FROM \"sensitive\" GROUP BY $c;\n"
    "\n"
    "CREATE VIEW \"may_fail\" AS\n"
    "SELECT $c, COUNT(*) AS \"parts\" FROM \"sensitive\" GROUP BY $c;\n"
    "\n"
    "-- Of c records, at least those satisfy it for which no part is left that may fail, and at "
    "most as\n"
    "-- many as there are parts that may satisfy it. $n\n"
    "CREATE VIEW \"count_answer\" AS\n"
    "SELECT\n"
    "    COALESCE(SUM(CASE WHEN \"m\".\"selected\" > COALESCE(\"f\".\"parts\", 0)\n"
    "        THEN \"m\".\"selected\" - COALESCE(\"f\".\"parts\", 0) ELSE 0 END), 0) AS \"lower\",\n"
    "    COALESCE(SUM(CASE WHEN \"m\".\"selected\" < COALESCE(\"s\".\"parts\", 0)\n"
    "        THEN \"m\".\"selected\" ELSE COALESCE(\"s\".\"parts\", 0) END), 0)$u AS \"upper\"\n"
    "FROM \"matching\" AS \"m\"\n"
    "LEFT JOIN \"may_satisfy\" AS \"s\" ON \"s\".$c = \"m\".$c\n"
    "LEFT JOIN \"may_fail\" AS \"f\" ON \"f\".$c = \"m\".$c;\n"
    "\n"
    "SELECT \"lower\", \"upper\" FROM \"count_answer\";\n";
