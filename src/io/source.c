/* SPDX-License-Identifier: Apache-2.0
 *
 * Which source reads a table, and what sources share.
 */
#include "io/source.h"

#include <string.h>
#include <strings.h>

#define BT_SOURCE(name) extern const bt_source bt_source_##name;
#include "io/sources.def"
#undef BT_SOURCE

const bt_source *const bt_source_registry[] = {
#define BT_SOURCE(name) &bt_source_##name,
#include "io/sources.def"
#undef BT_SOURCE
};
const size_t bt_source_registry_count = sizeof bt_source_registry / sizeof *bt_source_registry;

/* ---- choosing a source ------------------------------------------------------------------- */

/* Whether a word stands in a list of words with spaces between them. */
static bool is_listed(const char *list, const char *word, size_t length)
{
    for (size_t size; *list; list += size + (list[size] == ' ')) {
        size = strcspn(list, " ");
        if (size == length && strncasecmp(list, word, length) == 0) return true;
    }
    return false;
}

/* The extension of a file's name, but for that of what it is compressed with. */
static const char *extension_of(const char *file, size_t *length)
{
    static const char packed[] = "gz zst";
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t end = strlen(name), from;
    for (;; end = from - 1) {
        for (from = end; from > 0 && name[from - 1] != '.';)
            from--;
        *length = from > 0 ? end - from : 0;
        if (from == 0 || !is_listed(packed, name + from, *length)) return name + from;
    }
}

const bt_source *bt_source_with_scheme(const char *name)
{
    for (size_t i = 0; i < bt_source_registry_count; i++) {
        const char *scheme = bt_source_registry[i]->scheme;
        size_t length = scheme ? strlen(scheme) : 0;
        if (scheme && strncmp(name, scheme, length) == 0 && name[length] == ':')
            return bt_source_registry[i];
    }
    return NULL;
}

bauta_status bt_source_left_out(const char *feature, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "this build of Bauta was made without '%s'", feature);
    bt_error_hint(error, "build it with: meson setup -D%s=enabled", feature);
    return status;
}

const bt_source *bt_source_of_content(const bt_reader *reader, const char *file)
{
    const bt_source *best = NULL;
    bt_likeness most = BT_LOOKS_FOREIGN;
    size_t length;
    const char *extension = extension_of(file, &length);
    for (size_t i = 0; i < bt_source_registry_count; i++) {
        const bt_source *source = bt_source_registry[i];
        bt_likeness looks =
            source->recognize
                ? source->recognize(reader->head.bytes, reader->head.length, reader->options)
                : BT_LOOKS_FOREIGN;
        bool named = is_listed(source->extensions, extension, length);
        if (looks > most || (looks == most && looks > BT_LOOKS_FOREIGN && named)) {
            best = source;
            most = looks;
        }
    }
    return best;
}

/* ---- bytes of a file --------------------------------------------------------------------- */

bauta_status bt_reader_head(bt_reader *reader, size_t want, bauta_error *error)
{
    bt_buffer *head = &reader->head;
    while (!reader->head_whole && head->length < want) {
        size_t got;
        BT_TRY(bt_buffer_reserve(head, want - head->length + BT_CSV_PADDING, error));
        BT_TRY(bt_bytes_read(reader->bytes, head->bytes + head->length, want - head->length, &got,
                             error));
        head->length += got;
        reader->head_whole = got == 0;
    }
    if (head->length == 0) BT_TRY(bt_buffer_reserve(head, BT_CSV_PADDING, error));
    memset(head->bytes + head->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

bauta_status bt_reader_read(const bt_reader *reader, int64_t offset, char *bytes, size_t length,
                            size_t *got, bauta_error *error)
{
    if (reader->spooled)
        return bt_temporary_read(&reader->spool, offset, bytes, length, got, error);
    return bt_bytes_read_at(reader->bytes, offset, bytes, length, got, error);
}
