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
    bool decided = json_object_get(facts, "published") != NULL;
    int64_t suppressed = bt_fact_int(facts, "suppressed");
    int64_t missing = bt_fact_int(facts, "missing_dropped");
    if (decided) {
        bt_page_print(page, ", ");
        bt_page_count(page, bt_fact_int(facts, "published"), "published", "published");
    }
    if (decided && (suppressed || !missing)) {
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
    if (!json_object_get(facts, "classes")) return; /* the form makes none */
    int64_t classes = bt_fact_int(facts, "classes");
    const json_t *join = json_object_get(facts, "join");
    int64_t rows = bt_fact_int(facts, "published") + (join ? bt_fact_int(join, "used") : 0);
    label(page, "classes");
    bt_page_count(page, classes, "class", "classes");
    if (classes) {
        bt_page_print(page, ", the smallest of ");
        bt_page_count(page, bt_fact_int(facts, "smallest_class"), join ? "person" : "record",
                      join ? "persons" : "records");
        bt_page_print(page, ", on average %.1f", (double)rows / (double)classes);
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

/* What of the public tables could not be used. */
static void print_left_out(const json_t *join, bt_page *page)
{
    static const struct {
        const char *key, *one, *many;
    } reasons[] = {
        {"excluded", "public record that differs from the table's",
         "public records that differ from the table's"},
        {"disagreed", "person on whom public tables disagree",
         "persons on whom public tables disagree"},
        {"missing_dropped", "public record with missing values",
         "public records with missing values"},
    };
    const char *before = "left out: ";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        int64_t count = bt_fact_int(join, reasons[i].key);
        if (count == 0) continue;
        if (*before == 'l') label(page, "");
        bt_page_print(page, "%s", before);
        bt_page_count(page, count, reasons[i].one, reasons[i].many);
        before = ", ";
    }
    if (*before == ',') bt_page_print(page, "\n");
}

/* With a public table. */
static void print_join(const json_t *facts, bt_page *page)
{
    const json_t *join = json_object_get(facts, "join");
    char share[32];
    if (!json_object_size(join)) return;
    label(page, "join");
    bt_page_text(page, bt_fact_text(join, "kind"));
    bt_page_print(page, ": ");
    bt_page_count(page, bt_fact_int(join, "used"), "person", "persons");
    bt_page_print(page, " of ");
    bt_page_count(page, bt_fact_int(join, "external"), "external one", "external ones");
    bt_page_print(page, " published beside the records, ");
    bt_page_count(page, bt_fact_int(join, "groups"), "sensitive group", "sensitive groups");
    bt_page_print(page, "\n");
    print_left_out(join, page);
    label(page, "");
    bt_share_print(bt_fact_real(join, "ncp"), share, sizeof share);
    bt_page_print(page, "of the records alone: %s NCP, discernibility %lld\n", share,
                  (long long)bt_fact_int(join, "discernibility"));
}

static void print_requirements(const json_t *facts, bt_page *page)
{
    const json_t *requirements = json_object_get(facts, "requirements");
    if (json_array_size(requirements) == 0) return;
    label(page, "promises");
    bt_page_names(page, requirements);
    bt_page_print(page, json_object_get(facts, "join")
                            ? " in every class; what is about values, in every sensitive group\n"
                        : json_object_get(facts, "targets")
                            ? " of what is believed of every record\n"
                        : json_object_get(facts, "subjects") ? " in every class, counting persons\n"
                                                             : " in every class, counting rows\n");
}

/* distribution: the targets, and what the values became. */
static void print_targets(const json_t *facts, bt_page *page)
{
    const json_t *targets = json_object_get(facts, "targets");
    const json_t *copies = json_object_get(facts, "copies");
    if (!json_object_size(targets)) return;
    label(page, "targets");
    bt_page_count(page, bt_fact_int(targets, "count"), "distribution", "distributions");
    bt_page_print(page, ", from what was wanted %.4f away on average and %.4f at most\n",
                  bt_fact_real(targets, "distance"), bt_fact_real(targets, "largest_distance"));
    label(page, "parts");
    for (size_t level = 0; level < json_array_size(copies); level++)
        bt_page_print(page, "%slevel %zu: %lld", level ? ", " : "", level,
                      (long long)json_integer_value(json_array_get(copies, level)));
    bt_page_print(page, "; ");
    bt_page_count(page, bt_fact_int(facts, "fakes"), "of them made up", "of them made up");
    bt_page_print(page, "\n");
    label(page, "");
    bt_page_print(page, "sum of ranges %.12g; ", bt_fact_real(facts, "sum_of_ranges"));
    bt_page_count(page, bt_fact_int(facts, "fully_generalized"), "group is", "groups are");
    bt_page_print(page, " fully generalized\n");
}

static void print_made(const json_t *facts, bt_page *page)
{
    const char *method = bt_fact_text(facts, "method"), *form = bt_fact_text(facts, "form");
    bool alone = strcmp(method, "none") == 0; /* the form groups nothing */
    if (!*method && !*form) return;
    label(page, alone ? "made as" : "made by");
    if (!alone) bt_page_text(page, method);
    bt_page_print(page, !alone && *method && *form ? ", published as " : "");
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
    bool proven = json_is_true(json_object_get(lattice, "proven"));
    if (json_is_integer(json_object_get(lattice, "minimal"))) {
        bt_page_print(page, ", ");
        bt_page_count(page, bt_fact_int(lattice, "minimal"),
                      proven ? "minimal" : "proven to be minimal",
                      proven ? "minimal" : "proven to be minimal");
    }
    if (levels)
        bt_page_print(page, json_is_true(json_object_get(lattice, "persons"))
                                ? "; levels are the highest of the cells, which cover all rows of "
                                  "a person"
                            : proven ? "; this one is proven to be the best"
                                     : "; the search was cut short, there may be better ones");
    bt_page_print(page, "\n");
}

/* What earlier releases have to do with this one. */
static void print_previous(const json_t *facts, bt_page *page)
{
    const json_t *previous = json_object_get(facts, "previous");
    bool classes = json_object_get(facts, "classes") != NULL;
    for (size_t i = 0; i < json_array_size(previous); i++) {
        const json_t *one = json_array_get(previous, i);
        label(page, i == 0 ? "previous" : "");
        bt_page_text(page, bt_fact_text(one, "folder"));
        bt_page_print(page, ": ");
        bt_page_count(page, bt_fact_int(one, "records_in_both"), "record", "records");
        bt_page_print(page, classes ? " may be in both, the classes of " : " may be in both\n");
        if (!classes) continue;
        bt_page_count(page, bt_fact_int(one, "narrowed"), "are", "are");
        bt_page_print(page, " narrowed here, of ");
        bt_page_count(page, bt_fact_int(one, "narrowed_there"), "there", "there");
        bt_page_print(page, "; what both promise holds\n");
    }
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

static void print_rare(const json_t *facts, bt_page *page)
{
    const json_t *rare = json_object_get(facts, "rare");
    if (!json_object_size(rare)) return;
    label(page, "rare");
    bt_page_count(page, bt_fact_int(rare, "merged"), "value merged with another",
                  "values merged with others");
    bt_page_print(page, ", ");
    bt_page_count(page, bt_fact_int(rare, "dropped"), "record dropped", "records dropped");
    bt_page_print(page, "\n");
}

/* randomized: how random the drawing is. How often it is seen through is said at the end. */
static void print_randomness(const json_t *facts, bt_page *page)
{
    if (!json_object_get(facts, "probabilistic_anonymity")) return;
    label(page, "anonymity");
    bt_page_print(page, "probabilistic anonymity %.2f",
                  bt_fact_real(facts, "probabilistic_anonymity"));
    if (json_object_get(facts, "probabilistic_anonymity_best"))
        bt_page_print(page, " (at best, with p=entropy, %.2f)",
                      bt_fact_real(facts, "probabilistic_anonymity_best"));
    bt_page_print(page, "\n");
}

/* randomized: how many rows are found all the same. */
static void print_linkage(const json_t *facts, bt_page *page)
{
    const json_t *linkage = json_object_get(facts, "linkage");
    char rate[32];
    if (!json_object_get(facts, "probabilistic_anonymity")) return;
    if (!json_object_size(linkage)) {
        bt_page_print(page, "How often a person's own row is found was not computed: it would take "
                            "too long. ");
        return;
    }
    bt_share_print(bt_fact_real(facts, "linkage_rate"), rate, sizeof rate);
    bt_page_print(page, "%s of ", rate);
    bt_page_count(page, bt_fact_int(linkage, "looked_at"), "row is", "rows are");
    bt_page_print(page, " found all the same by someone who knows the person's quasi-identifiers");
    if (json_object_get(linkage, "rate_knowing_all")) {
        bt_share_print(bt_fact_real(linkage, "rate_knowing_all"), rate, sizeof rate);
        bt_page_print(page, ", %s by someone who knows those of everyone", rate);
    }
    bt_page_print(page, ". ");
}

/* What is protected, from whom, and what is not; and what to run next. */
static void print_words(const json_t *facts, bt_page *page)
{
    if (!*bt_fact_text(facts, "not_protected")) return;
    bt_page_print(page, "protected: ");
    bt_page_text(page, bt_fact_text(facts, "protected"));
    bt_page_print(page, "\nnot protected: ");
    print_linkage(facts, page);
    bt_page_text(page, bt_fact_text(facts, "not_protected"));
    bt_page_print(page, "\nnext: ");
    bt_page_text(page, bt_fact_text(facts, "next"));
    bt_page_print(page, " tries what others could find out\n");
}

static void print_notices(const json_t *facts, bt_page *page)
{
    const json_t *list = json_object_get(facts, "notices");
    for (size_t i = 0; i < json_array_size(list); i++) {
        label(page, "note");
        bt_page_text(page, json_string_value(json_array_get(list, i)));
        bt_page_print(page, "\n");
    }
}

static void print_body(const json_t *facts, bt_page *page)
{
    print_rows(facts, page);
    print_classes(facts, page);
    print_subjects(facts, page);
    print_join(facts, page);
    print_requirements(facts, page);
    print_made(facts, page);
    print_lattice(facts, page);
    print_rare(facts, page);
    print_targets(facts, page);
    print_previous(facts, page);
    print_loss(facts, page);
    print_notices(facts, page);
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
        bt_page_print(page, ": audited\n");
    }
    if (experiment) {
        label(page, "beware");
        bt_page_print(page, "made with a seed on the command line: an experiment, not to be "
                            "handed out\n");
    }
    print_randomness(facts, page);
    print_words(facts, page);
}

/* ---- previews ---- */

/* What was wanted and what weights make of it, value by value; long lists are in the JSON. */
static void print_shares(const json_t *facts, bt_page *page)
{
    enum { MOST = 40 };
    const json_t *list = json_object_get(json_object_get(facts, "targets"), "distribution");
    bt_grid grid;
    if (json_array_size(list) == 0 || json_array_size(list) > MOST) return;
    bt_grid_open(&grid, 3, "lrr");
    bt_grid_text(&grid, "value");
    bt_grid_text(&grid, "wanted");
    bt_grid_text(&grid, "realised");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        bt_grid_text(&grid, bt_fact_text(one, "value"));
        bt_grid_share(&grid, bt_fact_real(one, "wanted"));
        bt_grid_share(&grid, bt_fact_real(one, "realised"));
    }
    bt_grid_close(&grid, 0, page);
}

/* What is tried in a row: the requirements, or the keys by name. */
static void add_setting(const json_t *facts, bt_grid *grid)
{
    json_t *setting = json_object_get(facts, "setting");
    char text[400];
    size_t length = 0;
    if (!json_object_size(setting)) {
        bt_grid_text(grid, bt_fact_text(facts, "require"));
        return;
    }
    text[0] = '\0';
    for (void *at = json_object_iter(setting); at && length < sizeof text;
         at = json_object_iter_next(setting, at))
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s=%s",
                                   length ? ", " : "", json_object_iter_key(at),
                                   json_string_value(json_object_iter_value(at)));
    bt_grid_text(grid, text);
}

static void add_try(const json_t *facts, bt_grid *grid)
{
    const json_t *measures = json_object_get(facts, "measures");
    int64_t classes = bt_fact_int(facts, "classes");
    add_setting(facts, grid);
    if (*bt_fact_text(facts, "refused") || !measures) {
        for (int i = 0; i < 7; i++)
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
    bt_grid_share(grid, bt_fact_real(facts, "risk"));
    bt_grid_text(grid, "");
}

static void print_tries(const json_t *tries, bt_page *page)
{
    bool keys = json_object_get(json_array_get(tries, 0), "setting") != NULL;
    const char *const heads[] = {keys ? "setting" : "require",
                                 "classes",
                                 "smallest",
                                 "average",
                                 "suppressed",
                                 "NCP",
                                 "distortion",
                                 "risk",
                                 ""};
    bt_grid grid;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "lrrrrrrrl");
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
    if (json_array_size(tries) > 1 || json_object_get(only, "setting")) {
        print_tries(tries, page);
    } else if (*refused) {
        bt_page_text(page, bt_fact_text(only, "require"));
        bt_page_print(page, " cannot be met: ");
        bt_page_text(page, refused);
        bt_page_print(page, "\n");
    } else {
        print_body(only, page);
        print_shares(only, page);
    }
    bt_page_print(page, "nothing was written\n");
}
