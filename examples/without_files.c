/* SPDX-License-Identifier: Apache-2.0
 *
 * From Arrow to Arrow, without a file: a table that is in memory goes in as a stream, its release
 * is kept in memory, audited there, asked a question, and comes out as a stream.
 *
 *     without_files
 *
 * makes up sixty employees and prints what may be handed out of them.
 *
 *     cc without_files.c $(pkg-config --cflags --libs bauta) -o without_files
 */
#include <bauta.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- in: three columns of integers, in one batch ---- */

enum { ROWS = 60, COLUMNS = 3 };

static int32_t ages[ROWS], floors[ROWS], grades[ROWS];

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL; /* all is static: there is nothing to free */
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static struct ArrowSchema columns[COLUMNS] = {
        {.format = "i", .name = "age", .release = release_schema},
        {.format = "i", .name = "floor", .release = release_schema},
        {.format = "i", .name = "grade", .release = release_schema},
    };
    static struct ArrowSchema *children[] = {&columns[0], &columns[1], &columns[2]};
    (void)stream;
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = COLUMNS, .children = children, .release = release_schema};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    static const void *buffers[][2] = {{NULL, ages}, {NULL, floors}, {NULL, grades}};
    static const void *none[] = {NULL};
    static struct ArrowArray columns[COLUMNS], *children[COLUMNS];
    int *batches = stream->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if ((*batches)-- == 0) return 0; /* the end: release stays NULL */
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = (struct ArrowArray){
            .length = ROWS, .n_buffers = 2, .buffers = buffers[i], .release = release_array};
        children[i] = &columns[i];
    }
    *out = (struct ArrowArray){.length = ROWS,
                               .n_buffers = 1,
                               .buffers = none,
                               .n_children = COLUMNS,
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

/* ---- out: a column holds integers, or texts in a dictionary ---- */

static void print_value(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        int64_t row)
{
    const unsigned char *valid = array->buffers[0];
    if (valid && !(valid[row / 8] >> row % 8 & 1)) return; /* missing */
    if (schema->dictionary) {
        row = ((const int32_t *)array->buffers[1])[row];
        const int32_t *offsets = array->dictionary->buffers[1];
        const char *texts = array->dictionary->buffers[2];
        printf("%.*s", (int)(offsets[row + 1] - offsets[row]), texts + offsets[row]);
    } else if (schema->format[0] == 'l') {
        printf("%lld", (long long)((const int64_t *)array->buffers[1])[row]);
    }
}

static void print_table(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    if (stream->get_schema(stream, &schema) != 0) return;
    while (stream->get_next(stream, &batch) == 0 && batch.release) {
        for (int64_t row = 0; row < batch.length; row++)
            for (int64_t i = 0; i < batch.n_children; i++) {
                printf("%s%s=", i > 0 ? ", " : "", schema.children[i]->name);
                print_value(schema.children[i], batch.children[i], row);
                if (i + 1 == batch.n_children) putchar('\n');
            }
        batch.release(&batch);
    }
    schema.release(&schema);
}

/* ---- the release ---- */

static void check(bauta_status status, const bauta_error *error)
{
    if (status == BAUTA_OK) return;
    fprintf(stderr, "%s (%s)\n", error->message, error->hint);
    exit((int)status);
}

int main(void)
{
    bauta_error error;
    bauta_recipe *recipe;
    bauta_store *store;
    bauta_release *release;
    bauta_report *report;
    char *text;
    int batches = 1;
    struct ArrowArrayStream in = {get_schema, get_next, get_last_error, release_stream, &batches};
    struct ArrowArrayStream out;
    for (int i = 0; i < ROWS; i++) {
        ages[i] = 20 + i * 7 % 40;
        floors[i] = i * 5 % 9 % 3;
        grades[i] = i * 3 % 7 % 4;
    }

    check(bauta_recipe_new(&recipe, &error), &error);
    check(bauta_recipe_add_stream(recipe, "staff", &in, &error), &error);
    check(bauta_recipe_set(recipe, "input", "arrow:staff", &error), &error);
    check(bauta_recipe_set(recipe, "quasi", "age,floor", &error), &error);
    check(bauta_recipe_set(recipe, "sensitive", "grade", &error), &error);
    check(bauta_recipe_set(recipe, "require", "k=5,l=2", &error), &error);

    check(bauta_store_memory(&store, &error), &error);
    check(bauta_recipe_add_store(recipe, "out", store, &error), &error);
    check(bauta_anonymize(recipe, "store:out", NULL, &error), &error);
    check(bauta_audit("store:out", recipe, NULL, &error), &error);

    check(bauta_release_open("store:out", recipe, &release, &error), &error);
    check(bauta_release_query(release, "SELECT COUNT(*) WHERE age < 40", &report, &error), &error);
    check(bauta_report_text(report, &text, &error), &error);
    fprintf(stderr, "%s", text);
    check(bauta_release_table(release, "data", BAUTA_TABLE_RANGES, &out, &error), &error);
    bauta_text_free(text);
    bauta_report_free(report);
    bauta_release_free(release);
    bauta_store_free(store);
    bauta_recipe_free(recipe);

    print_table(&out); /* which lives on */
    out.release(&out);
    return 0;
}
