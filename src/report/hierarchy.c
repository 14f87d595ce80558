/* SPDX-License-Identifier: Apache-2.0
 *
 * A hierarchy: its levels, and the tree itself where the facts hold it.
 */
#include "report/render.h"

#include <string.h>

static void print_levels(const json_t *levels, bt_page *page)
{
    bt_grid grid;
    bt_grid_open(&grid, 3, "rrl");
    bt_grid_text(&grid, "level");
    bt_grid_text(&grid, "nodes");
    bt_grid_text(&grid, "");
    for (size_t i = 0; i < json_array_size(levels); i++) {
        const json_t *level = json_array_get(levels, i), *some = json_object_get(level, "examples");
        bt_page examples = {0};
        bt_page_names(&examples, some);
        bool all = (int64_t)json_array_size(some) >= bt_fact_int(level, "nodes");
        bt_page_print(&examples, "%s", all || !json_array_size(some) ? "" : ", ...");
        bt_grid_count(&grid, bt_fact_int(level, "level"));
        bt_grid_count(&grid, bt_fact_int(level, "nodes"));
        bt_grid_page(&grid, &examples);
    }
    bt_grid_close(&grid, 2, page);
}

/* The text has lines of its own; what lies between them is from outside. */
static void print_lines(const char *text, bt_page *page)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char line[1024];
        while (length > 0) {
            size_t part = length < sizeof line - 1 ? length : sizeof line - 1;
            while (part < length && part > 1 && ((unsigned char)text[part] & 0xC0) == 0x80)
                part--; /* not inside a character */
            memcpy(line, text, part);
            line[part] = '\0';
            bt_page_text(page, line);
            text += part;
            length -= part;
        }
        bt_page_print(page, "\n");
        text += *text == '\n';
    }
}

void bt_render_hierarchy(const json_t *facts, bt_page *page)
{
    const char *text = bt_fact_text(facts, "text"), *written = bt_fact_text(facts, "written");
    const char *spec = bt_fact_text(facts, "hierarchy");
    bt_page_print(page, "column ");
    bt_page_text(page, bt_fact_text(facts, "column"));
    bt_page_print(page, *spec ? ", hierarchy " : "");
    bt_page_text(page, spec);
    bt_page_print(page, ": ");
    bt_page_count(page, bt_fact_int(facts, "leaves"), "leaf", "leaves");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(facts, "nodes"), "node", "nodes");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(facts, "levels"), "level", "levels");
    bt_page_print(page, "\n\n");
    print_levels(json_object_get(facts, "per_level"), page);
    if (*text) {
        bt_page_print(page, "\n");
        print_lines(text, page);
    }
    bt_page_notes(page, json_object_get(facts, "notes"));
    if (*written) {
        bt_page_print(page, "\nwritten to ");
        bt_page_text(page, written);
        bt_page_print(page, "\n");
    }
}
