/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as requirements: refused, or a conjunction that reads back as itself, binds to a small
 * table or is refused there, and judges it.
 */
#include "fuzz.h"

#include "require/requirement.h"

#include <string.h>

static const uint32_t category_of[] = {0, 1, 1};
static const bt_categories categories = {.count = 2, .of_code = category_of};
static const char *const texts[] = {"a", "b,c", ""};

static void make_people(bt_people *people)
{
    static const uint8_t first[] = {0, 0, 1, 2, 2, 1}, second[] = {0, 1, 0, 1, 0, 1};
    static const void *const codes[] = {first, second};
    static const unsigned widths[] = {1, 1};
    static const int64_t numbers[] = {3, 1, 0};
    const bt_sensitive columns[] = {
        {.name = "s", .size = 3, .text = texts, .categories = &categories, .number = numbers},
        {.name = "(x)=", .size = 2, .text = texts}};
    fuzz_check(bt_people_make(columns, codes, widths, 2, 6, NULL, 0, people, NULL) == BAUTA_OK,
               "memory");
}

/* What a manifest keeps of a requirement is the same requirement. */
static void check_again(const bt_requirements *first, bt_arena *arena)
{
    for (size_t i = 0; i < first->count; i++) {
        bt_requirements again;
        const char *text = first->items[i].text;
        fuzz_check(bt_requirements_parse(text, arena, &again, NULL) == BAUTA_OK, "not read back");
        fuzz_check(again.count == 1 && strcmp(again.items[0].text, text) == 0, "reads differently");
        fuzz_check(again.items[0].type == first->items[i].type, "another requirement");
        for (size_t v = 0; v < first->items[i].type->param_count; v++)
            fuzz_check(strcmp(again.items[0].values[v].text, first->items[i].values[v].text) == 0,
                       "another value");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_people people;
    bauta_error error;
    char *text = malloc(size + 1);
    fuzz_check(text, "memory");
    memcpy(text, data, size);
    text[size] = '\0';
    bauta_status status = bt_requirements_parse(text, &arena, &requirements, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "parsing fails oddly");
    if (status == BAUTA_OK) {
        check_again(&requirements, &arena);
        make_people(&people);
        status = bt_requirements_bind(&requirements, &people, &arena, &error);
        fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "binding fails oddly");
        if (status == BAUTA_OK) status = bt_requirements_feasible(&requirements, &error);
        fuzz_check(status != BAUTA_NO || error.hint[0] != '\0', "refused without a number");
        bt_people_release(&people);
    }
    free(text);
    bt_arena_release(&arena);
    return 0;
}
