/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `randomized` (random anonymization): one table in which in each record `lambda` quasi
 * values, others in every record, are drawn anew from the distribution of their column. Sensitive
 * values stay, and so does the distribution of every column, on average.
 *
 * There are no classes and nothing is promised of any record: what can be said is how random the
 * drawing is (probabilistic anonymity) and how often someone who knows it finds a person's own row
 * all the same (linkage rate). Both are reported, side by side, since the first alone misleads.
 */
#include "base/bitset.h"
#include "base/text.h"
#include "class/diversity.h"
#include "class/linkage.h"
#include "publish/describe.h"
#include "publish/rare.h"
#include "publish/redraw.h"

#include <string.h>

enum { LAMBDA, SHARES, RARE };
enum { ENTROPY_BOTTOM = 100 }; /* of the probabilities that p=entropy leads to */

static const bt_param params[] = {
    {.name = "lambda",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4096",
     .fallback = "1",
     .help = "how many quasi values of each record are drawn anew"},
    {.name = "p",
     .type = BT_PARAM_TEXT,
     .fallback = "uniform",
     .help = "which one with lambda=1: uniform, entropy, or probabilities as in 1/2|1/4|1/4"},
    {.name = "rare",
     .type = BT_PARAM_INTEGER,
     .minimum = "0",
     .fallback = "0",
     .help = "values that fewer records hold are merged with others, or dropped, beforehand"},
};

/* The columns of a table, of which the quasi ones have codes of their own. */
typedef struct copied {
    bt_column *columns; /* all of the table; codes of the others are borrowed */
    bt_column **quasi;
    size_t count; /* quasi columns */
} copied;

typedef struct writer {
    bt_form_job job;         /* with the grouping below */
    copied before;           /* after rare values were merged; without that, none */
    copied after;            /* after the drawing */
    const bt_column **quasi; /* as they were before the drawing */
    uint64_t *dropped;       /* a bit per row */
    bt_rare rare;
    bt_mechanism mechanism;
    double *diversity; /* per quasi column */
    bt_grouping grouping;
    bt_row_map map;
    bt_sheet sheet;
    double drawing, writing; /* seconds */
} writer;

/* ---- probabilities ----------------------------------------------------------------------- */

static bauta_status parse_list(const char *text, size_t columns, bt_rational *out, bt_arena *arena,
                               bauta_error *error)
{
    char **items;
    size_t count;
    BT_TRY(bt_text_split(arena, text, '|', &items, &count, error));
    if (count != columns)
        return bt_fail(error, BAUTA_INVALID,
                       "'p' of 'randomized' must be uniform, entropy, or a probability for each of "
                       "the %zu quasi columns, as in 1/2|1/4|1/4",
                       columns);
    for (size_t i = 0; i < count; i++)
        if (!bt_rational_parse(items[i], &out[i]))
            return bt_fail(error, BAUTA_INVALID, "'p' of 'randomized' holds what is not a number");
    return BAUTA_OK;
}

/* Hundredths in proportion to the diversities, none 0; finer with more than ten columns. They are
 * published and follow from the values of the table, which nothing else does that is published of
 * hidden ones: so they are no finer than is of use. What rounding leaves over or lacks the largest
 * have, one part each. */
static void share_out(const double *diversity, size_t columns, bt_rational *out)
{
    double sum = bt_probabilistic_anonymity_best(diversity, columns);
    int64_t bottom = columns <= 10 ? ENTROPY_BOTTOM : 10 * (int64_t)columns, left = bottom;
    for (size_t i = 0; i < columns; i++) {
        int64_t top = (int64_t)(diversity[i] / sum * (double)bottom + 0.5);
        out[i] = (bt_rational){top > 0 ? top : 1, bottom};
        left -= out[i].top;
    }
    for (; left != 0; left += left > 0 ? -1 : 1) {
        size_t largest = 0;
        for (size_t i = 1; i < columns; i++)
            if (out[i].top > out[largest].top) largest = i;
        out[largest].top += left > 0 ? 1 : -1;
    }
    for (size_t i = 0; i < columns; i++)
        out[i] = bt_rational_reduce(out[i]);
}

/* diversity NULL: it is only to be checked whether the options fit. */
static bauta_status find_mechanism(const bt_value *options, size_t columns, const double *diversity,
                                   bt_arena *arena, bt_mechanism *out, bauta_error *error)
{
    int64_t lambda = options[LAMBDA].integer;
    const char *shares = options[SHARES].text;
    bt_rational *redrawn = bt_arena_array(arena, columns, sizeof *redrawn);
    if (!redrawn) return bt_fail_memory(error);
    bool uniform = strcmp(shares, "uniform") == 0, entropy = strcmp(shares, "entropy") == 0;
    if (lambda > 1 && !uniform)
        return bt_fail(error, BAUTA_INVALID,
                       "'p' of 'randomized' goes with lambda=1: with more, all columns are alike");
    for (size_t i = 0; i < columns; i++)
        redrawn[i] = bt_rational_reduce((bt_rational){lambda, (int64_t)columns});
    if (!uniform && !entropy) BT_TRY(parse_list(shares, columns, redrawn, arena, error));
    if (entropy && diversity) share_out(diversity, columns, redrawn);
    return bt_mechanism_make((uint32_t)lambda, redrawn, columns, arena, out, error);
}

/* ---- columns before and after ------------------------------------------------------------ */

static bauta_status copy_columns(const bt_table *table, bool codes, copied *out, bauta_error *error)
{
    out->columns = bt_array_zero(table->count, sizeof *out->columns);
    out->quasi = bt_array_zero(table->count, sizeof *out->quasi);
    if (!out->columns || !out->quasi) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        bt_column *column = &out->columns[i];
        size_t bytes;
        *column = table->columns[i];
        if (column->role != BT_ROLE_QUASI) continue;
        column->codes = NULL;
        if (bt_size_mul((size_t)table->rows, column->width, &bytes))
            column->codes = bt_array(bytes, 1);
        if (!column->codes) return bt_fail_memory(error);
        if (codes) memcpy(column->codes, table->columns[i].codes, bytes);
        out->quasi[out->count++] = column;
    }
    return BAUTA_OK;
}

static void release_columns(copied *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->quasi[i]->codes);
    free(columns->columns);
    free(columns->quasi);
    *columns = (copied){0};
}

/* Merges and drops rare values; out->quasi is then what is drawn from. */
static bauta_status treat_rare(writer *out, bauta_error *error)
{
    const bt_table *table = out->job.table;
    int64_t least = out->job.options[RARE].integer;
    size_t count;
    out->dropped = bt_array_zero(bt_bitset_words((size_t)table->rows), sizeof *out->dropped);
    if (!out->dropped) return bt_fail_memory(error);
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &out->quasi, &count, error));
    if (least < 2) return BAUTA_OK;
    BT_TRY(copy_columns(table, true, &out->before, error));
    for (size_t i = 0; i < count; i++)
        out->quasi[i] = out->before.quasi[i];
    return bt_rare_remove(out->before.quasi, count, table->rows, least, out->dropped, &out->rare,
                          error);
}

static bauta_status one_value(const bt_column *column, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "all records have the same value here: to draw it anew "
                                  "changes nothing");
    bt_error_place(error, NULL, -1, column->name);
    bt_error_hint(error, "drop the column (--drop), or publish it as it is (--other)");
    return status;
}

/* How diverse the columns are; one with a single value would be drawn in vain. */
static bauta_status find_diversity(writer *out, bauta_error *error)
{
    const bt_table *table = out->job.table;
    size_t count = out->after.count;
    out->diversity = bt_arena_array(out->job.arena, count, sizeof *out->diversity);
    if (!out->diversity) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bt_column *column = out->quasi[i];
        BT_OWN(bt_free) int64_t *held = NULL;
        uint32_t different = 0;
        BT_TRY(bt_redraw_count(column, table->rows, out->dropped, &held, error));
        for (uint32_t code = 0; code < column->domain.size; code++)
            different += held[code] > 0;
        out->diversity[i] = bt_diversity(held, column->domain.size);
        if (different < 2) return one_value(column, error);
    }
    return BAUTA_OK;
}

static bauta_status draw(writer *out, bauta_error *error)
{
    const bt_form_job *job = &out->job;
    BT_TRY(treat_rare(out, error));
    BT_TRY(copy_columns(job->table, false, &out->after, error));
    BT_TRY(find_diversity(out, error));
    BT_TRY(find_mechanism(job->options, out->after.count, out->diversity, job->arena,
                          &out->mechanism, error));
    return bt_redraw(&out->mechanism, out->quasi, out->after.quasi, job->table->rows, out->dropped,
                     job->run, error);
}

/* ---- the file and the manifest ----------------------------------------------------------- */

/* Sheets know of rows by the class they are in: here all that are kept are in one. */
static bauta_status group_kept(writer *out, bauta_error *error)
{
    const bt_table *table = out->job.table;
    bt_grouping *grouping = &out->grouping;
    *grouping = (bt_grouping){.rows = table->rows,
                              .order = bt_array((size_t)table->rows, sizeof *grouping->order),
                              .classes = 1,
                              .starts = bt_array_zero(2, sizeof *grouping->starts)};
    if (!grouping->order || !grouping->starts) return bt_fail_memory(error);
    for (int64_t row = 0; row < table->rows; row++)
        if (!bt_bitset_has(out->dropped, (size_t)row))
            grouping->order[grouping->kept++] = (uint32_t)row;
    grouping->starts[1] = (uint32_t)grouping->kept;
    out->job.grouping = grouping;
    return bt_row_map_make(&out->job, &out->map, error);
}

static bauta_status add_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = &out->job;
    bt_sheet *sheet = &out->sheet;
    size_t count = bt_input_columns(job->input), coded = 0, quasi = 0;
    manifest->columns = bt_arena_array(job->arena, count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_role role = job->roles[i];
        bool values = role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE;
        if (!values && role != BT_ROLE_OTHER) continue;
        const bt_column *column = values ? &out->after.columns[coded++] : NULL;
        BT_TRY(values ? bt_sheet_add_value(sheet, column, column->name, false, error)
                      : bt_sheet_add_text(sheet, i, error));
        bt_manifest_column *to = &manifest->columns[manifest->column_count++];
        BT_TRY(bt_describe_column(job, &sheet->columns[sheet->column_count - 1], to, error));
        if (role != BT_ROLE_QUASI) continue;
        BT_TRY(bt_type_check(job, &job->table->columns[coded - 1], to->type, error));
        to->redrawn = out->mechanism.redrawn[quasi++];
        if (job->options[RARE].integer > 1) to->merged = bt_rare_merging(column);
    }
    return BAUTA_OK;
}

static bauta_status write_table(writer *out, bt_manifest *manifest, bauta_error *error)
{
    BT_TRY(group_kept(out, error));
    out->sheet = (bt_sheet){.job = &out->job, .map = &out->map};
    BT_TRY(add_columns(out, manifest, error));
    manifest->lambda = out->mechanism.lambda;
    manifest->dropped_rows = out->job.input_rows - out->grouping.kept;
    BT_TRY(bt_sheet_write(&out->sheet, "data.csv", "data.csv", error));
    bt_describe_others(&out->sheet, manifest);
    return BAUTA_OK;
}

/* ---- what it protects -------------------------------------------------------------------- */

/* Moves the codes of kept records to the front: the file is written, the others are not needed. */
static void keep_codes(const writer *out, bt_column *column)
{
    char *codes = column->codes;
    size_t width = column->width;
    for (int64_t i = 0; i < out->grouping.kept; i++)
        memmove(codes + (size_t)i * width, codes + (size_t)out->grouping.order[i] * width, width);
}

static bauta_status list_codes(const writer *out, bt_codes *before, bt_codes *after,
                               double **chance, bauta_error *error)
{
    int64_t kept = out->grouping.kept;
    for (size_t i = 0; i < out->after.count; i++) {
        bt_column *column = out->after.quasi[i];
        BT_OWN(bt_free) int64_t *held = NULL;
        BT_TRY(bt_redraw_count(out->quasi[i], out->job.table->rows, out->dropped, &held, error));
        chance[i] = bt_arena_array(out->job.arena, column->domain.size, sizeof *chance[i]);
        BT_TRY(bt_arena_check(out->job.arena, error));
        for (uint32_t code = 0; code < column->domain.size; code++)
            chance[i][code] = (double)held[code] / (double)kept;
        if (out->rare.dropped > 0) {
            keep_codes(out, out->before.quasi[i]);
            keep_codes(out, column);
        }
        before[i] = (bt_codes){out->quasi[i]->codes, column->width, column->domain.size};
        after[i] = (bt_codes){column->codes, column->width, column->domain.size};
    }
    return BAUTA_OK;
}

static bauta_status find_linkage(const writer *out, bt_linkage *linkage, bauta_error *error)
{
    bt_arena *arena = out->job.arena;
    bt_codes *before = bt_arena_array(arena, out->after.count, sizeof *before);
    bt_codes *after = bt_arena_array(arena, out->after.count, sizeof *after);
    double **chance = bt_arena_array(arena, out->after.count, sizeof *chance);
    if (!before || !after || !chance) return bt_fail_memory(error);
    BT_TRY(list_codes(out, before, after, chance, error));
    const bt_linkage_job asked = {.mechanism = &out->mechanism,
                                  .records = before,
                                  .rows = after,
                                  .record_count = out->grouping.kept,
                                  .row_count = out->grouping.kept,
                                  .chance = chance,
                                  .run = out->job.run};
    return bt_linkage_find(&asked, linkage, error);
}

/* Both figures stand side by side. */
static bauta_status tell(const writer *out, bauta_error *error)
{
    bt_facts *facts = out->job.facts;
    json_t *at = out->job.at;
    bt_linkage linkage = {0};
    bool feasible = bt_linkage_feasible(&out->mechanism, out->grouping.kept);
    double start = bt_seconds();
    if (!facts) return BAUTA_OK;
    if (feasible) BT_TRY(find_linkage(out, &linkage, error));
    bt_put_real(facts, at, "probabilistic_anonymity",
                bt_probabilistic_anonymity(&out->mechanism, out->diversity));
    if (feasible)
        bt_put_real(facts, at, "linkage_rate", linkage.rate);
    else
        bt_put_null(facts, at, "linkage_rate");
    if (feasible) {
        json_t *to = bt_put_object(facts, at, "linkage");
        bt_put_int(facts, to, "looked_at", linkage.looked_at);
        bt_put_real(facts, to, "own_row_probability", linkage.own);
        if (linkage.all_known) bt_put_real(facts, to, "rate_knowing_all", linkage.all_rate);
    }
    json_t *stages = bt_put_object(facts, at, "stages");
    bt_put_real(facts, stages, "randomize", out->drawing);
    bt_put_real(facts, stages, "write", out->writing);
    bt_put_real(facts, stages, "link", bt_seconds() - start);
    if (out->mechanism.lambda == 1)
        bt_put_real(facts, at, "probabilistic_anonymity_best",
                    bt_probabilistic_anonymity_best(out->diversity, out->mechanism.columns));
    if (out->job.options[RARE].integer < 2) return BAUTA_OK;
    json_t *rare = bt_put_object(facts, at, "rare");
    bt_put_int(facts, rare, "merged", out->rare.merged);
    bt_put_int(facts, rare, "dropped", out->rare.dropped);
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

static void release(writer *out)
{
    release_columns(&out->before);
    release_columns(&out->after);
    free(out->quasi);
    free(out->dropped);
    bt_grouping_release(&out->grouping);
    bt_row_map_release(&out->map);
    bt_sheet_release(&out->sheet);
}

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    BT_OWN(release) writer out = {.job = *job};
    double start = bt_seconds();
    BT_TRY(draw(&out, error));
    out.drawing = bt_seconds() - start;
    BT_TRY(write_table(&out, manifest, error));
    out.writing = bt_seconds() - start - out.drawing;
    return tell(&out, error);
}

static bauta_status check(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error)
{
    (void)names;
    (void)count;
    size_t quasi = 0;
    bt_mechanism mechanism;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role != BT_ROLE_QUASI) continue;
        quasi++;
        if (column->domain.size < 2) return one_value(column, error);
        if (column->steering.lowest == 0) continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "'min-level' cannot be kept: randomized publishes values");
        bt_error_place(error, NULL, -1, column->name);
        return status;
    }
    return find_mechanism(options, quasi, NULL, arena, &mechanism, error);
}

static size_t redrawn(const bt_value *options)
{
    return (size_t)options[LAMBDA].integer;
}

static bt_sensitive_shown shows_sensitive(const bt_value *options)
{
    (void)options;
    return BT_SENSITIVE_BESIDE;
}

const bt_form bt_form_randomized = {
    .name = "randomized",
    .summary = "one table in which some quasi values of each record are drawn anew at random",
    .paper = "paper 4; Yang and Qiao 2010",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .shows_values = true,
    .redrawn = redrawn,
    .shows_sensitive = shows_sensitive,
    .ungrouped = true,
    .check = check,
    .publish = publish,
};
