/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: what the files show of the mechanism is nothing, since every table may come out of
 * it. The original shows more: whether the sensitive values are those of its records, whether the
 * rows differ from records in no more values than they may, whether columns are distributed as
 * they were, and whether the rows are in another order.
 *
 * Cost: linear in rows, for each set of lambda columns.
 */
#include "audit/drawn.h"
#include "audit/finding.h"
#include "recipe/words.h"

#include "class/linkage.h"
#include "release/compared.h"

#include <math.h>
#include <stdlib.h>

typedef struct comparison {
    bt_audit_job *job;
    const bt_release *release;
    const bt_run *run;
    bt_compared compared;
    bool merged; /* values were merged beforehand: those of records may not be found again */
} comparison;

/* ---- sensitive values -------------------------------------------------------------------- */

/* Rows whose sensitive values are not left over in the original, each record being used once. */
static bauta_status count_strangers(comparison *c, int64_t *strangers, bauta_error *error)
{
    size_t quasi = c->compared.quasi, count = c->compared.count - quasi;
    bt_codes *rows = bt_compared_rows(&c->compared, quasi, c->compared.count);
    bt_codes *records = bt_compared_records(&c->compared, quasi, c->compared.count);
    bt_tuples published = {0}, original = {0};
    bt_tuple_index *index = NULL;
    uint32_t *codes = bt_array(count, sizeof *codes);
    bauta_status status = rows && records && codes ? BAUTA_OK : bt_fail_memory(error);
    *strangers = 0;
    if (status == BAUTA_OK)
        status = bt_tuples_group(rows, count, c->release->rows, c->run, &published, error);
    if (status == BAUTA_OK)
        status =
            bt_tuples_group(records, count, c->compared.record_count, c->run, &original, error);
    if (status == BAUTA_OK)
        status = bt_tuple_index_new(records, count, &original, c->run, &index, error);
    for (uint32_t t = 0; t < published.count && status == BAUTA_OK; t++) {
        for (size_t i = 0; i < count; i++)
            codes[i] = bt_code_at(rows[i].codes, rows[i].width, published.row[t]);
        uint32_t found = bt_tuple_index_find(index, codes);
        int64_t there = found == BT_TUPLE_NONE ? 0 : original.size[found];
        if (published.size[t] > there) *strangers += published.size[t] - there;
    }
    bt_tuple_index_free(index);
    bt_tuples_release(&published);
    bt_tuples_release(&original);
    free(codes);
    return status;
}

static bauta_status check_sensitive(comparison *c, bauta_error *error)
{
    int64_t strangers;
    if (c->compared.count == c->compared.quasi) return BAUTA_OK;
    BT_TRY(count_strangers(c, &strangers, error));
    if (strangers > 0)
        bt_finding_put(c->job, "sensitive values", BT_FAILS, BT_NO_ROW,
                       "%lld of %lld rows have sensitive values of no original record of their own",
                       (long long)strangers, (long long)c->release->rows);
    else
        bt_finding_put(
            c->job, "sensitive values", BT_HOLDS, BT_NO_ROW,
            "each of %lld rows has the sensitive values of an original record of its own",
            (long long)c->release->rows);
    return BAUTA_OK;
}

/* ---- rows and records -------------------------------------------------------------------- */

/* Marks the rows for which there is a record that agrees in all columns outside `set`. */
static bauta_status mark_near(comparison *c, uint64_t set, const bt_codes *rows,
                              const bt_codes *records, bt_codes *some, bool *near,
                              bauta_error *error)
{
    size_t count = 0, all = c->compared.count;
    bt_tuples original = {0};
    bt_tuple_index *index = NULL;
    uint32_t *codes = bt_array(all, sizeof *codes);
    for (size_t i = 0; i < all; i++)
        if (i >= c->compared.quasi || !(set >> i & 1)) some[count++] = records[i];
    bauta_status status =
        codes ? bt_tuples_group(some, count, c->compared.record_count, c->run, &original, error)
              : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_tuple_index_new(some, count, &original, c->run, &index, error);
    for (int64_t row = 0; row < c->release->rows && status == BAUTA_OK; row++) {
        if (near[row]) continue;
        count = 0;
        for (size_t i = 0; i < all; i++)
            if (i >= c->compared.quasi || !(set >> i & 1))
                codes[count++] = bt_code_at(rows[i].codes, rows[i].width, row);
        near[row] = bt_tuple_index_find(index, codes) != BT_TUPLE_NONE;
    }
    bt_tuple_index_free(index);
    bt_tuples_release(&original);
    free(codes);
    return status;
}

static bauta_status find_near(comparison *c, bool *near, bauta_error *error)
{
    const bt_mechanism *mechanism = &c->release->mechanism;
    size_t all = c->compared.count;
    bt_codes *rows = bt_compared_rows(&c->compared, 0, all);
    bt_codes *records = bt_compared_records(&c->compared, 0, all);
    bt_codes *some = bt_arena_array(&c->compared.arena, all, sizeof *some);
    if (!rows || !records || !some) return bt_fail_memory(error);
    uint64_t end = (uint64_t)1 << mechanism->columns;
    for (uint64_t set = ((uint64_t)1 << mechanism->lambda) - 1; set < end; set = bt_set_next(set))
        BT_TRY(mark_near(c, set, rows, records, some, near, error));
    return BAUTA_OK;
}

/* Where rows and records cannot be matched one to one: whether each row is near some record. */
static bauta_status tell_near(comparison *c, bauta_error *error)
{
    const bt_mechanism *mechanism = &c->release->mechanism;
    int64_t far = 0, first = BT_NO_ROW;
    bool *near = bt_array_zero((size_t)c->release->rows, sizeof *near);
    if (!near) return bt_fail_memory(error);
    bauta_status status = find_near(c, near, error);
    for (int64_t row = c->release->rows; row-- > 0 && status == BAUTA_OK;)
        if (!near[row]) {
            far++;
            first = row;
        }
    free(near);
    if (status != BAUTA_OK) return status;
    if (far > 0)
        bt_finding_put(c->job, "original records", BT_FAILS, first,
                       "%lld of %lld rows differ from every record with the same sensitive values "
                       "in more than %u of their %zu quasi values, this one first",
                       (long long)far, (long long)c->release->rows, mechanism->lambda,
                       mechanism->columns);
    else
        bt_finding_put(c->job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of %lld rows differs from some record with the same sensitive values "
                       "in at most %u of %zu quasi values",
                       (long long)c->release->rows, mechanism->lambda, mechanism->columns);
    return BAUTA_OK;
}

static void tell_matched(comparison *c, const bt_drawn *drawn)
{
    const bt_mechanism *mechanism = &c->release->mechanism;
    if (drawn->lacking > 0)
        bt_finding_put(c->job, "original records", BT_FAILS, drawn->first,
                       "%lld of %lld rows have no record of their own with the same sensitive "
                       "values that they differ from in at most %u of %zu quasi values",
                       (long long)drawn->lacking, (long long)c->release->rows, mechanism->lambda,
                       mechanism->columns);
    else
        bt_finding_put(c->job, "original records", BT_HOLDS, BT_NO_ROW,
                       "each of %lld rows has a record of its own with the same sensitive values "
                       "that it differs from in at most %u of %zu quasi values",
                       (long long)c->release->rows, mechanism->lambda, mechanism->columns);
}

/* Records that were not drawn anew are equal to a row each; eight standard deviations above what
 * is expected hardly ever happen. */
static void tell_drawn(comparison *c, const bt_drawn *drawn)
{
    double off = (double)drawn->equal - drawn->expected;
    if (c->release->rows != c->compared.record_count) return;
    bool suspicious = off > 0 && off * off > 64 * (drawn->expected + 1);
    bt_finding_put(c->job, "drawing", suspicious ? BT_FAILS : BT_HOLDS, BT_NO_ROW,
                   suspicious ? "%lld of %lld rows equal an original record, far more than the "
                                "%.1f that are left when values are drawn anew"
                              : "%lld of %lld rows equal an original record, as chance has it when "
                                "values are drawn anew: %.1f are expected",
                   (long long)drawn->equal, (long long)c->release->rows, drawn->expected);
}

static bauta_status check_near(comparison *c, bauta_error *error)
{
    const bt_mechanism *mechanism = &c->release->mechanism;
    bt_drawn drawn;
    if (c->merged || !bt_linkage_feasible(mechanism, c->release->rows) ||
        mechanism->lambda == mechanism->columns) {
        bt_finding_put(c->job, "original records", BT_UNVERIFIABLE, BT_NO_ROW,
                       c->merged ? "rare values were merged with others beforehand"
                                 : "there are too many ways in which a row may differ");
        return BAUTA_OK;
    }
    BT_TRY(bt_drawn_find(&c->compared, mechanism, c->release->rows, c->run, &drawn, error));
    if (drawn.matched)
        tell_matched(c, &drawn);
    else
        BT_TRY(tell_near(c, error));
    tell_drawn(c, &drawn);
    return BAUTA_OK;
}

/* ---- distributions ----------------------------------------------------------------------- */

/* Values of a column that the original does not have, or that are far more or less common than
 * drawing makes them: eight standard deviations hardly ever happen. */
static int64_t count_odd(const comparison *c, const bt_compared_column *column, double redrawn,
                         const int64_t *held, const int64_t *seen)
{
    double records = (double)c->compared.record_count;
    int64_t odd = 0;
    for (uint32_t code = 0; code < column->size; code++) {
        double share = (double)held[code] / records;
        double stays = 1 - redrawn * (1 - share), comes = redrawn * share;
        double variance =
            records * (share * stays * (1 - stays) + (1 - share) * comes * (1 - comes));
        double off = fabs((double)seen[code] - records * share);
        odd += held[code] == 0 || off * off > 64 * (variance + 1);
    }
    return odd;
}

static bauta_status check_column(comparison *c, size_t place, int64_t *odd, bauta_error *error)
{
    const bt_compared_column *column = &c->compared.columns[place];
    int64_t *held = bt_array_zero(column->size, sizeof *held);
    int64_t *seen = bt_array_zero(column->size, sizeof *seen);
    bauta_status status = held && seen ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; row < c->compared.record_count && status == BAUTA_OK; row++) {
        held[bt_compared_record(column, row)]++;
        seen[column->rows[row]]++; /* there are as many */
    }
    if (status == BAUTA_OK)
        *odd = count_odd(c, column, bt_rational_double(c->release->mechanism.redrawn[place]), held,
                         seen);
    free(held);
    free(seen);
    return status;
}

static bauta_status check_distributions(comparison *c, bauta_error *error)
{
    bool failed = false;
    if (c->merged || c->release->rows != c->compared.record_count) {
        bt_finding_put(c->job, "distributions", BT_UNVERIFIABLE, BT_NO_ROW,
                       "the values were drawn from records of which some were changed or dropped");
        return BAUTA_OK;
    }
    for (size_t i = 0; i < c->compared.quasi; i++) {
        int64_t odd;
        BT_TRY(check_column(c, i, &odd, error));
        if (odd == 0) continue;
        failed = true;
        bt_finding_put(c->job, "distributions", BT_FAILS, BT_NO_ROW,
                       "column '%s': %lld values are not in the original, or far more or less "
                       "common than there",
                       c->compared.columns[i].published->manifest->name, (long long)odd);
    }
    if (!failed)
        bt_finding_put(c->job, "distributions", BT_HOLDS, BT_NO_ROW,
                       "the values of %zu quasi columns are as common as in the original, within "
                       "what chance allows",
                       c->compared.quasi);
    return BAUTA_OK;
}

/* ---- order ------------------------------------------------------------------------------- */

/* Whether a row and a record may belong together. */
static bool is_compatible(const comparison *c, int64_t row, int64_t record)
{
    uint32_t different = 0;
    for (size_t i = 0; i < c->compared.count; i++) {
        const bt_compared_column *column = &c->compared.columns[i];
        bool same = column->rows[row] == bt_compared_record(column, record);
        if (!same && i >= c->compared.quasi) return false;
        different += !same;
    }
    return different <= c->release->mechanism.lambda;
}

/* Rows in the order of the records are compatible line by line; in another order as often as with
 * any other shift between the two. */
static void check_order(comparison *c)
{
    int64_t rows = c->release->rows, there = 0, elsewhere = 0;
    if (c->merged || rows != c->compared.record_count) return;
    for (int64_t row = 0; row < rows; row++) {
        there += is_compatible(c, row, row);
        elsewhere += is_compatible(c, row, (row + rows / 2) % rows);
    }
    double off = (double)(there - elsewhere);
    bool suspicious = rows > 1 && off > 0 && off * off > 64 * ((double)elsewhere + 1);
    bt_finding_put(c->job, "order", suspicious ? BT_FAILS : BT_HOLDS, BT_NO_ROW,
                   suspicious ? "%lld of %lld rows fit the record in the same place, far more than "
                                "in a random order"
                              : "%lld of %lld rows fit the record in the same place, as chance has "
                                "it",
                   (long long)there, (long long)rows);
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status compare(bt_audit_job *job, bauta_error *error)
{
    comparison c = {.job = job,
                    .release = job->release,
                    .run = job->options->run,
                    .merged = bt_form_number(job->release->manifest.form, "rare") > 1};
    bauta_status status =
        bt_compared_make(job->release, job->options->original->table, &c.compared, error);
    if (status == BAUTA_OK) status = check_sensitive(&c, error);
    if (status == BAUTA_OK) status = check_near(&c, error);
    if (status == BAUTA_OK) status = check_distributions(&c, error);
    if (status == BAUTA_OK) check_order(&c);
    bt_compared_release(&c.compared);
    return status;
}

bauta_status bt_audit_randomized(bt_audit_job *job, bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    if (job->release->manifest.promise_count > 0)
        bt_finding_put(job, "promises", BT_FAILS, BT_NO_ROW,
                       "a randomized release has no classes of which anything could be promised");
    bt_finding_put(
        job, "mechanism", BT_UNVERIFIABLE, BT_NO_ROW,
        "that %u of %zu quasi values of each record were drawn anew at random, with these "
        "probabilities, no file can show",
        mechanism->lambda, mechanism->columns);
    return job->options->original ? compare(job, error) : BAUTA_OK;
}
