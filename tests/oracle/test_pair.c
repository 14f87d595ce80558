/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit of releases in two tables against plain enumeration, on random small ones: some are
 * right, some have a value or a class changed.
 *
 *   original records   counting rows with the same quasi values
 *   original bags      a matching by augmenting paths; and, by trying every way to put the records
 *                      into the classes: what can be is never refused, and where no quasi values
 *                      are in two classes and no record was dropped nothing else passes
 *   k, alpha           what passes satisfies Definition 1 of paper 1, taken literally
 */
#define SCRATCH_IN_MEMORY
#include "release_files.h"

enum { RECORDS_MOST = 7, CLASSES_MOST = 3, ROUNDS = 2500 };

typedef struct world {
    size_t records; /* of the original */
    unsigned quasi[RECORDS_MOST], value[RECORDS_MOST];
    size_t rows; /* published */
    unsigned row_quasi[RECORDS_MOST], row_class[RECORDS_MOST];
    unsigned bag_value[RECORDS_MOST], bag_class[RECORDS_MOST];
    unsigned classes;
} world;

static void shuffle(uint64_t *random, unsigned *one, unsigned *other, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = test_below(random, i);
        unsigned a = one[i - 1], b = other[i - 1];
        one[i - 1] = one[j];
        other[i - 1] = other[j];
        one[j] = a;
        other[j] = b;
    }
}

static void make_world(uint64_t *random, world *w)
{
    unsigned kinds = 1 + (unsigned)test_below(random, 5),
             values = 1 + (unsigned)test_below(random, 3);
    *w = (world){.records = 1 + test_below(random, RECORDS_MOST),
                 .classes = 1 + (unsigned)test_below(random, CLASSES_MOST)};
    size_t dropped = test_below(random, 3) == 0 ? test_below(random, w->records) : 0;
    for (size_t i = 0; i < w->records; i++) {
        w->quasi[i] = (unsigned)test_below(random, kinds);
        w->value[i] = (unsigned)test_below(random, values);
    }
    w->rows = w->records - dropped;
    for (size_t i = 0; i < w->rows; i++) {
        w->row_class[i] = w->bag_class[i] = 1 + (unsigned)test_below(random, w->classes);
        w->row_quasi[i] = w->quasi[i];
        w->bag_value[i] = w->value[i];
    }
    /* Something is wrong with two of three. */
    if (test_below(random, 3) == 0)
        w->row_quasi[test_below(random, w->rows)] = (unsigned)test_below(random, kinds);
    if (test_below(random, 3) == 0)
        w->bag_value[test_below(random, w->rows)] = (unsigned)test_below(random, values);
    if (test_below(random, 3) == 0) {
        size_t a = test_below(random, w->rows), b = test_below(random, w->rows);
        unsigned swap = w->bag_class[a];
        w->bag_class[a] = w->bag_class[b];
        w->bag_class[b] = swap;
    }
    shuffle(random, w->row_quasi, w->row_class, w->rows);
    shuffle(random, w->bag_value, w->bag_class, w->rows);
}

/* ---- enumeration ---- */

static bool rows_are_records(const world *w)
{
    for (size_t i = 0; i < w->rows; i++) {
        size_t published = 0, there = 0;
        for (size_t j = 0; j < w->rows; j++)
            published += w->row_quasi[j] == w->row_quasi[i];
        for (size_t j = 0; j < w->records; j++)
            there += w->quasi[j] == w->row_quasi[i];
        if (published > there) return false;
    }
    return true;
}

static bool may_serve(const world *w, size_t record, size_t bag_row)
{
    if (w->value[record] != w->bag_value[bag_row]) return false;
    for (size_t i = 0; i < w->rows; i++)
        if (w->row_quasi[i] == w->quasi[record] && w->row_class[i] == w->bag_class[bag_row])
            return true;
    return false;
}

static bool augment(const world *w, size_t bag_row, bool *visited, int *serves)
{
    for (size_t record = 0; record < w->records; record++) {
        if (visited[record] || !may_serve(w, record, bag_row)) continue;
        visited[record] = true;
        if (serves[record] >= 0 && !augment(w, (size_t)serves[record], visited, serves)) continue;
        serves[record] = (int)bag_row;
        return true;
    }
    return false;
}

static bool bags_match(const world *w)
{
    int serves[RECORDS_MOST];
    for (size_t i = 0; i < RECORDS_MOST; i++)
        serves[i] = -1;
    for (size_t row = 0; row < w->rows; row++) {
        bool visited[RECORDS_MOST] = {false};
        if (!augment(w, row, visited, serves)) return false;
    }
    return true;
}

/* Whether the records from `at` on can be put into classes, or left out, so that nothing is left
 * of what the classes need. */
static bool can_place(const world *w, size_t at, int need_quasi[][8], int need_value[][8],
                      size_t left)
{
    if (left == 0) return true;
    if (w->records - at < left) return false;
    for (unsigned c = 1; c <= w->classes; c++) {
        int *quasi = &need_quasi[c][w->quasi[at]], *value = &need_value[c][w->value[at]];
        if (*quasi == 0 || *value == 0) continue;
        --*quasi;
        --*value;
        bool can = can_place(w, at + 1, need_quasi, need_value, left - 1);
        ++*quasi;
        ++*value;
        if (can) return true;
    }
    return can_place(w, at + 1, need_quasi, need_value, left);
}

static bool is_possible(const world *w)
{
    int need_quasi[CLASSES_MOST + 1][8] = {{0}}, need_value[CLASSES_MOST + 1][8] = {{0}};
    for (size_t i = 0; i < w->rows; i++) {
        need_quasi[w->row_class[i]][w->row_quasi[i]]++;
        need_value[w->bag_class[i]][w->bag_value[i]]++;
    }
    return can_place(w, 0, need_quasi, need_value, w->rows);
}

static bool quasi_in_one_class(const world *w)
{
    for (size_t i = 0; i < w->rows; i++)
        for (size_t j = 0; j < w->rows; j++)
            if (w->row_quasi[i] == w->row_quasi[j] && w->row_class[i] != w->row_class[j])
                return false;
    return true;
}

/* How often class c has a value in its bag. */
static size_t in_bag(const world *w, unsigned c, unsigned value)
{
    size_t count = 0;
    for (size_t i = 0; i < w->rows; i++)
        count += w->bag_class[i] == c && w->bag_value[i] == value;
    return count;
}

/* Definition 1 with k=2 and alpha=0.5: who is linked to a bag shares it with another person, and no
 * value is more than half of it. */
static bool satisfies_definition_1(const world *w)
{
    for (size_t i = 0; i < w->rows; i++) {
        size_t sharing = 0, size = 0;
        for (size_t j = 0; j < w->rows; j++) {
            bool same = true;
            for (unsigned v = 0; v < 3; v++)
                same &= in_bag(w, w->row_class[i], v) == in_bag(w, w->row_class[j], v);
            sharing += same;
        }
        for (unsigned v = 0; v < 3; v++)
            size += in_bag(w, w->row_class[i], v);
        for (unsigned v = 0; v < 3; v++)
            if (2 * in_bag(w, w->row_class[i], v) > size) return false;
        if (sharing < 2) return false;
    }
    return true;
}

/* ---- the audit ---- */

static json_t *audit(const world *w)
{
    static const char columns[] = TEST_QUASI_INTEGER("q") "," TEST_SENSITIVE("s");
    bt_buffer quasi = {0}, sensitive = {0}, records = {0};
    bauta_error error;
    bauta_report *report = NULL;
    assert_ok(bt_buffer_print(&quasi, &error, "q,class\n"), &error);
    assert_ok(bt_buffer_print(&sensitive, &error, "class,s\n"), &error);
    assert_ok(bt_buffer_print(&records, &error, "s,q\n"), &error);
    for (size_t i = 0; i < w->rows; i++) {
        assert_ok(bt_buffer_print(&quasi, &error, "%u,%u\n", w->row_quasi[i], w->row_class[i]),
                  &error);
        assert_ok(bt_buffer_print(&sensitive, &error, "%u,v%u\n", w->bag_class[i], w->bag_value[i]),
                  &error);
    }
    for (size_t i = 0; i < w->records; i++)
        assert_ok(bt_buffer_print(&records, &error, "v%u,%u\n", w->value[i], w->quasi[i]), &error);
    const test_release files = {
        .columns = columns,
        .promises = "{\"name\":\"k\",\"value\":\"2\"},{\"name\":\"alpha\",\"value\":\"0.5\"}",
        .dropped = (long long)(w->records - w->rows),
        .quasi = quasi.bytes,
        .sensitive = sensitive.bytes};
    bauta_recipe *recipe = test_original(scratch_text("original.csv", records.bytes), "1");
    bauta_status status =
        bauta_audit(test_release_write("audited", &files), recipe, &report, &error);
    if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%d: %s", status, error.message);
    json_t *facts = json_incref(report->facts.root);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    bt_buffer_release(&quasi);
    bt_buffer_release(&sensitive);
    bt_buffer_release(&records);
    return facts;
}

static void the_audit_agrees_with_enumeration(void **state)
{
    (void)state;
    uint64_t random = 5;
    unsigned possible = 0, impossible = 0, definition = 0, exact = 0;
    for (int round = 0; round < ROUNDS; round++) {
        world w;
        make_world(&random, &w);
        json_t *facts = audit(&w);
        bool records = test_verdict(facts, "original records") == 1;
        bool bags = test_verdict(facts, "original bags") == 1;
        bool can = is_possible(&w);
        assert_int_equal(records, rows_are_records(&w));
        assert_int_equal(bags, bags_match(&w));
        if (can) assert_true(records && bags);
        if (quasi_in_one_class(&w) && w.rows == w.records) {
            bool same = test_verdict(facts, "classes") == 1;
            assert_int_equal(records && bags && same, can);
            exact++;
        }
        if (test_verdict(facts, "k=2") == 1 && test_verdict(facts, "alpha=0.5") == 1 &&
            test_verdict(facts, "classes") == 1) {
            assert_true(satisfies_definition_1(&w));
            definition++;
        }
        possible += can;
        impossible += !can;
        json_decref(facts);
    }
    assert_true(possible > ROUNDS / 10 && impossible > ROUNDS / 10);
    assert_true(definition > ROUNDS / 100 && exact > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_audit_agrees_with_enumeration),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
