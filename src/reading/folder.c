/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a release and its manifest.
 */
#include "reading/parts.h"
#include "spec/sql.h"

#include <string.h>

/* ---- files ------------------------------------------------------------------------------- */

static bauta_status not_a_release(bauta_error *error, const bt_release *release, const char *why,
                                  const char *what)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the %s is not a release: %s '%s'",
                                  release->store->type->place, why, what);
    bt_error_place(error, release->store->name, -1, NULL);
    return status;
}

typedef struct entries { /* entries that a release may have, and those that were found */
    const bt_release *release;
    const char *const *files;
    size_t count, found;
} entries;

static bool belongs(const entries *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->files[i], name) == 0) return true;
    return strcmp(name, "manifest.json") == 0;
}

static bauta_status check_entry(void *user, const char *name, bool plain, bauta_error *error)
{
    entries *all = user;
    if (!belongs(all, name)) return not_a_release(error, all->release, "it also holds", name);
    if (!plain) return not_a_release(error, all->release, "this is not a plain file:", name);
    all->found++;
    return BAUTA_OK;
}

/* The name of a form that is known, but not with a public table; NULL: it is not known at all. */
static const char *without_join(const bt_manifest *manifest)
{
    bt_manifest alone = *manifest;
    alone.join = (bt_join_choice){0};
    const bt_reading_form *form = bt_reading_find(&alone);
    return form ? form->name : NULL;
}

bauta_status bt_release_check_files(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    const bt_reading_form *form = release->form = bt_reading_find(manifest);
    const char *known = form ? NULL : without_join(manifest);
    size_t count = 0;
    if (known) return not_a_release(error, release, "there are no joins in the form", known);
    if (!form)
        return not_a_release(error, release, "this version does not know the form", manifest->form);
    while (count < BT_FORM_FILES && form->files[count])
        count++;
    if (form->lacks_last && form->lacks_last(manifest)) count--;
    release->file_count = form->tables < count ? form->tables : count;
    release->sensitive_file = release->file_count - 1;
    for (size_t i = 0; i < release->file_count; i++)
        release->files[i].name = form->files[i];
    entries all = {.release = release, .files = form->files, .count = count};
    if (!release->store->type->each) return BAUTA_OK;
    BT_TRY(release->store->type->each(release->store, check_entry, &all, error));
    if (all.found == count + 1) return BAUTA_OK;
    return not_a_release(error, release, "files are missing for the form", form->name);
}

bool bt_release_times_differ(const bt_release *release)
{
    const bt_store *store = release->store;
    struct timespec first, other;
    if (!store->type->changed || !store->type->changed(store, "manifest.json", &first))
        return false;
    for (size_t i = 0; i < release->file_count; i++) {
        if (!store->type->changed(store, release->files[i].name, &other)) return false;
        if (other.tv_sec != first.tv_sec || other.tv_nsec != first.tv_nsec) return true;
    }
    return false;
}

/* ---- manifest ---------------------------------------------------------------------------- */

bauta_status bt_release_read_manifest(bt_release *release, bauta_error *error)
{
    enum { MOST = 1 << 30 }; /* beyond what a manifest may have, which is said in other words */
    static const char name[] = "manifest.json";
    const bt_store *store = release->store;
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    bool found = false;
    const char *file = bt_store_path(store, BT_SHELF_PUBLISH, name, &release->arena);
    if (!file) return bt_fail_memory(error);
    bauta_status status = bt_store_text(store, BT_SHELF_PUBLISH, name, MOST, &text, &found, error);
    if (status == BAUTA_OK && !found) {
        status = not_a_release(error, release, "cannot open", name);
        return store->type->explain ? store->type->explain(store, status, error) : status;
    }
    if (status == BAUTA_OK)
        status =
            bt_manifest_read(text.bytes, text.length, &release->arena, &release->manifest, error);
    if (status == BAUTA_INVALID && error && error->file[0] == '\0')
        bt_error_place(error, file, error->row, NULL);
    BT_TRY(status);
    release->manifest.folder = bt_arena_print(&release->arena, "%s", store->name);
    return bt_arena_check(&release->arena, error);
}

/* ---- files that follow from the manifest ------------------------------------------------- */

bauta_status bt_release_holds(const bt_release *release, const char *name, const bt_buffer *text,
                              bool *out, bauta_error *error)
{
    bt_buffer found = {0};
    bt_bytes *bytes;
    size_t got = 0;
    BT_TRY(bt_store_need(release->store, name, &bytes, error));
    bauta_status status = bt_buffer_reserve(&found, text->length + 1, error);
    if (status == BAUTA_OK)
        status = bt_bytes_read_at(bytes, 0, found.bytes, text->length + 1, &got, error);
    *out = status == BAUTA_OK && got == text->length &&
           memcmp(found.bytes, text->bytes, text->length) == 0;
    bt_buffer_release(&found);
    bt_bytes_close(bytes);
    return status;
}

bauta_status bt_release_check_sql(bt_release *release, bauta_error *error)
{
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_status status = bt_sql_write(&release->manifest, texts, error);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        bool same = true;
        if (status == BAUTA_OK)
            status = bt_release_holds(release, bt_sql_names[i], &texts[i], &same, error);
        if (!same && !release->foreign) release->foreign = bt_sql_names[i];
        bt_buffer_release(&texts[i]);
    }
    return status;
}
