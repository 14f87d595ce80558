/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding: what it costs to put a unit into a class.
 *
 * Nodes of all columns and levels are numbered, and a class is known by the numbers of its nodes.
 * For a unit, what a record loses at the lowest node above that holds the unit too is written down
 * once for every number; then each class costs a look at it for each column.
 */
#include "group/incognito.h"

typedef struct node_numbers {
    uint32_t count;
    uint32_t *above;  /* by number: the node right above; itself at the highest level */
    uint32_t ***of;   /* by column, level minus lowest, and code */
    uint32_t *starts; /* by column: its first number; one more than columns. Higher levels have
                         lower numbers */
} node_numbers;

struct bt_mover {
    bt_local *local;
    const bt_lattice *lattice;
    node_numbers nodes;
    uint32_t *of_class; /* by class and column: the number of its node */
    size_t of_class_room;
    uint64_t *joined; /* by number, of the unit that was asked about last */
    int64_t compared;
    bt_arena arena;
};

static const uint64_t TOO_MUCH = (uint64_t)1 << 48; /* nodes that cannot be joined */

static size_t levels_in(const bt_scale *scale)
{
    return (size_t)scale->highest - scale->lowest + 1;
}

static uint32_t code_of(const bt_mover *m, size_t column, uint32_t unit)
{
    return bt_key_code(&m->lattice->scales[column], bt_unit_key(m->local, unit));
}

/* ---- numbers ----------------------------------------------------------------------------- */

static bauta_status number_column(bt_mover *m, size_t column, bauta_error *error)
{
    const bt_scale *scale = &m->lattice->scales[column];
    const uint32_t **first = m->local->first[column];
    size_t levels = levels_in(scale), size = scale->column->domain.size;
    uint32_t **numbers = bt_arena_array(&m->arena, levels, sizeof *numbers);
    m->nodes.of[column] = numbers;
    m->nodes.starts[column] = m->nodes.count;
    if (!numbers) return bt_fail_memory(error);
    for (size_t l = levels; l-- > 0;) {
        numbers[l] = bt_arena_array(&m->arena, size, sizeof **numbers);
        if (!numbers[l]) return bt_fail_memory(error);
        for (uint32_t code = 0; code < size; code++) {
            uint32_t number = m->nodes.count;
            if (first[l][code] == code) {
                m->nodes.above[number] = l + 1 < levels ? numbers[l + 1][code] : number;
                m->nodes.count++;
            } else {
                number = numbers[l][first[l][code]];
            }
            numbers[l][code] = number;
        }
    }
    return BAUTA_OK;
}

static bauta_status number_nodes(bt_mover *m, bauta_error *error)
{
    const bt_lattice *lattice = m->lattice;
    size_t most = 0;
    for (size_t c = 0; c < lattice->columns; c++)
        most += levels_in(&lattice->scales[c]) * lattice->scales[c].column->domain.size;
    m->nodes.above = bt_arena_array(&m->arena, most, sizeof *m->nodes.above);
    m->nodes.of = bt_arena_array(&m->arena, lattice->columns, sizeof *m->nodes.of);
    m->nodes.starts = bt_arena_array(&m->arena, lattice->columns + 1, sizeof *m->nodes.starts);
    m->joined = bt_arena_array(&m->arena, most, sizeof *m->joined);
    if (!m->nodes.above || !m->nodes.of || !m->nodes.starts || !m->joined)
        return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++)
        BT_TRY(number_column(m, c, error));
    m->nodes.starts[lattice->columns] = m->nodes.count;
    return BAUTA_OK;
}

bauta_status bt_mover_new(bt_local *local, bt_mover **out, bauta_error *error)
{
    bt_mover *m = *out = bt_array_zero(1, sizeof *m);
    if (!m) return bt_fail_memory(error);
    m->local = local;
    m->lattice = local->lattice;
    bauta_status status = number_nodes(m, error);
    if (status == BAUTA_OK) return BAUTA_OK;
    bt_mover_free(m);
    *out = NULL;
    return status;
}

void bt_mover_free(bt_mover *m)
{
    if (!m) return;
    free(m->of_class);
    bt_arena_release(&m->arena);
    free(m);
}

int64_t bt_mover_compared(const bt_mover *m)
{
    return m->compared;
}

/* ---- levels of classes ------------------------------------------------------------------- */

/* Raises a level until two codes have the same node; false: they have none. */
static bool meet(const bt_mover *m, size_t column, uint32_t a, uint32_t b, uint16_t *level)
{
    const bt_scale *scale = &m->lattice->scales[column];
    const uint32_t **first = m->local->first[column];
    size_t at = *level - scale->lowest, levels = levels_in(scale);
    while (at < levels && first[at][a] != first[at][b])
        at++;
    *level = (uint16_t)(scale->lowest + at);
    return at < levels;
}

bauta_status bt_mover_tighten(bt_mover *m, uint32_t class_number, bauta_error *error)
{
    bt_local *local = m->local;
    bt_local_class *tight = &local->classes[class_number];
    uint16_t *levels = bt_local_levels(local, class_number);
    size_t columns = m->lattice->columns;
    BT_TRY(bt_array_grow(&m->of_class, &m->of_class_room, local->count * columns,
                         sizeof *m->of_class, error));
    if (tight->units == 0) return BAUTA_OK;
    for (size_t c = 0; c < columns; c++) {
        uint32_t code = code_of(m, c, tight->first), lowest = m->lattice->scales[c].lowest;
        levels[c] = (uint16_t)lowest;
        for (uint32_t unit = tight->first; unit != BT_NO_CLASS; unit = local->next[unit])
            (void)meet(m, c, code, code_of(m, c, unit), &levels[c]);
        m->of_class[class_number * columns + c] = m->nodes.of[c][levels[c] - lowest][code];
    }
    tight->loss = bt_local_loss(local, bt_unit_key(local, tight->first), levels);
    return BAUTA_OK;
}

bool bt_mover_may_meet(const bt_mover *m, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < m->lattice->columns; c++) {
        uint16_t level = (uint16_t)m->lattice->scales[c].highest;
        if (!meet(m, c, code_of(m, c, a), code_of(m, c, b), &level)) return false;
    }
    return true;
}

uint64_t bt_mover_together(const bt_mover *m, uint32_t a, uint32_t b)
{
    const bt_local *local = m->local;
    const uint16_t *levels = bt_local_levels(local, a), *others = bt_local_levels(local, b);
    uint64_t loss = 0;
    for (size_t c = 0; c < m->lattice->columns; c++) {
        uint32_t code = code_of(m, c, local->classes[a].first);
        uint32_t other = code_of(m, c, local->classes[b].first);
        uint16_t level = levels[c] > others[c] ? levels[c] : others[c];
        if (!meet(m, c, code, other, &level)) return UINT64_MAX;
        loss += local->loss[c][level - m->lattice->scales[c].lowest][code];
    }
    return loss;
}

/* ---- classes for a unit ------------------------------------------------------------------ */

/* Fills m->joined for the column of a unit: its own nodes cost what they do, others as much as the
 * one above them. */
static void ask_about(bt_mover *m, size_t column, uint32_t unit)
{
    uint32_t code = code_of(m, column, unit), next = m->nodes.starts[column];
    for (size_t l = levels_in(&m->lattice->scales[column]); l-- > 0;) {
        uint32_t own = m->nodes.of[column][l][code];
        for (; next < own; next++)
            m->joined[next] =
                m->nodes.above[next] == next ? TOO_MUCH : m->joined[m->nodes.above[next]];
        m->joined[next++] = m->local->loss[column][l][code];
    }
    for (; next < m->nodes.starts[column + 1]; next++)
        m->joined[next] = m->nodes.above[next] == next ? TOO_MUCH : m->joined[m->nodes.above[next]];
}

bool bt_mover_find(bt_mover *m, uint32_t unit, const bool *barred, uint64_t most, bt_home *out)
{
    const bt_local *local = m->local;
    size_t columns = m->lattice->columns;
    uint64_t size = local->units.sizes[unit];
    *out = (bt_home){.class_number = BT_NO_CLASS, .costs = most};
    for (size_t c = 0; c < columns; c++)
        ask_about(m, c, unit);
    for (uint32_t i = 0; i < local->count; i++) {
        const bt_local_class *to = &local->classes[i];
        if (to->loss * size >= out->costs || to->units == 0 || barred[i]) continue;
        const uint32_t *numbers = m->of_class + i * columns;
        uint64_t loss = 0, now = to->loss * to->size;
        for (size_t c = 0; c < columns; c++)
            loss += m->joined[numbers[c]];
        m->compared++;
        if (loss >= TOO_MUCH || loss * (to->size + size) >= now + out->costs) continue;
        *out = (bt_home){i, loss * (to->size + size) - now, loss};
    }
    return out->class_number != BT_NO_CLASS;
}

bauta_status bt_mover_holds(bt_mover *m, uint32_t class_number, uint32_t unit, bool more,
                            bool *good, bauta_error *error)
{
    bt_local *local = m->local;
    size_t count = bt_local_list(local, class_number, local->list), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (more || local->list[i] != unit) local->list[kept++] = local->list[i];
    if (more) local->list[kept++] = unit;
    return bt_try_together(local->judge, &local->units, local->list, kept, &local->juror, good,
                           error);
}

bauta_status bt_mover_join(bt_mover *m, uint32_t unit, uint32_t class_number, bauta_error *error)
{
    if (m->local->class_of[unit] != BT_NO_CLASS) bt_local_take(m->local, unit);
    bt_local_put(m->local, class_number, unit);
    return bt_mover_tighten(m, class_number, error);
}
