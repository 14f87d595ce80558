/* SPDX-License-Identifier: Apache-2.0
 *
 * What a subcommand is: a table of what it takes, and one function. The frame (main.c) parses
 * the arguments, fills the recipe and prints errors; a subcommand only says what to do.
 */
#ifndef BAUTA_COMMAND_H
#define BAUTA_COMMAND_H

#include "options.h"

#include <bauta.h>

/* What arguments that are not options are. */
typedef enum cli_operands {
    OPERANDS_INPUT, /* files of the input */
    OPERANDS_OWN,   /* the subcommand looks at them itself */
} cli_operands;

typedef struct cli_session {
    const struct cli_command *command;
    cli_arguments arguments;
    bauta_recipe *recipe;
    bauta_progress progress; /* progress that the recipe tells, or NULL */
} cli_session;

typedef struct cli_command {
    const char *name;
    const char *synopsis;      /* after the name: "[OPTION]... FILE..." */
    const char *summary;       /* one line */
    const char *details;       /* what --help says below the usage */
    const cli_option *options; /* own ones; the last has no name. NULL: none */
    const char *sections;      /* of the recipe's keys that are flags here: "input run"; or NULL */
    const char *without;       /* keys of those sections that are not, or NULL */
    const char *also;          /* keys of other sections that are, or NULL */
    cli_operands operands;
    size_t least, most; /* operands */
    bool any_option;    /* unknown options are collected as name=value */
    bool takes_long;    /* shows progress, although it has no sections */
    bauta_status (*run)(cli_session *session, bauta_error *error);
    const char *registry; /* its entries are part of the help; or NULL */
} cli_command;

extern const cli_command *const commands[];
extern const size_t command_count;

const cli_command *find_command(const char *name);
void print_overview(FILE *out);

/* Shows the help of a command; where it has a registry, also the entry that is named, or all. */
bauta_status show_help(const cli_command *command, const char *entry, bauta_error *error);

/* Prints a report as --json asks for, and frees it. */
bauta_status show_report(const cli_session *session, bauta_report *report, bauta_error *error);

#endif
