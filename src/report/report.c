/* SPDX-License-Identifier: Apache-2.0
 *
 * A report as JSON, and the choice of its renderer.
 */
#include "report/report.h"

#include "report/render.h"

#include <string.h>

bauta_status bt_report_dump(const bauta_report *report, bt_buffer *out, bauta_error *error)
{
    /* Bounds are rounded to the safe side at 15 digits, so no other rounding may follow. */
    size_t digits = report->kind == BT_REPORT_QUERY ? 15 : 6;
    BT_OWN(bt_free)
    char *text = json_dumps(report->facts.root, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    if (!text) return bt_fail_memory(error);
    BT_TRY(bt_buffer_add(out, text, strlen(text), error));
    return bt_buffer_add(out, "\n", 1, error);
}

bauta_status bt_report_print(const bauta_report *report, bt_buffer *out, bauta_error *error)
{
    static void (*const renderers[])(const json_t *, bt_page *) = {
        [BT_REPORT_ANONYMIZE] = bt_render_anonymize, [BT_REPORT_PREVIEW] = bt_render_preview,
        [BT_REPORT_AUDIT] = bt_render_audit,         [BT_REPORT_MEASURE] = bt_render_measure,
        [BT_REPORT_DESCRIBE] = bt_render_describe,   [BT_REPORT_INIT] = bt_render_init,
        [BT_REPORT_HIERARCHY] = bt_render_hierarchy, [BT_REPORT_LIST] = bt_render_list,
        [BT_REPORT_QUERY] = bt_render_query,         [BT_REPORT_ATTACK] = bt_render_attack,
        [BT_REPORT_PAGE] = bt_render_page,
    };
    bt_page page = {0};
    renderers[report->kind](report->facts.root, &page);
    bauta_status status = page.failed
                              ? bt_fail_memory(error)
                              : bt_buffer_add(out, page.text.bytes, page.text.length, error);
    bt_buffer_release(&page.text);
    return status;
}
