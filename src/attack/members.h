/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is in which class, as far as everyone's quasi values tell: a class whose cells hold as many
 * people as it has rows, none of whom may be elsewhere, has these members. Only src/attack may
 * include this.
 */
#ifndef BT_MEMBERS_H
#define BT_MEMBERS_H

#include "attack/view.h"

typedef struct bt_members {
    uint32_t *row; /* of people, class by class */
    size_t *first; /* units + 1 */
    bool *settled; /* per unit: its members are known */
} bt_members;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_members_find(const bt_view *view, bt_members *out, bauta_error *error);
/* With a public table, of people of both: everyone whose values the cells of a group contain. Each
 * row is of someone else of them, so if there are no more than rows they are its members. Of groups
 * instead of units. */
BT_MUST_USE bauta_status bt_members_inside(const bt_view *view, bt_members *out,
                                           bauta_error *error);
void bt_members_release(bt_members *members);

/* The one unit that holds all rows that may be the target's; BT_NOT_KNOWN: there are several, or
 * none. */
uint32_t bt_view_unit(const bt_view *view, uint32_t target);

#endif
