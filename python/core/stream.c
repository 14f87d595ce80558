/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow capsules, and a stream of one batch. The struct of a capsule is moved out of it: its
 * release is NULL afterwards, as the interface asks, and the capsule frees what is left.
 */
#include "core.h"

#include <errno.h>
#include <stdlib.h>

typedef struct one_batch {
    struct ArrowSchema schema;
    struct ArrowArray array;
} one_batch;

/* A recipe asks for the schema once, and so it is handed over. */
static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    one_batch *batch = stream->private_data;
    if (!batch->schema.release) return EINVAL;
    *out = batch->schema;
    batch->schema.release = NULL;
    return 0;
}

static int give_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    one_batch *batch = stream->private_data;
    *out = batch->array;
    batch->array.release = NULL; /* the second one has no release: the end */
    return 0;
}

static const char *last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release(struct ArrowArrayStream *stream)
{
    one_batch *batch = stream->private_data;
    if (batch->schema.release) batch->schema.release(&batch->schema);
    if (batch->array.release) batch->array.release(&batch->array);
    free(batch);
    stream->release = NULL;
}

bool core_stream_of_batch(struct ArrowSchema *schema, struct ArrowArray *array,
                          struct ArrowArrayStream *out)
{
    one_batch *batch = malloc(sizeof *batch);
    if (!batch) {
        schema->release(schema);
        array->release(array);
        PyErr_NoMemory();
        return false;
    }
    *batch = (one_batch){*schema, *array};
    schema->release = NULL;
    array->release = NULL;
    *out = (struct ArrowArrayStream){.get_schema = give_schema,
                                     .get_next = give_batch,
                                     .get_last_error = last_error,
                                     .release = release,
                                     .private_data = batch};
    return true;
}

bool core_stream_of_array(PyObject *schema, PyObject *array, struct ArrowArrayStream *out)
{
    struct ArrowSchema *described = PyCapsule_GetPointer(schema, "arrow_schema");
    struct ArrowArray *values = described ? PyCapsule_GetPointer(array, "arrow_array") : NULL;
    if (!values) return false;
    if (!described->release || !values->release) {
        PyErr_SetString(PyExc_ValueError, "the Arrow array was used up before");
        return false;
    }
    return core_stream_of_batch(described, values, out);
}

struct ArrowArrayStream *core_stream_of(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream || stream->release) return stream;
    PyErr_SetString(PyExc_ValueError, "the Arrow stream was used up before");
    return NULL;
}
