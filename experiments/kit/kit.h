/* SPDX-License-Identifier: Apache-2.0
 *
 * What the made-up tables and the experiments of papers share. They stand outside of the library
 * and see nothing of it but bauta.h, so the few tools that both need are here: errors, memory,
 * texts, parameters of entries, random streams, CSV, facts in JSON and text for people.
 */
#ifndef EX_KIT_H
#define EX_KIT_H

#include <bauta.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define EX_MUST_USE BAUTA_MUST_USE
#define EX_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* ---- errors (error.c) ------------------------------------------------------------------- */

#define EX_TRY(call)                                                                               \
    do {                                                                                           \
        bauta_status ex_try_status = (call);                                                       \
        if (ex_try_status != BAUTA_OK) return ex_try_status;                                       \
    } while (0)

/* Fills `error` (which may be NULL; place and hint are cleared) and is `code`. */
#define ex_fail(error, code, ...) (ex_error_set((error), (code), __VA_ARGS__), (code))
void ex_error_set(bauta_error *error, bauta_status code, const char *format, ...) EX_PRINTF(3, 4);
EX_MUST_USE bauta_status ex_fail_memory(bauta_error *error);
/* "<what> 'file': <text of errno>" */
EX_MUST_USE bauta_status ex_fail_errno(bauta_error *error, const char *what, const char *file);

/* Add the place or the hint to an error already filled. */
void ex_error_place(bauta_error *error, const char *file, int64_t row, const char *column);
void ex_error_hint(bauta_error *error, const char *format, ...) EX_PRINTF(2, 3);

/* ---- memory (memory.c) ------------------------------------------------------------------ */

/* Blocks that are freed together; a zeroed arena is empty. */
typedef struct ex_arena {
    struct ex_block *blocks;
} ex_arena;

void *ex_arena_array(ex_arena *arena, size_t count, size_t size); /* zeroed, or NULL */
char *ex_arena_print(ex_arena *arena, const char *format, ...) EX_PRINTF(2, 3); /* or NULL */
void ex_arena_release(ex_arena *arena);

/* Bytes that grow; a zeroed buffer is empty. Failure is sticky: adding never fails by itself, and
 * the caller asks once, at the end. */
typedef struct ex_buffer {
    char *bytes;
    size_t length, capacity;
    bool failed;
} ex_buffer;

void ex_add(ex_buffer *buffer, const void *bytes, size_t length);
void ex_print(ex_buffer *buffer, const char *format, ...) EX_PRINTF(2, 3);
EX_MUST_USE bauta_status ex_buffer_check(const ex_buffer *buffer, bauta_error *error);
void ex_buffer_release(ex_buffer *buffer);

/* ---- texts (text.c) --------------------------------------------------------------------- */

/* Whole numbers in decimal; false on anything else or overflow. */
bool ex_integer(const char *text, int64_t *out);

/* Splits at `separator`, unless a backslash stands before it. Parts are trimmed and owned by the
 * arena; "" gives no parts. */
EX_MUST_USE bauta_status ex_split(ex_arena *arena, const char *text, char separator, char ***parts,
                                  size_t *count, bauta_error *error);

/* The nearest of some names, for hints: `best` stays NULL while none is near. */
typedef struct ex_nearest {
    const char *wanted, *best;
    size_t distance; /* of the best */
} ex_nearest;
void ex_compare(ex_nearest *nearest, const char *name);
/* "did you mean …?", or `otherwise`. */
void ex_hint_nearest(const ex_nearest *nearest, const char *otherwise, bauta_error *error);

/* ---- entries of a registry, and their parameters (entry.c) ------------------------------ */

typedef enum ex_param_type {
    EX_PARAM_INTEGER,
    EX_PARAM_RATIONAL,
    EX_PARAM_CHOICE, /* one of `choices`, separated by '|' */
    EX_PARAM_TEXT,
} ex_param_type;

typedef struct ex_param {
    const char *name;
    ex_param_type type;
    const char *minimum, *maximum; /* numbers as text; NULL: unbounded */
    const char *choices;
    const char *fallback; /* default as text; NULL: must be given */
    const char *help;     /* one line */
} ex_param;

typedef struct ex_rational {
    int64_t top, bottom;
} ex_rational;

typedef struct ex_value {
    int64_t integer; /* of a choice: its number */
    ex_rational rational;
    const char *text; /* as given */
} ex_value;

struct ex_synth_job;
struct ex_experiment_job;

typedef struct ex_entry {
    const char *name;
    const char *summary; /* one line */
    const char *paper;   /* or NULL */
    const ex_param *params;
    size_t param_count;
    /* One of the two: makes a table (synth/synth.h), or does an experiment (papers/experiment.h).
     */
    bauta_status (*make)(const struct ex_synth_job *job, bauta_error *error);
    bauta_status (*run)(const struct ex_experiment_job *job, bauta_error *error);
} ex_entry;

typedef struct ex_registry {
    const char *name;    /* "synth" */
    const char *summary; /* one line */
    const char *kind;    /* of an entry, in errors: "kind of data" */
    const char *command; /* the command that takes the arguments: "synth" */
    const ex_entry *const *entries;
    size_t count;
} ex_registry;

extern const ex_registry ex_kinds;       /* synth/synth.c */
extern const ex_registry ex_experiments; /* papers/experiment.c */

/* Finds an entry, upper and lower case being the same, and reads "name=value" arguments into
 * *values, parallel to its params and owned by the arena. What is wrong is BAUTA_USAGE. */
EX_MUST_USE bauta_status ex_entry_call(const ex_registry *registry, const char *name,
                                       const char *const *arguments, size_t count, ex_arena *arena,
                                       const ex_entry **entry, const ex_value **values,
                                       bauta_error *error);

/* ---- random streams (stream.c) ---------------------------------------------------------- */

typedef struct ex_seed {
    unsigned char bytes[32];
} ex_seed;

/* Parses a seed of 1 to 64 hexadecimal digits; a short one is padded with zeros on the left. */
bool ex_seed_parse(const char *hex, ex_seed *seed);

/* One of the independent streams of a seed, named by a label and an index: ChaCha20 under a key
 * of BLAKE2b. The library draws in the same way, but these streams are public. */
typedef struct ex_stream {
    unsigned char key[32];
    uint64_t words[64], blocks; /* blocks of 64 words so far */
    size_t used;                /* words of the present one */
} ex_stream;

void ex_stream_init(ex_stream *stream, const ex_seed *seed, const char *label, uint64_t index);
uint64_t ex_stream_next(ex_stream *stream);
uint64_t ex_stream_below(ex_stream *stream, uint64_t bound); /* uniform in 0..bound-1, bound > 0 */

/* ---- files (sink.c) --------------------------------------------------------------------- */

/* A file that gets its name when it is finished; standard output ("-") and devices are written
 * directly. */
typedef struct ex_sink {
    const char *file;         /* borrowed from the caller */
    char temporary[PATH_MAX]; /* beside it: its folder, then the working name */
    size_t folder;            /* bytes of the folder, with a slash */
    int descriptor;
    enum { EX_SINK_DIRECT, EX_SINK_UNNAMED, EX_SINK_NAMED } state;
} ex_sink;

EX_MUST_USE bauta_status ex_sink_open(ex_sink *sink, const char *file, bauta_error *error);
EX_MUST_USE bauta_status ex_sink_write(ex_sink *sink, const void *bytes, size_t length,
                                       bauta_error *error);
EX_MUST_USE bauta_status ex_sink_finish(ex_sink *sink, bauta_error *error);
void ex_sink_discard(ex_sink *sink); /* after a failure; no effect when finished */

/* Write a small file whole. A name that is NULL, as those that are printed into an arena may be, is
 * a lack of memory. */
EX_MUST_USE bauta_status ex_file_write(const char *file, const char *bytes, size_t length,
                                       bauta_error *error);
EX_MUST_USE bauta_status ex_file_put(const char *file, const ex_buffer *text, bauta_error *error);

/* ---- CSV (csv.c) ------------------------------------------------------------------------ */

/* A table that is read record by record; memory is the longest one. Fields are separated by one
 * byte and may stand in quotes; white space around them is dropped, blank lines are skipped when
 * there are several columns. */
typedef struct ex_csv {
    const char *name; /* of the file, for errors */
    FILE *file;
    char delimiter;
    size_t columns;
    int64_t row; /* of the record from 1; 0: the header */
    char *text;  /* the record as it stands in the file, with blank lines before it */
    size_t length, room;
    char *copy, **fields; /* its fields, as plain text */
    size_t copy_room, field_room;
} ex_csv;

/* Opens a file ("-": standard input) and reads its header, which must be there. delimiter 0: what
 * the header has most of. A name that is NULL is a lack of memory. Closed by the caller, also after
 * a failure. */
EX_MUST_USE bauta_status ex_csv_open(ex_csv *csv, const char *file, char delimiter,
                                     bauta_error *error);
/* *more: there was another record. After the last one `text` is what stands behind it. */
EX_MUST_USE bauta_status ex_csv_next(ex_csv *csv, bool *more, bauta_error *error);
void ex_csv_close(ex_csv *csv);

/* Where the column is; csv->columns: there is none. */
size_t ex_csv_column(const ex_csv *csv, const char *name);

/* Adds a field, in quotes where it holds a quote, a line end or one of `special`, or begins or ends
 * with white space. */
void ex_csv_put(ex_buffer *out, const char *text, const char *special);

/* ---- facts (facts.c) -------------------------------------------------------------------- */

/* What was found out, as a tree of jansson's. Failure is sticky, as with buffers. */
typedef struct ex_facts {
    json_t *root; /* an object */
    bool failed;
} ex_facts;

/* Each puts a value under `key` of the object `at`; with key NULL, at the end of the array `at`.
 * The nested ones return the new object or array (NULL after a failure, which all accept). */
void ex_put_int(ex_facts *facts, json_t *at, const char *key, int64_t value);
void ex_put_real(ex_facts *facts, json_t *at, const char *key, double value);
void ex_put_text(ex_facts *facts, json_t *at, const char *key, const char *value);
void ex_put_null(ex_facts *facts, json_t *at, const char *key);
json_t *ex_put_object(ex_facts *facts, json_t *at, const char *key);
json_t *ex_put_array(ex_facts *facts, json_t *at, const char *key);

const char *ex_text_at(const json_t *object, const char *key); /* "": it is not there */
double ex_number_at(const json_t *object, const char *key);    /* 0: it is not there */

/* The facts as JSON, or as `print` shows them; the caller frees *text. Releases the facts. */
EX_MUST_USE bauta_status ex_facts_show(ex_facts *facts, bool json,
                                       void (*print)(const json_t *facts, ex_buffer *out),
                                       char **text, bauta_error *error);

/* ---- text for people (page.c) ----------------------------------------------------------- */

/* Characters of a text in UTF-8. */
size_t ex_width(const char *text);
/* Text from outside: control characters are shown as numbers. */
void ex_print_text(ex_buffer *out, const char *text);

/* A table whose columns line up; cells fill it row by row. */
typedef struct ex_grid {
    size_t columns;
    const char *align; /* 'l' or 'r' for each column; the last of it goes on */
    ex_buffer cells;   /* each with a zero byte */
} ex_grid;

enum { EX_GRID_COLUMNS = 32 }; /* at most */
void ex_grid_text(ex_grid *grid, const char *text);
void ex_grid_value(ex_grid *grid, const json_t *value); /* "-": nothing */
/* Prints it with `indent` blanks before each row, and releases it. */
void ex_grid_close(ex_grid *grid, size_t indent, ex_buffer *out);

#endif
