/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `anatomy` (Xiao and Tao 2006): classes of l records with l different
 * sensitive values, whatever their quasi values are. It is meant for the form two-tables, where
 * quasi values are published as they are.
 *
 *   1. Records are put into buckets by their sensitive value.
 *   2. While l buckets are not empty, the l largest give a record each to a new class.
 *   3. What is left, at most one record in each of fewer than l buckets, joins classes that lack
 *      its value.
 *
 * Step 2 leaves buckets as even as can be, so that step 3 always finds a class, if no value is more
 * frequent than one record in l; else there is no such partition, and the request is refused. Of n
 * records come floor(n/l) classes. Records of a bucket, and classes in step 3, are drawn at random;
 * equally large buckets are taken in the order of their values.
 *
 * Cost: n log(values) time, 12 bytes a record. One thread, so the result depends on the seed alone.
 */
#include "group/method.h"

#include "base/sort.h"

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_INTEGER,
     .minimum = "2",
     .maximum = "1000000000",
     .fallback = "2",
     .help = "different sensitive values in each class, and the least number of records"},
};

typedef struct bucket {
    uint32_t code;
    uint32_t left; /* records that are in no class yet: the first of its part of `rows` */
} bucket;

typedef struct anatomy {
    const bt_method_job *job;
    const bt_column *sensitive;
    int64_t records;
    uint32_t l, values, classes;
    uint32_t *rows;   /* bucket by bucket, in random order */
    uint32_t *starts; /* per value, and one behind: its part of `rows` */
    bucket *heap;     /* buckets that are not empty, the largest first */
    uint32_t heap_size;
    bucket *taken;      /* buckets that give a record to the class at hand */
    uint32_t *class_of; /* per record */
} anatomy;

/* ---- what cannot be ---------------------------------------------------------------------- */

static bauta_status find_sensitive(const bt_table *table, const bt_column **out, bauta_error *error)
{
    size_t count = 0;
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_SENSITIVE) {
            *out = &table->columns[c];
            count++;
        }
    if (count == 1) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID,
                   "method 'anatomy' needs exactly one sensitive column, there are %zu", count);
}

static bauta_status check_job(const bt_method_job *job, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (job->suppress.top > 0)
        status = bt_fail(error, BAUTA_INVALID, "method 'anatomy' does not drop records");
    else if (job->table->subject_of)
        status = bt_fail(error, BAUTA_INVALID,
                         "method 'anatomy' does not know of persons with several rows");
    else if (bt_parts_needed(job->table))
        status = bt_fail(error, BAUTA_INVALID,
                         "method 'anatomy' does not look at quasi values: 'max-level' cannot be "
                         "kept");
    if (status != BAUTA_OK) bt_error_hint(error, "another method does: see 'bauta list methods'");
    return status;
}

/* The most frequent value decides which l there can be. */
static uint32_t greatest_l(const anatomy *a)
{
    uint32_t most = 1;
    for (uint32_t v = 0; v < a->values; v++)
        if (a->starts[v + 1] - a->starts[v] > most) most = a->starts[v + 1] - a->starts[v];
    return (uint32_t)(a->records / most);
}

static bauta_status check_frequencies(const anatomy *a, bauta_error *error)
{
    uint32_t most = greatest_l(a);
    if (a->l <= most) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_NO,
                                  "a sensitive value is too frequent: more than one record in %u "
                                  "has it",
                                  a->l);
    bt_error_place(error, NULL, -1, a->sensitive->name);
    if (most >= 2)
        bt_error_hint(error, "the greatest l that this table allows is %u", most);
    else
        bt_error_hint(error, "more than half of the records have it: no l is possible");
    return status;
}

/* ---- buckets ----------------------------------------------------------------------------- */

static void count_values(anatomy *a)
{
    for (int64_t row = 0; row < a->records; row++)
        a->starts[bt_column_code(a->sensitive, row) + 1]++;
    for (uint32_t v = 0; v < a->values; v++)
        a->starts[v + 1] += a->starts[v];
}

/* Puts the rows of each value into a random order of their own. */
static void fill_buckets(anatomy *a)
{
    for (int64_t row = 0; row < a->records; row++) {
        bucket *b = &a->heap[bt_column_code(a->sensitive, row)];
        a->rows[a->starts[b - a->heap] + b->left++] = (uint32_t)row;
    }
    for (uint32_t v = 0; v < a->values; v++) {
        bt_stream stream;
        a->heap[v].code = v;
        bt_stream_init(&stream, &a->job->run->seed, "anatomy bucket", v);
        bt_stream_shuffle(&stream, a->rows + a->starts[v], a->heap[v].left);
    }
}

static bool comes_first(const bucket *one, const bucket *other)
{
    return one->left != other->left ? one->left > other->left : one->code < other->code;
}

static void sink(anatomy *a, uint32_t place)
{
    bucket moving = a->heap[place];
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= a->heap_size) break;
        if (child + 1 < a->heap_size && comes_first(&a->heap[child + 1], &a->heap[child])) child++;
        if (!comes_first(&a->heap[child], &moving)) break;
        a->heap[place] = a->heap[child];
        place = child;
    }
    a->heap[place] = moving;
}

static void rise(anatomy *a, uint32_t place)
{
    bucket moving = a->heap[place];
    for (uint32_t parent; place > 0; place = parent) {
        parent = (place - 1) / 2;
        if (!comes_first(&moving, &a->heap[parent])) break;
        a->heap[place] = a->heap[parent];
    }
    a->heap[place] = moving;
}

static void make_heap(anatomy *a)
{
    for (uint32_t v = 0; v < a->values; v++)
        if (a->heap[v].left > 0) a->heap[a->heap_size++] = a->heap[v];
    for (uint32_t place = a->heap_size / 2; place-- > 0;)
        sink(a, place);
}

/* ---- classes ----------------------------------------------------------------------------- */

static uint32_t take_record(anatomy *a, bucket *from)
{
    return a->rows[a->starts[from->code] + --from->left];
}

/* A class of the l largest buckets. */
static void make_class(anatomy *a)
{
    for (uint32_t i = 0; i < a->l; i++) {
        a->taken[i] = a->heap[0];
        a->heap[0] = a->heap[--a->heap_size];
        sink(a, 0);
    }
    for (uint32_t i = 0; i < a->l; i++) {
        a->class_of[take_record(a, &a->taken[i])] = a->classes;
        if (a->taken[i].left == 0) continue;
        a->heap[a->heap_size++] = a->taken[i];
        rise(a, a->heap_size - 1);
    }
    a->classes++;
}

/* Puts the last record of a bucket into a class that has no record of it: the one at a random
 * place among those. */
static bauta_status place_residue(anatomy *a, bucket *b, bauta_error *error)
{
    uint32_t others = a->starts[b->code + 1] - a->starts[b->code] - 1;
    bt_stream stream;
    uint32_t *have = bt_array(others, sizeof *have);
    if (!have) return bt_fail_memory(error);
    for (uint32_t i = 0; i < others; i++)
        have[i] = a->class_of[a->rows[a->starts[b->code] + 1 + i]];
    qsort(have, others, sizeof *have, bt_compare_uint32);
    bt_stream_init(&stream, &a->job->run->seed, "anatomy residue", b->code);
    uint32_t chosen = (uint32_t)bt_stream_below(&stream, a->classes - others);
    for (uint32_t i = 0; i < others && have[i] <= chosen; i++)
        chosen++;
    a->class_of[take_record(a, b)] = chosen;
    free(have);
    return BAUTA_OK;
}

static bauta_status make_classes(anatomy *a, bauta_error *error)
{
    while (a->heap_size >= a->l) {
        make_class(a);
        if (a->classes % 65536 == 0)
            BT_TRY(bt_run_progress(a->job->run, 0, "grouping", (int64_t)a->classes * a->l,
                                   a->records, error));
    }
    for (uint32_t i = 0; i < a->heap_size; i++) {
        if (a->heap[i].left != 1)
            return bt_fail(error, BAUTA_INTERNAL, "a value has more than one record left");
        BT_TRY(place_residue(a, &a->heap[i], error));
    }
    return BAUTA_OK;
}

/* ---- the grouping ------------------------------------------------------------------------ */

static void arrange(const anatomy *a, bt_grouping *out)
{
    /* starts[c + 1] walks through class c while it is filled, and ends where c + 1 starts. */
    for (int64_t row = 0; row < a->records; row++)
        out->starts[(size_t)a->class_of[row] + 2]++;
    for (size_t c = 2; c <= a->classes; c++)
        out->starts[c] += out->starts[c - 1];
    for (int64_t row = 0; row < a->records; row++)
        out->order[out->starts[(size_t)a->class_of[row] + 1]++] = (uint32_t)row;
}

static bauta_status make_grouping(const anatomy *a, bt_grouping *out, bauta_error *error)
{
    const bt_column **quasi;
    size_t boxes;
    BT_TRY(bt_table_select(a->job->table, BT_ROLE_QUASI, &quasi, &out->columns, error));
    out->rows = out->kept = a->records;
    out->classes = a->classes;
    out->order = bt_array((size_t)a->records, sizeof *out->order);
    out->starts = bt_array_zero((size_t)a->classes + 2, sizeof *out->starts);
    if (bt_size_mul(a->classes, out->columns, &boxes))
        out->boxes = bt_array(boxes, sizeof *out->boxes);
    bauta_status status =
        out->order && out->starts && out->boxes ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) arrange(a, out);
    for (uint32_t c = 0; status == BAUTA_OK && c < a->classes; c++)
        for (size_t i = 0; i < out->columns; i++)
            out->boxes[(size_t)c * out->columns + i] = bt_tight_box(out, quasi[i], c);
    free(quasi);
    return status;
}

static bauta_status refuse(const anatomy *a, const char *requirement, bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_NO, "classes of %u different values do not satisfy '%s'", a->l, requirement);
    bt_error_hint(error,
                  "they satisfy k=%u, l=%u and alpha=1/%u; the greatest l that this table allows "
                  "is %u; other methods look for classes that satisfy anything",
                  a->l, a->l, a->l, greatest_l(a));
    return status;
}

/* Classes are as they are: they are not chosen for what else is required. */
static bauta_status check_classes(const anatomy *a, const bt_grouping *grouping, bauta_error *error)
{
    const bt_requirements *requirements = a->job->requirements;
    const bt_requirement_instance *failed;
    bt_tally *tally = NULL;
    if (!requirements->people->profile_of)
        return bt_requirements_least_size(requirements) <= a->l
                   ? BAUTA_OK
                   : refuse(a, requirements->items[0].text, error);
    BT_TRY(bt_tally_new(requirements->people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (uint32_t c = 0; c < grouping->classes && status == BAUTA_OK; c++) {
        bt_tally_clear(tally);
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            if (status == BAUTA_OK) status = bt_tally_add_row(tally, grouping->order[i], error);
        if (status == BAUTA_OK && !bt_requirements_check(requirements, tally, &failed))
            status = refuse(a, failed->text, error);
    }
    bt_tally_free(tally);
    return status;
}

static bauta_status run(anatomy *a, bt_grouping *out, bauta_error *error)
{
    a->rows = bt_array((size_t)a->records, sizeof *a->rows);
    a->class_of = bt_array((size_t)a->records, sizeof *a->class_of);
    a->starts = bt_array_zero((size_t)a->values + 1, sizeof *a->starts);
    a->heap = bt_array_zero(a->values, sizeof *a->heap);
    a->taken = bt_array(a->values, sizeof *a->taken);
    if (!a->rows || !a->class_of || !a->starts || !a->heap || !a->taken)
        return bt_fail_memory(error);
    count_values(a);
    BT_TRY(check_frequencies(a, error));
    fill_buckets(a);
    make_heap(a);
    BT_TRY(make_classes(a, error));
    BT_TRY(make_grouping(a, out, error));
    return check_classes(a, out, error);
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    anatomy a = {.job = job, .records = job->table->rows, .l = (uint32_t)job->options[0].integer};
    BT_TRY(check_job(job, error));
    BT_TRY(find_sensitive(job->table, &a.sensitive, error));
    a.values = a.sensitive->domain.size;
    bauta_status status = run(&a, out, error);
    free(a.rows);
    free(a.class_of);
    free(a.starts);
    free(a.heap);
    free(a.taken);
    return status;
}

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){
        .factor = 1,
        .why = "the method looks at no quasi values: members of a class could be exchanged"};
}

const bt_method bt_method_anatomy = {
    .name = "anatomy",
    .summary = "classes of l different sensitive values, whatever their quasi values are",
    .paper = "Xiao and Tao 2006; the baseline of paper 1",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .overlaps = true,
    .no_plan = "records are drawn for its classes, whatever their quasi values are",
    .by_place = bt_always_by_place,
    .retrace = retrace,
    .group = group,
};
