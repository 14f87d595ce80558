/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `distribution` (paper 2: Koudas, Srivastava, Yu and Zhang 2009): quasi.csv has the quasi
 * values as they are, `other` columns and the group of each record; sensitive.csv has for each
 * group parts of the domain of the sensitive column, one for each record and perhaps some for
 * made-up values. The parts are chosen so that whoever sees them believes that every record's value
 * follows the target distribution of its group, and that must satisfy the requirements. bounds.csv
 * says what follows for sums, averages and extremes of any number of records of a group.
 *
 * Groups are the classes of the grouping, numbered by a random permutation; each file has a random
 * order of its own.
 */
#include "publish/describe.h"
#include "publish/spread.h"

#include "base/bitset.h"
#include "base/sort.h"
#include "base/text.h"
#include "recipe/csv_file.h"

#include <string.h>

enum { TARGET, PER, CAP, FAKE, ALLOCATION };

static const bt_param params[] = {
    [TARGET] = {.name = "target",
                .type = BT_PARAM_TEXT,
                .fallback = "source",
                .list = true,
                .help = "source, closest, uniform, normal:MEAN,SD, zipf:S, or a file value,weight"},
    [PER] = {.name = "per",
             .type = BT_PARAM_CHOICE,
             .choices = "release|group",
             .fallback = "release",
             .help = "source and uniform: of the whole table, or of each group"},
    [CAP] = {.name = "weight-cap",
             .type = BT_PARAM_TEXT,
             .fallback = "16",
             .help = "greatest sum of the weights of a node's children, or none"},
    [FAKE] = {.name = "fake",
              .type = BT_PARAM_TEXT,
              .fallback = "0",
              .help = "made-up values per group: N, 5%, best:N or best:5% (paper 2's mode)"},
    [ALLOCATION] =
        {.name = "allocation",
         .type = BT_PARAM_CHOICE,
         .choices = "optimal|random",
         .fallback = "random",
         .help = "random, which tells less to those who know the method, or optimal as in paper 2"},
};

/* ---- options ----------------------------------------------------------------------------- */

static bauta_status wrong_option(const char *what, const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status read_cap(const char *text, uint64_t *out, bauta_error *error)
{
    int64_t cap;
    *out = 0;
    if (strcmp(text, "none") == 0) return BAUTA_OK;
    if (!bt_text_integer(text, &cap) || cap < 2 || cap > 4096)
        return wrong_option("'weight-cap' of 'distribution' must be a number from 2 to 4096, or "
                            "none",
                            "the default is 16", error);
    *out = (uint64_t)cap;
    return BAUTA_OK;
}

static bauta_status read_fake(const char *text, bt_fake_rule *out, bauta_error *error)
{
    if (bt_fake_rule_parse(text, strlen(text), out)) return BAUTA_OK;
    return wrong_option("'fake' of 'distribution' must be a number up to 1000000000 or a share up "
                        "to 100%, with best: before it or not",
                        "write fake=5%, fake=3 or fake=best:5%", error);
}

static bauta_status read_options(const bt_value *values, bt_arena *arena, bt_allotment_options *out,
                                 bauta_error *error)
{
    *out = (bt_allotment_options){.random = values[ALLOCATION].integer == 1};
    BT_TRY(bt_wanted_parse(values[TARGET].text, arena, &out->target.wanted, error));
    out->target.per_group = values[PER].integer == 1;
    BT_TRY(read_cap(values[CAP].text, &out->target.cap, error));
    BT_TRY(read_fake(values[FAKE].text, &out->fake, error));
    bool own = out->target.wanted.kind == BT_WANTED_SOURCE ||
               out->target.wanted.kind == BT_WANTED_CLOSEST ||
               out->target.wanted.kind == BT_WANTED_UNIFORM;
    if (out->target.per_group && !own)
        return wrong_option("'per=group' does not go with this target: it is the same for every "
                            "group",
                            "leave 'per=group' out, or take target=source, uniform or closest",
                            error);
    if (!out->random || !out->fake.best) return BAUTA_OK;
    return wrong_option("a random allocation does not go with 'fake=best:': their number would "
                        "tell of the values",
                        "say how many there shall be (fake=5% or fake=3), or add "
                        "allocation=optimal, which those who know the method read backwards",
                        error);
}

/* ---- what cannot be published ------------------------------------------------------------ */

static bauta_status check_requirements(const bt_requirements *requirements, bauta_error *error)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].type->size_only) {
            bauta_status status =
                bt_fail(error, BAUTA_INVALID,
                        "the form 'distribution' does not take '%s': quasi values are published as "
                        "they are, and no number of records hides anyone",
                        requirements->items[i].text);
            bt_error_hint(error, "require alpha, l or t of what is believed about each record");
            return status;
        }
    return BAUTA_OK;
}

/* Relative names of a recipe file start at its folder. */
static bauta_status place_file(const bt_form_request *request, bt_value *target, bt_arena *arena,
                               bauta_error *error)
{
    bt_wanted wanted;
    BT_TRY(bt_wanted_parse(target->text, arena, &wanted, error));
    if (wanted.kind != BT_WANTED_FILE || !request->folder || target->text[0] == '/')
        return BAUTA_OK;
    target->text = bt_arena_print(arena, "%s%s", request->folder, target->text);
    return target->text ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status admit(const bt_form_request *request, bt_value *options, bt_arena *arena,
                          bauta_error *error)
{
    bt_allotment_options parsed;
    BT_TRY(place_file(request, &options[TARGET], arena, error));
    BT_TRY(read_options(options, arena, &parsed, error));
    BT_TRY(check_requirements(request->requirements, error));
    if (request->suppress.top > 0)
        return wrong_option("the form 'distribution' does not drop records",
                            "leave --suppress out; its groups need not be large", error);
    if (request->subjects)
        return wrong_option("the form 'distribution' does not know of persons with several rows",
                            "its promise is about each record; whoever knows several records of a "
                            "person would combine what is believed about them",
                            error);
    return BAUTA_OK;
}

static bauta_status digest(const bt_value *options, bt_arena *arena, bt_digest *out,
                           bauta_error *error)
{
    bt_wanted wanted;
    bt_buffer file = {0};
    bool absent = false;
    bauta_status status = bt_wanted_parse(options[TARGET].text, arena, &wanted, error);
    bool named = wanted.kind == BT_WANTED_FILE;
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        bt_digest_text(out, i == TARGET && named ? NULL : options[i].text);
    if (status == BAUTA_OK && named)
        status = bt_csv_file_read(wanted.file, "target", &file, &absent, error);
    bt_digest_number(out, file.length);
    bt_digest_bytes(out, file.bytes, file.length);
    bt_buffer_release(&file);
    return absent ? BAUTA_OK : status; /* that there is none is said, and better, by the plan */
}

static bauta_status check(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error)
{
    (void)names;
    (void)count;
    bt_allotment_options parsed;
    const bt_column *secret = NULL;
    size_t sensitive = 0;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role == BT_ROLE_SENSITIVE) secret = column;
        sensitive += column->role == BT_ROLE_SENSITIVE;
        if (column->role != BT_ROLE_QUASI || column->steering.lowest == 0) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID,
                    "'min-level' cannot be kept: 'distribution' publishes quasi values as they "
                    "are");
        bt_error_place(error, NULL, -1, column->name);
        return status;
    }
    if (sensitive != 1)
        return bt_fail(error, BAUTA_INVALID,
                       "the form 'distribution' needs exactly one sensitive column, there are %zu",
                       sensitive);
    BT_TRY(read_options(options, arena, &parsed, error));
    return bt_allotment_check_domain(&parsed, secret, error);
}

/* ---- planning ---------------------------------------------------------------------------- */

/* Sums that are whole numbers of 64 bits are told as such. */
static void put_sum(bt_facts *facts, json_t *at, const char *key, bt_wide sum, int scale)
{
    double real = (double)sum;
    for (int i = 0; i < scale; i++)
        real /= 10;
    if (scale == 0 && sum <= INT64_MAX)
        bt_put_int(facts, at, key, (int64_t)sum);
    else
        bt_put_real(facts, at, key, real);
}

/* The realised distribution, where all groups have the same. */
static bauta_status put_shares(const bt_allotment *plan, bt_facts *facts, json_t *at,
                               double *greatest, bauta_error *error)
{
    const bt_domain *domain = &plan->maker.space.domain;
    const bt_target *target = &plan->targets[0];
    BT_OWN(bt_free) double *chances = bt_array(target->count, sizeof *chances);
    double all = 0;
    if (!chances) return bt_fail_memory(error);
    bt_target_chances(target, chances);
    json_t *list = bt_put_array(facts, at, "distribution");
    for (uint32_t code = 0; code < domain->size; code++)
        all += (double)plan->maker.wanted[code];
    for (uint32_t code = 0; code < domain->size; code++) {
        uint32_t leaf = target->leaf_of[code];
        json_t *one = bt_put_object(facts, list, NULL);
        double realised = leaf == BT_NO_NODE ? 0 : chances[leaf];
        bt_put_text(facts, one, "value", domain->text[code]);
        bt_put_real(facts, one, "wanted", (double)plan->maker.wanted[code] / all);
        bt_put_real(facts, one, "realised", realised);
        if (realised > *greatest) *greatest = realised;
    }
    return BAUTA_OK;
}

static bauta_status tell(const bt_allotment *plan, bt_facts *facts, json_t *at, const char **notice,
                         bt_arena *arena, bauta_error *error)
{
    const bt_hierarchy *hierarchy = plan->maker.space.hierarchy;
    int scale =
        plan->maker.space.domain.reading.type == BT_DECIMAL ? plan->maker.space.domain.scale : 0;
    double greatest = 0;
    put_sum(facts, at, "sum_of_ranges", plan->sum_of_ranges, scale);
    bt_put_int(facts, at, "fakes", (int64_t)plan->all_fakes);
    json_t *levels = bt_put_array(facts, at, "copies");
    for (uint32_t level = 0; level < hierarchy->levels; level++)
        bt_put_int(facts, levels, NULL, (int64_t)plan->levels[level]);
    bt_put_int(facts, at, "fully_generalized", plan->general);
    json_t *targets = bt_put_object(facts, at, "targets");
    bt_put_int(facts, targets, "count", plan->target_count);
    bt_put_real(facts, targets, "distance", plan->mean);
    bt_put_real(facts, targets, "largest_distance", plan->largest);
    if (!plan->maker.own) BT_TRY(put_shares(plan, facts, targets, &greatest, error));
    *notice =
        plan->maker.own
            ? bt_arena_print(arena,
                             "%u target distribution%s, from what was wanted %.4f away on "
                             "average and %.4f at most; %u of %u groups are fully generalized",
                             plan->target_count, plan->target_count == 1 ? "" : "s", plan->mean,
                             plan->largest, plan->general, plan->classes)
            : bt_arena_print(arena,
                             "the target distribution is %.4f away from the one that was wanted, "
                             "no value has more than %.4f of it; %u of %u groups are fully "
                             "generalized",
                             plan->mean, greatest, plan->general, plan->classes);
    return *notice ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status make_plan(const bt_form_job *job, bt_facts *facts, json_t *at,
                              const char **notice, void **out, bauta_error *error)
{
    bt_allotment_options options;
    bt_allotment *plan = *out = bt_array_zero(1, sizeof *plan);
    if (!plan) return bt_fail_memory(error);
    BT_TRY(read_options(job->options, job->arena, &options, error));
    BT_TRY(bt_allotment_make(plan, &options, job, error));
    return tell(plan, facts, at, notice, job->arena, error);
}

static void forget(void *plan)
{
    if (plan) bt_allotment_release(plan);
    free(plan);
}

/* ---- beliefs ----------------------------------------------------------------------------- */

static const char *name_value(const void *plan, uint32_t number)
{
    const bt_domain *domain = &((const bt_allotment *)plan)->maker.space.domain;
    return number < domain->size ? domain->text[number] : NULL;
}

static bool believes(const void *plan, uint32_t class_number, uint32_t number)
{
    return bt_allotment_target(plan, class_number)->leaf_of[number] != BT_NO_NODE;
}

static bauta_status narrow(const void *plan, uint32_t class_number, const bool *possible,
                           const bt_requirement_instance **failed, bauta_error *error)
{
    return bt_target_judge_within(&((const bt_allotment *)plan)->maker.requirements,
                                  bt_allotment_target(plan, class_number), possible, failed, error);
}

static const bt_form_beliefs beliefs = {name_value, believes, narrow};

/* ---- the manifest ------------------------------------------------------------------------ */

/* Decimals have the places that published values need. */
static int listed_scale(const bt_allotment *plan)
{
    const bt_domain *domain = &plan->maker.space.domain;
    int scale = 0;
    for (uint32_t code = 0; domain->reading.type == BT_DECIMAL && code < domain->size; code++) {
        const char *text = domain->text[code];
        int own = plan->listed[code] ? bt_value_scale(text, strlen(text), false) : 0;
        if (own > scale) scale = own;
    }
    return scale;
}

static bauta_status describe_sensitive(const bt_form_job *job, const bt_allotment *plan,
                                       bt_manifest_column *to, bauta_error *error)
{
    const bt_column *column = &plan->column;
    bool pruned = plan->tree != plan->maker.space.hierarchy; /* then the codes are the column's */
    bt_category *list;
    *to = (bt_manifest_column){.name = column->name,
                               .role = BT_ROLE_SENSITIVE,
                               .type = column->domain.reading.type,
                               .scale = listed_scale(plan),
                               .hierarchy = plan->tree};
    BT_TRY(
        bt_type_of_listed(job, column, &plan->maker.space.domain, plan->listed, &to->type, error));
    if (!column->categories) return BAUTA_OK;
    size_t words = bt_bitset_words(column->domain.size);
    BT_OWN(bt_free) uint64_t *listed = bt_array_zero(words, sizeof *listed);
    if (!listed) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->domain.size; code++)
        if (!pruned || plan->listed[code]) bt_bitset_add(listed, code);
    BT_TRY(
        bt_categories_list(column->categories, &column->domain, listed, job->arena, &list, error));
    to->categories = list;
    to->category_count = column->categories->count;
    return BAUTA_OK;
}

static bauta_status describe_target(const bt_form_job *job, const bt_allotment *plan,
                                    const bt_target *target, bt_manifest_target *out,
                                    bauta_error *error)
{
    const bt_hierarchy *hierarchy = plan->tree;
    uint64_t *weights = bt_arena_array(job->arena, hierarchy->count, sizeof *weights);
    if (!weights) return bt_fail_memory(error);
    bt_target_weights(target, hierarchy, weights);
    *out = (bt_manifest_target){.weights = weights, .weight_count = hierarchy->count};
    return BAUTA_OK;
}

/* The numbers of the groups that have each target, ascending. */
static bauta_status list_groups(const bt_form_job *job, const bt_allotment *plan,
                                const uint32_t *numbers, bt_manifest_target *targets,
                                bauta_error *error)
{
    uint32_t **lists = bt_arena_array(job->arena, plan->target_count, sizeof *lists);
    if (!lists) return bt_fail_memory(error);
    for (uint32_t c = 0; c < plan->classes; c++)
        targets[plan->target_of[c]].group_count++;
    for (uint32_t t = 0; t < plan->target_count; t++) {
        targets[t].groups = lists[t] =
            bt_arena_array(job->arena, targets[t].group_count, sizeof **lists);
        if (!lists[t]) return bt_fail_memory(error);
        targets[t].group_count = 0;
    }
    for (uint32_t c = 0; c < plan->classes; c++) {
        bt_manifest_target *target = &targets[plan->target_of[c]];
        lists[plan->target_of[c]][target->group_count++] = numbers[c];
    }
    for (uint32_t t = 0; t < plan->target_count; t++)
        qsort(lists[t], targets[t].group_count, sizeof **lists, bt_compare_uint32);
    return BAUTA_OK;
}

static int compare_targets(const void *left, const void *right)
{
    const bt_manifest_target *a = left, *b = right;
    return bt_compare_uint32(a->groups, b->groups);
}

/* Targets stand in the order of the numbers of their groups, which are random. */
static bauta_status describe_targets(const bt_form_job *job, const bt_allotment *plan,
                                     const uint32_t *numbers, bt_manifest *manifest,
                                     bauta_error *error)
{
    manifest->target_count = plan->target_count;
    manifest->targets = bt_arena_array(job->arena, plan->target_count, sizeof *manifest->targets);
    if (!manifest->targets) return bt_fail_memory(error);
    for (uint32_t t = 0; t < plan->target_count; t++)
        BT_TRY(describe_target(job, plan, &plan->targets[t], &manifest->targets[t], error));
    if (plan->maker.own) {
        BT_TRY(list_groups(job, plan, numbers, manifest->targets, error));
        qsort(manifest->targets, plan->target_count, sizeof *manifest->targets, compare_targets);
    }
    if (!bt_target_needs_reference(&plan->maker.requirements)) return BAUTA_OK;
    manifest->reference = bt_arena_array(job->arena, 1, sizeof *manifest->reference);
    if (!manifest->reference) return bt_fail_memory(error);
    return describe_target(job, plan, &plan->maker.reference, manifest->reference, error);
}

/* All options, but for the name of a file. */
static bauta_status describe_form(const bt_form_job *job, const bt_allotment *plan,
                                  bt_manifest *manifest, bauta_error *error)
{
    const bt_value *options = job->options;
    bool file = plan->options.target.wanted.kind == BT_WANTED_FILE;
    manifest->form = bt_arena_print(
        job->arena, "distribution:target=%s,per=%s,weight-cap=%s,fake=%s,allocation=%s",
        file ? "file" : options[TARGET].text, options[PER].text, options[CAP].text,
        options[FAKE].text, options[ALLOCATION].text);
    return manifest->form ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status describe_all(const bt_spread_files *files, bt_sheet *quasi,
                                 bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = files->job;
    size_t count = bt_input_columns(job->input), coded = 0;
    manifest->columns = bt_arena_array(job->arena, count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_role role = job->roles[i];
        bool values = role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE;
        if (!values && role != BT_ROLE_OTHER) continue;
        const bt_column *column = values ? &job->table->columns[coded++] : NULL;
        bt_manifest_column *to = &manifest->columns[manifest->column_count++];
        if (role == BT_ROLE_SENSITIVE) {
            BT_TRY(describe_sensitive(job, files->plan, to, error));
            continue;
        }
        BT_TRY(values ? bt_sheet_add_value(quasi, column, column->name, false, error)
                      : bt_sheet_add_text(quasi, i, error));
        BT_TRY(bt_describe_column(job, &quasi->columns[quasi->column_count - 1], to, error));
    }
    BT_TRY(describe_form(job, files->plan, manifest, error));
    BT_TRY(describe_targets(job, files->plan, files->plan->numbers, manifest, error));
    bt_describe_promises(job, manifest);
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status write_all(bt_spread_files *files, bt_sheet *quasi, bt_manifest *manifest,
                              bauta_error *error)
{
    const bt_form_job *job = files->job;
    const char *labels[2];
    BT_TRY(bt_describe_class(job, bt_group_name, &files->group_name, error));
    BT_TRY(describe_all(files, quasi, manifest, error));
    BT_TRY(bt_sheet_add_class(quasi, files->group_name, files->plan->numbers, error));
    BT_TRY(bt_spread_orders(files, quasi->map, labels, error));
    BT_TRY(bt_sheet_write(quasi, "quasi.csv", labels[0], error));
    bt_describe_others(quasi, manifest);
    BT_TRY(bt_spread_write(files, labels[1], error));
    BT_TRY(bt_spread_bounds(files, error));
    return bt_sql_publish(job, manifest, error);
}

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    BT_OWN(bt_row_map_release) bt_row_map map = {0};
    bt_spread_files files = {.job = job, .plan = job->plan};
    BT_OWN(bt_sheet_release) bt_sheet quasi = {.job = job, .map = &map};
    BT_TRY(bt_row_map_make(job, &map, error));
    return write_all(&files, &quasi, manifest, error);
}

const bt_form bt_form_distribution = {
    .name = "distribution",
    .summary = "sensitive values as parts of their domain that follow a target distribution",
    .paper = "paper 2",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .shows_values = true,
    .own_promise = true,
    .beliefs = &beliefs,
    .admit = admit,
    .digest = digest,
    .check = check,
    .plan = make_plan,
    .forget = forget,
    .publish = publish,
};
