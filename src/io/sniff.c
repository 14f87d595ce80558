/* SPDX-License-Identifier: Apache-2.0
 *
 * Delimiter and encoding from the first bytes.
 */
#include "io/sniff.h"

#include "base/foreign.h"

enum { SNIFF_RECORDS = 200 };

/* Fields of every record if all records have the same number, else 0. */
static size_t consistent_fields(const char *head, size_t length, char delimiter, bool whole)
{
    bt_csv csv;
    bt_csv_open(&csv, head, length, delimiter, 1);
    size_t fields = 0;
    for (int record = 0; record < SNIFF_RECORDS; record++) {
        size_t count = bt_csv_any(&csv, NULL, 0);
        if (csv.fault == BT_CSV_STRAY) return 0;
        if (count == 0) break;
        bool cut = csv.at >= csv.end && !whole;
        if (cut && record > 0) break;
        bool blank = count == 1 && csv.at < csv.end && csv.at[-1] == '\n' && fields > 1;
        if (fields == 0)
            fields = count;
        else if (count != fields && !blank)
            return 0;
    }
    return fields;
}

char bt_sniff_delimiter(const char *head, size_t length, bool whole)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    char best = ',';
    size_t most = 1;
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t fields = consistent_fields(head, length, candidates[i], whole);
        if (fields > most) {
            most = fields;
            best = candidates[i];
        }
    }
    return best;
}

bt_encoding bt_sniff_encoding(const char *bytes, size_t length)
{
    size_t valid = bt_utf8_valid_prefix(bytes, length);
    if (length - valid < 4) {
        /* What is left may be the beginning of one character. */
        bool cut = true;
        for (size_t i = valid; i < length; i++)
            cut = cut && (unsigned char)bytes[i] >= 0x80;
        if (cut) return BT_UTF8;
    }
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] >= 0x80 && (unsigned char)bytes[i] < 0xA0)
            return BT_WINDOWS1252;
    return BT_LATIN1;
}

/* With a byte order mark, or as Latin letters are written in it. */
static bool is_utf16(const unsigned char *bytes, size_t length)
{
    if (length < 2) return false;
    if ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff))
        return true;
    return length >= 4 && bytes[0] && !bytes[1] && bytes[2] && !bytes[3];
}

bauta_status bt_sniff_text(const char *name, const char *bytes, size_t length, bt_encoding encoding,
                           bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    if (length == 0) {
        status = bt_fail(error, BAUTA_INVALID, "the file is empty");
    } else if (is_utf16((const unsigned char *)bytes, length)) {
        status = bt_fail(error, BAUTA_INVALID, "the file is UTF-16");
        bt_error_hint(error, "convert it first: iconv -f UTF-16 -t UTF-8 FILE");
    } else {
        const char *foreign = bt_foreign_content(bytes, length, encoding == BT_UTF8);
        if (!foreign) return BAUTA_OK;
        status = bt_fail(error, BAUTA_INVALID, "the file is %s, not text", foreign);
        bt_error_hint(error, "%s", bt_foreign_hint);
    }
    bt_error_place(error, name, -1, NULL);
    return status;
}
