/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a grouping method. One file per method, one line in methods.def.
 */
#ifndef BT_METHOD_H
#define BT_METHOD_H

#include "base/facts.h"
#include "base/params.h"
#include "base/run.h"
#include "class/grouping.h"
#include "require/requirement.h"

typedef struct bt_method_job {
    const bt_table *table; /* at least one row, at least one quasi column */
    const bt_requirements *requirements;
    const bt_value *options; /* parallel to the method's params */
    bt_rational suppress;    /* share of rows that may be dropped */
    const bt_run *run;
} bt_method_job;

typedef struct bt_method {
    const char *name;
    const char *summary;
    const char *paper;
    const bt_param *params;
    size_t param_count;
    /* The table as one class is known to satisfy the requirements. `out` is released by the
     * caller; its classes all satisfy the requirements. */
    bauta_status (*group)(const bt_method_job *job, bt_grouping *out, bauta_error *error);
} bt_method;

extern const bt_method *const bt_method_registry[];
extern const size_t bt_method_registry_count;

/* "name:option=value,…" (NULL: the default method). *canonical spells all options out. */
BT_MUST_USE bauta_status bt_method_parse(const char *text, bt_arena *arena, const bt_method **out,
                                         bt_value **options, const char **canonical,
                                         bauta_error *error);

#endif
