/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a grouping method: recipe/method.h has what it declares, this what it is given
 * and what it is made of. One file per method, one line in methods.def.
 */
#ifndef BT_METHOD_H
#define BT_METHOD_H

#include "base/facts.h"
#include "base/params.h"
#include "base/run.h"
#include "class/grouping.h"
#include "class/runs.h"
#include "recipe/method.h"
#include "require/requirement.h"
#include "table/tuples.h"

/* What a method has to tell beside the grouping. */
typedef struct bt_method_notes {
    bt_facts *facts; /* facts of its own (levels, lattice …) go into `at` */
    json_t *at;
    bt_buffer lattice;   /* incognito: private/lattice.csv */
    bauta_notice notice; /* for what must be said before it begins; NULL: nobody listens */
    void *notice_user;
} bt_method_notes;

/* Records that no class may mix, since max-level (class/steer.h) keeps their cells apart. Parts are
 * in the order of their nodes. */
typedef struct bt_parts {
    uint32_t count;
    uint32_t *order;  /* rows, part by part, ascending within each */
    uint32_t *starts; /* count + 1 places in `order` */
    uint32_t *of;     /* with a plan of boxes: which of its classes each part is; else NULL */
} bt_parts;

typedef struct bt_method_job {
    const bt_table *table;               /* at least one row, at least one quasi column */
    const bt_requirements *requirements; /* bound: requirements->people are the table's records */
    const bt_value *options;             /* parallel to the method's params */
    const struct bt_bound_plan *plan;    /* group/plan.h; NULL: the method makes the classes */
    const bt_parts *parts;               /* methods that divide: to begin with, each of them
                                            satisfies; NULL: the table as a whole */
    bt_rational suppress;                /* share of rows that may be dropped */
    int64_t records;                     /* of the input; those not in the table count as dropped */
    int64_t nodes;                       /* a search of a lattice: looks at most at so many; 0: at
                                            as many as it takes */
    double seconds; /* a search of a lattice: takes at most so long; 0: as long as it takes */
    bool in_place;  /* records are not put into the order of their codes: with a public table, whose
                       persons stand behind the records */
    bool unchecked; /* methods that take classes as they are: these need not satisfy, what the form
                       publishes does */
    bool
        values_shown; /* cells are not published: classes with the same ones are still told apart */
    const bt_run *run;
    bt_method_notes *notes; /* NULL: nobody wants to know */
} bt_method_job;

/* Runs a method with all that goes around any of them: what max-level keeps apart, persons whose
 * rows stay together (requirements->people->together), and classes that the release does not tell
 * apart. Rows may be missing from the classes, at most job->suppress of job->records; what is left
 * then satisfies the requirements as a table of its own. BAUTA_NO when that cannot be.
 * job->parts is NULL; `out` is released by the caller. */
BT_MUST_USE bauta_status bt_group(const bt_method *method, const bt_method_job *job,
                                  bt_grouping *out, bauta_error *error);

/* ---- what bt_group is made of ---- */

/* Whether max-level says anything of any quasi column. */
bool bt_parts_needed(const bt_table *table);

/* The parts of a table. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_parts_make(const bt_table *table, const bt_run *run, bt_parts *out,
                                       bauta_error *error);
void bt_parts_release(bt_parts *parts);

/* The records of a job as runs: part by part, with codes that min-level does not tell apart made
 * one. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_parts_runs(const bt_method_job *job, const bt_column *const *quasi,
                                       size_t columns, bt_runs *out, bauta_error *error);

/* The rows by the tuples of their codes, in the order of first rows. Released by the caller, also
 * after a failure. */
BT_MUST_USE bauta_status bt_parts_group(const bt_codes *codes, size_t count, int64_t rows,
                                        const bt_run *run, bt_parts *out, bauta_error *error);

/* Persons as records. */
typedef struct bt_persons {
    bt_table table;   /* row p is subject p of the table that it was made from */
    bt_people people; /* of those rows */
    size_t *quasi;    /* per column: which quasi column of that table it stands for */
    uint32_t *rows;   /* of that table, person by person, ascending */
    uint32_t *starts; /* persons + 1 places in `rows` */
} bt_persons;

/* `people` are those of the table, with subjects. With `both` a column in which a person has
 * several codes becomes two, the least and the greatest of each person; else one, the middle ones.
 * Borrows both; released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_persons_make(const bt_table *table, const bt_people *people, bool both,
                                         bt_persons *out, bauta_error *error);
void bt_persons_release(bt_persons *persons);

/* Turns classes of persons into classes of their rows, with the cells that these need. */
BT_MUST_USE bauta_status bt_persons_expand(const bt_persons *persons, const bt_table *table,
                                           const bt_run *run, bt_grouping *grouping,
                                           bauta_error *error);

/* Runs a method alone: on the records in the order of their codes if their places have a say
 * (bt_method.by_place), else as they are. */
BT_MUST_USE bauta_status bt_method_run(const bt_method *method, const bt_method_job *job,
                                       bt_grouping *out, bauta_error *error);

/* Merges classes that do not satisfy the requirements with their neighbours until all do: where
 * persons have rows in several classes, two that satisfied may not when they look alike and
 * become one. */
BT_MUST_USE bauta_status bt_classes_repair(const bt_method_job *job, bt_grouping *grouping,
                                           bauta_error *error);

/* ---- for methods that take classes as they are ---- */

/* The rows' nodes in the columns of a list "COL@LEVEL,…"; without a level the values themselves.
 * Released by bt_levels_release, also after a failure. */
typedef struct bt_levels {
    bt_codes *codes;
    bool *owned; /* per column: its codes; else they are the table's */
    size_t count;
} bt_levels;

BT_MUST_USE bauta_status bt_levels_make(const bt_table *table, const char *method, const char *list,
                                        bt_arena *arena, bt_levels *out, bauta_error *error);
void bt_levels_release(bt_levels *levels);

/* One class for each tuple of codes. Refuses what such a method cannot do; checks the classes
 * unless job->unchecked. */
BT_MUST_USE bauta_status bt_group_equal(const bt_method_job *job, const char *method,
                                        const bt_codes *codes, size_t count, bt_grouping *out,
                                        bauta_error *error);

/* ---- minimal: what a method gives away by leaving classes as they are (more.c) ---- */

/* From BT_MINIMAL_FACTOR on it is the factor itself. */
enum { BT_MINIMAL_YES, BT_MINIMAL_NO, BT_MINIMAL_FACTOR };

#define BT_PARAM_MINIMAL                                                                           \
    {                                                                                              \
        .name = "minimal", .type = BT_PARAM_CHOICE, .choices = "yes|no", .fallback = "yes",        \
        .help = "no more general than needed; or, at random, more, so that nobody can tell",       \
        .quiet = true                                                                              \
    }

/* by_place of a method for which places always count. */
bool bt_always_by_place(const bt_value *options);

/* Methods for which a factor is proven (docs/minimality.md) take that too. */
#define BT_PARAM_MINIMAL_FACTOR                                                                    \
    {                                                                                              \
        .name = "minimal", .type = BT_PARAM_INTEGER, .minimum = "2", .maximum = "1000000",         \
        .choices = "yes|no", .fallback = "yes", .unsaid = "yes", .quiet = true,                    \
        .help =                                                                                    \
            "bounds what whoever knows the method learns; yes: nothing does; no: nothing, but "    \
            "cells are raised"                                                                     \
    }

/* Whether a part of the records first..end-1 that could be divided stays as it is: with a chance of
 * `stays` in `of`. The same for any number of threads. */
bool bt_part_stays(const bt_method_job *job, uint64_t stays, uint64_t of, uint64_t first,
                   uint64_t end);

/* Makes one node in four more general than its class needs: its parent, within max-level. Classes
 * may look alike after that. */
BT_MUST_USE bauta_status bt_cells_raise(const bt_run *run, const bt_column *const *quasi,
                                        bt_grouping *grouping, bauta_error *error);

/* Lets cells on cut points reach further than their classes need, at random. Classes may look alike
 * after that. */
void bt_cells_spread(const bt_run *run, const bt_column *const *quasi, bt_grouping *grouping);

#endif
