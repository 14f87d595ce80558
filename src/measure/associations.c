/* SPDX-License-Identifier: Apache-2.0
 *
 * Associations of the original and of a release, side by side.
 *
 * In one table they are counted as they stand; a generalized cell is a value only where it is one
 * of the original's. Of two tables a row has each sensitive value of its class by its share (eq.
 * 13), or with from=permuted-sample one of them, drawn once.
 */
#include "measure/associations.h"

#include "measure/mine.h"

enum { SUPPORT, CONFIDENCE, FROM };
enum { EXPECTED, SAMPLE };
enum { MOST_SHARES = 1 << 26, RULES_SHOWN = 20 };

static const bt_param params[] = {
    {.name = "support",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0.000001",
     .maximum = "1",
     .fallback = "0.08",
     .help = "least share of records that have all values"},
    {.name = "confidence",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "1",
     .fallback = "0.15",
     .help = "least share of the records with the quasi values that have the sensitive one"},
    {.name = "from",
     .type = BT_PARAM_CHOICE,
     .choices = "expected|permuted-sample",
     .fallback = "expected",
     .help = "two-tables: expected counts, or one random permutation within classes"},
};
enum { PARAMS = sizeof params / sizeof *params };

typedef struct tally {
    int64_t original, released, recovered;
} tally;

typedef struct search {
    const bt_knowledge_job *job;
    bt_value *options;
    bool **left_out; /* per quasi column: published codes that are no value of the original */
    tally *lengths;  /* per number of quasi values */
    double lift, released_lift; /* of the recovered ones, summed */
} search;

static bauta_status parse(const char *wish, bt_arena *arena, bt_value **out, bauta_error *error)
{
    bauta_status status = bt_params_parse(params, PARAMS, "associations", wish, arena, out, error);
    return status == BAUTA_INVALID && error ? error->status = BAUTA_USAGE : status;
}

bauta_status bt_associations_check(const char *wish, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_value *options;
    return parse(wish, &scratch, &options, error);
}

/* ---- the two sides ----------------------------------------------------------------------- */

static bauta_status mark_strangers(const bt_compared *compared, bt_arena *arena, bool ***out,
                                   bauta_error *error)
{
    bool **left_out = *out = bt_arena_array(arena, compared->quasi, sizeof *left_out);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < compared->quasi; i++) {
        const bt_compared_column *column = &compared->columns[i];
        left_out[i] = bt_arena_array(arena, column->size, sizeof **left_out);
        BT_TRY(bt_arena_check(arena, error));
        for (uint32_t code = column->original->domain.size; code < column->size; code++)
            left_out[i][code] = true;
    }
    return BAUTA_OK;
}

static bt_mine_job mining(const search *s, const bt_compared_column *sensitive)
{
    return (bt_mine_job){.columns = s->job->compared->quasi,
                         .values = sensitive->size,
                         .support = s->options[SUPPORT].rational,
                         .confidence = s->options[CONFIDENCE].rational};
}

static bauta_status mine_original(const search *s, const bt_compared_column *sensitive,
                                  bt_rules *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_compared *compared = s->job->compared;
    bt_mine_job asked = mining(s, sensitive);
    uint32_t *values = bt_arena_array(&scratch, (size_t)compared->record_count, sizeof *values);
    asked.quasi = bt_compared_records(compared, 0, compared->quasi);
    asked.rows = compared->record_count;
    asked.sensitive = values;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(&compared->arena, error));
    for (int64_t row = 0; row < compared->record_count; row++)
        values[row] = bt_compared_record(sensitive, row);
    return bt_mine(&asked, out, error);
}

/* Per class and value the share of the class's rows that have it. */
static bauta_status find_shares(const bt_release *release, const bt_compared_column *sensitive,
                                bt_arena *arena, const double **out, bauta_error *error)
{
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    size_t cells;
    if (!bt_size_mul(release->classes.count, sensitive->size, &cells) || cells > MOST_SHARES)
        return bt_fail(error, BAUTA_INVALID,
                       "there are too many classes and sensitive values to put together");
    double *shares = bt_arena_array(arena, cells, sizeof *shares);
    BT_TRY(bt_arena_check(arena, error));
    for (int64_t row = 0; row < file->rows; row++) {
        uint32_t class_number = file->bag_of[row];
        shares[(size_t)class_number * sensitive->size + sensitive->rows[row]] +=
            1.0 / release->classes.size[class_number];
    }
    *out = shares;
    return BAUTA_OK;
}

/* Gives the rows of quasi.csv the sensitive values of their class in random order. */
static bauta_status draw_values(const search *s, const bt_compared_column *sensitive,
                                bt_arena *arena, const uint32_t **out, bauta_error *error)
{
    const bt_release *release = s->job->release;
    BT_OWN(bt_class_rows_release) bt_class_rows quasi = {0}, bags = {0};
    uint32_t *drawn = bt_arena_array(arena, (size_t)release->rows, sizeof *drawn);
    bt_stream stream;
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(bt_release_arrange(release, BT_QUASI_FILE, s->job->run, &quasi, error));
    BT_TRY(bt_release_arrange(release, BT_SENSITIVE_FILE, s->job->run, &bags, error));
    if (release->bags.unequal > 0)
        return bt_fail(error, BAUTA_INVALID, "the two tables do not have the same classes");
    bt_stream_init(&stream, &s->job->run->seed, "permuted sample", 0);
    for (uint32_t c = 0; c < release->classes.count; c++) {
        uint32_t *rows = bags.order + bags.starts[c];
        size_t size = bags.starts[c + 1] - bags.starts[c];
        for (size_t i = 0; i < size; i++)
            drawn[quasi.order[quasi.starts[c] + i]] =
                sensitive->rows[bt_stream_pick(&stream, rows, i, size)];
    }
    *out = drawn;
    return BAUTA_OK;
}

static bauta_status mine_release(const search *s, const bt_compared_column *sensitive,
                                 bt_rules *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_release *release = s->job->release;
    bt_compared *compared = s->job->compared;
    bt_mine_job asked = mining(s, sensitive);
    asked.quasi = bt_compared_rows(compared, 0, compared->quasi);
    asked.left_out = s->left_out;
    asked.rows = release->rows;
    asked.class_of = release->files[BT_QUASI_FILE].bag_of;
    BT_TRY(bt_arena_check(&compared->arena, error));
    if (!release->form->pair)
        asked.sensitive = sensitive->rows;
    else if (s->options[FROM].integer == EXPECTED)
        BT_TRY(find_shares(release, sensitive, &scratch, &asked.share, error));
    else
        BT_TRY(draw_values(s, sensitive, &scratch, &asked.sensitive, error));
    return bt_mine(&asked, out, error);
}

/* ---- comparing --------------------------------------------------------------------------- */

static double lift(const bt_rules *rules, size_t rule, double rows)
{
    return rules->both[rule] * rows / (rules->left[rule] * rules->right[rule]);
}

static void put_rule(const search *s, const bt_compared_column *sensitive, const bt_rules *rules,
                     size_t rule, json_t *to)
{
    bt_facts *facts = s->job->facts;
    const bt_compared *compared = s->job->compared;
    const uint32_t *items = bt_rule_items(rules, rule);
    double rows = (double)compared->record_count;
    json_t *one = bt_put_object(facts, to, NULL), *left = bt_put_object(facts, one, "if");
    for (size_t i = 0; i <= compared->quasi; i++) {
        const bt_compared_column *column = i > 0 ? &compared->columns[i - 1] : sensitive;
        if (items[i] == BT_NO_ITEM) continue;
        bt_put_text(facts, i > 0 ? left : bt_put_object(facts, one, "then"),
                    column->published->manifest->name, column->original->domain.text[items[i]]);
    }
    bt_put_real(facts, one, "support", rules->both[rule] / rows);
    bt_put_real(facts, one, "confidence", rules->both[rule] / rules->left[rule]);
    bt_put_real(facts, one, "lift", lift(rules, rule, rows));
}

static void put_released(const search *s, const bt_rules *rules, size_t rule, json_t *to)
{
    bt_facts *facts = s->job->facts;
    double rows = (double)s->job->release->rows;
    json_t *released =
        bt_put_object(facts, json_array_get(to, json_array_size(to) - 1), "released");
    bt_put_real(facts, released, "support", rules->both[rule] / rows);
    bt_put_real(facts, released, "confidence", rules->both[rule] / rules->left[rule]);
    bt_put_real(facts, released, "lift", lift(rules, rule, rows));
}

/* Both are in the same order. */
static void compare_rules(search *s, const bt_compared_column *sensitive, const bt_rules *original,
                          const bt_rules *released, json_t *shown)
{
    size_t columns = original->columns;
    for (size_t i = 0, j = 0; i < original->count || j < released->count;) {
        int order = i == original->count   ? 1
                    : j == released->count ? -1
                                           : bt_rule_compare(bt_rule_items(original, i),
                                                             bt_rule_items(released, j), columns);
        size_t length = order <= 0 ? bt_rule_length(original, i) : bt_rule_length(released, j);
        tally *count = &s->lengths[length];
        bool show = order <= 0 && json_array_size(shown) < RULES_SHOWN;
        count->original += order <= 0;
        count->released += order >= 0;
        count->recovered += order == 0;
        if (show) put_rule(s, sensitive, original, i, shown);
        if (show && order == 0) put_released(s, released, j, shown);
        if (order == 0) {
            s->lift += lift(original, i, (double)s->job->compared->record_count);
            s->released_lift += lift(released, j, (double)s->job->release->rows);
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static bauta_status search_column(search *s, const bt_compared_column *sensitive, json_t *shown,
                                  bt_support_sums *supports, bauta_error *error)
{
    BT_OWN(bt_rules_release) bt_rules original = {0}, released = {0};
    BT_TRY(mine_original(s, sensitive, &original, error));
    BT_TRY(mine_release(s, sensitive, &released, error));
    compare_rules(s, sensitive, &original, &released, shown);
    return supports ? bt_supports_add(s->job, sensitive, &original, supports, error) : BAUTA_OK;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void put_tally(bt_facts *facts, json_t *to, const tally *count)
{
    int64_t artificial = count->released - count->recovered;
    bt_put_int(facts, to, "original", count->original);
    bt_put_int(facts, to, "released", count->released);
    bt_put_int(facts, to, "recovered", count->recovered);
    bt_put_int(facts, to, "artificial", artificial);
    if (count->original > 0)
        bt_put_real(facts, to, "recovered_share",
                    (double)count->recovered / (double)count->original);
    if (count->released > 0)
        bt_put_real(facts, to, "artificial_share", (double)artificial / (double)count->released);
}

static void tell(const search *s, json_t *to, json_t *by_length)
{
    bt_facts *facts = s->job->facts;
    tally all = {0};
    char length[24];
    bt_put_real(facts, to, "support", bt_rational_double(s->options[SUPPORT].rational));
    bt_put_real(facts, to, "confidence", bt_rational_double(s->options[CONFIDENCE].rational));
    for (size_t i = 1; i <= s->job->compared->quasi; i++) {
        const tally *count = &s->lengths[i];
        all.original += count->original;
        all.released += count->released;
        all.recovered += count->recovered;
        snprintf(length, sizeof length, "%zu", i);
        if (count->original + count->released > 0)
            put_tally(facts, bt_put_object(facts, by_length, length), count);
    }
    put_tally(facts, to, &all);
    if (all.recovered == 0) return;
    bt_put_real(facts, to, "mean_lift", s->lift / (double)all.recovered);
    bt_put_real(facts, to, "mean_lift_released", s->released_lift / (double)all.recovered);
}

bauta_status bt_measure_associations(const bt_knowledge_job *job, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_compared *compared = job->compared;
    search s = {.job = job};
    bt_support_sums supports = {0};
    bool randomized = job->release->form->redrawn && bt_supports_apply(job);
    BT_TRY(parse(job->wish, &scratch, &s.options, error));
    BT_TRY(mark_strangers(compared, &scratch, &s.left_out, error));
    s.lengths = bt_arena_array(&scratch, compared->quasi + 1, sizeof *s.lengths);
    BT_TRY(bt_arena_check(&scratch, error));
    json_t *to = bt_put_object(job->facts, job->at, "associations");
    json_t *by_length = bt_put_object(job->facts, job->at, "associations_by_length");
    json_t *shown = bt_put_array(job->facts, job->at, "association_rules");
    double start = bt_seconds();
    for (size_t i = compared->quasi; i < compared->count; i++)
        BT_TRY(
            search_column(&s, &compared->columns[i], shown, randomized ? &supports : NULL, error));
    tell(&s, to, by_length);
    bt_put_real(job->facts, to, "seconds", bt_seconds() - start);
    if (randomized) bt_supports_put(&supports, job->facts, job->at);
    return BAUTA_OK;
}
