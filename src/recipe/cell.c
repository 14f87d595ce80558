/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing and reading cells. Reading accepts exactly what writing can produce.
 */
#include "recipe/cell.h"

#include "base/bitset.h"
#include "base/sort.h"
#include "recipe/cuts.h"

#include <string.h>

/* ---- writing ---- */

static bauta_status write_text(bt_buffer *out, const char *text, bauta_error *error)
{
    return bt_buffer_add(out, text, strlen(text), error);
}

static bauta_status write_value(bt_buffer *out, const char *text, bauta_error *error)
{
    if (text[0] && strchr("*[{\\", text[0])) BT_TRY(bt_buffer_add(out, "\\", 1, error));
    return write_text(out, text, error);
}

static bauta_status write_member(bt_buffer *out, const char *text, bauta_error *error)
{
    for (size_t plain; *text; text += plain) {
        plain = strcspn(text, "|}\\");
        if (plain == 0) {
            BT_TRY(bt_buffer_add(out, "\\", 1, error));
            plain = 1;
        }
        BT_TRY(bt_buffer_add(out, text, plain, error));
    }
    return BAUTA_OK;
}

static bauta_status write_members(const char *const *members, size_t count, bt_buffer *out,
                                  bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        BT_TRY(bt_buffer_add(out, i ? "|" : "{", 1, error));
        BT_TRY(write_member(out, members[i], error));
    }
    return bt_buffer_add(out, "}", 1, error);
}

/* In the order of their bytes: the order of the codes would tell which value is more frequent. */
static bauta_status write_set(const bt_domain *domain, uint32_t lo, uint32_t hi,
                              const uint64_t *present, bt_buffer *out, bauta_error *error)
{
    size_t count = 0, capacity = 0;
    BT_OWN(bt_free) const char **members = NULL;
    for (uint64_t code = lo; code <= hi; code++) {
        if (present && code % 64 == 0 && present[code / 64] == 0) {
            code += 63; /* few members of a large domain: none in this word */
            continue;
        }
        if (present && !bt_bitset_has(present, code)) continue;
        BT_TRY(bt_array_grow(&members, &capacity, count + 1, sizeof *members, error));
        members[count++] = domain->text[code];
    }
    if (!members) return BAUTA_OK;
    qsort(members, count, sizeof *members, bt_compare_texts);
    return write_members(members, count, out, error);
}

static bauta_status write_grid(const bt_column *column, uint32_t lo, uint32_t hi, bt_buffer *out,
                               bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    char least[BT_NUMBER_TEXT], greatest[BT_NUMBER_TEXT];
    int64_t from, to;
    bt_cuts_range(column, lo, hi, &from, &to);
    int before = (int)bt_number_print(domain->reading.type, domain->scale, from, least);
    int behind = (int)bt_number_print(domain->reading.type, domain->scale, to, greatest);
    if (from == to) return bt_buffer_add(out, least, (size_t)before, error);
    return bt_buffer_print(out, error, "[%.*s,%.*s]", before, least, behind, greatest);
}

bauta_status bt_cell_write(const bt_column *column, uint32_t lo, uint32_t hi,
                           const uint64_t *present, bt_buffer *out, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    const bt_hierarchy *hierarchy = column->hierarchy;
    if (hierarchy)
        return write_text(out, hierarchy->nodes[bt_hierarchy_cover(hierarchy, lo, hi)].label,
                          error);
    if (column->cuts && hi < bt_domain_present(domain))
        return write_grid(column, lo, hi, out, error);
    if (lo == hi) return write_value(out, domain->text[lo], error);
    if (hi >= bt_domain_present(domain)) return write_text(out, "*", error);
    if (domain->reading.type == BT_TEXT) return write_set(domain, lo, hi, present, out, error);
    BT_TRY(bt_buffer_add(out, "[", 1, error));
    BT_TRY(write_text(out, domain->text[lo], error));
    BT_TRY(bt_buffer_add(out, ",", 1, error));
    BT_TRY(write_text(out, domain->text[hi], error));
    return bt_buffer_add(out, "]", 1, error);
}

/* ---- reading ---- */

static bool read_node(const bt_hierarchy *hierarchy, const char *bytes, size_t length, bt_cell *out)
{
    out->node = bt_hierarchy_find(hierarchy, bytes, length);
    if (out->node == UINT32_MAX) return false;
    out->kind = hierarchy->nodes[out->node].level == 0 ? BT_CELL_VALUE : BT_CELL_NODE;
    return true;
}

static bool read_number(const bt_cell_format *format, const char *bytes, size_t length,
                        int64_t *out)
{
    const bt_reading canonical = {.type = format->type, .date_form = BT_FORM_YMD};
    char again[BT_NUMBER_TEXT];
    return bt_value_number(&canonical, bytes, length, format->scale, out) &&
           bt_number_print(format->type, format->scale, *out, again) == length &&
           memcmp(again, bytes, length) == 0;
}

static bool read_range(const bt_cell_format *format, const char *bytes, size_t length, bt_cell *out)
{
    if (bytes[0] != '[') {
        out->kind = BT_CELL_VALUE;
        bool read = read_number(format, bytes, length, &out->lo);
        out->hi = out->lo;
        return read;
    }
    out->kind = BT_CELL_RANGE;
    const char *comma = memchr(bytes, ',', length), *end = bytes + length - 1;
    if (!comma || *end != ']') return false;
    return read_number(format, bytes + 1, (size_t)(comma - bytes) - 1, &out->lo) &&
           read_number(format, comma + 1, (size_t)(end - comma) - 1, &out->hi) && out->lo < out->hi;
}

/* Copies the members of a set (`bytes` begins after '{'), escapes undone, each with a zero byte
 * at its end. Returns how many there are, 0 when the text is not a set. */
static size_t split_set(const char *bytes, size_t length, char *copy)
{
    size_t members = 0;
    const char *member = copy;
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (c == '|' || c == '}') {
            if (copy == member) return 0;
            *copy++ = '\0';
            member = copy;
            members++;
            if (c == '}') return i + 1 == length ? members : 0;
            continue;
        }
        if (c == '\\') {
            if (++i == length || !strchr("|}\\", bytes[i])) return 0;
            c = bytes[i];
        }
        *copy++ = c;
    }
    return 0;
}

static bool ascending(const char *const *texts, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (strcmp(texts[i - 1], texts[i]) >= 0) return false;
    return true;
}

static bool read_set(const char *bytes, size_t length, bt_arena *arena, bt_cell *out, bool *memory)
{
    char *copy = bt_arena_alloc(arena, length + 1);
    *memory = !copy;
    if (!copy) return false;
    out->kind = BT_CELL_SET;
    out->count = split_set(bytes + 1, length - 1, copy);
    if (out->count < 2) return false;
    out->text = bt_arena_array(arena, out->count, sizeof *out->text);
    *memory = !out->text;
    if (!out->text) return false;
    for (size_t i = 0; i < out->count; i++, copy += strlen(copy) + 1)
        out->text[i] = copy;
    return ascending(out->text, out->count);
}

static bool read_text(const char *bytes, size_t length, bt_arena *arena, bt_cell *out, bool *memory)
{
    if (memchr(bytes, '\0', length)) return false;
    if (bytes[0] == '{') return read_set(bytes, length, arena, out, memory);
    if (bytes[0] == '*' || bytes[0] == '[') return false;
    if (bytes[0] == '\\') {
        bytes++;
        length--;
        if (length == 0 || !strchr("*[{\\", bytes[0])) return false;
    }
    out->kind = BT_CELL_VALUE;
    out->count = 1;
    out->text = bt_arena_array(arena, 1, sizeof *out->text);
    const char *copy = bt_arena_copy(arena, bytes, length);
    *memory = !out->text || !copy;
    if (*memory) return false;
    out->text[0] = copy;
    return true;
}

bool bt_cell_read(const bt_cell_format *format, const char *bytes, size_t length, bt_arena *arena,
                  bt_cell *out, bool *memory)
{
    *out = (bt_cell){.kind = BT_CELL_MISSING};
    *memory = false;
    if (length == 0) return true;
    if (length == 1 && bytes[0] == '*') {
        out->kind = BT_CELL_ALL;
        return true;
    }
    if (format->hierarchy) return read_node(format->hierarchy, bytes, length, out);
    if (format->type != BT_TEXT) return read_range(format, bytes, length, out);
    return read_text(bytes, length, arena, out, memory);
}
