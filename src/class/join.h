/* SPDX-License-Identifier: Apache-2.0
 *
 * Microdata joined with a public database, and what a grouping of both is (k-join-anonymity,
 * paper 5).
 *
 * The joined table has the quasi columns of the microdata, in their order and with the same domains
 * and hierarchies, which cover the values of both. Its first rows are the records of the microdata;
 * after them comes each external person, who is in the public database alone, once.
 */
#ifndef BT_JOIN_H
#define BT_JOIN_H

#include "class/grouping.h"
#include "recipe/join.h"

typedef struct bt_join_counts { /* of persons */
    int64_t public_rows;        /* records of all public tables */
    int64_t shared;             /* in the microdata and in a public table */
    int64_t external;           /* in a public table alone: rows of the joined table */
    int64_t excluded;  /* public records that differ from the microdata (on-conflict=exclude-public)
                        */
    int64_t disagreed; /* persons on whom public tables disagree: left out */
    int64_t missing;   /* public records with missing values that were dropped (missing=drop) */
    int64_t used;      /* external persons in the classes; set by grouping */
} bt_join_counts;

typedef struct bt_join_origin { /* where an external person was found first */
    uint32_t table, row;        /* of the public tables, from 0 */
} bt_join_origin;

typedef struct bt_join {
    bt_join_kind kind;
    bt_table table;    /* joined: quasi columns only; shares names and domains with the microdata */
    int64_t microdata; /* rows 0..microdata-1 of `table` are the rows of the microdata table */
    bt_join_counts counts;
    bt_join_origin *origin; /* per external person: of row microdata + i at i */
    /* ---- after grouping ---- */
    bt_grouping grouping;  /* of `table`: the classes that are published. Each has at least one row
                              of the microdata and they hold all of these; an external row is in at
                              most one. Rows ascend within a class, so those of the microdata come
                              first: nothing may be published in this order */
    uint32_t *records;     /* per class: how many of its rows are of the microdata */
    uint32_t *group_of;    /* per class: its sensitive group, 0..sensitive.classes-1 */
    bt_grouping sensitive; /* of the microdata table: class g holds the records of sensitive group
                              g. refine: the grouping of the microdata alone, inside whose cells
                              the classes lie; direct: one for each class, with its box */
} bt_join;

void bt_join_release(bt_join *join);
/* Releases only what grouping made. */
void bt_join_ungroup(bt_join *join);
/* Releases only what grouping made, but for `sensitive`. */
void bt_join_unrefine(bt_join *join);

/* Drops the classes without a record of the microdata and numbers the others anew; `group_of`
 * (NULL: there is none yet) goes along. */
void bt_join_drop(bt_join *join);

/* Fills `records` and counts.used and, where there is none yet, makes one sensitive group of each
 * class. Every class has a record of the microdata. */
BT_MUST_USE bauta_status bt_join_settle(bt_join *join, bauta_error *error);

#endif
