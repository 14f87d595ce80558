/* SPDX-License-Identifier: Apache-2.0
 *
 * The key table of a recipe. It is the only list of keys: flags, YAML, help and `bauta list keys`
 * follow from it. What a key does with its value is in setters.c.
 */
#include "recipe/setters.h"

#include <stddef.h>
#include <string.h>

/* Where a field of the recipe is; does not compile when the field has another type. */
#define FIELD(type, name)                                                                          \
    .field = offsetof(bauta_recipe, name) + 0 * sizeof(&((bauta_recipe *)0)->name == (type *)0)

#define TEXT(name) .set = bt_set_text, FIELD(const char *, name)
#define PATH(name) .set = bt_set_path, FIELD(const char *, name)
#define TABLES(name) .set = bt_set_tables, FIELD(bt_list, name)
#define SWITCH(name) .set = bt_set_switch, FIELD(bool, name)
#define SECOND(name) .set = bt_set_second, FIELD(bool, name)
#define SHARE(name) .set = bt_set_share, FIELD(bt_rational, name)

/* ---- the table, in the order in which help lists it ---- */

const bt_recipe_key bt_recipe_keys[] = {
    {.key = {"input", "FILE", "input", "read this file; may be repeated; - is standard input"},
     .kind = BT_KEY_FILES,
     TABLES(inputs)},
    {.key = {"delimiter", "CHAR", "input", "between fields: a character or tab (default: sniffed)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_delimiter},
    {.key = {"header", "yes|no", "input",
             "the first row names the columns (default: if it looks so)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_header},
    {.key = {"encoding", "utf-8|latin-1|windows-1252", "input",
             "encoding of the input (default: utf-8)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_encoding},
    {.key = {"decimal", "point|comma", "input", "decimal separator (default: point)"},
     .kind = BT_KEY_TEXT,
     SECOND(decimal_comma)},
    {.key = {"type", "COL=TYPE", "input", "read a column as text, integer, decimal or date"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_type},
    {.key = {"missing-values", "TEXT,...", "input",
             "what means missing; COL=TEXT|TEXT in one (default: NA,?)"},
     .kind = BT_KEY_MARKS,
     .set = bt_set_missing_values},
    {.key = {"missing", "value|drop", "input",
             "missing is a value, or drops the row (default: value)"},
     .kind = BT_KEY_TEXT,
     SECOND(missing_drop)},
    {.key = {"quasi", "COL,...", "roles", "columns that an attacker may know: generalized"},
     .kind = BT_KEY_LIST,
     .set = bt_set_role,
     .role = BT_ROLE_QUASI},
    {.key = {"sensitive", "COL,...", "roles", "columns that nobody shall learn of a person"},
     .kind = BT_KEY_LIST,
     .set = bt_set_role,
     .role = BT_ROLE_SENSITIVE},
    {.key = {"identifier", "COL,...", "roles", "columns that name a person: never published"},
     .kind = BT_KEY_LIST,
     .set = bt_set_role,
     .role = BT_ROLE_IDENTIFIER},
    {.key = {"other", "COL,...|rest", "roles",
             "columns published as they are; rest: all that are left"},
     .kind = BT_KEY_LIST,
     .set = bt_set_role,
     .role = BT_ROLE_OTHER},
    {.key = {"drop", "COL,...|rest", "roles", "columns left out; rest: all that are left"},
     .kind = BT_KEY_LIST,
     .set = bt_set_role,
     .role = BT_ROLE_DROPPED},
    {.key = {"hierarchy", "COL=SPEC", "roles",
             "a file, intervals:5,10, mask, balanced:N, date, flat or none"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_hierarchy,
     .set_text = bt_set_hierarchy_text},
    {.key = {"public-hierarchy", "COL,...", "release",
             "these hierarchies are public: published whole"},
     .kind = BT_KEY_LIST,
     .set = bt_set_public_hierarchy},
    {.key = {"categories", "COL=FILE", "roles",
             "categories of sensitive values, the most sensitive first"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_categories,
     .set_text = bt_set_categories_text},
    {.key = {"weight", "COL=NUMBER", "release",
             "what the loss of a quasi column counts for (default: 1)"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_weight},
    {.key = {"min-level", "COL=LEVEL", "release",
             "cells of a quasi column are at least this general"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_min_level},
    {.key = {"max-level", "COL=LEVEL", "release",
             "cells of a quasi column are at most this general"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_max_level},
    {.key = {"levels", "COL=LEVEL", "release", "recode every quasi column at a level of its own"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_levels},
    {.key = {"cut-points", "COL=N,N,...", "release",
             "where cells of a quasi column begin, for box=grid"},
     .kind = BT_KEY_PAIR,
     .set = bt_set_cut_points},
    {.key = {"subject", "COL,...|none", "roles",
             "columns that together name a person; none: each row is one"},
     .kind = BT_KEY_LIST,
     .set = bt_set_subject},
    {.key = {"subject-rows", "apart|together", "release",
             "a person's rows stay in one class (default: apart)"},
     .kind = BT_KEY_TEXT,
     SECOND(rows_together)},
    {.key = {"require", "NAME=VALUE,...", "release", "what every class must satisfy: k=5"},
     .kind = BT_KEY_REQUIRE,
     .set = bt_set_require},
    {.key = {"joint", "pairwise|none", "release",
             "judge also given another sensitive value (default: pairwise)"},
     .kind = BT_KEY_TEXT,
     SECOND(joint_none)},
    {.key = {"group", "METHOD[:OPTION=VALUE,...]", "release",
             "how records are grouped (default: mondrian)"},
     .kind = BT_KEY_CHOICE,
     TEXT(group),
     .chooses = "method"},
    {.key = {"publish", "FORM[:OPTION=VALUE,...]", "release",
             "in what form (default: generalized)"},
     .kind = BT_KEY_CHOICE,
     TEXT(publish),
     .chooses = "form"},
    {.key = {"public", "FILE", "release",
             "also group persons of a public database; may be repeated"},
     .kind = BT_KEY_FILES,
     TABLES(publics)},
    {.key = {"key", "COL|none", "release",
             "column that names persons in both; none: nobody is in both"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_key},
    {.key = {"join", "KIND[:OPTION=VALUE,...]", "release",
             "refine or direct; trim=none|safe|paper (default: refine)"},
     .kind = BT_KEY_CHOICE,
     TEXT(join),
     .chooses = "kind"},
    {.key = {"on-conflict", "stop|exclude-public", "release",
             "when both tell different things of a person (default: stop)"},
     .kind = BT_KEY_TEXT,
     SECOND(exclude_public)},
    {.key = {"suppress", "SHARE", "release", "drop at most this share of the rows (default: 0)"},
     .kind = BT_KEY_TEXT,
     SHARE(suppress)},
    {.key = {"nodes", "N", "release", "look at most at so many nodes of a lattice (default: all)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_nodes},
    {.key = {"time", "SECONDS", "release",
             "end the search of a lattice after this time (default: never)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_time},
    {.key = {"accept", "COL,...", "release",
             "publish these columns although they lead back to people"},
     .kind = BT_KEY_LIST,
     .set = bt_set_accept},
    {.key = {"accept-other", "COL,...", "release", "the old name of accept"},
     .kind = BT_KEY_LIST,
     .set = bt_set_accept},
    {.key = {"unique-limit", "SHARE", "release",
             "most rows unique by what is not generalized (default: 0.05)"},
     .kind = BT_KEY_TEXT,
     SHARE(unique_limit)},
    {.key = {"previous", "PUBLISH", "release",
             "an earlier release to be checked against; may be repeated"},
     .kind = BT_KEY_FILES,
     TABLES(previous)},
    {.key = {"seed-file", "FILE", "release", "32 secret bytes: a release that can be repeated"},
     .kind = BT_KEY_FILE,
     .set = bt_set_seed_file,
     .excludes = "seed"},
    {.key = {"seed", "HEX", "release", "for experiments only: the release is marked as one"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_seed,
     .excludes = "seed-file"},
    {.key = {"keep-mapping", NULL, "release", "write private/mapping.csv: row number to class"},
     .kind = BT_KEY_SWITCH,
     SWITCH(keep_mapping)},
    {.key = {"spreadsheet-safe", NULL, "release",
             "text that looks like a formula stands behind an apostrophe"},
     .kind = BT_KEY_SWITCH,
     SWITCH(spreadsheet_safe)},
    {.key = {"force", NULL, "release", "replace a release that is there, and nothing else"},
     .kind = BT_KEY_SWITCH,
     SWITCH(force)},
    {.key = {"allow-experiment", NULL, "audit", "a release made with --seed is not a fault"},
     .kind = BT_KEY_SWITCH,
     SWITCH(allow_experiment)},
    {.key = {"similarity", NULL, "measure", "only the similarity attack, which needs no original"},
     .kind = BT_KEY_SWITCH,
     SWITCH(similarity)},
    {.key = {"associations", "OPTION=VALUE,...", "measure",
             "also find associations: support=0.08,confidence=0.15"},
     .kind = BT_KEY_TEXT,
     TEXT(associations)},
    {.key = {"pairs", NULL, "measure", "also how strongly pairs of columns depend on each other"},
     .kind = BT_KEY_SWITCH,
     SWITCH(pairs)},
    {.key = {"workload", "NAME[:OPTION=VALUE,...]", "measure",
             "also ask random queries: paper1:qd=4,s=0.05, paper4, paper5"},
     .kind = BT_KEY_TEXT,
     TEXT(workload)},
    {.key = {"queries", "N", "measure", "how many queries of a workload (default: 1000)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_queries},
    {.key = {"explain", NULL, "query", "show classes, contributions and assumptions"},
     .kind = BT_KEY_SWITCH,
     SWITCH(explain)},
    {.key = {"estimator", "NAME", "query", "spread or paper; of randomized: unbiased or direct"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_estimator},
    {.key = {"risk", NULL, "risk", "how easily records are traced to people, as they stand"},
     .kind = BT_KEY_SWITCH,
     SWITCH(risk)},
    {.key = {"risk-threshold", "SHARE", "risk", "a record above it is at risk (default: 0.2)"},
     .kind = BT_KEY_TEXT,
     SHARE(risk_threshold)},
    {.key = {"sampling-fraction", "SHARE", "risk",
             "of the population that the table holds (default: all)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_sampling_fraction},
    {.key = {"threads", "N", "run", "threads to use (default: all processors)"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_threads},
    {.key = {"memory", "BYTES", "run", "memory for buffers before they go to disk: 512M, 4G"},
     .kind = BT_KEY_TEXT,
     .set = bt_set_memory},
    {.key = {"tmp", "FOLDER", "run", "where temporary files go"}, .kind = BT_KEY_FILE, PATH(tmp)},
};
const size_t bt_recipe_key_count = sizeof bt_recipe_keys / sizeof *bt_recipe_keys;

_Static_assert(sizeof bt_recipe_keys / sizeof *bt_recipe_keys <= BT_MOST_KEYS,
               "a recipe has room for every key");

const bt_recipe_key *bt_recipe_find_key(const char *name)
{
    for (size_t i = 0; i < bt_recipe_key_count; i++)
        if (strcmp(bt_recipe_keys[i].key.name, name) == 0) return &bt_recipe_keys[i];
    return NULL;
}

bauta_status bt_recipe_unknown_key(const char *name, bauta_error *error)
{
    const char *names[sizeof bt_recipe_keys / sizeof *bt_recipe_keys + 2];
    size_t count = 0;
    for (; count < bt_recipe_key_count; count++)
        names[count] = bt_recipe_keys[count].key.name;
    names[count++] = "columns";
    names[count++] = "rest";
    bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no key '%s'", name);
    const char *near = bt_text_nearest(name, names, count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list keys' names them");
    return status;
}
