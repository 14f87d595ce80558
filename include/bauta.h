/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta.h - the one public header of libbauta.
 *
 * Read it from the top: the first part holds the five calls that everyone needs, then come
 * the other commands, then settings, and last what is experimental.
 *
 *     bauta_recipe *recipe = NULL;
 *     bauta_error error;
 *     bauta_recipe_new(&recipe, &error);                              // 1
 *     bauta_recipe_set(recipe, "input", "patients.csv", &error);      // 2
 *     bauta_recipe_set(recipe, "quasi", "age,zip,sex", &error);
 *     bauta_recipe_set(recipe, "sensitive", "disease", &error);
 *     bauta_recipe_set(recipe, "require", "k=5", &error);
 *     bauta_anonymize(recipe, "out", NULL, &error);                   // 3
 *     bauta_audit("out/publish", recipe, NULL, &error);               // 4
 *     bauta_recipe_free(recipe);                                      // 5
 *
 * Conventions
 *   - Every call that can fail returns a bauta_status and fills the caller's bauta_error
 *     (which may be NULL). A status must not be ignored: the compiler refuses it.
 *   - The library never prints, exits, aborts or reads the environment, and keeps no state
 *     between calls. Handles may be used by one thread at a time, but for open releases and
 *     stores, which any number may use; separate handles are independent.
 *   - Strings are UTF-8 and zero-terminated. The library copies what it keeps.
 *   - A free call accepts NULL.
 *   - No cell value of the input ever appears in an error: rows and columns are named.
 *     Rows count data records from 1; row 0 is the header.
 */
#ifndef BAUTA_H
#define BAUTA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; bauta_version() is that of the library. */
#define BAUTA_VERSION_MAJOR 0
#define BAUTA_VERSION_MINOR 2
#define BAUTA_VERSION_PATCH 0

#if defined(__GNUC__)
#define BAUTA_API __attribute__((visibility("default")))
#define BAUTA_MUST_USE __attribute__((warn_unused_result))
#else
#define BAUTA_API
#define BAUTA_MUST_USE
#endif

/* What a call came to. The numbers are the exit codes of the command. */
typedef enum bauta_status {
    BAUTA_OK = 0,        /* done, and the promises hold */
    BAUTA_NO = 1,        /* the answer is no: a requirement cannot be met, an audit failed */
    BAUTA_USAGE = 2,     /* the call or the flag is wrong */
    BAUTA_INVALID = 3,   /* the input or the recipe is invalid */
    BAUTA_SYSTEM = 4,    /* reading, writing or memory */
    BAUTA_INTERNAL = 5,  /* a fault of this library */
    BAUTA_CANCELLED = 6, /* a progress callback of the caller asked to stop */
} bauta_status;

/* What went wrong, where, and what to try. Owned by the caller, filled without allocation. */
typedef struct bauta_error {
    bauta_status status;
    int64_t row;       /* data record from 1, 0 for the header, -1 when it does not apply */
    char file[256];    /* empty when it does not apply */
    char column[128];  /* empty when it does not apply */
    char message[512]; /* lower case, no full stop */
    char hint[512];    /* advice, or empty */
} bauta_error;

/* ---- 1. The five calls ------------------------------------------------------------------ */

typedef struct bauta_recipe bauta_recipe; /* the whole request: input, roles, requirements … */
typedef struct bauta_report bauta_report; /* what a command found out */

/* Makes an empty recipe. The caller owns it. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_new(bauta_recipe **out, bauta_error *error);

/* Sets one key, as the flag of the same name does ("quasi", "age,zip"). docs/recipe.md lists
 * the keys. Keys that name lists add to what is there. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_set(bauta_recipe *recipe, const char *key,
                                                       const char *value, bauta_error *error);

/* Groups, publishes and audits; `out` is created and holds publish/ and private/ afterwards.
 * With `report` not NULL the caller owns what is put there. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_anonymize(const bauta_recipe *recipe, const char *out,
                                                      bauta_report **report, bauta_error *error);

/* Recomputes every promise of a release from its files alone. BAUTA_NO: one does not hold.
 * With inputs in `recipe`, also compares the release with those original records. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_audit(const char *publish, const bauta_recipe *recipe,
                                                  bauta_report **report, bauta_error *error);

BAUTA_API void bauta_recipe_free(bauta_recipe *recipe);

/* ---- 2. Reports --------------------------------------------------------------------------- */

/* The report as JSON or as text for people. The caller frees *text with bauta_text_free. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_report_json(const bauta_report *report, char **text,
                                                        bauta_error *error);
BAUTA_API BAUTA_MUST_USE bauta_status bauta_report_text(const bauta_report *report, char **text,
                                                        bauta_error *error);
/* The pictures of a report as a piece of HTML: figures with SVG, each with the table of its numbers
 * behind it, without script. Empty for a report that has none. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_report_charts(const bauta_report *report, char **text,
                                                          bauta_error *error);
BAUTA_API void bauta_text_free(char *text);
BAUTA_API void bauta_report_free(bauta_report *report);

/* ---- 3. The other commands ---------------------------------------------------------------- */

/* Reads a YAML recipe into `recipe`; keys already set keep their value (flags win). */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_load(bauta_recipe *recipe, const char *file,
                                                        bauta_error *error);

/* Looks at the input and writes a commented recipe as text; the report's text is the recipe. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_init(const bauta_recipe *recipe, bauta_report **report,
                                                 bauta_error *error);

/* Columns, types, distinct values, uniqueness, and the smallest sets of columns that single
 * people out. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_describe(const bauta_recipe *recipe,
                                                     bauta_report **report, bauta_error *error);

/* Groups as bauta_anonymize would and measures, but writes nothing. With `tries` not NULL
 * ("k=3,5,10", "group=mondrian,incognito"; several in lines of their own) once for each value of a
 * requirement or a key, side by side; a setting that cannot be met is reported among them. Without,
 * it is BAUTA_NO, as it would be. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_preview(const bauta_recipe *recipe, const char *tries,
                                                    bauta_report **report, bauta_error *error);

/* Information loss of releases against the original records named as input in `recipe`. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_measure(const char *const *releases, size_t count,
                                                    const bauta_recipe *recipe,
                                                    bauta_report **report, bauta_error *error);

/* Tries known attacks on a release, with the original records named as input in `recipe` as the
 * truth. `arguments` holds "name=value" pairs: "public=FILE", "know=COL,...", "other-release=
 * FOLDER", "members=N", "attack=NAME,...", "all=yes". The public tables and the key with which a
 * release was made may also stand in `recipe`. The report is a list of results. BAUTA_NO: an attack
 * found out more than the release promises; the report is there, too. BAUTA_INVALID also when none
 * of the original records can be in the release. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_attack(const char *publish, const bauta_recipe *recipe,
                                                   const char *const *arguments, size_t count,
                                                   bauta_report **report, bauta_error *error);

/* A page of HTML about a release, for people who decide whether it may be handed out: what is
 * protected and what is not, what an audit finds and, with the original records named as
 * input in `recipe`, what was lost and what attackers find out. `out` is the folder that
 * bauta_anonymize wrote; the report's text is the page, which is for the owner alone. BAUTA_NO: a
 * promise is broken, or an attack found out more than the release allows; the report is there, too.
 */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_page(const char *out, const bauta_recipe *recipe,
                                                 bauta_report **report, bauta_error *error);

/* Answers queries over a release from its published files alone: an estimate, where the release
 * says enough for one, and an interval that contains the true answer over the published records (of
 * the form "randomized": in 95 of 100 cases, which the answer says). docs/query.md has the
 * language. The report is a list of answers; error->row is the number of the query that could not
 * be answered. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_query(const char *publish, const char *const *queries,
                                                  size_t count, const bauta_recipe *recipe,
                                                  bauta_report **report, bauta_error *error);

/* A release that stays open, so that each of many queries costs only itself. `recipe` may be NULL;
 * the keys "estimator" and "explain" say how to answer. The caller owns *out. Any number of threads
 * may ask one open release at the same time, each with an error and a report of its own; it is
 * freed when all are done. */
typedef struct bauta_release bauta_release;
BAUTA_API BAUTA_MUST_USE bauta_status bauta_release_open(const char *publish,
                                                         const bauta_recipe *recipe,
                                                         bauta_release **out, bauta_error *error);
BAUTA_API BAUTA_MUST_USE bauta_status bauta_release_query(bauta_release *release, const char *query,
                                                          bauta_report **report,
                                                          bauta_error *error);
BAUTA_API void bauta_release_free(bauta_release *release);

/* Builds and checks the hierarchy of one column of the input and shows it: with `write` not
 * NULL as a CSV file in the usual form (leaf;level1;…;*), otherwise as text. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_hierarchy(const bauta_recipe *recipe,
                                                      const char *column, const char *write,
                                                      bauta_report **report, bauta_error *error);

/* What a registry holds: "requirements", "methods", "forms", "measures", "sources", "stores",
 * "attacks", "keys" (of a recipe), or "registries"; one entry of it as "methods/mondrian". */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_list(const char *registry, bauta_report **report,
                                                 bauta_error *error);

/* ---- 4. Without files --------------------------------------------------------------------- */

/* Reads a YAML recipe that is text, as bauta_recipe_load does. `name` stands for its file: errors
 * name it, and relative names in the recipe start at its folder. NULL: "recipe". */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_load_text(bauta_recipe *recipe, const char *text,
                                                             size_t length, const char *name,
                                                             bauta_error *error);

/* Sets the "hierarchy" or the "categories" of a column to what a file of these would hold. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_set_text(bauta_recipe *recipe, const char *key,
                                                            const char *column, const char *text,
                                                            size_t length, bauta_error *error);

/* The Arrow C data and stream interfaces, as
 * https://arrow.apache.org/docs/format/CDataInterface.html specifies them; whoever includes Arrow's
 * own declarations too has them once. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* Gives a recipe a stream of Arrow batches under a name of its own: "arrow:NAME" is then a table,
 * wherever a key or an argument names one ("input", "public").
 *
 *     bauta_recipe_add_stream(recipe, "patients", &stream, &error);
 *     bauta_recipe_set(recipe, "input", "arrow:patients", &error);
 *
 * The recipe takes the stream over, also when the call fails: stream->release is NULL afterwards.
 * Batches are read when a command first needs them, from the thread that calls it, and kept,
 * without a copy of their text, until the recipe is freed; so several commands may read them.
 *
 * Columns may be text (utf8, large, view), integers, floating point numbers, booleans, decimals of
 * 32 to 128 bits, dates, timestamps, null, or dictionaries of these. A table is the same as from a
 * CSV file that holds the same values: an integer is what its digits are, a floating point number
 * the shortest decimal that reads back the same (refused if that has more than 18 digits or there
 * is none), a boolean true or false, a timestamp its day on the clocks of its zone, a decimal has
 * no zeros at its end; null and NaN are missing. Columns of other types may be dropped only. What
 * the stream's get_last_error says is not passed on: it may hold values. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_add_stream(bauta_recipe *recipe,
                                                              const char *name,
                                                              struct ArrowArrayStream *stream,
                                                              bauta_error *error);

/* A store holds one release without a folder: the files that would be in publish/ and private/, by
 * these names ("publish/data.csv", "private/summary.json"). A recipe is given a store under a name,
 * and "store:NAME" is then a release, wherever a path of one is taken: as what bauta_anonymize
 * writes, bauta_audit, bauta_query, bauta_measure, bauta_attack and bauta_release_open read, as
 * "previous" and as "other-release".
 *
 *     bauta_store_memory(&store, &error);
 *     bauta_recipe_add_store(recipe, "out", store, &error);
 *     bauta_anonymize(recipe, "store:out", NULL, &error);
 *     bauta_audit("store:out", recipe, NULL, &error);
 *     bauta_store_free(store);
 *
 * The same table, recipe and seed give the same bytes as in a folder. A release appears in its
 * store whole or not at all, after its audit; one that is there is in the way, unless the recipe
 * says "force". A store may be given to several recipes, and several threads may read it; it lives
 * until the caller and all of them have freed it. */
typedef struct bauta_store bauta_store;

/* A store in memory. Nothing is written to the disk, but for temporary files beyond "memory". What
 * is private is overwritten before its memory is given back. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_store_memory(bauta_store **out, bauta_error *error);

/* Gives a recipe a store under a name of its own. The caller keeps the store, too. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_recipe_add_store(bauta_recipe *recipe, const char *name,
                                                             bauta_store *store,
                                                             bauta_error *error);
BAUTA_API void bauta_store_free(bauta_store *store);

/* The names of the files of a store in memory, in the order of their bytes; NULL after the last.
 * They and the bytes below stay where they are until a release is written to the store or it is
 * freed. What begins with "private/" is for the owner alone. */
BAUTA_API const char *bauta_store_file(bauta_store *store, size_t index);

/* The bytes of one of these files. BAUTA_INVALID: there is none of that name. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_store_bytes(bauta_store *store, const char *file,
                                                        const void **bytes, size_t *length,
                                                        bauta_error *error);

/* Writes the release of a store in memory to a folder: publish/ and private/ as bauta_anonymize
 * would have written them, and as suddenly. `replace` nonzero: a release that is there is replaced.
 */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_store_save(bauta_store *store, const char *out,
                                                       int replace, bauta_error *error);

/* A store of the caller's own. Each call returns 0, or a number that the error of the command then
 * names. Calls are made by one thread at a time, though not always by the same one; they must not
 * call the library with the same store.
 *
 * A release is written by creating its files, writing each, and commit. From the first `create` to
 * `commit` or `cancel`, `length` and `read` are asked for what is being written: the audit reads
 * from there. Before and after, they are asked for the release that was committed last, which a new
 * one may be checked against ("previous"). While a release is written nobody else can read from the
 * store, and whoever has opened the one before reads no more of it. */
typedef struct bauta_store_calls {
    size_t size; /* sizeof(bauta_store_calls): later versions may add calls */
    /* Makes an empty file; none of that name has been made for the same release. */
    int (*create)(void *user, const char *file);
    /* Puts bytes at an offset. Every byte of a file is written once, in any order. */
    int (*write)(void *user, const char *file, int64_t offset, const void *bytes, size_t length);
    /* Gives a file the name of another one, which goes. NULL: never, and then the key
     * "spreadsheet-safe" is refused. */
    int (*rename)(void *user, const char *from, const char *to);
    /* What was created since the last commit is the release from now on, and nothing else is;
     * or, when it fails, what was there before still is. */
    int (*commit)(void *user);
    /* Forgets what was created since the last commit, also after a commit that failed. */
    void (*cancel)(void *user);
    /* How long a file is; -1: there is none. */
    int (*length)(void *user, const char *file, int64_t *length);
    /* Reads at most `length` bytes at an offset; *got may be less, and is 0 only at the end. */
    int (*read)(void *user, const char *file, int64_t offset, void *bytes, size_t length,
                size_t *got);
    void (*free)(void *user); /* the store is gone; NULL: nothing is to be done */
} bauta_store_calls;

/* `calls` is copied; `user` is passed to each of them. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_store_own(const bauta_store_calls *calls, void *user,
                                                      bauta_store **out, bauta_error *error);

/* The tables of an open release: "data", or "quasi" and "sensitive", and "bounds"; NULL after the
 * last. */
BAUTA_API const char *bauta_release_table_name(const bauta_release *release, size_t index);

/* What bauta_release_table adds to a table. */
enum {
    /* After every quasi column of numbers or dates that has cells and no hierarchy, two that end in
     * "_lo" and "_hi": the least and the greatest value that a cell may stand for; null where the
     * cell does not say ("*", missing). */
    BAUTA_TABLE_RANGES = 1,
};

/* A table of an open release as a stream of Arrow batches, which lives on when the release is
 * freed. Rows are in the order of the file. Columns that show values have their types: integers are
 * int64, decimals decimal128, dates date32; what is missing is null. Generalized cells and text are
 * strings, in a dictionary where values repeat; it holds the values that occur, in the order of
 * their first rows, and nothing else. `options`: 0, or BAUTA_TABLE_…. The caller releases *out. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_release_table(const bauta_release *release,
                                                          const char *table, unsigned options,
                                                          struct ArrowArrayStream *out,
                                                          bauta_error *error);

/* ---- 5. Plans ----------------------------------------------------------------------------- */

/* A plan is what grouping ends in: which values become which cells, without a row. The keys
 * "save-plan" and "plan" write one beside a release and recode another table by it; these calls do
 * so piece by piece, for those who hold a table elsewhere: plan where the different records fit,
 * and recode every batch of rows where it is. A plan holds quasi values: it is private.
 *
 *     bauta_plan_options options = {sizeof options, "count"};
 *     bauta_plan_make(recipe, &options, &plan, &error);         // of counted tuples
 *     text = bauta_plan_text(plan, &length);                    // to where the rows are
 *     bauta_plan_load(text, length, &plan, &error);
 *     bauta_plan_apply(plan, recipe, &batch, &error);           // the recipe names rows as input
 *     bauta_batch_cell(batch, bauta_batch_classes(batch)[0], "age");
 */
typedef struct bauta_plan bauta_plan;
typedef struct bauta_batch bauta_batch;

typedef struct bauta_plan_options {
    size_t size; /* sizeof(bauta_plan_options): later versions may add fields */
    /* The column of the input, which has no role, that says how many records each row stands for:
     * the input then has each combination of quasi values, and of sensitive ones where a
     * requirement looks at them, with its count. NULL: each row is a record. */
    const char *count;
} bauta_plan_options;

/* Groups the recipe's input and makes the plan of it; nothing is published, and what would stop a
 * release but not its classes is not looked at. Counted tuples have the plan of the records that
 * they count, byte by byte with the same seed. Methods whose classes tell equal records apart are
 * given every one of them, so that there may be 4,294,967,294; "mondrian", "incognito", "levels",
 * "columns", "identical" and "whole" may count up to 2^61. BAUTA_INVALID with the reason where no
 * plan can be made (docs/plan-format.md). `options` may be NULL. The caller owns *out. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_plan_make(const bauta_recipe *recipe,
                                                      const bauta_plan_options *options,
                                                      bauta_plan **out, bauta_error *error);

/* The plan as text, which is a file that "plan" takes; it lives as long as the plan. */
BAUTA_API const char *bauta_plan_text(const bauta_plan *plan, size_t *length);

/* A plan of such a text. BAUTA_INVALID: it is none, or damaged. The caller owns *out. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_plan_load(const char *text, size_t length,
                                                      bauta_plan **out, bauta_error *error);
BAUTA_API void bauta_plan_free(bauta_plan *plan);

/* Finds the class of every row of the recipe's input. Quasi columns, with types and hierarchies,
 * are those of the plan; the recipe says how the input is read and what its other columns are.
 * Nothing is required of the classes: a batch is a part of a table, and whoever has all of it
 * judges. The plan may be used by several threads. The caller owns *out. */
BAUTA_API BAUTA_MUST_USE bauta_status bauta_plan_apply(const bauta_plan *plan,
                                                       const bauta_recipe *recipe,
                                                       bauta_batch **out, bauta_error *error);

/* How many rows a batch has, and the class of each: a number from 0 on, which means something in
 * this batch alone; -1: no class of the plan holds the row. */
BAUTA_API int64_t bauta_batch_rows(const bauta_batch *batch);
BAUTA_API const int64_t *bauta_batch_classes(const bauta_batch *batch);

/* The cell of a class in a quasi column, as a release would show it. NULL: there is no such class
 * or column. Equal in two batches, cells are those of one class of the plan. */
BAUTA_API const char *bauta_batch_cell(const bauta_batch *batch, int64_t class_number,
                                       const char *column);
BAUTA_API void bauta_batch_free(bauta_batch *batch);

/* ---- 6. Settings -------------------------------------------------------------------------- */

/* Called now and then from the calling thread's work; return nonzero to cancel. `total` is 0
 * when it is not known. */
typedef int (*bauta_progress)(void *user, const char *stage, int64_t done, int64_t total);

/* Called with a sentence about what will be published, before anything is written. */
typedef void (*bauta_notice)(void *user, const char *text);

/* A key of a recipe, which is also a flag of the command. */
typedef struct bauta_key {
    const char *name;     /* "quasi" */
    const char *argument; /* "COL,..."; NULL: a switch, "yes" or "no" */
    const char *section;  /* "input", "roles", "release", "audit", "measure", "query", "risk"
                             or "run" */
    const char *help;     /* one line */
} bauta_key;

/* The keys in the order in which help lists them; NULL after the last. */
BAUTA_API const bauta_key *bauta_recipe_key(size_t index);

BAUTA_API void bauta_recipe_on_progress(bauta_recipe *recipe, bauta_progress callback, void *user);

BAUTA_API void bauta_recipe_on_notice(bauta_recipe *recipe, bauta_notice callback, void *user);

BAUTA_API const char *bauta_version(void);

#ifdef __cplusplus
}
#endif
#endif
