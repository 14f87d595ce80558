/* SPDX-License-Identifier: Apache-2.0
 *
 * Releases with one id. Such are one release: the id follows from the seed, the table and the
 * recipe (streams.c). Where their contents differ, they were made before that was so, from one seed
 * file: then their rows may stand in the same places, and whoever lays them side by side undoes
 * both.
 */
#include "base/digest.h"
#include "job/previous.h"

#include <string.h>

enum { CHUNK = 1 << 16 };

static bauta_status compare_open(const bt_bytes *one, const bt_bytes *other, bool *same,
                                 bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    char *bytes = bt_arena_alloc(&scratch, CHUNK), *others = bt_arena_alloc(&scratch, CHUNK);
    size_t got = 1, found;
    *same = true;
    BT_TRY(bt_arena_check(&scratch, error));
    for (int64_t at = 0; *same && got > 0; at += (int64_t)got) {
        BT_TRY(bt_bytes_read_at(one, at, bytes, CHUNK, &got, error));
        BT_TRY(bt_bytes_read_at(other, at, others, CHUNK, &found, error));
        *same = got == found && memcmp(bytes, others, got) == 0;
    }
    return BAUTA_OK;
}

static bauta_status compare_file(const bt_store *one, const bt_store *other, const char *name,
                                 bool *same, bauta_error *error)
{
    bt_bytes *a = NULL, *b = NULL;
    bauta_status status = bt_store_read(one, BT_SHELF_PUBLISH, name, &a, error);
    if (status == BAUTA_OK) status = bt_store_read(other, BT_SHELF_PUBLISH, name, &b, error);
    *same = !a && !b;
    if (status == BAUTA_OK && a && b) status = compare_open(a, b, same, error);
    bt_bytes_close(a);
    bt_bytes_close(b);
    return status;
}

/* Whether two releases have the same files, byte by byte. */
static bauta_status compare_releases(const bt_store *one, const bt_store *other, bool *same,
                                     bauta_error *error)
{
    *same = true;
    for (size_t i = 0; *same && bt_published_names[i]; i++)
        BT_TRY(compare_file(one, other, bt_published_names[i], same, error));
    return BAUTA_OK;
}

bauta_status bt_check_same_earlier(const char *one, const char *other, const bt_run *run,
                                   bauta_error *error)
{
    bt_store first = BT_STORE_NONE, second = BT_STORE_NONE;
    bool same = false;
    bauta_status status = bt_store_open(one, run, &first, error);
    if (status == BAUTA_OK) status = bt_store_open(other, run, &second, error);
    if (status == BAUTA_OK) status = compare_releases(&first, &second, &same, error);
    bt_store_close(&first);
    bt_store_close(&second);
    if (status != BAUTA_OK || same) return status;
    status =
        bt_fail(error, BAUTA_NO,
                "the earlier releases '%s' and '%s' have one id and different contents: made from "
                "one seed file, they may have their rows in the same places",
                one, other);
    bt_error_hint(error, "whoever has both can lay them side by side, and no further release of "
                         "these people is safe; 'bauta attack --other-release' shows it");
    return status;
}

/* The id is 32 random digits: they stand nowhere else. */
static bauta_status has_id(const bt_store *store, const char *id, bool *has, bauta_error *error)
{
    char text[CHUNK + 1];
    bt_bytes *manifest;
    size_t got = 0;
    BT_TRY(bt_store_need(store, "manifest.json", &manifest, error));
    bauta_status status = bt_bytes_read_at(manifest, 0, text, CHUNK, &got, error);
    text[got] = '\0';
    *has = strstr(text, id) != NULL;
    bt_bytes_close(manifest);
    return status;
}

/* Adds the length and the bytes of a file to a digest; of one that is not there, that it is not. */
static bauta_status digest_file(const bt_store *store, const char *name, bt_digest *digest,
                                bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    char *bytes = bt_arena_alloc(&scratch, CHUNK);
    bt_bytes *file = NULL;
    size_t got = 1;
    int64_t at = 0;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_store_read(store, BT_SHELF_PUBLISH, name, &file, error));
    bt_digest_text(digest, file ? name : NULL);
    bauta_status status = BAUTA_OK;
    for (; file && got > 0 && status == BAUTA_OK; at += (int64_t)got) {
        got = 0;
        status = bt_bytes_read_at(file, at, bytes, CHUNK, &got, error);
        bt_digest_bytes(digest, bytes, got);
    }
    bt_digest_number(digest, (uint64_t)at);
    bt_bytes_close(file);
    return status;
}

static bauta_status digest_release(const bt_store *store, const bt_run *run, bt_seed *out,
                                   bauta_error *error)
{
    bt_digest digest;
    bt_digest_init(&digest, &run->seed, "contents of a release");
    for (size_t i = 0; bt_published_names[i]; i++)
        BT_TRY(digest_file(store, bt_published_names[i], &digest, error));
    bt_digest_end(&digest, out);
    return BAUTA_OK;
}

bauta_status bt_note_same_id(const bauta_recipe *recipe, const char *id, const bt_run *run,
                             bt_same_ids *out, bt_arena *arena, bauta_error *error)
{
    *out = (bt_same_ids){0};
    out->items = bt_arena_array(arena, recipe->previous.count, sizeof *out->items);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < recipe->previous.count; i++) {
        struct bt_same_id *one = &out->items[out->count];
        bt_store earlier;
        bool has = false;
        one->release = recipe->previous.items[i];
        BT_TRY(bt_store_open(one->release, run, &earlier, error));
        bauta_status status = has_id(&earlier, id, &has, error);
        if (status == BAUTA_OK && has)
            status = digest_release(&earlier, run, &one->contents, error);
        bt_store_close(&earlier);
        BT_TRY(status);
        out->count += has;
    }
    return BAUTA_OK;
}

bauta_status bt_check_same_id(const bt_same_ids *noted, const bt_store *store, const bt_run *run,
                              bauta_error *error)
{
    bt_seed contents;
    if (noted->count == 0) return BAUTA_OK;
    BT_TRY(digest_release(store, run, &contents, error));
    for (size_t i = 0; i < noted->count; i++) {
        if (memcmp(&noted->items[i].contents, &contents, sizeof contents) == 0) continue;
        bauta_status status =
            bt_fail(error, BAUTA_NO,
                    "an earlier release has the id of this one and other contents: their rows may "
                    "stand in the same places");
        bt_error_place(error, noted->items[i].release, -1, NULL);
        bt_error_hint(error, "leave --seed-file out, or take another one");
        return status;
    }
    return BAUTA_OK;
}
