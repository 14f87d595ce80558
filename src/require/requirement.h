/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a requirement: what each class must satisfy. One file per requirement, one
 * line in requirements.def; k.c is the teaching copy.
 */
#ifndef BT_REQUIREMENT_H
#define BT_REQUIREMENT_H

#include "base/params.h"
#include "class/grouping.h"

struct bt_requirement_instance;

typedef struct bt_requirement {
    const char *name;    /* as in the recipe: "k" */
    const char *summary; /* one line */
    const char *paper;
    const bt_param *params; /* [0]: the value after '=', [1]: what follows a colon */
    size_t param_count;
    /* Pruning relies on these; the contract test challenges them on random tables. */
    bool monotone_merging;     /* two satisfying classes merged still satisfy */
    bool monotone_suppression; /* a satisfying class that loses records … still satisfies */
    bool size_only;            /* the verdict depends on the number of records alone, and
                                  holds from some number on */
    /* True: the class satisfies. */
    bool (*check)(const struct bt_requirement_instance *instance, const bt_class_view *view);
    /* Why the whole table cannot satisfy, with the number that shows it. */
    void (*explain)(const struct bt_requirement_instance *instance, const bt_class_view *table,
                    bauta_error *error);
} bt_requirement;

typedef struct bt_requirement_instance {
    const bt_requirement *type;
    const bt_value *values; /* parallel to type->params */
    const char *text;       /* "k=5", canonical */
} bt_requirement_instance;

/* A recipe's requirements: all must hold. */
typedef struct bt_requirements {
    bt_requirement_instance *items;
    size_t count;
    bool size_only; /* all of them */
} bt_requirements;

extern const bt_requirement *const bt_requirement_registry[];
extern const size_t bt_requirement_registry_count;

BT_MUST_USE bauta_status bt_requirements_parse(const char *text, bt_arena *arena,
                                               bt_requirements *out, bauta_error *error);

bool bt_requirements_check(const bt_requirements *requirements, const bt_class_view *view);

/* The least number of records that satisfies them; all must be size_only. */
int64_t bt_requirements_least_size(const bt_requirements *requirements);

/* BAUTA_NO with the reason when the table as one class does not satisfy them. */
BT_MUST_USE bauta_status bt_requirements_feasible(const bt_requirements *requirements,
                                                  const bt_class_view *table, bauta_error *error);

#endif
