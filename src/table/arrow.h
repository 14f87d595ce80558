/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of Arrow batches that a recipe has taken over (the Arrow C stream interface, bauta.h).
 *
 * A stream is read once, when its batches are first wanted; they are kept until it is freed, so
 * that a table can be passed over as often as it takes. What batches hold is not looked at here: it
 * may be hostile (io/arrow.c).
 */
#ifndef BT_ARROW_H
#define BT_ARROW_H

#include "base/run.h"

typedef struct bt_stream_kept { /* a stream with its name */
    char *name;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;  /* release NULL: not asked for yet */
    struct ArrowArray *batches; /* once all are read */
    size_t count, capacity;
    bool ended; /* all are read */
    int failed; /* what the stream failed with; 0: it did not */
} bt_stream_kept;

typedef struct bt_streams {
    bt_stream_kept **items;
    size_t count, capacity;
} bt_streams;

/* Takes the stream over, also on failure. Refuses a name that is empty or taken. */
BT_MUST_USE bauta_status bt_streams_add(bt_streams *streams, const char *name,
                                        struct ArrowArrayStream *stream, bauta_error *error);

bt_stream_kept *bt_streams_find(const bt_streams *streams, const char *name); /* or NULL */

/* Releases every stream and its batches. */
void bt_streams_free(bt_streams *streams);

/* Asks for the schema, and reads all batches, unless that was done before. */
BT_MUST_USE bauta_status bt_stream_schema(bt_stream_kept *stream, bauta_error *error);
BT_MUST_USE bauta_status bt_stream_read(bt_stream_kept *stream, const bt_run *run,
                                        bauta_error *error);

#endif
