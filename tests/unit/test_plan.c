/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans as files: one byte that is changed is noticed, or changes nothing; whatever is wrong with
 * one is refused even where the digest fits; and the same records in another order give the same
 * bytes.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

#include "group/plan_json.h"

static const char *make_table(bool turned)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,town,disease\n"), &error);
    for (int i = 0; i < 48; i++) {
        int row = turned ? 47 - i : i;
        assert_ok(bt_buffer_print(&text, &error, "%d,%s,d%d\n", row * row % 31,
                                  (const char *[]){"x", "y", "z", "NA"}[row % 4], row % 5),
                  &error);
    }
    const char *file = scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void save(void **state, bool turned, const char *group, bt_buffer *text)
{
    bauta_error error;
    const char *plan = scratch_name("plan.json");
    const char *file = make_table(turned);
    use_new_folder(state);
    assert_ok(run(file,
                  SETTINGS({"quasi", "age,town"}, {"sensitive", "disease"}, {"accept", "town"},
                           {"hierarchy", "age=intervals:5,10"}, {"require", "k=3"},
                           {"group", group}, {"force", "yes"}, {"save-plan", plan}),
                  NULL, &error),
              &error);
    FILE *opened = fopen(plan, "rb");
    char bytes[1 << 16];
    assert_non_null(opened);
    size_t length = fread(bytes, 1, sizeof bytes, opened);
    assert_true(length < sizeof bytes);
    fclose(opened);
    assert_ok(bt_buffer_add(text, bytes, length, &error), &error);
}

static void the_order_of_rows_does_not_show(void **state)
{
    static const char *const groups[] = {"mondrian", "incognito", "whole"};
    for (size_t g = 0; g < 3; g++) {
        bt_buffer plan[2] = {{0}};
        save(state, false, groups[g], &plan[0]);
        save(state, true, groups[g], &plan[1]);
        assert_int_equal(plan[0].length, plan[1].length);
        assert_memory_equal(plan[0].bytes, plan[1].bytes, plan[0].length);
        bt_buffer_release(&plan[0]);
        bt_buffer_release(&plan[1]);
    }
}

static void changed_bytes_are_noticed(void **state)
{
    bt_buffer text = {0};
    bauta_error error;
    int harmless = 0;
    save(state, false, "mondrian", &text);
    for (size_t i = 0; i < text.length; i++) {
        bt_arena arena = {0};
        bt_plan plan;
        char kept = text.bytes[i];
        text.bytes[i] = (char)(kept ^ 1);
        bauta_status status = bt_plan_read("plan", text.bytes, text.length, &arena, &plan, &error);
        assert_true(status == BAUTA_INVALID || status == BAUTA_OK);
        harmless += status == BAUTA_OK;
        text.bytes[i] = kept;
        if (status == BAUTA_OK) assert_true(kept == ' ' || kept == '\n');
        bt_arena_release(&arena);
    }
    assert_true(harmless < (int)text.length / 10);
    for (size_t length = 0; length + 1 < text.length; length++) {
        bt_arena arena = {0};
        bt_plan plan;
        assert_int_equal(bt_plan_read("plan", text.bytes, length, &arena, &plan, &error),
                         BAUTA_INVALID);
        bt_arena_release(&arena);
    }
    bt_buffer_release(&text);
}

/* Replaces a piece of a plan and sets its digest right. */
static bauta_status read_with(const bt_buffer *text, const char *from, const char *to)
{
    bt_arena arena = {0};
    bt_plan plan;
    bauta_error error;
    char digest[BT_PLAN_DIGEST + 1];
    const char *at = strstr(text->bytes, from);
    assert_non_null(at);
    char *changed = bt_arena_print(&arena, "%.*s%s%s", (int)(at - text->bytes), text->bytes, to,
                                   at + strlen(from));
    json_t *root = json_loads(changed, 0, NULL);
    assert_non_null(root);
    assert_ok(bt_plan_digest(root, digest, &error), &error);
    json_object_set_new(root, "digest", json_string(digest));
    char *whole_text = json_dumps(root, 0);
    bauta_status status =
        bt_plan_read("plan", whole_text, strlen(whole_text), &arena, &plan, &error);
    free(whole_text);
    json_decref(root);
    bt_arena_release(&arena);
    return status;
}

static void wrong_fields_are_refused(void **state)
{
    static const char *const changes[][2] = {
        {"\"kind\": \"boxes\"", "\"kind\": \"rounds\""},
        {"\"kind\": \"boxes\"", "\"kind\": \"levels\""},
        {"\"bauta_plan\": 1", "\"bauta_plan\": 7"},
        {"\"records\": 48", "\"records\": -1"},
        {"\"records\": 48", "\"records\": \"many\""},
        {"\"type\": \"integer\"", "\"type\": \"number\""},
        {"\"missing\": false", "\"missing\": 0"},
        {"\"name\": \"age\"", "\"name\": \"town\""},
        {"\"spec\": \"intervals:5,10\"", "\"spec\": \"some file\""},
        {"\"public\": false", "\"public\": null"},
        {"\"values\": [", "\"values\": [\"0\", "},
        {"\"values\": [", "\"values\": [\"\", "},
        {"\"cells\": [", "\"more\": 1, \"cells\": ["},
        {"\"classes\": [", "\"classes\": [\"3 0 0 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"0 0 0 0 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"3 1 0 0 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"3 0 99 0 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"3 0 0 99 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"3 00 0 0 0 0 0\", "},
        {"\"classes\": [", "\"classes\": [\"3 0 0 0 0 0 0 \", "},
        {"\"classes\": [", "\"classes\": [\"3 0 4294967295 0 0 0 0\", "},
        {"\"tuples\": [", "\"tuples\": [\"0 0 0\", \"0 0 0\""},
        {"\"tuples\": [", "\"tuples\": [\"99 0 0\""},
        {"\"tuples\": [", "\"tuples\": [\"0 99 0\""},
    };
    bt_buffer text = {0};
    bauta_error error;
    save(state, false, "mondrian:order=widest", &text);
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    assert_int_equal(read_with(&text, "\"records\": 48", "\"records\": 49"), BAUTA_OK);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (read_with(&text, changes[i][0], changes[i][1]) != BAUTA_INVALID)
            fail_msg("%s is taken", changes[i][1]);
    bt_buffer_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_rows_does_not_show),
        cmocka_unit_test(changed_bytes_are_noticed),
        cmocka_unit_test(wrong_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
