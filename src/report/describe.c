/* SPDX-License-Identifier: Apache-2.0
 *
 * What a table looks like to someone who wants to single people out; and a recipe as it is.
 */
#include "report/render.h"

#include <string.h>

/* The role, a guess with a question mark, or nothing. */
static void add_role(const json_t *column, bt_grid *grid)
{
    const char *role = bt_fact_text(column, "role"), *guess = bt_fact_text(column, "guess");
    bool given = *role && strcmp(role, "none") != 0;
    bool guessed = *guess && strcmp(guess, "none") != 0;
    bt_page text = {0};
    bt_page_print(&text, "%s%s",
                  given     ? role
                  : guessed ? guess
                            : "-",
                  guessed && !given ? "?" : "");
    bt_grid_page(grid, &text);
}

static void add_column(const json_t *column, bt_grid *grid)
{
    bt_grid_name(grid, bt_fact_text(column, "name"));
    bt_grid_text(grid, bt_fact_text(column, "type"));
    add_role(column, grid);
    bt_grid_count(grid, bt_fact_int(column, "distinct"));
    bt_grid_count(grid, bt_fact_int(column, "missing"));
    bt_grid_count(grid, bt_fact_int(column, "unique"));
    bt_grid_share(grid, bt_fact_real(column, "share_unique"));
}

static void print_columns(const json_t *columns, bt_page *page)
{
    static const char *const heads[] = {"column",  "type",        "role", "distinct",
                                        "missing", "unique rows", ""};
    bt_grid grid;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "lllr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        bt_grid_text(&grid, heads[i]);
    for (size_t i = 0; i < json_array_size(columns); i++)
        add_column(json_array_get(columns, i), &grid);
    bt_grid_close(&grid, 2, page);
}

static void print_singling_out(const json_t *sets, bt_page *page)
{
    if (json_array_size(sets) == 0) return;
    bt_page_print(page, "\nfew columns are enough to single people out:\n");
    bt_grid grid;
    bt_grid_open(&grid, 3, "rrl");
    bt_grid_text(&grid, "unique rows");
    bt_grid_text(&grid, "");
    bt_grid_text(&grid, "columns");
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const json_t *set = json_array_get(sets, i);
        bt_page names = {0};
        bt_page_names(&names, json_object_get(set, "columns"));
        bt_grid_count(&grid, bt_fact_int(set, "unique"));
        bt_grid_share(&grid, bt_fact_real(set, "share_unique"));
        bt_grid_page(&grid, &names);
    }
    bt_grid_close(&grid, 2, page);
}

static void print_follows(const json_t *pairs, bt_page *page)
{
    if (json_array_size(pairs) == 0) return;
    bt_page_print(page, "\ncolumns that say the same as another one, or less:\n");
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        bool back = json_is_true(json_object_get(pair, "back"));
        bt_page_print(page, "  ");
        bt_page_text(page, bt_fact_text(pair, "column"));
        bt_page_print(page, back ? " says the same as " : " follows from ");
        bt_page_text(page, bt_fact_text(pair, "from"));
        bt_page_print(page, "\n");
    }
}

/* Columns that are published as they are tell others that will be generalized. */
static void print_giveaways(const json_t *found, bt_page *page)
{
    if (json_array_size(found) == 0) return;
    bt_page_print(page, "\nvalues that columns published as they are give away:\n");
    bt_grid grid;
    bt_grid_open(&grid, 3, "lrl");
    bt_grid_text(&grid, "column");
    bt_grid_text(&grid, "rows");
    bt_grid_text(&grid, "guessed from");
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *one = json_array_get(found, i), *columns = json_object_get(one, "columns");
        const char *by = bt_fact_text(one, "by");
        bt_page clue = {0};
        bt_page_text(&clue, json_string_value(json_array_get(columns, 0)));
        if (*by) {
            bt_page_print(&clue, by[0] == 's' ? " plus " : " less ");
            bt_page_text(&clue, json_string_value(json_array_get(columns, 1)));
        }
        bt_grid_name(&grid, bt_fact_text(one, "gives_away"));
        bt_grid_share(&grid, bt_fact_real(one, "share_guessed"));
        bt_grid_page(&grid, &clue);
    }
    bt_grid_close(&grid, 2, page);
}

static void print_quasi(const json_t *quasi, int64_t rows, bt_page *page)
{
    if (json_array_size(json_object_get(quasi, "columns")) == 0) return;
    char share[32];
    bt_share_print(bt_fact_real(quasi, "share_unique"), share, sizeof share);
    bt_page_print(page, "\nto someone who knows ");
    bt_page_names(page, json_object_get(quasi, "columns"));
    bt_page_print(page, ":\n  ");
    bt_page_count(page, bt_fact_int(quasi, "unique"), "of ", "of ");
    bt_page_count(page, rows, "record is unique", "records are unique");
    bt_page_print(page, " (%s)\n  ", share);
    bt_page_count(page, bt_fact_int(quasi, "classes"), "class", "classes");
    bt_page_print(page, " of equal records, the smallest of ");
    bt_page_count(page, bt_fact_int(quasi, "smallest_class"), "record", "records");
    bt_page_print(page, "\n");
}

/* What the whole table as one class has of each requirement, column by column. */
static void print_whole_table(const json_t *requirements, bt_page *page)
{
    bt_page_print(page, "\nas one class, the whole table:\n");
    bt_grid grid;
    bt_grid_open(&grid, 4, "l");
    for (size_t i = 0; i < json_array_size(requirements); i++) {
        const json_t *one = json_array_get(requirements, i);
        const json_t *list = json_object_get(one, "whole_table");
        for (size_t c = 0; c < json_array_size(list); c++) {
            const json_t *at = json_array_get(list, c);
            const char *given = bt_fact_text(at, "given");
            bt_page text = {0};
            bt_grid_name(&grid, c == 0 ? bt_fact_text(one, "requirement") : "");
            bt_grid_name(&grid, bt_fact_text(at, "column"));
            bt_grid_text(&grid, json_is_true(json_object_get(at, "holds")) ? "holds" : "fails");
            if (*given) {
                bt_page_print(&text, "among those who share a value of ");
                bt_page_text(&text, given);
                bt_page_print(&text, ": ");
            }
            bt_page_print(&text, "%s", bt_fact_text(at, "detail"));
            bt_grid_page(&grid, &text);
        }
    }
    bt_grid_close(&grid, 2, page);
}

static void print_requirements(const json_t *requirements, bt_page *page)
{
    if (json_array_size(requirements) == 0) return;
    bt_page_print(page, "\nhow far they are from what is required:\n");
    bt_grid grid;
    bt_grid_open(&grid, 5, "lr");
    static const char *const heads[] = {"requirement", "failing classes", "", "records in them",
                                        ""};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        bt_grid_text(&grid, heads[i]);
    for (size_t i = 0; i < json_array_size(requirements); i++) {
        const json_t *one = json_array_get(requirements, i);
        bt_grid_name(&grid, bt_fact_text(one, "requirement"));
        bt_grid_count(&grid, bt_fact_int(one, "failing_classes"));
        bt_grid_share(&grid, bt_fact_real(one, "share_classes"));
        bt_grid_count(&grid, bt_fact_int(one, "failing_records"));
        bt_grid_share(&grid, bt_fact_real(one, "share_records"));
    }
    bt_grid_close(&grid, 2, page);
    print_whole_table(requirements, page);
}

void bt_render_describe(const json_t *facts, bt_page *page)
{
    const json_t *columns = json_object_get(facts, "columns");
    bt_page_count(page, bt_fact_int(facts, "rows"), "row", "rows");
    bt_page_print(page, ", ");
    bt_page_count(page, (int64_t)json_array_size(columns), "column", "columns");
    bt_page_print(page, "\n\n");
    print_columns(columns, page);
    print_singling_out(json_object_get(facts, "singling_out"), page);
    print_follows(json_object_get(facts, "follows"), page);
    print_giveaways(json_object_get(facts, "giveaways"), page);
    print_quasi(json_object_get(facts, "quasi"), bt_fact_int(facts, "rows"), page);
    bt_render_risk(json_object_get(facts, "risk"), page);
    print_requirements(json_object_get(facts, "requirements"), page);
    bt_page_notes(page, json_object_get(facts, "notes"));
}

/* The recipe is the answer and goes out byte by byte, so that it can be saved. */
void bt_render_init(const json_t *facts, bt_page *page)
{
    const char *recipe = bt_fact_text(facts, "recipe");
    if (bt_buffer_add(&page->text, recipe, strlen(recipe), NULL) != BAUTA_OK) page->failed = true;
}
