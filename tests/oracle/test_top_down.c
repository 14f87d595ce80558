/* SPDX-License-Identifier: Apache-2.0
 *
 * Top-down against its brute-force twin: the rules of group/top_down.c and require/branches.h
 * written down as plainly as possible, one level and one record at a time, on thousands of
 * small random tables with ragged trees, one or two sensitive columns, persons with one or
 * several records, and conjunctions of requirements. And large tables against themselves: the
 * result is the same for any number of threads.
 */
#include "scratch.h"

#include "group/method.h"
#include "job/load.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 4, VALUES_MOST = 12, SENSITIVE_MOST = 2 };
enum { ANY = UINT32_MAX }; /* the root of a column without a hierarchy */
enum { NCP_ONE = 1 << 30 };

/* ---- a random table, read through the front door ---- */

static const char *const specs[] = {NULL, "balanced:2", "flat", "mask", "file", "file"};

/* A tree whose paths skip levels: middle nodes and top nodes, each with a parent or without. */
static const char *random_tree(uint64_t *state, size_t column)
{
    char text[2048], name[32];
    size_t length = 0;
    int top_of[4];
    for (int middle = 0; middle < 4; middle++)
        top_of[middle] = (int)test_below(state, 4) - 1;
    for (int value = 0; value < VALUES_MOST; value++) {
        int middle = (int)test_below(state, 5) - 1;
        int top = middle < 0 ? (int)test_below(state, 4) - 1 : top_of[middle];
        length += (size_t)snprintf(text + length, sizeof text - length, "%c%c;", 'a' + value % 3,
                                   'a' + value / 3);
        if (middle >= 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "m%d", middle);
        length += (size_t)snprintf(text + length, sizeof text - length, ";");
        if (top >= 0) length += (size_t)snprintf(text + length, sizeof text - length, "t%d", top);
        length += (size_t)snprintf(text + length, sizeof text - length, ";*\n");
    }
    snprintf(name, sizeof name, "tree%zu.csv", column);
    return scratch_text(name, text);
}

static void add_column(uint64_t *state, bauta_recipe *recipe, size_t column, bool is_text)
{
    bauta_error error;
    char setting[300];
    const char *spec = specs[test_below(state, is_text ? 6 : 3)];
    snprintf(setting, sizeof setting, "c%zu", column);
    assert_ok(bauta_recipe_set(recipe, "quasi", setting, &error), &error);
    if (!spec) return;
    if (strcmp(spec, "file") == 0) spec = random_tree(state, column);
    snprintf(setting, sizeof setting, "c%zu=%s", column, spec);
    assert_ok(bauta_recipe_set(recipe, "hierarchy", setting, &error), &error);
}

static bauta_recipe *random_recipe(uint64_t *state, const char *threads)
{
    bauta_error error;
    bauta_recipe *recipe;
    char text[8192];
    size_t length = 0, count = 1 + test_below(state, COLUMNS_MOST),
           sensitive = 1 + test_below(state, SENSITIVE_MOST),
           rows = 1 + test_below(state, ROWS_MOST);
    bool is_text[COLUMNS_MOST], gaps[COLUMNS_MOST];
    uint64_t values[COLUMNS_MOST], illnesses = 2 + test_below(state, 5);
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    for (size_t c = 0; c < count; c++) {
        is_text[c] = test_below(state, 3) > 0;
        gaps[c] = test_below(state, 4) == 0;
        values[c] = 1 + test_below(state, is_text[c] ? VALUES_MOST : 3 * VALUES_MOST);
        add_column(state, recipe, c, is_text[c]);
        length += (size_t)snprintf(text + length, sizeof text - length, "c%zu,", c);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "s0,s1\n");
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++) {
            uint64_t value = test_below(state, values[c]);
            if (gaps[c] && test_below(state, 5) == 0)
                length += (size_t)snprintf(text + length, sizeof text - length, ",");
            else if (is_text[c])
                length += (size_t)snprintf(text + length, sizeof text - length, "%c%c,",
                                           (int)('a' + value % 3), (int)('a' + value / 3));
            else
                length += (size_t)snprintf(text + length, sizeof text - length, "%d,",
                                           (int)(value * value));
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "ill%d,%d\n",
                                   (int)(test_below(state, illnesses) * test_below(state, 2)),
                                   (int)test_below(state, 3));
    }
    assert_true(length < sizeof text);
    assert_ok(bauta_recipe_set(recipe, "input", scratch_text("table.csv", text), &error), &error);
    assert_ok(bauta_recipe_set(recipe, "sensitive", "s0", &error), &error);
    assert_ok(bauta_recipe_set(recipe, sensitive == 2 ? "sensitive" : "drop", "s1", &error),
              &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    return recipe;
}

/* ---- requirements, judged naively ---- */

typedef struct world {
    const bt_table *table;
    const bt_column *quasi[COLUMNS_MOST], *sensitive[SENSITIVE_MOST];
    size_t columns, sensitives;
    int subject[ROWS_MOST]; /* the row itself unless persons have several */
    uint32_t category[SENSITIVE_MOST][256];
    int k, alpha, l, weight; /* alpha in tenths, weight in halves; 0: not required */
    bool categories, ncp;
    /* what comes out */
    int class_of[ROWS_MOST], classes;
    uint32_t nodes[ROWS_MOST][COLUMNS_MOST]; /* of each class */
} world;

typedef struct rows {
    int count, at[ROWS_MOST];
} rows;

static uint32_t value_of(const world *w, size_t sensitive, int row)
{
    return bt_column_code(w->sensitive[sensitive], row);
}

/* How many persons have the value in one sensitive column. */
static int persons_with(const world *w, const rows *set, size_t column, uint32_t value)
{
    int persons = 0;
    for (int i = 0; i < set->count; i++) {
        bool counts = value_of(w, column, set->at[i]) == value;
        for (int j = 0; j < i; j++)
            counts = counts && !(w->subject[set->at[j]] == w->subject[set->at[i]] &&
                                 value_of(w, column, set->at[j]) == value);
        persons += counts;
    }
    return persons;
}

static int persons_in(const world *w, const rows *set)
{
    int persons = 0;
    for (int i = 0; i < set->count; i++) {
        bool counts = true;
        for (int j = 0; j < i; j++)
            counts = counts && w->subject[set->at[j]] != w->subject[set->at[i]];
        persons += counts;
    }
    return persons;
}

static bool values_satisfy(const world *w, const rows *set, size_t column)
{
    int distinct = 0, weight = 0, persons = persons_in(w, set);
    for (uint32_t value = 0; value < w->sensitive[column]->domain.size; value++) {
        int count = persons_with(w, set, column, value);
        if (w->alpha && 10 * count > w->alpha * persons) return false;
        distinct += count > 0;
        weight += count * (int)w->category[column][value];
    }
    return distinct >= w->l && weight >= w->weight;
}

static bool satisfies(const world *w, const rows *set)
{
    if (persons_in(w, set) < w->k) return false;
    for (size_t c = 0; c < w->sensitives; c++)
        if (!values_satisfy(w, set, c)) return false;
    for (size_t known = 0; known < w->sensitives; known++)
        for (int i = 0; i < set->count; i++) {
            rows part = {0};
            for (int j = 0; j < set->count; j++)
                if (value_of(w, known, set->at[j]) == value_of(w, known, set->at[i]))
                    part.at[part.count++] = set->at[j];
            for (size_t c = 0; c < w->sensitives; c++)
                if (c != known && !values_satisfy(w, &part, c)) return false;
        }
    return true;
}

/* ---- the twin ---- */

typedef struct split { /* of a part in one column */
    rows trunk, children[ROWS_MOST];
    uint32_t child[ROWS_MOST]; /* node or code */
    bool grows[ROWS_MOST];
    int count;
} split;

/* The child of a node that a row belongs to; false: the node has none. */
static bool child_of(const world *w, size_t column, uint32_t node, int row, uint32_t *child)
{
    const bt_hierarchy *tree = w->quasi[column]->hierarchy;
    uint32_t code = bt_column_code(w->quasi[column], row);
    if (!tree) {
        *child = code;
        return node == ANY;
    }
    for (*child = 1; *child < tree->count; ++*child)
        if (tree->nodes[*child].parent == node && tree->nodes[*child].lo <= code &&
            code < tree->nodes[*child].hi)
            return true;
    return false;
}

static void insert(rows *set, int row)
{
    int place = set->count++;
    for (; place > 0 && set->at[place - 1] > row; place--)
        set->at[place] = set->at[place - 1];
    set->at[place] = row;
}

static void erase(rows *set, int row)
{
    int kept = 0;
    for (int i = 0; i < set->count; i++)
        if (set->at[i] != row) set->at[kept++] = set->at[i];
    set->count = kept;
}

static void insert_all(rows *set, const rows *more)
{
    for (int i = 0; i < more->count; i++)
        insert(set, more->at[i]);
}

/* Children in the order of their codes. */
static void distribute(const world *w, size_t column, uint32_t node, const rows *part, split *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < part->count; i++) {
        uint32_t child;
        int place = 0;
        if (!child_of(w, column, node, part->at[i], &child)) {
            insert(&out->trunk, part->at[i]);
            continue;
        }
        while (place < out->count && out->child[place] < child)
            place++;
        if (place == out->count || out->child[place] != child) {
            for (int j = out->count++; j > place; j--) {
                out->child[j] = out->child[j - 1];
                out->children[j] = out->children[j - 1];
            }
            out->child[place] = child;
            out->children[place].count = 0;
        }
        insert(&out->children[place], part->at[i]);
    }
}

static int rarity(const world *w, const rows *trunk, int row)
{
    int sum = 0;
    for (size_t c = 0; c < w->sensitives; c++)
        sum += persons_with(w, trunk, c, value_of(w, c, row));
    return sum;
}

/* Whether `a` goes back before `b`. */
static bool goes_first(const world *w, const rows *trunk, int a, int b)
{
    int rare_a = rarity(w, trunk, a), rare_b = rarity(w, trunk, b);
    if (rare_a != rare_b) return rare_a < rare_b;
    for (size_t c = 0; w->categories && c < w->sensitives; c++) {
        uint32_t x = w->category[c][value_of(w, c, a)], y = w->category[c][value_of(w, c, b)];
        if (x != y) return x > y;
    }
    return a > b;
}

/* Moves one record into the trunk; false: no child gives one up. */
static bool move_one(const world *w, split *s)
{
    int from = -1, best = -1;
    for (int c = 0; c < s->count; c++)
        for (int i = 0; s->grows[c] && i < s->children[c].count; i++) {
            int row = s->children[c].at[i];
            rows without = s->children[c];
            erase(&without, row);
            if (!satisfies(w, &without)) continue;
            if (best >= 0 && !goes_first(w, &s->trunk, row, best)) continue;
            best = row;
            from = c;
        }
    if (best < 0) return false;
    erase(&s->children[from], best);
    insert(&s->trunk, best);
    return true;
}

static bool trunk_is_fine(const world *w, const split *s)
{
    return s->trunk.count == 0 || satisfies(w, &s->trunk);
}

static void unspecialize(split *s, int child)
{
    s->grows[child] = false;
    insert_all(&s->trunk, &s->children[child]);
}

/* Lines 7 to 10 of Algorithm 1. */
static void specialize(const world *w, size_t column, uint32_t node, const rows *part, split *out)
{
    static split before;
    distribute(w, column, node, part, out);
    for (int c = 0; c < out->count; c++) {
        out->grows[c] = satisfies(w, &out->children[c]);
        if (!out->grows[c]) unspecialize(out, c);
    }
    while (!trunk_is_fine(w, out)) {
        before = *out;
        bool moved = true;
        while (moved && !trunk_is_fine(w, out))
            moved = move_one(w, out);
        if (moved) return;
        *out = before;
        int smallest = -1;
        for (int c = 0; c < out->count; c++)
            if (out->grows[c] &&
                (smallest < 0 || out->children[c].count < out->children[smallest].count))
                smallest = c;
        unspecialize(out, smallest);
    }
}

static uint64_t node_loss(const bt_hierarchy *tree, uint32_t node)
{
    const bt_node *n = &tree->nodes[node];
    if (node == 0) return NCP_ONE;
    return n->level == 0 ? 0 : (uint64_t)(n->hi - n->lo) * NCP_ONE / tree->leaves;
}

/* What the cell of a part loses in a column without a hierarchy. */
static uint64_t range_loss(const world *w, size_t column, const rows *part)
{
    const bt_domain *domain = &w->quasi[column]->domain;
    uint32_t lo = UINT32_MAX, hi = 0, distinct = 0, present = bt_domain_present(domain);
    for (int i = 0; i < part->count; i++) {
        uint32_t code = bt_column_code(w->quasi[column], part->at[i]);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || bt_column_code(w->quasi[column], part->at[j]) == code;
        distinct += !seen;
        lo = code < lo ? code : lo;
        hi = code > hi ? code : hi;
    }
    if (lo == hi) return 0;
    if (hi >= present) return NCP_ONE;
    if (domain->reading.type == BT_TEXT) return (uint64_t)(distinct - 1) * NCP_ONE / (present - 1);
    return (uint64_t)(domain->number[hi] - domain->number[lo]) * NCP_ONE /
           (uint64_t)(domain->number[present - 1] - domain->number[0]);
}

/* What a specialization is worth; -1: it takes nothing down. */
static int64_t worth(const world *w, size_t column, uint32_t node, const rows *part, const split *s,
                     int *branches)
{
    const bt_hierarchy *tree = w->quasi[column]->hierarchy;
    int64_t down = 0;
    uint64_t saved = 0;
    *branches = 0;
    for (int c = 0; c < s->count; c++) {
        if (!s->grows[c]) continue;
        uint64_t gain = tree ? node_loss(tree, node) - node_loss(tree, s->child[c])
                             : range_loss(w, column, part);
        ++*branches;
        down += s->children[c].count;
        saved += (uint64_t)s->children[c].count * gain;
    }
    if (down == 0) return -1;
    return w->ncp ? (int64_t)saved : down;
}

/* attribute=ncp: a child that has everything comes first. */
static bool takes_all(const rows *part, const split *s)
{
    for (int c = 0; c < s->count; c++)
        if (s->grows[c] && s->children[c].count == part->count) return true;
    return false;
}

static int choose(const world *w, const uint32_t *nodes, const rows *part)
{
    static split s;
    int best = -1, best_branches = 0;
    int64_t best_worth = 0;
    for (size_t c = 0; c < w->columns; c++) {
        int branches;
        specialize(w, c, nodes[c], part, &s);
        if (w->ncp && takes_all(part, &s)) return (int)c;
        int64_t mine = worth(w, c, nodes[c], part, &s, &branches);
        if (mine < 0) continue;
        if (best >= 0 && mine < best_worth) continue;
        if (best >= 0 && mine == best_worth && (w->ncp || branches >= best_branches)) continue;
        best = (int)c;
        best_branches = branches;
        best_worth = mine;
    }
    return best;
}

static void make_class(world *w, const uint32_t *nodes, const rows *members)
{
    for (int i = 0; i < members->count; i++)
        w->class_of[members->at[i]] = w->classes;
    memcpy(w->nodes[w->classes++], nodes, w->columns * sizeof *nodes);
}

static void descend(world *w, const uint32_t *nodes, const rows *part)
{
    int column = choose(w, nodes, part);
    if (column < 0) {
        make_class(w, nodes, part);
        return;
    }
    split *s = malloc(sizeof *s);
    assert_non_null(s);
    specialize(w, (size_t)column, nodes[column], part, s);
    for (int c = 0; c < s->count; c++) {
        uint32_t lower[COLUMNS_MOST];
        memcpy(lower, nodes, sizeof lower);
        lower[column] = s->child[c];
        if (s->grows[c]) descend(w, lower, &s->children[c]);
    }
    if (s->trunk.count > 0) make_class(w, nodes, &s->trunk);
    free(s);
}

/* ---- comparing ---- */

/* The class has the node of the twin's; where there is no hierarchy, its value. */
static void compare_nodes(const world *w, const bt_grouping *g, uint32_t number, int of)
{
    for (size_t c = 0; c < w->columns; c++) {
        bt_box box = bt_class_box(g, number)[c];
        if (w->quasi[c]->hierarchy)
            assert_int_equal(bt_published_node(g, w->quasi[c], c, number), w->nodes[of][c]);
        else if (w->nodes[of][c] != ANY)
            assert_true(box.lo == w->nodes[of][c] && box.hi == w->nodes[of][c]);
    }
}

static void compare_box(const bt_column *column, const rows *members, bt_box box)
{
    bt_box tight = {UINT32_MAX, 0};
    for (int i = 0; i < members->count; i++) {
        uint32_t code = bt_column_code(column, members->at[i]);
        if (code < tight.lo) tight.lo = code;
        if (code > tight.hi) tight.hi = code;
    }
    assert_memory_equal(&tight, &box, sizeof box);
}

static bool look_alike(const world *w, const bt_grouping *g, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < w->columns; c++) {
        bt_box x = bt_class_box(g, a)[c], y = bt_class_box(g, b)[c];
        if (w->quasi[c]->hierarchy
                ? bt_published_node(g, w->quasi[c], c, a) != bt_published_node(g, w->quasi[c], c, b)
                : x.lo != y.lo || x.hi != y.hi)
            return false;
    }
    return true;
}

static void compare(const world *w, const bt_grouping *g)
{
    int seen = 0;
    assert_int_equal(g->classes, w->classes);
    assert_int_equal(g->kept, w->table->rows);
    for (uint32_t c = 0; c < g->classes; c++) {
        rows members = {0};
        int of = w->class_of[g->order[g->starts[c]]];
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            assert_int_equal(w->class_of[g->order[i]], of);
            insert(&members, (int)g->order[i]);
            seen++;
        }
        assert_true(satisfies(w, &members));
        compare_nodes(w, g, c, of);
        for (uint32_t other = 0; other < c; other++)
            assert_false(look_alike(w, g, c, other));
        for (size_t q = 0; q < w->columns; q++)
            compare_box(w->quasi[q], &members, bt_class_box(g, c)[q]);
    }
    assert_int_equal(seen, w->table->rows);
}

/* ---- making the job ---- */

static void find_columns(const bt_table *table, world *w)
{
    *w = (world){.table = table};
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_QUASI)
            w->quasi[w->columns++] = &table->columns[c];
        else
            w->sensitive[w->sensitives++] = &table->columns[c];
}

/* Asks for what the whole table has. */
static void random_requirements(uint64_t *state, world *w)
{
    rows all = {0};
    for (int i = 0; i < w->table->rows; i++)
        all.at[all.count++] = i;
    do {
        w->k = 1 + (int)test_below(state, 5);
        w->alpha = test_below(state, 2) ? 3 + (int)test_below(state, 7) : 0;
        w->l = test_below(state, 3) == 0 ? 1 + (int)test_below(state, 3) : 0;
        w->weight = w->categories && test_below(state, 2) ? (int)test_below(state, 5) : 0;
        if (test_below(state, 8) == 0) w->k = 1, w->alpha = w->l = w->weight = 0;
    } while (!satisfies(w, &all));
    w->ncp = test_below(state, 2);
}

static const char *requirement_text(const world *w)
{
    static char text[200];
    int length = snprintf(text, sizeof text, "k=%d", w->k);
    if (w->alpha) length += snprintf(text + length, sizeof text - length, ",alpha=0.%d", w->alpha);
    if (w->l) length += snprintf(text + length, sizeof text - length, ",l=%d", w->l);
    if (w->weight) snprintf(text + length, sizeof text - length, ",weight=%d/2", w->weight);
    return text;
}

/* What the requirements see of the table: persons with one or several records, and categories
 * 0, 1 and 2 at random. */
static void make_people(world *w, const uint32_t *subject_of, bt_categories *categories,
                        bt_people *people)
{
    bauta_error error;
    bt_sensitive sensitive[SENSITIVE_MOST] = {0};
    const void *codes[SENSITIVE_MOST];
    unsigned widths[SENSITIVE_MOST];
    for (size_t c = 0; c < w->sensitives; c++) {
        const bt_domain *domain = &w->sensitive[c]->domain;
        categories[c] = (bt_categories){.count = 3, .of_code = w->category[c]};
        sensitive[c] = (bt_sensitive){.name = w->sensitive[c]->name,
                                      .size = domain->size,
                                      .text = domain->text,
                                      .type = domain->reading.type,
                                      .number = domain->number,
                                      .categories = w->categories ? &categories[c] : NULL};
        codes[c] = w->sensitive[c]->codes;
        widths[c] = w->sensitive[c]->width;
    }
    assert_ok(bt_people_make(sensitive, codes, widths, w->sensitives, w->table->rows, subject_of,
                             ROWS_MOST, people, &error),
              &error);
}

static void check_setting(uint64_t *state, const bt_table *table, const bt_run *run)
{
    bauta_error error;
    world w;
    uint32_t subject_of[ROWS_MOST];
    bt_categories categories[SENSITIVE_MOST];
    bt_people people;
    bt_arena arena = {0};
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_grouping grouping;
    find_columns(table, &w);
    bool several = test_below(state, 3) == 0;
    for (int i = 0; i < table->rows; i++) {
        w.subject[i] = several ? (int)test_below(state, (uint64_t)table->rows) : i;
        subject_of[i] = (uint32_t)w.subject[i];
    }
    w.categories = test_below(state, 2);
    for (size_t c = 0; w.categories && c < w.sensitives; c++)
        for (uint32_t value = 0; value < w.sensitive[c]->domain.size; value++)
            w.category[c][value] = (uint32_t)test_below(state, 3);
    random_requirements(state, &w);
    make_people(&w, several ? subject_of : NULL, categories, &people);
    assert_ok(bt_requirements_parse(requirement_text(&w), &arena, &requirements, &error), &error);
    if (requirements.size_only && !several && test_below(state, 2)) {
        bt_people_release(&people);
        people = bt_people_plain(table->rows);
        w.sensitives = 0;
        w.categories = false;
    }
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(w.ncp ? "top-down:attribute=ncp" : "top-down", &arena, &method,
                              &options, &canonical, &error),
              &error);
    bt_method_job job = {
        .table = table, .requirements = &requirements, .options = options, .run = run};
    assert_ok(method->group(&job, &grouping, &error), &error);
    rows all = {0};
    uint32_t roots[COLUMNS_MOST] = {0};
    for (int i = 0; i < table->rows; i++)
        all.at[all.count++] = i;
    for (size_t c = 0; c < w.columns; c++)
        roots[c] = w.quasi[c]->hierarchy ? 0 : ANY;
    descend(&w, roots, &all);
    compare(&w, &grouping);
    bt_grouping_release(&grouping);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

static void equals_the_twin(void **unused)
{
    (void)unused;
    static const char *const threads[] = {"1", "2", "7"};
    uint64_t state = 1;
    for (int i = 0; i < 1000; i++) {
        bauta_error error;
        bauta_recipe *recipe = random_recipe(&state, threads[i % 3]);
        bt_run run;
        bt_loaded loaded;
        assert_ok(bt_run_open(recipe, &run, &error), &error);
        assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
        for (int setting = 0; setting < 5; setting++)
            check_setting(&state, &loaded.table, &run);
        bt_loaded_release(&loaded);
        bt_run_close(&run);
        bauta_recipe_free(recipe);
    }
}

/* ---- many records, many threads ---- */

enum { MANY = 60000 };

static void write_many(uint64_t *state, const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "age,zip,job,ill\n");
    for (int i = 0; i < MANY; i++)
        fprintf(file, "%d,%05d,j%d,i%d\n", (int)test_below(state, 90),
                (int)(test_below(state, 300) * test_below(state, 300)), (int)test_below(state, 9),
                (int)(test_below(state, 12) * test_below(state, 2)));
    assert_int_equal(fclose(file), 0);
}

static void group_many(const char *path, const char *threads, const char *how, bt_grouping *out)
{
    bauta_error error;
    bauta_recipe *recipe;
    bt_run run;
    bt_loaded loaded;
    bt_arena arena = {0};
    bt_people people;
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", path, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "quasi", "age,zip,job", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "sensitive", "ill", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "hierarchy", "age=intervals:5,10,30", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "hierarchy", "zip=mask", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    assert_ok(bt_run_open(recipe, &run, &error), &error);
    assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
    assert_ok(bt_people_of_table(&loaded.table, &people, &error), &error);
    assert_ok(bt_requirements_parse("k=8,alpha=0.6", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(how, &arena, &method, &options, &canonical, &error), &error);
    bt_method_job job = {
        .table = &loaded.table, .requirements = &requirements, .options = options, .run = &run};
    assert_ok(method->group(&job, out, &error), &error);
    bt_people_release(&people);
    bt_arena_release(&arena);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

static void same_for_any_number_of_threads(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"top-down", "top-down:attribute=ncp"};
    uint64_t state = 5;
    const char *path = scratch_text("many.csv", "");
    write_many(&state, path);
    for (int i = 0; i < 2; i++) {
        bt_grouping one, other;
        group_many(path, "1", methods[i], &one);
        assert_true(one.classes > 100);
        for (int threads = 2; threads <= 7; threads += 5) {
            group_many(path, threads == 2 ? "2" : "7", methods[i], &other);
            assert_int_equal(one.classes, other.classes);
            size_t cells = one.classes * one.columns;
            assert_memory_equal(one.order, other.order, MANY * sizeof *one.order);
            assert_memory_equal(one.starts, other.starts, one.classes * sizeof *one.starts);
            assert_memory_equal(one.boxes, other.boxes, cells * sizeof *one.boxes);
            assert_memory_equal(one.nodes, other.nodes, cells * sizeof *one.nodes);
            bt_grouping_release(&other);
        }
        bt_grouping_release(&one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_twin),
                                       cmocka_unit_test(same_for_any_number_of_threads)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
