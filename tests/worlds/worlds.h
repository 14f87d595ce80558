/* SPDX-License-Identifier: Apache-2.0
 *
 * Law 1 as a test: publish/ is a function of the recipe, the random streams, the published rows in
 * their input order, the number of dropped rows and a published target. Here a table is anonymized
 * with given streams, what it published of each record is found, and the bytes of publish/ are put
 * into the bucket that the law names: within a bucket all are equal.
 *
 * What was published of a record is found by a first column `tag` of the role `other`, which
 * numbers the published records in their input order and is part of the rows of data.csv or
 * quasi.csv. With a public table there are no such columns, and private/mapping.csv says it.
 */
#ifndef BT_TEST_WORLDS_H
#define BT_TEST_WORLDS_H

#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "base/hash.h"
#include "base/memory.h"
#include "recipe/recipe.h"

#include <bauta.h>
#include <dirent.h>
#include <jansson.h>

typedef struct setting {
    const char *key, *value; /* a value's '@' stands for the scratch folder */
} setting;

enum { SETTINGS_MOST = 16, FILES_MOST = 3 };

/* How a kind of table is anonymized. */
typedef struct setup {
    const char *name;
    const char *header; /* of the columns but `tag`, the sensitive ones last */
    int sensitive;      /* how many these are */
    bool bare;          /* without the column `tag`, which is then in another run */
    bool drops_missing; /* --missing drop */
    bool tree_of_table; /* tree.csv holds the values of column a and nothing else */
    bool shows_values;  /* published as they are, and nothing is dropped but for missing values */
    setting settings[SETTINGS_MOST];
    setting files[FILES_MOST]; /* what is in them; a recipe.yaml is read as a recipe */
} setup;

/* ---- bytes ------------------------------------------------------------------------------- */

typedef struct lines {
    char **items;
    size_t count;
} lines;

static inline void put(bt_buffer *out, const char *bytes, size_t length)
{
    bauta_error error;
    assert_ok(bt_buffer_add(out, bytes, length, &error), &error);
}

static inline void put_text(bt_buffer *out, const char *text)
{
    put(out, text, strlen(text));
}

static inline void put_number(bt_buffer *out, unsigned number)
{
    bauta_error error;
    assert_ok(bt_buffer_print(out, &error, "%u,", number), &error);
}

/* Appends a file and a zero behind it. */
static inline bool put_file(const char *folder, const char *name, bt_buffer *out)
{
    char path[512], bytes[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        put(out, bytes, got);
    fclose(file);
    put(out, "", 1);
    return true;
}

/* The lines of a text, which are cut in place. The list is the caller's to free. */
static inline lines cut_lines(char *text)
{
    lines out = {NULL, 0};
    size_t room = 1;
    for (const char *at = text; *at; at++)
        room += *at == '\n';
    out.items = bt_array(room, sizeof *out.items);
    assert_non_null(out.items);
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        out.items[out.count++] = text;
    }
    return out;
}

static inline int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* ---- a run ------------------------------------------------------------------------------- */

typedef struct table { /* records as they stand in the file, but for the tag */
    const char **rows;
    size_t count;
} table;

typedef struct outcome {
    bauta_status status;
    bauta_error error;
    bt_buffer bytes;    /* of publish/: each file's name and contents, in the order of names */
    bt_buffer rows;     /* data.csv or quasi.csv */
    bt_buffer parts;    /* sensitive.csv; empty: there is none */
    bt_buffer manifest; /* manifest.json */
    bt_buffer mapping;  /* private/mapping.csv, with a public table */
    json_t *facts;      /* private/summary.json */
} outcome;

static inline void outcome_free(outcome *o)
{
    bt_buffer_release(&o->bytes);
    bt_buffer_release(&o->rows);
    bt_buffer_release(&o->parts);
    bt_buffer_release(&o->manifest);
    bt_buffer_release(&o->mapping);
    json_decref(o->facts);
    *o = (outcome){0};
}

static inline bool has_setting(const setup *s, const char *key)
{
    for (size_t i = 0; i < SETTINGS_MOST && s->settings[i].key; i++)
        if (strcmp(s->settings[i].key, key) == 0) return true;
    return false;
}

static inline void write_table(const setup *s, const table *t, const unsigned *tags)
{
    bt_buffer text = {0};
    if (tags) put_text(&text, "tag,");
    put_text(&text, s->header);
    put_text(&text, "\n");
    for (size_t i = 0; i < t->count; i++) {
        if (tags) put_number(&text, tags[i]);
        put_text(&text, t->rows[i]);
        put_text(&text, "\n");
    }
    scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
}

/* The field of a record under the name `a`. */
static inline const char *field_a(const setup *s, const char *row, size_t *length)
{
    for (const char *name = s->header; name[0] != 'a' || (name[1] && name[1] != ',');
         name = strchr(name, ',') + 1)
        row = strchr(row, ',') + 1;
    *length = strcspn(row, ",");
    return row;
}

/* A tree over the values of column a and no others; a value stands under its first three
 * characters. */
static inline void write_tree(const setup *s, const table *t)
{
    bt_buffer text = {0};
    char *values[64];
    size_t count = 0, length;
    for (size_t i = 0; i < t->count && count < 64; i++) {
        const char *value = field_a(s, t->rows[i], &length);
        values[count++] = strndup(value, length);
    }
    qsort(values, count, sizeof *values, compare_texts);
    for (size_t i = 0; i < count; i++) {
        bauta_error error;
        bool again = i > 0 && strcmp(values[i], values[i - 1]) == 0;
        if (!again && values[i][0])
            assert_ok(bt_buffer_print(&text, &error, "%s;%.3s;*\n", values[i], values[i]), &error);
    }
    for (size_t i = 0; i < count; i++)
        free(values[i]);
    scratch_write("tree.csv", text.bytes, text.length);
    bt_buffer_release(&text);
}

static inline bauta_recipe *make_recipe(const setup *s, bool tagged)
{
    static bt_seed streams = {{7, 11, 13}};
    bauta_recipe *recipe;
    bauta_error error;
    char value[512];
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    recipe->fixed_streams = &streams;
    const setting usual[] = {
        {"input", "@/table.csv"}, {"tmp", "@"}, {"threads", "1"}, {"unique-limit", "1"}};
    for (size_t i = 0; i < 4 + SETTINGS_MOST; i++) {
        const setting *at = i < 4 ? &usual[i] : &s->settings[i - 4];
        if (!at->key) break;
        const char *mark = strchr(at->value, '@');
        bool place = mark && (mark[1] == '/' || mark[1] == '\0');
        snprintf(value, sizeof value, "%.*s%s%s", place ? (int)(mark - at->value) : 400, at->value,
                 place ? scratch_path : "", place ? mark + 1 : "");
        assert_ok(bauta_recipe_set(recipe, at->key, value, &error), &error);
    }
    if (tagged) assert_ok(bauta_recipe_set(recipe, "other", "tag", &error), &error);
    for (size_t i = 0; i < FILES_MOST && s->files[i].key; i++)
        if (strcmp(s->files[i].key, "recipe.yaml") == 0)
            assert_ok(bauta_recipe_load(recipe, scratch_name("recipe.yaml"), &error), &error);
    return recipe;
}

static inline int is_named(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Reads and removes what a run wrote. */
static inline void take_files(outcome *o)
{
    char publish[128], private_folder[128];
    struct dirent **list;
    snprintf(publish, sizeof publish, "%s/out/publish", scratch_path);
    snprintf(private_folder, sizeof private_folder, "%s/out/private", scratch_path);
    int count = scandir(publish, &list, is_named, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name;
        bool rows = strcmp(name, "data.csv") == 0 || strcmp(name, "quasi.csv") == 0;
        put(&o->bytes, name, strlen(name) + 1);
        size_t from = o->bytes.length;
        assert_true(put_file(publish, name, &o->bytes));
        bt_buffer *to = rows                                 ? &o->rows
                        : strcmp(name, "sensitive.csv") == 0 ? &o->parts
                        : strcmp(name, "manifest.json") == 0 ? &o->manifest
                                                             : NULL;
        if (to) put(to, o->bytes.bytes + from, o->bytes.length - from);
        free(list[i]);
    }
    free(list);
    put_file(private_folder, "mapping.csv", &o->mapping);
    bt_buffer summary = {0};
    assert_true(put_file(private_folder, "summary.json", &summary));
    o->facts = json_loads(summary.bytes, 0, NULL);
    bt_buffer_release(&summary);
    assert_int_equal(nftw(scratch_name("out"), scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* The plan that a setup names is made of the first table of which one can be, by mondrian, and is
 * then the same for all. */
static inline void make_plan(const setup *s, bool tags)
{
    setup first = *s;
    const char *plan = NULL;
    bauta_error error;
    for (size_t i = 0; i < SETTINGS_MOST && first.settings[i].key; i++) {
        setting *at = &first.settings[i];
        if (strcmp(at->key, "plan") == 0) {
            at->key = "save-plan";
            plan = scratch_name(at->value + 2); /* behind "@/" */
        } else if (strcmp(at->key, "publish") == 0) {
            at->value = "generalized";
        } else if (strcmp(at->key, "require") == 0) {
            at->value = "k=2";
        }
    }
    if (!plan || access(plan, F_OK) == 0) return;
    char out[512];
    snprintf(out, sizeof out, "%s.release", plan);
    bauta_recipe *recipe = make_recipe(&first, tags);
    bauta_status status = bauta_anonymize(recipe, out, NULL, &error);
    assert_true(status == BAUTA_OK || status == BAUTA_NO || status == BAUTA_INVALID);
    bauta_recipe_free(recipe);
}

/* Anonymizes a table. tags NULL: without that column. */
static inline void run_world(const setup *s, const table *t, const unsigned *tags, outcome *o)
{
    *o = (outcome){0};
    write_table(s, t, tags);
    if (s->tree_of_table) write_tree(s, t);
    make_plan(s, tags != NULL);
    bauta_recipe *recipe = make_recipe(s, tags != NULL);
    o->status = bauta_anonymize(recipe, scratch_name("out"), NULL, &o->error);
    bauta_recipe_free(recipe);
    if (o->status == BAUTA_OK) {
        take_files(o);
        return;
    }
    if (o->status != BAUTA_NO && o->status != BAUTA_INVALID)
        fail_msg("%s: %s (%s)", s->name, o->error.message, o->error.hint);
}

/* ---- what was published of each record ---------------------------------------------------- */

typedef struct seen {
    bt_arena arena;
    size_t count, kept;  /* records */
    const char **rows;   /* per record: its published row without tag and class; NULL: dropped */
    const char **groups; /* per record: its class as published, or "" */
    const char **order;  /* classes in the order in which they first occur among the records */
    size_t classes;
} seen;

enum {
    EXTERNALS = 64
}; /* persons of a public table, at most: their rows stand behind the records' */

static inline void seen_free(seen *v)
{
    bt_arena_release(&v->arena);
    *v = (seen){0};
}

/* The number of a class in the order in which classes first occur. */
static inline unsigned number_class(seen *v, const char *group)
{
    size_t c = 0;
    while (c < v->classes && strcmp(v->order[c], group) != 0)
        c++;
    if (c == v->classes) v->order[v->classes++] = group;
    return (unsigned)c;
}

/* What a cell says is a set, in whatever order its members stand: sorts them. */
static inline void sort_sets(char *row)
{
    for (char *open = row; (open = strchr(open, '{')); open++) {
        char *members[64], copy[1024], *end = strchr(open, '}');
        size_t count = 0, length = end ? (size_t)(end - open - 1) : 0;
        if (length == 0 || length >= sizeof copy) continue;
        memcpy(copy, open + 1, length);
        copy[length] = '\0';
        for (char *at = strtok(copy, "|"); at && count < 64; at = strtok(NULL, "|"))
            members[count++] = at;
        qsort(members, count, sizeof *members, compare_texts);
        char *to = open + 1;
        for (size_t i = 0; i < count; i++) {
            memcpy(to, members[i], strlen(members[i]));
            to += strlen(members[i]);
            *to++ = i + 1 < count ? '|' : '}';
        }
    }
}

/* Notes the row of a record; its last field is the class, if rows have one. */
static inline void see_row(seen *v, size_t record, const char *row, bool classed)
{
    const char *comma = strrchr(row, ',');
    size_t length = classed && comma ? (size_t)(comma - row) : strlen(row);
    assert_null(v->rows[record]);
    char *copy = bt_arena_copy(&v->arena, row, length);
    v->rows[record] = copy;
    v->groups[record] = classed && comma ? bt_arena_print(&v->arena, "%s", comma + 1) : "";
    assert_true(copy && v->groups[record]);
    sort_sets(copy);
    v->kept++;
}

/* By the tags: one that does not occur is that of a dropped record. */
static inline void see_tags(const unsigned *tags, outcome *o, seen *v)
{
    lines data = cut_lines(o->rows.bytes);
    for (size_t i = 1; i < data.count; i++) {
        char *rest;
        unsigned tag = (unsigned)strtoul(data.items[i], &rest, 10);
        size_t record = 0;
        while (record < v->count && tags[record] != tag)
            record++;
        assert_true(*rest == ',' && record < v->count);
        see_row(v, record, rest + 1, o->parts.length > 0);
    }
    free(data.items);
}

/* By private/mapping.csv of a join: classes are numbered in the order in which they first occur in
 * data.csv, and have the same cells and the same sensitive group. */
static inline void see_mapping(outcome *o, seen *v)
{
    lines data = cut_lines(o->rows.bytes), map = cut_lines(o->mapping.bytes);
    size_t classes = 0;
    for (size_t i = 1; i < data.count; i++) {
        size_t c = 0;
        while (c < classes && strcmp(data.items[c], data.items[i]) != 0)
            c++;
        if (c == classes) data.items[classes++] = data.items[i];
    }
    for (size_t i = 1; i < map.count; i++) {
        char origin[32];
        unsigned row, class_number;
        assert_int_equal(sscanf(map.items[i], "%31[^,],%u,%u", origin, &row, &class_number), 3);
        assert_in_range(class_number, 1, classes);
        bool external = strcmp(origin, "microdata") != 0;
        assert_true(!external || row <= EXTERNALS);
        see_row(v, external ? v->count + row - 1 : row - 1, data.items[class_number - 1], true);
        v->kept -= external;
    }
    free(data.items);
    free(map.items);
}

static inline void see_nothing(const table *t, seen *v)
{
    *v = (seen){.count = t->count};
    size_t rows = t->count + EXTERNALS;
    v->rows = bt_arena_array(&v->arena, rows, sizeof *v->rows);
    v->groups = bt_arena_array(&v->arena, rows, sizeof *v->groups);
    v->order = bt_arena_array(&v->arena, rows, sizeof *v->order);
    assert_true(v->rows && v->groups && v->order);
    memset(v->rows, 0, rows * sizeof *v->rows);
}

static inline void see(const setup *s, const table *t, const unsigned *tags, outcome *o, seen *v)
{
    see_nothing(t, v);
    if (has_setting(s, "public"))
        see_mapping(o, v);
    else
        see_tags(tags, o, v);
}

/* ---- the bucket --------------------------------------------------------------------------- */

/* The fields of a record from the last `count` on. */
static inline const char *last_fields(const char *row, int count)
{
    const char *at = row + strlen(row);
    for (; at > row; at--)
        if (at[-1] == ',' && --count == 0) break;
    return at;
}

/* The parts that `distribution` publishes are of no record, but of a class: for each class, in
 * their order, sorted. */
static inline void put_parts(outcome *o, seen *v, bt_buffer *key)
{
    lines parts = cut_lines(o->parts.bytes);
    bt_buffer text = {0};
    bauta_error error;
    char **sorted = parts.items + 1;
    for (size_t i = 1; i < parts.count; i++) { /* "3,10,20" becomes "0007 10,20" */
        char *comma = strchr(parts.items[i], ',');
        *comma = '\0';
        const char *part =
            bt_arena_print(&v->arena, "%04u %s", number_class(v, parts.items[i]), comma + 1);
        parts.items[i] = (char *)part;
    }
    qsort(sorted, parts.count - 1, sizeof *sorted, compare_texts);
    for (size_t i = 1; i < parts.count; i++)
        assert_ok(bt_buffer_print(&text, &error, "%s\n", parts.items[i]), &error);
    put(key, text.bytes, text.length);
    bt_buffer_release(&text);
    free(parts.items);
}

static inline void put_weights(const json_t *of, bt_buffer *key)
{
    size_t i;
    json_t *weight;
    json_array_foreach(json_object_get(of, "weights"), i, weight)
    {
        if (json_integer_value(weight) != 0) put_number(key, (unsigned)json_integer_value(weight));
    }
    put_text(key, "\n");
}

/* A published target: the values that it gives any chance, as the owner is told, and all weights in
 * the manifest but those of nodes that are not used. Where each class has a target of its own, the
 * values of the published records stand for the former. */
static inline void put_target(const setup *s, const table *t, outcome *o, seen *v, bt_buffer *key)
{
    json_t *manifest = json_loads(o->manifest.bytes, 0, NULL), *one;
    const json_t *told = json_object_get(json_object_get(o->facts, "targets"), "distribution");
    char *values[64];
    size_t i, count = 0;
    assert_non_null(manifest);
    json_array_foreach(told, i, one)
    {
        if (json_real_value(json_object_get(one, "realised")) <= 0) continue;
        put_text(key, json_string_value(json_object_get(one, "value")));
        put_text(key, ";");
    }
    for (size_t r = 0; !told && r < t->count && count < 64; r++)
        if (v->rows[r]) values[count++] = (char *)last_fields(t->rows[r], s->sensitive);
    qsort(values, count, sizeof *values, compare_texts);
    for (size_t r = 0; r < count; r++)
        if (r == 0 || strcmp(values[r], values[r - 1]) != 0) put_text(key, values[r]);
    json_array_foreach(json_object_get(manifest, "targets"), i, one) put_weights(one, key);
    put_weights(json_object_get(manifest, "reference"), key);
    json_decref(manifest);
}

/* The shares of randomized:p=entropy: a figure of the drawing, which is published as a target is.
 */
static inline void put_shares(const outcome *o, bt_buffer *key)
{
    json_t *manifest = json_loads(o->manifest.bytes, 0, NULL), *column;
    size_t i;
    assert_non_null(manifest);
    json_array_foreach(json_object_get(manifest, "columns"), i, column)
    {
        const char *share = json_string_value(json_object_get(column, "redrawn"));
        if (share) put_text(key, share);
    }
    json_decref(manifest);
}

static inline bool asks_for(const setup *s, const char *key, const char *value)
{
    for (size_t i = 0; i < SETTINGS_MOST && s->settings[i].key; i++)
        if (strcmp(s->settings[i].key, key) == 0 && strcmp(s->settings[i].value, value) == 0)
            return true;
    return false;
}

/* What law 1 names, but for what is the same in all runs of a setup. */
static inline void put_key(const setup *s, const table *t, outcome *o, seen *v, bt_buffer *key)
{
    bool spread = json_object_get(o->facts, "sum_of_ranges") != NULL;
    put_number(key, (unsigned)(t->count - v->kept));
    for (size_t i = 0; i < t->count + EXTERNALS; i++) {
        bool paired = o->parts.length > 0 && !spread && i < t->count;
        if (i == t->count) put_text(key, "external\n");
        if (!v->rows[i]) continue;
        put_text(key, v->rows[i]);
        put_text(key, " ");
        put_number(key, number_class(v, v->groups[i]));
        if (paired) put_text(key, last_fields(t->rows[i], s->sensitive));
        put_text(key, "\n");
    }
    if (spread) put_parts(o, v, key);
    if (spread) put_target(s, t, o, v, key);
    if (asks_for(s, "publish", "randomized:p=entropy")) put_shares(o, key);
}

/* Whether a field of the record is empty. */
static inline bool is_incomplete(const char *row)
{
    return row[0] == ',' || row[strlen(row) - 1] == ',' || strstr(row, ",,") != NULL;
}

/* With --missing drop: the complete records in their order, and how many others there are. */
static inline void put_complete(const table *t, bt_buffer *key)
{
    unsigned others = 0;
    put_text(key, "complete\n");
    for (size_t i = 0; i < t->count; i++) {
        bool complete = !is_incomplete(t->rows[i]);
        others += !complete;
        if (!complete) continue;
        put_text(key, t->rows[i]);
        put_text(key, "\n");
    }
    put_number(key, others);
}

/* What was published of the tables of a bucket, by the first of them. */
typedef struct bucket {
    uint64_t key;
    char *bytes;
    size_t length;
    char *shown; /* that table */
} bucket;

enum { BUCKETS = 1 << 15 };

typedef struct buckets {
    bucket *slots;
    size_t used, shared; /* shared: tables that came into a bucket that another has */
    char *fault;         /* the first that was found, or NULL */
} buckets;

static inline char *show_table(const table *t)
{
    bt_buffer text = {0};
    for (size_t i = 0; i < t->count && i < 8; i++) {
        put_text(&text, i ? " | " : "");
        put_text(&text, t->rows[i]);
    }
    put_text(&text, t->count > 8 ? " | …" : "");
    put(&text, "", 1);
    return text.bytes;
}

/* The first line in which two releases differ, and the file that it is in. */
static inline void show_difference(bt_buffer *out, const char *a, const char *b, size_t length)
{
    size_t at = 0, line = 0, file = 0;
    bauta_error error;
    for (; at < length && a[at] == b[at]; at++) {
        if (a[at] == '\n' || a[at] == '\0') line = at + 1;
        if (a[at] == '\0' && at + 1 < length && a[at + 1] >= 'a' && a[at + 1] <= 'z') file = at + 1;
    }
    while (line > 0 && at - line < 60 && a[line - 1] != '\0')
        line--; /* some lines before, which name what it is */
    size_t most = length - line < 240 ? length - line : 240;
    size_t name = length - file < 20 ? length - file : 20;
    assert_ok(bt_buffer_print(out, &error, "# but %.*s has\n#   %.*s\n# and\n#   %.*s", (int)name,
                              a + file, (int)strnlen(a + line, most), a + line,
                              (int)strnlen(b + line, most), b + line),
              &error);
    for (size_t i = 1; i < out->length; i++)
        if (out->bytes[i - 1] == '\n' && out->bytes[i] != '#') out->bytes[i - 1] = ' ';
}

static inline void note_fault(buckets *b, const bucket *slot, const char *bytes, size_t length,
                              const table *t)
{
    bt_buffer text = {0};
    bauta_error error;
    if (b->fault) return;
    char *shown = show_table(t);
    assert_ok(bt_buffer_print(&text, &error,
                              "of these tables the same is published:\n#   %s\n#   %s\n",
                              slot->shown, shown),
              &error);
    show_difference(&text, slot->bytes, bytes, slot->length < length ? slot->length : length);
    put(&text, "", 1);
    b->fault = text.bytes;
    free(shown);
}

/* Puts the bytes of a table's release into the bucket of its key. False: others are there. */
static inline bool put_into_bucket(buckets *b, const bt_buffer *key, const bt_buffer *bytes,
                                   const table *t)
{
    uint64_t wanted = bt_hash(key->bytes, key->length) | 1;
    size_t at = wanted % BUCKETS;
    while (b->slots[at].key && b->slots[at].key != wanted)
        at = (at + 1) % BUCKETS;
    bucket *slot = &b->slots[at];
    if (!slot->key) {
        assert_true(++b->used < BUCKETS / 2);
        *slot = (bucket){wanted, malloc(bytes->length), bytes->length, show_table(t)};
        assert_non_null(slot->bytes);
        memcpy(slot->bytes, bytes->bytes, bytes->length);
        return true;
    }
    b->shared++;
    if (slot->length == bytes->length && memcmp(slot->bytes, bytes->bytes, slot->length) == 0)
        return true;
    note_fault(b, slot, bytes->bytes, bytes->length, t);
    return false;
}

static inline void buckets_make(buckets *b)
{
    *b = (buckets){.slots = bt_array_zero(BUCKETS, sizeof *b->slots)};
    assert_non_null(b->slots);
}

/* Fails if a fault was found, or if tables should have met and did not. Frees the buckets. */
static inline void judge_buckets(buckets *b, bool should_meet)
{
    bool found = b->fault != NULL, met = b->shared > 0;
    if (found) print_message("# %s\n", b->fault);
    for (size_t i = 0; i < BUCKETS; i++) {
        free(b->slots[i].shown);
        free(b->slots[i].bytes);
    }
    free(b->slots);
    free(b->fault);
    if (found) fail_msg("publish/ depends on more than law 1 names");
    if (should_meet && !met) fail_msg("no two tables met in a bucket: nothing was tested");
}

#endif
