/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to small random `two-tables` releases, against a twin that tries every assignment of
 * sensitive rows to quasi rows within each class: the interval contains all answers and is attained
 * where it says so, and the estimate of counts and sums is their mean.
 */
#define SCRATCH_IN_MEMORY
#include "trials.h"

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

/* The rows of both files in some order: the sensitive ones backwards. */
static const char *make_release(void *user)
{
    world *w = user;
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
            test_print_field(&quasi, &left[NUMBER], ",");
            test_print_field(&quasi, &left[EXTRA], ",");
            test_print_field(&quasi, &left[WORD], ",");
            test_print_field(&quasi, &left[SEX], ",");
            assert_ok(bt_buffer_print(&quasi, &error, "%d\n", c + 1), &error);
            assert_ok(bt_buffer_print(&sensitive, &error, "%d,", c + 1), &error);
            test_print_field(&sensitive, &right[SICK], ",");
            test_print_field(&sensitive, &right[PAY], "\n");
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

static void check(void *user, const test_question *question, bt_answer *answer)
{
    mean all = {0};
    test_extremes found = try_assignments(user, question, &all);
    bool sum = question->aggregate == BT_SUM;
    double off = answer->estimate - (sum ? all.sum : all.count) / all.tables;
    if ((sum || question->aggregate == BT_COUNT) && (off > 1e-6 || off < -1e-6))
        test_complain(question, "the estimate is not the mean");
    test_check_interval(question, answer, &found);
    if (found.any && is_plain(question) && !answer->tight) test_complain(question, "loose");
}

static void answers_are_those_of_all_assignments(void **state)
{
    (void)state;
    world w = {.random = 11};
    const test_trials trials = {TABLES, QUERIES, fields, FIELDS, SICK, &w, make_release, check};
    assert_true(test_try(&trials, &w.random) > TABLES * QUERIES * 8 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_assignments),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
