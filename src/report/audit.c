/* SPDX-License-Identifier: Apache-2.0
 *
 * What an audit found: first what is not protected, then each promise, last the verdict.
 */
#include "report/render.h"

#include <inttypes.h>

static const char *verdict(const json_t *finding)
{
    const json_t *holds = json_object_get(finding, "holds");
    return json_is_true(holds) ? "holds" : json_is_false(holds) ? "BROKEN" : "unverifiable";
}

static void add_finding(const json_t *finding, const char *column, bt_grid *grid)
{
    int64_t row = bt_fact_int(finding, "class");
    bt_page detail = {0};
    bt_page_text(&detail, bt_fact_text(finding, "detail"));
    if (row > 0 && *column)
        bt_page_print(&detail, " (%s %" PRId64 ")", column, row);
    else if (row > 0)
        bt_page_print(&detail, " (row %" PRId64 " of data.csv)", row);
    bt_grid_text(grid, bt_fact_text(finding, "promise"));
    bt_grid_text(grid, verdict(finding));
    bt_grid_page(grid, &detail);
}

static void print_findings(const json_t *findings, const char *column, bt_page *page)
{
    bt_grid grid;
    bt_grid_open(&grid, 3, "l");
    bt_grid_text(&grid, "checked");
    bt_grid_text(&grid, "verdict");
    bt_grid_text(&grid, "");
    for (size_t i = 0; i < json_array_size(findings); i++)
        add_finding(json_array_get(findings, i), column, &grid);
    bt_grid_close(&grid, 0, page);
}

void bt_render_audit(const json_t *facts, bt_page *page)
{
    const char *open = bt_fact_text(facts, "not_protected");
    if (*open) {
        bt_page_print(page, "not protected: ");
        bt_page_text(page, open);
        bt_page_print(page, "\n");
    }
    const json_t *findings = json_object_get(facts, "findings");
    int64_t broken = 0, unverifiable = 0;
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *holds = json_object_get(json_array_get(findings, i), "holds");
        broken += json_is_false(holds);
        unverifiable += json_is_string(holds);
    }
    print_findings(findings, bt_fact_text(facts, "class_column"), page);
    if (unverifiable) {
        bt_page_count(page, unverifiable, "promise", "promises");
        bt_page_print(page, " cannot be verified from the published files\n");
    }
    if (json_is_true(json_object_get(facts, "holds"))) {
        bt_page_print(page, unverifiable ? "everything else holds\n" : "every promise holds\n");
    } else {
        bt_page_count(page, broken, "promise does", "promises do");
        bt_page_print(page, " NOT hold: do not hand this release out\n");
    }
}
