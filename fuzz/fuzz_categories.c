/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of categories: refused without a word of what it holds, or categories of
 * which every value of the column has one.
 */
#include "fuzz.h"

#include "base/csv.h"
#include "recipe/categories.h"

#include <string.h>

enum { VALUES = 4 };

static const char *const texts[] = {"HIV", "flu", "a;b", "plague", ""}; /* the last is missing */

static void check(const bt_categories *categories, const bt_domain *domain, bt_arena *arena)
{
    uint64_t shown[] = {5};
    bt_category *list;
    fuzz_check(categories->count > 0 && categories->count <= domain->size, "how many");
    for (uint32_t code = 0; code < domain->size; code++)
        fuzz_check(categories->of_code[code] < categories->count, "a value without a category");
    for (uint32_t i = 0; i < categories->count; i++)
        fuzz_check(categories->names[i][0] != '\0', "a category without a name");
    fuzz_check(bt_categories_list(categories, domain, shown, arena, &list, NULL) == BAUTA_OK,
               "memory");
    size_t listed = 0;
    for (uint32_t i = 0; i < categories->count; i++)
        listed += list[i].count;
    fuzz_check(listed == 2, "not those that are shown");
}

/* The values of the column: text, or numbers. */
static void make_domain(bool numbers, bt_arena *arena, bt_domain *out)
{
    static const char *const digits[] = {"1", "2", "10", "-3", ""};
    static const uint32_t lengths[] = {3, 3, 3, 6, 0}, digit_lengths[] = {1, 1, 2, 2, 0};
    static const int64_t rows[] = {1, 1, 1, 1, 1};
    uint32_t codes[VALUES + 1];
    const bt_missing missing = {0};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    const bt_values values = {VALUES + 1, (const char **)(uintptr_t)(numbers ? digits : texts),
                              (uint32_t *)(uintptr_t)(numbers ? digit_lengths : lengths),
                              (int64_t *)(uintptr_t)rows};
    fuzz_check(bt_domain_build(&values, &options, arena, out, codes, NULL) == BAUTA_OK, "memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const tokens[] = {"NA"};
    const bt_missing missing = {.tokens = tokens, .count = 1};
    bt_arena arena = {0};
    bt_domain domain;
    bt_categories *categories;
    bauta_error error;
    if (size == 0) return 0;
    size_t length = size - 1;
    char *bytes = malloc(length + BT_CSV_PADDING);
    fuzz_check(bytes, "memory");
    memcpy(bytes, data + 1, length);
    memset(bytes + length, '"', BT_CSV_PADDING);
    make_domain(data[0] % 2, &arena, &domain);
    const bt_categories_job job = {
        .column = "c", .domain = &domain, .missing = &missing, .arena = &arena};
    bauta_status status = bt_categories_from_csv(&job, "file", bytes, length, &categories, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "reading fails oddly");
    if (status == BAUTA_OK)
        check(categories, &domain, &arena);
    else
        fuzz_check(!strstr(error.message, "plague") && !strstr(error.hint, "plague"),
                   "an error shows a value");
    free(bytes);
    bt_arena_release(&arena);
    return 0;
}
