/* SPDX-License-Identifier: Apache-2.0
 *
 * How the tests of law 1 ask for the methods and forms of the registries. One that has no line here
 * fails them by its name.
 */
#ifndef BT_TEST_ASKED_H
#define BT_TEST_ASKED_H

#include "worlds.h"

#include "publish/form.h"

static bt_arena names; /* of setups */

typedef struct asked_form {
    const char *name;
    const char *require; /* NULL: it takes none, and no method */
    bool shows_kind;     /* the hierarchy of a quasi column can be seen in publish/ */
    bool sensitive_kind; /* the hierarchy of the sensitive column can be seen in publish/ */
} asked_form;

static const asked_form asked_forms[] = {
    {"generalized", "k=2", true, false},
    {"two-tables", "k=2", false, false},
    {"randomized", NULL, false, false},
    {"distribution", "alpha=0.9", false, true},
};

typedef struct asked_method {
    const char *name;
    const char *group;   /* NULL: `levels` says it */
    const char *require; /* instead of the form's, where that is about classes */
} asked_method;

static const asked_method asked_methods[] = {
    {"mondrian", "mondrian", NULL},   {"top-down", "top-down", NULL},
    {"anatomy", "anatomy", "l=2"},    {"incognito", "incognito", NULL},
    {"cluster", "cluster", NULL},     {"least", "least", NULL},
    {"whole", "whole", NULL},         {"columns", "columns:by=a@2", NULL},
    {"identical", "identical", NULL}, {"levels", NULL, NULL},
    {"plan", "plan", NULL}, /* of the first table */
};

static _Noreturn void ask_in_vain(const char *what, const char *name)
{
    print_message("Bail out! no small world asks for the %s '%s': add it to tests/worlds/asked.h\n",
                  what, name);
    exit(1);
}

static const asked_form *ask_form(const char *name)
{
    for (size_t i = 0; i < sizeof asked_forms / sizeof *asked_forms; i++)
        if (strcmp(asked_forms[i].name, name) == 0) return &asked_forms[i];
    ask_in_vain("form", name);
}

static const asked_method *ask_method(const char *name)
{
    for (size_t i = 0; i < sizeof asked_methods / sizeof *asked_methods; i++)
        if (strcmp(asked_methods[i].name, name) == 0) return &asked_methods[i];
    ask_in_vain("method", name);
}

static void add_setting(setup *s, const char *key, const char *value)
{
    size_t at = 0;
    while (at < SETTINGS_MOST && s->settings[at].key)
        at++;
    assert_true(at < SETTINGS_MOST);
    s->settings[at] = (setting){key, value};
}

/* Asks for a method and a form; `levels` are those of all quasi columns, as in "a=2 b=1", for the
 * method that wants them. */
static void ask(setup *s, const char *method, const bt_form *form, const char *levels)
{
    const asked_method *m = ask_method(method);
    const asked_form *f = ask_form(form->name);
    const char *require = m->require && !form->own_promise ? m->require : f->require;
    s->name = f->require ? bt_arena_print(&names, "%s as %s", method, form->name) : form->name;
    add_setting(s, "publish", form->name);
    if (!f->require) return;
    add_setting(s, "require", require);
    if (strcmp(method, "plan") == 0) {
        add_setting(s, "plan", bt_arena_print(&names, "@/plan-%s.json", form->name));
        add_setting(s, "previous", "none");
        return;
    }
    if (m->group) add_setting(s, "group", m->group);
    while (!m->group && *levels) {
        size_t length = strcspn(levels, " ");
        add_setting(s, "levels", bt_arena_copy(&names, levels, length));
        levels += length + (levels[length] == ' ');
    }
}

#endif
