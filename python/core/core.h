/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta._core: bauta.h for Python, call by call, against CPython's limited API. What Python code
 * may expect of it is in ../bauta/_core.pyi; everything that people see is made of it there.
 */
#ifndef CORE_H
#define CORE_H

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000 /* CPython 3.11 and newer */
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <bauta.h>
#include <experiments.h>
#include <stdbool.h>

/* ---- what the module has ---- */

typedef struct core_state {
    PyTypeObject *recipe, *store, *release;
} core_state;

core_state *core_state_of(PyTypeObject *type); /* of the module that a type of ours belongs to */

extern PyType_Spec core_recipe_spec, core_store_spec, core_release_spec;

/* ---- recipes and calls ---- */

/* A recipe, and what Python gave to it. One call at a time may use it. */
typedef struct core_recipe {
    PyObject ob_base;
    bauta_recipe *recipe;
    PyObject *progress, *notice; /* called back; NULL: nobody */
    PyObject *raised[3];         /* what a callback raised: type, value, traceback */
    PyThreadState *thread;       /* of the call that is under way, which has let go of the GIL */
    double next;                 /* progress is not looked at before this time */
    bool busy;
} core_recipe;

typedef struct core_store {
    PyObject ob_base;
    bauta_store *store;
} core_store;

/* Between these two the GIL is free and the library at work. False: an exception is set. */
bool core_begin(core_recipe *self);

/* Ends what core_begin began: (status, JSON, text) of the report, or NULL with the exception that
 * a callback raised or that stands for the error. Frees the report. */
PyObject *core_end(core_recipe *self, bauta_status status, bauta_report *report,
                   const bauta_error *error);

/* The same of a call without a report: false with an exception. */
bool core_done(core_recipe *self, bauta_status status, const bauta_error *error);

/* (status, JSON, text) of a report. */
PyObject *core_show(bauta_status status, const bauta_report *report);

/* ---- errors and text ---- */

/* Sets the exception of bauta._errors that stands for an error. */
PyObject *core_raise(const bauta_error *error);

PyObject *core_text(const char *text); /* bytes that are not UTF-8 are replaced */

/* ---- Arrow ---- */

/* The stream of a capsule, or NULL with an exception. */
struct ArrowArrayStream *core_stream_of(PyObject *capsule);

/* A stream of one batch, which takes over what two capsules hold. */
bool core_stream_of_array(PyObject *schema, PyObject *array, struct ArrowArrayStream *out);

/* A stream of one batch with the columns of a dict, each a list of int, of float or of str, with
 * None for what is missing. */
bool core_stream_of_columns(PyObject *columns, struct ArrowArrayStream *out);

/* A stream of one batch; takes both over. False: out of memory. */
bool core_stream_of_batch(struct ArrowSchema *schema, struct ArrowArray *array,
                          struct ArrowArrayStream *out);

#endif
