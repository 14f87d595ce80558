/* SPDX-License-Identifier: Apache-2.0
 *
 * The bags of a form that numbers them: what stands in several files under the same number belongs
 * together. In two tables they are the classes, in a join the sensitive groups.
 *
 * Cost: linear in rows.
 */
#include "base/text.h"
#include "reading/parts.h"
#include "recipe/names.h"

#include <string.h>

typedef struct numbering {
    bt_release *release;
    bt_names names; /* text -> bag, once it has occurred */
    uint32_t *row;  /* per bag: where it occurred first */
} numbering;

/* The number that the text of a bag stands for, in its one canonical form; 0: none. */
static uint32_t read_number(const char *text)
{
    int64_t number;
    char printed[BT_NUMBER_TEXT];
    if (!bt_text_integer(text, &number) || number < 1 || number > UINT32_MAX) return 0;
    size_t length = bt_number_print(BT_INTEGER, 0, number, printed);
    return length == strlen(text) && memcmp(printed, text, length) == 0 ? (uint32_t)number : 0;
}

/* The bag of a text that occurs in a file for the first time. */
static bauta_status find_bag(numbering *n, const bt_values *texts, uint32_t code, int64_t row,
                             uint32_t *out, bauta_error *error)
{
    bt_bags *bags = &n->release->bags;
    bool added;
    const char *text = bt_arena_copy(&n->release->arena, texts->text[code], texts->length[code]);
    if (!text) return bt_fail_memory(error);
    if (bt_names_find(&n->names, 0, text, out)) return BAUTA_OK;
    *out = bags->count++;
    bags->number[*out] = read_number(text);
    n->row[*out] = (uint32_t)row;
    return bt_names_add(&n->names, 0, text, *out, &added, error);
}

/* Numbers the bags of a file in the order of its rows, and counts those. */
static bauta_status number_file(numbering *n, size_t number, const bt_values *texts,
                                uint32_t *counts, bauta_error *error)
{
    bt_release_file *file = &n->release->files[number];
    BT_OWN(bt_free) uint32_t *known = bt_array(texts->count, sizeof *known);
    if (!known) return bt_fail_memory(error);
    for (uint32_t i = 0; i < texts->count; i++)
        known[i] = BT_NOT_KNOWN;
    for (int64_t row = 0; row < file->rows; row++) {
        uint32_t code = file->bag_of[row];
        if (known[code] == BT_NOT_KNOWN) BT_TRY(find_bag(n, texts, code, row, &known[code], error));
        file->bag_of[row] = known[code];
        counts[known[code]]++;
    }
    return BAUTA_OK;
}

/* Two tables: a class is a bag. Where some rows of sensitive.csv stand for made-up values, records
 * are the rows of quasi.csv. Takes over `row`. */
static bauta_status take_classes(bt_release *release, uint32_t *row, bauta_error *error)
{
    bt_bags *bags = &release->bags;
    bool parts = release->form->parts;
    release->classes = (bt_tuples){.count = bags->count,
                                   .size = bt_array(bags->count, sizeof *release->classes.size),
                                   .row = row};
    if (!release->classes.size) return bt_fail_memory(error);
    if (bags->count > 0)
        memcpy(release->classes.size, parts ? bags->rows : bags->values,
               bags->count * sizeof *release->classes.size);
    for (uint32_t b = bags->count; b-- > 0;) {
        if (parts ? bags->rows[b] > 0 && bags->values[b] >= bags->rows[b]
                  : bags->rows[b] == bags->values[b])
            continue;
        bags->unequal++;
        bags->first_unequal = b;
    }
    return BAUTA_OK;
}

bauta_status bt_release_number_bags(bt_release *release, const bt_values *const *texts,
                                    bauta_error *error)
{
    bt_bags *bags = &release->bags;
    numbering n = {.release = release};
    size_t room = texts[0]->count;
    if (texts[1] && !bt_size_add(room, texts[1]->count, &room)) return bt_fail_memory(error);
    if (room >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "the release has more than 2^32 %s",
                       release->form->pair ? "classes" : "sensitive groups");
    bags->number = bt_arena_array(&release->arena, room, sizeof *bags->number);
    bags->rows = bt_arena_array(&release->arena, room, sizeof *bags->rows);
    bags->values = bt_arena_array(&release->arena, room, sizeof *bags->values);
    n.row = bt_array(room, sizeof *n.row);
    bool made = bags->number && bags->rows && bags->values && n.row;
    bauta_status status = made ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = number_file(&n, 0, texts[0], bags->rows, error);
    if (status == BAUTA_OK && texts[1])
        status = number_file(&n, BT_SENSITIVE_FILE, texts[1], bags->values, error);
    bt_names_release(&n.names);
    if (status == BAUTA_OK && release->form->pair) return take_classes(release, n.row, error);
    free(n.row);
    return status;
}

bauta_status bt_release_bag_classes(bt_release *release, bauta_error *error)
{
    const bt_tuples *classes = &release->classes;
    uint32_t *of_class = bt_arena_array(&release->arena, classes->count, sizeof *of_class);
    if (!of_class) return bt_fail_memory(error);
    for (uint32_t c = 0; c < classes->count; c++)
        of_class[c] = release->files[0].bag_of[classes->row[c]];
    release->bags.of_class = of_class;
    return BAUTA_OK;
}
