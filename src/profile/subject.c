/* SPDX-License-Identifier: Apache-2.0
 *
 * Persons with several records, guessed.
 *
 * A number given to a person that repeats tells it best; where several do, the one with the fewest
 * values, since an encounter of a person is not the person. A number given to each person that does
 * not repeat tells that nobody has two records, whatever else repeats: people share names,
 * telephones and addresses. Without either the names of a person are taken together, and without
 * names the identifier with the most values. A guess may take two people for one, which hides both
 * better, rather than one for two.
 */
#include "profile/subject.h"

#include "table/tuples.h"

#include <string.h>
#include <strings.h>

bool bt_seems_to_name(const char *column, bt_role role)
{
    bt_meaning meaning = bt_lexicon_look_up(column);
    return role == BT_ROLE_IDENTIFIER || meaning.hint == BT_HINT_IDENTIFIER ||
           meaning.hint == BT_HINT_NAME || meaning.hint == BT_HINT_PERSON ||
           (meaning.key && meaning.hint > BT_HINT_SENSITIVE);
}

bool bt_names_persons(const char *column, bt_role role, int64_t present, int64_t distinct)
{
    bt_meaning meaning = bt_lexicon_look_up(column);
    if (role == BT_ROLE_IDENTIFIER || meaning.person) return true;
    if (role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE) return false;
    return bt_guess_names_someone(&meaning, present, distinct);
}

typedef struct chooser {
    const bt_column_profile *profiles;
    const bt_table *table;
    const bt_guess *guesses;
    const bt_run *run;
    size_t number, rest; /* the best so far; count of the table: none */
    size_t *names, name_count;
    bool repeats;  /* of any column that counts */
    bool kinds;    /* an identifier repeats that has too few values for persons */
    bool one_each; /* a number given to a person is different in every record */
} chooser;

/* A number of something that a person may have several of. */
static bool is_of_event(const char *name)
{
    static const char *const events[] = {"encounter", "case",  "record", "visit", "stay",
                                         "admission", "claim", "order",  "event", "row"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        for (const char *p = name; *p; p++)
            if (strncasecmp(p, events[i], strlen(events[i])) == 0) return true;
    return false;
}

bool bt_numbers_persons(const char *column)
{
    bt_meaning meaning = bt_lexicon_look_up(column);
    return meaning.person || meaning.hint == BT_HINT_PERSON;
}

bool bt_numbers_each_person(const char *column)
{
    return bt_numbers_persons(column) && !is_of_event(column);
}

static bool repeats(const bt_column_profile *profile)
{
    return (int64_t)profile->distinct < bt_profile_present(profile);
}

static void look_at(chooser *c, size_t column)
{
    const bt_column_profile *profile = &c->profiles[column];
    bt_role role = c->guesses[column].role;
    bt_meaning meaning = bt_lexicon_look_up(profile->name);
    if (!bt_seems_to_name(profile->name, role) || profile->distinct == 0) return;
    /* An identifier that only its name made one names nobody where a dropped one would not. */
    bool by_name = meaning.hint == BT_HINT_IDENTIFIER && !c->guesses[column].given;
    if (!bt_names_persons(profile->name, by_name ? BT_ROLE_DROPPED : role,
                          bt_profile_present(profile), profile->distinct)) {
        c->kinds = c->kinds || (role == BT_ROLE_IDENTIFIER && repeats(profile));
        return;
    }
    bool again = repeats(profile), names = meaning.hint == BT_HINT_NAME || meaning.name;
    size_t none = c->table->count;
    c->repeats = c->repeats || again;
    if (!again && profile->missing == 0 && bt_numbers_each_person(profile->name))
        c->one_each = true;
    if (again && bt_numbers_persons(profile->name) &&
        (c->number == none || profile->distinct < c->profiles[c->number].distinct))
        c->number = column;
    if (names && (role == BT_ROLE_IDENTIFIER || role == BT_ROLE_DROPPED))
        c->names[c->name_count++] = column;
    if (again && (c->rest == none || profile->distinct > c->profiles[c->rest].distinct))
        c->rest = column;
}

/* Records that share their values of all these columns with another one; what is missing in a
 * record is not shared. */
static bauta_status count_sharing(const chooser *c, const size_t *columns, size_t count,
                                  int64_t *out, bauta_error *error)
{
    BT_OWN(bt_tuples_release) bt_tuples tuples = {0};
    BT_OWN(bt_free) bt_codes *codes = bt_array(count, sizeof *codes);
    *out = 0;
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bt_column *column = &c->table->columns[columns[i]];
        codes[i] = (bt_codes){column->codes, column->width, column->domain.size};
    }
    BT_TRY(bt_tuples_group(codes, count, c->table->rows, c->run, &tuples, error));
    for (uint32_t t = 0; t < tuples.count; t++) {
        bool whole = tuples.size[t] > 1;
        for (size_t i = 0; i < count && whole; i++) {
            const bt_column *column = &c->table->columns[columns[i]];
            whole = bt_column_code(column, tuples.row[t]) < bt_domain_present(&column->domain);
        }
        *out += whole ? tuples.size[t] : 0;
    }
    return BAUTA_OK;
}

static bauta_status choose(const chooser *c, const size_t *columns, size_t count, bt_arena *arena,
                           bt_subject_guess *out, bauta_error *error)
{
    int64_t sharing;
    char number[BT_COUNT_TEXT];
    bool missing = false;
    BT_TRY(count_sharing(c, columns, count, &sharing, error));
    if (sharing == 0) {
        out->reason = "Parts of names repeat, and no two records have the same name as a whole: "
                      "every record is taken for a person.";
        return BAUTA_OK;
    }
    out->columns = bt_arena_array(arena, count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        out->columns[out->count++] = c->profiles[columns[i]].name;
        missing = missing || c->profiles[columns[i]].missing > 0;
    }
    out->reason = bt_arena_print(
        arena,
        "Persons seem to have several records: %s are alike in %s. Requirements then count "
        "persons. If every record is another person all the same, write none.%s",
        bt_count_text(sharing, number), count == 1 ? "this column" : "these columns together",
        missing ? " Records without a value there stop the run: 'missing: drop' leaves them out."
                : "");
    return out->reason ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_guess_subject(const bt_column_profile *profiles, const bt_table *table,
                              const bt_guess *guesses, const bt_run *run, bt_arena *arena,
                              bt_subject_guess *out, bauta_error *error)
{
    chooser c = {.profiles = profiles,
                 .table = table,
                 .guesses = guesses,
                 .run = run,
                 .number = table->count,
                 .rest = table->count};
    *out = (bt_subject_guess){0};
    c.names = bt_arena_array(arena, table->count, sizeof *c.names);
    if (!c.names) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        look_at(&c, i);
    out->said = c.repeats || c.kinds;
    if (!c.repeats) {
        out->reason = "The identifiers that repeat have too few values to name persons: every "
                      "record is taken for a person.";
        return BAUTA_OK;
    }
    if (c.number < table->count) return choose(&c, &c.number, 1, arena, out, error);
    if (c.one_each) {
        out->reason = "A number given to each person is different in every record: who shares a "
                      "name, a telephone or an address is another person.";
        return BAUTA_OK;
    }
    if (c.name_count > 0) return choose(&c, c.names, c.name_count, arena, out, error);
    return choose(&c, &c.rest, 1, arena, out, error);
}
