/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the file of a target: refused without a word of what it holds, or a space that holds
 * every value of the file with its weight, and from which a target can be made and rounded.
 */
#include "fuzz.h"

#include "base/csv.h"
#include "class/space.h"

#include <string.h>

enum { VALUES = 4 };

/* The values of the column: text, or numbers. */
static void make_column(bool numbers, bt_arena *arena, bt_column *out)
{
    static const char *const texts[] = {"HIV", "flu", "a;b", "plague"};
    static const char *const digits[] = {"1", "2", "10", "-3"};
    static const uint32_t lengths[] = {3, 3, 3, 6}, digit_lengths[] = {1, 1, 2, 2};
    static const int64_t rows[] = {1, 1, 1, 1};
    uint32_t codes[VALUES];
    const bt_missing missing = {0};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    const bt_values values = {VALUES, (const char **)(uintptr_t)(numbers ? digits : texts),
                              (uint32_t *)(uintptr_t)(numbers ? digit_lengths : lengths),
                              (int64_t *)(uintptr_t)rows};
    *out = (bt_column){.name = "c", .role = BT_ROLE_SENSITIVE};
    fuzz_check(bt_domain_build(&values, &options, arena, &out->domain, codes, NULL) == BAUTA_OK,
               "memory");
}

static void check(const bt_space *space, const uint64_t *weights, bt_arena *arena)
{
    bt_target target;
    fuzz_check(space->hierarchy->leaves == space->domain.size, "values that are no leaves");
    for (uint32_t code = 0; code < space->domain.size; code++)
        fuzz_check(weights[code] > 0, "a value without a weight");
    bauta_status status = bt_target_make(space, weights, arena, &target, NULL);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "making fails oddly");
    if (status != BAUTA_OK) return;
    fuzz_check(target.leaves == space->domain.size, "a value is lost");
    fuzz_check(bt_target_round(&target, 16, NULL) == BAUTA_OK, "cannot be rounded");
    for (uint32_t i = 0; i < target.count; i++)
        fuzz_check(target.nodes[i].weight > 0, "a node without a weight");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bt_arena arena = {0};
    bt_column column;
    bt_space space;
    uint64_t *weights;
    bauta_error error;
    if (size == 0) return 0;
    size_t length = size - 1;
    char *bytes = malloc(length + BT_CSV_PADDING);
    fuzz_check(bytes, "memory");
    memcpy(bytes, data + 1, length);
    memset(bytes + length, '"', BT_CSV_PADDING);
    make_column(data[0] % 2, &arena, &column);
    bauta_status status =
        bt_space_from_csv(&column, "file", bytes, length, &arena, &space, &weights, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "reading fails oddly");
    if (status == BAUTA_OK)
        check(&space, weights, &arena);
    else
        fuzz_check(!strstr(error.message, "plague") && !strstr(error.hint, "plague"),
                   "an error shows a value");
    free(bytes);
    bt_arena_release(&arena);
    return 0;
}
