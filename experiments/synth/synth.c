/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of kinds, and the run from open to rename.
 */
#include "synth/synth.h"

#define EX_SYNTH(name) extern const ex_entry ex_synth_##name;
#include "synth/kinds.def"
#undef EX_SYNTH

static const ex_entry *const kinds[] = {
#define EX_SYNTH(name) &ex_synth_##name,
#include "synth/kinds.def"
#undef EX_SYNTH
};

const ex_registry ex_kinds = {
    .name = "synth",
    .summary = "kinds of sample data (bauta synth)",
    .kind = "kind of data",
    .command = "synth",
    .entries = kinds,
    .count = sizeof kinds / sizeof *kinds,
};

static bauta_status make_table(const char *name, const char *const *arguments, size_t count,
                               ex_synth_job *job, bauta_error *error)
{
    const ex_entry *kind;
    EX_TRY(
        ex_entry_call(&ex_kinds, name, arguments, count, job->arena, &kind, &job->values, error));
    if (!ex_seed_parse(job->values[EX_SYNTH_SEED].text, &job->seed))
        return ex_fail(error, BAUTA_USAGE, "'seed' of '%s' must be 1 to 64 hexadecimal digits",
                       kind->name);
    EX_TRY(ex_sink_open(job->sink, job->out, error));
    bauta_status status = kind->make(job, error);
    if (status == BAUTA_OK) status = ex_sink_finish(job->sink, error);
    ex_sink_discard(job->sink);
    return status;
}

bauta_status ex_synth(const char *kind, const char *const *arguments, size_t count, const char *out,
                      bauta_error *error)
{
    ex_arena arena = {0};
    ex_sink sink;
    ex_synth_job job = {.out = out, .arena = &arena, .sink = &sink};
    bauta_status status = make_table(kind, arguments, count, &job, error);
    ex_arena_release(&arena);
    return status;
}
