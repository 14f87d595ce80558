/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of kinds, their arguments, and the run from open to rename.
 */
#include "synth/synth.h"

#include "base/text.h"

#define BT_SYNTH(name) extern const bt_synth_kind bt_synth_##name;
#include "synth/kinds.def"
#undef BT_SYNTH

const bt_synth_kind *const bt_synth_registry[] = {
#define BT_SYNTH(name) &bt_synth_##name,
#include "synth/kinds.def"
#undef BT_SYNTH
};
const size_t bt_synth_registry_count = sizeof bt_synth_registry / sizeof *bt_synth_registry;

static bauta_status find_kind(const char *name, bt_arena *arena, const bt_synth_kind **out,
                              bauta_error *error)
{
    const char **names = bt_arena_array(arena, bt_synth_registry_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < bt_synth_registry_count; i++) {
        names[i] = bt_synth_registry[i]->name;
        if (strcmp(names[i], name) == 0) {
            *out = bt_synth_registry[i];
            return BAUTA_OK;
        }
    }
    bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no kind of data '%s'", name);
    const char *near = bt_text_nearest(name, names, bt_synth_registry_count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list synth' names them");
    return status;
}

static bauta_status unknown_parameter(const bt_synth_kind *kind, const char *name, bt_arena *arena,
                                      bauta_error *error)
{
    const char **names = bt_arena_array(arena, kind->param_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < kind->param_count; i++)
        names[i] = kind->params[i].name;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' has no parameter '%s'", kind->name, name);
    const char *near = bt_text_nearest(name, names, kind->param_count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta synth %s --help' lists them", kind->name);
    return status;
}

/* What is wrong with a parameter here is wrong with the call, not with a recipe. */
static bauta_status parse_value(const bt_synth_kind *kind, size_t index, const char *text,
                                bt_arena *arena, bt_value *out, bauta_error *error)
{
    bauta_status status = bt_param_parse(&kind->params[index], kind->name, text, arena, out, error);
    if (status != BAUTA_INVALID) return status;
    if (error) error->status = BAUTA_USAGE;
    return BAUTA_USAGE;
}

static bauta_status parse_argument(const bt_synth_kind *kind, const char *argument, bt_arena *arena,
                                   bt_value *values, bauta_error *error)
{
    const char *equals = strchr(argument, '=');
    if (!equals)
        return bt_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' needs '=value'", argument,
                       kind->name);
    const char *name = bt_arena_copy(arena, argument, (size_t)(equals - argument));
    if (!name) return bt_fail_memory(error);
    for (size_t i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, name) == 0) {
            if (values[i].text)
                return bt_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' is given twice", name,
                               kind->name);
            return parse_value(kind, i, equals + 1, arena, &values[i], error);
        }
    return unknown_parameter(kind, name, arena, error);
}

static bauta_status parse_arguments(const bt_synth_kind *kind, const char *const *arguments,
                                    size_t count, bt_arena *arena, bt_value **out,
                                    bauta_error *error)
{
    bt_value *values = bt_arena_array(arena, kind->param_count, sizeof *values);
    if (!values) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        BT_TRY(parse_argument(kind, arguments[i], arena, values, error));
    for (size_t i = 0; i < kind->param_count; i++) {
        const bt_param *param = &kind->params[i];
        if (values[i].text) continue;
        if (!param->fallback)
            return bt_fail(error, BAUTA_USAGE, "'%s' needs the parameter '%s'", kind->name,
                           param->name);
        BT_TRY(parse_value(kind, i, param->fallback, arena, &values[i], error));
    }
    *out = values;
    return BAUTA_OK;
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
    bauta_status status = find_kind(kind_name, &arena, &kind, error);
    if (status == BAUTA_OK)
        status = parse_arguments(kind, arguments, count, &arena, &values, error);
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
