/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an input file: reading gives a table or BAUTA_INVALID with the file named; the
 * verdict and every row are the same for any size of blocks and number of threads, and the
 * number of rows is that of the byte-by-byte twin.
 *
 * The first byte chooses the settings, the second the size of blocks; the rest is the file.
 */
#include "fuzz.h"

#include "../tests/oracle/naive_csv.h"
#include "base/hash.h"
#include "io/input.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct outcome {
    bauta_status status;
    int64_t rows;
    size_t columns;
    char delimiter;
    uint64_t digest; /* of all rows with their numbers, in any order */
} outcome;

typedef struct digester {
    const bt_input *input;
    atomic_ullong sum;
} digester;

static bauta_status digest_row(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                               size_t at, bauta_error *error)
{
    (void)worker;
    digester *d = user;
    uint64_t hash = (uint64_t)row;
    for (size_t i = 0; i < bt_input_columns(d->input); i++) {
        bt_span field;
        BT_TRY(bt_batch_text(batch, i, at, &field, error));
        hash = bt_hash_mix(hash, bt_hash(field.bytes, field.length));
    }
    atomic_fetch_add(&d->sum, hash);
    return BAUTA_OK;
}

static bauta_status read_all(bt_input *input, const bt_run *run, outcome *out, bauta_error *error)
{
    bt_raw *raw = NULL;
    out->columns = bt_input_columns(input);
    out->delimiter = bt_input_delimiter(input);
    bt_use *uses = calloc(out->columns, sizeof *uses);
    fuzz_check(uses, "memory");
    for (size_t i = 0; i < out->columns; i++)
        uses[i] = i % 3 == 1 ? BT_USE_CHECK : BT_USE_CODE;
    bauta_status status = bt_input_read(input, uses, run, &raw, error);
    if (status == BAUTA_OK) {
        digester d = {.input = input};
        out->rows = bt_raw_rows(raw);
        status = bt_input_scan(input, NULL, run, "scanning", digest_row, &d, error);
        out->digest = d.sum;
    }
    bt_raw_free(raw);
    free(uses);
    return status;
}

static outcome read_file(const char *file, unsigned settings, size_t block, bt_pool *pool)
{
    bauta_error error;
    bt_error_clear(&error);
    bt_run run = {.pool = pool, .memory = 1 << 20, .tmp = "/tmp"};
    bt_input_options options = {.files = &file,
                                .count = 1,
                                .delimiter = settings & 1 ? ",;\t|"[settings >> 1 & 3] : '\0',
                                .encoding = (bt_encoding)(settings >> 3 & 1),
                                .header = settings >> 4 & 1 ? BT_HEADER_NO : BT_HEADER_LOOK,
                                .block_bytes = block};
    bt_input *input = NULL;
    outcome out = {.rows = -1};
    out.status = bt_input_open(&options, &run, &input, &error);
    if (out.status == BAUTA_OK) out.status = read_all(input, &run, &out, &error);
    fuzz_check(out.status == BAUTA_OK || out.status == BAUTA_INVALID, error.message);
    if (out.status != BAUTA_OK) fuzz_check(error.file[0] != '\0', "an error without a file");
    bt_input_close(input);
    return out;
}

/* Records of the bytes by the twin, the header included; only for plain text. */
static int64_t naive_rows(const uint8_t *data, size_t size, const outcome *found)
{
    size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (mark < size && (data[mark] == '\n' || data[mark] == '\r'))
        mark++;
    naive_csv csv = {.bytes = (const char *)data + mark,
                     .length = size - mark,
                     .columns = found->columns,
                     .delimiter = found->delimiter};
    naive_field *fields = calloc(found->columns, sizeof *fields);
    fuzz_check(fields, "memory");
    int64_t rows = 0;
    while (naive_next(&csv, fields))
        rows++;
    fuzz_check(csv.fault == BT_CSV_FINE, "a fault was overlooked");
    free(fields);
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bt_pool *one, *three;
    if (!one) {
        fuzz_check(bt_pool_new(1, &one, NULL) == BAUTA_OK, "threads");
        fuzz_check(bt_pool_new(3, &three, NULL) == BAUTA_OK, "threads");
    }
    if (size < 2) return 0;
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    char file[64];
    snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);
    fuzz_check(descriptor >= 0 && write(descriptor, data + 2, size - 2) == (ssize_t)(size - 2),
               "memory");
    outcome whole = read_file(file, data[0], 0, one);
    outcome parts = read_file(file, data[0], 1 + data[1] % 100, three);
    close(descriptor);
    fuzz_check(whole.status == parts.status, "the verdict depends on blocks or threads");
    if (whole.status != BAUTA_OK) return 0;
    fuzz_check(whole.rows == parts.rows && whole.digest == parts.digest,
               "the rows depend on blocks or threads");
    bool packed = size >= 6 && (memcmp(data + 2, "\x1f\x8b", 2) == 0 ||
                                memcmp(data + 2, "\x28\xb5\x2f\xfd", 4) == 0);
    if (!packed && whole.delimiter) /* CSV has one, other sources have twins of their own */
        fuzz_check(naive_rows(data + 2, size - 2, &whole) == whole.rows + !(data[0] >> 4 & 1),
                   "the number of rows differs from the twin's");
    return 0;
}
