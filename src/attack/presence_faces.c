/* SPDX-License-Identifier: Apache-2.0
 *
 * What tight cells give away of who is in the table. A cell that is no wider than its class needs
 * has a record on every face:
 *
 *   [lo,hi]   one that has lo, and one that has hi
 *   {a|b|c}   one that has each of them
 *   a node    one under each of two of its children, if people are under two of them only
 *
 * Whoever of the public table is the only one inside the box who can stand on a face is in the
 * table, surely: whoever else may be, and in whichever other boxes this person may be.
 *
 * Cut points (box=grid): where cells end at random beyond what their class needs, only this is left
 * that the first and the last cell of the grid of each range has a record of the table, in
 * whichever class. In format 0 they end where the class does.
 *
 * Cost: linear in people and the boxes they may be in, times columns.
 */
#include "attack/presence.h"
#include "recipe/cuts.h"
#include "recipe/names.h"
#include "spec/words.h"

#include <string.h>

enum { NOBODY = UINT32_MAX };

typedef struct face { /* of a box in a column */
    uint32_t at;      /* a position, a cell of the grid, or the first position of a child */
    uint32_t people;  /* of the public table who may stand there */
    uint32_t target;  /* the last of them */
} face;

typedef struct faces {
    const bt_view *crowd;
    size_t column;
    const bt_hierarchy *tree; /* of the column; NULL: none */
    uint32_t lowest;          /* the lowest level of its cells: bt_presence_lowest */
    size_t *first; /* groups + 1: the faces of group g are list[first[g]..first[g + 1]) */
    face *list;
    uint32_t *grid; /* with cut points: code of the public table -> cell of the grid, or NOBODY */
    bool *crossed;  /* per group: people are under more than two children, or not under any */
    bool *alone;    /* per target: what comes of it */
} faces;

/* ---- the faces of a cell ----------------------------------------------------------------- */

static const bt_side *side_of(const faces *f, uint32_t group, const bt_cell **cell)
{
    const bt_release_column *published = f->crowd->published[f->column];
    uint32_t code = bt_code_at(published->codes, published->width, f->crowd->groups.row[group]);
    *cell = &published->cells[code];
    return &f->crowd->placings[f->column].sides[code];
}

/* The lowest node that covers what is published; "*" goes beyond the leaves. */
static uint32_t cover_of(const faces *f, const bt_side *side)
{
    uint32_t to = side->to < f->tree->leaves ? side->to : f->tree->leaves;
    return bt_hierarchy_cover(f->tree, side->from, to - 1);
}

/* Whether the records of a class must be under two children of the node that is published. */
static bool covers_two(const faces *f, const bt_side *side)
{
    if (side->from >= side->to || side->from >= f->tree->leaves) return false;
    uint32_t level = f->tree->nodes[cover_of(f, side)].level;
    return level > 0 && (f->lowest == 0 || level > f->lowest);
}

static size_t count_faces(const faces *f, uint32_t group)
{
    const bt_cell *cell;
    const bt_side *side = side_of(f, group, &cell);
    if (f->tree) return covers_two(f, side) ? 2 : 0;
    if (cell->kind == BT_CELL_SET) return side->members ? side->count : side->to - side->from;
    return cell->kind == BT_CELL_RANGE && side->from < side->to ? 2 : 0;
}

/* Which is greater, a number of the public table or one of the release; each has its own scale. */
static int compare(const faces *f, uint32_t code, int64_t published)
{
    const bt_domain *domain = &f->crowd->known[f->column]->domain;
    __int128 number = domain->number[code], other = published;
    int places = domain->scale - f->crowd->published[f->column]->manifest->scale;
    for (; places > 0; places--)
        other *= 10;
    for (; places < 0; places++)
        number *= 10;
    return (number > other) - (number < other);
}

/* The cell of the grid of each value of the public table; numbers and cut points ascend. */
static bauta_status lay_grid(faces *f, const bt_cuts *cuts, bauta_error *error)
{
    const bt_domain *domain = &f->crowd->known[f->column]->domain;
    uint32_t present = bt_domain_present(domain), next = 0;
    f->grid = bt_array(domain->size, sizeof *f->grid);
    if (!f->grid) return bt_fail_memory(error);
    for (uint32_t code = 0; code < domain->size; code++) {
        while (code < present && next < cuts->count && compare(f, code, cuts->number[next]) >= 0)
            next++;
        f->grid[code] = code < present && next > 0 && next < cuts->count ? next - 1 : NOBODY;
    }
    return BAUTA_OK;
}

static void place_faces(const faces *f, uint32_t group)
{
    const bt_cell *cell;
    const bt_side *side = side_of(f, group, &cell);
    const bt_cuts *cuts = f->crowd->published[f->column]->manifest->cuts;
    face *list = f->list + f->first[group];
    size_t count = f->first[group + 1] - f->first[group];
    for (size_t i = 0; i < count && !f->tree; i++) { /* children are met with their people */
        int64_t end = i ? cell->hi : cell->lo;
        list[i].at = i ? side->to - 1 : side->from;
        if (cell->kind == BT_CELL_SET)
            list[i].at = side->members ? side->members[i] : side->from + (uint32_t)i;
        else if (cuts)
            list[i].at = (uint32_t)bt_cuts_find(cuts, end);
        else if (compare(f, list[i].at, end) != 0)
            list[i].at = NOBODY; /* the public table lacks this value */
    }
}

/* ---- who stands there -------------------------------------------------------------------- */

static void stand(face *one, uint32_t target, uint32_t people)
{
    one->people += people;
    one->target = target;
}

/* The first two children that people of the box are under become its faces. */
static void stand_under(const faces *f, uint32_t group, uint32_t position, uint32_t target,
                        uint32_t people)
{
    const bt_cell *cell;
    const bt_side *side = side_of(f, group, &cell);
    const bt_hierarchy *tree = f->tree;
    face *list = f->list + f->first[group];
    uint32_t cover = cover_of(f, side);
    const bt_node *child =
        position < tree->leaves ? &tree->nodes[bt_hierarchy_child(tree, cover, position)] : NULL;
    size_t i = 0;
    while (child && i < 2 && list[i].people > 0 && list[i].at != child->lo)
        i++;
    if (!child || i == 2) {
        f->crossed[group] = true;
        return;
    }
    list[i].at = child->lo;
    stand(&list[i], target, people);
}

static void stand_in(const faces *f, uint32_t group, uint32_t position, uint32_t target,
                     uint32_t people)
{
    size_t count = f->first[group + 1] - f->first[group];
    face *list = f->list + f->first[group];
    if (f->tree && count > 0) stand_under(f, group, position, target, people);
    for (size_t i = 0; i < count && !f->tree; i++)
        if (list[i].at == position) stand(&list[i], target, people);
}

static uint32_t position_of(const faces *f, uint32_t target)
{
    uint32_t code = bt_column_code(f->crowd->known[f->column], f->crowd->targets.row[target]);
    return f->grid ? f->grid[code] : bt_placing_position(&f->crowd->placings[f->column], code);
}

static void find_alone(const faces *f)
{
    const bt_view *crowd = f->crowd;
    for (uint32_t t = 0; t < crowd->targets.count; t++)
        for (size_t i = crowd->first[t]; i < crowd->first[t + 1]; i++)
            stand_in(f, crowd->candidates[i], position_of(f, t), t, crowd->targets.size[t]);
    for (uint32_t g = 0; g < crowd->groups.count; g++) {
        const face *list = f->list + f->first[g];
        size_t count = f->first[g + 1] - f->first[g];
        if (f->tree && (f->crossed[g] || count == 0 || list[1].people == 0)) continue;
        for (size_t i = 0; i < count; i++)
            if (list[i].people == 1) f->alone[list[i].target] = true;
    }
}

static bauta_status look_at_column(faces *f, bauta_error *error)
{
    uint32_t groups = f->crowd->groups.count;
    f->first = bt_array_zero((size_t)groups + 1, sizeof *f->first);
    f->crossed = bt_array_zero(groups, sizeof *f->crossed);
    bool made = f->first && f->crossed;
    for (uint32_t g = 0; made && g < groups; g++)
        f->first[g + 1] = f->first[g] + count_faces(f, g);
    f->list = made ? bt_array_zero(f->first[groups], sizeof *f->list) : NULL;
    made = made && f->list;
    for (uint32_t g = 0; made && g < groups; g++)
        place_faces(f, g);
    if (made) find_alone(f);
    free(f->first);
    free(f->crossed);
    free(f->list);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- cut points ---------------------------------------------------------------------------- */

/* Where cells end at random: the cells of the grid at which ranges end, of the whole table. */
static bauta_status look_at_grid(faces *f, bauta_error *error)
{
    const bt_view *crowd = f->crowd;
    const bt_cuts *cuts = crowd->published[f->column]->manifest->cuts;
    face *slices = bt_array_zero(cuts->count, sizeof *slices);
    if (!slices) return bt_fail_memory(error);
    for (uint32_t t = 0; t < crowd->targets.count; t++) {
        uint32_t slice = position_of(f, t);
        if (slice != NOBODY) stand(&slices[slice], t, crowd->targets.size[t]);
    }
    for (uint32_t g = 0; g < crowd->groups.count; g++) {
        const bt_cell *cell;
        (void)side_of(f, g, &cell);
        if (cell->kind != BT_CELL_RANGE && cell->kind != BT_CELL_VALUE) continue;
        const face *ends[] = {&slices[bt_cuts_find(cuts, cell->lo)],
                              &slices[bt_cuts_find(cuts, cell->hi)]};
        for (size_t i = 0; i < 2; i++)
            if (ends[i]->people == 1) f->alone[ends[i]->target] = true;
    }
    free(slices);
    return BAUTA_OK;
}

/* ---- columns, and the records they tell of -------------------------------------------------- */

static bauta_status find_faces(faces *f, bauta_error *error)
{
    const bt_manifest_column *column = f->crowd->published[f->column]->manifest;
    const bt_manifest *manifest = &f->crowd->release->manifest;
    f->tree = column->hierarchy ? column->hierarchy
              : column->partial ? f->crowd->known[f->column]->hierarchy
                                : NULL;
    bool tight = bt_cells_are_tight(manifest, column);
    f->lowest = f->tree ? bt_presence_lowest(f->crowd, f->column, f->tree) : 0;
    if (column->cuts) BT_TRY(lay_grid(f, column->cuts, error));
    if (column->cuts && !tight) return look_at_grid(f, error);
    return tight && (f->tree || !column->partial) ? look_at_column(f, error) : BAUTA_OK;
}

/* The text of a target's values, which no other values have. */
static bauta_status name_target(const bt_view *view, uint32_t target, bt_buffer *out,
                                bauta_error *error)
{
    out->length = 0;
    for (size_t c = 0; c < view->columns; c++) {
        const bt_column *column = view->known[c];
        const char *text = column->domain.text[bt_column_code(column, view->targets.row[target])];
        BT_TRY(bt_buffer_print(out, error, "%zu:%s", strlen(text), text));
    }
    return bt_buffer_add(out, "", 1, error);
}

/* Records of the original who are those people. */
static bauta_status match_records(const bt_view *crowd, const bool *alone, const bt_view *view,
                                  bool *found, bauta_error *error)
{
    bt_arena arena = {0};
    bt_names names = {0};
    bt_buffer text = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    for (uint32_t t = 0; t < crowd->targets.count && status == BAUTA_OK; t++) {
        if (!alone[t]) continue;
        status = name_target(crowd, t, &text, error);
        const char *name = status == BAUTA_OK ? bt_arena_copy(&arena, text.bytes, text.length) : "";
        if (!name) status = bt_fail_memory(error);
        if (status == BAUTA_OK) status = bt_names_add(&names, 0, name, t, &added, error);
    }
    for (uint32_t t = 0; t < view->targets.count && names.count > 0 && status == BAUTA_OK; t++) {
        uint32_t there;
        status = name_target(view, t, &text, error);
        found[t] = status == BAUTA_OK && bt_names_find(&names, 0, text.bytes, &there);
    }
    bt_buffer_release(&text);
    bt_names_release(&names);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_presence_faces(const bt_view *crowd, const bt_view *view, bool *alone, bool *found,
                               bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    for (size_t c = 0; c < crowd->columns && status == BAUTA_OK; c++) {
        faces f = {.crowd = crowd, .column = c, .alone = alone};
        if (crowd->published[c]->values_shown) continue;
        status = find_faces(&f, error);
        free(f.grid);
    }
    return status == BAUTA_OK ? match_records(crowd, alone, view, found, error) : status;
}
