/* SPDX-License-Identifier: Apache-2.0
 *
 * What surrounds a call of the library: the GIL is let go, callbacks take it back, and what comes
 * of the call becomes Python's. Callbacks come from the thread that called.
 */
#include "core.h"

#include <string.h>
#include <time.h>

#define PATIENCE 0.05 /* seconds between two looks at progress and signals */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

PyObject *core_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* ---- errors ---- */

PyObject *core_raise(const bauta_error *error)
{
    PyObject *errors = PyImport_ImportModule("bauta._errors");
    if (!errors) return NULL;
    PyObject *message = core_text(error->message), *file = core_text(error->file),
             *column = core_text(error->column), *hint = core_text(error->hint);
    PyObject *raised = NULL;
    if (message && file && column && hint)
        raised = PyObject_CallMethod(errors, "failure", "iOOLOO", (int)error->status, message, file,
                                     (long long)error->row, column, hint);
    if (raised) PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(raised);
    Py_XDECREF(message);
    Py_XDECREF(file);
    Py_XDECREF(column);
    Py_XDECREF(hint);
    Py_DECREF(errors);
    return NULL;
}

/* ---- callbacks ---- */

/* Keeps the exception that is set, the first one, until the call ends. */
static void keep_raised(core_recipe *self)
{
    if (!PyErr_Occurred()) return;
    if (self->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&self->raised[0], &self->raised[1], &self->raised[2]);
}

static int on_progress(void *user, const char *stage, int64_t done, int64_t total)
{
    core_recipe *self = user;
    double now = seconds_now();
    if (!self->thread || now < self->next) return 0; /* an open release is asked by any thread */
    self->next = now + PATIENCE;
    bool stop = false; /* a callback that returns False stops the work, as an exception does */
    PyEval_RestoreThread(self->thread);
    if (!self->raised[0] && PyErr_CheckSignals() == 0 && self->progress) {
        PyObject *result =
            PyObject_CallFunction(self->progress, "sLL", stage, (long long)done, (long long)total);
        stop = result == Py_False;
        Py_XDECREF(result);
    }
    keep_raised(self);
    self->thread = PyEval_SaveThread();
    return stop || self->raised[0] != NULL;
}

static void on_notice(void *user, const char *text)
{
    core_recipe *self = user;
    if (!self->thread || !self->notice) return;
    PyEval_RestoreThread(self->thread);
    PyObject *words = core_text(text);
    PyObject *result = words ? PyObject_CallFunctionObjArgs(self->notice, words, NULL) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(words);
    keep_raised(self);
    self->next = 0; /* so that an exception cancels soon */
    self->thread = PyEval_SaveThread();
}

/* ---- calls ---- */

bool core_begin(core_recipe *self)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the recipe is in use by another call");
        return false;
    }
    self->busy = true;
    self->next = seconds_now() + PATIENCE;
    bauta_recipe_on_progress(self->recipe, on_progress, self);
    bauta_recipe_on_notice(self->recipe, on_notice, self);
    Py_INCREF((PyObject *)self); /* whatever else lets go of it meanwhile */
    self->thread = PyEval_SaveThread();
    return true;
}

/* Takes the GIL back. False: a callback raised an exception, which is set now. */
static bool take_back(core_recipe *self)
{
    PyEval_RestoreThread(self->thread);
    self->thread = NULL;
    self->busy = false;
    bool good = self->raised[0] == NULL;
    if (!good) PyErr_Restore(self->raised[0], self->raised[1], self->raised[2]);
    memset(self->raised, 0, sizeof self->raised);
    return good;
}

bool core_done(core_recipe *self, bauta_status status, const bauta_error *error)
{
    bool good = take_back(self);
    if (good && status != BAUTA_OK) {
        core_raise(error);
        good = false;
    }
    Py_DECREF((PyObject *)self);
    return good;
}

PyObject *core_show(bauta_status status, const bauta_report *report)
{
    bauta_error error;
    char *json = NULL, *text = NULL, *charts = NULL;
    PyObject *result = NULL;
    if (bauta_report_json(report, &json, &error) != BAUTA_OK ||
        bauta_report_text(report, &text, &error) != BAUTA_OK ||
        bauta_report_charts(report, &charts, &error) != BAUTA_OK)
        core_raise(&error);
    else
        result =
            Py_BuildValue("iNNN", (int)status, core_text(json), core_text(text), core_text(charts));
    bauta_text_free(json);
    bauta_text_free(text);
    bauta_text_free(charts);
    return result;
}

PyObject *core_end(core_recipe *self, bauta_status status, bauta_report *report,
                   const bauta_error *error)
{
    PyObject *result = NULL;
    if (take_back(self)) result = report ? core_show(status, report) : core_raise(error);
    bauta_report_free(report);
    Py_DECREF((PyObject *)self);
    return result;
}
