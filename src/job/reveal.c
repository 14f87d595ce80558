/* SPDX-License-Identifier: Apache-2.0
 *
 * A sample of rows with their true values, their cells, and what is published beside them.
 */
#include "job/reveal.h"

#include "base/bitset.h"
#include "base/sort.h"
#include "io/excerpt.h"
#include "profile/guess.h"
#include "recipe/cell.h"

#include <string.h>

static const bt_rational most_revealed = {1, 20};

typedef struct sample {
    const bt_loaded *loaded;
    const bt_run *run;
    const bt_reveal_request *asked; /* NULL: there is no release yet */
    size_t count;
    int64_t *rows;      /* of the table, ascending */
    size_t *numbers;    /* of each in the excerpt, where there is one */
    uint32_t *class_of; /* with a grouping */
    bt_clue *clues;
    size_t *clue_columns; /* of the input, per clue */
    size_t clue_count;
    bt_veiled *veiled;
    size_t *veiled_columns; /* of the input */
    size_t veiled_count;
    bt_arena arena;
} sample;

static void release(sample *s)
{
    bt_arena_release(&s->arena);
}

/* ---- rows -------------------------------------------------------------------------------- */

static bauta_status open_rows(sample *s, size_t room, bauta_error *error)
{
    size_t columns = s->loaded->columns;
    s->rows = bt_arena_array(&s->arena, room, sizeof *s->rows);
    s->numbers = bt_arena_array(&s->arena, room, sizeof *s->numbers);
    s->class_of = bt_arena_array(&s->arena, room, sizeof *s->class_of);
    s->clues = bt_arena_array(&s->arena, columns, sizeof *s->clues);
    s->clue_columns = bt_arena_array(&s->arena, columns, sizeof *s->clue_columns);
    s->veiled = bt_arena_array(&s->arena, columns, sizeof *s->veiled);
    s->veiled_columns = bt_arena_array(&s->arena, columns, sizeof *s->veiled_columns);
    return s->rows && s->numbers && s->class_of && s->clues && s->clue_columns && s->veiled &&
                   s->veiled_columns
               ? BAUTA_OK
               : bt_fail_memory(error);
}

/* Without an excerpt, as the excerpt of a single block would have them. */
static bauta_status choose_rows(sample *s, bauta_error *error)
{
    bt_excerpt chosen = {0};
    bauta_status status = BAUTA_OK;
    for (int64_t row = 0; row < s->loaded->table.rows && status == BAUTA_OK; row++)
        if (bt_excerpt_wants(&chosen, bt_excerpt_rank(0, row)))
            status = bt_excerpt_add(&chosen, 0, row, NULL, 0, NULL, 0, error);
    bt_excerpt_settle(&chosen);
    if (status == BAUTA_OK) status = open_rows(s, chosen.count, error);
    for (size_t i = 0; i < chosen.count && status == BAUTA_OK; i++)
        s->rows[s->count++] = chosen.rows[i].row;
    if (s->count > 0) qsort(s->rows, s->count, sizeof *s->rows, bt_compare_int64);
    bt_excerpt_release(&chosen);
    return status;
}

/* Takes the rows of the excerpt that were not dropped for a missing value. */
static bauta_status take_excerpt(sample *s, bauta_error *error)
{
    const bt_loaded *loaded = s->loaded;
    size_t count = bt_raw_excerpt_count(loaded->raw);
    int64_t at = 0;
    BT_TRY(open_rows(s, count, error));
    for (size_t i = 0; i < count; i++) {
        int64_t row = bt_raw_excerpt_row(loaded->raw, i);
        if (loaded->row_map) {
            while (at < loaded->table.rows && loaded->row_map[at] < row)
                at++;
            if (at == loaded->table.rows || loaded->row_map[at] != row) continue;
            row = at;
        }
        s->numbers[s->count] = i;
        s->rows[s->count++] = row;
    }
    return BAUTA_OK;
}

/* Leaves the rows that are in a class. */
static bauta_status find_classes(sample *s, const bt_grouping *grouping, bauta_error *error)
{
    size_t kept = 0;
    uint64_t *wanted =
        bt_array_zero(bt_bitset_words((size_t)s->loaded->table.rows), sizeof *wanted);
    if (!wanted) return bt_fail_memory(error);
    for (size_t i = 0; i < s->count; i++) {
        s->class_of[i] = UINT32_MAX;
        bt_bitset_add(wanted, (size_t)s->rows[i]);
    }
    for (uint32_t c = 0; c < grouping->classes; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            int64_t row = grouping->order[i];
            if (!bt_bitset_has(wanted, (size_t)row)) continue;
            int64_t *found = bsearch(&row, s->rows, s->count, sizeof *s->rows, bt_compare_int64);
            if (found) s->class_of[found - s->rows] = c;
        }
    free(wanted);
    for (size_t i = 0; i < s->count; i++) {
        if (s->class_of[i] == UINT32_MAX) continue;
        s->rows[kept] = s->rows[i];
        s->numbers[kept] = s->numbers[i];
        s->class_of[kept++] = s->class_of[i];
    }
    s->count = kept;
    return BAUTA_OK;
}

/* ---- clues ------------------------------------------------------------------------------- */

typedef struct clue_maker {
    uint32_t *codes;
    int64_t *numbers;
    bool *known;
} clue_maker;

static bauta_status open_clue(sample *s, clue_maker *out, bauta_error *error)
{
    out->codes = bt_arena_array(&s->arena, s->count, sizeof *out->codes);
    out->numbers = bt_arena_array(&s->arena, s->count, sizeof *out->numbers);
    out->known = bt_arena_array(&s->arena, s->count, sizeof *out->known);
    return out->codes && out->numbers && out->known ? BAUTA_OK : bt_fail_memory(error);
}

static void close_clue(sample *s, const clue_maker *made, size_t column, bt_type type, int scale)
{
    s->clue_columns[s->clue_count] = column;
    s->clues[s->clue_count++] = (bt_clue){.codes = made->codes,
                                          .numbers = type == BT_TEXT ? NULL : made->numbers,
                                          .known = made->known,
                                          .type = type,
                                          .scale = scale};
}

static bauta_status add_coded_clue(sample *s, const bt_column *column, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    clue_maker made;
    BT_TRY(open_clue(s, &made, error));
    for (size_t i = 0; i < s->count; i++) {
        made.codes[i] = bt_column_code(column, s->rows[i]);
        made.known[i] = domain->number && made.codes[i] < bt_domain_present(domain);
        made.numbers[i] = made.known[i] ? domain->number[made.codes[i]] : 0;
    }
    close_clue(s, &made, column->source, domain->reading.type, domain->scale);
    return BAUTA_OK;
}

typedef struct excerpted { /* a text of the excerpt; a missing value is the empty one */
    const char *bytes;
    uint32_t length;
    size_t place; /* in the sample */
} excerpted;

static int compare_texts(const void *a, const void *b)
{
    const excerpted *x = a, *y = b;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->length);
}

static bauta_status add_text_clue(sample *s, size_t column, bauta_error *error)
{
    const bt_reading *reading = &s->loaded->readings[column];
    const bt_missing *missing = bt_input_missing(bt_input_settings(s->loaded->input), column);
    excerpted *texts = bt_arena_array(&s->arena, s->count, sizeof *texts);
    clue_maker made;
    int scale = 0;
    uint32_t length;
    if (!texts) return bt_fail_memory(error);
    /* A column that tells persons apart is coded. If it is published too, it singles out. */
    if (s->count == 0 || !bt_raw_excerpt_text(s->loaded->raw, 0, column, &length)) return BAUTA_OK;
    BT_TRY(open_clue(s, &made, error));
    for (size_t i = 0; i < s->count; i++) {
        texts[i].place = i;
        texts[i].bytes =
            bt_raw_excerpt_text(s->loaded->raw, s->numbers[i], column, &texts[i].length);
        if (bt_is_missing(missing, texts[i].bytes, texts[i].length)) texts[i].length = 0;
        if (reading->type != BT_DECIMAL || texts[i].length == 0) continue;
        int places = bt_value_scale(texts[i].bytes, texts[i].length, reading->decimal_comma);
        if (places > scale) scale = places;
    }
    for (size_t i = 0; i < s->count; i++)
        made.known[i] =
            texts[i].length > 0 && reading->type != BT_TEXT &&
            bt_value_number(reading, texts[i].bytes, texts[i].length, scale, &made.numbers[i]);
    if (s->count > 0) qsort(texts, s->count, sizeof *texts, compare_texts);
    uint32_t code = 0;
    for (size_t i = 0; i < s->count; i++) {
        code += i > 0 && compare_texts(&texts[i - 1], &texts[i]) != 0;
        made.codes[texts[i].place] = code;
    }
    close_clue(s, &made, column, reading->type, scale);
    return BAUTA_OK;
}

/* ---- cells ------------------------------------------------------------------------------- */

/* The codes that a class's cell may stand for. */
static bt_box cell_of(const bt_grouping *grouping, const bt_column *column, size_t place,
                      uint32_t class_number)
{
    const bt_box all = {0, column->domain.size - 1};
    if (column->hierarchy) {
        uint32_t node = bt_published_node(grouping, column, place, class_number);
        const bt_node *at = &column->hierarchy->nodes[node];
        return node == 0 ? all : (bt_box){at->lo, at->hi - 1};
    }
    bt_box box = bt_published_box(grouping, column, place, class_number);
    return box.lo != box.hi && box.hi >= bt_domain_present(&column->domain) ? all : box;
}

typedef struct placed {
    uint32_t class_number;
    size_t place; /* in the sample */
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->class_number > y->class_number) - (x->class_number < y->class_number);
}

typedef struct tally { /* of the codes of a class */
    uint32_t *rows;    /* per code of the column, all 0 between classes */
    uint32_t *codes;   /* codes that occur */
} tally;

/* The different values of a class, and the most frequent one, the first of several. */
static bauta_status list_class(sample *s, const bt_grouping *grouping, const bt_column *column,
                               uint32_t class_number, tally *t, bt_veiled_set *out, uint32_t *usual,
                               bauta_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1]; i++) {
        uint32_t code = bt_column_code(column, grouping->order[i]);
        if (t->rows[code]++ == 0) t->codes[count++] = code;
    }
    qsort(t->codes, count, sizeof *t->codes, bt_compare_uint32);
    uint32_t *kept = bt_arena_array(&s->arena, count, sizeof *kept);
    if (!kept) return bt_fail_memory(error);
    *usual = t->codes[0];
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = t->codes[i];
        if (t->rows[kept[i]] > t->rows[*usual]) *usual = kept[i];
    }
    for (uint32_t i = 0; i < count; i++)
        t->rows[kept[i]] = 0;
    *out = (bt_veiled_set){kept, count};
    return BAUTA_OK;
}

/* The values of each row's class and the most frequent of them; those of a class are listed once.
 */
static bauta_status list_classes(sample *s, const bt_grouping *grouping, const bt_column *column,
                                 bt_veiled_set *sets, uint32_t *usual, bauta_error *error)
{
    placed *rows = bt_arena_array(&s->arena, s->count, sizeof *rows);
    tally t = {bt_array_zero(column->domain.size, sizeof *t.rows),
               bt_array(column->domain.size, sizeof *t.codes)};
    bauta_status status = rows && t.rows && t.codes ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < s->count && status == BAUTA_OK; i++)
        rows[i] = (placed){s->class_of[i], i};
    if (s->count > 0 && status == BAUTA_OK) qsort(rows, s->count, sizeof *rows, compare_placed);
    for (size_t i = 0; i < s->count && status == BAUTA_OK; i++) {
        size_t at = rows[i].place, before = i > 0 ? rows[i - 1].place : at;
        if (i == 0 || rows[i].class_number != rows[i - 1].class_number)
            status = list_class(s, grouping, column, rows[i].class_number, &t, &sets[at],
                                &usual[at], error);
        else {
            sets[at] = sets[before];
            usual[at] = usual[before];
        }
    }
    free(t.rows);
    free(t.codes);
    return status;
}

typedef struct veil { /* per row of the sample */
    uint32_t *codes, *lo, *hi, *usual;
    bt_veiled_set *sets;
} veil;

static bauta_status open_veil(sample *s, const bt_column *column, veil *out, bauta_error *error)
{
    out->codes = bt_arena_array(&s->arena, s->count, sizeof *out->codes);
    out->lo = bt_arena_array(&s->arena, s->count, sizeof *out->lo);
    out->hi = bt_arena_array(&s->arena, s->count, sizeof *out->hi);
    out->usual = bt_arena_array(&s->arena, s->count, sizeof *out->usual);
    out->sets = bt_arena_array(&s->arena, s->count, sizeof *out->sets);
    if (!out->codes || !out->lo || !out->hi || !out->usual || !out->sets)
        return bt_fail_memory(error);
    for (size_t i = 0; i < s->count; i++)
        out->codes[i] = bt_column_code(column, s->rows[i]);
    return BAUTA_OK;
}

static void close_veil(sample *s, const veil *made, const bt_column *column, bool sets, bool usual)
{
    s->veiled_columns[s->veiled_count] = column->source;
    s->veiled[s->veiled_count++] = (bt_veiled){.domain = &column->domain,
                                               .codes = made->codes,
                                               .lo = made->lo,
                                               .hi = made->hi,
                                               .sets = sets ? made->sets : NULL,
                                               .usual = usual ? made->usual : NULL};
}

/* A column that is generalized. Without a grouping a cell tells nothing. */
static bauta_status add_veiled(sample *s, const bt_column *column, const bt_grouping *grouping,
                               size_t place, bauta_error *error)
{
    bool texts = grouping && !column->hierarchy && column->domain.reading.type == BT_TEXT;
    veil made;
    BT_TRY(open_veil(s, column, &made, error));
    if (texts) BT_TRY(list_classes(s, grouping, column, made.sets, made.usual, error));
    for (size_t i = 0; i < s->count; i++) {
        bt_box cell = {0, column->domain.size - 1};
        if (grouping) cell = cell_of(grouping, column, place, s->class_of[i]);
        made.lo[i] = cell.lo;
        made.hi[i] = cell.hi;
        bool all = cell.lo == 0 && cell.hi == column->domain.size - 1;
        if (texts && (all || made.sets[i].count > BT_SET_MOST)) made.sets[i] = (bt_veiled_set){0};
    }
    close_veil(s, &made, column, texts, false);
    return BAUTA_OK;
}

/* A column some of whose values are drawn anew: the others are the true ones. Which these will be
 * is not known here, only how many; numbers without a pattern stand for the draws. */
static bauta_status add_redrawn(sample *s, const bt_column *column, size_t place, size_t columns,
                                bauta_error *error)
{
    veil made;
    BT_TRY(open_veil(s, column, &made, error));
    for (size_t i = 0; i < s->count; i++) {
        size_t turn = (size_t)(bt_excerpt_rank(0, (int64_t)i) % columns);
        bool hidden = (turn + place) % columns < s->asked->redrawn;
        made.lo[i] = hidden ? 0 : made.codes[i];
        made.hi[i] = hidden ? column->domain.size - 1 : made.codes[i];
    }
    close_veil(s, &made, column, false, false);
    return BAUTA_OK;
}

/* A sensitive column of which a class's values are published, not whose they are. */
static bauta_status add_bags(sample *s, const bt_column *column, const bt_grouping *grouping,
                             bauta_error *error)
{
    veil made;
    BT_TRY(open_veil(s, column, &made, error));
    BT_TRY(list_classes(s, grouping, column, made.sets, made.usual, error));
    for (size_t i = 0; i < s->count; i++) {
        bt_veiled_set *set = &made.sets[i];
        made.lo[i] = set->codes[0];
        made.hi[i] = set->codes[set->count - 1];
        if (set->count > BT_SET_MOST) *set = (bt_veiled_set){0}; /* all from the one to the other */
    }
    close_veil(s, &made, column, true, true);
    return BAUTA_OK;
}

/* A sensitive column of which the category is published. */
static bauta_status add_categories(sample *s, const bt_column *column, bauta_error *error)
{
    const bt_categories *categories = column->categories;
    bt_veiled_set *of = bt_arena_array(&s->arena, categories->count, sizeof *of);
    uint32_t **codes = bt_arena_array(&s->arena, categories->count, sizeof *codes);
    veil made;
    BT_TRY(open_veil(s, column, &made, error));
    if (!of || !codes) return bt_fail_memory(error);
    for (uint32_t c = 0; c < categories->count; c++) {
        uint32_t count = 0;
        for (uint32_t code = 0; code < column->domain.size; code++)
            count += categories->of_code[code] == c;
        codes[c] = bt_arena_array(&s->arena, count, sizeof **codes);
        if (!codes[c]) return bt_fail_memory(error);
        count = 0;
        for (uint32_t code = 0; code < column->domain.size; code++)
            if (categories->of_code[code] == c) codes[c][count++] = code;
        of[c] = (bt_veiled_set){codes[c], count};
    }
    for (size_t i = 0; i < s->count; i++) {
        made.sets[i] = of[categories->of_code[made.codes[i]]];
        made.lo[i] = made.sets[i].codes[0];
        made.hi[i] = made.sets[i].codes[made.sets[i].count - 1];
    }
    close_veil(s, &made, column, true, false);
    return BAUTA_OK;
}

/* ---- finding ----------------------------------------------------------------------------- */

/* Names columns by their numbers in the input. */
static bauta_status find(const sample *s, bt_giveaway **out, size_t *count, bauta_error *error)
{
    const bt_giveaway_job job = {.clues = s->clues,
                                 .clue_count = s->clue_count,
                                 .veiled = s->veiled,
                                 .veiled_count = s->veiled_count,
                                 .rows = s->count,
                                 .limit = most_revealed,
                                 .both_ways = s->asked && !s->asked->form->shows_values,
                                 .run = s->run};
    BT_TRY(bt_giveaways_find(&job, out, count, error));
    for (size_t i = 0; i < *count; i++) {
        bt_giveaway *found = &(*out)[i];
        found->clue = s->clue_columns[found->clue];
        found->other = s->clue_columns[found->other];
        found->veiled = s->veiled_columns[found->veiled];
    }
    return BAUTA_OK;
}

/* Whether the values of a column stand beside the cells of their records. */
static bool is_clue(const bt_reveal_request *asked, bt_role role)
{
    return role == BT_ROLE_OTHER ||
           (role == BT_ROLE_SENSITIVE && asked->shown == BT_SENSITIVE_BESIDE) ||
           (role == BT_ROLE_QUASI && asked->form->shows_values && asked->grouping);
}

static bauta_status fill(sample *s, bauta_error *error)
{
    const bt_loaded *loaded = s->loaded;
    const bt_grouping *grouping = s->asked->grouping;
    size_t place = 0, quasi = 0;
    for (size_t i = 0; i < loaded->table.count; i++)
        quasi += loaded->table.columns[i].role == BT_ROLE_QUASI;
    BT_TRY(bt_raw_excerpt_count(loaded->raw) > 0 ? take_excerpt(s, error) : choose_rows(s, error));
    if (grouping) BT_TRY(find_classes(s, grouping, error));
    for (size_t i = 0; i < loaded->table.count; i++) {
        const bt_column *column = &loaded->table.columns[i];
        if (is_clue(s->asked, column->role))
            BT_TRY(add_coded_clue(s, column, error));
        else if (column->role == BT_ROLE_QUASI && !grouping && quasi > 0)
            BT_TRY(add_redrawn(s, column, place++, quasi, error));
        else if (column->role == BT_ROLE_QUASI)
            BT_TRY(add_veiled(s, column, grouping, place++, error));
        else if (column->role == BT_ROLE_SENSITIVE && s->asked->form->shows_values && grouping)
            BT_TRY(add_bags(s, column, grouping, error));
        else if (column->role == BT_ROLE_SENSITIVE && column->categories)
            BT_TRY(add_categories(s, column, error));
    }
    for (size_t i = 0; i < loaded->columns; i++)
        if (loaded->roles[i] == BT_ROLE_OTHER) BT_TRY(add_text_clue(s, i, error));
    return BAUTA_OK;
}

bauta_status bt_find_revealed(const bt_loaded *loaded, const bt_role *roles, const bt_run *run,
                              bt_giveaway **out, size_t *count, bauta_error *error)
{
    sample s = {.loaded = loaded, .run = run};
    *out = NULL;
    *count = 0;
    bauta_status status = choose_rows(&s, error);
    for (size_t i = 0; i < loaded->table.count && status == BAUTA_OK; i++) {
        const bt_column *column = &loaded->table.columns[i];
        if (roles[i] == BT_ROLE_QUASI)
            status = add_veiled(&s, column, NULL, 0, error);
        else if (roles[i] == BT_ROLE_SENSITIVE || roles[i] == BT_ROLE_OTHER)
            status = add_coded_clue(&s, column, error);
    }
    if (status == BAUTA_OK) status = find(&s, out, count, error);
    release(&s);
    return status;
}

/* ---- refusing ---------------------------------------------------------------------------- */

/* Leaves out those whose columns were all accepted. */
static size_t leave_accepted(const bt_reveal_request *asked, bt_giveaway *found, size_t count)
{
    const bt_column_recipe *plan = asked->loaded->plan;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!bt_is_accepted(asked->recipe, plan[found[i].clue].name) ||
            (found[i].sign && !bt_is_accepted(asked->recipe, plan[found[i].other].name)))
            found[kept++] = found[i];
    return kept;
}

static bauta_status refuse_narrowing(const bt_loaded *loaded, const bt_giveaway *found,
                                     bauta_error *error)
{
    char share[BT_COUNT_TEXT];
    const char *clue = loaded->plan[found->clue].name;
    bauta_status status = bt_fail(
        error, BAUTA_INVALID,
        "'%s', published as it is, follows from '%s': whoever knows that one knows it too, "
        "for %s of the records in a sample more than their cells tell, and finds them among "
        "fewer than the class has",
        clue, loaded->plan[found->veiled].name, bt_percent_text(found->given, found->tried, share));
    bt_error_hint(error, "drop it, make it quasi, or publish it all the same: --accept %s", clue);
    return status;
}

static bauta_status refuse(const bt_loaded *loaded, const bt_giveaway *found, size_t count,
                           bauta_error *error)
{
    char share[BT_COUNT_TEXT], more[64] = "", other[192] = "", accept[192] = "";
    const char *clue = loaded->plan[found->clue].name;
    if (found->follows) return refuse_narrowing(loaded, found, error);
    bool sensitive = loaded->roles[found->veiled] == BT_ROLE_SENSITIVE;
    if (found->sign) {
        const char *name = loaded->plan[found->other].name;
        snprintf(other, sizeof other, " %s '%s'", found->sign > 0 ? "plus" : "less", name);
        snprintf(accept, sizeof accept, ",%s", name);
    }
    if (count > 1)
        snprintf(more, sizeof more, "; %zu more such finding%s", count - 1, count == 2 ? "" : "s");
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "'%s'%s, published as %s, gives '%s' away: in a sample it tells the %svalue %s for "
                "%s of the records, beyond what %s%s",
                clue, other, found->sign ? "they are" : "it is", loaded->plan[found->veiled].name,
                sensitive ? "sensitive " : "", sensitive ? "of a record" : "inside the cell",
                bt_percent_text(found->given, found->tried, share),
                sensitive ? "its class or category tells" : "the cells tell", more);
    bt_error_hint(error,
                  "drop or coarsen it, make it %s, or publish it all the same: --accept %s%s",
                  sensitive ? "sensitive too" : "quasi", clue, accept);
    return status;
}

bauta_status bt_check_revealed(const bt_reveal_request *asked, bt_giveaway *worst,
                               bauta_error *error)
{
    sample s = {.loaded = asked->loaded, .run = asked->run, .asked = asked};
    bt_giveaway *found = NULL;
    size_t count = 0;
    bauta_status status = fill(&s, error);
    if (status == BAUTA_OK) status = find(&s, &found, &count, error);
    if (status == BAUTA_OK) count = leave_accepted(asked, found, count);
    *worst = (bt_giveaway){0};
    if (status == BAUTA_OK && count > 0) *worst = found[0];
    if (status == BAUTA_OK && count > 0) status = refuse(asked->loaded, found, count, error);
    free(found);
    release(&s);
    return status;
}
