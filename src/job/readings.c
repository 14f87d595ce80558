/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of columns that are published as they are. What was found when the table was read holds
 * for all rows; where rows are dropped for a missing value, or some have values that no row of a
 * release can have, the texts are passed over once more.
 */
#include "base/bitset.h"
#include "job/load.h"

typedef struct found { /* of a column, in the rows that count */
    unsigned forms;    /* forms that fit all present values which may be of the wanted type */
    int64_t present;   /* rows with such values */
    int64_t misfits;   /* rows with others */
} found;

typedef struct text_scan {
    const bt_loaded *loaded;
    const bool *wanted;   /* per column */
    const uint64_t *kept; /* rows that count; NULL: all */
    found *found;         /* per worker and column */
} text_scan;

/* ---- the texts again ---------------------------------------------------------------------- */

static void take_value(const text_scan *s, size_t column, const bt_span *field, found *to)
{
    const bt_input_options *options = bt_input_settings(s->loaded->input);
    const bt_column_recipe *plan = &s->loaded->plan[column];
    if (bt_is_missing(bt_input_missing(options, column), field->bytes, field->length)) return;
    unsigned forms = bt_value_forms(field->bytes, field->length, options->decimal_comma);
    unsigned wanted = plan->has_type ? bt_type_forms(plan->type) : 0;
    bool misfit = wanted && !(forms & wanted);
    to->misfits += misfit;
    to->present += !misfit;
    if (!misfit) to->forms &= forms;
}

static bauta_status take_row(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                             size_t at, bauta_error *error)
{
    const text_scan *s = user;
    size_t columns = s->loaded->columns;
    if (s->kept && !bt_bitset_has(s->kept, (size_t)row)) return BAUTA_OK;
    for (size_t c = 0; c < columns; c++) {
        if (!s->wanted[c]) continue;
        bt_span field;
        BT_TRY(bt_batch_text(batch, c, at, &field, error));
        take_value(s, c, &field, &s->found[worker * columns + c]);
    }
    return BAUTA_OK;
}

static void join_workers(const text_scan *s, unsigned workers, found *out)
{
    size_t columns = s->loaded->columns;
    for (size_t c = 0; c < columns; c++) {
        if (!s->wanted[c]) continue;
        out[c] = (found){.forms = BT_FORM_ANY};
        for (unsigned w = 0; w < workers; w++) {
            const found *own = &s->found[w * columns + c];
            out[c].forms &= own->forms;
            out[c].present += own->present;
            out[c].misfits += own->misfits;
        }
    }
}

static bauta_status scan_texts(const bt_loaded *loaded, const bt_run *run, const bool *wanted,
                               found *out, bauta_error *error)
{
    unsigned workers = bt_pool_size(run->pool);
    size_t count = workers * loaded->columns;
    uint64_t *kept = bt_array_zero(bt_bitset_words((size_t)loaded->input_rows), sizeof *kept);
    text_scan s = {.loaded = loaded,
                   .wanted = wanted,
                   .kept = loaded->row_map ? kept : NULL,
                   .found = bt_array(count, sizeof *s.found)};
    bauta_status status = kept && s.found ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; status == BAUTA_OK && i < count; i++)
        s.found[i] = (found){.forms = BT_FORM_ANY};
    for (int64_t i = 0;
         status == BAUTA_OK && s.kept && i < loaded->input_rows - loaded->missing_dropped; i++)
        bt_bitset_add(kept, (size_t)loaded->row_map[i]);
    if (status == BAUTA_OK)
        status = bt_input_scan(loaded->input, wanted, run, "reading", take_row, &s, error);
    if (status == BAUTA_OK) join_workers(&s, workers, out);
    free(s.found);
    free(kept);
    return status;
}

/* ---- readings ----------------------------------------------------------------------------- */

static found found_before(const bt_loaded *loaded, size_t column)
{
    const bt_check *check = bt_raw_check(loaded->raw, column);
    return (found){.forms = check->forms, .present = loaded->input_rows - check->missing};
}

static bt_reading reading_of(const bt_loaded *loaded, const found *from)
{
    return bt_reading_of(from->forms, bt_input_settings(loaded->input)->decimal_comma,
                         from->present > 0);
}

static bool fits(const bt_loaded *loaded, size_t column, const found *from)
{
    const bt_column_recipe *plan = &loaded->plan[column];
    bt_type type = reading_of(loaded, from).type;
    return !plan->has_type || plan->type == type || plan->type == BT_TEXT || from->present == 0 ||
           (plan->type == BT_DECIMAL && type == BT_INTEGER);
}

static bauta_status read_as(bt_loaded *out, size_t column, const found *from, bauta_error *error)
{
    const bt_column_recipe *plan = &out->plan[column];
    bt_reading *reading = &out->readings[column];
    if (from->misfits > out->misfits_most || !fits(out, column, from)) {
        const found all = found_before(out, column);
        *reading = reading_of(out, &all);
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the column's values are not all of type '%s'",
                    bt_type_name(plan->type));
        bt_error_place(error, NULL, -1, plan->name);
        return status;
    }
    *reading = reading_of(out, from);
    if (plan->has_type && plan->type != reading->type)
        *reading = (bt_reading){.type = plan->type, .decimal_comma = reading->decimal_comma};
    reading->said = plan->type_given;
    out->verbatim[column] = bt_raw_check(out->raw, column)->verbatim &&
                            (reading->type == BT_TEXT || reading->type == BT_INTEGER);
    return BAUTA_OK;
}

static bauta_status find_all(bt_loaded *out, const bt_run *run, found *all, bool *wanted,
                             bauta_error *error)
{
    bool any = false;
    for (size_t c = 0; c < out->columns; c++) {
        const bt_column_recipe *plan = &out->plan[c];
        if (out->roles[c] != BT_ROLE_OTHER) continue;
        all[c] = found_before(out, c);
        wanted[c] = out->missing_dropped > 0 ? !plan->has_type || plan->type != BT_TEXT
                                             : out->misfits_most > 0 && !fits(out, c, &all[c]);
        any |= wanted[c];
    }
    if (any) BT_TRY(scan_texts(out, run, wanted, all, error));
    for (size_t c = 0; c < out->columns; c++)
        if (out->roles[c] == BT_ROLE_OTHER) BT_TRY(read_as(out, c, &all[c], error));
    return BAUTA_OK;
}

bauta_status bt_load_readings(bt_loaded *out, const bt_run *run, bauta_error *error)
{
    found *all = bt_array_zero(out->columns, sizeof *all);
    bool *wanted = bt_array_zero(out->columns, sizeof *wanted);
    bauta_status status =
        all && wanted ? find_all(out, run, all, wanted, error) : bt_fail_memory(error);
    free(all);
    free(wanted);
    return status;
}
