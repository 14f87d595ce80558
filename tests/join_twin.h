/* SPDX-License-Identifier: Apache-2.0
 *
 * Small random tables with a public one, their releases, and who is inside which box.
 */
#ifndef BT_TEST_JOIN_TWIN_H
#define BT_TEST_JOIN_TWIN_H

#include "jobs.h"

enum { RECORDS = 40, PEOPLE = 160, VALUES = 4, TEXTS = 5 };

typedef struct person { /* the first are the records */
    int number, text;
    int value;
} person;

typedef struct row {
    int lo, hi;
    unsigned texts; /* as bits */
    int group;
} row;

typedef struct twin {
    person people[PEOPLE];
    int records, count;
    row rows[PEOPLE];
    int row_count;
    int bag[PEOPLE][VALUES], bag_size[PEOPLE], group_rows[PEOPLE], groups; /* numbers from 1 */
    int k, l; /* l: 0 or 1: nothing is asked of values */
    bool refined, values;
} twin;

/* ---- making and reading ---- */

static char records_file[300], public_file[300];

/* Writes both tables and forgets them. */
static inline void keep_tables(bt_buffer *mine, bt_buffer *theirs)
{
    snprintf(records_file, sizeof records_file, "%s",
             scratch_write("records.csv", mine->bytes, mine->length));
    snprintf(public_file, sizeof public_file, "%s",
             scratch_write("public.csv", theirs->bytes, theirs->length));
    bt_buffer_release(mine);
    bt_buffer_release(theirs);
}

/* Everyone has a name; most records are in the public table too. */
static inline void make_people(twin *t, uint64_t *random, int records, int count, int range)
{
    bt_buffer mine = {0}, theirs = {0};
    bauta_error error;
    t->records = records;
    t->count = count;
    assert_ok(bt_buffer_print(&mine, &error, "name,a,b,s\n"), &error);
    assert_ok(bt_buffer_print(&theirs, &error, "name,a,b\n"), &error);
    for (int i = 0; i < count; i++) {
        person *one = &t->people[i];
        *one = (person){(int)test_below(random, (uint64_t)range), (int)test_below(random, TEXTS),
                        (int)test_below(random, VALUES)};
        if (i < TEXTS) one->text = i; /* public texts are those of records */
        if (i < records)
            assert_ok(bt_buffer_print(&mine, &error, "p%d,%d,t%d,v%d\n", i, one->number, one->text,
                                      one->value),
                      &error);
        if (i >= records || test_below(random, 5) > 0)
            assert_ok(bt_buffer_print(&theirs, &error, "p%d,%d,t%d\n", i, one->number, one->text),
                      &error);
    }
    keep_tables(&mine, &theirs);
}

static inline void read_row(const char *line, row *to)
{
    int used = 0;
    if (sscanf(line, "\"[%d,%d]\",%n", &to->lo, &to->hi, &used) != 2 || used == 0) {
        assert_int_equal(sscanf(line, "%d,%n", &to->lo, &used), 1);
        to->hi = to->lo;
    }
    const char *comma = strrchr(line, ',');
    to->texts = 0;
    for (int i = 0; i < TEXTS; i++) {
        char text[8];
        snprintf(text, sizeof text, "t%d", i);
        const char *found = strstr(line + used, text);
        if (found && found < comma) to->texts |= 1u << i;
    }
    assert_int_equal(sscanf(comma, ",%d", &to->group), 1);
}

static inline void read_release(twin *t)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, "data.csv", &text);
    char **lines = split_lines(&text, &count);
    t->row_count = (int)count - 1;
    t->groups = 0;
    memset(t->bag, 0, sizeof t->bag);
    memset(t->bag_size, 0, sizeof t->bag_size);
    memset(t->group_rows, 0, sizeof t->group_rows);
    for (int i = 0; i < t->row_count; i++) {
        read_row(lines[i + 1], &t->rows[i]);
        t->group_rows[t->rows[i].group]++;
        if (t->rows[i].group > t->groups) t->groups = t->rows[i].group;
    }
    free(lines);
    if (t->values) {
        read_file(publish, "sensitive.csv", &text);
        lines = split_lines(&text, &count);
        for (size_t i = 1; i < count; i++) {
            int group, value;
            assert_int_equal(sscanf(lines[i], "%d,v%d", &group, &value), 2);
            t->bag[group][value]++;
            t->bag_size[group]++;
        }
        free(lines);
    }
    bt_buffer_release(&text);
}

static inline bauta_status release_people(twin *t, const char *join, const char *method,
                                          const char *previous, bauta_error *error)
{
    char require[32];
    size_t length = (size_t)snprintf(require, sizeof require, "k=%d", t->k);
    if (t->l > 1) snprintf(require + length, sizeof require - length, ",l=%d", t->l);
    t->refined = join[0] == 'r';
    t->values = t->refined;
    const setting settings[SETTINGS_MOST] = {
        {"seed-file", seed_file}, {"threads", "1"},
        {"public", public_file},  {"key", "name"},
        {"quasi", "a,b"},         {t->values ? "sensitive" : "drop", "s"},
        {"require", require},     {"group", method},
        {"join", join},           {previous ? "previous" : NULL, previous}};
    return run(records_file, settings, NULL, error);
}

/* ---- by definition ---- */

static inline bool is_inside(const row *one, const person *who)
{
    return who->number >= one->lo && who->number <= one->hi && (one->texts >> who->text & 1);
}

static inline bool same_cells(const row *a, const row *b)
{
    return a->lo == b->lo && a->hi == b->hi && a->texts == b->texts;
}

static inline int count_rows(const twin *t, const row *like)
{
    int count = 0;
    for (int i = 0; i < t->row_count; i++)
        count += same_cells(&t->rows[i], like);
    return count;
}

static inline int count_people(const twin *t, const row *one, int of)
{
    int count = 0;
    for (int i = 0; i < of; i++)
        count += is_inside(one, &t->people[i]);
    return count;
}

/* Whether a row is the first with its cells. */
static inline bool is_first(const twin *t, int number)
{
    for (int i = 0; i < number; i++)
        if (same_cells(&t->rows[i], &t->rows[number])) return false;
    return true;
}

static inline void use_seed(int seed)
{
    char bytes[32];
    memset(bytes, seed + 1, sizeof bytes);
    scratch_write("seed", bytes, sizeof bytes); /* the seed file of SETTINGS */
}

#endif
