/* SPDX-License-Identifier: Apache-2.0
 *
 * How the forms of releases answer: the interface behind query.h. A form says how records hang
 * together (open) and what a bound question finds in each class (evaluate); parsing, binding,
 * bounds and estimates are the same for all. One file per form, one line in forms.def.
 *
 * A record has a left and a right part, each a row of codes. Within a class every left part may
 * belong to every right part that the form allows: of `generalized` the left part is the class's
 * cells, and each right part is a record; of `two-tables` there are as many of both.
 */
#ifndef BT_QUERY_FORM_H
#define BT_QUERY_FORM_H

#include "query/chances.h"
#include "query/diagram.h"
#include "query/query.h"

struct bt_queryable {
    const bt_release *release;
    const struct bt_query_form *form;
    bt_query_columns columns;
    uint32_t classes;
    size_t *left_starts;  /* classes + 1: places of left parts, class by class; NULL: one each */
    size_t *right_starts; /* classes + 1 */
    uint32_t *left_sizes; /* join: rows of each left part; else NULL */
    uint32_t *first_row;  /* per class: in the first file, from 0 */
    struct bt_query_distribution *distribution; /* of that form; else NULL */
    bt_arena arena;
};

typedef struct bt_question {
    bt_select select;
    bt_predicate predicate;
    bt_diagram diagram;
    bt_query_options options;
    const char *const *assumptions; /* of the chosen estimator */
} bt_question;

static inline bool bt_has_target(const bt_question *question)
{
    return question->predicate.target < question->predicate.slot_count;
}

typedef struct bt_evaluation {
    bt_bounds bounds;
    double expected; /* records that match */
    double *weights; /* of the target: such records, at [code * signatures + signature] */
    bool tight;
    const char *blank; /* a column on which some record hangs and that shows nothing, or not which
                          values are likelier; NULL: none */
    /* of a form that estimates on its own; then bounds and weights are not asked: */
    bool answered;
    bool known; /* there is an estimate */
    double estimate;
    bt_bound lower, upper;
    bt_statistics statistics;
    bool explain;
    bt_contribution *contributions; /* when that is wanted */
    size_t contribution_count, contribution_capacity;
} bt_evaluation;

typedef struct bt_query_form {
    const char *name;               /* for errors */
    const char *const *assumptions; /* of the estimate and the interval; the last is NULL */
    /* Says on which side each column is, and brings codes into the order of classes. Columns are
     * built already. */
    bauta_status (*open)(bt_queryable *queryable, const bt_run *run, bauta_error *error);
    bauta_status (*evaluate)(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error);
    void (*close)(bt_queryable *queryable); /* optional: what `open` made; also after a failure */
    const char *const *paper;  /* what BT_ESTIMATE_PAPER assumes; NULL: the form has none */
    const char *const *direct; /* what BT_ESTIMATE_DIRECT assumes; NULL: likewise */
    const char *usual;         /* the estimator that it takes otherwise; NULL: "spread" */
} bt_query_form;

/* ---- for forms ---- */

/* A node of the diagram whose column is exact, ready to be left for the next one. */
typedef struct bt_step {
    const void *codes;
    unsigned width;
    const uint32_t *signatures; /* of codes */
    const uint32_t *edges;      /* of signatures */
} bt_step;

/* Steps for the nodes whose slots are `first` and later. Memory from the predicate's arena. */
BT_MUST_USE bauta_status bt_steps_make(bt_question *question, size_t first, bt_step **out,
                                       bauta_error *error);

/* From a node to the first one below `ends`, for the record at `place`. */
static inline uint32_t bt_walk(const bt_step *steps, uint32_t node, size_t place, uint32_t ends)
{
    while (node >= ends) {
        const bt_step *step = &steps[node];
        uint32_t code = bt_code_at(step->codes, step->width, (int64_t)place);
        node = step->edges[step->signatures[code]];
    }
    return node;
}

/* Brings the columns of a file and the places of its parts into the order of classes. */
BT_MUST_USE bauta_status bt_queryable_take(bt_queryable *queryable, size_t file, const bt_run *run,
                                           bauta_error *error);

/* Copies the codes of a column's file in this order: place i gets the code of row order[i]; NULL:
 * as they stand. */
BT_MUST_USE bauta_status bt_column_take(bt_queryable *queryable, size_t number,
                                        const uint32_t *order, size_t count, bauta_error *error);

/* Adds what a class contributes, with its place, and keeps it when that is to be explained. */
BT_MUST_USE bauta_status bt_contribute(bt_evaluation *evaluation, const bt_queryable *queryable,
                                       uint32_t class_number, bt_contribution what,
                                       bauta_error *error);

/* ---- for query.c ---- */

/* The estimate of a target's aggregate from the weights; false: there is none. */
BT_MUST_USE bauta_status bt_estimate(bt_question *question, const bt_evaluation *evaluation,
                                     bool *known, double *out, bauta_error *error);

#endif
