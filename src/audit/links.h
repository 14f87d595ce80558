/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the orders of rows and the numbers of classes tell which record a row is: the links that
 * a release must cut. Only src/audit and src/attack may include this.
 *
 * From the files alone: the rows of two tables against each other, and numbers against the order in
 * which they first appear. With the original, once each row is matched with a record (match.c):
 *
 *   original   the rows of a file against the order of the records
 *   within     … those of each class by themselves
 *   step       the n-th rows of a class in two tables, and all rows, are of one record, or all of
 *              them together are the records (crossed.c); in a join the n-th rows of a group in
 *              both files (paired.c)
 *   numbers    classes in the order of their first records
 *   fakes      distribution: where rows stand that no record can have
 *
 * Rows are known to be a record's where no other row is like them and no other record fits; of rows
 * that are alike it is asked how many fit what they stand beside. step.h and orders.h have the
 * bounds: all questions of an audit together raise a false alarm once in a billion. What has too
 * few rows to tell an order from a random one is neither held nor broken.
 *
 * Cost: linear in rows.
 */
#ifndef BT_AUDIT_LINKS_H
#define BT_AUDIT_LINKS_H

#include "audit/audit.h"
#include "audit/orders.h"
#include "audit/rows.h"

typedef struct bt_link {
    bool told;   /* rows in order would be noticed */
    bool broken; /* rows are in order, and tell which record is which */
} bt_link;

typedef struct bt_links {
    bool asked; /* of the original */
    bt_link original[BT_RELEASE_FILES], within[BT_RELEASE_FILES];
    bt_link step, numbers, fakes;
} bt_links;

/* What orders and numbers tell of a release and the original that `options` names, as the audit
 * finds it and before anything is said of it. `asked` is false where not every row has a record, or
 * too many may be its; other columns count where the original has an input. */
BT_MUST_USE bauta_status bt_links_of(const bt_release *release, const bt_audit_options *options,
                                     bt_links *out, bauta_error *error);

typedef struct bt_link_text {
    bt_link link;
    const char *what; /* is asked */
} bt_link_text;

/* All of them that the form has; their number. */
enum { BT_LINKS_MOST = 6 };
size_t bt_links_list(const bt_release *release, const bt_links *links,
                     bt_link_text out[BT_LINKS_MOST]);

/* What match.c knows when every row has a record. Rows are those of the file with the sensitive
 * columns, units their classes, in a join their groups. */
typedef struct bt_matched {
    const bt_release *release;
    const bt_run *run;
    int64_t records;                     /* of the original */
    const bt_tuples *demands, *supplies; /* rows alike, and records alike */
    const size_t *first;     /* supplies + 1: where the demands of each supply begin in `demand` */
    const uint32_t *demand;  /* demands that supply s can serve: demand[first[s]..first[s + 1]) */
    const uint32_t *unit_of; /* per row */
    uint32_t units;
    const bt_rows *rows;      /* two-tables: the rows of quasi.csv; else NULL */
    const uint32_t *quasi_of; /* per supply: its combination in quasi.csv, or BT_TUPLE_NONE */
    const uint32_t *demand_of, *supply_of; /* of each row, and of each record */
} bt_matched;

BT_MUST_USE bauta_status bt_links_find(const bt_matched *from, bt_links *out, bauta_error *error);

/* A join: the rows of data.csv against the rows of a table, which are in boxes: those of tuple t
 * may be in class_of[first[t]..first[t + 1]). */
typedef struct bt_boxed {
    int64_t rows; /* of the table */
    const uint32_t *tuple_of;
    uint32_t tuples;
    const size_t *first;
    const uint32_t *class_of;
} bt_boxed;
BT_MUST_USE bauta_status bt_links_boxed(const bt_release *release, const bt_run *run,
                                        const bt_boxed *table, bt_link *out, bauta_error *error);

/* A join: the n-th rows of each sensitive group in both files. Some record that lies in class
 * pairs[0][i] may be a row of demand pairs[1][i]. */
typedef struct bt_paired {
    const bt_release *release;
    const bt_run *run;
    const bt_tuples *demands;  /* rows of sensitive.csv that are alike */
    const uint32_t *demand_of; /* per row of it */
    uint32_t *pairs[2];
    int64_t pair_count;
} bt_paired;
BT_MUST_USE bauta_status bt_links_paired(const bt_paired *from, bt_link *out, bauta_error *error);

/* two-tables: the n-th rows of each class in both files, where many records have the same quasi
 * values (crossed.c). The rows of file f in unit u are order[f][starts[f][u]..starts[f][u + 1]),
 * ascending. */
typedef struct bt_crossed {
    const bt_matched *matched;
    const uint32_t *order[BT_RELEASE_FILES];
    const size_t *starts[BT_RELEASE_FILES];
} bt_crossed;
BT_MUST_USE bauta_status bt_links_crossed(const bt_crossed *from, bt_link *out, bauta_error *error);

/* Values of which none occurs twice, all below `bound`: whether they follow an order. */
BT_MUST_USE bauta_status bt_links_sequence(const uint32_t *values, uint32_t count, int64_t bound,
                                           bt_link *out, bauta_error *error);

/* Numbers of classes or groups, as published, in the order in which `unit_of` names them first. */
BT_MUST_USE bauta_status bt_links_numbers(const uint32_t *number, uint32_t units,
                                          const uint32_t *unit_of, int64_t rows, bt_link *out,
                                          bauta_error *error);

/* What either of two questions found. */
void bt_link_add(bt_link *link, bool told, bool broken);

#endif
