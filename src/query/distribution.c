/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `distribution` releases (section 3 of paper 2).
 *
 * Left parts are the rows of quasi.csv, right parts those of sensitive.csv: parts of the domain, at
 * least as many as records. Any of them may be that of any record of the group, and the record's
 * value any in it that the target knows; nothing else is unknown. So with c left parts of a type
 * (types.h), of N right parts that may satisfy it and M that may fail it:
 *
 *   COUNT   from c - M (at least 0) to the smaller of c and N; with several types by Hall's theorem
 *   others  c - M records must match, and their parts are among those that cannot fail: the least
 *           (greatest) of these, and then of all that may satisfy it, are chosen for the low (high)
 *           end. Each part counts with the least (greatest) value in it that satisfies the type
 *
 * With one type, the usual case, both ends are attained; with several the bounds are found for each
 * alone: valid, but perhaps not tight.
 *
 * The estimate is the mean when each record's value follows the target of its group.
 *
 * Cost: records times columns; nodes of targets for each type; in each class its different parts.
 */
#include "query/types.h"

#include "base/sort.h"

#include "class/grouped.h"

#include <string.h>

struct bt_query_distribution {
    bt_weighted *targets;
    bt_grouped groups;
};

/* ---- opening ---- */

static bauta_status not_whole(bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "the parts of the domain do not fit the groups and their targets");
    bt_error_hint(error, "'bauta audit' says more");
    return status;
}

static bauta_status read_targets(bt_queryable *queryable, bauta_error *error)
{
    const bt_release *release = queryable->release;
    const bt_manifest *manifest = &release->manifest;
    const bt_manifest_column *column = release->distribution.sensitive->manifest;
    bt_weighted *targets = queryable->distribution->targets =
        bt_arena_array(&queryable->arena, manifest->target_count, sizeof *targets);
    int64_t *numbers;
    if (!targets) return bt_fail_memory(error);
    BT_TRY(bt_leaf_numbers(column->hierarchy, column->type, column->scale, &queryable->arena,
                           &numbers, error));
    for (size_t t = 0; t < manifest->target_count; t++)
        BT_TRY(bt_weighted_make(column->hierarchy, numbers, manifest->targets[t].weights,
                                manifest->targets[t].weight_count, &queryable->arena, &targets[t],
                                error));
    return BAUTA_OK;
}

static bauta_status group_parts(bt_queryable *queryable, bauta_error *error)
{
    const bt_release *release = queryable->release;
    const bt_release_distribution *shown = &release->distribution;
    for (uint32_t c = 0; c < queryable->classes; c++)
        if (shown->target_of[c] == BT_NOT_KNOWN) return not_whole(error);
    const bt_grouped_rows rows = {.class_of = release->files[BT_SENSITIVE_FILE].bag_of,
                                  .part_of = shown->part_of,
                                  .rows = bt_sensitive_rows(release),
                                  .classes = queryable->classes,
                                  .parts = shown->parts,
                                  .part_count = shown->part_count,
                                  .targets = queryable->distribution->targets,
                                  .target_of = shown->target_of};
    BT_TRY(bt_grouped_make(&rows, &queryable->distribution->groups, error));
    for (uint32_t c = 0; c < queryable->classes; c++)
        if (queryable->distribution->groups.foreign[c]) return not_whole(error);
    return BAUTA_OK;
}

static bauta_status open_distribution(bt_queryable *queryable, const bt_run *run,
                                      bauta_error *error)
{
    const bt_release *release = queryable->release;
    queryable->distribution = bt_arena_array(&queryable->arena, 1, sizeof *queryable->distribution);
    BT_TRY(bt_arena_check(&queryable->arena, error));
    queryable->classes = release->classes.count;
    queryable->first_row = release->classes.row;
    if (release->bags.unequal > 0) return not_whole(error);
    BT_TRY(read_targets(queryable, error));
    BT_TRY(group_parts(queryable, error));
    size_t sensitive = (size_t)(release->distribution.sensitive - release->columns);
    queryable->columns.items[sensitive].side = BT_RIGHT;
    return bt_queryable_take(queryable, BT_QUASI_FILE, run, error);
}

static void close_distribution(bt_queryable *queryable)
{
    if (queryable->distribution) bt_grouped_release(&queryable->distribution->groups);
}

/* ---- a type on a target ---- */

typedef struct outlook {     /* of a node of the target */
    int64_t least, greatest; /* of its values that satisfy the type */
    bool may, fails;         /* some satisfy it; some do not */
} outlook;

typedef struct typed { /* a type, for one target */
    uint32_t type;
    double chance;  /* the chance that a value satisfies it */
    double records; /* left parts of the type in all groups of the target */
    outlook *nodes; /* per node of the target */
    struct typed *next;
} typed;

typedef struct asking {
    const bt_queryable *queryable;
    bt_question *question;
    bt_evaluation *out;
    bt_types found;
    const bt_slot *right; /* the slot of the sensitive column; NULL: the question does not use it */
    uint32_t *signature;  /* of its codes */
    uint32_t *left_target; /* signatures of the target's codes, when it is on the left */
    typed **by_target;     /* per target: the types met so far */
    double *chances;       /* room for the nodes of a target */
    int64_t *counts;       /* per node of the diagram: left parts of the class there */
    uint32_t *types;
    size_t type_count;
    typed *of[BT_TYPES_MOST]; /* the first types of the class */
    int64_t *values;          /* room for the left parts of a class */
    bt_item *items;           /* room for the parts of a class */
    int64_t *by_set;          /* 2^BT_TYPES_MOST */
    bauta_error *error;
} asking;

static bool satisfies(const asking *a, uint32_t type, uint32_t code)
{
    if (type <= BT_ALWAYS) return type == BT_ALWAYS;
    return bt_diagram_step(&a->question->diagram, type, a->signature[code]) == BT_ALWAYS;
}

/* Values first, then from below what follows for the nodes above them. */
static void look(asking *a, const bt_target *target, typed *out)
{
    const bt_query_column *column = a->right->column;
    bt_target_chances(target, a->chances);
    for (uint32_t i = target->count; i-- > 0;) {
        const bt_target_node *node = &target->nodes[i];
        outlook *here = &out->nodes[i];
        if (node->children == 0) {
            here->may = satisfies(a, out->type, node->low);
            here->fails = !here->may;
            here->least = here->greatest =
                column->numbers ? bt_column_number(column, node->low) : 0;
            if (here->may) out->chance += a->chances[i];
        }
        if (i == 0) break;
        outlook *up = &out->nodes[node->parent];
        if (here->may && (!up->may || here->least < up->least)) up->least = here->least;
        if (here->may && (!up->may || here->greatest > up->greatest)) up->greatest = here->greatest;
        up->may |= here->may;
        up->fails |= here->fails;
    }
}

static bauta_status find_typed(asking *a, uint32_t target, uint32_t type, typed **out)
{
    bt_arena *arena = &a->question->predicate.arena;
    const bt_target *on = &a->queryable->distribution->targets[target].target;
    for (*out = a->by_target[target]; *out; *out = (*out)->next)
        if ((*out)->type == type) return BAUTA_OK;
    typed *made = *out = bt_arena_array(arena, 1, sizeof *made);
    if (!made) return bt_fail_memory(a->error);
    made->type = type;
    made->nodes = bt_arena_array(arena, on->count, sizeof *made->nodes);
    if (!made->nodes) return bt_fail_memory(a->error);
    made->next = a->by_target[target];
    a->by_target[target] = made;
    look(a, on, made);
    return BAUTA_OK;
}

/* ---- preparing ---- */

static uint32_t most_nodes(const bt_queryable *queryable)
{
    uint32_t most = 1;
    for (size_t t = 0; t < queryable->release->manifest.target_count; t++)
        if (queryable->distribution->targets[t].target.count > most)
            most = queryable->distribution->targets[t].target.count;
    return most;
}

static size_t largest_class(const bt_queryable *queryable)
{
    size_t largest = 0;
    for (uint32_t c = 0; c < queryable->classes; c++)
        if (queryable->left_starts[c + 1] - queryable->left_starts[c] > largest)
            largest = queryable->left_starts[c + 1] - queryable->left_starts[c];
    return largest;
}

static bauta_status open_asking(asking *a)
{
    bt_predicate *predicate = &a->question->predicate;
    bt_arena *arena = &predicate->arena;
    size_t nodes = a->question->diagram.count;
    a->by_target =
        bt_arena_array(arena, a->queryable->release->manifest.target_count, sizeof(typed *));
    a->chances = bt_arena_array(arena, most_nodes(a->queryable), sizeof *a->chances);
    a->items = bt_arena_array(arena, most_nodes(a->queryable), sizeof *a->items);
    a->counts = bt_arena_array(arena, nodes, sizeof *a->counts);
    a->types = bt_arena_array(arena, nodes, sizeof *a->types);
    a->values = bt_arena_array(arena, largest_class(a->queryable), sizeof *a->values);
    a->by_set = bt_arena_array(arena, (size_t)1 << BT_TYPES_MOST, sizeof *a->by_set);
    if (!a->by_target || !a->chances || !a->items || !a->counts || !a->types || !a->values ||
        !a->by_set)
        return bt_fail_memory(a->error);
    if (predicate->left_count < predicate->slot_count) {
        a->right = &predicate->slots[predicate->left_count];
        BT_TRY(bt_chances_exact(a->right, arena, &a->signature, a->error));
    }
    if (bt_has_target(a->question) && predicate->target < predicate->left_count)
        BT_TRY(bt_chances_exact(&predicate->slots[predicate->target], arena, &a->left_target,
                                a->error));
    return bt_types_make(a->queryable, a->question, &a->found, a->error);
}

/* ---- a class ---- */

static size_t enter_class(asking *a, uint32_t class_number)
{
    size_t from = a->queryable->left_starts[class_number];
    size_t size = a->queryable->left_starts[class_number + 1] - from;
    for (size_t i = 0; i < a->type_count; i++)
        a->counts[a->types[i]] = 0;
    a->counts[BT_NEVER] = a->counts[BT_ALWAYS] = 0;
    a->type_count = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t type = a->found.type_of[from + i];
        if (a->counts[type]++ == 0 && type > BT_ALWAYS) a->types[a->type_count++] = type;
    }
    return size;
}

typedef struct range {
    int64_t least, most;
} range;

/* How many left parts of a type match at least and at most. */
static range range_of(const asking *a, uint32_t class_number, const typed *about)
{
    size_t count;
    const bt_part *parts =
        bt_grouped_parts(&a->queryable->distribution->groups, class_number, &count);
    int64_t records = a->counts[about->type], may = 0, fails = 0;
    for (size_t i = 0; i < count; i++) {
        may += about->nodes[parts[i].node].may ? parts[i].copies : 0;
        fails += about->nodes[parts[i].node].fails ? parts[i].copies : 0;
    }
    return (range){records > fails ? records - fails : 0, records < may ? records : may};
}

static int64_t match(asking *a, uint32_t class_number, bool satisfied)
{
    int64_t counts[BT_TYPES_MOST], rights = 0;
    size_t count;
    const bt_part *parts =
        bt_grouped_parts(&a->queryable->distribution->groups, class_number, &count);
    memset(a->by_set, 0, sizeof *a->by_set << a->type_count);
    for (size_t t = 0; t < a->type_count; t++)
        counts[t] = a->counts[a->types[t]];
    for (size_t i = 0; i < count; i++) {
        size_t set = 0;
        for (size_t t = 0; t < a->type_count; t++) {
            const outlook *node = &a->of[t]->nodes[parts[i].node];
            set |= (size_t)(satisfied ? node->may : node->fails) << t;
        }
        a->by_set[set] += parts[i].copies;
        rights += parts[i].copies;
    }
    return bt_types_match(counts, a->type_count, rights, a->by_set);
}

static bauta_status count_class(asking *a, uint32_t class_number, size_t size, bt_contribution *sum)
{
    uint32_t target = a->queryable->release->distribution.target_of[class_number];
    int64_t open = 0, least = 0, most = 0;
    *sum = (bt_contribution){.records = (int64_t)size,
                             .must = a->counts[BT_ALWAYS],
                             .may = a->counts[BT_ALWAYS],
                             .expected = (double)a->counts[BT_ALWAYS]};
    for (size_t t = 0; t < a->type_count; t++) {
        typed *about;
        BT_TRY(find_typed(a, target, a->types[t], &about));
        if (t < BT_TYPES_MOST) a->of[t] = about;
        range found = range_of(a, class_number, about);
        double records = (double)a->counts[a->types[t]];
        open += a->counts[a->types[t]];
        least += found.least;
        most += found.most;
        about->records += records;
        sum->expected += records * about->chance;
    }
    if (a->type_count > 1 && a->type_count <= BT_TYPES_MOST) {
        least = open - match(a, class_number, false);
        most = match(a, class_number, true);
    } else if (a->type_count > 1) {
        a->out->tight = false;
    }
    sum->must += least;
    sum->may += most;
    return BAUTA_OK;
}

/* ---- values of the sensitive column ---- */

static int compare_items(const void *left, const void *right)
{
    const bt_item *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static bauta_status add(asking *a, bool low, int64_t value, int64_t count, bool must)
{
    if (count == 0) return BAUTA_OK;
    return low ? bt_bounds_low(&a->out->bounds, value, count, must, a->error)
               : bt_bounds_high(&a->out->bounds, value, count, must, a->error);
}

/* One end: of the parts that cannot fail `least` must be there; then whatever helps, `most` in
 * all. `must` of an item says that it cannot fail. */
static bauta_status add_end(asking *a, size_t count, range found, bool low)
{
    int64_t must = found.least, may = found.most - found.least;
    qsort(a->items, count, sizeof *a->items, compare_items);
    for (size_t i = 0; i < count && must > 0; i++) {
        bt_item *item = &a->items[low ? i : count - 1 - i];
        if (!item->must) continue;
        int64_t taken = item->count < must ? item->count : must;
        BT_TRY(add(a, low, item->value, taken, true));
        item->count -= taken;
        must -= taken;
    }
    for (size_t i = 0; i < count && may > 0; i++) {
        const bt_item *item = &a->items[low ? i : count - 1 - i];
        int64_t taken = item->count < may ? item->count : may;
        BT_TRY(add(a, low, item->value, taken, false));
        may -= taken;
    }
    return BAUTA_OK;
}

static bauta_status select_right(asking *a, uint32_t class_number, const typed *about)
{
    range found = range_of(a, class_number, about);
    size_t all;
    const bt_part *parts =
        bt_grouped_parts(&a->queryable->distribution->groups, class_number, &all);
    for (int end = 0; end < 2; end++) {
        size_t count = 0;
        for (size_t i = 0; i < all; i++) {
            const outlook *node = &about->nodes[parts[i].node];
            if (!node->may) continue;
            a->items[count] = (bt_item){.value = end == 0 ? node->least : node->greatest,
                                        .count = parts[i].copies,
                                        .must = !node->fails};
            count++;
        }
        BT_TRY(add_end(a, count, found, end == 0));
    }
    return BAUTA_OK;
}

/* ---- values of a quasi or other column ---- */

static bauta_status select_left(asking *a, uint32_t class_number, uint32_t type, range found,
                                double share)
{
    const bt_predicate *predicate = &a->question->predicate;
    const bt_slot *slot = &predicate->slots[predicate->target];
    size_t from = a->queryable->left_starts[class_number], count = 0;
    for (size_t i = from; i < a->queryable->left_starts[class_number + 1]; i++) {
        if (a->found.type_of[i] != type) continue;
        uint32_t code = bt_code_at(slot->column->codes, slot->column->width, (int64_t)i);
        a->out->weights[(size_t)code * slot->signatures + a->left_target[code]] += share;
        a->values[count++] = bt_column_number(slot->column, code);
    }
    qsort(a->values, count, sizeof *a->values, bt_compare_int64);
    for (int64_t i = 0; i < found.most; i++) {
        BT_TRY(add(a, true, a->values[i], 1, i < found.least));
        BT_TRY(add(a, false, a->values[(int64_t)count - 1 - i], 1, i < found.least));
    }
    return BAUTA_OK;
}

static bauta_status select_values(asking *a, uint32_t class_number)
{
    uint32_t target = a->queryable->release->distribution.target_of[class_number];
    int64_t all = a->counts[BT_ALWAYS];
    if (!bt_has_target(a->question) || a->out->bounds.aggregate == BT_COUNT) return BAUTA_OK;
    if (a->type_count > 1) a->out->tight = false;
    if (a->left_target && all > 0)
        BT_TRY(select_left(a, class_number, BT_ALWAYS, (range){all, all}, 1));
    for (size_t t = 0; t < a->type_count; t++) {
        typed *about;
        BT_TRY(find_typed(a, target, a->types[t], &about));
        BT_TRY(a->left_target ? select_left(a, class_number, a->types[t],
                                            range_of(a, class_number, about), about->chance)
                              : select_right(a, class_number, about));
    }
    return BAUTA_OK;
}

/* ---- the whole ---- */

/* What is expected of each value of the sensitive column. */
static void weigh(asking *a)
{
    const bt_queryable *queryable = a->queryable;
    if (!bt_has_target(a->question) || a->left_target || !a->right) return;
    for (size_t t = 0; t < queryable->release->manifest.target_count; t++) {
        const bt_target *target = &queryable->distribution->targets[t].target;
        if (a->by_target[t]) bt_target_chances(target, a->chances);
        for (const typed *about = a->by_target[t]; about; about = about->next)
            for (uint32_t i = 0; i < target->count; i++) {
                uint32_t code = target->nodes[i].low;
                if (target->nodes[i].children > 0 || !about->nodes[i].may) continue;
                a->out->weights[(size_t)code * a->right->signatures + a->signature[code]] +=
                    about->records * a->chances[i];
            }
    }
}

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    asking a = {.queryable = queryable, .question = question, .out = out, .error = error};
    BT_TRY(open_asking(&a));
    out->tight = true;
    for (uint32_t c = 0; c < queryable->classes; c++) {
        bt_contribution sum;
        size_t size = enter_class(&a, c);
        if (a.counts[BT_NEVER] == (int64_t)size) continue;
        BT_TRY(count_class(&a, c, size, &sum));
        BT_TRY(select_values(&a, c));
        BT_TRY(bt_contribute(out, queryable, c, sum, error));
    }
    weigh(&a);
    return BAUTA_OK;
}

static const char *const assumptions[] = {
    "the interval is over all ways to give each record of a group one of its parts of the domain, "
    "and a value in it",
    "the estimate takes each record's value to follow the target distribution of its group",
    NULL,
};

const bt_query_form bt_query_distribution = {
    .name = "distribution",
    .assumptions = assumptions,
    .open = open_distribution,
    .evaluate = evaluate,
    .close = close_distribution,
};
