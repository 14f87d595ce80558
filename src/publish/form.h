/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a form: the shape in which a grouping is published. One file per form, one
 * line in forms.def.
 */
#ifndef BT_FORM_H
#define BT_FORM_H

#include "base/digest.h"
#include "base/facts.h"
#include "base/params.h"
#include "base/run.h"
#include "class/grouping.h"
#include "class/join.h"
#include "io/input.h"
#include "require/requirement.h"
#include "spec/manifest.h"
#include "store/store.h"

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
    void *plan;                 /* what the form's `plan` made; NULL: it has none */
    const bt_run *run;
    bt_store *store;        /* of the release: write files here */
    bt_arena *arena;        /* for the manifest */
    const int64_t *row_map; /* table row -> input row; NULL: the same */
    int64_t input_rows;
    bt_facts *facts; /* facts of its own go into `at`; NULL: nobody wants to know */
    json_t *at;
    const bt_join *join; /* with a public table: what is published beside the microdata, whose
                            sensitive groups `grouping` then is; NULL: nothing */
} bt_form_job;

/* What a recipe asks for, as far as it decides whether a form can be published. */
typedef struct bt_form_request {
    const bt_requirements *requirements; /* not bound */
    const char *method;                  /* name of the method */
    bt_rational suppress;
    bool subjects;      /* persons may have several rows */
    const char *folder; /* where relative names of files in the options start; NULL: here */
} bt_form_request;

/* What is believed of the records of a class, by the plan of a form with a promise of its own. */
typedef struct bt_form_beliefs {
    /* The text of a value that somebody may be believed to have; NULL: there are no more. */
    const char *(*value)(const void *plan, uint32_t number);
    /* Whether it is one of those that the records of a class may have. */
    bool (*believes)(const void *plan, uint32_t class_number, uint32_t number);
    /* When only some values (per number) are possible: the first requirement that the belief does
     * not satisfy any more, or NULL. */
    bauta_status (*narrow)(const void *plan, uint32_t class_number, const bool *possible,
                           const bt_requirement_instance **failed, bauta_error *error);
} bt_form_beliefs;

/* Where a form publishes sensitive values as they are. */
typedef enum bt_sensitive_shown {
    BT_SENSITIVE_HIDDEN, /* nowhere: something coarser is published instead */
    BT_SENSITIVE_BESIDE, /* in the row of the record's `other` columns */
    BT_SENSITIVE_APART,  /* in a file of their own: nobody can put them beside `other` columns */
} bt_sensitive_shown;

typedef struct bt_form {
    const char *name;
    const char *summary;
    const char *paper;
    const bt_param *params;
    size_t param_count;
    bool joins;        /* can publish a join */
    bool shows_values; /* quasi values are published as they are: nothing of them is lost, and
                          classes are told apart even where their cells would be alike */
    bool ungrouped;    /* records are published one by one: there is no grouping, no requirement
                          and no suppression. The form itself says how many rows were dropped */
    bool own_promise;  /* what is published satisfies the requirements, whatever the classes are */
    /* Where sensitive values are shown, by the form's options. NULL: they are hidden. */
    bt_sensitive_shown (*shows_sensitive)(const bt_value *options);
    /* How many quasi values of each record are drawn anew, by the form's options. NULL: none. */
    size_t (*redrawn)(const bt_value *options);
    const bt_form_beliefs *beliefs; /* own_promise: how beliefs are asked; NULL: they are not */
    /* Optional: refuses what the form cannot publish, before anything is read; may put the names
     * of files in `options` in place. */
    bauta_status (*admit)(const bt_form_request *request, bt_value *options, bt_arena *arena,
                          bauta_error *error);
    /* Optional, where options name files: adds what they say, contents instead of names, to what
     * random streams are keyed by. NULL: the text of the options is all. */
    bauta_status (*digest)(const bt_value *options, bt_arena *arena, bt_digest *out,
                           bauta_error *error);
    /* Optional: refuses options that do not fit the table (`names`: all columns of the input)
     * before anything is grouped. */
    bauta_status (*check)(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error);
    /* Optional: works out what will be published, and tells it: into `at`, and as a sentence that
     * the owner gets to see before anything is written. Of the job neither store nor plan is set.
     * *plan is forgotten by `forget`, also after a failure. */
    bauta_status (*plan)(const bt_form_job *job, bt_facts *facts, json_t *at, const char **notice,
                         void **plan, bauta_error *error);
    void (*forget)(void *plan);
    /* Writes the data files and fills the manifest's promises and columns. */
    bauta_status (*publish)(const bt_form_job *job, bt_manifest *manifest, bauta_error *error);
} bt_form;

/* How classes are numbered where their numbers are published: by a random permutation of the order
 * of their first rows, so that it does not matter in which order they were found. The array is the
 * caller's to free. */
BT_MUST_USE bauta_status bt_form_numbers(const bt_run *run, const bt_grouping *grouping,
                                         uint32_t **out, bauta_error *error);

/* The places of a join's classes in the order in which they first occur in data.csv. The array is
 * the caller's to free. */
BT_MUST_USE bauta_status bt_form_join_places(const bt_run *run, const bt_join *join, uint32_t **out,
                                             bauta_error *error);

extern const bt_form *const bt_form_registry[];
extern const size_t bt_form_registry_count;

BT_MUST_USE bauta_status bt_form_parse(const char *text, bt_arena *arena, const bt_form **out,
                                       bt_value **options, const char **canonical,
                                       bauta_error *error);

#endif
