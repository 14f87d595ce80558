/* SPDX-License-Identifier: Apache-2.0
 *
 * From a recipe to a run and a coded table.
 */
#include "job/load.h"
#include "base/bitset.h"
#include "class/steer.h"
#include "recipe/cuts.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* What buffers may take unless the recipe says: at least this, and so much for each row, with
 * which the whole stays below 64 bytes a row. */
enum { DEFAULT_MEMORY = 16 << 20, DEFAULT_MEMORY_A_ROW = 24 };

bauta_status bt_run_open(const bauta_recipe *recipe, bt_run *out, bauta_error *error)
{
    *out = (bt_run){.memory = recipe->memory ? recipe->memory : DEFAULT_MEMORY,
                    .memory_given = recipe->memory != 0,
                    .tmp = recipe->tmp ? recipe->tmp : "/tmp",
                    .stores = recipe->stores,
                    .progress = recipe->progress,
                    .progress_user = recipe->progress_user};
    if (recipe->fixed_streams)
        out->seed = *recipe->fixed_streams;
    else if (recipe->seed_file)
        BT_TRY(bt_run_load_seed(out, recipe->seed_file, error));
    else if (recipe->seed && !bt_seed_parse(recipe->seed, &out->seed))
        return bt_fail(error, BAUTA_USAGE, "a seed is 1 to 64 hexadecimal digits");
    else if (!recipe->seed)
        BT_TRY(bt_seed_fresh(&out->seed, error));
    return bt_pool_new(recipe->threads, &out->pool, error);
}

void bt_run_fit(bt_run *run, const bauta_recipe *recipe, int64_t rows)
{
    size_t wanted;
    if (!recipe->memory && bt_size_mul((size_t)rows, DEFAULT_MEMORY_A_ROW, &wanted) &&
        wanted > run->memory)
        run->memory = wanted;
}

void bt_run_close(bt_run *run)
{
    bt_pool_free(run->pool);
    sodium_memzero(&run->seed, sizeof run->seed);
    run->pool = NULL;
}

static void notice_renamed(const bauta_recipe *recipe, const bt_loaded *loaded)
{
    char text[320], others[48] = "";
    size_t first, renamed = bt_input_renamed(loaded->input, &first);
    if (renamed == 0 || !recipe->notice) return;
    if (renamed > 1)
        snprintf(others, sizeof others, ", and %zu other%s likewise", renamed - 1,
                 renamed == 2 ? "" : "s");
    snprintf(text, sizeof text, "columns have the same name: column %zu is called '%.200s'%s",
             first + 1, bt_input_names(loaded->input)[first], others);
    recipe->notice(recipe->notice_user, text);
}

static bauta_status open_input(const bauta_recipe *recipe, const bt_run *run, bt_loaded *out,
                               bauta_error *error)
{
    static const char *const usual_tokens[] = {"NA", "?"};
    bool own = recipe->missing_values.count > 0;
    bt_input_options options = {
        .files = recipe->inputs.items,
        .count = recipe->inputs.count,
        .streams = recipe->streams,
        .delimiter = recipe->delimiter,
        .encoding = recipe->has_encoding ? recipe->encoding : BT_UTF8,
        .decimal_comma = recipe->decimal_comma,
        .header = !recipe->has_header ? BT_HEADER_LOOK
                  : recipe->no_header ? BT_HEADER_NO
                                      : BT_HEADER_YES,
        .missing = {.tokens = own ? recipe->missing_values.items : usual_tokens,
                    .count = own ? recipe->missing_values.count
                                 : sizeof usual_tokens / sizeof *usual_tokens},
        .chain = out->keyed ? &out->chain : NULL,
    };
    BT_TRY(bt_input_open(&options, run, &out->input, error));
    out->columns = bt_input_columns(out->input);
    notice_renamed(recipe, out);
    return BAUTA_OK;
}

static bt_use use_of(const bt_loaded *out, size_t column)
{
    switch (out->roles[column]) {
    case BT_ROLE_QUASI:
    case BT_ROLE_SENSITIVE: return BT_USE_CODE;
    case BT_ROLE_OTHER: return BT_USE_CHECK;
    case BT_ROLE_IDENTIFIER: return out->keyed ? BT_USE_READ : BT_USE_SKIP;
    default: return BT_USE_SKIP;
    }
}

bool bt_is_accepted(const bauta_recipe *recipe, const char *column)
{
    for (size_t i = 0; i < recipe->accept.count; i++)
        if (strcmp(recipe->accept.items[i], column) == 0) return true;
    return false;
}

/* What is published as it is: in one file, or sensitive columns in a second one. What is accepted
 * may single out, but is still held against the cells beside it. */
static void choose_sets(const bauta_recipe *recipe, bt_sensitive_shown shown, bt_loaded *out)
{
    for (size_t i = 0; i < out->columns; i++) {
        bool sensitive = out->roles[i] == BT_ROLE_SENSITIVE && shown != BT_SENSITIVE_HIDDEN;
        if (out->roles[i] == BT_ROLE_OTHER) out->sets[i] = BT_USE_EXCERPT;
        if (bt_is_accepted(recipe, out->plan[i].name)) continue;
        if (out->roles[i] == BT_ROLE_OTHER || (sensitive && shown == BT_SENSITIVE_BESIDE))
            out->sets[i] = (bt_use)(out->sets[i] | BT_USE_FIRST_SET);
        else if (sensitive)
            out->sets[i] = BT_USE_SECOND_SET;
    }
}

static bool is_coded(const bauta_recipe *recipe, const bt_loaded *out, size_t column)
{
    for (size_t i = 0; i < recipe->subject.count; i++)
        if (out->subject[i] == column) return true;
    return column == out->key || column == out->counted || use_of(out, column) == BT_USE_CODE;
}

static bauta_status read_input(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                               bt_loaded *out, bauta_error *error)
{
    bt_use *uses = bt_arena_array(&out->arena, out->columns, sizeof *uses);
    if (!uses) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++) {
        if (all_columns || is_coded(recipe, out, i))
            uses[i] = BT_USE_CODE;
        else
            uses[i] = (bt_use)(use_of(out, i) |
                               (bt_watches_repeats(recipe, &out->plan[i]) ? BT_USE_WATCH : 0));
        uses[i] = (bt_use)(uses[i] | out->sets[i]);
    }
    out->uses = uses;
    BT_TRY(bt_input_read(out->input, uses, run, &out->raw, error));
    out->input_rows = out->records = out->table.rows = bt_raw_rows(out->raw);
    if (out->input_rows >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "more than 4,294,967,294 records");
    return BAUTA_OK;
}

static const bt_missing *missing_of(const bt_loaded *out, size_t column)
{
    return bt_input_missing(bt_input_settings(out->input), column);
}

/* Replaces the domain by that of the hierarchy, and the codes by those there. */
static bauta_status add_hierarchy(bt_loaded *out, const bt_column_recipe *plan, bt_column *column,
                                  uint32_t *code_of, uint32_t values, bauta_error *error)
{
    bt_hierarchy *hierarchy;
    uint32_t *relaid = bt_array(column->domain.size, sizeof *relaid);
    if (!relaid) return bt_fail_memory(error);
    bauta_status status = bt_hierarchy_build(&plan->hierarchy, plan->name, &column->domain, relaid,
                                             &out->table.arena, &hierarchy, error);
    for (uint32_t i = 0; i < values && status == BAUTA_OK; i++)
        code_of[i] = relaid[code_of[i]];
    if (status == BAUTA_OK) {
        hierarchy->is_public = plan->is_public;
        hierarchy->chosen = out->derived && out->derived[column->source];
        column->hierarchy = hierarchy;
    }
    free(relaid);
    return status;
}

/* Rows with a missing value that are dropped leave none behind that would need a category. */
static bauta_status add_categories(bt_loaded *out, const bt_column_recipe *plan, bt_column *column,
                                   const uint32_t *code_of, uint32_t values, bauta_error *error)
{
    uint32_t present = bt_domain_present(&column->domain);
    bt_categories *categories;
    size_t words = bt_bitset_words(column->domain.size);
    uint64_t *occurs = bt_array_zero(words, sizeof *occurs);
    if (!occurs) return bt_fail_memory(error);
    for (uint32_t i = 0; i < values; i++)
        if (code_of[i] < present || !out->drops_missing) bt_bitset_add(occurs, code_of[i]);
    const bt_categories_job job = {.column = plan->name,
                                   .domain = &column->domain,
                                   .occurs = occurs,
                                   .missing = missing_of(out, column->source),
                                   .may_exceed = out->drops_missing || out->loose_categories,
                                   .may_lack = out->loose_categories,
                                   .arena = &out->table.arena};
    bauta_status status = bt_categories_build(&job, &plan->categories, &categories, error);
    if (status == BAUTA_OK) column->categories = categories;
    free(occurs);
    return status;
}

/* ---- weight, min-level, max-level -------------------------------------------------------- */

/* The heaviest quasi column weighs 1, and the others a share of it. */
static bauta_status scale_weights(const bt_loaded *out, bt_rational *heaviest, bauta_error *error)
{
    bool any = false;
    *heaviest = (bt_rational){0, 1};
    for (size_t i = 0; i < out->columns; i++) {
        const bt_column_recipe *plan = &out->plan[i];
        bool said = plan->steers[BT_STEER_WEIGHT].bottom != 0;
        bt_rational weight = said ? plan->steers[BT_STEER_WEIGHT] : (bt_rational){1, 1};
        if (plan->role != BT_ROLE_QUASI) continue;
        any = true;
        if (bt_rational_compare(weight, *heaviest) > 0) *heaviest = weight;
    }
    if (!any || heaviest->top > 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "the weights of all quasi columns are 0");
}

static bauta_status check_levels(const bt_column *column, const bt_column_recipe *plan,
                                 bauta_error *error)
{
    const bt_rational *least = &plan->steers[BT_STEER_MIN_LEVEL];
    const bt_rational *most = &plan->steers[BT_STEER_MAX_LEVEL];
    const bt_rational *fixed = &plan->steers[BT_STEER_LEVEL];
    bauta_status status = BAUTA_OK;
    bool bounded = least->bottom != 0 || most->bottom != 0;
    if (!bounded && fixed->bottom == 0) return BAUTA_OK;
    if (!bounded) least = fixed;
    long long root = column->hierarchy ? column->hierarchy->levels - 1 : 0;
    if (!column->hierarchy) {
        status = bt_fail(error, BAUTA_INVALID, "a column without a hierarchy has no levels");
        bt_error_hint(error, "give it one with --hierarchy");
    } else if (least->top > root || most->top > root) {
        status = bt_fail(error, BAUTA_INVALID, "level %lld is asked for, and the highest is %lld",
                         (long long)(least->top > root ? least->top : most->top), root);
        bt_error_hint(error, "'bauta hierarchy' shows the levels");
    } else if (most->bottom != 0 && least->top > most->top) {
        status = bt_fail(error, BAUTA_INVALID, "'min-level' is above 'max-level'");
    } else if (bounded && fixed->bottom != 0) {
        status = bt_fail(error, BAUTA_INVALID,
                         "'levels' fixes the level: there can be no 'min-level' or 'max-level'");
    }
    if (status != BAUTA_OK) bt_error_place(error, NULL, -1, plan->name);
    return status;
}

static bauta_status steer(const bt_column_recipe *plan, bt_rational heaviest, bt_arena *arena,
                          bt_column *column, bauta_error *error)
{
    if (plan->role != BT_ROLE_QUASI) return BAUTA_OK;
    BT_TRY(check_levels(column, plan, error));
    bt_rational weight = plan->steers[BT_STEER_WEIGHT];
    if (weight.bottom == 0) weight = (bt_rational){1, 1};
    column->steering.lowest = (uint32_t)plan->steers[BT_STEER_MIN_LEVEL].top;
    if (plan->steers[BT_STEER_MAX_LEVEL].bottom != 0)
        column->steering.above = (uint32_t)plan->steers[BT_STEER_MAX_LEVEL].top + 1;
    if (plan->steers[BT_STEER_LEVEL].bottom != 0) {
        column->steering.lowest = (uint32_t)plan->steers[BT_STEER_LEVEL].top;
        column->steering.above = column->steering.lowest + 1;
    } else if (column->steering.lowest > 0) {
        BT_TRY(bt_steer_ragged(column, arena, error));
    }
    if (bt_rational_compare(weight, heaviest) != 0)
        column->steering.weight =
            (bt_rational){weight.top * heaviest.bottom, weight.bottom * heaviest.top};
    return BAUTA_OK;
}

/* Adds hierarchy and categories to a column whose domain is laid out. */
static bauta_status add_trees(bt_loaded *out, const bt_column_recipe *plan, bt_column *column,
                              uint32_t *code_of, uint32_t values, bauta_error *error)
{
    bool sensitive = plan->role == BT_ROLE_SENSITIVE || plan->role == BT_ROLE_NONE;
    if (bt_plans_tree(plan)) BT_TRY(add_hierarchy(out, plan, column, code_of, values, error));
    if (!plan->has_categories || !sensitive) return BAUTA_OK;
    return add_categories(out, plan, column, code_of, values, error);
}

bauta_status bt_encode_column(bt_loaded *out, const bt_run *run, size_t source, bt_column *column,
                              bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(out->input);
    const bt_column_recipe *plan = &out->plan[source];
    bool shared = out->publics && (plan->role == BT_ROLE_QUASI || source == out->key);
    bool given = out->any_public_value ||
                 (bt_plans_tree(plan) &&
                  (plan->hierarchy.paths || !bt_hierarchy_is_derived(plan->hierarchy.spec)));
    bt_shared_values both = {0};
    const bt_values *values = shared ? &both.all : bt_raw_values(out->raw, source);
    bt_domain_options wanted = {.missing = missing_of(out, source),
                                .decimal_comma = options->decimal_comma,
                                .has_type = plan->has_type,
                                .type = plan->type,
                                .whole = out->whole_decimals,
                                .misfits_most = out->misfits_most + plan->misfits_more,
                                .column = plan->name};
    *column = (bt_column){.name = plan->name, .role = plan->role, .source = source};
    bauta_status status = BAUTA_OK;
    if (shared) status = bt_publics_values(out, source, given, &wanted, &both, error);
    uint32_t *code_of = bt_array(values->count, sizeof *code_of);
    if (status == BAUTA_OK && !code_of) status = bt_fail_memory(error);
    if (status == BAUTA_OK)
        status =
            bt_domain_build(values, &wanted, &out->table.arena, &column->domain, code_of, error);
    column->domain.reading.said = plan->type_given;
    if (status == BAUTA_OK) status = add_trees(out, plan, column, code_of, values->count, error);
    if (status == BAUTA_OK) status = bt_raw_encode(out->raw, source, code_of, run, column, error);
    if (status == BAUTA_OK && shared)
        status = bt_publics_encode(out, source, &both, code_of, column, run, error);
    bt_shared_values_release(out, &both);
    free(code_of);
    return status;
}

static bauta_status wrong_role(const bt_column_recipe *plan, const char *what, const char *whose,
                               bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s with %s columns, and this one is %s",
                                  what, whose, bt_role_name(plan->role));
    bt_error_place(error, NULL, -1, plan->name);
    return status;
}

/* A tree that was made from the values of the table is no public classification: as such it would
 * publish every value. */
static bauta_status check_public(const bt_column_recipe *plan, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (!plan->is_public) return BAUTA_OK;
    if (!bt_plans_tree(plan))
        status = bt_fail(error, BAUTA_INVALID, "there is no hierarchy that could be public");
    else if (!plan->hierarchy.paths && bt_hierarchy_is_derived(plan->hierarchy.spec))
        status = bt_fail(error, BAUTA_INVALID,
                         "a hierarchy that is made from the values of the table is not public");
    else
        return BAUTA_OK;
    bt_error_place(error, NULL, -1, plan->name);
    bt_error_hint(error, "'public' goes with a file or a tree that others have too");
    return status;
}

/* Categories say how sensitive a value is; on what anyone may see they would do nothing. And
 * only what is generalized can be steered. */
static bauta_status check_plan(const bt_loaded *out, bauta_error *error)
{
    static const char *const steers[BT_STEERS] = {"'weight' goes", "'min-level' goes",
                                                  "'max-level' goes", "'levels' go"};
    for (size_t i = 0; i < out->columns; i++) {
        const bt_column_recipe *plan = &out->plan[i];
        bool seen = plan->role == BT_ROLE_QUASI || plan->role == BT_ROLE_OTHER;
        bool quasi = plan->role == BT_ROLE_QUASI || plan->role == BT_ROLE_NONE;
        BT_TRY(check_public(plan, error));
        if (plan->has_categories && seen)
            return wrong_role(plan, "categories go", "sensitive", error);
        for (size_t s = 0; s < BT_STEERS && !quasi; s++)
            if (plan->steers[s].bottom != 0) return wrong_role(plan, steers[s], "quasi", error);
        if (plan->cut_points && !quasi) return wrong_role(plan, "cut points go", "quasi", error);
    }
    return BAUTA_OK;
}

static bauta_status plan_columns(const bauta_recipe *recipe, bool all_columns, bt_loaded *out,
                                 bauta_error *error)
{
    bauta_status status = (all_columns ? bt_recipe_match : bt_recipe_resolve)(
        recipe, bt_input_names(out->input), out->columns, &out->arena, &out->plan, error);
    if (status == BAUTA_INVALID) bt_error_place(error, bt_input_name(out->input), -1, NULL);
    return status;
}

/* The texts that mean missing in one column: those of all columns, then its own. In a column of
 * numbers its own are numbers. */
static bauta_status list_missing(bt_loaded *out, const bt_column_recipe *plan, bt_missing *list,
                                 bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(out->input);
    const bt_missing *all = &options->missing;
    const char **tokens =
        bt_arena_array(&out->arena, all->count + plan->missing_count, sizeof *tokens);
    if (!tokens) return bt_fail_memory(error);
    for (size_t i = 0; i < all->count; i++)
        tokens[i] = all->tokens[i];
    for (size_t i = 0; i < plan->missing_count; i++)
        tokens[all->count + i] = plan->missing[i];
    bool text = plan->has_type && plan->type == BT_TEXT;
    *list = (bt_missing){.tokens = tokens,
                         .count = all->count + plan->missing_count,
                         .typed = text ? 0 : plan->missing_count,
                         .decimal_comma = options->decimal_comma};
    return BAUTA_OK;
}

static bauta_status plan_missing(bt_loaded *out, bauta_error *error)
{
    bool any = false;
    for (size_t i = 0; i < out->columns; i++)
        any = any || out->plan[i].missing_count > 0;
    if (!any) return BAUTA_OK;
    bt_missing *lists = bt_arena_array(&out->arena, out->columns, sizeof *lists);
    if (!lists) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        BT_TRY(list_missing(out, &out->plan[i], &lists[i], error));
    bt_input_set_missing(out->input, lists);
    return BAUTA_OK;
}

static bauta_status add_cuts(bt_loaded *out, const bt_column_recipe *plan, bt_column *column,
                             bauta_error *error)
{
    bt_cuts *cuts;
    if (!plan->cut_points || plan->role != BT_ROLE_QUASI) return BAUTA_OK;
    if (column->hierarchy) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "a column with a hierarchy takes no cut points");
        bt_error_place(error, NULL, -1, plan->name);
        return status;
    }
    BT_TRY(bt_cuts_build(plan->cut_points, column, &out->table.arena, &cuts, error));
    column->cuts = cuts;
    return BAUTA_OK;
}

static bauta_status encode(bt_loaded *out, const bt_run *run, bool all_columns, bauta_error *error)
{
    size_t count = 0;
    bt_rational heaviest;
    BT_TRY(scale_weights(out, &heaviest, error));
    for (size_t i = 0; i < out->columns; i++)
        count += all_columns || use_of(out, i) == BT_USE_CODE;
    out->table.columns = bt_arena_array(&out->table.arena, count, sizeof *out->table.columns);
    if (!out->table.columns) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        if (all_columns || use_of(out, i) == BT_USE_CODE) {
            bt_column *column = &out->table.columns[out->table.count++];
            BT_TRY(bt_encode_column(out, run, i, column, error));
            BT_TRY(steer(&out->plan[i], heaviest, &out->table.arena, column, error));
            BT_TRY(add_cuts(out, &out->plan[i], column, error));
        }
    return BAUTA_OK;
}

/* The column of that name; out->columns when there is none. */
static size_t find_column(const bt_loaded *out, const char *name)
{
    size_t found = 0;
    while (found < out->columns && (!name || strcmp(out->plan[found].name, name) != 0))
        found++;
    return found;
}

/* ---- counted tuples ---------------------------------------------------------------------- */

static bauta_status no_count(const bt_loaded *out, int64_t row, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the number of records is missing, or less than 1");
    bt_error_place(error, bt_input_name(out->input), row + 1, out->plan[out->counted].name);
    return status;
}

/* Reads how many records each row stands for. What domains and hierarchies are made of are records,
 * so that they are those of the records themselves; rows that are dropped stand for none. */
static bauta_status load_times(const bt_run *run, bt_loaded *out, bauta_error *error)
{
    bt_column column;
    size_t rows = (size_t)out->input_rows;
    if (out->counted == out->columns) return BAUTA_OK;
    out->plan[out->counted].has_type = true;
    out->plan[out->counted].type = BT_INTEGER;
    out->times = bt_arena_array(&out->arena, rows, sizeof *out->times);
    bool *kept = bt_arena_array(&out->arena, rows, sizeof *kept);
    BT_TRY(bt_arena_check(&out->arena, error));
    for (int64_t i = 0; i < out->input_rows - out->missing_dropped; i++)
        kept[out->row_map ? out->row_map[i] : i] = true;
    bauta_status status = bt_encode_column(out, run, out->counted, &column, error);
    out->records = 0;
    for (int64_t row = 0; status == BAUTA_OK && row < out->input_rows; row++) {
        uint32_t code = bt_column_code(&column, row);
        int64_t times = code < bt_domain_present(&column.domain) ? column.domain.number[code] : 0;
        if (times < 1 || __builtin_add_overflow(out->records, times, &out->records))
            status = no_count(out, row, error);
        out->times[row] = kept[row] ? (uint64_t)times : 0;
    }
    free(column.codes);
    for (size_t i = 0; status == BAUTA_OK && i < out->columns; i++)
        if (use_of(out, i) == BT_USE_CODE) bt_raw_weigh(out->raw, i, out->times);
    for (int64_t i = 0; out->row_map && i < out->input_rows - out->missing_dropped; i++)
        out->times[i] = out->times[out->row_map[i]]; /* as bt_table_keep will leave the rows */
    return status;
}

/* ---- missing=drop ------------------------------------------------------------------------ */

/* Rows that are dropped have no part in domains either: what is made of the values of a column must
 * not tell of them. */
static bauta_status find_complete(const bauta_recipe *recipe, bt_loaded *out, bauta_error *error)
{
    int64_t kept;
    const bt_missing **missing = bt_arena_array(&out->arena, out->columns, sizeof *missing);
    if (!missing) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        if (use_of(out, i) == BT_USE_CODE) missing[i] = missing_of(out, i);
    for (size_t i = 0; i < recipe->subject.count; i++)
        missing[out->subject[i]] = missing_of(out, out->subject[i]);
    BT_TRY(bt_raw_keep_complete(out->raw, missing, &out->row_map, &kept, error));
    out->missing_dropped = out->input_rows - kept;
    return BAUTA_OK;
}

/* Said before hierarchies are built: those of no values at all could only fail. */
static bauta_status refuse_empty(const bt_loaded *loaded, bauta_error *error)
{
    if (loaded->input_rows > loaded->missing_dropped) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the table has no records%s",
                                  loaded->input_rows > 0 ? " without missing values" : "");
    bt_error_place(error, bt_input_name(loaded->input), -1, NULL);
    return status;
}

static bauta_status load(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                         bt_sensitive_shown *shown, bool derives, bt_loaded *out,
                         bauta_error *error)
{
    double start = bt_seconds();
    *out = (bt_loaded){.keyed = shown != NULL,
                       .drops_missing = recipe->missing_drop,
                       .any_public_value = recipe->any_public_value,
                       .loose_categories = recipe->loose_categories,
                       .misfits_most = recipe->misfits_most,
                       .whole_decimals = recipe->whole_decimals};
    if (out->keyed) bt_load_digest_begin(out, run);
    BT_TRY(open_input(recipe, run, out, error));
    BT_TRY(plan_columns(recipe, all_columns, out, error));
    BT_TRY(check_plan(out, error));
    BT_TRY(plan_missing(out, error));
    out->roles = bt_arena_array(&out->arena, out->columns, sizeof *out->roles);
    out->readings = bt_arena_array(&out->arena, out->columns, sizeof *out->readings);
    out->verbatim = bt_arena_array(&out->arena, out->columns, sizeof *out->verbatim);
    out->subject = bt_arena_array(&out->arena, recipe->subject.count, sizeof *out->subject);
    out->sets = bt_arena_array(&out->arena, out->columns, sizeof *out->sets);
    if (!out->roles || !out->readings || !out->verbatim || !out->subject || !out->sets)
        return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++) {
        out->roles[i] = out->plan[i].role;
        out->sets[i] = 0;
    }
    if (shown) choose_sets(recipe, *shown, out);
    for (size_t i = 0; i < recipe->subject.count; i++)
        out->subject[i] = find_column(out, recipe->subject.items[i]);
    out->counted = find_column(out, recipe->count);
    out->key = find_column(out, recipe->publics.count > 0 ? recipe->key : NULL);
    if (recipe->subject.count == 0 && recipe->rows_together) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "'subject-rows' needs a column that tells persons apart");
        bt_error_hint(error, "name it with --subject");
        return status;
    }
    BT_TRY(read_input(recipe, run, all_columns, out, error));
    if (out->drops_missing && !all_columns) BT_TRY(find_complete(recipe, out, error));
    if (!all_columns) BT_TRY(refuse_empty(out, error));
    if (!all_columns) BT_TRY(bt_load_readings(out, run, error));
    if (!all_columns) BT_TRY(bt_refuse_repeats(recipe, out, error));
    if (!all_columns) BT_TRY(bt_publics_read(recipe, run, out, error));
    BT_TRY(load_times(run, out, error));
    if (derives) BT_TRY(bt_derive_hierarchies(out, error));
    BT_TRY(encode(out, run, all_columns, error));
    if (out->publics && out->key < out->columns)
        BT_TRY(bt_encode_column(out, run, out->key, &out->key_codes, error));
    BT_TRY(bt_load_subjects(recipe, run, all_columns, out, error));
    if (out->row_map)
        bt_table_keep(&out->table, out->row_map, out->input_rows - out->missing_dropped);
    if (out->keyed) BT_TRY(bt_load_digest_table(out, run, error));
    if (!all_columns) BT_TRY(bt_table_number_subjects(&out->table, error));
    BT_TRY(bt_publics_join(recipe, out, error));
    out->seconds = bt_seconds() - start;
    return BAUTA_OK;
}

bauta_status bt_load(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                     bt_loaded *out, bauta_error *error)
{
    return load(recipe, run, all_columns, NULL, false, out, error);
}

bauta_status bt_load_release(const bauta_recipe *recipe, const bt_run *run,
                             bt_sensitive_shown shown, bool derives, bt_loaded *out,
                             bauta_error *error)
{
    return load(recipe, run, false, &shown, derives, out, error);
}

void bt_loaded_release(bt_loaded *loaded)
{
    if (loaded->join) bt_join_release(loaded->join);
    free(loaded->join);
    bt_publics_release(loaded);
    bt_buffer_release(&loaded->conflicts);
    bt_table_release(&loaded->table);
    bt_raw_free(loaded->raw);
    bt_input_close(loaded->input);
    free(loaded->row_map);
    bt_arena_release(&loaded->arena);
    *loaded = (bt_loaded){0};
}
