/* SPDX-License-Identifier: Apache-2.0
 *
 * Public tables: the figures of paper 5 as far as its text gives them, who is joined with whom, and
 * what is refused.
 */
#include "jobs.h"

#include "group/join.h"
#include "job/load.h"
#include "measure/measure.h"

/* ---- a join, grouped ---- */

typedef struct world {
    bauta_recipe *recipe;
    bt_run run;
    bt_loaded loaded;
    bt_arena arena;
    bt_requirements requirements;
    bt_people people;
} world;

static void open_world(world *w, const char *microdata, const char *public, const char *require)
{
    bauta_error error;
    *w = (world){0};
    w->recipe = make_recipe(microdata, (const setting[SETTINGS_MOST]){{"quasi", "q1,q2"},
                                                                      {"drop", "rest"},
                                                                      {"key", "id"},
                                                                      {"seed", "1"},
                                                                      {"public", public}});
    assert_ok(bt_run_open(w->recipe, &w->run, &error), &error);
    assert_ok(bt_load(w->recipe, &w->run, false, &w->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &w->arena, &w->requirements, &error), &error);
    assert_ok(bt_people_counted(&w->loaded.table, &w->people, &error), &error);
    assert_ok(bt_requirements_bind(&w->requirements, &w->people, &w->arena, &error), &error);
}

static bt_join *group_world(world *w, const char *method_text, const char *join_text)
{
    bauta_error error;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_join_choice choice;
    assert_ok(bt_method_parse(method_text, &w->arena, &method, &options, &canonical, &error),
              &error);
    assert_ok(bt_join_parse(join_text, &w->arena, &choice, &error), &error);
    bt_method_job job = {.table = &w->loaded.table,
                         .requirements = &w->requirements,
                         .options = options,
                         .suppress = {0, 1},
                         .records = w->loaded.table.rows,
                         .run = &w->run};
    assert_ok(bt_join_group(method, &job, &choice, w->loaded.join, &error), &error);
    return w->loaded.join;
}

static void close_world(world *w)
{
    bt_people_release(&w->people);
    bt_arena_release(&w->arena);
    bt_loaded_release(&w->loaded);
    bt_run_close(&w->run);
    bauta_recipe_free(w->recipe);
}

static int64_t number_at(const bt_table *table, size_t column, uint32_t code)
{
    return table->columns[column].domain.number[code];
}

/* The classes as text: the size, the microdata among them, and the ranges, in the order of these.
 */
static void spell(const bt_grouping *g, const bt_table *table, const uint32_t *records,
                  char *out_text)
{
    char lines[16][64], *pointers[16];
    assert_in_range(g->classes, 1, 16);
    for (uint32_t c = 0; c < g->classes; c++) {
        const bt_box *box = bt_class_box(g, c);
        snprintf(lines[c], sizeof lines[c], "[%d,%d][%d,%d] %d of %d\n",
                 (int)number_at(table, 0, box[0].lo), (int)number_at(table, 0, box[0].hi),
                 (int)number_at(table, 1, box[1].lo), (int)number_at(table, 1, box[1].hi),
                 records ? (int)records[c] : (int)bt_class_size(g, c), (int)bt_class_size(g, c));
        pointers[c] = lines[c];
    }
    qsort(pointers, g->classes, sizeof *pointers, compare_lines);
    out_text[0] = '\0';
    for (uint32_t c = 0; c < g->classes; c++)
        strcat(out_text, pointers[c]);
}

#define assert_first(join, table, text)                                                            \
    do {                                                                                           \
        char spelled_[1024];                                                                       \
        spell(&(join)->sensitive, (table), NULL, spelled_);                                        \
        assert_string_equal(spelled_, (text));                                                     \
    } while (0)

#define assert_classes(join, text)                                                                 \
    do {                                                                                           \
        char spelled_[1024];                                                                       \
        spell(&(join)->grouping, &(join)->table, (join)->records, spelled_);                       \
        assert_string_equal(spelled_, (text));                                                     \
    } while (0)

/* Paper 5's NCP: the sum over the records of the perimeters of their boxes. */
static int64_t perimeters(const bt_grouping *g, const bt_table *table)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < g->classes; c++)
        for (size_t q = 0; q < g->columns; q++) {
            bt_box box = bt_class_box(g, c)[q];
            sum += 2 * bt_class_size(g, c) *
                   (number_at(table, q, box.hi) - number_at(table, q, box.lo));
        }
    return sum;
}

/* ---- the figures ---- */

static const char figure_1[] = "id,q1,q2,sa\nA,1,1,v1\nB,2,2,v2\nC,1,4,v1\nD,2,3,v2\n"
                               "E,3,1,v1\nF,3,2,v2\nG,5,4,v3\n";
/* The text gives G1 and G2; U, V and Y are where they fill the groups of Figure 5, X outside. */
static const char figure_1_public[] =
    "id,q1,q2,phone\nA,1,1,1\nB,2,2,2\nC,1,4,3\nE,3,1,4\nF,3,2,5\nG,5,4,6\nG1,5,4,7\nG2,5,4,8\n"
    "U,1,2,9\nV,1,3,10\nX,6,5,11\nY,4,1,12\n";

static void figures_1_2_and_5(void **state)
{
    (void)state;
    world w;
    open_world(&w, scratch_text("figure1.csv", figure_1),
               scratch_text("public1.csv", figure_1_public), "k=3");
    bt_join *join = group_world(&w, "mondrian:order=round-robin", "refine");
    assert_int_equal(join->counts.shared, 6);
    assert_int_equal(join->counts.external, 6);
    /* Figure 2: seven into four and three, perimeters of 8 and 10, in all 62; DM 25. */
    assert_first(join, &w.loaded.table, "[1,2][1,4] 4 of 4\n[3,5][1,4] 3 of 3\n");
    assert_int_equal(perimeters(&join->sensitive, &w.loaded.table), 62);
    /* Figure 5: U and V, and Y, G1 and G2, make four groups of three; X is used nowhere. */
    assert_classes(join, "[1,2][1,2] 2 of 3\n[1,2][3,4] 2 of 3\n[3,4][1,2] 2 of 3\n"
                         "[5,5][4,4] 1 of 3\n");
    assert_int_equal(join->counts.used, 5);
    bt_join_score score;
    bauta_error error;
    assert_ok(bt_join_measure(join, &score, &error), &error);
    assert_int_equal(score.discernibility, 13);
    close_world(&w);
}

/* The text tells which records decide the cuts: C the first one, A and F the second ones. */
static const char figure_3[] = "id,q1,q2\nA,4,50\nB,12,40\nC,22,12\nD,8,60\nE,48,90\nF,30,46\n"
                               "G,2,6\nH,10,20\nI,18,84\nJ,26,20\nK,36,72\nL,40,10\nM,44,50\n";
static const char elsewhere[] = "id,q1,q2\nZ,1000,1000\n";

static void figure_3_makes_3_3_3_and_4_of_13(void **state)
{
    (void)state;
    world w;
    open_world(&w, scratch_text("figure3.csv", figure_3), scratch_text("public3.csv", elsewhere),
               "k=3");
    bt_join *join = group_world(&w, "mondrian:order=round-robin", "refine");
    const char *four = "[2,12][6,40] 3 of 3\n[22,40][10,20] 3 of 3\n[30,48][46,90] 4 of 4\n"
                       "[4,18][50,84] 3 of 3\n";
    assert_first(join, &w.loaded.table, four);
    assert_classes(join, four); /* Z is inside none of them */
    assert_int_equal(join->counts.used, 0);
    close_world(&w);
}

/* G and E are the most distant pair, so that they end in different groups. */
static void figure_4_begins_with_g_and_e(void **state)
{
    (void)state;
    world w;
    uint32_t g_class = 0, e_class = 0;
    open_world(&w, scratch_text("figure3.csv", figure_3), scratch_text("public3.csv", elsewhere),
               "k=3");
    const bt_grouping *first = &group_world(&w, "cluster", "refine")->sensitive;
    for (uint32_t c = 0; c < first->classes; c++) {
        assert_true(bt_class_size(first, c) >= 3);
        for (uint32_t i = first->starts[c]; i < first->starts[c + 1]; i++) {
            if (first->order[i] == 6) g_class = c;
            if (first->order[i] == 4) e_class = c;
        }
    }
    assert_int_not_equal(g_class, e_class);
    close_world(&w);
}

/* T, U, V and W have no record of the microdata among them; Z is more than L, M and Y need. */
static void figure_8_drops_a_group_and_trims_another(void **state)
{
    (void)state;
    world w;
    open_world(&w, scratch_text("figure8.csv", "id,q1,q2\nL,1,1\nM,2,3\n"),
               scratch_text("public8.csv", "id,q1,q2\nL,1,1\nY,2,1\nZ,3,9\nT,50,1\nU,51,2\nV,52,3\n"
                                           "W,53,4\n"),
               "k=3");
    bt_join *join = group_world(&w, "mondrian:order=round-robin", "direct");
    assert_classes(join, "[1,3][1,9] 2 of 4\n");
    assert_int_equal(join->counts.used, 2);
    join = group_world(&w, "mondrian:order=round-robin", "direct:trim=paper");
    assert_classes(join, "[1,2][1,3] 2 of 3\n");
    join = group_world(&w, "cluster", "direct:trim=paper");
    assert_classes(join, "[1,2][1,3] 2 of 3\n");
    close_world(&w);
}

/* ---- whole runs ---- */

static const char public_1[] = "public1.csv";

static const char *microdata(void)
{
    return scratch_text("figure1.csv", figure_1);
}

#define JOIN(...)                                                                                  \
    SETTINGS({"quasi", "q1,q2"}, {"sensitive", "sa"}, {"key", "id"}, {"require", "k=3"},           \
             __VA_ARGS__)

static json_t *preview(const char *input, const setting *settings)
{
    bauta_error error;
    bauta_report *report;
    bauta_recipe *recipe = make_recipe(input, settings);
    assert_ok(bauta_preview(recipe, NULL, &report, &error), &error);
    bauta_recipe_free(recipe);
    return take_facts(report);
}

static int64_t join_count(const json_t *facts, const char *key)
{
    const json_t *first = json_array_get(json_object_get(facts, "tries"), 0);
    const json_t *value = json_object_get(json_object_get(first, "join"), key);
    return value ? json_integer_value(value) : 0;
}

static void counts_are_told(void **state)
{
    (void)state;
    json_t *facts = preview(microdata(), JOIN({"public", scratch_text(public_1, figure_1_public)}));
    assert_int_equal(join_count(facts, "public"), 12);
    assert_int_equal(join_count(facts, "shared"), 6);
    assert_int_equal(join_count(facts, "external"), 6);
    assert_int_equal(join_count(facts, "groups"), 2);
    json_decref(facts);
}

/* Nobody of such a table is in the microdata, so all of it is external. */
static void without_a_key_nobody_is_shared(void **state)
{
    (void)state;
    json_t *facts = preview(
        microdata(), SETTINGS({"quasi", "q1,q2"}, {"sensitive", "sa"}, {"identifier", "id"},
                              {"require", "k=3"}, {"key", "none"},
                              {"public", scratch_text("nobody.csv", "q2,q1\n1,1\n4,5\n4,5\n")}));
    assert_int_equal(join_count(facts, "shared"), 0);
    assert_int_equal(join_count(facts, "external"), 3);
    json_decref(facts);
}

/* Two sources: U is told differently of and left out, Y is in both, W in the second alone. */
static void sources_are_compared(void **state)
{
    (void)state;
    const char *second = scratch_text("second.csv", "id,q1,q2\nU,1,1\nY,4,1\nW,2,2\nA,1,1\n");
    json_t *facts = preview(
        microdata(), JOIN({"public", scratch_text(public_1, figure_1_public)}, {"public", second}));
    assert_int_equal(join_count(facts, "public"), 16);
    assert_int_equal(join_count(facts, "shared"), 6);
    assert_int_equal(join_count(facts, "external"), 6);
    assert_int_equal(join_count(facts, "disagreed"), 1);
    json_decref(facts);
}

static void a_smaller_public_table_will_do(void **state)
{
    (void)state;
    json_t *facts =
        preview(microdata(), JOIN({"public", scratch_text("small.csv", "id,q1,q2\nU,1,2\n")}));
    assert_int_equal(join_count(facts, "external"), 1);
    json_decref(facts);
}

static void missing_values_are_values_or_dropped(void **state)
{
    (void)state;
    const char *gaps = scratch_text("gaps.csv", "id,q1,q2\nU,,2\nV,1,NA\nW,2,2\n");
    json_t *facts = preview(microdata(), JOIN({"public", gaps}));
    assert_int_equal(join_count(facts, "external"), 3);
    json_decref(facts);
    facts = preview(microdata(), JOIN({"public", gaps}, {"missing", "drop"}));
    assert_int_equal(join_count(facts, "external"), 1);
    assert_int_equal(join_count(facts, "missing_dropped"), 2);
    json_decref(facts);
}

/* ---- nothing to join ---- */

/* With the same random streams: a recipe with a public table has others. */
static bauta_status run_fixed(const setting *settings, bauta_error *error)
{
    static const bt_seed streams = {{3}};
    bauta_recipe *recipe = make_recipe(microdata(), settings);
    recipe->fixed_streams = &streams;
    bauta_status status = bauta_anonymize(recipe, out, NULL, error);
    bauta_recipe_free(recipe);
    return status;
}

static void an_empty_table_changes_no_byte(void **state)
{
    (void)state;
    static const char *const files[] = {"data.csv", "manifest.json"};
    static const char *const methods[] = {"mondrian:order=round-robin", "cluster"};
    static const char *const joins[] = {"direct", "refine"};
    bt_buffer expected = {0}, found = {0};
    bauta_error error;
    for (int i = 0; i < 4; i++) {
        char plain[300];
        use_new_folder(state);
        assert_ok(run_fixed(SETTINGS({"quasi", "q1,q2"}, {"sensitive", "sa"}, {"identifier", "id"},
                                     {"require", "k=3"}, {"group", methods[i / 2]}),
                            &error),
                  &error);
        snprintf(plain, sizeof plain, "%s", publish);
        use_new_folder(state);
        assert_ok(run_fixed(JOIN({"public", scratch_text("empty.csv", "q2,id,q1\n")},
                                 {"join", joins[i % 2]}, {"group", methods[i / 2]}),
                            &error),
                  &error);
        for (int f = 0; f < 2; f++) {
            read_file(plain, files[f], &expected);
            read_file(publish, files[f], &found);
            assert_string_equal(found.bytes, expected.bytes);
        }
    }
    bt_buffer_release(&expected);
    bt_buffer_release(&found);
}

/* ---- conflicts ---- */

static const char other_values[] = "id,q1,q2\nA,1,2\nB,2,2\nG,4,4\nU,1,2\n";

static void conflicts_stop_the_run_and_are_listed(void **state)
{
    (void)state;
    bauta_error error;
    bt_buffer list = {0};
    char folder[300];
    assert_fails(
        run(microdata(), JOIN({"public", scratch_text("other.csv", other_values)}), NULL, &error),
        BAUTA_INVALID, &error, "other quasi values than the table for 2 persons");
    assert_non_null(strstr(error.message, "in rows 1, 7"));
    assert_non_null(strstr(error.hint, "conflicts.csv"));
    assert_int_not_equal(access(publish, F_OK), 0);
    snprintf(folder, sizeof folder, "%s/private", out);
    read_file(folder, "conflicts.csv", &list);
    assert_string_equal(list.bytes, "row,public,public_row\n1,1,1\n7,1,3\n");
    bt_buffer_release(&list);
}

static void conflicts_can_be_left_out(void **state)
{
    (void)state;
    json_t *facts = preview(microdata(), JOIN({"public", scratch_text("other.csv", other_values)},
                                              {"on-conflict", "exclude-public"}));
    assert_int_equal(join_count(facts, "excluded"), 2);
    assert_int_equal(join_count(facts, "shared"), 1);
    assert_int_equal(join_count(facts, "external"), 1);
    json_decref(facts);
}

/* ---- what is refused ---- */

typedef struct refusal {
    const char *public, *text;
} refusal;

static void bad_tables_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"id,q1\nU,1\n", "no column 'q2'"},
        {"name,q1,q2\nU,1,2\n", "no column 'id'"},
        {"id,q1,q2\nU,1,2\nV,1,3\nU,1,2\n", "1 record is of a person who has one already"},
        {"id,q1,q2\n,1,2\nNA,1,3\n", "2 records do not say who they are about"},
        {"id,q1,q2\nU,one,2\nV,1,3\nW,two,4\n", "2 records of the public table have a value"},
    };
    bauta_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        use_new_folder(state);
        assert_refused(microdata(), JOIN({"public", scratch_text("bad.csv", cases[i].public)}),
                       BAUTA_INVALID, &error, cases[i].text);
    }
}

static void texts_must_be_those_of_the_microdata(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("towns.csv", "id,town\n1,Bonn\n2,Bonn\n3,Rome\n4,Rome\n");
    const char *public = scratch_text("more.csv", "id,town\n5,Bonn\n6,Oslo\n7,Kyiv\n8,Oslo\n");
    const char *tree = scratch_text("tree.csv", "Bonn;a;*\nRome;a;*\nOslo;b;*\nKyiv;b;*\n");
    char hierarchy[300];
    assert_refused(
        input, SETTINGS({"quasi", "town"}, {"key", "id"}, {"require", "k=2"}, {"public", public}),
        BAUTA_INVALID, &error,
        "3 records of the public table have a value here that the table has not");
    assert_string_equal(error.column, "town");
    /* A hierarchy that has them makes them known; one that lacks some is refused with a count. */
    snprintf(hierarchy, sizeof hierarchy, "town=%s", tree);
    json_t *facts = preview(input, SETTINGS({"quasi", "town"}, {"key", "id"}, {"require", "k=2"},
                                            {"hierarchy", hierarchy}, {"public", public}));
    assert_int_equal(join_count(facts, "external"), 4);
    json_decref(facts);
    scratch_text("tree.csv", "Bonn;a;*\nRome;a;*\nOslo;b;*\n");
    assert_refused(input,
                   SETTINGS({"quasi", "town"}, {"key", "id"}, {"require", "k=2"},
                            {"hierarchy", hierarchy}, {"public", public}),
                   BAUTA_INVALID, &error, "lacks 1 of its 4 distinct values");
}

/* Numbers widen the domain, and the same number in two forms is one. */
static void numbers_may_be_any(void **state)
{
    (void)state;
    json_t *facts = preview(scratch_text("sizes.csv", "id,x\n1,1.5\n2,2\n3,3\n4,4.0\n"),
                            SETTINGS({"quasi", "x"}, {"key", "id"}, {"require", "k=2"},
                                     {"public", scratch_text("more.csv", "id,x\n5,-7.25\n6,1e3\n"
                                                                         "01,1.50\n4,4\n")}));
    assert_int_equal(join_count(facts, "shared"), 2);
    assert_int_equal(join_count(facts, "external"), 2);
    json_decref(facts);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *public = scratch_text(public_1, figure_1_public);
    const setting roles[] = {{"quasi", "q1,q2"}, {"identifier", "id"}, {"sensitive", "sa"}};
    const struct {
        setting more[4];
        const char *text;
    } cases[] = {
        {{{"public", public}}, "nothing says who is both"},
        {{{"public", public}, {"public", public}, {"key", "none"}}, "several public tables"},
        {{{"key", "id"}}, "public table is needed for 'key'"},
        {{{"join", "direct"}}, "public table is needed for 'join'"},
        {{{"on-conflict", "exclude-public"}}, "public table is needed for 'on-conflict'"},
        {{{"public", public}, {"key", "id"}, {"suppress", "0.1"}}, "does not go with 'suppress'"},
        {{{"public", public}, {"key", "id"}, {"group", "top-down"}},
         "cannot be grouped by method 'top-down'"},
        {{{"public", public}, {"key", "id"}, {"publish", "two-tables"}},
         "cannot be published in the form"},
        {{{"public", public}, {"key", "id"}, {"subject", "id"}}, "every person has one record"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting all[SETTINGS_MOST] = {{"seed-file", seed_file}, {"require", "k=3"}};
        memcpy(all + 2, roles, sizeof roles);
        memcpy(all + 5, cases[i].more, sizeof cases[i].more);
        use_new_folder(state);
        assert_refused(microdata(), all, BAUTA_INVALID, &error, cases[i].text);
    }
    assert_refused(microdata(),
                   SETTINGS({"quasi", "q1,q2"}, {"other", "sa"}, {"key", "id"}, {"require", "k=3"},
                            {"public", public}),
                   BAUTA_INVALID, &error, "would show by it");
    assert_refused(microdata(),
                   SETTINGS({"quasi", "q1,q2"}, {"sensitive", "sa"}, {"key", "id"},
                            {"require", "p=2"}, {"public", public}),
                   BAUTA_INVALID, &error, "needs the requirement 'k'");
    assert_refused(scratch_text("twice.csv", "id,q1,q2,sa\nA,1,1,v\nA,1,2,v\nB,1,1,v\n"),
                   JOIN({"public", public}), BAUTA_INVALID, &error,
                   "1 record is of a person who has one already");
    assert_int_equal(error.row, 2);
}

/* With more persons than records there may be classes where the table alone has too few. */
static void direct_counts_all_persons(void **state)
{
    (void)state;
    bauta_error error;
    const char *public = scratch_text("many.csv", "id,q1,q2\nU,1,1\nV,1,2\nW,2,2\n");
    const char *two = scratch_text("two.csv", "id,q1,q2\n1,1,1\n2,2,2\n");
    const setting *asked = SETTINGS({"quasi", "q1,q2"}, {"key", "id"}, {"require", "k=5"},
                                    {"join", "direct"}, {"public", public});
    json_t *facts = preview(two, asked);
    assert_int_equal(join_count(facts, "used"), 3);
    json_decref(facts);
    assert_refused(two,
                   SETTINGS({"quasi", "q1,q2"}, {"key", "id"}, {"require", "k=6"},
                            {"join", "direct"}, {"public", public}),
                   BAUTA_NO, &error, "k=6");
    assert_refused(two,
                   SETTINGS({"quasi", "q1,q2"}, {"key", "id"}, {"require", "k=5"},
                            {"join", "refine"}, {"public", public}),
                   BAUTA_NO, &error, "k=5");
}

/* External persons whom max-level keeps away from all microdata are no reason to refuse. */
static void direct_and_max_level(void **state)
{
    (void)state;
    const char *tree = scratch_text("tree.csv", "a1;a;*\na2;a;*\nb1;b;*\nb2;b;*\n");
    const char *input = scratch_text("towns.csv", "id,town\n1,a1\n2,a2\n3,a2\n");
    const char *public = scratch_text("more.csv", "id,town\n4,a1\n5,b1\n");
    char hierarchy[300];
    snprintf(hierarchy, sizeof hierarchy, "town=%s", tree);
    json_t *facts = preview(input, SETTINGS({"quasi", "town"}, {"key", "id"}, {"require", "k=2"},
                                            {"hierarchy", hierarchy}, {"max-level", "town=1"},
                                            {"join", "direct"}, {"public", public}));
    assert_int_equal(join_count(facts, "used"), 1);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_1_2_and_5),
        cmocka_unit_test(figure_3_makes_3_3_3_and_4_of_13),
        cmocka_unit_test(figure_4_begins_with_g_and_e),
        cmocka_unit_test(figure_8_drops_a_group_and_trims_another),
        cmocka_unit_test(counts_are_told),
        cmocka_unit_test(without_a_key_nobody_is_shared),
        cmocka_unit_test(sources_are_compared),
        cmocka_unit_test(a_smaller_public_table_will_do),
        cmocka_unit_test(missing_values_are_values_or_dropped),
        cmocka_unit_test(an_empty_table_changes_no_byte),
        cmocka_unit_test_setup(conflicts_stop_the_run_and_are_listed, use_new_folder),
        cmocka_unit_test(conflicts_can_be_left_out),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test_setup(texts_must_be_those_of_the_microdata, use_new_folder),
        cmocka_unit_test(numbers_may_be_any),
        cmocka_unit_test_setup(bad_requests_are_refused, use_new_folder),
        cmocka_unit_test_setup(direct_counts_all_persons, use_new_folder),
        cmocka_unit_test(direct_and_max_level),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
