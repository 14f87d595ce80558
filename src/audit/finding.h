/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the audit share. Only src/audit may include this.
 */
#ifndef BT_FINDING_H
#define BT_FINDING_H

#include "audit/audit.h"
#include "audit/links.h"
#include "audit/persons.h"
#include "class/weights.h"
#include "reading/words.h"
#include "require/requirement.h"

typedef enum bt_verdict { BT_HOLDS, BT_FAILS, BT_UNVERIFIABLE } bt_verdict;

typedef struct bt_audit_job {
    const bt_release *release;
    const struct bt_audit_form *form;
    const bt_audit_options *options;
    bt_facts *facts;
    json_t *findings;
    bool holds;
    /* after bt_audit_match */
    int64_t unmatched;       /* rows without an original record of their own */
    int64_t unmatched_row;   /* the place of the class of one of them */
    int64_t unmatched_quasi; /* a pair: rows of quasi.csv without one; `unmatched` counts those of
                                sensitive.csv */
    int64_t unmatched_quasi_row;
    bool too_many; /* too many ways to match: rows (a pair: of sensitive.csv) were not compared */
    bt_row_persons persons; /* whose the rows are, when the release counts persons */
    bt_links links;         /* what orders tell, where every row has a record */
    /* distribution */
    bt_weighted *targets; /* those of the manifest; NULL: they do not fit the hierarchy */
    int64_t *numbers;     /* of the leaves of the hierarchy; NULL: text */
    bt_arena arena;
} bt_audit_job;

/* What is asked of one form. One file per form, one line in forms.def. */
typedef struct bt_audit_form {
    bauta_status (*prepare)(bt_audit_job *job, bauta_error *error); /* optional: the first thing */
    /* Whether its promises hold, and what its files show beside them. */
    bauta_status (*promises)(bt_audit_job *job, bauta_error *error);
    /* Optional: whether the options in the manifest's form are those that its fields show. */
    bauta_status (*options)(bt_audit_job *job, bauta_error *error);
    /* What bt_audit_match found: whether the rows are original records, one each. NULL: rows are
     * not matched with records. */
    void (*matched)(bt_audit_job *job);
    bauta_status (*original)(bt_audit_job *job, bauta_error *error); /* optional: the last thing */
} bt_audit_form;

enum { BT_NO_ROW = -1 };

/* Where a finding says a class is: its first row, from 0; where classes are numbered its number
 * less 1. Likewise a bag: in a join the first row of data.csv that it has. */
int64_t bt_class_place(const bt_release *release, uint32_t class_number);
int64_t bt_bag_place(const bt_release *release, uint32_t bag);
/* Where a finding says a row of a file is: its number; where classes are numbered, its class. */
int64_t bt_row_place(const bt_release *release, size_t file, int64_t row);

/* Adds a finding; `row` is the place of a class, or BT_NO_ROW. */
void bt_finding_put(bt_audit_job *job, const char *promise, bt_verdict verdict, int64_t row,
                    const char *detail, ...) BT_PRINTF(5, 6);

/* Every requirement that the manifest names holds for every class. */
BT_MUST_USE bauta_status bt_audit_promises(bt_audit_job *job, bauta_error *error);

/* The manifest agrees with itself, says the words that follow from it, and lists nothing
 * that the files do not show. */
BT_MUST_USE bauta_status bt_audit_manifest(bt_audit_job *job, const bt_words *words,
                                           bauta_error *error);

/* Cells and sensitive values are well formed, and no source formatting shows. */
void bt_audit_cells(bt_audit_job *job);

/* Cells of columns with cut points lie between these. */
void bt_audit_grid(bt_audit_job *job);

/* Where a column shows the categories of another one, they are those of its values. */
void bt_audit_categories(bt_audit_job *job);

/* What the other columns single out. */
BT_MUST_USE bauta_status bt_audit_other(bt_audit_job *job, bauta_error *error);

/* distribution: reads the targets into the job. */
BT_MUST_USE bauta_status bt_audit_targets(bt_audit_job *job, bauta_error *error);

/* distribution, with the promise `t` and the original at hand: reads what targets are compared
 * with. */
BT_MUST_USE bauta_status bt_audit_reference(bt_audit_job *job, bauta_error *error);
/* distribution: whether the option target= of the form leads to the published targets. */
BT_MUST_USE bauta_status bt_audit_wanted(bt_audit_job *job, bauta_error *error);

/* What the files of two-tables, distribution and joins show alike: numbers of classes, orders of
 * rows, the SQL files. */
BT_MUST_USE bauta_status bt_audit_numbers(bt_audit_job *job, bauta_error *error);
BT_MUST_USE bauta_status bt_audit_order(bt_audit_job *job, bauta_error *error);
void bt_audit_sql(bt_audit_job *job);

/* Whether the options of cells and of sensitive columns are those that the columns show. */
BT_MUST_USE bauta_status bt_audit_cell_options(bt_audit_job *job, bauta_error *error);

/* Whether rows stand in the order of a column, or class by class. */
BT_MUST_USE bauta_status bt_audit_shuffled(bt_audit_job *job, bauta_error *error);

/* A finding that the manifest says something that is not so. */
void bt_manifest_wrong(bt_audit_job *job, const char *what);

/* join: with the original whether its records and, with the public table, all rows are persons who
 * lie in their boxes, one each. */
BT_MUST_USE bauta_status bt_audit_joined(bt_audit_job *job, bauta_error *error);

/* Whether no sensitive group has more records than the promise `presence` allows to its boxes. */
BT_MUST_USE bauta_status bt_audit_presence(bt_audit_job *job, const bt_requirement_instance *item,
                                           bauta_error *error);
/* How many records each class of a join may have: as many as rows, or of these as many as
 * `presence` allows. `out` has room for all classes; true: there is such a promise. */
bool bt_presence_room(const bt_release *release, uint32_t *out);

/* With the original: whether the tree of a column is nowhere at hand. */
bool bt_audit_lacks_tree(const bt_audit_job *job, const bt_release_column *column);

/* Whether the original alone does not tell what cells of a join contain. */
bool bt_join_needs_public(const bt_audit_job *job);

/* Matches the rows with the original records. The caller frees job->persons, also after a failure.
 */
BT_MUST_USE bauta_status bt_audit_match(bt_audit_job *job, bauta_error *error);

/* What several forms say of a comparison with the original: whether the rows of quasi.csv are
 * records; which promise was not asked. */
void bt_tell_quasi_rows(bt_audit_job *job);
void bt_tell_too_many(bt_audit_job *job, const char *promise);

/* Judges what the orders and numbers of rows tell of which record is which. */
void bt_audit_linked(bt_audit_job *job);

#endif
