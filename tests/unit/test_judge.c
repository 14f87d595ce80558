/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging all classes of a table: the same as one class after the other, each requirement by
 * itself, for any number of threads; and the figures of the whole table.
 */
#include "crowd.h"

#include "require/judge.h"

#include <stdio.h>

static const char *const texts[] = {
    "k=3",
    "p=2",
    "k=2,alpha=0.5,l=2",
    "alpha(disease)=2/3:v0,p-categories=2,weight=1.5",
    "entropy-l=1.7,recursive-l=2:2,t=0.4:ordered",
    "k=4,t(disease)=0.3:hierarchical,p=3",
};
enum { TEXTS = sizeof texts / sizeof *texts, MOST_CLASSES = 12 };

typedef struct trial {
    crowd c;
    bt_requirements requirements;
    uint32_t class_of[CROWD_ROWS], sizes[MOST_CLASSES], classes;
} trial;

static void start(trial *t, const char *text, uint64_t *random)
{
    bauta_error error;
    crowd_shape shape = {.rows = 1 + (uint32_t)test_below(random, 120),
                         .columns = 1 + (uint32_t)test_below(random, 2),
                         .values = 2 + (uint32_t)test_below(random, 5)};
    crowd_make(&t->c, shape, random);
    t->classes = 1 + (uint32_t)test_below(random, MOST_CLASSES);
    memset(t->sizes, 0, sizeof t->sizes);
    for (uint32_t row = 0; row < shape.rows; row++) {
        t->class_of[row] = (uint32_t)test_below(random, t->classes);
        t->sizes[t->class_of[row]]++;
    }
    assert_ok(bt_requirements_parse(text, &t->c.arena, &t->requirements, &error), &error);
    t->requirements.joint = test_below(random, 2);
    assert_ok(bt_requirements_bind(&t->requirements, &t->c.people, &t->c.arena, &error), &error);
}

static bool holds(trial *t, size_t item, uint32_t number)
{
    bauta_error error;
    bt_tally *tally;
    bt_requirements one = t->requirements;
    one.items = &t->requirements.items[item];
    one.count = 1;
    assert_ok(bt_tally_new(&t->c.people, &tally, &error), &error);
    for (uint32_t row = 0; row < t->c.shape.rows; row++)
        if (t->class_of[row] == number) assert_ok(bt_tally_add_row(tally, row, &error), &error);
    bool verdict = bt_requirements_check(&one, tally, NULL);
    bt_tally_free(tally);
    return verdict;
}

static void judged_one_by_one(void **state)
{
    (void)state;
    uint64_t random = 17;
    bauta_error error;
    for (int round = 0; round < 600; round++) {
        trial t;
        bt_run run = {0};
        bt_shortfall found[4];
        start(&t, texts[round % TEXTS], &random);
        assert_ok(bt_pool_new(1 + (unsigned)(round % 3), &run.pool, &error), &error);
        const bt_judged_classes classes = {t.classes, t.sizes, t.class_of};
        assert_ok(bt_requirements_judge(&t.requirements, &classes, &run, found, &error), &error);
        for (size_t i = 0; i < t.requirements.count; i++) {
            bt_shortfall expected = {0};
            for (uint32_t c = 0; c < t.classes; c++) {
                if (holds(&t, i, c)) continue;
                if (expected.classes++ == 0) expected.first = c;
                expected.records += t.sizes[c];
            }
            assert_int_equal(found[i].classes, expected.classes);
            assert_int_equal(found[i].records, expected.records);
            if (expected.classes) assert_int_equal(found[i].first, expected.first);
        }
        bt_pool_free(run.pool);
        crowd_release(&t.c);
    }
}

/* With sizes alone nobody needs to know who is in which class. */
static void sizes_are_enough_for_k(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_people people = bt_people_plain(10);
    static const uint32_t sizes[] = {5, 2, 1, 2};
    const bt_judged_classes classes = {4, sizes, NULL};
    bt_shortfall found[1];
    bt_run run = {0};
    assert_ok(bt_requirements_parse("k=2", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_requirements_judge(&requirements, &classes, &run, found, &error), &error);
    assert_int_equal(found[0].classes, 1);
    assert_int_equal(found[0].first, 2);
    assert_int_equal(found[0].records, 1);
    bt_arena_release(&arena);
}

/* One figure for each requirement and column that it is for; together they say what
 * bt_requirements_feasible says. */
static void figures_of_the_whole_table(void **state)
{
    (void)state;
    uint64_t random = 19;
    int fine = 0, missed = 0;
    for (int round = 0; round < 600; round++) {
        trial t;
        bauta_error error;
        bt_figure *figures;
        size_t count, expected = 0;
        start(&t, texts[round % TEXTS], &random);
        for (size_t i = 0; i < t.requirements.count; i++) {
            const bt_requirement_instance *item = &t.requirements.items[i];
            expected += item->type->size_only || item->column ? 1 : t.c.shape.columns;
        }
        assert_ok(bt_requirements_figures(&t.requirements, &t.c.arena, &figures, &count, &error),
                  &error);
        assert_int_equal(count, expected);
        bool all = true;
        for (size_t i = 0; i < count; i++) {
            all = all && figures[i].holds;
            assert_true(strpbrk(figures[i].text, "0123456789") != NULL);
            assert_int_equal(figures[i].item->type->size_only, figures[i].column == NULL);
            if (figures[i].known) {
                assert_false(figures[i].holds);
                assert_true(t.requirements.joint && t.c.shape.columns > 1);
                assert_string_not_equal(figures[i].known, figures[i].column);
            }
        }
        bauta_status status = bt_requirements_feasible(&t.requirements, &error);
        assert_int_equal(status, all ? BAUTA_OK : BAUTA_NO);
        fine += all;
        missed += !all;
        crowd_release(&t.c);
    }
    assert_true(fine > 100);
    assert_true(missed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judged_one_by_one),
        cmocka_unit_test(sizes_are_enough_for_k),
        cmocka_unit_test(figures_of_the_whole_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
