/* SPDX-License-Identifier: Apache-2.0
 *
 * What anonymizing came to, and previews of it.
 */
#include "report/render.h"

#include <stdio.h>
#include <string.h>

/* A line of the summary: a short label, then a sentence. */
static void label(bt_page *page, const char *text)
{
    bt_page_print(page, "%-10s", text);
}

static void print_rows(const json_t *facts, bt_page *page)
{
    label(page, "rows");
    bt_page_count(page, bt_fact_int(facts, "rows"), "read", "read");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(facts, "published"), "published", "published");
    int64_t suppressed = bt_fact_int(facts, "suppressed");
    int64_t missing = bt_fact_int(facts, "missing_dropped");
    if (suppressed || !missing) {
        bt_page_print(page, ", ");
        bt_page_count(page, suppressed, "suppressed", "suppressed");
    }
    if (missing) {
        bt_page_print(page, ", ");
        bt_page_count(page, missing, "with missing values dropped", "with missing values dropped");
    }
    bt_page_print(page, "\n");
}

static void print_classes(const json_t *facts, bt_page *page)
{
    int64_t classes = bt_fact_int(facts, "classes");
    label(page, "classes");
    bt_page_count(page, classes, "class", "classes");
    if (classes) {
        bt_page_print(page, ", the smallest of ");
        bt_page_count(page, bt_fact_int(facts, "smallest_class"), "record", "records");
        bt_page_print(page, ", on average %.1f",
                      (double)bt_fact_int(facts, "published") / (double)classes);
    }
    bt_page_print(page, "\n");
}

static void print_subjects(const json_t *facts, bt_page *page)
{
    const json_t *subjects = json_object_get(facts, "subjects");
    if (!json_object_size(subjects)) return;
    label(page, "persons");
    bt_page_count(page, bt_fact_int(subjects, "persons"), "person", "persons");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(subjects, "several_rows"), "with several rows",
                  "with several rows");
    bt_page_print(page, ", in the smallest class ");
    bt_page_count(page, bt_fact_int(subjects, "smallest_class"), "person", "persons");
    bt_page_print(page, "\n");
    label(page, "");
    if (json_is_true(json_object_get(subjects, "together"))) {
        bt_page_print(page, "the rows of each are in one class\n");
        return;
    }
    bt_page_count(page, bt_fact_int(subjects, "told_apart"), "is", "are");
    bt_page_print(page, " told apart from all others by the sequence of their classes\n");
}

static void print_requirements(const json_t *facts, bt_page *page)
{
    const json_t *requirements = json_object_get(facts, "requirements");
    if (json_array_size(requirements) == 0) return;
    label(page, "promises");
    bt_page_names(page, requirements);
    bt_page_print(page, " in every class\n");
}

static void print_made(const json_t *facts, bt_page *page)
{
    const char *method = bt_fact_text(facts, "method"), *form = bt_fact_text(facts, "form");
    if (!*method && !*form) return;
    label(page, "made by");
    bt_page_text(page, method);
    bt_page_print(page, *method && *form ? ", published as " : "");
    bt_page_text(page, form);
    bt_page_print(page, "\n");
}

static void print_levels(json_t *levels, bt_page *page)
{
    const char *before = "";
    if (!json_object_size(levels)) return;
    label(page, "levels");
    for (void *at = json_object_iter(levels); at; at = json_object_iter_next(levels, at)) {
        bt_page_print(page, "%s", before);
        bt_page_text(page, json_object_iter_key(at));
        bt_page_print(page, " %lld", (long long)json_integer_value(json_object_iter_value(at)));
        before = ", ";
    }
    bt_page_print(page, "\n");
}

/* How much of the lattice was searched. Local recoding promises no best node. */
static void print_lattice(const json_t *facts, bt_page *page)
{
    json_t *levels = json_object_get(facts, "levels");
    const json_t *lattice = json_object_get(facts, "lattice");
    if (!json_object_size(lattice)) return;
    print_levels(levels, page);
    label(page, "lattice");
    bt_page_count(page, bt_fact_int(lattice, "nodes"), "node", "nodes");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(lattice, "evaluated"), "looked at", "looked at");
    if (json_is_integer(json_object_get(lattice, "minimal"))) {
        bt_page_print(page, ", ");
        bt_page_count(page, bt_fact_int(lattice, "minimal"), "minimal", "minimal");
    }
    if (levels)
        bt_page_print(page, json_is_true(json_object_get(lattice, "proven"))
                                ? "; this one is proven to be the best"
                                : "; the search was cut short, there may be better ones");
    bt_page_print(page, "\n");
}

static void print_loss(const json_t *facts, bt_page *page)
{
    const json_t *measures = json_object_get(facts, "measures");
    if (!json_object_size(measures)) return;
    char share[32];
    bt_share_print(bt_fact_real(measures, "ncp"), share, sizeof share);
    label(page, "loss");
    bt_page_print(page, "%s of the quasi columns' information (NCP)", share);
    if (json_object_get(measures, "distortion_ratio")) {
        bt_share_print(bt_fact_real(measures, "distortion_ratio"), share, sizeof share);
        bt_page_print(page, ", distortion ratio %s", share);
    }
    if (json_object_get(measures, "weighted_ncp")) {
        bt_share_print(bt_fact_real(measures, "weighted_ncp"), share, sizeof share);
        bt_page_print(page, ", with weights %s", share);
    }
    bt_page_print(page, "\n");
}

static void print_seconds(const json_t *facts, bt_page *page)
{
    static const char *const stages[] = {"read", "group", "publish", "audit"};
    const json_t *seconds = json_object_get(facts, "seconds");
    if (!json_object_size(seconds)) return;
    bool total = json_object_get(seconds, "total") != NULL;
    label(page, "time");
    if (total) bt_page_print(page, "%.2f s in all: ", bt_fact_real(seconds, "total"));
    const char *before = "";
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (!json_object_get(seconds, stages[i])) continue;
        bt_page_print(page, "%s%s %.2f s", before, stages[i], bt_fact_real(seconds, stages[i]));
        before = ", ";
    }
    bt_page_print(page, "\n");
}

static void print_body(const json_t *facts, bt_page *page)
{
    print_rows(facts, page);
    print_classes(facts, page);
    print_subjects(facts, page);
    print_requirements(facts, page);
    print_made(facts, page);
    print_lattice(facts, page);
    print_loss(facts, page);
    print_seconds(facts, page);
}

void bt_render_anonymize(const json_t *facts, bt_page *page)
{
    const char *folder = bt_fact_text(facts, "publish");
    bool experiment = json_is_true(json_object_get(facts, "experiment"));
    print_body(facts, page);
    if (*folder) {
        label(page, "written");
        bt_page_text(page, folder);
        bt_page_print(page, experiment ? ": audited\n" : ": audited, ready to hand out\n");
    }
    if (experiment) {
        label(page, "beware");
        bt_page_print(page, "made with a seed on the command line: an experiment, not to be "
                            "handed out\n");
    }
    const char *open = bt_fact_text(facts, "not_protected");
    if (!*open) return;
    bt_page_print(page, "not protected: ");
    bt_page_text(page, open);
    bt_page_print(page, "\n");
}

/* ---- previews ---- */

static void add_try(const json_t *facts, bt_grid *grid)
{
    const json_t *measures = json_object_get(facts, "measures");
    int64_t classes = bt_fact_int(facts, "classes");
    bt_grid_text(grid, bt_fact_text(facts, "require"));
    if (*bt_fact_text(facts, "refused")) {
        for (int i = 0; i < 6; i++)
            bt_grid_text(grid, "-");
        bt_grid_text(grid, bt_fact_text(facts, "refused"));
        return;
    }
    bt_grid_count(grid, classes);
    bt_grid_count(grid, bt_fact_int(facts, "smallest_class"));
    char average[32];
    snprintf(average, sizeof average, "%.1f",
             classes ? (double)bt_fact_int(facts, "published") / (double)classes : 0);
    bt_grid_text(grid, average);
    bt_grid_count(grid, bt_fact_int(facts, "suppressed"));
    bt_grid_share(grid, bt_fact_real(measures, "ncp"));
    bt_grid_share(grid, bt_fact_real(measures, "distortion_ratio"));
    bt_grid_text(grid, "");
}

static void print_tries(const json_t *tries, bt_page *page)
{
    static const char *const heads[] = {"require",    "classes", "smallest",   "average",
                                        "suppressed", "NCP",     "distortion", ""};
    bt_grid grid;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "lrrrrrrl");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        bt_grid_text(&grid, heads[i]);
    for (size_t i = 0; i < json_array_size(tries); i++)
        add_try(json_array_get(tries, i), &grid);
    bt_grid_close(&grid, 0, page);
}

void bt_render_preview(const json_t *facts, bt_page *page)
{
    const json_t *tries = json_object_get(facts, "tries"), *only = json_array_get(tries, 0);
    const char *refused = bt_fact_text(only, "refused");
    if (json_array_size(tries) > 1) {
        print_tries(tries, page);
    } else if (*refused) {
        bt_page_text(page, bt_fact_text(only, "require"));
        bt_page_print(page, " cannot be met: ");
        bt_page_text(page, refused);
        bt_page_print(page, "\n");
    } else {
        print_body(only, page);
    }
    bt_page_print(page, "nothing was written\n");
}
