/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `generalized` releases.
 *
 * Left parts are the cells that records of a class share, right parts the columns that are
 * published as they are. Records are independent of each other: each may have any values that its
 * cells allow. So the diagram is followed once per class over the cells, by all ways that they
 * leave open, and from where that ends once per record.
 *
 * Exact for every condition and aggregate, and therefore tight, but where a cell's meaning is not
 * known exactly. Cost: classes times nodes of the diagram, and records times columns on the right.
 */
#include "query/ways.h"

/* ---- opening ---- */

static bool is_left(const bt_release_column *column)
{
    return column->manifest->role == BT_ROLE_QUASI || bt_shows_categories(column->manifest);
}

/* Rows by the texts that they have on the left. */
typedef struct arrangement {
    bt_codes *codes;
    size_t count;
    bt_tuples classes;
    bt_tuple_index *index;
    uint32_t *class_of, *order;
    bt_arena arena;
} arrangement;

static void arrangement_release(arrangement *a)
{
    bt_tuple_index_free(a->index);
    bt_tuples_release(&a->classes);
    bt_arena_release(&a->arena);
}

static bauta_status group_rows(const bt_release *release, const bt_run *run, arrangement *a,
                               bauta_error *error)
{
    a->codes = bt_arena_array(&a->arena, release->column_count, sizeof *a->codes);
    a->class_of = bt_arena_array(&a->arena, (size_t)release->rows, sizeof *a->class_of);
    a->order = bt_arena_array(&a->arena, (size_t)release->rows, sizeof *a->order);
    BT_TRY(bt_arena_check(&a->arena, error));
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (is_left(column))
            a->codes[a->count++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    return bt_tuples_number(a->codes, a->count, release->rows, run, &a->classes, a->class_of,
                            &a->index, error);
}

/* Sorts rows by class, by counting. */
static bauta_status order_rows(bt_queryable *queryable, arrangement *a, bauta_error *error)
{
    size_t rows = (size_t)queryable->release->rows, classes = a->classes.count;
    size_t *starts = bt_arena_array(&queryable->arena, classes + 1, sizeof *starts);
    size_t *at = bt_arena_array(&a->arena, classes, sizeof *at);
    queryable->first_row = bt_arena_array(&queryable->arena, classes, sizeof *queryable->first_row);
    BT_TRY(bt_arena_check(&a->arena, error));
    BT_TRY(bt_arena_check(&queryable->arena, error));
    for (size_t c = 0; c < classes; c++) {
        at[c] = starts[c];
        starts[c + 1] = starts[c] + a->classes.size[c];
        queryable->first_row[c] = a->classes.row[c];
    }
    for (size_t row = 0; row < rows; row++)
        a->order[at[a->class_of[row]]++] = (uint32_t)row;
    queryable->classes = (uint32_t)classes;
    queryable->right_starts = starts;
    return BAUTA_OK;
}

static bauta_status open_generalized(bt_queryable *queryable, const bt_run *run, bauta_error *error)
{
    BT_OWN(arrangement_release) arrangement a = {0};
    const bt_release *release = queryable->release;
    BT_TRY(group_rows(release, run, &a, error));
    BT_TRY(order_rows(queryable, &a, error));
    for (size_t i = 0; i < release->column_count; i++) {
        bool left = is_left(&release->columns[i]);
        queryable->columns.items[i].side = left ? BT_LEFT : BT_RIGHT;
        BT_TRY(bt_column_take(queryable, i, left ? queryable->first_row : a.order,
                              left ? queryable->classes : (size_t)release->rows, error));
    }
    return BAUTA_OK;
}

/* ---- records ---- */

static bauta_status add_records(bt_walker *w, uint32_t class_number, const bt_judged *records,
                                bt_contribution *sum)
{
    bt_bounds *bounds = &w->out->bounds;
    int64_t count = (int64_t)records->count;
    if (count == 0) return BAUTA_OK;
    bt_judgement found = bt_walker_judge(w, class_number, records);
    if (!found.may) return BAUTA_OK;
    sum->may += count;
    sum->must += found.must ? count : 0;
    sum->expected += found.expected * (double)count;
    if (bounds->aggregate == BT_COUNT) return BAUTA_OK;
    BT_TRY(bt_bounds_low(bounds, found.lo, count, found.must, w->error));
    return bt_bounds_high(bounds, found.hi, count, found.must, w->error);
}

/* Records that satisfy the open node, and those that do not, are judged once each. */
static bauta_status add_two_batches(bt_walker *w, uint32_t class_number, uint32_t open, size_t from,
                                    size_t to, bt_contribution *sum)
{
    bt_judged records[2] = {{.settled = true}, {.settled = true, .matches = true}};
    for (size_t place = from; open != BT_NEVER && place < to; place++)
        records[1].count += bt_walk(w->steps, open, place, BT_ALWAYS + 1);
    records[0].count = to - from - records[1].count;
    for (size_t i = 0; i < 2; i++)
        records[i].weight = (double)records[i].count;
    BT_TRY(add_records(w, class_number, &records[0], sum));
    return add_records(w, class_number, &records[1], sum);
}

static bauta_status evaluate_class(bt_walker *w, uint32_t class_number)
{
    const size_t *starts = w->queryable->right_starts;
    size_t from = starts[class_number], to = starts[class_number + 1];
    bt_contribution sum = {.records = (int64_t)(to - from)};
    BT_TRY(bt_walker_follow(w, class_number));
    if (bt_walker_never(w)) return BAUTA_OK;
    uint32_t open = bt_walker_open_node(w);
    if (open != BT_ALWAYS) {
        BT_TRY(add_two_batches(w, class_number, open, from, to, &sum));
    } else {
        for (size_t place = from; place < to; place++) {
            const bt_judged record = {.place = place, .count = 1, .weight = 1};
            BT_TRY(add_records(w, class_number, &record, &sum));
        }
    }
    return bt_contribute(w->out, w->queryable, class_number, sum, w->error);
}

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    BT_OWN(bt_walker_close)
    bt_walker w = {.queryable = queryable, .question = question, .out = out, .error = error};
    out->tight = true;
    BT_TRY(bt_walker_open(&w, question));
    for (uint32_t c = 0; c < queryable->classes; c++)
        BT_TRY(evaluate_class(&w, c));
    return BAUTA_OK;
}

static const char *const assumptions[] = {
    "the interval is over all records that the cells of their rows allow, each independent of the "
    "others",
    "the estimate spreads values evenly over the numbers of a range, the leaves of a node and the "
    "members of a set, and takes columns as independent within a class",
    NULL,
};

const bt_query_form bt_query_generalized = {
    .name = "generalized",
    .assumptions = assumptions,
    .open = open_generalized,
    .evaluate = evaluate,
};
