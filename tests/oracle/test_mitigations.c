/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recipe can do against attackers, on many small random tables: cells on cut points, levels
 * that are fixed and random non-minimal recoding against their definitions, and the intersection
 * with an earlier release against a plain reading of the published file.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "api/api.h"
#include "class/steer.h"
#include "group/method.h"
#include "recipe/cell.h"
#include "recipe/cuts.h"

enum { ROWS_MOST = 80 };

static bauta_error error;

/* ---- tables ---- */

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

/* Column a has numbers below 50, b some below 64, some missing, and s four values. */
static bauta_recipe *random_recipe(uint64_t *random, bool grid, const char *threads)
{
    char text[4096];
    size_t rows = 6 + test_below(random, ROWS_MOST - 6), length = 0;
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    length += (size_t)snprintf(text, sizeof text, "a,b,s\n");
    for (size_t r = 0; r < rows; r++) {
        char b[16] = "";
        if (test_below(random, 10) > 0) snprintf(b, sizeof b, "%d", (int)test_below(random, 64));
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%d,%s,%c\n",
                             (int)test_below(random, 50), b, (int)('a' + test_below(random, 4)));
    }
    assert_true(length < sizeof text);
    set(recipe, "input", scratch_text("table.csv", text));
    set(recipe, "quasi", "a,b");
    set(recipe, "sensitive", "s");
    set(recipe, "hierarchy", "b=intervals:4,16");
    set(recipe, grid ? "cut-points" : "hierarchy", grid ? "a=0:60:5" : "a=intervals:5,10");
    set(recipe, "threads", threads);
    snprintf(text, sizeof text, "%x", 1 + (unsigned)test_below(random, 1000000));
    set(recipe, "seed", text);
    return recipe;
}

typedef struct grouped {
    bt_arena arena;
    bt_run run;
    bt_loaded loaded;
    bt_requirements requirements;
    bt_people people;
    bt_grouping grouping;
} grouped;

static bauta_status group(const bauta_recipe *recipe, const char *require, const char *method_text,
                          grouped *g)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    *g = (grouped){0};
    assert_ok(bt_run_open(recipe, &g->run, &error), &error);
    assert_ok(bt_load(recipe, &g->run, false, &g->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &g->arena, &g->requirements, &error), &error);
    assert_ok(bt_people_of_table(&g->loaded.table, &g->people, &error), &error);
    assert_ok(bt_requirements_bind(&g->requirements, &g->people, &g->arena, &error), &error);
    assert_ok(bt_method_parse(method_text, &g->arena, &method, &options, &canonical, &error),
              &error);
    const bt_method_job job = {.table = &g->loaded.table,
                               .requirements = &g->requirements,
                               .options = options,
                               .suppress = {0, 1},
                               .records = g->loaded.table.rows,
                               .run = &g->run};
    return bt_group(method, &job, &g->grouping, &error);
}

static void ungroup(grouped *g)
{
    bt_grouping_release(&g->grouping);
    bt_people_release(&g->people);
    bt_loaded_release(&g->loaded);
    bt_run_close(&g->run);
    bt_arena_release(&g->arena);
}

/* The cell of a class, as text. */
static void spell(const grouped *g, uint32_t class_number, size_t column, bt_buffer *out)
{
    const bt_column *quasi = &g->loaded.table.columns[column];
    bt_box box = bt_published_box(&g->grouping, quasi, column, class_number);
    if (quasi->hierarchy) {
        uint32_t node = bt_published_node(&g->grouping, quasi, column, class_number);
        const char *label = quasi->hierarchy->nodes[node].label;
        assert_ok(bt_buffer_add(out, label, strlen(label), &error), &error);
    } else {
        assert_ok(bt_cell_write(quasi, box.lo, box.hi, NULL, out, &error), &error);
    }
    assert_ok(bt_buffer_add(out, "", 1, &error), &error);
}

static void assert_classes(const grouped *g, int64_t k)
{
    const bt_grouping *grouping = &g->grouping;
    bt_buffer *cells = calloc(grouping->classes, sizeof *cells);
    for (uint32_t c = 0; c < grouping->classes; c++) {
        assert_true(bt_class_size(grouping, c) >= k);
        spell(g, c, 0, &cells[c]);
        spell(g, c, 1, &cells[c]);
        for (uint32_t before = 0; before < c; before++)
            assert_false(cells[before].length == cells[c].length &&
                         memcmp(cells[before].bytes, cells[c].bytes, cells[c].length) == 0);
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            for (size_t column = 0; column < 2; column++) {
                const bt_column *quasi = &g->loaded.table.columns[column];
                uint32_t code = bt_column_code(quasi, grouping->order[i]);
                bt_box box = bt_published_box(grouping, quasi, column, c);
                if (quasi->hierarchy) {
                    const bt_node *node =
                        &quasi->hierarchy->nodes[bt_published_node(grouping, quasi, column, c)];
                    box = (bt_box){node->lo, node->hi - 1};
                }
                assert_true(code >= box.lo && code <= box.hi);
            }
    }
    for (uint32_t c = 0; c < grouping->classes; c++)
        bt_buffer_release(&cells[c]);
    free(cells);
}

/* ---- cut points ---- */

static void cells_lie_on_the_grid(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "mondrian",  "mondrian:order=widest", "top-down",
        "incognito", "mondrian:minimal=no",   "top-down:minimal=no"};
    uint64_t random = 3;
    for (int trial = 0; trial < 300; trial++) {
        bauta_recipe *recipe = random_recipe(&random, true, "1");
        grouped g;
        assert_ok(group(recipe, "k=3", methods[trial % 6], &g), &error);
        assert_classes(&g, 3);
        const bt_column *a = &g.loaded.table.columns[0];
        for (uint32_t c = 0; c < g.grouping.classes; c++) {
            bt_box box = bt_published_box(&g.grouping, a, 0, c), wide = box;
            if (box.hi >= bt_domain_present(&a->domain)) continue; /* "*" */
            bt_cuts_widen(a, &wide.lo, &wide.hi);
            assert_int_equal(wide.lo, box.lo);
            assert_int_equal(wide.hi, box.hi);
        }
        ungroup(&g);
        bauta_recipe_free(recipe);
    }
}

/* ---- levels ---- */

static bool alike_at(const bt_column *column, int64_t one, int64_t two, uint32_t level)
{
    return bt_hierarchy_at(column->hierarchy, bt_column_code(column, one), level) ==
           bt_hierarchy_at(column->hierarchy, bt_column_code(column, two), level);
}

static void levels_make_the_classes_of_the_definition(void **state)
{
    (void)state;
    uint64_t random = 9;
    int made = 0, refused = 0;
    for (int trial = 0; trial < 300; trial++) {
        char text[16];
        uint32_t level_a = (uint32_t)test_below(&random, 4),
                 level_b = (uint32_t)test_below(&random, 4);
        bauta_recipe *recipe = random_recipe(&random, false, "1");
        snprintf(text, sizeof text, "a=%u", level_a);
        set(recipe, "levels", text);
        snprintf(text, sizeof text, "b=%u", level_b);
        set(recipe, "levels", text);
        grouped g;
        bauta_status status = group(recipe, "k=2", "levels", &g);
        const bt_table *table = &g.loaded.table;
        bool fine = true;
        for (int64_t i = 0; i < table->rows; i++) {
            int company = 0;
            for (int64_t k = 0; k < table->rows; k++)
                company += alike_at(&table->columns[0], i, k, level_a) &&
                           alike_at(&table->columns[1], i, k, level_b);
            fine = fine && company >= 2;
        }
        assert_int_equal(status, fine ? BAUTA_OK : BAUTA_NO);
        made += fine;
        refused += !fine;
        if (fine) assert_classes(&g, 2);
        for (uint32_t c = 0; fine && c < g.grouping.classes; c++)
            for (uint32_t i = g.grouping.starts[c]; i < g.grouping.starts[c + 1]; i++) {
                int64_t first = g.grouping.order[g.grouping.starts[c]];
                assert_true(alike_at(&table->columns[0], first, g.grouping.order[i], level_a));
                assert_true(alike_at(&table->columns[1], first, g.grouping.order[i], level_b));
            }
        ungroup(&g);
        bauta_recipe_free(recipe);
    }
    assert_true(made > 50 && refused > 50);
}

/* ---- minimal=no ---- */

/* How many cells of b are above the lowest node that covers their class, of those that could be. */
static void count_raised(const grouped *g, int *raised, int *could)
{
    const bt_column *b = &g->loaded.table.columns[1];
    for (uint32_t c = 0; c < g->grouping.classes; c++) {
        bt_box box = bt_tight_box(&g->grouping, b, c);
        uint32_t cover = bt_hierarchy_cover(b->hierarchy, box.lo, box.hi);
        *raised += bt_published_node(&g->grouping, b, 1, c) != cover;
        *could += cover != 0;
    }
}

static void recoding_is_not_minimal_where_nobody_can_tell(void **state)
{
    (void)state;
    static const char *const methods[] = {"mondrian", "top-down"};
    uint64_t random = 21;
    int raised = 0, could = 0, classes = 0, plain_classes = 0;
    for (int trial = 0; trial < 300; trial++) {
        char method[32];
        uint64_t again = random;
        grouped g, plain, threads;
        bauta_recipe *recipe = random_recipe(&random, false, "1");
        snprintf(method, sizeof method, "%s:minimal=no", methods[trial % 2]);
        assert_ok(group(recipe, "k=3,l=2", method, &g), &error);
        assert_ok(group(recipe, "k=3,l=2", methods[trial % 2], &plain), &error);
        bauta_recipe_free(recipe);
        recipe = random_recipe(&again, false, "3");
        assert_ok(group(recipe, "k=3,l=2", method, &threads), &error);
        assert_classes(&g, 3);
        assert_true(g.grouping.classes <= plain.grouping.classes);
        assert_int_equal(g.grouping.classes, threads.grouping.classes);
        assert_memory_equal(g.grouping.order, threads.grouping.order,
                            (size_t)g.grouping.kept * sizeof *g.grouping.order);
        assert_memory_equal(g.grouping.nodes, threads.grouping.nodes,
                            (size_t)g.grouping.classes * 2 * sizeof *g.grouping.nodes);
        classes += (int)g.grouping.classes;
        plain_classes += (int)plain.grouping.classes;
        count_raised(&g, &raised, &could);
        ungroup(&g);
        ungroup(&plain);
        ungroup(&threads);
        bauta_recipe_free(recipe);
    }
    assert_true(classes < plain_classes);
    /* One in four, less those of classes that became one with others. */
    assert_true(raised > could / 16 && raised < could * 35 / 100);
}

/* ---- earlier releases ---- */

typedef struct person {
    int age;
    char value;
    int class_number; /* of the new release */
} person;

typedef struct cell {
    int low, high;
    char value;
} cell;

static size_t read_people(const char *file, person *out)
{
    FILE *from = fopen(file, "r");
    char line[64];
    size_t count = 0;
    assert_non_null(from);
    assert_non_null(fgets(line, sizeof line, from));
    for (; fgets(line, sizeof line, from); count++) {
        out[count].class_number = 0;
        assert_int_equal(sscanf(line, "%d,%c", &out[count].age, &out[count].value), 2);
    }
    fclose(from);
    return count;
}

static size_t read_release(const char *file, cell *out)
{
    FILE *from = fopen(file, "r");
    char line[64];
    size_t count = 0;
    assert_non_null(from);
    assert_non_null(fgets(line, sizeof line, from));
    for (; fgets(line, sizeof line, from); count++) {
        cell *one = &out[count];
        if (sscanf(line, "\"[%d,%d]\",%c", &one->low, &one->high, &one->value) == 3) continue;
        assert_int_equal(sscanf(line, "%d,%c", &one->low, &one->value), 2);
        one->high = one->low;
    }
    fclose(from);
    return count;
}

static void read_mapping(const char *file, person *people)
{
    FILE *from = fopen(file, "r");
    char line[64];
    int row, class_number;
    assert_non_null(from);
    assert_non_null(fgets(line, sizeof line, from));
    while (fgets(line, sizeof line, from)) {
        assert_int_equal(sscanf(line, "%d,%d", &row, &class_number), 2);
        people[row - 1].class_number = class_number;
    }
    fclose(from);
}

/* Whether the earlier release has a row that may be one with this age and value. */
static bool stands_there(const cell *rows, size_t count, int age, char value)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].low <= age && age <= rows[i].high && rows[i].value == value) return true;
    return false;
}

typedef struct before { /* an earlier release */
    cell rows[ROWS_MOST];
    size_t count;
    int k, l; /* which it promised */
    int both, betrayed;
} before;

typedef struct left { /* of a class, for someone */
    int rows, distinct;
    bool values[128];
} left;

static void keep(left *to, char value)
{
    to->rows++;
    to->distinct += !to->values[(unsigned char)value];
    to->values[(unsigned char)value] = true;
}

static bool may_be_there(const before *earlier, const person *who, char value)
{
    return stands_there(earlier->rows, earlier->count, who->age, value);
}

/* Rows of the person's new class whose values are possible in every earlier release that the person
 * may be in. */
static left left_now(const person *people, size_t count, const person *who, const before *earlier,
                     size_t releases)
{
    left now = {0};
    for (size_t j = 0; j < count; j++) {
        bool possible = people[j].class_number == who->class_number;
        for (size_t p = 0; p < releases; p++)
            if (may_be_there(&earlier[p], who, who->value))
                possible = possible && may_be_there(&earlier[p], who, people[j].value);
        if (possible) keep(&now, people[j].value);
    }
    return now;
}

/* Rows that may be the person's in an earlier release and have values that are left now. */
static bool is_betrayed(const before *earlier, const person *who, const left *now)
{
    left there = {0};
    int all = 0;
    for (size_t r = 0; r < earlier->count; r++) {
        const cell *row = &earlier->rows[r];
        if (who->age < row->low || who->age > row->high) continue;
        all++;
        if (now->values[(unsigned char)row->value]) keep(&there, row->value);
    }
    return there.rows < all && (there.rows < earlier->k || there.distinct < earlier->l);
}

/* The definition, for k and l: records that may be in an earlier release, and those whose class is
 * left with too few rows or values; and the same of the classes that were published before. */
static void brute_force(const person *people, size_t count, const int *asked, before *earlier,
                        size_t releases, int *both, int *broken)
{
    *both = *broken = 0;
    for (size_t i = 0; i < count; i++) {
        const person *who = &people[i];
        bool any = false;
        if (who->class_number == 0) continue; /* dropped */
        left now = left_now(people, count, who, earlier, releases);
        for (size_t p = 0; p < releases; p++) {
            if (!may_be_there(&earlier[p], who, who->value)) continue;
            any = true;
            earlier[p].both++;
            earlier[p].betrayed += is_betrayed(&earlier[p], who, &now);
        }
        *both += any;
        *broken += any && (now.rows < asked[0] || now.distinct < asked[1]);
    }
}

static const char *write_people(const char *name, size_t rows, unsigned values, uint64_t *random)
{
    char text[2048];
    size_t length = (size_t)snprintf(text, sizeof text, "age,s\n");
    for (size_t i = 0; i < rows; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%d,%c\n",
                             (int)test_below(random, 40), (int)('a' + test_below(random, values)));
    return scratch_text(name, text);
}

static bauta_recipe *people_recipe(const char *file, const char *require, const char *seed)
{
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", file);
    set(recipe, "quasi", "age");
    set(recipe, "sensitive", "s");
    set(recipe, "require", require);
    set(recipe, "seed", seed);
    set(recipe, "threads", "1");
    set(recipe, "force", "yes");
    set(recipe, "keep-mapping", "yes");
    return recipe;
}

typedef struct trials {
    int held, refused, betrayed;
} trials;

static void read_before(const char *name, before *out)
{
    char file[320];
    snprintf(file, sizeof file, "%s/publish/data.csv", scratch_name(name));
    out->count = read_release(file, out->rows);
}

/* Publishes once more beside earlier releases, and compares with the definition. */
static void publish_again(bauta_recipe *new, const int *asked, before *earlier, size_t releases,
                          trials *seen)
{
    person people[ROWS_MOST];
    char new_folder[256], file[320], text[64];
    int both, broken;
    const before *first = NULL; /* that is betrayed */
    bauta_report *report = NULL;
    snprintf(new_folder, sizeof new_folder, "%s", scratch_name("new"));
    size_t count = read_people(scratch_name("new.csv"), people);
    snprintf(file, sizeof file, "%s/private/mapping.csv", new_folder);
    read_mapping(file, people);
    for (size_t p = 0; p < releases; p++) {
        read_before(p == 0 ? "old" : "older", &earlier[p]);
        snprintf(file, sizeof file, "%s/publish", scratch_name(p == 0 ? "old" : "older"));
        set(new, "previous", file);
    }
    brute_force(people, count, asked, earlier, releases, &both, &broken);
    for (size_t p = releases; p-- > 0;)
        if (earlier[p].betrayed > 0) first = &earlier[p];
    bauta_status status = bauta_anonymize(new, new_folder, &report, &error);
    assert_int_equal(status, broken || first ? BAUTA_NO : BAUTA_OK);
    snprintf(text, sizeof text, ", %d of %d records", broken || !first ? broken : first->betrayed,
             broken || !first ? both : first->both);
    if (status != BAUTA_OK && !strstr(error.message, text))
        fail_msg("'%s': %s", text, error.message);
    if (status != BAUTA_OK)
        assert_int_equal(strncmp(error.message, "beside this one", 15) == 0, broken == 0);
    seen->held += status == BAUTA_OK;
    seen->refused += broken > 0;
    seen->betrayed += !broken && first;
    bauta_report_free(report);
}

static bauta_status publish_before(const char *table, const char *folder, const before *promised)
{
    char require[32];
    snprintf(require, sizeof require, "k=%d%s", promised->k, promised->l > 1 ? ",l=2" : "");
    bauta_recipe *recipe = people_recipe(scratch_name(table), require, "1");
    bauta_status status = bauta_anonymize(recipe, scratch_name(folder), NULL, &error);
    bauta_recipe_free(recipe);
    return status;
}

static void one_trial(uint64_t *random, trials *seen)
{
    static before earlier[2];
    const int asked[] = {2 + (int)test_below(random, 4), 1 + (int)test_below(random, 2)};
    unsigned values = 2 + (unsigned)test_below(random, 3);
    size_t releases = 1 + (test_below(random, 3) == 0);
    char require[32];
    for (size_t p = 0; p < 2; p++)
        earlier[p] =
            (before){.k = 2 + (int)test_below(random, 3), .l = 1 + (int)test_below(random, 2)};
    snprintf(require, sizeof require, "k=%d%s", asked[0], asked[1] > 1 ? ",l=2" : "");
    write_people("old.csv", 20 + test_below(random, 30), values, random);
    write_people("older.csv", 20 + test_below(random, 30), values, random);
    write_people("new.csv", 20 + test_below(random, 30), values, random);
    bool same = test_below(random, 3) == 0; /* the same table again */
    bauta_recipe *new = people_recipe(scratch_name("new.csv"), require, "2");
    if (test_below(random, 4) == 0) { /* some records are dropped */
        set(new, "hierarchy", "age=intervals:4,8");
        set(new, "group", "incognito");
        set(new, "suppress", "0.4");
    }
    bauta_status status = publish_before(same ? "new.csv" : "old.csv", "old", &earlier[0]);
    if (status == BAUTA_OK && releases > 1)
        status = publish_before("older.csv", "older", &earlier[1]);
    if (status == BAUTA_OK) status = bauta_anonymize(new, scratch_name("new"), NULL, &error);
    if (status == BAUTA_OK)
        publish_again(new, asked, earlier, releases, seen);
    else
        assert_int_equal(status, BAUTA_NO); /* not enough values */
    bauta_recipe_free(new);
}

static void intersections_are_those_of_the_definition(void **state)
{
    (void)state;
    uint64_t random = 77;
    trials seen = {0};
    for (int trial = 0; trial < 200; trial++)
        one_trial(&random, &seen);
    if (seen.held < 9 || seen.refused < 31 || seen.betrayed < 9)
        fail_msg("%d held, %d refused, %d for the earlier one", seen.held, seen.refused,
                 seen.betrayed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_lie_on_the_grid),
        cmocka_unit_test(levels_make_the_classes_of_the_definition),
        cmocka_unit_test(recoding_is_not_minimal_where_nobody_can_tell),
        cmocka_unit_test(intersections_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
