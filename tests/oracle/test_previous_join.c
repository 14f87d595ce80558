/* SPDX-License-Identifier: Apache-2.0
 *
 * Earlier releases beside a new one with a public table: what --previous refuses, record by record.
 */
#define SCRATCH_IN_MEMORY
#include "../join_twin.h"

/* The values that the earlier release leaves possible for someone. */
static void find_possible(const twin *earlier, const person *who, bool *possible)
{
    for (int r = 0; r < earlier->row_count; r++)
        for (int v = 0; v < VALUES; v++)
            if (is_inside(&earlier->rows[r], who) && earlier->bag[earlier->rows[r].group][v] > 0)
                possible[v] = true;
}

/* Whether what the earlier release leaves of a record's people or values is too little. */
static bool is_exposed(const twin *t, const twin *earlier, int i, const row *own)
{
    bool possible[VALUES] = {false};
    int people = 0, left = 0, all = 0;
    find_possible(earlier, &t->people[i], possible);
    if (!possible[t->people[i].value]) return false; /* not in both */
    for (int j = 0; j < t->count; j++) {
        bool there = false;
        for (int r = 0; r < earlier->row_count; r++)
            there = there || is_inside(&earlier->rows[r], &t->people[j]);
        people += there && is_inside(own, &t->people[j]);
    }
    for (int v = 0; v < VALUES; v++) {
        all += t->bag[own->group][v];
        left += possible[v] ? t->bag[own->group][v] : 0;
    }
    return people < t->k || (left < all && left < t->k);
}

/* Whether what is left of the values that the earlier release shows for a record is too little. */
static bool is_betrayed(const twin *t, const twin *earlier, int i, const row *own)
{
    bool possible[VALUES] = {false};
    int left = 0;
    find_possible(earlier, &t->people[i], possible);
    if (!possible[t->people[i].value]) return false;
    for (int v = 0; v < VALUES; v++)
        left += possible[v] && t->bag[own->group][v] > 0;
    return left < earlier->l;
}

static void earlier_releases_are_checked(void **state)
{
    (void)state;
    static twin earlier, t;
    uint64_t random = 6;
    int refused = 0, accepted = 0, for_earlier = 0;
    for (int trial = 0; trial < 150; trial++) {
        bauta_error error;
        char before[400], few[300];
        bool exposed = false, betrayed = false;
        make_people(&t, &random, 30, 30 + (int)test_below(&random, 60), 12);
        earlier = t;
        earlier.k = t.k = 2 + (int)test_below(&random, 2);
        earlier.l = (int)test_below(&random, 3);
        t.l = 0;
        snprintf(few, sizeof few, "%s", public_file);
        if (trial % 3 == 0) /* another public table: only its head */
            snprintf(few, sizeof few, "%s",
                     scratch_text("few.csv", "name,a,b\nq1,3,t0\nq2,5,t1\nq3,7,t2\n"));
        char all[300];
        snprintf(all, sizeof all, "%s", public_file);
        snprintf(public_file, sizeof public_file, "%s", few);
        use_new_folder(NULL);
        assert_ok(release_people(&earlier, "refine", "mondrian", NULL, &error), &error);
        read_release(&earlier);
        snprintf(before, sizeof before, "%s", publish);
        snprintf(public_file, sizeof public_file, "%s", all);
        use_new_folder(NULL);
        use_seed(trial);
        assert_ok(release_people(&t, "refine", "mondrian:order=round-robin", NULL, &error), &error);
        read_release(&t);
        for (int i = 0; i < t.records; i++)
            for (int r = 0; r < t.row_count; r++)
                if (is_first(&t, r) && is_inside(&t.rows[r], &t.people[i])) {
                    exposed = exposed || is_exposed(&t, &earlier, i, &t.rows[r]);
                    betrayed = betrayed || is_betrayed(&t, &earlier, i, &t.rows[r]);
                }
        use_new_folder(NULL);
        bauta_status status =
            release_people(&t, "refine", "mondrian:order=round-robin", before, &error);
        if (status != (exposed || betrayed ? BAUTA_NO : BAUTA_OK))
            fail_msg("%d: %s", trial, error.message);
        refused += exposed;
        for_earlier += betrayed && !exposed;
        accepted += !exposed && !betrayed;
    }
    assert_true(refused > 5);
    assert_true(for_earlier > 5);
    assert_true(accepted > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(earlier_releases_are_checked),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
