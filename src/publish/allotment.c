/* SPDX-License-Identifier: Apache-2.0
 *
 * Making targets and allocating classes to them, in parallel.
 *
 * Cost: linear in rows for counting values; per class as class/allocate.h and class/fakes.h say.
 */
#include "publish/allotment.h"

#include "class/space.h"

#include <string.h>

enum { CLASSES_PER_TASK = 256 };

/* ---- groups that share a target ---------------------------------------------------------- */

/* The rows of the groups, one after the other: those of the classes when each is its own. */
typedef struct groups {
    const uint32_t *order;
    const uint32_t *starts; /* count + 1 */
    uint32_t count;
    uint32_t *own_order, *own_starts;
} groups;

static bauta_status find_groups(const bt_grouping *grouping, groups *out, bauta_error *error)
{
    *out = (groups){.order = grouping->order, .starts = grouping->starts};
    out->count = grouping->classes;
    if (!grouping->wider_of) return BAUTA_OK;
    out->count = grouping->wider;
    out->own_order = bt_array((size_t)grouping->kept, sizeof *out->own_order);
    out->own_starts = bt_array_zero((size_t)grouping->wider + 2, sizeof *out->own_starts);
    if (!out->own_order || !out->own_starts) return bt_fail_memory(error);
    out->order = out->own_order;
    out->starts = out->own_starts;
    /* starts[g + 1] walks through group g while it is filled, and ends where g + 1 starts. */
    for (uint32_t c = 0; c < grouping->classes; c++)
        out->own_starts[grouping->wider_of[c] + 2] += (uint32_t)bt_class_size(grouping, c);
    for (uint32_t g = 2; g <= grouping->wider; g++)
        out->own_starts[g] += out->own_starts[g - 1];
    for (uint32_t c = 0; c < grouping->classes; c++) {
        uint32_t *next = &out->own_starts[grouping->wider_of[c] + 1];
        size_t size = (size_t)bt_class_size(grouping, c);
        memcpy(out->own_order + *next, grouping->order + grouping->starts[c],
               size * sizeof *out->own_order);
        *next += (uint32_t)size;
    }
    return BAUTA_OK;
}

/* ---- workers ----------------------------------------------------------------------------- */

typedef struct planner { /* what one worker needs */
    bt_allocator *allocator;
    bt_held *held;
    size_t room;
    bt_fakes fakes;
    bt_allocation parts;
} planner;

typedef struct task_parts { /* what a task made */
    bt_part *items;
    size_t count, capacity;
} task_parts;

typedef struct planning {
    bt_allotment *plan;
    const bt_form_job *job;
    groups groups;
    bt_target *targets;
    double *distances;
    uint32_t most_nodes;
    planner *planners;
    task_parts *made;
} planning;

static void release_planners(planning *p)
{
    unsigned workers = p->planners ? bt_pool_size(p->job->run->pool) : 0;
    for (unsigned w = 0; w < workers; w++) {
        bt_allocator_free(p->planners[w].allocator);
        bt_fakes_release(&p->planners[w].fakes);
        bt_allocation_release(&p->planners[w].parts);
        free(p->planners[w].held);
    }
    free(p->planners);
    p->planners = NULL;
}

static bauta_status ready(planning *p, unsigned worker, size_t rows, planner **out,
                          bauta_error *error)
{
    planner *one = *out = &p->planners[worker];
    uint32_t codes = p->plan->maker.space.domain.size;
    size_t room = rows < codes ? rows : codes;
    if (!one->allocator) BT_TRY(bt_allocator_new(p->most_nodes, codes, &one->allocator, error));
    return bt_array_grow(&one->held, &one->room, room, sizeof *one->held, error);
}

/* All rows have been counted already. */
static size_t hold_all(const bt_target_maker *maker, planner *one)
{
    size_t distinct = 0;
    for (uint32_t code = 0; code < maker->space.domain.size; code++)
        if (maker->source[code] > 0)
            one->held[distinct++] = (bt_held){code, (uint32_t)maker->source[code]};
    return distinct;
}

static size_t hold(const planning *p, planner *one, const uint32_t *rows, size_t count)
{
    if (count == p->plan->maker.rows) return hold_all(&p->plan->maker, one);
    return bt_allocator_hold(one->allocator, &p->plan->maker.space, &p->plan->column, rows, count,
                             one->held);
}

/* ---- what fits a manifest ---------------------------------------------------------------- */

static bauta_status check_size(const bt_space *space, uint64_t targets, bauta_error *error)
{
    uint64_t bytes = bt_manifest_domain_bytes(space->hierarchy, targets);
    if (bytes <= BT_MANIFEST_MOST) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "the manifest of 'distribution' would list %u values at %u levels%s and take more "
                "than %llu MB, of %d that it may have",
                space->hierarchy->leaves, space->hierarchy->levels,
                targets > 1 ? ", with a target for each group," : "",
                (unsigned long long)(bytes >> 20), BT_MANIFEST_MOST >> 20);
    bt_error_place(error, NULL, -1, space->column);
    bt_error_hint(error,
                  "%sround the values, or give the column a hierarchy of fewer levels "
                  "(--hierarchy '%s=balanced:16')",
                  targets > 1 ? "take one target for all groups (per=release) or fewer groups, "
                              : "",
                  space->column);
    return status;
}

bauta_status bt_allotment_check_domain(const bt_allotment_options *options,
                                       const bt_column *sensitive, bauta_error *error)
{
    const bt_wanted *wanted = &options->target.wanted;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_space space;
    uint64_t *weights;
    bauta_status status =
        wanted->kind == BT_WANTED_FILE
            ? bt_space_from_file(sensitive, wanted->file, &scratch, &space, &weights, error)
            : bt_space_make(sensitive, &scratch, &space, error);
    /* What is wrong with the values, the plan says of the records that it gets. */
    if (status == BAUTA_INVALID) return BAUTA_OK;
    BT_TRY(status);
    return check_size(&space, 1, error);
}

/* ---- targets ----------------------------------------------------------------------------- */

static bauta_status make_target(void *user, size_t task, unsigned worker, bauta_error *error)
{
    planning *p = user;
    planner *one;
    const groups *g = &p->groups;
    size_t count = g->starts[task + 1] - g->starts[task];
    BT_TRY(ready(p, worker, count, &one, error));
    size_t distinct = hold(p, one, g->order + g->starts[task], count);
    return bt_target_maker_group(&p->plan->maker, one->held, distinct, &p->plan->arenas[worker],
                                 &p->targets[task], &p->distances[task], error);
}

static bauta_status make_own_targets(planning *p, bauta_error *error)
{
    bt_allotment *plan = p->plan;
    BT_TRY(find_groups(p->job->grouping, &p->groups, error));
    BT_TRY(check_size(&plan->maker.space, p->groups.count, error));
    plan->target_count = p->groups.count;
    p->targets = bt_arena_array(&plan->arena, plan->target_count, sizeof *p->targets);
    p->distances = bt_arena_array(&plan->arena, plan->target_count, sizeof *p->distances);
    if (!p->targets || !p->distances) return bt_fail_memory(error);
    BT_TRY(bt_pool_run(p->job->run->pool, plan->target_count, make_target, p, error));
    for (uint32_t i = 0; i < plan->target_count; i++) {
        plan->mean += p->distances[i] / plan->target_count;
        if (p->distances[i] > plan->largest) plan->largest = p->distances[i];
    }
    plan->targets = p->targets;
    return BAUTA_OK;
}

static bauta_status make_targets(planning *p, bauta_error *error)
{
    bt_allotment *plan = p->plan;
    const bt_grouping *grouping = p->job->grouping;
    plan->target_of = bt_arena_array(&plan->arena, plan->classes, sizeof *plan->target_of);
    if (!plan->target_of) return bt_fail_memory(error);
    if (!plan->maker.own) {
        plan->targets = &plan->maker.shared;
        plan->target_count = 1;
        plan->mean = plan->largest = bt_target_distance(&plan->maker.shared, plan->maker.wanted);
        return BAUTA_OK;
    }
    for (uint32_t c = 0; c < plan->classes; c++)
        plan->target_of[c] = grouping->wider_of ? grouping->wider_of[c] : c;
    return make_own_targets(p, error);
}

static bauta_status refuse_tree(const bt_allotment *plan, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the hierarchy does not follow the order of the numbers: parts "
                                  "of it have the same ends");
    bt_error_place(error, NULL, -1, plan->column.name);
    bt_error_hint(error, "give it one that does, as 'balanced:2'");
    return status;
}

/* A part of the domain of numbers is published by its ends: these must tell which part it is. */
static bauta_status check_ends(const bt_allotment *plan, bauta_error *error)
{
    for (uint32_t t = 0; t < plan->target_count; t++) {
        const bt_target *target = &plan->targets[t];
        if (!target->numbers) return BAUTA_OK;
        for (uint32_t i = 0; i < target->count; i++) {
            const bt_target_node *node = &target->nodes[i];
            if (bt_target_find_numbers(target, node->least, node->greatest) != i)
                return refuse_tree(plan, error);
        }
    }
    return BAUTA_OK;
}

/* ---- classes ----------------------------------------------------------------------------- */

/* What is added is drawn from the target, or chosen for the least sum of ranges. */
static bauta_status add_fakes(const planning *p, planner *one, const bt_target *target,
                              uint32_t number, bt_stream *stream, size_t *distinct,
                              bauta_error *error)
{
    const bt_allotment_options *options = &p->plan->options;
    one->fakes.total = 0;
    if (number == 0) return BAUTA_OK;
    const bt_fakes_wish wish = {.most = number, .exactly = !options->fake.best};
    BT_TRY(options->random
               ? bt_fakes_draw(target, number, stream, &one->fakes, error)
               : bt_fakes_best(target, one->held, *distinct, &wish, &one->fakes, error));
    BT_TRY(bt_array_grow(&one->held, &one->room, *distinct + one->fakes.count, sizeof *one->held,
                         error));
    *distinct = bt_fakes_add(&one->fakes, one->held, *distinct);
    return BAUTA_OK;
}

static bauta_status plan_class(planning *p, uint32_t c, unsigned worker, task_parts *made,
                               bauta_error *error)
{
    const bt_grouping *grouping = p->job->grouping;
    const bt_target *target = bt_allotment_target(p->plan, c);
    size_t size = (size_t)bt_class_size(grouping, c);
    planner *one;
    bt_stream stream;
    bool random = p->plan->options.random;
    uint32_t number = (uint32_t)bt_fake_rule_count(&p->plan->options.fake, (int64_t)size);
    BT_TRY(ready(p, worker, size, &one, error));
    size_t distinct = hold(p, one, grouping->order + grouping->starts[c], size);
    bt_stream_init(&stream, &p->job->run->seed, "allocation", p->plan->numbers[c]);
    BT_TRY(add_fakes(p, one, target, number, &stream, &distinct, error));
    BT_TRY(bt_allocate(target, one->allocator, one->held, distinct, random ? &stream : NULL,
                       &one->parts, error));
    BT_TRY(bt_array_grow(&made->items, &made->capacity, made->count + one->parts.count,
                         sizeof *made->items, error));
    if (one->parts.count > 0)
        memcpy(made->items + made->count, one->parts.items, one->parts.count * sizeof *made->items);
    made->count += one->parts.count;
    p->plan->starts[c + 1] = one->parts.count;
    p->plan->fakes[c] = one->fakes.total;
    return BAUTA_OK;
}

static bauta_status plan_classes(void *user, size_t task, unsigned worker, bauta_error *error)
{
    planning *p = user;
    size_t from = task * CLASSES_PER_TASK, to = from + CLASSES_PER_TASK;
    if (to > p->plan->classes) to = p->plan->classes;
    for (size_t c = from; c < to; c++)
        BT_TRY(plan_class(p, (uint32_t)c, worker, &p->made[task], error));
    return bt_run_progress(p->job->run, worker, "allocating", (int64_t)to, p->plan->classes, error);
}

static bauta_status too_many_rows(bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID, "with fakes there would be more than 2^32 rows");
}

/* What is drawn takes its time: a number of fakes that cannot be is refused before. */
static bauta_status check_rows(const planning *p, bauta_error *error)
{
    const bt_grouping *grouping = p->job->grouping;
    uint64_t rows = (uint64_t)grouping->kept;
    for (uint32_t c = 0; c < grouping->classes && !p->plan->options.fake.best; c++)
        rows += (uint64_t)bt_fake_rule_count(&p->plan->options.fake, bt_class_size(grouping, c));
    return rows < UINT32_MAX ? BAUTA_OK : too_many_rows(error);
}

/* Joins what the tasks made, in their order. */
static bauta_status join_parts(planning *p, size_t tasks, bauta_error *error)
{
    bt_allotment *plan = p->plan;
    size_t at = 0;
    for (uint32_t c = 0; c < plan->classes; c++)
        plan->starts[c + 1] += plan->starts[c];
    plan->parts = bt_array(plan->starts[plan->classes], sizeof *plan->parts);
    if (!plan->parts) return bt_fail_memory(error);
    for (size_t i = 0; i < tasks; i++) {
        if (p->made[i].count > 0)
            memcpy(plan->parts + at, p->made[i].items, p->made[i].count * sizeof *plan->parts);
        at += p->made[i].count;
    }
    return BAUTA_OK;
}

static bauta_status allocate(planning *p, bauta_error *error)
{
    bt_allotment *plan = p->plan;
    size_t tasks = ((size_t)plan->classes + CLASSES_PER_TASK - 1) / CLASSES_PER_TASK;
    plan->starts = bt_arena_array(&plan->arena, (size_t)plan->classes + 1, sizeof *plan->starts);
    plan->fakes = bt_arena_array(&plan->arena, plan->classes, sizeof *plan->fakes);
    p->made = bt_array_zero(tasks, sizeof *p->made);
    bauta_status status = plan->starts && plan->fakes && p->made ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_pool_run(p->job->run->pool, tasks, plan_classes, p, error);
    if (status == BAUTA_OK) status = join_parts(p, tasks, error);
    for (size_t i = 0; p->made && i < tasks; i++)
        free(p->made[i].items);
    free(p->made);
    return status;
}

static bauta_status add_up(bt_allotment *plan, bauta_error *error)
{
    const bt_hierarchy *hierarchy = plan->maker.space.hierarchy;
    plan->levels = bt_arena_array(&plan->arena, hierarchy->levels, sizeof *plan->levels);
    if (!plan->levels) return bt_fail_memory(error);
    for (uint32_t c = 0; c < plan->classes; c++) {
        const bt_target *target = bt_allotment_target(plan, c);
        plan->all_fakes += plan->fakes[c];
        size_t count = plan->starts[c + 1] - plan->starts[c];
        plan->general += count == 1 && plan->parts[plan->starts[c]].node == 0 && target->count > 1;
        for (size_t i = plan->starts[c]; i < plan->starts[c + 1]; i++) {
            const bt_target_node *node = &target->nodes[plan->parts[i].node];
            plan->rows += plan->parts[i].copies;
            plan->sum_of_ranges += (bt_wide)plan->parts[i].copies * node->range;
            plan->levels[hierarchy->nodes[node->origin].level] += plan->parts[i].copies;
        }
    }
    if (plan->rows < UINT32_MAX) return BAUTA_OK;
    return too_many_rows(error);
}

/* ---- the tree that is published ---------------------------------------------------------- */

static void mark_values(bt_allotment *plan, const bt_target *target)
{
    for (uint32_t code = 0; code < target->codes; code++)
        plan->listed[code] |= target->leaf_of[code] != BT_NO_NODE;
}

static void move_origins(const bt_allotment *plan, const uint32_t *new_code, bt_target *target)
{
    for (uint32_t i = 0; i < target->count; i++) {
        bt_target_node *node = &target->nodes[i];
        node->origin = bt_hierarchy_cover(plan->tree, new_code[node->low], new_code[node->high]);
    }
}

/* A tree that is given may have values that no target gives a weight: only dropped records may have
 * them, or none. They are published only if the tree is public. */
static bauta_status choose_tree(bt_allotment *plan, bauta_error *error)
{
    bt_target *reference =
        bt_target_needs_reference(&plan->maker.requirements) ? &plan->maker.reference : NULL;
    const bt_hierarchy *whole = plan->tree = plan->maker.space.hierarchy;
    uint32_t *new_code = bt_arena_array(&plan->arena, whole->leaves, sizeof *new_code), next = 0;
    bt_hierarchy *pruned;
    plan->listed = bt_arena_array(&plan->arena, whole->leaves, sizeof *plan->listed);
    if (!new_code || !plan->listed) return bt_fail_memory(error);
    for (uint32_t t = 0; t < plan->target_count; t++)
        mark_values(plan, &plan->targets[t]);
    if (reference) mark_values(plan, reference);
    for (uint32_t code = 0; code < whole->leaves; code++) {
        plan->listed[code] |= !whole->given || whole->is_public;
        new_code[code] = next;
        next += plan->listed[code];
    }
    if (next == whole->leaves) return BAUTA_OK;
    BT_TRY(
        bt_hierarchy_prune(whole, plan->listed, plan->column.name, &plan->arena, &pruned, error));
    plan->tree = pruned;
    for (uint32_t t = 0; t < plan->target_count; t++)
        move_origins(plan, new_code, &plan->targets[t]);
    if (reference) move_origins(plan, new_code, reference);
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* The tree without its last leaf, which is the missing value. */
static bauta_status prune(bt_allotment *plan, bauta_error *error)
{
    const bt_hierarchy *tree = plan->column.hierarchy;
    uint32_t leaves = tree->leaves - 1;
    bt_arena *arena = &plan->arena;
    bt_hierarchy *pruned;
    const char *const **paths = bt_arena_array(arena, leaves, sizeof *paths);
    size_t *lengths = bt_arena_array(arena, leaves, sizeof *lengths);
    if (!paths || !lengths) return bt_fail_memory(error);
    for (uint32_t code = 0; code < leaves; code++) {
        const char **names = bt_arena_array(arena, tree->levels, sizeof *names);
        if (!names) return bt_fail_memory(error);
        lengths[code] = bt_hierarchy_path(tree, code, names);
        paths[code] = names;
    }
    BT_TRY(bt_hierarchy_from_paths(paths, lengths, leaves, tree->spec, plan->column.name, arena,
                                   &pruned, error));
    pruned->given = tree->given;
    plan->column.hierarchy = pruned;
    return BAUTA_OK;
}

/* Leaves the missing value out of numbers and dates, once records that miss them are dropped. */
static bauta_status leave_missing_out(bt_allotment *plan, int64_t rows, bauta_error *error)
{
    bt_column *column = &plan->column;
    if (!column->domain.has_missing || column->domain.reading.type == BT_TEXT) return BAUTA_OK;
    for (int64_t row = 0; row < rows; row++)
        if (bt_column_code(column, row) == column->domain.size - 1) return BAUTA_OK;
    if (column->hierarchy) BT_TRY(prune(plan, error));
    column->domain.size--;
    column->domain.has_missing = false;
    return BAUTA_OK;
}

static bauta_status make_plan(planning *p, bauta_error *error)
{
    bt_allotment *plan = p->plan;
    BT_TRY(bt_target_maker_init(&plan->maker, &plan->options.target, &plan->column,
                                p->job->table->rows, p->job->requirements, error));
    p->most_nodes = plan->maker.space.hierarchy->count;
    BT_TRY(make_targets(p, error));
    BT_TRY(check_ends(plan, error));
    BT_TRY(check_rows(p, error));
    BT_TRY(allocate(p, error));
    BT_TRY(add_up(plan, error));
    return choose_tree(plan, error);
}

static bauta_status number_classes(bt_allotment *plan, const bt_form_job *job, bauta_error *error)
{
    BT_TRY(bt_form_numbers(job->run, job->grouping, &plan->numbers, error));
    plan->class_of = bt_arena_array(&plan->arena, plan->classes, sizeof *plan->class_of);
    if (!plan->class_of) return bt_fail_memory(error);
    for (uint32_t c = 0; c < plan->classes; c++)
        plan->class_of[plan->numbers[c] - 1] = c;
    return BAUTA_OK;
}

bauta_status bt_allotment_make(bt_allotment *plan, const bt_allotment_options *options,
                               const bt_form_job *job, bauta_error *error)
{
    planning p = {.plan = plan, .job = job};
    unsigned workers = bt_pool_size(job->run->pool);
    *plan = (bt_allotment){.options = *options, .classes = job->grouping->classes};
    for (size_t c = 0; c < job->table->count; c++)
        if (job->table->columns[c].role == BT_ROLE_SENSITIVE) plan->column = job->table->columns[c];
    p.planners = bt_array_zero(workers, sizeof *p.planners);
    plan->arenas = bt_array_zero(workers, sizeof *plan->arenas);
    plan->arena_count = plan->arenas ? workers : 0;
    bauta_status status = p.planners && plan->arenas ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = number_classes(plan, job, error);
    if (status == BAUTA_OK) status = leave_missing_out(plan, job->table->rows, error);
    if (status == BAUTA_OK) status = make_plan(&p, error);
    release_planners(&p);
    free(p.groups.own_order);
    free(p.groups.own_starts);
    return status;
}

void bt_allotment_release(bt_allotment *plan)
{
    for (unsigned i = 0; i < plan->arena_count; i++)
        bt_arena_release(&plan->arenas[i]);
    free(plan->arenas);
    free(plan->parts);
    free(plan->numbers);
    bt_target_maker_release(&plan->maker);
    bt_arena_release(&plan->arena);
    *plan = (bt_allotment){0};
}
