/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions: the language and its errors, the meaning of cells and labels, and answers worked out
 * by hand.
 */
#include "release_files.h"

#include "query/column.h"
#include "query/query.h"
#include "query/select.h"

/* ---- the language ---- */

static void refuses_text(const char *text, const char *message)
{
    bt_select select;
    bauta_error error;
    assert_fails(bt_select_parse(text, &select, &error), BAUTA_INVALID, &error, message);
    bt_select_release(&select);
}

static void errors_name_the_column(void **state)
{
    (void)state;
    refuses_text("", "query, column 1: expected SELECT, but the query ends");
    refuses_text("SELEC COUNT(*)", "query, column 1: expected SELECT");
    refuses_text("SELECT AGE(*)", "query, column 8: expected COUNT, SUM, AVG, MIN or MAX");
    refuses_text("SELECT COUNT *", "query, column 14: expected '(' after the aggregate");
    refuses_text("SELECT SUM(*)", "query, column 12: expected the name of a column");
    refuses_text("SELECT COUNT(*", "query, column 15: expected ')'");
    refuses_text("SELECT COUNT(*) FROM t", "query, column 17: expected WHERE or the end");
    refuses_text("SELECT COUNT(*), SUM(a)", "query, column 16: expected WHERE or the end");
    refuses_text("SELECT COUNT(*) WHERE", "query, column 22: expected the name of a column, but");
    refuses_text("SELECT COUNT(*) WHERE a = b", "query, column 27: expected a value");
    refuses_text("SELECT COUNT(*) WHERE a = NULL", "query, column 27: expected a value");
    refuses_text("SELECT COUNT(*) WHERE a == 1", "query, column 26: expected a value");
    refuses_text("SELECT COUNT(*) WHERE a LIKE 'x'", "query, column 25: expected =, <>");
    refuses_text("SELECT COUNT(*) WHERE a NOT 1", "query, column 29: expected IN or BETWEEN");
    refuses_text("SELECT COUNT(*) WHERE a IN 1", "query, column 28: expected '(' after IN");
    refuses_text("SELECT COUNT(*) WHERE a IN (1 2)", "query, column 31: expected ',' or ')'");
    refuses_text("SELECT COUNT(*) WHERE a BETWEEN 1, 2", "query, column 34: expected AND");
    refuses_text("SELECT COUNT(*) WHERE a IS 1", "query, column 28: expected NULL or NOT NULL");
    refuses_text("SELECT COUNT(*) WHERE (a = 1", "query, column 23: this '(' is never closed");
    refuses_text("SELECT COUNT(*) WHERE (a = 1 b", "query, column 30: expected AND, OR or ')'");
    refuses_text("SELECT COUNT(*) WHERE a = 1)", "query, column 28: this ')' closes nothing");
    refuses_text("SELECT COUNT(*) WHERE a = 1 b = 2", "query, column 29: expected AND, OR or the");
    refuses_text("SELECT COUNT(*) WHERE a = 'x", "query, column 27: the quote that opens here");
    refuses_text("SELECT COUNT(*) WHERE \"\" = 1", "query, column 23: a name is empty");
    refuses_text("SELECT COUNT(*) WHERE a = 1x", "query, column 27: this is neither a number");
    refuses_text("SELECT COUNT(*) WHERE a = -'x'", "query, column 28: expected a number");
    refuses_text("SELECT COUNT(*) WHERE a ? 1", "query, column 25: this character means nothing");
    refuses_text("SELECT COUNT(*) WHERE DATE '2024-01-01' d", "query, column 41: expected =");
    refuses_text("SELECT COUNT(*) WHERE 1 IN (a)", "query, column 25: expected =, <>, <, <=, > or");
    refuses_text("SELECT COUNT(*) WHERE and = 1",
                 "query, column 23: expected the name of a column");
    /* columns are counted in characters */
    refuses_text("SELECT COUNT(*) WHERE stra\xc3\x9f"
                 "e = x",
                 "query, column 32: expected a value");
}

static void reads_all_there_is(void **state)
{
    (void)state;
    bt_select select;
    bauta_error error;
    assert_ok(bt_select_parse("select sum( \"a \"\"b\"\"\" ) -- what\n where NOT(x>-1.5e2 or "
                              "'it''s'<>y)and z not in(1,+2,DATE '2024-02-29')\n;",
                              &select, &error),
              &error);
    assert_int_equal(select.aggregate, BT_SUM);
    assert_string_equal(select.target.text, "a \"b\"");
    assert_true(select.target.quoted);
    assert_int_equal(select.atom_count, 3);
    assert_int_equal(select.atoms[0].comparison, BT_GREATER);
    assert_string_equal(select.literals[0].text, "-1.5e2");
    assert_int_equal(select.atoms[1].comparison, BT_UNEQUAL);
    assert_string_equal(select.literals[1].text, "it's");
    assert_true(select.atoms[2].negated);
    assert_int_equal(select.atoms[2].count, 3);
    assert_true(select.literals[4].date);
    /* NOT binds tighter than AND; connectives_bind_as_in_sql has the rest */
    static const bt_connective kinds[] = {BT_ATOM, BT_ATOM, BT_OR, BT_NOT, BT_ATOM, BT_AND};
    assert_int_equal(select.term_count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(select.terms[i].kind, kinds[i]);
    bt_select_release(&select);
}

/* A date may stand first, and a column may be called DATE all the same. */
static void dates_on_either_side(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        bt_comparison comparison;
        bool date;
    } queries[] = {
        {"SELECT COUNT(*) WHERE DATE '2024-01-31' < born", "born", BT_GREATER, true},
        {"SELECT COUNT(*) WHERE NOT (date'2024-01-31'>=born)", "born", BT_AT_MOST, true},
        {"SELECT COUNT(*) WHERE date < '2024-01-31'", "date", BT_LESS, false},
        {"SELECT COUNT(*) WHERE DATE '2024-01-31' = date", "date", BT_EQUAL, true},
        {"SELECT COUNT(*) WHERE \"date\" = DATE '2024-01-31'", "date", BT_EQUAL, true},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        bt_select select;
        bauta_error error;
        assert_ok(bt_select_parse(queries[i].text, &select, &error), &error);
        assert_int_equal(select.atom_count, 1);
        assert_string_equal(select.atoms[0].name.text, queries[i].name);
        assert_int_equal(select.atoms[0].comparison, queries[i].comparison);
        assert_string_equal(select.literals[0].text, "2024-01-31");
        assert_int_equal(select.literals[0].date, queries[i].date);
        bt_select_release(&select);
    }
}

static void nests_as_deep_as_a_query_is_long(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    bt_buffer text = {0};
    bt_select select;
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "SELECT COUNT(*) WHERE "), &error);
    for (int i = 0; i < DEPTH; i++)
        assert_ok(bt_buffer_add(&text, i % 2 ? "(" : "NOT", i % 2 ? 1 : 3, &error), &error);
    assert_ok(bt_buffer_print(&text, &error, "a=1"), &error);
    for (int i = 0; i < DEPTH / 2; i++)
        assert_ok(bt_buffer_add(&text, ")", 1, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    assert_ok(bt_select_parse(text.bytes, &select, &error), &error);
    assert_int_equal(select.term_count, DEPTH / 2 + 1);
    bt_select_release(&select);
    text.length--;
    while (text.length <= BT_QUERY_MOST)
        assert_ok(bt_buffer_add(&text, "          ", 10, &error), &error);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    refuses_text(text.bytes, "the query is longer than 1 MiB");
    bt_buffer_release(&text);
}

/* ---- labels ---- */

static bt_meaning label(const char *spec, bt_type type, int scale, const char *text, uint32_t level)
{
    static bt_arena arena;
    const bt_manifest_column column = {.type = type, .scale = scale, .partial = spec};
    const bt_node node = {.label = text, .level = level, .hi = 7};
    bt_meaning out;
    bauta_error error;
    bt_arena_release(&arena);
    if (!text) return (bt_meaning){0};
    assert_ok(bt_label_meaning(&column, &node, &arena, &out, &error), &error);
    return out;
}

static void assert_numbers(bt_meaning meaning, int64_t lo, int64_t hi)
{
    assert_int_equal(meaning.kind, BT_MEANING_NUMBERS);
    assert_int_equal(meaning.lo, lo);
    assert_int_equal(meaning.hi, hi);
    assert_false(meaning.loose);
}

static void assert_unknown(bt_meaning meaning)
{
    assert_int_equal(meaning.kind, BT_MEANING_ANY);
    assert_false(meaning.missing);
    assert_true(meaning.loose);
}

static void labels_are_read_back(void **state)
{
    (void)state;
    assert_numbers(label("intervals:5", BT_INTEGER, 0, "20-24", 1), 20, 24);
    assert_numbers(label("intervals:5", BT_INTEGER, 0, "[-5,0)", 1), -5, -1);
    assert_numbers(label("intervals:5", BT_INTEGER, 0, "20-24@1", 1), 20, 24);
    assert_numbers(label("intervals:0.25", BT_DECIMAL, 1, "[0.25,0.5)", 1), 3, 4);
    assert_numbers(label("intervals:2", BT_DATE, 0, "1970-01-01..1970-01-03", 1), 0, 2);
    assert_numbers(label("date", BT_DATE, 0, "1970-02", 1), 31, 58);
    assert_numbers(label("date", BT_DATE, 0, "1972-12", 1), 1065, 1095);
    assert_numbers(label("date", BT_DATE, 0, "1970", 2), 0, 364);
    assert_numbers(label("date", BT_DATE, 0, "1970s", 3), 0, 3651);
    assert_numbers(label("date", BT_DATE, 0, "0000s", 3), BT_FIRST_DAY, -715876);
    assert_numbers(label("date", BT_DATE, 0, "9999", 2), BT_LAST_DAY - 364, BT_LAST_DAY);
    assert_numbers(label("balanced:2", BT_DECIMAL, 2, "-1.5..2", 1), -150, 200);
    assert_numbers(label("mask", BT_INTEGER, 0, "12**", 2), 1200, 1299);
    assert_numbers(label("mask", BT_INTEGER, 0, "-1*", 1), -19, -10);
    assert_numbers(label("mask", BT_INTEGER, 0, "-**", 2), -99, -10);
    bt_meaning mask = label("mask", BT_TEXT, 0, "1***", 2);
    assert_int_equal(mask.kind, BT_MEANING_MASK);
    assert_string_equal(mask.from, "1*");
    assert_int_equal(mask.hidden, 2);
    bt_meaning texts = label("balanced:2", BT_TEXT, 0, "a..b", 1);
    assert_int_equal(texts.kind, BT_MEANING_TEXTS);
    assert_string_equal(texts.from, "a");
    assert_string_equal(texts.to, "b");
    assert_int_equal(texts.leaves, 7);
    label(NULL, BT_TEXT, 0, NULL, 0); /* frees */
}

/* Nothing is taken for narrower than it is. */
static void doubtful_labels_mean_anything(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bt_type type;
        const char *label;
        uint32_t level;
    } cases[] = {
        {"balanced:2", BT_TEXT, "a..b..c", 1},
        {"balanced:2", BT_TEXT, "a...b", 1},
        {"balanced:2", BT_TEXT, "a..b@1", 1},
        {"balanced:2", BT_TEXT, "a…..b", 1},
        {"balanced:2", BT_TEXT, "b..a", 1},
        {"balanced:2", BT_INTEGER, "3..1", 1},
        {"mask", BT_TEXT, "1*", 2},
        {"mask", BT_INTEGER, "x*", 1},
        {"mask", BT_INTEGER, "0*", 1},
        {"intervals:5", BT_INTEGER, "5", 1},
        {"intervals:5", BT_INTEGER, "9-5", 1},
        {"intervals:5", BT_INTEGER, "[0,0)", 1},
        {"date", BT_DATE, "19x0", 1},
        {"date", BT_DATE, "1970-13", 1},
        {"flat", BT_TEXT, "x", 1},
        {"date", BT_DATE, "1970-01-01", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_unknown(label(cases[i].spec, cases[i].type, 0, cases[i].label, cases[i].level));
    label(NULL, BT_TEXT, 0, NULL, 0);
}

/* ---- answers ---- */

typedef struct opened {
    bt_run run;
    bt_release release;
    bt_queryable *queryable;
} opened;

static void open_release(opened *o, const test_release *files)
{
    static int number;
    char name[32];
    bauta_error error;
    snprintf(name, sizeof name, "release%d", ++number);
    test_run_open(&o->run, 2);
    assert_ok(bt_release_open(test_release_write(name, files), &o->run, &o->release, &error),
              &error);
    assert_ok(bt_release_code_others(&o->release, &o->run, &error), &error);
    assert_ok(bt_queryable_open(&o->release, &o->run, &o->queryable, &error), &error);
}

static void close_release(opened *o)
{
    bt_queryable_close(o->queryable);
    bt_release_close(&o->release);
    bt_pool_free(o->run.pool);
}

static json_t *ask_with(const opened *o, const char *query, bt_query_options options)
{
    bt_answer answer;
    bt_facts facts;
    bauta_error error;
    assert_ok(bt_query(o->queryable, query, &options, &answer, &error), &error);
    bt_facts_init(&facts);
    bt_answer_put(&answer, &facts, facts.root);
    bt_answer_release(&answer);
    assert_false(facts.failed);
    return facts.root;
}

/* The answer is what `expected` says, in JSON; keys that it does not name are not looked at. */
static void assert_answer(const opened *o, const char *query, const char *expected)
{
    json_t *answer = ask_with(o, query, (bt_query_options){0}),
           *wanted = json_loads(expected, 0, NULL);
    const char *key;
    json_t *value;
    assert_non_null(wanted);
    json_object_foreach(wanted, key, value)
    {
        const json_t *found = json_object_get(answer, key);
        bool same = json_is_number(value) && json_is_number(found)
                        ? json_number_value(value) == json_number_value(found)
                        : json_equal(value, found);
        if (!same) {
            char *text = json_dumps(answer, 0);
            fail_msg("%s: %s is not that of %s", query, key, text ? text : "?");
        }
    }
    json_decref(answer);
    json_decref(wanted);
}

static void refuses_query(const opened *o, const char *query, const char *message)
{
    static const bt_query_options options = {0};
    bt_answer answer;
    bauta_error error;
    assert_fails(bt_query(o->queryable, query, &options, &answer, &error), BAUTA_INVALID, &error,
                 message);
    bt_answer_release(&answer);
}

static const test_release cells = {
    .columns = TEST_QUASI_INTEGER(
        "age") ","
               "{\"name\":\"pay\",\"role\":\"quasi\",\"type\":\"decimal\",\"scale\":2},"
               "{\"name\":\"zip\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":{\"spec\":"
               "\"mask\",\"leaves\":9,\"levels\":6,\"nodes\":[{\"label\":\"130**\",\"level\":2,"
               "\"leaves\":4}]}},"
               "{\"name\":\"born\",\"role\":\"quasi\",\"type\":\"date\"}," TEST_SENSITIVE(
                   "disease"),
    .data = "age,pay,zip,born,disease\n"
            "\"[20,29]\",\"[0.5,1.25]\",130**,\"[2000-01-01,2000-01-31]\",flu\n"
            "\"[20,29]\",\"[0.5,1.25]\",130**,\"[2000-01-01,2000-01-31]\",cold\n"
            "40,-3,*,1999-12-31,flu\n"
            "40,-3,*,1999-12-31,\n"};

static void answers_by_hand(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    assert_answer(&o, "SELECT COUNT(*)", "{\"estimate\":4,\"lower\":4,\"upper\":4,\"tight\":true}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 25 AND disease = 'flu'",
                  "{\"estimate\":0.5,\"lower\":0,\"upper\":1}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 25 OR NOT age < 25",
                  "{\"estimate\":4,\"lower\":4,\"upper\":4}");
    /* 25 is among 20..29, 24.5 is not, and lies between two of them */
    assert_answer(&o, "SELECT COUNT(*) WHERE age = 25", "{\"estimate\":0.2,\"upper\":2}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age = 24.5", "{\"estimate\":0,\"upper\":0}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 24.5", "{\"estimate\":1,\"upper\":2}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age >= 1e17", "{\"upper\":0}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age > -1e17 AND 1e18 >= age", "{\"lower\":4}");
    /* missing values: neither equal nor unequal */
    assert_answer(&o, "SELECT COUNT(*) WHERE disease = 'flu'", "{\"lower\":2,\"upper\":2}");
    assert_answer(&o, "SELECT COUNT(*) WHERE disease <> 'flu'", "{\"lower\":1,\"upper\":1}");
    assert_answer(&o, "SELECT COUNT(*) WHERE NOT (disease = 'flu')", "{\"lower\":1,\"upper\":1}");
    assert_answer(&o, "SELECT COUNT(*) WHERE disease IS NULL", "{\"lower\":1,\"upper\":1}");
    assert_answer(&o, "SELECT COUNT(disease)", "{\"lower\":3,\"upper\":3}");
    /* names in any case, values typed by their column */
    assert_answer(&o, "SELECT COUNT(*) WHERE AGE = '40'", "{\"lower\":2}");
    assert_answer(&o, "SELECT COUNT(*) WHERE born = DATE '1999-12-31'",
                  "{\"lower\":2,\"upper\":2}");
    close_release(&o);
}

/* NOT binds tighter than AND, AND tighter than OR, wherever they stand; parentheses say otherwise.
 */
static void connectives_bind_as_in_sql(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    static const struct {
        const char *where, *answer;
    } conditions[] = {
        {"age = 40 OR age < 30 AND disease = 'cold'", "{\"lower\":3,\"upper\":3}"},
        {"disease = 'cold' AND age < 30 OR age = 40", "{\"lower\":3,\"upper\":3}"},
        {"(age = 40 OR age < 30) AND disease = 'cold'", "{\"lower\":1,\"upper\":1}"},
        {"disease = 'cold' AND (age < 30 OR age = 40)", "{\"lower\":1,\"upper\":1}"},
        {"age = 40 AND disease = 'flu' OR age < 30 AND disease = 'cold' OR pay = 7",
         "{\"lower\":2,\"upper\":2}"},
        {"NOT age = 40 AND disease = 'flu'", "{\"lower\":1,\"upper\":1}"},
        {"NOT (age = 40 AND disease = 'flu')", "{\"lower\":2,\"upper\":2}"},
        {"NOT age < 30 OR disease = 'flu'", "{\"lower\":3,\"upper\":3}"},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char query[128];
        snprintf(query, sizeof query, "SELECT COUNT(*) WHERE %s", conditions[i].where);
        assert_answer(&o, query, conditions[i].answer);
    }
    close_release(&o);
}

static void aggregates_by_hand(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    assert_answer(&o, "SELECT SUM(age)", "{\"estimate\":129,\"lower\":120,\"upper\":138}");
    assert_answer(
        &o, "SELECT AVG(age) WHERE age < 25 OR disease = 'flu'",
        "{\"lower\":26.6666666666666,\"upper\":34.5,\"tight\":true,\"may_be_empty\":false}");
    assert_answer(&o, "SELECT AVG(pay) WHERE pay > 1",
                  "{\"estimate\":1.13,\"lower\":1.01,\"upper\":1.25,\"may_be_empty\":true}");
    assert_answer(&o, "SELECT SUM(pay) WHERE pay < 0.75", "{\"lower\":-6,\"upper\":-4.52}");
    assert_answer(&o, "SELECT MIN(pay) WHERE disease IN ('flu', 'cold') AND pay > 0",
                  "{\"lower\":0.5,\"upper\":1.25,\"may_be_empty\":false}");
    assert_answer(
        &o, "SELECT MAX(born)",
        "{\"lower\":\"2000-01-01\",\"upper\":\"2000-01-31\",\"estimate\":\"2000-01-24\"}");
    assert_answer(&o, "SELECT MIN(age) WHERE age > 50",
                  "{\"estimate\":null,\"lower\":null,\"upper\":null,\"may_be_empty\":true}");
    assert_answer(&o, "SELECT SUM(age) WHERE age > 50", "{\"estimate\":0,\"lower\":0,\"upper\":0}");
    close_release(&o);
}

/* 130** is any text of five characters that begins so; * is any text, or missing. */
static void masked_texts(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    assert_answer(&o, "SELECT COUNT(*) WHERE zip = '13053'",
                  "{\"lower\":0,\"upper\":4,\"tight\":true}");
    assert_answer(&o, "SELECT COUNT(*) WHERE zip = '13'", "{\"upper\":2,\"tight\":true}");
    assert_answer(&o, "SELECT COUNT(*) WHERE zip <> '13'", "{\"lower\":2,\"upper\":4}");
    assert_answer(&o, "SELECT COUNT(*) WHERE zip > '12' AND zip < '14'",
                  "{\"lower\":2,\"upper\":4,\"tight\":false}");
    assert_answer(&o, "SELECT COUNT(*) WHERE zip IS NULL", "{\"lower\":0,\"upper\":2}");
    close_release(&o);
}

static void answers_are_of_the_published_records(void **state)
{
    (void)state;
    test_release files = cells;
    opened o;
    files.dropped = 5;
    open_release(&o, &files);
    assert_answer(&o, "SELECT COUNT(*) WHERE age = 40",
                  "{\"estimate\":2,\"lower\":2,\"upper\":2,\"tight\":true,\"dropped_rows\":5,"
                  "\"scope\":\"published records only\","
                  "\"population\":{\"published\":4,\"dropped\":5}}");
    assert_answer(&o, "SELECT MAX(age)",
                  "{\"lower\":40,\"upper\":40,\"scope\":\"published records only\"}");
    close_release(&o);
    open_release(&o, &cells);
    assert_answer(&o, "SELECT COUNT(*)", "{\"population\":{\"published\":4,\"dropped\":0}}");
    close_release(&o);
}

#define NOTHING(column)                                                                            \
    "\"warning\":\"column '" column "' shows only '*': there is no estimate, since nothing says "  \
    "which values are likelier\""

/* Of a column that shows only '*' nothing is estimated and nothing tight, unless every value gives
 * the same answer; a given tree makes no difference. */
static void columns_that_show_nothing(void **state)
{
    (void)state;
    const test_release files = {
        .columns = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("sex") "," TEST_QUASI_INTEGER(
            "part") ",{\"name\":\"leaf\",\"role\":\"quasi\",\"type\":\"integer\","
                    "\"hierarchy\":{\"spec\":\"file\",\"paths\":[[\"1\",\"a\"],[\"2\",\"a\"],"
                    "[\"7\",\"b\"]]}}",
        .data = "age,sex,part,leaf\n*,F,*,*\n*,F,20,*\n*,M,20,*\n"};
    opened o;
    open_release(&o, &files);
    assert_answer(
        &o, "SELECT AVG(age)",
        "{\"estimate\":null,\"lower\":null,\"upper\":null,\"tight\":false," NOTHING("age") "}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 30 AND sex = 'F'",
                  "{\"estimate\":null,\"lower\":0,\"upper\":2,\"tight\":false," NOTHING("age") "}");
    assert_answer(&o, "SELECT SUM(part) WHERE age < 30 AND part < 30",
                  "{\"estimate\":null,\"lower\":null,\"upper\":69,\"tight\":false}");
    assert_answer(&o, "SELECT COUNT(age)", "{\"estimate\":null,\"lower\":0,\"upper\":3}");
    assert_answer(&o, "SELECT MAX(age)", "{\"estimate\":null,\"tight\":false}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 30 AND sex = 'X'",
                  "{\"estimate\":0,\"lower\":0,\"upper\":0,\"tight\":true}");
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 30 OR age >= 30 OR age IS NULL",
                  "{\"estimate\":3,\"lower\":3,\"upper\":3,\"tight\":true}");
    assert_answer(
        &o, "SELECT COUNT(*) WHERE leaf = 7",
        "{\"estimate\":null,\"lower\":0,\"upper\":3,\"tight\":false," NOTHING("leaf") "}");
    assert_answer(&o, "SELECT AVG(leaf)",
                  "{\"estimate\":null,\"lower\":1,\"upper\":7,\"tight\":false}");
    assert_answer(&o, "SELECT COUNT(leaf)", "{\"estimate\":3,\"lower\":3,\"tight\":true}");
    /* a column that shows something somewhere */
    assert_answer(&o, "SELECT COUNT(*) WHERE part < 30",
                  "{\"estimate\":2.5,\"lower\":2,\"upper\":3,\"tight\":true}");
    assert_answer(&o, "SELECT AVG(part)", "{\"estimate\":20,\"lower\":null,\"tight\":false}");
    close_release(&o);
}

/* 12 digits, unless the interval has no room for that: then those of its end. */
static void digits_of_estimates(void **state)
{
    (void)state;
    const test_release files = {.columns = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease"),
                                .data = "age,disease\n\"[1,3]\",flu\n\"[1,3]\",flu\n4,flu\n"};
    opened o;
    open_release(&o, &files);
    assert_answer(&o, "SELECT COUNT(*) WHERE age < 2",
                  "{\"estimate\":0.666666666667,\"lower\":0,\"upper\":2}");
    assert_answer(&o, "SELECT AVG(age)", "{\"estimate\":2.66666666667,\"lower\":2}");
    close_release(&o);
    const test_release exact = {.columns = TEST_QUASI_INTEGER("age"), .data = "age\n1\n1\n2\n"};
    open_release(&o, &exact);
    assert_answer(&o, "SELECT AVG(age)",
                  "{\"estimate\":1.33333333333333,\"lower\":1.33333333333333,"
                  "\"upper\":1.33333333333334}");
    close_release(&o);
}

static void cells_without_bounds(void **state)
{
    (void)state;
    const test_release files = {.columns = TEST_QUASI_INTEGER("age") "," TEST_QUASI_INTEGER("n"),
                                .data = "age,n\n*,*\n*,*\n20,*\n"};
    opened o;
    open_release(&o, &files);
    assert_answer(&o, "SELECT SUM(age)", "{\"estimate\":40,\"lower\":null,\"upper\":null}");
    assert_answer(&o, "SELECT MIN(age)", "{\"lower\":null,\"upper\":20}");
    assert_answer(&o, "SELECT MAX(age) WHERE age < 30", "{\"lower\":20,\"upper\":29}");
    assert_answer(&o, "SELECT MIN(n) WHERE n > 3", "{\"lower\":4,\"upper\":null}");
    assert_answer(&o, "SELECT COUNT(*) WHERE n > 3", "{\"lower\":0,\"upper\":3}");
    close_release(&o);
}

static void numbers_stay_exact(void **state)
{
    (void)state;
    const test_release files = {
        .columns = TEST_QUASI_INTEGER(
            "big") ","
                   "{\"name\":\"fine\",\"role\":\"sensitive\",\"type\":\"decimal\",\"scale\":17}",
        .data = "big,fine\n999999999999999999,0.12345678901234567\n"
                "999999999999999999,0.12345678901234567\n999999999999999998,-0.1\n"};
    opened o;
    open_release(&o, &files);
    assert_answer(&o, "SELECT SUM(big)",
                  "{\"lower\":2999999999999999996,\"upper\":"
                  "2999999999999999996}");
    assert_answer(&o, "SELECT COUNT(*) WHERE big > 999999999999999998",
                  "{\"lower\":2,\"upper\":2}");
    /* rounded to 15 digits, down and up */
    assert_answer(&o, "SELECT MAX(fine)",
                  "{\"lower\":0.123456789012345,\"upper\":0.123456789012346}");
    assert_answer(&o, "SELECT AVG(big) WHERE fine > -1",
                  "{\"lower\":999999999999999000,\"upper\":1000000000000000000}");
    close_release(&o);
}

/* From format 1 on the manifest does not say how many places the decimals of a column have. */
static void decimals_published_as_they_are(void **state)
{
    (void)state;
    const test_release files = {.format = 1,
                                .columns =
                                    TEST_QUASI_INTEGER("age") "," TEST_OTHER("share", "decimal"),
                                .data = "age,share\n20,0.5\n20,\n30,7\n30,-1.25\n"};
    opened o;
    open_release(&o, &files);
    assert_answer(&o, "SELECT SUM(share)", "{\"estimate\":6.25,\"lower\":6.25,\"upper\":6.25}");
    assert_answer(&o, "SELECT COUNT(*) WHERE share > -1.2 AND share < 0.75",
                  "{\"lower\":1,\"upper\":1}");
    close_release(&o);
}

static void refuses_by_name(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    refuses_query(&o, "SELECT COUNT(*) WHERE agee = 1",
                  "query, column 23: the release has no column");
    refuses_query(&o, "SELECT COUNT(*) WHERE \"AGE\" = 1",
                  "column 23: the release has no column 'AGE'");
    refuses_query(&o, "SELECT SUM(born)", "column 12: SUM needs a column of numbers, and");
    refuses_query(&o, "SELECT MIN(disease)", "column 12: MIN needs a column of numbers or dates");
    refuses_query(&o, "SELECT COUNT(*) WHERE age = 'x'",
                  "column 29: column 'age' is compared with");
    refuses_query(&o, "SELECT COUNT(*) WHERE born = 5",
                  "column 30: column 'born' is compared with a");
    refuses_query(&o, "SELECT COUNT(*) WHERE born = '5.6.2000'", "column 30: column 'born' is");
    refuses_query(&o, "SELECT COUNT(*) WHERE zip = DATE '2000-01-01'",
                  "column 29: column 'zip' is");
    refuses_query(&o, "SELECT COUNT(*) WHERE age = 1234567890123456789012", "more than 18 digits");
    close_release(&o);
}

static void long_conditions(void **state)
{
    (void)state;
    opened o;
    bt_buffer text = {0};
    bauta_error error;
    open_release(&o, &cells);
    assert_ok(bt_buffer_print(&text, &error, "SELECT COUNT(*) WHERE age = 0"), &error);
    for (int i = 1; i < 5000; i++)
        assert_ok(bt_buffer_print(&text, &error, " OR age = %d", 2 * i), &error);
    assert_answer(&o, text.bytes, "{\"estimate\":3,\"lower\":2,\"upper\":4}");
    /* a pair for each number: nothing can be united */
    text.length = 0;
    assert_ok(bt_buffer_print(&text, &error, "SELECT COUNT(*) WHERE age = 0"), &error);
    for (int i = 1; i < 3000; i++)
        assert_ok(bt_buffer_print(&text, &error, " OR (age = %d AND pay = %d)", i, i), &error);
    refuses_query(&o, text.bytes, "cannot be united");
    bt_buffer_release(&text);
    close_release(&o);
}

/* What each of twenty pairs is cannot be forgotten before the last column is known. */
static void entangled_conditions(void **state)
{
    (void)state;
    enum { PAIRS = 20 };
    bt_buffer columns = {0}, data = {0}, text = {0};
    bauta_error error;
    opened o;
    for (int i = 0; i < 2 * PAIRS; i++) {
        const char *comma = i ? "," : "";
        assert_ok(bt_buffer_print(&columns, &error,
                                  "%s{\"name\":\"c%d\",\"role\":\"quasi\",\"type\":\"integer\"}",
                                  comma, i),
                  &error);
        assert_ok(bt_buffer_print(&data, &error, "%sc%d", comma, i), &error);
    }
    for (int i = 0; i < 2 * PAIRS; i++)
        assert_ok(bt_buffer_print(&data, &error, "%s%s", i ? "," : "\n", i % 2 ? "1" : "\"[1,2]\""),
                  &error);
    assert_ok(bt_buffer_print(&data, &error, "\n"), &error);
    open_release(&o, &(test_release){.columns = columns.bytes, .data = data.bytes});
    for (int turn = 0; turn < 2; turn++) {
        text.length = 0;
        assert_ok(bt_buffer_print(&text, &error, "SELECT COUNT(*) WHERE (c0 = 1"), &error);
        for (int i = 1; turn == 1 && i < PAIRS; i++)
            assert_ok(bt_buffer_print(&text, &error, " OR c%d = 1", i), &error);
        assert_ok(bt_buffer_print(&text, &error, ") AND (c0 = 2"), &error);
        for (int i = 0; i < PAIRS; i++)
            assert_ok(bt_buffer_print(&text, &error, " OR (c%d = 2 AND c%d = 1)", i, i + PAIRS),
                      &error);
        assert_ok(bt_buffer_print(&text, &error, ")"), &error);
        if (turn == 0)
            assert_answer(&o, text.bytes, "{\"lower\":0,\"upper\":1,\"tight\":true}");
        else
            refuses_query(&o, text.bytes, "ties too many columns together");
    }
    close_release(&o);
    bt_buffer_release(&columns);
    bt_buffer_release(&data);
    bt_buffer_release(&text);
}

static void explains(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &cells);
    json_t *answer =
        ask_with(&o, "SELECT COUNT(*) WHERE age < 25", (bt_query_options){.explain = true});
    const json_t *explain = json_object_get(answer, "explain");
    const json_t *list = json_object_get(explain, "contributions"), *one = json_array_get(list, 0);
    assert_int_equal(json_integer_value(json_object_get(explain, "classes")), 2);
    assert_int_equal(json_integer_value(json_object_get(explain, "contributing")), 1);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_integer_value(json_object_get(one, "row")), 1);
    assert_int_equal(json_integer_value(json_object_get(one, "records")), 2);
    assert_int_equal(json_integer_value(json_object_get(one, "upper")), 2);
    assert_true(json_array_size(json_object_get(explain, "assumptions")) >= 2);
    json_decref(answer);
    close_release(&o);
}

/* ---- two tables ---- */

/* Two classes of three. */
static const test_release pair = {
    .columns = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("sex") "," TEST_SENSITIVE("disease"),
    .quasi = "age,sex,class\n30,M,2\n31,F,1\n32,F,1\n33,M,1\n40,M,2\n45,F,2\n",
    .sensitive = "class,disease\n1,flu\n2,hiv\n1,cold\n2,flu\n1,cold\n2,flu\n"};

static void answers_over_two_tables(void **state)
{
    (void)state;
    opened o;
    open_release(&o, &pair);
    /* class 1: two of three are F, one has flu; class 2: one and two */
    assert_answer(&o, "SELECT COUNT(*) WHERE sex = 'F' AND disease = 'flu'",
                  "{\"estimate\":1.33333333333,\"lower\":0,\"upper\":2,\"tight\":true}");
    assert_answer(&o, "SELECT COUNT(*) WHERE sex = 'M' AND disease = 'flu'",
                  "{\"estimate\":1.66666666667,\"lower\":1,\"upper\":3,\"tight\":true}");
    assert_answer(&o, "SELECT MIN(age) WHERE sex = 'M' AND disease = 'flu'",
                  "{\"lower\":30,\"upper\":40,\"tight\":true,\"may_be_empty\":false}");
    assert_answer(&o, "SELECT AVG(age) WHERE disease = 'hiv'",
                  "{\"estimate\":38.3333333333,\"lower\":30,\"upper\":45,\"tight\":true}");
    close_release(&o);
}

/* The SQL of paper 1 counts whole classes: 1 in class 1 and 2 in class 2. */
static void answers_as_the_paper_does(void **state)
{
    (void)state;
    static const bt_query_options paper = {.estimator = BT_ESTIMATE_PAPER};
    opened o;
    bt_answer answer;
    bauta_error error;
    open_release(&o, &pair);
    json_t *facts = ask_with(&o, "SELECT COUNT(*) WHERE sex = 'F' AND disease = 'flu'", paper);
    assert_true(json_real_value(json_object_get(facts, "estimate")) == 3);
    assert_int_equal(json_integer_value(json_object_get(facts, "upper")), 2);
    json_decref(facts);
    assert_fails(bt_query(o.queryable, "SELECT COUNT(*) WHERE sex = 'F' OR disease = 'flu'", &paper,
                          &answer, &error),
                 BAUTA_INVALID, &error, "a condition on quasi columns AND one on sensitive");
    assert_fails(bt_query(o.queryable, "SELECT AVG(age)", &paper, &answer, &error), BAUTA_INVALID,
                 &error, "answers COUNT only");
    close_release(&o);
    open_release(&o, &cells);
    assert_fails(bt_query(o.queryable, "SELECT COUNT(*)", &paper, &answer, &error), BAUTA_USAGE,
                 &error, "not for releases of the form 'generalized'");
    close_release(&o);
}

/* ---- the library's own calls ---- */

/* On several threads the same as one by one. */
static void answers_many_at_once(void **state)
{
    (void)state;
    enum { QUERIES = 60 };
    char texts[QUERIES][64];
    const char *queries[QUERIES];
    const char *folder = test_release_write("many", &cells);
    bauta_recipe *recipe = test_original(NULL, "4");
    bauta_report *report = NULL;
    bauta_release *release;
    bauta_error error;
    for (int i = 0; i < QUERIES; i++) {
        snprintf(texts[i], sizeof texts[i], "SELECT %s WHERE age < %d",
                 i % 2 ? "COUNT(*)" : "AVG(pay)", i);
        queries[i] = texts[i];
    }
    assert_ok(bauta_query(folder, queries, QUERIES, recipe, &report, &error), &error);
    assert_ok(bauta_release_open(folder, NULL, &release, &error), &error);
    for (size_t i = 0; i < QUERIES; i++) {
        bauta_report *one = NULL;
        assert_ok(bauta_release_query(release, queries[i], &one, &error), &error);
        assert_true(json_equal(json_array_get(report->facts.root, i), one->facts.root));
        bauta_report_free(one);
    }
    bauta_report_free(report);
    snprintf(texts[40], sizeof texts[40], "SELECT COUNT(*) WHERE age <");
    snprintf(texts[50], sizeof texts[50], "SELECT");
    assert_fails(bauta_query(folder, queries, QUERIES, recipe, &report, &error), BAUTA_INVALID,
                 &error, "column 28: expected a value");
    assert_int_equal(error.row, 41);
    assert_null(report);
    assert_fails(bauta_query(folder, NULL, 1, NULL, NULL, &error), BAUTA_USAGE, &error,
                 "are needed");
    assert_fails(bauta_release_query(release, NULL, NULL, &error), BAUTA_USAGE, &error,
                 "are needed");
    bauta_release_free(release);
    assert_fails(bauta_release_open(NULL, NULL, &release, &error), BAUTA_USAGE, &error,
                 "is needed");
    assert_null(release);
    bauta_recipe_free(recipe);
}

/* ---- releases that are not whole ---- */

static void refuses_release(const test_release *files, const char *message)
{
    bt_run run;
    bt_release release;
    bt_queryable *queryable;
    static int number;
    char name[32];
    bauta_error error;
    snprintf(name, sizeof name, "broken%d", ++number);
    test_run_open(&run, 1);
    assert_ok(bt_release_open(test_release_write(name, files), &run, &release, &error), &error);
    assert_ok(bt_release_code_others(&release, &run, &error), &error);
    assert_fails(bt_queryable_open(&release, &run, &queryable, &error), BAUTA_INVALID, &error,
                 message);
    bt_queryable_close(queryable);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

static void refuses_what_is_broken(void **state)
{
    (void)state;
    test_release files = {.columns = TEST_QUASI_INTEGER("age"), .data = "age\n\"[3,2]\"\n"};
    refuses_release(&files, "a text that cannot stand in its column");
    files = (test_release){.columns = TEST_QUASI_INTEGER("age") "," TEST_OTHER("n", "integer"),
                           .data = "age,n\n2,x\n"};
    refuses_release(&files, "a value is not of its column's type");
    files = pair;
    files.sensitive = "class,disease\n1,flu\n2,hiv\n1,cold\n2,flu\n1,cold\n1,flu\n";
    refuses_release(&files, "have not the same records");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(reads_all_there_is),
        cmocka_unit_test(dates_on_either_side),
        cmocka_unit_test(nests_as_deep_as_a_query_is_long),
        cmocka_unit_test(labels_are_read_back),
        cmocka_unit_test(doubtful_labels_mean_anything),
        cmocka_unit_test(answers_by_hand),
        cmocka_unit_test(connectives_bind_as_in_sql),
        cmocka_unit_test(aggregates_by_hand),
        cmocka_unit_test(masked_texts),
        cmocka_unit_test(answers_are_of_the_published_records),
        cmocka_unit_test(columns_that_show_nothing),
        cmocka_unit_test(digits_of_estimates),
        cmocka_unit_test(cells_without_bounds),
        cmocka_unit_test(numbers_stay_exact),
        cmocka_unit_test(decimals_published_as_they_are),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(long_conditions),
        cmocka_unit_test(entangled_conditions),
        cmocka_unit_test(explains),
        cmocka_unit_test(answers_over_two_tables),
        cmocka_unit_test(answers_as_the_paper_does),
        cmocka_unit_test(answers_many_at_once),
        cmocka_unit_test(refuses_what_is_broken),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
