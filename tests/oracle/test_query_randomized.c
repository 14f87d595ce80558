/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `randomized` releases. Of small ones made by hand, with any condition, against a
 * twin that writes the randomization down as a matrix over all combinations of quasi values and
 * inverts that; and of many releases of one table, made by the library, whether their intervals
 * hold the true answer as often as they say.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "questions.h"
#include "release_files.h"

#include <math.h>

/* Numbers first, which may be targets. */
enum { NUMBER, EXTRA, PAY, SICK, WORD, SEX, FIELDS };
enum { TABLES = 150, QUERIES = 40, ROWS = 14, NUMBERS = 6, WORDS = 4, SEXES = 3 };
enum { CELLS = NUMBERS * WORDS * SEXES, ASKED = 3 };

static const char *const words[] = {"a", "b c", "d"};
static const char *const sexes[] = {"F", "M"};
static const char *const sicknesses[] = {"cold", "flu", "gout"};

static const test_field fields[FIELDS] = {
    [NUMBER] = {.name = "number", .least = -1, .most = 3},
    [EXTRA] = {.name = "extra", .least = -1, .most = 3},
    [PAY] = {.name = "pay", .least = -2, .most = 3},
    [SICK] = {.name = "sick", .texts = sicknesses, .text_count = 3},
    [WORD] = {.name = "word", .texts = words, .text_count = 3},
    [SEX] = {.name = "SEX", .texts = sexes, .text_count = 2},
};

/* Five quasi columns, two of which nobody asks about: so nothing is lost. */
#define REDRAWN(name, type, share)                                                                 \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"" type "\",\"redrawn\":\"" share "\"},"
#define REST                                                                                       \
    TEST_OTHER("extra", "integer")                                                                 \
    "," TEST_SENSITIVE("sick") ",{\"name\":\"pay\",\"role\":\"sensitive\",\"type\":\"integer\"}"

static const struct mechanism {
    unsigned lambda;
    double shares[ASKED]; /* lambda = 1 */
    const char *columns;
} mechanisms[] = {
    {1,
     {0.1, 0.2, 0.3},
     REDRAWN("number", "integer", "1/10") REDRAWN("word", "text", "1/5")
         REDRAWN("sex", "text", "3/10") REDRAWN("spare", "text", "3/10")
             REDRAWN("other spare", "text", "1/10") REST},
    {2,
     {0},
     REDRAWN("number", "integer", "2/5") REDRAWN("word", "text", "2/5")
         REDRAWN("sex", "text", "2/5") REDRAWN("spare", "text", "2/5")
             REDRAWN("other spare", "text", "2/5") REST},
};

typedef struct world {
    test_value records[ROWS][FIELDS]; /* of the release */
    int rows;
    const struct mechanism *mechanism;
    double inverse[CELLS][CELLS];
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- releases ---- */

static const char *make_release(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    w->rows = 1 + below(w, ROWS);
    w->mechanism = &mechanisms[below(w, 2)];
    assert_ok(bt_buffer_print(&text, &error, "number,word,sex,spare,other spare,extra,sick,pay\n"),
              &error);
    for (int i = 0; i < w->rows; i++) {
        test_value *record = w->records[i];
        for (size_t f = 0; f < FIELDS; f++) {
            record[f] = test_literal(&fields[f], &w->random);
            if (below(w, 8) == 0) record[f] = (test_value){.missing = true};
        }
        test_print_field(&text, &record[NUMBER], ",");
        test_print_field(&text, &record[WORD], ",");
        test_print_field(&text, &record[SEX], ",x,y,");
        test_print_field(&text, &record[EXTRA], ",");
        test_print_field(&text, &record[SICK], ",");
        test_print_field(&text, &record[PAY], "\n");
    }
    const test_release release = {.form = "randomized",
                                  .promises = "",
                                  .columns = w->mechanism->columns,
                                  .data = text.bytes,
                                  .lambda = w->mechanism->lambda};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&text);
    return folder;
}

/* ---- the twin ---- */

static const int sizes[ASKED] = {NUMBERS, WORDS, SEXES};
static const size_t asked[ASKED] = {NUMBER, WORD, SEX};

static int place_of(const test_value *record, int column)
{
    const test_value *value = &record[asked[column]];
    const test_field *field = &fields[asked[column]];
    if (value->missing) return sizes[column] - 1;
    if (!value->text) return (int)(value->number - field->least);
    int place = 0;
    while (strcmp(field->texts[place], value->text) != 0)
        place++;
    return place;
}

static test_value value_of(int column, int place)
{
    const test_field *field = &fields[asked[column]];
    if (place == sizes[column] - 1) return (test_value){.missing = true};
    if (field->texts) return (test_value){.text = field->texts[place]};
    return (test_value){.number = field->least + place};
}

static void places_of(int cell, int places[ASKED])
{
    for (int c = ASKED; c-- > 0; cell /= sizes[c])
        places[c] = cell % sizes[c];
}

static int cell_of(const test_value *record)
{
    int cell = 0;
    for (int c = 0; c < ASKED; c++)
        cell = cell * sizes[c] + place_of(record, c);
    return cell;
}

/* The chance that of the asked columns these and no others are drawn anew. */
static double chance_of(const struct mechanism *mechanism, unsigned set)
{
    int drawn = __builtin_popcount(set);
    if (mechanism->lambda == 2) return drawn == 0 ? 0.1 : drawn == 1 ? 0.2 : drawn == 2 ? 0.1 : 0;
    double all = 0;
    for (int c = 0; c < ASKED; c++) {
        all += mechanism->shares[c];
        if (set == 1u << c) return mechanism->shares[c];
    }
    return set == 0 ? 1 - all : 0;
}

static double transition(const world *w, const double shares[ASKED][NUMBERS], int from, int to)
{
    int old[ASKED], new[ASKED];
    double sum = 0;
    places_of(from, old);
    places_of(to, new);
    for (unsigned set = 0; set < 1u << ASKED; set++) {
        double chance = chance_of(w->mechanism, set);
        for (int c = 0; c < ASKED; c++)
            chance *= set >> c & 1 ? shares[c][new[c]] : old[c] == new[c];
        sum += chance;
    }
    return sum;
}

/* Gauss and Jordan, with pivots. */
static void invert(double matrix[CELLS][CELLS], double inverse[CELLS][CELLS])
{
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++)
            inverse[i][j] = i == j;
    for (int i = 0; i < CELLS; i++) {
        int pivot = i;
        for (int k = i; k < CELLS; k++)
            if (fabs(matrix[k][i]) > fabs(matrix[pivot][i])) pivot = k;
        assert_true(fabs(matrix[pivot][i]) > 1e-9);
        for (int j = 0; j < CELLS; j++) {
            double a = matrix[i][j], b = inverse[i][j];
            matrix[i][j] = matrix[pivot][j];
            inverse[i][j] = inverse[pivot][j];
            matrix[pivot][j] = a;
            inverse[pivot][j] = b;
        }
        double divisor = matrix[i][i];
        for (int j = 0; j < CELLS; j++) {
            matrix[i][j] /= divisor;
            inverse[i][j] /= divisor;
        }
        for (int k = 0; k < CELLS; k++) {
            double factor = matrix[k][i];
            for (int j = 0; k != i && factor != 0 && j < CELLS; j++) {
                matrix[k][j] -= factor * matrix[i][j];
                inverse[k][j] -= factor * inverse[i][j];
            }
        }
    }
}

static void learn(world *w)
{
    static double matrix[CELLS][CELLS];
    double shares[ASKED][NUMBERS] = {{0}};
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < ASKED; c++)
            shares[c][place_of(w->records[i], c)] += 1.0 / w->rows;
    for (int from = 0; from < CELLS; from++)
        for (int to = 0; to < CELLS; to++)
            matrix[from][to] = transition(w, shares, from, to);
    invert(matrix, w->inverse);
}

/* The sum over the original that the matrix says, of matching records and of their values. */
static void sum_up(const world *w, const test_question *question, double *count, double *sum)
{
    *count = *sum = 0;
    for (int i = 0; i < w->rows; i++) {
        const double *weights = w->inverse[cell_of(w->records[i])];
        test_value record[FIELDS];
        memcpy(record, w->records[i], sizeof record);
        for (int cell = 0; cell < CELLS; cell++) {
            int places[ASKED];
            places_of(cell, places);
            for (int c = 0; c < ASKED; c++)
                record[asked[c]] = value_of(c, places[c]);
            if (!test_matches(question, record)) continue;
            *count += weights[cell];
            if (!question->star) *sum += weights[cell] * (double)record[question->target].number;
        }
    }
}

/* The answer over the rows as they stand. */
static bool stand(const world *w, const test_question *question, double *answer)
{
    test_result result = {0};
    int64_t top = 0, bottom = 1;
    for (int i = 0; i < w->rows; i++)
        if (test_matches(question, w->records[i]))
            test_take(&result, question->star ? 0 : w->records[i][question->target].number);
    bool any = test_answer(&result, question->aggregate, &top, &bottom);
    if (any) *answer = (double)top / (double)bottom;
    return any;
}

static bool names_quasi(const test_question *question)
{
    bool found = !question->star && question->target == NUMBER;
    for (int i = 0; i < question->count && !question->always; i++) {
        const test_node *node = &question->nodes[i];
        if (node->kind == TEST_ATOM)
            found |= node->field == NUMBER || node->field == WORD || node->field == SEX;
    }
    return found;
}

/* ---- comparing ---- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a) + fabs(b));
}

static void compare(const world *w, const test_question *question, const bt_answer *answer)
{
    double count, sum;
    sum_up(w, question, &count, &sum);
    bool average = question->aggregate == BT_AVG;
    double expected = average ? sum / count : question->aggregate == BT_SUM ? sum : count;
    if (average && fabs(count) < 1e-3) return;
    if (average && answer->has_estimate != (count > 0.5)) test_complain(question, "an average");
    if (answer->has_estimate && !is_near(answer->estimate, expected))
        test_complain(question, "the estimate is not that of the matrix");
    if (answer->tight || !answer->statistics.used) test_complain(question, "too sure");
    if (answer->statistics.confidence == 0 && !average) test_complain(question, "no interval");
}

static void compare_exact(const test_question *question, const bt_answer *answer, bool any,
                          double expected)
{
    if (answer->has_estimate != (any || question->aggregate == BT_SUM))
        test_complain(question, "an answer");
    if (!any) return;
    if (!is_near(answer->estimate, expected)) test_complain(question, "the estimate is not exact");
    if (!answer->tight || answer->lower.open || answer->lower.top != answer->upper.top)
        test_complain(question, "the interval is not exact");
}

static void ask(const world *w, const bt_queryable *queryable, const test_question *question)
{
    static const bt_query_options usual = {0}, direct = {.estimator = BT_ESTIMATE_DIRECT};
    bt_answer answer;
    bauta_error error;
    double expected = 0;
    bool quasi = names_quasi(question), any = stand(w, question, &expected);
    bauta_status status = bt_query(queryable, question->text.bytes, &usual, &answer, &error);
    if (quasi && (question->aggregate == BT_MIN || question->aggregate == BT_MAX)) {
        assert_int_equal(status, BAUTA_INVALID);
        assert_non_null(strstr(error.message, "cannot be estimated"));
    } else {
        if (status != BAUTA_OK) test_complain(question, error.message);
        if (quasi)
            compare(w, question, &answer);
        else
            compare_exact(question, &answer, any, expected);
    }
    bt_answer_release(&answer);
    status = bt_query(queryable, question->text.bytes, &direct, &answer, &error);
    if (status != BAUTA_OK) test_complain(question, error.message);
    if (any && !is_near(answer.estimate, expected)) test_complain(question, "not as it stands");
    if (answer.lower.open != quasi && any) test_complain(question, "an interval");
    bt_answer_release(&answer);
}

static void answers_are_those_of_the_matrix(void **state)
{
    (void)state;
    static world w = {.random = 21};
    test_question question = {0};
    bt_run all;
    bauta_error error;
    test_run_open(&all, 1);
    for (int table = 0; table < TABLES; table++) {
        bt_release release;
        bt_queryable *queryable;
        assert_ok(bt_release_open(make_release(&w), &all, &release, &error), &error);
        assert_ok(bt_release_code_others(&release, &all, &error), &error);
        assert_ok(bt_queryable_open(&release, &all, &queryable, &error), &error);
        learn(&w);
        for (int i = 0; i < QUERIES; i++) {
            test_question_make(&question, fields, FIELDS, SICK, &w.random);
            ask(&w, queryable, &question);
        }
        bt_queryable_close(queryable);
        bt_release_close(&release);
    }
    bt_buffer_release(&question.text);
    bt_pool_free(all.pool);
}

/* ---- many releases of one table ---- */

enum { PEOPLE = 300, SEEDS = 200 };

static const struct asked_question {
    const char *text;
    int kind; /* for the truth below */
} asked_questions[] = {
    {"SELECT COUNT(*) WHERE age < 40 AND disease = 'flu'", 0},
    {"SELECT COUNT(*) WHERE age < 50 AND city = 'Bonn' AND sex = 'F'", 1},
    {"SELECT COUNT(*) WHERE (city = 'Ulm' OR age >= 60) AND disease <> 'gout'", 2},
    {"SELECT SUM(age) WHERE city = 'Bonn' AND disease = 'flu'", 3},
    {"SELECT AVG(age) WHERE sex = 'M' AND disease = 'cold'", 4},
};
enum { QUESTIONS = sizeof asked_questions / sizeof *asked_questions };

typedef struct person {
    int age, city, sex, disease;
} person;

static void make_people(person *people, bt_buffer *text)
{
    static const char *const cities[] = {"Bonn", "Ulm", "Kiel"}, *const ills[] = {"flu", "cold",
                                                                                  "gout"};
    uint64_t random = 31;
    bauta_error error;
    assert_ok(bt_buffer_print(text, &error, "age,city,sex,zip,job,disease\n"), &error);
    for (int i = 0; i < PEOPLE; i++) {
        person *one = &people[i];
        one->age = 20 + (int)test_below(&random, 60);
        one->city = test_below(&random, 2) ? one->age < 45 : (int)test_below(&random, 3);
        one->sex = (int)test_below(&random, 2);
        one->disease = test_below(&random, 2) ? one->age / 30 % 3 : (int)test_below(&random, 3);
        assert_ok(bt_buffer_print(text, &error, "%d,%s,%s,%d,%d,%s\n", one->age / 5 * 5,
                                  cities[one->city], one->sex ? "M" : "F",
                                  (int)test_below(&random, 7), (int)test_below(&random, 4),
                                  ills[one->disease]),
                  &error);
        one->age = one->age / 5 * 5;
    }
}

static double truth_of(const person *people, int kind)
{
    double count = 0, sum = 0;
    for (int i = 0; i < PEOPLE; i++) {
        const person *p = &people[i];
        bool match = kind == 0   ? p->age < 40 && p->disease == 0
                     : kind == 1 ? p->age < 50 && p->city == 0 && p->sex == 0
                     : kind == 2 ? (p->city == 1 || p->age >= 60) && p->disease != 2
                     : kind == 3 ? p->city == 0 && p->disease == 0
                                 : p->sex == 1 && p->disease == 1;
        count += match;
        sum += match ? p->age : 0;
    }
    assert_true(count >= 20);
    return kind < 3 ? count : kind == 3 ? sum : sum / count;
}

typedef struct tally {
    double sum, squares;
    int held;
} tally;

static void ask_release(const char *input, int number, const char *form, const double *truths,
                        tally *tallies)
{
    char seed[16];
    const char *texts[QUESTIONS];
    bauta_report *report;
    bauta_error error;
    snprintf(seed, sizeof seed, "%x", number + 1);
    use_folder("many");
    const setting settings[SETTINGS_MOST] = {
        {"seed", seed},           {"threads", "1"},
        {"force", "yes"},         {"quasi", "age,city,sex,zip,job"},
        {"sensitive", "disease"}, {"publish", form}};
    assert_ok(run(input, settings, NULL, &error), &error);
    for (int q = 0; q < QUESTIONS; q++)
        texts[q] = asked_questions[q].text;
    assert_ok(bauta_query(publish, texts, QUESTIONS, NULL, &report, &error), &error);
    json_t *facts = take_facts(report);
    for (int q = 0; q < QUESTIONS; q++) {
        const json_t *answer = json_array_get(facts, (size_t)q);
        double estimate = json_number_value(json_object_get(answer, "estimate"));
        tallies[q].sum += estimate;
        tallies[q].squares += estimate * estimate;
        tallies[q].held += json_number_value(json_object_get(answer, "lower")) <= truths[q] &&
                           json_number_value(json_object_get(answer, "upper")) >= truths[q];
    }
    json_decref(facts);
}

/* 1000 intervals of 95 %: from 93 to 97 in 100 hold the truth, and no mean of estimates is further
 * from it than four of its standard errors. */
static void check_form(const char *form)
{
    person people[PEOPLE];
    bt_buffer text = {0};
    double truths[QUESTIONS];
    tally tallies[QUESTIONS] = {{0}};
    int held = 0;
    make_people(people, &text);
    char input[256];
    snprintf(input, sizeof input, "%s", scratch_text("people.csv", text.bytes));
    for (int q = 0; q < QUESTIONS; q++)
        truths[q] = truth_of(people, asked_questions[q].kind);
    for (int seed = 0; seed < SEEDS; seed++)
        ask_release(input, seed, form, truths, tallies);
    for (int q = 0; q < QUESTIONS; q++) {
        double mean = tallies[q].sum / SEEDS;
        double variance = (tallies[q].squares - tallies[q].sum * mean) / (SEEDS - 1);
        if (!(fabs(mean - truths[q]) <= 4 * sqrt(variance / SEEDS)))
            fail_msg("question %d: %g on average, %g in truth", q, mean, truths[q]);
        held += tallies[q].held;
    }
    if (held < 0.93 * SEEDS * QUESTIONS || held > 0.97 * SEEDS * QUESTIONS)
        fail_msg("%d of %d intervals hold the truth", held, SEEDS * QUESTIONS);
    bt_buffer_release(&text);
}

static void covers_with_one_column_redrawn(void **state)
{
    (void)state;
    check_form("randomized:p=1/2|1/8|1/8|1/8|1/8");
}

static void covers_with_two_columns_redrawn(void **state)
{
    (void)state;
    check_form("randomized:lambda=2");
}

/* ---- what is hard, or impossible ---- */

enum { MANY = 14 };

/* Columns c0 to c13, three rows of 0, 1 and 2; two rows of the original were dropped. */
static const char *write_many(unsigned lambda)
{
    bt_buffer columns = {0}, data = {0};
    bauta_error error;
    for (int c = 0; c < MANY; c++) {
        assert_ok(bt_buffer_print(&columns, &error,
                                  "{\"name\":\"c%d\",\"role\":\"quasi\",\"type\":\"integer\","
                                  "\"redrawn\":\"%u/14\"},",
                                  c, lambda),
                  &error);
        assert_ok(bt_buffer_print(&data, &error, "c%d,", c), &error);
    }
    assert_ok(bt_buffer_print(&columns, &error, TEST_SENSITIVE("s")), &error);
    assert_ok(bt_buffer_print(&data, &error, "s\n"), &error);
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < MANY; c++)
            assert_ok(bt_buffer_print(&data, &error, "%d,", row), &error);
        assert_ok(bt_buffer_print(&data, &error, "x\n"), &error);
    }
    const test_release release = {.form = "randomized",
                                  .promises = "",
                                  .columns = columns.bytes,
                                  .data = data.bytes,
                                  .dropped = 2,
                                  .lambda = lambda};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&columns);
    bt_buffer_release(&data);
    return folder;
}

/* COUNT where each of the first `asked_for` columns is above 0, and s is x. */
static bauta_status count_many(unsigned lambda, int asked_for, bt_estimator estimator,
                               bt_answer *answer, bauta_error *error)
{
    const bt_query_options options = {.estimator = estimator};
    bt_buffer text = {0};
    bt_release release;
    bt_queryable *queryable;
    bt_run all;
    test_run_open(&all, 1);
    assert_ok(bt_buffer_print(&text, error, "SELECT COUNT(*) WHERE s = 'x'"), error);
    for (int c = 0; c < asked_for; c++)
        assert_ok(bt_buffer_print(&text, error, " AND c%d > 0", c), error);
    assert_ok(bt_release_open(write_many(lambda), &all, &release, error), error);
    assert_ok(bt_queryable_open(&release, &all, &queryable, error), error);
    bauta_status status = bt_query(queryable, text.bytes, &options, answer, error);
    bt_queryable_close(queryable);
    bt_release_close(&release);
    bt_buffer_release(&text);
    bt_pool_free(all.pool);
    return status;
}

static void says_when_it_is_hopeless(void **state)
{
    (void)state;
    bt_answer answer;
    bauta_error error;
    assert_fails(count_many(1, 13, BT_ESTIMATE_USUAL, &answer, &error), BAUTA_INVALID, &error,
                 "names too many columns");
    bt_answer_release(&answer);
    assert_ok(count_many(1, 13, BT_ESTIMATE_DIRECT, &answer, &error), &error);
    assert_true(answer.estimate == 2 && answer.lower.open && answer.upper.open);
    bt_answer_release(&answer);
    /* of eight columns none was drawn with the chance 20/364 */
    assert_ok(count_many(3, 8, BT_ESTIMATE_UNBIASED, &answer, &error), &error);
    assert_true(is_near(answer.statistics.inflation, 18.2));
    assert_non_null(strstr(answer.statistics.warning, "ill-conditioned"));
    assert_false(answer.upper.open);
    /* all three records at most, without the two that were dropped */
    assert_true(answer.upper.top <= 3 * answer.upper.bottom && answer.published == 3);
    bt_answer_release(&answer);
    assert_ok(count_many(1, 2, BT_ESTIMATE_USUAL, &answer, &error), &error);
    assert_null(answer.statistics.warning);
    assert_true(answer.dropped == 2 && answer.statistics.confidence == 0.95);
    bt_answer_release(&answer);
    /* with lambda=3 eleven columns may all be left alone, with 4 no longer */
    assert_ok(count_many(3, 11, BT_ESTIMATE_USUAL, &answer, &error), &error);
    assert_false(answer.lower.open);
    bt_answer_release(&answer);
    assert_ok(count_many(4, 11, BT_ESTIMATE_USUAL, &answer, &error), &error);
    assert_true(answer.lower.open && answer.upper.open && answer.statistics.confidence == 0);
    assert_non_null(strstr(answer.statistics.warning, "does not tell"));
    bt_answer_release(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_matrix),
        cmocka_unit_test(covers_with_one_column_redrawn),
        cmocka_unit_test(covers_with_two_columns_redrawn),
        cmocka_unit_test(says_when_it_is_hopeless),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
