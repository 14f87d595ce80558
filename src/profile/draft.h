/* SPDX-License-Identifier: Apache-2.0
 *
 * A recipe written for a person to read, from what was guessed about a table.
 */
#ifndef BT_DRAFT_H
#define BT_DRAFT_H

#include "profile/guess.h"
#include "profile/settings.h"
#include "profile/subject.h"

typedef struct bt_choice { /* an entry of a registry */
    const char *name, *summary;
    const char *refused; /* why the recipe does not run with it; NULL: nothing is known of that */
} bt_choice;

typedef struct bt_draft {
    const bauta_recipe *recipe; /* what was asked: files, and settings that are kept */
    const bt_column_recipe *plan;
    const bt_guess *guesses;
    size_t columns; /* entries of the two above */
    bt_subject_guess subject;
    const bt_settings *settings;
    bt_encoding encoding;
    bool encoding_guessed;
    char delimiter; /* 0: the format has none */
    int64_t rows;
    size_t quasi;                     /* columns of this role */
    int64_t unique;                   /* rows that are unique by them */
    bool missing;                     /* there are missing values in columns that are used */
    const bt_choice *methods, *forms; /* the first of each is the default */
    const char *group;                /* what to group by, where nothing was asked for */
    size_t method_count, form_count;
    bool tried;               /* the recipe was run with each form */
    const char *refused;      /* why it does not run as it is; NULL: nothing is known of that */
    const char *const *notes; /* sentences */
    size_t note_count;
} bt_draft;

/* Fills in what the owner of the table should be told first. Memory from the arena. */
BT_MUST_USE bauta_status bt_draft_note(bt_draft *draft, bt_arena *arena, bauta_error *error);

BT_MUST_USE bauta_status bt_draft_write(const bt_draft *draft, bt_buffer *out, bauta_error *error);

#endif
