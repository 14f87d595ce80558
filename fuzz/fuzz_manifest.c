/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a manifest: what is read and known can be written, and reads again as the same
 * bytes. SQL follows from it in which every quote is closed.
 */
#include "fuzz.h"

#include "spec/sql.h"

#include <string.h>

static void check_round_trip(const bt_manifest *manifest, bt_arena *arena)
{
    bt_buffer first = {0}, second = {0};
    bt_manifest again;
    fuzz_check(bt_manifest_write(manifest, &first, NULL) == BAUTA_OK, "cannot be written");
    fuzz_check(bt_manifest_read(first.bytes, first.length, arena, &again, NULL) == BAUTA_OK,
               "cannot be read again");
    fuzz_check(bt_manifest_write(&again, &second, NULL) == BAUTA_OK, "cannot be written again");
    fuzz_check(first.length == second.length &&
                   memcmp(first.bytes, second.bytes, first.length) == 0,
               "reads differently");
    bt_buffer_release(&first);
    bt_buffer_release(&second);
}

static void check_sql(const bt_manifest *manifest)
{
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_status status = bt_sql_write(manifest, texts, NULL);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "writing SQL fails oddly");
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        size_t quotes = 0;
        for (size_t at = 0; at < texts[i].length; at++)
            quotes += texts[i].bytes[at] == '"';
        fuzz_check(quotes % 2 == 0, "a quote is not closed");
        bt_buffer_release(&texts[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bt_arena arena = {0};
    bt_manifest manifest;
    bauta_error error;
    bauta_status status = bt_manifest_read((const char *)data, size, &arena, &manifest, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "reading fails oddly");
    if (status == BAUTA_OK && !manifest.unread) check_round_trip(&manifest, &arena);
    if (status == BAUTA_OK) check_sql(&manifest);
    bt_arena_release(&arena);
    return 0;
}
