/* SPDX-License-Identifier: Apache-2.0
 *
 * Every grouping with every form: either it is refused with a reason and leaves nothing behind, or
 * it becomes a release whose promises hold, also against the original, and which answers how many
 * records there are.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

#include "group/method.h"
#include "publish/form.h"

static const char *make_people(uint64_t seed)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,sex,visits,disease\n"), &error);
    for (int i = 0; i < 160; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%c,%d,d%d\n", 20 + (int)test_below(&seed, 12),
                                  "fm"[test_below(&seed, 2)], (int)test_below(&seed, 3),
                                  (int)test_below(&seed, 6)),
                  &error);
    const char *file = scratch_write("people.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void count_records(void)
{
    static const char *const question[] = {"SELECT COUNT(*)"};
    bauta_report *report;
    bauta_error error;
    assert_ok(bauta_query(publish, question, 1, NULL, &report, &error), &error);
    json_t *answer = take_facts(report);
    const json_t *one = json_is_array(answer) ? json_array_get(answer, 0) : answer;
    assert_int_equal(whole(one, "lower"), 160);
    assert_int_equal(whole(one, "upper"), 160);
    json_decref(answer);
}

/* A plan of the people, for the method that needs one. */
static const char *make_plan(const char *file)
{
    const char *plan = scratch_name("plan.json");
    bauta_error error;
    assert_ok(run(file,
                  SETTINGS({"quasi", "age,sex"}, {"drop", "rest"}, {"sensitive", "disease"},
                           {"hierarchy", "age=intervals:4,12"}, {"hierarchy", "sex=flat"},
                           {"require", "k=8,l=3,t=0.5"}, {"save-plan", plan}),
                  NULL, &error),
              &error);
    return plan;
}

static bool try_both(const char *file, const char *method, const char *plan, const char *form,
                     const char *require)
{
    const setting *settings =
        plan ? SETTINGS({"quasi", "age,sex"}, {"other", "visits"}, {"sensitive", "disease"},
                        {"require", require}, {"plan", plan}, {"previous", "none"},
                        {"publish", form})
        : strcmp(method, "levels") == 0
            ? SETTINGS({"quasi", "age,sex"}, {"other", "visits"}, {"sensitive", "disease"},
                       {"hierarchy", "age=intervals:4,12"}, {"hierarchy", "sex=flat"},
                       {"require", require}, {"levels", "age=2"}, {"levels", "sex=0"},
                       {"publish", form})
            : SETTINGS({"quasi", "age,sex"}, {"other", "visits"}, {"sensitive", "disease"},
                       {"hierarchy", "age=intervals:4,12"}, {"hierarchy", "sex=flat"},
                       {"require", require}, {"group", method}, {"publish", form});
    bauta_error error;
    bauta_status status = run(file, settings, NULL, &error);
    if (status != BAUTA_OK) {
        assert_true(status == BAUTA_INVALID || status == BAUTA_NO);
        assert_true(strlen(error.message) > 10);
        assert_nothing_there();
        return false;
    }
    bauta_recipe *recipe = make_recipe(file, settings);
    assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
    bauta_recipe_free(recipe);
    count_records();
    return true;
}

static void every_grouping_goes_with_every_form(void **state)
{
    static const char *const requirements[] = {"k=2", "l=2", "k=2,alpha=0.8", "alpha=0.6", "t=0.6"};
    enum { REQUIREMENTS = sizeof requirements / sizeof *requirements };
    enum { MOST = 64 };
    int by_method[MOST] = {0}, by_form[MOST] = {0};
    const char *file = make_people(5);
    use_new_folder(state);
    const char *plan = make_plan(file);
    for (size_t m = 0; m < bt_method_registry_count; m++)
        for (size_t f = 0; f < bt_form_registry_count; f++)
            for (size_t r = 0; r < REQUIREMENTS; r++) {
                const char *method = bt_method_registry[m]->name;
                bool columns = strcmp(method, "columns") == 0;
                use_new_folder(state);
                bool made = try_both(file, columns ? "columns:age@2" : method,
                                     bt_method_registry[m]->planned ? plan : NULL,
                                     bt_form_registry[f]->name, requirements[r]);
                by_method[m] += made;
                by_form[f] += made;
            }
    for (size_t m = 0; m < bt_method_registry_count; m++)
        if (by_method[m] == 0) fail_msg("%s goes with no form", bt_method_registry[m]->name);
    for (size_t f = 0; f < bt_form_registry_count; f++)
        if ((by_form[f] == 0) != bt_form_registry[f]->ungrouped)
            fail_msg("%s goes with %d combinations", bt_form_registry[f]->name, by_form[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grouping_goes_with_every_form),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
