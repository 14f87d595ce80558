/* SPDX-License-Identifier: Apache-2.0
 *
 * People and tallies against naive counting: profiles, persons counted once, what a known value
 * selects.
 */
#include "crowd.h"

enum { ROUNDS = 300 };

static crowd_shape random_shape(uint64_t *random)
{
    return (crowd_shape){.rows = 1 + (uint32_t)test_below(random, 60),
                         .columns = (uint32_t)test_below(random, CROWD_COLUMNS + 1),
                         .values = 2 + (uint32_t)test_below(random, 5),
                         .subjects =
                             (uint32_t)(test_below(random, 2) * (1 + test_below(random, 30))),
                         .missing = test_below(random, 2)};
}

static void assert_bag(const bt_bag *bag, const naive_bag *expected, const crowd_column *column)
{
    uint32_t distinct = 0;
    bool listed[CROWD_VALUES] = {false};
    assert_int_equal(bag->size, expected->size);
    assert_int_equal(bag->total, expected->total);
    for (uint32_t i = 0; i < bag->distinct; i++) {
        assert_true(bag->codes[i] < column->size);
        assert_false(listed[bag->codes[i]]);
        listed[bag->codes[i]] = true;
    }
    for (uint32_t code = 0; code < column->size; code++) {
        assert_int_equal(bag->counts[code], expected->counts[code]);
        assert_int_equal(listed[code], expected->counts[code] > 0);
        distinct += expected->counts[code] > 0;
    }
    assert_int_equal(bag->distinct, distinct);
}

/* Everything that can be asked of a tally. */
static void assert_tally(const crowd *c, const crowd_class *rows, bt_tally *tally)
{
    static bool person[CROWD_ROWS];
    int64_t persons = 0;
    memset(person, 0, sizeof person);
    for (uint32_t row = 0; row < c->shape.rows; row++) {
        if (!rows->has[row] || person[c->subject_of[row]]) continue;
        person[c->subject_of[row]] = true;
        persons++;
    }
    assert_int_equal(bt_tally_size(tally), persons);
    for (uint32_t column = 0; column < c->shape.columns; column++) {
        naive_bag expected = naive_count(c, rows, column, -1, 0);
        bt_bag bag = bt_tally_bag(tally, column);
        assert_bag(&bag, &expected, &c->columns[column]);
        assert_ptr_equal(bag.of, &c->people.sensitive[column]);
        assert_int_equal(bag.column, column);
        for (uint32_t known = 0; known < c->shape.columns; known++)
            for (uint32_t code = 0; known != column && code < c->columns[known].size; code++) {
                expected = naive_count(c, rows, column, (int)known, code);
                bag = bt_tally_known(tally, known, code, column);
                assert_bag(&bag, &expected, &c->columns[column]);
            }
    }
}

static void profiles_are_distinct_combinations(void **state)
{
    (void)state;
    uint64_t random = 31;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c;
        crowd_make(&c, random_shape(&random), &random);
        const bt_people *people = &c.people;
        assert_int_equal(people->rows, c.shape.rows);
        assert_int_equal(people->columns, c.shape.columns);
        bool used[CROWD_ROWS] = {false};
        for (uint32_t row = 0; row < c.shape.rows; row++) {
            assert_true(people->profile_of[row] < people->profiles);
            used[people->profile_of[row]] = true;
            for (uint32_t i = 0; i < c.shape.columns; i++)
                assert_int_equal(
                    people->profile_values[people->profile_of[row] * c.shape.columns + i],
                    c.columns[i].codes[row]);
        }
        for (uint32_t p = 0; p < people->profiles; p++) {
            assert_true(used[p]);
            for (uint32_t q = 0; q < p && c.shape.columns; q++)
                assert_memory_not_equal(people->profile_values + (size_t)p * c.shape.columns,
                                        people->profile_values + (size_t)q * c.shape.columns,
                                        c.shape.columns * sizeof(uint32_t));
        }
        crowd_release(&c);
    }
}

static void the_table_is_counted(void **state)
{
    (void)state;
    uint64_t random = 32;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c;
        crowd_make(&c, random_shape(&random), &random);
        crowd_class all = crowd_draw(&c, 1, 1, &random);
        for (uint32_t i = 0; i < c.shape.columns; i++) {
            naive_bag expected = naive_count(&c, &all, i, -1, 0);
            assert_int_equal(c.people.persons, expected.size);
            assert_int_equal(c.people.sensitive[i].total, expected.total);
            for (uint32_t code = 0; code < c.columns[i].size; code++)
                assert_int_equal(c.people.sensitive[i].counts[code], expected.counts[code]);
        }
        crowd_release(&c);
    }
}

/* One tally, many classes, rows put in and taken out in any order. */
static void rows_come_and_go(void **state)
{
    (void)state;
    uint64_t random = 33;
    bauta_error error;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c;
        bt_tally *tally;
        crowd_make(&c, random_shape(&random), &random);
        assert_ok(bt_tally_new(&c.people, &tally, &error), &error);
        for (int part = 0; part < 3; part++) {
            crowd_class rows = crowd_draw(&c, 1, 1 + test_below(&random, 4), &random);
            crowd_tally(&c, &rows, tally);
            assert_tally(&c, &rows, tally);
            for (int step = 0; step < 30; step++) {
                uint32_t row = (uint32_t)test_below(&random, c.shape.rows);
                if (rows.has[row])
                    bt_tally_remove_row(tally, row);
                else
                    assert_ok(bt_tally_add_row(tally, row, &error), &error);
                rows.has[row] = !rows.has[row];
            }
            assert_tally(&c, &rows, tally);
        }
        bt_tally_clear(tally);
        assert_tally(&c, &(crowd_class){{false}}, tally);
        bt_tally_free(tally);
        crowd_release(&c);
    }
}

/* Makes every number below the number of persons that of a person. */
static void number_subjects(crowd *c)
{
    uint32_t number[CROWD_ROWS] = {0}, next = 0;
    for (uint32_t row = 0; row < c->shape.rows; row++) {
        uint32_t *mine = &number[c->subject_of[row]];
        if (*mine == 0) *mine = ++next;
        c->subject_of[row] = *mine - 1;
    }
    c->people.subjects = next;
}

/* A person as one record is all rows of the person. */
static void whole_persons_come_and_go(void **state)
{
    (void)state;
    uint64_t random = 36;
    bauta_error error;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c;
        bt_people persons;
        bt_tally *tally;
        crowd_shape shape = random_shape(&random);
        shape.subjects = 1 + (uint32_t)test_below(&random, 30);
        crowd_make(&c, shape, &random);
        number_subjects(&c);
        assert_ok(bt_people_whole(&c.people, &persons, &error), &error);
        assert_int_equal(persons.rows, c.people.persons);
        assert_int_equal(persons.persons, c.people.persons);
        assert_ok(bt_tally_new(&persons, &tally, &error), &error);
        crowd_class rows = {{false}};
        for (int step = 0; step < 40; step++) {
            uint32_t person = (uint32_t)test_below(&random, c.people.subjects);
            bool in = false;
            for (uint32_t row = 0; row < shape.rows; row++) {
                if (c.subject_of[row] != person) continue;
                in = rows.has[row];
                rows.has[row] = !in;
            }
            if (in)
                bt_tally_remove_row(tally, person);
            else
                assert_ok(bt_tally_add_row(tally, person, &error), &error);
        }
        bt_sensitive *own = c.people.sensitive;
        c.people.sensitive = persons.sensitive; /* what the bags are of */
        assert_tally(&c, &rows, tally);
        c.people.sensitive = own;
        bt_tally_free(tally);
        bt_people_release(&persons);
        crowd_release(&c);
    }
}

/* Counting by profiles is counting by rows. */
static void profiles_come_and_go(void **state)
{
    (void)state;
    uint64_t random = 34;
    bauta_error error;
    for (int round = 0; round < ROUNDS; round++) {
        crowd c;
        bt_tally *tally;
        crowd_shape shape = random_shape(&random);
        shape.subjects = 0;
        crowd_make(&c, shape, &random);
        assert_ok(bt_tally_new(&c.people, &tally, &error), &error);
        crowd_class rows = crowd_draw(&c, 1, 2, &random), none = {{false}};
        uint32_t counts[CROWD_ROWS] = {0};
        for (uint32_t row = 0; row < shape.rows; row++)
            counts[c.people.profile_of[row]] += rows.has[row];
        for (uint32_t p = 0; p < c.people.profiles; p++)
            if (counts[p]) bt_tally_add(tally, p, counts[p] + 3);
        for (uint32_t p = 0; p < c.people.profiles; p++)
            if (counts[p]) bt_tally_remove(tally, p, 3);
        assert_tally(&c, &rows, tally);
        for (uint32_t p = 0; p < c.people.profiles; p++)
            if (counts[p]) bt_tally_remove(tally, p, counts[p]);
        assert_tally(&c, &none, tally);
        bt_tally_free(tally);
        crowd_release(&c);
    }
}

/* A person with two records that agree in two of three columns is one person who has that pair. */
static void a_person_is_counted_once(void **state)
{
    (void)state;
    bauta_error error;
    static const uint8_t a[] = {1, 1, 0, 1}, b[] = {2, 2, 1, 0}, d[] = {0, 1, 0, 1};
    static const uint32_t subject_of[] = {5, 5, 5, 3};
    static const char *const text[] = {"x", "y", "z"};
    static const void *const codes[] = {a, b, d};
    static const unsigned widths[] = {1, 1, 1};
    const bt_sensitive columns[] = {{.name = "a", .size = 2, .text = text},
                                    {.name = "b", .size = 3, .text = text},
                                    {.name = "d", .size = 2, .text = text}};
    bt_people people;
    bt_tally *tally;
    assert_ok(bt_people_make(columns, codes, widths, 3, 4, subject_of, 6, &people, &error), &error);
    assert_int_equal(people.persons, 2);
    assert_int_equal(people.sensitive[0].counts[1], 2);
    assert_int_equal(people.sensitive[0].total, 3);
    assert_ok(bt_tally_new(&people, &tally, &error), &error);
    for (uint32_t row = 0; row < 4; row++)
        assert_ok(bt_tally_add_row(tally, row, &error), &error);
    bt_bag bag = bt_tally_known(tally, 0, 1, 1);
    assert_int_equal(bag.size, 2);
    assert_int_equal(bag.counts[2], 1);
    assert_int_equal(bag.counts[0], 1);
    bt_tally_remove_row(tally, 0); /* its pair (1, 2) is also that of row 1 */
    bag = bt_tally_known(tally, 0, 1, 1);
    assert_int_equal(bag.counts[2], 1);
    bt_tally_remove_row(tally, 1);
    bag = bt_tally_known(tally, 0, 1, 1);
    assert_int_equal(bag.size, 1);
    assert_int_equal(bag.counts[2], 0);
    bt_tally_free(tally);
    bt_people_release(&people);
}

static void without_rows_there_is_nobody(void **state)
{
    (void)state;
    bauta_error error;
    static const char *const text[] = {"x"};
    static const void *const codes[] = {""};
    static const unsigned widths[] = {1};
    const bt_sensitive column = {.name = "a", .size = 1, .text = text};
    bt_people people;
    bt_tally *tally;
    assert_ok(bt_people_make(&column, codes, widths, 1, 0, NULL, 0, &people, &error), &error);
    assert_int_equal(people.persons, 0);
    assert_int_equal(people.sensitive[0].counts[0], 0);
    assert_ok(bt_tally_new(&people, &tally, &error), &error);
    assert_int_equal(bt_tally_bag(tally, 0).distinct, 0);
    bt_tally_free(tally);
    bt_people_release(&people);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_distinct_combinations),
        cmocka_unit_test(the_table_is_counted),
        cmocka_unit_test(rows_come_and_go),
        cmocka_unit_test(whole_persons_come_and_go),
        cmocka_unit_test(profiles_come_and_go),
        cmocka_unit_test(a_person_is_counted_once),
        cmocka_unit_test(without_rows_there_is_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
