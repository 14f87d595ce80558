/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiments of papers and the made-up tables that they need, for the command. They stand on
 * bauta.h and are no part of the library.
 */
#ifndef EX_EXPERIMENTS_H
#define EX_EXPERIMENTS_H

#include <bauta.h>
#include <stdbool.h>

/* Sample data. `arguments` holds "name=value" pairs as `bauta synth KIND --help` lists them; the
 * table goes to `out` ("-": standard output), which appears only when it is whole. */
BAUTA_MUST_USE bauta_status ex_synth(const char *kind, const char *const *arguments, size_t count,
                                     const char *out, bauta_error *error);

/* The experiments of a paper, done again: numbers beside the paper's, and a verdict on each of its
 * claims. `arguments` holds "name=value" pairs as `bauta reproduce EXPERIMENT --help` lists them;
 * "data=FILE" names the table. `progress` may be NULL. The caller frees *text: JSON, or text for
 * people. */
BAUTA_MUST_USE bauta_status ex_reproduce(const char *experiment, const char *const *arguments,
                                         size_t count, bauta_progress progress, void *user,
                                         bool json, char **text, bauta_error *error);

/* What a registry holds ("synth", "experiments", or any that bauta_list knows), or the one entry
 * that is named (NULL: all). The caller frees *text. */
BAUTA_MUST_USE bauta_status ex_list(const char *registry, const char *entry, bool json, char **text,
                                    bauta_error *error);

#endif
