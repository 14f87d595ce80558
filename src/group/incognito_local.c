/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding by repetition: the classes that the best node satisfies are released, and the
 * records that are left are searched again, until there is nothing more to release
 * (incognito_release.c). What is left joins the class where it costs least, or is dropped where
 * that is allowed and costs less (incognito_join.c). Then records move where they lose less
 * (incognito_improve.c).
 *
 * A class is published with the lowest nodes that cover it. Tables up to a size are recoded record
 * by record; in larger ones records that agree in every column stay together.
 *
 * The objective is NCP, distortion or height, whichever is asked for; for the others NCP is taken,
 * since they do not add up over columns.
 */
#include "class/steer.h"
#include "group/incognito.h"

enum { RECORDS_MOST = 1 << 17 }; /* of a table that is recoded record by record */

/* ---- losses ------------------------------------------------------------------------------ */

/* Few enough that what all records of a table lose fits a word. */
enum { LOSS_BITS = 30, LOSS_BITS_LARGE = 20 };

static bauta_status make_level(bt_local *local, size_t column, size_t level, uint32_t *first,
                               uint32_t *loss, bauta_error *error)
{
    const bt_scale *scale = &local->lattice->scales[column];
    const bt_rung *rung = &scale->rungs[level];
    unsigned shift = 64 - (local->single ? LOSS_BITS : LOSS_BITS_LARGE);
    unsigned __int128 sum = 0;
    if (!first || !loss) return bt_fail_memory(error);
    for (uint32_t code = 0; code < scale->column->domain.size; code++) {
        first[code] = rung->top ? 0 : rung->lift ? code ^ rung->lift[code] : code;
        loss[code] = (uint32_t)(bt_near(rung->cost[code], scale->top, scale->bottom) >> shift);
        sum += (unsigned __int128)loss[code] * scale->counts[code];
    }
    local->mean[column][level] = (uint64_t)(sum / (uint64_t)local->lattice->rows);
    return BAUTA_OK;
}

static bauta_status make_levels(bt_local *local, size_t column, bauta_error *error)
{
    const bt_scale *scale = &local->lattice->scales[column];
    size_t levels = (size_t)scale->highest - scale->lowest + 1, size = scale->column->domain.size;
    const uint32_t **first = bt_arena_array(&local->arena, levels, sizeof *first);
    const uint32_t **loss = bt_arena_array(&local->arena, levels, sizeof *loss);
    local->mean[column] = bt_arena_array(&local->arena, levels, sizeof **local->mean);
    if (!first || !loss || !local->mean[column]) return bt_fail_memory(error);
    local->first[column] = first;
    local->loss[column] = loss;
    unsigned shift = 64 - (local->single ? LOSS_BITS : LOSS_BITS_LARGE);
    local->full += (uint64_t)(bt_near(scale->full, scale->top, scale->bottom) >> shift);
    for (size_t l = 0; l < levels; l++) {
        uint32_t *firsts = bt_arena_array(&local->arena, size, sizeof *firsts);
        uint32_t *losses = bt_arena_array(&local->arena, size, sizeof *losses);
        first[l] = firsts;
        loss[l] = losses;
        BT_TRY(make_level(local, column, l, firsts, losses, error));
    }
    return BAUTA_OK;
}

uint64_t bt_local_loss(const bt_local *local, const uint64_t *key, const uint16_t *levels)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < local->lattice->columns; c++) {
        const bt_scale *scale = &local->lattice->scales[c];
        loss += local->loss[c][levels[c] - scale->lowest][bt_key_code(scale, key)];
    }
    return loss;
}

/* ---- classes ----------------------------------------------------------------------------- */

bauta_status bt_local_add(bt_local *local, const uint16_t *levels, uint64_t loss, uint32_t *out,
                          bauta_error *error)
{
    size_t stride = local->lattice->stride;
    BT_TRY(bt_array_grow(&local->classes, &local->classes_room, local->count + 1,
                         sizeof *local->classes, error));
    BT_TRY(bt_array_grow(&local->levels, &local->levels_room, (local->count + 1) * stride,
                         sizeof *local->levels, error));
    *out = (uint32_t)local->count++;
    local->classes[*out] = (bt_local_class){.first = BT_NO_CLASS, .loss = loss};
    memcpy(bt_local_levels(local, *out), levels, stride * sizeof *levels);
    return BAUTA_OK;
}

void bt_local_put(bt_local *local, uint32_t class_number, uint32_t unit)
{
    bt_local_class *to = &local->classes[class_number];
    local->class_of[unit] = class_number;
    local->next[unit] = to->first;
    to->first = unit;
    to->units++;
    to->size += (uint32_t)local->units.sizes[unit];
}

void bt_local_take(bt_local *local, uint32_t unit)
{
    bt_local_class *from = &local->classes[local->class_of[unit]];
    uint32_t *link = &from->first;
    while (*link != unit)
        link = &local->next[*link];
    *link = local->next[unit];
    from->units--;
    from->size -= (uint32_t)local->units.sizes[unit];
    local->class_of[unit] = BT_NO_CLASS;
}

size_t bt_local_list(const bt_local *local, uint32_t class_number, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t unit = local->classes[class_number].first; unit != BT_NO_CLASS;
         unit = local->next[unit])
        out[count++] = unit;
    return count;
}

/* ---- units ------------------------------------------------------------------------------- */

/* Every record by itself. */
static bauta_status list_records(const bt_local *local, const uint16_t *levels, bt_counts *out,
                                 bauta_error *error)
{
    const bt_count_job *count = &local->judge->count;
    size_t rows = (size_t)local->lattice->rows;
    BT_TRY(bt_counts_new(count, levels, rows, rows, out, error));
    bt_keys_of_rows(local->lattice, levels, 0, local->lattice->rows, out->keys);
    out->groups = (uint32_t)rows;
    for (uint32_t row = 0; row < rows; row++)
        out->sizes[row] = 1;
    if (count->counted == BT_COUNT_SIZES) return BAUTA_OK;
    bool profiles = count->counted == BT_COUNT_PROFILES;
    for (uint32_t row = 0; row < rows; row++) {
        out->starts[row] = row;
        out->values[row] = profiles ? count->people->profile_of[row] : row;
        if (profiles) out->counts[row] = 1;
    }
    out->starts[rows] = (uint32_t)rows;
    return BAUTA_OK;
}

static bauta_status open_local(bt_local *local, bauta_error *error)
{
    const bt_lattice *lattice = local->lattice;
    uint16_t *levels = bt_arena_array(&local->arena, lattice->stride, sizeof *levels);
    local->first = bt_arena_array(&local->arena, lattice->columns, sizeof *local->first);
    local->loss = bt_arena_array(&local->arena, lattice->columns, sizeof *local->loss);
    local->mean = bt_arena_array(&local->arena, lattice->columns, sizeof *local->mean);
    if (!levels || !local->first || !local->loss || !local->mean) return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++) {
        levels[c] = (uint16_t)lattice->scales[c].lowest;
        BT_TRY(make_levels(local, c, error));
    }
    BT_TRY(local->single ? list_records(local, levels, &local->units, error)
                         : bt_counts_make(&local->judge->count, levels, &local->units, error));
    uint32_t units = local->units.groups;
    local->class_of = bt_array(units, sizeof *local->class_of);
    local->next = bt_array(units, sizeof *local->next);
    local->list = bt_array(2 * (size_t)units, sizeof *local->list);
    if (!local->class_of || !local->next || !local->list) return bt_fail_memory(error);
    for (uint32_t i = 0; i < units; i++)
        local->class_of[i] = BT_NO_CLASS;
    return bt_juror_make(local->judge, &local->juror, error);
}

static void close_local(bt_local *local)
{
    bt_juror_release(&local->juror);
    bt_counts_release(&local->units);
    free(local->class_of);
    free(local->next);
    free(local->list);
    free(local->classes);
    free(local->levels);
    bt_arena_release(&local->arena);
}

/* ---- the grouping ------------------------------------------------------------------------ */

/* Classes that are not empty, with the lowest nodes that cover them. */
static bauta_status make_grouping(bt_local *local, bt_grouping *out, bauta_error *error)
{
    const bt_lattice *lattice = local->lattice;
    uint32_t *number = bt_array(local->count, sizeof *number), classes = 0;
    if (!number) return bt_fail_memory(error);
    for (size_t i = 0; i < local->count; i++)
        number[i] = local->classes[i].units > 0 ? classes++ : BT_NO_CLASS;
    for (uint32_t unit = 0; unit < local->units.groups; unit++)
        if (local->class_of[unit] != BT_NO_CLASS)
            local->class_of[unit] = number[local->class_of[unit]];
    free(number);
    BT_TRY(local->single
               ? bt_classes_of_rows(&local->judge->count, local->class_of, classes, out, error)
               : bt_classes_make(&local->judge->count, &local->units, local->class_of, classes, out,
                                 error));
    BT_TRY(bt_grouping_floors(out, lattice->quasi, error));
    return bt_grouping_unite(out, lattice->quasi, local->job->run, error);
}

/* Puts units where they lose least, and those that were left somewhere. */
static bauta_status move_units(bt_local *local, bauta_error *error)
{
    bt_mover *mover;
    BT_TRY(bt_mover_new(local, &mover, error));
    bauta_status status = BAUTA_OK;
    for (uint32_t i = 0; i < local->count && status == BAUTA_OK; i++)
        status = bt_mover_tighten(mover, i, error);
    if (status == BAUTA_OK) status = bt_local_join(local, mover, error);
    if (status == BAUTA_OK && local->single) status = bt_local_improve(local, mover, error);
    bt_mover_free(mover);
    return status;
}

static void tell(const bt_local *local)
{
    bt_method_notes *notes = local->job->notes;
    if (!notes) return;
    json_t *at = bt_put_object(notes->facts, notes->at, "lattice");
    bt_put_int(notes->facts, at, "nodes", local->lattice->nodes);
    bt_put_int(notes->facts, at, "evaluated", local->visited);
    bt_put_null(notes->facts, at, "minimal");
    bt_put_bool(notes->facts, at, "proven", false);
}

bauta_status bt_recode_locally(const bt_method_job *job, const bt_judge *judge, bt_grouping *out,
                               bauta_error *error)
{
    bt_local local = {.job = job, .judge = judge, .lattice = judge->count.lattice};
    local.single = local.lattice->rows <= RECORDS_MOST;
    bt_budget budget = {.nodes = job->nodes > 0 ? job->nodes : INT64_MAX};
    if (job->seconds > 0) budget.deadline = bt_seconds() + job->seconds;
    bauta_status status = open_local(&local, error);
    if (status == BAUTA_OK) status = bt_local_release(&local, &budget, error);
    if (status == BAUTA_OK) status = move_units(&local, error);
    if (status == BAUTA_OK) status = make_grouping(&local, out, error);
    if (status == BAUTA_OK) tell(&local);
    close_local(&local);
    return status;
}
