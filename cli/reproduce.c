/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta reproduce: the experiments of papers. Options go to the experiment as they are.
 */
#include "command.h"
#include "output.h"
#include "progress.h"

#include <experiments.h>
#include <stdlib.h>

static const cli_option options[] = {
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    char *text = NULL;
    bauta_status status =
        ex_reproduce(given->operands[0], (const char *const *)given->extra, given->extra_count,
                     session->progress, NULL, option_value(given, "json") != NULL, &text, error);
    clear_progress();
    if (status == BAUTA_OK) print_text(text);
    free(text);
    return status;
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
