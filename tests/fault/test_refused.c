/* SPDX-License-Identifier: Apache-2.0
 *
 * Fail closed: files that change between being written and being audited break what they promise,
 * and then nothing is published; file systems that cannot rename as asked. The linker has every
 * call of bt_release_open_store and renameat2 come here first.
 */
#include "../jobs.h"

#include "reading/release.h"

#include <dirent.h>
#include <errno.h>

bauta_status __real_bt_release_open_store(const bt_store *store, const bt_run *run,
                                          bt_release *release, bauta_error *error);
bauta_status __wrap_bt_release_open_store(const bt_store *store, const bt_run *run,
                                          bt_release *release, bauta_error *error);

int __real_renameat2(int from, const char *old, int to, const char *name, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *name, unsigned flags);

static int
    unable; /* the error of renameat2 where the file system does not know its flags; 0: it does */

int __wrap_renameat2(int from, const char *old, int to, const char *name, unsigned flags)
{
    if (unable == 0) return __real_renameat2(from, old, to, name, flags);
    errno = unable;
    return -1;
}

static const char *spoiled; /* the file that loses its last record; NULL: none */

/* The path of a file that is being written: in a working folder of OUT. */
static void find_working(const char *name, char *path, size_t room)
{
    DIR *list = opendir(out);
    assert_non_null(list);
    path[0] = '\0';
    for (struct dirent *entry; (entry = readdir(list));)
        if (strncmp(entry->d_name, ".publish-", 9) == 0 && !strstr(entry->d_name, ".bauta"))
            snprintf(path, room, "%s/%s/%s", out, entry->d_name, name);
    closedir(list);
}

static void drop_last_line(const bt_store *store, const char *name)
{
    bt_buffer text = {0};
    bauta_error error;
    bool found;
    char path[4096];
    assert_ok(bt_store_text(store, BT_SHELF_PUBLISH, name, 1 << 20, &text, &found, &error), &error);
    assert_true(found && text.length > 1);
    text.bytes[text.length - 1] = '\0';
    char *before = strrchr(text.bytes, '\n');
    assert_non_null(before);
    find_working(name, path, sizeof path);
    assert_int_equal(truncate(path, before + 1 - text.bytes), 0);
    bt_buffer_release(&text);
}

bauta_status __wrap_bt_release_open_store(const bt_store *store, const bt_run *run,
                                          bt_release *release, bauta_error *error)
{
    if (spoiled) drop_last_line(store, spoiled);
    return __real_bt_release_open_store(store, run, release, error);
}

static const char *people(void)
{
    return scratch_text("people.csv", "age,sex,disease\n20,f,flu\n22,m,cold\n80,f,flu\n85,m,cold\n"
                                      "21,f,cold\n23,m,flu\n81,f,cold\n86,m,flu\n");
}

static const struct {
    const char *require, *group, *form, *file;
} forms[] = {
    {"k=2", "mondrian", "generalized", "data.csv"},
    {"k=2,alpha=0.5", "mondrian", "two-tables", "sensitive.csv"},
    {"k=2,alpha=0.5", "mondrian", "two-tables", "quasi.csv"},
    {"alpha=0.5", "whole", "distribution", "sensitive.csv"},
};

enum { FORMS = sizeof forms / sizeof *forms };

static bauta_status release(size_t form, bauta_error *error)
{
    return run(people(),
               SETTINGS({"quasi", "age,sex"}, {"sensitive", "disease"},
                        {"require", forms[form].require}, {"group", forms[form].group},
                        {"publish", forms[form].form}, {"force", "yes"}),
               NULL, error);
}

static void a_broken_promise_is_not_published(void **state)
{
    (void)state;
    bauta_error error;
    for (size_t i = 0; i < FORMS; i++) {
        use_new_folder(state);
        spoiled = forms[i].file;
        assert_fails(release(i, &error), BAUTA_INTERNAL, &error,
                     "the audit of the written files failed: nothing is published");
        assert_nothing_there();
        spoiled = NULL;
        assert_ok(release(i, &error), &error); /* it was the spoiled file alone */
    }
}

/* What cannot be opened is not published either. */
static void a_broken_file_is_not_published(void **state)
{
    (void)state;
    bauta_error error;
    spoiled = "manifest.json";
    for (size_t i = 0; i < FORMS; i++) {
        assert_int_not_equal(release(i, &error), BAUTA_OK);
        assert_nothing_there();
    }
}

static void an_earlier_release_stays(void **state)
{
    (void)state;
    bauta_error error;
    bt_buffer before = {0}, after = {0};
    spoiled = NULL;
    assert_ok(release(0, &error), &error);
    read_file(publish, "data.csv", &before);
    spoiled = "sensitive.csv";
    assert_int_equal(release(1, &error), BAUTA_INTERNAL);
    read_file(publish, "data.csv", &after);
    assert_string_equal(after.bytes, before.bytes);
    bt_buffer_release(&before);
    bt_buffer_release(&after);
}

/* Without flags a folder is renamed over nothing, and what is there is not replaced. */
static void a_file_system_without_flags(void **state)
{
    static const int errors[] = {EINVAL, ENOSYS};
    bauta_error error;
    spoiled = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        bt_buffer before = {0}, after = {0};
        use_new_folder(state);
        unable = errors[i];
        assert_ok(release(0, &error), &error);
        read_file(publish, "data.csv", &before);
        assert_fails(release(0, &error), BAUTA_SYSTEM, &error, "cannot replace");
        assert_non_null(strstr(error.hint, "cannot exchange folders"));
        unable = 0;
        read_file(publish, "data.csv", &after);
        assert_string_equal(after.bytes, before.bytes);
        bt_buffer_release(&before);
        bt_buffer_release(&after);
    }
    use_new_folder(state);
    unable = EIO;
    assert_fails(release(0, &error), BAUTA_SYSTEM, &error, "cannot rename");
    unable = 0;
    assert_nothing_there();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_broken_promise_is_not_published, use_new_folder),
        cmocka_unit_test_setup(a_broken_file_is_not_published, use_new_folder),
        cmocka_unit_test_setup(an_earlier_release_stays, use_new_folder),
        cmocka_unit_test(a_file_system_without_flags),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
