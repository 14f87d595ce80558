/* SPDX-License-Identifier: Apache-2.0
 *
 * Making the cells of all classes. A cell is looked up by what it consists of (node, range or
 * set of codes), so that its text is written once however many classes share it.
 */
#include "publish/cells.h"

#include "base/bitset.h"
#include "base/csv.h"
#include "io/coder.h"
#include "recipe/cell.h"

typedef struct cells_job {
    const bt_grouping *grouping;
    const bt_column *const *quasi;
    bt_cells *out;
} cells_job;

typedef struct cell_maker { /* of one column */
    const bt_grouping *grouping;
    const bt_column *column;
    bt_cell_texts *texts;
    bt_coder known; /* key -> number of the text */
    uint32_t *key;  /* lo, hi, then the bits of a set; or node and a mark */
    bt_buffer scratch;
} cell_maker;

/* The bits of the codes that occur, if the cell depends on them; the length of the key. */
static size_t make_key(cell_maker *maker, uint32_t class_number, bt_box box, bool *set)
{
    const bt_column *column = maker->column;
    bool mixed = box.lo != box.hi && box.hi >= bt_domain_present(&column->domain);
    *set = false;
    maker->key[0] = box.lo;
    maker->key[1] = box.hi;
    if (column->hierarchy) {
        maker->key[0] = mixed ? 0 : bt_hierarchy_cover(column->hierarchy, box.lo, box.hi);
        maker->key[1] = UINT32_MAX;
        return 8;
    }
    if (column->domain.reading.type != BT_TEXT || mixed || box.lo == box.hi) return 8;
    *set = true;
    size_t words = bt_bitset_words(column->domain.size);
    uint64_t *present = (uint64_t *)(void *)(maker->key + 2);
    memset(present, 0, words * sizeof *present);
    bt_bitset_add(present, box.lo);
    bt_bitset_add(present, box.hi);
    if (box.hi - box.lo > 1) {
        const bt_grouping *grouping = maker->grouping;
        for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1];
             i++)
            bt_bitset_add(present, bt_column_code(column, grouping->order[i]));
    }
    return 8 + words * sizeof *present;
}

static bauta_status add_text(cell_maker *maker, bt_box box, bool set, bauta_error *error)
{
    bt_cell_texts *texts = maker->texts;
    BT_TRY(bt_array_grow(&texts->ends, &texts->ends_capacity, (size_t)texts->count + 1,
                         sizeof *texts->ends, error));
    if (maker->column->hierarchy) {
        BT_TRY(bt_array_grow(&texts->nodes, &texts->nodes_capacity, (size_t)texts->count + 1,
                             sizeof *texts->nodes, error));
        texts->nodes[texts->count] = maker->key[0];
    }
    maker->scratch.length = 0;
    BT_TRY(bt_cell_write(maker->column, box.lo, box.hi,
                         set ? (const uint64_t *)(const void *)(maker->key + 2) : NULL,
                         &maker->scratch, error));
    BT_TRY(bt_csv_put(&texts->bytes, maker->scratch.bytes, maker->scratch.length, error));
    texts->ends[texts->count++] = texts->bytes.length;
    return BAUTA_OK;
}

static bauta_status make_texts(cell_maker *maker, size_t place, uint32_t *ids, bauta_error *error)
{
    const bt_grouping *grouping = maker->grouping;
    for (uint32_t i = 0; i < grouping->classes; i++) {
        bt_box box = bt_class_box(grouping, i)[place];
        bool set;
        size_t length = make_key(maker, i, box, &set);
        const char *key = (const char *)maker->key;
        uint32_t id = bt_coder_count(&maker->known, key, (uint32_t)length, 1);
        if (id == BT_CODER_FULL) {
            BT_TRY(bt_coder_add(&maker->known, key, (uint32_t)length, true, 1, &id, error));
            BT_TRY(add_text(maker, box, set, error));
        }
        ids[(size_t)i * grouping->columns + place] = id;
    }
    return BAUTA_OK;
}

static bauta_status make_column(void *user, size_t place, unsigned worker, bauta_error *error)
{
    (void)worker;
    const cells_job *job = user;
    const bt_column *column = job->quasi[place];
    cell_maker maker = {
        .grouping = job->grouping, .column = column, .texts = &job->out->texts[place]};
    maker.key = bt_array(2 + 2 * bt_bitset_words(column->domain.size), sizeof *maker.key);
    bauta_status status =
        maker.key ? make_texts(&maker, place, job->out->ids, error) : bt_fail_memory(error);
    bt_coder_release(&maker.known);
    bt_buffer_release(&maker.scratch);
    free(maker.key);
    return status;
}

bauta_status bt_cells_make(const bt_grouping *grouping, const bt_column *const *quasi,
                           const bt_run *run, bt_cells *out, bauta_error *error)
{
    *out = (bt_cells){.columns = grouping->columns};
    out->texts = bt_array_zero(grouping->columns, sizeof *out->texts);
    size_t ids;
    if (bt_size_mul(grouping->classes, grouping->columns, &ids))
        out->ids = bt_array(ids, sizeof *out->ids);
    if (!out->texts || !out->ids) return bt_fail_memory(error);
    cells_job job = {grouping, quasi, out};
    return bt_pool_run(run->pool, grouping->columns, make_column, &job, error);
}

void bt_cells_release(bt_cells *cells)
{
    for (size_t i = 0; cells->texts && i < cells->columns; i++) {
        bt_buffer_release(&cells->texts[i].bytes);
        free(cells->texts[i].ends);
        free(cells->texts[i].nodes);
    }
    free(cells->texts);
    free(cells->ids);
    *cells = (bt_cells){0};
}
