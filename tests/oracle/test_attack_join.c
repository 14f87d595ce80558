/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on releases with a public table against their definitions: every person against every
 * published row, on small random tables. Over many seeds trim=paper gives people away and trim=safe
 * doubles the odds at most; nothing in orders and numbers is above chance.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../join_twin.h"

#include "attack/rate.h"

#include <math.h>

typedef struct expected {
    double success, worst;
} expected;

static void add(expected *to, double probability)
{
    to->success += probability;
    to->worst = fmax(to->worst, probability);
}

static void assert_expected(const bauta_report *report, const char *attack, const char *variant,
                            expected wanted, int count)
{
    const json_t *one = find_result(report, attack, variant);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), count);
    assert_rate(one, "success", wanted.success / count);
    assert_rate(one, "worst", wanted.worst);
}

static void compare_identity(const twin *t, const bauta_report *report)
{
    expected prosecutor = {0, 0}, absent = {0, 0}, journalist = {0, 0};
    for (int i = 0; i < t->records; i++) {
        int rows = 0, people = 0;
        for (int r = 0; r < t->row_count; r++) {
            if (!is_inside(&t->rows[r], &t->people[i])) continue;
            rows++;
            if (is_first(t, r)) people += count_people(t, &t->rows[r], t->records);
        }
        add(&prosecutor, 1.0 / rows);
        add(&absent, 1.0 / people);
    }
    for (int r = 0; r < t->row_count; r++)
        add(&journalist, 1.0 / count_people(t, &t->rows[r], t->count));
    assert_expected(report, "re-identification", "prosecutor", prosecutor, t->records);
    assert_expected(report, "re-identification", "absent", absent, t->records);
    assert_expected(report, "re-identification", "journalist", journalist, t->row_count);
}

static double presence_in(const twin *t, const row *one)
{
    double records = 0, rows = count_rows(t, one), people = count_people(t, one, t->count);
    for (int i = 0; i < t->row_count; i++) {
        int group = t->rows[i].group;
        if (!same_cells(&t->rows[i], one)) continue;
        records += t->values ? (double)t->bag_size[group] / t->group_rows[group]
                             : fmin(1, (double)t->records / t->row_count);
    }
    return fmin(1, fmax(1, records) / fmax(rows, people));
}

/* The belief about someone. */
static double presence_of(const twin *t, const person *who)
{
    double best = 0;
    for (int r = 0; r < t->row_count; r++)
        if (is_inside(&t->rows[r], who)) best = fmax(best, presence_in(t, &t->rows[r]));
    return best;
}

static void compare_presence(const twin *t, const bauta_report *report)
{
    expected presence = {0, 0};
    for (int i = 0; i < t->count; i++) {
        double sure = presence_of(t, &t->people[i]);
        presence.worst = fmax(presence.worst, sure);
        if (i < t->records) presence.success += sure;
    }
    assert_expected(report, "presence", NULL, presence, t->records);
}

static bool is_in_group(const twin *t, const person *who, int group)
{
    for (int r = 0; r < t->row_count; r++)
        if (t->rows[r].group == group && is_inside(&t->rows[r], who)) return true;
    return false;
}

/* Whether someone alone of those in a sensitive group has an end of its numbers, or a text. */
static bool is_certain(const twin *t, int i)
{
    for (int group = 1; group <= t->groups; group++) {
        int lower = 0, higher = 0, same = 0, texts = 0;
        if (!is_in_group(t, &t->people[i], group)) continue;
        for (int j = 0; j < t->count; j++) {
            if (j == i || !is_in_group(t, &t->people[j], group)) continue;
            lower += t->people[j].number < t->people[i].number;
            higher += t->people[j].number > t->people[i].number;
            same += t->people[j].number == t->people[i].number;
            texts += t->people[j].text == t->people[i].text;
        }
        if ((same == 0 && (lower == 0 || higher == 0)) || texts == 0) return true;
        if (t->bag_size[group] >= lower + higher + same + 1 &&
            t->bag_size[group] >= t->group_rows[group])
            return true; /* there is nobody else */
    }
    return false;
}

static int compare_edges(const twin *t, const bauta_report *report)
{
    int claims = 0;
    for (int i = 0; i < t->count; i++) {
        bool certain = is_certain(t, i);
        claims += certain;
        if (certain && i >= t->records) fail_msg("person %d is no record", i);
    }
    const json_t *one = find_result(report, "presence", "edges");
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), claims);
    if (claims) assert_rate(one, "success", 1);
    return claims;
}

/* Whether someone alone holds a side of a box with more than k rows, all of whose people are known,
 * and is not certain anyway. */
static int count_spared(const twin *t, int r)
{
    const row *one = &t->rows[r];
    int size = count_rows(t, one), spared = 0;
    if (size <= t->k || count_people(t, one, t->count) != size) return 0;
    for (int i = 0; i < t->count; i++) {
        int number = 0, text = 0;
        if (!is_inside(one, &t->people[i])) continue;
        for (int j = 0; j < t->count; j++) {
            if (!is_inside(one, &t->people[j])) continue;
            number += t->people[j].number == t->people[i].number;
            text += t->people[j].text == t->people[i].text;
        }
        bool end = t->people[i].number == one->lo || t->people[i].number == one->hi;
        bool alone = (end && number == 1 && one->lo < one->hi) ||
                     (text == 1 && (one->texts & (one->texts - 1)));
        spared += alone && !is_certain(t, i) && presence_in(t, one) < 1;
    }
    return spared;
}

static int compare_trimming(const twin *t, const bauta_report *report)
{
    int claims = 0;
    for (int r = 0; r < t->row_count; r++)
        if (is_first(t, r)) claims += count_spared(t, r);
    const json_t *one = find_result(report, "presence", "trimming");
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), claims);
    if (claims) assert_rate(one, "success", 1);
    return claims;
}

/* The belief about the values of a record. */
static void compare_values(const twin *t, const bauta_report *report)
{
    double worst = 0, worst_link = 0;
    int right = 0;
    for (int i = 0; i < t->records; i++) {
        double share[VALUES] = {0}, best_link = 0;
        int rows = 0, top = 0, in[PEOPLE] = {0};
        for (int r = 0; r < t->row_count; r++) {
            int group = t->rows[r].group;
            if (!is_inside(&t->rows[r], &t->people[i])) continue;
            rows++;
            in[group]++;
            for (int v = 0; v < VALUES; v++)
                share[v] += (double)t->bag[group][v] / t->bag_size[group];
        }
        for (int v = 1; v < VALUES; v++)
            if (share[v] > share[top] + 1e-9) top = v;
        right += top == t->people[i].value;
        worst = fmax(worst, share[top] / rows);
        for (int r = 0; r < t->row_count; r++) {
            int group = t->rows[r].group, cells = 0;
            if (!is_inside(&t->rows[r], &t->people[i])) continue;
            for (int n = 0; n < t->row_count; n++)
                cells += t->rows[n].group == group && same_cells(&t->rows[n], &t->rows[r]);
            best_link = fmax(best_link, (double)cells / rows / t->bag_size[group]);
        }
        worst_link = fmax(worst_link, best_link);
    }
    const json_t *one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "worst", worst);
    assert_rate(one, "success", (double)right / t->records);
    assert_rate(find_result(report, "re-identification", "linkage"), "worst", worst_link);
}

/* ---- the same tables ---- */

static bauta_report *attack_release(const char *only, bool key)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_recipe *recipe =
        make_recipe(records_file, SETTINGS({"threads", "1"}, {"public", public_file},
                                           {key ? "key" : NULL, "name"}));
    const char *const arguments[] = {only};
    bauta_status status = bauta_attack(publish, recipe, arguments, only != NULL, &report, &error);
    if (status != BAUTA_OK || !report) fail_msg("%d: %s", status, error.message);
    bauta_recipe_free(recipe);
    return report;
}

static void rates_are_as_defined(void **state)
{
    (void)state;
    static const char *const joins[] = {"refine", "refine:trim=paper", "refine:trim=safe",
                                        "direct"};
    static twin t;
    uint64_t random = 5;
    int certain = 0, spared = 0;
    for (int trial = 0; trial < 120; trial++) {
        bauta_error error;
        const char *join = joins[trial % 4];
        int records = 10 + (int)test_below(&random, RECORDS - 10);
        t.k = 2 + (int)test_below(&random, 3);
        make_people(&t, &random, records, records + 20 + (int)test_below(&random, 100), 40);
        use_new_folder(NULL);
        assert_ok(
            release_people(&t, join, test_below(&random, 3) ? "mondrian" : "cluster", NULL, &error),
            &error);
        read_release(&t);
        bauta_report *report = attack_release(NULL, true);
        compare_identity(&t, report);
        compare_presence(&t, report);
        if (t.refined) certain += compare_edges(&t, report);
        if (t.values) compare_values(&t, report);
        if (strstr(join, "paper")) spared += compare_trimming(&t, report);
        bauta_report_free(report);
    }
    assert_true(certain > 100);
    assert_true(spared > 20);
}

/* ---- what is certain ---- */

/* A table with gaps; everyone has a place in the public one. */
static void make_gaps(uint64_t *random, int records, int count)
{
    bt_buffer mine = {0}, theirs = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&mine, &error, "name,a,b,s\n"), &error);
    assert_ok(bt_buffer_print(&theirs, &error, "name,a,b\n"), &error);
    for (int i = 0; i < count; i++) {
        char cells[32] = ",";
        int number = (int)test_below(random, 60), text = i < 3 ? i : (int)test_below(random, 3);
        if (i < 3 || test_below(random, 12) > 0)
            snprintf(cells, sizeof cells, "%d,t%d", number, text);
        else if (test_below(random, 2))
            snprintf(cells, sizeof cells, "%d,", number);
        assert_ok(bt_buffer_print(&theirs, &error, "p%d,%s\n", i, cells), &error);
        if (i < records)
            assert_ok(bt_buffer_print(&mine, &error, "p%d,%s,v%d\n", i, cells, i % VALUES), &error);
    }
    keep_tables(&mine, &theirs);
}

/* Whatever the columns are like, who is claimed to be a record for certain is one. */
static void certain_claims_are_true(void **state)
{
    (void)state;
    static const setting ways[][2] = {
        {{NULL, NULL}, {NULL, NULL}},
        {{"hierarchy", "a=intervals:5,20"}, {NULL, NULL}},
        {{"hierarchy", "a=intervals:5,20"}, {"hierarchy", "b=flat"}},
        {{"hierarchy", "a=intervals:5,20"}, {"min-level", "a=1"}},
    };
    uint64_t random = 7;
    int64_t claims[4] = {0};
    for (int trial = 0; trial < 80; trial++) {
        bauta_error error;
        const setting *way = ways[trial % 4];
        make_gaps(&random, 20 + (int)test_below(&random, 60), 200);
        use_new_folder(NULL);
        const setting settings[SETTINGS_MOST] = {
            {"seed-file", seed_file},
            {"threads", "1"},
            {"public", public_file},
            {"key", "name"},
            {"quasi", "a,b"},
            {"sensitive", "s"},
            {"require", "k=3"},
            {"group", test_below(&random, 3) ? "mondrian" : "cluster"},
            {"join", test_below(&random, 2) ? "refine" : "refine:trim=paper"},
            way[0],
            way[0].key ? way[1] : way[0]};
        assert_ok(run(records_file, settings, NULL, &error), &error);
        bauta_report *report = attack_release("attack=presence", test_below(&random, 2));
        for (size_t i = 0; i < json_array_size(report->facts.root); i++) {
            const json_t *one = json_array_get(report->facts.root, i);
            int64_t tried = json_integer_value(json_object_get(one, "tried"));
            if (!json_object_get(one, "variant") || tried == 0) continue;
            claims[trial % 4] += tried;
            if (rate_of(one, "success") < 1)
                fail_msg("trial %d: %s", trial, json_string_value(json_object_get(one, "variant")));
        }
        bauta_report_free(report);
    }
    for (int i = 0; i < 4; i++)
        if (claims[i] == 0) fail_msg("way %d: nothing is claimed", i);
}

/* A text that only the public table and the hierarchy have is no fault of either. */
static void public_texts_may_be_of_the_hierarchy(void **state)
{
    (void)state;
    char tree[300];
    snprintf(records_file, sizeof records_file, "%s",
             scratch_text("records.csv", "name,a,b,s\np1,1,t0,v0\np2,1,t1,v1\np3,2,t0,v0\n"));
    snprintf(public_file, sizeof public_file, "%s",
             scratch_text("public.csv", "name,a,b\np1,1,t0\nq1,1,t2\nq2,2,t2\n"));
    snprintf(tree, sizeof tree, "b=%s", scratch_text("tree.csv", "t0;x;*\nt1;x;*\nt2;y;*\n"));
    use_new_folder(NULL);
    json_decref(anonymize(records_file,
                          SETTINGS({"public", public_file}, {"key", "name"}, {"quasi", "a,b"},
                                   {"sensitive", "s"}, {"require", "k=2"}, {"hierarchy", tree})));
    bauta_report_free(attack_release(NULL, true));
}

/* ---- many seeds ---- */

/* A table in order, and a public one of ten times as many, in order. */
static void make_ordered(int records)
{
    bt_buffer mine = {0}, theirs = {0};
    bauta_error error;
    uint64_t random = 9;
    assert_ok(bt_buffer_print(&mine, &error, "name,a,b,s\n"), &error);
    assert_ok(bt_buffer_print(&theirs, &error, "name,a,b\n"), &error);
    for (int i = 0; i < 10 * records; i++) {
        int b = (int)test_below(&random, 50);
        assert_ok(bt_buffer_print(&theirs, &error, "p%d,%d,%d\n", i, i / 10, b), &error);
        if (test_below(&random, 10) == 0)
            assert_ok(bt_buffer_print(&mine, &error, "p%d,%d,%d,v%d\n", i, i / 10, b, i % 4),
                      &error);
    }
    keep_tables(&mine, &theirs);
}

static void trimming_is_read_backwards(void **state)
{
    (void)state;
    enum { SEEDS = 30 };
    static twin t = {.k = 3};
    make_ordered(300);
    for (int safe = 0; safe < 2; safe++) {
        double tried = 0, right = 0, before = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            bauta_error error;
            use_seed(seed);
            use_new_folder(NULL);
            assert_ok(release_people(&t, safe ? "refine:trim=safe" : "refine:trim=paper",
                                     "mondrian", NULL, &error),
                      &error);
            bauta_report *report = attack_release("attack=presence", true);
            const json_t *one = find_result(report, "presence", "trimming");
            double claims = (double)json_integer_value(json_object_get(one, "tried"));
            assert_int_not_equal(outcome_of(one), 0);
            tried += claims;
            right += claims * rate_of(one, "success");
            before += claims * rate_of(one, "chance");
            bauta_report_free(report);
        }
        double share = before / tried, doubled = 2 * share / (1 + share);
        if (safe) {
            assert_true(right > before); /* something is learnt */
            assert_false(bt_rate_above_chance(right, doubled * tried));
        } else {
            assert_true(fabs(right - tried) < 1e-6);
            assert_true(share < 0.6);
        }
        assert_true(tried > 5 * SEEDS);
    }
}

static void positions_say_nothing(void **state)
{
    (void)state;
    enum { SEEDS = 40 };
    static const char *const joins[] = {"refine", "direct", "refine:trim=safe"};
    static twin t = {.k = 4};
    make_ordered(150);
    for (int seed = 0; seed < SEEDS; seed++) {
        bauta_error error;
        use_seed(seed);
        use_new_folder(NULL);
        assert_ok(release_people(&t, joins[seed % 3], "mondrian", NULL, &error), &error);
        bauta_report *report = attack_release("attack=position", seed % 2);
        const json_t *list = report->facts.root;
        assert_true(json_array_size(list) >= 6);
        for (size_t i = 0; i < json_array_size(list); i++)
            if (outcome_of(json_array_get(list, i)) == 0)
                fail_msg("seed %d: %s", seed,
                         json_string_value(json_object_get(json_array_get(list, i), "variant")));
        bauta_report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_as_defined),
        cmocka_unit_test(certain_claims_are_true),
        cmocka_unit_test(public_texts_may_be_of_the_hierarchy),
        cmocka_unit_test(trimming_is_read_backwards),
        cmocka_unit_test(positions_say_nothing),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
