/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows that stand alone were counted while the table was read, by their texts. Only when they
 * are too many the columns are read once more, as codes of what is published, to count again and to
 * find those without which they would not be.
 */
#include "job/alone.h"

#include "profile/guess.h"

#include <string.h>

enum { NAMED = 5 }; /* columns that the message names */

typedef struct coded { /* the columns in question */
    bt_raw *raw;
    bt_column *columns;
    bt_codes *codes;
    bt_kept_column *found;
    size_t *sources; /* in the input */
    size_t count;
} coded;

static void release(coded *c)
{
    for (size_t i = 0; c->columns && i < c->count; i++)
        free(c->columns[i].codes);
    free(c->columns);
    free(c->codes);
    free(c->found);
    free(c->sources);
    bt_raw_free(c->raw);
}

/* How the texts of an input column become what is published. */
static const bt_reading *reading_of(const bt_loaded *loaded, size_t source)
{
    for (size_t i = 0; i < loaded->table.count; i++)
        if (loaded->table.columns[i].source == source)
            return &loaded->table.columns[i].domain.reading;
    return &loaded->readings[source];
}

/* Gives texts that are published as the same date, without their time of day, the code of the first
 * of them; missing values keep theirs (`none`). What is no date in the column's form, as rows that
 * were dropped may have, keeps its own. */
static bauta_status merge_dates(const bt_reading *reading, const bt_values *values, uint32_t none,
                                uint32_t *code_of, bauta_error *error)
{
    enum { DAYS = BT_LAST_DAY - BT_FIRST_DAY + 1 };
    uint32_t *first = bt_array(DAYS, sizeof *first);
    if (!first) return bt_fail_memory(error);
    memset(first, 0xff, DAYS * sizeof *first);
    for (uint32_t v = 0; v < values->count; v++) {
        int64_t day = 0;
        if (code_of[v] == none ||
            !bt_value_number(reading, values->text[v], values->length[v], 0, &day))
            continue;
        uint32_t *code = &first[day - BT_FIRST_DAY];
        if (*code == UINT32_MAX) *code = v;
        code_of[v] = *code;
    }
    free(first);
    return BAUTA_OK;
}

/* Equal texts, all missing values, and all texts of a date have equal codes. */
static bauta_status code_column(const bt_loaded *loaded, const bt_run *run, coded *c, size_t i,
                                bauta_error *error)
{
    const bt_missing *missing = bt_input_missing(bt_input_settings(loaded->input), c->sources[i]);
    const bt_reading *reading = reading_of(loaded, c->sources[i]);
    const bt_values *values = bt_raw_values(c->raw, c->sources[i]);
    uint32_t *code_of = bt_array(values->count, sizeof *code_of), none = UINT32_MAX;
    if (!code_of) return bt_fail_memory(error);
    for (uint32_t v = 0; v < values->count; v++) {
        code_of[v] = v;
        if (!bt_is_missing(missing, values->text[v], values->length[v])) continue;
        if (none == UINT32_MAX) none = v;
        code_of[v] = none;
    }
    c->columns[i].domain.size = values->count;
    bauta_status status =
        reading->type == BT_DATE ? merge_dates(reading, values, none, code_of, error) : BAUTA_OK;
    if (status == BAUTA_OK)
        status = bt_raw_encode(c->raw, c->sources[i], code_of, run, &c->columns[i], error);
    free(code_of);
    c->codes[i] = (bt_codes){c->columns[i].codes, c->columns[i].width, values->count};
    return status;
}

static bauta_status code_columns(const bt_loaded *loaded, const bt_run *run, const bool *raw,
                                 coded *c, bauta_error *error)
{
    bt_use *uses = bt_array_zero(loaded->columns, sizeof *uses);
    c->columns = bt_array_zero(loaded->columns, sizeof *c->columns);
    c->codes = bt_array_zero(loaded->columns, sizeof *c->codes);
    c->found = bt_array_zero(loaded->columns, sizeof *c->found);
    c->sources = bt_array_zero(loaded->columns, sizeof *c->sources);
    bool made = uses && c->columns && c->codes && c->found && c->sources;
    for (size_t i = 0; made && i < loaded->columns; i++) {
        if (!raw[i]) continue;
        uses[i] = BT_USE_CODE;
        c->sources[c->count++] = i;
    }
    bauta_status status =
        made ? bt_input_read(loaded->input, uses, run, &c->raw, error) : bt_fail_memory(error);
    for (size_t i = 0; i < c->count && status == BAUTA_OK; i++)
        status = code_column(loaded, run, c, i, error);
    free(uses);
    return status;
}

bauta_status bt_choose_alone(const bt_loaded *loaded, const bt_run *run, const bool *raw,
                             bt_rational limit, bt_kept_column *found, int64_t *together,
                             bauta_error *error)
{
    coded c = {0};
    int64_t most = bt_rational_floor_times(limit, loaded->input_rows);
    bauta_status status = code_columns(loaded, run, raw, &c, error);
    if (status == BAUTA_OK)
        status = bt_keep_columns(c.codes, c.count, loaded->input_rows, most, c.found, error);
    if (status == BAUTA_OK && together)
        status = bt_count_alone(c.codes, c.count, loaded->input_rows, together, error);
    for (size_t i = 0; i < c.count && status == BAUTA_OK; i++)
        found[c.sources[i]] = c.found[i];
    release(&c);
    return status;
}

/* ---- refusing ---------------------------------------------------------------------------- */

typedef struct culprits { /* of a set that makes too many records unique */
    const bt_loaded *loaded;
    bool *raw; /* per input column: of the set, and not named yet */
    bt_kept_column *found;
    int64_t alone; /* records that are unique by the set */
} culprits;

/* The column with the most rows of its own among those that cannot stay and are not named yet. */
static size_t next_worst(const culprits *c)
{
    size_t worst = c->loaded->columns;
    for (size_t i = 0; i < c->loaded->columns; i++)
        if (c->raw[i] && !c->found[i].kept &&
            (worst == c->loaded->columns || c->found[i].alone > c->found[worst].alone))
            worst = i;
    return worst;
}

/* Both lists: for the message, and for --accept. */
static bauta_status name_worst(culprits *c, bt_buffer *list, bt_buffer *names, bauta_error *error)
{
    const bt_loaded *loaded = c->loaded;
    char share[BT_COUNT_TEXT];
    size_t more = 0, count = 0;
    for (size_t worst; count < NAMED && (worst = next_worst(c)) < loaded->columns; count++) {
        const char *name = loaded->plan[worst].name;
        c->raw[worst] = false;
        bt_percent_text(c->found[worst].alone, loaded->input_rows, share);
        BT_TRY(
            bt_buffer_print(list, error, "%s'%s' (%s by itself)", count ? ", " : "", name, share));
        BT_TRY(bt_buffer_print(names, error, "%s%s", count ? "," : "", name));
    }
    for (size_t i = 0; i < loaded->columns; i++)
        more += c->raw[i] && !c->found[i].kept;
    if (more > 0) BT_TRY(bt_buffer_print(list, error, " and %zu more", more));
    return BAUTA_OK;
}

static bauta_status refuse(culprits *c, bt_rational limit, bauta_error *error)
{
    char unique[BT_COUNT_TEXT], rows[BT_COUNT_TEXT], share[BT_COUNT_TEXT];
    bt_buffer list = {0}, names = {0};
    bauta_status status = name_worst(c, &list, &names, error);
    if (status == BAUTA_OK) {
        status = bt_fail(
            error, BAUTA_INVALID,
            "%s of %s records (%s) are unique by what would be published as it is; "
            "most of that comes from %.*s",
            bt_count_text(c->alone, unique), bt_count_text(c->loaded->input_rows, rows),
            bt_percent_text(c->alone, c->loaded->input_rows, share), (int)list.length, list.bytes);
        bt_error_hint(error,
                      "drop or coarsen what singles people out, make it quasi, or publish it all "
                      "the same: --accept %.*s; at most %s may be unique (--unique-limit)",
                      (int)names.length, names.bytes,
                      bt_percent_text(limit.top, limit.bottom, share));
    }
    bt_buffer_release(&list);
    bt_buffer_release(&names);
    return status;
}

static bool is_beyond(int64_t alone, const bt_loaded *loaded, const bauta_recipe *recipe)
{
    return bt_ratio_compare(alone, loaded->input_rows, recipe->unique_limit) > 0;
}

/* Times of day were counted while the table was read, and are not here: fewer may be unique. */
static bauta_status find_and_refuse(const bauta_recipe *recipe, const bt_loaded *loaded,
                                    const bt_run *run, size_t set, bauta_error *error)
{
    culprits c = {.loaded = loaded};
    c.raw = bt_array_zero(loaded->columns, sizeof *c.raw);
    c.found = bt_array_zero(loaded->columns, sizeof *c.found);
    for (size_t i = 0; c.raw && i < loaded->columns; i++)
        c.raw[i] = loaded->sets[i] & (bt_use)(BT_USE_FIRST_SET << set);
    bauta_status status =
        c.raw && c.found
            ? bt_choose_alone(loaded, run, c.raw, recipe->unique_limit, c.found, &c.alone, error)
            : bt_fail_memory(error);
    if (status == BAUTA_OK && is_beyond(c.alone, loaded, recipe))
        status = refuse(&c, recipe->unique_limit, error);
    free(c.raw);
    free(c.found);
    return status;
}

bauta_status bt_check_alone(const bauta_recipe *recipe, const bt_loaded *loaded, const bt_run *run,
                            bauta_error *error)
{
    for (size_t set = 0; set < BT_USE_SETS; set++)
        if (is_beyond(bt_raw_alone(loaded->raw, set), loaded, recipe))
            BT_TRY(find_and_refuse(recipe, loaded, run, set, error));
    return BAUTA_OK;
}
