/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found out about a column that is published as it is: which types fit, how many
 * values are missing, how many rows have a value of their own.
 *
 * Uniqueness is exact up to 4,096 distinct values. Beyond that the values whose hash ends in
 * enough zero bits are kept (adaptive distinct sampling) and the count is scaled up.
 */
#ifndef BT_CHECK_H
#define BT_CHECK_H

#include "io/input.h"

typedef struct bt_sampler {
    uint64_t *slots; /* hash with bit 0: seen more than once; 0: free */
    size_t size, used;
    unsigned level; /* only hashes whose top `level` bits are zero are kept */
} bt_sampler;

BT_MUST_USE bauta_status bt_sampler_add(bt_sampler *sampler, uint64_t hash, bool repeated,
                                        bauta_error *error);
BT_MUST_USE bauta_status bt_sampler_merge(bt_sampler *into, const bt_sampler *from,
                                          bauta_error *error);
int64_t bt_sampler_unique(const bt_sampler *sampler);

static inline bool bt_sampler_wants(const bt_sampler *sampler, uint64_t hash)
{
    return sampler->level == 0 || hash >> (64 - sampler->level) == 0;
}

/* A value seen lately. One that is settled has been sampled as repeated and typed, so that only
 * its rows are counted: most fields of a column with few values end here. */
typedef struct bt_recent {
    uint64_t hash;
    int64_t rows; /* not yet in the checker's counts */
    uint32_t bytes;
    bool missing, settled;
    bool plain; /* its bytes are what it means, however the column is read: see chain.h */
} bt_recent;

enum { BT_RECENT_SIZE = 256 };

typedef struct bt_checker {
    unsigned forms;
    bool only_read; /* nobody asks how many rows have a value of their own */
    bool altered;   /* some value is not canonical as it stands: see bt_check.verbatim */
    int64_t missing;
    int64_t bytes; /* in CSV, quoted only where they must be */
    bt_sampler values;
    bt_recent recent[BT_RECENT_SIZE];
} bt_checker;

void bt_checker_release(bt_checker *checker);

/* Takes one value of a column of the input; `hash` is that of its text. */
BT_MUST_USE bauta_status bt_checker_take_new(bt_checker *checker, const bt_input_options *options,
                                             size_t column, const char *text, uint32_t length,
                                             uint64_t hash, bauta_error *error);

static inline bauta_status bt_checker_take(bt_checker *checker, const bt_input_options *options,
                                           size_t column, const char *text, uint32_t length,
                                           uint64_t hash, bauta_error *error)
{
    bt_recent *recent = &checker->recent[hash % BT_RECENT_SIZE];
    if (recent->hash != hash || !recent->settled)
        return bt_checker_take_new(checker, options, column, text, length, hash, error);
    recent->rows++;
    return BAUTA_OK;
}

/* Brings the counts up to date, after the last value. */
void bt_checker_end(bt_checker *checker);
BT_MUST_USE bauta_status bt_checker_merge(bt_checker *into, const bt_checker *from,
                                          bauta_error *error);

#endif
