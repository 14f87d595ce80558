/* SPDX-License-Identifier: Apache-2.0
 *
 * From the distinct texts of a column to its domain: type, canonical texts, natural order.
 * Linear for numbers and dates (radix sort), n log n for text.
 */
#include "table/table.h"

#include <string.h>

/* A value to be ranked. */
typedef struct item {
    uint64_t key; /* ascending; text: the complement of its rows */
    const char *text;
    uint32_t length;
    uint32_t value; /* index into bt_values */
} item;

typedef struct builder {
    const bt_values *values;
    const bt_domain_options *options;
    bt_arena *arena;
    bt_domain *domain;
    uint32_t *code_of_value;
    item *items; /* present values */
    uint32_t count;
    uint32_t missing; /* source texts that mean missing */
} builder;

/* ---- type ---- */

static void split_missing(builder *b)
{
    for (uint32_t i = 0; i < b->values->count; i++) {
        const char *text = b->values->text[i];
        uint32_t length = b->values->length[i];
        b->code_of_value[i] = 0;
        if (b->values->rows[i] == 0) continue; /* only rows that are dropped have it */
        if (bt_is_missing(b->options->missing, text, length)) {
            b->code_of_value[i] = UINT32_MAX;
            b->missing++;
        } else {
            b->items[b->count++] = (item){0, text, length, i};
        }
    }
}

static bool is_of_type(const builder *b, const item *it)
{
    unsigned wanted = bt_type_forms(b->options->type);
    bool comma = b->options->decimal_comma;
    if (b->options->whole && wanted == BT_FORM_INTEGER &&
        bt_value_scale(it->text, it->length, comma) == 0)
        wanted |= BT_FORM_DECIMAL;
    return bt_value_forms(it->text, it->length, comma) & wanted || !wanted;
}

/* Sets aside what does not fit the types of a release that the table is compared with: values of
 * rows that were dropped or are hidden, unless nothing fits. */
static void set_misfits_aside(builder *b)
{
    int64_t rows = 0;
    uint32_t kept = 0, misfits = 0;
    if (!b->options->has_type || b->options->misfits_most == 0) return;
    for (uint32_t i = 0; i < b->count; i++)
        if (!is_of_type(b, &b->items[i])) {
            rows += b->values->rows[b->items[i].value];
            misfits++;
        }
    if (misfits == 0 || misfits == b->count || rows > b->options->misfits_most) return;
    for (uint32_t i = 0; i < b->count; i++) {
        if (is_of_type(b, &b->items[i])) {
            b->items[kept++] = b->items[i];
            continue;
        }
        b->code_of_value[b->items[i].value] = UINT32_MAX;
        b->missing++;
    }
    b->count = kept;
}

static unsigned common_forms(const builder *b)
{
    unsigned forms = BT_FORM_ANY;
    for (uint32_t i = 0; i < b->count && forms != 0; i++)
        forms &= bt_value_forms(b->items[i].text, b->items[i].length, b->options->decimal_comma);
    return forms;
}

static int common_scale(const builder *b)
{
    int scale = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        int own = bt_value_scale(b->items[i].text, b->items[i].length, b->options->decimal_comma);
        if (own > scale) scale = own;
    }
    return scale;
}

/* Fills the keys; returns how many values do not fit the reading. Flipping the sign bit orders
 * signed numbers as unsigned ones. */
static uint32_t fill_numbers(builder *b, const bt_reading *reading, int scale)
{
    uint32_t misfits = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        item *it = &b->items[i];
        int64_t number = 0;
        misfits += !bt_value_number(reading, it->text, it->length, scale, &number);
        it->key = (uint64_t)number ^ (uint64_t)1 << 63;
    }
    return misfits;
}

static void guess_type(builder *b)
{
    bt_domain *domain = b->domain;
    domain->reading = bt_reading_of(common_forms(b), b->options->decimal_comma, b->count > 0);
    if (domain->reading.type == BT_TEXT) return;
    if (domain->reading.type == BT_DECIMAL) domain->scale = common_scale(b);
    if (fill_numbers(b, &domain->reading, domain->scale) == 0) return;
    /* Each number fits 64 bits, but not at the scale that all of them need. */
    domain->reading = (bt_reading){.type = BT_TEXT, .decimal_comma = b->options->decimal_comma};
    domain->scale = 0;
}

static bauta_status wrong_type(const builder *b, uint32_t misfits, bauta_error *error)
{
    const char *column = b->options->column, *type = bt_type_name(b->options->type);
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "%u distinct values of column '%s' are not of type %s",
                misfits, column, type);
    bt_error_place(error, NULL, -1, column);
    bt_error_hint(error,
                  "leave the type of '%s' out or make it text; a token that means missing can be "
                  "named as a missing value",
                  column);
    return status;
}

/* The only date order that fits all values. */
static bauta_status choose_date_form(builder *b, bauta_error *error)
{
    uint32_t least = UINT32_MAX;
    int fitting = 0;
    for (unsigned form = BT_FORM_YMD; form <= BT_FORM_MDY; form <<= 1) {
        bt_reading reading = {.type = BT_DATE, .date_form = form, .timed = true};
        uint32_t misfits = fill_numbers(b, &reading, 0);
        fitting += misfits == 0;
        if (misfits >= least) continue;
        least = misfits;
        b->domain->reading.date_form = form;
    }
    b->domain->reading.timed = !(common_forms(b) & BT_FORM_DAY);
    if (least > 0) return wrong_type(b, least, error);
    if (fitting == 1 || b->count == 0) return BAUTA_OK;
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "the dates of column '%s' can be read as day/month and as month/day",
        b->options->column);
    bt_error_place(error, NULL, -1, b->options->column);
    bt_error_hint(error, "write them as year-month-day, or take them as text");
    return status;
}

static bauta_status impose_type(builder *b, bauta_error *error)
{
    bt_domain *domain = b->domain;
    domain->reading = (bt_reading){.type = b->options->type,
                                   .decimal_comma = b->options->decimal_comma,
                                   .whole = b->options->whole};
    if (domain->reading.type == BT_TEXT) return BAUTA_OK;
    if (domain->reading.type == BT_DATE) BT_TRY(choose_date_form(b, error));
    if (domain->reading.type == BT_DECIMAL) domain->scale = common_scale(b);
    uint32_t misfits = fill_numbers(b, &domain->reading, domain->scale);
    return misfits > 0 ? wrong_type(b, misfits, error) : BAUTA_OK;
}

/* ---- order ---- */

/* Bytes of the key from the lowest up; bytes that all keys share cost one counting pass. */
static void radix_sort(item *items, item *spare, uint32_t count)
{
    item *from = items, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t starts[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            starts[(from[i].key >> shift & 255) + 1]++;
        if (starts[(from[0].key >> shift & 255) + 1] == count) continue;
        for (int i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (uint32_t i = 0; i < count; i++)
            to[starts[from[i].key >> shift & 255]++] = from[i];
        item *other = from;
        from = to;
        to = other;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

static int compare_text(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    if (order != 0) return order;
    return (a->length > b->length) - (a->length < b->length);
}

static bauta_status sort_items(builder *b, bauta_error *error)
{
    if (b->domain->reading.type == BT_TEXT) {
        for (uint32_t i = 0; i < b->count; i++)
            b->items[i].key = ~(uint64_t)b->values->rows[b->items[i].value];
        qsort(b->items, b->count, sizeof *b->items, compare_text);
    } else if (b->count > 1) {
        BT_OWN(bt_free) item *spare = bt_array(b->count, sizeof *spare);
        if (!spare) return bt_fail_memory(error);
        radix_sort(b->items, spare, b->count);
    }
    return BAUTA_OK;
}

/* ---- layout ---- */

static const char *canonical_text(builder *b, const item *it, int64_t number)
{
    char printed[BT_NUMBER_TEXT];
    if (b->domain->reading.type == BT_TEXT) return bt_arena_copy(b->arena, it->text, it->length);
    size_t length = bt_number_print(b->domain->reading.type, b->domain->scale, number, printed);
    return bt_arena_copy(b->arena, printed, length);
}

/* Equal numbers under different texts ("1", "1.0") share a code; texts are distinct already. */
static uint32_t count_codes(const builder *b)
{
    if (b->domain->reading.type == BT_TEXT) return b->count;
    uint32_t codes = b->count > 0;
    for (uint32_t i = 1; i < b->count; i++)
        codes += b->items[i].key != b->items[i - 1].key;
    return codes;
}

static bauta_status lay_out(builder *b, bauta_error *error)
{
    bt_domain *domain = b->domain;
    bool numeric = domain->reading.type != BT_TEXT;
    uint32_t present = count_codes(b), code = 0;
    domain->has_missing = b->missing > 0;
    domain->size = present + domain->has_missing;
    const char **text = bt_arena_array(b->arena, domain->size, sizeof *text);
    int64_t *numbers = numeric ? bt_arena_array(b->arena, domain->size, sizeof *numbers) : NULL;
    if (!text || (numeric && !numbers)) return bt_fail_memory(error);
    for (uint32_t i = 0; i < b->count; i++) {
        const item *it = &b->items[i];
        bool fresh = i == 0 || !numeric || it->key != b->items[i - 1].key;
        if (fresh) {
            int64_t number = numeric ? (int64_t)(it->key ^ (uint64_t)1 << 63) : 0;
            if (numeric) numbers[code] = number;
            text[code] = canonical_text(b, it, number);
            if (!text[code]) return bt_fail_memory(error);
            code++;
        }
        b->code_of_value[it->value] = code - 1;
    }
    if (domain->has_missing) text[present] = "";
    for (uint32_t i = 0; i < b->values->count && b->missing > 0; i++)
        if (b->code_of_value[i] == UINT32_MAX) b->code_of_value[i] = present;
    domain->text = text;
    domain->number = numbers;
    return BAUTA_OK;
}

bauta_status bt_domain_build(const bt_values *values, const bt_domain_options *options,
                             bt_arena *arena, bt_domain *out, uint32_t *code_of_value,
                             bauta_error *error)
{
    BT_OWN(bt_free) item *items = bt_array(values->count, sizeof *items);
    *out = (bt_domain){0};
    builder b = {values, options, arena, out, code_of_value, items, 0, 0};
    if (!items) return bt_fail_memory(error);
    split_missing(&b);
    set_misfits_aside(&b);
    if (options->has_type)
        BT_TRY(impose_type(&b, error));
    else
        guess_type(&b);
    BT_TRY(sort_items(&b, error));
    return lay_out(&b, error);
}

bool bt_domain_canonical(const bt_domain *domain, const char **text, size_t *length, char *out)
{
    if (domain->reading.type == BT_TEXT) return true;
    const bt_reading readings[] = {domain->reading,
                                   {.type = domain->reading.type, .date_form = BT_FORM_YMD}};
    for (size_t i = 0; i < 2; i++) {
        const char *canonical = bt_value_canonical(&readings[i], *text, *length, out, length);
        if (canonical != out) continue;
        *text = out;
        return true;
    }
    return false;
}
