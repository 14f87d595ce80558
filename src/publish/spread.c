/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing sensitive.csv and bounds.csv of the form `distribution`.
 *
 * Cost: linear in the rows of sensitive.csv; memory as shuffle.h says, and the texts of all nodes
 * of all targets.
 */
#include "publish/spread.h"

#include "class/bounds_text.h"
#include "publish/describe.h"
#include "publish/orders.h"
#include "publish/shuffle.h"

#include <string.h>

/* ---- orders ------------------------------------------------------------------------------ */

static void number_quasi(const bt_spread_files *files, const bt_row_map *map, uint32_t *numbers)
{
    for (int64_t row = 0; row < files->job->grouping->rows; row++)
        if (map->class_of[row] != UINT32_MAX) *numbers++ = files->plan->numbers[map->class_of[row]];
}

static void number_parts(const bt_spread_files *files, uint32_t *numbers)
{
    const bt_allotment *plan = files->plan;
    for (uint32_t n = 0; n < plan->classes; n++) {
        uint32_t c = plan->class_of[n];
        for (size_t i = plan->starts[c]; i < plan->starts[c + 1]; i++)
            for (uint32_t copy = 0; copy < plan->parts[i].copies; copy++)
                *numbers++ = n + 1;
    }
}

bauta_status bt_spread_orders(const bt_spread_files *files, const bt_row_map *map,
                              const char *labels[2], bauta_error *error)
{
    const bt_grouping *grouping = files->job->grouping;
    uint64_t parts = files->plan->rows;
    labels[0] = "quasi.csv";
    labels[1] = "sensitive.csv";
    if (grouping->classes < 2 || grouping->kept > BT_SMALL_FILE || parts > BT_SMALL_FILE)
        return BAUTA_OK;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t *quasi = bt_arena_array(&scratch, (size_t)grouping->kept, sizeof *quasi);
    uint32_t *sensitive = bt_arena_array(&scratch, (size_t)parts, sizeof *sensitive);
    bool tiny = false;
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t c = 0; c < grouping->classes && grouping->kept < BT_TINY_FILE; c++)
        tiny |= bt_class_size(grouping, c) == 1;
    number_quasi(files, map, quasi);
    number_parts(files, sensitive);
    const bt_order_rows rows[2] = {{labels[0], quasi, grouping->kept},
                                   {labels[1], sensitive, (int64_t)parts}};
    return bt_orders_choose(files->job->run, rows, tiny, files->job->arena, labels, error);
}

/* ---- texts ------------------------------------------------------------------------------- */

typedef struct spread_texts {
    const bt_spread_files *files;
    bt_cell_texts groups; /* per class */
    bt_cell_texts nodes;  /* of all targets, one after the other: labels, or the low ends */
    bt_cell_texts highs;  /* the high ends; of text none */
    size_t *first;        /* per target: its first node there */
    bt_shuffle *shuffle;
} spread_texts;

static bauta_status add_number(const bt_domain *domain, int64_t number, bt_cell_texts *out,
                               bauta_error *error)
{
    char text[BT_NUMBER_TEXT];
    size_t length = bt_number_print(domain->reading.type, domain->scale, number, text);
    return bt_cell_texts_add(out, text, length, error);
}

/* Numbers and dates are published by the ends of the node, text by its label. */
static bauta_status add_node(spread_texts *texts, const bt_target *target, uint32_t number,
                             bauta_error *error)
{
    const bt_space *space = &texts->files->plan->maker.space;
    const bt_target_node *node = &target->nodes[number];
    const char *label = texts->files->plan->tree->nodes[node->origin].label;
    if (!target->numbers) return bt_cell_texts_add(&texts->nodes, label, strlen(label), error);
    BT_TRY(add_number(&space->domain, node->least, &texts->nodes, error));
    return add_number(&space->domain, node->greatest, &texts->highs, error);
}

static bauta_status make_nodes(spread_texts *texts, bauta_error *error)
{
    const bt_allotment *plan = texts->files->plan;
    texts->first = bt_array(plan->target_count, sizeof *texts->first);
    if (!texts->first) return bt_fail_memory(error);
    for (uint32_t t = 0; t < plan->target_count; t++) {
        const bt_target *target = &plan->targets[t];
        texts->first[t] = texts->nodes.count;
        for (uint32_t i = 0; i < target->count; i++)
            BT_TRY(add_node(texts, target, i, error));
    }
    return BAUTA_OK;
}

static bauta_status make_texts(spread_texts *texts, bauta_error *error)
{
    char text[BT_NUMBER_TEXT];
    for (uint32_t c = 0; c < texts->files->plan->classes; c++) {
        size_t length = bt_number_print(BT_INTEGER, 0, texts->files->plan->numbers[c], text);
        BT_TRY(bt_cell_texts_add(&texts->groups, text, length, error));
    }
    return make_nodes(texts, error);
}

/* ---- sensitive.csv ----------------------------------------------------------------------- */

typedef struct packed_row {
    uint32_t group, node; /* numbers of texts */
} packed_row;

static char *put_text(char *out, const bt_cell_texts *texts, uint32_t number)
{
    size_t length = bt_cell_text_length(texts, number);
    memcpy(out, texts->bytes.bytes + (number ? texts->ends[number - 1] : 0), length);
    return out + length;
}

static void write_texts(const void *user, const bt_shuffle_row *rows, size_t count, char *text)
{
    const spread_texts *texts = user;
    for (size_t i = 0; i < count; i++) {
        packed_row row;
        memcpy(&row, rows[i].packed, sizeof row);
        text = put_text(text, &texts->groups, row.group);
        *text++ = ',';
        text = put_text(text, &texts->nodes, row.node);
        if (texts->highs.count > 0) {
            *text++ = ',';
            text = put_text(text, &texts->highs, row.node);
        }
        *text++ = '\n';
    }
}

static bauta_status pack_rows(const spread_texts *texts, bauta_error *error)
{
    const bt_allotment *plan = texts->files->plan;
    int64_t number = 0;
    for (uint32_t n = 0; n < plan->classes; n++) {
        uint32_t c = plan->class_of[n];
        size_t group_length = bt_cell_text_length(&texts->groups, c);
        for (size_t i = plan->starts[c]; i < plan->starts[c + 1]; i++) {
            uint32_t node = (uint32_t)texts->first[plan->target_of[c]] + plan->parts[i].node;
            packed_row row = {c, node};
            size_t length = group_length + bt_cell_text_length(&texts->nodes, node) + 2;
            if (texts->highs.count > 0) length += bt_cell_text_length(&texts->highs, node) + 1;
            for (uint32_t copy = 0; copy < plan->parts[i].copies; copy++)
                BT_TRY(bt_shuffle_add(texts->shuffle, 0, number++, (const char *)&row, sizeof row,
                                      length, error));
        }
        if (n % 1024 == 0)
            BT_TRY(bt_run_progress(texts->files->job->run, 0, "publishing", number,
                                   (int64_t)plan->rows, error));
    }
    return BAUTA_OK;
}

static bauta_status put_header(const bt_spread_files *files, bt_buffer *out, bauta_error *error)
{
    const char *column = files->plan->column.name;
    BT_TRY(bt_csv_put(out, files->group_name, strlen(files->group_name), error));
    if (files->plan->targets[0].numbers) return bt_buffer_print(out, error, ",low,high\n");
    BT_TRY(bt_buffer_add(out, ",", 1, error));
    BT_TRY(bt_csv_put(out, column, strlen(column), error));
    return bt_buffer_add(out, "\n", 1, error);
}

static bauta_status write_rows(spread_texts *texts, const bt_store_file *file, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer header = {0};
    BT_TRY(put_header(texts->files, &header, error));
    BT_TRY(bt_store_put(file, 0, header.bytes, header.length, error));
    BT_TRY(pack_rows(texts, error));
    return bt_shuffle_write(texts->shuffle, file, (int64_t)header.length, error);
}

static bauta_status write_file(spread_texts *texts, const char *stream, bauta_error *error)
{
    const bt_form_job *job = texts->files->job;
    bt_store_file file;
    BT_TRY(make_texts(texts, error));
    BT_TRY(bt_shuffle_new(job->run, stream, (int64_t)texts->files->plan->rows, write_texts, texts,
                          &texts->shuffle, error));
    BT_TRY(bt_store_create(job->store, BT_SHELF_PUBLISH, "sensitive.csv", &file, error));
    return bt_store_finish(&file, write_rows(texts, &file, error), error);
}

static void release_texts(spread_texts *texts)
{
    bt_cell_texts_release(&texts->groups);
    bt_cell_texts_release(&texts->nodes);
    bt_cell_texts_release(&texts->highs);
    free(texts->first);
    bt_shuffle_free(texts->shuffle);
}

bauta_status bt_spread_write(const bt_spread_files *files, const char *stream, bauta_error *error)
{
    BT_OWN(release_texts) spread_texts texts = {.files = files};
    return write_file(&texts, stream, error);
}

/* ---- bounds.csv -------------------------------------------------------------------------- */

static bauta_status put_group(const bt_spread_files *files, const bt_bounds_format *format,
                              uint32_t c, bt_arena *arena, bt_buffer *out, bauta_error *error)
{
    const bt_allotment *plan = files->plan;
    const bt_target *target = bt_allotment_target(plan, c);
    size_t count = plan->starts[c + 1] - plan->starts[c];
    bt_subdomain *items = bt_arena_array(arena, count, sizeof *items);
    bt_subdomains group;
    if (!items) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bt_part *part = &plan->parts[plan->starts[c] + i];
        const bt_target_node *node = &target->nodes[part->node];
        items[i] = (bt_subdomain){node->least, node->greatest, part->copies};
    }
    BT_TRY(bt_subdomains_make(items, count, arena, &group, error));
    return bt_bounds_rows(format, files->plan->numbers[c],
                          (uint64_t)bt_class_size(files->job->grouping, c), &group, out, error);
}

bauta_status bt_spread_bounds(const bt_spread_files *files, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    const bt_domain *domain = &files->plan->maker.space.domain;
    const bt_bounds_format format = {files->group_name, domain->reading.type, domain->scale};
    if (!files->plan->targets[0].numbers) return BAUTA_OK;
    BT_TRY(bt_bounds_head(&format, &text, error));
    for (uint32_t n = 0; n < files->plan->classes; n++) {
        BT_OWN(bt_arena_release) bt_arena scratch = {0};
        BT_TRY(put_group(files, &format, files->plan->class_of[n], &scratch, &text, error));
    }
    return bt_store_write(files->job->store, BT_SHELF_PUBLISH, "bounds.csv", text.bytes,
                          text.length, error);
}
