/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to small random `two-tables` releases, against a twin that tries every assignment of
 * sensitive rows to quasi rows within each class: the interval contains all answers and is attained
 * where it says so, and the estimate of counts and sums is their mean.
 */
#define SCRATCH_IN_MEMORY
#include "questions.h"
#include "release_files.h"

enum { TABLES = 700, QUERIES = 40, CLASSES = 2, LARGEST = 4, FIELDS = 6 };

/* Numbers first, which may be targets. Those from PAY to SICK are in sensitive.csv. */
enum { NUMBER, EXTRA, PAY, SICK, WORD, SEX };

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

static const char columns[] =
    TEST_QUASI_INTEGER("number") "," TEST_OTHER("extra", "integer") "," TEST_QUASI_TEXT(
        "word") "," TEST_SENSITIVE("sick") ",{\"name\":\"pay\","
                                           "\"role\":"
                                           "\"sensitive\","
                                           "\"type\":"
                                           "\"integer\"}," TEST_QUASI_TEXT("sex");

typedef struct world {
    test_value records[CLASSES][LARGEST][FIELDS]; /* one of the originals that are possible */
    int classes, sizes[CLASSES];
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- releases ---- */

static bool is_sensitive(size_t field)
{
    return field == PAY || field == SICK;
}

static void make_record(world *w, test_value *record)
{
    for (size_t f = 0; f < FIELDS; f++) {
        record[f] = test_literal(&fields[f], &w->random);
        if (below(w, 8) == 0) record[f] = (test_value){.missing = true};
    }
}

static void print_field(bt_buffer *text, const test_value *value, const char *end)
{
    bauta_error error;
    if (value->missing)
        assert_ok(bt_buffer_print(text, &error, "%s", end), &error);
    else if (value->text)
        assert_ok(bt_buffer_print(text, &error, "%s%s", value->text, end), &error);
    else
        assert_ok(bt_buffer_print(text, &error, "%lld%s", (long long)value->number, end), &error);
}

/* The rows of both files in some order: the sensitive ones backwards. */
static const char *make_release(world *w)
{
    bt_buffer quasi = {0}, sensitive = {0};
    bauta_error error;
    w->classes = 1 + below(w, CLASSES);
    assert_ok(bt_buffer_print(&quasi, &error, "number,extra,word,sex,class\n"), &error);
    assert_ok(bt_buffer_print(&sensitive, &error, "class,sick,pay\n"), &error);
    for (int c = 0; c < w->classes; c++) {
        w->sizes[c] = 1 + below(w, LARGEST);
        for (int i = 0; i < w->sizes[c]; i++)
            make_record(w, w->records[c][i]);
        for (int i = 0; i < w->sizes[c]; i++) {
            const test_value *left = w->records[c][i], *right = w->records[c][w->sizes[c] - 1 - i];
            print_field(&quasi, &left[NUMBER], ",");
            print_field(&quasi, &left[EXTRA], ",");
            print_field(&quasi, &left[WORD], ",");
            print_field(&quasi, &left[SEX], ",");
            assert_ok(bt_buffer_print(&quasi, &error, "%d\n", c + 1), &error);
            assert_ok(bt_buffer_print(&sensitive, &error, "%d,", c + 1), &error);
            print_field(&sensitive, &right[SICK], ",");
            print_field(&sensitive, &right[PAY], "\n");
        }
    }
    const test_release release = {
        .columns = columns, .quasi = quasi.bytes, .sensitive = sensitive.bytes};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&quasi);
    bt_buffer_release(&sensitive);
    return folder;
}

/* ---- the twin ---- */

typedef struct mean {
    double count, sum, tables;
} mean;

static bool next_order(int *order, int count)
{
    int i = count - 2, j = count - 1;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0) return false;
    while (order[j] < order[i])
        j--;
    int swap = order[i];
    order[i] = order[j];
    order[j] = swap;
    for (int lo = i + 1, hi = count - 1; lo < hi; lo++, hi--) {
        swap = order[lo];
        order[lo] = order[hi];
        order[hi] = swap;
    }
    return true;
}

static void add_class(const world *w, int c, const int *order, const test_question *question,
                      test_result *result)
{
    for (int i = 0; i < w->sizes[c]; i++) {
        test_value record[FIELDS];
        for (size_t f = 0; f < FIELDS; f++)
            record[f] = w->records[c][is_sensitive(f) ? order[i] : i][f];
        if (test_matches(question, record))
            test_take(result, question->star ? 0 : record[question->target].number);
    }
}

static test_extremes try_assignments(const world *w, const test_question *question, mean *all)
{
    test_extremes found = {0};
    int first[LARGEST] = {0, 1, 2, 3};
    do {
        int second[LARGEST] = {0, 1, 2, 3};
        do {
            test_result result = {0};
            add_class(w, 0, first, question, &result);
            if (w->classes > 1) add_class(w, 1, second, question, &result);
            test_take_table(&found, &result, question->aggregate);
            all->count += (double)result.count;
            all->sum += (double)result.sum;
            all->tables++;
        } while (w->classes > 1 && next_order(second, w->sizes[1]));
    } while (next_order(first, w->sizes[0]));
    return found;
}

/* ---- comparing ---- */

/* Which tables a condition is about: bit 0 quasi, bit 1 sensitive. */
static int sides_of(const test_question *question, int at)
{
    const test_node *node = &question->nodes[at];
    if (node->kind == TEST_ATOM) return is_sensitive(node->field) ? 2 : 1;
    int sides = sides_of(question, node->left);
    return node->kind == TEST_NOT ? sides : sides | sides_of(question, node->right);
}

/* (quasi condition) AND (sensitive condition), or only one of them. */
static bool is_plain(const test_question *question)
{
    if (question->always) return true;
    const test_node *root = &question->nodes[question->root];
    if (root->kind == TEST_AND)
        return sides_of(question, root->left) != 3 && sides_of(question, root->right) != 3;
    return sides_of(question, question->root) != 3;
}

static void compare(const test_question *question, const bt_answer *answer,
                    const test_extremes *found, const mean *all)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    bool sum = question->aggregate == BT_SUM;
    double off = answer->estimate - (sum ? all->sum : all->count) / all->tables;
    if ((sum || question->aggregate == BT_COUNT) && (off > 1e-6 || off < -1e-6))
        test_complain(question, "the estimate is not the mean");
    if (!found->any && (!low->open || !high->open)) test_complain(question, "not empty");
    if (!found->any) return;
    if (low->open || high->open) test_complain(question, "without a bound");
    if (test_below_bound(found->low_top, found->low_bottom, low))
        test_complain(question, "below the interval");
    if (test_above_bound(found->high_top, found->high_bottom, high))
        test_complain(question, "above the interval");
    if (question->aggregate == BT_COUNT && !answer->tight) test_complain(question, "a loose count");
    if (is_plain(question) && !answer->tight) test_complain(question, "loose");
    if (found->empty && !answer->may_be_empty) test_complain(question, "may be empty");
    if (!answer->tight) return;
    if (found->empty != answer->may_be_empty) test_complain(question, "is never empty");
    if (test_above_bound(found->low_top, found->low_bottom, low))
        test_complain(question, "the lower end is not attained");
    if (test_below_bound(found->high_top, found->high_bottom, high))
        test_complain(question, "the upper end is not attained");
}

static bool ask(const world *w, const bt_queryable *queryable, const test_question *question)
{
    static const bt_query_options options = {0};
    bt_answer answer;
    bauta_error error;
    mean all = {0};
    bauta_status status = bt_query(queryable, question->text.bytes, &options, &answer, &error);
    if (status != BAUTA_OK) test_complain(question, error.message);
    test_extremes found = try_assignments(w, question, &all);
    compare(question, &answer, &found, &all);
    bool tight = answer.tight;
    bt_answer_release(&answer);
    return tight;
}

static void answers_are_those_of_all_assignments(void **state)
{
    (void)state;
    world w = {.random = 11};
    test_question question = {0};
    bt_run run;
    bauta_error error;
    int tight = 0;
    test_run_open(&run, 1);
    for (int table = 0; table < TABLES; table++) {
        bt_release release;
        bt_queryable *queryable;
        assert_ok(bt_release_open(make_release(&w), &run, &release, &error), &error);
        assert_ok(bt_release_code_others(&release, &run, &error), &error);
        assert_ok(bt_queryable_open(&release, &run, &queryable, &error), &error);
        for (int i = 0; i < QUERIES; i++) {
            test_question_make(&question, fields, FIELDS, SICK, &w.random);
            tight += ask(&w, queryable, &question);
        }
        bt_queryable_close(queryable);
        bt_release_close(&release);
    }
    assert_true(tight > TABLES * QUERIES * 8 / 10);
    bt_buffer_release(&question.text);
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_assignments),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
