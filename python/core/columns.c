/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of Python values as one Arrow batch. A column is a list of int within 64 bits, of float
 * or of str, in which None is missing; what else there is, Python code has made text of before.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 3 };

/* ---- what is released when Arrow says so ---- */

/* A schema or an array and its children are one block each; their buffers and names are their own.
 */
static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
    free((char *)schema->name);
    free(schema
             ->private_data); /* of the children: the block that they and the list of them are in */
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
    for (int64_t i = 0; i < array->n_buffers; i++)
        free((void *)array->buffers[i]);
    free((void *)array->buffers);
    free(array->private_data);
    array->release = NULL;
}

/* ---- columns ---- */

static bool fail_memory(void)
{
    PyErr_NoMemory();
    return false;
}

/* Room for a buffer of an array, zeroed, which the array owns. */
static void *add_buffer(struct ArrowArray *array, int64_t index, size_t size)
{
    void *bytes = calloc(size ? size : 1, 1);
    array->buffers[index] = bytes;
    return bytes;
}

static void set_bit(unsigned char *bits, Py_ssize_t index)
{
    bits[index / 8] |= (unsigned char)(1u << (index % 8));
}

static bool fill_integers(PyObject *list, struct ArrowArray *array, unsigned char *valid)
{
    int64_t *values = add_buffer(array, 1, (size_t)array->length * sizeof *values);
    if (!values) return fail_memory();
    for (Py_ssize_t i = 0; i < array->length; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (item == Py_None) continue;
        values[i] = PyLong_AsLongLong(item);
        if (values[i] == -1 && PyErr_Occurred()) return false;
        set_bit(valid, i);
    }
    return true;
}

static bool fill_floats(PyObject *list, struct ArrowArray *array, unsigned char *valid)
{
    double *values = add_buffer(array, 1, (size_t)array->length * sizeof *values);
    if (!values) return fail_memory();
    for (Py_ssize_t i = 0; i < array->length; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (item == Py_None) continue;
        values[i] = PyFloat_AsDouble(item);
        if (values[i] == -1.0 && PyErr_Occurred()) return false;
        set_bit(valid, i);
    }
    return true;
}

/* Twice over the list: the first time for the length of all text. CPython keeps the UTF-8 of a str
 * with it. */
static bool fill_texts(PyObject *list, struct ArrowArray *array, unsigned char *valid)
{
    int64_t *offsets = add_buffer(array, 1, ((size_t)array->length + 1) * sizeof *offsets);
    if (!offsets) return fail_memory();
    for (Py_ssize_t i = 0; i < array->length; i++) {
        PyObject *item = PyList_GetItem(list, i);
        Py_ssize_t length = 0;
        if (item != Py_None && !PyUnicode_AsUTF8AndSize(item, &length)) return false;
        if (item != Py_None) set_bit(valid, i);
        offsets[i + 1] = offsets[i] + length;
    }
    char *text = add_buffer(array, 2, (size_t)offsets[array->length]);
    if (!text) return fail_memory();
    for (Py_ssize_t i = 0; i < array->length; i++) {
        PyObject *item = PyList_GetItem(list, i);
        Py_ssize_t length = 0;
        const char *bytes = item == Py_None ? "" : PyUnicode_AsUTF8AndSize(item, &length);
        if (!bytes) return false;
        if (length != offsets[i + 1] - offsets[i]) {
            PyErr_SetString(PyExc_RuntimeError, "the list changed while it was read");
            return false;
        }
        memcpy(text + offsets[i], bytes, (size_t)length);
    }
    return true;
}

/* The Arrow format of a list, by its first value that is not None. */
static const char *format_of(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (item == Py_None) continue;
        return PyLong_Check(item) ? "l" : PyFloat_Check(item) ? "g" : "U";
    }
    return "U";
}

static bool fill_column(PyObject *name, PyObject *list, struct ArrowSchema *schema,
                        struct ArrowArray *array)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text) return false;
    if (!PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "a column must be a list");
        return false;
    }
    const char *format = format_of(list);
    *schema = (struct ArrowSchema){.format = format,
                                   .name = strdup(text),
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema};
    *array = (struct ArrowArray){.length = PyList_Size(list),
                                 .null_count = -1,
                                 .n_buffers = format[0] == 'U' ? 3 : 2,
                                 .buffers = calloc(MOST_BUFFERS, sizeof(void *)),
                                 .release = release_array};
    if (!array->buffers) array->n_buffers = 0;
    if (!schema->name || !array->buffers) return fail_memory();
    unsigned char *valid = add_buffer(array, 0, (size_t)array->length / 8 + 1);
    if (!valid) return fail_memory();
    return format[0] == 'l'   ? fill_integers(list, array, valid)
           : format[0] == 'g' ? fill_floats(list, array, valid)
                              : fill_texts(list, array, valid);
}

/* ---- the batch ---- */

/* Room for children behind the list that points to them. */
static void *make_children(Py_ssize_t count, size_t size, void ***list)
{
    char *block = calloc((size_t)count + 1, sizeof(void *) + size);
    if (!block) return NULL;
    *list = (void **)block;
    for (Py_ssize_t i = 0; i < count; i++)
        (*list)[i] = block + ((size_t)count + 1) * sizeof(void *) + (size_t)i * size;
    return block;
}

static bool make_batch(Py_ssize_t count, struct ArrowSchema *schema, struct ArrowArray *array)
{
    *schema = (struct ArrowSchema){.format = "+s", .n_children = count, .release = release_schema};
    *array = (struct ArrowArray){.n_buffers = 1, .n_children = count, .release = release_array};
    schema->private_data =
        make_children(count, sizeof **schema->children, (void ***)&schema->children);
    array->private_data =
        make_children(count, sizeof **array->children, (void ***)&array->children);
    array->buffers = calloc(1, sizeof(void *));
    if (schema->private_data && array->private_data && array->buffers) return true;
    free(schema->private_data);
    free(array->private_data);
    free((void *)array->buffers);
    return fail_memory();
}

bool core_stream_of_columns(PyObject *columns, struct ArrowArrayStream *out)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    PyObject *name, *list;
    Py_ssize_t at = 0, column = 0;
    if (!make_batch(PyDict_Size(columns), &schema, &array)) return false;
    bool good = true;
    while (good && column < schema.n_children && PyDict_Next(columns, &at, &name, &list)) {
        good = fill_column(name, list, schema.children[column], array.children[column]);
        if (good && column > 0 && array.children[column]->length != array.length) {
            PyErr_SetString(PyExc_ValueError, "the columns are not of one length");
            good = false;
        }
        if (good) array.length = array.children[column]->length;
        column++;
    }
    if (good) return core_stream_of_batch(&schema, &array, out);
    schema.release(&schema);
    array.release(&array);
    return false;
}
