/* SPDX-License-Identifier: Apache-2.0
 *
 * A table that is in memory as Arrow arrays, anonymized without a file of it: what data frames and
 * databases hand out as an ArrowArrayStream goes in the same way.
 *
 *     arrow_in out
 *
 * makes up sixty patients and leaves a release of them in out/publish.
 *
 *     cc arrow_in.c $(pkg-config --cflags --libs bauta) -o arrow_in
 */
#include <bauta.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 60 };

/* The columns, as Arrow lays them out: integers; codes of a dictionary; texts one after the other
 * and where each begins. They are static here, so that there is nothing to free. */
static int32_t ages[ROWS];
static int8_t sexes[ROWS], diseases[ROWS];
static const int32_t sex_offsets[] = {0, 6, 10}, disease_offsets[] = {0, 3, 8, 16, 22};
static const char sex_texts[] = "femalemale", disease_texts[] = "flucoughdiabetesasthma";

static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        ages[i] = 20 + i * 7 % 50;
        sexes[i] = (int8_t)(i * 5 % 9 % 2);
        diseases[i] = (int8_t)(i * 3 % 7 % 4);
    }
}

/* ---- the schema ---- */

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static struct ArrowSchema text = {.format = "u", .release = release_schema};
    static struct ArrowSchema columns[] = {
        {.format = "i", .name = "age", .release = release_schema},
        {.format = "c", .name = "sex", .dictionary = &text, .release = release_schema},
        {.format = "c", .name = "disease", .dictionary = &text, .release = release_schema},
    };
    static struct ArrowSchema *children[] = {&columns[0], &columns[1], &columns[2]};
    (void)stream;
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = 3, .children = children, .release = release_schema};
    return 0;
}

/* ---- the one batch ---- */

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    static const void *sex_buffers[] = {NULL, sex_offsets, sex_texts};
    static const void *disease_buffers[] = {NULL, disease_offsets, disease_texts};
    static const void *buffers[][2] = {{NULL, ages}, {NULL, sexes}, {NULL, diseases}};
    static const void *none[] = {NULL};
    static struct ArrowArray values[] = {
        {.length = 2, .n_buffers = 3, .buffers = sex_buffers, .release = release_array},
        {.length = 4, .n_buffers = 3, .buffers = disease_buffers, .release = release_array},
    };
    static struct ArrowArray columns[3];
    static struct ArrowArray *children[] = {&columns[0], &columns[1], &columns[2]};
    int *batches = stream->private_data;
    memset(out, 0, sizeof *out);
    if ((*batches)-- == 0) return 0; /* the end: release stays NULL */
    for (int i = 0; i < 3; i++)
        columns[i] = (struct ArrowArray){.length = ROWS,
                                         .n_buffers = 2,
                                         .buffers = buffers[i],
                                         .dictionary = i > 0 ? &values[i - 1] : NULL,
                                         .release = release_array};
    *out = (struct ArrowArray){.length = ROWS,
                               .n_buffers = 1,
                               .buffers = none,
                               .n_children = 3,
                               .children = children,
                               .release = release_array};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* ---- the release ---- */

static bauta_status anonymize(bauta_recipe *recipe, const char *out, bauta_error *error)
{
    const char *settings[][2] = {{"input", "arrow:patients"},
                                 {"quasi", "age,sex"},
                                 {"sensitive", "disease"},
                                 {"require", "k=5,l=2"}};
    int batches = 1;
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release_stream,
                                      .private_data = &batches};
    bauta_status status = bauta_recipe_add_stream(recipe, "patients", &stream, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(recipe, settings[i][0], settings[i][1], error);
    return status == BAUTA_OK ? bauta_anonymize(recipe, out, NULL, error) : status;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: arrow_in OUT\n");
        return BAUTA_USAGE;
    }
    bauta_recipe *recipe = NULL;
    bauta_error error;
    fill();
    bauta_status status = bauta_recipe_new(&recipe, &error);
    if (status == BAUTA_OK) status = anonymize(recipe, arguments[1], &error);
    bauta_recipe_free(recipe);
    if (status == BAUTA_OK) printf("%s/publish has %d records of a stream\n", arguments[1], ROWS);
    if (status != BAUTA_OK) fprintf(stderr, "%s (%s)\n", error.message, error.hint);
    return (int)status;
}
