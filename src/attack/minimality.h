/* SPDX-License-Identifier: Apache-2.0
 *
 * What the replays of `minimality` share: ways in which the published values of a class may belong
 * to its members, and what is believed of the members over those that are possible. Only the files
 * of that attack may include this.
 */
#ifndef BT_MINIMALITY_H
#define BT_MINIMALITY_H

#include "attack/attribute.h"
#include "attack/members.h"

enum {
    BT_WORLDS = 1000,      /* ways that are drawn for a class */
    BT_WORLDS_LEAST = 20,  /* possible ones that are enough to go by */
    BT_MEMBERS_MOST = 200, /* of a class whose members are guessed */
};

typedef struct bt_layout { /* of a known column: where its values stand, so that nodes are intervals
                            */
    const bt_hierarchy *tree; /* NULL: none */
    const uint32_t *of_code;  /* NULL: the same */
} bt_layout;

typedef struct bt_minimality {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_people people; /* the published records, as requirements see them */
    bt_requirements requirements;
    bt_tally *tally;
    bt_members members;
    bt_layout *layouts; /* per known column */
    bt_retrace retrace; /* what the method could have done instead */
    uint32_t *bag;      /* published rows, unit by unit */
    size_t *bag_first;  /* units + 1 */
    bt_stream stream;
    bt_arena arena;
    /* of the class at hand */
    const uint32_t *rows;      /* of its members */
    const uint32_t *published; /* its rows in the file with the sensitive columns */
    uint32_t size;
    uint32_t *world;         /* member i has the values of row published[world[i]] */
    double *believed;        /* members * values: weight of the worlds in which one has a value */
    double weights, squares; /* of the worlds: their sum, and that of their squares */
    bool whole;              /* these were all worlds, each once */
    /* of all */
    uint32_t classes; /* classes that could be attacked */
    int64_t claims, true_claims;
    int64_t certain, true_certain; /* claims of what all worlds have in common */
    double allowed_claims;         /* claims that may be true */
    double plain;                  /* right guesses, had the class alone been looked at */
    bt_attack_result result;
} bt_minimality;

/* The code of a member in a known column, as laid out. */
static inline uint32_t bt_minimality_code(const bt_minimality *m, size_t column, uint32_t member)
{
    const bt_layout *layout = &m->layouts[column];
    uint32_t code = bt_column_code(m->job->view->known[column], m->rows[member]);
    return layout->of_code ? layout->of_code[code] : code;
}

/* Takes a class whose members are known at hand. `stream`: worlds are drawn from this one. */
void bt_minimality_take(bt_minimality *m, uint32_t unit, uint64_t stream);
/* Draws the next world. */
void bt_minimality_draw(bt_minimality *m);
/* Whether there are so few worlds that all can be gone through: then the first is at hand. */
bool bt_minimality_first(bt_minimality *m);
/* The next of all worlds; false: there was none. */
bool bt_minimality_next(bt_minimality *m);
/* Believes in the world at hand, with a weight. */
void bt_minimality_believe(bt_minimality *m, double weight);
/* Guesses the values of the members, once all worlds are drawn, if they are enough. */
void bt_minimality_guess(bt_minimality *m, uint32_t unit);

/* The replays: of methods that divide classes (mondrian, top-down), and of full-domain recoding
 * (incognito). */
BT_MUST_USE bauta_status bt_minimality_divide(bt_minimality *m, bauta_error *error);
BT_MUST_USE bauta_status bt_minimality_levels(bt_minimality *m, bauta_error *error);

#endif
