/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of two-tables: what stands in both files under the same number belongs together.
 *
 * Cost: linear in rows.
 */
#include "base/text.h"
#include "reading/parts.h"
#include "recipe/names.h"

#include <string.h>

typedef struct pairing {
    bt_release *release;
    bt_names names; /* text -> class, once it has occurred */
} pairing;

uint32_t bt_release_read_number(const char *text)
{
    int64_t number;
    char printed[BT_NUMBER_TEXT];
    if (!bt_text_integer(text, &number) || number < 1 || number > UINT32_MAX) return 0;
    size_t length = bt_number_print(BT_INTEGER, 0, number, printed);
    return length == strlen(text) && memcmp(printed, text, length) == 0 ? (uint32_t)number : 0;
}

/* The class of a text that occurs in a file for the first time. */
static bauta_status find_class(pairing *p, const bt_values *texts, uint32_t code, int64_t row,
                               uint32_t *out, bauta_error *error)
{
    bt_release *release = p->release;
    bool added;
    const char *text = bt_arena_copy(&release->arena, texts->text[code], texts->length[code]);
    if (!text) return bt_fail_memory(error);
    if (bt_names_find(&p->names, 0, text, out)) return BAUTA_OK;
    *out = release->classes.count;
    release->pair.number[*out] = bt_release_read_number(text);
    release->classes.row[*out] = (uint32_t)row;
    release->classes.count++;
    return bt_names_add(&p->names, 0, text, *out, &added, error);
}

/* Numbers the classes of a file in the order of its rows, and counts those. */
static bauta_status number_file(pairing *p, size_t number, const bt_values *texts, uint32_t *size,
                                bauta_error *error)
{
    bt_release_file *file = &p->release->files[number];
    uint32_t *known = bt_array(texts->count, sizeof *known);
    bauta_status status = known ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; status == BAUTA_OK && i < texts->count; i++)
        known[i] = BT_NOT_KNOWN;
    for (int64_t row = 0; row < file->rows && status == BAUTA_OK; row++) {
        uint32_t code = file->class_of[row];
        if (known[code] == BT_NOT_KNOWN)
            status = find_class(p, texts, code, row, &known[code], error);
        if (status != BAUTA_OK) break;
        file->class_of[row] = known[code];
        size[known[code]]++;
    }
    free(known);
    return status;
}

/* In a distribution some rows of sensitive.csv stand for made-up values: records are the rows of
 * quasi.csv. */
static bauta_status count_parts(bt_release *release, bauta_error *error)
{
    bt_release_pair *pair = &release->pair;
    size_t bytes = release->classes.count * sizeof *pair->part_size;
    pair->part_size =
        bt_arena_array(&release->arena, release->classes.count, sizeof *pair->part_size);
    if (!pair->part_size) return bt_fail_memory(error);
    memcpy(pair->part_size, release->classes.size, bytes);
    memcpy(release->classes.size, pair->quasi_size, bytes);
    return BAUTA_OK;
}

static void compare_sizes(bt_release *release)
{
    bt_release_pair *pair = &release->pair;
    for (uint32_t c = release->classes.count; c-- > 0;) {
        if (pair->part_size ? pair->quasi_size[c] > 0 && pair->part_size[c] >= pair->quasi_size[c]
                            : pair->quasi_size[c] == release->classes.size[c])
            continue;
        pair->unequal++;
        pair->first_unequal = c;
    }
}

bauta_status bt_release_pair_classes(bt_release *release, const bt_values *const *texts,
                                     bauta_error *error)
{
    pairing p = {.release = release};
    size_t room;
    if (!bt_size_add(texts[0]->count, texts[1]->count, &room) || room >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "the release has more than 2^32 classes");
    release->classes = (bt_tuples){.size = bt_array_zero(room, sizeof *release->classes.size),
                                   .row = bt_array_zero(room, sizeof *release->classes.row)};
    release->pair.number = bt_arena_array(&release->arena, room, sizeof *release->pair.number);
    release->pair.quasi_size =
        bt_arena_array(&release->arena, room, sizeof *release->pair.quasi_size);
    bauta_status status = BAUTA_OK;
    if (!release->classes.size || !release->classes.row || !release->pair.number ||
        !release->pair.quasi_size)
        status = bt_fail_memory(error);
    if (status == BAUTA_OK)
        status =
            number_file(&p, BT_QUASI_FILE, texts[BT_QUASI_FILE], release->pair.quasi_size, error);
    if (status == BAUTA_OK)
        status = number_file(&p, BT_SENSITIVE_FILE, texts[BT_SENSITIVE_FILE], release->classes.size,
                             error);
    if (status == BAUTA_OK && bt_is_distribution(release)) status = count_parts(release, error);
    if (status == BAUTA_OK) compare_sizes(release);
    bt_names_release(&p.names);
    return status;
}
