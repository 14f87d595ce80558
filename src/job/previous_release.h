/* SPDX-License-Identifier: Apache-2.0
 *
 * An earlier release beside a new table: who may be in it, which sensitive values it leaves
 * possible for them, and what it promised. Only src/job may include this.
 *
 * Witnesses are what both releases say of a person: each sensitive column that both have and, if
 * there are several, all of them together. A witness holds for a person when the classes that may
 * be the person's have the person's own value there: then the person may be in both, and has one of
 * the values that stand there. Where values changed since, others may still hold.
 */
#ifndef BT_PREVIOUS_RELEASE_H
#define BT_PREVIOUS_RELEASE_H

#include "attack/secret.h"
#include "job/load.h"
#include "job/original.h"
#include "require/requirement.h"

typedef struct bt_witness {
    uint32_t values;
    const uint32_t *own;       /* per row of the input; BT_NOT_KNOWN: nobody there has it */
    const uint32_t *published; /* per row of the file with sensitive values; not of distributions */
    const size_t *first;       /* bags + 1: where the values of each bag begin in `value` */
    const uint32_t *value;     /* values in bag b: value[first[b]..first[b + 1]), each once */
    const uint32_t *bag_of;    /* per unit; NULL: units are bags */
    uint32_t *stamps; /* per value: the set of classes, + 1, that was found to have it last */
    uint64_t *now;    /* per value: the question for which it was allowed last */
} bt_witness;

typedef struct bt_earlier {
    const char *folder;
    bt_release release;
    bt_original original; /* the records of the new table as that release describes them */
    bt_view view;
    bt_secret *secrets; /* sensitive columns that both have */
    size_t secret_count;
    bt_witness *witnesses;               /* each secret, then all together; none of randomized */
    size_t witness_count, first_witness; /* first_witness: the place of the first among the
                                            witnesses of all releases */
    uint32_t *set_of;                    /* per target: the classes that may hold it, as a set */
    uint32_t sets;
    uint32_t marked; /* the set that stamps are of, + 1 */
    /* what it promised: bt_earlier_judge */
    bt_requirements requirements; /* bound to its rows, or to the domain of a distribution */
    bt_people people;
    bt_tally *tally;
    bt_tuples parts;     /* rows of a unit with the same sensitive values */
    size_t *part_first;  /* units + 1: where the parts of each unit begin in part_list */
    uint32_t *part_list; /* parts of unit u: part_list[part_first[u]..part_first[u + 1]) */
    struct bt_unit_memory *memory; /* per unit: previous_pledge.c */
    uint64_t questions;            /* questions that were asked */
    bool *possible;                /* distribution: values that are left */
    /* the caller's: see bt_earlier_match; records that may be in both, whose classes are narrowed
     * by this release, whose classes there are, and of whom a promise there is broken: the first */
    uint32_t *code_of;
    int64_t both, narrowed, thinned, betrayed;
    const bt_requirement_instance *failed;
    int64_t first; /* of those the row of the input, from 1 */
    bt_arena arena;
} bt_earlier;

/* `out` is closed by the caller, also after a failure. BAUTA_NO: the new table would show what was
 * sensitive. */
BT_MUST_USE bauta_status bt_earlier_open(const char *folder, const bauta_recipe *recipe,
                                         const bt_loaded *loaded, const bt_run *run,
                                         bt_earlier *out, bauta_error *error);
void bt_earlier_close(bt_earlier *earlier);

/* The codes of `count` values that have texts in the first secret, in code_of; BT_NOT_KNOWN: the
 * release cannot have it. */
BT_MUST_USE bauta_status bt_earlier_match(bt_earlier *earlier, const char *const *texts,
                                          uint32_t count, bauta_error *error);

/* Marks the values that stand in the classes that may be those of a target. */
void bt_earlier_mark(bt_earlier *earlier, uint32_t target);

/* Whether a value of a witness was marked. */
static inline bool bt_witness_allows(const bt_earlier *earlier, const bt_witness *witness,
                                     uint32_t value)
{
    return value != BT_NOT_KNOWN && witness->stamps[value] == earlier->marked;
}

/* Marks for a row of the input, and says whether it may be in the release; not of randomized. With
 * `holds`, also which witnesses hold. */
bool bt_earlier_may_hold(bt_earlier *earlier, int64_t row, bool *holds);

/* randomized: how many records of the new table may be in it. */
BT_MUST_USE bauta_status bt_earlier_count_redrawn(bt_earlier *earlier, const bt_loaded *loaded,
                                                  const bt_run *run, bauta_error *error);

/* ---- what it promised (previous_pledge.c) ---- */

/* Reads and binds the promises. BAUTA_INVALID when they are not known or do not fit. */
BT_MUST_USE bauta_status bt_earlier_bind(bt_earlier *earlier, const bt_run *run,
                                         bauta_error *error);

typedef struct bt_pledge_case {
    uint64_t number;   /* the question of `now`: values allowed for it are left of the new class */
    const bool *holds; /* per witness of the release: it holds for the person */
    int64_t row;       /* the person's, of the input */
    bool narrowed;     /* the answer: the class there is narrowed, whichever it is */
    const bt_requirement_instance *failed; /* the answer: what is left does not satisfy it */
} bt_pledge_case;

/* What is left there for someone who is in both: of each class that may be the person's and has the
 * person's own values, the rows whose values are left. One of these classes must satisfy what was
 * promised. */
BT_MUST_USE bauta_status bt_earlier_judge(bt_earlier *earlier, bt_pledge_case *person,
                                          bauta_error *error);

#endif
