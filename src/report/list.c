/* SPDX-License-Identifier: Apache-2.0
 *
 * What a registry holds: one line per entry, with its options below when there are any.
 */
#include "report/render.h"

static void print_parameters(const json_t *parameters, bt_page *page)
{
    bt_grid grid;
    bt_grid_open(&grid, 4, "l");
    for (size_t i = 0; i < json_array_size(parameters); i++) {
        const json_t *one = json_array_get(parameters, i);
        const json_t *standard = json_object_get(one, "default");
        const char *text = json_string_value(standard);
        bt_page shown = {0};
        bt_page_print(&shown, "%s%s",
                      !text   ? "must be given"
                      : *text ? "default "
                              : "optional",
                      text ? text : "");
        bt_grid_text(&grid, bt_fact_text(one, "name"));
        bt_grid_text(&grid, bt_fact_text(one, "bounds"));
        bt_grid_page(&grid, &shown);
        bt_grid_text(&grid, bt_fact_text(one, "help"));
    }
    bt_grid_close(&grid, 4, page);
}

static bool has_details(const json_t *entries)
{
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (*bt_fact_text(entry, "paper") || json_object_get(entry, "parameters")) return true;
    }
    return false;
}

static void print_short(const json_t *entries, bt_page *page)
{
    bt_grid grid;
    bt_grid_open(&grid, 3, "l");
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        bt_grid_text(&grid, bt_fact_text(entry, "name"));
        bt_grid_text(&grid, bt_fact_text(entry, "argument"));
        bt_grid_text(&grid, bt_fact_text(entry, "summary"));
    }
    bt_grid_close(&grid, 0, page);
}

void bt_render_list(const json_t *facts, bt_page *page)
{
    const json_t *entries = json_object_get(facts, "entries");
    if (!has_details(entries)) {
        print_short(entries, page);
        return;
    }
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const char *paper = bt_fact_text(entry, "paper");
        bt_page_print(page, "%s%s: %s\n", i ? "\n" : "", bt_fact_text(entry, "name"),
                      bt_fact_text(entry, "summary"));
        if (*paper) bt_page_print(page, "    %s\n", paper);
        print_parameters(json_object_get(entry, "parameters"), page);
    }
}
