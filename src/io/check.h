/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found out about a column that is not coded: which types fit, how many values are missing,
 * how long they are; and, if asked, how
 * many rows have a value of their own.
 */
#ifndef BT_CHECK_H
#define BT_CHECK_H

#include "base/hash.h"
#include "io/watch.h"

/* A value seen lately. Of one that is known only the rows are counted: most fields of a column with
 * few values end here. */
typedef struct bt_recent {
    bt_words words;
    uint64_t hash;
    char *text; /* of more than BT_WORDS bytes */
    size_t room;
    int64_t rows; /* not yet in the checker's counts */
    uint32_t length;
    uint32_t bytes; /* in CSV */
    bool known, missing;
    bool plain; /* its bytes are what it means, however the column is read: see chain.h */
} bt_recent;

enum { BT_RECENT_BITS = 8, BT_RECENT_SIZE = 1 << BT_RECENT_BITS };

enum { BT_CODES_MOST = 1 << 16 }; /* values of a dictionary that are looked at once each */

typedef struct bt_checker {
    unsigned forms;
    bool altered; /* some value is not canonical as it stands: see bt_check.verbatim */
    int64_t missing;
    int64_t bytes; /* in CSV, quoted only where they must be */
    bt_watcher
        *alone; /* gets each value once, or more than once if it repeats; NULL: nobody asks */
    bt_recent recent[BT_RECENT_SIZE];
    const void *dictionary; /* the last that codes were of; NULL: there was none */
    bt_recent *codes;       /* per code of it */
    size_t code_count;
} bt_checker;

void bt_checker_release(bt_checker *checker);

/* The slow path of bt_checker_take. */
BT_MUST_USE bauta_status bt_checker_take_new(bt_checker *checker, bt_recent *recent,
                                             const bt_input_options *options, size_t column,
                                             const char *text, uint32_t length, bt_words words,
                                             uint64_t hash, bauta_error *error);

/* Takes one value of a column of the input; `words` and `hash` are those of its text. *seen says
 * what it is, until the next one is taken. */
static inline bauta_status bt_checker_take(bt_checker *checker, const bt_input_options *options,
                                           size_t column, const char *text, uint32_t length,
                                           bt_words words, uint64_t hash, const bt_recent **seen,
                                           bauta_error *error)
{
    bt_recent *recent = &checker->recent[hash >> (64 - BT_RECENT_BITS)];
    *seen = recent;
    uint64_t differs = (recent->words.first ^ words.first) | (recent->words.second ^ words.second) |
                       (recent->length ^ length);
    if (differs != 0 || !recent->known ||
        (length > BT_WORDS && memcmp(recent->text, text, length) != 0))
        return bt_checker_take_new(checker, recent, options, column, text, length, words, hash,
                                   error);
    recent->rows++;
    return BAUTA_OK;
}

/* Makes checker->codes those of a dictionary of `count` values. */
BT_MUST_USE bauta_status bt_checker_change(bt_checker *checker, const void *dictionary,
                                           size_t count, bauta_error *error);

/* Brings the counts up to date, after the last value. */
BT_MUST_USE bauta_status bt_checker_end(bt_checker *checker, bauta_error *error);
void bt_checker_merge(bt_checker *into, const bt_checker *from);

#endif
