/* SPDX-License-Identifier: Apache-2.0
 *
 * Roles. First each column by itself, by its name and then by its contents; then columns that
 * say the same as another one; last the columns that nothing is known of, of which a few with
 * few values are taken as quasi.
 */
#include "profile/guess.h"

#include "base/text.h"
#include "profile/same.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SMALL_TABLE = 20,   /* rows: below, contents say little */
    FREE_TEXT = 40,     /* characters that free text usually has */
    SHORT_TEXT = 20,    /* characters that free text with blanks in it usually has */
    FEW_QUASI = 8,      /* columns nothing is known of are taken as quasi up to here */
    MOST_VALUES = 200,  /* values that such a column may have */
    COMPANY = 5,        /* records that must share a value in it, on average */
    NAMED_COMPANY = 20, /* a column of names or numbers stands for things from here on */
    FEW_PERSONS = 15    /* so few values may be kinds of persons, not persons */
};

typedef struct guesser {
    const bt_column_profile *profiles;
    const bt_table *table;
    const bt_column_recipe *plan;
    bt_arena *arena;
    bt_guess *guesses;
    bool *unknown; /* nothing tells what the column is, but it has few values */
} guesser;

const char *bt_count_text(int64_t count, char *out)
{
    char plain[BT_COUNT_TEXT];
    int length = snprintf(plain, sizeof plain, "%" PRId64, count), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[used++] = ',';
        out[used++] = plain[i];
    }
    out[used] = '\0';
    return out;
}

const char *bt_percent_text(int64_t count, int64_t all, char *out)
{
    bt_share_print((double)count / (double)all, out, BT_COUNT_TEXT);
    return out;
}

/* ---- one column by itself ---------------------------------------------------------------- */

typedef struct verdict {
    bt_role role;
    bool unknown;
    const char *why; /* a sentence; %s in it is `what` */
    const char *what;
} verdict;

static bool mostly_distinct(int64_t present, int64_t distinct)
{
    return distinct > 0 && distinct * 10 >= present * 7;
}

static bool nearly_unique(const bt_column_profile *profile)
{
    return mostly_distinct(bt_profile_present(profile), profile->distinct);
}

/* So many records to a value that the values cannot stand for persons. */
static bool stands_for_things(const bt_column_profile *profile)
{
    return (int64_t)profile->distinct * NAMED_COMPANY <= bt_profile_present(profile);
}

static bool is_free_text(const bt_column_profile *profile)
{
    if (profile->domain->reading.type != BT_TEXT || !nearly_unique(profile)) return false;
    return profile->usual >= FREE_TEXT || (profile->spaces && profile->usual >= SHORT_TEXT);
}

static verdict judge_shape(const bt_column_profile *profile)
{
    static const char *const looks[] = {
        [BT_SHAPE_EMAIL] = "e-mail addresses",  [BT_SHAPE_URL] = "web addresses",
        [BT_SHAPE_UUID] = "unique ids",         [BT_SHAPE_ADDRESS] = "network addresses",
        [BT_SHAPE_PHONE] = "telephone numbers", [BT_SHAPE_MOMENT] = "moments in time",
    };
    const char *what = looks[profile->shape];
    switch (profile->shape) {
    case BT_SHAPE_NONE: break;
    case BT_SHAPE_PHONE:
        if (nearly_unique(profile))
            return (verdict){BT_ROLE_IDENTIFIER, false, "The values look like %s.", what};
        break;
    case BT_SHAPE_MOMENT:
        return (verdict){BT_ROLE_DROPPED, false,
                         "The values are dates with a time of day, which single out: cut them to "
                         "dates and make the column quasi, or leave it out.",
                         NULL};
    default: return (verdict){BT_ROLE_IDENTIFIER, false, "The values look like %s.", what};
    }
    return (verdict){.role = BT_ROLE_NONE};
}

/* Nearly every record has a value of its own, and the name says nothing. */
static verdict judge_unique(const bt_column_profile *profile)
{
    if (profile->domain->reading.type == BT_DECIMAL)
        return (verdict){
            BT_ROLE_DROPPED, false,
            "Measured values, nearly each with its own record: who knows one finds the "
            "record. Make the column quasi or sensitive if it is needed.",
            NULL};
    return (verdict){BT_ROLE_IDENTIFIER, false,
                     "Nearly every record has a value of its own, so it works like a name. If it "
                     "is a measurement, make it quasi or sensitive.",
                     NULL};
}

static verdict judge_contents(const bt_column_profile *profile)
{
    int64_t present = bt_profile_present(profile);
    if (profile->domain->reading.type == BT_DATE)
        return (verdict){BT_ROLE_QUASI, false, "Dates: others may know when something happened.",
                         NULL};
    if (profile->rows < SMALL_TABLE)
        return (verdict){BT_ROLE_DROPPED, false,
                         "The name says nothing and the table is too small to tell from: choose a "
                         "role.",
                         NULL};
    if (profile->distinct == 1 && profile->missing == 0)
        return (verdict){BT_ROLE_OTHER, false,
                         "The same in every record, so it tells no one from another.", NULL};
    if (nearly_unique(profile)) return judge_unique(profile);
    bool few = profile->distinct <= MOST_VALUES && (int64_t)profile->distinct * COMPANY <= present;
    return (verdict){BT_ROLE_DROPPED, few,
                     "The name says nothing and there are too many values to take it as quasi "
                     "unseen: choose a role.",
                     NULL};
}

bool bt_guess_names_someone(const bt_meaning *meaning, int64_t present, int64_t distinct)
{
    bool things = distinct * NAMED_COMPANY <= present;
    if (meaning->hint == BT_HINT_IDENTIFIER)
        return meaning->person || !things || distinct > FEW_PERSONS;
    if (meaning->hint == BT_HINT_PERSON)
        return distinct > FEW_PERSONS || (distinct > 2 && distinct * COMPANY > present);
    if (meaning->hint == BT_HINT_NAME && !things) return true;
    if (!meaning->key || meaning->hint <= BT_HINT_SENSITIVE) return false;
    bool weak = meaning->hint == BT_HINT_KEY || meaning->hint == BT_HINT_NAME;
    if (mostly_distinct(present, distinct) && (weak || present >= SMALL_TABLE)) return true;
    return !things && distinct > (meaning->whole && weak ? FEW_PERSONS : MOST_VALUES);
}

/* A number that stands for someone, or for something when many records share it. */
static verdict judge_key(const bt_column_profile *profile, const bt_meaning *meaning)
{
    if (bt_guess_names_someone(meaning, bt_profile_present(profile), profile->distinct))
        return (verdict){
            BT_ROLE_IDENTIFIER, false,
            nearly_unique(profile)
                ? "By its name: a number for someone or something. Nearly every record has its own."
                : "By its name: a number for someone or something. Few records share one.",
            NULL};
    if (meaning->hint == BT_HINT_KEY)
        return (verdict){BT_ROLE_DROPPED, false,
                         "By its name: a number for someone or something. If it stands for "
                         "a kind of thing, such as a ward, make it quasi; if for a person, "
                         "identifier.",
                         NULL};
    return (verdict){.role = BT_ROLE_NONE};
}

static verdict judge_named(const bt_column_profile *profile, const bt_meaning *meaning)
{
    bool few = stands_for_things(profile);
    switch (meaning->hint) {
    case BT_HINT_IDENTIFIER:
        return (verdict){BT_ROLE_IDENTIFIER, false,
                         few ? "By its name: %s. With so few values it may be something else, "
                               "which is quasi."
                             : "By its name: %s.",
                         meaning->what};
    case BT_HINT_PLAIN:
        return (verdict){BT_ROLE_QUASI, false, "By its name: %s. Others know it.", meaning->what};
    case BT_HINT_SENSITIVE:
        return (verdict){
            BT_ROLE_SENSITIVE, false,
            nearly_unique(profile)
                ? "By its name: %s. Nobody's business. Nearly every record has a value "
                  "of its own: who knows one finds the record."
                : "By its name: %s. Nobody's business.",
            meaning->what};
    case BT_HINT_LEAVE_OUT:
        return (verdict){BT_ROLE_DROPPED, false,
                         "By its name: %s. It can give people away and is rarely needed.",
                         meaning->what};
    case BT_HINT_KNOWN:
        return (verdict){BT_ROLE_QUASI, false, "By its name: %s. Others may know it.",
                         meaning->what};
    case BT_HINT_NAME:
    case BT_HINT_PERSON:
        if (!bt_guess_names_someone(meaning, bt_profile_present(profile), profile->distinct)) break;
        return (verdict){BT_ROLE_IDENTIFIER, false, "By its name: %s.", meaning->what};
    case BT_HINT_KEY:
    case BT_HINT_CODE:
    case BT_HINT_NONE: break;
    }
    return judge_contents(profile);
}

static verdict judge(const bt_column_profile *profile)
{
    bt_meaning meaning = bt_lexicon_look_up(profile->name);
    verdict found = {.role = BT_ROLE_NONE};
    if (profile->distinct == 0 && profile->rows > 0)
        return (verdict){BT_ROLE_DROPPED, false, "There is nothing in it.", NULL};
    if (meaning.hint != BT_HINT_IDENTIFIER) found = judge_shape(profile);
    if (found.role == BT_ROLE_NONE && meaning.key && meaning.hint > BT_HINT_SENSITIVE)
        found = judge_key(profile, &meaning);
    if (found.role == BT_ROLE_NONE && meaning.hint > BT_HINT_PLAIN && is_free_text(profile))
        found =
            (verdict){BT_ROLE_DROPPED, false, "Free text may name people or give them away.", NULL};
    return found.role == BT_ROLE_NONE ? judge_named(profile, &meaning) : found;
}

/* ---- reasons ----------------------------------------------------------------------------- */

static bauta_status put_counts(const bt_column_profile *profile, bt_buffer *out, bauta_error *error)
{
    char number[BT_COUNT_TEXT], percent[BT_COUNT_TEXT];
    const char *type = bt_type_name(profile->domain->reading.type);
    BT_TRY(bt_buffer_print(out, error, "%c%s%s, ", type[0] & ~0x20, type + 1,
                           profile->domain->reading.timed ? " with a time of day, which is cut off"
                                                          : ""));
    BT_TRY(bt_buffer_print(out, error, "%s value%s", bt_count_text(profile->distinct, number),
                           profile->distinct == 1 ? "" : "s"));
    if (profile->missing > 0)
        BT_TRY(bt_buffer_print(out, error, ", %s missing (%s)",
                               bt_count_text(profile->missing, number),
                               bt_percent_text(profile->missing, profile->rows, percent)));
    return bt_buffer_print(out, error, ". ");
}

static bauta_status give_reason(guesser *g, size_t column, const char *why, const char *what,
                                bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    const char *hole = what ? strstr(why, "%s") : NULL;
    BT_TRY(put_counts(&g->profiles[column], &text, error));
    if (hole)
        BT_TRY(bt_buffer_print(&text, error, "%.*s%s%s", (int)(hole - why), why, what, hole + 2));
    else
        BT_TRY(bt_buffer_print(&text, error, "%s", why));
    g->guesses[column].reason = bt_arena_copy(g->arena, text.bytes, text.length);
    return bt_arena_check(g->arena, error);
}

static bauta_status take_verdict(guesser *g, size_t column, bauta_error *error)
{
    const bt_column_recipe *plan = &g->plan[column];
    bt_guess *guess = &g->guesses[column];
    if (plan->role != BT_ROLE_NONE) {
        *guess = (bt_guess){.role = plan->role, .given = true};
        return give_reason(g, column, "The role was given.", NULL, error);
    }
    verdict found = judge(&g->profiles[column]);
    guess->role = found.role;
    g->unknown[column] = found.unknown;
    return give_reason(g, column, found.why, found.what, error);
}

/* ---- columns that say the same ----------------------------------------------------------- */

/* Adds a sentence to the reason; %s in it is the name of a column. */
static bauta_status add_note(guesser *g, size_t column, const char *note, size_t other,
                             bauta_error *error)
{
    bt_guess *guess = &g->guesses[column];
    const char *hole = strstr(note, "%s");
    guess->reason = bt_arena_print(g->arena, "%s %.*s%s%s", guess->reason, (int)(hole - note), note,
                                   g->profiles[other].name, hole + 2);
    return guess->reason ? BAUTA_OK : bt_fail_memory(error);
}

static bool is_generalized(const guesser *g, size_t column)
{
    return g->guesses[column].role == BT_ROLE_QUASI || g->unknown[column];
}

static bool is_raw(const guesser *g, size_t column)
{
    bt_role role = g->guesses[column].role;
    return role == BT_ROLE_SENSITIVE || role == BT_ROLE_OTHER;
}

/* Drops a column because of another one; where its role was given, `note` is added instead. */
static bauta_status drop_for(guesser *g, size_t column, size_t other, const char *why,
                             const char *note, bauta_error *error)
{
    if (g->guesses[column].given) return note ? add_note(g, column, note, other, error) : BAUTA_OK;
    g->guesses[column].role = BT_ROLE_DROPPED;
    g->unknown[column] = false;
    return give_reason(g, column, why, g->profiles[other].name, error);
}

/* Drops the less telling of two columns that say the same: the unknown one, else the number. */
static bauta_status drop_copy(guesser *g, size_t a, size_t b, bauta_error *error)
{
    const bt_guess *guesses = g->guesses;
    bool number_a = g->profiles[a].domain->reading.type != BT_TEXT;
    bool number_b = g->profiles[b].domain->reading.type != BT_TEXT;
    bool first = g->unknown[a] != g->unknown[b] ? g->unknown[a] : number_a && !number_b;
    if (guesses[a].given != guesses[b].given) first = guesses[b].given;
    return drop_for(g, first ? a : b, first ? b : a,
                    "It says the same as column '%s': one of the two is enough.", NULL, error);
}

/* A value that is published as it is, and from which one that is not follows, gives it away. */
static bauta_status drop_twin(guesser *g, size_t raw, size_t quasi, bauta_error *error)
{
    return drop_for(g, raw, quasi,
                    "Column '%s' follows from it and would be given away if this one were "
                    "published as it is. Make it quasi if it is needed.",
                    "Column '%s' follows from it and is given away if this one is published as "
                    "it is.",
                    error);
}

static bauta_status judge_pair(guesser *g, const bt_follows *pair, bauta_error *error)
{
    size_t from = pair->from, of = pair->of;
    if (is_generalized(g, from) && is_generalized(g, of)) {
        if (pair->back) return drop_copy(g, from, of, error);
        if (pair->ranges)
            return drop_for(g, of, from,
                            "It follows from column '%s', whose ranges show it: one of the two is "
                            "enough.",
                            NULL, error);
        return add_note(g, of,
                        "It follows from column '%s': both cost detail, keep what is needed.", from,
                        error);
    }
    if (is_raw(g, from) && is_generalized(g, of)) return drop_twin(g, from, of, error);
    if (is_generalized(g, from) && is_raw(g, of)) {
        if (pair->back) return drop_twin(g, of, from, error);
        return add_note(g, of, "It follows from column '%s': who knows that one knows it.", from,
                        error);
    }
    return BAUTA_OK;
}

static bauta_status judge_pairs(guesser *g, bauta_error *error)
{
    const bt_table *table = g->table;
    bt_follows *pairs;
    size_t count;
    bool *considered = bt_arena_array(g->arena, table->count, sizeof *considered);
    if (!considered) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        considered[i] = is_generalized(g, i) || is_raw(g, i);
    BT_TRY(bt_same_find(table, considered, g->arena, &pairs, &count, error));
    for (size_t i = 0; i < count; i++)
        BT_TRY(judge_pair(g, &pairs[i], error));
    return BAUTA_OK;
}

/* ---- what is left ------------------------------------------------------------------------ */

static bauta_status settle_unknown(guesser *g, bauta_error *error)
{
    size_t quasi = 0;
    for (size_t i = 0; i < g->table->count; i++)
        quasi += g->guesses[i].role == BT_ROLE_QUASI;
    for (size_t i = 0; i < g->table->count; i++) {
        if (!g->unknown[i]) continue;
        bool taken = quasi < FEW_QUASI;
        quasi += taken;
        g->guesses[i].role = taken ? BT_ROLE_QUASI : BT_ROLE_DROPPED;
        BT_TRY(give_reason(g, i,
                           taken
                               ? "The name says nothing, but many records share a value: taken "
                                 "as something that others may know."
                               : "The name says nothing, and there are quasi columns enough, each "
                                 "of which costs detail. Choose a role if it is needed.",
                           NULL, error));
    }
    return BAUTA_OK;
}

/* One person, several records. */
static bauta_status warn_of_sharing(guesser *g, size_t column, bauta_error *error)
{
    const bt_column_profile *profile = &g->profiles[column];
    bt_guess *guess = &g->guesses[column];
    bt_meaning meaning = bt_lexicon_look_up(profile->name);
    bool shared = profile->distinct > 1 && profile->distinct < bt_profile_present(profile);
    bool number = meaning.key || meaning.person || meaning.hint == BT_HINT_PERSON;
    if (guess->role != BT_ROLE_IDENTIFIER || !shared || !number) return BAUTA_OK;
    guess->reason =
        bt_arena_print(g->arena,
                       "%s Some records share one: if they are of one person, say so as "
                       "'subject', and k counts people.",
                       guess->reason);
    return guess->reason ? BAUTA_OK : bt_fail_memory(error);
}

/* What the reader should know of type and hierarchy. */
static bauta_status explain(guesser *g, bt_guess *guess, bauta_error *error)
{
    const char *codes = guess->has_type && guess->type == BT_TEXT
                            ? " The numbers are codes, so they are read as text."
                            : "";
    const char *tree = "";
    if (guess->hierarchy && strcmp(guess->hierarchy, "mask") == 0)
        tree = " What is masked first is the end of a code.";
    if (guess->hierarchy && strcmp(guess->hierarchy, "flat") == 0)
        tree = " There are too many values to list them in a cell, which is the value or *: a "
               "hierarchy of your own keeps more.";
    if (*codes || *tree)
        guess->reason = bt_arena_print(g->arena, "%s%s%s", guess->reason, codes, tree);
    return guess->reason ? BAUTA_OK : bt_fail_memory(error);
}

/* Types of columns that are published are written down, so that a later file with a stray text
 * in a number column is refused, and codes are published as they are written. */
static bauta_status add_type(guesser *g, size_t column, bauta_error *error)
{
    const bt_column_profile *profile = &g->profiles[column];
    bt_guess *guess = &g->guesses[column];
    bt_type type = profile->domain->reading.type;
    bool published = guess->role == BT_ROLE_QUASI || guess->role == BT_ROLE_SENSITIVE;
    bool nominal = bt_lexicon_look_up(profile->name).nominal;
    if (!published || guess->has_type) return BAUTA_OK;
    if (type == BT_TEXT && !(nominal && profile->codes)) return BAUTA_OK;
    bool codes = nominal && guess->role == BT_ROLE_SENSITIVE && type != BT_DATE;
    guess->has_type = true;
    guess->type = codes ? BT_TEXT : type;
    return codes && type != BT_TEXT ? explain(g, guess, error) : BAUTA_OK;
}

static bauta_status add_hierarchies(guesser *g, bauta_error *error)
{
    for (size_t i = 0; i < g->table->count; i++) {
        const bt_column_recipe *plan = &g->plan[i];
        bt_guess *guess = &g->guesses[i];
        BT_TRY(warn_of_sharing(g, i, error));
        if (plan->has_type) continue;
        if (guess->role == BT_ROLE_QUASI && !plan->has_hierarchy) {
            BT_TRY(bt_guess_hierarchy(&g->profiles[i], false, g->arena, guess, error));
            BT_TRY(explain(g, guess, error));
        }
        BT_TRY(add_type(g, i, error));
    }
    return BAUTA_OK;
}

bauta_status bt_guess_columns(const bt_column_profile *profiles, const bt_table *table,
                              const bt_column_recipe *plan, bt_arena *arena, bt_guess **out,
                              bauta_error *error)
{
    guesser g = {.profiles = profiles,
                 .table = table,
                 .plan = plan,
                 .arena = arena,
                 .guesses = bt_arena_array(arena, table->count, sizeof *g.guesses),
                 .unknown = bt_arena_array(arena, table->count, sizeof *g.unknown)};
    *out = g.guesses;
    if (!g.guesses || !g.unknown) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        BT_TRY(take_verdict(&g, i, error));
    BT_TRY(judge_pairs(&g, error));
    BT_TRY(settle_unknown(&g, error));
    return add_hierarchies(&g, error);
}
