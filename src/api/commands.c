/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands of bauta.h: each checks that what it needs is there, has src/job do the work, and
 * hands out a report of the facts.
 */
#include "job/commands.h"
#include "api/api.h"

/* Before a command: nothing went wrong yet, and there is no report. */
static void begin(bauta_report **report, bauta_error *error)
{
    bt_error_clear(error);
    if (report) *report = NULL;
}

/* After it: a report of the facts, unless it failed. */
static bauta_status end(bauta_status status, bt_report_kind kind, bt_facts *facts,
                        bauta_report **report, bauta_error *error)
{
    if (status == BAUTA_OK) return bt_report_give(kind, facts, report, error);
    bt_facts_release(facts);
    return status;
}

static bauta_status refuse(bauta_report **report, bauta_error *error, const char *needed)
{
    begin(report, error);
    return bt_fail(error, BAUTA_USAGE, "%s", needed);
}

bauta_status bauta_anonymize(const bauta_recipe *recipe, const char *out, bauta_report **report,
                             bauta_error *error)
{
    bt_facts facts;
    if (!recipe || !out) return refuse(report, error, "a recipe and a folder are needed");
    begin(report, error);
    bt_facts_init(&facts);
    bauta_status status = bt_do_anonymize(recipe, out, &facts, error);
    return end(status, BT_REPORT_ANONYMIZE, &facts, report, error);
}

bauta_status bauta_preview(const bauta_recipe *recipe, const char *tries, bauta_report **report,
                           bauta_error *error)
{
    bt_facts facts;
    if (!recipe) return refuse(report, error, "a recipe is needed");
    begin(report, error);
    bt_facts_init(&facts);
    bauta_status status = bt_do_preview(recipe, tries, &facts, error);
    return end(status, BT_REPORT_PREVIEW, &facts, report, error);
}

bauta_status bauta_audit(const char *publish, const bauta_recipe *recipe, bauta_report **report,
                         bauta_error *error)
{
    bt_facts facts;
    bauta_recipe *empty = NULL;
    bool holds = false;
    if (!publish) return refuse(report, error, "a release is needed");
    begin(report, error);
    bt_facts_init(&facts);
    bauta_status status = recipe ? BAUTA_OK : bauta_recipe_new(&empty, error);
    if (status == BAUTA_OK)
        status = bt_do_audit(publish, recipe ? recipe : empty, &facts, &holds, error);
    bauta_recipe_free(empty);
    status = end(status, BT_REPORT_AUDIT, &facts, report, error);
    if (status != BAUTA_OK || holds) return status;
    status = bt_fail(error, BAUTA_NO, "the release does not keep what it promises");
    bt_error_place(error, publish, -1, NULL);
    return status;
}

bauta_status bauta_measure(const char *const *releases, size_t count, const bauta_recipe *recipe,
                           bauta_report **report, bauta_error *error)
{
    bt_facts facts;
    if (!releases || count == 0) return refuse(report, error, "a release is needed");
    begin(report, error);
    bt_facts_init(&facts);
    bauta_status status = bt_do_measure(releases, count, recipe, &facts, error);
    return end(status, BT_REPORT_MEASURE, &facts, report, error);
}

bauta_status bauta_attack(const char *publish, const bauta_recipe *recipe,
                          const char *const *arguments, size_t count, bauta_report **report,
                          bauta_error *error)
{
    bt_facts facts;
    bool broken = false;
    if (!publish) return refuse(report, error, "a release is needed");
    begin(report, error);
    bt_facts_init_array(&facts);
    bauta_status status = bt_do_attack(publish, recipe, arguments, count, &facts, &broken, error);
    status = end(status, BT_REPORT_ATTACK, &facts, report, error);
    if (status != BAUTA_OK || !broken) return status;
    status = bt_fail(error, BAUTA_NO, "an attack found out more than the release promises");
    bt_error_place(error, publish, -1, NULL);
    return status;
}

bauta_status bauta_describe(const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    bt_facts facts;
    if (!recipe) return refuse(report, error, "a recipe is needed");
    begin(report, error);
    bt_facts_init(&facts);
    return end(bt_do_describe(recipe, &facts, error), BT_REPORT_DESCRIBE, &facts, report, error);
}

bauta_status bauta_init(const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    bt_facts facts;
    if (!recipe) return refuse(report, error, "a recipe is needed");
    begin(report, error);
    bt_facts_init(&facts);
    return end(bt_do_init(recipe, &facts, error), BT_REPORT_INIT, &facts, report, error);
}

bauta_status bauta_hierarchy(const bauta_recipe *recipe, const char *column, const char *write,
                             bauta_report **report, bauta_error *error)
{
    bt_facts facts;
    if (!recipe || !column) return refuse(report, error, "a recipe and a column are needed");
    begin(report, error);
    bt_facts_init(&facts);
    bauta_status status = bt_do_hierarchy(recipe, column, write, &facts, error);
    return end(status, BT_REPORT_HIERARCHY, &facts, report, error);
}

bauta_status bauta_page(const char *out, const bauta_recipe *recipe, bauta_report **report,
                        bauta_error *error)
{
    bt_facts facts;
    if (!out || !recipe) return refuse(report, error, "a folder and a recipe are needed");
    begin(report, error);
    bt_facts_init(&facts);
    bool good = false;
    bauta_status status = bt_do_page(out, recipe, &facts, &good, error);
    status = end(status, BT_REPORT_PAGE, &facts, report, error);
    if (status != BAUTA_OK || good) return status;
    status = bt_fail(error, BAUTA_NO, "the release does not keep what it promises");
    bt_error_place(error, out, -1, NULL);
    return status;
}
