/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells: what is written reads back as the same thing, and nothing else is read.
 */
#include "support.h"

#include "base/bitset.h"
#include "recipe/cell.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 12 };

typedef struct fixture {
    bt_arena arena;
    bt_column column;
    bt_buffer out;
    bauta_error error;
} fixture;

static int set_up(void **state)
{
    *state = calloc(1, sizeof(fixture));
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    bt_arena_release(&f->arena);
    bt_buffer_release(&f->out);
    free(f);
    return 0;
}

static void set_text(fixture *f, const char **texts, uint32_t count, bool has_missing)
{
    f->column.domain = (bt_domain){.size = count, .has_missing = has_missing, .text = texts};
}

static const char *written(fixture *f, uint32_t lo, uint32_t hi, const uint64_t *present)
{
    f->out.length = 0;
    assert_ok(bt_cell_write(&f->column, lo, hi, present, &f->out, &f->error), &f->error);
    assert_ok(bt_buffer_add(&f->out, "", 1, &f->error), &f->error);
    return f->out.bytes;
}

static bool read_cell(fixture *f, const char *text, bt_cell *out)
{
    bool memory = true;
    const bt_cell_format format = {f->column.domain.reading.type, f->column.domain.scale,
                                   f->column.hierarchy};
    bool good = bt_cell_read(&format, text, strlen(text), &f->arena, out, &memory);
    assert_false(memory);
    return good;
}

/* ---- text ---- */

static void text_is_escaped(void **state)
{
    fixture *f = *state;
    static const char *texts[] = {"a", "*", "[1,2]", "{a|b}", "\\x", "a|b", "}", "b*", ""};
    set_text(f, texts, 9, true);
    static const char *const cells[] = {"a",   "\\*", "\\[1,2]", "\\{a|b}", "\\\\x",
                                        "a|b", "}",   "b*",      ""};
    for (uint32_t i = 0; i < 9; i++)
        assert_string_equal(written(f, i, i, NULL), cells[i]);
    const uint64_t some = 1 | 1 << 1 | 1 << 3, rest = 0xf4, mixed = 1 | 1 << 8;
    assert_string_equal(written(f, 0, 3, &some), "{*|a|{a\\|b\\}}");
    assert_string_equal(written(f, 2, 7, &rest), "{[1,2]|\\\\x|a\\|b|b*|\\}}");
    assert_string_equal(written(f, 0, 8, &mixed), "*");
    assert_string_equal(written(f, 0, 1, NULL), "{*|a}");
}

static void only_canonical_text_is_read(void **state)
{
    fixture *f = *state;
    static const char *const good[] = {"",          "*",          "a",     "\\*",    "\\\\", "a\\b",
                                       "\\{a|b}",   "{a|b}",      "{ |a}", "}",      "|",    "a*",
                                       "{\\||\\}}", "{\\\\|\\}}", "{*|[}", "{{|\\}}"};
    static const char *const bad[] = {"**",     "*a",      "[",     "[1,2]",   "\\",     "\\a",
                                      "\\ *",   "{",       "{}",    "{a}",     "{|}",    "{a|}",
                                      "{|a}",   "{a||b}",  "{a|b",  "{a|b}c",  "{a|b}}", "{a|\\b}",
                                      "{a|b\\", "{a|b\\}", "{a|a}", "{a|b|a}", "{b|a}"};
    bt_cell cell;
    set_text(f, NULL, 0, false);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!read_cell(f, good[i], &cell)) fail_msg("'%s' is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (read_cell(f, bad[i], &cell)) fail_msg("'%s' is read", bad[i]);
    assert_true(read_cell(f, "{a\\|b|c|\\}}", &cell));
    assert_int_equal(cell.kind, BT_CELL_SET);
    assert_int_equal(cell.count, 3);
    assert_string_equal(cell.text[0], "a|b");
    assert_string_equal(cell.text[1], "c");
    assert_string_equal(cell.text[2], "}");
    bool memory;
    const bt_cell_format format = {.type = BT_TEXT};
    assert_false(bt_cell_read(&format, "a\0b", 3, &f->arena, &cell, &memory));
    assert_false(bt_cell_read(&format, "{a\0|b}", 6, &f->arena, &cell, &memory));
}

static void check_text_round_trip(fixture *f, const char **texts, uint64_t present)
{
    uint32_t lo = (uint32_t)__builtin_ctzll(present), hi = 63 - (uint32_t)__builtin_clzll(present);
    const char *text = written(f, lo, hi, &present);
    bt_cell cell;
    if (!read_cell(f, text, &cell)) fail_msg("'%s' is refused", text);
    bool missing = f->column.domain.has_missing && hi == f->column.domain.size - 1;
    if (missing) {
        assert_int_equal(cell.kind, lo == hi ? BT_CELL_MISSING : BT_CELL_ALL);
        return;
    }
    assert_int_equal(cell.kind, lo == hi ? BT_CELL_VALUE : BT_CELL_SET);
    assert_int_equal(cell.count, __builtin_popcountll(present));
    for (uint32_t code = lo; code <= hi; code++) {
        if (!(present >> code & 1)) continue;
        size_t found = 0;
        for (size_t i = 0; i < cell.count; i++)
            found += strcmp(cell.text[i], texts[code]) == 0;
        assert_int_equal(found, 1);
    }
    for (size_t i = 1; i < cell.count; i++)
        assert_true(strcmp(cell.text[i - 1], cell.text[i]) < 0);
}

static void random_text_survives(void **state)
{
    fixture *f = *state;
    uint64_t random = 11;
    static const char alphabet[] = "*[]{}|\\,ab ";
    for (int round = 0; round < 20000; round++) {
        char bytes[VALUES][6];
        const char *texts[VALUES];
        uint32_t count = 0;
        while (count < VALUES - 1) {
            size_t length = 1 + test_below(&random, 5);
            for (size_t i = 0; i < length; i++)
                bytes[count][i] = alphabet[test_below(&random, sizeof alphabet - 1)];
            bytes[count][length] = '\0';
            bool fresh = true;
            for (uint32_t i = 0; i < count; i++)
                fresh &= strcmp(bytes[i], bytes[count]) != 0;
            texts[count] = bytes[count];
            count += fresh;
        }
        bool missing = test_below(&random, 2);
        if (missing) texts[count++] = "";
        set_text(f, texts, count, missing);
        uint64_t present = 1 + test_below(&random, ((uint64_t)1 << count) - 1);
        check_text_round_trip(f, texts, present);
        bt_arena_release(&f->arena);
    }
}

/* What is read is exactly what writing the result gives. */
static void random_bytes_are_canonical_or_refused(void **state)
{
    fixture *f = *state;
    uint64_t random = 5;
    static const char alphabet[] = "*[{}|\\ab";
    int accepted = 0;
    for (int round = 0; round < 300000; round++) {
        char text[9];
        size_t length = test_below(&random, 9);
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[test_below(&random, sizeof alphabet - 1)];
        text[length] = '\0';
        bt_cell cell;
        set_text(f, NULL, 0, false);
        if (!read_cell(f, text, &cell)) continue;
        accepted++;
        if (cell.kind == BT_CELL_ALL || cell.kind == BT_CELL_MISSING) continue;
        set_text(f, cell.text, (uint32_t)cell.count, false);
        assert_string_equal(written(f, 0, (uint32_t)cell.count - 1, NULL), text);
    }
    assert_true(accepted > 1000);
    bt_arena_release(&f->arena);
}

static void a_large_set_is_read(void **state)
{
    fixture *f = *state;
    enum { MANY = 20000 };
    const char **texts = bt_arena_array(&f->arena, MANY, sizeof *texts);
    for (int i = 0; i < MANY; i++)
        texts[i] = bt_arena_print(&f->arena, "v%05d|", i);
    set_text(f, texts, MANY, false);
    bt_cell cell;
    assert_true(read_cell(f, written(f, 0, MANY - 1, NULL), &cell));
    assert_int_equal(cell.count, MANY);
    assert_string_equal(cell.text[MANY - 1], texts[MANY - 1]);
}

/* ---- numbers ---- */

static void numbers_become_ranges(void **state)
{
    fixture *f = *state;
    static const char *texts[] = {"-1.5", "0", "2.25", ""};
    static const int64_t numbers[] = {-150, 0, 225, 0};
    f->column.domain = (bt_domain){.reading = {.type = BT_DECIMAL},
                                   .scale = 2,
                                   .size = 4,
                                   .has_missing = true,
                                   .text = texts,
                                   .number = numbers};
    bt_cell cell;
    assert_string_equal(written(f, 0, 2, NULL), "[-1.5,2.25]");
    assert_true(read_cell(f, "[-1.5,2.25]", &cell));
    assert_int_equal(cell.kind, BT_CELL_RANGE);
    assert_int_equal(cell.lo, -150);
    assert_int_equal(cell.hi, 225);
    assert_string_equal(written(f, 1, 1, NULL), "0");
    assert_true(read_cell(f, "-1.5", &cell));
    assert_int_equal(cell.kind, BT_CELL_VALUE);
    assert_int_equal(cell.lo, -150);
    assert_int_equal(cell.hi, -150);
    assert_string_equal(written(f, 3, 3, NULL), "");
    assert_string_equal(written(f, 1, 3, NULL), "*");
    static const char *const bad[] = {"-1.50",   "1.125",
                                      "+1",      "01",
                                      "1e2",     "-0",
                                      "[1,1]",   "[2,1]",
                                      "[1,2",    "[1]",
                                      "[,]",     "[1,2]]",
                                      "[1,2,3]", "[ 1,2]",
                                      "{1|2}",   "a",
                                      "\\1",     "[",
                                      "1,5",     "[01,2]",
                                      "[1,2] ",  "92233720368547758.08"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (read_cell(f, bad[i], &cell)) fail_msg("'%s' is read", bad[i]);
}

static void dates_become_ranges(void **state)
{
    fixture *f = *state;
    f->column.domain.reading = (bt_reading){.type = BT_DATE, .date_form = BT_FORM_DMY};
    bt_cell cell;
    assert_true(read_cell(f, "[1969-12-31,1970-01-02]", &cell));
    assert_int_equal(cell.lo, -1);
    assert_int_equal(cell.hi, 1);
    assert_false(read_cell(f, "31.12.1969", &cell));
    assert_false(read_cell(f, "1969/12/31", &cell));
    assert_false(read_cell(f, "[1970-01-01,1970-01-01]", &cell));
}

/* ---- hierarchies ---- */

static void hierarchies_give_labels(void **state)
{
    fixture *f = *state;
    static const char *texts[] = {"*", "a", "b", ""};
    set_text(f, texts, 4, true);
    static const char *const rows[][2] = {{"a", "[x"}, {"b", "[x"}, {"*", NULL}};
    static const char *const *const paths[] = {rows[0], rows[1], rows[2]};
    static const size_t lengths[] = {2, 2, 1};
    const bt_hierarchy_source source = {.paths = paths, .path_lengths = lengths, .path_count = 3};
    uint32_t new_code[4];
    bt_hierarchy *tree;
    assert_ok(
        bt_hierarchy_build(&source, "c", &f->column.domain, new_code, &f->arena, &tree, &f->error),
        &f->error);
    f->column.hierarchy = tree;
    bt_cell cell;
    assert_string_equal(written(f, 0, 1, NULL), "[x");
    assert_true(read_cell(f, "[x", &cell));
    assert_int_equal(cell.kind, BT_CELL_NODE);
    assert_int_equal(cell.node, bt_hierarchy_cover(tree, 0, 1));
    assert_string_equal(written(f, 1, 1, NULL), "b");
    assert_true(read_cell(f, "b", &cell));
    assert_int_equal(cell.kind, BT_CELL_VALUE);
    assert_int_equal(cell.node, tree->leaf_node[1]);
    assert_string_equal(written(f, 2, 2, NULL), "*@0");
    assert_true(read_cell(f, "*@0", &cell));
    assert_int_equal(cell.kind, BT_CELL_VALUE);
    assert_string_equal(written(f, 3, 3, NULL), "");
    assert_true(read_cell(f, "", &cell));
    assert_int_equal(cell.kind, BT_CELL_MISSING);
    assert_string_equal(written(f, 2, 3, NULL), "*");
    assert_true(read_cell(f, "*", &cell));
    assert_int_equal(cell.kind, BT_CELL_ALL);
    assert_false(read_cell(f, "c", &cell));
    assert_false(read_cell(f, "{a|b}", &cell));
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(text_is_escaped),      WITH_FIXTURE(only_canonical_text_is_read),
        WITH_FIXTURE(random_text_survives), WITH_FIXTURE(random_bytes_are_canonical_or_refused),
        WITH_FIXTURE(a_large_set_is_read),  WITH_FIXTURE(numbers_become_ranges),
        WITH_FIXTURE(dates_become_ranges),  WITH_FIXTURE(hierarchies_give_labels),
    };
    return cmocka_run_group_tests_name("cell", tests, NULL, NULL);
}
