/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_report_…: handing out what a command found.
 */
#include "api/api.h"

bauta_status bt_report_give(bt_report_kind kind, bt_facts *facts, bauta_report **out,
                            bauta_error *error)
{
    bauta_status status = bt_facts_check(facts, error);
    bauta_report *report = NULL;
    if (status == BAUTA_OK && out) {
        report = bt_array_zero(1, sizeof *report);
        if (!report) status = bt_fail_memory(error);
    }
    if (!report) {
        bt_facts_release(facts);
        return status;
    }
    *report = (bauta_report){kind, *facts};
    *facts = (bt_facts){0};
    *out = report;
    return BAUTA_OK;
}

typedef bauta_status (*printer)(const bauta_report *, bt_buffer *, bauta_error *);

static bauta_status give_text(const bauta_report *report, printer print, char **text,
                              bauta_error *error)
{
    *text = NULL;
    if (!report) return bt_fail(error, BAUTA_USAGE, "a report is needed");
    bt_buffer buffer = {0};
    bauta_status status = print(report, &buffer, error);
    if (status == BAUTA_OK) status = bt_buffer_add(&buffer, "", 1, error);
    if (status == BAUTA_OK)
        *text = buffer.bytes;
    else
        bt_buffer_release(&buffer);
    return status;
}

bauta_status bauta_report_json(const bauta_report *report, char **text, bauta_error *error)
{
    return give_text(report, bt_report_dump, text, error);
}

bauta_status bauta_report_text(const bauta_report *report, char **text, bauta_error *error)
{
    return give_text(report, bt_report_print, text, error);
}

bauta_status bauta_report_charts(const bauta_report *report, char **text, bauta_error *error)
{
    return give_text(report, bt_report_charts, text, error);
}

void bauta_text_free(char *text)
{
    free(text);
}

void bauta_report_free(bauta_report *report)
{
    if (!report) return;
    bt_facts_release(&report->facts);
    free(report);
}

const char *bauta_version(void)
{
    return BT_VERSION;
}
