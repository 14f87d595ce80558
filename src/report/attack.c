/* SPDX-License-Identifier: Apache-2.0
 *
 * What attacks found out, on one screen: what is broken first, then what is not shown to be broken,
 * not protected or not judged; what holds and what was not tried are a line each; last the verdict.
 * JSON has everything.
 */
#include "report/render.h"

#include <inttypes.h>
#include <string.h>

enum { SCREEN = 24, WIDE = 100 };

typedef enum verdict {
    BROKEN,
    ABOVE,
    NOT_PROMISED,
    NOT_JUDGED,
    HOLDS,
    NOT_TRIED,
    VERDICTS
} verdict;

static verdict verdict_of(const json_t *one)
{
    const json_t *holds = json_object_get(one, "holds");
    if (json_is_boolean(holds)) return json_is_true(holds) ? HOLDS : BROKEN;
    if (json_object_get(one, "skipped") || bt_fact_int(one, "tried") == 0) return NOT_TRIED;
    if (json_is_false(json_object_get(one, "told"))) return NOT_TRIED;
    if (json_is_true(json_object_get(one, "above"))) return ABOVE;
    return json_is_false(json_object_get(one, "judged")) ? NOT_JUDGED : NOT_PROMISED;
}

static void print_name(const json_t *one, bt_page *page)
{
    const char *variant = bt_fact_text(one, "variant"), *column = bt_fact_text(one, "column");
    bt_page_text(page, bt_fact_text(one, "attack"));
    if (*variant) {
        bt_page_print(page, ": ");
        bt_page_text(page, variant);
    }
    if (*column) {
        bt_page_print(page, " (");
        bt_page_text(page, column);
        bt_page_print(page, ")");
    }
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Takes and releases a text and prints it in lines that fit; those after the first stand a little
 * to the right. */
static void print_folded(bt_page *text, bt_page *page)
{
    size_t used = 0;
    bt_page_print(text, "%c", '\0');
    page->failed = page->failed || text->failed;
    for (const char *p = text->failed ? "" : text->text.bytes; *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " "), width = 0;
        for (const char *q = p; q < p + length; q += bt_rune_at(q).bytes)
            width += bt_rune_at(q).width;
        bool fits = used + 1 + width <= WIDE;
        if (used > 0) bt_page_print(page, fits ? " " : "\n    ");
        used = used == 0 ? width : fits ? used + 1 + width : 4 + width;
        if (bt_buffer_add(&page->text, p, length, NULL) != BAUTA_OK) page->failed = true;
        p += length;
    }
    if (used > 0) bt_page_print(page, "\n");
    bt_buffer_release(&text->text);
}

static void add_share(bt_grid *grid, const json_t *value)
{
    if (json_is_number(value))
        bt_grid_share(grid, json_number_value(value));
    else
        bt_grid_text(grid, "-");
}

static void add_result(const json_t *one, bt_grid *grid)
{
    static const char *const shares[] = {"success", "chance", "worst", "allowed"};
    bt_page name = {0};
    print_name(one, &name);
    bt_grid_page(grid, &name);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        add_share(grid, json_object_get(one, shares[i]));
}

static const char *const names[VERDICTS] = {"BROKEN",     "above", "not promised",
                                            "not judged", "holds", "not tried"};

/* How much is told: less until it fits. */
typedef enum amount { ALL, NO_ATTACKERS, FEW_DETAILS, FEW_LINES, EXTENTS } amount;

static bool has_line(verdict v, amount told)
{
    return v == BROKEN || v == ABOVE ||
           (told < FEW_LINES && (v == NOT_PROMISED || v == NOT_JUDGED));
}

static bool print_results(const json_t *facts, amount told, bt_page *page)
{
    static const char *const heads[] = {"attack", "success", "by chance",
                                        "worst",  "allowed", "promise"};
    bt_grid grid;
    bool any = false;
    bt_grid_open(&grid, sizeof heads / sizeof *heads, "lrrrrl");
    for (verdict v = BROKEN; v < VERDICTS; v++)
        for (size_t i = 0; has_line(v, told) && i < json_array_size(facts); i++) {
            const json_t *one = json_array_get(facts, i);
            if (verdict_of(one) != v) continue;
            for (size_t h = 0; !any && h < sizeof heads / sizeof *heads; h++)
                bt_grid_text(&grid, heads[h]);
            any = true;
            add_result(one, &grid);
            bt_grid_text(&grid, names[v]);
        }
    bt_grid_close(&grid, 0, page);
    return any;
}

/* What is to be said of a line: numbers in words and, of what is broken, what the attacker knows
 * and tries and who is hit worst. */
static void print_note(const json_t *one, bool whole, bt_page *page)
{
    const json_t *hit = json_object_get(one, "worst_records");
    const char *detail = bt_fact_text(one, "detail");
    bt_page text = {0};
    print_name(one, &text);
    if (whole)
        bt_page_print(&text, ": knows %s; tries %s", bt_fact_text(one, "knows"),
                      bt_fact_text(one, "tries"));
    if (*detail) bt_page_print(&text, "%s%s", whole ? "; " : ": ", detail);
    for (size_t h = 0; whole && h < json_array_size(hit); h++)
        bt_page_print(&text, "%s%" PRId64, h ? ", " : "; worst hit: row ",
                      bt_fact_int(json_array_get(hit, h), "row"));
    print_folded(&text, page);
}

static void print_notes(const json_t *facts, amount told, bt_page *page)
{
    for (verdict v = BROKEN; v < VERDICTS; v++)
        for (size_t i = 0; has_line(v, told) && i < json_array_size(facts); i++) {
            const json_t *one = json_array_get(facts, i);
            bool whole = v == BROKEN && told < NO_ATTACKERS;
            bool asked = v == BROKEN || v == ABOVE || told < FEW_DETAILS;
            if (verdict_of(one) == v && (whole || (asked && *bt_fact_text(one, "detail"))))
                print_note(one, whole, page);
        }
}

/* What is skipped is said with the reason. */
static bool is_listed(const json_t *one, verdict wanted, const char *attack)
{
    return verdict_of(one) == wanted && !json_object_get(one, "skipped") &&
           strcmp(bt_fact_text(one, "attack"), attack) == 0;
}

/* The attacks of a verdict in a line, each with how many of its results they are. */
static void print_list(const json_t *facts, verdict wanted, const char *heading, bt_page *page)
{
    bt_page text = {0};
    size_t all = json_array_size(facts);
    bool any = false;
    for (size_t i = 0; i < all; i++) {
        const char *attack = bt_fact_text(json_array_get(facts, i), "attack");
        size_t count = 0;
        if (!is_listed(json_array_get(facts, i), wanted, attack)) continue;
        for (size_t n = 0; n < all; n++)
            count += is_listed(json_array_get(facts, n), wanted, attack);
        size_t first = 0;
        while (!is_listed(json_array_get(facts, first), wanted, attack))
            first++;
        if (first < i) continue;
        bt_page_print(&text, "%s", any ? ", " : heading);
        bt_page_text(&text, attack);
        if (count > 1) bt_page_print(&text, " (%zu)", count);
        any = true;
    }
    print_folded(&text, page);
}

/* ---- what was not tried, and the verdict ------------------------------------------------- */

static void print_skipped(const json_t *facts, bt_page *page)
{
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *one = json_array_get(facts, i);
        bt_page text = {0};
        if (!json_object_get(one, "skipped")) continue;
        bt_page_print(&text, "not tried: %s: ", bt_fact_text(one, "attack"));
        bt_page_text(&text, bt_fact_text(one, "skipped"));
        print_folded(&text, page);
    }
}

static void print_verdict(const json_t *facts, bt_page *page)
{
    int64_t counts[VERDICTS] = {0};
    for (size_t i = 0; i < json_array_size(facts); i++)
        counts[verdict_of(json_array_get(facts, i))]++;
    if (counts[BROKEN] > 0)
        bt_page_print(page, "%" PRId64 " attack%s found out more than the release promises\n",
                      counts[BROKEN], counts[BROKEN] == 1 ? "" : "s");
    else if (counts[ABOVE] > 0)
        bt_page_print(page,
                      "%" PRId64 " attack%s surer of someone than the release allows; what %s "
                      "claim%s may be true by chance\n",
                      counts[ABOVE], counts[ABOVE] == 1 ? " is" : "s are",
                      counts[ABOVE] == 1 ? "it" : "they", counts[ABOVE] == 1 ? "s" : "");
    else if (counts[HOLDS] > 0)
        bt_page_print(page, "no attack found out more than the release promises\n");
    else
        bt_page_print(page, "no promise was tried\n");
    if (counts[NOT_PROMISED] > 0)
        bt_page_print(page,
                      "nothing is promised against %" PRId64 " result%s: what %s find%s out "
                      "is not protected\n",
                      counts[NOT_PROMISED], counts[NOT_PROMISED] == 1 ? "" : "s",
                      counts[NOT_PROMISED] == 1 ? "it" : "they",
                      counts[NOT_PROMISED] == 1 ? "s" : "");
}

static void print_all(const json_t *facts, amount told, bt_page *page)
{
    bool any = print_results(facts, told, page);
    print_notes(facts, told, page);
    if (any) bt_page_print(page, "\n");
    if (told >= FEW_LINES) {
        print_list(facts, NOT_PROMISED, "not promised: ", page);
        print_list(facts, NOT_JUDGED, "not judged: ", page);
    }
    print_list(facts, HOLDS, "holds: ", page);
    print_list(facts, NOT_TRIED, "not tried: ", page);
    print_skipped(facts, page);
    print_verdict(facts, page);
}

static size_t count_lines(const bt_page *page)
{
    size_t lines = 0;
    for (size_t i = 0; i < page->text.length; i++)
        lines += page->text.bytes[i] == '\n';
    return lines;
}

void bt_render_attack(const json_t *facts, bt_page *page)
{
    for (amount e = ALL; e < EXTENTS; e++) {
        bt_page trial = {0};
        print_all(facts, e, &trial);
        bool fits = trial.failed || e + 1 == EXTENTS || count_lines(&trial) <= SCREEN;
        if (fits && !trial.failed)
            page->failed = page->failed || bt_buffer_add(&page->text, trial.text.bytes,
                                                         trial.text.length, NULL) != BAUTA_OK;
        page->failed = page->failed || trial.failed;
        bt_buffer_release(&trial.text);
        if (fits) return;
    }
}
