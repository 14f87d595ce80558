/* SPDX-License-Identifier: Apache-2.0
 *
 * What can still be learnt from a release (Yang and Qiao 2010): which associations between quasi
 * and sensitive values are found again, how strongly pairs of columns depend on each other, and, of
 * randomized releases, whether supports are off by as much as they should be, and what a row tells
 * of the record behind it. Unlike measures these see the original records.
 */
#ifndef BT_KNOWLEDGE_H
#define BT_KNOWLEDGE_H

#include "base/facts.h"
#include "base/params.h"
#include "reading/compared.h"

typedef struct bt_knowledge_job {
    const bt_release *release;
    bt_compared *compared; /* with the original */
    const char *wish;      /* associations: "support=0.08,confidence=0.15,from=expected" */
    const bt_run *run;     /* its seed draws permuted samples */
    bt_facts *facts;
    json_t *at;
} bt_knowledge_job;

/* Refuses (BAUTA_USAGE) a wish that is none. */
BT_MUST_USE bauta_status bt_associations_check(const char *wish, bauta_error *error);

/* Puts `associations` and `associations_by_length`, and of a randomized release `supports`: the
 * bias and deviation of the supports of the original's associations, as they must be on average
 * and as they are.
 *   original, released   how many there are
 *   recovered            those in both; recovered_share: of the original's
 *   artificial           those in the release alone; artificial_share: of the release's */
BT_MUST_USE bauta_status bt_measure_associations(const bt_knowledge_job *job, bauta_error *error);

/* Puts `pairs` and `pairs_original`: chi-square over the number of records of each pair of columns,
 * and `pairs_difference`, the mean of how far the two are apart. */
BT_MUST_USE bauta_status bt_measure_pairs(const bt_knowledge_job *job, bauta_error *error);

/* Puts `probabilistic_anonymity`, `posterior` {worst, mean}, `amplification` and `excluded`
 * (class/linkage.h) of a randomized release whose rows are those of all records, as they were
 * before the drawing. */
BT_MUST_USE bauta_status bt_measure_disclosure(const bt_knowledge_job *job, bauta_error *error);

#endif
