/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of experiments, and what goes around each: arguments, and a folder that is gone
 * afterwards.
 */
#include "papers/experiment.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EX_EXPERIMENT(name) extern const ex_entry ex_experiment_##name;
#include "papers/experiments.def"
#undef EX_EXPERIMENT

static const ex_entry *const experiments[] = {
#define EX_EXPERIMENT(name) &ex_experiment_##name,
#include "papers/experiments.def"
#undef EX_EXPERIMENT
};

const ex_registry ex_experiments = {
    .name = "experiments",
    .summary = "of papers, done again (bauta reproduce)",
    .kind = "experiment",
    .command = "reproduce",
    .entries = experiments,
    .count = sizeof experiments / sizeof *experiments,
};

/* ---- files ---- */

static bauta_status make_folder(const char *tmp, ex_arena *arena, const char **out,
                                bauta_error *error)
{
    char *folder = ex_arena_print(arena, "%s/bauta-XXXXXX", tmp);
    if (!folder) return ex_fail_memory(error);
    if (!mkdtemp(folder)) return ex_fail_errno(error, "cannot make a folder in", tmp);
    *out = folder;
    return BAUTA_OK;
}

static void remove_files(const char *folder)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL)
        unlinkat(dirfd(list), entry->d_name, 0); /* which leaves folders alone */
    if (list) closedir(list);
    rmdir(folder);
}

/* What an experiment leaves behind is known: files and releases. */
static void remove_folder(const char *folder)
{
#define PLACES(release)                                                                            \
    release "/publish", release "/private/hierarchies", release "/private", release
    static const char *const places[] = {PLACES(EX_TRIAL),         PLACES(EX_TRIAL_SECOND),
                                         PLACES(EX_TRIAL_THIRD),   PLACES(EX_TRIAL_FOURTH),
                                         PLACES(EX_TRIAL_FIFTH),   PLACES(EX_TRIAL_SIXTH),
                                         PLACES(EX_TRIAL_SEVENTH), ""};
#undef PLACES
    char path[4096];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        if (length > 0 && (size_t)length < sizeof path) remove_files(path);
    }
}

const char *ex_file_in(const ex_experiment_job *job, const char *name)
{
    return ex_arena_print(job->arena, "%s/%s", job->folder, name);
}

/* ---- facts ---- */

json_t *ex_put_table(const ex_experiment_job *job, const char *name, const char *title)
{
    json_t *tables = json_object_get(job->facts->root, "tables");
    if (!tables) tables = ex_put_array(job->facts, job->facts->root, "tables");
    json_t *table = ex_put_object(job->facts, tables, NULL);
    ex_put_text(job->facts, table, "name", name);
    ex_put_text(job->facts, table, "title", title);
    return ex_put_array(job->facts, table, "rows");
}

json_t *ex_put_range(ex_facts *facts, json_t *at, const char *key, const int64_t *numbers,
                     size_t count)
{
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)numbers[i];
        if (numbers[i] < least) least = numbers[i];
        if (numbers[i] > greatest) greatest = numbers[i];
    }
    json_t *range = ex_put_object(facts, at, key);
    ex_put_real(facts, range, "mean", sum / (double)count);
    ex_put_int(facts, range, "least", least);
    ex_put_int(facts, range, "most", greatest);
    return range;
}

void ex_put_claim(const ex_experiment_job *job, const char *claim, ex_claim_verdict verdict,
                  const char *finding, ...)
{
    static const char *const verdicts[] = {
        [EX_CLAIM_HOLDS] = "holds",
        [EX_CLAIM_IN_PART] = "holds in part",
        [EX_CLAIM_FAILS] = "does not hold",
    };
    char text[1024];
    va_list arguments;
    va_start(arguments, finding);
    vsnprintf(text, sizeof text, finding, arguments);
    va_end(arguments);
    json_t *claims = json_object_get(job->facts->root, "claims");
    if (!claims) claims = ex_put_array(job->facts, job->facts->root, "claims");
    json_t *one = ex_put_object(job->facts, claims, NULL);
    ex_put_text(job->facts, one, "claim", claim);
    ex_put_text(job->facts, one, "verdict", verdicts[verdict]);
    ex_put_text(job->facts, one, "finding", text);
}

/* ---- running ---- */

static bauta_status run(const char *name, const char *const *arguments, size_t count,
                        ex_experiment_job *job, bauta_error *error)
{
    const ex_entry *experiment;
    EX_TRY(ex_entry_call(&ex_experiments, name, arguments, count, job->arena, &experiment,
                         &job->values, error));
    ex_put_text(job->facts, job->facts->root, "experiment", experiment->name);
    ex_put_text(job->facts, job->facts->root, "paper", experiment->paper);
    EX_TRY(make_folder(job->values[EX_EXPERIMENT_TMP].text, job->arena, &job->folder, error));
    bauta_status status = experiment->run(job, error);
    remove_folder(job->folder);
    /* Files that are gone by now were made from the table: that is where to look. */
    if (status != BAUTA_OK && error && strncmp(error->file, job->folder, strlen(job->folder)) == 0)
        ex_error_place(error, job->values[EX_EXPERIMENT_DATA].text, -1, NULL);
    return status;
}

bauta_status ex_reproduce(const char *name, const char *const *arguments, size_t count,
                          bauta_progress progress, void *user, bool json, char **text,
                          bauta_error *error)
{
    ex_arena arena = {0};
    ex_facts facts = {.root = json_object()};
    ex_experiment_job job = {
        .arena = &arena, .facts = &facts, .progress = progress, .progress_user = user};
    bauta_status status = run(name, arguments, count, &job, error);
    ex_arena_release(&arena);
    if (status == BAUTA_OK) return ex_facts_show(&facts, json, ex_print_report, text, error);
    json_decref(facts.root);
    return status;
}

bauta_status ex_run_seed_check(const char *experiment, const char *seed, bauta_error *error)
{
    ex_seed read;
    if (strlen(seed) <= EX_RUN_SEED_DIGITS && ex_seed_parse(seed, &read)) return BAUTA_OK;
    return ex_fail(error, BAUTA_USAGE, "'seed' of '%s' must be 1 to %d hexadecimal digits",
                   experiment, EX_RUN_SEED_DIGITS);
}

void ex_run_seed(const char *seed, size_t run, char out[EX_RUN_SEED_ROOM])
{
    snprintf(out, EX_RUN_SEED_ROOM, "%s%04x", seed, (unsigned)run + 1);
}
