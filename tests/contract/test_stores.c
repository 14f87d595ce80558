/* SPDX-License-Identifier: Apache-2.0
 *
 * What every store must do: files are written by position and by several threads, read back from
 * where they are written, and appear whole or not at all; one release is in the way of another
 * unless it is to be replaced, and of two who write one is refused.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "own_store.h"
#include "store/given.h"

typedef struct place { /* where the releases of one entry are */
    const bt_store_type *type;
    bt_stores stores;
    bauta_store *given;
    own_store own;
    bt_run run;
    char out[128], release[160];
} place;

static void open_place(place *p, const bt_store_type *type)
{
    static int number;
    bauta_error error;
    *p = (place){.type = type};
    p->run.stores = &p->stores;
    assert_ok(bt_pool_new(4, &p->run.pool, &error), &error);
    if (!type->forget) {
        snprintf(p->out, sizeof p->out, "%s/out%d", scratch_path, ++number);
        snprintf(p->release, sizeof p->release, "%s/publish", p->out);
        return;
    }
    if (strcmp(type->name, "memory") == 0)
        assert_ok(bauta_store_memory(&p->given, &error), &error);
    else
        assert_ok(bauta_store_own(&own_calls, &p->own, &p->given, &error), &error);
    assert_ok(bt_stores_add(&p->stores, "here", p->given, &error), &error);
    snprintf(p->out, sizeof p->out, "store:here");
    snprintf(p->release, sizeof p->release, "store:here");
}

static void close_place(place *p)
{
    bt_stores_free(&p->stores);
    bauta_store_free(p->given);
    bt_pool_free(p->run.pool);
    assert_int_equal(p->own.frees, strcmp(p->type->name, "own") == 0);
}

static bauta_status says_yes(const char *text, size_t length, bool *is, bauta_error *error)
{
    (void)text;
    (void)error;
    *is = length > 0;
    return BAUTA_OK;
}

static bauta_status begin(place *p, bool force, bt_store *store, bauta_error *error)
{
    const bt_store_wish wish = {.force = force, .manifest_most = 100, .is_manifest = says_yes};
    return bt_store_begin(p->out, &wish, &p->run, store, error);
}

static void put(bt_store *store, bt_shelf shelf, const char *name, const char *text)
{
    bauta_error error;
    assert_ok(bt_store_write(store, shelf, name, text, strlen(text), &error), &error);
}

/* The file holds the text; NULL: there is none. */
static void holds(const bt_store *store, bt_shelf shelf, const char *name, const char *text)
{
    bauta_error error;
    bool found;
    bt_buffer read = {0};
    assert_ok(bt_store_text(store, shelf, name, 1 << 20, &read, &found, &error), &error);
    assert_int_equal(found, text != NULL);
    if (text) assert_int_equal(read.length, strlen(text));
    if (text && read.length > 0) assert_memory_equal(read.bytes, text, read.length);
    bt_buffer_release(&read);
}

static bauta_status count_one(void *user, const char *name, bool plain, bauta_error *error)
{
    int *count = user;
    (void)error;
    assert_true(plain);
    assert_null(strchr(name, '/'));
    (*count)++;
    return BAUTA_OK;
}

static void has_files(const bt_store *store, int expected)
{
    bauta_error error;
    int count = 0;
    if (!store->type->each) return;
    assert_ok(store->type->each(store, count_one, &count, &error), &error);
    assert_int_equal(count, expected);
}

static void publish(place *p, bool force, const char *rows)
{
    bauta_error error;
    bt_store store;
    assert_ok(begin(p, force, &store, &error), &error);
    put(&store, BT_SHELF_PUBLISH, "data.csv", rows);
    put(&store, BT_SHELF_PUBLISH, "manifest.json", "{}");
    put(&store, BT_SHELF_PRIVATE, "summary.json", rows);
    put(&store, BT_SHELF_TREES, "age.csv", "1;*\n");
    assert_ok(bt_store_settle(&store, &error), &error);
    holds(&store, BT_SHELF_PUBLISH, "data.csv", rows);
    has_files(&store, 2);
    assert_false(store.committed);
    assert_ok(bt_store_commit(&store, &error), &error);
    assert_true(store.committed);
    bt_store_close(&store);
}

static void is_there(place *p, const char *rows)
{
    bauta_error error;
    bt_store store;
    assert_ok(bt_store_open(p->release, &p->run, &store, &error), &error);
    holds(&store, BT_SHELF_PUBLISH, "data.csv", rows);
    holds(&store, BT_SHELF_PUBLISH, "manifest.json", "{}");
    holds(&store, BT_SHELF_PRIVATE, "summary.json", rows);
    holds(&store, BT_SHELF_TREES, "age.csv", "1;*\n");
    holds(&store, BT_SHELF_PUBLISH, "quasi.csv", NULL);
    has_files(&store, 2);
    bt_store_close(&store);
}

static void nothing_is_there(place *p)
{
    bauta_error error;
    bt_store store;
    bt_bytes *bytes;
    assert_ok(bt_store_open(p->release, &p->run, &store, &error), &error);
    holds(&store, BT_SHELF_PUBLISH, "data.csv", NULL);
    holds(&store, BT_SHELF_PRIVATE, "summary.json", NULL);
    assert_fails(bt_store_need(&store, "data.csv", &bytes, &error), BAUTA_INVALID, &error,
                 "there is no");
    bt_store_close(&store);
}

/* ---- what each must do ---- */

static void appears_whole(place *p)
{
    nothing_is_there(p);
    publish(p, false, "age\n1\n");
    is_there(p, "age\n1\n");
}

static void leaves_nothing(place *p)
{
    bauta_error error;
    bt_store store;
    assert_ok(begin(p, false, &store, &error), &error);
    bt_store_close(&store); /* before anything was created */
    assert_ok(begin(p, false, &store, &error), &error);
    put(&store, BT_SHELF_PUBLISH, "data.csv", "age\n1\n");
    put(&store, BT_SHELF_PRIVATE, "summary.json", "{}");
    bt_store_close(&store);
    bt_store_close(&store); /* closing again does nothing */
    nothing_is_there(p);
    publish(p, false, "age\n2\n"); /* nor is it in the way */
    is_there(p, "age\n2\n");
}

static void replaces_when_asked(place *p)
{
    bauta_error error;
    bt_store store;
    publish(p, false, "age\n1\n");
    assert_int_equal(begin(p, false, &store, &error), BAUTA_USAGE);
    assert_true(error.hint[0] != '\0');
    is_there(p, "age\n1\n");
    assert_ok(begin(p, true, &store, &error), &error);
    put(&store, BT_SHELF_PUBLISH, "data.csv", "age\n2\n");
    put(&store, BT_SHELF_TREES, "zip.csv", "2;*\n");
    bt_store_close(&store);
    is_there(p, "age\n1\n");
    publish(p, true, "age\n3\n");
    is_there(p, "age\n3\n");
    publish(p, true, ""); /* also with an empty file */
    is_there(p, "");
}

static void renames(place *p)
{
    bauta_error error;
    bt_store store;
    assert_ok(begin(p, false, &store, &error), &error);
    put(&store, BT_SHELF_PUBLISH, "data.csv", "before");
    put(&store, BT_SHELF_PUBLISH, "manifest.json", "{}");
    put(&store, BT_SHELF_PUBLISH, "fresh", "afterwards");
    assert_ok(bt_store_rename(&store, "fresh", "data.csv", &error), &error);
    holds(&store, BT_SHELF_PUBLISH, "fresh", NULL);
    holds(&store, BT_SHELF_PUBLISH, "data.csv", "afterwards");
    has_files(&store, 2);
    put(&store, BT_SHELF_PUBLISH, "fresh", "another");
    assert_ok(bt_store_rename(&store, "fresh", "quasi.csv", &error), &error);
    holds(&store, BT_SHELF_PUBLISH, "quasi.csv", "another");
    assert_int_equal(bt_store_rename(&store, "fresh", "data.csv", &error), BAUTA_SYSTEM);
    bt_store_close(&store);
    nothing_is_there(p);
}

static void creates_once(place *p)
{
    bauta_error error;
    bt_store store;
    assert_ok(begin(p, false, &store, &error), &error);
    put(&store, BT_SHELF_PUBLISH, "data.csv", "rows");
    assert_int_equal(bt_store_write(&store, BT_SHELF_PUBLISH, "data.csv", "x", 1, &error),
                     BAUTA_SYSTEM);
    put(&store, BT_SHELF_PRIVATE, "data.csv", "another shelf");
    holds(&store, BT_SHELF_PUBLISH, "data.csv", "rows");
    bt_store_close(&store);
}

static void refuses_a_second_writer(place *p)
{
    bauta_error error;
    bt_store first, second;
    assert_ok(begin(p, false, &first, &error), &error);
    assert_fails(begin(p, true, &second, &error), BAUTA_USAGE, &error, "another run writes to");
    put(&first, BT_SHELF_PUBLISH, "data.csv", "rows");
    bt_store_close(&second);
    holds(&first, BT_SHELF_PUBLISH, "data.csv", "rows");
    bt_store_close(&first);
    assert_ok(begin(p, false, &second, &error), &error);
    bt_store_close(&second);
}

/* ---- by position, by several threads ---- */

enum { PIECES = 200, PIECE = 997 };

static bauta_status write_piece(void *user, size_t number, unsigned worker, bauta_error *error)
{
    char bytes[PIECE];
    size_t piece = number * 83 % PIECES; /* in some other order */
    (void)worker;
    memset(bytes, 'a' + (int)(piece % 26), sizeof bytes);
    return bt_store_put(user, (int64_t)(piece * PIECE), bytes, sizeof bytes, error);
}

static void writes_by_position(place *p)
{
    static const bt_shelf shelves[] = {BT_SHELF_PUBLISH, BT_SHELF_PRIVATE};
    for (size_t s = 0; s < 2; s++) {
        bauta_error error;
        bt_store store;
        bt_store_file file;
        bt_buffer read = {0};
        bool found;
        assert_ok(begin(p, false, &store, &error), &error);
        assert_ok(bt_store_create(&store, shelves[s], "data.csv", &file, &error), &error);
        assert_ok(bt_store_put(&file, 0, NULL, 0, &error), &error);
        assert_ok(bt_store_finish(
                      &file, bt_pool_run(p->run.pool, PIECES, write_piece, &file, &error), &error),
                  &error);
        assert_ok(
            bt_store_text(&store, shelves[s], "data.csv", PIECES * PIECE, &read, &found, &error),
            &error);
        assert_true(found);
        assert_int_equal(read.length, PIECES * PIECE);
        for (size_t i = 0; i < read.length; i++)
            if (read.bytes[i] != 'a' + (int)(i / PIECE % 26)) fail_msg("byte %zu", i);
        bt_buffer_release(&read);
        bt_store_close(&store);
    }
}

/* Whoever has opened a release reads it to its end, or is told that it is gone; never two at once.
 */
static void keeps_what_is_read(place *p)
{
    bauta_error error;
    bt_store store;
    bt_bytes *bytes;
    char read[8] = "";
    size_t got = 0;
    publish(p, false, "one");
    assert_ok(bt_store_open(p->release, &p->run, &store, &error), &error);
    assert_ok(bt_store_need(&store, "data.csv", &bytes, &error), &error);
    publish(p, true, "two");
    bauta_status status = bt_bytes_read_at(bytes, 0, read, 3, &got, &error);
    if (status == BAUTA_OK)
        assert_string_equal(read, "one");
    else
        assert_non_null(strstr(error.message, "is being replaced, or was"));
    bt_bytes_close(bytes);
    bt_store_close(&store);
    is_there(p, "two");
}

static void every_store(void **state)
{
    static void (*const duties[])(place *) = {
        appears_whole, leaves_nothing,          replaces_when_asked, renames,
        creates_once,  refuses_a_second_writer, writes_by_position,  keeps_what_is_read};
    (void)state;
    assert_true(bt_store_registry_count >= 3);
    for (size_t i = 0; i < bt_store_registry_count; i++)
        for (size_t d = 0; d < sizeof duties / sizeof *duties; d++) {
            const bt_store_type *type = bt_store_registry[i];
            place p;
            assert_true(type->name && type->summary && type->place);
            assert_true(type->open && type->begin && type->create && type->write && type->finish &&
                        type->rename && type->commit && type->read && type->close);
            open_place(&p, type);
            duties[d](&p);
            close_place(&p);
        }
}

static void names(void **state)
{
    (void)state;
    bauta_error error;
    bt_stores stores = {0};
    bt_run run = {.stores = &stores};
    bt_store store;
    bauta_store *given;
    assert_ok(bauta_store_memory(&given, &error), &error);
    assert_fails(bt_stores_add(&stores, "", given, &error), BAUTA_USAGE, &error, "is empty");
    assert_ok(bt_stores_add(&stores, "a", given, &error), &error);
    assert_ok(bt_stores_add(&stores, "b", given, &error), &error); /* one store, two names */
    assert_fails(bt_stores_add(&stores, "a", given, &error), BAUTA_USAGE, &error, "already");
    assert_fails(bt_store_open("store:c", &run, &store, &error), BAUTA_USAGE, &error,
                 "no store of the name 'store:c'");
    assert_string_equal(error.hint, "a folder of that name is './store:c'");
    run.stores = NULL;
    assert_fails(bt_store_open("store:a", &run, &store, &error), BAUTA_USAGE, &error, "no store");
    bauta_store_free(given);
    bt_stores_free(&stores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_store),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests_name("contract/stores", tests, scratch_make, scratch_empty);
}
