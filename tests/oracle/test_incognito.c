/* SPDX-License-Identifier: Apache-2.0
 *
 * Incognito against exhaustive search: on thousands of small random tables with ragged trees,
 * missing values, columns without hierarchies, levels that are ruled out, weights, several
 * sensitive columns and persons with several rows. Every node of the lattice is grouped by plain
 * comparison of cells and judged class by class; all minimal nodes, the best price with and
 * without dropping records, and the classes themselves must be the same. Local recoding, which
 * promises no optimum, is held to what every grouping must be. And larger tables are compared with
 * themselves: the result is the same for any number of threads.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "class/steer.h"
#include "group/method.h"
#include "job/load.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 9, VALUES_MOST = 9, NODES_MOST = 20000, ROUNDS = 2500 };
enum { FEW_COLUMNS = 4, MANY_ROWS = 24 };
enum { GONE = -1, ANY = UINT32_MAX };

typedef __int128 wide;

typedef struct world {
    bauta_recipe *recipe;
    bt_run run;
    bt_loaded loaded;
    bt_people people;
    bt_requirements requirements;
    bt_arena arena;
    const bt_column **quasi;
    size_t columns;
    int rows;
    int64_t allowed;
    int goal;
    char method[64];
} world;

typedef struct outcome { /* of a node */
    uint32_t levels[COLUMNS_MOST];
    int class_of[ROWS_MOST], classes, dropped;
    bool satisfies;
    wide price;
} outcome;

static const char *const goals[] = {"ncp", "discernibility", "distortion", "height", "classes"};

/* ---- a random job, read through the front door ---- */

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static void print(char *text, size_t size, size_t *length, const char *format, ...) BT_PRINTF(4, 5);

static void print(char *text, size_t size, size_t *length, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *length += (size_t)vsnprintf(text + *length, size - *length, format, values);
    va_end(values);
    assert_true(*length < size);
}

/* A tree whose paths skip levels; with `topped` none of them both. */
static const char *random_tree(uint64_t *state, size_t column, bool topped)
{
    char text[2048], name[32];
    size_t length = 0;
    int top_of[3];
    for (int middle = 0; middle < 3; middle++)
        top_of[middle] = (int)test_below(state, topped ? 2 : 3) - !topped;
    for (int value = 0; value < VALUES_MOST; value++) {
        int middle = (int)test_below(state, 4) - 1;
        int top = middle < 0 ? (int)test_below(state, topped ? 2 : 3) - !topped : top_of[middle];
        print(text, sizeof text, &length, "%c%c;", 'a' + value % 3, 'a' + value / 3);
        if (middle >= 0) print(text, sizeof text, &length, "m%d", middle);
        print(text, sizeof text, &length, ";");
        if (top >= 0) print(text, sizeof text, &length, "t%d", top);
        print(text, sizeof text, &length, ";*\n");
    }
    snprintf(name, sizeof name, "tree%zu.csv", column);
    return scratch_text(name, text);
}

static void add_column(uint64_t *state, bauta_recipe *recipe, size_t column)
{
    static const char *const specs[] = {NULL, "flat", "mask", "balanced:2", "file", "file"};
    char setting[300];
    const char *spec = specs[test_below(state, 6)];
    snprintf(setting, sizeof setting, "c%zu", column);
    set(recipe, "quasi", setting);
    if (test_below(state, 6) == 0) {
        snprintf(setting, sizeof setting, "c%zu=%d", column, 1 + (int)test_below(state, 3));
        set(recipe, "weight", setting);
    }
    if (!spec) return;
    bool deep = strcmp(spec, "file") == 0;
    int low = (int)test_below(state, 2), high = 1 + (int)test_below(state, 2);
    bool least = deep && test_below(state, 5) == 0;
    if (deep) spec = random_tree(state, column, least);
    snprintf(setting, sizeof setting, "c%zu=%s", column, spec);
    set(recipe, "hierarchy", setting);
    snprintf(setting, sizeof setting, "c%zu=%d", column, low);
    if (least) set(recipe, "min-level", setting);
    if (least && low > 0) high = 2; /* cells of paths without a node at level 1 are at level 2 */
    snprintf(setting, sizeof setting, "c%zu=%d", column, high);
    if (deep && test_below(state, 5) == 0) set(recipe, "max-level", setting);
}

static void write_rows(uint64_t *state, world *w)
{
    char text[8192];
    size_t length = 0;
    uint64_t values[COLUMNS_MOST], ills = 2 + test_below(state, 4);
    bool gaps[COLUMNS_MOST];
    for (size_t c = 0; c < w->columns; c++) {
        values[c] = 1 + test_below(state, VALUES_MOST);
        gaps[c] = test_below(state, 5) == 0;
        print(text, sizeof text, &length, "c%zu,", c);
    }
    print(text, sizeof text, &length, "id,s0,s1\n");
    for (int row = 0; row < w->rows; row++) {
        for (size_t c = 0; c < w->columns; c++) {
            uint64_t value = test_below(state, values[c]) * test_below(state, 3) / 2;
            if (gaps[c] && test_below(state, 6) == 0)
                print(text, sizeof text, &length, ",");
            else
                print(text, sizeof text, &length, "%c%c,", (int)('a' + value % 3),
                      (int)('a' + value / 3));
        }
        print(text, sizeof text, &length, "p%d,%d,%d\n", (int)test_below(state, (uint64_t)w->rows),
              (int)test_below(state, ills), (int)test_below(state, 3));
    }
    set(w->recipe, "input", scratch_text("table.csv", text));
}

static const char *const requirements[] = {
    "k=2",
    "k=3",
    "k=5",
    "k=2,l=2",
    "k=3,p=2",
    "k=2,alpha=0.6",
    "alpha=0.7",
    "k=2,t=0.4",
    "t=0.3:ordered",
    "k=3,t=0.5",
    "entropy-l=1.5",
    "recursive-l=2:2",
    "k=2,recursive-l=2:3",
    "k=2,l=2,alpha=0.8",
};

static bool open_world(uint64_t *state, world *w, const char *threads)
{
    static const char *const shares[] = {"0", "0", "0.05", "0.2", "0.5", "1"};
    bauta_error error;
    *w = (world){.columns = 1 + test_below(state, FEW_COLUMNS),
                 .rows = 2 + (int)test_below(state, ROWS_MOST - 1)};
    assert_ok(bauta_recipe_new(&w->recipe, &error), &error);
    for (size_t c = 0; c < w->columns; c++)
        add_column(state, w->recipe, c);
    write_rows(state, w);
    bool two = test_below(state, 4) == 0, persons = test_below(state, 4) == 0;
    set(w->recipe, "sensitive", "s0");
    set(w->recipe, two ? "sensitive" : "drop", "s1");
    set(w->recipe, "identifier", "id");
    set(w->recipe, "subject", persons ? "id" : "none");
    set(w->recipe, "suppress", shares[test_below(state, 6)]);
    set(w->recipe, "threads", threads);
    const char *require = requirements[test_below(state, sizeof requirements / sizeof(char *))];
    w->goal = (int)test_below(state, 5);
    snprintf(w->method, sizeof w->method, "incognito:objective=%s", goals[w->goal]);
    assert_ok(bt_run_open(w->recipe, &w->run, &error), &error);
    assert_ok(bt_load(w->recipe, &w->run, false, &w->loaded, &error), &error);
    const bt_table *table = &w->loaded.table;
    assert_ok(bt_requirements_parse(require, &w->arena, &w->requirements, &error), &error);
    w->requirements.joint = test_below(state, 2);
    assert_ok(w->requirements.size_only ? bt_people_counted(table, &w->people, &error)
                                        : bt_people_of_table(table, &w->people, &error),
              &error);
    assert_ok(bt_requirements_bind(&w->requirements, &w->people, &w->arena, &error), &error);
    free(w->quasi);
    assert_ok(bt_table_select(table, BT_ROLE_QUASI, &w->quasi, &w->columns, &error), &error);
    w->allowed = bt_rational_floor_times(w->recipe->suppress, w->rows);
    return bt_requirements_feasible(&w->requirements, &error) == BAUTA_OK;
}

static void close_world(world *w)
{
    free(w->quasi);
    bt_people_release(&w->people);
    bt_loaded_release(&w->loaded);
    bt_run_close(&w->run);
    bt_arena_release(&w->arena);
    bauta_recipe_free(w->recipe);
}

/* ---- one node, plainly ---- */

/* The lowest node of a code that is not below `level`. */
static uint32_t not_below(const bt_hierarchy *tree, uint32_t code, uint32_t level)
{
    uint32_t node = tree->leaf_node[code];
    while (tree->nodes[node].level < level)
        node = tree->nodes[node].parent;
    return node;
}

/* A node that is the lowest of one of its values is so of all of them. */
static uint32_t raised(const bt_column *column, uint32_t node)
{
    const bt_hierarchy *tree = column->hierarchy;
    uint32_t found = node, level = column->steering.lowest;
    for (uint32_t at = node;; at = tree->nodes[at].parent) {
        for (uint32_t code = tree->nodes[at].lo; code < tree->nodes[at].hi; code++)
            if (code < bt_domain_present(&column->domain) && not_below(tree, code, level) == at)
                found = at;
        if (at == 0) return found;
    }
}

static uint32_t cell_of(const bt_column *column, int row, uint32_t level)
{
    const bt_hierarchy *tree = column->hierarchy;
    uint32_t code = bt_column_code(column, row);
    if (!tree) return level ? ANY : code;
    uint32_t node = tree->leaf_node[code];
    while (node != 0 && tree->nodes[tree->nodes[node].parent].level <= level)
        node = tree->nodes[node].parent;
    return column->steering.lowest > 0 ? raised(column, node) : node;
}

static bool look_alike(const world *w, const uint32_t *levels, int a, int b)
{
    for (size_t c = 0; c < w->columns; c++)
        if (cell_of(w->quasi[c], a, levels[c]) != cell_of(w->quasi[c], b, levels[c])) return false;
    return true;
}

/* Judges the classes of what is left, as a table of its own; true: some class fails. */
static bool drop_failing(const world *w, outcome *o)
{
    bauta_error error;
    bt_table rest;
    bt_people people = {0};
    bt_requirements bound = w->requirements;
    bt_arena arena = {0};
    bt_tally *tally = NULL;
    uint32_t picked[ROWS_MOST];
    int count = 0;
    bool fails[ROWS_MOST] = {false}, any = false;
    for (int row = 0; row < w->rows; row++)
        if (o->class_of[row] != GONE) picked[count++] = (uint32_t)row;
    if (count == 0) return false;
    assert_ok(bt_table_pick(&w->loaded.table, picked, count, &rest, &error), &error);
    assert_ok(bt_people_of_table(&rest, &people, &error), &error);
    for (size_t c = 0; c < people.columns; c++)
        people.sensitive[c].published = true;
    bound.items = bt_arena_array(&arena, bound.count, sizeof *bound.items);
    memcpy(bound.items, w->requirements.items, bound.count * sizeof *bound.items);
    assert_ok(bt_requirements_bind(&bound, &people, &arena, &error), &error);
    assert_ok(bt_tally_new(&people, &tally, &error), &error);
    for (int class_number = 0; class_number < o->classes; class_number++) {
        bool has_rows = false;
        bt_tally_clear(tally);
        for (int i = 0; i < count; i++)
            if (o->class_of[picked[i]] == class_number) {
                has_rows = true;
                assert_ok(bt_tally_add_row(tally, (uint32_t)i, &error), &error);
            }
        fails[class_number] = has_rows && !bt_requirements_check(&bound, tally, NULL);
        any = any || fails[class_number];
    }
    for (int i = 0; i < count; i++)
        if (fails[o->class_of[picked[i]]]) o->class_of[picked[i]] = GONE;
    bt_tally_free(tally);
    bt_people_release(&people);
    bt_table_release(&rest);
    bt_arena_release(&arena);
    return any;
}

static wide common_multiple(wide a, wide b)
{
    wide x = a, y = b;
    while (y != 0) {
        wide rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* What NCP counts for a record in a column times the common denominator. */
static wide loss_of(const world *w, size_t column, int row, uint32_t level, bool gone, wide whole)
{
    const bt_column *quasi = w->quasi[column];
    const bt_hierarchy *tree = quasi->hierarchy;
    bt_rational weight = quasi->steering.weight;
    if (weight.bottom == 0) weight = (bt_rational){1, 1};
    wide leaves = 1, all = 1;
    if (tree) {
        const bt_node *node = &tree->nodes[cell_of(quasi, row, level)];
        all = tree->leaves;
        leaves = node->level == 0 ? 0
                 : node->parent == 0 && node->lo == 0 && node->hi == tree->leaves
                     ? tree->leaves
                     : node->hi - node->lo;
    } else {
        leaves = level;
    }
    if (gone) leaves = all;
    return whole / (all * weight.bottom) * weight.top * leaves;
}

static wide height_of(const world *w, size_t column, int row, uint32_t level, bool gone)
{
    const bt_hierarchy *tree = w->quasi[column]->hierarchy;
    if (gone) return tree ? tree->levels - 1 : 1;
    if (w->goal == 3 || !tree) return level;
    return tree->nodes[cell_of(w->quasi[column], row, level)].level;
}

static wide price_of(const world *w, const outcome *o)
{
    wide price = 0, whole = 1;
    int sizes[ROWS_MOST] = {0}, kept = 0;
    for (size_t c = 0; c < w->columns; c++) {
        const bt_column *column = w->quasi[c];
        wide bottom = column->steering.weight.bottom ? column->steering.weight.bottom : 1;
        whole =
            common_multiple(whole, bottom * (column->hierarchy ? column->hierarchy->leaves : 1));
    }
    for (int row = 0; row < w->rows; row++) {
        bool gone = o->class_of[row] == GONE;
        if (!gone && sizes[o->class_of[row]]++ == 0) kept++;
        for (size_t c = 0; c < w->columns; c++)
            if (w->goal == 0)
                price += loss_of(w, c, row, o->levels[c], gone, whole);
            else if (w->goal == 2 || w->goal == 3)
                price += height_of(w, c, row, o->levels[c], gone);
    }
    if (w->goal == 4) return w->rows - kept;
    for (int i = 0; i < o->classes && w->goal == 1; i++)
        price += (wide)sizes[i] * sizes[i];
    return w->goal == 1 ? price + (wide)o->dropped * w->rows : price;
}

static void try_node(const world *w, outcome *o)
{
    o->classes = o->dropped = 0;
    for (int row = 0; row < w->rows; row++) {
        int first = 0;
        while (!look_alike(w, o->levels, first, row))
            first++;
        o->class_of[row] = first < row ? o->class_of[first] : o->classes++;
    }
    while (drop_failing(w, o))
        continue;
    for (int row = 0; row < w->rows; row++)
        o->dropped += o->class_of[row] == GONE;
    o->satisfies = o->dropped <= w->allowed && o->dropped < w->rows;
    o->price = price_of(w, o);
}

/* ---- the whole lattice ---- */

static size_t try_all(const world *w, outcome *out)
{
    size_t count = 0;
    uint32_t levels[COLUMNS_MOST];
    for (size_t c = 0; c < w->columns; c++)
        levels[c] = bt_lowest_level(w->quasi[c]);
    for (;;) {
        assert_true(count < NODES_MOST);
        memcpy(out[count].levels, levels, sizeof levels);
        try_node(w, &out[count++]);
        size_t c = 0;
        for (; c < w->columns && levels[c] == bt_highest_level(w->quasi[c]); c++)
            levels[c] = bt_lowest_level(w->quasi[c]);
        if (c == w->columns) return count;
        levels[c]++;
    }
}

static bool is_below(const world *w, const outcome *a, const outcome *b)
{
    bool same = true;
    for (size_t c = 0; c < w->columns; c++) {
        if (a->levels[c] > b->levels[c]) return false;
        same = same && a->levels[c] == b->levels[c];
    }
    return !same;
}

static bool is_minimal(const world *w, const outcome *all, size_t count, size_t node)
{
    if (!all[node].satisfies) return false;
    for (size_t i = 0; i < count; i++)
        if (all[i].satisfies && is_below(w, &all[i], &all[node])) return false;
    return true;
}

/* ---- comparing ---- */

static void compare_classes(const world *w, const bt_grouping *g, const outcome *expected)
{
    int number[ROWS_MOST];
    assert_int_equal(g->kept, w->rows - expected->dropped);
    for (int row = 0; row < w->rows; row++)
        number[row] = GONE;
    for (uint32_t i = 0; i < g->classes; i++)
        for (uint32_t at = g->starts[i]; at < g->starts[i + 1]; at++)
            number[g->order[at]] = (int)i;
    for (int a = 0; a < w->rows; a++) {
        assert_int_equal(number[a] == GONE, expected->class_of[a] == GONE);
        for (int b = 0; b < a && number[a] != GONE; b++)
            assert_int_equal(number[a] == number[b],
                             expected->class_of[a] == expected->class_of[b]);
    }
    for (uint32_t i = 0; i < g->classes; i++)
        for (size_t c = 0; c < g->columns; c++)
            if (w->quasi[c]->hierarchy)
                assert_int_equal(
                    bt_published_node(g, w->quasi[c], c, i),
                    cell_of(w->quasi[c], (int)g->order[g->starts[i]], expected->levels[c]));
}

/* The line of a node in private/lattice.csv begins with its levels. */
static bool is_listed(const world *w, const char *text, const outcome *node)
{
    char line[64] = "\n";
    size_t length = 1;
    for (size_t c = 0; c < w->columns; c++)
        print(line, sizeof line, &length, "%u,", node->levels[c]);
    return strstr(text, line) != NULL;
}

static void compare_minimal(const world *w, const bt_method_notes *notes, const outcome *all,
                            size_t count)
{
    char *text = bt_array_zero(notes->lattice.length + 1, 1);
    size_t lines = 0, minimal = 0;
    memcpy(text, notes->lattice.bytes, notes->lattice.length);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    for (size_t i = 0; i < count; i++) {
        bool expected = is_minimal(w, all, count, i);
        minimal += expected;
        assert_int_equal(is_listed(w, text, &all[i]), expected);
    }
    json_t *lattice = json_object_get(notes->at, "lattice");
    assert_int_equal(lines, minimal + 1);
    assert_int_equal(json_integer_value(json_object_get(lattice, "minimal")), minimal);
    free(text);
}

static void compare(const world *w, const bt_grouping *g, const bt_method_notes *notes,
                    const outcome *all, size_t count)
{
    const outcome *best = NULL, *taken = NULL;
    for (size_t i = 0; i < count; i++) {
        bool same = true;
        for (size_t c = 0; c < w->columns; c++)
            same = same && all[i].levels[c] == g->floors[c];
        if (same) taken = &all[i];
        if (all[i].satisfies && (!best || all[i].price < best->price)) best = &all[i];
    }
    assert_non_null(best);
    assert_non_null(taken);
    assert_true(taken->satisfies);
    if (taken->price != best->price)
        fail_msg("%s: price %lld instead of %lld", w->method, (long long)taken->price,
                 (long long)best->price);
    compare_classes(w, g, taken);
    json_t *lattice = json_object_get(notes->at, "lattice");
    assert_int_equal(json_integer_value(json_object_get(lattice, "nodes")), count);
    assert_true(json_is_true(json_object_get(lattice, "proven")));
    if (w->allowed == 0) compare_minimal(w, notes, all, count);
}

static bauta_status group(const world *w, bt_method_notes *notes, bt_grouping *g,
                          bauta_error *error)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_arena arena = {0};
    assert_ok(bt_method_parse(w->method, &arena, &method, &options, &canonical, error), error);
    bt_method_job job = {.table = &w->loaded.table,
                         .requirements = &w->requirements,
                         .options = options,
                         .suppress = w->recipe->suppress,
                         .records = w->rows,
                         .run = &w->run,
                         .notes = notes};
    bauta_status status = bt_group(method, &job, g, error);
    bt_arena_release(&arena);
    return status;
}

static outcome all[NODES_MOST];

static void lattice_is_searched_exhaustively(void **unused)
{
    (void)unused;
    int searched = 0, refused = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        static const char *const threads[] = {"1", "2", "7"};
        uint64_t state = seed;
        bauta_error error;
        bt_grouping g = {0};
        bt_facts facts;
        world w;
        bt_facts_init(&facts);
        bt_method_notes notes = {.facts = &facts, .at = facts.root};
        if (open_world(&state, &w, threads[seed % 3])) {
            size_t count = try_all(&w, all);
            bool possible = false;
            for (size_t i = 0; i < count; i++)
                possible = possible || all[i].satisfies;
            bauta_status status = group(&w, &notes, &g, &error);
            if (possible && status != BAUTA_OK) fail_msg("seed %d: %s", (int)seed, error.message);
            if (possible)
                compare(&w, &g, &notes, all, count);
            else
                assert_int_equal(status, BAUTA_NO);
            searched += possible;
            refused += !possible;
        }
        bt_grouping_release(&g);
        bt_buffer_release(&notes.lattice);
        bt_facts_release(&facts);
        close_world(&w);
    }
    assert_true(searched > ROUNDS / 2);
    assert_true(refused > 0);
}

/* A lattice of nine columns with three levels each, 19683 nodes: large enough that the search goes
 * straight down before it sweeps. */
static void open_wide(uint64_t *state, const char *require, const char *suppress, world *w)
{
    bauta_error error;
    char text[4096], name[16];
    size_t length = 0;
    *w = (world){.rows = MANY_ROWS, .goal = 0};
    snprintf(w->method, sizeof w->method, "incognito");
    assert_ok(bauta_recipe_new(&w->recipe, &error), &error);
    for (size_t c = 0; c < COLUMNS_MOST; c++) {
        snprintf(name, sizeof name, "c%zu", c);
        set(w->recipe, "quasi", name);
        snprintf(name, sizeof name, "c%zu=mask", c);
        set(w->recipe, "hierarchy", name);
        print(text, sizeof text, &length, "c%zu,", c);
    }
    print(text, sizeof text, &length, "s\n");
    for (int row = 0; row < MANY_ROWS; row++) {
        for (size_t c = 0; c < COLUMNS_MOST; c++)
            print(text, sizeof text, &length, "%c%c,", (int)('a' + test_below(state, 4) / 3),
                  (int)('a' + test_below(state, 4) / 3));
        print(text, sizeof text, &length, "%d\n", (int)test_below(state, 3));
    }
    set(w->recipe, "input", scratch_text("wide.csv", text));
    set(w->recipe, "sensitive", "s");
    set(w->recipe, "suppress", suppress);
    assert_ok(bt_run_open(w->recipe, &w->run, &error), &error);
    assert_ok(bt_load(w->recipe, &w->run, false, &w->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &w->arena, &w->requirements, &error), &error);
    assert_ok(bt_people_of_table(&w->loaded.table, &w->people, &error), &error);
    assert_ok(bt_requirements_bind(&w->requirements, &w->people, &w->arena, &error), &error);
    assert_ok(bt_table_select(&w->loaded.table, BT_ROLE_QUASI, &w->quasi, &w->columns, &error),
              &error);
    w->allowed = bt_rational_floor_times(w->recipe->suppress, w->rows);
}

static void large_lattice_is_searched_exhaustively(void **unused)
{
    (void)unused;
    static const char *const jobs[][2] = {{"k=2", "0"}, {"k=3,l=2", "0.2"}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        uint64_t state = 11 + i;
        bauta_error error;
        bt_grouping g;
        bt_facts facts;
        world w;
        bt_facts_init(&facts);
        bt_method_notes notes = {.facts = &facts, .at = facts.root};
        open_wide(&state, jobs[i][0], jobs[i][1], &w);
        size_t count = try_all(&w, all);
        assert_int_equal(count, 19683);
        assert_ok(group(&w, &notes, &g, &error), &error);
        compare(&w, &g, &notes, all, count);
        bt_grouping_release(&g);
        bt_buffer_release(&notes.lattice);
        bt_facts_release(&facts);
        close_world(&w);
    }
}

/* ---- local recoding ---- */

static bool is_on_path(const bt_hierarchy *tree, uint32_t above, uint32_t below)
{
    while (below != above && below != 0)
        below = tree->nodes[below].parent;
    return below == above;
}

/* Cells cover the records and keep to the levels that are allowed. */
static void check_cells(const world *w, const bt_grouping *g)
{
    for (uint32_t i = 0; i < g->classes; i++)
        for (size_t c = 0; c < g->columns; c++) {
            const bt_column *column = w->quasi[c];
            bt_box tight = bt_tight_box(g, column, i), box = bt_class_box(g, i)[c];
            assert_int_equal(box.lo, tight.lo);
            assert_int_equal(box.hi, tight.hi);
            if (!column->hierarchy) continue;
            uint32_t node = bt_published_node(g, column, c, i);
            for (uint32_t at = g->starts[i]; at < g->starts[i + 1]; at++) {
                int row = (int)g->order[at];
                assert_true(is_on_path(column->hierarchy, node,
                                       cell_of(column, row, bt_lowest_level(column))));
                assert_true(is_on_path(column->hierarchy,
                                       cell_of(column, row, bt_highest_level(column)), node));
            }
        }
}

static void check_apart(const world *w, const bt_grouping *g)
{
    for (uint32_t a = 0; a < g->classes; a++)
        for (uint32_t b = 0; b < a; b++) {
            bool alike = true;
            for (size_t c = 0; c < g->columns; c++) {
                bt_box x = bt_class_box(g, a)[c], y = bt_class_box(g, b)[c];
                uint32_t present = bt_domain_present(&w->quasi[c]->domain);
                if (w->quasi[c]->hierarchy)
                    alike = alike && bt_published_node(g, w->quasi[c], c, a) ==
                                         bt_published_node(g, w->quasi[c], c, b);
                else if (x.lo != x.hi && x.hi >= present && y.lo != y.hi && y.hi >= present)
                    continue;
                else
                    alike = alike && x.lo == y.lo && x.hi == y.hi;
            }
            assert_false(alike);
        }
}

static void check_grouping(const world *w, const bt_grouping *g)
{
    outcome o = {.classes = (int)g->classes};
    for (int row = 0; row < w->rows; row++)
        o.class_of[row] = GONE;
    for (uint32_t i = 0; i < g->classes; i++)
        for (uint32_t at = g->starts[i]; at < g->starts[i + 1]; at++) {
            assert_int_equal(o.class_of[g->order[at]], GONE);
            o.class_of[g->order[at]] = (int)i;
        }
    assert_true(w->rows - g->kept <= w->allowed);
    assert_false(drop_failing(w, &o));
    check_cells(w, g);
    check_apart(w, g);
}

static bool any_limit(const world *w)
{
    for (size_t c = 0; c < w->columns; c++)
        if (bt_is_limited(w->quasi[c])) return true;
    return false;
}

static void local_recoding_satisfies(void **unused)
{
    (void)unused;
    int recoded = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        static const char *const threads[] = {"1", "2", "7"};
        uint64_t state = seed;
        bauta_error error;
        bt_grouping g = {0};
        world w;
        if (open_world(&state, &w, threads[seed % 3])) {
            snprintf(w.method, sizeof w.method, "incognito:objective=%s,local=yes", goals[w.goal]);
            bauta_status status = group(&w, NULL, &g, &error);
            if (status != BAUTA_OK && (status != BAUTA_NO || !any_limit(&w)))
                fail_msg("seed %d: %s", (int)seed, error.message);
            if (status == BAUTA_OK) check_grouping(&w, &g);
            recoded += status == BAUTA_OK;
        }
        bt_grouping_release(&g);
        close_world(&w);
    }
    assert_true(recoded > ROUNDS / 2);
}

/* ---- threads ---- */

static const char *large_table(uint64_t *state)
{
    enum { LARGE = 6000 };
    size_t size = LARGE * 40, length = 0;
    char *text = bt_array(size, 1);
    assert_non_null(text);
    print(text, size, &length, "c0,c1,c2,c3,id,s0,s1\n");
    for (int row = 0; row < LARGE; row++)
        print(text, size, &length, "%d,%d,%c%c,%d,p%d,%d,%d\n", (int)test_below(state, 90),
              (int)(test_below(state, 12) * test_below(state, 12)),
              (int)('a' + test_below(state, 4)), (int)('a' + test_below(state, 5)),
              (int)test_below(state, 3), row / 2, (int)test_below(state, 6),
              (int)test_below(state, 4));
    const char *path = scratch_write("large.csv", text, length);
    free(text);
    return path;
}

static void open_large(const char *file, const char *require, const char *suppress,
                       const char *threads, world *w)
{
    bauta_error error;
    *w = (world){0};
    assert_ok(bauta_recipe_new(&w->recipe, &error), &error);
    set(w->recipe, "input", file);
    set(w->recipe, "quasi", "c0,c1,c2,c3");
    set(w->recipe, "sensitive", "s0,s1");
    set(w->recipe, "identifier", "id");
    set(w->recipe, "subject", "none");
    set(w->recipe, "hierarchy", "c0=intervals:5,10,20");
    set(w->recipe, "hierarchy", "c1=balanced:3");
    set(w->recipe, "hierarchy", "c2=mask");
    set(w->recipe, "suppress", suppress);
    set(w->recipe, "threads", threads);
    set(w->recipe, "seed", "5"); /* records that are alike stand at random */
    assert_ok(bt_run_open(w->recipe, &w->run, &error), &error);
    assert_ok(bt_load(w->recipe, &w->run, false, &w->loaded, &error), &error);
    w->rows = (int)w->loaded.table.rows;
    assert_ok(bt_requirements_parse(require, &w->arena, &w->requirements, &error), &error);
    assert_ok(w->requirements.size_only ? bt_people_counted(&w->loaded.table, &w->people, &error)
                                        : bt_people_of_table(&w->loaded.table, &w->people, &error),
              &error);
    assert_ok(bt_requirements_bind(&w->requirements, &w->people, &w->arena, &error), &error);
}

static void assert_same_grouping(const bt_grouping *a, const bt_grouping *b)
{
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->kept, b->kept);
    assert_memory_equal(a->order, b->order, (size_t)a->kept * sizeof *a->order);
    assert_memory_equal(a->starts, b->starts, ((size_t)a->classes + 1) * sizeof *a->starts);
    assert_memory_equal(a->boxes, b->boxes, a->classes * a->columns * sizeof *a->boxes);
    assert_int_equal(a->floors == NULL, b->floors == NULL);
    if (a->floors) assert_memory_equal(a->floors, b->floors, a->columns * sizeof *a->floors);
}

static void result_is_the_same_for_any_number_of_threads(void **unused)
{
    (void)unused;
    static const struct {
        const char *require, *suppress, *method;
    } jobs[] = {{"k=4", "0", "incognito"},
                {"k=4", "0.03", "incognito"},
                {"k=3,l=2", "0.1", "incognito:objective=discernibility"},
                {"k=3,t=0.4", "0.1", "incognito"},
                {"k=4", "0", "incognito:local=yes"},
                {"k=4,alpha=0.6", "0.01", "incognito:local=yes"}};
    uint64_t state = 5;
    char file[256];
    snprintf(file, sizeof file, "%s", large_table(&state));
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        static const char *const threads[] = {"1", "2", "7"};
        bt_grouping groupings[3];
        json_t *told[3];
        for (size_t t = 0; t < 3; t++) {
            bauta_error error;
            bt_facts facts;
            world w;
            bt_facts_init(&facts);
            bt_method_notes notes = {.facts = &facts, .at = facts.root};
            open_large(file, jobs[i].require, jobs[i].suppress, threads[t], &w);
            snprintf(w.method, sizeof w.method, "%s", jobs[i].method);
            assert_ok(group(&w, &notes, &groupings[t], &error), &error);
            told[t] = facts.root;
            assert_same_grouping(&groupings[0], &groupings[t]);
            assert_true(json_equal(told[0], told[t]));
            bt_buffer_release(&notes.lattice);
            close_world(&w);
        }
        for (size_t t = 0; t < 3; t++) {
            bt_grouping_release(&groupings[t]);
            json_decref(told[t]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_is_searched_exhaustively),
        cmocka_unit_test(large_lattice_is_searched_exhaustively),
        cmocka_unit_test(local_recoding_satisfies),
        cmocka_unit_test(result_is_the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
