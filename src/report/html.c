/* SPDX-License-Identifier: Apache-2.0
 *
 * The page about a release, for people who decide whether it may be handed out: one file of HTML
 * that asks nothing of the network and holds no script.
 */
#include "chart/chart.h"
#include "report/render.h"

#include <string.h>

static const char style[] =
    "body{margin:0;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:46em;margin:0 auto;padding:1.5em}\n"
    "h1{font-size:1.5em;margin:.2em 0}h2{font-size:1.15em;margin:1.8em 0 .4em}\n"
    "p{margin:.5em 0}.verdict{font-weight:600}.quiet{opacity:.75}\n"
    "table.plain{border-collapse:collapse;font-size:.9em}\n"
    ".plain td,.plain th{padding:.25em 1em .25em 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid #8884}\n"
    ".no{font-weight:700;text-decoration:underline}\n"
    "@media(prefers-color-scheme:dark){body{background:#151515;color:#ddd}}\n"
    "@media print{main{max-width:none;padding:0}}\n";

/* Text from outside: control characters are made visible as everywhere, then it is escaped. */
static void add_text(bt_page *page, const char *text)
{
    bt_page safe = {0};
    bt_page_text(&safe, text);
    page->failed |= safe.failed || bt_buffer_add(&safe.text, "", 1, NULL) != BAUTA_OK;
    if (!page->failed) page->failed = bt_chart_text(safe.text.bytes, &page->text, NULL) != BAUTA_OK;
    bt_buffer_release(&safe.text);
}

static void add_element(bt_page *page, const char *open, const char *text, const char *close)
{
    bt_page_print(page, "%s", open);
    add_text(page, text);
    bt_page_print(page, "%s", close);
}

/* ---- what is protected ---- */

static void add_words(const json_t *facts, bt_page *page)
{
    const char *protects = bt_fact_text(facts, "protected");
    const char *open = bt_fact_text(facts, "not_protected");
    bt_page_print(page, "<h2>What is protected, and from whom</h2>\n");
    add_element(page, "<p>",
                *protects ? protects
                          : "The release is of an older format, which does not say it in words.",
                "</p>\n");
    if (*open) {
        bt_page_print(page, "<h2>What is not protected</h2>\n");
        add_element(page, "<p>", open, "</p>\n");
    }
}

/* ---- what the audit found ---- */

static const char *verdict_of(const json_t *holds)
{
    if (json_is_true(holds)) return "<td>holds</td>";
    return json_is_false(holds) ? "<td class=\"no\">broken</td>" : "<td>cannot be checked</td>";
}

static void add_findings(const json_t *audit, bt_page *page)
{
    size_t at;
    json_t *finding;
    bt_page_print(page,
                  "<h2>What the release promises, checked again</h2>\n<p class=\"verdict\">%s"
                  "</p>\n<table class=\"plain\">\n",
                  json_is_true(json_object_get(audit, "holds"))
                      ? "Every promise that can be checked holds."
                      : "A promise is broken: do not hand this out.");
    json_array_foreach(json_object_get(audit, "findings"), at, finding)
    {
        add_element(page, "<tr><th>", bt_fact_text(finding, "promise"), "</th>");
        bt_page_print(page, "%s", verdict_of(json_object_get(finding, "holds")));
        add_element(page, "<td>", bt_fact_text(finding, "detail"), "</td></tr>\n");
    }
    bt_page_print(page, "</table>\n");
}

/* ---- what was lost ---- */

enum { WORST = 3 };

/* The columns that lose most, the worst first. */
static size_t find_worst(json_t *losses, const char *names[WORST], double shares[WORST])
{
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(losses, name, value)
    {
        double share = json_number_value(value);
        size_t at = count;
        if (share <= 0 || (count == WORST && share <= shares[WORST - 1])) continue;
        if (count < WORST) count++;
        if (at == WORST) at--;
        for (; at > 0 && shares[at - 1] < share; at--) {
            shares[at] = shares[at - 1];
            names[at] = names[at - 1];
        }
        shares[at] = share;
        names[at] = name;
    }
    return count;
}

static void add_losses(const json_t *measures, bt_page *page)
{
    const char *names[WORST];
    double shares[WORST];
    char share[BT_SHARE_TEXT];
    bt_page_print(page, "<h2>What was lost</h2>\n");
    if (!measures) {
        bt_page_print(page, "<p class=\"quiet\">Not measured: the original records are needed "
                            "(<code>bauta report OUT --original FILE</code>).</p>\n");
        return;
    }
    if (!json_object_get(measures, "ncp")) {
        bt_page_print(page,
                      "<p>This form has no generalized cells whose loss could be measured.</p>\n");
        return;
    }
    bt_share_print(bt_fact_real(measures, "ncp"), share, sizeof share);
    bt_page_print(page,
                  "<p>The cells of the quasi-identifiers lose %s of "
                  "their information (NCP: 0 %% when every cell is the original value, 100 %% when "
                  "nothing is left).",
                  share);
    size_t count = find_worst(json_object_get(measures, "ncp_by_column"), names, shares);
    for (size_t i = 0; i < count; i++) {
        bt_share_print(shares[i], share, sizeof share);
        add_element(page, i ? ", " : " Most of it is lost in ", names[i], "");
        bt_page_print(page, " (%s)", share);
    }
    bt_page_print(page, "%s</p>\n",
                  count ? ". Three things win some of it back: a larger <code>weight</code> for a "
                          "column that matters, finer steps in its hierarchy, or fewer "
                          "quasi-identifiers."
                        : "");
    bt_picture_measures(measures, page);
}

/* ---- what attackers find out ---- */

static void add_attacks(const json_t *attacks, bt_page *page)
{
    size_t at, broken = 0, tried = 0;
    json_t *result;
    bt_page_print(page, "<h2>What attackers find out</h2>\n");
    if (!attacks) {
        bt_page_print(page, "<p class=\"quiet\">Not tried: attacks need the original records "
                            "(<code>bauta report OUT --original FILE</code>).</p>\n");
        return;
    }
    json_array_foreach(attacks, at, result)
    {
        broken += json_is_false(json_object_get(result, "holds"));
        tried += json_is_number(json_object_get(result, "success"));
    }
    if (broken > 0)
        bt_page_print(page,
                      "<p class=\"verdict\">%zu of %zu attacks find out more than the release "
                      "allows: do not hand this out.</p>\n",
                      broken, tried);
    else
        bt_page_print(page,
                      "<p class=\"verdict\">None of the %zu attacks that were tried finds out more "
                      "than the release allows.</p>\n",
                      tried);
    bt_page_print(page,
                  "<p>A bar without a mark is of an attack that the release does not promise to "
                  "prevent: its length is for you to judge.</p>\n");
    bt_picture_attacks(attacks, page);
}

/* ---- how it was made ---- */

static void add_row(bt_page *page, const char *name, const json_t *value)
{
    if (!value) return;
    add_element(page, "<tr><th>", name, "</th><td>");
    if (json_is_integer(value)) {
        char number[BT_GROUPED];
        bt_number_group(json_integer_value(value), number);
        bt_page_print(page, "%s", number);
    }
    if (json_is_string(value)) add_text(page, json_string_value(value));
    bt_page_print(page, "</td></tr>\n");
}

static void add_settings(const json_t *facts, bt_page *page)
{
    static const char *const rows[][2] = {
        {"method", "Method of grouping"},   {"form", "Published as"},
        {"published", "Records published"}, {"suppressed", "Records dropped"},
        {"id", "Number of the release"},
    };
    bt_page_print(page, "<h2>How it was made</h2>\n<table class=\"plain\">\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_row(page, rows[i][1], json_object_get(facts, rows[i][0]));
    bt_page_print(page, "</table>\n");
}

void bt_render_page(const json_t *facts, bt_page *page)
{
    bt_page_print(page,
                  "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n<title>Report on a release</title>\n<style>\n%s"
                  "</style>\n",
                  style);
    page->failed |= bt_chart_style(&page->text, NULL) != BAUTA_OK;
    bt_page_print(page,
                  "</head>\n<body><main>\n<h1>Report on a release</h1>\n"
                  "<p class=\"quiet\">For the owner of the table: this page is private.</p>\n");
    add_words(facts, page);
    add_findings(json_object_get(facts, "audit"), page);
    add_losses(json_object_get(facts, "measures"), page);
    add_attacks(json_object_get(facts, "attacks"), page);
    add_settings(facts, page);
    bt_page_print(page, "</main></body>\n</html>\n");
}
