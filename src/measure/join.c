/* SPDX-License-Identifier: Apache-2.0
 *
 * The losses of paper 5, of the records of the microdata alone (R1 and R2 of the notes): the mean
 * over their cells of the normalized certainty penalty, the sum over them of the records of the
 * microdata in their class, and the sum of the perimeters of their boxes. They are those of any
 * release, but for how many rows show a cell.
 *
 * Cost: classes times quasi columns.
 */
#include "base/bitset.h"
#include "measure/grouping.h"

/* ---- of a release ---- */

typedef struct joined { /* the cells of classes, shown by records of the microdata */
    const bt_release *release;
    const uint32_t *records;
} joined;

static int64_t cell_of_class(const bt_measure_column *column, uint32_t number, bt_cell *out)
{
    const joined *j = column->source;
    const bt_release_column *shown = &j->release->columns[column->place];
    bt_shown_cell(shown, bt_code_at(shown->codes, shown->width, j->release->classes.row[number]),
                  out);
    return j->records[number];
}

bauta_status bt_measure_join(const bt_release *release, const bt_original_facts *original,
                             const uint32_t *records, bt_facts *facts, json_t *at,
                             bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const joined source = {release, records};
    size_t count;
    bt_measure_column *columns = bt_measure_columns(release, original, &scratch, &count);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < count; i++) {
        columns[i].cells = release->classes.count;
        columns[i].cell = cell_of_class;
        columns[i].source = &source;
    }
    const bt_measure_job job = {.columns = columns,
                                .column_count = count,
                                .sizes = records,
                                .classes = release->classes.count,
                                .rows = original->rows,
                                .dropped = release->manifest.dropped_rows};
    json_t *join = bt_put_object(facts, at, "join");
    bt_put_real(facts, join, "ncp", bt_ncp(&job));
    bt_discernibility_put(&job, facts, join);
    bt_perimeter_put(&job, facts, join);
    return bt_facts_check(facts, error);
}

/* ---- before there is one ---- */

bauta_status bt_own_extent(const bt_column *column, int64_t rows, bt_original_column *out,
                           bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    uint32_t present = bt_domain_present(domain), first = UINT32_MAX, last = 0;
    *out = (bt_original_column){.weight = column->steering.weight};
    if (column->hierarchy) return BAUTA_OK; /* its leaves say all that is needed */
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint64_t *seen = bt_arena_array(&scratch, bt_bitset_words(domain->size), sizeof *seen);
    BT_TRY(bt_arena_check(&scratch, error));
    for (int64_t row = 0; row < rows; row++)
        bt_bitset_add(seen, bt_column_code(column, row));
    for (uint32_t code = 0; code < present; code++) {
        if (!bt_bitset_has(seen, code)) continue;
        if (first == UINT32_MAX) first = code;
        last = code;
        out->values++;
    }
    if (domain->number && out->values > 0) {
        out->least = domain->number[first];
        out->greatest = domain->number[last];
        out->scale = domain->scale;
    }
    return BAUTA_OK;
}

bauta_status bt_join_measure(const bt_join *join, bt_join_score *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(bt_free) const bt_column **quasi = NULL;
    size_t count;
    BT_TRY(bt_table_select(&join->table, BT_ROLE_QUASI, &quasi, &count, error));
    bt_grouping_cells cells = {.grouping = &join->grouping, .quasi = quasi, .rows = join->records};
    BT_TRY(bt_grouping_show(&cells, &scratch, error));
    for (size_t c = 0; c < count; c++)
        BT_TRY(bt_own_extent(quasi[c], join->microdata, &cells.columns[c].original, error));
    const bt_measure_job job = {.columns = cells.columns,
                                .column_count = count,
                                .sizes = join->records,
                                .classes = join->grouping.classes,
                                .rows = join->microdata};
    unsigned __int128 squares = bt_discernibility(&job);
    out->ncp = bt_ncp(&job);
    out->discernibility = squares > INT64_MAX ? INT64_MAX : (int64_t)squares;
    return BAUTA_OK;
}
