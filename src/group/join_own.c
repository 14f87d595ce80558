/* SPDX-License-Identifier: Apache-2.0
 *
 * The microdata with domains of their own.
 *
 * Numbers of external persons widen the ranges of a joined table, and with them what a method takes
 * for a great loss. The first grouping of `refine` must be the one that the microdata get without a
 * public table, or refining might end with more loss than that. So it is made with the numbers of
 * the microdata alone, and its boxes are then told in codes of the join.
 */
#include "group/join.h"

#include <string.h>

static bool is_number(const bt_column *column)
{
    return column->role == BT_ROLE_QUASI && !column->hierarchy &&
           column->domain.reading.type != BT_TEXT;
}

/* Lists the codes that occur, ascending. */
static bauta_status list_codes(const bt_column *column, int64_t rows, uint32_t **codes,
                               uint32_t *count, bauta_error *error)
{
    uint32_t size = column->domain.size;
    bool *occurs = bt_array_zero(size, sizeof *occurs);
    *codes = bt_array(size, sizeof **codes);
    *count = 0;
    bool made = occurs && *codes;
    for (int64_t row = 0; made && row < rows; row++)
        occurs[bt_column_code(column, row)] = true;
    for (uint32_t code = 0; made && code < size; code++)
        if (occurs[code]) (*codes)[(*count)++] = code;
    free(occurs);
    if (made) return BAUTA_OK;
    free(*codes);
    *codes = NULL;
    return bt_fail_memory(error);
}

static void put_code(const bt_column *column, int64_t row, uint32_t code)
{
    switch (column->width) {
    case 1: ((uint8_t *)column->codes)[row] = (uint8_t)code; break;
    case 2: ((uint16_t *)column->codes)[row] = (uint16_t)code; break;
    default: ((uint32_t *)column->codes)[row] = code; break;
    }
}

/* Replaces the domain of a column by the values that occur; `codes` are those in the old one. */
static bauta_status narrow(bt_column *column, int64_t rows, const uint32_t *codes, uint32_t count,
                           bt_arena *arena, bauta_error *error)
{
    const bt_column old = *column;
    bt_domain *domain = &column->domain;
    uint32_t *own = bt_array(old.domain.size, sizeof *own);
    const char **text = bt_arena_array(arena, count, sizeof *text);
    int64_t *number = bt_arena_array(arena, count, sizeof *number);
    column->width = bt_code_width(count);
    column->codes = bt_array((size_t)rows, column->width);
    bool made = own && text && number && column->codes;
    for (uint32_t i = 0; made && i < count; i++) {
        own[codes[i]] = i;
        text[i] = old.domain.text[codes[i]];
        number[i] = old.domain.number[codes[i]];
    }
    domain->size = count;
    domain->has_missing = codes[count - 1] >= bt_domain_present(&old.domain);
    domain->text = text;
    domain->number = number;
    for (int64_t row = 0; made && row < rows; row++)
        put_code(column, row, own[bt_column_code(&old, row)]);
    free(own);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_own_domains_make(const bt_table *microdata, bt_own_domains *out, bauta_error *error)
{
    *out = (bt_own_domains){.table = *microdata};
    bt_table *table = &out->table;
    table->arena = (bt_arena){0};
    table->columns = bt_arena_array(&table->arena, table->count, sizeof *table->columns);
    out->codes = bt_array_zero(table->count, sizeof *out->codes);
    if (!table->columns || !out->codes) return bt_fail_memory(error);
    memcpy(table->columns, microdata->columns, table->count * sizeof *table->columns);
    for (size_t c = 0; c < table->count; c++) {
        uint32_t count, **codes = &out->codes[c];
        if (!is_number(&table->columns[c])) continue;
        BT_TRY(list_codes(&table->columns[c], table->rows, codes, &count, error));
        BT_TRY(narrow(&table->columns[c], table->rows, *codes, count, &table->arena, error));
    }
    return BAUTA_OK;
}

void bt_own_domains_restore(const bt_own_domains *own, bt_grouping *grouping)
{
    size_t place = 0;
    for (size_t c = 0; c < own->table.count; c++) {
        if (own->table.columns[c].role != BT_ROLE_QUASI) continue;
        for (uint32_t i = 0; own->codes[c] && i < grouping->classes; i++) {
            bt_box *box = &grouping->boxes[(size_t)i * grouping->columns + place];
            *box = (bt_box){own->codes[c][box->lo], own->codes[c][box->hi]};
        }
        place++;
    }
}

void bt_own_domains_release(bt_own_domains *own)
{
    for (size_t c = 0; own->codes && c < own->table.count; c++) {
        if (own->codes[c]) free(own->table.columns[c].codes);
        free(own->codes[c]);
    }
    free(own->codes);
    bt_arena_release(&own->table.arena);
    *own = (bt_own_domains){0};
}
