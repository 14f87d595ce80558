/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to small random `generalized` releases with every kind of cell, against a twin that
 * tries every record that the cells allow: the interval is exactly what such tables give, and the
 * estimate of counts and sums their mean.
 */
#define SCRATCH_IN_MEMORY
#include "trials.h"

enum { TABLES = 1000, QUERIES = 40, ROWS = 4, OPTIONS = 16, FIELDS = 7, OUTCOMES = 64 };

/* Columns: numbers first, which may be targets. */
enum { NUMBER, STEP, PAY, EXTRA, WORD, LEAF, SICK };

static const char *const words[] = {"", "*y", "a|b", "q'r", "x", "zz"};
static const char *const leaves[] = {"a", "a1", "a2", "b1", "b2", "b3", "c"};
static const char *const sicknesses[] = {"flu", "cold", "gout", "fl"};

static const test_field fields[FIELDS] = {
    [NUMBER] = {.name = "number", .least = -2, .most = 6},
    [STEP] = {.name = "\"st ep\"", .least = -1, .most = 9},
    [PAY] = {.name = "Pay", .least = -4, .most = 4},
    [EXTRA] = {.name = "extra", .least = -1, .most = 3},
    [WORD] = {.name = "word", .texts = words, .text_count = 6},
    [LEAF] = {.name = "leaf", .texts = leaves, .text_count = 7},
    [SICK] = {.name = "\"si\"\"ck\"", .texts = sicknesses, .text_count = 4},
};

static const char columns[] = TEST_QUASI_INTEGER(
    "number") ",{\"name\":\"st ep\",\"role\":\"quasi\",\"type\":\"integer\",\"hierarchy\":{"
              "\"spec\":\"intervals:2,4\",\"leaves\":9,\"levels\":4,\"nodes\":["
              "{\"label\":\"0-1\",\"level\":1,\"leaves\":2},"
              "{\"label\":\"4-7\",\"level\":2,\"leaves\":4},"
              "{\"label\":\"[-2,0)\",\"level\":1,\"leaves\":2},"
              "{\"label\":\"3\",\"level\":0,\"leaves\":1},"
              "{\"label\":\"\",\"level\":0,\"leaves\":1}]}},"
              "{\"name\":\"pay\",\"role\":\"sensitive\",\"type\":\"integer\"},"
              "{\"name\":\"extra\",\"role\":\"other\",\"type\":\"integer\"}," TEST_QUASI_TEXT(
                  "word") ",{\"name\":\"leaf\",\"role\":\"quasi\",\"type\":\"text\","
                          "\"hierarchy\":{\"spec\":\"file\",\"paths\":[[\"a1\",\"a\"],[\"a2\","
                          "\"a\"],[\"b1\",\"b\"],[\"b2\",\"b\"],[\"b3\",\"b\"],[\"\"]]}},"
                          "{\"name\":\"si\\\"ck\",\"role\":\"sensitive\",\"type\":\"text\"}";

typedef struct cell {
    char text[64];
    test_value values[OPTIONS]; /* all that it allows */
    size_t count;
    bool any;  /* the cell allows more values than these */
    bool star; /* it shows nothing */
} cell;

typedef struct world {
    cell cells[ROWS][FIELDS];
    int rows;
    bool stars; /* columns that may be '*' are so throughout */
    long long dropped;
    uint64_t random;
} world;

/* ---- releases ---- */

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

static void allow(cell *c, test_value value)
{
    assert_true(c->count < OPTIONS);
    c->values[c->count++] = value;
}

static void allow_numbers(cell *c, int lo, int hi)
{
    for (int number = lo; number <= hi; number++)
        allow(c, (test_value){.number = number});
}

static void allow_missing(cell *c)
{
    allow(c, (test_value){.missing = true});
}

/* Anything: enough numbers that every comparison finds some on each side. */
static void be_anything(cell *c)
{
    snprintf(c->text, sizeof c->text, "*");
    allow_numbers(c, -4, 10);
    allow_missing(c);
    c->any = c->star = true;
}

static void make_number(world *w, cell *c)
{
    int kind = w->stars ? 0 : below(w, 8), lo = below(w, 5) - 1, hi = lo + 1 + below(w, 3);
    if (kind == 0) {
        be_anything(c);
    } else if (kind == 1) {
        allow_missing(c);
    } else if (kind < 4) {
        snprintf(c->text, sizeof c->text, "%d", lo);
        allow_numbers(c, lo, lo);
    } else {
        snprintf(c->text, sizeof c->text, "\"[%d,%d]\"", lo, hi);
        allow_numbers(c, lo, hi);
    }
}

static void make_step(world *w, cell *c)
{
    static const struct {
        const char *text;
        int lo, hi;
    } nodes[] = {{"0-1", 0, 1}, {"4-7", 4, 7}, {"\"[-2,0)\"", -2, -1}, {"3", 3, 3}};
    int kind = w->stars ? 5 : below(w, 6);
    if (kind == 4) {
        allow_missing(c);
    } else if (kind == 5) {
        be_anything(c);
    } else {
        snprintf(c->text, sizeof c->text, "%s", nodes[kind].text);
        allow_numbers(c, nodes[kind].lo, nodes[kind].hi);
    }
}

/* Published as it is. */
static void make_exact(world *w, cell *c, int least, int most)
{
    int number = least + below(w, most - least + 1);
    if (below(w, 6) == 0) {
        allow_missing(c);
    } else {
        snprintf(c->text, sizeof c->text, "%d", number);
        allow_numbers(c, number, number);
    }
}

static void make_word(world *w, cell *c)
{
    static const struct {
        const char *text;
        int members[4];
    } sets[] = {{"\\*y", {1}},
                {"a|b", {2}},
                {"x", {4}},
                {"{*y|a\\|b}", {1, 2}},
                {"{a\\|b|q'r|x}", {2, 3, 4}},
                {"{q'r|zz}", {3, 5}}};
    int kind = below(w, 7);
    if (kind == 6) {
        allow_missing(c);
        return;
    }
    snprintf(c->text, sizeof c->text, "%s", sets[kind].text);
    for (int i = 0; i < 4 && sets[kind].members[i]; i++)
        allow(c, (test_value){.text = words[sets[kind].members[i]]});
}

static void make_leaf(world *w, cell *c)
{
    int kind = w->stars ? 8 : below(w, 9), lo = kind, hi = kind;
    if (kind == 6) lo = 1, hi = 2;
    if (kind == 7) lo = 3, hi = 5;
    if (kind == 8 || kind == 0) lo = 1, hi = 5;
    if (kind == 8) allow_missing(c);
    c->star = kind == 8;
    if (kind == 0) {
        allow_missing(c);
        return;
    }
    snprintf(c->text, sizeof c->text, "%s",
             kind == 6   ? "a"
             : kind == 7 ? "b"
             : kind == 8 ? "*"
                         : leaves[kind]);
    for (int i = lo; i <= hi; i++)
        allow(c, (test_value){.text = leaves[i]});
}

static void make_sick(world *w, cell *c)
{
    int kind = below(w, 4);
    if (kind == 3) {
        allow_missing(c);
    } else {
        snprintf(c->text, sizeof c->text, "%s", sicknesses[kind]);
        allow(c, (test_value){.text = sicknesses[kind]});
    }
}

static void make_row(world *w, cell *row)
{
    memset(row, 0, FIELDS * sizeof *row);
    make_number(w, &row[NUMBER]);
    make_step(w, &row[STEP]);
    make_exact(w, &row[PAY], -3, 3);
    make_exact(w, &row[EXTRA], 0, 2);
    make_word(w, &row[WORD]);
    make_leaf(w, &row[LEAF]);
    make_sick(w, &row[SICK]);
}

static const char *make_release(void *user)
{
    world *w = user;
    bt_buffer text = {0};
    bauta_error error;
    w->rows = 1 + below(w, ROWS);
    w->dropped = below(w, 3);
    w->stars = below(w, 8) == 0;
    assert_ok(bt_buffer_print(&text, &error, "number,st ep,pay,extra,word,leaf,\"si\"\"ck\"\n"),
              &error);
    for (int i = 0; i < w->rows; i++) {
        if (i > 0 && below(w, 3) == 0)
            memcpy(w->cells[i], w->cells[i - 1], sizeof w->cells[i]);
        else
            make_row(w, w->cells[i]);
        for (int f = 0; f < FIELDS; f++)
            assert_ok(bt_buffer_print(&text, &error, "%s%s", w->cells[i][f].text,
                                      f + 1 < FIELDS ? "," : "\n"),
                      &error);
    }
    const test_release release = {.columns = columns, .data = text.bytes, .dropped = w->dropped};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&text);
    return folder;
}

/* ---- the twin ---- */

typedef struct outcome {
    bool matches;
    int64_t number; /* of the target */
} outcome;

typedef struct outcomes { /* of one row, each once; `matching` of `all` records match */
    outcome list[OUTCOMES];
    int count;
    double matching, all, sum;
} outcomes;

static void add_outcome(outcomes *row, const test_question *question, const test_value *record)
{
    outcome found = {.matches = test_matches(question, record)};
    row->all++;
    if (found.matches) {
        found.number = question->star ? 0 : record[question->target].number;
        row->matching++;
        row->sum += (double)found.number;
    }
    for (int i = 0; i < row->count; i++)
        if (row->list[i].matches == found.matches && row->list[i].number == found.number) return;
    assert_true(row->count < OUTCOMES);
    row->list[row->count++] = found;
}

static bool uses(const test_question *question, size_t field)
{
    if (!question->star && question->target == field) return true;
    for (int i = 0; i < question->count; i++)
        if (question->nodes[i].kind == TEST_ATOM && question->nodes[i].field == field) return true;
    return false;
}

/* Every record that the cells of a row allow. */
static void try_records(const cell *row, const test_question *question, outcomes *found)
{
    test_value record[FIELDS];
    size_t at[FIELDS] = {0};
    *found = (outcomes){.count = 0};
    for (;;) {
        for (int f = 0; f < FIELDS; f++)
            record[f] = row[f].values[at[f]];
        add_outcome(found, question, record);
        int f = 0;
        while (f < FIELDS && (!uses(question, (size_t)f) || ++at[f] == row[f].count))
            at[f++] = 0;
        if (f == FIELDS) return;
    }
}

/* Every table: one outcome of each row. */
static test_extremes try_tables(const outcomes *rows, int count, bt_aggregate aggregate)
{
    test_extremes found = {0};
    int at[ROWS] = {0};
    for (;;) {
        test_result result = {0};
        for (int i = 0; i < count; i++)
            if (rows[i].list[at[i]].matches) test_take(&result, rows[i].list[at[i]].number);
        test_take_table(&found, &result, aggregate);
        int i = 0;
        while (i < count && ++at[i] == rows[i].count)
            at[i++] = 0;
        if (i == count) return found;
    }
}

/* ---- comparing ---- */

static void compare_interval(const test_question *question, const bt_answer *answer,
                             const test_extremes *found, bool any_target)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    if (!found->any) {
        if (!low->open || !high->open || answer->has_estimate) test_complain(question, "not empty");
        return;
    }
    test_check_inside(question, answer, found);
    if (answer->tight != (!low->open && !high->open && !answer->blank))
        test_complain(question, "wrongly tight or not");
    if (answer->may_be_empty != found->empty) test_complain(question, "wrongly empty");
    if (any_target) return;
    test_check_attained(question, answer, found);
}

static void compare_estimate(const test_question *question, const bt_answer *answer,
                             const outcomes *rows, int count, bool any)
{
    double expected = 0, off;
    for (int i = 0; i < count; i++)
        expected += (question->aggregate == BT_SUM ? rows[i].sum : rows[i].matching) / rows[i].all;
    off = answer->estimate - expected;
    bool additive = question->aggregate == BT_COUNT || question->aggregate == BT_SUM;
    if (!any && additive && (off > 1e-6 || off < -1e-6)) test_complain(question, "wrong estimate");
    if (!answer->has_estimate || answer->lower.open || answer->upper.open) return;
    if (answer->estimate < bt_bound_round(&answer->lower, answer->scale, false) ||
        answer->estimate > bt_bound_round(&answer->upper, answer->scale, true))
        test_complain(question, "estimate outside the interval");
}

static bool is_blank(const world *w, size_t field)
{
    for (int i = 0; i < w->rows; i++)
        if (!w->cells[i][field].star) return false;
    return true;
}

/* Whether the outcome of some record hangs on columns that show nothing: they alone differ between
 * a record that the cells of a row allow and the first one. */
static bool hangs(const world *w, const test_question *question)
{
    for (int i = 0; i < w->rows; i++) {
        cell row[FIELDS];
        outcomes found;
        memcpy(row, w->cells[i], sizeof row);
        for (size_t f = 0; f < FIELDS; f++)
            if (!is_blank(w, f)) row[f].count = 1;
        try_records(row, question, &found);
        if (found.count > 1) return true;
    }
    return false;
}

/* No estimate where tables differ in their answers and a record hangs on a column that shows
 * nothing; and only where the question names such a column. */
static void compare_blank(const world *w, const test_question *question, const bt_answer *answer)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    bool point = !low->open && !high->open && low->top * high->bottom == high->top * low->bottom;
    bool named = false;
    for (size_t f = 0; f < FIELDS; f++)
        named |= uses(question, f) && is_blank(w, f);
    if (answer->blank && (point || !named || answer->has_estimate))
        test_complain(question, "wrongly blank");
    if (!answer->blank && !point && hangs(w, question))
        test_complain(question, "an estimate of nothing");
}

static void check(void *user, const test_question *question, bt_answer *answer)
{
    const world *w = user;
    outcomes rows[ROWS];
    bool any = false, any_target = false;
    for (int i = 0; i < w->rows; i++) {
        try_records(w->cells[i], question, &rows[i]);
        for (size_t f = 0; f < FIELDS; f++)
            any |= w->cells[i][f].any && uses(question, f);
        any_target |= !question->star && w->cells[i][question->target].any;
    }
    if (question->aggregate == BT_COUNT) any_target = false;
    test_extremes found = try_tables(rows, w->rows, question->aggregate);
    compare_interval(question, answer, &found, any_target);
    compare_blank(w, question, answer);
    compare_estimate(question, answer, rows, w->rows, any || answer->blank);
    assert_int_equal(answer->dropped, w->dropped);
    assert_int_equal(answer->published, w->rows);
}

static void answers_are_those_of_all_tables(void **state)
{
    (void)state;
    world w = {.random = 7};
    const test_trials trials = {TABLES, QUERIES, fields, FIELDS, WORD, &w, make_release, check};
    test_try(&trials, &w.random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_tables),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
