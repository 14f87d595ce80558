/* SPDX-License-Identifier: Apache-2.0
 *
 * two-tables, where many records have the same quasi values: whether the n-th rows of a class in
 * both files are together what the records are, each combination of quasi values beside each value
 * exactly as often.
 *
 * If the order of either file is a random permutation, the rows of a class of n beside each other
 * make a given table of counts c(i, j), with sums a(i) of combinations and b(j) of values, with the
 * probability prod a(i)! prod b(j)! / (n! prod c(i, j)!), as in Fisher's exact test. The table is
 * known where all records with these quasi values are in this class and nowhere else; classes of
 * which that cannot be said are left out.
 *
 * Cost: linear in rows, times the logarithm of the values that a combination has.
 */
#include "audit/links.h"
#include "base/gamma.h"
#include "base/sort.h"

typedef struct crossing {
    const bt_crossed *from;
    const uint32_t *combination; /* per row of quasi.csv */
    uint32_t combinations;
    /* The supplies with combination g are cells[first[g]..first[g + 1]), in the order of the one
     * demand that each can serve. */
    size_t *first;
    struct cell {
        uint32_t demand, size;
        uint32_t seen[2]; /* forwards and backwards, rows of the class at hand that are so */
    } * cells;
    bool *odd;       /* per combination: what is in its class is not known */
    uint32_t *home;  /* per combination that is not odd: its class */
    uint32_t *taken; /* per demand: records that serve it, of the class at hand */
    uint32_t *class_seen, *demand_seen; /* the class, + 1, that this was last looked at for */
} crossing;

static int compare_cells(const void *left, const void *right)
{
    uint32_t a = ((const struct cell *)left)->demand, b = ((const struct cell *)right)->demand;
    return (a > b) - (a < b);
}

static struct cell *find_cell(const crossing *c, uint32_t combination, uint32_t demand)
{
    size_t from = c->first[combination], count = c->first[combination + 1] - from;
    const struct cell key = {.demand = demand};
    return count ? bsearch(&key, c->cells + from, count, sizeof key, compare_cells) : NULL;
}

/* ---- the table of the records ------------------------------------------------------------ */

static void fill_cells(crossing *c)
{
    const bt_matched *matched = c->from->matched;
    const bt_tuples *supplies = matched->supplies;
    for (uint32_t s = 0; s < supplies->count; s++) {
        uint32_t g = matched->quasi_of[s];
        if (g == BT_TUPLE_NONE) continue;
        size_t at = matched->first[s];
        bool one = matched->first[s + 1] - at == 1;
        c->odd[g] = c->odd[g] || !one;
        c->cells[c->first[g + 1]++] =
            (struct cell){.demand = one ? matched->demand[at] : 0, .size = supplies->size[s]};
    }
}

/* Where all rows with a combination and all records with it are of one class. */
static void find_homes(crossing *c)
{
    const bt_matched *matched = c->from->matched;
    const bt_tuples *all = bt_rows_all(matched->rows);
    for (uint32_t g = 0; g < c->combinations; g++) {
        struct cell *cells = c->cells + c->first[g];
        size_t count = c->first[g + 1] - c->first[g];
        uint64_t records = 0;
        if (c->odd[g] || count == 0) {
            c->odd[g] = true;
            continue;
        }
        qsort(cells, count, sizeof *cells, compare_cells);
        c->home[g] = matched->unit_of[matched->demands->row[cells->demand]];
        for (size_t i = 0; i < count; i++) {
            records += cells[i].size;
            c->odd[g] |= matched->unit_of[matched->demands->row[cells[i].demand]] != c->home[g];
        }
        c->odd[g] |= records != all->size[g];
    }
}

static bauta_status make_cells(crossing *c, bt_arena *arena, bauta_error *error)
{
    const bt_matched *matched = c->from->matched;
    size_t all = c->combinations, demands = matched->demands->count;
    c->first = bt_arena_array(arena, all + 2, sizeof *c->first);
    c->cells = bt_arena_array(arena, matched->supplies->count, sizeof *c->cells);
    c->odd = bt_arena_array(arena, all, sizeof *c->odd);
    c->home = bt_arena_array(arena, all, sizeof *c->home);
    c->taken = bt_arena_array(arena, demands, sizeof *c->taken);
    c->class_seen = bt_arena_array(arena, all, sizeof *c->class_seen);
    c->demand_seen = bt_arena_array(arena, demands, sizeof *c->demand_seen);
    BT_TRY(bt_arena_check(arena, error));
    /* first[g + 1] walks through combination g while it is filled, and ends where g + 1 starts. */
    for (uint32_t s = 0; s < matched->supplies->count; s++)
        if (matched->quasi_of[s] != BT_TUPLE_NONE) c->first[(size_t)matched->quasi_of[s] + 2]++;
    for (size_t g = 2; g <= all; g++)
        c->first[g] += c->first[g - 1];
    fill_cells(c);
    find_homes(c);
    return BAUTA_OK;
}

/* ---- classes ----------------------------------------------------------------------------- */

static double log_orders(double rows)
{
    return rows > 1 ? bt_log_gamma(rows + 1) : 0;
}

/* ln of the probability that the rows of a class beside each other are its records; 0: what its
 * records are is not known. */
static double judge_class(crossing *c, uint32_t unit)
{
    const bt_matched *matched = c->from->matched;
    const size_t *const *starts = c->from->starts;
    size_t quasi = starts[0][unit], values = starts[1][unit], count = starts[0][unit + 1] - quasi;
    double chance = -log_orders((double)count);
    if (starts[1][unit + 1] - values != count) return 0;
    for (size_t i = quasi; i < quasi + count; i++) {
        uint32_t g = c->combination[c->from->order[0][i]];
        if (c->odd[g] || c->home[g] != unit) return 0;
        if (c->class_seen[g] == unit + 1) continue;
        c->class_seen[g] = unit + 1;
        chance += log_orders(bt_rows_all(matched->rows)->size[g]);
        for (size_t k = c->first[g]; k < c->first[g + 1]; k++) {
            c->taken[c->cells[k].demand] += c->cells[k].size;
            chance -= log_orders(c->cells[k].size);
        }
    }
    for (size_t i = values; i < values + count; i++) {
        uint32_t d = matched->demand_of[c->from->order[1][i]];
        if (c->demand_seen[d] == unit + 1) continue;
        c->demand_seen[d] = unit + 1;
        if (c->taken[d] != matched->demands->size[d]) return 0;
        chance += log_orders(matched->demands->size[d]);
    }
    return chance;
}

/* Whether they are: no cell has more rows than records. `way`: forwards or backwards. */
static bool is_crossed(crossing *c, uint32_t unit, int way)
{
    const bt_matched *matched = c->from->matched;
    size_t quasi = c->from->starts[0][unit], count = c->from->starts[0][unit + 1] - quasi;
    size_t values = c->from->starts[1][unit];
    for (size_t n = 0; n < count; n++) {
        size_t other = values + (way ? count - 1 - n : n);
        struct cell *cell = find_cell(c, c->combination[c->from->order[0][quasi + n]],
                                      matched->demand_of[c->from->order[1][other]]);
        if (!cell || ++cell->seen[way] > cell->size) return false;
    }
    return true;
}

bauta_status bt_links_crossed(const bt_crossed *from, bt_link *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    crossing c = {.from = from,
                  .combination = bt_rows_numbers(from->matched->rows),
                  .combinations = bt_rows_all(from->matched->rows)->count};
    bt_fits all = {0};
    BT_TRY(make_cells(&c, &scratch, error));
    for (uint32_t u = 0; u < from->matched->units; u++) {
        double chance = judge_class(&c, u);
        if (chance < 0) bt_fits_add_unit(&all, chance, is_crossed(&c, u, 0), is_crossed(&c, u, 1));
    }
    bt_order order = bt_fits_judge(&all);
    bt_link_add(out, bt_order_told(order), bt_order_broken(order));
    return BAUTA_OK;
}
