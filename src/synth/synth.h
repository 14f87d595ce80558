/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a kind of sample data: one file per kind, one line in kinds.def; zipf.c is
 * the shortest to copy. Below it is what kinds share: distributions, cells, ordered parallel
 * writing, and safe output.
 *
 * Everything is integer arithmetic from fixed constants, so that a seed gives the same bytes on
 * every machine and for any number of threads.
 */
#ifndef BT_SYNTH_H
#define BT_SYNTH_H

#include "base/params.h"
#include "base/pool.h"
#include "base/random.h"

#include <string.h>

/* ---- the interface ---------------------------------------------------------------------- */

/* The first parameters of every kind, in this order; BT_SYNTH_ROWS only where rows are made. */
enum { BT_SYNTH_SEED, BT_SYNTH_THREADS, BT_SYNTH_ROWS, BT_SYNTH_OWN };

#define BT_SYNTH_COMMON_PARAMS                                                                     \
    {.name = "seed",                                                                               \
     .type = BT_PARAM_TEXT,                                                                        \
     .fallback = "6261757461",                                                                     \
     .help = "hexadecimal, up to 64 digits: the same seed gives the same table"},                  \
    {                                                                                              \
        .name = "threads", .type = BT_PARAM_INTEGER, .minimum = "0", .maximum = "1024",            \
        .fallback = "0", .help = "0: as many as there are processors"                              \
    }

#define BT_SYNTH_ROWS_PARAM(standard)                                                              \
    {                                                                                              \
        .name = "rows", .type = BT_PARAM_INTEGER, .minimum = "0", .maximum = "100000000000",       \
        .fallback = standard, .help = "number of records"                                          \
    }

struct bt_sink;

typedef struct bt_synth_job {
    const bt_value *values; /* parallel to the kind's params */
    const char *out;        /* where the table goes: a file, or "-" */
    bt_seed seed;
    bt_pool *pool;
    bt_arena *arena;      /* for the model */
    struct bt_sink *sink; /* `out`, open */
} bt_synth_job;

typedef struct bt_synth_kind {
    const char *name;
    const char *summary; /* one line */
    const char *paper;   /* that asks for such data, or NULL */
    const bt_param *params;
    size_t param_count;
    /* Writes the table, header first, to job->sink. */
    bauta_status (*make)(const bt_synth_job *job, bauta_error *error);
} bt_synth_kind;

extern const bt_synth_kind *const bt_synth_registry[];
extern const size_t bt_synth_registry_count;

/* Finds the kind, reads "name=value" arguments and makes the table. `out` appears only when it
 * is whole. Wrong names and values are BAUTA_USAGE. */
BT_MUST_USE bauta_status bt_synth_run(const char *kind, const char *const *arguments, size_t count,
                                      const char *out, bauta_error *error);

/* ---- safe output ------------------------------------------------------------------------ */

/* A file that gets its name when it is finished; standard output ("-") and devices are written
 * directly. */
typedef struct bt_sink {
    const char *file; /* borrowed from the caller */
    char *folder, *temporary;
    int descriptor;
    enum { BT_SINK_DIRECT, BT_SINK_UNNAMED, BT_SINK_NAMED } state;
} bt_sink;

BT_MUST_USE bauta_status bt_sink_open(bt_sink *sink, const char *file, bauta_error *error);
BT_MUST_USE bauta_status bt_sink_write(bt_sink *sink, const void *bytes, size_t length,
                                       bauta_error *error);
BT_MUST_USE bauta_status bt_sink_finish(bt_sink *sink, bauta_error *error);
void bt_sink_discard(bt_sink *sink); /* after a failure; no effect when finished */

/* Writes a small file whole. */
BT_MUST_USE bauta_status bt_sink_put(const char *file, const bt_buffer *text, bauta_error *error);

/* ---- rows in parallel, written in order ------------------------------------------------- */

typedef struct bt_synth_plan {
    const char *label;  /* of the random streams: the kind's name */
    const char *header; /* with its line end */
    int64_t rows;
    size_t row_bytes; /* room for one row, including what wide copies write past its end */
    const void *model;
    /* Writes rows first..first+rows-1 to `out` and returns the end. The stream is the block's
     * own: nothing else may be drawn from. */
    char *(*fill)(const void *model, bt_stream *stream, int64_t first, int64_t rows, char *out);
} bt_synth_plan;

BT_MUST_USE bauta_status bt_synth_rows(const bt_synth_job *job, const bt_synth_plan *plan,
                                       bauta_error *error);

/* ---- distributions ---------------------------------------------------------------------- */

/* Walker's alias method with 16-bit thresholds: one table look-up per draw. A table of 2^bits
 * entries takes up to that many weights; the others count as zero. */
BT_MUST_USE bauta_status bt_alias_build(const uint64_t *weights, size_t count, unsigned bits,
                                        uint32_t *entries, bauta_error *error);

/* Draws with the lowest bits + 16 bits of `random`. */
static inline uint32_t bt_alias_draw(const uint32_t *entries, unsigned bits, uint64_t random)
{
    uint32_t index = (uint32_t)random & ((1u << bits) - 1);
    uint32_t entry = entries[index], coin = (uint32_t)(random >> bits) & 0xffff;
    return coin < (entry & 0xffff) ? index : entry >> 16;
}

/* An alias table of the values low..low+count-1, sized as it needs to be. */
typedef struct bt_values_model {
    int64_t low;
    unsigned bits;
    uint32_t *entries;
} bt_values_model;

enum { BT_SYNTH_DOMAIN = 65536 }; /* most values of one such table */

/* Weights are in units of 2^-40. */
BT_MUST_USE bauta_status bt_values_build(bt_arena *arena, int64_t low, const uint64_t *weights,
                                         size_t count, bt_values_model *out, bauta_error *error);

static inline int64_t bt_values_draw(const bt_values_model *model, uint64_t random)
{
    return model->low + bt_alias_draw(model->entries, model->bits, random);
}

/* Density of a normal distribution at the whole numbers low..low+count-1, times a constant. */
void bt_weights_normal(int64_t low, size_t count, int64_t mean, int64_t deviation,
                       uint64_t *weights);
/* Zipf: the k-th value weighs (1/k)^s. */
void bt_weights_zipf(size_t count, bt_rational s, uint64_t *weights);

/* Log-normal noise around 1, as a factor in units of 1/4096. */
typedef struct bt_noise {
    uint32_t entries[256], factors[256];
} bt_noise;

BT_MUST_USE bauta_status bt_noise_build(bt_noise *noise, bt_rational sigma, bauta_error *error);

static inline uint64_t bt_noise_draw(const bt_noise *noise, uint32_t random)
{
    uint32_t step = bt_alias_draw(noise->entries, 8, random), part = random >> 24;
    uint64_t from = noise->factors[step], to = noise->factors[step + 1];
    return (from * (256 - part) + to * part) >> 8;
}

/* ---- cells ------------------------------------------------------------------------------ */

/* A text with the delimiter after it, copied as 16 bytes whatever its length. */
typedef struct bt_synth_cell {
    char bytes[15];
    unsigned char length;
} bt_synth_cell;

static inline char *bt_synth_cell_put(char *out, const bt_synth_cell *cell)
{
    memcpy(out, cell, sizeof *cell);
    return out + cell->length;
}

/* False: the text is longer than 14 bytes. */
bool bt_synth_cell_make(bt_synth_cell *cell, const char *text, char after);

/* A whole number in decimal; returns the end. */
char *bt_number_put(char *out, uint64_t number);
/* number / 10^digits with exactly that many decimal places. */
char *bt_decimal_put(char *out, int64_t number, unsigned digits);

/* ---- tables of age and loss (paper 2) ---------------------------------------------------- */

/* Age is uniform; loss is a whole number from `low` to `high`. */
enum { BT_LOSS_AGE_LOW = 17, BT_LOSS_AGE_HIGH = 79 };

#define BT_LOSS_PARAMS                                                                             \
    {.name = "low",                                                                                \
     .type = BT_PARAM_INTEGER,                                                                     \
     .minimum = "-1000000000",                                                                     \
     .maximum = "1000000000",                                                                      \
     .fallback = "1024",                                                                           \
     .help = "least loss"},                                                                        \
    {                                                                                              \
        .name = "high", .type = BT_PARAM_INTEGER, .minimum = "-1000000000",                        \
        .maximum = "1000000000", .fallback = "3072",                                               \
        .help = "largest loss, at most 65535 above 'low'"                                          \
    }

#define BT_LOSS_HEADER "age,loss\n"
enum { BT_LOSS_ROW = 32 }; /* room for one row */

/* Room for the weights of all losses; BAUTA_USAGE when the range is empty or too wide. */
BT_MUST_USE bauta_status bt_loss_range(const bt_synth_job *job, int64_t low, int64_t high,
                                       uint64_t **weights, size_t *count, bauta_error *error);

/* Writes the table in which age and loss are independent. */
BT_MUST_USE bauta_status bt_loss_table(const bt_synth_job *job, const char *label, int64_t low,
                                       const uint64_t *weights, size_t count, bauta_error *error);

/* One row; returns its end. */
char *bt_loss_put(char *out, int64_t age, int64_t loss);

/* ---- the recipe and the hierarchies of a table ------------------------------------------ */

typedef struct bt_synth_label {
    const char *text;
    const char *path; /* labels above it, lowest first, separated by ';'; without the top */
} bt_synth_label;

typedef struct bt_synth_column {
    const char *name;
    const char *role;             /* "quasi", "sensitive", "other" */
    const char *hierarchy;        /* a spec that needs no file, or NULL */
    const bt_synth_label *labels; /* for a hierarchy file, or NULL */
    size_t label_count;
} bt_synth_column;

/* Writes the hierarchy files of all columns with labels as FOLDER/COLUMN.csv; makes FOLDER. */
BT_MUST_USE bauta_status bt_synth_hierarchies(const char *folder, const bt_synth_column *columns,
                                              size_t count, bauta_error *error);

typedef struct bt_synth_recipe_job {
    const char *file;   /* of the recipe */
    const char *table;  /* a file, or "-" */
    const char *folder; /* of the hierarchies; NULL: columns with labels get none */
    const bt_synth_column *columns;
    size_t count;
    const char *remark; /* why columns are dropped */
    bool few;           /* so few records that what is published as it is must be accepted */
} bt_synth_recipe_job;

BT_MUST_USE bauta_status bt_synth_recipe(const bt_synth_recipe_job *job, bauta_error *error);

#endif
