/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans: what grouping ends in, without rows, so that other records can be recoded alike. A plan is
 * for whoever has the data: it holds quasi values, but no row numbers, no identifiers and no
 * sensitive values.
 *
 *   boxes    classes, each with a box and a cell in every column. A record is of the class that
 *            `tuples` name for its values; else of the first whose box holds it; else of the first
 *            whose cells do. A value that a column of the plan has not may lie in a box of numbers,
 *            between two that it has, or under a cell.
 *   levels   a level for every column: records with the same nodes there are a class, also one that
 *            was not there before.
 *
 * docs/plan-format.md lists the fields of the file. It is read as anybody may have written it.
 */
#ifndef BT_PLAN_H
#define BT_PLAN_H

#include "group/method.h"

enum { BT_PLAN_FORMAT = 1, BT_PLAN_DIGEST = 64 };

typedef enum bt_plan_kind { BT_PLAN_BOXES, BT_PLAN_LEVELS } bt_plan_kind;

typedef struct bt_plan_column {
    const char *name;
    bt_type type;
    const char *spec; /* of its hierarchy; NULL: it has none */
    bool is_public;
    const char *const *const *paths; /* a given tree, leaf by leaf, as bt_hierarchy_source has them;
                                        NULL: it is made as `spec` says */
    size_t *path_lengths;
    size_t path_count;
    const char *cut_points; /* as the recipe gave them; NULL: none */
    uint32_t level;         /* BT_PLAN_LEVELS */
    /* BT_PLAN_BOXES, or with `paths` */
    const char *const
        *values; /* in the order of their codes; behind them the missing one, if any */
    uint32_t value_count;
    bool has_missing;
    const char *const *cells; /* the different ones that are published */
    uint32_t cell_count;
} bt_plan_column;

typedef struct bt_plan {
    bt_plan_kind kind;
    const char *method;              /* that made it, with its options */
    const char *const *requirements; /* that it was made for, and what each saw of the records */
    const char *const *saw;          /* what each requirement saw of the table as one class */
    size_t requirement_count;
    int64_t records; /* in its classes */
    size_t column_count;
    bt_plan_column *columns;
    /* BT_PLAN_BOXES */
    uint32_t class_count;
    bt_box *boxes; /* class_count * column_count: codes of values, the missing one's is the last */
    uint32_t *cells; /* class_count * column_count: the number of its cell */
    uint64_t *sizes; /* records of each class */
    uint32_t tuple_count;
    uint32_t *tuples;                /* tuple_count * column_count codes, ascending */
    uint32_t *class_of;              /* per tuple */
    char digest[BT_PLAN_DIGEST + 1]; /* hexadecimal digits */
} bt_plan;

/* What of a grouping a plan is made of. */
typedef struct bt_plan_source {
    const bt_table *table;
    const bt_grouping *grouping;
    const bt_method *method;
    const char *method_text;
    const bt_requirements *requirements; /* bound to the people of the table */
    const char *const *cut_points;       /* per quasi column, as the recipe gave them; NULL: none */
    const bt_run *run;
} bt_plan_source;

/* BAUTA_INVALID with the reason when no plan can be made of what a method does. */
BT_MUST_USE bauta_status bt_plan_admit(const bt_method *method, bauta_error *error);

/* BAUTA_INVALID with the reason when the classes do not follow from quasi values. Memory from the
 * arena. */
BT_MUST_USE bauta_status bt_plan_make(const bt_plan_source *source, bt_arena *arena, bt_plan *out,
                                      bauta_error *error);

/* Counted tuples, and how classes are to be made of them. */
typedef struct bt_tuple_job {
    const bt_table *table;  /* each row a tuple: quasi codes, and sensitive ones where a
                               requirement looks at them */
    const uint64_t *counts; /* per row: how many records have it, at least one; NULL: each row is a
                               record */
    const bt_method *method;
    const bt_value *options;
    const char *method_text;
    const bt_requirements *requirements; /* not bound */
    bt_rational suppress;                /* share of the records that may be dropped */
    int64_t nodes;                       /* as bt_method_job has it */
    bool unchecked, values_shown;        /* as bt_method_job has them */
    const char *const *cut_points;       /* as bt_plan_source has them */
    const bt_run *run;
} bt_tuple_job;

/* The plan that the records would have: the same classes, with the same bytes. A method that
 * declares `tuples` works on the tuples themselves; others are given every record by itself, of
 * which there are at most UINT32_MAX - 1 then. Memory of the plan from the arena. */
BT_MUST_USE bauta_status bt_plan_of_tuples(const bt_tuple_job *job, bt_arena *arena, bt_plan *out,
                                           bauta_error *error);

/* As JSON, with its digest. */
BT_MUST_USE bauta_status bt_plan_write(const bt_plan *plan, bt_buffer *out, bauta_error *error);

/* BAUTA_INVALID when the text is no plan, or is damaged; `file` names it in errors. Memory from the
 * arena. */
BT_MUST_USE bauta_status bt_plan_read(const char *file, const char *text, size_t length,
                                      bt_arena *arena, bt_plan *out, bauta_error *error);

/* ---- applying it ---- */

/* A plan in the codes of a table. */
typedef struct bt_bound_plan bt_bound_plan;

/* The quasi columns of the table are those of the plan, and their trees were made from it. Classes
 * with the same cells are one unless `values_shown`. Borrows all; freed by the caller. */
BT_MUST_USE bauta_status bt_plan_bind(const bt_plan *plan, const bt_table *table, bool values_shown,
                                      const bt_run *run, bt_bound_plan **out, bauta_error *error);
void bt_bound_plan_free(bt_bound_plan *plan);

/* The records by their classes. Those of none are left out: parts->starts[parts->count] is how many
 * there are in all. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_plan_parts(const bt_bound_plan *plan, const bt_table *table,
                                       const bt_run *run, bt_parts *out, bauta_error *error);

/* Fills the nodes and texts of a grouping whose classes are these parts. */
BT_MUST_USE bauta_status bt_plan_cells(const bt_bound_plan *plan, const bt_parts *parts,
                                       bt_grouping *grouping, bauta_error *error);

#endif
