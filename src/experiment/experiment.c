/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of experiments, and what goes around each: arguments, and a folder that is gone
 * afterwards.
 */
#include "experiment/experiment.h"

#include "base/csv.h"
#include "base/entry.h"
#include "base/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BT_EXPERIMENT(name) extern const bt_experiment bt_experiment_##name;
#include "experiment/experiments.def"
#undef BT_EXPERIMENT

const bt_experiment *const bt_experiment_registry[] = {
#define BT_EXPERIMENT(name) &bt_experiment_##name,
#include "experiment/experiments.def"
#undef BT_EXPERIMENT
};
const size_t bt_experiment_registry_count =
    sizeof bt_experiment_registry / sizeof *bt_experiment_registry;

static bt_entry entry_of(const void *const *registry, size_t number)
{
    const bt_experiment *experiment = registry[number];
    return (bt_entry){experiment->name, experiment->params, experiment->param_count};
}

/* ---- files ---- */

static bauta_status make_folder(const char *tmp, bt_arena *arena, const char **out,
                                bauta_error *error)
{
    char *folder = bt_arena_print(arena, "%s/bauta-XXXXXX", tmp);
    if (!folder) return bt_fail_memory(error);
    if (!mkdtemp(folder)) return bt_fail_errno(error, "cannot make a folder in", tmp);
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
    static const char *const places[] = {PLACES(BT_TRIAL),         PLACES(BT_TRIAL_SECOND),
                                         PLACES(BT_TRIAL_THIRD),   PLACES(BT_TRIAL_FOURTH),
                                         PLACES(BT_TRIAL_FIFTH),   PLACES(BT_TRIAL_SIXTH),
                                         PLACES(BT_TRIAL_SEVENTH), ""};
#undef PLACES
    char path[4096];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        if (length > 0 && (size_t)length < sizeof path) remove_files(path);
    }
}

const char *bt_file_in(const bt_experiment_job *job, const char *name)
{
    return bt_arena_print(job->arena, "%s/%s", job->folder, name);
}

bauta_status bt_file_write(const char *file, const char *bytes, size_t length, bauta_error *error)
{
    int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return bt_fail_errno(error, "cannot create", file);
    bauta_status status = BAUTA_OK;
    for (size_t done = 0; done < length && status == BAUTA_OK;) {
        ssize_t put = write(descriptor, bytes + done, length - done);
        if (put >= 0)
            done += (size_t)put;
        else if (errno != EINTR)
            status = bt_fail_errno(error, "cannot write", file);
    }
    if (close(descriptor) < 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot write", file);
    return status;
}

static bauta_status read_all(int descriptor, const char *file, bt_buffer *out, bauta_error *error)
{
    enum { PIECE = 1 << 20 };
    for (;;) {
        BT_TRY(bt_buffer_reserve(out, PIECE + BT_CSV_PADDING, error));
        ssize_t got = read(descriptor, out->bytes + out->length, PIECE);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", file);
        if (got == 0) break;
        out->length += (size_t)got;
    }
    memset(out->bytes + out->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

bauta_status bt_file_read(const char *file, bt_buffer *out, bauta_error *error)
{
    out->length = 0;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return bt_fail_errno(error, "cannot open", file);
    bauta_status status = read_all(descriptor, file, out, error);
    close(descriptor);
    return status;
}

/* ---- facts ---- */

json_t *bt_put_table(const bt_experiment_job *job, const char *name, const char *title)
{
    json_t *tables = json_object_get(job->facts->root, "tables");
    if (!tables) tables = bt_put_array(job->facts, job->facts->root, "tables");
    json_t *table = bt_put_object(job->facts, tables, NULL);
    bt_put_text(job->facts, table, "name", name);
    bt_put_text(job->facts, table, "title", title);
    return bt_put_array(job->facts, table, "rows");
}

json_t *bt_put_range(bt_facts *facts, json_t *at, const char *key, const int64_t *numbers,
                     size_t count)
{
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)numbers[i];
        if (numbers[i] < least) least = numbers[i];
        if (numbers[i] > greatest) greatest = numbers[i];
    }
    json_t *range = bt_put_object(facts, at, key);
    bt_put_real(facts, range, "mean", sum / (double)count);
    bt_put_int(facts, range, "least", least);
    bt_put_int(facts, range, "most", greatest);
    return range;
}

void bt_put_claim(const bt_experiment_job *job, const char *claim, bt_claim_verdict verdict,
                  const char *finding, ...)
{
    static const char *const verdicts[] = {
        [BT_CLAIM_HOLDS] = "holds",
        [BT_CLAIM_IN_PART] = "holds in part",
        [BT_CLAIM_FAILS] = "does not hold",
    };
    char text[1024];
    va_list arguments;
    va_start(arguments, finding);
    vsnprintf(text, sizeof text, finding, arguments);
    va_end(arguments);
    json_t *claims = json_object_get(job->facts->root, "claims");
    if (!claims) claims = bt_put_array(job->facts, job->facts->root, "claims");
    json_t *one = bt_put_object(job->facts, claims, NULL);
    bt_put_text(job->facts, one, "claim", claim);
    bt_put_text(job->facts, one, "verdict", verdicts[verdict]);
    bt_put_text(job->facts, one, "finding", text);
}

/* ---- running ---- */

static bauta_status run_in_folder(const bt_experiment *experiment, bt_experiment_job *job,
                                  bauta_error *error)
{
    BT_TRY(make_folder(job->values[BT_EXPERIMENT_TMP].text, job->arena, &job->folder, error));
    bauta_status status = experiment->run(job, error);
    remove_folder(job->folder);
    /* Files that are gone by now were made from the table: that is where to look. */
    if (status != BAUTA_OK && error && strncmp(error->file, job->folder, strlen(job->folder)) == 0)
        bt_error_place(error, job->values[BT_EXPERIMENT_DATA].text, -1, NULL);
    return status;
}

bauta_status bt_experiment_run(const char *name, const char *const *arguments, size_t count,
                               const bt_experiment_job *asked, bauta_error *error)
{
    bt_arena arena = {0};
    bt_experiment_job job = *asked;
    const void *const *registry = (const void *const *)bt_experiment_registry;
    size_t found = 0;
    bt_value *values = NULL;
    bauta_status status =
        bt_entry_find("experiment", "experiments", name, registry, bt_experiment_registry_count,
                      entry_of, &arena, &found, error);
    if (status != BAUTA_OK) goto out;
    const bt_experiment *experiment = bt_experiment_registry[found];
    bt_entry entry = entry_of(registry, found);
    status = bt_entry_arguments(&entry, "reproduce", arguments, count, &arena, &values, error);
    if (status != BAUTA_OK) goto out;
    job.arena = &arena;
    job.values = values;
    bt_put_text(job.facts, job.facts->root, "experiment", experiment->name);
    bt_put_text(job.facts, job.facts->root, "paper", experiment->paper);
    status = run_in_folder(experiment, &job, error);
out:
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_run_seed_check(const char *experiment, const char *seed, bauta_error *error)
{
    bt_seed read;
    if (strlen(seed) <= BT_RUN_SEED_DIGITS && bt_seed_parse(seed, &read)) return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "'seed' of '%s' must be 1 to %d hexadecimal digits",
                   experiment, BT_RUN_SEED_DIGITS);
}

void bt_run_seed(const char *seed, size_t run, char out[BT_RUN_SEED_ROOM])
{
    snprintf(out, BT_RUN_SEED_ROOM, "%s%04x", seed, (unsigned)run + 1);
}
