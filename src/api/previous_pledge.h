/* SPDX-License-Identifier: Apache-2.0
 *
 * A pledge: what an earlier release promised of its classes, when a new release leaves only some of
 * their values possible. Only src/api may include this.
 *
 * Of the rows that may be a person's in the earlier release those are left whose sensitive values
 * are left of the person's class in the new one. What is left must still satisfy what was promised
 * then, as a class of its own; of a distribution, what is left of its target. Where persons were
 * counted, rows are. Of a release that was refined with a public table only what is about values is
 * judged: its sizes are those of boxes with other people in them.
 */
#ifndef BT_PREVIOUS_PLEDGE_H
#define BT_PREVIOUS_PLEDGE_H

#include "attack/promises.h"

typedef struct bt_pledge {
    const bt_view *view;
    const bt_secret *secrets; /* sensitive columns that both releases have */
    size_t secret_count;      /* 0: nothing is ever narrowed */
    bt_promises promises;
    bt_requirements requirements; /* of those, bound to the rows */
    bt_people people;
    bt_tally *tally;
    size_t *starts; /* units + 1: rows with sensitive values of unit u are */
    uint32_t *rows; /* … rows[starts[u]..starts[u + 1]) */
    uint64_t *seen; /* per unit: the question in which it was met last */
    uint64_t question;
    uint32_t **now; /* per secret and value: the last person for whom it was allowed; */
    uint32_t stamp; /* … this one, at the moment */
    bool *possible; /* distribution: the same for one question */
    uint32_t asked; /* target that was judged last; BT_NOT_KNOWN: none */
    bool narrowed;  /* … and the verdict */
    const bt_requirement_instance *failed;
    bt_arena arena;
} bt_pledge;

/* Borrows all. Closed by the caller, also after a failure. BAUTA_INVALID when the promises do not
 * fit the release. */
BT_MUST_USE bauta_status bt_pledge_open(const bt_view *view, const bt_secret *secrets, size_t count,
                                        bt_pledge *out, bauta_error *error);
void bt_pledge_close(bt_pledge *pledge);

/* Begins with another person: no value is possible but those that are allowed after this. */
void bt_pledge_begin(bt_pledge *pledge);
static inline void bt_pledge_allow(bt_pledge *pledge, size_t secret, uint32_t value)
{
    if (value != BT_NOT_KNOWN) pledge->now[secret][value] = pledge->stamp;
}

/* What is left for the person, who is a target of the earlier release and in both:
 * whether it is less, and the first promise that it does not satisfy, or NULL. */
BT_MUST_USE bauta_status bt_pledge_judge(bt_pledge *pledge, uint32_t target, bool *narrowed,
                                         const bt_requirement_instance **failed,
                                         bauta_error *error);

#endif
