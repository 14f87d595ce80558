/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers: of one query line by line, of several a row each.
 */
#include "report/render.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_CLASSES = 20 }; /* classes that are shown */

/* ---- values ---- */

/* A bound or an estimate: a number, a date, or nothing. */
static void add_end(const json_t *value, const char *nothing, bt_grid *grid)
{
    char text[64];
    if (json_is_string(value))
        bt_grid_text(grid, json_string_value(value));
    else if (json_is_integer(value))
        bt_grid_count(grid, json_integer_value(value));
    else if (json_is_real(value)) {
        snprintf(text, sizeof text, "%.15g", json_real_value(value));
        bt_grid_text(grid, text);
    } else
        bt_grid_text(grid, nothing);
}

static bool matches_nothing(const json_t *answer)
{
    return json_is_null(json_object_get(answer, "estimate")) &&
           !json_object_get(answer, "warning") && json_is_null(json_object_get(answer, "lower")) &&
           json_is_null(json_object_get(answer, "upper"));
}

/* Whether the interval, if there is one, is a matter of chance. */
static bool is_chance(const json_t *answer)
{
    const json_t *confidence = json_object_get(answer, "confidence");
    return confidence && !(json_number_value(confidence) >= 1);
}

static void add_ends(const json_t *answer, bt_grid *grid)
{
    const char *nothing = matches_nothing(answer) || is_chance(answer) ? "-" : "no bound";
    add_end(json_object_get(answer, "lower"), nothing, grid);
    add_end(json_object_get(answer, "upper"), nothing, grid);
}

/* ---- one answer ---- */

static void print_interval(const json_t *answer, bt_page *page)
{
    bool tight = json_is_true(json_object_get(answer, "tight"));
    double confidence = json_number_value(json_object_get(answer, "confidence"));
    if (is_chance(answer)) {
        if (confidence > 0)
            bt_page_print(page,
                          "no guarantee: %g of 100 releases like this have the true answer in "
                          "between\n",
                          100 * confidence);
        else
            bt_page_print(page, "there is no interval\n");
        return;
    }
    if (confidence >= 1)
        bt_page_print(page, "exact: it asks only about columns that were left as they are\n");
    else if (json_is_null(json_object_get(answer, "lower")) ||
             json_is_null(json_object_get(answer, "upper")))
        bt_page_print(page, "no bound: some cell allows any value\n");
    else
        bt_page_print(page, tight ? "tight: records that the release allows attain both ends\n"
                                  : "valid, but perhaps not tight\n");
}

/* Says that values of fewer than so many records were merged with others. */
static void print_merged(int64_t rare, bool interval, bt_page *page)
{
    if (rare == 0) return;
    bt_page_print(
        page, "values of fewer than %" PRId64 " records were merged with others: %s\n", rare,
        interval ? "the interval counts what they may have been, the estimate what they became"
                 : "the estimate is of what they became, and there is no interval");
}

/* Says which records the answer is about, where these are not all. */
static void print_population(const json_t *answer, bt_page *page)
{
    const json_t *population = json_object_get(answer, "population");
    int64_t dropped = bt_fact_int(population, "dropped");
    if (dropped == 0) return;
    bt_page_print(page, "of the ");
    bt_page_count(page, bt_fact_int(population, "published"), "published record",
                  "published records");
    bt_page_print(page, "; ");
    bt_page_count(page, dropped, "was dropped and is", "were dropped and are");
    bt_page_print(page, " not counted\n");
}

/* Columns in which a text may stand for any value that the release does not name elsewhere. */
static void print_unknown(const json_t *answer, bt_page *page)
{
    const json_t *columns = json_object_get(answer, "not_known");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        bt_page_print(page, "column '");
        bt_page_text(page, json_string_value(json_array_get(columns, i)));
        bt_page_print(page, "': which values are in its cells the release does not say in full, so "
                            "every cell counts that may hold one\n");
    }
}

static void print_notes(const json_t *answer, bt_page *page)
{
    const char *warning = bt_fact_text(answer, "warning");
    if (matches_nothing(answer) && !is_chance(answer)) {
        bt_page_print(page, "no record of the release can match\n");
        print_population(answer, page);
        return;
    }
    print_interval(answer, page);
    print_unknown(answer, page);
    if (*warning) {
        bt_page_print(page, "warning: ");
        bt_page_text(page, warning);
        bt_page_print(page, "\n");
    }
    print_merged(bt_fact_int(answer, "merged"),
                 json_is_number(json_object_get(answer, "confidence")), page);
    if (json_is_true(json_object_get(answer, "may_be_empty")))
        bt_page_print(page, "perhaps no record matches: then there is no such value\n");
    print_population(answer, page);
}

static int compare_estimates(const void *left, const void *right)
{
    const json_t *a = *(const json_t *const *)left, *b = *(const json_t *const *)right;
    double x = bt_fact_real(a, "estimate"), y = bt_fact_real(b, "estimate");
    if (x != y) return x > y ? -1 : 1;
    int64_t i = bt_fact_int(a, "row"), j = bt_fact_int(b, "row");
    return (i > j) - (i < j);
}

static void print_classes(const json_t *list, bt_page *page)
{
    size_t count = json_array_size(list), shown = count < MOST_CLASSES ? count : MOST_CLASSES;
    BT_OWN(bt_free) const json_t **order = bt_array(count, sizeof *order);
    bt_grid grid;
    page->failed |= !order;
    if (!order || count == 0) return;
    for (size_t i = 0; i < count; i++)
        order[i] = json_array_get(list, i);
    qsort(order, count, sizeof *order, compare_estimates);
    bool numbered = json_object_get(order[0], "class") != NULL;
    bt_grid_open(&grid, 5, "r");
    bt_grid_text(&grid, numbered ? "class" : "first row");
    bt_grid_text(&grid, "records");
    bt_grid_text(&grid, "estimate");
    bt_grid_text(&grid, "at least");
    bt_grid_text(&grid, "at most");
    for (size_t i = 0; i < shown; i++) {
        bt_grid_count(&grid, bt_fact_int(order[i], numbered ? "class" : "row"));
        bt_grid_count(&grid, bt_fact_int(order[i], "records"));
        if (json_is_null(json_object_get(order[i], "estimate")))
            bt_grid_text(&grid, "-");
        else
            bt_grid_number(&grid, bt_fact_real(order[i], "estimate"));
        bt_grid_count(&grid, bt_fact_int(order[i], "lower"));
        bt_grid_count(&grid, bt_fact_int(order[i], "upper"));
    }
    bt_grid_close(&grid, 2, page);
    if (shown < count) bt_page_print(page, "  … and %zu more\n", count - shown);
}

static void print_explanation(const json_t *explain, bt_page *page)
{
    const json_t *assumptions = json_object_get(explain, "assumptions");
    if (!explain) return;
    for (size_t i = 0; i < json_array_size(assumptions); i++) {
        bt_page_print(page, i == 0 ? "assumed:\n  " : "  ");
        bt_page_text(page, json_string_value(json_array_get(assumptions, i)));
        bt_page_print(page, "\n");
    }
    if (bt_fact_int(explain, "classes") == 0) return;
    bt_page_print(page, "matching records, in %" PRId64 " of ",
                  bt_fact_int(explain, "contributing"));
    bt_page_count(page, bt_fact_int(explain, "classes"), "class", "classes");
    bt_page_print(page, ":\n");
    print_classes(json_object_get(explain, "contributions"), page);
}

static void print_answer(const json_t *answer, bt_page *page)
{
    bt_grid grid;
    bool chance = is_chance(answer);
    const char *nothing = matches_nothing(answer) || chance ? "-" : "no bound";
    bt_grid_open(&grid, 2, "lr");
    bt_grid_text(&grid, "estimate");
    add_end(json_object_get(answer, "estimate"), "-", &grid);
    if (chance) {
        bt_grid_text(&grid, "standard error");
        add_end(json_object_get(answer, "standard_error"), "-", &grid);
    }
    bt_grid_text(&grid, chance ? "from" : "at least");
    add_end(json_object_get(answer, "lower"), nothing, &grid);
    bt_grid_text(&grid, chance ? "to" : "at most");
    add_end(json_object_get(answer, "upper"), nothing, &grid);
    bt_grid_close(&grid, 0, page);
    print_notes(answer, page);
    print_explanation(json_object_get(answer, "explain"), page);
}

/* ---- several ---- */

/* What is to be said of intervals that are no guarantees, once. */
static void print_chance(const json_t *answers, bt_page *page)
{
    bool any = false;
    int64_t rare = 0;
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *answer = json_array_get(answers, i);
        any |= is_chance(answer) && json_is_number(json_object_get(answer, "confidence"));
        if (rare == 0) rare = bt_fact_int(answer, "merged");
    }
    print_merged(rare, any, page);
    if (any)
        bt_page_print(page,
                      "an interval that is not tight is no guarantee: 95 of 100 releases like "
                      "this have the true answer in it\n");
}

/* Says why there is no estimate, once for each column that shows nothing. */
static void print_blanks(const json_t *answers, bt_page *page)
{
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const char *warning = bt_fact_text(json_array_get(answers, i), "warning");
        bool said = is_chance(json_array_get(answers, i)) || !*warning;
        for (size_t j = 0; j < i && !said; j++)
            said = strcmp(bt_fact_text(json_array_get(answers, j), "warning"), warning) == 0;
        if (said) continue;
        bt_page_text(page, warning);
        bt_page_print(page, "\n");
    }
}

static void print_table(const json_t *answers, bt_page *page)
{
    bt_grid grid;
    bt_grid_open(&grid, 5, "lrrrl");
    bt_grid_text(&grid, "query");
    bt_grid_text(&grid, "estimate");
    bt_grid_text(&grid, "at least");
    bt_grid_text(&grid, "at most");
    bt_grid_text(&grid, "tight");
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *answer = json_array_get(answers, i);
        bt_grid_name(&grid, bt_fact_text(answer, "query"));
        add_end(json_object_get(answer, "estimate"), "-", &grid);
        add_ends(answer, &grid);
        bool tight = json_is_true(json_object_get(answer, "tight"));
        bt_grid_text(&grid, matches_nothing(answer) ? "-" : tight ? "yes" : "no");
    }
    bt_grid_close(&grid, 0, page);
    print_chance(answers, page);
    print_blanks(answers, page);
    print_population(json_array_get(answers, 0), page);
}

void bt_render_query(const json_t *facts, bt_page *page)
{
    bool explained = json_object_get(json_array_get(facts, 0), "explain") != NULL;
    if (!json_is_array(facts)) {
        print_answer(facts, page);
    } else if (!explained) {
        print_table(facts, page);
    } else {
        for (size_t i = 0; i < json_array_size(facts); i++) {
            const json_t *answer = json_array_get(facts, i);
            bt_page_print(page, i > 0 ? "\n" : "");
            bt_page_text(page, bt_fact_text(answer, "query"));
            bt_page_print(page, "\n");
            print_answer(answer, page);
        }
    }
}
