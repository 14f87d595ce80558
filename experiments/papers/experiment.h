/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of an experiment: what a paper reports, done again. One file per experiment, one
 * line in experiments.def. An experiment uses the library as anyone does, through bauta.h, on a
 * table that is not part of the project. Below the interface is what experiments share: a folder
 * for their files, and facts in the shape that the report prints.
 *
 * Published seeds belong here and nowhere else: experiments can be repeated, releases must not.
 */
#ifndef EX_EXPERIMENT_H
#define EX_EXPERIMENT_H

#include "experiments.h"
#include "kit/kit.h"

/* ---- the interface ---------------------------------------------------------------------- */

/* The first parameters of every experiment, in this order. */
enum { EX_EXPERIMENT_DATA, EX_EXPERIMENT_THREADS, EX_EXPERIMENT_TMP, EX_EXPERIMENT_OWN };

#define EX_EXPERIMENT_COMMON_PARAMS(table)                                                         \
    {.name = "data", .type = EX_PARAM_TEXT, .help = table},                                        \
        {.name = "threads",                                                                        \
         .type = EX_PARAM_INTEGER,                                                                 \
         .minimum = "1",                                                                           \
         .maximum = "1024",                                                                        \
         .fallback = "1",                                                                          \
         .help = "threads to use; one by default, so that times can be compared"},                 \
    {                                                                                              \
        .name = "tmp", .type = EX_PARAM_TEXT, .fallback = "/tmp",                                  \
        .help = "where the folder for temporary files goes, which is removed at the end"           \
    }

/* What an entry's `run` is given: it does everything and puts rows, notes, tables and claims into
 * the root of `facts`. */
typedef struct ex_experiment_job {
    const ex_value *values; /* parallel to the experiment's params */
    const char *folder;     /* empty, for files of the experiment; see below */
    ex_arena *arena;
    ex_facts *facts;
    bauta_progress progress;
    void *progress_user;
} ex_experiment_job;

/* What was found, as text for people. */
void ex_print_report(const json_t *facts, ex_buffer *out);

/* ---- files ------------------------------------------------------------------------------ */

/* job->folder holds plain files and, under these names, the releases of the moment. Mode 0700: the
 * records of the table are in it. */
#define EX_TRIAL "release"
#define EX_TRIAL_SECOND "release2"
#define EX_TRIAL_THIRD "release3"
#define EX_TRIAL_FOURTH "release4"
#define EX_TRIAL_FIFTH "release5"
#define EX_TRIAL_SIXTH "release6"
#define EX_TRIAL_SEVENTH "release7"

/* Owned by the arena; NULL: out of memory, which the calls that take it understand. */
const char *ex_file_in(const ex_experiment_job *job, const char *name);

/* ---- asking the library (trial.c) ------------------------------------------------------- */

/* A key of a recipe, and its value; "": it is left alone, NULL: there was no memory for it. */
typedef const char *ex_setting[2];

/* A recipe with threads and tmp of the experiment, which tells its progress as that of the
 * experiment. Freed by the caller, also after a failure. */
EX_MUST_USE bauta_status ex_trial_recipe(const ex_experiment_job *job, bauta_recipe **out,
                                         bauta_error *error);
EX_MUST_USE bauta_status ex_trial_set(bauta_recipe *recipe, const ex_setting *settings,
                                      size_t count, bauta_error *error);

/* Each makes facts of a report, which the caller releases with json_decref. `folder`: EX_TRIAL or
 * another release of the moment. ex_trial_anonymize: `facts` may be NULL. */
EX_MUST_USE bauta_status ex_report_read(const bauta_report *report, json_t **out,
                                        bauta_error *error);
EX_MUST_USE bauta_status ex_trial_anonymize(const ex_experiment_job *job,
                                            const bauta_recipe *recipe, const char *folder,
                                            json_t **facts, bauta_error *error);
EX_MUST_USE bauta_status ex_trial_preview(const bauta_recipe *recipe, json_t **facts,
                                          bauta_error *error);
EX_MUST_USE bauta_status ex_trial_measure(const ex_experiment_job *job, const char *const *folders,
                                          size_t count, const ex_setting *settings,
                                          size_t setting_count, json_t **facts, bauta_error *error);

/* ---- seeds ------------------------------------------------------------------------------ */

/* A run has the seed that was given with its number, from 1, behind it: four of 64 digits. */
enum { EX_RUN_SEED_DIGITS = 60, EX_RUN_SEED_ROOM = 80 };
EX_MUST_USE bauta_status ex_run_seed_check(const char *experiment, const char *seed,
                                           bauta_error *error);
void ex_run_seed(const char *seed, size_t run, char out[EX_RUN_SEED_ROOM]);

/* ---- facts ------------------------------------------------------------------------------ */

typedef enum ex_claim_verdict { EX_CLAIM_HOLDS, EX_CLAIM_IN_PART, EX_CLAIM_FAILS } ex_claim_verdict;

/* Adds a claim of the paper with what was found, one sentence each; `finding` as printf. */
void ex_put_claim(const ex_experiment_job *job, const char *claim, ex_claim_verdict verdict,
                  const char *finding, ...) EX_PRINTF(4, 5);

/* Adds a table and returns its rows, an array to be filled with objects that have the same keys.
 * A nested object is a group of columns. */
json_t *ex_put_table(const ex_experiment_job *job, const char *name, const char *title);

/* Mean, least and greatest of numbers, as a group of columns, which is returned. */
json_t *ex_put_range(ex_facts *facts, json_t *at, const char *key, const int64_t *numbers,
                     size_t count);

#endif
