/* SPDX-License-Identifier: Apache-2.0
 *
 * What keys of a recipe do with their values.
 */
#include "recipe/setters.h"

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

/* ---- by the type of a field of the recipe ---- */

static void *field_of(bauta_recipe *recipe, const bt_recipe_key *key)
{
    return (char *)recipe + key->field;
}

bauta_status bt_set_text(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                         bauta_error *error)
{
    return keep(recipe, value, field_of(recipe, key), error);
}

bauta_status bt_set_path(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                         bauta_error *error)
{
    return keep_path(recipe, value, field_of(recipe, key), error);
}

bauta_status bt_set_paths(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                          bauta_error *error)
{
    const char *path = NULL;
    BT_TRY(keep_path(recipe, value, &path, error));
    return bt_list_add(recipe, field_of(recipe, key), path, error);
}

/* Whether a name begins with a scheme, as in arrow:NAME or store:NAME: it is no path. */
static bool has_scheme(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    return length > 1 && name[length] == ':';
}

bauta_status bt_set_tables(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    if (!has_scheme(value)) return bt_set_paths(recipe, key, value, error);
    return bt_list_add(recipe, field_of(recipe, key), value, error);
}

bauta_status bt_set_switch(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    return choose_yes(key, value, field_of(recipe, key), error);
}

bauta_status bt_set_second(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    char first[32];
    bool *field = field_of(recipe, key);
    const char *bar = strchr(key->key.argument, '|');
    snprintf(first, sizeof first, "%.*s", (int)(bar - key->key.argument), key->key.argument);
    const char *const names[] = {first, bar + 1};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 2, &chosen, error));
    *field = chosen == 1;
    return BAUTA_OK;
}

bauta_status bt_set_share(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                          bauta_error *error)
{
    return read_share(key, value, field_of(recipe, key), error);
}

/* ---- one key each ---- */

bauta_status bt_set_role(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_hierarchy(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    char *column;
    const char *spec;
    bt_hierarchy_source source = {0};
    BT_TRY(split_pair(recipe, key, value, &column, &spec, error));
    bool word =
        bt_hierarchy_is_derived(spec) || bt_hierarchy_is_none(&(bt_hierarchy_source){.spec = spec});
    BT_TRY((word ? keep : keep_path)(recipe, spec, &source.spec, error));
    return bt_recipe_set_hierarchy(recipe, column, &source, error);
}

bauta_status bt_set_categories(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    char *column;
    const char *file;
    bt_categories_source source = {0};
    BT_TRY(split_pair(recipe, key, value, &column, &file, error));
    BT_TRY(keep_path(recipe, file, &source.file, error));
    return bt_recipe_set_categories(recipe, column, &source, error);
}

bauta_status bt_set_hierarchy_text(bauta_recipe *recipe, const char *column, const char *name,
                                   const char *text, size_t length, bauta_error *error)
{
    const bt_hierarchy_source source = {.spec = name, .text = text, .length = length};
    return bt_recipe_set_hierarchy(recipe, column, &source, error);
}

bauta_status bt_set_categories_text(bauta_recipe *recipe, const char *column, const char *name,
                                    const char *text, size_t length, bauta_error *error)
{
    const bt_categories_source source = {.file = name, .text = text, .length = length};
    return bt_recipe_set_categories(recipe, column, &source, error);
}

bauta_status bt_set_type(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                         bauta_error *error)
{
    char *column;
    const char *type;
    BT_TRY(split_pair(recipe, key, value, &column, &type, error));
    return bt_recipe_set_type(recipe, column, type, error);
}

enum { WEIGHT_MOST = 1000000, WEIGHT_PARTS = 1000000 };

bauta_status bt_set_weight(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_min_level(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_MIN_LEVEL, error);
}

bauta_status bt_set_max_level(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_MAX_LEVEL, error);
}

bauta_status bt_set_levels(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    return set_level(recipe, key, value, BT_STEER_LEVEL, error);
}

bauta_status bt_set_cut_points(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                               bauta_error *error)
{
    char *column;
    const char *text;
    BT_TRY(split_pair(recipe, key, value, &column, &text, error));
    BT_TRY(keep(recipe, text, &text, error));
    return bt_recipe_set_cut_points(recipe, column, text, error);
}

static bool has_item(const bt_list *list, const char *item)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], item) == 0) return true;
    return false;
}

/* Columns without a role that name persons are identifiers: see resolve.c. */
bauta_status bt_set_subject(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    list_reader reader;
    bt_column_recipe *entry;
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader)) {
        bool none = !reader.escaped && strcmp(reader.text, "none") == 0;
        if (reader.text[0] == '\0')
            return bt_fail(error, BAUTA_USAGE, "'%s' names no column", key->key.name);
        if (none ? recipe->subject.count > 0 : recipe->subject_none)
            return bt_fail(error, BAUTA_USAGE, "'%s' is both a column and none", key->key.name);
        recipe->subject_none = none;
        if (none || has_item(&recipe->subject, reader.text)) continue;
        BT_TRY(bt_recipe_column(recipe, reader.text, &entry, error));
        BT_TRY(bt_list_add(recipe, &recipe->subject, reader.text, error));
    }
    return BAUTA_OK;
}

bauta_status bt_set_previous(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    bool none = strcmp(value, "none") == 0;
    if (none ? recipe->previous.count > 0 : recipe->previous_none)
        return bt_fail(error, BAUTA_USAGE, "'%s' is both a release and none", key->key.name);
    recipe->previous_none = none;
    return none ? BAUTA_OK : bt_set_tables(recipe, key, value, error);
}

/* Requirements are a conjunction: a second flag adds to the first. */
bauta_status bt_set_require(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    (void)key;
    recipe->require = recipe->require
                          ? bt_arena_print(&recipe->arena, "%s,%s", recipe->require, value)
                          : bt_arena_copy(&recipe->arena, value, strlen(value));
    return recipe->require ? BAUTA_OK : bt_fail_memory(error);
}

/* The column names persons, so it is an identifier of the microdata. */
bauta_status bt_set_key(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_nodes(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                          bauta_error *error)
{
    if (bt_text_integer(value, &recipe->nodes) && recipe->nodes > 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 on", key->key.name);
}

bauta_status bt_set_time(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

/* The next `mark` from p on that no backslash keeps, at most `end`. */
static const char *find_mark(const char *p, const char *end, char mark)
{
    for (; p < end && *p != mark; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p;
}

/* A part of a list without its backslashes, and without blanks around it that none of them keeps.
 */
static const char *plain_part(const char *p, const char *end, char *room)
{
    size_t length = 0, kept = 0;
    while (p < end && is_blank(*p))
        p++;
    for (; p < end; p++) {
        bool escape = *p == '\\' && p + 1 < end;
        if (escape) p++;
        room[length++] = *p;
        if (escape || !is_blank(*p)) kept = length;
    }
    room[kept] = '\0';
    return room;
}

/* "COL=TEXT|TEXT", with the equals sign at `equals`; "COL=" says that there are none. */
static bauta_status add_missing_of(bauta_recipe *recipe, const bt_recipe_key *key, const char *p,
                                   const char *equals, const char *end, bauta_error *error)
{
    char *column = bt_arena_alloc(&recipe->arena, (size_t)(end - p) + 1);
    char *text = bt_arena_alloc(&recipe->arena, (size_t)(end - p) + 1);
    if (!column || !text) return bt_fail_memory(error);
    if (*plain_part(p, equals, column) == '\0')
        return bt_fail(error, BAUTA_USAGE, "'%s' names no column before '='", key->key.name);
    for (p = equals + 1; p < end;) {
        const char *bar = find_mark(p, end, '|');
        BT_TRY(bt_recipe_add_missing(recipe, column, plain_part(p, bar, text), error));
        p = bar + 1;
    }
    return BAUTA_OK;
}

bauta_status bt_set_missing_values(bauta_recipe *recipe, const bt_recipe_key *key,
                                   const char *value, bauta_error *error)
{
    const char *end = value + strlen(value), *comma;
    char *text = bt_arena_alloc(&recipe->arena, strlen(value) + 1);
    if (!text) return bt_fail_memory(error);
    for (const char *p = value;; p = comma + 1) {
        comma = find_mark(p, end, ',');
        const char *equals = find_mark(p, comma, '=');
        BT_TRY(equals < comma
                   ? add_missing_of(recipe, key, p, equals, comma, error)
                   : bt_recipe_add_missing(recipe, NULL, plain_part(p, comma, text), error));
        if (comma == end) return BAUTA_OK;
    }
}

bauta_status bt_set_encoding(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                             bauta_error *error)
{
    static const char *const names[] = {"utf-8", "latin-1", "windows-1252"};
    size_t chosen = 0;
    BT_TRY(choose(key, value, names, 3, &chosen, error));
    recipe->encoding = (bt_encoding)chosen;
    recipe->has_encoding = true;
    return BAUTA_OK;
}

bauta_status bt_set_delimiter(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_header(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    bool yes;
    BT_TRY(choose_yes(key, value, &yes, error));
    recipe->has_header = true;
    recipe->no_header = !yes;
    return BAUTA_OK;
}

static bauta_status two_seeds(bauta_error *error)
{
    return bt_fail(error, BAUTA_USAGE, "give either 'seed' or 'seed-file', not both");
}

bauta_status bt_set_seed_file(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    (void)key;
    if (recipe->seed) return two_seeds(error);
    return keep_path(recipe, value, &recipe->seed_file, error);
}

bauta_status bt_set_seed(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_threads(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    int64_t threads;
    if (!bt_text_integer(value, &threads) || threads < 1 || threads > MOST_THREADS)
        return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 to %d",
                       key->key.name, MOST_THREADS);
    recipe->threads = (unsigned)threads;
    return BAUTA_OK;
}

bauta_status bt_set_memory(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
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

bauta_status bt_set_accept(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                           bauta_error *error)
{
    (void)key;
    list_reader reader;
    if (value[0] == '\0') return BAUTA_OK; /* an empty list */
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader))
        BT_TRY(bt_list_add(recipe, &recipe->accept, reader.text, error));
    return BAUTA_OK;
}

bauta_status bt_set_public_hierarchy(bauta_recipe *recipe, const bt_recipe_key *key,
                                     const char *value, bauta_error *error)
{
    list_reader reader;
    if (value[0] == '\0') return BAUTA_OK; /* an empty list */
    BT_TRY(open_list(&reader, value, &recipe->arena, error));
    while (next_part(&reader)) {
        if (reader.text[0] == '\0')
            return bt_fail(error, BAUTA_USAGE, "'%s' holds an empty column name", key->key.name);
        BT_TRY(bt_recipe_set_public(recipe, reader.text, error));
    }
    return BAUTA_OK;
}

bauta_status bt_set_queries(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                            bauta_error *error)
{
    enum { MOST_QUERIES = 10000000 };
    if (bt_text_integer(value, &recipe->queries) && recipe->queries > 0 &&
        recipe->queries <= MOST_QUERIES)
        return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "'%s' must be a whole number from 1 to %d", key->key.name,
                   MOST_QUERIES);
}

const char *const bt_estimator_names[BT_ESTIMATORS] = {"usual", "spread", "paper", "unbiased",
                                                       "direct"};

bauta_status bt_set_estimator(bauta_recipe *recipe, const bt_recipe_key *key, const char *value,
                              bauta_error *error)
{
    size_t chosen = 0;
    BT_TRY(choose(key, value, bt_estimator_names + BT_ESTIMATE_SPREAD,
                  BT_ESTIMATORS - BT_ESTIMATE_SPREAD, &chosen, error));
    recipe->estimator = (bt_estimator)(BT_ESTIMATE_SPREAD + chosen);
    return BAUTA_OK;
}

bauta_status bt_set_sampling_fraction(bauta_recipe *recipe, const bt_recipe_key *key,
                                      const char *value, bauta_error *error)
{
    bt_rational fraction;
    BT_TRY(read_share(key, value, &fraction, error));
    if (fraction.top == 0) {
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "'%s' must be more than 0", key->key.name);
        bt_error_hint(error, "the table of every tenth person of the population is 0.1 of it");
        return status;
    }
    recipe->sampling_fraction = fraction;
    return BAUTA_OK;
}
