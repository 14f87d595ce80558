/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading distributions backwards, against trying every sequence of values: what is believed of a
 * record, whether values under a part are alike, and which parts are made up; and against every way
 * to give out parts what is believed when the values of others are known.
 */
#define SCRATCH_IN_MEMORY
#include "../allocations.h"
#include "../attacks.h"
#include "../jobs.h"
#include "../release_files.h"

#include "attack/replay.h"
#include "class/fakes.h"

#include <math.h>

enum { GROUPS = 6, SIZE_MOST = 4, VALUES_MOST = 5, TOTAL_MOST = 6, NODES_MOST = 2 * VALUES_MOST };

/* ---- releases ---- */

/* `size` records in each group; 0: from one to SIZE_MOST. Returns the table. */
static const char *make_release(uint64_t *random, const char *form, int size)
{
    static char input[300];
    char rows[1024], weights[256], publish_as[600];
    int domain = 2 + (int)test_below(random, VALUES_MOST - 1);
    int length = snprintf(rows, sizeof rows, "q,s\n");
    for (int group = 0; group < GROUPS; group++)
        for (int i = size ? size : 1 + (int)test_below(random, SIZE_MOST); i > 0; i--)
            length += snprintf(rows + length, sizeof rows - (size_t)length, "%d,%d\n", group,
                               1 + (int)test_below(random, (uint64_t)domain));
    length = snprintf(weights, sizeof weights, "value,weight\n");
    for (int v = 1; v <= domain; v++)
        length += snprintf(weights + length, sizeof weights - (size_t)length, "%d,%d\n", v,
                           1 + (int)test_below(random, 3));
    snprintf(input, sizeof input, "%s", scratch_text("table.csv", rows));
    snprintf(publish_as, sizeof publish_as, "distribution:target=%s,%s",
             scratch_text("weights.csv", weights), form);
    use_new_folder(NULL);
    bauta_error error;
    const char *tree = test_below(random, 2) ? "s=balanced:2" : "s=balanced:3";
    assert_ok(run(input,
                  SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"require", "l=2"},
                           {"group", "identical"}, {"publish", publish_as}, {"hierarchy", tree}),
                  NULL, &error),
              &error);
    return input;
}

/* ---- by trying everything ---- */

typedef struct trial { /* of one group */
    const bt_replay *replay;
    const bt_target *target;
    bt_allocator *allocator;
    uint32_t codes[VALUES_MOST], code_count; /* values of the target */
    uint32_t counts[VALUES_MOST];            /* per code: of the sequence at hand */
    double all, share[VALUES_MOST], made_up[NODES_MOST], alike[NODES_MOST];
} trial;

static size_t hold(const trial *t, bt_held *held)
{
    size_t distinct = 0;
    for (uint32_t i = 0; i < t->code_count; i++)
        if (t->counts[t->codes[i]] > 0)
            held[distinct++] = (bt_held){t->codes[i], t->counts[t->codes[i]]};
    return distinct;
}

static bool same_parts(const trial *t, const bt_allocation *parts)
{
    if (parts->count != t->replay->part_count) return false;
    for (size_t i = 0; i < parts->count; i++) {
        size_t j = 0;
        while (j < parts->count && (t->replay->parts[j].node != parts->items[i].node ||
                                    t->replay->parts[j].copies != parts->items[i].copies))
            j++;
        if (j == parts->count) return false;
    }
    return true;
}

/* The optimal choice without made-up values. */
static double is_optimal(trial *t)
{
    bt_held held[VALUES_MOST];
    bt_allocation parts = {0};
    bauta_error error;
    assert_ok(bt_allocate(t->target, t->allocator, held, hold(t, held), NULL, &parts, &error),
              &error);
    bool same = same_parts(t, &parts);
    bt_allocation_release(&parts);
    return same;
}

static uint64_t count_under(const trial *t, uint32_t node)
{
    uint64_t under = 0;
    for (uint32_t code = t->target->nodes[node].low; code <= t->target->nodes[node].high; code++)
        under += t->counts[code];
    return under;
}

static uint64_t count_inside(const trial *t, uint32_t node, bool deeper)
{
    const bt_target_node *at = &t->target->nodes[node];
    uint64_t inside = 0;
    for (size_t i = 0; i < t->replay->part_count; i++) {
        const bt_target_node *part = &t->target->nodes[t->replay->parts[i].node];
        bool below = part->low >= at->low && part->high <= at->high;
        if (below && (!deeper || t->replay->parts[i].node != node))
            inside += t->replay->parts[i].copies;
    }
    return inside;
}

/* The probability that the coins of a random choice fall so that the parts come out. */
static double is_drawn(trial *t)
{
    double likely = 1;
    for (uint32_t node = 0; node < t->target->count; node++) {
        const bt_target_node *at = &t->target->nodes[node];
        uint64_t inside = count_inside(t, node, false);
        if (at->children == 0 || inside == 0) continue;
        uint64_t most = inside / at->sum, taken = count_inside(t, node, true) / at->sum;
        for (uint32_t i = 0; i < at->children; i++) {
            uint64_t reach = count_under(t, at->first + i) / t->target->nodes[at->first + i].weight;
            if (reach < most) most = reach;
        }
        if (taken > most) return 0;
        likely *= ldexp(1, -(int)(most - taken) - (taken > 0));
    }
    return likely;
}

static uint64_t cost_with(const trial *t, uint32_t number)
{
    bt_held held[VALUES_MOST];
    bt_fakes fakes = {0};
    bauta_error error;
    const bt_fakes_wish wish = {.most = number, .exactly = true};
    assert_ok(bt_fakes_best(t->target, held, hold(t, held), &wish, &fakes, &error), &error);
    uint64_t cost = fakes.cost;
    bt_fakes_release(&fakes);
    return cost;
}

/* Made-up values chosen for the group: the parts hold the values and cost the least. */
static double is_chosen(trial *t)
{
    const bt_replay *r = t->replay;
    bt_held held[VALUES_MOST];
    uint32_t seen = r->total - r->records, most = (uint32_t)bt_replay_made_up(r);
    uint64_t cost = 0;
    for (size_t i = 0; i < r->part_count; i++)
        cost += r->parts[i].copies * t->target->nodes[r->parts[i].node].range;
    if (!parts_cover(t->target, r->parts, r->part_count, held, hold(t, held)) ||
        cost_with(t, seen) != cost)
        return 0;
    for (uint32_t k = 0; k <= most && r->rule.fakes.best; k++)
        if (k < seen ? cost_with(t, k) <= cost : cost_with(t, k) < cost) return 0;
    return 1;
}

static bool are_alike(const trial *t, uint32_t node)
{
    const bt_target_node *at = &t->target->nodes[node];
    for (uint32_t i = 0; i < at->children; i++)
        if (count_under(t, at->first + i) == count_under(t, node)) return true;
    return false;
}

/* Adds one sequence of values, as likely as the target says. */
static void add_sequence(trial *t, const uint32_t *sequence, uint32_t length,
                         double (*likelihood)(trial *))
{
    double likely = 1;
    memset(t->counts, 0, sizeof t->counts);
    for (uint32_t i = 0; i < length; i++) {
        t->counts[sequence[i]]++;
        likely *= t->replay->chance[t->target->leaf_of[sequence[i]]];
    }
    likely *= likelihood(t);
    t->all += likely;
    t->share[sequence[0]] += likely; /* of the first record, as of any */
    for (size_t i = 0; i < t->replay->part_count; i++) {
        uint64_t under = count_under(t, t->replay->parts[i].node);
        uint32_t copies = t->replay->parts[i].copies;
        t->made_up[i] += under < copies ? likely * (double)(copies - under) : 0;
        t->alike[i] += are_alike(t, t->replay->parts[i].node) ? likely : 0;
    }
}

static void try_all(trial *t, uint32_t length, double (*likelihood)(trial *))
{
    uint32_t sequence[TOTAL_MOST], place[TOTAL_MOST] = {0}, at = 0;
    while (at < length) {
        for (uint32_t i = 0; i < length; i++)
            sequence[i] = t->codes[place[i]];
        add_sequence(t, sequence, length, likelihood);
        for (at = 0; at < length && ++place[at] == t->code_count; at++)
            place[at] = 0;
    }
}

/* ---- others who are known ---- */

typedef struct knowing { /* of one release */
    bt_release release;
    bt_spread spread;
    uint32_t values[GROUPS][SIZE_MOST]; /* codes of the records, group by group */
    int size;                           /* of each group */
    double worst, hits;
} knowing;

/* Every way to give the parts of a group to its records: what is believed of the last one. */
static void try_ways(const knowing *k, uint32_t unit, const uint32_t *known, double *belief)
{
    const bt_target *target = bt_spread_target(&k->spread, unit);
    const double *chance = bt_spread_chance(&k->spread, unit);
    uint32_t rows[TOTAL_MOST * 2], nodes[SIZE_MOST], total = 0;
    size_t count, way[SIZE_MOST] = {0};
    const bt_part *parts = bt_grouped_parts(&k->spread.groups, unit, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < parts[i].copies; c++)
            rows[total++] = parts[i].node;
    for (int at = 0; at < k->size;) {
        double weight = 1;
        for (int i = 0; i < k->size; i++) {
            nodes[i] = rows[way[i]];
            for (int j = 0; j < i; j++)
                if (way[j] == way[i]) weight = 0;
            const bt_target_node *node = &target->nodes[nodes[i]];
            if (i + 1 == k->size) continue;
            bool inside = known[i] >= node->low && known[i] <= node->high;
            weight *= inside ? chance[target->leaf_of[known[i]]] / chance[nodes[i]] : 0;
        }
        const bt_target_node *last = &target->nodes[nodes[k->size - 1]];
        for (uint32_t code = last->low; code <= last->high; code++)
            belief[code] += weight * chance[target->leaf_of[code]] / chance[nodes[k->size - 1]];
        for (at = 0; at < k->size && ++way[at] == total; at++)
            way[at] = 0;
    }
}

static void guess_group(knowing *k, uint32_t unit, const uint32_t *values)
{
    for (int person = 0; person < k->size; person++) {
        uint32_t known[SIZE_MOST], count = 0, top = 0;
        double belief[VALUES_MOST] = {0}, sum = 0;
        for (int i = 0; i < k->size; i++)
            if (i != person) known[count++] = values[i];
        try_ways(k, unit, known, belief);
        for (uint32_t v = 0; v < k->spread.tree->leaves; v++) {
            sum += belief[v];
            if (belief[v] > belief[top] + 1e-9) top = v;
        }
        k->hits += top == values[person];
        k->worst = fmax(k->worst, belief[top] / sum);
    }
}

/* The group of quasi value q is the one whose row of quasi.csv shows it. */
static uint32_t unit_of(const bt_release *release, int q)
{
    const bt_release_column *column = &release->columns[0];
    char text[16];
    snprintf(text, sizeof text, "%d", q);
    for (int64_t row = 0; row < release->rows; row++) {
        uint32_t code = bt_code_at(column->codes, column->width, row);
        if (column->values->length[code] == strlen(text) &&
            memcmp(column->values->text[code], text, strlen(text)) == 0)
            return release->files[BT_QUASI_FILE].bag_of[row];
    }
    fail_msg("no group %d", q);
    return 0;
}

static void read_values(knowing *k, const char *table)
{
    FILE *file = fopen(table, "r");
    char line[64], text[16];
    int q, s, counts[GROUPS] = {0};
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%d,%d", &q, &s), 2);
        snprintf(text, sizeof text, "%d", s);
        uint32_t node = bt_hierarchy_find(k->spread.tree, text, strlen(text));
        assert_int_not_equal(node, UINT32_MAX);
        k->values[q][counts[q]++] = k->spread.tree->nodes[node].lo;
    }
    fclose(file);
}

static void known_others_are_struck_out(void **state)
{
    (void)state;
    static const char *const forms[] = {"fake=0,allocation=optimal", "fake=1,allocation=optimal",
                                        "fake=2,allocation=random"};
    uint64_t random = 5;
    for (int round = 0; round < 36; round++) {
        knowing k = {.size = 2 + round % 3};
        bt_run opened;
        bauta_error error;
        char members[32];
        const char *table = make_release(&random, forms[round / 3 % 3], k.size);
        test_run_open(&opened, 1);
        assert_ok(bt_release_open(publish, &opened, &k.release, &error), &error);
        uint32_t values = k.release.distribution.sensitive->manifest->hierarchy->leaves;
        assert_ok(bt_spread_open(&k.release, NULL, values, &k.spread, &error), &error);
        read_values(&k, table);
        for (int q = 0; q < GROUPS; q++)
            guess_group(&k, unit_of(&k.release, q), k.values[q]);
        snprintf(members, sizeof members, "members=%d", k.size - 1);
        bauta_report *report =
            try_attacks(publish, table, ARGUMENTS("attack=background", members), true);
        const json_t *found = find_result(report, "background", "members");
        assert_int_equal(json_integer_value(json_object_get(found, "tried")), GROUPS * k.size);
        assert_rate(found, "worst", k.worst);
        assert_rate(found, "success", k.hits / (GROUPS * k.size));
        bauta_report_free(report);
        bt_spread_close(&k.spread);
        bt_release_close(&k.release);
        bt_pool_free(opened.pool);
    }
}

/* ---- beliefs from parts ---- */

/* Adds what the parts of a group say of one of its records. */
static void add_parts(const bt_spread *spread, uint32_t unit, double *belief)
{
    const bt_target *target = bt_spread_target(spread, unit);
    const double *chance = bt_spread_chance(spread, unit);
    size_t count;
    const bt_part *parts = bt_grouped_parts(&spread->groups, unit, &count);
    for (size_t i = 0; i < count; i++) {
        const bt_target_node *node = &target->nodes[parts[i].node];
        for (uint32_t code = node->low; code <= node->high; code++)
            if (target->leaf_of[code] != BT_NO_NODE)
                belief[code] += (double)parts[i].copies * chance[target->leaf_of[code]] /
                                chance[parts[i].node] / spread->release->bags.values[unit];
    }
}

static int number_at(const bt_release_column *column, int64_t row)
{
    uint32_t code = bt_code_at(column->codes, column->width, row);
    char text[16] = "";
    memcpy(text, column->values->text[code], column->values->length[code]);
    return atoi(text);
}

enum { PEOPLE = 24 };

/* Groups by q with targets of their own; only r is known, so that many groups come into question.
 */
static void believe_everyone(const bt_spread *spread, const int (*people)[3], double *worst,
                             double *hits)
{
    const bt_release *release = spread->release;
    for (int p = 0; p < PEOPLE; p++) {
        double belief[VALUES_MOST] = {0}, sum = 0;
        uint32_t top = 0;
        char text[16];
        for (int64_t row = 0; row < release->rows; row++)
            if (number_at(&release->columns[1], row) == people[p][1])
                add_parts(spread, release->files[BT_QUASI_FILE].bag_of[row], belief);
        for (uint32_t v = 0; v < spread->tree->leaves; v++) {
            sum += belief[v];
            if (belief[v] > belief[top] + 1e-9) top = v;
        }
        snprintf(text, sizeof text, "%d", people[p][2]);
        uint32_t node = bt_hierarchy_find(spread->tree, text, strlen(text));
        *hits += spread->tree->nodes[node].lo == top;
        *worst = fmax(*worst, belief[top] / sum);
    }
}

static void beliefs_follow_from_parts(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 12; round++) {
        int people[PEOPLE][3];
        char rows[1024];
        int length = snprintf(rows, sizeof rows, "q,r,s\n");
        for (int p = 0; p < PEOPLE; p++) {
            int q = (int)test_below(&random, 4), r = (int)test_below(&random, 5);
            int s = 1 + (int)test_below(&random, VALUES_MOST);
            people[p][0] = q;
            people[p][1] = r;
            people[p][2] = s;
            length += snprintf(rows + length, sizeof rows - (size_t)length, "%d,%d,%d\n", q, r, s);
        }
        const char *table = scratch_text("people.csv", rows);
        bt_run opened;
        bt_release release;
        bt_spread spread;
        bauta_error error;
        double worst = 0, hits = 0;
        use_new_folder(NULL);
        assert_ok(
            run(table,
                SETTINGS({"quasi", "q,r"}, {"sensitive", "s"}, {"require", "alpha=0.9"},
                         {"group", "columns:q"},
                         {"publish", "distribution:target=closest,fake=1,allocation=optimal"}),
                NULL, &error),
            &error);
        test_run_open(&opened, 1);
        assert_ok(bt_release_open(publish, &opened, &release, &error), &error);
        uint32_t values = release.distribution.sensitive->manifest->hierarchy->leaves;
        assert_ok(bt_spread_open(&release, NULL, values, &spread, &error), &error);
        believe_everyone(&spread, people, &worst, &hits);
        bauta_report *report =
            try_attacks(publish, table, ARGUMENTS("attack=homogeneity", "know=r"), true);
        const json_t *found = find_result(report, "homogeneity", NULL);
        assert_rate(found, "worst", worst);
        assert_rate(found, "success", hits / PEOPLE);
        bauta_report_free(report);
        bt_spread_close(&spread);
        bt_release_close(&release);
        bt_pool_free(opened.pool);
    }
}

/* ---- comparing ---- */

static void assert_close(double found, double expected)
{
    if (fabs(found - expected) > 1e-9) fail_msg("%.12f, not %.12f", found, expected);
}

static void compare_group(bt_replay *replay, uint32_t unit, int *compared)
{
    bauta_error error;
    bool done;
    assert_ok(bt_replay_group(replay, unit, &done, &error), &error);
    if (!done || replay->total > TOTAL_MOST) return;
    bool chosen = !replay->rule.random && bt_replay_made_up(replay) > 0;
    trial t = {.replay = replay, .target = replay->target};
    for (uint32_t code = 0; code < t.target->codes; code++)
        if (t.target->leaf_of[code] != BT_NO_NODE) t.codes[t.code_count++] = code;
    assert_ok(bt_allocator_new(t.target->count, t.target->codes, &t.allocator, &error), &error);
    try_all(&t, chosen ? replay->records : replay->total,
            chosen                ? is_chosen
            : replay->rule.random ? is_drawn
                                  : is_optimal);
    assert_true(t.all > 0);
    for (uint32_t i = 0; i < t.code_count; i++)
        assert_close(replay->share[t.codes[i]], t.share[t.codes[i]] / t.all);
    for (size_t i = 0; i < replay->part_count; i++) {
        if (chosen) assert_close(replay->made_up[i], t.made_up[i] / t.all);
        if (replay->alike[i] >= 0) assert_close(replay->alike[i], t.alike[i] / t.all);
    }
    ++*compared;
    bt_allocator_free(t.allocator);
}

static void compare(uint64_t *random, const char *form, int *compared)
{
    bt_run opened;
    bt_release release;
    bt_spread spread;
    bt_replay replay;
    bt_replay_rule rule;
    bauta_error error;
    make_release(random, form, 0);
    test_run_open(&opened, 1);
    assert_ok(bt_release_open(publish, &opened, &release, &error), &error);
    uint32_t values = release.distribution.sensitive->manifest->hierarchy->leaves;
    assert_ok(bt_spread_open(&release, NULL, values, &spread, &error), &error);
    assert_true(bt_replay_rule_read(release.manifest.form, &rule));
    assert_ok(bt_replay_open(&spread, &rule, &replay, &error), &error);
    for (uint32_t unit = 0; unit < release.classes.count; unit++)
        compare_group(&replay, unit, compared);
    bt_replay_close(&replay);
    bt_spread_close(&spread);
    bt_release_close(&release);
    bt_pool_free(opened.pool);
}

static void compare_many(const char *const *forms, size_t count, int rounds, int least)
{
    uint64_t random = 11;
    int compared = 0;
    for (int i = 0; i < rounds; i++)
        compare(&random, forms[(size_t)i % count], &compared);
    if (compared < least) fail_msg("only %d groups were compared", compared);
}

static void optimal_choices_are_read_backwards(void **state)
{
    (void)state;
    static const char *const forms[] = {"fake=0,allocation=optimal"};
    compare_many(forms, 1, 120, 100);
}

static void random_choices_are_weighed_by_their_coins(void **state)
{
    (void)state;
    static const char *const forms[] = {"allocation=random", "fake=1,allocation=random",
                                        "fake=2,allocation=random"};
    compare_many(forms, 3, 60, 100);
}

static void made_up_values_are_told_by_their_cost(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "fake=1,allocation=optimal", "fake=2,allocation=optimal", "fake=best:1,allocation=optimal",
        "fake=best:2,allocation=optimal", "fake=50%,allocation=optimal"};
    compare_many(forms, 5, 60, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_choices_are_read_backwards),
        cmocka_unit_test(random_choices_are_weighed_by_their_coins),
        cmocka_unit_test(made_up_values_are_told_by_their_cost),
        cmocka_unit_test(known_others_are_struck_out),
        cmocka_unit_test(beliefs_follow_from_parts),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
