/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of an attack: someone who has a release and knows something about people tries to
 * learn more. One file per attack, one line in attacks.def.
 *
 * An attack sees the release as anyone can open it, and what the attacker knows; never the code
 * that made the release. No secrecy of the method is assumed: the manifest names it. The original
 * is what guesses are compared with, and the source of what the attacker knows of the targets.
 *
 * Facts: a list of objects, one for each way in which an attack was tried:
 *   attack, variant      "re-identification", "prosecutor"; the latter may be missing
 *   column               the sensitive column that it is about, where there is one
 *   knows, tries         in plain words
 *   tried                targets, or guesses
 *   success              the share of them that came right: where guessing among equals decides,
 *                        what is to be expected; null: nobody was tried
 *   interval             [low, high]: Wilson's, at 95 %
 *   chance               what the same would come to without the release, or by chance
 *   worst                the probability for the target who is hit worst
 *   allowed              what the promises of the manifest allow for any one target, or null
 *   holds                true, false; null: nothing is promised about it, nobody was tried, or
 *                        one of the next two says why neither
 *   above                true: someone is hit worse than is allowed, as may happen by chance
 *                        where an attack claims more than it can be sure of; else missing
 *   told                 false: so few were tried that more than chance could not have been
 *                        seen; else missing
 *   judged               false: the promises count persons, the result rows; else missing
 *   worst_records        [{row, probability}]: rows of the original, from 1; never values
 *   detail               further numbers in words
 *   skipped              instead of all after `attack`: why it does not apply
 */
#ifndef BT_ATTACK_H
#define BT_ATTACK_H

#include "attack/view.h"
#include "base/facts.h"

/* A column that is published as it is, or the sum or difference of two, tells a quasi column. */
typedef struct bt_revealed {
    const char *by, *other; /* `other` is used when sign is not 0 */
    int sign;
    const char *column;  /* what is told */
    int64_t tried, told; /* records of a sample, and those it tells beyond what it tells wrongly */
} bt_revealed;

typedef struct bt_attacker { /* what the attacker has, and the truth */
    const char *folder;      /* of the release */
    const bt_release *release;
    const bt_table *original; /* all its records, as the manifest describes them */
    const bt_table *crowd;    /* a public table of people with the quasi columns; NULL: none */
    bool joined; /* the release has a public table: the first people of `crowd` are those of the
                    original, in its order, and everyone is there once */
    const bt_table *other_crowd;    /* joined: the same people as the other release's manifest
                                       describes them; NULL: there is none */
    const uint32_t *other_row;      /* per person of `crowd`: the row there; BT_NOT_KNOWN: none */
    const bt_release *other;        /* another release of an overlapping table; NULL: none */
    bool one_id;                    /* `other` has the id of this release, and other contents */
    const bt_table *other_original; /* the original as the manifest of `other` describes it */
    const bool *known; /* per column of the release: known of the targets, of those published as
                          they are too (nothing is promised then); NULL: all quasi columns */
    const bool *other_known;     /* like `known`, per column of the other release */
    const bt_revealed *revealed; /* what can be recomputed, the worst first */
    size_t revealed_count;
    int64_t members; /* others of a class whose sensitive values are known */
    const bt_run *run;
} bt_attacker;

enum { BT_WORST_MOST = 5 }; /* records that are named */

typedef struct bt_worst { /* the targets who are hit worst, the worst first */
    int64_t rows[BT_WORST_MOST];
    double probabilities[BT_WORST_MOST];
    size_t count;
} bt_worst;

/* Adds a row to the worst ones. Among equal probabilities the rows that came first stay. */
void bt_worst_add(bt_worst *worst, double probability, int64_t row);

typedef enum bt_outcome {
    BT_NOT_PROMISED,
    BT_UNTOLD, /* too few were tried to tell it from chance */
    BT_WITHIN,
    BT_BROKEN
} bt_outcome;

enum { BT_ATTACK_DETAIL = 200 };
#define BT_NO_RATE (-1.0) /* chance, worst, allowed: there is none */

typedef struct bt_attack_result {
    const char *variant, *column; /* or NULL */
    const char *knows, *tries;
    int64_t tried;
    double hits; /* tries that were right, in expectation */
    double chance, worst, allowed;
    bool is_gain;        /* success is hits less chance; who would lose by them makes no bets */
    bool is_coefficient; /* success is a coefficient of correlation, hits / tried */
    bool unjudged;       /* promises are about persons, the result is about rows */
    bt_outcome outcome;
    bt_worst hit;
    char detail[BT_ATTACK_DETAIL];
} bt_attack_result;

typedef struct bt_attack_job {
    const bt_attacker *attacker;
    const struct bt_attack *attack;
    const bt_view
        *view;      /* the targets, as the release shows them to someone who knows the columns */
    bt_view *crowd; /* the people of the public table, as seen likewise: bt_attack_crowd */
    bt_facts *facts;
    bool narrow; /* the view is of someone who prefers narrow cells: bt_view_narrow */
    bool broken; /* a result broke a promise */
} bt_attack_job;

typedef struct bt_attack {
    const char *name;
    const char *summary; /* one line */
    const char *paper;
    /* NULL: it applies; else why not. */
    const char *(*excuse)(const bt_attacker *attacker);
    bauta_status (*run)(bt_attack_job *job, bauta_error *error);
} bt_attack;

extern const bt_attack *const bt_attack_registry[];
extern const size_t bt_attack_registry_count;

/* For attacks: to be asked for each of many targets or classes; fails when the caller cancels. */
BT_MUST_USE bauta_status bt_attack_step(const bt_attack_job *job, uint32_t done, uint32_t total,
                                        bauta_error *error);
/* The people of the public table as the release shows them; opened when it is asked for first. */
BT_MUST_USE bauta_status bt_attack_crowd(const bt_attack_job *job, const bt_view **out,
                                         bauta_error *error);
/* Adds a result to the facts. */
void bt_attack_put(bt_attack_job *job, const bt_attack_result *result);
/* Whether `worst` is above `allowed`; shares of counts below 2^32 are told apart exactly. */
bt_outcome bt_attack_judge(double worst, double allowed);

/* Tries those named in `only` (NULL: all that apply; with `excuses` the others say why not). The
 * root of `facts` is an array. *broken: something was learnt that a promise denies. */
typedef struct bt_attack_wish {
    char *const *only;
    size_t only_count;
    bool excuses;
} bt_attack_wish;

BT_MUST_USE bauta_status bt_attack_all(const bt_attacker *attacker, const bt_attack_wish *wish,
                                       bt_facts *facts, bool *broken, bauta_error *error);

#endif
