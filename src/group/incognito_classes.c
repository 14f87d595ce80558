/* SPDX-License-Identifier: Apache-2.0
 *
 * From groups to classes: every record finds its group by its key.
 *
 * Cost: linear in rows times columns.
 */
#include "group/incognito.h"

enum { ROWS_AT_ONCE = 1 << 14 };

typedef struct placing {
    const bt_count_job *job;
    const bt_counts *groups;
    const uint32_t *class_of; /* by group */
    uint32_t *slots;          /* group + 1; 0: free */
    unsigned bits;
    uint32_t *row_class; /* by row */
    uint64_t **keys;     /* per worker */
    bt_grouping *out;
} placing;

static bauta_status index_groups(placing *p, bauta_error *error)
{
    size_t words = p->job->lattice->words;
    p->bits = 4;
    while ((size_t)1 << p->bits < 2 * (size_t)p->groups->groups)
        p->bits++;
    uint64_t mask = ((uint64_t)1 << p->bits) - 1;
    p->slots = bt_array_zero((size_t)1 << p->bits, sizeof *p->slots);
    if (!p->slots) return bt_fail_memory(error);
    for (uint32_t g = 0; g < p->groups->groups; g++) {
        uint64_t slot = bt_key_hash(p->groups->keys + g * words, words) >> (64 - p->bits);
        while (p->slots[slot] != 0)
            slot = (slot + 1) & mask;
        p->slots[slot] = g + 1;
    }
    return BAUTA_OK;
}

static uint32_t find_group(const placing *p, const uint64_t *key)
{
    size_t words = p->job->lattice->words;
    uint64_t slot = bt_key_hash(key, words) >> (64 - p->bits), mask = ((uint64_t)1 << p->bits) - 1;
    while (!bt_key_same(p->groups->keys + (p->slots[slot] - 1) * words, key, words))
        slot = (slot + 1) & mask;
    return p->slots[slot] - 1;
}

static bauta_status place_rows(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const placing *p = user;
    const bt_lattice *lattice = p->job->lattice;
    int64_t from = (int64_t)task * ROWS_AT_ONCE, to = from + ROWS_AT_ONCE;
    if (to > lattice->rows) to = lattice->rows;
    if (!p->keys[worker])
        p->keys[worker] = bt_array(ROWS_AT_ONCE * lattice->words, sizeof **p->keys);
    uint64_t *keys = p->keys[worker];
    if (!keys) return bt_fail_memory(error);
    bt_keys_of_rows(lattice, p->groups->levels, from, to, keys);
    for (int64_t row = from; row < to; row++)
        p->row_class[row] =
            p->class_of[find_group(p, keys + (size_t)(row - from) * lattice->words)];
    return BAUTA_OK;
}

#define FIND_BOXES(type)                                                                           \
    do {                                                                                           \
        const type *codes = column->codes;                                                         \
        for (int64_t row = 0; row < out->rows; row++) {                                            \
            if (p->row_class[row] == BT_NO_CLASS) continue;                                        \
            bt_box *box = &out->boxes[p->row_class[row] * out->columns + place];                   \
            uint32_t code = codes[row];                                                            \
            box->lo = code < box->lo ? code : box->lo;                                             \
            box->hi = code > box->hi ? code : box->hi;                                             \
        }                                                                                          \
    } while (0)

/* Finds the boxes of one column, in the order of rows: memory is read from end to end. */
static bauta_status find_boxes(void *user, size_t place, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    const placing *p = user;
    bt_grouping *out = p->out;
    const bt_column *column = p->job->lattice->quasi[place];
    for (size_t i = 0; i < out->classes; i++)
        out->boxes[i * out->columns + place] = (bt_box){UINT32_MAX, 0};
    switch (column->width) {
    case 1: FIND_BOXES(uint8_t); break;
    case 2: FIND_BOXES(uint16_t); break;
    default: FIND_BOXES(uint32_t); break;
    }
    return BAUTA_OK;
}

/* Groups are in an order that may change from run to run; classes are not. */
static bauta_status number_classes(const placing *p, bauta_error *error)
{
    uint32_t classes = p->out->classes, next = 0;
    uint32_t *number = bt_array(classes, sizeof *number);
    if (!number) return bt_fail_memory(error);
    memset(number, 0xff, classes * sizeof *number);
    for (int64_t row = 0; row < p->out->rows; row++) {
        uint32_t class_number = p->row_class[row];
        if (class_number == BT_NO_CLASS) continue;
        if (number[class_number] == BT_NO_CLASS) number[class_number] = next++;
        p->row_class[row] = number[class_number];
    }
    free(number);
    return BAUTA_OK;
}

static bauta_status arrange(const placing *p, bauta_error *error)
{
    bt_grouping *out = p->out;
    out->starts = bt_array_zero((size_t)out->classes + 2, sizeof *out->starts);
    if (!out->starts) return bt_fail_memory(error);
    for (int64_t row = 0; row < out->rows; row++)
        if (p->row_class[row] != BT_NO_CLASS) out->starts[p->row_class[row] + 2]++;
    for (uint32_t i = 0; i < out->classes; i++)
        out->starts[i + 2] += out->starts[i + 1];
    out->kept = out->starts[out->classes + 1];
    out->order = bt_array((size_t)out->kept, sizeof *out->order);
    out->boxes = bt_array((size_t)out->classes * out->columns, sizeof *out->boxes);
    if (!out->order || !out->boxes) return bt_fail_memory(error);
    for (int64_t row = 0; row < out->rows; row++)
        if (p->row_class[row] != BT_NO_CLASS)
            out->order[out->starts[p->row_class[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

/* Makes the classes once p->row_class is known. */
static bauta_status make_classes(const placing *p, bauta_error *error)
{
    BT_TRY(number_classes(p, error));
    BT_TRY(arrange(p, error));
    return bt_pool_run(p->job->run->pool, p->out->columns, find_boxes, (void *)p, error);
}

bauta_status bt_classes_of_rows(const bt_count_job *job, uint32_t *row_class, uint32_t classes,
                                bt_grouping *out, bauta_error *error)
{
    placing p = {.job = job, .row_class = row_class, .out = out};
    *out = (bt_grouping){
        .rows = job->lattice->rows, .classes = classes, .columns = job->lattice->columns};
    return make_classes(&p, error);
}

bauta_status bt_classes_make(const bt_count_job *job, const bt_counts *groups,
                             const uint32_t *class_of, uint32_t classes, bt_grouping *out,
                             bauta_error *error)
{
    unsigned workers = bt_pool_size(job->run->pool);
    int64_t rows = job->lattice->rows;
    *out = (bt_grouping){.rows = rows, .classes = classes, .columns = job->lattice->columns};
    placing p = {.job = job, .groups = groups, .class_of = class_of, .out = out};
    p.row_class = bt_array((size_t)rows, sizeof *p.row_class);
    p.keys = bt_array_zero(workers, sizeof *p.keys);
    bauta_status status = p.row_class && p.keys ? index_groups(&p, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_pool_run(job->run->pool, (size_t)((rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE),
                             place_rows, &p, error);
    if (status == BAUTA_OK) status = make_classes(&p, error);
    for (unsigned i = 0; p.keys && i < workers; i++)
        free(p.keys[i]);
    free(p.keys);
    free(p.row_class);
    free(p.slots);
    return status;
}
