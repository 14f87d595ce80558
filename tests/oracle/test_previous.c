/* SPDX-License-Identifier: Apache-2.0
 *
 * Earlier releases beside a new one (--previous), on many small random tables: who may be in both,
 * what is left of their classes in both, and what is refused, by a plain reading of the published
 * files.
 */
#define SCRATCH_IN_MEMORY
#include "../previous_twin.h"

/* ---- by definition ---- */

typedef struct question { /* what an earlier release says of a record */
    const release *of;
    uint64_t units;     /* classes that may be the record's, as bits */
    unsigned common;    /* sensitive columns of both releases */
    unsigned witnesses; /* sets of columns that hold, as bits: 1 << set */
    bool possible;      /* the record may be in it */
} question;

static bool agree(const int *one, const int *two, unsigned columns)
{
    for (int c = 0; c < SECRETS; c++)
        if ((columns >> c & 1) && one[c] != two[c]) return false;
    return true;
}

/* Whether a row in some classes has these values. */
static bool stand(const release *of, uint64_t units, const int *values, unsigned columns)
{
    for (int i = 0; i < of->count; i++)
        if ((units >> of->rows[i].unit & 1) && agree(of->rows[i].values, values, columns))
            return true;
    return false;
}

static bool is_single(unsigned columns)
{
    return (columns & (columns - 1)) == 0;
}

static question ask(const release *of, const person *who, unsigned sensitive)
{
    question q = {.of = of, .common = of->promised.columns & sensitive};
    for (int i = 0; i < of->count; i++)
        if ((of->cells[i].sets[0] >> who->quasi[0] & 1) &&
            (of->cells[i].sets[1] >> who->quasi[1] & 1))
            q.units |= UINT64_C(1) << of->cells[i].unit;
    for (unsigned columns = 1; columns <= q.common; columns++)
        if ((columns & ~q.common) == 0 && (is_single(columns) || columns == q.common) &&
            stand(of, q.units, who->values, columns))
            q.witnesses |= 1u << columns;
    q.possible = q.common ? q.witnesses != 0 : q.units != 0;
    return q;
}

/* Whether every witness that holds allows someone with these values to be the record. */
static bool allows(const question *q, uint64_t units, const int *values)
{
    for (unsigned columns = 1; columns <= q->common; columns++)
        if ((q->witnesses >> columns & 1) && !stand(q->of, units, values, columns)) return false;
    return true;
}

/* Whether each witness that holds has these values in someone of a crowd. */
static bool is_among(const question *q, const crowd *of, const int *values)
{
    for (unsigned columns = 1; columns <= q->common; columns++) {
        bool found = !(q->witnesses >> columns & 1);
        for (int i = 0; i < of->count && !found; i++)
            found = agree(of->rows[i], values, columns);
        if (!found) return false;
    }
    return true;
}

typedef struct verdict {
    int both, broken; /* records */
    int several;      /* records that may be in several classes of an earlier release */
    int apart;        /* records whose values stand there, but not together in one row */
    int unrelated; /* records that an earlier release of other sensitive columns has no place for */
} verdict;

/* What is left of the classes of an earlier release that may be a record's. */
static void judge_there(const question *q, const crowd *left, const person *who, release *earlier)
{
    bool asked = false, unchanged = false, fine = false;
    for (int unit = 0; unit < 64; unit++) {
        crowd there = {.count = 0};
        int all = 0;
        if (!(q->units >> unit & 1) || !allows(q, UINT64_C(1) << unit, who->values)) continue;
        for (int i = 0; i < earlier->count; i++) {
            if (earlier->rows[i].unit != unit) continue;
            all++;
            if (is_among(q, left, earlier->rows[i].values))
                there.rows[there.count++] = earlier->rows[i].values;
        }
        asked = true;
        unchanged = unchanged || there.count == all;
        fine = fine || there.count == all || is_fine(&earlier->promised, &there);
    }
    earlier->narrowed_there += asked && !unchanged;
    earlier->betrayed += asked && !fine;
}

static void judge_record(const people *now, const person *who, const promise *asked,
                         release *earlier, size_t releases, verdict *sum)
{
    crowd left = {.count = 0};
    question questions[2];
    int all = 0;
    bool any = false, several = false, apart = false, narrows[2] = {false};
    for (size_t p = 0; p < releases; p++)
        questions[p] = ask(&earlier[p], who, asked->columns);
    for (int i = 0; i < now->count; i++) {
        const person *other = &now->list[i];
        bool stays = true;
        if (other->class_number != who->class_number) continue;
        all++;
        for (size_t p = 0; p < releases; p++) {
            if (allows(&questions[p], questions[p].units, other->values)) continue;
            stays = false;
            narrows[p] = true;
        }
        if (stays) left.rows[left.count++] = other->values;
    }
    for (size_t p = 0; p < releases; p++) {
        const question *q = &questions[p];
        sum->unrelated += !q->common && !q->units;
        if (!q->possible) continue;
        any = true;
        several = several || !!(q->units & (q->units - 1));
        apart = apart || (!is_single(q->common) && !(q->witnesses >> q->common & 1));
        earlier[p].both++;
        earlier[p].narrowed += narrows[p];
        judge_there(q, &left, who, &earlier[p]);
    }
    sum->both += any;
    sum->several += several;
    sum->apart += apart;
    sum->broken += left.count < all && !is_fine(asked, &left);
}

static verdict judge_all(const people *now, const promise *asked, release *earlier, size_t releases)
{
    verdict v = {0};
    for (int i = 0; i < now->count; i++)
        if (now->list[i].class_number > 0)
            judge_record(now, &now->list[i], asked, earlier, releases, &v);
    return v;
}

/* ---- who came and who left ---- */

typedef struct side { /* classes of a release that hold the same people as some of the other */
    bool units[64];
} side;

/* Adds all that people link, again and again; classes here are numbered from 1. */
static void grow(const people *now, const release *earlier, side *here, side *there)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < now->count; i++) {
            const person *who = &now->list[i];
            uint64_t units = ask(earlier, who, 0).units;
            if (who->class_number == 0) continue;
            for (int u = 0; u < 64; u++) {
                if (!(units >> u & 1)) continue;
                more = more || here->units[who->class_number] != there->units[u];
                here->units[who->class_number] |= there->units[u];
                there->units[u] |= here->units[who->class_number];
            }
        }
    }
}

/* The rows of one list that have no partner with equal values in the other. */
static crowd subtract(const crowd *from, const crowd *less, unsigned columns)
{
    crowd left = {.count = 0};
    bool taken[PEOPLE_MOST] = {false};
    for (int i = 0; i < from->count; i++) {
        int j = 0;
        while (j < less->count && (taken[j] || !agree(from->rows[i], less->rows[j], columns)))
            j++;
        if (j < less->count)
            taken[j] = true;
        else
            left.rows[left.count++] = from->rows[i];
    }
    return left;
}

/* Sizes alone are judged where a release has other sensitive columns, too. */
static bool is_change_fine(const promise *asked, const crowd *of, unsigned common)
{
    if (of->count == 0) return true;
    return common == asked->columns ? is_fine(asked, of) : of->count >= asked->k;
}

static bool changes_are_fine(const people *now, const promise *asked, const release *earlier)
{
    unsigned common = earlier->promised.columns & asked->columns;
    for (int first = 0; first < now->count && common; first++) {
        side here = {{false}}, there = {{false}};
        crowd rows = {.count = 0}, before = {.count = 0};
        if (now->list[first].class_number == 0 || !ask(earlier, &now->list[first], 0).units)
            continue;
        here.units[now->list[first].class_number] = true;
        grow(now, earlier, &here, &there);
        for (int i = 0; i < now->count; i++)
            if (now->list[i].class_number > 0 && here.units[now->list[i].class_number])
                rows.rows[rows.count++] = now->list[i].values;
        for (int i = 0; i < earlier->count; i++)
            if (there.units[earlier->rows[i].unit])
                before.rows[before.count++] = earlier->rows[i].values;
        crowd came = subtract(&rows, &before, common), left = subtract(&before, &rows, common);
        if (!is_change_fine(asked, &came, common) ||
            !is_change_fine(&earlier->promised, &left, common))
            return false;
    }
    return true;
}

/* ---- trials ---- */

typedef struct trials {
    int refused_alone, broken, betrayed, changed, held;
    /* Of those that held: */
    int narrowed, narrowed_there, several, apart, second, dropped, unrelated;
} trials;

static void expect_refusal(bauta_status status, const bauta_error *error, const verdict *v,
                           const release *betrayed, int trial)
{
    char text[64];
    if (v->broken)
        snprintf(text, sizeof text, ", %d of %d records", v->broken, v->both);
    else
        snprintf(text, sizeof text, "beside this one, %d of %d records", betrayed->betrayed,
                 betrayed->both);
    const char *message = status == BAUTA_OK ? "accepted" : error->message;
    const char *found = strstr(message, text);
    bool there = strncmp(message, "beside this one", 15) == 0;
    if (status != BAUTA_NO || !found || there != !v->broken)
        fail_msg("trial %d: '%s', not '%s'", trial, message, text);
}

static void expect_release(bauta_status status, const bauta_error *error, const json_t *facts,
                           const release *earlier, size_t releases, int trial)
{
    if (status != BAUTA_OK) fail_msg("trial %d: %s", trial, error->message);
    const json_t *told = json_object_get(facts, "previous");
    assert_int_equal(json_array_size(told), releases);
    for (size_t p = 0; p < releases; p++) {
        const json_t *one = json_array_get(told, p);
        const int64_t numbers[] = {whole(one, "records_in_both"), whole(one, "narrowed"),
                                   whole(one, "narrowed_there")};
        if (numbers[0] != earlier[p].both || numbers[1] != earlier[p].narrowed ||
            numbers[2] != earlier[p].narrowed_there)
            fail_msg("trial %d, release %zu: %d %d %d, not %d %d %d", trial, p, (int)numbers[0],
                     (int)numbers[1], (int)numbers[2], earlier[p].both, earlier[p].narrowed,
                     earlier[p].narrowed_there);
    }
}

static void count_held(trials *seen, const people *now, const release *earlier, size_t releases,
                       const verdict *v)
{
    bool narrowed = false, there = false, dropped = false;
    for (size_t p = 0; p < releases; p++) {
        narrowed = narrowed || earlier[p].narrowed > 0;
        there = there || earlier[p].narrowed_there > 0;
    }
    for (int i = 0; i < now->count; i++)
        dropped = dropped || now->list[i].class_number == 0;
    seen->held++;
    seen->narrowed += narrowed;
    seen->narrowed_there += there;
    seen->several += v->several > 0;
    seen->apart += v->apart > 0;
    seen->second += releases > 1;
    seen->dropped += dropped;
    seen->unrelated += v->unrelated > 0;
}

static promise draw_promise(uint64_t *random, unsigned columns)
{
    static const int alphas[][2] = {{1, 2}, {3, 5}, {7, 10}};
    promise to = {.columns = columns};
    if (test_below(random, 5) > 0) to.k = 2 + (int)test_below(random, 3);
    if (to.k == 0 || test_below(random, 3) == 0) {
        const int *alpha = alphas[test_below(random, 3)];
        uint64_t which = test_below(random, 5);
        if (which < 3) to.l = 2;
        if (which > 1) {
            to.top = alpha[0];
            to.bottom = alpha[1];
        }
    }
    to.pairwise = test_below(random, 3) == 0;
    return to;
}

/* Anatomy takes one sensitive column and knows what its classes satisfy. */
static void settle_anatomy(request *to)
{
    while (!is_single(to->asked.columns))
        to->asked.columns &= to->asked.columns - 1;
    to->form = "two-tables";
    if (to->asked.k > 2) to->asked.k = 2;
}

static request draw_request(uint64_t *random, unsigned quasi, unsigned columns, const char *seed)
{
    static const char *const methods[] = {"mondrian", "top-down",           "cluster",
                                          "anatomy",  "top-down",           "mondrian:minimal=no",
                                          "cluster",  "top-down:minimal=no"};
    request to = {.quasi = quasi, .seed = seed};
    to.hierarchy = (unsigned)test_below(random, 4) & quasi;
    to.method = methods[test_below(random, 8)];
    to.form = test_below(random, 3) == 0 ? "two-tables" : "generalized";
    to.asked = draw_promise(random, columns);
    if (to.hierarchy == quasi && test_below(random, 4) == 0) {
        to.method = "incognito";
        to.suppress = "0.3";
    }
    if (strcmp(to.method, "anatomy") == 0) settle_anatomy(&to);
    return to;
}

static unsigned draw_columns(uint64_t *random)
{
    static const unsigned sets[] = {1, 1, 1, 3, 3, 3, 3, 2, 2, 7};
    return sets[test_below(random, 10)];
}

/* Mostly the same, sometimes a column that the new release hardly ever has. */
static unsigned draw_columns_there(uint64_t *random, unsigned columns)
{
    uint64_t kind = test_below(random, 6);
    return kind == 0 ? 4 : kind < 3 ? draw_columns(random) : columns;
}

/* Publishes a table once more beside earlier releases, and compares with the definition. */
static void publish_again(people *now, const request *how, char previous[][400], release *earlier,
                          size_t releases, trials *seen, int trial)
{
    bauta_error error;
    json_t *facts = NULL;
    const release *betrayed = NULL;
    read_mapping(now);
    verdict v = judge_all(now, &how->asked, earlier, releases);
    for (size_t p = releases; p-- > 0;)
        if (earlier[p].betrayed > 0) betrayed = &earlier[p];
    bauta_status status = publish_people("new", how, previous, releases, &facts, &error);
    bool fine = true;
    for (size_t p = 0; p < releases; p++)
        fine = fine && changes_are_fine(now, &how->asked, &earlier[p]);
    if (v.broken || betrayed)
        expect_refusal(status, &error, &v, betrayed, trial);
    else if (!fine && (status != BAUTA_NO || !strstr(error.message, "whoever knows who")))
        fail_msg("trial %d: '%s'", trial, status == BAUTA_OK ? "accepted" : error.message);
    else if (fine)
        expect_release(status, &error, facts, earlier, releases, trial);
    json_decref(facts);
    seen->broken += v.broken > 0;
    seen->betrayed += !v.broken && betrayed;
    seen->changed += !v.broken && !betrayed && !fine;
    if (!v.broken && !betrayed && fine) count_held(seen, now, earlier, releases, &v);
}

static void one_trial(uint64_t *random, trials *seen, int trial)
{
    static const char *const names[] = {"old", "older"};
    static people now, before;
    static release earlier[2];
    char previous[2][400];
    bauta_error error;
    bauta_status status = BAUTA_OK;
    const variety of = {5 + test_below(random, AGES - 4), 2 + test_below(random, VALUES - 1),
                        test_below(random, 3) == 0};
    size_t releases = 1 + (test_below(random, 4) == 0);
    unsigned columns = draw_columns(random), quasi = 1 + (unsigned)test_below(random, 3);
    request how = draw_request(random, quasi, columns, "2");
    draw_people(&now, random, &of, 20 + (int)test_below(random, 31));
    write_people("new.csv", &now);
    for (size_t p = 0; p < releases && status == BAUTA_OK; p++) {
        unsigned there = draw_columns_there(random, columns),
                 known = test_below(random, 6) == 0 ? 1 + (unsigned)test_below(random, 3) : quasi;
        request was = draw_request(random, known, there, "1");
        char file[32];
        if (test_below(random, 3) == 0) was = how; /* the new request, but for its table */
        draw_earlier(&before, &now, random, &of);
        snprintf(file, sizeof file, "%s.csv", names[p]);
        write_people(file, &before);
        status = publish_people(names[p], &was, NULL, 0, NULL, &error);
        snprintf(previous[p], sizeof previous[p], "%s", publish);
        if (status == BAUTA_OK) read_release(&earlier[p], &was);
    }
    if (status == BAUTA_OK) status = publish_people("new", &how, NULL, 0, NULL, &error);
    if (status == BAUTA_OK)
        publish_again(&now, &how, previous, earlier, releases, seen, trial);
    else
        assert_int_equal(status, BAUTA_NO); /* no classes satisfy what is asked */
    seen->refused_alone += status != BAUTA_OK;
}

/* Whether every kind of case was met often enough. */
static bool is_plenty(const trials *seen)
{
    return seen->broken >= 100 && seen->betrayed >= 40 && seen->changed >= 40 &&
           seen->held >= 100 && seen->narrowed >= 30 && seen->narrowed_there >= 30 &&
           seen->several >= 30 && seen->apart >= 5 && seen->second >= 15 && seen->dropped >= 5 &&
           seen->unrelated >= 5;
}

static void intersections_are_those_of_the_definition(void **state)
{
    (void)state;
    uint64_t random = 2008;
    trials seen = {0};
    for (int trial = 0; trial < 1000 || (trial < 8000 && !is_plenty(&seen)); trial++)
        one_trial(&random, &seen, trial);
    if (!is_plenty(&seen))
        fail_msg("%d broken, %d betrayed, %d changed, %d held; of these %d narrowed, %d there, %d "
                 "with several "
                 "classes, %d with values apart, %d with two releases, %d with fewer records, %d "
                 "with people elsewhere; %d could not be published",
                 seen.broken, seen.betrayed, seen.changed, seen.held, seen.narrowed,
                 seen.narrowed_there, seen.several, seen.apart, seen.second, seen.dropped,
                 seen.unrelated, seen.refused_alone);
}

/* ---- nothing left ---- */

/* The values of two records stand in an earlier class, in different rows, none of which is left:
 * that breaks what counts rows or values, and has no share that is too large. */
static void nothing_may_be_left(void **state)
{
    (void)state;
    static people before = {{{{5, 0}, {1, 2, 1}, 0}, {{5, 0}, {2, 1, 1}, 0}}, 2},
                  now = {{{{5, 0}, {1, 1, 1}, 0},
                          {{5, 0}, {1, 1, 1}, 0},
                          {{5, 0}, {3, 3, 1}, 0},
                          {{5, 0}, {3, 3, 1}, 0}},
                         4};
    static const promise promises[] = {
        {.k = 2, .columns = 3}, {.l = 2, .columns = 3}, {.top = 1, .bottom = 2, .columns = 3}};
    static release earlier;
    const request how = {
        .quasi = 1, .method = "mondrian", .form = "generalized", .asked = promises[0], .seed = "1"};
    trials seen = {0};
    write_people("old.csv", &before);
    write_people("new.csv", &now);
    for (int i = 0; i < 3; i++) {
        bauta_error error;
        char previous[1][400];
        request was = how;
        was.asked = promises[i];
        assert_ok(publish_people("old", &was, NULL, 0, NULL, &error), &error);
        snprintf(previous[0], sizeof previous[0], "%s", publish);
        read_release(&earlier, &was);
        assert_ok(publish_people("new", &how, NULL, 0, NULL, &error), &error);
        publish_again(&now, &how, previous, &earlier, 1, &seen, i);
    }
    assert_int_equal(seen.betrayed, 2);
    assert_int_equal(seen.held, 1);
}

/* ---- the same again ---- */

/* Pairs with equal quasi values, who differ in all others: every method finds classes. */
static void draw_pairs(people *to, uint64_t *random)
{
    const variety of = {12, VALUES, false};
    draw_people(to, random, &of, 40);
    for (int i = 0; i < to->count; i += 2) {
        const person *one = &to->list[i];
        person *two = &to->list[i + 1];
        memcpy(two->quasi, one->quasi, sizeof two->quasi);
        for (int c = 0; c < SECRETS; c++)
            two->values[c] = 1 + (one->values[c] + (int)test_below(random, VALUES - 1)) % VALUES;
    }
}

static bool is_possible(const request *how)
{
    bool generalized = strcmp(how->form, "generalized") == 0,
         one = strcmp(how->form, "distribution") == 0 || strcmp(how->method, "anatomy") == 0;
    if (strcmp(how->method, "levels") == 0 && !generalized) return false;
    return !one || is_single(how->asked.columns);
}

static void publish_twice(const request *how, int count)
{
    bauta_error error;
    char previous[1][400];
    json_t *facts;
    assert_ok(publish_people("old", how, NULL, 0, NULL, &error), &error);
    snprintf(previous[0], sizeof previous[0], "%s", publish);
    bauta_status status = publish_people("new", how, previous, 1, &facts, &error);
    if (status != BAUTA_OK) fail_msg("%s, %s: %s", how->method, how->form, error.message);
    const json_t *told = json_array_get(json_object_get(facts, "previous"), 0);
    if (whole(told, "records_in_both") != count || whole(told, "narrowed") != 0 ||
        whole(told, "narrowed_there") != 0)
        fail_msg("%s, %s: %d in both, %d narrowed, %d there", how->method, how->form,
                 (int)whole(told, "records_in_both"), (int)whole(told, "narrowed"),
                 (int)whole(told, "narrowed_there"));
    json_decref(facts);
}

static void the_same_again_is_accepted(void **state)
{
    (void)state;
    static const char *const methods[] = {"mondrian",      "top-down",  "anatomy",
                                          "incognito",     "cluster",   "whole",
                                          "columns:age@2", "identical", "levels"},
                             *const forms[] = {"generalized", "two-tables", "distribution"};
    static people table;
    uint64_t random = 8;
    int made = 0;
    for (int i = 0; i < 9 * 3 * 2 * 4; i++) {
        request how = {.quasi = 3, .hierarchy = 3, .seed = i % 4 < 2 ? "1" : "2"};
        how.method = methods[i / 24];
        how.form = forms[i / 8 % 3];
        how.asked = (promise){.l = 2, .columns = i / 4 % 2 ? 3 : 1};
        if (i % 2) {
            how.asked.top = 7;
            how.asked.bottom = 10;
        }
        if (strcmp(how.form, "distribution") != 0) how.asked.k = 2;
        if (!is_possible(&how)) continue;
        draw_pairs(&table, &random);
        write_people("old.csv", &table);
        write_people("new.csv", &table);
        publish_twice(&how, table.count);
        made++;
    }
    assert_int_equal(made, 160);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_again_is_accepted),
        cmocka_unit_test(nothing_may_be_left),
        cmocka_unit_test(intersections_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
