/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures of one release, or of several side by side: a row for each measure, a column for
 * each release.
 */
#include "report/render.h"

#include <string.h>

enum { MOST_RELEASES = BT_GRID_COLUMNS - 1 };

typedef struct releases {
    const json_t *facts[MOST_RELEASES];
    size_t count;
} releases;

static bool is_share(const char *name)
{
    return strcmp(name, "ncp") == 0 || strcmp(name, "ncp_by_column") == 0 ||
           strcmp(name, "distortion_ratio") == 0;
}

typedef struct row_place { /* where the values of a row stand: measure, part and part of that */
    const char *names[3];
    size_t depth;
} row_place;

static void add_value(bt_grid *grid, const row_place *place, const json_t *value)
{
    bool share = is_share(place->names[0]) || is_share(place->names[place->depth - 1]);
    if (json_is_number(value) && share)
        bt_grid_share(grid, json_number_value(value));
    else
        bt_grid_value(grid, value);
}

static const json_t *value_at(const json_t *facts, const row_place *place)
{
    for (size_t i = 0; i < place->depth; i++)
        facts = json_object_get(facts, place->names[i]);
    return facts;
}

/* The first release that has something there. */
static const json_t *first_at(const releases *all, const row_place *place)
{
    const json_t *value = NULL;
    for (size_t i = 0; i < all->count && !value; i++)
        value = value_at(all->facts[i], place);
    return value;
}

static void add_row(bt_grid *grid, const releases *all, const row_place *place)
{
    char name[256];
    bool parts = json_is_object(first_at(all, place));
    snprintf(name, sizeof name, "%*s%s", 2 * (int)(place->depth - 1), "",
             place->names[place->depth - 1]);
    bt_grid_name(grid, name);
    for (size_t i = 0; i < all->count; i++) {
        if (parts)
            bt_grid_text(grid, "");
        else
            add_value(grid, place, value_at(all->facts[i], place));
    }
}

/* A measure may be an object of numbers, or of such objects: a row for each, below its name. */
static void add_measure(bt_grid *grid, const releases *all, const char *measure)
{
    row_place place = {{measure}, 1};
    const char *part, *detail;
    json_t *value, *number, *whole = (json_t *)(uintptr_t)first_at(all, &place);
    add_row(grid, all, &place);
    json_object_foreach(whole, part, value)
    {
        place = (row_place){{measure, part}, 2};
        add_row(grid, all, &place);
        json_object_foreach(value, detail, number)
        {
            place = (row_place){{measure, part, detail}, 3};
            add_row(grid, all, &place);
        }
    }
}

static void add_head(bt_grid *grid, const releases *all)
{
    bt_grid_text(grid, "");
    for (size_t i = 0; i < all->count; i++) {
        const char *name = bt_fact_text(all->facts[i], "release");
        bt_grid_name(grid, *name ? name : "value");
    }
}

/* Adds the measures of a release that no earlier release has. */
static void add_measures(bt_grid *grid, const releases *all, size_t number)
{
    const char *measure;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)all->facts[number], measure, value)
    {
        bool known = strcmp(measure, "release") == 0 || json_is_array(value);
        for (size_t i = 0; i < number && !known; i++)
            known = json_object_get(all->facts[i], measure) != NULL;
        if (!known) add_measure(grid, all, measure);
    }
}

void bt_render_measure(const json_t *facts, bt_page *page)
{
    const json_t *list = json_object_get(facts, "releases");
    size_t count = json_array_size(list);
    releases all = {.count = list ? (count < MOST_RELEASES ? count : MOST_RELEASES) : 1,
                    .facts = {facts}};
    for (size_t i = 0; list && i < all.count; i++)
        all.facts[i] = json_array_get(list, i);
    if (all.count == 0) return;
    bt_grid grid;
    bt_grid_open(&grid, all.count + 1, "lr");
    add_head(&grid, &all);
    for (size_t i = 0; i < all.count; i++)
        add_measures(&grid, &all, i);
    bt_grid_close(&grid, 0, page);
}
