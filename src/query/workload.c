/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing queries, and their true answers: for every predicate the codes that satisfy it, and one
 * pass over the records.
 */
#include "query/workload.h"

#include "base/entry.h"

#include <math.h>
#include <string.h>

/* ---- what is drawn ---- */

typedef struct asked { /* a predicate: values of a column, or a range of numbers */
    const bt_column *column;
    uint8_t *chosen; /* per code */
    bool range;
    int64_t from, to;
} asked;

typedef struct drawing {
    const bt_table *table;
    const bt_column **quasi, **sensitive; /* columns that have values */
    size_t quasi_count, sensitive_count;
    bt_stream stream;
    uint32_t *codes; /* room for those of any column */
    uint32_t *order; /* room for the quasi columns */
    asked *asked;
    size_t asked_count;
    bt_buffer text;
} drawing;

typedef struct kind {
    const char *name;
    const bt_param *params;
    size_t param_count;
    const char *columns; /* the option that says how many quasi columns; NULL: all */
    bool sensitive;      /* asks for a sensitive column too */
    void (*draw)(drawing *d, const bt_value *options);
} kind;

/* ---- drawing ---- */

static asked *ask_about(drawing *d, const bt_column *column)
{
    asked *one = &d->asked[d->asked_count++];
    one->column = column;
    one->range = false;
    memset(one->chosen, 0, column->domain.size);
    return one;
}

static void choose_values(drawing *d, asked *one, uint32_t count)
{
    uint32_t present = bt_domain_present(&one->column->domain);
    for (uint32_t i = 0; i < present; i++)
        d->codes[i] = i;
    for (uint32_t i = 0; i < count; i++)
        one->chosen[bt_stream_pick(&d->stream, d->codes, i, present)] = 1;
}

/* ceil(count * share), from 1 to count; what differs from a whole number by rounding is one. */
static uint64_t part_of(uint64_t count, double share)
{
    double part = ceil((double)count * share - 1e-9);
    if (part < 1) return 1;
    return part < (double)count ? (uint64_t)part : count;
}

/* The first `count` of d->order are then random quasi columns. */
static void shuffle_columns(drawing *d, size_t count)
{
    for (size_t i = 0; i < d->quasi_count; i++)
        d->order[i] = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
        bt_stream_pick(&d->stream, d->order, i, d->quasi_count);
}

/* Some quasi columns and a sensitive one; share 0: a random number of values. */
static void draw_columns(drawing *d, size_t count, double share)
{
    shuffle_columns(d, count);
    for (size_t i = 0; i <= count; i++) {
        const bt_column *column =
            i < count ? d->quasi[d->order[i]]
                      : d->sensitive[bt_stream_below(&d->stream, d->sensitive_count)];
        uint32_t present = bt_domain_present(&column->domain);
        uint64_t values =
            share > 0 ? part_of(present, share) : 1 + bt_stream_below(&d->stream, present);
        choose_values(d, ask_about(d, column), (uint32_t)values);
    }
}

static void draw_paper1(drawing *d, const bt_value *options)
{
    size_t count = (size_t)options[0].integer;
    double share = pow(bt_rational_double(options[1].rational), 1.0 / (double)(count + 1));
    draw_columns(d, count, share);
}

static void draw_paper4(drawing *d, const bt_value *options)
{
    draw_columns(d, (size_t)options[0].integer, 0);
}

static void choose_range(drawing *d, asked *one, double share)
{
    const bt_domain *domain = &one->column->domain;
    uint32_t present = bt_domain_present(domain);
    int64_t least = domain->number[0], greatest = domain->number[0];
    for (uint32_t i = 1; i < present; i++) {
        if (domain->number[i] < least) least = domain->number[i];
        if (domain->number[i] > greatest) greatest = domain->number[i];
    }
    uint64_t span = (uint64_t)greatest - (uint64_t)least;
    uint64_t numbers = span < UINT64_MAX ? span + 1 : span;
    uint64_t width = part_of(numbers, share);
    uint64_t first = bt_stream_below(&d->stream, numbers - width + 1);
    one->range = true;
    one->from = (int64_t)((uint64_t)least + first);
    one->to = (int64_t)((uint64_t)least + first + (width - 1));
    for (uint32_t i = 0; i < present; i++)
        one->chosen[i] = domain->number[i] >= one->from && domain->number[i] <= one->to;
}

static void draw_paper5(drawing *d, const bt_value *options)
{
    double share = pow(bt_rational_double(options[0].rational), 1.0 / (double)d->quasi_count);
    for (size_t i = 0; i < d->quasi_count; i++) {
        asked *one = ask_about(d, d->quasi[i]);
        uint32_t present = bt_domain_present(&one->column->domain);
        if (one->column->domain.number)
            choose_range(d, one, share);
        else
            choose_values(d, one, (uint32_t)part_of(present, share));
    }
}

/* ---- kinds ---- */

static const bt_param paper1_params[] = {
    {.name = "qd",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000",
     .fallback = "4",
     .help = "quasi columns in a query"},
    {.name = "s",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0.000001",
     .maximum = "1",
     .fallback = "0.05",
     .help = "share of all combinations of values that a query asks for"},
};

static const bt_param paper4_params[] = {
    {.name = "j",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000",
     .fallback = "5",
     .help = "quasi columns in a query"},
};

static const bt_param paper5_params[] = {
    {.name = "range",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0.000001",
     .maximum = "1",
     .fallback = "0.1",
     .help = "share of the space of the quasi columns"},
};

static const kind paper1 = {"paper1", paper1_params, 2, "qd", true, draw_paper1};
static const kind paper4 = {"paper4", paper4_params, 1, "j", true, draw_paper4};
static const kind paper5 = {"paper5", paper5_params, 1, NULL, false, draw_paper5};
static const kind *const kinds[] = {&paper1, &paper4, &paper5};

static bt_entry entry_of(const void *const *registry, size_t number)
{
    const kind *one = registry[number];
    return (bt_entry){one->name, one->params, one->param_count};
}

static bauta_status parse(const char *name, bt_arena *arena, const kind **out, bt_value **options,
                          const char **canonical, bauta_error *error)
{
    size_t found;
    BT_TRY(bt_entry_parse("workload", name, (const void *const *)kinds,
                          sizeof kinds / sizeof *kinds, entry_of, arena, &found, options, canonical,
                          error));
    *out = kinds[found];
    return BAUTA_OK;
}

bauta_status bt_workload_check(const char *name, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const kind *found;
    bt_value *options;
    const char *canonical;
    return parse(name, &scratch, &found, &options, &canonical, error);
}

/* ---- a query: its text and its answer ---- */

static bauta_status add_quoted(bt_buffer *text, const char *what, char quote, bauta_error *error)
{
    BT_TRY(bt_buffer_add(text, &quote, 1, error));
    for (; *what; what++) {
        if (*what == quote) BT_TRY(bt_buffer_add(text, &quote, 1, error));
        BT_TRY(bt_buffer_add(text, what, 1, error));
    }
    return bt_buffer_add(text, &quote, 1, error);
}

static bauta_status add_value(bt_buffer *text, const char *value, bt_type type, bauta_error *error)
{
    if (type == BT_DATE) BT_TRY(bt_buffer_print(text, error, "DATE "));
    if (type == BT_TEXT || type == BT_DATE) return add_quoted(text, value, '\'', error);
    return bt_buffer_print(text, error, "%s", value);
}

static bauta_status add_range(bt_buffer *text, const asked *one, bauta_error *error)
{
    const bt_domain *domain = &one->column->domain;
    char number[BT_NUMBER_TEXT + 1];
    number[bt_number_print(domain->reading.type, domain->scale, one->from, number)] = '\0';
    BT_TRY(bt_buffer_print(text, error, " BETWEEN "));
    BT_TRY(add_value(text, number, domain->reading.type, error));
    number[bt_number_print(domain->reading.type, domain->scale, one->to, number)] = '\0';
    BT_TRY(bt_buffer_print(text, error, " AND "));
    return add_value(text, number, domain->reading.type, error);
}

static bauta_status add_values(bt_buffer *text, const asked *one, bauta_error *error)
{
    const bt_domain *domain = &one->column->domain;
    const char *before = " IN (";
    for (uint32_t code = 0; code < bt_domain_present(domain); code++) {
        if (!one->chosen[code]) continue;
        BT_TRY(bt_buffer_print(text, error, "%s", before));
        BT_TRY(add_value(text, domain->text[code], domain->reading.type, error));
        before = ",";
    }
    return bt_buffer_print(text, error, ")");
}

static bauta_status write_query(drawing *d, bauta_error *error)
{
    d->text.length = 0;
    BT_TRY(bt_buffer_print(&d->text, error, "SELECT COUNT(*)"));
    for (size_t i = 0; i < d->asked_count; i++) {
        const asked *one = &d->asked[i];
        BT_TRY(bt_buffer_print(&d->text, error, i ? " AND " : " WHERE "));
        BT_TRY(add_quoted(&d->text, one->column->name, '"', error));
        BT_TRY(one->range ? add_range(&d->text, one, error) : add_values(&d->text, one, error));
    }
    return BAUTA_OK;
}

static int64_t true_answer(const drawing *d)
{
    int64_t count = 0;
    for (int64_t row = 0; row < d->table->rows; row++) {
        size_t i = 0;
        while (i < d->asked_count && d->asked[i].chosen[bt_column_code(d->asked[i].column, row)])
            i++;
        count += i == d->asked_count;
    }
    return count;
}

/* ---- all of them ---- */

/* Leaves only columns that have a value. */
static size_t with_values(const bt_column **columns, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (bt_domain_present(&columns[i]->domain) > 0) columns[kept++] = columns[i];
    return kept;
}

static bauta_status open_drawing(const bt_table *table, bt_arena *arena, drawing *out,
                                 bauta_error *error)
{
    uint32_t largest = 1;
    out->table = table;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &out->quasi, &out->quasi_count, error));
    BT_TRY(
        bt_table_select(table, BT_ROLE_SENSITIVE, &out->sensitive, &out->sensitive_count, error));
    out->quasi_count = with_values(out->quasi, out->quasi_count);
    out->sensitive_count = with_values(out->sensitive, out->sensitive_count);
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].domain.size > largest) largest = table->columns[i].domain.size;
    out->codes = bt_arena_array(arena, largest, sizeof *out->codes);
    out->order = bt_arena_array(arena, out->quasi_count + 1, sizeof *out->order);
    out->asked = bt_arena_array(arena, out->quasi_count + 1, sizeof *out->asked);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i <= out->quasi_count; i++)
        out->asked[i].chosen = bt_arena_array(arena, largest, 1);
    return bt_arena_check(arena, error);
}

static void close_drawing(drawing *d)
{
    free(d->quasi);
    free(d->sensitive);
    bt_buffer_release(&d->text);
}

static bauta_status check_columns(const kind *wanted, const bt_value *options, const drawing *d,
                                  bauta_error *error)
{
    size_t needed = wanted->columns ? (size_t)options[0].integer : 1;
    if (wanted->sensitive && d->sensitive_count == 0)
        return bt_fail(error, BAUTA_INVALID, "the workload '%s' needs a sensitive column",
                       wanted->name);
    if (d->quasi_count >= needed) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "the workload '%s' asks for %zu quasi columns, the release has %zu with values",
                wanted->name, needed, d->quasi_count);
    if (wanted->columns) bt_error_hint(error, "give it a smaller '%s'", wanted->columns);
    return status;
}

static bauta_status check_luck(const bt_workload *workload, size_t done, bauta_error *error)
{
    enum { MOST_DRAWS = 100 }; /* for each query */
    if (workload->empty / MOST_DRAWS < (int64_t)workload->count) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "hardly any query of the workload has an answer: %zu of %lld",
                done, (long long)workload->empty + (long long)done);
    bt_error_hint(error, "ask for fewer columns, or for more values of each");
    return status;
}

static bauta_status draw_all(const kind *wanted, const bt_value *options, drawing *d,
                             const bt_run *run, bt_workload *out, bauta_error *error)
{
    for (size_t done = 0; done < out->count;) {
        BT_TRY(
            bt_run_progress(run, 0, "drawing queries", (int64_t)done, (int64_t)out->count, error));
        BT_TRY(check_luck(out, done, error));
        d->asked_count = 0;
        wanted->draw(d, options);
        out->answers[done] = true_answer(d);
        if (out->answers[done] == 0) {
            out->empty++;
            continue;
        }
        BT_TRY(write_query(d, error));
        out->texts[done++] = bt_arena_copy(&out->arena, d->text.bytes, d->text.length);
    }
    return bt_arena_check(&out->arena, error);
}

bauta_status bt_workload_draw(const bt_workload_wish *wish, const bt_table *table,
                              const bt_run *run, bt_workload *out, bauta_error *error)
{
    const kind *wanted;
    bt_value *options;
    bt_seed seed;
    BT_OWN(close_drawing) drawing d = {0};
    *out = (bt_workload){.seed = wish->seed, .count = wish->count};
    if (!bt_seed_parse(wish->seed, &seed))
        return bt_fail(error, BAUTA_USAGE, "a seed is 1 to 64 hexadecimal digits");
    BT_TRY(parse(wish->name, &out->arena, &wanted, &options, &out->name, error));
    out->texts = bt_arena_array(&out->arena, out->count, sizeof *out->texts);
    out->answers = bt_arena_array(&out->arena, out->count, sizeof *out->answers);
    BT_TRY(bt_arena_check(&out->arena, error));
    bt_stream_init(&d.stream, &seed, "workload", 0);
    BT_TRY(open_drawing(table, &out->arena, &d, error));
    BT_TRY(check_columns(wanted, options, &d, error));
    return draw_all(wanted, options, &d, run, out, error);
}

void bt_workload_release(bt_workload *workload)
{
    bt_arena_release(&workload->arena);
    *workload = (bt_workload){0};
}
