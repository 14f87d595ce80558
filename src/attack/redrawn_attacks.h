/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on randomized releases that go another way than those on other forms: each is called by
 * the attack of its name. Only src/attack may include this.
 */
#ifndef BT_REDRAWN_ATTACKS_H
#define BT_REDRAWN_ATTACKS_H

#include "attack/attack.h"
#include "attack/redrawn_truth.h"
#include "attack/redrawn_versions.h"

/* re-identification */
BT_MUST_USE bauta_status bt_redrawn_link(bt_attack_job *job, bauta_error *error);

/* presence */
BT_MUST_USE bauta_status bt_redrawn_presence(bt_attack_job *job, bauta_error *error);

/* position: row i with record i, and earlier rows with earlier records */
BT_MUST_USE bauta_status bt_redrawn_position(bt_attack_job *job, const char *knows,
                                             bauta_error *error);

/* intersection: which row of the release is whose, given what another one says of values. */
typedef struct bt_redrawn_pair bt_redrawn_pair;

BT_MUST_USE bauta_status bt_redrawn_pair_open(const bt_attack_job *job, const bt_secret *secret,
                                              bt_redrawn_pair **out, bauta_error *error);
void bt_redrawn_pair_free(bt_redrawn_pair *pair);

/* How much more or less likely a value of the secret is, given the other release. */
typedef double (*bt_redrawn_likely)(const void *user, uint32_t value);

/* The probability that the row that is likeliest to be a person's is the person's own; `row` is
 * that of the original. */
double bt_redrawn_pair_link(const bt_redrawn_pair *pair, int64_t row, bt_redrawn_likely likely,
                            const void *user);

/* intersection: what two versions of a table give back of it; nothing where the other release is of
 * another form, or all columns are drawn anew, or too many sets of them may be. */
BT_MUST_USE bauta_status bt_redrawn_pair_restore(const bt_redrawn_pair *pair, bt_attack_job *job,
                                                 bauta_error *error);

/* bt_redrawn_pair_restore on what it has opened, for redrawn_pair.c. The truth has factors, the
 * versions quasi columns. */
BT_MUST_USE bauta_status bt_redrawn_restore(bt_attack_job *job, const bt_redrawn_truth *truth,
                                            const bt_redrawn_versions *versions,
                                            bauta_error *error);

#endif
