/* SPDX-License-Identifier: Apache-2.0
 *
 * The type Release: a release that stays open, so that each of many questions costs only itself.
 */
#include "core.h"

#include <stdlib.h>

typedef struct core_release {
    PyObject ob_base;
    bauta_release *release;
    core_recipe *recipe; /* with which it was opened */
} core_release;

static PyObject *release_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"publish", "recipe", NULL};
    PyObject *publish, *recipe;
    bauta_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O&O!", names, PyUnicode_FSConverter,
                                     &publish, core_state_of(type)->recipe, &recipe))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_release *self = (core_release *)allocate(type, 0);
    bool good = self != NULL;
    if (good) {
        self->recipe = (core_recipe *)Py_NewRef(recipe);
        good = core_begin(self->recipe);
    }
    if (good) {
        bauta_status status = bauta_release_open(PyBytes_AsString(publish), self->recipe->recipe,
                                                 &self->release, &error);
        good = core_done(self->recipe, status, &error);
    }
    Py_DECREF(publish);
    if (good) return (PyObject *)self;
    Py_XDECREF((PyObject *)self);
    return NULL;
}

static void release_dealloc(PyObject *object)
{
    core_release *self = (core_release *)object;
    PyTypeObject *type = Py_TYPE(object);
    bauta_release_free(self->release);
    Py_XDECREF((PyObject *)self->recipe);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *release_query(PyObject *object, PyObject *arguments)
{
    bauta_release *release = ((core_release *)object)->release;
    const char *query;
    bauta_report *report = NULL;
    bauta_error error;
    bauta_status status;
    if (!PyArg_ParseTuple(arguments, "s", &query)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = bauta_release_query(release, query, &report, &error);
    Py_END_ALLOW_THREADS;
    PyObject *result = status == BAUTA_OK ? core_show(status, report) : core_raise(&error);
    bauta_report_free(report);
    return result;
}

static PyObject *release_tables(PyObject *object, PyObject *unused)
{
    const bauta_release *release = ((core_release *)object)->release;
    PyObject *list = PyList_New(0);
    const char *table;
    (void)unused;
    for (size_t i = 0; list && (table = bauta_release_table_name(release, i)); i++) {
        PyObject *name = core_text(table);
        if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* A capsule whose stream nobody took over releases it. */
static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream) return;
    if (stream->release) stream->release(stream);
    free(stream);
}

static PyObject *release_table(PyObject *object, PyObject *arguments)
{
    const bauta_release *release = ((core_release *)object)->release;
    const char *table;
    int ranges;
    bauta_error error;
    bauta_status status;
    if (!PyArg_ParseTuple(arguments, "sp", &table, &ranges)) return NULL;
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    if (!stream) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    status = bauta_release_table(release, table, ranges ? BAUTA_TABLE_RANGES : 0, stream, &error);
    Py_END_ALLOW_THREADS;
    PyObject *capsule = NULL;
    if (status != BAUTA_OK)
        core_raise(&error);
    else
        capsule = PyCapsule_New(stream, "arrow_array_stream", free_stream);
    if (capsule) return capsule;
    if (status == BAUTA_OK) stream->release(stream);
    free(stream);
    return NULL;
}

static PyMethodDef methods[] = {
    {"query", release_query, METH_VARARGS, "The answer to a question."},
    {"tables", release_tables, METH_NOARGS, "The names of its tables."},
    {"table", release_table, METH_VARARGS, "A table as an Arrow stream."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A bauta_release."},
    {Py_tp_new, release_new},
    {Py_tp_dealloc, release_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec core_release_spec = {
    .name = "bauta._core.Release",
    .basicsize = sizeof(core_release),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
