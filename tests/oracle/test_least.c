/* SPDX-License-Identifier: Apache-2.0
 *
 * The method `least` against all partitions of small tables: its classes satisfy, they have every
 * record once, and they lose as little as can be in nearly all of these tables, never less.
 */
#define SCRATCH_IN_MEMORY
#include "twins.h"

#include <math.h>

enum { SMALL = 8 };

static int small_tables, best_found;

/* What one record of a class loses in a column, as the documentation defines it. */
static double loss_in(const twin_needs *needs, size_t column, const int *rows, int count)
{
    const bt_column *c = &needs->table->columns[column];
    twin_extent extent = twin_extent_of(needs, column, rows, count);
    uint32_t present = bt_domain_present(&c->domain);
    if (extent.different == 1) return 0;
    if (c->hierarchy)
        return (double)twin_leaves(c->hierarchy, extent.lo, extent.hi) / c->hierarchy->leaves;
    if (extent.hi >= present) return 1;
    if (c->domain.number)
        return (double)(c->domain.number[extent.hi] - c->domain.number[extent.lo]) /
               (double)(c->domain.number[present - 1] - c->domain.number[0]);
    return (double)(extent.different - 1) / (present - 1);
}

static double loss_of(const twin_needs *needs, const int *rows, int count)
{
    double loss = 0;
    for (size_t c = 0; c < needs->columns; c++)
        loss += loss_in(needs, c, rows, count);
    return loss * count;
}

/* The least that any partition loses whose classes satisfy: each record in turn joins one of the
 * classes so far, or begins a new one. */
static double least_of_all(const twin_needs *needs, int classes[][SMALL], int *sizes, int count,
                           int next)
{
    double best = INFINITY;
    if (next == needs->table->rows) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            if (!twin_satisfies(needs, classes[i], sizes[i])) return INFINITY;
            sum += loss_of(needs, classes[i], sizes[i]);
        }
        return sum;
    }
    for (int i = 0; i <= count; i++) {
        if (i == count) sizes[i] = 0;
        classes[i][sizes[i]++] = next;
        double found =
            least_of_all(needs, classes, sizes, i == count ? count + 1 : count, next + 1);
        sizes[i]--;
        best = fmin(best, found);
    }
    return best;
}

static void check_setting(const bt_loaded *loaded, const bt_run *run, int setting, uint64_t *state)
{
    static const char *const efforts[] = {"least:effort=0", "least:effort=1", "least:effort=5"};
    twin_needs needs = twin_draw_needs(&loaded->table, state);
    int rows[ROWS_MOST], count = (int)loaded->table.rows;
    bool seen[ROWS_MOST] = {false};
    bt_grouping grouping;
    double loss = 0;
    for (int i = 0; i < count; i++)
        rows[i] = i;
    if (!twin_satisfies(&needs, rows, count) || (setting == 2 && count > SMALL)) return;
    twin_group(loaded, run, needs.text, efforts[setting], &grouping);
    assert_int_equal(grouping.kept, count);
    for (uint32_t c = 0; c < grouping.classes; c++) {
        int size = (int)bt_class_size(&grouping, c);
        for (int i = 0; i < size; i++) {
            rows[i] = (int)grouping.order[grouping.starts[c] + (uint32_t)i];
            assert_false(seen[rows[i]]);
            seen[rows[i]] = true;
        }
        assert_true(twin_satisfies(&needs, rows, size));
        loss += loss_of(&needs, rows, size);
    }
    bt_grouping_release(&grouping);
    if (count > SMALL) return;
    int classes[SMALL + 1][SMALL], sizes[SMALL + 1];
    double best = least_of_all(&needs, classes, sizes, 0, 0);
    assert_true(loss >= best - 1e-6);
    small_tables += setting == 2;
    best_found += setting == 2 && loss <= best + 1e-6;
}

static void loses_nearly_the_least(void **unused)
{
    (void)unused;
    static const char *const specs[] = {NULL, NULL, "balanced:2", "balanced:3", "flat"};
    const twin_hierarchies trees = {specs, 5, 5};
    twin_tables(600, 3, &trees, check_setting);
    print_message("# the least loss in %d of %d small tables\n", best_found, small_tables);
    assert_true(small_tables > 50);
    assert_true(best_found * 20 >= small_tables * 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loses_nearly_the_least)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
