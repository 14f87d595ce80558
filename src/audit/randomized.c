/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized: what the files show of the mechanism is nothing, since every table may come out of
 * it. The original shows more: whether the sensitive values are those of its records, whether the
 * rows differ from records in no more values than they may, whether combinations (drawing.c) and
 * values (marginals.c) are as common as drawing anew makes them, and whether the rows are in
 * another order. The owner, who has the key of the random streams, can draw again (again.h). Where
 * rare values were merged beforehand, they are merged once more (merging.h) and all of that looks
 * at the records as they were then.
 *
 * Cost: linear in rows, for each set of lambda columns.
 */
#include "audit/again.h"
#include "audit/chance.h"
#include "audit/drawing.h"
#include "audit/drawn.h"
#include "audit/merging.h"
#include "audit/shares.h"

#include "base/text.h"
#include "class/linkage.h"

#include <stdlib.h>

typedef struct comparison {
    bt_audit_job *job;
    const bt_release *release;
    const bt_run *run;
    bt_compared compared;
    const char *unknown; /* why it is not known which records values were drawn from; NULL: it is,
                            and they are those of `compared` */
    bool again;          /* drawn once more, each row is the one in its place */
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
        status = bt_tuples_number(records, count, c->compared.record_count, c->run, &original, NULL,
                                  &index, error);
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
    bauta_status status = codes ? bt_tuples_number(some, count, c->compared.record_count, c->run,
                                                   &original, NULL, &index, error)
                                : bt_fail_memory(error);
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
    for (uint64_t set = bt_set_first(mechanism); set; set = bt_set_next(set, mechanism))
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

static bauta_status check_near(comparison *c, const bt_distinct *rows, const bt_distinct *records,
                               bauta_error *error)
{
    bt_drawn drawn;
    BT_TRY(bt_drawn_find(rows, records, &c->release->mechanism, c->run, &drawn, error));
    if (!drawn.matched) return tell_near(c, error);
    tell_matched(c, &drawn);
    return BAUTA_OK;
}

/* What rows and records say together. */
static bauta_status check_combinations(comparison *c, bauta_error *error)
{
    const bt_mechanism *mechanism = &c->release->mechanism;
    bool feasible = bt_linkage_feasible(mechanism, c->release->rows) && !c->unknown;
    bool near = feasible && mechanism->lambda < mechanism->columns;
    bool all = c->release->rows == c->compared.record_count;
    const char *why = c->unknown ? c->unknown : "there are too many ways in which a row may differ";
    bt_distinct rows = {0}, records = {0};
    bt_codes *published = bt_compared_rows(&c->compared, 0, c->compared.count);
    bt_codes *original = bt_compared_records(&c->compared, 0, c->compared.count);
    bt_arena *arena = &c->compared.arena;
    bauta_status status = BAUTA_OK;
    if (!near) bt_finding_put(c->job, "original records", BT_UNVERIFIABLE, BT_NO_ROW, "%s", why);
    if (feasible)
        status = bt_distinct_take(&c->compared, published, c->release->rows, c->run, arena, &rows,
                                  error);
    if (feasible && status == BAUTA_OK)
        status = bt_distinct_take(&c->compared, original, c->compared.record_count, c->run, arena,
                                  &records, error);
    if (near && status == BAUTA_OK) status = check_near(c, &rows, &records, error);
    if (feasible && all && status == BAUTA_OK)
        status = bt_audit_drawing(c->job, &c->compared, &rows, &records, error);
    if (!feasible || !all)
        bt_finding_put(c->job, "drawing", BT_UNVERIFIABLE, BT_NO_ROW, "%s",
                       feasible ? "some records were dropped before values were drawn" : why);
    bt_tuples_release(&rows.tuples);
    bt_tuples_release(&records.tuples);
    return status;
}

static bauta_status check_distributions(comparison *c, bauta_error *error)
{
    if (!c->unknown && c->release->rows == c->compared.record_count)
        return bt_audit_marginals(c->job, &c->compared, error);
    bt_finding_put(c->job, "distributions", BT_UNVERIFIABLE, BT_NO_ROW,
                   "the values were drawn from records of which some were changed or dropped");
    return BAUTA_OK;
}

/* ---- order ------------------------------------------------------------------------------- */

/* Rows in the order of the records have their values line by line, as far as these were kept. */
static bauta_status check_order(comparison *c, bauta_error *error)
{
    bt_kinds kinds = {0};
    bt_steps steps = {0};
    bauta_status status = bt_kinds_make(c->release, &c->compared, c->run, &kinds, error);
    const bt_step_table tables[2] = {{c->release->rows, kinds.row_kind, kinds.count},
                                     {c->compared.record_count, kinds.record_kind, kinds.count}};
    if (status == BAUTA_OK)
        status = bt_steps_find_kept(tables, NULL, kinds.kept, c->run, &steps, error);
    bt_kinds_release(&kinds);
    if (status != BAUTA_OK) return status;
    if (steps.in_step)
        bt_finding_put(
            c->job, "order", BT_FAILS, BT_NO_ROW,
            "rows follow the order of the original records%s%s: %lld of %lld are like the "
            "record beside them, where chance has at most %lld; %s",
            steps.distance ? ", some rows off" : "", steps.backwards ? ", backwards" : "",
            (long long)steps.hits, (long long)steps.tried, (long long)steps.limit, bt_chance_hint);
    else if (c->again && !steps.told)
        bt_finding_put(c->job, "order", BT_HOLDS, BT_NO_ROW,
                       "it is the one that was drawn with the key in ../private/summary.json");
    else
        bt_finding_put(c->job, "order", steps.told ? BT_HOLDS : BT_UNVERIFIABLE, BT_NO_ROW,
                       steps.told
                           ? "at no rotation, forwards or backwards, are rows like the record "
                             "beside them more often than chance has it"
                           : "too few rows, or too many alike, to tell their order from a "
                             "random one");
    return BAUTA_OK;
}

/* ---- rare values ------------------------------------------------------------------------- */

static bool has_missing(const bt_compared *compared)
{
    for (size_t i = 0; i < compared->count; i++) {
        const bt_column *column = compared->columns[i].original;
        for (int64_t r = 0; column->domain.has_missing && r < compared->record_count; r++)
            if (bt_column_code(column, r) == column->domain.size - 1) return true;
    }
    return false;
}

/* From here on the records are those that values were drawn from, where these are known. */
static bauta_status merge_rare(comparison *c, int64_t least, bauta_error *error)
{
    long long rows = (long long)c->release->rows, all = (long long)c->compared.record_count;
    const char *lacks = bt_merging_lacks(&c->compared);
    bool missing = has_missing(&c->compared);
    if (lacks) {
        c->unknown = "rare values were merged with others beforehand, by a hierarchy that is not "
                     "at hand";
        bt_finding_put(c->job, "rare values", BT_UNVERIFIABLE, BT_NO_ROW,
                       "those of column '%s' were merged by a hierarchy that is neither in "
                       "../private/hierarchies nor in a recipe (-r)",
                       lacks);
        return BAUTA_OK;
    }
    BT_TRY(bt_merging_replay(&c->compared, least, error));
    if (c->compared.record_count == rows) {
        bt_finding_put(c->job, "rare values", BT_HOLDS, BT_NO_ROW,
                       "merged once more, and dropped where they go with no other, the values that "
                       "fewer than %lld records hold leave %lld of %lld records, as many as there "
                       "are rows",
                       (long long)least, rows, all);
        return BAUTA_OK;
    }
    long long kept = (long long)c->compared.record_count;
    c->unknown = "it is not known which records values were drawn from";
    bt_compared_release(&c->compared);
    BT_TRY(bt_compared_make(c->release, c->job->options->original->table, &c->compared, error));
    bt_finding_put(c->job, "rare values", missing ? BT_UNVERIFIABLE : BT_FAILS, BT_NO_ROW,
                   "merged once more, and dropped where they go with no other, the values that "
                   "fewer than %lld records hold leave %lld of %lld records, but there are %lld "
                   "rows%s",
                   (long long)least, kept, all, rows,
                   missing ? "; records with missing values may have been dropped before, as "
                             "'missing: drop' in a recipe (-r) says"
                           : "");
    return BAUTA_OK;
}

/* ---- shares ------------------------------------------------------------------------------ */

/* p=entropy, by the records that values were drawn from. In format 0 the rule was another one. */
static bauta_status check_shares(const comparison *c, bauta_error *error)
{
    bt_shares_verdict verdict = BT_SHARES_TOO_NEAR;
    bool known = !c->unknown && c->release->rows == c->compared.record_count &&
                 c->release->manifest.format > 0;
    if (known) BT_TRY(bt_shares_check(&c->compared, &c->release->mechanism, &verdict, error));
    if (verdict == BT_SHARES_TOO_NEAR)
        bt_finding_put(c->job, "shares", BT_UNVERIFIABLE, BT_NO_ROW,
                       known ? "too many columns are equally diverse to tell how their "
                               "probabilities were rounded"
                             : "by which records p=entropy made the probabilities is not known");
    else
        bt_finding_put(c->job, "shares", verdict == BT_SHARES_FOLLOW ? BT_HOLDS : BT_FAILS,
                       BT_NO_ROW,
                       "the probabilities of %zu columns are %sthose that p=entropy makes "
                       "of the original",
                       c->compared.quasi, verdict == BT_SHARES_FOLLOW ? "" : "not ");
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* With the key the rows are what was drawn, one by one, or they are not. */
static bauta_status check_again(comparison *c, bauta_error *error)
{
    const bt_seed *key = c->job->options->key;
    bt_again again;
    if (c->unknown || c->release->rows != c->compared.record_count) {
        bt_finding_put(c->job, "mechanism", BT_UNVERIFIABLE, BT_NO_ROW,
                       "records were changed or dropped before values were drawn: they cannot be "
                       "drawn once more from the original");
        return BAUTA_OK;
    }
    BT_TRY(bt_drawn_again(c->release, &c->compared, key, c->run, &again, error));
    c->again = again.different == 0;
    if (c->again)
        bt_finding_put(c->job, "mechanism", BT_HOLDS, BT_NO_ROW,
                       "drawn once more from the original with the key in ../private/summary.json, "
                       "each of %lld rows is the one in its place",
                       (long long)c->release->rows);
    else if (again.same_id)
        bt_finding_put(c->job, "mechanism", BT_FAILS, again.first,
                       "drawn once more from the original with the key in ../private/summary.json, "
                       "%lld of %lld rows are not the one in their place, this one first",
                       (long long)again.different, (long long)c->release->rows);
    else
        bt_finding_put(c->job, "mechanism", BT_UNVERIFIABLE, BT_NO_ROW,
                       "the key in ../private/summary.json is that of another release");
    return BAUTA_OK;
}

static bool by_entropy(const bt_audit_job *job)
{
    return bt_form_says(job->release->manifest.form, "p", "entropy");
}

static bauta_status compare(bt_audit_job *job, bauta_error *error)
{
    comparison c = {.job = job, .release = job->release, .run = job->options->run};
    uint64_t rare = bt_form_number(job->release->manifest.form, "rare");
    int64_t least = rare < INT64_MAX ? (int64_t)rare : INT64_MAX;
    bauta_status status =
        bt_compared_make(job->release, job->options->original->table, &c.compared, error);
    if (status == BAUTA_OK && least > 1) status = merge_rare(&c, least, error);
    if (status == BAUTA_OK && by_entropy(job)) status = check_shares(&c, error);
    if (status == BAUTA_OK && job->options->key) status = check_again(&c, error);
    if (status == BAUTA_OK) status = check_sensitive(&c, error);
    if (status == BAUTA_OK) status = check_combinations(&c, error);
    if (status == BAUTA_OK) status = check_distributions(&c, error);
    if (status == BAUTA_OK) status = check_order(&c, error);
    bt_compared_release(&c.compared);
    return status;
}

static bauta_status audit_promises(bt_audit_job *job, bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    if (job->release->manifest.promises.count > 0 || job->release->manifest.unread)
        bt_finding_put(job, "promises", BT_FAILS, BT_NO_ROW,
                       "a randomized release has no classes of which anything could be promised");
    if (!job->options->key || !job->options->original)
        bt_finding_put(
            job, "mechanism", BT_UNVERIFIABLE, BT_NO_ROW,
            "that %u of %zu quasi values of each record were drawn anew at random, with these "
            "probabilities, no file can show",
            mechanism->lambda, mechanism->columns);
    if (by_entropy(job) && !job->options->original)
        bt_finding_put(job, "shares", BT_UNVERIFIABLE, BT_NO_ROW,
                       "that the probabilities came about as p=entropy says no file can show, only "
                       "the original can");
    return job->options->original ? compare(job, error) : BAUTA_OK;
}

/* ---- options ---- */

/* Whether the probabilities are those that p= lists. */
static bauta_status has_shares(const bt_audit_job *job, const char *text, size_t length, bool *same,
                               bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    bt_arena arena = {0};
    char **items = NULL;
    size_t count = 0;
    bt_rational share;
    const char *list = bt_arena_copy(&arena, text, length);
    bauta_status status =
        list ? bt_text_split(&arena, list, '|', &items, &count, error) : bt_fail_memory(error);
    *same = status == BAUTA_OK && count == mechanism->columns;
    for (size_t i = 0; *same && i < count; i++)
        *same = bt_rational_parse(items[i], &share) &&
                bt_rational_compare(share, mechanism->redrawn[i]) == 0;
    bt_arena_release(&arena);
    return bt_is_stop(status) ? status : BAUTA_OK;
}

/* lambda=N, p=uniform|entropy|LIST; with p=entropy the probabilities follow from the original. */
static bauta_status check_options(bt_audit_job *job, bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    const char *form = job->release->manifest.form, *p;
    char lambda[BT_NUMBER_TEXT + 1];
    size_t length = 0;
    bool same = true;
    lambda[bt_number_print(BT_INTEGER, 0, mechanism->lambda, lambda)] = '\0';
    if (bt_form_option(form, "lambda", &length) && !bt_form_says(form, "lambda", lambda))
        bt_manifest_wrong(job, "the form says another lambda than the manifest does");
    p = bt_form_option(form, "p", &length);
    if (bt_form_says(form, "p", "uniform"))
        for (size_t i = 0; i < mechanism->columns; i++)
            same &= bt_ratio_compare(mechanism->lambda, (int64_t)mechanism->columns,
                                     mechanism->redrawn[i]) == 0;
    else if (p && !bt_form_says(form, "p", "entropy"))
        BT_TRY(has_shares(job, p, length, &same, error));
    if (!same) bt_manifest_wrong(job, "the form says other probabilities than the columns do");
    for (size_t i = 0; i < job->release->manifest.column_count; i++)
        if (job->release->manifest.columns[i].merged && bt_form_number(form, "rare") < 2)
            bt_manifest_wrong(
                job, "a column says that rare values were merged, and the form that none were");
    return BAUTA_OK;
}

const bt_audit_form bt_audit_form_randomized = {
    .promises = audit_promises,
    .options = check_options,
};
