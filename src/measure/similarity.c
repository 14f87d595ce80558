/* SPDX-License-Identifier: Apache-2.0
 *
 * The similarity attack (Sun, Wang, Li and Truta 2008): for each sensitive column whose categories
 * the release shows, how many classes fall within one category and how many records those hold;
 * and how far apart the categories in a class are.
 *
 * Cost: linear in rows.
 */
#include "class/similarity.h"

#include "measure/measure.h"

typedef struct pair { /* records of a class that have a category */
    uint32_t class_number;
    bt_category_count count;
} pair;

typedef struct bags {         /* classes, in a join sensitive groups */
    const uint32_t *class_of; /* per row with sensitive values */
    uint32_t classes;
} bags;

static int compare_pairs(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    if (a->class_number != b->class_number) return a->class_number < b->class_number ? -1 : 1;
    return (a->count.category > b->count.category) - (a->count.category < b->count.category);
}

static void put(const bt_similarity *found, bt_facts *facts, json_t *at, const char *column)
{
    json_t *to = bt_put_object(facts, at, column);
    bt_put_int(facts, to, "categories", found->categories);
    bt_put_int(facts, to, "classes", found->classes);
    bt_put_int(facts, to, "similar_classes", found->similar_classes);
    bt_put_int(facts, to, "similar_records", found->similar_records);
    if (found->categories < 2 || found->classes == 0) return;
    bt_put_real(facts, to, "least_distance", found->distance_least);
    bt_put_real(facts, to, "mean_distance", found->distance_sum / found->classes);
    bt_put_real(facts, to, "least_weight", found->weight_least);
    bt_put_real(facts, to, "mean_weight", found->weight_sum / found->classes);
    bt_put_real(facts, to, "least_weight_per_record", found->share_least);
    bt_put_real(facts, to, "mean_weight_per_record", found->share_sum / found->classes);
}

/* The classes' categories, class by class. */
static bauta_status measure_column(const bt_measure_job *job, const bt_release_column *column,
                                   const bags *of, bt_facts *facts, json_t *to)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(bt_tuples_release) bt_tuples found = {0};
    int64_t rows = bt_sensitive_rows(job->release);
    for (uint32_t i = 0; i < column->values->count; i++)
        if (column->category[i] == BT_NOT_KNOWN) {
            bt_put_null(facts, to, column->manifest->name); /* the audit says why */
            return BAUTA_OK;
        }
    uint32_t *category = bt_arena_array(&scratch, (size_t)rows, sizeof *category);
    BT_TRY(bt_arena_check(&scratch, NULL));
    for (int64_t row = 0; row < rows; row++)
        category[row] = column->category[bt_code_at(column->codes, column->width, row)];
    const bt_codes codes[] = {{of->class_of, 4, of->classes},
                              {category, 4, column->category_count}};
    BT_TRY(bt_tuples_group(codes, 2, rows, job->run, &found, NULL));
    bt_similarity all = {.categories = column->category_count};
    bt_category_count *counts = bt_arena_array(&scratch, all.categories, sizeof *counts);
    pair *pairs = bt_arena_array(&scratch, found.count, sizeof *pairs);
    BT_TRY(bt_arena_check(&scratch, NULL));
    for (uint32_t i = 0; i < found.count; i++)
        pairs[i] = (pair){of->class_of[found.row[i]], {category[found.row[i]], found.size[i]}};
    qsort(pairs, found.count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0, end; i < found.count; i = end) {
        for (end = i; end < found.count && pairs[end].class_number == pairs[i].class_number; end++)
            counts[end - i] = pairs[end].count;
        bt_similarity_add(&all, counts, end - i);
    }
    put(&all, facts, to, column->manifest->name);
    return BAUTA_OK;
}

static bool has_categories(const bt_release_column *column)
{
    return column->category && !bt_is_companion(column->manifest);
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    BT_OWN(bt_free) uint32_t *class_of = NULL;
    const bt_release *release = job->release;
    uint32_t classes = 0;
    json_t *to = NULL;
    for (size_t i = 0; i < release->column_count && !facts->failed; i++) {
        if (!has_categories(&release->columns[i])) continue;
        bauta_status status = BAUTA_OK;
        if (!to) {
            to = bt_put_object(facts, at, "similarity");
            status = bt_release_bags(release, job->run, &class_of, &classes, NULL);
        }
        const bags of = {class_of, classes};
        if (status == BAUTA_OK) status = measure_column(job, &release->columns[i], &of, facts, to);
        facts->failed |= status != BAUTA_OK;
    }
}

const bt_measure bt_measure_similarity = {
    .name = "similarity",
    .summary = "classes within one category of sensitive values, and how far apart categories are",
    .paper = "Sun, Wang, Li and Truta 2008",
    .direction = BT_NO_DIRECTION,
    .release_only = true,
    .compute = compute,
};
