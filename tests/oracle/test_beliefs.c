/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements of distributions against those of classes: a target satisfies if and only if a class
 * satisfies whose counts are in its proportions, in a table whose counts are in those of the
 * reference.
 */
#include "trees.h"

#include "require/targets.h"

#include <stdio.h>
#include <string.h>

enum { LEAVES = 6, ROWS_MOST = 100000 };

typedef struct sample {
    bt_arena arena;
    bt_target target, reference;
    uint32_t leaves;
    uint64_t shares[2][LEAVES]; /* of target and reference, over one total */
    uint64_t total;
    bt_sensitive column;
    const char *text[LEAVES];
    int64_t number[LEAVES];
} sample;

static bool sample_make(sample *s, uint64_t *random)
{
    static const char *const names[LEAVES] = {"1", "2", "3", "4", "5", "6"};
    bauta_error error = {0};
    tree_shape shape;
    bt_shares shares[2];
    *s = (sample){.leaves = 2 + (uint32_t)test_below(random, LEAVES - 1)};
    uint64_t heaviest = 1 + test_below(random, 4);
    tree_random(random, s->leaves, heaviest, &shape);
    tree_restore(&shape, s->leaves, true, &s->arena, &s->target);
    if (test_below(random, 3) > 0) tree_random(random, s->leaves, heaviest, &shape);
    tree_restore(&shape, s->leaves, true, &s->arena, &s->reference);
    const bt_target *both[] = {&s->target, &s->reference};
    assert_ok(bt_shares_make(both, 2, &s->arena, shares, &error), &error);
    s->total = shares[0].words > 3 ? UINT64_MAX : shares[0].total[0];
    for (uint32_t code = 0; code < s->leaves; code++) {
        for (int i = 0; i < 2; i++)
            s->shares[i][code] = *bt_share(&shares[i], code);
        s->text[code] = names[code];
        s->number[code] = code + 1;
    }
    s->column = (bt_sensitive){
        .name = "s", .size = s->leaves, .text = s->text, .type = BT_INTEGER, .number = s->number};
    return s->total <= ROWS_MOST;
}

static void random_requirement(uint64_t *random, char *out, size_t room)
{
    unsigned a = 1 + (unsigned)test_below(random, 8), b = a + (unsigned)test_below(random, 8);
    unsigned l = 1 + (unsigned)test_below(random, LEAVES);
    switch (test_below(random, 10)) {
    case 0: snprintf(out, room, "alpha=%u/%u", a, b); break;
    case 1: snprintf(out, room, "alpha=%u/%u:2|3", a, 2 * b); break;
    case 2: snprintf(out, room, "l=%u", l); break;
    case 3: snprintf(out, room, "p=%u", l); break;
    case 4: snprintf(out, room, "recursive-l=%u:%u/%u", l, 2 * a, b); break;
    case 5: snprintf(out, room, "entropy-l=%u.%u", 1 + l, a); break;
    case 6: snprintf(out, room, "t=%u/%u", a, 3 * b); break;
    case 7: snprintf(out, room, "beta=%u/%u", 2 * a, b); break;
    case 8: snprintf(out, room, "beta=%u/%u:enhanced", 4 * a, b); break;
    default: snprintf(out, room, "t=%u/%u:ordered", a, 4 * b); break;
    }
}

/* The table that the reference describes, record by record. */
static void make_table(const sample *s, bt_people *people)
{
    bauta_error error = {0};
    uint32_t *codes = malloc((size_t)s->total * sizeof *codes);
    assert_non_null(codes);
    int64_t rows = 0;
    for (uint32_t code = 0; code < s->leaves; code++)
        for (uint64_t i = 0; i < s->shares[1][code]; i++)
            codes[rows++] = code;
    assert_int_equal(rows, s->total);
    const void *const columns[] = {codes};
    const unsigned width = sizeof *codes;
    assert_ok(bt_people_make(&s->column, columns, &width, 1, rows, NULL, 0, people, &error),
              &error);
    free(codes);
}

static bool class_holds(const sample *s, const char *text)
{
    bauta_error error = {0};
    bt_arena arena = {0};
    bt_people people;
    bt_requirements requirements;
    uint32_t codes[LEAVES];
    uint64_t counts[LEAVES];
    bt_bag bag = {
        .size = (int64_t)s->total, .codes = codes, .counts = counts, .total = (int64_t)s->total};
    make_table(s, &people);
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    bag.of = &people.sensitive[0];
    for (uint32_t code = 0; code < s->leaves; code++) {
        counts[code] = (uint32_t)s->shares[0][code];
        if (counts[code] > 0) codes[bag.distinct++] = code;
    }
    const bt_requirement_instance *item = &requirements.items[0];
    bool holds = item->type->check(item, item->prepared[0], &bag);
    bt_people_release(&people);
    bt_arena_release(&arena);
    return holds;
}

static bool target_holds(const sample *s, const char *text)
{
    bauta_error error = {0};
    bt_arena arena = {0};
    bt_people people;
    bt_requirements requirements;
    bool holds;
    const bt_requirement_instance *failed;
    bt_requirements asked;
    assert_ok(bt_requirements_parse(text, &arena, &asked, &error), &error);
    assert_ok(bt_target_requirements(&asked, &s->column, &people, &arena, &requirements, &error),
              &error);
    assert_ok(bt_target_judge(&requirements, &s->target, &s->reference, &holds, &failed, &error),
              &error);
    assert_int_equal(failed == NULL, holds);
    bt_people_release(&people);
    bt_arena_release(&arena);
    return holds;
}

static void test_targets_are_classes(void **state)
{
    (void)state;
    uint64_t random = 1;
    int compared = 0, held = 0;
    for (int round = 0; round < 4000; round++) {
        sample s;
        char text[64];
        bool small = sample_make(&s, &random);
        random_requirement(&random, text, sizeof text);
        if (s.leaves < 3 && strchr(text, '|')) small = false; /* it lists the value 3 */
        if (small) {
            bool expected = class_holds(&s, text);
            if (target_holds(&s, text) != expected) fail_msg("%s: %d", text, expected);
            compared++;
            held += expected;
        }
        bt_arena_release(&s.arena);
    }
    assert_in_range(compared, 2000, 4000);
    assert_in_range(held, compared / 5, compared * 4 / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_targets_are_classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
