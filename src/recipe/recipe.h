/* SPDX-License-Identifier: Apache-2.0
 *
 * The recipe: the whole request, filled from flags, from YAML, or both (flags win).
 */
#ifndef BT_RECIPE_H
#define BT_RECIPE_H

#include "base/rational.h"
#include "base/run.h"
#include "base/text.h"
#include "recipe/categories.h"
#include "recipe/hierarchy.h"
#include "recipe/names.h"
#include "table/arrow.h"

/* How a quasi column steers what is lost. */
typedef enum bt_steer {
    BT_STEER_WEIGHT,    /* what its loss counts for against that of the others */
    BT_STEER_MIN_LEVEL, /* its cells are never below this level */
    BT_STEER_MAX_LEVEL, /* its cells are never above this level */
    BT_STEER_LEVEL,     /* its cells are of this level: neither below nor above */
    BT_STEERS,
} bt_steer;

typedef struct bt_column_recipe {
    const char *name;
    bt_role role; /* BT_ROLE_NONE: not said */
    bool has_type;
    bt_type type;
    bool has_hierarchy; /* said; also "none" */
    bt_hierarchy_source hierarchy;
    bool is_public; /* its hierarchy is a public classification: a release has it whole */
    bool has_categories;
    bt_categories_source categories;
    bt_rational steers[BT_STEERS]; /* bottom 0: not said */
    const char *cut_points;        /* NULL: none */
    const char **missing;          /* texts that mean missing in it, beside those of all columns */
    size_t missing_count;
    int64_t misfits_more; /* of a table compared with a release: rows beside bauta_recipe's
                             misfits_most that may have values of another type */
    /* said before the recipe file was read: the file does not change it */
    bool role_given, type_given, hierarchy_given, categories_given;
    bool steers_given[BT_STEERS], cut_points_given, missing_given;
} bt_column_recipe;

typedef struct bt_list {
    const char **items;
    size_t count, capacity;
} bt_list;

enum { BT_MOST_KEYS = 62 };

/* How queries estimate. */
typedef enum bt_estimator {
    BT_ESTIMATE_USUAL,    /* as the form of the release does: spread or unbiased */
    BT_ESTIMATE_SPREAD,   /* within cells evenly; within classes in proportion */
    BT_ESTIMATE_PAPER,    /* paper 1's SQL: two-tables, COUNT */
    BT_ESTIMATE_UNBIASED, /* the randomization undone */
    BT_ESTIMATE_DIRECT,   /* the rows of a randomized release as they stand */
    BT_ESTIMATORS,
} bt_estimator;

extern const char *const bt_estimator_names[BT_ESTIMATORS];

struct bauta_recipe {
    bt_arena arena; /* every string and list below, but for `capacity`-grown arrays */
    bt_list inputs;
    bt_streams *streams;      /* tables that are no files: arrow:NAME; NULL: there are none */
    struct bt_stores *stores; /* releases that are no folders: store:NAME; NULL: there are none */
    bt_column_recipe *columns;
    size_t column_count, column_capacity;
    bt_names column_names; /* name -> place in `columns` */
    const char *require;   /* "k=5,alpha=0.5"; NULL: not said */
    const char *group;     /* "mondrian:order=gain"; NULL: the default */
    const char *publish;   /* "generalized"; NULL: the default */
    bt_rational suppress;
    int64_t nodes;            /* of a lattice that are looked at; 0: as many as it takes */
    bt_rational time;         /* for that, in seconds; bottom 0: as long as it takes */
    bt_rational unique_limit; /* share of rows above which raw columns stop the run */
    bt_list missing_values;   /* tokens of all columns; empty list: NA and ? */
    bt_list accept;           /* columns to be published although they lead back to people */
    bt_list previous;         /* folders of earlier releases */
    const char *plan;         /* the file of a plan; NULL: a method groups the records */
    const char *save_plan;    /* the file that the plan is written to; NULL: none */
    const char *count;        /* the column that says how many records a row stands for, when a plan
                                 is made of counted tuples; no key sets it. NULL: one */
    bt_list subject;          /* the columns that together tell persons apart */
    bt_list publics;          /* files of public databases; empty: none */
    const char *key;          /* the column that names persons there and here; NULL: not said */
    const char *join;         /* "refine:trim=none"; NULL: the default */
    const char *seed_file, *seed;
    const bt_seed *fixed_streams; /* for tests, no key sets it: all random streams follow from this
                                     alone, whatever the table and the recipe are; NULL: they
                                     follow from those too */
    size_t memory;                /* 0: default */
    const char *tmp;              /* NULL: default */
    const char *file;             /* the recipe file; NULL: there was none */
    const char *folder;           /* of it, with the slash: its relative names start there */
    uint64_t given;               /* bit per entry of the key table: set by a flag */
    struct {
        int line, column;
    } places[BT_MOST_KEYS]; /* per entry of the key table: where the file set it; line 0: it did
                               not */
    bauta_progress progress;
    void *progress_user;
    bauta_notice notice;
    void *notice_user;
    unsigned threads; /* 0: all processors */
    bt_encoding encoding;
    bt_role rest; /* role of columns that are not named; BT_ROLE_NONE: refuse */
    bool has_encoding;
    bool missing_drop; /* rows with a missing quasi or sensitive value are dropped */
    bool decimal_comma;
    char delimiter;             /* 0: sniffed */
    bool has_header, no_header; /* whether the first record names the columns was said; it does not
                                 */
    bool keep_mapping;
    bool spreadsheet_safe; /* published texts that look like formulas are made harmless */
    bool force;
    bool previous_none;    /* there are no earlier releases, as whoever has the data says */
    bool subject_none;     /* every record is a person, whatever repeats */
    bool rows_together;    /* a person's rows stay in one class */
    bool any_public_value; /* public tables may have texts that the table has not */
    bool loose_categories; /* a table compared with a release: not every value needs a category */
    int64_t misfits_most;  /* a table compared with a release: rows that may have misfits */
    bool whole_decimals; /* a table compared with a release: integers may be written as decimals */
    bool nobody_is_one;  /* records that name no person are those of one; else they are refused */
    bool key_none;       /* nobody of the public database is in the microdata */
    bool exclude_public; /* public records that differ from the microdata are left out */
    bool joint_none;     /* requirements: each sensitive column by itself */
    bool allow_experiment;         /* audit: a seeded release is not a fault */
    bool similarity;               /* measure: the similarity attack alone */
    const char *workload;          /* measure: queries to ask; NULL: none */
    const char *associations;      /* measure: which to look for; NULL: none */
    bool pairs;                    /* measure: how columns depend on each other */
    int64_t queries;               /* how many; 0: not said */
    bool explain;                  /* query: say where an answer comes from */
    bt_estimator estimator;        /* query */
    bool risk;                     /* describe: the risk of the table as it stands */
    bt_rational risk_threshold;    /* above it, a record is at risk */
    bt_rational sampling_fraction; /* of the population; bottom 0: not said */
    bool rest_given;               /* `rest` was set by a flag */
    bool missing_values_given;     /* `missing_values` was set by a flag */
    bool loading;                  /* a recipe file is being read */
    bool streams_borrowed;         /* another recipe frees `streams` and `stores` */
    bool replacing;                /* what is set takes the place of what was said before */
};

/* What a key's value may be in a recipe file. */
typedef enum bt_key_kind {
    BT_KEY_TEXT,   /* one text */
    BT_KEY_SWITCH, /* yes or no; the flag takes no argument */
    BT_KEY_FILE,   /* the name of a file or folder */
    BT_KEY_FILES,  /* names of files or folders: one or a list; the flag may be repeated */
    BT_KEY_LIST,   /* texts: a flag separates them by commas, a backslash keeps a comma */
    BT_KEY_MARKS, /* like BT_KEY_LIST, and COL=TEXT|TEXT of one column; a map of columns to lists */
    BT_KEY_PAIR,  /* COL=VALUE, or a map of columns to values */
    BT_KEY_CHOICE,  /* NAME:option=value,…, or a map of the name, as `chooses`, and options */
    BT_KEY_REQUIRE, /* NAME=VALUE,…, a list of them, or a map */
} bt_key_kind;

/* The keys, their help and where they may stand: drives flags, YAML, docs and `bauta list keys`. */
typedef struct bt_recipe_key {
    bauta_key key; /* the public part: name, argument, section, help */
    bt_key_kind kind;
    bt_role role; /* for `set`; BT_ROLE_NONE: the key is not about roles */
    size_t field; /* for setters of any field: where it is in the recipe */
    bauta_status (*set)(bauta_recipe *recipe, const struct bt_recipe_key *key, const char *value,
                        bauta_error *error);
    /* Sets a file of a column that is given as text; NULL: the key names no such file. */
    bauta_status (*set_text)(bauta_recipe *recipe, const char *column, const char *name,
                             const char *text, size_t length, bauta_error *error);
    const char *chooses;  /* BT_KEY_CHOICE: "method", "form" */
    const char *excludes; /* the key that cannot be given together with this one, or NULL */
} bt_recipe_key;

extern const bt_recipe_key bt_recipe_keys[];
extern const size_t bt_recipe_key_count;

/* As the key says it: "latin-1". */
const char *bt_encoding_name(bt_encoding encoding);

/* NULL when there is none; bt_recipe_unknown_key then makes the error, with the nearest name. */
const bt_recipe_key *bt_recipe_find_key(const char *name);
BT_MUST_USE bauta_status bt_recipe_unknown_key(const char *name, bauta_error *error);

/* ---- building ---- */

/* Finds or adds the entry of a column. */
BT_MUST_USE bauta_status bt_recipe_column(bauta_recipe *recipe, const char *name,
                                          bt_column_recipe **out, bauta_error *error);

/* Each refuses a second, different value; what was given before a file was read stays silently
 * when the file is being read. */
BT_MUST_USE bauta_status bt_recipe_set_role(bauta_recipe *recipe, const char *column, bt_role role,
                                            bauta_error *error);
BT_MUST_USE bauta_status bt_recipe_set_rest(bauta_recipe *recipe, bt_role role, bauta_error *error);
BT_MUST_USE bauta_status bt_recipe_set_type(bauta_recipe *recipe, const char *column,
                                            const char *type, bauta_error *error);
/* Says that the hierarchy of a column is a public classification. */
BT_MUST_USE bauta_status bt_recipe_set_public(bauta_recipe *recipe, const char *column,
                                              bauta_error *error);
/* Whether it names a tree, and not "none". */
bool bt_plans_tree(const bt_column_recipe *column);
BT_MUST_USE bauta_status bt_recipe_set_hierarchy(bauta_recipe *recipe, const char *column,
                                                 const bt_hierarchy_source *source,
                                                 bauta_error *error);
BT_MUST_USE bauta_status bt_recipe_set_categories(bauta_recipe *recipe, const char *column,
                                                  const bt_categories_source *source,
                                                  bauta_error *error);
BT_MUST_USE bauta_status bt_recipe_set_steer(bauta_recipe *recipe, const char *column,
                                             bt_steer which, bt_rational value, bauta_error *error);

/* Keeps the text, which lives as long as the recipe. */
BT_MUST_USE bauta_status bt_recipe_set_cut_points(bauta_recipe *recipe, const char *column,
                                                  const char *text, bauta_error *error);

/* Adds a text that means missing, to those of all columns or (`column` not NULL) to those of one.
 * Column by column, what was given before a file was read replaces what the file says. */
BT_MUST_USE bauta_status bt_recipe_add_missing(bauta_recipe *recipe, const char *column,
                                               const char *text, bauta_error *error);

/* Copies all that means missing; without `any_column` only for columns that `to` names. */
BT_MUST_USE bauta_status bt_recipe_copy_missing(const bauta_recipe *from, bool any_column,
                                                bauta_recipe *to, bauta_error *error);

/* Adds a copy. */
BT_MUST_USE bauta_status bt_list_add(bauta_recipe *recipe, bt_list *list, const char *item,
                                     bauta_error *error);

/* Reads a recipe file; its errors name line and column. */
BT_MUST_USE bauta_status bt_recipe_load(bauta_recipe *recipe, const char *file, bauta_error *error);
/* Reads a recipe from text; `file` names it in errors and says where relative names start. */
BT_MUST_USE bauta_status bt_recipe_load_text(bauta_recipe *recipe, const char *file,
                                             const char *text, size_t length, bauta_error *error);

/* ---- using ---- */

/* A recipe like it, to be changed; what both say is owned by the first, which must live longer.
 * Freed by bauta_recipe_free. */
BT_MUST_USE bauta_status bt_recipe_copy(const bauta_recipe *recipe, bauta_recipe **out,
                                        bauta_error *error);

/* Sets a key in place of what the recipe says of it: of a column where it is about a column, else
 * of all. Columns that lose their role are dropped. */
BT_MUST_USE bauta_status bt_recipe_replace(bauta_recipe *recipe, const char *key, const char *value,
                                           bauta_error *error);

/* What the columns of an input are to be: every column has a role, every name in the recipe
 * exists. `names` are the input's columns; *out (count entries, from the arena) is parallel to
 * them. Errors suggest the nearest name or how to name the rest. */
BT_MUST_USE bauta_status bt_recipe_resolve(const bauta_recipe *recipe, const char *const *names,
                                           size_t count, bt_arena *arena, bt_column_recipe **out,
                                           bauta_error *error);

/* Matches columns as bt_recipe_resolve does, but columns may be left without a role. */
BT_MUST_USE bauta_status bt_recipe_match(const bauta_recipe *recipe, const char *const *names,
                                         size_t count, bt_arena *arena, bt_column_recipe **out,
                                         bauta_error *error);

#endif
