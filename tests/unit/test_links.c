/* SPDX-License-Identifier: Apache-2.0
 *
 * Two tables, written by hand, whose rows are right and whose orders or numbers are not: the audit
 * finds what links the one to the other, or both to the records, and nothing in random orders.
 */
#include "release_files.h"

enum { RECORDS = 240, SIZE = 6, LARGE = 30, VALUES = 4, FEW = 20 };

/* Record r has quasi value r, or FEW have one. Classes have SIZE records each, but the last, which
 * is LARGE; which records are in which class is random, and so are all orders as long as nothing is
 * done to them.
 */
typedef struct world {
    unsigned class_of[RECORDS]; /* from 0 */
    unsigned value[RECORDS];    /* of the sensitive column */
    unsigned number[RECORDS];   /* of classes, from 1 */
    unsigned quasi[RECORDS];    /* records in the order of the files */
    unsigned sensitive[RECORDS];
    unsigned classes;
    unsigned shared; /* records that have one quasi value */
} world;

static void shuffle(unsigned *items, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)test_below(random, i);
        unsigned kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}

/* Values of a class differ, or there are VALUES of them in all. */
static world make_world(uint64_t seed, bool alike)
{
    world w = {.classes = (RECORDS - LARGE) / SIZE + 1, .shared = 1};
    unsigned members[RECORDS];
    for (unsigned r = 0; r < RECORDS; r++)
        w.quasi[r] = w.sensitive[r] = members[r] = r;
    shuffle(members, RECORDS, &seed);
    for (unsigned i = 0; i < RECORDS; i++) {
        w.class_of[members[i]] = i < RECORDS - LARGE ? i / SIZE : w.classes - 1;
        w.value[members[i]] = alike ? (unsigned)test_below(&seed, VALUES) : i;
    }
    for (unsigned c = 0; c < w.classes; c++)
        w.number[c] = c + 1;
    shuffle(w.number, w.classes, &seed);
    shuffle(w.quasi, RECORDS, &seed);
    shuffle(w.sensitive, RECORDS, &seed);
    return w;
}

/* ---- what can be done to it -------------------------------------------------------------- */

/* The rows of a class get the order in which `from` has them; its places in the file stay. */
static void order_class(const world *w, unsigned *file, const unsigned *from, unsigned class_number)
{
    unsigned at = 0;
    for (unsigned i = 0; i < RECORDS; i++) {
        if (w->class_of[file[i]] != class_number) continue;
        while (w->class_of[from[at]] != class_number)
            at++;
        file[i] = from[at++];
    }
}

typedef enum fault {
    NONE,
    SAME_ORDER,
    ROTATED,
    REVERSED,
    SAME_CLASSES, /* in step by their classes, but not by records */
    IN_STEP,
    STEP_BACK,
    QUASI_IN_ORDER,
    QUASI_ROTATED,
    VALUES_IN_ORDER,
    CLASS_IN_ORDER,
    CLASSES_IN_ORDER,
    QUASI_CLASS_IN_ORDER,
    NUMBERS_OF_ROWS,
    NUMBERS_OF_RECORDS,
    FAULTS
} fault;

static void number_classes(world *w, const unsigned *file)
{
    unsigned next = 1;
    memset(w->number, 0, sizeof w->number);
    for (unsigned i = 0; i < RECORDS; i++)
        if (w->number[w->class_of[file[i]]] == 0) w->number[w->class_of[file[i]]] = next++;
}

static void corrupt(world *w, fault how)
{
    unsigned input[RECORDS], back[RECORDS];
    for (unsigned i = 0; i < RECORDS; i++) {
        input[i] = i;
        back[i] = w->quasi[RECORDS - 1 - i];
    }
    for (unsigned i = 0; i < RECORDS; i++) {
        if (how == SAME_ORDER || how == SAME_CLASSES) w->sensitive[i] = w->quasi[i];
        if (how == ROTATED) w->sensitive[i] = w->quasi[(i + 1) % RECORDS];
        if (how == REVERSED) w->sensitive[i] = back[i];
        if (how == QUASI_IN_ORDER) w->quasi[i] = i;
        if (how == QUASI_ROTATED) w->quasi[i] = (i + 100) % RECORDS;
        if (how == VALUES_IN_ORDER) w->sensitive[i] = i;
    }
    uint64_t random = 5;
    for (unsigned c = 0; c < w->classes; c++) {
        unsigned mixed[RECORDS];
        memcpy(mixed, input, sizeof mixed);
        shuffle(mixed, RECORDS, &random);
        if (how == SAME_CLASSES) order_class(w, w->sensitive, mixed, c);
        if (how == IN_STEP) order_class(w, w->sensitive, w->quasi, c);
        if (how == STEP_BACK) order_class(w, w->sensitive, back, c);
        if (how == CLASSES_IN_ORDER || (how == CLASS_IN_ORDER && c == w->classes - 1))
            order_class(w, w->sensitive, input, c);
        if (how == QUASI_CLASS_IN_ORDER && c == w->classes - 1) order_class(w, w->quasi, input, c);
    }
    if (how == NUMBERS_OF_ROWS) number_classes(w, w->sensitive);
    if (how == NUMBERS_OF_RECORDS) number_classes(w, input);
}

/* ---- the audit --------------------------------------------------------------------------- */

static const char *write_world(const world *w, bool join)
{
    static const char columns[] = TEST_QUASI_INTEGER("number") "," TEST_SENSITIVE("illness");
    bt_buffer quasi = {0}, sensitive = {0}, original = {0};
    bauta_error error;
    const char *unit = join ? "sensitive_group" : "class";
    assert_ok(bt_buffer_print(&quasi, &error, "number,%s\n", unit), &error);
    assert_ok(bt_buffer_print(&sensitive, &error, "%s,illness\n", unit), &error);
    assert_ok(bt_buffer_print(&original, &error, "number,illness\n"), &error);
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned q = w->quasi[i], s = w->sensitive[i];
        assert_ok(
            bt_buffer_print(&quasi, &error, "%u,%u\n", q / w->shared, w->number[w->class_of[q]]),
            &error);
        assert_ok(
            bt_buffer_print(&sensitive, &error, "%u,v%u\n", w->number[w->class_of[s]], w->value[s]),
            &error);
        assert_ok(bt_buffer_print(&original, &error, "%u,v%u\n", i / w->shared, w->value[i]),
                  &error);
    }
    assert_ok(bt_buffer_add(&quasi, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&sensitive, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&original, "", 1, &error), &error);
    const test_release files = {.columns = columns,
                                .promises = "{\"name\":\"k\",\"value\":\"2\"}",
                                .quasi = join ? NULL : quasi.bytes,
                                .data = join ? quasi.bytes : NULL,
                                .join = join ? "refine" : NULL,
                                .sensitive = sensitive.bytes};
    scratch_text("original.csv", original.bytes);
    const char *folder = test_release_write(join ? "joined" : "linked", &files);
    bt_buffer_release(&quasi);
    bt_buffer_release(&sensitive);
    bt_buffer_release(&original);
    return folder;
}

/* The verdict on a promise; with the original beside the release or not. */
static int audit(const char *folder, bool original, const char *promise, bool *holds)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_recipe *recipe = test_original(original ? scratch_name("original.csv") : NULL, "2");
    bauta_status status = bauta_audit(folder, recipe, &report, &error);
    if (!report) fail_msg("%d: %s", status, error.message);
    *holds = status == BAUTA_OK;
    int verdict = test_verdict(report->facts.root, promise);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return verdict;
}

/* By what each fault is found; `alone`: without the original. */
static const struct {
    const char *promise;
    bool alone;
} found[FAULTS] = {
    [SAME_ORDER] = {"order", true},
    [ROTATED] = {"order", true},
    [REVERSED] = {"order", true},
    [SAME_CLASSES] = {"order", true},
    [IN_STEP] = {"original order", false},
    [STEP_BACK] = {"original order", false},
    [QUASI_IN_ORDER] = {"order", true},
    [QUASI_ROTATED] = {"original order", false},
    [VALUES_IN_ORDER] = {"original order", false},
    [CLASS_IN_ORDER] = {"original order", false},
    [CLASSES_IN_ORDER] = {"original order", false},
    [QUASI_CLASS_IN_ORDER] = {"original order", false},
    [NUMBERS_OF_ROWS] = {"class numbers", true},
    [NUMBERS_OF_RECORDS] = {"original order", false},
};

static void expect_found(bool alike)
{
    for (fault how = NONE + 1; how < FAULTS; how++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            bool holds;
            world w = make_world(seed, alike);
            corrupt(&w, how);
            const char *folder = write_world(&w, false);
            int alone = audit(folder, false, found[how].promise, &holds);
            if (holds == found[how].alone) fail_msg("fault %d, seed %d: alone", how, (int)seed);
            if (found[how].alone && alone != 0) fail_msg("fault %d: another promise", how);
            if (audit(folder, true, found[how].promise, &holds) != 0 || holds)
                fail_msg("fault %d, seed %d: with the original", how, (int)seed);
        }
}

static void what_links_rows_is_found(void **state)
{
    (void)state;
    expect_found(false);
}

/* Orders are found also where most rows of a class are like others of it. */
static void rows_alike_hide_nothing(void **state)
{
    (void)state;
    expect_found(true);
}

static void random_orders_hold(void **state)
{
    (void)state;
    static const char *const told[] = {"order", "class numbers", "original order"};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bool holds;
        world w = make_world(seed, seed % 2);
        const char *folder = write_world(&w, false);
        for (size_t i = 0; i < sizeof told / sizeof *told; i++)
            if (audit(folder, true, told[i], &holds) != 1 || !holds)
                fail_msg("%s, seed %d", told[i], (int)seed);
    }
}

/* Whoever attacks looks for the same, by the same code. */
static void the_attack_finds_what_the_audit_finds(void **state)
{
    (void)state;
    static const char *const arguments[] = {"attack=position"};
    for (fault how = NONE; how < FAULTS; how++)
        for (int alike = 0; alike < 2; alike++) {
            bauta_error error;
            world w = make_world(4, alike);
            corrupt(&w, how);
            const char *folder = write_world(&w, false);
            bauta_recipe *recipe = test_original(scratch_name("original.csv"), "2");
            bauta_status status = bauta_attack(folder, recipe, arguments, 1, NULL, &error);
            if (status != (how == NONE ? BAUTA_OK : BAUTA_NO))
                fail_msg("fault %d: %d, %s", how, status, error.message);
            bauta_recipe_free(recipe);
        }
}

/* Classes of three quasi values that FEW records have each, with every sensitive value: no row is
 * known to be anyone's, and any row fits. Rows of a class in step are the records all the same. */
static void records_alike_in_step_are_found(void **state)
{
    (void)state;
    static const fault hows[] = {NONE, IN_STEP, STEP_BACK};
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            bool holds;
            world w = make_world(seed, true);
            w.shared = FEW;
            w.classes = RECORDS / (3 * FEW);
            for (unsigned r = 0; r < RECORDS; r++)
                w.class_of[r] = r / (3 * FEW);
            for (unsigned c = 0; c < w.classes; c++)
                w.number[c] = (unsigned)(c + seed) % w.classes + 1;
            corrupt(&w, hows[i]);
            int verdict = audit(write_world(&w, false), true, "original order", &holds);
            if ((verdict == 0) != (hows[i] != NONE))
                fail_msg("fault %d, seed %d: %d", hows[i], (int)seed, verdict);
        }
}

/* A join of data.csv and sensitive.csv in which all are records. */
static void rows_of_a_join_in_step_are_found(void **state)
{
    (void)state;
    static const fault hows[] = {NONE, IN_STEP, STEP_BACK};
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            bool holds;
            world w = make_world(seed, seed % 2);
            corrupt(&w, hows[i]);
            int verdict = audit(write_world(&w, true), true, "original order", &holds);
            if ((verdict == 0) != (hows[i] != NONE))
                fail_msg("fault %d, seed %d: %d", hows[i], (int)seed, verdict);
        }
}

/* A join with public rows: three persons in each box, two boxes in each sensitive group; the first
 * person of a box is a record of the original, and of some the second. */
enum { PERSONS = 1800, BOX = 3 };

typedef struct town {
    unsigned box_of[PERSONS], group_of[PERSONS / BOX], value[PERSONS];
    bool is_record[PERSONS];
    unsigned data[PERSONS], sensitive[PERSONS]; /* persons in the order of the files */
    unsigned records;
} town;

typedef enum town_fault {
    TOWN_HONEST,
    TOWN_FOLLOWS_DATA, /* sensitive.csv has the order of data.csv */
    TOWN_FOLLOWS_BACK,
    TOWN_GROUPS_FOLLOW,  /* the rows of each group have that order by themselves */
    TOWN_DATA_FOLLOWS,   /* data.csv has the order of the original */
    TOWN_DATA_ROTATED,   /* data.csv has it rotated */
    TOWN_VALUES_FOLLOW,  /* sensitive.csv has the order of the original */
    TOWN_VALUES_ROTATED, /* sensitive.csv has it rotated */
    TOWN_FAULTS
} town_fault;

static void order_values(town *t, town_fault how)
{
    unsigned at = 0;
    for (unsigned i = 0; i < PERSONS; i++) {
        unsigned p = how == TOWN_FOLLOWS_BACK ? t->data[PERSONS - 1 - i] : t->data[i];
        if (how == TOWN_VALUES_FOLLOW) p = i;
        if (how == TOWN_VALUES_ROTATED) p = (i + PERSONS / 5) % PERSONS;
        if (t->is_record[p]) t->sensitive[at++] = p;
    }
}

static void order_groups(town *t)
{
    for (unsigned g = 0; g < PERSONS / BOX / 2; g++) {
        unsigned at = 0;
        for (unsigned i = 0; i < t->records; i++) {
            if (t->group_of[t->box_of[t->sensitive[i]]] != g) continue;
            while (t->group_of[t->box_of[t->data[at]]] != g || !t->is_record[t->data[at]])
                at++;
            t->sensitive[i] = t->data[at++];
        }
    }
}

static void make_town(town *t, uint64_t random, town_fault how)
{
    unsigned boxes[PERSONS / BOX], seen[PERSONS / BOX] = {0};
    *t = (town){0};
    for (unsigned p = 0; p < PERSONS; p++)
        t->box_of[p] = p / BOX;
    shuffle(t->box_of, PERSONS, &random);
    for (unsigned b = 0; b < PERSONS / BOX; b++)
        boxes[b] = b;
    shuffle(boxes, PERSONS / BOX, &random);
    for (unsigned b = 0; b < PERSONS / BOX; b++)
        t->group_of[boxes[b]] = b / 2;
    for (unsigned p = 0; p < PERSONS; p++) {
        unsigned before = seen[t->box_of[p]]++;
        t->is_record[p] = before == 0 || (before == 1 && test_below(&random, 2));
        t->value[p] = (unsigned)test_below(&random, PERSONS);
        t->data[p] = p;
        if (t->is_record[p]) t->sensitive[t->records++] = p;
    }
    shuffle(t->data, PERSONS, &random);
    shuffle(t->sensitive, t->records, &random);
    for (unsigned p = 0; p < PERSONS && how >= TOWN_DATA_FOLLOWS && how <= TOWN_DATA_ROTATED; p++)
        t->data[p] = (p + (how == TOWN_DATA_ROTATED ? PERSONS / 5 : 0)) % PERSONS;
    if (how == TOWN_FOLLOWS_DATA || how == TOWN_FOLLOWS_BACK || how >= TOWN_VALUES_FOLLOW)
        order_values(t, how);
    if (how == TOWN_GROUPS_FOLLOW) order_groups(t);
}

static const char *write_town(const town *t)
{
    static const char columns[] = TEST_QUASI_INTEGER("number") "," TEST_SENSITIVE("illness");
    bt_buffer data = {0}, sensitive = {0}, original = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&data, &error, "number,sensitive_group\n"), &error);
    assert_ok(bt_buffer_print(&sensitive, &error, "sensitive_group,illness\n"), &error);
    assert_ok(bt_buffer_print(&original, &error, "number,illness\n"), &error);
    for (unsigned i = 0; i < PERSONS; i++) {
        unsigned box = t->box_of[t->data[i]],
                 group = (t->group_of[box] * 7 + 3) % (PERSONS / BOX / 2);
        assert_ok(bt_buffer_print(&data, &error, "%u,%u\n", box, group + 1), &error);
        if (t->is_record[i])
            assert_ok(bt_buffer_print(&original, &error, "%u,v%u\n", t->box_of[i], t->value[i]),
                      &error);
    }
    for (unsigned i = 0; i < t->records; i++) {
        unsigned p = t->sensitive[i],
                 group = (t->group_of[t->box_of[p]] * 7 + 3) % (PERSONS / BOX / 2);
        assert_ok(bt_buffer_print(&sensitive, &error, "%u,v%u\n", group + 1, t->value[p]), &error);
    }
    assert_ok(bt_buffer_add(&data, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&sensitive, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&original, "", 1, &error), &error);
    const test_release files = {.columns = columns,
                                .promises = "{\"name\":\"k\",\"value\":\"2\"}",
                                .data = data.bytes,
                                .join = "refine",
                                .sensitive = sensitive.bytes};
    scratch_text("original.csv", original.bytes);
    const char *folder = test_release_write("town", &files);
    bt_buffer_release(&data);
    bt_buffer_release(&sensitive);
    bt_buffer_release(&original);
    return folder;
}

static void orders_of_a_join_with_public_rows_between_are_found(void **state)
{
    (void)state;
    static const char *const arguments[] = {"attack=position"};
    for (town_fault how = TOWN_HONEST; how < TOWN_FAULTS; how++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            static town t;
            bool holds, alone = how == TOWN_FOLLOWS_DATA || how == TOWN_FOLLOWS_BACK;
            bauta_error error;
            make_town(&t, seed, how);
            const char *folder = write_town(&t);
            if ((audit(folder, false, "order", &holds) == 0) != alone)
                fail_msg("fault %d, seed %d: alone", how, (int)seed);
            int verdict = audit(folder, true, alone ? "order" : "original order", &holds);
            if (verdict != (how == TOWN_HONEST))
                fail_msg("fault %d, seed %d: %d", how, (int)seed, verdict);
            bauta_recipe *recipe = test_original(scratch_name("original.csv"), "2");
            bauta_status status = bauta_attack(folder, recipe, arguments, 1, NULL, &error);
            if (status != (how == TOWN_HONEST ? BAUTA_OK : BAUTA_NO))
                fail_msg("attack, fault %d: %d, %s", how, status, error.message);
            bauta_recipe_free(recipe);
        }
}

/* One table: its rows in the order of a column, class by class, or as they should be. */
static void rows_that_were_not_shuffled_are_found(void **state)
{
    (void)state;
    enum { ROWS = 800 };
    static const char columns[] = TEST_QUASI_INTEGER("number") "," TEST_SENSITIVE("illness");
    for (int how = 0; how < 3; how++) {
        bt_buffer text = {0};
        bauta_error error;
        unsigned rows[ROWS], classes[ROWS / 4];
        uint64_t random = 3;
        bool holds;
        for (unsigned i = 0; i < ROWS; i++)
            rows[i] = i;
        for (unsigned c = 0; c < ROWS / 4; c++)
            classes[c] = c;
        shuffle(classes, ROWS / 4, &random);
        if (how == 0) shuffle(rows, ROWS, &random);
        assert_ok(bt_buffer_print(&text, &error, "number,illness\n"), &error);
        for (unsigned i = 0; i < ROWS; i++) {
            unsigned number = how == 2 ? classes[rows[i] / 4] : rows[i] / 4;
            assert_ok(bt_buffer_print(&text, &error, "\"[%u,%u]\",v%u\n", number * 10,
                                      number * 10 + 5, (unsigned)test_below(&random, 9)),
                      &error);
        }
        assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
        const test_release release = {
            .columns = columns, .promises = "{\"name\":\"k\",\"value\":\"2\"}", .data = text.bytes};
        int verdict = audit(test_release_write("shuffled", &release), false, "order", &holds);
        assert_int_equal(holds, how == 0);
        assert_int_equal(verdict, how == 0 ? -2 : 0);
        bt_buffer_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_links_rows_is_found),
        cmocka_unit_test(rows_alike_hide_nothing),
        cmocka_unit_test(random_orders_hold),
        cmocka_unit_test(the_attack_finds_what_the_audit_finds),
        cmocka_unit_test(records_alike_in_step_are_found),
        cmocka_unit_test(rows_of_a_join_in_step_are_found),
        cmocka_unit_test(orders_of_a_join_with_public_rows_between_are_found),
        cmocka_unit_test(rows_that_were_not_shuffled_are_found),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
