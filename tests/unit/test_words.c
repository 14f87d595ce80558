/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain words of a manifest follow from the rest of it, and an audit notices when they, the
 * options of the form or the lists of a manifest do not.
 */
#include "release_files.h"

#include "recipe/fake_rule.h"

/* ---- composing --------------------------------------------------------------------------- */

static void expect_words(const bt_manifest *manifest, const char *part, bool there)
{
    bt_arena arena = {0};
    const char *words = test_words(manifest, &arena).not_protected;
    if ((strstr(words, part) != NULL) != there)
        fail_msg("form %s: '%s' %s '%s'", manifest->form, words, there ? "lacks" : "has", part);
    bt_arena_release(&arena);
}

static void every_form_has_words_of_its_own(void **state)
{
    (void)state;
    static const char *const forms[] = {"generalized", "generalized:sensitive=category",
                                        "two-tables",  "distribution:fake=0,allocation=random",
                                        "randomized",  "something"};
    bt_arena arena = {0};
    const char *words[6];
    for (size_t i = 0; i < 6; i++) {
        const bt_manifest manifest = {.form = forms[i]};
        words[i] = test_words(&manifest, &arena).not_protected;
        for (size_t before = 0; before < i; before++)
            assert_string_not_equal(words[i], words[before]);
    }
    bt_arena_release(&arena);
}

/* ---- the newest format -------------------------------------------------------------------- */

static bt_manifest_column some_columns[] = {
    {.name = "age", .role = BT_ROLE_QUASI, .type = BT_INTEGER},
    {.name = "sex", .role = BT_ROLE_QUASI, .type = BT_TEXT},
    {.name = "disease", .role = BT_ROLE_SENSITIVE, .type = BT_TEXT},
    {.name = "ward", .role = BT_ROLE_SENSITIVE, .type = BT_TEXT},
    {.name = "visits", .role = BT_ROLE_OTHER, .type = BT_INTEGER},
};

/* Both texts together have a sentence, or do not. */
static void expect_sentence(const bt_manifest *given, const char *promise, const char *value,
                            const char *sentence, bool there)
{
    bt_arena arena = {0};
    char asked[200];
    bt_manifest manifest = *given;
    manifest.format = 1;
    snprintf(asked, sizeof asked, promise ? "k=4,%s=%s" : "k=4", promise, value);
    if (bt_requirements_parse(asked, &arena, &manifest.promises, NULL) != BAUTA_OK)
        manifest.promises = (bt_requirements){0};
    manifest.columns = some_columns;
    manifest.column_count = 5;
    const char *method = manifest.method.text ? manifest.method.text : "mondrian:order=gain";
    assert_int_equal(bt_method_read(method, &arena, &manifest.method, NULL), BAUTA_OK);
    bt_words words = test_words(&manifest, &arena);
    bool found = strstr(words.protects, sentence) || strstr(words.not_protected, sentence);
    if (found != there)
        fail_msg("%s, %s=%s: '%s' %s in '%s' and '%s'", manifest.form, promise ? promise : "k",
                 promise ? value : "4", sentence, there ? "is not" : "is", words.protects,
                 words.not_protected);
    bt_arena_release(&arena);
}

static void words_follow_from_all_promises(void **state)
{
    (void)state;
    static const char agree[] = "agree in one of disease and ward tells it";
    static const char ward[] = "agree in ward tells it";
    static const char method[] = "Whoever knows the method";
    static const struct {
        const char *promise, *value;
        bool agree, ward, method;
    } cases[] = {
        {NULL, NULL, true, false, false},
        {"l", "3", false, false, true},
        {"l", "1", true, false, true},
        {"p", "2", false, false, true},
        {"p-categories", "2", false, false, true},
        {"alpha", "0.5", false, false, true},
        {"alpha", "1", true, false, true},
        {"alpha", "0.5:HIV|Cancer", true, false, true}, /* other values may be all there is */
        {"alpha(disease)", "0.5", false, true, true},
        {"entropy-l", "1.5", false, false, true},
        {"recursive-l", "2:3", false, false, true},
        {"t", "0.2", true, false, true}, /* far from the table's values, but it may be one */
        {"weight", "2", true, false, true},
        {"something", "2", true, false, false}, /* what cannot be read promises nothing */
    };
    const bt_manifest generalized = {.form = "generalized"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *promise = cases[i].promise, *value = cases[i].value;
        expect_sentence(&generalized, promise, value, agree, cases[i].agree);
        expect_sentence(&generalized, promise, value, ward, cases[i].ward);
        expect_sentence(&generalized, promise, value, method, cases[i].method);
    }
    const bt_manifest given = {.form = "two-tables", .method.text = "columns:by=age"};
    expect_sentence(&given, "l", "3", method, false);
    /* What is proven of a method is said, and nothing where it gives nothing away. */
    const bt_manifest bounded = {
        .form = "generalized", .method.text = "mondrian:minimal=4", .replayer = 24};
    const bt_manifest nothing = {.form = "two-tables", .method.text = "anatomy", .replayer = 1};
    expect_sentence(&bounded, "l", "3", "its odds change by a factor of at most 24.", true);
    expect_sentence(&bounded, "l", "3", "may learn", false);
    expect_sentence(&nothing, "l", "3", method, false);
}

static void words_say_from_whom_and_what_is_counted(void **state)
{
    (void)state;
    static const struct {
        bt_manifest manifest;
        const char *sentence;
    } cases[] = {
        {{.form = "generalized"}, "Whoever knows the quasi-identifiers of a person (age and sex)"},
        {{.form = "generalized"}, "finds at least 4 rows that fit"},
        {{.form = "generalized"}, "Rows are counted, not persons"},
        {{.form = "generalized"}, "whoever alone can be there is in the table for certain"},
        {{.form = "generalized"}, "The columns disease, ward and visits are published as they are"},
        {{.form = "generalized", .persons = BT_COUNT_APART},
         "finds the rows of at least 4 persons"},
        {{.form = "two-tables"}, "learns of disease and ward only the values"},
        {{.form = "two-tables"}, "Anyone can see who is in the table"},
        {{.form = "two-tables"}, "The column visits is published as it is"},
        {{.form = "two-tables"}, "Where this column goes with disease and ward, that tells it"},
        {{.form = "randomized", .lambda = 1}, "1 of the 2 quasi-identifiers (age and sex) was"},
        {{.form = "generalized", .join.kind = BT_JOIN_REFINE},
         "Some persons are certain to be in the table"},
        {{.form = "something"}, "Nothing is known of what this form protects"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_sentence(&cases[i].manifest, NULL, NULL, cases[i].sentence, true);
    const bt_manifest join = {.form = "generalized", .join.kind = BT_JOIN_REFINE};
    expect_sentence(&join, "presence", "1/4", "Some persons are certain", false);
    expect_sentence(&join, "presence", "1/4", "at most a share of 1/4", true);
    static const char told[] = "follows from how common the values of the table are, and stands in "
                               "the manifest.";
    const bt_manifest shares = {.form = "randomized:lambda=1,p=entropy,rare=0", .lambda = 1},
                      even = {.form = "randomized:lambda=1,p=uniform,rare=0", .lambda = 1};
    expect_sentence(&shares, NULL, NULL, told, true);
    expect_sentence(&even, NULL, NULL, told, false);
}

/* Ranges and sets show their ends, nodes of a hierarchy only that two of their parts have someone,
 * and that only where they are the lowest. */
static void words_say_who_is_at_the_ends_of_cells(void **state)
{
    (void)state;
    static const char sex[] = "Ranges and sets of sex are no wider",
                      both[] = "Ranges and sets of age and sex are no wider",
                      age[] = "Nodes of age are the lowest";
    const bt_manifest lowest = {.form = "generalized"},
                      fixed = {.form = "generalized", .method.text = "incognito:minimal=yes"},
                      beyond = {.form = "generalized", .method.text = "mondrian:minimal=no"};
    expect_sentence(&lowest, NULL, NULL, both, true);
    expect_sentence(&lowest, NULL, NULL, "are the lowest", false);
    some_columns[0].partial = "intervals:5,10";
    expect_sentence(&lowest, NULL, NULL, sex, true);
    expect_sentence(&lowest, NULL, NULL, age, true);
    expect_sentence(&fixed, NULL, NULL, sex, true);
    expect_sentence(&fixed, NULL, NULL, "are the lowest", false);
    some_columns[1].partial = "flat";
    expect_sentence(&beyond, NULL, NULL, "is in the table for certain", false);
    expect_sentence(&beyond, NULL, NULL, "That a person is in the table is not hidden.", true);
    some_columns[0].partial = some_columns[1].partial = NULL;
}

/* With `joint: none` one sensitive value may tell another. */
static void words_say_what_was_not_judged_together(void **state)
{
    (void)state;
    static const char joint[] = "Whoever also knows one of disease and ward of a person may learn "
                                "the other: the promises were not judged given another sensitive "
                                "value (joint: none).";
    static const struct {
        bt_manifest manifest;
        bool there;
    } cases[] = {
        {{.form = "generalized", .joint = BT_JOINT_NONE}, true},
        {{.form = "generalized", .joint = BT_JOINT_PAIRWISE}, false},
        {{.form = "generalized"}, false},
        {{.form = "two-tables", .joint = BT_JOINT_NONE}, true},
        {{.form = "two-tables", .joint = BT_JOINT_PAIRWISE}, false},
        {{.form = "generalized", .join.kind = BT_JOIN_REFINE, .joint = BT_JOINT_NONE}, true},
        {{.form = "generalized", .join.kind = BT_JOIN_REFINE, .joint = BT_JOINT_PAIRWISE}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_sentence(&cases[i].manifest, "l", "3", joint, cases[i].there);
}

/* A column that shows categories is not published as it is, and two values may be of one category:
 * only promises about categories keep a class from having one alone. */
static void words_say_what_categories_tell(void **state)
{
    (void)state;
    static const bt_category list[] = {{.name = "grave"}, {.name = "mild"}};
    static const char agree[] = "agree in the category of one of disease and ward tells it",
                      which[] = "knows which categories of disease and ward the person may have",
                      shown[] = "Of disease and ward only the categories are published: whoever "
                                "knows them of a person may find the person's row by them.",
                      as_it_is[] = "The column visits is published as it is";
    const bt_manifest form = {.form = "generalized:sensitive=category"};
    for (size_t i = 2; i < 4; i++) {
        some_columns[i].categories = list;
        some_columns[i].category_count = 2;
        some_columns[i].category_of = some_columns[i].name;
    }
    static const struct {
        const char *promise, *value;
        bool mixed;
    } cases[] = {{NULL, NULL, false},
                 {"p", "2", false},
                 {"alpha", "0.5", false},
                 {"p-categories", "1", false},
                 {"p-categories", "2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *promise = cases[i].promise, *value = cases[i].value;
        expect_sentence(&form, promise, value, agree, !cases[i].mixed);
        expect_sentence(&form, promise, value, which, cases[i].mixed);
        expect_sentence(&form, promise, value, shown, true);
        expect_sentence(&form, promise, value, as_it_is, true);
    }
    for (size_t i = 2; i < 4; i++)
        some_columns[i] = (bt_manifest_column){
            .name = some_columns[i].name, .role = BT_ROLE_SENSITIVE, .type = BT_TEXT};
}

/* Names that are many or long are cut between two of them. */
static void long_lists_of_columns_are_cut(void **state)
{
    (void)state;
    enum { COLUMNS = 30 };
    static char names[COLUMNS][80];
    static bt_manifest_column columns_of[COLUMNS];
    bt_arena arena = {0};
    bt_requirements k;
    bauta_error error;
    assert_ok(bt_requirements_parse("k=4", &arena, &k, &error), &error);
    for (size_t length = 1; length < 80; length += 39) {
        for (size_t i = 0; i < COLUMNS; i++) {
            memset(names[i], 'a' + (int)(i % 26), length);
            names[i][length] = '\0';
            columns_of[i] = (bt_manifest_column){.name = names[i], .role = BT_ROLE_QUASI};
        }
        const bt_manifest manifest = {.format = 1,
                                      .form = "generalized",
                                      .method.text = "mondrian",
                                      .promises = k,
                                      .columns = columns_of,
                                      .column_count = COLUMNS};
        const char *words = test_words(&manifest, &arena).protects;
        assert_non_null(strstr(words, length < 40 ? " and 22 more)" : " more)"));
    }
    bt_arena_release(&arena);
}

static void made_up_values_are_a_number_or_a_share(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good, best;
        int64_t of_seven; /* records */
    } cases[] = {
        {"3", true, false, 3},
        {"0", true, false, 0},
        {"1000000000", true, false, 1000000000},
        {"100%", true, false, 7},
        {"30%", true, false, 2},
        {"best:3", true, true, 3},
        {"best:50%", true, true, 3},
        {"1000000001", false, false, 0},
        {"-1", false, false, 0},
        {"-1%", false, false, 0},
        {"100.1%", false, false, 0},
        {"best:101%", false, false, 0},
        {"best:", false, false, 0},
        {"best", false, false, 0},
        {"", false, false, 0},
        {"3 ", false, false, 0},
        {"0.5", false, false, 0},
        {"00000000000000000000000000000000000000000000000000000000000000003", false, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_fake_rule rule;
        char form[128]; /* what comes behind the option is not read */
        size_t length = strlen(cases[i].text);
        snprintf(form, sizeof form, "%s,allocation=random", cases[i].text);
        if (bt_fake_rule_parse(form, length, &rule) != cases[i].good)
            fail_msg("'%s' is %s", cases[i].text, cases[i].good ? "refused" : "taken");
        if (!cases[i].good) continue;
        assert_int_equal(rule.best, cases[i].best);
        assert_int_equal(bt_fake_rule_count(&rule, 7), cases[i].of_seven);
    }
}

static void options_decide_what_is_said(void **state)
{
    (void)state;
    static const char allocation[] = "the allocation is the paper's own";
    static const char fakes[] = "was chosen from the data";
    static const struct {
        const char *form;
        bool allocation, fakes;
    } cases[] = {
        {"distribution:target=source,fake=0,allocation=random", false, false},
        {"distribution:target=source,fake=5%,allocation=optimal", true, false},
        {"distribution:target=normal:4,2,fake=best:3,allocation=optimal", true, true},
        {"distribution", true, true}, /* what is not told is taken for the worse */
        {"distribution:allocation=randomly,fakes=3", true, true},
        {"generalized:allocation=optimal,fake=best:3", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bt_manifest manifest = {.form = cases[i].form};
        expect_words(&manifest, allocation, cases[i].allocation);
        expect_words(&manifest, fakes, cases[i].fakes);
    }
}

/* The remark begins with this, and goes on if the release is an experiment. NULL: there is none. */
static void expect_remark(bt_manifest *manifest, const char *begin)
{
    bt_arena arena = {0};
    const char *remark = test_words(manifest, &arena).remark;
    assert_int_equal(remark != NULL, begin != NULL);
    if (begin) {
        assert_memory_equal(remark, begin, strlen(begin));
        assert_int_equal(strlen(remark) > strlen(begin), manifest->experiment);
        assert_int_equal(strstr(remark, "for experiments") != NULL, manifest->experiment);
    }
    manifest->remark = remark;
    assert_true(bt_words_has_remark(manifest));
    manifest->remark = NULL;
    assert_int_equal(bt_words_has_remark(manifest), !begin || !*begin);
    bt_arena_release(&arena);
}

static const char join_remark[] =
    "rows of data.csv are persons, of whom only some are records of the original: each row of "
    "sensitive.csv is one record of the original, and its quasi values are in one of the boxes "
    "of its sensitive group";

static const char join_alone_remark[] =
    "rows of data.csv are persons, of whom only some are records of the original: how many they "
    "are is not published, so that records cannot be counted";

static void persons_and_joins_are_told(void **state)
{
    (void)state;
    bt_manifest_column disease = {.name = "disease", .role = BT_ROLE_SENSITIVE};
    bt_manifest manifest = {.form = "generalized", .persons = BT_COUNT_APART};
    expect_words(&manifest, "rows in several classes", true);
    manifest.persons = BT_COUNT_TOGETHER;
    expect_words(&manifest, "rows in several classes", false);
    expect_words(&manifest, "all of them in one class", true);
    expect_remark(&manifest, NULL);
    manifest.experiment = true;
    expect_remark(&manifest, "");
    manifest = (bt_manifest){.form = "generalized", .join.kind = BT_JOIN_DIRECT};
    expect_words(&manifest, "nobody of the table is", true);
    expect_remark(&manifest, join_alone_remark);
    manifest.columns = &disease;
    manifest.column_count = 1;
    expect_words(&manifest, "without external persons", true);
    expect_remark(&manifest, join_remark);
    manifest.experiment = true;
    expect_remark(&manifest, join_remark);
}

static void options_are_found(void **state)
{
    (void)state;
    static const char form[] = "randomized:lambda=2,p=1/2|1/2,rare=0";
    size_t length = 0;
    assert_ptr_equal(bt_form_option(form, "p", &length), strstr(form, "1/2|"));
    assert_int_equal(length, 7);
    assert_null(bt_form_option(form, "are", &length));
    assert_null(bt_form_option(form, "lamb", &length));
    assert_null(bt_form_option("randomized", "p", &length));
    assert_null(bt_form_option("randomized:", "p", &length));
    assert_true(bt_form_says(form, "lambda", "2"));
    assert_false(bt_form_says(form, "lambda", "22"));
    assert_false(bt_form_says(form, "rare", ""));
    assert_true(bt_form_says(form, "rare", "0"));
}

/* ---- the audit --------------------------------------------------------------------------- */

static void expect_audit(const test_release *release, const char *finding, int verdict)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_recipe *recipe = test_original(NULL, "1");
    bauta_status status =
        bauta_audit(test_release_write("audited", release), recipe, &report, &error);
    if (!report) fail_msg("%s", error.message);
    int found = test_verdict(report->facts.root, finding);
    if (found != verdict) fail_msg("%s: %d instead of %d", finding, found, verdict);
    assert_int_equal(status, verdict == 0 ? BAUTA_NO : BAUTA_OK);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
}

enum { NO = 0, NOTHING = -2 };

static const char columns[] = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease");
static const char rows[] = "age,disease\n\"[1,2]\",flu\n\"[1,2]\",cold\n";

static void milder_words_are_noticed(void **state)
{
    (void)state;
    test_release release = {.columns = columns, .data = rows};
    expect_audit(&release, "words", NOTHING);
    static const char *const milder[] = {"", "nothing", "anyone", " "};
    for (size_t i = 0; i < 4; i++) {
        release.not_protected = milder[i];
        expect_audit(&release, "words", NO);
    }
    release.not_protected = NULL;
    release.remark = "all is well";
    expect_audit(&release, "words", NO);
}

/* A stamp that is taken away leaves its remark. */
static void a_lost_stamp_is_noticed(void **state)
{
    (void)state;
    const bt_manifest stamped = {.form = "generalized", .experiment = true};
    bt_arena arena = {0};
    test_release release = {.columns = columns, .data = rows};
    release.remark = test_words(&stamped, &arena).remark;
    expect_audit(&release, "words", NO);
    bt_arena_release(&arena);
}

/* The first line is what follows from the manifest, whatever stands there. */
static void the_first_line_is_true(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = rows, .not_protected = "nothing"};
    bauta_report *report = NULL;
    bauta_recipe *recipe = test_original(NULL, "1");
    bauta_error error;
    assert_int_equal(bauta_audit(test_release_write("audited", &release), recipe, &report, &error),
                     BAUTA_NO);
    const char *said = json_string_value(json_object_get(report->facts.root, "not_protected"));
    assert_non_null(strstr(said, "k-1 others"));
    bauta_report_free(report);
    bauta_recipe_free(recipe);
}

static void options_of_generalized_are_what_columns_show(void **state)
{
    (void)state;
    static const char shown[] =
        TEST_QUASI_INTEGER("age") ",{\"name\":\"disease\",\"role\":\"sensitive\",\"type\":\"text\","
                                  "\"categories\":[{\"name\":\"flu\",\"values\":[\"a\"]},{\"name\":"
                                  "\"cold\",\"values\":[\"b\"]}],\"category_of\":\"disease\"}";
    static const char cut[] = "{\"name\":\"age\",\"role\":\"quasi\",\"type\":\"integer\","
                              "\"cut_points\":[\"1\",\"3\"]}," TEST_SENSITIVE("disease");
    static const struct {
        const char *form, *columns;
        int verdict;
    } cases[] = {
        {"generalized:sensitive=value", columns, NOTHING},
        {"generalized:sensitive=category", columns, NO},
        {"generalized:sensitive=both", columns, NO},
        {"generalized:sensitive=category", shown, NOTHING},
        {"generalized:sensitive=value", shown, NO},
        {"generalized:sensitive=value,box=grid", columns, NO},
        {"generalized:sensitive=value,box=grid", cut, NOTHING},
        {"generalized:sensitive=value", cut, NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const test_release release = {
            .form = cases[i].form, .columns = cases[i].columns, .data = rows};
        expect_audit(&release, "manifest", cases[i].verdict);
    }
}

static void options_of_randomized_are_its_mechanism(void **state)
{
    (void)state;
#define SHARES(one, other)                                                                         \
    "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"" one "\"},"               \
    "{\"name\":\"b\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"" other "\"}"
    static const struct {
        const char *form, *columns;
        unsigned lambda;
        int verdict;
    } cases[] = {
        {"randomized:lambda=1,p=uniform,rare=0", SHARES("1/2", "1/2"), 1, NOTHING},
        {"randomized:lambda=1,p=uniform,rare=0", SHARES("1/3", "2/3"), 1, NO},
        {"randomized:lambda=1,p=entropy,rare=0", SHARES("1/3", "2/3"), 1, NOTHING},
        {"randomized:lambda=1,p=0.25|3/4,rare=0", SHARES("1/4", "3/4"), 1, NOTHING},
        {"randomized:lambda=1,p=1/4|3/4,rare=0", SHARES("3/4", "1/4"), 1, NO},
        {"randomized:lambda=1,p=1/4,rare=0", SHARES("1/4", "3/4"), 1, NO},
        {"randomized:lambda=1,p=some|how,rare=0", SHARES("1/4", "3/4"), 1, NO},
        {"randomized:lambda=1,p=uniform,rare=0", SHARES("1/1", "1/1"), 2, NO},
        {"randomized:lambda=2,p=uniform,rare=0", SHARES("1/1", "1/1"), 2, NOTHING},
        {"randomized:lambda=1,p=uniform,rare=2", SHARES("1/2", "1/2\",\"merged\":\"hierarchy"), 1,
         NOTHING},
        {"randomized:lambda=1,p=uniform,rare=1", SHARES("1/2", "1/2\",\"merged\":\"hierarchy"), 1,
         NO},
    };
#undef SHARES
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const test_release release = {.form = cases[i].form,
                                      .columns = cases[i].columns,
                                      .lambda = cases[i].lambda,
                                      .promises = "",
                                      .data = "a,b\nx,y\ny,x\n"};
        expect_audit(&release, "manifest", cases[i].verdict);
    }
}

static void lists_hold_what_rows_show(void **state)
{
    (void)state;
    static const struct {
        const char *columns;
        int verdict;
    } cases[] = {
        {"{\"name\":\"age\",\"role\":\"quasi\",\"type\":\"integer\",\"hierarchy\":{\"spec\":"
         "\"intervals:10\",\"leaves\":9,\"levels\":3,\"nodes\":[{\"label\":\"[1,2]\",\"level\":1,"
         "\"leaves\":2}]}}," TEST_SENSITIVE("disease"),
         NOTHING},
        {"{\"name\":\"age\",\"role\":\"quasi\",\"type\":\"integer\",\"hierarchy\":{\"spec\":"
         "\"intervals:10\",\"leaves\":9,\"levels\":3,\"nodes\":[{\"label\":\"[1,2]\",\"level\":1,"
         "\"leaves\":2},{\"label\":\"[8,9]\",\"level\":1,\"leaves\":2}]}}," TEST_SENSITIVE(
             "disease"),
         NO},
        {TEST_QUASI_INTEGER("age") ",{\"name\":\"disease\",\"role\":\"sensitive\",\"type\":"
                                   "\"text\",\"categories\":[{\"name\":\"mild\",\"values\":"
                                   "[\"flu\",\"cold\"]}]}",
         NOTHING},
        {TEST_QUASI_INTEGER("age") ",{\"name\":\"disease\",\"role\":\"sensitive\",\"type\":"
                                   "\"text\",\"categories\":[{\"name\":\"mild\",\"values\":"
                                   "[\"flu\",\"cold\",\"plague\"]}]}",
         NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const test_release release = {.columns = cases[i].columns, .data = rows};
        expect_audit(&release, "manifest", cases[i].verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_follow_from_all_promises),
        cmocka_unit_test(words_say_from_whom_and_what_is_counted),
        cmocka_unit_test(words_say_who_is_at_the_ends_of_cells),
        cmocka_unit_test(words_say_what_was_not_judged_together),
        cmocka_unit_test(words_say_what_categories_tell),
        cmocka_unit_test(long_lists_of_columns_are_cut),
        cmocka_unit_test(every_form_has_words_of_its_own),
        cmocka_unit_test(made_up_values_are_a_number_or_a_share),
        cmocka_unit_test(options_decide_what_is_said),
        cmocka_unit_test(persons_and_joins_are_told),
        cmocka_unit_test(options_are_found),
        cmocka_unit_test(milder_words_are_noticed),
        cmocka_unit_test(a_lost_stamp_is_noticed),
        cmocka_unit_test(the_first_line_is_true),
        cmocka_unit_test(options_of_generalized_are_what_columns_show),
        cmocka_unit_test(options_of_randomized_are_its_mechanism),
        cmocka_unit_test(lists_hold_what_rows_show),
    };
    return cmocka_run_group_tests_name("words", tests, scratch_make, scratch_empty);
}
