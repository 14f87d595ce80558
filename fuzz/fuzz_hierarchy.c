/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a hierarchy file, or as the values that a tree is derived from: an error, or a
 * tree that keeps every promise of hierarchy.h and survives writing and reading.
 *
 * The first byte chooses: below 128 the rest is a file for a column of a type, from 128 on the
 * rest is one value per line for a scheme.
 */
#include "fuzz.h"

#include "base/csv.h"
#include "recipe/tree.h"

#include <string.h>

enum { MOST_VALUES = 200 };

static void check_node(const bt_hierarchy *tree, uint32_t index)
{
    const bt_node *node = &tree->nodes[index];
    uint32_t place = node->lo;
    for (uint32_t k = node->first; k < node->first + node->children; k++) {
        const bt_node *child = &tree->nodes[k];
        fuzz_check(k > index && child->parent == index, "a child does not know its parent");
        fuzz_check(child->lo == place && child->hi > child->lo, "children leave a gap");
        fuzz_check(child->level < node->level, "a child is not below its parent");
        place = child->hi;
    }
    fuzz_check(node->children == 0 || place == node->hi, "children do not fill the node");
    fuzz_check(index == 0 || (node->level == 0) == (node->children == 0), "a leaf above level 0");
    fuzz_check(bt_hierarchy_find(tree, node->label, strlen(node->label)) == index,
               "a label does not lead to its node");
}

static void check_tree(const bt_hierarchy *tree, const bt_domain *domain)
{
    fuzz_check(tree->leaves == domain->size && tree->nodes[0].hi == tree->leaves, "size");
    fuzz_check(tree->levels <= BT_LEVELS_MOST, "too many levels");
    fuzz_check(strcmp(tree->nodes[0].label, "*") == 0, "the root has another label");
    for (uint32_t i = 0; i < tree->count; i++)
        check_node(tree, i);
    for (uint32_t code = 0; code < tree->leaves; code++) {
        const bt_node *leaf = &tree->nodes[tree->leaf_node[code]];
        fuzz_check(leaf->lo == code && leaf->hi == code + 1 && leaf->level == 0, "a leaf");
        fuzz_check(strcmp(leaf->name, domain->text[code]) == 0, "a leaf is another value");
        uint32_t other = code + (tree->leaves - code) / 2, node;
        if (other == tree->leaves) continue;
        node = bt_hierarchy_cover(tree, code, other);
        fuzz_check(tree->nodes[node].lo <= code && tree->nodes[node].hi > other, "a cover");
    }
}

static bt_buffer written(const bt_hierarchy *tree)
{
    bt_buffer out = {0};
    fuzz_check(bt_hierarchy_write(tree, false, &out, NULL) == BAUTA_OK, "memory");
    fuzz_check(bt_buffer_reserve(&out, BT_CSV_PADDING, NULL) == BAUTA_OK, "memory");
    memset(out.bytes + out.length, '"', BT_CSV_PADDING);
    return out;
}

static bauta_status read_file(const char *bytes, size_t length, bt_type type, bt_arena *arena,
                              bt_domain *domain, bt_hierarchy **out)
{
    uint32_t no_codes[1];
    bauta_error error;
    *domain = (bt_domain){.reading = {.type = type, .date_form = BT_FORM_DMY}};
    const bt_hierarchy_job job = {"c", domain, no_codes, arena, out};
    return bt_hierarchy_from_csv(&job, "file", bytes, length, &error);
}

/* Without data any tree covers all values. */
static void fuzz_file(const char *bytes, size_t length, bt_type type)
{
    bt_arena arena = {0};
    bt_domain domain, again_domain;
    bt_hierarchy *tree, *again;
    if (read_file(bytes, length, type, &arena, &domain, &tree) == BAUTA_OK) {
        check_tree(tree, &domain);
        bt_buffer first = written(tree);
        fuzz_check(read_file(first.bytes, first.length, type, &arena, &again_domain, &again) ==
                       BAUTA_OK,
                   "a written hierarchy is not read");
        check_tree(again, &again_domain);
        bt_buffer second = written(again);
        fuzz_check(first.length == second.length &&
                       memcmp(first.bytes, second.bytes, first.length) == 0,
                   "a written hierarchy reads as another one");
        bt_buffer_release(&first);
        bt_buffer_release(&second);
    }
    bt_arena_release(&arena);
}

/* The distinct lines; values have no zero bytes. */
static void split_lines(const char *bytes, size_t length, bt_values *out)
{
    for (const char *p = bytes, *end = bytes + length; p < end && out->count < MOST_VALUES;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t size = (size_t)((stop ? stop : end) - p);
        bool fresh = !memchr(p, '\0', size);
        for (uint32_t i = 0; fresh && i < out->count; i++)
            fresh = out->length[i] != size || memcmp(out->text[i], p, size) != 0;
        if (fresh) {
            out->text[out->count] = p;
            out->length[out->count] = (uint32_t)size;
            out->rows[out->count++] = 1;
        }
        p += size + 1;
    }
}

/* A derived tree that was written covers the values it came from, with as many nodes. */
static void check_given_again(const bt_hierarchy *tree, bt_domain domain, bt_arena *arena)
{
    uint32_t new_codes[MOST_VALUES];
    bt_hierarchy *again;
    const bt_hierarchy_job job = {"c", &domain, new_codes, arena, &again};
    bt_buffer text = written(tree);
    bauta_error error;
    if (bt_hierarchy_from_csv(&job, "file", text.bytes, text.length, &error) == BAUTA_OK) {
        check_tree(again, &domain);
        fuzz_check(again->count == tree->count && again->levels == tree->levels,
                   "a derived tree reads as another one");
    } else {
        fuzz_check(strstr(error.message, "UTF-8"), "a derived tree is not read");
    }
    bt_buffer_release(&text);
}

static void fuzz_values(const char *bytes, size_t length, unsigned choice)
{
    static const char *const specs[] = {"mask", "balanced:2",     "balanced:3",        "date",
                                        "flat", "intervals:5,10", "intervals:0.25,1.5"};
    const char *text[MOST_VALUES];
    uint32_t lengths[MOST_VALUES], codes[MOST_VALUES], new_codes[MOST_VALUES];
    int64_t rows[MOST_VALUES];
    bt_values values = {0, text, lengths, rows};
    split_lines(bytes, length, &values);
    bt_arena arena = {0};
    bt_domain domain;
    const bt_missing missing = {0};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    fuzz_check(bt_domain_build(&values, &options, &arena, &domain, codes, NULL) == BAUTA_OK,
               "memory");
    bt_domain old = domain;
    bt_hierarchy *tree;
    const bt_hierarchy_source source = {.spec = specs[choice % 7]};
    if (bt_hierarchy_build(&source, "c", &domain, new_codes, &arena, &tree, NULL) == BAUTA_OK) {
        check_tree(tree, &domain);
        for (uint32_t code = 0; code < old.size; code++)
            fuzz_check(strcmp(old.text[code], domain.text[new_codes[code]]) == 0,
                       "a code leads to another value");
        check_given_again(tree, old, &arena);
    }
    bt_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    size_t length = size - 1;
    char *bytes = malloc(length + BT_CSV_PADDING);
    fuzz_check(bytes, "memory");
    memcpy(bytes, data + 1, length);
    memset(bytes + length, '"', BT_CSV_PADDING);
    if (data[0] < 128)
        fuzz_file(bytes, length, (bt_type)(data[0] % 4));
    else
        fuzz_values(bytes, length, data[0] % 128u);
    free(bytes);
    return 0;
}
