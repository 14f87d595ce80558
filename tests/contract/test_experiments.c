/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kind of sample data and every experiment, whatever it does: its names, its summary, and
 * parameters whose defaults can be read.
 */
#include "support.h"

#include "papers/experiment.h"
#include "synth/synth.h"

#include <string.h>

static const ex_registry *const registries[] = {&ex_kinds, &ex_experiments};

static bool is_line(const char *text)
{
    size_t length = text ? strlen(text) : 0;
    return length > 5 && length < 120 && !strchr(text, '\n') && text[length - 1] != '.';
}

/* "zipf"; "P3", after the paper that it repeats. */
static bool is_name(const char *name)
{
    static const char digits[] = "0123456789", letters[] = "abcdefghijklmnopqrstuvwxyz-";
    if (name[0] == 'P') return name[1] && strspn(name + 1, digits) == strlen(name + 1);
    return name[0] >= 'a' && name[0] <= 'z' && strspn(name, letters) == strlen(name);
}

static void check_params(const ex_entry *e)
{
    for (size_t i = 0; i < e->param_count; i++) {
        const ex_param *p = &e->params[i];
        if (!is_name(p->name)) fail_msg("%s: '%s' is no name", e->name, p->name);
        if (!is_line(p->help)) fail_msg("%s: %s has no help", e->name, p->name);
        assert_int_equal(p->type == EX_PARAM_CHOICE, p->choices != NULL);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(p->name, e->params[j].name);
    }
}

static void entries_are_whole(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++) {
        assert_true(registries[r]->count > 0);
        for (size_t i = 0; i < registries[r]->count; i++) {
            const ex_entry *e = registries[r]->entries[i];
            if (!is_name(e->name)) fail_msg("'%s' is no name", e->name);
            if (!is_line(e->summary)) fail_msg("%s: its summary is not one line", e->name);
            assert_true(registries[r] == &ex_kinds ? e->make && !e->run : e->run && !e->make);
            check_params(e);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(e->name, registries[r]->entries[j]->name);
        }
    }
}

static void first_parameters_are_common(void **state)
{
    (void)state;
    for (size_t i = 0; i < ex_kinds.count; i++) {
        const ex_entry *e = ex_kinds.entries[i];
        assert_string_equal(e->params[EX_SYNTH_SEED].name, "seed");
        assert_string_equal(e->params[EX_SYNTH_THREADS].name, "threads");
    }
    for (size_t i = 0; i < ex_experiments.count; i++) {
        const ex_entry *e = ex_experiments.entries[i];
        assert_true(e->paper && e->param_count >= EX_EXPERIMENT_OWN);
        assert_string_equal(e->params[EX_EXPERIMENT_DATA].name, "data");
        assert_string_equal(e->params[EX_EXPERIMENT_THREADS].name, "threads");
        assert_string_equal(e->params[EX_EXPERIMENT_TMP].name, "tmp");
    }
}

/* What must be given is given; all else is read from the defaults. */
static void defaults_can_be_read(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof registries / sizeof *registries; r++)
        for (size_t i = 0; i < registries[r]->count; i++) {
            enum { MOST = 32 };
            const ex_entry *e = registries[r]->entries[i], *found;
            const char *arguments[MOST];
            const ex_value *values;
            ex_arena arena = {0};
            bauta_error error;
            size_t count = 0;
            for (size_t p = 0; p < e->param_count && count < MOST; p++)
                if (!e->params[p].fallback)
                    arguments[count++] = ex_arena_print(&arena, "%s=x", e->params[p].name);
            assert_ok(ex_entry_call(registries[r], e->name, arguments, count, &arena, &found,
                                    &values, &error),
                      &error);
            assert_ptr_equal(found, e);
            ex_arena_release(&arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_whole),
        cmocka_unit_test(first_parameters_are_common),
        cmocka_unit_test(defaults_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
