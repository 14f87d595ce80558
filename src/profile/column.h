/* SPDX-License-Identifier: Apache-2.0
 *
 * What a column is by its contents: counts, and what its values look like. Names play no part
 * here.
 */
#ifndef BT_PROFILE_COLUMN_H
#define BT_PROFILE_COLUMN_H

#include "table/table.h"

/* What nearly all values of a column look like. */
typedef enum bt_shape {
    BT_SHAPE_NONE,
    BT_SHAPE_EMAIL,
    BT_SHAPE_URL,
    BT_SHAPE_UUID,    /* 32 hexadecimal digits in five groups */
    BT_SHAPE_ADDRESS, /* of a machine on a network: four numbers up to 255 */
    BT_SHAPE_PHONE,   /* 7 to 15 digits, with a plus sign or something between them */
    BT_SHAPE_MOMENT,  /* a date with a time of day that is not read as one */
} bt_shape;

typedef struct bt_column_profile {
    const char *name;
    const bt_domain *domain;
    const int64_t *counts; /* rows of each code */
    int64_t rows, missing;
    uint32_t distinct;          /* values that occur, the missing one not counted */
    int64_t unique;             /* rows whose value no other row has; a missing value is a value */
    uint32_t shortest, longest; /* characters of a value */
    uint32_t usual;             /* mean number of characters of the distinct values */
    bool spaces;                /* some value has a blank in it */
    bool codes;                 /* only digits, capital letters and - . / _ in all of them */
    bt_shape shape;
} bt_column_profile;

/* From the codes of a column. `name` and `domain` are borrowed, memory is from the arena. */
BT_MUST_USE bauta_status bt_profile_column(const bt_column *column, int64_t rows, bt_arena *arena,
                                           bt_column_profile *out, bauta_error *error);

/* From distinct texts, read with other settings than those of the table. */
BT_MUST_USE bauta_status bt_profile_values(const bt_values *values,
                                           const bt_domain_options *options, int64_t rows,
                                           bt_arena *arena, bt_column_profile *out,
                                           bauta_error *error);

/* Every column of a table, in order. */
BT_MUST_USE bauta_status bt_profile_table(const bt_table *table, bt_arena *arena,
                                          bt_column_profile **out, bauta_error *error);

static inline int64_t bt_profile_present(const bt_column_profile *profile)
{
    return profile->rows - profile->missing;
}

/* Values that tell records apart, the missing one among them. */
static inline uint32_t bt_profile_classes(const bt_column_profile *profile)
{
    return profile->distinct + (profile->missing > 0);
}

#endif
