/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking streams over, and keeping what they give.
 */
#include "table/arrow.h"

#include "base/memory.h"

#include <string.h>

static void free_stream(bt_stream_kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->batches[i].release) kept->batches[i].release(&kept->batches[i]);
    if (kept->schema.release) kept->schema.release(&kept->schema);
    if (kept->stream.release) kept->stream.release(&kept->stream);
    free(kept->batches);
    free(kept->name);
    free(kept);
}

static bauta_status check_stream(const bt_streams *streams, const char *name,
                                 const struct ArrowArrayStream *stream, bauta_error *error)
{
    if (!stream->release || !stream->get_schema || !stream->get_next)
        return bt_fail(error, BAUTA_USAGE, "the stream was released, or is none");
    if (name[0] == '\0') return bt_fail(error, BAUTA_USAGE, "the name of a stream is empty");
    if (bt_streams_find(streams, name))
        return bt_fail(error, BAUTA_USAGE, "there is a stream '%s' already", name);
    return BAUTA_OK;
}

static bauta_status keep_stream(bt_streams *streams, const char *name,
                                struct ArrowArrayStream *stream, bauta_error *error)
{
    BT_TRY(check_stream(streams, name, stream, error));
    BT_TRY(bt_array_grow(&streams->items, &streams->capacity, streams->count + 1,
                         sizeof *streams->items, error));
    size_t length = strlen(name) + 1;
    bt_stream_kept *kept = bt_array_zero(1, sizeof *kept);
    char *own = bt_array(length, 1);
    if (!kept || !own) {
        free(kept);
        free(own);
        return bt_fail_memory(error);
    }
    memcpy(own, name, length);
    *kept = (bt_stream_kept){.name = own, .stream = *stream};
    stream->release = NULL; /* moved */
    streams->items[streams->count++] = kept;
    return BAUTA_OK;
}

bauta_status bt_streams_add(bt_streams *streams, const char *name, struct ArrowArrayStream *stream,
                            bauta_error *error)
{
    bauta_status status = keep_stream(streams, name, stream, error);
    if (stream->release) stream->release(stream);
    stream->release = NULL;
    return status;
}

bt_stream_kept *bt_streams_find(const bt_streams *streams, const char *name)
{
    for (size_t i = 0; i < streams->count; i++)
        if (strcmp(streams->items[i]->name, name) == 0) return streams->items[i];
    return NULL;
}

void bt_streams_free(bt_streams *streams)
{
    for (size_t i = 0; i < streams->count; i++)
        free_stream(streams->items[i]);
    free(streams->items);
    *streams = (bt_streams){0};
}

/* Fails without the words of the stream itself, which may hold values. */
static bauta_status fail_stream(bt_stream_kept *kept, int code, bauta_error *error)
{
    kept->failed = code;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the stream ended with an error (%d) of its own", code);
    bt_error_place(error, kept->name, -1, NULL);
    bt_error_hint(error, "whoever made the stream knows more: get_last_error");
    return status;
}

bauta_status bt_stream_schema(bt_stream_kept *stream, bauta_error *error)
{
    if (stream->failed) return fail_stream(stream, stream->failed, error);
    if (stream->schema.release) return BAUTA_OK;
    int code = stream->stream.get_schema(&stream->stream, &stream->schema);
    if (code != 0) {
        stream->schema.release = NULL;
        return fail_stream(stream, code, error);
    }
    if (stream->schema.release) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the stream has no schema");
    bt_error_place(error, stream->name, -1, NULL);
    return status;
}

bauta_status bt_stream_read(bt_stream_kept *stream, const bt_run *run, bauta_error *error)
{
    while (!stream->ended) {
        if (stream->failed) return fail_stream(stream, stream->failed, error);
        BT_TRY(bt_array_grow(&stream->batches, &stream->capacity, stream->count + 1,
                             sizeof *stream->batches, error));
        struct ArrowArray *batch = &stream->batches[stream->count];
        *batch = (struct ArrowArray){0};
        int code = stream->stream.get_next(&stream->stream, batch);
        if (code != 0) return fail_stream(stream, code, error);
        stream->ended = !batch->release;
        stream->count += !stream->ended;
        BT_TRY(bt_run_progress(run, 0, "reading", (int64_t)stream->count, 0, error));
    }
    return BAUTA_OK;
}
