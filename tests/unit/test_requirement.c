/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements at their boundaries, on the examples of the papers, and what is refused.
 */
#include "support.h"

#include "recipe/hierarchy.h"
#include "require/requirement.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 40, ROWS = 400 };

/* ---- one sensitive column whose table has given counts ---- */

typedef struct fixture {
    uint8_t codes[ROWS];
    bt_people people;
    bt_requirements requirements;
    bt_tally *tally;
    bt_arena arena;
} fixture;

static const char *const letters[VALUES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                            "k", "l", "m", "n", "o", "p", "q", "r", "s", "t",
                                            "u", "v", "w", "x", "y", "z", "A", "B", "C", "D",
                                            "E", "F", "G", "H", "I", "J", "K", "L", "M", "N"};

/* A table of counts[i] records with code i, and requirements bound to it. */
static bauta_status bind(fixture *f, const char *text, bt_sensitive column, const uint32_t *counts,
                         bauta_error *error)
{
    const void *codes[] = {f->codes};
    const unsigned widths[] = {1};
    uint32_t rows = 0;
    *f = (fixture){0};
    for (uint32_t code = 0; code < column.size; code++)
        for (uint32_t i = 0; i < counts[code]; i++)
            f->codes[rows++] = (uint8_t)code;
    if (!column.name) column.name = "disease";
    if (!column.text) column.text = letters;
    assert_ok(bt_people_make(&column, codes, widths, 1, rows, NULL, 0, &f->people, error), error);
    BT_TRY(bt_requirements_parse(text, &f->arena, &f->requirements, error));
    BT_TRY(bt_requirements_bind(&f->requirements, &f->people, &f->arena, error));
    return bt_tally_new(&f->people, &f->tally, error);
}

static void finish(fixture *f)
{
    bt_tally_free(f->tally);
    bt_people_release(&f->people);
    bt_arena_release(&f->arena);
}

/* Puts a class with these counts into the tally; they may exceed those of the table. */
static void put_class(fixture *f, const uint32_t *counts, uint32_t times)
{
    bt_tally_clear(f->tally);
    for (uint32_t profile = 0; profile < f->people.profiles; profile++) {
        uint32_t count = counts[f->people.profile_values[profile]];
        if (count) bt_tally_add(f->tally, profile, count * times);
    }
}

/* Whether a class with counts[i] * times records of value i satisfies, in a table of the described
 * column that has each value once. */
static bool satisfied(const char *text, bt_sensitive column, const uint32_t *counts, uint32_t times)
{
    bauta_error error;
    fixture f;
    uint32_t once[VALUES];
    for (uint32_t i = 0; i < VALUES; i++)
        once[i] = 1;
    assert_ok(bind(&f, text, column, once, &error), &error);
    put_class(&f, counts, times);
    bool verdict = bt_requirements_check(&f.requirements, f.tally, NULL);
    finish(&f);
    return verdict;
}

#define PLAIN(count) ((bt_sensitive){.size = (count)})
#define COUNTS(...) ((const uint32_t[]){__VA_ARGS__})

/* ---- sizes ---- */

static void k_at_its_boundary(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    static const int64_t values[] = {1, 2, 5, 1000, 4294967295};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        bt_requirements requirements;
        char *text = bt_arena_print(&arena, "k=%lld", (long long)values[i]);
        assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
        assert_true(requirements.size_only);
        const bt_requirement_instance *item = &requirements.items[0];
        assert_string_equal(item->text, text);
        assert_false(item->type->check(item, NULL, &(bt_bag){.size = values[i] - 1}));
        assert_true(item->type->check(item, NULL, &(bt_bag){.size = values[i]}));
        assert_true(item->type->check(item, NULL, &(bt_bag){.size = values[i] + 1}));
        assert_int_equal(bt_requirements_least_size(&requirements), values[i]);
    }
    bt_arena_release(&arena);
}

/* Records among all persons of a class, whether sizes count all or records alone. */
static void presence_at_its_boundary(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t records, external;
        bool expected;
    } cases[] = {
        {"presence=1/3", 1, 2, true},   {"presence=1/3", 2, 3, false},
        {"presence=0.33", 1, 2, false}, {"presence=0.33", 33, 67, true},
        {"presence=1/2", 5, 0, false},  {"presence=1", 5, 0, true},
        {"presence=0", 1, 1000, false}, {"presence=0", 0, 1000, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_arena arena = {0};
        bt_requirements requirements;
        int64_t records = cases[i].records, external = cases[i].external;
        assert_ok(bt_requirements_parse(cases[i].text, &arena, &requirements, &error), &error);
        assert_false(requirements.size_only);
        const bt_requirement_instance *item = bt_requirements_public(&requirements);
        assert_ptr_equal(item, &requirements.items[0]);
        const bt_bag own = {.size = records, .external = external};
        const bt_bag all = {.size = records + external, .external = external, .sized_by_all = true};
        assert_int_equal(item->type->check(item, NULL, &own), cases[i].expected);
        assert_int_equal(item->type->check(item, NULL, &all), cases[i].expected);
        bt_arena_release(&arena);
    }
    /* Where nobody knows of a public table, all are records. */
    assert_false(satisfied("presence=0.9", PLAIN(1), COUNTS(1), 100));
}

static void nothing_required_is_always_met(void **state)
{
    (void)state;
    assert_true(satisfied("", PLAIN(1), COUNTS(1), 1));
}

/* ---- alpha ---- */

static void alpha_at_its_boundary(void **state)
{
    (void)state;
    const bt_sensitive four = PLAIN(4);
    assert_true(satisfied("alpha=0.5", four, COUNTS(1, 1, 0, 0), 1));
    assert_true(satisfied("alpha=0.5", four, COUNTS(2, 1, 1, 0), 1));
    assert_false(satisfied("alpha=0.5", four, COUNTS(2, 1, 0, 0), 1));
    /* 0.33 is not 1/3 */
    assert_true(satisfied("alpha=1/3", four, COUNTS(1, 1, 1, 0), 1));
    assert_false(satisfied("alpha=0.33", four, COUNTS(1, 1, 1, 0), 1));
    assert_false(satisfied("alpha=0.333333333333333333", four, COUNTS(1, 1, 1, 0), 1));
    assert_true(satisfied("alpha=0.33", four, COUNTS(33, 33, 33, 1), 1));
    assert_true(satisfied("alpha=1", four, COUNTS(7, 0, 0, 0), 1));
    /* counts whose shares no double can tell apart */
    assert_true(satisfied("alpha=1/2", four, COUNTS(2000000000, 2000000000, 0, 0), 1));
    assert_false(satisfied("alpha=1/2", four, COUNTS(2000000001, 2000000000, 0, 0), 1));
}

static void alpha_bounds_listed_values(void **state)
{
    (void)state;
    static const char *const odd[] = {"HIV", "a,b", "c|d", "e:f", "g\\h", ""};
    const bt_sensitive column = {.size = 6, .text = odd};
    assert_true(satisfied("alpha=0.5:HIV", column, COUNTS(1, 5, 0, 0, 0, 0), 1));
    assert_false(satisfied("alpha=0.1:HIV", column, COUNTS(1, 5, 0, 0, 0, 0), 1));
    assert_true(satisfied("alpha=0.1:HIV", column, COUNTS(0, 5, 0, 0, 0, 0), 1));
    assert_false(satisfied("alpha=0.5:HIV|a\\,b", column, COUNTS(1, 5, 0, 0, 0, 0), 1));
    assert_false(satisfied("alpha=0.5:c\\|d", column, COUNTS(0, 1, 5, 0, 0, 0), 1));
    assert_false(satisfied("alpha=0.5:e\\:f | HIV", column, COUNTS(0, 1, 0, 5, 0, 0), 1));
    assert_false(satisfied("alpha=0.5:g\\\\h", column, COUNTS(0, 1, 0, 0, 5, 0), 1));
    assert_false(satisfied("alpha=0.5:HIV|", column, COUNTS(0, 1, 0, 0, 0, 5), 1));
    assert_true(satisfied("alpha=0.5:HIV|HIV", column, COUNTS(0, 1, 0, 0, 0, 5), 1));
    assert_true(satisfied("alpha(disease)=0.5:HIV", column, COUNTS(0, 1, 0, 0, 0, 5), 1));
}

/* What is written into a manifest is read back as the same list of values. */
static void escapes_are_kept(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    const char *text = "k=2,alpha(a\\,(b=c)=0.5:x\\,y|z\\\\\\,w,p=2";
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    assert_int_equal(requirements.count, 3);
    assert_string_equal(requirements.items[1].text, "alpha(a\\,(b=c)=0.5:x\\,y|z\\\\\\,w");
    assert_string_equal(requirements.items[1].column, "a,(b=c");
    assert_string_equal(requirements.items[1].values[1].text, "x,y|z\\\\,w");
    bt_arena_release(&arena);
}

/* Paper 1: Table 2 and Table 3 are (0.5,2)-anonymous, the printed alpha of 0.33 is not 1/3. */
static void classes_of_paper_1(void **state)
{
    (void)state;
    const bt_sensitive illness = PLAIN(3); /* HIV, flu, fever */
    static const uint32_t classes[][3] = {{1, 2, 1}, {0, 1, 1}, {1, 1, 0}, {0, 1, 1}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(satisfied("k=2,alpha=0.5", illness, classes[i], 1));
        assert_false(satisfied("k=2,alpha=0.33", illness, classes[i], 1));
    }
    assert_false(satisfied("alpha=0.33", illness, COUNTS(1, 1, 1), 1));
    assert_true(satisfied("alpha=0.33", PLAIN(4), COUNTS(1, 1, 1, 1), 1));
}

/* ---- distinct values and categories ---- */

static void distinct_values_at_their_boundary(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        uint32_t counts[8] = {0};
        for (uint32_t i = 0; i < n; i++)
            counts[i] = 1 + i * i;
        for (uint32_t least = 1; least <= 9; least++) {
            char text[40];
            snprintf(text, sizeof text, "p=%u", least);
            assert_int_equal(satisfied(text, PLAIN(8), counts, 1), n >= least);
            snprintf(text, sizeof text, "l=%u", least);
            assert_int_equal(satisfied(text, PLAIN(8), counts, 1), n >= least);
        }
    }
}

/* Table 4 of paper 3: HIV, Cancer | Phthisis, Hepatitis | Heart Disease, Asthma | Flu, Indigestion
 */
static const uint32_t health_category[] = {0, 0, 1, 1, 2, 2, 3, 3};
static const bt_categories health_categories = {.count = 4, .of_code = health_category};
static const bt_sensitive health = {.size = 8, .categories = &health_categories};

static void assert_weight(const uint32_t *counts, const char *weight)
{
    char text[80];
    snprintf(text, sizeof text, "weight=%s", weight);
    assert_true(satisfied(text, health, counts, 1));
    snprintf(text, sizeof text, "weight=%s0000001/10000000", weight);
    assert_false(satisfied(text, health, counts, 1));
}

static void classes_of_paper_3(void **state)
{
    (void)state;
    /* Table 6: two categories and weight 2 in each class */
    static const uint32_t table_6[][8] = {
        {1, 1, 0, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 1, 0, 0}, {1, 1, 0, 0, 0, 0, 2, 0}};
    for (size_t i = 0; i < 3; i++) {
        assert_weight(table_6[i], "2");
        assert_true(satisfied("k=4,p-categories=2,weight=2", health, table_6[i], 1));
        assert_false(satisfied("p-categories=3", health, table_6[i], 1));
        assert_false(satisfied("k=5", health, table_6[i], 1));
    }
    /* Table 7: three values and total weights 1, 2, 3 */
    static const uint32_t table_7[][8] = {
        {2, 1, 0, 0, 0, 0, 1, 0}, {0, 0, 1, 1, 1, 1, 0, 0}, {0, 1, 0, 0, 0, 0, 2, 1}};
    static const char *const totals[] = {"1", "2", "3"};
    for (size_t i = 0; i < 3; i++) {
        assert_weight(table_7[i], totals[i]);
        assert_true(satisfied("k=4,p=3,weight=1", health, table_7[i], 1));
    }
    /* {Cancer, Phthisis, Asthma, Flu} weighs 2; so does {Flu, Indigestion}, of one category */
    assert_weight(COUNTS(0, 1, 1, 0, 0, 1, 1, 0), "2");
    assert_weight(COUNTS(0, 0, 0, 0, 0, 0, 1, 1), "2");
    assert_true(satisfied("p=2,weight=2", health, COUNTS(0, 0, 0, 0, 0, 0, 1, 1), 1));
    assert_false(satisfied("p-categories=2,weight=2", health, COUNTS(0, 0, 0, 0, 0, 0, 1, 1), 1));
    /* Table 5: {HIV, HIV, Cancer, Cancer} has two values of one category */
    assert_true(satisfied("p=2", health, COUNTS(2, 2, 0, 0, 0, 0, 0, 0), 1));
    assert_false(satisfied("p-categories=2", health, COUNTS(2, 2, 0, 0, 0, 0, 0, 0), 1));
    /* thirds are exact */
    assert_true(satisfied("weight=1/3", health, COUNTS(0, 0, 1, 0, 0, 0, 0, 0), 1));
    assert_false(satisfied("weight=0.34", health, COUNTS(0, 0, 1, 0, 0, 0, 0, 0), 1));
    assert_true(satisfied("weight=1000000000", health, COUNTS(0, 0, 3, 0, 0, 0, 0, 0), 1000000000));
}

/* ---- entropy ---- */

static void equally_frequent_values_just_suffice(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 7, 10, 97, 4095, 4096, 4097, 65537, 99999989};
    for (uint32_t l = 2; l <= VALUES; l++) {
        uint32_t even[VALUES], less_even[VALUES];
        for (uint32_t i = 0; i < VALUES; i++)
            even[i] = less_even[i] = i < l;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            char text[60];
            snprintf(text, sizeof text, "entropy-l=%u", l);
            assert_true(satisfied(text, PLAIN(VALUES), even, sizes[s]));
            snprintf(text, sizeof text, "entropy-l=%u.000000001", l);
            assert_false(satisfied(text, PLAIN(VALUES), even, sizes[s]));
            snprintf(text, sizeof text, "entropy-l=%u.999999999", l - 1);
            assert_true(satisfied(text, PLAIN(VALUES), even, sizes[s]));
        }
        /* one record more of one value */
        uint32_t size = 100000000;
        for (uint32_t i = 0; i < l; i++)
            less_even[i] = i == 0 ? size + 1 : size;
        char text[60];
        snprintf(text, sizeof text, "entropy-l=%u", l);
        assert_false(satisfied(text, PLAIN(VALUES), less_even, 1));
        /* one value more, which hardly occurs */
        if (l == VALUES) continue;
        for (uint32_t i = 0; i <= l; i++)
            less_even[i] = i == l ? 1 : size;
        assert_true(satisfied(text, PLAIN(VALUES), less_even, 1));
    }
}

/* Half of the records have one value, the other half s * s equally frequent ones: the entropy is
 * ln(2 s), though not all values are equally frequent. */
static void uneven_values_can_just_suffice(void **state)
{
    (void)state;
    for (uint32_t s = 2; s <= 6; s++) {
        uint32_t counts[VALUES] = {s * s};
        for (uint32_t i = 1; i <= s * s; i++)
            counts[i] = 1;
        static const uint32_t times[] = {1, 2, 3, 64, 1000, 720720, 33554393};
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            char text[60];
            snprintf(text, sizeof text, "entropy-l=%u", 2 * s);
            assert_true(satisfied(text, PLAIN(VALUES), counts, times[t]));
            snprintf(text, sizeof text, "entropy-l=%u.000000001", 2 * s);
            assert_false(satisfied(text, PLAIN(VALUES), counts, times[t]));
            uint32_t uneven[VALUES];
            for (uint32_t i = 0; i < VALUES; i++)
                uneven[i] = counts[i] * times[t];
            uneven[0]++;
            snprintf(text, sizeof text, "entropy-l=%u", 2 * s);
            assert_false(satisfied(text, PLAIN(VALUES), uneven, 1));
        }
    }
}

/* Counts 2, 1, 1 are as diverse as the square root of 8 values, to which the fractions below come
 * as near as any with their denominators; whether they are above it, integers tell. */
static void fractions_next_to_an_irrational_are_told_apart(void **state)
{
    (void)state;
    int64_t top = 3, bottom = 1, last_top = 2, last_bottom = 1;
    int above = 0, below = 0;
    for (int i = 0; bottom <= 1000000000; i++) {
        bool holds = (__int128)top * top <= (__int128)8 * bottom * bottom;
        char text[80];
        snprintf(text, sizeof text, "entropy-l=%lld/%lld", (long long)top, (long long)bottom);
        static const uint32_t times[] = {1, 3, 1000, 999999937};
        for (size_t t = 0; t < 4; t++)
            assert_int_equal(satisfied(text, PLAIN(3), COUNTS(2, 1, 1), times[t]), holds);
        above += !holds;
        below += holds;
        int64_t quotient = i % 2 ? 1 : 4; /* sqrt(8) = [2; 1, 4, 1, 4, …] */
        int64_t next_top = quotient * top + last_top;
        int64_t next_bottom = quotient * bottom + last_bottom;
        last_top = top, last_bottom = bottom;
        top = next_top, bottom = next_bottom;
    }
    assert_true(above > 5);
    assert_true(below > 5);
}

/* ---- recursive diversity ---- */

static void recursive_diversity_at_its_boundary(void **state)
{
    (void)state;
    const bt_sensitive four = PLAIN(4);
    const uint32_t *counts = COUNTS(2, 3, 0, 1); /* 3, 2, 1 in descending order */
    assert_false(satisfied("recursive-l=1:0.5", four, counts, 1));
    assert_true(satisfied("recursive-l=1:0.500000001", four, counts, 1));
    assert_false(satisfied("recursive-l=2:1", four, counts, 1));
    assert_true(satisfied("recursive-l=2:1.000000001", four, counts, 1));
    assert_false(satisfied("recursive-l=3:3", four, counts, 1));
    assert_true(satisfied("recursive-l=3:3.000000001", four, counts, 1));
    assert_false(satisfied("recursive-l=4:1000000000", four, counts, 1));
    /* ties at the border */
    assert_false(satisfied("recursive-l=2:0.5", four, COUNTS(5, 5, 5, 0), 1));
    assert_true(satisfied("recursive-l=2:0.51", four, COUNTS(5, 5, 5, 0), 1));
    assert_false(satisfied("recursive-l=3:1", four, COUNTS(5, 5, 5, 0), 1));
    assert_false(satisfied("recursive-l=2:1", four, COUNTS(1000000001, 1000000000, 1, 0), 1));
    assert_true(satisfied("recursive-l=2:1", four, COUNTS(1000000000, 1000000000, 1, 0), 1));
}

/* ---- closeness ---- */

/* Whether a class of a table is close enough. */
static bool is_close(const char *text, bt_sensitive column, const uint32_t *table,
                     const uint32_t *counts)
{
    bauta_error error;
    fixture f;
    assert_ok(bind(&f, text, column, table, &error), &error);
    put_class(&f, counts, 1);
    bool verdict = bt_requirements_check(&f.requirements, f.tally, NULL);
    finish(&f);
    return verdict;
}

static void distance_equal_to_t(void **state)
{
    (void)state;
    const bt_sensitive two = PLAIN(2), three = PLAIN(3);
    assert_true(is_close("t=0.5", two, COUNTS(2, 2), COUNTS(2, 0)));
    assert_false(is_close("t=0.499999999", two, COUNTS(2, 2), COUNTS(2, 0)));
    assert_true(is_close("t=0", two, COUNTS(2, 4), COUNTS(1, 2)));
    assert_false(is_close("t=0.000000001", three, COUNTS(2, 4, 1), COUNTS(1, 2, 0)));
    assert_true(is_close("t=1/7:equal", three, COUNTS(2, 4, 1), COUNTS(1, 2, 0)));
    assert_false(is_close("t=0.142857142857142857", three, COUNTS(2, 4, 1), COUNTS(1, 2, 0)));
}

/* The incomes of the paper on t-closeness: 3k to 11k, each once. {3k,4k,5k} is 0.375 away by
 * ordered distance, {6k,8k,11k} 1/6. */
/* Whether one value, with `own` of `size` in the class and `all` of `total` in the table, and
 * another one in the rest of both, satisfy. */
static bool is_alike(const char *text, uint32_t own, uint32_t size, int64_t all, int64_t total)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements one;
    void *prepared;
    int64_t table[] = {all, total - all};
    const uint32_t codes[] = {0, 1};
    const uint64_t counts[] = {own, size - own};
    const bt_sensitive column = {.name = "s", .size = 2, .counts = table, .total = total};
    const bt_bag bag = {.size = size,
                        .of = &column,
                        .distinct = 2,
                        .codes = codes,
                        .counts = counts,
                        .total = size};
    assert_ok(bt_requirements_parse(text, &arena, &one, &error), &error);
    const bt_requirement_instance *item = &one.items[0];
    assert_ok(item->type->prepare(item, &column, &arena, &prepared, &error), &error);
    bool holds = item->type->check(item, prepared, &bag);
    bt_arena_release(&arena);
    return holds;
}

/* A share of 1/5 may become 3/5 with beta = 2. */
static void likeness_at_its_boundary(void **state)
{
    (void)state;
    assert_true(is_alike("beta=2", 6, 10, 2, 10));
    assert_false(is_alike("beta=2", 7, 10, 2, 10));
    assert_false(is_alike("beta=1999/1000", 6, 10, 2, 10));
    assert_true(is_alike("beta=2", 0, 10, 2, 10)); /* fewer are no matter */
    assert_true(is_alike("beta=1", 9, 10, 1, 2));
    assert_false(is_alike("beta=1:enhanced", 9, 10, 1, 2)); /* 1/2 + ln 2 / 2 = 0.847 */
    assert_true(is_alike("beta=1:enhanced", 8, 10, 1, 2));
    assert_true(is_alike("beta=1:enhanced", 10, 10, 10, 10)); /* everybody has it */
}

/* Fractions next to p (1 - ln p), from its continued fraction: no double and few long doubles tell
 * on which side they are. */
static void fractions_next_to_a_logarithm_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        int64_t all, total;
        uint32_t own, size;
        bool holds;
    } cases[] = {
        {1, 2, 1077462671, 1272733621, true},   {1, 2, 1214224055, 1434280574, false},
        {1, 3, 961924668, 1375086775, true},    {1, 3, 1904548219, 2722582293, false},
        {2, 3, 1910294303, 2038785195, true},   {2, 3, 2206388920, 2354795833, false},
        {999, 1000, 17993990, 17993999, false}, {999, 1000, 4274572291, 4274574429, true},
        {1, 4000000000, 1, 173088538, false},   {1, 4000000000, 2, 346177077, true},
        {4294967294, 4294967295, 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool holds = is_alike("beta=1000000000:enhanced", cases[i].own, cases[i].size, cases[i].all,
                              cases[i].total);
        if (holds != cases[i].holds) fail_msg("case %zu: %d", i, holds);
    }
}

static void ordered_distance_of_incomes(void **state)
{
    (void)state;
    static const int64_t numbers[] = {3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const int64_t shuffled[] = {6, 3, 11, 9, 4, 8, 7, 5, 10};
    const bt_sensitive incomes = {.size = 9, .type = BT_INTEGER, .number = numbers};
    const bt_sensitive in_tree_order = {.size = 9, .type = BT_INTEGER, .number = shuffled};
    const uint32_t *all = COUNTS(1, 1, 1, 1, 1, 1, 1, 1, 1);
    const uint32_t *low = COUNTS(1, 1, 1, 0, 0, 0, 0, 0, 0);
    const uint32_t *mixed = COUNTS(0, 0, 0, 1, 0, 1, 0, 0, 1);
    assert_true(is_close("t=0.375:ordered", incomes, all, low));
    assert_false(is_close("t=0.374999999:ordered", incomes, all, low));
    assert_true(is_close("t=1/6:ordered", incomes, all, mixed));
    assert_false(is_close("t=0.166666666:ordered", incomes, all, mixed));
    low = COUNTS(0, 1, 0, 0, 1, 0, 0, 1, 0);
    mixed = COUNTS(1, 0, 1, 0, 0, 1, 0, 0, 0);
    assert_true(is_close("t=0.375:ordered", in_tree_order, all, low));
    assert_false(is_close("t=0.374999999:ordered", in_tree_order, all, low));
    assert_true(is_close("t=1/6:ordered", in_tree_order, all, mixed));
    assert_false(is_close("t=0.166666666:ordered", in_tree_order, all, mixed));
    /* values that do not occur in the table are no steps */
    assert_true(is_close("t=0.5:ordered", incomes, COUNTS(1, 0, 0, 0, 1, 0, 0, 0, 1),
                         COUNTS(1, 0, 0, 0, 0, 0, 0, 0, 0)));
    assert_false(is_close("t=0.499999999:ordered", incomes, COUNTS(1, 0, 0, 0, 1, 0, 0, 0, 1),
                          COUNTS(1, 0, 0, 0, 0, 0, 0, 0, 0)));
}

/* Two organs with two diseases each: within an organ half the way, between organs all of it. */
static void hierarchical_distance_in_a_tree(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_hierarchy *tree;
    static const char *const a[] = {"a", "lung"}, *const b[] = {"b", "lung"},
                             *const c[] = {"c", "skin"}, *const d[] = {"d", "skin"};
    static const char *const *const paths[] = {a, b, c, d};
    static const size_t lengths[] = {2, 2, 2, 2};
    assert_ok(bt_hierarchy_from_paths(paths, lengths, 4, "tree", "x", &arena, &tree, &error),
              &error);
    const bt_sensitive diseases = {.size = 4, .hierarchy = tree};
    const uint32_t *all = COUNTS(1, 1, 1, 1);
    assert_true(is_close("t=0.25:hierarchical", diseases, all, COUNTS(1, 0, 1, 0)));
    assert_false(is_close("t=0.249999999:hierarchical", diseases, all, COUNTS(1, 0, 1, 0)));
    assert_true(is_close("t=0.5:hierarchical", diseases, all, COUNTS(1, 1, 0, 0)));
    assert_false(is_close("t=0.499999999:hierarchical", diseases, all, COUNTS(1, 1, 0, 0)));
    assert_true(is_close("t=0.625:hierarchical", diseases, all, COUNTS(1, 0, 0, 0)));
    assert_false(is_close("t=0.624999999:hierarchical", diseases, all, COUNTS(1, 0, 0, 0)));
    /* by equal distance {a, c} and {a, b} are the same; ordered by the tree they are not */
    assert_false(is_close("t=0.499999999:equal", diseases, all, COUNTS(1, 0, 1, 0)));
    assert_true(is_close("t=1/6:ordered", diseases, all, COUNTS(1, 0, 1, 0)));
    assert_true(is_close("t=1/3:ordered", diseases, all, COUNTS(1, 1, 0, 0)));
    assert_false(is_close("t=0.333333333:ordered", diseases, all, COUNTS(1, 1, 0, 0)));
    bt_arena_release(&arena);
}

/* ---- refusals ---- */

static void infeasible_tables_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hint;
    } cases[] = {
        {"k=9", "the table has 8 records, k is 9"},
        {"alpha=0.3", "the most frequent value is that of 3 of 8 persons (0.375), alpha is 0.3"},
        {"alpha=0.1:c|d",
         "the most frequent listed value is that of 1 of 8 persons (0.125), alpha is 0.1"},
        {"p=6", "the number of distinct values is 5, p is 6"},
        {"l=6", "the number of distinct values is 5, l is 6"},
        {"p-categories=4", "the number of categories is 3, p-categories is 4"},
        {"weight=10", "the values weigh 1.33333 altogether, weight is 10"},
        {"entropy-l=5",
         "the values are as diverse as 4.45566 equally frequent ones, entropy-l is 5"},
        {"recursive-l=3:1", "the most frequent value is that of 3 persons, those from number 3 on "
                            "together that of 3, c is 1"},
    };
    const uint32_t *table = COUNTS(3, 2, 1, 1, 1, 0, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        fixture f;
        assert_ok(bind(&f, cases[i].text, health, table, &error), &error);
        assert_fails(bt_requirements_feasible(&f.requirements, &error), BAUTA_NO, &error,
                     cases[i].text);
        assert_string_equal(error.hint, cases[i].hint);
        assert_string_equal(error.column, i == 0 ? "" : "disease");
        finish(&f);
    }
    bauta_error error;
    fixture f;
    assert_ok(bind(&f, "k=8,alpha=3/8,p=5,p-categories=3,weight=4/3,t=0,entropy-l=4", health, table,
                   &error),
              &error);
    assert_ok(bt_requirements_feasible(&f.requirements, &error), &error);
    finish(&f);
}

static void columns_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const uint32_t one_category[8] = {0};
    static const bt_categories single = {.count = 1, .of_code = one_category};
    const bt_sensitive plain = PLAIN(8), in_one = {.size = 8, .categories = &single};
    const struct {
        const char *text;
        const bt_sensitive *column;
        const char *message;
    } cases[] = {
        {"alpha=0", &plain, "'alpha' of 'alpha' must be more than 0"},
        {"alpha=0.5:a|Q|c|R", &plain, "'alpha' lists values that the column does not have: 2 of 4"},
        {"p-categories=2", &plain, "needs categories"},
        {"weight=2", &plain, "needs categories"},
        {"weight=2", &in_one, "'weight' needs at least two categories"},
        {"entropy-l=1", &plain, "'l' of 'entropy-l' must be more than 1"},
        {"entropy-l=2.0000000001", &plain, "too many digits"},
        {"recursive-l=2:0", &plain, "'c' of 'recursive-l' must be more than 0"},
        {"t=0.2:ordered", &plain, "the values of the column have no order"},
        {"t=0.2:hierarchical", &plain, "no hierarchy"},
        {"l(income)=2", &plain, "'income' is not a sensitive column"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        fixture f;
        assert_fails(
            bind(&f, cases[i].text, *cases[i].column, COUNTS(1, 1, 1, 1, 1, 1, 1, 1), &error),
            BAUTA_INVALID, &error, cases[i].message);
        assert_null(strstr(error.message, "Q"));
        finish(&f);
    }
}

static void without_a_sensitive_column_only_sizes_can_be_asked(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_people people = bt_people_plain(7);
    assert_ok(bt_requirements_parse("p=2", &arena, &requirements, &error), &error);
    assert_fails(bt_requirements_bind(&requirements, &people, &arena, &error), BAUTA_INVALID,
                 &error, "'p=2' needs a sensitive column");
    assert_ok(bt_requirements_parse("k=7", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_requirements_feasible(&requirements, &error), &error);
    assert_ok(bt_requirements_parse("k=8", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_fails(bt_requirements_feasible(&requirements, &error), BAUTA_NO, &error, "'k=8'");
    assert_string_equal(error.hint, "the table has 7 records, k is 8");
    bt_arena_release(&arena);
}

static void faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"k", "requirement 'k' needs a value"},
        {"k=", "'k'"},
        {"k=0", "must be at least 1"},
        {"k=-3", "must be at least 1"},
        {"k=4294967296", "must be at most 4294967295"},
        {"k=five", "must be a whole number"},
        {"k=2.5", "must be a whole number"},
        {"k=5:6", "at most 1 value"},
        {"k=5,k=6", "'k' is given twice"},
        {"kk=5", "there is no requirement 'kk'"},
        {"temperature=5", "there is no requirement 'temperature'"},
        {"k=5,", "needs a value"},
        {"k(disease)=5", "'k' is not about one column"},
        {"l=1.5", "must be a whole number"},
        {"l=0", "must be at least 1"},
        {"p=2:3", "at most 1 value"},
        {"alpha=1.1", "must be at most 1"},
        {"alpha=-0.1", "must be more than 0"},
        {"alpha()=0.5", "names no column"},
        {"alpha(disease=0.5", "names no column"},
        {"alpha(x)=0.5,alpha(x)=0.4", "'alpha' is given twice"},
        {"entropy-l=0.5", "must be more than 1"},
        {"recursive-l=3", "needs 'c'"},
        {"recursive-l=2.5:1", "must be a whole number"},
        {"t=0.2:near", "must be one of equal|ordered|hierarchical"},
        {"t=2", "must be at most 1"},
        {"weight=-1", "must be at least 0"},
        {"presence=2", "must be at most 1"},
        {"presence(disease)=1/2", "'presence' is not about one column"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_arena arena = {0};
        bt_requirements requirements;
        assert_fails(bt_requirements_parse(cases[i].text, &arena, &requirements, &error),
                     BAUTA_INVALID, &error, cases[i].message);
        bt_arena_release(&arena);
    }
}

/* ---- several columns ---- */

/* In the class everyone's disease and income are diverse, but who knows that the disease is b knows
 * the income. */
/* A manifest of version 0.1.0 may hold a ':' with nothing after it, which meant all values. */
static void nothing_after_a_colon_is_not_asked_for(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_requirements requirements;
    bauta_error error;
    assert_ok(bt_requirements_parse("alpha=0.5:", &arena, &requirements, &error), &error);
    assert_fails(bt_requirements_ask("k=2,alpha=0.5:", &arena, &requirements, &error),
                 BAUTA_INVALID, &error, "nothing follows the ':' of requirement 'alpha=0.5:'");
    assert_non_null(strstr(error.hint, "'alpha=0.5:|' for the missing one"));
    assert_ok(bt_requirements_ask("alpha=0.5,t=0.2", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_ask("alpha=0.5:|", &arena, &requirements, &error), &error);
    bt_arena_release(&arena);
}

static void a_known_value_counts(void **state)
{
    (void)state;
    bauta_error error;
    static const uint8_t diseases[] = {0, 0, 1, 1}, incomes[] = {0, 1, 2, 2};
    static const void *const codes[] = {diseases, incomes};
    static const unsigned widths[] = {1, 1};
    const bt_sensitive columns[] = {{.name = "disease", .size = 2, .text = letters},
                                    {.name = "income", .size = 3, .text = letters}};
    bt_people people;
    bt_arena arena = {0};
    bt_requirements requirements;
    assert_ok(bt_people_make(columns, codes, widths, 2, 4, NULL, 0, &people, &error), &error);
    const char *texts[] = {"p=2", "p(income)=2", "p(disease)=2"};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(bt_requirements_parse(texts[i], &arena, &requirements, &error), &error);
        assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
        assert_true(requirements.monotone_merging);
        assert_false(requirements.monotone_growing);
        assert_fails(bt_requirements_feasible(&requirements, &error), BAUTA_NO, &error, texts[i]);
        assert_non_null(strstr(error.hint,
                               "the number of distinct values is 1, p is 2; 'joint: none' "
                               "does not ask for that: whoever knows"));
        assert_string_equal(error.column, i == 1 ? "income" : "disease");
        assert_non_null(
            strstr(error.message, i == 1 ? "a value of 'disease'" : "a value of 'income'"));
        requirements.joint = false;
        assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
        assert_true(requirements.monotone_growing);
        assert_ok(bt_requirements_feasible(&requirements, &error), &error);
    }
    assert_ok(bt_requirements_parse("p(income)=3,p(disease)=2", &arena, &requirements, &error),
              &error);
    requirements.joint = false;
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_requirements_feasible(&requirements, &error), &error);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

/* A person has b in one class and a in the other; alone each class is half and half, but of the
 * two persons in both classes together both have a and both have b. */
static void shared_persons_do_not_add_up(void **state)
{
    (void)state;
    bauta_error error;
    static const uint8_t diseases[] = {0, 1, 1, 0};
    static const uint32_t subject_of[] = {0, 1, 0, 1};
    static const void *const codes[] = {diseases};
    static const unsigned widths[] = {1};
    const bt_sensitive column = {.name = "disease", .size = 2, .text = letters};
    bt_people people;
    bt_arena arena = {0};
    bt_requirements requirements;
    bt_tally *tally;
    assert_ok(bt_people_make(&column, codes, widths, 1, 4, subject_of, 2, &people, &error), &error);
    assert_ok(bt_requirements_parse("alpha=0.5", &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_false(requirements.monotone_merging);
    assert_ok(bt_tally_new(&people, &tally, &error), &error);
    for (uint32_t row = 0; row < 4; row++) {
        if (row == 2) bt_tally_clear(tally);
        assert_ok(bt_tally_add_row(tally, row, &error), &error);
        if (row % 2) assert_true(bt_requirements_check(&requirements, tally, NULL));
    }
    const bt_requirement_instance *failed = NULL;
    for (uint32_t row = 0; row < 2; row++)
        assert_ok(bt_tally_add_row(tally, row, &error), &error);
    assert_false(bt_requirements_check(&requirements, tally, &failed));
    assert_ptr_equal(failed, &requirements.items[0]);
    people.together = true;
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_true(requirements.monotone_merging);
    bt_tally_free(tally);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_at_its_boundary),
        cmocka_unit_test(presence_at_its_boundary),
        cmocka_unit_test(nothing_required_is_always_met),
        cmocka_unit_test(alpha_at_its_boundary),
        cmocka_unit_test(alpha_bounds_listed_values),
        cmocka_unit_test(escapes_are_kept),
        cmocka_unit_test(classes_of_paper_1),
        cmocka_unit_test(distinct_values_at_their_boundary),
        cmocka_unit_test(classes_of_paper_3),
        cmocka_unit_test(equally_frequent_values_just_suffice),
        cmocka_unit_test(uneven_values_can_just_suffice),
        cmocka_unit_test(fractions_next_to_an_irrational_are_told_apart),
        cmocka_unit_test(recursive_diversity_at_its_boundary),
        cmocka_unit_test(distance_equal_to_t),
        cmocka_unit_test(likeness_at_its_boundary),
        cmocka_unit_test(fractions_next_to_a_logarithm_are_told_apart),
        cmocka_unit_test(ordered_distance_of_incomes),
        cmocka_unit_test(hierarchical_distance_in_a_tree),
        cmocka_unit_test(infeasible_tables_are_explained),
        cmocka_unit_test(columns_that_do_not_fit_are_refused),
        cmocka_unit_test(without_a_sensitive_column_only_sizes_can_be_asked),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(nothing_after_a_colon_is_not_asked_for),
        cmocka_unit_test(a_known_value_counts),
        cmocka_unit_test(shared_persons_do_not_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
