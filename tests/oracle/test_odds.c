/* SPDX-License-Identifier: Apache-2.0
 *
 * What whoever knows a method learns from its classes, without trusting any derivation: on small
 * tables every assignment of sensitive values is grouped by the method itself, with many secret
 * seeds. Of each release, the classes and the values in each, that gives what is believed of every
 * value of every record. For every method of the registry that states a factor:
 *
 *   - no value is certain, or ruled out, that the class does not make so;
 *   - no odds are further from those in the class than by the stated factor.
 *
 * It is no test unless it finds something: with minimal=yes values do become certain. And where `k`
 * alone is required classes do not depend on sensitive values at all.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "group/method.h"
#include "job/load.h"

#include <math.h>

enum {
    PEOPLE = 7,
    VALUES_MOST = 3,
    SEEDS = 500,
    RELEASES = 1 << 17, /* places of a hash table */
};

static bauta_error error;

/* ---- a table whose sensitive values are set ---- */

typedef struct subject {
    bt_arena arena;
    bt_run run;
    bt_loaded loaded;
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    bt_retrace retrace;
    uint32_t values;
    uint8_t *codes; /* the sensitive column's */
} subject;

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

/* Column a has numbers, b a tree of two levels; every value occurs, so that it has a code. */
static void open_subject(subject *s, uint64_t *random, uint32_t values, const char *require,
                         const char *method)
{
    char text[400];
    int length = snprintf(text, sizeof text, "a,b,s\n");
    bauta_recipe *recipe;
    *s = (subject){.values = values};
    for (uint32_t i = 0; i < PEOPLE; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%d,%c%c,%c\n",
                           (int)test_below(random, 4), (int)('x' + test_below(random, 2)),
                           (int)('p' + test_below(random, 2)), (int)('a' + i % values));
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", scratch_text("table.csv", text));
    set(recipe, "quasi", "a,b");
    set(recipe, "sensitive", "s");
    set(recipe, "hierarchy", "b=mask");
    set(recipe, "threads", "1");
    set(recipe, "seed", "1");
    if (strncmp(method, "levels", 6) == 0) {
        set(recipe, "hierarchy", "a=intervals:2,4");
        set(recipe, "levels", "a=3");
        set(recipe, "levels", "b=1");
    } else if (strncmp(method, "mondrian", 8) != 0) {
        set(recipe, "hierarchy", "a=intervals:2,4");
    }
    assert_ok(bt_run_open(recipe, &s->run, &error), &error);
    assert_ok(bt_load(recipe, &s->run, false, &s->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &s->arena, &s->requirements, &error), &error);
    const char *canonical;
    assert_ok(bt_method_parse(method, &s->arena, &s->method, &s->options, &canonical, &error),
              &error);
    s->retrace = s->method->retrace(s->options);
    s->codes = s->loaded.table.columns[2].codes;
    assert_int_equal(s->loaded.table.columns[2].width, 1);
    bauta_recipe_free(recipe);
}

static void close_subject(subject *s)
{
    bt_loaded_release(&s->loaded);
    bt_run_close(&s->run);
    bt_arena_release(&s->arena);
}

/* ---- releases ---- */

typedef struct release {
    bool used;
    uint8_t class_of[PEOPLE];          /* by first members */
    uint8_t bags[PEOPLE][VALUES_MOST]; /* by first members: how many have each value */
    uint32_t seen;                     /* worlds and seeds that came to it */
    uint32_t has[PEOPLE][VALUES_MOST]; /* of them with this value of a person */
} release;

typedef struct trial {
    const char *method;
    uint32_t values;
    int tables, seeds;
    double
        enough; /* times that the less likely of having a value and not is expected, to be judged */
} trial;

typedef struct findings {
    int judged, certain, beyond; /* values of persons in releases */
    double moved, worst;         /* odds; against the stated factor */
} findings;

static release *find_release(release *all, const release *one)
{
    uint64_t hash = 1469598103934665603u;
    const uint8_t *bytes = one->class_of;
    for (size_t i = 0; i < sizeof one->class_of; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    bytes = &one->bags[0][0];
    for (size_t i = 0; i < sizeof one->bags; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    for (size_t at = hash % RELEASES;; at = (at + 1) % RELEASES) {
        release *found = &all[at];
        if (found->used && (memcmp(found->class_of, one->class_of, sizeof one->class_of) != 0 ||
                            memcmp(found->bags, one->bags, sizeof one->bags) != 0))
            continue;
        if (!found->used) {
            *found = *one;
            found->used = true;
        }
        return found;
    }
}

/* Groups the table as it is; false: that is refused, or nothing is stated of what came out. */
static bool group_once(const subject *s, const bt_requirements *bound, release *out)
{
    bt_grouping grouping = {0};
    const bt_method_job job = {.table = &s->loaded.table,
                               .requirements = bound,
                               .options = s->options,
                               .suppress = {0, 1},
                               .records = PEOPLE,
                               .values_shown = s->method->overlaps,
                               .run = &s->run};
    bauta_status status = bt_group(s->method, &job, &grouping, &error);
    bool stated = status == BAUTA_OK && !(grouping.merged && bt_decides_by_values(s->method));
    memset(out, 0, sizeof *out);
    for (uint32_t c = 0; stated && c < grouping.classes; c++)
        for (uint32_t i = grouping.starts[c]; i < grouping.starts[c + 1]; i++) {
            uint32_t row = grouping.order[i], first = grouping.order[grouping.starts[c]];
            out->class_of[row] = (uint8_t)first;
            out->bags[first][s->codes[row]]++;
        }
    bt_grouping_release(&grouping);
    return stated;
}

static void set_seed(subject *s, uint64_t seed)
{
    memset(&s->run.seed, 0, sizeof s->run.seed);
    memcpy(&s->run.seed, &seed, sizeof seed);
}

/* The requirements of the table as it is. */
static bt_requirements bind(const subject *s, bt_people *people, bt_arena *arena)
{
    bt_requirements bound = s->requirements;
    assert_ok(bound.size_only ? bt_people_counted(&s->loaded.table, people, &error)
                              : bt_people_of_table(&s->loaded.table, people, &error),
              &error);
    bound.items = bt_arena_array(arena, bound.count, sizeof *bound.items);
    memcpy(bound.items, s->requirements.items, bound.count * sizeof *bound.items);
    assert_ok(bt_requirements_bind(&bound, people, arena, &error), &error);
    return bound;
}

/* Seeds of its own with the sensitive values as they are. */
static void visit_seeds(subject *s, release *all, uint64_t first, int seeds)
{
    bt_arena arena = {0};
    bt_people people;
    bt_requirements bound = bind(s, &people, &arena);
    bt_tally *whole;
    assert_ok(bt_tally_new(&people, &whole, &error), &error);
    for (uint32_t i = 0; i < PEOPLE; i++)
        assert_ok(bt_tally_add_row(whole, i, &error), &error);
    bool can_be = bt_requirements_check(&bound, whole, NULL);
    for (int seed = 0; can_be && seed < seeds; seed++) {
        release one;
        set_seed(s, first + (uint64_t)seed);
        if (!group_once(s, &bound, &one)) continue;
        release *found = find_release(all, &one);
        found->seen++;
        for (int i = 0; i < PEOPLE; i++)
            found->has[i][s->codes[i]]++;
    }
    bt_tally_free(whole);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

static void visit_worlds(subject *s, release *all, int seeds)
{
    uint64_t worlds = 1;
    for (int i = 0; i < PEOPLE; i++)
        worlds *= s->values;
    for (uint64_t world = 0; world < worlds; world++) {
        uint64_t rest = world;
        for (int i = 0; i < PEOPLE; i++, rest /= s->values)
            s->codes[i] = (uint8_t)(rest % s->values);
        visit_seeds(s, all, world * (uint64_t)seeds, seeds);
    }
}

/* ---- what is believed ---- */

static void judge_person(const subject *s, const release *r, int person, double enough,
                         findings *out)
{
    const uint8_t *bag = r->bags[r->class_of[person]];
    double size = 0;
    for (uint32_t v = 0; v < s->values; v++)
        size += bag[v];
    double bound = fmax(s->retrace.factor, 1);
    for (uint32_t v = 0; v < s->values; v++) {
        double has = r->has[person][v], hasnt = r->seen - has;
        if (bag[v] == 0 || bag[v] == size) {
            assert_true(bag[v] == 0 ? has == 0 : hasnt == 0);
            continue;
        }
        double expected = r->seen * fmin(bag[v], size - bag[v]) / size;
        if (expected < enough * bound) continue;
        out->judged++;
        if (has == 0 || hasnt == 0) {
            out->certain++;
            continue;
        }
        double odds = has / hasnt * (size - bag[v]) / bag[v];
        double moved = fmax(odds, 1 / odds);
        out->moved = fmax(out->moved, moved);
        out->worst = fmax(out->worst, moved / bound);
        /* Seeds are drawn: five standard deviations. */
        out->beyond += moved / bound > exp(5 * sqrt(2 / enough));
    }
}

static findings judge(const char *require, const trial *t, bool states)
{
    findings found = {0};
    uint64_t random = 5;
    for (int table = 0; table < t->tables; table++) {
        subject s;
        release *all = calloc(RELEASES, sizeof *all);
        assert_non_null(all);
        open_subject(&s, &random, t->values, require, t->method);
        assert_int_equal(s.retrace.factor > 0, states);
        visit_worlds(&s, all, t->seeds);
        for (size_t i = 0; i < RELEASES; i++)
            for (int person = 0; all[i].used && person < PEOPLE; person++)
                judge_person(&s, &all[i], person, t->enough, &found);
        close_subject(&s);
        free(all);
    }
    print_message("# %s, %s: %d judged, %d certain, odds moved by %.2f, %.2f of the factor\n",
                  require, t->method, found.judged, found.certain, found.moved, found.worst);
    return found;
}

/* ---- the tests ---- */

/* Methods that state a factor. */
static const trial stating[] = {{"mondrian:minimal=2", 2, 3, SEEDS, 200},
                                {"mondrian:minimal=4", 2, 3, SEEDS, 200},
                                {"mondrian:minimal=4,order=round-robin", 2, 2, SEEDS, 200},
                                {"mondrian:minimal=3,cuts=order", 2, 2, SEEDS, 200},
                                {"mondrian:minimal=2", 3, 1, SEEDS / 2, 100},
                                {"anatomy", 3, 1, SEEDS / 2, 50},
                                {"whole", 2, 1, 10, 20},
                                {"columns:b@1", 2, 2, 10, 20},
                                {"identical", 2, 2, 10, 20},
                                {"levels", 2, 2, 10, 20}};
enum { STATING = sizeof stating / sizeof *stating };

/* Methods that state none: they give values away, or nobody has proven that they do not. */
static const trial silent[] = {{"mondrian:minimal=yes", 2, 6, 60, 20},
                               {"top-down", 2, 6, 60, 20},
                               {"incognito", 2, 6, 60, 20},
                               {"cluster", 2, 2, 60, 20},
                               {"least", 2, 2, 60, 20}};
enum { SILENT = sizeof silent / sizeof *silent };

static void factors_hold(void **state)
{
    (void)state;
    static const char *const requirements[] = {"k=2,l=2", "k=2,alpha=0.6", "k=2,t=0.4"};
    for (size_t m = 0; m < STATING; m++) {
        int judged = 0;
        for (size_t r = 0; r < 3; r++) {
            findings found = judge(requirements[r], &stating[m], true);
            if (found.certain || found.beyond)
                fail_msg("'%s' with %s: %d values certain, %d beyond the factor", stating[m].method,
                         requirements[r], found.certain, found.beyond);
            judged += found.judged;
        }
        /* Few tables have two of each kind of record. */
        if (judged == 0 && strcmp(stating[m].method, "identical") != 0)
            fail_msg("'%s': nothing was judged", stating[m].method);
    }
}

/* The same test finds what is there to be found. */
static void papers_give_values_away(void **state)
{
    (void)state;
    for (size_t m = 0; m < SILENT; m++) {
        findings found = judge("k=2,l=2", &silent[m], false);
        if (!found.certain && strcmp(silent[m].method, "cluster") != 0)
            fail_msg("'%s' gives nothing away", silent[m].method);
    }
}

/* With `k` alone no sensitive value has a say, whatever the method and its options. */
static void sizes_alone_give_nothing_away(void **state)
{
    (void)state;
    static const char *const methods[] = {"mondrian",
                                          "mondrian:minimal=4",
                                          "mondrian:minimal=no",
                                          "top-down",
                                          "incognito",
                                          "incognito:local=yes",
                                          "cluster",
                                          "cluster:merge=borrow",
                                          "least",
                                          "whole",
                                          "columns:b@1",
                                          "levels"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int seed = 1; seed < 4; seed++) {
            uint64_t random = 5;
            uint8_t first[PEOPLE];
            bool any = false;
            subject s;
            open_subject(&s, &random, 2, "k=2", methods[m]);
            for (unsigned world = 0; world < 1u << PEOPLE; world++) {
                bt_people people;
                release one;
                bt_arena arena = {0};
                for (int i = 0; i < PEOPLE; i++)
                    s.codes[i] = world >> i & 1;
                set_seed(&s, (uint64_t)seed);
                bt_requirements bound = bind(&s, &people, &arena);
                if (group_once(&s, &bound, &one)) {
                    if (!any) memcpy(first, one.class_of, sizeof first);
                    if (memcmp(first, one.class_of, sizeof first) != 0)
                        fail_msg("'%s': sensitive values matter", methods[m]);
                    any = true;
                }
                bt_people_release(&people);
                bt_arena_release(&arena);
            }
            assert_true(any);
            close_subject(&s);
        }
}

static bool is_of(const trial *one, const bt_method *method)
{
    size_t length = strlen(method->name);
    return strncmp(one->method, method->name, length) == 0 &&
           (one->method[length] == ':' || !one->method[length]);
}

static void every_method_is_tried(void **state)
{
    (void)state;
    for (size_t i = 0; i < bt_method_registry_count; i++) {
        bool tried = bt_method_registry[i]->planned; /* it decides nothing */
        for (size_t m = 0; m < STATING; m++)
            tried |= is_of(&stating[m], bt_method_registry[i]);
        for (size_t m = 0; m < SILENT; m++)
            tried |= is_of(&silent[m], bt_method_registry[i]);
        if (!tried) fail_msg("'%s' is not tried", bt_method_registry[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_hold),
        cmocka_unit_test(papers_give_values_away),
        cmocka_unit_test(sizes_alone_give_nothing_away),
        cmocka_unit_test(every_method_is_tried),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
