/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole jobs through bauta.h: what is published of small tables, which rows are dropped, and what
 * is refused.
 */
#include "../jobs.h"

/* ---- what is published ---- */

static void a_small_table(void **state)
{
    (void)state;
    const char *input = scratch_text("small.csv", "name,age,sex,visits,disease\n"
                                                  "Ann,20,f,1,flu\n"
                                                  "Bob,22,m,1,cold\n"
                                                  "Cid,80,x,2,flu\n"
                                                  "Dee,85,m,2,\"broken leg, left\"\n");
    json_t *facts =
        anonymize(input, SETTINGS({"quasi", "age,sex"}, {"sensitive", "disease"},
                                  {"other", "visits"}, {"identifier", "name"}, {"require", "k=2"}));
    assert_rows("age,sex,visits,disease", "\"[20,22]\",{f|m},1,cold", "\"[20,22]\",{f|m},1,flu",
                "\"[80,85]\",{m|x},2,\"broken leg, left\"", "\"[80,85]\",{m|x},2,flu");
    assert_int_equal(whole(facts, "rows"), 4);
    assert_int_equal(whole(facts, "published"), 4);
    assert_int_equal(whole(facts, "suppressed"), 0);
    assert_int_equal(whole(facts, "classes"), 2);
    assert_int_equal(whole(facts, "smallest_class"), 2);
    json_decref(facts);
    json_t *manifest = load_json(publish, "manifest.json");
    assert_true(json_is_false(json_object_get(manifest, "experiment")));
    assert_int_equal(whole(manifest, "dropped_rows"), 0);
    assert_int_equal(json_array_size(json_object_get(manifest, "columns")), 4);
    json_decref(manifest);
}

static void a_larger_table(void **state)
{
    (void)state;
    enum { CENSUS_ROWS = 25000 };
    bt_buffer text = {0};
    const char *input = make_census("census.csv", 1, 0, CENSUS_ROWS, &text);
    json_t *facts = anonymize(input, SETTINGS(CENSUS_ROLES, {"require", "k=5"}, {"threads", "2"}));
    assert_int_equal(whole(facts, "rows"), CENSUS_ROWS);
    assert_int_equal(whole(facts, "published"), CENSUS_ROWS);
    assert_in_range(whole(facts, "smallest_class"), 5, 9);
    json_decref(facts);
    bt_buffer_release(&text);
}

/* Columns that are published as they are lose everything that only their source had. */
static void other_columns_are_canonical(void **state)
{
    (void)state;
    const char *input =
        scratch_text("other.csv", "q,code,price,day,seen,text,gap\r\n"
                                  "1,007,1.50,31.12.2020,yes,plain,\r\n"
                                  "1,012, +2 ,01.02.2021,NA,\" spaced \",\r\n"
                                  "\"1\",\"100\",-0.0,3.4.2021,?,\"say \"\"hi\"\"\",NA\r\n"
                                  "1,0,1e3,29.02.2020,\"?\",\"a,b\",\"\"\r\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "q"}, {"other", "rest"}, {"require", "k=4"},
                                          {"unique-limit", "1"})));
    assert_rows("q,code,price,day,seen,text,gap", "1,0,1000,2020-02-29,,\"a,b\",",
                "1,007,1.5,2020-12-31,yes,plain,", "1,012,2,2021-02-01,,\" spaced \",",
                "1,100,0,2021-04-03,,\"say \"\"hi\"\"\",");
}

/* Neighbours that are canonical as they stand are copied at once, wherever the record allows. */
static void other_columns_that_stand_together(void **state)
{
    (void)state;
    const char *input = scratch_text("together.csv", "a,b,q,c,x,d,e,s\n"
                                                     "1,u,1,3,no,4,v,flu\n"
                                                     "\"2\",u,1,, no,5,\"w\",flu\n"
                                                     "3, u ,1,5,no,,v ,cold\n"
                                                     "4,\"\",1,6,\"no\",\"7\",,cold\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"identifier", "x"},
                                          {"subject", "none"}, {"other", "rest"},
                                          {"require", "k=4"}, {"unique-limit", "1"})));
    assert_rows("a,b,q,c,d,e,s", "1,u,1,3,4,v,flu", "2,u,1,,5,w,flu", "3,u,1,5,,v,cold",
                "4,,1,6,7,,cold");
}

static void line_ends_inside_fields(void **state)
{
    (void)state;
    bt_buffer text = {0};
    const char *input = scratch_text("lines.csv", "q,\"a\nb\",s\n1,\"x\ny\",\"u\r\nv\"\n"
                                                  "1,\"x\ny\",\"u\r\nv\"\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "q"}, {"other", "a\nb"}, {"sensitive", "s"},
                                          {"require", "k=2"}, {"unique-limit", "1"})));
    read_file(publish, "data.csv", &text);
    assert_string_equal(text.bytes, "q,\"a\nb\",s\n1,\"x\ny\",\"u\r\nv\"\n"
                                    "1,\"x\ny\",\"u\r\nv\"\n");
    bt_buffer_release(&text);
}

static void sensitive_columns_are_canonical(void **state)
{
    (void)state;
    const char *input = scratch_text("sensitive.csv", "q,dose,day\n"
                                                      "1,1.50,2020/01/02\n"
                                                      "1,-2.0,2020-01-03\n"
                                                      "2,NA,?\n"
                                                      "2,.25,\n");
    json_decref(
        anonymize(input, SETTINGS({"quasi", "q"}, {"sensitive", "dose,day"}, {"require", "k=2"})));
    assert_rows("q,dose,day", "1,-2,2020-01-03", "1,1.5,2020-01-02", "2,,", "2,0.25,");
}

static void encodings_become_utf8(void **state)
{
    (void)state;
    const char *input = scratch_text("latin.csv", "\xe9t\xe9;ville;mal;n\xb0\n"
                                                  "1;Orl\xe9"
                                                  "ans;gr\xfc\xdf;\xe0,\xe7\n"
                                                  "1;Orl\xe9"
                                                  "ans;grippe;\xe8\n");
    json_decref(
        anonymize(input, SETTINGS({"quasi", "\xc3\xa9t\xc3\xa9,ville"}, {"sensitive", "mal"},
                                  {"other", "n\xc2\xb0"}, {"require", "k=2"},
                                  {"encoding", "latin-1"}, {"unique-limit", "1"})));
    assert_rows("\xc3\xa9t\xc3\xa9,ville,mal,n\xc2\xb0",
                "1,Orl\xc3\xa9"
                "ans,grippe,\xc3\xa8",
                "1,Orl\xc3\xa9"
                "ans,gr\xc3\xbc\xc3\x9f,\"\xc3\xa0,\xc3\xa7\"");
}

static void values_that_look_like_cells(void **state)
{
    (void)state;
    const char *input = scratch_text("cells.csv", "a,b,s\n"
                                                  "*,{x|y},*\n"
                                                  "*,{x|y},*\n"
                                                  "\"[1,2]\",a|b,\"[1,2]\"\n"
                                                  "\"[1,2]\",c},{a|b}\n"
                                                  "\\x,\\|,\\*\n"
                                                  "\\x,\\|,x\n");
    json_decref(
        anonymize(input, SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"require", "k=2"})));
    assert_rows("a,b,s", "\"\\[1,2]\",{a\\|b|c\\}},\"[1,2]\"", "\"\\[1,2]\",{a\\|b|c\\}},{a|b}",
                "\\*,\\{x|y},*", "\\*,\\{x|y},*", "\\\\x,\\\\|,\\*", "\\\\x,\\\\|,x");
}

static void missing_values_are_values(void **state)
{
    (void)state;
    const char *input = scratch_text("missing.csv", "age,zip,s\n"
                                                    "NA,100,a\n,100,b\n20,100,\n30,?,NA\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "age,zip"}, {"sensitive", "s"},
                                          {"hierarchy", "zip=mask"}, {"require", "k=2"})));
    assert_rows("age,zip,s", "\"[20,30]\",*,", "\"[20,30]\",*,", ",100,a", ",100,b");
}

/* One quasi column, whose cell is empty in some rows: the line of such a row is empty. */
static void one_column_with_missing_values(void **state)
{
    (void)state;
    const char *input = scratch_text("one.csv", "age\n20\n\"\"\n20\nNA\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "age"}, {"require", "k=2"})));
    assert_rows("age", "", "", "20", "20");
}

/* ---- rows that are dropped, and the mapping ---- */

/* "row,class" of mapping.csv: the class of each row, 0 where the row is not there. */
static int read_mapping(int *class_of, int rows)
{
    char folder[300];
    bt_buffer text = {0};
    size_t count;
    int classes = 0;
    snprintf(folder, sizeof folder, "%s/private", out);
    read_file(folder, "mapping.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_string_equal(lines[0], "row,class");
    memset(class_of, 0, (size_t)(rows + 1) * sizeof *class_of);
    for (size_t i = 1; i < count; i++) {
        char *comma = strchr(lines[i], ',');
        assert_non_null(comma);
        long row = strtol(lines[i], NULL, 10), class_number = strtol(comma + 1, NULL, 10);
        assert_in_range(row, 1, rows);
        assert_int_equal(class_of[row], 0);
        assert_true(class_number >= 1);
        class_of[row] = (int)class_number;
        if (class_number > classes) classes = (int)class_number;
    }
    free(lines);
    bt_buffer_release(&text);
    return classes;
}

static void rows_with_missing_values_dropped(void **state)
{
    (void)state;
    int class_of[8];
    const char *input = scratch_text("drop.csv", "id,age,zip,s,note\n"
                                                 "r1,20,100,a,x\n"
                                                 "r2,NA,100,b,x\n"
                                                 "r3,22,100,c,\n"
                                                 "r4,24,,d,x\n"
                                                 "r5,40,101,?,x\n"
                                                 "r6,42,101,f,y\n"
                                                 "r7,44,101,g,NA\n");
    const setting settings[SETTINGS_MOST] = {{"seed-file", seed_file}, {"quasi", "age,zip"},
                                             {"sensitive", "s"},       {"other", "id,note"},
                                             {"unique-limit", "1"},    {"missing", "drop"},
                                             {"keep-mapping", "yes"},  {"require", "k=2"}};
    json_t *facts = anonymize(input, settings);
    assert_rows("id,age,zip,s,note", "r1,\"[20,22]\",100,a,x", "r3,\"[20,22]\",100,c,",
                "r6,\"[42,44]\",101,f,y", "r7,\"[42,44]\",101,g,");
    assert_int_equal(whole(facts, "rows"), 7);
    assert_int_equal(whole(facts, "published"), 4);
    assert_int_equal(whole(facts, "missing_dropped"), 3);
    assert_int_equal(whole(facts, "suppressed"), 0);
    json_decref(facts);
    json_t *manifest = load_json(publish, "manifest.json");
    assert_int_equal(whole(manifest, "dropped_rows"), 3);
    json_decref(manifest);
    assert_int_equal(read_mapping(class_of, 7), 2);
    assert_true(class_of[1] && class_of[1] == class_of[3] && class_of[6] == class_of[7]);
    assert_int_not_equal(class_of[1], class_of[6]);
    assert_true(class_of[2] == 0 && class_of[4] == 0 && class_of[5] == 0);
}

/* The cells of rows of a class are the same, those of different classes are not. */
static void the_mapping_matches_the_release(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    static int class_of[ROWS + 1];
    char *cells[ROWS + 1] = {NULL};
    bt_buffer text = {0};
    size_t count;
    const char *input = make_census("mapped.csv", 5, 1, ROWS + 1, &text);
    json_t *facts = anonymize(input, SETTINGS({"quasi", "age,zip,city"}, {"other", "id"},
                                              {"drop", "rest"}, {"unique-limit", "1"},
                                              {"keep-mapping", "yes"}, {"require", "k=7"}));
    assert_int_equal(read_mapping(class_of, ROWS), whole(facts, "classes"));
    json_decref(facts);
    read_file(publish, "data.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_int_equal(count, ROWS + 1);
    for (size_t i = 1; i < count; i++) {
        long row = strtol(lines[i] + strlen("person number "), NULL, 10);
        assert_in_range(row, 1, ROWS);
        cells[row] = strchr(lines[i], ',');
    }
    for (int a = 1; a <= ROWS; a++)
        for (int b = 1; b <= ROWS; b++)
            assert_int_equal(strcmp(cells[a], cells[b]) == 0, class_of[a] == class_of[b]);
    free(lines);
    bt_buffer_release(&text);
}

/* What the whole table cannot meet, classes may when others are dropped. */
static void more_than_the_table_meets(void **state)
{
    (void)state;
    bauta_error error;
    const char *input =
        scratch_text("more.csv", "q,s\n1,flu\n1,cold\n2,flu\n2,flu\n2,flu\n2,flu\n");
#define MORE                                                                                       \
    {"quasi", "q"}, {"sensitive", "s"}, {"require", "k=2,alpha=0.5"}, {"group", "incognito"}
    assert_refused(input, SETTINGS(MORE), BAUTA_NO, &error, "whole table");
    assert_refused(input, SETTINGS(MORE, {"suppress", "0.5"}), BAUTA_NO, &error, "no level");
    json_t *facts = anonymize(input, SETTINGS(MORE, {"suppress", "0.7"}));
#undef MORE
    assert_rows("q,s", "1,cold", "1,flu");
    assert_int_equal(whole(facts, "suppressed"), 4);
    json_decref(facts);
}

/* Types are those of the rows that are left, and so is how values are written; the audit with the
 * original, of which some values are not of that type, goes by them too. */
static void types_are_those_of_rows_that_are_left(void **state)
{
    bauta_error error;
    const char *input = scratch_text("types.csv", "age,zip,s,note,day\n"
                                                  "20,100,a,+7,30.11.2001\n"
                                                  "22,100,b,8,29.12.2001\n"
                                                  "omega,,a,1.5,omega\n"
                                                  "24,,a,omega,31.12.1999\n");
#define TYPES                                                                                      \
    {"quasi", "age,zip"}, {"sensitive", "s"}, {"other", "note,day"}, {"unique-limit", "1"},        \
        {"require", "k=2"}
    assert_refused(input, SETTINGS(TYPES, {"type", "note=integer"}), BAUTA_INVALID, &error,
                   "not all of type 'integer'");
    json_decref(anonymize(input, SETTINGS(TYPES, {"missing", "drop"}, {"type", "note=integer"})));
    use_new_folder(state);
    json_decref(anonymize(input, SETTINGS(TYPES, {"missing", "drop"})));
    assert_rows("age,zip,s,note,day", "\"[20,22]\",100,a,7,2001-11-30",
                "\"[20,22]\",100,b,8,2001-12-29");
    /* more rows than were dropped */
    const char *other = scratch_text("other.csv", "age,zip,s,note,day\n"
                                                  "20,100,a,7,30.11.2001\n"
                                                  "22,100,b,8,29.12.2001\n"
                                                  "24,,a,omega,31.12.1999\n"
                                                  "24,,a,omega,31.12.1999\n"
                                                  "26,,a,omega,31.12.1999\n");
    bauta_recipe *recipe = make_recipe(other, SETTINGS(TYPES));
    assert_fails(bauta_audit(publish, recipe, NULL, &error), BAUTA_INVALID, &error,
                 "the values are of type text, and in the release");
    bauta_recipe_free(recipe);
#undef TYPES
}

static void all_rows_dropped(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("gone.csv", "age,s\nNA,a\n20,NA\n");
    assert_refused(
        input,
        SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"missing", "drop"}, {"require", "k=2"}),
        BAUTA_INVALID, &error, "no records without missing values");
}

/* ---- the distance of t ---- */

static const char *promised(const json_t *manifest, size_t place, const char *key)
{
    const json_t *promises = json_object_get(manifest, "promises");
    return json_string_value(json_object_get(json_array_get(promises, place), key));
}

/* Not given, it follows from the column's type, and the manifest spells it out. */
static void the_distance_of_t_follows_from_the_type(void **state)
{
    bauta_error error;
    const char *input = scratch_text("pay.csv", "age,pay,day,ill\n20,1,2020-01-01,a\n"
                                                "21,2,2020-01-02,b\n22,1,2020-01-01,b\n"
                                                "23,2,2020-01-02,a\n");
#define PAY                                                                                        \
    {"quasi", "age"}, {"joint", "none"},                                                           \
    {                                                                                              \
        "drop", "rest"                                                                             \
    }
    static const struct {
        const char *sensitive, *require, *names[2], *values[2];
    } cases[] = {
        {"pay", "t=0.5", {"t"}, {"0.5:ordered"}},
        {"day", "t=0.5", {"t"}, {"0.5:ordered"}},
        {"ill", "t=0.5", {"t"}, {"0.5:equal"}},
        {"pay", "t=0.5:equal", {"t"}, {"0.5:equal"}},
        {"pay,day", "t=0.5", {"t"}, {"0.5:ordered"}},
        {"pay,ill", "t(ill)=0.5", {"t(ill)"}, {"0.5:equal"}},
        {"pay,ill", "t=0.5", {"t(pay)", "t(ill)"}, {"0.5:ordered", "0.5:equal"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        use_new_folder(state);
        json_decref(anonymize(input, SETTINGS({"sensitive", cases[i].sensitive},
                                              {"require", cases[i].require}, PAY)));
        json_t *manifest = load_json(publish, "manifest.json");
        for (size_t p = 0; p < 2 && cases[i].names[p]; p++) {
            assert_string_equal(promised(manifest, p, "name"), cases[i].names[p]);
            assert_string_equal(promised(manifest, p, "value"), cases[i].values[p]);
        }
        json_decref(manifest);
    }
    use_new_folder(state);
    assert_refused(input,
                   SETTINGS({"sensitive", "pay,ill"}, {"require", "t(ill)=0.4:equal,t=0.5"}, PAY),
                   BAUTA_INVALID, &error, "'t' is asked of 'ill' twice");
#undef PAY
}

/* ---- extreme tables ---- */

static void small_and_uniform_tables(void **state)
{
    (void)state;
    bauta_error error;
    const char *one = scratch_text("row.csv", "age,s\n20,a\n");
    assert_refused(one, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"}),
                   BAUTA_NO, &error, "does not satisfy 'k=2'");
    assert_string_equal(error.hint, "the table has 1 record, k is 2");
    assert_refused(one, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=1"}),
                   BAUTA_INVALID, &error, "'k=1' asks for nothing");
    assert_refused(one, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=1,t=1,l=1"}),
                   BAUTA_INVALID, &error, "all requirements, 'k=1' among them, ask for nothing");

    const char *same = scratch_text("same.csv", "age,s\n20,a\n20,a\n20,a\n20,a\n");
    json_t *facts =
        anonymize(same, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"}));
    assert_rows("age,s", "20,a", "20,a", "20,a", "20,a");
    assert_int_equal(whole(facts, "classes"), 1);
    assert_true(real(json_object_get(facts, "measures"), "ncp") == 0);
    json_decref(facts);

    use_new_folder(state);
    const char *none = scratch_text("none.csv", "age,s\n");
    assert_refused(none, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "the table has no records");
    assert_refused(none,
                   SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"},
                            {"hierarchy", "age=intervals:5"}),
                   BAUTA_INVALID, &error, "the table has no records");
    assert_refused(scratch_text("empty.csv", ""), SETTINGS({"quasi", "age"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "the file is empty");
}

/* A text column with more values than anything is sized for: every cell is a set. */
static void many_values(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "a,b\n"), &error);
    for (int i = 0; i < ROWS; i++)
        assert_ok(bt_buffer_print(&text, &error, "v%d,%d\n", i * 7919 % ROWS, i), &error);
    const char *input = scratch_write("values.csv", text.bytes, text.length);
    json_decref(anonymize(input, SETTINGS({"quasi", "a,b"}, {"require", "k=3"})));
    bt_buffer_release(&text);
}

/* ---- what is refused ---- */

static void requests_that_make_no_sense(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = two_rows();
#define ROLES {"quasi", "age"}, {"sensitive", "s"}, {"drop", "id,visits"}
    assert_refused(input, SETTINGS({"drop", "rest"}, {"require", "k=2"}), BAUTA_INVALID, &error,
                   "no column is quasi");
    assert_non_null(strstr(error.hint, "--quasi"));
    assert_refused(input, SETTINGS(ROLES), BAUTA_INVALID, &error, "nothing is required");
    assert_non_null(strstr(error.hint, "--require"));
    assert_refused(input, SETTINGS(ROLES, {"require", ""}), BAUTA_INVALID, &error,
                   "the list of requirements is empty");
    assert_refused(input, SETTINGS(ROLES, {"require", "j=2"}), BAUTA_INVALID, &error,
                   "there is no requirement 'j'");
    assert_string_equal(error.hint, "did you mean 'k'?");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=none"}), BAUTA_INVALID, &error,
                   "must be a whole number");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"group", "mondrain"}), BAUTA_INVALID,
                   &error, "there is no grouping method 'mondrain'");
    assert_string_equal(error.hint, "did you mean 'mondrian'?");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"group", "mondrian:ordre=gain"}),
                   BAUTA_INVALID, &error, "'mondrian' has no option 'ordre'");
    assert_string_equal(error.hint, "did you mean 'order'?");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"publish", "generalised"}),
                   BAUTA_INVALID, &error, "there is no form 'generalised'");
    assert_string_equal(error.hint, "did you mean 'generalized'?");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"publish", "xyz"}), BAUTA_INVALID,
                   &error, "there is no form 'xyz'");
    assert_string_equal(error.hint, "there are: generalized, two-tables, randomized, distribution");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=3"}), BAUTA_NO, &error,
                   "does not satisfy 'k=3'");
    assert_string_equal(error.hint, "the table has 2 records, k is 3");
    assert_refused(scratch_name("absent.csv"), SETTINGS(ROLES, {"require", "k=2"}), BAUTA_INVALID,
                   &error, "absent.csv");
    assert_refused(NULL, SETTINGS(ROLES, {"require", "k=2"}), BAUTA_USAGE, &error, "no input file");
    assert_fails(bauta_anonymize(NULL, out, NULL, &error), BAUTA_USAGE, &error, "a recipe");
    assert_int_equal(bauta_anonymize(NULL, NULL, NULL, NULL), BAUTA_USAGE);
#undef ROLES
}

static void columns_that_single_out(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("other.csv", "age,id,a,b,s\n"
                                                  "20,x1,1,1,a\n30,x2,1,2,b\n"
                                                  "20,x3,2,1,a\n30,x4,2,2,b\n");
#define ROLES {"quasi", "age"}, {"require", "k=2"}, {"drop", "rest"}, {"unique-limit", "0.05"}
    assert_refused(input, SETTINGS(ROLES, {"other", "id"}), BAUTA_INVALID, &error,
                   "4 of 4 records (100 %) are unique by what would be published as it is; most of "
                   "that comes from 'id' (100 % by itself)");
    assert_non_null(
        strstr(error.hint, "--accept id; at most 5.00 % may be unique (--unique-limit)"));
    assert_refused(input, SETTINGS(ROLES, {"other", "a,b"}), BAUTA_INVALID, &error,
                   "4 of 4 records");
    assert_non_null(strstr(error.message, "'b' (0 % by itself)"));
    assert_refused(input, SETTINGS(ROLES, {"other", "id"}, {"accept", "ib"}), BAUTA_INVALID, &error,
                   "no column 'ib'");
    static const setting accepted[] = {{"accept", "id,b"}, {"accept-other", "b,id"}};
    for (size_t i = 0; i < 2; i++) {
        json_decref(anonymize(input, SETTINGS(ROLES, {"other", "id,a,b"}, accepted[i])));
        use_new_folder(state);
    }
    json_decref(anonymize(input, SETTINGS(ROLES, {"other", "id,a"}, {"unique-limit", "100%"})));
    use_new_folder(state);
    json_decref(anonymize(input, SETTINGS(ROLES, {"other", "a"})));
#undef ROLES
}

/* In column a the first `once` records have a value of their own, all others share two. */
static const char *make_wide(const char *name, int rows, int once)
{
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "age,a\n");
    for (int i = 0; i < rows; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,d%d\n", i % 5,
                                   i < once ? i : once + i % 2);
    return scratch_text(name, text);
}

/* Whatever is published as it is counts, in the file that it stands in, and one record more than a
 * twentieth is too many. */
static void sensitive_columns_that_single_out(void **state)
{
    bauta_error error;
    const char *fewer = make_wide("fewer.csv", 100, 5), *more = make_wide("more.csv", 100, 6);
    static const setting forms[][2] = {{{"publish", "generalized"}, {"require", "k=2"}},
                                       {{"publish", "two-tables"}, {"require", "k=2"}},
                                       {{"publish", "randomized"}, {"threads", "1"}}};
#define ROLES                                                                                      \
    {"quasi", "age"}, {"sensitive", "a"},                                                          \
    {                                                                                              \
        "unique-limit", "0.05"                                                                     \
    }
    for (size_t i = 0; i < 3; i++) {
        json_decref(anonymize(fewer, SETTINGS(ROLES, forms[i][0], forms[i][1])));
        use_new_folder(state);
        assert_refused(more, SETTINGS(ROLES, forms[i][0], forms[i][1]), BAUTA_INVALID, &error,
                       "6 of 100 records (6.00 %) are unique");
    }
    /* Parts of a domain are not its values. */
    json_decref(anonymize(more, SETTINGS(ROLES, {"publish", "distribution"}, {"group", "whole"},
                                         {"require", "l=2"})));
    use_new_folder(state);
#undef ROLES
    /* What stands in two files cannot be put side by side. */
    const char *pair = scratch_text("pair.csv", "age,a,b\n20,1,1\n20,1,2\n30,2,1\n30,2,2\n");
#define ROLES                                                                                      \
    {"quasi", "age"}, {"other", "a"}, {"sensitive", "b"}, {"unique-limit", "0.05"},                \
        {"require", "k=2"}
    assert_refused(pair, SETTINGS(ROLES), BAUTA_INVALID, &error, "4 of 4");
    json_decref(anonymize(pair, SETTINGS(ROLES, {"publish", "two-tables"})));
#undef ROLES
}

/* All marks of a missing value are one value, and a text is not cut short. */
static void what_is_unique(void **state)
{
    bauta_error error;
    const char *missing = scratch_text("missing.csv", "age,a\n1,NA\n1,?\n1,\n1,x\n1,x\n");
    const char *texts = scratch_text("long.csv", "age,a\n1,\"a long text, \"\"quoted\"\", one\"\n"
                                                 "1,\"a long text, \"\"quoted\"\", two\"\n");
#define ROLES {"quasi", "age"}, {"unique-limit", "0"}, {"require", "k=2"}
    json_decref(anonymize(missing, SETTINGS(ROLES, {"other", "a"})));
    use_new_folder(state);
    json_decref(anonymize(missing, SETTINGS(ROLES, {"sensitive", "a"})));
    use_new_folder(state);
    assert_refused(texts, SETTINGS(ROLES, {"other", "a"}), BAUTA_INVALID, &error, "2 of 2 records");
#undef ROLES
}

static void types_of_other_columns(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("types.csv", "q,n,gap\n1,5,\n1,6,NA\n");
#define ROLES {"quasi", "q"}, {"other", "n,gap"}, {"require", "k=2"}, {"unique-limit", "1"}
    assert_refused(input, SETTINGS(ROLES, {"type", "n=date"}), BAUTA_INVALID, &error,
                   "not all of type 'date'");
    assert_string_equal(error.column, "n");
    json_decref(anonymize(input, SETTINGS(ROLES, {"type", "n=decimal"}, {"type", "gap=integer"})));
    assert_rows("q,n,gap", "1,5,", "1,6,");
#undef ROLES
}

/* ---- columns without a hierarchy, where the method goes along hierarchies ---- */

static const char *people_of_many_ages(void)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,zip,day,sex,disease\n"), &error);
    for (int i = 0; i < 120; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%05d,20%02d-%02d-03,%c,%s\n", 20 + i % 60,
                                  1001 + i % 30, i % 20, 1 + i % 12, i % 2 ? 'f' : 'm',
                                  i % 3 ? "flu" : "cold"),
                  &error);
    const char *file = scratch_write("ages.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static const char *spec_of(const json_t *manifest, size_t column)
{
    const json_t *entry = json_array_get(json_object_get(manifest, "columns"), column);
    return json_string_value(json_object_get(json_object_get(entry, "hierarchy"), "spec"));
}

#define AGES                                                                                       \
    {"quasi", "age,zip,day,sex"}, {"sensitive", "disease"},                                        \
    {                                                                                              \
        "require", "k=3"                                                                           \
    }

/* A derived hierarchy is as good as a named one: the release is the same, byte by byte. */
static void hierarchies_are_derived(void **state)
{
    static const char *const methods[] = {"incognito", "incognito:local=yes", "top-down"};
    const char *input = people_of_many_ages();
    for (size_t i = 0; i < 3; i++) {
        bt_buffer derived = {0}, named = {0};
        json_t *facts = anonymize(input, SETTINGS(AGES, {"group", methods[i]}));
        const json_t *notices = json_object_get(facts, "notices");
        assert_int_equal(json_array_size(notices), 3); /* sex has two values */
        const char *first = json_string_value(json_array_get(notices, 0));
        assert_non_null(strstr(first, "'age'"));
        assert_non_null(strstr(first, "intervals:"));
        json_t *manifest = load_json(publish, "manifest.json");
        assert_string_equal(spec_of(manifest, 0), "intervals:5,10,20");
        assert_string_equal(spec_of(manifest, 1), "mask");
        assert_string_equal(spec_of(manifest, 2), "date");
        assert_null(spec_of(manifest, 3));
        json_decref(manifest);
        json_decref(facts);
        read_file(publish, "data.csv", &derived);
        use_new_folder(state);
        facts = anonymize(input, SETTINGS(AGES, {"group", methods[i]}, {"type", "zip=text"},
                                          {"hierarchy", "age=intervals:5,10,20"},
                                          {"hierarchy", "zip=mask"}, {"hierarchy", "day=date"}));
        assert_null(json_object_get(facts, "notices"));
        json_decref(facts);
        read_file(publish, "data.csv", &named);
        assert_string_equal(derived.bytes, named.bytes);
        bt_buffer_release(&derived);
        bt_buffer_release(&named);
        use_new_folder(state);
    }
}

/* Other methods need none, and what the recipe says stays as it says. */
static void hierarchies_are_not_derived(void **state)
{
    const char *input = people_of_many_ages();
    json_t *facts = anonymize(input, SETTINGS(AGES, {"group", "mondrian"}));
    json_t *manifest = load_json(publish, "manifest.json");
    assert_null(spec_of(manifest, 0));
    json_decref(manifest);
    json_decref(facts);
    use_new_folder(state);
    facts = anonymize(input, SETTINGS(AGES, {"group", "top-down"}, {"type", "zip=integer"},
                                      {"hierarchy", "age=flat"}, {"hierarchy", "day=none"}));
    assert_null(json_object_get(facts, "notices"));
    manifest = load_json(publish, "manifest.json");
    assert_string_equal(spec_of(manifest, 0), "flat");
    assert_null(spec_of(manifest, 1)); /* codes are masked as text */
    assert_null(spec_of(manifest, 2));
    json_decref(manifest);
    json_decref(facts);
}

/* ---- texts instead of files --------------------------------------------------------------- */

static const char zips[] = "101;10;1\n102;10;1\n205;20;2\n207;20;2\n";
static const char kinds_of[] = "HIV;severe\nflu;mild\ncough;mild\n";

/* The recipe as YAML, with or without the files that it names. */
static bauta_status load_recipe(bauta_recipe *recipe, bool texts, bauta_error *error)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "input: people.csv\ncolumns:\n  zip: {role: quasi%s}\n"
             "  disease: {role: sensitive%s}\nrequire: k=3,p-categories=1\n"
             "group: top-down\nseed-file: seed\n",
             texts ? "" : ", hierarchy: zips.csv", texts ? "" : ", categories: kinds.csv");
    if (!texts) return bauta_recipe_load(recipe, scratch_text("recipe.yaml", yaml), error);
    BT_TRY(bauta_recipe_set_text(recipe, "hierarchy", "zip", zips, strlen(zips), error));
    BT_TRY(
        bauta_recipe_set_text(recipe, "categories", "disease", kinds_of, strlen(kinds_of), error));
    return bauta_recipe_load_text(recipe, yaml, strlen(yaml), scratch_name("nothing.yaml"), error);
}

static void texts_instead_of_files(void **state)
{
    bt_buffer table = {0}, text[2][2] = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&table, &error, "zip,disease\n"), &error);
    for (int i = 0; i < 24; i++)
        assert_ok(bt_buffer_print(&table, &error, "%d,%s\n",
                                  (const int[]){101, 102, 205, 207}[i % 4],
                                  (const char *const[]){"HIV", "flu", "cough"}[i / 3 % 3]),
                  &error);
    scratch_write("people.csv", table.bytes, table.length);
    scratch_text("zips.csv", zips);
    scratch_text("kinds.csv", kinds_of);
    for (int i = 0; i < 2; i++) {
        bauta_recipe *recipe = make_recipe(NULL, SETTINGS({"threads", "1"}));
        assert_ok(load_recipe(recipe, i == 1, &error), &error);
        assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
        assert_ok(bauta_audit(publish, recipe, NULL, &error), &error);
        read_file(publish, "data.csv", &text[i][0]);
        read_file(publish, "manifest.json", &text[i][1]);
        bauta_recipe_free(recipe);
        use_new_folder(state);
    }
    assert_string_equal(text[0][0].bytes, text[1][0].bytes);
    assert_string_equal(text[0][1].bytes, text[1][1].bytes);
    for (int i = 0; i < 4; i++)
        bt_buffer_release(&text[i / 2][i % 2]);
    bt_buffer_release(&table);
}

static void texts_that_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("few.csv", "zip,disease\n1,a\n2,b\n");
    bauta_recipe *recipe = make_recipe(
        input, SETTINGS({"quasi", "zip"}, {"sensitive", "disease"}, {"require", "k=2"}));
    assert_fails(bauta_recipe_set_text(recipe, "quasi", "zip", "1;2", 3, &error), BAUTA_USAGE,
                 &error, "'quasi' names no file of a column");
    assert_fails(bauta_recipe_set_text(recipe, "hierachy", "zip", "1;2", 3, &error), BAUTA_USAGE,
                 &error, "hierachy");
    assert_ok(bauta_recipe_set_text(recipe, "hierarchy", "zip", "1;x\n2\"", 6, &error), &error);
    assert_fails(bauta_anonymize(recipe, out, NULL, &error), BAUTA_INVALID, &error, "quote");
    assert_string_equal(error.file, "hierarchy of zip");
    assert_int_equal(error.row, 2);
    assert_fails(bauta_recipe_load_text(recipe, "what: 1\n", 8, NULL, &error), BAUTA_INVALID,
                 &error, "what");
    assert_string_equal(error.file, "recipe");
    bauta_recipe_free(recipe);
}

int main(void)
{
#define JOB_TEST(name) cmocka_unit_test_setup(name, use_new_folder)
    const struct CMUnitTest tests[] = {
        JOB_TEST(a_small_table),
        JOB_TEST(a_larger_table),
        JOB_TEST(other_columns_are_canonical),
        JOB_TEST(other_columns_that_stand_together),
        JOB_TEST(line_ends_inside_fields),
        JOB_TEST(sensitive_columns_are_canonical),
        JOB_TEST(encodings_become_utf8),
        JOB_TEST(values_that_look_like_cells),
        JOB_TEST(missing_values_are_values),
        JOB_TEST(one_column_with_missing_values),
        JOB_TEST(rows_with_missing_values_dropped),
        JOB_TEST(the_mapping_matches_the_release),
        JOB_TEST(more_than_the_table_meets),
        JOB_TEST(types_are_those_of_rows_that_are_left),
        JOB_TEST(all_rows_dropped),
        JOB_TEST(the_distance_of_t_follows_from_the_type),
        JOB_TEST(small_and_uniform_tables),
        JOB_TEST(many_values),
        JOB_TEST(requests_that_make_no_sense),
        JOB_TEST(columns_that_single_out),
        JOB_TEST(sensitive_columns_that_single_out),
        JOB_TEST(what_is_unique),
        JOB_TEST(types_of_other_columns),
        JOB_TEST(hierarchies_are_derived),
        JOB_TEST(hierarchies_are_not_derived),
        JOB_TEST(texts_instead_of_files),
        JOB_TEST(texts_that_are_refused),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
