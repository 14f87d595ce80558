/* SPDX-License-Identifier: Apache-2.0
 *
 * Making targets, and judging them by the requirements: a target is what a reader of the release
 * believes about every record of its group, so it must itself satisfy what is required.
 *
 * The reference of `t` is the distribution of the whole table as it is published: the `source`
 * target, rounded like the others (bt_target_maker.reference; it stands in the manifest when t is
 * required). Requirements that say nothing about a distribution (k, weight) are refused.
 */
#ifndef BT_TARGETS_H
#define BT_TARGETS_H

#include "class/belief.h"
#include "class/fakes.h"
#include "require/requirement.h"

typedef enum bt_wanted_kind {
    BT_WANTED_SOURCE,  /* the distribution of the table, or with per_group of the group */
    BT_WANTED_CLOSEST, /* the group's own, changed as little as the requirements need */
    BT_WANTED_UNIFORM,
    BT_WANTED_NORMAL, /* mean, standard deviation: numbers and dates */
    BT_WANTED_ZIPF,   /* s: the value of rank k (in the order of the domain) has 1 / k^s */
    BT_WANTED_FILE,   /* value,weight */
} bt_wanted_kind;

/* target=… of the form. */
typedef struct bt_wanted {
    bt_wanted_kind kind;
    double first, second; /* mean and standard deviation; s */
    const char *file;     /* BT_WANTED_FILE: its name, owned by the arena */
} bt_wanted;

/* "source", "closest", "uniform", "normal:2000,300" (or a backslash before the comma), "zipf:0.5",
 * else the name of a file. BAUTA_INVALID with a hint. */
BT_MUST_USE bauta_status bt_wanted_parse(const char *text, bt_arena *arena, bt_wanted *out,
                                         bauta_error *error);

/* How the targets of a release are made. The first part is the caller's. */
typedef struct bt_target_options {
    bt_wanted wanted;
    bool per_group; /* `source` and `uniform` are of each group and its own values, not of the
                       table; `closest` always is of the group. Else one target for all */
    uint64_t cap;   /* weight-cap; 0: none */
} bt_target_options;

typedef struct bt_target_maker {
    bt_target_options options;
    bt_space space;
    bt_people people;             /* every value of the space once: what `requirements` judges by */
    bt_requirements requirements; /* bound to it */
    size_t rows;                  /* of the table */
    uint64_t *source;             /* per code of the space: records of the table */
    uint64_t *wanted;             /* per code: the wanted distribution, when one for all */
    bt_target reference;          /* of t: the table's own distribution, rounded */
    bt_target shared;             /* the target of all groups, unless each has its own */
    bool own;                     /* each group has its own */
    bt_arena arena;
} bt_target_maker;

/* Reads the file, finds the space (the column's values and hierarchy, `balanced:2` when it has
 * none; with a file the values of the file, which must hold those of the column) and makes the
 * target that all groups share. `column` is the sensitive column; the requirements need not be
 * bound. Fails, BAUTA_INVALID or BAUTA_NO and with the reason, when a value of the data would have
 * probability 0, no requirement of alpha, l, t (p, p-categories, entropy-l, recursive-l) is given,
 * or others are, per_group source or closest goes with no cap (it would publish the group's
 * values), the target does not satisfy the requirements. Release it also after a failure. */
BT_MUST_USE bauta_status bt_target_maker_init(bt_target_maker *maker,
                                              const bt_target_options *options,
                                              const bt_column *column, int64_t rows,
                                              const bt_requirements *requirements,
                                              bauta_error *error);
void bt_target_maker_release(bt_target_maker *maker);

/* The target of a group when maker->own: owned by `arena`. *distance: from the distribution that
 * was wanted for it. Thread-safe. */
BT_MUST_USE bauta_status bt_target_maker_group(const bt_target_maker *maker, const bt_held *held,
                                               size_t distinct, bt_arena *arena, bt_target *out,
                                               double *distance, bauta_error *error);

/* What is asked, for judging targets over a domain: every value once, as people. Of `column` only
 * the description is used (name, texts, type, numbers, hierarchy, categories); `people` is released
 * by the caller, also after a failure; the requirements are owned by the arena. BAUTA_INVALID when
 * one of them says nothing about a distribution, or there is none. For the audit. */
BT_MUST_USE bauta_status bt_target_requirements(const bt_requirements *asked,
                                                const bt_sensitive *column, bt_people *people,
                                                bt_arena *arena, bt_requirements *out,
                                                bauta_error *error);

/* Whether a target satisfies them all, exactly; else the first that it does not (`failed` may be
 * NULL). `reference` may be NULL when `t` is not among them. BAUTA_INVALID when its probabilities
 * are too fine to be compared exactly (class/shares.h). */
BT_MUST_USE bauta_status bt_target_judge(const bt_requirements *requirements,
                                         const bt_target *target, const bt_target *reference,
                                         bool *holds, const bt_requirement_instance **failed,
                                         bauta_error *error);

/* Judges what is left of a target when only some values (per code) are possible; at least one that
 * it has. *failed: the first that is not satisfied, or NULL. `t` is never satisfied: it
 * compares whole distributions. */
BT_MUST_USE bauta_status bt_target_judge_within(const bt_requirements *requirements,
                                                const bt_target *target, const bool *possible,
                                                const bt_requirement_instance **failed,
                                                bauta_error *error);

/* Whether `t` is among the requirements: then the reference must be published. */
bool bt_target_needs_reference(const bt_requirements *requirements);

#endif
