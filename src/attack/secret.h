/* SPDX-License-Identifier: Apache-2.0
 *
 * A sensitive column, or its categories, as both the release and the people have it; and what may
 * be believed of a target's value. Only src/attack and src/job may include this.
 */
#ifndef BT_SECRET_H
#define BT_SECRET_H

#include "attack/redrawn_bags.h"
#include "attack/spread.h"

typedef struct bt_secret {
    const bt_release_column *column;
    bool categories;
    uint32_t values;         /* codes of what follows are below; ordered by text, or by category */
    uint32_t *published;     /* per row of the file with the sensitive columns */
    uint32_t *actual;        /* per person; BT_NOT_KNOWN: no published row has it */
    const char **text;       /* per value; NULL for categories */
    bt_spread *spread;       /* distribution; then there is none of what follows up to the arena */
    uint32_t *code_of;       /* code of the release -> code here */
    int64_t *counts;         /* published rows that have each */
    int64_t rows;            /* their sum */
    size_t *first;           /* units + 1: where the bag of each unit begins */
    uint32_t *value, *count; /* the bag of unit u: at first[u]..first[u + 1]-1 */
    bt_redrawn_bags bags;    /* randomized: instead */
    bt_arena arena;
} bt_secret;

/* Whether there is something to ask of the column: a sensitive one that is not the shadow of
 * another and, with `categories`, has them. */
bool bt_secret_exists(const bt_release_column *column, bool categories);

/* The column of that name in another release, if there is something to ask of it there; or NULL. */
const bt_release_column *bt_secret_there(const bt_release *other, const char *name);

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_secret_open(const bt_view *view, const bt_release_column *column,
                                        bool categories, const bt_run *run, bt_secret *out,
                                        bauta_error *error);
void bt_secret_close(bt_secret *secret);

static inline double bt_secret_prior(const bt_secret *secret, uint32_t value)
{
    if (secret->spread) return secret->spread->prior[value];
    return (double)secret->counts[value] / (double)secret->rows;
}

/* The value that most published rows have, of equals the first. */
uint32_t bt_secret_mode(const bt_secret *secret);

/* What someone believes who thinks each candidate row equally likely; of a randomized release as
 * likely as the target is to have become it. */
typedef struct bt_attack_belief {
    double *share;  /* per value; 0 but for those seen */
    uint32_t *seen; /* values that occur among the candidates */
    uint32_t count;
    int64_t rows; /* candidates; 0: the target is not in the release */
    uint32_t of;  /* distribution: the belief of the release that it is; or BT_NOT_KNOWN */
    bool same;    /* distribution: the belief is the one about the target before */
} bt_attack_belief;

BT_MUST_USE bauta_status bt_attack_belief_new(bt_attack_belief *belief, uint32_t values,
                                              bauta_error *error);
void bt_attack_belief_free(bt_attack_belief *belief);
/* Forms the belief about a target; what was believed before is forgotten. */
void bt_attack_belief_form(bt_attack_belief *belief, const bt_view *view, const bt_secret *secret,
                           uint32_t target);
/* The likeliest value, of equals the first. */
uint32_t bt_attack_belief_top(const bt_attack_belief *belief);

#endif
