/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a requirement: what each class must satisfy. One file per requirement, one
 * line in requirements.def; k.c is the teaching copy.
 */
#ifndef BT_REQUIREMENT_H
#define BT_REQUIREMENT_H

#include "base/params.h"
#include "class/people.h"

struct bt_requirement_instance;
struct bt_belief; /* class/belief.h */

/* What the verdict on a class depends on. A method that makes classes sees to the first two. */
typedef enum bt_scope {
    BT_SCOPE_CLASS,       /* the records of the class alone */
    BT_SCOPE_RELEASE,     /* all published records too, which the class is compared with */
    BT_SCOPE_PROJECTIONS, /* what the release shows of some of its columns */
    BT_SCOPE_SEQUENCE,    /* releases before this one */
} bt_scope;

/* How likely it may seem at most that someone in a class has a value: what requirements leave to
 * whoever knows nothing but the class. */
typedef struct bt_ceiling {
    uint32_t values;         /* of the sensitive column, or its categories */
    const char *const *text; /* per value; NULL for categories */
    const double *table;     /* per value: its share of all published records */
    /* what requirements lower: */
    bool any;      /* one of them says something */
    double *share; /* per value: its share of the class, at most */
    double gain; /* what a value's share of the class exceeds its share of the table by, at most */
    /* What the share of any set of values exceeds that set's share of the table by, at most. */
    double set_gain;
    /* How far shares of the table are moved along the order of values at most, to become those of
     * the class: the sum of each share times the values that it passes. */
    double moved;
    double distinct; /* so many other values occur in the class too */
} bt_ceiling;

typedef struct bt_requirement {
    const char *name;    /* as in the recipe: "k" */
    const char *summary; /* one line */
    const char *paper;
    const bt_param *params; /* [0]: the value after '=', [1]: what follows a colon */
    size_t param_count;
    /* Pruning relies on these; the contract test challenges them on random tables. */
    bool monotone_merging;     /* two satisfying classes merged still satisfy */
    bool monotone_growing;     /* a satisfying class that gains any records still satisfies */
    bool monotone_suppression; /* a satisfying class that loses any records still satisfies */
    bool size_only;            /* the verdict depends on the number of persons alone, and
                                  holds from some number on */
    bool occurrence_only;      /* the verdict depends on which values occur, not on how often */
    bool needs_categories;     /* of the sensitive column */
    bool bounds_persons;       /* `bound` also says it of shares of persons with several values */
    bt_scope scope;
    /* True: with these parameters every class satisfies, whatever its records are. */
    bool (*asks_nothing)(const struct bt_requirement_instance *instance);
    /* Optional: what its last parameter is where it is not given, for a sensitive column of this
     * type. The parameter's own default is what releases mean that do not spell it out. */
    const char *(*usual)(bt_type type);
    /* Optional: checks the parameters against one sensitive column and keeps what `check` needs
     * in *prepared (from the arena). BAUTA_INVALID when they make no sense there. */
    bauta_status (*prepare)(const struct bt_requirement_instance *instance,
                            const bt_sensitive *column, bt_arena *arena, void **prepared,
                            bauta_error *error);
    /* True: the bag satisfies. `prepared` is what was kept for its column. */
    bool (*check)(const struct bt_requirement_instance *instance, const void *prepared,
                  const bt_bag *bag);
    /* Optional, for bags in which each person has one value: how many persons' values may become
     * any others, and the bag satisfies still; -1: it does not satisfy now. It may say less than is
     * true, but must not move by more than one where one person's value becomes another: what a
     * method gives away is bounded by that (docs/minimality.md), and the contract test challenges
     * it. NULL: 0 of every bag that satisfies. */
    int64_t (*slack)(const struct bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag);
    /* Optional, for those that are not monotone_growing: true: no part of the bag satisfies
     * either. False may also mean that nobody knows. */
    bool (*hopeless)(const struct bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag);
    /* Optional: *holds is whether a distribution satisfies, exactly; NULL: the requirement says
     * nothing about distributions. */
    bauta_status (*believe)(const struct bt_requirement_instance *instance, const void *prepared,
                            const struct bt_belief *belief, bool *holds, bauta_error *error);
    /* Optional: lowers what may be believed of a value to what a class that satisfies leaves; NULL:
     * it leaves anything. */
    bauta_status (*bound)(const struct bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error);
    /* Optional: the greatest share that each single value may have, where the parameters say one
     * number for all; else 1. Targets are cut to it before they are tried. */
    bt_rational (*most)(const struct bt_requirement_instance *instance);
    /* Only for those that need a public table: the greatest share of the persons of a class who may
     * be records, others being only in that table. The verdict depends on these numbers, not on
     * values. */
    bt_rational (*most_records)(const struct bt_requirement_instance *instance);
    /* Optional: whether no bag that satisfies has only one value; NULL: it may. */
    bool (*mixes)(const struct bt_requirement_instance *instance);
    /* Puts the number into a hint that shows why the bag satisfies or not: that of the whole table,
     * or of those in it who share a value of another column. */
    void (*explain)(const struct bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error);
} bt_requirement;

/* Whether it is about sensitive values, not about numbers of persons alone. */
static inline bool bt_is_about_values(const bt_requirement *type)
{
    return !type->size_only && !type->most_records;
}

/* Lowers every share of a ceiling to a bound. */
void bt_ceiling_lower(bt_ceiling *ceiling, double share);

typedef struct bt_requirement_instance {
    const bt_requirement *type;
    const bt_value *values; /* parallel to type->params */
    size_t given;           /* the first so many of them were written, the others are defaults */
    const char *text;       /* "k=5", "alpha(disease)=0.5": canonical */
    const char *column;     /* the one sensitive column it is for; NULL: each */
    /* after bt_requirements_bind */
    void **prepared; /* per sensitive column */
    bool *applies;   /* per sensitive column */
} bt_requirement_instance;

/* A recipe's requirements: all must hold. */
typedef struct bt_requirements {
    bt_requirement_instance *items;
    size_t count;
    bool size_only; /* all of them */
    /* All requirements are monotone; bt_requirements_bind also accounts for the people and for
     * `joint`. */
    bool monotone_merging; /* when two classes are merged that a method may merge */
    bool monotone_growing;
    bool joint;              /* also within the part of a class that has one value of another
                                sensitive column (joint=pairwise) */
    const bt_people *people; /* after bt_requirements_bind */
} bt_requirements;

extern const bt_requirement *const bt_requirement_registry[];
extern const size_t bt_requirement_registry_count;

BT_MUST_USE bauta_status bt_requirements_parse(const char *text, bt_arena *arena,
                                               bt_requirements *out, bauta_error *error);

/* Parses the requirements of a request: something must follow a ':'. In manifests of version 0.1.0
 * nothing may stand there, which is the default. */
BT_MUST_USE bauta_status bt_requirements_ask(const char *text, bt_arena *arena,
                                             bt_requirements *out, bauta_error *error);

/* Where the value begins in the text of a requirement: "0.5" of "alpha(disease)=0.5". An '=' may
 * also stand in the name of the column. NULL: there is none. */
const char *bt_requirement_value(const char *text);

/* Copies requirements into an array of their own, which can be bound by itself. */
BT_MUST_USE bauta_status bt_requirements_copy(const bt_requirements *from, bt_arena *arena,
                                              bt_requirements *out, bauta_error *error);

/* BAUTA_INVALID when all of them ask for nothing: whatever is published would satisfy. */
BT_MUST_USE bauta_status bt_requirements_demanding(const bt_requirements *requirements,
                                                   bauta_error *error);

/* Spells out what was left open, by the types of the sensitive columns: for each of them where they
 * differ. */
BT_MUST_USE bauta_status bt_requirements_settle(bt_requirements *requirements,
                                                const bt_table *table, bt_arena *arena,
                                                bauta_error *error);

/* Binds the requirements to the sensitive columns of a table. BAUTA_INVALID when one names a
 * column that is not sensitive, or needs one and there is none. `people` is borrowed. */
BT_MUST_USE bauta_status bt_requirements_bind(bt_requirements *requirements,
                                              const bt_people *people, bt_arena *arena,
                                              bauta_error *error);

/* The one that needs a public table; NULL: none does. */
const bt_requirement_instance *bt_requirements_public(const bt_requirements *requirements);
/* The others, in an array of their own; bound if they were. */
BT_MUST_USE bauta_status bt_requirements_of_records(const bt_requirements *requirements,
                                                    bt_arena *arena, bt_requirements *out,
                                                    bauta_error *error);

/* Whether the class in the tally satisfies all; with `failed` not NULL, the first that fails. */
bool bt_requirements_check(const bt_requirements *requirements, bt_tally *tally,
                           const bt_requirement_instance **failed);

/* Whether slack says how far a class is from not satisfying: not where persons have several values,
 * and not where parts of a class are judged too (`joint`), which one change may bring about. */
bool bt_requirements_have_slack(const bt_requirements *requirements);

/* The least slack of all that the class in the tally must satisfy; -1: it does not. Where
 * there is no slack, 0 if it does. INT64_MAX: no requirement is about values. */
int64_t bt_requirements_slack(const bt_requirements *requirements, bt_tally *tally);

/* A class, and those it may be divided into. */
typedef enum bt_outlook {
    BT_OUTLOOK_GOOD,     /* it satisfies */
    BT_OUTLOOK_BAD,      /* it does not, but some part of it may */
    BT_OUTLOOK_HOPELESS, /* no part of it does */
} bt_outlook;

bt_outlook bt_requirements_outlook(const bt_requirements *requirements, bt_tally *tally);
/* The outlook where there is one sensitive column, whose bag this is. */
bt_outlook bt_requirements_outlook_of(const bt_requirements *requirements, const bt_bag *bag);

/* The least number of persons that satisfies those of them that are size_only. */
int64_t bt_requirements_least_size(const bt_requirements *requirements);

/* What the whole table as one class has of what a requirement asks for. */
typedef struct bt_figure {
    const bt_requirement_instance *item;
    const char *column; /* the sensitive column; NULL: it is about sizes */
    bool holds;
    const char *known; /* it fails only among those who share a value of this column; or NULL */
    const char *text;  /* the number that shows it: "the number of distinct values is 3, p is 4" */
} bt_figure;

/* One for each requirement and each column it is for, in this order; owned by the arena. */
BT_MUST_USE bauta_status bt_requirements_figures(const bt_requirements *requirements,
                                                 bt_arena *arena, bt_figure **out, size_t *count,
                                                 bauta_error *error);

/* BAUTA_NO with the reason when the table as one class does not satisfy them. */
BT_MUST_USE bauta_status bt_requirements_feasible(const bt_requirements *requirements,
                                                  bauta_error *error);

#endif
