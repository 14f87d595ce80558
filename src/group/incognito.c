/* SPDX-License-Identifier: Apache-2.0
 *
 * Incognito: full-domain recoding (LeFevre, DeWitt and Ramakrishnan 2005; the global recoding of
 * paper 3). Every column gets one level, and all its cells are nodes of that level.
 *
 * The search is exact. Without --suppress it finds all minimal nodes of the lattice of levels, and
 * the release is the best of them by the objective. With --suppress records of classes that fail
 * are dropped, up to that share, and the release is the best node of the whole lattice; a dropped
 * record counts as fully generalized.
 *
 *   objective=ncp             mean NCP of cells, with the weights of columns
 *   objective=discernibility  sum of the squared sizes of classes; a dropped record counts as
 *                             many as there are records
 *   objective=distortion      sum of the heights of cells in their trees
 *   objective=height          sum of levels, for each record
 *   objective=classes         the number of classes, the more the better
 *
 * minimal=no: in half of the cases a column drawn at random gets the next level, if all classes
 * satisfy there too. So nobody can tell that the level below does not.
 *
 * incognito_search.c has the search, incognito_counts.c how nodes are counted, incognito_judge.c
 * how they are judged and bounded.
 */
#include "group/incognito.h"

enum { OPTION_OBJECTIVE, OPTION_LOCAL, OPTION_MINIMAL };

static bauta_status nothing_satisfies(const bt_search *search, bauta_error *error)
{
    if (!search->proven) {
        bauta_status status =
            bt_fail(error, BAUTA_NO, "no level of the columns that satisfies was found in time");
        bt_error_hint(error, "allow more with --time or --nodes");
        return status;
    }
    bauta_status status =
        bt_fail(error, BAUTA_NO, "at no level of the columns do all classes satisfy");
    bt_error_hint(error, "raise 'max-level', or allow more rows to be dropped with --suppress");
    return status;
}

/* The classes of the best node. */
static bauta_status take_best(const bt_search *search, bt_grouping *out, bauta_error *error)
{
    const bt_judge *judge = search->judge;
    const bt_lattice *lattice = judge->count.lattice;
    const bt_found *best = &search->found[search->best];
    bt_juror juror = {0};
    bt_counts counts = {0};
    uint32_t *class_of = NULL, classes = 0;
    uint64_t *terms = bt_array(lattice->terms, sizeof *terms);
    bt_trial trial = {.price = {.terms = terms}};
    bauta_status status = terms ? bt_juror_make(judge, &juror, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_steps_roll(search->steps, best->levels, &counts, error);
    if (status == BAUTA_OK) status = bt_try(judge, &counts, ~(bt_wide)0, &juror, &trial, error);
    if (status == BAUTA_OK) {
        class_of = bt_array(counts.groups, sizeof *class_of);
        if (!class_of) status = bt_fail_memory(error);
    }
    for (uint32_t g = 0; status == BAUTA_OK && g < counts.groups; g++)
        class_of[g] = juror.outlooks[g] == BT_OUTLOOK_GOOD ? classes++ : BT_NO_CLASS;
    if (status == BAUTA_OK)
        status = bt_classes_make(&judge->count, &counts, class_of, classes, out, error);
    free(class_of);
    free(terms);
    bt_juror_release(&juror);
    bt_counts_release(&counts);
    return status;
}

static bauta_status set_floors(const bt_lattice *lattice, const uint16_t *levels, bt_grouping *out,
                               bauta_error *error)
{
    out->floors = bt_array(lattice->columns, sizeof *out->floors);
    if (!out->floors) return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++)
        out->floors[c] = levels[c];
    return BAUTA_OK;
}

/* Whether a node satisfies. */
static bauta_status try_levels(const bt_search *search, const uint16_t *levels, bool *out,
                               bauta_error *error)
{
    const bt_judge *judge = search->judge;
    bt_juror juror = {0};
    bt_counts counts = {0};
    uint64_t *terms = bt_array(judge->count.lattice->terms, sizeof *terms);
    bt_trial trial = {.price = {.terms = terms}};
    bauta_status status = terms ? bt_juror_make(judge, &juror, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_steps_roll(search->steps, levels, &counts, error);
    if (status == BAUTA_OK) status = bt_try(judge, &counts, ~(bt_wide)0, &juror, &trial, error);
    *out = trial.satisfies;
    free(terms);
    bt_juror_release(&juror);
    bt_counts_release(&counts);
    return status;
}

/* minimal=no: the column whose level is raised, of those that can be; UINT32_MAX: none. */
static uint32_t draw_column(const bt_lattice *lattice, const uint16_t *levels, const bt_run *run)
{
    uint32_t open = 0, drawn;
    bt_stream stream;
    for (size_t c = 0; c < lattice->columns; c++)
        open += levels[c] < lattice->scales[c].highest;
    bt_stream_init(&stream, &run->seed, "higher level", 0);
    if (open == 0 || bt_stream_below(&stream, 2) == 0) return UINT32_MAX;
    drawn = (uint32_t)bt_stream_below(&stream, open);
    for (uint32_t c = 0;; c++)
        if (levels[c] < lattice->scales[c].highest && drawn-- == 0) return c;
}

static bauta_status raise_level(bt_search *search, const bt_method_job *job, bauta_error *error)
{
    const bt_lattice *lattice = search->judge->count.lattice;
    uint16_t *levels = search->found[search->best].levels;
    uint32_t column = draw_column(lattice, levels, job->run);
    bool satisfies;
    if (column == UINT32_MAX) return BAUTA_OK;
    levels[column]++;
    BT_TRY(try_levels(search, levels, &satisfies, error));
    if (!satisfies) levels[column]--;
    if (job->notes)
        bt_put_int(job->notes->facts, json_object_get(job->notes->at, "levels"),
                   lattice->quasi[column]->name, levels[column]);
    return BAUTA_OK;
}

static bauta_status search_and_take(const bt_method_job *job, const bt_judge *judge,
                                    bt_grouping *out, bauta_error *error)
{
    bt_search search = {.judge = judge, .budget = {.nodes = INT64_MAX}};
    if (job->nodes > 0) search.budget.nodes = job->nodes;
    if (job->seconds > 0) search.budget.deadline = bt_seconds() + job->seconds;
    BT_TRY(bt_steps_new(judge, &search.steps, error));
    bauta_status status = bt_search_run(&search, error);
    if (status == BAUTA_OK && search.count == 0) status = nothing_satisfies(&search, error);
    if (status == BAUTA_OK) status = bt_search_tell(&search, job, error);
    if (status == BAUTA_OK && job->options[OPTION_MINIMAL].integer == BT_MINIMAL_NO)
        status = raise_level(&search, job, error);
    if (status == BAUTA_OK) status = take_best(&search, out, error);
    if (status == BAUTA_OK)
        status = set_floors(judge->count.lattice, search.found[search.best].levels, out, error);
    bt_search_release(&search);
    bt_steps_free(search.steps);
    return status;
}

/* Whoever waits for a search that may not end in a lifetime is told so before it begins. */
static void announce(const bt_method_job *job, const bt_lattice *lattice)
{
    enum { MANY = 1000000 };
    char text[256];
    const bt_method_notes *notes = job->notes;
    if (!notes || !notes->notice || lattice->nodes <= MANY) return;
    snprintf(text, sizeof text,
             "incognito: the lattice of %zu columns has %s%lld nodes, of which most may have to be "
             "looked at; 'nodes' or 'time' ends the search earlier, 'min-level' and 'max-level' "
             "make the lattice smaller",
             lattice->columns, lattice->nodes == INT64_MAX ? "more than " : "",
             (long long)(lattice->nodes == INT64_MAX ? INT64_MAX - 1 : lattice->nodes));
    notes->notice(notes->notice_user, text);
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    bt_lattice lattice;
    bt_judge judge = {0};
    bt_goal goal = (bt_goal)job->options[OPTION_OBJECTIVE].integer;
    bool local = job->options[OPTION_LOCAL].integer;
    *out = (bt_grouping){0};
    if (local && job->options[OPTION_MINIMAL].integer == BT_MINIMAL_NO)
        return bt_fail(error, BAUTA_INVALID, "'local=yes' and 'minimal=no' do not go together");
    if (goal == BT_GOAL_DISCERNIBILITY && job->records > UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID,
                       "'objective=discernibility' adds up squares, and those of more than %u "
                       "records are too large",
                       UINT32_MAX);
    if (local && (goal == BT_GOAL_DISCERNIBILITY || goal == BT_GOAL_CLASSES)) goal = BT_GOAL_NCP;
    bauta_status status = bt_lattice_make(job, goal, &lattice, error);
    if (status == BAUTA_OK) announce(job, &lattice);
    if (status == BAUTA_OK) status = bt_judge_make(job, &lattice, &judge, error);
    if (status == BAUTA_OK)
        status = local ? bt_recode_locally(job, &judge, out, error)
                       : search_and_take(job, &judge, out, error);
    bt_judge_release(&judge);
    bt_lattice_release(&lattice);
    return status;
}

static const bt_param params[] = {
    [OPTION_OBJECTIVE] = {.name = "objective",
                          .type = BT_PARAM_CHOICE,
                          .choices = "ncp|discernibility|distortion|height|classes",
                          .fallback = "ncp",
                          .help = "what the best node has least of; of classes, most"},
    [OPTION_LOCAL] = {.name = "local",
                      .type = BT_PARAM_CHOICE,
                      .choices = "no|yes",
                      .fallback = "no",
                      .help = "release the classes that satisfy at the best node, and search again "
                              "for the other records"},
    [OPTION_MINIMAL] = BT_PARAM_MINIMAL,
};

/* Single records are borrowed. */
static bool by_place(const bt_value *options)
{
    return options[OPTION_LOCAL].integer;
}

static bt_retrace retrace(const bt_value *options)
{
    bool coins = options[OPTION_MINIMAL].integer == BT_MINIMAL_NO;
    if (options[OPTION_LOCAL].integer)
        return (bt_retrace){.coins = coins,
                            .why = "with local=yes levels were the best for the records left then, "
                                   "which nobody knows"};
    return (bt_retrace){.kind = BT_RETRACE_LEVELS, .coins = coins};
}

const bt_method bt_method_incognito = {
    .name = "incognito",
    .summary = "full-domain recoding: one level for each column, the best that satisfies",
    .paper = "LeFevre, DeWitt and Ramakrishnan 2005; paper 3",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .trees = true,
    .full_domain = true,
    .by_place = by_place,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
