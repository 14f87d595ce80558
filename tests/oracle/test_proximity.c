/* SPDX-License-Identifier: Apache-2.0
 *
 * Proximity against its definition: every person against every published row, every pair of values
 * as a range, and what the promises allow for it, on small random tables of numbers.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"
#include "../release_files.h"

#include <math.h>

enum { ROWS = 60, MOST = 400 }; /* values are below MOST */

typedef struct twin {
    int people, quasi[ROWS], value[ROWS]; /* -1: missing */
    int rows, lo[ROWS], hi[ROWS], published[ROWS];
    int least, greatest;
    int percent;
} twin;

static const char *make_people(twin *t, uint64_t *random)
{
    char text[ROWS * 32];
    int length = snprintf(text, sizeof text, "a,s\n");
    t->people = 10 + (int)test_below(random, ROWS - 10);
    for (int i = 0; i < t->people; i++) {
        t->quasi[i] = (int)test_below(random, 12);
        t->value[i] = test_below(random, 9) == 0 ? -1
                      : test_below(random, 2)    ? (int)test_below(random, 12) * 30
                                                 : 100 + (int)test_below(random, 20);
        length += snprintf(text + length, sizeof text - (size_t)length, "%d,", t->quasi[i]);
        if (t->value[i] >= 0)
            length += snprintf(text + length, sizeof text - (size_t)length, "%d", t->value[i]);
        length += snprintf(text + length, sizeof text - (size_t)length, "\n");
    }
    return scratch_text("people.csv", text);
}

static void read_release(twin *t)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, "data.csv", &text);
    char **lines = split_lines(&text, &count);
    t->rows = (int)count - 1;
    t->least = MOST;
    t->greatest = 0;
    for (int i = 0; i < t->rows; i++) {
        int used = 0;
        if (sscanf(lines[i + 1], "\"[%d,%d]\",%n", &t->lo[i], &t->hi[i], &used) != 2 || !used) {
            assert_int_equal(sscanf(lines[i + 1], "%d,%n", &t->lo[i], &used), 1);
            t->hi[i] = t->lo[i];
        }
        const char *rest = lines[i + 1] + used;
        t->published[i] = rest[0] ? atoi(rest) : -1;
        if (t->published[i] < 0) continue;
        if (t->published[i] < t->least) t->least = t->published[i];
        if (t->published[i] > t->greatest) t->greatest = t->published[i];
    }
    free(lines);
    bt_buffer_release(&text);
}

static bool within(const twin *t, int low, int value)
{
    return value >= low && 100 * (value - low) <= 2 * t->percent * (t->greatest - t->least);
}

/* The best range for one person, by trying every value as its beginning; person -1: of all rows. */
static int best_low(const twin *t, int person, double *share)
{
    int best = -1;
    double most = -1;
    for (int low = 0; low < MOST; low++) {
        int hits = 0, rows = 0;
        bool begins = false;
        for (int i = 0; i < t->rows; i++) {
            if (person >= 0 && (t->quasi[person] < t->lo[i] || t->quasi[person] > t->hi[i]))
                continue;
            rows++;
            hits += t->published[i] >= 0 && within(t, low, t->published[i]);
            begins = begins || t->published[i] == low;
        }
        if (!begins || (double)hits / rows <= most + 1e-12) continue;
        most = (double)hits / rows;
        best = low;
    }
    *share = most;
    return best;
}

/* What ordered closeness allows: shares of the table are moved into the range one by one, those
 * that pass the fewest values first. */
static double ordered_bound(const twin *t, int low, double t_value)
{
    double share[MOST + 1] = {0}, sum = 0;
    int occurring[MOST + 1], count = 0, first = -1, last = -1;
    for (int i = 0; i < t->rows; i++)
        share[t->published[i] < 0 ? MOST : t->published[i]] += 1.0 / t->rows;
    for (int v = 0; v <= MOST; v++) {
        if (share[v] == 0) continue;
        if (v < MOST && within(t, low, v)) {
            sum += share[v];
            if (first < 0) first = count;
            last = count;
        }
        occurring[count++] = v;
    }
    double left = t_value * (count - 1);
    for (int far = 1; far < count; far++)
        for (int side = 0; side < 2; side++) {
            int at = side ? last + far : first - far;
            if (at < 0 || at >= count) continue;
            double moved = fmin(share[occurring[at]], left / far);
            sum += moved;
            left -= moved * far;
        }
    return fmin(1, sum);
}

static void compare(twin *t, const bauta_report *report, double closeness)
{
    static const struct {
        const char *variant;
        int percent;
    } ways[] = {{"within 1 %", 1}, {"within 5 %", 5}};
    for (size_t w = 0; w < 2; w++) {
        int tried = 0, hits = 0, common;
        double worst = 0, allowed = 0, share, by_chance = 0;
        t->percent = ways[w].percent;
        common = best_low(t, -1, &share);
        for (int i = 0; i < t->people; i++) {
            by_chance += t->value[i] >= 0 && within(t, common, t->value[i]);
            int low = best_low(t, i, &share);
            if (low < 0) continue;
            tried++;
            hits += t->value[i] >= 0 && within(t, low, t->value[i]);
            worst = fmax(worst, share);
            if (closeness > 0) allowed = fmax(allowed, ordered_bound(t, low, closeness));
        }
        const json_t *one = find_result(report, "proximity", ways[w].variant);
        assert_int_equal(json_integer_value(json_object_get(one, "tried")), tried);
        assert_rate(one, "success", (double)hits / tried);
        assert_rate(one, "worst", worst);
        assert_rate(one, "chance", by_chance / t->people);
        if (closeness > 0 && allowed < 1 - 1e-9) {
            assert_rate(one, "allowed", allowed);
            assert_true(json_is_true(json_object_get(one, "holds")));
            assert_true(worst <= allowed + 1e-9);
        } else {
            assert_true(json_is_null(json_object_get(one, "allowed")));
            assert_true(json_is_null(json_object_get(one, "holds")));
        }
    }
}

static void rates_are_as_defined(void **state)
{
    (void)state;
    static twin t;
    uint64_t random = 3;
    int close = 0;
    for (int trial = 0; trial < 80; trial++) {
        char file[300], require[40];
        bauta_error error;
        double closeness = trial % 2 ? 0.05 * (1 + (double)test_below(&random, 4)) : 0;
        use_new_folder(NULL);
        snprintf(file, sizeof file, "%s", make_people(&t, &random));
        snprintf(require, sizeof require, closeness > 0 ? "k=2,t=%.2f:ordered" : "k=3", closeness);
        bauta_status status =
            run(file,
                SETTINGS({"quasi", "a"}, {"sensitive", "s"}, {"require", require}, {"threads", "1"},
                         {"group", "mondrian"}, {"publish", "generalized"}),
                NULL, &error);
        if (status != BAUTA_OK) continue; /* cannot be had */
        close += closeness > 0;
        read_release(&t);
        bauta_report *report = try_attacks(publish, file, NULL, true);
        compare(&t, report, closeness);
        bauta_report_free(report);
    }
    assert_in_range(close, 20, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_as_defined)};
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
