/* SPDX-License-Identifier: Apache-2.0
 *
 * What the methods `whole`, `columns` and `identical` share: classes of the records that have
 * equal values, or equal nodes, in some quasi columns. They are taken as they are.
 *
 * Cost: linear in rows times columns; 8 bytes a row.
 */
#include "base/text.h"
#include "class/steer.h"
#include "group/method.h"

#include <string.h>

/* ---- columns ----------------------------------------------------------------------------- */

typedef struct wanted { /* one item of the list */
    const bt_column *column;
    uint32_t level;
} wanted;

static bauta_status no_column(const bt_table *table, const char *method, const char *name,
                              bt_arena *arena, bauta_error *error)
{
    const char **names = bt_arena_array(arena, table->count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t c = 0; c < table->count; c++)
        names[c] = table->columns[c].name;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "method '%s' finds no quasi column '%s'", method, name);
    const char *near = bt_text_nearest(name, names, table->count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "it takes quasi columns, each with a level: age@2");
    return status;
}

/* "COL@LEVEL": a name may hold the sign itself. */
static bauta_status read_item(const bt_table *table, const char *method, char *item,
                              bt_arena *arena, wanted *out, bauta_error *error)
{
    int64_t level = 0;
    char *sign = strrchr(item, '@');
    out->column = bt_table_find(table, item);
    if (!out->column && sign && bt_text_integer(sign + 1, &level) && level >= 0) {
        *sign = '\0';
        out->column = bt_table_find(table, item);
    }
    if (!out->column) return no_column(table, method, item, arena, error);
    bauta_status status = BAUTA_OK;
    long long root = out->column->hierarchy ? out->column->hierarchy->levels - 1 : 0;
    if (out->column->role != BT_ROLE_QUASI) {
        status = bt_fail(error, BAUTA_INVALID,
                         "method '%s' takes quasi columns: groups by sensitive values would tell "
                         "them",
                         method);
    } else if (level > root) {
        status = bt_fail(error, BAUTA_INVALID, "level %lld is asked for, and the highest is %lld",
                         (long long)level, root);
        bt_error_hint(error, root > 0 ? "'bauta hierarchy' shows the levels"
                                      : "give the column a hierarchy with --hierarchy");
    }
    if (status != BAUTA_OK) bt_error_place(error, NULL, -1, out->column->name);
    out->level = (uint32_t)level;
    return status;
}

/* The node of each row's value; of values themselves the codes are borrowed. */
static bauta_status find_nodes(const wanted *item, int64_t rows, bt_codes *out, bauta_error *error)
{
    const bt_column *column = item->column;
    *out = (bt_codes){column->codes, column->width, column->domain.size};
    if (item->level == 0) return BAUTA_OK;
    uint32_t *node_of = bt_array(column->domain.size, sizeof *node_of);
    uint32_t *nodes = bt_array((size_t)rows, sizeof *nodes);
    *out = (bt_codes){nodes, sizeof *nodes, column->hierarchy->count};
    bool made = node_of && nodes;
    for (uint32_t code = 0; made && code < column->domain.size; code++)
        node_of[code] = bt_hierarchy_at(column->hierarchy, code, item->level);
    for (int64_t row = 0; made && row < rows; row++)
        nodes[row] = node_of[bt_column_code(column, row)];
    free(node_of);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_levels_make(const bt_table *table, const char *method, const char *list,
                            bt_arena *arena, bt_levels *out, bauta_error *error)
{
    char **items;
    size_t count;
    *out = (bt_levels){0};
    BT_TRY(bt_text_split(arena, list, ',', &items, &count, error));
    out->codes = bt_array_zero(count, sizeof *out->codes);
    out->owned = bt_array_zero(count, sizeof *out->owned);
    if (!out->codes || !out->owned) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        wanted item = {0};
        BT_TRY(read_item(table, method, items[i], arena, &item, error));
        out->owned[out->count] = item.level > 0;
        BT_TRY(find_nodes(&item, table->rows, &out->codes[out->count++], error));
    }
    return BAUTA_OK;
}

void bt_levels_release(bt_levels *levels)
{
    for (size_t i = 0; i < levels->count; i++)
        if (levels->owned[i]) free((void *)(uintptr_t)levels->codes[i].codes);
    free(levels->codes);
    free(levels->owned);
    *levels = (bt_levels){0};
}

/* ---- classes ----------------------------------------------------------------------------- */

static bauta_status check_job(const bt_method_job *job, const char *method, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (job->suppress.top > 0)
        status = bt_fail(error, BAUTA_INVALID, "method '%s' does not drop records", method);
    else if (job->requirements->people->together)
        status = bt_fail(error, BAUTA_INVALID,
                         "method '%s' cannot keep the rows of persons together", method);
    else if (bt_parts_needed(job->table))
        status =
            bt_fail(error, BAUTA_INVALID,
                    "method '%s' takes classes as they are: 'max-level' cannot be kept", method);
    if (status != BAUTA_OK) bt_error_hint(error, "another method does: see 'bauta list methods'");
    return status;
}

static bauta_status make_boxes(const bt_table *table, bt_grouping *out, bauta_error *error)
{
    const bt_column **quasi;
    size_t boxes;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, &out->columns, error));
    if (bt_size_mul(out->classes, out->columns, &boxes))
        out->boxes = bt_array(boxes, sizeof *out->boxes);
    bauta_status status = out->boxes ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t c = 0; status == BAUTA_OK && c < out->classes; c++)
        for (size_t i = 0; i < out->columns; i++)
            out->boxes[(size_t)c * out->columns + i] = bt_tight_box(out, quasi[i], c);
    if (status == BAUTA_OK) status = bt_grouping_floors(out, quasi, error);
    free(quasi);
    return status;
}

static bauta_status refuse(const bt_grouping *grouping, uint32_t fail_count, const char *method,
                           const char *requirement, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO, "%u of %u classes of method '%s' do not satisfy '%s'", fail_count,
                grouping->classes, method, requirement);
    bt_error_hint(error, "classes are taken as they are: fewer or higher levels give larger ones; "
                         "other methods look for classes that satisfy; the form 'distribution' "
                         "does not need it");
    return status;
}

static bauta_status check_classes(const bt_method_job *job, const char *method,
                                  const bt_grouping *grouping, bauta_error *error)
{
    const bt_requirements *requirements = job->requirements;
    const bt_requirement_instance *failed = NULL, *first = NULL;
    int64_t least = bt_requirements_least_size(requirements);
    uint32_t failures = 0;
    bt_tally *tally = NULL;
    bool judged = requirements->people->profile_of != NULL;
    if (judged) BT_TRY(bt_tally_new(requirements->people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (uint32_t c = 0; c < grouping->classes && status == BAUTA_OK; c++) {
        bool holds = bt_class_records(grouping, requirements->people, c) >= least;
        failed = &requirements->items[0];
        if (judged) {
            bt_tally_clear(tally);
            for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
                if (status == BAUTA_OK) status = bt_tally_add_row(tally, grouping->order[i], error);
            holds = status == BAUTA_OK && bt_requirements_check(requirements, tally, &failed);
        }
        if (holds || status != BAUTA_OK) continue;
        if (failures++ == 0) first = failed;
    }
    bt_tally_free(tally);
    if (status != BAUTA_OK || failures == 0) return status;
    return refuse(grouping, failures, method, first->text, error);
}

enum { ROWS_PER_TASK = 1 << 20 };

typedef struct row_list {
    uint32_t *order;
    uint32_t rows;
} row_list;

static bauta_status list_rows(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker, (void)error;
    const row_list *list = user;
    uint32_t start = (uint32_t)(task * ROWS_PER_TASK), count = list->rows - start;
    if (count > ROWS_PER_TASK) count = ROWS_PER_TASK;
    for (uint32_t i = 0; i < count; i++)
        list->order[start + i] = start + i;
    return BAUTA_OK;
}

/* All rows as one class, without looking at them. */
static bauta_status take_all(uint32_t rows, const bt_run *run, bt_parts *out, bauta_error *error)
{
    *out = (bt_parts){.count = rows > 0};
    out->order = bt_array(rows, sizeof *out->order);
    out->starts = bt_array_zero(2, sizeof *out->starts);
    bauta_status status = out->order && out->starts ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        row_list list = {out->order, rows};
        bt_memory_whole(out->order, (size_t)rows * sizeof *out->order);
        out->starts[out->count] = rows;
        status = bt_pool_run(run->pool, ((size_t)rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK,
                             list_rows, &list, error);
    }
    if (status != BAUTA_OK) bt_parts_release(out);
    return status;
}

bauta_status bt_group_equal(const bt_method_job *job, const char *method, const bt_codes *codes,
                            size_t count, bt_grouping *out, bauta_error *error)
{
    bt_parts parts;
    BT_TRY(check_job(job, method, error));
    bauta_status status =
        count > 0 ? bt_parts_group(codes, count, job->table->rows, job->run, &parts, error)
                  : take_all((uint32_t)job->table->rows, job->run, &parts, error);
    out->rows = out->kept = job->table->rows;
    out->classes = parts.count;
    out->order = parts.order;
    out->starts = parts.starts;
    if (status == BAUTA_OK) status = make_boxes(job->table, out, error);
    if (status != BAUTA_OK || job->unchecked) return status;
    return check_classes(job, method, out, error);
}
