/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashing the texts of rows, and numbering equal ones.
 */
#include "audit/texts.h"

#include "base/assert.h"
#include "base/digest.h"

#include <string.h>

/* ---- hashing ---- */

typedef struct text_hash { /* of 128 bits */
    uint64_t low, high;
} text_hash;

typedef struct text_worker {
    bt_buffer row, converted;
} text_worker;

typedef struct text_job {
    const bt_texts *texts;
    const bt_input_options *settings;
    unsigned char key[BT_SHORT_HASH];
    text_worker *workers;
    text_hash *hashes; /* per row */
} text_job;

/* Appends the canonical text of a field with its length, so that no two rows run together. */
static bauta_status add_field(const text_job *job, text_worker *worker, size_t column,
                              const bt_span *field, bauta_error *error)
{
    char printed[BT_NUMBER_TEXT];
    const char *text = field->bytes;
    size_t length = field->length, bytes;
    if (job->settings->encoding != BT_UTF8) {
        if (!bt_size_mul(length, 3, &bytes)) return bt_fail_memory(error);
        worker->converted.length = 0;
        BT_TRY(bt_buffer_reserve(&worker->converted, bytes, error));
        length =
            bt_encoding_to_utf8(job->settings->encoding, text, length, worker->converted.bytes);
        text = worker->converted.bytes;
    }
    if (bt_is_missing(bt_input_missing(job->settings, column), text, length))
        length = 0;
    else
        text = bt_value_canonical(&job->texts->readings[column], text, length, printed, &length);
    BT_TRY(bt_buffer_add(&worker->row, &length, sizeof length, error));
    return bt_buffer_add(&worker->row, text, length, error);
}

static bauta_status hash_row(void *user, unsigned number, int64_t row, const bt_batch *batch,
                             size_t at, bauta_error *error)
{
    text_job *job = user;
    text_worker *worker = &job->workers[number];
    worker->row.length = 0;
    for (size_t i = 0; i < job->texts->count; i++) {
        size_t column = job->texts->columns[i];
        bt_span field;
        BT_TRY(bt_batch_text(batch, column, at, &field, error));
        BT_TRY(add_field(job, worker, column, &field, error));
    }
    bt_short_hash(job->key, worker->row.bytes, worker->row.length,
                  (unsigned char *)&job->hashes[row]);
    return BAUTA_OK;
}

static bauta_status hash_texts(const bt_texts *texts, const bt_run *run, const bt_seed *key,
                               text_hash *hashes, bauta_error *error)
{
    unsigned workers = bt_pool_size(run->pool);
    text_job job = {.texts = texts,
                    .settings = bt_input_settings(texts->input),
                    .workers = bt_array_zero(workers, sizeof *job.workers),
                    .hashes = hashes};
    if (!job.workers) return bt_fail_memory(error);
    memcpy(job.key, key->bytes, sizeof job.key);
    bauta_status status = bt_input_scan(texts->input, NULL, run, "compare", hash_row, &job, error);
    for (unsigned i = 0; i < workers; i++) {
        bt_buffer_release(&job.workers[i].row);
        bt_buffer_release(&job.workers[i].converted);
    }
    free(job.workers);
    return status;
}

/* ---- numbering ---- */

typedef struct text_numbers {
    text_hash *hashes; /* distinct ones, by number */
    uint32_t *slots;   /* number + 1; 0: free */
    size_t mask;
    uint32_t count;
} text_numbers;

static uint32_t number_of(text_numbers *numbers, text_hash hash)
{
    for (size_t i = (size_t)hash.low & numbers->mask;; i = (i + 1) & numbers->mask) {
        uint32_t number = numbers->slots[i];
        if (number == 0) {
            numbers->hashes[numbers->count] = hash;
            numbers->slots[i] = numbers->count + 1;
            return numbers->count++;
        }
        const text_hash *other = &numbers->hashes[number - 1];
        if (other->low == hash.low && other->high == hash.high) return number - 1;
    }
}

static bauta_status number_hashes(text_hash *hashes, int64_t first, int64_t second,
                                  uint32_t *of_one, uint32_t *of_other, uint32_t *distinct,
                                  bauta_error *error)
{
    size_t size = 16, total = (size_t)(first + second);
    while (size < total * 2)
        size *= 2;
    BT_ASSERT((size & (size - 1)) == 0);
    /* The distinct hashes are collected in place: a number is never above its row. */
    text_numbers numbers = {
        .hashes = hashes, .slots = bt_array_zero(size, sizeof *numbers.slots), .mask = size - 1};
    if (!numbers.slots) return bt_fail_memory(error);
    for (int64_t row = 0; row < first; row++)
        of_one[row] = number_of(&numbers, hashes[row]);
    for (int64_t row = 0; row < second; row++)
        of_other[row] = number_of(&numbers, hashes[first + row]);
    *distinct = numbers.count;
    free(numbers.slots);
    return BAUTA_OK;
}

bauta_status bt_texts_number(const bt_texts *one, const bt_texts *other, const bt_run *run,
                             uint32_t **of_one, uint32_t **of_other, uint32_t *distinct,
                             bauta_error *error)
{
    text_hash *hashes = NULL;
    bt_seed key;
    bauta_status status = BAUTA_OK;
    *of_one = *of_other = NULL;
    if (one->rows + other->rows >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "there are more than 2^32 rows to compare");
    hashes = bt_array((size_t)(one->rows + other->rows), sizeof *hashes);
    *of_one = bt_array((size_t)one->rows, sizeof **of_one);
    *of_other = bt_array((size_t)other->rows, sizeof **of_other);
    if (!hashes || !*of_one || !*of_other) {
        status = bt_fail_memory(error);
        goto out;
    }
    status = bt_seed_fresh(&key, error);
    if (status != BAUTA_OK) goto out;
    status = hash_texts(one, run, &key, hashes, error);
    if (status != BAUTA_OK) goto out;
    status = hash_texts(other, run, &key, hashes + one->rows, error);
    if (status != BAUTA_OK) goto out;
    status = number_hashes(hashes, one->rows, other->rows, *of_one, *of_other, distinct, error);
out:
    free(hashes);
    if (status != BAUTA_OK) {
        free(*of_one);
        free(*of_other);
        *of_one = *of_other = NULL;
    }
    return status;
}
