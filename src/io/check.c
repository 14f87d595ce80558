/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and uniqueness of pass-through columns.
 */
#include "io/check.h"

#include "io/chain.h"

enum { SAMPLE_LIMIT = 4096, FIRST_SIZE = 256 };

static void place(uint64_t *slots, size_t size, uint64_t stored)
{
    size_t i = (stored >> 1) & (size - 1);
    while (slots[i] != 0)
        i = (i + 1) & (size - 1);
    slots[i] = stored;
}

/* Rebuilds with `size` slots, keeping what the level still wants. */
static bauta_status rebuild(bt_sampler *sampler, size_t size, bauta_error *error)
{
    uint64_t *slots = bt_array_zero(size, sizeof *slots);
    if (!slots) return bt_fail_memory(error);
    size_t used = 0;
    for (size_t i = 0; i < sampler->size; i++) {
        uint64_t stored = sampler->slots[i];
        if (stored == 0 || !bt_sampler_wants(sampler, stored)) continue;
        place(slots, size, stored);
        used++;
    }
    free(sampler->slots);
    sampler->slots = slots;
    sampler->size = size;
    sampler->used = used;
    return BAUTA_OK;
}

bauta_status bt_sampler_add(bt_sampler *sampler, uint64_t hash, bool repeated, bauta_error *error)
{
    if (!bt_sampler_wants(sampler, hash)) return BAUTA_OK;
    uint64_t clean = hash & ~(uint64_t)1;
    if (clean == 0) clean = 2;
    if (sampler->size == 0) BT_TRY(rebuild(sampler, FIRST_SIZE, error));
    for (size_t i = (clean >> 1) & (sampler->size - 1); sampler->slots[i] != 0;
         i = (i + 1) & (sampler->size - 1)) {
        if ((sampler->slots[i] & ~(uint64_t)1) != clean) continue;
        sampler->slots[i] |= 1;
        return BAUTA_OK;
    }
    place(sampler->slots, sampler->size, clean | repeated);
    sampler->used++;
    if (sampler->used > SAMPLE_LIMIT) {
        while (sampler->used > SAMPLE_LIMIT && sampler->level < 63) {
            sampler->level++;
            BT_TRY(rebuild(sampler, sampler->size, error));
        }
    } else if (sampler->used * 2 > sampler->size) {
        BT_TRY(rebuild(sampler, sampler->size * 2, error));
    }
    return BAUTA_OK;
}

bauta_status bt_sampler_merge(bt_sampler *into, const bt_sampler *from, bauta_error *error)
{
    if (from->level > into->level) {
        into->level = from->level;
        if (into->size) BT_TRY(rebuild(into, into->size, error));
    }
    for (size_t i = 0; i < from->size; i++)
        if (from->slots[i] != 0)
            BT_TRY(bt_sampler_add(into, from->slots[i], from->slots[i] & 1, error));
    return BAUTA_OK;
}

int64_t bt_sampler_unique(const bt_sampler *sampler)
{
    int64_t unique = 0;
    for (size_t i = 0; i < sampler->size; i++)
        unique += sampler->slots[i] != 0 && (sampler->slots[i] & 1) == 0;
    return unique << sampler->level;
}

void bt_checker_release(bt_checker *checker)
{
    free(checker->values.slots);
    *checker = (bt_checker){.forms = BT_FORM_ANY};
}

static void settle(bt_checker *checker, const bt_recent *recent)
{
    checker->missing += recent->missing ? recent->rows : 0;
    checker->bytes += recent->rows * recent->bytes;
}

void bt_checker_end(bt_checker *checker)
{
    for (size_t i = 0; i < BT_RECENT_SIZE; i++) {
        settle(checker, &checker->recent[i]);
        checker->recent[i].rows = 0;
    }
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

bauta_status bt_checker_take_new(bt_checker *checker, const bt_input_options *options,
                                 size_t column, const char *text, uint32_t length, uint64_t hash,
                                 bauta_error *error)
{
    bool missing = bt_is_missing(bt_input_missing(options, column), text, length);
    size_t bytes = bt_csv_size(text, length);
    checker->missing += missing;
    checker->bytes += (int64_t)bytes;
    checker->altered |= !is_verbatim(text, length, missing, bytes);
    unsigned forms = 0;
    if (!missing && checker->forms) {
        forms = bt_value_forms(text, length, options->decimal_comma);
        checker->forms &= forms;
    }
    bool plain =
        length == 0 || (!missing && bt_is_plain(text, length, forms, options->decimal_comma) &&
                        (options->encoding == BT_UTF8 || is_ascii(text, length)));
    bt_recent *recent = &checker->recent[hash % BT_RECENT_SIZE];
    bool again = recent->hash == hash && bytes < UINT32_MAX;
    settle(checker, recent);
    *recent = (bt_recent){hash, 0, (uint32_t)bytes, missing, again, plain};
    if (checker->only_read || !bt_sampler_wants(&checker->values, hash)) return BAUTA_OK;
    return bt_sampler_add(&checker->values, hash, again, error);
}

bauta_status bt_checker_merge(bt_checker *into, const bt_checker *from, bauta_error *error)
{
    into->forms &= from->forms;
    into->altered |= from->altered;
    into->missing += from->missing;
    into->bytes += from->bytes;
    return bt_sampler_merge(&into->values, &from->values, error);
}
