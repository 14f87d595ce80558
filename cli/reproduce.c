/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta reproduce: the experiments of papers. Options go to the experiment as they are.
 */
#include "command.h"

static const cli_option options[] = {
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    bauta_report *report = NULL;
    bauta_status status = bauta_reproduce(given->operands[0], (const char *const *)given->extra,
                                          given->extra_count, session->recipe, &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_reproduce = {
    .name = "reproduce",
    .synopsis = "EXPERIMENT --data FILE [--NAME VALUE]...",
    .summary = "do the experiments of a paper again",
    .details = "Repeats what a paper reports on a table that you have, shows the numbers beside\n"
               "the paper's, and says of each claim whether it holds.\n\n"
               "  bauta reproduce P3 --data adult.csv\n\n"
               "The experiments and their options, to be given as --NAME VALUE, are below;\n"
               "'bauta reproduce EXPERIMENT --help' shows one. A copy of the table is in the\n"
               "folder for temporary files while the experiment runs.",
    .options = options,
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = 1,
    .any_option = true,
    .takes_long = true,
    .run = run,
    .registry = "experiments",
};
