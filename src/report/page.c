/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences: safe text, numbers for people, lists of names.
 */
#include "report/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(bt_page *page, const char *bytes, size_t length)
{
    page->failed = page->failed || bt_buffer_add(&page->text, bytes, length, NULL) != BAUTA_OK;
}

void bt_page_print(bt_page *page, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        add(page, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* Control characters, and those that turn the writing direction, as a backslash and a number. */
void bt_page_text(bt_page *page, const char *text)
{
    for (const char *p = text; *p;) {
        bt_rune rune = bt_rune_at(p);
        if (rune.visible)
            add(page, p, rune.bytes);
        else if (rune.code == '\n' || rune.code == '\t')
            add(page, rune.code == '\n' ? "\\n" : "\\t", 2);
        else
            bt_page_print(page, rune.code < 256 ? "\\x%02x" : "\\u%04x", (unsigned)rune.code);
        p += rune.bytes;
    }
}

size_t bt_number_group(int64_t number, char *out)
{
    char plain[24];
    int length = snprintf(plain, sizeof plain, "%" PRId64, number);
    size_t used = 0;
    int start = plain[0] == '-';
    for (int i = 0; i < length; i++) {
        if (i > start && (length - i) % 3 == 0) out[used++] = ',';
        out[used++] = plain[i];
    }
    out[used] = '\0';
    return used;
}

void bt_page_count(bt_page *page, int64_t count, const char *one, const char *many)
{
    char number[BT_GROUPED];
    bt_number_group(count, number);
    bt_page_print(page, "%s %s", number, count == 1 ? one : many);
}

void bt_page_names(bt_page *page, const json_t *names)
{
    size_t count = json_array_size(names);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (i) bt_page_print(page, "%s", i + 1 == count ? " and " : ", ");
        bt_page_text(page, name ? name : "?");
    }
}

void bt_page_notes(bt_page *page, const json_t *notes)
{
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const char *note = json_string_value(json_array_get(notes, i));
        bt_page_print(page, "%s", i ? "note: " : "\nnote: ");
        bt_page_text(page, note ? note : "");
        bt_page_print(page, "\n");
    }
}

int64_t bt_fact_int(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

double bt_fact_real(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

const char *bt_fact_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
