/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a form: the shape in which a grouping is published. One file per form, one
 * line in forms.def.
 */
#ifndef BT_FORM_H
#define BT_FORM_H

#include "base/params.h"
#include "base/run.h"
#include "class/grouping.h"
#include "io/input.h"
#include "recipe/manifest.h"
#include "require/requirement.h"

typedef struct bt_form_job {
    const bt_table *table;
    const bt_grouping *grouping;
    const bt_requirements *requirements;
    bt_input *input;            /* texts of `other` columns */
    const bt_role *roles;       /* of the input's columns */
    const bt_reading *readings; /* how `other` columns are read, parallel to roles */
    const bool *verbatim;       /* `other` columns whose texts are canonical as they stand in
                                   UTF-8 with commas, parallel to roles */
    const bt_value *options;    /* parallel to the form's params */
    const bt_run *run;
    const char *folder;     /* the publish folder under its working name: write files here */
    bt_arena *arena;        /* for the manifest */
    const int64_t *row_map; /* table row -> input row; NULL: the same */
    int64_t input_rows;
} bt_form_job;

typedef struct bt_form {
    const char *name;
    const char *summary;
    const char *paper;
    const bt_param *params;
    size_t param_count;
    const char *not_protected; /* what the form does not protect, in plain words */
    bool shows_values; /* quasi values are published as they are: nothing of them is lost, and
                          classes are told apart even where their cells would be alike */
    /* Optional: refuses options that do not fit the table (`names`: all columns of the input)
     * before anything is grouped. */
    bauta_status (*check)(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error);
    /* Writes the data files and fills the manifest's promises and columns. */
    bauta_status (*publish)(const bt_form_job *job, bt_manifest *manifest, bauta_error *error);
} bt_form;

/* How classes are numbered where their numbers are published: a random permutation of 1 to
 * `classes`. The array is the caller's to free. */
BT_MUST_USE bauta_status bt_form_numbers(const bt_run *run, uint32_t classes, uint32_t **out,
                                         bauta_error *error);

extern const bt_form *const bt_form_registry[];
extern const size_t bt_form_registry_count;

BT_MUST_USE bauta_status bt_form_parse(const char *text, bt_arena *arena, const bt_form **out,
                                       bt_value **options, const char **canonical,
                                       bauta_error *error);

#endif
