/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiments: what is refused, what is left behind (nothing), and verdicts that follow from the
 * numbers. The whole of an experiment is run by tests/cli/reproduce.
 */
#include "scratch.h"

#include "papers/p1.h"
#include "papers/p3.h"
#include "papers/p4.h"

#include <dirent.h>
#include <string.h>

static bauta_error error;

static int prepare(void **state)
{
    return scratch_make(state) == 0 ? mkdir(scratch_name("tmp"), 0700) : -1;
}

/* ---- calls ---- */

static bauta_status reproduce(const char *table, const char *more)
{
    char data[300], tmp[300];
    snprintf(data, sizeof data, "data=%s", table);
    snprintf(tmp, sizeof tmp, "tmp=%s", scratch_name("tmp"));
    const char *arguments[] = {data, tmp, more};
    char *text = NULL;
    bauta_status status =
        ex_reproduce("P3", arguments, more ? 3 : 2, NULL, NULL, true, &text, &error);
    free(text);
    return status;
}

static void assert_nothing_is_left(void)
{
    DIR *list = opendir(scratch_name("tmp"));
    const struct dirent *entry;
    assert_non_null(list);
    while ((entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.') fail_msg("'%s' is left", entry->d_name);
    closedir(list);
}

static void calls_are_checked(void **state)
{
    (void)state;
    const char *one[] = {"data=x"}, *two[] = {"data=x", "data=y"}, *odd[] = {"dta=x"};
    char *text = NULL;
    assert_fails(ex_reproduce("P33", one, 1, NULL, NULL, true, &text, &error), BAUTA_USAGE, &error,
                 "there is no experiment 'P33'");
    assert_fails(ex_reproduce("p3", NULL, 0, NULL, NULL, true, &text, &error), BAUTA_USAGE, &error,
                 "'P3' needs the parameter 'data'");
    assert_fails(ex_reproduce("P3", two, 2, NULL, NULL, true, &text, &error), BAUTA_USAGE, &error,
                 "twice");
    assert_fails(ex_reproduce("P3", odd, 1, NULL, NULL, true, &text, &error), BAUTA_USAGE, &error,
                 "'P3' has no parameter 'dta'");
    assert_string_equal(error.hint, "did you mean 'data'?");
    assert_fails(reproduce("x", "runs=0"), BAUTA_USAGE, &error, "at least 1");
    assert_fails(reproduce("x", "seed=xyz"), BAUTA_USAGE, &error, "hexadecimal");
    assert_fails(reproduce("x", "seed="), BAUTA_USAGE, &error, "hexadecimal");
    assert_fails(reproduce("x", "tmp=/absent"), BAUTA_USAGE, &error, "twice");
    assert_fails(reproduce(scratch_name("absent"), NULL), BAUTA_SYSTEM, &error, "cannot open");
    assert_nothing_is_left();
}

#define HEADER "age,workclass,education,native-country,marital-status,race,sex"
#define PERSON "39,State-gov,Bachelors,United-States,Never-married,White,Male"

/* Faults of a table are told with its own name, row and column. */
static void tables_are_checked(void **state)
{
    (void)state;
    const char *table = scratch_text("table.csv", "age,workclass\n39,State-gov\n");
    assert_fails(reproduce(table, NULL), BAUTA_INVALID, &error, "no such column");
    assert_string_equal(error.file, table);
    assert_string_equal(error.column, "education");
    assert_int_equal(error.row, 0);
    assert_fails(reproduce(scratch_text("table.csv", ""), NULL), BAUTA_INVALID, &error, "empty");
    assert_fails(reproduce(scratch_text("table.csv", "\"age"), NULL), BAUTA_INVALID, &error, "");
    assert_int_equal(error.row, 0);
    table = scratch_text("table.csv", HEADER "\n" PERSON "\n" PERSON ",1\n");
    assert_fails(reproduce(table, NULL), BAUTA_INVALID, &error, "");
    assert_int_equal(error.row, 2);
    table = scratch_text("table.csv", HEADER ",job\n" PERSON ",?\n" PERSON ",\n");
    assert_fails(reproduce(table, NULL), BAUTA_INVALID, &error, "no records");
    assert_nothing_is_left();
}

static void the_recipe_can_be_had(void **state)
{
    (void)state;
    char more[300], text[64];
    const char *table = scratch_text("table.csv", "age\n39\n");
    snprintf(more, sizeof more, "recipe=%s", scratch_name("recipe.yaml"));
    assert_fails(reproduce(table, more), BAUTA_INVALID, &error, "no such column");
    FILE *file = fopen(scratch_name("recipe.yaml"), "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_non_null(strstr(text, "# The recipe of experiment P3"));
    assert_int_equal(fclose(file), 0);
    assert_fails(reproduce(table, "recipe=/absent/recipe.yaml"), BAUTA_SYSTEM, &error,
                 "cannot create");
    assert_nothing_is_left();
}

/* ---- progress ---- */

typedef struct listener {
    int64_t calls, most; /* most: cancels then; 0: never */
} listener;

static int listen(void *user, const char *stage, int64_t done, int64_t total)
{
    listener *l = user;
    assert_true(stage[0] != '\0' && done >= 0 && total >= 0);
    return ++l->calls == l->most;
}

static bauta_status reproduce_small(listener *l)
{
    char tmp[300];
    snprintf(tmp, sizeof tmp, "tmp=%s", scratch_name("tmp"));
    const char *arguments[] = {"microdata=20", "most=1",           "runs=1",
                               "queries=1",    "methods=mondrian", tmp};
    char *text = NULL;
    bauta_status status = ex_reproduce("P5", arguments, 6, listen, l, false, &text, &error);
    free(text);
    return status;
}

/* Whenever it is cancelled, nothing is left. */
static void progress_is_told_and_can_cancel(void **state)
{
    (void)state;
    listener all = {0};
    assert_ok(reproduce_small(&all), &error);
    assert_true(all.calls > 20);
    for (int64_t most = 1; most <= all.calls; most += 1 + all.calls / 8) {
        listener l = {.most = most};
        assert_fails(reproduce_small(&l), BAUTA_CANCELLED, &error, "cancelled by the caller");
        assert_int_equal(l.calls, most);
        assert_nothing_is_left();
    }
}

/* ---- verdicts ---- */

enum { RUNS = 2 };

/* Claims in the order in which they are put. */
enum {
    ATTACKED,
    RECORDS,
    RARER,
    EXCLUDED,
    MORE,
    FASTEST,
    LEAD,
    GROWS,
    THREE,
    FALLS,
    ORDER,
    TABLE_8
};

typedef struct world {
    ex_p3_found found;
    ex_p3_attack attacks[RUNS][EX_P3_MODELS];
    ex_p3_local locals[RUNS][EX_P3_MODELS];
} world;

/* A world in which the paper is right in everything, also in what cannot be. */
static void make_world(world *w)
{
    static const ex_p3_attack paper[EX_P3_MODELS] = {
        {21, 13, 916, 0.6}, {30, 7, 40, 0.2}, {28, 3, 12, 0.2}};
    static const ex_p3_local local[EX_P3_MODELS] = {{100, 9, 50}, {90, 2, 9}, {80, 1, 4}};
    *w = (world){.found = {.runs = RUNS, .example_classes = {2, 2}}};
    for (size_t run = 0; run < RUNS; run++) {
        memcpy(w->attacks[run], paper, sizeof paper);
        memcpy(w->locals[run], local, sizeof local);
    }
    ex_p3_series *series[] = {&w->found.sizes, &w->found.values, &w->found.weights};
    for (size_t s = 0; s < 3; s++) {
        series[s]->count = 3;
        for (int i = 0; i < 3; i++) {
            series[s]->settings[i] = (ex_p3_setting){.size = i + 2, .p = i + 2, .alpha = i + 1};
            double share = s == 0 ? 0.1 * (i + 1) : 0.1 * (3 - i);
            series[s]->points[i][0] = (ex_p3_point){1, 10, 5, 3 * share};
            series[s]->points[i][1] = (ex_p3_point){2 + i, 10, 6, share};
            series[s]->points[i][2] = (ex_p3_point){3 + i, 10, 6, share};
        }
    }
}

static void assert_verdict(world *w, size_t claim, const char *verdict, const char *finding)
{
    ex_facts facts = {.root = json_object()};
    w->found.attacks = w->attacks;
    w->found.locals = w->locals;
    ex_p3_put_claims(&(ex_experiment_job){.facts = &facts}, &w->found);
    const json_t *claims = json_object_get(facts.root, "claims");
    const json_t *one = json_array_get(claims, claim);
    assert_int_equal(json_array_size(claims), TABLE_8 + 1);
    assert_string_equal(json_string_value(json_object_get(one, "verdict")), verdict);
    const char *found = json_string_value(json_object_get(one, "finding"));
    if (!strstr(found, finding)) fail_msg("'%s'", found);
    json_decref(facts.root);
}

static void verdicts_can_all_be_good(void **state)
{
    (void)state;
    world w;
    make_world(&w);
    for (size_t claim = 0; claim <= TABLE_8; claim++)
        if (claim != ORDER) assert_verdict(&w, claim, "holds", "");
    assert_verdict(&w, ORDER, "does not hold", "in 0 of 11 comparisons");
}

static void verdicts_follow_from_attacks(void **state)
{
    (void)state;
    world w;
    make_world(&w);
    w.attacks[1][EX_P3_SENSITIVE] = (ex_p3_attack){11, 0, 0, 0.1};
    assert_verdict(&w, ATTACKED, "holds in part",
                   "6.50 of 16.0 minimal nodes on average, at least one in 1 of 2 assignments; of "
                   "local recoding 9.0 of 100 classes, at least one in 2");
    assert_verdict(&w, RECORDS, "holds", "0 to 916 records");
    assert_verdict(&w, RARER, "holds in part",
                   "in 1 of 2 assignments; of local recoding 2.0 of 90 "
                   "classes, a smaller share in 2");
    assert_verdict(&w, ORDER, "holds in part", "in 1 of 11 comparisons");
    w.attacks[0][EX_P3_SENSITIVE].most_records = 915;
    assert_verdict(&w, RECORDS, "holds in part", "0 to 915 records");
    w.attacks[0][EX_P3_SENSITIVE] = w.attacks[1][EX_P3_SENSITIVE];
    assert_verdict(&w, ATTACKED, "holds in part", "0.00 of 11.0");
    assert_verdict(&w, RECORDS, "does not hold", "0 to 0 records");
    assert_verdict(&w, RARER, "holds in part", "in 0 of 2 assignments");
}

static void verdicts_follow_from_local_recoding(void **state)
{
    (void)state;
    world w;
    make_world(&w);
    for (size_t run = 0; run < RUNS; run++) {
        w.attacks[run][EX_P3_SENSITIVE] = (ex_p3_attack){11, 0, 0, 0.1};
        w.attacks[run][EX_P3_PLUS] = (ex_p3_attack){10, 0, 0, 0.2};
        w.attacks[run][EX_P3_ALPHA].distortion = 0.15;
        w.locals[run][EX_P3_SENSITIVE].vulnerable = 0;
    }
    assert_verdict(&w, EXCLUDED, "holds in part", "0 of 10.0 minimal nodes on average, 1 of 80");
    assert_verdict(&w, ATTACKED, "does not hold", "at least one in 0");
    assert_verdict(&w, RARER, "does not hold", "a smaller share in 0");
    assert_verdict(&w, MORE, "holds in part", "30.0 and 10.0 against 11.0");
    assert_verdict(&w, ORDER, "holds in part", "in 2 of 11 comparisons");
    for (size_t run = 0; run < RUNS; run++)
        w.locals[run][EX_P3_PLUS] = (ex_p3_local){80, 0, 0};
    assert_verdict(&w, EXCLUDED, "does not hold", "0 of 80 classes");
}

static void verdicts_follow_from_series(void **state)
{
    (void)state;
    world w;
    make_world(&w);
    w.found.sizes.points[0][EX_P3_PLUS].seconds = 0.5;
    w.found.weights.points[2][EX_P3_PLUS].seconds = 3;
    w.found.sizes.points[2][EX_P3_SENSITIVE].distortion = 0;
    w.found.weights.points[2][EX_P3_ALPHA].distortion = 0.3;
    w.found.example_classes[1] = 1;
    w.found.sizes.points[1][EX_P3_PLUS].seconds = 1.05;
    w.found.values.points[0][EX_P3_ALPHA].evaluated = 5;
    assert_verdict(&w, FASTEST, "holds in part",
                   "in 7 of 9 settings and slower than one of them in 1; it evaluates fewer nodes "
                   "than both in 8");
    assert_verdict(&w, LEAD, "holds in part",
                   "from 1000.0 to 3000.0 ms over (p,alpha) and from "
                   "2000.0 to 2000.0 ms");
    assert_verdict(&w, GROWS, "holds in part",
                   "in 5 of 6 steps from one size to the next and "
                   "falls in 1");
    assert_verdict(&w, THREE, "holds in part", "1.50 times");
    assert_verdict(&w, FALLS, "holds in part", "rises in 1 of 4 steps and falls in 3");
    assert_verdict(&w, TABLE_8, "does not hold", "the number of classes is 1,");
    for (size_t i = 0; i < 3; i++)
        w.found.sizes.points[i][EX_P3_SENSITIVE].distortion = 0.1;
    assert_verdict(&w, THREE, "does not hold", "0.50 times");
}

/* ---- verdicts of P1 ---- */

enum { P1_ORDER, P1_FACTOR, P1_D_ORDER, P1_D, P1_QD_ORDER, P1_QD, P1_S_ORDER, P1_S, P1_N_ORDER };
enum { P1_N = P1_N_ORDER + 1, P1_BOUNDS, P1_CLAIMS, P1_POINTS = 3 };

typedef struct p1_world {
    ex_p1_found found;
    ex_p1_trial trials[EX_P1_AXES][P1_POINTS][RUNS];
} p1_world;

/* A world in which the paper is right in everything. */
static void make_p1_world(p1_world *w)
{
    *w = (p1_world){.found = {.runs = RUNS, .queries = "10"}};
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++) {
        w->found.series[axis].count = P1_POINTS;
        for (size_t i = 0; i < P1_POINTS; i++)
            for (size_t run = 0; run < RUNS; run++) {
                double scale = 1 - 0.1 * (double)i;
                w->trials[axis][i][run] = (ex_p1_trial){
                    {{0.1 * scale, 0, 0, 1}, {0.2 * scale, 0, 0, 1}, {0.9 * scale, 0, 0, 1}}, 0};
            }
    }
}

static void assert_p1(p1_world *w, size_t claim, const char *verdict, const char *finding)
{
    ex_facts facts = {.root = json_object()};
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        for (size_t i = 0; i < P1_POINTS; i++)
            w->found.series[axis].trials[i] = w->trials[axis][i];
    w->found.defaults = w->trials[EX_P1_BY_QD][0];
    ex_p1_put_claims(&(ex_experiment_job){.facts = &facts}, &w->found);
    const json_t *claims = json_object_get(facts.root, "claims");
    const json_t *one = json_array_get(claims, claim);
    assert_int_equal(json_array_size(claims), P1_CLAIMS);
    assert_string_equal(json_string_value(json_object_get(one, "verdict")), verdict);
    const char *found = json_string_value(json_object_get(one, "finding"));
    if (!strstr(found, finding)) fail_msg("'%s'", found);
    json_decref(facts.root);
}

static void verdicts_of_p1_follow_from_errors(void **state)
{
    (void)state;
    p1_world w;
    make_p1_world(&w);
    for (size_t claim = 0; claim < P1_CLAIMS; claim++)
        assert_p1(&w, claim, "holds", "");
    assert_p1(&w, P1_FACTOR, "holds", "2.00 to 2.00 times");
    assert_p1(&w, P1_D, "holds", "1.25 (two-tables), 1.25 (anatomy) and 1.25");
    assert_p1(&w, P1_S, "holds", "it falls in 6 of 6 steps");
    w.trials[EX_P1_BY_QD][0][1].of[EX_P1_ANATOMY].mean_error = 0.12;
    assert_p1(&w, P1_FACTOR, "holds in part", "in 1 of 2 runs at the defaults; 1.20 to 2.00");
    assert_p1(&w, P1_ORDER, "holds", "0.1000, 0.1600 and 0.9000 on average");
    w.trials[EX_P1_BY_QD][0][1].of[EX_P1_ANATOMY].mean_error = 0.05;
    assert_p1(&w, P1_ORDER, "holds in part", "in 1 of 2 runs");
    assert_p1(&w, P1_QD_ORDER, "holds", "at 3 of 3 points");
    w.trials[EX_P1_BY_QD][0][0].of[EX_P1_ANATOMY].mean_error = 0.05;
    assert_p1(&w, P1_ORDER, "does not hold", "in 0 of 2 runs");
    assert_p1(&w, P1_FACTOR, "does not hold", "0.50 to 0.50");
    assert_p1(&w, P1_QD_ORDER, "holds in part", "at 2 of 3 points");
    assert_p1(&w, P1_QD, "holds in part", "3.60 (anatomy)");
    for (size_t run = 0; run < RUNS; run++)
        for (ex_p1_method m = 0; m < EX_P1_METHODS; m++)
            w.trials[EX_P1_BY_N][P1_POINTS - 1][run].of[m].mean_error = 1 + m;
    assert_p1(&w, P1_N, "does not hold", "it falls in 3 of 6 steps");
    assert_p1(&w, P1_N_ORDER, "holds", "");
    w.trials[EX_P1_BY_S][1][1].of[EX_P1_GENERALIZED].contained = 0.9;
    assert_p1(&w, P1_BOUNDS, "does not hold", "in 71 of 72 cases");
}

/* ---- verdicts of P4 ---- */

enum { P4_ANONYMITY, P4_LINKAGE, P4_PERMUTED, P4_VARIES, P4_GROWS, P4_SLOWS, P4_L, P4_LEAST };
enum { P4_UNDONE = P4_LEAST + 1, P4_PAIRS, P4_RECOVERED, P4_FEWER, P4_MORE, P4_SHORTER, P4_MOST };
enum { P4_BETTER = P4_MOST + 1, P4_HELD, P4_CLAIMS };

typedef struct p4_world {
    ex_p4_found found;
    ex_p4_run runs[RUNS];
    double pairs[3];
} p4_world;

/* A world in which the paper is right. */
static void make_p4_world(p4_world *w)
{
    static const double slopes[EX_P4_SERIES] = {0.01, 0.005, 0.007, 0.3, 0.4, 0.5, 0.02};
    static const double levels[EX_P4_SERIES] = {0, 0.5, 0.6, 1, 2, 3, 0.1};
    *w = (p4_world){.found = {.runs = RUNS, .queries = "10", .pair_count = 3},
                    .pairs = {0.1, 0.1, 0.3}};
    for (int l = 7; l <= 10; l++)
        w->found.permuted[l] = true;
    for (size_t run = 0; run < RUNS; run++) {
        for (int j = 0; j < EX_P4_ASKED; j++)
            for (int s = 0; s < EX_P4_SERIES; s++) {
                double error_of = levels[s] + slopes[s] * (j - 0.03 * j * j);
                w->runs[run].asked[j].of[s] = (ex_p4_answers){error_of, error_of, 0.95};
            }
        for (size_t i = 0; i < EX_P4_LAMBDAS; i++) {
            ex_p4_randomized *one = &w->runs[run].randomized[i];
            *one =
                (ex_p4_randomized){.anonymity = 34, .linkage = 0.02, .linkage_knowing_all = 0.02};
            one->mined.all = (ex_p4_rules){20, 18 - 3 * (int64_t)i, (int64_t)i};
            one->mined.by_length[0] = (ex_p4_rules){10, 10, 0};
            one->mined.by_length[3] = (ex_p4_rules){10, 2, 1};
        }
    }
}

static void assert_p4(p4_world *w, size_t claim, const char *verdict, const char *finding)
{
    ex_facts facts = {.root = json_object()};
    w->found.run = w->runs;
    w->found.pairs = w->pairs;
    ex_p4_put_claims(&(ex_experiment_job){.facts = &facts}, &w->found);
    assert_false(facts.failed);
    const json_t *claims = json_object_get(facts.root, "claims");
    assert_int_equal(json_array_size(claims), P4_CLAIMS);
    const json_t *one = json_array_get(claims, claim);
    assert_string_equal(json_string_value(json_object_get(one, "verdict")), verdict);
    assert_non_null(strstr(json_string_value(json_object_get(one, "finding")), finding));
    json_decref(facts.root);
}

static void verdicts_of_p4_on_queries(void **state)
{
    (void)state;
    p4_world w;
    make_p4_world(&w);
    for (size_t claim = 0; claim < P4_CLAIMS; claim++)
        assert_p4(&w, claim, "holds", "");
    w.runs[0].asked[2].of[EX_P4_PERMUTED_5].mean_error = -10; /* the mean of two runs is below */
    assert_p4(&w, P4_LEAST, "holds in part", "on average at 7 of 8 points, by medians at 8");
    assert_p4(&w, P4_UNDONE, "holds in part", "on average at 7 of 8 points, by medians at 8");
    w.runs[0].asked[7].of[EX_P4_DIRECT].median_error = 9;
    assert_p4(&w, P4_SLOWS, "holds in part", "from j=5 to 8 by");
    w.runs[0].asked[7].of[EX_P4_DIRECT].mean_error = 9;
    assert_p4(&w, P4_SLOWS, "does not hold", "");
    w.runs[0].asked[0].of[EX_P4_PERMUTED_7].mean_error = 7;
    assert_p4(&w, P4_VARIES, "holds in part", "between the greatest and the smallest");
    w.runs[0].asked[4].of[EX_P4_DIVERSE_5].mean_error = 50;
    assert_p4(&w, P4_L, "holds in part", "permuted, l=7 and 5");
    w.runs[1].asked[1].of[EX_P4_RANDOMIZED].mean_error = 1;
    assert_p4(&w, P4_BETTER, "holds in part", "on average at 7 of 8 points");
    for (int j = 0; j < EX_P4_ASKED; j++)
        w.runs[0].asked[j].of[EX_P4_RANDOMIZED].contained = 0.9;
    assert_p4(&w, P4_HELD, "does not hold", "of 92.5 %");
    for (int j = 5; j < EX_P4_ASKED; j++)
        w.runs[0].asked[j].of[EX_P4_DIVERSE_10].median_error = 0;
    assert_p4(&w, P4_GROWS, "holds in part", "diverse, l=10");
}

static void verdicts_of_p4_on_knowledge(void **state)
{
    (void)state;
    p4_world w;
    make_p4_world(&w);
    assert_p4(&w, P4_RECOVERED, "holds", "90 % of 20 against 0 %");
    assert_p4(&w, P4_SHORTER, "holds", "100 % of those with up to three quasi columns, 20 %");
    w.runs[0].randomized[0].anonymity = 30;
    assert_p4(&w, P4_ANONYMITY, "does not hold", "it is 30.00");
    w.runs[0].randomized[0].linkage_knowing_all = 0.3;
    assert_p4(&w, P4_LINKAGE, "does not hold", "in 2.0 % of the cases, and in 16.0 %");
    w.found.permuted[10] = false;
    assert_p4(&w, P4_PERMUTED, "holds in part", "the greatest l is 9");
    w.found.permuted[8] = w.found.permuted[9] = false;
    assert_p4(&w, P4_PERMUTED, "does not hold", "the greatest l is 7");
    w.pairs[0] = 0.25;
    assert_p4(&w, P4_PAIRS, "does not hold", "of 1 of 3 columns; 0.30 at most");
    w.runs[0].sampled[1].all = w.runs[1].sampled[1].all = (ex_p4_rules){20, 19, 0};
    assert_p4(&w, P4_RECOVERED, "does not hold", "against 95 %");
    w.runs[0].randomized[3].mined.all.recovered = 18;
    assert_p4(&w, P4_FEWER, "holds in part", "3 of 4 steps");
    w.runs[0].randomized[4].mined.all.artificial = 0;
    assert_p4(&w, P4_MORE, "holds in part", "3 of 4 steps");
    w.runs[1].randomized[4].mined.all.artificial = 0;
    assert_p4(&w, P4_MORE, "does not hold", "");
    w.runs[0].randomized[2].mined.by_length[4] = (ex_p4_rules){2, 2, 0};
    assert_p4(&w, P4_SHORTER, "holds in part", "not falling");
    for (size_t run = 0; run < RUNS; run++)
        w.runs[run].randomized[2].mined.by_length[0].recovered = 1;
    assert_p4(&w, P4_SHORTER, "does not hold", "10 %");
    assert_p4(&w, P4_MOST, "does not hold", "10 %");
}

/* ---- text for people ---- */

static void assert_page(const char *json, const char *expected)
{
    json_t *facts = json_loads(json, 0, NULL);
    ex_buffer out = {0};
    assert_non_null(facts);
    ex_print_report(facts, &out);
    ex_add(&out, "", 1);
    assert_false(out.failed);
    assert_string_equal(out.bytes, expected);
    ex_buffer_release(&out);
    json_decref(facts);
}

static void reports_show_tables_and_verdicts(void **state)
{
    (void)state;
    assert_page(
        "{\"experiment\":\"P9\",\"paper\":\"On Masks\",\"notes\":[\"Said first.\"],\"tables\":["
        "{\"name\":\"a\",\"title\":\"Groups:\",\"rows\":["
        "{\"model\":\"one\",\"size\":{\"mean\":2.5,\"most\":1000},\"nodes\":3},"
        "{\"model\":\"other\",\"size\":{\"mean\":12,\"most\":null},\"nodes\":44}]},"
        "{\"name\":\"b\",\"title\":\"Plain:\",\"rows\":[{\"p\":2,\"loss\":0.25}]},"
        "{\"name\":\"c\",\"title\":\"Empty:\",\"rows\":[]}],"
        "\"claims\":[{\"claim\":\"masks help\",\"verdict\":\"holds in part\",\"finding\":"
        "\"of ten people who wore one in each of the many streets of the town eight were not known "
        "to others\"}]}",
        "P9: On Masks\n"
        "\n"
        "Said first.\n"
        "\n"
        "Groups:\n"
        "         size\n"
        "  model  mean   most  nodes\n"
        "  one     2.5  1,000      3\n"
        "  other    12      -     44\n"
        "\n"
        "Plain:\n"
        "  p  loss\n"
        "  2  0.25\n"
        "\n"
        "Empty:\n"
        "\n"
        "Claims, and what was found:\n"
        "  masks help\n"
        "    holds in part: of ten people who wore one in each of the many streets of the town "
        "eight were\n"
        "    not known to others.\n");
    assert_page("{}", ": \n\n\nClaims, and what was found:\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_show_tables_and_verdicts),
        cmocka_unit_test(calls_are_checked),
        cmocka_unit_test(tables_are_checked),
        cmocka_unit_test(the_recipe_can_be_had),
        cmocka_unit_test(progress_is_told_and_can_cancel),
        cmocka_unit_test(verdicts_can_all_be_good),
        cmocka_unit_test(verdicts_follow_from_attacks),
        cmocka_unit_test(verdicts_follow_from_local_recoding),
        cmocka_unit_test(verdicts_follow_from_series),
        cmocka_unit_test(verdicts_of_p1_follow_from_errors),
        cmocka_unit_test(verdicts_of_p4_on_queries),
        cmocka_unit_test(verdicts_of_p4_on_knowledge),
    };
    return cmocka_run_group_tests(tests, prepare, scratch_empty);
}
