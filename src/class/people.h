/* SPDX-License-Identifier: Apache-2.0
 *
 * People: the records reduced to what requirements see of them, their sensitive values.
 *
 * Each distinct combination of sensitive values is a profile, so that a class is a multiset of
 * profiles whatever the number of sensitive columns. With subjects (one person, several
 * records) everything counts persons, not records.
 */
#ifndef BT_PEOPLE_H
#define BT_PEOPLE_H

#include "base/run.h"
#include "recipe/categories.h"

struct bt_grouping; /* class/grouping.h */

typedef struct bt_sensitive { /* one sensitive column */
    const char *name;
    uint32_t size;           /* codes 0..size-1 */
    const char *const *text; /* of each code; "" for the missing value */
    bt_type type;
    const int64_t *number;                /* numbers and dates: of each code; else NULL */
    const struct bt_hierarchy *hierarchy; /* NULL: none */
    const bt_categories *categories;      /* NULL: none */
    bool published;                       /* what is left of the table: a value that does not
                                             occur was dropped, it is no mistake to name it */
    bool only_categories;                 /* the codes are those of categories: values are not
                                             published, and nothing about them can be judged */
    int64_t *counts;                      /* persons who have the value, in the whole table */
    int64_t total;                        /* sum of counts */
} bt_sensitive;

typedef struct bt_people {
    int64_t rows, persons;
    size_t columns;
    bt_sensitive *sensitive;
    uint32_t profiles;
    uint32_t *profile_of;       /* per row */
    uint32_t *profile_values;   /* profiles * columns: the code in each column */
    const uint32_t *subject_of; /* per row, 0..subjects-1; NULL: every record is a person */
    uint32_t subjects;
    const uint64_t *counts; /* per row: how many records it stands for, each a person of its own;
                               NULL: one. Not with subjects */
    /* With subjects and more than two columns one person may have several profiles with the same
     * values in two columns. bt_pair_count(columns) * profiles: the first profile that has the
     * same values in this pair of columns; else NULL. */
    uint32_t *pair_of;
    /* Where a record stands for a whole person (bt_people_whole): those of record r are
     * unit_profiles[unit_starts[r]..unit_starts[r + 1]), each once, and profile_of is the first of
     * them. NULL: a record has one profile. */
    size_t *unit_starts;
    uint32_t *unit_profiles;
    bool together; /* a person's rows are never in two classes; for the caller to set */
    /* With a public table (bt_people_joined): the last profile is that of persons who are in it
     * alone. They have no sensitive values, and of no class do they count as records. */
    bool joined;
    bool sized_by_all; /* persons of the public table alone count for the sizes of classes */
    bt_arena arena;
} bt_people;

/* Whether classes are counted by rows (bt_tally_add_row) because profiles alone do not tell how
 * many persons there are. */
static inline bool bt_people_by_row(const bt_people *people)
{
    return people->subject_of || people->unit_starts;
}

static inline size_t bt_pair_count(size_t columns)
{
    return columns * (columns - (columns > 0)) / 2;
}

static inline size_t bt_pair_number(size_t a, size_t b) /* a != b, in either order */
{
    return a < b ? bt_pair_count(b) + a : bt_pair_count(a) + b;
}

/* `codes[c]` (width widths[c]) are the rows' values in sensitive[c], whose descriptions are copied;
 * `subject_of` is borrowed. */
BT_MUST_USE bauta_status bt_people_make(const bt_sensitive *sensitive, const void *const *codes,
                                        const unsigned *widths, size_t columns, int64_t rows,
                                        const uint32_t *subject_of, uint32_t subjects,
                                        bt_people *out, bauta_error *error);
/* People where only numbers of records matter: no profiles are made. */
bt_people bt_people_plain(int64_t rows);
/* People where only numbers of persons matter: without subjects as bt_people_plain has them, else
 * all have one profile. */
BT_MUST_USE bauta_status bt_people_counted(const bt_table *table, bt_people *out,
                                           bauta_error *error);

/* The people of counted tuples: row r of the table stands for counts[r] records, at least one. With
 * `sizes` only numbers of records matter, and no profiles are made. Borrows `counts`. */
BT_MUST_USE bauta_status bt_people_of_tuples(const bt_table *table, const uint64_t *counts,
                                             bool sizes, bt_people *out, bauta_error *error);

/* How many records a row stands for. */
static inline uint64_t bt_people_records(const bt_people *people, uint32_t row)
{
    return people->counts ? people->counts[row] : 1;
}

/* How many records the rows of a class stand for. */
int64_t bt_class_records(const struct bt_grouping *grouping, const bt_people *people,
                         uint32_t class_number);

/* Every person of `people` as one record with all profiles of the person: record r is subject r,
 * and each has at least one row. Names and values are borrowed. */
BT_MUST_USE bauta_status bt_people_whole(const bt_people *people, bt_people *out,
                                         bauta_error *error);

/* The rows of a joined table (class/join.h), or `rows` of them (`picked` in number; NULL: all):
 * first `records` records of the microdata, then others. With `values`, the people of the
 * microdata, records have their values and sizes count records; without, none has any and sizes
 * count all. Borrows what `values` borrow, and its counts; not those with subjects. */
BT_MUST_USE bauta_status bt_people_joined(const bt_people *values, int64_t records,
                                          const uint32_t *rows, int64_t picked, bt_people *out,
                                          bauta_error *error);

/* The sensitive columns of a table, and its subjects. */
BT_MUST_USE bauta_status bt_people_of_table(const bt_table *table, bt_people *out,
                                            bauta_error *error);
void bt_people_release(bt_people *people);

/* One sensitive column within a class: what a requirement judges. */
typedef struct bt_bag {
    int64_t size;           /* persons */
    bool of_subjects;       /* persons may have several records each */
    int64_t external;       /* persons who are only in a public table */
    bool sized_by_all;      /* `size` counts external persons too */
    const bt_sensitive *of; /* NULL: only the size is known */
    size_t column;          /* its place among the sensitive columns */
    uint32_t distinct;      /* values that occur */
    const uint32_t *codes;  /* those, in no order */
    const uint64_t *counts; /* by code: persons who have it */
    int64_t total;          /* sum of counts; equals size unless persons have several values */
} bt_bag;

static inline int64_t bt_bag_records(const bt_bag *bag)
{
    return bag->sized_by_all ? bag->size - bag->external : bag->size;
}

/* Counting a class, by records or by profiles. One per worker. */
typedef struct bt_tally bt_tally;

BT_MUST_USE bauta_status bt_tally_new(const bt_people *people, bt_tally **out, bauta_error *error);
void bt_tally_free(bt_tally *tally);
static inline void bt_tally_drop(bt_tally **tally) /* for BT_OWN */
{
    bt_tally_free(*tally);
}
/* About what an empty one takes, for those who hold many. */
size_t bt_tally_bytes(const bt_people *people);
void bt_tally_clear(bt_tally *tally);

/* Adds a record, or the records that a row stands for; with subjects this may need memory. */
BT_MUST_USE bauta_status bt_tally_add_row(bt_tally *tally, uint32_t row, bauta_error *error);
/* Undoes bt_tally_add_row. */
void bt_tally_remove_row(bt_tally *tally, uint32_t row);
/* Without subjects only: `count` records of a profile; remove undoes add. */
void bt_tally_add(bt_tally *tally, uint32_t profile, uint64_t count);
void bt_tally_remove(bt_tally *tally, uint32_t profile, uint64_t count);

int64_t bt_tally_size(const bt_tally *tally);
/* How many there are, as a bag without a column. */
bt_bag bt_tally_numbers(const bt_tally *tally);
/* The bag of a column; valid until the tally changes. */
bt_bag bt_tally_bag(const bt_tally *tally, size_t column);
/* The bag of `column` in those records of the class that have value `code` in `known`, another
 * column; valid until the tally changes or is asked about the same `column` again. */
bt_bag bt_tally_known(bt_tally *tally, size_t known, uint32_t code, size_t column);

#endif
