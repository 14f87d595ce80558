/* SPDX-License-Identifier: Apache-2.0
 *
 * Making calls of the C library fail. The linker sends the calls that the library makes through
 * the wrappers in fault.c (--wrap); while armed, the n-th one that is watched fails as the
 * system would make it fail.
 */
#ifndef BT_FAULT_H
#define BT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fault_kind {
    FAULT_MEMORY, /* malloc and its like, also those of jansson */
    FAULT_FILES,  /* open, read, write, sync, rename … and starting threads */
} fault_kind;

/* Before the first use: watches the allocations of jansson, too. */
void fault_watch_jansson(void);

/* The n-th (from 1) watched call of this kind fails from now on, once. */
void fault_arm(fault_kind kind, size_t n);
/* Nothing fails any more. True: a call was made to fail; *name says which. */
bool fault_disarm(const char **name);

/* Lists the watched calls of this kind from now on, up to fault_listed: by the chain of functions
 * that makes each. */
void fault_list(fault_kind kind);
/* How many calls were listed. Nothing is listed any more. */
size_t fault_listed(void);
/* Whether the n-th listed call (from 1) is the last that its chain of functions makes. */
bool fault_is_last(size_t n);

/* From now on every read and write moves at most `most` bytes, every third one is interrupted;
 * 0: as they come. */
void fault_shorten(size_t most);

/* Blocks of memory allocated through the wrappers and not freed. */
size_t fault_live_blocks(void);
/* File descriptors that are open. */
size_t fault_open_descriptors(void);

#endif
