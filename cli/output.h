/* SPDX-License-Identifier: Apache-2.0
 *
 * What leaves the command: errors on standard error, answers on standard output.
 */
#ifndef BAUTA_OUTPUT_H
#define BAUTA_OUTPUT_H

#include <bauta.h>

#define LIKE_PRINTF __attribute__((format(printf, 2, 3)))

/* Fill an error of the command itself. */
bauta_status usage_error(bauta_error *error, const char *format, ...) LIKE_PRINTF;
void usage_hint(bauta_error *error, const char *format, ...) LIKE_PRINTF;
bauta_status memory_error(bauta_error *error);
/* "<what> 'file': <text of errno>" */
bauta_status system_error(bauta_error *error, const char *what, const char *file);

/* bauta: FILE: row R, column "C": message
 * hint: advice */
void print_error(const bauta_error *error);

/* Text on standard output; whether all of it arrived is seen by finish_output. */
void print_text(const char *text);

/* Closes standard output: BAUTA_SYSTEM when something written to it got lost. */
bauta_status finish_output(bauta_error *error);

/* Refuses to write to a file that is read, by whatever name. */
bauta_status refuse_input(const char *file, const char *input, bauta_error *error);

/* Writes a file that appears only when it is whole; an existing one is replaced only with
 * `force`. */
bauta_status write_file(const char *file, const char *text, int force, bauta_error *error);

#endif
