/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks against their definitions: every record against every published row, on small random
 * tables in both forms, with all and with some columns known; and over many seeds nothing in the
 * order of rows or the numbers of classes is above chance.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"
#include "../release_files.h"

#include <math.h>

enum { ROWS = 60, VALUES = 5, COLUMNS = 2 };

typedef struct record {
    int quasi[COLUMNS];
    int value;
} record;

typedef struct row { /* of a release */
    int lo[COLUMNS], hi[COLUMNS];
    int class_number; /* two-tables */
    int value;        /* generalized */
} row;

typedef struct twin {
    record people[ROWS];
    int people_count;
    row rows[ROWS];
    int row_count;
    int bag[ROWS][VALUES], bag_size[ROWS]; /* two-tables: per class number */
    bool two_tables;
    bool known[COLUMNS];
} twin;

/* ---- making and reading ---- */

/* The first `kept` people stay who they are. */
static const char *add_people(twin *t, const char *name, uint64_t *random, int kept, int count)
{
    char text[ROWS * 32];
    int length = snprintf(text, sizeof text, "a,b,s\n");
    t->people_count = count;
    for (int i = 0; i < count; i++) {
        record *one = &t->people[i];
        if (i >= kept)
            *one = (record){{(int)test_below(random, 12), (int)test_below(random, 6)},
                            (int)(test_below(random, VALUES) * test_below(random, VALUES)) / 4};
        length += snprintf(text + length, sizeof text - (size_t)length, "%d,%d,v%d\n",
                           one->quasi[0], one->quasi[1], one->value);
    }
    return scratch_text(name, text);
}

static const char *make_people(twin *t, const char *name, uint64_t *random, int count)
{
    return add_people(t, name, random, 0, count);
}

/* "7" or "[3,9]" in quotes; returns what follows the comma behind it. */
static const char *read_cell(const char *text, int *lo, int *hi)
{
    int used = 0;
    if (sscanf(text, "\"[%d,%d]\",%n", lo, hi, &used) == 2 && used > 0) return text + used;
    if (sscanf(text, "%d,%n", lo, &used) != 1 || used == 0) fail_msg("cell '%s'", text);
    *hi = *lo;
    return text + used;
}

static void read_release(twin *t)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, t->two_tables ? "quasi.csv" : "data.csv", &text);
    char **lines = split_lines(&text, &count);
    t->row_count = (int)count - 1;
    for (int i = 0; i < t->row_count; i++) {
        row *one = &t->rows[i];
        const char *rest = lines[i + 1];
        for (int c = 0; c < COLUMNS; c++)
            rest = read_cell(rest, &one->lo[c], &one->hi[c]);
        assert_int_equal(sscanf(rest, t->two_tables ? "%d" : "v%d",
                                t->two_tables ? &one->class_number : &one->value),
                         1);
    }
    free(lines);
    memset(t->bag, 0, sizeof t->bag);
    memset(t->bag_size, 0, sizeof t->bag_size);
    if (t->two_tables) {
        read_file(publish, "sensitive.csv", &text);
        lines = split_lines(&text, &count);
        for (size_t i = 1; i < count; i++) {
            int class_number, value;
            assert_int_equal(sscanf(lines[i], "%d,v%d", &class_number, &value), 2);
            t->bag[class_number][value]++;
            t->bag_size[class_number]++;
        }
        free(lines);
    }
    bt_buffer_release(&text);
}

/* ---- by definition ---- */

static bool may_be(const twin *t, const row *one, const record *person)
{
    for (int c = 0; c < COLUMNS; c++)
        if (t->known[c] && (person->quasi[c] < one->lo[c] || person->quasi[c] > one->hi[c]))
            return false;
    return true;
}

typedef struct belief {
    double share[VALUES];
    int rows;
} belief;

static belief believe(const twin *t, const record *person)
{
    belief b = {.rows = 0};
    for (int i = 0; i < t->row_count; i++) {
        const row *one = &t->rows[i];
        if (!may_be(t, one, person)) continue;
        b.rows++;
        if (!t->two_tables) {
            b.share[one->value]++;
            continue;
        }
        for (int v = 0; v < VALUES; v++)
            b.share[v] += (double)t->bag[one->class_number][v] / t->bag_size[one->class_number];
    }
    for (int v = 0; v < VALUES && b.rows; v++)
        b.share[v] /= b.rows;
    return b;
}

/* two-tables: the best guess of a row of sensitive.csv, of those whose values are possible. */
static double link_of(const twin *t, const record *person, const bool *possible)
{
    double best = 0;
    int all = 0;
    for (int i = 0; i < t->row_count; i++)
        all += may_be(t, &t->rows[i], person);
    for (int class_number = 0; class_number < ROWS; class_number++) {
        int rows = 0, left = 0;
        for (int i = 0; i < t->row_count; i++)
            rows += t->rows[i].class_number == class_number && may_be(t, &t->rows[i], person);
        for (int v = 0; v < VALUES; v++)
            if (possible[v]) left += t->bag[class_number][v];
        if (rows > 0 && left > 0) best = fmax(best, (double)rows / all / left);
    }
    return best;
}

static double prior_of(const twin *t, int value)
{
    int count = 0;
    for (int i = 0; i < t->people_count; i++)
        count += t->people[i].value == value;
    return (double)count / t->people_count;
}

static int best_of(const double *scores)
{
    int best = 0;
    for (int v = 1; v < VALUES; v++)
        if (scores[v] > scores[best] + 1e-9) best = v;
    return best;
}

typedef struct expected {
    double success, worst;
} expected;

static void add(expected *to, double probability)
{
    to->success += probability;
    if (probability > to->worst) to->worst = probability;
}

static void assert_expected(const bauta_report *report, const char *attack, const char *variant,
                            expected wanted, int count)
{
    const json_t *one = find_result(report, attack, variant);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), count);
    assert_rate(one, "success", fmax(0, wanted.success / count)); /* who would lose does not bet */
    assert_rate(one, "worst", wanted.worst);
}

static void compare(const twin *t, const bauta_report *report)
{
    expected rows = {0, 0}, links = {0, 0}, homogeneity = {0, 0}, skewness = {0, 0};
    double bets = 0;
    for (int i = 0; i < t->people_count; i++) {
        const record *person = &t->people[i];
        belief b = believe(t, person);
        double gains[VALUES];
        assert_true(b.rows > 0);
        add(&rows, 1.0 / b.rows);
        add(&links, link_of(t, person, (const bool[VALUES]){true, true, true, true, true}));
        int top = best_of(b.share);
        homogeneity.success += top == person->value;
        homogeneity.worst = fmax(homogeneity.worst, b.share[top]);
        for (int v = 0; v < VALUES; v++)
            gains[v] = b.share[v] > 0 ? b.share[v] - prior_of(t, v) : -2;
        int bet = best_of(gains);
        skewness.worst = fmax(skewness.worst, gains[bet]);
        skewness.success += bet == person->value;
        bets += prior_of(t, bet);
    }
    skewness.success -= bets;
    assert_expected(report, "re-identification", "prosecutor", rows, t->people_count);
    if (t->two_tables)
        assert_expected(report, "re-identification", "linkage", links, t->people_count);
    assert_expected(report, "homogeneity", NULL, homogeneity, t->people_count);
    assert_expected(report, "skewness", NULL, skewness, t->people_count);
}

static bool same_cells(const row *a, const row *b)
{
    return memcmp(a->lo, b->lo, sizeof a->lo) == 0 && memcmp(a->hi, b->hi, sizeof a->hi) == 0;
}

/* Row i and record i, neighbours of one class. */
static void compare_positions(const twin *t, const bauta_report *report)
{
    int pairs = 0, neighbours = 0, together = 0;
    double chance = 0;
    for (int i = 0; i < t->row_count; i++) {
        pairs += may_be(t, &t->rows[i], &t->people[i]);
        chance += (double)believe(t, &t->people[i]).rows / t->row_count;
        for (int j = 0; j < t->row_count; j++) {
            bool same = t->two_tables ? t->rows[i].class_number == t->rows[j].class_number
                                      : same_cells(&t->rows[i], &t->rows[j]);
            together += same && i != j;
            neighbours += same && j == i + 1;
        }
    }
    const json_t *one = find_result(report, "position", "rows");
    assert_rate(one, "success", (double)pairs / t->row_count);
    assert_rate(one, "chance", chance / t->row_count);
    one = find_result(report, "position", "neighbours");
    assert_rate(one, "success", (double)neighbours / (t->row_count - 1));
    assert_rate(one, "chance", (double)together / t->row_count / (t->row_count - 1));
}

/* Classes whose members are known; each with a range in it gives two rows away, no more. */
static void compare_downcoding(const twin *t, const bauta_report *report)
{
    int tried = 0, hits = 0;
    for (int i = 0; i < t->row_count; i++) {
        const row *one = &t->rows[i];
        int size = 0, members = 0, before = 0, elsewhere = 0;
        for (int j = 0; j < t->row_count; j++) {
            size += same_cells(one, &t->rows[j]);
            before += j < i && same_cells(one, &t->rows[j]);
        }
        for (int j = 0; j < t->people_count; j++) {
            if (!may_be(t, one, &t->people[j])) continue;
            members++;
            elsewhere += believe(t, &t->people[j]).rows != size;
        }
        if (before > 0 || members - elsewhere != size) continue;
        tried += size;
        hits += one->lo[0] < one->hi[0] || one->lo[1] < one->hi[1] ? 2 : 0;
    }
    const json_t *found = find_result(report, "downcoding", NULL);
    assert_int_equal(json_integer_value(json_object_get(found, "tried")), tried);
    assert_rate(found, "success", tried ? (double)hits / tried : 0);
}

/* ---- the same tables ---- */

static void publish_people(twin *t, const char *file, uint64_t *random)
{
    static const char *const methods[] = {"mondrian", "mondrian:order=round-robin", "top-down"};
    bauta_error error;
    char k[16];
    snprintf(k, sizeof k, "k=%d", 2 + (int)test_below(random, 4));
    t->two_tables = test_below(random, 2);
    bauta_status status = run(file,
                              SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"require", k},
                                       {"threads", "1"}, {"group", methods[test_below(random, 3)]},
                                       {"publish", t->two_tables ? "two-tables" : "generalized"}),
                              NULL, &error);
    assert_ok(status, &error);
    read_release(t);
}

static void rates_are_as_defined(void **state)
{
    (void)state;
    static twin t;
    uint64_t random = 1;
    for (int trial = 0; trial < 150; trial++) {
        char file[300];
        use_new_folder(NULL);
        snprintf(file, sizeof file, "%s",
                 make_people(&t, "people.csv", &random, 5 + (int)test_below(&random, ROWS - 5)));
        publish_people(&t, file, &random);
        t.known[0] = t.known[1] = true;
        bauta_report *report = try_attacks(publish, file, NULL, true);
        compare(&t, report);
        compare_positions(&t, report);
        if (!t.two_tables) compare_downcoding(&t, report);
        bauta_report_free(report);
        t.known[trial % 2] = false;
        report = try_attacks(publish, file, ARGUMENTS(trial % 2 ? "know=a" : "know=b"), true);
        compare(&t, report);
        bauta_report_free(report);
    }
}

/* ---- with a public table ---- */

/* The person of the public table who alone can have the value at an end of a row's range; -1. */
static int alone_at(const twin *t, const twin *crowd, const row *one, int column, int end)
{
    int found = -1;
    if (t->two_tables || one->lo[column] == one->hi[column]) return -1;
    for (int i = 0; i < crowd->people_count; i++) {
        if (!may_be(t, one, &crowd->people[i]) || crowd->people[i].quasi[column] != end) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

static void find_alone(const twin *t, const twin *crowd, bool *alone)
{
    for (int i = 0; i < t->row_count; i++)
        for (int c = 0; c < COLUMNS; c++) {
            int low = alone_at(t, crowd, &t->rows[i], c, t->rows[i].lo[c]);
            int high = alone_at(t, crowd, &t->rows[i], c, t->rows[i].hi[c]);
            if (low >= 0) alone[low] = true;
            if (high >= 0) alone[high] = true;
        }
}

/* `all`: the first people of the public table are those of the original. */
static void compare_crowd(const twin *t, const twin *crowd, bool all, const bauta_report *report)
{
    expected journalist = {0, 0}, presence = {0, 0};
    bool alone[ROWS] = {false};
    int surely = 0, faces = 0;
    double sure[ROWS]; /* per row of the release: of its cells */
    find_alone(t, crowd, alone);
    for (int i = 0; i < t->row_count; i++) {
        int people = 0, rows = 0;
        for (int j = 0; j < crowd->people_count; j++)
            people += may_be(t, &t->rows[i], &crowd->people[j]);
        for (int j = 0; j < t->row_count; j++)
            rows += same_cells(&t->rows[i], &t->rows[j]);
        add(&journalist, 1.0 / (people > rows ? people : rows));
        sure[i] = people > rows ? (double)rows / people : 1;
    }
    for (int i = 0; i < t->people_count; i++) {
        double best = 0;
        for (int j = 0; j < t->row_count; j++)
            if (may_be(t, &t->rows[j], &t->people[i])) best = fmax(best, sure[j]);
        for (int j = 0; j < crowd->people_count; j++)
            if (alone[j] &&
                memcmp(crowd->people[j].quasi, t->people[i].quasi, sizeof t->people[i].quasi) == 0)
                best = 1;
        add(&presence, best);
    }
    for (int j = 0; j < crowd->people_count; j++) {
        double best = 0;
        for (int i = 0; i < t->row_count; i++)
            if (may_be(t, &t->rows[i], &crowd->people[j])) best = fmax(best, sure[i]);
        surely += best >= 1 || alone[j];
        faces += best < 1 && alone[j];
        if (all && alone[j]) assert_true(j < t->people_count); /* what is claimed is true */
    }
    char words[100];
    snprintf(words, sizeof words, " %d surely present, %d of them alone", surely, faces);
    const json_t *one = find_result(report, "presence", NULL);
    assert_non_null(strstr(json_string_value(json_object_get(one, "detail")), words));
    assert_expected(report, "re-identification", "journalist", journalist, t->row_count);
    assert_expected(report, "presence", NULL, presence, t->people_count);
}

static void crowds_are_counted(void **state)
{
    (void)state;
    static twin t, crowd;
    uint64_t random = 2;
    for (int trial = 0; trial < 60; trial++) {
        char file[300], argument[320];
        use_new_folder(NULL);
        bool all = trial % 2;
        snprintf(file, sizeof file, "%s", make_people(&t, "people.csv", &random, 20));
        crowd = t;
        snprintf(argument, sizeof argument, "public=%s",
                 add_people(&crowd, "crowd.csv", &random, all ? t.people_count : 0,
                            (all ? 20 : 5) + (int)test_below(&random, ROWS - (all ? 20 : 5))));
        publish_people(&t, file, &random);
        t.known[0] = t.known[1] = true;
        bauta_report *report = try_attacks(publish, file, ARGUMENTS(argument), true);
        compare_crowd(&t, &crowd, all, report);
        bauta_report_free(report);
    }
}

/* ---- who came and who left ---- */

/* Classes of one recoding, hundreds by hundreds: what stands in both is struck out. */
static void compare_changes(const int *before, int before_count, const int *now, int now_count,
                            const char *variant, const bauta_report *report)
{
    enum { CLASSES = 4, KEYS = CLASSES * 100 };
    int more[KEYS] = {0}, tried = 0, classes = 0, hits = 0;
    double worst = 0, worst_value = 0;
    char values[40];
    for (int i = 0; i < now_count; i++)
        more[now[i]]++;
    for (int i = 0; i < before_count; i++)
        more[before[i]]--;
    for (int c = 0; c < CLASSES; c++) {
        int rows = 0, top = 0;
        for (int v = 0; v < VALUES; v++) {
            if (more[c * 100 + v] <= 0) continue;
            rows += more[c * 100 + v];
            if (more[c * 100 + v] > top) top = more[c * 100 + v];
        }
        if (rows == 0) continue;
        tried += rows;
        hits += top;
        classes++;
        worst = fmax(worst, 1.0 / rows);
        worst_value = fmax(worst_value, (double)top / rows);
    }
    snprintf(values, sizeof values, "%s: values", variant);
    const json_t *one = find_result(report, "difference", variant);
    const json_t *two = find_result(report, "difference", values);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), tried);
    assert_int_equal(json_integer_value(json_object_get(two, "tried")), tried);
    if (tried == 0) return;
    assert_rate(one, "success", (double)classes / tried);
    assert_rate(one, "worst", worst);
    assert_int_equal(outcome_of(one), worst <= 1.0 / 3);
    assert_rate(two, "success", (double)hits / tried);
    assert_rate(two, "worst", worst_value);
}

/* A table of a night; a person is class * 100 + value, anywhere inside the class. */
static const char *publish_night(const char *name, const int *people, int count, uint64_t *random)
{
    static char file[300];
    char text[ROWS * 16];
    bauta_error error;
    int used = snprintf(text, sizeof text, "a,s\n");
    for (int i = 0; i < count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d,v%d\n",
                         people[i] / 100 * 10 + (int)test_below(random, 10), people[i] % 100);
    use_new_folder(NULL);
    snprintf(file, sizeof file, "%s", scratch_text(name, text));
    assert_ok(run(file,
                  SETTINGS({"quasi", "a"}, {"sensitive", "s"}, {"require", "k=3"}, {"threads", "1"},
                           {"hierarchy", "a=intervals:10"}, {"levels", "a=1"}),
                  NULL, &error),
              &error);
    return file;
}

static void nights_are_subtracted(void **state)
{
    (void)state;
    enum { FIRST = 40, STAY = 32 };
    uint64_t random = 9;
    for (int trial = 0; trial < 60; trial++) {
        int monday[ROWS], tuesday[ROWS], came = (int)test_below(&random, 12), count = 0;
        char other[400];
        bauta_error error;
        for (int i = 0; i < FIRST; i++)
            monday[i] = (i < STAY ? i % 4 : (int)test_below(&random, 4)) * 100 +
                        (int)test_below(&random, VALUES);
        for (int i = 0; i < FIRST; i++)
            if (i < STAY || test_below(&random, 2)) tuesday[count++] = monday[i];
        for (int i = 0; i < came; i++)
            tuesday[count++] = (int)test_below(&random, 4) * 100 + (int)test_below(&random, VALUES);
        (void)publish_night("monday.csv", monday, FIRST, &random);
        snprintf(other, sizeof other, "other-release=%s", publish);
        const char *file = publish_night("tuesday.csv", tuesday, count, &random);
        bauta_recipe *recipe = make_recipe(file, SETTINGS({"threads", "1"}));
        bauta_report *report = NULL;
        const char *const wishes[] = {other, "attack=difference"};
        bauta_status status = bauta_attack(publish, recipe, wishes, 2, &report, &error);
        if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
        compare_changes(monday, FIRST, tuesday, count, "came", report);
        compare_changes(tuesday, count, monday, FIRST, "left", report);
        bauta_report_free(report);
        bauta_recipe_free(recipe);
    }
}

/* ---- columns that are published as they are ---- */

typedef struct beside { /* a row: [lo,hi], other, v */
    int lo, hi, other, value;
} beside;

static void compare_raw(const beside *rows, const int *a, const int *other, int count,
                        const char *file)
{
    int alone = 0, cells = 0;
    expected both = {0, 0}, only = {0, 0};
    for (int i = 0; i < count; i++) {
        int same = 0, whole = 0, fit = 0, equal = 0;
        for (int j = 0; j < count; j++) {
            bool raw = rows[i].other == rows[j].other && rows[i].value == rows[j].value;
            same += raw;
            whole += raw && rows[i].lo == rows[j].lo && rows[i].hi == rows[j].hi;
            equal += rows[j].other == other[i];
            fit += rows[j].other == other[i] && a[i] >= rows[j].lo && a[i] <= rows[j].hi;
        }
        alone += same == 1;
        cells += whole == 1;
        add(&both, 1.0 / fit);
        add(&only, 1.0 / equal);
    }
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=raw"), true);
    assert_rate(find_result(report, "raw", "alone"), "success", (double)alone / count);
    assert_rate(find_result(report, "raw", "beside cells"), "success", (double)cells / count);
    bauta_report_free(report);
    report = try_attacks(publish, file, ARGUMENTS("attack=re-identification", "know=a,o"), true);
    assert_expected(report, "re-identification", "prosecutor", both, count);
    assert_int_equal(outcome_of(find_result(report, "re-identification", "prosecutor")), -1);
    bauta_report_free(report);
    report = try_attacks(publish, file, ARGUMENTS("attack=re-identification", "know=o"), true);
    assert_expected(report, "re-identification", "prosecutor", only, count);
    bauta_report_free(report);
}

static void raw_columns_lead_to_rows(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int trial = 0; trial < 40; trial++) {
        int a[ROWS], other[ROWS], count = 6 + (int)test_below(&random, ROWS - 6), used = 0;
        beside rows[ROWS];
        char text[ROWS * 24], file[300];
        bauta_error error;
        bt_buffer published = {0};
        size_t lines_count;
        use_new_folder(NULL);
        used = snprintf(text, sizeof text, "a,o,s\n");
        for (int i = 0; i < count; i++) {
            a[i] = (int)test_below(&random, 30);
            other[i] = (int)test_below(&random, 12);
            used += snprintf(text + used, sizeof text - (size_t)used, "%d,%d,v%d\n", a[i], other[i],
                             (int)test_below(&random, VALUES));
        }
        snprintf(file, sizeof file, "%s", scratch_text("people.csv", text));
        assert_ok(run(file,
                      SETTINGS({"quasi", "a"}, {"sensitive", "s"}, {"other", "o"},
                               {"accept", "o,s"}, {"require", "k=3"}, {"threads", "1"}),
                      NULL, &error),
                  &error);
        read_file(publish, "data.csv", &published);
        char **lines = split_lines(&published, &lines_count);
        assert_int_equal(lines_count, count + 1);
        for (int i = 0; i < count; i++) {
            const char *rest = read_cell(lines[i + 1], &rows[i].lo, &rows[i].hi);
            assert_int_equal(sscanf(rest, "%d,v%d", &rows[i].other, &rows[i].value), 2);
        }
        compare_raw(rows, a, other, count, file);
        free(lines);
        bt_buffer_release(&published);
    }
}

/* Admitted less days since then is the birthday: what cells hide can be computed. */
static void sums_tell_cells(void **state)
{
    (void)state;
    enum { PEOPLE = 800 };
    static char text[PEOPLE * 32];
    char file[300];
    uint64_t random = 8;
    bauta_error error;
    int used = snprintf(text, sizeof text, "age,born,year,s\n");
    use_new_folder(NULL);
    for (int i = 0; i < PEOPLE; i++) {
        int age = 18 + (int)test_below(&random, 70), year = 2020 + (int)test_below(&random, 4);
        used += snprintf(text + used, sizeof text - (size_t)used, "%d,%d,%d,v%d\n", age, year - age,
                         year, (int)test_below(&random, VALUES));
    }
    snprintf(file, sizeof file, "%s", scratch_text("people.csv", text));
    assert_ok(run(file,
                  SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"other", "born,year"},
                           {"accept", "born,year,s"}, {"require", "k=5"}, {"threads", "1"}),
                  NULL, &error),
              &error);
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=raw"), true);
    const json_t *one = find_result(report, "raw", "recomputed");
    assert_string_equal(json_string_value(json_object_get(one, "column")), "age");
    assert_string_equal(json_string_value(json_object_get(one, "detail")),
                        "by born less year, in a sample");
    assert_true(rate_of(one, "success") > 0.9);
    bauta_report_free(report);
}

/* ---- narrow cells ---- */

enum { MISSING = -1, WIDEST = 12 };

/* Someone who takes each record to be in a row whose cells hold the fewest values: cells of `a` are
 * values, ranges, or "*" where a class mixes missing values with others. Positions are the values
 * that occur, and the missing one. */
static void compare_narrow(const int (*cells)[2], const int *values, const int *a, const int *s,
                           int rows, const bauta_report *report)
{
    bool occurs[WIDEST] = {false}, overlap = false;
    int right = 0, positions = 0;
    double worst = 0;
    for (int i = 0; i < rows; i++)
        if (a[i] != MISSING) occurs[a[i]] = true;
    for (int v = 0; v < WIDEST; v++)
        positions += occurs[v];
    for (int i = 0; i < rows; i++) {
        int least = 1000, volume[ROWS], count[VALUES] = {0}, all = 0, top = 0;
        for (int r = 0; r < rows; r++) {
            bool any = cells[r][0] > cells[r][1], missing = cells[r][0] == MISSING;
            volume[r] = 0;
            for (int v = 0; v < WIDEST && !missing; v++)
                volume[r] += occurs[v] && (any || (v >= cells[r][0] && v <= cells[r][1]));
            if (any) volume[r] = positions + 1;
            if (missing) volume[r] = 1;
            bool fits =
                any || (missing ? a[i] == MISSING
                                : a[i] != MISSING && a[i] >= cells[r][0] && a[i] <= cells[r][1]);
            if (!fits) volume[r] = 1000;
            if (volume[r] < least) least = volume[r];
        }
        for (int r = 0; r < rows; r++) {
            overlap = overlap || (volume[r] < 1000 && volume[r] > least);
            if (volume[r] > least) continue;
            count[values[r]]++;
            all++;
        }
        for (int v = 1; v < VALUES; v++)
            if (count[v] > count[top]) top = v;
        right += top == s[i];
        worst = fmax(worst, (double)count[top] / all);
    }
    const json_t *list = report->facts.root;
    assert_int_equal(json_array_size(list), overlap ? 2 : 1);
    if (!overlap) return;
    const json_t *one = find_result(report, "homogeneity", "narrow cells");
    assert_rate(one, "success", (double)right / rows);
    assert_rate(one, "worst", worst);
}

static void narrow_cells_are_preferred(void **state)
{
    (void)state;
    uint64_t random = 6;
    int overlaps = 0;
    for (int trial = 0; trial < 60; trial++) {
        int a[ROWS], s[ROWS], cells[ROWS][2], values[ROWS], rows = 14, used = 0;
        char text[ROWS * 16], file[300];
        bauta_error error;
        bt_buffer published = {0};
        size_t count;
        use_new_folder(NULL);
        used = snprintf(text, sizeof text, "a,b,s\n");
        for (int i = 0; i < rows; i++) {
            a[i] =
                i < 2 || test_below(&random, 5) == 0 ? MISSING : (int)test_below(&random, WIDEST);
            if (i == 2) a[i] = 3;
            s[i] = (int)test_below(&random, VALUES);
            used +=
                a[i] == MISSING
                    ? snprintf(text + used, sizeof text - (size_t)used, ",0,v%d\n", s[i])
                    : snprintf(text + used, sizeof text - (size_t)used, "%d,0,v%d\n", a[i], s[i]);
        }
        snprintf(file, sizeof file, "%s", scratch_text("people.csv", text));
        assert_ok(run(file,
                      SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"threads", "1"},
                               {"require", trial % 2 ? "k=3" : "k=4"}, {"type", "a=integer"}),
                      NULL, &error),
                  &error);
        read_file(publish, "data.csv", &published);
        char **lines = split_lines(&published, &count);
        assert_int_equal(count, rows + 1);
        for (int r = 0; r < rows; r++) {
            const char *line = lines[r + 1], *rest = line + 2;
            if (line[0] == '*')
                cells[r][0] = 1, cells[r][1] = 0;
            else if (line[0] == ',')
                cells[r][0] = cells[r][1] = MISSING, rest = line + 1;
            else
                rest = read_cell(line, &cells[r][0], &cells[r][1]);
            assert_int_equal(sscanf(rest, "0,v%d", &values[r]), 1);
        }
        bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=homogeneity"), true);
        compare_narrow((const int(*)[2])cells, values, a, s, rows, report);
        overlaps += json_array_size(report->facts.root) == 2;
        bauta_report_free(report);
        free(lines);
        bt_buffer_release(&published);
    }
    assert_true(overlaps > 5);
}

/* ---- edges of nodes ---- */

enum { LEAVES = 12, UNDER = 3, MIDDLES = LEAVES / UNDER };

/* "l7", "m2" or "*"; its leaves are first..first+count-1. */
typedef struct node {
    int first, count;
} node;

static node read_node(const char *text)
{
    int number = atoi(text + 1);
    if (text[0] == 'l') return (node){number, 1};
    return text[0] == 'm' ? (node){number * UNDER, UNDER} : (node){0, LEAVES};
}

/* Who alone is under one of the two children that the people of a node are under. */
static int count_alone(const node *nodes, int rows, const int *crowd, int people, bool *alone)
{
    int lowest = LEAVES, count = 0;
    for (int i = 0; i < rows; i++)
        if (nodes[i].count < lowest) lowest = nodes[i].count;
    for (int i = 0; i < rows; i++) {
        int under[LEAVES] = {0}, who[LEAVES] = {0}, children = 0;
        int width = nodes[i].count == LEAVES ? UNDER : 1;
        if (nodes[i].count == 1 || (lowest > 1 && nodes[i].count <= lowest)) continue;
        for (int j = 0; j < people; j++) {
            int at = (crowd[j] - nodes[i].first) / width;
            if (crowd[j] < nodes[i].first || crowd[j] >= nodes[i].first + nodes[i].count) continue;
            children += under[at]++ == 0;
            who[at] = j;
        }
        for (int at = 0; at < LEAVES && children == 2; at++)
            if (under[at] == 1) alone[who[at]] = true;
    }
    for (int j = 0; j < people; j++)
        count += alone[j];
    return count;
}

static void nodes_have_people_under_two_children(void **state)
{
    (void)state;
    uint64_t random = 5;
    char tree[LEAVES * 16], file[300], hierarchy[320], argument[320];
    int length = 0, claims = 0;
    for (int i = 0; i < LEAVES; i++)
        length +=
            snprintf(tree + length, sizeof tree - (size_t)length, "l%d;m%d;*\n", i, i / UNDER);
    for (int trial = 0; trial < 80; trial++) {
        char text[ROWS * 16], crowd_text[ROWS * 16];
        int crowd[ROWS], people = 12 + (int)test_below(&random, 6), used, crowd_used;
        node nodes[ROWS];
        bool alone[ROWS] = {false};
        size_t count;
        bauta_error error;
        bt_buffer published = {0};
        use_new_folder(NULL);
        used = snprintf(text, sizeof text, "a,s\n");
        crowd_used = snprintf(crowd_text, sizeof crowd_text, "a\n");
        for (int i = 0; i < people; i++) {
            crowd[i] = (int)test_below(&random, LEAVES);
            if (i < 8)
                used += snprintf(text + used, sizeof text - (size_t)used, "l%d,v\n", crowd[i]);
            crowd_used += snprintf(crowd_text + crowd_used, sizeof crowd_text - (size_t)crowd_used,
                                   "l%d\n", crowd[i]);
        }
        snprintf(file, sizeof file, "%s", scratch_text("people.csv", text));
        snprintf(hierarchy, sizeof hierarchy, "a=%s", scratch_text("tree.csv", tree));
        snprintf(argument, sizeof argument, "public=%s", scratch_text("crowd.csv", crowd_text));
        bauta_status status =
            run(file,
                SETTINGS({"quasi", "a"}, {"sensitive", "s"}, {"require", "k=2"}, {"threads", "1"},
                         {"hierarchy", hierarchy}, {"group", trial % 2 ? "mondrian" : "top-down"}),
                NULL, &error);
        assert_ok(status, &error);
        read_file(publish, "data.csv", &published);
        char **lines = split_lines(&published, &count);
        for (size_t i = 1; i < count; i++)
            nodes[i - 1] = read_node(lines[i]);
        int expected_claims = count_alone(nodes, (int)count - 1, crowd, people, alone);
        for (int i = 8; i < people; i++)
            assert_false(alone[i]); /* what is claimed is true */
        bauta_report *report =
            try_attacks(publish, file, ARGUMENTS(argument, "attack=presence"), true);
        const json_t *one = find_result(report, "presence", NULL);
        int sure = -1, more = -1;
        const char *words = strstr(json_string_value(json_object_get(one, "detail")), "absent, ");
        assert_non_null(words);
        assert_int_equal(sscanf(words, "absent, %d surely present, %d", &sure, &more), 2);
        assert_true(more <= expected_claims && sure >= expected_claims);
        claims += more;
        bauta_report_free(report);
        free(lines);
        bt_buffer_release(&published);
    }
    assert_true(claims > 10);
}

/* ---- two releases ---- */

static void compare_both(const twin *one, const twin *two, const bauta_report *report)
{
    expected identity = {0, 0};
    int tried = 0;
    for (int i = 0; i < one->people_count; i++) {
        belief a = believe(one, &one->people[i]), b = believe(two, &one->people[i]);
        bool possible[VALUES];
        double left = 0;
        for (int v = 0; v < VALUES; v++) {
            possible[v] = a.share[v] > 0 && b.share[v] > 0;
            if (possible[v]) left += a.share[v] * a.rows;
        }
        assert_true(left > 0);
        add(&identity, one->two_tables ? link_of(one, &one->people[i], possible) : 1 / left);
        tried++;
    }
    assert_expected(report, "intersection", "identity", identity, tried);
}

static void releases_are_intersected(void **state)
{
    (void)state;
    static twin one, two;
    uint64_t random = 3;
    for (int trial = 0; trial < 60; trial++) {
        char file[300], other[400];
        bauta_error error;
        use_new_folder(NULL);
        snprintf(file, sizeof file, "%s", make_people(&one, "people.csv", &random, 30));
        two = one;
        publish_people(&two, file, &random);
        snprintf(other, sizeof other, "other-release=%s", publish);
        use_new_folder(NULL);
        publish_people(&one, file, &random);
        for (int c = 0; c < COLUMNS; c++)
            one.known[c] = two.known[c] = true;
        bauta_recipe *recipe = make_recipe(file, SETTINGS({"threads", "1"}));
        bauta_report *report = NULL;
        const char *const arguments[] = {other, "attack=intersection"};
        bauta_status status = bauta_attack(publish, recipe, arguments, 2, &report, &error);
        if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
        compare_both(&one, &two, report);
        bauta_report_free(report);
        bauta_recipe_free(recipe);
    }
}

/* ---- nothing above chance ---- */

static void positions_say_nothing(void **state)
{
    (void)state;
    enum { SEEDS = 40, PEOPLE = 400 };
    bt_buffer text = {0};
    bauta_error error;
    char file[300];
    assert_ok(bt_buffer_print(&text, &error, "a,b,s\n"), &error);
    for (int i = 0; i < PEOPLE; i++) /* in order, so that any order left would show */
        assert_ok(bt_buffer_print(&text, &error, "%d,%d,v%d\n", i / 4, i / 80, i / 100), &error);
    snprintf(file, sizeof file, "%s", scratch_write("ordered.csv", text.bytes, text.length));
    bt_buffer_release(&text);
    for (int seed = 0; seed < SEEDS; seed++) {
        char bytes[32];
        memset(bytes, seed + 1, sizeof bytes);
        scratch_write("seed", bytes, sizeof bytes); /* the seed file of SETTINGS */
        use_new_folder(NULL);
        assert_ok(
            run(file,
                SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"require", "k=3"}, {"threads", "1"},
                         {"publish", seed % 2 ? "two-tables" : "generalized"}),
                NULL, &error),
            &error);
        bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=position"), true);
        const json_t *list = report->facts.root;
        assert_true(json_array_size(list) >= 5);
        for (size_t i = 0; i < json_array_size(list); i++)
            assert_int_not_equal(outcome_of(json_array_get(list, i)), 0);
        bauta_report_free(report);
    }
}

/* ---- minimality, by all ways in which values may belong to members ---- */

enum { MEMBERS = 6, KINDS = 3 };

typedef struct part {
    int size, counts[KINDS];
} part;

static bool part_is_good(const part *p)
{
    for (int v = 0; v < KINDS; v++)
        if (2 * p->counts[v] > p->size) return false;
    return p->size >= 2;
}

/* Whether no cut between values of q leaves two good parts. */
static bool is_possible(const int *q, const int *values)
{
    for (int cut = 1; cut < 3; cut++) {
        part left = {0}, right = {0};
        for (int i = 0; i < MEMBERS; i++) {
            part *side = q[i] <= cut ? &left : &right;
            side->size++;
            side->counts[values[i]]++;
        }
        if (part_is_good(&left) && part_is_good(&right)) return false;
    }
    return true;
}

typedef struct worlds {
    int possible, count[3 + 1][KINDS]; /* per q: members that have a value, over all worlds */
} worlds;

static void visit_worlds(const int *q, int *values, int from, worlds *w)
{
    if (from == MEMBERS) {
        if (!is_possible(q, values)) return;
        w->possible++;
        for (int i = 0; i < MEMBERS; i++)
            w->count[q[i]][values[i]]++;
        return;
    }
    for (int i = from; i < MEMBERS; i++) {
        int kept = values[from];
        values[from] = values[i];
        values[i] = kept;
        visit_worlds(q, values, from + 1, w);
        values[i] = values[from];
        values[from] = kept;
    }
}

static void write_class(const int *q, const int *values, char *original, char *data, size_t room)
{
    int a = snprintf(original, room, "q,s\n"), b = snprintf(data, room, "q,s\n");
    for (int i = 0; i < MEMBERS; i++) {
        a += snprintf(original + a, room - (size_t)a, "%d,v%d\n", q[i], values[i]);
        b += snprintf(data + b, room - (size_t)b, "\"[1,3]\",v%d\n", values[i]);
    }
}

static void worlds_are_drawn_evenly(void **state)
{
    (void)state;
    uint64_t random = 4;
    int compared = 0;
    for (int trial = 0; trial < 200; trial++) {
        int q[MEMBERS] = {1, 3}, values[MEMBERS], sizes[4] = {0};
        char original[200], data[200];
        worlds w = {0};
        part all = {.size = MEMBERS};
        double worst = 0;
        for (int i = 0; i < MEMBERS; i++) {
            if (i > 1) q[i] = 1 + (int)test_below(&random, 3);
            values[i] = (int)test_below(&random, KINDS);
            all.counts[values[i]]++;
            sizes[q[i]]++;
        }
        if (!part_is_good(&all) || !is_possible(q, values)) continue;
        write_class(q, values, original, data, sizeof data);
        visit_worlds(q, values, 0, &w);
        for (int c = 1; c <= 3; c++)
            for (int v = 0; v < KINDS && sizes[c]; v++)
                worst = fmax(worst, (double)w.count[c][v] / w.possible / sizes[c]);
        const test_release release = {
            .columns = TEST_QUASI_INTEGER("q") "," TEST_SENSITIVE("s"),
            .promises = "{\"name\":\"k\",\"value\":\"2\"},{\"name\":\"alpha\",\"value\":\"0.5\"}",
            .data = data};
        const char *folder = test_release_write("minimal", &release);
        bauta_report *report = try_attacks(folder, scratch_text("minimal.csv", original),
                                           ARGUMENTS("attack=minimality"), true);
        const json_t *one = find_result(report, "minimality", NULL);
        if (json_integer_value(json_object_get(one, "tried")) > 0) {
            compared++;
            double found = rate_of(one, "worst");
            if (fabs(found - worst) > 0.16) fail_msg("%f, not %f", found, worst);
        }
        bauta_report_free(report);
    }
    assert_true(compared > 10);
}

/* ---- threads ---- */

static json_t *attack_with(const char *file, const char *threads)
{
    bauta_recipe *recipe = make_recipe(file, SETTINGS({"threads", threads}));
    bauta_report *report = NULL;
    bauta_error error;
    bauta_status status = bauta_attack(publish, recipe, NULL, 0, &report, &error);
    if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
    bauta_recipe_free(recipe);
    return take_facts(report);
}

/* Enough records for several tasks, and values that are read in any order. */
static void threads_change_nothing(void **state)
{
    (void)state;
    bt_buffer text = {0};
    bauta_error error;
    char file[300];
    snprintf(file, sizeof file, "%s", make_census("census.csv", 5, 0, 20000, &text));
    bt_buffer_release(&text);
    for (int two_tables = 0; two_tables < 2; two_tables++) {
        use_new_folder(NULL);
        assert_ok(run(file,
                      SETTINGS(CENSUS_ROLES, {"require", "k=4,alpha=0.6"},
                               {"publish", two_tables ? "two-tables" : "generalized"}),
                      NULL, &error),
                  &error);
        json_t *one = attack_with(file, "1"), *four = attack_with(file, "4");
        assert_true(json_array_size(one) > 8);
        assert_true(json_equal(one, four));
        json_decref(one);
        json_decref(four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_as_defined),
        cmocka_unit_test(crowds_are_counted),
        cmocka_unit_test(nodes_have_people_under_two_children),
        cmocka_unit_test(nights_are_subtracted),
        cmocka_unit_test(raw_columns_lead_to_rows),
        cmocka_unit_test(sums_tell_cells),
        cmocka_unit_test(narrow_cells_are_preferred),
        cmocka_unit_test(releases_are_intersected),
        cmocka_unit_test(positions_say_nothing),
        cmocka_unit_test(worlds_are_drawn_evenly),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
