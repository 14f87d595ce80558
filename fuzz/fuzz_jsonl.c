/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of JSON Lines: the source takes and refuses what jansson does, line by line,
 * and reads the same cells, for any size of blocks and number of threads.
 *
 * The first byte chooses the size of blocks; the rest is the file.
 */
#include "fuzz.h"

#include "../tests/oracle/naive_jsonl.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bt_pool *one, *three;
    if (!one) {
        fuzz_check(bt_pool_new(1, &one, NULL) == BAUTA_OK, "threads");
        fuzz_check(bt_pool_new(3, &three, NULL) == BAUTA_OK, "threads");
    }
    if (size < 2) return 0;
    const char *bytes = (const char *)data + 1;
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    char file[64];
    snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);
    fuzz_check(descriptor >= 0 && write(descriptor, bytes, size - 1) == (ssize_t)(size - 1),
               "memory");
    const char *whole = naive_compare_jsonl(bytes, size - 1, file, 0, one);
    fuzz_check(!whole, whole);
    const char *parts = naive_compare_jsonl(bytes, size - 1, file, 1 + data[0] % 100, three);
    fuzz_check(!parts, parts);
    close(descriptor);
    return 0;
}
