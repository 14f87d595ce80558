/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a measure: what a release lost against the original. One file per measure,
 * one line in measures.def.
 *
 * Measures see the release and a few numbers about the original, never its records, so they
 * cost as much as the distinct cells and classes, whatever the number of rows, unless they are
 * about sensitive values. Dropped rows count as fully generalized.
 */
#ifndef BT_MEASURE_H
#define BT_MEASURE_H

#include "base/facts.h"
#include "reading/release.h"

typedef struct bt_original_column { /* 0 in columns with a hierarchy */
    uint32_t values;                /* distinct, the missing one not counted */
    int64_t least, greatest;        /* numbers and dates, at `scale` */
    int scale;                      /* decimals: that of the original, or of the release if finer */
} bt_original_column;

typedef struct bt_original_facts {
    int64_t rows;
    const bt_original_column *columns; /* quasi columns in the order of data.csv */
} bt_original_facts;

typedef struct bt_measure_job {
    const bt_release *release;
    const bt_original_facts *original;
    int64_t rows;    /* original records */
    int64_t dropped; /* those that are not in the release */
    const bt_run *run;
} bt_measure_job;

typedef enum bt_direction { BT_LOWER_IS_BETTER, BT_HIGHER_IS_BETTER, BT_NO_DIRECTION } bt_direction;

typedef struct bt_measure {
    const char *name; /* the key of its fact */
    const char *summary;
    const char *paper;
    bt_direction direction;
    bool release_only; /* needs nothing of the original: those fields of the job are not set */
    /* Puts its number, or an object of numbers, under its name into `at`; facts that go with it
     * have keys that begin with its name. What does not apply to the release puts nothing. Out of
     * memory: sets facts->failed. */
    void (*compute)(const bt_measure_job *job, bt_facts *facts, json_t *at);
} bt_measure;

extern const bt_measure *const bt_measure_registry[];
extern const size_t bt_measure_registry_count;

/* What ncp.c divides by in a column, and what it divides of one of its cells. */
uint64_t bt_ncp_whole(const bt_release_column *column, const bt_original_column *original);
uint64_t bt_ncp_part(const bt_release_column *column, uint32_t code,
                     const bt_original_column *original, uint64_t whole);

/* From one end of a range to the other, at the original's scale. */
static inline uint64_t bt_range_length(const bt_release_column *column, const bt_cell *cell,
                                       const bt_original_column *original)
{
    uint64_t length = (uint64_t)cell->hi - (uint64_t)cell->lo;
    for (int i = column->manifest->scale; i < original->scale; i++)
        if (__builtin_mul_overflow(length, (uint64_t)10, &length)) return UINT64_MAX;
    return length;
}

/* Puts every measure into `at`; of a join they are about all rows of data.csv. BAUTA_INVALID when
 * the original is not as long as the release says. */
BT_MUST_USE bauta_status bt_measure_all(const bt_release *release,
                                        const bt_original_facts *original, const bt_run *run,
                                        bt_facts *facts, json_t *at, bauta_error *error);

/* Puts `join` into `at`: ncp, discernibility and perimeter of the records of the microdata, of
 * which class c of the release has records[c]. */
BT_MUST_USE bauta_status bt_measure_join(const bt_release *release,
                                         const bt_original_facts *original, const uint32_t *records,
                                         bt_facts *facts, json_t *at, bauta_error *error);

/* Puts the similarity attack alone, which needs no original. BAUTA_INVALID when the release has
 * no categories. */
BT_MUST_USE bauta_status bt_measure_attack(const bt_release *release, const bt_run *run,
                                           bt_facts *facts, json_t *at, bauta_error *error);

/* What measures need to know of the original. `table` holds the quasi columns that have no
 * hierarchy (others do no harm), named as in the release; `rows` counts all original records.
 * Memory from the arena. */
BT_MUST_USE bauta_status bt_original_describe(const bt_release *release, const bt_table *table,
                                              int64_t rows, bt_arena *arena, bt_original_facts *out,
                                              bauta_error *error);

#endif
