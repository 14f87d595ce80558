/* SPDX-License-Identifier: Apache-2.0
 *
 * What the small worlds are: every method with every form, every kind of hierarchy with the forms
 * that show it, every way to drop records, and options that publish something of their own. Methods
 * and forms are those of the registries; one that has no line here fails the test by its name.
 */
#ifndef BT_TEST_SETUPS_H
#define BT_TEST_SETUPS_H

#include "asked.h"

#include "group/method.h"

/* ---- every method with every form --------------------------------------------------------- */

/* Records that miss b are dropped: two kinds of them, so that as many may be others. */
static small_world combine(const bt_method *method, const bt_form *form)
{
    small_world w = {
        .setup = {.header = "a,b,s",
                  .sensitive = 1,
                  .shows_values = form->shows_values && !form->ungrouped,
                  .drops_missing = true,
                  .settings = {{"quasi", "a,b"},
                               {"sensitive", "s"},
                               {"hierarchy", "a=intervals:10,20"},
                               {"hierarchy", "b=mask"},
                               {"missing", "drop"}}},
        .most = 5,
        .types = {"1001,x11,angina", "1003,x12,cancer", "1007,x11,cancer", "1013,x21,angina",
                  "1919,,measles", "1003,,cancer"},
        .may_be_refused = true,
    };
    ask(&w.setup, method->name, form, "a=2 b=1");
    return w;
}

/* ---- every kind of hierarchy --------------------------------------------------------------- */

typedef struct kind {
    const char *name, *type, *spec; /* spec NULL: without a hierarchy */
    const char *values[4];
    const char *doomed; /* a value that only dropped records have */
    bool tree_of_table; /* the file holds the values of the table */
    setting file;
} kind;

static const kind kinds[] = {
    {"integers", "integer", NULL, {"1001", "1003", "1004", "1009"}, "7919", false, {0}},
    {"decimals", "decimal", NULL, {"1001", "1002.5", "1003.25", "1004"}, "7919.125", false, {0}},
    {"dates",
     "date",
     NULL,
     {"2001-02-03", "2001-02-05", "2001-03-01", "2002-07-01"},
     "1931-01-01",
     false,
     {0}},
    {"texts", "text", NULL, {"delta", "alpha", "gamma", "beta"}, "omega", false, {0}},
    {"intervals",
     "integer",
     "intervals:10,20",
     {"1001", "1003", "1004", "1011"},
     "7919",
     false,
     {0}},
    {"decimal intervals",
     "decimal",
     "intervals:10,20",
     {"1001", "1003.5", "1004.25", "1011"},
     "7919.125",
     false,
     {0}},
    {"mask", "text", "mask", {"ab11", "ab12", "ab13", "ac21"}, "zz99", false, {0}},
    {"balanced", "integer", "balanced:2", {"1001", "1003", "1004", "1011"}, "1007", false, {0}},
    {"balanced texts",
     "text",
     "balanced:2",
     {"delta", "alpha", "gamma", "beta"},
     "bravo",
     false,
     {0}},
    {"date",
     "date",
     "date",
     {"2001-02-03", "2001-02-05", "2001-03-01", "2002-07-01"},
     "1931-01-01",
     false,
     {0}},
    {"flat", "text", "flat", {"delta", "alpha", "gamma", "beta"}, "omega", false, {0}},
    {"file",
     "text",
     "@/tree.csv",
     {"delta", "alpha", "gamma", "beta"},
     "omega",
     false,
     {"tree.csv", "alpha;first;*\nbeta;first;*\ngamma;second;*\ndelta;second;*\nomega;last;*\n"}},
    {"file of the table",
     "text",
     "@/tree.csv",
     {"abc1", "abc2", "abc3", "abd1"},
     "omega",
     true,
     {0}},
    {"tree",
     "text",
     NULL,
     {"delta", "alpha", "gamma", "beta"},
     "omega",
     false,
     {"recipe.yaml", "hierarchy:\n  a:\n    tree: {first: [alpha, beta], second: [gamma, delta], "
                     "last: [omega]}\n"}},
};

/* Column a is of a kind. Records that miss b are dropped, if those that miss a are not there. */
static small_world world_of_kind(const bt_form *form, const kind *k, bool drop)
{
    static const char *const b[] = {"pppp", "pppp", "pppp", "qqqq"};
    static const char *const s[] = {"angina", "cancer", "angina", "cancer"};
    static const int crossed[] = {0, 1, 0, 1};
    const asked_form *f = ask_form(form->name);
    bool last = f->sensitive_kind; /* a is sensitive, and stands last */
    small_world w = {
        .setup = {.name = bt_arena_print(&names, "%s of %s%s", form->name, k->name,
                                         drop ? ", missing dropped" : ""),
                  .header = last ? "b,a" : "a,b,s",
                  .sensitive = 1,
                  .shows_values = form->shows_values && !form->ungrouped,
                  .drops_missing = drop,
                  .tree_of_table = k->tree_of_table,
                  .settings = {{"quasi", last ? "b" : "a,b"},
                               {"sensitive", last ? "a" : "s"},
                               {"publish", form->name},
                               {"missing", drop ? "drop" : "value"},
                               {"type", bt_arena_print(&names, "a=%s", k->type)}},
                  .files = {k->file}},
        .most = drop ? 4 : 6,
    };
    if (k->spec) add_setting(&w.setup, "hierarchy", bt_arena_print(&names, "a=%s", k->spec));
    if (f->require) add_setting(&w.setup, "require", f->require);
    if (last) add_setting(&w.setup, "group", "whole");
    for (int i = 0; i < 4; i++)
        w.types[i] =
            last ? bt_arena_print(&names, "%s,%s", i < 2 ? "pppp" : "qqqq", k->values[crossed[i]])
                 : bt_arena_print(&names, "%s,%s,%s", k->values[i], b[i], s[i]);
    if (drop && last) {
        w.types[4] = bt_arena_print(&names, ",%s", k->doomed);
        w.types[5] = bt_arena_print(&names, ",%s", k->values[0]);
    } else if (drop) {
        w.types[4] = bt_arena_print(&names, "%s,,measles", k->doomed);
        w.types[5] = bt_arena_print(&names, "%s,,cancer", k->values[1]);
    } else if (last) {
        w.types[4] = bt_arena_print(&names, "qqqq,%s", k->values[2]);
    } else {
        w.types[4] = ",pppp,angina";
    }
    return w;
}

/* ---- what else is published ---------------------------------------------------------------- */

/* A world in few words. */
typedef struct told {
    const char *name, *header;
    const char *settings; /* "KEY VALUE|KEY VALUE…" */
    const char *types;    /* "RECORD|RECORD…" */
    int most;
    bool bare, tree_of_table;
    setting file;
} told;

#define PERSONS "quasi a|identifier p|key p|public @/public.csv|keep-mapping yes"
#define PUBLIC "p,a\nann,1001\nbob,1003\ncat,1004\ndan,1006\neve,1008\nfay,1009\ngus,1012\n"

static const told others[] = {
    {.name = "generalized, no column of the role other",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|hierarchy a=intervals:10|require k=2",
     .types = "1001,x11,angina|1003,x12,cancer|1007,x11,cancer|7919,,measles|1003,,cancer",
     .most = 4,
     .bare = true},
    {.name = "generalized, types that are found",
     .header = "a,s",
     .settings = "quasi a|sensitive s|require k=3",
     .types = "1001,angina|1002.5,angina|1003,angina|1009,angina",
     .most = 6},
    {.name = "generalized, types that are found, missing dropped",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|require k=2",
     .types = "1001,1,angina|1002,2,cancer|1009,1,angina|omega,,measles|1002.125,,cancer",
     .most = 4},
    {.name = "generalized, types that are found, suppressed",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|hierarchy b=flat|max-level b=0|require k=2",
     .types = "1001,pppp,3001|1004,pppp,3002|1006,qqqq,measles|omega,qqqq,3003",
     .most = 5},
    {.name = "generalized, types that are found and promises, suppressed",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|hierarchy b=flat|max-level b=0|"
                 "require k=2,t=0.9",
     .types = "1001,pppp,3001|1004,pppp,3002|1006,qqqq,measles|1004,qqqq,3003",
     .most = 5},
    {.name = "generalized, types that are found, values or nothing",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|hierarchy a=flat|require k=2",
     .types = "1001,pppp,3001|1004.5,qqqq,3002|omega,qqqq,3002|2001-02-03,pppp,3001|1001,qqqq,3001",
     .most = 5},
    {.name = "generalized, types that are found, balanced",
     .header = "a,s",
     .settings = "quasi a|sensitive s|hierarchy a=balanced:2|require k=2",
     .types = "1001,angina|1002.5,angina|1003,angina|1009,angina|omega,angina",
     .most = 6},
    {.name = "generalized, types that are found, intervals",
     .header = "a,s",
     .settings = "quasi a|sensitive s|hierarchy a=intervals:10,20|require k=2",
     .types = "-5,angina|-3.5,angina|1001,angina|1002.5,angina|1003,angina",
     .most = 6},
    {.name = "generalized, types that are found, masked",
     .header = "a,s",
     .settings = "quasi a|sensitive s|hierarchy a=mask|require k=2",
     .types = "1001,angina|1002,angina|1013,angina|10xx,angina|2001,angina",
     .most = 6},
    {.name = "generalized, types that are found, grid",
     .header = "a,s",
     .settings = "quasi a|sensitive s|cut-points a=1000,1005,1010|publish generalized:box=grid|"
                 "require k=2",
     .types = "1001,angina|1002.5,angina|1003,angina|1009,angina|,angina",
     .most = 5},
    {.name = "generalized, types that are found, other columns suppressed",
     .header = "a,b,o,s",
     .settings = "quasi a,b|sensitive s|other o|suppress 0.5|hierarchy b=flat|max-level b=0|"
                 "require k=2",
     .types = "1001,pppp,3001,angina|1004,pppp,3002.0,angina|1001,qqqq,omega,angina|"
              "1004,qqqq,3002.5,angina|1001,pppp,,angina",
     .most = 5},
    {.name = "two-tables, types that are found, suppressed",
     .header = "a,b,o,s",
     .settings = "quasi a,b|sensitive s|other o|suppress 0.5|publish two-tables|hierarchy b=flat|"
                 "max-level b=0|require k=2",
     .types = "1001,pppp,3001,3001|1004,pppp,3002.0,3002.0|omega,qqqq,omega,omega|"
              "1007.5,qqqq,3008.5,3008.5|1001,pppp,,",
     .most = 5},
    {.name = "randomized, types that are found",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|publish randomized:rare=2",
     .types = "1001,pppp,3001|1007.5,qqqq,3002|1004,qqqq,3002|omega,qqqq,3003.5|1001,qqqq,sigma",
     .most = 6},
    {.name = "distribution, types that are found",
     .header = "b,a",
     .settings = "quasi b|sensitive a|missing drop|require alpha=0.9|publish distribution|"
                 "group whole",
     .types = "pppp,1001|pppp,1004.5|qqqq,1004|qqqq,omega|,7919.125|,1001",
     .most = 5},
    {.name = "generalized, hierarchies that are chosen",
     .header = "a,zip,s",
     .settings = "quasi a,zip|sensitive s|group incognito|require k=2",
     .types = "2001-02-03,1001,angina|1931-07-01,1002,angina|1004,1001,angina|1006.5,ab99,angina|"
              "omega,ab98,angina",
     .most = 5},
    {.name = "generalized, types of other columns that are found, missing dropped",
     .header = "a,b,o,s",
     .settings = "quasi a,b|sensitive s|other o|missing drop|require k=2",
     .types = "1001,x11,3001,angina|1004,x11,+3002,angina|1001,,3001,angina|1001,,omega,angina",
     .most = 4},
    {.name = "two-tables, columns of the role other",
     .header = "a,b,o,s",
     .settings = "quasi a,b|sensitive s|other o|type o=text|missing drop|publish two-tables|"
                 "require k=2",
     .types = "1001,x11,3001,angina|1004,x11,3002,angina|1001,,3001,angina|1001,,omega,angina",
     .most = 4},
    {.name = "generalized, suppressed by mondrian, balanced",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|hierarchy a=balanced:2|hierarchy b=flat|"
                 "max-level b=0|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1006,pppp,cancer|1003,qqqq,measles|"
              "1005,rrrr,smallpox",
     .most = 6},
    {.name = "generalized, suppressed by mondrian",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|hierarchy b=flat|max-level b=0|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1006,pppp,cancer|1003,qqqq,measles|"
              "1005,rrrr,smallpox",
     .most = 6},
    {.name = "generalized, suppressed by incognito",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|group incognito|hierarchy a=balanced:2|"
                 "hierarchy b=flat|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1006,pppp,cancer|1003,qqqq,measles|"
              "1005,rrrr,smallpox",
     .most = 6},
    {.name = "generalized, suppressed by top-down",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|group top-down|hierarchy a=balanced:2|"
                 "hierarchy b=flat|max-level b=0|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1006,pppp,cancer|1003,qqqq,measles|"
              "1005,rrrr,smallpox",
     .most = 6},
    {.name = "generalized, suppressed by cluster",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|group cluster|hierarchy a=balanced:2|"
                 "hierarchy b=flat|max-level b=0|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1006,pppp,cancer|1003,qqqq,measles|"
              "1005,rrrr,smallpox",
     .most = 6},
    {.name = "two-tables, suppressed",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|publish two-tables|hierarchy b=flat|"
                 "max-level b=0|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1003,qqqq,measles|1005,rrrr,smallpox|"
              "1006,qqqq,cancer",
     .most = 6},
    {.name = "two-tables, suppressed by incognito",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|suppress 0.5|group incognito|publish two-tables|"
                 "hierarchy a=balanced:2|hierarchy b=flat|require k=2",
     .types = "1001,pppp,angina|1004,pppp,cancer|1003,qqqq,measles|1005,rrrr,smallpox|"
              "1001,qqqq,cancer",
     .most = 6},
    {.name = "generalized, persons",
     .header = "a,p,s",
     .settings = "quasi a|identifier p|subject p|sensitive s|hierarchy a=intervals:10|require k=2",
     .types = "1001,ann,angina|1004,ann,angina|1004,bob,angina|1006,bob,angina|1013,eve,cancer",
     .most = 6},
    {.name = "generalized, persons together",
     .header = "a,p,s",
     .settings = "quasi a|identifier p|subject p|subject-rows together|sensitive s|suppress 0.4|"
                 "hierarchy a=intervals:10|require k=2",
     .types = "1001,ann,angina|1004,ann,angina|1004,bob,angina|1006,bob,angina|1013,eve,cancer",
     .most = 6},
    {.name = "generalized, categories",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|categories s=@/categories.csv|"
                 "publish generalized:sensitive=category|require k=2",
     .types = "1001,x11,angina|1001,x11,measles|1004,x11,cancer|1004,x11,smallpox|1001,,smallpox|"
              "1001,,angina",
     .most = 5,
     .file = {"categories.csv", "smallpox;grave\ncancer;grave\nmeasles;light\n"
                                "angina;light\n"}},
    {.name = "generalized, values and categories",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|categories s=@/categories.csv|"
                 "publish generalized:sensitive=both|require k=2",
     .types = "1001,x11,angina|1004,x11,measles|1004,x11,cancer|1001,,smallpox|1001,,angina",
     .most = 5,
     .file = {"categories.csv", "smallpox;grave\ncancer;grave\nmeasles;light\n"
                                "angina;light\n"}},
    {.name = "generalized, grid",
     .header = "a,s",
     .settings = "quasi a|sensitive s|cut-points a=1000,1005,1010|publish generalized:box=grid|"
                 "require k=2",
     .types = "1001,angina|1003,cancer|1004,angina|1006,cancer|1008,cancer",
     .most = 6},
    {.name = "generalized, levels from 1 to 2",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|hierarchy a=intervals:5,10|hierarchy b=flat|"
                 "min-level a=1|max-level a=2|require k=2",
     .types = "1001,pppp,angina|1003,pppp,cancer|1006,pppp,angina|1008,qqqq,cancer",
     .most = 6},
    {.name = "generalized, not minimal",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|hierarchy a=intervals:5,10|hierarchy b=flat|"
                 "group mondrian:minimal=no|require k=2",
     .types = "1001,pppp,angina|1003,pppp,cancer|1006,pppp,angina|1008,qqqq,cancer",
     .most = 6},
    {.name = "generalized, levels of their own for the rest",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|hierarchy a=intervals:5,10|hierarchy b=flat|"
                 "group incognito:local=yes|require k=2",
     .types = "1001,pppp,angina|1003,pppp,cancer|1006,pppp,angina|1008,qqqq,cancer",
     .most = 6},
    {.name = "generalized, two sensitive columns",
     .header = "a,r,s",
     .settings = "quasi a|sensitive r,s|hierarchy a=intervals:5,10|require k=2,l=2|joint none",
     .types = "1001,work,angina|1003,home,cancer|1004,work,cancer|1006,home,angina|"
              "1004,work,angina",
     .most = 6},
    {.name = "generalized, tree of the sensitive values",
     .header = "b,a",
     .settings = "quasi b|sensitive a|hierarchy a=@/tree.csv|missing drop|require k=2",
     .types = "1001,angina|1003,cancer|1004,angina|,measles|,cancer",
     .most = 5,
     .tree_of_table = true},
    {.name = "two-tables, tree of the sensitive values",
     .header = "b,a",
     .settings = "quasi b|sensitive a|hierarchy a=@/tree.csv|missing drop|publish two-tables|"
                 "require k=2",
     .types = "1001,angina|1003,cancer|1004,angina|,measles|,cancer",
     .most = 5,
     .tree_of_table = true},
    {.name = "randomized, two columns drawn",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|publish randomized:lambda=2",
     .types = "1001,pppp,angina|1004,qqqq,angina|1006,qqqq,angina|7919,,measles|1001,,angina",
     .most = 5},
    {.name = "randomized, shares by entropy",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|publish randomized:p=entropy",
     .types = "1001,pppp,angina|1004,qqqq,angina|1006,qqqq,angina|1001,qqqq,angina",
     .most = 6},
    {.name = "randomized, rare values",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|publish randomized:rare=2",
     .types = "1001,pppp,angina|1004,qqqq,angina|1006,qqqq,angina|1001,qqqq,angina|"
              "1008,rrrr,measles",
     .most = 6},
    {.name = "distribution, drawn at random",
     .header = "b,a",
     .settings = "quasi b|sensitive a|missing drop|hierarchy a=balanced:2|require alpha=0.9|"
                 "publish distribution:target=uniform,allocation=random,fake=1|group whole",
     .types = "pppp,1001|pppp,1004|qqqq,1001|qqqq,1006|,7919|,1001",
     .most = 5},
    {.name = "distribution, targets of groups",
     .header = "b,a",
     .settings = "quasi b|sensitive a|missing drop|hierarchy a=balanced:2|require alpha=0.9|"
                 "publish distribution:per=group,target=closest|group whole",
     .types = "pppp,1001|pppp,1004|qqqq,1001|qqqq,1006|,7919|,1001",
     .most = 5},
    {.name = "distribution, closest to the table",
     .header = "b,a",
     .settings = "quasi b|sensitive a|missing drop|hierarchy a=balanced:2|require t=0.5:ordered|"
                 "publish distribution:target=closest|group whole",
     .types = "pppp,1001|pppp,1004|qqqq,1001|qqqq,1006|,7919|,1001",
     .most = 5},
    {.name = "distribution, a target from a file",
     .header = "b,a",
     .settings = "quasi b|sensitive a|missing drop|hierarchy a=balanced:2|require alpha=0.9|"
                 "publish distribution:target=@/target.csv|group whole",
     .types = "pppp,1001|pppp,1004|qqqq,1001|qqqq,1006|,7919|,1001",
     .most = 5,
     .file = {"target.csv", "value,weight\n1001,1\n1002,1\n1004,1\n1006,1\n7919,1\n"}},
    {.name = "join, direct",
     .header = "p,a,s",
     .settings = PERSONS "|"
                         "join direct|drop s|require k=3",
     .types = "ann,1001,angina|bob,1003,cancer|cat,1004,angina|dan,1006,cancer|eve,1008,angina",
     .most = 4,
     .file = {"public.csv", PUBLIC}},
    {.name = "join, direct with sensitive values",
     .header = "p,a,s",
     .settings = PERSONS "|"
                         "sensitive s|join direct|require k=2",
     .types = "ann,1001,angina|bob,1003,angina|cat,1004,angina|dan,1006,cancer|eve,1008,angina",
     .most = 5,
     .file = {"public.csv", PUBLIC}},
    {.name = "join, refine",
     .header = "p,a,s",
     .settings = PERSONS "|"
                         "sensitive s|hierarchy a=intervals:4,8|join refine|require k=2",
     .types = "ann,1001,angina|bob,1003,angina|cat,1004,angina|dan,1006,cancer|eve,1008,angina",
     .most = 5,
     .file = {"public.csv", PUBLIC}},
    {.name = "join, refine in intervals, safely trimmed",
     .header = "p,a,s",
     .settings = PERSONS "|"
                         "sensitive s|hierarchy a=intervals:4,8|join refine:trim=safe|require k=3",
     .types = "ann,1001,angina|bob,1003,angina|cat,1004,angina|dan,1006,cancer|eve,1008,angina",
     .most = 5,
     .file = {"public.csv", PUBLIC}},
    {.name = "join, nobody in both, missing dropped",
     .header = "a,b,s",
     .settings = "quasi a,b|sensitive s|missing drop|public @/public.csv|key none|"
                 "keep-mapping yes|hierarchy a=balanced:2|join refine|require k=3",
     .types = "1001,x11,angina|1004,x12,cancer|1006,x12,angina|7919,,measles|1004,,cancer",
     .most = 5,
     .file = {"public.csv", "a,b\n1002,x11\n1003,x11\n1005,x12\n1009,x12\n"}},
    {.name = "join, types that are found",
     .header = "a,s",
     .settings = "quasi a|sensitive s|public @/public.csv|key none|keep-mapping yes|join refine|"
                 "require k=3",
     .types = "1001,angina|1002.5,angina|1004,angina|1006.5,angina|1009,angina",
     .most = 5,
     .file = {"public.csv", "a\n1002\n1003\n1005\n1009\n"}},
};

/* The text up to the next bar, which is passed over; NULL: there is none. */
static const char *next_text(const char **from)
{
    size_t length = strcspn(*from, "|");
    const char *text = length > 0 ? bt_arena_copy(&names, *from, length) : NULL;
    *from += length + ((*from)[length] == '|');
    return text;
}

static const bt_form *form_named(const char *publish)
{
    for (size_t f = 0; f < bt_form_registry_count; f++)
        if (strncmp(publish, bt_form_registry[f]->name, strlen(bt_form_registry[f]->name)) == 0)
            return bt_form_registry[f];
    ask_in_vain("form", publish);
}

static small_world world_of(const told *in)
{
    const bt_form *form = bt_form_registry[0];
    bool suppresses = false;
    small_world w = {.setup = {.name = in->name,
                               .header = in->header,
                               .sensitive = 1,
                               .bare = in->bare,
                               .tree_of_table = in->tree_of_table,
                               .files = {in->file}},
                     .most = in->most};
    const char *settings = in->settings, *types = in->types;
    for (const char *key; (key = next_text(&settings));) {
        char *value = strchr(key, ' ');
        *value++ = '\0';
        add_setting(&w.setup, key, value);
        suppresses |= strcmp(key, "suppress") == 0;
        if (strcmp(key, "missing") == 0) w.setup.drops_missing = strcmp(value, "drop") == 0;
        if (strcmp(key, "sensitive") == 0) w.setup.sensitive += strchr(value, ',') != NULL;
        if (strcmp(key, "publish") == 0) form = form_named(value);
    }
    w.setup.shows_values = form->shows_values && !form->ungrouped && !suppresses;
    for (size_t i = 0; i < TYPES && *types; i++)
        w.types[i] = next_text(&types);
    return w;
}

/* ---- all of them --------------------------------------------------------------------------- */

static size_t list_worlds(small_world *out, size_t room)
{
    size_t n = 0, kind_count = sizeof kinds / sizeof *kinds;
    for (size_t f = 0; f < bt_form_registry_count; f++) {
        const bt_form *form = bt_form_registry[f];
        const asked_form *asked = ask_form(form->name);
        size_t methods = form->ungrouped ? 1 : bt_method_registry_count;
        for (size_t m = 0; m < methods && n < room; m++)
            out[n++] = combine(bt_method_registry[m], form);
        if (!asked->shows_kind && !asked->sensitive_kind) continue;
        for (size_t k = 0; k < kind_count && n + 1 < room; k++) {
            out[n++] = world_of_kind(form, &kinds[k], false);
            out[n++] = world_of_kind(form, &kinds[k], true);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others && n < room; i++)
        out[n++] = world_of(&others[i]);
    return n;
}

#endif
