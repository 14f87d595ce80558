/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether anything in a release of the form `distribution` links a record with its value: over many
 * seeds, the record that stands n-th among those of its group in quasi.csv is paired with the n-th
 * row of the group in sensitive.csv, and with the row of the same place in the input. A chi-square
 * test compares how often each value meets each published subdomain with what independence within
 * the group says.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"

#include <math.h>
#include <stdlib.h>

enum { SEEDS = 400, GROUPS = 2, SIZE = 9, ROWS = GROUPS * SIZE, VALUES = 4, NODES = 16 };

/* place (of a record, and so who it is), side (its group), loss. */
static const int losses[ROWS] = {1, 1, 1, 2, 2, 3, 4, 4, 4, 1, 2, 2, 2, 3, 3, 3, 4, 4};

static const char *table(void)
{
    char text[1024];
    size_t length = (size_t)snprintf(text, sizeof text, "place,side,loss\n");
    for (int i = 0; i < ROWS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%d,%d\n", i, i / SIZE,
                                   losses[i]);
    return scratch_write("table.csv", text, length);
}

/* ---- what was published ---- */

typedef struct line {
    long group; /* as published */
    int fields[3];
} line;

/* The lines of a small file of whole numbers; the column `group` is the one named so. */
static size_t read_lines(const char *name, line *lines, size_t most)
{
    char path[400], text[256];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", publish, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    int group_at = -1, columns = 0;
    for (char *word = strtok(text, ",\n"); word; word = strtok(NULL, ",\n"), columns++)
        if (strcmp(word, "group") == 0) group_at = columns;
    assert_true(group_at >= 0 && columns <= 3);
    while (count < most && fgets(text, sizeof text, file)) {
        int at = 0, field = 0;
        for (char *word = strtok(text, ",\n"); word; word = strtok(NULL, ",\n"), at++)
            if (at == group_at)
                lines[count].group = strtol(word, NULL, 10);
            else
                lines[count].fields[field++] = (int)strtol(word, NULL, 10);
        count++;
    }
    fclose(file);
    return count;
}

/* ---- counting ---- */

typedef struct counts { /* of a group: values against subdomains */
    double met[VALUES][NODES];
    int low[NODES], high[NODES];
    int nodes;
} counts;

static int node_of(counts *c, int low, int high)
{
    int node = 0;
    while (node < c->nodes && (c->low[node] != low || c->high[node] != high))
        node++;
    if (node == c->nodes) {
        assert_true(c->nodes++ < NODES);
        c->low[node] = low;
        c->high[node] = high;
    }
    return node;
}

static void pair(const line *records, const line *parts, size_t rows, counts by_place[GROUPS],
                 counts by_input[GROUPS])
{
    for (long group = 1; group <= GROUPS; group++) {
        int values[SIZE], who[SIZE];
        size_t held = 0, seen = 0;
        for (size_t i = 0; i < ROWS; i++)
            if (records[i].group == group) {
                assert_true(held < SIZE);
                who[held] = records[i].fields[0];
                values[held++] = losses[records[i].fields[0]];
            }
        assert_int_equal(held, SIZE);
        int side = who[0] / SIZE, nodes[SIZE];
        for (size_t i = 0; i < rows && seen < SIZE; i++)
            if (parts[i].group == group) nodes[seen++] = (int)i;
        assert_int_equal(seen, SIZE);
        for (size_t i = 0; i < SIZE; i++) {
            const line *at = &parts[nodes[i]], *first = &parts[nodes[who[i] % SIZE]];
            counts *c = &by_place[side];
            c->met[values[i] - 1][node_of(c, at->fields[0], at->fields[1])]++;
            c = &by_input[side];
            c->met[values[i] - 1][node_of(c, first->fields[0], first->fields[1])]++;
        }
    }
}

/* ---- chi-square ---- */

/* The statistic and its degrees of freedom, over cells that are expected often enough. */
static double chi_square(const counts *c, int *freedom)
{
    double row[VALUES] = {0}, column[NODES] = {0}, total = 0, sum = 0;
    int rows = 0, columns = 0;
    for (int v = 0; v < VALUES; v++)
        for (int n = 0; n < c->nodes; n++) {
            row[v] += c->met[v][n];
            column[n] += c->met[v][n];
            total += c->met[v][n];
        }
    for (int v = 0; v < VALUES; v++)
        rows += row[v] > 0;
    for (int n = 0; n < c->nodes; n++) {
        if (column[n] < 40) continue;
        columns++;
        for (int v = 0; v < VALUES; v++) {
            double expected = row[v] * column[n] / total;
            double off = c->met[v][n] - expected;
            sum += off * off / expected;
        }
    }
    *freedom = (rows - 1) * (columns - 1);
    return sum;
}

/* Wilson and Hilferty: about normal. Four deviations are once in 30,000. */
static double deviations(double statistic, int freedom)
{
    double k = freedom, part = 2 / (9 * k);
    return (cbrt(statistic / k) - (1 - part)) / sqrt(part);
}

static void assert_independent(const counts *c, const char *what)
{
    int freedom;
    double statistic = chi_square(c, &freedom);
    assert_true(freedom > 0);
    double off = deviations(statistic, freedom);
    if (off > 4)
        fail_msg("%s: chi-square %.1f with %d degrees of freedom", what, statistic, freedom);
}

static void check(const char *options)
{
    bauta_error error;
    counts by_place[GROUPS], by_input[GROUPS];
    memset(by_place, 0, sizeof by_place);
    memset(by_input, 0, sizeof by_input);
    const char *input = table();
    for (int seed = 1; seed <= SEEDS; seed++) {
        char hex[16], form[128];
        line records[ROWS], parts[2 * ROWS];
        snprintf(hex, sizeof hex, "%x", (unsigned)seed);
        snprintf(form, sizeof form, "distribution:target=uniform%s", options);
        const setting settings[SETTINGS_MOST] = {
            {"quasi", "place,side"},   {"sensitive", "loss"}, {"require", "alpha=0.25"},
            {"group", "columns:side"}, {"publish", form},     {"seed", hex},
            {"force", "yes"},          {"threads", "1"},
        };
        use_folder("many");
        bauta_recipe *recipe = make_recipe(input, settings);
        assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
        bauta_recipe_free(recipe);
        assert_int_equal(read_lines("quasi.csv", records, ROWS), ROWS);
        size_t rows = read_lines("sensitive.csv", parts, 2 * ROWS);
        assert_true(rows >= ROWS);
        pair(records, parts, rows, by_place, by_input);
    }
    for (int group = 0; group < GROUPS; group++) {
        assert_independent(&by_place[group], "by place in the files");
        assert_independent(&by_input[group], "by place in the input");
    }
}

static void test_optimal_allocation(void **state)
{
    (void)state;
    check(",allocation=optimal");
}

static void test_with_fakes(void **state)
{
    (void)state;
    check(",fake=2,allocation=optimal");
}

static void test_random_allocation(void **state)
{
    (void)state;
    check(",allocation=random,fake=1");
}

/* The test sees what there is to see: sorted files do link. */
static void test_sorted_files_fail(void **state)
{
    (void)state;
    counts sorted = {.low = {1, 3, 1}, .high = {2, 4, 4}, .nodes = 3};
    for (int seed = 0; seed < SEEDS; seed++) {
        sorted.met[0][0] += 3; /* 1, 1, 1, 2 | 2, 3, … in the order of values */
        sorted.met[1][0] += 1;
        sorted.met[1][2] += 1;
        sorted.met[2][1] += 1;
        sorted.met[3][1] += 3;
    }
    int freedom;
    double statistic = chi_square(&sorted, &freedom);
    assert_int_equal(freedom, 6);
    assert_true(deviations(statistic, freedom) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimal_allocation),
        cmocka_unit_test(test_with_fakes),
        cmocka_unit_test(test_random_allocation),
        cmocka_unit_test(test_sorted_files_fail),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
