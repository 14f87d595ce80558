/* SPDX-License-Identifier: Apache-2.0
 *
 * Sample data: the same bytes for any number of threads, the promised columns and marginals,
 * and nothing half-written.
 */
#include "support.h"

#include "base/csv.h"
#include "synth/synth.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder of its own, entered before each test and removed after it ---- */

static char home[4096], place[64];

static int enter_folder(void **state)
{
    (void)state;
    memcpy(place, "test-synth-XXXXXX", sizeof "test-synth-XXXXXX");
    return getcwd(home, sizeof home) && mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static size_t empty_folder(const char *folder)
{
    size_t count = 0;
    char path[1024];
    DIR *list = opendir(folder);
    if (!list) return 0;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0) {
            empty_folder(path);
            rmdir(path);
        }
        count++;
    }
    closedir(list);
    return count;
}

static int leave_folder(void **state)
{
    (void)state;
    empty_folder(".");
    return chdir(home) == 0 && rmdir(place) == 0 ? 0 : -1;
}

/* ---- files ---- */

static void write_file(const char *file, const char *text, size_t length)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

/* With room for the scanner behind it; the caller frees. */
static char *read_file(const char *file, size_t *length)
{
    struct stat facts;
    assert_int_equal(stat(file, &facts), 0);
    *length = (size_t)facts.st_size;
    char *text = calloc(*length + BT_CSV_PADDING, 1);
    assert_non_null(text);
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    assert_int_equal(fread(text, 1, *length, in), *length);
    fclose(in);
    return text;
}

/* A table as spans; every record has as many fields as the header. */
typedef struct grid {
    char *text;
    size_t length, columns, rows;
    bt_span *fields; /* the header first */
} grid;

static grid read_grid(const char *file)
{
    grid table = {0};
    bt_csv csv;
    table.text = read_file(file, &table.length);
    bt_csv_open(&csv, table.text, table.length, ',', 1);
    table.columns = bt_csv_any(&csv, NULL, 0);
    assert_true(table.columns > 0);
    size_t lines = 0;
    for (size_t i = 0; i < table.length; i++)
        lines += table.text[i] == '\n';
    table.fields = calloc((lines + 1) * table.columns, sizeof *table.fields);
    assert_non_null(table.fields);
    bt_csv_open(&csv, table.text, table.length, ',', table.columns);
    bt_span *at = table.fields;
    for (; bt_csv_next(&csv, at); at += table.columns)
        assert_true((size_t)(at - table.fields) <= lines * table.columns);
    assert_int_equal(csv.fault, BT_CSV_FINE);
    table.rows = (size_t)(at - table.fields) / table.columns - 1;
    return table;
}

static void free_grid(grid *table)
{
    free(table->fields);
    free(table->text);
}

static const bt_span *cell_at(const grid *table, size_t row, size_t column)
{
    return &table->fields[(row + 1) * table->columns + column];
}

static bool cell_is(const grid *table, size_t row, size_t column, const char *text)
{
    const bt_span *cell = cell_at(table, row, column);
    return cell->length == strlen(text) && memcmp(cell->bytes, text, cell->length) == 0;
}

static double number_at(const grid *table, size_t row, size_t column)
{
    char text[64], *end;
    const bt_span *cell = cell_at(table, row, column);
    snprintf(text, sizeof text, "%.*s", (int)cell->length, cell->bytes);
    double number = strtod(text, &end);
    assert_true(cell->length > 0 && *end == '\0');
    return number;
}

/* ---- running ---- */

enum { MOST_ARGUMENTS = 8 };

/* Arguments separated by blanks. */
static bauta_status synth(const char *kind, const char *arguments, const char *out,
                          bauta_error *error)
{
    char copy[1024], *rest = copy, *part;
    const char *list[MOST_ARGUMENTS];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", arguments);
    while ((part = strsep(&rest, " ")))
        if (*part && count < MOST_ARGUMENTS) list[count++] = part;
    return ex_synth(kind, list, count, out, error);
}

static grid make_grid(const char *kind, const char *arguments)
{
    bauta_error error;
    assert_ok(synth(kind, arguments, "table.csv", &error), &error);
    return read_grid("table.csv");
}

static const char small_table[] = "a,b\n1,x\n2,y\n";

/* What a kind needs to make a small table. */
static const char *arguments_of(const ex_entry *kind)
{
    return strcmp(kind->name, "attach") == 0 ? "table=small.csv column=c values=u,v" : "rows=40000";
}

/* ---- tests ---- */

static void tables_do_not_depend_on_threads(void **state)
{
    (void)state;
    write_file("small.csv", small_table, sizeof small_table - 1);
    for (size_t i = 0; i < ex_kinds.count; i++) {
        const ex_entry *kind = ex_kinds.entries[i];
        const int threads[] = {1, 2, 7};
        char *first = NULL, arguments[256];
        size_t first_length = 0;
        for (size_t t = 0; t < 3; t++) {
            bauta_error error;
            size_t length;
            snprintf(arguments, sizeof arguments, "%s threads=%d", arguments_of(kind), threads[t]);
            assert_ok(synth(kind->name, arguments, "table.csv", &error), &error);
            char *text = read_file("table.csv", &length);
            if (first) {
                assert_int_equal(length, first_length);
                assert_memory_equal(text, first, length);
                free(text);
            } else {
                first = text;
                first_length = length;
            }
        }
        free(first);
    }
}

/* Changing what a seed gives must be meant: other people's figures rest on it. */
static void default_seed_gives_known_rows(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"census",
         "age,sex,region,education,marital,occupation,household,country,income,rent,hours,children,"
         "tenure,insurance,disease\n"
         "9,female,12124,primary,never-married,pupil,4,Italy,0,0,0,0,owned,public,healthy\n"},
        {"ipums", "age,income,family,education,rent,sex\n44,58600,4,14,500,2\n"},
        {"uniform", "x1,x2,x3,x4\n0.987742,0.464509,0.408886,0.805769\n"},
        {"normal", "age,loss\n71,1941\n"},
        {"zipf", "age,loss\n19,2448\n"},
        {"correlated", "age,loss\n33,1659\n"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        bauta_error error;
        size_t length;
        assert_ok(synth(expected[i][0], "rows=1", "table.csv", &error), &error);
        char *text = read_file("table.csv", &length);
        assert_string_equal(text, expected[i][1]);
        free(text);
        assert_ok(synth(expected[i][0], "rows=1 seed=ff", "table.csv", &error), &error);
        text = read_file("table.csv", &length);
        assert_string_not_equal(text, expected[i][1]);
        free(text);
    }
}

static void every_kind_makes_a_whole_table(void **state)
{
    (void)state;
    write_file("small.csv", small_table, sizeof small_table - 1);
    for (size_t i = 0; i < ex_kinds.count; i++) {
        const ex_entry *kind = ex_kinds.entries[i];
        assert_string_equal(kind->params[EX_SYNTH_SEED].name, "seed");
        assert_string_equal(kind->params[EX_SYNTH_THREADS].name, "threads");
        assert_true(strlen(kind->summary) > 0);
        grid table = make_grid(kind->name, arguments_of(kind));
        assert_int_equal(table.rows, strcmp(kind->name, "attach") == 0 ? 2 : 40000);
        for (size_t row = 0; row < table.rows; row++)
            for (size_t column = 0; column < table.columns; column++)
                assert_true(cell_at(&table, row, column)->length > 0);
        free_grid(&table);
    }
}

static void no_rows_is_a_header(void **state)
{
    (void)state;
    grid table = make_grid("census", "rows=0");
    assert_int_equal(table.rows, 0);
    assert_int_equal(table.columns, 15);
    free_grid(&table);
}

enum { AGE, SEX, REGION, EDUCATION, MARITAL, OCCUPATION, HOUSEHOLD, COUNTRY, INCOME, RENT };
enum { HOURS = 10, CHILDREN, TENURE, INSURANCE, DISEASE };

static double share(const grid *table, size_t column, const char *text)
{
    size_t count = 0;
    for (size_t row = 0; row < table->rows; row++)
        count += cell_is(table, row, column, text);
    return (double)count / (double)table->rows;
}

static void assert_between(double value, double low, double high)
{
    if (!(value >= low && value <= high)) fail_msg("%g is not in [%g, %g]", value, low, high);
}

static void census_has_sane_marginals(void **state)
{
    (void)state;
    grid table = make_grid("census", "rows=100000");
    assert_between((double)table.length / 100000, 80, 95);
    assert_between(share(&table, SEX, "female"), 0.50, 0.52);
    assert_between(share(&table, COUNTRY, "Italy"), 0.85, 0.95);
    assert_between(share(&table, MARITAL, "married"), 0.40, 0.48);
    assert_between(share(&table, DISEASE, "healthy"), 0.40, 0.50);
    assert_between(share(&table, DISEASE, "hiv"), 0.0005, 0.01);
    double ages = 0;
    for (size_t row = 0; row < table.rows; row++) {
        double age = number_at(&table, row, AGE);
        ages += age;
        assert_between(age, 0, 99);
        if (age < 18) assert_true(cell_is(&table, row, MARITAL, "never-married"));
        if (age < 6) assert_true(cell_is(&table, row, OCCUPATION, "child"));
        if (cell_is(&table, row, TENURE, "owned")) assert_true(number_at(&table, row, RENT) == 0);
        assert_true(number_at(&table, row, CHILDREN) < number_at(&table, row, HOUSEHOLD));
        if (cell_is(&table, row, OCCUPATION, "retired"))
            assert_true(number_at(&table, row, HOURS) == 0);
    }
    assert_between(ages / (double)table.rows, 42, 49);
    free_grid(&table);
}

/* Mean of one column over the rows where another holds a text. */
static double mean_where(const grid *table, size_t column, size_t where, const char *text)
{
    double sum = 0, count = 0;
    for (size_t row = 0; row < table->rows; row++)
        if (cell_is(table, row, where, text)) {
            sum += number_at(table, row, column);
            count++;
        }
    assert_true(count > 0);
    return sum / count;
}

static void census_columns_depend_on_each_other(void **state)
{
    (void)state;
    grid table = make_grid("census", "rows=100000");
    assert_true(mean_where(&table, INCOME, EDUCATION, "master") >
                1.3 * mean_where(&table, INCOME, EDUCATION, "lower-sec"));
    assert_true(mean_where(&table, INCOME, OCCUPATION, "physician") >
                2 * mean_where(&table, INCOME, OCCUPATION, "cleaner"));
    assert_true(mean_where(&table, AGE, MARITAL, "widowed") > 65);
    assert_true(mean_where(&table, AGE, DISEASE, "dementia") > 75);
    assert_true(mean_where(&table, AGE, DISEASE, "otitis") < 35);
    assert_true(mean_where(&table, HOUSEHOLD, MARITAL, "widowed") < 2);
    free_grid(&table);
}

/* Every value of a column begins one line of its hierarchy, and each line ends with the top. */
static void assert_covers(const grid *table, size_t column, const char *file, size_t values)
{
    size_t length, lines = 0;
    char *text = read_file(file, &length);
    char **leaves = calloc(length, sizeof *leaves), *rest = text, *line;
    assert_non_null(leaves);
    while ((line = strsep(&rest, "\n")) && *line) {
        assert_string_equal(line + strlen(line) - 2, ";*");
        leaves[lines++] = line;
        line[strcspn(line, ";")] = '\0';
    }
    assert_int_equal(lines, values);
    for (size_t row = 0; row < table->rows; row++) {
        size_t i = 0;
        while (i < lines && !cell_is(table, row, column, leaves[i]))
            i++;
        assert_true(i < lines);
    }
    free(leaves);
    free(text);
}

static void census_comes_with_recipe_and_hierarchies(void **state)
{
    (void)state;
    bauta_error error;
    bauta_recipe *recipe;
    grid table = make_grid("census", "rows=3000 recipe=recipe.yaml hierarchies=trees");
    assert_covers(&table, REGION, "trees/region.csv", 944);
    assert_covers(&table, EDUCATION, "trees/education.csv", 10);
    assert_covers(&table, MARITAL, "trees/marital.csv", 6);
    assert_covers(&table, OCCUPATION, "trees/occupation.csv", 32);
    assert_covers(&table, COUNTRY, "trees/country.csv", 46);
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_load(recipe, "recipe.yaml", &error), &error);
    bauta_recipe_free(recipe);
    size_t length;
    char *text = read_file("recipe.yaml", &length);
    assert_non_null(strstr(text, "input: \"table.csv\"\n"));
    assert_non_null(strstr(text, "  age: {role: quasi, hierarchy: \"intervals:5,10,20\"}\n"));
    assert_non_null(strstr(text, "  region: {role: quasi, hierarchy: \"trees/region.csv\"}\n"));
    assert_non_null(strstr(text, "accept: [hours, tenure, insurance, disease]\n"));
    free(text);
    free_grid(&table);
}

static void recipe_names_files_from_its_own_folder(void **state)
{
    (void)state;
    bauta_error error;
    assert_int_equal(mkdir("deep", 0777), 0);
    assert_ok(synth("census", "rows=30000 recipe=deep/r.yaml", "table.csv", &error), &error);
    size_t length;
    char *text = read_file("deep/r.yaml", &length), absolute[8192];
    snprintf(absolute, sizeof absolute, "input: \"%s/%s/table.csv\"\n", home, place);
    assert_non_null(strstr(text, absolute));
    assert_null(strstr(text, ".csv\"}")); /* no hierarchies were asked for */
    assert_null(strstr(text, "accept"));  /* nor are there few records */
    free(text);
}

static void ipums_keeps_its_domains(void **state)
{
    (void)state;
    static const double bounds[][2] = {{0, 93}, {0, 1000000}, {1, 21}, {0, 17}, {0, 2500}, {1, 2}};
    grid table = make_grid("ipums", "rows=50000");
    assert_int_equal(table.columns, 6);
    double incomes = 0;
    size_t below_mean = 0;
    for (size_t row = 0; row < table.rows; row++) {
        for (size_t column = 0; column < 6; column++)
            assert_between(number_at(&table, row, column), bounds[column][0], bounds[column][1]);
        incomes += number_at(&table, row, 1);
    }
    for (size_t row = 0; row < table.rows; row++)
        below_mean += number_at(&table, row, 1) < incomes / (double)table.rows;
    assert_true(below_mean > table.rows * 6 / 10); /* skewed */
    free_grid(&table);
    table = make_grid("ipums", "rows=20000 id=yes");
    assert_true(cell_is(&table, 19999, 0, "20000"));
    free_grid(&table);
}

static void uniform_fills_its_range(void **state)
{
    (void)state;
    grid table = make_grid("uniform", "rows=20000 columns=3 digits=3 low=-1 high=2");
    assert_int_equal(table.columns, 3);
    double sum = 0, least = 9, most = -9;
    for (size_t row = 0; row < table.rows; row++) {
        double value = number_at(&table, row, 2);
        sum += value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    assert_between(sum / (double)table.rows, 0.47, 0.53);
    assert_between(least, -1, -0.99);
    assert_between(most, 1.99, 2);
    free_grid(&table);
    table = make_grid("uniform", "rows=9 columns=1 names=loss low=1024 high=3072 digits=0 age=yes");
    assert_memory_equal(table.text, "age,loss\n", 9);
    free_grid(&table);
}

typedef struct moments {
    double mean, variance, least, most;
} moments;

static moments moments_of(const grid *table, size_t column)
{
    moments m = {0, 0, number_at(table, 0, column), number_at(table, 0, column)};
    double square = 0, n = (double)table->rows;
    for (size_t row = 0; row < table->rows; row++) {
        double value = number_at(table, row, column);
        m.mean += value / n;
        square += value * value / n;
        m.least = value < m.least ? value : m.least;
        m.most = value > m.most ? value : m.most;
    }
    m.variance = square - m.mean * m.mean;
    return m;
}

static void losses_have_their_distributions(void **state)
{
    (void)state;
    grid table = make_grid("normal", "rows=50000 mean=0 deviation=50 low=-1000 high=1000");
    moments m = moments_of(&table, 1);
    assert_between(m.mean, -1, 1);
    assert_between(m.variance, 2400, 2600);
    m = moments_of(&table, 0);
    assert_between(m.mean, 47.5, 48.5);
    assert_true(m.least == 17 && m.most == 79);
    free_grid(&table);
    table = make_grid("zipf", "rows=50000 s=1 low=1 high=4"); /* 12:6:4:3 of 25 */
    assert_between(share(&table, 1, "1"), 0.47, 0.49);
    assert_between(share(&table, 1, "2"), 0.23, 0.25);
    assert_between(share(&table, 1, "3"), 0.15, 0.17);
    assert_between(share(&table, 1, "4"), 0.11, 0.13);
    free_grid(&table);
    table = make_grid("zipf", "rows=50000 s=0 low=1 high=4");
    assert_between(share(&table, 1, "4"), 0.24, 0.26);
    free_grid(&table);
}

static void correlated_losses_grow_with_age(void **state)
{
    (void)state;
    grid table = make_grid("correlated", "rows=50000");
    assert_between(mean_where(&table, 1, 0, "17"), 1300, 1370);
    assert_between(mean_where(&table, 1, 0, "48"), 2020, 2080);
    assert_between(mean_where(&table, 1, 0, "79"), 2740, 2800);
    free_grid(&table);
    table = make_grid("correlated", "rows=50000 loss=zipf s=0.5");
    assert_true(mean_where(&table, 1, 0, "70") > mean_where(&table, 1, 0, "30") + 800);
    free_grid(&table);
}

/* ---- attach ---- */

static void attach_keeps_all_other_bytes(void **state)
{
    (void)state;
    static const char table[] = "\xEF\xBB\xBF"
                                "a;\"b;\"\"c\"\r\n\r\n1;\"x\r\n\"\"y\"\r\n  2 ;3";
    bauta_error error;
    size_t length;
    write_file("in.csv", table, sizeof table - 1);
    assert_ok(synth("attach", "table=in.csv column=n values=v;w", "out.csv", &error), &error);
    char *text = read_file("out.csv", &length);
    assert_string_equal(text, "\xEF\xBB\xBF"
                              "a;\"b;\"\"c\";n\r\n\r\n1;\"x\r\n\"\"y\";\"v;w\"\r\n  2 ;3;\"v;w\"");
    free(text);
}

static void attach_reads_tables_larger_than_its_pieces(void **state)
{
    (void)state;
    enum { ROWS = 60000, LONG = 3000000 };
    FILE *out = fopen("in.csv", "wb");
    assert_non_null(out);
    uint64_t random = 5;
    fputs("id,text\n", out);
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "%d,\"%.*s\n\"\"\"\n", i, (int)test_below(&random, 60),
                "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh");
    fputs("last,\"", out);
    for (int i = 0; i < LONG; i++)
        fputc(i % 7 ? 'x' : '\n', out);
    fputs("\"\n", out);
    assert_int_equal(fclose(out), 0);
    bauta_error error;
    assert_ok(synth("attach", "table=in.csv column=n values=u,v,w", "out.csv", &error), &error);
    grid before = read_grid("in.csv"), after = read_grid("out.csv");
    assert_int_equal(before.rows, ROWS + 1);
    assert_int_equal(after.rows, ROWS + 1);
    assert_int_equal(after.columns, 3);
    for (size_t row = 0; row < before.rows; row++)
        for (size_t column = 0; column < 2; column++) {
            const bt_span *a = cell_at(&before, row, column), *b = cell_at(&after, row, column);
            assert_int_equal(a->length, b->length);
            assert_memory_equal(a->bytes, b->bytes, a->length);
        }
    const char *const values[] = {"u", "v", "w"};
    for (size_t i = 0; i < 3; i++)
        assert_between(share(&after, 2, values[i]), 0.32, 0.35);
    free_grid(&before);
    free_grid(&after);
}

static void attach_names_the_faulty_record(void **state)
{
    (void)state;
    bauta_error error;
    write_file("in.csv", "a,b\n1,2\n3\n", 10);
    assert_fails(synth("attach", "table=in.csv column=n values=v", "out.csv", &error),
                 BAUTA_INVALID, &error, "fewer fields");
    assert_int_equal(error.row, 2);
    assert_string_equal(error.file, "in.csv");
    assert_fails(synth("attach", "table=in.csv column=b values=v", "out.csv", &error), BAUTA_USAGE,
                 &error, "already");
    assert_fails(synth("attach", "table=in.csv column=n values=v", "in.csv", &error), BAUTA_USAGE,
                 &error, "write over");
    assert_fails(synth("attach", "table=in.csv column=n values=", "out.csv", &error), BAUTA_USAGE,
                 &error, "at least one value");
    write_file("in.csv", "a,\"b\n", 5);
    assert_fails(synth("attach", "table=in.csv column=n values=v", "out.csv", &error),
                 BAUTA_INVALID, &error, "not closed");
    assert_int_equal(error.row, 0);
    write_file("in.csv", "", 0);
    assert_fails(synth("attach", "table=in.csv column=n values=v", "out.csv", &error),
                 BAUTA_INVALID, &error, "empty");
    assert_fails(synth("attach", "table=none.csv column=n values=v", "out.csv", &error),
                 BAUTA_SYSTEM, &error, "cannot open");
}

/* ---- faults ---- */

static void wrong_calls_are_explained(void **state)
{
    (void)state;
    bauta_error error;
    assert_fails(synth("cenus", "", "out.csv", &error), BAUTA_USAGE, &error, "no kind");
    assert_string_equal(error.hint, "did you mean 'census'?");
    assert_fails(synth("census", "row=3", "out.csv", &error), BAUTA_USAGE, &error, "no parameter");
    assert_string_equal(error.hint, "did you mean 'rows'?");
    assert_fails(synth("census", "rows=-1", "out.csv", &error), BAUTA_USAGE, &error, "at least 0");
    assert_fails(synth("census", "rows", "out.csv", &error), BAUTA_USAGE, &error, "'=value'");
    assert_fails(synth("census", "rows=1 rows=2", "out.csv", &error), BAUTA_USAGE, &error, "twice");
    assert_fails(synth("census", "seed=xyz", "out.csv", &error), BAUTA_USAGE, &error,
                 "hexadecimal");
    assert_fails(synth("attach", "", "out.csv", &error), BAUTA_USAGE, &error,
                 "needs the parameter");
    assert_fails(synth("normal", "mean=999999", "out.csv", &error), BAUTA_USAGE, &error, "likely");
    assert_fails(synth("zipf", "low=2 high=1", "out.csv", &error), BAUTA_USAGE, &error, "'high'");
    assert_fails(synth("uniform", "low=2", "out.csv", &error), BAUTA_USAGE, &error, "'high'");
    assert_fails(synth("uniform", "names=a,b", "out.csv", &error), BAUTA_USAGE, &error, "all 4");
    assert_int_equal(empty_folder("."), 0);
}

static void nothing_is_left_half_written(void **state)
{
    (void)state;
    bauta_error error;
    size_t length;
    assert_fails(synth("census", "rows=200000 threads=3", "/dev/full", &error), BAUTA_SYSTEM,
                 &error, "cannot write");
    assert_fails(synth("census", "", "none/out.csv", &error), BAUTA_SYSTEM, &error,
                 "cannot create");
    assert_fails(synth("census", "", ".", &error), BAUTA_SYSTEM, &error, "cannot write");
    assert_fails(synth("census", "rows=9 recipe=none/r.yaml", "out.csv", &error), BAUTA_SYSTEM,
                 &error, "cannot find");
    assert_int_equal(empty_folder("."), 0);
    /* What was there stays until the new table is whole. */
    write_file("in.csv", "a,b\n1\n", 6);
    write_file("out.csv", "old", 3);
    assert_fails(synth("attach", "table=in.csv column=n values=v", "out.csv", &error),
                 BAUTA_INVALID, &error, "fewer");
    char *text = read_file("out.csv", &length);
    assert_string_equal(text, "old");
    free(text);
    assert_ok(synth("normal", "rows=0", "out.csv", &error), &error);
    text = read_file("out.csv", &length);
    assert_string_equal(text, "age,loss\n");
    free(text);
    assert_int_equal(empty_folder("."), 2);
}

/* ---- what kinds are made of ---- */

static void alias_tables_meet_their_weights(void **state)
{
    (void)state;
    static const uint64_t weights[] = {1, 0, 1000, 37, 5000, 2};
    enum { BITS = 3, COUNT = sizeof weights / sizeof *weights };
    uint32_t entries[1 << BITS];
    size_t drawn[1 << BITS] = {0}, all = (size_t)1 << (BITS + 16);
    uint64_t total = 0;
    bauta_error error;
    assert_ok(ex_alias_build(weights, COUNT, BITS, entries, &error), &error);
    for (size_t random = 0; random < all; random++)
        drawn[ex_alias_draw(entries, BITS, random)]++;
    for (size_t i = 0; i < COUNT; i++)
        total += weights[i];
    for (size_t i = 0; i < COUNT; i++) {
        double expected = (double)weights[i] / (double)total * (double)all;
        assert_between((double)drawn[i], expected - (1 << BITS), expected + (1 << BITS));
    }
    assert_int_equal(drawn[1] + drawn[6] + drawn[7], 0);
    assert_fails(ex_alias_build(weights + 1, 1, BITS, entries, &error), BAUTA_INTERNAL, &error,
                 "no weight");
}

static void noise_is_centred_on_one(void **state)
{
    (void)state;
    ex_noise noise;
    bauta_error error;
    uint64_t random = 1, below = 0, rounds = 100000;
    assert_ok(ex_noise_build(&noise, (ex_rational){1, 2}, &error), &error);
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t factor = ex_noise_draw(&noise, (uint32_t)test_random(&random));
        assert_between((double)factor / 4096, 0.135, 7.7); /* exp(-2) … exp(2) and a step */
        below += factor < 4096;
    }
    assert_between((double)below / (double)rounds, 0.47, 0.51);
}

static void numbers_are_printed(void **state)
{
    (void)state;
    char text[64];
    static const struct {
        int64_t number;
        unsigned digits;
        const char *text;
    } cases[] = {{0, 0, "0"},        {7, 0, "7"},
                 {-120, 0, "-120"},  {99999, 0, "99999"},
                 {5, 3, "0.005"},    {-5, 3, "-0.005"},
                 {1000, 3, "1.000"}, {INT64_MIN, 0, "-9223372036854775808"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        *ex_decimal_put(text, cases[i].number, cases[i].digits) = '\0';
        assert_string_equal(text, cases[i].text);
    }
    ex_synth_cell cell;
    assert_true(ex_synth_cell_make(&cell, "fourteen-bytes", ','));
    assert_int_equal(cell.length, 15);
    assert_false(ex_synth_cell_make(&cell, "fifteen-bytes-x", ','));
}

#define in_folder(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(tables_do_not_depend_on_threads),
        in_folder(default_seed_gives_known_rows),
        in_folder(every_kind_makes_a_whole_table),
        in_folder(no_rows_is_a_header),
        in_folder(census_has_sane_marginals),
        in_folder(census_columns_depend_on_each_other),
        in_folder(census_comes_with_recipe_and_hierarchies),
        in_folder(recipe_names_files_from_its_own_folder),
        in_folder(ipums_keeps_its_domains),
        in_folder(uniform_fills_its_range),
        in_folder(losses_have_their_distributions),
        in_folder(correlated_losses_grow_with_age),
        in_folder(attach_keeps_all_other_bytes),
        in_folder(attach_reads_tables_larger_than_its_pieces),
        in_folder(attach_names_the_faulty_record),
        in_folder(wrong_calls_are_explained),
        in_folder(nothing_is_left_half_written),
        cmocka_unit_test(alias_tables_meet_their_weights),
        cmocka_unit_test(noise_is_centred_on_one),
        cmocka_unit_test(numbers_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
