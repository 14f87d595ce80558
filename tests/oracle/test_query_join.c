/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to small random joins, against a twin that tries every table of records behind a
 * release: every record in every box of its sensitive group that has a row left, with every value
 * that the box allows. The interval contains all answers and is attained where it says so; over all
 * the space the answer is exact; and the estimate of counts weighs each row n/N.
 */
#define SCRATCH_IN_MEMORY
#include "trials.h"

enum { TABLES = 500, QUERIES = 24, BOXES = 3, RECORDS = 3, FIELDS = 5, OPTIONS = 3 };

/* Numbers first, which may be targets. PAY and SICK are in sensitive.csv. */
enum { NUMBER, OTHER, PAY, SICK, WORD };

static const char *const words[] = {"a", "b", "c"};
static const char *const sicknesses[] = {"cold", "flu", "gout"};

static const test_field fields[FIELDS] = {
    [NUMBER] = {.name = "number", .least = -1, .most = 3},
    [OTHER] = {.name = "other", .least = -1, .most = 3},
    [PAY] = {.name = "pay", .least = -2, .most = 3},
    [SICK] = {.name = "sick", .texts = sicknesses, .text_count = 3},
    [WORD] = {.name = "word", .texts = words, .text_count = 3},
};

static const char columns[] = TEST_QUASI_INTEGER("number") "," TEST_QUASI_INTEGER(
    "other") "," TEST_QUASI_TEXT("word") "," TEST_SENSITIVE("sick") ",{\"name\":\"pay\","
                                                                    "\"role\":\"sensitive\","
                                                                    "\"type\":\"integer\"}";

typedef struct box {
    int group, rows;
    test_value allowed[FIELDS][OPTIONS];
    int counts[FIELDS];
    char text[96];
} box;

typedef struct record {
    int group;
    test_value values[FIELDS];
    int box; /* while tables are tried */
} record;

typedef struct world {
    box boxes[BOXES];
    record records[RECORDS];
    int groups, box_count, record_count;
    int group_rows[BOXES], group_records[BOXES];
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- releases ---- */

static void allow(box *b, int field, test_value value)
{
    b->allowed[field][b->counts[field]++] = value;
}

static void make_numbers(world *w, box *b, int field)
{
    int lo = below(w, 5) - 1, hi = lo + below(w, 3);
    size_t length = strlen(b->text);
    if (lo == hi)
        snprintf(b->text + length, sizeof b->text - length, "%d,", lo);
    else
        snprintf(b->text + length, sizeof b->text - length, "\"[%d,%d]\",", lo, hi);
    for (int number = lo; number <= hi; number++)
        allow(b, field, (test_value){.number = number});
}

static void make_words(world *w, box *b)
{
    static const char *const sets[] = {"a", "b", "{a|b}", "{b|c}", "{a|c}"};
    static const int members[][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 2}, {0, 2}};
    int kind = below(w, 5);
    size_t length = strlen(b->text);
    snprintf(b->text + length, sizeof b->text - length, "%s,", sets[kind]);
    allow(b, WORD, (test_value){.text = words[members[kind][0]]});
    if (members[kind][1] != members[kind][0])
        allow(b, WORD, (test_value){.text = words[members[kind][1]]});
}

static bool is_new(const world *w, int box_number)
{
    for (int i = 0; i < box_number; i++)
        if (w->boxes[i].group == w->boxes[box_number].group &&
            strcmp(w->boxes[i].text, w->boxes[box_number].text) == 0)
            return false;
    return true;
}

static void make_boxes(world *w)
{
    w->groups = 1 + below(w, 2);
    w->box_count = w->groups + below(w, BOXES - w->groups + 1);
    for (int i = 0; i < w->box_count; i++) {
        box *b = &w->boxes[i];
        do {
            *b = (box){.group = i < w->groups ? i : below(w, w->groups), .rows = 1 + below(w, 3)};
            make_numbers(w, b, NUMBER);
            make_numbers(w, b, OTHER);
            make_words(w, b);
        } while (!is_new(w, i));
        w->group_rows[b->group] += b->rows;
    }
}

static void make_records(world *w)
{
    w->record_count = 0;
    for (int tries = 0; tries < 8 && w->record_count < RECORDS; tries++) {
        int group = tries < w->groups ? tries : below(w, w->groups);
        record *r = &w->records[w->record_count];
        if (w->group_records[group] == w->group_rows[group]) continue;
        *r = (record){.group = group};
        r->values[SICK] = test_literal(&fields[SICK], &w->random);
        r->values[PAY] = test_literal(&fields[PAY], &w->random);
        if (below(w, 8) == 0) r->values[PAY] = (test_value){.missing = true};
        w->group_records[group]++;
        w->record_count++;
    }
}

static const char *make_release(void *user)
{
    world *w = user;
    bt_buffer data = {0}, sensitive = {0};
    bauta_error error;
    memset(w->group_rows, 0, sizeof w->group_rows);
    memset(w->group_records, 0, sizeof w->group_records);
    make_boxes(w);
    make_records(w);
    assert_ok(bt_buffer_print(&data, &error, "number,other,word,sensitive_group\n"), &error);
    assert_ok(bt_buffer_print(&sensitive, &error, "sensitive_group,sick,pay\n"), &error);
    for (int i = 0; i < w->box_count; i++)
        for (int row = 0; row < w->boxes[i].rows; row++)
            assert_ok(
                bt_buffer_print(&data, &error, "%s%d\n", w->boxes[i].text, w->boxes[i].group + 1),
                &error);
    for (int i = w->record_count; i-- > 0;) {
        const record *r = &w->records[i];
        assert_ok(bt_buffer_print(&sensitive, &error, "%d,%s,", r->group + 1, r->values[SICK].text),
                  &error);
        test_print_field(&sensitive, &r->values[PAY], "\n");
    }
    const test_release release = {.columns = columns,
                                  .join = "refine:trim=none",
                                  .data = data.bytes,
                                  .sensitive = sensitive.bytes};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&data);
    bt_buffer_release(&sensitive);
    return folder;
}

/* ---- the twin ---- */

typedef struct trial {
    world *w;
    const test_question *question;
    test_extremes found;
    int used[BOXES];
} trial;

static void judge_table(trial *t)
{
    test_result result = {0};
    for (int i = 0; i < t->w->record_count; i++) {
        const record *r = &t->w->records[i];
        if (test_matches(t->question, r->values))
            test_take(&result, t->question->star ? 0 : r->values[t->question->target].number);
    }
    test_take_table(&t->found, &result, t->question->aggregate);
}

static void try_values(trial *t, int number);

/* Every value of a field that the box of a record allows. */
static void try_field(trial *t, int number, int field)
{
    static const int quasi[] = {NUMBER, OTHER, WORD};
    record *r = &t->w->records[number];
    if (field == 3) {
        try_values(t, number + 1);
        return;
    }
    const box *b = &t->w->boxes[r->box];
    for (int i = 0; i < b->counts[quasi[field]]; i++) {
        r->values[quasi[field]] = b->allowed[quasi[field]][i];
        try_field(t, number, field + 1);
    }
}

static void try_values(trial *t, int number)
{
    if (number == t->w->record_count) {
        judge_table(t);
        return;
    }
    record *r = &t->w->records[number];
    for (int i = 0; i < t->w->box_count; i++) {
        if (t->w->boxes[i].group != r->group || t->used[i] == t->w->boxes[i].rows) continue;
        r->box = i;
        t->used[i]++;
        try_field(t, number, 0);
        t->used[i]--;
    }
}

/* The mean number of matches when each row of a group is a record with the same chance. */
static double expected_count(world *w, const test_question *question)
{
    static const int quasi[] = {NUMBER, OTHER, WORD};
    double sum = 0;
    for (int n = 0; n < w->record_count; n++)
        for (int i = 0; i < w->box_count; i++) {
            const box *b = &w->boxes[i];
            test_value values[FIELDS];
            if (b->group != w->records[n].group) continue;
            memcpy(values, w->records[n].values, sizeof values);
            int all = b->counts[NUMBER] * b->counts[OTHER] * b->counts[WORD], hits = 0;
            for (int at = 0; at < all; at++) {
                int rest = at;
                for (int f = 0; f < 3; f++) {
                    values[quasi[f]] = b->allowed[quasi[f]][rest % b->counts[quasi[f]]];
                    rest /= b->counts[quasi[f]];
                }
                hits += test_matches(question, values);
            }
            sum += (double)hits / all * b->rows / w->group_rows[b->group];
        }
    return sum;
}

/* ---- comparing ---- */

static void check_count(world *w, const test_question *question, const bt_answer *answer)
{
    double expected = expected_count(w, question), off = answer->estimate - expected;
    double lower = (double)answer->lower.top, upper = (double)answer->upper.top;
    if (expected >= lower && expected <= upper && (off > 1e-6 || off < -1e-6))
        test_complain(question, "the estimate is not the weighted mean");
    if (question->always && question->star &&
        (lower != w->record_count || upper != w->record_count))
        test_complain(question, "not exact over all the space");
}

static void check(void *user, const test_question *question, bt_answer *answer)
{
    trial t = {.w = user, .question = question};
    try_values(&t, 0);
    if (question->aggregate == BT_COUNT) check_count(user, question, answer);
    if (!t.found.any) return; /* an average of nothing, whatever the bounds are */
    test_check_inside(question, answer, &t.found);
    if (answer->tight) test_check_attained(question, answer, &t.found);
}

static void answers_are_those_of_all_tables(void **state)
{
    (void)state;
    world w = {.random = 5};
    const test_trials trials = {TABLES, QUERIES, fields, FIELDS, SICK, &w, make_release, check};
    assert_true(test_try(&trials, &w.random) > TABLES * QUERIES / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_tables),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
