/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit: recomputes from a release's files what it promises, and compares it with the
 * original records when they are at hand. It knows nothing of how the release was made.
 *
 * Facts: `not_protected`, `form`, where classes have numbers `class_column` (what the column with
 * these is called), `holds`, and `findings`, a list of objects with
 *   promise   what was checked: a requirement ("k=5") or one of "cells", "canonical text",
 *             "other columns", "experiment", "rows", "original records",
 *             "original order", "hierarchies", "rows together"; in two-tables also
 *             "linkage", "classes", "class numbers", "order", "query files", "original bags"; in
 *             distribution "targets", "target", "P-privacy", "groups", "class numbers", "order",
 * "bounds", "query files", "reference", "original parts"; in randomized "mechanism", "shares",
 * "rare values", "sensitive values", "distributions", "order"; with a public table "sensitive
 * groups", "group numbers", "order", "presence", "boxes of records", "refined boxes", "persons"
 *   holds     true, false or "unverifiable"
 *   class     the row of data.csv, from 1, that is the first of the class meant; where classes have
 *             numbers that of the class; or null
 *   detail    numbers and names of columns, never a value
 */
#ifndef BT_AUDIT_H
#define BT_AUDIT_H

#include "base/facts.h"
#include "reading/release.h"

/* The original records, all of them in their order (of randomized those that values were drawn
 * from, where it is known that others were dropped for what is missing). Columns have the
 * manifest's types. */
typedef struct bt_audit_original {
    int64_t rows;               /* all records there are */
    const bt_table *table;      /* its quasi and sensitive columns; those whose hierarchy follows
                                   from values have it built anew */
    bt_input *input;            /* for the texts of other columns */
    const bt_reading *readings; /* how those are read, per column of the input */
} bt_audit_original;

typedef struct bt_audit_options {
    const bt_run *run;
    bool allow_experiment;             /* a release made from a given seed is not a fault */
    const bt_audit_original *original; /* NULL: the release's files alone */
    const bt_table *joined; /* of a join, with the original: the quasi columns of its records and
                               of all persons of the public table, with the original's domains;
                               NULL: that is not at hand */
    const bt_seed *key;     /* of randomized, with the original: that of the random streams; its
                               columns have their codes in the order they were drawn with. NULL:
                               only the owner has it */
} bt_audit_options;

/* Puts the facts into facts->root; *holds is false when a finding is. */
BT_MUST_USE bauta_status bt_audit(const bt_release *release, const bt_audit_options *options,
                                  bt_facts *facts, bool *holds, bauta_error *error);

#endif
