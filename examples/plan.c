/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning in one place, recoding in another: as where a table is spread over many machines.
 *
 *     plan
 *
 * plans a table of counted tuples, takes the plan along as text, and recodes two batches of rows.
 *
 *     cc plan.c $(pkg-config --cflags --libs bauta) -o plan
 */
#include <bauta.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a group-by over the whole table gives: each combination of values, and its count. */
static const char counted[] = "age,sex,count\n"
                              "21,f,4\n23,m,3\n28,f,5\n34,m,6\n37,f,2\n41,f,3\n48,m,7\n52,m,4\n";
/* Rows as they stand on two machines. */
static const char *const batches[] = {"age,sex\n21,f\n34,m\n48,m\n", "age,sex\n23,m\n52,m\n99,f\n"};

/* A recipe whose input is a CSV text in a file. */
static bauta_status make_recipe(const char *text, bauta_recipe **out, bauta_error *error)
{
    static const char file[] = "plan-example.csv";
    const char *settings[][2] = {{"input", file}, {"quasi", "age,sex"}, {"require", "k=5"}};
    FILE *stream = fopen(file, "w");
    if (!stream) return BAUTA_SYSTEM;
    fputs(text, stream);
    if (fclose(stream) != 0) return BAUTA_SYSTEM;
    bauta_status status = bauta_recipe_new(out, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(*out, settings[i][0], settings[i][1], error);
    return status;
}

static bauta_status plan_tuples(bauta_plan **out, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_plan_options options = {.size = sizeof options, .count = "count"};
    bauta_status status = make_recipe(counted, &recipe, error);
    if (status == BAUTA_OK) status = bauta_plan_make(recipe, &options, out, error);
    bauta_recipe_free(recipe);
    return status;
}

/* What a machine does that has the text of the plan and some rows. */
static bauta_status recode(const char *text, size_t length, const char *rows, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_plan *plan = NULL;
    bauta_batch *batch = NULL;
    bauta_status status = make_recipe(rows, &recipe, error);
    if (status == BAUTA_OK) status = bauta_plan_load(text, length, &plan, error);
    if (status == BAUTA_OK) status = bauta_plan_apply(plan, recipe, &batch, error);
    for (int64_t row = 0; row < bauta_batch_rows(batch); row++) {
        int64_t class_number = bauta_batch_classes(batch)[row];
        if (class_number < 0)
            printf("row %" PRId64 ": in no class\n", row + 1);
        else
            printf("row %" PRId64 ": %s %s\n", row + 1,
                   bauta_batch_cell(batch, class_number, "age"),
                   bauta_batch_cell(batch, class_number, "sex"));
    }
    bauta_batch_free(batch);
    bauta_plan_free(plan);
    bauta_recipe_free(recipe);
    return status;
}

int main(void)
{
    bauta_error error = {0};
    bauta_plan *plan = NULL;
    size_t length = 0;
    bauta_status status = plan_tuples(&plan, &error);
    const char *text = bauta_plan_text(plan, &length);
    for (size_t i = 0; i < sizeof batches / sizeof *batches && status == BAUTA_OK; i++)
        status = recode(text, length, batches[i], &error);
    bauta_plan_free(plan);
    remove("plan-example.csv");
    if (status != BAUTA_OK) fprintf(stderr, "%s\n", error.message);
    return (int)status;
}
