/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta synth: sample data. Options go to the kind as they are.
 */
#include "command.h"
#include "output.h"

#include <experiments.h>

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "where the table goes (default: standard output)"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    const char *file = option_value(given, "output");
    return ex_synth(given->operands[0], (const char *const *)given->extra, given->extra_count,
                    file ? file : "-", error);
}

const cli_command command_synth = {
    .name = "synth",
    .synopsis = "KIND [--NAME VALUE]... [-o FILE]",
    .summary = "make sample data",
    .details = "Writes a made-up table. The same seed gives the same table.\n\n"
               "  bauta synth census --rows 1000000 --seed 1 -o census.csv\n\n"
               "The kinds and their options, to be given as --NAME VALUE, are below; 'bauta synth\n"
               "KIND --help' shows one kind.",
    .options = options,
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = 1,
    .any_option = true,
    .run = run,
    .registry = "synth",
};
