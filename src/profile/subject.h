/* SPDX-License-Identifier: Apache-2.0
 *
 * Which columns of a table tell that persons have several records.
 */
#ifndef BT_SUBJECT_H
#define BT_SUBJECT_H

#include "base/run.h"
#include "profile/guess.h"

/* Whether to look if the values of a column repeat: identifiers name persons, whatever they are
 * called; of other columns the name tells that they may. */
bool bt_seems_to_name(const char *column, bt_role role);

/* Whether such a column, with so many present and different values, names persons and not things.
 * Numbers given to persons do so in any role, others not where they are quasi or sensitive. */
bool bt_names_persons(const char *column, bt_role role, int64_t present, int64_t distinct);

/* Whether the values of a column that names persons are numbers given to them, which tell more than
 * what people share, such as names and addresses. */
bool bt_numbers_persons(const char *column);

/* Whether the numbers of such a column tell, if no record lacks one and none repeats, that nobody
 * has two records. */
bool bt_numbers_each_person(const char *column);

typedef struct bt_subject_guess {
    bool said;            /* false: nothing repeats, and nothing need be said */
    const char **columns; /* columns that together name a person */
    size_t count;         /* 0: every record is a person */
    const char *reason;   /* for a person to read */
} bt_subject_guess;

/* `profiles`, `table->columns` and `guesses` are parallel. Memory from the arena. */
BT_MUST_USE bauta_status bt_guess_subject(const bt_column_profile *profiles, const bt_table *table,
                                          const bt_guess *guesses, const bt_run *run,
                                          bt_arena *arena, bt_subject_guess *out,
                                          bauta_error *error);

#endif
