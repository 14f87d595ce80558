/* SPDX-License-Identifier: Apache-2.0
 *
 * What the name of a column says about it, and which values say that there is none.
 *
 * A name is taken apart into words (at signs, digits and capitals: birthDate, birth_date) and
 * looked up in a list of words in several languages. A name that says several things means the
 * one that is listed first here: "age at diagnosis" is an age.
 */
#ifndef BT_LEXICON_H
#define BT_LEXICON_H

#include "base/status.h"

typedef enum bt_hint {
    BT_HINT_NONE,
    BT_HINT_IDENTIFIER, /* names a person, whatever the values are */
    BT_HINT_PLAIN,      /* widely known of a person: age, sex, postcode */
    BT_HINT_SENSITIVE,  /* nobody's business */
    BT_HINT_LEAVE_OUT,  /* free text, row numbers, sampling weights */
    BT_HINT_KNOWN,      /* others may know it */
    BT_HINT_NAME,       /* of a person, or of a thing when there are few */
    BT_HINT_PERSON,     /* "patient": one of many, or a property when there are few */
    BT_HINT_KEY,        /* a number for someone or something */
    BT_HINT_CODE,       /* a kind of something */
} bt_hint;

typedef struct bt_meaning {
    bt_hint hint;
    const char *what; /* "an age", "a place"; NULL: nothing was found */
    bool key;         /* the name also says BT_HINT_KEY */
    bool whole;       /* the name is a single word */
    bool nominal;     /* the name says that whole numbers in the column are codes, not quantities */
    bool postcode;    /* a postcode */
    bool person;      /* a number given to one person */
    bool name;        /* the name of a person */
} bt_meaning;

bt_meaning bt_lexicon_look_up(const char *name);

/* Whether a value is words for a missing one: "unknown", "keine Angabe". */
bool bt_lexicon_means_missing(const char *value);

#endif
