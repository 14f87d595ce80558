/* SPDX-License-Identifier: Apache-2.0
 *
 * What the nodes of derived hierarchies stand for. The manifest gives their labels only, so these
 * are read back: the inverse of the labels that the schemes of src/recipe make.
 */
#include "query/column.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

static const bt_reading date_reading = {.type = BT_DATE, .date_form = BT_FORM_YMD};

/* The least number of the column's scale that is not below a decimal text. */
static bool read_ceiling(const char *text, int scale, int64_t *out)
{
    bt_rational value;
    if (!text[0] || strspn(text, "-0123456789.") != strlen(text)) return false;
    if (!bt_rational_parse(text, &value)) return false;
    __int128 top = value.top;
    for (int i = 0; i < scale; i++)
        top *= 10;
    __int128 number = top / value.bottom + (top > 0 && top % value.bottom != 0);
    if (number >= INT64_MAX || number <= INT64_MIN) return false;
    *out = (int64_t)number;
    return true;
}

static bool read_value(const bt_manifest_column *column, const char *text, int64_t *out)
{
    if (column->type == BT_DATE) return bt_value_number(&date_reading, text, strlen(text), 0, out);
    return read_ceiling(text, column->scale, out);
}

static void be_numbers(bt_meaning *out, int64_t lo, int64_t hi)
{
    *out = (bt_meaning){.kind = BT_MEANING_NUMBERS, .lo = lo, .hi = hi};
}

/* Cuts a text at the first `separator`; NULL: it is not there. */
static char *cut(char *text, const char *separator)
{
    char *at = strstr(text, separator);
    if (!at) return NULL;
    *at = '\0';
    return at + strlen(separator);
}

/* A label that stands at two levels has its level behind it: where that would begin, or NULL. */
static char *find_level(char *label, uint32_t level)
{
    char suffix[16];
    int length = snprintf(suffix, sizeof suffix, "@%u", level);
    size_t all = strlen(label);
    bool there = all > (size_t)length && strcmp(label + all - length, suffix) == 0;
    return there ? label + all - length : NULL;
}

/* ---- schemes: each reads a label that it may change ---- */

typedef bool (*label_reader)(const bt_manifest_column *column, const bt_node *node, char *label,
                             bt_meaning *out);

/* "[lo,hi)", "lo-hi", "date..date" */
static bool read_interval(const bt_manifest_column *column, const bt_node *node, char *label,
                          bt_meaning *out)
{
    (void)node;
    size_t length = strlen(label);
    bool half_open = label[0] == '[' && label[length - 1] == ')';
    int64_t lo, hi;
    if (half_open) {
        label[length - 1] = '\0';
        label++;
    }
    char *second = cut(label, half_open ? "," : column->type == BT_DATE ? ".." : "-");
    if (!second || !read_value(column, label, &lo) || !read_value(column, second, &hi))
        return false;
    if (lo > hi - half_open) return false;
    be_numbers(out, lo, hi - half_open);
    return true;
}

static bool day_of(int year, int month, int64_t *out)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%04d-%02d-01", year, month);
    return bt_value_number(&date_reading, text, (size_t)length, 0, out);
}

/* "2024-02", "2024", "2020s": from the first day to the one before the next begins. */
static bool read_date(const bt_manifest_column *column, const bt_node *node, char *label,
                      bt_meaning *out)
{
    (void)column;
    (void)node;
    size_t length = strlen(label), digits = strspn(label, "0123456789");
    int64_t lo = BT_FIRST_DAY, next = BT_LAST_DAY + 1;
    if (digits != 4) return false;
    int year = 0, month = 1;
    for (size_t i = 0; i < 4; i++)
        year = year * 10 + (label[i] - '0');
    bool decade = length == 5 && label[4] == 's';
    bool in_year = length == 7 && label[4] == '-' && strspn(label + 5, "0123456789") == 2;
    if (length != 4 && !decade && !in_year) return false;
    if (in_year) month = (label[5] - '0') * 10 + (label[6] - '0');
    if (year > 0 && !day_of(year, month, &lo)) return false;
    if (in_year && month < 12)
        month++;
    else
        year += decade ? 10 : 1, month = 1;
    if (year <= 9999 && !day_of(year, month, &next)) return false;
    be_numbers(out, lo, next - 1);
    return true;
}

/* "first..last". Texts may hold dots themselves, be cut, or end like a level: then
 * nothing is known. */
static bool read_balanced(const bt_manifest_column *column, const bt_node *node, char *label,
                          bt_meaning *out)
{
    int64_t lo, hi;
    char *second = cut(label, "..");
    if (!second) return false;
    if (column->type != BT_TEXT) {
        if (!read_value(column, label, &lo) || !read_value(column, second, &hi) || lo > hi)
            return false;
        be_numbers(out, lo, hi);
        return true;
    }
    bool doubtful = find_level(second, node->level) || second[0] == '.' || strstr(second, "..") ||
                    strstr(label, "…") || strstr(second, "…") || strcmp(label, second) > 0;
    if (doubtful) return false;
    *out = (bt_meaning){
        .kind = BT_MEANING_TEXTS, .from = label, .to = second, .leaves = node->hi - node->lo};
    return true;
}

static int64_t power_of_ten(uint32_t exponent)
{
    int64_t power = 1;
    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

/* Integers that begin with `shown` and have `hidden` digits more. */
static bool read_masked_number(const char *shown, uint32_t hidden, bt_meaning *out)
{
    bool negative = shown[0] == '-';
    const char *digits = shown + negative;
    size_t count = strlen(digits);
    int64_t prefix = 0, power;
    if (hidden + count > 18 || digits[0] == '0' || strspn(digits, "0123456789") != count)
        return false;
    power = power_of_ten(hidden);
    for (const char *p = digits; *p; p++)
        prefix = prefix * 10 + (*p - '0');
    int64_t least = count ? prefix * power : power / 10, most = prefix * power + power - 1;
    if (count == 0 && !negative) return false;
    be_numbers(out, negative ? -most : least, negative ? -least : most);
    return true;
}

/* "130**": as many stars at the end as the level says. */
static bool read_mask(const bt_manifest_column *column, const bt_node *node, char *label,
                      bt_meaning *out)
{
    char *level = find_level(label, node->level);
    if (level) *level = '\0'; /* no label of this scheme ends so by itself: it ends in a star */
    size_t length = strlen(label), stars = 0;
    while (stars < length && stars < node->level && label[length - 1 - stars] == '*')
        stars++;
    if (stars < node->level) return false;
    label[length - stars] = '\0';
    if (column->type != BT_TEXT) return read_masked_number(label, node->level, out);
    *out = (bt_meaning){.kind = BT_MEANING_MASK,
                        .from = label,
                        .hidden = node->level,
                        .leaves = node->hi - node->lo};
    return true;
}

static const struct scheme {
    const char *spec;
    label_reader read;
} schemes[] = {
    {"intervals:", read_interval},
    {"mask", read_mask},
    {"balanced:", read_balanced},
    {"date", read_date},
};

bauta_status bt_label_meaning(const bt_manifest_column *column, const bt_node *node,
                              bt_arena *arena, bt_meaning *out, bauta_error *error)
{
    *out = (bt_meaning){.kind = BT_MEANING_ANY, .loose = true};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (strncmp(column->partial, schemes[i].spec, strlen(schemes[i].spec)) != 0) continue;
        char *label = bt_arena_copy(arena, node->label, strlen(node->label));
        if (!label) return bt_fail_memory(error);
        bt_meaning read;
        char *level = find_level(label, node->level);
        if (level && column->type != BT_TEXT) *level = '\0';
        if (label[0] && schemes[i].read(column, node, label, &read)) *out = read;
        return BAUTA_OK;
    }
    return BAUTA_OK;
}
