/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of kinds, and the run from open to rename.
 */
#include "synth/synth.h"

#include "base/entry.h"

#define BT_SYNTH(name) extern const bt_synth_kind bt_synth_##name;
#include "synth/kinds.def"
#undef BT_SYNTH

const bt_synth_kind *const bt_synth_registry[] = {
#define BT_SYNTH(name) &bt_synth_##name,
#include "synth/kinds.def"
#undef BT_SYNTH
};
const size_t bt_synth_registry_count = sizeof bt_synth_registry / sizeof *bt_synth_registry;

static bt_entry entry_of(const void *const *registry, size_t number)
{
    const bt_synth_kind *kind = registry[number];
    return (bt_entry){kind->name, kind->params, kind->param_count};
}

static bauta_status make_table(const bt_synth_kind *kind, const bt_synth_job *job,
                               bauta_error *error)
{
    BT_TRY(bt_sink_open(job->sink, job->out, error));
    bauta_status status = kind->make(job, error);
    if (status == BAUTA_OK) status = bt_sink_finish(job->sink, error);
    bt_sink_discard(job->sink);
    return status;
}

bauta_status bt_synth_run(const char *kind_name, const char *const *arguments, size_t count,
                          const char *out, bauta_error *error)
{
    bt_arena arena = {0};
    bt_sink sink;
    bt_synth_job job = {.out = out, .arena = &arena, .sink = &sink};
    const bt_synth_kind *kind = NULL;
    bt_value *values = NULL;
    size_t found = 0;
    const void *const *registry = (const void *const *)bt_synth_registry;
    bauta_status status = bt_entry_find("kind of data", "synth", kind_name, registry,
                                        bt_synth_registry_count, entry_of, &arena, &found, error);
    if (status != BAUTA_OK) goto out;
    kind = bt_synth_registry[found];
    bt_entry entry = entry_of(registry, found);
    status = bt_entry_arguments(&entry, "synth", arguments, count, &arena, &values, error);
    if (status != BAUTA_OK) goto out;
    job.values = values;
    if (!bt_seed_parse(values[BT_SYNTH_SEED].text, &job.seed)) {
        status = bt_fail(error, BAUTA_USAGE, "'seed' of '%s' must be 1 to 64 hexadecimal digits",
                         kind->name);
        goto out;
    }
    status = bt_pool_new((unsigned)values[BT_SYNTH_THREADS].integer, &job.pool, error);
    if (status == BAUTA_OK) status = make_table(kind, &job, error);
out:
    bt_pool_free(job.pool);
    bt_arena_release(&arena);
    return status;
}
