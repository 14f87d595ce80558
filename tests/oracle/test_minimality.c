/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality of full-domain recoding against its definition: on small random tables all ways in
 * which the values of each class may belong to its members are visited, those kept in which no
 * column could have stayed at its values, and what is left is compared with the attack.
 *
 * And of `anatomy` nothing can be concluded: replayed with all its random choices, it comes to
 * given classes as likely whichever member of a class has which of its values.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"

#include <math.h>

enum { PEOPLE = 8, COLUMNS = 2, VALUES = 3 };

typedef struct table {
    int quasi[PEOPLE][COLUMNS], value[PEOPLE];
    bool whole[COLUMNS]; /* published as "*" */
    bool tells[COLUMNS]; /* at its values all classes are large enough */
    double ways;         /* in which the columns could not stay */
    double has[PEOPLE][VALUES];
} table;

static const char *make_table(table *t, uint64_t *random)
{
    char text[400];
    int length = snprintf(text, sizeof text, "a,b,s\n");
    for (int i = 0; i < PEOPLE; i++) {
        for (int c = 0; c < COLUMNS; c++)
            t->quasi[i][c] = (int)test_below(random, 2);
        t->value[i] = (int)test_below(random, VALUES);
        length += snprintf(text + length, sizeof text - (size_t)length, "x%d,y%d,v%d\n",
                           t->quasi[i][0], t->quasi[i][1], t->value[i]);
    }
    return scratch_text("people.csv", text);
}

/* Whether two persons are told apart; `lowered` is at its values. */
static bool are_alike(const table *t, int i, int j, int lowered)
{
    for (int c = 0; c < COLUMNS; c++)
        if ((c == lowered || !t->whole[c]) && t->quasi[i][c] != t->quasi[j][c]) return false;
    return true;
}

/* Whether some class fails k=2 (with `sizes`), or else alpha=0.5:v0. */
static bool some_fails(const table *t, const int *value, int lowered, bool sizes)
{
    for (int i = 0; i < PEOPLE; i++) {
        int size = 0, same = 0;
        for (int j = 0; j < PEOPLE; j++) {
            if (!are_alike(t, i, j, lowered)) continue;
            size++;
            same += value[j] == value[i];
        }
        if (sizes ? size < 2 : value[i] == 0 && 2 * same > size) return true;
    }
    return false;
}

static void visit_ways(table *t, int *value, int from)
{
    if (from == PEOPLE) {
        for (int c = 0; c < COLUMNS; c++)
            if (t->tells[c] && !some_fails(t, value, c, false)) return;
        t->ways++;
        for (int i = 0; i < PEOPLE; i++)
            t->has[i][value[i]]++;
        return;
    }
    for (int i = from; i < PEOPLE; i++) {
        if (!are_alike(t, from, i, -1)) continue;
        int kept = value[from];
        value[from] = value[i];
        value[i] = kept;
        visit_ways(t, value, from + 1);
        value[i] = value[from];
        value[from] = kept;
    }
}

/* The most that is believed by someone who looks at the classes alone. */
static double plain_belief(const table *t)
{
    double worst = 0;
    for (int i = 0; i < PEOPLE; i++) {
        double size = 0, same = 0;
        for (int j = 0; j < PEOPLE; j++) {
            if (!are_alike(t, i, j, -1)) continue;
            size++;
            same += t->value[j] == t->value[i];
        }
        worst = fmax(worst, same / size);
    }
    return worst;
}

/* The most that is believed of anybody. */
static double worst_belief(table *t)
{
    int value[PEOPLE];
    double worst = 0;
    for (int c = 0; c < COLUMNS; c++)
        t->tells[c] = t->whole[c] && !some_fails(t, t->value, c, true);
    memcpy(value, t->value, sizeof value);
    visit_ways(t, value, 0);
    assert_true(t->ways > 0);
    for (int i = 0; i < PEOPLE; i++)
        for (int v = 0; v < VALUES; v++)
            worst = fmax(worst, t->has[i][v] / t->ways);
    return worst;
}

static void beliefs_are_as_defined(void **state)
{
    (void)state;
    uint64_t random = 11;
    int compared = 0, learnt = 0;
    for (int trial = 0; trial < 250; trial++) {
        table t = {0};
        bauta_error error;
        json_t *facts;
        const char *file = make_table(&t, &random);
        use_new_folder(NULL);
        if (run(file,
                SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"require", "k=2,alpha=0.5:v0"},
                         {"threads", "1"}, {"group", "incognito"}),
                &facts, &error) != BAUTA_OK)
            continue; /* the table as a whole does not satisfy */
        const json_t *levels = json_object_get(facts, "levels");
        t.whole[0] = json_integer_value(json_object_get(levels, "a")) > 0;
        t.whole[1] = json_integer_value(json_object_get(levels, "b")) > 0;
        json_decref(facts);
        bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
        const json_t *one = find_result(report, "minimality", NULL);
        if (json_integer_value(json_object_get(one, "tried")) == PEOPLE) {
            double worst = worst_belief(&t), found = rate_of(one, "worst");
            compared++;
            learnt += worst > plain_belief(&t) + 0.05;
            if (fabs(found - worst) > 0.1) fail_msg("trial %d: %f, not %f", trial, found, worst);
        }
        bauta_report_free(report);
    }
    if (compared < 20 || learnt < 5) fail_msg("%d compared, %d learnt", compared, learnt);
}

/* ---- anatomy ---- */

enum { TAKEN = 7, LEAST = 2, CLASSES = TAKEN / LEAST };

typedef struct replay {
    const int *value;               /* per person */
    unsigned wanted[CLASSES];       /* sets of persons */
    unsigned made[CLASSES], in_any; /* so far */
    int classes;
} replay;

static int left_of(const replay *r, int value)
{
    int left = 0;
    for (int i = 0; i < TAKEN; i++)
        left += !(r->in_any >> i & 1) && r->value[i] == value;
    return left;
}

/* The largest buckets, of equal ones the first; false: fewer than LEAST are not empty. */
static bool choose_buckets(const replay *r, int *buckets)
{
    unsigned chosen = 0;
    for (int b = 0; b < LEAST; b++) {
        buckets[b] = -1;
        for (int v = 0; v < VALUES; v++)
            if (!(chosen >> v & 1) && left_of(r, v) > 0 &&
                (buckets[b] < 0 || left_of(r, v) > left_of(r, buckets[b])))
                buckets[b] = v;
        if (buckets[b] < 0) return false;
        chosen |= 1u << buckets[b];
    }
    return true;
}

static bool is_wanted(const replay *r)
{
    for (int c = 0; c < CLASSES; c++) {
        bool found = false;
        for (int d = 0; d < CLASSES; d++)
            found = found || r->made[c] == r->wanted[d];
        if (!found) return false;
    }
    return true;
}

static bool has_value(const replay *r, int class_number, int value)
{
    for (int i = 0; i < TAKEN; i++)
        if (r->made[class_number] >> i & 1 && r->value[i] == value) return true;
    return false;
}

/* The one person that may be left joins one of the classes that lack the value. */
static double join_rest(replay r)
{
    double sum = 0;
    int rest = 0, lacking = 0;
    while (rest < TAKEN && r.in_any >> rest & 1)
        rest++;
    if (rest == TAKEN) return is_wanted(&r);
    for (int c = 0; c < CLASSES; c++) {
        if (has_value(&r, c, r.value[rest])) continue;
        replay next = r;
        next.made[c] |= 1u << rest;
        lacking++;
        sum += is_wanted(&next);
    }
    return sum / lacking;
}

/* How likely the classes come out as wanted, over all random choices from here on. */
static double likelihood_of(replay r)
{
    int buckets[LEAST];
    double sum = 0;
    if (!choose_buckets(&r, buckets)) return join_rest(r);
    int first = left_of(&r, buckets[0]), second = left_of(&r, buckets[1]);
    for (int i = 0; i < TAKEN; i++)
        for (int j = 0; j < TAKEN; j++) {
            if ((r.in_any >> i & 1) || (r.in_any >> j & 1)) continue;
            if (r.value[i] != buckets[0] || r.value[j] != buckets[1]) continue;
            replay next = r;
            next.made[next.classes++] = 1u << i | 1u << j;
            next.in_any |= 1u << i | 1u << j;
            sum += likelihood_of(next) / first / second;
        }
    return sum;
}

/* Every way in which the members of classes exchange their values. */
static void visit_exchanges(const replay *r, int *value, int from, double expected)
{
    if (from == TAKEN) {
        replay other = *r;
        other.value = value;
        if (fabs(likelihood_of(other) - expected) > 1e-12) fail_msg("an exchange is told apart");
        return;
    }
    for (int i = from; i < TAKEN; i++) {
        bool together = false;
        for (int c = 0; c < CLASSES; c++)
            together = together || (r->wanted[c] >> i & 1 && r->wanted[c] >> from & 1);
        if (!together) continue;
        int kept = value[from];
        value[from] = value[i];
        value[i] = kept;
        visit_exchanges(r, value, from + 1, expected);
        value[i] = value[from];
        value[from] = kept;
    }
}

static void anatomy_tells_no_members_apart(void **state)
{
    (void)state;
    static const int values[][TAKEN] = {
        {0, 0, 0, 1, 1, 1, 2}, {0, 0, 1, 1, 2, 2, 2}, {0, 0, 0, 1, 1, 2, 2}};
    static const unsigned classes[][CLASSES] = {
        {0x09, 0x12, 0x64}, {0x05, 0x0a, 0x70}, {0x11, 0x0a, 0x64}, {0x29, 0x12, 0x44}};
    int compared = 0;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
            int value[TAKEN];
            replay r = {.value = values[v]};
            memcpy(r.wanted, classes[c], sizeof r.wanted);
            memcpy(value, values[v], sizeof value);
            double expected = likelihood_of(r);
            compared += expected > 0;
            visit_exchanges(&r, value, 0, expected);
        }
    assert_true(compared >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_as_defined),
        cmocka_unit_test(anatomy_tells_no_members_apart),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
