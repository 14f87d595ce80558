/* SPDX-License-Identifier: Apache-2.0
 *
 * Law 1 on all small tables: every multiset of up to six records over a handful of records, for
 * every method with every form, every kind of hierarchy, and every way to drop records.
 *
 * The order of the records is part of what the law names. So a table is anonymized twice: the
 * second time its records stand in the order of what the first run published of them, and tables of
 * which the same is published meet in one bucket. Dropped records stand somewhere between.
 *
 * Three things are asked of each setup:
 *   bucket   where the law says that the bytes of publish/ follow, they do;
 *   missing  with --missing drop they follow from the complete records and the number of the
 * others; marker   a value that only dropped records have is nowhere in publish/.
 */
#include "worlds.h"

enum { RECORDS = 6, TYPES = 7 };

typedef struct small_world {
    setup setup;
    int most;                 /* records */
    const char *types[TYPES]; /* the records that there may be; NULL after the last */
    bool may_be_refused;      /* always: the method does not go with the form */
} small_world;

/* ---- one table --------------------------------------------------------------------------- */

/* Records that are published, in the order of their published rows; dropped ones in between. */
static void reorder(const table *t, const seen *v, uint64_t random, table *out, unsigned *tags)
{
    size_t place[RECORDS], kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (v->rows[i]) {
            size_t at = kept++;
            for (; at > 0; at--) {
                size_t other = place[at - 1];
                if (strcmp(v->rows[i], v->rows[other]) >= 0) break;
                place[at] = other;
            }
            place[at] = i;
        }
    out->count = kept;
    for (size_t i = 0; i < kept; i++) {
        out->rows[i] = t->rows[place[i]];
        tags[i] = (unsigned)i + 1;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (v->rows[i]) continue;
        size_t at = test_below(&random, out->count + 1);
        memmove(out->rows + at + 1, out->rows + at, (out->count - at) * sizeof *out->rows);
        memmove(tags + at + 1, tags + at, (out->count - at) * sizeof *tags);
        out->rows[at] = t->rows[i];
        tags[at] = 9;
        out->count++;
    }
}

static bool has_value(const table *t, const seen *v, int column, const char *value, size_t length)
{
    for (size_t r = 0; r < t->count; r++) {
        const char *at = t->rows[r];
        for (int c = 0; c < column; c++)
            at = strchr(at, ',') + 1;
        if (v->rows[r] && strcspn(at, ",") == length && memcmp(at, value, length) == 0) return true;
    }
    return false;
}

/* Whether the recipe itself publishes a value: as one of a target, or of a public person. */
static bool is_of_recipe(const setup *s, const char *value, size_t length)
{
    for (size_t i = 0; i < FILES_MOST && s->files[i].key; i++)
        if ((strcmp(s->files[i].key, "target.csv") == 0 ||
             strcmp(s->files[i].key, "public.csv") == 0) &&
            memmem(s->files[i].value, strlen(s->files[i].value), value, length))
            return true;
    return false;
}

/* A value that only dropped records have is nowhere. */
static void check_markers(const setup *s, const table *t, const seen *v, const bt_buffer *bytes,
                          buckets *b)
{
    for (size_t r = 0; r < t->count; r++) {
        int column = 0;
        if (v->rows[r]) continue;
        for (const char *at = t->rows[r]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            size_t length = strcspn(at, ",");
            bool elsewhere = has_value(t, v, column++, at, length) || is_of_recipe(s, at, length);
            if (elsewhere || length < 4) continue; /* short texts are found by chance */
            if (!memmem(bytes->bytes, bytes->length, at, length) || b->fault) continue;
            bt_buffer text = {0};
            bauta_error error;
            char *shown = show_table(t);
            assert_ok(bt_buffer_print(&text, &error,
                                      "%.*s is published, and only dropped records have it\n#   %s",
                                      (int)length, at, shown),
                      &error);
            put(&text, "", 1);
            b->fault = text.bytes;
            free(shown);
        }
    }
}

/* The second run, and what is asked of it. */
static bool judge(const setup *s, const table *t, const unsigned *tags, buckets *b)
{
    outcome o, bare;
    seen v;
    bt_buffer key = {0};
    bool joined = has_setting(s, "public");
    run_world(s, t, joined ? NULL : tags, &o);
    if (o.status == BAUTA_OK) {
        see(s, t, tags, &o, &v);
        put_key(s, t, &o, &v, &key);
        if (s->bare) {
            run_world(s, t, NULL, &bare);
            assert_int_equal(bare.status, BAUTA_OK);
            bt_buffer swap = o.bytes;
            o.bytes = bare.bytes;
            bare.bytes = swap;
            outcome_free(&bare);
        }
        put_into_bucket(b, &key, &o.bytes, t);
        key.length = 0;
        if (s->drops_missing) {
            put_complete(t, &key);
            put_into_bucket(b, &key, &o.bytes, t);
        }
        check_markers(s, t, &v, &o.bytes, b);
        seen_free(&v);
    }
    bool made = o.status == BAUTA_OK;
    bt_buffer_release(&key);
    outcome_free(&o);
    return made;
}

/* What the first run publishes of each record; where values are published as they are, it is known
 * without one. */
static bool foresee(const setup *s, const table *t, seen *v)
{
    static const unsigned numbers[RECORDS + 1] = {1, 2, 3, 4, 5, 6, 7};
    outcome o = {.status = BAUTA_OK};
    if (!s->shows_values) {
        run_world(s, t, has_setting(s, "public") ? NULL : numbers, &o);
        bool made = o.status == BAUTA_OK;
        if (made) see(s, t, numbers, &o, v);
        outcome_free(&o);
        return made;
    }
    see_nothing(t, v);
    for (size_t i = 0; i < t->count; i++)
        if (!s->drops_missing || !is_incomplete(t->rows[i])) v->rows[i] = "";
    return true;
}

static bool try_table(const setup *s, const table *t, uint64_t random, buckets *b)
{
    const char *rows[RECORDS];
    unsigned tags[RECORDS];
    table second = {rows, 0};
    seen v = {0};
    bool made = foresee(s, t, &v);
    if (made) reorder(t, &v, random, &second, tags);
    if (made) made = judge(s, &second, tags, b);
    seen_free(&v);
    return made;
}

/* ---- all tables -------------------------------------------------------------------------- */

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#ifdef __SANITIZE_ADDRESS__
enum { SMALLER = true };
#else
enum { SMALLER = __has_feature(address_sanitizer) };
#endif

static void write_files(const setup *s)
{
    for (size_t i = 0; i < FILES_MOST && s->files[i].key; i++)
        scratch_text(s->files[i].key, s->files[i].value);
}

/* Every multiset of records: `chosen` are ascending numbers of types. */
static void every_table(void **state)
{
    const small_world *w = *state;
    buckets b;
    const char *rows[RECORDS];
    size_t types = 0, made = 0, tried = 0;
    buckets_make(&b);
    write_files(&w->setup);
    while (types < TYPES && w->types[types])
        types++;
    int most = SMALLER && w->most > 3 ? 3 : w->most; /* each takes several times as long */
    for (int count = 1; count <= most; count++) {
        size_t chosen[RECORDS] = {0};
        for (bool more = true; more;) {
            for (int i = 0; i < count; i++)
                rows[i] = w->types[chosen[i]];
            made += try_table(&w->setup, &(table){rows, (size_t)count}, ++tried, &b);
            int last = count - 1;
            while (last >= 0 && chosen[last] == types - 1)
                last--;
            more = last >= 0;
            for (int i = count - 1; more && i >= last; i--)
                chosen[i] = chosen[last] + 1;
        }
    }
    print_message("# %s: %zu tables, %zu published, %zu buckets, %zu met another\n", w->setup.name,
                  tried, made, b.used, b.shared);
    judge_buckets(&b, !SMALLER && (made > 0 || !w->may_be_refused));
}

/* ---- the tests of the test ----------------------------------------------------------------- */

/* Bytes that differ in a bucket are a fault, and in two buckets they are not. */
static void a_bucket_holds_one_release(void **state)
{
    (void)state;
    const char *rows[] = {"1001,angina", "1002,cancer"};
    const table t = {rows, 2};
    bt_buffer keys[2] = {{0}, {0}}, bytes[2] = {{0}, {0}};
    buckets b;
    buckets_make(&b);
    put_text(&keys[0], "one"), put_text(&keys[1], "two");
    put_text(&bytes[0], "data.csv"), put_text(&bytes[1], "data.csV");
    assert_true(put_into_bucket(&b, &keys[0], &bytes[0], &t));
    assert_true(put_into_bucket(&b, &keys[1], &bytes[1], &t));
    assert_true(put_into_bucket(&b, &keys[0], &bytes[0], &t));
    assert_null(b.fault);
    assert_false(put_into_bucket(&b, &keys[0], &bytes[1], &t));
    assert_non_null(b.fault);
    for (int i = 0; i < 2; i++) {
        bt_buffer_release(&keys[i]);
        bt_buffer_release(&bytes[i]);
    }
    b.fault[0] = '\0';
    free(b.fault);
    b.fault = NULL;
    judge_buckets(&b, true);
}

/* The key of a release is its rows in the order of the records, with classes numbered anew. */
static void a_key_is_what_is_published(void **state)
{
    (void)state;
    static const char *const expected[] = {"1,[1001] 0,angina\n[1002] 1,cancer\nexternal\n",
                                           "1,[1002] 0,cancer\n[1001] 1,angina\nexternal\n"};
    const setup s = {.name = "key", .header = "a,s", .sensitive = 1};
    for (int turned = 0; turned < 2; turned++) {
        const char *rows[] = {turned ? "1002,cancer" : "1001,angina", "7919,measles",
                              turned ? "1001,angina" : "1002,cancer"};
        const unsigned tags[] = {turned ? 2 : 1, 9, turned ? 1 : 2};
        const table t = {rows, 3};
        outcome o = {.facts = json_object()};
        seen v;
        bt_buffer key = {0};
        put_text(&o.rows, "tag,a,class\n2,[1002],1\n1,[1001],2\n");
        put(&o.rows, "", 1);
        put_text(&o.parts, "class,s\n");
        see(&s, &t, tags, &o, &v);
        put_key(&s, &t, &o, &v, &key);
        put(&key, "", 1);
        assert_string_equal(key.bytes, expected[turned]);
        bt_buffer_release(&key);
        seen_free(&v);
        outcome_free(&o);
    }
}

/* A value that only a dropped record has is found in the bytes, wherever it is. */
static void a_marker_is_found(void **state)
{
    (void)state;
    const char *rows[] = {"1001,angina", "7919,angina"}, *published[] = {"1001,angina", NULL};
    const table t = {rows, 2};
    const setup s = {.name = "marker", .header = "a,s", .sensitive = 1};
    const seen v = {.count = 2, .kept = 1, .rows = published};
    for (int planted = 0; planted < 2; planted++) {
        bt_buffer bytes = {0};
        buckets b = {0};
        put_text(&bytes, planted ? "[1001,7919],angina" : "[1001,7918],angina");
        check_markers(&s, &t, &v, &bytes, &b);
        assert_int_equal(b.fault != NULL, planted);
        free(b.fault);
        bt_buffer_release(&bytes);
    }
}

#include "setups.h"

/* An argument is a pattern of the names of those that are wanted. */
int main(int count_of_arguments, char **arguments)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(a_bucket_holds_one_release),
        cmocka_unit_test(a_key_is_what_is_published),
        cmocka_unit_test(a_marker_is_found),
    };
    enum { OWN = sizeof own / sizeof *own };
    enum { MOST = 256 };
    static small_world worlds[MOST];
    static struct CMUnitTest tests[MOST];
    size_t count = list_worlds(worlds, MOST - OWN);
    memcpy(tests, own, sizeof own);
    if (count_of_arguments > 1) cmocka_set_test_filter(arguments[1]);
    for (size_t i = 0; i < count; i++)
        tests[OWN + i] =
            (struct CMUnitTest){worlds[i].setup.name, every_table, NULL, NULL, &worlds[i]};
    int failed = _cmocka_run_group_tests("worlds", tests, OWN + count, scratch_make, scratch_empty);
    bt_arena_release(&names);
    return failed;
}
