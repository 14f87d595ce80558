/* SPDX-License-Identifier: Apache-2.0
 *
 * Small random tables that are published again and again: people, what is asked of their classes,
 * and what stands in the files of a release.
 */
#ifndef BT_TEST_PREVIOUS_TWIN_H
#define BT_TEST_PREVIOUS_TWIN_H

#include "jobs.h"

/* ---- people ---- */

enum {
    PEOPLE_MOST = 60,
    QUASI = 2,
    SECRETS = 3,
    AGES = 24,
    TEXTS = 6,
    VALUES = 4,
    EMPTY = 31 /* the missing value of a quasi column */
};

static const char *const quasi_names[QUASI] = {"age", "city"};
static const char *const secret_names[SECRETS] = {"s", "u", "w"};
static const char *const texts[TEXTS] = {"aa", "ab", "ba", "bb", "ca", "cb"};

typedef struct person {
    unsigned quasi[QUASI];
    int values[SECRETS]; /* 0 is missing */
    int class_number;    /* of the new release; 0: dropped */
} person;

typedef struct people {
    person list[PEOPLE_MOST];
    int count;
} people;

typedef struct variety {
    uint64_t ages, values; /* how many there are */
    bool missing;          /* some values are */
} variety;

static inline unsigned draw_quasi(uint64_t *random, const variety *of, uint64_t values)
{
    if (of->missing && test_below(random, 12) == 0) return EMPTY;
    return (unsigned)test_below(random, values);
}

static inline int draw_value(uint64_t *random, const variety *of)
{
    if (of->missing && test_below(random, 8) == 0) return 0;
    return 1 + (int)test_below(random, of->values);
}

static inline void add_person(people *to, uint64_t *random, const variety *of)
{
    person *one = &to->list[to->count++];
    *one = (person){{draw_quasi(random, of, of->ages), draw_quasi(random, of, TEXTS)}, {0}, 0};
    for (int c = 0; c < SECRETS; c++)
        one->values[c] = draw_value(random, of);
}

static inline void draw_people(people *to, uint64_t *random, const variety *of, int count)
{
    to->count = 0;
    while (to->count < count)
        add_person(to, random, of);
}

/* One in five has another value, and one in fifteen another place. */
static inline void change_people(people *who, uint64_t *random, const variety *of)
{
    for (int i = 0; i < who->count; i++) {
        person *one = &who->list[i];
        if (test_below(random, 5) == 0)
            one->values[test_below(random, SECRETS)] = draw_value(random, of);
        if (test_below(random, 15) == 0) one->quasi[0] = draw_quasi(random, of, of->ages);
    }
}

/* The table of an earlier release: the same, one that has grown or shrunk since, one whose values
 * have changed, or another. */
static inline void draw_earlier(people *to, const people *now, uint64_t *random, const variety *of)
{
    int kind = (int)test_below(random, 6);
    *to = *now;
    if (kind == 1) to->count -= (int)test_below(random, 10);
    if (kind == 2)
        while (to->count < now->count + 8)
            add_person(to, random, of);
    if (kind == 3) change_people(to, random, of);
    if (kind == 4) draw_people(to, random, of, now->count);
}

static inline void write_people(const char *name, const people *who)
{
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "age,city,s,u,w\n");
    for (int i = 0; i < who->count; i++) {
        const person *one = &who->list[i];
        char age[16] = "";
        if (one->quasi[0] != EMPTY) snprintf(age, sizeof age, "%u", one->quasi[0]);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s,%s", age,
                                   one->quasi[1] == EMPTY ? "" : texts[one->quasi[1]]);
        for (int c = 0; c < SECRETS; c++)
            length += one->values[c] == 0
                          ? (size_t)snprintf(text + length, sizeof text - length, ",")
                          : (size_t)snprintf(text + length, sizeof text - length, ",%s%d",
                                             secret_names[c], one->values[c]);
        length += (size_t)snprintf(text + length, sizeof text - length, "\n");
    }
    assert_true(length < sizeof text);
    scratch_text(name, text);
}

/* ---- what is asked of a class ---- */

typedef struct promise {
    int k, l, top, bottom; /* 0: nothing; alpha is top/bottom */
    bool pairwise;
    unsigned columns; /* sensitive ones, as bits */
} promise;

typedef struct crowd { /* sensitive values, row by row */
    const int *rows[PEOPLE_MOST];
    int count;
} crowd;

/* l and alpha, of a column, among those with a value of another (NULL: among all). */
static inline bool are_values_fine(const promise *asked, const crowd *of, int column, int other,
                                   const int *known)
{
    int counts[VALUES + 1] = {0}, size = 0, distinct = 0;
    for (int i = 0; i < of->count; i++) {
        if (known && of->rows[i][other] != *known) continue;
        size++;
        distinct += counts[of->rows[i][column]]++ == 0;
    }
    for (int v = 0; v <= VALUES && asked->bottom; v++)
        if (counts[v] * asked->bottom > asked->top * size) return false;
    return distinct >= asked->l;
}

static inline bool is_fine(const promise *asked, const crowd *of)
{
    for (int c = 0; c < SECRETS; c++) {
        if (!(asked->columns >> c & 1)) continue;
        if (!are_values_fine(asked, of, c, c, NULL)) return false;
        for (int other = 0; other < SECRETS && asked->pairwise; other++)
            for (int i = 0; i < of->count && other != c && (asked->columns >> other & 1); i++)
                if (!are_values_fine(asked, of, c, other, &of->rows[i][other])) return false;
    }
    return of->count >= asked->k;
}

/* ---- releases ---- */

typedef struct request {
    unsigned quasi;     /* columns, as bits */
    unsigned hierarchy; /* columns, as bits, that have a hierarchy */
    const char *method, *form;
    const char *suppress; /* NULL: nothing */
    promise asked;
    const char *seed;
} request;

typedef struct list { /* of names, with commas */
    char text[64];
} list;

static inline list name_columns(const char *const *names, unsigned columns)
{
    list to = {""};
    for (int c = 0; columns >> c; c++)
        if (columns >> c & 1)
            snprintf(to.text + strlen(to.text), sizeof to.text - strlen(to.text), "%s%s",
                     to.text[0] ? "," : "", names[c]);
    return to;
}

static inline list spell_promise(const promise *asked)
{
    char k[16] = "", l[16] = "", alpha[32] = "";
    list to;
    if (asked->k) snprintf(k, sizeof k, ",k=%d", asked->k);
    if (asked->l) snprintf(l, sizeof l, ",l=%d", asked->l);
    if (asked->bottom) snprintf(alpha, sizeof alpha, ",alpha=%d/%d", asked->top, asked->bottom);
    snprintf(to.text, sizeof to.text, "%s%s%s", k, l, alpha);
    memmove(to.text, to.text + 1, strlen(to.text)); /* without the first comma */
    return to;
}

static inline void add_setting(setting *settings, const char *key, const char *value)
{
    size_t i = 0;
    while (settings[i].key)
        i++;
    assert_true(i < SETTINGS_MOST);
    settings[i] = (setting){key, value};
}

/* Publishes a table into a folder of its name, beside those of `previous`. */
static inline bauta_status publish_people(const char *name, const request *how,
                                          char previous[][400], size_t releases, json_t **facts,
                                          bauta_error *error)
{
    char input[300];
    list quasi = name_columns(quasi_names, how->quasi),
         sensitive = name_columns(secret_names, how->asked.columns),
         require = spell_promise(&how->asked);
    setting settings[SETTINGS_MOST + 1] = {{"seed", how->seed},
                                           {"threads", "1"},
                                           {"force", "yes"},
                                           {"keep-mapping", "yes"},
                                           {"quasi", quasi.text},
                                           {"sensitive", sensitive.text},
                                           {"drop", "rest"},
                                           {"require", require.text},
                                           {"joint", how->asked.pairwise ? "pairwise" : "none"},
                                           {"group", how->method},
                                           {"publish", how->form}};
    if (how->hierarchy & 1) add_setting(settings, "hierarchy", "age=intervals:3,6,12");
    if (how->hierarchy & 2) add_setting(settings, "hierarchy", "city=mask");
    if (strcmp(how->method, "levels") == 0) {
        add_setting(settings, "levels", "age=2");
        add_setting(settings, "levels", "city=1");
    }
    if (how->suppress) add_setting(settings, "suppress", how->suppress);
    for (size_t p = 0; p < releases; p++)
        add_setting(settings, "previous", previous[p]);
    use_folder(name);
    snprintf(input, sizeof input, "%s.csv", out);
    return run(input, settings, facts, error);
}

/* ---- reading what was published ---- */

typedef struct release {
    promise promised;
    struct {
        uint32_t sets[QUASI]; /* the values that a cell contains, as bits */
        int unit;
    } cells[PEOPLE_MOST];
    struct {
        int values[SECRETS], unit;
    } rows[PEOPLE_MOST];
    int count;
    int both, narrowed, narrowed_there, betrayed; /* records */
} release;

enum { FIELDS_MOST = QUASI + SECRETS + 1 };

/* Cuts a line at its commas, in place; quotes are taken off. */
static inline void split_fields(char *line, char **fields)
{
    for (int i = 0; i < FIELDS_MOST; i++) {
        bool quoted = *line == '"';
        fields[i] = line += quoted;
        line += strcspn(line, quoted ? "\"" : ",");
        if (quoted && *line) *line++ = '\0';
        if (*line) *line++ = '\0';
    }
}

static inline uint32_t read_ages(const char *cell)
{
    unsigned low, high;
    uint32_t set = 0;
    if (!*cell) return UINT32_C(1) << EMPTY;
    if (*cell == '*') return UINT32_MAX;
    if (sscanf(cell, "[%u,%u]", &low, &high) != 2 && sscanf(cell, "%u-%u", &low, &high) != 2) {
        assert_int_equal(sscanf(cell, "%u", &low), 1);
        high = low;
    }
    for (unsigned age = low; age <= high && age < AGES; age++)
        set |= UINT32_C(1) << age;
    return set;
}

static inline uint32_t read_texts(const char *cell)
{
    uint32_t set = 0;
    if (!*cell) return UINT32_C(1) << EMPTY;
    if (*cell == '*') return UINT32_MAX;
    for (int t = 0; t < TEXTS; t++)
        if (strstr(cell, texts[t]) || (cell[1] == '*' && cell[0] == texts[t][0]))
            set |= UINT32_C(1) << t;
    assert_true(set != 0);
    return set;
}

static inline void read_cells(release *to, int row, char **names, char **fields)
{
    memset(to->cells[row].sets, 0xff, sizeof to->cells[row].sets);
    for (int i = 0; i < FIELDS_MOST; i++) {
        if (strcmp(names[i], "age") == 0) to->cells[row].sets[0] = read_ages(fields[i]);
        if (strcmp(names[i], "city") == 0) to->cells[row].sets[1] = read_texts(fields[i]);
        if (strcmp(names[i], "class") == 0) to->cells[row].unit = atoi(fields[i]);
    }
}

static inline void read_values(release *to, int row, char **names, char **fields)
{
    for (int i = 0; i < FIELDS_MOST; i++) {
        for (int c = 0; c < SECRETS; c++)
            if (strcmp(names[i], secret_names[c]) == 0)
                to->rows[row].values[c] = *fields[i] ? atoi(fields[i] + 1) : 0;
        if (strcmp(names[i], "class") == 0) to->rows[row].unit = atoi(fields[i]);
    }
}

typedef void (*row_reader)(release *to, int row, char **names, char **fields);

static inline void read_rows(release *to, const char *file, row_reader reader)
{
    bt_buffer text = {0};
    size_t count;
    char *names[FIELDS_MOST], *fields[FIELDS_MOST];
    read_file(publish, file, &text);
    char **lines = split_lines(&text, &count);
    to->count = (int)count - 1;
    split_fields(lines[0], names);
    for (size_t i = 1; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s", lines[i]);
        split_fields(line, fields);
        reader(to, (int)i - 1, names, fields);
    }
    free(lines);
    bt_buffer_release(&text);
}

/* Rows with equal cells are a class. */
static inline void number_units(release *to)
{
    for (int i = 0; i < to->count; i++) {
        int first = 0;
        while (memcmp(to->cells[first].sets, to->cells[i].sets, sizeof to->cells[i].sets) != 0)
            first++;
        to->cells[i].unit = to->rows[i].unit = first;
    }
}

static inline void read_release(release *to, const request *how)
{
    bool two = strcmp(how->form, "two-tables") == 0;
    *to = (release){.promised = how->asked};
    read_rows(to, two ? "quasi.csv" : "data.csv", read_cells);
    read_rows(to, two ? "sensitive.csv" : "data.csv", read_values);
    if (!two) number_units(to);
}

/* The classes of the release that was just made. */
static inline void read_mapping(people *who)
{
    char folder[300];
    bt_buffer text = {0};
    size_t count;
    snprintf(folder, sizeof folder, "%s/private", out);
    read_file(folder, "mapping.csv", &text);
    char **lines = split_lines(&text, &count);
    for (size_t i = 1; i < count; i++) {
        int row, class_number;
        assert_int_equal(sscanf(lines[i], "%d,%d", &row, &class_number), 2);
        who->list[row - 1].class_number = class_number;
    }
    free(lines);
    bt_buffer_release(&text);
}

#endif
