/* SPDX-License-Identifier: Apache-2.0
 *
 * What every command begins with: opening a run from a recipe and loading its table.
 */
#ifndef BT_LOAD_H
#define BT_LOAD_H

#include "base/digest.h"
#include "base/facts.h"
#include "base/run.h"
#include "class/join.h"
#include "io/chain_key.h"
#include "io/input.h"
#include "publish/form.h"
#include "recipe/recipe.h"
#include "table/table.h"

/* Threads, seed (fresh unless the recipe names one), budget and temporary folder. */
BT_MUST_USE bauta_status bt_run_open(const bauta_recipe *recipe, bt_run *out, bauta_error *error);
/* Fits a budget that the recipe leaves open to the size of the table. */
void bt_run_fit(bt_run *run, const bauta_recipe *recipe, int64_t rows);
void bt_run_close(bt_run *run);

/* A public database, and what of it is coded. */
typedef struct bt_public {
    const char *file;
    bt_input *input;
    bt_raw *raw;
    int64_t rows;
    size_t *source; /* per column of the microdata: the column with its name, if it is coded here */
    bt_column *quasi; /* per column of the microdata; those that are not quasi have no codes */
    bt_column key;    /* who each record is about, when there is a key */
} bt_public;

/* An input read into a table of coded columns. */
typedef struct bt_loaded {
    bt_arena arena;
    bt_input *input;
    bt_raw *raw;            /* facts about columns that are not coded (bt_raw_check) */
    bt_column_recipe *plan; /* per input column: role, type, hierarchy */
    bt_role *roles;         /* per input column */
    bool *derived;          /* per input column: its hierarchy is that of derive.c; NULL: none is */
    bt_reading *readings;   /* per input column that is BT_USE_CHECK: how it is read */
    bool *verbatim;         /* per BT_USE_CHECK column: its texts are published as they stand */
    bt_use *sets;           /* per input column: of which set of columns that are published as they
                               are it is one (BT_USE_FIRST_SET, BT_USE_SECOND_SET), and whether it
                               is among the excerpt (BT_USE_EXCERPT) */
    size_t columns;         /* of the input */
    size_t *subject;        /* columns of the recipe's subject that tell persons apart */
    int64_t input_rows;
    bt_table table; /* quasi and sensitive columns; with `all_columns` its subjects are not numbered
                       yet, and UINT32_MAX is nobody */
    int64_t *row_map;      /* table row -> input row when rows with missing values were
                              dropped (missing=drop); NULL: the same */
    bool any_public_value; /* of the recipe */
    bool loose_categories; /* a table compared with a release: not every value needs a category */
    int64_t misfits_most;  /* a table compared with a release: rows that may have misfits */
    bool whole_decimals; /* a table compared with a release: integers may be written as decimals */
    bool drops_missing;  /* missing=drop; with `all_columns` the rows are still there */
    int64_t missing_dropped;
    bt_public *publics; /* while reading */
    size_t public_count;
    size_t counted;       /* the column of recipe->count; `columns`: there is none */
    uint64_t *times;      /* per row of the table: how many records it stands for; NULL: one */
    int64_t records;      /* that all input rows stand for */
    size_t key;           /* the column that names persons in both; `columns`: there is none */
    bt_column key_codes;  /* who each input row is about */
    bt_join *join;        /* the table joined with the public ones, not grouped yet; NULL: none */
    bool keyed;           /* the table is digested while it is loaded */
    bt_use *uses;         /* per input column: how it was read */
    bt_chain_key chain;   /* keyed: the key that digests columns that are not coded */
    bt_seed table_digest; /* keyed: the digest of the whole table: streams.c */
    bt_buffer conflicts;  /* after a failure: the records that public tables tell otherwise, CSV */
    double seconds;
} bt_loaded;

/* Opens the recipe's inputs, resolves roles and reads; a table without records is refused. With
 * `all_columns` every column is coded, roles need not be given (describe, init; columns without
 * one keep BT_ROLE_NONE) and there may be no records. Released by the caller, also after a
 * failure. */
BT_MUST_USE bauta_status bt_load(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                                 bt_loaded *out, bauta_error *error);
/* bt_load for a release, not of all columns: random streams will follow from what was read
 * (loaded->table_digest), and rows are counted that stand alone in what is published as it is and
 * was not accepted (bt_raw_alone of loaded->sets): `other` columns and, as `shown` says, sensitive
 * ones. With `derives` quasi columns without a hierarchy get one, if bauta_init would give it. */
BT_MUST_USE bauta_status bt_load_release(const bauta_recipe *recipe, const bt_run *run,
                                         bt_sensitive_shown shown, bool derives, bt_loaded *out,
                                         bauta_error *error);
/* Gives quasi columns their derived hierarchies, once the input is read and no column is coded yet:
 * fills plan and `derived`. */
BT_MUST_USE bauta_status bt_derive_hierarchies(bt_loaded *loaded, bauta_error *error);
/* Whether the recipe wants the column published although it leads back to people. */
bool bt_is_accepted(const bauta_recipe *recipe, const char *column);
void bt_loaded_release(bt_loaded *loaded);

/* ---- persons ---- */

enum { BT_NOBODY = UINT32_MAX }; /* in table.subject_of: a record that names no person */

/* Whether it is to be found out of a column that is not coded if its values repeat. */
bool bt_watches_repeats(const bauta_recipe *recipe, const bt_column_recipe *column);

/* Refuses a table in which persons seem to have several records while nothing is said of it. */
/* How columns that are published as they are were written: as the recipe says, if that fits. What
 * is found follows from rows that are not dropped for a missing value (out->row_map) alone. */
BT_MUST_USE bauta_status bt_load_readings(bt_loaded *out, const bt_run *run, bauta_error *error);

BT_MUST_USE bauta_status bt_refuse_repeats(const bauta_recipe *recipe, const bt_loaded *loaded,
                                           bauta_error *error);

/* Fills table.subject_of, if the recipe names persons. */
BT_MUST_USE bauta_status bt_load_subjects(const bauta_recipe *recipe, const bt_run *run,
                                          bool all_columns, bt_loaded *out, bauta_error *error);

/* Lays out the domain of one column, with its hierarchy and categories, and codes it; together with
 * the public tables if these have it too. */
BT_MUST_USE bauta_status bt_encode_column(bt_loaded *out, const bt_run *run, size_t source,
                                          bt_column *column, bauta_error *error);

/* ---- what of a table random streams follow from: in streams.c, for load.c ---- */

void bt_load_digest_begin(bt_loaded *loaded, const bt_run *run);
/* A column with its codes, `rows` of them. */
BT_MUST_USE bauta_status bt_load_digest_column(bt_loaded *loaded, const bt_column *column,
                                               int64_t rows, const bt_run *run, bauta_error *error);
/* What is held when all columns are coded and no row is dropped yet. */
BT_MUST_USE bauta_status bt_load_digest_table(bt_loaded *loaded, const bt_run *run,
                                              bauta_error *error);

/* ---- public tables, on the way to loaded->join ---- */

/* Refuses what cannot be joined, and opens and reads the public tables. */
BT_MUST_USE bauta_status bt_publics_read(const bauta_recipe *recipe, const bt_run *run,
                                         bt_loaded *out, bauta_error *error);

/* The values of a column in the microdata and, behind these, all others of the public tables. The
 * type is that of the microdata. Numbers and dates may be any; texts are those of the microdata
 * or, with `given`, of a hierarchy that will be asked for them. */
typedef struct bt_shared_values {
    bt_values all;
    uint32_t **place; /* per public table: of each of its values in `all` */
} bt_shared_values;

BT_MUST_USE bauta_status bt_publics_values(const bt_loaded *loaded, size_t column, bool given,
                                           bt_domain_options *options, bt_shared_values *out,
                                           bauta_error *error);
void bt_shared_values_release(const bt_loaded *loaded, bt_shared_values *values);

/* Codes a column of each public table; column->domain is that of the microdata. */
BT_MUST_USE bauta_status bt_publics_encode(bt_loaded *loaded, size_t source,
                                           const bt_shared_values *values, const uint32_t *code_of,
                                           const bt_column *column, const bt_run *run,
                                           bauta_error *error);

/* Makes loaded->join. */
BT_MUST_USE bauta_status bt_publics_join(const bauta_recipe *recipe, bt_loaded *loaded,
                                         bauta_error *error);
void bt_publics_release(bt_loaded *loaded);

/* Refuses (BAUTA_USAGE) to write over a file that the recipe reads: one file, or what a release
 * replaces in OUT. */
BT_MUST_USE bauta_status bt_check_output(const bauta_recipe *recipe, const char *file,
                                         bauta_error *error);
BT_MUST_USE bauta_status bt_check_output_folder(const bauta_recipe *recipe, const char *out,
                                                bauta_error *error);

#endif
