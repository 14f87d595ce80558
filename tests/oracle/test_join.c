/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins of random small tables against plain definitions: who is in the join, what `direct` and
 * `refine` make of it by both methods, what trimming leaves, and how far an attacker gets who has
 * the public table and the release.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "class/class_loss.h"
#include "group/join.h"
#include "job/load.h"

enum { PERSONS = 60, COLUMNS_MOST = 3, TABLES_MOST = 2, TEXTS = 14 };

/* ---- a random population, and what each table says of it ---- */

typedef struct population {
    size_t columns, tables;
    bool is_text[COLUMNS_MOST];
    int value[PERSONS][COLUMNS_MOST];
    bool in_microdata[PERSONS], in_public[TABLES_MOST][PERSONS];
    int told[TABLES_MOST][PERSONS][COLUMNS_MOST]; /* by the public tables */
} population;

static void draw_population(uint64_t *state, bool lies, population *p)
{
    uint64_t range = 2 + test_below(state, 12);
    *p = (population){.columns = 1 + test_below(state, COLUMNS_MOST),
                      .tables = 1 + test_below(state, TABLES_MOST)};
    for (size_t c = 0; c < p->columns; c++)
        p->is_text[c] = test_below(state, 3) == 0;
    for (int i = 0; i < PERSONS; i++) {
        p->in_microdata[i] = i < TEXTS || test_below(state, 3) == 0;
        for (size_t c = 0; c < p->columns; c++)
            /* The first of the microdata have all texts there are. */
            p->value[i][c] = i < TEXTS && p->is_text[c] ? i : (int)test_below(state, range);
        for (size_t t = 0; t < p->tables; t++) {
            p->in_public[t][i] = test_below(state, 4) > 0;
            memcpy(p->told[t][i], p->value[i], sizeof p->value[i]);
            if (lies && !p->in_microdata[i] && test_below(state, 8) == 0)
                p->told[t][i][0] = p->is_text[0] ? p->value[i][0] ^ 1 : p->value[i][0] + 1;
        }
    }
}

static size_t put_record(const population *p, const int *values, int person, char *text,
                         size_t room)
{
    size_t length = (size_t)snprintf(text, room, "P%d", person);
    for (size_t c = 0; c < p->columns; c++)
        length += (size_t)snprintf(text + length, room - length, p->is_text[c] ? ",v%02d" : ",%d",
                                   p->is_text[c] ? values[c] : values[c] * values[c]);
    return length;
}

static size_t put_header(const population *p, const char *more, char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "id");
    for (size_t c = 0; c < p->columns; c++)
        length += (size_t)snprintf(text + length, room - length, ",c%zu", c);
    return length + (size_t)snprintf(text + length, room - length, "%s\n", more);
}

static const char *write_microdata(const population *p)
{
    char text[8192];
    size_t length = put_header(p, ",s", text, sizeof text);
    for (int i = 0; i < PERSONS; i++) {
        if (!p->in_microdata[i]) continue;
        length += put_record(p, p->value[i], i, text + length, sizeof text - length);
        length += (size_t)snprintf(text + length, sizeof text - length, ",d%d\n", i % 3);
    }
    return scratch_write("microdata.csv", text, length);
}

static const char *write_public(const population *p, size_t table)
{
    char text[8192], name[32];
    size_t length = put_header(p, "", text, sizeof text);
    for (int i = PERSONS - 1; i >= 0; i--) {
        if (!p->in_public[table][i]) continue;
        length += put_record(p, p->told[table][i], i, text + length, sizeof text - length);
        length += (size_t)snprintf(text + length, sizeof text - length, "\n");
    }
    snprintf(name, sizeof name, "public%zu.csv", table);
    return scratch_write(name, text, length);
}

static bauta_recipe *recipe_of(const population *p, const char *threads, bool join)
{
    bauta_error error;
    bauta_recipe *recipe;
    char hierarchy[32];
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", write_microdata(p), &error), &error);
    for (size_t t = 0; join && t < p->tables; t++)
        assert_ok(bauta_recipe_set(recipe, "public", write_public(p, t), &error), &error);
    assert_ok(bauta_recipe_set(recipe, join ? "key" : "identifier", "id", &error), &error);
    for (size_t c = 0; c < p->columns; c++) {
        snprintf(hierarchy, sizeof hierarchy, "c%zu", c);
        assert_ok(bauta_recipe_set(recipe, "quasi", hierarchy, &error), &error);
        if (!p->is_text[c] || c == 0) continue;
        snprintf(hierarchy, sizeof hierarchy, "c%zu=mask", c);
        assert_ok(bauta_recipe_set(recipe, "hierarchy", hierarchy, &error), &error);
    }
    assert_ok(bauta_recipe_set(recipe, "sensitive", "s", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "seed", "7", &error), &error);
    return recipe;
}

/* ---- the join ---- */

static bool agree(const population *p, int person)
{
    const int *first = NULL;
    for (size_t t = 0; t < p->tables; t++) {
        if (!p->in_public[t][person]) continue;
        if (first && memcmp(first, p->told[t][person], p->columns * sizeof *first) != 0)
            return false;
        first = first ? first : p->told[t][person];
    }
    return true;
}

static void check_join(const population *p, const bt_join *join)
{
    int64_t microdata = 0, external = 0, disagreed = 0, shared = 0, records = 0;
    for (int i = 0; i < PERSONS; i++) {
        bool known = p->in_public[0][i] || (p->tables > 1 && p->in_public[1][i]);
        for (size_t t = 0; t < p->tables; t++)
            records += p->in_public[t][i];
        microdata += p->in_microdata[i];
        shared += p->in_microdata[i] && known;
        external += !p->in_microdata[i] && known && agree(p, i);
        disagreed += !p->in_microdata[i] && known && !agree(p, i);
    }
    assert_int_equal(join->microdata, microdata);
    assert_int_equal(join->counts.public_rows, records);
    assert_int_equal(join->counts.shared, shared);
    assert_int_equal(join->counts.external, external);
    assert_int_equal(join->counts.disagreed, disagreed);
    assert_int_equal(join->table.rows, microdata + external);
    /* A person's numbers are what a table tells of the person. */
    for (size_t c = 0; c < p->columns; c++) {
        const bt_column *column = &join->table.columns[c];
        int64_t expected = 0, found = 0;
        if (p->is_text[c]) continue;
        for (int i = 0; i < PERSONS; i++) {
            bool first = p->in_public[0][i];
            bool known = first || (p->tables > 1 && p->in_public[1][i]);
            int value = p->in_microdata[i] ? p->value[i][c] : p->told[first ? 0 : 1][i][c];
            if (p->in_microdata[i] || (known && agree(p, i))) expected += (int64_t)value * value;
        }
        for (int64_t row = 0; row < join->table.rows; row++)
            found += column->domain.number[bt_column_code(column, row)];
        assert_int_equal(found, expected);
    }
}

/* ---- what a cell may stand for ---- */

static bool cell_holds(const bt_grouping *g, const bt_column *column, size_t place, uint32_t number,
                       uint32_t code)
{
    if (column->hierarchy) {
        const bt_node *node =
            &column->hierarchy->nodes[bt_published_node(g, column, place, number)];
        return code >= node->lo && code < node->hi;
    }
    bt_box box = bt_published_box(g, column, place, number);
    if (column->domain.reading.type != BT_TEXT) return code >= box.lo && code <= box.hi;
    for (uint32_t i = g->starts[number]; i < g->starts[number + 1]; i++)
        if (bt_column_code(column, g->order[i]) == code) return true;
    return false;
}

static bool class_holds(const bt_grouping *g, const bt_table *table, uint32_t number, int64_t row)
{
    for (size_t c = 0; c < g->columns; c++)
        if (!cell_holds(g, &table->columns[c], c, number, bt_column_code(&table->columns[c], row)))
            return false;
    return true;
}

/* ---- what holds of every grouping of a join ---- */

static void check_classes(const bt_join *join, int64_t k)
{
    const bt_grouping *g = &join->grouping;
    bool met[2 * PERSONS] = {false};
    int64_t records = 0;
    assert_int_equal(g->rows, join->table.rows);
    for (uint32_t c = 0; c < g->classes; c++) {
        uint32_t own = 0;
        assert_true(bt_class_size(g, c) >= k);
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            assert_false(met[g->order[i]]);
            met[g->order[i]] = true;
            own += g->order[i] < join->microdata;
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            assert_true(class_holds(g, &join->table, c, g->order[i]));
        }
        assert_true(own > 0);
        assert_int_equal(join->records[c], own);
        records += own;
        for (size_t q = 0; q < g->columns; q++) {
            bt_box tight = bt_tight_box(g, &join->table.columns[q], c);
            assert_memory_equal(&bt_class_box(g, c)[q], &tight, sizeof tight);
        }
    }
    assert_int_equal(records, join->microdata);
    assert_int_equal(join->counts.used, g->kept - join->microdata);
}

/* Whoever has the public table and looks for a victim finds the rows whose cells hold what is known
 * of the victim, and cannot do better than to take one of them. */
static void check_attacker(const bt_join *join, int64_t k)
{
    const bt_grouping *g = &join->grouping;
    for (int64_t victim = 0; victim < join->microdata; victim++) {
        int64_t rows = 0;
        for (uint32_t c = 0; c < g->classes; c++)
            if (class_holds(g, &join->table, c, victim)) rows += bt_class_size(g, c);
        assert_true(rows >= k); /* a chance of 1/rows */
    }
}

/* No two classes of a sensitive group look alike. */
static void check_told_apart(const bt_join *join, bool groups)
{
    const bt_grouping *g = &join->grouping;
    for (uint32_t a = 0; a < g->classes; a++)
        for (uint32_t b = 0; b < a; b++) {
            bool alike = !groups || join->group_of[a] == join->group_of[b];
            for (size_t q = 0; alike && q < g->columns; q++) {
                const bt_column *column = &join->table.columns[q];
                bt_box x = bt_class_box(g, a)[q], y = bt_class_box(g, b)[q];
                alike = column->hierarchy ? bt_published_node(g, column, q, a) ==
                                                bt_published_node(g, column, q, b)
                                          : x.lo == y.lo && x.hi == y.hi;
            }
            assert_false(alike);
        }
}

/* ---- refine ---- */

static uint64_t loss_of_records(const bt_grouping *g, const bt_table *table,
                                const uint32_t *records)
{
    const bt_column *quasi[COLUMNS_MOST];
    uint64_t seen[4] = {0}, sum = 0;
    for (size_t c = 0; c < g->columns; c++)
        quasi[c] = &table->columns[c];
    for (uint32_t c = 0; c < g->classes; c++)
        sum += (records ? records[c] : (uint64_t)bt_class_size(g, c)) *
               bt_class_loss(g, quasi, c, seen);
    return sum;
}

static uint64_t squares(const bt_grouping *g, const uint32_t *records)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < g->classes; c++) {
        uint64_t own = records ? records[c] : (uint64_t)bt_class_size(g, c);
        sum += own * own;
    }
    return sum;
}

/* The one class of the first grouping that an external person may be given to. */
static uint32_t tightest(const bt_join *join, const bt_table *microdata, int64_t row)
{
    const bt_grouping *first = &join->sensitive;
    const bt_column *quasi[COLUMNS_MOST];
    uint64_t seen[4] = {0}, least = UINT64_MAX;
    uint32_t best = UINT32_MAX;
    for (size_t c = 0; c < first->columns; c++)
        quasi[c] = &microdata->columns[c];
    for (uint32_t c = 0; c < first->classes; c++) {
        bool inside = true;
        for (size_t q = 0; inside && q < first->columns; q++)
            inside =
                cell_holds(first, quasi[q], q, c, bt_column_code(&join->table.columns[q], row));
        uint64_t loss = bt_class_loss(first, quasi, c, seen);
        if (!inside || loss >= least) continue;
        least = loss;
        best = c;
    }
    return best;
}

static void check_refined(const bt_join *join, const bt_table *microdata)
{
    const bt_grouping *g = &join->grouping, *first = &join->sensitive;
    uint32_t group_of_record[PERSONS];
    for (uint32_t c = 0; c < first->classes; c++)
        for (uint32_t i = first->starts[c]; i < first->starts[c + 1]; i++)
            group_of_record[first->order[i]] = c;
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            uint32_t row = g->order[i];
            if (row < join->microdata)
                assert_int_equal(group_of_record[row], join->group_of[c]);
            else
                assert_int_equal(tightest(join, microdata, row), join->group_of[c]);
            for (size_t q = 0; q < g->columns; q++) /* inside the cells of the first grouping */
                assert_true(cell_holds(first, &microdata->columns[q], q, join->group_of[c],
                                       bt_column_code(&join->table.columns[q], row)));
        }
    assert_true(loss_of_records(g, &join->table, join->records) <=
                loss_of_records(first, microdata, NULL));
    assert_true(squares(g, join->records) <= squares(first, NULL));
}

/* The first grouping is the one that the microdata get by themselves: the same rows together. */
static void check_first(const population *p, const bt_method *method, const bt_value *options,
                        const char *require, const bt_grouping *first, const char *threads)
{
    bauta_error error;
    bauta_recipe *recipe = recipe_of(p, threads, false);
    bt_run run;
    bt_loaded alone;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_people people;
    bt_grouping grouping;
    assert_ok(bt_run_open(recipe, &run, &error), &error);
    assert_ok(bt_load(recipe, &run, false, &alone, &error), &error);
    assert_ok(bt_requirements_parse(require, &arena, &requirements, &error), &error);
    assert_ok(bt_people_of_table(&alone.table, &people, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    bt_method_job job = {.table = &alone.table,
                         .requirements = &requirements,
                         .options = options,
                         .suppress = {0, 1},
                         .records = alone.table.rows,
                         .run = &run};
    assert_ok(bt_group(method, &job, &grouping, &error), &error);
    assert_int_equal(grouping.classes, first->classes);
    assert_memory_equal(grouping.starts, first->starts,
                        (grouping.classes + 1) * sizeof *grouping.starts);
    assert_memory_equal(grouping.order, first->order,
                        (size_t)grouping.kept * sizeof *grouping.order);
    bt_grouping_release(&grouping);
    bt_people_release(&people);
    bt_arena_release(&arena);
    bt_loaded_release(&alone);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

/* ---- direct ---- */

/* The classes of the joined table that have microdata, in their order. */
static void check_direct(const bt_join *join, const bt_method *method, const bt_value *options,
                         int64_t k, const bt_run *run)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    char text[32];
    bt_grouping all;
    uint32_t next = 0;
    bt_people people = bt_people_plain(join->table.rows);
    snprintf(text, sizeof text, "k=%d", (int)k);
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    bt_method_job job = {
        .table = &join->table, .requirements = &requirements, .options = options, .run = run};
    assert_ok(method->group(&job, &all, &error), &error);
    for (uint32_t c = 0; c < all.classes; c++) {
        const uint32_t *rows = all.order + all.starts[c];
        size_t size = (size_t)bt_class_size(&all, c);
        if (rows[0] >= join->microdata) continue;
        assert_true(next < join->grouping.classes);
        assert_int_equal(bt_class_size(&join->grouping, next), size);
        assert_memory_equal(join->grouping.order + join->grouping.starts[next], rows,
                            size * sizeof *rows);
        assert_int_equal(join->group_of[next], next);
        next++;
    }
    assert_int_equal(join->grouping.classes, next);
    assert_int_equal(join->sensitive.classes, next);
    bt_grouping_release(&all);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

/* ---- trimming ---- */

/* Whether the class would lose less without one of its external persons. */
static bool can_be_trimmed(const bt_join *join, uint32_t number)
{
    const bt_grouping *g = &join->grouping;
    const bt_column *quasi[COLUMNS_MOST];
    uint32_t size = (uint32_t)bt_class_size(g, number), rows[2 * PERSONS],
             starts[2] = {0, size - 1};
    uint64_t seen[4] = {0};
    bt_box boxes[COLUMNS_MOST];
    for (size_t c = 0; c < g->columns; c++)
        quasi[c] = &join->table.columns[c];
    for (uint32_t out = join->records[number]; out < size; out++) {
        bt_grouping less = {.rows = g->rows,
                            .kept = size - 1,
                            .order = rows,
                            .classes = 1,
                            .starts = starts,
                            .columns = g->columns,
                            .boxes = boxes};
        for (uint32_t i = 0, next = 0; i < size; i++)
            if (i != out) rows[next++] = g->order[g->starts[number] + i];
        for (size_t c = 0; c < g->columns; c++)
            boxes[c] = bt_tight_box(&less, quasi[c], 0);
        if (bt_class_loss(&less, quasi, 0, seen) < bt_class_loss(g, quasi, number, seen))
            return true;
    }
    return false;
}

static void check_trimmed(const bt_join *join, int64_t k, bt_trim trim, uint64_t untrimmed)
{
    const bt_grouping *g = &join->grouping;
    assert_true(loss_of_records(g, &join->table, join->records) <= untrimmed);
    for (uint32_t c = 0; trim == BT_TRIM_PAPER && c < g->classes; c++)
        if (bt_class_size(g, c) > k) assert_false(can_be_trimmed(join, c));
}

/* ---- all of it ---- */

typedef struct world {
    const population *p;
    bt_loaded *loaded;
    const bt_run *run;
    const char *threads;
} world;

static void check_grouping(const world *w, const char *method_text, const char *join_text,
                           int64_t k, const char *require)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_people people;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_join_choice choice, none;
    bt_join *join = w->loaded->join;
    assert_ok(bt_requirements_parse(require, &arena, &requirements, &error), &error);
    assert_ok(bt_people_of_table(&w->loaded->table, &people, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(method_text, &arena, &method, &options, &canonical, &error), &error);
    assert_ok(bt_join_parse(join_text, &arena, &choice, &error), &error);
    bt_method_job job = {.table = &w->loaded->table,
                         .requirements = &requirements,
                         .options = options,
                         .suppress = {0, 1},
                         .records = w->loaded->table.rows,
                         .run = w->run};
    none = choice;
    none.trim = BT_TRIM_NONE;
    assert_ok(bt_join_group(method, &job, &none, join, &error), &error);
    check_classes(join, k);
    check_attacker(join, k);
    check_told_apart(join, choice.kind == BT_JOIN_REFINE);
    if (choice.kind == BT_JOIN_REFINE) {
        check_refined(join, &w->loaded->table);
        check_first(w->p, method, options, require, &join->sensitive, w->threads);
    } else {
        check_direct(join, method, options, k, w->run);
    }
    uint64_t untrimmed = loss_of_records(&join->grouping, &join->table, join->records);
    assert_ok(bt_join_group(method, &job, &choice, join, &error), &error);
    check_classes(join, k);
    check_told_apart(join, choice.kind == BT_JOIN_REFINE);
    check_trimmed(join, k, choice.trim, untrimmed);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

static void check_world(uint64_t *state, const char *threads)
{
    static const char *const methods[] = {"mondrian", "mondrian:order=round-robin",
                                          "mondrian:order=widest,cuts=order", "cluster",
                                          "cluster:merge=borrow"};
    static const char *const joins[] = {
        "direct",           "refine",          "direct:trim=paper", "refine:trim=paper",
        "direct:trim=safe", "refine:trim=safe"};
    bauta_error error;
    population p;
    bt_run run;
    bt_loaded loaded;
    draw_population(state, test_below(state, 2), &p);
    bauta_recipe *recipe = recipe_of(&p, threads, true);
    assert_ok(bt_run_open(recipe, &run, &error), &error);
    assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
    check_join(&p, loaded.join);
    const world w = {&p, &loaded, &run, threads};
    for (size_t m = 0; m < 5; m++) {
        const char *join = joins[test_below(state, 6)];
        int k = 2 + (int)test_below(state, 5);
        char require[32];
        bool more = strncmp(join, "refine", 6) == 0 && test_below(state, 2);
        snprintf(require, sizeof require, more ? "k=%d,p=2" : "k=%d", k);
        check_grouping(&w, methods[m], join, k, require);
    }
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

static void random_populations(void **unused)
{
    (void)unused;
    static const char *const threads[] = {"1", "2", "7"};
    uint64_t state = 3;
    for (int i = 0; i < 250; i++)
        check_world(&state, threads[i % 3]);
}

/* A class of four with k=3 whose far value is that of one external person: a coin decides. */
static void safe_trimming_tosses_a_coin(void **unused)
{
    (void)unused;
    bauta_error error;
    int left_out = 0;
    uint32_t codes[] = {0, 1, 2, 3}, order[] = {0, 1, 2, 3}, starts[] = {0, 4};
    const char *text[] = {"1", "2", "3", "90"};
    int64_t number[] = {1, 2, 3, 90};
    bt_column column = {
        .name = "age",
        .role = BT_ROLE_QUASI,
        .domain = {.reading = {.type = BT_INTEGER}, .size = 4, .text = text, .number = number},
        .width = 4,
        .codes = codes};
    bt_run run = {0};
    assert_ok(bt_pool_new(1, &run.pool, &error), &error);
    for (unsigned seed = 0; seed < 400; seed++) {
        bt_box box = {0, 3};
        uint32_t rows[4], ends[2];
        memcpy(rows, order, sizeof rows);
        memcpy(ends, starts, sizeof ends);
        run.seed.bytes[0] = (unsigned char)seed;
        run.seed.bytes[1] = (unsigned char)(seed >> 8);
        bt_join join = {.table = {.rows = 4, .count = 1, .columns = &column}, .microdata = 3};
        join.grouping = (bt_grouping){.rows = 4,
                                      .kept = 4,
                                      .order = rows,
                                      .classes = 1,
                                      .starts = ends,
                                      .columns = 1,
                                      .boxes = &box};
        assert_ok(bt_join_trim(&join, BT_TRIM_SAFE, 3, &run, &error), &error);
        assert_true(join.grouping.kept == 3 || join.grouping.kept == 4);
        assert_int_equal(box.hi, join.grouping.kept == 3 ? 2 : 3);
        left_out += join.grouping.kept == 3;
    }
    assert_in_range(left_out, 150, 250);
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_populations),
                                       cmocka_unit_test(safe_trimming_tosses_a_coin)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
