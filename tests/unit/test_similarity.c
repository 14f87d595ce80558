/* SPDX-License-Identifier: Apache-2.0
 *
 * The similarity attack, category distances and weights: the examples of paper 3, and random
 * classes against counting pair by pair.
 */
#include "support.h"

#include "class/similarity.h"

static void assert_near(double value, double expected)
{
    double off = value - expected;
    if (off > 1e-12 || off < -1e-12) fail_msg("%.17g is not %.17g", value, expected);
}

/* What one class of m categories gives; counts[i] records have category i. */
static bt_similarity of_class(uint32_t m, const uint32_t *counts)
{
    bt_similarity found = {.categories = m};
    bt_category_count present[16];
    size_t count = 0;
    for (uint32_t i = 0; i < m; i++)
        if (counts[i] > 0) present[count++] = (bt_category_count){i, counts[i]};
    bt_similarity_add(&found, present, count);
    assert_int_equal(found.classes, 1);
    return found;
}

#define COUNTS(...) ((const uint32_t[]){__VA_ARGS__})

/* Of two records: Cancer and Flu are 3/3 apart, Phthisis and Asthma 1/3. {Cancer, Phthisis, Asthma,
 * Flu} weighs 0 + 1/3 + 2/3 + 1. */
static void distances_and_weights_of_paper_3(void **state)
{
    (void)state;
    assert_near(of_class(4, COUNTS(1, 0, 0, 1)).distance_sum, 1);
    assert_near(of_class(4, COUNTS(0, 1, 1, 0)).distance_sum, 1.0 / 3);
    bt_similarity all = of_class(4, COUNTS(1, 1, 1, 1));
    assert_near(all.weight_sum, 2);
    assert_near(all.share_sum, 0.5);
    assert_int_equal(all.similar_classes, 0);
    static const struct {
        uint32_t counts[4];
        double weight;
    } table_7[] = {{{3, 0, 0, 1}, 1}, {{0, 2, 2, 0}, 2}, {{1, 0, 0, 3}, 3}};
    for (size_t i = 0; i < 3; i++)
        assert_near(of_class(4, table_7[i].counts).weight_sum, table_7[i].weight);
}

/* Table 5: all of the first class are Top Secret, all of the third Non Secret. */
static void classes_within_one_category(void **state)
{
    (void)state;
    bt_similarity found = {.categories = 4};
    const bt_category_count first[] = {{0, 4}}, second[] = {{1, 2}, {2, 2}}, third[] = {{3, 4}};
    bt_similarity_add(&found, first, 1);
    bt_similarity_add(&found, second, 2);
    bt_similarity_add(&found, third, 1);
    assert_int_equal(found.classes, 3);
    assert_int_equal(found.similar_classes, 2);
    assert_int_equal(found.similar_records, 8);
    assert_near(found.distance_least, 0);
    assert_near(found.distance_sum, 2.0 / 9);
    assert_near(found.weight_least, 0);
    assert_near(found.weight_sum, 0 + 2 + 4);
    assert_near(found.share_least, 0);
    assert_near(found.share_sum, 0 + 0.5 + 1);
}

static void one_category_has_no_distances(void **state)
{
    (void)state;
    bt_similarity found = of_class(1, COUNTS(5));
    assert_int_equal(found.similar_classes, 1);
    assert_int_equal(found.similar_records, 5);
    assert_near(found.distance_sum, 0);
    assert_near(found.weight_sum, 0);
    /* a single record is similar to itself, and no distance from anyone */
    found = of_class(3, COUNTS(0, 1, 0));
    assert_int_equal(found.similar_classes, 1);
    assert_near(found.distance_sum, 0);
    assert_near(found.weight_sum, 0.5);
}

static void agrees_with_all_pairs(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 2000; round++) {
        uint32_t m = 2 + (uint32_t)test_below(&random, 8), counts[16] = {0}, records = 0;
        uint32_t category[60];
        uint64_t different = 1 + test_below(&random, 4);
        for (uint64_t n = 1 + test_below(&random, 59); n > 0; n--) {
            category[records] = (uint32_t)test_below(&random, different < m ? different : m);
            counts[category[records++]]++;
        }
        double distance = 0, weight = 0, pairs = records > 1 ? records * (records - 1) / 2.0 : 1;
        bool similar = true;
        for (uint32_t i = 0; i < records; i++) {
            weight += category[i] / (m - 1.0);
            similar = similar && category[i] == category[0];
            for (uint32_t j = 0; j < i; j++)
                distance += (category[i] > category[j] ? category[i] - category[j]
                                                       : category[j] - category[i]) /
                            (m - 1.0);
        }
        bt_similarity found = of_class(m, counts);
        assert_int_equal(found.similar_classes, similar);
        assert_int_equal(found.similar_records, similar ? records : 0);
        assert_true(found.distance_sum - distance / pairs < 1e-9);
        assert_true(distance / pairs - found.distance_sum < 1e-9);
        assert_true(found.weight_sum - weight < 1e-9 && weight - found.weight_sum < 1e-9);
        assert_true(found.share_sum * records - weight < 1e-9);
    }
}

static void one_category_is_enough(void **state)
{
    (void)state;
    assert_int_equal(of_class(2, COUNTS(3, 4)).similar_classes, 0);
    assert_int_equal(of_class(2, COUNTS(3, 0)).similar_classes, 1);
    assert_int_equal(of_class(2, COUNTS(0, 1)).similar_classes, 1);
    assert_int_equal(of_class(2, COUNTS(0, 0)).similar_classes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_and_weights_of_paper_3),
        cmocka_unit_test(classes_within_one_category),
        cmocka_unit_test(one_category_has_no_distances),
        cmocka_unit_test(agrees_with_all_pairs),
        cmocka_unit_test(one_category_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
