/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `randomized` releases (paper 4).
 *
 * Every row stands for one record, but some of its quasi values were drawn anew. So no interval is
 * certain, and counting what stands there (estimator=direct, as the paper does) is off towards
 * what the columns would show if they had nothing to do with each other. The usual estimator undoes
 * the randomization, which the manifest tells: inversion.h. The interval around it holds the true
 * answer in 95 of 100 releases that could have been made of the same original.
 *
 * Where rare values were merged beforehand (merged.h), the estimate is that of the merged ones, and
 * the interval counts what they may have been: its low end is of the records that match whatever
 * they were, its high end of those that may. And a record that became another one had a value that
 * no row shows, of which there were at most rare-1 records each; so where the condition knows few
 * such values, the estimate is not further off than that.
 *
 * A question that names no quasi column is about what was left alone: its answer is exact.
 *
 * Cost: records times columns, and the parts of inversion.h.
 */
#include "query/form.h"

#include "query/inversion.h"
#include "query/merged.h"
#include "query/token.h"

#include "spec/words.h"

#include <math.h>
#include <string.h>

#define CONFIDENCE 0.95
#define DEVIATIONS 1.959963984540054 /* of the normal distribution, on both sides */

enum { ILL_CONDITIONED = 10 }; /* parts that are blown up so much, or more */

/* ---- opening ---- */

static bauta_status open_randomized(bt_queryable *queryable, const bt_run *run, bauta_error *error)
{
    const bt_release *release = queryable->release;
    size_t rows = (size_t)release->rows;
    (void)run;
    for (size_t i = 0; i < queryable->columns.count; i++) {
        bt_query_column *column = &queryable->columns.items[i];
        const bt_release_column *from = &release->columns[i];
        if (!column->exact) {
            bauta_status status =
                bt_fail(error, BAUTA_INVALID, "a column of randomized does not show its values");
            bt_error_place(error, NULL, -1, column->name);
            return status;
        }
        column->side = from->manifest->role == BT_ROLE_QUASI ? BT_LEFT : BT_RIGHT;
        BT_TRY(bt_column_take(queryable, i, NULL, rows, error));
    }
    return BAUTA_OK;
}

/* ---- rows as they stand ---- */

typedef struct asking {
    const bt_queryable *queryable;
    bt_question *question;
    bt_evaluation *out;
    bauta_error *error;
} asking;

/* Counts the rows that match, and with a target their values. */
static bauta_status count_rows(const asking *a)
{
    bt_question *question = a->question;
    const bt_predicate *predicate = &question->predicate;
    const bt_slot *target = bt_has_target(question) ? &predicate->slots[predicate->target] : NULL;
    uint32_t *target_of = NULL;
    bt_step *steps;
    int64_t count = 0;
    BT_TRY(bt_steps_make(question, 0, &steps, a->error));
    if (target) BT_TRY(bt_chances_exact(target, &question->predicate.arena, &target_of, a->error));
    for (size_t row = 0; row < (size_t)a->queryable->release->rows; row++) {
        if (bt_walk(steps, question->diagram.root, row, BT_ALWAYS + 1) != BT_ALWAYS) continue;
        count++;
        if (!target) continue;
        uint32_t code = bt_code_at(target->column->codes, target->column->width, (int64_t)row);
        a->out->weights[(size_t)code * target->signatures + target_of[code]]++;
    }
    a->out->expected = (double)count;
    a->out->bounds.must = a->out->bounds.may = count;
    return BAUTA_OK;
}

/* Nothing that is asked about was redrawn: the values are bounds and estimate at once. */
static bauta_status answer_exactly(const asking *a)
{
    const bt_question *question = a->question;
    BT_TRY(count_rows(a));
    a->out->tight = true;
    a->out->statistics = (bt_statistics){.used = true, .confidence = 1, .inflation = 1};
    if (!bt_has_target(question) || question->select.aggregate == BT_COUNT) return BAUTA_OK;
    const bt_slot *slot = &question->predicate.slots[question->predicate.target];
    for (size_t i = 0; i < (size_t)slot->column->meaning_count * slot->signatures; i++) {
        int64_t rows = (int64_t)a->out->weights[i];
        int64_t value = bt_column_number(slot->column, (uint32_t)(i / slot->signatures));
        if (rows == 0) continue;
        BT_TRY(bt_bounds_low(&a->out->bounds, value, rows, true, a->error));
        BT_TRY(bt_bounds_high(&a->out->bounds, value, rows, true, a->error));
    }
    return BAUTA_OK;
}

static const char as_it_stands[] = "rows are taken as they stand, though some quasi values of each "
                                   "were drawn anew: nothing says how far the estimate is off";

static bauta_status answer_directly(const asking *a)
{
    bt_evaluation *out = a->out;
    BT_TRY(count_rows(a));
    out->answered = true;
    out->lower = out->upper = (bt_bound){.open = true, .bottom = 1};
    out->statistics = (bt_statistics){.used = true, .warning = as_it_stands};
    return bt_estimate(a->question, out, &out->known, &out->estimate, a->error);
}

/* ---- cells ---- */

/* A randomization about to be undone. */
typedef struct undoing {
    const asking *asking;
    bt_inverse_space space;
    bt_merged merged[BT_INVERSE_AXES]; /* per axis */
    bool *reached;                     /* room for the nodes of the diagram */
    double middle;                     /* what the numbers of the target are counted from */
    double *function;                  /* room */
    double *shown; /* per cell: 1 where the condition is true of what rows show, else 0 */
    double *must;  /* per cell: 1 where the condition is true of all that rows may have been */
    double *may;   /* per cell: 1 where the condition is true of some of what rows may have been */
    bool open;     /* `must` and `may` differ somewhere */
} undoing;

/* How many records a value must have had not to be merged; 0: nothing was merged. */
static uint64_t rare_of(const bt_queryable *queryable)
{
    uint64_t rare = bt_form_number(queryable->release->manifest.form, "rare");
    return rare > 1 ? rare : 0;
}

/* Manifests of format 0 do not tell how values were merged. */
static bt_merging merging_of(const bt_queryable *queryable, const bt_query_column *column)
{
    const bt_manifest *manifest = &queryable->release->manifest;
    const bt_release_column *from = &queryable->release->columns[column - queryable->columns.items];
    if (rare_of(queryable) == 0 || column->side != BT_LEFT) return BT_MERGED_NONE;
    return manifest->format == 0 ? BT_MERGED_HIERARCHY : from->manifest->merged;
}

/* The place of a column among those that may be redrawn. */
static size_t place_of(const bt_queryable *queryable, const bt_query_column *column)
{
    size_t place = 0;
    for (const bt_query_column *other = queryable->columns.items; other < column; other++)
        place += other->side == BT_LEFT;
    return place;
}

/* The chance that none of a set of columns was redrawn: exactly 0 where that cannot be. */
static double keep_of(const bt_mechanism *mechanism, const size_t *places, size_t count,
                      uint32_t set)
{
    uint64_t left = mechanism->total, columns = mechanism->columns;
    uint64_t others = columns - mechanism->lambda;
    double keep = 1;
    for (size_t i = 0; i < count; i++) {
        if (!(set >> i & 1)) continue;
        if (mechanism->lambda == 1) {
            left -= mechanism->weight[places[i]];
            keep = (double)left / (double)mechanism->total;
        } else {
            keep *= (double)others / (double)columns--;
            if (others > 0) others--;
        }
    }
    return keep;
}

/* An axis for each slot, those that may be redrawn first. */
static bauta_status make_axes(undoing *u)
{
    const asking *a = u->asking;
    bt_inverse_space *space = &u->space;
    bt_predicate *predicate = &a->question->predicate;
    size_t places[BT_INVERSE_AXES] = {0};
    space->count = predicate->slot_count;
    space->target = a->question->select.aggregate == BT_COUNT ? space->count : predicate->target;
    for (size_t i = 0; i < space->count && i < BT_INVERSE_AXES; i++) {
        const bt_slot *slot = &predicate->slots[i];
        BT_TRY(bt_merged_make(slot, merging_of(a->queryable, slot->column), &predicate->arena,
                              &u->merged[i], a->error));
        space->size[i] = u->merged[i].kinds;
        if (i < predicate->left_count)
            places[i] = place_of(a->queryable, predicate->slots[i].column);
    }
    if (!bt_inverse_space_fits(space)) {
        bauta_status status =
            bt_fail(a->error, BAUTA_INVALID,
                    "the condition names too many columns, or in too many ways, to undo the "
                    "randomization");
        bt_error_hint(a->error, "ask for fewer columns, or with the estimator 'direct'");
        return status;
    }
    double *keep = bt_arena_array(&predicate->arena, (size_t)1 << space->count, sizeof *keep);
    if (!keep) return bt_fail_memory(a->error);
    space->redrawn = (1u << predicate->left_count) - 1;
    for (uint32_t set = 0; set < 1u << space->count; set++)
        keep[set] = keep_of(&a->queryable->release->mechanism, places, predicate->left_count, set);
    space->keep = keep;
    return BAUTA_OK;
}

/* The target's number in a row, from the middle of the column: squares of what is left are
 * smaller. */
static double middle_of(const asking *a, const bt_slot *slot)
{
    double sum = 0;
    size_t rows = (size_t)a->queryable->release->rows;
    for (size_t row = 0; row < rows; row++) {
        uint32_t code = bt_code_at(slot->column->codes, slot->column->width, (int64_t)row);
        sum += (double)bt_column_number(slot->column, code);
    }
    return rows > 0 ? sum / (double)rows : 0;
}

static void fill_cells(undoing *u)
{
    enum { BLOCK = 4096 };
    bt_inverse_space *space = &u->space;
    const bt_predicate *predicate = &u->asking->question->predicate;
    size_t rows = (size_t)u->asking->queryable->release->rows;
    uint32_t cells[BLOCK];
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;
        for (size_t k = 0; k < count; k++)
            cells[k] = 0;
        for (size_t i = 0; i < space->count; i++) {
            const bt_query_column *column = predicate->slots[i].column;
            for (size_t k = 0; k < count; k++) {
                uint32_t code = bt_code_at(column->codes, column->width, (int64_t)(first + k));
                cells[k] = cells[k] * space->size[i] + u->merged[i].kind[code];
            }
        }
        for (size_t k = 0; k < count; k++)
            space->records[cells[k]]++;
        if (space->planes == 1) continue;
        const bt_query_column *column = predicate->slots[space->target].column;
        for (size_t k = 0; k < count; k++) {
            uint32_t code = bt_code_at(column->codes, column->width, (int64_t)(first + k));
            double value = (double)bt_column_number(column, code) - u->middle;
            space->records[space->cells + cells[k]] += value;
            space->records[2 * space->cells + cells[k]] += value * value;
        }
    }
}

/* Signatures of a slot: all, the set where there is one, or else a single one. */
typedef struct choice {
    uint64_t set;
    uint32_t one;
    bool all;
} choice;

static bool allows(const choice *from, uint32_t signature)
{
    if (from->all) return true;
    return from->set ? from->set >> signature & 1 : signature == from->one;
}

/* Whether the condition can be false, and true, with such signatures of the slots. */
static void try_all(const undoing *u, const choice *choices, bool *never, bool *always)
{
    const bt_question *question = u->asking->question;
    const bt_diagram *diagram = &question->diagram;
    bool *reached = u->reached;
    memset(reached, 0, diagram->count * sizeof *reached);
    reached[diagram->root] = true;
    for (uint32_t node = diagram->root; node > BT_ALWAYS; node--) {
        uint32_t slot = diagram->slot[node];
        for (uint32_t s = 0; reached[node] && s < question->predicate.slots[slot].signatures; s++)
            if (allows(&choices[slot], s)) reached[bt_diagram_step(diagram, node, s)] = true;
    }
    *never = reached[BT_NEVER];
    *always = reached[BT_ALWAYS];
}

static void fill_conditions(undoing *u)
{
    const bt_diagram *diagram = &u->asking->question->diagram;
    const bt_inverse_space *space = &u->space;
    for (size_t cell = 0; cell < space->cells; cell++) {
        choice choices[BT_INVERSE_AXES];
        uint32_t node = diagram->root;
        size_t rest = cell;
        bool merged = false, never, always;
        for (size_t i = space->count; i-- > 0; rest /= space->size[i]) {
            const bt_merged *axis = &u->merged[i];
            uint32_t kind = (uint32_t)(rest % space->size[i]);
            choices[i] = axis->may ? (choice){.set = axis->may[kind], .one = axis->own[kind]}
                                   : (choice){.one = kind};
            merged |= axis->may != NULL;
        }
        while (node > BT_ALWAYS)
            node = bt_diagram_step(diagram, node, choices[diagram->slot[node]].one);
        u->shown[cell] = u->must[cell] = u->may[cell] = node == BT_ALWAYS;
        if (!merged) continue;
        try_all(u, choices, &never, &always);
        u->must[cell] = !never;
        u->may[cell] = always;
        u->open |= never && always;
    }
}

/* Values that no row shows with which a record may match, or with which it may not. */
static double count_unshown(const undoing *u, bool match)
{
    double count = 0;
    for (size_t i = 0; i < u->space.count; i++)
        for (uint32_t s = 0; s < u->asking->question->predicate.slots[i].signatures; s++) {
            choice choices[BT_INVERSE_AXES];
            bool never, always;
            if (!(u->merged[i].unshown[s] > 0)) continue;
            for (size_t k = 0; k < u->space.count; k++)
                choices[k] = (choice){.all = k != i, .one = s};
            try_all(u, choices, &never, &always);
            if (match ? always : never) count += u->merged[i].unshown[s];
        }
    return count;
}

/* ---- answers ---- */

/* A thousandth of the last digit is precise enough for what is no guarantee. */
static bt_bound bound_of(double number, bool up)
{
    const int64_t parts = 1000;
    double scaled = number * (double)parts, slack = 1e-9 * fmax(1, fabs(scaled));
    scaled = up ? ceil(scaled - slack) : floor(scaled + slack);
    if (!(fabs(scaled) < 1e36)) return (bt_bound){.open = true, .bottom = 1};
    return (bt_bound){.top = (__int128)scaled, .bottom = parts};
}

static const char lost[] =
    "the release does not tell how all of these columns hang together: the estimate leaves that "
    "out, and there is no interval";
static const char ill_conditioned[] =
    "ill-conditioned: to undo the randomization of so many columns multiplies its noise; ask for "
    "fewer";
static const char rough[] = "the standard error is more than it needs to be: so many columns do "
                            "not tell it";

static void give_interval(const asking *a, const bt_inverted *found, double lower, double upper,
                          double error)
{
    bt_evaluation *out = a->out;
    if (a->question->select.aggregate == BT_COUNT) {
        lower = fmax(lower, 0);
        upper = fmin(fmax(upper, 0), (double)a->queryable->release->rows);
        if (lower > upper) lower = upper;
    }
    out->lower = bound_of(lower, false);
    out->upper = bound_of(upper, true);
    out->statistics.confidence = CONFIDENCE;
    out->statistics.standard_error = error;
    if (found->inflation >= ILL_CONDITIONED)
        out->statistics.warning = ill_conditioned;
    else if (found->rough)
        out->statistics.warning = rough;
}

/* There is an estimate, and no interval yet. */
static void give_estimate(const asking *a, const bt_inverted *found, double estimate)
{
    bt_evaluation *out = a->out;
    out->answered = out->known = true;
    out->estimate = estimate;
    out->lower = out->upper = (bt_bound){.open = true, .bottom = 1};
    out->statistics = (bt_statistics){.used = true, .inflation = found->inflation};
    out->bounds.must = 1;
    if (found->lost) out->statistics.warning = lost;
}

/* The sum over the records for which a condition is true: of them, or with a target of v. */
static bt_inverted sum_where(undoing *u, const double *condition, double shift, bool values)
{
    bt_inverse_space *space = &u->space;
    bt_inverted found;
    for (size_t cell = 0; cell < space->cells; cell++) {
        u->function[cell] = (values ? shift : 1) * condition[cell];
        if (space->planes > 1) u->function[space->cells + cell] = values ? condition[cell] : 0;
    }
    bt_invert(space, u->function, &found);
    return found;
}

/* A ratio of two estimates. Its error is that of the sum of what deviates from it. */
static void give_average(undoing *u)
{
    const asking *a = u->asking;
    bt_evaluation *out = a->out;
    bt_inverted count = sum_where(u, u->shown, 0, false);
    double average = sum_where(u, u->shown, u->middle, true).sum / count.sum;
    bt_inverted deviation = sum_where(u, u->shown, u->middle - average, true);
    double error = sqrt(deviation.variance) / fabs(count.sum), reach = DEVIATIONS * error;
    deviation.lost |= count.lost;
    give_estimate(a, &deviation, average);
    if (!(count.sum > DEVIATIONS * sqrt(count.variance) && count.sum > 0.5)) {
        out->bounds.must = 0;
        out->known = count.sum > 0.5;
        out->statistics.warning = NULL;
    } else if (!deviation.lost && !u->open) {
        give_interval(a, &deviation, average - reach, average + reach, error);
    }
}

/* Whether a sum over more records is never less: of counts, and of values that are all 0 or more
 * and were not merged themselves. */
static bool grows(const undoing *u)
{
    size_t target = u->space.target;
    if (target == u->space.count) return true;
    const bt_query_column *column = u->asking->question->predicate.slots[target].column;
    return !u->merged[target].may && (column->value_count == 0 || column->numbers[0] >= 0);
}

/* With the values that were merged: the ends are those of the records that match in any case, and
 * of those that may; but not further from the estimate than the records of the values that no row
 * shows. */
static void give_merged(undoing *u, const bt_inverted *found, double error)
{
    const asking *a = u->asking;
    bool values = u->space.target < u->space.count;
    bt_inverted least = sum_where(u, u->must, u->middle, values);
    bt_inverted most = sum_where(u, u->may, u->middle, values);
    double reach = DEVIATIONS * error, each = (double)rare_of(a->queryable) - 1;
    double lower = least.sum - DEVIATIONS * sqrt(least.variance);
    double upper = most.sum + DEVIATIONS * sqrt(most.variance);
    if (!grows(u) || least.lost || most.lost) return;
    if (!values) {
        lower = fmax(lower, found->sum - reach - each * count_unshown(u, false));
        upper = fmin(upper, found->sum + reach + each * count_unshown(u, true));
    }
    give_interval(a, found, lower, upper, error);
}

static bauta_status open_undoing(undoing *u, bauta_error *error)
{
    bt_question *question = u->asking->question;
    bt_arena *arena = &question->predicate.arena;
    bt_inverse_space *space = &u->space;
    BT_TRY(make_axes(u));
    BT_TRY(bt_inverse_space_make(space, arena, error));
    if (space->planes > 1)
        u->middle = middle_of(u->asking, &question->predicate.slots[space->target]);
    fill_cells(u);
    BT_TRY(bt_inverse_space_learn(space, arena, error));
    u->reached = bt_arena_array(arena, question->diagram.count, sizeof *u->reached);
    u->function = bt_arena_array(arena, 2 * space->cells, sizeof *u->function);
    u->shown = bt_arena_array(arena, space->cells, sizeof *u->shown);
    u->must = bt_arena_array(arena, space->cells, sizeof *u->must);
    u->may = bt_arena_array(arena, space->cells, sizeof *u->may);
    if (!u->reached || !u->function || !u->shown || !u->must || !u->may)
        return bt_fail_memory(error);
    fill_conditions(u);
    /* a sum is of the values as well */
    u->open |= space->target < space->count && u->merged[space->target].may;
    return BAUTA_OK;
}

static bauta_status answer_unbiased(const asking *a)
{
    undoing u = {.asking = a};
    BT_TRY(open_undoing(&u, a->error));
    if (a->question->select.aggregate == BT_AVG) {
        give_average(&u);
    } else {
        bt_inverted found = sum_where(&u, u.shown, u.middle, u.space.target < u.space.count);
        double error = sqrt(found.variance), reach = DEVIATIONS * error;
        give_estimate(a, &found, found.sum);
        if (!found.lost && u.open)
            give_merged(&u, &found, error);
        else if (!found.lost)
            give_interval(a, &found, found.sum - reach, found.sum + reach, error);
    }
    if (u.open) a->out->statistics.merged = rare_of(a->queryable);
    return BAUTA_OK;
}

/* ---- the whole ---- */

static bauta_status evaluate(const bt_queryable *queryable, bt_question *question,
                             bt_evaluation *out, bauta_error *error)
{
    const asking a = {queryable, question, out, error};
    bt_aggregate aggregate = question->select.aggregate;
    if (question->predicate.left_count == 0) return answer_exactly(&a);
    if (question->options.estimator == BT_ESTIMATE_DIRECT) return answer_directly(&a);
    if (aggregate != BT_MIN && aggregate != BT_MAX) return answer_unbiased(&a);
    bauta_status status = bt_query_fail(
        error, (size_t)1, "%s of a randomized release cannot be estimated with quasi columns",
        bt_aggregate_name(aggregate));
    bt_error_hint(error, "it hangs on single records, which were changed; the estimator 'direct' "
                         "shows what stands in the rows");
    return status;
}

static const char *const assumptions[] = {
    "some quasi values of every row were drawn anew, as the manifest says, each from the values of "
    "its column; all other columns are as they were",
    "the estimate undoes that: on average over all releases that could have been made it is the "
    "true answer, and so it may be below 0 or above all records",
    "the interval is no guarantee: of 100 such releases 95 have the true answer in it",
    NULL,
};

static const char *const direct[] = {as_it_stands, NULL};

const bt_query_form bt_query_randomized = {
    .name = "randomized",
    .usual = "unbiased",
    .assumptions = assumptions,
    .open = open_randomized,
    .evaluate = evaluate,
    .direct = direct,
};
