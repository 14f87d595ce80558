/* SPDX-License-Identifier: Apache-2.0
 *
 * How many made-up values the groups of a release of the form `distribution` have: its option
 * `fake`. Everybody may know it; it stands in the manifest.
 */
#ifndef BT_FAKE_RULE_H
#define BT_FAKE_RULE_H

#include "base/rational.h"

#include <stddef.h>

typedef struct bt_fake_rule {
    bool best;         /* from none to so many, whichever costs least */
    bt_rational share; /* of the records of a group, at most all; bottom 0: */
    uint32_t number;   /* so many in each group */
} bt_fake_rule;

/* "3", "5%", "best:3", "best:5%"; the text need not end there. False: it is no such rule. */
bool bt_fake_rule_parse(const char *text, size_t length, bt_fake_rule *out);

/* The made-up values of a group with so many records, with `best` at most. */
int64_t bt_fake_rule_count(const bt_fake_rule *rule, int64_t records);

#endif
