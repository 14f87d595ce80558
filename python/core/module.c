/* SPDX-License-Identifier: Apache-2.0
 *
 * The module, and what needs no recipe.
 */
#include "core.h"

#include <stdlib.h>

static PyObject *module_version(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return core_text(bauta_version());
}

/* (name, argument or None, section, help) of every key of a recipe. */
static PyObject *module_recipe_keys(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    const bauta_key *key;
    for (size_t i = 0; list && (key = bauta_recipe_key(i)); i++) {
        PyObject *item = Py_BuildValue("(szss)", key->name, key->argument, key->section, key->help);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* What a registry holds, or one entry of it: (JSON, text). */
static PyObject *module_listing(PyObject *module, PyObject *arguments)
{
    const char *registry, *entry;
    char *json = NULL, *text = NULL;
    bauta_error error;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sz", &registry, &entry)) return NULL;
    if (ex_list(registry, entry, true, &json, &error) != BAUTA_OK ||
        ex_list(registry, entry, false, &text, &error) != BAUTA_OK)
        core_raise(&error);
    else
        result = Py_BuildValue("NN", core_text(json), core_text(text));
    free(json);
    free(text);
    return result;
}

/* Sample data of a kind, with a list of "name=value", to a file. */
static PyObject *module_synth(PyObject *module, PyObject *arguments)
{
    const char *kind;
    PyObject *list, *out;
    bauta_error error;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sO!O&", &kind, &PyList_Type, &list, PyUnicode_FSConverter,
                          &out))
        return NULL;
    Py_ssize_t count = PyList_Size(list);
    const char **pairs = calloc((size_t)count + 1, sizeof *pairs);
    bool good = pairs != NULL;
    if (!pairs) PyErr_NoMemory();
    for (Py_ssize_t i = 0; good && i < count; i++) {
        pairs[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        good = pairs[i] != NULL;
    }
    if (good) {
        bauta_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = ex_synth(kind, pairs, (size_t)count, PyBytes_AsString(out), &error);
        Py_END_ALLOW_THREADS;
        good = status == BAUTA_OK;
        if (!good) core_raise(&error);
    }
    free((void *)pairs);
    Py_DECREF(out);
    return good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"version", module_version, METH_NOARGS, "bauta_version"},
    {"recipe_keys", module_recipe_keys, METH_NOARGS, "The keys of a recipe."},
    {"listing", module_listing, METH_VARARGS, "What a registry holds."},
    {"synth", module_synth, METH_VARARGS, "Sample data."},
    {0},
};

/* ---- the module ---- */

core_state *core_state_of(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && PyModule_AddType(module, *type) == 0;
}

static int execute(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    bool good = add_type(module, &core_recipe_spec, &state->recipe) &&
                add_type(module, &core_store_spec, &state->store) &&
                add_type(module, &core_release_spec, &state->release);
    return good ? 0 : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = PyModule_GetState(module);
    Py_VISIT(state->recipe);
    Py_VISIT(state->store);
    Py_VISIT(state->release);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    Py_CLEAR(state->recipe);
    Py_CLEAR(state->store);
    Py_CLEAR(state->release);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,        .m_name = "bauta._core", .m_doc = "bauta.h, call by call.",
    .m_size = sizeof(core_state), .m_methods = functions,  .m_slots = slots,
    .m_traverse = traverse,       .m_clear = clear,        .m_free = release,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
