/* SPDX-License-Identifier: Apache-2.0
 *
 * A release opened again from its store: all that the audit, measures, queries and
 * attacks may see of it. Nothing here knows how the release was made.
 *
 * Distinct texts are numbered as they were read, in no fixed order; classes are numbered in the
 * order of their first rows, so what is reported about them never depends on threads.
 */
#ifndef BT_RELEASE_H
#define BT_RELEASE_H

#include "base/run.h"
#include "class/mechanism.h"
#include "class/subdomains.h"
#include "io/input.h"
#include "reading/reading.h"
#include "recipe/cell.h"
#include "store/store.h"
#include "table/tuples.h"

enum { BT_NOT_KNOWN = UINT32_MAX };

typedef struct bt_release_column {
    const bt_manifest_column *manifest;
    size_t file;  /* which of the release's files it is in: its rows are those of that file */
    size_t place; /* there, from 0 */
    /* quasi and sensitive columns */
    const bt_values *values; /* distinct texts, and the rows of each */
    void *codes;             /* per row: index into values */
    unsigned width;          /* bytes per code */
    bool *well_formed;       /* false: not a cell (quasi), not canonical (sensitive), or not in the
                                hierarchy or the categories that the manifest has for it */
    /* quasi columns */
    bool fine;             /* decimals: values may have more places than the release shows */
    bool values_shown;     /* texts are values, not cells: by the form, or since the column is
                              published as it is and an attacker knows it */
    bt_cell_format format; /* hierarchies that are not whole: the published nodes under the root */
    bt_cell *cells;        /* parallel to values; members of sets are left out (text is
                              NULL): bt_release_cell gives them. Of a column that shows values
                              BT_CELL_VALUE or BT_CELL_MISSING */
    /* sensitive columns, parallel to values; BT_NOT_KNOWN: the manifest does not have it */
    uint32_t *category;            /* with categories, own or of the column it stands beside */
    const bt_category *categories; /* those */
    uint32_t category_count;
    uint32_t *leaf; /* with a hierarchy: the code there */
    /* other columns */
    const bt_check *check;
    int64_t alone; /* rows whose value no other row has */
} bt_release_column;

/* Whether a file is written as those of a release must be: no needless quotes, blanks, carriage
 * returns or empty lines through which the source's formatting could show. */
typedef struct bt_release_shape {
    int64_t bytes;     /* of the file */
    int64_t canonical; /* bytes that its values take in canonical form */
    bool ends_well;    /* with one line end */
} bt_release_shape;

typedef struct bt_release_file { /* a table of the release */
    const char *name;            /* "data.csv" */
    int64_t rows;                /* at most UINT32_MAX */
    bt_release_shape shape;
    uint32_t *bag_of;           /* per row: its bag, where the form numbers them; else NULL */
    const bt_coded_table *held; /* the store holds it column by column; NULL: it is bytes */
    bt_raw *raw;
    bt_raw *others; /* after bt_release_code_others */
    bt_input *input;
} bt_release_file;

enum { BT_QUASI_FILE = 0, BT_SENSITIVE_FILE = 1, BT_RELEASE_FILES = 2 };

/* Bags of sensitive values, where a column of every table numbers them: in two tables the classes,
 * in a join the sensitive groups. They are in the order in which they occur in the tables. */
typedef struct bt_bags {
    const char *name; /* name of the column that numbers bags; NULL: there is none, and classes are
                         the bags */
    uint32_t count;
    uint32_t *number;   /* per bag: as published; 0: what stands there is not a number from 1 */
    uint32_t *rows;     /* per bag: rows of the first table */
    uint32_t *values;   /* per bag: rows of sensitive.csv. In two tables as many as `rows`, or with
                           made-up values more; in a join those of records */
    uint32_t *of_class; /* join: per class its bag; else NULL: a class is a bag */
    uint32_t unequal;   /* two tables: bags in which `rows` and `values` are unequal */
    uint32_t first_unequal; /* the first unequal bag */
} bt_bags;

/* The parts of the domain that stand in sensitive.csv instead of values. */
typedef struct bt_release_distribution {
    const bt_release_column *sensitive; /* has no values of its own; NULL: no parts */
    bt_shown_part *parts;               /* the different ones */
    uint32_t part_count;
    uint32_t *part_of;   /* per row of sensitive.csv */
    uint32_t *target_of; /* per class: of the manifest's targets; BT_NOT_KNOWN: not just one */
    bool bounds;         /* there is a bounds.csv */
} bt_release_distribution;

struct bt_release {
    const bt_store *store;
    bt_store own_store; /* that, unless it is somebody else's */
    bt_manifest manifest;
    const bt_reading_form *form;
    bt_release_file files[BT_RELEASE_FILES];
    size_t file_count;
    size_t sensitive_file;      /* the one that has the sensitive columns: the last */
    int64_t rows;               /* of the first file: records, in a join persons */
    bt_release_column *columns; /* in the order of the manifest */
    size_t column_count;
    bt_tuples classes; /* rows regrouped by their quasi texts, in a join also by their sensitive
                          groups; in two tables by the class that stands in them: size and first
                          row in the first file; in the order of these rows. Sizes of two tables are
                          those of sensitive.csv, unless there are made-up values */
    bt_bags bags;
    bt_mechanism mechanism;               /* redrawn: how its rows came about; else lambda is 0 */
    bt_release_distribution distribution; /* parts */
    const char *foreign;    /* an SQL file that holds something else than what follows from the
                               manifest; NULL: none */
    int64_t alone_together; /* rows that no other equals in all other columns; 0: there are none */
    bt_arena arena;
};

/* Whether sensitive columns stand in a file of their own, where only bags tell whose they are. */
static inline bool bt_sensitive_apart(const bt_release *release)
{
    return release->sensitive_file != BT_QUASI_FILE;
}

/* Whether a join does not say how many of its rows are records of the original. */
static inline bool bt_records_hidden(const bt_release *release)
{
    return release->form->join && !bt_sensitive_apart(release);
}

/* Records of the original in the release; 0 where nobody knows. */
static inline int64_t bt_release_records(const bt_release *release)
{
    if (!release->form->join) return release->rows;
    return bt_records_hidden(release) ? 0 : release->files[BT_SENSITIVE_FILE].rows;
}

/* Rows of the file that has the sensitive columns. */
static inline int64_t bt_sensitive_rows(const bt_release *release)
{
    return release->files[release->sensitive_file].rows;
}

/* Opens the release in the store that `name` stands for cold. BAUTA_INVALID when it is not a
 * release (a file is missing, extra, unreadable, or the manifest is malformed). Cells that are not
 * well formed are marked, not refused: the audit reports them. `out` must be closed also after a
 * failure; it cannot be moved while it is open. */
BT_MUST_USE bauta_status bt_release_open(const char *name, const bt_run *run, bt_release *out,
                                         bauta_error *error);
/* bt_release_open from a store that is open, and stays so as long as the release. */
BT_MUST_USE bauta_status bt_release_open_store(const bt_store *store, const bt_run *run,
                                               bt_release *out, bauta_error *error);
void bt_release_close(bt_release *release);

/* Reads the files again for their `other` columns, which get values and codes too. */
BT_MUST_USE bauta_status bt_release_code_others(bt_release *release, const bt_run *run,
                                                bauta_error *error);

/* The bag of sensitive values that each row of the file with the sensitive columns is in: its
 * class, in a join its sensitive group. *count: of bags. The array is the caller's to free. */
BT_MUST_USE bauta_status bt_release_bags(const bt_release *release, const bt_run *run,
                                         uint32_t **bag_of, uint32_t *count, bauta_error *error);

/* The class of each row of a file, but not of sensitive.csv in a join; the array is the caller's to
 * free. */
BT_MUST_USE bauta_status bt_release_number(const bt_release *release, size_t file,
                                           const bt_run *run, uint32_t **class_of,
                                           bauta_error *error);

/* The rows of a file class by class, ascending in each. */
typedef struct bt_class_rows {
    uint32_t *order;
    size_t *starts; /* classes + 1: those of class c are order[starts[c]..starts[c + 1]) */
} bt_class_rows;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_release_arrange(const bt_release *release, size_t file,
                                            const bt_run *run, bt_class_rows *out,
                                            bauta_error *error);
void bt_class_rows_release(bt_class_rows *rows);

/* The cell of value `code` of a quasi column with all its members, from the arena. */
BT_MUST_USE bauta_status bt_release_cell(const bt_release_column *column, uint32_t code,
                                         bt_arena *arena, bt_cell *out, bauta_error *error);

/* Whether only the nodes of a quasi column's hierarchy are known that occur in cells. */
bool bt_release_lacks_tree(const bt_release_column *column);

/* Whether a column shows categories, and which values have which is not known. */
bool bt_release_lacks_categories(const bt_release_column *column);

/* Gives a column that lacks it the whole tree, which lives as long as the release: from then on it
 * is as if the manifest had it. BAUTA_INVALID: it does not have the nodes that stand in cells. */
BT_MUST_USE bauta_status bt_release_complete(bt_release *release, size_t column,
                                             const bt_hierarchy *tree, bauta_error *error);

/* Gives a column that shows categories the values that have each, from those of the original. */
BT_MUST_USE bauta_status bt_release_complete_categories(bt_release *release, size_t column,
                                                        const bt_column *original,
                                                        bauta_error *error);

/* Whether a file of the release ("bounds.csv") holds exactly this. */
BT_MUST_USE bauta_status bt_release_holds(const bt_release *release, const char *name,
                                          const bt_buffer *text, bool *out, bauta_error *error);

/* Whether its files have different times; copying a release may do that. */
bool bt_release_times_differ(const bt_release *release);

/* How the texts of a column are read: the canonical forms of its type. */
bt_reading bt_release_reading(const bt_manifest_column *column);

#endif
