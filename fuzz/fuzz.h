/* SPDX-License-Identifier: Apache-2.0
 *
 * What every fuzz target implements. libFuzzer calls it with inputs of its own making, replay.c
 * with the files of a corpus.
 */
#ifndef BT_FUZZ_H
#define BT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns 0; a property that does not hold ends the program through fuzz_check. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_check(condition, text)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text);                              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
