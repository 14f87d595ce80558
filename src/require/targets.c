/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets of a release: made, rounded and judged.
 */
#include "require/targets.h"

#include "class/space.h"
#include "require/wanted.h"

#include <stdio.h>

/* ---- judging ---- */

bool bt_target_needs_reference(const bt_requirements *requirements)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].type->scope != BT_SCOPE_CLASS) return true;
    return false;
}

/* "give one of alpha, l, t". */
static void hint_kinds(bauta_error *error)
{
    char names[sizeof error->hint / 2] = "";
    size_t length = 0;
    for (size_t i = 0; i < bt_requirement_registry_count && length < sizeof names; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        if (type->believe)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? ", " : "", type->name);
    }
    bt_error_hint(error, "give one of %s", names);
}

static bauta_status check_kinds(const bt_requirements *requirements, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (requirements->count == 0)
        status = bt_fail(error, BAUTA_INVALID,
                         "a target distribution needs a requirement that it must satisfy");
    for (size_t i = 0; i < requirements->count && status == BAUTA_OK; i++)
        if (!requirements->items[i].type->believe)
            status = bt_fail(error, BAUTA_INVALID,
                             "'%s' says nothing about the distribution of a sensitive value",
                             requirements->items[i].type->name);
    if (status != BAUTA_OK) hint_kinds(error);
    return status;
}

bauta_status bt_target_requirements(const bt_requirements *asked, const bt_sensitive *column,
                                    bt_people *people, bt_arena *arena, bt_requirements *out,
                                    bauta_error *error)
{
    *people = (bt_people){0};
    BT_TRY(bt_requirements_copy(asked, arena, out, error));
    BT_TRY(check_kinds(out, error));
    uint32_t *codes = bt_array(column->size, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->size; code++)
        codes[code] = code;
    const void *const rows[] = {codes};
    const unsigned width = sizeof *codes;
    bauta_status status =
        bt_people_make(column, rows, &width, 1, column->size, NULL, 0, people, error);
    free(codes);
    if (status != BAUTA_OK) return status;
    return bt_requirements_bind(out, people, arena, error);
}

bauta_status bt_target_judge(const bt_requirements *requirements, const bt_target *target,
                             const bt_target *reference, bool *holds,
                             const bt_requirement_instance **failed, bauta_error *error)
{
    bt_arena arena = {0};
    bt_shares shares[2];
    const bt_target *both[] = {target, reference};
    bauta_status status = bt_shares_make(both, reference ? 2 : 1, &arena, shares, error);
    bt_belief belief = {&requirements->people->sensitive[0], target, &shares[0],
                        reference ? &shares[1] : NULL};
    *holds = true;
    if (failed) *failed = NULL;
    for (size_t i = 0; i < requirements->count && status == BAUTA_OK && *holds; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        status = item->type->believe(item, item->prepared[0], &belief, holds, error);
        if (failed && status == BAUTA_OK && !*holds) *failed = item;
    }
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_target_try(const bt_target_maker *maker, const uint64_t *weights, bt_arena *arena,
                           bt_target *out, bool *holds, const bt_requirement_instance **failed,
                           bauta_error *error)
{
    bool compared = bt_target_needs_reference(&maker->requirements);
    BT_TRY(bt_target_make(&maker->space, weights, arena, out, error));
    BT_TRY(bt_target_round(out, maker->options.cap, error));
    return bt_target_judge(&maker->requirements, out, compared ? &maker->reference : NULL, holds,
                           failed, error);
}

/* ---- what is made once ---- */

static bt_sensitive describe(const bt_space *space, const bt_column *column)
{
    return (bt_sensitive){.name = space->column,
                          .size = space->domain.size,
                          .text = space->domain.text,
                          .type = space->domain.reading.type,
                          .number = space->domain.number,
                          .hierarchy = space->hierarchy,
                          .categories = column->categories};
}

/* Rows of each code; neighbours in different counts, so that equal ones do not wait for each
 * other. */
static bauta_status count_codes(const bt_column *column, int64_t rows, uint64_t *count,
                                bauta_error *error)
{
    uint32_t own = column->domain.size;
    uint64_t *odd = bt_array_zero(own, sizeof *odd);
    int64_t row = 0;
    if (!odd) return bt_fail_memory(error);
    for (; row + 1 < rows; row += 2) {
        count[bt_column_code(column, row)]++;
        odd[bt_column_code(column, row + 1)]++;
    }
    if (row < rows) count[bt_column_code(column, row)]++;
    for (uint32_t code = 0; code < own; code++)
        count[code] += odd[code];
    free(odd);
    return BAUTA_OK;
}

/* Records of the table per code of the space. */
static bauta_status count_source(bt_target_maker *maker, const bt_column *column, int64_t rows,
                                 bauta_error *error)
{
    uint32_t own = column->domain.size;
    uint64_t *count = bt_array_zero(own, sizeof *count);
    maker->rows = (size_t)rows;
    maker->source = bt_arena_array(&maker->arena, maker->space.domain.size, sizeof *maker->source);
    bauta_status status =
        count && maker->source ? count_codes(column, rows, count, error) : bt_fail_memory(error);
    uint32_t absent = 0;
    for (uint32_t code = 0; status == BAUTA_OK && code < own; code++) {
        uint32_t here = maker->space.code_of[code];
        if (here != BT_NO_NODE) maker->source[here] += count[code];
        absent += here == BT_NO_NODE && count[code] > 0;
    }
    free(count);
    if (status != BAUTA_OK || absent == 0) return status;
    status = bt_fail(error, BAUTA_INVALID,
                     "the target gives values of the data probability 0: %u of them", absent);
    bt_error_place(error, NULL, -1, column->name);
    bt_error_hint(error, "add them to the file, each with a weight of 1 at least");
    return status;
}

static bauta_status check_options(const bt_target_options *options, bauta_error *error)
{
    bool own = options->wanted.kind == BT_WANTED_CLOSEST ||
               (options->per_group && options->wanted.kind == BT_WANTED_SOURCE);
    if (!own || options->cap > 0) return BAUTA_OK;
    bauta_status status = bt_fail(
        error, BAUTA_INVALID,
        "a group's own distribution as its target with weight-cap=none would publish its values");
    bt_error_hint(error, "leave weight-cap at 16, or take one target for all groups");
    return status;
}

static bauta_status make_reference(bt_target_maker *maker, bauta_error *error)
{
    BT_TRY(bt_target_make(&maker->space, maker->source, &maker->arena, &maker->reference, error));
    return bt_target_round(&maker->reference, maker->options.cap, error);
}

static bauta_status does_not_satisfy(const bt_target_maker *maker, const char *whose,
                                     const bt_requirement_instance *failed, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO, "the target%s does not satisfy '%s'", whose, failed->text);
    bt_error_place(error, NULL, -1, maker->space.column);
    bt_error_hint(error, "take another target (target=closest finds one for each group), or a "
                         "weaker requirement");
    return status;
}

static bauta_status make_shared(bt_target_maker *maker, bauta_error *error)
{
    const bt_requirement_instance *failed;
    bool holds;
    if (maker->options.wanted.kind == BT_WANTED_SOURCE)
        maker->wanted = maker->source;
    else if (maker->options.wanted.kind != BT_WANTED_FILE) {
        maker->wanted =
            bt_arena_array(&maker->arena, maker->space.domain.size, sizeof *maker->wanted);
        if (!maker->wanted) return bt_fail_memory(error);
        BT_TRY(bt_wanted_weights(&maker->options.wanted, &maker->space, maker->wanted, error));
    }
    BT_TRY(
        bt_target_try(maker, maker->wanted, &maker->arena, &maker->shared, &holds, &failed, error));
    return holds ? BAUTA_OK : does_not_satisfy(maker, "", failed, error);
}

static bauta_status make_space(bt_target_maker *maker, const bt_column *column, bauta_error *error)
{
    const bt_wanted *wanted = &maker->options.wanted;
    if (wanted->kind == BT_WANTED_FILE)
        return bt_space_from_file(column, wanted->file, &maker->arena, &maker->space,
                                  &maker->wanted, error);
    return bt_space_make(column, &maker->arena, &maker->space, error);
}

bauta_status bt_target_maker_init(bt_target_maker *maker, const bt_target_options *options,
                                  const bt_column *column, int64_t rows,
                                  const bt_requirements *requirements, bauta_error *error)
{
    *maker = (bt_target_maker){.options = *options};
    bt_wanted_kind kind = options->wanted.kind;
    maker->own = kind == BT_WANTED_CLOSEST ||
                 (options->per_group && (kind == BT_WANTED_SOURCE || kind == BT_WANTED_UNIFORM));
    BT_TRY(check_options(options, error));
    BT_TRY(make_space(maker, column, error));
    BT_TRY(count_source(maker, column, rows, error));
    bt_sensitive described = describe(&maker->space, column);
    BT_TRY(bt_target_requirements(requirements, &described, &maker->people, &maker->arena,
                                  &maker->requirements, error));
    BT_TRY(make_reference(maker, error));
    return maker->own ? BAUTA_OK : make_shared(maker, error);
}

void bt_target_maker_release(bt_target_maker *maker)
{
    bt_people_release(&maker->people);
    bt_arena_release(&maker->arena);
}

/* ---- targets of groups ---- */

/* The group's own values as often as they are held, or all from its least to its greatest once. */
static void own_weights(const bt_target_maker *maker, const bt_held *held, size_t distinct,
                        uint64_t *weights)
{
    uint32_t least = BT_NO_NODE, greatest = 0;
    for (size_t i = 0; i < distinct; i++) {
        weights[held[i].code] = held[i].count;
        if (held[i].code < least) least = held[i].code;
        if (held[i].code > greatest) greatest = held[i].code;
    }
    if (maker->options.wanted.kind != BT_WANTED_UNIFORM) return;
    for (uint32_t code = least; code <= greatest; code++)
        weights[code] = 1;
}

bauta_status bt_target_maker_group(const bt_target_maker *maker, const bt_held *held,
                                   size_t distinct, bt_arena *arena, bt_target *out,
                                   double *distance, bauta_error *error)
{
    const bt_requirement_instance *failed;
    bool holds = false;
    if (maker->options.wanted.kind == BT_WANTED_CLOSEST)
        return bt_closest(maker, held, distinct, arena, out, distance, error);
    uint64_t *weights = bt_array_zero(maker->space.domain.size, sizeof *weights);
    if (!weights) return bt_fail_memory(error);
    own_weights(maker, held, distinct, weights);
    bauta_status status = bt_target_try(maker, weights, arena, out, &holds, &failed, error);
    if (status == BAUTA_OK) *distance = bt_target_distance(out, weights);
    free(weights);
    if (status != BAUTA_OK || holds) return status;
    return does_not_satisfy(maker, " of a group", failed, error);
}
