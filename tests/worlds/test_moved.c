/* SPDX-License-Identifier: Apache-2.0
 *
 * Law 1 on tables of some size: a table is anonymized, then values are moved among the records of
 * which the same cells are published (in `distribution` the sensitive values among the records of a
 * group), dropped records get other values and other places, and it is anonymized again. Where the
 * same is published of every record, publish/ has the same bytes. Every method with every form.
 */
#include "worlds.h"

#include "asked.h"
#include "group/method.h"
#include "publish/form.h"

enum { ROWS = 400, DROPPED = 30, COLUMNS = 6, WIDTH = 40 };

/* The columns a to e and s; each value is kept as its text. */
typedef struct people {
    char fields[ROWS + DROPPED][COLUMNS][WIDTH];
    size_t count;
} people;

typedef struct moved {
    setup setup;
    const bt_form *form;
} moved;

/* ---- tables ------------------------------------------------------------------------------- */

static void make_person(uint64_t *random, char (*fields)[WIDTH])
{
    snprintf(fields[0], WIDTH, "%d", 1000 + (int)test_below(random, 60));
    snprintf(fields[1], WIDTH, "x%d%d", (int)test_below(random, 2), (int)test_below(random, 9));
    snprintf(fields[2], WIDTH, "%d.%s", 50 + (int)test_below(random, 9),
             test_below(random, 20) ? "5" : "125");
    snprintf(fields[3], WIDTH, "20%02d-0%d-11", (int)test_below(random, 8),
             1 + (int)test_below(random, 4));
    snprintf(fields[4], WIDTH, "word%d", (int)test_below(random, 5));
    snprintf(fields[5], WIDTH, "ill%d", (int)test_below(random, 5));
}

/* The records in their order, and as many that miss a value between them, at other places and with
 * other values for each seed; tags number the former. */
static table mix(const people *p, uint64_t seed, bt_arena *arena, unsigned *tags)
{
    table out = {bt_arena_array(arena, ROWS + DROPPED, sizeof *out.rows), 0};
    size_t next = 0, left = DROPPED;
    unsigned tag = 0;
    assert_non_null(out.rows);
    while (next < p->count || left > 0) {
        bool drop = next == p->count || test_below(&seed, ROWS + DROPPED - out.count) < left;
        char own[COLUMNS][WIDTH];
        if (drop) make_person(&seed, own);
        if (drop) snprintf(own[0], WIDTH, "%d", 7000 + (int)test_below(&seed, 900));
        const char(*f)[WIDTH] = drop ? (const char(*)[WIDTH])own : p->fields[next];
        out.rows[out.count] = bt_arena_print(arena, "%s,%s,%s,%s,%s,%s", f[0], drop ? "" : f[1],
                                             f[2], f[3], f[4], f[5]);
        tags[out.count++] = drop ? 0 : ++tag;
        left -= drop;
        next += !drop;
    }
    return out;
}

/* ---- moving ------------------------------------------------------------------------------- */

/* How many values are moved: none, few, so that the classes mostly stay what they are, or all. */
static const size_t moves[] = {0, 1, 1, 2, 4, ROWS *COLUMNS, ROWS *COLUMNS};
enum { MOVES = sizeof moves / sizeof *moves };

/* Gives records a value that another of the same class has: by exchange, or drawn anew. */
static void move_values(people *p, const char *const *classes, int from, int to, size_t wanted,
                        bool exchange, uint64_t *random)
{
    size_t first = test_below(random, p->count), done = 0;
    for (size_t i = first; i < first + p->count && done < wanted; i++)
        for (int c = from; c < to && done < wanted; c++) {
            size_t one = i % p->count, other = test_below(random, p->count), looked = 0;
            while (looked++ < p->count && strcmp(classes[other], classes[one]) != 0)
                other = (other + 1) % p->count;
            char kept[WIDTH];
            if (strcmp(p->fields[one][c], p->fields[other][c]) == 0) continue;
            memcpy(kept, p->fields[one][c], WIDTH);
            memcpy(p->fields[one][c], p->fields[other][c], WIDTH);
            if (exchange) memcpy(p->fields[other][c], kept, WIDTH);
            done++;
        }
}

/* The classes of the complete records, from private/mapping.csv. */
static void read_classes(outcome *o, const unsigned *tags, bt_arena *arena, const char **classes)
{
    lines map = cut_lines(o->mapping.bytes);
    for (size_t i = 1; i < map.count; i++) {
        char *rest;
        size_t row = strtoul(map.items[i], &rest, 10) - 1;
        classes[tags[row] - 1] = bt_arena_print(arena, "%s", rest + 1);
    }
    free(map.items);
}

/* ---- a run -------------------------------------------------------------------------------- */

/* Anonymizes, puts the release into its buckets, and notes the classes of the complete records. */
static bool anonymize(const moved *m, const people *p, uint64_t seed, const char **classes,
                      bt_arena *arena, buckets *b)
{
    unsigned tags[ROWS + DROPPED];
    table t = mix(p, seed, arena, tags);
    outcome o;
    seen v;
    bt_buffer key = {0};
    run_world(&m->setup, &t, tags, &o);
    if (o.status == BAUTA_OK) {
        see(&m->setup, &t, tags, &o, &v);
        put_key(&m->setup, &t, &o, &v, &key);
        put_into_bucket(b, &key, &o.bytes, &t);
        if (classes && o.mapping.length > 0) read_classes(&o, tags, arena, classes);
        seen_free(&v);
        key.length = 0;
        put_complete(&t, &key);
        put_into_bucket(b, &key, &o.bytes, &t);
    }
    bool made = o.status == BAUTA_OK;
    bt_buffer_release(&key);
    outcome_free(&o);
    return made;
}

static void moved_values_do_not_show(void **state)
{
    const moved *m = *state;
    bool sensitive = m->form->own_promise, raw = m->form->shows_values && !sensitive;
    int from = sensitive ? COLUMNS - 1 : 0, to = sensitive ? COLUMNS : COLUMNS - 1;
    bt_arena arena = {0};
    buckets b;
    uint64_t random = 1;
    static people base, other;
    const char *classes[ROWS];
    buckets_make(&b);
    base.count = ROWS;
    for (size_t i = 0; i < ROWS; i++)
        make_person(&random, base.fields[i]);
    bool made = anonymize(m, &base, 1, classes, &arena, &b);
    for (size_t i = 0; made && i < MOVES; i++) {
        other = base;
        if (!raw) move_values(&other, classes, from, to, moves[i], i + 1 < MOVES, &random);
        anonymize(m, &other, i + 2, NULL, &arena, &b);
    }
    print_message("# %s: %s, %zu met the first\n", m->setup.name, made ? "published" : "refused",
                  b.shared);
    bt_arena_release(&arena);
    judge_buckets(&b, made);
}

/* An argument is a pattern of the names of those that are wanted. */
int main(int count_of_arguments, char **arguments)
{
    enum { MOST = 128 };
    static moved all[MOST];
    static struct CMUnitTest tests[MOST];
    size_t count = 0;
    for (size_t f = 0; f < bt_form_registry_count; f++)
        for (size_t g = 0; g < bt_method_registry_count && count < MOST; g++) {
            const bt_form *form = bt_form_registry[f];
            const setup usual = {.header = "a,b,c,d,e,s",
                                 .sensitive = 1,
                                 .settings = {{"quasi", "a,b,c,d,e"},
                                              {"sensitive", "s"},
                                              {"hierarchy", "a=intervals:10,30"},
                                              {"hierarchy", "b=mask"},
                                              {"hierarchy", "c=balanced:3"},
                                              {"hierarchy", "d=date"},
                                              {"hierarchy", "e=flat"},
                                              {"missing", "drop"}}};
            if (form->ungrouped && g > 0) continue;
            all[count] = (moved){usual, form};
            ask(&all[count].setup, bt_method_registry[g]->name, form, "a=2 b=2 c=3 d=3 e=1");
            if (!form->ungrouped) add_setting(&all[count].setup, "keep-mapping", "yes");
            count++;
        }
    for (size_t i = 0; i < count; i++)
        tests[i] =
            (struct CMUnitTest){all[i].setup.name, moved_values_do_not_show, NULL, NULL, &all[i]};
    if (count_of_arguments > 1) cmocka_set_test_filter(arguments[1]);
    int failed = _cmocka_run_group_tests("moved", tests, count, scratch_make, scratch_empty);
    bt_arena_release(&names);
    return failed;
}
