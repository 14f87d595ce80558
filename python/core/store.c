/* SPDX-License-Identifier: Apache-2.0
 *
 * The type Store: a release in memory.
 */
#include "core.h"

static PyObject *store_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {NULL};
    bauta_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "", names)) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_store *self = (core_store *)allocate(type, 0);
    if (!self || bauta_store_memory(&self->store, &error) == BAUTA_OK) return (PyObject *)self;
    Py_DECREF((PyObject *)self);
    return core_raise(&error);
}

static void store_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    bauta_store_free(((core_store *)object)->store);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *store_files(PyObject *object, PyObject *unused)
{
    bauta_store *store = ((core_store *)object)->store;
    PyObject *list = PyList_New(0);
    const char *file;
    (void)unused;
    for (size_t i = 0; list && (file = bauta_store_file(store, i)); i++) {
        PyObject *name = core_text(file);
        if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *store_read(PyObject *object, PyObject *arguments)
{
    const char *file;
    const void *bytes;
    size_t length;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "s", &file)) return NULL;
    if (bauta_store_bytes(((core_store *)object)->store, file, &bytes, &length, &error) != BAUTA_OK)
        return core_raise(&error);
    return PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
}

static PyObject *store_save(PyObject *object, PyObject *arguments)
{
    bauta_store *store = ((core_store *)object)->store;
    PyObject *out;
    int replace;
    bauta_error error;
    bauta_status status;
    if (!PyArg_ParseTuple(arguments, "O&p", PyUnicode_FSConverter, &out, &replace)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = bauta_store_save(store, PyBytes_AsString(out), replace, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(out);
    if (status != BAUTA_OK) return core_raise(&error);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"files", store_files, METH_NOARGS, "The names of its files."},
    {"read", store_read, METH_VARARGS, "The bytes of a file."},
    {"save", store_save, METH_VARARGS, "Write publish/ and private/ to a folder."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A bauta_store in memory."},
    {Py_tp_new, store_new},
    {Py_tp_dealloc, store_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec core_store_spec = {
    .name = "bauta._core.Store",
    .basicsize = sizeof(core_store),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
