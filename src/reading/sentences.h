/* SPDX-License-Identifier: Apache-2.0
 *
 * What forms compose their words of. Only src/reading may include this.
 */
#ifndef BT_SENTENCES_H
#define BT_SENTENCES_H

#include "reading/words.h"

struct bt_composer {
    const bt_manifest *manifest;
    const bt_words_basis *basis;
    bt_buffer text;
    bauta_error *error;
};

/* Adds a sentence; a space goes before it if it is not the first. */
BT_MUST_USE bauta_status bt_say(bt_composer *c, const char *format, ...) BT_PRINTF(2, 3);

/* The columns that a sentence is about: "age, sex and zip". Long lists end in "and 7 more". */
typedef struct bt_column_list {
    size_t count;
    char text[400];
} bt_column_list;

typedef bool (*bt_column_choice)(const bt_composer *c, size_t column);

bt_column_list bt_list_columns(const bt_composer *c, bt_column_choice is_listed);
bool bt_column_is_quasi(const bt_composer *c, size_t column);
bool bt_column_is_sensitive(const bt_composer *c, size_t column);
/* Whether a column shows only the categories of its values. */
bool bt_column_is_category(const bt_composer *c, size_t column);
/* Whether a column is sensitive or other, and shows its values. */
bool bt_column_is_raw(const bt_composer *c, size_t column);

/* ---- what several forms say; `where` is what sensitive values are in: "class" ---- */

extern const char bt_everyone_is_seen[];

/* What is promised of sensitive values. */
BT_MUST_USE bauta_status bt_say_values(bt_composer *c, const char *where);
/* What the values of a class, or of a sensitive group, tell of everyone in it. */
BT_MUST_USE bauta_status bt_expose_values(bt_composer *c, const char *where);
/* The promises may be judged of each sensitive column by itself. */
BT_MUST_USE bauta_status bt_expose_joint(bt_composer *c);
BT_MUST_USE bauta_status bt_expose_columns(bt_composer *c, bt_column_choice is_shown);
/* Forms that cut the link to sensitive values publish other columns beside quasi values. */
BT_MUST_USE bauta_status bt_expose_others(bt_composer *c);
BT_MUST_USE bauta_status bt_expose_method(bt_composer *c);
BT_MUST_USE bauta_status bt_expose_counts(bt_composer *c);

/* Format 0: the words of a form, and those about persons with several rows. NULL: out of memory. */
const char *bt_words_0_of_persons(const bt_manifest *manifest, const char *form, bt_arena *arena);

#endif
