/* SPDX-License-Identifier: Apache-2.0
 *
 * Making the cells of all classes. A cell is looked up by what it consists of (node, range or
 * set of codes), so that its text is written once however many classes share it.
 */
#include "publish/cells.h"

#include "base/bitset.h"
#include "base/csv.h"
#include "base/sort.h"
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
    size_t place; /* among the quasi columns */
    bt_cell_texts *texts;
    bt_coder known;    /* key -> number of the text */
    uint32_t *key;     /* lo and hi, a node and a mark, or the codes of a set, ascending */
    uint64_t *present; /* the codes of a set; all zero between uses */
    bt_buffer scratch;
} cell_maker;

/* Marks the codes that occur in a class and lists them in maker->key; returns how many. A class
 * of few records in a large domain must not cost a walk over the domain. */
static uint32_t list_codes(cell_maker *maker, uint32_t class_number, bt_box box)
{
    const uint32_t *rows = maker->grouping->order + maker->grouping->starts[class_number];
    int64_t size = bt_class_size(maker->grouping, class_number);
    uint32_t count = 0, first = box.lo / 64, last = box.hi / 64;
    bool walk = last - first <= 4 * (uint64_t)size;
    for (int64_t i = 0; i < size; i++) {
        uint32_t code = bt_column_code(maker->column, rows[i]);
        if (!walk && !bt_bitset_has(maker->present, code)) maker->key[count++] = code;
        bt_bitset_add(maker->present, code);
    }
    for (uint32_t word = first; walk && word <= last; word++)
        for (uint64_t bits = maker->present[word]; bits; bits &= bits - 1)
            maker->key[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
    if (!walk) qsort(maker->key, count, sizeof *maker->key, bt_compare_uint32);
    return count;
}

static void forget_codes(cell_maker *maker, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        maker->present[maker->key[i] / 64] = 0;
}

/* What the cell of a class consists of; the number of codes in the key. */
static uint32_t make_key(cell_maker *maker, uint32_t class_number, bt_box box, bool *set)
{
    const bt_column *column = maker->column;
    bool mixed = box.lo != box.hi && box.hi >= bt_domain_present(&column->domain);
    *set = false;
    maker->key[0] = mixed ? 0 : box.lo;
    maker->key[1] = mixed ? UINT32_MAX : box.hi;
    if (column->hierarchy) {
        maker->key[0] = bt_published_node(maker->grouping, column, maker->place, class_number);
        maker->key[1] = UINT32_MAX;
        return 2;
    }
    if (column->domain.reading.type != BT_TEXT || mixed || box.hi - box.lo <= 1) return 2;
    *set = true;
    return list_codes(maker, class_number, box);
}

bauta_status bt_cell_texts_add(bt_cell_texts *texts, const char *bytes, size_t length,
                               bauta_error *error)
{
    size_t before = texts->bytes.length;
    BT_TRY(bt_array_grow(&texts->ends, &texts->ends_capacity, (size_t)texts->count + 1,
                         sizeof *texts->ends, error));
    BT_TRY(bt_csv_put(&texts->bytes, bytes, length, error));
    BT_TRY(bt_buffer_reserve(&texts->bytes, BT_CELL_SLACK, error));
    if (texts->bytes.length - before > texts->longest)
        texts->longest = texts->bytes.length - before;
    texts->ends[texts->count++] = texts->bytes.length;
    return BAUTA_OK;
}

void bt_cell_texts_release(bt_cell_texts *texts)
{
    bt_buffer_release(&texts->bytes);
    free(texts->ends);
    free(texts->nodes);
}

static bauta_status add_text(cell_maker *maker, bt_box box, bool set, bauta_error *error)
{
    bt_cell_texts *texts = maker->texts;
    if (maker->column->hierarchy) {
        const char *label = maker->column->hierarchy->nodes[maker->key[0]].label;
        BT_TRY(bt_array_grow(&texts->nodes, &texts->nodes_capacity, (size_t)texts->count + 1,
                             sizeof *texts->nodes, error));
        texts->nodes[texts->count] = maker->key[0];
        return bt_cell_texts_add(texts, label, strlen(label), error);
    }
    maker->scratch.length = 0;
    BT_TRY(bt_cell_write(maker->column, box.lo, box.hi, set ? maker->present : NULL,
                         &maker->scratch, error));
    return bt_cell_texts_add(texts, maker->scratch.bytes, maker->scratch.length, error);
}

static bauta_status find_text(cell_maker *maker, bt_box box, uint32_t codes, bool set, uint32_t *id,
                              bauta_error *error)
{
    const char *key = (const char *)maker->key;
    size_t length = codes * sizeof *maker->key;
    if (length > UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "a set has more than a billion members");
    *id = bt_coder_count(&maker->known, key, (uint32_t)length, 1);
    if (*id != BT_CODER_FULL) return BAUTA_OK;
    BT_TRY(bt_coder_add(&maker->known, key, (uint32_t)length, true, 1, id, error));
    return add_text(maker, box, set, error);
}

/* The cells of a plan, as they are. */
static bauta_status take_texts(cell_maker *maker, size_t place, uint32_t *ids, bauta_error *error)
{
    const bt_grouping *grouping = maker->grouping;
    for (uint32_t i = 0; i < grouping->classes; i++) {
        size_t at = (size_t)i * grouping->columns + place;
        const char *text = grouping->texts[at];
        maker->scratch.length = 0; /* with room behind it, as keys need */
        BT_TRY(bt_buffer_print(&maker->scratch, error, "%s", text));
        BT_TRY(bt_buffer_reserve(&maker->scratch, BT_WORDS, error));
        size_t length = maker->scratch.length;
        if (length > UINT32_MAX) return bt_fail(error, BAUTA_INVALID, "a cell is too long");
        ids[at] = bt_coder_count(&maker->known, maker->scratch.bytes, (uint32_t)length, 1);
        if (ids[at] != BT_CODER_FULL) continue;
        BT_TRY(bt_coder_add(&maker->known, maker->scratch.bytes, (uint32_t)length, true, 1,
                            &ids[at], error));
        BT_TRY(bt_cell_texts_add(maker->texts, text, length, error));
    }
    return BAUTA_OK;
}

static bauta_status make_texts(cell_maker *maker, size_t place, uint32_t *ids, bauta_error *error)
{
    const bt_grouping *grouping = maker->grouping;
    if (grouping->texts && !maker->column->hierarchy) return take_texts(maker, place, ids, error);
    for (uint32_t i = 0; i < grouping->classes; i++) {
        bt_box box = bt_published_box(grouping, maker->column, place, i);
        bool set;
        uint32_t codes = make_key(maker, i, box, &set);
        BT_TRY(
            find_text(maker, box, codes, set, &ids[(size_t)i * grouping->columns + place], error));
        if (set) forget_codes(maker, codes);
    }
    return BAUTA_OK;
}

static void release_maker(cell_maker *maker)
{
    bt_coder_release(&maker->known);
    bt_buffer_release(&maker->scratch);
    free(maker->key);
    free(maker->present);
}

static bauta_status make_column(void *user, size_t place, unsigned worker, bauta_error *error)
{
    (void)worker;
    const cells_job *job = user;
    const bt_column *column = job->quasi[place];
    BT_OWN(release_maker)
    cell_maker maker = {.grouping = job->grouping,
                        .column = column,
                        .place = place,
                        .texts = &job->out->texts[place]};
    bool sets = !column->hierarchy && column->domain.reading.type == BT_TEXT;
    size_t members = sets ? column->domain.size : 0;
    maker.key = bt_array_zero(2 + members + BT_WORDS / sizeof *maker.key, sizeof *maker.key);
    maker.present = bt_array_zero(bt_bitset_words(members), sizeof *maker.present);
    if (!maker.key || !maker.present) return bt_fail_memory(error);
    return make_texts(&maker, place, job->out->ids, error);
}

static bauta_status sum_lengths(bt_cells *cells, uint32_t classes, bauta_error *error)
{
    cells->lengths = bt_array(classes, sizeof *cells->lengths);
    if (!cells->lengths) return bt_fail_memory(error);
    const uint32_t *id = cells->ids;
    for (uint32_t i = 0; i < classes; i++) {
        cells->lengths[i] = 0;
        for (size_t c = 0; c < cells->columns; c++, id++)
            cells->lengths[i] += bt_cell_text_length(&cells->texts[c], *id);
    }
    return BAUTA_OK;
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
    BT_TRY(bt_pool_run(run->pool, grouping->columns, make_column, &job, error));
    return sum_lengths(out, grouping->classes, error);
}

void bt_cells_release(bt_cells *cells)
{
    for (size_t i = 0; cells->texts && i < cells->columns; i++)
        bt_cell_texts_release(&cells->texts[i]);
    free(cells->texts);
    free(cells->ids);
    free(cells->lengths);
    *cells = (bt_cells){0};
}
