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

static void add_value(bt_grid *grid, const char *measure, const json_t *value)
{
    if (json_is_number(value) && is_share(measure))
        bt_grid_share(grid, json_number_value(value));
    else
        bt_grid_value(grid, value);
}

/* A measure that is an object of numbers: one row for each, below its name. */
static void add_parts(bt_grid *grid, const releases *all, const char *measure)
{
    const json_t *first = json_object_get(all->facts[0], measure);
    const char *part;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)first, part, value)
    {
        char name[256];
        snprintf(name, sizeof name, "  %s", part);
        bt_grid_name(grid, name);
        for (size_t i = 0; i < all->count; i++)
            add_value(grid, measure,
                      json_object_get(json_object_get(all->facts[i], measure), part));
    }
}

static void add_measure(bt_grid *grid, const releases *all, const char *measure)
{
    bool parts = json_is_object(json_object_get(all->facts[0], measure));
    bt_grid_text(grid, measure);
    for (size_t i = 0; i < all->count; i++) {
        if (parts)
            bt_grid_text(grid, "");
        else
            add_value(grid, measure, json_object_get(all->facts[i], measure));
    }
    if (parts) add_parts(grid, all, measure);
}

static void add_head(bt_grid *grid, const releases *all)
{
    bt_grid_text(grid, "");
    for (size_t i = 0; i < all->count; i++) {
        const char *name = bt_fact_text(all->facts[i], "release");
        bt_grid_name(grid, *name ? name : "value");
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
    const char *measure;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)all.facts[0], measure, value)
    {
        if (strcmp(measure, "release") != 0) add_measure(&grid, &all, measure);
    }
    bt_grid_close(&grid, 0, page);
}
