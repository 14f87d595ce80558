/* SPDX-License-Identifier: Apache-2.0
 *
 * Options from tables: parsing, help and hints alike.
 */
#ifndef BAUTA_OPTIONS_H
#define BAUTA_OPTIONS_H

#include <bauta.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct cli_option {
    const char *name;     /* "recipe", for --recipe */
    const char *argument; /* "FILE"; NULL: a switch */
    const char *help;     /* one line; NULL: not shown */
    const char *section;  /* of a recipe's key; NULL: the subcommand's own */
    char letter;          /* 'r' for -r, or 0 */
} cli_option;

typedef struct cli_given {
    const cli_option *option;
    const char *value; /* "yes" for a switch */
} cli_given;

enum { MOST_OPTIONS = 96 };

typedef struct cli_arguments {
    cli_option options[MOST_OPTIONS]; /* all that are known here */
    size_t option_count;
    cli_given *given; /* in the order of the command line */
    size_t given_count;
    const char **operands;
    size_t operand_count;
    char **extra; /* "name=value" of unknown options, where those are allowed */
    size_t extra_count;
} cli_arguments;

struct cli_command;

/* Knows the options of `command`: its own, those of the recipe's keys, and --help and its like. */
void options_of(const struct cli_command *command, cli_arguments *out);

/* Reads the command line after the subcommand's name. */
bauta_status parse_arguments(int count, char **words, const struct cli_command *command,
                             cli_arguments *out, bauta_error *error);
void free_arguments(cli_arguments *arguments);

/* The last value given, or NULL. */
const char *option_value(const cli_arguments *arguments, const char *name);

/* Usage, details and every option. */
void print_help(const struct cli_command *command, FILE *out);

/* The nearest of the words, or NULL when none is near. */
const char *nearest_word(const char *wanted, const char *const *words, size_t count);

#endif
