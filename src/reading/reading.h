/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a form on the reading side: what its files are and what their rows say, how it
 * is opened, and in which words it says what it protects. One file per form, one line in
 * readings.def; nobody else asks a form for its name. Where a whole algorithm differs by form, the
 * folder that has it keeps a list of its own by these entries (audit/forms.def, query/forms.def).
 */
#ifndef BT_READING_H
#define BT_READING_H

#include "base/run.h"
#include "spec/manifest.h"

typedef struct bt_release bt_release;   /* release.h */
typedef struct bt_composer bt_composer; /* sentences.h */

enum { BT_FORM_FILES = 8 };

typedef struct bt_reading_form {
    const char *name; /* the name that the form in a manifest begins with */
    bool join;        /* the manifest names a join: rows are persons of the table or of a public
                         one, and the records among them are told by sensitive groups */

    /* ---- its files ---- */
    const char *files[BT_FORM_FILES]; /* beside manifest.json; the tables first, and the one with
                                         the sensitive columns last of these */
    size_t tables;
    bool (*lacks_last)(const bt_manifest *manifest); /* the last file; NULL: all are there */
    /* The name of the column that numbers bags of sensitive values, last in the first table and
     * first in the other. NULL: there is none, and classes are bags. */
    const char *(*bag_column)(const char *const *names, size_t count, bt_arena *arena);

    /* ---- what its rows say ---- */
    bool values_shown; /* quasi columns show values, not cells */
    bool redrawn;      /* some values in quasi columns were drawn anew: there are no classes */
    bool pair;         /* quasi and sensitive columns are in two tables that only the numbers of
                          classes link; SQL files go with them */
    bool parts;        /* of sensitive values only parts of the domain are shown, which follow
                          targets; there are made-up ones among them */
    bool class_values; /* the sensitive values of a class are those of its rows, all of which are
                          records */

    /* ---- opening ---- */
    /* Optional: what is wrong with a manifest of this form; NULL: nothing. Roles and files of
     * columns are known. */
    bauta_status (*expect)(bt_release *release, bauta_error *error);
    /* Optional: reads what is in its files beside columns and bags. */
    bauta_status (*read)(bt_release *release, const bt_run *run, bauta_error *error);

    /* ---- words ---- */
    const char *(*remark)(const bt_manifest *manifest); /* how to read it; NULL: as it is */
    bauta_status (*protects)(bt_composer *composer);
    bauta_status (*exposes)(bt_composer *composer);
    /* Format 0: what it does not protect, from the arena or constant; NULL: out of memory. These
     * words never change: an audit composes them again for every release of that format. */
    const char *(*exposes_0)(const bt_manifest *manifest, bt_arena *arena);
} bt_reading_form;

extern const bt_reading_form *const bt_reading_registry[];
extern const size_t bt_reading_registry_count;

/* The form of a manifest; NULL: this version does not know it. */
const bt_reading_form *bt_reading_find(const bt_manifest *manifest);

#endif
