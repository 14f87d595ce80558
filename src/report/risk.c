/* SPDX-License-Identifier: Apache-2.0
 *
 * The risk of a table as it stands.
 */
#include "report/render.h"

#include <string.h>

static void add_attacker(const json_t *risk, const char *name, const char *knows, bt_grid *grid)
{
    const json_t *at = json_object_get(risk, name);
    bool each = json_object_get(at, "highest") != NULL;
    bt_grid_text(grid, name);
    if (each)
        bt_grid_share(grid, bt_fact_real(at, "highest"));
    else
        bt_grid_text(grid, "-");
    bt_grid_share(grid, bt_fact_real(at, "average"));
    if (each) {
        bt_grid_count(grid, bt_fact_int(at, "records_above"));
        bt_grid_share(grid, bt_fact_real(at, "share_above"));
    } else {
        bt_grid_text(grid, "-");
        bt_grid_text(grid, "");
    }
    bt_grid_text(grid, knows);
}

static void print_attackers(const json_t *risk, bt_page *page)
{
    char share[32];
    bt_page above = {0};
    bt_share_print(bt_fact_real(risk, "threshold"), share, sizeof share);
    bt_page_print(&above, "records above %s", share);
    bt_grid grid;
    bt_grid_open(&grid, 6, "lrrrrl");
    bt_grid_text(&grid, "attacker");
    bt_grid_text(&grid, "highest");
    bt_grid_text(&grid, "average");
    bt_grid_page(&grid, &above);
    bt_grid_text(&grid, "");
    bt_grid_text(&grid, "looks for");
    add_attacker(risk, "prosecutor", "someone known to be in the table", &grid);
    add_attacker(risk, "journalist", "someone of the population", &grid);
    add_attacker(risk, "marketer", "as many people as possible", &grid);
    bt_grid_close(&grid, 2, page);
}

static void add_share(const char *what, double share, const char *remark, bt_grid *grid)
{
    bt_grid_text(grid, what);
    bt_grid_share(grid, share);
    bt_grid_text(grid, remark);
}

static void print_uniqueness(const json_t *risk, bt_page *page)
{
    const json_t *population = json_object_get(risk, "population");
    const char *model = bt_fact_text(population, "model");
    bt_page_print(page, "\nunique people:\n");
    bt_grid grid;
    bt_grid_open(&grid, 3, "lrl");
    add_share("in the table", bt_fact_real(risk, "share_unique"), "", &grid);
    if (population) {
        bool zayatz = strcmp(model, "zayatz") == 0;
        add_share("in the population, by Zayatz", bt_fact_real(population, "unique_zayatz"),
                  zayatz ? "for this sampling fraction the better estimate" : "", &grid);
        add_share("in the population, by Pitman", bt_fact_real(population, "unique_pitman"),
                  zayatz ? "" : "for this sampling fraction the better estimate", &grid);
    }
    bt_grid_close(&grid, 2, page);
}

static void print_contributions(const json_t *columns, bt_page *page)
{
    bt_page_print(page, "\nwhat each column contributes:\n");
    bt_grid grid;
    bt_grid_open(&grid, 4, "lr");
    bt_grid_text(&grid, "column");
    bt_grid_text(&grid, "unique without it");
    bt_grid_text(&grid, "fewer by");
    bt_grid_text(&grid, "");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        bt_grid_name(&grid, bt_fact_text(column, "name"));
        bt_grid_count(&grid, bt_fact_int(column, "unique_without"));
        bt_grid_count(&grid, bt_fact_int(column, "contribution"));
        bt_grid_share(&grid, bt_fact_real(column, "share"));
    }
    bt_grid_close(&grid, 2, page);
}

void bt_render_risk(const json_t *risk, bt_page *page)
{
    if (!risk) return;
    bt_page_print(page, "\nthe risk that a record is traced to its person:\n");
    print_attackers(risk, page);
    print_uniqueness(risk, page);
    print_contributions(json_object_get(risk, "columns"), page);
}
