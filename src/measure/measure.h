/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a measure: what a release lost against the original. One file per measure,
 * one line in measures.def.
 *
 * Measures see cells and classes and a few numbers about the original, never its records, so they
 * cost as much as the distinct cells and classes, whatever the number of rows, unless they are
 * about sensitive values. Dropped rows count as fully generalized. Where there is no release yet, a
 * grouping shows the cells and the classes that it would have (grouping.c).
 */
#ifndef BT_MEASURE_H
#define BT_MEASURE_H

#include "base/facts.h"
#include "class/join.h"
#include "reading/release.h"

typedef struct bt_original_column { /* 0 in columns with a hierarchy */
    uint32_t values;                /* distinct, the missing one not counted */
    int64_t least, greatest;        /* numbers and dates, at `scale` */
    int scale;                      /* decimals: that of the original, or of the release if finer */
    bt_rational weight; /* what its loss counts for (class/steer.h); bottom 0: as much as any */
} bt_original_column;

typedef struct bt_original_facts {
    int64_t rows;
    const bt_original_column *columns; /* quasi columns in the order of data.csv */
} bt_original_facts;

typedef struct bt_measure_column { /* a quasi column */
    const char *name;
    const bt_hierarchy *hierarchy; /* NULL: none */
    bt_type type;
    int scale;         /* of the numbers in cells */
    bool values_shown; /* values are published, not cells */
    bt_original_column original;
    uint32_t cells; /* how many there are, each shown by some rows */
    /* Puts the cell with a number; how many rows show it. */
    int64_t (*cell)(const struct bt_measure_column *column, uint32_t number, bt_cell *out);
    const void *source; /* what shows them, for `cell` */
    size_t place;       /* of the column there */
} bt_measure_column;

typedef struct bt_measure_job {
    const bt_measure_column *columns;
    size_t column_count;
    const uint32_t *sizes; /* of the classes: rows */
    uint32_t classes;
    int64_t rows;              /* original records */
    int64_t dropped;           /* records that are not in the release */
    int64_t least;             /* rows of a class that were asked for */
    const bt_release *release; /* NULL: there is none yet */
    const bt_run *run;
} bt_measure_job;

typedef enum bt_direction { BT_LOWER_IS_BETTER, BT_HIGHER_IS_BETTER, BT_NO_DIRECTION } bt_direction;

typedef struct bt_measure {
    const char *name; /* the key of its fact */
    const char *summary;
    const char *paper;
    bt_direction direction;
    bool release_only; /* needs nothing of the original: those fields of the job are not set */
    bool of_grouping;  /* needs no release */
    /* Puts its number, or an object of numbers, under its name into `at`; facts that go with it
     * have keys that begin with its name. What does not apply to the release puts nothing. Out of
     * memory: sets facts->failed. */
    void (*compute)(const bt_measure_job *job, bt_facts *facts, json_t *at);
} bt_measure;

extern const bt_measure *const bt_measure_registry[];
extern const size_t bt_measure_registry_count;

/* The mean loss of the quasi cells of all records. */
double bt_ncp(const bt_measure_job *job);

/* Puts `weighted_ncp`, in which columns count what the recipe says, where it says so. */
void bt_weighted_put(const bt_measure_job *job, bt_facts *facts, json_t *at);

/* The squared sizes of classes, with what is dropped. */
unsigned __int128 bt_discernibility(const bt_measure_job *job);
void bt_discernibility_put(const bt_measure_job *job, bt_facts *facts, json_t *at);

/* The sum of perimeters, where all quasi columns are numbers or dates in ranges. */
void bt_perimeter_put(const bt_measure_job *job, bt_facts *facts, json_t *at);

/* From one end of a range to the other, at the original's scale. */
static inline uint64_t bt_range_length(const bt_measure_column *column, const bt_cell *cell)
{
    uint64_t length = (uint64_t)cell->hi - (uint64_t)cell->lo;
    for (int i = column->scale; i < column->original.scale; i++)
        if (__builtin_mul_overflow(length, (uint64_t)10, &length)) return UINT64_MAX;
    return length;
}

/* What a code of a release shows; what is no cell says nothing. */
void bt_shown_cell(const bt_release_column *column, uint32_t code, bt_cell *out);

/* The quasi columns of a release as measures see them. Memory from the arena, or NULL. */
bt_measure_column *bt_measure_columns(const bt_release *release, const bt_original_facts *original,
                                      bt_arena *arena, size_t *count);

/* Puts every measure into `at`; of a join they are about all rows of data.csv. BAUTA_INVALID when
 * the original is not as long as the release says. */
BT_MUST_USE bauta_status bt_measure_all(const bt_release *release,
                                        const bt_original_facts *original, const bt_run *run,
                                        bt_facts *facts, json_t *at, bauta_error *error);

typedef struct bt_measured_grouping { /* what a grouping would come to */
    const bt_grouping *grouping;
    const bt_column *const *quasi;
    int64_t records;   /* of the input: those in no class count as dropped */
    int64_t least;     /* rows of a class that were asked for */
    bool values_shown; /* the form publishes values, not cells */
} bt_measured_grouping;

/* Puts the measures that need no release into `at`, as those of the release would be. */
BT_MUST_USE bauta_status bt_measure_grouping(const bt_measured_grouping *asked, bt_facts *facts,
                                             json_t *at, bauta_error *error);

typedef struct bt_join_score { /* the losses of paper 5, of the microdata alone */
    double ncp;                /* mean over the quasi cells of all records of the microdata, as
                                  shares of the range and of the values that these have */
    int64_t discernibility;    /* sum over these of the records of the microdata in their class;
                                  saturates */
} bt_join_score;

BT_MUST_USE bauta_status bt_join_measure(const bt_join *join, bt_join_score *out,
                                         bauta_error *error);

/* What the microdata, the first rows of a table, by themselves have in a column: what external
 * persons add to the domain must not make the loss look smaller. */
BT_MUST_USE bauta_status bt_own_extent(const bt_column *column, int64_t rows,
                                       bt_original_column *out, bauta_error *error);

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
