/* SPDX-License-Identifier: Apache-2.0
 *
 * A table in and out without a file, against the way through CSV.
 *
 *     stores TABLE.csv RECIPE.yaml THREADS FOLDER
 *
 * The table, which has no quotes, is made Arrow arrays first: columns of whole numbers are int64,
 * the others utf8. Then it is anonymized by the recipe, once from the file into a folder, once from
 * the arrays into memory; there the release is opened again and its tables are taken as Arrow
 * streams. What each took is printed as JSON.
 */
#include <bauta.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void stop(const char *what)
{
    fprintf(stderr, "stores: %s\n", what);
    exit(1);
}

static void *need(void *pointer)
{
    if (!pointer) stop("out of memory");
    return pointer;
}

static void check(bauta_status status, const bauta_error *error)
{
    if (status != BAUTA_OK) stop(error->message);
}

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef struct lap { /* seconds on the wall, and of processors, which other work does not change */
    double wall, processor;
} lap;

static lap now(void)
{
    return (lap){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

static void report(const char *name, lap from, lap to, const char *end)
{
    printf("\"%s\": {\"seconds\": %.4f, \"processor\": %.4f}%s", name, to.wall - from.wall,
           to.processor - from.processor, end);
}

/* ---- the table --------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 64, ROWS_A_BATCH = 1 << 16 };

typedef struct column {
    char *name;
    bool numbers;
    int64_t *values;
    int32_t *offsets; /* of the texts of a batch, from 0 in each */
    char *texts;
    size_t *starts; /* of each batch in `texts` */
} column;

static column columns[COLUMNS_MOST];
static int64_t column_count, row_count, batch_count;

static char *read_all(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) stop("cannot open the table");
    long size = ftell(file);
    char *text = need(malloc((size_t)size + 1));
    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) stop("cannot read the table");
    fclose(file);
    text[size] = '\0';
    *length = (size_t)size;
    return text;
}

/* Whether a field is what is left of a whole number when it is printed again. */
static bool is_number(const char *field, size_t length)
{
    size_t digits = strspn(field, "0123456789");
    return digits == length && length > 0 && length < 18 && (field[0] != '0' || length == 1);
}

/* Calls `take` with every field of the rows. */
static void each_field(char *rows,
                       void (*take)(column *to, int64_t row, const char *field, size_t length))
{
    int64_t row = 0;
    for (char *at = rows; *at; row++)
        for (int64_t c = 0; c < column_count; c++) {
            size_t length = strcspn(at, ",\n");
            take(&columns[c], row, at, length);
            at += length + 1;
        }
    row_count = row;
}

static void find_type(column *to, int64_t row, const char *field, size_t length)
{
    (void)row;
    to->numbers = to->numbers && is_number(field, length);
    to->starts[0] += length;
}

static void keep_field(column *to, int64_t row, const char *field, size_t length)
{
    int64_t batch = row / ROWS_A_BATCH, at = row % ROWS_A_BATCH;
    if (to->numbers) {
        to->values[row] = strtoll(field, NULL, 10);
        return;
    }
    int32_t *offsets = to->offsets + batch * (ROWS_A_BATCH + 1);
    if (at == 0) offsets[0] = 0;
    memcpy(to->texts + to->starts[batch] + offsets[at], field, length);
    offsets[at + 1] = offsets[at] + (int32_t)length;
    to->starts[batch + 1] = to->starts[batch] + (size_t)offsets[at + 1];
}

static void load(const char *name)
{
    size_t length, most;
    char *text = read_all(name, &length), *rows = strchr(text, '\n');
    if (!rows) stop("the table is empty");
    *rows++ = '\0';
    most = length / ROWS_A_BATCH + 2;
    for (char *field = strtok(text, ","); field; field = strtok(NULL, ",")) {
        if (column_count == COLUMNS_MOST) stop("the table has too many columns");
        columns[column_count++] =
            (column){.name = field, .numbers = true, .starts = need(calloc(most, sizeof(size_t)))};
    }
    each_field(rows, find_type);
    batch_count = (row_count + ROWS_A_BATCH - 1) / ROWS_A_BATCH;
    for (int64_t c = 0; c < column_count; c++) {
        column *to = &columns[c];
        to->texts = need(malloc(to->starts[0] + 1));
        to->starts[0] = 0;
        to->values = need(malloc((size_t)(row_count + 1) * sizeof *to->values));
        to->offsets =
            need(malloc((size_t)(batch_count + 1) * (ROWS_A_BATCH + 1) * sizeof *to->offsets));
    }
    each_field(rows, keep_field);
}

/* ---- the stream -------------------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static struct ArrowSchema items[COLUMNS_MOST], *children[COLUMNS_MOST];
    (void)stream;
    for (int64_t c = 0; c < column_count; c++) {
        items[c] = (struct ArrowSchema){.format = columns[c].numbers ? "l" : "u",
                                        .name = columns[c].name,
                                        .release = release_schema};
        children[c] = &items[c];
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = column_count,
                                .children = children,
                                .release = release_schema};
    return 0;
}

typedef struct batch {
    struct ArrowArray items[COLUMNS_MOST], *children[COLUMNS_MOST];
    const void *buffers[COLUMNS_MOST][3];
} batch;

static batch *batches;

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    static const void *none[] = {NULL};
    int64_t *next = stream->private_data, first = *next * ROWS_A_BATCH;
    *out = (struct ArrowArray){.release = NULL};
    if (*next == batch_count) return 0;
    batch *b = &batches[*next];
    int64_t rows = row_count - first < ROWS_A_BATCH ? row_count - first : ROWS_A_BATCH;
    for (int64_t c = 0; c < column_count; c++) {
        const column *from = &columns[c];
        b->buffers[c][1] = from->numbers
                               ? (const void *)(from->values + first)
                               : (const void *)(from->offsets + *next * (ROWS_A_BATCH + 1));
        b->buffers[c][2] = from->numbers ? NULL : from->texts + from->starts[*next];
        b->items[c] = (struct ArrowArray){.length = rows,
                                          .n_buffers = from->numbers ? 2 : 3,
                                          .buffers = b->buffers[c],
                                          .release = release_array};
        b->children[c] = &b->items[c];
    }
    ++*next;
    *out = (struct ArrowArray){.length = rows,
                               .n_buffers = 1,
                               .buffers = none,
                               .n_children = column_count,
                               .children = b->children,
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

/* ---- both ways --------------------------------------------------------------------------- */

static bauta_recipe *make_recipe(const char *input, const char *file, const char *threads)
{
    bauta_recipe *recipe;
    bauta_error error;
    check(bauta_recipe_new(&recipe, &error), &error);
    check(bauta_recipe_set(recipe, "input", input, &error), &error);
    check(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    check(bauta_recipe_set(recipe, "force", "yes", &error), &error);
    check(bauta_recipe_load(recipe, file, &error), &error);
    return recipe;
}

/* Rows that came out of a release. */
static int64_t take_tables(const bauta_release *release)
{
    int64_t rows = 0;
    const char *name;
    for (size_t i = 0; (name = bauta_release_table_name(release, i)); i++) {
        bauta_error error;
        struct ArrowArrayStream stream;
        struct ArrowArray array;
        check(bauta_release_table(release, name, 0, &stream, &error), &error);
        if (stream.get_next(&stream, &array) != 0) stop("the stream fails");
        rows += array.length;
        array.release(&array);
        stream.release(&stream);
    }
    return rows;
}

int main(int count, char **arguments)
{
    bauta_error error;
    bauta_store *store;
    bauta_release *release;
    int64_t next = 0;
    char publish[4096];
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, &next};
    if (count != 5) stop("usage: stores TABLE.csv RECIPE.yaml THREADS FOLDER");
    load(arguments[1]);
    batches = need(calloc((size_t)batch_count + 1, sizeof *batches));

    lap start = now();
    bauta_recipe *recipe = make_recipe(arguments[1], arguments[2], arguments[3]);
    check(bauta_anonymize(recipe, arguments[4], NULL, &error), &error);
    lap written = now();
    snprintf(publish, sizeof publish, "%s/publish", arguments[4]);
    check(bauta_release_open(publish, recipe, &release, &error), &error);
    int64_t rows = take_tables(release);
    bauta_release_free(release);
    bauta_recipe_free(recipe);
    lap read = now();

    recipe = make_recipe("arrow:table", arguments[2], arguments[3]);
    check(bauta_recipe_add_stream(recipe, "table", &stream, &error), &error);
    check(bauta_store_memory(&store, &error), &error);
    check(bauta_recipe_add_store(recipe, "out", store, &error), &error);
    check(bauta_anonymize(recipe, "store:out", NULL, &error), &error);
    lap made = now();
    check(bauta_release_open("store:out", recipe, &release, &error), &error);
    lap opened = now();
    if (take_tables(release) != rows) stop("the releases differ");
    lap taken = now();
    bauta_release_free(release);
    bauta_store_free(store);
    bauta_recipe_free(recipe);
    printf("{\"rows\": %lld, ", (long long)rows);
    report("files", start, written, ", ");
    report("files_and_back", start, read, ", ");
    report("memory", read, made, ", ");
    report("memory_and_back", read, taken, ", ");
    report("open", made, opened, ", ");
    report("tables", opened, taken, "}\n");
    return 0;
}
