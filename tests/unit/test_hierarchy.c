/* SPDX-License-Identifier: Apache-2.0
 *
 * Hierarchies: files and inline trees, derived schemes, labels, errors, the written form.
 */
#include "support.h"

#include "base/csv.h"
#include "base/text.h"
#include "recipe/tree.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    bt_arena arena;
    bt_domain domain;
    uint32_t *new_code;
    bt_hierarchy *tree;
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
    free(f);
    return 0;
}

/* The domain of a column with these texts, separated by blanks; "_" is a missing value. */
static void make_domain(fixture *f, const char *texts)
{
    char **parts;
    size_t count;
    static const char *const token = "_";
    const bt_missing missing = {.tokens = &token, .count = 1};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    assert_ok(bt_text_split(&f->arena, texts, ' ', &parts, &count, &f->error), &f->error);
    bt_values values = {.count = (uint32_t)count, .text = (const char **)parts};
    values.length = bt_arena_array(&f->arena, count, sizeof *values.length);
    values.rows = bt_arena_array(&f->arena, count, sizeof *values.rows);
    uint32_t *codes = bt_arena_array(&f->arena, count, sizeof *codes);
    f->new_code = bt_arena_array(&f->arena, count, sizeof *f->new_code);
    for (size_t i = 0; i < count; i++) {
        values.length[i] = (uint32_t)strlen(parts[i]);
        values.rows[i] = (int64_t)(count - i);
    }
    assert_ok(bt_domain_build(&values, &options, &f->arena, &f->domain, codes, &f->error),
              &f->error);
}

static bauta_status build(fixture *f, const char *spec)
{
    const bt_hierarchy_source source = {.spec = spec};
    f->tree = NULL;
    return bt_hierarchy_build(&source, "c", &f->domain, f->new_code, &f->arena, &f->tree,
                              &f->error);
}

static bauta_status build_csv(fixture *f, const char *text)
{
    const bt_hierarchy_job job = {"c", &f->domain, f->new_code, &f->arena, &f->tree};
    size_t length = strlen(text);
    char *padded = bt_arena_alloc(&f->arena, length + BT_CSV_PADDING);
    f->tree = NULL;
    memset(padded, '"', length + BT_CSV_PADDING);
    memcpy(padded, text, length);
    return bt_hierarchy_from_csv(&job, "tree.csv", padded, length, &f->error);
}

/* Every structural promise of hierarchy.h. */
static void check_tree(const fixture *f)
{
    const bt_hierarchy *tree = f->tree;
    assert_int_equal(tree->leaves, f->domain.size);
    assert_string_equal(tree->nodes[0].label, "*");
    assert_int_equal(tree->nodes[0].level + 1, tree->levels);
    assert_int_equal(tree->nodes[0].hi, tree->leaves);
    for (uint32_t i = 0; i < tree->count; i++) {
        const bt_node *node = &tree->nodes[i];
        uint32_t place = node->lo;
        for (uint32_t k = node->first; k < node->first + node->children; k++) {
            assert_int_equal(tree->nodes[k].parent, i);
            assert_int_equal(tree->nodes[k].lo, place);
            assert_true(tree->nodes[k].level < node->level);
            place = tree->nodes[k].hi;
        }
        if (node->children) assert_int_equal(place, node->hi);
        if (i) assert_int_equal(node->level == 0, node->children == 0);
        assert_int_equal(bt_hierarchy_find(tree, node->label, strlen(node->label)), i);
    }
    for (uint32_t code = 0; code < tree->leaves; code++) {
        const bt_node *leaf = &tree->nodes[tree->leaf_node[code]];
        assert_int_equal(leaf->lo, code);
        assert_int_equal(leaf->hi, code + 1);
        assert_string_equal(leaf->name, f->domain.text[code]);
    }
}

/* The tree is the one that bt_hierarchy_write shows as `expected`. */
static void check_written(fixture *f, const char *expected)
{
    bt_buffer out = {0};
    check_tree(f);
    assert_ok(bt_hierarchy_write(f->tree, false, &out, &f->error), &f->error);
    assert_ok(bt_buffer_add(&out, "", 1, &f->error), &f->error);
    assert_string_equal(out.bytes, expected);
    bt_buffer_release(&out);
}

static const char *label_at(const fixture *f, uint32_t code, uint32_t level)
{
    return f->tree->nodes[bt_hierarchy_at(f->tree, code, level)].label;
}

/* ---- given trees ---- */

static void a_file_gives_tree_order(void **state)
{
    fixture *f = *state;
    make_domain(f, "d a _ b");
    assert_ok(build_csv(f, "a;x;top;*\nc;x;top;*\nb;y;top;*\nd;x;top;*\n"), &f->error);
    check_written(f, "a;x;top;*\nc;x;top;*\nd;x;top;*\nb;y;top;*\n");
    assert_true(f->tree->given);
    assert_string_equal(f->tree->spec, "file");
    assert_int_equal(f->domain.size, 5);
    assert_int_equal(f->new_code[0], 2); /* d */
    assert_int_equal(f->new_code[1], 0);
    assert_int_equal(f->new_code[2], 3);
    assert_int_equal(f->new_code[3], 4); /* missing: last */
    assert_string_equal(f->domain.text[1], "c");
    assert_true(f->domain.has_missing);
    assert_int_equal(f->tree->levels, 4);
    assert_string_equal(label_at(f, 2, 0), "d");
    assert_string_equal(label_at(f, 2, 1), "x");
    assert_string_equal(label_at(f, 2, 2), "top");
    assert_string_equal(label_at(f, 2, 3), "*");
    assert_string_equal(label_at(f, 4, 2), "");
    assert_string_equal(label_at(f, 4, 3), "*");
}

static void separators_marks_and_line_ends_do_not_matter(void **state)
{
    fixture *f = *state;
    static const char *const forms[] = {
        "a;x;*\nb;y;*\n",
        "a,x,*\nb,y,*",
        "\357\273\277a;x\r\nb;y\r\n",
        "\n\na ; x;*;*;*\n\n\"b\";\"y\";\n;ignored;*\n",
        "a;x;*\nb;y;*\na;x\n",
        "a;x;x;*\nb;y;y;*\n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        make_domain(f, "a b");
        assert_ok(build_csv(f, forms[i]), &f->error);
        check_written(f, "a;x;*\nb;y;*\n");
    }
    make_domain(f, "1 2");
    assert_ok(build_csv(f, "1;[1,2];*\n2;[1,2];*\n"), &f->error);
    check_written(f, "1;\"[1,2]\";*\n2;\"[1,2]\";*\n");
}

static void trees_may_be_ragged(void **state)
{
    fixture *f = *state;
    make_domain(f, "paris vatican oslo sea");
    assert_ok(build_csv(f, "paris;france;europe;*\nvatican;europe\noslo;;europe\nsea\n"),
              &f->error);
    check_written(f, "paris;france;europe;*\nvatican;;europe;*\noslo;;europe;*\nsea;;;*\n");
    assert_string_equal(label_at(f, 1, 1), "vatican");
    assert_string_equal(label_at(f, 1, 2), "europe");
    assert_string_equal(label_at(f, 3, 2), "sea");
    assert_int_equal(bt_hierarchy_cover(f->tree, 0, 2), bt_hierarchy_find(f->tree, "europe", 6));
    assert_int_equal(bt_hierarchy_cover(f->tree, 0, 3), 0);
}

static void labels_are_unique(void **state)
{
    fixture *f = *state;
    make_domain(f, "york buffalo canada *");
    assert_ok(build_csv(f, "york;york;usa;*\nbuffalo;york;usa;*\ncanada;canada;america;*\n*;\n"),
              &f->error);
    check_written(f, "york;york;usa;*\nbuffalo;york;usa;*\ncanada;;america;*\n*;;;*\n");
    assert_string_equal(label_at(f, 0, 0), "york");
    assert_string_equal(label_at(f, 0, 1), "york@1");
    assert_string_equal(label_at(f, 2, 1), "canada"); /* the only child: one node */
    assert_string_equal(label_at(f, 3, 0), "*@0");
    make_domain(f, "a b");
    assert_ok(build_csv(f, "a;w;dc;*\nb;s;w;*\nw@2;w;dc;*\n"), &f->error);
    assert_string_equal(label_at(f, 0, 1), "w");
    assert_string_equal(f->tree->nodes[bt_hierarchy_at(f->tree, 2, 2)].name, "w");
    assert_string_equal(label_at(f, 2, 2), "w@2.2");
    check_tree(f);
}

static void numbers_are_ordered_inside_a_tree(void **state)
{
    fixture *f = *state;
    make_domain(f, "5 1 12 7");
    assert_ok(build_csv(f, "12;b;*\n07;a;*\n5;a;*\n 1;c;*\n300;b;*\n"), &f->error);
    check_written(f, "1;c;*\n5;a;*\n7;a;*\n12;b;*\n300;b;*\n");
    for (uint32_t i = 1; i < 5; i++)
        assert_true(f->domain.number[i - 1] < f->domain.number[i]);
    make_domain(f, "1.5 2");
    assert_ok(build_csv(f, "1.50;a;*\n2.0;a;*\n1.125;b;*\n"), &f->error);
    assert_int_equal(f->domain.scale, 3);
    assert_int_equal(f->domain.number[1], 1500);
    assert_string_equal(f->domain.text[0], "1.125");
    make_domain(f, "31.12.2024 1.2.2023");
    assert_ok(build_csv(f, "31.12.2024;x;*\n2023-02-01;y;*\n"), &f->error);
    check_written(f, "2023-02-01;y;*\n2024-12-31;x;*\n");
}

static void faults_of_a_file_are_told(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *message;
        int row;
    } cases[] = {
        {"77;x;*\n66;x;*\n77;y;*\n", "another path", 3},
        {"77;x;p;*\n66;x;q;*\n", "level 1 of row 2 has another parent in row 1", 2},
        {"77;*;x;*\n66;x;*\n", "'*' stands below", 1},
        {"77;x;*\nhead;x;*\n66;x;*\n", "not of type integer", 2},
        {"77;x;*\n66;\"x;*\n", "not closed", 2},
        {"77;x;*\n66;\xFF;*\n", "UTF-8", 2},
        {"77;x;*\n", "lacks 1 of its 2 distinct values", -1},
        {"", "lacks 2 of its 2 distinct values", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_domain(f, "77 66");
        assert_fails(build_csv(f, cases[i].text), BAUTA_INVALID, &f->error, cases[i].message);
        assert_string_equal(f->error.file, "tree.csv");
        assert_string_equal(f->error.column, "c");
        assert_int_equal(f->error.row, cases[i].row);
        assert_null(strstr(f->error.hint, "77"));
        assert_null(strstr(f->error.message, "66"));
    }
}

static void hostile_bytes_are_refused(void **state)
{
    fixture *f = *state;
    char zero[200] = "8;x;*\n9;x\0y;*\n";
    const bt_hierarchy_job job = {"c", &f->domain, NULL, &f->arena, &f->tree};
    make_domain(f, "8 9");
    assert_fails(bt_hierarchy_from_csv(&job, "z", zero, 14, &f->error), BAUTA_INVALID, &f->error,
                 "zero byte");
    char *deep = malloc(6000);
    assert_non_null(deep);
    for (size_t i = 0; i < 3000; i++)
        memcpy(deep + 2 * i, i % 2 ? "a;" : "b;", 2);
    deep[5998] = '\0';
    assert_fails(build_csv(f, deep), BAUTA_INVALID, &f->error, "too many levels");
    deep[2 * BT_LEVELS_MOST - 1] = '\0';
    assert_fails(build_csv(f, deep), BAUTA_INVALID, &f->error, "too many levels");
    free(deep);
    make_domain(f, "0.5");
    assert_fails(build_csv(f, "0.5;x\n100000000000000000;x\n0.000000000000000001;x\n"),
                 BAUTA_INVALID, &f->error, "too many digits");
}

static void the_deepest_tree_is_built(void **state)
{
    fixture *f = *state;
    char *deep = malloc(8 * BT_LEVELS_MOST);
    assert_non_null(deep);
    char *p = deep;
    for (int i = 0; i < BT_LEVELS_MOST - 1; i++)
        p += sprintf(p, "%s%d", i ? ";" : "", i + 7);
    make_domain(f, "7");
    assert_ok(build_csv(f, deep), &f->error);
    assert_int_equal(f->tree->levels, BT_LEVELS_MOST);
    check_tree(f);
    free(deep);
}

static void a_file_is_read_from_disk(void **state)
{
    fixture *f = *state;
    char name[] = "bauta-hierarchy-XXXXXX";
    int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    for (int i = 0; i < 50000; i++)
        fprintf(file, "%d;%d;%d;*\n", i, -1 - i / 10, -10000 - i / 1000);
    assert_int_equal(fclose(file), 0);
    make_domain(f, "17 49999 _");
    bauta_status status = build(f, name);
    assert_int_equal(unlink(name), 0);
    assert_ok(status, &f->error);
    check_tree(f);
    assert_int_equal(f->domain.size, 50001);
    assert_int_equal(f->new_code[0], 17);
    assert_int_equal(f->new_code[1], 49999);
    assert_int_equal(f->new_code[2], 50000);
    assert_fails(build(f, name), BAUTA_INVALID, &f->error, "cannot open hierarchy");
    assert_non_null(strstr(f->error.hint, "intervals:"));
    assert_fails(build(f, "."), BAUTA_SYSTEM, &f->error, "cannot read hierarchy");
    assert_fails(build(f, "balanced"), BAUTA_INVALID, &f->error, "cannot open");
}

static void an_inline_tree_is_given(void **state)
{
    fixture *f = *state;
    static const char *const rows[][3] = {{"a", "x", "top"}, {"b", "top", NULL}, {"c", NULL, NULL}};
    static const char *const *const paths[] = {rows[0], rows[1], rows[2]};
    static const size_t lengths[] = {3, 2, 1};
    const bt_hierarchy_source source = {.paths = paths, .path_lengths = lengths, .path_count = 3};
    make_domain(f, "b _");
    assert_ok(
        bt_hierarchy_build(&source, "c", &f->domain, f->new_code, &f->arena, &f->tree, &f->error),
        &f->error);
    check_written(f, "a;x;top;*\nb;;top;*\nc;;;*\n");
    assert_string_equal(f->tree->spec, "tree");
    make_domain(f, "z");
    assert_fails(
        bt_hierarchy_build(&source, "c", &f->domain, f->new_code, &f->arena, &f->tree, &f->error),
        BAUTA_INVALID, &f->error, "lacks 1 of its 1");
}

/* ---- from a manifest ---- */

static void paths_give_the_same_tree(void **state)
{
    fixture *f = *state;
    make_domain(f, "york buffalo _ * sea");
    assert_ok(build_csv(f, "york;york;usa;*\nbuffalo;york;usa;*\n*\nsea;;oceans\n"), &f->error);
    const bt_hierarchy *tree = f->tree;
    const char **rows[8];
    size_t lengths[8];
    for (uint32_t code = 0; code < tree->leaves; code++) {
        rows[code] = bt_arena_array(&f->arena, tree->levels, sizeof **rows);
        lengths[code] = bt_hierarchy_path(tree, code, rows[code]);
    }
    bt_hierarchy *again;
    assert_ok(bt_hierarchy_from_paths((const char *const *const *)rows, lengths, tree->leaves,
                                      "file", "c", &f->arena, &again, &f->error),
              &f->error);
    assert_int_equal(again->count, tree->count);
    assert_int_equal(again->leaves, tree->leaves);
    assert_int_equal(again->levels, tree->levels);
    for (uint32_t i = 0; i < tree->count; i++) {
        assert_string_equal(again->nodes[i].label, tree->nodes[i].label);
        assert_string_equal(again->nodes[i].name, tree->nodes[i].name);
        assert_int_equal(again->nodes[i].lo, tree->nodes[i].lo);
        assert_int_equal(again->nodes[i].hi, tree->nodes[i].hi);
        assert_int_equal(again->nodes[i].level, tree->nodes[i].level);
    }
    lengths[1] = BT_LEVELS_MOST + 1;
    assert_fails(bt_hierarchy_from_paths((const char *const *const *)rows, lengths, tree->leaves,
                                         "file", "c", &f->arena, &again, &f->error),
                 BAUTA_INVALID, &f->error, "too many levels");
}

static void some_nodes_give_a_partial_tree(void **state)
{
    fixture *f = *state;
    bt_node_summary nodes[] = {
        {"20-24", 4, 1, NULL}, {"*", 9, 2, NULL}, {"25", 1, 0, NULL}, {"", 1, 0, NULL}};
    assert_ok(
        bt_hierarchy_from_nodes(nodes, 4, 9, 3, "intervals:5", "c", &f->arena, &f->tree, &f->error),
        &f->error);
    assert_int_equal(f->tree->count, 4);
    assert_int_equal(f->tree->leaves, 9);
    assert_int_equal(bt_hierarchy_find(f->tree, "*", 1), 0);
    const bt_node *node = &f->tree->nodes[bt_hierarchy_find(f->tree, "20-24", 5)];
    assert_int_equal(node->hi - node->lo, 4);
    assert_int_equal(node->level, 1);
    assert_int_equal(bt_hierarchy_find(f->tree, "20-2", 4), UINT32_MAX);
    static const bt_node_summary bad[] = {
        {"25", 1, 0, NULL}, /* twice */ {"x", 0, 1, NULL},
        {"x", 10, 1, NULL}, {"x", 3, 2, NULL},
        {"x", 2, 0, NULL},  {"*", 9, 2, NULL},
        {"*", 8, 2, NULL},  {"", 2, 1, NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        nodes[0] = bad[i];
        assert_fails(
            bt_hierarchy_from_nodes(nodes, 4, 9, 3, "flat", "c", &f->arena, &f->tree, &f->error),
            BAUTA_INVALID, &f->error, "node");
    }
    assert_fails(
        bt_hierarchy_from_nodes(nodes, 0, 9, 1, "flat", "c", &f->arena, &f->tree, &f->error),
        BAUTA_INVALID, &f->error, "height");
}

/* ---- derived trees ---- */

static void intervals_are_aligned(void **state)
{
    fixture *f = *state;
    make_domain(f, "24 20 25 -1 -5 -6 0 _");
    assert_ok(build(f, "intervals:5,10"), &f->error);
    check_written(
        f,
        "-6;\"[-10,-5)\";\"[-10,0)\";*\n-5;\"[-5,0)\";\"[-10,0)\";*\n-1;\"[-5,0)\";\"[-10,0)\";*\n"
        "0;0-4;0-9;*\n20;20-24;20-29;*\n24;20-24;20-29;*\n25;25-29;20-29;*\n");
    assert_false(f->tree->given);
    assert_string_equal(f->tree->spec, "intervals:5,10");
    assert_int_equal(f->domain.size, 8);
    assert_int_equal(f->new_code[7], 7);
    make_domain(f, "1.5 2.25 -0.5");
    assert_ok(build(f, "intervals:0.125,2.5"), &f->error);
    check_written(f, "-0.5;\"[-0.5,-0.375)\";\"[-2.5,0)\";*\n"
                     "1.5;\"[1.5,1.625)\";\"[0,2.5)\";*\n2.25;\"[2.25,2.375)\";\"[0,2.5)\";*\n");
    assert_int_equal(f->domain.scale, 2);
    make_domain(f, "1970-01-01 1970-01-08 9999-12-31 0001-01-01");
    assert_ok(build(f, "intervals:7"), &f->error);
    check_written(f, "0001-01-01;0001-01-01..0001-01-03;*\n"
                     "1970-01-01;1970-01-01..1970-01-07;*\n"
                     "1970-01-08;1970-01-08..1970-01-14;*\n"
                     "9999-12-31;9999-12-30..9999-12-31;*\n");
}

static void wrong_intervals_are_refused(void **state)
{
    fixture *f = *state;
    static const char *const specs[] = {"intervals:",    "intervals:0",   "intervals:-5",
                                        "intervals:x",   "intervals:5,5", "intervals:10,5",
                                        "intervals:5,8", "intervals:2.5", "intervals:5,,10"};
    make_domain(f, "1 2");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        assert_fails(build(f, specs[i]), BAUTA_INVALID, &f->error, "column 'c'");
        assert_non_null(strstr(f->error.hint, "intervals:5,10,20"));
    }
    make_domain(f, "a");
    assert_fails(build(f, "intervals:5"), BAUTA_INVALID, &f->error, "type text");
    make_domain(f, "900000000000.5");
    assert_fails(build(f, "intervals:0.000000000001"), BAUTA_INVALID, &f->error, "too fine");
    make_domain(f, "-92.2337203685477");
    assert_fails(build(f, "intervals:5.00000000000000001"), BAUTA_INVALID, &f->error, "too large");
}

static void masks_hide_from_the_right(void **state)
{
    fixture *f = *state;
    make_domain(f, "abc abd abcd x axc _ 99");
    assert_ok(build(f, "mask"), &f->error);
    check_written(f, "x;;;;*\n99;9*;;;*\nabc;ab*;a**;;*\nabd;ab*;a**;;*\naxc;ax*;a**;;*\n"
                     "abcd;abc*;ab**;a***;*\n");
    assert_int_equal(f->new_code[5], 1); /* 99 */
    make_domain(f, "\xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA8 \xC3\xA8t\xC3\xA9");
    assert_ok(build(f, "mask"), &f->error);
    check_written(f, "\xC3\xA8t\xC3\xA9;\xC3\xA8t*;\xC3\xA8**;*\n"
                     "\xC3\xA9t\xC3\xA8;\xC3\xA9t*;\xC3\xA9**;*\n"
                     "\xC3\xA9t\xC3\xA9;\xC3\xA9t*;\xC3\xA9**;*\n");
    make_domain(f, "-5 12 17 -52");
    assert_ok(build(f, "mask"), &f->error);
    check_written(f, "-5;-*;;*\n12;1*;;*\n17;1*;;*\n-52;-5*;-**;*\n");
    assert_int_equal(f->domain.number[0], -5);
    assert_int_equal(f->domain.number[3], -52);
    make_domain(f, "1.5");
    assert_fails(build(f, "mask"), BAUTA_INVALID, &f->error, "type decimal");
    make_domain(f, "ab a*");
    assert_ok(build(f, "mask"), &f->error);
    assert_string_equal(label_at(f, 0, 0), "a*");
    assert_string_equal(label_at(f, 1, 1), "a*@1");
    char longest[BT_LEVELS_MOST + 1];
    memset(longest, 'y', sizeof longest);
    longest[BT_LEVELS_MOST] = '\0';
    make_domain(f, longest);
    assert_fails(build(f, "mask"), BAUTA_INVALID, &f->error, "too long");
}

static void balanced_trees_have_equal_parts(void **state)
{
    fixture *f = *state;
    make_domain(f, "1 2 3 4 7 _");
    assert_ok(build(f, "balanced:2"), &f->error);
    check_written(f, "1;1..2;1..3;*\n2;1..2;1..3;*\n3;;1..3;*\n4;;4..7;*\n7;;4..7;*\n");
    make_domain(f, "d a c b");
    assert_ok(build(f, "balanced:3"), &f->error);
    check_written(f, "a;a..b;*\nb;a..b;*\nc;;*\nd;;*\n");
    assert_int_equal(f->new_code[0], 3);
    make_domain(f, "5");
    assert_ok(build(f, "balanced:2"), &f->error);
    check_written(f, "5;*\n");
    make_domain(f, "_");
    assert_ok(build(f, "balanced:2"), &f->error);
    check_written(f, "");
    static const char *const wrong[] = {"balanced:", "balanced:1", "balanced:x", "balanced:-2",
                                        "balanced:1000001"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(build(f, wrong[i]), BAUTA_INVALID, &f->error, "'balanced' takes");
}

static void long_texts_are_cut_in_labels(void **state)
{
    fixture *f = *state;
    char texts[1000], *p = texts;
    for (int i = 0; i < 8; i++)
        p += sprintf(p, "%s%059d\xC3\xA9%d", i ? " " : "", 0, i);
    make_domain(f, texts);
    assert_ok(build(f, "balanced:2"), &f->error);
    check_tree(f);
    for (uint32_t code = 0; code < 8; code++) {
        assert_non_null(strstr(label_at(f, code, 1), "0…..0"));
        assert_non_null(strstr(label_at(f, code, 2), "0…@2"));
    }
    bt_buffer out = {0};
    uint32_t nodes = f->tree->count;
    assert_ok(bt_hierarchy_write(f->tree, false, &out, &f->error), &f->error);
    assert_ok(bt_buffer_add(&out, "", 1, &f->error), &f->error);
    make_domain(f, texts);
    assert_ok(build_csv(f, out.bytes), &f->error);
    assert_int_equal(f->tree->count, nodes);
    bt_buffer_release(&out);
}

static void dates_have_months_years_and_decades(void **state)
{
    fixture *f = *state;
    make_domain(f, "2024-03-01 2024-03-31 2019-12-31 2020-01-01 _");
    assert_ok(build(f, "date"), &f->error);
    check_written(f, "2019-12-31;2019-12;2019;2010s;*\n2020-01-01;2020-01;2020;2020s;*\n"
                     "2024-03-01;2024-03;2024;2020s;*\n2024-03-31;2024-03;2024;2020s;*\n");
    make_domain(f, "1 2");
    assert_fails(build(f, "date"), BAUTA_INVALID, &f->error, "type integer");
}

static void a_flat_tree_keeps_the_order(void **state)
{
    fixture *f = *state;
    make_domain(f, "z a m _");
    assert_ok(build(f, "flat"), &f->error);
    check_written(f, "z;*\na;*\nm;*\n");
    assert_int_equal(f->tree->levels, 2);
    make_domain(f, "");
    assert_ok(build(f, "flat"), &f->error);
    check_written(f, "");
    assert_int_equal(f->tree->count, 1);
}

/* What is written reads as the same tree, whatever the labels hold. */
static void written_trees_are_read_again(void **state)
{
    fixture *f = *state;
    static const char *const values = "a;b \"q\" x,y * a *@0 \\ [1 {a|b} é";
    static const char *const rows = "\"a;b\";\"g;1\";top;*\n\"\"\"q\"\"\";\"g;1\";top;*\n"
                                    "\"x,y\";a;top;*\n*;a;top;*\na;\"\"\"\";;*\n\"*@0\"\n"
                                    "\\;\" a\";*\n[1;\" a\"\n{a|b}\n\"é\";\"two\nlines\"\n";
    make_domain(f, values);
    assert_ok(build_csv(f, rows), &f->error);
    check_tree(f);
    bt_buffer first = {0};
    assert_ok(bt_hierarchy_write(f->tree, false, &first, &f->error), &f->error);
    assert_ok(bt_buffer_add(&first, "", 1, &f->error), &f->error);
    make_domain(f, values);
    assert_ok(build_csv(f, first.bytes), &f->error);
    check_written(f, first.bytes);
    bt_buffer_release(&first);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_file_gives_tree_order),
        WITH_FIXTURE(separators_marks_and_line_ends_do_not_matter),
        WITH_FIXTURE(trees_may_be_ragged),
        WITH_FIXTURE(labels_are_unique),
        WITH_FIXTURE(numbers_are_ordered_inside_a_tree),
        WITH_FIXTURE(faults_of_a_file_are_told),
        WITH_FIXTURE(hostile_bytes_are_refused),
        WITH_FIXTURE(the_deepest_tree_is_built),
        WITH_FIXTURE(a_file_is_read_from_disk),
        WITH_FIXTURE(an_inline_tree_is_given),
        WITH_FIXTURE(paths_give_the_same_tree),
        WITH_FIXTURE(some_nodes_give_a_partial_tree),
        WITH_FIXTURE(intervals_are_aligned),
        WITH_FIXTURE(wrong_intervals_are_refused),
        WITH_FIXTURE(masks_hide_from_the_right),
        WITH_FIXTURE(balanced_trees_have_equal_parts),
        WITH_FIXTURE(long_texts_are_cut_in_labels),
        WITH_FIXTURE(dates_have_months_years_and_decades),
        WITH_FIXTURE(a_flat_tree_keeps_the_order),
        WITH_FIXTURE(written_trees_are_read_again),
    };
    return cmocka_run_group_tests_name("hierarchy", tests, NULL, NULL);
}
