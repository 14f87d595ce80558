/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit against the original, and the measures, on small random tables and releases (tight,
 * widened, corrupted, wholly random) against twins that look at every pair of rows.
 */
#include "release_files.h"

#include "base/csv.h"

enum { ROUNDS = 3000, MOST = 9, AGES = 6, CITIES = 4, LEAVES = 4, MISSING = 7, ALL = 0xff };

typedef struct record {
    int age, city, zip, disease, pay; /* age and city may be MISSING */
} record;

typedef struct row {
    unsigned age, city, zip; /* bit per value that the cell contains, bit MISSING */
    int disease, pay;
} row;

typedef struct world {
    record records[MOST];
    row rows[MOST + 1];
    int record_count, row_count, dropped;
    uint64_t random;
} world;

static const char *const cities[] = {"*y", "a|b", "q\"r", "x"}; /* in the order of bytes */
static const char *const leaves[] = {"a1", "a2", "b1", "b2"};
static const char *const diseases[] = {"flu", "cold", "gout"};
static const char *const pays[] = {"1.5", "20", "7"};
static const char *const source_pays[] = {"1.50", "20.0", "7"};

static const char columns[] = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT(
    "city") ",{\"name\":\"zip\",\"role\":\"quasi\","
            "\"type\":\"text\",\"hierarchy\":{\"spec\":\"file\",\"paths\":[[\"a1\",\"a\"],[\"a2\","
            "\"a\"],"
            "[\"b1\",\"b\"],[\"b2\",\"b\"]]}}," TEST_SENSITIVE(
                "disease") ",{\"name\":\"pay\","
                           "\"role\":\"other\",\"type\":\"decimal\",\"scale\":1}";

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- random tables ---- */

static void make_records(world *w)
{
    int ages = 1 + below(w, AGES), others = 1 + below(w, 3);
    w->record_count = 1 + below(w, MOST);
    for (int i = 0; i < w->record_count; i++)
        w->records[i] = (record){.age = below(w, 8) ? below(w, ages) : MISSING,
                                 .city = below(w, 8) ? below(w, CITIES) : MISSING,
                                 .zip = below(w, LEAVES),
                                 .disease = below(w, others),
                                 .pay = below(w, others)};
}

/* The cell that covers what is set in `seen`: with gaps for sets, without for ranges. */
static unsigned cover(unsigned seen, bool range)
{
    unsigned missing = 1u << MISSING;
    if ((seen & missing) && seen != missing) return ALL;
    if (!range || seen == missing) return seen;
    int low = __builtin_ctz(seen), high = 31 - __builtin_clz(seen);
    return (2u << high) - (1u << low);
}

static unsigned cover_leaves(unsigned seen)
{
    if (__builtin_popcount(seen) == 1) return seen;
    if ((seen & 0x3) == seen) return 0x3;
    return (seen & 0xc) == seen ? 0xc : ALL;
}

/* Groups records in a random order; the last ones are dropped. */
static void make_rows(world *w)
{
    record shuffled[MOST];
    memcpy(shuffled, w->records, sizeof shuffled);
    for (int i = w->record_count; i > 1; i--) {
        int j = below(w, i);
        record held = shuffled[i - 1];
        shuffled[i - 1] = shuffled[j];
        shuffled[j] = held;
    }
    w->dropped = below(w, 3) ? 0 : below(w, w->record_count + 1);
    w->row_count = w->record_count - w->dropped;
    for (int from = 0, to; from < w->row_count; from = to) {
        unsigned age = 0, city = 0, zip = 0;
        to = from + 1 + below(w, 4);
        if (to > w->row_count) to = w->row_count;
        for (int i = from; i < to; i++) {
            age |= 1u << shuffled[i].age;
            city |= 1u << shuffled[i].city;
            zip |= 1u << shuffled[i].zip;
        }
        for (int i = from; i < to; i++)
            w->rows[i] = (row){cover(age, true), cover(city, false), cover_leaves(zip),
                               shuffled[i].disease, shuffled[i].pay};
    }
}

static unsigned random_range(world *w)
{
    int low = below(w, AGES), high = low + below(w, AGES - low);
    int kind = below(w, 8);
    if (kind == 0) return ALL;
    return kind == 1 ? 1u << MISSING : (2u << high) - (1u << low);
}

static unsigned random_set(world *w)
{
    int kind = below(w, 8);
    if (kind == 0) return ALL;
    return kind == 1 ? 1u << MISSING : 1u + (unsigned)below(w, (1 << CITIES) - 1);
}

static unsigned random_node(world *w)
{
    int kind = below(w, 7);
    return kind < 4 ? 1u << kind : kind == 4 ? 0x3 : kind == 5 ? 0xc : ALL;
}

static void widen(world *w, row *r)
{
    switch (below(w, 3)) {
    case 0: r->age = cover(r->age | random_range(w), true); break;
    case 1: r->city = cover(r->city | random_set(w), false); break;
    default: r->zip = cover_leaves(r->zip | random_node(w));
    }
}

static void corrupt(world *w)
{
    if (w->row_count == 0) return;
    row *r = &w->rows[below(w, w->row_count)];
    switch (below(w, 7)) {
    case 0: r->age = random_range(w); break;
    case 1: r->city = random_set(w); break;
    case 2: r->zip = random_node(w); break;
    case 3: r->disease = below(w, 3); break;
    case 4: r->pay = below(w, 3); break;
    case 5: *r = w->rows[--w->row_count]; break;
    default: w->rows[w->row_count++] = *r;
    }
}

static void make_world(world *w)
{
    make_records(w);
    make_rows(w);
    int kind = below(w, 4);
    for (int i = 0; kind >= 1 && i < w->row_count; i++)
        if (below(w, 2)) widen(w, &w->rows[i]);
    if (kind == 2) corrupt(w);
    for (int i = 0; kind == 3 && i < w->row_count; i++)
        if (below(w, 2)) w->rows[i].age = random_range(w);
}

/* ---- writing ---- */

static void put(bt_buffer *out, const char *text, char after)
{
    bauta_error error;
    assert_ok(bt_csv_put(out, text, strlen(text), &error), &error);
    assert_ok(bt_buffer_add(out, &after, 1, &error), &error);
}

static const char *age_cell(unsigned mask, char *text, size_t size)
{
    if (mask == ALL) return "*";
    if (mask == 1u << MISSING) return "";
    int low = __builtin_ctz(mask), high = 31 - __builtin_clz(mask);
    if (low == high)
        snprintf(text, size, "%d", low);
    else
        snprintf(text, size, "[%d,%d]", low, high);
    return text;
}

static const char *city_cell(unsigned mask, char *text, size_t size)
{
    static const char *const members[] = {"*y", "a\\|b", "q\"r", "x"};
    static const char *const alone[] = {"\\*y", "a|b", "q\"r", "x"};
    if (mask == ALL) return "*";
    if (mask == 1u << MISSING) return "";
    if (__builtin_popcount(mask) == 1) return alone[__builtin_ctz(mask)];
    size_t used = 0;
    for (int i = 0; i < CITIES; i++)
        if (mask >> i & 1)
            used +=
                (size_t)snprintf(text + used, size - used, "%c%s", used ? '|' : '{', members[i]);
    snprintf(text + used, size - used, "}");
    return text;
}

static const char *zip_cell(unsigned mask)
{
    if (mask == ALL) return "*";
    if (__builtin_popcount(mask) == 1) return leaves[__builtin_ctz(mask)];
    return mask == 0x3 ? "a" : "b";
}

static const char *write_release(const world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    char cell[64];
    assert_ok(bt_buffer_print(&text, &error, "age,city,zip,disease,pay\n"), &error);
    for (int i = 0; i < w->row_count; i++) {
        const row *r = &w->rows[i];
        put(&text, age_cell(r->age, cell, sizeof cell), ',');
        put(&text, city_cell(r->city, cell, sizeof cell), ',');
        put(&text, zip_cell(r->zip), ',');
        put(&text, diseases[r->disease], ',');
        put(&text, pays[r->pay], '\n');
    }
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    const test_release release = {.columns = columns,
                                  .promises = "{\"name\":\"k\",\"value\":\"1\"}",
                                  .dropped = w->dropped,
                                  .data = text.bytes};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&text);
    return folder;
}

static const char *write_original(const world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "pay,zip,age,skipped,disease,city\n"), &error);
    for (int i = 0; i < w->record_count; i++) {
        const record *r = &w->records[i];
        char age[16] = "NA";
        if (r->age != MISSING) snprintf(age, sizeof age, "%d", r->age);
        put(&text, source_pays[r->pay], ',');
        put(&text, leaves[r->zip], ',');
        put(&text, age, ',');
        put(&text, "secret", ',');
        put(&text, diseases[r->disease], ',');
        put(&text, r->city == MISSING ? "?" : cities[r->city], '\n');
    }
    const char *file = scratch_write("original.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

/* ---- the twins ---- */

static bool fits(const record *r, const row *cells)
{
    return (cells->age >> r->age & 1) && (cells->city >> r->city & 1) &&
           (cells->zip >> r->zip & 1) && cells->disease == r->disease && cells->pay == r->pay;
}

/* Finds a record for row i, moving the rows that have one. */
static bool place_row(const world *w, int i, int *row_of, bool *seen)
{
    for (int j = 0; j < w->record_count; j++) {
        if (seen[j] || !fits(&w->records[j], &w->rows[i])) continue;
        seen[j] = true;
        if (row_of[j] >= 0 && !place_row(w, row_of[j], row_of, seen)) continue;
        row_of[j] = i;
        return true;
    }
    return false;
}

static bool all_rows_match(const world *w)
{
    int row_of[MOST];
    bool all = true;
    memset(row_of, 0xff, sizeof row_of);
    for (int i = 0; i < w->row_count; i++)
        all &= place_row(w, i, row_of, (bool[MOST]){false});
    return all;
}

static double clamp(double value)
{
    return value < 1 ? value : 1;
}

static double naive_ncp(const world *w)
{
    unsigned ages = 0, towns = 0;
    for (int i = 0; i < w->record_count; i++) {
        if (w->records[i].age != MISSING) ages |= 1u << w->records[i].age;
        if (w->records[i].city != MISSING) towns |= 1u << w->records[i].city;
    }
    int range = ages ? 31 - __builtin_clz(ages) - __builtin_ctz(ages) : 0;
    int others = __builtin_popcount(towns) - 1;
    double sum = 3.0 * w->dropped;
    for (int i = 0; i < w->row_count; i++) {
        const row *r = &w->rows[i];
        int wide = 31 - __builtin_clz(r->age) - __builtin_ctz(r->age);
        sum += r->age == ALL ? 1 : wide == 0 ? 0 : clamp((double)wide / (range > 0 ? range : 1));
        int more = __builtin_popcount(r->city) - 1;
        sum += r->city == ALL ? 1 : clamp((double)more / (others > 0 ? others : 1));
        sum += r->zip == ALL ? 1 : __builtin_popcount(r->zip) == 1 ? 0 : 0.5;
    }
    return sum / (3.0 * w->record_count);
}

static double naive_discernibility(const world *w)
{
    double sum = (double)w->dropped * w->record_count;
    for (int i = 0; i < w->row_count; i++)
        for (int j = 0; j < w->row_count; j++)
            sum += w->rows[i].age == w->rows[j].age && w->rows[i].city == w->rows[j].city &&
                   w->rows[i].zip == w->rows[j].zip;
    return sum;
}

/* ---- comparing ---- */

static void check_audit(const world *w, const char *folder, const bauta_recipe *recipe)
{
    bauta_error error;
    bauta_report *report = NULL;
    bool rows = w->row_count + w->dropped == w->record_count, match = all_rows_match(w);
    bauta_status status = bauta_audit(folder, recipe, &report, &error);
    if (status != (rows && match ? BAUTA_OK : BAUTA_NO)) fail_msg("%d %s", status, error.message);
    const json_t *facts = report->facts.root;
    assert_int_equal(test_verdict(facts, "rows"), rows);
    assert_int_equal(test_verdict(facts, "original records"), match);
    assert_int_equal(test_verdict(facts, "cells"), 1);
    assert_int_equal(test_verdict(facts, "canonical text"), 1);
    bauta_report_free(report);
}

static void check_measures(const world *w, const char *folder, const bauta_recipe *recipe)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_status status = bauta_measure(&folder, 1, recipe, &report, &error);
    if (w->row_count + w->dropped != w->record_count) {
        assert_int_equal(status, BAUTA_INVALID);
        return;
    }
    assert_int_equal(status, BAUTA_OK);
    double ncp = json_number_value(json_object_get(report->facts.root, "ncp"));
    double off = ncp - naive_ncp(w);
    if (off > 1e-12 || off < -1e-12) fail_msg("ncp %.17g, naive %.17g", ncp, naive_ncp(w));
    assert_true(json_number_value(json_object_get(report->facts.root, "discernibility")) ==
                naive_discernibility(w));
    bauta_report_free(report);
}

static void audit_equals_brute_force(void **state)
{
    (void)state;
    world w = {.random = 2024};
    int matched = 0;
    for (int round = 0; round < ROUNDS; round++) {
        make_world(&w);
        const char *folder = write_release(&w);
        bauta_recipe *recipe = test_original(write_original(&w), "1");
        check_audit(&w, folder, recipe);
        check_measures(&w, folder, recipe);
        bauta_recipe_free(recipe);
        matched += all_rows_match(&w);
    }
    /* Both answers must have been asked for often. */
    assert_in_range(matched, ROUNDS / 5, ROUNDS * 4 / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit_equals_brute_force),
    };
    return cmocka_run_group_tests_name("matching", tests, scratch_make, scratch_empty);
}
