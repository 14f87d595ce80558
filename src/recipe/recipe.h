/* SPDX-License-Identifier: Apache-2.0
 *
 * The recipe: the whole request, filled from flags, from YAML, or both (flags win).
 */
#ifndef BT_RECIPE_H
#define BT_RECIPE_H

#include "base/rational.h"
#include "base/run.h"
#include "base/text.h"
#include "recipe/hierarchy.h"

typedef struct bt_column_recipe {
    const char *name;
    bt_role role; /* BT_ROLE_NONE: not said */
    bool has_type;
    bt_type type;
    bool has_hierarchy;
    bt_hierarchy_source hierarchy;
} bt_column_recipe;

typedef struct bt_list {
    const char **items;
    size_t count, capacity;
} bt_list;

struct bauta_recipe {
    bt_arena arena; /* every string and list below, but for `capacity`-grown arrays */
    bt_list inputs;
    bt_column_recipe *columns;
    size_t column_count, column_capacity;
    bt_role rest;        /* role of columns that are not named; BT_ROLE_NONE: refuse */
    const char *require; /* "k=5,alpha=0.5"; NULL: not said */
    const char *group;   /* "mondrian:order=gain"; NULL: the default */
    const char *publish; /* "generalized"; NULL: the default */
    bt_rational suppress;
    bool missing_drop;      /* rows with a missing quasi or sensitive value are dropped */
    bt_list missing_values; /* tokens; empty list: NA and ? */
    bool has_encoding;
    bt_encoding encoding;
    bool decimal_comma;
    char delimiter; /* 0: sniffed */
    bool no_header;
    const char *seed_file, *seed;
    unsigned threads; /* 0: all processors */
    size_t memory;    /* 0: default */
    const char *tmp;  /* NULL: default */
    bt_list accept_other;
    bt_rational unique_limit; /* share of rows above which an `other` column stops the run */
    bool keep_mapping;
    bool force;
    bool allow_experiment; /* audit: a seeded release is not a fault */
    uint64_t given;        /* bit per entry of the key table: set by a flag */
    const char *folder;    /* of the recipe file: its relative file names start there */
    bauta_progress progress;
    void *progress_user;
};

/* The keys, their help and where they may stand: drives flags, YAML, docs and `bauta list keys`. */
typedef struct bt_recipe_key {
    const char *name;
    const char *argument; /* "COL,…"; NULL: a switch (yes or no) */
    const char *help;     /* one line */
    bauta_status (*set)(bauta_recipe *recipe, const char *value, bauta_error *error);
} bt_recipe_key;

extern const bt_recipe_key bt_recipe_keys[];
extern const size_t bt_recipe_key_count;

/* Finds or adds the entry of a column. */
BT_MUST_USE bauta_status bt_recipe_column(bauta_recipe *recipe, const char *name,
                                          bt_column_recipe **out, bauta_error *error);

/* What the columns of an input are to be: every column has a role, every name in the recipe
 * exists. `names` are the input's columns; *out (count entries, from the arena) is parallel to
 * them. Errors suggest the nearest name or how to name the rest. */
BT_MUST_USE bauta_status bt_recipe_resolve(const bauta_recipe *recipe, const char *const *names,
                                           size_t count, bt_arena *arena, bt_column_recipe **out,
                                           bauta_error *error);

#endif
