/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks: each succeeds against a release that is weak on purpose, among them the papers' own
 * examples, and stays within what is promised against one that is sound.
 */
#include "../attacks.h"
#include "../release_files.h"

#include "attack/attack.h"
#include "attack/rate.h"

#define PROMISE(name, value) "{\"name\":\"" name "\",\"value\":\"" value "\"}"

/* ---- rates ---- */

static void assert_near(double found, double expected)
{
    if (found < expected - 5e-5 || found > expected + 5e-5)
        fail_msg("%.6f, not %.6f", found, expected);
}

static void intervals_are_wilsons(void **state)
{
    (void)state;
    bt_confidence tenth = bt_rate_interval(10, 100), none = bt_rate_interval(0, 10);
    assert_near(tenth.low, 0.05523);
    assert_near(tenth.high, 0.17437);
    assert_near(none.low, 0);
    assert_near(none.high, 0.27753);
    assert_near(bt_rate_interval(10, 10).low, 0.72247);
    assert_near(bt_rate_interval(0, 0).high, 1);
}

static void chance_has_a_limit(void **state)
{
    (void)state;
    assert_false(bt_rate_above_chance(5, 5));
    assert_false(bt_rate_above_chance(120, 100));
    assert_true(bt_rate_above_chance(180, 100));
    assert_true(bt_rate_above_chance(1, 0));
    for (double expected = 0.5; expected < 1e6; expected *= 3) {
        double limit = bt_rate_chance_limit(expected);
        assert_false(bt_rate_above_chance(limit * 0.999, expected));
        assert_true(bt_rate_above_chance(limit * 1.001, expected));
    }
    assert_false(bt_rate_above(29, 29, 0.5)); /* 2^-29 is more than a billionth */
    assert_true(bt_rate_above(30, 30, 0.5));
    assert_false(bt_rate_above(55, 100, 0.5));
    assert_false(bt_rate_above(0, 0, 0.5));
    assert_true(bt_rate_correlation_limit(2) == 1);
    assert_near(bt_rate_correlation_limit(10001), 0.062);
}

static void worst_records_are_kept_in_order(void **state)
{
    (void)state;
    bt_worst worst = {0};
    static const double shares[] = {0.1, 0.5, 0.5, 0.2, 0.9, 0.1, 0.5, 0.05};
    for (int i = 0; i < 8; i++)
        bt_worst_add(&worst, shares[i], i + 1);
    static const int64_t rows[] = {5, 2, 3, 7, 4};
    assert_int_equal(worst.count, BT_WORST_MOST);
    for (size_t i = 0; i < BT_WORST_MOST; i++)
        assert_int_equal(worst.rows[i], rows[i]);
}

/* ---- re-identification ---- */

static const char people[] = "age,city,disease\n20,Bonn,flu\n30,Köln,cold\n40,Bonn,flu\n"
                             "40,Köln,gout\n";
#define PEOPLE_COLUMNS                                                                             \
    TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease")

static const char two_and_two[] = "age,city,disease\n\"[20,30]\",{Bonn|Köln},flu\n"
                                  "\"[20,30]\",{Bonn|Köln},cold\n40,{Bonn|Köln},flu\n"
                                  "40,{Bonn|Köln},gout\n";

static void classes_of_k_hide(void **state)
{
    (void)state;
    const test_release release = {.columns = PEOPLE_COLUMNS, .data = two_and_two};
    const char *folder = test_release_write("sound", &release);
    bauta_report *report = try_attacks(folder, scratch_text("people.csv", people), NULL, true);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "success", 0.5);
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "allowed", 0.5);
    assert_rate(one, "chance", 0.25);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 4);
    assert_int_equal(outcome_of(one), 1);
    assert_rate(find_result(report, "re-identification", "marketer"), "success", 0.5);
    bauta_report_free(report);
}

static void single_rows_are_found(void **state)
{
    (void)state;
    const test_release release = {
        .columns = PEOPLE_COLUMNS,
        .data = "age,city,disease\n\"[20,30]\",{Bonn|Köln},flu\n\"[20,30]\",{Bonn|Köln},cold\n"
                "40,Bonn,flu\n40,Köln,gout\n"};
    const char *folder = test_release_write("single", &release);
    bauta_report *report = try_attacks(folder, scratch_text("people.csv", people), NULL, false);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "worst", 1);
    assert_rate(one, "success", 0.75);
    assert_int_equal(outcome_of(one), 0);
    const json_t *hit = json_array_get(json_object_get(one, "worst_records"), 0);
    assert_int_equal(json_integer_value(json_object_get(hit, "row")), 3);
    bauta_report_free(report);
}

/* Who knows less finds less: by age alone only the old are two. */
static void knowing_less_helps_less(void **state)
{
    (void)state;
    const test_release release = {.columns = PEOPLE_COLUMNS, .data = people};
    const char *folder = test_release_write("raw", &release);
    const char *original = scratch_text("people.csv", people);
    bauta_report *report = try_attacks(folder, original, NULL, false);
    assert_rate(find_result(report, "re-identification", "prosecutor"), "success", 1);
    bauta_report_free(report);
    report = try_attacks(folder, original, ARGUMENTS("know=age"), false);
    assert_rate(find_result(report, "re-identification", "prosecutor"), "success", 0.75);
    bauta_report_free(report);
    report = try_attacks(folder, original, ARGUMENTS("know=city"), true);
    assert_rate(find_result(report, "re-identification", "prosecutor"), "success", 0.5);
    assert_rate(find_result(report, "re-identification", "prosecutor"), "worst", 0.5);
    bauta_report_free(report);
}

static void journalists_compare_with_everyone(void **state)
{
    (void)state;
    char public[300];
    const test_release release = {.columns = PEOPLE_COLUMNS, .data = two_and_two};
    const char *folder = test_release_write("sound", &release);
    snprintf(public, sizeof public, "public=%s",
             scratch_text("public.csv",
                          "name,city,age\na,Bonn,20\nb,Köln,30\nc,Bonn,25\nd,Bonn,40\n"
                          "e,Köln,40\nf,Bonn,40\ng,Bonn,50\nh,Köln,30\n"));
    bauta_report *report =
        try_attacks(folder, scratch_text("people.csv", people), ARGUMENTS(public), true);
    const json_t *one = find_result(report, "re-identification", "journalist");
    assert_rate(one, "worst", 1.0 / 3); /* three in the second class, four in the first */
    assert_rate(one, "success", (0.25 + 0.25 + 1.0 / 3 + 1.0 / 3) / 4);
    assert_int_equal(outcome_of(one), 1);
    one = find_result(report, "presence", NULL);
    /* a alone is 20, e alone is of Köln among those who are 40 */
    assert_rate(one, "success", (1 + 0.5 + 2.0 / 3 + 1) / 4);
    assert_rate(one, "worst", 1);
    assert_int_equal(outcome_of(one), -1);
    assert_string_equal(json_string_value(json_object_get(one, "detail")),
                        "of 8 people of the public table 1 are surely absent, 2 surely present, 2 "
                        "of them alone at an edge of a cell");
    bauta_report_free(report);
}

/* How many of a public table are surely in a release of one class. */
static int surely_present(unsigned format, const char *columns, const char *data,
                          const char *original, const char *crowd)
{
    char public[300];
    int absent = -1, sure = -1;
    const test_release release = {.format = format, .columns = columns, .data = data};
    const char *folder = test_release_write("faces", &release);
    snprintf(public, sizeof public, "public=%s", scratch_text("public.csv", crowd));
    bauta_report *report = try_attacks(folder, scratch_text("people.csv", original),
                                       ARGUMENTS(public, "attack=presence"), true);
    const json_t *one = find_result(report, "presence", NULL);
    assert_int_equal(sscanf(json_string_value(json_object_get(one, "detail")),
                            "of %*d people of the public table %d are surely absent, %d", &absent,
                            &sure),
                     2);
    bauta_report_free(report);
    return sure;
}

/* Where cells on cut points end where their class does, as in format 0, someone of the class is in
 * the first and the last cell of the grid; else someone of the whole table. */
static void cut_points_are_held_by_someone(void **state)
{
    (void)state;
    static const char columns[] =
        "{\"name\":\"age\",\"role\":\"quasi\",\"type\":\"integer\",\"cut_points\":[\"0\",\"10\","
        "\"20\",\"30\",\"40\"]}," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("s");
    static const char data[] = "age,city,s\n\"[10,39]\",Bonn,a\n\"[10,39]\",Bonn,b\n"
                               "\"[10,19]\",Köln,a\n\"[10,19]\",Köln,b\n";
    static const char original[] = "age,city,s\n15,Bonn,a\n31,Bonn,b\n16,Köln,a\n17,Köln,b\n";
    static const char crowd[] = "age,city\n15,Bonn\n16,Köln\n17,Köln\n18,Köln\n22,Bonn\n"
                                "31,Bonn\n33,Bonn\n5,Bonn\n";
    static const char one_is_old[] = "age,city\n15,Bonn\n14,Bonn\n16,Köln\n17,Köln\n18,Köln\n"
                                     "22,Bonn\n31,Bonn\n5,Bonn\n";
    assert_int_equal(surely_present(0, columns, data, original, crowd), 1);
    assert_int_equal(surely_present(1, columns, data, original, crowd), 0);
    assert_int_equal(surely_present(1, columns, data, original, one_is_old), 1);
}

/* ---- two tables ---- */

static const char pair_quasi[] = "age,city,class\n20,Bonn,1\n30,Köln,1\n40,Bonn,2\n40,Köln,2\n";
static const char pair_sensitive[] = "class,disease\n2,flu\n1,flu\n1,cold\n2,gout\n";

static void tables_link_to_bags(void **state)
{
    (void)state;
    const test_release release = {
        .columns = PEOPLE_COLUMNS, .quasi = pair_quasi, .sensitive = pair_sensitive};
    const char *folder = test_release_write("pair", &release);
    bauta_report *report = try_attacks(folder, scratch_text("people.csv", people), NULL, true);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "success", 1);
    assert_int_equal(outcome_of(one), -1);
    one = find_result(report, "re-identification", "linkage");
    assert_rate(one, "worst", 0.5);
    assert_int_equal(outcome_of(one), 1);
    bauta_report_free(report);
    const test_release weak = {.columns = PEOPLE_COLUMNS,
                               .quasi = "age,city,class\n20,Bonn,1\n30,Köln,2\n40,Bonn,2\n"
                                        "40,Köln,2\n",
                               .sensitive = "class,disease\n1,flu\n2,cold\n2,flu\n2,gout\n"};
    folder = test_release_write("weak-pair", &weak);
    report = try_attacks(folder, scratch_text("people.csv", people), NULL, false);
    assert_rate(find_result(report, "re-identification", "linkage"), "worst", 1);
    assert_rate(find_result(report, "homogeneity", NULL), "worst", 1);
    bauta_report_free(report);
}

/* By city alone each may be in either class: the mean of both bags. */
static void beliefs_are_means_of_bags(void **state)
{
    (void)state;
    const test_release release = {
        .promises = PROMISE("alpha", "0.5"),
        .columns = PEOPLE_COLUMNS,
        .quasi = "age,city,class\n20,Bonn,1\n30,Bonn,1\n40,Bonn,2\n40,Köln,2\n50,Köln,2\n60,Köln,"
                 "2\n",
        .sensitive = "class,disease\n2,flu\n1,flu\n1,cold\n2,gout\n2,cold\n2,flu\n"};
    const char *original = "age,city,disease\n20,Bonn,flu\n30,Bonn,cold\n40,Bonn,flu\n"
                           "40,Köln,gout\n50,Köln,cold\n60,Köln,flu\n";
    const char *folder = test_release_write("mixed", &release);
    bauta_report *report =
        try_attacks(folder, scratch_text("original.csv", original), ARGUMENTS("know=city"), true);
    /* Bonn: (2 * 1/2 + 1 * 2/4) / 3 each for flu; cold 2/3 * 1/2 + 1/3 * 1/4 */
    const json_t *one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "success", 3.0 / 6); /* flu for everyone */
    one = find_result(report, "re-identification", "linkage");
    assert_rate(one, "worst", 2.0 / 3 * 0.5); /* most likely the first class, then one of two */
    bauta_report_free(report);
}

/* ---- homogeneity, similarity, skewness, background ---- */

static const test_release homogeneous = {.columns = PEOPLE_COLUMNS,
                                         .data = "age,city,disease\n\"[20,40]\",Bonn,flu\n"
                                                 "\"[20,40]\",Bonn,flu\n\"[30,40]\",Köln,cold\n"
                                                 "\"[30,40]\",Köln,gout\n"};

static void one_value_is_certain(void **state)
{
    (void)state;
    static const struct {
        const char *promise;
        int outcome;
    } cases[] = {
        {PROMISE("k", "2"), -1},          {PROMISE("alpha", "0.5"), 0},
        {PROMISE("alpha", "0.5:flu"), 0}, {PROMISE("alpha", "0.5:cold"), 1},
        {PROMISE("l", "2"), 0},           {PROMISE("p", "2"), 0},
        {PROMISE("entropy-l", "2"), 0},   {PROMISE("recursive-l", "2:1.5"), 0},
        {PROMISE("t", "0.25"), 0},        {PROMISE("t", "0.5"), 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_release release = homogeneous;
        release.promises = cases[i].promise;
        const char *folder = test_release_write("homogeneous", &release);
        bauta_report *report = try_attacks(folder, scratch_text("people.csv", people),
                                           ARGUMENTS("attack=homogeneity"), cases[i].outcome != 0);
        const json_t *one = find_result(report, "homogeneity", NULL);
        assert_rate(one, "worst", 1);
        assert_rate(one, "success", 0.75); /* cold is guessed for both of the second class */
        assert_rate(one, "chance", 0.5);
        assert_string_equal(json_string_value(json_object_get(one, "detail")),
                            "certain for 2 of 4");
        if (outcome_of(one) != cases[i].outcome) fail_msg("case %zu", i);
        bauta_report_free(report);
    }
}

static void skewness_is_gain(void **state)
{
    (void)state;
    test_release release = homogeneous;
    release.promises = PROMISE("t", "0.4");
    const char *folder = test_release_write("skewed", &release);
    bauta_report *report = try_attacks(folder, scratch_text("people.csv", people),
                                       ARGUMENTS("attack=skewness"), false);
    const json_t *one = find_result(report, "skewness", NULL);
    assert_rate(one, "worst", 0.5); /* flu: all of two, half of four */
    assert_rate(one, "allowed", 0.4);
    assert_rate(one, "chance", (0.5 * 2 + 0.25 * 2) / 4);
    assert_rate(one, "success", 0.75 - 0.375); /* three of four bets are right */
    bauta_report_free(report);
}

/* Table 4 of paper 3 in small: different values, one category. */
static void similar_values_are_one_category(void **state)
{
    (void)state;
    static const char columns[] = TEST_QUASI_INTEGER(
        "age") ",{\"name\":\"disease\",\"role\":\"sensitive\",\"type\":\"text\","
               "\"categories\":[{\"name\":\"grave\",\"values\":[\"HIV\",\"cancer\"]},"
               "{\"name\":\"light\",\"values\":[\"flu\",\"cold\"]}]}";
    test_release release = {.columns = columns,
                            .promises = PROMISE("p-categories", "2"),
                            .data = "age,disease\n\"[20,30]\",HIV\n\"[20,30]\",cancer\n"
                                    "\"[40,50]\",HIV\n\"[40,50]\",flu\n"};
    char original[300];
    snprintf(original, sizeof original, "%s",
             scratch_text("ill.csv", "age,disease\n20,HIV\n30,cancer\n40,HIV\n50,flu\n"));
    bauta_report *report = try_attacks(test_release_write("similar", &release), original,
                                       ARGUMENTS("attack=similarity,homogeneity"), false);
    const json_t *one = find_result(report, "similarity", NULL);
    assert_rate(one, "worst", 1);
    assert_int_equal(outcome_of(one), 0);
    assert_int_equal(outcome_of(find_result(report, "homogeneity", NULL)), 1);
    bauta_report_free(report);
    release.data = "age,disease\n\"[20,50]\",HIV\n\"[20,50]\",cancer\n\"[20,50]\",HIV\n"
                   "\"[20,50]\",flu\n";
    report = try_attacks(test_release_write("apart", &release), original,
                         ARGUMENTS("attack=similarity"), true);
    assert_rate(find_result(report, "similarity", NULL), "worst", 0.75);
    assert_rate(find_result(report, "similarity", NULL), "allowed", 0.75);
    bauta_report_free(report);
}

static void known_members_are_struck_out(void **state)
{
    (void)state;
    test_release release = {
        .columns = PEOPLE_COLUMNS, .promises = PROMISE("alpha", "0.5"), .data = two_and_two};
    bauta_report *report =
        try_attacks(test_release_write("background", &release), scratch_text("people.csv", people),
                    ARGUMENTS("attack=background"), true);
    const json_t *one = find_result(report, "background", NULL);
    assert_rate(one, "success", 1); /* of two the other is known */
    assert_rate(one, "allowed", 1);
    bauta_report_free(report);
    release.data = "age,city,disease\n\"[20,40]\",*,flu\n\"[20,40]\",*,cold\n\"[20,40]\",*,flu\n"
                   "\"[20,40]\",*,gout\n";
    report = try_attacks(test_release_write("one", &release), scratch_text("people.csv", people),
                         ARGUMENTS("attack=background", "members=2"), true);
    one = find_result(report, "background", NULL);
    assert_rate(one, "worst", 1); /* cold and gout are known: flu is left */
    assert_rate(one, "allowed", 1);
    bauta_report_free(report);
    report = try_attacks(test_release_write("one", &release), scratch_text("people.csv", people),
                         ARGUMENTS("attack=background", "members=1"), true);
    assert_rate(find_result(report, "background", NULL), "worst", 2.0 / 3);
    bauta_report_free(report);
}

/* ---- position ---- */

enum { PAIRS = 120 };

typedef struct written {
    bt_buffer original, quasi, sensitive, data;
} written;

static void release_written(written *w)
{
    bt_buffer_release(&w->original);
    bt_buffer_release(&w->quasi);
    bt_buffer_release(&w->sensitive);
    bt_buffer_release(&w->data);
}

#define PRINT(buffer, ...) assert_ok(bt_buffer_print((buffer), &error, __VA_ARGS__), &error)

/* PAIRS classes of two; place[i] says which record stands in row i, of the sensitive table too
 * unless `apart`. number[c] is the number of class c. */
static void write_pairs(written *w, const uint32_t *place, const uint32_t *apart,
                        const uint32_t *number)
{
    bauta_error error;
    *w = (written){0};
    PRINT(&w->original, "a,s\n");
    PRINT(&w->quasi, "a,class\n");
    PRINT(&w->sensitive, "class,s\n");
    PRINT(&w->data, "a,s\n");
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        uint32_t here = place[i], there = apart[i];
        PRINT(&w->original, "%u,v%u\n", i, i % 2);
        PRINT(&w->quasi, "%u,%u\n", here, number[here / 2] + 1);
        PRINT(&w->sensitive, "%u,v%u\n", number[there / 2] + 1, there % 2);
        PRINT(&w->data, "\"[%u,%u]\",v%u\n", here / 2 * 2, here / 2 * 2 + 1, here % 2);
    }
}

static bauta_report *attack_pairs(written *w, bool two_tables, bool expected)
{
    bauta_error error;
    bt_buffer *texts[] = {&w->original, &w->quasi, &w->sensitive, &w->data};
    for (size_t i = 0; i < 4; i++)
        assert_ok(bt_buffer_add(texts[i], "", 1, &error), &error);
    const test_release release = {.columns = TEST_QUASI_INTEGER("a") "," TEST_SENSITIVE("s"),
                                  .quasi = two_tables ? w->quasi.bytes : NULL,
                                  .sensitive = two_tables ? w->sensitive.bytes : NULL,
                                  .data = w->data.bytes};
    const char *folder = test_release_write(two_tables ? "order-pair" : "order", &release);
    return try_attacks(folder, scratch_text("order.csv", w->original.bytes),
                       ARGUMENTS("attack=position"), expected);
}

static void fill(uint32_t *numbers, uint32_t count, const char *label)
{
    const bt_seed seed = {{7}};
    bt_stream stream;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    bt_stream_init(&stream, &seed, label ? label : "", 0);
    if (label) bt_stream_permutation(&stream, numbers, count);
}

/* Tables 5 and 6 of paper 1 are printed in the same order: line i with line i is a record. */
static void same_order_is_noticed(void **state)
{
    (void)state;
    uint32_t place[2 * PAIRS], other[2 * PAIRS], number[PAIRS];
    written w;
    fill(place, 2 * PAIRS, "rows");
    fill(number, PAIRS, "classes");
    write_pairs(&w, place, place, number);
    bauta_report *report = attack_pairs(&w, true, false);
    assert_rate(find_result(report, "position", "tables"), "success", 1);
    assert_int_equal(outcome_of(find_result(report, "position", "tables")), 0);
    assert_int_equal(outcome_of(find_result(report, "position", "within classes")), 0);
    assert_int_equal(outcome_of(find_result(report, "position", "rows")), 1);
    bauta_report_free(report);
    release_written(&w);
    fill(other, 2 * PAIRS, "others");
    write_pairs(&w, place, other, number);
    report = attack_pairs(&w, true, true);
    assert_int_equal(outcome_of(find_result(report, "position", "tables")), 1);
    bauta_report_free(report);
    report = attack_pairs(&w, false, true);
    bauta_report_free(report);
    release_written(&w);
}

static void order_of_the_original_is_noticed(void **state)
{
    (void)state;
    uint32_t place[2 * PAIRS], other[2 * PAIRS], number[PAIRS];
    written w;
    fill(place, 2 * PAIRS, NULL);
    fill(other, 2 * PAIRS, "others");
    fill(number, PAIRS, "classes");
    write_pairs(&w, place, other, number);
    for (int two_tables = 0; two_tables < 2; two_tables++) {
        bauta_report *report = attack_pairs(&w, two_tables, false);
        assert_rate(find_result(report, "position", "rows"), "success", 1);
        assert_int_equal(outcome_of(find_result(report, "position", "rows")), 0);
        assert_int_equal(outcome_of(find_result(report, "position", "order")), 0);
        assert_int_equal(outcome_of(find_result(report, "position", "neighbours")), 0);
        assert_int_equal(outcome_of(find_result(report, "position", "sorted")), 0);
        bauta_report_free(report);
    }
    release_written(&w);
}

static void class_numbers_in_order_are_noticed(void **state)
{
    (void)state;
    uint32_t place[2 * PAIRS], other[2 * PAIRS], number[PAIRS];
    written w;
    fill(place, 2 * PAIRS, "rows");
    fill(other, 2 * PAIRS, "others");
    fill(number, PAIRS, NULL);
    write_pairs(&w, place, other, number);
    bauta_report *report = attack_pairs(&w, true, false);
    assert_rate(find_result(report, "position", "class numbers"), "success", 1);
    assert_int_equal(outcome_of(find_result(report, "position", "class numbers")), 0);
    assert_int_equal(outcome_of(find_result(report, "position", "tables")), 1);
    bauta_report_free(report);
    release_written(&w);
}

static void source_formatting_is_noticed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "age,city,disease\n\"40\",Bonn,flu\n40,Bonn,flu\n40,Bonn,cold\n",
        "age,city,disease\n40,{Köln|Bonn},flu\n40,{Köln|Bonn},flu\n40,{Köln|Bonn},cold\n",
        "age,city,disease\n040,Bonn,flu\n40,Bonn,flu\n40,Bonn,cold\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const test_release release = {.columns = PEOPLE_COLUMNS, .data = texts[i]};
        const char *folder = test_release_write("formatted", &release);
        bauta_report *report = try_attacks(folder, scratch_text("people.csv", people),
                                           ARGUMENTS("attack=position"), false);
        assert_int_equal(outcome_of(find_result(report, "position", "files")), 0);
        bauta_report_free(report);
    }
}

/* ---- minimality, downcoding, intersection ---- */

/* The example of Wong, Fu, Wang and Pei, many times: two persons q1 with HIV, five persons q2
 * without. Only when both are q1 does q1 by itself fail; so that is what it must have been. */
static bauta_report *attack_minimal(const char *k, bool expected)
{
    enum { BLOCKS = 40 };
    bt_buffer original = {0}, data = {0};
    bauta_error error;
    char promises[120];
    PRINT(&original, "block,q,s\n");
    PRINT(&data, "block,q,s\n");
    for (int block = 0; block < BLOCKS; block++)
        for (int i = 0; i < 7; i++) {
            const char *value = i < 2 ? "HIV" : i < 4 ? "flu" : "cold";
            PRINT(&original, "%d,%d,%s\n", block, i < 2 ? 1 : 2, value);
            PRINT(&data, "%d,\"[1,2]\",%s\n", block, value);
        }
    snprintf(promises, sizeof promises, PROMISE("k", "%s") "," PROMISE("alpha", "0.5:HIV"), k);
    assert_ok(bt_buffer_add(&original, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&data, "", 1, &error), &error);
    const test_release release = {
        .columns = TEST_QUASI_INTEGER("block") "," TEST_QUASI_INTEGER("q") "," TEST_SENSITIVE("s"),
        .promises = promises,
        .data = data.bytes};
    const char *folder = test_release_write("minimal", &release);
    bauta_report *report = try_attacks(folder, scratch_text("minimal.csv", original.bytes),
                                       ARGUMENTS("attack=minimality"), expected);
    bt_buffer_release(&original);
    bt_buffer_release(&data);
    return report;
}

static void minimal_classes_tell_why(void **state)
{
    (void)state;
    bauta_report *report = attack_minimal("2", false);
    const json_t *one = find_result(report, "minimality", NULL);
    assert_rate(one, "worst", 1);
    assert_string_equal(
        json_string_value(json_object_get(one, "detail")),
        "80 claims beyond what is allowed, 80 of them true; 80 follow for certain; 40 of 40 "
        "classes tried");
    assert_int_equal(outcome_of(one), 0);
    bauta_report_free(report);
    report = attack_minimal("3", true); /* the size alone forbids q1 */
    one = find_result(report, "minimality", NULL);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 0);
    assert_int_equal(outcome_of(one), -1);
    bauta_report_free(report);
}

static void tight_cells_are_made_finer(void **state)
{
    (void)state;
    test_release release = {.columns = PEOPLE_COLUMNS, .data = two_and_two};
    bauta_report *report =
        try_attacks(test_release_write("tight", &release), scratch_text("people.csv", people),
                    ARGUMENTS("attack=downcoding"), true);
    const json_t *one = find_result(report, "downcoding", NULL);
    assert_rate(one, "success", 1); /* two rows, two ends, in each class */
    assert_string_equal(json_string_value(json_object_get(one, "detail")),
                        "4 of 4 claims are true; members are known of 2 of 2 classes");
    assert_int_equal(outcome_of(one), -1);
    bauta_report_free(report);
    /* a box on a grid, with nobody at its ends */
    release.columns = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease");
    release.data = "age,disease\n\"[10,50]\",flu\n\"[10,50]\",cold\n\"[10,50]\",gout\n";
    const char *original =
        scratch_text("grid.csv", "age,disease\n20,flu\n30,cold\n40,gout\n10,a\n50,b\n");
    report = try_attacks(test_release_write("grid", &release), original,
                         ARGUMENTS("attack=downcoding"), true);
    assert_int_equal(
        json_integer_value(json_object_get(find_result(report, "downcoding", NULL), "tried")), 0);
    bauta_report_free(report);
}

/* Of a set each value is claimed by itself, so that who has it alone is found. */
static void sets_are_made_finer(void **state)
{
    (void)state;
    test_release release = {.columns = TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease"),
                            .data = "city,disease\n{a|b|d},flu\n{a|b|d},cold\n{a|b|d},gout\n"
                                    "{a|b|d},flu\n{a|b|d},cold\nc,flu\nc,cold\n"};
    bauta_report *report = try_attacks(
        test_release_write("sets", &release),
        scratch_text("sets.csv",
                     "city,disease\nb,cold\na,flu\nd,gout\na,flu\na,cold\nc,flu\nc,cold\n"),
        ARGUMENTS("attack=downcoding"), true);
    const json_t *one = find_result(report, "downcoding", NULL);
    assert_string_equal(json_string_value(json_object_get(one, "detail")),
                        "3 of 3 claims are true; members are known of 2 of 2 classes");
    assert_rate(one, "success", 3.0 / 7);
    assert_int_equal(json_array_size(json_object_get(one, "worst_records")), 2);
    bauta_report_free(report);
}

static void two_releases_say_more(void **state)
{
    (void)state;
    char other[300], original[300];
    snprintf(original, sizeof original, "%s",
             scratch_text("four.csv", "age,disease\n1,flu\n2,cold\n3,gout\n4,HIV\n"));
    const test_release first = {.columns = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease"),
                                .promises = PROMISE("k", "2") "," PROMISE("alpha", "0.5"),
                                .data = "age,disease\n\"[1,2]\",flu\n\"[1,2]\",cold\n"
                                        "\"[3,4]\",gout\n\"[3,4]\",HIV\n"};
    test_release second = first;
    second.data = "age,disease\n1,flu\n\"[2,3]\",cold\n\"[2,3]\",gout\n4,HIV\n";
    snprintf(other, sizeof other, "other-release=%s", test_release_write("second", &second));
    const char *folder = test_release_write("first", &first);
    bauta_report *report =
        try_attacks(folder, original, ARGUMENTS(other, "attack=intersection"), false);
    assert_rate(find_result(report, "intersection", "identity"), "success", 1);
    const json_t *one = find_result(report, "intersection", "values");
    assert_rate(one, "success", 1);
    assert_int_equal(outcome_of(one), 0);
    bauta_report_free(report);
    /* the same release again says nothing new */
    snprintf(other, sizeof other, "other-release=%s", test_release_write("again", &first));
    folder = test_release_write("first", &first);
    report = try_attacks(folder, original, ARGUMENTS(other, "attack=intersection"), true);
    assert_rate(find_result(report, "intersection", "identity"), "worst", 0.5);
    assert_rate(find_result(report, "intersection", "values"), "worst", 0.5);
    bauta_report_free(report);
}

/* ---- what is asked for ---- */

static bauta_status ask(const char *folder, const char *original, const char *argument,
                        bauta_error *error)
{
    bauta_recipe *recipe;
    const char *const arguments[] = {argument};
    assert_ok(bauta_recipe_new(&recipe, error), error);
    if (original) assert_ok(bauta_recipe_set(recipe, "input", original, error), error);
    bauta_status status = bauta_attack(folder, recipe, arguments, argument != NULL, NULL, error);
    bauta_recipe_free(recipe);
    return status;
}

static void wrong_wishes_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const test_release release = {.columns = PEOPLE_COLUMNS, .data = two_and_two};
    const char *folder = test_release_write("asked", &release);
    const char *original = scratch_text("people.csv", people);
    assert_fails(ask(folder, NULL, NULL, &error), BAUTA_USAGE, &error, "original records");
    assert_fails(ask(NULL, original, NULL, &error), BAUTA_USAGE, &error, "a release is needed");
    assert_fails(ask(folder, original, "attack=homogenity", &error), BAUTA_USAGE, &error,
                 "there is no attack");
    assert_string_equal(error.hint, "did you mean 'homogeneity'?");
    assert_fails(ask(folder, original, "attack=presence", &error), BAUTA_USAGE, &error,
                 "it needs a public table");
    assert_fails(ask(folder, original, "know=agee", &error), BAUTA_USAGE, &error,
                 "no quasi column 'agee'");
    assert_string_equal(error.hint, "did you mean 'age'?");
    assert_fails(ask(folder, original, "know=ward", &error), BAUTA_USAGE, &error,
                 "no quasi column 'ward', nor one beside them");
    assert_fails(ask(folder, original, "members=0", &error), BAUTA_USAGE, &error, "at least 1");
    assert_fails(ask(folder, scratch_text("short.csv", "age,city\n1,a\n"), NULL, &error),
                 BAUTA_INVALID, &error, "disease");
}

static void what_does_not_apply_says_why(void **state)
{
    (void)state;
    const test_release release = {.columns = PEOPLE_COLUMNS, .data = two_and_two};
    const char *folder = test_release_write("asked", &release);
    const char *original = scratch_text("people.csv", people);
    bauta_report *report = try_attacks(folder, original, ARGUMENTS("all=yes"), true);
    const json_t *one = find_result(report, "presence", NULL);
    assert_string_equal(json_string_value(json_object_get(one, "skipped")),
                        "it needs a public table");
    assert_non_null(json_object_get(find_result(report, "similarity", NULL), "skipped"));
    assert_non_null(json_object_get(find_result(report, "minimality", NULL), "skipped"));
    bauta_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_wilsons),
        cmocka_unit_test(chance_has_a_limit),
        cmocka_unit_test(worst_records_are_kept_in_order),
        cmocka_unit_test(classes_of_k_hide),
        cmocka_unit_test(single_rows_are_found),
        cmocka_unit_test(knowing_less_helps_less),
        cmocka_unit_test(journalists_compare_with_everyone),
        cmocka_unit_test(cut_points_are_held_by_someone),
        cmocka_unit_test(tables_link_to_bags),
        cmocka_unit_test(beliefs_are_means_of_bags),
        cmocka_unit_test(one_value_is_certain),
        cmocka_unit_test(skewness_is_gain),
        cmocka_unit_test(similar_values_are_one_category),
        cmocka_unit_test(known_members_are_struck_out),
        cmocka_unit_test(same_order_is_noticed),
        cmocka_unit_test(order_of_the_original_is_noticed),
        cmocka_unit_test(class_numbers_in_order_are_noticed),
        cmocka_unit_test(source_formatting_is_noticed),
        cmocka_unit_test(minimal_classes_tell_why),
        cmocka_unit_test(tight_cells_are_made_finer),
        cmocka_unit_test(sets_are_made_finer),
        cmocka_unit_test(two_releases_say_more),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(what_does_not_apply_says_why),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
