/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and sizes of columns that are not coded.
 */
#include "io/check.h"

#include "io/chain.h"

enum { LONGEST_KEPT = 1024 }; /* a longer text is looked at each time it occurs */

static void release_codes(bt_checker *checker)
{
    for (size_t i = 0; i < checker->code_count; i++)
        free(checker->codes[i].text);
    free(checker->codes);
    checker->codes = NULL;
    checker->code_count = 0;
    checker->dictionary = NULL;
}

void bt_checker_release(bt_checker *checker)
{
    for (size_t i = 0; i < BT_RECENT_SIZE; i++)
        free(checker->recent[i].text);
    release_codes(checker);
    *checker = (bt_checker){.forms = BT_FORM_ANY};
}

/* Counts the rows of a value that were only noted. */
static bauta_status settle(bt_checker *checker, bt_recent *recent, bauta_error *error)
{
    if (recent->rows == 0) return BAUTA_OK;
    checker->missing += recent->missing ? recent->rows : 0;
    checker->bytes += recent->rows * recent->bytes;
    recent->rows = 0;
    return checker->alone ? bt_watcher_add(checker->alone, recent->hash, error) : BAUTA_OK;
}

static bauta_status settle_codes(bt_checker *checker, bauta_error *error)
{
    for (size_t i = 0; i < checker->code_count; i++)
        BT_TRY(settle(checker, &checker->codes[i], error));
    return BAUTA_OK;
}

bauta_status bt_checker_change(bt_checker *checker, const void *dictionary, size_t count,
                               bauta_error *error)
{
    BT_TRY(settle_codes(checker, error));
    release_codes(checker);
    checker->codes = bt_array_zero(count, sizeof *checker->codes);
    if (!checker->codes) return bt_fail_memory(error);
    checker->code_count = count;
    checker->dictionary = dictionary;
    return BAUTA_OK;
}

bauta_status bt_checker_end(bt_checker *checker, bauta_error *error)
{
    for (size_t i = 0; i < BT_RECENT_SIZE; i++)
        BT_TRY(settle(checker, &checker->recent[i], error));
    return settle_codes(checker, error);
}

/* Integers that begin with a digit have no other canonical form: see value.h. */
static bool is_verbatim(const char *text, uint32_t length, bool missing, size_t bytes)
{
    return length == 0 || (!missing && bytes == length && text[0] != '+' && text[0] != '-');
}

static bool is_ascii(const char *text, uint32_t length)
{
    unsigned char any = 0;
    for (uint32_t i = 0; i < length; i++)
        any |= (unsigned char)text[i];
    return any < 0x80;
}

bauta_status bt_checker_take_new(bt_checker *checker, bt_recent *recent,
                                 const bt_input_options *options, size_t column, const char *text,
                                 uint32_t length, bt_words words, uint64_t hash, bauta_error *error)
{
    bool missing = bt_is_missing(bt_input_missing(options, column), text, length);
    size_t bytes = bt_csv_size(text, length) + (options->guarded && bt_csv_tempts(text, length));
    checker->missing += missing;
    checker->bytes += (int64_t)bytes;
    checker->altered |= !is_verbatim(text, length, missing, bytes);
    unsigned forms = 0;
    if (!missing && checker->forms) {
        forms = bt_value_forms(text, length, options->decimal_comma);
        checker->forms &= forms;
    }
    BT_TRY(settle(checker, recent, error));
    if (checker->alone) BT_TRY(bt_watcher_add(checker->alone, hash, error));
    recent->words = words;
    recent->hash = hash;
    recent->length = length;
    recent->bytes = (uint32_t)bytes;
    recent->missing = missing;
    recent->plain =
        length == 0 || (!missing && bt_is_plain(text, length, forms, options->decimal_comma) &&
                        (options->encoding == BT_UTF8 || is_ascii(text, length)));
    recent->known = length <= BT_WORDS;
    if (recent->known || length > LONGEST_KEPT) return BAUTA_OK;
    BT_TRY(bt_array_grow(&recent->text, &recent->room, length, 1, error));
    memcpy(recent->text, text, length);
    recent->known = true;
    return BAUTA_OK;
}

void bt_checker_merge(bt_checker *into, const bt_checker *from)
{
    into->forms &= from->forms;
    into->altered |= from->altered;
    into->missing += from->missing;
    into->bytes += from->bytes;
}
