/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of an experiment: what a paper reports, done again. One file per experiment, one
 * line in experiments.def. An experiment uses the library as anyone does, through bauta.h, on a
 * table that is not part of the project. Below the interface is what experiments share: a folder
 * for their files, and facts in the shape that the report prints.
 *
 * Published seeds belong here and nowhere else: experiments can be repeated, releases must not.
 */
#ifndef BT_EXPERIMENT_H
#define BT_EXPERIMENT_H

#include "base/facts.h"
#include "base/params.h"

/* ---- the interface ---------------------------------------------------------------------- */

/* The first parameters of every experiment, in this order. */
enum { BT_EXPERIMENT_DATA, BT_EXPERIMENT_THREADS, BT_EXPERIMENT_TMP, BT_EXPERIMENT_OWN };

#define BT_EXPERIMENT_COMMON_PARAMS(table)                                                         \
    {.name = "data", .type = BT_PARAM_TEXT, .help = table},                                        \
        {.name = "threads",                                                                        \
         .type = BT_PARAM_INTEGER,                                                                 \
         .minimum = "1",                                                                           \
         .maximum = "1024",                                                                        \
         .fallback = "1",                                                                          \
         .help = "threads to use; one by default, so that times can be compared"},                 \
    {                                                                                              \
        .name = "tmp", .type = BT_PARAM_TEXT, .fallback = "/tmp",                                  \
        .help = "where the folder for temporary files goes, which is removed at the end"           \
    }

typedef struct bt_experiment_job {
    const bt_value *values; /* parallel to the experiment's params */
    const char *folder;     /* empty, for files of the experiment; see below */
    bt_arena *arena;
    bt_facts *facts; /* for what is found */
    bauta_progress progress;
    void *progress_user;
} bt_experiment_job;

typedef struct bt_experiment {
    const char *name;    /* "P3" */
    const char *summary; /* one line */
    const char *paper;
    const bt_param *params;
    size_t param_count;
    /* Does everything and puts rows, notes, tables and claims into the root of job->facts. */
    bauta_status (*run)(const bt_experiment_job *job, bauta_error *error);
} bt_experiment;

extern const bt_experiment *const bt_experiment_registry[];
extern const size_t bt_experiment_registry_count;

/* Finds the experiment, reads "name=value" arguments, and runs it. `asked` has where facts go and
 * who is told of progress. Wrong names and values are BAUTA_USAGE. */
BT_MUST_USE bauta_status bt_experiment_run(const char *name, const char *const *arguments,
                                           size_t count, const bt_experiment_job *asked,
                                           bauta_error *error);

/* ---- files ------------------------------------------------------------------------------ */

/* job->folder holds plain files and, under these names, the releases of the moment. Mode 0700: the
 * records of the table are in it. */
#define BT_TRIAL "release"
#define BT_TRIAL_SECOND "release2"
#define BT_TRIAL_THIRD "release3"
#define BT_TRIAL_FOURTH "release4"
#define BT_TRIAL_FIFTH "release5"
#define BT_TRIAL_SIXTH "release6"
#define BT_TRIAL_SEVENTH "release7"

/* Owned by the arena; NULL: out of memory. */
const char *bt_file_in(const bt_experiment_job *job, const char *name);

/* A whole small file; of one that is read, BT_CSV_PADDING bytes follow the text. */
BT_MUST_USE bauta_status bt_file_write(const char *file, const char *bytes, size_t length,
                                       bauta_error *error);
BT_MUST_USE bauta_status bt_file_read(const char *file, bt_buffer *out, bauta_error *error);

/* ---- asking the library (trial.c) ------------------------------------------------------- */

/* A key of a recipe, and its value; "": it is left alone, NULL: there was no memory for it. */
typedef const char *bt_setting[2];

/* A recipe with threads and tmp of the experiment, which tells its progress as that of the
 * experiment. Freed by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_trial_recipe(const bt_experiment_job *job, bauta_recipe **out,
                                         bauta_error *error);
BT_MUST_USE bauta_status bt_trial_set(bauta_recipe *recipe, const bt_setting *settings,
                                      size_t count, bauta_error *error);

/* Each makes facts of a report, which the caller releases with json_decref. `folder`: BT_TRIAL or
 * another release of the moment. bt_trial_anonymize: `facts` may be NULL. */
BT_MUST_USE bauta_status bt_report_read(const bauta_report *report, json_t **out,
                                        bauta_error *error);
BT_MUST_USE bauta_status bt_trial_anonymize(const bt_experiment_job *job,
                                            const bauta_recipe *recipe, const char *folder,
                                            json_t **facts, bauta_error *error);
BT_MUST_USE bauta_status bt_trial_preview(const bauta_recipe *recipe, json_t **facts,
                                          bauta_error *error);
BT_MUST_USE bauta_status bt_trial_measure(const bt_experiment_job *job, const char *const *folders,
                                          size_t count, const bt_setting *settings,
                                          size_t setting_count, json_t **facts, bauta_error *error);

double bt_number_at(const json_t *object, const char *key); /* 0: it is not there */

/* ---- seeds ------------------------------------------------------------------------------ */

/* A run has the seed that was given with its number, from 1, behind it: four of 64 digits. */
enum { BT_RUN_SEED_DIGITS = 60, BT_RUN_SEED_ROOM = 80 };
BT_MUST_USE bauta_status bt_run_seed_check(const char *experiment, const char *seed,
                                           bauta_error *error);
void bt_run_seed(const char *seed, size_t run, char out[BT_RUN_SEED_ROOM]);

/* ---- facts ------------------------------------------------------------------------------ */

typedef enum bt_claim_verdict { BT_CLAIM_HOLDS, BT_CLAIM_IN_PART, BT_CLAIM_FAILS } bt_claim_verdict;

/* Adds a claim of the paper with what was found, one sentence each; `finding` as printf. */
void bt_put_claim(const bt_experiment_job *job, const char *claim, bt_claim_verdict verdict,
                  const char *finding, ...) BT_PRINTF(4, 5);

/* Adds a table and returns its rows, an array to be filled with objects that have the same keys.
 * A nested object is a group of columns. */
json_t *bt_put_table(const bt_experiment_job *job, const char *name, const char *title);

/* Mean, least and greatest of numbers, as a group of columns, which is returned. */
json_t *bt_put_range(bt_facts *facts, json_t *at, const char *key, const int64_t *numbers,
                     size_t count);

#endif
