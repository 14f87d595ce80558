/* SPDX-License-Identifier: Apache-2.0
 *
 * The one data structure: an immutable table of dictionary-coded columns.
 *
 * A domain lists a column's values in layout order; a code is a place in that list. Numbers
 * and dates are ranked, leaves of a hierarchy are in tree order, other text is ordered by
 * descending frequency (ties by bytes). The missing value, when it occurs, is the last code.
 * So a range, a node and a predicate are all an interval of codes. Codes are held in the
 * narrowest of 8, 16 and 32 bits. Only quasi and sensitive columns are held.
 */
#ifndef BT_TABLE_H
#define BT_TABLE_H

#include "base/rational.h"
#include "table/value.h"

typedef enum bt_role {
    BT_ROLE_NONE,
    BT_ROLE_IDENTIFIER,
    BT_ROLE_QUASI,
    BT_ROLE_SENSITIVE,
    BT_ROLE_OTHER,
    BT_ROLE_DROPPED,
} bt_role;

const char *bt_role_name(bt_role role); /* "identifier", "quasi", …; "none" */

/* Distinct texts of a column as they were read (UTF-8), with the number of rows of each. */
typedef struct bt_values {
    uint32_t count;
    const char **text; /* not zero-terminated */
    uint32_t *length;
    int64_t *rows;
} bt_values;

typedef struct bt_domain {
    bt_reading reading;    /* how source texts became values */
    int scale;             /* BT_DECIMAL: numbers are values times 10^scale */
    uint32_t size;         /* codes 0..size-1 */
    bool has_missing;      /* then the code size-1 is the missing value, with the text "" */
    const char **text;     /* canonical, zero-terminated */
    const int64_t *number; /* not BT_TEXT: of each code (missing: 0); else NULL. Ascending, but
                              for a domain in the tree order of a given hierarchy or a mask */
} bt_domain;

static inline uint32_t bt_domain_present(const bt_domain *domain)
{
    return domain->size - domain->has_missing;
}

typedef struct bt_domain_options {
    const bt_missing *missing;
    bool decimal_comma;
    bool has_type; /* `type` was asked for: values that do not fit are an error */
    bt_type type;
    bool whole;           /* integers: whole numbers that are written as decimals fit too */
    int64_t misfits_most; /* rows that may have values that do not fit: these become missing */
    const char *column;   /* for errors */
} bt_domain_options;

/* Finds the type, makes values canonical and lays them out in natural order (numbers ranked,
 * text by descending frequency). Puts the code of values->text[i] into code_of_value[i]; values
 * without a row have no part in it, and any code. A
 * decimal column whose numbers do not fit 64 bits at its scale becomes text. */
BT_MUST_USE bauta_status bt_domain_build(const bt_values *values, const bt_domain_options *options,
                                         bt_arena *arena, bt_domain *out, uint32_t *code_of_value,
                                         bauta_error *error);

/* The canonical text of a value that stands in a file beside the data, in the column's own form or
 * canonical already: *text points at itself or at `out` (room for BT_NUMBER_TEXT). False: it is
 * not of the column's type. */
bool bt_domain_canonical(const bt_domain *domain, const char **text, size_t *length, char *out);

struct bt_hierarchy;  /* recipe/hierarchy.h */
struct bt_categories; /* recipe/categories.h */
struct bt_cuts;       /* recipe/cuts.h */

/* What the recipe says of the loss of a quasi column; all zero: nothing. class/steer.h has what
 * methods ask. */
typedef struct bt_steering {
    bt_rational weight; /* what its loss counts for: a share of what that of the heaviest quasi
                           column does, so from 0 to 1. bottom 0: as much */
    uint32_t lowest;    /* level: cells are never more specific (min-level) */
    const uint32_t *lowest_of; /* per code: the node that its cells are at least; NULL: that of its
                                  path at `lowest` */
    uint32_t above; /* level: cells are always more specific; max-level + 1. 0: any may be */
} bt_steering;

typedef struct bt_column {
    const char *name;
    bt_role role;
    size_t source; /* its place in the input, from 0 */
    bt_domain domain;
    const struct bt_hierarchy *hierarchy;   /* NULL: none */
    const struct bt_categories *categories; /* of sensitive values; NULL: none */
    const struct bt_cuts *cuts;             /* where cells without a hierarchy begin and end; NULL:
                                               where values of the class are */
    bt_steering steering;
    unsigned width; /* bytes per code: 1, 2 or 4 */
    void *codes;    /* owned by the table */
} bt_column;

typedef struct bt_table {
    int64_t rows;
    size_t count; /* coded columns, in input order */
    bt_column *columns;
    uint32_t *subject_of; /* per row: the person it is about, 0..subjects-1 by their first rows,
                             each with a row; NULL: every record is a person. Owned by the table */
    uint32_t subjects;
    bt_arena arena; /* columns, domains, hierarchies, names */
} bt_table;

static inline unsigned bt_code_width(uint32_t domain_size)
{
    return domain_size <= 256 ? 1 : domain_size <= 65536 ? 2 : 4;
}

static inline uint32_t bt_code_at(const void *codes, unsigned width, int64_t row)
{
    switch (width) {
    case 1: return ((const uint8_t *)codes)[row];
    case 2: return ((const uint16_t *)codes)[row];
    default: return ((const uint32_t *)codes)[row];
    }
}

static inline uint32_t bt_column_code(const bt_column *column, int64_t row)
{
    return bt_code_at(column->codes, column->width, row);
}

/* Frees the codes of every column, then the arena. */
void bt_table_release(bt_table *table);

/* Leaves only these rows, which are named in ascending order. Subjects keep their numbers: see
 * below. */
void bt_table_keep(bt_table *table, const int64_t *rows, int64_t count);

/* Numbers the subjects anew, by their first rows: those without a row are forgotten. */
BT_MUST_USE bauta_status bt_table_number_subjects(bt_table *table, bauta_error *error);

/* A table of some rows, which shares names, domains and hierarchies with this one. Released by the
 * caller, also after a failure. */
BT_MUST_USE bauta_status bt_table_pick(const bt_table *table, const uint32_t *rows, int64_t count,
                                       bt_table *out, bauta_error *error);

/* The column with a name; NULL: there is none. */
const bt_column *bt_table_find(const bt_table *table, const char *name);

/* The columns of one role, as pointers; the array is the caller's to free. */
BT_MUST_USE bauta_status bt_table_select(const bt_table *table, bt_role role,
                                         const bt_column ***out, size_t *count, bauta_error *error);

#endif
