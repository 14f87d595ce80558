/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_list: what the registries hold, from the entries' own tables.
 */
#include "api/api.h"
#include "attack/attack.h"
#include "base/params.h"
#include "base/text.h"
#include "group/method.h"
#include "io/source.h"
#include "measure/measure.h"
#include "publish/form.h"
#include "recipe/recipe.h"
#include "require/requirement.h"
#include "store/store.h"

#include <string.h>

typedef struct listed { /* what is shown of an entry */
    const char *name, *argument, *section, *summary, *paper;
    const bt_param *params;
    size_t param_count;
} listed;

#define ENTRY_LISTER(function, registry)                                                           \
    static bool function(size_t i, listed *out)                                                    \
    {                                                                                              \
        if (i >= registry##_count) return false;                                                   \
        *out = (listed){.name = registry[i]->name,                                                 \
                        .summary = registry[i]->summary,                                           \
                        .paper = registry[i]->paper,                                               \
                        .params = registry[i]->params,                                             \
                        .param_count = registry[i]->param_count};                                  \
        return true;                                                                               \
    }

ENTRY_LISTER(list_requirement, bt_requirement_registry)
ENTRY_LISTER(list_method, bt_method_registry)
ENTRY_LISTER(list_form, bt_form_registry)

static bool list_measure(size_t i, listed *out)
{
    if (i >= bt_measure_registry_count) return false;
    const bt_measure *measure = bt_measure_registry[i];
    *out = (listed){.name = measure->name, .summary = measure->summary, .paper = measure->paper};
    return true;
}

static bool list_attack(size_t i, listed *out)
{
    if (i >= bt_attack_registry_count) return false;
    const bt_attack *attack = bt_attack_registry[i];
    *out = (listed){.name = attack->name, .summary = attack->summary, .paper = attack->paper};
    return true;
}

static bool list_source(size_t i, listed *out)
{
    if (i >= bt_source_registry_count) return false;
    const bt_source *source = bt_source_registry[i];
    *out = (listed){.name = source->name, .summary = source->summary};
    return true;
}

static bool list_store(size_t i, listed *out)
{
    if (i >= bt_store_registry_count) return false;
    const bt_store_type *store = bt_store_registry[i];
    *out = (listed){.name = store->name, .summary = store->summary};
    return true;
}

static bool list_key(size_t i, listed *out)
{
    if (i >= bt_recipe_key_count) return false;
    const bauta_key *key = &bt_recipe_keys[i].key;
    *out = (listed){.name = key->name,
                    .argument = key->argument ? key->argument : "",
                    .section = key->section,
                    .summary = key->help};
    return true;
}

static bool list_registry(size_t i, listed *out);

static const struct registry {
    const char *name, *summary;
    bool (*list)(size_t i, listed *out);
} registries[] = {
    {"requirements", "what every class must satisfy (--require)", list_requirement},
    {"methods", "how records are grouped (--group)", list_method},
    {"forms", "the shape in which a grouping is published (--publish)", list_form},
    {"measures", "what a release lost (bauta measure)", list_measure},
    {"attacks", "on a release (bauta attack)", list_attack},
    {"sources", "that tables are read from", list_source},
    {"stores", "that releases are written to", list_store},
    {"keys", "of a recipe, which are also flags of bauta anonymize", list_key},
    {"registries", "these lists", list_registry},
};
enum { REGISTRIES = sizeof registries / sizeof *registries };

static bool list_registry(size_t i, listed *out)
{
    if (i >= REGISTRIES) return false;
    *out = (listed){.name = registries[i].name, .summary = registries[i].summary};
    return true;
}

static void put_bounds(bt_facts *facts, json_t *at, const bt_param *param)
{
    static const char *const types[] = {
        [BT_PARAM_INTEGER] = "integer",
        [BT_PARAM_RATIONAL] = "number",
        [BT_PARAM_CHOICE] = "choice",
        [BT_PARAM_TEXT] = "text",
    };
    char bounds[128];
    if (param->choices && param->minimum)
        snprintf(bounds, sizeof bounds, "at least %s, or %s", param->minimum, param->choices);
    else if (param->choices)
        snprintf(bounds, sizeof bounds, "%s", param->choices);
    else if (param->minimum && param->above)
        snprintf(bounds, sizeof bounds, "more than %s%s%s", param->minimum,
                 param->maximum ? ", to " : "", param->maximum ? param->maximum : "");
    else if (param->minimum && param->maximum)
        snprintf(bounds, sizeof bounds, "%s to %s", param->minimum, param->maximum);
    else if (param->minimum || param->maximum)
        snprintf(bounds, sizeof bounds, "at %s %s", param->minimum ? "least" : "most",
                 param->minimum ? param->minimum : param->maximum);
    else
        snprintf(bounds, sizeof bounds, "%s", types[param->type]);
    bt_put_text(facts, at, "type", types[param->type]);
    bt_put_text(facts, at, "bounds", bounds);
}

static void put_entry(bt_facts *facts, json_t *entries, const listed *entry)
{
    json_t *at = bt_put_object(facts, entries, NULL);
    bt_put_text(facts, at, "name", entry->name);
    if (entry->argument) bt_put_text(facts, at, "argument", entry->argument);
    if (entry->section) bt_put_text(facts, at, "section", entry->section);
    bt_put_text(facts, at, "summary", entry->summary);
    if (entry->paper) bt_put_text(facts, at, "paper", entry->paper);
    if (entry->param_count == 0) return;
    json_t *parameters = bt_put_array(facts, at, "parameters");
    for (size_t i = 0; i < entry->param_count; i++) {
        const bt_param *param = &entry->params[i];
        json_t *one = bt_put_object(facts, parameters, NULL);
        bt_put_text(facts, one, "name", param->name);
        put_bounds(facts, one, param);
        if (param->fallback)
            bt_put_text(facts, one, "default", param->fallback);
        else
            bt_put_null(facts, one, "default");
        bt_put_text(facts, one, "help", param->help);
    }
}

static bauta_status no_registry(const char *name, bauta_error *error)
{
    const char *names[REGISTRIES];
    for (size_t i = 0; i < REGISTRIES; i++)
        names[i] = registries[i].name;
    bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no list '%s'", name);
    const char *near = bt_text_nearest(name, names, REGISTRIES);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list registries' names them");
    return status;
}

/* Fills `facts` with all entries, or with the one called `wanted`. */
static bauta_status fill(const struct registry *registry, const char *wanted, bt_facts *facts,
                         bauta_error *error)
{
    enum { MOST = 128 };
    const char *names[MOST];
    size_t count = 0, shown = 0;
    listed entry;
    bt_put_text(facts, facts->root, "registry", registry->name);
    json_t *entries = bt_put_array(facts, facts->root, "entries");
    for (; count < MOST && registry->list(count, &entry); count++) {
        names[count] = entry.name;
        if (wanted && strcmp(wanted, entry.name) != 0) continue;
        put_entry(facts, entries, &entry);
        shown++;
    }
    if (shown || !wanted) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' has no entry '%s'", registry->name, wanted);
    const char *near = bt_text_nearest(wanted, names, count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list %s' names them", registry->name);
    return status;
}

bauta_status bauta_list(const char *registry, bauta_report **report, bauta_error *error)
{
    if (!registry) return bt_fail(error, BAUTA_USAGE, "the name of a list is needed");
    size_t length = strcspn(registry, "/");
    const char *wanted = registry[length] ? registry + length + 1 : NULL;
    for (size_t i = 0; i < REGISTRIES; i++) {
        const char *name = registries[i].name;
        if (strlen(name) != length || strncmp(name, registry, length) != 0) continue;
        bt_facts facts;
        bt_facts_init(&facts);
        bauta_status status = fill(&registries[i], wanted, &facts, error);
        if (status == BAUTA_OK) return bt_report_give(BT_REPORT_LIST, &facts, report, error);
        bt_facts_release(&facts);
        return status;
    }
    return no_registry(registry, error);
}
