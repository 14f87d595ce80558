/* SPDX-License-Identifier: Apache-2.0
 *
 * What every entry of every registry must have: a name of its own, a summary in one line, and
 * parameters whose defaults fit their bounds. Help, listings and documentation rely on it.
 */
#include "support.h"

#include "attack/attack.h"
#include "audit/method.h"
#include "base/params.h"
#include "base/text.h"
#include "group/method.h"
#include "io/source.h"
#include "measure/measure.h"
#include "publish/form.h"
#include "reading/release.h"
#include "require/requirement.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

typedef struct entry {
    const char *name, *summary;
    const bt_param *params;
    size_t param_count;
    bool works; /* has the functions that it must have */
} entry;

static entry requirement(size_t i)
{
    const bt_requirement *e = bt_requirement_registry[i];
    return (entry){e->name, e->summary, e->params, e->param_count, e->check && e->explain};
}

static entry method(size_t i)
{
    const bt_method *e = bt_method_registry[i];
    return (entry){e->name, e->summary, e->params, e->param_count, e->group != NULL};
}

/* Whether what is written can be read, and both sides say the same of it. */
static bool can_be_read(const bt_form *form, bool join)
{
    const bt_manifest manifest = {.form = form->name,
                                  .join.kind = join ? BT_JOIN_DIRECT : BT_JOIN_NONE};
    const bt_reading_form *e = bt_reading_find(&manifest);
    return e && e->values_shown == form->shows_values && e->redrawn == form->ungrouped &&
           e->parts == form->own_promise;
}

static entry form(size_t i)
{
    const bt_form *e = bt_form_registry[i];
    return (entry){e->name, e->summary, e->params, e->param_count,
                   e->publish && can_be_read(e, false) && can_be_read(e, true) == e->joins};
}

static entry measure(size_t i)
{
    const bt_measure *e = bt_measure_registry[i];
    return (entry){e->name, e->summary, NULL, 0, e->compute != NULL};
}

static entry attack(size_t i)
{
    const bt_attack *e = bt_attack_registry[i];
    return (entry){e->name, e->summary, NULL, 0, e->run && e->paper};
}

/* A source is found by a scheme, or by what its files hold. */
static entry source(size_t i)
{
    const bt_source *e = bt_source_registry[i];
    char name[64];
    snprintf(name, sizeof name, "%s:table", e->scheme ? e->scheme : "");
    bool found = e->scheme ? bt_source_with_scheme(name) == e : e->recognize != NULL;
    bool reads = e->stream ? e->scheme != NULL && !e->open
                           : e->open && e->prepare && e->visit && e->finish && e->close;
    return (entry){e->name, e->summary, NULL, 0, reads && e->extensions && found};
}

static entry store(size_t i)
{
    const bt_store_type *e = bt_store_registry[i];
    return (entry){e->name, e->summary, NULL, 0,
                   e->open && e->begin && e->create && e->write && e->finish && e->rename &&
                       e->commit && e->read && e->close && e->place};
}

typedef struct registry {
    const char *name;
    const size_t *count;
    entry (*at)(size_t i);
} registry;

static const registry registries[] = {
    {"requirements", &bt_requirement_registry_count, requirement},
    {"methods", &bt_method_registry_count, method},
    {"forms", &bt_form_registry_count, form},
    {"measures", &bt_measure_registry_count, measure},
    {"attacks", &bt_attack_registry_count, attack},
    {"sources", &bt_source_registry_count, source},
    {"stores", &bt_store_registry_count, store},
};
enum { REGISTRIES = sizeof registries / sizeof *registries };

typedef void (*visitor)(const registry *r, const entry *e);

static void each(visitor visit)
{
    for (size_t r = 0; r < REGISTRIES; r++) {
        assert_true(*registries[r].count > 0);
        for (size_t i = 0; i < *registries[r].count; i++) {
            entry e = registries[r].at(i);
            visit(&registries[r], &e);
        }
    }
}

static bool is_name(const char *name)
{
    return name && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(name);
}

static bool is_line(const char *text)
{
    size_t length = text ? strlen(text) : 0;
    return length > 5 && length < 120 && !strchr(text, '\n') && text[length - 1] != '.';
}

static void check_words(const registry *r, const entry *e)
{
    if (!is_name(e->name)) fail_msg("%s: '%s' is no name", r->name, e->name ? e->name : "");
    if (!is_line(e->summary)) fail_msg("%s %s: its summary is not one line", r->name, e->name);
    if (!e->works) fail_msg("%s %s: a required part is missing", r->name, e->name);
}

static void names_and_summaries(void **state)
{
    (void)state;
    each(check_words);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t r = 0; r < REGISTRIES; r++)
        for (size_t i = 0; i < *registries[r].count; i++)
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(registries[r].at(i).name, registries[r].at(j).name);
}

static void check_param(const registry *r, const entry *e, const bt_param *p)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_value value;
    bt_rational bound, other;
    if (!is_name(p->name)) fail_msg("%s %s: '%s' is no name", r->name, e->name, p->name);
    if (!is_line(p->help)) fail_msg("%s %s: %s has no help", r->name, e->name, p->name);
    /* Words that stand for numbers stand for those below the minimum. */
    if (p->type == BT_PARAM_INTEGER && p->choices) {
        int64_t words = 1;
        for (const char *at = p->choices; (at = strchr(at, '|')); at++)
            words++;
        assert_true(p->minimum && strtoll(p->minimum, NULL, 10) >= words);
    } else {
        assert_int_equal(p->type == BT_PARAM_CHOICE, p->choices != NULL);
    }
    if (p->unsaid) {
        assert_ok(bt_param_parse(p, e->name, p->unsaid, &arena, &value, &error), &error);
        assert_non_null(p->fallback);
    }
    if (p->minimum) assert_true(bt_rational_parse(p->minimum, &bound));
    if (p->maximum) assert_true(bt_rational_parse(p->maximum, &other));
    if (p->minimum && p->maximum) assert_true(bt_rational_compare(bound, other) <= 0);
    if (p->fallback)
        assert_ok(bt_param_parse(p, e->name, p->fallback, &arena, &value, &error), &error);
    bt_arena_release(&arena);
}

static void check_params(const registry *r, const entry *e)
{
    for (size_t i = 0; i < e->param_count; i++) {
        check_param(r, e, &e->params[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(e->params[i].name, e->params[j].name);
    }
}

static void parameters_fit_their_bounds(void **state)
{
    (void)state;
    each(check_params);
}

/* Naming an entry in a recipe finds it, options and all, and spells the same entry out again. */
static void methods_and_forms_can_be_named(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *options;
    const char *text, *again;
    for (size_t i = 0; i < bt_method_registry_count; i++) {
        const bt_method *found;
        assert_ok(
            bt_method_parse(bt_method_registry[i]->name, &arena, &found, &options, &text, &error),
            &error);
        assert_ptr_equal(found, bt_method_registry[i]);
        assert_ok(bt_method_parse(text, &arena, &found, &options, &again, &error), &error);
        assert_string_equal(text, again);
    }
    for (size_t i = 0; i < bt_form_registry_count; i++) {
        const bt_form *found;
        assert_ok(bt_form_parse(bt_form_registry[i]->name, &arena, &found, &options, &text, &error),
                  &error);
        assert_ptr_equal(found, bt_form_registry[i]);
        assert_ok(bt_form_parse(text, &arena, &found, &options, &again, &error), &error);
        assert_string_equal(text, again);
    }
    bt_arena_release(&arena);
}

/* What the parts of an entry on the reading side say goes together. */
static void readings_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_reading_registry_count; i++) {
        const bt_reading_form *e = bt_reading_registry[i];
        const bt_manifest manifest = {.form = e->name,
                                      .join.kind = e->join ? BT_JOIN_DIRECT : BT_JOIN_NONE};
        assert_ptr_equal(bt_reading_find(&manifest), e);
        assert_true(e->protects && e->exposes);
        assert_true(e->tables >= 1 && e->tables <= BT_RELEASE_FILES);
        for (size_t table = 0; table < e->tables; table++)
            assert_non_null(strstr(e->files[table], ".csv"));
        assert_null(e->files[BT_FORM_FILES - 1]);
        assert_int_equal(e->tables > 1, e->bag_column != NULL);
        if (e->pair) assert_true(e->tables == 2 && e->values_shown && !e->join);
        if (e->parts) assert_true(e->pair && !e->class_values);
        if (e->redrawn) assert_true(e->values_shown && !e->bag_column && !e->class_values);
        if (e->join) assert_true(e->bag_column && !e->class_values);
    }
    assert_null(bt_reading_find(&(bt_manifest){.form = "general"}));
    assert_null(bt_reading_find(&(bt_manifest){.form = "generalized2"}));
    assert_null(bt_reading_find(&(bt_manifest){.form = "two-tables", .join.kind = BT_JOIN_DIRECT}));
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_value *options;
    const char *text;
    const bt_method *method_found;
    const bt_form *form_found;
    assert_fails(bt_method_parse("mondrain", &arena, &method_found, &options, &text, &error),
                 BAUTA_INVALID, &error, "there is no grouping method 'mondrain'");
    assert_string_equal(error.hint, "did you mean 'mondrian'?");
    assert_fails(bt_method_parse("temperature:x=1", &arena, &method_found, &options, &text, &error),
                 BAUTA_INVALID, &error, "there is no grouping method 'temperature'");
    assert_non_null(strstr(error.hint, "mondrian"));
    assert_fails(bt_form_parse("generalised", &arena, &form_found, &options, &text, &error),
                 BAUTA_INVALID, &error, "'generalised'");
    assert_string_equal(error.hint, "did you mean 'generalized'?");
    bt_arena_release(&arena);
}

/* What a manifest may say of methods: "none" is no method, and choices, numbers and columns are
 * those of the parameters, in their order. */
static const char *fault_of(const char *name, const char *option, const char *value)
{
    char text[256];
    bt_manifest_column columns[] = {{.name = "age", .role = BT_ROLE_QUASI}};
    bt_manifest manifest = {.columns = columns, .column_count = 1};
    bt_arena arena = {0};
    snprintf(text, sizeof text, option ? "%s:%s=%s" : "%s", name, option, value);
    assert_int_equal(bt_method_read(text, &arena, &manifest.method, NULL), BAUTA_OK);
    const char *fault = bt_method_fault(&manifest);
    bt_arena_release(&arena);
    return fault;
}

static void the_audit_knows_methods(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_method_registry_count; i++) {
        const bt_method *one = bt_method_registry[i];
        assert_null(fault_of(one->name, NULL, NULL));
        assert_non_null(fault_of(one->name, "speed", "2"));
        for (size_t p = 0; p < one->param_count; p++) {
            const bt_param *param = &one->params[p];
            assert_non_null(fault_of(one->name, param->name, "no such value"));
            if (param->type == BT_PARAM_TEXT) {
                assert_null(fault_of(one->name, param->name, "age@2"));
                assert_null(fault_of(one->name, param->name, ""));
            }
            if (param->type == BT_PARAM_INTEGER)
                assert_null(fault_of(one->name, param->name, param->minimum));
            const char *choice = param->type == BT_PARAM_CHOICE ? param->choices : "";
            while (*choice) {
                char value[64];
                size_t length = strcspn(choice, "|");
                snprintf(value, sizeof value, "%.*s", (int)length, choice);
                assert_null(fault_of(one->name, param->name, value));
                choice += length + (choice[length] == '|');
            }
        }
    }
    assert_non_null(fault_of("none", NULL, NULL));
    assert_non_null(fault_of("mondriaan", NULL, NULL));
    assert_non_null(fault_of("anatomy", "l", "1"));
    assert_null(fault_of("mondrian", "order", "gain,cuts=order"));
    assert_non_null(fault_of("mondrian", "cuts", "order,order=gain"));
    assert_non_null(fault_of("mondrian", "cuts", "order,cuts=order"));
    assert_non_null(fault_of("mondrian", "cuts", "order,minimal"));
    assert_non_null(fault_of("columns", "by", "age,sex"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_summaries),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(parameters_fit_their_bounds),
        cmocka_unit_test(methods_and_forms_can_be_named),
        cmocka_unit_test(readings_are_whole),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(the_audit_knows_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
