/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes that contain a point, against looking at every box: disjoint ones, as a method that divides
 * leaves them, evenly or not; overlapping ones; sides that are sets; empty ones.
 */
#include "../scratch.h"

#include "audit/boxes.h"

#include <string.h>

enum { COLUMNS = 3, POSITIONS = 600, BOXES = 3000, MEMBERS = 4, POINTS = 2000 };

typedef struct set_of_boxes {
    bt_side sides[COLUMNS][BOXES];
    uint32_t members[COLUMNS][BOXES][MEMBERS];
    uint32_t place[COLUMNS][BOXES];
    uint32_t count;
} set_of_boxes;

static set_of_boxes all;

static void add_box(const bt_side *box)
{
    for (int c = 0; c < COLUMNS; c++) {
        all.sides[c][all.count] = box[c];
        all.place[c][all.count] = all.count;
    }
    all.count++;
}

/* Divides the whole again and again; `uneven`: one part has about a thirtieth. */
static void make_disjoint(bool uneven, uint64_t *random)
{
    bt_side whole[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        whole[c] = (bt_side){.to = POSITIONS};
    all.count = 0;
    add_box(whole);
    for (int tries = 0; tries < 20 * BOXES && all.count < BOXES; tries++) {
        uint32_t box = (uint32_t)test_below(random, all.count);
        int column = (int)test_below(random, COLUMNS);
        bt_side parts[COLUMNS], *side = &all.sides[column][box];
        uint32_t width = side->to - side->from;
        if (width < 2) continue;
        uint32_t cut = side->from + (uneven ? 1 + width / 40 : width / 2);
        for (int c = 0; c < COLUMNS; c++)
            parts[c] = all.sides[c][box];
        parts[column].from = cut;
        side->to = cut;
        add_box(parts);
    }
}

static void make_overlapping(uint32_t widest, bool sets, uint64_t *random)
{
    all.count = 0;
    while (all.count < BOXES) {
        bt_side box[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            uint32_t from = (uint32_t)test_below(random, POSITIONS), at = from;
            uint32_t to = from + (uint32_t)test_below(random, widest);
            box[c] = (bt_side){.from = from, .to = to < POSITIONS ? to : POSITIONS};
            if (!sets || c > 0 || box[c].to - from < 2 * MEMBERS) continue;
            for (int i = 0; i < MEMBERS; i++, at += 1 + (uint32_t)test_below(random, 2))
                all.members[c][all.count][i] = at;
            box[c].members = all.members[c][all.count];
            box[c].count = MEMBERS;
        }
        add_box(box);
    }
}

static bool contains(uint32_t box, const uint32_t *point)
{
    for (int c = 0; c < COLUMNS; c++) {
        const bt_side *side = &all.sides[c][box];
        bool member = !side->members;
        if (point[c] < side->from || point[c] >= side->to) return false;
        for (uint32_t i = 0; side->members && i < side->count; i++)
            member = member || side->members[i] == point[c];
        if (!member) return false;
    }
    return true;
}

typedef struct findings {
    bool found[BOXES];
    uint32_t count;
} findings;

static bauta_status take(void *user, uint32_t box, bauta_error *error)
{
    findings *f = user;
    (void)error;
    assert_true(box < all.count && !f->found[box]);
    f->found[box] = true;
    f->count++;
    return BAUTA_OK;
}

static void compare(uint64_t *random, bool disjoint)
{
    static findings f;
    const bt_side *sides[COLUMNS];
    uint32_t *place[COLUMNS], positions[COLUMNS];
    bt_boxes *boxes;
    bauta_error error;
    for (int c = 0; c < COLUMNS; c++) {
        sides[c] = all.sides[c];
        place[c] = all.place[c];
        positions[c] = POSITIONS;
    }
    assert_ok(bt_boxes_new(sides, place, positions, COLUMNS, all.count, &boxes, &error), &error);
    for (int p = 0; p < POINTS; p++) {
        uint32_t point[COLUMNS];
        memset(&f, 0, sizeof f);
        for (int c = 0; c < COLUMNS; c++)
            point[c] = (uint32_t)test_below(random, POSITIONS);
        assert_ok(bt_boxes_at(boxes, point, take, &f, &error), &error);
        for (uint32_t box = 0; box < all.count; box++)
            assert_int_equal(f.found[box], contains(box, point));
        if (disjoint) assert_int_equal(f.count, 1);
    }
    bt_boxes_free(boxes);
}

static void disjoint_boxes(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int uneven = 0; uneven < 2; uneven++) {
        make_disjoint(uneven, &random);
        assert_true(all.count > BOXES / 2);
        compare(&random, true);
    }
}

static void overlapping_boxes(void **state)
{
    (void)state;
    uint64_t random = 6;
    static const uint32_t widest[] = {20, 150, POSITIONS};
    for (int i = 0; i < 3; i++) {
        make_overlapping(widest[i], false, &random);
        compare(&random, false);
        make_overlapping(widest[i], true, &random);
        compare(&random, false);
    }
}

/* All alike, so that no cut separates them. */
static void equal_boxes(void **state)
{
    (void)state;
    uint64_t random = 7;
    bt_side box[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        box[c] = (bt_side){.from = 100, .to = 400};
    all.count = 0;
    for (int i = 0; i < 200; i++)
        add_box(box);
    compare(&random, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disjoint_boxes),
        cmocka_unit_test(overlapping_boxes),
        cmocka_unit_test(equal_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
