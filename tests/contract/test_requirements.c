/* SPDX-License-Identifier: Apache-2.0
 *
 * Every requirement keeps what its entry declares: the flags that pruning relies on are challenged
 * on random tables and random classes (a challenge can refute, not prove), alone and in
 * conjunctions, with several columns and with persons who have several records.
 */
#include "crowd.h"

#include "require/requirement.h"

#include <math.h>

#include <stdio.h>
#include <string.h>

enum { TABLES = 1500, CLASSES = 4 };

/* ---- instances with random values, near what the classes made here have ---- */

static size_t print_choice(const char *choices, uint64_t *random, char *out, size_t size)
{
    size_t count = 1;
    for (const char *p = choices; *p; p++)
        count += *p == '|';
    const char *start = choices;
    for (uint64_t skip = test_below(random, count); skip > 0; skip--)
        start = strchr(start, '|') + 1;
    return (size_t)snprintf(out, size, "%.*s", (int)strcspn(start, "|"), start);
}

static size_t print_value(const bt_param *param, uint64_t *random, char *out, size_t size)
{
    unsigned digit = (unsigned)test_below(random, 10);
    switch (param->type) {
    case BT_PARAM_INTEGER:
        return (size_t)snprintf(out, size, "%u",
                                1 + (unsigned)test_below(random, digit < 8 ? 4 : 20));
    case BT_PARAM_RATIONAL:
        if (param->maximum && strcmp(param->maximum, "1") == 0)
            return (size_t)snprintf(out, size, "%u/%u", 1 + digit, 11u);
        return (size_t)snprintf(out, size, "%u.%u", 1 + (unsigned)test_below(random, 4), 1 + digit);
    case BT_PARAM_CHOICE: return print_choice(param->choices, random, out, size);
    case BT_PARAM_TEXT: return (size_t)snprintf(out, size, "%s", digit < 5 ? "" : "v0");
    }
    return 0;
}

static size_t print_one(const bt_requirement *type, uint64_t *random, char *out, size_t size)
{
    size_t length = (size_t)snprintf(out, size, "%s=", type->name);
    for (size_t i = 0; i < type->param_count; i++) {
        if (i) length += (size_t)snprintf(out + length, size - length, ":");
        length += print_value(&type->params[i], random, out + length, size - length);
    }
    return length;
}

static const bt_requirement *entry(size_t number)
{
    return bt_requirement_registry[number % bt_requirement_registry_count];
}

/* One entry when `number` names it, else a conjunction of a few. */
static void print_text(size_t number, uint64_t *random, char *out, size_t size)
{
    size_t length = 0, first = (size_t)test_below(random, bt_requirement_registry_count);
    if (number < bt_requirement_registry_count) {
        print_one(entry(number), random, out, size);
        return;
    }
    for (size_t i = 0; i < 1 + number % 3; i++) {
        if (i) length += (size_t)snprintf(out + length, size - length, ",");
        length += print_one(entry(first + i), random, out + length, size - length);
    }
}

/* ---- a table, two classes, and requirements bound to it ---- */

typedef struct trial {
    crowd c;
    bt_requirements requirements;
    bt_people joined; /* the people, where a requirement asks who is only in a public table */
    uint32_t records; /* the other rows are */
    bt_tally *tally;
    crowd_class a, b, both;
} trial;

/* Some of the rows become persons of a public table. */
static const bt_people *people_of(trial *t, uint64_t *random)
{
    bauta_error error;
    uint32_t rows = t->records = t->c.shape.rows;
    t->joined = (bt_people){0};
    if (t->c.shape.subjects || !bt_requirements_public(&t->requirements)) return &t->c.people;
    t->records = (uint32_t)test_below(random, rows + 1);
    assert_ok(bt_people_joined(&t->c.people, t->records, NULL, rows, &t->joined, &error), &error);
    return &t->joined;
}

static void start(trial *t, crowd_shape shape, const char *text, uint64_t *random)
{
    bauta_error error;
    crowd_make(&t->c, shape, random);
    assert_ok(bt_requirements_parse(text, &t->c.arena, &t->requirements, &error), &error);
    t->requirements.joint = test_below(random, 2);
    const bt_people *people = people_of(t, random);
    assert_ok(bt_requirements_bind(&t->requirements, people, &t->c.arena, &error), &error);
    assert_ok(bt_tally_new(people, &t->tally, &error), &error);
}

static void finish(trial *t)
{
    bt_tally_free(t->tally);
    bt_people_release(&t->joined);
    crowd_release(&t->c);
}

/* Two classes without common rows, neither of them empty. */
static bool draw_classes(trial *t, uint64_t *random)
{
    uint32_t rows = t->c.shape.rows, in_a = 0, in_b = 0;
    t->a = crowd_draw(&t->c, 1, 2 + test_below(random, 2), random);
    t->b = crowd_draw(&t->c, 1, 2 + test_below(random, 2), random);
    for (uint32_t row = 0; row < rows; row++) {
        if (t->a.has[row]) t->b.has[row] = false;
        t->both.has[row] = t->a.has[row] || t->b.has[row];
        in_a += t->a.has[row];
        in_b += t->b.has[row];
    }
    return in_a > 0 && in_b > 0;
}

static bool holds(trial *t, const crowd_class *rows)
{
    crowd_tally(&t->c, rows, t->tally);
    return bt_requirements_check(&t->requirements, t->tally, NULL);
}

static crowd_shape random_shape(uint64_t *random, uint32_t columns, uint32_t subjects)
{
    return (crowd_shape){.rows = 2 + (uint32_t)test_below(random, 50),
                         .columns = columns,
                         .values = 2 + (uint32_t)test_below(random, 6),
                         .subjects = subjects,
                         .missing = test_below(random, 2)};
}

/* ---- the tests ---- */

static void required_parts_are_there(void **state)
{
    (void)state;
    assert_true(bt_requirement_registry_count > 0);
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        assert_non_null(type->check);
        assert_non_null(type->explain);
        assert_non_null(type->asks_nothing);
        assert_true(type->param_count >= 1); /* the value after '=' */
        assert_null(type->params[0].fallback);
        if (type->monotone_growing) assert_true(type->monotone_merging);
    }
}

/* What a flag allows has a counterexample when the flag is not set, so that none is false for
 * no reason: pruning would be slow where it could be fast. */
static void flags_of_each_entry(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        bool merging = true, growing = true, losing = true;
        uint64_t random = 21 + i;
        for (int table = 0; table < TABLES; table++) {
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 0), text, &random);
            for (int round = 0; round < CLASSES; round++) {
                if (!draw_classes(&t, &random)) continue;
                bool a = holds(&t, &t.a), b = holds(&t, &t.b), both = holds(&t, &t.both);
                if (a && b && !both) merging = false;
                if (a && !both) growing = false;
                if (both && !a) losing = false;
            }
            finish(&t);
        }
        if (merging != type->monotone_merging || growing != type->monotone_growing ||
            losing != type->monotone_suppression)
            fail_msg("'%s': merging %d, growing %d, suppression %d", type->name, merging, growing,
                     losing);
    }
}

/* The flags of a whole conjunction, with several columns, known values and persons that are in
 * both classes. */
static void flags_of_conjunctions(void **state)
{
    (void)state;
    size_t numbers = bt_requirement_registry_count + 6;
    int merged = 0, grown = 0;
    uint64_t random = 61;
    for (int table = 0; table < 4 * TABLES; table++) {
        trial t;
        char text[500];
        print_text((size_t)table % numbers, &random, text, sizeof text);
        uint32_t subjects = test_below(&random, 2) ? 5 + (uint32_t)test_below(&random, 20) : 0;
        start(&t, random_shape(&random, 1 + (uint32_t)test_below(&random, 3), subjects), text,
              &random);
        for (int round = 0; round < CLASSES; round++) {
            if (!draw_classes(&t, &random)) continue;
            bool a = holds(&t, &t.a), b = holds(&t, &t.b), both = holds(&t, &t.both);
            if (t.requirements.monotone_merging && a && b && !both)
                fail_msg("'%s' is not monotone under merging", text);
            if (t.requirements.monotone_growing && a && !both)
                fail_msg("'%s' is not monotone under growing", text);
            merged += t.requirements.monotone_merging && a && b;
            grown += t.requirements.monotone_growing && a;
        }
        finish(&t);
    }
    assert_true(merged > 500);
    assert_true(grown > 500);
}

/* size_only: from some size on the verdict is yes, and bt_requirements_least_size finds it. */
static void size_alone_decides_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 23;
        bt_arena arena = {0};
        for (int round = 0; round < 200 && type->size_only; round++) {
            bauta_error error;
            bt_requirements one;
            char text[500];
            print_text(i, &random, text, sizeof text);
            assert_ok(bt_requirements_parse(text, &arena, &one, &error), &error);
            assert_true(one.size_only);
            int64_t least = bt_requirements_least_size(&one);
            for (int64_t size = 1; size <= 100; size++) {
                bt_bag bag = {.size = size};
                assert_int_equal(type->check(&one.items[0], NULL, &bag), size >= least);
            }
        }
        bt_arena_release(&arena);
    }
}

/* occurrence_only: a class whose records are all there several times over has the same verdict,
 * and without the flag there is one that has not. */
static void occurrence_alone_decides_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        bool alone = true;
        uint64_t random = 26 + i;
        for (int table = 0; table < TABLES; table++) {
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1 + (uint32_t)test_below(&random, 2), 0), text,
                  &random);
            for (int round = 0; round < CLASSES; round++) {
                if (!draw_classes(&t, &random)) continue;
                bool before = holds(&t, &t.a);
                for (uint32_t row = 0; row < t.c.shape.rows; row++)
                    if (t.a.has[row])
                        bt_tally_add(t.tally, t.requirements.people->profile_of[row],
                                     (uint32_t)test_below(&random, 4));
                alone = alone && before == bt_requirements_check(&t.requirements, t.tally, NULL);
            }
            finish(&t);
        }
        if (alone != type->occurrence_only)
            fail_msg("'%s': numbers %s", type->name, alone ? "do not matter" : "matter");
    }
}

/* No class with one value alone satisfies what is declared to mix values. */
static void one_value_alone_is_refused_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        uint64_t random = 41 + i;
        for (int table = 0; table < TABLES; table++) {
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 0), text, &random);
            const bt_requirement_instance *item = &t.requirements.items[0];
            bool mixes = item->type->mixes && item->type->mixes(item);
            for (uint32_t row = 0; row < t.c.shape.rows && mixes; row++) {
                bt_tally_clear(t.tally);
                bt_tally_add(t.tally, t.requirements.people->profile_of[row], 10);
                if (bt_requirements_check(&t.requirements, t.tally, NULL))
                    fail_msg("'%s' lets a class agree in one value", text);
            }
            finish(&t);
        }
    }
}

/* ---- slack ---- */

/* One record of the class becomes one that is not in it. */
static bool replace_one(const trial *t, const crowd_class *class, crowd_class *out,
                        uint64_t *random)
{
    uint32_t rows = t->c.shape.rows, leaves = (uint32_t)test_below(random, rows),
             comes = (uint32_t)test_below(random, rows);
    *out = *class;
    if (!class->has[leaves] || class->has[comes]) return false;
    out->has[leaves] = false;
    out->has[comes] = true;
    return true;
}

static int64_t slack_of(trial *t, const crowd_class *rows)
{
    crowd_tally(&t->c, rows, t->tally);
    return bt_requirements_slack(&t->requirements, t->tally);
}

/* Where one record becomes another, slack moves by one at most, and it is not negative if and only
 * if the class satisfies. */
static void slack_moves_by_one_at_most(void **state)
{
    (void)state;
    size_t entries = bt_requirement_registry_count;
    for (size_t i = 0; i < entries + 6; i++) {
        uint64_t random = 31 + i;
        int moved = 0, some = 0;
        for (int table = 0; table < TABLES; table++) {
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            uint32_t columns = 1 + (uint32_t)test_below(&random, 2);
            uint32_t subjects = test_below(&random, 6) == 0 ? 20 : 0;
            start(&t, random_shape(&random, columns, subjects), text, &random);
            for (int round = 0; round < 4 * CLASSES; round++) {
                crowd_class other;
                if (bt_requirements_public(&t.requirements) || !draw_classes(&t, &random)) continue;
                if (!replace_one(&t, &t.a, &other, &random)) continue;
                int64_t before = slack_of(&t, &t.a), after = slack_of(&t, &other);
                assert_int_equal(before >= 0, holds(&t, &t.a));
                if (!subjects && (before - 1 > after || after - 1 > before))
                    fail_msg("'%s': slack moves from %lld to %lld", text, (long long)before,
                             (long long)after);
                moved += before != after;
                some += before > 0 && before < INT64_MAX;
            }
            finish(&t);
        }
        const bt_requirement *type = i < entries ? entry(i) : NULL;
        if (!type || !bt_is_about_values(type)) continue;
        if (moved < 50 || (type->slack && some < 50))
            fail_msg("'%s': %d moved, %d had some", type->name, moved, some);
    }
}

/* ---- what may be believed ---- */

/* What an entry leaves to be believed of each value; the table is that of the trial. */
static bt_ceiling ceiling_of(trial *t, double *share, double *table)
{
    bauta_error error;
    const bt_requirement_instance *item = &t->requirements.items[0];
    const bt_sensitive *column = &t->c.people.sensitive[0];
    bt_ceiling ceiling = {.values = column->size,
                          .text = column->text,
                          .table = table,
                          .share = share,
                          .gain = 2,
                          .set_gain = HUGE_VAL,
                          .moved = HUGE_VAL};
    for (uint32_t v = 0; v < column->size; v++) {
        share[v] = 1;
        table[v] = 0;
    }
    for (uint32_t row = 0; row < t->c.shape.rows; row++)
        table[t->c.columns[0].codes[row]] += 1 / (double)t->c.shape.rows;
    assert_ok(item->type->bound(item, &ceiling, &t->c.arena, &error), &error);
    return ceiling;
}

/* Whether some value of a class is believed with more than that, or all that gain together. */
static bool exceeds(const bt_ceiling *ceiling, const bt_bag *bag)
{
    double gained = 0;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint32_t v = bag->codes[i];
        double share = (double)bag->counts[v] / (double)bag->size;
        if (share > ceiling->share[v] + 1e-9 || share > ceiling->table[v] + ceiling->gain + 1e-9 ||
            share > 1 - ceiling->distinct / (double)bag->size + 1e-9)
            return true;
        gained += fmax(0, share - ceiling->table[v]);
    }
    return gained > ceiling->set_gain + 1e-9;
}

/* bound: no class that satisfies has a value with a larger share. Without it a class of one value
 * alone may satisfy. */
static void beliefs_stay_below_their_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        int judged = 0, alone = 0, lowered = 0;
        uint64_t random = 71 + i;
        for (int table = 0; table < TABLES; table++) {
            double share[CROWD_VALUES], shares[CROWD_VALUES];
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 0), text, &random);
            bt_ceiling ceiling = {0};
            if (type->bound) ceiling = ceiling_of(&t, share, shares);
            for (int round = 0; round < CLASSES; round++) {
                if (!draw_classes(&t, &random) || !holds(&t, &t.a)) continue;
                bt_bag bag = bt_tally_bag(t.tally, 0);
                alone += bag.distinct == 1;
                if (!type->bound) continue;
                judged++;
                lowered += ceiling.any;
                if (exceeds(&ceiling, &bag)) fail_msg("'%s' lets more be believed", text);
            }
            finish(&t);
        }
        if (type->bound) assert_true(judged > 100 && lowered > 50);
        if (!type->bound && alone == 0) fail_msg("'%s' declares no bound", type->name);
    }
}

/* bounds_persons: the same of shares of persons who have several values each; without it some class
 * has more, or nothing is bounded. */
static void shares_of_persons_are_bounded_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        bool exceeded = false;
        uint64_t random = 91 + i;
        for (int table = 0; table < TABLES && type->bound; table++) {
            double share[CROWD_VALUES], shares[CROWD_VALUES];
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 4 + (uint32_t)test_below(&random, 20)), text,
                  &random);
            bt_ceiling ceiling = ceiling_of(&t, share, shares);
            for (int round = 0; round < CLASSES; round++) {
                if (!draw_classes(&t, &random) || !holds(&t, &t.a)) continue;
                bt_bag bag = bt_tally_bag(t.tally, 0);
                exceeded |= exceeds(&ceiling, &bag);
            }
            finish(&t);
        }
        if (type->bounds_persons == (exceeded || !type->bound))
            fail_msg("'%s': of persons %s", type->name, exceeded ? "more" : "no more");
    }
}

static bool is_satisfied(const bt_requirement_instance *instance, const void *prepared,
                         const bt_bag *bag)
{
    (void)instance;
    (void)prepared;
    (void)bag;
    return true;
}

/* What looks beyond the release is not asked of a class. */
static void what_is_not_about_classes_is_not_bound(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    const bt_people people = bt_people_plain(10);
    bt_requirement type = {.name = "other", .size_only = true, .check = is_satisfied};
    bt_requirement_instance item = {.type = &type, .text = "other=1"};
    bt_requirements one = {.items = &item, .count = 1, .size_only = true};
    for (type.scope = BT_SCOPE_CLASS; type.scope <= BT_SCOPE_SEQUENCE; type.scope++)
        assert_int_equal(bt_requirements_bind(&one, &people, &arena, &error),
                         type.scope <= BT_SCOPE_RELEASE ? BAUTA_OK : BAUTA_INVALID);
    bt_arena_release(&arena);
}

/* ---- the rest of the table ---- */

/* The same requirements, bound to the records of class a alone. */
static bool holds_alone(trial *t, const char *text)
{
    bauta_error error;
    bt_people people, joined;
    bt_requirements requirements;
    bt_tally *tally;
    static uint8_t codes[CROWD_ROWS];
    const void *columns[] = {codes};
    static const unsigned widths[] = {1};
    uint32_t rows = 0, records = 0;
    bt_sensitive column = t->c.people.sensitive[0];
    column.published = true;
    for (uint32_t row = 0; row < t->c.shape.rows; row++) {
        if (!t->a.has[row]) continue;
        codes[rows++] = t->c.columns[0].codes[row];
        records += row < t->records;
    }
    assert_ok(bt_people_make(&column, columns, widths, 1, rows, NULL, 0, &people, &error), &error);
    assert_ok(bt_people_joined(&people, records, NULL, rows, &joined, &error), &error);
    assert_ok(bt_requirements_parse(text, &t->c.arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &joined, &t->c.arena, &error), &error);
    assert_ok(bt_tally_new(&joined, &tally, &error), &error);
    for (uint32_t row = 0; row < rows; row++)
        assert_ok(bt_tally_add_row(tally, row, &error), &error);
    bool found = bt_requirements_check(&requirements, tally, NULL);
    bt_tally_free(tally);
    bt_people_release(&joined);
    bt_people_release(&people);
    return found;
}

/* scope: where it is the class alone the verdict on a class is the same whatever else there is. */
static void the_rest_of_the_table_matters_where_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        bool matters = false;
        uint64_t random = 27 + i;
        for (int table = 0; table < TABLES; table++) {
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 0), text, &random);
            if (draw_classes(&t, &random))
                matters = matters || holds(&t, &t.a) != holds_alone(&t, text);
            finish(&t);
        }
        if (matters != (type->scope == BT_SCOPE_RELEASE))
            fail_msg("'%s': the table %s", type->name, matters ? "matters" : "does not matter");
    }
}

/* An entry with its first parameter at a bound, where there is one, or as good as any. */
static void print_bound(const bt_requirement *type, int which, uint64_t *random, char *out,
                        size_t size)
{
    const bt_param *first = &type->params[0];
    const char *bound = which == 0 ? first->minimum : which == 1 ? first->maximum : NULL;
    char any[200];
    print_one(type, random, any, sizeof any);
    const char *further = strchr(any, ':');
    if (bound)
        snprintf(out, size, "%s=%s%s", type->name, bound, further ? further : "");
    else
        snprintf(out, size, "%s", any);
}

/* Whether a class of some table does not satisfy. */
static bool has_counterexample(const char *text, uint64_t *random)
{
    bool found = false;
    for (int table = 0; table < TABLES && !found; table++) {
        trial t;
        start(&t, random_shape(random, 1, 0), text, random);
        for (int round = 0; round < CLASSES && !found; round++)
            found = draw_classes(&t, random) && !holds(&t, &t.a);
        finish(&t);
    }
    return found;
}

static bool can_be_bound(const char *text)
{
    bauta_error error;
    uint64_t random = 1;
    crowd c;
    bt_requirements requirements;
    crowd_make(&c, random_shape(&random, 1, 0), &random);
    assert_ok(bt_requirements_parse(text, &c.arena, &requirements, &error), &error);
    bool can = bt_requirements_bind(&requirements, &c.people, &c.arena, &error) == BAUTA_OK;
    crowd_release(&c);
    return can;
}

/* asks_nothing: every class satisfies. Without it there are parameters with a class that does not;
 * those near what asks for nothing may have none among these tables. */
static void nothing_is_asked_where_declared(void **state)
{
    (void)state;
    int nothing = 0;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 28 + i;
        int refuted = 0;
        for (int round = 0; round < 12; round++) {
            bauta_error error;
            bt_arena arena = {0};
            bt_requirements one;
            char text[500];
            print_bound(type, round % 3, &random, text, sizeof text);
            if (bt_requirements_parse(text, &arena, &one, &error) != BAUTA_OK) {
                bt_arena_release(&arena); /* a bound that a value must be above */
                continue;
            }
            bool asks_nothing = type->asks_nothing(&one.items[0]);
            assert_int_equal(bt_requirements_demanding(&one, &error),
                             asks_nothing ? BAUTA_INVALID : BAUTA_OK);
            bt_arena_release(&arena);
            nothing += asks_nothing;
            if (!can_be_bound(text) || !has_counterexample(text, &random)) continue;
            if (asks_nothing) fail_msg("'%s' asks for something", text);
            refuted++;
        }
        assert_true(refuted > 0);
    }
    assert_true(nothing > 0);
}

/* A bag that does not satisfy is explained in a hint, with a number; a table that does not is
 * refused by name. */
static void refusals_are_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const bt_requirement *type = bt_requirement_registry[i];
        uint64_t random = 24 + i;
        int explained = 0;
        for (int table = 0; table < TABLES; table++) {
            bauta_error error;
            trial t;
            char text[500];
            print_text(i, &random, text, sizeof text);
            start(&t, random_shape(&random, 1, 0), text, &random);
            const bt_requirement_instance *item = &t.requirements.items[0];
            crowd_class all = crowd_draw(&t.c, 1, 1, &random);
            bool satisfied = holds(&t, &all);
            bauta_status status = bt_requirements_feasible(&t.requirements, &error);
            assert_int_equal(status, satisfied ? BAUTA_OK : BAUTA_NO);
            if (!satisfied) {
                assert_non_null(strstr(error.message, item->text));
                assert_true(strpbrk(error.hint, "0123456789") != NULL);
            }
            if (draw_classes(&t, &random) && !holds(&t, &t.a)) {
                bt_bag bag =
                    type->most_records ? bt_tally_numbers(t.tally) : bt_tally_bag(t.tally, 0);
                error = (bauta_error){0};
                type->explain(item, item->prepared[0], &bag, &error);
                assert_true(strpbrk(error.hint, "0123456789") != NULL);
                explained++;
            }
            finish(&t);
        }
        assert_true(explained > 0);
    }
}

/* What is written into a manifest is read back as the same requirements. */
static void texts_are_canonical(void **state)
{
    (void)state;
    uint64_t random = 25;
    for (int round = 0; round < 500; round++) {
        bauta_error error;
        bt_arena arena = {0};
        bt_requirements first, second;
        char text[500], again[600];
        size_t length = 0;
        print_text(bt_requirement_registry_count + (size_t)round, &random, text, sizeof text);
        assert_ok(bt_requirements_parse(text, &arena, &first, &error), &error);
        for (size_t i = 0; i < first.count; i++)
            length += (size_t)snprintf(again + length, sizeof again - length, "%s%s", i ? "," : "",
                                       first.items[i].text);
        assert_ok(bt_requirements_parse(again, &arena, &second, &error), &error);
        assert_int_equal(first.count, second.count);
        for (size_t i = 0; i < first.count; i++) {
            assert_ptr_equal(first.items[i].type, second.items[i].type);
            assert_string_equal(first.items[i].text, second.items[i].text);
        }
        bt_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required_parts_are_there),
        cmocka_unit_test(flags_of_each_entry),
        cmocka_unit_test(flags_of_conjunctions),
        cmocka_unit_test(size_alone_decides_where_declared),
        cmocka_unit_test(slack_moves_by_one_at_most),
        cmocka_unit_test(one_value_alone_is_refused_where_declared),
        cmocka_unit_test(beliefs_stay_below_their_bounds),
        cmocka_unit_test(shares_of_persons_are_bounded_where_declared),
        cmocka_unit_test(what_is_not_about_classes_is_not_bound),
        cmocka_unit_test(occurrence_alone_decides_where_declared),
        cmocka_unit_test(the_rest_of_the_table_matters_where_declared),
        cmocka_unit_test(nothing_is_asked_where_declared),
        cmocka_unit_test(refusals_are_explained),
        cmocka_unit_test(texts_are_canonical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
