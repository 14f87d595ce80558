/* SPDX-License-Identifier: Apache-2.0
 *
 * Groupings against naive twins on random tables: which classes look alike and are united, the
 * loss of a cell, and the scores of a grouping. The twins look at every record by itself.
 */
#include "../support.h"

#include "base/run.h"
#include "class/grouping.h"
#include "class/loss.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = 80, COLUMNS_MOST = 3, VALUES_MOST = 14 };

static bt_run run;

static int open_run(void **unused)
{
    (void)unused;
    return bt_pool_new(2, &run.pool, NULL) == BAUTA_OK ? 0 : -1;
}

static int close_run(void **unused)
{
    (void)unused;
    bt_pool_free(run.pool);
    return 0;
}

/* ---- random tables ---- */

typedef struct world {
    bt_arena arena;
    bt_column columns[COLUMNS_MOST];
    const bt_column *quasi[COLUMNS_MOST];
    size_t count;
    int rows;
    uint32_t codes[COLUMNS_MOST][ROWS_MOST];
    int class_of[ROWS_MOST]; /* -1: suppressed */
    int classes;
} world;

/* A column of some distinct values: text or whole numbers, maybe with the missing one, maybe with
 * a hierarchy. */
static void make_column(uint64_t *state, bt_arena *arena, bt_column *column)
{
    static const char *const specs[] = {NULL, NULL, "balanced:2", "balanced:3", "flat", "mask"};
    static const bt_missing no_tokens = {0};
    char texts[VALUES_MOST][8];
    const char *text[VALUES_MOST];
    uint32_t length[VALUES_MOST], code_of[VALUES_MOST], relaid[VALUES_MOST];
    int64_t rows[VALUES_MOST];
    bool numbers = test_below(state, 2), gaps = test_below(state, 3) == 0;
    bt_values values = {1 + (uint32_t)test_below(state, VALUES_MOST), text, length, rows};
    const bt_domain_options options = {.missing = &no_tokens, .column = "c"};
    bt_hierarchy_source source = {.spec = specs[test_below(state, numbers ? 5 : 6)]};
    bt_hierarchy *hierarchy = NULL;
    bauta_error error;
    for (uint32_t i = 0; i < values.count; i++) {
        if (gaps && i == 0)
            texts[i][0] = '\0';
        else if (numbers)
            snprintf(texts[i], sizeof texts[i], "%d", (int)(i * i) - 20);
        else
            snprintf(texts[i], sizeof texts[i], "%c%c", 'a' + (int)(i / 4), 'a' + (int)(i % 4));
        text[i] = texts[i];
        length[i] = (uint32_t)strlen(texts[i]);
        rows[i] = 1 + (int64_t)test_below(state, 5);
    }
    *column = (bt_column){.name = "c", .role = BT_ROLE_QUASI};
    assert_ok(bt_domain_build(&values, &options, arena, &column->domain, code_of, &error), &error);
    if (source.spec)
        assert_ok(
            bt_hierarchy_build(&source, "c", &column->domain, relaid, arena, &hierarchy, &error),
            &error);
    column->hierarchy = hierarchy;
    column->width = bt_code_width(column->domain.size);
}

static void make_world(uint64_t *state, world *w)
{
    *w = (world){.count = 1 + (size_t)test_below(state, COLUMNS_MOST),
                 .rows = 1 + (int)test_below(state, ROWS_MOST)};
    for (size_t c = 0; c < w->count; c++) {
        bt_column *column = &w->columns[c];
        make_column(state, &w->arena, column);
        uint8_t *codes = bt_arena_array(&w->arena, (size_t)w->rows, 1);
        for (int row = 0; row < w->rows; row++)
            w->codes[c][row] = codes[row] = (uint8_t)test_below(state, column->domain.size);
        column->codes = codes;
        w->quasi[c] = column;
    }
    /* Every class has a record: some rows found theirs, the others join or are suppressed. */
    w->classes = 1 + (int)test_below(state, (uint64_t)w->rows);
    for (int row = 0; row < w->rows; row++)
        w->class_of[row] =
            row < w->classes ? row : (int)test_below(state, (uint64_t)w->classes + 1) - 1;
}

static bt_box box_of(const world *w, size_t column, int number)
{
    bt_box box = {UINT32_MAX, 0};
    for (int row = 0; row < w->rows; row++) {
        if (w->class_of[row] != number) continue;
        uint32_t code = w->codes[column][row];
        if (code < box.lo) box.lo = code;
        if (code > box.hi) box.hi = code;
    }
    return box;
}

static void make_grouping(const world *w, bt_grouping *out)
{
    *out = (bt_grouping){.rows = w->rows, .classes = (uint32_t)w->classes, .columns = w->count};
    out->order = bt_array((size_t)w->rows, sizeof *out->order);
    out->starts = bt_array((size_t)w->classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)w->classes * w->count, sizeof *out->boxes);
    assert_true(out->order && out->starts && out->boxes);
    for (int i = 0; i < w->classes; i++) {
        out->starts[i] = (uint32_t)out->kept;
        for (int row = 0; row < w->rows; row++)
            if (w->class_of[row] == i) out->order[out->kept++] = (uint32_t)row;
        for (size_t c = 0; c < w->count; c++)
            out->boxes[(size_t)i * w->count + c] = box_of(w, c, i);
    }
    out->starts[w->classes] = (uint32_t)out->kept;
}

/* The fewest leaves of a node over lo..hi, and the level of the lowest such node. */
static uint32_t leaves_over(const bt_hierarchy *tree, bt_box box, uint32_t *level)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t n = 0; n < tree->count; n++) {
        const bt_node *node = &tree->nodes[n];
        uint32_t leaves = node->hi - node->lo;
        if (node->lo > box.lo || node->hi <= box.hi || leaves > least) continue;
        if (leaves < least || node->level < *level) *level = node->level;
        least = leaves;
    }
    return least;
}

static bool is_mixed(const bt_column *column, bt_box box)
{
    return column->domain.has_missing && box.lo != box.hi && box.hi == column->domain.size - 1;
}

/* ---- uniting ---- */

/* Whether the boxes of a column are published alike. */
static bool look_alike(const bt_column *column, bt_box a, bt_box b)
{
    bool mixed = is_mixed(column, a), other_mixed = is_mixed(column, b);
    if (!column->hierarchy) return (mixed && other_mixed) || (a.lo == b.lo && a.hi == b.hi);
    /* The same node: as many leaves and level as the lowest over both together. */
    bt_box both = {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    uint32_t level_a = 0, level_b = 0, level = 0;
    uint32_t of_a = leaves_over(column->hierarchy, a, &level_a);
    uint32_t of_b = leaves_over(column->hierarchy, b, &level_b);
    uint32_t of_both = leaves_over(column->hierarchy, both, &level);
    return of_a == of_both && of_b == of_both && level_a == level && level_b == level;
}

static bool classes_look_alike(const world *w, int a, int b)
{
    for (size_t c = 0; c < w->count; c++)
        if (!look_alike(&w->columns[c], box_of(w, c, a), box_of(w, c, b))) return false;
    return true;
}

/* Each class joins the first that looks like it; the numbers that are left close up. */
static void unite(world *w)
{
    int target[ROWS_MOST], number[ROWS_MOST], count = 0;
    for (int i = 0; i < w->classes; i++) {
        target[i] = 0;
        while (!classes_look_alike(w, target[i], i))
            target[i]++;
    }
    for (int i = 0; i < w->classes; i++)
        number[i] = target[i] == i ? count++ : number[target[i]];
    for (int row = 0; row < w->rows; row++)
        if (w->class_of[row] >= 0) w->class_of[row] = number[w->class_of[row]];
    w->classes = count;
}

static void assert_same_grouping(const bt_grouping *a, const bt_grouping *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->kept, b->kept);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->columns, b->columns);
    assert_memory_equal(a->starts, b->starts, (a->classes + 1) * sizeof *a->starts);
    assert_memory_equal(a->order, b->order, (size_t)a->kept * sizeof *a->order);
    assert_memory_equal(a->boxes, b->boxes, a->classes * a->columns * sizeof *a->boxes);
}

static void uniting_against_its_twin(void **unused)
{
    (void)unused;
    uint64_t state = 20250101;
    int changed = 0, kept = 0;
    for (int i = 0; i < 3000; i++) {
        world w;
        bt_grouping grouping, expected;
        bauta_error error;
        make_world(&state, &w);
        make_grouping(&w, &grouping);
        int before = w.classes;
        unite(&w);
        make_grouping(&w, &expected);
        assert_ok(bt_grouping_unite(&grouping, w.quasi, &run, &error), &error);
        assert_same_grouping(&grouping, &expected);
        changed += w.classes < before;
        kept += w.classes > 1;
        /* Nothing is left to unite. */
        assert_ok(bt_grouping_unite(&grouping, w.quasi, &run, &error), &error);
        assert_same_grouping(&grouping, &expected);
        bt_grouping_release(&grouping);
        bt_grouping_release(&expected);
        bt_arena_release(&w.arena);
    }
    assert_true(changed > 500);
    assert_true(kept > 500);
}

/* More classes than one task looks at: each has two records, and joins all under the same node. */
static void many_classes(void **unused)
{
    (void)unused;
    enum { CLASSES = 10000, VALUES = 14 };
    uint64_t state = 3;
    bt_arena arena = {0};
    bt_column column;
    const bt_column *quasi[] = {&column};
    bauta_error error;
    do {
        bt_arena_release(&arena);
        make_column(&state, &arena, &column);
    } while (!column.hierarchy || column.hierarchy->levels < 3 || column.domain.size < VALUES);
    uint8_t *codes = bt_array(2 * CLASSES, 1);
    bt_grouping grouping = {
        .rows = 2 * CLASSES, .kept = 2 * CLASSES, .classes = CLASSES, .columns = 1};
    grouping.order = bt_array(2 * CLASSES, sizeof *grouping.order);
    grouping.starts = bt_array(CLASSES + 1, sizeof *grouping.starts);
    grouping.boxes = bt_array(CLASSES, sizeof *grouping.boxes);
    for (uint32_t row = 0; row < 2 * CLASSES; row++) {
        codes[row] = (uint8_t)test_below(&state, VALUES);
        grouping.order[row] = row;
        grouping.starts[row / 2] = row / 2 * 2;
    }
    grouping.starts[CLASSES] = 2 * CLASSES;
    for (uint32_t i = 0; i < CLASSES; i++) {
        uint8_t a = codes[2 * i], b = codes[2 * i + 1];
        grouping.boxes[i] = a < b ? (bt_box){a, b} : (bt_box){b, a};
    }
    assert_ok(bt_grouping_unite(&grouping, quasi, &run, &error), &error);
    assert_in_range(grouping.classes, 2, column.hierarchy->count);
    assert_int_equal(grouping.starts[grouping.classes], 2 * CLASSES);
    for (uint32_t i = 0; i < grouping.classes; i++)
        for (uint32_t at = grouping.starts[i]; at < grouping.starts[i + 1]; at++) {
            uint32_t row = grouping.order[at], first = row / 2 * 2;
            bt_box box = {codes[first], codes[first + 1]};
            if (box.lo > box.hi) box = (bt_box){box.hi, box.lo};
            assert_true(look_alike(&column, box, grouping.boxes[i]));
            assert_true(at == grouping.starts[i] || row > grouping.order[at - 1]);
        }
    free(codes);
    bt_grouping_release(&grouping);
    bt_arena_release(&arena);
}

static void no_classes(void **unused)
{
    (void)unused;
    bt_grouping grouping = {.rows = 3, .columns = 1};
    bt_column column = {.domain = {.size = 2}};
    const bt_column *quasi[] = {&column};
    bauta_error error;
    assert_ok(bt_grouping_unite(&grouping, quasi, &run, &error), &error);
    assert_int_equal(grouping.classes, 0);
    bt_grouping_release(&grouping);
}

/* ---- the loss of a cell ---- */

static void losses_at_the_borders(void **unused)
{
    (void)unused;
    const char *text[4] = {"a", "b", "c", ""};
    const int64_t numbers[4] = {INT64_MIN, 0, INT64_MAX, 0};
    bt_column column = {.domain = {.reading = {.type = BT_INTEGER},
                                   .size = 4,
                                   .has_missing = true,
                                   .text = text,
                                   .number = numbers}};
    for (uint32_t code = 0; code < 4; code++)
        assert_int_equal(bt_loss(&column, code, code, 1), 0); /* the missing value too */
    assert_int_equal(bt_loss(&column, 0, 2, 3), BT_LOSS_ONE);
    assert_int_equal(bt_loss(&column, 0, 1, 2), BT_LOSS_ONE / 2);
    assert_int_equal(bt_loss(&column, 1, 2, 2), BT_LOSS_ONE / 2 - 1);
    for (uint32_t code = 0; code < 3; code++)
        assert_int_equal(bt_loss(&column, code, 3, 2), BT_LOSS_ONE); /* mixes missing and present */

    column.domain.reading.type = BT_TEXT;
    column.domain.number = NULL;
    assert_int_equal(bt_loss(&column, 0, 2, 2), BT_LOSS_ONE / 2);
    assert_int_equal(bt_loss(&column, 0, 2, 3), BT_LOSS_ONE);
    assert_int_equal(bt_loss(&column, 2, 3, 2), BT_LOSS_ONE);
    column.domain.size = 2; /* two values, no missing one */
    column.domain.has_missing = false;
    assert_int_equal(bt_loss(&column, 0, 1, 2), BT_LOSS_ONE);
    assert_int_equal(bt_loss(&column, 1, 1, 1), 0);
}

/* What a cell over lo..hi with `distinct` codes loses. */
static long double naive_loss(const bt_column *column, bt_box box, uint32_t distinct)
{
    const bt_domain *domain = &column->domain;
    uint32_t level = 0;
    if (box.lo == box.hi) return 0;
    if (is_mixed(column, box)) return 1;
    if (column->hierarchy)
        return (long double)leaves_over(column->hierarchy, box, &level) / column->hierarchy->leaves;
    if (domain->reading.type == BT_TEXT)
        return (long double)(distinct - 1) / (bt_domain_present(domain) - 1);
    return (long double)(domain->number[box.hi] - domain->number[box.lo]) /
           (long double)(domain->number[bt_domain_present(domain) - 1] - domain->number[0]);
}

static void losses_against_their_twin(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (int i = 0; i < 500; i++) {
        bt_arena arena = {0};
        bt_column column;
        make_column(&state, &arena, &column);
        for (uint32_t lo = 0; lo < column.domain.size; lo++)
            for (uint32_t hi = lo; hi < column.domain.size; hi++) {
                uint32_t most = hi - lo + 1, distinct = most <= 2 ? most : 2;
                for (; distinct <= most; distinct++) {
                    long double expected = naive_loss(&column, (bt_box){lo, hi}, distinct);
                    uint32_t loss = bt_loss(&column, lo, hi, distinct);
                    assert_int_equal(loss, (uint32_t)floorl(expected * BT_LOSS_ONE));
                }
            }
        bt_arena_release(&arena);
    }
}

/* ---- scores ---- */

static uint32_t count_distinct(const world *w, size_t column, int number)
{
    uint32_t count = 0;
    bool seen[VALUES_MOST + 1] = {false};
    for (int row = 0; row < w->rows; row++) {
        uint32_t code = w->codes[column][row];
        if (w->class_of[row] != number || seen[code]) continue;
        seen[code] = true;
        count++;
    }
    return count;
}

/* How high a cell stands, and how high one can. */
static uint32_t naive_height(const bt_column *column, bt_box box)
{
    uint32_t level = 0;
    if (column->hierarchy) leaves_over(column->hierarchy, box, &level);
    return column->hierarchy ? level : box.lo != box.hi;
}

static uint32_t full_height(const bt_column *column)
{
    return column->hierarchy ? column->hierarchy->nodes[0].level : 1;
}

typedef struct totals {
    long double loss, height, full_height, discernibility;
} totals;

static void add_row(const world *w, int row, int records, totals *t)
{
    int number = w->class_of[row], size = 0;
    for (int other = 0; other < w->rows; other++)
        size += w->class_of[other] == number;
    t->discernibility += number < 0 ? records : size;
    for (size_t c = 0; c < w->count; c++) {
        const bt_column *column = &w->columns[c];
        bt_box box = box_of(w, c, number);
        t->loss += number < 0 ? 1 : naive_loss(column, box, count_distinct(w, c, number));
        t->height += number < 0 ? full_height(column) : naive_height(column, box);
    }
}

static void assert_near(double value, long double expected)
{
    if (fabsl(value - expected) > 1e-8L) fail_msg("%.12f is not %.12Lf", value, expected);
}

/* As a preview measures it, of classes of two rows at least. Released by the caller. */
static bt_facts measure(const bt_grouping *grouping, const bt_column *const *quasi, int64_t records)
{
    bt_facts facts;
    bauta_error error;
    const bt_measured_grouping asked = {
        .grouping = grouping, .quasi = quasi, .records = records, .least = 2};
    bt_facts_init(&facts);
    assert_ok(bt_measure_grouping(&asked, &facts, facts.root, &error), &error);
    return facts;
}

static double number_at(const bt_facts *facts, const char *key)
{
    return json_number_value(json_object_get(facts->root, key));
}

static void scores_against_their_twin(void **unused)
{
    (void)unused;
    uint64_t state = 99;
    for (int i = 0; i < 1500; i++) {
        world w;
        bt_grouping grouping;
        totals t = {0};
        make_world(&state, &w);
        make_grouping(&w, &grouping);
        /* Records that never came into the table were dropped, too. */
        int more = (int)test_below(&state, 3), records = w.rows + more;
        long double cells = (long double)records * (long double)w.count;
        for (int row = 0; row < w.rows; row++)
            add_row(&w, row, records, &t);
        for (size_t c = 0; c < w.count; c++) {
            t.height += (long double)more * full_height(&w.columns[c]);
            t.full_height += (long double)records * full_height(&w.columns[c]);
        }
        bt_facts score = measure(&grouping, w.quasi, records);
        assert_near(number_at(&score, "ncp"),
                    (t.loss + (long double)more * (long double)w.count) / cells);
        assert_near(number_at(&score, "distortion_ratio"), t.height / t.full_height);
        assert_near(number_at(&score, "average_class"), (long double)grouping.kept / w.classes / 2);
        assert_near(number_at(&score, "discernibility"), t.discernibility + more * records);
        bt_facts_release(&score);
        bt_grouping_release(&grouping);
        bt_arena_release(&w.arena);
    }
}

/* As many records as there can be in one class: its square is beyond 64 bits. */
static void scores_of_a_huge_class(void **unused)
{
    (void)unused;
    const int64_t numbers[3] = {0, 1, 4}, rows = UINT32_MAX;
    uint32_t starts[] = {0, UINT32_MAX};
    bt_box box = {0, 1};
    bt_column column = {.name = "n",
                        .domain = {.reading = {.type = BT_INTEGER}, .size = 3, .number = numbers}};
    const bt_column *quasi[] = {&column};
    const bt_grouping grouping = {
        .rows = rows, .kept = rows, .classes = 1, .starts = starts, .columns = 1, .boxes = &box};
    bt_facts score = measure(&grouping, quasi, rows);
    assert_near(number_at(&score, "ncp"), 0.25L);
    assert_near(number_at(&score, "average_class"), (long double)rows / 2);
    assert_near(number_at(&score, "distortion_ratio"), 1);
    assert_near(number_at(&score, "discernibility") / (double)rows, (long double)rows);
    bt_facts_release(&score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniting_against_its_twin),
        cmocka_unit_test(many_classes),
        cmocka_unit_test(no_classes),
        cmocka_unit_test(losses_at_the_borders),
        cmocka_unit_test(losses_against_their_twin),
        cmocka_unit_test(scores_against_their_twin),
        cmocka_unit_test(scores_of_a_huge_class),
    };
    return cmocka_run_group_tests(tests, open_run, close_run);
}
