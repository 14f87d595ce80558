/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a kind of sample data: one file per kind, one line in kinds.def; zipf.c is
 * the shortest to copy. Below it is what kinds share: distributions, cells and ordered parallel
 * writing.
 *
 * Everything is integer arithmetic from fixed constants, so that a seed gives the same bytes on
 * every machine and for any number of threads.
 */
#ifndef EX_SYNTH_H
#define EX_SYNTH_H

#include "experiments.h"
#include "kit/kit.h"

#include <string.h>

/* ---- the interface ---------------------------------------------------------------------- */

/* The first parameters of every kind, in this order; EX_SYNTH_ROWS only where rows are made. */
enum { EX_SYNTH_SEED, EX_SYNTH_THREADS, EX_SYNTH_ROWS, EX_SYNTH_OWN };

#define EX_SYNTH_COMMON_PARAMS                                                                     \
    {.name = "seed",                                                                               \
     .type = EX_PARAM_TEXT,                                                                        \
     .fallback = "6261757461",                                                                     \
     .help = "hexadecimal, up to 64 digits: the same seed gives the same table"},                  \
    {                                                                                              \
        .name = "threads", .type = EX_PARAM_INTEGER, .minimum = "0", .maximum = "1024",            \
        .fallback = "0", .help = "0: as many as there are processors"                              \
    }

#define EX_SYNTH_ROWS_PARAM(standard)                                                              \
    {                                                                                              \
        .name = "rows", .type = EX_PARAM_INTEGER, .minimum = "0", .maximum = "100000000000",       \
        .fallback = standard, .help = "number of records"                                          \
    }

/* What an entry's `make` is given: it writes the table, header first, to `sink`. */
typedef struct ex_synth_job {
    const ex_value *values; /* parallel to the kind's params */
    const char *out;        /* where the table goes: a file, or "-" */
    ex_seed seed;
    ex_arena *arena; /* for the model */
    ex_sink *sink;   /* `out`, open */
} ex_synth_job;

/* ---- rows in parallel, written in order ------------------------------------------------- */

typedef struct ex_synth_plan {
    const char *label;  /* of the random streams: the kind's name */
    const char *header; /* with its line end */
    int64_t rows;
    size_t row_bytes; /* room for one row, including what wide copies write past its end */
    const void *model;
    /* Writes rows first..first+rows-1 to `out` and returns the end. The stream is the block's
     * own: nothing else may be drawn from. */
    char *(*fill)(const void *model, ex_stream *stream, int64_t first, int64_t rows, char *out);
} ex_synth_plan;

EX_MUST_USE bauta_status ex_synth_rows(const ex_synth_job *job, const ex_synth_plan *plan,
                                       bauta_error *error);

/* ---- distributions ---------------------------------------------------------------------- */

/* Walker's alias method with 16-bit thresholds: one table look-up per draw. A table of 2^bits
 * entries takes up to that many weights; the others count as zero. */
EX_MUST_USE bauta_status ex_alias_build(const uint64_t *weights, size_t count, unsigned bits,
                                        uint32_t *entries, bauta_error *error);

/* Draws with the lowest bits + 16 bits of `random`. */
static inline uint32_t ex_alias_draw(const uint32_t *entries, unsigned bits, uint64_t random)
{
    uint32_t index = (uint32_t)random & ((1u << bits) - 1);
    uint32_t entry = entries[index], coin = (uint32_t)(random >> bits) & 0xffff;
    return coin < (entry & 0xffff) ? index : entry >> 16;
}

/* An alias table of the values low..low+count-1, sized as it needs to be. */
typedef struct ex_values_model {
    int64_t low;
    unsigned bits;
    uint32_t *entries;
} ex_values_model;

enum { EX_SYNTH_DOMAIN = 65536 }; /* most values of one such table */

/* Weights are in units of 2^-40. */
EX_MUST_USE bauta_status ex_values_build(ex_arena *arena, int64_t low, const uint64_t *weights,
                                         size_t count, ex_values_model *out, bauta_error *error);

static inline int64_t ex_values_draw(const ex_values_model *model, uint64_t random)
{
    return model->low + ex_alias_draw(model->entries, model->bits, random);
}

/* Density of a normal distribution at the whole numbers low..low+count-1, times a constant. */
void ex_weights_normal(int64_t low, size_t count, int64_t mean, int64_t deviation,
                       uint64_t *weights);
/* Zipf: the k-th value weighs (1/k)^s. */
void ex_weights_zipf(size_t count, ex_rational s, uint64_t *weights);

/* Log-normal noise around 1, as a factor in units of 1/4096. */
typedef struct ex_noise {
    uint32_t entries[256], factors[256];
} ex_noise;

EX_MUST_USE bauta_status ex_noise_build(ex_noise *noise, ex_rational sigma, bauta_error *error);

static inline uint64_t ex_noise_draw(const ex_noise *noise, uint32_t random)
{
    uint32_t step = ex_alias_draw(noise->entries, 8, random), part = random >> 24;
    uint64_t from = noise->factors[step], to = noise->factors[step + 1];
    return (from * (256 - part) + to * part) >> 8;
}

/* ---- cells ------------------------------------------------------------------------------ */

/* A text with the delimiter after it, copied as 16 bytes whatever its length. */
typedef struct ex_synth_cell {
    char bytes[15];
    unsigned char length;
} ex_synth_cell;

static inline char *ex_synth_cell_put(char *out, const ex_synth_cell *cell)
{
    memcpy(out, cell, sizeof *cell);
    return out + cell->length;
}

/* False: the text is longer than 14 bytes. */
bool ex_synth_cell_make(ex_synth_cell *cell, const char *text, char after);

/* A whole number in decimal; returns the end. */
char *ex_number_put(char *out, uint64_t number);
/* number / 10^digits with exactly that many decimal places. */
char *ex_decimal_put(char *out, int64_t number, unsigned digits);

/* ---- tables of age and loss (paper 2) ---------------------------------------------------- */

/* Age is uniform; loss is a whole number from `low` to `high`. */
enum { EX_LOSS_AGE_LOW = 17, EX_LOSS_AGE_HIGH = 79 };

#define EX_LOSS_PARAMS                                                                             \
    {.name = "low",                                                                                \
     .type = EX_PARAM_INTEGER,                                                                     \
     .minimum = "-1000000000",                                                                     \
     .maximum = "1000000000",                                                                      \
     .fallback = "1024",                                                                           \
     .help = "least loss"},                                                                        \
    {                                                                                              \
        .name = "high", .type = EX_PARAM_INTEGER, .minimum = "-1000000000",                        \
        .maximum = "1000000000", .fallback = "3072",                                               \
        .help = "largest loss, at most 65535 above 'low'"                                          \
    }

#define EX_LOSS_HEADER "age,loss\n"
enum { EX_LOSS_ROW = 32 }; /* room for one row */

/* Room for the weights of all losses; BAUTA_USAGE when the range is empty or too wide. */
EX_MUST_USE bauta_status ex_loss_range(const ex_synth_job *job, int64_t low, int64_t high,
                                       uint64_t **weights, size_t *count, bauta_error *error);

/* Writes the table in which age and loss are independent. */
EX_MUST_USE bauta_status ex_loss_table(const ex_synth_job *job, const char *label, int64_t low,
                                       const uint64_t *weights, size_t count, bauta_error *error);

/* One row; returns its end. */
char *ex_loss_put(char *out, int64_t age, int64_t loss);

/* ---- the recipe and the hierarchies of a table ------------------------------------------ */

typedef struct ex_synth_label {
    const char *text;
    const char *path; /* labels above it, lowest first, separated by ';'; without the top */
} ex_synth_label;

typedef struct ex_synth_column {
    const char *name;
    const char *role;             /* "quasi", "sensitive", "other" */
    const char *hierarchy;        /* a spec that needs no file, or NULL */
    const ex_synth_label *labels; /* for a hierarchy file, or NULL */
    size_t label_count;
} ex_synth_column;

/* Writes the hierarchy files of all columns with labels as FOLDER/COLUMN.csv; makes FOLDER. */
EX_MUST_USE bauta_status ex_synth_hierarchies(const char *folder, const ex_synth_column *columns,
                                              size_t count, bauta_error *error);

typedef struct ex_synth_recipe_job {
    const char *file;   /* of the recipe */
    const char *table;  /* a file, or "-" */
    const char *folder; /* of the hierarchies; NULL: columns with labels get none */
    const ex_synth_column *columns;
    size_t count;
    const char *remark; /* why columns are dropped */
    bool few;           /* so few records that what is published as it is must be accepted */
} ex_synth_recipe_job;

EX_MUST_USE bauta_status ex_synth_recipe(const ex_synth_recipe_job *job, bauta_error *error);

#endif
