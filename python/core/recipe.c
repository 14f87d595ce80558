/* SPDX-License-Identifier: Apache-2.0
 *
 * The type Recipe: a bauta_recipe, and the commands as methods of it.
 */
#include "core.h"

#include <stdlib.h>

/* ---- lifetime ---- */

static PyObject *recipe_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "", names)) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_recipe *self = (core_recipe *)allocate(type, 0);
    bauta_error error;
    if (!self) return NULL;
    if (bauta_recipe_new(&self->recipe, &error) == BAUTA_OK) return (PyObject *)self;
    Py_DECREF((PyObject *)self);
    return core_raise(&error);
}

static int recipe_traverse(PyObject *object, visitproc visit, void *arg)
{
    core_recipe *self = (core_recipe *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->progress);
    Py_VISIT(self->notice);
    return 0;
}

static int recipe_clear(PyObject *object)
{
    core_recipe *self = (core_recipe *)object;
    Py_CLEAR(self->progress);
    Py_CLEAR(self->notice);
    return 0;
}

static void recipe_dealloc(PyObject *object)
{
    core_recipe *self = (core_recipe *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    recipe_clear(object);
    bauta_recipe_free(self->recipe);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- what is asked for ---- */

static PyObject *recipe_set(PyObject *self, PyObject *arguments)
{
    const char *key;
    PyObject *value;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "sO&", &key, PyUnicode_FSConverter, &value)) return NULL;
    bauta_status status =
        bauta_recipe_set(((core_recipe *)self)->recipe, key, PyBytes_AsString(value), &error);
    Py_DECREF(value);
    if (status != BAUTA_OK) return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *recipe_set_text(PyObject *self, PyObject *arguments)
{
    const char *key, *column, *text;
    Py_ssize_t length;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "sss#", &key, &column, &text, &length)) return NULL;
    if (bauta_recipe_set_text(((core_recipe *)self)->recipe, key, column, text, (size_t)length,
                              &error) != BAUTA_OK)
        return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *recipe_load(PyObject *self, PyObject *arguments)
{
    PyObject *file;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &file)) return NULL;
    bauta_status status =
        bauta_recipe_load(((core_recipe *)self)->recipe, PyBytes_AsString(file), &error);
    Py_DECREF(file);
    if (status != BAUTA_OK) return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *recipe_load_text(PyObject *self, PyObject *arguments)
{
    const char *text, *name;
    Py_ssize_t length;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "s#s", &text, &length, &name)) return NULL;
    if (bauta_recipe_load_text(((core_recipe *)self)->recipe, text, (size_t)length, name, &error) !=
        BAUTA_OK)
        return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *add(PyObject *self, const char *name, struct ArrowArrayStream *stream)
{
    bauta_error error;
    if (bauta_recipe_add_stream(((core_recipe *)self)->recipe, name, stream, &error) != BAUTA_OK)
        return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *recipe_add_stream(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *capsule;
    if (!PyArg_ParseTuple(arguments, "sO", &name, &capsule)) return NULL;
    struct ArrowArrayStream *stream = core_stream_of(capsule);
    return stream ? add(self, name, stream) : NULL;
}

static PyObject *recipe_add_array(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *schema, *array;
    struct ArrowArrayStream stream;
    if (!PyArg_ParseTuple(arguments, "sOO", &name, &schema, &array)) return NULL;
    return core_stream_of_array(schema, array, &stream) ? add(self, name, &stream) : NULL;
}

static PyObject *recipe_add_columns(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *columns;
    struct ArrowArrayStream stream;
    if (!PyArg_ParseTuple(arguments, "sO!", &name, &PyDict_Type, &columns)) return NULL;
    return core_stream_of_columns(columns, &stream) ? add(self, name, &stream) : NULL;
}

static PyObject *recipe_add_store(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *store;
    bauta_error error;
    if (!PyArg_ParseTuple(arguments, "sO!", &name, core_state_of(Py_TYPE(self))->store, &store))
        return NULL;
    if (bauta_recipe_add_store(((core_recipe *)self)->recipe, name, ((core_store *)store)->store,
                               &error) != BAUTA_OK)
        return core_raise(&error);
    Py_RETURN_NONE;
}

static PyObject *recipe_watch(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    PyObject *progress, *notice;
    if (!PyArg_ParseTuple(arguments, "OO", &progress, &notice)) return NULL;
    recipe_clear(object);
    self->progress = progress == Py_None ? NULL : Py_NewRef(progress);
    self->notice = notice == Py_None ? NULL : Py_NewRef(notice);
    Py_RETURN_NONE;
}

/* ---- lists of texts ---- */

/* The bytes of a list of texts or paths, in a list that the caller frees; *held keeps the bytes. */
static const char **texts_of(PyObject *list, PyObject **held, size_t *count)
{
    Py_ssize_t size = PyList_Size(list);
    *held = PyList_New(size);
    *count = (size_t)size;
    const char **texts = *held ? calloc(*count + 1, sizeof *texts) : NULL;
    if (*held && !texts) PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < size; i++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PyList_GetItem(list, i), &bytes) ||
            PyList_SetItem(*held, i, bytes) != 0) {
            free((void *)texts);
            texts = NULL;
            break;
        }
        texts[i] = PyBytes_AsString(bytes);
    }
    if (!texts) Py_CLEAR(*held);
    return texts;
}

/* ---- the commands ---- */

static PyObject *recipe_anonymize(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    PyObject *out, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &out)) return NULL;
    if (core_begin(self)) {
        bauta_status status = bauta_anonymize(self->recipe, PyBytes_AsString(out), &report, &error);
        result = core_end(self, status, report, &error);
    }
    Py_DECREF(out);
    return result;
}

static PyObject *recipe_audit(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    PyObject *publish, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &publish)) return NULL;
    if (core_begin(self)) {
        bauta_status status = bauta_audit(PyBytes_AsString(publish), self->recipe, &report, &error);
        result = core_end(self, status, report, &error);
    }
    Py_DECREF(publish);
    return result;
}

static PyObject *recipe_init(PyObject *object, PyObject *unused)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    (void)unused;
    if (!core_begin(self)) return NULL;
    bauta_status status = bauta_init(self->recipe, &report, &error);
    return core_end(self, status, report, &error);
}

static PyObject *recipe_describe(PyObject *object, PyObject *unused)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    (void)unused;
    if (!core_begin(self)) return NULL;
    bauta_status status = bauta_describe(self->recipe, &report, &error);
    return core_end(self, status, report, &error);
}

static PyObject *recipe_preview(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    const char *tries;
    if (!PyArg_ParseTuple(arguments, "z", &tries) || !core_begin(self)) return NULL;
    bauta_status status = bauta_preview(self->recipe, tries, &report, &error);
    return core_end(self, status, report, &error);
}

static PyObject *recipe_hierarchy(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    const char *column;
    PyObject *write = NULL, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "s|O&", &column, PyUnicode_FSConverter, &write)) return NULL;
    if (core_begin(self)) {
        bauta_status status = bauta_hierarchy(
            self->recipe, column, write ? PyBytes_AsString(write) : NULL, &report, &error);
        result = core_end(self, status, report, &error);
    }
    Py_XDECREF(write);
    return result;
}

static PyObject *recipe_measure(PyObject *object, PyObject *arguments)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    PyObject *list, *held, *result = NULL;
    size_t count;
    if (!PyArg_ParseTuple(arguments, "O!", &PyList_Type, &list)) return NULL;
    const char **releases = texts_of(list, &held, &count);
    if (!releases) return NULL;
    if (core_begin(self)) {
        bauta_status status = bauta_measure(releases, count, self->recipe, &report, &error);
        result = core_end(self, status, report, &error);
    }
    free((void *)releases);
    Py_DECREF(held);
    return result;
}

/* Of attack and query: a release and a list of texts. */
typedef bauta_status (*asking)(const char *publish, const bauta_recipe *recipe,
                               const char *const *texts, size_t count, bauta_report **report,
                               bauta_error *error);

static PyObject *ask(PyObject *object, PyObject *arguments, asking call)
{
    core_recipe *self = (core_recipe *)object;
    bauta_report *report = NULL;
    bauta_error error;
    PyObject *publish, *list, *held, *result = NULL;
    size_t count;
    if (!PyArg_ParseTuple(arguments, "O&O!", PyUnicode_FSConverter, &publish, &PyList_Type, &list))
        return NULL;
    const char **texts = texts_of(list, &held, &count);
    if (texts && core_begin(self)) {
        bauta_status status =
            call(PyBytes_AsString(publish), self->recipe, texts, count, &report, &error);
        result = core_end(self, status, report, &error);
    }
    free((void *)texts);
    Py_XDECREF(held);
    Py_DECREF(publish);
    return result;
}

static bauta_status query(const char *publish, const bauta_recipe *recipe, const char *const *texts,
                          size_t count, bauta_report **report, bauta_error *error)
{
    return bauta_query(publish, texts, count, recipe, report, error);
}

static PyObject *recipe_attack(PyObject *self, PyObject *arguments)
{
    return ask(self, arguments, bauta_attack);
}

static PyObject *recipe_query(PyObject *self, PyObject *arguments)
{
    return ask(self, arguments, query);
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"set", recipe_set, METH_VARARGS, "Set a key, as the flag of the same name does."},
    {"set_text", recipe_set_text, METH_VARARGS, "Set a hierarchy or categories as text."},
    {"load", recipe_load, METH_VARARGS, "Read a recipe from a file."},
    {"load_text", recipe_load_text, METH_VARARGS, "Read a recipe from text."},
    {"add_stream", recipe_add_stream, METH_VARARGS, "Name an Arrow stream."},
    {"add_array", recipe_add_array, METH_VARARGS, "Name an Arrow array of structures."},
    {"add_columns", recipe_add_columns, METH_VARARGS, "Name a dict of lists."},
    {"add_store", recipe_add_store, METH_VARARGS, "Name a store."},
    {"watch", recipe_watch, METH_VARARGS, "Who is told of progress and of notices."},
    {"anonymize", recipe_anonymize, METH_VARARGS, "bauta_anonymize"},
    {"audit", recipe_audit, METH_VARARGS, "bauta_audit"},
    {"init", recipe_init, METH_NOARGS, "bauta_init"},
    {"describe", recipe_describe, METH_NOARGS, "bauta_describe"},
    {"preview", recipe_preview, METH_VARARGS, "bauta_preview"},
    {"measure", recipe_measure, METH_VARARGS, "bauta_measure"},
    {"attack", recipe_attack, METH_VARARGS, "bauta_attack"},
    {"query", recipe_query, METH_VARARGS, "bauta_query"},
    {"hierarchy", recipe_hierarchy, METH_VARARGS, "bauta_hierarchy"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A bauta_recipe."},
    {Py_tp_new, recipe_new},
    {Py_tp_dealloc, recipe_dealloc},
    {Py_tp_traverse, recipe_traverse},
    {Py_tp_clear, recipe_clear},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec core_recipe_spec = {
    .name = "bauta._core.Recipe",
    .basicsize = sizeof(core_recipe),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
