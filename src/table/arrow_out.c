/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of texts and numbers to Arrow arrays.
 */
#include "table/arrow_out.h"

#include "base/assert.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

enum { FORMAT_ROOM = 16, BUFFERS = 3 };

typedef struct part { /* a column, or the texts of its dictionary */
    const char *name;
    char format[FORMAT_ROOM];
    int64_t length, missing;
    int64_t buffer_count;
    const void *buffers[BUFFERS];
    struct part *dictionary; /* NULL: it has none */
    struct ArrowArray array;
    struct ArrowArray dictionary_array;
} part;

struct bt_arrow_table {
    int64_t rows;
    size_t count, room;
    part *parts;
    struct ArrowArray **children;
    bool handed_out; /* the batch was */
    bt_arena arena;
    _Atomic size_t holders;
};

static void drop_table(bt_arrow_table *table)
{
    if (!table || atomic_fetch_sub(&table->holders, 1) > 1) return;
    bt_arena_release(&table->arena);
    free(table);
}

bauta_status bt_arrow_new(size_t columns, int64_t rows, bt_arrow_table **out, bauta_error *error)
{
    bt_arrow_table *table = *out = bt_array_zero(1, sizeof *table);
    if (!table) return bt_fail_memory(error);
    *table = (bt_arrow_table){.rows = rows, .room = columns, .holders = 1};
    table->parts = bt_arena_array(&table->arena, columns, sizeof *table->parts);
    table->children = bt_arena_array(&table->arena, columns, sizeof(struct ArrowArray *));
    if (!table->arena.failed) return BAUTA_OK;
    bt_arrow_free(out);
    return bt_fail_memory(error);
}

void bt_arrow_free(bt_arrow_table **table)
{
    drop_table(*table);
    *table = NULL;
}

/* ---- columns ----------------------------------------------------------------------------- */

static part *add_part(bt_arrow_table *table, const char *name)
{
    BT_ASSERT(table->count < table->room);
    part *column = &table->parts[table->count++];
    column->name = bt_arena_copy(&table->arena, name, strlen(name));
    column->length = table->rows;
    return column;
}

/* The bitmap of the rows that are not missing, of which there must be some; its bits are set. */
static uint8_t *all_present(bt_arrow_table *table, int64_t rows)
{
    size_t bytes = ((size_t)rows + 7) / 8;
    uint8_t *bits = bt_arena_array(&table->arena, bytes, 1);
    if (bits) memset(bits, 0xff, bytes);
    return bits;
}

static void set_missing(part *column, uint8_t *bits, int64_t row)
{
    bits[row / 8] &= (uint8_t) ~(1u << (row % 8));
    column->missing++;
}

/* Puts texts, given by their numbers in `values`, one after the other into an array of strings. */
static bauta_status put_strings(bt_arrow_table *table, part *to, const bt_values *values,
                                const uint32_t *numbers, bauta_error *error)
{
    size_t bytes = 0;
    for (int64_t i = 0; i < to->length; i++)
        if (!bt_size_add(bytes, values->length[numbers[i]], &bytes)) return bt_fail_memory(error);
    bool large = bytes > INT32_MAX;
    size_t width = large ? sizeof(int64_t) : sizeof(int32_t), end = 0;
    char *text = bt_arena_alloc(&table->arena, bytes + 1);
    void *offsets = bt_arena_array(&table->arena, (size_t)to->length + 1, width);
    BT_TRY(bt_arena_check(&table->arena, error));
    for (int64_t i = 0; i < to->length; i++) {
        uint32_t length = values->length[numbers[i]];
        memcpy(text + end, values->text[numbers[i]], length);
        end += length;
        if (large)
            ((int64_t *)offsets)[i + 1] = (int64_t)end;
        else
            ((int32_t *)offsets)[i + 1] = (int32_t)end;
    }
    snprintf(to->format, sizeof to->format, "%s", large ? "U" : "u");
    to->buffer_count = 3;
    to->buffers[1] = offsets;
    to->buffers[2] = text;
    return BAUTA_OK;
}

/* Numbers the texts that occur in the order of their first rows; empty ones have none. */
static uint32_t number_texts(const bt_arrow_table *table, const bt_arrow_texts *texts,
                             uint32_t *number_of, uint32_t *first)
{
    uint32_t count = 0;
    memset(number_of, 0xff, texts->values->count * sizeof *number_of);
    for (int64_t row = 0; row < table->rows && count < texts->values->count; row++) {
        uint32_t code = bt_code_at(texts->codes, texts->width, row);
        if (number_of[code] != UINT32_MAX || texts->values->length[code] == 0) continue;
        first[count] = code;
        number_of[code] = count++;
    }
    return count;
}

/* Whether an index and each text once take less than each text in every row, on the whole. */
static bool pays(const bt_arrow_table *table, uint32_t count)
{
    return count <= INT32_MAX && (int64_t)count <= table->rows / 2;
}

static bauta_status add_dictionary(bt_arrow_table *table, part *column, const bt_arrow_texts *texts,
                                   const uint32_t *number_of, const uint32_t *first, uint32_t count,
                                   uint8_t *bits, bauta_error *error)
{
    int32_t *indices = bt_arena_array(&table->arena, (size_t)table->rows, sizeof *indices);
    part *dictionary = bt_arena_array(&table->arena, 1, sizeof *dictionary);
    BT_TRY(bt_arena_check(&table->arena, error));
    for (int64_t row = 0; row < table->rows; row++) {
        uint32_t number = number_of[bt_code_at(texts->codes, texts->width, row)];
        if (number == UINT32_MAX)
            set_missing(column, bits, row);
        else
            indices[row] = (int32_t)number;
    }
    snprintf(column->format, sizeof column->format, "i");
    column->buffer_count = 2;
    column->buffers[1] = indices;
    column->dictionary = dictionary;
    dictionary->name = "";
    dictionary->length = count;
    return put_strings(table, dictionary, texts->values, first, error);
}

bauta_status bt_arrow_add_texts(bt_arrow_table *table, const char *name,
                                const bt_arrow_texts *texts, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    part *column = add_part(table, name);
    uint32_t *number_of = bt_arena_alloc(&scratch, (texts->values->count + 1) * sizeof *number_of);
    uint32_t *first = bt_arena_alloc(&scratch, (texts->values->count + 1) * sizeof *first);
    uint8_t *bits = all_present(table, table->rows);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(&table->arena, error));
    uint32_t count = number_texts(table, texts, number_of, first);
    if (pays(table, count)) {
        BT_TRY(add_dictionary(table, column, texts, number_of, first, count, bits, error));
    } else {
        uint32_t *codes = bt_arena_alloc(&scratch, (size_t)table->rows * sizeof *codes);
        BT_TRY(bt_arena_check(&scratch, error));
        for (int64_t row = 0; row < table->rows; row++) {
            codes[row] = bt_code_at(texts->codes, texts->width, row);
            if (texts->values->length[codes[row]] == 0) set_missing(column, bits, row);
        }
        BT_TRY(put_strings(table, column, texts->values, codes, error));
    }
    column->buffers[0] = column->missing > 0 ? bits : NULL;
    return BAUTA_OK;
}

bauta_status bt_arrow_add_numbers(bt_arrow_table *table, const char *name,
                                  const bt_arrow_numbers *numbers, bauta_error *error)
{
    static const size_t widths[] = {
        [BT_INTEGER] = sizeof(int64_t), [BT_DECIMAL] = 2 * sizeof(int64_t), [BT_DATE] = 4};
    part *column = add_part(table, name);
    uint8_t *bits = all_present(table, table->rows);
    void *data = bt_arena_array(&table->arena, (size_t)table->rows, widths[numbers->type]);
    int64_t *wide = data;
    int32_t *days = data;
    BT_TRY(bt_arena_check(&table->arena, error));
    for (int64_t row = 0; row < table->rows; row++) {
        uint32_t code = bt_code_at(numbers->codes, numbers->width, row);
        int64_t number = numbers->numbers[code];
        if (!numbers->present[code])
            set_missing(column, bits, row);
        else if (numbers->type == BT_DATE)
            days[row] = (int32_t)number;
        else if (numbers->type == BT_INTEGER)
            wide[row] = number;
        else {
            wide[2 * row] = number; /* 128 bits, the lowest first */
            wide[2 * row + 1] = number < 0 ? -1 : 0;
        }
    }
    if (numbers->type == BT_DECIMAL)
        snprintf(column->format, sizeof column->format, "d:19,%d", numbers->scale);
    else
        snprintf(column->format, sizeof column->format, "%s",
                 numbers->type == BT_DATE ? "tdD" : "l");
    column->buffer_count = 2;
    column->buffers[0] = column->missing > 0 ? bits : NULL;
    column->buffers[1] = data;
    return BAUTA_OK;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* What was moved elsewhere is released there. */
static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    array->release = NULL;
    drop_table(array->private_data);
}

static struct ArrowArray array_of(bt_arrow_table *table, part *from)
{
    atomic_fetch_add(&table->holders, 1);
    return (struct ArrowArray){.length = from->length,
                               .null_count = from->missing,
                               .n_buffers = from->buffer_count,
                               .buffers = from->buffers,
                               .release = release_array,
                               .private_data = table};
}

static void make_batch(bt_arrow_table *table, struct ArrowArray *out)
{
    static const void *no_buffers[] = {NULL};
    for (size_t i = 0; i < table->count; i++) {
        part *column = &table->parts[i];
        column->array = array_of(table, column);
        if (column->dictionary) {
            column->dictionary_array = array_of(table, column->dictionary);
            column->array.dictionary = &column->dictionary_array;
        }
        table->children[i] = &column->array;
    }
    atomic_fetch_add(&table->holders, 1);
    *out = (struct ArrowArray){.length = table->rows,
                               .n_buffers = 1,
                               .buffers = no_buffers,
                               .n_children = (int64_t)table->count,
                               .children = table->children,
                               .release = release_array,
                               .private_data = table};
}

/* ---- schemas ----------------------------------------------------------------------------- */

typedef struct schemas { /* those of one call, in one block */
    bt_arrow_table *table;
    _Atomic size_t holders;
    struct ArrowSchema **children;
    struct ArrowSchema items[]; /* of the columns, then of their dictionaries */
} schemas;

static void release_schema(struct ArrowSchema *schema)
{
    schemas *all = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    schema->release = NULL;
    if (atomic_fetch_sub(&all->holders, 1) > 1) return;
    drop_table(all->table);
    free(all->children);
    free(all);
}

static struct ArrowSchema schema_of(schemas *all, const part *from)
{
    all->holders++;
    return (struct ArrowSchema){.format = from->format,
                                .name = from->name,
                                .flags = ARROW_FLAG_NULLABLE,
                                .release = release_schema,
                                .private_data = all};
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    bt_arrow_table *table = stream->private_data;
    size_t count = table->count;
    schemas *all = bt_array_zero(1, sizeof *all + 2 * count * sizeof all->items[0]);
    struct ArrowSchema **children = bt_array(count, sizeof(struct ArrowSchema *));
    out->release = NULL;
    if (!all || !children) {
        free(all);
        free(children);
        return ENOMEM;
    }
    all->table = table;
    all->children = children;
    all->holders = 1;
    atomic_fetch_add(&table->holders, 1);
    for (size_t i = 0; i < count; i++) {
        const part *column = &table->parts[i];
        all->items[i] = schema_of(all, column);
        if (column->dictionary) {
            all->items[count + i] = schema_of(all, column->dictionary);
            all->items[i].dictionary = &all->items[count + i];
        }
        children[i] = &all->items[i];
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = (int64_t)count,
                                .children = children,
                                .release = release_schema,
                                .private_data = all};
    return 0;
}

/* ---- the stream -------------------------------------------------------------------------- */

/* One batch, then the end. A table without rows has none. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    bt_arrow_table *table = stream->private_data;
    *out = (struct ArrowArray){0};
    if (!table->handed_out && table->rows > 0) make_batch(table, out);
    table->handed_out = true;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    drop_table(stream->private_data);
    stream->release = NULL;
}

void bt_arrow_hand_out(bt_arrow_table **table, struct ArrowArrayStream *out)
{
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = *table};
    *table = NULL;
}
