/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are no text: many of their first bytes are control characters.
 */
#include "base/foreign.h"

#include "base/text.h"

#include <string.h>

/* Some control characters may be a fault of a text, which is reported where it is. */
enum { LOOKED_AT = 4096, FEW_CONTROLS = 8, MOST_SHARE = 20, LONGEST_CHARACTER = 4 };

const char bt_foreign_hint[] = "save it as CSV, in UTF-8";

static bool is_text(const char *bytes, size_t length, bool utf8)
{
    size_t controls = 0, looked_at = length < LOOKED_AT ? length : LOOKED_AT;
    for (size_t i = 0; i < looked_at; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        controls += byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    }
    if (controls < FEW_CONTROLS || controls * MOST_SHARE < looked_at) return true;
    if (memchr(bytes, 0, looked_at)) return false;
    /* The last character may be cut. */
    return !utf8 || bt_utf8_valid_prefix(bytes, looked_at) + LONGEST_CHARACTER > looked_at;
}

const char *bt_foreign_content(const char *bytes, size_t length, bool utf8)
{
    static const struct {
        const char *start, *what;
    } kinds[] = {
        {"PK\x03\x04", "a workbook (xlsx, ods) or a zip archive"},
        {"\xD0\xCF\x11\xE0", "a workbook (xls)"},
        {"\x1F\x8B", "gzip data"},
        {"\x28\xB5\x2F\xFD", "zstd data"},
        {"PAR1", "a Parquet file"},
        {"$FL2", "an SPSS file"},
        {"SQLite format 3", "a database"},
    };
    if (is_text(bytes, length, utf8)) return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t start = strlen(kinds[i].start);
        if (length >= start && memcmp(bytes, kinds[i].start, start) == 0) return kinds[i].what;
    }
    return "binary data";
}
