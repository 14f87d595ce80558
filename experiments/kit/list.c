/* SPDX-License-Identifier: Apache-2.0
 *
 * What registries hold: those of this folder from the tables of their entries, all others as the
 * library lists them.
 */
#include "experiments.h"
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

static const ex_registry *const registries[] = {&ex_kinds, &ex_experiments};
enum { REGISTRIES = sizeof registries / sizeof *registries };

/* ---- facts ---- */

static void put_bounds(ex_facts *facts, json_t *at, const ex_param *param)
{
    static const char *const types[] = {
        [EX_PARAM_INTEGER] = "integer",
        [EX_PARAM_RATIONAL] = "number",
        [EX_PARAM_CHOICE] = "choice",
        [EX_PARAM_TEXT] = "text",
    };
    char bounds[128];
    if (param->minimum && param->maximum)
        snprintf(bounds, sizeof bounds, "%s to %s", param->minimum, param->maximum);
    else if (param->minimum || param->maximum)
        snprintf(bounds, sizeof bounds, "at %s %s", param->minimum ? "least" : "most",
                 param->minimum ? param->minimum : param->maximum);
    else
        snprintf(bounds, sizeof bounds, "%s", param->choices ? param->choices : types[param->type]);
    ex_put_text(facts, at, "type", types[param->type]);
    ex_put_text(facts, at, "bounds", bounds);
}

static void put_entry(ex_facts *facts, json_t *entries, const ex_entry *entry)
{
    json_t *at = ex_put_object(facts, entries, NULL);
    ex_put_text(facts, at, "name", entry->name);
    ex_put_text(facts, at, "summary", entry->summary);
    if (entry->paper) ex_put_text(facts, at, "paper", entry->paper);
    json_t *parameters = ex_put_array(facts, at, "parameters");
    for (size_t i = 0; i < entry->param_count; i++) {
        const ex_param *param = &entry->params[i];
        json_t *one = ex_put_object(facts, parameters, NULL);
        ex_put_text(facts, one, "name", param->name);
        put_bounds(facts, one, param);
        if (param->fallback)
            ex_put_text(facts, one, "default", param->fallback);
        else
            ex_put_null(facts, one, "default");
        ex_put_text(facts, one, "help", param->help);
    }
}

static void list_own(const ex_registry *registry, ex_facts *facts)
{
    ex_put_text(facts, facts->root, "registry", registry->name);
    json_t *entries = ex_put_array(facts, facts->root, "entries");
    for (size_t i = 0; i < registry->count; i++)
        put_entry(facts, entries, registry->entries[i]);
}

/* The lists of the library with ours before that of the keys. */
static bauta_status list_registries(ex_facts *facts, bauta_error *error)
{
    bauta_report *report = NULL;
    char *text = NULL;
    bauta_status status = bauta_list("registries", &report, error);
    if (status == BAUTA_OK) status = bauta_report_json(report, &text, error);
    if (status == BAUTA_OK) {
        json_decref(facts->root);
        facts->root = json_loads(text, 0, NULL);
        json_t *entries = json_object_get(facts->root, "entries");
        size_t at = 0;
        while (at < json_array_size(entries) &&
               strcmp(ex_text_at(json_array_get(entries, at), "name"), "keys") != 0)
            at++;
        for (size_t i = 0; i < REGISTRIES; i++)
            if (json_array_insert_new(entries, at + i,
                                      json_pack("{s:s, s:s}", "name", registries[i]->name,
                                                "summary", registries[i]->summary)) != 0)
                facts->failed = true;
    }
    bauta_text_free(text);
    bauta_report_free(report);
    return status;
}

/* Leaves the entry called `wanted` alone. */
static bauta_status pick(ex_facts *facts, const char *wanted, bauta_error *error)
{
    json_t *entries = json_object_get(facts->root, "entries");
    const char *registry = ex_text_at(facts->root, "registry");
    char list[64];
    ex_nearest nearest = {.wanted = wanted};
    for (size_t i = 0; i < json_array_size(entries); i++) {
        json_t *entry = json_array_get(entries, i);
        ex_compare(&nearest, ex_text_at(entry, "name"));
        if (strcmp(ex_text_at(entry, "name"), wanted) != 0) continue;
        json_incref(entry);
        facts->failed |= json_array_clear(entries) != 0 || json_array_append_new(entries, entry);
        return BAUTA_OK;
    }
    if (facts->failed) return ex_fail_memory(error);
    ex_error_set(error, BAUTA_USAGE, "'%s' has no entry '%s'", registry, wanted);
    snprintf(list, sizeof list, "'bauta list %s' names them", registry);
    ex_hint_nearest(&nearest, list, error);
    return BAUTA_USAGE;
}

/* ---- text ---- */

static void print_parameters(const json_t *parameters, ex_buffer *out)
{
    ex_grid grid = {.columns = 4, .align = "l"};
    for (size_t i = 0; i < json_array_size(parameters); i++) {
        const json_t *one = json_array_get(parameters, i);
        const char *text = json_string_value(json_object_get(one, "default"));
        ex_grid_text(&grid, ex_text_at(one, "name"));
        ex_grid_text(&grid, ex_text_at(one, "bounds"));
        ex_print(&grid.cells, !text ? "must be given" : *text ? "default " : "optional");
        ex_grid_text(&grid, text ? text : "");
        ex_grid_text(&grid, ex_text_at(one, "help"));
    }
    ex_grid_close(&grid, 4, out);
}

static void print_list(const json_t *facts, ex_buffer *out)
{
    const json_t *entries = json_object_get(facts, "entries");
    ex_grid lists = {.columns = 3, .align = "l"};
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const char *name = ex_text_at(entry, "name"), *summary = ex_text_at(entry, "summary");
        if (!json_object_get(entry, "parameters")) { /* a list of lists */
            ex_grid_text(&lists, name);
            ex_grid_text(&lists, "");
            ex_grid_text(&lists, summary);
            continue;
        }
        ex_print(out, "%s%s: %s\n", i ? "\n" : "", name, summary);
        if (json_object_get(entry, "paper")) ex_print(out, "    %s\n", ex_text_at(entry, "paper"));
        print_parameters(json_object_get(entry, "parameters"), out);
    }
    ex_grid_close(&lists, 0, out);
}

/* ---- all of it ---- */

static bauta_status list_of_library(const char *registry, const char *entry, bool json, char **text,
                                    bauta_error *error)
{
    char list[256], *given = NULL;
    bauta_report *report = NULL;
    ex_nearest nearest = {.wanted = registry};
    for (size_t i = 0; i < REGISTRIES; i++)
        ex_compare(&nearest, registries[i]->name);
    snprintf(list, sizeof list, "%s%s%s", registry, entry ? "/" : "", entry ? entry : "");
    bauta_status status = bauta_list(list, &report, error);
    if (status == BAUTA_USAGE && nearest.best) ex_hint_nearest(&nearest, "", error);
    if (status == BAUTA_OK)
        status = json ? bauta_report_json(report, &given, error)
                      : bauta_report_text(report, &given, error);
    if (status == BAUTA_OK && !(*text = strdup(given))) status = ex_fail_memory(error);
    bauta_text_free(given);
    bauta_report_free(report);
    return status;
}

bauta_status ex_list(const char *registry, const char *entry, bool json, char **text,
                     bauta_error *error)
{
    const ex_registry *own = NULL;
    for (size_t i = 0; i < REGISTRIES; i++)
        if (strcmp(registries[i]->name, registry) == 0) own = registries[i];
    if (!own && strcmp(registry, "registries") != 0)
        return list_of_library(registry, entry, json, text, error);
    ex_facts facts = {.root = json_object()};
    bauta_status status = BAUTA_OK;
    if (own)
        list_own(own, &facts);
    else
        status = list_registries(&facts, error);
    if (status == BAUTA_OK && entry) status = pick(&facts, entry, error);
    if (status == BAUTA_OK) return ex_facts_show(&facts, json, print_list, text, error);
    json_decref(facts.root);
    return status;
}
