/* SPDX-License-Identifier: Apache-2.0
 *
 * What a grouping method declares of itself: its name and options, what it needs, and what whoever
 * knows it may conclude from its classes. src/group has the methods and fills the registry; it
 * alone can run one. Whoever reads a release sees this of a method and nothing else.
 */
#ifndef BT_RECIPE_METHOD_H
#define BT_RECIPE_METHOD_H

#include "base/params.h"

struct bt_method_job; /* group/method.h */
struct bt_grouping;   /* class/grouping.h */

typedef enum bt_retrace_kind {
    BT_RETRACE_NONE,      /* nothing can be tried out, for the reason given */
    BT_RETRACE_DIVISIONS, /* a class would have been divided if both parts had satisfied */
    BT_RETRACE_LEVELS,    /* levels would have been lower if all classes had satisfied */
} bt_retrace_kind;

/* How someone tries out what a method could have done instead (minimality). */
typedef struct bt_retrace {
    bt_retrace_kind kind;
    const char *why; /* BT_RETRACE_NONE: the reason, in words; else NULL */
    bool one_child;  /* divisions are one child of a node against the rest; else between children */
    bool any_cut;    /* divisions are between any two values, whatever the hierarchy */
    bool coins;      /* minimal=no: more is generalized than needed, with known chances */
    /* What is proven of whoever knows the method and everyone's quasi values (docs/minimality.md):
     * by how much an exchange of two persons' values within a class may multiply how likely the
     * release is. 1: by nothing; 0: nothing is proven. Of classes as the method made them, with
     * nobody dropped. */
    uint32_t factor;
} bt_retrace;

typedef struct bt_method {
    const char *name;
    const char *summary;
    const char *paper;
    const bt_param *params;
    size_t param_count;
    bool divides;   /* begins with job->parts; other methods see to max-level themselves */
    size_t minimal; /* 1 + the place of the option minimal=yes|no among its params; 0: it has none.
                       With "no", bt_group raises cells at random */
    bool fixed;     /* its classes are the parts: the recipe's `levels` say all */
    bool overlaps;  /* its classes may have the same cells: a form that shows cells has to unite
                       those */
    bool joins;     /* can group microdata with a public table (group/join.h): it divides, looks at
                       nothing but sizes when nothing else is required, and unites classes itself */
    bool as_given;  /* its classes follow from the table, and are not chosen for what is required:
                       unless job->unchecked, those that do not satisfy are refused */
    bool one_class; /* as_given, and there is only one class */
    bool trees;  /* goes along hierarchies: a column without one has only values and "*" for it */
    bool lowest; /* cells are the lowest nodes that cover their classes, all or nearly all, so that
                    a reader takes them for that; unless `coins` are thrown */
    bool full_domain;    /* every column has one level, so that a plan may be one of levels */
    bool tuples;         /* knows rows that stand for several records (people->counts), if places of
                            records have no say (by_place): equal records are in one class */
    bool planned;        /* its classes are those of a plan (--plan), which it cannot do without */
    const char *bounded; /* options with which a factor (bt_retrace) is proven, where requirements
                            are about values; NULL: none are needed, or none would help */
    const char *no_plan; /* why no plan can be made of its classes; NULL: it can, if records that
                            are alike in all quasi columns are always in one class */
    /* Whether, with these options, places of records have a say: ties go to the first or the last,
     * or some are drawn. bt_group then puts records into the order of their codes. NULL: never. */
    bool (*by_place)(const bt_value *options);
    /* With these options; parallel to `params`. */
    bt_retrace (*retrace)(const bt_value *options);
    /* The table as one class is known to satisfy the requirements. `out` is released by the
     * caller; its classes all satisfy the requirements. */
    bauta_status (*group)(const struct bt_method_job *job, struct bt_grouping *out,
                          bauta_error *error);
} bt_method;

/* Whether sensitive values have a say in which classes there are. */
static inline bool bt_decides_by_values(const bt_method *method)
{
    return !method->as_given && !method->fixed;
}

extern const bt_method *const bt_method_registry[];
extern const size_t bt_method_registry_count;

/* "name:option=value,…" (NULL: the default method). *canonical spells all options out. */
BT_MUST_USE bauta_status bt_method_parse(const char *text, bt_arena *arena, const bt_method **out,
                                         bt_value **options, const char **canonical,
                                         bauta_error *error);

/* The method that a release names, read as anybody may have written it. */
typedef struct bt_named_method {
    const char *text;        /* as it is written; "none": there are no classes */
    const bt_method *type;   /* NULL: there is none, or something is wrong with it */
    const bt_value *options; /* those that are not written are the defaults */
    const char *fault;       /* what is wrong with it; NULL: nothing */
} bt_named_method;

/* Options stand in their order, each at most once. `text` is borrowed; BAUTA_SYSTEM alone fails. */
BT_MUST_USE bauta_status bt_method_read(const char *text, bt_arena *arena, bt_named_method *out,
                                        bauta_error *error);

/* How the method of a release can be tried out; of one that is not known, not at all. */
bt_retrace bt_method_retrace(const bt_named_method *method);

#endif
