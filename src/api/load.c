/* SPDX-License-Identifier: Apache-2.0
 *
 * From a recipe to a run and a coded table.
 */
#include "api/api.h"

#include <sodium.h>
#include <string.h>

/* What buffers may take unless the recipe says: at least this, and so much for each row, with
 * which the whole stays below 64 bytes a row. */
enum { DEFAULT_MEMORY = 16 << 20, DEFAULT_MEMORY_A_ROW = 24 };

bauta_status bt_run_open(const bauta_recipe *recipe, bt_run *out, bauta_error *error)
{
    *out = (bt_run){.memory = recipe->memory ? recipe->memory : DEFAULT_MEMORY,
                    .tmp = recipe->tmp ? recipe->tmp : "/tmp",
                    .progress = recipe->progress,
                    .progress_user = recipe->progress_user};
    if (recipe->seed_file)
        BT_TRY(bt_seed_load(recipe->seed_file, &out->seed, error));
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

static bauta_status open_input(const bauta_recipe *recipe, const bt_run *run, bt_loaded *out,
                               bauta_error *error)
{
    static const char *const usual_tokens[] = {"NA", "?"};
    bool own = recipe->missing_values.count > 0;
    bt_input_options options = {
        .files = recipe->inputs.items,
        .count = recipe->inputs.count,
        .delimiter = recipe->delimiter,
        .encoding = recipe->has_encoding ? recipe->encoding : BT_UTF8,
        .decimal_comma = recipe->decimal_comma,
        .no_header = recipe->no_header,
        .missing = {own ? recipe->missing_values.items : usual_tokens,
                    own ? recipe->missing_values.count
                        : sizeof usual_tokens / sizeof *usual_tokens},
    };
    BT_TRY(bt_input_open(&options, run, &out->input, error));
    out->columns = bt_input_columns(out->input);
    return BAUTA_OK;
}

static bt_use use_of(bt_role role)
{
    switch (role) {
    case BT_ROLE_QUASI:
    case BT_ROLE_SENSITIVE: return BT_USE_CODE;
    case BT_ROLE_OTHER: return BT_USE_CHECK;
    default: return BT_USE_SKIP;
    }
}

/* How a column that is published as it is was written: as the recipe says, if that fits. */
static bauta_status read_as(bt_loaded *out, size_t column, bauta_error *error)
{
    const bt_check *check = bt_raw_check(out->raw, column);
    const bt_column_recipe *plan = &out->plan[column];
    bt_reading *reading = &out->readings[column];
    *reading = bt_reading_of(check->forms, bt_input_settings(out->input)->decimal_comma,
                             check->missing < out->input_rows);
    if (!plan->has_type || plan->type == reading->type) return BAUTA_OK;
    bool fits = plan->type == BT_TEXT || check->missing == out->input_rows ||
                (plan->type == BT_DECIMAL && reading->type == BT_INTEGER);
    if (!fits) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the column's values are not all of type '%s'",
                    bt_type_name(plan->type));
        bt_error_place(error, NULL, -1, plan->name);
        return status;
    }
    reading->type = plan->type;
    return BAUTA_OK;
}

static bauta_status read_input(const bt_run *run, bool all_columns, bt_loaded *out,
                               bauta_error *error)
{
    bt_use *uses = bt_arena_array(&out->arena, out->columns, sizeof *uses);
    if (!uses) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        uses[i] = all_columns ? BT_USE_CODE : use_of(out->roles[i]);
    BT_TRY(bt_input_read(out->input, uses, run, &out->raw, error));
    out->input_rows = out->table.rows = bt_raw_rows(out->raw);
    if (out->input_rows >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "more than 4,294,967,294 records");
    for (size_t i = 0; i < out->columns; i++)
        if (uses[i] == BT_USE_CHECK) {
            BT_TRY(read_as(out, i, error));
            bt_type type = out->readings[i].type;
            out->verbatim[i] =
                bt_raw_check(out->raw, i)->verbatim && (type == BT_TEXT || type == BT_INTEGER);
        }
    return BAUTA_OK;
}

/* Lays out the domain of one column, with its hierarchy, and codes it. */
static bauta_status encode_column(bt_loaded *out, const bt_run *run, size_t source,
                                  bt_column *column, bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(out->input);
    const bt_column_recipe *plan = &out->plan[source];
    const bt_values *values = bt_raw_values(out->raw, source);
    bt_domain_options wanted = {.missing = &options->missing,
                                .decimal_comma = options->decimal_comma,
                                .has_type = plan->has_type,
                                .type = plan->type,
                                .column = plan->name};
    *column = (bt_column){.name = plan->name, .role = plan->role, .source = source};
    uint32_t *code_of = bt_array(values->count, sizeof *code_of), *relaid = NULL;
    bauta_status status = code_of ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status =
            bt_domain_build(values, &wanted, &out->table.arena, &column->domain, code_of, error);
    if (status == BAUTA_OK && plan->has_hierarchy) {
        bt_hierarchy *hierarchy;
        relaid = bt_array(column->domain.size, sizeof *relaid);
        status = relaid ? bt_hierarchy_build(&plan->hierarchy, plan->name, &column->domain, relaid,
                                             &out->table.arena, &hierarchy, error)
                        : bt_fail_memory(error);
        if (status == BAUTA_OK) {
            column->hierarchy = hierarchy;
            for (uint32_t i = 0; i < values->count; i++)
                code_of[i] = relaid[code_of[i]];
        }
    }
    if (status == BAUTA_OK) status = bt_raw_encode(out->raw, source, code_of, run, column, error);
    free(code_of);
    free(relaid);
    return status;
}

static bauta_status encode(bt_loaded *out, const bt_run *run, bool all_columns, bauta_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < out->columns; i++)
        count += all_columns || use_of(out->roles[i]) == BT_USE_CODE;
    out->table.columns = bt_arena_array(&out->table.arena, count, sizeof *out->table.columns);
    if (!out->table.columns) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        if (all_columns || use_of(out->roles[i]) == BT_USE_CODE)
            BT_TRY(encode_column(out, run, i, &out->table.columns[out->table.count++], error));
    return BAUTA_OK;
}

/* ---- missing=drop ------------------------------------------------------------------------ */

static bool is_complete(const bt_table *table, int64_t row)
{
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->domain.has_missing &&
            bt_column_code(column, row) == bt_domain_present(&column->domain))
            return false;
    }
    return true;
}

static void keep_rows(bt_table *table, const int64_t *rows, int64_t count)
{
    for (size_t c = 0; c < table->count; c++) {
        bt_column *column = &table->columns[c];
        char *codes = column->codes;
        for (int64_t i = 0; i < count; i++)
            memmove(codes + i * column->width, codes + rows[i] * column->width, column->width);
    }
    table->rows = count;
}

static bauta_status drop_incomplete(bt_loaded *out, bauta_error *error)
{
    int64_t kept = 0;
    for (int64_t row = 0; row < out->input_rows; row++)
        kept += is_complete(&out->table, row);
    if (kept == out->input_rows) return BAUTA_OK;
    out->row_map = bt_array((size_t)kept, sizeof *out->row_map);
    if (!out->row_map) return bt_fail_memory(error);
    int64_t next = 0;
    for (int64_t row = 0; row < out->input_rows; row++)
        if (is_complete(&out->table, row)) out->row_map[next++] = row;
    out->missing_dropped = out->input_rows - kept;
    keep_rows(&out->table, out->row_map, kept);
    return BAUTA_OK;
}

/* Said before hierarchies are built: those of no values at all could only fail. */
static bauta_status refuse_empty(const bt_loaded *loaded, const bauta_recipe *recipe,
                                 bauta_error *error)
{
    if (loaded->table.rows > 0) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the table has no records%s",
                                  loaded->input_rows > 0 ? " without missing values" : "");
    bt_error_place(error, recipe->inputs.items[0], -1, NULL);
    return status;
}

bauta_status bt_load(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                     bt_loaded *out, bauta_error *error)
{
    double start = bt_seconds();
    *out = (bt_loaded){0};
    BT_TRY(open_input(recipe, run, out, error));
    const char *const *names = bt_input_names(out->input);
    BT_TRY((all_columns ? bt_recipe_match : bt_recipe_resolve)(recipe, names, out->columns,
                                                               &out->arena, &out->plan, error));
    out->roles = bt_arena_array(&out->arena, out->columns, sizeof *out->roles);
    out->readings = bt_arena_array(&out->arena, out->columns, sizeof *out->readings);
    out->verbatim = bt_arena_array(&out->arena, out->columns, sizeof *out->verbatim);
    if (!out->roles || !out->readings || !out->verbatim) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++)
        out->roles[i] = out->plan[i].role;
    BT_TRY(read_input(run, all_columns, out, error));
    if (!all_columns) BT_TRY(refuse_empty(out, recipe, error));
    BT_TRY(encode(out, run, all_columns, error));
    if (recipe->missing_drop && !all_columns) {
        BT_TRY(drop_incomplete(out, error));
        BT_TRY(refuse_empty(out, recipe, error));
    }
    out->seconds = bt_seconds() - start;
    return BAUTA_OK;
}

void bt_loaded_release(bt_loaded *loaded)
{
    bt_table_release(&loaded->table);
    bt_raw_free(loaded->raw);
    bt_input_close(loaded->input);
    free(loaded->row_map);
    bt_arena_release(&loaded->arena);
    *loaded = (bt_loaded){0};
}
