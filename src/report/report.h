/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports: facts printed as JSON or as text for people. Computes nothing.
 *
 * The facts of each kind; what is in brackets may be missing, and unknown keys appear in the
 * JSON only:
 *
 *   anonymize  rows, published, suppressed, [missing_dropped], classes, smallest_class,
 *              [largest_class], measures {ncp, discernibility, average_class,
 *              distortion_ratio}, seconds {read, group, publish, audit, total}, [method, form,
 *              requirements ["k=5"], experiment, publish (the folder), not_protected], [join {kind,
 *              public, shared, external, used, groups, ncp, discernibility, [excluded, disagreed,
 *              missing_dropped]}]
 *   preview    tries [{require, and the keys of anonymize, or refused (the reason)}]
 *   audit      holds, findings [{promise, holds: true, false or "unverifiable", [class],
 *              detail}], [rows, classes, smallest_class, not_protected]
 *   measure    release, rows, published and measures by name, of one release; or releases, an
 *              array of such objects. A measure is a number, an object of numbers, or an object
 *              of such objects; one that does not apply to a release is missing.
 *   query      query, estimate, lower, upper (numbers, dates as text, or null), tight, population
 *              {published, dropped}, [warning, may_be_empty, dropped_rows, scope, explain
 *              {assumptions, classes, contributing, contributions [{[class], row, records,
 *              estimate, lower, upper}]}]; of several queries an array of such objects
 *   describe   rows, columns [{name, type, role, [guess], distinct, missing, unique,
 *              share_unique}],
 *              [quasi {columns, classes, unique, share_unique, smallest_class}],
 *              [requirements [{requirement, classes, failing_classes, failing_records,
 *              share_classes, share_records}]],
 *              [singling_out [{columns, unique, share_unique}]],
 *              [giveaways [{columns, [by: "sum" or "difference"], gives_away, tried, guessed,
 *              share_guessed}]], [notes]
 *   init       recipe (the text), [notes]
 *   hierarchy  column, [hierarchy], levels, leaves, nodes, per_level [{level, nodes,
 *              [examples]}], [text], [notes], [written (a file)]
 *   list       registry, entries [{name, summary, [paper], [parameters [{name, type, default,
 *              bounds, help}]]}]
 *   attack     an array of results, as attack/attack.h lists their keys
 *   page       audit (as above), form, published, suppressed, id, [method, protected,
 *              not_protected, measures, attacks]; its text is a page of HTML
 */
#ifndef BT_REPORT_H
#define BT_REPORT_H

#include "base/facts.h"
#include "base/memory.h"

typedef enum bt_report_kind {
    BT_REPORT_ANONYMIZE,
    BT_REPORT_PREVIEW,
    BT_REPORT_AUDIT,
    BT_REPORT_MEASURE,
    BT_REPORT_DESCRIBE,
    BT_REPORT_INIT,
    BT_REPORT_HIERARCHY,
    BT_REPORT_LIST,
    BT_REPORT_QUERY,
    BT_REPORT_ATTACK,
    BT_REPORT_PAGE,
} bt_report_kind;

struct bauta_report {
    bt_report_kind kind;
    bt_facts facts;
};

/* Text for people: tables that line up, one idea per line, the conclusion last. */
BT_MUST_USE bauta_status bt_report_print(const bauta_report *report, bt_buffer *out,
                                         bauta_error *error);

/* The facts as JSON, keys in the order in which they were put. */
BT_MUST_USE bauta_status bt_report_dump(const bauta_report *report, bt_buffer *out,
                                        bauta_error *error);

/* The pictures of a report as HTML: figures, after the style that they share. Nothing is written
 * for a report that has none. */
BT_MUST_USE bauta_status bt_report_charts(const bauta_report *report, bt_buffer *out,
                                          bauta_error *error);

#endif
