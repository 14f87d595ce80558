/* SPDX-License-Identifier: Apache-2.0
 *
 * The key table of a recipe and what each key does with its value.
 *
 * The table is the only list of keys: flags, YAML, help and `bauta list keys` follow from it.
 */
#include "recipe/recipe.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- lists: separated by commas, a backslash keeps the next character ---- */

typedef struct list_reader {
    const char *at; /* NULL: the end */
    char *text;     /* room for any part */
    bool escaped;   /* the part held a backslash */
} list_reader;

static bauta_status open_list(list_reader *reader, const char *value, bt_arena *arena,
                              bauta_error *error)
{
    *reader = (list_reader){.at = value, .text = bt_arena_alloc(arena, strlen(value) + 1)};
    return reader->text ? BAUTA_OK : bt_fail_memory(error);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Puts the next part, trimmed of blanks that no backslash keeps, into reader->text. */
static bool next_part(list_reader *reader)
{
    if (!reader->at) return false;
    size_t length = 0, kept = 0; /* kept: up to the last byte that is not a plain blank */
    const char *p = reader->at;
    reader->escaped = false;
    while (is_blank(*p))
        p++;
    for (; *p && *p != ','; p++) {
        bool escape = *p == '\\' && p[1];
        if (escape) p++;
        reader->escaped = reader->escaped || escape;
        reader->text[length++] = *p;
        if (escape || !is_blank(*p)) kept = length;
    }
    reader->text[kept] = '\0';
    reader->at = *p == ',' ? p + 1 : NULL;
    return true;
}

/* Where "COL=VALUE" parts: the column without its backslashes goes to a copy. */
static bauta_status split_pair(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               char **column, const char **rest, bauta_error *error)
{
    char *copy = bt_arena_alloc(&recipe->arena, strlen(value) + 1);
    if (!copy) return bt_fail_memory(error);
    size_t length = 0;
    const char *p = value;
    for (; *p && *p != '='; p++) {
        if (*p == '\\' && p[1]) p++;
        copy[length++] = *p;
    }
    copy[length] = '\0';
    if (*p != '=' || p[1] == '\0')
        return bt_fail(error, BAUTA_USAGE, "'%s' must be written as %s", key->key.name,
                       key->key.argument);
    *column = copy;
    *rest = p + 1;
    return BAUTA_OK;
}

/* ---- single values ---- */

static bauta_status choose(const bt_recipe_key *key, const char *value, const char *const *names,
                           size_t count, size_t *out, bauta_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(names[i], value) == 0) {
            *out = i;
            return BAUTA_OK;
        }
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' must be %s", key->key.name,
                                  key->key.argument ? key->key.argument : "yes or no");
    const char *near = bt_text_nearest(value, names, count);
    if (near) bt_error_hint(error, "did you mean '%s'?", near);
    return status;
}

static bauta_status choose_yes(const bt_recipe_key *key, const char *value, bool *out,
                               bauta_error *error)
{
    static const char *const names[] = {"no", "yes", "false", "true"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 4, &chosen, error));
    *out = chosen % 2 == 1;
    return BAUTA_OK;
}

static bauta_status keep(bauta_recipe *recipe, const char *value, const char **out,
                         bauta_error *error)
{
    *out = bt_arena_copy(&recipe->arena, value, strlen(value));
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

/* A relative name in a recipe file starts at the folder of that file. */
static bauta_status keep_path(bauta_recipe *recipe, const char *value, const char **out,
                              bauta_error *error)
{
    if (value[0] == '\0') return bt_fail(error, BAUTA_USAGE, "a file name is empty");
    bool relative = value[0] != '/' && strcmp(value, "-") != 0;
    if (!recipe->loading || !relative) return keep(recipe, value, out, error);
    *out = bt_arena_print(&recipe->arena, "%s%s", recipe->folder, value);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status read_share(const bt_recipe_key *key, const char *value, bt_rational *out,
                               bauta_error *error)
{
    const bt_rational zero = {0, 1}, one = {1, 1};
    if (bt_rational_parse(value, out) && bt_rational_compare(*out, zero) >= 0 &&
        bt_rational_compare(*out, one) <= 0)
        return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' must be a share from 0 to 1", key->key.name);
    bt_error_hint(error, "write it as 0.05, 5%% or 1/20");
    return status;
}

/* ---- setters ---- */

static bauta_status set_input(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    (void)key;
    const char *path = NULL;
    BT_TRY(keep_path(recipe, value, &path, error));
    return bt_list_add(recipe, &recipe->inputs, path, error);
}

static bauta_status set_role(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    bt_role role = key->role;
    bool takes_rest = role == BT_ROLE_OTHER || role == BT_ROLE_DROPPED;
    list_reader reader;
    if (value[0] == '\0') return BAUTA_OK; /* an empty list */
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader)) {
        if (reader.text[0] == '\0')
            return bt_fail(error, BAUTA_USAGE, "'%s' holds an empty column name", key->key.name);
        if (takes_rest && !reader.escaped && strcmp(reader.text, "rest") == 0)
            BT_TRY(bt_recipe_set_rest(recipe, role, error));
        else
            BT_TRY(bt_recipe_set_role(recipe, reader.text, role, error));
    }
    return BAUTA_OK;
}

static bauta_status set_hierarchy(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    char *column;
    const char *spec;
    bt_hierarchy_source source = {0};
    BT_TRY(split_pair(recipe, key, value, &column, &spec, error));
    BT_TRY(bt_hierarchy_is_derived(spec) ? keep(recipe, spec, &source.spec, error)
                                         : keep_path(recipe, spec, &source.spec, error));
    return bt_recipe_set_hierarchy(recipe, column, &source, error);
}

static bauta_status set_categories(bauta_recipe *recipe, const bt_recipe_key *key,
                                   const char *value, bauta_error *error)
{
    char *column;
    const char *file;
    bt_categories_source source = {0};
    BT_TRY(split_pair(recipe, key, value, &column, &file, error));
    BT_TRY(keep_path(recipe, file, &source.file, error));
    return bt_recipe_set_categories(recipe, column, &source, error);
}

static bauta_status set_type(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    char *column;
    const char *type;
    BT_TRY(split_pair(recipe, key, value, &column, &type, error));
    return bt_recipe_set_type(recipe, column, type, error);
}

enum { WEIGHT_MOST = 1000000, WEIGHT_PARTS = 1000000 };

static bauta_status set_weight(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    char *column;
    const char *text;
    bt_rational weight;
    BT_TRY(split_pair(recipe, key, value, &column, &text, error));
    bool good = bt_rational_parse(text, &weight) && weight.top >= 0 &&
                weight.top <= (int64_t)WEIGHT_MOST * WEIGHT_PARTS &&
                weight.bottom <= WEIGHT_PARTS &&
                bt_rational_compare(weight, (bt_rational){WEIGHT_MOST, 1}) <= 0;
    if (!good) {
        bauta_status status = bt_fail(error, BAUTA_USAGE,
                                      "'%s' must be a number from 0 to %d with up to six decimals",
                                      key->key.name, WEIGHT_MOST);
        bt_error_hint(error, "columns weigh 1 unless something else is said: 2, 0.5 or 1/3");
        return status;
    }
    return bt_recipe_set_steer(recipe, column, BT_STEER_WEIGHT, weight, error);
}

static bauta_status set_level(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bt_steer which, bauta_error *error)
{
    char *column;
    const char *text;
    int64_t level;
    BT_TRY(split_pair(recipe, key, value, &column, &text, error));
    if (!bt_text_integer(text, &level) || level < 0 || level >= BT_LEVELS_MOST)
        return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 0 to %d",
                       key->key.name, BT_LEVELS_MOST - 1);
    return bt_recipe_set_steer(recipe, column, which, (bt_rational){level, 1}, error);
}

static bauta_status set_min_level(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_MIN_LEVEL, error);
}

static bauta_status set_max_level(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_MAX_LEVEL, error);
}

static bauta_status set_levels(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_LEVEL, error);
}

static bauta_status set_cut_points(bauta_recipe *recipe, const bt_recipe_key *key,
                                   const char *value, bauta_error *error)
{
    char *column;
    const char *text;
    BT_TRY(split_pair(recipe, key, value, &column, &text, error));
    BT_TRY(keep(recipe, text, &text, error));
    return bt_recipe_set_cut_points(recipe, column, text, error);
}

/* The column names persons, so it is an identifier, whatever else is said of it. */
static bauta_status set_subject(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    if (value[0] == '\0') return bt_fail(error, BAUTA_USAGE, "'%s' names no column", key->key.name);
    if (recipe->subject && strcmp(recipe->subject, value) != 0)
        return bt_fail(error, BAUTA_USAGE, "'%s' names two columns", key->key.name);
    BT_TRY(bt_recipe_set_role(recipe, value, BT_ROLE_IDENTIFIER, error));
    return keep(recipe, value, &recipe->subject, error);
}

static bauta_status set_subject_rows(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    static const char *const names[] = {"apart", "together"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    recipe->rows_together = chosen == 1;
    return BAUTA_OK;
}

/* Requirements are a conjunction: a second flag adds to the first. */
static bauta_status set_require(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    (void)key;
    recipe->require = recipe->require
                          ? bt_arena_print(&recipe->arena, "%s,%s", recipe->require, value)
                          : bt_arena_copy(&recipe->arena, value, strlen(value));
    return recipe->require ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status set_joint(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    static const char *const names[] = {"pairwise", "none"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    recipe->joint_none = chosen == 1;
    return BAUTA_OK;
}

static bauta_status set_group(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    (void)key;
    return keep(recipe, value, &recipe->group, error);
}

static bauta_status set_publish(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    (void)key;
    return keep(recipe, value, &recipe->publish, error);
}

static bauta_status set_public(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    (void)key;
    const char *path;
    BT_TRY(keep_path(recipe, value, &path, error));
    return bt_list_add(recipe, &recipe->publics, path, error);
}

/* The column names persons, so it is an identifier of the microdata. */
static bauta_status set_key(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    bool none = strcmp(value, "none") == 0;
    if (value[0] == '\0') return bt_fail(error, BAUTA_USAGE, "'%s' names no column", key->key.name);
    if (recipe->key_none ? !none : recipe->key && strcmp(recipe->key, value) != 0)
        return bt_fail(error, BAUTA_USAGE, "'%s' names two columns", key->key.name);
    recipe->key_none = none;
    if (none) return BAUTA_OK;
    BT_TRY(bt_recipe_set_role(recipe, value, BT_ROLE_IDENTIFIER, error));
    return keep(recipe, value, &recipe->key, error);
}

static bauta_status set_join(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    (void)key;
    return keep(recipe, value, &recipe->join, error);
}

static bauta_status set_on_conflict(bauta_recipe *recipe, const bt_recipe_key *key,
                                    const char *value, bauta_error *error)
{
    static const char *const names[] = {"stop", "exclude-public"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    recipe->exclude_public = chosen == 1;
    return BAUTA_OK;
}

static bauta_status set_suppress(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                 bauta_error *error)
{
    return read_share(key, value, &recipe->suppress, error);
}

static bauta_status set_nodes(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    if (bt_text_integer(value, &recipe->nodes) && recipe->nodes > 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 on", key->key.name);
}

static bauta_status set_time(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    const bt_rational zero = {0, 1};
    if (bt_rational_parse(value, &recipe->time) && bt_rational_compare(recipe->time, zero) > 0)
        return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' must be a number of seconds above 0", key->key.name);
    bt_error_hint(error, "write it as 30 or 0.5");
    return status;
}

static bauta_status set_missing(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    static const char *const names[] = {"value", "drop"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    recipe->missing_drop = chosen == 1;
    return BAUTA_OK;
}

static bauta_status set_missing_values(bauta_recipe *recipe, const bt_recipe_key *key,
                                       const char *value, bauta_error *error)
{
    (void)key;
    list_reader reader;
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader))
        BT_TRY(bt_list_add(recipe, &recipe->missing_values, reader.text, error));
    return BAUTA_OK;
}

static bauta_status set_encoding(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                 bauta_error *error)
{
    static const char *const names[] = {"utf-8", "latin-1", "windows-1252"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 3, &chosen, error));
    recipe->encoding = (bt_encoding)chosen;
    recipe->has_encoding = true;
    return BAUTA_OK;
}

static bauta_status set_decimal(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    static const char *const names[] = {"point", "comma"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    recipe->decimal_comma = chosen == 1;
    return BAUTA_OK;
}

static bauta_status set_delimiter(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    char byte = value[0];
    if (strcasecmp(value, "tab") == 0 || strcmp(value, "\\t") == 0)
        byte = '\t';
    else if (byte == '\0' || value[1] != '\0' || (unsigned char)byte > 126 || byte == '"' ||
             (byte < ' ' && byte != '\t')) {
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "'%s' must be one character or 'tab'", key->key.name);
        bt_error_hint(error, "the usual ones are , ; | and tab");
        return status;
    }
    recipe->delimiter = byte;
    return BAUTA_OK;
}

static bauta_status set_header(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    bool yes;
    BT_TRY(choose_yes(key, value, &yes, error));
    recipe->no_header = !yes;
    return BAUTA_OK;
}

static bauta_status two_seeds(bauta_error *error)
{
    return bt_fail(error, BAUTA_USAGE, "give either 'seed' or 'seed-file', not both");
}

static bauta_status set_seed_file(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    (void)key;
    if (recipe->seed) return two_seeds(error);
    return keep_path(recipe, value, &recipe->seed_file, error);
}

static bauta_status set_seed(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    bt_seed seed;
    if (recipe->seed_file) return two_seeds(error);
    if (!bt_seed_parse(value, &seed))
        return bt_fail(error, BAUTA_USAGE, "'%s' must be 1 to 64 hexadecimal digits",
                       key->key.name);
    return keep(recipe, value, &recipe->seed, error);
}

enum { MOST_THREADS = 1024 };

static bauta_status set_threads(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    int64_t threads;
    if (!bt_text_integer(value, &threads) || threads < 1 || threads > MOST_THREADS)
        return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 to %d",
                       key->key.name, MOST_THREADS);
    recipe->threads = (unsigned)threads;
    return BAUTA_OK;
}

static bauta_status set_memory(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    static const char suffixes[] = "kmgt";
    char number[24];
    size_t length = strlen(value), bytes;
    int64_t amount;
    int steps = 0;
    const char *suffix = length ? strchr(suffixes, value[length - 1] | 0x20) : NULL;
    if (suffix && *suffix) {
        steps = (int)(suffix - suffixes) + 1;
        length--;
    }
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), value);
    bool good = bt_text_integer(number, &amount) && amount > 0;
    bytes = good ? (size_t)amount : 0;
    for (; good && steps > 0; steps--)
        good = bt_size_mul(bytes, 1024, &bytes);
    if (!good) {
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "'%s' must be a number of bytes", key->key.name);
        bt_error_hint(error, "with k, M or G for powers of 1024: 512M");
        return status;
    }
    recipe->memory = bytes;
    return BAUTA_OK;
}

static bauta_status set_tmp(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    (void)key;
    return keep_path(recipe, value, &recipe->tmp, error);
}

static bauta_status set_accept_other(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    (void)key;
    list_reader reader;
    if (value[0] == '\0') return BAUTA_OK; /* an empty list */
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader))
        BT_TRY(bt_list_add(recipe, &recipe->accept_other, reader.text, error));
    return BAUTA_OK;
}

static bauta_status set_unique_limit(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    return read_share(key, value, &recipe->unique_limit, error);
}

static bauta_status set_keep_mapping(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    return choose_yes(key, value, &recipe->keep_mapping, error);
}

static bauta_status set_force(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    return choose_yes(key, value, &recipe->force, error);
}

static bauta_status set_allow_experiment(bauta_recipe *recipe, const bt_recipe_key *key,
                                         const char *value, bauta_error *error)
{
    return choose_yes(key, value, &recipe->allow_experiment, error);
}

static bauta_status set_similarity(bauta_recipe *recipe, const bt_recipe_key *key,
                                   const char *value, bauta_error *error)
{
    return choose_yes(key, value, &recipe->similarity, error);
}

static bauta_status set_associations(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    (void)key;
    return keep(recipe, value, &recipe->associations, error);
}

static bauta_status set_pairs(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    return choose_yes(key, value, &recipe->pairs, error);
}

static bauta_status set_workload(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                 bauta_error *error)
{
    (void)key;
    return keep(recipe, value, &recipe->workload, error);
}

static bauta_status set_queries(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    enum { MOST_QUERIES = 10000000 };
    if (bt_text_integer(value, &recipe->queries) && recipe->queries > 0 &&
        recipe->queries <= MOST_QUERIES)
        return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 to %d", key->key.name,
                   MOST_QUERIES);
}

static bauta_status set_explain(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                bauta_error *error)
{
    return choose_yes(key, value, &recipe->explain, error);
}

const char *const bt_estimator_names[BT_ESTIMATORS] = {"usual", "spread", "paper", "unbiased",
                                                       "direct"};

static bauta_status set_estimator(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                  bauta_error *error)
{
    size_t chosen = 0;
    BT_TRY(choose(key, value, bt_estimator_names + BT_ESTIMATE_SPREAD,
                  BT_ESTIMATORS - BT_ESTIMATE_SPREAD, &chosen, error));
    recipe->estimator = (bt_estimator)(BT_ESTIMATE_SPREAD + chosen);
    return BAUTA_OK;
}

static bauta_status set_previous(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                                 bauta_error *error)
{
    (void)key;
    const char *path = NULL;
    BT_TRY(keep_path(recipe, value, &path, error));
    return bt_list_add(recipe, &recipe->previous, path, error);
}

static bauta_status set_risk(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    return choose_yes(key, value, &recipe->risk, error);
}

static bauta_status set_risk_threshold(bauta_recipe *recipe, const bt_recipe_key *key,
                                       const char *value, bauta_error *error)
{
    return read_share(key, value, &recipe->risk_threshold, error);
}

static bauta_status set_sampling_fraction(bauta_recipe *recipe, const bt_recipe_key *key,
                                          const char *value, bauta_error *error)
{
    bt_rational fraction;
    BT_TRY(read_share(key, value, &fraction, error));
    if (fraction.top == 0)
        return bt_fail(error, BAUTA_USAGE, "'%s' must be more than 0", key->key.name);
    recipe->sampling_fraction = fraction;
    return BAUTA_OK;
}

/* ---- the table, in the order in which help lists it ---- */

const bt_recipe_key bt_recipe_keys[] = {
    {.key = {"input", "FILE", "input", "read this file; may be repeated; - is standard input"},
     .kind = BT_KEY_FILES,
     .set = set_input},
    {.key = {"delimiter", "CHAR", "input", "between fields: a character or tab (default: sniffed)"},
     .kind = BT_KEY_TEXT,
     .set = set_delimiter},
    {.key = {"header", "yes|no", "input", "the first row names the columns (default: yes)"},
     .kind = BT_KEY_TEXT,
     .set = set_header},
    {.key = {"encoding", "utf-8|latin-1|windows-1252", "input",
             "encoding of the input (default: utf-8)"},
     .kind = BT_KEY_TEXT,
     .set = set_encoding},
    {.key = {"decimal", "point|comma", "input", "decimal separator (default: point)"},
     .kind = BT_KEY_TEXT,
     .set = set_decimal},
    {.key = {"type", "COL=TYPE", "input", "read a column as text, integer, decimal or date"},
     .kind = BT_KEY_PAIR,
     .set = set_type},
    {.key = {"missing-values", "TEXT,...", "input",
             "texts that mean missing, as the empty one (default: NA,?)"},
     .kind = BT_KEY_LIST,
     .set = set_missing_values},
    {.key = {"missing", "value|drop", "input",
             "missing is a value, or drops the row (default: value)"},
     .kind = BT_KEY_TEXT,
     .set = set_missing},
    {.key = {"quasi", "COL,...", "roles", "columns that an attacker may know: generalized"},
     .kind = BT_KEY_LIST,
     .set = set_role,
     .role = BT_ROLE_QUASI},
    {.key = {"sensitive", "COL,...", "roles", "columns that nobody shall learn of a person"},
     .kind = BT_KEY_LIST,
     .set = set_role,
     .role = BT_ROLE_SENSITIVE},
    {.key = {"identifier", "COL,...", "roles", "columns that name a person: never published"},
     .kind = BT_KEY_LIST,
     .set = set_role,
     .role = BT_ROLE_IDENTIFIER},
    {.key = {"other", "COL,...|rest", "roles",
             "columns published as they are; rest: all that are left"},
     .kind = BT_KEY_LIST,
     .set = set_role,
     .role = BT_ROLE_OTHER},
    {.key = {"drop", "COL,...|rest", "roles", "columns left out; rest: all that are left"},
     .kind = BT_KEY_LIST,
     .set = set_role,
     .role = BT_ROLE_DROPPED},
    {.key = {"hierarchy", "COL=SPEC", "roles",
             "a file, intervals:5,10, mask, balanced:N, date or flat"},
     .kind = BT_KEY_PAIR,
     .set = set_hierarchy},
    {.key = {"categories", "COL=FILE", "roles",
             "categories of sensitive values, the most sensitive first"},
     .kind = BT_KEY_PAIR,
     .set = set_categories},
    {.key = {"weight", "COL=NUMBER", "release",
             "what the loss of a quasi column counts for (default: 1)"},
     .kind = BT_KEY_PAIR,
     .set = set_weight},
    {.key = {"min-level", "COL=LEVEL", "release",
             "cells of a quasi column are at least this general"},
     .kind = BT_KEY_PAIR,
     .set = set_min_level},
    {.key = {"max-level", "COL=LEVEL", "release",
             "cells of a quasi column are at most this general"},
     .kind = BT_KEY_PAIR,
     .set = set_max_level},
    {.key = {"levels", "COL=LEVEL", "release", "recode every quasi column at a level of its own"},
     .kind = BT_KEY_PAIR,
     .set = set_levels},
    {.key = {"cut-points", "COL=N,N,...", "release",
             "where cells of a quasi column begin, for box=grid"},
     .kind = BT_KEY_PAIR,
     .set = set_cut_points},
    {.key = {"subject", "COL", "roles", "persons may have several rows: this identifier tells"},
     .kind = BT_KEY_TEXT,
     .set = set_subject},
    {.key = {"subject-rows", "apart|together", "release",
             "a person's rows stay in one class (default: apart)"},
     .kind = BT_KEY_TEXT,
     .set = set_subject_rows},
    {.key = {"require", "NAME=VALUE,...", "release", "what every class must satisfy: k=5"},
     .kind = BT_KEY_REQUIRE,
     .set = set_require},
    {.key = {"joint", "pairwise|none", "release",
             "judge also given another sensitive value (default: pairwise)"},
     .kind = BT_KEY_TEXT,
     .set = set_joint},
    {.key = {"group", "METHOD[:OPTION=VALUE,...]", "release",
             "how records are grouped (default: mondrian)"},
     .kind = BT_KEY_CHOICE,
     .set = set_group,
     .chooses = "method"},
    {.key = {"publish", "FORM[:OPTION=VALUE,...]", "release",
             "in what form (default: generalized)"},
     .kind = BT_KEY_CHOICE,
     .set = set_publish,
     .chooses = "form"},
    {.key = {"public", "FILE", "release",
             "also group persons of a public database; may be repeated"},
     .kind = BT_KEY_FILES,
     .set = set_public},
    {.key = {"key", "COL|none", "release",
             "column that names persons in both; none: nobody is in both"},
     .kind = BT_KEY_TEXT,
     .set = set_key},
    {.key = {"join", "KIND[:OPTION=VALUE,...]", "release",
             "refine or direct; trim=none|safe|paper (default: refine)"},
     .kind = BT_KEY_CHOICE,
     .set = set_join,
     .chooses = "kind"},
    {.key = {"on-conflict", "stop|exclude-public", "release",
             "when both tell different things of a person (default: stop)"},
     .kind = BT_KEY_TEXT,
     .set = set_on_conflict},
    {.key = {"suppress", "SHARE", "release", "drop at most this share of the rows (default: 0)"},
     .kind = BT_KEY_TEXT,
     .set = set_suppress},
    {.key = {"nodes", "N", "release", "look at most at so many nodes of a lattice (default: all)"},
     .kind = BT_KEY_TEXT,
     .set = set_nodes},
    {.key = {"time", "SECONDS", "release",
             "end the search of a lattice after this time (default: never)"},
     .kind = BT_KEY_TEXT,
     .set = set_time},
    {.key = {"accept-other", "COL,...", "release",
             "publish these other columns although they single out"},
     .kind = BT_KEY_LIST,
     .set = set_accept_other},
    {.key = {"unique-limit", "SHARE", "release",
             "most rows in which an other column is unique (default: 0.5)"},
     .kind = BT_KEY_TEXT,
     .set = set_unique_limit},
    {.key = {"previous", "PUBLISH", "release",
             "an earlier release to be checked against; may be repeated"},
     .kind = BT_KEY_FILES,
     .set = set_previous},
    {.key = {"seed-file", "FILE", "release", "32 secret bytes: a release that can be repeated"},
     .kind = BT_KEY_FILE,
     .set = set_seed_file,
     .excludes = "seed"},
    {.key = {"seed", "HEX", "release", "for experiments only: the release is marked as one"},
     .kind = BT_KEY_TEXT,
     .set = set_seed,
     .excludes = "seed-file"},
    {.key = {"keep-mapping", NULL, "release", "write private/mapping.csv: row number to class"},
     .kind = BT_KEY_SWITCH,
     .set = set_keep_mapping},
    {.key = {"force", NULL, "release", "replace a release that is there"},
     .kind = BT_KEY_SWITCH,
     .set = set_force},
    {.key = {"allow-experiment", NULL, "audit", "a release made with --seed is not a fault"},
     .kind = BT_KEY_SWITCH,
     .set = set_allow_experiment},
    {.key = {"similarity", NULL, "measure", "only the similarity attack, which needs no original"},
     .kind = BT_KEY_SWITCH,
     .set = set_similarity},
    {.key = {"associations", "OPTION=VALUE,...", "measure",
             "also find associations: support=0.08,confidence=0.15"},
     .kind = BT_KEY_TEXT,
     .set = set_associations},
    {.key = {"pairs", NULL, "measure", "also how strongly pairs of columns depend on each other"},
     .kind = BT_KEY_SWITCH,
     .set = set_pairs},
    {.key = {"workload", "NAME[:OPTION=VALUE,...]", "measure",
             "also ask random queries: paper1:qd=4,s=0.05, paper4, paper5"},
     .kind = BT_KEY_TEXT,
     .set = set_workload},
    {.key = {"queries", "N", "measure", "how many queries of a workload (default: 1000)"},
     .kind = BT_KEY_TEXT,
     .set = set_queries},
    {.key = {"explain", NULL, "query", "show classes, contributions and assumptions"},
     .kind = BT_KEY_SWITCH,
     .set = set_explain},
    {.key = {"estimator", "NAME", "query", "spread or paper; of randomized: unbiased or direct"},
     .kind = BT_KEY_TEXT,
     .set = set_estimator},
    {.key = {"risk", NULL, "risk", "how easily records are traced to people, as they stand"},
     .kind = BT_KEY_SWITCH,
     .set = set_risk},
    {.key = {"risk-threshold", "SHARE", "risk", "a record above it is at risk (default: 0.2)"},
     .kind = BT_KEY_TEXT,
     .set = set_risk_threshold},
    {.key = {"sampling-fraction", "SHARE", "risk",
             "of the population that the table holds (default: all)"},
     .kind = BT_KEY_TEXT,
     .set = set_sampling_fraction},
    {.key = {"threads", "N", "run", "threads to use (default: all processors)"},
     .kind = BT_KEY_TEXT,
     .set = set_threads},
    {.key = {"memory", "BYTES", "run", "memory for buffers before they go to disk: 512M, 4G"},
     .kind = BT_KEY_TEXT,
     .set = set_memory},
    {.key = {"tmp", "FOLDER", "run", "where temporary files go"},
     .kind = BT_KEY_FILE,
     .set = set_tmp},
};
const size_t bt_recipe_key_count = sizeof bt_recipe_keys / sizeof *bt_recipe_keys;

_Static_assert(sizeof bt_recipe_keys / sizeof *bt_recipe_keys <= BT_MOST_KEYS,
               "a recipe has room for every key");

const bt_recipe_key *bt_recipe_find_key(const char *name)
{
    for (size_t i = 0; i < bt_recipe_key_count; i++)
        if (strcmp(bt_recipe_keys[i].key.name, name) == 0) return &bt_recipe_keys[i];
    return NULL;
}

bauta_status bt_recipe_unknown_key(const char *name, bauta_error *error)
{
    const char *names[sizeof bt_recipe_keys / sizeof *bt_recipe_keys + 2];
    size_t count = 0;
    for (; count < bt_recipe_key_count; count++)
        names[count] = bt_recipe_keys[count].key.name;
    names[count++] = "columns";
    names[count++] = "rest";
    bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no key '%s'", name);
    const char *near = bt_text_nearest(name, names, count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list keys' names them");
    return status;
}
