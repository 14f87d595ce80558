/* SPDX-License-Identifier: Apache-2.0
 *
 * What attacks found out: a line for each, then what each attacker knows and tries and who is hit
 * worst, last the verdict.
 */
#include "report/render.h"

#include <inttypes.h>
#include <string.h>

static const char *verdict(const json_t *one)
{
    const json_t *holds = json_object_get(one, "holds");
    if (json_is_null(holds) && bt_fact_int(one, "tried") == 0) return "not tried";
    if (json_is_false(json_object_get(one, "judged"))) return "not judged";
    return json_is_true(holds) ? "holds" : json_is_false(holds) ? "BROKEN" : "not promised";
}

static void add_name(const json_t *one, bt_grid *grid)
{
    const char *variant = bt_fact_text(one, "variant"), *column = bt_fact_text(one, "column");
    bt_page name = {0};
    bt_page_text(&name, bt_fact_text(one, "attack"));
    if (*variant) {
        bt_page_print(&name, ": ");
        bt_page_text(&name, variant);
    }
    if (*column) {
        bt_page_print(&name, " (");
        bt_page_text(&name, column);
        bt_page_print(&name, ")");
    }
    bt_grid_page(grid, &name);
}

static void add_share(bt_grid *grid, const json_t *value)
{
    if (json_is_number(value))
        bt_grid_share(grid, json_number_value(value));
    else
        bt_grid_text(grid, "-");
}

static void add_interval(bt_grid *grid, const json_t *ends)
{
    char low[32], high[32];
    bt_page text = {0};
    bt_share_print(json_number_value(json_array_get(ends, 0)), low, sizeof low);
    bt_share_print(json_number_value(json_array_get(ends, 1)), high, sizeof high);
    bt_page_print(&text, "%s to %s", low, high);
    bt_grid_page(grid, &text);
}

static void add_result(const json_t *one, bt_grid *grid)
{
    add_name(one, grid);
    add_share(grid, json_object_get(one, "success"));
    if (bt_fact_int(one, "tried") > 0)
        add_interval(grid, json_object_get(one, "interval"));
    else
        bt_grid_text(grid, "-");
    add_share(grid, json_object_get(one, "chance"));
    add_share(grid, json_object_get(one, "worst"));
    add_share(grid, json_object_get(one, "allowed"));
    bt_grid_text(grid, verdict(one));
    bt_grid_text(grid, bt_fact_text(one, "detail"));
}

static void print_results(const json_t *facts, bt_page *page)
{
    static const char *const heads[] = {"attack", "success", "95 % interval", "by chance",
                                        "worst",  "allowed", "promise",       ""};
    bt_grid grid;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "lrrrrrll");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        bt_grid_text(&grid, heads[i]);
    for (size_t i = 0; i < json_array_size(facts); i++)
        if (!json_object_get(json_array_get(facts, i), "skipped"))
            add_result(json_array_get(facts, i), &grid);
    bt_grid_close(&grid, 0, page);
}

static void print_skipped(const json_t *facts, bt_page *page)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *one = json_array_get(facts, i);
        if (!json_object_get(one, "skipped")) continue;
        if (!any) bt_page_print(page, "\nnot tried:\n");
        any = true;
        bt_page_print(page, "  %s: %s\n", bt_fact_text(one, "attack"),
                      bt_fact_text(one, "skipped"));
    }
}

/* What each attacker knows and tries, and who is hit worst. */
static void print_attackers(const json_t *facts, bt_page *page)
{
    static const char *const heads[] = {"attack", "knows", "tries", "rows hit worst"};
    bt_grid grid;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "l");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        bt_grid_text(&grid, heads[i]);
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *one = json_array_get(facts, i);
        const json_t *hit = json_object_get(one, "worst_records");
        bt_page rows = {0};
        if (json_object_get(one, "skipped")) continue;
        for (size_t h = 0; h < json_array_size(hit); h++)
            bt_page_print(&rows, "%s%" PRId64, h ? ", " : "",
                          bt_fact_int(json_array_get(hit, h), "row"));
        add_name(one, &grid);
        bt_grid_text(&grid, bt_fact_text(one, "knows"));
        bt_grid_text(&grid, bt_fact_text(one, "tries"));
        bt_grid_page(&grid, &rows);
    }
    bt_page_print(page, "\n");
    bt_grid_close(&grid, 0, page);
}

static void print_verdict(const json_t *facts, bt_page *page)
{
    int64_t broken = 0, open = 0, lines = 0;
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *one = json_array_get(facts, i);
        if (json_object_get(one, "skipped")) continue;
        lines++;
        broken += json_is_false(json_object_get(one, "holds"));
        open += strcmp(verdict(one), "not promised") == 0;
    }
    if (broken == 0)
        bt_page_print(page, "\nno attack found out more than the release promises\n");
    else
        bt_page_print(page, "\n%" PRId64 " attack%s found out more than the release promises\n",
                      broken, broken == 1 ? "" : "s");
    if (open > 0 && open == lines)
        bt_page_print(page, "nothing is promised against what was tried: what it finds out is not "
                            "protected\n");
    else if (open > 0)
        bt_page_print(page,
                      "nothing is promised against %" PRId64 " of the %" PRId64
                      " lines above: what they find out is not protected\n",
                      open, lines);
}

void bt_render_attack(const json_t *facts, bt_page *page)
{
    print_results(facts, page);
    print_attackers(facts, page);
    print_skipped(facts, page);
    print_verdict(facts, page);
}
