/* SPDX-License-Identifier: Apache-2.0
 *
 * Recipes from flags and from YAML: what each key does, what is refused and where, and which of
 * two sources wins.
 */
#include "support.h"

#include "recipe/recipe.h"
#include "recipe/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bauta_error error;

static int make_recipe(void **state)
{
    bauta_recipe *recipe;
    if (bauta_recipe_new(&recipe, &error) != BAUTA_OK) return -1;
    *state = recipe;
    return 0;
}

static int free_recipe(void **state)
{
    bauta_recipe_free(*state);
    return 0;
}

static bauta_status load(bauta_recipe *recipe, const char *text)
{
    return bt_recipe_load_text(recipe, "kitchen/recipe.yaml", text, strlen(text), &error);
}

static const bt_column_recipe *column_of(const bauta_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->column_count; i++)
        if (strcmp(recipe->columns[i].name, name) == 0) return &recipe->columns[i];
    fail_msg("no column '%s'", name);
    return NULL;
}

static void assert_role(const bauta_recipe *recipe, const char *name, bt_role role)
{
    assert_string_equal(bt_role_name(column_of(recipe, name)->role), bt_role_name(role));
}

#define set_ok(key, value) assert_ok(bauta_recipe_set(recipe, key, value, &error), &error)
#define set_fails(key, value, text)                                                                \
    assert_fails(bauta_recipe_set(recipe, key, value, &error), BAUTA_USAGE, &error, text)
#define load_ok(text) assert_ok(load(recipe, text), &error)
#define load_fails(text, message) assert_fails(load(recipe, text), BAUTA_INVALID, &error, message)

/* ---- flags ---- */

static void persons_are_named_by_columns_or_none(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("subject", "first, last\\,,last\\,");
    assert_int_equal(recipe->subject.count, 2);
    assert_string_equal(recipe->subject.items[1], "last,");
    set_fails("subject", "none", "both a column and none");
    set_fails("subject", "", "names no column");
    const char *const names[] = {"age", "first", "last,", "born"};
    bt_arena arena = {0};
    bt_column_recipe *columns;
    set_ok("quasi", "age,first");
    set_ok("drop", "rest");
    assert_ok(bt_recipe_resolve(recipe, names, 4, &arena, &columns, &error), &error);
    assert_int_equal(columns[1].role, BT_ROLE_QUASI);
    assert_int_equal(columns[2].role, BT_ROLE_IDENTIFIER);
    assert_int_equal(columns[3].role, BT_ROLE_DROPPED);
    assert_fails(bt_recipe_resolve(recipe, names, 2, &arena, &columns, &error), BAUTA_INVALID,
                 &error, "the input has no column 'last,'");
    bt_arena_release(&arena);
}

static void nobody_need_be_named(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("subject: none\n");
    assert_true(recipe->subject_none);
    set_fails("subject", "id", "both a column and none");
}

static void a_list_of_subjects_is_read(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("subject: [first, \\none]\n");
    assert_int_equal(recipe->subject.count, 2);
    assert_string_equal(recipe->subject.items[1], "\\none");
}

static void an_empty_recipe_has_the_defaults(void **state)
{
    const bauta_recipe *recipe = *state;
    assert_int_equal(recipe->inputs.count, 0);
    assert_int_equal(recipe->rest, BT_ROLE_NONE);
    assert_null(recipe->require);
    assert_int_equal(recipe->suppress.top, 0);
    assert_int_equal(recipe->suppress.bottom, 1);
    assert_int_equal(recipe->unique_limit.top, 1);
    assert_int_equal(recipe->unique_limit.bottom, 20);
}

static void lists_split_at_commas_and_keep_escaped_ones(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("quasi", " age , zip\\,code,back\\\\slash,\\ led,two words\t");
    assert_int_equal(recipe->column_count, 5);
    assert_role(recipe, "age", BT_ROLE_QUASI);
    assert_role(recipe, "zip,code", BT_ROLE_QUASI);
    assert_role(recipe, "back\\slash", BT_ROLE_QUASI);
    assert_role(recipe, " led", BT_ROLE_QUASI);
    assert_role(recipe, "two words", BT_ROLE_QUASI);
    set_ok("quasi", "more");
    assert_role(recipe, "more", BT_ROLE_QUASI);
    set_ok("quasi", "");
    assert_int_equal(recipe->column_count, 6);
    set_fails("quasi", "a,,b", "empty column name");
}

static void the_rest_can_be_other_or_dropped(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("drop", "notes,rest");
    assert_int_equal(recipe->rest, BT_ROLE_DROPPED);
    assert_role(recipe, "notes", BT_ROLE_DROPPED);
    set_ok("quasi", "rest"); /* a column of that name: only `other` and `drop` know the word */
    assert_role(recipe, "rest", BT_ROLE_QUASI);
    set_fails("other", "rest", "two roles");
    set_ok("other", "x");
    set_fails("other", "\\rest", "column 'rest' is given two roles");
}

static void a_column_has_one_role_type_and_hierarchy(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("quasi", "age,age");
    set_fails("sensitive", "age", "column 'age' is given two roles");
    assert_string_equal(error.hint, "it is both quasi and sensitive");
    set_ok("type", "age=integer");
    set_ok("type", "age=integer");
    set_fails("type", "age=text", "two types");
    set_ok("hierarchy", "age=intervals:5,10");
    assert_string_equal(column_of(recipe, "age")->hierarchy.spec, "intervals:5,10");
    set_fails("hierarchy", "age=mask", "two hierarchies");
}

static void pairs_part_at_the_first_plain_equals_sign(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("hierarchy", "a\\=b=c=d.csv");
    assert_string_equal(column_of(recipe, "a=b")->hierarchy.spec, "c=d.csv");
    set_fails("hierarchy", "age", "must be written as COL=SPEC");
    set_fails("type", "age=", "must be written as COL=TYPE");
    set_fails("type", "age=intger", "there is no type 'intger'");
    assert_string_equal(error.hint, "did you mean 'integer'?");
}

/* Each says the same as a flag. */
static void requirements_take_lists(void **state)
{
    static const char *const cases[][2] = {
        {"require: k=5,alpha=0.5\n", "k=5,alpha=0.5"},
        {"require: [k=5, 'alpha=0.5:HIV|Cancer']\n", "k=5,alpha=0.5:HIV|Cancer"},
        {"require: [k: 5, alpha(disease): 0.5, p=2]\n", "k=5,alpha(disease)=0.5,p=2"},
        {"require: {k: 5, alpha: [0.5, [HIV, Heart Disease]]}\n",
         "k=5,alpha=0.5:HIV|Heart Disease"},
        {"require:\n  - recursive-l: [3, 0.5]\n  - t: [0.2, ordered]\n",
         "recursive-l=3:0.5,t=0.2:ordered"},
        {"require: {alpha: [1/3, ['a,b', 'c|d', 'e:f', 'g\\h', '']]}\n",
         "alpha=1/3:a\\,b|c\\|d|e\\:f|g\\\\h|"},
        {"require: {alpha: [0.5, ['']]}\n", "alpha=0.5:|"},
    };
    static const char *const faults[][2] = {
        {"require: [[k]]\n", "a requirement must be text or a name with a value"},
        {"require: [{k: 5, p: 2}]\n", "a requirement must be text or a name with a value"},
        {"require: [{}]\n", "a requirement must be text or a name with a value"},
        {"require: {k: {p: 2}}\n", "'k' must be text"},
        {"require: {alpha: [0.5, {a: b}]}\n", "'alpha' must be text"},
        {"require: {alpha: [0.5, [[a]]]}\n", "must be text"},
        {"require: {k: }\n", "'k' needs a value"},
        {"require: [~]\n", "'require' needs a value"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_recipe *recipe;
        assert_ok(bauta_recipe_new(&recipe, &error), &error);
        assert_ok(load(recipe, cases[i][0]), &error);
        assert_string_equal(recipe->require, cases[i][1]);
        bauta_recipe_free(recipe);
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bauta_recipe *recipe;
        assert_ok(bauta_recipe_new(&recipe, &error), &error);
        assert_fails(load(recipe, faults[i][0]), BAUTA_INVALID, &error, faults[i][1]);
        bauta_recipe_free(recipe);
    }
}

static void requirements_add_up(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("require", "k=5");
    set_ok("require", "alpha=0.5");
    assert_string_equal(recipe->require, "k=5,alpha=0.5");
    set_ok("group", "mondrian");
    set_ok("group", "mondrian:order=gain");
    assert_string_equal(recipe->group, "mondrian:order=gain");
    set_ok("publish", "generalized");
    assert_string_equal(recipe->publish, "generalized");
}

static void shares_are_exact(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("suppress", "5%");
    assert_int_equal(recipe->suppress.top, 1);
    assert_int_equal(recipe->suppress.bottom, 20);
    set_ok("unique-limit", "1");
    set_fails("suppress", "1.01", "share from 0 to 1");
    set_fails("suppress", "-0.1", "share from 0 to 1");
    set_fails("unique-limit", "half", "share from 0 to 1");
}

static void words_are_checked(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("missing", "drop");
    assert_true(recipe->missing_drop);
    set_fails("missing", "dorp", "must be value|drop");
    assert_string_equal(error.hint, "did you mean 'drop'?");
    set_ok("encoding", "Latin-1");
    assert_true(recipe->has_encoding);
    assert_int_equal(recipe->encoding, BT_LATIN1);
    set_fails("encoding", "ebcdic", "must be utf-8|latin-1|windows-1252");
    set_ok("decimal", "comma");
    assert_true(recipe->decimal_comma);
    set_ok("header", "no");
    assert_true(recipe->has_header && recipe->no_header);
    set_ok("force", "yes");
    set_ok("keep-mapping", "true");
    set_ok("allow-experiment", "no");
    assert_true(recipe->force && recipe->keep_mapping && !recipe->allow_experiment);
    set_fails("force", "maybe", "must be yes or no");
}

static void delimiters_are_one_byte(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("delimiter", ";");
    assert_int_equal(recipe->delimiter, ';');
    set_ok("delimiter", "tab");
    assert_int_equal(recipe->delimiter, '\t');
    set_ok("delimiter", "\\t");
    assert_int_equal(recipe->delimiter, '\t');
    set_fails("delimiter", "", "one character");
    set_fails("delimiter", ";;", "one character");
    set_fails("delimiter", "\"", "one character");
    set_fails("delimiter", "\n", "one character");
    set_fails("delimiter", "\xC3\xA9", "one character");
}

static void numbers_have_bounds(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("threads", "7");
    assert_int_equal(recipe->threads, 7);
    set_fails("threads", "0", "whole number from 1");
    set_fails("threads", "99999", "whole number from 1");
    set_ok("memory", "512M");
    assert_int_equal(recipe->memory, 512u * 1024 * 1024);
    set_ok("memory", "1000");
    assert_int_equal(recipe->memory, 1000);
    set_ok("memory", "2g");
    assert_int_equal(recipe->memory, (size_t)2 << 30);
    set_fails("memory", "0", "number of bytes");
    set_fails("memory", "M", "number of bytes");
    set_fails("memory", "1.5G", "number of bytes");
    set_fails("memory", "", "number of bytes");
    set_fails("memory", "9999999999T", "number of bytes");
    set_fails("memory", "99999999999999999999999999999999", "number of bytes");
}

static void seeds_exclude_each_other(void **state)
{
    bauta_recipe *recipe = *state;
    set_fails("seed", "xyz", "hexadecimal");
    assert_null(strstr(error.message, "xyz"));
    set_ok("seed", "12ab");
    set_fails("seed-file", "secret", "either 'seed' or 'seed-file'");
}

static void tokens_files_and_folders_are_kept(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("input", "a,b.csv");
    set_ok("input", "-");
    assert_int_equal(recipe->inputs.count, 2);
    assert_string_equal(recipe->inputs.items[0], "a,b.csv");
    set_fails("input", "", "file name is empty");
    set_ok("missing-values", "NA,-,\\,");
    assert_int_equal(recipe->missing_values.count, 3);
    assert_string_equal(recipe->missing_values.items[2], ",");
    set_ok("accept-other", "visits");
    assert_string_equal(recipe->accept.items[0], "visits");
    set_ok("tmp", "/var/tmp");
    assert_string_equal(recipe->tmp, "/var/tmp");
}

static void wrong_calls_are_usage_errors(void **state)
{
    bauta_recipe *recipe = *state;
    set_fails("qasi", "age", "there is no key 'qasi'");
    assert_string_equal(error.hint, "did you mean 'quasi'?");
    set_fails("nothing like any key", "age", "there is no key");
    assert_string_equal(error.hint, "'bauta list keys' names them");
    set_fails("quasi", "\xff", "not UTF-8");
    set_ok("input", "\xff.csv");
    assert_fails(bauta_recipe_set(NULL, "quasi", "a", &error), BAUTA_USAGE, &error, "needed");
    assert_fails(bauta_recipe_set(recipe, "quasi", NULL, &error), BAUTA_USAGE, &error, "needed");
    assert_fails(bauta_recipe_load(recipe, NULL, &error), BAUTA_USAGE, &error, "needed");
    bauta_recipe_free(NULL);
}

static void every_key_is_described(void **state)
{
    (void)state;
    size_t count = 0;
    for (const bauta_key *key; (key = bauta_recipe_key(count)) != NULL; count++) {
        assert_true(strlen(key->help) > 10 && strlen(key->help) <= 60);
        assert_non_null(strstr("input roles release audit measure query risk run", key->section));
        assert_ptr_equal(&bt_recipe_find_key(key->name)->key, key);
        assert_true((bt_recipe_keys[count].kind == BT_KEY_SWITCH) == (key->argument == NULL));
    }
    assert_int_equal(count, bt_recipe_key_count);
}

/* ---- YAML ---- */

static const char complete[] =
    "# a recipe\n"
    "input: patients.csv\n"
    "columns:\n"
    "  name:    {role: identifier}\n"
    "  age:     {role: quasi, type: integer, hierarchy: \"intervals:5,10,20\"}\n"
    "  zip:     {role: quasi, hierarchy: zip.csv}\n"
    "  diag:    {role: quasi, hierarchy: {tree: {Infectious: [Flu, HIV], Heart: {Acute: "
    "[Infarct], Chronic: }}}}\n"
    "  disease: sensitive\n"
    "rest: drop\n"
    "require: k=5\n"
    "group: {method: mondrian, order: gain, cuts: order}\n"
    "publish: generalized\n"
    "suppress: 1/20\n"
    "seed-file: /secret/seed\n"
    "threads: 2\n"
    "missing-values: [NA, \"\", \"a,b\"]\n"
    "force: no\n";

static void a_complete_recipe_is_read(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok(complete);
    assert_string_equal(recipe->inputs.items[0], "kitchen/patients.csv");
    assert_role(recipe, "name", BT_ROLE_IDENTIFIER);
    assert_role(recipe, "age", BT_ROLE_QUASI);
    assert_role(recipe, "disease", BT_ROLE_SENSITIVE);
    assert_int_equal(column_of(recipe, "age")->type, BT_INTEGER);
    assert_string_equal(column_of(recipe, "age")->hierarchy.spec, "intervals:5,10,20");
    assert_string_equal(column_of(recipe, "zip")->hierarchy.spec, "kitchen/zip.csv");
    assert_int_equal(recipe->rest, BT_ROLE_DROPPED);
    assert_string_equal(recipe->require, "k=5");
    assert_string_equal(recipe->group, "mondrian:order=gain,cuts=order");
    assert_string_equal(recipe->seed_file, "/secret/seed");
    assert_int_equal(recipe->suppress.bottom, 20);
    assert_int_equal(recipe->threads, 2);
    assert_int_equal(recipe->missing_values.count, 3);
    assert_string_equal(recipe->missing_values.items[2], "a,b");
}

static void inline_trees_become_paths(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok(complete);
    const bt_hierarchy_source *tree = &column_of(recipe, "diag")->hierarchy;
    static const char *const expected[4][4] = {{"Flu", "Infectious"},
                                               {"HIV", "Infectious"},
                                               {"Infarct", "Acute", "Heart"},
                                               {"Chronic", "Heart"}};
    assert_int_equal(tree->path_count, 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < tree->path_lengths[i]; j++)
            assert_string_equal(tree->paths[i][j], expected[i][j]);
    assert_int_equal(tree->path_lengths[2], 3);
    assert_int_equal(tree->path_lengths[3], 2);
}

static void trees_may_mix_lists_maps_and_single_leaves(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("hierarchy: {d: {tree: [a, {B: [c, d]}, {E: f}]}}");
    const bt_hierarchy_source *tree = &column_of(recipe, "d")->hierarchy;
    assert_int_equal(tree->path_count, 4);
    assert_int_equal(tree->path_lengths[0], 1);
    assert_string_equal(tree->paths[1][1], "B");
    assert_string_equal(tree->paths[3][0], "f");
    assert_string_equal(tree->paths[3][1], "E");
}

static void bad_trees_are_refused(void **state)
{
    bauta_recipe *recipe = *state;
    load_fails("hierarchy: {d: {tree: x}}", "a tree is a map or a list");
    load_fails("hierarchy: {d: {tree: {A: []}}}", "line 1, column 24: a node of the tree has no");
    load_fails("hierarchy: {d: {tree: [a, ~]}}", "a leaf of the tree is empty");
    load_fails("hierarchy: {d: {tree: [[a]]}}", "a list inside a list");
    load_fails("hierarchy: {d: {tree: [a], more: b}}", "the one key 'tree'");
    load_fails("hierarchy: {d: {bush: [a]}}", "the one key 'tree'");
}

static void lists_and_maps_say_the_same_as_flags(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("quasi: [age, 'zip,code', ' led']\n"
            "sensitive: disease,income\n"
            "other: [rest]\n"
            "type: {age: integer, 'a=b': text}\n"
            "hierarchy: ['age=mask', 'zip,code=flat', 'it''s=date']\n"
            "require: {k: 5, alpha: 0.5}\n"
            "publish: {form: generalized}\n"
            "input: [one.csv, /two.csv, '-']\n"
            "accept-other: []\n");
    assert_role(recipe, "zip,code", BT_ROLE_QUASI);
    assert_role(recipe, " led", BT_ROLE_QUASI);
    assert_role(recipe, "income", BT_ROLE_SENSITIVE);
    assert_int_equal(recipe->rest, BT_ROLE_OTHER);
    assert_int_equal(column_of(recipe, "a=b")->type, BT_TEXT);
    assert_string_equal(column_of(recipe, "zip,code")->hierarchy.spec, "flat");
    assert_string_equal(column_of(recipe, "it's")->hierarchy.spec, "date");
    assert_string_equal(recipe->require, "k=5,alpha=0.5");
    assert_string_equal(recipe->publish, "generalized");
    assert_string_equal(recipe->inputs.items[0], "kitchen/one.csv");
    assert_string_equal(recipe->inputs.items[1], "/two.csv");
    assert_string_equal(recipe->inputs.items[2], "-");
    assert_int_equal(recipe->accept.count, 0);
}

static void an_empty_list_of_missing_values_means_none(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("missing-values: []\n");
    assert_int_equal(recipe->missing_values.count, 1);
    assert_string_equal(recipe->missing_values.items[0], "");
}

static const bt_column_recipe *named(bauta_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->column_count; i++)
        if (strcmp(recipe->columns[i].name, name) == 0) return &recipe->columns[i];
    fail_msg("no column '%s'", name);
    return NULL;
}

static void a_column_has_missing_values_of_its_own(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("missing-values", "NA,age=97|98 | 99,a\\=b,b\\,c=x\\|y,none=");
    assert_int_equal(recipe->missing_values.count, 2);
    assert_string_equal(recipe->missing_values.items[1], "a=b");
    assert_int_equal(named(recipe, "age")->missing_count, 3);
    assert_string_equal(named(recipe, "age")->missing[1], "98");
    assert_string_equal(named(recipe, "age")->missing[2], "99");
    assert_int_equal(named(recipe, "b,c")->missing_count, 1);
    assert_string_equal(named(recipe, "b,c")->missing[0], "x|y");
    set_fails("missing-values", "=5", "names no column");
}

static void missing_values_of_columns_are_a_map_in_yaml(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("missing-values: {age: [99, 98], birth: '9999-99-99', \"a=b\": [\"c|d\", \" e\"]}\n"
            "columns: {zip: {role: quasi, missing-values: [0]}}\n");
    assert_int_equal(recipe->missing_values.count, 0);
    assert_int_equal(named(recipe, "age")->missing_count, 2);
    assert_string_equal(named(recipe, "birth")->missing[0], "9999-99-99");
    assert_string_equal(named(recipe, "a=b")->missing[0], "c|d");
    assert_string_equal(named(recipe, "a=b")->missing[1], " e");
    assert_string_equal(named(recipe, "zip")->missing[0], "0");
    assert_int_equal(named(recipe, "zip")->role, BT_ROLE_QUASI);
}

static void missing_values_of_flags_win_column_by_column(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("missing-values", "age=99");
    load_ok("missing-values: [none]\n"
            "columns: {age: {missing-values: [1]}, zip: {missing-values: [0]}}\n");
    assert_int_equal(recipe->missing_values.count, 1);
    assert_int_equal(named(recipe, "age")->missing_count, 1);
    assert_string_equal(named(recipe, "age")->missing[0], "99");
    assert_string_equal(named(recipe, "zip")->missing[0], "0");
}

static void flags_win_over_the_file(void **state)
{
    bauta_recipe *recipe = *state;
    set_ok("input", "mine.csv");
    set_ok("sensitive", "age");
    set_ok("hierarchy", "zip=mask");
    set_ok("type", "zip=text");
    set_ok("require", "k=9");
    set_ok("seed", "ff");
    set_ok("other", "rest");
    load_ok("input: theirs.csv\n"
            "columns: {age: quasi, zip: {role: quasi, type: integer, hierarchy: zip.csv}}\n"
            "rest: drop\n"
            "require: k=2\n"
            "seed-file: secret\n"
            "group: mondrian\n");
    assert_int_equal(recipe->inputs.count, 1);
    assert_string_equal(recipe->inputs.items[0], "mine.csv");
    assert_role(recipe, "age", BT_ROLE_SENSITIVE);
    assert_role(recipe, "zip", BT_ROLE_QUASI);
    assert_string_equal(column_of(recipe, "zip")->hierarchy.spec, "mask");
    assert_int_equal(column_of(recipe, "zip")->type, BT_TEXT);
    assert_int_equal(recipe->rest, BT_ROLE_OTHER);
    assert_string_equal(recipe->require, "k=9");
    assert_null(recipe->seed_file);
    assert_string_equal(recipe->group, "mondrian");
}

static void the_first_of_two_files_wins(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("columns: {age: quasi}\nrequire: k=2\nrest: drop\n");
    load_ok("columns: {age: other, zip: quasi}\nrequire: k=3\nrest: other\nthreads: 2\n");
    assert_role(recipe, "age", BT_ROLE_QUASI);
    assert_role(recipe, "zip", BT_ROLE_QUASI);
    assert_string_equal(recipe->require, "k=2");
    assert_int_equal(recipe->rest, BT_ROLE_DROPPED);
    assert_int_equal(recipe->threads, 2);
}

static void errors_name_line_and_column(void **state)
{
    bauta_recipe *recipe = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"input: a\nqasi: age\n", "line 2, column 1: there is no key 'qasi'"},
        {"columns:\n  age: {rolle: quasi}\n", "line 2, column 9: there is no column key 'rolle'"},
        {"columns:\n  age: quassi\n", "line 2, column 3: there is no role 'quassi'"},
        {"a: 1\nb: 2\n", "line 1, column 1: there is no key 'a'"},
        {"require: k=5\nrequire: k=6\n", "line 2, column 1: key 'require' is given twice"},
        {"columns: {a: quasi, a: other}\n", "line 1, column 21: key 'a' is given twice"},
        {"columns: {a: quasi}\nother: a\n", "line 2, column 1: column 'a' is given two roles"},
        {"columns: [a]\n", "line 1, column 1: 'columns' must be a map"},
        {"columns: {a: [quasi]}\n", "line 1, column 11: column 'a' needs a role or a map"},
        {"columns: {a: }\n", "'a' needs a value"},
        {"quasi: {a: b}\n", "line 1, column 1: 'quasi' must be text or a list"},
        {"quasi: [a, [b]]\n", "line 1, column 12: 'quasi' must be text"},
        {"quasi: [a, null]\n", "line 1, column 12: 'quasi' needs a value"},
        {"threads: many\n", "line 1, column 1: 'threads' must be a whole number"},
        {"group: {order: gain}\n", "line 1, column 1: 'group' needs the key 'method'"},
        {"rest: keep\n", "line 1, column 1: 'rest' must be 'drop' or 'other'"},
        {"type: {a: number}\n", "line 1, column 8: there is no type 'number'"},
        {"- a\n", "line 1, column 1: a recipe is a map"},
        {"just text\n", "line 1, column 1: a recipe is a map"},
        {"a: [b\n", "line 2, column 1"},
        {"a: *b\n", "line 1, column 5: aliases"},
        {"? [a]\n: b\n", "line 1, column 3: a key must be text"},
        {"threads: 1\n--- \nthreads: 2\n", "second document"},
        {"input: \"a\\0b\"\n", "line 1, column 1: a text holds a zero character"},
        {"input: 'a''''b'\n", "line 1, column 1: two quotes in a row"},
        {"input: \xff\n", "line 1, column 8: not UTF-8"},
        {"suppress: 0.1\n\xC3\xA9 \xff\n", "line 2, column 3: not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_recipe *fresh;
        assert_ok(bauta_recipe_new(&fresh, &error), &error);
        assert_fails(load(fresh, cases[i].text), BAUTA_INVALID, &error, cases[i].message);
        assert_string_equal(error.file, "kitchen/recipe.yaml");
        bauta_recipe_free(fresh);
    }
    assert_fails(bt_recipe_load_text(recipe, "r", "a\0b", 3, &error), BAUTA_INVALID, &error,
                 "line 1, column 2: zero byte");
}

static void unknown_words_get_the_nearest(void **state)
{
    bauta_recipe *recipe = *state;
    load_fails("colums: {}\n", "there is no key 'colums'");
    assert_string_equal(error.hint, "did you mean 'columns'?");
    load_fails("columns: {a: sensitiv}\n", "there is no role");
    assert_string_equal(error.hint, "did you mean 'sensitive'?");
    load_fails("columns: {a: {hirarchy: mask}}\n", "there is no column key");
    assert_string_equal(error.hint, "did you mean 'hierarchy'?");
}

static void a_file_without_content_changes_nothing(void **state)
{
    bauta_recipe *recipe = *state;
    load_ok("");
    load_ok("# only a comment\n");
    load_ok("---\n");
    load_ok("~\n");
    assert_int_equal(recipe->given, 0);
    assert_int_equal(recipe->column_count, 0);
}

static void depth_and_size_are_limited(void **state)
{
    bauta_recipe *recipe = *state;
    char deep[400] = "input: ";
    memset(deep + 7, '[', 100);
    memset(deep + 107, ']', 100);
    load_fails(deep, "nested deeper than");
    size_t length = BT_YAML_BYTES + 1;
    char *large = malloc(length);
    assert_non_null(large);
    memset(large, '#', length);
    assert_fails(bt_recipe_load_text(recipe, "r", large, length, &error), BAUTA_INVALID, &error,
                 "larger than");
    free(large);
}

static void many_names_take_no_time(void **state)
{
    bauta_recipe *recipe = *state;
    enum { MANY = 100000 };
    size_t room = MANY * 10, used = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (int i = 0; i < MANY; i++)
        used += (size_t)snprintf(text + used, room - used, "%sc%d", i ? "," : "", i);
    set_ok("quasi", text);
    assert_int_equal(recipe->column_count, MANY);
    free(text);
}

/* Loads `text` from a file on disk. */
static bauta_status load_file(bauta_recipe *recipe, const char *text)
{
    char name[] = "bauta-test-recipe-XXXXXX";
    int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    bauta_status status = bauta_recipe_load(recipe, name, &error);
    unlink(name);
    return status;
}

static void files_are_read_from_disk(void **state)
{
    bauta_recipe *recipe = *state;
    assert_ok(load_file(recipe, "require: k=3\ngroup: mondrian\npublish: generalized\n"), &error);
    assert_string_equal(recipe->require, "k=3");
    assert_string_equal(recipe->folder, "");
    assert_fails(bauta_recipe_load(recipe, "no/such/recipe.yaml", &error), BAUTA_INVALID, &error,
                 "cannot open recipe 'no/such/recipe.yaml'");
    assert_fails(bauta_recipe_load(recipe, "/", &error), BAUTA_SYSTEM, &error,
                 "cannot read recipe");
}

static void settings_of_a_file_are_checked_with_their_place(void **state)
{
    static const char *const faults[][2] = {
        {"require: {k: many}\n", "line 1, column 1: 'k' of 'k' must be a whole number"},
        {"\nrequire: m=5\n", "line 2, column 1: there is no requirement 'm'"},
        {"  group: {method: mondrian, ordre: gain}\n", "line 1, column 3: "},
        {"publish: generalised\n", "line 1, column 1: "},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bauta_recipe *fresh;
        assert_ok(bauta_recipe_new(&fresh, &error), &error);
        assert_fails(load_file(fresh, faults[i][0]), BAUTA_INVALID, &error, faults[i][1]);
        assert_true(strlen(error.file) > 0);
        bauta_recipe_free(fresh);
    }
    bauta_recipe *recipe = *state;
    set_ok("require", "m=5"); /* a flag is checked when it is used */
    assert_ok(load_file(recipe, "require: k=many\n"), &error);
}

/* ---- meeting the input ---- */

static const char *const columns[] = {"name", "age", "zip", "disease", "visits"};
enum { COLUMNS = 5 };

static void columns_get_their_plan(void **state)
{
    bauta_recipe *recipe = *state;
    bt_arena arena = {0};
    bt_column_recipe *plan;
    set_ok("quasi", "zip,age");
    set_ok("sensitive", "disease");
    set_ok("type", "visits=integer");
    set_ok("drop", "rest");
    assert_ok(bt_recipe_resolve(recipe, columns, COLUMNS, &arena, &plan, &error), &error);
    static const bt_role roles[] = {BT_ROLE_DROPPED, BT_ROLE_QUASI, BT_ROLE_QUASI,
                                    BT_ROLE_SENSITIVE, BT_ROLE_DROPPED};
    for (size_t i = 0; i < COLUMNS; i++) {
        assert_ptr_equal(plan[i].name, columns[i]);
        assert_int_equal(plan[i].role, roles[i]);
    }
    assert_true(plan[4].has_type);
    bt_arena_release(&arena);
}

static void every_column_needs_a_role(void **state)
{
    bauta_recipe *recipe = *state;
    bt_arena arena = {0};
    bt_column_recipe *plan;
    set_ok("quasi", "age,zip");
    set_ok("type", "visits=integer");
    assert_fails(bt_recipe_resolve(recipe, columns, COLUMNS, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "3 columns have no role: 'name', 'disease', 'visits'");
    assert_non_null(strstr(error.hint, "'--drop rest' or '--other rest'"));
    assert_ok(bt_recipe_match(recipe, columns, COLUMNS, &arena, &plan, &error), &error);
    assert_int_equal(plan[0].role, BT_ROLE_NONE);
    set_ok("identifier", "name");
    set_ok("sensitive", "disease");
    assert_fails(bt_recipe_resolve(recipe, columns, COLUMNS, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "a column has no role: 'visits'");
    bt_arena_release(&arena);
}

static void long_lists_of_columns_are_cut(void **state)
{
    bauta_recipe *recipe = *state;
    bt_arena arena = {0};
    bt_column_recipe *plan;
    enum { MANY = 500, LONG = 1000 };
    static char long_name[LONG + 1], names[MANY][8];
    const char *pointers[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        pointers[i] = names[i];
    }
    assert_fails(bt_recipe_resolve(recipe, pointers, MANY, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "500 columns have no role: 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', ...");
    memset(long_name, 'x', LONG);
    pointers[1] = long_name;
    assert_fails(bt_recipe_resolve(recipe, pointers, MANY, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "500 columns have no role: 'c0', ...");
    bt_arena_release(&arena);
}

static void names_must_exist(void **state)
{
    bauta_recipe *recipe = *state;
    bt_arena arena = {0};
    bt_column_recipe *plan;
    set_ok("drop", "rest");
    set_ok("quasi", "agee");
    assert_fails(bt_recipe_resolve(recipe, columns, COLUMNS, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "the input has no column 'agee'");
    assert_string_equal(error.hint, "did you mean 'age'?");
    bauta_recipe *other;
    assert_ok(bauta_recipe_new(&other, &error), &error);
    assert_ok(bauta_recipe_set(other, "other", "rest", &error), &error);
    assert_ok(bauta_recipe_set(other, "accept-other", "nobody knows this", &error), &error);
    assert_fails(bt_recipe_resolve(other, columns, COLUMNS, &arena, &plan, &error), BAUTA_INVALID,
                 &error, "the input has no column 'nobody knows this'");
    assert_string_equal(error.hint, "'bauta describe FILE' names the columns");
    bauta_recipe_free(other);
    bt_arena_release(&arena);
}

#define with_recipe(test) cmocka_unit_test_setup_teardown(test, make_recipe, free_recipe)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_recipe(an_empty_recipe_has_the_defaults),
        with_recipe(persons_are_named_by_columns_or_none),
        with_recipe(nobody_need_be_named),
        with_recipe(a_list_of_subjects_is_read),
        with_recipe(lists_split_at_commas_and_keep_escaped_ones),
        with_recipe(the_rest_can_be_other_or_dropped),
        with_recipe(a_column_has_one_role_type_and_hierarchy),
        with_recipe(pairs_part_at_the_first_plain_equals_sign),
        with_recipe(requirements_add_up),
        with_recipe(requirements_take_lists),
        with_recipe(shares_are_exact),
        with_recipe(words_are_checked),
        with_recipe(delimiters_are_one_byte),
        with_recipe(numbers_have_bounds),
        with_recipe(seeds_exclude_each_other),
        with_recipe(tokens_files_and_folders_are_kept),
        with_recipe(wrong_calls_are_usage_errors),
        with_recipe(every_key_is_described),
        with_recipe(a_complete_recipe_is_read),
        with_recipe(inline_trees_become_paths),
        with_recipe(trees_may_mix_lists_maps_and_single_leaves),
        with_recipe(bad_trees_are_refused),
        with_recipe(lists_and_maps_say_the_same_as_flags),
        with_recipe(an_empty_list_of_missing_values_means_none),
        with_recipe(a_column_has_missing_values_of_its_own),
        with_recipe(missing_values_of_columns_are_a_map_in_yaml),
        with_recipe(missing_values_of_flags_win_column_by_column),
        with_recipe(flags_win_over_the_file),
        with_recipe(the_first_of_two_files_wins),
        with_recipe(errors_name_line_and_column),
        with_recipe(unknown_words_get_the_nearest),
        with_recipe(a_file_without_content_changes_nothing),
        with_recipe(depth_and_size_are_limited),
        with_recipe(many_names_take_no_time),
        with_recipe(files_are_read_from_disk),
        with_recipe(settings_of_a_file_are_checked_with_their_place),
        with_recipe(columns_get_their_plan),
        with_recipe(every_column_needs_a_role),
        with_recipe(long_lists_of_columns_are_cut),
        with_recipe(names_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
