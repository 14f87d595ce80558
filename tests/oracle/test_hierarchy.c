/* SPDX-License-Identifier: Apache-2.0
 *
 * Random trees against a twin that keeps, for every leaf, its path as a list and answers every
 * question by looking at all leaves.
 */
#include "support.h"

#include "recipe/hierarchy.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LEAVES = 60, MOST_LEVELS = 6, ROUNDS = 3000 };

typedef struct twin { /* a random ragged tree: inner labels are numbers, unique in the tree */
    size_t leaves, height;
    char label[MOST_LEAVES][MOST_LEVELS][32]; /* "" where a path skips a level */
    const char *row[MOST_LEAVES][MOST_LEVELS];
    const char *const *rows[MOST_LEAVES];
    size_t length[MOST_LEAVES];
} twin;

/* Leaves are dealt to parents level by level from the top; a parent is known by its number, which
 * holds that of its own parent. A level is skipped by a whole subtree or not at all. */
static void make_twin(twin *t, uint64_t *random)
{
    t->leaves = 1 + test_below(random, MOST_LEAVES);
    t->height = 1 + test_below(random, MOST_LEVELS);
    for (size_t i = 0; i < t->leaves; i++) {
        unsigned path = 1;
        for (size_t level = t->height; level-- > 1;) {
            unsigned branch = (unsigned)test_below(random, 3);
            path = path * 3 + branch;
            bool skipped = (path * 2654435761u >> 16) % 5 == 0;
            snprintf(t->label[i][level], sizeof t->label[i][level], "n%u", path);
            if (skipped) t->label[i][level][0] = '\0';
        }
        snprintf(t->label[i][0], sizeof t->label[i][0], "leaf%zu", i);
        for (size_t level = 0; level < t->height; level++)
            t->row[i][level] = t->label[i][level];
        t->rows[i] = t->row[i];
        t->length[i] = t->height;
    }
}

/* Whether leaf i stands under the node that leaf `of` has at `level`. */
static bool stands_under(const twin *t, size_t i, size_t of, size_t level)
{
    if (level == 0) return i == of;
    return strcmp(t->label[i][level], t->label[of][level]) == 0;
}

/* The label of the lowest node that covers a set of leaves. */
static const char *lowest_cover(const twin *t, const bool *inside)
{
    size_t any = 0;
    while (!inside[any])
        any++;
    for (size_t level = 0; level < t->height; level++) {
        bool covers = t->label[any][level][0] != '\0';
        for (size_t i = 0; covers && i < t->leaves; i++)
            covers = !inside[i] || stands_under(t, i, any, level);
        if (covers) return t->label[any][level];
    }
    return "*";
}

typedef struct fixture {
    bt_arena arena;
    bt_hierarchy *tree;
    size_t leaf_of_code[MOST_LEAVES];
    bauta_error error;
} fixture;

static void build(fixture *f, const twin *t, uint64_t *random)
{
    const bt_hierarchy_source source = {
        .paths = t->rows, .path_lengths = t->length, .path_count = t->leaves};
    const char *texts[MOST_LEAVES];
    uint32_t new_code[MOST_LEAVES];
    bt_domain domain = {.text = texts};
    /* Some of the leaves occur in the data. */
    for (size_t i = 0; i < t->leaves; i++)
        if (test_below(random, 2)) texts[domain.size++] = t->label[i][0];
    assert_ok(bt_hierarchy_build(&source, "c", &domain, new_code, &f->arena, &f->tree, &f->error),
              &f->error);
    assert_int_equal(domain.size, t->leaves);
    for (uint32_t code = 0; code < domain.size; code++)
        f->leaf_of_code[code] = (size_t)atoi(domain.text[code] + 4);
}

/* Every node is one run of codes that holds exactly the leaves that have its label. */
static void check_nodes(const fixture *f, const twin *t)
{
    for (uint32_t n = 1; n < f->tree->count; n++) {
        const bt_node *node = &f->tree->nodes[n];
        for (uint32_t code = 0; code < t->leaves; code++) {
            const char *own = t->label[f->leaf_of_code[code]][node->level];
            bool inside = code >= node->lo && code < node->hi;
            assert_int_equal(inside, strcmp(own, node->label) == 0);
        }
    }
    size_t labels = 0;
    for (size_t i = 0; i < t->leaves; i++)
        for (size_t level = 0; level < t->height; level++) {
            const char *label = t->label[i][level];
            if (label[0] == '\0') continue;
            bool first = true;
            for (size_t j = 0; j < i; j++)
                first &= strcmp(t->label[j][level], label) != 0;
            labels += first;
            uint32_t node = bt_hierarchy_find(f->tree, label, strlen(label));
            assert_int_not_equal(node, UINT32_MAX);
            assert_int_equal(f->tree->nodes[node].level, level);
        }
    assert_int_equal(f->tree->count, labels + 1);
}

static void check_covers(const fixture *f, const twin *t)
{
    for (uint32_t lo = 0; lo < t->leaves; lo++)
        for (uint32_t hi = lo; hi < t->leaves; hi++) {
            bool inside[MOST_LEAVES] = {false};
            for (uint32_t code = lo; code <= hi; code++)
                inside[f->leaf_of_code[code]] = true;
            uint32_t node = bt_hierarchy_cover(f->tree, lo, hi);
            assert_string_equal(f->tree->nodes[node].label, lowest_cover(t, inside));
        }
}

static void check_levels(const fixture *f, const twin *t)
{
    for (uint32_t code = 0; code < t->leaves; code++) {
        const char *highest = "";
        for (uint32_t level = 0; level < t->height; level++) {
            const char *label = t->label[f->leaf_of_code[code]][level];
            if (label[0]) highest = label;
            /* The root can stand lower than the twin's height when all skip the top levels. */
            const char *expected = level + 1 >= f->tree->levels ? "*" : highest;
            uint32_t node = bt_hierarchy_at(f->tree, code, level);
            assert_string_equal(f->tree->nodes[node].label, expected);
        }
        assert_int_equal(bt_hierarchy_at(f->tree, code, f->tree->levels), 0);
    }
}

static void random_trees_agree_with_their_twins(void **state)
{
    (void)state;
    uint64_t random = 2024;
    twin *t = malloc(sizeof *t);
    assert_non_null(t);
    for (int round = 0; round < ROUNDS; round++) {
        fixture f = {0};
        make_twin(t, &random);
        build(&f, t, &random);
        check_nodes(&f, t);
        check_levels(&f, t);
        if (round % 10 == 0) check_covers(&f, t);
        bt_arena_release(&f.arena);
    }
    free(t);
}

/* ---- derived trees ---- */

static int64_t naive_floor(int64_t number, int64_t width)
{
    while (number % width != 0)
        number--;
    return number;
}

static void intervals_hold_what_they_say(void **state)
{
    (void)state;
    uint64_t random = 99;
    for (int round = 0; round < 300; round++) {
        bt_arena arena = {0};
        bauta_error error;
        int64_t numbers[64], number = -(int64_t)test_below(&random, 200);
        const char *texts[64];
        uint32_t new_code[64];
        bt_domain domain = {.reading = {.type = BT_INTEGER}, .number = numbers, .text = texts};
        for (; domain.size < 64; domain.size++) {
            numbers[domain.size] = number;
            texts[domain.size] = bt_arena_print(&arena, "%lld", (long long)number);
            number += 1 + (int64_t)test_below(&random, 9);
        }
        int64_t width = 2 + (int64_t)test_below(&random, 9), wide = width * 3;
        char spec[64];
        snprintf(spec, sizeof spec, "intervals:%d,%d", (int)width, (int)wide);
        bt_hierarchy *tree;
        const bt_hierarchy_source source = {.spec = spec};
        assert_ok(bt_hierarchy_build(&source, "c", &domain, new_code, &arena, &tree, &error),
                  &error);
        for (uint32_t a = 0; a < 64; a++)
            for (uint32_t b = 0; b < 64; b++)
                for (uint32_t level = 1; level <= 2; level++) {
                    int64_t w = level == 1 ? width : wide;
                    bool same = naive_floor(numbers[a], w) == naive_floor(numbers[b], w);
                    assert_int_equal(
                        bt_hierarchy_at(tree, a, level) == bt_hierarchy_at(tree, b, level), same);
                }
        bt_arena_release(&arena);
    }
}

static void masks_hold_what_they_say(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < 300; round++) {
        bt_arena arena = {0};
        bauta_error error;
        const char *texts[40];
        uint32_t new_code[40];
        bt_domain domain = {.text = texts};
        while (domain.size < 40) {
            char text[8];
            size_t length = 1 + test_below(&random, 4);
            for (size_t i = 0; i < length; i++)
                text[i] = (char)('a' + test_below(&random, 3));
            text[length] = '\0';
            bool fresh = true;
            for (uint32_t i = 0; i < domain.size; i++)
                fresh &= strcmp(texts[i], text) != 0;
            if (fresh) texts[domain.size++] = bt_arena_copy(&arena, text, length);
        }
        bt_hierarchy *tree;
        const bt_hierarchy_source source = {.spec = "mask"};
        assert_ok(bt_hierarchy_build(&source, "c", &domain, new_code, &arena, &tree, &error),
                  &error);
        for (uint32_t old = 0; old < 40; old++) {
            assert_string_equal(domain.text[new_code[old]], texts[old]);
            size_t length = strlen(texts[old]);
            for (uint32_t level = 0; level < tree->levels; level++) {
                char expected[8];
                strcpy(expected, texts[old]);
                size_t hidden = level < length ? level : length - 1;
                memset(expected + length - hidden, '*', hidden);
                uint32_t node = bt_hierarchy_at(tree, new_code[old], level);
                assert_string_equal(tree->nodes[node].label,
                                    level + 1 == tree->levels ? "*" : expected);
            }
        }
        bt_arena_release(&arena);
    }
}

static void balanced_parts_differ_by_one(void **state)
{
    (void)state;
    for (uint32_t ways = 2; ways <= 5; ways++)
        for (uint32_t size = 1; size <= 130; size++) {
            bt_arena arena = {0};
            bauta_error error;
            int64_t numbers[130];
            const char *texts[130];
            uint32_t new_code[130];
            bt_domain domain = {
                .reading = {.type = BT_INTEGER}, .number = numbers, .text = texts, .size = size};
            for (uint32_t i = 0; i < size; i++) {
                numbers[i] = i;
                texts[i] = bt_arena_print(&arena, "%u", i);
            }
            char spec[32];
            snprintf(spec, sizeof spec, "balanced:%u", ways);
            bt_hierarchy *tree;
            const bt_hierarchy_source source = {.spec = spec};
            assert_ok(bt_hierarchy_build(&source, "c", &domain, new_code, &arena, &tree, &error),
                      &error);
            for (uint32_t n = 0; n < tree->count; n++) {
                const bt_node *node = &tree->nodes[n];
                uint32_t leaves = node->hi - node->lo;
                if (node->level == 0) continue;
                assert_int_equal(node->children, leaves < ways ? leaves : ways);
                for (uint32_t k = 0; k < node->children; k++) {
                    const bt_node *child = &tree->nodes[node->first + k];
                    assert_int_equal(child->hi - child->lo, leaves / ways + (k < leaves % ways));
                }
            }
            bt_arena_release(&arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_agree_with_their_twins),
        cmocka_unit_test(intervals_hold_what_they_say),
        cmocka_unit_test(masks_hold_what_they_say),
        cmocka_unit_test(balanced_parts_differ_by_one),
    };
    return cmocka_run_group_tests_name("hierarchy oracle", tests, NULL, NULL);
}
