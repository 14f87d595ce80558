/* SPDX-License-Identifier: Apache-2.0
 *
 * The output folder: a release appears whole or not at all, nothing else is touched, and nothing
 * is left behind.
 */
#include "../scratch.h"

#include "base/memory.h"
#include "spec/manifest.h"
#include "store/store.h"

#include <dirent.h>

/* The manifest of a release. */
#define RELEASE(number)                                                                            \
    "{\"release\":\"0123456789abcdef0123456789abcdef\",\"version\":\"" #number                     \
    "\",\"form\":\"f\",\"method\":\"m\",\"experiment\":false,\"not_protected\":\"\","              \
    "\"dropped_rows\":0,\"promises\":[],\"columns\":[]}"

/* ---- looking at folders ---- */

static char out[256];

/* A path in OUT; at most four are valid at a time. */
static const char *in_out(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", out, name);
    return path;
}

static int prepare(void **state)
{
    static int number;
    (void)state;
    snprintf(out, sizeof out, "%s/out%d", scratch_path, ++number);
    umask(022);
    return 0;
}

static void make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *content(const char *path)
{
    static char text[512];
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void assert_content(const char *name, const char *expected)
{
    const char *found = content(in_out(name));
    if (!found) fail_msg("'%s' is not there", name);
    assert_string_equal(found, expected);
}

static bool exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

static unsigned mode_of(const char *path)
{
    struct stat facts;
    assert_int_equal(lstat(path, &facts), 0);
    return facts.st_mode & 07777;
}

static int count_entries(const char *path)
{
    int count = 0;
    DIR *list = opendir(path);
    if (!list) return -1;
    while (readdir(list))
        count++;
    closedir(list);
    return count - 2;
}

/* ---- making releases ---- */

static bauta_status is_manifest(const char *text, size_t length, bool *is, bauta_error *error)
{
    bt_arena arena = {0};
    bt_manifest manifest;
    *is = bt_manifest_read(text, length, &arena, &manifest, error) == BAUTA_OK;
    bt_arena_release(&arena);
    return BAUTA_OK;
}

static bauta_status begin(const char *place, bool force, bt_store *store, bauta_error *error)
{
    const bt_store_wish wish = {
        .force = force, .is_manifest = is_manifest, .manifest_most = BT_MANIFEST_MOST};
    const bt_run run = {0};
    return bt_store_begin(place, &wish, &run, store, error);
}

static void keep(bt_store *store, const char *name, const char *text)
{
    bauta_error error;
    assert_ok(bt_store_write(store, BT_SHELF_PRIVATE, name, text, strlen(text), &error), &error);
}

static void write_release(bt_store *store, const char *manifest)
{
    bauta_error error;
    bt_store_file file;
    assert_ok(bt_store_create(store, BT_SHELF_PUBLISH, "data.csv", &file, &error), &error);
    assert_int_equal(write(file.descriptor, "rows", 4), 4);
    assert_ok(bt_store_finish(&file, BAUTA_OK, &error), &error);
    assert_ok(bt_store_write(store, BT_SHELF_PUBLISH, "manifest.json", manifest, strlen(manifest),
                             &error),
              &error);
    keep(store, "summary.json", manifest);
}

static void publish(const char *manifest, bool force, const char *more)
{
    bt_store store;
    bauta_error error;
    assert_ok(begin(out, force, &store, &error), &error);
    write_release(&store, manifest);
    if (more) keep(&store, more, manifest);
    assert_ok(bt_store_settle(&store, &error), &error);
    assert_ok(bt_store_commit(&store, &error), &error);
    assert_true(store.committed);
    bt_store_close(&store);
}

/* The working folder inside a folder. */
static const char *working_in(const char *parent)
{
    static char path[1024];
    DIR *list = opendir(parent);
    assert_non_null(list);
    path[0] = '\0';
    for (struct dirent *entry; (entry = readdir(list));)
        if (strncmp(entry->d_name, ".publish-", 9) == 0 && !strstr(entry->d_name, ".bauta"))
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    closedir(list);
    assert_string_not_equal(path, "");
    return path;
}

/* ---- a first release ---- */

static void a_release_appears(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    assert_ok(begin(out, false, &store, &error), &error);
    write_release(&store, RELEASE(1));
    /* Nobody can see anything yet. */
    assert_false(exists(in_out("publish")));
    assert_false(exists(in_out("private/summary.json")));
    assert_int_equal(mode_of(working_in(out)), 0700);
    assert_int_equal(mode_of(working_in(in_out("private"))), 0700);
    assert_ok(bt_store_commit(&store, &error), &error);
    bt_store_close(&store);
    assert_content("publish/manifest.json", RELEASE(1));
    assert_content("publish/data.csv", "rows");
    assert_content("private/summary.json", RELEASE(1));
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("publish")), 2);
    assert_int_equal(count_entries(in_out("private")), 1);
}

static void modes_and_times(void **state)
{
    (void)state;
    struct stat data, manifest, folder;
    publish(RELEASE(1), false, "mapping.csv");
    assert_int_equal(mode_of(out), 0755);
    assert_int_equal(mode_of(in_out("publish")), 0755);
    assert_int_equal(mode_of(in_out("publish/data.csv")), 0644);
    assert_int_equal(mode_of(in_out("publish/manifest.json")), 0644);
    assert_int_equal(mode_of(in_out("private")), 0700);
    assert_int_equal(mode_of(in_out("private/summary.json")), 0600);
    assert_int_equal(mode_of(in_out("private/mapping.csv")), 0600);
    assert_int_equal(stat(in_out("publish/data.csv"), &data), 0);
    assert_int_equal(stat(in_out("publish/manifest.json"), &manifest), 0);
    assert_int_equal(stat(in_out("publish"), &folder), 0);
    assert_memory_equal(&data.st_mtim, &manifest.st_mtim, sizeof data.st_mtim);
    assert_memory_equal(&data.st_mtim, &folder.st_mtim, sizeof data.st_mtim);
    assert_int_equal(data.st_mtim.tv_nsec, 0);
}

static void files_are_created_once(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    assert_ok(begin(out, false, &store, &error), &error);
    write_release(&store, RELEASE(1));
    assert_fails(bt_store_write(&store, BT_SHELF_PUBLISH, "data.csv", "x", 1, &error), BAUTA_SYSTEM,
                 &error, "cannot create");
    assert_fails(bt_store_write(&store, BT_SHELF_PRIVATE, "a/b", "x", 1, &error), BAUTA_SYSTEM,
                 &error, "cannot create");
    bt_store_close(&store);
}

/* ---- nothing is left behind ---- */

static void closing_without_commit(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    assert_ok(begin(out, false, &store, &error), &error);
    write_release(&store, RELEASE(1));
    bt_store_close(&store);
    assert_false(exists(out));
    bt_store_close(&store); /* closing again does nothing */
}

/* OUT and OUT/private go only if they were made and hold nothing. */
static void what_was_there_stays(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    assert_int_equal(mkdir(out, 0750), 0);
    assert_int_equal(mkdir(in_out("private"), 0750), 0);
    make_file(in_out("private/.notes"), "mine");
    make_file(in_out("private/mapping.csv"), "old");
    make_file(in_out(".hidden"), "mine");
    assert_ok(begin(out, false, &store, &error), &error);
    write_release(&store, RELEASE(1));
    bt_store_close(&store);
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("private")), 2);
    publish(RELEASE(1), false, NULL);
    assert_content("private/.notes", "mine");
    assert_content("private/mapping.csv", "old");
    assert_content(".hidden", "mine");
    assert_int_equal(mode_of(out), 0750);
    assert_int_equal(mode_of(in_out("private")), 0700); /* for the owner alone */
    assert_int_equal(count_entries(out), 3);
    assert_int_equal(count_entries(in_out("private")), 3);
}

static void make_folder_of(const char *name, const char *text)
{
    char file[256];
    assert_int_equal(mkdir(in_out(name), 0700), 0);
    snprintf(file, sizeof file, "%s/data.csv", name);
    make_file(in_out(file), text);
}

/* Only what has a mark is removed, and the mark. */
static void working_folders_of_killed_runs(void **state)
{
    (void)state;
    static const char *const dead[] = {".publish-dead01", "private/.publish-dead02"};
    static const char *const others[] = {".publish-notes", ".publish-backup", "private/.publish-x",
                                         "private/.publish-backup"};
    char mark[64], file[64];
    bt_store store;
    bauta_error error;
    assert_int_equal(mkdir(out, 0755), 0);
    assert_int_equal(mkdir(in_out("private"), 0700), 0);
    for (size_t i = 0; i < 2; i++) {
        make_folder_of(dead[i], "half");
        snprintf(mark, sizeof mark, "%s.bauta", dead[i]);
        make_file(in_out(mark), "");
    }
    make_file(in_out(".publish-dead03.bauta"), ""); /* killed before it made the folder */
    for (size_t i = 0; i < 4; i++)
        make_folder_of(others[i], "mine");
    make_file(in_out(".publish-notes.bauta"), "mine");
    assert_ok(begin(out, false, &store, &error), &error);
    bt_store_close(&store);
    for (size_t i = 0; i < 4; i++) {
        snprintf(file, sizeof file, "%s/data.csv", others[i]);
        assert_content(file, "mine");
    }
    assert_content(".publish-notes.bauta", "mine");
    assert_int_equal(count_entries(out), 4);
    assert_int_equal(count_entries(in_out("private")), 2);
}

/* A second run into the same folder is refused while the first is on, and leaves nothing. */
static void two_runs_at_a_time(void **state)
{
    (void)state;
    bt_store first, second;
    bauta_error error;
    assert_ok(begin(out, false, &first, &error), &error);
    write_release(&first, RELEASE(1));
    int before = count_entries(out);
    assert_fails(begin(out, false, &second, &error), BAUTA_USAGE, &error, "another run writes to");
    assert_non_null(strstr(error.hint, "wait"));
    assert_fails(begin(out, true, &second, &error), BAUTA_USAGE, &error, "another run writes to");
    assert_int_equal(count_entries(out), before);
    assert_ok(bt_store_commit(&first, &error), &error);
    bt_store_close(&first);
    publish(RELEASE(2), true, NULL);
    assert_content("publish/manifest.json", RELEASE(2));
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("private")), 1);
}

/* ---- a release that is there ---- */

static void an_existing_release_is_refused(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    publish(RELEASE(1), false, NULL);
    assert_fails(begin(out, false, &store, &error), BAUTA_USAGE, &error, "exists");
    assert_non_null(strstr(error.hint, "--force"));
    assert_content("publish/manifest.json", RELEASE(1));
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("private")), 1);
}

static void force_replaces(void **state)
{
    (void)state;
    publish(RELEASE(1), false, "mapping.csv");
    make_file(in_out("private/diary.txt"), "mine");
    publish(RELEASE(2), true, NULL);
    assert_content("publish/manifest.json", RELEASE(2));
    assert_content("private/summary.json", RELEASE(2));
    assert_content("private/diary.txt", "mine");
    /* The mapping spoke of the release that is gone. */
    assert_false(exists(in_out("private/mapping.csv")));
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("publish")), 2);
    publish(RELEASE(3), true, "mapping.csv");
    assert_content("private/mapping.csv", RELEASE(3));
}

static void force_without_a_release(void **state)
{
    (void)state;
    publish(RELEASE(1), true, NULL);
    assert_content("publish/manifest.json", RELEASE(1));
}

static void a_failure_leaves_the_old_release(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    publish(RELEASE(1), false, "mapping.csv");
    assert_ok(begin(out, true, &store, &error), &error);
    write_release(&store, RELEASE(2));
    bt_store_close(&store);
    assert_content("publish/manifest.json", RELEASE(1));
    assert_content("publish/data.csv", "rows");
    assert_content("private/summary.json", RELEASE(1));
    assert_content("private/mapping.csv", RELEASE(1));
    assert_int_equal(count_entries(out), 2);
    assert_int_equal(count_entries(in_out("private")), 2);
}

/* The release is removed by somebody else while the run is on: the exchange fails, as it must. */
static void the_old_release_vanishes(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    publish(RELEASE(1), false, NULL);
    assert_ok(begin(out, true, &store, &error), &error);
    write_release(&store, RELEASE(2));
    assert_int_equal(rename(in_out("publish"), in_out("elsewhere")), 0);
    assert_fails(bt_store_commit(&store, &error), BAUTA_SYSTEM, &error, "cannot replace");
    assert_string_equal(error.hint, "");
    bt_store_close(&store);
    assert_content("elsewhere/manifest.json", RELEASE(1));
    assert_content("private/summary.json", RELEASE(1));
    assert_int_equal(count_entries(out), 2);
}

/* ---- what is not a release is not replaced ---- */

static void refuse_with_force(void)
{
    bt_store store;
    bauta_error error;
    int before = count_entries(out);
    assert_fails(begin(out, true, &store, &error), BAUTA_USAGE, &error, "is not a release");
    assert_int_equal(count_entries(out), before);
}

static void things_that_are_no_release(void **state)
{
    (void)state;
    assert_int_equal(mkdir(out, 0755), 0);
    make_file(in_out("publish"), "a file");
    refuse_with_force();
    assert_content("publish", "a file");
    assert_int_equal(unlink(in_out("publish")), 0);

    assert_int_equal(mkdir(in_out("publish"), 0755), 0);
    make_file(in_out("publish/thesis.txt"), "years of work");
    refuse_with_force();
    assert_content("publish/thesis.txt", "years of work");

    /* A release with something else in it is not only a release. */
    make_file(in_out("publish/manifest.json"), RELEASE(1));
    refuse_with_force();
    assert_content("publish/thesis.txt", "years of work");
    assert_int_equal(unlink(in_out("publish/thesis.txt")), 0);
    assert_int_equal(mkdir(in_out("publish/more"), 0755), 0);
    refuse_with_force();
    assert_int_equal(rmdir(in_out("publish/more")), 0);

    /* Other programs have files of that name. */
    make_file(in_out("publish/manifest.json"), "{\"name\":\"an extension of a browser\"}");
    make_file(in_out("publish/data.csv"), "years of work");
    refuse_with_force();
    assert_content("publish/data.csv", "years of work");
    assert_int_equal(unlink(in_out("publish/manifest.json")), 0);
    refuse_with_force();
    assert_int_equal(unlink(in_out("publish/data.csv")), 0);
    publish(RELEASE(1), true, NULL); /* an empty folder is no loss */
    assert_content("publish/manifest.json", RELEASE(1));
}

static void links_are_not_followed(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    assert_int_equal(mkdir(out, 0755), 0);
    assert_int_equal(mkdir(in_out("target"), 0755), 0);
    make_file(in_out("target/manifest.json"), RELEASE(1));
    assert_int_equal(symlink("target", in_out("publish")), 0);
    assert_fails(begin(out, false, &store, &error), BAUTA_USAGE, &error, "exists");
    refuse_with_force();
    assert_content("target/manifest.json", RELEASE(1));
    assert_int_equal(unlink(in_out("publish")), 0);

    assert_int_equal(symlink("nowhere", in_out("publish")), 0);
    assert_fails(begin(out, false, &store, &error), BAUTA_USAGE, &error, "exists");
    refuse_with_force();
    assert_int_equal(unlink(in_out("publish")), 0);

    /* What looks like an abandoned working folder but leads elsewhere. */
    assert_int_equal(symlink("target", in_out(".publish-link01")), 0);
    make_file(in_out(".publish-link01.bauta"), "");
    publish(RELEASE(2), false, NULL);
    assert_content("target/manifest.json", RELEASE(1));
    assert_content("publish/manifest.json", RELEASE(2));
}

/* OUT/private may lead to another disk. */
static void private_may_be_a_link(void **state)
{
    (void)state;
    assert_int_equal(mkdir(out, 0755), 0);
    assert_int_equal(mkdir(in_out("vault"), 0700), 0);
    assert_int_equal(symlink("vault", in_out("private")), 0);
    publish(RELEASE(1), false, NULL);
    assert_content("vault/summary.json", RELEASE(1));
    publish(RELEASE(2), true, NULL);
    assert_content("vault/summary.json", RELEASE(2));
    assert_int_equal(count_entries(in_out("vault")), 1);
}

/* ---- places that do not do ---- */

static void folders_that_cannot_be(void **state)
{
    (void)state;
    bt_store store;
    bauta_error error;
    make_file(out, "a file");
    assert_fails(begin(out, false, &store, &error), BAUTA_USAGE, &error,
                 "exists and is not a folder");
    assert_non_null(error.hint[0] ? error.hint : NULL);
    assert_fails(begin(in_out("below"), false, &store, &error), BAUTA_SYSTEM, &error,
                 "cannot make the folder");
    assert_fails(begin("", false, &store, &error), BAUTA_SYSTEM, &error, "cannot make the folder");
    assert_fails(begin("/proc/bauta", false, &store, &error), BAUTA_SYSTEM, &error,
                 "cannot make the folder");
    assert_int_equal(unlink(out), 0);
    assert_int_equal(mkdir(out, 0755), 0);
    make_file(in_out("private"), "a file");
    assert_fails(begin(out, false, &store, &error), BAUTA_USAGE, &error,
                 "exists and is not a folder");
    assert_int_equal(count_entries(out), 1);
}

int main(void)
{
#define FOLDER_TEST(name) cmocka_unit_test_setup(name, prepare)
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(a_release_appears),
        FOLDER_TEST(modes_and_times),
        FOLDER_TEST(files_are_created_once),
        FOLDER_TEST(closing_without_commit),
        FOLDER_TEST(what_was_there_stays),
        FOLDER_TEST(working_folders_of_killed_runs),
        FOLDER_TEST(two_runs_at_a_time),
        FOLDER_TEST(an_existing_release_is_refused),
        FOLDER_TEST(force_replaces),
        FOLDER_TEST(force_without_a_release),
        FOLDER_TEST(a_failure_leaves_the_old_release),
        FOLDER_TEST(the_old_release_vanishes),
        FOLDER_TEST(things_that_are_no_release),
        FOLDER_TEST(links_are_not_followed),
        FOLDER_TEST(private_may_be_a_link),
        FOLDER_TEST(folders_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
